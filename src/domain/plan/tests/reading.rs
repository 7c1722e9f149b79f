//! Plans and marks, as they are read from text that anybody may have written.

use proptest::prelude::*;

use crate::domain::plan::marks::marks;
use crate::domain::plan::parse::{LARGEST_TEXT, from_message, set_from};
use crate::domain::plan::{MOST_STEPS, Refusal, Steps};
use crate::domain::text::Prose;

fn texts(steps: &Steps) -> Vec<&str> {
    steps.texts().iter().map(Prose::as_str).collect()
}

#[test]
fn p11_a_plan_is_the_numbered_list_under_its_header() {
    let rows: &[(&str, &[&str])] = &[
        ("Plan:\n1. a\n2. b", &["a", "b"]),
        ("I looked.\n\n**Plan:**\n\n1) a\n2) b\n\nShall I?\n", &["a", "b"]),
        ("PLAN:\n10. a\n11. b", &["a", "b"]),
        ("# __plan__: #\n1. a", &["a"]),
        ("   ### **Plan**:\n1.\ta", &["a"]),
        // In full: backticks, and everything that is indented.
        (
            "## Plan:\n\n1. a `x`\n   more\n\n   ```sh\n   cargo test\n     --all\n   ```\n2. b",
            &["a `x`\nmore\n\n```sh\ncargo test\n  --all\n```", "b"],
        ),
        ("Plan:\n1. a\n  - sub\n  1. nested\n2. b", &["a\n- sub\n1. nested", "b"]),
        ("Plan:\n 9. a\n10. b\n11. c", &["a", "b", "c"]),
        ("Plan:\n1. **Add** `a`, [DONE:1]\n\n2. b", &["**Add** `a`, [DONE:1]", "b"]),
        ("Plan:\r\n1. a\r\n\r\n2. b\r\n", &["a", "b"]),
        ("Plan:\n1. a\n1. b\n1. c", &["a", "b", "c"]),
        // It ends where something else begins.
        ("Plan:\n1. a\ntext\n2. b", &["a"]),
        ("Plan:\n1. a\n```\n2. b\n```", &["a"]),
        ("Plan:\n1. a\n\n## Notes\n1. b", &["a"]),
        ("Plan:\n1. a\n- b", &["a"]),
        // What stands in code is an example.
        ("```\nPlan:\n1. x\n```\nPlan:\n1. a", &["a"]),
        ("- ```\n  Plan:\n  1. x\n  ```\n\nPlan:\n1. a", &["a"]),
        ("````md\n```\nPlan:\n1. x\n````\nPlan:\n1. a", &["a"]),
        ("> ~~~\n> Plan:\nPlan:\n1. a", &["a"]),
        ("Plan:\n\nPlan:\n1. a", &["a"]),
        ("Plan:\n- no\n\nPlan:\n1. a", &["a"]),
        // No plan.
        ("~~~\nPlan:\n1. x", &[]),
        ("1. a\n2. b", &[]),
        ("plan: do it\n1. a", &[]),
        ("The Plan:\n1. a", &[]),
        ("Plan\n1. a", &[]),
        ("`Plan:`\n1. a", &[]),
        ("> Plan:\n> 1. a", &[]),
        ("    Plan:\n1. a", &[]),
        ("####### Plan:\n1. a", &[]),
        ("Plan:\n- a\n- b", &[]),
        ("Plan:\nFirst some words.\n1. a", &[]),
        ("Plan:\n1.a\n2.b", &[]),
        ("Plan:\n    1. a", &[]),
        ("Plan:\n1234567890. a", &[]),
        ("Plan:\n**1.** a", &[]),
        ("Plan:\n\n\n", &[]),
        ("Plan:", &[]),
        ("", &[]),
    ];
    for (text, expected) in rows {
        let plan = from_message(text).unwrap();
        assert_eq!(plan.as_ref().map(texts).unwrap_or_default(), *expected, "{text:?}");
    }
}

