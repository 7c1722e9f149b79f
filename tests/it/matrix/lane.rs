//! A world to try operations in, one after another. It is built once for each kind, with and without a session, and
//! copied back before every try, always to the same place: hooks and configuration hold absolute paths.

use std::path::{Path, PathBuf};

use super::gits::Git;
use super::operations::Kind;
use crate::bench::{Bench, Output, adopt};

/// What stands guard over the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    Nobody,
    Hooks,
    /// A session with hooks and fence.
    Fence,
}

const BEGIN: &str = "git grill start --research off 'the matrix'";

/// How the git of a line is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Plain,
    /// With `--no-verify`.
    NoVerify,
    /// With `-c core.hooksPath=/dev/null`.
    HooksOff,
    /// The same inside `git grill run`, so that nothing but the kernel is left to say no.
    Inside,
}

/// What a line prints first when it runs inside; without it nothing was proved.
pub const INSIDE: &str = "inside the run of ";

/// One world and the copies it is made from.
pub struct Lane {
    bench: Bench,
    git: PathBuf,
}

impl Lane {
    /// A lane for many tries: in memory, where copying costs little.
    pub fn new(git: &Git) -> Self {
        Self::of(Bench::nowhere(), git)
    }

    /// A lane for `git grill run`, which keeps shared memory writable for programs and so guards no repository there.
    pub fn on_disk(git: &Git) -> Self {
        Self::of(Bench::on_disk(Bench::nowhere), git)
    }

    fn of(bench: Bench, git: &Git) -> Self {
        let lane = Self { bench, git: git.dir.clone() };
        std::fs::create_dir(lane.root().join("kept")).unwrap();
        lane
    }

    fn root(&self) -> PathBuf {
        self.bench.root().to_owned()
    }

    /// The folder that holds the repository, the remote and what lies beside them.
    pub fn world(&self) -> PathBuf {
        self.root().join("world")
    }

    pub fn repo(&self) -> PathBuf {
        self.world().join("repo")
    }

    fn kept(&self, kind: Kind, guard: Guard) -> PathBuf {
        self.root().join(format!("kept/{}-{guard:?}", kind.name()))
    }

    /// Makes the world what it is before anything is tried. It is built when it is first asked for.
    pub fn renew(&self, kind: Kind, guard: Guard) {
        let kept = self.kept(kind, guard);
        if kept.exists() {
            self.beside(&format!("rm -rf world tmp && mkdir tmp && cp -a --reflink=auto '{}' world", kept.display()));
            adopt(&self.world());
            return;
        }
        match guard {
            Guard::Nobody => {
                self.beside("rm -rf world && mkdir world");
                let script = format!("KIND={}\n{}", kind.name(), include_str!("world.sh"));
                self.shell(&self.world(), &script).assert_code(0);
            }
            Guard::Hooks => self.begin(kind, BEGIN),
            Guard::Fence => self.begin(kind, &format!("{BEGIN} --fence")),
        }
        self.beside(&format!("cp -a world '{}'", kept.display()));
    }

    fn begin(&self, kind: Kind, line: &str) {
        self.renew(kind, Guard::Nobody);
        self.run(line).assert_code(0);
    }

    /// Runs a line beside the world; it must succeed.
    fn beside(&self, line: &str) {
        self.shell(&self.root(), line).assert_code(0);
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
                let script = format!("echo \"{INSIDE}$GRILL_RUN\"\n{script}");
                std::fs::write(self.root().join("line.sh"), script).unwrap();
                self.run("git grill run -- sh ../../line.sh")
            }
        }
    }

    /// Takes every lock away, as if nobody had a fence.
    pub fn without_locks(&self) {
        self.shell(&self.repo(), "find .git -name '*.lock' -prune -exec rm -rf '{}' +").assert_code(0);
    }

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
