//! An agent that is led by a scripted model, and a person beside it: what the stories of real agents are told with.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::known::{Known, QUIET};
use super::{programs, record};
use crate::bench::{Bench, Running};
use crate::pty::Pty;

/// An agent starts, connects our server and calls within this, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(3);

/// What stands in a step's `after` when nothing has to happen before it.
pub const AT_ONCE: &str = "";

/// A scripted model on 127.0.0.1 and what it needs to be known: its port stands in `../port`, what its calls came to in
/// `../said`, and what it was asked in `../asked`.
pub fn model(bench: &Bench, script: &Value) -> Running {
    bench.write("../calls.json", script.to_string().replace("{repo}", &bench.repo().display().to_string()));
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/model/model.mjs");
    bench.run("rm -f ../port && : >../asked").assert_code(0);
    let model = bench.spawn(&format!("exec node {} ../calls.json ../port ../asked > ../said", model.display()));
    let began = Instant::now();
    while !bench.root().join("port").exists() {
        assert!(began.elapsed() < Duration::from_mins(2), "the scripted model did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    model
}

/// What stands before an agent's command line: dummy keys, its programs, and where the model is.
pub fn environment(bench: &Bench, known: &Known) -> String {
    let (bin, recorder) = (programs(), record::programs(bench));
    format!("export {QUIET} BIN={bin} PATH={recorder}:{bin}:$PATH PORT=$(cat ../port);\n{}\n", known.set_up)
}

/// An agent at work, with the model that tells it what to do.
pub struct Led<'b> {
    bench: &'b Bench,
    known: &'b Known,
    script: Vec<Value>,
    model: Running,
    agent: Running,
}

impl<'b> Led<'b> {
    /// Starts the agent without a terminal.
    pub fn begin(bench: &'b Bench, known: &'b Known, script: &[Value]) -> Self {
        Self::begin_as(bench, known, script, known.begin)
    }

    /// The same behind another program, such as `git grill run --profile codex --`, and without questions of the agent's
    /// own: the walls are what is tried.
    pub fn begin_within(bench: &'b Bench, known: &'b Known, script: &[Value], within: &str) -> Self {
        Self::begin_as(bench, known, script, &format!("{FREELY} {within} {}", known.begin))
    }

    /// The same with another command line.
    pub fn begin_as(bench: &'b Bench, known: &'b Known, script: &[Value], line: &str) -> Self {
        let script = script.to_vec();
        let model = model(bench, &Value::from(script.clone()));
        let agent = bench.spawn(&format!("{}SAY=go; {line} </dev/null", environment(bench, known)));
        Self { bench, known, script, model, agent }
    }

    fn index(&self, label: &str) -> usize {
        self.script.iter().position(|step| step["label"] == label).unwrap_or_else(|| panic!("there is no step {label}"))
    }

    /// What a call came to, as the agent told the model.
    #[track_caller]
    pub fn came_to(&mut self, label: &str) -> Value {
        let (at, began) = (self.index(label), Instant::now());
        loop {
            let said = self.bench.read("../said");
            if let Some(line) = said.lines().nth(at).filter(|_| said.ends_with('\n')) {
                return serde_json::from_str(line).unwrap();
            }
            let name = self.known.name;
            assert!(began.elapsed() < PATIENCE, "{name}: {label} came to nothing; before it\n{said}");
            assert!(self.agent.is_running(), "{name} left before {label}; it heard\n{said}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What our tool says in it, where the agent hands the object on.
    #[track_caller]
    pub fn ours(&mut self, label: &str) -> Value {
        let result = self.came_to(label);
        let text = result["text"].as_str().unwrap();
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{label}: {error} in {text}"))
    }

    #[track_caller]
    pub fn is_kind(&mut self, label: &str, kind: &str) -> Value {
        let ours = self.ours(label);
        assert_eq!(ours["kind"], kind, "{label}: {ours}");
        ours
    }

    #[track_caller]
    pub fn is_refused(&mut self, label: &str, why: &str) {
        let result = self.came_to(label);
        let text = result["text"].as_str().unwrap();
        assert!(result["refused"] == true && text.contains(why), "{label}: {result}");
    }

    /// That a call's text says this, whether it was refused or not: not every wire tells. Agents hand our answer on as
    /// text or as the object, which holds the text with its quotes escaped.
    #[track_caller]
    pub fn says(&mut self, label: &str, text: &str) {
        let result = self.came_to(label);
        let said = result["text"].as_str().unwrap();
        let name = self.known.name;
        assert!(said.contains(text), "{name}: {label} does not say {text:?}: {result}");
    }

    /// Lets the script go on.
    pub fn happened(&self, what: &str) {
        self.bench.write(&format!("../{what}"), "");
    }

    /// The agent comes to the end of the script. What it sent is kept, where that is asked for.
    #[track_caller]
    pub fn ends(self) {
        let output = self.agent.finish();
        let said = self.bench.read("../said");
        assert!(output.code == 0 && output.stdout.contains("done"), "{}: {output}\n{said}", self.known.name);
        drop(self.model);
        record::keep(self.bench, self.known);
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

/// Has Grok Build ask for nothing; [`Known::begin`] takes the variable.
pub const FREELY: &str = "FREELY=--always-approve;";

/// What must be the same before and after: branch, refs outside of ours, index, and every file.
pub fn world(bench: &Bench) -> String {
    let line = "git symbolic-ref HEAD && git for-each-ref refs/heads refs/tags && git ls-files --stage && git status \
                --porcelain --untracked-files=all && git ls-files | xargs sha1sum";
    bench.run(line).assert_code(0).stdout().to_owned()
}

/// A repository with one source file, after `git grill agent install`.
pub fn installed(known: &Known) -> Bench {
    let bench = Bench::on_disk(Bench::new);
    bench.commit("src/link.rs", "pub struct Link;\n");
    let name = known.name;
    // These two are told in their settings that our tools need no question.
    let allowed = if matches!(name, "claude" | "grok") { " --allow-tools" } else { "" };
    bench
        .run(&format!("git grill agent install {name} --project{allowed} && git add -A && git commit -qm agents"))
        .assert_code(0);
    bench
}

/// What plain git says of the session (G24, G25): each version of the checkpoint with who wrote it, and who answered.
pub fn told_by_git(bench: &Bench, known: &Known) {
    let agent = known.recorded_as;
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
