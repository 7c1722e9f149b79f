//! The store's whole suite over every format that git has for refs and objects, seen from the main worktree and from a
//! linked one: this binary runs itself once for each, with the cell in its environment. And what two back ends make of
//! one repository.

use std::collections::BTreeSet;
use std::process::Command;

use git_grill::app::ports::SessionStore;
use git_grill::domain::actor::Actor;

use super::bench::*;
use crate::bench::crowd;

/// The variable that says which cell a run is for.
const CELL: &str = "GRILL_TEST_CELL";

/// A format of refs, a format of objects, a worktree, and who reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub reftable: bool,
    pub sha256: bool,
    pub linked: bool,
}

impl Cell {
    /// The one that this run is for; without one, what git makes unless it is told otherwise.
    pub fn of_this_run() -> Self {
        let text = std::env::var(CELL).unwrap_or_default();
        let has = |word: &str| text.split('+').any(|one| one == word);
        Self { reftable: has("reftable"), sha256: has("sha256"), linked: has("linked") }
    }

    fn name(self) -> String {
        let words = [
            if self.reftable { "reftable" } else { "files" },
            if self.sha256 { "sha256" } else { "sha1" },
            if self.linked { "linked" } else { "main" },
        ];
        words.join("+")
    }

    /// What `git init` is told. Nothing where git does it by itself, so that the oldest git can.
    pub fn formats(self) -> Vec<&'static str> {
        let mut words = Vec::new();
        words.extend(self.reftable.then_some("--ref-format=reftable"));
        words.extend(self.sha256.then_some("--object-format=sha256"));
        words
    }

    /// Whether git's library opens it.
    pub fn is_the_librarys(self) -> bool {
        !self.reftable && !self.sha256
    }

    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|n| Self { reftable: n & 1 != 0, sha256: n & 2 != 0, linked: n & 4 != 0 })
    }
}

/// Whether the program reads the repositories of this run.
pub fn by_program() -> bool {
    !Cell::of_this_run().is_the_librarys() || std::env::var_os("GRILL_BACKEND").is_some_and(|value| value == "git")
}

/// Whether this git makes reftable repositories; where not, that is said.
pub fn git_has_reftable() -> bool {
    crate::bench::git_has_reftable("the store's suite over reftable")
}

/// What takes long, and is about many processes rather than about formats: the whole matrix has it.
const LONG: &[&str] = &[
    "store::races::sixteen",
    "store::races::a_lock_left",
    "store::holder::",
    "store::replay::",
    "store::limits::a_thou",
];

fn suite(cell: Cell, backend: Option<&str>, skipped: &[&str]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["store::", "--skip", "store::matrix::", "--test-threads", "2"]);
    for name in skipped {
        command.args(["--skip", name]);
    }
    command.env(CELL, cell.name()).env_remove("GRILL_BACKEND");
    if let Some(backend) = backend {
        command.env("GRILL_BACKEND", backend);
    }
    let _crowd = crowd();
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let failed = said.split("\nfailures:\n").nth(1).unwrap_or(&said);
    assert!(ran.status.success(), "{} {backend:?}:\n{failed}", cell.name());
    let passed = said.rsplit_once(" passed").and_then(|(before, _)| before.rsplit(' ').next()?.parse::<u32>().ok());
    assert!(passed.is_some_and(|passed| passed > 30), "{}: {passed:?} passed", cell.name());
}

/// What `cargo test` runs beside the ordinary run of the suite, which is that of the main worktree through git's library:
/// each format of refs, each format of objects, each worktree and each reader meets each of the others in one of them.
const PAIRS: [Cell; 4] = [
    Cell { reftable: false, sha256: false, linked: true },
    Cell { reftable: false, sha256: true, linked: true },
    Cell { reftable: true, sha256: false, linked: true },
    Cell { reftable: true, sha256: true, linked: false },
];

#[test]
fn the_suite_holds_over_sha256() {
    suite(PAIRS[1], None, LONG);
}

#[test]
fn the_suite_holds_over_reftable() {
    if git_has_reftable() {
        suite(PAIRS[2], None, LONG);
    }
}

#[test]
fn the_suite_holds_over_reftable_and_sha256() {
    if git_has_reftable() {
        suite(PAIRS[3], None, LONG);
    }
}

