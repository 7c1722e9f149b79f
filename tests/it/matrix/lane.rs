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
    /// A session with hooks and fence.
    Fence,
}

/// Begins a session.
const BEGIN: &str = "git grill start --research off 'the matrix'";

/// How the git of a line is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// As typed.
    Plain,
    /// With `--no-verify`.
    NoVerify,
    /// With `-c core.hooksPath=/dev/null`.
    HooksOff,
    /// The same inside `git grill run`, so that nothing but the kernel is left to say no.
    Inside,
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
            lane.keep(kind, Guard::Nobody);
            for (guard, begin) in [(Guard::Hooks, BEGIN.to_owned()), (Guard::Fence, format!("{BEGIN} --fence"))] {
                lane.renew(kind, Guard::Nobody);
                lane.run(&begin).assert_code(0);
                lane.keep(kind, guard);
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

    fn keep(&self, kind: Kind, guard: Guard) {
        let to = self.kept(kind, guard);
        self.shell(&self.root(), &format!("cp -a world '{}'", to.display())).assert_code(0);
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
            Way::HooksOff | Way::Inside => ("-c core.hooksPath=/dev/null", ""),
        };
        let script = format!("NV={no_verify}\ng() {{ git {how} \"$@\"; }}\n{line}\n");
        match way {
            Way::Plain | Way::NoVerify | Way::HooksOff => self.run(&script),
            Way::Inside => {
                std::fs::write(self.root().join("line.sh"), script).unwrap();
                self.run("git grill run -- sh ../../line.sh")
            }
        }
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
