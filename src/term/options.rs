//! The options of one question: its choices, numbered, and behind them our own two entries (Q3). One of these opens an
//! editor in its place (Q5); a note can be written to a choice (Q6). What was typed stays when an editor is closed.

use super::edit::Editor;
use super::fit::{cut, width, wrap};
use super::frame::Rows;
use super::keys::Key;
use super::listing::{Row, Tick, choice_lines, hang, preview_lines};
use super::picker::Place;
use super::slash::{PLAN_MODE, REFUSED, REFUSED_WORDS, SlashLine, TYPED_ALREADY, Took, own_words};
use super::theme::Theme;
use super::widget::{Size, Step};
use crate::app::prompt::{Choice, Picked, Slash, noted};
use crate::domain::ui::Kind;

/// A note that is not being written takes at most so many rows.
const MAX_NOTE_ROWS: usize = 3;

/// The entries that are ours, and whether choices take notes.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// The label of the entry that opens an editor.
    pub other: Option<&'a str>,
    /// The label of the entry that asks for a conversation.
    pub discuss: Option<&'a str>,
    pub notes: Notes,
    /// What becomes of words that begin with `/`.
    pub slash: Slash,
    /// How many an answer takes.
    pub kind: Kind,
    /// The preview of each choice, which is shown below it while it is in focus.
    pub previews: &'a [Option<String>],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notes {
    /// Key `n` writes one.
    Taken,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    Words,
    Note,
}

#[derive(Clone, Debug)]
pub struct Options<'a> {
    choices: &'a [Choice],
    offer: Offer<'a>,
    place: Place,
    words: Editor,
    notes: Vec<Editor>,
    ticked: Vec<bool>,
    open: Open,
    /// What is typed in the list itself, where it begins with `/`.
    line: SlashLine,
    warning: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Words,
    Note(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Choice(usize),
    Other,
    Discuss,
}

impl<'a> Options<'a> {
    /// The list with a `draft` of words of one's own and notes; on the first choice with a note, else on its first row.
    pub fn new(choices: &'a [Choice], offer: Offer<'a>, draft: &str) -> Self {
        let rows = choices.len() + usize::from(offer.other.is_some()) + usize::from(offer.discuss.is_some());
        let (words, notes) = match offer.notes {
            Notes::Taken => noted::apart(draft, choices),
            Notes::None => (draft.to_owned(), vec![String::new(); choices.len()]),
        };
        let mut place = Place::first_of(rows);
        if let Some(at) = notes.iter().position(|note| !note.is_empty()) {
            place.go(at);
        }
        Self {
            choices,
            offer,
            place,
            words: Editor::new(&words),
            notes: notes.iter().map(|note| Editor::new(note)).collect(),
            ticked: vec![false; choices.len()],
            open: Open::Nothing,
            line: SlashLine::default(),
            warning: None,
        }
    }

    pub fn typing(&self) -> Option<Typing> {
        match self.open {
            Open::Nothing => None,
            Open::Words => Some(Typing::Words),
            Open::Note(_) => Some(Typing::Note),
        }
    }

    /// What is being typed in the list itself, or why the last key was not followed.
    pub fn warning(&self) -> Option<String> {
        self.line.shown().or_else(|| self.warning.map(str::to_owned))
    }

    /// Says why the last key was not handed over.
    pub fn held_back(&mut self, why: &'static str) {
        self.warning = Some(why);
    }

    /// Forgets both.
    pub fn hush(&mut self) {
        self.line.clear();
        self.warning = None;
    }

    /// Everything that was typed and not taken: words of one's own, then notes.
    pub fn typed(&self) -> String {
        noted::joined(self.words.text(), self.choices, self.notes.iter().map(Editor::text))
    }

    /// Opens the editor for words of one's own, if there is such an entry.
    pub fn open_words(&mut self) {
        if self.offer.other.is_some() {
            self.place.go(self.choices.len());
            self.open = Open::Words;
        }
    }

    /// Closes the editor that is open; what stands in it stays.
    pub fn close(&mut self) {
        self.open = Open::Nothing;
    }

    pub fn words(&self) -> &str {
        self.words.text().trim()
    }

    /// Ticks the choice in focus, or takes the tick away.
    pub fn toggle(&mut self) {
        match self.entry() {
            Some(Entry::Choice(at)) => self.ticked[at] = !self.ticked[at],
            Some(Entry::Other | Entry::Discuss) | None => {
                self.warning = Some("Enter opens this one; Space chooses an option above");
            }
        }
    }

    /// The note on the choice with this index, trimmed.
    pub fn note(&self, index: usize) -> &str {
        self.notes.get(index).map_or("", |note| note.text().trim())
    }

    /// Whether the user is typing text: in an editor, or in a line of the list.
    pub fn is_typing(&self) -> bool {
        self.open != Open::Nothing || !self.line.text().is_empty()
    }

