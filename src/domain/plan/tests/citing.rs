//! How a step names the decisions that it serves.

use crate::domain::plan::cited::{citation, cited};

fn names(text: &str) -> Vec<String> {
    cited(text).iter().map(ToString::to_string).collect()
}

#[test]
fn p13_a_step_cites_decisions_by_number_or_id_and_nothing_else_does() {
    let rows: &[(&str, &[&str])] = &[
        ("Count requests (decision 3)", &["3"]),
        ("Count (Decision 3), and refuse (decision 5)", &["3", "5"]),
        ("Count (decisions 3, 5 and q-abc234), again (decision 3)", &["3", "5", "q-abc234"]),
        ("Count ((decision 3))", &["3"]),
        ("decision 3", &[]),
        ("(decision three)", &[]),
        ("(decision 0)", &[]),
        ("(decision -1)", &[]),
        ("(decision +1)", &[]),
        ("(decision 4294967296)", &[]),
        ("(decisions 3, and more)", &[]),
        ("(decision)", &[]),
        ("(the decision 3)", &[]),
        ("(decision 3", &[]),
        ("", &[]),
    ];
    for (text, expected) in rows {
        assert_eq!(names(text), *expected, "{text}");
    }
}

#[test]
fn p13_a_citation_is_read_back() {
    assert_eq!(citation(&[]), "");
    for numbers in [&[3][..], &[3, 5], &[1, 2, 10]] {
        let expected: Vec<String> = numbers.iter().map(u32::to_string).collect();
        assert_eq!(names(&citation(numbers)), expected);
    }
}
