//! Runs a widget on a terminal: draws it, waits, decodes, hands over keys, and leaves the terminal as it was with one
//! line that tells what was answered.

use std::fmt::Write as _;

use rustix::process::{Signal, kill_current_process_group};

use super::above::{Above, Change};
use super::fit::{cut, start, width, wrap};
use super::keeping::{Keeping, PAUSE_MS};
use super::keys::{ESCAPE_PAUSE_MS, Event, Key, Quiet, STALLED_PAUSE_MS, decode};
use super::pasted::take_in;
use super::signals::Signals;
use super::sure::{NEW, Sure};
use super::theme::Theme;
use super::tty::{Raw, Tty, Woken};
use super::widget::{Size, Step, View, Widget};
use crate::app::prompt::Prompted;

/// Most rows of a draft that are shown once more when it was not sent.
const MAX_UNSENT_ROWS: usize = 60;

/// After so many reads the rest of a paste is no longer awaited: nobody waits for ever on a terminal that never falls
/// silent.
const MAX_REST_READS: usize = 1_000;

/// Asks through `widget` until it is answered or closed. Each time the person pauses, `keep` is given what stands there.
pub fn run<W: Widget>(
    tty: &Tty,
    signals: &Signals,
    theme: &Theme,
    widget: &mut W,
    sure: Sure,
    keep: &mut dyn FnMut(&str),
) -> Prompted<W::Value> {
    let caught = signals.catch();
    let keeping = Keeping::new(keep, widget.draft());
    let above = Above::printed(0, tty.size());
    let (drawn, pending, quiet) = (None, Vec::new(), Quiet::No);
    let mut run = Run { tty, signals, theme, above, drawn, pending, quiet, sure, keeping };
    caught.ended(match run.until_ended(widget) {
        Ending::Sent(value) => Prompted::Answered(value),
        Ending::Cancelled => Prompted::Cancelled { draft: widget.draft() },
        Ending::Interrupted => Prompted::Interrupted { draft: widget.draft() },
        Ending::Late => Prompted::TimedOut { draft: widget.draft() },
        Ending::Gone => {
            signals.is_gone();
            Prompted::Lost { draft: widget.draft() }
        }
    })
}

enum Ending<T> {
    Sent(T),
    Cancelled,
    Interrupted,
    Late,
    Gone,
}

/// Why the keys at hand were left.
enum Next<T> {
    Wait,
    Suspend,
    End(Ending<T>),
}

struct Run<'a> {
    tty: &'a Tty,
    signals: &'a Signals,
    theme: &'a Theme,
    /// The question above the frame.
    above: Above,
    /// The frame on the screen.
    drawn: Option<View>,
    pending: Vec<u8>,
    quiet: Quiet,
    sure: Sure,
    keeping: Keeping<'a>,
}

