//! The catalogue that is shown before the choice, and how an output is cut unless somebody says otherwise.

use super::entry::Entry;
use crate::domain::outputs::outputs;
use crate::domain::session::Session;
use crate::domain::settings::{Catalogued, CataloguedStrategy, Destination, Strategy};

macro_rules! entries {
    ($($(#[cfg($only:ident)])? $output:ident = $name:tt, $room:ident;)*) => {
        pub(super) fn entry(output: Catalogued) -> &'static Entry {
            match output { $($(#[cfg($only)])? Catalogued::$output => &super::$room::ENTRY,)* }
        }
    };
}

outputs!(entries);

/// Every output, in the order in which they are listed.
pub fn catalogue() -> impl Iterator<Item = (Catalogued, &'static Entry)> {
    Catalogued::ALL.iter().map(|output| (*output, entry(*output)))
}

/// Whether this output is created in a tracker, unless somebody wants it as files.
pub fn is_tracked(destination: &Destination) -> bool {
    matches!(destination, Destination::Known(known) if entry(*known).tracked)
}

/// How an output is cut: as somebody wants it, as is recommended for this session where that suits it, as usual, or by
/// what the interview was for.
pub fn strategy_for(
    destination: &Destination,
    wanted: Option<&Strategy>,
    recommended: Option<&Strategy>,
    session: &Session,
) -> Strategy {
    if let Some(wanted) = wanted {
        return wanted.clone();
    }
    let suits: &[CataloguedStrategy] = match destination {
        Destination::Known(known) => entry(*known).suits,
        Destination::Custom(_) => &[],
    };
    let fits = |one: &&Strategy| suits.is_empty() || suits.iter().any(|suits| **one == Strategy::Known(*suits));
    match (recommended.filter(fits), suits.first()) {
        (Some(recommended), _) => recommended.clone(),
        (None, Some(usual)) => Strategy::Known(*usual),
        (None, None) => Strategy::Known(session.settings.intent.strategy()),
    }
}
