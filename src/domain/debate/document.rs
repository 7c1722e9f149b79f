//! A role's text by its headings: each part under its title, whatever the level of the heading.

use crate::domain::outline::{Fences, Outline, Section, Stands, behind_mark};

/// A role's text, cut at its headings.
pub(super) struct Document {
    outline: Outline,
}

/// An entry of a list, with the lines that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its first line, without the mark.
    pub first: String,
    /// The lines below it, trimmed, blank ones left out.
    pub rest: Vec<String>,
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

    /// All lines of the text that are no code.
    pub(super) fn plain_lines(&self) -> Vec<&str> {
        let mut code = Fences::new(Stands::Anywhere);
        let lines = self.outline.sections.iter().flat_map(|section| section.heading.iter().chain(&section.body));
        lines.map(String::as_str).filter(|line| !code.holds(line)).collect()
    }

    /// How often a line begins with `name:`.
    pub(super) fn fields(&self, name: &str) -> usize {
        self.plain_lines().iter().filter(|line| behind(line.trim_start_matches('#'), name).is_some()).count()
    }

    /// The entries of the list in a part; none where the part is missing.
    pub(super) fn entries(&self, title: &str) -> Option<Vec<Entry>> {
        self.lines(title).map(|lines| entries(&lines))
    }

    /// What stands behind `name:` at the beginning of a line, anywhere in the text; marks of emphasis around it are not
    /// looked at.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        let sections = self.outline.sections.iter();
        let mut lines = sections.flat_map(|section| section.heading.iter().chain(&section.body));
        lines.find_map(|line| behind(line.trim_start_matches('#'), name).map(str::to_owned))
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
        if code.holds(line) {
            continue;
        }
        let is_nested = line.starts_with([' ', '\t']);
        let is_lazy = std::mem::replace(&mut goes_on, !line.trim().is_empty());
        match (behind_mark(line.trim_start()), found.last_mut()) {
            (Some(first), _) if !is_nested => {
                found.push(Entry { first: first.trim().to_owned(), rest: Vec::new() });
            }
            (Some(text), Some(last)) => last.rest.push(text.trim().to_owned()),
            // A line right below an entry belongs to it, however far in it stands.
            (None, Some(last)) if (is_nested || is_lazy) && !line.trim().is_empty() => {
                last.rest.push(line.trim().to_owned());
            }
            (Some(_) | None, _) => {}
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
        let told = Document::of("x\n**Idea Verdict:** challenge\n");
        assert_eq!(told.field("idea verdict").as_deref(), Some("challenge"));
        assert_eq!(told.field("verdict"), None);
    }
}
