//! Who may bring a baseline back, where drift is named, and what is left behind.

use super::{named, start, unhooked};
use crate::bench::Bench;

#[test]
fn g38_an_agent_cannot_bring_it_back_and_a_script_has_to_say_yes() {
    let bench = Bench::new();
    start(&bench);
    bench.write("README.md", "mine\n");
    bench.run("CLAUDECODE=1 git grill verify --restore --yes").assert_code(3);
    bench.run("git grill verify --restore").assert_code(3);
    assert_eq!(bench.read("README.md"), "mine\n");
    bench.run("git grill verify --restore --yes").assert_code(0);
    assert_eq!(bench.read("README.md"), "# demo\n");
}

#[test]
fn without_a_session_there_is_nothing_to_compare() {
    let bench = Bench::new();
    bench.run("git grill verify").assert_code(6);
    bench.run("git grill verify --yes").assert_code(2);
    bench.run("git grill verify nothing-like-it").assert_code(6);
}

#[test]
fn g38_stop_names_drift_and_records_it_and_the_baseline_stays() {
    let bench = Bench::new();
    start(&bench);
    bench.write("README.md", "edited\n");
    let stopped = bench.run("git grill stop --without-output");
    stopped.assert_code(0).assert_contains("modified:   README.md");
    let id = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").stdout.trim().to_owned();
    // What happens afterwards is no drift of the session; what was found at its end is its history.
    bench.write("other.txt", "later\n");
    let proof = bench.run(&format!("git grill verify {id}"));
    let text = proof.assert_code(1).stdout().to_owned();
    assert!(text.contains("README.md") && !text.contains("other.txt"), "{text}");
    assert!(text.contains(&format!("git grill verify --restore {id} shows")), "{text}");
    let needs = bench.run(&format!("git grill verify {id} --restore"));
    needs.assert_code(3).assert_contains(&format!("git grill verify --restore {id} --yes"));
    assert_eq!(bench.run(&format!("git grill verify {id} --restore --yes")).code, 0);
    assert_eq!(bench.read("README.md"), "# demo\n");
}

#[test]
fn what_cannot_be_brought_back_is_not_promised_and_long_lists_are_cut() {
    let bench = Bench::new();
    bench.with_account().run("git config --global grill.snapshotLimit 1k").assert_code(0);
    start(&bench);
    bench.run("head -c 5000 /dev/zero >big; for n in $(seq 30); do echo $n >f$n; done").assert_code(0);
    let text = bench.run("git grill verify").assert_code(1).stdout().to_owned();
    assert!(
        text.contains("left: larger than grill.snapshotLimit, so it could not be kept before removing it"),
        "{text}"
    );
    assert_eq!(text.matches("new:").count(), 20, "{text}");
    assert!(text.contains("  … and 11 more (--json has all)\n"), "{text}");
    let restored = bench.run("git grill verify --restore --yes").assert_code(1).stdout().to_owned();
    assert!(restored.contains("! not all of the baseline is back") && !restored.contains('✓'), "{restored}");
    assert!(bench.repo().join("big").exists() && !bench.repo().join("f1").exists());
    bench.write("README.md", "edited\n");
    let stopped = bench.run("git grill stop --without-output").assert_code(0).stdout().to_owned();
    assert!(stopped.contains("restores 1 of 2, after asking\n"), "{stopped}");
}

#[test]
fn a_clean_stop_leaves_no_baseline() {
    let bench = Bench::new();
    start(&bench);
    bench.run("git grill stop --without-output").assert_code(0);
    assert_eq!(bench.run("git for-each-ref refs/grill/local").stdout, "");
    assert_eq!(bench.run("ls .git/grill").stdout, "copies\n");
    let id = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").stdout.trim().to_owned();
    assert!(bench.run(&format!("git grill verify {id}")).assert_code(0).stdout().contains("nothing drifted"));
}

