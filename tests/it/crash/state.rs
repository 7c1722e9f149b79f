//! What a repository is like after a kill: sound, consistent, and either protected or not.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher as _};
use std::path::PathBuf;

use git_grill::app::ports::SessionStore as _;
use git_grill::domain::session::Session;

use super::place::Shape;
use super::world::{World, is_half};
use crate::faults::traces::{Traces, everything};
use crate::store::bench::store_in;

/// What every history says, without the ids that differ from run to run: one entry a session, one subject a commit.
pub type Told = Vec<Vec<String>>;

/// The subjects of every session's commits, oldest first.
pub fn told(world: &World) -> Told {
    let store = store_in(world.bench.repo());
    let mut listed = store.list().unwrap();
    listed.sort_by(|one, other| one.id.cmp(&other.id));
    let subjects = |id| {
        let versions = store.versions(id, usize::MAX).unwrap();
        versions.iter().rev().map(|version| nameless(&version.subject)).collect()
    };
    listed.iter().map(|one| subjects(&one.id)).collect()
}

/// What a command left: what the histories say, what the user has, and what stands in `.grill`.
pub struct Left {
    /// The histories.
    pub told: Told,
    files: BTreeMap<PathBuf, String>,
    view: BTreeMap<PathBuf, String>,
}

impl Left {
    pub fn of(world: &World) -> Self {
        let blurred = |traces: Traces| -> BTreeMap<PathBuf, String> {
            traces.into_iter().map(|(path, bytes)| (path, timeless(&String::from_utf8_lossy(&bytes)))).collect()
        };
        let mut view = world.everything();
        view.retain(|path, _| path.starts_with(".grill"));
        Self { told: told(world), files: blurred(world.files()), view: blurred(view) }
    }

    /// Each file is as it was, or as the whole command leaves it.
    pub fn assert_no_half_file(&self, before: &Self, led_to: &Self, when: &str) {
        for path in self.files.keys().chain(before.files.keys()) {
            let now = self.files.get(path);
            let whole = now == before.files.get(path) || now == led_to.files.get(path);
            assert!(whole, "{when}: {} is half a file: {now:?}", path.display());
        }
    }

    /// The user has what the whole command leaves.
    pub fn assert_files(&self, led_to: &Self, when: &str) {
        assert_eq!(self.files, led_to.files, "{when}: files");
    }

    pub fn assert_all_stored(&self, led_to: &Self, when: &str) {
        assert_eq!(settled(&self.told), settled(&led_to.told), "{when}: it said so");
        self.assert_files(led_to, when);
        assert_eq!(self.view, led_to.view, "{when}: it said nothing of .grill");
    }
}

/// What a history comes to: three drafts may be approved before the first is written, and what drifted be looked at once
/// more.
pub fn settled(told: &Told) -> Told {
    let mut told = without_looks(told);
    for subjects in &mut told {
        subjects.sort();
    }
    told
}

/// Without the notes that somebody looked whether anything drifted.
pub fn without_looks(told: &Told) -> Told {
    let mut told = told.clone();
    for subjects in &mut told {
        subjects.retain(|subject| !subject.starts_with("verify: "));
    }
    told
}

/// Without the questions that stand at the end, to which nobody has said anything.
pub fn without_next_question(told: &Told) -> Told {
    let mut told = told.clone();
    for subjects in &mut told {
        while subjects.last().is_some_and(|subject| subject.starts_with("ask ")) {
            subjects.pop();
        }
    }
    told
}

