//! Tidying (A17, A26, A43): the agent is ended, what is in its working copy is kept on a ref, and then only what is ours goes.
//! The ledger stays, so that a handle is never another session's.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::copy::{held, id};
use super::current::{reconciled, record};
use super::errors::{declined, kept, not_accepted, not_lent, not_tidied};
use super::parent::{author, copy_folder, parent_of};
use super::steps::{untold, whole};
use super::{LEAVES, Supervised};
use crate::app::error::AppError;
use crate::app::ports::{CleanedUp, Sweep};
use crate::domain::agents::media::Media;
use crate::domain::agents::state::SessionState;
use crate::domain::agents::{AgentSession, Command, decide};
use crate::ledger::media::MEDIA;
use crate::ledger::{SessionFolder, Writer};
use crate::lend::accept::mend;
use crate::lend::cleanup::{Loss, cleanup, inventory};
use crate::lend::keep::would_keep;
use crate::world::clock::GitClock;
use crate::world::failure::failed;

/// What lies in a session's folder beside its ledger and the working copy.
const OURS: [&str; 9] = [
    "turns",
    "changes.patch",
    "copy.lock",
    super::setup::LOG,
    "wire.log",
    "wire.log.1",
    "wire.log.2",
    "supervisor.log",
    "socket",
];

pub(super) fn clean_up(all: &Supervised<'_>, folder: &SessionFolder, sweep: Sweep) -> Result<CleanedUp, AppError> {
    let session = all.reconciled(folder)?;
    let handle = folder.handle();
    // The list promises what the removal does.
    session.need_cleanable().map_err(|refusal| declined(&refusal))?;
    let mut cleaned = CleanedUp::default();
    let copy = copy_folder(folder.path(), handle)?;
    // One that was cut off may have left the notes alone.
    let has_copy = ["tree", "lent"].iter().any(|name| folder.path().join(name).symlink_metadata().is_ok());
    let loss = match sweep {
        Sweep::Listed => None,
        Sweep::Kept => Some(Loss::Refused),
        Sweep::All => Some(Loss::Accepted),
    };
    let Some(loss) = loss else {
        if has_copy {
            cleaned.paths = inventory(&copy).map_err(|error| not_lent(&error))?.paths;
            let parent = parent_of(&all.opened()?, "nothing was listed")?;
            let lines = would_keep(&parent, &copy);
            let lines = lines.unwrap_or_else(|error| vec![format!("what would be kept is not known: {error}")]);
            cleaned.kept = Some(lines.join("\n"));
        }
        cleaned.paths.extend(ours(folder.path(), &session));
        return Ok(cleaned);
    };
    all.leave(folder)?;
    // Held to the end: nobody starts an agent in the copy, or another clean-up, meanwhile.
    let mut writer = Writer::open(all.folder(handle)?, LEAVES, all.on_disk()?).map_err(kept)?;
    let clock = GitClock::new(all.environment);
    reconciled(&mut writer, &clock)?;
    if writer.session().state != SessionState::Cleaned {
        // What the rules refuse is refused before anything is removed.
        decide(writer.session(), &Command::CleanUp).map_err(|refusal| declined(&refusal))?;
    }
    if has_copy {
        let _held = held(folder.path())?;
        let parent = parent_of(&all.opened()?, "nothing was removed")?;
        // What was accepted half is taken back while what it needs is there.
        let mended = mend(&parent, &copy).map_err(|error| not_accepted(&error));
        mended.and_then(|undone| undone.as_ref().map_or(Ok(()), whole)).map_err(not_removed)?;
        for tale in untold(writer.session(), &copy, &parent).map_err(|error| not_accepted(&error))? {
            record(&mut writer, &clock, &tale.command())?;
        }
        let who = author(all.environment, all.config, &clock);
        let tidied = cleanup(&parent, &copy, who.by(), loss).map_err(|error| not_tidied(handle, &error))?;
        cleaned.paths = tidied.removed;
        // The files come last: they are the work that a session is told by.
        if let Some(work) = &tidied.kept {
            let files = work.is_changed.then_some(work.commit);
            for commit in work.commits.iter().map(|one| one.id).chain(files) {
                record(&mut writer, &clock, &Command::RecordKept { commit: id(commit) })?;
            }
        }
        cleaned.kept = tidied.kept.map(|work| work.in_words());
    }
    for path in ours(folder.path(), writer.session()) {
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed("io", &format!("{} was not removed", path.display()), &error, None));
            }
            Ok(()) | Err(_) => cleaned.paths.push(path),
        }
    }
    // What the agent made stays in it.
    let _ = fs::remove_dir(folder.path().join(MEDIA));
    if writer.session().state != SessionState::Cleaned {
        record(&mut writer, &clock, &Command::CleanUp)?;
    }
    Ok(cleaned)
}

fn not_removed(error: AppError) -> AppError {
    if let AppError::Declined { code, message, causes, hint } = error {
        AppError::Declined { code, message: format!("nothing was removed: {message}"), causes, hint }
    } else {
        error
    }
}

/// What is there of it. Media that the agent made are its work, and no commit keeps them (A26).
fn ours(folder: &Path, session: &AgentSession) -> Vec<PathBuf> {
    let made: BTreeSet<String> = session.turns.iter().flat_map(|turn| &turn.made).map(Media::file_name).collect();
    let media = fs::read_dir(folder.join(MEDIA)).into_iter().flatten().flatten();
    let sent = media.filter(|entry| !made.contains(&*entry.file_name().to_string_lossy())).map(|entry| entry.path());
    let files = OURS.iter().map(|name| folder.join(name)).filter(|path| path.symlink_metadata().is_ok());
    files.chain(sent).collect()
}
