//! Repositories that are broken, foreign, read-only or full: what can be read is read, and nothing that was there goes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use git_grill::app::ports::{Batch, Head, SessionStore, StoreError};
use git_grill::domain::actor::Actor;
use git_grill::domain::ids::SessionId;
use git_grill::domain::session::Phase;
use git_grill::store::posture::posture_source;

use super::bench::*;
use crate::bench::wait_until;

/// Replaces one file of the newest commit, as some other program might.
fn rewrite(bench: &Bench, id: &SessionId, path: &str, change: impl Fn(&str) -> String) -> Head {
    let (code, shown) = try_git(&bench.path(), &["show", &format!("{}:{path}", id.ref_name())]);
    let old = if code == 0 { shown } else { String::new() };
    fs::write(bench.path().join("blob"), change(&old)).unwrap();
    let blob = bench.git(&["hash-object", "-w", "blob"]);
    fs::remove_file(bench.path().join("blob")).unwrap();
    bench.git(&[
        "read-tree",
        &format!("--index-output={}", bench.git_dir().join("other-index").display()),
        &id.ref_name(),
    ]);
    let run = |args: &[&str]| {
        let index = bench.git_dir().join("other-index");
        let out = isolated_git(&bench.path()).args(args).env("GIT_INDEX_FILE", index).output().unwrap();
        assert!(out.status.success(), "{args:?}");
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    };
    run(&["update-index", "--add", "--cacheinfo", &format!("100644,{},{path}", blob.trim())]);
    let tree = run(&["write-tree"]);
    let commit = bench.git(&["commit-tree", &tree, "-p", &id.ref_name(), "-m", "somebody else"]);
    bench.git(&["update-ref", &id.ref_name(), commit.trim()]);
    Head(git_grill::domain::ids::ObjectId::parse(commit.trim()).unwrap())
}

/// The loose file of an object. This clone keeps no copy of it any more, so that its loss is one.
fn loose(bench: &Bench, what: &str) -> PathBuf {
    fs::remove_dir_all(bench.common().join("grill/copies")).unwrap();
    let hex = bench.git(&["rev-parse", what]);
    bench.common().join("objects").join(&hex[..2]).join(hex[2..].trim())
}

#[test]
fn g39_a_newer_format_is_named_and_never_written() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let (id, store) = (&session.id, bench.store());
    store.activate(id).unwrap();
    let head = rewrite(&bench, id, ".grill/format", |_| "2\n".to_owned());
    let error = store.load(id).unwrap_err();
    assert!(matches!(&error, StoreError::NewerFormat { found, known: 1, .. } if found == "2"), "{error}");
    assert!(error.hint().unwrap().contains("git log -p grill/sessions/"));
    let (state, events) = after(&session, vec![(Actor::System, question(2, "Now?"))]);
    let batch = Batch { events: &events, after: &state, base: None };
    assert!(matches!(bench.store().append(&head, batch), Err(StoreError::NewerFormat { .. })));
    assert!(matches!(store.append(&head, batch), Err(StoreError::NewerFormat { .. })));
    assert_eq!(bench.git(&["rev-parse", &id.ref_name()]).trim(), head.0.as_str());
    let listed = &store.list().unwrap()[0];
    assert!(listed.state.as_ref().unwrap_err().contains("format 2"));
    assert!(listed.active_in.is_some());
    let repo = repo_in(&bench.path());
    assert!(matches!(posture_source(&repo), Err(StoreError::NewerFormat { .. })));
    store.deactivate().unwrap();
}

#[test]
fn g39_unknown_fields_and_files_survive_our_writes() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let id = &session.id;
    let question_file = format!(".grill/questions/{}.yaml", session.transcript.asked[0].question.id);
    rewrite(&bench, id, ".grill/session.yaml", |old| {
        format!("{old}mood: calm\n").replace("settings:\n", "settings:\n  tempo: slow\n")
    });
    rewrite(&bench, id, ".grill/notes/theirs.md", |_| "kept\n".to_owned());
    let head = rewrite(&bench, id, &question_file, |old| format!("{old}colour: [red, 1]\n"));
    let store = bench.store();
    assert_eq!(store.load(id).unwrap().session, session);
    let (later, _) = go_on(&store, &session, &head, vec![(Actor::Human, answer(1, 1, "sqlite", at(9)))]);
    let show = |path: &str| bench.git(&["show", &format!("{}:{path}", id.ref_name())]);
    let stored = show(".grill/session.yaml");
    assert!(stored.contains("mood: calm\n") && stored.contains("  tempo: slow\n"), "{stored}");
    let stored = show(&question_file);
    assert!(stored.contains("colour:\n  - red\n  - 1\n") && stored.contains("state: answered"), "{stored}");
    assert_eq!(show(".grill/notes/theirs.md"), "kept\n");
    assert_eq!(bench.store().load(id).unwrap().session, later);
}

