//! Sentences of a line, so that the checkpoint keeps one a line and a diff shows the one that changed.

/// Words whose full stop ends no sentence.
const ABBREVIATED: &[&str] =
    &["e.g.", "i.e.", "vs.", "approx.", "ca.", "incl.", "resp.", "cf.", "no.", "dr.", "mr.", "ms.", "st."];

/// The sentences of one line. A full stop ends one when a capital letter, a digit or an opening quotation mark comes
/// after it; it cannot tell `ask A. Smith` (seen as one) from every name there is.
pub fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices([' ', '\t']) {
        let before = line[start..at].trim();
        let after = line[at..].trim_start();
        let ended = before.trim_end_matches(['”', '"', ')', '’']).ends_with(['.', '!', '?', '…']);
        let last = before.rsplit([' ', '\t']).next().unwrap_or(before).to_lowercase();
        let initial = last.chars().count() == 2 && last.ends_with('.');
        let opens =
            after.starts_with(|one: char| one.is_uppercase() || one.is_ascii_digit() || matches!(one, '“' | '"' | '`'));
        let whole = before.matches('`').count().is_multiple_of(2);
        if ended && opens && whole && !initial && !ABBREVIATED.contains(&last.as_str()) {
            found.push(before);
            start = at;
        }
    }
    let rest = line[start..].trim();
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_into_its_sentences() {
        for (line, expected) in [
            ("One. Two! Three? four", vec!["One.", "Two!", "Three? four"]),
            ("It takes 1.5 s, e.g. Here. Then", vec!["It takes 1.5 s, e.g. Here.", "Then"]),
            ("Ask A. Smith. Now", vec!["Ask A. Smith.", "Now"]),
            ("See `a. B` there. Yes.", vec!["See `a. B` there.", "Yes."]),
            ("He said “no.” “Why?”", vec!["He said “no.”", "“Why?”"]),
            ("no end", vec!["no end"]),
            ("  ", vec![]),
        ] {
            assert_eq!(sentences(line), expected, "{line}");
        }
    }
}
