//! Secrets in a line that is about to be kept, whatever layers of JSON's escapes are around them. Each layer is looked
//! through once for each secret and once for all tokens, so a line costs no more than its length.

use std::ops::Range;

use memchr::memmem::Finder;

/// What is written in the place of a secret.
pub(super) const LEFT_OUT: &str = "[left out]";

/// Beginnings of tokens that are secrets wherever they stand; the last is that of every JSON Web Token.
const TOKENS: &[&str] = &["sk-", "xai-", "AIza", "ghp_", "gho_", "github_pat_", "Bearer ", "bearer ", "ya29.", "eyJ"];
/// What follows such a beginning is a secret if it has this length.
const LEAST: usize = 12;

/// JSON in a text of JSON in a text of JSON: what a tool returned may be passed on twice.
const LAYERS: usize = 3;
/// The most bytes that one has become after so many layers: `A` as `\\\\u0041`.
const WIDEST: usize = 9;

/// Values that are never written.
pub(super) struct Secrets {
    values: Vec<Finder<'static>>,
    room: usize,
}

impl Secrets {
    pub(super) fn new(values: &[String]) -> Self {
        // A short value stands everywhere by chance; none of a secret's length does.
        const SHORTEST: usize = 8;
        // The longest beginning of a token, and what makes it one.
        const TOKEN: usize = 32;
        let values: Vec<&str> = values.iter().map(String::as_str).filter(|value| value.len() >= SHORTEST).collect();
        let longest = values.iter().map(|value| value.len()).max().unwrap_or_default().max(TOKEN);
        let values = values.iter().map(|value| Finder::new(value.as_bytes()).into_owned()).collect();
        Self { values, room: WIDEST * longest }
    }

    /// So far behind the place where a line is cut it has to be looked at: a secret that begins before it is then seen
    /// whole, since half a secret is one, too.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Where secrets are, in order and apart.
    pub(super) fn places(&self, line: &[u8]) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut layer = Some(Layer::outermost(line));
        for _ in 0..=LAYERS {
            let Some(this) = layer else { break };
            for value in &self.values {
                let length = value.needle().len();
                places.extend(value.find_iter(&this.bytes).map(|at| this.place(at..at + length)));
            }
            places.extend(tokens(|at| this.bytes.get(at).copied()).into_iter().map(|token| this.place(token)));
            layer = this.below();
        }
        places.sort_by_key(|place| place.start);
        places.dedup_by(|next, last| {
            let overlap = next.start <= last.end;
            if overlap {
                last.end = last.end.max(next.end);
            }
            overlap
        });
        places
    }
}

/// A line with some layers of escapes taken off.
struct Layer {
    bytes: Vec<u8>,
    /// Where each of the bytes begins in the line, and last where the line ends.
    begins: Vec<usize>,
}

impl Layer {
    fn outermost(line: &[u8]) -> Self {
        Self { bytes: line.to_vec(), begins: (0..=line.len()).collect() }
    }

    /// Where this is in the line.
    fn place(&self, part: Range<usize>) -> Range<usize> {
        self.begins[part.start]..self.begins[part.end]
    }

    /// The same without one layer of escapes; `None` where there is none.
    fn below(&self) -> Option<Self> {
        memchr::memchr(b'\\', &self.bytes)?;
        let mut below = Self { bytes: Vec::with_capacity(self.bytes.len()), begins: Vec::new() };
        let mut at = 0;
        while at < self.bytes.len() {
            let (meant, length) = meant(&self.bytes[at..]);
            let mut buffer = [0; 4];
            let bytes = match meant {
                Meant::Byte(byte) => {
                    buffer[0] = byte;
                    &buffer[..1]
                }
                Meant::Char(c) => c.encode_utf8(&mut buffer).as_bytes(),
            };
            below.bytes.extend_from_slice(bytes);
            below.begins.resize(below.bytes.len(), self.begins[at]);
            at += length;
        }
        below.begins.extend(self.begins.last());
        Some(below)
    }
}

enum Meant {
    Byte(u8),
    Char(char),
}

/// What the first bytes mean in a text of JSON, and how many they are. What is no escape means itself.
fn meant(bytes: &[u8]) -> (Meant, usize) {
    let byte = match bytes {
        [b'\\', byte @ (b'"' | b'\\' | b'/'), ..] => *byte,
        [b'\\', b'b', ..] => 8,
        [b'\\', b'f', ..] => 12,
        [b'\\', b'n', ..] => b'\n',
        [b'\\', b'r', ..] => b'\r',
        [b'\\', b't', ..] => b'\t',
        [b'\\', b'u', ..] => return numbered(bytes).unwrap_or((Meant::Byte(b'\\'), 1)),
        [byte, ..] => return (Meant::Byte(*byte), 1),
        [] => return (Meant::Byte(0), 1),
    };
    (Meant::Byte(byte), 2)
}

