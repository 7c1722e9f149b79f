//! A reply in plain lines: a typed line is the reply.

use super::{Plain, Said, numbered, paragraph};
use crate::app::prompt::ReplyPrompt;
use crate::term::leaning::Leaning;

/// A [`ReplyPrompt`] in plain lines.
#[derive(Clone, Debug)]
pub struct PlainReply<'a> {
    prompt: &'a ReplyPrompt,
    leaning: Leaning,
    columns: usize,
    /// What an empty line sends: the draft, or the alternative whose number was typed.
    standing: String,
}

impl<'a> PlainReply<'a> {
    /// Opens `prompt`, its lines broken at so many columns.
    pub fn new(prompt: &'a ReplyPrompt, columns: usize) -> Self {
        Self { prompt, leaning: Leaning::of(prompt), columns, standing: prompt.draft.clone() }
    }
}

impl PlainReply<'_> {
    /// Sends `text`, unless there is something to tell before.
    fn send(&mut self, text: String) -> Said<String> {
        match self.leaning.tell(&text) {
            Some(told) => self.hold(text, Some(&told)),
            None => Said::Answer(text),
        }
    }

    fn hold(&mut self, text: String, told: Option<&str>) -> Said<String> {
        let told = told.map(|told| paragraph(told, self.columns)).unwrap_or_default();
        let shown = told + &unsent(&text, self.columns);
        self.standing = text;
        Said::Next(shown)
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
        text += &numbered(self.leaning.choices(), self.columns);
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

    fn understand(&mut self, line: &str) -> Said<String> {
        if line.trim().is_empty() {
            return match self.standing.trim() {
                "" => Said::Again("an empty line is no reply; Ctrl-D closes".into()),
                _ => self.send(self.standing.clone()),
            };
        }
        let number = line.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.and_then(|at| self.leaning.choices().get(at)) {
            Some(choice) if choice.value != line.trim() => {
                let value = choice.value.clone();
                let told = self.leaning.tell(&value);
                self.hold(value, told.as_deref())
            }
            Some(_) | None => self.send(line.to_owned()),
        }
    }

    fn draft(&self) -> String {
        self.standing.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::prompt::{Reveal, Slash};
    use crate::term::testing::choices;

    fn prompt() -> ReplyPrompt {
        ReplyPrompt {
            reveal: Reveal::AtOnce,
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
        assert_eq!(plain.understand(""), Said::Answer("half a".to_owned()));
        assert_eq!(plain.understand("another"), Said::Answer("another".to_owned()));
        let shown = "not sent yet: value one\nEnter alone sends that\n";
        assert_eq!(plain.understand("1"), Said::Next(shown.to_owned()));
        assert_eq!(plain.draft(), "value one");
        assert_eq!(plain.understand(""), Said::Answer("value one".to_owned()));
    }

    #[test]
    fn a_recommendation_kept_back_is_told_between_two_enters() {
        let prompt = ReplyPrompt { reveal: Reveal::WhenLeaning, choices: choices(2), draft: String::new(), ..prompt() };
        let mut plain = PlainReply::new(&prompt, 60);
        assert!(!plain.text().contains("recommend"), "{}", plain.text());
        assert_eq!(plain.understand("/skip"), Said::Answer("/skip".to_owned()));
        let told = "the recommendation was 1. choice one: why one would take it\n· Enter sends yours\n";
        let shown = format!("{told}not sent yet: value two\nEnter alone sends that\n");
        assert_eq!(plain.understand("2"), Said::Next(shown));
        assert_eq!(plain.understand(""), Said::Answer("value two".to_owned()));
        let mut plain = PlainReply::new(&prompt, 60);
        assert!(matches!(plain.understand("my own"), Said::Next(text) if text.starts_with(told)));
        assert_eq!(plain.draft(), "my own");
        assert_eq!(plain.understand("changed"), Said::Answer("changed".to_owned()));
    }
}
