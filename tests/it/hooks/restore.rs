//! Byte for byte: whatever hooks a repository has, arming keeps them working and disarming leaves no trace.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use git_grill::hooks::{Disarmed, Guarded, Rule, arm, disarm, status};
use proptest::prelude::*;

use super::bench::{Bench, Snapshot, assert_same, executable};

/// A foreign hook that notes that it ran, with everything it was given.
const NOTES: &str = "#!/bin/sh\n{ echo \"$(basename \"$0\") $*\"; cat; } >>\"$HOME/ran\"\n";

fn removed() -> Disarmed {
    Disarmed::Removed { left: Vec::new() }
}

/// Arms, tries, arms again, disarms and compares; `worktree` is armed, `rule` is what must be chosen.
fn check(bench: &Bench, worktree: &Path, rule: Rule) {
    bench.posture("interview");
    let place = bench.place(worktree);
    let before = bench.snapshot();
    assert_eq!(arm(&place, bench).unwrap(), rule);
    assert_eq!(status(&place, bench).unwrap().worktree, Guarded::Yes);
    if bench.pretends.is_none() {
        bench.refused(worktree, &["branch", "new"]);
        bench.refused(worktree, &["update-ref", "refs/heads/other", "HEAD"]);
        let _ = fs::remove_file(bench.at("home/ran"));
    }
    let armed = bench.snapshot();
    assert_eq!(arm(&place, bench).unwrap(), rule);
    assert_same(&bench.snapshot(), &armed, "arming twice is arming once");
    for (path, entry) in &before {
        let config = place.common_dir.join("config");
        // The hooks' own notes go; a folder's mode stays.
        assert!(armed.get(path) == Some(entry) || *path == config || path.ends_with("home/ran"), "{}", path.display());
    }
    let tracked = bench.git(worktree, &["status", "--porcelain", "-uall"]);
    assert_eq!(tracked, "", "nothing of ours in the working tree");
    assert_eq!(disarm(&place, bench).unwrap(), removed());
    same(&bench.snapshot(), &before);
    assert_eq!(disarm(&place, bench).unwrap(), removed());
    same(&bench.snapshot(), &before);
}

/// What the foreign hooks noted about themselves is no trace of ours.
fn same(now: &Snapshot, before: &Snapshot) {
    let without = |snapshot: &Snapshot| {
        let mut snapshot = snapshot.clone();
        snapshot.retain(|path, _| !path.ends_with("home/ran"));
        snapshot
    };
    assert_same(&without(now), &without(before), "afterwards");
}

#[test]
fn a_plain_repository() {
    let bench = Bench::new();
    let repo = bench.repo("plain");
    check(&bench, &repo, Rule::Beside);
}

#[test]
fn no_hooks_folder_at_all() {
    let bench = Bench::new();
    let repo = bench.repo("bare bones");
    fs::remove_dir_all(repo.join(".git/hooks")).unwrap();
    check(&bench, &repo, Rule::Beside);
}

#[test]
fn paths_with_everything_in_them() {
    let bench = Bench::new();
    for name in ["a b", "it's", "$HOME `x` \"q\" \\", "new\nline", "ünï"] {
        let repo = bench.repo(name);
        check(&bench, &repo, Rule::Beside);
        executable(&repo.join(".git/hooks/reference-transaction"), NOTES);
        check(&bench, &repo, Rule::Folder);
    }
}

#[test]
fn hooks_of_other_names_stay_where_they_are() {
    let bench = Bench::new();
    let repo = bench.repo("lefthook");
    for hook in ["pre-commit", "prepare-commit-msg", "post-checkout"] {
        executable(&repo.join(".git/hooks").join(hook), NOTES);
    }
    check(&bench, &repo, Rule::Beside);
}

