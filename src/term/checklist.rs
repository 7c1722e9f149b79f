//! Choosing several of a list (Q8, Q9): Space or Enter toggles, `a` toggles all, and the last row is the only way to
//! send, so that an Enter too many never sends an unfinished choice. In a conversation a verb can be typed as well (G11).

use super::frame::{Foot, Frame, Rows};
use super::keys::Key;
use super::listing::{Row, Tick, choice_lines, plain_row};
use super::pick::question_lines;
use super::picker::Place;
use super::slash::{REFUSED, SlashLine, Took};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};
use crate::app::prompt::{Many, ManyPrompt};

const HELP: &str = "Space or Enter toggles, a toggles all, End to Done, Esc cancels";

/// A [`ManyPrompt`] that is open.
#[derive(Clone, Debug)]
pub struct Checklist<'a> {
    prompt: &'a ManyPrompt,
    place: Place,
    ticked: Vec<bool>,
    line: SlashLine,
    note: Option<String>,
}

/// The same where verbs are served.
#[derive(Clone, Debug)]
pub struct VerbChecklist<'a>(Checklist<'a>);

impl<'a> VerbChecklist<'a> {
    /// Opens the list with nothing ticked.
    pub fn new(prompt: &'a ManyPrompt) -> Self {
        Self(Checklist::new(prompt))
    }
}

impl<'a> Checklist<'a> {
    /// Opens the list with nothing ticked.
    pub fn new(prompt: &'a ManyPrompt) -> Self {
        let count = prompt.choices.len();
        let place = Place::first_of(count + 1);
        Self { prompt, place, ticked: vec![false; count], line: SlashLine::default(), note: None }
    }

    fn chosen(&self) -> Vec<usize> {
        (0..self.ticked.len()).filter(|at| self.ticked[*at]).collect()
    }

    /// A list shorter than the number asked for can still be sent whole.
    fn at_least(&self) -> usize {
        self.prompt.at_least.min(self.ticked.len())
    }

    fn done(&self) -> String {
        let count = self.chosen().len();
        match self.at_least() {
            least if count >= least => format!("Done ({count} selected)"),
            1 => "Done (select at least one)".to_owned(),
            least => format!("Done ({count} selected, select at least {least})"),
        }
    }

    fn toggle(&mut self) -> Step<Many> {
        if let Some(tick) = self.ticked.get_mut(self.place.row()) {
            *tick = !*tick;
            return Step::Stay;
        }
        let chosen = self.chosen();
        if chosen.len() < self.at_least() {
            self.note = Some(format!("select at least {} first, with Space", self.at_least()));
            return Step::Stay;
        }
        Step::Send(Many::Chosen(chosen))
    }

    fn toggle_all(&mut self) {
        let all = self.ticked.iter().all(|tick| *tick);
        self.ticked.fill(!all);
    }

    /// Takes one key; a line that begins with `/` is sent as a verb.
    fn take(&mut self, key: Key) -> Step<Many> {
        self.note = None;
        match self.line.key(key) {
            Took::Nothing => {}
            Took::Key => return Step::Stay,
            Took::Line(line) => return Step::Send(Many::Verb(line)),
        }
        if matches!(key, Key::Enter | Key::Char(' ')) {
            return self.toggle();
        }
        if matches!(key, Key::Escape | Key::Close) {
            return Step::Cancel;
        }
        if key == Key::Char('/') {
            self.line.begin('/');
        }
        if key == Key::Char('a') {
            self.toggle_all();
        }
        self.place.follow(key);
        Step::Stay
    }

    fn row(&self, at: usize) -> Row {
        if at == self.place.row() { Row::Here } else { Row::Elsewhere }
    }
}

