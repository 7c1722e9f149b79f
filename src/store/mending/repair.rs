//! Bringing a session back: what its ref named is noted and kept, and then the ref moves, in one step or not at all.
//!
//! In this order, so that a process which dies on any line leaves something that the next one finishes: the note; the ref
//! that keeps what can be kept; the files that git cannot read, out of its way; the session's ref, compared and set; the
//! entries of the reflog that git would stumble over. Everything is read and written through the `git` program, whoever
//! reads the repository otherwise, and with the session's lock held.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{Signature, Time};

use super::super::commit::Person;
use super::super::copies;
use super::super::files::Broken;
use super::super::lock::{Held, Locks, PATIENCE, STALE};
use super::super::publish::{Move, Published, publish};
use super::keeping::{self, Note, Pieces};
use super::recovery::{self, Recovery};
use super::reflog;
use super::regrowing::{from_the_view, regrow};
use super::tip::{self, Named};
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::files::fresh::Fresh;
use crate::files::patience::again;
use crate::files::regular;
use crate::git::{Error, Kind, Oid, Program, Repo};

const SAID: &str = "grill: recovered";
/// The most entries of one reflog that are taken out.
const MOST_ENTRIES: usize = 10_000;
/// How long somebody else's lock is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// To what the session was brought back.
    pub recovery: Recovery,
    /// What the ref named before.
    pub from: String,
    /// The ref that keeps it, or what of it can be read.
    pub kept: Option<String>,
    pub note: PathBuf,
    /// What was moved out of git's way.
    pub aside: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sound,
    /// What was missing was known, and was written anew: nothing is lost.
    Regrown {
        tip: Oid,
        why: String,
    },
    Recovered(Box<Recovered>),
    /// Nothing that can be read is left of it, and nothing was changed.
    Lost,
}

/// Mends the sessions of one repository.
pub struct Repair<'a> {
    repo: &'a Repo,
    program: &'a Program,
    locks: Locks,
    by: &'a Person,
    seconds: i64,
}

impl<'a> Repair<'a> {
    /// For a repository that the `git` program reads; `None` for another one.
    pub fn new(repo: &'a Repo, by: &'a Person, seconds: i64) -> Option<Self> {
        match repo {
            Repo::Library(_) => None,
            Repo::Program(program) => {
                Some(Self { repo, program, locks: Locks::new(program.common_dir(), PATIENCE), by, seconds })
            }
        }
    }

    /// Brings a session back, if it has to be.
    pub fn recover(&self, id: &SessionId) -> Result<Outcome, StoreError> {
        let fail = |error: Error| failed(id, error);
        let held = self.locks.hold(id)?;
        let name = id.ref_name();
        let named = tip::named(self.program, &name).map_err(fail)?;
        let why = match named.object().map(|tip| tip::readable(self.repo, id, tip)) {
            Some(Ok(_) | Err(Broken::Newer { .. })) => return Ok(Outcome::Sound),
            Some(Err(Broken::Corrupt { what, why })) => format!("{what}: {why}"),
            None => format!("its ref says {}", named.shown()),
        };
        // What the copies have is not lost, wherever the ref leads.
        if copies::bring_back_all(self.repo, id) > 0
            && let Some(tip) = named.object()
            && tip::readable(self.repo, id, tip).is_ok()
        {
            return Ok(Outcome::Regrown { tip, why });
        }
        let mut aside = Vec::new();
        if let Some(tip) = named.object()
            && from_the_view(self.repo, self.program, tip, &mut aside).is_ok()
            && tip::readable(self.repo, id, tip).is_ok()
        {
            return Ok(Outcome::Regrown { tip, why });
        }
        let known = recovery::recovery(self.repo, id, named.object()).map_err(fail)?;
        let searched = || recovery::searched(self.repo, self.program, id).map_err(fail);
        let Some(mut recovery) = known.map_or_else(searched, |known| Ok(Some(known)))? else {
            return Ok(Outcome::Lost);
        };
        if let Some(tip) = named.object() {
            let to = regrow(self.repo, self.program, id, recovery.to, tip, &mut aside);
            if to == tip {
                return Ok(Outcome::Regrown { tip, why });
            }
            recovery.go_on_to(self.repo, to, tip);
        }
        let pieces = named.object().map(|tip| keeping::pieces(self.repo, tip)).transpose().map_err(fail)?;
        let (note, kept) = self.keep(id, &named, &why, pieces.as_ref(), &recovery, &held)?;
        let broken = pieces.map_or_else(Vec::new, |pieces| pieces.broken);
        aside.extend(self.put_aside(&broken)?);
        self.set(&name, &named, recovery.to, &held)?;
        let lost = recovery.lost.iter().map(|one| one.commit).chain(named.object()).collect();
        self.forget(id, &lost)?;
        Ok(Outcome::Recovered(Box::new(Recovered { recovery, from: named.shown(), kept, note, aside })))
    }

