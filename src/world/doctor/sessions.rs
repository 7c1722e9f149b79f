//! Whether every session can be read, whether the pointers lead to one, and what lies beside the refs.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::app::error::AppError;
use crate::app::ports::{Finding, Mend, Severity, StoreError};
use crate::domain::ids::SessionId;
use crate::git::{Oid, Repo};
use crate::repo::open::{Opened, open};
use crate::store::active::{self, PREFIX};
use crate::store::commit::Person;
use crate::store::history::{self, Flaw, FlawKind};
use crate::store::listing;
use crate::store::mending::recovery::{Lost, Recovery, recovery};
use crate::store::mending::repair::{Outcome, Recovered, Repair};
use crate::store::mending::tip::NOTHING;
use crate::store::mending::tip::{Standing, standing};
use crate::store::mending::{keeping, reflog, strays, tip};

use super::super::guardian::HookGuardian;
use super::Section;
use super::pointers;

/// So many lost commits are named; the note names them all.
const NAMED: usize = 5;

/// The sessions of the repository, by their newest commits.
pub(super) struct Sessions<'a> {
    pub guardian: &'a HookGuardian<'a>,
    /// Who moves a ref.
    pub by: &'a Person,
    /// When.
    pub seconds: i64,
    /// The one that is looked at; all of them without.
    pub only: Option<&'a SessionId>,
    /// Sessions of which nothing was found although everything was searched.
    pub lost: RefCell<Vec<SessionId>>,
}

