//! The reply editor (G9): any text may be typed; Tab fills in an alternative, and Enter sends what stands there.

use super::cycle::{Cycle, Way};
use super::edit::Editor;
use super::fit::{cut, wrap};
use super::frame::{asked, head, limited};
use super::keys::Key;
use super::listing::{Row, Tick, choice_lines};
use super::slash::{PLAN_MODE, TYPED_ALREADY};
use super::theme::Theme;
use super::widget::{Size, Step, View, Widget, window};
use crate::app::prompt::{Choice, ReplyPrompt, Slash};

/// The help line takes at most this many rows in a narrow window.
const MAX_HELP_ROWS: usize = 3;

/// A [`ReplyPrompt`] that is open.
#[derive(Clone, Debug)]
pub struct Reply<'a> {
    prompt: &'a ReplyPrompt,
    editor: Editor,
    cycle: Option<Cycle>,
    note: Option<String>,
}

impl<'a> Reply<'a> {
    /// Opens `prompt` with its draft in the editor.
    pub fn new(prompt: &'a ReplyPrompt) -> Self {
        Self { prompt, editor: Editor::new(&prompt.draft), cycle: None, note: None }
    }

    fn turn(&mut self, way: Way) {
        // Behind a bare number Tab fills in what Enter would.
        if self.cycle.is_none() && self.fill_in_the_numbered().is_some() {
            return;
        }
        let begun = match self.cycle.take() {
            Some(cycle) => Ok(cycle),
            None => Cycle::begin(self.editor.text(), &self.prompt.choices),
        };
        match begun {
            Ok(mut cycle) => {
                cycle.turn(way);
                self.editor.set(cycle.text(&self.prompt.choices));
                self.cycle = Some(cycle);
            }
            Err(stuck) => self.note = Some(stuck.note().to_owned()),
        }
    }

    /// After a change by hand the text is the person's own, and the next Tab starts from it.
    fn edit(&mut self, change: impl FnOnce(&mut Editor)) {
        let before = self.editor.text().to_owned();
        change(&mut self.editor);
        if self.editor.text() != before {
            self.cycle = None;
        }
    }

    fn vertical(&mut self, way: Way) {
        match (self.editor.text().contains('\n'), way) {
            (false, _) => self.turn(way),
            (true, Way::Forward) => self.editor.down(),
            (true, Way::Backward) => self.editor.up(),
        }
    }

    fn close(&mut self) -> Step<String> {
        if self.editor.text().is_empty() {
            return Step::Cancel;
        }
        self.edit(Editor::delete);
        Step::Stay
    }

    fn toggle_plan_mode(&mut self) -> Step<String> {
        if self.editor.text().is_empty() {
            return Step::Send(PLAN_MODE.to_owned());
        }
        self.note = Some(TYPED_ALREADY.to_owned());
        Step::Stay
    }

    fn send(&mut self) -> Step<String> {
        if self.editor.text().trim().is_empty() {
            self.note = Some("nothing is written yet: an empty line is no reply".to_owned());
            return Step::Stay;
        }
        // A bare number fills its choice in instead of sending it: what is sent can be read and edited first, and a
        // person whose answer is a number sees what it would become.
        if self.fill_in_the_numbered().is_some() {
            self.note = Some("Enter sends it; edit it first if you like".to_owned());
            return Step::Stay;
        }
        Step::Send(self.editor.text().to_owned())
    }

    /// Puts the choice into the editor whose number stands there.
    fn fill_in_the_numbered(&mut self) -> Option<()> {
        let value = self.numbered()?.value.clone();
        self.editor.set(&value);
        self.cycle = None;
        Some(())
    }

    /// The choice whose number stands in the editor, unless that very text is a choice.
    fn numbered(&self) -> Option<&Choice> {
        let number = self.editor.text().trim().parse::<usize>().ok()?;
        let choice = self.prompt.choices.get(number.checked_sub(1)?)?;
        self.standing().is_none().then_some(choice)
    }

