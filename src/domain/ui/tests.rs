use super::*;

fn raw(id: &str) -> QuestionParams {
    let option =
        |value: &str| OptionParams { value: value.to_owned(), label: value.to_uppercase(), ..OptionParams::default() };
    QuestionParams {
        id: id.to_owned(),
        prompt: "Which?".to_owned(),
        options: vec![option("a"), option("b")],
        allow_other: true,
        ..QuestionParams::default()
    }
}

fn form(questions: Vec<QuestionParams>) -> Result<Vec<Question>, String> {
    match (FormParams { questions }).check() {
        Ok(Call::Form(questions)) => Ok(questions),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn p2_labels_have_defaults_and_what_is_wrong_is_named() {
    let questions = form(vec![raw("x"), QuestionParams { label: "Two".to_owned(), ..raw("y") }]).unwrap();
    assert_eq!(questions.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["Q1", "Two"]);
    let twice = QuestionParams {
        options: vec![OptionParams { value: "a".into(), label: "A".into(), ..OptionParams::default() }; 2],
        ..raw("x")
    };
    for (questions, expected) in [
        (vec![], "a form takes at least one question, and there is none"),
        (vec![raw("x"); 21], "a form takes at most 20 questions, and there are 21"),
        (vec![raw(" ")], "question 1 has no id"),
        (vec![raw("x"), raw(" x ")], "question 2 has the id x, which an earlier one has"),
        (vec![QuestionParams { prompt: " ".to_owned(), ..raw("x") }], "question 1 has no prompt"),
        (
            vec![QuestionParams { options: vec![], allow_other: false, ..raw("x") }],
            "question 1 offers no options and takes no other words",
        ),
        (vec![twice], "question 1 has the value a twice"),
        (
            vec![QuestionParams { preview: Some("x".repeat(LONGEST_PREVIEW + 1)), ..raw("x") }],
            "question 1 has a preview of more than 12000 bytes",
        ),
    ] {
        assert_eq!(form(questions).unwrap_err(), expected);
    }
    assert!(form(vec![QuestionParams { options: vec![], ..raw("x") }]).is_ok());
}

#[test]
fn p19_each_ending_is_told_from_the_others() {
    let call = ListParams { prompt: "Which?".to_owned(), options: raw("x").options, allow_other: true };
    let call = call.check(Kind::One).unwrap();
    let closed = Answered::Without(Without::Cancelled).returned(&call).unwrap();
    assert_eq!(closed, Returned::One { value: None, label: None, other: false, note: None, cancelled: true });
    let without = [Without::Declined, Without::TimedOut, Without::Unavailable("no terminal".to_owned()), Without::Lost];
    let kinds: Vec<&str> = without.iter().map(Without::kind).collect();
    assert_eq!(kinds, ["ui_declined", "ui_timed_out", "ui_unavailable", "ui_lost"]);
    for ending in without {
        assert_eq!(Answered::Without(ending.clone()).returned(&call), Err(ending));
    }
}

#[test]
fn p18_a_note_that_a_person_adds_to_a_choice_is_returned() {
    let call = ListParams { prompt: "Which?".to_owned(), options: raw("x").options, allow_other: false };
    let call = call.check(Kind::One).unwrap();
    let a = Chosen { value: "a".to_owned(), label: "A".to_owned(), other: false };
    let noted = OneAnswer { chosen: vec![a], note: Some("for now".to_owned()) };
    let returned = Answered::Questions(vec![noted]).returned(&call).unwrap();
    let Returned::One { note, .. } = returned else { panic!("{returned:?}") };
    assert_eq!(note.as_deref(), Some("for now"));
}

#[test]
fn p15_own_words_come_back_as_value_and_label_and_say_so() {
    let call = ListParams { prompt: "Which?".to_owned(), options: raw("x").options, allow_other: true };
    let many = call.clone().check(Kind::Many).unwrap();
    let one = call.check(Kind::One).unwrap();
    let words = OneAnswer { chosen: vec![Chosen::own("mine")], note: None };
    let said = Some("mine".to_owned());
    let expected = Returned::One { value: said.clone(), label: said, other: true, note: None, cancelled: false };
    assert_eq!(Answered::Questions(vec![words]).returned(&one), Ok(expected));
    let a = Chosen { value: "a".to_owned(), label: "A".to_owned(), other: false };
    let both = OneAnswer { chosen: vec![a, Chosen::own("mine")], note: None };
    let returned = Answered::Questions(vec![both]).returned(&many).unwrap();
    let Returned::Several { values, labels, other, cancelled } = returned else { panic!("{returned:?}") };
    assert_eq!(
        (values, labels, other, cancelled),
        (vec!["a".into(), "mine".into()], vec!["A".into(), "mine".into()], true, false)
    );
}