impl Section for Sessions<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let opened = open(&self.guardian.env)?;
        let repo = &opened.repo;
        let mut found = Vec::new();
        for id in self.ids(repo)? {
            found.extend(self.session(&opened, &id)?);
        }
        if self.only.is_none() {
            found.extend(pointers::broken(repo, &self.guardian.place.git_dir)?);
            found.extend(pointers::ended(repo, &self.guardian.place.git_dir)?);
            found.extend(self.entries(&opened));
            found.extend(left(repo));
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let opened = open(&self.guardian.env)?;
        let through_git = Repo::Program(opened.through_git(&self.guardian.env.process));
        let mut done = Vec::new();
        if self.only.is_none() {
            let removed = strays::remove(&opened.repo)?;
            done.extend(removed.iter().map(|path| format!("removed {}", path.display())));
            if let Repo::Program(program) = &through_git {
                done.extend(strays::take_in(&through_git, program, self.by, self.seconds)?);
            }
        }
        let Some(repair) = Repair::new(&through_git, self.by, self.seconds) else { return Ok(done) };
        let mut failed = None;
        for id in self.ids(&opened.repo)? {
            // One that cannot be mended keeps nobody from mending the others.
            match self.recover(&repair, &opened.repo, &id) {
                Ok(told) => done.extend(told),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        for (id, lost) in keeping::noted(opened.repo.common_dir()) {
            repair.forget(&id, &lost)?;
        }
        if self.only.is_none() {
            done.extend(pointers::mend(&opened.repo, &through_git)?);
        }
        failed.map_or(Ok(done), |error| Err(error.into()))
    }
}

impl Sessions<'_> {
    /// The sessions that refs, pointers and reflogs name.
    fn ids(&self, repo: &Repo) -> Result<Vec<SessionId>, StoreError> {
        if let Some(only) = self.only {
            return Ok(vec![only.clone()]);
        }
        let mut ids = listing::ids(repo)?;
        ids.extend(active::elsewhere(repo).into_iter().chain(active::here(repo)).map(|(id, _)| id));
        if !repo.is_reftable() {
            let logs = std::fs::read_dir(repo.common_dir().join("logs").join(PREFIX));
            let names = logs.into_iter().flatten().flatten().map(|entry| entry.file_name());
            ids.extend(names.filter_map(|name| SessionId::parse(name.to_str()?).ok()));
        }
        Ok(ids.into_iter().collect())
    }

    fn session(&self, opened: &Opened, id: &SessionId) -> Result<Vec<Finding>, AppError> {
        let repo = &opened.repo;
        let (what, code) = match standing(repo, id)? {
            Standing::Sound { tip, .. } => {
                return Ok(history::newest(repo, id, tip).iter().map(|flaw| of_flaw(id, flaw)).collect());
            }
            Standing::Newer { found } => return Ok(vec![newer(id, &found)]),
            Standing::Damaged { why } => (format!("session {id} cannot be read: {why}"), "session_unreadable"),
            Standing::Gone => (format!("there is no ref of session {id}"), "session_gone"),
        };
        let finding = |why: String, mend: Mend| Finding {
            code,
            severity: Severity::Error,
            what: what.clone(),
            why,
            mend,
            session: Some(id.clone()),
        };
        if self.lost.borrow().contains(id) {
            let why = "nothing of it that can be read is left in this repository; another clone of it, or a backup, may \
                       have its objects. Nothing was changed, and stop leaves it as it is";
            let leave = format!(
                "git fetch --refetch PATH-OF-A-COPY '+{}:refs/grill/remotes/copy/{id}' && git grill doctor --fix\n\
                 git grill stop --without-output",
                id.ref_name()
            );
            return Ok(vec![finding(why.to_owned(), Mend::Command(leave))]);
        }
        let program = opened.through_git(&self.guardian.env.process);
        let named = tip::named(&program, &id.ref_name()).map_err(|error| of_git(id, error.0))?;
        let known = recovery(repo, id, named.object()).map_err(|error| of_git(id, error.0))?;
        let why = match known {
            Some(recovery) => format!("it can be brought back at least to {}", told(&recovery)),
            None => {
                "neither its reflog nor its history names anything that can be read; --fix searches all objects of \
                     the repository for it"
                    .to_owned()
            }
        };
        Ok(vec![finding(why, Mend::Fix)])
    }

    /// Entries of reflogs that would have git's `gc` fail, left when mending was cut off.
    fn entries(&self, opened: &Opened) -> Vec<Finding> {
        let repo = &opened.repo;
        let mut found = Vec::new();
        for (id, lost) in keeping::noted(repo.common_dir()) {
            let logged = reflog::logged(repo, &id.ref_name()).unwrap_or_default();
            let program = opened.through_git(&self.guardian.env.process);
            let now = tip::named(&program, &id.ref_name()).ok().and_then(|named| named.object());
            let broken = |commit: &&Oid| {
                Some(**commit) != now
                    && logged.iter().any(|entry| entry.commit == **commit)
                    && keeping::pieces(repo, **commit).is_ok_and(|pieces| !pieces.whole)
            };
            if let Some(commit) = lost.iter().find(broken) {
                found.push(Finding {
                    code: "reflog_entry",
                    severity: Severity::Error,
                    what: format!("the reflog of session {id} names {commit}, of which something is missing"),
                    why: "git gc and git fsck stumble over it".to_owned(),
                    mend: Mend::Fix,
                    session: Some(id),
                });
            }
        }
        found
    }

    fn recover(&self, repair: &Repair<'_>, repo: &Repo, id: &SessionId) -> Result<Option<String>, StoreError> {
        if matches!(standing(repo, id)?, Standing::Sound { .. } | Standing::Newer { .. }) {
            return Ok(None);
        }
        match repair.recover(id)? {
            Outcome::Sound => Ok(None),
            Outcome::Regrown { tip, .. } => Ok(Some(format!(
                "what was missing of session {id} at {} was written anew from its events; nothing is lost",
                tip.to_hex_with_len(10)
            ))),
            Outcome::Recovered(recovered) => Ok(Some(brought_back(id, &recovered))),
            Outcome::Lost => {
                self.lost.borrow_mut().push(id.clone());
                Ok(None)
            }
        }
    }
}

fn of_git(id: &SessionId, why: String) -> StoreError {
    StoreError::Git { doing: format!("looking for what is left of session {id}"), why }
}

/// A commit, and what is not in it.
fn told(recovery: &Recovery) -> String {
    let Recovery { to, subject, found, lost } = recovery;
    let short = to.to_hex_with_len(10);
    let mut text = format!("{short} '{subject}', which {} names", found.words());
    if lost.is_empty() {
        return text;
    }
    let shown = |one: &Lost| match &one.subject {
        Some(subject) => format!("'{subject}'"),
        None => format!("{}, of which nobody knows what it was", one.commit.to_hex_with_len(10)),
    };
    let names: Vec<String> = lost.iter().rev().take(NAMED).rev().map(shown).collect();
    let before = lost.len() - names.len();
    let more = if before > 0 { format!("{before} earlier commits, ") } else { String::new() };
    let _ = write!(text, "; not in it: {more}{}", names.join(", "));
    text
}

