//! Accepting an agent's work: who may, where, what a person is asked, and one step that can be taken back (A16, A23, A39).

use std::collections::BTreeSet;

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{AcceptConflict, AcceptFate, AcceptOutcome, Offer, OfferedFile, Supervising};
use crate::app::prompt::Choice;
use crate::app::reply::Reply;
use crate::domain::actor::Actor;
use crate::domain::agents::AgentHandle;
use crate::domain::agents::acceptance::{AcceptedBy, MayAccept};
use crate::domain::agents::overlap::{Overlap, overlaps};
use crate::domain::harmless::on_one_line;
use crate::domain::session::{Grip, Phase};
use crate::domain::text::Line;
use crate::text::shell::pathspec;

use super::lent::Loan;
use super::{replied, supervising};

const DEED: &str = "accepting the work of an agent";
const UNDO: &str = "taking back what was accepted";

/// Accepts what a person chooses of the files of these names, or of all: as `changes` lists them, or folders above them.
pub fn accept(context: &mut Context<'_>, session: AgentHandle, names: &[String]) -> Result<Reply, AppError> {
    let port = supervising(context)?;
    let by = who(context, port, DEED, &format!("git grill agent accept {session}"))?;
    let allowed = allowed(context, DEED)?;
    let offer = named(port.offer(session)?, names)?;
    let offer = within(offer, allowed.as_ref())?;
    let files: Vec<&OfferedFile> = offer.files.iter().filter(|file| file.fate != AcceptFate::Already).collect();
    if files.is_empty() {
        return settled(port, session, &offer, &by);
    }
    let clashes = clashes(&files);
    if !clashes.is_empty() {
        return Err(conflicting(context, session, &offer, &clashes)?);
    }
    let chosen = match &by {
        AcceptedBy::Person => {
            context.voice.say(&replied(offered(port, session, &offer)?))?;
            asked(context, port, session, &offer, &files)?
        }
        AcceptedBy::Host { .. } => without_cautions(session, &files)?,
    };
    if chosen.is_empty() {
        return Err(AppError::Cancelled(DEED));
    }
    // It is noted with them, so that it is not offered again.
    let already = offer.files.iter().filter(|file| file.fate == AcceptFate::Already);
    let chosen: Vec<&OfferedFile> = chosen.into_iter().chain(already).collect();
    match port.accept(session, &chosen, &by)? {
        AcceptOutcome::Accepted { paths, kept, rest } => Ok(replied(Loan::Accepted { session, paths, kept, rest })),
        AcceptOutcome::Conflicts(conflicts) => Err(conflicting(context, session, &offer, &conflicts)?),
    }
}

/// Takes the newest accept of a session back.
pub fn undo(context: &Context<'_>, session: AgentHandle) -> Result<Reply, AppError> {
    let port = supervising(context)?;
    let by = who(context, port, UNDO, &format!("git grill agent accept {session} --undo"))?;
    if let Some(allowed) = allowed(context, UNDO)?
        && let Some(step) = port.newest_accept(session)?
        && let Some(path) = step.paths.iter().find(|path| !allowed.contains(*path))
    {
        return Err(not_approved(UNDO, path));
    }
    let step = port.take_back(session, &by)?;
    let paths = step.paths.iter().map(|path| shown(path)).collect();
    Ok(replied(Loan::TakenBack { session, paths }))
}

/// Who accepts: the person at the terminal, or a host that they put in charge.
fn who(
    context: &Context<'_>,
    port: &dyn Supervising,
    deed: &'static str,
    command: &str,
) -> Result<AcceptedBy, AppError> {
    if let Actor::Agent(name) = &context.actor
        && port.may_accept()? == MayAccept::Host
    {
        return Ok(AcceptedBy::Host { name: Line::clipped(name) });
    }
    context.need_person(deed, &format!("{command}, at a terminal"))?;
    match &context.actor {
        Actor::Human => Ok(AcceptedBy::Person),
        Actor::Agent(_) | Actor::Unattended | Actor::System => Err(AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: format!("this was typed by {}", context.actor.in_words()),
            hint: format!("{command}, at a terminal"),
        }),
    }
}

