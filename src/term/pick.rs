//! One of several options, words of one's own, or a conversation instead (Q1 to Q7).

use super::fit::wrap;
use super::frame::{Foot, Frame};
use super::keys::Key;
use super::options::{Notes, Offer, Options, Typing};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};
use crate::app::prompt::{PickPrompt, Picked};
use crate::domain::ui::Kind;

const LIST_KEYS: &str = "Up/Down move, digits jump, Enter selects, n adds a note, Esc cancels";
const WORDS_KEYS: &str = "Enter submits, Alt+Enter new line, Esc goes back and keeps it";
const NOTE_KEYS: &str = "Enter attaches the note, Alt+Enter new line, Esc goes back and keeps it";

/// A [`PickPrompt`] that is open.
#[derive(Clone, Debug)]
pub struct Pick<'a> {
    prompt: &'a PickPrompt,
    options: Options<'a>,
}

impl<'a> Pick<'a> {
    /// Opens the list on its first row.
    pub fn new(prompt: &'a PickPrompt) -> Self {
        let offer = Offer {
            other: prompt.other.as_deref(),
            discuss: prompt.discuss.as_deref(),
            notes: Notes::Taken,
            slash: prompt.slash,
            kind: Kind::One,
            previews: &[],
        };
        Self { prompt, options: Options::new(&prompt.choices, offer, &prompt.draft) }
    }
}

impl Pick<'_> {
    /// The same with the editor for words of one's own open: somebody types already, and no key of theirs is for the list.
    #[must_use]
    pub fn writing(mut self) -> Self {
        self.options.open_words();
        self
    }
}

/// The lines that stay above a prompt with a heading.
pub fn question_lines(heading: &str, question: &str, cols: usize, theme: &Theme) -> Vec<String> {
    let shown = |text: &str| if text.is_empty() { Vec::new() } else { wrap(text, cols) };
    let heading = shown(heading).into_iter().map(|line| theme.muted(&line));
    heading.chain(shown(question).iter().map(|line| theme.strong(line))).collect()
}

impl Widget for Pick<'_> {
    type Value = Picked;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        question_lines(&self.prompt.heading, &self.prompt.question, cols, theme)
    }

    fn key(&mut self, key: Key) -> Step<Picked> {
        self.options.key(key)
    }

    fn paste(&mut self, text: &str) {
        self.options.paste(text);
    }

    fn held_back(&mut self, why: &'static str) {
        self.options.held_back(why);
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let keys = match self.options.typing() {
            None => LIST_KEYS,
            Some(Typing::Words) => WORDS_KEYS,
            Some(Typing::Note) => NOTE_KEYS,
        };
        let foot = match self.options.warning() {
            Some(warning) => Foot::Warning(warning),
            None => Foot::Help { status: self.prompt.status.clone(), keys: keys.to_owned() },
        };
        let list = self.options.rows(size, None, theme);
        let above = self.intro(size.usable(), theme).len();
        let frame = Frame { list, foot, ..Frame::default() };
        frame.asking(&self.prompt.question, above, size, theme).view(size, theme)
    }

    fn outro(&self, value: &Picked) -> String {
        match value {
            Picked::Choice { index, note } => {
                let chosen = format!("{}. {}", index + 1, self.prompt.choices[*index].label);
                note.as_ref().map_or(chosen.clone(), |note| format!("{chosen}\nnote: {note}"))
            }
            Picked::Wrote(words) => words.clone(),
            Picked::Discuss => self.prompt.discuss.clone().unwrap_or_default(),
        }
    }

    fn draft(&self) -> String {
        self.options.typed()
    }
}

#[cfg(test)]
#[path = "pick_tests.rs"]
mod tests;
