//! The raw log: every line of both directions and of the agent's standard error, with secrets left out, in a file of
//! bounded size. The beginning stays, and so does the newest: what went wrong is at either end.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::secrets::{LEFT_OUT, Secrets};

/// The most that one log holds.
pub const MOST: usize = 2 * 1024 * 1024;
/// So much of the beginning stays.
const BEGINNING: usize = 256 * 1024;
/// So much of the newest stays when the log is full. The rest of it is room for what comes.
const NEWEST: usize = 1024 * 1024;
const MOST_OF_A_LINE: usize = 16 * 1024;

/// What a log is written on.
pub trait Paper: Read + Write + Seek + Send {
    /// Cuts it off at this length.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// A log; its copies are the same one.
#[derive(Clone)]
pub struct RawLog {
    /// What is never written.
    secrets: Arc<Secrets>,
    log: Arc<Mutex<Log>>,
}

struct Log {
    paper: Box<dyn Paper>,
    /// How much is written.
    length: usize,
    /// Where the beginning ends that stays.
    beginning: usize,
    /// How long the line behind it is that says how much was left out there.
    seam: usize,
    left_out: usize,
}

impl RawLog {
    /// A log on empty paper.
    pub fn new(paper: Box<dyn Paper>, secrets: &[String]) -> Self {
        let log = Log { paper, length: 0, beginning: 0, seam: 0, left_out: 0 };
        Self { secrets: Arc::new(Secrets::new(secrets)), log: Arc::new(Mutex::new(log)) }
    }

    /// Writes a line. A log that cannot be written is no reason to stop an interview.
    pub fn note(&self, direction: &str, line: &[u8]) {
        let line = format!("{direction} {}\n", kept(line, &self.secrets));
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = log.write(line.as_bytes());
    }
}

impl Log {
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        if self.length + line.len() > MOST {
            self.make_room()?;
        }
        // What could not be written whole is written over.
        self.paper.seek(SeekFrom::Start(self.length as u64))?;
        self.paper.write_all(line)?;
        self.length += line.len();
        if self.left_out == 0 && self.length <= BEGINNING {
            self.beginning = self.length;
        }
        Ok(())
    }

    /// Leaves out what lies between the beginning and the newest, and says so in its place.
    fn make_room(&mut self) -> io::Result<()> {
        let mut newest = vec![0; NEWEST];
        self.paper.seek(SeekFrom::Start((self.length - NEWEST) as u64))?;
        self.paper.read_exact(&mut newest)?;
        let first = memchr::memchr(b'\n', &newest).map_or(0, |end| end + 1);
        let newest = &newest[first..];
        let left_out = self.left_out + self.length - newest.len() - self.beginning - self.seam;
        let seam = format!("= git grill left out {left_out} bytes here\n");
        self.paper.seek(SeekFrom::Start(self.beginning as u64))?;
        self.paper.write_all(seam.as_bytes())?;
        self.paper.write_all(newest)?;
        let length = self.beginning + seam.len() + newest.len();
        self.paper.cut(length as u64)?;
        (self.length, self.seam, self.left_out) = (length, seam.len(), left_out);
        Ok(())
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
    // No message has any, and a terminal that shows the log would obey them.
    text.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}")
}

/// What is looked at of a line, however long it is: what is kept, and as much behind it as shows a secret whole.
fn looked_at<'a>(line: &'a [u8], secrets: &Secrets) -> &'a [u8] {
    &line[..line.len().min(MOST_OF_A_LINE + secrets.room())]
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[derive(Clone, Default)]
    struct Sheet(Arc<Mutex<Cursor<Vec<u8>>>>);

    impl Sheet {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().get_ref().clone()).unwrap()
        }
    }

    impl Read for Sheet {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.lock().unwrap().read(into)
        }
    }

    impl Write for Sheet {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Sheet {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.lock().unwrap().seek(to)
        }
    }

    impl Paper for Sheet {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.0.lock().unwrap().get_mut().truncate(usize::try_from(length).unwrap());
            Ok(())
        }
    }

    #[test]
    fn a31_secrets_and_what_a_terminal_obeys_are_left_out() {
        let sheet = Sheet::default();
        let log = RawLog::new(Box::new(sheet.clone()), &["hunter2hunter2".into(), "yes".into()]);
        log.note(">", br#"{"key":"sk-ant-REDACTED","p":"hunter2hunter2","ok":"yes sk-1"}"#);
        log.clone().note("!", b"\x1b[31mred\x1b[0m\tend\r");
        assert_eq!(
            sheet.text(),
            "> {\"key\":\"sk-[left out]\",\"p\":\"[left out]\",\"ok\":\"yes sk-1\"}\n\
             ! \u{fffd}[31mred\u{fffd}[0m\tend\n"
        );
    }

    #[test]
    fn a31_the_log_keeps_the_beginning_and_the_newest_and_says_how_much_is_missing() {
        let sheet = Sheet::default();
        let log = RawLog::new(Box::new(sheet.clone()), &[]);
        let line = |number: usize| format!("{number} {}.", "ä".repeat(number * 37 % 3_000));
        let mut all = 0;
        for number in 0..4_000 {
            log.note("<", line(number).as_bytes());
            all += line(number).len() + 3;
            assert!(sheet.0.lock().unwrap().get_ref().len() <= MOST);
        }
        let text = sheet.text();
        let lines: Vec<&str> = text.lines().collect();
        let seams: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("= ")).collect();
        let [seam] = seams[..] else { panic!("{} seams", seams.len()) };
        let (before, after) = (&lines[..seam], &lines[seam + 1..]);
        for (number, kept) in before.iter().enumerate() {
            assert_eq!(*kept, format!("< {}", line(number)));
        }
        for (number, kept) in (4_000 - after.len()..).zip(after) {
            assert_eq!(*kept, format!("< {}", line(number)));
        }
        let of = |lines: &[&str]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
        assert!(of(before) > BEGINNING - 8_192 && of(after) >= NEWEST - 8_192, "{} and {}", of(before), of(after));
        let missing = all - of(before) - of(after);
        assert_eq!(lines[seam], format!("= git grill left out {missing} bytes here"));
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
