//! `env`: assignments that change nothing but how something looks, then a command.

use super::line::{Line, owned};
use super::{Inner, LookThrough, Scene};
use crate::policy::shell::word::Word;
use crate::policy::shell::{Refused, variables};

/// `env [NAME=value…] [command…]`.
pub(super) fn judge(line: &Line<'_>, scene: &Scene<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    let command = line.operands.iter().position(|word| !word.text.contains('=')).unwrap_or(line.operands.len());
    let (assignments, command) = line.operands.split_at(command);
    for word in assignments {
        let harmless = word
            .known()
            .and_then(|text| text.split_once('='))
            .is_some_and(|(name, value)| variables::is_harmless(name, &Word::literal(value)));
        if !harmless {
            let why = format!("`{} {}` may change what is run", line.command, word.text);
            return Err(Refused::new(&word.text, why));
        }
    }
    if command.is_empty() { Ok(()) } else { look_through(Inner::Argv(&owned(command)), scene) }
}