impl Run<'_> {
    fn until_ended<W: Widget>(&mut self, widget: &mut W) -> Ending<W::Value> {
        loop {
            // One round from entering raw mode to leaving it; a suspension begins the next one.
            let Ok(raw) = self.tty.raw(self.sure.before()) else {
                return Ending::Gone;
            };
            if self.introduce(widget).is_err() {
                return Ending::Gone;
            }
            let next = self.keys(widget, &raw);
            let left = self.leave(widget, &next);
            // Bytes behind the key that ended it: somebody pasted without marks, and the rest may still be coming.
            if !self.pending.is_empty() && matches!(next, Next::End(_)) {
                self.swallow_the_rest();
            }
            drop(raw);
            match (next, left) {
                (_, Err(_)) | (Next::Wait, Ok(())) => return Ending::Gone,
                (Next::End(ending), Ok(())) => return ending,
                (Next::Suspend, Ok(())) => {
                    self.keeping.paused(widget.draft());
                    // The whole group stops, as it does when the terminal itself sends Ctrl-Z: git, which started us,
                    // must not be left running in front of a stopped child.
                    if kill_current_process_group(Signal::TSTP).is_err() {
                        return Ending::Gone;
                    }
                }
            }
        }
    }

    /// Draws, waits and decodes until something other than the next key is due.
    fn keys<W: Widget>(&mut self, widget: &mut W, raw: &Raw<'_>) -> Next<W::Value> {
        loop {
            match self.take_pending(widget) {
                Next::Wait => {}
                next @ (Next::Suspend | Next::End(_)) => return next,
            }
            if self.draw(widget).is_err() {
                return Next::End(Ending::Gone);
            }
            match self.wait(widget) {
                Woken::Bytes(bytes) => self.take_in(&bytes),
                Woken::Quiet => {
                    self.quiet = if self.quiet == Quiet::No { Quiet::Brief } else { Quiet::Long };
                }
                Woken::Redraw if raw.again().is_err() => return Next::End(Ending::Gone),
                Woken::Redraw => {}
                Woken::End => return Next::End(Ending::Interrupted),
                Woken::Late => return Next::End(Ending::Late),
                Woken::Closed | Woken::Gone => return Next::End(Ending::Gone),
            }
        }
    }

    /// Waits for what is to be acted upon. A pause is none: the picture stays as it is.
    fn wait<W: Widget>(&mut self, widget: &W) -> Woken {
        loop {
            let limit = match (self.pending.is_empty(), self.quiet) {
                (true, _) => self.keeping.is_due(&widget.draft()).then_some(PAUSE_MS),
                (false, Quiet::No) => Some(ESCAPE_PAUSE_MS),
                (false, Quiet::Brief | Quiet::Long) => Some(STALLED_PAUSE_MS),
            };
            let woken = self.tty.wait(self.signals, limit);
            if !matches!(woken, Woken::Quiet) || !self.pending.is_empty() {
                return woken;
            }
            self.keeping.paused(widget.draft());
        }
    }

    /// Reads until the terminal is silent, so that the rest of a paste does not become commands of the shell.
    fn swallow_the_rest(&mut self) {
        self.pending.clear();
        for _ in 0..MAX_REST_READS {
            match self.tty.wait(self.signals, Some(ESCAPE_PAUSE_MS)) {
                Woken::Bytes(_) | Woken::Redraw => {}
                Woken::Quiet | Woken::Late | Woken::Closed | Woken::End | Woken::Gone => return,
            }
        }
    }

    fn take_in(&mut self, bytes: &[u8]) {
        take_in(&mut self.pending, bytes);
        self.quiet = Quiet::No;
    }

    fn take_pending<W: Widget>(&mut self, widget: &mut W) -> Next<W::Value> {
        let mut start = 0;
        let mut next = Next::Wait;
        while let Some((event, used)) = decode(&self.pending[start..], self.quiet) {
            start += used;
            next = match event {
                Event::Key(key) if !self.sure.follows(widget.decides(key)) => {
                    widget.held_back(NEW);
                    Next::Wait
                }
                Event::Key(key) => Self::press(widget, key),
                Event::Paste(text) => {
                    widget.paste(&text);
                    Next::Wait
                }
                Event::Nothing => Next::Wait,
            };
            if !matches!(next, Next::Wait) {
                break;
            }
        }
        self.pending.drain(..start);
        if start > 0 {
            self.quiet = Quiet::No;
        }
        next
    }

    fn press<W: Widget>(widget: &mut W, key: Key) -> Next<W::Value> {
        if key == Key::Interrupt {
            return Next::End(Ending::Interrupted);
        }
        if key == Key::Suspend {
            return Next::Suspend;
        }
        match widget.key(key) {
            Step::Stay => Next::Wait,
            Step::Send(value) => Next::End(Ending::Sent(value)),
            Step::Cancel => Next::End(Ending::Cancelled),
        }
    }

    fn introduce<W: Widget>(&mut self, widget: &W) -> std::io::Result<()> {
        self.drawn = None;
        let size = self.tty.size();
        let question = widget.intro(size.usable(), self.theme);
        self.above = Above::printed(question.len(), size);
        self.tty.show(&rows(&question))
    }

    fn draw<W: Widget>(&mut self, widget: &W) -> std::io::Result<()> {
        let size: Size = self.tty.size();
        let view = widget.view(size, self.theme);
        let question = widget.intro(size.usable(), self.theme);
        let mut frame = "\x1b[?25l".to_owned();
        match self.above.next(question.len(), view.lines.len(), size) {
            Change::None => self.erase_into(&mut frame, 0),
            Change::Erase(above) => self.erase_into(&mut frame, above),
            Change::Print(above) => {
                self.erase_into(&mut frame, above);
                frame.push_str(&rows(&question));
            }
        }
        frame.push_str(&view.lines.join("\r\n"));
        let below = view.lines.len().saturating_sub(view.cursor.0 + 1);
        frame.push_str(&up(below));
        frame.push('\r');
        // The cursor goes to its column by writing what stands before it once more, because only the terminal knows how
        // wide it draws that.
        let before = view.lines.get(view.cursor.0).map(|line| start(line, view.cursor.1)).unwrap_or_default();
        frame.push_str(&before);
        frame.push_str(&right(view.cursor.1.saturating_sub(width(&before))));
        frame.push_str("\x1b[?25h");
        self.drawn = Some(view);
        self.tty.show(&frame)
    }

    /// Replaces the frame by the line that stays.
    fn leave<W: Widget>(&mut self, widget: &W, next: &Next<W::Value>) -> std::io::Result<()> {
        let mut text = String::new();
        self.erase_into(&mut text, 0);
        match next {
            Next::End(Ending::Sent(value)) => text.push_str(&self.outro(&widget.outro(value), widget.outro_rows())),
            Next::End(Ending::Cancelled) => {
                text.push_str(&self.unsent(&widget.draft(), "cancelled"));
            }
            Next::End(Ending::Interrupted) => {
                text.push_str(&self.unsent(&widget.draft(), "interrupted"));
            }
            Next::End(Ending::Late) => {
                text.push_str(&self.unsent(&widget.draft(), self.tty.late()));
            }
            Next::End(Ending::Gone) | Next::Wait => return Ok(()),
            Next::Suspend => {}
        }
        self.drawn = None;
        self.tty.show(&text)
    }

    fn outro(&self, answer: &str, rows: usize) -> String {
        let mut lines = wrap(answer, self.tty.size().usable().saturating_sub(2).max(1));
        if lines.len() > rows {
            lines.truncate(rows.saturating_sub(1));
            lines.push(self.theme.ellipsis().to_owned());
        }
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            let lead = if at == 0 { self.theme.pointer() } else { " " };
            write!(text, "{} {}\r\n", self.theme.answer(lead), self.theme.answer(line))
                .expect("writing to a String cannot fail");
        }
        text
    }

    /// A draft is shown once more, so that it can be copied from the scrollback. Of one that is longer than anybody
    /// types, only the beginning: the rest would push everything else out of the scrollback.
    fn unsent(&self, draft: &str, how: &str) -> String {
        let columns = self.tty.size().usable();
        let mut text = String::new();
        if !draft.trim().is_empty() {
            let mut lines = wrap(draft, columns);
            let more = lines.len().saturating_sub(MAX_UNSENT_ROWS);
            lines.truncate(MAX_UNSENT_ROWS);
            if more > 0 {
                lines.push(cut(&format!("{} and {more} more lines", self.theme.ellipsis()), columns, ""));
            }
            for line in lines {
                text.push_str(&self.theme.muted(&line));
                text.push_str("\r\n");
            }
        }
        let end = format!("{} ({how}, nothing was sent)", self.theme.pointer());
        text + &self.theme.muted(&cut(&end, columns, self.theme.ellipsis())) + "\r\n"
    }

    /// Erases the frame and so many rows above it.
    fn erase_into(&self, text: &mut String, above: usize) {
        let cursor = self.drawn.as_ref().map_or(0, |view| view.cursor.0);
        text.push_str(&up(above + cursor));
        text.push_str("\r\x1b[J");
    }
}

fn rows(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + line + "\r\n")
}

fn up(rows: usize) -> String {
    if rows == 0 { String::new() } else { format!("\x1b[{rows}A") }
}

fn right(columns: usize) -> String {
    if columns == 0 { String::new() } else { format!("\x1b[{columns}C") }
}
