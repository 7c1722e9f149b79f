//! No words whatever break a document: its headings stay ours, nothing is left open, and nothing is evaluated.

use proptest::prelude::*;

use super::super::*;
use super::SINGLE;
use super::sessions::{answered, made, made_at, session};
use crate::domain::outline::{Fences, Stands};
use crate::domain::session::Session;

/// Things that mean something to Markdown, HTML or a template.
const HOSTILE: &[&str] = &[
    "# heading",
    "###### deep",
    "```",
    "~~~ sh",
    "<!-- never closed",
    "</details>",
    "<script>alert(1)</script>",
    "| a | b |",
    "|---|---|",
    "---",
    "===",
    "> quote",
    "- [ ] task",
    "1. first",
    "[x]: http://e.org",
    "![i](../../../etc/passwd)",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{# gone #}",
    "\\",
    "`unbalanced",
    "**bold",
    "\u{202e}turned",
    "\u{1b}[31mred",
    "a\tb",
    "&lt;",
    "$x$",
    "    code",
    "* * *",
    "word: word",
    "“quoted”",
    "ünïcödé 要件 🦀",
    "title: \"x\"",
    "--- \n",
];

/// What has to hold for every document.
fn check(output: &str, text: &str, headings: &[String]) {
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{output}: one line end at the end: {text:?}");
    assert!(!text.lines().any(|line| line.ends_with([' ', '\t'])), "{output}: spaces at the end of a line in {text}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{output}: {text:?}");
    let body = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map_or(text, |(_, body)| body);
    let mut before = usize::from(output == "github-issues");
    let mut code = Fences::new(Stands::BehindMarks);
    let mut last: Option<&str> = None;
    for line in body.lines() {
        if code.holds(line) {
            last = Some(line);
            continue;
        }
        let level = line.bytes().take_while(|one| *one == b'#').count();
        if level > 0 && line[level..].starts_with(' ') {
            assert!(level <= before + 1, "{output}: {line:?} skips a level in {text}");
            assert!(before == 0 || level > 1, "{output}: a second title {line:?} in {text}");
            if let Some(last) = last
                && last.starts_with('#')
            {
                let above = last.bytes().take_while(|one| *one == b'#').count();
                assert!(level > above, "{output}: nothing stands below {last:?} in {text}");
            }
            assert!(
                headings.is_empty() || level > 2 || headings.contains(&line.to_owned()),
                "{output}: {line:?} is not ours"
            );
            before = level;
        }
        if !line.is_empty() {
            last = Some(line);
        }
        let bare_html = line.match_indices('<').any(|(at, _)| {
            let next = line[at + 1..].chars().next().unwrap_or(' ');
            let escaped = line[..at].ends_with('\\') || !inline::outside_code(line, at);
            !escaped
                && (next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
                && !line[at..].starts_with("<http")
        });
        assert!(!bare_html, "{output}: HTML in {line:?}");
    }
    assert!(!code.is_open(), "{output}: code stays open in {text}");
    assert!(!last.is_some_and(|last| last.starts_with("## ")), "{output}: ends in a heading: {text}");
}

/// The headings of the first two levels that a document may have, as the same output has them for plain words.
fn headings(output: &str, plain: &Session) -> Vec<String> {
    let made = all(output, plain);
    made.iter()
        .flat_map(|document| document.text.lines())
        .filter(|line| line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn all(output: &str, session: &Session) -> Vec<Document> {
    if output == "github-issues" { made_at(output, None, "issues", session) } else { made(output, None, session) }
        .unwrap_or_default()
}

fn with(topic: &str, words: &str) -> Session {
    const SECTIONS: &[&str] = &[
        "Current Understanding",
        "Goals",
        "Decisions",
        "Assumptions",
        "Constraints",
        "Risks",
        "How We Will Know",
        "Open Questions",
        "Next Steps",
        "Non-goals",
        "Glossary",
    ];
    let section =
        |title: &&str| format!("\n## {title}\n\n- {words}\n  - Reason: {words}\n  - {words}\n- Second {words}\n");
    let text = format!("# Shared Understanding\n{}", SECTIONS.iter().map(section).collect::<Vec<_>>().concat());
    answered(session(topic, &text), "scope", words, "Something else.")
}

#[test]
fn hostile_words_stay_words() {
    let outputs = SINGLE.iter().copied().chain(["adr", "github-issues"]);
    for output in outputs {
        let ours = headings(output, &with("plain", "plain words"));
        for words in HOSTILE {
            for document in all(output, &with("plain", words)) {
                // Titles of pieces and records are made of the words themselves.
                let known: &[String] = if ["adr", "tutorial"].contains(&output) { &[] } else { &ours };
                check(output, &document.text, known);
                assert!(!document.text.contains("49"), "{output}: {words:?} was evaluated");
            }
            for document in all(output, &with(words, "plain words")) {
                check(output, &document.text, &[]);
            }
        }
    }
}

#[test]
fn whatever_a_hand_writes_between_the_sections_stays_there() {
    let ours = headings("design-doc", &with("plain", "plain words"));
    for words in HOSTILE {
        let mut hand = with("plain", "plain words");
        let text = format!("{}\n## Mine\n\nbefore\n{words}\nafter\n\n## Risks\n\n- last\n", hand.checkpoint.as_str());
        hand.checkpoint = crate::domain::checkpoint::Checkpoint::stored(text);
        let made = made("design-doc", None, &hand).unwrap().remove(0).text;
        let own: Vec<String> = ours.iter().cloned().chain(["## Mine".to_owned(), "## heading".to_owned()]).collect();
        check("design-doc", &made, &own);
        assert!(made.contains("before") && made.contains("after"), "{words:?}: {made}");
    }
}

#[test]
fn two_hundred_decisions_are_bearable() {
    let decisions: Vec<String> =
        (0..200).map(|n| format!("- Decision number {n} concerns part {n}.\n  - Reason: why {n}\n")).collect();
    let mut many = session("many things", &format!("## Decisions\n\n{}", decisions.concat()));
    for n in 0..200 {
        many = answered(many, "scope", &format!("Decision number {n} concerns part {n}."), &format!("Other {n}."));
    }
    for output in SINGLE {
        let text = made(output, None, &many).unwrap().remove(0).text;
        check(output, &text, &[]);
        assert!(text.contains("number 199"), "{output}");
    }
    let records = made("adr", None, &many).unwrap();
    assert_eq!(records.len(), 1, "nobody approves two hundred records one by one");
    assert!(records[0].text.contains("number 199"));
    assert!(matches!(made_at("github-issues", None, "issues", &many), Err(Cannot::OtherNumber { .. })));
}

#[test]
fn very_long_lines_are_kept_and_titles_cut() {
    let long = format!("{} end", "word ".repeat(700).trim());
    let text = made("design-doc", None, &with("plain", &long)).unwrap().remove(0).text;
    assert!(text.contains(&format!("- {long}\n")), "nothing of what was said is cut");
    assert!(text.lines().filter(|line| line.starts_with('#')).all(|line| line.chars().count() < 100));
    let unbroken = "ä".repeat(3_000);
    for document in all("github-issues", &with("plain", &unbroken)) {
        let title = document.text.lines().find_map(|line| line.strip_prefix("title: ")).unwrap();
        assert!(title.chars().count() < 102);
        assert!(document.path.as_str().len() < 100);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn no_mixture_breaks_a_document(pieces in proptest::collection::vec(0..HOSTILE.len(), 1..5), lines in any::<bool>()) {
        let words: Vec<&str> = pieces.iter().map(|index| HOSTILE[*index]).collect();
        let words = words.join(if lines { "\n  " } else { " " });
        for output in SINGLE.iter().copied().chain(["adr", "github-issues"]) {
            for document in all(output, &with("plain", words.trim())) {
                check(output, &document.text, &[]);
            }
        }
    }

    #[test]
    fn no_template_makes_it_fall_over(template in "([{]{2}|[{]%|%[}]|[}]{2}|[a-z ~|.\"'\\\\#\n-]){0,40}") {
        let mut existing = Existing::default();
        existing.file(crate::domain::production::TargetPath::parse("t").unwrap(), Some(template));
        let _ = super::sessions::made_in("custom:t", None, Some("out.md"), &with("x", "y"), &existing);
    }
}
