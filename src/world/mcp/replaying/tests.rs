//! A call that asks one question after the other, run from its beginning for each form that came back.

use serde_json::json;

use super::*;

fn choice(label: &str) -> Choice {
    Choice { value: label.to_owned(), label: label.to_owned(), description: None, recommended: false }
}

fn pick(question: &str) -> PickPrompt {
    PickPrompt {
        question: question.to_owned(),
        choices: ["one", "two"].map(choice).to_vec(),
        other: Some("Something else".to_owned()),
        ..PickPrompt::default()
    }
}

type End = (Prompted<Picked>, Came);

/// Asks what the wizard asks, until something is answered later.
fn wizard(prompter: &mut Replaying, questions: &[&str]) -> Vec<End> {
    let mut ends = Vec::new();
    for question in questions {
        let end = prompter.pick(&pick(question));
        if prompter.later() {
            break;
        }
        ends.push((end, prompter.came()));
    }
    ends
}

const QUESTIONS: [&str; 3] = ["Which store?", "Which region?", "How many?"];

/// The call as it is made first: the rounds, and what they ask.
fn begun() -> Rounds {
    let mut first = Replaying::new(Rounds::default(), Fields::Several);
    assert!(!first.replays());
    assert!(wizard(&mut first, &QUESTIONS).is_empty());
    let replayed = first.ended();
    assert_eq!(replayed.asked.map(|asked| asked.message), Some("Which store?\n1. one\n2. two".to_owned()));
    replayed.rounds
}

fn carried(rounds: &Rounds) -> Rounds {
    Rounds::of(&rounds.to_value())
}

/// Runs the wizard again with what came back; how its prompts ended, and what is left.
fn again(rounds: &Rounds, filled: Filled, questions: &[&str]) -> (Vec<End>, Replayed) {
    let mut prompter = Replaying::filled(carried(rounds), filled, Fields::Several);
    let ends = wizard(&mut prompter, questions);
    (ends, prompter.ended())
}

fn took(label: &str) -> Filled {
    Filled::Sent(json!({ "choice": label }))
}

fn picked(index: usize) -> Prompted<Picked> {
    Prompted::Answered(Picked::Choice { index, note: None })
}

#[test]
fn p28_a_wizard_of_three_forms_is_answered_round_by_round_and_each_answer_is_new_once() {
    let (ends, first) = again(&begun(), took("2. two"), &QUESTIONS);
    assert_eq!(ends, [(picked(1), Came::Now)]);
    let (ends, second) = again(&first.rounds, took("1. one"), &QUESTIONS);
    assert_eq!(ends, [(picked(1), Came::Before), (picked(0), Came::Now)]);
    assert!(second.asked.is_some_and(|asked| asked.message.starts_with("How many?")));
    let (ends, third) = again(&second.rounds, took("2. two"), &QUESTIONS);
    assert_eq!(ends, [(picked(1), Came::Before), (picked(0), Came::Before), (picked(1), Came::Now)]);
    assert!(third.asked.is_none() && third.unused.is_none());
}

#[test]
fn p28_a_question_that_changed_is_asked_anew_and_what_came_for_the_other_one_is_told() {
    let (_, first) = again(&begun(), took("2. two"), &QUESTIONS);
    // The second question is another one by the time its form comes back.
    let (ends, moved) = again(&first.rounds, took("1. one"), &["Which store?", "Which city?", "How many?"]);
    assert_eq!(ends, [(picked(1), Came::Before)]);
    assert!(moved.asked.is_some_and(|asked| asked.message.starts_with("Which city?")));
    assert_eq!(moved.unused, Some(json!({ "choice": "1. one" })));
    // So is one whose options alone changed.
    let mut prompter = Replaying::filled(carried(&begun()), took("1. one"), Fields::Several);
    let fewer = PickPrompt { choices: vec![choice("one")], ..pick("Which store?") };
    assert_eq!(prompter.pick(&fewer), Prompted::Unavailable(NOBODY));
    assert!(prompter.later());
    // A change further up takes everything behind it along.
    let (_, second) = again(&first.rounds, took("1. one"), &QUESTIONS);
    let mut prompter = Replaying::new(carried(&second.rounds), Fields::Several);
    assert!(wizard(&mut prompter, &["Which shop?"]).is_empty());
    assert_eq!(prompter.ended().rounds.0.len(), 1);
}

