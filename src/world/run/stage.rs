//! What stands ready before a run begins: its folders, its layers, what it may write, and the words that build the walls.

use std::ffi::OsString;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use super::approved::Approved;
use super::confined::CONFINED;
use super::found_again::Interview;
use super::placed::{self, Layers};
use super::scratch::Scratch;
use super::store::{Of, Store};
use super::{BROKER, RUN};
use crate::app::error::AppError;
#[cfg(feature = "acp")]
use crate::app::ports::Within;
use crate::repo::open::Opened;
use crate::sandbox::broker::server::listen;
use crate::sandbox::profile::Profile;
use crate::sandbox::sockets::{Surroundings, sockets};
use crate::sandbox::{Confinement, Missing, grants};

use super::super::environment::Environment;
use super::super::failure::failed;
use super::super::speak;

/// What becomes of an agent's run where a wall is missing.
#[cfg(feature = "acp")]
pub(in crate::world) fn missing_wall(within: Within) -> Missing {
    match within {
        Within::Walls => Missing::Refuse,
        Within::WhatThereIs => Missing::Say,
    }
}

pub(in crate::world) struct Wanted<'a> {
    pub command: &'a [OsString],
    /// What it sees through private layers, and which walls stand around it.
    pub profile: Profile,
    pub missing: Missing,
    /// What it is called in the history.
    pub name: String,
    pub sees: Sees,
    /// Where its wishes come from.
    pub tools: Tools,
    /// Whether a line on standard error parts what is said of the run from what the command says: whoever has that stream
    /// then tells the user what the run goes without.
    pub parted: bool,
    /// The interview whose agent it is.
    pub interview: Option<Interview>,
    /// Where it works, if that is not where we were called.
    pub desk: Option<&'a Desk>,
}

/// The place of an agent that work was lent to. What a session approved for writing is not approved for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::world) struct Desk {
    /// The folder it starts in.
    pub cwd: PathBuf,
    /// Its own copy of the repository, the only part of it that it may write.
    pub own: Option<PathBuf>,
    /// Variables that it starts with.
    pub variables: Vec<(OsString, OsString)>,
}

/// Where the tools of a run are, whose wishes are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Tools {
    /// In it: whatever runs there may ask the broker.
    Inside,
    /// Outside, in a server of ours: nothing that runs inside reaches the broker, so that no rule of the tools can be gone
    /// around.
    Outside,
}

/// How much of the repository a run sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Sees {
    /// All of it, read-only.
    Repository,
    /// Nothing: it runs in an empty folder in the place of the working tree, and the git directory is empty too.
    #[cfg_attr(not(feature = "acp"), expect(dead_code, reason = "no agent leads without ACP"))]
    Nothing,
}

