//! The sheets held against themselves: order, keys, and every example in them.

use super::operands::KINDS;
use super::option::Kind;
use super::read::GRAMMARS;
use super::sheet::{Entry, SHEETS, Sheet, body_lines, split_reason};
use super::{Inner, Scene, format, judge, trap};
use crate::policy::shell::word::Word;
use crate::policy::shell::{self, Allowed, Places, Refused};
use crate::policy::surroundings::Empty;

fn headings() -> Vec<Vec<&'static str>> {
    SHEETS.iter().map(|sheet| sheet.headings().collect()).collect()
}

/// Enough of a shell for the examples: quotes, globs, and `$`, which makes a word unknown.
fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line.chars().peekable();
    loop {
        while rest.next_if_eq(&' ').is_some() {}
        if rest.peek().is_none() {
            return words;
        }
        let (mut text, mut source) = (String::new(), String::new());
        let (mut glob, mut expansion) = (false, false);
        let mut quote = None;
        while let Some(next) = rest.next_if(|next| quote.is_some() || *next != ' ') {
            source.push(next);
            match (quote, next) {
                (None, '\'' | '"') => quote = Some(next),
                (Some(open), _) if open == next => quote = None,
                (None | Some('"'), '$') => {
                    expansion = true;
                    text.push(next);
                }
                (None, '*' | '?') => {
                    glob = true;
                    text.push(next);
                }
                (None | Some('"'), '\\') => text.push(rest.next().expect("a character after the backslash")),
                _ => text.push(next),
            }
        }
        assert!(quote.is_none(), "the quotes in {line:?} do not match");
        words.push(match (expansion, glob) {
            (true, _) => Word::unknown(source),
            (false, true) => Word::pattern(source),
            (false, false) => Word::literal(text),
        });
    }
}

fn judged(argv: &[Word]) -> Result<(), Refused> {
    let allowed = Allowed::none();
    let scene = Scene { places: Places::start(), allowed: &allowed, around: &Empty };
    judge(argv, &scene, &mut |inner, _| match inner {
        Inner::Argv(argv) => judged(argv),
        Inner::Script(script) => judged(&words(script)),
    })
}

#[test]
fn headings_are_sorted_and_unique() {
    let all = headings();
    for (sheet, headings) in SHEETS.iter().zip(&all) {
        let is_heading = |line: &&str| !line.is_empty() && !line.starts_with([' ', '#']);
        let lines: Vec<_> = sheet.text.lines().filter(is_heading).collect();
        assert_eq!(*headings, lines, "what the compiler found");
        assert!(headings.iter().all(|heading| heading.is_ascii() && heading.trim() == *heading), "{headings:?}");
    }
    for sheet in &all {
        for pair in sheet.windows(2) {
            assert!(pair[0] < pair[1], "`{}` stands before `{}`", pair[0], pair[1]);
        }
    }
    let mut flat: Vec<_> = all.into_iter().flatten().collect();
    let count = flat.len();
    flat.sort_unstable();
    flat.dedup();
    assert_eq!(flat.len(), count, "a command stands in two sheets");
}

#[test]
fn every_heading_is_found() {
    for heading in headings().into_iter().flatten() {
        assert!(Entry::of(heading).is_some(), "{heading}");
    }
    for missing in ["", "a", "zzzz", "rm -rf", "git  status", "sort\n"] {
        assert!(Entry::of(missing).is_none(), "{missing:?}");
    }
}

#[test]
fn every_line_has_a_known_key() {
    for heading in headings().into_iter().flatten() {
        let entry = Entry::of(heading).expect(heading);
        for (key, rest) in &entry.lines {
            let (names, why) = split_reason(rest);
            let options = || names.split_ascii_whitespace().all(|name| name.starts_with('-') && name.len() > 1);
            let fine = match *key {
                "flag" | "value" | "takes" | "maybe" | "below" | "folder" | "command" => {
                    options() && why.is_empty() && !names.is_empty()
                }
                "only" | "no" | "need" => options() && !why.is_empty(),
                "any" | "apart" | "helps" | "helpless" | "ordered" | "sub" | "carries" | "stop" | "whole"
                | "bundle" | "responds" => rest.is_empty(),
                "bare" => options() && why.is_empty(),
                "words" => {
                    let kind = names.split(' ').next().unwrap_or_default();
                    KINDS.contains(&kind) || kind.parse::<usize>().is_ok()
                }
                "runs" => rest.parse::<usize>().is_ok(),
                "read" => GRAMMARS.contains(rest),
                "grammar" => matches!(*rest, "find" | "python"),
                "trap" => {
                    let (kind, what) = names.split_once(' ').unwrap_or((names, ""));
                    let alone = matches!(kind, "git" | "network" | "pager" | "submodules" | "python");
                    trap::KINDS.contains(&kind) && what.is_empty() == alone
                }
                "spares" => {
                    names.split_ascii_whitespace().all(|verb| Entry::of(&format!("{heading} {verb}")).is_some())
                }
                "format" => {
                    let mut names = names.split_ascii_whitespace();
                    let kind = names.next().unwrap_or_default();
                    format::KINDS.contains(&kind) && names.all(|name| entry.option(name).is_some())
                }
                "as" => Entry::of(rest).is_some(),
                "not" => !why.is_empty(),
                "never" => names.is_empty() && !why.is_empty(),
                "ok" | "bad" => true,
                _ => false,
            };
            assert!(fine, "`{heading}`: `{key} {rest}`");
        }
    }
}

