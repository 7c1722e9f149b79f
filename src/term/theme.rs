//! The few styles and signs there are. Colour is never the only carrier of a meaning: each style goes with a word or a
//! sign, so that nothing is missing when colours are off.

use std::fmt;

use console::Style;

use super::settings::{Colours, Marks};

/// The styles and signs of one terminal.
#[derive(Clone, Debug)]
pub struct Theme {
    colours: Colours,
    marks: Marks,
}

impl Theme {
    /// A theme that writes style only with [`Colours::On`].
    pub fn new(colours: Colours, marks: Marks) -> Self {
        Self { colours, marks }
    }

    /// What stands before the reply and before the row one is on.
    pub fn pointer(&self) -> &'static str {
        match self.marks {
            Marks::Unicode => "›",
            Marks::Ascii => ">",
        }
    }

    /// What stands where something was cut.
    pub fn ellipsis(&self) -> &'static str {
        match self.marks {
            Marks::Unicode => "…",
            Marks::Ascii => "...",
        }
    }

    /// What stands behind what is answered.
    pub fn tick(&self) -> &'static str {
        match self.marks {
            Marks::Unicode => "✓",
            Marks::Ascii => "*",
        }
    }

    pub fn answer(&self, text: &str) -> String {
        self.paint(&Style::new().cyan(), text)
    }

    /// Text that a reader may skip: descriptions, status, help.
    pub fn muted(&self, text: &str) -> String {
        self.paint(&Style::new().dim(), text)
    }

    /// The question and the row one is on.
    pub fn strong(&self, text: &str) -> String {
        self.paint(&Style::new().bold(), text)
    }

    /// The recommended choice.
    pub fn good(&self, text: &str) -> String {
        self.paint(&Style::new().green(), text)
    }

    /// A key that could not be followed.
    pub fn warning(&self, text: &str) -> String {
        self.paint(&Style::new().yellow(), text)
    }

    /// Something that went wrong.
    pub fn bad(&self, text: &str) -> String {
        self.paint(&Style::new().red(), text)
    }

    fn paint(&self, style: &Style, text: &str) -> String {
        match (self.colours, text.is_empty()) {
            (Colours::On, false) => style.clone().force_styling(true).apply_to(text).to_string(),
            (Colours::On, true) | (Colours::Off, _) => text.to_owned(),
        }
    }
}

/// The rows of our lists and the yes-or-no line are formatted through dialoguer's own theme trait, so that a prompt of
/// that crate beside ours looks the same.
impl dialoguer::theme::Theme for Theme {
    fn format_select_prompt_item(&self, f: &mut dyn fmt::Write, text: &str, active: bool) -> fmt::Result {
        if active { write!(f, "{} {}", self.answer(self.pointer()), self.strong(text)) } else { write!(f, "  {text}") }
    }

    fn format_multi_select_prompt_item(
        &self,
        f: &mut dyn fmt::Write,
        text: &str,
        checked: bool,
        active: bool,
    ) -> fmt::Result {
        let check = if checked { "[x] " } else { "[ ] " };
        self.format_select_prompt_item(f, &format!("{check}{text}"), active)
    }

    fn format_confirm_prompt(&self, f: &mut dyn fmt::Write, prompt: &str, default: Option<bool>) -> fmt::Result {
        let keys = match default {
            None => "[y/n]",
            Some(true) => "[Y/n]",
            Some(false) => "[y/N]",
        };
        match prompt {
            "" => write!(f, "{} {}", self.answer(self.pointer()), self.muted(keys)),
            asked => write!(f, "{} {asked} {}", self.answer(self.pointer()), self.muted(keys)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_no_escape_sequence_is_written() {
        let theme = Theme::new(Colours::Off, Marks::Ascii);
        let all = [theme.answer("a"), theme.muted("b"), theme.strong("c"), theme.good("d"), theme.warning("e")];
        assert_eq!(all.concat() + &theme.bad("f"), "abcdef");
    }

    #[test]
    fn with_colours_the_style_ends_with_the_text() {
        let theme = Theme::new(Colours::On, Marks::Unicode);
        assert_eq!(theme.muted("x"), "\u{1b}[2mx\u{1b}[0m");
        assert_eq!(theme.muted(""), "");
    }
}
