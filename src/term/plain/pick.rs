//! One of several options, words of one's own, or a conversation instead, in plain lines (Q1 to Q7).

use super::reply::unsent;
use super::{LineOutcome, Plain, numbered, one_of, paragraph};
use crate::app::prompt::{Choice, PickPrompt, Picked, noted};
use crate::term::slash::{REFUSED_WORDS, own_words};

/// A [`PickPrompt`] in plain lines.
#[derive(Clone, Debug)]
pub struct PlainPick<'a> {
    prompt: &'a PickPrompt,
    columns: usize,
    /// The entries as they are numbered: the choices, then ours.
    entries: Vec<Choice>,
    /// Words of one's own that were not sent before.
    words: String,
    notes: Vec<String>,
    asking: Asking,
}

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    Entry,
    Words,
}

impl<'a> PlainPick<'a> {
    /// Opens `prompt`, its lines broken at so many columns.
    pub fn new(prompt: &'a PickPrompt, columns: usize) -> Self {
        let mut entries = prompt.choices.clone();
        entries.extend([&prompt.other, &prompt.discuss].into_iter().flatten().map(|label| own(label)));
        let (words, notes) = noted::apart(&prompt.draft, &prompt.choices);
        Self { prompt, columns, entries, words, notes, asking: Asking::Entry }
    }

    fn entry(&mut self, line: &str) -> LineOutcome<Picked> {
        if let Some((at, note)) = self.noted(line) {
            note.clone_into(&mut self.notes[at]);
            return LineOutcome::Next(paragraph(&format!("noted on {}; its number selects it", at + 1), self.columns));
        }
        let choices = self.prompt.choices.len();
        let is_number = line.trim().bytes().all(|byte| byte.is_ascii_digit());
        match (one_of(line, &self.entries), &self.prompt.other) {
            (Some(index), _) if index < choices => {
                let note = Some(&self.notes[index]).filter(|note| !note.is_empty()).cloned();
                LineOutcome::Answer(Picked::Choice { index, note })
            }
            (Some(index), Some(_)) if index == choices => {
                self.asking = Asking::Words;
                let draft = self.words.trim();
                LineOutcome::Next(if draft.is_empty() { String::new() } else { unsent(draft, self.columns) })
            }
            (Some(_), _) => LineOutcome::Answer(Picked::Discuss),
            (None, Some(_)) if !is_number => self.wrote(line),
            (None, Some(_)) => LineOutcome::Again("a number of the list, or words of your own; Ctrl-D closes".into()),
            (None, None) => LineOutcome::Again("that is none of the numbers; Ctrl-D closes".into()),
        }
    }

    /// `n 2 why` is a note on the second choice; without a text it takes the note away.
    fn noted<'l>(&self, line: &'l str) -> Option<(usize, &'l str)> {
        let rest = line.trim().strip_prefix("n ")?.trim_start();
        let (number, note) = rest.split_once(' ').unwrap_or((rest, ""));
        let at = number.parse::<usize>().ok()?.checked_sub(1)?;
        (at < self.notes.len()).then(|| (at, note.trim()))
    }

    fn words(&mut self, line: &str) -> LineOutcome<Picked> {
        let words = if line.trim().is_empty() { self.words.as_str() } else { line };
        if words.trim().is_empty() {
            self.asking = Asking::Entry;
            return LineOutcome::Again("nothing was written; back to the list".into());
        }
        self.wrote(words)
    }

    fn wrote(&self, text: &str) -> LineOutcome<Picked> {
        let words = own_words(text, self.prompt.slash);
        words.map_or(LineOutcome::Again(REFUSED_WORDS.into()), |words| LineOutcome::Answer(Picked::Wrote(words)))
    }
}

/// A numbered entry of ours.
pub fn own(label: &str) -> Choice {
    Choice { value: label.to_owned(), label: label.to_owned(), description: None, recommended: false }
}

