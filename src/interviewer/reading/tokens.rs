//! A text as words in sentences and clauses. What is written as code, a path or a number stays in one piece.

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// As it was written, without the punctuation around it.
    pub text: &'a str,
    pub lower: String,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// The sentence it stands in, counted from 0.
    pub sentence: usize,
    /// The clause it stands in, counted through the whole text.
    pub clause: usize,
    pub opens: bool,
    /// Whether it stands between backticks.
    pub code: bool,
    /// Whether it stands between quotation marks, which hold somebody else's words.
    pub quoted: bool,
}

impl Token<'_> {
    /// Where it ends, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

const OPENING: &[char] = &['(', '[', '{', '"', '\'', '“', '‘', '«', '`', '*'];
const CLOSING: &[char] = &[')', ']', '}', '"', '\'', '”', '’', '»', '`', '*', ',', ';', ':', '.', '!', '?', '…'];

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATED: &[&str] = &["e.g", "i.e", "vs", "approx", "ca", "incl", "resp", "cf", "no"];

/// Signs that are words: units.
const SIGNS: &[&str] = &["%", "×", "$", "€", "£"];

/// Words that open a clause of their own.
const TURNING: &[&str] = &["but", "while", "whereas", "although", "though", "however", "because"];

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader =
        Reader { text, tokens: Vec::new(), sentence: 0, clause: 0, opens: true, code: false, quoted: false };
    for line in text.lines() {
        for chunk in line.split_whitespace() {
            reader.take(chunk);
        }
        reader.end_sentence();
        reader.quoted = false;
    }
    reader.tokens
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    sentence: usize,
    clause: usize,
    opens: bool,
    code: bool,
    quoted: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, chunk: &'a str) {
        let bare = chunk.trim_start_matches(OPENING);
        let head = &chunk[..chunk.len() - bare.len()];
        if head.contains(['(', '[']) {
            self.clause += 1;
        }
        self.quoted |= head.contains(['"', '“', '«']);
        let ticks = chunk.matches('`').count();
        let code = self.code || ticks > 0;
        self.code ^= ticks % 2 == 1;
        let word = bare.trim_end_matches(CLOSING);
        let tail = &bare[word.len()..];
        for piece in pieces(word) {
            if piece.chars().all(|one| !one.is_alphanumeric()) && !SIGNS.contains(&piece) {
                self.clause += usize::from(!piece.is_empty());
                continue;
            }
            self.push(piece, code);
        }
        self.quoted &= !tail.contains(['"', '”', '»']);
        if tail.contains(['.', '!', '?', '…']) && !ABBREVIATED.contains(&word.to_lowercase().as_str()) {
            self.end_sentence();
        } else if tail.contains([',', ';', ':', ')', ']']) {
            self.clause += 1;
        }
    }

    fn push(&mut self, piece: &'a str, code: bool) {
        let lower = piece.to_lowercase();
        if TURNING.contains(&lower.as_str()) {
            self.clause += 1;
        }
        self.tokens.push(Token {
            text: piece,
            lower,
            start: piece.as_ptr() as usize - self.text.as_ptr() as usize,
            sentence: self.sentence,
            clause: self.clause,
            opens: self.opens,
            code,
            quoted: self.quoted,
        });
        self.opens = false;
    }

    fn end_sentence(&mut self) {
        if !self.opens {
            self.sentence += 1;
            self.clause += 1;
            self.opens = true;
        }
    }
}

/// A chunk between two spaces as words: dashes separate, and slashes do where they do not belong to a path or a rate.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let number = word.starts_with(|one: char| one.is_ascii_digit());
    let slashed = word.contains('/') && !is_path(word) && !is_rate(word);
    word.split_inclusive(move |one: char| match one {
        '—' => true,
        '–' => !number,
        '/' => slashed,
        _ => false,
    })
    .flat_map(move |piece| {
        let ends: &[char] = match (number, slashed) {
            (false, true) => &['—', '–', '/'],
            (false, false) => &['—', '–'],
            (true, true) => &['—', '/'],
            (true, false) => &['—'],
        };
        let bare = piece.trim_end_matches(ends);
        // The dash is handed on by itself, since a new clause begins behind it.
        let dash = piece[bare.len()..].trim_start_matches('/');
        [bare, dash].into_iter().filter(|one| !one.is_empty())
    })
}

