//! A real Claude Code with the guard as it is installed, or through `--settings`: what it is told not to do does not
//! happen.

use serde_json::{Value, json};

use super::known::{self, Deed};
use super::led::{AT_ONCE, Led};
use crate::bench::Bench;
use crate::guard::interview;

const CALLS: [(&str, Deed); 3] = [
    ("by shell", Deed::Shell("touch by-shell")),
    ("by tool", Deed::Write("by-tool.md")),
    ("look", Deed::Shell("git status")),
];

/// Claude Code makes the three calls, with these options more.
fn play<'b>(bench: &'b Bench, options: &str, more: &[Value]) -> Led<'b> {
    let claude = known::named("claude");
    let mut calls: Vec<Value> = CALLS.iter().map(|(label, deed)| claude.step(label, AT_ONCE, deed)).collect();
    calls.extend_from_slice(more);
    Led::begin_as(bench, claude, &calls, &format!("{} {options}", claude.begin))
}

#[test]
#[ignore = "takes Claude Code's program; see the top of agents.rs"]
fn g37_claude_code_reads_and_does_not_write() {
    let bench = interview();
    let line = bench.run("git grill guard --for claude --hook-line").assert_code(0).stdout().trim_end().to_owned();
    let hooks =
        json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": line }] }] } });
    bench.write("../settings.json", hooks.to_string());
    let mut led = play(&bench, "--settings ../settings.json", &[]);
    led.is_refused("by shell", "`touch by-shell` was not run");
    led.is_refused("by tool", "was not written");
    led.says("look", "On branch main");
    led.ends();
    bench.run("test ! -e by-shell && test ! -e by-tool.md").assert_code(0);

    bench.run("git grill stop --without-output").assert_code(0);
    let mut led = play(&bench, "--settings ../settings.json", &[]);
    for (label, _) in CALLS {
        assert_eq!(led.came_to(label)["refused"], false, "{label}");
    }
    led.ends();
    bench.run("test -e by-shell && test -e by-tool.md").assert_code(0);
}

/// The gate as it was installed, into the repository or into the user's own settings.
#[test]
#[ignore = "takes Claude Code's program; see the top of agents.rs"]
fn g37_an_installed_claude_code_does_not_write() {
    for option in ["--project", "--user"] {
        let bench = Bench::on_disk(Bench::new);
        bench.run(&format!("git grill agent install claude {option}")).assert_code(0);
        bench.run("git grill start --research off 'one question'").assert_code(0);
        let skill = json!({ "label": "skill", "name": "Skill", "input": { "skill": "grill" } });
        let mut led = play(&bench, "", &[skill]);
        led.is_refused("by shell", "`touch by-shell` was not run");
        led.is_refused("by tool", "was not written");
        led.says("look", "On branch main");
        assert_eq!(led.came_to("skill")["refused"], false, "our own skill is read");
        led.ends();
        bench.run("test ! -e by-shell && test ! -e by-tool.md").assert_code(0);
    }
}
