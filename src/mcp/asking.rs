//! A call that needs a person: the form is shown in the way of the client's era, the session is looked at meanwhile, and
//! whatever a client does, the question stands where it was recorded.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolResponse, CallToolResult, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, InputRequest, InputRequiredResult, InputResponses, ProgressNotificationParam,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RequestHandle, RoleServer, ServiceError};
use serde_json::{Value, json};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use crate::app::toolbox::{Call, Called, Filled, NotSent, ToolText, Toolbox, Waiting};

use super::blocking::blocking;
use super::changes::Changes;
use super::era::Shows;
use super::form;
use super::opening::Withdrawn;
use super::server::result;

/// How often things are done while a person thinks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// How often the session is looked at for an answer that came from elsewhere.
    pub look: Duration,
    /// How often a waiting client hears that somebody is still thinking; one was seen to give up after a minute of
    /// silence.
    pub progress: Duration,
}

pub(super) const PACE: Pace = Pace { look: Duration::from_millis(500), progress: Duration::from_secs(10) };

/// The name of our one request within a round.
const FORM: &str = "form";

/// A call with whom it came from.
pub(super) struct Asker {
    pub toolbox: Arc<dyn Toolbox>,
    pub call: Call,
    pub context: RequestContext<RoleServer>,
    pub pace: Pace,
    pub withdrawn: Withdrawn,
    pub seal: Arc<Seal>,
}

impl Asker {
    async fn call(&self) -> Result<Called, ErrorData> {
        let call = self.call.clone();
        blocking(&self.toolbox, move |toolbox| toolbox.call(&call)).await
    }

    async fn fill(&self, waiting: &Waiting, filled: Filled) -> Result<Called, ErrorData> {
        let (waiting, call) = (waiting.clone(), self.call.clone());
        blocking(&self.toolbox, move |toolbox| toolbox.fill(&waiting, &call, filled)).await
    }

    /// Keeps the input of a form that no call waits for any more, and the input of the forms before it.
    async fn late(&self, waiting: &Waiting, values: Value) -> Result<(), ErrorData> {
        if values.is_null() && waiting.given.is_null() {
            return Ok(());
        }
        let (waiting, call) = (waiting.clone(), self.call.clone());
        blocking(&self.toolbox, move |toolbox| toolbox.late(&waiting, &call, values)).await
    }

    async fn look(&self, waiting: &Waiting) -> Result<Option<ToolText>, ErrorData> {
        let (waiting, call) = (waiting.clone(), self.call.clone());
        blocking(&self.toolbox, move |toolbox| toolbox.look(&waiting, &call)).await
    }

    fn shows(&self) -> Shows {
        Shows::of(self.context.client_capabilities().as_ref(), self.context.protocol_version().as_ref())
    }
}

/// Serves a call in the first era: the form is a request of our own while the call is open.
pub(super) async fn by_requests(asker: &Asker) -> Result<CallToolResult, ErrorData> {
    // From before the call on, so that no answer falls between the two.
    let mut changes = Changes::since_now(asker.toolbox.clone(), asker.pace.look).await;
    let mut called = asker.call().await?;
    let mut forms = 0;
    loop {
        called = match called {
            Called::Done(said) => return Ok(result(said)),
            Called::Waiting(waiting) if forms < waiting.most_forms() => {
                forms += 1;
                shown_once(asker, &waiting, &mut changes).await?
            }
            Called::Waiting(waiting) => {
                asker.late(&waiting, Value::Null).await?;
                return Ok(result(waiting.meanwhile));
            }
        };
    }
}