#[test]
fn g38_approvals_name_drift_and_g33_what_they_let_through_is_expected() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    start(&bench);
    bench.run("git grill answer 'so that it works'").assert_code(0);
    bench.run("git grill select design-doc --path docs/design.md").assert_code(0);
    bench.write("README.md", "edited behind our back\n");
    let approved = bench.run("git grill approve");
    approved.assert_code(0).assert_contains("modified:   README.md");
    assert_eq!(named(&bench), ["working tree: modified README.md"]);
    bench.run("git add docs/design.md").assert_code(0);
    assert_eq!(named(&bench), ["working tree: modified README.md"]);
    bench.run("git commit -q -m design -- docs/design.md").assert_code(0);
    assert_eq!(named(&bench), ["working tree: modified README.md"]);
    bench.run("git grill finish").assert_code(0);
    assert_eq!(named(&bench), ["working tree: modified README.md"]);
    bench.run("git grill verify --restore --yes").assert_code(0);
    assert!(bench.repo().join("docs/design.md").exists());
    // Afterwards the approved file is as read-only as every other one.
    bench.write("docs/design.md", "something else\n");
    assert_eq!(named(&bench), ["working tree: modified docs/design.md"]);
    bench.run("git grill verify --restore --yes").assert_code(0);
    assert!(bench.read("docs/design.md").contains("so that it works"));
}

#[test]
fn a_commit_beside_the_plan_is_drift() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    start(&bench);
    bench.run("git grill answer 'so that it works'").assert_code(0);
    bench.run("git grill select design-doc --path docs/design.md && git grill approve").assert_code(0);
    unhooked(&bench, "echo x >>README.md; git add -A; git commit -qm both").assert_code(0);
    let found = named(&bench);
    assert!(found.contains(&"refs: moved refs/heads/main".to_owned()), "{found:?}");
    assert!(found.contains(&"working tree: modified README.md".to_owned()), "{found:?}");
}

#[test]
fn drift_is_dated_by_the_steps_around_it() {
    let bench = Bench::new();
    start(&bench);
    let pause = || std::thread::sleep(std::time::Duration::from_millis(30));
    bench.run("git grill answer first").assert_code(0);
    pause();
    bench.write("README.md", "edited\n");
    unhooked(&bench, "git add README.md; git switch -q -c other").assert_code(0);
    pause();
    bench.run("git grill answer second").assert_code(0);
    let output = bench.run("git grill verify --json");
    let value: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    for group in ["HEAD", "index", "working tree"] {
        let all = value["verification"]["drift"].as_array().unwrap();
        let one = all.iter().find(|one| one["group"] == group).unwrap();
        assert!(one["after"]["what"].as_str().unwrap().starts_with("answer q-"), "{group}: {one}");
        assert!(one["before"]["what"].as_str().unwrap().starts_with("answer q-"), "{group}: {one}");
    }
    // The same again is not recorded again, and status says what was found.
    let count = || bench.run("git rev-list --count GRILL_HEAD").stdout;
    let before = count();
    bench.run("git grill verify").assert_code(1);
    assert_eq!(count(), before);
    assert!(bench.run("git grill status").stdout.contains("things drifted"));
}

#[test]
fn a_resumed_session_gets_a_new_baseline_and_an_active_one_keeps_its_own() {
    let bench = Bench::new();
    start(&bench);
    bench.write("README.md", "edited\n");
    start(&bench);
    assert_eq!(named(&bench), ["working tree: modified README.md"]);
    bench.run("rm .git/GRILL_HEAD").assert_code(0);
    bench.run("git grill resume").assert_code(0);
    assert!(named(&bench).is_empty());
}

#[test]
fn changed_configuration_and_hooks_are_named_and_ours_are_not() {
    let bench = Bench::new();
    bench.write(".git/hooks/pre-commit", "#!/bin/sh\n");
    start(&bench);
    assert!(named(&bench).is_empty());
    bench.run("git config some.key value; echo >.git/hooks/pre-commit; echo x >.git/hooks/post-commit").assert_code(0);
    let found = named(&bench);
    let settings = ["modified config", "new hooks/post-commit", "modified hooks/pre-commit"];
    assert_eq!(found, settings.map(|line| format!("configuration and hooks: {line}")));
    assert_eq!(bench.run("git grill verify --restore --yes").code, 1, "configuration is not brought back");
}