#[test]
fn a_foreign_hook_of_our_name_is_displaced_and_still_called() {
    for hook in ["reference-transaction", "pre-push"] {
        let bench = Bench::new();
        let repo = bench.repo("taken");
        executable(&repo.join(".git/hooks").join(hook), NOTES);
        executable(&repo.join(".git/hooks/pre-commit"), NOTES);
        check(&bench, &repo, Rule::Folder);
        // And one that git ignores, because it is not executable or leads nowhere, is left alone too.
        fs::remove_file(repo.join(".git/hooks").join(hook)).unwrap();
        symlink("/nowhere", repo.join(".git/hooks").join(hook)).unwrap();
        check(&bench, &repo, Rule::Folder);
    }
}

#[test]
fn husky_in_an_ignored_folder_and_hooks_in_a_tracked_one() {
    for hooks in [".husky/_", ".githooks"] {
        let bench = Bench::new();
        let repo = bench.repo("managed");
        executable(&repo.join(hooks).join("pre-commit"), NOTES);
        executable(&repo.join(hooks).join("commit-msg"), "#!/bin/sh\n. \"${0%/*}/h\"\n");
        fs::write(repo.join(hooks).join("h"), "echo \"helper of $(basename \"$0\")\" >>\"$HOME/ran\"\n").unwrap();
        if hooks.contains("husky") {
            fs::write(repo.join(hooks).join(".gitignore"), "*\n").unwrap();
        } else {
            bench.git(&repo, &["add", "."]);
            bench.git(&repo, &["commit", "-qm", "hooks"]);
        }
        bench.git(&repo, &["config", "core.hooksPath", hooks]);
        check(&bench, &repo, Rule::Folder);

        // They run under their own names, in another worktree too, where the ignored ones are not.
        let place = bench.place(&repo);
        let _ = arm(&place, &bench).unwrap();
        let _ = fs::remove_file(bench.at("home/ran"));
        bench.refused(&repo, &["commit", "-q", "--allow-empty", "-m", "x"]);
        let ran = fs::read_to_string(bench.at("home/ran")).unwrap();
        assert!(ran.starts_with("pre-commit"), "{ran}");
        assert!(ran.contains("helper of commit-msg"), "{ran}");
        assert_eq!(disarm(&place, &bench).unwrap(), removed());
    }
}

#[test]
fn a_relative_path_is_another_folder_in_another_worktree() {
    let bench = Bench::new();
    let repo = bench.repo("relative");
    bench.git(&repo, &["worktree", "add", "-q", "-b", "wt", "../wt"]);
    bench.git(&repo, &["config", "core.hooksPath", ".git/hooks"]);
    check(&bench, &repo, Rule::Folder);
    check(&bench, &bench.at("wt"), Rule::Folder);
    bench.git(&repo, &["config", "core.hooksPath", repo.join(".git/hooks").to_str().unwrap()]);
    check(&bench, &repo, Rule::Beside);
    check(&bench, &bench.at("wt"), Rule::Beside);
}

#[test]
fn global_template_and_included_hooks() {
    let bench = Bench::new();
    let template = bench.at("template");
    executable(&template.join("hooks/post-commit"), NOTES);
    let repo = bench.at("templated");
    bench.git(&bench.at("."), &["init", "-q", "-b", "main", "--template", template.to_str().unwrap(), "templated"]);
    bench.grow(&repo);
    check(&bench, &repo, Rule::Beside);

    let shared = bench.at("shared hooks");
    executable(&shared.join("pre-commit"), NOTES);
    executable(&shared.join("reference-transaction"), NOTES);
    let include = bench.at("included");
    fs::write(&include, format!("[core]\n\thooksPath = \"{}\"\n", shared.display())).unwrap();
    let repo = bench.repo("including");
    bench.git(&repo, &["config", "include.path", include.to_str().unwrap()]);
    check(&bench, &repo, Rule::Folder);

    bench.git(&bench.at("."), &["config", "--global", "core.hooksPath", shared.to_str().unwrap()]);
    let repo = bench.repo("global");
    check(&bench, &repo, Rule::Folder);
}

