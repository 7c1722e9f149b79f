//! A golden session as written: its world, its commands and what they are expected to say.

use std::ops::Range;

/// One command of a session.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// The line of its `$`, counted from 1.
    pub line: usize,
    /// What the shell gets; names such as `{q-#1}` are not replaced yet.
    pub command: String,
    /// What a person types, where it is run at a terminal: below which text a prompt has to stand, and the keys.
    pub typed: Option<Vec<(String, String)>>,
    /// The lines below it.
    pub expected: Vec<String>,
    /// Which lines of the file those are, counted from 0.
    place: Range<usize>,
}

#[derive(Debug)]
pub struct Script {
    /// Comments of the form `<!-- key: value -->`, in order.
    pub directives: Vec<(String, String)>,
    pub steps: Vec<Step>,
    lines: Vec<String>,
}

impl Script {
    /// Parses Markdown; an error names the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut script = Self { directives: Vec::new(), steps: Vec::new(), lines };
        let mut at = 0;
        while at < script.lines.len() {
            let line = script.lines[at].as_str();
            if let Some((fence, kind)) = fence(line) {
                let inside = at + 1;
                let length = script.lines[inside..]
                    .iter()
                    .position(|line| line.starts_with(fence) && line.trim_matches('`').trim().is_empty())
                    .ok_or_else(|| format!("{}: this block has no end", at + 1))?;
                if kind == "console" {
                    let steps = steps(&script.lines, inside..inside + length)?;
                    script.steps.extend(steps);
                }
                at = inside + length;
            } else if let Some(directive) = directive(line) {
                script.directives.push(directive);
            }
            at += 1;
        }
        Ok(script)
    }

    /// The text again, with the output of some steps replaced.
    pub fn with_outputs(&self, outputs: &[(&Step, Vec<String>)]) -> String {
        let mut lines = self.lines.clone();
        for (step, output) in outputs.iter().rev() {
            lines.splice(step.place.clone(), output.iter().cloned());
        }
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}

/// The backticks and the language of a line that opens a block.
fn fence(line: &str) -> Option<(&str, &str)> {
    let kind = line.trim_start_matches('`');
    let fence = &line[..line.len() - kind.len()];
    (fence.len() >= 3).then(|| (fence, kind.trim()))
}

fn directive(line: &str) -> Option<(String, String)> {
    let inner = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    let (key, value) = inner.split_once(':')?;
    Some((key.trim().to_owned(), value.trim().to_owned()))
}

fn steps(lines: &[String], block: Range<usize>) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for at in block {
        let line = &lines[at];
        let last = steps.last_mut();
        match (line.strip_prefix("$ "), line.strip_prefix("> "), last) {
            (Some(command), _, _) => steps.push(Step {
                line: at + 1,
                command: command.to_owned(),
                typed: None,
                expected: Vec::new(),
                place: at + 1..at + 1,
            }),
            (None, Some(more), Some(step)) if step.expected.is_empty() => {
                step.command = format!("{}\n{more}", step.command);
                step.place = at + 1..at + 1;
            }
            (None, None, Some(step)) if step.expected.is_empty() && line == "?" => {
                step.typed = Some(Vec::new());
                step.place = at + 1..at + 1;
            }
            (None, None, Some(step)) if step.expected.is_empty() && line.starts_with("? ") => {
                let text = line["? ".len()..].to_owned();
                step.typed.get_or_insert_default().push((text, String::new()));
                step.place = at + 1..at + 1;
            }
            (None, None, Some(step)) if step.expected.is_empty() && line.starts_with("< ") => {
                let last = step.typed.as_mut().and_then(|typed| typed.last_mut());
                let last = last.ok_or_else(|| format!("{}: nothing is waited for", at + 1))?;
                line["< ".len()..].clone_into(&mut last.1);
                step.place = at + 1..at + 1;
            }
            (None, _, Some(step)) => {
                step.expected.push(line.clone());
                step.place.end = at + 1;
            }
            (None, _, None) => return Err(format!("{}: a console block begins with `$ `", at + 1)),
        }
    }
    Ok(steps)
}
