//! The answers held against what the checkpoint says.

use super::super::led::{Led, agent};
use super::super::*;
use super::of;
use crate::domain::command::Reply;
use crate::domain::purpose::Purpose;
use crate::domain::settings::Intensity;
use crate::domain::text::Prose;

#[test]
fn g57_what_the_checkpoint_states_otherwise_is_named_until_it_is_corrected() {
    for (question, alternatives, answer, written, says) in [
        (
            "How long are expired links kept?",
            ["6 hours", "12 hours"],
            "6 hours",
            "Expired links are kept for 12 hours",
            true,
        ),
        (
            "How long are expired links kept?",
            ["6 hours", "12 hours"],
            "6 hours",
            "Expired links are kept for 6 hours",
            false,
        ),
        ("How long are expired links kept?", ["a", "b"], "six hours", "Expired links are kept for 12 hours", true),
        ("Where is the retry state kept?", ["a file", "a table"], "a file", "The retry state is kept in a table", true),
        (
            "Where is the retry state kept?",
            ["a file", "a table"],
            "a file",
            "The retry state is a file, not a table",
            false,
        ),
        ("Where is the retry state kept?", ["a file", "a table"], "a file", "Users keep a table of feeds", false),
        ("Which database keeps the feeds?", ["a", "b"], "Postgres", "SQLite is the database of the feeds", true),
        (
            "Which database keeps the feeds?",
            ["a", "b"],
            "Postgres",
            "The database of the feeds is Postgres, not SQLite",
            false,
        ),
    ] {
        let mut led = Led::about("short links", Intensity::Hard);
        led.asks("scope", question, &alternatives, &[], None);
        led.says(answer);
        for heading in ["Decisions", "Rejected alternatives", "Open Questions", "Risks"] {
            led.writes(&format!("# T\n\n## {heading}\n\n- {written}.\n"));
            let expected = says && heading == "Decisions";
            assert_eq!(
                of(&led, ConcernKind::Misstated).len(),
                usize::from(expected),
                "{question} {heading}: {written}"
            );
        }
    }
}

#[test]
fn g57_a_decision_that_was_taken_up_again_may_be_stated_otherwise() {
    let mut led = Led::about("short links", Intensity::Hard);
    led.exchange("scope", "How long are expired links kept?", "6 hours");
    led.writes("# T\n\n## Decisions\n\n- Expired links are kept for 12 hours.\n");
    let found = concerns(&led.session);
    let one = found.iter().find(|one| one.kind == ConcernKind::Misstated).unwrap();
    assert_eq!(one.name, "misstated:1");
    assert!(
        one.says.as_str().contains("“6 hours”, and the checkpoint says “Expired links are kept for 12 hours”"),
        "{one:?}"
    );
    // One fault is told once.
    assert_eq!(of(&led, ConcernKind::Dropped), Vec::<String>::new());
    led.asks(
        "scope",
        "What if a link is needed on the next day?",
        &["12 hours", "6 hours"],
        &[1],
        Some(Purpose::Challenge),
    );
    led.says("12 hours");
    led.writes("# T\n\n## Decisions\n\n- Expired links are kept for 12 hours, since one may be needed the next day.\n");
    assert_eq!(of(&led, ConcernKind::Misstated), Vec::<String>::new());
}

#[test]
fn g57_a_decision_with_a_number_that_nobody_said_is_unsaid() {
    let mut led = Led::about("short links", Intensity::Hard);
    led.exchange("scope", "How long are expired links kept?", "6 hours, as 3 replicas hold them");
    for (written, unsaid) in [
        ("1. Expired links are kept for six hours", false),
        ("Expired links are kept for 6 hours by 3 replicas", false),
        ("Expired links are kept for 6 hours by 5 replicas", true),
        ("Expired links are kept for 9 hours", true),
        ("Expired links are kept for 6 hours (answer 1)", false),
        ("Expired links are kept for 6 hours (questions 1 and 7)", false),
    ] {
        led.writes(&format!("# T\n\n## Decisions\n\n{written}.\n"));
        assert_eq!(of(&led, ConcernKind::Unsaid).len(), usize::from(unsaid), "{written}");
    }
}

