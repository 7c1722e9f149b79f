//! Several questions as one form: a tab for each and one to submit (P2, P3). Any answer can be changed until then.

use super::fit::{cut, wrap};
use super::frame::{Foot, Frame, Rows};
use super::keys::Key;
use super::listing::{Row, plain_row};
use super::options::{Notes, Offer, Options, Taken, Typing};
use super::pick::question_lines;
use super::picker::Place;
use super::slash::{REFUSED, SlashLine, Took};
use super::tabs::{State, Tab, bar};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget};
use crate::app::prompt::{FormAnswer, FormPrompt, FormQuestion, Picked, Slash};
use crate::domain::ui::Kind;

const SUBMIT: &str = "Submit";
const LIST_KEYS: &str = "Tab/Right next, Shift-Tab/Left previous, Up/Down move, Enter answers, Esc cancels";
const NOTED_KEYS: &str =
    "Tab/Right next, Shift-Tab/Left previous, Up/Down move, Enter answers, n adds a note, Esc cancels";
const MANY_KEYS: &str =
    "Space chooses, Enter answers, Tab/Right next, Shift-Tab/Left previous, Up/Down move, Esc cancels";
const MANY_NOTED_KEYS: &str =
    "Space chooses, n adds a note, Enter answers, Tab/Right next, Shift-Tab/Left previous, Up/Down move, Esc cancels";
const NOTE_KEYS: &str = "Enter or Esc goes back to the options and keeps the note";
const WORDS_KEYS: &str = "Enter answers, Tab next question, Esc goes back to the options and keeps it";
const SUBMIT_KEYS: &str = "Enter submits, or goes to the question one is on; Tab/Right next, Esc cancels";

/// A question of more rows than this also stands above the form, because under its tab only its beginning may be seen.
const LONG_QUESTION: usize = 6;
/// So many rows of the scrollback are left to each question and its answer.
const OUTRO_ROWS: usize = 4;
/// So much of each answer, so that a long one leaves room for the others.
const OUTRO_CHARACTERS: usize = 160;

/// A [`FormPrompt`] that is open.
#[derive(Clone, Debug)]
pub struct Form<'a> {
    prompt: &'a FormPrompt,
    questions: Vec<Options<'a>>,
    answers: Vec<Option<FormAnswer>>,
    /// The tab one is on; the one behind the questions submits.
    at: usize,
    /// The row of the last tab one is on; the last row submits.
    review: Place,
    /// What is typed on the last tab, where it begins with `/`.
    line: SlashLine,
    warning: Option<String>,
}