/// A text without what is random, and without numbers, so without times.
fn timeless(text: &str) -> String {
    nameless(text).chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Every history replays to what its newest tree says.
pub fn assert_consistent(world: &World, when: &str) {
    let store = store_in(world.bench.repo());
    for listed in store.list().unwrap() {
        let loaded = store.load(&listed.id).unwrap_or_else(|error| panic!("{when}: {error}")).session;
        let replayed = Session::replay(&store.history(&listed.id).unwrap());
        assert_eq!(replayed.as_ref(), Some(&loaded), "{when}: replay");
    }
}

/// Git finds nothing wrong.
pub fn assert_sound(world: &World, when: &str) {
    let checked = world.bench.run("git fsck --no-dangling --no-progress");
    assert_eq!(checked.code, 0, "{when}: {checked}");
}

/// Whether a session is active here, as the next command sees it; and the hooks agree with that: they refuse the user's
/// commit if one is, and are in nobody's way if none is.
pub fn assert_whole_or_no_protection(world: &World, when: &str) -> bool {
    let status = world.run("git grill status --short");
    assert_eq!(status.code, 0, "{when}: {status}");
    let active = !status.stdout.is_empty();
    let (change, back) = match world.place.shape {
        Shape::Bare => ("git update-ref refs/heads/probe HEAD", "git update-ref -d refs/heads/probe"),
        Shape::Usual | Shape::Sha256 | Shape::Reftable | Shape::Linked | Shape::Packed => {
            ("git commit --quiet --allow-empty -m probe", "git reset --quiet --soft HEAD~1")
        }
    };
    let probe = world.run(change);
    // A fence holds git's own lock of the index.
    let refused = ["git grill", "index.lock"].iter().any(|said| probe.stderr.contains(said));
    if active {
        let held = probe.code == 128 && refused;
        // In the output phase a commit of approved files alone is let through, and an empty one is.
        let let_through = probe.code == 0 && status.stdout.starts_with("grill:output ");
        assert!(held || let_through, "{when}: it is active ({}), and not protected: {probe}", status.stdout);
    } else {
        assert!(probe.code == 0 && probe.stderr.is_empty(), "{when}: nothing is active, and git is not free: {probe}");
    }
    if probe.code == 0 && !active {
        let back = world.run(back);
        assert!(back.code == 0 && back.stderr.is_empty(), "{when}: {back}");
    }
    active
}

/// Nothing that only served a process is left: no lock of git's or ours, no file that was to become another.
pub fn assert_nothing_left(world: &World, when: &str) {
    let at_home = everything(&world.bench.root().join("home"));
    let left: Vec<_> = world
        .everything()
        .into_keys()
        .chain(at_home.into_keys())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let half = [".unfinished", "view."].iter().any(|start| name.starts_with(start))
                || [".lock", ".tmp", ".new", ".now"].iter().any(|end| name.ends_with(end))
                || is_half(path);
            // Halves of objects are git's own, and its garbage collection takes them; so are halves of tables.
            half && ![".git/objects", ".git/reftable"].iter().any(|folder| path.starts_with(folder))
        })
        .collect();
    assert!(left.is_empty(), "{when}: left behind {left:?}");
}

/// A number for the state of everything but objects, the same for states that differ in random names alone.
pub fn fingerprint(world: &World) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut seen = BTreeSet::new();
    for (path, bytes) in world.everything() {
        // What tables of refs say stands in their histories.
        // Copies of objects hold what these do.
        let copies = path.components().any(|part| part.as_os_str() == "copies");
        if copies || path.starts_with(".git/objects") || path.extension().is_some_and(|end| end == "ref") {
            continue;
        }
        let is_index = path.ends_with("index");
        let bytes = if is_index { bytes } else { nameless(&String::from_utf8_lossy(&bytes)).into_bytes() };
        seen.insert((nameless(&path.to_string_lossy()), bytes));
    }
    let files = world.files().into_iter().map(|(path, bytes)| (path, timeless(&String::from_utf8_lossy(&bytes))));
    (told(world), seen, files.collect::<Vec<_>>()).hash(&mut hasher);
    hasher.finish()
}

/// A text without what is random or counts the time: object names, ids, process numbers.
pub fn nameless(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let mut plain = String::new();
    for word in text.split_inclusive(|c: char| !is_word(c)) {
        let (core, rest) = word.split_at(word.trim_end_matches(|c: char| !is_word(c)).len());
        let number = core.len() >= 3 && core.chars().all(|c| c.is_ascii_digit());
        let hex = core.len() >= 7 && core.chars().all(|c| c.is_ascii_hexdigit());
        // The random end of an id follows a dash.
        let random = (5..=6).contains(&core.len())
            && plain.ends_with('-')
            && core.chars().all(|c| matches!(c, 'a'..='z' | '2'..='9'));
        // So are the six letters that mkstemp ends a name with.
        let random = random || core.len() == 6 && plain.ends_with(".temp.");
        plain += if number || hex || random { "~" } else { core };
        plain += rest;
    }
    plain
}
