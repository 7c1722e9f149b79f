//! Revising drafts by hand: in the editor, or from a text that somebody hands in. What was written is never lost: where
//! it cannot be taken, it is kept in a file that the error names.

use crate::domain::decide::out_of_no_interview;
use crate::domain::issue;
use crate::domain::production::{self, Draft, Drafted, Origin, Production, Stage, Target};
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::text::shell::word;

use super::context::{Context, Subject, no_working_tree};
use super::drafting;
use super::error::AppError;
use super::reply::{Outcome, Redraft};

/// What changing drafts by hand came to.
#[derive(Clone, Debug)]
pub struct Revised {
    pub outcome: Outcome,
    /// The drafts whose text is another one now.
    pub changes: Vec<Redraft>,
}

impl Revised {
    /// Nothing happened.
    fn nothing(session: Session) -> Self {
        Self { outcome: Outcome::nothing(session), changes: Vec::new() }
    }
}

pub(super) fn production(session: &Session) -> Result<&Production, AppError> {
    match &session.phase {
        Phase::Production(production) => Ok(production),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            Err(AppError::Refused(Refusal::WrongPhase {
                deed: "changing a draft",
                phase: session.phase.name(),
                way_out: to_the_outputs(session),
            }))
        }
    }
}

/// The command that opens the output phase from where the session is. Outputs that were chosen in another clone wait for
/// a person's yes, and are not chosen a second time.
pub fn to_the_outputs(session: &Session) -> &'static str {
    if session.phase.asks_nothing() {
        return out_of_no_interview(session);
    }
    match session.request() {
        Some(_) => "git grill approve grants the outputs that wait",
        None => "git grill select design-doc chooses an output first",
    }
}

pub(super) fn found<'a>(production: &'a Production, target: &Target) -> Result<&'a Drafted, AppError> {
    production.draft(target).ok_or_else(|| AppError::from(production::Refusal::NoDraft { target: target.clone() }))
}

/// Opens the draft in the person's editor; what they save becomes the draft. One that is left out is taken up again.
pub fn edit(context: &mut Context<'_>, session: &Session, target: &Target) -> Result<Revised, AppError> {
    let named = word(&target.to_string());
    let hint = format!("git grill draft --edit {named} --from <file>, or --from - for standard input");
    context.need_person("editing a draft", &hint)?;
    let opened = open(session, target)?;
    let left_out = opened.stage == Stage::Dropped;
    let opened = opened.draft.clone();
    let subject = Subject::draft(target);
    let text = edited(context, &subject, &opened.content, &|text| check(production(session)?, target, text))?;
    if text == opened.content && !left_out {
        context.editor.forget(&subject);
        return Ok(Revised::nothing(session.clone()));
    }
    let taken = take(context, session, &opened, text.clone()).map_err(|error| kept(context, &subject, &text, error))?;
    context.editor.forget(&subject);
    Ok(taken)
}

/// Takes a text that somebody hands in as the draft; a draft that is left out is taken up again by it.
pub fn hand_in(context: &mut Context<'_>, session: &Session, target: &Target, text: &str) -> Result<Revised, AppError> {
    let opened = open(session, target)?;
    let left_out = opened.stage == Stage::Dropped;
    let opened = opened.draft.clone();
    if text.trim().is_empty() {
        return Err(AppError::Usage {
            message: format!("the text is empty, and the draft of {target} is as before"),
            hint: format!("git grill draft --drop {} leaves it out", word(&target.to_string())),
        });
    }
    if text == opened.content && !left_out {
        return Ok(Revised::nothing(session.clone()));
    }
    check(production(session)?, target, text)
        .and_then(|()| take(context, session, &opened, text.to_owned()))
        .map_err(|error| kept_apart(context, &Subject::draft(target), text, error))
}

/// The draft that is to be changed, if it can be: what was created stands in the tracker.
fn open<'a>(session: &'a Session, target: &Target) -> Result<&'a Drafted, AppError> {
    let drafted = found(production(session)?, target)?;
    match drafted.stage {
        Stage::Created { .. } => Err(AppError::from(production::Refusal::DoneAlready { target: target.clone() })),
        Stage::Drafted | Stage::Dropped | Stage::Approved { .. } | Stage::Written { .. } => Ok(drafted),
    }
}