    /// The choice whose value stands in the editor; Tab's own place wins where two choices have the same value.
    fn standing(&self) -> Option<usize> {
        let by_text = || self.prompt.choices.iter().position(|choice| choice.value == self.editor.text());
        self.cycle.as_ref().and_then(Cycle::choice).or_else(by_text)
    }

    /// The choices; in a crowded window only the one that stands in the editor keeps its description.
    fn blocks(&self, room: Room, columns: usize, theme: &Theme) -> Vec<Vec<String>> {
        let choices = &self.prompt.choices;
        let standing = self.standing();
        let lines = choices.iter().enumerate().map(|(at, choice)| {
            let (row, described) = match (standing == Some(at), room) {
                (true, Room::Ample | Room::Crowded) => (Row::Here, choice.clone()),
                (false, Room::Ample) => (Row::Elsewhere, choice.clone()),
                (false, Room::Crowded) => (Row::Elsewhere, Choice { description: None, ..choice.clone() }),
            };
            choice_lines(&described, (at + 1, choices.len()), (row, Tick::None), columns, theme)
        });
        lines.collect()
    }

    /// The lines below the choices, the most important first: a small window shows only those, with a sign where the
    /// last one is cut.
    fn footer(&self, rows: usize, columns: usize, theme: &Theme) -> Vec<String> {
        let ellipsis = theme.ellipsis();
        let status =
            (!self.prompt.status.is_empty()).then(|| theme.muted(&cut(&self.prompt.status, columns, ellipsis)));
        if let Some(note) = &self.note {
            let note = limited(wrap(note, columns), rows, columns, ellipsis);
            return note.iter().map(|line| theme.warning(line)).chain(status).take(rows).collect();
        }
        let mut lines: Vec<String> = status.into_iter().take(rows).collect();
        let help = [&self.prompt.keys, &self.prompt.help].map(String::as_str);
        let help: Vec<&str> = help.into_iter().filter(|text| !text.is_empty()).collect();
        if !help.is_empty() {
            let room = (rows - lines.len()).min(MAX_HELP_ROWS);
            let help = limited(wrap(&help.join(" · "), columns), room, columns, ellipsis);
            lines.extend(help.iter().map(|line| theme.muted(line)));
        }
        lines
    }
}

