//! Wishes: raw numbers and a text that become a command for a session, whether or not one can fit its phase.

use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::{Checkpoint, CheckpointSource};
use git_grill::domain::command::{Command, Ending};
use git_grill::domain::event::Started;
use git_grill::domain::ids::{AnswerId, ObjectId, QuestionId, SessionId};
use git_grill::domain::interview::Command as Talk;
use git_grill::domain::production::{Command as Produce, Draft, Origin, Plan, PlannedOutput, Target, TargetPath};
use git_grill::domain::question::{Alternatives, Question, RawAlternative};
use git_grill::domain::selection::{Findings, Gate};
use git_grill::domain::session::{Floor, Phase, Session};
use git_grill::domain::settings::{Approval, Intensity, Intent, Interviewer, Research, Setting, Settings};
use git_grill::domain::text::Topic;
use jiff::Timestamp;
use proptest::prelude::*;

use super::drifted::{facts, place, rechecked, verification};
use super::texts::{form, line, prose, reply, shown, summed_up, text};

/// Whether a command is chosen among those that fit the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    Fitting,
    Anything,
}

/// One wish, before it knows the session.
#[derive(Clone, Debug)]
pub struct Wish {
    pub aim: Aim,
    pub kind: usize,
    pub n: u64,
    pub text: String,
    pub actor: Actor,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Ask,
    Reopen,
    Answer,
    Defer,
    PushBack,
    Discuss,
    EndDiscussion,
    Tell,
    Back,
    UpdateCheckpoint,
    Configure,
    RecordEvidence,
    OpenSelection,
    ContinueInterview,
    SelectOutputs,
    GrantRequest,
    SubmitDraft,
    ApproveDraft,
    RecordWritten,
    RecordUndone,
    RecordVerification,
    RecordCitations,
    FinishProduction,
    Stop,
}

const ALL: &[Kind] = &[
    Kind::Ask,
    Kind::Reopen,
    Kind::Answer,
    Kind::Defer,
    Kind::PushBack,
    Kind::Discuss,
    Kind::EndDiscussion,
    Kind::Tell,
    Kind::Back,
    Kind::UpdateCheckpoint,
    Kind::Configure,
    Kind::RecordEvidence,
    Kind::OpenSelection,
    Kind::ContinueInterview,
    Kind::SelectOutputs,
    Kind::GrantRequest,
    Kind::SubmitDraft,
    Kind::ApproveDraft,
    Kind::RecordWritten,
    Kind::RecordUndone,
    Kind::RecordVerification,
    Kind::RecordCitations,
    Kind::FinishProduction,
    Kind::Stop,
];

/// What leads on from a phase; repetitions are weights.
fn fitting(phase: &Phase) -> &'static [Kind] {
    match phase {
        Phase::Interview(Floor::Free) => &[
            Kind::Ask,
            Kind::Ask,
            Kind::Ask,
            Kind::Reopen,
            Kind::Reopen,
            Kind::Tell,
            Kind::Back,
            Kind::UpdateCheckpoint,
            Kind::RecordEvidence,
            Kind::RecordCitations,
            Kind::Configure,
            Kind::OpenSelection,
        ],
        Phase::Interview(Floor::Question { .. }) => &[
            Kind::Answer,
            Kind::Answer,
            Kind::Answer,
            Kind::Answer,
            Kind::Defer,
            Kind::PushBack,
            Kind::Discuss,
            Kind::Back,
            Kind::OpenSelection,
        ],
        Phase::Interview(Floor::Discussion { .. }) => &[Kind::EndDiscussion, Kind::UpdateCheckpoint],
        Phase::Selection(_) => {
            &[Kind::SelectOutputs, Kind::SelectOutputs, Kind::GrantRequest, Kind::Back, Kind::ContinueInterview]
        }
        Phase::Production(_) => &[
            Kind::SubmitDraft,
            Kind::SubmitDraft,
            Kind::SubmitDraft,
            Kind::ApproveDraft,
            Kind::ApproveDraft,
            Kind::ApproveDraft,
            Kind::ApproveDraft,
            Kind::RecordWritten,
            Kind::RecordWritten,
            Kind::RecordWritten,
            Kind::RecordWritten,
            Kind::RecordUndone,
            Kind::FinishProduction,
        ],
        Phase::NoInterview { .. } | Phase::Closed { .. } => ALL,
    }
}