    pub fn ticked(&self) -> Vec<usize> {
        (0..self.ticked.len()).filter(|at| self.ticked[*at]).collect()
    }

    pub fn ticked_note(&self) -> Option<String> {
        let added = |at: usize| {
            let note = self.notes[at].text().trim();
            (!note.is_empty()).then(|| format!("{}: {note}", self.choices[at].label))
        };
        let notes: Vec<String> = self.ticked().into_iter().filter_map(added).collect();
        (!notes.is_empty()).then(|| notes.join("\n"))
    }

    /// Whether the row in focus opens the editor for words of one's own.
    pub fn is_on_words(&self) -> bool {
        self.entry() == Some(Entry::Other)
    }

    pub fn key(&mut self, key: Key) -> Step<Picked> {
        self.warning = None;
        match self.line.key(key) {
            Took::Nothing => {}
            Took::Line(line) if self.offer.slash == Slash::Verb => return Step::Send(Picked::Wrote(line)),
            took @ (Took::Key | Took::Line(_)) => {
                self.warning = matches!(took, Took::Line(_)).then_some(REFUSED);
                return Step::Stay;
            }
        }
        if key == Key::PlanMode && self.offer.slash == Slash::Verb {
            if self.typed().is_empty() {
                return Step::Send(Picked::Wrote(PLAN_MODE.to_owned()));
            }
            self.warning = Some(TYPED_ALREADY);
            return Step::Stay;
        }
        match self.open {
            Open::Nothing => self.list_key(key),
            Open::Words => self.words_key(key),
            Open::Note(at) => self.note_key(at, key),
        }
    }

    /// Takes pasted text. Where no editor is open it can only be meant as words of one's own, so their editor opens.
    pub fn paste(&mut self, text: &str) {
        self.warning = None;
        if self.line.paste(text) {
            return;
        }
        if self.open == Open::Nothing {
            self.open_words();
        }
        match self.open {
            Open::Nothing => self.warning = Some("nothing here takes pasted text"),
            Open::Words => self.words.insert(text),
            Open::Note(at) => self.notes[at].insert(text),
        }
    }

    fn list_key(&mut self, key: Key) -> Step<Picked> {
        match (key, self.entry()) {
            (Key::Escape | Key::Close, _) => return Step::Cancel,
            (Key::Enter, Some(Entry::Choice(index))) => {
                let note = Some(self.notes[index].text().trim()).filter(|note| !note.is_empty());
                return Step::Send(Picked::Choice { index, note: note.map(str::to_owned) });
            }
            (Key::Enter, Some(Entry::Discuss)) => return Step::Send(Picked::Discuss),
            (Key::Enter, Some(Entry::Other)) => self.open = Open::Words,
            (Key::Char('n'), Some(Entry::Choice(at))) if self.offer.notes == Notes::Taken => self.open = Open::Note(at),
            (Key::Char('n'), Some(Entry::Other | Entry::Discuss)) if self.offer.notes == Notes::Taken => {
                self.warning = Some("a note goes with one of the options above");
            }
            // It begins a verb in a conversation, and no label can be reached by it. What is written already stays.
            (Key::Char('/'), _) if self.offer.other.is_some() && self.words().is_empty() => {
                self.open_words();
                self.words.set("/");
            }
            (Key::Char('/'), _) => self.line.begin('/'),
            _ => self.place.follow(key),
        }
        Step::Stay
    }

    fn words_key(&mut self, key: Key) -> Step<Picked> {
        if key == Key::Enter {
            self.warning = Some(match own_words(self.words.text(), self.offer.slash) {
                Some(words) if words.is_empty() => "nothing is written yet; Esc goes back to the list",
                Some(words) => return Step::Send(Picked::Wrote(words)),
                None => REFUSED_WORDS,
            });
        } else if key == Key::Escape || (key == Key::Close && self.words.text().is_empty()) {
            self.open = Open::Nothing;
        } else {
            self.words.press(key);
        }
        Step::Stay
    }

    fn note_key(&mut self, at: usize, key: Key) -> Step<Picked> {
        // Both ways out keep the note: it stands below its option, so nobody sends it unseen.
        if matches!(key, Key::Enter | Key::Escape) || (key == Key::Close && self.notes[at].text().is_empty()) {
            self.open = Open::Nothing;
        } else {
            self.notes[at].press(key);
        }
        Step::Stay
    }

    fn entry(&self) -> Option<Entry> {
        let own = [self.offer.other.map(|_| Entry::Other), self.offer.discuss.map(|_| Entry::Discuss)];
        let entries = (0..self.choices.len()).map(Entry::Choice).chain(own.into_iter().flatten());
        entries.into_iter().nth(self.place.row())
    }