    /// Takes the entries out of a session's reflog that name one of these commits, if something is missing of it: git
    /// follows them, and its `gc` fails. What they said stands in the note.
    pub fn forget(&self, id: &SessionId, lost: &BTreeSet<Oid>) -> Result<(), StoreError> {
        let fail = |error: Error| failed(id, error);
        let held = self.locks.hold(id)?;
        let name = id.ref_name();
        let now = self.program.named(&name).map_err(fail)?;
        let entries = reflog::logged(self.repo, &name).map_err(fail)?;
        let named: BTreeSet<Oid> = entries.iter().map(|entry| entry.commit).collect();
        let mut broken = BTreeSet::new();
        for commit in lost.iter().filter(|commit| Some(**commit) != now && named.contains(*commit)) {
            if !keeping::pieces(self.repo, *commit).map_err(fail)?.whole {
                broken.insert(*commit);
            }
        }
        if broken.is_empty() {
            return Ok(());
        }
        // git locks the ref and its reflog for it; should it be killed, the next one knows whose locks they are.
        let locks = [self.lock_of(&name), self.lock_of(&format!("logs/{name}"))];
        for lock in &locks {
            held.remove_stale(lock, STALE);
        }
        let [of_ref, of_log] = &locks;
        held.while_moving(&[of_ref, of_log], || self.unlog(&name, &broken)).map_err(fail)
    }

    /// Takes entries out of a reflog, the oldest first, so that the one that the note is about goes last.
    fn unlog(&self, name: &str, broken: &BTreeSet<Oid>) -> Result<(), Error> {
        let logged = || reflog::logged(self.repo, name);
        for _ in 0..MOST_ENTRIES {
            let before = logged()?;
            let Some(place) = before.iter().rposition(|entry| broken.contains(&entry.commit)) else { break };
            // What an entry says was there before it is no entry of its own, and goes with that one.
            let gone = self.program.unlog(name, place).is_ok() && logged()?.len() < before.len();
            if !gone {
                let Some(next) = place.checked_sub(1) else { break };
                self.program.unlog(name, next)?;
            }
        }
        Ok(())
    }

    /// Notes what the ref named, and has a ref keep what of it can be kept.
    fn keep(
        &self,
        id: &SessionId,
        named: &Named,
        why: &str,
        pieces: Option<&Pieces>,
        recovery: &Recovery,
        held: &Held,
    ) -> Result<(PathBuf, Option<String>), StoreError> {
        let fail = |error: Error| failed(id, error);
        let common = self.program.common_dir();
        let note = Note::about(common, id, &named.shown());
        let keeps = match (named.object(), pieces) {
            (Some(tip), Some(pieces)) if pieces.whole => Some((tip, "all of it")),
            (Some(tip), Some(pieces @ Pieces { tree: Some(tree), .. })) => {
                pieces.write(self.repo).map_err(fail)?;
                Some((self.readable_part(tip, *tree, recovery.to).map_err(fail)?, "what of it can be read"))
            }
            (_, _) => None,
        };
        let kept = keeps.map(|(_, what)| format!("{what}, as {}", note.kept()));
        let broken = pieces.map_or(&[][..], |pieces| &pieces.broken);
        let told = kept.as_deref().unwrap_or("this note alone: nothing is there that a ref could name");
        let text = keeping::text(id, &named.shown(), why, told, broken, recovery);
        let path = note.path(common);
        let io = |source| StoreError::Io { doing: format!("writing {}", path.display()), source };
        note.write(common, &text).map_err(io)?;
        if let Some((commit, _)) = keeps
            && self.program.named(&note.kept()).map_err(fail)?.is_none()
        {
            self.publish(&note.kept(), None, commit, held)?;
        }
        Ok((path, keeps.map(|_| note.kept())))
    }

