//! Whatever happens to a session, its history replays to what its newest tree says.

use git_grill::app::ports::{Appended, Batch, SessionStore};
use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::{Checkpoint, CheckpointSource};
use git_grill::domain::command::Ending;
use git_grill::domain::event::{Event, Recorded};
use git_grill::domain::extension::{self, ExtensionAnswer};
use git_grill::domain::facts::{Evidence, Finding, RepoFacts};
use git_grill::domain::ids::{AnswerId, ObjectId, QuestionId, SessionId};
use git_grill::domain::interview::{Answer, AnswerKind, Event as Talked};
use git_grill::domain::plan::cited::KeptDecision;
use git_grill::domain::plan::derived::{Backed, Backing, FileMark};
use git_grill::domain::plan::notes::StepNote;
use git_grill::domain::plan::{self, PlanSource, Settlement};
use git_grill::domain::production::{Draft, Event as Produced, Origin, Plan, PlannedOutput, TargetPath};
use git_grill::domain::purpose::Purpose;
use git_grill::domain::question::{Alternatives, Form, Question, RawAlternative};
use git_grill::domain::selection::{Findings, Gate, Request, Wanted};
use git_grill::domain::session::{Phase, Session};
use git_grill::domain::settings::{Intent, Setting};
use git_grill::domain::text::{Line, Prose};
use git_grill::domain::ui::Name;
use git_grill::store::git::GitStore;
use proptest::prelude::*;

use super::bench::*;

/// One step: which event, a number to choose with, a text, and whether the commit ends here.
type Step = (u8, u64, String, bool);

fn prose(text: &str) -> Prose {
    Prose::parse("it", text).unwrap_or_else(|_| Prose::parse("it", "no").unwrap())
}

fn line(text: &str) -> Line {
    Line::parse("it", text).unwrap_or_else(|_| Line::parse("it", "~").unwrap())
}

fn pick<T>(list: &[T], n: u64) -> Option<&T> {
    let length = u64::try_from(list.len()).unwrap();
    (length > 0).then(|| &list[usize::try_from(n % length).unwrap()])
}

fn alternatives(text: &str) -> Alternatives {
    let raw = |value: String| RawAlternative {
        label: value.clone(),
        value,
        description: text.to_owned(),
        recommended: false,
    };
    Alternatives::parse(&[raw(format!("a {text}")), raw(format!("b {text}"))]).unwrap()
}

fn gate(text: &str) -> Gate {
    Gate {
        rationale: prose(text),
        recommended_outputs: vec!["custom:a poster".parse().unwrap()],
        recommended_strategy: None,
        question: prose(text),
        alternatives: alternatives(text),
        findings: Findings::default(),
    }
}

fn plan(paths: &[&str]) -> Plan {
    Plan {
        outputs: vec![PlannedOutput {
            destination: "adr".parse().unwrap(),
            strategy: "custom:my own".parse().unwrap(),
            paths: paths.iter().map(|path| TargetPath::parse(path).unwrap()).collect(),
            tracker: None,
        }],
        prose: Some(prose("all of it\n\nlater")),
        permitted: Vec::new(),
    }
}

