//! Whatever order an agent, the user and the end of the stream come in: one answer to each request, nothing allowed late.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::acp::permission::May;
use crate::agents::Preset;

fn rules() -> Rules<'static> {
    let preset = Preset::named("claude").unwrap();
    Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false }
}

/// Ids are few, so that they meet, and of both kinds.
fn id_of(id: u8) -> Value {
    if id.is_multiple_of(2) { json!(id) } else { json!(id.to_string()) }
}

fn parsed(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap()
}

/// A part of an answer.
fn part(answer: Option<Value>, pointer: &str) -> Value {
    answer.and_then(|mut answer| answer.pointer_mut(pointer).map(Value::take)).unwrap_or_default()
}

/// The word that a form was answered with.
fn word(answer: &Value) -> &str {
    let result = &answer["result"];
    result["action"].as_str().or_else(|| result["outcome"].as_str()).unwrap_or_default()
}

#[derive(Clone, Debug)]
enum Step {
    Prompt,
    Cancel,
    Permission(u8),
    Writes(u8),
    Elicits {
        id: u8,
        method: &'static str,
        /// Whether it can be shown.
        shows: bool,
    },
    Withdraws(u8),
    /// The user fills in one of the forms that they were ever shown.
    Fills(prop::sample::Index, ServerReply),
    Told,
    /// The agent is gone.
    Gone,
}

fn step() -> impl Strategy<Value = Step> {
    let id = || 0..4_u8;
    let method = prop::sample::select(vec!["elicitation/create", "_x.ai/mcp/elicit"]);
    let elicits = (id(), method, prop::bool::weighted(0.8));
    let replies = vec![ServerReply::Sent(Vec::new()), ServerReply::Declined, ServerReply::Closed];
    let fills = (any::<prop::sample::Index>(), prop::sample::select(replies));
    prop_oneof![
        4 => Just(Step::Prompt),
        4 => Just(Step::Cancel),
        6 => id().prop_map(Step::Permission),
        2 => id().prop_map(Step::Writes),
        12 => elicits.prop_map(|(id, method, shows)| Step::Elicits { id, method, shows }),
        5 => id().prop_map(Step::Withdraws),
        8 => fills.prop_map(|(at, reply)| Step::Fills(at, reply)),
        3 => Just(Step::Told),
        1 => Just(Step::Gone),
    ]
}

/// What is known from outside.
#[derive(Default)]
struct Play {
    exchange: Exchange,
    /// The forms that were handed out, each with its id.
    forms: Vec<(Form, Value)>,
    /// Those of them that wait for an answer.
    open: BTreeSet<usize>,
    /// Forms since the turn began.
    many: usize,
    cancelled: bool,
    gone: bool,
}

impl Play {
    fn waiting(&self, id: &Value) -> Option<usize> {
        self.open.iter().copied().find(|at| self.forms[*at].1 == *id)
    }

    fn takes(&mut self, message: &Value) -> (Event, Option<Value>) {
        let (event, answer) = self.exchange.take(message.to_string().as_bytes(), &rules()).unwrap();
        (event, answer.map(|answer| parsed(&answer)))
    }

