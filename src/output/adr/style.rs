//! The form in which the repository writes its decision records, learnt from the records themselves.

use crate::domain::outline::{Outline, Section};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub form: Form,
    /// What stands in front of the title's words.
    title: Numbered,
    /// Where its status stands, and in what letters.
    status: Status,
    /// The line of the date, up to the date.
    date: Option<String>,
    /// The mark of its bullets.
    pub mark: char,
}

/// Which sections a record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Context, Decision, Consequences (Nygard).
    Nygard,
    /// Context and Problem Statement, Considered Options, Decision Outcome (MADR).
    Madr {
        /// 2, 3 or 4.
        version: u8,
    },
    /// A title and a few sentences.
    Bare,
}

/// The number in a title, as in `# ADR-0007: Title`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Numbered {
    No,
    Yes { before: String, width: usize, behind: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    /// `Status: accepted`, up to the status.
    Line { before: String, capital: Capital },
    /// A section of its own.
    Section { capital: Capital },
    /// In the YAML at the top.
    Front { capital: Capital },
    /// Nowhere.
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capital {
    Yes,
    No,
}

impl Default for Style {
    /// The newest MADR, for a repository that has no records yet.
    fn default() -> Self {
        Self {
            form: Form::Madr { version: 4 },
            title: Numbered::No,
            status: Status::Front { capital: Capital::No },
            date: Some("date: ".to_owned()),
            mark: '-',
        }
    }
}

impl Style {
    /// The form of a record with this number.
    pub fn of(text: &str, number: u32) -> Self {
        let text = text.replace("\r\n", "\n");
        let (front, body) = front_matter(&text);
        let outline = Outline::parse(body);
        let has = |title: &str| outline.sections.iter().any(|one| one.title().to_lowercase().starts_with(title));
        let form = if has("context and problem statement") || has("considered options") || has("decision outcome") {
            Form::Madr { version: version(front, &outline) }
        } else if has("decision") && (has("context") || has("consequences")) {
            Form::Nygard
        } else {
            Form::Bare
        };
        let top = || body.lines().take_while(|line| !line.starts_with("## "));
        let key = |line: &str, key: &str| {
            let bare = line.trim_start_matches(['*', '-', ' ', '_']).to_lowercase();
            bare.starts_with(key)
        };
        let date = match front {
            Some(front) => front.lines().any(|line| key(line, "date:")).then(|| "date: ".to_owned()),
            None => top().find(|line| key(line, "date:")).and_then(up_to_value),
        };
        let stars = body.lines().filter(|line| line.starts_with("* ")).count();
        let dashes = body.lines().filter(|line| line.starts_with("- ")).count();
        Self {
            form,
            title: Numbered::of(&outline, number),
            status: Status::of(front, &outline, top().find(|line| key(line, "status:"))),
            date,
            mark: if stars > dashes { '*' } else { '-' },
        }
    }

    /// The title's line without its `#`.
    pub fn heading(&self, number: u32, title: &str) -> String {
        match &self.title {
            Numbered::No => title.to_owned(),
            Numbered::Yes { before, width, behind } => format!("{before}{number:0width$}{behind}{title}"),
        }
    }

    /// What stands before the title.
    pub fn front(&self, date: &str) -> String {
        let Status::Front { capital } = self.status else { return String::new() };
        let dated = self.date.as_ref().map_or_else(String::new, |before| format!("{before}{date}\n"));
        format!("---\nstatus: {}\n{dated}---\n", capital.proposed())
    }

    /// What stands between the title and the first section.
    pub fn head(&self, date: &str) -> String {
        let dated = self.date.as_ref().map(|before| format!("{before}{date}"));
        match &self.status {
            Status::Line { before, capital } => {
                let status = format!("{before}{}", capital.proposed());
                // Bullets follow one another; plain lines would run together.
                let between = if before.starts_with(['*', '-']) { "\n" } else { "\n\n" };
                [Some(status), dated].into_iter().flatten().collect::<Vec<_>>().join(between)
            }
            Status::Section { capital } => {
                let status = format!("## Status\n\n{}", capital.proposed());
                [dated, Some(status)].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
            }
            Status::Front { .. } => String::new(),
            Status::No => dated.unwrap_or_default(),
        }
    }
}

/// The YAML at the top, and what comes after it.
fn front_matter(text: &str) -> (Option<&str>, &str) {
    let inside = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    inside.map_or((None, text), |(front, body)| (Some(front), body))
}

fn version(front: Option<&str>, outline: &Outline) -> u8 {
    let has = |title: &str| outline.sections.iter().any(|one| one.title().eq_ignore_ascii_case(title));
    match front {
        _ if has("Positive Consequences") || has("Negative Consequences") || has("Links") => 2,
        Some(front) if front.contains("decision-makers") || has("Confirmation") => 4,
        Some(front) if front.contains("deciders") || has("Validation") => 3,
        None if has("Confirmation") => 4,
        Some(_) => 4,
        None => 2,
    }
}

/// A line up to its value, as `Status: `.
fn up_to_value(line: &str) -> Option<String> {
    let (key, value) = line.split_once(':')?;
    // `**Status:** accepted` closes its emphasis behind the colon.
    let marks: String = value.chars().take_while(|one| matches!(one, '*' | '_')).collect();
    Some(format!("{key}:{marks} "))
}

impl Numbered {
    fn of(outline: &Outline, number: u32) -> Self {
        let Some(title) = outline.sections.iter().find(|one| one.level() == 1).map(Section::title) else {
            return Self::No;
        };
        let Some(at) = title.find(|one: char| one.is_ascii_digit()).filter(|at| *at <= 8) else {
            return Self::No;
        };
        let before = &title[..at];
        let digits: String = title[at..].chars().take_while(char::is_ascii_digit).collect();
        let rest = &title[at + digits.len()..];
        let behind: String =
            rest.chars().take_while(|one| !one.is_alphanumeric() && !matches!(one, '`' | '“' | '"')).collect();
        let counted = digits.parse() == Ok(number) && !behind.is_empty() && number > 0;
        if counted { Self::Yes { before: before.to_owned(), width: digits.len(), behind } } else { Self::No }
    }
}

impl Status {
    fn of(front: Option<&str>, outline: &Outline, line: Option<&str>) -> Self {
        let capital = |value: &str| {
            if value.chars().find(|one| one.is_alphabetic()).is_some_and(char::is_uppercase) {
                Capital::Yes
            } else {
                Capital::No
            }
        };
        let in_front = front.and_then(|front| front.lines().find_map(|line| line.strip_prefix("status:")));
        if let Some(value) = in_front {
            return Self::Front { capital: capital(value) };
        }
        if let Some(section) = outline.sections.iter().find(|one| one.title().eq_ignore_ascii_case("status")) {
            let value = section.content().first().map_or("", String::as_str);
            return Self::Section { capital: capital(value) };
        }
        match line.and_then(|line| Some((up_to_value(line)?, line))) {
            Some((before, line)) => {
                let capital = capital(line.get(before.len()..).unwrap_or_default());
                Self::Line { before, capital }
            }
            None => Self::No,
        }
    }
}

impl Capital {
    fn proposed(self) -> &'static str {
        match self {
            Self::Yes => "Proposed",
            Self::No => "proposed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NYGARD: &str = "# 7. Use it\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nx\n\n## Consequences\n\nx\n";
    const INLINE: &str = "# 7. Use it\n\nStatus: accepted\n\n## Context\n\nx\n\n## Decision\n\nx\n";
    const MADR_2: &str = "# Use it\n\n* Status: accepted\n* Date: 2020-01-01\n\n## Context and Problem Statement\n\n## Considered Options\n\n* a\n* b\n\n## Decision Outcome\n\n### Positive Consequences\n\n* c\n";
    const MADR_3: &str = "---\nstatus: accepted\ndate: 2020-01-01\ndeciders: a\n---\n# Use it\n\n## Considered Options\n\n* a\n\n### Validation\n";
    const MADR_4: &str = "---\nstatus: \"accepted\"\ndate: 2020-01-01\ndecision-makers: a\n---\n\n# Use it\n\n## Considered Options\n\n* a\n";
    const BARE: &str = "# 7. Use it\n\nStatus: accepted\n\nBecause.\n";
    const ADR: &str = "# ADR-0007: Use it\n\n**Status:** Accepted\n\n## Context\n\n## Decision\n";

    #[test]
    fn forms_are_recognised() {
        for (text, form, heading, head) in [
            (NYGARD, Form::Nygard, "8. It", "Date: 2026-11-21\n\n## Status\n\nProposed"),
            (INLINE, Form::Nygard, "8. It", "Status: proposed"),
            (MADR_2, Form::Madr { version: 2 }, "It", "* Status: proposed\n* Date: 2026-11-21"),
            (MADR_3, Form::Madr { version: 3 }, "It", ""),
            (MADR_4, Form::Madr { version: 4 }, "It", ""),
            (BARE, Form::Bare, "8. It", "Status: proposed"),
            (ADR, Form::Nygard, "ADR-0008: It", "**Status:** Proposed"),
            ("no heading\n", Form::Bare, "It", ""),
        ] {
            let style = Style::of(text, 7);
            assert_eq!(style.form, form, "{text}");
            assert_eq!(style.heading(8, "It"), heading, "{text}");
            assert_eq!(style.head("2026-11-21"), head, "{text}");
            assert_eq!(style, Style::of(&text.replace('\n', "\r\n"), 7), "{text}");
        }
        assert_eq!(Style::of(MADR_3, 7).front("2026-11-21"), "---\nstatus: proposed\ndate: 2026-11-21\n---\n");
        assert_eq!((Style::of(MADR_2, 7).mark, Style::of(NYGARD, 7).mark), ('*', '-'));
    }
}
