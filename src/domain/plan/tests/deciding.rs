//! Every (situation, command, actor) of plan mode and what it comes to, as a table; what travels and what does not; and
//! laws that hold whatever is done in which order.

use proptest::prelude::*;

use super::{after, agent, at, executing, fresh, line, many, recorded, set, settle, started, steps};
use crate::domain::actor::Actor;
use crate::domain::command::Ending;
use crate::domain::decide::decide;
use crate::domain::decide::staged::gate;
use crate::domain::event::{Event as Happening, Recorded};
use crate::domain::plan::{Command, Event, LONGEST_NOTE, Mode, PlanSource, Settlement, State, StepStatus, Steps};
use crate::domain::production::{Plan, Production};
use crate::domain::selection::Selection;
use crate::domain::session::{Grip, Phase, Session};
use crate::domain::settings::Approval;
use crate::domain::subsystem::Grant;
use crate::domain::subsystem::{Folded as _, Hold};
use crate::domain::text::Prose;

const TABLE: &str = "
command      actor  interview         selection         production   closed          fresh              on                 planned            off      executing          claimed            complete
on           any    plan-mode         plan-mode         !wrong_phase !session_closed plan-mode          -                  -                  plan-mode plan-mode         plan-mode          plan-mode
off          human  -                 -                 -            !session_closed plan-mode          plan-mode          plan-mode          -        plan-mode          plan-mode          plan-mode
off          others -                 -                 -            !session_closed !approval_required !approval_required !approval_required -        !approval_required !approval_required !approval_required
set          any    plan              plan              plan         !session_closed plan               plan               -                  plan     -                  -                  -
set-other    any    plan              plan              plan         !session_closed plan               plan               plan               plan     !plan_executing    !plan_executing    plan
execute      human  !inside_interview !inside_interview !wrong_phase !session_closed !no_plan           !no_plan           plan-execute       !no_plan -                  -                  -
execute      others !inside_interview !inside_interview !wrong_phase !session_closed !no_plan           !no_plan           !approval_required !no_plan -                  -                  -
execute-seen human  !inside_interview !inside_interview !wrong_phase !session_closed !no_plan           !no_plan           !plan_moved        !no_plan !plan_moved        !plan_moved        !plan_moved
execute-seen others !inside_interview !inside_interview !wrong_phase !session_closed !no_plan           !no_plan           !approval_required !no_plan !approval_required !approval_required !approval_required
mark         any    -                 -                 -            !session_closed -                  -                  -                  -        plan-claim+plan-claim plan-claim      -
done-1       any    !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           !not_executing     !no_plan plan-claim         -                  -
done-9       any    !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           !no_such_step      !no_plan !no_such_step      !no_such_step      !no_such_step
settle-1     human  !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           plan-settle        !no_plan plan-settle        plan-settle        plan-settle
settle-1     others !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           !approval_required !no_plan !approval_required !approval_required !approval_required
reopen-1     human  !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           -                  !no_plan -                  plan-settle        plan-settle
reopen-1     others !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           -                  !no_plan -                  !approval_required !approval_required
settle-9     any    !no_plan          !no_plan          !no_plan     !session_closed !no_plan           !no_plan           !no_such_step      !no_plan !no_such_step      !no_such_step      !no_such_step
";

fn plan() -> Steps {
    steps(&["Add a limiter in `src/limit.rs`", "Test it"])
}

fn other() -> Steps {
    steps(&["Remove everything", "Test it"])
}

fn with(phase: Phase) -> Session {
    Session { phase, ..Session::begin(&started(Approval::Person, false), at(), 1) }
}

