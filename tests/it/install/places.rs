//! Files and folders that are not what one expects: written as their owner means it, or refused with nothing written.

use super::tree;
use crate::bench::Bench;

#[test]
fn a_link_stays_a_link_and_what_it_leads_to_is_edited() {
    let bench = Bench::new();
    bench.write("../home/dotfiles/claude.json", "{\"theme\": \"x\"}\n");
    bench.run("mkdir ~/.claude && ln -s ../dotfiles/claude.json ~/.claude/settings.json && chmod 640 ~/dotfiles/claude.json").assert_code(0);
    let before = tree(bench.root());
    bench.run("git grill agent install claude --user").assert_code(0);
    bench.run("readlink ~/.claude/settings.json").assert_stdout("../dotfiles/claude.json\n");
    assert!(bench.read("../home/dotfiles/claude.json").contains("git-grill guard --for claude"));
    bench.run("stat -c %a ~/dotfiles/claude.json").assert_stdout("640\n");
    bench.run("git grill agent uninstall claude --user").assert_code(0);
    assert_eq!(tree(bench.root()), before);

    bench.run("ln -sf nowhere ~/.claude/settings.json").assert_code(0);
    let before = tree(bench.root());
    bench.run("git grill agent install claude --user").assert_code(128).assert_contains("leads to nothing");
    assert_eq!(tree(bench.root()), before);
}

#[test]
fn no_repository_leads_out_of_its_working_tree() {
    let bench = Bench::new();
    bench.write("../home/.claude.json", "{}");
    bench.write("../elsewhere/settings.json", "{}");
    for trap in ["ln -s ~/.claude.json .mcp.json", "ln -s ../elsewhere .claude", "ln -s .git .claude"] {
        bench.run(trap).assert_code(0);
        let before = tree(bench.root());
        bench
            .run("git grill agent install claude")
            .assert_code(128)
            .assert_contains("it leads out of the working tree");
        assert_eq!(tree(bench.root()), before, "{trap}");
        bench.run("rm -f .mcp.json .claude").assert_code(0);
    }
    bench.run("mkdir settings && ln -s settings .claude").assert_code(0);
    let before = tree(bench.root());
    bench.run("git grill agent install claude && test -L .claude && test -f settings/settings.json").assert_code(0);
    bench.run("git grill agent uninstall claude").assert_code(0);
    assert_eq!(tree(bench.root()), before);
}

#[test]
fn what_cannot_be_written_is_named_and_nothing_is_half_written() {
    let bench = Bench::new();
    let refused = |prepare: &str, says: &str| {
        bench.run(prepare).assert_code(0);
        let before = tree(bench.root());
        bench.run("git grill agent install claude").assert_code(128).assert_contains(says).assert_contains("hint: ");
        assert_eq!(tree(bench.root()), before, "{prepare}");
        bench.run("rm -rf .claude .mcp.json").assert_code(0);
    };
    refused("mkdir .claude && echo '{}' >.claude/settings.json && chmod 444 .claude/settings.json", "it is read-only");
    refused("touch .claude", "a folder on its way is a file");
    refused("mkdir -p .claude/settings.json", "it is no ordinary file");
    refused("mkfifo .mcp.json", "it is no ordinary file");
    refused("printf '{\"a\": \"\\377\"}' >.mcp.json", "it is not UTF-8");
    refused("truncate -s 20M .mcp.json", "it has more than 16 MiB");
    refused("ln -s .mcp.json .mcp.json", ".mcp.json cannot be edited");
}

#[test]
fn a_folder_that_nobody_may_write_to_stops_all_of_it() {
    let bench = Bench::new();
    bench.run("mkdir .claude && chmod 555 .claude").assert_code(0);
    bench
        .as_nobody("git grill agent install claude")
        .assert_code(128)
        .assert_contains("nothing was written: .claude/settings.json could not be");
    bench.run("test ! -e .mcp.json && test -z \"$(ls -A .claude)\" && chmod 755 .claude").assert_code(0);
}

#[test]
fn without_a_repository_only_the_users_own_settings_are_meant() {
    let bench = Bench::nowhere();
    bench
        .run("git grill agent install claude")
        .assert_code(128)
        .assert_contains("is not in a git repository")
        .assert_contains("hint: git grill agent install claude --user");
    bench.run("git grill agent install claude --user").assert_code(0);
    bench.run("git grill agent install --list").assert_code(0).assert_contains("claude    refused by its hook");
    bench.run("git grill agent uninstall claude --user && test \"$(ls -A ~)\" = .gitconfig").assert_code(0);
    bench
        .run("HOME= git grill agent install claude --user")
        .assert_code(128)
        .assert_contains("HOME is not set to an absolute path");
    bench.run("HOME=x git grill agent install --list").assert_code(0);

    let bare = Bench::bare();
    bare.run("git grill agent install claude").assert_code(128).assert_contains("no working tree");
    bare.run("git grill agent install claude --user").assert_code(0);
}

#[test]
fn the_agents_own_variables_say_where_their_settings_are() {
    let bench = Bench::new();
    let set = "CLAUDE_CONFIG_DIR=$HOME/c CODEX_HOME=$HOME/x XDG_CONFIG_HOME=$HOME/g";
    let before = tree(bench.root());
    for agent in ["claude", "codex", "opencode"] {
        bench.run(&format!("{set} git grill agent install {agent} --user")).assert_code(0);
    }
    bench
        .run("cd ~ && ls c/.claude.json c/settings.json x/config.toml x/hooks.json g/opencode/opencode.json")
        .assert_code(0);
    for agent in ["claude", "codex", "opencode"] {
        bench.run(&format!("{set} git grill agent uninstall {agent} --user")).assert_code(0);
    }
    assert_eq!(tree(bench.root()), before);
}

#[test]
fn a_linked_worktree_gets_files_of_its_own() {
    let bench = Bench::new();
    let linked = bench.worktree("linked");
    linked.run("mkdir deep && cd deep && git grill agent install claude").assert_code(0);
    assert!(linked.dir().join(".mcp.json").exists());
    assert!(!bench.repo().join(".mcp.json").exists());
    // A session in one worktree is no reason to leave the other alone.
    bench.run("git grill start --research off 'one question'").assert_code(0);
    linked.run("git grill agent uninstall claude").assert_code(0);
    bench.run("git grill agent install claude").assert_code(1);
}