pub fn actor() -> impl Strategy<Value = Actor> {
    prop_oneof![
        4 => Just(Actor::Human),
        2 => Just(Actor::Unattended),
        2 => Just(Actor::Agent("claude".to_owned())),
        1 => Just(Actor::Agent("c\u{1b} <d>\nGrill-Op: close".to_owned())),
        4 => Just(Actor::System),
    ]
}

pub fn wish() -> impl Strategy<Value = Wish> {
    let aim = prop_oneof![3 => Just(Aim::Fitting), 1 => Just(Aim::Anything)];
    (aim, any::<usize>(), any::<u64>(), text(), actor()).prop_map(|(aim, kind, n, text, actor)| Wish {
        aim,
        kind,
        n,
        text,
        actor,
    })
}

pub fn wishes(most: usize) -> impl Strategy<Value = Vec<Wish>> {
    proptest::collection::vec(wish(), 1..most)
}

pub fn settings() -> impl Strategy<Value = Settings> {
    let interviewer = prop_oneof![Just(Interviewer::BuiltIn), Just(Interviewer::Agent("claude".to_owned()))];
    (
        proptest::sample::select(Intent::ALL),
        proptest::sample::select(Intensity::ALL),
        proptest::sample::select(Approval::ALL),
        interviewer,
    )
        .prop_map(|(intent, intensity, approval, interviewer)| Settings {
            intent,
            intensity,
            research: Research::Auto,
            output_preference: Vec::new(),
            interviewer,
            approval,
        })
}

pub fn at(n: u64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + i64::try_from(n).unwrap()).unwrap()
}

pub fn started(settings: Settings) -> Started {
    let topic = Topic::parse("rate limiting: yes or no?").unwrap();
    Started {
        id: SessionId::new(&topic, at(0), 1),
        topic,
        settings,
        base: None,
        branch: Some("main".to_owned()),
        reported: None,
        no_interview: false,
    }
}

pub fn blob(content: &str) -> ObjectId {
    ObjectId::parse(&git2::Oid::hash_object(git2::ObjectType::Blob, content.as_bytes()).unwrap().to_string()).unwrap()
}

fn pick<T>(list: &[T], n: u64) -> Option<&T> {
    let length = u64::try_from(list.len()).unwrap();
    (length > 0).then(|| &list[usize::try_from(n % length).unwrap()])
}

const PATHS: &[&str] = &["docs/a b.md", "docs/ü.md", "README.md"];

fn path(n: u64) -> TargetPath {
    TargetPath::parse(pick(PATHS, n).unwrap()).unwrap()
}

pub fn alternatives(text: &str) -> Alternatives {
    let raw = |value: &str, recommended| RawAlternative {
        label: value.to_owned(),
        value: value.to_owned(),
        description: line(text).as_str().to_owned(),
        recommended,
    };
    Alternatives::parse(&[raw("yes", true), raw("no, never", false)]).unwrap()
}

fn gate(text: &str) -> Gate {
    Gate {
        rationale: prose(text),
        recommended_outputs: vec!["design-doc".parse().unwrap()],
        recommended_strategy: None,
        question: prose(text),
        alternatives: alternatives(text),
        findings: Findings::default(),
    }
}