impl<'a> Form<'a> {
    /// Opens the form on its first question.
    pub fn new(prompt: &'a FormPrompt) -> Self {
        let open = |question: &'a FormQuestion| {
            let offer = Offer {
                other: question.other.as_deref(),
                discuss: None,
                notes: if question.note { Notes::Taken } else { Notes::None },
                slash: Slash::Refused,
                kind: question.kind,
                previews: &question.previews,
            };
            let mut options = Options::new(&question.choices, offer, "");
            if question.choices.is_empty() {
                options.open_words();
            }
            options
        };
        let count = prompt.questions.len();
        Self {
            prompt,
            questions: prompt.questions.iter().map(open).collect(),
            answers: vec![None; count],
            at: 0,
            review: Place::first_of(count + 1),
            line: SlashLine::default(),
            warning: None,
        }
    }

    fn go(&mut self, tab: usize) {
        self.at = tab;
        self.line.clear();
        self.review.go(self.questions.len());
        if let Some(options) = self.questions.get_mut(tab) {
            options.hush();
        }
    }

    /// A single question needs no Submit tab: its answer is the form's.
    fn tabs(&self) -> usize {
        match self.questions.len() {
            1 => 1,
            several => several + 1,
        }
    }

    fn question_key(&mut self, at: usize, key: Key) -> Step<Vec<FormAnswer>> {
        if self.prompt.questions[at].kind == Kind::Many
            && let Some(step) = self.several_key(at, key)
        {
            return step;
        }
        match self.questions[at].key(key) {
            Step::Cancel => return Step::Cancel,
            Step::Send(Picked::Choice { index, note }) => {
                return self.answer(at, FormAnswer { note, ..FormAnswer::choice(index) });
            }
            Step::Send(Picked::Wrote(words)) => {
                self.questions[at].close();
                match self.prompt.questions[at].kind {
                    Kind::One => return self.answer(at, FormAnswer::own(words)),
                    // They stand beside what is chosen, and Enter in the list sends both.
                    Kind::Many if self.prompt.questions[at].choices.is_empty() => return self.answer_several(at),
                    Kind::Many => self.forget_changed(at),
                }
            }
            // A form has no such entry.
            Step::Send(Picked::Discuss) => {}
            Step::Stay => self.forget_changed(at),
        }
        Step::Stay
    }

    /// Handles the keys that differ in a list that takes several choices; `None` while text is being typed.
    fn several_key(&mut self, at: usize, key: Key) -> Option<Step<Vec<FormAnswer>>> {
        let options = &mut self.questions[at];
        if options.is_typing() {
            return None;
        }
        if key == Key::Char(' ') {
            options.toggle();
        } else if key == Key::Enter && !(options.is_on_words() && options.words().is_empty()) {
            return Some(self.answer_several(at));
        } else {
            return None;
        }
        self.forget_changed(at);
        Some(Step::Stay)
    }

    /// The choices ticked now, with the user's own words.
    fn several(&self, at: usize) -> FormAnswer {
        let options = &self.questions[at];
        let other = Some(options.words()).filter(|words| !words.is_empty()).map(str::to_owned);
        FormAnswer { chosen: options.ticked(), other, note: options.ticked_note() }
    }

    fn answer_several(&mut self, at: usize) -> Step<Vec<FormAnswer>> {
        let answer = self.several(at);
        if !self.prompt.questions[at].takes(&answer) {
            self.warning = Some("nothing is chosen yet: Space chooses".to_owned());
            return Step::Stay;
        }
        self.answer(at, answer)
    }

    /// Takes an answer and goes to the next question without one, or to where one submits.
    fn answer(&mut self, at: usize, answer: FormAnswer) -> Step<Vec<FormAnswer>> {
        let count = self.questions.len();
        if count == 1 {
            return Step::Send(vec![answer]);
        }
        self.answers[at] = Some(answer);
        let next = (1..count).map(|ahead| (at + ahead) % count).find(|next| self.answers[*next].is_none());
        self.go(next.unwrap_or(count));
        Step::Stay
    }

    /// An answer that was changed after Enter no longer counts: only what is visible is submitted.
    fn forget_changed(&mut self, at: usize) {
        let Some(answer) = &self.answers[at] else { return };
        let options = &self.questions[at];
        let stands = match (self.prompt.questions[at].kind, answer.chosen.first()) {
            (Kind::Many, _) => *answer == self.several(at),
            (Kind::One, Some(index)) => answer.note.as_deref().unwrap_or_default() == options.note(*index),
            (Kind::One, None) => answer.other.as_deref() == Some(options.words()),
        };
        if !stands {
            self.answers[at] = None;
        }
    }

    fn submit_key(&mut self, key: Key) -> Step<Vec<FormAnswer>> {
        match self.line.key(key) {
            Took::Nothing => {}
            Took::Key => return Step::Stay,
            Took::Line(_) => {
                self.warning = Some(REFUSED.to_owned());
                return Step::Stay;
            }
        }
        if key == Key::Char('/') {
            self.line.begin('/');
            return Step::Stay;
        }
        if matches!(key, Key::Escape | Key::Close) {
            return Step::Cancel;
        }
        if key != Key::Enter {
            self.review.follow(key);
            return Step::Stay;
        }
        if self.review.row() < self.questions.len() {
            self.go(self.review.row());
            return Step::Stay;
        }
        let answers: Option<Vec<FormAnswer>> = self.answers.iter().cloned().collect();
        answers.map_or_else(
            || {
                self.warning = Some(format!("still to be answered: {}", self.missing().join(", ")));
                Step::Stay
            },
            Step::Send,
        )
    }

    fn missing(&self) -> Vec<&str> {
        let all = self.prompt.questions.iter().zip(&self.answers);
        all.filter(|(_, answer)| answer.is_none()).map(|(question, _)| question.label.as_str()).collect()
    }

    fn bar(&self, columns: usize, theme: &Theme) -> String {
        let state = |answer: &Option<FormAnswer>| if answer.is_some() { State::Answered } else { State::Open };
        let all = self.prompt.questions.iter().zip(&self.answers);
        let mut tabs: Vec<Tab<'_>> =
            all.map(|(question, answer)| Tab { label: &question.label, state: state(answer) }).collect();
        if self.tabs() > tabs.len() {
            tabs.push(Tab { label: SUBMIT, state: State::Open });
        }
        bar(&tabs, self.at, columns, theme)
    }

    fn taken(&self, at: usize) -> Option<Taken> {
        let answer = self.answers[at].as_ref()?;
        Some(match (self.prompt.questions[at].kind, answer.chosen.first()) {
            (Kind::Many, _) => Taken::Ticked,
            (Kind::One, Some(index)) => Taken::Choice(*index),
            (Kind::One, None) => Taken::Words,
        })
    }

    fn review_rows(&self, columns: usize, theme: &Theme) -> Rows {
        let row = |at: usize| if at == self.review.row() { Row::Here } else { Row::Elsewhere };
        let all = self.prompt.questions.iter().zip(&self.answers).enumerate();
        let line = |(at, (question, answer)): (usize, (&FormQuestion, &Option<FormAnswer>))| {
            let answer = answer.as_ref().map_or_else(|| "not answered yet".to_owned(), |answer| said(question, answer));
            let line = cut(&format!("{}: {answer}", question.label), columns.saturating_sub(2), theme.ellipsis());
            plain_row(&line, row(at), columns, theme)
        };
        let mut blocks: Vec<Vec<String>> = all.map(line).collect();
        blocks.push(plain_row(SUBMIT, row(blocks.len()), columns, theme));
        Rows { blocks, focus: self.review.row(), column: 0 }
    }
}

