//! Extensions in other languages, written by the manual alone and driven over the wire (P9, P28).

use std::collections::VecDeque;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use git_grill::app::form::{Asker, Met};
use git_grill::app::ports::extensions::{ExtensionAction, Gave, Ran};
use git_grill::app::prompt::Settled;
use git_grill::domain::ui::{Answered, Call, Chosen, Name, OneAnswer, Without};
use git_grill::extension::{Ctx, Driver, Ended, Limits, Streams};
use serde_json::{Value, json};

fn name(raw: &str) -> Name {
    Name::parse("an extension", raw).unwrap()
}

/// Starts an example from the fixtures and greets it.
fn greeted(example: &str) -> (Child, Driver) {
    let file = format!("fixtures/extension/git-grill-{example}");
    let mut child = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(file))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let streams = Streams {
        input: Box::new(child.stdin.take().unwrap()),
        output: Box::new(child.stdout.take().unwrap()),
        errors: Box::new(child.stderr.take().unwrap()),
    };
    let ctx = Ctx { cwd: "/".to_owned(), session: None, ui: Ok(()) };
    // No busy machine reaches these.
    let limits = Limits { handshake: Duration::from_mins(5), own_time: Duration::from_mins(5), ..Limits::default() };
    match Driver::greet(streams, &name(example), &ctx, limits) {
        Ok(driver) => (child, driver),
        Err(ended) => panic!("{example} {ended}"),
    }
}

/// What an example gives, and that it leaves when it is asked to.
fn ran(example: &str, deed: &ExtensionAction, person: &mut Person) -> Result<Gave, Ended> {
    let (mut child, mut driver) = greeted(example);
    let ran = driver.run(deed, person);
    let errors = driver.close();
    assert!(child.wait().unwrap().success(), "{errors}");
    match ran? {
        Ran::Done(gave) => Ok(gave),
        Ran::Later => panic!("nobody answers later"),
    }
}

/// Takes the options with these values in turn, or says them as own words where no option has them.
struct Person {
    says: VecDeque<&'static str>,
    asked: Vec<String>,
}

impl Person {
    fn who_says<const N: usize>(says: [&'static str; N]) -> Self {
        Self { says: says.into(), asked: vec![] }
    }
}

impl Asker for Person {
    fn available(&self) -> Result<(), String> {
        Ok(())
    }

    fn ask(&mut self, call: &Call, _settled: Settled) -> Met {
        let Call::Ask(question) = call else { panic!("no example asks {call:?}") };
        self.asked.push(question.prompt.to_string());
        let Some(says) = self.says.pop_front() else { return Met::Answered(Answered::Without(Without::Cancelled)) };
        let option = question.options.iter().find(|option| option.value == says);
        assert!(option.is_some() || question.allow_other, "{says} is not offered");
        let chosen = option.map_or_else(
            || Chosen::own(says),
            |option| Chosen { value: option.value.clone(), label: option.label.to_string(), other: false },
        );
        Met::Answered(Answered::Questions(vec![OneAnswer { chosen: vec![chosen], note: None }]))
    }
}

fn command(name_of_it: &str, words: &[&str]) -> ExtensionAction {
    ExtensionAction::Command(name(name_of_it), words.iter().map(|&word| word.to_owned()).collect())
}

fn tool(name_of_it: &str, arguments: Value) -> ExtensionAction {
    ExtensionAction::Tool(name(name_of_it), arguments)
}

#[test]
fn p9_an_extension_in_shell_asks_and_gives_what_was_picked() {
    let words = ["red", "pale \"green\"", "blue] \\, or not"];
    let person = || Person::who_says(["pale \"green\""]);
    let expected = json!({"text": "pale \"green\"", "picked": "pale \"green\""});
    assert_eq!(ran("pick", &command("one", &words), &mut person()).unwrap().value, expected);
    assert_eq!(ran("pick", &tool("one", json!({"options": words})), &mut person()).unwrap().value, expected);
    let closed = ran("pick", &command("one", &words), &mut Person::who_says([])).unwrap();
    assert_eq!((closed.text.as_deref(), closed.failed), (Some("Nothing was picked."), false));
    let nothing = ran("pick", &command("one", &[]), &mut Person::who_says([])).unwrap();
    let expected = "Nothing was picked: question 1 offers no options and takes no other words";
    assert_eq!((nothing.text.as_deref(), nothing.failed), (Some(expected), true));
}

#[test]
fn p9_p28_a_wizard_in_python_asks_by_what_was_answered_and_goes_back() {
    let mut person = Person::who_says(["bug", "all", "back", "back", "idea", "Count in days"]);
    let gave = ran("intake", &command("new", &[]), &mut person).unwrap();
    let (kind, impact, title) = ("What is it about?", "Whom does it stop?", "What do you call it?");
    assert_eq!(person.asked, [kind, impact, title, impact, kind, title]);
    assert_eq!(gave.text.as_deref(), Some("kind: idea\ntitle: Count in days"));
    assert_eq!(gave.value["answers"], json!({"kind": "idea", "title": "Count in days"}));
    let closed = ran("intake", &tool("collect", json!({})), &mut Person::who_says(["bug"])).unwrap();
    assert_eq!((closed.text.as_deref(), closed.failed), (Some("Nothing was collected: the prompt was closed"), true));
}