impl Widget for Checklist<'_> {
    type Value = Vec<usize>;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        question_lines(&self.prompt.heading, &self.prompt.question, cols, theme)
    }

    fn key(&mut self, key: Key) -> Step<Vec<usize>> {
        match self.take(key) {
            Step::Stay => Step::Stay,
            Step::Cancel => Step::Cancel,
            Step::Send(Many::Chosen(chosen)) => Step::Send(chosen),
            Step::Send(Many::Verb(_)) => {
                self.note = Some(REFUSED.to_owned());
                Step::Stay
            }
        }
    }

    fn paste(&mut self, text: &str) {
        self.line.paste(text);
    }

    fn held_back(&mut self, why: &'static str) {
        self.note = Some(why.to_owned());
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let count = self.prompt.choices.len();
        let mut blocks: Vec<Vec<String>> = Vec::new();
        for (at, choice) in self.prompt.choices.iter().enumerate() {
            let tick = if self.ticked[at] { Tick::Set } else { Tick::Open };
            blocks.push(choice_lines(choice, (at + 1, count), (self.row(at), tick), columns, theme));
        }
        blocks.push(plain_row(&self.done(), self.row(count), columns, theme));
        let foot = match self.line.shown().or_else(|| self.note.clone()) {
            Some(note) => Foot::Warning(note),
            // The last row, which has the number too, is out of sight in a long list.
            None => Foot::keys(&format!("{} selected · {HELP}", self.chosen().len())),
        };
        let list = Rows { blocks, focus: self.place.row(), column: 0 };
        let above = self.intro(columns, theme).len();
        let frame = Frame { list, foot, ..Frame::default() };
        frame.asking(&self.prompt.question, above, size, theme).view(size, theme)
    }

    fn outro(&self, value: &Vec<usize>) -> String {
        match value.as_slice() {
            [] => "none".to_owned(),
            chosen => chosen.iter().map(|at| self.prompt.choices[*at].label.as_str()).collect::<Vec<_>>().join(", "),
        }
    }
}

