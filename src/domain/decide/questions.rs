//! Every (situation, move, actor) around the question tools and what it comes to, as data
//! (`fixtures/domain/questions.tsv`). Proves Q5, Q6, Q8, Q9, Q11 to Q13, Q19, G10 and G24 row by row; the cells are those
//! of the other table.

use std::fmt::Write as _;

use super::decide;
use super::staged::{after, at, fresh, gate, line, prose};
use super::table::{cell, question};
use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::command::{Command, Reply};
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::interview::{self, AnswerKind, Command as Talk, QuestionStatus};
use crate::domain::production;
use crate::domain::question::{Alternatives, Form, LETS_DISCUSS, Question, RawAlternative};
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::settings::{Approval, Interviewer};
use crate::domain::subsystem;
use crate::domain::tool::{Asking, AskingRequest, NOT_QUITE, OptionRequest, QuestionResult};

const TABLE: &str = include_str!("../../../fixtures/domain/questions.tsv");

fn agent() -> Actor {
    Actor::Agent("claude".to_owned())
}

/// Three options, of which the third opens a conversation where it is one of a selection.
fn tool(form: Form, text: &str, nonce: u64) -> Question {
    let option = |label: &str| OptionRequest { label: label.to_owned(), ..OptionRequest::default() };
    let third = if form == Form::Select { NOT_QUITE } else { "Recovery" };
    let options = vec![option("Sessions"), option("Policy"), option(third)];
    let request = AskingRequest { question: text.to_owned(), options, ..AskingRequest::default() };
    let asking = Asking::check(form, &request, &mut |_| Err("nothing is cited".to_owned())).unwrap();
    asking.question(QuestionId::from_nonce(nonce))
}

fn select(nonce: u64) -> Question {
    tool(Form::Select, "Which of them?", nonce)
}

fn multi(nonce: u64) -> Question {
    tool(Form::MultiSelect, "Which areas?", nonce)
}

fn ask(question: Question) -> Command {
    Talk::Ask { question: Box::new(question), unchanged: None }.into()
}

fn answer(nonce: u64, reply: Reply) -> Command {
    Talk::Answer { question: QuestionId::from_nonce(nonce), id: AnswerId::from_nonce(nonce), reply, note: None }.into()
}

fn choose(nonce: u64, numbers: &[usize]) -> Command {
    answer(nonce, Reply::Chosen(numbers.to_vec()))
}

fn tell() -> Command {
    Talk::Tell { question: QuestionId::from_nonce(1) }.into()
}

fn sum_up() -> Command {
    Talk::EndDiscussion { summary: prose("it has to be fast"), answer: AnswerId::from_nonce(40) }.into()
}

fn led_by_agent() -> Session {
    let mut session = fresh(Approval::Person);
    session.settings.interviewer = Interviewer::Agent("claude".to_owned());
    session
}

/// The columns.
fn situations() -> Vec<(&'static str, Session)> {
    let human = Actor::Human;
    let free = led_by_agent();
    let open = after(free.clone(), &agent(), &ask(select(1)));
    let many = after(free.clone(), &agent(), &ask(multi(2)));
    let answered = after(open.clone(), &human, &choose(1, &[2]));
    let told = after(answered.clone(), &agent(), &tell());
    let put_off = after(open.clone(), &human, &Talk::Defer { question: QuestionId::from_nonce(1) }.into());
    let refused = after(put_off.clone(), &agent(), &tell());
    let talking = after(open.clone(), &human, &choose(1, &[5]));
    let summed_up = after(talking.clone(), &agent(), &sum_up());
    let chatting = after(free.clone(), &human, &Talk::Discuss.into());
    let grill = after(fresh(Approval::Person), &Actor::System, &ask(question(7)));
    let at_gate = after(free.clone(), &human, &production::Command::OpenSelection(Box::new(gate())).into());
    vec![
        ("free", free),
        ("select", open),
        ("multi", many),
        ("answered", answered),
        ("told", told),
        ("put-off", put_off),
        ("put-off-told", refused),
        ("talking", talking),
        ("summed-up", summed_up),
        ("chatting", chatting),
        ("grill", grill),
        ("gate", at_gate),
    ]
}

