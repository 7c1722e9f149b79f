//! Changes in the repository that came while an agent without walls worked on what it was lent (A25): `git grill agent
//! answer` has the user say of each whose it is, and the session goes on.

use serde_json::json;

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{BaselineError, Restored, looks_at};
use crate::app::prompt::Unanswered;
use crate::app::reply::{Plain, Reply, Traits};
use crate::app::supervising::supervising;
use crate::domain::agents::AgentHandle;
use crate::domain::drift::{Kept, Spot, Verification};

use super::whose::{self, Left, Watch};

const DEED: &str = "deciding on the changes made while the agent ran";

/// The watch over a session that work was lent to.
struct OfLoan(AgentHandle);

impl Watch for OfLoan {
    fn since(&mut self, context: &mut Context<'_>) -> Result<Verification, AppError> {
        // Where another terminal has settled it meanwhile, nothing is left.
        let nothing = || Verification {
            at: context.dispatcher.clock.now(),
            total: 0,
            drift: Vec::new(),
            notes: Vec::new(),
            fetched: Vec::new(),
            later: Vec::new(),
            expected: Vec::new(),
            prints: std::collections::BTreeMap::new(),
        };
        Ok(supervising(context)?.parent_since(self.0)?.unwrap_or_else(nothing))
    }

    fn difference(&self, context: &mut Context<'_>, spot: &Spot) -> Result<String, AppError> {
        supervising(context)?.parent_difference(self.0, spot)
    }

    fn bring_back(&self, context: &mut Context<'_>, shown: &Verification, kept: &Kept) -> Result<Restored, AppError> {
        let port = supervising(context)?;
        // An interview may protect the same files.
        context.guardian.lift()?;
        let restored = port.parent_back(self.0, shown, kept);
        context.guardian.again()?;
        restored
    }

    fn kept(&self, context: &mut Context<'_>) -> Result<Kept, AppError> {
        supervising(context)?.parent_kept(self.0)
    }

    fn keep(&self, context: &mut Context<'_>, kept: &Kept) -> Result<(), AppError> {
        supervising(context)?.keep_parent(self.0, kept)
    }

    fn again(&self) -> String {
        format!("git grill agent answer {}", self.0)
    }
}

/// Why nothing was compared; where git works in another folder, with the command that asks this again in the right one.
fn not_compared(error: AppError, session: AgentHandle) -> AppError {
    let AppError::Baseline(BaselineError::Elsewhere { what, command }) = error else { return error };
    let again = command.strip_suffix("verify").map(|git| format!("{git}agent answer {session}"));
    AppError::Baseline(BaselineError::Elsewhere { what, command: again.unwrap_or(command) })
}

/// The error of leaving before all is decided.
fn left(left: Left) -> AppError {
    let Left { unanswered, told, has_decided } = left;
    match unanswered {
        Unanswered::Cancelled { .. } if has_decided => AppError::Stopped(format!("stopped; {told}").into()),
        Unanswered::Cancelled { .. } => AppError::Stopped(format!("paused; {told}").into()),
        Unanswered::Interrupted { .. } => AppError::InterruptedWith(told.into()),
        Unanswered::Unavailable(_) | Unanswered::Lost { .. } | Unanswered::TimedOut { .. } => {
            not_answered(DEED)(unanswered)
        }
    }
}

/// Has the user settle the changes of a session; none where nothing is to be settled.
pub(super) fn settle(context: &mut Context<'_>, session: AgentHandle) -> Result<Option<Reply>, AppError> {
    let port = supervising(context)?;
    if !port.session(session)?.session.is_undecided() {
        return Ok(None);
    }
    let mut watch = OfLoan(session);
    context.need_person(DEED, &format!("{}, at a terminal", watch.again()))?;
    let kept = loop {
        match port.parent_since(session) {
            Ok(_) => {}
            // There is a way out of what cannot be compared any more.
            Err(error) => {
                context.voice.complain(&not_compared(error, session))?;
                // What cannot be told is no reason not to ask.
                if let Ok(Some(copy)) = port.parent_copy(session) {
                    let [all, one] = looks_at(&copy);
                    context.voice.say(&Reply::Text(format!("how it was is kept: {all}\none file of it: {one}")))?;
                }
                let question = "Nothing can be compared. Have you looked yourself, and does all of it stay as it is?";
                let looked = context.prompter.confirm(question).answered().map_err(not_answered(DEED))?;
                if !looked {
                    return Err(AppError::Cancelled(DEED));
                }
                port.parent_settled(session, None)?;
                break Kept::new();
            }
        }
        let kept = whose::settle(context, &mut watch)?.map_err(left)?;
        // What changed meanwhile is asked about as well.
        if !port.session(session)?.session.is_undecided() || port.parent_settled(session, Some(&kept))? {
            break kept;
        }
    };
    let goes_on = if port.session(session)?.session.open_turns().next().is_some() {
        format!("; {session} goes on")
    } else {
        String::new()
    };
    let text = format!("✓ no change in the repository is left to decide{goes_on}");
    let stays: Vec<&str> = kept.keys().map(Spot::name).collect();
    let fields = vec![("session", json!(session)), ("stays", json!(stays))];
    Ok(Some(Reply::Plain(Plain { text, fields, traits: Traits::SHORT })))
}
