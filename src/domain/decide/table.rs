//! Every (situation, command, actor) and what it comes to, as data (`fixtures/domain/decisions.tsv`). Proves G4, G17,
//! G24 to G34, G40, G46, Q12 and Q13 row by row: each cell is the operations that are recorded, `-` for nothing to do,
//! or `!` and a refusal's code.

use std::fmt::Write as _;

use super::decide;
use super::staged::{after, alternatives, at, fresh, gate, line, prose};
use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::citations::{Fate, Rechecked, Seen};
use crate::domain::command::{Command, Ending, Reply};
use crate::domain::facts::{Evidence, RepoFacts};
use crate::domain::ids::{AnswerId, ObjectId, QuestionId};
use crate::domain::interview::Command as Talk;
use crate::domain::outside::OutsideChange;
use crate::domain::production::{Command as Produce, Draft, Origin, Plan, PlannedOutput, TargetPath};
use crate::domain::question::{Form, Question};
use crate::domain::selection::{Request, Wanted};
use crate::domain::server_question::{ServerOutcome, ServerQuestion};
use crate::domain::session::Session;
use crate::domain::settings::{
    Approval, Catalogued, CataloguedStrategy, Destination, Intensity, Research, Setting, Strategy,
};

const TABLE: &str = include_str!("../../../fixtures/domain/decisions.tsv");

pub(super) fn question(nonce: u64) -> Question {
    Question {
        id: QuestionId::from_nonce(nonce),
        form: Form::Grill,
        text: prose("What is it for?"),
        dimension: line("objective"),
        // The built-in interviewer's; what an agent asks through a tool is told apart in `questions`.
        probe: Some("a-probe".to_owned()),
        why: None,
        alternatives: alternatives(),
        evidence: if nonce == 1 { vec![cited()] } else { vec![] },
        builds_on: if nonce == 2 { vec![QuestionId::from_nonce(1)] } else { vec![] },
        purpose: None,
    }
}

/// The place that the first question names.
fn cited() -> Evidence {
    Evidence { path: "src/main.rs".to_owned(), lines: Some((1, 1)), blob: Some(blob("a")) }
}

fn rechecked(fate: Fate) -> Rechecked {
    Rechecked { at: cited(), fate, seen: Seen::Head, now: Some(blob("b")) }
}

fn path(text: &str) -> TargetPath {
    TargetPath::parse(text).unwrap()
}

fn plan() -> Plan {
    Plan {
        outputs: vec![PlannedOutput {
            destination: Destination::Known(Catalogued::DesignDoc),
            strategy: Strategy::Known(CataloguedStrategy::VerticalSlices),
            paths: vec![path("docs/design.md")],
            tracker: None,
        }],
        prose: None,
        permitted: Vec::new(),
    }
}

/// Two outputs whose files are one where upper and lower case count alike.
fn same_file() -> Plan {
    let mut twice = plan();
    let summary = Destination::Known(Catalogued::Summary);
    twice.outputs.push(PlannedOutput {
        destination: summary,
        paths: vec![path("docs/Design.md")],
        ..twice.outputs[0].clone()
    });
    twice
}

fn blob(digit: &str) -> ObjectId {
    ObjectId::parse(&digit.repeat(40)).unwrap()
}

fn draft(digit: &str) -> Draft {
    Draft {
        target: path("docs/design.md").into(),
        destination: Destination::Known(Catalogued::DesignDoc),
        blob: blob(digit),
        replaces: None,
        origin: Origin::Generated,
        content: "text".to_owned(),
        replaced: None,
    }
}

fn outside() -> OutsideChange {
    OutsideChange { path: path("docs/design.md"), was: None, blob: Some(blob("d")), commits: vec![], round: 0 }
}

fn answer(nonce: u64) -> Command {
    Talk::Answer {
        question: QuestionId::from_nonce(nonce),
        id: AnswerId::from_nonce(nonce),
        reply: Reply::Text(prose("yes")),
        note: None,
    }
    .into()
}

fn ask(nonce: u64) -> Command {
    Talk::Ask { question: Box::new(question(nonce)), unchanged: None }.into()
}

