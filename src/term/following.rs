//! One line that says what goes on while the person waits: drawn over itself, opened with Tab, left with Esc. On a
//! terminal that draws nothing over itself the line is printed anew when it changes, now and then. What is typed meanwhile
//! is shown, and kept for the editor that comes next.

use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_current_process_group};

use super::early::{Early, MOST};
use super::edit::Editor;
use super::fit::{cut, wrap};
use super::keys::{Event, Key, Quiet, decode};
use super::pasted::take_in;
use super::settings::Manner;
use super::signals::Signals;
use super::theme::Theme;
use super::tty::{Before, Raw, Tty, Woken, typed};
use super::widget::Size;
use crate::app::prompt::{Doing, Prompted};

/// How long a key is waited for before what goes on is looked at again.
const STEP_MS: u64 = 50;
/// Lines of the screen that what is being said leaves free: the line that says what is done, the keys, and one above.
const SPARE: usize = 3;
/// Where lines are printed and not drawn, how often at most.
const PLAIN_PAUSE: Duration = Duration::from_secs(5);
const KEYS: &str = "Esc pauses, Tab shows the steps";
const KEYS_OPEN: &str = "Esc pauses, Tab hides the steps";
const KEYS_TYPED: &str = "kept for your next reply, not sent; Esc pauses";
const KEYS_FULL: &str = "no more is kept; Esc pauses";
const PLAIN_KEYS: &str = "Enter pauses";
const PLAIN_KEPT: &str = "kept for your next reply, not sent; Enter alone pauses";
/// An empty line so soon behind another is a part of what is pasted.
const PLAIN_BURST: Duration = Duration::from_secs(1);
/// After so many reads the rest of what is typed waits for the next prompt.
const MOST_READS: usize = 64;

/// Where it is followed, and what was typed before.
pub struct Where<'a> {
    pub tty: &'a Tty,
    pub signals: &'a Signals,
    pub theme: &'a Theme,
    pub manner: Manner,
    pub early: &'a mut Early,
    /// What becomes of keys that were pressed before.
    pub before: Before,
}

/// Follows what goes on until it is over, or the person leaves.
pub fn follow(place: Where<'_>, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
    let caught = place.signals.catch();
    caught.ended(match place.manner {
        Manner::Plain => plainly(place.tty, place.signals, place.early, doing),
        Manner::Drawn => drawn(place, doing),
    })
}

/// How the picture changes with a key.
enum Pressed {
    Nothing,
    Opens,
    Cancels,
    Interrupts,
    Suspends,
}

/// The picture and the keys.
struct Followed<'a> {
    tty: &'a Tty,
    theme: &'a Theme,
    /// What stands on the screen.
    shown: Vec<String>,
    open: bool,
    pending: Vec<u8>,
    quiet: Quiet,
    /// What the person types meanwhile.
    typed: Editor,
    /// Whether there is no room for more of it.
    full: bool,
}

fn drawn(place: Where<'_>, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
    let Where { tty, signals, theme, manner: _, early, mut before } = place;
    let typed = Editor::new(&early.take());
    let (shown, pending, quiet) = (Vec::new(), Vec::new(), Quiet::No);
    let mut followed = Followed { tty, theme, shown, open: false, pending, quiet, typed, full: false };
    loop {
        let Ok(raw) = tty.raw(before) else { return Prompted::Lost { draft: String::new() } };
        before = Before::Dropped;
        let left = followed.until_left(&raw, signals, doing);
        let erased = followed.erase();
        drop(raw);
        match left {
            Some(left) if erased.is_ok() => {
                early.add(followed.typed.text());
                // Whoever left it sees no editor next, perhaps none at all.
                let told = match left {
                    Prompted::Cancelled { .. } | Prompted::Interrupted { .. } => early.untold(tty.size().usable()),
                    Prompted::Answered(())
                    | Prompted::Unavailable(_)
                    | Prompted::Lost { .. }
                    | Prompted::TimedOut { .. } => None,
                };
                if let Some(told) = told {
                    tty.show(&format!("{}\r\n", told.replace('\n', "\r\n"))).ok();
                }
                return left;
            }
            // Suspended: the whole group stops, as at any prompt, and goes on here.
            None if kill_current_process_group(Signal::TSTP).is_ok() => {}
            Some(_) | None => return Prompted::Lost { draft: String::new() },
        }
    }
}

