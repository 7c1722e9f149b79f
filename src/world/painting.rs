//! Colours and links: whether they are used, and where.

use crate::cli::args::ColorWhen;
use crate::render::{Asked, Links, Look, USUAL_COLUMNS};
use crate::repo::config::Colour;

use super::environment::Environment;

/// Whether colours are used, decided once: `--color`, then `NO_COLOR`, then git's configuration, then the terminal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Painting {
    wanted: Option<ColorWhen>,
    no_color: bool,
    dumb: bool,
    links: Links,
    out: Out,
    /// How wide the window of a pager is that runs us.
    columns: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Out {
    Terminal,
    /// Into a pager that somebody else has started, such as `git -p`.
    Pager,
    Elsewhere,
}

/// Whether a reply is shown by a pager of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// By the terminal.
    AtOnce,
    /// By a pager that may be given colours.
    Paged,
    /// By a pager that may not.
    PagedPlain,
}

impl Painting {
    pub(super) fn of(environment: &Environment, flag: Option<ColorWhen>) -> Self {
        let out = if Environment::stdout_is_terminal() {
            Out::Terminal
        } else if environment.pager_in_use() && Environment::stdout_is_pipe() {
            Out::Pager
        } else {
            Out::Elsewhere
        };
        Self {
            wanted: flag,
            no_color: environment.text("NO_COLOR").is_some(),
            dumb: environment.text("TERM").is_none_or(|term| term == "dumb"),
            links: links(environment),
            out,
            columns: environment.text("COLUMNS").and_then(|count| count.parse().ok()).unwrap_or(USUAL_COLUMNS),
        }
    }

    /// The same with what git's configuration says, where nobody said otherwise.
    pub(super) fn configured(self, colour: Colour) -> Self {
        if self.wanted.is_some() || self.no_color {
            return self;
        }
        let wanted = match colour {
            Colour::Auto => ColorWhen::Auto,
            Colour::Always => ColorWhen::Always,
            Colour::Never => ColorWhen::Never,
        };
        Self { wanted: Some(wanted), ..self }
    }

    fn colours(self, terminal: bool) -> bool {
        match self.wanted {
            Some(ColorWhen::Always) => true,
            Some(ColorWhen::Never) => false,
            Some(ColorWhen::Auto) | None => terminal && !self.no_color && !self.dumb,
        }
    }

    pub(super) fn out(self, asked: Asked, shown: Shown) -> Look {
        let terminal = self.out != Out::Elsewhere;
        let colours = self.colours(terminal && shown != Shown::PagedPlain);
        // Nobody knows what a pager makes of links, and an old one shows them as signs.
        let opens = colours && self.out == Out::Terminal && shown == Shown::AtOnce;
        Look { colours, terminal, asked, links: if opens { self.links } else { Links::Spelled } }
    }

    pub(super) fn err(self) -> Look {
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        Look { colours: self.colours(terminal), terminal, asked: Asked::InText, links: Links::Spelled }
    }

    /// How wide a window is of which only its pager knows.
    pub(super) fn usual_columns(self) -> usize {
        self.columns
    }
}

/// Whether this terminal is known to open links. One that does not may show their addresses as rubbish.
fn links(environment: &Environment) -> Links {
    let known =
        |name: &str, among: &[&str]| environment.text(name).is_some_and(|value| among.contains(&value.as_str()));
    let nested = environment.text("TMUX").is_some() || environment.text("STY").is_some();
    let by_name = known("TERM_PROGRAM", &["iTerm.app", "WezTerm", "ghostty", "vscode"])
        || known("TERM", &["alacritty", "foot", "foot-extra", "wezterm", "xterm-ghostty", "xterm-kitty"])
        || ["KONSOLE_VERSION", "WT_SESSION"].iter().any(|name| environment.text(name).is_some())
        // Since 0.50.
        || environment.text("VTE_VERSION").and_then(|version| version.parse().ok()).is_some_and(|version: u32| version >= 5_000);
    let forced = environment.text("FORCE_HYPERLINK").map(|value| value != "0");
    if forced.unwrap_or(by_name && !nested) { Links::Clickable } else { Links::Spelled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_that_are_known_to_open_links_get_some() {
        for (vars, expected) in [
            (&[][..], Links::Spelled),
            (&[("TERM", "xterm-256color")], Links::Spelled),
            (&[("TERM", "xterm-kitty")], Links::Clickable),
            (&[("TERM", "xterm-kitty"), ("TMUX", "x")], Links::Spelled),
            (&[("VTE_VERSION", "4900")], Links::Spelled),
            (&[("VTE_VERSION", "7006")], Links::Clickable),
            (&[("VTE_VERSION", "many")], Links::Spelled),
            (&[("TERM_PROGRAM", "WezTerm")], Links::Clickable),
            (&[("TERM_PROGRAM", "WezTerm"), ("FORCE_HYPERLINK", "0")], Links::Spelled),
            (&[("FORCE_HYPERLINK", "1"), ("TMUX", "x")], Links::Clickable),
        ] {
            assert_eq!(links(&Environment::with(vars)), expected, "{vars:?}");
        }
    }
}