#[test]
fn a_broken_object_is_named_and_hides_no_other_session() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let (id, store) = (&session.id, bench.store());
    begin(&store, &session_id(2));
    let path = loose(&bench, &format!("{}:.grill/session.yaml", id.ref_name()));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    for garbage in [&b"garbage"[..], b""] {
        fs::write(&path, garbage).unwrap();
        let error = bench.store().load(id).unwrap_err();
        assert!(matches!(&error, StoreError::Corrupt { what, .. } if what.ends_with("session.yaml")), "{error}");
        assert!(error.hint().unwrap().contains("git grill doctor --fix"));
        let list = bench.store().list().unwrap();
        assert_eq!(list.len(), 2);
        assert!(list[0].state.is_ok() && list[1].state.is_err());
    }
}

#[test]
fn a_broken_ref_is_named_and_hides_no_other_session() {
    let bench = Bench::new();
    if bench.cell.reftable {
        // No ref has a file of its own there.
        return;
    }
    let (session, head) = asked(&bench);
    let id = &session.id;
    begin(&bench.store(), &session_id(2));
    let file = bench.common().join(id.ref_name());
    let nothing = format!("{}\n", "0123456789".repeat(7).split_at(head.0.as_str().len()).0);
    for garbage in ["", "garbage\n", &nothing] {
        fs::write(&file, garbage).unwrap();
        let error = bench.store().load(id).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{garbage:?}: {error}");
        let list = bench.store().list().unwrap();
        assert_eq!(list.len(), 2, "{garbage:?}");
        assert!(list[0].state.is_ok() && list[1].state.is_err(), "{garbage:?}");
        assert!(error.hint().unwrap().contains("git grill doctor --fix"));
        fs::write(&file, format!("{}\n", head.0.as_str())).unwrap();
        assert_eq!(bench.store().load(id).unwrap().session, session);
    }
}

#[test]
fn a_mark_without_a_pointer_is_taken_away_and_one_beside_it_stays() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let store = bench.store();
    let mark = bench.git_dir().join("grill/active");
    // What else the folder would be kept for.
    fs::remove_dir_all(bench.common().join("grill/copies")).unwrap();
    store.activate(&session.id).unwrap();
    store.tidy().unwrap();
    assert_eq!(mark.exists(), bench.cell.reftable);
    store.deactivate().unwrap();
    assert!(!mark.exists());
    fs::create_dir_all(mark.parent().unwrap()).unwrap();
    fs::write(&mark, "").unwrap();
    store.tidy().unwrap();
    assert!(!mark.exists());
    // A process that another test is just starting holds what we had locked until it becomes its program.
    wait_until("the end of the folder", || {
        store.tidy().unwrap();
        !mark.parent().unwrap().exists()
    });
}