impl Followed<'_> {
    /// Draws and waits; `None` where it is suspended.
    fn until_left(
        &mut self,
        raw: &Raw<'_>,
        signals: &Signals,
        doing: &mut dyn FnMut() -> Doing,
    ) -> Option<Prompted<()>> {
        let nothing = String::new;
        loop {
            match doing() {
                Doing::Over if self.interrupts_at_last(signals) => {
                    return Some(Prompted::Interrupted { draft: nothing() });
                }
                Doing::Over => return Some(Prompted::Answered(())),
                Doing::On { line, steps, said, saying } => {
                    let size = self.tty.size();
                    let typed = self.typed_row(size);
                    let mut lines = wrapped(&saying, size);
                    // What has left the screen cannot be drawn anew.
                    let spare = SPARE + usize::from(typed.is_some());
                    lines.drain(..lines.len().saturating_sub(size.rows.saturating_sub(spare).max(1)));
                    let keys = self.keys(saying.is_empty());
                    let steps: &[String] = if self.open && saying.is_empty() { &steps } else { &[] };
                    lines.extend(picture(&line, steps, typed, keys, size, self.theme));
                    if self.keep(&said).and_then(|()| self.draw(lines)).is_err() {
                        return Some(Prompted::Lost { draft: nothing() });
                    }
                }
            }
            match self.tty.wait(signals, Some(STEP_MS)) {
                Woken::Bytes(bytes) => {
                    take_in(&mut self.pending, &bytes);
                    self.quiet = Quiet::No;
                }
                Woken::Quiet => self.quiet = if self.quiet == Quiet::No { Quiet::Brief } else { Quiet::Long },
                Woken::Redraw if raw.again().is_err() => return Some(Prompted::Lost { draft: nothing() }),
                Woken::Redraw => {
                    // Another width wraps what stands there; it is drawn anew below itself.
                    self.shown.clear();
                }
                Woken::End => return Some(Prompted::Interrupted { draft: nothing() }),
                Woken::Late => return Some(Prompted::TimedOut { draft: nothing() }),
                Woken::Closed | Woken::Gone => return Some(Prompted::Lost { draft: nothing() }),
            }
            match self.pressed() {
                Pressed::Nothing => {}
                Pressed::Opens => self.open = !self.open,
                Pressed::Cancels => return Some(Prompted::Cancelled { draft: nothing() }),
                Pressed::Interrupts => return Some(Prompted::Interrupted { draft: nothing() }),
                Pressed::Suspends => return None,
            }
        }
    }

    fn pressed(&mut self) -> Pressed {
        while let Some((event, used)) = decode(&self.pending, self.quiet) {
            self.pending.drain(..used);
            let pressed = match event {
                Event::Key(Key::Escape) => Pressed::Cancels,
                Event::Key(Key::Interrupt) => Pressed::Interrupts,
                Event::Key(Key::Suspend) => Pressed::Suspends,
                Event::Key(Key::Tab | Key::BackTab) => Pressed::Opens,
                // Nothing is sent from here.
                Event::Key(Key::Enter | Key::Newline) if self.typed.text().is_empty() => Pressed::Nothing,
                Event::Key(Key::Enter) => self.write(Key::Newline),
                Event::Key(key) => self.write(key),
                Event::Paste(text) => self.paste(&text),
                Event::Nothing => Pressed::Nothing,
            };
            if !matches!(pressed, Pressed::Nothing) {
                return pressed;
            }
        }
        Pressed::Nothing
    }

    fn write(&mut self, key: Key) -> Pressed {
        let adds = matches!(key, Key::Char(_) | Key::Newline);
        self.full = adds && self.typed.text().len() >= MOST;
        if !self.full {
            self.typed.press(key);
        }
        Pressed::Nothing
    }

    fn paste(&mut self, text: &str) -> Pressed {
        self.full = self.typed.text().len() + text.len() > MOST;
        if !self.full {
            self.typed.insert(text);
        }
        Pressed::Nothing
    }

    /// Takes what was typed while it was looked the last time; whether that interrupts. Any other key is not for the prompt
    /// that comes now.
    fn interrupts_at_last(&mut self, signals: &Signals) -> bool {
        for _ in 0..MOST_READS {
            let Woken::Bytes(bytes) = self.tty.wait(signals, Some(0)) else { break };
            take_in(&mut self.pending, &bytes);
        }
        self.quiet = Quiet::Long;
        while !self.pending.is_empty() {
            if matches!(self.pressed(), Pressed::Interrupts) {
                return true;
            }
        }
        false
    }

    /// The row in which one types; none before anything is typed.
    fn typed_row(&self, size: Size) -> Option<String> {
        if self.typed.text().is_empty() {
            return None;
        }
        let layout = self.typed.layout(size.usable().saturating_sub(2));
        let row = layout.rows.get(layout.cursor.0).map_or("", String::as_str);
        Some(format!("{} {row}", self.theme.answer(self.theme.pointer())))
    }

    fn keys(&self, opens: bool) -> &'static str {
        match (self.full, self.typed.text().is_empty()) {
            (true, _) => KEYS_FULL,
            (false, false) => KEYS_TYPED,
            (false, true) if self.open && opens => KEYS_OPEN,
            (false, true) => KEYS,
        }
    }

    /// Prints what stays on the screen.
    fn keep(&mut self, said: &[String]) -> std::io::Result<()> {
        if said.is_empty() {
            return Ok(());
        }
        self.erase()?;
        self.tty.show(&format!("{}\r\n", said.join("\r\n")))
    }

    fn draw(&mut self, lines: Vec<String>) -> std::io::Result<()> {
        if lines == self.shown {
            return Ok(());
        }
        let frame = format!("{}\x1b[?25l{}", self.erasing(), lines.join("\r\n"));
        self.shown = lines;
        self.tty.show(&frame)
    }

    fn erase(&mut self) -> std::io::Result<()> {
        let text = format!("{}\x1b[?25h", self.erasing());
        self.shown.clear();
        self.tty.show(&text)
    }

    fn erasing(&self) -> String {
        match self.shown.len() {
            0 | 1 => "\r\x1b[J".to_owned(),
            lines => format!("\x1b[{}A\r\x1b[J", lines - 1),
        }
    }
}