fn event(session: &Session, store: &GitStore, serial: u64, step: &Step) -> Event {
    let (kind, n, text, _) = step;
    let asked = &session.transcript.asked;
    let some = pick(asked, *n).map_or(QuestionId::from_nonce(99_999), |one| one.question.id.clone());
    match kind % 20 {
        0 | 1 => Talked::QuestionAsked {
            question: Box::new(Question {
                id: QuestionId::from_nonce(serial),
                form: if n % 3 == 0 { Form::MultiSelect } else { Form::Grill },
                text: prose(text),
                dimension: line(text),
                probe: None,
                why: None,
                alternatives: alternatives(text),
                evidence: Vec::new(),
                builds_on: pick(asked, *n).map(|one| one.question.id.clone()).into_iter().collect(),
                purpose: (n % 2 == 0).then_some(Purpose::Challenge),
            }),
            unchanged: (n % 2 == 0).then(|| line(text)),
        }
        .into(),
        2..=4 => Talked::QuestionAnswered { answer: Box::new(answer(session, serial, *n, text, some)) }.into(),
        5 => Talked::QuestionDeferred { question: some }.into(),
        6 => Talked::QuestionPushedBack { question: some, because: prose(text) }.into(),
        7 => Talked::WentBack { to: some }.into(),
        8 => Talked::DiscussionOpened { about: (n % 2 == 0).then_some(some) }.into(),
        9 => Talked::DiscussionEnded { summary: prose(text) }.into(),
        10 | 11 => Talked::CheckpointUpdated {
            checkpoint: Checkpoint::parse(text).unwrap_or_else(|_| Checkpoint::parse("# S").unwrap()),
            summary: line(text),
            source: CheckpointSource::Tool,
            merged: n % 2 == 0,
        }
        .into(),
        12 => Event::SettingChanged {
            setting: match n % 2 {
                0 => Setting::Intent(Intent::Learn),
                _ => Setting::OutputPreference(vec!["adr".parse().unwrap()]),
            },
        },
        13 => Talked::EvidenceRecorded { facts: Box::new(facts(text)) }.into(),
        14 => Produced::SelectionOpened { gate: Box::new(gate(text)) }.into(),
        15 => match &session.phase {
            Phase::Selection(_) if n % 3 > 0 => {
                Produced::OutputsSelected { plan: plan(&["docs/a b.md", "docs"]) }.into()
            }
            Phase::Selection(_) => Produced::ApprovalRequested {
                request: Request {
                    wanted: if n % 2 == 0 {
                        Wanted::Outputs(plan(&["x"]))
                    } else {
                        Wanted::Stop { summary: Some(line(text)) }
                    },
                    by: Actor::Agent("codex".to_owned()),
                },
            }
            .into(),
            Phase::Production(_) => Produced::ProductionFinished { summary: None }.into(),
            Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
                Produced::OutputsSelected { plan: plan(&["docs"]) }.into()
            }
        },
        16 => draft(session, store, *n, text),
        17 if n.is_multiple_of(7) => of_an_extension(*n, text),
        17 => of_a_plan(*n, text),
        _ => match &session.phase {
            Phase::Production(production) if !production.drafts.is_empty() => {
                let draft = &pick(&production.drafts, *n).unwrap().draft;
                let (target, blob) = (draft.target.clone(), draft.blob.clone());
                match target.path().cloned().filter(|_| n % 2 == 1) {
                    Some(path) => Produced::FileWritten { path, blob }.into(),
                    None => Produced::DraftApproved { target, blob }.into(),
                }
            }
            Phase::Production(_)
            | Phase::Interview(_)
            | Phase::Selection(_)
            | Phase::NoInterview { .. }
            | Phase::Closed { .. } => {
                if n % 5 == 0 {
                    Event::Closed { ending: Ending::WithoutOutput, summary: Some(line(text)) }
                } else {
                    Produced::FileWritten {
                        path: TargetPath::parse("x").unwrap(),
                        blob: ObjectId::parse("abcd").unwrap(),
                    }
                    .into()
                }
            }
        },
    }
}

fn answer(session: &Session, serial: u64, n: u64, text: &str, question: QuestionId) -> Answer {
    let held = session.transcript.get(&question);
    let supersedes = held.map(|one| one.holding().map(|held| held.id.clone()).collect()).unwrap_or_default();
    Answer {
        id: AnswerId::from_nonce(serial),
        question,
        kind: if n.is_multiple_of(3) { AnswerKind::Unknown } else { AnswerKind::Own },
        text: prose(text),
        note: (n.is_multiple_of(2)).then(|| prose(text)),
        by: Actor::Unattended,
        at: at(session.seq / 3),
        read_ms: None,
        chosen: if n.is_multiple_of(5) { vec![1, 2] } else { vec![] },
        supersedes,
    }
}

fn facts(text: &str) -> RepoFacts {
    let at = Evidence { path: text.to_owned(), lines: Some((1, 2)), blob: None };
    let readme = Some(Finding { what: text.to_owned(), at });
    RepoFacts { looked: true, name: text.to_owned(), readme, ..RepoFacts::default() }
}

fn of_a_plan(n: u64, text: &str) -> Event {
    let step = u32::try_from(n % 4).unwrap();
    let to = [Settlement::Done, Settlement::Skipped, Settlement::Pending];
    let event = match n % 8 {
        0 => plan::Event::PlanModeSet { mode: if n.is_multiple_of(4) { plan::Mode::On } else { plan::Mode::Off } },
        1 | 2 => plan::Event::PlanSet {
            steps: vec![prose(text), prose("call `it`\nin main")],
            source: match n % 4 {
                1 => PlanSource::Text,
                2 => PlanSource::Tool { name: line(text) },
                _ => PlanSource::Session {
                    id: SessionId::parse("20261121-a-bcdef").unwrap(),
                    output: n.is_multiple_of(3).then(|| TargetPath::parse("docs/plans/a b.md").unwrap()),
                    decisions: vec![KeptDecision {
                        number: step,
                        id: QuestionId::from_nonce(n),
                        question: line(text),
                        answer: line(text),
                    }],
                },
            },
        },
        3 => plan::Event::PlanExecutionBegun,
        4 => plan::Event::PlanStepClaimed { step, note: (n % 8 == 4).then(|| line(text)) },
        5 => plan::Event::PlanReviewed { notes: vec![StepNote { step, text: prose(text) }] },
        6 => plan::Event::PlanStepsBacked { steps: vec![Backed { step, backing: backing(n, text) }] },
        _ => plan::Event::PlanStepSettled { step, to: *pick(&to, n).unwrap() },
    };
    event.into()
}

