//! Verifications for the wishes: what a comparison with the baseline may have come to.

use git_grill::domain::drift::{Change, Drift, Spot, Step, Verification, Window};

use super::wishes::at;

/// What a comparison with the baseline came to; now and then nothing drifted.
pub fn verification(n: u64, text: &str) -> Verification {
    let drift = (0..n % 3).map(|one| Drift {
        spot: if one == 0 { Spot::Head } else { Spot::File(text.to_owned()) },
        change: Change::Modified,
        detail: Some(text.to_owned()),
        bytes: Some(n),
        when: Window { after: Some(Step { seq: n, what: text.to_owned() }), before: None },
        stays: None,
    });
    let drift: Vec<Drift> = drift.collect();
    Verification { at: at(n % 1000), total: drift.len(), drift, notes: Vec::new() }
}
