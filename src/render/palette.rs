//! How replies look: colours or none, and whether a prompt will put the question itself.

use std::fmt::Display;

use console::Style;

/// Who puts the open question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The text does, with the commands that answer it.
    InText,
    /// A prompt that follows the text does.
    ByPrompt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// The address stands behind the text.
    Spelled,
    /// The terminal opens them (OSC 8).
    Clickable,
}

#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether colours are used; they never carry anything alone.
    pub colours: bool,
    /// Whether the text goes to a terminal, where Markdown is dressed up and foreign text is made harmless.
    pub terminal: bool,
    pub asked: Asked,
    pub links: Links,
}

macro_rules! styles {
    ($($(#[$doc:meta])* $name:ident = $style:expr;)+) => {
        impl Look {
            $($(#[$doc])* pub fn $name(&self, text: impl Display) -> String { self.paint(&$style, text) })+
        }
    };
}

styles! {
    /// What matters most on a screen.
    strong = Style::new().bold();
    /// What can be passed over.
    muted = Style::new().dim();
    /// What was added or went well.
    good = Style::new().green();
    /// What was taken away.
    gone = Style::new().red();
    /// An added word.
    good_word = Style::new().green().bold().underlined();
    /// A word that was taken away.
    gone_word = Style::new().red().bold().underlined();
    /// A thing that has a name: an id, a path.
    name = Style::new().cyan();
    /// What deserves a second look.
    warning = Style::new().yellow();
    /// The beginning of an error.
    error = Style::new().red().bold();
}

impl Look {
    pub(super) fn paint(self, style: &Style, text: impl Display) -> String {
        if self.colours { style.clone().force_styling(true).apply_to(text).to_string() } else { text.to_string() }
    }
}