#[test]
fn the_suite_holds_in_a_linked_worktree() {
    suite(PAIRS[0], None, LONG);
}

/// The rows above are enough, and one that is changed is not missed.
#[test]
fn every_two_of_a_cell_s_choices_meet() {
    let choices = |cell: Cell| [cell.reftable, cell.sha256, cell.linked, !cell.is_the_librarys()];
    let met: BTreeSet<_> = PAIRS
        .iter()
        .chain([&Cell::default()])
        .flat_map(|cell| {
            let all = choices(*cell);
            (0..4).flat_map(move |one| (0..one).map(move |other| (one, all[one], other, all[other])))
        })
        .collect();
    // Six pairs of choices, each in four ways; the library reads neither reftable nor SHA-256.
    assert_eq!(met.len(), 6 * 4 - 2, "{met:?}");
}

/// The longest tests as well; what the other cells would add is a third choice beside each two.
#[test]
#[ignore = "takes minutes: every test of the store in every pair"]
fn every_pair_whole() {
    let reftable = git_has_reftable();
    for cell in PAIRS.into_iter().filter(|cell| !cell.reftable || reftable) {
        suite(cell, None, &[]);
    }
    suite(Cell::default(), Some("git"), &[]);
}

#[test]
#[ignore = "takes minutes: every test of the store in every cell"]
fn the_whole_matrix() {
    let reftable = git_has_reftable();
    for cell in Cell::all().filter(|cell| !cell.reftable || reftable) {
        suite(cell, None, &[]);
    }
    for linked in [false, true] {
        suite(Cell { linked, ..Cell::default() }, Some("git"), &[]);
    }
}

#[test]
fn two_back_ends_write_the_same_bytes_and_go_on_where_the_other_stopped() {
    let bench = Bench::of(Cell::default());
    let (library, program) = (store_by(&bench.path(), "libgit2"), store_by(&bench.path(), "git"));
    assert_eq!((library.backend(), program.backend()), ("libgit2", "git"));
    // The same events from the beginning, each by one of them: the very same commits.
    let twin = Bench::of(Cell::default());
    let alone = store_by(&twin.path(), "git");
    let id = session_id(1);
    let (mut session, mut head) = begin(&library, &id);
    let (mut same, mut other) = begin(&alone, &id);
    assert_eq!(head, other);
    let steps: Vec<Vec<_>> = vec![
        vec![(Actor::System, question(1, "Which?"))],
        vec![(Actor::Human, answer(1, 1, "a: [b] #c\nünd", at(9))), (Actor::Human, checkpoint("# S\n\n- one\n"))],
        vec![(Actor::Agent("codex <x>".to_owned()), question(2, "And then?"))],
        vec![(Actor::System, checkpoint("# S\n"))],
    ];
    for (n, step) in steps.into_iter().enumerate() {
        let store = if n % 2 == 0 { &program } else { &library };
        let loaded = store.load(&id).unwrap();
        assert_eq!((&loaded.session, &loaded.head), (&session, &head));
        (session, head) = go_on(store, &session, &head, step.clone());
        (same, other) = go_on(&alone, &same, &other, step);
        assert_eq!(head, other, "after {n}");
    }
    for store in [&library, &program] {
        assert_eq!(store.load(&id).unwrap().session, session);
        assert_eq!(store.versions(&id, 9).unwrap().len(), 5);
        store.activate(&id).unwrap();
        assert_eq!(store_by(&bench.path(), "git").active().unwrap().as_ref(), Some(&id));
        assert_eq!(store_by(&bench.path(), "libgit2").active().unwrap().as_ref(), Some(&id));
        store.deactivate().unwrap();
        assert_eq!(library.active().unwrap(), None);
    }
    assert_eq!(library.versions(&id, 9).unwrap(), program.versions(&id, 9).unwrap());
    let reflog = bench.git(&["reflog", "show", "--format=%gs|%gn", &id.ref_name()]);
    assert_eq!(
        reflog.lines().filter(|line| line.starts_with("grill: ") && line.ends_with("|Ada")).count(),
        5,
        "{reflog}"
    );
    assert_eq!(bench.git(&["fsck", "--strict", "--no-dangling"]).trim(), "");
}