    /// A commit of what can be read of another one.
    fn readable_part(&self, of: Oid, tree: Oid, before: Oid) -> Result<Oid, Error> {
        let who = format!("{} {} +0000", self.by.full(), self.seconds);
        let text = format!(
            "tree {tree}\nparent {before}\nauthor {who}\ncommitter {who}\n\nwhat can be read of {of}\n\nThe rest of that \
             commit is missing or broken, and git could not keep it.\n"
        );
        self.program.write(Kind::Commit, text.into_bytes())
    }

    fn put_aside(&self, broken: &[(String, Oid)]) -> Result<Vec<PathBuf>, StoreError> {
        let mut aside = Vec::new();
        for (_, object) in broken {
            let moved = keeping::put_aside(self.repo, *object);
            let doing = || format!("moving the file of object {object} out of git's way");
            aside.extend(moved.map_err(|source| StoreError::Io { doing: doing(), source })?);
        }
        Ok(aside)
    }

    fn set(&self, name: &str, named: &Named, to: Oid, held: &Held) -> Result<(), StoreError> {
        match named {
            Named::Nothing => self.publish(name, None, to, held),
            Named::Object(from) => self.publish(name, Some(*from), to, held),
            Named::Garbage(bytes) => self.overwrite(name, bytes, to, held),
        }
    }

    /// Moves a ref by the git program, which compares and sets.
    fn publish(&self, name: &str, from: Option<Oid>, to: Oid, held: &Held) -> Result<(), StoreError> {
        let unsigned = |error: git2::Error| moving(name, error.message().to_owned());
        let by = Signature::new(&self.by.name, &self.by.email, &Time::new(self.seconds, 0)).map_err(unsigned)?;
        let step = Move { name, from, to, by: &by, message: SAID };
        match publish(self.repo, &step, held, &mut Vec::new())? {
            Published::Done => Ok(()),
            Published::Moved => Err(moving(name, "somebody else moved it meanwhile".to_owned())),
        }
    }

    fn lock_of(&self, name: &str) -> PathBuf {
        self.program.common_dir().join(format!("{name}.lock"))
    }

    /// Replaces a file that is no ref, which git itself neither reads nor moves: under the lock that git would take, as a
    /// whole, and only if it still says what it said.
    fn overwrite(&self, name: &str, garbage: &[u8], to: Oid, held: &Held) -> Result<(), StoreError> {
        let (path, lock) = (self.program.common_dir().join(name), self.lock_of(name));
        let io = |source| StoreError::Io { doing: format!("moving {name}"), source };
        held.while_moving(&[&lock], || {
            let (mut file, mut fresh) = Self::locked(&lock, held)?;
            if regular::bytes(&path, regular::LONG)? != garbage {
                return Err(std::io::Error::other("somebody else moved it meanwhile"));
            }
            self.log(name, to)?;
            file.write_all(format!("{to}\n").as_bytes())?;
            file.sync_all()?;
            fresh.place(&path)
        })
        .map_err(io)
    }

    fn locked(lock: &Path, held: &Held) -> std::io::Result<(File, Fresh<'static>)> {
        let passes = |error: &std::io::Error| {
            let is_taken = error.kind() == std::io::ErrorKind::AlreadyExists;
            if is_taken {
                held.remove_stale(lock, STALE);
            }
            is_taken
        };
        again(LOCK_PATIENCE, || Fresh::alone(lock, 0o666), passes)
    }

    /// Adds an entry to a reflog that is a file.
    fn log(&self, name: &str, to: Oid) -> std::io::Result<()> {
        let path = self.program.common_dir().join("logs").join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let cut_off =
            regular::bytes(&path, regular::LONG).is_ok_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n"));
        let begin = if cut_off { "\n" } else { "" };
        let none = Oid::null(to.kind());
        let by: String = self.by.full().chars().filter(|letter| !letter.is_control()).collect();
        let line = format!("{begin}{none} {to} {by} {} +0000\t{SAID}\n", self.seconds);
        regular::made_at_its_end(path)?.write_all(line.as_bytes())
    }
}

fn failed(id: &SessionId, error: Error) -> StoreError {
    StoreError::Git { doing: format!("bringing session {id} back"), why: error.0 }
}

fn moving(name: &str, why: String) -> StoreError {
    StoreError::Git { doing: format!("moving {name}"), why }
}
