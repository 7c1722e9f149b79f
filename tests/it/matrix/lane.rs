//! A world to try operations in, one after another. It is built once for each kind, with and without a session, and
//! copied back before every try, always to the same place: hooks and configuration hold absolute paths.

use std::path::{Path, PathBuf};

use super::gits::Git;
use super::operations::Kind;
use crate::bench::{Bench, Output};

/// What stands guard over the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    /// Nothing: no session.
    Nobody,
    /// A session with its hooks.
    Hooks,
}

impl Guard {
    fn begin(self) -> Option<&'static str> {
        match self {
            Self::Nobody => None,
            Self::Hooks => Some("git grill start --research off 'the matrix'"),
        }
    }
}

/// How the git of a line is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// As typed.
    Plain,
    /// With `--no-verify`.
    NoVerify,
    /// With `-c core.hooksPath=/dev/null`.
    HooksOff,
}

/// One world and the copies it is made from.
pub struct Lane {
    bench: Bench,
    git: PathBuf,
}

impl Lane {
    /// Builds the copies.
    pub fn new(git: &Git) -> Self {
        let lane = Self { bench: Bench::in_memory(), git: git.dir.clone() };
        for kind in [Kind::Clean, Kind::Dirty] {
            lane.shell(&lane.root(), "rm -rf world && mkdir -p world kept").assert_code(0);
            let script = format!("KIND={}\n{}", kind.name(), include_str!("world.sh"));
            lane.shell(&lane.world(), &script).assert_code(0);
            for guard in [Guard::Nobody, Guard::Hooks] {
                if let Some(begin) = guard.begin() {
                    lane.run(begin).assert_code(0);
                }
                let keep = format!("cp -a world '{}'", lane.kept(kind, guard).display());
                lane.shell(&lane.root(), &keep).assert_code(0);
            }
        }
        lane
    }

    fn root(&self) -> PathBuf {
        self.bench.root().to_owned()
    }

    /// The folder that holds the repository, the remote and what lies beside them.
    pub fn world(&self) -> PathBuf {
        self.root().join("world")
    }

    /// The repository.
    pub fn repo(&self) -> PathBuf {
        self.world().join("repo")
    }

    fn kept(&self, kind: Kind, guard: Guard) -> PathBuf {
        self.root().join(format!("kept/{}-{guard:?}", kind.name()))
    }

    /// Makes the world what it was before anything was tried.
    pub fn renew(&self, kind: Kind, guard: Guard) {
        let from = self.kept(kind, guard);
        let line = format!("rm -rf world tmp && mkdir tmp && cp -a --reflink=auto '{}' world", from.display());
        self.shell(&self.root(), &line).assert_code(0);
    }

    /// Tries a line in the repository.
    pub fn attempt(&self, line: &str, way: Way) -> Output {
        let (how, no_verify) = match way {
            Way::Plain => ("", ""),
            Way::NoVerify => ("", "--no-verify"),
            Way::HooksOff => ("-c core.hooksPath=/dev/null", ""),
        };
        self.run(&format!("NV={no_verify}\ng() {{ git {how} \"$@\"; }}\n{line}"))
    }

    /// Runs a line in the repository.
    pub fn run(&self, line: &str) -> Output {
        self.shell(&self.repo(), line)
    }

    /// What a git command prints that must succeed.
    pub fn git_says(&self, arguments: &str) -> String {
        self.run(&format!("git {arguments}")).assert_code(0).stdout().to_owned()
    }

    fn shell(&self, dir: &Path, line: &str) -> Output {
        self.bench.at(dir).run(&format!("PATH='{}':\"$PATH\"\n{line}", self.git.display()))
    }
}
