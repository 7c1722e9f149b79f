//! Generated accepts into trees in which the user was at work too (A39): edits that do not overlap always land, overlap
//! changes nothing, and one undo brings back files, index and refs to the byte. `GRILL_ACCEPTS` is how many.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use git_grill::lend::accept::Applied;

use super::{Scene, Tree, Yard, tree};

/// How many cases there are where nothing else is said.
const FEW: u64 = 8;
/// Among so many some do not fit.
const MANY: u64 = 100;
/// How many lines a file has.
const LINES: usize = 40;
/// The user changes lines before this one and the agent lines after it, with room between them.
const MIDDLE: usize = 20;

/// Numbers that look random, the same ones for the same beginning.
struct Dice(u64);

impl Dice {
    /// One below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    }
}

/// What becomes of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Nothing,
    User,
    Agent,
    /// Each in a half of its own.
    Both,
    /// The same words at the same place.
    Same,
    AgentDeletes,
    UserDeletes,
    /// The user edits, and the agent has it run.
    AgentRuns,
    /// The agent edits, and the user has it run.
    UserRuns,
    AgentMoves,
    /// A folder takes its place.
    AgentFolder,
    /// Both at one line.
    Overlap,
    /// One edits, the other removes it.
    EditedAndGone,
}

const FITTING: [Deed; 11] = [
    Deed::Nothing,
    Deed::User,
    Deed::Agent,
    Deed::Both,
    Deed::Same,
    Deed::AgentDeletes,
    Deed::UserDeletes,
    Deed::AgentRuns,
    Deed::UserRuns,
    Deed::AgentMoves,
    Deed::AgentFolder,
];
const CLASHING: [Deed; 2] = [Deed::Overlap, Deed::EditedAndGone];

/// A file with its lines, and whether it can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    lines: Vec<String>,
    runs: bool,
}

impl Content {
    fn first(name: usize) -> Self {
        Self { lines: (0..LINES).map(|line| format!("{name} {line}")).collect(), runs: false }
    }

    fn text(&self) -> String {
        self.lines.iter().map(String::as_str).flat_map(|line| [line, "\n"]).collect()
    }

    /// Changes a few lines in one half: some go, some come, some are others. Lines keep their places until the end.
    fn edited(&mut self, dice: &mut Dice, half: &Range<usize>, by: &str) {
        for count in 0..=dice.below(3) {
            let at = half.start + dice.below(half.len());
            self.lines[at] = match dice.below(3) {
                0 => format!("{by} {count}"),
                1 => format!("{}\n{by} more {count}", self.lines[at]),
                _ => format!("{by} before {count}\n{}", self.lines[at]),
            };
        }
    }
}

type Files = BTreeMap<Vec<u8>, Content>;

/// What the user has, what the agent has, and what is to come of it; nothing where that is a conflict.
struct Case {
    user: Files,
    agent: Files,
    expected: Option<Files>,
    clashing: Vec<Vec<u8>>,
}

fn first_files(count: usize) -> Files {
    (0..count).map(|name| (format!("d{}/f{name}", name % 3).into_bytes(), Content::first(name))).collect()
}

fn case(dice: &mut Dice, base: &Files) -> Case {
    const USERS: Range<usize> = 0..MIDDLE - 4;
    const AGENTS: Range<usize> = MIDDLE + 4..LINES;
    let (mut user, mut agent, mut both) = (base.clone(), base.clone(), base.clone());
    let mut clashing = Vec::new();
    let unlucky = if dice.below(4) == 0 { dice.below(base.len()) } else { base.len() };
    for (number, path) in base.keys().enumerate() {
        let deed = if number == unlucky { CLASHING[dice.below(2)] } else { FITTING[dice.below(FITTING.len())] };
        let (of_user, of_agent, of_both) =
            (user.get_mut(path).unwrap(), agent.get_mut(path).unwrap(), both.get_mut(path).unwrap());
        if matches!(deed, Deed::User | Deed::Both | Deed::AgentRuns) {
            let rolled = dice.0;
            of_user.edited(dice, &USERS, "user");
            of_both.edited(&mut Dice(rolled), &USERS, "user");
        }
        if matches!(deed, Deed::Agent | Deed::Both | Deed::UserRuns) {
            let rolled = dice.0;
            of_agent.edited(dice, &AGENTS, "agent");
            of_both.edited(&mut Dice(rolled), &AGENTS, "agent");
        }
        match deed {
            Deed::Nothing | Deed::User | Deed::Agent | Deed::Both => {}
            Deed::Same => {
                for one in [of_user, of_agent, of_both] {
                    one.lines[MIDDLE] = String::from("the same");
                }
            }
            Deed::AgentDeletes => drop((agent.remove(path), both.remove(path))),
            Deed::UserDeletes => drop((user.remove(path), both.remove(path))),
            Deed::AgentRuns => (of_agent.runs, of_both.runs) = (true, true),
            Deed::UserRuns => (of_user.runs, of_both.runs) = (true, true),
            Deed::AgentMoves | Deed::AgentFolder => {
                let ending: &[u8] = if deed == Deed::AgentMoves { b" moved \xe9" } else { b"/below" };
                let to = [path.as_slice(), ending].concat();
                for files in [&mut agent, &mut both] {
                    let content = files.remove(path).unwrap();
                    files.insert(to.clone(), content);
                }
            }
            Deed::Overlap => {
                of_user.lines[MIDDLE] = String::from("user's");
                of_agent.lines[MIDDLE] = String::from("agent's");
                clashing.push(path.clone());
            }
            Deed::EditedAndGone => {
                if dice.below(2) == 0 {
                    of_user.lines[MIDDLE] = String::from("user's");
                    agent.remove(path);
                } else {
                    of_agent.lines[MIDDLE] = String::from("agent's");
                    user.remove(path);
                }
                clashing.push(path.clone());
            }
        }
    }
    for (owner, files) in [("user", &mut user), ("agent", &mut agent)] {
        for number in 0..dice.below(3) {
            let path = format!("new of {owner}/{number}/file").into_bytes();
            files.insert(path.clone(), Content::first(number));
            both.insert(path, Content::first(number));
        }
    }
    if dice.below(8) == 0 {
        user.insert(b"d0/both".to_vec(), Content::first(1));
        agent.insert(b"d0/both".to_vec(), Content::first(2));
        clashing.push(b"d0/both".to_vec());
    }
    clashing.sort();
    Case { user, agent, expected: clashing.is_empty().then_some(both), clashing }
}