/// The paths that may change now; none where all may (A23).
fn allowed(context: &Context<'_>, deed: &'static str) -> Result<Option<BTreeSet<Vec<u8>>>, AppError> {
    let session = match context.pointed_to() {
        Ok(session) => session,
        Err(AppError::NoSession) => return Ok(None),
        Err(error) => return Err(error),
    };
    let refused = |why: &str| AppError::Declined {
        code: "phase_forbids",
        message: format!("{deed} was refused: {why}"),
        causes: Vec::new(),
        hint: "git grill status shows how it ends".to_owned(),
    };
    match &session.phase {
        Phase::Closed { .. } | Phase::NoInterview { hold: Grip::Lifted { .. } } => Ok(None),
        Phase::Interview(_) => Err(refused("an interview is active, and nothing changes before it ends")),
        Phase::Selection(_) => Err(refused("the output selection is open, and nothing changes before it is made")),
        Phase::NoInterview { hold: Grip::ReadOnly } => Err(refused("a session holds this worktree read-only")),
        Phase::Production(production) => {
            let drafts = production.approved().chain(production.written());
            Ok(Some(drafts.filter_map(|draft| Some(draft.path()?.as_str().as_bytes().to_vec())).collect()))
        }
    }
}

fn not_approved(deed: &str, path: &[u8]) -> AppError {
    AppError::Declined {
        code: "phase_forbids",
        message: format!(
            "{deed} was refused: in the output phase only approved paths change, and {} is none",
            shown(path)
        ),
        causes: Vec::new(),
        hint: "git grill finish ends the output phase; then everything can be accepted".to_owned(),
    }
}

/// A path as the person reads and types it.
fn shown(path: &[u8]) -> String {
    on_one_line(&String::from_utf8_lossy(path))
}

/// The files of these names alone.
fn named(offer: Offer, names: &[String]) -> Result<Offer, AppError> {
    if names.is_empty() {
        return Ok(offer);
    }
    if let Some(unknown) = names.iter().find(|name| !offer.files.iter().any(|file| is_named(file, name))) {
        return Err(AppError::Usage {
            message: format!("nothing was accepted: '{}' is nothing that can be", on_one_line(unknown)),
            hint:
                "git grill agent changes lists the files by the names that are taken; a folder stands for what is in it"
                    .to_owned(),
        });
    }
    let files = offer.files.into_iter().filter(|file| names.iter().any(|name| is_named(file, name))).collect();
    Ok(Offer { files, ..offer })
}

/// Whether somebody who says this name means this file: its own name, or a folder above it.
fn is_named(file: &OfferedFile, name: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name).trim_end_matches('/');
    let above = |path: &[u8]| path.strip_prefix(name.as_bytes()).is_some_and(|rest| matches!(rest, [] | [b'/', ..]));
    above(&file.path) || above(file.file.path.as_bytes())
}

/// In the output phase, what it may change.
fn within(offer: Offer, allowed: Option<&BTreeSet<Vec<u8>>>) -> Result<Offer, AppError> {
    let Some(allowed) = allowed else { return Ok(offer) };
    match offer.files.iter().find(|file| !allowed.contains(&file.path)) {
        Some(file) => Err(not_approved(DEED, &file.path)),
        None => Ok(offer),
    }
}

/// What is offered, and which of it another session changed as well.
fn offered(port: &dyn Supervising, session: AgentHandle, offer: &Offer) -> Result<Loan, AppError> {
    let (seen, _) = port.sessions()?;
    let is_ours = |one: &Overlap| {
        one.sessions.contains(&session)
            && offer.files.iter().any(|file| String::from_utf8_lossy(&file.path) == one.path.as_str())
    };
    let overlaps = overlaps(seen.iter().map(|seen| &seen.session)).into_iter().filter(is_ours).collect();
    Ok(Loan::Offered { session, offer: offer.clone(), overlaps })
}

