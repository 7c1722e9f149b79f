//! Which session rules: by where the agent works, by where the guard runs, and by the file that is written.

use std::path::Path;

use super::{guard, interview, produce, says, start};
use crate::bench::{Bench, Output};

fn shell(bench: &Bench, at: &str, cwd: &str, command: &str) -> Output {
    let payload = serde_json::json!({ "cwd": cwd, "tool_name": "Bash", "tool_input": { "command": command } });
    guard(bench, Path::new(at), "claude", payload.to_string().as_bytes())
}

fn write(bench: &Bench, at: &str, cwd: &str, path: &str) -> Output {
    let payload = serde_json::json!({ "cwd": cwd, "tool_name": "Write", "tool_input": { "file_path": path } });
    guard(bench, Path::new(at), "claude", payload.to_string().as_bytes())
}

#[track_caller]
fn refused(output: &Output) {
    assert_eq!(says("claude", output), "refuse", "{output}");
}

#[track_caller]
fn passed(output: &Output) {
    assert_eq!(says("claude", output), "pass", "{output}");
}

#[test]
fn the_folder_of_the_agent_and_that_of_the_guard_both_count() {
    let bench = interview();
    bench.run("mkdir -p ../free sub/deep && ln -s \"$PWD/sub\" ../link").assert_code(0);
    for cwd in ["$REPO", "$REPO/sub/deep", "$REPO/not/there", "$REPO/../link/deep", "$REPO/.git", "../repo"] {
        refused(&shell(&bench, "../free", cwd, "rm x"));
        passed(&shell(&bench, "../free", cwd, "ls"));
    }
    refused(&shell(&bench, ".", "$REPO/../free", "rm x"));
    refused(&shell(&bench, "sub", "", "rm x"));
    passed(&shell(&bench, "../free", "$REPO/../free", "rm x"));
    passed(&shell(&bench, "../free", "/", "rm x"));
    passed(&shell(&bench, "../free", "", "rm x"));
    bench.run("git grill stop --without-output").assert_code(0);
    passed(&shell(&bench, ".", "$REPO", "rm x"));
}

/// Every way in which a line can say where it works, as far as that is written out or known.
#[test]
fn g37_a_shell_line_that_goes_there_in_another_way_is_guarded_too() {
    let bench = interview();
    bench.run("mkdir -p '../free/a b' && ln -s ../../repo '../free/a b/in'").assert_code(0);
    for line in [
        "cd -P ../repo && touch x",
        "cd -- ../repo; touch x",
        "cd ..; cd repo; touch x",
        "(cd 'a b' && ls); pushd -n ../repo; touch x",
        "cd 'a b/in' && touch x",
        "cd a\\ b/in && touch x",
        "git -C .. -C repo commit --allow-empty -m x",
        "git --git-dir=../repo/.git config a.b c",
        "git --git-dir ../repo/.git config a.b c",
        "git --git-dir=$PWD/../repo/.git --work-tree=../repo checkout .",
        "GIT_DIR=../repo/.git git config a.b c",
        "export GIT_WORK_TREE=../repo; git add x",
        "cd $PWD/../repo && touch x",
        "R=../repo; cd \"$R\" && touch x",
        "env -C ../repo touch x",
        "env --chdir=../repo touch x",
        "make -C../repo",
        "tar -C ../repo -xf a.tar",
        "bash -c 'cd -P \"$PWD/../repo\" && touch x'",
    ] {
        refused(&shell(&bench, "../free", "$REPO/../free", line));
    }
    for line in ["cd -P 'a b' && touch x", "cd -- ..; cd free; touch x", "git -C .. -C free init", "R=sub; mkdir $R"] {
        passed(&shell(&bench, "../free", "$REPO/../free", line));
    }
}

#[test]
fn a_shell_line_that_goes_into_a_guarded_worktree_is_guarded_from_anywhere() {
    let bench = interview();
    bench.run("mkdir -p ../free/sub && ln -s ../repo ../free/in").assert_code(0);
    let root = bench.root().display().to_string();
    for line in [
        format!("cd {root}/repo && rm a"),
        "touch z; cd ../repo && rm a".to_owned(),
        "(cd in; rm a)".to_owned(),
        "bash -c 'cd \"../repo/src\"; rm a'".to_owned(),
        "git -C ../repo rm a".to_owned(),
    ] {
        refused(&shell(&bench, "../free", "$REPO/../free", &line));
    }
    passed(&shell(&bench, "../free", "$REPO/../free", "cd ../repo && ls"));
    passed(&shell(&bench, "../free", "$REPO/../free", "cd -P ../repo && ls"));
    passed(&shell(&bench, "../free", "$REPO/../free", "cd sub && rm a"));
    passed(&shell(&bench, "../free", "$REPO/../free", "cp ../repo/a ."));
    // An agent that was started in the worktree works for it wherever its shell stands by now.
    let payload = r#"{"cwd":"/","tool_name":"Bash","tool_input":{"command":"rm a"}}"#.as_bytes().to_vec();
    let with = |variable: &str| {
        let line = format!("{variable}={root}/repo git-grill guard --for claude");
        bench.at("../free").run_with_input(&line, payload.clone())
    };
    for variable in ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"] {
        refused(&with(variable));
    }
    passed(&with("OTHER_PROJECT_DIR"));
}

