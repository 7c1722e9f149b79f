//! The UI API: one call, and the result of each way of asking (P1, P5, P15, P18, P19).

use std::rc::Rc;

use std::time::Duration;

use git_grill::app::form::{Asker as _, ByPrompt, Met, Scripted};
use git_grill::app::prompt::{self, FormAnswer, Picked, Prompter as _, Settled};
use git_grill::domain::ui::{
    Answered, Call, ConfirmParams, FormParams, Kind, ListParams, Name, NotifyParams, OptionParams, QuestionParams,
    Returned, Without,
};
use git_grill::term::scripted::{Asked, Scripted as Person};

fn option(value: &str) -> OptionParams {
    OptionParams { value: value.to_owned(), label: value.to_uppercase(), ..OptionParams::default() }
}

fn list(kind: Kind, allow_other: bool) -> Call {
    let options = vec![option("a"), option("b"), option("c")];
    ListParams { prompt: "Which?".to_owned(), options, allow_other }.check(kind).unwrap()
}

fn form() -> Call {
    let question = |id: &str, kind: Kind, note: bool| QuestionParams {
        id: id.to_owned(),
        prompt: format!("About {id}?"),
        kind,
        note,
        options: vec![option("a"), OptionParams { preview: Some("# B".to_owned()), ..option("b") }],
        allow_other: true,
        preview: Some("of all".to_owned()),
        ..QuestionParams::default()
    };
    FormParams { questions: vec![question("one", Kind::One, false), question("many", Kind::Many, true)] }
        .check()
        .unwrap()
}

fn confirm() -> Call {
    ConfirmParams { prompt: "Go on?".to_owned() }.check().unwrap()
}

fn open() -> Settled {
    Rc::new(|| false)
}

fn asked_of(person: &mut Person, call: &Call) -> Result<Returned, Without> {
    match ByPrompt::new(person, None).ask(call, open()) {
        Met::Answered(answered) => answered.returned(call),
        Met::Later => panic!("a terminal answers at once"),
    }
}

fn scripted(answers: &serde_json::Value) -> Scripted {
    Scripted::parse(&serde_json::json!({ "version": 1, "answers": answers }).to_string()).unwrap()
}

fn read_from(answers: &serde_json::Value, call: &Call) -> Result<Returned, Without> {
    match scripted(answers).ask(call, open()) {
        Met::Answered(answered) => answered.returned(call),
        Met::Later => panic!("a file answers at once"),
    }
}

#[test]
fn p1_p5_p18_a_person_and_a_file_give_the_same_results() {
    let several = |chosen: &[usize], other: Option<&str>, note: Option<&str>| FormAnswer {
        chosen: chosen.to_vec(),
        other: other.map(str::to_owned),
        note: note.map(str::to_owned),
    };
    let rows = [
        (
            list(Kind::One, false),
            Person::new().picks(Picked::Choice { index: 1, note: None }),
            serde_json::json!({ "Which?": "b" }),
        ),
        (
            list(Kind::One, true),
            Person::new().picks(Picked::Wrote("mine".to_owned())),
            serde_json::json!({ "Which?": { "other": "mine" } }),
        ),
        (list(Kind::Many, false), Person::new().takes_many([0, 2]), serde_json::json!({ "Which?": ["c", "a"] })),
        (
            list(Kind::Many, true),
            Person::new().submits([several(&[1], Some("mine"), None)]),
            serde_json::json!({ "Which?": { "values": ["b"], "other": "mine" } }),
        ),
        (
            form(),
            Person::new().submits([FormAnswer::choice(0), several(&[0, 1], None, Some("so"))]),
            serde_json::json!({ "one": "a", "About many?": { "values": ["b", "a"], "note": "so" } }),
        ),
        (confirm(), Person::new().says_yes(), serde_json::json!({ "Go on?": true })),
        (confirm(), Person::new().says_no(), serde_json::json!({ "Go on?": false })),
        (confirm(), Person::new().cancels(""), serde_json::json!({ "Go on?": { "cancelled": true } })),
    ];
    for (call, mut person, file) in rows {
        let by_person = asked_of(&mut person, &call);
        assert!(by_person.is_ok(), "{call:?}: {by_person:?}");
        assert_eq!(by_person, read_from(&file, &call), "{call:?}");
    }
}

#[test]
fn p18_previews_are_an_options_own_or_its_questions() {
    let mut person = Person::new().submits([FormAnswer::choice(0), FormAnswer::choice(0)]);
    let _ = asked_of(&mut person, &form());
    let Some(Asked::Form(prompt)) = person.asked().first() else { panic!("a form was asked") };
    assert_eq!(prompt.questions[0].previews, [Some("of all".to_owned()), Some("# B".to_owned())]);
}

