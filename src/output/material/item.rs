//! One bullet of the understanding: its sentences, what stands below it, and where it came from. What is read here is
//! harmless from then on.

use super::super::inline::{capital, clause, inline, small};
use super::origin::Origin;

/// A bullet, or a paragraph that stands for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Item {
    /// Its own lines; Markdown joins them.
    pub lines: Vec<String>,
    /// A quotation, code or a table below it, line by line.
    pub block: Vec<String>,
    /// The bullets below it.
    pub details: Vec<Detail>,
    /// The question that it answers.
    pub origin: Option<Origin>,
}

/// A bullet below a bullet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Detail {
    /// What it is, as in `Reason: …`.
    pub label: Option<String>,
    pub text: String,
    /// A quotation below it.
    pub block: Vec<String>,
}

const LONGEST_LABEL: usize = 40;

impl Detail {
    pub fn parse(line: &str) -> Self {
        // What is behind a label may stand without it later, so both are made harmless for themselves.
        let line = line.trim();
        let (label, said) = match line.split_once(": ") {
            Some((label, said)) if is_label(label) => (Some(label), said),
            Some(_) | None => match line.strip_suffix(':').filter(|label| is_label(label)) {
                Some(label) => (Some(label), ""),
                None => (None, line),
            },
        };
        Self { label: label.map(inline), text: inline(said), block: Vec::new() }
    }

    pub fn line(&self) -> String {
        match &self.label {
            Some(label) if self.text.is_empty() => format!("{label}:"),
            Some(label) => format!("{label}: {}", self.text),
            None => self.text.clone(),
        }
    }
}

fn is_label(text: &str) -> bool {
    text.chars().count() <= LONGEST_LABEL && !text.contains(['`', '“', '.', ',', '\\', '<'])
}

impl Item {
    /// Its sentences on one line.
    pub fn text(&self) -> String {
        let said = self.lines.join(" ");
        match self.block.iter().find_map(|line| line.strip_prefix("> ")) {
            // `Scope:` above a quotation says nothing without its first line.
            Some(quoted) if said.is_empty() || said.ends_with(':') => {
                format!("{said} {quoted}").trim_start().to_owned()
            }
            Some(_) | None => said,
        }
    }

    /// Its first clause, as a title: without the few words that say what it answers, where it can do without.
    pub fn name(&self) -> String {
        const WORDS_THAT_STAND_ALONE: usize = 6;
        let text = self.text();
        let lead = self.origin.as_ref().and_then(|origin| origin.lead.as_deref());
        let rest = lead.and_then(|lead| text.strip_prefix(lead)?.strip_prefix(": "));
        match (lead, rest.map(clause)) {
            (Some(_), Some(alone)) if alone.split(' ').count() >= WORDS_THAT_STAND_ALONE => capital(&alone),
            (Some(lead), Some(short)) => format!("{lead}: {}", small(&short)),
            (Some(_) | None, _) => capital(&clause(doubted(&text))),
        }
    }

    /// Takes the words away that say what it answers, where the heading above it says the same.
    pub fn without_lead(mut self, leads: &[&str]) -> Self {
        let lead =
            self.origin.as_ref().and_then(|origin| origin.lead.clone()).filter(|lead| leads.contains(&lead.as_str()));
        if let (Some(lead), Some(first)) = (lead, self.lines.first_mut())
            && let Some(rest) = first.strip_prefix(&format!("{lead}: "))
        {
            *first = inline(rest);
            self.origin.as_mut().expect("the lead came from it").lead = None;
        }
        self
    }

    pub fn take(&mut self, label: &str) -> Option<Detail> {
        let at = self.details.iter().position(|one| one.label.as_deref() == Some(label))?;
        Some(self.details.remove(at))
    }

    /// Its own words without what stands below it.
    pub fn alone(&self) -> Self {
        Self { details: Vec::new(), ..self.clone() }
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.block.is_empty() && self.details.is_empty()
    }

    /// A bullet's text without its mark: own lines, then what stands below it, indented.
    pub fn full(&self) -> String {
        let mut lines = self.lines.clone();
        lines.extend(below(&self.block, lines.is_empty()));
        for detail in &self.details {
            lines.push(format!("- {}", detail.line()));
            lines.extend(below(&detail.block, false).map(|line| format!("  {line}")));
        }
        indented(&lines)
    }

    /// The same without the details.
    pub fn plain(&self) -> String {
        let mut lines = self.lines.clone();
        lines.extend(below(&self.block, lines.is_empty()));
        indented(&lines)
    }
}

/// What a doubt is about, without the words that call it one.
fn doubted(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix("It is assumed, ") {
        return rest.split_once(", ").map_or(text, |(_, about)| about);
    }
    let refused = text.strip_prefix("Not taken for granted (").and_then(|rest| rest.split_once("): "));
    refused.map_or(text, |(_, about)| about)
}

/// A block below a line: code and tables want a blank line before them, a quotation does not.
fn below(block: &[String], alone: bool) -> impl Iterator<Item = String> {
    let apart = !alone && block.first().is_some_and(|line| !line.starts_with('>'));
    apart.then(String::new).into_iter().chain(block.iter().cloned())
}

fn indented(lines: &[String]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            text.push('\n');
            if !line.is_empty() {
                text.push_str("  ");
            }
        }
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_it_is_about() {
        let item = |text: &str, lead: Option<&str>| {
            let id = crate::domain::ids::QuestionId::from_nonce(1);
            let lead = lead.map(str::to_owned);
            let dimension = String::new();
            let origin = Origin { question: id, number: 1, dimension, probe: None, lead, alternative: None };
            Item { lines: vec![text.to_owned()], origin: Some(origin), ..Item::default() }
        };
        for (text, lead, name) in [
            ("It is assumed, not checked, how often it happens.", None, "How often it happens"),
            (
                "Not taken for granted (which client): no client is concerned, they read.",
                None,
                "No client is concerned",
            ),
            ("Public: Nothing but the code, which stays.", Some("Public"), "Public: nothing but the code"),
            (
                "The end: Whoever makes a link may set an end, or not.",
                Some("The end"),
                "Whoever makes a link may set an end",
            ),
            ("a: b", None, "A: b"),
        ] {
            assert_eq!(item(text, lead).name(), name);
        }
        let said = item("Left out: payments.", Some("Left out")).without_lead(&["Left out"]);
        assert_eq!(said.text(), "payments.");
    }

    #[test]
    fn a_detail_has_a_label_when_it_looks_like_one() {
        for (line, label) in [
            ("Reason: it is so", Some("Reason")),
            ("Taken back for it: “x”", Some("Taken back for it")),
            ("see `a: b`", None),
            ("In these words:", Some("In these words")),
            ("no label", None),
        ] {
            let detail = Detail::parse(line);
            assert_eq!(detail.label.as_deref(), label, "{line}");
            assert_eq!(detail.line(), line);
        }
    }
}