fn situation(name: &str) -> Session {
    let human = Actor::Human;
    let on = || after(fresh(), &human, &Command::SetMode { on: true });
    let mark = |numbers: &[u32]| Command::Mark { steps: numbers.to_vec() };
    match name {
        "interview" => Session::begin(&started(Approval::Person, false), at(), 1),
        "selection" => with(Phase::Selection(Box::new(Selection { gate: gate(), request: None, kept: None }))),
        "production" => with(Phase::Production(Box::new(Production {
            plan: Plan { outputs: vec![], prose: None, permitted: vec![] },
            selected_by: Actor::Human,
            round: 1,
            drafts: vec![],
            stood: vec![],
        }))),
        "closed" => with(Phase::Closed { ending: Ending::WithoutOutput }),
        "fresh" => fresh(),
        "on" => on(),
        "planned" => after(on(), &agent(), &set(plan())),
        "off" => after(fresh(), &human, &Command::SetMode { on: false }),
        "executing" => executing(plan()),
        "claimed" => after(executing(plan()), &agent(), &mark(&[1])),
        "complete" => after(executing(plan()), &agent(), &mark(&[2, 1])),
        other => panic!("{other}"),
    }
}

fn command(name: &str) -> Command {
    match name {
        "on" => Command::SetMode { on: true },
        "off" => Command::SetMode { on: false },
        "set" => Command::SetPlan { steps: plan(), source: PlanSource::Text },
        "set-other" => set(other()),
        "execute" => Command::Execute { shown: plan() },
        "execute-seen" => Command::Execute { shown: other() },
        "mark" => Command::Mark { steps: vec![2, 9, 1, 0, 1] },
        "done-1" => Command::StepDone { step: 1, note: Some(line("with a test")) },
        "done-9" => Command::StepDone { step: 9, note: None },
        "settle-1" => settle(1, Settlement::Done),
        "reopen-1" => settle(1, Settlement::Pending),
        "settle-9" => settle(9, Settlement::Skipped),
        other => panic!("{other}"),
    }
}

const COMMANDS: [&str; 12] = [
    "on",
    "off",
    "set",
    "set-other",
    "execute",
    "execute-seen",
    "mark",
    "done-1",
    "done-9",
    "settle-1",
    "reopen-1",
    "settle-9",
];

fn actors(name: &str) -> Vec<Actor> {
    let others = vec![Actor::Unattended, agent(), Actor::System];
    match name {
        "human" => vec![Actor::Human],
        "others" => others,
        "any" => [vec![Actor::Human], others].concat(),
        other => panic!("{other}"),
    }
}

fn cell(session: &Session, actor: &Actor, command: &Command) -> String {
    match decide(session, actor, at(), &command.clone().into()) {
        Ok(events) if events.is_empty() => "-".to_owned(),
        Ok(events) => events.iter().map(|event| event.facets().op).collect::<Vec<_>>().join("+"),
        Err(refusal) => {
            assert!(refusal.hint().contains("git grill"), "{refusal:?}");
            format!("!{}", refusal.code())
        }
    }
}

#[test]
fn p14_every_situation_command_and_actor_comes_to_what_the_table_says() {
    let rows: Vec<Vec<&str>> = TABLE.trim().lines().map(|row| row.split_whitespace().collect()).collect();
    let situations: Vec<Session> = rows[0][2..].iter().map(|name| situation(name)).collect();
    let mut seen = Vec::new();
    for row in &rows[1..] {
        for actor in actors(row[1]) {
            let cells: Vec<String> = situations.iter().map(|session| cell(session, &actor, &command(row[0]))).collect();
            assert_eq!(cells, row[2..], "{} by {actor}", row[0]);
            seen.push((row[0], actor));
        }
    }
    for name in COMMANDS {
        assert_eq!(seen.iter().filter(|(row, _)| *row == name).count(), 4, "{name} by everybody");
    }
}