/// Nothing differs from what stands here; what stands here already is noted, so that it is not offered again.
fn settled(port: &dyn Supervising, session: AgentHandle, offer: &Offer, by: &AcceptedBy) -> Result<Reply, AppError> {
    let already: Vec<&OfferedFile> = offer.files.iter().collect();
    if already.is_empty() {
        return Ok(replied(offered(port, session, offer)?));
    }
    match port.accept(session, &already, by)? {
        AcceptOutcome::Accepted { paths, kept, rest } => Ok(replied(Loan::Accepted { session, paths, kept, rest })),
        AcceptOutcome::Conflicts(conflicts) => Err(conflict(session, offer, &conflicts)),
    }
}

fn clashes(files: &[&OfferedFile]) -> Vec<AcceptConflict> {
    let clash = |file: &&OfferedFile| match &file.fate {
        AcceptFate::Clash(why) => Some(AcceptConflict { path: file.file.path.clone(), why: why.clone(), text: None }),
        AcceptFate::Taken | AcceptFate::Merged | AcceptFate::Already => None,
    };
    files.iter().filter_map(clash).collect()
}

/// Shows the texts of conflicts; the error that names them all.
fn conflicting(
    context: &mut Context<'_>,
    session: AgentHandle,
    offer: &Offer,
    conflicts: &[AcceptConflict],
) -> Result<AppError, AppError> {
    for one in conflicts {
        if let Some(text) = &one.text {
            let (path, text) = (one.path.clone(), text.clone());
            context.voice.say(&replied(Loan::Conflict { session, path, text }))?;
        }
    }
    Ok(conflict(session, offer, conflicts))
}

fn conflict(session: AgentHandle, offer: &Offer, conflicts: &[AcceptConflict]) -> AppError {
    let count = match conflicts.len() {
        1 => "1 file does not fit".to_owned(),
        many => format!("{many} files do not fit"),
    };
    let others = offer.files.iter().find(|file| !conflicts.iter().any(|one| one.path == file.file.path));
    let hint = match others {
        Some(other) => {
            let name = pathspec(&String::from_utf8_lossy(&other.path));
            format!(
                "git grill agent accept {session} {name} accepts a file alone; git grill agent changes {session} names \
                     the patch of all"
            )
        }
        None => format!("git grill agent changes {session} names a patch that git apply --3way takes"),
    };
    AppError::Declined {
        code: "accept_conflict",
        message: format!("nothing was accepted: {count} with what stands here"),
        causes: conflicts.iter().map(|one| format!("{}: {}", on_one_line(&one.path), one.why)).collect(),
        hint,
    }
}

/// What a host may accept: nothing that needs a yes of its own.
fn without_cautions<'f>(session: AgentHandle, files: &[&'f OfferedFile]) -> Result<Vec<&'f OfferedFile>, AppError> {
    let careful: Vec<&&OfferedFile> = files.iter().filter(|file| !file.cautions.is_empty()).collect();
    if careful.is_empty() {
        return Ok(files.to_vec());
    }
    let named: Vec<String> = careful.iter().map(|file| on_one_line(&file.file.path)).collect();
    Err(AppError::NeedsPerson {
        deed: format!("accepting {}", named.join(", ")),
        why: careful.first().and_then(|file| file.cautions.first().copied()).unwrap_or_default().to_owned(),
        hint: format!("git grill agent accept {session}, at a terminal; other files can be named and accepted alone"),
    })
}

