//! The files and the checks that the text of a step names (P24). A name counts only if such a file exists or existed,
//! so words that merely look like a file name do no harm here.

use super::code::Code;
use crate::domain::harmless::acts_on_a_terminal;
use crate::domain::text::Line;

/// The most files that count for one step; further names are ignored.
pub const MOST_FILES: usize = 16;
/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 200;
/// The most checks of one step.
const MOST_CHECKS: usize = 8;
/// The longest check, in bytes.
const LONGEST_CHECK: usize = 400;
/// The word before a check.
const WORD: &str = "check:";

/// The names of files in the text of a step, each once: text between backticks, and words with a slash or a file
/// extension. Code blocks and checks are left out: a block is an example, and a check names what it runs, not what the
/// step changes.
pub fn files(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in prose(text) {
        let (line, _) = apart(line);
        let pieces: Vec<&str> = line.split('`').collect();
        for (place, piece) in pieces.iter().enumerate() {
            let quoted = (place % 2 == 1 && place + 1 < pieces.len()).then(|| name(piece)).flatten();
            let words = piece.split_whitespace().filter_map(name).filter(|word| looks_like_a_file(word));
            for name in quoted.into_iter().chain(words) {
                if found.len() < MOST_FILES && !found.contains(&name) {
                    found.push(name);
                }
            }
        }
    }
    found
}

/// The commands that check a step: `check: cargo test limiter`, up to the end of the line, of the backticks or of the
/// brackets around it.
pub fn checks(text: &str) -> Vec<Line> {
    let commands = prose(text).flat_map(|line| apart(line).1);
    let lines = commands.filter(|command| command.len() <= LONGEST_CHECK);
    lines.filter_map(|command| Line::parse("the check", &command).ok()).take(MOST_CHECKS).collect()
}

/// Whether this is a path in the working tree that belongs to the user, not to git or to git grill.
pub fn is_path(name: &str) -> bool {
    let part = |part: &str| !matches!(part, "" | "." | "..") && !part.eq_ignore_ascii_case(".git");
    name.len() <= LONGEST_NAME
        && !name.chars().any(acts_on_a_terminal)
        && name.split('/').all(part)
        && name.split('/').next() != Some(".grill")
}

/// The lines of a text outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut code = Code::default();
    text.lines().filter(move |line| !code.holds(line))
}

fn looks_like_a_file(word: &str) -> bool {
    let ending = |(stem, ending): (&str, &str)| {
        !stem.is_empty() && !ending.is_empty() && ending.len() <= 8 && ending.chars().all(char::is_alphanumeric)
    };
    word.contains('/') || word.rsplit_once('.').is_some_and(ending)
}

/// The path in a word, without punctuation around it and without a line number.
fn name(word: &str) -> Option<String> {
    let around = |one: char| "\"'()[]{}<>,;:!?*".contains(one);
    let word = word.trim().trim_start_matches(around).trim_end_matches(|one| around(one) || one == '.');
    let word = word.split_once("#L").map_or(word, |(path, _)| path);
    let mut path = word.strip_prefix("./").unwrap_or(word);
    while let Some((before, place)) = path.rsplit_once(':')
        && place.chars().all(|one| one.is_ascii_digit() || one == '-')
    {
        path = before;
    }
    let path = path.trim_end_matches('/');
    is_path(path).then(|| path.to_owned())
}

/// A line without its checks, and the checks.
fn apart(line: &str) -> (String, Vec<String>) {
    let (mut rest, mut plain, mut commands) = (line, String::new(), Vec::new());
    while let Some(at) = beginning(rest) {
        let (before, behind) = (&rest[..at], &rest[at + WORD.len()..]);
        plain.push_str(before.strip_suffix('`').unwrap_or(before));
        plain.push(' ');
        let (command, after) = command(before, behind);
        commands.push(command.trim().to_owned());
        rest = after;
    }
    plain.push_str(rest);
    commands.retain(|command| !command.is_empty());
    (plain, commands)
}

/// The position of the first check in a line.
fn beginning(line: &str) -> Option<usize> {
    let lower = line.to_ascii_lowercase();
    let stands_alone =
        |at: &usize| line[..*at].chars().next_back().is_none_or(|one| one.is_whitespace() || "(`*_".contains(one));
    lower.match_indices(WORD).map(|(at, _)| at).find(stands_alone)
}

/// The command of a check, from the text before and behind the word `check:`, and the text after the command.
fn command<'a>(before: &str, behind: &'a str) -> (&'a str, &'a str) {
    let until = |text: &'a str, mark: &str| text.split_once(mark).unwrap_or((text, ""));
    if before.ends_with('`') {
        return until(behind, "`");
    }
    let text = behind.trim_start_matches(['*', '_']).trim_start();
    if let Some(quoted) = text.strip_prefix('`') {
        return until(quoted, "`");
    }
    match text.rsplit_once(')') {
        Some(enclosed) if before.ends_with('(') => enclosed,
        Some(_) | None => (text, ""),
    }
}
