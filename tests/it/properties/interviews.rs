//! Whole interviews with the built-in interviewer: whatever a person says, the interview ends at the gate, the
//! checkpoint has it all, and what was written by hand stays as it was written.

use git_grill::app::dispatcher::{Dispatcher, Envelope};
use git_grill::app::ports::SessionStore;
use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::{Checkpoint, CheckpointSource};
use git_grill::domain::command::{Command, Reply};
use git_grill::domain::event::Started;
use git_grill::domain::facts::{Evidence, Finding, Language, Related, RepoFacts};
use git_grill::domain::ids::{AnswerId, QuestionId, SessionId};
use git_grill::domain::interview::{self, Command as Talk, QuestionStatus};
use git_grill::domain::question::{Form, Question};
use git_grill::domain::session::{Floor, Phase, Session};
use git_grill::domain::settings::{Interviewer, Settings};
use git_grill::interviewer;
use proptest::prelude::*;

use super::doubles::{Adverse, Counter, JumpyClock, begin};
use super::laws;
use super::texts::{line, prose, text};
use super::wishes::{alternatives, settings};

/// More questions than any interview may take, whoever answers how; each return to an earlier one allows for more.
const MOST_QUESTIONS: usize = 80;

/// What the person does with an open question.
#[derive(Clone, Debug)]
enum Move {
    Take(usize),
    Say(String),
    Unknown,
    Skip,
    PushBack(String),
    Discuss(String),
    Back(usize),
}

/// What happens to the document between two answers.
#[derive(Clone, Debug)]
enum Edit {
    None,
    /// A line of the person's own, at a place.
    Add(usize),
    /// A line that stands there, changed.
    Change(usize),
    /// A line that stands there, taken away.
    Delete(usize),
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        6 => any::<usize>().prop_map(Move::Take),
        6 => text().prop_map(Move::Say),
        2 => Just(Move::Say("It has to be fast, simple and scale well.".to_owned())),
        1 => Just(Move::Unknown),
        1 => Just(Move::Skip),
        1 => text().prop_map(Move::PushBack),
        1 => text().prop_map(Move::Discuss),
        1 => any::<usize>().prop_map(Move::Back),
    ]
}

fn edits() -> impl Strategy<Value = Edit> {
    prop_oneof![
        5 => Just(Edit::None),
        2 => any::<usize>().prop_map(Edit::Add),
        2 => any::<usize>().prop_map(Edit::Change),
        1 => any::<usize>().prop_map(Edit::Delete),
    ]
}

fn facts() -> impl Strategy<Value = RepoFacts> {
    (any::<bool>(), text()).prop_map(|(looked, text)| {
        let at = |path: &str| Evidence { path: path.to_owned(), lines: Some((3, 3)), blob: None };
        let finding = |what: &str, path: &str| Finding { what: what.to_owned(), at: at(path) };
        RepoFacts {
            looked,
            name: "it".to_owned(),
            files: 12,
            languages: vec![Language { name: "Rust".to_owned(), files: 9, example: at("src/lib.rs") }],
            build: vec![finding("cargo", "Cargo.toml")],
            readme: Some(finding(&text, "README.md")),
            related: vec![Related { at: at("src/limit.rs"), excerpt: text.clone(), matches: vec!["rate".to_owned()] }],
            ..RepoFacts::default()
        }
    })
}

/// A word that stands nowhere else, made of letters alone: a digit would count as a measure.
fn token(serial: usize) -> String {
    let letters = serial.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect::<String>();
    format!("zq{letters}qz")
}

/// The lines that say something, in no order. A section that was emptied again keeps its heading, so headings say
/// nothing.
fn lines(session: &Session) -> Vec<&str> {
    let mut lines: Vec<&str> =
        session.checkpoint.as_str().lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    lines.sort_unstable();
    lines
}

struct Interview<'a> {
    dispatcher: &'a Dispatcher<'a>,
    store: &'a Adverse,
    id: SessionId,
    serial: usize,
    /// The lines that were written by hand.
    mine: Vec<String>,
}

