//! A role's text by its headings: each part under its title, whatever the level of the heading.

use crate::domain::outline::{Fences, Outline, Section, Stands, behind_mark};

/// The heading above what a role asks the user, in any text.
pub(super) const QUESTIONS: &str = "Questions for the user";

/// A role's text, cut at its headings.
pub(super) struct Document {
    outline: Outline,
}

/// An entry of a list, with the lines that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its first line, without the mark.
    pub first: String,
    /// The lines below it, trimmed, without their marks; blank ones and code are left out.
    pub rest: Vec<String>,
    /// The same lines and the code between them, with their marks: a quotation holds what a file holds.
    pub below: Vec<Below>,
}

/// A line below an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Below {
    /// As it stands, trimmed.
    pub text: String,
    /// Without its mark; none in code.
    pub plain: Option<String>,
}

impl Document {
    pub(super) fn of(text: &str) -> Self {
        Self { outline: Outline::parse(text) }
    }

    /// The text of the part with this title; none where it is missing, or blank. Deeper headings belong to it.
    pub(super) fn part(&self, title: &str) -> Option<String> {
        let lines = self.lines(title)?;
        let text = lines.join("\n").trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The lines of a part, those of deeper headings with them.
    fn lines(&self, title: &str) -> Option<Vec<String>> {
        let sections = &self.outline.sections;
        let at = sections.iter().position(|section| section.level() > 0 && is_titled(section.title(), title))?;
        let level = sections[at].level();
        let below = sections[at + 1..].iter().take_while(|section| section.level() > level);
        let mut lines = sections[at].body.clone();
        for section in below {
            lines.extend(section.heading.iter().chain(&section.body).cloned());
        }
        Some(lines)
    }

    /// The text from the heading of this title up to the first heading with one of these titles, whatever stands between.
    pub(super) fn until(&self, title: &str, ends: &[&str]) -> Option<String> {
        let sections = &self.outline.sections;
        let at = sections.iter().position(|section| section.level() > 0 && is_titled(section.title(), title))?;
        let is_end = |section: &&Section| section.level() > 0 && ends.iter().any(|end| is_titled(section.title(), end));
        let mut lines = sections[at].body.clone();
        for section in sections[at + 1..].iter().take_while(|section| !is_end(section)) {
            lines.extend(section.heading.iter().chain(&section.body).cloned());
        }
        let text = lines.join("\n").trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// How many parts have this title.
    pub(super) fn parts(&self, title: &str) -> usize {
        let sections = self.outline.sections.iter().filter(|section| section.level() > 0);
        sections.filter(|section| is_titled(section.title(), title)).count()
    }

    /// All lines of the text that are no code.
    pub(super) fn plain_lines(&self) -> Vec<&str> {
        self.marked_lines().into_iter().filter(|(_, is_code)| !is_code).map(|(line, _)| line).collect()
    }

    /// All lines of the text, and whether each is code.
    fn marked_lines(&self) -> Vec<(&str, bool)> {
        let mut code = Fences::new(Stands::Anywhere);
        let lines = self.outline.sections.iter().flat_map(|section| section.heading.iter().chain(&section.body));
        lines.map(|line| (line.as_str(), code.holds(line))).collect()
    }

    /// How often a line begins with `name:`.
    pub(super) fn fields(&self, name: &str) -> usize {
        self.values(name).len()
    }

    /// What stands behind `name:` in each line that begins with it. Code counts only where no other line does.
    fn values(&self, name: &str) -> Vec<&str> {
        let lines = self.marked_lines();
        let among = |in_code: bool| -> Vec<&str> {
            let fit = lines.iter().filter(|(_, is_code)| *is_code == in_code);
            fit.filter_map(|(line, _)| behind(line.trim_start_matches('#'), name)).collect()
        };
        let found = among(false);
        if found.is_empty() { among(true) } else { found }
    }

    /// The entries of the list in a part; none where the part is missing.
    pub(super) fn entries(&self, title: &str) -> Option<Vec<Entry>> {
        self.lines(title).map(|lines| entries(&lines))
    }

    /// What stands behind `name:` at the beginning of a line, anywhere in the text; marks of emphasis around it are not
    /// looked at.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        self.values(name).first().map(|value| (*value).to_owned())
    }
}

/// The text behind `name:`, whatever the case of its letters.
pub(super) fn behind<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let plain = |c: char| c.is_whitespace() || c == '*' || c == '_';
    let line = line.trim_matches(plain);
    let (head, rest) = line.split_once(':')?;
    head.trim_matches(plain).eq_ignore_ascii_case(name).then(|| rest.trim_matches(plain))
}

/// `2. Key technical decisions:` is titled as `Key technical decisions`.
fn is_titled(heading: &str, title: &str) -> bool {
    let heading = heading.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', ')']);
    heading.trim().trim_end_matches(':').trim_matches('*').trim().eq_ignore_ascii_case(title)
}

/// The entries of the lists in these lines; text outside of them is none.
fn entries(lines: &[String]) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut goes_on = false;
    let mut code = Fences::new(Stands::Anywhere);
    for line in lines {
        let text = line.trim().to_owned();
        if code.holds(line) {
            if let Some(last) = found.last_mut() {
                last.below.push(Below { text, plain: None });
            }
            continue;
        }
        let is_nested = line.starts_with([' ', '\t']);
        let is_lazy = std::mem::replace(&mut goes_on, !text.is_empty());
        let plain = match behind_mark(line.trim_start()) {
            Some(first) if !is_nested => {
                found.push(Entry { first: first.trim().to_owned(), rest: Vec::new(), below: Vec::new() });
                continue;
            }
            Some(behind) => behind.trim().to_owned(),
            // A line right below an entry belongs to it, however far in it stands.
            None if (is_nested || is_lazy) && !text.is_empty() => text.clone(),
            None => continue,
        };
        if let Some(last) = found.last_mut() {
            last.rest.push(plain.clone());
            last.below.push(Below { text, plain: Some(plain) });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d6_a_part_stands_under_its_title_with_everything_below_it() {
        let text = "# 1. Overview\nIt is\n### deeper\nso.\n# **Risks**:\n\n# Other\n- one\n  more\n  - nested\n\ntext\n1. two\n";
        let document = Document::of(text);
        assert_eq!(document.part("overview").unwrap(), "It is\n### deeper\nso.");
        assert_eq!((document.part("Risks"), document.part("none")), (None, None));
        let entries = document.entries("other").unwrap();
        let firsts: Vec<&str> = entries.iter().map(|entry| entry.first.as_str()).collect();
        assert_eq!(
            (firsts, entries[0].rest.as_slice()),
            (vec!["one", "two"], ["more".to_owned(), "nested".to_owned()].as_slice())
        );
        let below: Vec<&str> = entries[0].below.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(below, ["more", "- nested"]);
        let told = Document::of("x\n**Idea Verdict:** challenge\n");
        assert_eq!(told.field("idea verdict").as_deref(), Some("challenge"));
        assert_eq!(told.field("verdict"), None);
        // Code is an example, unless there is nothing else.
        let example = "```\nIdea verdict: sound\n```\n";
        let both = Document::of(&format!("{example}Idea verdict: reject\n"));
        assert_eq!((both.field("Idea verdict").as_deref(), both.fields("Idea verdict")), (Some("reject"), 1));
        assert_eq!(Document::of(example).field("Idea verdict").as_deref(), Some("sound"));
    }
}
