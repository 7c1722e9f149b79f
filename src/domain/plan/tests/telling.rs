//! What a person and an agent are told of a plan, however large it is.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{after, agent, at, executing, fresh, line, many, recorded, set, settle, steps};
use crate::domain::actor::Actor;
use crate::domain::facets::Facets;
use crate::domain::ids::SessionId;
use crate::domain::plan::brief::{LONGEST, ask_once, brief};
use crate::domain::plan::derived::{Backed, Backing, FileMark};
use crate::domain::plan::dropped::dropped;
use crate::domain::plan::notes::Notes;
use crate::domain::plan::progress::{Glyph, MOST_LINES, Tally, list, status_words, widget};
use crate::domain::plan::{Command, Event, Execution, Mode, PlanSource, Refusal, Settlement, State, Step, StepStatus};
use crate::domain::production::TargetPath;
use crate::domain::session::Session;
use crate::domain::subsystem::{Happened as _, Refused as _};
use crate::domain::text::Prose;
use crate::domain::told::{Scene, Told};

fn mark(numbers: &[u32]) -> Command {
    Command::Mark { steps: numbers.to_vec() }
}

/// The lines that a person is told of a command.
fn told(before: &Session, by: &Actor, command: &Command) -> Vec<String> {
    let happened = recorded(before, by, command);
    let now = happened.iter().fold(before.clone(), Session::evolve);
    let scene = Scene { before: Some(before), after: &now, by_prompt: false };
    let line = |told: Told<'_>| match told {
        Told::Line(line) => line,
        Told::Nothing | Told::Checkpoint { .. } | Told::Drift(_) | Told::Cited(_) => panic!("{told:?}"),
    };
    happened.iter().map(|one| line(one.event.told(scene))).collect()
}

#[test]
fn p23_a_new_plan_says_how_many_notes_were_on_the_one_before_and_where_they_are() {
    let session = after(fresh(), &agent(), &set(many(3)));
    assert_eq!(told(&session, &Actor::Human, &set(many(2))), ["plan: 2 steps; git grill todos shows them"]);
    let notes = Notes::parse([(1, "no".to_owned()), (2, "say how".to_owned())]).unwrap();
    let session = after(session, &Actor::Human, &Command::Review { shown: many(3), notes });
    for actor in [Actor::Human, agent()] {
        let lines = told(&session, &actor, &set(many(2)));
        assert_eq!(
            lines,
            ["plan: 2 steps; git grill todos shows them; the plan before it had notes on 2 steps, which git log -p \
              GRILL_HEAD -- :/.grill/plan.yaml shows again"]
        );
    }
}

#[test]
fn p11_a_new_plan_names_every_mark_of_the_one_before_that_it_drops() {
    let human = Actor::Human;
    let session = executing(steps(&["Add `Limiter`\nin full", "Call it", "Say so", "Stop \u{1b}[2J"]));
    let session = after(session, &agent(), &mark(&[1, 2]));
    let session = after(session, &human, &settle(2, Settlement::Done));
    let session = after(session, &human, &settle(4, Settlement::Skipped));
    let session = after(session, &human, &Command::SetMode { on: true });
    // The first step stays, the second is reworded, and the others go: no mark counts for another plan.
    let other = set(steps(&["Add `Limiter`\nin full", "Call it once"]));
    let named = "plan: 2 steps; git grill todos shows them; the plan before it had marks on 3 steps, which git log -p \
                 GRILL_HEAD -- :/.grill/plan.yaml shows again; this one has none of these marks:\n  step 1, claimed: Add \
                 `Limiter`\n  step 2, done: Call it\n  step 4, skipped: Stop ␛[2J";
    for actor in [human.clone(), agent()] {
        assert_eq!(told(&session, &actor, &other), [named]);
    }
    let replaced = after(session.clone(), &human, &other);
    let statuses: Vec<&str> = dropped(&session.own.plan, &replaced.own.plan).iter().map(|mark| mark.status).collect();
    assert_eq!(statuses, ["claimed", "done", "skipped"]);
    assert!(dropped(&session.own.plan, &session.own.plan).is_empty(), "the same plan drops nothing");

    let notes = Notes::parse([(3, "say how".to_owned())]).unwrap();
    let review = Command::Review { shown: session.own.plan.plan().unwrap(), notes };
    let lines = told(&after(session, &human, &review), &agent(), &other);
    assert!(
        lines[0].contains("the plan before it had a note on 1 step and marks on 3 steps, which git log"),
        "{lines:?}"
    );
    let long = after(executing(steps(&[&"word ".repeat(40), "Stop"])), &human, &settle(1, Settlement::Done));
    let lines = told(&after(long, &human, &Command::SetMode { on: true }), &human, &other);
    let line = lines[0].lines().nth(1).unwrap();
    assert!(line.starts_with("  step 1, done: word word") && line.ends_with('…'), "{line}");
    assert!(line.chars().count() < 100, "{line}");
}

