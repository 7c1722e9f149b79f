//! What is told about the hooks is what is true of them, and what other tools undo is done again.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use git_grill::app::ports::{Armed, Called, HookState};
use git_grill::hooks::{Rule, Stand, arm, disarm, report, stand};

use super::bench::{Bench, executable};

#[test]
fn each_way_to_lose_a_hook_is_told() {
    let bench = Bench::new();
    let repo = bench.repo("told");
    let place = bench.place(&repo);
    let told = || report(&place, &bench).unwrap();
    assert_eq!((told().armed, told().rule, told().ours.len()), (Armed::Nowhere, None, 0));
    executable(&repo.join(".git/hooks/pre-commit"), "#!/bin/sh\n");
    executable(&repo.join(".git/hooks/commit-msg"), "#!/bin/sh\n");
    fs::set_permissions(repo.join(".git/hooks/commit-msg"), Permissions::from_mode(0o644)).unwrap();

    assert_eq!(arm(&place, &bench).unwrap(), Rule::Beside);
    assert_eq!((told().armed, told().rule), (Armed::Here, Some("beside")));
    assert!(told().ours.iter().all(|ours| ours.state == HookState::Intact), "{:?}", told().ours);
    let foreign: Vec<_> = told().foreign.into_iter().map(|one| (one.name, one.called)).collect();
    assert_eq!(foreign, [("pre-commit".to_owned(), Called::ByGit)], "git ignores one that is not executable");

    let state = |hook: &str| told().ours.into_iter().find(|ours| ours.name == hook).unwrap().state;
    let hooks = repo.join(".git/hooks");
    fs::set_permissions(hooks.join("pre-push"), Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(state("pre-push"), HookState::NotEffective(why) if why.contains("executable")));
    fs::remove_file(hooks.join("pre-push")).unwrap();
    assert_eq!(state("pre-push"), HookState::Missing);
    executable(&hooks.join("pre-push"), "#!/bin/sh\n# theirs\n");
    assert_eq!(state("pre-push"), HookState::Changed);
    bench.git(&repo, &["config", "core.hooksPath", ".elsewhere"]);
    let hidden = state("reference-transaction");
    assert!(matches!(&hidden, HookState::NotEffective(why) if why.contains(".elsewhere at local")), "{hidden:?}");
}

#[test]
fn a_configured_hook_that_is_switched_off_is_told() {
    let bench = Bench { pretends: Some("2.55.0"), ..Bench::new() };
    let repo = bench.repo("configured");
    let place = bench.place(&repo);
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Configured);
    let states = || report(&place, &bench).unwrap().ours.into_iter().map(|ours| ours.state).collect::<Vec<_>>();
    assert_eq!(states(), [HookState::Intact, HookState::Intact]);
    bench.git(&repo, &["config", "hook.git-grill-pre-push.enabled", "false"]);
    assert!(matches!(states().as_slice(), [HookState::Intact, HookState::NotEffective(_)]), "{:?}", states());
    bench.git(&repo, &["config", "--unset-all", "hook.git-grill-reference-transaction.command"]);
    assert!(states().iter().all(|state| *state == HookState::Changed), "{:?}", states());
}

#[test]
fn a_hook_that_comes_later_is_told_and_called_after_arming_again() {
    let bench = Bench::new();
    bench.posture("docs/");
    let repo = bench.repo("later");
    executable(&repo.join(".git/hooks/pre-push"), "#!/bin/sh\n");
    let place = bench.place(&repo);
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Folder);
    let called = || {
        let found = report(&place, &bench).unwrap().foreign;
        found.into_iter().map(|one| (one.name, one.called)).collect::<Vec<_>>()
    };
    assert_eq!(called(), [("pre-push".to_owned(), Called::ByOurs)]);
    executable(&repo.join(".git/hooks/pre-commit"), "#!/bin/sh\necho ran >>\"$HOME/ran\"\n");
    assert_eq!(called(), [("pre-commit".to_owned(), Called::No), ("pre-push".to_owned(), Called::ByOurs)]);
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Folder);
    assert!(called().iter().all(|(_, called)| *called == Called::ByOurs), "{:?}", called());
    fs::create_dir(repo.join("docs")).unwrap();
    fs::write(repo.join("docs/a"), "x").unwrap();
    bench.git(&repo, &["add", "docs"]);
    bench.git(&repo, &["commit", "-qm", "approved"]);
    assert_eq!(fs::read_to_string(bench.at("home/ran")).unwrap(), "ran\n");
    let _ = disarm(&place, &bench).unwrap();
}

#[test]
fn a_hook_manager_that_installs_itself_anew_evicts_nothing_for_long() {
    let bench = Bench::new();
    bench.posture("interview");
    let repo = bench.repo("evicted");
    let place = bench.place(&repo);
    assert_eq!(stand(&place, &bench, None).unwrap(), Stand::Unrecorded, "nothing is armed");
    let _ = arm(&place, &bench).unwrap();
    assert_eq!(stand(&place, &bench, None).unwrap(), Stand::Sound, "nothing is wrong");
    let hooks = repo.join(".git/hooks");
    // As lefthook does it: ours is put aside and not called.
    fs::rename(hooks.join("pre-push"), hooks.join("pre-push.old")).unwrap();
    executable(&hooks.join("pre-push"), "#!/bin/sh\nexit 0\n");
    assert_eq!(stand(&place, &bench, None).unwrap(), Stand::Edited);
    let _ = arm(&place, &bench).unwrap();
    assert_eq!(stand(&place, &bench, None).unwrap(), Stand::Sound);
    assert!(report(&place, &bench).unwrap().ours.iter().all(|ours| ours.state == HookState::Intact));
    bench.refused(&repo, &["branch", "new"]);
    let _ = disarm(&place, &bench).unwrap();
    assert_eq!(fs::read_to_string(hooks.join("pre-push")).unwrap(), "#!/bin/sh\nexit 0\n", "theirs stays");
    assert!(!hooks.join("pre-push.old").exists());
}