/// The columns: situations that a session can be in.
fn situations(approval: Approval) -> Vec<(&'static str, Session)> {
    let human = Actor::Human;
    let system = Actor::System;
    let agent = Actor::Agent("claude".to_owned());
    let free = fresh(approval);
    let open = after(free.clone(), &system, &ask(1));
    let answered = after(open.clone(), &human, &answer(1));
    let talking = after(open.clone(), &human, &Talk::Discuss.into());
    let gate_open = after(free.clone(), &system, &Produce::OpenSelection(Box::new(gate())).into());
    let mut requested = gate_open.clone();
    if approval == Approval::Person {
        requested = after(requested, &agent, &Produce::SelectOutputs(plan()).into());
    }
    let chosen = after(gate_open.clone(), &human, &Produce::SelectOutputs(plan()).into());
    let drafted = after(chosen.clone(), &system, &Produce::SubmitDraft(Box::new(draft("a"))).into());
    let approve: Command = Produce::ApproveDraft { target: path("docs/design.md").into(), blob: blob("a") }.into();
    let approved = after(drafted.clone(), &human, &approve);
    let write: Command = Produce::RecordWritten { path: path("docs/design.md"), blob: blob("a") }.into();
    let written = after(approved.clone(), &system, &write);
    let finished = after(written.clone(), &human, &Produce::FinishProduction { summary: None }.into());
    let closed = after(free.clone(), &human, &Command::Stop { ending: Ending::WithoutOutput, summary: None });
    vec![
        ("free", free),
        ("question", open),
        ("answered", answered),
        ("discussion", talking),
        ("selection", gate_open),
        ("requested", requested),
        ("chosen", chosen),
        ("drafted", drafted),
        ("approved", approved),
        ("written", written),
        ("finished", finished),
        ("closed", closed),
    ]
}

/// A yes to what an agent asked for with this plan.
fn grant(plan: Plan) -> Command {
    let wanted = Wanted::Outputs(plan);
    Produce::GrantRequest { shown: Box::new(Request { wanted, by: Actor::Agent("claude".to_owned()) }) }.into()
}