/// What is being said, in the width of the screen.
fn wrapped(text: &str, size: Size) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { wrap(text, size.usable()) }
}

/// The lines of the picture, as many as fit.
fn picture(line: &str, steps: &[String], typed: Option<String>, keys: &str, size: Size, theme: &Theme) -> Vec<String> {
    let cols = size.usable();
    let within = |text: &str| cut(text, cols, theme.ellipsis());
    let most = size.rows.saturating_sub(3 + usize::from(typed.is_some()));
    let from = steps.len().saturating_sub(most);
    let steps = steps[from..].iter().map(|step| theme.muted(&within(&format!("  {step}"))));
    let mut lines: Vec<String> = steps.collect();
    lines.push(within(&format!("{} {line}", theme.pointer())));
    lines.extend(typed.filter(|_| size.rows > 2));
    if size.rows > 1 {
        lines.push(theme.muted(&within(keys)));
    }
    lines
}

#[expect(clippy::disallowed_methods, reason = "how long a person waits is no fact of the session")]
fn plainly(tty: &Tty, signals: &Signals, early: &mut Early, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
    let nothing = String::new;
    let mut kept_at: Option<Instant> = None;
    let mut said: Option<(String, Instant)> = None;
    loop {
        match doing() {
            Doing::Over => return Prompted::Answered(()),
            Doing::On { line, said: lines, .. } => {
                let shown = lines.iter().try_for_each(|line| tty.show(&format!("{line}\r\n")));
                if shown.is_err() {
                    return Prompted::Lost { draft: nothing() };
                }
                let due = said.as_ref().is_none_or(|(last, at)| *last != line && at.elapsed() >= PLAIN_PAUSE);
                if due {
                    let keys = if said.is_none() { format!(" ({PLAIN_KEYS})") } else { String::new() };
                    if tty.show(&format!("{line}{keys}\r\n")).is_err() {
                        return Prompted::Lost { draft: nothing() };
                    }
                    said = Some((line, Instant::now()));
                }
            }
        }
        match tty.wait(signals, Some(STEP_MS)) {
            Woken::Quiet | Woken::Redraw => {}
            // A whole line: the terminal itself has shown it.
            Woken::Bytes(bytes) => {
                let line = typed(&bytes);
                if !line.trim().is_empty() {
                    early.add(&line);
                    kept_at = Some(Instant::now());
                    if tty.show(&format!("{PLAIN_KEPT}\r\n")).is_err() {
                        return Prompted::Lost { draft: nothing() };
                    }
                } else if kept_at.is_none_or(|at| at.elapsed() >= PLAIN_BURST) {
                    return Prompted::Cancelled { draft: nothing() };
                }
            }
            Woken::Closed => return Prompted::Cancelled { draft: nothing() },
            Woken::End => return Prompted::Interrupted { draft: nothing() },
            Woken::Late => return Prompted::TimedOut { draft: nothing() },
            Woken::Gone => return Prompted::Lost { draft: nothing() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::settings::{Colours, Marks};

    #[test]
    fn the_picture_fits_and_opens() {
        let theme = Theme::new(Colours::Off, Marks::Ascii);
        let steps: Vec<String> = (0..30).map(|at| format!("reads file {at}")).collect();
        let size = Size { cols: 40, rows: 10 };
        let closed = picture("claude reads src/a.rs, 3 s", &[], None, KEYS, size, &theme);
        assert_eq!(closed, ["> claude reads src/a.rs, 3 s", KEYS]);
        let open = picture(&"x".repeat(200), &steps, None, KEYS_OPEN, size, &theme);
        assert_eq!(open.len(), 9);
        assert_eq!(open[6], "  reads file 29");
        assert!(open.iter().all(|line| line.chars().count() <= 39), "{open:?}");
        let typing = picture("x", &steps, Some("> by account".to_owned()), KEYS_TYPED, size, &theme);
        assert_eq!(typing.len(), 9);
        assert_eq!(typing[7..], ["> by account".to_owned(), cut(KEYS_TYPED, 39, "...")]);
        let small = Size { cols: 3, rows: 1 };
        assert_eq!(picture("x", &[], Some("> y".to_owned()), KEYS_TYPED, small, &theme).len(), 1);
    }
}