    /// A request of the agent, and what is answered at once. One whose id is open gets no further.
    fn asks(&mut self, id: u8, method: &str, params: &Value) -> Result<Option<(Event, Option<Value>)>, TestCaseError> {
        let id = id_of(id);
        let open = self.waiting(&id).is_some();
        let (event, answer) = self.takes(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        if let Some(answer) = &answer {
            prop_assert_eq!(&answer["id"], &id);
        }
        if !open {
            return Ok(Some((event, answer)));
        }
        prop_assert_eq!(part(answer, "/error/code"), json!(NOT_A_REQUEST));
        prop_assert!(matches!(event, Event::Other(_)), "{:?}", event);
        Ok(None)
    }

    fn cancels(&mut self) -> Result<(), TestCaseError> {
        let sent: Vec<Value> = self.exchange.cancel("s").iter().map(|line| parsed(line)).collect();
        prop_assert_eq!(&sent[0]["method"], "session/cancel");
        for answer in &sent[1..] {
            let at = self.waiting(&answer["id"]);
            prop_assert!(at.is_some_and(|at| self.open.remove(&at)), "{} was answered already", answer);
            prop_assert_eq!(word(answer), "cancel");
        }
        prop_assert!(self.open.is_empty(), "what waits in a turn that is cancelled is answered");
        self.cancelled = true;
        Ok(())
    }

    fn plays(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match step {
            Step::Prompt => {
                let (_, line) = self.exchange.prompt("s", "go on", &[]);
                prop_assert_eq!(part(Some(parsed(&line)), "/method"), "session/prompt");
                (self.cancelled, self.many) = (false, 0);
            }
            Step::Cancel => self.cancels()?,
            Step::Fills(at, reply) => {
                if self.forms.is_empty() {
                    return Ok(());
                }
                let at = at.index(self.forms.len());
                let waits = self.open.remove(&at);
                let (form, id) = &self.forms[at];
                prop_assert_eq!(self.exchange.waits_for(form), waits);
                let sent = self.exchange.fill(form, reply.clone()).map(|line| parsed(&line));
                prop_assert_eq!(sent.is_some(), waits, "an answer to what waits no more is void");
                if let Some(sent) = sent {
                    let said = match reply {
                        ServerReply::Sent(_) => "accept",
                        ServerReply::Declined => "decline",
                        ServerReply::Closed => "cancel",
                    };
                    prop_assert_eq!((&sent["id"], word(&sent)), (id, said));
                    prop_assert!(!self.cancelled, "nothing is sent late");
                }
            }
            // Nothing comes of one that is gone.
            _ if self.gone => {}
            Step::Permission(_)
            | Step::Writes(_)
            | Step::Elicits { .. }
            | Step::Withdraws(_)
            | Step::Told
            | Step::Gone => {
                self.comes(step)?;
            }
        }
        Ok(())
    }

    /// What comes from the agent.
    fn comes(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match step {
            Step::Permission(id) => {
                let params = json!({"toolCall": {"toolCallId": "c", "kind": "read"},
                    "options": [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]});
                let Some((event, answer)) = self.asks(*id, "session/request_permission", &params)? else {
                    return Ok(());
                };
                let (expected, ruled) = if self.cancelled {
                    (json!({"outcome": "cancelled"}), Ruling::Cancelled)
                } else {
                    (json!({"outcome": "selected", "optionId": "yes"}), Ruling::Allowed)
                };
                prop_assert_eq!(part(answer, "/result/outcome"), expected);
                prop_assert!(matches!(event, Event::Ruled(_, ruling) if ruling == ruled));
            }
            Step::Writes(id) => {
                let Some((_, answer)) = self.asks(*id, "fs/write_text_file", &json!({}))? else { return Ok(()) };
                prop_assert_eq!(part(answer, "/error/code"), json!(NOT_ALLOWED));
            }
            Step::Elicits { id, method, shows } => {
                let mode = if *shows { "form" } else { "url" };
                let params = json!({"mode": mode, "message": "Sure?"});
                let Some((event, answer)) = self.asks(*id, method, &params)? else { return Ok(()) };
                self.many += 1;
                let waits = *shows && !self.cancelled && self.many <= MOST_FORMS;
                prop_assert_eq!(answer.is_none(), waits);
                if let Some(answer) = answer {
                    prop_assert_eq!(word(&answer), "cancel", "what cannot be shown is not declined");
                }
                let Event::Asks(form) = event else {
                    prop_assert!(self.many > MOST_FORMS);
                    return Ok(());
                };
                if waits {
                    self.open.insert(self.forms.len());
                }
                self.forms.push((form, id_of(*id)));
            }
            Step::Withdraws(id) => {
                let id = id_of(*id);
                let open = self.waiting(&id);
                let (event, answer) = self.takes(&json!({"method": "$/cancel_request", "params": {"requestId": id}}));
                prop_assert_eq!(answer.is_some(), open.is_some());
                let (Some(at), Some(answer)) = (open, answer) else { return Ok(()) };
                prop_assert_eq!(&answer["id"], &id);
                prop_assert_eq!(&answer["error"]["code"], v1::CANCELLED);
                prop_assert!(matches!(event, Event::Withdrawn(form) if form.is(&self.forms[at].0)));
                self.open.remove(&at);
            }
            Step::Told => {
                let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"text": "late"}});
                let (event, answer) = self.takes(&json!({"method": "session/update", "params": {"update": update}}));
                prop_assert_eq!((event, answer), (Event::Told(Update::Said("late".to_owned()), None), None));
            }
            Step::Gone => {
                self.exchange.gone();
                self.open.clear();
                self.gone = true;
            }
            Step::Prompt | Step::Cancel | Step::Fills(..) => unreachable!("they are ours"),
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn a35_each_request_is_answered_once_and_nothing_is_allowed_late(
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut play = Play::default();
        for step in &steps {
            play.plays(step)?;
        }
        // Whatever is open now gets its one answer.
        play.cancels()?;
    }
}

#[test]
fn a35_an_answer_to_a_form_that_was_taken_back_is_none_to_the_next_one_with_its_id() {
    let mut play = Play::default();
    let asked = json!({"id": 7, "method": "elicitation/create", "params": {"message": "Sure?"}});
    let back = json!({"method": "$/cancel_request", "params": {"requestId": 7}});
    let (Event::Asks(first), None) = play.takes(&asked) else { panic!("it waits") };
    let (Event::Withdrawn(_), Some(taken)) = play.takes(&back) else { panic!("it is answered") };
    assert_eq!((&taken["id"], &taken["error"]["code"]), (&json!(7), &json!(v1::CANCELLED)));
    let (Event::Asks(second), None) = play.takes(&asked) else { panic!("it waits") };
    assert_eq!(play.exchange.fill(&first, ServerReply::Sent(Vec::new())), None);
    assert!(play.exchange.fill(&second, ServerReply::Declined).is_some());
}

#[test]
fn a31_an_update_of_another_session_is_a_sign_of_life_and_no_more() {
    let mut play = Play::default();
    let said = |session: &Value| {
        let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"text": "hello"}});
        json!({"method": "session/update", "params": {"sessionId": session, "update": update}})
    };
    let told = Event::Told(Update::Said("hello".to_owned()), None);
    // Before the first turn nothing is ours or another's.
    assert_eq!(play.takes(&said(&json!("other"))).0, told);
    play.exchange.prompt("s", "go on", &[]);
    assert!(matches!(play.takes(&said(&json!("other"))), (Event::Other(_), None)));
    for ours in [json!("s"), Value::Null] {
        assert_eq!(play.takes(&said(&ours)).0, told);
    }
}

#[test]
fn a36_a_server_that_asks_without_end_is_cancelled_until_the_next_turn() {
    let mut play = Play::default();
    let asked = |id: usize| json!({"id": id, "method": "elicitation/create", "params": {"message": "Again?"}});
    let waits = |play: &mut Play, id: usize| play.takes(&asked(id)).1.is_none();
    let shown = (0..20).filter(|id| waits(&mut play, *id)).count();
    assert_eq!(shown, MOST_FORMS);
    play.exchange.prompt("s", "go on", &[]);
    assert!(waits(&mut play, 20));
}
