//! The topic as a person wrote it: what it is about without the words with which wishes begin, and the two options that
//! it may choose between. It sees words, not grammar, and leaves alone what it is not sure of.

/// The topic without the words with which people begin a wish, so that it can be quoted inside a sentence.
pub(super) fn subject(topic: &str) -> &str {
    let mut rest = topic.trim();
    while let Some(shorter) = OPENINGS.iter().find_map(|opening| {
        let head = rest.get(..opening.len())?;
        head.eq_ignore_ascii_case(opening).then(|| rest[opening.len()..].trim_start())
    }) {
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest = without_writing(rest);
    rest.trim_end_matches(['.', '!', '?', ' '])
}

/// `write a guide` is a guide: what is written can be read, started and finished, the writing of it can not.
fn without_writing(wish: &str) -> &str {
    let mut words = wish.splitn(3, ' ');
    match (words.next().map(str::to_lowercase).as_deref(), words.next()) {
        (Some("write" | "draft"), Some("a" | "an" | "the" | "our" | "my")) => {
            wish.split_once(' ').map_or(wish, |(_, rest)| rest)
        }
        (Some(_) | None, Some(_) | None) => wish,
    }
}

/// The two things between which a topic chooses, as in `should we use sqlite or postgres for the event store?`. It sees
/// one separator between a few words; of three options it says nothing rather than leave one out.
pub(super) fn options(subject: &str) -> Option<(&str, &str)> {
    const SEPARATORS: &[&str] = &[" versus ", " vs. ", " vs ", " or "];
    const BEFORE: &[&str] = &[
        "between ",
        "whether ",
        "choose ",
        "pick ",
        "decide ",
        "use ",
        "take ",
        "adopt ",
        "go with ",
        "switch to ",
        ": ",
    ];
    const AFTER: &[&str] = &[" for ", " as ", " in ", " on ", " when ", " because ", ","];
    const MOST_WORDS: usize = 5;
    let mut found = SEPARATORS.iter().filter_map(|separator| subject.split_once(separator));
    let (left, right) = found.next()?;
    let first = BEFORE
        .iter()
        .filter_map(|opening| left.rfind(opening).map(|at| at + opening.len()))
        .max()
        .map_or(left, |start| &left[start..]);
    let end = AFTER.iter().filter_map(|closing| right.find(closing)).min().unwrap_or(right.len());
    let (first, second) = (first.trim(), right[..end].trim());
    let few = |text: &str| (1..=MOST_WORDS).contains(&text.split_whitespace().count());
    let two = !left.contains(',') && SEPARATORS.iter().all(|separator| !right.contains(separator));
    (two && few(first) && few(second)).then_some((first, second))
}

/// How wishes begin.
const OPENINGS: &[&str] = &[
    "i want to ",
    "i would like to ",
    "i'd like to ",
    "i need to ",
    "i have to ",
    "we want to ",
    "we would like to ",
    "we need to ",
    "we have to ",
    "we should ",
    "let us ",
    "let's ",
    "please ",
    "can you ",
    "could you ",
    "help me to ",
    "help me ",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_quoted_by_its_subject() {
        for (topic, expected) in [
            ("I want to make a game engine", "make a game engine"),
            ("please, help", "please, help"),
            ("Let's add rate limiting!", "add rate limiting"),
            ("please help me learn Rust", "learn Rust"),
            ("rate limiting", "rate limiting"),
            ("I want to write a post about ids", "a post about ids"),
            ("write tests", "write tests"),
            ("要件", "要件"),
            ("?", ""),
        ] {
            assert_eq!(subject(topic), expected);
        }
    }

    #[test]
    fn two_options_are_seen_and_three_are_left_alone() {
        for (topic, expected) in [
            ("sqlite or postgres for the event store", Some(("sqlite", "postgres"))),
            ("should we use plain files or a database", Some(("plain files", "a database"))),
            ("decide between REST vs gRPC, soon", Some(("REST", "gRPC"))),
            ("a, b or c", None),
            ("a or b or c", None),
            ("rate limiting", None),
            (" or x", None),
        ] {
            assert_eq!(options(topic), expected, "{topic}");
        }
    }
}
