//! An issue as a file: a few lines at the top, the body below. What was written can be edited by hand and read back, and a
//! file that cannot be read is told by its line.

use std::fmt::Write as _;

use super::super::production::{IssueSlot, MOST_ISSUES};
use super::super::text::plain_line_ends;
use super::IssueText;
use super::body::MARK;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadIssue {
    /// Where, counted from 1.
    pub line: usize,
    pub why: String,
}

/// The longest title that trackers take, in characters.
const LONGEST_TITLE: usize = 256;
/// The longest body, in characters: GitHub takes 65,536, and what an issue depends on is added.
const LONGEST_BODY: usize = 60_000;
const MOST_LABELS: usize = 100;

fn marked(line: usize) -> BadIssue {
    BadIssue { line, why: format!("`{MARK}` is the mark by which git grill finds its issues again") }
}

pub fn write(issue: &IssueText) -> String {
    let before: Vec<String> = issue.depends_on.iter().map(|slot| slot.number().to_string()).collect();
    written(issue, &before)
}

/// The same as one of several files: what it depends on are files too, named by their paths.
pub fn write_file(issue: &IssueText, depends_on: &[&str]) -> String {
    let before: Vec<String> = depends_on.iter().map(|path| quoted(path)).collect();
    written(issue, &before)
}

fn written(issue: &IssueText, before: &[String]) -> String {
    let mut text = format!("---\ntitle: {}\n", quoted(&issue.title));
    let labels: Vec<String> = issue.labels.iter().map(|label| quoted(label)).collect();
    let _ = writeln!(text, "labels: [{}]", labels.join(", "));
    let _ = write!(text, "depends_on: [{}]\n---\n\n", before.join(", "));
    text.push_str(issue.body.trim());
    text.push('\n');
    text
}

/// The text of a file that depends on none of what is gone; none where it does not anyway, or is no issue.
pub fn file_without(text: &str, is_gone: impl Fn(&str) -> bool) -> Option<String> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let (at, before) = dependencies(&lines)?;
    let kept: Vec<&String> = before.iter().filter(|named| !is_gone(named)).collect();
    if kept.len() == before.len() {
        return None;
    }
    let kept: Vec<String> = kept.into_iter().map(|named| quoted(named)).collect();
    let end = if lines[at].ends_with('\r') { "\r" } else { "" };
    lines[at] = format!("depends_on: [{}]{end}", kept.join(", "));
    Some(lines.join("\n"))
}

/// What a file says that its issue depends on, by path or by number; nothing where it is no issue.
pub fn file_depends_on(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    dependencies(&lines).map(|(_, named)| named).unwrap_or_default()
}

/// The line of a file that says what its issue depends on, counted from 0, and what it names.
fn dependencies<T: AsRef<str>>(lines: &[T]) -> Option<(usize, Vec<String>)> {
    let is_mark = |line: &T| line.as_ref().trim_end() == "---";
    let head = lines.split_first().filter(|(first, _)| is_mark(first))?.1;
    let head = &head[..head.iter().position(is_mark)?];
    let at = 1 + head.iter().position(|line| key_of(line.as_ref()) == Some("depends_on"))?;
    let (_, value) = lines[at].as_ref().split_once(':')?;
    Some((at, list(value.trim()).ok()?))
}

fn key_of(line: &str) -> Option<&str> {
    line.split_once(':').map(|(key, _)| key.trim())
}

/// Text in quotation marks, as YAML and JSON have it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for one in text.chars() {
        match one {
            '"' | '\\' => quoted.extend(['\\', one]),
            one if one.is_control() => quoted.push(' '),
            one => quoted.push(one),
        }
    }
    quoted.push('"');
    quoted
}

pub fn parse(text: &str) -> Result<IssueText, BadIssue> {
    read(text, None)
}

/// Reads a draft as it was recorded; none for what is no issue. Earlier versions let an issue name its milestone.
pub fn recorded(text: &str) -> Option<IssueText> {
    read(text, Some("milestone")).ok()
}

/// The line at which an issue says what it depends on, counted from 1; the first one where it does not.
pub fn depends_on_line(text: &str) -> usize {
    plain_line_ends(text).lines().position(|line| key_of(line) == Some("depends_on")).map_or(1, |index| index + 1)
}

