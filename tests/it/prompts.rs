//! The README's snippets for shell prompts, each in the real shell. One that is not installed is named and skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench::Bench;
use crate::pty::Pty;

/// The block of one kind below the README's heading about prompts.
fn snippet(kind: &str) -> String {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let (_, section) = readme.split_once("\n## In your shell prompt\n").expect("the README has the section");
    let (section, _) = section.split_once("\n## ").expect("it is not the last one");
    let (_, block) = section.split_once(&format!("```{kind}\n")).unwrap_or_else(|| panic!("no block of {kind}"));
    block.split_once("```").expect("the block ends").0.to_owned()
}

/// A repository with the snippet in `../snippet`; `None` where its shell is not installed.
fn world(kind: &str, program: &str, version: &str) -> Option<Bench> {
    if !Command::new(program).arg(version).output().is_ok_and(|ran| ran.status.success()) {
        eprintln!("SKIPPED: {program} is not installed, and its snippet for prompts was not tried");
        return None;
    }
    let bench = Bench::new();
    fs::write(bench.root().join("snippet"), snippet(kind)).unwrap();
    Some(bench)
}

const LINE: &str = "grill:interview q1 0/1/0";

/// The prompt is as before without a session and outside of repositories, and has the line in front with one.
fn shows(bench: &Bench, line: &str, without: &str, with: &str) {
    let prompt = |bench: &Bench, line: &str| bench.run(line).assert_code(0).stdout().to_owned();
    assert_eq!(prompt(bench, line), without);
    assert_eq!(
        prompt(bench, &format!("cd / && {}", line.replace("../", &format!("{}/", bench.root().display())))),
        without
    );
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    assert_eq!(prompt(bench, line), with);
}

#[test]
fn bash() {
    let Some(bench) = world("bash", "bash", "--version") else { return };
    let line = r#"bash --norc --noprofile -c 'PS1="$ "; source ../snippet; printf "%s" "${PS1@P}"'"#;
    shows(&bench, line, "$ ", &format!("{LINE} $ "));
}

#[test]
fn zsh() {
    let Some(bench) = world("zsh", "zsh", "--version") else { return };
    let line = r#"zsh -f -c 'PROMPT="> "; source ../snippet; print -nP -- "$PROMPT"'"#;
    shows(&bench, line, "> ", &format!("{LINE} > "));
}

#[test]
fn fish() {
    let Some(bench) = world("fish", "fish", "--version") else { return };
    let line = "fish --no-config -c 'source ../snippet; fish_right_prompt; true'";
    shows(&bench, line, "", &format!("{LINE}\n"));
}

#[test]
fn starship() {
    let toml = snippet("toml");
    let mut lines = toml.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("[custom.grill]"));
    let value = |wanted: &str| {
        let found = toml.lines().find_map(|line| line.strip_prefix(wanted)?.strip_prefix(" = "));
        found.unwrap_or_else(|| panic!("no {wanted}")).to_owned()
    };
    for line in lines {
        let (key, value) = line.split_once(" = ").expect("key = value");
        let quoted = value.trim_matches(['[', ']']).strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let literal = quoted.is_some_and(|text| !text.contains('\''));
        assert!(["command", "when", "shell", "require_repo"].contains(&key), "{key}");
        assert!(value == "true" || literal, "{value} is no literal string");
    }
    let bench = Bench::new();
    // What prints nothing is left out by starship itself.
    fs::write(bench.root().join("command"), value("command").trim_matches('\'')).unwrap();
    bench.run("sh ../command").assert_code(0).assert_stdout("").assert_quiet();
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    bench.run("sh ../command").assert_code(0).assert_stdout(&format!("{LINE}\n")).assert_quiet();
}

#[test]
fn tmux() {
    let Some(bench) = world("tmux", "tmux", "-V") else { return };
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    // A folder of which a careless line would make two words.
    bench.run("mkdir 'a folder'").assert_code(0);
    let mut tmux = Command::new("tmux");
    let socket = bench.root().join("tmux");
    tmux.arg("-S").arg(&socket).arg("-f").arg(bench.root().join("snippet")).args(["new-session", "sh"]);
    tmux.current_dir(bench.repo().join("a folder")).envs(bench.environment());
    let mut pty = Pty::spawn(&tmux, 24, 120);
    pty.wait_for(LINE);
    pty.send("exit\r");
    assert_eq!(pty.exit_code(), 0);
}
