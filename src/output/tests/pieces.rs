//! Whatever a session holds, an issue depends on earlier ones only, so that it names their numbers when it is created.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::super::*;
use super::sessions::{answered, session};
use crate::domain::issue;
use crate::domain::settings::CataloguedStrategy;

/// Decisions; some of them say where something lives.
const DECISIONS: &[&str] = &[
    "The limit counts by key.",
    "It lives in src/limit.rs.",
    "Keys are rotated by hand.",
    "A limited caller gets a 429.",
    "The router in src/router.rs calls it.",
];

/// What else there may be.
const SECTIONS: &[(&str, &str)] = &[
    ("Risks / Unknowns", "Clocks may differ for a key."),
    ("How We Will Know", "A test fails first."),
    ("Open Questions", "How long is the window? To find out: ask the callers."),
    ("Next Steps", "Write the test."),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn g32_an_issue_depends_on_earlier_ones_only(
        decided in proptest::collection::vec(0..DECISIONS.len(), 0..6),
        built_on in proptest::collection::vec((0..6_usize, 0..6_usize), 0..8),
        there in proptest::collection::vec(any::<bool>(), SECTIONS.len()),
    ) {
        let mut text = "# Shared Understanding\n\n## Decisions\n\n".to_owned();
        for one in &decided {
            let _ = writeln!(text, "- {}", DECISIONS[*one]);
        }
        for ((heading, item), _) in SECTIONS.iter().zip(&there).filter(|(_, there)| **there) {
            let _ = writeln!(text, "\n## {heading}\n\n- {item}");
        }
        let mut session = session("rate limiting", &text);
        for one in &decided {
            session = answered(session, "scope", DECISIONS[*one], "Something else.");
        }
        // On one another in whatever way, and on themselves.
        let ids: Vec<_> = session.transcript.asked.iter().map(|asked| asked.question.id.clone()).collect();
        for (at, on) in built_on {
            if let (Some(asked), Some(id)) = (session.transcript.asked.get_mut(at), ids.get(on)) {
                asked.question.builds_on.push(id.clone());
            }
        }
        for strategy in CataloguedStrategy::ALL {
            // Where there is nothing to cut there are no issues.
            for (slot, text) in issue_drafts(&strategy.as_str().parse().unwrap(), &session).unwrap_or_default() {
                let issue = issue::parse(&text).unwrap();
                prop_assert!(issue.depends_on.iter().all(|before| *before < slot), "{strategy:?}: {slot}: {text}");
            }
        }
    }
}
