//! Whose word a debate takes, and what it never runs (D1, D20).

use super::{DOSSIER, PROPOSAL, Stage};
use crate::bench::Bench;

#[test]
fn an_agent_and_a_script_begin_no_debate_and_decide_nothing() {
    let bench = Bench::new();
    bench.write("dossier.md", DOSSIER);
    for who in ["CLAUDECODE=1 ", ""] {
        bench.run(&format!("{who}git grill debate start --dossier dossier.md")).assert_code(3);
    }
    bench.run("git grill status").assert_contains("no session is active");
    let stage = Stage::new("");
    stage.opens();
    for line in ["debate next", "debate answer yes", "debate kill", "debate accept", "debate roles --advocate cmd:true"]
    {
        let refused = stage.bench.run(&format!("CLAUDECODE=1 git grill {line}"));
        assert_ne!(refused.code, 0, "{refused}");
    }
    assert_eq!(stage.stands(), (1, "attack".to_owned()));
}

/// A session that was forged or damaged says nothing in place of a text that it lacks.
#[test]
fn a_debate_that_lacks_a_text_is_not_read() {
    let stage = Stage::new("");
    stage.opens();
    for lost in ["dossier.md", "round-1/proposal.md"] {
        let path = format!(".grill/debate/1/{lost}");
        let forge = format!(
            "export GIT_INDEX_FILE=../tmp/index; git read-tree GRILL_HEAD && git rm -q --cached {path} && tree=$(git \
             write-tree) && git log -1 --format=%B GRILL_HEAD | git commit-tree -p GRILL_HEAD^ $tree >../tmp/forged && \
             ref=.git/$(git symbolic-ref GRILL_HEAD) && cp $ref ../tmp/tip && cp ../tmp/forged $ref"
        );
        stage.bench.run(&forge).assert_code(0);
        for line in ["debate show", "debate status", "checkpoint"] {
            let read = stage.bench.run(&format!("git grill {line}"));
            assert!(read.code != 0 && read.stderr.contains(&format!("{path}: it is missing")), "{line}: {read}");
        }
        stage.bench.run("cp ../tmp/tip .git/$(git symbolic-ref GRILL_HEAD)").assert_code(0);
        stage.bench.run("git grill debate show").assert_code(0);
    }
}

/// A role's command runs behind the walls of a read-only run.
#[test]
fn a_command_in_a_role_changes_no_file() {
    if !crate::leading::story::walled() {
        return;
    }
    let stage = Stage::new("");
    stage.bench.run("git grill debate roles --proposer 'cmd:echo pwned >>dossier.md; echo x >new.txt'").assert_code(0);
    stage.next().assert_code(128);
    stage.bench.run("cat dossier.md; ls new.txt 2>/dev/null").assert_stdout(DOSSIER);
}

/// A session that came from elsewhere names a command and a file; neither is run, nor read.
#[test]
fn what_another_clone_s_debate_names_is_neither_run_nor_read() {
    let stage = Stage::new("");
    let roles = "git grill debate roles --proposer 'cmd:echo pwned >../tmp/pwned' --advocate file:../tmp/secret";
    stage.bench.run(roles).assert_code(0);
    stage.bench.run("git clone -q . ../tmp/other && cd ../tmp/other && git fetch -q origin 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    stage.bench.write("../tmp/secret", PROPOSAL);
    let resume = stage.bench.run(
        "cd ../tmp/other && git grill resume $(git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions)",
    );
    resume.assert_code(0).assert_contains("no command is run, no file is read");
    let next = stage.bench.run("cd ../tmp/other && git grill debate next");
    next.assert_code(3).assert_contains("git grill debate roles");
    assert!(!stage.bench.repo().join("../tmp/pwned").exists());
    // Who plays is a person's word there, whatever scripts may do elsewhere.
    stage.bench.run("cd ../tmp/other && git grill debate roles --proposer file:../secret").assert_code(3);
}
