//! Asks one thing on the terminal and prints what became of it as JSON: a way to see the prompts without a session.
//!
//! `cargo run --example prompt -- reply|pick|choose|many|form|confirm|notify [--plain] [--colour]
//! [--draft] [--long] [--linger]`
//!
//! `--long` makes a list longer than a window. With `--linger` it stays for a minute after the answer, so that one can
//! see what signals do then.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use git_grill::app::prompt::{
    Choice, FormAnswer, FormPrompt, FormQuestion, Level, ManyPrompt, PickPrompt, Picked, Prompted, Prompter as _,
    ReplyPrompt, Slash,
};
use git_grill::term::Terminal;
use git_grill::term::settings::{Colours, Manner, Marks, Settings};
use serde_json::{Value, json};

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "a program of its own, for the tests")]
    let args: Vec<String> = std::env::args().skip(1).collect();
    let given = |name: &str| args.iter().any(|arg| arg == name);
    let mut terminal = Terminal::new(Settings {
        manner: if given("--plain") { Manner::Plain } else { Manner::Drawn },
        colours: if given("--colour") { Colours::On } else { Colours::Off },
        marks: Marks::Unicode,
        forbidden: None,
        pause: Duration::from_secs(1),
    });
    let choices = if given("--long") { many_choices() } else { choices() };
    let question = "Where does the state of a session live?";
    let outcome = match args.first().map(String::as_str) {
        Some("choose") => told(terminal.choose(question, &choices)),
        Some("many") => {
            let question = question.to_owned();
            told(terminal.choose_many(&ManyPrompt { question, choices, at_least: 1, ..ManyPrompt::default() }))
        }
        Some("pick") => {
            let prompt = PickPrompt {
                heading: "question 3 · storage".to_owned(),
                question: question.to_owned(),
                choices,
                other: Some("Something else (I'll explain)".to_owned()),
                discuss: Some("Let's discuss this".to_owned()),
                draft: if given("--draft") { "half a thought" } else { "" }.to_owned(),
                status: "interview · 3 answered · 2 open".to_owned(),
                ..PickPrompt::default()
            };
            told(terminal.pick(&prompt).map(picked))
        }
        Some("form") => {
            let answered = terminal.form(&form(choices));
            told(answered.map(|answers| answers.into_iter().map(answer).collect::<Vec<_>>()))
        }
        Some("notify") => {
            terminal.notify("the plan was saved", Level::Info);
            terminal.notify("the plan has no tests\nand no end", Level::Warning);
            terminal.notify("the plan is gone \u{1b}[2J", Level::Error);
            (json!("told"), ExitCode::SUCCESS)
        }
        Some("confirm") => told(terminal.confirm("Write these three files?")),
        Some("reply") | None => {
            let prompt = ReplyPrompt {
                heading: "question 3 · storage".to_owned(),
                question: question.to_owned(),
                choices,
                draft: if given("--draft") { "half a thought" } else { "" }.to_owned(),
                status: "interview · 3 answered · 2 open".to_owned(),
                keys: String::new(),
                help: "Tab alternatives, Enter sends, Alt+Enter new line, /help commands".to_owned(),
                slash: Slash::Refused,
            };
            told(terminal.reply(&prompt))
        }
        Some(other) => (json!({ "unknown": other }), ExitCode::from(2)),
    };
    let printed = writeln!(std::io::stdout(), "{}", outcome.0);
    if given("--linger") {
        std::thread::sleep(Duration::from_mins(1));
    }
    match printed {
        Ok(()) => outcome.1,
        Err(_) => ExitCode::from(141),
    }
}

fn choices() -> Vec<Choice> {
    let rows = [
        ("a git ref of its own", "Git ref", Some("survives clones, no extra file"), true),
        ("sqlite", "SQLite file", Some("fast, but one more thing to back up"), false),
        ("one JSON file per session", "Flat files", None, false),
        ("日本語のデータベース", "日本語のデータベース", Some("幅の広い文字の説明です"), false),
    ];
    rows.map(|(value, label, description, recommended)| Choice {
        value: value.to_owned(),
        label: label.to_owned(),
        description: description.map(str::to_owned),
        recommended,
    })
    .to_vec()
}

fn many_choices() -> Vec<Choice> {
    let topic = |number: usize| Choice {
        value: format!("topic {number}"),
        label: format!("Topic {number}"),
        description: None,
        recommended: false,
    };
    (1..=30).map(topic).collect()
}

fn form(listed: Vec<Choice>) -> FormPrompt {
    let question = |label: &str, prompt: &str, choices: Vec<Choice>, other: Option<&str>| FormQuestion {
        label: label.to_owned(),
        prompt: prompt.to_owned(),
        choices,
        other: other.map(str::to_owned),
        ..FormQuestion::default()
    };
    let other = Some("Something else");
    let questions = vec![
        question("Storage", "Where does the state of a session live?", listed, other),
        question("Locks", "Who may write?\nOnly one of them is true.", choices()[..2].to_vec(), None),
        question("Name", "What is it called?", Vec::new(), other),
    ];
    FormPrompt { heading: "Before we start".to_owned(), questions }
}

fn picked(picked: Picked) -> Value {
    match picked {
        Picked::Choice { index, note } => json!({ "choice": index, "note": note }),
        Picked::Wrote(words) => json!({ "wrote": words }),
        Picked::Discuss => json!("discuss"),
    }
}

fn answer(answer: FormAnswer) -> Value {
    let FormAnswer { chosen, other, note } = answer;
    match (chosen.as_slice(), other) {
        ([index], None) => json!(index),
        ([], Some(words)) => json!({ "other": words }),
        (_, other) => json!({ "chosen": chosen, "other": other, "note": note }),
    }
}

fn told<T: serde::Serialize>(prompted: Prompted<T>) -> (Value, ExitCode) {
    match prompted {
        Prompted::Answered(value) => (json!({ "answered": value }), ExitCode::SUCCESS),
        Prompted::Cancelled { draft } => (json!({ "cancelled": draft }), ExitCode::from(5)),
        Prompted::Interrupted { draft } => (json!({ "interrupted": draft }), ExitCode::from(130)),
        Prompted::Unavailable(why) => (json!({ "unavailable": why }), ExitCode::from(3)),
        Prompted::TimedOut { draft } => (json!({ "timedOut": draft }), ExitCode::from(7)),
        Prompted::Lost { draft } => (json!({ "lost": draft }), ExitCode::from(128)),
    }
}
