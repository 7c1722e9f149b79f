//! The sheets: what is known about commands, as text that is looked up where it lies.
//!
//! Nothing is parsed before it is asked for: a process that judges one command reads the few lines about that command.

/// One sheet, sorted by heading. Where the headings begin the compiler has found: to look for them anew would take longer
/// than everything else that judging a command takes.
pub(super) struct Sheet {
    pub text: &'static str,
    places: &'static [usize],
    /// Whether version managers are used for what stands in it, and put programs of their own before them.
    shimmed: bool,
}

macro_rules! sheet {
    ($file:literal, shimmed: $shimmed:literal) => {{
        const TEXT: &str = include_str!(concat!("sheets/", $file, ".txt"));
        const PLACES: [usize; count(TEXT)] = places(TEXT);
        Sheet { text: TEXT, places: &PLACES, shimmed: $shimmed }
    }};
}

pub(super) const SHEETS: &[Sheet] = &[
    sheet!("core", shimmed: false),
    sheet!("text", shimmed: true),
    sheet!("search", shimmed: true),
    sheet!("system", shimmed: false),
    sheet!("archive", shimmed: false),
    sheet!("git", shimmed: false),
    sheet!("grill", shimmed: false),
    sheet!("language", shimmed: true),
    sheet!("remote", shimmed: true),
    sheet!("vcs", shimmed: true),
    sheet!("wrapper", shimmed: false),
];

impl Sheet {
    /// Every heading, in order.
    #[cfg(test)]
    pub fn headings(&self) -> impl Iterator<Item = &'static str> {
        self.places.iter().map(|place| self.heading(*place))
    }

    fn heading(&self, place: usize) -> &'static str {
        let line = &self.text[place..];
        &line[..line.find('\n').unwrap_or(line.len())]
    }

    /// What stands below the heading `name`.
    pub fn find(&self, name: &str) -> Option<&'static str> {
        let at = self.places.binary_search_by(|place| self.heading(*place).cmp(name)).ok()?;
        let body = self.places[at] + name.len();
        let end = self.places.get(at + 1).copied().unwrap_or(self.text.len());
        Some(&self.text[body..end])
    }
}

/// The first place at `from` or behind it where a heading begins: a line that begins with neither a blank nor `#`.
const fn heading_from(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() {
        let begins_a_line = at == 0 || text[at - 1] == b'\n';
        if begins_a_line && !matches!(text[at], b' ' | b'#' | b'\n') {
            return at;
        }
        at += 1;
    }
    at
}

const fn count(text: &str) -> usize {
    let (text, mut count) = (text.as_bytes(), 0);
    let mut at = heading_from(text, 0);
    while at < text.len() {
        count += 1;
        at = heading_from(text, at + 1);
    }
    count
}

const fn places<const COUNT: usize>(text: &str) -> [usize; COUNT] {
    let (mut places, mut found, mut from) = ([0; COUNT], 0, 0);
    while found < COUNT {
        places[found] = heading_from(text.as_bytes(), from);
        from = places[found] + 1;
        found += 1;
    }
    places
}

/// How deep a sheet may refer to other entries; a circle ends here, and as a refusal.
const DEPTH: usize = 8;

/// What a sheet says about one command: its lines, and those of the entries that it uses.
pub(super) struct Entry {
    /// Key and rest of every line, in order.
    pub lines: Vec<(&'static str, &'static str)>,
    /// Whether a version manager may stand in for it.
    pub is_shimmed: bool,
}

impl Entry {
    pub fn of(name: &str) -> Option<Self> {
        SHEETS.iter().find_map(|sheet| Some((sheet, sheet.find(name)?))).map(|(sheet, body)| {
            let mut lines = Vec::new();
            collect(body, DEPTH, &mut lines);
            // The words behind the name are for the program, whichever it is.
            Self { lines, is_shimmed: sheet.shimmed && !name.contains(' ') }
        })
    }

    /// What follows the first `key`.
    pub fn get(&self, key: &str) -> Option<&'static str> {
        self.all(key).next()
    }

    /// What follows every `key`.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'static str> + 'a {
        self.lines.iter().filter(move |(at, _)| *at == key).map(|(_, rest)| *rest)
    }

    /// Why `verb` is known to do more than reading, if it is.
    pub fn not(&self, verb: &str) -> Option<&'static str> {
        self.all("not").map(split_reason).find(|(verbs, _)| has(verbs, verb)).map(|(_, why)| why)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

/// The entry's own lines first, so that they win over those of what it uses.
fn collect(body: &'static str, depth: usize, lines: &mut Vec<(&'static str, &'static str)>) {
    // What operands may be is said in one place: alternatives from elsewhere would let more through than is read here.
    let said = lines.iter().any(|(key, _)| *key == "words");
    lines.extend(body_lines(body).filter(|(key, _)| *key != "uses" && !(said && *key == "words")));
    for name in body_lines(body).filter(|(key, _)| *key == "uses").flat_map(|(_, names)| names.split_ascii_whitespace())
    {
        match SHEETS.iter().find_map(|sheet| sheet.find(name)) {
            Some(body) if depth > 0 => collect(body, depth - 1, lines),
            // No key that anybody knows: whatever is asked for stays unknown.
            Some(_) | None => lines.push(("unknown", name)),
        }
    }
}

pub(super) fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|one| one == word)
}

/// Key and rest of the lines below a heading.
pub(super) fn body_lines(body: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    body.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(' ').map_or((line, ""), |(key, rest)| (key, rest.trim_start())))
}

/// The words before ` : `, of which there may be none, and the sentence after it.
pub(super) fn split_reason(rest: &'static str) -> (&'static str, &'static str) {
    rest.strip_prefix(": ").map_or_else(|| rest.split_once(" : ").unwrap_or((rest, "")), |why| ("", why))
}