/// A link in the place of a folder with rules goes with what is restored, and no warning says that it was in the way.
#[test]
fn g38_a_link_in_the_place_of_a_folder_with_rules_is_replaced() {
    for target in ["ignored", "../outside"] {
        let bench = Bench::new();
        bench
            .run("mkdir k ignored ../outside; echo '*.log' >k/.gitignore; echo a >k/a; echo ignored/ >.gitignore; git add -A; git commit -qm k")
            .assert_code(0);
        start(&bench);
        bench.run(&format!("rm -r k; ln -s {target} k")).assert_code(0);
        bench.run("git grill verify --restore --yes").assert_code(0).assert_lacks("in its way");
        assert_eq!((bench.read("k/a"), bench.read("k/.gitignore")), ("a\n".to_owned(), "*.log\n".to_owned()));
    }
    // A link that stays is named for what it is.
    let bench = Bench::new();
    bench.run("mkdir k ../outside; echo a >k/a; git add -A; git commit -qm k").assert_code(0);
    start(&bench);
    bench.run("rm -r k; ln -s ../outside k; echo x >>.git/info/exclude").assert_code(0);
    let restored = bench.run("git grill verify --restore --yes");
    restored.assert_code(1).assert_contains("k/a is not brought back: the link k is in its way");
    assert!(!bench.root().join("outside/a").exists());
}

#[test]
fn g38_what_a_rule_ignored_in_another_case_stays() {
    let changes = [
        "git config core.ignoreCase false;",
        "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.ignorecase GIT_CONFIG_VALUE_0=false;",
    ];
    for change in changes {
        let bench = Bench::new();
        bench
            .run("git config core.ignoreCase true; echo '*.KEY' >.gitignore; git add -A; git commit -qm i; echo s >x.key")
            .assert_code(0);
        start(&bench);
        assert!(named(&bench).is_empty());
        bench.write("README.md", "edited\n");
        let restored = bench.run(&format!("{change} git grill verify --restore --yes"));
        restored.assert_code(1).assert_contains("core.ignoreCase changed and it may have been ignored before");
        assert_eq!(
            (bench.read("x.key"), bench.read("README.md")),
            ("s\n".to_owned(), "# demo\n".to_owned()),
            "{change}"
        );
    }
}

/// A new file that a new rule hides is seen once the rule is gone. It was in no list, so it stays, is named, and goes only
/// when it was listed.
#[test]
fn g38_what_a_rule_hid_stays_until_it_was_listed() {
    let bench = Bench::new();
    start(&bench);
    bench.run("mkdir -p new/deep; echo n >new/deep/file; chmod 700 new/deep/file; echo new >.gitignore").assert_code(0);
    assert_eq!(named(&bench), ["working tree: new .gitignore"]);
    let restored = bench.run("git grill verify --restore --yes");
    restored.assert_code(1).assert_contains("new/deep/file stays: it was not listed");
    assert_eq!(bench.read("new/deep/file"), "n\n");
    assert!(!bench.repo().join(".gitignore").exists());
    assert_eq!(named(&bench), ["working tree: new new/deep/file"]);
    bench.run("git grill verify --restore --yes").assert_code(0);
    assert_eq!(named(&bench), Vec::<String>::new());
    let kept =
        "git show $(git for-each-ref --format='%(refname)' 'refs/grill/local/*/replaced/*' | sed -n NUMBERp):worktree/";
    let kept = |number: &str, name: &str| bench.run(&format!("{}{name}", kept.replace("NUMBER", number)));
    kept("1", ".gitignore").assert_code(0).assert_stdout("new\n");
    kept("2", "new/deep/file").assert_code(0).assert_stdout("n\n");
}
