//! Sessions in the directory that the account names (A6).

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::Lent;
use super::accepted::{accepting, chooses};
use crate::leading::{play, walled};

#[test]
fn a6_sessions_lie_where_the_account_says_and_everything_works_there() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let directory = lent.root().join("home/agents of mine");
    lent.global_config("[grill \"agent\"]\n\tdirectory = ~/agents of mine\n");
    play(&lent, &json!({"turns": [[{"shell": "echo new >new.txt"}, {"say": "done"}], [{"say": "more"}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    assert_eq!(lent.rests("g1")["doing"], "idle; 1 file to accept");
    let folders: Vec<_> = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [folder] = folders.as_slice() else { panic!("{folders:?}") };
    for place in [&directory, folder, &folder.join("g1")] {
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", place.display());
    }
    assert!(folder.join("g1/tree/new.txt").is_file() && folder.join("g1/ledger.jsonl").is_file());
    assert!(!lent.repo().join(".git/grill/agents").exists());
    assert!(lent.told("changes g1")["patch"].as_str().unwrap().starts_with(folder.to_str().unwrap()));
    lent.sends("g1", "and more");
    lent.rests("g1");
    chooses(accepting(&lent, &["g1"]), &[("Accept new.txt of g1?", "1")], 0);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert!(!lent.repo().join("new.txt").exists());
    lent.told("cancel g1");
    let gone = lent.told("cleanup g1")["paths"].to_string();
    assert!(gone.contains(folder.to_str().unwrap()) && !folder.join("g1/tree").exists(), "{gone}");
    // No number is given twice, whatever directory is named.
    lent.global_config("[grill \"agent\"]\n\tdirectory = ~/others\n");
    assert_eq!(lent.lends("look"), "g2");
    lent.rests("g2");
    lent.told("cancel g2");
    lent.global_config("[grill \"agent\"]\n\tdirectory = ~/agents of mine\n");
    // Another repository has sessions of its own there.
    let other = "git init -q ../other && cd ../other && git commit -q --allow-empty -m one && git grill agent status";
    lent.run(other).assert_code(0).assert_contains("there is no agent session yet");
    lent.is_over();
}

#[test]
fn a6_a_directory_in_the_repository_or_without_a_root_is_refused() {
    let lent = Lent::new();
    for directory in
        ["sessions", lent.repo().join("sessions").to_str().unwrap(), lent.repo().join(".git").to_str().unwrap()]
    {
        lent.run(&format!("git config --global grill.agent.directory '{directory}'")).assert_code(0);
        lent.run("git grill agent status").assert_code(128).assert_contains("grill.agent.directory");
    }
    // A way into it that has yet to be made is one as well.
    for directory in ["~/way/z", "~/way/../../repo/z", "/dev/shm/z"] {
        let start = format!("ln -sfn ../repo/.git ~/way && git config --global grill.agent.directory '{directory}'");
        lent.run(&start).assert_code(0);
        lent.run("git grill agent start --agent scripted --confirm-provider-use x").assert_code(128);
    }
    lent.run("test ! -e .git/z && test ! -e z").assert_code(0);
    // What a repository says is told and passed over.
    lent.run("git config --global --unset grill.agent.directory && git config grill.agent.directory /tmp/x")
        .assert_code(0);
    lent.run("git grill agent status").assert_code(0).assert_contains("there is no agent session yet");
}
