//! What was typed while something went on, before the prompt came up that it may have been meant for. It stands, not sent,
//! in the next editor of the conversation; it answers nothing, and no list and no server's form is given it.

use std::borrow::Cow;

use super::fit::wrap;
use crate::app::prompt::{PickPrompt, ReplyPrompt, Slash, noted};

/// The most of it that is kept, in bytes.
pub const MOST: usize = 64 * 1024;
/// The most rows of it that are shown where no editor takes it.
const MOST_ROWS: usize = 20;

/// The status line of an editor that has it.
const STANDS: &str = "what you typed meanwhile stands here; nothing of it was sent";
/// What is said where no editor takes it.
const UNSENT: &str = "what you typed meanwhile was not sent:";

/// Text that waits for an editor.
#[derive(Debug, Default)]
pub struct Early {
    text: String,
    /// Whether the person knows what became of it.
    told: bool,
    /// Whether its last line is still being typed, in a terminal that shows no key before the line is whole.
    half: bool,
}

impl Early {
    /// Adds what was typed, in lines of its own.
    pub fn add(&mut self, typed: &str) {
        if typed.trim().is_empty() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let room = MOST.saturating_sub(self.text.len());
        self.text.push_str(&typed[..typed.floor_char_boundary(room)]);
        self.told = false;
    }

    /// The same of what a terminal in line mode had not handed out yet.
    pub fn add_waiting(&mut self, typed: &str) {
        self.add(typed);
        self.half = !typed.is_empty() && !typed.ends_with('\n');
    }

    /// Takes whether the next line is the rest of one that was begun before.
    pub fn take_half(&mut self) -> bool {
        std::mem::take(&mut self.half)
    }

    /// Takes all of it.
    pub fn take(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        text.trim_end_matches('\n').to_owned()
    }

    /// Whether there is nothing to say of it.
    pub fn is_told(&self) -> bool {
        self.told || self.text.is_empty()
    }

    /// Says once that it was not sent.
    pub fn untold(&mut self, columns: usize) -> Option<String> {
        if self.is_told() {
            return None;
        }
        self.told = true;
        let mut rows = wrap(self.text.trim_end_matches('\n'), columns);
        let more = rows.len().saturating_sub(MOST_ROWS);
        rows.truncate(MOST_ROWS);
        if more > 0 {
            rows.push(format!("and {more} more lines"));
        }
        let told = wrap(UNSENT, columns).into_iter().chain(rows);
        Some(told.collect::<Vec<_>>().join("\n"))
    }

    /// The prompt with it behind its draft, where the conversation's own words are typed.
    pub fn behind_reply<'p>(&mut self, prompt: &'p ReplyPrompt) -> Cow<'p, ReplyPrompt> {
        if self.text.is_empty() || prompt.slash != Slash::Verb {
            return Cow::Borrowed(prompt);
        }
        let draft = behind(&prompt.draft, &self.take());
        Cow::Owned(ReplyPrompt { draft, status: STANDS.to_owned(), ..prompt.clone() })
    }

    /// The same of a list with an editor for words of one's own.
    pub fn behind_pick<'p>(&mut self, prompt: &'p PickPrompt) -> Cow<'p, PickPrompt> {
        if self.text.is_empty() || prompt.slash != Slash::Verb || prompt.other.is_none() {
            return Cow::Borrowed(prompt);
        }
        let (words, notes) = noted::apart(&prompt.draft, &prompt.choices);
        let words = behind(&words, &self.take());
        let draft = noted::joined(&words, &prompt.choices, notes.iter().map(String::as_str));
        Cow::Owned(PickPrompt { draft, status: STANDS.to_owned(), ..prompt.clone() })
    }
}

fn behind(draft: &str, typed: &str) -> String {
    if draft.trim().is_empty() { typed.to_owned() } else { format!("{draft}\n{typed}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::choices;

    fn early(typed: &[&str]) -> Early {
        let mut early = Early::default();
        for typed in typed {
            early.add(typed);
        }
        early
    }

    #[test]
    fn q15_it_stands_behind_the_draft_of_the_conversation_s_next_editor() {
        let reply = |draft: &str| ReplyPrompt { draft: draft.to_owned(), slash: Slash::Verb, ..ReplyPrompt::default() };
        let mut typed = early(&["by account\n", " ", "and address"]);
        assert_eq!(typed.behind_reply(&reply("")).draft, "by account\nand address");
        assert!(matches!(typed.behind_reply(&reply("")), Cow::Borrowed(_)), "it is given once");
        assert_eq!(early(&["more"]).behind_reply(&reply("half")).draft, "half\nmore");
        let pick = PickPrompt {
            choices: choices(2),
            other: Some("Other".to_owned()),
            draft: "note on 2. choice two: cheap".to_owned(),
            slash: Slash::Verb,
            ..PickPrompt::default()
        };
        assert_eq!(early(&["2"]).behind_pick(&pick).draft, "2\nnote on 2. choice two: cheap");
    }

    #[test]
    fn a18_no_list_and_no_form_of_another_is_given_it() {
        let mut typed = early(&["my words"]);
        let foreign = ReplyPrompt::default();
        assert!(matches!(typed.behind_reply(&foreign), Cow::Borrowed(_)));
        let list = PickPrompt { slash: Slash::Verb, ..PickPrompt::default() };
        assert!(matches!(typed.behind_pick(&list), Cow::Borrowed(_)));
        let told = typed.untold(80).unwrap();
        assert_eq!(told, format!("{UNSENT}\nmy words"));
        assert_eq!((typed.untold(80), typed.take()), (None, "my words".to_owned()));
    }

    #[test]
    fn it_is_bounded_and_a_line_that_is_being_typed_is_known() {
        let mut typed = early(&["é".repeat(MOST).as_str()]);
        assert!(typed.text.len() <= MOST);
        typed.add("more");
        assert!(typed.take().len() <= MOST + 1);
        typed.add_waiting("whole\nhal");
        assert!(typed.take_half() && !typed.take_half());
        typed.add_waiting("whole\n");
        assert!(!typed.take_half());
    }
}