#[test]
fn p14_an_approval_mode_lets_others_decide_and_no_agent_settles_a_step() {
    let off = command("off");
    let settled = command("settle-1");
    for (approval, actor, expected) in [
        (Approval::Script, Actor::Unattended, ["plan-mode", "plan-execute", "plan-settle"]),
        (Approval::Script, agent(), ["!approval_required", "!approval_required", "!approval_required"]),
        (Approval::Agent, Actor::Unattended, ["plan-mode", "plan-execute", "plan-settle"]),
        (Approval::Agent, agent(), ["plan-mode", "plan-execute", "!approval_required"]),
        (Approval::Agent, Actor::System, ["!approval_required", "!approval_required", "!approval_required"]),
    ] {
        let mut session = situation("planned");
        session.settings.approval = approval;
        let cells = [&off, &command("execute"), &settled].map(|command| cell(&session, &actor, command));
        assert_eq!(cells, expected, "{approval} {actor}");
    }
}

#[test]
fn p13_the_hold_follows_plan_mode_and_an_interview_is_never_lifted() {
    let grip = |name: &str| {
        let Phase::NoInterview { hold } = situation(name).phase else { panic!("{name}") };
        hold
    };
    let lifted = |name: &str| matches!(grip(name), Grip::Lifted { by } if by.of == "plan");
    for name in ["fresh", "on", "planned"] {
        assert_eq!(grip(name), Grip::ReadOnly, "{name}");
    }
    assert!(lifted("off") && lifted("executing") && lifted("claimed") && lifted("complete"));
    assert_eq!(State::default().hold(), None);
    assert_eq!(situation("on").own.plan.hold(), Some(Hold::ReadOnly));

    let (human, on, off) = (Actor::Human, command("on"), command("off"));
    let interview = after(situation("interview"), &human, &on);
    assert!(interview.own.plan.is_on());
    assert_eq!(cell(&interview, &agent(), &off), "!approval_required");
    let left = after(interview, &human, &off);
    assert_eq!(left.own.plan, State::default(), "nothing is granted, so nothing can lapse");
    assert_eq!(left.phase, situation("interview").phase);

    let mut producing = situation("production");
    producing.own.plan.mode = Mode::On;
    assert_eq!(cell(&producing, &agent(), &on), "-");
    assert_eq!(cell(&producing, &human, &off), "plan-mode");
}

#[test]
fn p13_going_back_to_plan_mode_ends_an_execution_and_keeps_plan_and_marks() {
    let back = after(situation("claimed"), &agent(), &command("on"));
    let plan_state = &back.own.plan;
    assert!(plan_state.is_on() && !plan_state.is_executing() && plan_state.is_plan(&plan()));
    assert_eq!(plan_state.steps[0].status.word(), "claimed");
    assert_eq!(cell(&back, &agent(), &command("mark")), "-", "marks count while a plan is carried out");
    let again = after(back.clone(), &Actor::Human, &command("execute"));
    assert_eq!(cell(&again, &agent(), &command("mark")), "plan-claim", "the other step");

    let replaced = after(back, &agent(), &command("set-other"));
    assert!(replaced.own.plan.steps.iter().all(|step| step.status == StepStatus::Pending));
    let off = after(situation("claimed"), &Actor::Human, &command("off"));
    assert!(off.own.plan.is_plan(&plan()) && off.own.plan.is_executing(), "turning it off keeps plan and execution");
}

#[test]
fn p13_a_new_plan_after_the_last_step_is_not_approved() {
    let replaced = after(situation("complete"), &agent(), &command("set-other"));
    assert!(replaced.own.plan.is_on());
    assert_eq!(replaced.phase, Phase::NoInterview { hold: Grip::ReadOnly });
    // Unless a person had turned plan mode off before.
    let off = after(situation("off"), &agent(), &set(plan()));
    let executing = after(off, &Actor::Human, &command("execute"));
    let complete = after(executing, &agent(), &command("mark"));
    let replaced = after(complete, &agent(), &command("set-other"));
    assert!(!replaced.own.plan.is_on() && !replaced.own.plan.is_executing());
    assert_eq!(replaced.own.plan.hold(), Some(Hold::Lifted { by: "off".to_owned() }));
    // Without plan mode an approval that ends leaves the plan to be looked at.
    let unset = after(after(fresh(), &agent(), &set(plan())), &Actor::Human, &command("execute"));
    assert!(after(after(unset, &agent(), &command("mark")), &agent(), &command("set-other")).own.plan.is_on());
}

