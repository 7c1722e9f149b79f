//! Real agents behind the walls: each starts, has a terminal, finishes a turn, and goes on with the conversation in a
//! later run, as root and as another user; what it writes into its own folder is gone. Not part of an ordinary run;
//! `agents.rs` says what it takes.

use serde_json::Value;

use crate::agents::known::{ALL, Deed, Known};
use crate::agents::led::{AT_ONCE, FREELY, Led, environment, model};
use crate::bench::Bench;

/// The folder in which this agent keeps its settings.
fn folder(agent: &str) -> &'static str {
    match agent {
        "claude" => ".claude",
        "codex" => ".codex",
        "gemini" => ".gemini",
        "grok" => ".grok",
        "opencode" => ".config/opencode",
        "pi" => ".pi/agent",
        other => panic!("where does {other} keep its settings?"),
    }
}

/// Whether it can go on in a later run: opencode's one database of all conversations is never written from a run.
fn goes_on(agent: &str) -> bool {
    agent != "opencode"
}

fn finishes(known: &Known, run: &str) {
    let bench = Bench::on_disk(Bench::new);
    let agent = known.name;
    let own = format!("$HOME/{}", folder(agent));
    let plant = format!(
        "mkdir -p {own}/skills/planted; echo planted >> {own}/settings.json; echo planted > {own}/skills/planted/SKILL.md; \
         cat {own}/skills/planted/SKILL.md; script --quiet --return --command tty /dev/null"
    );
    let script = [known.step("plant", AT_ONCE, &Deed::Shell(&plant))];
    let within = format!("{run} run --profile {agent} --");
    let mut led = Led::begin_within(&bench, known, &script, &within);
    led.says("plant", "planted");
    led.says("plant", "/dev/pts/");
    led.ends();
    let outside = bench.run("grep -rl planted ~ --include=settings.json --include=SKILL.md; true").assert_code(0);
    assert_eq!(outside.stdout(), "", "{agent}");
    if goes_on(agent) {
        let _model = model(&bench, &Value::Array(Vec::new()));
        let line = format!("{}SAY=again; {FREELY} {within} {} </dev/null", environment(&bench, known), known.go_on);
        let output = bench.run(&line);
        assert!(output.code == 0, "{agent}: {output}");
        let asked = bench.read("../asked");
        assert!(
            asked.contains("again") && asked.contains("/dev/pts/"),
            "{agent} has forgotten the first run: {output}"
        );
    }
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g37_every_agent_finishes_turns_in_runs() {
    for known in &ALL {
        finishes(known, "git grill");
    }
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g37_every_agent_finishes_turns_in_runs_of_another_user() {
    for known in &ALL {
        // A copy of the program that another user may start.
        let become_it = "setpriv --reuid=4242 --regid=4243 --clear-groups";
        let run = format!(
            "cp -n {} ../program; chown -R 4242:4243 .. && {become_it} ../program",
            env!("CARGO_BIN_EXE_git-grill")
        );
        finishes(known, &run);
    }
}