impl Widget for VerbChecklist<'_> {
    type Value = Many;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        self.0.intro(cols, theme)
    }

    fn key(&mut self, key: Key) -> Step<Many> {
        self.0.take(key)
    }

    fn paste(&mut self, text: &str) {
        self.0.paste(text);
    }

    fn held_back(&mut self, why: &'static str) {
        self.0.held_back(why);
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        self.0.view(size, theme)
    }

    fn outro(&self, value: &Many) -> String {
        match value {
            Many::Chosen(chosen) => self.0.outro(chosen),
            Many::Verb(line) => line.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::{assert_asks_above_its_list, assert_fits_everywhere, choices, picture};

    fn prompt(count: usize, at_least: usize) -> ManyPrompt {
        ManyPrompt { question: "Which topics?".to_owned(), choices: choices(count), at_least, ..ManyPrompt::default() }
    }

    fn last_row(list: &Checklist<'_>) -> String {
        let lines = picture(list, 90, 40);
        lines[lines.len() - 2].trim_start_matches(['›', ' ']).to_owned()
    }

    #[test]
    fn space_and_enter_toggle_and_the_count_is_live() {
        let prompt = prompt(3, 1);
        let mut list = Checklist::new(&prompt);
        assert_eq!(last_row(&list), "Done (select at least one)");
        list.key(Key::Char(' '));
        list.key(Key::Down);
        list.key(Key::Down);
        list.key(Key::Enter);
        assert_eq!(last_row(&list), "Done (2 selected)");
        list.key(Key::Enter);
        assert_eq!(last_row(&list), "Done (1 selected)");
        list.key(Key::Enter);
        list.key(Key::Down);
        assert_eq!(list.key(Key::Enter), Step::Send(vec![0, 2]));
    }

    #[test]
    fn done_with_too_few_stays_and_says_why() {
        let prompt = prompt(3, 1);
        let mut list = Checklist::new(&prompt);
        list.key(Key::End);
        assert_eq!(list.key(Key::Enter), Step::Stay);
        assert_eq!(picture(&list, 60, 40).last().expect("there is one"), "select at least 1 first, with Space");
    }

    #[test]
    fn a_takes_all_and_gives_all_back() {
        let prompt = prompt(4, 0);
        let mut list = Checklist::new(&prompt);
        list.key(Key::Char('2'));
        list.key(Key::Char(' '));
        list.key(Key::Char('a'));
        assert_eq!(last_row(&list), "Done (4 selected)");
        list.key(Key::Char('a'));
        assert_eq!(last_row(&list), "Done (0 selected)");
        list.key(Key::End);
        assert_eq!(list.key(Key::Char(' ')), Step::Send(vec![]));
        assert_eq!(list.key(Key::Escape), Step::Cancel);
    }

    #[test]
    fn g11_a_verb_ticks_nothing_and_is_sent_where_it_is_served() {
        let prompt = prompt(3, 0);
        let line: Vec<Key> = "/back 2".chars().map(Key::Char).collect();
        let mut list = Checklist::new(&prompt);
        assert_eq!(list.key(Key::End), Step::Stay);
        assert!(line.iter().all(|key| list.key(*key) == Step::Stay));
        assert_eq!(last_row(&list), "Done (0 selected)");
        let shown = picture(&list, 90, 40);
        assert_eq!(shown.last().expect("one"), "/back 2 · Enter ends this line, Esc clears it");
        assert_fits_everywhere(&list);
        assert_eq!(list.key(Key::Enter), Step::Stay, "nobody serves it here");
        assert_eq!(picture(&list, 90, 40).last().expect("one"), REFUSED);
        assert!(line.iter().all(|key| list.key(*key) == Step::Stay));
        assert_eq!(list.key(Key::Escape), Step::Stay, "it clears the line");
        assert_eq!(list.key(Key::Enter), Step::Send(vec![]));
        let mut list = VerbChecklist::new(&prompt);
        assert!(line.iter().all(|key| list.key(*key) == Step::Stay));
        assert_eq!(list.key(Key::Enter), Step::Send(Many::Verb("/back 2".to_owned())));
        list.key(Key::Char('a'));
        list.key(Key::End);
        assert_eq!(list.key(Key::Enter), Step::Send(Many::Chosen(vec![0, 1, 2])));
    }

    #[test]
    fn q8_the_help_line_counts_what_is_selected_and_says_how_to_reach_done() {
        let prompt = prompt(40, 1);
        let mut list = Checklist::new(&prompt);
        for (key, selected) in [(Key::Down, 0), (Key::Char(' '), 1), (Key::Char('a'), 40)] {
            list.key(key);
            let lines = picture(&list, 80, 12);
            assert_eq!(lines[11], format!("{selected} selected · {HELP}"));
            assert!(!lines.concat().contains("Done ("), "{lines:?}");
            assert!(picture(&list, 20, 3)[2].starts_with(&format!("{selected} selected")));
        }
        list.key(Key::End);
        assert!(picture(&list, 80, 12).contains(&"› Done (40 selected)".to_owned()));
    }

    #[test]
    fn boxes_are_seen_without_colour() {
        let prompt = prompt(2, 1);
        let mut list = Checklist::new(&prompt);
        list.key(Key::Char(' '));
        let lines = picture(&list, 60, 40);
        assert_eq!(lines[0], "› [x] 1. choice one (recommended)");
        assert_eq!(lines[2], "  [ ] 2. choice two");
    }

    #[test]
    fn q8_the_question_stands_above_a_list_that_fills_the_window() {
        for question in ["Which topics?".to_owned(), "Which of these topics? ".repeat(100)] {
            let prompt = ManyPrompt { question: question.clone(), ..prompt(40, 1) };
            let mut list = Checklist::new(&prompt);
            assert_asks_above_its_list(&list, &question);
            for key in [Key::PageDown, Key::End] {
                list.key(key);
                assert_asks_above_its_list(&list, &question);
            }
        }
        // With room for both it is printed once above them, and the picture does not repeat it.
        assert_eq!(picture(&Checklist::new(&prompt(2, 1)), 80, 7)[0], "› [ ] 1. choice one (recommended)");
        assert_eq!(picture(&Checklist::new(&prompt(2, 1)), 80, 6)[0], "Which topics?");
    }

    #[test]
    fn it_fits_every_window() {
        let prompt = prompt(12, 2);
        let mut list = Checklist::new(&prompt);
        assert_fits_everywhere(&list);
        list.key(Key::End);
        assert_fits_everywhere(&list);
    }
}