#[test]
fn a_file_in_a_guarded_worktree_is_guarded_from_anywhere() {
    let bench = interview();
    bench.run("mkdir -p ../free && ln -s ../repo/new ../free/dangling && ln -s ../repo ../free/in").assert_code(0);
    for path in [
        "$REPO/a",
        "../repo/a",
        "dangling",
        "in/src/a",
        "in/../repo/a",
        " $REPO/a",
        "$REPO/not/there/yet",
        "$REPO/.git/config",
        "file://$REPO/a",
        "@$REPO/a",
    ] {
        refused(&write(&bench, "../free", "$REPO/../free", path));
    }
    for path in ["a", "../a", "$REPO/../free/b", "/nowhere/at/all"] {
        passed(&write(&bench, "../free", "$REPO/../free", path));
    }
}

#[test]
fn worktrees_have_sessions_of_their_own() {
    let bench = Bench::new();
    let other = bench.worktree("other");
    start(&bench);
    refused(&shell(&bench, ".", "$REPO", "rm x"));
    passed(&shell(&bench, "../other", "$REPO/../other", "rm x"));
    passed(&write(&bench, "../other", "$REPO/../other", "a"));
    refused(&write(&bench, "../other", "$REPO/../other", "../repo/a"));
    // The refs are everybody's.
    refused(&write(&bench, "../other", "$REPO/../other", "../repo/.git/refs/heads/x"));
    bench.run("git grill stop --without-output").assert_code(0);
    other.run("git grill start --research off two").assert_code(0);
    refused(&write(&bench, ".", "$REPO", "../other/a"));
    refused(&write(&bench, ".", "$REPO", ".git/refs/heads/x"));
    passed(&write(&bench, ".", "$REPO", "a"));
    refused(&shell(&bench, ".", "$REPO/../other", "rm x"));
}

#[test]
fn a_repository_within_the_worktree_does_not_hide_the_session() {
    let bench = interview();
    bench.run("git init -q vendored").assert_code(0);
    refused(&shell(&bench, "vendored", "$REPO/vendored", "rm ../x"));
    refused(&write(&bench, "vendored", "$REPO/vendored", "a"));
}

#[test]
fn a_bare_repository_and_git_dir_are_found() {
    let bench = Bench::bare();
    start(&bench);
    refused(&shell(&bench, ".", "$REPO", "rm x"));
    refused(&shell(&bench, "..", "$REPO/objects", "rm x"));
    passed(&shell(&bench, "..", "", "rm x"));
    let payload = r#"{"tool_name":"Bash","tool_input":{"command":"rm x"}}"#;
    let output = bench.at("..").run_with_input("GIT_DIR=repo.git git-grill guard --for claude", payload);
    refused(&output);
}

#[test]
fn g33_a_link_leads_where_it_leads() {
    let bench = interview();
    produce(&bench);
    bench.run("rm -f docs/adr.md; ln -s ../src/main.rs docs/adr.md; ln -s docs pages").assert_code(0);
    // The approved name is a way to another file by now.
    refused(&write(&bench, ".", "$REPO", "docs/adr.md"));
    bench.run("rm docs/adr.md").assert_code(0);
    passed(&write(&bench, ".", "$REPO", "docs/adr.md"));
    passed(&write(&bench, ".", "$REPO", "pages/adr.md"));
    passed(&write(&bench, "..", "$REPO/..", "repo/docs/adr.md"));
    // Taken by the letter it is the approved file; followed, it is another one.
    bench.run("ln -s src/deep way && mkdir -p src/deep").assert_code(0);
    refused(&write(&bench, ".", "$REPO", "way/../docs/adr.md"));
}

#[test]
fn a_person_lets_a_tool_pass_by_its_exact_name() {
    let bench = interview();
    let call = |tool: &str| {
        let payload = serde_json::json!({ "cwd": "$REPO", "tool_name": tool, "tool_input": {} });
        guard(&bench, Path::new("."), "claude", payload.to_string().as_bytes())
    };
    refused(&call("mcp__db__query"));
    // Whoever made the repository is not the person.
    bench.run("git config --add grill.guard.allowTool mcp__db__query").assert_code(0);
    refused(&call("mcp__db__query"));
    bench.with_account().global_config("[grill \"guard\"]\n\tallowTool = mcp__a__b\n\tallowTool = mcp__db__query\n");
    passed(&call("mcp__db__query"));
    passed(&call("mcp__a__b"));
    refused(&call("mcp__db__query2"));
    // It never stands for a tool whose doing is known.
    bench.global_config("[grill \"guard\"]\n\tallowTool = Write\n");
    refused(&write(&bench, ".", "$REPO", "a"));
}
