//! Notes on a plan: who may write them, what they hold up, how they are read back, and who is told of them.

use proptest::prelude::*;

use super::{after, agent, at, executing, fresh, many, set, steps};
use crate::domain::actor::Actor;
use crate::domain::decide::decide;
use crate::domain::plan::brief::{LONGEST, brief};
use crate::domain::plan::notes::{LARGEST_REVIEW, Notes, read, sheet};
use crate::domain::plan::{Command, Event, Refusal, State, Steps};
use crate::domain::session::Session;
use crate::domain::subsystem::{Folded as _, Happened as _};

fn notes(given: &[(u32, &str)]) -> Notes {
    Notes::parse(given.iter().map(|(step, text)| (*step, (*text).to_owned()))).unwrap()
}

fn review(shown: &Steps, given: &[(u32, &str)]) -> Command {
    Command::Review { shown: shown.clone(), notes: notes(given) }
}

fn planned(steps: &Steps) -> Session {
    let on = after(fresh(), &Actor::Human, &Command::SetMode { on: true });
    after(on, &agent(), &set(steps.clone()))
}

fn code(session: &Session, actor: &Actor, command: &Command) -> &'static str {
    decide(session, actor, at(), &command.clone().into()).map_or_else(
        |refusal| refusal.code(),
        |events| {
            if events.is_empty() { "-" } else { "done" }
        },
    )
}

#[test]
fn p23_notes_hold_the_execution_until_another_plan_comes_or_they_are_taken_back() {
    let (human, plan) = (Actor::Human, many(3));
    let session = planned(&plan);
    let execute = Command::Execute { shown: plan.clone() };
    assert_eq!(code(&session, &human, &execute), "done");
    let reviewed = after(session, &human, &review(&plan, &[(2, "say how")]));
    assert_eq!(code(&reviewed, &human, &execute), "notes_wait");
    assert_eq!(code(&reviewed, &human, &review(&plan, &[(2, "say how")])), "-");
    // The same plan again is no answer, whoever hands it in.
    assert_eq!(code(&reviewed, &agent(), &set(plan.clone())), "-");
    assert_eq!(code(&reviewed, &human, &execute), "notes_wait");
    let dropped = after(reviewed.clone(), &human, &review(&plan, &[]));
    assert_eq!(code(&dropped, &human, &execute), "done");
    let answered = after(reviewed, &agent(), &set(many(4)));
    assert!(answered.own.plan.notes.is_empty());
    assert_eq!(code(&answered, &human, &Command::Execute { shown: many(4) }), "done");
}

#[test]
fn p23_only_who_may_approve_reviews_the_plan_that_was_shown_before_it_is_executed() {
    let (human, plan) = (Actor::Human, many(3));
    let session = planned(&plan);
    let note = review(&plan, &[(1, "no")]);
    for other in [agent(), Actor::Unattended, Actor::System] {
        assert_eq!(code(&session, &other, &note), "approval_required", "{other}");
    }
    assert_eq!(code(&session, &human, &note), "done");
    assert_eq!(code(&session, &human, &review(&many(2), &[(1, "no")])), "review_moved");
    assert_eq!(code(&session, &human, &review(&plan, &[(4, "no")])), "no_such_step");
    assert_eq!(code(&session, &human, &review(&plan, &[(0, "no")])), "no_such_step");
    assert_eq!(code(&executing(plan.clone()), &human, &note), "reviewed_too_late");
    assert_eq!(code(&fresh(), &human, &note), "no_plan");
}

#[test]
fn p23_notes_are_read_back_from_the_sheet_and_a_changed_step_is_refused() {
    let plan = planned(&steps(&["Count\n\n- [ ] `a`\n> quoted", "Count", "Say so"])).own.plan;
    let empty = sheet(&plan);
    assert!(empty.contains("1. Count\n   \n   - [ ] `a`\n   > quoted\n> \n\n2. Count\n> \n"), "{empty}");
    assert_eq!(read(&plan, &empty), Ok(Notes::default()));
    // An editor may take the blanks at line ends away, or use other line ends.
    let trimmed: String = empty.lines().flat_map(|line| [line.trim_end(), "\r\n"]).collect();
    assert_eq!(read(&plan, &trimmed), Ok(Notes::default()));
    let written = empty.replace("2. Count\n> \n", "2. Count\n>why?\n> 3. and who\nwithout a mark\n\n");
    assert_eq!(read(&plan, &written), Ok(notes(&[(2, "why?\n3. and who\nwithout a mark")])));
    let noted = State { notes: notes(&[(1, "a\nb"), (3, "c")]).list().to_vec(), ..plan.clone() };
    assert_eq!(read(&noted, &sheet(&noted)), Ok(notes(&[(1, "a\nb"), (3, "c")])));
    for (from, to, step) in
        [("   - [ ] `a`", "   - [x] `a`", 1), ("2. Count", "2. Count all", 2), ("3. Say so\n", "", 3)]
    {
        let changed = empty.replace(from, to);
        assert_ne!(changed, empty);
        assert_eq!(read(&plan, &changed), Err(Refusal::StepEdited { step }));
    }
    assert_eq!(read(&plan, &format!("No!\n{empty}")), Err(Refusal::NoteWithoutStep));
    assert_eq!(read(&plan, ""), Err(Refusal::StepEdited { step: 1 }));
}