impl Interview<'_> {
    fn session(&self) -> Session {
        self.store.load(&self.id).unwrap().session
    }

    fn token(&mut self) -> String {
        self.serial += 1;
        token(self.serial)
    }

    /// Handles a command of the person's; it has to be taken, as one commit, and leaves every line by hand as it is.
    fn say(&self, actor: &Actor, command: Command) -> Session {
        let commits = self.store.commits.borrow().len();
        let before = self.session();
        let outcome = self.dispatcher.handle(&self.id, &Envelope { actor: actor.clone(), command }).unwrap();
        assert!(self.store.commits.borrow().len() <= commits + 1);
        laws::step(&before, &outcome.events, &outcome.after);
        laws::state(&outcome.after);
        self.hand_written_stands(&outcome.after);
        outcome.after
    }

    fn hand_written_stands(&self, session: &Session) {
        for line in &self.mine {
            let stands = session.checkpoint.as_str().lines().any(|one| one == line);
            assert!(stands, "{line:?} was written by hand and is gone from:\n{}", session.checkpoint.as_str());
        }
    }

    /// An answer and what it changes in the checkpoint are one commit, and the words can be found there.
    fn answer(&mut self, reply: &str) {
        let question = self.session().open_question().unwrap().question.id.clone();
        let token = self.token();
        let reply = prose(&format!("{reply} {token}"));
        let said = reply.as_str().contains(&token);
        let command: Command =
            Talk::Answer { question, id: self.dispatcher.answer_id(), reply: Reply::Text(reply), note: None }.into();
        let after = self.say(&Actor::Human, command);
        let commits = self.store.commits.borrow();
        let (_, events) = commits.last().unwrap();
        assert!(matches!(events[0].event.interview(), Some(interview::Event::QuestionAnswered { .. })));
        let taken_in = events[1..].iter().any(|one| {
            one.by == Actor::System
                && matches!(
                    one.event.interview(),
                    Some(interview::Event::CheckpointUpdated { source: CheckpointSource::Interviewer, .. })
                )
        });
        assert!(taken_in, "the answer's commit leaves the checkpoint as it was");
        assert!(!after.checkpoint_due);
        assert!(
            !said || after.checkpoint.as_str().contains(&token),
            "{token} is not in\n{}",
            after.checkpoint.as_str()
        );
    }

    fn respond(&mut self, step: &Move) {
        let session = self.session();
        let open = session.open_question().unwrap().clone();
        let question = open.question.id.clone();
        match step {
            Move::Take(n) => {
                let offered = open.question.alternatives.as_slice();
                let reply = Reply::Text(offered[n % offered.len()].value.clone());
                let id = self.dispatcher.answer_id();
                self.say(&Actor::Human, Talk::Answer { question, id, reply, note: None }.into());
            }
            Move::Say(text) => self.answer(text),
            Move::Unknown => {
                let id = self.dispatcher.answer_id();
                let command: Command =
                    Talk::Answer { question, id, reply: Reply::Unknown, note: Some(prose("ask Ada")) }.into();
                self.say(&Actor::Unattended, command);
            }
            Move::Skip => drop(self.say(&Actor::Human, Talk::Defer { question }.into())),
            Move::PushBack(text) => {
                let command: Command = Talk::PushBack { question, because: prose(text) }.into();
                self.say(&Actor::Agent("claude".to_owned()), command);
            }
            Move::Discuss(text) => {
                self.say(&Actor::Human, Talk::Discuss.into());
                let answer = AnswerId::from_nonce(u64::MAX);
                let after = self.say(&Actor::Human, Talk::EndDiscussion { summary: prose(text), answer }.into());
                assert_eq!(after.open_question().map(|asked| &asked.question.id), Some(&question));
            }
            Move::Back(n) => {
                let asked = &session.transcript.asked;
                self.say(&Actor::Human, Talk::Back { to: asked[n % asked.len()].question.id.clone() }.into());
            }
        }
    }

    /// Edits the document as a person does in the working tree.
    fn edit(&mut self, edit: &Edit) {
        let token = self.token();
        let session = self.session();
        let mut text: Vec<String> = session.checkpoint.as_str().lines().map(str::to_owned).collect();
        // Headings stay, and so do the lines that open or close what somebody wrote as code.
        let said = |line: &String| line.starts_with("- ") && !line.contains("```") && !line.contains("~~~");
        let places: Vec<usize> = (0..text.len()).filter(|place| said(&text[*place])).collect();
        match edit {
            Edit::None => return,
            Edit::Add(n) => {
                let line = format!("- by hand, {token}");
                text.insert(1 + n % text.len(), line.clone());
                self.mine.push(line);
            }
            Edit::Change(n) if !places.is_empty() => {
                let line = &mut text[places[n % places.len()]];
                let changed = format!("{line} (edited, {token})");
                self.mine.retain(|mine| mine != line);
                self.mine.push(changed.clone());
                *line = changed;
            }
            Edit::Delete(n) if !places.is_empty() => {
                let line = text.remove(places[n % places.len()]);
                self.mine.retain(|mine| *mine != line);
            }
            Edit::Change(_) | Edit::Delete(_) => return,
        }
        let command: Command = Talk::UpdateCheckpoint {
            checkpoint: Checkpoint::parse(&text.join("\n")).unwrap(),
            base: self.session().checkpoint,
            summary: line("Checkpoint edited in the working tree"),
            source: CheckpointSource::WorkingTree,
            answer: None,
        }
        .into();
        self.say(&Actor::Unattended, command);
    }

    /// What the checkpoint would say if it were written only now, from everything that is known.
    fn written_anew(&self) -> Session {
        let session = self.session();
        let started = Started {
            id: session.id.clone(),
            topic: session.topic.clone(),
            settings: session.settings.clone(),
            base: None,
            branch: None,
            reported: None,
            no_interview: false,
        };
        let first = Session::begin(&started, session.started_at, 1);
        let mut anew = session;
        anew.checkpoint = first.checkpoint.clone();
        if let Some((checkpoint, _)) = interviewer::compose(&first, &anew) {
            anew.checkpoint = checkpoint;
        }
        anew
    }
}