fn brought_back(id: &SessionId, recovered: &Recovered) -> String {
    let Recovered { recovery, from, kept, note, aside } = recovered;
    let mut text = format!("session {id} was brought back to {}", told(recovery));
    match kept {
        Some(kept) => drop(write!(text, "; what it named before, {from}, is kept as {kept}")),
        None if from == NOTHING => {}
        None => drop(write!(text, "; it named {from} before, of which nothing could be kept")),
    }
    let _ = write!(text, "; {} says all of it", note.display());
    if let Some(first) = aside.first() {
        let folder = first.parent().map(PathBuf::from).unwrap_or_default();
        let _ = write!(text, "; broken files of {} objects were moved to {}", aside.len(), folder.display());
    }
    text
}

fn newer(id: &SessionId, found: &str) -> Finding {
    Finding {
        code: "newer_format",
        severity: Severity::Note,
        what: format!("session {id} has format {found}, which a newer git grill wrote"),
        why: "it is read-only for this one, and nothing is wrong with it".to_owned(),
        mend: Mend::Nothing,
        session: Some(id.clone()),
    }
}

/// What brings the objects of an unreadable commit back from a copy, and what frees git of it where there is none.
fn without_copy_too(name: &str) -> String {
    format!(
        "git fetch --refetch PATH-OF-A-COPY '{name}'\n\
         git update-ref '{name}' \"$(git commit-tree -m \"$(git log -1 --format=%B '{name}')\" '{name}^{{tree}}')\" && \
         git reflog expire --expire=all '{name}'"
    )
}

/// A flaw of one commit.
pub(super) fn of_flaw(id: &SessionId, flaw: &Flaw) -> Finding {
    let Flaw { kind, commit, what } = flaw;
    let show = Mend::Command(format!("git show --stat --format=fuller {commit}"));
    let (code, severity, why, mend) = match kind {
        FlawKind::Unreadable => (
            "commit_unreadable",
            Severity::Error,
            "it stays so, and later commits are whole without it; git gc and git fsck complain. A copy of the repository \
             may have its objects. Where none has, the second command lets git gc work again, once git grill stop ended \
             the session: it keeps what the session knows by now, and gives up the history that led there",
            Mend::Command(without_copy_too(&id.ref_name())),
        ),
        FlawKind::Replay => (
            "replay_differs",
            Severity::Error,
            "what stands in the tree counts, and nobody knows from the events how it got there",
            show,
        ),
        FlawKind::Numbers => ("seq_gap", Severity::Error, "events were left out, or written twice", show),
        FlawKind::Parents => ("parents", Severity::Error, "a session has one line of commits", show),
        FlawKind::Trailers => ("trailers", Severity::Warning, "the tree counts; git log --grep finds it wrongly", show),
        FlawKind::Newer => {
            ("newer_format", Severity::Note, "it is read-only for this git grill, and not checked", Mend::Nothing)
        }
    };
    let what = format!("session {id}, commit {}: {what}", commit.to_hex_with_len(10));
    Finding { code, severity, what, why: why.to_owned(), mend, session: Some(id.clone()) }
}

/// What lies beside the refs.
fn left(repo: &Repo) -> Vec<Finding> {
    let mut found = Vec::new();
    for left in strays::locks(repo) {
        let path = left.path().display();
        let (mend, why) = match &left {
            strays::Left::Ref(..) => (Mend::Fix, "git and git grill cannot move that ref"),
            strays::Left::Pointer(..) => (Mend::Fix, "the active session of that worktree cannot be set"),
            strays::Left::Shared(path) => (
                Mend::Command(format!("rm '{}', once no git runs there", path.display())),
                "no ref of the repository can be moved by anybody",
            ),
        };
        let what = format!("{path} was left by a process that died");
        let why = why.to_owned();
        found.push(Finding { code: "stale_lock", severity: Severity::Error, what, why, mend, session: None });
    }
    for path in strays::files(repo) {
        found.push(Finding {
            code: "stray_ref",
            severity: Severity::Error,
            what: format!("{} is a ref file in a repository that keeps its refs as reftable", path.display()),
            why: "git does not see it, and removes in time what it names".to_owned(),
            mend: Mend::Fix,
            session: None,
        });
    }
    found
}