#[test]
fn p12_completion_is_told_once_with_the_last_step() {
    let human = Actor::Human;
    let session = executing(steps(&["Add a limiter", "Test it", "Say so"]));
    let lines = told(&session, &agent(), &mark(&[2, 1]));
    assert_eq!(lines, ["step 1 is claimed: Add a limiter", "step 2 is claimed: Test it"]);

    let lines = told(&session, &agent(), &mark(&[3, 2, 1]));
    assert!(!lines[0].contains("complete") && !lines[1].contains("complete"), "{lines:?}");
    assert_eq!(
        lines[2],
        "step 3 is claimed: Say so; every step is marked, 3 without evidence: 0 of 3 steps finished, 3 claimed; git grill todos shows them"
    );

    let nearly = after(session, &agent(), &mark(&[1, 3]));
    let lines = told(&nearly, &human, &settle(2, Settlement::Skipped));
    assert_eq!(lines.len(), 1);
    assert!(
        lines[0].ends_with("1 of 3 steps finished (1 skipped), 2 claimed; git grill todos shows them"),
        "{lines:?}"
    );
    let complete = after(nearly, &human, &settle(2, Settlement::Skipped));
    assert_eq!(told(&complete, &human, &settle(1, Settlement::Done)), ["step 1 is done"], "it was complete before");
    assert_eq!(told(&complete, &human, &settle(1, Settlement::Pending)), ["step 1 is open again"]);
}

#[test]
fn p10_a_person_is_told_what_plan_mode_does() {
    let human = Actor::Human;
    let on = Command::SetMode { on: true };
    assert!(told(&fresh(), &human, &on)[0].starts_with("plan mode is on: git refuses"));
    let off = told(&after(fresh(), &human, &on), &human, &Command::SetMode { on: false });
    assert_eq!(off, ["plan mode is off: git grill refuses nothing here"]);
    let planned = after(fresh(), &agent(), &set(many(2)));
    assert_eq!(told(&fresh(), &agent(), &set(many(2))), ["plan: 2 steps; git grill todos shows them"]);
    let executed = told(&planned, &human, &Command::Execute { shown: many(2) });
    assert_eq!(
        executed,
        [
            "executing the plan: nothing is refused any more, and git grill todos shows how far it is; 0 of 2 steps finished"
        ]
    );
    let hostile = executing(steps(&["a\u{1b}[2J\u{202e}b"]));
    assert!(told(&hostile, &agent(), &mark(&[1]))[0].starts_with("step 1 is claimed: a␛[2J\\u{202e}b; "));
}