fn plan(n: u64, text: &str) -> Plan {
    let outputs = (0..n % 3)
        .map(|place| PlannedOutput {
            destination: "design-doc".parse().unwrap(),
            strategy: "vertical-slices".parse().unwrap(),
            paths: vec![path(n / 3 + place)],
            tracker: None,
        })
        .collect();
    Plan { outputs, prose: n.is_multiple_of(2).then(|| prose(text)), permitted: Vec::new() }
}

impl Wish {
    /// The command in the light of a session; `serial` makes new ids new.
    pub fn command(&self, session: &Session, serial: u64) -> Command {
        let menu = match self.aim {
            Aim::Fitting => fitting(&session.phase),
            Aim::Anything => ALL,
        };
        self.of_kind(menu[self.kind % menu.len()], session, serial)
    }

    /// Mostly the open question, else any that was asked, now and then one that nobody knows.
    fn question(&self, session: &Session) -> QuestionId {
        let open = session.open_question().filter(|_| !self.n.is_multiple_of(7));
        let any = pick(&session.transcript.asked, self.n / 8).filter(|_| !self.n.is_multiple_of(11));
        open.or(any).map_or_else(|| QuestionId::from_nonce(self.n), |asked| asked.question.id.clone())
    }

    /// A new answer id, now and then one that is taken.
    fn answer(&self, session: &Session, serial: u64) -> AnswerId {
        let answers: Vec<&AnswerId> =
            session.transcript.asked.iter().flat_map(|asked| &asked.answers).map(|answer| &answer.id).collect();
        match pick(&answers, self.n / 16) {
            Some(taken) if self.n.is_multiple_of(13) => (*taken).clone(),
            Some(_) | None => AnswerId::from_nonce(serial),
        }
    }

    /// Mostly a draft that is there, as it is; else a path and bytes of our own.
    fn draft(&self, session: &Session) -> (Target, ObjectId) {
        if let Phase::Production(production) = &session.phase
            && let Some(drafted) = pick(&production.drafts, self.n / 8)
            && !self.n.is_multiple_of(9)
        {
            return (drafted.draft.target.clone(), drafted.draft.blob.clone());
        }
        (path(self.n).into(), blob(&self.text))
    }

    fn new_draft(&self, session: &Session) -> Draft {
        let planned: Vec<&TargetPath> = match &session.phase {
            Phase::Production(production) => production.plan.outputs.iter().flat_map(|one| &one.paths).collect(),
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => Vec::new(),
        };
        Draft {
            target: pick(&planned, self.n / 4).map_or_else(|| path(self.n), |path| (*path).clone()).into(),
            destination: "design-doc".parse().unwrap(),
            blob: blob(&self.text),
            replaces: self.n.is_multiple_of(2).then(|| blob("before")),
            origin: if self.n.is_multiple_of(3) { Origin::HandedIn } else { Origin::Generated },
            content: self.text.clone(),
            replaced: self.n.is_multiple_of(2).then(|| "before".to_owned()),
        }
    }

    fn worded(&self, id: QuestionId, session: &Session) -> Question {
        let (n, text) = (self.n, self.text.as_str());
        Question {
            id,
            form: form(n),
            text: prose(text),
            dimension: line(text),
            probe: n.is_multiple_of(5).then(|| text.to_owned()),
            why: n.is_multiple_of(2).then(|| prose(text)),
            alternatives: alternatives(text),
            evidence: vec![place(self.n)],
            builds_on: pick(&session.transcript.asked, n).map(|one| one.question.id.clone()).into_iter().collect(),
            purpose: pick(git_grill::domain::purpose::Purpose::ALL, n).copied(),
        }
    }

