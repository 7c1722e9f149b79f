//! The frames of extensions that were written for version 1 (P29): every later build plays them.
//!
//! A line after `> ` goes from the host to the extension, one after `< ` the other way (`<` alone is an empty line); `? ` is how a person answers the call
//! before it, `# ` says what the file is about.

use super::*;

/// Every file of the folder.
const RECORDED: &[(&str, &str)] = &[
    ("select", include_str!("../../../fixtures/extension/v1/select.frames")),
    ("multi_select", include_str!("../../../fixtures/extension/v1/multi_select.frames")),
    ("form", include_str!("../../../fixtures/extension/v1/form.frames")),
    ("confirm_notify", include_str!("../../../fixtures/extension/v1/confirm_notify.frames")),
    ("cancel_busy", include_str!("../../../fixtures/extension/v1/cancel_busy.frames")),
    ("errors", include_str!("../../../fixtures/extension/v1/errors.frames")),
    ("unavailable", include_str!("../../../fixtures/extension/v1/unavailable.frames")),
];

/// Answers as the `? ` lines of a file say.
struct Person {
    answers: VecDeque<Value>,
    available: Result<(), String>,
}

impl Asker for Person {
    fn available(&self) -> Result<(), String> {
        self.available.clone()
    }

    fn ask(&mut self, call: &Call, settled: Settled) -> Met {
        let answer = self.answers.pop_front().unwrap_or_else(|| panic!("no line says how {call:?} is answered"));
        Met::Answered(match answer.as_str() {
            Some("shown") => Answered::Shown,
            Some("cancelled") => Answered::Without(Without::Cancelled),
            Some("declined") => Answered::Without(Without::Declined),
            Some("timed out") => Answered::Without(Without::TimedOut),
            Some("lost") => Answered::Without(Without::Lost),
            Some("waits") => {
                while !settled() {
                    std::thread::yield_now();
                }
                Answered::Without(Without::TimedOut)
            }
            Some(other) => panic!("no answer is called {other}"),
            None => match answer.as_bool() {
                Some(confirmed) => Answered::Confirmed(confirmed),
                None => Answered::Questions(answer.as_array().unwrap().iter().map(one).collect()),
            },
        })
    }
}

/// An answer: `take` is a list of values and labels, `own` the person's own words, `note` what is added.
fn one(answer: &Value) -> OneAnswer {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pairs = answer["take"].as_array().into_iter().flatten();
    let taken = pairs.map(|pair| Chosen { value: text(&pair[0]), label: text(&pair[1]), other: false });
    let chosen = taken.chain(answer.get("own").map(|own| Chosen::own(text(own)))).collect();
    OneAnswer { chosen, note: answer.get("note").map(text) }
}

/// Whether an extension finds all that it was told when it was recorded. A later version may say more, and in other words.
fn keeps(recorded: &Value, told: &Value) -> bool {
    if let (Some(recorded), Some(told)) = (recorded.as_object(), told.as_object()) {
        return recorded.iter().all(|(key, one)| match (key.as_str(), told.get(key)) {
            (_, None) => false,
            ("message", Some(words)) => words.is_string(),
            ("ui", Some(methods)) => {
                let methods = methods.as_array().unwrap();
                one.as_array().unwrap().iter().all(|method| methods.contains(method))
            }
            (_, Some(two)) => keeps(one, two),
        });
    }
    if let (Some(recorded), Some(told)) = (recorded.as_array(), told.as_array()) {
        return recorded.len() == told.len() && recorded.iter().zip(told).all(|(one, two)| keeps(one, two));
    }
    recorded == told
}

fn frames(file: &str, mark: &str) -> Vec<Value> {
    file.lines().filter_map(|line| line.strip_prefix(mark)).map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

/// The context that the recorded host told.
fn recorded_ctx(ctx: &Value) -> Ctx {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let session = ctx["session"].as_object().map(|session| SessionCtx {
        id: text(&session["id"]),
        topic: text(&session["topic"]),
        phase: text(&session["phase"]),
        plan_mode: session["plan_mode"].as_bool().unwrap(),
    });
    let ui = ctx.get("ui_unavailable").map_or(Ok(()), |why| Err(text(why)));
    Ctx { cwd: text(&ctx["cwd"]), session, ui }
}

/// What the recorded host ordered.
fn recorded_deed(order: &Value) -> ExtensionAction {
    let (called, arguments) = (name(order["params"]["name"].as_str().unwrap()), &order["params"]["arguments"]);
    match order["method"].as_str().unwrap() {
        "tool/call" => ExtensionAction::Tool(called, arguments.clone()),
        "command/run" => ExtensionAction::Command(called, serde_json::from_value(arguments.clone()).unwrap()),
        other => panic!("the host never asks for {other}"),
    }
}

#[test]
fn p29_an_extension_that_was_written_for_version_1_goes_on_working() {
    for (file, text) in RECORDED {
        let (host, peer) = (frames(text, "> "), frames(text, "< "));
        let ctx = recorded_ctx(&host[0]["params"]["ctx"]);
        let called = name(peer[0]["result"]["name"].as_str().unwrap());
        let mut person = Person { answers: frames(text, "? ").into(), available: ctx.ui.clone() };
        let (streams, playing) = playing_by(text, keeps);
        let mut driver = match Driver::greet(streams, &called, &ctx, patient()) {
            Ok(driver) => driver,
            Err(ended) => panic!("{file}: {ended}"),
        };
        let ran = driver.run(&recorded_deed(&host[1]), &mut person);
        let result = peer.last().unwrap()["result"].clone();
        match ran {
            Ok(Ran::Done(gave)) => assert_eq!(gave.value, result, "{file}"),
            Ok(Ran::Later) => panic!("{file}: nobody answers later"),
            Err(ended) => panic!("{file}: {ended}"),
        }
        assert_eq!(person.answers, VecDeque::<Value>::new(), "{file}: every answer was asked for");
        driver.close();
        assert!(playing.join().is_ok(), "{file}: the host said something else");
    }
}

#[test]
fn p29_the_recorded_frames_have_every_method_and_every_key_of_version_1() {
    let all: String = RECORDED.iter().map(|(_, text)| *text).collect();
    let words = "initialize ctx protocol ui_api_version flags cwd session id topic phase plan_mode ui ui_unavailable name \
                 version tools description inputSchema commands tool/call command/run arguments text isError ui.cancel \
                 questions label prompt kind options value allow_other preview note message level answers values labels \
                 other confirmed cancelled code data";
    for word in words.split_whitespace().chain(Call::METHODS.iter().copied()) {
        assert!(all.contains(&format!("\"{word}\"")), "{word}");
    }
    for kind in ["ui_unavailable", "ui_lost", "ui_timed_out", "ui_declined", "ui_busy"] {
        assert!(all.contains(&format!("{{\"kind\":\"{kind}\"}}")), "{kind}");
    }
}