fn list_keys(question: &FormQuestion, typing: Option<Typing>) -> &'static str {
    match (typing, question.kind, question.note) {
        (Some(Typing::Words), ..) => WORDS_KEYS,
        (Some(Typing::Note), ..) => NOTE_KEYS,
        (None, Kind::One, false) => LIST_KEYS,
        (None, Kind::One, true) => NOTED_KEYS,
        (None, Kind::Many, false) => MANY_KEYS,
        (None, Kind::Many, true) => MANY_NOTED_KEYS,
    }
}

pub fn said(question: &FormQuestion, answer: &FormAnswer) -> String {
    let chosen = answer.chosen.iter().map(|index| format!("{}. {}", index + 1, question.choices[*index].label));
    chosen.chain(answer.other.clone()).collect::<Vec<_>>().join(", ")
}

impl Widget for Form<'_> {
    type Value = Vec<FormAnswer>;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        let mut lines = question_lines(&self.prompt.heading, "", cols, theme);
        for question in &self.prompt.questions {
            let text = format!("{} · {}", question.label, question.prompt);
            if wrap(&question.prompt, cols).len() > LONG_QUESTION {
                lines.extend(question_lines("", &text, cols, theme));
            }
        }
        lines
    }

    fn key(&mut self, key: Key) -> Step<Vec<FormAnswer>> {
        self.warning = None;
        let typing = self.questions.get(self.at).and_then(Options::typing);
        match (key, typing) {
            (Key::Tab, _) | (Key::Right, None) => self.go((self.at + 1) % self.tabs()),
            (Key::BackTab, _) | (Key::Left, None) => self.go((self.at + self.tabs() - 1) % self.tabs()),
            _ if self.at < self.questions.len() => return self.question_key(self.at, key),
            _ => return self.submit_key(key),
        }
        Step::Stay
    }

    fn paste(&mut self, text: &str) {
        self.warning = None;
        match self.questions.get_mut(self.at) {
            Some(options) => {
                options.paste(text);
                self.forget_changed(self.at);
            }
            None => self.warning = Some("nothing here takes pasted text".to_owned()),
        }
    }

    fn held_back(&mut self, why: &'static str) {
        self.warning = Some(why.to_owned());
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let (head, list, keys, warning) = if let Some(options) = self.questions.get(self.at) {
            let head = wrap(&self.prompt.questions[self.at].prompt, columns);
            let keys = list_keys(&self.prompt.questions[self.at], options.typing());
            (head, options.rows(size, self.taken(self.at), theme), keys, options.warning())
        } else {
            let answered = self.answers.len() - self.missing().len();
            let head = format!("{answered} of {} answered", self.answers.len());
            (wrap(&head, columns), self.review_rows(columns, theme), SUBMIT_KEYS, self.line.shown())
        };
        let foot = match self.warning.clone().or(warning) {
            Some(warning) => Foot::Warning(warning),
            None => Foot::keys(keys),
        };
        Frame { bar: Some(self.bar(columns, theme)), head, list, foot }.view(size, theme)
    }

    fn outro(&self, value: &Vec<FormAnswer>) -> String {
        let both = self.prompt.questions.iter().zip(value);
        // The questions were redrawn with their tabs; without them the answers would say nothing in the scrollback.
        let lines = both.map(|(question, answer)| {
            let asked = question.prompt.lines().next().unwrap_or_default();
            let note = answer.note.as_ref().map(|note| format!("\nnote: {note}")).unwrap_or_default();
            let answer = said(question, answer) + &note;
            let mut start: String = answer.chars().take(OUTRO_CHARACTERS).collect();
            if start.len() < answer.len() {
                start.push_str(" ...");
            }
            format!("{} · {asked}\n  {}", question.label, start.replace('\n', "\n  "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn outro_rows(&self) -> usize {
        self.questions.len().saturating_mul(OUTRO_ROWS)
    }

    fn draft(&self) -> String {
        let typed = self.questions.iter().map(Options::typed).filter(|typed| !typed.is_empty());
        typed.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