impl Plain for PlainPick<'_> {
    type Value = Picked;

    fn text(&self) -> String {
        let prompt = self.prompt;
        let mut text = paragraph(&prompt.heading, self.columns) + &paragraph(&prompt.question, self.columns);
        text += &numbered(&self.entries, self.columns);
        text += &paragraph(&prompt.status, self.columns);
        text += &paragraph("n 2 why: a note on 2; Ctrl-D closes", self.columns);
        if prompt.other.is_some() && !prompt.draft.trim().is_empty() {
            text += &paragraph(&format!("not sent yet: {}", prompt.draft), self.columns);
        }
        text
    }

    fn lead(&self) -> &'static str {
        match (self.asking, &self.prompt.other) {
            (Asking::Words, _) => "your words> ",
            (Asking::Entry, Some(_)) => "number or your words> ",
            (Asking::Entry, None) => "number> ",
        }
    }

    fn understand(&mut self, line: &str) -> LineOutcome<Picked> {
        match self.asking {
            Asking::Entry => self.entry(line),
            Asking::Words => self.words(line),
        }
    }

    fn draft(&self) -> String {
        noted::joined(&self.words, &self.prompt.choices, self.notes.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::prompt::Slash;
    use crate::term::testing::choices;

    fn prompt() -> PickPrompt {
        PickPrompt {
            question: "Which?".to_owned(),
            choices: choices(2),
            other: Some("Something else".to_owned()),
            discuss: Some("Let's discuss this".to_owned()),
            ..PickPrompt::default()
        }
    }

    #[test]
    fn our_entries_continue_the_numbers() {
        let prompt = prompt();
        let text = PlainPick::new(&prompt, 60).text();
        let expected = "Which?\n1. choice one (recommended)\n   why one would take it\n2. choice two\n   why one would \
                        take it\n3. Something else\n4. Let's discuss this\nn 2 why: a note on 2; Ctrl-D closes\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_line_is_a_number_a_note_or_words() {
        let prompt = prompt();
        let mut pick = PlainPick::new(&prompt, 60);
        assert_eq!(pick.understand("4"), LineOutcome::Answer(Picked::Discuss));
        assert_eq!(pick.understand("2"), LineOutcome::Answer(Picked::Choice { index: 1, note: None }));
        assert!(matches!(pick.understand("n 2  because"), LineOutcome::Next(_)));
        assert_eq!(pick.draft(), "note on 2. choice two: because");
        let prompt_again = PickPrompt { draft: pick.draft(), ..prompt.clone() };
        let mut again = PlainPick::new(&prompt_again, 60);
        let back = Picked::Choice { index: 1, note: Some("because".to_owned()) };
        assert_eq!(again.understand("2"), LineOutcome::Answer(back));
        assert_eq!(again.understand("3"), LineOutcome::Next(String::new()), "it is no word of one's own");
        let noted = Picked::Choice { index: 1, note: Some("because".to_owned()) };
        assert_eq!(pick.understand("2"), LineOutcome::Answer(noted));
        assert!(matches!(pick.understand("n 2"), LineOutcome::Next(_)));
        assert_eq!(pick.understand("2"), LineOutcome::Answer(Picked::Choice { index: 1, note: None }));
        assert_eq!(pick.understand("  a board "), LineOutcome::Answer(Picked::Wrote("a board".to_owned())));
        for line in ["", "9", "0"] {
            assert!(matches!(pick.understand(line), LineOutcome::Again(_)), "{line:?}");
        }
    }

    #[test]
    fn the_entry_for_other_words_asks_for_them_and_a_blank_line_goes_back() {
        let mut prompt = prompt();
        let mut pick = PlainPick::new(&prompt, 60);
        assert_eq!(pick.understand("3"), LineOutcome::Next(String::new()));
        assert_eq!(pick.lead(), "your words> ");
        assert!(matches!(pick.understand(" "), LineOutcome::Again(_)));
        assert_eq!(pick.lead(), "number or your words> ");
        pick.understand("3");
        assert_eq!(pick.understand("2"), LineOutcome::Answer(Picked::Wrote("2".to_owned())));
        prompt.draft = "half".to_owned();
        let mut pick = PlainPick::new(&prompt, 60);
        pick.understand("3");
        assert_eq!(pick.understand(""), LineOutcome::Answer(Picked::Wrote("half".to_owned())));
    }

    #[test]
    fn g11_words_that_begin_with_a_slash_are_refused_where_nobody_serves_a_verb() {
        let mut prompt = prompt();
        let mut pick = PlainPick::new(&prompt, 60);
        assert_eq!(pick.understand("/why"), LineOutcome::Again(REFUSED_WORDS.into()));
        assert_eq!(pick.understand(" /etc is read"), LineOutcome::Answer(Picked::Wrote("/etc is read".to_owned())));
        prompt.slash = Slash::Verb;
        let mut pick = PlainPick::new(&prompt, 60);
        assert_eq!(pick.understand("/why"), LineOutcome::Answer(Picked::Wrote("/why".to_owned())));
        assert_eq!(pick.understand(" /etc is read"), LineOutcome::Answer(Picked::Wrote(" /etc is read".to_owned())));
    }

    #[test]
    fn without_the_entry_no_words_are_taken() {
        let prompt = PickPrompt { other: None, ..prompt() };
        let mut pick = PlainPick::new(&prompt, 60);
        assert!(matches!(pick.understand("a board"), LineOutcome::Again(_)));
        assert_eq!(pick.understand("3"), LineOutcome::Answer(Picked::Discuss));
    }
}
