//! The room against extensions of every kind, in memory: a thread plays the extension at the other ends of two pipes.

mod asking;
mod greeting;
mod hostile;
mod questionnaire;
mod recorded;

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::app::form::{Asker, Met};
use crate::app::ports::extensions::{ExtensionAction, Gave, Ran};
use crate::app::prompt::Settled;
use crate::domain::ui::{Answered, Chosen, Name, OneAnswer, Without};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"name":"demo","ui_api_version":1,"tools":[{"name":"ask","description":"Asks.","inputSchema":{"type":"object"}}],"commands":[{"name":"go","description":"Goes."}]}}"#;
/// The result with which it comes to an end.
const DONE: &str = r#"< {"jsonrpc":"2.0","id":2,"result":{"text":"done"}}"#;

fn name(raw: &str) -> Name {
    Name::parse("an extension", raw).unwrap()
}

fn ctx() -> Ctx {
    Ctx { cwd: "/w".to_owned(), session: None, ui: Ok(()) }
}

/// Limits that no busy machine reaches.
fn patient() -> Limits {
    Limits { handshake: Duration::from_mins(5), own_time: Duration::from_mins(5), ..Limits::default() }
}

fn go() -> ExtensionAction {
    ExtensionAction::Command(name("go"), vec!["now".to_owned()])
}

/// An extension that does this with its standard input and output.
fn extension(does: impl FnOnce(BufReader<PipeReader>, PipeWriter) + Send + 'static) -> (Streams, JoinHandle<()>) {
    let (heard, input) = pipe().unwrap();
    let (output, says) = pipe().unwrap();
    let peer = std::thread::spawn(move || does(BufReader::new(heard), says));
    (Streams { input: Box::new(input), output: Box::new(output), errors: Box::new(std::io::empty()) }, peer)
}

/// An extension that plays its side of a script: after `> ` stands what it must be told next, after `<` what it says.
fn playing(script: &str) -> (Streams, JoinHandle<()>) {
    playing_by(script, |expected, told| expected == told)
}

/// The same, where this says whether it was told what stands there.
fn playing_by(script: &str, same: fn(&Value, &Value) -> bool) -> (Streams, JoinHandle<()>) {
    let script = script.to_owned();
    extension(move |mut heard, mut says| {
        for line in script.lines() {
            if let Some(said) = line.strip_prefix('<') {
                writeln!(says, "{}", said.trim_start()).unwrap();
            } else if let Some(expected) = line.strip_prefix("> ") {
                let mut told = String::new();
                heard.read_line(&mut told).unwrap();
                let told = serde_json::from_str(&told).unwrap_or_else(|_| json!(told));
                let expected = serde_json::from_str(expected).unwrap();
                assert!(same(&expected, &told), "it was told {told} and not {expected}");
            }
        }
    })
}

/// An extension that says all this at once, whatever it is told, and is gone.
fn saying(bytes: impl Into<Vec<u8>>) -> Streams {
    Streams {
        input: Box::new(std::io::sink()),
        output: Box::new(Cursor::new(bytes.into())),
        errors: Box::new(std::io::empty()),
    }
}

/// Greets `demo`, which says `HELLO`, and has it go, by a script of what follows.
fn played(script: &str, asker: &mut dyn Asker) -> Result<Ran, Ended> {
    let begin = r#"> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"ctx":{"protocol":1,"ui_api_version":1,"flags":[],"cwd":"/w","session":null,"ui":["ui.select","ui.multi_select","ui.form","ui.confirm","ui.notify"]}}}"#;
    let order = r#"> {"jsonrpc":"2.0","id":2,"method":"command/run","params":{"name":"go","arguments":["now"]}}"#;
    let (streams, peer) = playing(&format!("{begin}\n< {HELLO}\n{order}\n{script}\n"));
    let mut driver = Driver::greet(streams, &name("demo"), &ctx(), patient())?;
    let ran = driver.run(&go(), asker);
    assert_eq!(driver.close(), "");
    peer.join().unwrap();
    ran
}

/// What `demo` gave when it came to its end.
fn done() -> Ran {
    let value = json!({"text": "done"});
    Ran::Done(Gave { text: Some("done".to_owned()), value, failed: false, errors: String::new() })
}

/// A line of a script that the extension says.
fn says(frame: &Value) -> String {
    format!("< {frame}")
}

/// A line of a script that the extension is told.
fn is_told(frame: &Value) -> String {
    format!("> {frame}")
}

/// A request of the extension.
fn asks(id: u64, method: &str, params: &Value) -> String {
    says(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

#[derive(Default)]
struct Answers {
    given: VecDeque<Given>,
    shown: Vec<Call>,
}

/// How a call is answered.
enum Given {
    Now(Answered),
    /// Like this, once nobody waits for it any more.
    Settled(Answered),
    Later,
}

impl Answers {
    fn of(given: impl IntoIterator<Item = Given>) -> Self {
        Self { given: given.into_iter().collect(), shown: Vec::new() }
    }

    fn now(answered: Answered) -> Self {
        Self::of([Given::Now(answered)])
    }

    /// Closes the prompt once it is settled, as a terminal does.
    fn once_settled() -> Self {
        Self::of([Given::Settled(Answered::Without(Without::TimedOut))])
    }
}

impl Asker for Answers {
    fn available(&self) -> Result<(), String> {
        Ok(())
    }

    fn ask(&mut self, call: &Call, settled: Settled) -> Met {
        self.shown.push(call.clone());
        match self.given.pop_front() {
            Some(Given::Now(answered)) => Met::Answered(answered),
            Some(Given::Settled(answered)) => {
                while !settled() {
                    std::thread::yield_now();
                }
                Met::Answered(answered)
            }
            Some(Given::Later) => Met::Later,
            None => panic!("nobody expected {call:?}"),
        }
    }
}

struct Nobody;

impl Asker for Nobody {
    fn available(&self) -> Result<(), String> {
        Err("there is no terminal".to_owned())
    }

    fn ask(&mut self, call: &Call, _settled: Settled) -> Met {
        panic!("{call:?} was asked where nobody can be asked")
    }
}

/// The option with this value and label is taken.
fn takes(value: &str, label: &str) -> OneAnswer {
    let one = Chosen { value: value.to_owned(), label: label.to_owned(), other: false };
    OneAnswer { chosen: vec![one], note: None }
}

/// A question with one option.
fn a_select() -> Value {
    json!({"prompt": "Which?", "options": [{"value": "a", "label": "A"}]})
}
