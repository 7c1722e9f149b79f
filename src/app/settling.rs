//! Settling: paying what the recorded state owes the world. Files are written all or none, issues are created one by one;
//! each bears being done twice, so that a crash at any moment is mended by settling again (G31, G32).

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::{self, Approved, Draft, TargetPath, Undo};
use crate::domain::session::{Effect, Phase, Session};
use crate::domain::undoing::{TakesBack, WrittenPhase};

use super::creating::Creating;
use super::dispatcher::{Dispatcher, Envelope};
use super::error::AppError;
use super::ports::{TargetFiles, TargetState, Tracker, WriteError};
use super::reply::{Outcome, Progress};

/// Where effects go.
pub struct World<'a> {
    /// The working tree.
    pub files: &'a dyn TargetFiles,
    pub tracker: &'a dyn Tracker,
    /// Is told of each step that others can see.
    pub progress: &'a mut dyn FnMut(&Progress),
}

impl Dispatcher<'_> {
    /// Pays what the recorded state owes: writes approved files, creates approved issues, and notes each. Bears being
    /// called twice, and after a crash between the deed and the note finds it done.
    pub fn settle(&self, id: &SessionId, world: &mut World<'_>) -> Result<Outcome, AppError> {
        let outcome = Outcome::nothing(self.store.load(id)?.session);
        if outcome.after.pending().is_empty() {
            return Ok(outcome);
        }
        if self.outside.is_some() {
            return Err(AppError::Environment {
                code: "inside_run",
                message: "what is approved was not written: this is a read-only run".to_owned(),
                causes: Vec::new(),
                hint: Some("git grill produce, outside of the run".to_owned()),
            });
        }
        let outcome = self.write_files(id, outcome, world.files)?;
        Creating { dispatcher: self, id, world }.create(outcome)
    }

    fn write_files(&self, id: &SessionId, outcome: Outcome, files: &dyn TargetFiles) -> Result<Outcome, AppError> {
        let owed = owed_files(&outcome.after);
        none_dangerous(&outcome.after, &owed)?;
        write_all(&owed, files)?;
        Ok(outcome.then(self.handle_each(id, &Envelope::all_by(&Actor::System, owed.iter().map(written)))?))
    }

    /// Records what became of an effect.
    pub(super) fn note(&self, id: &SessionId, command: Command) -> Result<Outcome, AppError> {
        self.handle(id, &Envelope { actor: Actor::System, command })
    }

    /// Brings back what stood there before an output phase wrote, all of it or nothing: the phase of the number `wanted`,
    /// else the newest one. It is noted when everything else is done, so that this bears being called again after a
    /// crash: what is back already is back. That it was begun is noted before, so that a crash is told.
    pub fn put_back(
        &self,
        id: &SessionId,
        wanted: Option<u64>,
        files: &dyn TargetFiles,
    ) -> Result<TakesBack, AppError> {
        self.note_written(id, files)?;
        let session = self.store.load(id)?.session;
        let meant = self.to_take_back(&session, wanted)?;
        let TakesBack::Phase(phase) = &meant else {
            return Ok(meant);
        };
        let mut texts: Vec<Option<String>> = Vec::new();
        for file in &phase.files {
            texts.push(file.replaced.as_ref().map(|before| self.before(file, before)).transpose()?);
        }
        let edited = |file| edited(&session, wanted.map(|_| phase), file);
        for (file, text) in phase.files.iter().zip(&texts) {
            files.check_back(&file.path, &file.written, text.as_deref()).map_err(edited(file))?;
        }
        files.begin_back(id, phase.round);
        for (place, (file, text)) in phase.files.iter().zip(&texts).enumerate() {
            let put = files.put_back(&file.path, &file.written, text.as_deref());
            if put.is_err() && place == 0 {
                files.end_back();
            }
            put.map_err(edited(file))?;
        }
        Ok(meant)
    }

    /// Which files [`Self::put_back`] is about, as the session is.
    pub fn to_take_back(&self, session: &Session, wanted: Option<u64>) -> Result<TakesBack, AppError> {
        let meant = session.to_take_back(wanted, &self.store.taken_back(&session.id)?);
        meant.ok_or_else(|| match wanted {
            None => production::Refusal::NothingToUndo.into(),
            Some(round) => AppError::Usage {
                message: format!("output phase {round} wrote nothing here that could be taken back"),
                hint: session
                    .undoable()
                    .map_or_else(|| "git grill status shows what was produced".to_owned(), |phase| phase.command()),
            },
        })
    }

    /// Notes the approved files that a process wrote which died before it could note them.
    fn note_written(&self, id: &SessionId, files: &dyn TargetFiles) -> Result<(), AppError> {
        let owed = owed_files(&self.store.load(id)?.session);
        let stands = |approved: &&Approved<TargetPath>| matches!(files.check(approved), Ok(TargetState::Draft));
        let noted = Envelope::all_by(&Actor::System, owed.iter().filter(stands).map(written));
        self.handle_each(id, &noted).map(drop)
    }

    /// What stood there before a file was written.
    fn before(&self, file: &Undo, before: &ObjectId) -> Result<String, AppError> {
        let gone = |why: &str| AppError::Environment {
            code: "not_kept",
            message: format!("{} was not brought back: what stood there before is {why}", file.path),
            causes: Vec::new(),
            hint: Some("git grill verify --restore brings the files back as they were at the start".to_owned()),
        };
        let bytes = self.store.blob(before)?.ok_or_else(|| gone("not in the history"))?;
        String::from_utf8(bytes).map_err(|_| gone("no text"))
    }
}

