//! The raw log: every line of both directions, with secrets left out, in a file of bounded size.

use std::io::Write;

use super::secrets::{LEFT_OUT, Secrets};

/// The most that one log holds.
pub const MOST: usize = 2 * 1024 * 1024;
const MOST_OF_A_LINE: usize = 16 * 1024;

/// A log with what may still be written.
pub struct RawLog {
    to: Box<dyn Write + Send>,
    left: usize,
    /// Values that are never written: what stands in the environment under names of secrets.
    secrets: Secrets,
}

impl RawLog {
    pub fn new(to: Box<dyn Write + Send>, secrets: &[String]) -> Self {
        Self { to, left: MOST, secrets: Secrets::new(secrets) }
    }

    /// Writes a line. A log that cannot be written is no reason to stop an interview.
    pub fn note(&mut self, direction: &str, line: &[u8]) {
        if self.left == 0 {
            return;
        }
        let mut line = format!("{direction} {}\n", kept(line, &self.secrets));
        if line.len() > self.left {
            "the log ends here: it is full\n".clone_into(&mut line);
            self.left = line.len();
        }
        self.left -= line.len();
        let _ = self.to.write_all(line.as_bytes());
    }
}

/// What is kept of a line. It is cut before secrets are looked for in it: an agent decides how long it is.
fn kept(line: &[u8], secrets: &Secrets) -> String {
    let line = line.trim_ascii_end();
    let mut end = line.len().min(MOST_OF_A_LINE);
    // No more than three bytes go on with a character.
    for _ in 0..3 {
        if line.get(end).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {
            end -= 1;
        }
    }
    let mut text = String::new();
    let mut done = 0;
    for place in secrets.places(looked_at(line, secrets)) {
        if place.start >= end {
            break;
        }
        text.push_str(&String::from_utf8_lossy(&line[done..place.start]));
        text.push_str(LEFT_OUT);
        done = place.end;
    }
    text.push_str(&String::from_utf8_lossy(line.get(done..end).unwrap_or_default()));
    if end < line.len() {
        text.push_str(" …");
    }
    text
}

/// What is looked at of a line, however long it is: what is kept, and as much behind it as shows a secret whole.
fn looked_at<'a>(line: &'a [u8], secrets: &Secrets) -> &'a [u8] {
    &line[..line.len().min(MOST_OF_A_LINE + secrets.room())]
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
        let mut log = RawLog::new(Box::new(kept.clone()), &["hunter2hunter2".into(), "yes".into()]);
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

    #[test]
    fn a31_a_secret_across_the_cut_is_left_out_and_what_lies_beyond_is_not_looked_at() {
        let secret = "hunter2\"hunter2";
        let secrets = Secrets::new(&[secret.to_owned()]);
        let escaped = r#"hunter2\\\"hunter2"#;
        for before in MOST_OF_A_LINE - escaped.len()..MOST_OF_A_LINE {
            let line = format!("{}{escaped}{}", "x".repeat(before), "y".repeat(MOST_OF_A_LINE));
            let kept = kept(line.as_bytes(), &secrets);
            assert_eq!(kept, format!("{}{LEFT_OUT} …", "x".repeat(before)), "{before}");
        }
        // A line of any length costs what its beginning does.
        let long = vec![b'x'; 64 * MOST_OF_A_LINE];
        assert!(looked_at(&long, &secrets).len() < 2 * MOST_OF_A_LINE);
        assert_eq!(kept(&long, &secrets), format!("{} …", "x".repeat(MOST_OF_A_LINE)));
        let broken = kept(&vec![b'\xbf'; 2 * MOST_OF_A_LINE], &secrets);
        assert_eq!(broken, format!("{} …", "\u{fffd}".repeat(MOST_OF_A_LINE - 3)));
    }
}