/// Reads a file back; what stands under the key `passed_over` is nothing.
fn read(text: &str, passed_over: Option<&str>) -> Result<IssueText, BadIssue> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = plain_line_ends(text);
    let bad = |line: usize, why: String| BadIssue { line, why };
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    if lines.next().is_none_or(|(_, line)| line.trim_end() != "---") {
        return Err(bad(1, "an issue begins with a line `---`, then `title: …`".to_owned()));
    }
    let mut issue = IssueText::default();
    let mut seen: Vec<String> = Vec::new();
    let mut ended = false;
    for (number, line) in lines.by_ref() {
        // What is written back has blanks in their place.
        let line = line.replace(char::is_control, " ");
        let line = line.trim();
        if line == "---" {
            ended = true;
            break;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or_else(|| bad(number, format!("`{line}` is no `key: value`")))?;
        let (key, value) = (key.trim(), value.trim());
        if seen.iter().any(|one| one == key) {
            return Err(bad(number, format!("`{key}` stands there twice")));
        }
        seen.push(key.to_owned());
        if passed_over != Some(key) {
            set(&mut issue, key, value).map_err(|why| bad(number, why))?;
        }
    }
    if !ended {
        return Err(bad(text.lines().count(), "the lines at the top do not end with `---`".to_owned()));
    }
    if issue.title.trim().is_empty() {
        return Err(bad(1, "it has no title; write `title: …`".to_owned()));
    }
    let body: Vec<&str> = lines
        // By its mark an issue is found again; one that carries another's would stand for it.
        .map(|(number, line)| if line.contains(MARK) { Err(marked(number)) } else { Ok(line) })
        .collect::<Result<_, _>>()?;
    issue.body = match body.join("\n").trim() {
        "" => String::new(),
        body => format!("{body}\n"),
    };
    let long = issue.body.chars().count();
    if long > LONGEST_BODY {
        return Err(bad(text.lines().count(), format!("the body has {long} characters, and {LONGEST_BODY} fit")));
    }
    Ok(issue)
}

fn set(issue: &mut IssueText, key: &str, value: &str) -> Result<(), String> {
    match key {
        "title" => {
            issue.title = one(value)?;
            let long = issue.title.chars().count();
            if long > LONGEST_TITLE {
                return Err(format!("the title has {long} characters, and {LONGEST_TITLE} fit"));
            }
        }
        "labels" => {
            issue.labels = list(value)?;
            if issue.labels.len() > MOST_LABELS {
                return Err(format!("there are more than {MOST_LABELS} labels"));
            }
        }
        "depends_on" => {
            for text in list(value)? {
                let slot = IssueSlot::typed(&text).ok_or_else(|| {
                    format!(
                        "`{text}` is no number of an issue; they count from 1 to {MOST_ISSUES}, as in `1`, `#1` or `issue:1`"
                    )
                })?;
                if !issue.depends_on.contains(&slot) {
                    issue.depends_on.push(slot);
                }
            }
        }
        unknown => return Err(format!("`{unknown}` is not known; there are title, labels and depends_on")),
    }
    Ok(())
}

/// One text, with or without quotation marks.
fn one(value: &str) -> Result<String, String> {
    match value.chars().next() {
        Some(mark @ ('"' | '\'')) => {
            let (text, rest) =
                unquoted(&value[1..], mark).ok_or_else(|| format!("{value} does not end with {mark}"))?;
            nothing_behind(rest)?;
            Ok(text)
        }
        Some('|' | '>' | '&' | '*' | '{' | '!') => Err("put the text into quotation marks".to_owned()),
        Some(_) | None => Ok(value.to_owned()),
    }
}

/// Behind a value stands nothing, or a remark.
fn nothing_behind(rest: &str) -> Result<(), String> {
    let rest = rest.trim();
    if rest.is_empty() || rest.starts_with('#') { Ok(()) } else { Err(format!("`{rest}` stands behind the value")) }
}