/// Shows a form, and takes what came of it.
async fn shown_once(asker: &Asker, waiting: &Waiting, changes: &mut Changes) -> Result<Called, ErrorData> {
    let Some(form) = form::request(waiting, asker.shows()) else {
        return asker.fill(waiting, Filled::NotSent(NotSent::NoForms)).await;
    };
    let Ok(mut shown) = Shown::at(&asker.context.peer, form).await else {
        return asker.fill(waiting, Filled::NotSent(NotSent::Failed)).await;
    };
    let begun = Instant::now();
    let limit = waiting.within.map(|within| begun + within);
    // Nobody has waited yet.
    let mut beats = interval_at(begun + asker.pace.progress, asker.pace.progress);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            // What a person sent comes before what happened meanwhile.
            biased;
            answer = shown.answer() => {
                let filled = answer.map_or_else(Filled::NotSent, |answer| filled(waiting, answer));
                let called = asker.fill(waiting, filled).await?;
                // Whoever called reads no result of a call that it cancelled: it hears of it with the next one.
                if let Called::Done(said) = &called && asker.context.ct.is_cancelled() {
                    asker.toolbox.undelivered(said.clone());
                }
                return Ok(called);
            }
            // The client does not want the result any more; the question stands.
            () = asker.context.ct.cancelled() => {
                shown.withdraw(asker, waiting, "the call was cancelled").await;
                asker.late(waiting, Value::Null).await?;
                return Ok(Called::Done(waiting.meanwhile.clone()));
            }
            () = changes.next() => {
                if let Some(said) = asker.look(waiting).await? {
                    shown.withdraw(asker, waiting, "it was decided elsewhere").await;
                    asker.late(waiting, Value::Null).await?;
                    return Ok(Called::Done(said));
                }
            }
            () = until(limit) => {
                shown.withdraw(asker, waiting, "the time that the caller gave is over").await;
                return asker.fill(waiting, Filled::NotSent(NotSent::TimedOut)).await;
            }
            _ = beats.tick() => beat(asker, begun.elapsed()).await,
        }
    }
}

/// Comes at this moment; without one, never.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// A form on a client's screen.
struct Shown(RequestHandle<RoleServer>);

impl Shown {
    async fn at(peer: &Peer<RoleServer>, form: ElicitRequestParams) -> Result<Self, ServiceError> {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
        peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.map(Self)
    }

    /// What it came back with. Dropped while it waits, it has lost nothing.
    async fn answer(&mut self) -> Result<ElicitResult, NotSent> {
        match (&mut self.0.rx).await {
            Ok(Ok(ClientResult::ElicitResult(answer))) => Ok(answer),
            // An error, or something else than a form comes back with: it declares what it cannot do.
            Ok(Ok(_) | Err(ServiceError::McpError(_) | ServiceError::UnexpectedResponse)) => Err(NotSent::Failed),
            // It is gone, and says nothing about what it can do.
            Ok(Err(_)) | Err(_) => Err(NotSent::Cancelled),
        }
    }

    /// Takes it from the screen, so that nobody answers what is decided; a client that is gone has none any more. What a
    /// person sent just then crosses it on the way: it is taken like any late reply.
    async fn withdraw(mut self, asker: &Asker, waiting: &Waiting, why: &str) {
        let (toolbox, call, waiting) = (asker.toolbox.clone(), asker.call.clone(), waiting.clone());
        let late = move |frame: Value| {
            let answer = frame.get("result").and_then(|sent| serde_json::from_value(sent.clone()).ok())?;
            let sent = filled(&waiting, answer);
            // Whoever called has its result already; what was sent is kept, and told with the next call.
            matches!(sent, Filled::Sent(_)).then(|| {
                tokio::task::spawn_blocking(move || match toolbox.fill(&waiting, &call, sent) {
                    Called::Done(said) => toolbox.undelivered(said),
                    // No client is left to show the form for the rest.
                    Called::Waiting(more) => toolbox.late(&more, &call, Value::Null),
                })
            })
        };
        let request = serde_json::to_value(&self.0.id).unwrap_or_default();
        asker.withdrawn.note(&request, Box::new(late));
        // It may have come while the session was looked at, before it was known as late.
        if let Ok(Ok(ClientResult::ElicitResult(answer))) = self.0.rx.try_recv() {
            asker.withdrawn.takes(&request, &json!({ "result": answer }));
            return;
        }
        let _ = self.0.cancel(Some(why.to_owned())).await;
    }
}