    /// The list as it looks; `taken` is the row that was answered with, where an answer can still be changed.
    pub fn rows(&self, size: Size, taken: Option<Taken>, theme: &Theme) -> Rows {
        let columns = size.usable();
        let mut rows = Rows::default();
        let labels = [self.offer.other, self.offer.discuss].into_iter().flatten();
        let count = self.choices.len() + labels.clone().count();
        let own = labels.map(|label| Choice {
            value: String::new(),
            label: label.to_owned(),
            description: None,
            recommended: false,
        });
        for (at, mut choice) in self.choices.iter().cloned().chain(own).enumerate() {
            let here = at == self.place.row();
            let is_taken = match taken {
                Some(Taken::Choice(index)) => index == at,
                Some(Taken::Words) => at == self.choices.len() && self.offer.other.is_some(),
                Some(Taken::Ticked) | None => false,
            };
            if is_taken {
                choice.label = format!("{} {}", choice.label, theme.tick());
            }
            let row = if here { Row::Here } else { Row::Elsewhere };
            if here {
                rows.focus = rows.blocks.len();
            }
            let tick = match (self.offer.kind, self.ticked.get(at)) {
                (Kind::One, _) | (Kind::Many, None) => Tick::None,
                (Kind::Many, Some(true)) => Tick::Set,
                (Kind::Many, Some(false)) => Tick::Open,
            };
            let mut lines = choice_lines(&choice, (at + 1, count), (row, tick), columns, theme);
            let indent = hang(count, tick, columns);
            let kept = self.kept(at, columns.saturating_sub(indent), theme);
            lines.extend(kept.iter().map(|line| format!("{}{line}", " ".repeat(indent))));
            rows.blocks.push(lines);
            if here {
                self.push_editor(&mut rows, indent, size, theme);
                rows.blocks.extend(self.preview(at, indent, size, theme));
            }
        }
        rows
    }

    /// What was typed in the editor of this row, while it is closed.
    fn kept(&self, at: usize, columns: usize, theme: &Theme) -> Vec<String> {
        let text = match (at.checked_sub(self.choices.len()), self.open) {
            (None, Open::Note(open)) if open == at => "",
            (None, Open::Nothing | Open::Words | Open::Note(_)) => self.notes[at].text().trim(),
            (Some(0), Open::Nothing | Open::Note(_)) if self.offer.other.is_some() => self.words.text().trim(),
            (Some(_), Open::Nothing | Open::Words | Open::Note(_)) => "",
        };
        if text.is_empty() {
            return Vec::new();
        }
        let lead = if at < self.choices.len() { "note: " } else { "" };
        // A hundred kilobytes are not wrapped for the sake of three rows.
        let start: String = text.chars().take(MAX_NOTE_ROWS * columns.max(1)).collect();
        let more = if start.len() < text.len() { "\n" } else { "" };
        let mut lines = wrap(&format!("{lead}{start}{more}"), columns.max(1));
        if lines.len() > MAX_NOTE_ROWS {
            lines.truncate(MAX_NOTE_ROWS);
            let last = lines.len() - 1;
            lines[last] = cut(&format!("{}\n", lines[last]), columns, theme.ellipsis());
        }
        lines.iter().map(|line| theme.answer(line)).collect()
    }

    /// The preview of the choice in focus; none while an editor is open.
    fn preview(&self, at: usize, indent: usize, size: Size, theme: &Theme) -> Option<Vec<String>> {
        let text = self.offer.previews.get(at)?.as_deref()?;
        if self.open == Open::Nothing { preview_lines(text, indent, size, theme) } else { None }
    }

    /// The rows of the open editor, each a block of its own, so that the one with the cursor stays in sight.
    fn push_editor(&self, rows: &mut Rows, indent: usize, size: Size, theme: &Theme) {
        let (editor, lead) = match self.open {
            Open::Nothing => return,
            Open::Words => (&self.words, ""),
            Open::Note(at) => (&self.notes[at], "note "),
        };
        let lead = format!("{lead}{} ", theme.pointer());
        let lead = if size.cols < 24 { format!("{} ", theme.pointer()) } else { lead };
        let before = indent + width(&lead);
        let layout = editor.layout(size.usable().saturating_sub(before));
        // More rows than the window has are not seen in any case.
        let first = layout.cursor.0.saturating_sub(size.rows);
        rows.focus = rows.blocks.len() + layout.cursor.0 - first;
        rows.column = before + layout.cursor.1;
        for (at, row) in layout.rows.iter().enumerate().skip(first).take(2 * size.rows + 1) {
            let lead = if at == 0 { theme.answer(&lead) } else { " ".repeat(width(&lead)) };
            rows.blocks.push(vec![format!("{}{lead}{row}", " ".repeat(indent))]);
        }
    }
}

/// The row that a question was answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The choice with this index.
    Choice(usize),
    Words,
    Ticked,
}
