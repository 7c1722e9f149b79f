//! What the world may tell a session, for the wishes: a comparison with the baseline, a look, a check of citations.

use git_grill::domain::citations::{Fate, Rechecked, Seen};
use git_grill::domain::drift::{Change, Drift, Prints, Spot, Step, Verification, Window};
use git_grill::domain::facts::{Evidence, Finding, RepoFacts};

use super::wishes::{at, blob};

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
    Verification {
        at: at(n % 1000),
        total: drift.len(),
        drift,
        notes: Vec::new(),
        fetched: Vec::new(),
        later: Vec::new(),
        expected: Vec::new(),
        prints: Prints::new(),
    }
}

/// A place that a question may cite.
pub fn place(n: u64) -> Evidence {
    let line = u32::try_from(n % 3 + 1).unwrap();
    Evidence { path: format!("src/{}.rs", n % 4), lines: Some((line, line)), blob: Some(blob(&n.to_string())) }
}

/// What a check of citations may have found: a place that some question cites, or one that none does.
pub fn rechecked(n: u64, cited: &[Evidence]) -> Vec<Rechecked> {
    let at = cited.get(usize::try_from(n).unwrap() % cited.len().max(1)).cloned().unwrap_or_else(|| place(n));
    let fate = match n % 5 {
        0 => return Vec::new(),
        1 => Fate::Beside,
        2 => Fate::Moved { to: (1, 2) },
        3 => Fate::Renamed { to: "b.rs".to_owned() },
        _ if n.is_multiple_of(2) => Fate::Changed,
        _ => Fate::Gone,
    };
    vec![Rechecked { at, fate, seen: Seen::Head, now: n.is_multiple_of(2).then(|| blob("now")) }]
}

/// What a look at the repository shows; now and then nobody looked, and then nothing is known.
pub fn facts(n: u64, text: &str) -> RepoFacts {
    if n.is_multiple_of(4) {
        return RepoFacts::default();
    }
    let finding = Finding {
        what: text.to_owned(),
        at: Evidence { path: text.to_owned(), lines: Some((1, 2)), blob: Some(blob(text)) },
    };
    RepoFacts {
        looked: true,
        name: text.to_owned(),
        files: 3,
        readme: Some(finding.clone()),
        build: vec![finding],
        recent: vec![text.to_owned()],
        ..RepoFacts::default()
    }
}
