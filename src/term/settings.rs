//! How prompts behave, decided by the caller: this room never reads the environment or the configuration itself.

use std::time::Duration;

/// Everything the caller decides about prompts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Drawn widgets, or plain lines.
    pub manner: Manner,
    /// Whether escape sequences for style may be written.
    pub colours: Colours,
    pub marks: Marks,
    /// Why nobody may be asked although a terminal may be there, such as "--no-input was given".
    pub forbidden: Option<&'static str>,
    /// So long nothing is typed before a prompt that came by itself is decided.
    pub pause: Duration,
}

/// How a prompt appears.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// An editor or a list that is redrawn at each key.
    #[default]
    Drawn,
    /// Numbered lines printed once, then one line read: for `TERM=dumb`, screen readers and scripts.
    Plain,
}

/// Whether style may be written to the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// Colour, bold and dim text.
    On,
    /// No escape sequence for style at all.
    #[default]
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marks {
    /// `›` and `…`.
    #[default]
    Unicode,
    /// `>` and `...`, where the locale is not UTF-8.
    Ascii,
}