/// The rows: every command, in forms that can fit the situations above.
fn commands() -> Vec<(&'static str, Command)> {
    let first = || QuestionId::from_nonce(1);
    vec![
        ("ask", ask(2)),
        ("ask-unchanged", Talk::Ask { question: Box::new(question(2)), unchanged: Some(line("nothing new")) }.into()),
        ("ask-twice", ask(1)),
        ("reopen", Talk::Reopen { question: Box::new(question(1)) }.into()),
        ("answer", answer(1)),
        ("answer-other", answer(9)),
        (
            "unknown",
            Talk::Answer { question: first(), id: AnswerId::from_nonce(3), reply: Reply::Unknown, note: None }.into(),
        ),
        ("defer", Talk::Defer { question: first() }.into()),
        ("push-back", Talk::PushBack { question: first(), because: prose("wrong premise") }.into()),
        ("discuss", Talk::Discuss.into()),
        (
            "end-discussion",
            Talk::EndDiscussion { summary: prose("it is for us"), answer: AnswerId::from_nonce(4) }.into(),
        ),
        ("tell", Talk::Tell { question: first() }.into()),
        ("back", Talk::Back { to: first() }.into()),
        ("back-nowhere", Talk::Back { to: QuestionId::from_nonce(9) }.into()),
        (
            "checkpoint",
            Talk::UpdateCheckpoint {
                checkpoint: Checkpoint::parse("# New").unwrap(),
                base: fresh(Approval::Person).checkpoint,
                summary: line("new"),
                source: CheckpointSource::Tool,
                answer: None,
            }
            .into(),
        ),
        ("configure", Command::Configure(Setting::Intensity(Intensity::Hard))),
        ("configure-same", Command::Configure(Setting::Intensity(Intensity::Standard))),
        ("evidence", Talk::RecordEvidence(Box::new(RepoFacts { looked: true, ..RepoFacts::default() })).into()),
        ("citations", Talk::RecordCitations(vec![rechecked(Fate::Changed)]).into()),
        ("citations-none", Talk::RecordCitations(vec![]).into()),
        ("server-declined", ServerQuestion::command(ServerOutcome::Declined)),
        ("server-unasked", ServerQuestion::command(ServerOutcome::Unasked)),
        ("open-selection", Produce::OpenSelection(Box::new(gate())).into()),
        ("continue", Produce::ContinueInterview { summary: None }.into()),
        ("select", Produce::SelectOutputs(plan()).into()),
        ("select-nothing", Produce::SelectOutputs(Plan { outputs: vec![], prose: None, permitted: Vec::new() }).into()),
        ("select-same-file", Produce::SelectOutputs(same_file()).into()),
        ("grant", grant(plan())),
        ("grant-swapped", grant(Plan { prose: Some(prose("what was shown")), ..plan() })),
        ("draft", Produce::SubmitDraft(Box::new(draft("a"))).into()),
        ("draft-new", Produce::SubmitDraft(Box::new(draft("b"))).into()),
        (
            "draft-elsewhere",
            Produce::SubmitDraft(Box::new(Draft { target: path("src/main.rs").into(), ..draft("a") })).into(),
        ),
        ("approve", Produce::ApproveDraft { target: path("docs/design.md").into(), blob: blob("a") }.into()),
        ("approve-stale", Produce::ApproveDraft { target: path("docs/design.md").into(), blob: blob("c") }.into()),
        ("written", Produce::RecordWritten { path: path("docs/design.md"), blob: blob("a") }.into()),
        ("outside", Produce::RecordOutside(vec![outside()]).into()),
        ("outside-none", Produce::RecordOutside(vec![]).into()),
        ("committed", Produce::RecordCommitted { commit: blob("c"), paths: vec![path("docs/design.md")] }.into()),
        ("finish", Produce::FinishProduction { summary: None }.into()),
        ("stop", Command::Stop { ending: Ending::WithoutOutput, summary: None }),
        ("stop-after", Command::Stop { ending: Ending::AfterOutputs, summary: None }),
    ]
}