#[test]
fn p13_the_history_names_what_happened_in_a_line() {
    const BACKED: &str = "step 1 is done: a.rs changed; step 2 is done: cargo test passed";
    let texts = |count: usize| many(count).texts().to_vec();
    let taken = |output: Option<&str>| PlanSource::Session {
        id: SessionId::parse("20270115-a-bcdef").unwrap(),
        output: output.map(|path| TargetPath::parse(path).unwrap()),
        decisions: vec![],
    };
    let files = BTreeMap::from([("a.rs".to_owned(), FileMark::nothing())]);
    let by_change = Backed { step: 1, backing: Backing { checks: vec![], files } };
    let by_check = Backed { step: 2, backing: Backing { checks: vec![line("cargo test")], ..Backing::default() } };
    for (event, op, subject) in [
        (Event::PlanModeSet { mode: Mode::On }, "plan-mode", "plan mode on"),
        (Event::PlanModeSet { mode: Mode::Off }, "plan-mode", "plan mode off"),
        (Event::PlanModeSet { mode: Mode::Unset }, "plan-mode", "plan mode off"),
        (Event::PlanSet { steps: texts(5), source: PlanSource::Text }, "plan", "plan: 5 steps"),
        (Event::PlanSet { steps: texts(1), source: PlanSource::Message }, "plan", "plan: 1 step"),
        (
            Event::PlanSet { steps: texts(2), source: taken(None) },
            "plan",
            "plan: 2 steps, from session 20270115-a-bcdef",
        ),
        (
            Event::PlanSet { steps: texts(2), source: taken(Some("docs/plans/a.md")) },
            "plan",
            "plan: 2 steps, from docs/plans/a.md of session 20270115-a-bcdef",
        ),
        (Event::PlanExecutionBegun, "plan-execute", "execute the plan"),
        (Event::PlanStepClaimed { step: 2, note: None }, "plan-claim", "claim step 2"),
        (Event::PlanStepClaimed { step: 2, note: Some(line("it runs")) }, "plan-claim", "claim step 2: it runs"),
        (Event::PlanStepsBacked { steps: vec![by_change, by_check] }, "plan-back", BACKED),
        (Event::PlanStepSettled { step: 3, to: Settlement::Done }, "plan-settle", "step 3 is done"),
        (Event::PlanStepSettled { step: 3, to: Settlement::Skipped }, "plan-settle", "step 3 is skipped"),
        (Event::PlanStepSettled { step: 3, to: Settlement::Pending }, "plan-settle", "step 3 is open again"),
    ] {
        assert_eq!(event.facets(), Facets::of(op, subject), "{event:?}");
    }
}

#[test]
fn p14_every_refusal_has_a_command_to_type_and_a_tool_to_call() {
    let refusals = [
        Refusal::NoPlan,
        Refusal::NoPlanInText,
        Refusal::PlanCutShort { step: 1, line: line("- b") },
        Refusal::NoSteps,
        Refusal::TooManySteps { count: 101 },
        Refusal::BlankStep { step: 1 },
        Refusal::StepTooLong { step: 1, characters: 2_001 },
        Refusal::PlanTooLarge { bytes: 99_999 },
        Refusal::TextTooLarge { bytes: 999_999 },
        Refusal::Executing { left: 1, of: 2 },
        Refusal::PlanMoved,
        Refusal::NotExecuting { step: 1 },
        Refusal::NoSuchStep { step: 9, of: 2 },
        Refusal::NoteTooLong { bytes: 201 },
        Refusal::InsideInterview,
        Refusal::NotesWait,
        Refusal::ReviewedTooLate,
        Refusal::ReviewMoved,
        Refusal::StepEdited { step: 1 },
        Refusal::NoteWithoutStep,
        Refusal::StepNoteTooLong { step: 1, characters: 1_001 },
        Refusal::ReviewTooLarge { bytes: 99_999 },
        Refusal::NothingToTake { session: fresh().id },
        Refusal::NoStepsInOutput { session: fresh().id, path: TargetPath::parse("docs/plans/a.md").unwrap() },
        Refusal::Idle { what: "no check was run" },
        Refusal::NoCheck { step: 1 },
        Refusal::NothingToCheck,
        Refusal::CheckFailed { steps: vec![1, 3] },
    ];
    let mut codes: Vec<&str> = Vec::new();
    for refusal in refusals {
        assert!(refusal.hint().contains("git grill "), "{refusal:?}: {}", refusal.hint());
        let advice = refusal.advice("grill_status");
        assert!(advice.contains("grill_") && advice.chars().count() <= 200 && !advice.contains('\n'), "{advice}");
        assert!(!refusal.to_string().is_empty() && !codes.contains(&refusal.code()), "{refusal:?}");
        codes.push(refusal.code());
    }
}

