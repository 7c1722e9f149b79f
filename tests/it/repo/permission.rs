//! What is not allowed stays untouched (G15).

use std::collections::BTreeSet;

use git_grill::app::ports::{Look, Scout};
use git_grill::domain::facts::{Earlier, Inspection, RepoFacts};
use git_grill::domain::ids::SessionId;
use git_grill::domain::text::Topic;
use git_grill::repo::open::Opened;

use super::scout::{scout, service};

fn allowed(opened: &Opened, kinds: &[Inspection]) -> RepoFacts {
    let topic = Topic::parse("rate limiting").unwrap();
    let at = jiff::Timestamp::from_second(1_790_000_000).unwrap();
    let earlier = [Earlier {
        session: SessionId::new(&topic, at, 1),
        topic: "rate limiting".to_owned(),
        decision: "the rate limit is 10".to_owned(),
        at,
        matches: Vec::new(),
    }];
    let inspect: BTreeSet<Inspection> = kinds.iter().copied().collect();
    scout(opened, &|| true).look(&Look { topic: &topic, inspect: &inspect, earlier: &earlier })
}

/// What a look found, by the kind of inspection that finds it.
fn found(facts: &RepoFacts) -> Vec<Inspection> {
    let layout = !facts.build.is_empty()
        || !facts.tests.is_empty()
        || !facts.ci.is_empty()
        || !facts.licence.is_empty()
        || !facts.languages.is_empty()
        || !facts.entry_points.is_empty()
        || !facts.kinds.is_empty();
    let signs = [
        (Inspection::Layout, layout),
        (Inspection::Contents, !facts.related.is_empty()),
        (Inspection::Writings, facts.readme.is_some() || !facts.decisions.is_empty()),
        (Inspection::History, !facts.recent.is_empty()),
        (Inspection::Sessions, !facts.earlier.is_empty()),
    ];
    signs.into_iter().filter(|(_, seen)| *seen).map(|(kind, _)| kind).collect()
}

#[test]
fn g15_only_what_is_allowed_is_found_and_the_record_says_which() {
    let bench = service();
    let opened = bench.opened("r");
    for kind in Inspection::ALL {
        let facts = allowed(&opened, &[*kind]);
        assert_eq!(found(&facts), [*kind], "{kind}");
        assert_eq!(facts.inspected.iter().copied().collect::<Vec<_>>(), [*kind]);
        assert_eq!(facts.untouched().len(), Inspection::ALL.len() - 1);
    }
    let everything = allowed(&opened, Inspection::ALL);
    assert_eq!(found(&everything), Inspection::ALL);
    assert!(everything.untouched().is_empty());
    assert_eq!(allowed(&opened, &[]), RepoFacts::default());
}

#[test]
fn g15_what_is_not_allowed_is_not_read() {
    let bench = service();
    let opened = bench.opened("r");
    // Without a single object nothing but refs can be read, and a file that were touched would be missed.
    std::fs::remove_dir_all(bench.path("r/.git/objects")).unwrap();
    std::fs::create_dir(bench.path("r/.git/objects")).unwrap();
    let facts = allowed(&opened, &[Inspection::Sessions]);
    assert!(!facts.truncated && found(&facts) == [Inspection::Sessions]);
    assert_eq!(allowed(&opened, &[]), RepoFacts::default());
}

#[test]
fn g15_a_kind_that_cannot_read_is_told_by_what_it_lacks() {
    let bench = service();
    let tree = bench.git("r", &["rev-parse", "HEAD^{tree}"]);
    std::fs::remove_file(bench.path(format!("r/.git/objects/{}/{}", &tree[..2], &tree[2..]))).unwrap();
    let opened = bench.opened("r");
    assert!(allowed(&opened, &[Inspection::Layout]).truncated, "its tree is missing");
    let facts = allowed(&opened, &[Inspection::History]);
    assert!(!facts.truncated && facts.recent == ["the beginning"], "no tree was asked for");
}

#[test]
fn inspections_are_typed_as_they_are_stored() {
    for kind in Inspection::ALL {
        assert_eq!(kind.as_str().parse::<Inspection>().unwrap(), *kind);
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
    }
    let error = "everything".parse::<Inspection>().unwrap_err().to_string();
    assert!(error.ends_with("allowed: layout, contents, writings, history, sessions, all"), "{error}");
}