/// The rows.
fn moves() -> Vec<(&'static str, Command)> {
    let nothing_new = Some(line("nothing new"));
    let same = |question, unchanged| Command::from(Talk::Ask { question: Box::new(question), unchanged });
    let words = |nonce, text: &str| answer(nonce, Reply::Text(prose(text)));
    vec![
        ("ask-same", same(select(11), None)),
        ("ask-same-no-change", same(select(11), nothing_new.clone())),
        ("ask-same-multi", same(multi(12), nothing_new.clone())),
        ("ask-other", same(tool(Form::Select, "Which else?", 13), nothing_new)),
        ("choose-1", choose(1, &[1])),
        ("choose-flagged", choose(1, &[3])),
        ("choose-else", choose(1, &[4])),
        ("choose-discuss", choose(1, &[5])),
        ("choose-6", choose(1, &[6])),
        ("choose-0", choose(1, &[0])),
        ("choose-1-2", choose(1, &[1, 2])),
        ("choose-1-1", choose(1, &[1, 1])),
        ("choose-none", choose(1, &[])),
        ("say-label", words(1, "Policy")),
        ("say-discuss", words(1, LETS_DISCUSS)),
        ("say-words", words(1, "a kanban board")),
        ("unknown", answer(1, Reply::Unknown)),
        ("many-3-1", choose(2, &[3, 1])),
        ("many-all", choose(2, &[1, 2, 3])),
        ("many-4", choose(2, &[1, 4])),
        ("many-none", choose(2, &[])),
        ("many-words", words(2, "none of these, the logs")),
        ("grill-2", choose(7, &[2])),
        ("grill-1-2", choose(7, &[1, 2])),
        ("grill-3", choose(7, &[3])),
        ("skip", Talk::Defer { question: QuestionId::from_nonce(1) }.into()),
        ("push-back", Talk::PushBack { question: QuestionId::from_nonce(1), because: prose("none of these") }.into()),
        ("discuss", Talk::Discuss.into()),
        ("resume", sum_up()),
        ("tell", tell()),
        ("back", Talk::Back { to: QuestionId::from_nonce(1) }.into()),
    ]
}

fn computed() -> String {
    let columns = situations();
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut table = format!("move\tactor\t{}\n", names.join("\t"));
    for (name, command) in moves() {
        for (who, actor) in [("human", Actor::Human), ("agent", agent()), ("system", Actor::System)] {
            let cells: Vec<String> = columns.iter().map(|(_, session)| cell(session, &actor, &command)).collect();
            let _ = writeln!(table, "{name}\t{who}\t{}", cells.join("\t"));
        }
    }
    table
}

#[test]
fn every_move_around_a_question_tool_comes_to_what_the_table_says() {
    let computed = computed();
    assert!(computed == TABLE, "{computed}");
}

/// What the only question of a session has come to.
fn came_to(session: &Session) -> Option<QuestionResult> {
    QuestionResult::of(session, session.transcript.asked.last()?)
}

fn text(session: &Session) -> String {
    came_to(session).map_or("nothing yet".to_owned(), |told| told.text(session.transcript.asked[0].question.form))
}

#[test]
fn q7_q10_what_a_person_says_comes_back_in_the_words_of_the_tools() {
    let open = after(led_by_agent(), &agent(), &ask(select(1)));
    let many = after(led_by_agent(), &agent(), &ask(multi(2)));
    let words = |nonce, text: &str| answer(nonce, Reply::Text(prose(text)));
    for (session, command, expected) in [
        (&open, choose(1, &[2]), "User selected: 2. Policy"),
        (&open, words(1, "Policy"), "User selected: 2. Policy"),
        (&open, words(1, "a kanban board layout"), "User wrote: a kanban board layout"),
        (&open, answer(1, Reply::Unknown), "User wrote: I don't know"),
        (&open, Talk::Defer { question: QuestionId::from_nonce(1) }.into(), "User declined to answer."),
        (
            &open,
            Talk::PushBack { question: QuestionId::from_nonce(1), because: prose("neither") }.into(),
            "User declined to answer: neither",
        ),
        (&many, choose(2, &[3, 1]), "User selected: Sessions, Recovery"),
        (&many, words(2, "the logs"), "User wrote: the logs"),
    ] {
        assert_eq!(text(&after(session.clone(), &Actor::Human, &command)), expected);
    }
    for number in [3, 5] {
        let talking = after(open.clone(), &Actor::Human, &choose(1, &[number]));
        assert!(text(&talking).starts_with("User wants to discuss this topic in conversation."));
        assert_eq!(talking.discussed(), Some(&QuestionId::from_nonce(1)));
    }
    assert_eq!(text(&open), "nothing yet");
}

