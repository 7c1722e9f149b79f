//! An agent that is led by a scripted model, and a person beside it: what the stories of real agents are told with.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::real_agents::QUIET;
use crate::bench::{Bench, Running};
use crate::guard::real_agent::model;
use crate::pty::Pty;

/// An agent starts, connects our server and calls within this, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(3);

/// What stands in a step's `after` when nothing has to happen before it.
pub const AT_ONCE: &str = "";

/// A step of the script: a call of this tool, once the file appeared.
pub fn step(after: &str, name: &str, input: Value) -> Value {
    let mut step = json!({ "name": name });
    step["input"] = input;
    if after != AT_ONCE {
        step["after"] = json!(format!("../{after}"));
    }
    step
}

/// An agent at work, with the model that tells it what to do.
pub struct Led<'b> {
    bench: &'b Bench,
    model: Running,
    agent: Running,
}

impl<'b> Led<'b> {
    pub fn begin(bench: &'b Bench, script: &[Value], environment: &str, line: &str) -> Self {
        let model = model(bench, &Value::from(script.to_vec()));
        let agent = bench.spawn(&format!("export {QUIET} {environment}; exec {line}"));
        Self { bench, model, agent }
    }

    /// What call `at` came to, as the agent told the model.
    #[track_caller]
    pub fn came_to(&mut self, at: usize) -> Value {
        let began = Instant::now();
        loop {
            let said = self.bench.read("../said");
            if let Some(line) = said.lines().nth(at).filter(|_| said.ends_with('\n')) {
                return serde_json::from_str(line).unwrap();
            }
            assert!(began.elapsed() < PATIENCE, "call {at} came to nothing; before it\n{said}");
            assert!(self.agent.is_running(), "the agent left before call {at}; it heard\n{said}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What our tool says in it.
    #[track_caller]
    pub fn ours(&mut self, at: usize) -> Value {
        let result = self.came_to(at);
        let text = result["text"].as_str().unwrap();
        serde_json::from_str(text).unwrap_or_else(|error| panic!("call {at}: {error} in {text}"))
    }

    #[track_caller]
    pub fn is_kind(&mut self, at: usize, kind: &str) -> Value {
        let ours = self.ours(at);
        assert_eq!(ours["kind"], kind, "call {at}: {ours}");
        ours
    }

    #[track_caller]
    pub fn is_refused(&mut self, at: usize, why: &str) {
        let result = self.came_to(at);
        let text = result["text"].as_str().unwrap();
        assert!(result["refused"] == true && text.contains(why), "call {at}: {result}");
    }

    /// That a call's text says this, whether it was refused or not: not every wire tells.
    #[track_caller]
    pub fn says(&mut self, at: usize, text: &str) {
        let result = self.came_to(at);
        assert!(result["text"].as_str().unwrap().contains(text), "call {at} does not say {text:?}: {result}");
    }

    /// Lets the script go on.
    pub fn happened(&self, what: &str) {
        self.bench.write(&format!("../{what}"), "");
    }

    /// The agent comes to the end of the script.
    #[track_caller]
    pub fn ends(self) {
        let output = self.agent.finish();
        let said = self.bench.read("../said");
        assert!(output.code == 0 && output.stdout.contains("done"), "{output}\n{said}");
        drop(self.model);
    }
}

/// A person at a terminal of their own, beside the agent.
pub struct Person {
    pty: Pty,
}

impl Person {
    pub fn types(bench: &Bench, line: &str) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(bench.repo()).envs(bench.environment());
        Self { pty: Pty::spawn(&command, 50, 100) }
    }

    /// Waits until all of this is on the screen, and types.
    #[track_caller]
    pub fn says(mut self, seen: &[&str], keys: &str) -> Self {
        for text in seen {
            self.pty.wait_for(text);
        }
        self.pty.send(keys);
        self
    }

    #[track_caller]
    pub fn leaves(mut self) {
        let code = self.pty.exit_code();
        assert_eq!(code, 0, "{}", self.pty.screen());
    }
}

/// What must be the same before and after: branch, refs outside of ours, index, and every file.
pub fn world(bench: &Bench) -> String {
    let line = "git symbolic-ref HEAD && git for-each-ref refs/heads refs/tags && git ls-files --stage && git status \
                --porcelain --untracked-files=all && git ls-files | xargs sha1sum";
    bench.run(line).assert_code(0).stdout().to_owned()
}

pub fn installed(agent: &str) -> Bench {
    let bench = Bench::new();
    bench.commit("src/link.rs", "pub struct Link;\n");
    bench
        .run(&format!("git grill agent install {agent} --project && git add -A && git commit -qm agents"))
        .assert_code(0);
    bench
}

/// What plain git says of the session (G24, G25): each version of the checkpoint with who wrote it, and who answered.
pub fn told_by_git(bench: &Bench, agent: &str) {
    let log = |format: &str, path: &str| {
        let line = format!("git log --reverse --format='{format}' --glob='refs/grill/sessions/*' {path}");
        bench.run(&line).assert_code(0).stdout().to_owned()
    };
    let by_agent = format!("{agent} (via git grill)");
    let versions = log("%an", "-p -- .grill/checkpoint.md");
    for sentence in ["+- Links live in one file.", "+- A link expires after a day."] {
        assert!(versions.contains(sentence), "{versions}");
    }
    assert!(versions.contains(&by_agent), "{versions}");
    let blamed = bench.run("git blame -s --line-porcelain $(git for-each-ref --format='%(refname)' refs/grill/sessions) -- .grill/checkpoint.md");
    let blamed = blamed.assert_code(0).stdout().to_owned();
    let lines: Vec<&str> = blamed.lines().collect();
    let at = lines.iter().position(|line| line.contains("A link expires after a day.")).expect(&blamed);
    assert!(lines[..at].iter().rev().any(|line| *line == format!("author {by_agent}")), "{blamed}");
    let deeds = log("%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s", "");
    let answers: Vec<&str> = deeds.lines().filter(|line| line.contains(" answer ")).collect();
    assert_eq!(answers.len(), 2, "{deeds}");
    assert!(answers[0].starts_with(&format!("agent:{agent} ")) && answers[1].starts_with("human "), "{deeds}");
    let reported = bench.run(
        "git grep -h -A3 reported $(git for-each-ref --format='%(refname)' refs/grill/sessions) -- .grill/answers",
    );
    assert!(reported.assert_code(0).stdout().contains(agent));
}