async fn beat(asker: &Asker, waited: Duration) {
    let Some(token) = asker.context.meta.get_progress_token() else { return };
    let mut progress = ProgressNotificationParam::new(token, waited.as_secs_f64());
    progress.message = Some("waiting for the person's answer".to_owned());
    // A client that is gone ends the call by itself.
    let _ = asker.context.peer.notify_progress(progress).await;
}

/// Serves a call in the second era: the form is a result, and the next call brings its input and the input `given` in
/// the forms before.
pub(super) async fn by_rounds(
    asker: &Asker,
    responses: Option<InputResponses>,
    given: Value,
) -> Result<CallToolResponse, ErrorData> {
    let responded = responses.is_some();
    let answer = responses.and_then(|mut all| serde_json::from_value::<ElicitResult>(all.remove(FORM)?).ok());
    if responded && given.is_array() {
        return next_round(asker, answer, given).await;
    }
    let mut waiting = match asker.call().await? {
        Called::Done(said) => return late(asker, said, answer, given).await,
        Called::Waiting(waiting) => waiting,
    };
    let form = form::request(&waiting, asker.shows());
    // Input for another question does not answer this one, and a client without forms has no input.
    let ours = form.is_some() && asker.call.again.as_deref() == Some(waiting.handle.as_str());
    if !ours {
        let before = before(asker, given.clone(), waiting.meanwhile.clone());
        let values = match answer.clone().map(|answer| filled(&before, answer)) {
            Some(Filled::Sent(values)) => values,
            Some(Filled::NotSent(_)) | None => Value::Null,
        };
        asker.late(&before, values).await?;
    }
    let Some(mut form) = form else {
        return asker.fill(&waiting, Filled::NotSent(NotSent::NoForms)).await.map(in_words);
    };
    if ours {
        waiting.given = given;
    }
    if ours && responded {
        let filled = answer.map_or(Filled::NotSent(NotSent::Failed), |answer| filled(&waiting, answer));
        match asker.fill(&waiting, filled).await? {
            Called::Done(said) => return Ok(result(said).into()),
            Called::Waiting(more) => waiting = more,
        }
        let Some(more) = form::request(&waiting, asker.shows()) else {
            return Ok(result(waiting.meanwhile).into());
        };
        form = more;
    }
    Ok(needs(asker, &waiting, form))
}

/// The result that has the client show a form.
fn needs(asker: &Asker, waiting: &Waiting, form: ElicitRequestParams) -> CallToolResponse {
    let requests = BTreeMap::from([(FORM.to_owned(), InputRequest::Elicitation(ElicitRequest::new(form)))]);
    InputRequiredResult::new(Some(requests), Some(asker.seal.state(waiting))).into()
}

/// Takes a round of a call that asks one question after the other. The tool is not called first: what it asks depends on
/// what came back.
async fn next_round(asker: &Asker, answer: Option<ElicitResult>, given: Value) -> Result<CallToolResponse, ErrorData> {
    let nothing = ToolText { text: String::new(), value: Value::Null, failed: false };
    let before = before(asker, given, nothing);
    let filled = answer.map_or(Filled::NotSent(NotSent::Failed), |answer| filled(&before, answer));
    match asker.fill(&before, filled).await? {
        Called::Done(said) => Ok(result(said).into()),
        Called::Waiting(waiting) => match form::request(&waiting, asker.shows()) {
            Some(form) => Ok(needs(asker, &waiting, form)),
            None => asker.fill(&waiting, Filled::NotSent(NotSent::NoForms)).await.map(in_words),
        },
    }
}

/// Knows the states that this server gave out. A program that speaks to it could otherwise name any question of any
/// session, and put words beside it. The keys are drawn by the standard library, live as long as the server, and are
/// written nowhere, so that nobody can read them; a form is not shown any more once its server is gone.
#[derive(Default)]
pub(super) struct Seal([RandomState; 2]);

impl Seal {
    /// The state that a client has to return with a form: the handle, and the input of the forms before, because each
    /// round stands alone; under a mark that only this server can make.
    fn state(&self, waiting: &Waiting) -> String {
        let Waiting { handle, given, .. } = waiting;
        let state = if given.is_null() { handle.clone() } else { format!("{handle} {given}") };
        format!("{} {state}", self.mark(&state))
    }