fn is_rate(word: &str) -> bool {
    ["/s", "/sec", "/min", "/h", "/hour", "/day", "/month"].iter().any(|end| word.to_lowercase().ends_with(end))
}

/// Endings by which a file is known.
const ENDINGS: &[&str] = &[
    "adoc", "c", "cfg", "conf", "cpp", "cs", "css", "csv", "ex", "go", "h", "html", "ini", "java", "js", "json", "jsx",
    "kt", "lock", "md", "php", "proto", "py", "rb", "rs", "rst", "sh", "sql", "swift", "toml", "ts", "tsx", "txt",
    "xml", "yaml", "yml",
];

/// Whether a word looks like the path of a file or a folder. `and/or` does not.
pub(super) fn is_path(word: &str) -> bool {
    let (head, name) = word.rsplit_once('/').map_or(("", word), |(head, name)| (head, name));
    // `src/quota.rs:41` names a line of the file.
    let name = name.split(':').next().unwrap_or(name);
    let ending = name.rsplit_once('.').map(|(stem, ending)| (stem, ending.to_lowercase()));
    let file = ending
        .is_some_and(|(stem, ending)| (!stem.is_empty() || !head.is_empty()) && ENDINGS.contains(&ending.as_str()));
    let folders = word.matches('/').count();
    let rooted = ["./", "../", "~/", "/"].iter().any(|start| word.starts_with(start)) && word.len() > 2;
    file || rooted || (folders >= 1 && word.starts_with('.')) || (folders >= 1 && word.ends_with('/') && word.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, usize, usize)> {
        tokens(text).into_iter().map(|token| (token.lower, token.sentence, token.clause)).collect()
    }

    #[test]
    fn words_know_their_sentence_and_clause() {
        let said = read("Fast, under 50 ms. Users (like Ada) wait – but not long");
        let words: Vec<&str> = said.iter().map(|(word, ..)| word.as_str()).collect();
        assert_eq!(words, ["fast", "under", "50", "ms", "users", "like", "ada", "wait", "but", "not", "long"]);
        let sentences: Vec<usize> = said.iter().map(|(_, sentence, _)| *sentence).collect();
        assert_eq!(sentences, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
        assert!(said[0].2 < said[1].2 && said[4].2 < said[5].2 && said[6].2 < said[7].2 && said[7].2 < said[8].2);
    }

    #[test]
    fn paths_rates_and_code_stay_whole() {
        for (text, expected) in [
            ("see src/middleware/quota.rs:41.", vec!["see", "src/middleware/quota.rs:41"]),
            ("read/write and/or", vec!["read", "write", "and", "or"]),
            ("100 req/s", vec!["100", "req/s"]),
            ("e.g. this", vec!["e.g", "this"]),
            ("10–20 days", vec!["10–20", "days"]),
            ("one–two", vec!["one", "two"]),
            ("`let x` y", vec!["let", "x", "y"]),
            ("", vec![]),
            ("— … !?", vec![]),
        ] {
            let words: Vec<String> = read(text).into_iter().map(|(word, ..)| word).collect();
            assert_eq!(words, expected, "{text}");
        }
        let code: Vec<bool> = tokens("`let x` y").iter().map(|token| token.code).collect();
        assert_eq!(code, [true, true, false]);
    }

    #[test]
    fn paths_are_known_by_their_form() {
        for path in
            ["src/main.rs", "main.rs", "./run", "/etc/hosts", ".github/workflows", "docs/", "Cargo.toml", "a/b.md:3"]
        {
            assert!(is_path(path), "{path}");
        }
        for word in ["and/or", "read/write", "fast", "e.g", "3.5", ".", "/", "either/or", "node.", "v1.2"] {
            assert!(!is_path(word), "{word}");
        }
    }
}
