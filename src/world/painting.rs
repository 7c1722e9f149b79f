//! Colours: whether they are used, and where.

use crate::cli::args::ColorWhen;
use crate::render::{Asked, Look};
use crate::repo::config::Colour;

use super::environment::Environment;

/// Whether colours are used, decided once: `--color`, then `NO_COLOR`, then git's configuration, then the terminal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Painting {
    wanted: Option<ColorWhen>,
    no_color: bool,
    dumb: bool,
}

impl Painting {
    pub(super) fn of(environment: &Environment, flag: Option<ColorWhen>) -> Self {
        Self {
            wanted: flag,
            no_color: environment.text("NO_COLOR").is_some(),
            dumb: environment.text("TERM").is_none_or(|term| term == "dumb"),
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

    pub(super) fn out(self, asked: Option<Asked>) -> Look {
        let terminal = Environment::stdout_is_terminal();
        Look { colours: self.colours(terminal), terminal, asked: asked.unwrap_or(Asked::InText) }
    }

    pub(super) fn err(self) -> Look {
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        Look { colours: self.colours(terminal), terminal, asked: Asked::InText }
    }
}
