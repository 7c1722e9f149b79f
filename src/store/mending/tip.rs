//! What stands at a session's ref: something that can be read, something that cannot, or nothing.

use std::io::ErrorKind;

use super::super::files::{self, Broken};
use super::super::tree::CommitFiles;
use super::super::{git, layout, publish};
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::domain::session::Session;
use crate::files::regular;
use crate::git::object::parsed;
use crate::git::{Error, Oid, Program, Repo};

pub const NOTHING: &str = "nothing";

/// What a ref says, before anybody asks whether it makes sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    Nothing,
    /// An object, whether or not it is there.
    Object(Oid),
    /// A file that is no ref: these bytes.
    Garbage(Vec<u8>),
}

impl Named {
    pub fn shown(&self) -> String {
        match self {
            Self::Nothing => NOTHING.to_owned(),
            Self::Object(id) => id.to_string(),
            Self::Garbage(bytes) => {
                let text: String = String::from_utf8_lossy(bytes).chars().take(80).collect();
                format!("'{}'", text.escape_debug())
            }
        }
    }

    pub fn object(&self) -> Option<Oid> {
        match self {
            Self::Object(id) => Some(*id),
            Self::Nothing | Self::Garbage(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub enum TipState {
    Sound {
        tip: Oid,
        session: Box<Session>,
    },
    /// A newer git grill wrote it, which is nothing to mend.
    Newer {
        found: String,
    },
    Damaged {
        why: String,
    },
    Gone,
}

/// How a session stands. Objects that are in motion are waited for, as everywhere.
pub fn standing(repo: &Repo, id: &SessionId) -> Result<TipState, StoreError> {
    let tip = match publish::tip(repo, &id.ref_name()) {
        Ok(Some(tip)) => tip,
        Ok(None) => return Ok(TipState::Gone),
        Err(error) => return Ok(TipState::Damaged { why: error.0 }),
    };
    match git::read(repo, id, tip) {
        Ok(session) => Ok(TipState::Sound { tip, session: Box::new(session) }),
        Err(StoreError::NewerFormat { found, .. }) => Ok(TipState::Newer { found }),
        Err(StoreError::Corrupt { what, why, .. }) => Ok(TipState::Damaged { why: format!("{what}: {why}") }),
        Err(other) => Err(other),
    }
}

/// The session at a commit, read as plain objects: nothing is waited for.
pub fn readable(repo: &Repo, id: &SessionId, commit: Oid) -> Result<Session, Broken> {
    let session = files::read_session(&CommitFiles::plainly(repo, commit)?)?;
    if session.id == *id {
        Ok(session)
    } else {
        Err(Broken::at(layout::SESSION, format!("it is the session {}", session.id)))
    }
}

/// What a ref says, as the `git` program or its file tells.
pub fn named(program: &Program, name: &str) -> Result<Named, Error> {
    if !program.is_reftable() {
        let path = program.common_dir().join(name);
        match regular::bytes(&path, regular::LONG) {
            Ok(bytes) => {
                let id = std::str::from_utf8(&bytes).ok().and_then(|text| parsed(text.trim()));
                return Ok(id.map_or(Named::Garbage(bytes), Named::Object));
            }
            // git would wait there for ever.
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                return Err(Error(format!("{} was not read: {error}", path.display())));
            }
            // It is packed, or not there.
            Err(_) => {}
        }
    }
    Ok(program.named(name)?.map_or(Named::Nothing, Named::Object))
}
