//! The checkpoint on a terminal: headings and bullets dressed up, everything else as it stands. Piped, it is raw.

use super::harmless;
use super::palette::Look;

/// A Markdown document.
pub(super) fn document(markdown: &str, look: &Look) -> String {
    if !look.terminal {
        return markdown.to_owned();
    }
    let mut text = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        let line = harmless(line);
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            text.push_str(&look.muted(&line));
        } else if fenced {
            text.push_str(&line);
        } else if line.starts_with('#') {
            text.push_str(&look.strong(&line));
        } else if let Some(item) = line.strip_prefix("- ") {
            text.push_str(&look.name("•"));
            text.push(' ');
            text.push_str(item);
        } else {
            text.push_str(&line);
        }
        text.push('\n');
    }
    text
}
