//! One idea per file: no file outgrows the limit, and none is named after nothing in particular.

use crate::architecture::rust_files;

/// Lines of a file, inline tests not counted.
const LIMIT: usize = 400;
/// Names that say what a file is, not what it defines; such files only ever grow.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc", "shared", "types"];

fn complaint(file: &str, text: &str) -> Option<String> {
    let mut names = file.trim_end_matches(".rs").split('/');
    if let Some(name) = names.find(|name| EMPTY_NAMES.contains(name)) {
        return Some(format!("{file}: `{name}` names nothing; call it after what it defines"));
    }
    let lines = lines_without_tests(text);
    (lines > LIMIT).then(|| format!("{file}: {lines} lines without its tests; {LIMIT} is the limit"))
}

/// The lines before, between and after the inline test modules. Such a module begins with `#[cfg(test)]` and `mod … {`
/// at the left margin and ends, as rustfmt writes it, with a closing brace there.
fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let mut count = 0;
    let mut at = 0;
    while at < lines.len() {
        if let Some(length) = test_module_length(&lines[at..]) {
            at += length;
        } else {
            count += 1;
            at += 1;
        }
    }
    count
}

fn test_module_length(lines: &[&str]) -> Option<usize> {
    if *lines.first()? != "#[cfg(test)]" {
        return None;
    }
    let head = lines.iter().position(|line| !line.starts_with("#["))?;
    if !(lines[head].contains("mod ") && lines[head].ends_with('{')) {
        return None;
    }
    let end = lines.iter().position(|line| *line == "}")?;
    Some(end + 1)
}

#[test]
fn no_file_outgrows_the_limit() {
    let complaints: Vec<String> =
        ["src", "tests"].into_iter().flat_map(rust_files).filter_map(|(file, text)| complaint(&file, &text)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_planted_giant_is_reported() {
    let giant = "fn f() {}\n".repeat(LIMIT + 1);
    assert!(complaint("src/app/a.rs", &giant).unwrap().contains("401 lines"));
    assert_eq!(complaint("src/app/a.rs", &"fn f() {}\n".repeat(LIMIT)), None);
}

#[test]
fn only_inline_tests_are_free() {
    let body = "    fn f() {}\n".repeat(LIMIT);
    let tests = format!("fn f() {{}}\n\n#[cfg(test)]\n#[expect(unused)]\nmod tests {{\n{body}}}\n");
    assert_eq!(lines_without_tests(&tests), 2);
    assert_eq!(lines_without_tests(&format!("{tests}fn after() {{}}\n")), 3);
    for counted in ["mod tests", "#[cfg(test)]\nfn"] {
        let text = format!("{counted} {{\n{body}}}\n");
        assert!(lines_without_tests(&text) > LIMIT, "{counted}");
    }
    assert_eq!(lines_without_tests("#[cfg(test)]\nmod tests;\nfn f() {}\n"), 3);
}

#[test]
fn a_planted_drawer_is_reported() {
    for file in ["src/app/utils.rs", "src/helpers/mod.rs", "tests/it/common.rs"] {
        assert!(complaint(file, "").is_some(), "{file}");
    }
    assert_eq!(complaint("src/term/commonmark.rs", ""), None);
}