#[test]
fn g57_an_open_question_that_nobody_asked_is_missed() {
    let mut led = Led::about("short links", Intensity::Hard);
    led.exchange("scope", "How long are expired links kept?", "6 hours");
    led.writes(
        "# T\n\n6 hours.\n\n## Open Questions\n\n- Who may delete a link of a colleague?\n- How long are links kept?\n",
    );
    let before = led.session.checkpoint.clone();
    led.writes("# T\n\n6 hours.\n\n## Open Questions\n");
    let off = taken_off(&before, &led.session);
    assert_eq!(off.len(), 1, "{off:?}");
    assert!(off[0].contains("“Who may delete a link of a colleague?” is off the open questions"), "{off:?}");
    led.exchange("scope", "May a colleague delete a link?", "no");
    assert_eq!(taken_off(&before, &led.session), Vec::<String>::new());
}

#[test]
fn g57_g58_an_answer_that_the_checkpoint_drops_is_named() {
    let mut led = Led::about("retries in the feed reader", Intensity::Standard);
    led.exchange("scope", "Where is the retry state kept?", "In a small sqlite file beside the feed list");
    // Its update is due until the gate.
    let so_far = |led: &Led| concerns_so_far(&led.session).iter().any(|one| one.kind == ConcernKind::Dropped);
    assert_eq!((so_far(&led), of(&led, ConcernKind::Dropped)), (false, vec!["dropped:1".to_owned()]));
    led.writes("# Understanding\n\n- Retry state is kept in an sqlite file.\n");
    assert_eq!(of(&led, ConcernKind::Dropped), Vec::<String>::new());
    led.exchange("risks", "Which failures never get another attempt?", "Certificate errors and every 410");
    assert_eq!((so_far(&led), of(&led, ConcernKind::Dropped)), (false, vec!["dropped:2".to_owned()]));
    led.writes("# Understanding\n\n- Certificate errors and 410 are final.\n");
    assert_eq!(of(&led, ConcernKind::Dropped), ["dropped:1"]);
    led.writes(
        "# Understanding\n\n- Certificate errors and 410 are final.\n- State: sqlite, one file for all feeds.\n",
    );
    assert_eq!(of(&led, ConcernKind::Dropped), Vec::<String>::new());
}

#[test]
fn g57_what_is_too_short_to_be_looked_for_and_what_says_nothing_are_never_dropped() {
    for (question, reply) in [
        ("Retry?", Reply::Text(Prose::parse("it", "yes").unwrap())),
        ("Which failures never get another attempt?", Reply::Unknown),
    ] {
        let mut led = Led::about("retries", Intensity::Standard);
        led.puts("scope", question);
        led.hears(&agent(), reply);
        led.writes("# Something else entirely\n");
        assert_eq!(of(&led, ConcernKind::Dropped), Vec::<String>::new(), "{question}");
    }
}

#[test]
fn g57_g58_a_short_answer_lives_in_a_sentence_about_its_question() {
    for (question, answer, written, dropped) in [
        ("How many instances of the poller run?", "One only", "- The list is a file.", true),
        ("How many instances of the poller run?", "One only", "- A single instance of the poller runs.", false),
        ("How many instances of the poller run?", "One only", "- How many instances of the poller run?", true),
        ("Which database keeps it?", "Postgres", "- It is kept in a file.", true),
        ("Which database keeps it?", "Postgres", "- Kept in Postgres.", false),
        ("`a.rs` counts per process. Shall it count per host?", "no", "- The list is a file.", true),
        ("`a.rs` counts per process. Shall it count per host?", "no", "- It does not count per host.", false),
        ("Retry?", "yes", "- The list is a file.", false),
        ("Flags per task, a default per group. Is that right?", "Yes, exactly", "- The list is a file.", true),
        (
            "Flags per task, a default per group. Is that right?",
            "Yes, exactly",
            "- A task has flags, a group a default.",
            false,
        ),
    ] {
        let mut led = Led::about("feeds", Intensity::Hard);
        led.exchange("scope", question, answer);
        led.writes(&format!("# T\n\n{written}\n"));
        assert_eq!(of(&led, ConcernKind::Dropped).len(), usize::from(dropped), "{question} {answer} {written}");
    }
}
