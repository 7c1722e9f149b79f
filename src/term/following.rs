//! One line that says what goes on while the person waits: drawn over itself, opened with Tab, left with Esc. On a
//! terminal that draws nothing over itself the line is printed anew when it changes, now and then.

use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_current_process_group};

use super::fit::{cut, wrap};
use super::keys::{Event, Key, Quiet, decode};
use super::settings::Manner;
use super::signals::Signals;
use super::theme::Theme;
use super::tty::{Raw, Tty, Woken};
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
const PLAIN_KEYS: &str = "Enter pauses";

/// Follows what goes on until it is over, or the person leaves.
pub fn follow(
    tty: &Tty,
    signals: &Signals,
    theme: &Theme,
    manner: Manner,
    doing: &mut dyn FnMut() -> Doing,
) -> Prompted<()> {
    let caught = signals.catch();
    caught.ended(match manner {
        Manner::Plain => plainly(tty, signals, doing),
        Manner::Drawn => drawn(tty, signals, theme, doing),
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
}

fn drawn(tty: &Tty, signals: &Signals, theme: &Theme, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
    let mut followed = Followed { tty, theme, shown: Vec::new(), open: false, pending: Vec::new(), quiet: Quiet::No };
    loop {
        let Ok(raw) = tty.raw() else { return Prompted::Lost { draft: String::new() } };
        let left = followed.until_left(&raw, signals, doing);
        let erased = followed.erase();
        drop(raw);
        match left {
            Some(left) if erased.is_ok() => return left,
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
                Doing::Over => return Some(Prompted::Answered(())),
                Doing::On { line, steps, said, saying } => {
                    let size = self.tty.size();
                    let mut lines = wrapped(&saying, size);
                    // What has left the screen cannot be drawn anew.
                    lines.drain(..lines.len().saturating_sub(size.rows.saturating_sub(SPARE).max(1)));
                    lines.extend(picture(&line, &steps, self.open && saying.is_empty(), size, self.theme));
                    if self.keep(&said, size).and_then(|()| self.draw(lines)).is_err() {
                        return Some(Prompted::Lost { draft: nothing() });
                    }
                }
            }
            match self.tty.wait(signals, Some(STEP_MS)) {
                Woken::Bytes(bytes) => {
                    self.pending.extend_from_slice(&bytes);
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
                Event::Key(_) | Event::Paste(_) | Event::Nothing => Pressed::Nothing,
            };
            if !matches!(pressed, Pressed::Nothing) {
                return pressed;
            }
        }
        Pressed::Nothing
    }

    /// Prints what stays on the screen.
    fn keep(&mut self, said: &[String], size: Size) -> std::io::Result<()> {
        if said.is_empty() {
            return Ok(());
        }
        self.erase()?;
        let lines: Vec<String> = said.iter().flat_map(|line| wrap(line, size.usable())).collect();
        self.tty.show(&format!("{}\r\n", lines.join("\r\n")))
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
fn picture(line: &str, steps: &[String], open: bool, size: Size, theme: &Theme) -> Vec<String> {
    let cols = size.usable();
    let within = |text: &str| cut(text, cols, theme.ellipsis());
    let mut lines = Vec::new();
    if open {
        let most = size.rows.saturating_sub(3);
        let from = steps.len().saturating_sub(most);
        lines.extend(steps[from..].iter().map(|step| theme.muted(&within(&format!("  {step}")))));
    }
    lines.push(within(&format!("{} {line}", theme.pointer())));
    if size.rows > 1 {
        lines.push(theme.muted(&within(if open { KEYS_OPEN } else { KEYS })));
    }
    lines
}

#[expect(clippy::disallowed_methods, reason = "how long a person waits is no fact of the session")]
fn plainly(tty: &Tty, signals: &Signals, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
    let nothing = String::new;
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
            Woken::Bytes(_) | Woken::Closed => return Prompted::Cancelled { draft: nothing() },
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
        let closed = picture("claude reads src/a.rs, 3 s", &steps, false, size, &theme);
        assert_eq!(closed, ["> claude reads src/a.rs, 3 s", KEYS]);
        let open = picture(&"x".repeat(200), &steps, true, size, &theme);
        assert_eq!(open.len(), 9);
        assert_eq!(open[6], "  reads file 29");
        assert!(open.iter().all(|line| line.chars().count() <= 39), "{open:?}");
        assert_eq!(picture("x", &[], true, Size { cols: 3, rows: 1 }, &theme).len(), 1);
    }
}
