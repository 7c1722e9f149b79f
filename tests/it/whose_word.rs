//! Whose word lets others than a person approve (G30), with the program that is shipped and the machine's own account: no
//! variable of a command stands for the account.
//!
//! Before, each of these began a session in which the agent approved for itself.

use crate::architecture::rust_files;
use crate::bench::{Bench, Output};

/// Says what approvals a session takes that `line` begins, where it begins one.
fn approvals(bench: &Bench, line: &str) -> (Output, String) {
    let ran = bench.run(line);
    let said = bench.run("git grill status --porcelain | grep '^approval'");
    let said = said.assert_code(0).stdout().trim().replace("approval\t", "");
    bench.run("git grill stop --without-output").assert_code(0);
    (ran, said)
}

#[test]
fn g30_no_variable_makes_a_session_that_approves_itself() {
    let bench = Bench::new();
    bench.run("mkdir -p ../other/git && printf '[grill]\\n\\tapproval = agent\\n' | tee ../other/.gitconfig >../other/git/config")
        .assert_code(0);
    for forged in [
        "HOME=$PWD/../other GIT_CONFIG_GLOBAL= git-grill",
        "env -u GIT_CONFIG_GLOBAL HOME=$PWD/../other git-grill",
        "env -u GIT_CONFIG_GLOBAL XDG_CONFIG_HOME=$PWD/../other git-grill",
        "GIT_CONFIG_GLOBAL=$PWD/../other/.gitconfig git-grill",
        "GIT_CONFIG_NOSYSTEM= GIT_CONFIG_SYSTEM=$PWD/../other/.gitconfig git-grill",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=grill.approval GIT_CONFIG_VALUE_0=agent git-grill",
        "git -c grill.approval=agent grill",
        "GRILL_TEST_HOME=$PWD/../other GRILL_TEST_SYSTEM=$PWD/../other/.gitconfig git-grill",
        "git config --global grill.approval agent && git grill",
        "git config grill.approval agent && git grill",
    ] {
        let (began, said) = approvals(&bench, &format!("{forged} start --research off 'rate limiting'"));
        began.assert_code(0);
        assert_eq!(said, "person", "{forged}");
        // And what is asked for outright is refused.
        bench.run(&format!("{forged} start --research off --approval agent 'another'")).assert_code(3);
        bench.run("git config --global --unset grill.approval; git config --unset grill.approval; true").assert_code(0);
    }
}

/// What only tests may say, they say to a program of their own: `tests/account/main.rs`.
#[test]
fn g30_the_program_that_is_shipped_asks_no_variable_of_the_tests() {
    for (file, text) in rust_files("src") {
        assert!(!text.contains("GRILL_TEST_"), "{file}");
    }
}

#[test]
fn g30_the_account_says_so_for_scripts_and_never_for_agents() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    let (_, said) = approvals(&bench, "git grill start --research off 'rate limiting'");
    assert_eq!(said, "script");
    for variable in ["CLAUDECODE=1", "CODEX_THREAD_ID=x", "GEMINI_CLI=1", "OPENCODE=1", "CURSOR_AGENT=1"] {
        let (began, said) = approvals(&bench, &format!("{variable} git grill start --research off 'by {variable}'"));
        began.assert_code(0).assert_contains("a person approves in this session");
        assert_eq!(said, "person", "{variable}");
        let asked = bench.run(&format!("{variable} git grill start --research off --approval agent 'another one'"));
        asked.assert_code(3).assert_contains("a person can start it at a terminal: git grill start --approval agent");
    }
    // Its word holds with a home that was moved, and one that is moved has none.
    bench.run("mkdir ../other && git config -f ../other/.gitconfig grill.approval agent").assert_code(0);
    let (began, said) =
        approvals(&bench, "env -u GIT_CONFIG_GLOBAL HOME=$PWD/../other git-grill start --research off 'moved'");
    began.assert_code(0).assert_contains("other/.gitconfig is ignored").assert_contains("home/.gitconfig or");
    assert_eq!(said, "script");
}

#[test]
fn an_account_that_is_in_no_database_has_no_word() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    let (began, said) = approvals(&bench, "GRILL_TEST_HOME= git grill start --research off 'rate limiting'");
    began.assert_code(0).assert_contains("since user 4711 is not in the password database");
    assert_eq!(said, "person");
    bench
        .run("GRILL_TEST_HOME= git grill doctor")
        .assert_contains("account")
        .assert_contains("user 4711 is not in the password database");
    bench.run("git grill doctor").assert_contains("home/.gitconfig");
}
