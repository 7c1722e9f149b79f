//! A small world in memory that is put back to where it was before each kill.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{By, Place, Shape};
use super::terminal::Terminal;
use crate::bench::{Bench, Output, adopt};
use crate::faults::traces::{Traces, everything, stays};

/// The folders of a bench that a command can change: `trunk` is the repository that another was made from, the last one a
/// tracker that a test plays.
const FOLDERS: [&str; 5] = ["nowhere", "trunk", "home", "tmp", "stand-in"];

/// A bench with a moment to return to.
pub struct World {
    pub bench: Bench,
    /// What kind of repository it has, and who reads it.
    pub place: Place,
    /// A terminal for the commands that need one.
    pub terminal: Terminal,
    kept: PathBuf,
    untouched: Traces,
    refs: String,
}

impl World {
    /// A repository as most are, in which scripts may approve, after `lines`.
    pub fn after(lines: &[&str]) -> Self {
        Self::at(Place::USUAL, lines)
    }

    /// A repository of this kind with a few files, in which scripts may approve, after `lines`.
    pub fn at(place: Place, lines: &[&str]) -> Self {
        let bench = Bench::nowhere();
        bench.scripts_may_approve();
        place.shape.make(&bench);
        let kept = bench.root().join("kept");
        let (untouched, refs) = (Traces::new(), String::new());
        let mut world = Self { bench, place, terminal: Terminal::open(), kept, untouched, refs };
        world.untouched = world.everything();
        world.untouched.retain(|path, _| !stays(path));
        world.refs = world.refs();
        for line in lines {
            world.run(line).assert_code(0);
        }
        if place.shape == Shape::Packed {
            world.pack();
        }
        world.keep();
        world
    }

    /// Runs a shell line with whoever reads repositories here.
    pub fn run(&self, line: &str) -> Output {
        self.bench.run(&self.line(line))
    }

    /// A shell line that names whoever reads repositories here.
    pub fn line(&self, line: &str) -> String {
        match self.place.by {
            By::Library => line.to_owned(),
            By::Program => format!("GRILL_BACKEND=git; export GRILL_BACKEND; {line}"),
        }
    }

    /// Where all worktrees of the repository keep what they share.
    pub fn git_dir(&self) -> PathBuf {
        self.bench.root().join(self.place.shape.git_dir())
    }

    /// Every file of the repository, as if all of git's stood in `.git`.
    pub fn everything(&self) -> Traces {
        let inside = everything(&self.git_dir()).into_iter();
        let mut found: Traces = inside.map(|(path, bytes)| (Path::new(".git").join(path), bytes)).collect();
        if self.place.shape != Shape::Bare {
            let files = everything(self.bench.repo()).into_iter();
            found.extend(files.filter(|(path, _)| !path.starts_with(".git")));
        }
        found
    }

    /// What the user has: the files beside git's and ours, what stands in the home, and what a row has made elsewhere.
    pub fn files(&self) -> Traces {
        let mut found = self.everything();
        found.retain(|path, _| !path.starts_with(".git") && !path.starts_with(".grill"));
        for folder in ["home", "tmp/made"].map(|name| self.bench.root().join(name)).iter().filter(|one| one.exists()) {
            found.extend(everything(folder).into_iter().map(|(path, bytes)| (folder.join(path), bytes)));
        }
        // A folder without files is nothing that git or an agent sees, and what is to become a file is none yet.
        found.retain(|path, _| !self.bench.repo().join(path).is_dir() && !is_half(path));
        found
    }

    /// What stood there before `lines`.
    pub fn untouched(&self) -> Traces {
        self.untouched.clone()
    }

    /// The refs that there were before `lines`.
    pub fn refs_untouched(&self) -> &str {
        &self.refs
    }

    /// The names of the refs that are not a session's.
    pub fn refs(&self) -> String {
        let listed = self.bench.run("git for-each-ref --format='%(refname)' | { grep -v ^refs/grill/ || true; }");
        listed.assert_code(0).stdout().to_owned()
    }

    /// Makes this the moment to return to.
    pub fn keep(&self) {
        let _ = std::fs::remove_dir_all(&self.kept);
        std::fs::create_dir(&self.kept).unwrap();
        copy(self.bench.root(), &self.kept);
    }

    /// Returns to the moment that was kept.
    pub fn restore(&self) {
        for folder in FOLDERS.map(|folder| self.bench.root().join(folder)).iter().filter(|folder| folder.exists()) {
            std::fs::remove_dir_all(folder).unwrap();
        }
        copy(&self.kept, self.bench.root());
        adopt(self.bench.root());
    }

    /// No ref and no object that is named is a file of its own any more.
    fn pack(&self) {
        self.run("git pack-refs --all && git gc --quiet").assert_code(0);
        self.bench
            .run("find .git/refs -type f; git rev-list --all --objects --unpacked")
            .assert_code(0)
            .assert_stdout("");
    }
}

/// Whether a file is one that is to take another's place.
pub fn is_half(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') && name.contains(".git-grill-") || name.starts_with(".grill-")
}

/// With times and modes, so that git's index stays true.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("-a")
        .args(FOLDERS.map(|folder| from.join(folder)).iter().filter(|folder| folder.exists()))
        .arg(to)
        .status()
        .unwrap();
    assert!(copied.success());
}