/// Writes what differs from the beginning.
fn write(top: &Path, base: &Files, files: &Files) {
    for path in base.keys().filter(|path| !files.contains_key(*path)) {
        fs::remove_file(top.join(OsStr::from_bytes(path))).unwrap();
    }
    for (path, content) in files.iter().filter(|(path, content)| base.get(*path) != Some(*content)) {
        let to = top.join(OsStr::from_bytes(path));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(&to, content.text()).unwrap();
        if content.runs {
            fs::set_permissions(&to, Permissions::from_mode(0o755)).unwrap();
        }
    }
}

/// The files of a tree, with their text and whether they can be run.
fn texts(tree: &Tree) -> BTreeMap<PathBuf, (String, bool)> {
    let files = tree.iter().filter(|(path, (mode, _))| mode & 0o170_000 == 0o100_000 && path.components().count() > 1);
    let files = files.filter(|(path, _)| !path.starts_with("src") && !path.starts_with("lib"));
    files
        .map(|(path, (mode, bytes))| (path.clone(), (String::from_utf8(bytes.clone()).unwrap(), mode & 0o100 != 0)))
        .collect()
}

fn expected(files: &Files) -> BTreeMap<PathBuf, (String, bool)> {
    let place = |path: &[u8]| PathBuf::from(OsStr::from_bytes(path));
    files.iter().map(|(path, content)| (place(path), (content.text(), content.runs))).collect()
}

fn assert_same(now: &Scene, before: &Scene, name: &str) {
    assert_eq!(now.refs, before.refs, "{name}");
    assert!(now.index == before.index, "{name}: the index");
    assert_eq!(now.files, before.files, "{name}");
}

#[test]
fn a39_edits_that_fit_always_land_and_one_undo_takes_them_back() {
    let many = std::env::var("GRILL_ACCEPTS").ok().and_then(|many| many.parse().ok()).unwrap_or(FEW);
    let (mut landed, mut refused) = (0, 0);
    for seed in 0..many {
        let name = format!("seed {seed}");
        let mut dice = Dice(seed);
        let base = first_files(6 + dice.below(4));
        let case = case(&mut dice, &base);
        let yard = Yard::new();
        write(&yard.repo(), &Files::new(), &base);
        yard.sh(&yard.repo(), "git add -A && git commit -qm files");
        yard.place();
        write(&yard.copy(), &base, &case.agent);
        write(&yard.repo(), &base, &case.user);
        if dice.below(2) == 0 {
            yard.sh(&yard.repo(), "git add d0 d1");
        }
        let (before, copy) = (yard.scene(), tree(&yard.copy()));
        match (yard.try_accept(&|_| ()).unwrap(), &case.expected) {
            (Applied::Accepted(_), Some(files)) => {
                assert_eq!(texts(&yard.scene().files), expected(files), "{name}");
                assert!(yard.scene().index == before.index, "{name}: the index");
                // Another turn brings one more file, and nothing else.
                fs::write(yard.copy().join("d1-later"), "later\n").unwrap();
                let between = yard.scene();
                let again = yard.accept();
                assert_eq!(again.paths, [b"d1-later".to_vec()], "{name}");
                yard.undo().unwrap();
                assert_same(&yard.scene(), &between, &name);
                fs::remove_file(yard.copy().join("d1-later")).unwrap();
                if yard.sh(&yard.repo(), "git for-each-ref refs/grill/local/accepted").is_empty() {
                    assert_same(&between, &before, &name);
                } else {
                    yard.undo().unwrap();
                }
                landed += 1;
            }
            (Applied::Conflicts(conflicts), None) => {
                let mut paths: Vec<Vec<u8>> = conflicts.iter().map(|one| one.path.clone()).collect();
                paths.sort();
                // Those that only a merge finds are looked for where there are no others.
                assert!(
                    !paths.is_empty() && paths.iter().all(|path| case.clashing.contains(path)),
                    "{name}: {paths:?}"
                );
                refused += 1;
            }
            (other, _) => panic!("{name}: {other:?} instead of {:?}, for {:?}", case.expected.is_some(), case.clashing),
        }
        assert_same(&yard.scene(), &before, &name);
        assert_eq!(tree(&yard.copy()), copy, "{name}");
    }
    assert!(landed > 0 && (many < MANY || refused > 0), "{landed} {refused}");
}