#[test]
fn a_hooks_folder_that_is_a_link() {
    let bench = Bench::new();
    let repo = bench.repo("linked hooks");
    let outside = bench.at("outside");
    fs::rename(repo.join(".git/hooks"), &outside).unwrap();
    symlink(&outside, repo.join(".git/hooks")).unwrap();
    check(&bench, &repo, Rule::Folder);
    fs::remove_file(repo.join(".git/hooks")).unwrap();
    fs::rename(&outside, repo.join(".git/inside")).unwrap();
    symlink("inside", repo.join(".git/hooks")).unwrap();
    check(&bench, &repo, Rule::Beside);
    fs::remove_file(repo.join(".git/hooks")).unwrap();
    symlink("nowhere", repo.join(".git/hooks")).unwrap();
    check(&bench, &repo, Rule::Folder);
}

#[test]
fn a_linked_worktree() {
    let bench = Bench::new();
    let repo = bench.repo("main");
    bench.git(&repo, &["worktree", "add", "-q", "-b", "wt", "../wt"]);
    check(&bench, &bench.at("wt"), Rule::Beside);
    bench.git(&repo, &["config", "core.hooksPath", ".husky/_"]);
    check(&bench, &bench.at("wt"), Rule::Folder);
}

#[test]
fn configuration_as_people_write_it() {
    let bench = Bench::new();
    let repo = bench.repo("config");
    let config = repo.join(".git/config");
    let plain = fs::read_to_string(&config).unwrap();
    let endings =
        ["", "# the end", "[user]\n\tname = x ; y", "[core]\n\teditor = vi\n\n\n", "[core] hooksPath = .git/h\n"];
    for ending in endings {
        for crlf in ["\n", "\r\n"] {
            fs::write(&config, format!("{plain}{ending}").replace('\n', crlf)).unwrap();
            for pretends in [Bench::new().pretends, Some("2.54.0")] {
                let bench = Bench { pretends, ..Bench::with_path(std::env::var_os("PATH").unwrap()) };
                let copy = bench.repo("copy");
                fs::copy(&config, copy.join(".git/config")).unwrap();
                // Some keep tokens there and let nobody else read them.
                fs::set_permissions(copy.join(".git/config"), Permissions::from_mode(0o600)).unwrap();
                let hooks = if ending.contains("hooksPath") { Rule::Folder } else { Rule::Beside };
                check(&bench, &copy, if pretends == Some("2.54.0") { Rule::Configured } else { hooks });
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn arming_is_idempotent_and_keeps_foreign_bytes(
        foreign in proptest::collection::btree_map(
            proptest::sample::select(vec![
                "reference-transaction",
                "pre-push",
                "prepare-commit-msg",
                "pre-commit",
                "commit-msg",
                "x.sample",
            ]),
            (proptest::collection::vec(any::<u8>(), 0..40), any::<bool>()),
            0..4,
        ),
        ending in "(\n|# [a-z%]*|\\[a\\]\n\tb = c|\\[core\\]\n\tpager = \"x\\\\ty\"\n){0,3}",
        configured in any::<bool>(),
        rounds in 1..4usize,
    ) {
        let bench = Bench { pretends: configured.then_some("2.60.0"), ..Bench::new() };
        let repo = bench.at("r");
        bench.git(&bench.at("."), &["init", "-q", "r"]);
        for (name, (content, runs)) in &foreign {
            let path = repo.join(".git/hooks").join(name);
            executable(&path, "");
            fs::write(&path, content).unwrap();
            if !runs {
                fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
            }
        }
        let config = repo.join(".git/config");
        let text = fs::read_to_string(&config).unwrap() + &ending;
        fs::write(&config, text).unwrap();
        let place = bench.place(&repo);
        let before = bench.snapshot();
        let first = arm(&place, &bench).unwrap();
        let armed = bench.snapshot();
        for _ in 0..rounds {
            prop_assert_eq!(arm(&place, &bench).unwrap(), first);
            prop_assert_eq!(&bench.snapshot(), &armed);
        }
        for name in foreign.keys() {
            let path = repo.join(".git/hooks").join(name);
            prop_assert_eq!(armed.get(&path), before.get(&path));
        }
        prop_assert_eq!(disarm(&place, &bench).unwrap(), removed());
        prop_assert_eq!(&bench.snapshot(), &before);
    }
}