#[test]
fn p19_a_form_that_is_not_sent_is_its_own_result_and_the_extension_goes_on() {
    let (_, first) = again(&begun(), took("2. two"), &QUESTIONS);
    for (how, why) in [
        (NotSent::Declined, Without::Declined),
        (NotSent::Cancelled, Without::Cancelled),
        (NotSent::TimedOut, Without::TimedOut),
        (NotSent::Failed, Without::Unavailable("this client could not show the form".to_owned())),
    ] {
        let (ends, second) = again(&first.rounds, Filled::NotSent(how), &QUESTIONS);
        assert_eq!(ends.len(), 2, "{how:?}");
        assert_eq!(ends[1].1, Came::Unsent(why.clone()));
        // It stays so in every run behind it.
        let (ends, third) = again(&second.rounds, took("1. one"), &QUESTIONS);
        assert_eq!((&ends[1].1, &ends[2]), (&Came::Unsent(why), &(picked(0), Came::Now)));
        assert!(third.asked.is_none());
    }
}

#[test]
fn p5_a_client_without_forms_is_asked_nothing_more() {
    let mut prompter = Replaying::filled(begun(), Filled::NotSent(NotSent::NoForms), Fields::Several);
    assert_eq!(prompter.available(), Err(NOBODY));
    let ends = wizard(&mut prompter, &["Which store?", "Another one?"]);
    let nobody = Came::Unsent(Without::Unavailable(NOBODY.to_owned()));
    assert!(ends.len() == 2 && ends.iter().all(|(_, came)| *came == nobody), "{ends:?}");
    assert!(prompter.ended().asked.is_none());
}

#[test]
fn q15_what_a_form_left_open_is_asked_in_the_same_round_and_nothing_is_asked_forever() {
    let only = PickPrompt { other: None, ..pick("Which store?") };
    let mut first = Replaying::new(Rounds::default(), Fields::Several);
    assert_eq!(first.pick(&only), Prompted::Unavailable(NOBODY));
    let noted = Filled::Sent(json!({ "note": "so" }));
    let mut gap = Replaying::filled(carried(&first.ended().rounds), noted.clone(), Fields::Several);
    assert_eq!(gap.pick(&only), Prompted::Unavailable(NOBODY));
    let gap = gap.ended();
    assert!(gap.asked.is_some() && gap.unused.is_none());
    assert_eq!(gap.rounds.so_far(), json!({ "note": "so" }));
    // The rest completes it.
    let mut whole = Replaying::filled(carried(&gap.rounds), took("1. one"), Fields::Several);
    let answer = Picked::Choice { index: 0, note: Some("so".to_owned()) };
    assert_eq!((whole.pick(&only), whole.came()), (Prompted::Answered(answer), Came::Now));
    // The same again adds nothing.
    let mut same = Replaying::filled(carried(&gap.rounds), noted, Fields::Several);
    assert_eq!(same.pick(&only), Prompted::Unavailable(EMPTY));
    assert_eq!(same.came(), Came::Unsent(Without::Unavailable(EMPTY.to_owned())));
    assert_eq!(same.ended().unused, Some(json!({ "note": "so" })));
    // What is declined instead is not lost.
    let declined = Replaying::filled(carried(&gap.rounds), Filled::NotSent(NotSent::Declined), Fields::Several);
    assert_eq!(declined.ended().unused, Some(json!({ "note": "so" })));
}

#[test]
fn q15_rounds_are_bounded_and_what_is_none_of_ours_is_none() {
    assert_eq!(Rounds::default().to_value(), json!([]));
    for foreign in [json!(null), json!("x"), json!([1]), json!([{ "shown": 1 }]), json!({ "q1": "1. a" })] {
        assert_eq!(Rounds::of(&foreign), Rounds::default(), "{foreign}");
    }
    let long = "x".repeat(LARGEST);
    let (_, small) = again(&begun(), took("1. one"), &QUESTIONS);
    assert!(!small.rounds.are_too_large());
    let (_, large) = again(&begun(), Filled::Sent(json!({ "own_words": long })), &QUESTIONS);
    assert!(large.rounds.are_too_large());
}

#[test]
fn p1_a_notice_is_told_with_the_result() {
    let mut prompter = Replaying::new(Rounds::default(), Fields::Several);
    prompter.notify("saved", Level::Info);
    prompter.notify("almost full", Level::Warning);
    for _ in 0..MOST_NOTICES {
        prompter.notify("again", Level::Error);
    }
    let notices = prompter.ended().notices;
    assert_eq!((notices.len(), &*notices[0], &*notices[1]), (MOST_NOTICES, "saved", "warning: almost full"));
}
