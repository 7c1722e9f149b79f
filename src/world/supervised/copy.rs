//! The copy of the repository that an agent with a write profile works in: made and proved before it is told anything (A14),
//! and looked at after each turn.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::error::AppError;
use crate::app::ports::{AgentChanges, AgentFile};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::event::WorktreeProof;
use crate::domain::agents::request::StartsAt;
use crate::domain::agents::{AgentSession, Command, Refusal};
use crate::domain::ids::ObjectId;
use crate::files::fresh::{self, OnDisk};
use crate::files::lock::{self, Failure};
use crate::git::Oid;
use crate::git::paths::{quoted, shortened};
use crate::ledger;
use crate::lend::changes::{ChangedFile, Changes, Reader, changes as read_changes, diff, unaccepted};
use crate::lend::cleanup::inventory;
use crate::lend::commits::beyond_files;
use crate::lend::{LentFolder, Parent, ParentChange, include, place};
use crate::repo::config::Config;
use crate::repo::open::Opened;
use crate::world::environment::Environment;
use crate::world::run::Desk;

use super::Supervised;
use super::book::Book;
use super::errors::{declined, no_copy, not_lent, not_written};
use super::parent::{NOT_STARTED, Signer, author, copy_folder, parent_of};

/// The file with the difference, in the session's folder.
const PATCH: &str = "changes.patch";
/// How long another command is waited for that is at the same copy.
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) struct Copy {
    parent: Parent<'static>,
    folder: LentFolder,
    signer: Signer,
    /// The folder of the repository at whose place in the copy the agent starts.
    starts_at: PathBuf,
}

impl Copy {
    /// That of a session; none where its profile writes nothing.
    pub(super) fn of(
        environment: &Environment,
        config: &Config,
        opened: &Opened,
        (place, at): (&Path, StartsAt),
        book: &Book,
    ) -> Result<Option<Self>, AppError> {
        if !book.session().started.profile.needs_worktree() {
            return Ok(None);
        }
        let parent = parent_of(opened, NOT_STARTED)?;
        let starts_at = match at {
            StartsAt::CallersFolder => environment.cwd.clone(),
            StartsAt::Top => parent.top.clone(),
        };
        Ok(Some(Self {
            parent,
            folder: copy_folder(place, book.session().started.handle)?,
            signer: author(environment, config, book.clock()),
            starts_at,
        }))
    }

    /// Where the agent works. A copy that is there already is gone on with.
    pub(super) fn desk(&self, book: &mut Book) -> Result<Desk, AppError> {
        if let Some(before) = &book.session().proof {
            return Ok(self.desk_at(PathBuf::from(&before.cwd)));
        }
        let wanted = place::Wanted { cwd: &self.starts_at, by: self.signer.by() };
        let proof = place::place(&self.parent, &self.folder, &wanted).map_err(|error| not_lent(&error))?;
        include::include(&self.parent, &self.folder).map_err(|error| not_lent(&error))?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let recorded = WorktreeProof {
            path: text(&proof.path),
            cwd: text(&proof.cwd),
            head: id(proof.head),
            tree: id(proof.tree),
        };
        book.act(&Command::RecordProof { proof: Box::new(recorded) })?;
        Ok(self.desk_at(proof.cwd))
    }

    /// git looks for no repository around the copy, where the parent's own git directory is.
    fn desk_at(&self, cwd: PathBuf) -> Desk {
        let around: OsString = self.folder.path().into();
        let variables = vec![("GIT_CEILING_DIRECTORIES".into(), around)];
        Desk { cwd, own: Some(self.folder.copy()), variables }
    }

    /// What the agent has changed by now, and nobody has accepted.
    pub(super) fn changed(&self) -> Result<ChangedFiles, AppError> {
        let _held = held(&self.folder.path())?;
        unaccepted(&self.parent, &self.folder).map(|changes| in_words(&changes)).map_err(|error| not_lent(&error))
    }
}

/// As a ledger has it.
pub(super) fn in_words(changes: &Changes) -> ChangedFiles {
    ChangedFiles::new(changes.files.iter().map(|file| String::from_utf8_lossy(&file.path).into_owned()))
}

/// As a person sees it.
pub(super) fn shown(file: &ChangedFile) -> AgentFile {
    AgentFile {
        letter: file.status.letter(),
        path: quoted(&file.path),
        lines: file.lines.map(|lines| (lines.added, lines.removed)),
    }
}

/// Kept while a copy and what is noted of it are worked with.
pub(super) type Held = File;

