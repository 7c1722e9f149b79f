//! Approving drafts: at a terminal one after the other, with a yes or a no to each. What is approved in one round is
//! recorded together; whoever leaves the round early has approved nothing in it.

use std::collections::HashSet;

use crate::app::context::{Context, no_working_tree};
use crate::app::dispatcher::Envelope;
use crate::app::drafting;
use crate::app::error::AppError;
use crate::app::gate::{may_say_yes, name_drift};
use crate::app::leaving_out::leave_out;
use crate::app::needing::needing;
use crate::app::prompt::Choice;
use crate::app::reply::{Outcome, Reply};
use crate::app::revising::{self, Revised};
use crate::app::tracking;
use crate::app::watched::unless_moved;
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::harmless::harmless;
use crate::domain::ids::ObjectId;
use crate::domain::production::{self, Draft, Stage, Target};
use crate::domain::refusal::APPROVE;
use crate::domain::session::{Phase, Session};
use crate::text::shell::word;

const DEED: &str = "approving drafts";

/// The drafts that a request means, as the session stands.
pub(super) type Meant<'a> = dyn Fn(&Session) -> Result<Vec<Draft>, AppError> + 'a;

/// Has the drafts that are meant approved. Anybody but a person has looked at them before.
pub(super) fn approve(context: &mut Context<'_>, session: &Session, meant: &Meant<'_>) -> Result<Outcome, AppError> {
    let drafts = meant(session)?;
    if let Some(target) = left_out(session, &drafts) {
        return Err(AppError::Declined {
            code: "left_out",
            message: format!("nothing was approved: {target} is left out"),
            causes: Vec::new(),
            hint: format!("git grill draft --edit {} takes it up again", word(&target.to_string())),
        });
    }
    if let Some(error) = refused(session, drafts.iter().map(|draft| &draft.target)) {
        return Err(error);
    }
    // Where nothing waits nobody's word is needed.
    if drafts.is_empty() {
        return Ok(Outcome::nothing(name_drift(context, session)?));
    }
    may_say_yes(context, session, "approving a draft", APPROVE)?;
    let session = name_drift(context, session)?;
    let session = tracking::prepare(context, &session, &drafts)?;
    if context.actor == Actor::Human {
        return Round::new(meant).ask(context, session);
    }
    // What is missing in the tracker may have changed them.
    let drafts = meant(&session)?;
    record(context, &session, drafts.iter().map(SeenDraft::of))
}

/// Why these cannot be approved together: one of them depends on a file that waits and is not among them.
fn refused<'a>(session: &Session, approved: impl Iterator<Item = &'a Target>) -> Option<AppError> {
    let Phase::Production(production) = &session.phase else {
        return None;
    };
    let approved: Vec<&Target> = approved.collect();
    Some(needing(production, &approved)?.refused())
}

/// The first of these drafts that is left out.
fn left_out<'a>(session: &Session, drafts: &'a [Draft]) -> Option<&'a Target> {
    let Phase::Production(production) = &session.phase else {
        return None;
    };
    let is_out = |target: &Target| production.draft(target).is_some_and(|one| one.stage == Stage::Dropped);
    drafts.iter().map(|draft| &draft.target).find(|target| is_out(target))
}

/// A draft as somebody saw it: what it is for, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SeenDraft {
    target: Target,
    blob: ObjectId,
}

impl SeenDraft {
    fn of(draft: &Draft) -> Self {
        Self { target: draft.target.clone(), blob: draft.blob.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    Edit,
    Drop,
    NotNow,
    TheRest,
}

/// What was said so far.
struct Round<'a> {
    meant: &'a Meant<'a>,
    yes: Vec<SeenDraft>,
    not_now: Vec<SeenDraft>,
    /// Whether texts changed since it was asked whether their issues could be created.
    edited: bool,
    dropped: bool,
}

impl<'a> Round<'a> {
    fn new(meant: &'a Meant<'a>) -> Self {
        Self { meant, yes: Vec::new(), not_now: Vec::new(), edited: false, dropped: false }
    }

