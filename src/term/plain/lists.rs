//! One of a list, several of it, and yes or no, in plain lines.

use std::borrow::Cow;

use super::{LineOutcome, Plain, numbered, one_of, paragraph};
use crate::app::prompt::{Choice, Many, ManyPrompt};

const NO_NUMBER: &str = "that is none of the numbers; Ctrl-D closes";

/// Why a line is neither yes nor no.
fn neither(line: &str) -> Cow<'static, str> {
    let why = if line.trim_start().starts_with('/') { "no verb is taken here" } else { "there is no default" };
    format!("{why}: yes or no; Ctrl-D closes").into()
}

/// One of the choices in plain lines.
#[derive(Clone, Debug)]
pub struct PlainChoose<'a> {
    /// The question above the list.
    pub question: &'a str,
    pub choices: &'a [Choice],
    /// Where lines are broken.
    pub columns: usize,
}

impl Plain for PlainChoose<'_> {
    type Value = usize;

    fn text(&self) -> String {
        paragraph(self.question, self.columns) + &numbered(self.choices, self.columns)
    }

    fn lead(&self) -> &'static str {
        "number> "
    }

    fn understand(&mut self, line: &str) -> LineOutcome<usize> {
        one_of(line, self.choices).map_or(LineOutcome::Again(NO_NUMBER.into()), LineOutcome::Answer)
    }
}

/// Several of the choices in plain lines.
#[derive(Clone, Debug)]
pub struct PlainMany<'a> {
    pub prompt: &'a ManyPrompt,
    /// Where lines are broken.
    pub columns: usize,
}

impl PlainMany<'_> {
    fn chosen(&self, line: &str) -> Result<Vec<usize>, &'static str> {
        let choices = &self.prompt.choices;
        let mut chosen: Vec<usize> = match line.trim().to_ascii_lowercase().as_str() {
            "" => return Err("numbers with blanks or commas between them, all, or none; Ctrl-D closes"),
            "all" => (0..choices.len()).collect(),
            "none" => Vec::new(),
            numbers => {
                let numbers = numbers.split([' ', ',']).filter(|number| !number.is_empty());
                numbers.map(|number| one_of(number, choices).ok_or(NO_NUMBER)).collect::<Result<_, _>>()?
            }
        };
        chosen.sort_unstable();
        chosen.dedup();
        match self.prompt.at_least.min(choices.len()) {
            least if chosen.len() < least => Err("that is too few; Ctrl-D closes"),
            _ => Ok(chosen),
        }
    }
}

impl Plain for PlainMany<'_> {
    type Value = Vec<usize>;

    fn text(&self) -> String {
        paragraph(&self.prompt.heading, self.columns)
            + &paragraph(&self.prompt.question, self.columns)
            + &numbered(&self.prompt.choices, self.columns)
    }

    fn lead(&self) -> &'static str {
        "numbers, all or none> "
    }

    fn understand(&mut self, line: &str) -> LineOutcome<Vec<usize>> {
        self.chosen(line).map_or_else(|why| LineOutcome::Again(why.into()), LineOutcome::Answer)
    }
}

/// The same where verbs are served.
#[derive(Clone, Debug)]
pub struct PlainManyOrVerb<'a>(pub PlainMany<'a>);

impl Plain for PlainManyOrVerb<'_> {
    type Value = Many;

    fn text(&self) -> String {
        self.0.text()
    }

    fn lead(&self) -> &'static str {
        self.0.lead()
    }

    fn understand(&mut self, line: &str) -> LineOutcome<Many> {
        if line.trim().starts_with('/') {
            return LineOutcome::Answer(Many::Verb(line.trim().to_owned()));
        }
        self.0
            .chosen(line)
            .map_or_else(|why| LineOutcome::Again(why.into()), |chosen| LineOutcome::Answer(Many::Chosen(chosen)))
    }
}

/// Yes or no in plain lines.
#[derive(Clone, Debug)]
pub struct PlainConfirm<'a> {
    pub question: &'a str,
    /// Where lines are broken.
    pub columns: usize,
}

impl Plain for PlainConfirm<'_> {
    type Value = bool;

    fn text(&self) -> String {
        paragraph(self.question, self.columns)
    }

    fn lead(&self) -> &'static str {
        "yes or no> "
    }

    fn understand(&mut self, line: &str) -> LineOutcome<bool> {
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => LineOutcome::Answer(true),
            "n" | "no" => LineOutcome::Answer(false),
            _ => LineOutcome::Again(neither(line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::choices;

    #[test]
    fn several_are_numbers_in_any_order_without_repeats() {
        let prompt = ManyPrompt { choices: choices(4), at_least: 1, ..ManyPrompt::default() };
        let rows = [
            ("3, 1 3", Ok(vec![0, 2])),
            ("all", Ok(vec![0, 1, 2, 3])),
            ("none", Err(())),
            ("1 9", Err(())),
            ("", Err(())),
        ];
        for (line, expected) in rows {
            let many = PlainMany { prompt: &prompt, columns: 40 };
            assert_eq!(many.chosen(line).map_err(|_| ()), expected, "{line:?}");
        }
        // G11
        let mut many = PlainManyOrVerb(PlainMany { prompt: &prompt, columns: 40 });
        assert_eq!(many.understand("/why"), LineOutcome::Answer(Many::Verb("/why".to_owned())));
        assert_eq!(many.understand("2"), LineOutcome::Answer(Many::Chosen(vec![1])));
        assert!(matches!(many.0.understand("/why"), LineOutcome::Again(_)));
    }

    #[test]
    fn g30_nothing_but_yes_and_no_confirms() {
        let mut confirm = PlainConfirm { question: "Go on?", columns: 40 };
        for (line, yes) in [("y", true), ("Yes", true), (" YES ", true), ("n", false), ("N", false), ("no", false)] {
            assert_eq!(confirm.understand(line), LineOutcome::Answer(yes), "{line:?}");
        }
        // G11
        let refused = "no verb is taken here: yes or no; Ctrl-D closes";
        assert_eq!(confirm.understand("/why"), LineOutcome::Again(refused.into()));
        for line in ["", "yep", "yup", "ye", "yes please", "y n", "nope", "not yet", "1", "/why"] {
            assert!(matches!(confirm.understand(line), LineOutcome::Again(_)), "{line:?}");
        }
    }
}
