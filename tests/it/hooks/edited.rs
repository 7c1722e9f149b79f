//! Other hands at work while we are armed: what they wrote stays, what was ours goes, and arming again repairs.

use std::fs;

use git_grill::hooks::{Disarmed, Guarded, HookError, Rule, arm, disarm, status};

use super::bench::{Bench, assert_same, executable};

#[test]
fn somebody_else_edits_while_we_are_armed() {
    for pretends in [None, Some("2.55.1")] {
        let bench = Bench { pretends, ..Bench::new() };
        let repo = bench.repo("edited");
        executable(&repo.join(".git/hooks/reference-transaction"), "#!/bin/sh\n");
        let place = bench.place(&repo);
        let _ = arm(&place, &bench).unwrap();
        bench.git(&repo, &["config", "user.name", "somebody"]);
        bench.git(&repo, &["config", "core.editor", "vi"]);
        assert_eq!(status(&place, &bench).unwrap().worktree, Guarded::Yes);
        assert_eq!(disarm(&place, &bench).unwrap(), Disarmed::Removed { left: Vec::new() });
        assert_eq!(bench.git(&repo, &["config", "--local", "user.name"]), "somebody");
        assert_eq!(bench.git(&repo, &["config", "--local", "core.editor"]), "vi");
        let config = fs::read_to_string(repo.join(".git/config")).unwrap();
        assert!(!config.contains("grill"), "{config}");
        assert!(!config.contains("hooksPath"), "{config}");
        assert!(!repo.join(".git/grill").exists());
    }
}

#[test]
fn a_changed_hook_of_ours_is_left_and_named_and_one_put_aside_is_removed() {
    let bench = Bench::new();
    let repo = bench.repo("changed");
    let place = bench.place(&repo);
    let _ = arm(&place, &bench).unwrap();
    let hooks = repo.join(".git/hooks");
    executable(&hooks.join("reference-transaction"), "#!/bin/sh\n# mine now\n");
    fs::rename(hooks.join("pre-push"), hooks.join("pre-push.legacy")).unwrap();
    assert_eq!(status(&place, &bench).unwrap().worktree, Guarded::Broken);
    let left = vec![hooks.join("reference-transaction")];
    assert_eq!(disarm(&place, &bench).unwrap(), Disarmed::Removed { left });
    assert!(hooks.join("reference-transaction").exists());
    assert!(!hooks.join("pre-push.legacy").exists());
}

#[test]
fn arming_again_repairs_what_another_tool_has_undone() {
    let bench = Bench::new();
    bench.posture("interview");
    let repo = bench.repo("reinstalled");
    let place = bench.place(&repo);
    let before = bench.snapshot();
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Beside);
    fs::remove_file(repo.join(".git/hooks/pre-push")).unwrap();
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Beside);
    assert!(repo.join(".git/hooks/pre-push").exists());
    // A hooks path hides ours: our own folder takes its place, and the path is what comes back.
    bench.git(&repo, &["config", "core.hooksPath", ".husky/_"]);
    assert_eq!(status(&place, &bench).unwrap().worktree, Guarded::Broken);
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Folder);
    bench.refused(&repo, &["branch", "new"]);
    assert_eq!(disarm(&place, &bench).unwrap(), Disarmed::Removed { left: Vec::new() });
    assert_eq!(bench.git(&repo, &["config", "core.hooksPath"]), ".husky/_");
    bench.git(&repo, &["config", "--unset", "core.hooksPath"]);
    assert_same(&bench.snapshot(), &before, "afterwards");
}

#[test]
fn a_path_set_for_one_worktree_alone_is_an_error_and_leaves_nothing() {
    let bench = Bench::new();
    let repo = bench.repo("own config");
    bench.git(&repo, &["config", "extensions.worktreeConfig", "true"]);
    bench.git(&repo, &["config", "--worktree", "core.hooksPath", ".hooks"]);
    let place = bench.place(&repo);
    let before = bench.snapshot();
    match arm(&place, &bench) {
        Err(HookError::Overridden { scope, value }) => {
            assert_eq!((scope.as_str(), value.as_str()), ("worktree", ".hooks"));
        }
        other => panic!("{other:?}"),
    }
    assert_same(&bench.snapshot(), &before, "afterwards");
}
