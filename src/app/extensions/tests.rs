//! What is put and recorded of an extension's calls, and which tools agents get.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;

use serde_json::{Value, json};

use super::offered::{offered, tool_called};
use super::recording::{Book, Recording};
use super::remarking;
use crate::app::error::AppError;
use crate::app::form::{Asker, Met};
use crate::app::ports::extensions::{
    Enabled, ExtensionAction, Extensions, Found, Gave, Hello, Listed, OfferedTool, Ran,
};
use crate::app::prompt::{Came, Settled};
use crate::app::tools::AnsweredQuestion;
use crate::domain::session::Session;
use crate::domain::text::Prose;
use crate::domain::ui::{
    Answered, Call, Chosen, FormParams, Kind, Level, ListParams, Name, OneAnswer, OptionParams, QuestionParams, Without,
};

/// A book that answers as it is told, and keeps what it is given.
#[derive(Default)]
struct Told {
    answers: VecDeque<(Met, Came)>,
    out_of_turn: Option<&'static str>,
    replays: bool,
    put: Vec<&'static str>,
    turns: Vec<bool>,
    recorded: Vec<(Vec<String>, bool)>,
    noted: Vec<String>,
    answered: usize,
}

impl Book for Told {
    fn available(&self) -> Result<(), String> {
        Ok(())
    }

    fn in_turn(&mut self, first: bool) -> Result<(), String> {
        self.turns.push(first);
        self.out_of_turn.map_or(Ok(()), |why| Err(why.to_owned()))
    }

    fn replays(&self) -> bool {
        self.replays
    }

    fn put(&mut self, call: &Call, _: Settled) -> (Met, Came) {
        self.put.push(call.method());
        self.answers.pop_front().expect("it answers every call")
    }

    fn record(&mut self, answers: Vec<AnsweredQuestion>, first: bool) {
        self.recorded.push((answers.iter().map(in_words).collect(), first));
    }

    fn note(&mut self, answer: AnsweredQuestion) {
        self.noted.push(in_words(&answer));
    }

    fn answered(&mut self) {
        self.answered += 1;
    }
}

fn in_words(one: &AnsweredQuestion) -> String {
    let note = one.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    format!("{}: {:?} {}{note}", one.id, one.chosen, one.labels.join(" + "))
}

fn options() -> Vec<OptionParams> {
    ["memory", "sqlite"]
        .map(|value| OptionParams { value: value.to_owned(), label: value.to_uppercase(), ..OptionParams::default() })
        .to_vec()
}

fn list(kind: Kind) -> Call {
    ListParams { prompt: "Which?".to_owned(), options: options(), allow_other: true }.check(kind).unwrap()
}

fn form() -> Call {
    let question = |id: &str| QuestionParams {
        id: id.to_owned(),
        prompt: "Which?".to_owned(),
        options: options(),
        allow_other: true,
        note: true,
        ..QuestionParams::default()
    };
    FormParams { questions: vec![question("a"), question("b")] }.check().unwrap()
}

fn confirm() -> Call {
    Call::Confirm(Prose::parse("the prompt", "Sure?").unwrap())
}

fn notice() -> Call {
    Call::Notify(Prose::parse("the message", "done").unwrap(), Level::Info)
}

fn took(value: &str) -> OneAnswer {
    let chosen = Chosen { value: value.to_owned(), label: value.to_uppercase(), other: false };
    OneAnswer { chosen: vec![chosen], note: None }
}

fn answers(answers: Vec<OneAnswer>) -> Met {
    Met::Answered(Answered::Questions(answers))
}

fn without(why: Without) -> Met {
    Met::Answered(Answered::Without(why))
}

fn never() -> Settled {
    Rc::new(|| false)
}

/// What the calls of one run come to, with a book that answers them so.
fn run(book: &mut Told, calls: &[Call]) -> Vec<Met> {
    let mut recording = Recording::new(book);
    calls.iter().map(|call| recording.ask(call, never())).collect()
}