/// Whether the text can become the draft: an issue that can be read, and that depends on what is there. What is wrong
/// with other issues is not for this one to mend.
fn check(production: &Production, target: &Target, text: &str) -> Result<(), AppError> {
    let Target::Issue(slot) = *target else {
        return Ok(());
    };
    let refused = |why: issue::BadIssue| AppError::from(production::Refusal::BadIssue { slot, why: why.to_string() });
    let read = issue::parse(text).map_err(refused)?;
    match production.astray(slot, &read.depends_on).into_iter().find(|astray| astray.by() == slot) {
        Some(astray) => Err(refused(issue::BadIssue { line: issue::depends_on_line(text), why: astray.to_string() })),
        None => Ok(()),
    }
}

/// Lets the person edit until what they saved can be read, or until they have had enough of it.
fn edited(
    context: &mut Context<'_>,
    subject: &Subject,
    text: &str,
    check: &dyn Fn(&str) -> Result<(), AppError>,
) -> Result<String, AppError> {
    let mut text = text.to_owned();
    loop {
        text = context.editor.edit(subject, &text)?;
        if text.trim().is_empty() {
            context.editor.forget(subject);
            return Err(AppError::Cancelled("editing"));
        }
        let Err(error) = check(&text) else {
            return Ok(text);
        };
        context.voice.complain(&error)?;
        if context.prompter.confirm("Edit it again?").answered() != Ok(true) {
            return Err(kept(context, subject, &text, error));
        }
    }
}

/// The error, with the file in which the refused text is kept. The file that was edited is then removed.
pub fn kept(context: &mut Context<'_>, subject: &Subject, text: &str, error: AppError) -> AppError {
    let kept = kept_apart(context, subject, text, error);
    if matches!(kept, AppError::EditKept { .. }) || text.trim().is_empty() {
        context.editor.forget(subject);
    }
    kept
}

/// The same for a text that no editor of this process had: an editor in another terminal keeps its file. Where nothing was
/// written, nothing is kept.
pub(super) fn kept_apart(context: &mut Context<'_>, subject: &Subject, text: &str, error: AppError) -> AppError {
    if text.trim().is_empty() {
        return error;
    }
    match context.editor.keep(subject, text) {
        Ok(file) => AppError::EditKept { because: Box::new(error), what: subject.what.clone(), kept: file },
        // It may still stand in the file that was edited; what went wrong first is what matters.
        Err(not_kept) => {
            context.voice.warn(&not_kept);
            error
        }
    }
}

/// Records the new text, unless the draft is another one by now than the one that was opened.
fn take(context: &mut Context<'_>, session: &Session, opened: &Draft, text: String) -> Result<Revised, AppError> {
    let held = hold(context, session, [&opened.target])?;
    let now = context.dispatcher.store.load(&session.id)?.session;
    let target = &opened.target;
    let standing = found(production(&now)?, target)?;
    if standing.draft.blob != opened.blob {
        let (seen, now) = (opened.blob.clone(), standing.draft.blob.clone());
        return Err(AppError::from(production::Refusal::DraftChanged { target: target.clone(), seen, now }));
    }
    let after = revised(context, opened, text)?;
    let outcome = context.handle(&session.id, production::Command::SubmitDraft(Box::new(after.clone())).into())?;
    drop(held);
    Ok(Revised { outcome, changes: vec![Redraft { before: opened.clone(), after }] })
}

/// The draft with another text, against what stands on disk now.
fn revised(context: &Context<'_>, earlier: &Draft, full_text: String) -> Result<Draft, AppError> {
    let store = context.dispatcher.store;
    let replaced = match (earlier.path(), context.targets) {
        (Some(path), Some(files)) => drafting::read(files, path)?,
        (Some(_), None) => return Err(no_working_tree()),
        (None, _) => None,
    };
    Ok(Draft {
        blob: store.blob_id(full_text.as_bytes())?,
        replaces: replaced.as_ref().map(|text| store.blob_id(text.as_bytes())).transpose()?,
        replaced,
        content: full_text,
        origin: Origin::HandedIn,
        ..earlier.clone()
    })
}

/// Keeps issues from being created while an approved one among `targets` changes: it may be on its way just now. The
/// session has to be read anew under it.
pub(super) fn hold<'a>(
    context: &Context<'_>,
    session: &Session,
    targets: impl IntoIterator<Item = &'a Target>,
) -> Result<Option<Box<dyn std::any::Any>>, AppError> {
    let production = production(session)?;
    let approved = |target: &Target| {
        target.slot().is_some() && production.draft(target).is_some_and(|drafted| drafted.stage.is_approved())
    };
    if targets.into_iter().any(approved) {
        return Ok(Some(context.dispatcher.store.lock_production(&session.id)?));
    }
    Ok(None)
}