/// Waits until nobody else is at the copy of the session in this folder: what is noted of it is in files of one name each.
pub(super) fn held(folder: &Path) -> Result<Held, AppError> {
    match lock::wait(&folder.join("copy.lock"), PATIENCE) {
        Ok(file) | Err(Failure::Unsupported { file, .. }) => Ok(file),
        Err(Failure::Busy) => Err(AppError::Environment {
            code: "busy",
            message: "nothing was done: another git grill command has used the copy of this session for a minute"
                .to_owned(),
            causes: Vec::new(),
            hint: Some("type it again when that has ended".to_owned()),
        }),
        Err(Failure::File { action, path, source }) => {
            Err(not_written(&format!("could not {action} {}", path.display()), &source))
        }
    }
}

/// What the agent of a session has changed, with the difference in a file beside its copy.
pub(super) fn changes(all: &Supervised<'_>, folder: &ledger::SessionFolder) -> Result<AgentChanges, AppError> {
    const DEED: &str = "no changes were read";
    let session = all.reconciled(folder)?;
    let handle = folder.handle();
    if !session.started.profile.needs_worktree() {
        let lacks = "has a profile that changes no files";
        return Err(declined(&Refusal::NotReady { deed: DEED, handle, lacks }));
    }
    if let Some(turn) = session.active_turn().map(|turn| turn.handle) {
        return Err(declined(&Refusal::TurnActive { deed: DEED, handle, turn }));
    }
    let copy = copy_folder(folder.path(), handle)?;
    let held = held(folder.path())?;
    if session.proof.is_none() || copy.copy().symlink_metadata().is_err() {
        return Err(no_copy(DEED, &session));
    }
    let parent = parent_of(&all.opened()?, DEED)?;
    let changes = read_changes(&parent, &copy).map_err(|error| not_lent(&error))?;
    let (mut accepted, mut back) = (BTreeSet::new(), Vec::new());
    if !session.accepts.is_empty() {
        let open = unaccepted(&parent, &copy).map_err(|error| not_lent(&error))?.files;
        let all: BTreeSet<&[u8]> = changes.files.iter().map(|file| file.path.as_slice()).collect();
        let is_open: BTreeSet<&[u8]> = open.iter().map(|file| file.path.as_slice()).collect();
        let taken = changes.files.iter().filter(|file| !is_open.contains(file.path.as_slice()));
        accepted.extend(taken.map(|file| quoted(&file.path)));
        // What was accepted, and is in the copy as it was at the start by now, can be accepted as well.
        back.extend(open.iter().filter(|file| !all.contains(file.path.as_slice())).map(shown));
    }
    let (commits, unkept) = beyond_files(&parent, &copy).map_err(|error| not_lent(&error))?;
    let patch = folder.path().join(PATCH);
    let has_patch = !changes.files.is_empty();
    if has_patch {
        let bytes = diff(&parent, &copy, &changes, &[], Reader::Git).map_err(|error| not_lent(&error))?;
        let fresh = folder.path().join(format!("{PATCH}.new"));
        fresh::replace(&patch, &fresh, 0o600, OnDisk::Later, &bytes)
            .map_err(|error| not_written("the difference was not written", &error))?;
    }
    if session.changed.unread && session.supervisor.is_none() {
        let open = unaccepted(&parent, &copy).map_err(|error| not_lent(&error))?;
        drop(held);
        // They are shown all the same where that cannot be noted, and are read again the next time.
        let _ = all.act(folder, &Command::RecordChanges { files: in_words(&open) });
    }
    Ok(AgentChanges {
        base: session.started.base,
        files: changes.files.iter().map(shown).collect(),
        accepted,
        back,
        commits,
        left_out: changes
            .left_out
            .iter()
            .chain(&unkept)
            .map(|one| (shortened(&one.path), one.why.in_words()))
            .collect(),
        parent: changes.parent.iter().map(ParentChange::in_words).collect(),
        patch: has_patch.then_some(patch),
        top: (!stands_at(&parent, &all.environment.cwd)).then_some(parent.top),
    })
}

/// Whether a folder is the top of the working tree.
fn stands_at(parent: &Parent<'_>, cwd: &Path) -> bool {
    parent.below_top(cwd).is_ok_and(|below| below.as_os_str().is_empty())
}

/// How large the copy of a session is (A43).
pub(super) fn size(folder: &ledger::SessionFolder, session: &AgentSession) -> Option<u64> {
    session.proof.as_ref()?;
    let copy = copy_folder(folder.path(), folder.handle()).ok()?;
    copy.copy().symlink_metadata().ok()?;
    inventory(&copy).ok().map(|all| all.bytes)
}

/// The name of an object, as a ledger has it.
pub(super) fn id(id: Oid) -> ObjectId {
    ObjectId::parse(&id.to_string()).expect("git names objects by hexadecimal digits")
}