#[test]
fn p28_each_answer_of_a_wizard_is_recorded_as_it_is_given() {
    let mut noted = took("sqlite");
    noted.note = Some("for now".to_owned());
    let mut own = took("memory");
    own.chosen.push(Chosen::own("and a cache"));
    let given = [answers(vec![took("memory")]), answers(vec![noted, took("memory")]), answers(vec![own])];
    let mut book = Told { answers: given.into_iter().map(|met| (met, Came::Now)).collect(), ..Told::default() };
    run(&mut book, &[list(Kind::One), form(), list(Kind::Many)]);
    let recorded: Vec<(Vec<&str>, bool)> =
        book.recorded.iter().map(|(answers, first)| (answers.iter().map(String::as_str).collect(), *first)).collect();
    // Those of one run are one step of the interview.
    assert_eq!(
        recorded,
        [
            (vec!["answer: [0] MEMORY"], true),
            (vec!["a: [1] SQLITE (for now)", "b: [0] MEMORY"], false),
            (vec!["answer: [0] MEMORY + and a cache"], false),
        ]
    );
    assert_eq!((book.turns, book.answered), (vec![true, false, false], 3));
}

#[test]
fn p28_what_an_earlier_call_recorded_is_not_recorded_again() {
    let mut book = Told {
        answers: [
            (answers(vec![took("memory")]), Came::Before),
            (Met::Answered(Answered::Confirmed(true)), Came::Before),
            (answers(vec![took("sqlite")]), Came::Now),
            (Met::Later, Came::Now),
        ]
        .into(),
        replays: true,
        ..Told::default()
    };
    let met = run(&mut book, &[list(Kind::One), confirm(), list(Kind::One), list(Kind::One)]);
    assert_eq!(met[3], Met::Later);
    assert_eq!(book.recorded, [(vec!["answer: [1] SQLITE".to_owned()], false)]);
    assert!(book.noted.is_empty() && book.turns.is_empty(), "it was in turn when it was put");
    assert_eq!(book.answered, 3);
}

#[test]
fn p19_what_is_no_answer_is_recorded_nowhere_and_stays_what_it_is() {
    let ways = [
        Without::Cancelled,
        Without::Declined,
        Without::TimedOut,
        Without::Unavailable("nobody is there".to_owned()),
        Without::Lost,
    ];
    for why in ways {
        // Whatever the prompt made of it, a form that was not sent is what the client said.
        for (met, came) in [
            (without(why.clone()), Came::Now),
            (without(Without::Cancelled), Came::Unsent(why.clone())),
            (Met::Later, Came::Unsent(why.clone())),
        ] {
            for call in [list(Kind::One), form(), confirm()] {
                let mut book = Told { answers: [(met.clone(), came.clone())].into(), ..Told::default() };
                assert_eq!(run(&mut book, &[call]), [without(why.clone())]);
                assert!(book.recorded.is_empty() && book.noted.is_empty() && book.answered == 0);
            }
        }
    }
}

#[test]
fn p5_a_question_out_of_turn_is_not_put_and_a_yes_and_a_notice_are() {
    let given = [(Met::Answered(Answered::Confirmed(false)), Came::Now), (Met::Answered(Answered::Shown), Came::Now)];
    let mut book = Told { answers: given.into(), out_of_turn: Some("question 3 is open"), ..Told::default() };
    let met = run(&mut book, &[list(Kind::One), list(Kind::Many), form(), confirm(), notice()]);
    for refused in &met[..3] {
        assert_eq!(*refused, without(Without::Unavailable("question 3 is open".to_owned())));
    }
    assert_eq!(book.put, ["ui.confirm", "ui.notify"]);
    assert_eq!((book.noted, book.recorded.len()), (vec!["confirm: [] No".to_owned()], 0));
}

#[test]
fn p28_a_remark_stands_behind_what_the_extension_gave() {
    let gave = |text: Option<&str>, value: Value| Gave {
        text: text.map(str::to_owned),
        value,
        failed: false,
        errors: String::new(),
    };
    let told = remarking(gave(Some("Chosen."), json!({ "text": "Chosen." })), vec!["not recorded".to_owned()]);
    assert_eq!(told.text.as_deref(), Some("Chosen.\nnot recorded"));
    assert_eq!(told.value, json!({ "text": "Chosen.", "remarks": ["not recorded"] }));
    let own = remarking(gave(None, json!({ "remarks": 7 })), vec!["not recorded".to_owned()]);
    assert_eq!((own.text.as_deref(), own.value), (Some("not recorded"), json!({ "remarks": 7 })));
    let silent = gave(None, json!({}));
    assert_eq!(remarking(silent.clone(), vec![]), silent);
}

