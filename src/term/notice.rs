//! A notice that waits for nobody (P1).

use super::theme::Theme;
use crate::app::prompt::Level;
use crate::domain::harmless::harmless;

/// The lines of a notice: a word that says how loud it is, so that nothing depends on colour, and the message, whose
/// further lines stand under its first.
pub fn notice(message: &str, level: Level, theme: &Theme) -> String {
    let (word, lead) = match level {
        Level::Info => ("note", theme.muted("note:")),
        Level::Warning => ("warning", theme.warning("warning:")),
        Level::Error => ("error", theme.bad("error:")),
    };
    let indent = " ".repeat(word.len() + 2);
    let safe = harmless(message.trim_end());
    let mut lines = safe.split('\n');
    let mut text = format!("{lead} {}\n", lines.next().unwrap_or_default());
    for line in lines {
        text.push_str(format!("{indent}{line}").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::settings::{Colours, Marks};

    #[test]
    fn its_level_is_a_word_and_its_text_is_harmless() {
        let plain = Theme::new(Colours::Off, Marks::Ascii);
        assert_eq!(notice("saved", Level::Info, &plain), "note: saved\n");
        assert_eq!(notice("one\n\ntwo\n", Level::Warning, &plain), "warning: one\n\n         two\n");
        assert_eq!(notice("\u{1b}[2J", Level::Error, &plain), "error: ␛[2J\n");
        let coloured = Theme::new(Colours::On, Marks::Ascii);
        assert_eq!(notice("x", Level::Error, &coloured), "\u{1b}[31merror:\u{1b}[0m x\n");
    }
}
