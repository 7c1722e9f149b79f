//! The raw log: every line of both directions, with secrets left out, in a file of bounded size.

use std::io::Write;

/// The most that one log holds.
pub const MOST: usize = 2 * 1024 * 1024;
const MOST_OF_A_LINE: usize = 16 * 1024;

/// A log with what may still be written.
pub struct RawLog {
    to: Box<dyn Write + Send>,
    left: usize,
    /// Values that are never written: what stands in the environment under names of secrets.
    secrets: Vec<String>,
}

impl RawLog {
    pub fn new(to: Box<dyn Write + Send>, secrets: Vec<String>) -> Self {
        // A short value stands everywhere by chance; none of a secret's length does.
        const SHORTEST: usize = 8;
        let secrets = secrets.into_iter().filter(|secret| secret.len() >= SHORTEST).collect();
        Self { to, left: MOST, secrets }
    }

    /// Writes a line. A log that cannot be written is no reason to stop an interview.
    pub fn note(&mut self, direction: &str, line: &[u8]) {
        if self.left == 0 {
            return;
        }
        let text = String::from_utf8_lossy(line);
        // Taken out before it is cut: half a secret is one, too.
        let mut clean = without_tokens(text.trim_end());
        for secret in &self.secrets {
            clean = clean.replace(secret.as_str(), LEFT_OUT);
        }
        let end = clean.floor_char_boundary(MOST_OF_A_LINE.min(clean.len()));
        let cut = if end < clean.len() { " …" } else { "" };
        let mut line = format!("{direction} {}{cut}\n", &clean[..end]);
        if line.len() > self.left {
            "the log ends here: it is full\n".clone_into(&mut line);
            self.left = line.len();
        }
        self.left -= line.len();
        let _ = self.to.write_all(line.as_bytes());
    }
}

const LEFT_OUT: &str = "[left out]";

/// Beginnings of tokens that are secrets wherever they stand.
const TOKENS: &[&str] = &["sk-", "xai-", "AIza", "ghp_", "gho_", "github_pat_", "Bearer ", "ya29."];

/// The text without what looks like a token: what follows one of the beginnings, as long as it could belong to it.
fn without_tokens(text: &str) -> String {
    const LEAST: usize = 12;
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, begins)) = TOKENS.iter().filter_map(|token| Some((rest.find(token)?, token))).min() {
        let after = &rest[at + begins.len()..];
        let length = after.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.~+/=".contains(c))).unwrap_or(after.len());
        clean.push_str(&rest[..at + begins.len()]);
        clean.push_str(if length >= LEAST { LEFT_OUT } else { &after[..length] });
        rest = &after[length..];
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn secrets_are_left_out_and_the_size_is_bounded() {
        let kept = Kept::default();
        let mut log = RawLog::new(Box::new(kept.clone()), vec!["hunter2hunter2".into(), "yes".into()]);
        log.note(">", br#"{"key":"sk-ant-REDACTED","p":"hunter2hunter2","ok":"yes sk-1"}"#);
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text, "> {\"key\":\"sk-[left out]\",\"p\":\"[left out]\",\"ok\":\"yes sk-1\"}\n");
        for _ in 0..400 {
            log.note("<", "ä".repeat(20_000).as_bytes());
        }
        let all = kept.0.lock().unwrap().len();
        assert!(all <= MOST, "{all}");
        assert!(kept.0.lock().unwrap().ends_with(b"it is full\n"));
    }
}