    /// The handle of a form and the input of the forms before, as the client returned them. None where this server did
    /// not give that state out.
    pub(super) fn brought_back(&self, state: Option<&str>) -> Option<(Option<String>, Value)> {
        let Some(state) = state else { return Some((None, Value::Null)) };
        let (mark, state) = state.split_once(' ')?;
        if mark != self.mark(state) {
            return None;
        }
        let (handle, given) = state.split_once(' ').unwrap_or((state, ""));
        Some((Some(handle.to_owned()), serde_json::from_str(given).unwrap_or(Value::Null)))
    }

    fn mark(&self, state: &str) -> String {
        let [one, other] = self.0.each_ref().map(|key| key.hash_one(state));
        format!("{one:016x}{other:016x}")
    }
}

/// The form that a client returned, as far as its state identifies the form.
fn before(asker: &Asker, given: Value, meanwhile: ToolText) -> Waiting {
    let handle = asker.call.again.clone().unwrap_or_default();
    Waiting { handle, message: String::new(), fields: Vec::new(), within: None, given, meanwhile }
}

/// Result of a call that no longer waits. A form that came back with it is late: what was sent is kept, and told.
async fn late(
    asker: &Asker,
    said: ToolText,
    answer: Option<ElicitResult>,
    given: Value,
) -> Result<CallToolResponse, ErrorData> {
    let waiting = before(asker, given, said.clone());
    match answer.map(|answer| filled(&waiting, answer)) {
        Some(sent @ Filled::Sent(_)) if asker.call.again.is_some() => {
            // What it told of earlier replies is told with this one.
            asker.toolbox.undelivered(said);
            asker.fill(&waiting, sent).await.map(in_words)
        }
        Some(Filled::Sent(values)) => {
            asker.late(&waiting, values).await?;
            Ok(result(said).into())
        }
        Some(Filled::NotSent(_)) | None => {
            asker.late(&waiting, Value::Null).await?;
            Ok(result(said).into())
        }
    }
}

/// Reply where the form is no longer shown.
fn in_words(called: Called) -> CallToolResponse {
    match called {
        Called::Done(said) => result(said).into(),
        Called::Waiting(waiting) => result(waiting.meanwhile).into(),
    }
}

fn filled(waiting: &Waiting, answer: ElicitResult) -> Filled {
    match answer.action {
        ElicitationAction::Accept => Filled::Sent(form::values(waiting, answer.content.unwrap_or(Value::Null))),
        ElicitationAction::Decline => Filled::NotSent(NotSent::Declined),
        ElicitationAction::Cancel => Filled::NotSent(NotSent::Cancelled),
        // Whatever a later protocol adds, it is no answer.
        _ => Filled::NotSent(NotSent::Failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q15_a_client_brings_back_what_came_with_the_forms_before_and_nothing_made_up() {
        let said = ToolText { text: String::new(), value: Value::Null, failed: false };
        let seal = Seal::default();
        let mut waiting = Waiting {
            handle: "form-0@20261121-auth-k3f9q".to_owned(),
            message: String::new(),
            fields: Vec::new(),
            within: None,
            given: Value::Null,
            meanwhile: said,
        };
        for given in [Value::Null, json!({ "q1": "1. a b", "q2_own_words": "two\nlines" })] {
            waiting.given = given.clone();
            let state = seal.state(&waiting);
            assert_eq!(seal.brought_back(Some(&state)), Some((Some(waiting.handle.clone()), given)));
            assert_eq!(Seal::default().brought_back(Some(&state)), None);
            assert_eq!(seal.brought_back(Some(&format!("{state} "))), None);
            let (_, bare) = state.split_once(' ').unwrap();
            assert_eq!(seal.brought_back(Some(bare)), None);
        }
        assert_eq!(seal.brought_back(Some("made up")), None);
        assert_eq!(seal.brought_back(None), Some((None, Value::Null)));
    }
}