#[test]
fn p24_a_claim_keeps_who_made_it_and_a_note_is_bounded() {
    let claimed = after(situation("executing"), &agent(), &command("done-1"));
    let expected = StepStatus::Claimed { by: agent(), at: at(), note: Some(line("with a test")) };
    assert_eq!(claimed.own.plan.steps[0].status, expected);
    let note = |length: usize| Command::StepDone { step: 2, note: Some(line(&"x".repeat(length))) };
    assert_eq!(cell(&claimed, &agent(), &note(LONGEST_NOTE)), "plan-claim");
    assert_eq!(cell(&claimed, &agent(), &note(LONGEST_NOTE + 1)), "!note_too_long");
    let skipped = after(claimed, &Actor::Human, &settle(2, Settlement::Skipped));
    assert!(skipped.own.plan.is_all_marked());
    assert_eq!(cell(&skipped, &agent(), &Command::StepDone { step: 2, note: None }), "-", "a person left it out");
}

#[test]
fn p24_a_plan_from_elsewhere_brings_neither_its_approval_nor_a_persons_word() {
    let human = Actor::Human;
    let session = executing(many(4));
    let session = after(session, &agent(), &Command::Mark { steps: vec![1] });
    let session = after(session, &human, &settle(2, Settlement::Done));
    let session = after(session, &human, &settle(3, Settlement::Skipped));
    let words = |session: &Session| -> Vec<&'static str> {
        session.own.plan.steps.iter().map(|step| step.status.word()).collect()
    };
    assert_eq!(words(&session), ["claimed", "done", "skipped", "pending"]);
    assert_eq!(session.lapse(&|_| true), None);

    let lapse = session.lapse(&|_| false).unwrap();
    assert_eq!(lapse.own.len(), 3);
    assert!(lapse.in_words().contains("plan mode stays on"), "{}", lapse.in_words());
    let here = session.clone().lapsed(lapse.clone());
    assert_eq!(words(&here), ["claimed", "claimed", "pending", "pending"]);
    assert!(here.own.plan.is_on());
    assert_eq!(here.phase, Phase::NoInterview { hold: Grip::ReadOnly });
    assert_eq!(here.clone().lapsed(lapse.clone()), here);
    assert!(here.claims().is_empty());

    // Each grant lapses alone.
    let [execute, done, _] = lapse.own.as_slice() else { panic!("{lapse:?}") };
    let without = |grant: &Grant| {
        let mut plan = session.own.plan.clone();
        plan.lapse(&[grant.what.as_str()]);
        plan
    };
    assert!(without(execute).is_on() && without(execute).steps[1].status.word() == "done");
    assert!(without(done).is_executing() && without(done).steps[1].status.word() == "claimed");

    let mut off = situation("off").own.plan;
    assert_eq!(off.grants(), ["off"]);
    off.lapse(&["off"]);
    assert!(off.is_on() && off.grants().is_empty());
}

#[test]
fn p24_no_two_plans_are_approved_in_the_same_words() {
    let texts: [&[&str]; 6] = [&["a", "b"], &["a 1:b"], &["a", "b", "c"], &["a\nb"], &["ab"], &["b", "a"]];
    let mut seen: Vec<Vec<String>> = Vec::new();
    for texts in texts {
        let grants = executing(steps(texts)).own.plan.grants();
        assert_eq!(grants.len(), 1);
        assert!(!seen.contains(&grants), "{grants:?}");
        seen.push(grants);
    }
}