    /// Asks about every draft, and records what was approved.
    fn ask(mut self, context: &mut Context<'_>, mut session: Session) -> Result<Outcome, AppError> {
        loop {
            let open = self.open(&session)?;
            let [draft, rest @ ..] = open.as_slice() else {
                if !self.edited {
                    break;
                }
                // An edit may name labels that are not there; what becomes of them is another draft, and is asked about.
                self.edited = false;
                let approved = (self.meant)(&session)?;
                let approved: Vec<Draft> =
                    approved.into_iter().filter(|draft| self.yes.contains(&SeenDraft::of(draft))).collect();
                session = tracking::prepare(context, &session, &approved)?;
                continue;
            };
            show(context, &session, std::slice::from_ref(draft))?;
            let said = match verdict(context, &session, draft, rest.len())? {
                Ok(said) => said,
                Err(now) => {
                    session = moved(context, draft, *now)?;
                    continue;
                }
            };
            match said {
                Verdict::Yes => self.yes.push(SeenDraft::of(draft)),
                Verdict::NotNow => self.not_now.push(SeenDraft::of(draft)),
                Verdict::Drop => {
                    let actor = context.actor.clone();
                    let left_out = leave_out(context, &actor, &session, std::slice::from_ref(&draft.target));
                    self.dropped |= left_out.is_ok();
                    session = told(context, session, left_out)?;
                }
                Verdict::Edit => {
                    let edited = revising::edit(context, &session, &draft.target);
                    self.edited |= edited.is_ok();
                    session = told(context, session, edited)?;
                }
                Verdict::TheRest => {
                    if !rest.is_empty() {
                        show(context, &session, rest)?;
                    }
                    let question = format!("Exactly these {}, as they are shown: {}?", open.len(), names(&open));
                    match unless_moved(context, &session, DEED, |context| context.prompter.confirm(&question))? {
                        Ok(true) => self.yes.extend(open.iter().map(SeenDraft::of)),
                        Ok(false) => {
                            let text = format!("nothing was approved by that; one by one again, from {}", draft.target);
                            context.voice.say(&Reply::Text(harmless(&text).into_owned()))?;
                        }
                        Err(now) => session = moved(context, draft, *now)?,
                    }
                }
            }
        }
        self.put_off(context, &session)?;
        if self.yes.is_empty() && !self.dropped && !self.not_now.is_empty() {
            return Err(AppError::PutOff);
        }
        record(context, &session, self.yes.into_iter())
    }

    /// Takes back the yes to what depends on a file that was put off, and says so; where nothing else is left, that is why
    /// nothing is approved.
    fn put_off(&mut self, context: &mut Context<'_>, session: &Session) -> Result<(), AppError> {
        let Phase::Production(production) = &session.phase else {
            return Ok(());
        };
        loop {
            let approved: Vec<&Target> = self.yes.iter().map(|seen| &seen.target).collect();
            let Some(found) = needing(production, &approved) else {
                return Ok(());
            };
            self.yes.retain(|seen| seen.target != found.target);
            if self.yes.is_empty() && !self.dropped {
                return Err(found.refused());
            }
            context.voice.warn(&found.refused());
        }
    }

    /// The drafts that nothing was said to yet, as they are now.
    fn open(&mut self, session: &Session) -> Result<Vec<Draft>, AppError> {
        let Phase::Production(production) = &session.phase else {
            return Ok(Vec::new());
        };
        let waiting: HashSet<SeenDraft> = production.waiting().map(SeenDraft::of).collect();
        // Another text is another draft, whatever was said to the one before.
        self.yes.retain(|said| waiting.contains(said));
        let meant = (self.meant)(session)?;
        let meant: HashSet<&Target> = meant.iter().map(|one| &one.target).collect();
        let said: HashSet<&SeenDraft> = self.yes.iter().chain(&self.not_now).collect();
        let open =
            production.waiting().filter(|draft| meant.contains(&draft.target) && !said.contains(&SeenDraft::of(draft)));
        Ok(open.cloned().collect())
    }
}

/// The session after drafts were changed by hand, which is said; what could not be done is said, too, and asked about
/// again.
fn told(context: &mut Context<'_>, session: Session, done: Result<Revised, AppError>) -> Result<Session, AppError> {
    match done {
        Ok(Revised { outcome, changes }) => {
            let after = outcome.after.clone();
            context.voice.say(&Reply::Redrafted { outcome: Box::new(outcome), changes })?;
            Ok(after)
        }
        Err(
            error @ (AppError::Interrupted | AppError::InterruptedWith(_) | AppError::ReaderGone | AppError::NoSession),
        ) => Err(error),
        Err(AppError::Cancelled(deed)) => {
            context.voice.say(&Reply::Text(AppError::Cancelled(deed).to_string()))?;
            Ok(session)
        }
        Err(error) => {
            context.voice.complain(&error)?;
            Ok(context.dispatcher.store.load(&session.id)?.session)
        }
    }
}

/// Another terminal moved the session on while this draft was asked about; says what became of it.
fn moved(context: &mut Context<'_>, draft: &Draft, now: Session) -> Result<Session, AppError> {
    if let Some(news) = news(draft, &now) {
        let text = format!("{} {news}", draft.target);
        context.voice.say(&Reply::Text(harmless(&text).into_owned()))?;
    }
    Ok(now)
}

/// What became of a draft elsewhere, and of a text that took its place; nothing where it waits as it was shown.
fn news(draft: &Draft, now: &Session) -> Option<String> {
    let production = match &now.phase {
        Phase::Production(production) => production,
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            return Some("waits no longer: the output phase was left elsewhere".to_owned());
        }
    };
    let Some(there) = production.draft(&draft.target) else {
        return Some("waits no longer: other outputs were chosen elsewhere".to_owned());
    };
    match &there.stage {
        Stage::Drafted if there.draft.blob == draft.blob => None,
        Stage::Drafted => Some(format!(
            "was changed elsewhere: its draft is {} now, not {}, and is shown again",
            there.draft.blob.short(),
            draft.blob.short()
        )),
        Stage::Dropped => Some(format!(
            "waits no longer: it was left out elsewhere; git grill draft --edit {} takes it up again",
            word(&draft.target.to_string())
        )),
        Stage::Approved { .. } | Stage::Written { .. } | Stage::Created { .. } => {
            Some("waits no longer: it was approved elsewhere".to_owned())
        }
    }
}

