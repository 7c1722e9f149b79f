//! Places that prose cites: paths of files, with or without a line, and abbreviated commits. Only what looks like nothing
//! else is one, and a file that the sentence calls new or planned is cited by no one yet.

use super::facts::Evidence;
use super::outline::{Fences, Stands};

/// The most places that are read from one document.
pub const MOST_PLACES: usize = 60;

/// The longest path that is taken for one.
const LONGEST: usize = 200;

/// Words of a sentence about a file that is to come.
const TO_COME: &[&str] = &[
    "add",
    "added",
    "adding",
    "adds",
    "become",
    "becomes",
    "create",
    "created",
    "creates",
    "creating",
    "emit",
    "emits",
    "future",
    "generate",
    "generated",
    "generates",
    "introduce",
    "introduces",
    "made",
    "missing",
    "move",
    "moves",
    "new",
    "planned",
    "produce",
    "produces",
    "propose",
    "proposed",
    "rename",
    "renamed",
    "renames",
    "replace",
    "replaces",
    "shall",
    "should",
    "will",
    "would",
    "write",
    "writes",
    "written",
];

/// Endings by which a name is known as a file's.
const ENDINGS: &[&str] = &[
    "adoc", "bash", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "erb", "ex", "exs", "go", "gradle", "h",
    "hpp", "html", "ini", "ipynb", "java", "jl", "js", "json", "jsx", "kt", "kts", "less", "lock", "lua", "md", "mjs",
    "ml", "nix", "php", "pl", "proto", "ps1", "py", "pyi", "r", "rb", "rs", "rst", "scala", "scss", "sh", "sql",
    "svelte", "swift", "tf", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig",
];

/// The places that a Markdown text cites, each once, in their order. Code blocks, links to the web and glob patterns cite
/// nothing.
pub fn places(markdown: &str) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = Vec::new();
    let mut code = Fences::new(Stands::Anywhere);
    for line in markdown.lines() {
        if code.holds(line) {
            continue;
        }
        for sentence in super::sentences::sentences(line) {
            let to_come = super::text::words(sentence).iter().any(|word| TO_COME.contains(&word.as_str()));
            let mut before = "";
            for chunk in sentence.split_whitespace() {
                let place = place(chunk, before).filter(|place| !to_come || place.lines.is_some());
                before = chunk;
                if let Some(place) = place.filter(|place| !found.contains(place)) {
                    found.push(place);
                }
            }
            if found.len() >= MOST_PLACES {
                found.truncate(MOST_PLACES);
                return found;
            }
        }
    }
    found
}

/// The place that a word of a sentence cites; `before` is the word in front of it.
fn place(chunk: &str, before: &str) -> Option<Evidence> {
    const AROUND: &[char] =
        &['(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '“', '”', '‘', '’', '`', '*', ',', ';', '!', '?'];
    let bare = chunk.trim_matches(AROUND).trim_end_matches(['.', ':']).trim_matches(AROUND);
    // A Markdown link cites what stands between its brackets.
    let bare = bare.split_once("](").map_or(bare, |(label, _)| label.trim_matches(AROUND));
    let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
    if bare.len() > LONGEST || bare.contains("://") || bare.contains(['*', '{', '<', '$', '~', '=', '@', '\\', '%']) {
        return None;
    }
    if is_commit(bare, chunk, before) {
        return Some(Evidence { path: bare.to_owned(), lines: None, blob: None });
    }
    let (path, lines) = cut(bare)?;
    let path = path.strip_prefix("./").unwrap_or(path);
    let plain = path.split('/').all(|part| !part.is_empty() && part != ".." && part != ".");
    (plain && is_file(path)).then(|| Evidence { path: path.to_owned(), lines, blob: None })
}

/// A path with the lines behind it: `a.rs`, `a.rs:3`, `a.rs:3-9`, `a.rs#L3`. What is behind the colon of anything else makes
/// it no place.
pub fn cut(text: &str) -> Option<(&str, Option<(u32, u32)>)> {
    let Some((path, rest)) = text.split_once(':').or_else(|| text.split_once("#L")) else {
        return Some((text, None));
    };
    span(rest).map(|lines| (path, Some(lines)))
}

/// First and last line, as they stand behind a path.
pub fn span(text: &str) -> Option<(u32, u32)> {
    // A column behind the line says no more about the place.
    let text = text.split(':').next().unwrap_or(text).replace(['–', 'L'], "-");
    let mut numbers = text.split('-').filter(|part| !part.is_empty()).map(str::parse::<u32>);
    let first = numbers.next()?.ok().filter(|first| *first > 0)?;
    let last = numbers.next().map_or(Some(first), Result::ok)?;
    (last >= first && numbers.next().is_none()).then_some((first, last))
}

/// Whether a path looks like one of a file. A bare name such as `node.js` is as often a product.
fn is_file(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let known = ENDINGS.contains(&ending.to_lowercase().as_str());
    let product = folder.is_empty() && ending == "js" && stem.chars().next().is_some_and(char::is_alphabetic);
    known && !product && !stem.is_empty() && !path.starts_with('/')
}

/// Whether a word is an abbreviated commit: hexadecimal with a digit and a letter, in backticks or behind `commit`.
fn is_commit(word: &str, chunk: &str, before: &str) -> bool {
    let hex = word.bytes().all(|one| one.is_ascii_digit() || (b'a'..=b'f').contains(&one));
    let mixed = word.bytes().any(|one| one.is_ascii_digit()) && word.bytes().any(|one| one.is_ascii_lowercase());
    let said = before.trim_matches(|one: char| !one.is_alphanumeric()).eq_ignore_ascii_case("commit");
    let marked = chunk.trim_start_matches('(').starts_with('`');
    (7..=40).contains(&word.len()) && hex && mixed && (said || marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g15_places_of_prose_are_known_by_their_form() {
        for (text, expected) in [
            ("See `src/poll.rs:9`.", &["src/poll.rs:9"][..]),
            ("One failure removes a feed (feedwatch/poll.py:41); 40 were lost.", &["feedwatch/poll.py:41"]),
            ("It stands in src/a.rs, src/b.rs:3-9 and src/c.rs#L4-L6.", &["src/a.rs", "src/b.rs:3-9", "src/c.rs:4-6"]),
            ("[`docs/adr/0001.md`](docs/adr/0001.md) decides.", &["docs/adr/0001.md"]),
            ("Cargo.toml's edition; ./README.md, too", &["Cargo.toml", "README.md"]),
            ("since commit a1b2c3d, and `deadbee1`", &["a1b2c3d", "deadbee1"]),
            ("poll.py:12:4 and poll.py:12:4", &["poll.py:12"]),
            // A line is cited, whatever is to come there.
            ("The loop will go from src/poll.rs:9.", &["src/poll.rs:9"]),
            // To come, elsewhere, or no place.
            ("A new module src/retry.rs holds it.", &[]),
            ("We will write docs/retry.md.", &[]),
            ("https://example.org/a.md and src/*.rs and ~/x.toml and /etc/x.conf and ../up.md", &[]),
            ("node.js, e.g. and v1.2, 3.5 and/or", &[]),
            ("since a1b2c3d and `1234567` and `deadbeef` and `abc`", &[]),
            ("```\nsrc/in_code.rs\n```\n", &[]),
            ("a.rs:0 a.rs:x a.rs:9-3", &[]),
            ("", &[]),
        ] {
            let found: Vec<String> = places(text).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
        let many: Vec<String> = (0..500).map(|one| format!("- src/f{one}.rs")).collect();
        assert_eq!(places(&many.join("\n")).len(), MOST_PLACES);
    }
}
