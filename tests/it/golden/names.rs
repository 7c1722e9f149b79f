//! What differs from run to run, written so that it does not: places, object ids, random ids.

/// The kinds of random ids in front of `-` and six characters.
const KINDS: [&str; 2] = ["q", "a"];

/// The names seen so far in one session.
pub struct Names {
    dir: String,
    ids: Vec<String>,
    sessions: Vec<String>,
}

impl Names {
    /// No names yet; the temporary directory is `dir`.
    pub fn new(dir: &str) -> Self {
        Self { dir: dir.to_owned(), ids: Vec::new(), sessions: Vec::new() }
    }

    /// The text with everything random replaced, and new names remembered.
    pub fn normalise(&mut self, text: &str) -> String {
        let text = text.replace(&self.dir, "$DIR");
        let mut normal = String::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let word_ends = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word_ends.max(if is_word(first) { 0 } else { first.len_utf8() }));
            normal.push_str(&self.word(word));
            rest = after;
        }
        normal
    }

    fn word(&mut self, word: &str) -> String {
        if let Some(stem) = session_stem(word) {
            return format!("{stem}-#{}", position(&mut self.sessions, word));
        }
        if let Some(kind) = id_kind(word) {
            return format!("{kind}-#{}", self.id_number(kind, word));
        }
        let parts = word.split('-').map(|part| if is_oid(part) { "<oid>" } else { part });
        parts.collect::<Vec<_>>().join("-")
    }

    /// Each kind is numbered for itself.
    fn id_number(&mut self, kind: &str, id: &str) -> usize {
        position(&mut self.ids, id);
        let same_kind = self.ids.iter().filter(|known| id_kind(known) == Some(kind));
        same_kind.take_while(|known| *known != id).count() + 1
    }

    /// The command with `{q-#1}`, `{a-#1}` and `{session-#1}` replaced by what they stand for.
    pub fn fill_in(&self, command: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = command;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let name = after.split_once('}').and_then(|(name, after)| {
                let (kind, number) = name.split_once("-#")?;
                Some((kind, number.parse::<usize>().ok()?, after))
            });
            let Some((kind, number, after)) = name else {
                filled.push('{');
                rest = after;
                continue;
            };
            let known = self.known(kind, number);
            filled.push_str(known.ok_or_else(|| format!("no {{{kind}-#{number}}} was shown before this command"))?);
            rest = after;
        }
        Ok(filled + rest)
    }

    fn known(&self, kind: &str, number: usize) -> Option<&str> {
        let index = number.checked_sub(1)?;
        let found = match kind {
            "session" => self.sessions.get(index),
            kind => self.ids.iter().filter(|id| id_kind(id) == Some(kind)).nth(index),
        };
        found.map(String::as_str)
    }
}

/// The number of `name` among `seen`, counted from 1; it is added if it is new.
fn position(seen: &mut Vec<String>, name: &str) -> usize {
    let known = seen.iter().position(|known| known == name);
    let index = known.unwrap_or_else(|| {
        seen.push(name.to_owned());
        seen.len() - 1
    });
    index + 1
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The letters and digits of random ids: none that is taken for another.
fn is_random(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'a'..=b'k' | b'm' | b'n' | b'p'..=b'z' | b'2'..=b'9'))
}

/// `q` of `q-7f3k2a`.
fn id_kind(word: &str) -> Option<&'static str> {
    let (kind, random) = word.split_once('-')?;
    let kind = KINDS.into_iter().find(|known| *known == kind)?;
    (random.len() == 6 && is_random(random)).then_some(kind)
}

/// `20261121-auth` of `20261121-auth-k3f2q`.
fn session_stem(word: &str) -> Option<&str> {
    let (stem, random) = word.rsplit_once('-')?;
    let (date, slug) = stem.split_once('-')?;
    let is_date = date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit());
    (is_date && !slug.is_empty() && random.len() == 5 && is_random(random)).then_some(stem)
}

/// A full or shortened object id. A number of seven digits may be one, so it counts.
fn is_oid(part: &str) -> bool {
    let is_hex = part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex && matches!(part.len(), 7..=40 | 64)
}

#[test]
fn every_kind_of_name_is_normalised() {
    let mut names = Names::new("/tmp/x1");
    let mut check = |text: &str, normal: &str| assert_eq!(names.normalise(text), normal);
    check("in /tmp/x1/repo: ok", "in $DIR/repo: ok");
    check("[main 1a2b3c4] abc1234..def5678, 12345", "[main <oid>] <oid>..<oid>, 12345");
    check(&"e".repeat(64), "<oid>");
    check(&"e".repeat(41), &"e".repeat(41));
    check("q-7f3k2a, a-22222a, q-7f3k2b, q-7f3k2a.yaml", "q-#1, a-#1, q-#2, q-#1.yaml");
    check("--question=q-7f3k2b grill/20261121-auth-flow-k3f2q/x", "--question=q-#2 grill/20261121-auth-flow-#1/x");
    check("20261121-auth-k3f22 20261121-auth-flow-k3f2q", "20261121-auth-#2 20261121-auth-flow-#1");
    check("q-9h8kjm a-l22222", "q-#3 a-l22222");
    check("q-7f3k2 q-7f3k2aa q-7f3k10 is-a-script übung", "q-7f3k2 q-7f3k2aa q-7f3k10 is-a-script übung");
}

#[test]
fn commands_name_what_was_shown() {
    let mut names = Names::new("/tmp/x1");
    names.normalise("a-22222a q-aaaaaa q-bbbbbb 20261121-auth-k3f2q");
    let filled = names.fill_in("x {q-#2} {a-#1} {session-#1} ${HOME} {a,b} {");
    assert_eq!(filled.unwrap(), "x q-bbbbbb a-22222a 20261121-auth-k3f2q ${HOME} {a,b} {");
    for unknown in ["{q-#3}", "{q-#0}", "{x-#1}", "{session-#2}"] {
        assert!(names.fill_in(unknown).is_err(), "{unknown}");
    }
}
