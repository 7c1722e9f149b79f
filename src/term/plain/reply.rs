//! A reply in plain lines: a typed line is the reply.

use super::{LineOutcome, Plain, numbered, paragraph, too_soon};
use crate::app::prompt::{Choice, ReplyPrompt};
use crate::term::sure::NEW_LINE;

/// A [`ReplyPrompt`] in plain lines.
#[derive(Clone, Debug)]
pub struct PlainReply<'a> {
    prompt: &'a ReplyPrompt,
    columns: usize,
    /// What an empty line sends: the draft, or the alternative whose number was typed.
    standing: String,
}

impl<'a> PlainReply<'a> {
    /// Opens `prompt`, its lines broken at so many columns.
    pub fn new(prompt: &'a ReplyPrompt, columns: usize) -> Self {
        Self { prompt, columns, standing: prompt.draft.clone() }
    }
}

impl PlainReply<'_> {
    fn hold(&mut self, text: String) -> LineOutcome<String> {
        let shown = unsent(&text, self.columns);
        self.standing = text;
        LineOutcome::Next(shown)
    }

    /// The choice that a line is the number of.
    fn numbered(&self, line: &str) -> Option<&Choice> {
        let number = line.trim().parse::<usize>().ok()?;
        self.prompt.choices.get(number.checked_sub(1)?)
    }

    /// The value of the choice whose number stands there, unless that very text is a choice: nobody sends it unseen.
    fn standing_number(&self) -> Option<String> {
        let standing = self.standing.trim();
        let is_choice = self.prompt.choices.iter().any(|choice| choice.value == standing);
        self.numbered(standing).filter(|_| !is_choice).map(|choice| choice.value.clone())
    }
}

/// What Enter alone would send.
pub fn unsent(text: &str, columns: usize) -> String {
    paragraph(&format!("not sent yet: {text}"), columns) + "Enter alone sends that\n"
}

impl Plain for PlainReply<'_> {
    type Value = String;

    fn text(&self) -> String {
        let prompt = self.prompt;
        let mut text = paragraph(&prompt.heading, self.columns) + &paragraph(&prompt.question, self.columns);
        text += &numbered(&prompt.choices, self.columns);
        text += &paragraph(&prompt.status, self.columns);
        text += &paragraph(&prompt.help, self.columns);
        if !prompt.draft.trim().is_empty() {
            text += &unsent(&prompt.draft, self.columns);
        }
        text
    }

    fn lead(&self) -> &'static str {
        if self.prompt.choices.is_empty() { "reply> " } else { "number or reply> " }
    }

    fn understand(&mut self, line: &str) -> LineOutcome<String> {
        if line.trim().is_empty() {
            if self.standing.trim().is_empty() {
                return LineOutcome::Again("an empty line is no reply; Ctrl-D closes".into());
            }
            return match self.standing_number() {
                Some(value) => self.hold(value),
                None => LineOutcome::Answer(self.standing.clone()),
            };
        }
        match self.numbered(line) {
            Some(choice) if choice.value != line.trim() => {
                let value = choice.value.clone();
                self.hold(value)
            }
            Some(_) | None => LineOutcome::Answer(line.to_owned()),
        }
    }

    /// Words are kept, and can be sent by Enter. The number of a choice is only told.
    fn too_soon(&mut self, line: &str, goes_on: bool) -> String {
        if line.trim().is_empty() || self.numbered(line).is_some() {
            return too_soon(line);
        }
        if !(self.standing.is_empty() || goes_on) {
            self.standing.push('\n');
        }
        self.standing.push_str(line);
        format!("{NEW_LINE}\n{}", unsent(&self.standing, self.columns))
    }

    fn draft(&self) -> String {
        self.standing.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::prompt::Slash;
    use crate::term::testing::choices;

    fn prompt() -> ReplyPrompt {
        ReplyPrompt {
            heading: "question 1".to_owned(),
            question: "Where\u{1b}[2J?".to_owned(),
            choices: choices(1),
            draft: "half a".to_owned(),
            status: "interview".to_owned(),
            keys: "Tab".to_owned(),
            help: "/help".to_owned(),
            slash: Slash::Refused,
        }
    }

    #[test]
    fn the_lines_hold_everything_and_no_escape_sequence() {
        let expected = "question 1\nWhere␛[2J?\n1. choice one (recommended)\n   why one would take it\n\
                        interview\n/help\nnot sent yet: half a\nEnter alone sends that\n";
        assert_eq!(PlainReply::new(&prompt(), 40).text(), expected);
    }

    #[test]
    fn an_empty_line_sends_what_stands_there_and_a_number_is_shown_before_it_is_sent() {
        let prompt = prompt();
        let mut plain = PlainReply::new(&prompt, 40);
        assert_eq!(plain.understand(""), LineOutcome::Answer("half a".to_owned()));
        assert_eq!(plain.understand("another"), LineOutcome::Answer("another".to_owned()));
        let shown = "not sent yet: value one\nEnter alone sends that\n";
        assert_eq!(plain.understand("1"), LineOutcome::Next(shown.to_owned()));
        assert_eq!(plain.draft(), "value one");
        assert_eq!(plain.understand(""), LineOutcome::Answer("value one".to_owned()));
    }

    #[test]
    fn g55_words_that_came_too_soon_are_kept_and_a_number_is_only_told() {
        let prompt = ReplyPrompt { draft: String::new(), ..prompt() };
        let mut plain = PlainReply::new(&prompt, 60);
        assert_eq!(
            plain.too_soon("by acc", false),
            format!("{NEW_LINE}\nnot sent yet: by acc\nEnter alone sends that\n")
        );
        assert!(plain.too_soon("ount", true).contains("not sent yet: by account\n"));
        assert_eq!(plain.too_soon("1", false), format!("{NEW_LINE}: 1\n"));
        assert_eq!(plain.too_soon("", false), format!("{NEW_LINE}\n"));
        plain.too_soon("and address", false);
        assert_eq!(plain.understand(""), LineOutcome::Answer("by account\nand address".to_owned()));
    }

    #[test]
    fn g55_a_number_that_stands_there_is_shown_before_it_is_sent() {
        let prompt = ReplyPrompt { draft: "1".to_owned(), ..prompt() };
        let mut plain = PlainReply::new(&prompt, 40);
        assert!(matches!(plain.understand(""), LineOutcome::Next(_)));
        assert_eq!(plain.understand(""), LineOutcome::Answer("value one".to_owned()));
    }
}
