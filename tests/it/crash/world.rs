//! A small world in memory that is put back to where it was before each kill.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::Bench;
use crate::faults::traces::{Traces, lasting};

/// The folders of a bench that a command can change: the last one is a tracker that a test plays.
const FOLDERS: [&str; 4] = ["nowhere", "home", "tmp", "stand-in"];

/// A bench with a moment to return to.
pub struct World {
    /// The bench.
    pub bench: Bench,
    kept: PathBuf,
    untouched: Traces,
}

impl World {
    /// A repository with a few files, in which scripts may approve, after `lines`.
    pub fn after(lines: &[&str]) -> Self {
        Self::of("", lines)
    }

    /// The same in a repository of another format, as `git init` is told of it.
    pub fn of(format: &str, lines: &[&str]) -> Self {
        let bench = Bench::in_memory();
        bench.global_config("[grill]\n\tapproval = script\n");
        bench.write("src/lib.rs", "//! Counts.\n");
        bench.write("docs/prd/rate-limiting.md", "# Ours\r\nby hand, without a newline at the end");
        bench
            .run(&format!(
                "git init -q {format} && echo '# demo' >README.md && git add . && git commit -qm 'Everything so far'"
            ))
            .assert_code(0);
        let untouched = lasting(bench.repo());
        for line in lines {
            bench.run(line).assert_code(0);
        }
        let kept = bench.root().join("kept");
        let world = Self { bench, kept, untouched };
        world.keep();
        world
    }

    /// What stood there before `lines`.
    pub fn untouched(&self) -> Traces {
        self.untouched.clone()
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
    }
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
