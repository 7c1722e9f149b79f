//! Our side of the conversation: initialize, run a command or a tool, close.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use super::asking::{NoCall, call};
use super::ended::shown;
use super::exchange::Exchange;
use super::wire::{self, CANCEL, Frame, is_ui};
use super::{Ctx, Ended, Limits, Streams, hello};
use crate::app::form::{Asker, Met};
use crate::app::ports::extensions::{ExtensionAction, Gave, Hello, Ran};
use crate::app::prompt::Settled;
use crate::domain::ui::{Answered, Call, Name, Without};

/// An extension that has answered `initialize`.
pub struct Driver {
    limits: Limits,
    hello: Hello,
    /// Shared with a prompt, which asks whether it is still wanted.
    exchange: Rc<RefCell<Exchange>>,
}

impl Driver {
    /// Sends `initialize` to the extension of this name and checks its answer. It must not call the UI before that.
    pub fn greet(streams: Streams, name: &Name, ctx: &Ctx, limits: Limits) -> Result<Self, Ended> {
        let mut exchange = Exchange::over(streams, limits);
        let id = exchange.request("initialize", &json!({"ctx": ctx.on_the_wire()}))?;
        let mut left = limits.handshake;
        let said = loop {
            match exchange.next(&mut left)? {
                None => return Err(Ended::Silent { within: limits.handshake }),
                Some(Frame::Reply { id: theirs, outcome }) => break reply_to(id, &theirs, outcome)?,
                Some(Frame::Request { id, method, .. }) if is_ui(&method) => {
                    let ended = Ended::NotAllowed { method: shown(&method) };
                    let why = "initialize must be answered first";
                    // It is ended whether it takes notice or not.
                    let _ = exchange.send(&wire::refusal_of_kind(&id, wire::WITHOUT, "ui_not_allowed", why));
                    return Err(ended);
                }
                Some(Frame::Notice { method, .. }) if is_ui(&method) => {
                    return Err(Ended::NotAllowed { method: shown(&method) });
                }
                Some(Frame::Request { id, method, .. }) => exchange.send(&wire::unknown(&id, &method))?,
                Some(Frame::Notice { .. }) => {}
            }
        };
        let hello = hello::check(name, &said)?;
        Ok(Self { limits, hello, exchange: Rc::new(RefCell::new(exchange)) })
    }

    /// Its answer to `initialize`.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Runs one of its commands or tools; `asker` answers its calls. The result has its standard error so far;
    /// [`Driver::close`] returns the rest.
    pub fn run(&mut self, deed: &ExtensionAction, asker: &mut dyn Asker) -> Result<Ran, Ended> {
        let (method, params) = self.order(deed)?;
        let id = self.exchange.borrow_mut().request(method, &params)?;
        let mut left = self.limits.own_time;
        loop {
            let frame = self.exchange.borrow_mut().next(&mut left)?;
            let later = match frame {
                None => return Err(Ended::TookTooLong { limit: self.limits.own_time }),
                Some(Frame::Reply { id: theirs, outcome }) => {
                    let value = reply_to(id, &theirs, outcome)?;
                    return gave(value, self.exchange.borrow().errors()).map(Ran::Done);
                }
                Some(Frame::Request { id, method, params }) => self.serve(&id, &method, params, asker)?,
                Some(Frame::Notice { method, params }) => self.notice(&method, params, asker)?,
            };
            if let Some(later) = later {
                return Ok(later);
            }
        }
    }

    /// Closes its standard input, waits at most [`super::LEAVING`] until it closes its standard error, and returns the
    /// end of that. A process that still runs afterwards may be killed.
    pub fn close(self) -> String {
        self.exchange.borrow_mut().close()
    }

    /// The request that runs a command or tool, if the extension offers it.
    fn order(&self, deed: &ExtensionAction) -> Result<(&'static str, Value), Ended> {
        let Hello { tools, commands, .. } = &self.hello;
        let (what, name, names): (_, _, Vec<&str>) = match deed {
            ExtensionAction::Tool(name, _) => ("tool", name, tools.iter().map(|one| one.name.as_str()).collect()),
            ExtensionAction::Command(name, _) => {
                ("command", name, commands.iter().map(|one| one.name.as_str()).collect())
            }
        };
        if !names.contains(&name.as_str()) {
            let offered =
                if names.is_empty() { format!("it has no {what}s") } else { format!("it has {}", names.join(", ")) };
            return Err(Ended::NotOffered { what, name: name.clone(), offered });
        }
        Ok(match deed {
            ExtensionAction::Tool(name, arguments) => {
                ("tool/call", json!({"name": name.as_str(), "arguments": arguments}))
            }
            ExtensionAction::Command(name, words) => {
                ("command/run", json!({"name": name.as_str(), "arguments": words}))
            }
        })
    }