#[test]
fn p21_a_brief_says_where_the_plan_stands() {
    let human = Actor::Human;
    assert_eq!(brief(&State::default()), None);
    let on = after(fresh(), &human, &Command::SetMode { on: true });
    let text = brief(&on.own.plan).unwrap();
    assert!(text.contains("read-only") && text.contains("`Plan:`") && text.contains("grill_set_plan"), "{text}");
    assert!(!text.contains("waits for the user"), "{text}");
    let planned = after(on, &agent(), &set(many(3)));
    assert!(brief(&planned.own.plan).unwrap().contains("A plan of 3 steps waits for the user."));
    assert_eq!(ask_once(&planned.own.plan), None);
    let off = after(planned, &human, &Command::SetMode { on: false });
    assert_eq!(brief(&off.own.plan), None);

    let session = after(executing(many(4)), &agent(), &mark(&[1, 3]));
    let text = brief(&session.own.plan).unwrap();
    assert!(text.contains("Current step 2: step number 2\n4. step number 4\nWhen a step is done"), "{text}");
    assert!(text.contains("0 of 4 steps finished, 2 claimed"), "{text}");
    assert!(
        text.contains("grill_step_done") && text.contains("[DONE:2]") && !text.contains("git grill todos"),
        "{text}"
    );
    let asked = ask_once(&session.own.plan).unwrap();
    assert!(asked.contains("grill_step_done") && asked.contains("[DONE:2]"), "{asked}");

    let complete = after(session, &agent(), &mark(&[2, 4]));
    assert!(brief(&complete.own.plan).unwrap().starts_with("Every step of the user's plan is marked: 0 of 4"));
    assert_eq!(ask_once(&complete.own.plan), None);
}

#[test]
fn p21_a_brief_says_how_much_it_cut() {
    let text = brief(&executing(many(100)).own.plan).unwrap();
    let listed = text.lines().filter(|line| line.contains(". step number")).count();
    assert!(listed > 5 && text.contains(&format!("({} steps more, not listed here; ", 99 - listed)), "{text}");
    assert!(text.contains("git grill todos shows all in full"), "{text}");
    let long = "word ".repeat(300);
    let text = brief(&executing(steps(&[&long, "short", &long])).own.plan).unwrap();
    assert!(text.contains("(2 shortened here; git grill todos shows all in full.)"), "{text}");
    assert!(text.contains("\n2. short\n3. word word"), "{text}");
}

#[test]
fn p17_the_widget_shows_the_steps_around_the_current_one() {
    assert!(widget(&after(fresh(), &agent(), &set(many(20))).own.plan).is_empty());
    let session = executing(many(20));
    let numbers = |plan: &State| -> Vec<u32> { widget(plan).iter().map(|line| line.number).collect() };
    let finished: Vec<u32> = (1..=10).collect();
    let halfway = after(session.clone(), &agent(), &mark(&finished));
    for (plan, expected) in [
        (&session.own.plan, 1..=8),
        (&halfway.own.plan, 9..=16),
        (&after(halfway.clone(), &agent(), &mark(&(1..=18).collect::<Vec<u32>>())).own.plan, 13..=20),
        (&after(halfway.clone(), &agent(), &mark(&(1..=20).collect::<Vec<u32>>())).own.plan, 13..=20),
    ] {
        assert_eq!(numbers(plan), expected.collect::<Vec<u32>>());
    }
    let glyphs: Vec<Glyph> = widget(&halfway.own.plan).iter().map(|line| line.glyph).take(4).collect();
    assert_eq!(glyphs, [Glyph::Claimed, Glyph::Claimed, Glyph::Current, Glyph::Pending]);

    let short = executing(steps(&["a\nand more", "b\u{1b}"]));
    let short = after(short, &Actor::Human, &settle(1, Settlement::Skipped));
    let lines = widget(&short.own.plan);
    assert_eq!(lines, list(&short.own.plan));
    assert_eq!((lines[0].text.as_str(), lines[0].glyph), ("a", Glyph::Skipped));
    assert_eq!((lines[1].text.as_str(), lines[1].glyph), ("b␛", Glyph::Current));
}