/// A run that stands ready. It is taken down with [`Staged::end`].
pub(in crate::world) struct Staged {
    /// The arguments of our own program that build the walls and become the command.
    pub words: Vec<OsString>,
    pub variables: Vec<(&'static str, OsString)>,
    store: Store,
    // In this order: what was made in the working tree goes before the list of it.
    approved: Approved,
    scratch: Scratch,
}

impl Staged {
    /// The bytes of a file that an agent wrote in one of its own folders in this run; none of more than so many, and of no
    /// file behind a link.
    pub(in crate::world) fn own_file(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        self.store.own_file(path, most)
    }
}

/// Makes everything ready for a run. What it goes without is said.
pub(in crate::world) fn stage(
    environment: &Environment,
    opened: &Opened,
    sealed: Vec<PathBuf>,
    wanted: &Wanted<'_>,
) -> Result<Staged, AppError> {
    let var = |name: &str| environment.var(name);
    let home = environment.var("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let layers = Layers::find(&wanted.profile.folders(home.as_deref(), &var), &sealed);
    // A socket that lies below a layer could not be reached through it.
    let folders = layers.all.iter().map(|layer| &layer.folder);
    let scratch = Scratch::make(environment, &sealed.iter().chain(folders).cloned().collect::<Vec<_>>())?;
    let cwd = wanted.desk.map_or(&environment.cwd, |desk| &desk.cwd);
    let of = Of { project: cwd, interview: wanted.interview.as_ref() };
    let store = Store::make(environment, &sealed, &layers, &of)
        .and_then(|store| store.begin(&layers).map(|()| store))
        .map_err(|error| {
            failed("io", "the run was not started: no directory can hold its private layers", &error, None)
        })?;
    let approved = match wanted.desk {
        Some(_) => Approved::nothing(&scratch),
        None => Approved::prepare(opened, &scratch)?,
    };
    let mut granted = grants(&[scratch.tmp()], &sealed);
    granted.withheld.extend(approved.withheld.iter().cloned());
    // Deeper than what is sealed around them, and the only ones there.
    granted.paths.extend(approved.paths.iter().cloned());
    granted.paths.extend(wanted.desk.and_then(|desk| desk.own.clone()));
    for (path, why) in &granted.withheld {
        speak::naming(&format!("warning: {} stays read-only in this run: {why}\n", path.display()));
    }
    for said in &layers.said {
        speak::naming(&format!("warning: {said}\n"));
    }
    let (dir, covered) = match wanted.sees {
        Sees::Repository => (cwd.clone(), Vec::new()),
        Sees::Nothing => (opened.worktree.clone().unwrap_or_else(|| opened.common_dir.clone()), sealed.clone()),
    };
    let needed = [&granted.paths[..], &sealed, std::slice::from_ref(cwd)].concat();
    let unseen = wanted.profile.agent().map(|agent| placed::unseen(agent.name, &needed, &layers)).unwrap_or_default();
    let mut hidden = sockets(&Surroundings {
        user: rustix::process::geteuid().as_raw(),
        runtime: environment.var("XDG_RUNTIME_DIR").map(PathBuf::from),
        tmux: environment.var("TMUX_TMPDIR").map(PathBuf::from),
        name: environment.text("USER"),
    });
    if wanted.tools == Tools::Outside {
        hidden.push(scratch.socket());
    }
    let confinement = Confinement {
        walls: wanted.profile.walls(),
        missing: wanted.missing,
        dir,
        sealed,
        covered,
        writable: granted.paths,
        store: store.path().to_owned(),
        layers: layers.all,
        unseen,
        hidden,
        keeper: std::process::id(),
        writing: approved.lock().map(Path::to_owned),
        parted: wanted.parted,
    };
    let variables: Vec<(&str, OsString)> = vec![
        ("TMPDIR", scratch.tmp().into()),
        // Reading git commands would otherwise try to refresh the index and lock it for that.
        ("GIT_OPTIONAL_LOCKS", "0".into()),
        (RUN, wanted.name.clone().into()),
        (BROKER, scratch.socket().into()),
    ];
    let mut words: Vec<OsString> = vec![CONFINED.into()];
    words.extend(confinement.to_args());
    words.push("--".into());
    words.extend(wanted.command.iter().cloned());
    Ok(Staged { words, variables, store, approved, scratch })
}

impl Staged {
    pub(in crate::world) fn listen(&mut self) -> Result<UnixListener, AppError> {
        listen(&self.scratch.socket()).map_err(|error| failed("io", "the run's broker could not be made", &error, None))
    }

    /// Opens the socket at which a server outside of the walls is reached; its path comes with it.
    #[cfg(feature = "acp")]
    pub(in crate::world) fn host(&self) -> Result<(UnixListener, PathBuf), AppError> {
        let socket = self.scratch.host();
        let listener = listen(&socket)
            .map_err(|error| failed("io", "the socket of git grill's tools could not be made", &error, None))?;
        Ok((listener, socket))
    }

    /// Looks at the layers: what was refreshed in them is brought out at once.
    pub(in crate::world) fn look(&self) {
        self.store.look();
    }

    /// Takes everything down after the run has ended, and says what could not be brought out.
    pub(in crate::world) fn end(self) {
        let Self { store, approved, scratch, .. } = self;
        drop(approved);
        for said in store.end() {
            speak::naming(&format!("warning: {said}\n"));
        }
        drop(scratch);
    }
}