    /// Serves a request. Returns how the run ends, if the answer comes with a later call.
    fn serve(&self, id: &Value, method: &str, params: Value, asker: &mut dyn Asker) -> Result<Option<Ran>, Ended> {
        if is_ui(method) {
            self.exchange.borrow_mut().count_call()?;
        }
        let frame = match call(method, params) {
            Err(NoCall::UnknownMethod) => wire::unknown(id, method),
            Err(NoCall::Bad(why)) => wire::refusal(id, wire::BAD_PARAMS, &why),
            Ok(call) => match self.put(id, &call, asker) {
                Met::Later => return Ok(Some(Ran::Later)),
                Met::Answered(answered) => match answered.returned(&call) {
                    Ok(returned) => wire::answer(id, &json!(returned)),
                    Err(without) => wire::refusal_of_kind(id, wire::WITHOUT, without.kind(), &without.to_string()),
                },
            },
        };
        self.exchange.borrow().send(&frame)?;
        Ok(None)
    }

    /// Serves a message without an id: `ui.notify` is shown. Other calls are ignored, since they need an answer, and so
    /// is `ui.cancel` while no call is open.
    fn notice(&self, method: &str, params: Value, asker: &mut dyn Asker) -> Result<Option<Ran>, Ended> {
        if is_ui(method) && method != CANCEL {
            self.exchange.borrow_mut().count_call()?;
        }
        match call(method, params) {
            Ok(call @ Call::Notify(..)) => match self.put(&Value::Null, &call, asker) {
                Met::Later => Ok(Some(Ran::Later)),
                Met::Answered(_) => Ok(None),
            },
            Ok(Call::Ask(_) | Call::Form(_) | Call::Confirm(_)) | Err(_) => Ok(None),
        }
    }

    /// Asks a person. A call that the extension took back is cancelled (P15), unless the answer came first.
    fn put(&self, id: &Value, call: &Call, asker: &mut dyn Asker) -> Met {
        if let Err(why) = asker.available() {
            return Met::Answered(Answered::Without(Without::Unavailable(why)));
        }
        self.exchange.borrow_mut().open();
        let (exchange, id) = (Rc::downgrade(&self.exchange), id.clone());
        let settled: Settled =
            Rc::new(move || exchange.upgrade().is_none_or(|exchange| exchange.borrow_mut().is_settled(&id)));
        match asker.ask(call, settled) {
            Met::Answered(Answered::Without(_)) if self.exchange.borrow().took_back() => {
                Met::Answered(Answered::Without(Without::Cancelled))
            }
            met @ (Met::Answered(_) | Met::Later) => met,
        }
    }
}

/// The outcome of our request `ours`, if this answers it.
fn reply_to(ours: u64, theirs: &Value, outcome: Result<Value, String>) -> Result<Value, Ended> {
    let is_ours = theirs.as_u64() == Some(ours);
    match outcome {
        Ok(value) if is_ours => Ok(value),
        // An error without an id says that it could not read the request.
        Err(message) if is_ours || theirs.is_null() => Err(Ended::Failed { message: shown(&message) }),
        Ok(_) | Err(_) => Err(Ended::Stray { id: shown(&theirs.to_string()) }),
    }
}

/// The result of a command or tool.
fn gave(value: Value, errors: String) -> Result<Gave, Ended> {
    let bad = |why: &str| Err(Ended::BadResult { why: why.to_owned() });
    let Value::Object(result) = &value else { return bad("it is not an object") };
    let text = match result.get("text") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return bad("text is not a string"),
    };
    let failed = match result.get("isError") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(failed)) => *failed,
        Some(_) => return bad("isError is not a boolean"),
    };
    Ok(Gave { text, value, failed, errors })
}
