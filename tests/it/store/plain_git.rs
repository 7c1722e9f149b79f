//! The history is plain git: its own tools tell the story and find nothing wrong.

use git_grill::app::ports::SessionStore;
use git_grill::domain::actor::Actor;
use git_grill::store::commit::Identity;
use git_grill::store::durable::Durability;
use git_grill::store::git::{GitStore, Options};

use super::bench::*;

#[test]
fn log_blame_and_fsck_tell_the_story() {
    let bench = Bench::new();
    let store = bench.store();
    let id = session_id(1);
    let (session, head) = begin(&store, &id);
    store.activate(&id).unwrap();
    let (session, head) = go_on(
        &store,
        &session,
        &head,
        vec![(Actor::Agent("codex <x>".to_owned()), question(1, "Which store?\n\nOne line."))],
    );
    let when = at(session.seq + 1);
    let (session, _) = go_on(
        &store,
        &session,
        &head,
        vec![
            (Actor::Human, answer(1, 1, "sqlite, not postgres", when)),
            (Actor::System, checkpoint("# Shared\n\n- sqlite\n")),
        ],
    );

    let log = bench.git(&["log", "-p", "--stat", "GRILL_HEAD"]);
    assert!(log.contains("    single file,\n"), "{log}");
    assert!(log.contains("Author: codex x (via git grill) <codex-x@agent.git-grill.invalid>"), "{log}");
    assert_eq!(log.matches("+  Which store?").count(), 1, "{log}");
    assert_eq!(log.matches("+- sqlite").count(), 1, "{log}");
    let trailers = bench.git(&[
        "log", "-1", "--format=%(trailers:key=Grill-Op,valueonly)%(trailers:key=Grill-Seq,valueonly)%(trailers:key=Grill-Question,valueonly)", "GRILL_HEAD",
    ]);
    assert!(trailers.starts_with("answer\n4\nq-"), "{trailers}");

    let touched = bench.git(&["diff", "--name-only", "GRILL_HEAD~1", "GRILL_HEAD"]);
    let mut touched: Vec<&str> = touched.lines().collect();
    touched.sort_unstable();
    let question = &session.transcript.asked[0];
    assert_eq!(
        touched,
        [
            format!(".grill/answers/{}/{}.yaml", question.question.id, question.answers[0].id).as_str(),
            ".grill/checkpoint.md",
            ".grill/events.yaml",
            format!(".grill/questions/{}.yaml", question.question.id).as_str(),
            ".grill/session.yaml",
        ]
    );
    let blame = bench.git(&["blame", "--line-porcelain", "GRILL_HEAD", "--", ".grill/checkpoint.md"]);
    assert!(blame.contains("author Ada") && blame.contains("answer q-"), "{blame}");
    assert_eq!(bench.git(&["fsck", "--strict", "--no-dangling"]).trim(), "");
    let reflog = bench.git(&["reflog", "show", &id.ref_name()]);
    assert_eq!(reflog.lines().count(), 3, "{reflog}");
    assert!(reflog.contains("grill: answer q-"), "{reflog}");

    assert_eq!(store.load(&id).unwrap().session, session);
    assert_eq!(store.active().unwrap(), Some(id));
    store.deactivate().unwrap();
    assert_eq!(store.active().unwrap(), None);
}

#[test]
fn without_an_identity_we_sign_ourselves_and_synced_writes_work() {
    let bench = Bench::new();
    let mut options = Options::new(Identity { author: None, committer: None, offset_minutes: 120 });
    options.durability = Durability::ObjectsAndRefs;
    let repo = repo_in(&bench.path());
    let store = GitStore::open(repo, options);
    let id = session_id(1);
    let (session, head) = begin(&store, &id);
    bench.git(&["gc", "--quiet"]);
    let ask = |by| vec![(by, question(1, "Which store?"))];
    let (session, _) = go_on(&store, &session, &head, ask(Actor::System));
    assert_eq!(bench.store().load(&id).unwrap().session, session);
    let signed = bench.git(&["log", "--format=%an|%cn <%ce>|%ad", &id.ref_name()]);
    let lines: Vec<&str> = signed.lines().collect();
    assert_eq!(
        lines,
        [
            "git grill|git-grill <git-grill@localhost>|Mon Sep 21 16:13:22 2026 +0200",
            "git-grill|git-grill <git-grill@localhost>|Mon Sep 21 16:13:21 2026 +0200",
        ]
    );
}
