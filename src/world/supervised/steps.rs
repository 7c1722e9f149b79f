//! Steps of accepts in a ledger: each is recorded once, by its number, and what a killed command did not record is recorded
//! by the next one.

use super::copy::{held, in_words};
use super::errors::{done, not_accepted};
use super::wire::{Asked, Told};
use super::{LEAVES, Supervised};
use crate::app::error::AppError;
use crate::domain::agents::acceptance::{Acceptance, AcceptedBy};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::{AgentSession, Command};
use crate::files::patience::Patience;
use crate::ledger::SessionFolder;
use crate::ledger::writer::is_held;
use crate::lend::accept::{Undone, mend, paths_of, standing_steps};
use crate::lend::changes::unaccepted;
use crate::lend::{LendError, LentFolder, Parent};

/// What was done with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Accepted,
    Undone,
}

impl Deed {
    pub(super) fn told(self, acceptance: Acceptance, rest: Option<ChangedFiles>) -> Tale {
        Tale { deed: self, acceptance, rest }
    }
}

/// What a ledger is to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tale {
    deed: Deed,
    acceptance: Acceptance,
    rest: Option<ChangedFiles>,
}

impl Tale {
    fn asked(&self) -> Asked {
        let (acceptance, rest) = (self.acceptance.clone(), self.rest.clone());
        match self.deed {
            Deed::Accepted => Asked::Accepted { acceptance, rest },
            Deed::Undone => Asked::TakenBack { acceptance, rest },
        }
    }

    pub(super) fn command(&self) -> Command {
        let (acceptance, rest) = (self.acceptance.clone(), self.rest.clone());
        match self.deed {
            Deed::Accepted => Command::RecordAccept { acceptance, rest },
            Deed::Undone => Command::RecordUndo { acceptance, rest },
        }
    }
}

pub(super) fn acceptance(by: &AcceptedBy, step: u32, paths: &[Vec<u8>]) -> Acceptance {
    let paths = paths.iter().map(|path| String::from_utf8_lossy(path).into_owned());
    Acceptance { by: by.clone(), step, files: ChangedFiles::new(paths) }
}

/// An error where some files of a step could not be brought back.
pub(super) fn whole(undone: &Undone) -> Result<(), AppError> {
    if undone.left.is_empty() {
        return Ok(());
    }
    let (paths, reference) = (undone.left.clone(), undone.reference.clone());
    Err(not_accepted(&LendError::NotTakenBack { paths, reference }))
}

/// What the files of a session say of its accepts and its ledger does not.
pub(super) fn untold(session: &AgentSession, copy: &LentFolder, parent: &Parent<'_>) -> Result<Vec<Tale>, LendError> {
    let standing = standing_steps(copy)?;
    let mut tales = Vec::new();
    for number in standing.iter().filter(|number| !session.accepts.contains_key(number)) {
        let paths = paths_of(parent, copy, *number)?;
        tales.push(Deed::Accepted.told(acceptance(&AcceptedBy::Unrecorded, *number, &paths), None));
    }
    for number in session.accepts.keys().filter(|number| !standing.contains(number)) {
        tales.push(Deed::Undone.told(acceptance(&AcceptedBy::Unrecorded, *number, &[]), None));
    }
    Ok(tales)
}

impl Supervised<'_> {
    /// Takes back what was cut off, and has the ledger tell what the files say.
    pub(super) fn settled(
        &self,
        folder: &SessionFolder,
        copy: &LentFolder,
        parent: &Parent<'_>,
    ) -> Result<Option<Undone>, AppError> {
        let failed = |error: LendError| not_accepted(&error);
        let (cut_off, tales) = {
            let _held = held(folder.path())?;
            let cut_off = mend(parent, copy).map_err(failed)?;
            let mut tales = untold(&self.reconciled(folder)?, copy, parent).map_err(failed)?;
            if let Some(last) = tales.last_mut() {
                last.rest = unaccepted(parent, copy).ok().map(|changes| in_words(&changes));
            }
            (cut_off, tales)
        };
        // Its supervisor may wait for the copy, and answers nobody meanwhile.
        for tale in tales {
            self.recorded(folder, &tale)?;
        }
        if let Some(undone) = &cut_off {
            whole(undone)?;
        }
        Ok(cut_off)
    }

    /// Records a step.
    pub(super) fn recorded(&self, folder: &SessionFolder, tale: &Tale) -> Result<(), AppError> {
        self.has_recorded(folder, &tale.asked(), &tale.command())
    }

    /// Records what a command comes to: by the supervisor, in its words, where one is there, which may be just leaving.
    pub(super) fn has_recorded(
        &self,
        folder: &SessionFolder,
        asked: &Asked,
        command: &Command,
    ) -> Result<(), AppError> {
        let mut patience = Patience::begin();
        loop {
            match self.ask(folder, asked) {
                Ok(Some(Told::Refused { code, .. })) if code == Told::LEFT => {}
                Ok(Some(told)) => return done(told),
                Ok(None) | Err(_) => {}
            }
            if matches!(is_held(folder), Ok(false)) || patience.is_over(LEAVES) {
                return self.act(folder, command);
            }
            patience.rest();
        }
    }
}