/// Plays an interview to the gate: the moves one after another, then the first alternative until nothing is asked.
fn play(settings: Settings, facts: RepoFacts, steps: &[(Move, Edit)], after_each: impl Fn(&Interview<'_>)) {
    let settings = Settings { interviewer: Interviewer::BuiltIn, ..settings };
    let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let id = begin(&dispatcher, settings, facts).after.id;
    let mut interview = Interview { dispatcher: &dispatcher, store: &store, id, serial: 0, mine: Vec::new() };
    let backs = steps.iter().filter(|(one, _)| matches!(one, Move::Back(_) | Move::Discuss(_))).count();
    let mut steps = steps.iter();
    for _ in 0..MOST_QUESTIONS * (1 + backs) {
        let session = dispatcher.advance(&interview.id, &|_| Vec::new()).unwrap().after;
        laws::state(&session);
        interview.hand_written_stands(&session);
        after_each(&interview);
        match &session.phase {
            Phase::Interview(Floor::Question { .. }) => match steps.next() {
                Some((step, edit)) => {
                    interview.edit(edit);
                    interview.respond(step);
                }
                None => interview.respond(&Move::Take(0)),
            },
            Phase::Selection(_) => {
                assert!(session.transcript.asked.len() <= MOST_QUESTIONS, "{}", session.transcript.asked.len());
                let waits = |one: &QuestionStatus| {
                    matches!(one, QuestionStatus::Open | QuestionStatus::Stale | QuestionStatus::SetAside)
                };
                assert!(!session.transcript.asked.iter().any(|asked| waits(&asked.standing)));
                return;
            }
            other => panic!("the interviewer left {other:?}"),
        }
        after_each(&interview);
    }
    panic!("the interview does not end: {:?}", interview.session().transcript.progress());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_interview_ends_and_what_is_written_by_hand_stays(
        settings in settings(),
        facts in facts(),
        steps in proptest::collection::vec((moves(), edits()), 0..20),
    ) {
        play(settings, facts, &steps, |_| ());
    }

    /// Where nobody edits, the document that grew answer by answer says what one written at the end would say.
    #[test]
    fn the_checkpoint_says_what_the_session_says(
        settings in settings(),
        facts in facts(),
        steps in proptest::collection::vec(moves(), 0..20),
    ) {
        let steps: Vec<(Move, Edit)> = steps.into_iter().map(|step| (step, Edit::None)).collect();
        play(settings, facts, &steps, |interview| {
            assert_eq!(lines(&interview.session()), lines(&interview.written_anew()));
        });
    }
}

/// A question whose ground changed is "to be confirmed" until it is answered anew, and not for ever after.
#[test]
fn what_is_answered_anew_is_not_to_be_confirmed_any_more() {
    let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let id = begin(&dispatcher, Settings::default(), RepoFacts::default()).after.id;
    let say = |actor: Actor, command: Command| dispatcher.handle(&id, &Envelope { actor, command }).unwrap().after;
    let ask = |id: &QuestionId, builds_on: Vec<QuestionId>| {
        let question = Question {
            id: id.clone(),
            form: Form::Grill,
            text: prose("Which?"),
            dimension: line("scope"),
            // As the built-in interviewer's are: words that an agent sets twice would be the same question.
            probe: Some("scope".to_owned()),
            why: None,
            alternatives: alternatives("because"),
            evidence: Vec::new(),
            builds_on,
            purpose: None,
        };
        say(Actor::System, Talk::Ask { question: Box::new(question), unchanged: None }.into())
    };
    let answer = |question: &QuestionId, text: &str| {
        let reply = Reply::Text(prose(text));
        let command: Command =
            Talk::Answer { question: question.clone(), id: dispatcher.answer_id(), reply, note: None }.into();
        say(Actor::Human, command)
    };
    let (ground, upon) = (dispatcher.question_id(), dispatcher.question_id());
    ask(&ground, Vec::new());
    answer(&ground, "sqlite");
    ask(&upon, vec![ground.clone()]);
    answer(&upon, "one file");
    say(Actor::Human, Talk::Back { to: ground.clone() }.into());
    let stale = answer(&ground, "postgres");
    assert!(stale.checkpoint.as_str().contains("To be confirmed") && !stale.checkpoint.as_str().contains("one file"));
    let again = dispatcher.advance(&id, &|_| Vec::new()).unwrap();
    assert_eq!(again.after.open_question().map(|asked| &asked.question.id), Some(&upon));
    assert_eq!(again.events.len(), 1, "putting a question again says nothing about its answer");
    assert!(again.after.checkpoint.as_str().contains("To be confirmed"));
    let confirmed = answer(&upon, "one file");
    assert!(!confirmed.checkpoint.as_str().contains("To be confirmed"));
    assert!(confirmed.checkpoint.as_str().contains("one file"));
}