    fn of_kind(&self, kind: Kind, session: &Session, serial: u64) -> Command {
        let (n, text) = (self.n, self.text.as_str());
        match kind {
            Kind::Ask => Talk::Ask {
                question: Box::new(self.worded(
                    if n.is_multiple_of(17) { self.question(session) } else { QuestionId::from_nonce(serial) },
                    session,
                )),
                unchanged: n.is_multiple_of(2).then(|| line(text)),
            }
            .into(),
            Kind::Reopen => {
                let due = session.to_reopen().filter(|_| !n.is_multiple_of(5)).cloned();
                let id = due.unwrap_or_else(|| self.question(session));
                let known = session.transcript.get(&id).map(|asked| asked.question.clone());
                let mut question = known.unwrap_or_else(|| self.worded(id, session));
                if n.is_multiple_of(3) {
                    question.text = prose(text);
                }
                Talk::Reopen { question: Box::new(question) }.into()
            }
            Kind::Answer => Talk::Answer {
                question: self.question(session),
                id: self.answer(session, serial),
                reply: reply(n, text),
                note: n.is_multiple_of(3).then(|| prose(text)),
            }
            .into(),
            Kind::Defer => Talk::Defer { question: self.question(session) }.into(),
            Kind::PushBack => Talk::PushBack { question: self.question(session), because: prose(text) }.into(),
            Kind::Discuss => Talk::Discuss.into(),
            Kind::EndDiscussion => summed_up(text, self.answer(session, serial)),
            Kind::Tell => Talk::Tell { question: self.question(session) }.into(),
            Kind::Back => Talk::Back { to: self.question(session) }.into(),
            Kind::UpdateCheckpoint => Talk::UpdateCheckpoint {
                checkpoint: Checkpoint::parse(text).unwrap_or_else(|_| session.checkpoint.clone()),
                base: [&Checkpoint::initial(&session.topic), &session.checkpoint][usize::from(n % 4 > 0)].clone(),
                summary: line(text),
                source: match n % 3 {
                    0 => CheckpointSource::Tool,
                    1 => CheckpointSource::Editor,
                    _ => CheckpointSource::WorkingTree,
                },
                answer: n.is_multiple_of(2).then(|| self.answer(session, serial)),
            }
            .into(),
            Kind::Configure => Command::Configure(match n % 4 {
                0 => Setting::Intent(*pick(Intent::ALL, n / 4).unwrap()),
                1 => Setting::Intensity(*pick(Intensity::ALL, n / 4).unwrap()),
                2 => Setting::Research(*pick(Research::ALL, n / 4).unwrap()),
                _ => Setting::OutputPreference(vec![format!("custom:{}", line(text)).parse().unwrap()]),
            }),
            Kind::RecordEvidence => Talk::RecordEvidence(Box::new(facts(n, text))).into(),
            Kind::OpenSelection => Produce::OpenSelection(Box::new(gate(text))).into(),
            Kind::ContinueInterview => Produce::ContinueInterview { summary: Some(line(text)) }.into(),
            Kind::SelectOutputs => Produce::SelectOutputs(plan(n, text)).into(),
            Kind::GrantRequest => Produce::GrantRequest { shown: Box::new(shown(n, text, session)) }.into(),
            Kind::SubmitDraft => Produce::SubmitDraft(Box::new(self.new_draft(session))).into(),
            Kind::ApproveDraft => {
                let (target, blob) = self.draft(session);
                Produce::ApproveDraft { target, blob }.into()
            }
            Kind::RecordWritten => {
                let (target, blob) = self.draft(session);
                Produce::RecordWritten { path: target.path().cloned().unwrap_or_else(|| path(n)), blob }.into()
            }
            Kind::RecordUndone => {
                Produce::RecordUndone { round: session.undoable().map_or(n, |phase| phase.round) }.into()
            }
            Kind::RecordVerification => Command::RecordVerification(Box::new(verification(n, text))),
            Kind::RecordCitations => Talk::RecordCitations(rechecked(n, &session.cited())).into(),
            Kind::FinishProduction => Produce::FinishProduction { summary: None }.into(),
            Kind::Stop => Command::Stop {
                ending: if n.is_multiple_of(2) { Ending::AfterOutputs } else { Ending::WithoutOutput },
                summary: Some(line(text)),
            },
        }
    }
}
