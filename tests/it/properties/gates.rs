//! The gate says what it stands on, whoever opens it.

use git_grill::app::dispatcher::{Dispatcher, Envelope};
use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::{Checkpoint, CheckpointSource};
use git_grill::domain::command::{Command, Reply};
use git_grill::domain::facts::RepoFacts;
use git_grill::domain::interview::Command as Talk;
use git_grill::domain::production::Command as Produce;
use git_grill::domain::selection::{Findings, Gate};
use git_grill::domain::session::Phase;
use git_grill::domain::settings::{Interviewer, Settings};
use git_grill::domain::text::{Line, Prose};
use git_grill::domain::tool::{AlternativeRequest, SetAlternativesRequest, set_alternatives};
use git_grill::store::codec;

use super::doubles::{Adverse, Counter, JumpyClock, begin};

#[test]
fn g26_an_agents_gate_gets_our_findings_and_not_its_own() {
    let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let session = begin(&dispatcher, Settings::default(), RepoFacts::default()).after;
    let say =
        |actor: Actor, command: Command| dispatcher.handle(&session.id, &Envelope { actor, command }).unwrap().after;
    let text = format!("{}\n- Everybody agreed to sell the moon.\n", session.checkpoint.as_str());
    let session = say(
        Actor::Human,
        Talk::UpdateCheckpoint {
            checkpoint: Checkpoint::parse(&text).unwrap(),
            base: session.checkpoint.clone(),
            summary: Line::clipped("by hand"),
            source: CheckpointSource::Editor,
            answer: None,
        }
        .into(),
    );
    let mut gate = git_grill::app::drafting::gate(&session);
    gate.findings = Findings { answers: 99, ..Findings::default() };
    let Phase::Selection(selection) =
        say(Actor::Agent("someone".to_owned()), Produce::OpenSelection(Box::new(gate)).into()).phase
    else {
        panic!("the gate is open");
    };
    let findings = &selection.gate.findings;
    assert_eq!((findings.answers, findings.unread), (0, 0));
    assert_eq!(findings.unsupported, [Line::clipped("Everybody agreed to sell the moon.")]);
}

/// What an agent leaves out is accepted, and whoever decides on its word is told how often it did.
#[test]
fn g8_the_gate_counts_what_an_agent_left_out() {
    let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let settings = Settings { interviewer: Interviewer::Agent("someone".to_owned()), ..Settings::default() };
    let session = begin(&dispatcher, settings, RepoFacts::default()).after;
    let say = |command: Command| {
        let actor = Actor::Agent("someone".to_owned());
        dispatcher.handle(&session.id, &Envelope { actor, command }).unwrap().after
    };
    for (text, recommended, description) in
        [("Bare?", false, None), ("Half?", true, None), ("Whole?", true, Some("because".to_owned()))]
    {
        let one = |label: &str, recommended| AlternativeRequest {
            label: label.to_owned(),
            description: description.clone(),
            recommended,
            ..AlternativeRequest::default()
        };
        let request = SetAlternativesRequest {
            question: text.to_owned(),
            alternatives: vec![one("yes", recommended), one("no", false)],
            no_change: Some("nothing yet".to_owned()),
            ..SetAlternativesRequest::default()
        };
        let asking = set_alternatives(&request, &mut |_| Err("nothing is cited".to_owned())).unwrap();
        let question = asking.question(dispatcher.question_id());
        let id = question.id.clone();
        say(Talk::Ask { question: Box::new(question), unchanged: asking.unchanged }.into());
        let reply = Reply::Unknown;
        say(Talk::Answer { question: id, id: dispatcher.answer_id(), reply, note: None }.into());
    }
    let gate = git_grill::app::drafting::gate(&session);
    let Phase::Selection(selection) = say(Produce::OpenSelection(Box::new(gate)).into()).phase else {
        panic!("the gate is open");
    };
    let findings = &selection.gate.findings;
    assert_eq!((findings.unrecommended, findings.unreasoned), (1, 2));
    let words = findings.in_words();
    assert!(words.iter().any(|line| line == "The agent put 1 question without a recommendation."), "{words:?}");
}

/// Whoever leads, the gate counts the answers that a person did not give, and those that nobody has.
#[test]
fn g30_the_gate_of_every_session_says_who_answered() {
    for interviewer in [Interviewer::BuiltIn, Interviewer::Agent("someone".to_owned())] {
        let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
        let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
        let settings = Settings { interviewer, ..Settings::default() };
        let session = begin(&dispatcher, settings, RepoFacts::default()).after;
        let agent = || Actor::Agent("someone".to_owned());
        let say = |actor: Actor, command: Command| {
            dispatcher.handle(&session.id, &Envelope { actor, command }).unwrap().after
        };
        let words = |text: &str| Reply::Text(Prose::parse("the answer", text).unwrap());
        for (question, actor, reply) in [
            ("Which one?", Actor::Human, words("a sheet of paper")),
            ("Since when?", Actor::Human, Reply::Unknown),
            ("For whom?", Actor::Unattended, words("whoever asks")),
            ("Until when?", agent(), words("until it is read")),
            ("Is it kept?", Actor::Human, words("yes")),
        ] {
            let one = |label: &str, recommended| AlternativeRequest {
                label: label.to_owned(),
                description: Some("a reason".to_owned()),
                recommended,
                ..AlternativeRequest::default()
            };
            let request = SetAlternativesRequest {
                question: question.to_owned(),
                alternatives: vec![one("yes", true), one("no", false)],
                no_change: Some("nothing yet".to_owned()),
                ..SetAlternativesRequest::default()
            };
            let asking = set_alternatives(&request, &mut |_| Err("nothing is cited".to_owned())).unwrap();
            let question = asking.question(dispatcher.question_id());
            let id = question.id.clone();
            say(agent(), Talk::Ask { question: Box::new(question), unchanged: asking.unchanged }.into());
            say(actor, Talk::Answer { question: id, id: dispatcher.answer_id(), reply, note: None }.into());
        }
        let mut gate = git_grill::app::drafting::gate(&session);
        gate.rationale = Prose::parse("the reason", "Everything was answered by the user.").unwrap();
        let Phase::Selection(selection) = say(agent(), Produce::OpenSelection(Box::new(gate)).into()).phase else {
            panic!("the gate is open");
        };
        assert_eq!(
            selection.gate.findings.in_words()[..4],
            [
                "1 of 5 answers was “I don't know”, which is still to be found out.",
                "1 of 5 answers was given unattended, with no person at a terminal.",
                "1 of 5 answers was reported by an agent.",
                "1 of 5 answers was the recommendation, word for word.",
            ]
        );
    }
}

#[test]
fn g39_whatever_a_gate_found_is_read_back_from_its_file() {
    let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let session = begin(&dispatcher, Settings::default(), RepoFacts::default()).after;
    for (answers, unread) in [(0, 0), (1, 0), (7, 2)] {
        let findings = Findings { answers, unread, ..Findings::default() };
        let gate = Gate { findings, ..git_grill::app::drafting::gate(&session) };
        let bytes = codec::write(&codec::to_value(&gate));
        assert_eq!(codec::decode::<Gate>(&bytes, codec::STATE_LIMIT), Ok(gate), "{answers}, {unread}");
    }
}