/// Of a file that was changed it is said how what was written comes back, and how that is taken back: by its number, if
/// the phase was named.
fn edited(
    session: &Session,
    named: Option<&WrittenPhase>,
    file: &Undo,
) -> impl FnOnce(WriteError) -> WriteError + use<> {
    let open = matches!(session.phase, Phase::Production(_)) && named.is_none();
    let again = named.map_or_else(|| "git grill produce --undo".to_owned(), WrittenPhase::command);
    let written = file.written.clone();
    move |error| match error {
        WriteError::Changed { path } => WriteError::Edited { path, written, again, open },
        other @ (WriteError::Edited { .. }
        | WriteError::Leads { .. }
        | WriteError::Unsafe { .. }
        | WriteError::Io { .. }) => other,
    }
}

/// Refuses to write a file that makes programs run, whatever the recorded state says of its approval: a session that came
/// from elsewhere can say anything.
fn none_dangerous(session: &Session, owed: &[Approved<TargetPath>]) -> Result<(), AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok(());
    };
    let mut paths = owed.iter().map(Approved::target);
    let forbidden = paths.find_map(|path| Some((path, production.forbids(path)?)));
    forbidden.map_or(Ok(()), |(path, danger)| {
        Err(AppError::from(production::Refusal::MakesProgramsRun { path: path.clone(), danger }))
    })
}

/// Says that a file stands as it was approved.
fn written(approved: &Approved<TargetPath>) -> Command {
    production::Command::RecordWritten { path: approved.target().clone(), blob: approved.draft().blob.clone() }.into()
}

fn owed_files(session: &Session) -> Vec<Approved<TargetPath>> {
    let file = |effect| match effect {
        Effect::WriteFile(approved) => Some(approved),
        Effect::CreateIssue(_) => None,
    };
    session.pending().into_iter().filter_map(file).collect()
}

/// Writes all of them or none: each is looked at first, and what was written before one that failed is taken back.
fn write_all(owed: &[Approved<TargetPath>], files: &dyn TargetFiles) -> Result<(), AppError> {
    let mut before: Vec<TargetState> = Vec::with_capacity(owed.len());
    for approved in owed {
        before.push(files.check(approved)?);
    }
    let mut written: Vec<(&TargetPath, &Draft)> = Vec::new();
    for (approved, stood) in owed.iter().zip(before) {
        let draft = approved.draft();
        let done = files.write(approved);
        // Written before a crash, it is not ours to take back now.
        if stood == TargetState::Replaced && draft.replaces.is_some() == draft.replaced.is_some() {
            written.push((approved.target(), draft));
        }
        if let Err(error) = done {
            for (path, draft) in written {
                // What cannot be taken back is found written, or changed, by the next attempt.
                let _ = files.put_back(path, &draft.blob, draft.replaced.as_deref());
            }
            return Err(error.into());
        }
    }
    Ok(())
}