#[test]
fn q6_a_note_is_stored_and_comes_back() {
    let open = after(led_by_agent(), &agent(), &ask(select(1)));
    let Command::Of(subsystem::Command::Interview(Talk::Answer { question, id, reply, .. })) = choose(1, &[1]) else {
        unreachable!()
    };
    let noted: Command = Talk::Answer { question, id, reply, note: Some(prose("for now")) }.into();
    let answered = after(open, &Actor::Human, &noted);
    assert_eq!(came_to(&answered).unwrap().note(), Some(&prose("for now")));
}

#[test]
fn q12_what_a_conversation_came_to_answers_the_question_as_a_summary() {
    let open = after(led_by_agent(), &agent(), &ask(select(1)));
    let talking = after(open, &Actor::Human, &choose(1, &[5]));
    let resumed = after(talking.clone(), &agent(), &sum_up());
    let asked = &resumed.transcript.asked[0];
    assert_eq!((asked.standing.clone(), asked.told), (QuestionStatus::Answered, true));
    assert_eq!(asked.answer().unwrap().kind, AnswerKind::Summarised, "nobody passed the user's words on");
    assert_eq!(resumed.discussions[0].summary, prose("it has to be fast"));
    // A person who sums it up speaks for themselves, and whoever asked has yet to hear of it.
    let by_hand = after(talking, &Actor::Human, &sum_up());
    let asked = &by_hand.transcript.asked[0];
    assert_eq!((asked.answer().unwrap().kind, asked.told), (AnswerKind::Own, false));
}

#[test]
fn q13_the_same_question_keeps_its_number_until_its_answer_is_known() {
    let open = after(led_by_agent(), &agent(), &ask(select(1)));
    assert_eq!(decide(&open, &agent(), at(), &ask(select(11))), Ok(vec![]));
    let answered = after(open, &Actor::Human, &choose(1, &[1]));
    assert_eq!(decide(&answered, &agent(), at(), &ask(select(11))), Ok(vec![]), "its answer waits to be fetched");
    let told = after(answered, &agent(), &tell());
    let anew: Command =
        Talk::Ask { question: Box::new(select(11)), unchanged: Some(line("asked again on purpose")) }.into();
    let twice = after(told, &agent(), &anew);
    assert_eq!(twice.transcript.asked.len(), 2);
    // The newest one is meant from now on.
    assert!(twice.transcript.asking(&select(12)).is_some_and(|asked| asked.number == 2));
}

#[test]
fn g52_back_supersedes_the_choice_and_keeps_it() {
    let open = after(led_by_agent(), &agent(), &ask(select(1)));
    let answered = after(open, &Actor::Human, &choose(1, &[1]));
    let back = after(answered, &Actor::Human, &Talk::Back { to: QuestionId::from_nonce(1) }.into());
    let Command::Of(subsystem::Command::Interview(Talk::Answer { question, reply, note, .. })) = choose(1, &[2]) else {
        unreachable!()
    };
    let second: Command = Talk::Answer { question, id: AnswerId::from_nonce(9), reply, note }.into();
    let again = after(back, &Actor::Human, &second);
    let answers = &again.transcript.asked[0].answers;
    assert_eq!(answers.iter().map(|one| one.chosen.as_slice()).collect::<Vec<_>>(), [&[1][..], &[2][..]]);
    assert_eq!(answers[1].supersedes, [answers[0].id.clone()]);
    assert_eq!(text(&again), "User selected: 2. Policy");
}

/// A question of the interview that an agent set.
fn own(nonce: u64) -> Question {
    Question { probe: None, ..question(nonce) }
}