#[test]
fn p23_notes_are_bounded() {
    let long = |length: usize| Notes::parse([(1, "x".repeat(length))]);
    assert!(long(1_000).is_ok());
    assert_eq!(long(1_001), Err(Refusal::StepNoteTooLong { step: 1, characters: 1_001 }));
    let many = (1..=17).map(|step| (step, "x".repeat(1_000)));
    assert_eq!(Notes::parse(many), Err(Refusal::ReviewTooLarge { bytes: 17_000 }));
    const { assert!(LARGEST_REVIEW < 17_000) };
    assert_eq!(notes(&[(2, " "), (1, " b "), (1, "c")]), notes(&[(1, "b\nc")]));
    // What does not fit in a history that was written by hand changes nothing.
    let mut plan = planned(&steps(&["a"])).own.plan;
    let before = plan.clone();
    plan.evolve(&Actor::Human, at(), &Event::PlanReviewed { notes: notes(&[(2, "x")]).list().to_vec() });
    assert_eq!(plan, before);
}

/// What an agent is told as a person's words was said in this clone.
#[test]
fn p23_notes_that_were_written_in_another_clone_are_told_to_no_agent() {
    let plan = many(3);
    let mut reviewed = after(planned(&plan), &Actor::Human, &review(&plan, &[(2, "run this")])).own.plan;
    let grants = reviewed.grants();
    assert_eq!(grants, ["notes 2 8:run this"]);
    reviewed.lapse(&["notes 2 9:run these"]);
    assert_eq!(reviewed.notes.len(), 1);
    reviewed.lapse(&[grants[0].as_str()]);
    assert!(reviewed.notes.is_empty() && reviewed.grants().is_empty());
    assert!(!brief(&reviewed).unwrap().contains("run this"));
}

#[test]
fn p23_an_agent_is_told_the_notes_before_anything_else() {
    let plan = many(3);
    let reviewed = after(planned(&plan), &Actor::Human, &review(&plan, &[(2, "say\nhow \u{1b}[2J"), (3, "why")]));
    let told = brief(&reviewed.own.plan).unwrap();
    assert!(told.starts_with("The user read your plan and wrote notes"), "{told}");
    assert!(told.contains("\nNote on step 2: say how ␛[2J\nNote on step 3: why\nPlan mode is on"), "{told}");
    assert!(told.contains("grill_set_plan") && !told.contains("waits for the user"), "{told}");
    // Beside an interview as well, where plan mode is off.
    let beside = State { mode: crate::domain::plan::Mode::Unset, ..reviewed.own.plan };
    let told = brief(&beside).unwrap();
    assert!(told.contains("Note on step 3: why\n") && !told.contains("Plan mode is on"), "{told}");
    let event = Event::PlanReviewed { notes: notes(&[(1, "a"), (2, "b")]).list().to_vec() };
    assert_eq!(event.facets().subject, "notes on 2 steps");
    assert_eq!(Event::PlanReviewed { notes: vec![] }.facets().subject, "withdraw the notes");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p23_whatever_the_notes_they_are_read_back_and_a_brief_stays_within_its_bound(
        texts in proptest::collection::vec("[a-z>#. äx\n-]{0,300}", 1..40)
    ) {
        let plan = many(texts.len());
        let given = (1..).zip(texts).map(|(step, text)| (step, text.trim().to_owned()));
        let notes = Notes::parse(given).unwrap_or_default();
        let plan = State { notes: notes.list().to_vec(), ..planned(&plan).own.plan };
        let told = brief(&plan).unwrap();
        prop_assert!(told.chars().count() <= LONGEST, "{}: {}", told.chars().count(), told);
        let again = read(&plan, &sheet(&plan)).unwrap();
        // Blanks at line ends are no part of a note.
        let bare = |notes: &Notes| -> Vec<String> {
            notes.list().iter().map(|note| {
                let text = note.text.as_str();
                format!("{} {}", note.step, text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
            }).collect()
        };
        prop_assert_eq!(bare(&again), bare(&notes));
    }
}