#[test]
fn p12_the_status_line_says_plan_mode_or_how_far_the_plan_is() {
    let human = Actor::Human;
    assert_eq!(status_words(&State::default()), None);
    let on = after(fresh(), &human, &Command::SetMode { on: true });
    assert_eq!(status_words(&on.own.plan).as_deref(), Some("Plan Mode: ON"));
    let session = executing(many(5));
    assert_eq!(status_words(&session.own.plan).as_deref(), Some("plan 0/5"));
    let session = after(session, &agent(), &mark(&[1]));
    let session = after(session, &human, &settle(2, Settlement::Done));
    let session = after(session, &human, &settle(4, Settlement::Skipped));
    assert_eq!(status_words(&session.own.plan).as_deref(), Some("plan 2/5"));
    let tally = Tally::of(&session.own.plan);
    assert_eq!(
        tally,
        Tally { steps: 5, finished: 2, claimed: 1, done: 1, skipped: 1, current: Some(3), ..Tally::default() }
    );
    assert_eq!((tally.open(), tally.in_words().as_str()), (2, "2 of 5 steps finished (1 done, 1 skipped), 1 claimed"));
}

/// Plans as a file might hold them, beyond what the rules let in.
fn any_plan() -> impl Strategy<Value = State> {
    let letters = prop_oneof![Just("x"), Just("ä"), Just("\u{202e}"), Just("x\n"), Just("x "), Just("\"")];
    let step = (letters, 1_usize..2_400, 0_usize..4).prop_map(|(letter, length, status)| {
        let (by, text) = (Actor::Human, format!("x{}", letter.repeat(length)));
        let status = match status {
            0 | 1 => StepStatus::Pending,
            2 => StepStatus::Claimed { by, at: at(), note: None },
            _ => StepStatus::Done { by, at: at() },
        };
        Step { text: Prose::parse("a step", &text).unwrap(), status, backing: None, reopened: false }
    });
    let mode = prop_oneof![Just(Mode::On), Just(Mode::Off), Just(Mode::Unset)];
    (proptest::collection::vec(step, 0..120), mode, any::<bool>()).prop_map(|(steps, mode, begun)| {
        let execution = begun.then(|| Execution { by: Actor::Human, at: at() });
        State { mode, steps, execution, ..State::default() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p21_a_brief_stays_within_its_bound_whatever_the_plan(plan in any_plan()) {
        for text in [brief(&plan), ask_once(&plan)].into_iter().flatten() {
            prop_assert!(text.chars().count() <= LONGEST, "{}: {}", text.chars().count(), text);
        }
        prop_assert!(widget(&plan).len() <= MOST_LINES);
        prop_assert_eq!(list(&plan).len(), plan.steps.len());
        let tally = Tally::of(&plan);
        prop_assert_eq!(tally.open() == 0, tally.current.is_none());
        prop_assert_eq!(plan.is_all_marked(), plan.is_executing() && tally.open() == 0);
        let finished = plan.steps.iter().filter(|step| plan.derived(step).is_finished()).count();
        prop_assert_eq!(tally.finished, finished);
    }
}