#[test]
fn p16_a_text_that_is_handed_in_may_be_the_list_alone() {
    let rows: &[(&str, Option<&[&str]>)] = &[
        ("1. a\n2. b\n", Some(&["a", "b"])),
        ("\n\n 1) a\n\n    more\n 2) b\n\n", Some(&["a\n\nmore", "b"])),
        ("words\n\nPlan:\n1. a\n\nbye", Some(&["a"])),
        ("1. a\nbye", None),
        ("hello\n1. a", None),
        ("- a", None),
        ("", None),
        ("\u{feff}", None),
    ];
    for (text, expected) in rows {
        let read = set_from(text);
        match expected {
            Some(expected) => assert_eq!(texts(&read.unwrap()), *expected, "{text:?}"),
            None => assert_eq!(read, Err(Refusal::NoPlanInText), "{text:?}"),
        }
    }
}

#[test]
fn p11_a_heading_is_a_header_without_a_colon_too() {
    let list = "1. a\n2. b\n";
    for header in [
        "## Plan",
        "# plan",
        "###### PLAN",
        "## Plan:",
        "## **Plan**",
        "##\t__plan__",
        "  # Plan  ",
        "## Plan ##",
        "## **Plan:**",
    ] {
        for text in [format!("{header}\n{list}"), format!("I looked.\n\n{header}\n\n{list}\nShall I?\n")] {
            for read in [from_message(&text).unwrap(), set_from(&text).ok()] {
                assert_eq!(read.as_ref().map(texts), Some(vec!["a", "b"]), "{text:?}");
            }
        }
    }
    for header in [
        "## Plan for next year",
        "## The plan",
        "## Plan B",
        "## Plans",
        "Plan",
        "**Plan**",
        "##Plan",
        "####### Plan",
        "    # Plan",
        "> # Plan",
        "```\n# Plan\n```",
        "Plan\n====",
    ] {
        let text = format!("{header}\n\n{list}");
        assert_eq!(from_message(&text), Ok(None), "{text:?}");
        assert_eq!(set_from(&text), Err(Refusal::NoPlanInText), "{text:?}");
    }
}

#[test]
fn p11_a_plan_that_is_handed_in_loses_no_step_without_a_word() {
    for (text, step, behind) in [
        ("Plan:\n1. a\n- sub\n2. b", 1, "- sub"),
        ("Plan:\n1. a\n\nSome prose.\n\n2. b", 1, "Some prose."),
        ("## Plan\n1) a\n2) b\n```\n3) c\n```", 2, "```"),
    ] {
        let line = crate::domain::text::Line::clipped(behind);
        assert_eq!(set_from(text), Err(Refusal::PlanCutShort { step, line }), "{text:?}");
    }
    for text in ["Plan:\n1. a\n\nThen:\n1. b", "Plan:\n1. a\n\nIn 2026. we shall see"] {
        assert_eq!(set_from(text).map(|steps| steps.count()), Ok(1), "{text:?}");
    }
}

type Reads = fn(&str) -> Result<Steps, Refusal>;

#[test]
fn p11_a_plan_that_does_not_fit_is_refused_and_never_cut() {
    let list = |count: usize, text: &str| format!("Plan:\n{}", format!("1. {text}\n").repeat(count));
    let of_a_message: Reads = |text| from_message(text).map(Option::unwrap);
    for read in [of_a_message, set_from] {
        assert_eq!(read(&list(MOST_STEPS, "x")).map(|steps| steps.count()), Ok(MOST_STEPS));
        assert_eq!(read(&list(MOST_STEPS + 1, "x")), Err(Refusal::TooManySteps { count: MOST_STEPS + 1 }));
        assert_eq!(read("Plan:\n1. a\n2.\n3. c"), Err(Refusal::BlankStep { step: 2 }));
        let long = list(1, &"x".repeat(2_001));
        assert_eq!(read(&long), Err(Refusal::StepTooLong { step: 1, characters: 2_001 }));
        let large = "x".repeat(LARGEST_TEXT + 1);
        assert_eq!(read(&large), Err(Refusal::TextTooLarge { bytes: LARGEST_TEXT + 1 }));
    }
}

