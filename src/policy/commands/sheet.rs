//! The sheets: what is known about commands, as text that is looked up where it lies.
//!
//! Nothing is parsed before it is asked for: a process that judges one command reads the few lines about that command.

/// Every sheet, each sorted by heading.
pub(super) const SHEETS: &[&str] = &[
    include_str!("sheets/core.txt"),
    include_str!("sheets/text.txt"),
    include_str!("sheets/search.txt"),
    include_str!("sheets/system.txt"),
    include_str!("sheets/archive.txt"),
    include_str!("sheets/git.txt"),
    include_str!("sheets/grill.txt"),
    include_str!("sheets/language.txt"),
    include_str!("sheets/remote.txt"),
    include_str!("sheets/wrapper.txt"),
];

/// How deep a sheet may refer to other entries; a circle ends here, and as a refusal.
const DEPTH: usize = 8;

/// What a sheet says about one command: its lines, and those of the entries that it uses.
pub(super) struct Entry {
    /// Key and rest of every line, in order.
    pub lines: Vec<(&'static str, &'static str)>,
}

impl Entry {
    /// What is known about `name`, if anything is.
    pub fn of(name: &str) -> Option<Self> {
        SHEETS.iter().find_map(|sheet| find(sheet, name)).map(|body| {
            let mut lines = Vec::new();
            collect(body, DEPTH, &mut lines);
            Self { lines }
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

    /// Whether there is a `key`.
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
        match SHEETS.iter().find_map(|sheet| find(sheet, name)) {
            Some(body) if depth > 0 => collect(body, depth - 1, lines),
            // No key that anybody knows: whatever is asked for stays unknown.
            Some(_) | None => lines.push(("unknown", name)),
        }
    }
}

/// Whether `word` is one of `words`.
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

/// The words before ` : ` and the sentence after it.
pub(super) fn split_reason(rest: &'static str) -> (&'static str, &'static str) {
    rest.split_once(" : ").unwrap_or((rest, ""))
}

/// What stands below the heading `name`, by halving: the headings are sorted.
fn find(sheet: &'static str, name: &str) -> Option<&'static str> {
    let (mut low, mut high) = (0, sheet.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let Some((start, heading)) = heading_from(sheet, middle).filter(|(start, _)| *start < high) else {
            high = middle;
            continue;
        };
        match heading.cmp(name) {
            std::cmp::Ordering::Less => low = start + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let body = start + heading.len();
                let end = heading_from(sheet, body).map_or(sheet.len(), |(next, _)| next);
                return Some(&sheet[body..end]);
            }
        }
    }
    None
}

/// The first heading that begins at `from` or later: a line that begins with neither a blank nor `#`. The sheets are
/// plain ASCII, so any place in them may be cut at.
pub(super) fn heading_from(sheet: &'static str, from: usize) -> Option<(usize, &'static str)> {
    let mut start = if from == 0 { 0 } else { from - 1 + sheet[from - 1..].find('\n')? + 1 };
    while start < sheet.len() {
        let line = &sheet[start..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        if !line.is_empty() && !line.starts_with([' ', '#']) {
            return Some((start, line));
        }
        start += line.len() + 1;
    }
    None
}
