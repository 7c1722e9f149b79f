//! Tests of the catalogue, the defaults and the design document.

use jiff::Timestamp;

use super::*;
use crate::domain::actor::Actor;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::{Event, Recorded, Started};
use crate::domain::ids::{AnswerId, QuestionId, SessionId};
use crate::domain::interview::{Answer, AnswerKind};
use crate::domain::outline::Outline;
use crate::domain::question::{Alternatives, Form, Question, RawAlternative};
use crate::domain::settings::Settings;
use crate::domain::text::{Line, Prose, Topic};

const CHECKPOINT: &str = "# Shared Understanding

## Topic

add rate limiting

## Current Understanding

- One loud customer starves the others.
- Operators notice first.

## Decisions

- The limit counts by key.
  - Reason: One key is one customer.
  - Not chosen: By address.
- It lives beside the router, edited by hand.

## My own heading

Words that no generator knows.

### With a detail

- kept

## Risks / Unknowns

- Clocks may differ.

## How We Will Know

- A test fails first.

## Open Questions

- How long is the window? To find out: ask the callers.

## Next Steps

- Write the test.
";

fn session(topic: &str, checkpoint: &str) -> Session {
    let topic = Topic::parse(topic).unwrap();
    let at: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
    let started = Started {
        id: SessionId::new(&topic, at, 7),
        topic,
        settings: Settings::default(),
        base: None,
        branch: None,
        reported: None,
    };
    let mut session = Session::begin(&started, at, 1);
    session.checkpoint = Checkpoint::stored(checkpoint.to_owned());
    session
}

fn answered(session: Session, dimension: &str, taken: &str, other: &str) -> Session {
    let alternative = |value: &str, because: &str| RawAlternative {
        value: value.to_owned(),
        description: because.to_owned(),
        ..RawAlternative::default()
    };
    let nonce = session.seq;
    let at = session.updated_at;
    let question = Question {
        id: QuestionId::from_nonce(nonce),
        form: Form::Grill,
        text: Prose::parse("it", "Which?").unwrap(),
        dimension: Line::parse("it", dimension).unwrap(),
        probe: None,
        why: None,
        alternatives: Alternatives::parse(&[alternative(taken, "so"), alternative(other, "Nobody has to log in.")])
            .unwrap(),
        evidence: Vec::new(),
        builds_on: Vec::new(),
    };
    let answer = Answer {
        id: AnswerId::from_nonce(nonce),
        question: question.id.clone(),
        kind: AnswerKind::Alternative,
        text: Prose::parse("it", taken).unwrap(),
        note: None,
        by: Actor::Human,
        at,
        read_ms: None,
        chosen: vec![],
        supersedes: Vec::new(),
    };
    let asked = Event::QuestionAsked { question: Box::new(question), unchanged: None };
    [asked, Event::QuestionAnswered { answer: Box::new(answer) }].into_iter().fold(session, |session, event| {
        let seq = session.seq + 1;
        session.evolve(&Recorded { seq, at, by: Actor::Human, event })
    })
}

fn document(strategy: &str, session: &Session) -> String {
    let destination = Destination::Known(Catalogued::DesignDoc);
    generate(&destination, &strategy.parse().unwrap(), session).unwrap()
}

fn full() -> Session {
    let session = session("add rate limiting", CHECKPOINT);
    let session = answered(session, "objective", "One loud customer starves the others.", "Something else.");
    answered(session, "scope", "The limit counts by key.", "The limit counts by address.")
}

#[test]
fn g27_the_catalogue_has_eleven_entries() {
    let listed: Vec<Catalogued> = catalogue().iter().map(|entry| entry.output).collect();
    assert_eq!(listed, Catalogued::ALL);
    assert_eq!(built(), [Catalogued::DesignDoc]);
    for entry in catalogue() {
        let destination = Destination::Known(entry.output);
        let strategy = default_strategy(&destination, &full());
        assert_eq!(generate(&destination, &strategy, &full()).is_some(), entry.built, "{}", entry.name);
    }
}

#[test]
fn g44_every_file_output_has_a_default_path() {
    for (output, expected) in [
        ("design-doc", Some("docs/design/rate-limiting.md")),
        ("readme", Some("README.md")),
        ("changelog", Some("CHANGELOG.md")),
        ("adr", Some("docs/adr/rate-limiting.md")),
        ("custom:a poster", Some("docs/grill/rate-limiting.md")),
        ("github-issues", None),
    ] {
        let paths = default_paths(&output.parse().unwrap(), &full());
        assert_eq!(paths.first().map(TargetPath::as_str), expected, "{output}");
    }
    let foreign = session("要件", "x\n");
    let paths = default_paths(&Destination::Known(Catalogued::DesignDoc), &foreign);
    assert_eq!(paths[0].as_str(), "docs/design/session.md");
}

#[test]
fn the_design_doc_holds_everything_that_stands_in_the_checkpoint() {
    let text = document("vertical-slices", &full());
    for line in CHECKPOINT.lines().filter(|line| line.trim_start().starts_with('-')) {
        assert!(text.lines().any(|one| one == line), "{line:?} is missing in {text}");
    }
    for kept in [
        "## My own heading",
        "Words that no generator knows.",
        "### With a detail",
        "# Add rate limiting",
        "2026-11-21",
    ] {
        assert!(text.contains(kept), "{kept}");
    }
    assert!(text.contains("## Goals\n\n- One loud customer starves the others.\n"), "{text}");
    assert!(text.contains("  - The limit counts by address. For it: Nobody has to log in."), "{text}");
    assert!(text.ends_with("`git log grill/sessions/20261121-rate-limiting-haaaa`.\n"), "{text}");
    let titles: Vec<String> = Outline::parse(&text).sections.iter().map(|one| one.title().to_owned()).collect();
    assert_eq!(titles.iter().filter(|title| *title == "Decisions").count(), 1);
    assert!(!text.contains("\n\n\n"), "{text}");
}

#[test]
fn g28_strategies_cut_differently() {
    let part = |strategy: &str| -> Vec<String> {
        let text = document(strategy, &full());
        text.lines().filter(|line| line.starts_with("### ")).map(str::to_owned).collect()
    };
    assert_eq!(part("vertical-slices")[0], "### Slice 1: the smallest thing worth having");
    assert!(part("adr-candidates").contains(&"### Record 1: The limit counts by key".to_owned()));
    assert!(part("research-investigations")[0].starts_with("### Investigation 1: How long is the window"));
    assert!(part("milestone-experiments")[0].starts_with("### Experiment 1: "));
    assert!(part("tutorial-chapters")[0].starts_with("### Chapter 1: "));
    assert!(part("content-outline")[0].starts_with("### Section 1: "));
    assert!(document("custom:by the week", &full()).contains("## Plan: by the week"));
}

#[test]
fn an_empty_checkpoint_makes_an_honest_document() {
    let text = document("vertical-slices", &session("x", "# Shared Understanding\n"));
    assert!(text.contains("rests on 0 answers"), "{text}");
    assert!(text.contains("left nothing to cut"), "{text}");
    assert!(!text.contains("## Decisions"), "{text}");
}