/// What the person chooses: first each file that needs a yes of its own, then the others together or one by one.
fn asked<'f>(
    context: &mut Context<'_>,
    port: &dyn Supervising,
    session: AgentHandle,
    offer: &Offer,
    files: &[&'f OfferedFile],
) -> Result<Vec<&'f OfferedFile>, AppError> {
    let mut table = Table { context, port, session, offer };
    let (careful, plain): (Vec<&OfferedFile>, Vec<&OfferedFile>) =
        files.iter().copied().partition(|file| !file.cautions.is_empty());
    let mut chosen = Vec::new();
    for (place, file) in careful.iter().enumerate() {
        table.show(&[file])?;
        let why = file.cautions.join("; ");
        let question = format!(
            "{} ({} of {} that need a yes of their own): {why}. Accept it?",
            on_one_line(&file.file.path),
            place + 1,
            careful.len()
        );
        if table.choose(&question, &[accept_it(), leave_it()])? == Some("yes") {
            chosen.push(*file);
        }
    }
    chosen.extend(table.plain(&plain)?);
    Ok(chosen)
}

fn accept_it() -> Choice {
    Choice::of("yes", "Accept it", "with the others, in one step")
}

fn leave_it() -> Choice {
    Choice::of("no", "Leave it out", "it stays in the agent's worktree, and is offered again")
}

/// A person who is asked about the files of a session.
struct Table<'t, 'c> {
    context: &'t mut Context<'c>,
    port: &'t dyn Supervising,
    session: AgentHandle,
    offer: &'t Offer,
}

impl Table<'_, '_> {
    fn show(&mut self, files: &[&OfferedFile]) -> Result<(), AppError> {
        let diff = self.port.difference(self.session, self.offer, files)?;
        self.context.voice.say(&replied(Loan::Difference { session: self.session, diff }))
    }

    /// The value of the choice that was taken.
    fn choose<'v>(&mut self, question: &str, choices: &'v [Choice]) -> Result<Option<&'v str>, AppError> {
        let chosen = self.context.prompter.choose(question, choices).answered().map_err(not_answered(DEED))?;
        Ok(choices.get(chosen).map(|choice| choice.value.as_str()))
    }

    fn plain<'f>(&mut self, files: &[&'f OfferedFile]) -> Result<Vec<&'f OfferedFile>, AppError> {
        let all = match files {
            [] => return Ok(Vec::new()),
            [one] => format!("Accept {}", on_one_line(&one.file.path)),
            many => format!("Accept all {}", many.len()),
        };
        let choices = [
            Choice::of("all", &all, "in one step, which --undo takes back"),
            Choice::of("show", "Show the difference", "and ask again"),
            Choice::of("each", "Choose file by file", "each is shown first"),
            Choice::of("none", "Leave them out", "they stay in the agent's worktree"),
        ];
        let question = match files.len() {
            1 => format!("Accept this file of {}?", self.session),
            many => format!("Accept these {many} files of {}?", self.session),
        };
        loop {
            match self.choose(&question, &choices)? {
                Some("all") => return Ok(files.to_vec()),
                Some("show") => self.show(files)?,
                Some("each") => return self.each(files),
                Some(_) | None => return Ok(Vec::new()),
            }
        }
    }

    fn each<'f>(&mut self, files: &[&'f OfferedFile]) -> Result<Vec<&'f OfferedFile>, AppError> {
        let choices = [
            accept_it(),
            leave_it(),
            Choice::of("rest", "Accept it and all that follow", "they are not shown"),
            Choice::of("done", "Leave it and all that follow out", "what was chosen before is accepted"),
        ];
        let mut chosen = Vec::new();
        for (place, file) in files.iter().enumerate() {
            self.show(&[file])?;
            let question = format!("{} ({} of {}): accept it?", on_one_line(&file.file.path), place + 1, files.len());
            match self.choose(&question, &choices)? {
                Some("yes") => chosen.push(*file),
                Some("no") => {}
                Some("rest") => {
                    chosen.extend(&files[place..]);
                    break;
                }
                Some(_) | None => break,
            }
        }
        Ok(chosen)
    }
}
