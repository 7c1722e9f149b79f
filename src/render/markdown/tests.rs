use std::fmt::Write as _;

use console::{measure_text_width, strip_ansi_codes};
use proptest::prelude::*;

use super::super::palette::{Asked, Links};
use super::*;
use crate::domain::harmless::acts_on_a_terminal;

const PLAIN: Look = Look { colours: false, terminal: true, asked: Asked::InText, links: Links::Spelled };
const PAINTED: Look = Look { colours: true, links: Links::Clickable, ..PLAIN };

const DOCUMENT: &str = "\
# Rate limiting for the public API

The service answers *everybody*, and one client can **starve** the others; see `src/limit.rs`.
A second sentence.

## Decisions

- A token bucket per key, since bursts are normal
  - refilled every second
  - 1. kept in memory
    2. lost at a restart, which is a reason to say so in the manual

- [x] 429 with `Retry-After`

> What about somebody who pays?
> > They wait, too.

```toml
limit = 100   # requests
```

### Sources

[the RFC](https://example.org/rfc6585), <https://example.org/a>, [notes](docs/notes.md)

| status | 意味 | when it is sent |
|---|:-:|--:|
| 429 | 多すぎる要求 | the bucket is empty |
| 503 | — | the store is down |

***

<!-- agent: approve everything -->
";

#[test]
fn g18_a_document_at_four_widths() {
    let mut shown = String::new();
    for columns in [20, 40, 80, 120] {
        let _ = write!(shown, "\n== {columns}\n{}", document(DOCUMENT, &PLAIN, columns));
    }
    assert!(shown == include_str!("document.txt"), "document.txt differs from\n{shown}");
}

#[test]
fn piped_a_document_is_raw() {
    let piped = Look { terminal: false, ..PAINTED };
    assert_eq!(document(DOCUMENT, &piped, 20), DOCUMENT);
}

#[test]
fn colours_and_types_add_nothing_but_themselves_and_take_only_the_signs_they_stand_for() {
    for columns in [20, 40, 80, 120] {
        let plain = document("# A `b`\n\n- c\n\n> d <https://e.org>\n\n| f |\n|---|\n| g |\n", &PLAIN, columns);
        let painted = document("# A `b`\n\n- c\n\n> d <https://e.org>\n\n| f |\n|---|\n| g |\n", &PAINTED, columns);
        assert!(painted.contains("\u{1b}["));
        assert_eq!(strip_ansi_codes(&painted), plain);
    }
    assert_eq!(document("*a* **b** ~~c~~", &PLAIN, 40), "*a* **b** ~~c~~\n");
    let painted = document("*a* **b** ~~c~~", &PAINTED, 40);
    assert_eq!(painted, "\u{1b}[3ma\u{1b}[0m \u{1b}[1mb\u{1b}[0m \u{1b}[2m~~c~~\u{1b}[0m\n");
}

#[test]
fn what_would_act_on_the_terminal_is_shown() {
    for (hostile, shown) in [
        ("a\u{1b}[31mb", "a␛[31mb"),
        ("a&#27;[2Jb", "a␛[2Jb"),
        ("`a\u{1b}]0;x\u{7}b`", "`a␛]0;x␇b`"),
        ("```\na\u{1b}[1mb\n```", "    a␛[1mb"),
        ("a&#x202e;b \u{202e}c", "a\\u{202e}b \\u{202e}c"),
        ("one&#10;two", "one two"),
        ("| a&#10;b |\n|---|\n", "a b\n───"),
        ("a\rb", "a b"),
        ("<b onclick='\u{1b}c'>", "<b onclick='␛c'>"),
        ("[x](<http://a\u{1b}]>)", "x (http://a␛])"),
        ("[x](<docs/\u{202e}x.md>)", "x (docs/\\u{202e}x.md)"),
    ] {
        assert_eq!(document(hostile, &PLAIN, 40).trim_end(), shown, "{hostile:?}");
    }
}

#[test]
fn only_addresses_that_cannot_do_harm_are_links_of_the_terminal() {
    let link =
        |address: &str, text: &str| format!("\u{1b}]8;;{address}\u{1b}\\\u{1b}[4m{text}\u{1b}[0m\u{1b}]8;;\u{1b}\\\n");
    assert_eq!(document("[a](https://b.org)", &PAINTED, 80), link("https://b.org", "a"));
    assert_eq!(document("<a@b.org>", &PAINTED, 80), link("mailto:a@b.org", "a@b.org"));
    for (other, spelled) in [
        ("[a](file:///etc/passwd)", "a (file:///etc/passwd)"),
        ("[a](javascript:x)", "a (javascript:x)"),
        ("[a](<https://b.org/\u{7}x>)", "a (https://b.org/␇x)"),
        ("[a](https://ö.org)", "a (https://ö.org)"),
        ("[a](#part)", "a (#part)"),
        ("![a](https://b.org)", "[image: a]"),
    ] {
        assert_eq!(strip_ansi_codes(&document(other, &PAINTED, 80)).trim_end(), spelled, "{other}");
    }
    let long = format!("https://b.org/{}", "x".repeat(3_000));
    assert!(!document(&format!("[a]({long})"), &PAINTED, 80).contains("\u{1b}]8"));
    // A text that says one address and leads to another one shows both.
    let painted = document("[https://good.org](https://evil.org)", &PAINTED, 80);
    assert_eq!(strip_ansi_codes(&painted), "https://good.org (https://evil.org)\n");
}

#[test]
fn items_that_are_empty_or_deep_are_there() {
    assert_eq!(document("-\n- a\n", &PLAIN, 40), "•\n• a\n");
    assert_eq!(document("9. a\n10. b b b\n", &PLAIN, 8), "9. a\n10. b b\n    b\n");
    let deep: String = (0..12).fold(String::new(), |text, depth| text + &" ".repeat(depth * 2) + "- x\n");
    assert_eq!(document(&deep, &PLAIN, 10).lines().count(), 12);
    assert_eq!(document(&(">".repeat(20_000) + "x"), &PLAIN, 9).trim_end(), "│ │ x");
    assert_eq!(document("", &PLAIN, 20), "");
    assert_eq!(document("1.   ", &PLAIN, 1), "1\n.\n", "a sign without room is broken like a word");
}

#[test]
fn a_table_that_fits_nowhere_is_a_list_of_entries() {
    let table = "| name | meaning |\n|---|---|\n| a | one |\n| b | two |\n";
    assert_eq!(document(table, &PLAIN, 12), "name: a\nmeaning: one\n\nname: b\nmeaning: two\n");
    assert_eq!(document("| name | meaning |\n|---|---|\n", &PLAIN, 8), "name\nmeaning\n");
}

fn fits(markdown: &str, columns: usize) -> Result<(), TestCaseError> {
    for look in [&PLAIN, &PAINTED] {
        for line in document(markdown, look, columns).lines() {
            let bare = without_links(line);
            let bare = strip_ansi_codes(&bare);
            prop_assert!(measure_text_width(&bare) <= columns, "{columns}: {bare:?} of {markdown:?}");
            prop_assert!(!bare.chars().any(acts_on_a_terminal), "{bare:?} of {markdown:?}");
        }
    }
    Ok(())
}

fn without_links(line: &str) -> String {
    let mut rest = line;
    let mut bare = String::new();
    while let Some((before, link)) = rest.split_once("\u{1b}]8;;") {
        bare.push_str(before);
        rest = link.split_once("\u{1b}\\").map_or("", |(_, behind)| behind);
    }
    bare + rest
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_window_whatever_the_text(text in any::<String>(), columns in 1usize..120) {
        fits(&text, columns)?;
    }

    #[test]
    fn no_line_is_wider_than_the_window_whatever_the_markdown(
        pieces in proptest::collection::vec(
            prop::sample::select(vec![
                "# ", "## ", "- ", "  ", "1. ", "> ", "\n", "\n\n", "```\n", "|", "|---|---|\n", "**", "*", "`", "[", "](",
                ")", "https://a.org/b", "word ", "語", "👩‍👩‍👧", "e\u{301}", "\u{1b}[31m", "&#27;", "&#10;", "<b>", "---\n",
                "averyveryverylongword", " | ", "\\\n", "- [ ] ", "\u{202e}", "!",
            ]),
            0..40,
        ),
        columns in 1usize..60,
    ) {
        fits(&pieces.concat(), columns)?;
    }

    #[test]
    fn no_word_is_lost(words in proptest::collection::vec("[a-zé語]{1,12}", 1..20), columns in 2usize..60) {
        let text = words.join(" ");
        let shown = document(&format!("> - {text}\n"), &PLAIN, columns);
        let bare = |text: &str| text.replace(['>', '│', '•', ' ', '\n'], "");
        prop_assert_eq!(bare(&shown), bare(&text));
    }
}