#[test]
fn p20_marks_count_outside_of_code() {
    let rows: &[(&str, &[u32])] = &[
        ("[DONE:1] and [done: 2], [Done:\t3 ], then [DONE:2] and [DONE:1] again", &[1, 2, 3]),
        ("[DONE:3] comes before [DONE:1]", &[3, 1]),
        ("1. did it [DONE:1]\n2. and this [DONE:2]\n\n- [DONE:3]\n\n> [DONE:4]\n\n# [DONE:5]", &[1, 2, 3, 4, 5]),
        ("ä[DONE:7]ö [[DONE:8]] **[DONE:9]**", &[7, 8, 9]),
        ("[DONE:100]", &[100]),
        // No step of a plan.
        ("[DONE:0] [DONE:101] [DONE:99999999999] [DONE:] [DONE:x] [DONE 1] [DONE:-1] [DONE:1.5] [DONE:1,2]", &[]),
        ("[DONE:1", &[]),
        ("[DONE:\n1]", &[]),
        ("[undone:1] DONE:1 (DONE:1)", &[]),
        ("\\[DONE:1]", &[]),
        // Inline code.
        ("`[DONE:1]` [DONE:2]", &[2]),
        ("`` `[DONE:1]` `` [DONE:3]", &[3]),
        ("`open\n[DONE:1]` [DONE:2]", &[2]),
        ("a lone ` is text: [DONE:1]", &[1]),
        ("`` two and one ` [DONE:1]", &[1]),
        ("\\`[DONE:1]\\` and \\`` [DONE:2]` [DONE:3]", &[1, 3]),
        ("- a ` b\n- `[DONE:1]` [DONE:2]", &[2]),
        ("# a ` b\n`[DONE:1]` [DONE:2]", &[2]),
        ("a ` b\n\n`[DONE:1]`", &[]),
        ("text `code\n2. [DONE:1]` more", &[]),
        // Fenced code.
        ("```\n[DONE:1]\n```\n[DONE:2]", &[2]),
        ("~~~ md\n[DONE:1]\n```\n[DONE:2]", &[]),
        ("````\n```\n[DONE:1]\n````\n[DONE:2]", &[2]),
        ("```\n[DONE:1]\n    ```\n[DONE:2]\n```\n[DONE:3]", &[3]),
        ("``` a`b\n[DONE:1]", &[1]),
        ("- a\n  ```\n  [DONE:1]\n  ```\n- [DONE:2]", &[2]),
        ("- ```\n  [DONE:1]\n  ```\n[DONE:2]", &[2]),
        ("10. a\n    ```\n    [DONE:1]\n    ```\n[DONE:2]", &[2]),
        ("> ```\n> [DONE:1]\n> ```\n[DONE:2]", &[2]),
        ("> ```\n> [DONE:1]\n[DONE:2]", &[2]),
        ("text\n    ```\n```\n[DONE:1]\n```", &[]),
        ("```\r\n[DONE:1]\r\n```\r\n[DONE:2]\r\n", &[2]),
        // Indented code.
        ("text\n\n    [DONE:1]\n\n\t[DONE:2]\n\n[DONE:3]", &[3]),
        ("    [DONE:1]", &[]),
        ("# head\n    [DONE:1]", &[]),
        ("text\n    [DONE:1]", &[1]),
        ("", &[]),
    ];
    for (text, expected) in rows {
        assert_eq!(marks(text), *expected, "{text:?}");
    }
}