fn actors() -> [(&'static str, Actor); 4] {
    [
        ("human", Actor::Human),
        ("unattended", Actor::Unattended),
        ("agent", Actor::Agent("claude".to_owned())),
        ("system", Actor::System),
    ]
}

pub(super) fn cell(session: &Session, actor: &Actor, command: &Command) -> String {
    match decide(session, actor, at(), command) {
        Ok(events) if events.is_empty() => "-".to_owned(),
        Ok(events) => events.iter().map(|event| event.facets().op).collect::<Vec<_>>().join("+"),
        Err(refusal) => {
            assert!(!refusal.hint().is_empty() && !refusal.to_string().is_empty(), "{refusal:?}");
            format!("!{}", refusal.code())
        }
    }
}

fn computed() -> String {
    let mut table = String::new();
    for approval in [Approval::Person, Approval::Script, Approval::Agent] {
        let columns = situations(approval);
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let _ = writeln!(table, "approval {approval}\tactor\t{}", names.join("\t"));
        for (name, command) in commands() {
            // The approval mode changes only what an approval takes.
            let deciding = ["select", "grant", "grant-swapped", "approve", "approve-stale", "stop", "stop-after"];
            if approval != Approval::Person && !deciding.contains(&name) {
                continue;
            }
            for (who, actor) in actors() {
                let cells: Vec<String> = columns.iter().map(|(_, session)| cell(session, &actor, &command)).collect();
                let _ = writeln!(table, "{name}\t{who}\t{}", cells.join("\t"));
            }
        }
    }
    table
}

#[test]
fn every_situation_command_and_actor_comes_to_what_the_table_says() {
    let computed = computed();
    let mut wrong = String::new();
    for (ours, theirs) in computed.lines().zip(TABLE.lines().chain(std::iter::repeat("(no such row)"))) {
        if ours != theirs {
            let _ = writeln!(wrong, "computed {ours}\ntable    {theirs}");
        }
    }
    assert!(wrong.is_empty() && computed.lines().count() == TABLE.lines().count(), "{wrong}\n{computed}");
}

/// G30, G40: whatever a session's situation, without a person and without a recorded mode nobody opens the output phase
/// or approves a draft.
#[test]
fn g30_only_a_person_opens_the_output_phase() {
    for (situation, session) in situations(Approval::Person) {
        for (name, command) in commands() {
            for (who, actor) in actors() {
                if actor == Actor::Human {
                    continue;
                }
                let ops: Vec<&str> = decide(&session, &actor, at(), &command)
                    .unwrap_or_default()
                    .iter()
                    .map(|event| event.facets().op)
                    .collect();
                let decided = ops.iter().any(|op| ["outputs", "approve"].contains(op));
                assert!(!decided, "{situation}: {name} by {who} came to {ops:?}");
            }
        }
    }
}

/// G15: the same change again is nothing new, an answer that is given with it in view holds until the place changes once
/// more, and where nothing may be looked at nothing is recorded.
#[test]
fn g15_a_change_is_recorded_once_and_an_answer_in_its_view_holds() {
    let (human, system) = (Actor::Human, Actor::System);
    let found = |fate: Fate| Command::from(Talk::RecordCitations(vec![rechecked(fate)]));
    let answered = after(after(fresh(Approval::Person), &system, &ask(1)), &human, &answer(1));
    assert_eq!(answered.cited(), [cited()]);
    let doubted = after(answered, &system, &found(Fate::Changed));
    assert_eq!(doubted.doubted().len(), 1);
    assert_eq!(cell(&doubted, &system, &found(Fate::Changed)), "-");
    let moved = after(doubted.clone(), &system, &found(Fate::Moved { to: (7, 7) }));
    assert!(moved.doubted().is_empty() && moved.citations.len() == 1);

    let asked_again = after(doubted, &human, &Talk::Back { to: QuestionId::from_nonce(1) }.into());
    let again: Command = Talk::Answer {
        question: QuestionId::from_nonce(1),
        id: AnswerId::from_nonce(7),
        reply: Reply::Text(prose("yes")),
        note: None,
    }
    .into();
    let confirmed = after(asked_again, &human, &again);
    assert!(confirmed.doubted().is_empty());
    assert_eq!(cell(&confirmed, &system, &found(Fate::Changed)), "-", "the same change is known");
    let gone = after(confirmed.clone(), &system, &found(Fate::Gone));
    assert_eq!(gone.doubted().len(), 1, "another change is not");
    assert!(after(gone, &system, &Talk::RecordCitations(vec![]).into()).citations.is_empty());

    let off = after(confirmed, &human, &Command::Configure(Setting::Research(Research::Off)));
    assert!(off.cited().is_empty());
    assert_eq!(cell(&off, &system, &Talk::RecordCitations(vec![]).into()), "-", "what was known stays known");
}

/// An answer that took the id of an earlier one would supersede itself, and neither would hold.
#[test]
fn an_answer_id_is_taken_once() {
    let human = Actor::Human;
    let back: Command = Talk::Back { to: QuestionId::from_nonce(1) }.into();
    let answered = after(after(fresh(Approval::Person), &Actor::System, &ask(1)), &human, &answer(1));
    let asked_again = after(answered, &human, &back);
    assert_eq!(cell(&asked_again, &human, &answer(1)), "!answer_exists");
    assert_eq!(asked_again.transcript.asked[0].holding().count(), 1);
}

/// G34: a written file stays on record when another draft for its path comes in and is never approved.
#[test]
fn g34_what_was_written_stays_on_record() {
    let human = Actor::Human;
    let situations = situations(Approval::Person);
    let (_, written) = situations.into_iter().find(|(name, _)| *name == "written").unwrap();
    let redrafted = after(written, &human, &Produce::SubmitDraft(Box::new(draft("b"))).into());
    let stop = Command::Stop { ending: Ending::AfterOutputs, summary: None };
    assert_eq!(cell(&redrafted, &human, &stop), "close");
    let closed = after(redrafted, &human, &stop);
    let on_record: Vec<&str> = closed.produced.iter().map(|one| one.blob.as_str()).collect();
    assert_eq!(on_record, [blob("a").as_str()]);
}
