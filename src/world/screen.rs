//! Where replies are shown: on the terminal or in a pager, in colours or without.

use console::Term;

use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::cli::args::{Cli, ColorWhen};
use crate::render::Asked;
use crate::repo::config::Config;

use super::environment::Environment;
use super::pager::Pager;
use super::painting::{Painting, Shown};
use super::speak;

/// Where replies are shown.
#[derive(Clone)]
pub(super) struct Screen {
    /// In which colours.
    pub colours: Painting,
    /// And whether something helps to read what is long.
    pub pager: Pager,
}

impl Screen {
    /// As the command line wants it.
    pub(super) fn of(environment: &Environment, cli: &Cli) -> Self {
        let pager = if cli.no_pager || cli.json { Pager::none() } else { Pager::of(environment) };
        Self { colours: Painting::of(environment, cli.color), pager }
    }

    /// For nobody.
    pub(super) fn blank(environment: &Environment) -> Self {
        Self { colours: Painting::of(environment, Some(ColorWhen::Never)), pager: Pager::none() }
    }

    /// The same with what git's configuration says.
    pub(super) fn configured(self, config: &Config) -> Result<Self, AppError> {
        Ok(Self { colours: self.colours.configured(config.colour()?), pager: self.pager.configured(config)? })
    }

    pub(super) fn show(&self, reply: &Reply) -> Result<(), AppError> {
        let text = |shown| {
            let look = self.colours.out(Asked::InText, shown);
            speak::reply_text(reply, &look, &Term::stdout(), self.colours.usual_columns())
        };
        match self.pager.command(reply) {
            Some(command) => {
                let shown = if self.pager.coloured { Shown::Paged } else { Shown::PagedPlain };
                self.pager.show(&command, &text(shown))
            }
            None => speak::out(&text(Shown::AtOnce)),
        }
    }
}