/// Whatever an agent sends is read in time that grows with its length.
#[test]
fn p20_hostile_texts_are_read_to_their_end() {
    let size = 200_000;
    let rows: Vec<String> = (1..600).map(|length| "`".repeat(length)).collect();
    let corpus = [
        "`".repeat(size),
        "` ".repeat(size / 2),
        "\\`".repeat(size / 2),
        rows.join("x"),
        "[".repeat(size),
        "[done:".repeat(size / 6),
        format!("[done:{}", "9".repeat(size)),
        format!("[done:{}", " ".repeat(size)),
        "[DONE:1]".repeat(size / 8),
        "Plan:\n".repeat(size / 6),
        format!("Plan:\n{}", "\n".repeat(size)),
        format!("Plan:\n{}", "1".repeat(size)),
        format!("Plan:\n{}", "1. ".repeat(size / 3)),
        format!("Plan:\n1. a\n{}b", " ".repeat(size)),
        format!("Plan:\n1. a\n{}b", "\t\n".repeat(size / 2)),
        "#".repeat(size),
        "> ".repeat(size / 2),
        "- ".repeat(size / 2),
        "1. ".repeat(size / 3),
        "~~~\n".repeat(size / 4),
        "\r".repeat(size),
        "\u{0}\u{1b}[2J\u{202e}".repeat(1_000),
        "\u{1f468}\u{200d}".repeat(1_000),
    ];
    for text in corpus {
        let found = marks(&text);
        assert!(found.len() <= MOST_STEPS, "{} marks", found.len());
        for steps in [from_message(&text).ok().flatten(), set_from(&text).ok()].into_iter().flatten() {
            assert!((1..=MOST_STEPS).contains(&steps.count()));
        }
    }
}

/// Pieces that mean something to a reader of Markdown.
fn any_markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\r\n"),
        Just(" "),
        Just("    "),
        Just("\t"),
        Just("`"),
        Just("```"),
        Just("~~~"),
        Just("\\"),
        Just("> "),
        Just("- "),
        Just("1. "),
        Just("2) "),
        Just("# "),
        Just("Plan:"),
        Just("# Plan\n"),
        Just("**"),
        Just("[DONE:1]"),
        Just("[done: 2]"),
        Just("["),
        Just("ä"),
        Just("\u{2028}"),
        Just("words"),
    ];
    prop_oneof![any::<String>(), proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())]
}

/// A text without code, and which opens none.
fn plain_text() -> impl Strategy<Value = String> {
    "([a-z,.][a-z ,.]{0,20}\n){0,4}"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p11_reading_a_plan_never_panics_and_what_is_read_fits(text in any_markdown()) {
        for steps in [from_message(&text).ok().flatten(), set_from(&text).ok()].into_iter().flatten() {
            prop_assert!((1..=MOST_STEPS).contains(&steps.count()));
            prop_assert!(texts(&steps).iter().all(|text| !text.trim().is_empty()));
        }
    }

    #[test]
    fn p20_every_mark_is_told_once(text in any_markdown()) {
        let found = marks(&text);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), found.len());
    }

    #[test]
    fn p20_a_mark_in_code_never_counts(
        before in plain_text(), after in plain_text(), length in 1_usize..6, form in 0_usize..4, inside in "[a-z ]{0,10}"
    ) {
        let (ticks, waves) = ("`".repeat(length + 2), "~".repeat(length + 2));
        let mark = format!("{inside}[DONE:1]{inside}");
        let code = match form {
            0 => format!("{ticks}\n{mark}\n{ticks}"),
            1 => format!("{waves} text\n{mark}\n{waves}"),
            2 => { let row = "`".repeat(length); format!("see {row}x{mark}x{row}") }
            _ => format!("    x{mark}"),
        };
        let text = format!("{before}\n{code}\n\n{after}");
        prop_assert_eq!(marks(&text), Vec::<u32>::new(), "{}", text);
        let said = format!("{before}\n[DONE:1]\n\n{code}\n\n{after}\n[DONE:2]");
        prop_assert_eq!(marks(&said), vec![1, 2], "{}", said);
    }

    #[test]
    fn p11_a_plan_that_is_written_down_is_read_back(
        given in proptest::collection::vec("[a-zA-Z`*\\[(][a-zA-Z`*.: \\])]{0,40}[a-z`]", 1..12)
    ) {
        let list: Vec<String> = (1..).zip(&given).map(|(number, text)| format!("{number}. {text}\n")).collect();
        let list = list.concat();
        let read = from_message(&format!("So:\n\n**Plan:**\n\n{list}\nDone.")).unwrap().unwrap();
        prop_assert_eq!(texts(&read), given.clone());
        let read = set_from(&list).unwrap();
        prop_assert_eq!(texts(&read), given);
    }
}