/// A character by its number, or by the two numbers of its pair.
fn numbered(bytes: &[u8]) -> Option<(Meant, usize)> {
    let unit = |from: usize| -> Option<u16> {
        let digits = bytes.get(from..from + 6)?.strip_prefix(b"\\u")?;
        let hex = digits.iter().all(u8::is_ascii_hexdigit);
        u16::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| hex)?, 16).ok()
    };
    let first = unit(0)?;
    let pair = [first, unit(6).unwrap_or_default()];
    let units = if matches!(first, 0xD800..=0xDBFF) { &pair[..] } else { &pair[..1] };
    let c = char::decode_utf16(units.iter().copied()).next()?.ok()?;
    Some((Meant::Char(c), 6 * c.len_utf16()))
}

/// What follows the beginnings of tokens, as long as it could belong to them, where it is long enough for a secret.
fn tokens(at: impl Fn(usize) -> Option<u8>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut here = 0;
    while let Some(byte) = at(here) {
        let begins = |token: &str| {
            token.as_bytes()[0] == byte && token.bytes().enumerate().all(|(n, byte)| at(here + n) == Some(byte))
        };
        let Some(token) = TOKENS.iter().find(|token| begins(token)) else {
            here += 1;
            continue;
        };
        let start = here + token.len();
        let mut end = start;
        while at(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-_.~+/=".contains(&byte)) {
            end += 1;
        }
        if end - start >= LEAST {
            found.push(start..end);
        }
        // A token within one that is too short is shorter still.
        here = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The line with what is left out.
    fn clean(secrets: &[&str], line: &str) -> String {
        let secrets: Vec<String> = secrets.iter().map(|&secret| secret.to_owned()).collect();
        let mut clean = line.to_owned();
        for place in Secrets::new(&secrets).places(line.as_bytes()).into_iter().rev() {
            clean.replace_range(place, LEFT_OUT);
        }
        clean
    }

    #[test]
    fn a31_secrets_are_found_below_every_layer_of_escapes() {
        let secret = "pa\"ss\\wörd/\u{1f511}\n!";
        let mut line = secret.to_owned();
        for layer in 0..=LAYERS {
            assert_eq!(clean(&[secret], &format!("a {line} b")), "a [left out] b", "{layer} layers");
            line = serde_json::to_string(&line).unwrap();
            // Without the quotation marks around it, which are escaped next.
            line = line[1..line.len() - 1].to_owned();
        }
        let ascii = r"pa\u0022ss\\w\u00f6rd\/\uD83D\uDD11\n!";
        assert_eq!(clean(&[secret], &format!("a {ascii} b")), "a [left out] b", "as others escape it");
        assert_eq!(clean(&["hunter2hunter2", "yes"], "yes hunter2hunter2 yes"), "yes [left out] yes");
        for odd in [r"\", r"\u12", r"\uD83D", r"\uDD11\uD83D", r"\x", r"\u+123"] {
            assert_eq!(clean(&[secret], odd), odd);
        }
    }

    #[test]
    fn a31_tokens_are_left_out_wherever_they_stand() {
        for (line, is) in [
            (r#"{"key":"sk-ant-REDACTED"}"#, r#"{"key":"sk-[left out]"}"#),
            ("a sk-1 b", "a sk-1 b"),
            ("Bearer abcdefghijkl", "Bearer [left out]"),
            (r"x\nBearer abc\/defghijklm", r"x\nBearer [left out]"),
            (r"\u0073k-abcdefghijkl", r"\u0073k-[left out]"),
            ("id_token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln;", "id_token=eyJ[left out];"),
            ("sk- sk- sk- sk-abcdefghijkl", "sk- sk- sk- sk-[left out]"),
        ] {
            assert_eq!(clean(&[], line), is);
        }
        // Two that overlap are left out as one.
        assert_eq!(clean(&["defghijklmno pq"], "sk-abcdefghijklmno pq r"), "sk-[left out] r");
    }

    #[test]
    fn a_line_full_of_beginnings_is_looked_at_in_steps_that_grow_with_its_length_alone() {
        for line in ["sk- ", "sk-", "Bearer ", "eyJeyJ ", "github_pat ", "xai-AIzabearer "] {
            for length in [16 * 1024, 1024 * 1024] {
                let line = line.repeat(length / line.len());
                let steps = Cell::new(0_usize);
                tokens(|at| {
                    steps.set(steps.get() + 1);
                    line.as_bytes().get(at).copied()
                });
                assert!(steps.get() <= 8 * line.len() + 8, "{} steps for {} bytes", steps.get(), line.len());
            }
        }
    }
}