#[test]
fn every_entry_says_what_its_operands_may_be_and_gives_examples() {
    for (sheet, headings) in SHEETS.iter().zip(headings()) {
        for heading in headings.into_iter().filter(|heading| !heading.starts_with('@')) {
            let entry = Entry::of(heading).expect(heading);
            let deciding = ["any", "words", "sub", "runs", "grammar", "as", "never", "read"];
            assert!(deciding.iter().any(|key| entry.has(key)), "`{heading}` does not say what its words may be");
            if entry.has("any") {
                assert!(!entry.has("no") && !entry.has("words"), "`{heading}` has both any option and some not");
            }
            // Examples belong to the entry itself, not to what it uses.
            let body = own_body(sheet, heading);
            let own = |key: &str| body_lines(body).any(|(at, _)| at == key);
            if entry.has("never") {
                continue;
            }
            assert!(own("ok"), "`{heading}` has no example that is let through");
            let open = entry.has("any") || entry.has("as");
            assert!(open || own("bad"), "`{heading}` has no example that is refused");
        }
    }
}

#[test]
fn an_entry_says_one_thing_about_an_option() {
    for (sheet, headings) in SHEETS.iter().zip(headings()) {
        for heading in headings {
            let mut seen = std::collections::BTreeSet::new();
            for (key, rest) in body_lines(own_body(sheet, heading)) {
                if matches!(key, "flag" | "value" | "takes" | "maybe" | "only" | "below" | "folder" | "command" | "no")
                {
                    for name in split_reason(rest).0.split_ascii_whitespace() {
                        assert!(seen.insert(name), "`{heading}` says two things about `{name}`");
                    }
                }
            }
        }
    }
}

fn own_body(sheet: &Sheet, heading: &str) -> &'static str {
    sheet.find(heading).expect(heading)
}

#[test]
fn every_example_is_judged_as_it_says() {
    let mut wrong = Vec::new();
    for heading in headings().into_iter().flatten() {
        for (key, example) in Entry::of(heading).expect(heading).lines {
            let verdict = match key {
                "ok" | "bad" => judged(&words(example)),
                _ => continue,
            };
            if verdict.is_ok() != (key == "ok") {
                wrong.push(format!("{key} {example}: {verdict:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where options of the entry itself may stand: behind its name.
fn with_option(example: &str, heading: &str, option: &str) -> Option<String> {
    let rest = example.strip_prefix(heading)?;
    Some(format!("{heading} {option}{rest}"))
}

#[test]
fn what_an_option_is_known_to_do_refuses_it_everywhere() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for heading in headings().into_iter().flatten().filter(|heading| !heading.starts_with('@')) {
        let entry = Entry::of(heading).expect(heading);
        let flags: Vec<&str> =
            entry.all("flag").flat_map(str::split_ascii_whitespace).filter(|flag| is_letter(flag)).collect();
        let whole = entry.has("whole") || entry.has("grammar");
        for option in entry.all("no").flat_map(|rest| split_reason(rest).0.split_ascii_whitespace()) {
            if !matches!(entry.option(option), Some(Kind::No(_))) {
                // The entry says more than the block it uses.
                continue;
            }
            let mut spelled =
                vec![option.to_owned(), format!("{option} x"), format!("{option}=x"), format!("'{option}' x")];
            if option.starts_with("--") {
                // Whoever takes abbreviations takes these.
                spelled.extend([&option[..option.len().min(5)], &option[..option.len() - 1]].map(str::to_owned));
                spelled.retain(|spelled| {
                    let name = spelled.split(' ').next().unwrap_or_default();
                    matches!(entry.option(name), None | Some(Kind::No(_)))
                });
            } else if is_letter(option) && !whole {
                spelled.push(format!("{option}x"));
                spelled.extend(flags.iter().take(3).map(|flag| format!("{flag}{} x", &option[1..])));
                spelled
                    .retain(|spelled| entry.option(spelled.split(' ').next().unwrap_or_default()) != Some(Kind::Flag));
            }
            for example in entry.get("ok").into_iter().chain([heading]) {
                for spelled in &spelled {
                    let Some(line) = with_option(example, heading, spelled) else { continue };
                    tried += 1;
                    if judged(&words(&line)).is_ok() {
                        wrong.push(line);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 1000, "{tried}");
}

#[test]
fn a_word_that_nobody_knows_is_refused_where_an_option_could_do_more() {
    let mut wrong = Vec::new();
    for heading in headings().into_iter().flatten().filter(|heading| !heading.starts_with('@')) {
        let entry = Entry::of(heading).expect(heading);
        if !entry.has("no") {
            continue;
        }
        for line in [format!("{heading} $x"), format!("{heading} \"$x\""), format!("{heading} *")] {
            if judged(&words(&line)).is_ok() {
                wrong.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn is_letter(option: &str) -> bool {
    option.len() == 2 && option.starts_with('-') && option != "-#"
}

/// The lines of a fixture that a shell would be given.
fn lines(fixture: &'static str) -> impl Iterator<Item = &'static str> {
    fixture.lines().filter(|line| !line.starts_with("# ") && !line.is_empty())
}

#[test]
fn g37_reading_is_never_in_the_way() {
    let refused: Vec<String> = lines(include_str!("../../../fixtures/commands/reading.txt"))
        .filter_map(|line| {
            shell::judge(line, &Allowed::none(), &Empty).err().map(|refused| format!("{line}: {refused}"))
        })
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn g37_what_is_near_to_reading_and_more_is_refused() {
    let through: Vec<&str> = lines(include_str!("../../../fixtures/commands/changing.txt"))
        .filter(|line| shell::judge(line, &Allowed::none(), &Empty).is_ok())
        .collect();
    assert!(through.is_empty(), "{}", through.join("\n"));
}

#[test]
fn there_are_enough_commands() {
    let count = headings().into_iter().flatten().filter(|heading| !heading.contains([' ', '@'])).count();
    assert!(count >= 150, "{count}");
}
