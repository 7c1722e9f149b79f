//! The steps of an implementation plan, as its document has them.

use crate::domain::plan::Refusal;
use crate::domain::plan::document::from_document;
use crate::domain::plan::parse::LARGEST_TEXT;

fn steps(text: &str) -> Option<Vec<String>> {
    let steps = from_document(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))?;
    Some(steps.texts().iter().map(ToString::to_string).collect())
}

#[test]
fn p13_the_steps_are_the_numbered_sections_with_the_test_that_ends_each() {
    let text = "# Limits: implementation plan\n\n## What it is for\n\n### 1. No step\n\n## Steps\n\n\
                ### 1. Count (decision 2)\n\nBegin with:\n\n- A test.\n\nDone when:\n\n- [ ] `a` is counted.\n\n\
                ```sh\n### 9. no heading\n---\n```\n\n### 2) Refuse\n\nAfter 1.\n\n#### A detail\n\n- [ ] A 429.\n\n\
                ### By hand\n\nNo step.\n\n## Another heading\n\n### 3. No step\n\n---\n\nHistory.\n";
    assert_eq!(
        steps(text).unwrap(),
        [
            "Count (decision 2)\n\nBegin with:\n\n- A test.\n\nDone when:\n\n- [ ] `a` is counted.\n\n\
             ```sh\n### 9. no heading\n---\n```",
            "Refuse\n\nAfter 1.\n\n#### A detail\n\n- [ ] A 429.",
        ]
    );
    // As it was made, but for the line ends.
    assert_eq!(steps(&text.replace('\n', "\r\n")), steps(text));
    assert_eq!(steps("## Steps\n\n### 1. One\n\n---\n\nHistory.\n").unwrap(), ["One"]);
}

#[test]
fn p13_a_document_in_another_form_has_a_list_under_its_header_or_no_plan() {
    assert_eq!(steps("# Mine\n\nPlan:\n\n1. One\n2. Two\n").unwrap(), ["One", "Two"]);
    for none in ["", "# Mine\n", "## Steps\n\nFirst this.\n", "### 1. One\n", "1. One\n"] {
        assert_eq!(steps(none), None, "{none}");
    }
    let long = format!("## Steps\n\n### 1. One\n\n{}\n", "x".repeat(3_000));
    assert_eq!(from_document(&long), Err(Refusal::StepTooLong { step: 1, characters: 3_005 }));
    let large = "x".repeat(LARGEST_TEXT + 1);
    assert!(matches!(from_document(&large), Err(Refusal::TextTooLarge { .. })));
}