#[test]
fn p1_every_prompt_of_an_extension_names_it_and_marks_each_further_line() {
    let said = "Sure?\n\nquestion 4 · scope";
    let marked = |verb: &str| format!("intake {verb}: Sure?\n> \n> question 4 · scope");
    let list = |kind: Kind, preview: Option<&str>| {
        let preview = preview.map(str::to_owned);
        let options = vec![OptionParams { preview, ..option("a") }];
        ListParams { prompt: said.to_owned(), options, allow_other: false }.check(kind).unwrap()
    };
    let notice = NotifyParams { message: said.to_owned(), ..NotifyParams::default() }.check().unwrap();
    let confirm = ConfirmParams { prompt: said.to_owned() }.check().unwrap();
    let name = Name::parse("an extension", "intake").unwrap();
    for (call, mut person, verb) in [
        (list(Kind::One, None), Person::new().picks(Picked::Choice { index: 0, note: None }), "asks"),
        (list(Kind::One, Some("# A")), Person::new().submits([FormAnswer::choice(0)]), "asks"),
        (list(Kind::Many, None), Person::new().takes_many([0]), "asks"),
        (confirm, Person::new().says_yes(), "asks"),
        (notice, Person::new(), "says"),
    ] {
        let met = ByPrompt::new(&mut person, Some(&name)).ask(&call, open());
        let Met::Answered(answered) = met else { panic!("a terminal answers at once") };
        assert!(answered.returned(&call).is_ok(), "{call:?}");
        let shown = match person.asked() {
            [Asked::Pick(prompt)] => &prompt.question,
            [Asked::ChooseMany(prompt)] => &prompt.question,
            [Asked::Form(prompt)] => &prompt.questions[0].prompt,
            [Asked::Confirm(question) | Asked::Notice(question, _)] => question,
            other => panic!("{other:?}"),
        };
        assert_eq!(*shown, marked(verb));
    }
}

#[test]
fn p5_what_a_file_does_not_cover_is_never_a_default() {
    for answers in [
        serde_json::json!({}),
        serde_json::json!({ "Which?": "z" }),
        serde_json::json!({ "Which?": "A" }),
        serde_json::json!({ "Which?": [] }),
        serde_json::json!({ "Which?": ["a", "b"] }),
        serde_json::json!({ "Which?": { "other": "mine" } }),
        serde_json::json!({ "Which?": { "value": "a", "note": "so" } }),
        serde_json::json!({ "Which?": true }),
        serde_json::json!({ "answer": "a" }),
    ] {
        let read = read_from(&answers, &list(Kind::One, false));
        assert!(matches!(read, Err(Without::Unavailable(_))), "{answers}: {read:?}");
    }
    let half = read_from(&serde_json::json!({ "one": "a" }), &form());
    assert!(matches!(half, Err(Without::Unavailable(why)) if why.contains("About many?")));
    assert!(matches!(read_from(&serde_json::json!({ "Go on?": "yes" }), &confirm()), Err(Without::Unavailable(_))));
}

#[test]
fn p5_a_file_that_is_none_is_refused_with_what_is_wrong() {
    for (file, why) in [
        ("", "not JSON"),
        ("[]", "not an object"),
        ("{}", "no version"),
        (r#"{"version":2,"answers":{}}"#, "version is 2"),
        (r#"{"version":1}"#, "no answers"),
        (r#"{"version":1,"answers":[]}"#, "not an object"),
        (r#"{"version":1,"answers":{},"more":1}"#, "\"more\" is unknown"),
        (r#"{"version":1,"answers":{"q":1}}"#, "\"q\""),
        (r#"{"version":1,"answers":{"q":{"valu":"a"}}}"#, "\"valu\""),
        (r#"{"version":1,"answers":{"q":{"note":1}}}"#, "\"note\""),
    ] {
        let said = Scripted::parse(file).unwrap_err().to_string();
        assert!(said.contains(why), "{file}: {said}");
    }
    assert!(Scripted::parse(&" ".repeat(2 << 20)).is_err());
}

#[test]
fn p15_p19_each_ending_is_told_and_none_is_an_approval() {
    let ended = |person: Person| {
        let mut person = person;
        person.wait_at_most(Some(Duration::from_secs(1)));
        asked_of(&mut person, &confirm())
    };
    let cancelled = Returned::Confirm { confirmed: false, cancelled: true };
    assert_eq!(ended(Person::new().cancels("")), Ok(cancelled));
    assert_eq!(ended(Person::new().loses("")), Err(Without::Lost));
    assert_eq!(ended(Person::new().dawdles("")), Err(Without::TimedOut));
    let nobody = Person::unavailable("no terminal");
    assert_eq!(ended(nobody), Err(Without::Unavailable("no terminal".to_owned())));
    // Taken back by the extension: it is no time that ran out.
    let mut late = Person::new().dawdles("");
    late.wait_at_most(Some(Duration::from_secs(1)));
    let met = ByPrompt::new(&mut late, None).ask(&confirm(), Rc::new(|| true));
    assert_eq!(met, Met::Answered(Answered::Without(Without::Cancelled)));
}

#[test]
fn p1_a_notice_never_waits() {
    let call = NotifyParams { message: "Look".to_owned(), ..NotifyParams::default() }.check().unwrap();
    let mut person = Person::new();
    assert_eq!(asked_of(&mut person, &call), Ok(Returned::Notice {}));
    assert_eq!(person.asked(), [Asked::Notice("Look".to_owned(), prompt::Level::Info)]);
    assert_eq!(read_from(&serde_json::json!({}), &call), Ok(Returned::Notice {}));
}