fn of_an_extension(n: u64, text: &str) -> Event {
    let answer = ExtensionAnswer {
        extension: Name::parse("an extension", "limits").unwrap(),
        question: prose(text),
        answer: vec![prose("SQLite"), prose(text)],
        note: n.is_multiple_of(2).then(|| prose(text)),
        other: n.is_multiple_of(3),
    };
    extension::Event::ExtensionAnswered(Box::new(answer)).into()
}

fn backing(n: u64, text: &str) -> Backing {
    let mark = if n.is_multiple_of(3) { FileMark::nothing() } else { FileMark::of(0o100_644, "e69de29") };
    let checks = if n.is_multiple_of(2) { vec![line(text)] } else { vec![] };
    Backing { checks, files: [(format!("src/it's: #{n}.rs"), mark)].into() }
}

/// A draft at a path that no other draft's path leads through, until the other one is gone.
fn draft(session: &Session, store: &GitStore, n: u64, text: &str) -> Event {
    let docs = |wanted: bool| match &session.phase {
        Phase::Production(production) => production
            .drafts
            .iter()
            .map(|one| one.draft.target.to_string())
            .any(|name| (name == "docs") == wanted && name.starts_with("docs")),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => false,
    };
    let path = match n % 3 {
        0 if !docs(true) => "docs/a b.md",
        1 if !docs(false) => "docs",
        _ => "README.md",
    };
    let content = format!("{text}{n}");
    let replaced = (!n.is_multiple_of(3)).then(|| format!("before {text}"));
    Produced::DraftSubmitted {
        draft: Box::new(Draft {
            target: path.parse().unwrap(),
            destination: "adr".parse().unwrap(),
            blob: store.blob_id(content.as_bytes()).unwrap(),
            replaces: replaced.as_ref().map(|text| store.blob_id(text.as_bytes()).unwrap()),
            origin: Origin::HandedIn,
            content,
            replaced,
        }),
    }
    .into()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z#:' \\-\\[\\]\n\"&*!|>%@`\t]{0,30}",
        Just("no".to_owned()),
        Just("1\n\n  two\n".to_owned()),
    ]
}

/// Half of the histories go to the output phase early and stay there for a while.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<u64>(), text(), any::<bool>());
    (any::<bool>(), proptest::collection::vec(step, 1..25)).prop_map(|(outputs, steps)| {
        if !outputs {
            return steps;
        }
        let first = [14, 15, 16].map(|kind| (kind, 4, "no".to_owned(), true));
        let stay = |kind: u8| if kind > 60 { 15 + kind % 3 } else { kind };
        let rest = steps.into_iter().map(|(kind, n, text, end)| (stay(kind), n, text, end));
        first.into_iter().chain(rest).collect()
    })
}

#[test]
fn history_replays_to_the_stored_state() {
    let bench = Bench::new();
    let case = std::cell::Cell::new(0);
    let config = ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() };
    proptest::test_runner::TestRunner::new(config)
        .run(&steps(), |steps| {
            case.set(case.get() + 1);
            one_history(&bench, &session_id(case.get()), &steps)
        })
        .unwrap();
    assert_eq!(bench.git(&["fsck", "--strict", "--no-dangling"]).trim(), "");
}

fn one_history(bench: &Bench, id: &SessionId, steps: &[Step]) -> Result<(), TestCaseError> {
    let store = bench.store();
    let (mut state, mut head) = begin(&store, id);
    let mut all = vec![started(id)];
    let mut batch: Vec<Recorded> = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let serial = u64::try_from(place).unwrap();
        let actors = [Actor::Human, Actor::System, Actor::Agent("c\u{1b} <d>".to_owned())];
        let by = actors[place % 3].clone();
        let one = recorded(state.seq + 1, by, event(&state, &store, serial, step));
        state = state.evolve(&one);
        batch.push(one);
        if step.3 || place + 1 == steps.len() {
            let written = Batch { events: &batch, after: &state, base: None };
            // Every other append starts from what it reads itself.
            let fresh = bench.store();
            let writer = if place % 2 == 0 { &store } else { &fresh };
            match writer.append(&head, written).unwrap() {
                Appended::At(new) => head = new,
                Appended::Moved => panic!("nobody else is there"),
            }
            all.append(&mut batch);
            prop_assert_eq!(&bench.store().load(id).unwrap().session, &state);
        }
    }
    let history = bench.store().history(id).unwrap();
    prop_assert_eq!(&history, &all);
    prop_assert_eq!(Session::replay(&history), Some(state));
    Ok(())
}
