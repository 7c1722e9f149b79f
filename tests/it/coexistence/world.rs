//! A project that uses a manager, in a world with one git.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::manager::Manager;
use crate::bench::{Bench, Output};
use crate::matrix::fingerprint::every_byte;
use crate::matrix::gits::Git;

/// Hooks and configuration by path, to the byte; the bench's own folder is written `$DIR`.
#[derive(Debug, PartialEq, Eq)]
pub struct Footprint(BTreeMap<String, Vec<u8>>);

impl Footprint {
    /// The same with the lines of the configuration sorted: git-lfs writes its keys in an order of chance.
    pub fn in_order(mut self) -> Self {
        if let Some(config) = self.0.get_mut("config") {
            let text = String::from_utf8(std::mem::take(config)).unwrap();
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            *config = lines.join("\n").into_bytes();
        }
        self
    }

    pub fn config(&self) -> &[u8] {
        &self.0["config"]
    }

    /// Fails with the first path that differs.
    #[track_caller]
    pub fn assert_is(&self, expected: &Self, what: &str) {
        for path in self.0.keys().chain(expected.0.keys()) {
            let show = |found: Option<&Vec<u8>>| found.map(|bytes| bytes.escape_ascii().to_string());
            let (now, wanted) = (self.0.get(path), expected.0.get(path));
            assert!(now == wanted, "{what}: {path}: now {:?}, expected {:?}", show(now), show(wanted));
        }
    }
}

pub struct World<'a> {
    bench: Bench,
    git: &'a Git,
    manager: &'a Manager,
}

impl<'a> World<'a> {
    /// Makes it, with the manager at hand and nothing installed.
    pub fn new(git: &'a Git, manager: &'a Manager) -> Self {
        let world = Self { bench: Bench::new(), git, manager };
        // Whether git-lfs is called cannot be seen otherwise: its hooks have nothing to do here.
        let lfs = tools().join("git-lfs");
        let noting = format!("#!/bin/sh\necho \"$1\" >>\"$HOME/ran\"\nexec '{}' \"$@\"\n", lfs.display());
        world.bench.write("../noting/git-lfs", noting);
        world.run("chmod 755 ../noting/git-lfs").assert_code(0);
        world.run(manager.project).assert_code(0);
        world.run("git add -A && git commit -qm project").assert_code(0);
        world
    }

    /// Runs a line in the project, where the managers are found.
    pub fn run(&self, line: &str) -> Output {
        let first = [self.bench.root().join("noting"), self.git.dir.clone(), tools()];
        let first = std::env::join_paths(first).unwrap();
        self.bench.run(&format!("PATH='{}':\"$PATH\"\n{line}", first.display()))
    }

    pub fn start(&self) {
        self.run("git grill start --research off coexistence").assert_code(0);
    }

    pub fn start_fenced(&self) {
        self.run("git grill start --research off --fence coexistence").assert_code(0);
    }

    pub fn stop(&self) {
        self.run("git grill stop --without-output").assert_code(0).assert_lacks("warning");
    }

    /// Outside a session: a commit runs the hook and goes through, and the hook's no is a no.
    #[track_caller]
    pub fn hooks_run(&self) {
        let commit = "rm -f \"$HOME/ran\" && echo more >>story.txt && git add story.txt && git commit -m x";
        self.run(commit).assert_code(0).assert_lacks("git grill");
        self.run(&format!(": {}; cat \"$HOME/ran\"", self.what("did its hook run?")))
            .assert_contains(self.manager.notes);
        if self.manager.can_refuse {
            let head = self.head();
            self.run(&format!("touch forbidden; {commit}")).assert_code(1).assert_lacks("git grill");
            assert_eq!(self.head(), head, "{}", self.what("the hook said no"));
            self.run("rm forbidden && git reset -q --hard").assert_code(0);
        }
    }

    /// Inside a session: no commit, with or without the manager's hooks.
    #[track_caller]
    pub fn commits_are_refused(&self) {
        let head = self.head();
        for line in ["git commit --allow-empty -m x", "git commit --no-verify --allow-empty -m x"] {
            let output = self.run(line);
            let ours = ["git grill", ".lock': File exists"].iter().any(|said| output.stderr.contains(said));
            assert!(output.code != 0 && ours, "{}: {output}", self.what(line));
        }
        assert_eq!(self.head(), head);
    }

    fn head(&self) -> String {
        self.run("git rev-parse HEAD").assert_code(0).stdout().to_owned()
    }

    /// What hooks and configuration are now.
    pub fn footprint(&self) -> Footprint {
        let root = self.bench.root().to_str().unwrap();
        let git = self.bench.repo().join(".git");
        let mut found = BTreeMap::new();
        for (name, dir) in [("hooks", git.join("hooks")), (".husky", self.bench.repo().join(".husky"))] {
            let files = every_byte(&dir).into_iter();
            found.extend(files.map(|(path, bytes)| (format!("{name}/{path}"), without(root, &bytes))));
        }
        for name in ["config", "config.worktree", "info/exclude"] {
            if let Ok(bytes) = std::fs::read(git.join(name)) {
                found.insert(name.to_owned(), without(root, &bytes));
            }
        }
        Footprint(found)
    }

    /// A heading for failures.
    pub fn what(&self, when: &str) -> String {
        format!("{} with git {}, {when}", self.manager.name, self.git.version)
    }
}

/// A hook may hold the path of its repository, which differs from bench to bench.
fn without(root: &str, bytes: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.replace(root, "$DIR").into_bytes(),
        Err(_) => bytes.to_vec(),
    }
}

/// Where the managers are; says how to install them if they are not.
fn tools() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/ci-tools/hook-managers/bin");
    for program in ["husky", "lefthook", "pre-commit", "git-lfs"] {
        assert!(folder.join(program).exists(), "{program} is missing; install it with: bash .ci/hook-managers");
    }
    folder
}