#[test]
fn g35_q13_an_agents_own_question_is_the_same_one_when_it_is_set_again() {
    let open = after(led_by_agent(), &agent(), &ask(own(1)));
    assert_eq!(decide(&open, &agent(), at(), &ask(own(3))), Ok(vec![]));
    let answered = after(open, &Actor::Human, &answer(1, Reply::Chosen(vec![2])));
    assert_eq!(text(&answered), "User selected: 2. no");
    let told = after(answered, &agent(), &tell());
    assert!(matches!(
        decide(&told, &agent(), at(), &ask(own(3))),
        Err(Refusal::Of(subsystem::Refusal::Interview(interview::Refusal::CheckpointDue)))
    ));
    // The built-in interviewer's is nobody's to set again.
    let built_in = after(fresh(Approval::Person), &Actor::System, &ask(question(1)));
    assert!(matches!(
        decide(&built_in, &agent(), at(), &ask(question(3))),
        Err(Refusal::Of(subsystem::Refusal::Interview(interview::Refusal::QuestionOpen { .. })))
    ));
}

fn update(answer: Option<u64>) -> Command {
    Talk::UpdateCheckpoint {
        checkpoint: Checkpoint::parse("# Shared Understanding\n\n- in memory\n").unwrap(),
        base: fresh(Approval::Person).checkpoint,
        summary: line("it stays in memory"),
        source: CheckpointSource::Tool,
        answer: answer.map(AnswerId::from_nonce),
    }
    .into()
}

#[test]
fn g24_an_update_over_an_agents_open_question_closes_it_and_says_so() {
    let open = after(led_by_agent(), &agent(), &ask(own(1)));
    let closed = after(open.clone(), &agent(), &update(Some(7)));
    let asked = &closed.transcript.asked[0];
    let answer = asked.answer().unwrap();
    assert_eq!((asked.standing.clone(), answer.kind), (QuestionStatus::Answered, AnswerKind::Summarised));
    assert_eq!((answer.text.as_str(), &answer.by), ("it stays in memory", &agent()));
    assert!(!closed.checkpoint_due && closed.checkpoint.as_str().contains("in memory"));
    // The next question may come.
    assert!(decide(&closed, &agent(), at(), &ask(own(2))).is_ok());
    // A person who edits the document has answered nothing, and neither has an agent the built-in interviewer's question.
    let edited = after(open, &Actor::Human, &update(Some(7)));
    assert_eq!(edited.transcript.asked[0].standing, QuestionStatus::Open);
    let built_in = after(fresh(Approval::Person), &Actor::System, &ask(question(1)));
    assert_eq!(after(built_in, &agent(), &update(Some(7))).transcript.asked[0].standing, QuestionStatus::Open);
}

#[test]
fn g24_an_update_settles_an_answer_that_came_before_it() {
    let open = after(led_by_agent(), &agent(), &ask(own(1)));
    let answered = after(open, &Actor::Human, &answer(1, Reply::Chosen(vec![1])));
    let settled = after(answered, &agent(), &update(Some(7)));
    assert_eq!(settled.transcript.asked[0].answers.len(), 1, "it was answered already");
    assert!(!settled.checkpoint_due);
}

#[test]
fn g9_g10_words_that_name_an_alternative_are_its_choice() {
    let named = |label: &str, value: &str| RawAlternative {
        label: label.to_owned(),
        value: value.to_owned(),
        ..RawAlternative::default()
    };
    let list = [named("By address", "The limit counts by address"), named("No idea", "We measure it first")];
    let asked = Question { alternatives: Alternatives::parse(&list).unwrap(), ..question(3) };
    let open = after(fresh(Approval::Person), &Actor::System, &ask(asked));
    for (words, by, kind, recorded) in [
        ("by address.", Actor::Human, AnswerKind::Alternative, "The limit counts by address"),
        ("the limit counts by address", Actor::Unattended, AnswerKind::Alternative, "The limit counts by address"),
        ("By address", agent(), AnswerKind::Reported, "The limit counts by address"),
        ("by address, at first", Actor::Human, AnswerKind::Own, "by address, at first"),
        ("no idea", Actor::Human, AnswerKind::Unknown, "no idea"),
    ] {
        let answered = after(open.clone(), &by, &answer(3, Reply::Text(prose(words))));
        let answer = answered.transcript.asked[0].answer().unwrap();
        assert_eq!((answer.kind, answer.text.as_str()), (kind, recorded), "{words}");
    }
}