#[test]
fn a_broken_pointer_says_what_to_type() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let (id, store) = (&session.id, bench.store());
    if bench.cell.reftable {
        for text in ["refs/grill/sessions/20260101-gone-aaaaa", "refs/heads/main"] {
            bench.git(&["symbolic-ref", "GRILL_HEAD", text]);
            assert!(matches!(store.active(), Err(StoreError::BadPointer { .. })), "{text}");
            store.activate(id).unwrap();
            assert_eq!(store.active().unwrap().as_ref(), Some(id));
        }
        return;
    }
    let pointer = bench.git_dir().join("GRILL_HEAD");
    let tip = bench.git(&["rev-parse", &id.ref_name()]);
    for (text, why) in [
        ("ref: refs/grill/sessions/20260101-gone-aaaaa\n", "gone"),
        (tip.as_str(), "should name a session"),
        ("ref: refs/heads/main\n", "should name a session"),
        ("", "should name a session"),
        ("\u{1b}[31m\n", "\\u{1b}"),
    ] {
        fs::write(&pointer, text).unwrap();
        let error = store.active().unwrap_err();
        assert!(matches!(error, StoreError::BadPointer { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.hint().unwrap().contains("git grill resume"));
        assert!(store.list().unwrap()[0].state.is_ok());
        store.activate(id).unwrap();
        assert_eq!(store.active().unwrap().as_ref(), Some(id));
    }
    // The other half of the hint.
    fs::write(&pointer, "ref: refs/grill/sessions/20260101-gone-aaaaa\n").unwrap();
    bench.git(&["update-ref", "--no-deref", "-d", "GRILL_HEAD"]);
    assert_eq!(store.active().unwrap(), None);
}

#[test]
fn g3_a_session_is_active_in_one_worktree() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let id = &session.id;
    let linked = bench.dir.path().join("linked");
    bench.git(&["worktree", "add", "-q", "-b", "other", linked.to_str().unwrap()]);
    let (main, other) = (bench.store(), store_in(&linked));
    other.activate(id).unwrap();
    assert_eq!(main.active().unwrap(), None);
    let error = main.activate(id).unwrap_err();
    assert!(matches!(&error, StoreError::ActiveElsewhere { worktree, .. } if worktree.ends_with("linked")), "{error}");
    assert_eq!(main.list().unwrap()[0].active_in.as_deref().unwrap().file_name(), linked.file_name());
    assert_eq!(
        git_in(&linked, &["log", "-1", "--format=%s", "GRILL_HEAD"]),
        bench.git(&["log", "-1", "--format=%s", &id.ref_name()])
    );
    let (phase, found) = posture_source(&repo_in(&linked)).unwrap().unwrap();
    assert_eq!((&phase, &found), (&session.phase, id));
    assert!(posture_source(&repo_in(&bench.path())).unwrap().is_none());

    other.deactivate().unwrap();
    main.activate(id).unwrap();
    let error = other.activate(id).unwrap_err();
    assert!(matches!(&error, StoreError::ActiveElsewhere { worktree, .. } if worktree.ends_with("repo")), "{error}");
    main.deactivate().unwrap();

    // A worktree whose folder is gone holds nothing.
    other.activate(id).unwrap();
    fs::remove_dir_all(&linked).unwrap();
    main.activate(id).unwrap();
}

#[test]
fn nothing_walks_the_history() {
    let bench = Bench::new();
    let (session, head) = asked(&bench);
    let (id, store) = (&session.id, bench.store());
    fs::remove_file(loose(&bench, &format!("{}~1", id.ref_name()))).unwrap();
    let (later, _) = go_on(&store, &session, &head, vec![(Actor::Human, answer(1, 1, "sqlite", at(9)))]);
    let fresh = bench.store();
    assert_eq!(fresh.load(id).unwrap().session, later);
    assert!(fresh.list().unwrap()[0].state.is_ok());
    assert_eq!(fresh.versions(id, 1).unwrap().len(), 1);
    fresh.activate(id).unwrap();
    assert!(fresh.history(id).is_err(), "only this one does");
}

#[test]
fn the_posture_needs_neither_questions_nor_drafts() {
    let bench = Bench::new();
    let (session, _) = asked(&bench);
    let store = bench.store();
    store.activate(&session.id).unwrap();
    fs::remove_file(loose(&bench, &format!("{}:.grill/questions", session.id.ref_name()))).unwrap();
    assert!(store.load(&session.id).is_err());
    let repo = repo_in(&bench.path());
    let (phase, _) = posture_source(&repo).unwrap().unwrap();
    assert!(matches!(phase, Phase::Interview(_)));
}

#[test]
fn a_ref_still_names_the_object_that_was_deleted() {
    let bench = Bench::new();
    let (_, head) = asked(&bench);
    let name = "refs/grill/local/x/baseline";
    let kept = bench.git(&["commit-tree", "HEAD^{tree}", "-m", "a snapshot"]);
    bench.git(&["update-ref", name, kept.trim()]);
    fs::remove_file(loose(&bench, kept.trim())).unwrap();
    let repo = repo_in(&bench.path());
    assert_eq!(repo.named(name).unwrap().unwrap().to_string(), kept.trim());
    assert_eq!(repo.named("refs/grill/local/y/baseline").unwrap(), None);
    // A later one takes its place.
    bench.git(&["update-ref", name, head.0.as_str(), kept.trim()]);
    assert_eq!(repo.named(name).unwrap().unwrap().to_string(), head.0.as_str());
}
