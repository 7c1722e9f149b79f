//! Plays a session in a bench of its own.

use super::compare::{Mismatch, matches};
use super::names::Names;
use super::script::Script;
use crate::bench::{Bench, Output};
use crate::conversation::Sitting;
use crate::leading::ENTER;

/// How a session went.
pub struct Played {
    pub mismatches: Vec<Mismatch>,
    /// The text with what came in place of what did not match.
    pub blessed: String,
}

/// Runs every command of a session; an error is a session that cannot be played.
pub fn play(text: &str) -> Result<Played, String> {
    let script = Script::parse(text)?;
    let bench = bench(&script.directives)?;
    let mut names = Names::new(bench.root().to_str().unwrap());
    let mut mismatches = Vec::new();
    let mut outputs = Vec::new();
    for step in &script.steps {
        let command = names.fill_in(&step.command).map_err(|error| format!("{}: {error}", step.line))?;
        let output = match &step.typed {
            Some(typed) => at_a_terminal(&bench, &command, typed),
            None => bench.run(&command),
        };
        let actual = shown(&output, &mut names);
        if !matches(&step.expected, &actual) {
            mismatches.push(Mismatch {
                line: step.line,
                command: step.command.clone(),
                expected: step.expected.clone(),
                actual: actual.clone(),
            });
            outputs.push((step, actual));
        }
    }
    Ok(Played { mismatches, blessed: script.with_outputs(&outputs) })
}

/// What stands on the screen of a person who types a command, and then these keys, each below its text.
fn at_a_terminal(bench: &Bench, command: &str, typed: &[(String, String)]) -> Output {
    let mut sitting = Sitting::of_a_line(bench, command);
    for (text, keys) in typed {
        sitting.below(text, "digits jump");
        sitting.pty.send(keys);
        sitting.pty.send(ENTER);
    }
    let (code, screen) = sitting.end();
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    Output {
        line: command.to_owned(),
        root: bench.root().display().to_string(),
        stdout: lines.join("\n").trim_end().to_owned() + "\n",
        stderr: String::new(),
        code,
    }
}

/// The world that the directives describe.
pub fn bench(directives: &[(String, String)]) -> Result<Bench, String> {
    let kind = directives.iter().find(|(key, _)| key == "bench");
    // Some of them show `git grill run`.
    let bench = match kind.map_or("new", |(_, kind)| kind) {
        "new" => Bench::on_disk(Bench::new),
        "agent" => crate::leading::scripted(&serde_json::json!({})),
        "empty" => Bench::on_disk(Bench::empty),
        "spaced" => Bench::on_disk(Bench::spaced),
        "bare" => Bench::on_disk(Bench::bare),
        "nowhere" => Bench::on_disk(Bench::nowhere),
        project if project.starts_with("project ") => {
            Bench::on_disk(|| Bench::with_project(&project["project ".len()..]))
        }
        unknown => return Err(format!("there is no bench `{unknown}`")),
    };
    for (key, value) in directives {
        match (key.as_str(), value.split_once('=')) {
            ("bench", _) => {}
            ("global-config", Some((name, value))) => {
                bench.with_account().run(&format!("git config --global '{name}' '{value}'")).assert_code(0);
            }
            _ => return Err(format!("the comment `{key}: {value}` says nothing here")),
        }
    }
    Ok(bench)
}

/// The output as a session writes it.
fn shown(output: &Output, names: &mut Names) -> Vec<String> {
    let stdout = names.normalise(&output.stdout);
    let stderr = names.normalise(&output.stderr);
    let mut lines: Vec<String> = stdout.lines().map(|line| visible(&escape(line))).collect();
    if !stdout.is_empty() && !stdout.ends_with('\n') {
        lines.push("[no newline]".to_owned());
    }
    lines.extend(stderr.lines().map(|line| match line {
        "" => "2|".to_owned(),
        line => format!("2| {}", visible(line)),
    }));
    if output.code != 0 {
        lines.push(format!("[exit {}]", output.code));
    }
    lines
}

/// The line with its control characters spelt out.
fn visible(line: &str) -> String {
    let spell = |c: char| match c {
        '\t' => "\t".to_owned(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    line.chars().map(spell).collect()
}

/// The line with a backslash in front if it looks like part of the form.
fn escape(line: &str) -> String {
    const FORM: [&str; 9] = ["$ ", "> ", "? ", "< ", "2|", "[exit ", "[no newline]", "```", "\\"];
    if line == "..." || line == "?" || FORM.iter().any(|start| line.starts_with(start)) {
        format!("\\{line}")
    } else {
        line.to_owned()
    }
}
