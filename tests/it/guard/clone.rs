//! A hook in a clone that would run programs of its own: what is around the agent's folder decides, not ours.

use std::path::Path;

use super::{guard, interview, says};
use crate::bench::{Bench, Output};

fn shell(bench: &Bench, cwd: &str, command: &str) -> Output {
    let payload = serde_json::json!({ "cwd": cwd, "tool_name": "Bash", "tool_input": { "command": command } });
    guard(bench, Path::new("."), "claude", payload.to_string().as_bytes())
}

#[track_caller]
fn refused(output: &Output, because: &str) {
    assert_eq!(says("claude", output), "refuse", "{output}");
    assert!(output.to_string().contains(because), "{because} is not in {output}");
}

#[track_caller]
fn passed(output: &Output) {
    assert_eq!(says("claude", output), "pass", "{output}");
}

#[test]
fn a_repository_within_the_clone_is_not_asked() {
    let bench = interview();
    bench.run("git init -q --bare vendor/bare && git init -q vendor/nested && ln -s vendor/bare link").assert_code(0);
    // What a plain clone can hold: a git directory whose objects are elsewhere, and files that name one as git reads them.
    let placed = "mkdir -p vendor/pkg vendor/store/objects vendor/store/refs vendor/blank vendor/long vendor/other 'vendor/bare ' &&
        echo 'ref: refs/heads/main' >vendor/pkg/HEAD && echo ../store >vendor/pkg/commondir &&
        cp -r vendor/bare/. 'vendor/bare ' && printf 'gitdir: ../bare \\n' >vendor/blank/.git &&
        { printf 'gitdir: ../bare'; head -c 9000 /dev/zero | tr '\\0' '\\n'; } >vendor/long/.git";
    bench.run(placed).assert_code(0);
    refused(&shell(&bench, "$REPO", "git -C vendor/pkg status"), "session's own repository");
    refused(&shell(&bench, "$REPO/vendor/pkg", "git status"), "session's own repository");
    refused(&shell(&bench, "$REPO/vendor/blank", "git status"), "session's own repository");
    refused(&shell(&bench, "$REPO/vendor/long", "git status"), "too long");
    for (cwd, command) in [
        ("$REPO/vendor/bare", "git status"),
        ("$REPO/vendor/nested", "git log -1"),
        ("$REPO/link", "git status"),
        ("$REPO/vendor/bare/objects", "git status"),
        ("$REPO", "cd vendor/nested && git status"),
        ("$REPO", "git -C link status"),
        ("$REPO/vendor/bare", "(cd $REPO); git status"),
    ] {
        refused(&shell(&bench, cwd, command), "session's own repository");
    }
    for (cwd, command) in [
        ("$REPO", "git status"),
        ("$REPO/vendor", "git status"),
        ("$REPO/vendor/bare", "ls"),
        ("$REPO", "cat vendor/bare/config && git log -1"),
        ("$REPO/.git", "git log -1"),
        ("$REPO", "cd vendor && git status && cd .. && git diff"),
    ] {
        passed(&shell(&bench, cwd, command));
    }
}

#[test]
fn a_submodule_counts_where_git_looks_into_it() {
    let bench = interview();
    bench.run("git init -q sub && git -C sub commit -q --allow-empty -m one").assert_code(0);
    // An entry of the index as a submodule has it.
    bench.run("git stash list; true").assert_code(0);
    bench.run("git -c core.hooksPath=/dev/null add sub").assert_code(0);
    passed(&shell(&bench, "$REPO", "git status"));
    bench.run("git -C sub config core.fsmonitor ./evil").assert_code(0);
    refused(&shell(&bench, "$REPO", "git status"), "core.fsmonitor");
    passed(&shell(&bench, "$REPO", "git log -1"));
    passed(&shell(&bench, "$REPO", "git grill status"));
    bench.run("git -C sub config core.fsmonitor false").assert_code(0);
    passed(&shell(&bench, "$REPO", "git diff"));
    for version in ["3", "4"] {
        bench.run(&format!("git update-index --index-version {version}")).assert_code(0);
        bench.run("git -C sub config core.fsmonitor false").assert_code(0);
        passed(&shell(&bench, "$REPO", "git status"));
        bench.run("git -C sub config core.fsmonitor ./evil").assert_code(0);
        refused(&shell(&bench, "$REPO", "git status"), "core.fsmonitor");
    }
}

#[test]
fn a_database_is_opened_only_where_that_changes_nothing() {
    let bench = interview();
    let header = [b"SQLite format 3\0".as_slice(), &[16, 0, 1, 1], &[0; 200]].concat();
    bench.write("plain.db", &header);
    bench.write("busy.db", &header);
    bench.write("busy.db-journal", "x");
    bench.write("log.db", [b"SQLite format 3\0".as_slice(), &[16, 0, 2, 2], &[0; 200]].concat());
    passed(&shell(&bench, "$REPO", "sqlite3 plain.db .schema"));
    for database in ["busy.db", "log.db", "new.db", "README.md"] {
        refused(&shell(&bench, "$REPO", &format!("sqlite3 {database} .schema")), "-readonly");
    }
    refused(&shell(&bench, "$REPO", "sqlite3 plain.db 'select 1'"), "-readonly");
}

#[test]
fn what_the_account_configures_is_its_own() {
    let bench = interview();
    bench.run("git config --global core.pager ./evil && git config --global diff.external ./evil").assert_code(0);
    passed(&shell(&bench, "$REPO", "git status"));
    bench.run("mkdir -p ~/.cargo && touch ~/.cargo/config.toml ~/.npmrc").assert_code(0);
    passed(&shell(&bench, "$REPO", "npm ls"));
    bench.run("mkdir .cargo && touch .cargo/config.toml").assert_code(0);
    refused(&shell(&bench, "$REPO/src", "cargo tree --locked --offline"), ".cargo/config.toml");
}