/// Extensions that are listed and never run.
struct Shelf(Vec<Listed>);

impl Extensions for Shelf {
    fn list(&self) -> Result<Vec<Listed>, AppError> {
        Ok(self.0.clone())
    }

    fn tool(&self, called: &str) -> Result<Option<(Name, OfferedTool)>, AppError> {
        let mut all = self.0.iter().flat_map(|one| one.tools.iter().map(move |tool| (one.name.clone(), tool.clone())));
        Ok(all.find(|(name, tool)| name.tool(&tool.name) == called))
    }

    fn greet(&self, _: &Name) -> Result<(PathBuf, Hello), AppError> {
        unreachable!("listing greets nobody")
    }

    fn enable(&self, _: &Name) -> Result<Listed, AppError> {
        unreachable!("listing enables nothing")
    }

    fn disable(&self, _: &Name) -> Result<bool, AppError> {
        unreachable!("listing disables nothing")
    }

    fn run(&self, _: &Name, _: &ExtensionAction, _: Option<&Session>, _: &mut dyn Asker) -> Result<Ran, AppError> {
        unreachable!("listing runs nothing")
    }
}

fn listed(name: &str, found: Found, enabled: Enabled, tools: &[(&str, Value)]) -> Listed {
    let tool = |(name, schema): &(&str, Value)| OfferedTool {
        name: Name::parse("a tool", name).unwrap(),
        description: format!("Ask\u{1b}[2J{}", "x".repeat(5_000)),
        schema: schema.clone(),
    };
    Listed {
        name: Name::parse("an extension", name).unwrap(),
        command: vec![format!("/bin/{name}")],
        found,
        enabled,
        tools: tools.iter().map(tool).collect(),
        walls: false,
    }
}

#[test]
fn p6_agents_get_the_tools_of_enabled_extensions_under_names_that_nobody_else_has() {
    let object = || json!({ "type": "object" });
    let large = json!({ "type": "object", "description": "x".repeat(70_000) });
    let changed = Enabled::Changed { why: "its file is another one now".to_owned() };
    let shelf = Shelf(vec![
        listed("limits", Found::Settings, Enabled::Yes, &[("ask", object()), ("big", large), ("odd", json!([1]))]),
        listed("grill", Found::Path, Enabled::Yes, &[("status", object())]),
        listed("a-b", Found::Path, Enabled::Yes, &[("c", object())]),
        listed("a", Found::Path, Enabled::Yes, &[("b-c", object())]),
        listed("off", Found::Settings, Enabled::No, &[("ask", object())]),
        listed("moved", Found::Settings, changed, &[("ask", object())]),
        listed("questionnaire", Found::Shipped, Enabled::Yes, &[("questionnaire", object())]),
    ]);
    let offered = offered(&shelf).unwrap();
    let names: Vec<&str> = offered.tools.iter().map(|tool| tool.called.as_str()).collect();
    assert_eq!(names, ["limits_ask"]);
    let tool = offered.named("limits_ask").unwrap();
    assert!(tool.description.starts_with("limits (an extension of git grill): Ask"), "{}", tool.description);
    assert!(tool.description.chars().count() < 2_100 && !tool.description.contains('\u{1b}'));
    assert_eq!(offered.named("off_ask"), None);
    assert_eq!(tool_called(&shelf, "limits_ask").unwrap().as_ref(), Some(tool));
    for called in ["limits_odd", "limits_big", "grill_status", "limits_gone"] {
        assert_eq!(tool_called(&shelf, called).unwrap(), None, "{called}");
    }
    for (name, why) in [
        ("limits_big", "more than 64 KiB"),
        ("limits_odd", "not of type object"),
        ("grill_status", "a tool of git grill has that name"),
        ("a_b_c", "another tool has that name"),
        ("moved", "its file is another one now"),
    ] {
        assert!(offered.left_out.iter().any(|said| said.contains(name) && said.contains(why)), "{name}");
    }
}