/// Texts in brackets, or one without.
fn list(value: &str) -> Result<Vec<String>, String> {
    let Some(inside) = value.strip_prefix('[') else {
        return if value.is_empty() { Ok(Vec::new()) } else { Ok(vec![one(value)?]) };
    };
    let mut found = Vec::new();
    let mut rest = inside.trim_start();
    loop {
        if let Some(behind) = rest.strip_prefix(']') {
            nothing_behind(behind)?;
            return Ok(found);
        }
        let first = rest.chars().next().ok_or("the list does not end with `]`")?;
        if matches!(first, '"' | '\'') {
            let (text, after) =
                unquoted(&rest[1..], first).ok_or_else(|| format!("{rest} does not end with {first}"))?;
            found.push(text);
            rest = after.trim_start();
        } else {
            let end = rest.find([',', ']']).ok_or("the list does not end with `]`")?;
            let text = rest[..end].trim();
            if !text.is_empty() {
                found.push(text.to_owned());
            }
            rest = &rest[end..];
        }
        rest = match rest.strip_prefix(',') {
            Some(after) => after.trim_start(),
            None if rest.starts_with(']') => rest,
            None => return Err("a comma is missing in the list".to_owned()),
        };
    }
}

/// The text up to the closing mark, and what is behind it.
fn unquoted(text: &str, mark: char) -> Option<(String, &str)> {
    let mut said = String::new();
    let mut letters = text.char_indices();
    while let Some((at, one)) = letters.next() {
        match one {
            '\\' if mark == '"' => match letters.next()?.1 {
                'n' | 't' => said.push(' '),
                escaped => said.push(escaped),
            },
            one if one == mark => return Some((said, &text[at + one.len_utf8()..])),
            one => said.push(one),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_file_edited_by_hand_is_read() {
        let text = "---\r\ntitle: Plain: words # 1\r\n# a remark\r\nlabels: [a, 'b c', \"d, e\"] # three\r\ndepends_on: [1,2]\r\n---\r\nBody\r\n---\r\nmore\r\n";
        let issue = parse(text).unwrap();
        assert_eq!(issue.title, "Plain: words # 1");
        assert_eq!(issue.labels, ["a", "b c", "d, e"]);
        let slots: Vec<u32> = issue.depends_on.iter().map(|slot| slot.number()).collect();
        assert_eq!(slots, [1, 2]);
        assert_eq!(issue.body, "Body\n---\nmore\n");
        for named in ["1", "#1", "issue:1", "[issue:1, 2]", "[#1, issue:2] # both", "[\"issue:1\", '#2']"] {
            let issue = parse(&format!("---\ntitle: x\ndepends_on: {named}\n---\n")).unwrap();
            let slots: Vec<u32> = issue.depends_on.iter().map(|slot| slot.number()).collect();
            assert_eq!(slots, [1, 2][..if named.contains('2') { 2 } else { 1 }], "{named}");
        }
        // What is approved is what is written back, so nothing stands in it that would be written as something else.
        let odd = parse("---\ntitle: \"a\tb\u{1b}\"\nlabels: [\"c\u{85}d\"]\n---\n").unwrap();
        assert_eq!((odd.title.as_str(), odd.labels.concat().as_str()), ("a b ", "c d"));
        assert_eq!(parse(&write(&odd)).unwrap(), odd);
    }

    #[test]
    fn g32_a_milestone_is_read_in_what_was_recorded_and_is_no_part_of_an_issue() {
        let text = "---\ntitle: \"x\"\nlabels: []\nmilestone: \"v1\"\ndepends_on: []\n---\n\ny\n";
        let error = parse(text).unwrap_err();
        assert!(error.line == 4 && error.why.contains("`milestone` is not known"), "{error}");
        let issue = recorded(text).unwrap();
        assert_eq!((issue.title.as_str(), issue.body.as_str()), ("x", "y\n"));
        assert!(!write(&issue).contains("milestone"));
        assert_eq!(recorded("---\nassignee: me\n---\n"), None);
    }

    #[test]
    fn g32_a_file_names_files_and_loses_what_is_gone() {
        let issue =
            IssueText { title: "x".to_owned(), body: "depends_on: [a.md]\n".to_owned(), ..IssueText::default() };
        let text = write_file(&issue, &["i/01-\"a\".md", "i/02-b.md"]);
        assert!(text.contains("depends_on: [\"i/01-\\\"a\\\".md\", \"i/02-b.md\"]\n"), "{text}");
        let gone = |name: &'static str| move |named: &str| named == name;
        assert_eq!(file_without(&text, gone("i/01-\"a\".md")), Some(write_file(&issue, &["i/02-b.md"])));
        assert_eq!(file_without(&write_file(&issue, &["b"]), gone("b")), Some(write_file(&issue, &[])));
        let mine = "---\r\ntitle: x\r\n# mine\r\ndepends_on: [a.md, b]\r\n---\r\ndepends_on: [b]\r\n";
        let less = mine.replacen("[a.md, b]", "[\"a.md\"]", 1);
        assert_eq!(file_without(mine, gone("b")), Some(less));
        let others = ["# A page\n\ndepends_on: [c]\n", "---\ndepends_on: [c]\n", "---\ndepends_on: [c\n---\n", ""];
        for other in others.into_iter().chain([mine]) {
            assert_eq!(file_without(other, gone("c")), None, "{other}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_by_its_line() {
        for (text, line, why) in [
            ("", 1, "begins with"),
            ("title: x\n", 1, "begins with"),
            ("---\ntitle: x\n", 2, "do not end"),
            ("---\nlabels: [a]\n---\n", 1, "no title"),
            ("---\ntitle: \" \"\n---\n", 1, "no title"),
            ("---\ntitle: x\ntitle: y\n---\n", 3, "twice"),
            ("---\ntitle: \"x\n---\n", 2, "does not end"),
            ("---\ntitle: \"x\" y\n---\n", 2, "behind"),
            ("---\ntitle: |\n---\n", 2, "quotation marks"),
            ("---\ntitle: x\nlabels: [a, b\n---\n", 3, "]"),
            ("---\ntitle: x\nlabels: [\"a\" b]\n---\n", 3, "comma"),
            ("---\ntitle: x\nlabels: [a], b\n---\n", 3, "`, b` stands behind"),
            ("---\ntitle: x\ndepends_on: [1] 2\n---\n", 3, "`2` stands behind"),
            ("---\ntitle: x\ndepends_on: [0]\n---\n", 3, "count from 1"),
            ("---\ntitle: x\ndepends_on: [101]\n---\n", 3, "1 to 100"),
            ("---\ntitle: x\n---\n\n<!-- git-grill: a/1/issue:2. -->\n", 5, "finds its issues again"),
            ("---\ntitle: x\ndepends_on: [one]\n---\n", 3, "no number"),
            ("---\ntitle: x\ndepends_on: [issue:]\n---\n", 3, "as in `1`, `#1` or `issue:1`"),
            ("---\ntitle: x\ndepends_on: [##1, issue:#1]\n---\n", 3, "`##1` is no number"),
            ("---\ntitle: x\nassignee: me\n---\n", 3, "not known"),
            ("---\ntitle: x\nwords\n---\n", 3, "key: value"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.why.contains(why), "{text:?}: {error}");
        }
        assert!(parse(&format!("---\ntitle: {}\n---\n", "x".repeat(300))).is_err());
        assert!(parse(&format!("---\ntitle: x\n---\n{}\n", "ü".repeat(60_001))).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            title in "[^\\p{C}\\p{Z}][^\\p{C}]{0,40}",
            labels in proptest::collection::vec("[^\\p{C}]{1,12}", 0..4),
            body in "[a-z#\\-\\[\\]`|<>{}% ]{0,80}",
            depends_on in proptest::collection::btree_set(1u32..50, 0..4),
        ) {
            let body = match body.trim() { "" => String::new(), body => format!("{body}\n") };
            let issue = IssueText { title, labels, body, depends_on: depends_on.into_iter().filter_map(IssueSlot::new).collect() };
            prop_assert_eq!(parse(&write(&issue)).unwrap(), issue);
        }

        #[test]
        fn no_bytes_make_it_fall_over(text in "(---\n)?(title|labels|depends_on)?:? ?[\\[\\]\"',\\\\x]{0,20}\n(---\n)?.{0,20}") {
            let _ = parse(&text);
        }
    }
}