impl Widget for Reply<'_> {
    type Value = String;

    fn intro(&self, cols: usize, theme: &Theme) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.prompt.heading.is_empty() {
            lines.extend(wrap(&self.prompt.heading, cols).iter().map(|line| theme.muted(line)));
        }
        if !self.prompt.question.is_empty() {
            lines.extend(wrap(&self.prompt.question, cols).iter().map(|line| theme.strong(line)));
        }
        lines
    }

    fn key(&mut self, key: Key) -> Step<String> {
        self.note = None;
        match key {
            Key::Enter => return self.send(),
            Key::Escape => return Step::Cancel,
            Key::Close => return self.close(),
            Key::Tab => self.turn(Way::Forward),
            Key::BackTab => self.turn(Way::Backward),
            Key::Down => self.vertical(Way::Forward),
            Key::Up => self.vertical(Way::Backward),
            // It begins a verb, which nobody adds to an alternative that they only looked at (G11).
            Key::Char('/') if self.editor.is_at_end() && self.standing().is_some() => {
                self.edit(|editor| editor.set("/"));
            }
            Key::Char(_)
            | Key::Newline
            | Key::Backspace
            | Key::Delete
            | Key::EraseWord
            | Key::EraseToStart
            | Key::EraseToEnd
            | Key::Left
            | Key::Right
            | Key::WordLeft
            | Key::WordRight
            | Key::Home
            | Key::End => self.edit(|editor| editor.press(key)),
            Key::PlanMode if self.prompt.slash == Slash::Verb => return self.toggle_plan_mode(),
            Key::PageUp | Key::PageDown | Key::Interrupt | Key::Suspend | Key::Redraw | Key::PlanMode => {}
        }
        Step::Stay
    }

    fn paste(&mut self, text: &str) {
        self.note = None;
        self.edit(|editor| editor.insert(text));
    }

    fn held_back(&mut self, why: &'static str) {
        self.note = Some(why.to_owned());
    }

    fn view(&self, size: Size, theme: &Theme) -> View {
        let columns = size.usable();
        let layout = self.editor.layout(columns.saturating_sub(2));
        let above = self.intro(columns, theme).len();
        let footer = self.footer(size.rows, columns, theme).len();
        let wanted = |blocks: &[Vec<String>]| Share {
            editor: layout.rows.len(),
            choices: blocks.iter().map(Vec::len).sum(),
            footer,
        };
        let mut blocks = self.blocks(Room::Ample, columns, theme);
        // Descriptions give way before the question does.
        if above + wanted(&blocks).rows() > size.rows {
            blocks = self.blocks(Room::Crowded, columns, theme);
        }
        let wanted = wanted(&blocks);
        let urgency = if self.note.is_some() { Urgency::Note } else { Urgency::Help };
        let question = asked(&self.prompt.question, above, wanted.rows(), size);
        let mut lines = head(&question, wanted.spared(size.rows, urgency), columns, theme);
        let top = lines.len();
        let share = wanted.within(size.rows.saturating_sub(top), urgency);

        let first = layout.cursor.0.saturating_sub(share.editor - 1).min(layout.rows.len() - share.editor);
        for (at, row) in layout.rows.iter().enumerate().skip(first).take(share.editor) {
            let lead = if at == 0 { theme.answer(theme.pointer()) } else { " ".to_owned() };
            lines.push(format!("{lead} {row}"));
        }
        lines.extend(window(&blocks, self.standing().unwrap_or(0), share.choices, theme).0);
        lines.extend(self.footer(share.footer, columns, theme));
        View { lines, cursor: (top + layout.cursor.0 - first, layout.cursor.1 + 2) }.within(size)
    }

    fn outro(&self, value: &String) -> String {
        value.clone()
    }

    fn draft(&self) -> String {
        self.editor.text().to_owned()
    }
}

#[derive(Clone, Copy)]
enum Room {
    Ample,
    Crowded,
}

#[derive(Clone, Copy)]
struct Share {
    editor: usize,
    choices: usize,
    footer: usize,
}

/// What stands below the choices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Urgency {
    /// Why a key did not do what it does otherwise.
    Note,
    /// What is good to know.
    Help,
}

impl Share {
    fn rows(self) -> usize {
        self.editor + self.choices + self.footer
    }

    /// How many rows of a window the question may take: half of them, or what all the rest leaves free. In two rows a
    /// note is more urgent.
    fn spared(self, rows: usize, urgency: Urgency) -> usize {
        let half = match urgency {
            Urgency::Note => rows.saturating_sub(1) / 2,
            Urgency::Help => rows / 2,
        };
        half.max(rows.saturating_sub(self.rows()))
    }

    /// Divides a window: the editor has one row whatever happens, then a note, then one choice, then the status, then
    /// all the rest.
    fn within(self, rows: usize, urgency: Urgency) -> Self {
        let rows = rows.max(1);
        let Self { editor, choices, footer } = self;
        if self.rows() <= rows {
            return self;
        }
        let least = match (rows, urgency) {
            (0..=1, _) | (2, Urgency::Help) => 0,
            (2, Urgency::Note) | (3..=7, Urgency::Help) => footer.min(1),
            (3..=7, Urgency::Note) => footer.min(2),
            (_, Urgency::Help) => footer.min(rows / 4),
            (_, Urgency::Note) => footer.min(rows / 3),
        };
        let rest = rows - least;
        let choices_least = choices.min(rest / 2);
        let editor = editor.clamp(1, rest - choices_least);
        let choices = choices.min(rest - editor);
        Self { editor, choices, footer: footer.min(rows - editor - choices) }
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