/// What the person says to a draft, or the session where another terminal moved it on meanwhile.
fn verdict(
    context: &mut Context<'_>,
    session: &Session,
    draft: &Draft,
    others: usize,
) -> Result<Result<Verdict, Box<Session>>, AppError> {
    let place = match (&draft.target, &session.phase) {
        (Target::Issue(slot), Phase::Production(production)) => {
            let tracker = production.plan.tracked().map(|(_, tracker)| format!(" in {tracker}")).unwrap_or_default();
            format!("{slot}{tracker}")
        }
        (target, _) => target.to_string(),
    };
    let verb = match draft.target {
        Target::Issue(_) => "Create",
        Target::File(_) => "Write",
    };
    let question = format!(
        "{verb} exactly this as {place} ({})? With n you can edit it first, put it off or leave it out.",
        draft.blob.short()
    );
    match unless_moved(context, session, DEED, |context| context.prompter.confirm(&question))? {
        Ok(true) => Ok(Ok(Verdict::Yes)),
        Ok(false) => instead(context, session, &draft.target, others),
        Err(now) => Ok(Err(now)),
    }
}

/// Asks what to do with a draft that is not approved as it is. Enter takes the first choice, so that one changes nothing.
fn instead(
    context: &mut Context<'_>,
    session: &Session,
    target: &Target,
    others: usize,
) -> Result<Result<Verdict, Box<Session>>, AppError> {
    let mut offered = vec![
        (Verdict::NotNow, "Not now; it remains a draft".to_owned()),
        (Verdict::Edit, "Edit it, and look at it again".to_owned()),
        (Verdict::Drop, "Leave it out".to_owned()),
    ];
    if others > 0 {
        let rest = if others == 1 { "the last one too".to_owned() } else { format!("the other {others}") };
        offered.push((Verdict::TheRest, format!("Show {rest}, then approve all with one yes, this one included")));
    }
    let choice = |(_, label): &(Verdict, String)| Choice {
        value: label.clone(),
        label: label.clone(),
        description: None,
        recommended: false,
    };
    let choices: Vec<Choice> = offered.iter().map(choice).collect();
    let question = format!("What becomes of {target} instead?");
    match unless_moved(context, session, DEED, |context| context.prompter.choose(&question, &choices))? {
        Ok(taken) => offered.get(taken).map(|(verdict, _)| Ok(*verdict)).ok_or(AppError::Cancelled(DEED)),
        Err(now) => Ok(Err(now)),
    }
}

fn names(drafts: &[Draft]) -> String {
    let name = |draft: &Draft| format!("{} ({})", draft.target, draft.blob.short());
    drafts.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn show(context: &mut Context<'_>, session: &Session, drafts: &[Draft]) -> Result<(), AppError> {
    let Some(targets) = context.targets else {
        return Err(no_working_tree());
    };
    let shown: HashSet<&Target> = drafts.iter().map(|draft| &draft.target).collect();
    let previews = drafting::previews(session, targets, |target| shown.contains(target))?;
    context.voice.say(&Reply::Drafts { previews, session: Box::new(session.clone()) })
}

/// Records the approvals as one.
fn record(
    context: &mut Context<'_>,
    session: &Session,
    approved: impl Iterator<Item = SeenDraft>,
) -> Result<Outcome, AppError> {
    let as_command = |SeenDraft { target, blob }| Command::from(production::Command::ApproveDraft { target, blob });
    let envelopes = Envelope::all_by(&context.actor, approved.map(as_command));
    if envelopes.is_empty() {
        return Ok(Outcome::nothing(session.clone()));
    }
    context.handle_each(&session.id, &envelopes)
}