/// An event of a session that was written by hand changes nothing where it does not fit.
#[test]
fn p11_an_event_that_does_not_fit_changes_nothing() {
    let too_many = vec![Prose::parse("a step", "x").unwrap(); 101];
    let unfit = [
        Event::PlanSet { steps: vec![], source: PlanSource::Text },
        Event::PlanSet { steps: too_many, source: PlanSource::Message },
        Event::PlanStepClaimed { step: 0, note: None },
        Event::PlanStepClaimed { step: u32::MAX, note: None },
        Event::PlanStepSettled { step: 3, to: Settlement::Done },
    ];
    for event in unfit {
        let mut plan = situation("claimed").own.plan;
        plan.evolve(&agent(), at(), &event);
        assert_eq!(plan, situation("claimed").own.plan, "{event:?}");
    }
    let mut none = State::default();
    none.evolve(&Actor::Human, at(), &Event::PlanExecutionBegun);
    assert_eq!(none, State::default());
    let mut planned = situation("planned").own.plan;
    planned.evolve(&agent(), at(), &Event::PlanStepClaimed { step: 1, note: None });
    assert_eq!(planned, situation("planned").own.plan);
}

/// The sum of a plan's parts stays a small file.
#[test]
fn p11_a_plan_is_bounded() {
    let code = |texts: &[String]| match Steps::parse(texts) {
        Ok(steps) => steps.count().to_string(),
        Err(refusal) => refusal.to_string(),
    };
    let same = |text: &str, count: usize| vec![text.to_owned(); count];
    assert_eq!(code(&same("x", 100)), "100");
    for (texts, says) in [
        (same("x", 0), "no steps"),
        (same("x", 101), "101 steps, more than the 100"),
        (same(" \n", 1), "step 1 is empty"),
        (same(&"ä".repeat(2_001), 1), "step 1 has 2001 characters, more than the 2000"),
        (same(&"x".repeat(20_000), 1), "step 1 has 20000 characters, more than the 2000"),
        (same(&"x".repeat(2_000), 17), "34000 bytes as they are stored, more than the 32768"),
        (same(&format!("x{}x", "\u{1b}".repeat(1_998)), 2), "39964 bytes as they are stored"),
    ] {
        assert!(code(&texts).contains(says), "{says}: {}", code(&texts));
    }
    assert_eq!(code(&same(&"ä".repeat(2_000), 1)), "1");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p13_any_commands_end_in_events_or_refusals_and_the_replay_is_the_state(
        wishes in proptest::collection::vec((0..COMMANDS.len(), 0_usize..4), 0..40)
    ) {
        let start = Recorded {
            seq: 1,
            at: at(),
            by: Actor::Human,
            event: Happening::Started(Box::new(started(Approval::Person, true))),
        };
        let mut history = vec![start];
        let mut session = fresh();
        for (name, who) in wishes {
            let everybody = actors("any");
            let actor = &everybody[who];
            let wish = command(COMMANDS[name]);
            for one in recorded(&session, actor, &wish) {
                let ops = ["plan-execute", "plan-settle"];
                prop_assert!(*actor == Actor::Human || !ops.contains(&one.event.facets().op));
                prop_assert!(!one.event.facets().subject.is_empty());
                history.push(one);
            }
            session = recorded(&session, actor, &wish).iter().fold(session, Session::evolve);
            prop_assert_eq!(cell(&session, &Actor::Human, &command("on")) == "-", session.own.plan.is_on());
            let lifted = matches!(&session.phase, Phase::NoInterview { hold: Grip::Lifted { .. } });
            let State { mode, execution, .. } = &session.own.plan;
            prop_assert_eq!(lifted, *mode == Mode::Off || execution.is_some());
            // A grant never stands without a person's word in this history.
            let human = history.iter().any(|one| one.by == Actor::Human && one.seq > 1);
            prop_assert!(human || session.claims().is_empty());
        }
        prop_assert_eq!(Session::replay(&history), Some(session));
    }
}
