//! The read-only policy on any ref transaction in any repository: what it lets through changes nothing that it guards.

use std::collections::BTreeMap;

use git_grill::domain::posture::{Posture, ReadOnlyPhase};
use git_grill::policy::attempt::Attempt;
use git_grill::policy::ref_line::{RefLine, RefName, RefValue, parse};
use git_grill::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};
use git_grill::policy::rules;
use git_grill::policy::shell::Allowed;
use git_grill::policy::verdict::Verdict;
use proptest::prelude::*;

fn judge(posture: &Posture, lines: &[RefLine], facts: &dyn RefFacts) -> Verdict {
    rules::judge(posture, &Attempt::RefUpdate { lines, facts }, &Allowed::none())
}

fn judge_push(posture: &Posture, stdin: &[u8]) -> Verdict {
    rules::judge(posture, &Attempt::Push { stdin }, &Allowed::none())
}

const NAMES: &[&str] = &[
    "HEAD",
    "head",
    "ORIG_HEAD",
    "GRILL_HEAD",
    "AUTO_MERGE",
    "FETCH_HEAD",
    "main-worktree/HEAD",
    "worktrees/w/HEAD",
    "worktrees/w/refs/bisect/bad",
    "refs/heads/main",
    "refs/heads/other",
    "REFS/heads/main",
    "refs/tags/v1",
    "refs/stash",
    "refs/notes/commits",
    "refs/bisect/bad",
    "refs/worktree/x",
    "refs/rewritten/x",
    "refs/grill/sessions/x",
    "refs/GRILL/x",
    "refs/grillx",
    "refs/remotes/origin/main",
    "refs/remotesx/a",
];

const PATHS: &[&str] = &["docs/adr.md", "docs/adr.md/x", "docs/b.md", "src/main.rs", "out/a", "out"];

fn object(letter: char) -> String {
    letter.to_string().repeat(40)
}

fn value() -> impl Strategy<Value = RefValue> {
    prop_oneof![
        2 => Just(RefValue::Zero),
        4 => proptest::sample::select(&['a', 'b', 'c', 'd'][..]).prop_map(|letter| RefValue::Object(object(letter))),
        1 => proptest::sample::select(NAMES).prop_map(|name| RefValue::Symbolic(name.as_bytes().to_vec())),
    ]
}

fn name() -> impl Strategy<Value = RefName> {
    prop_oneof![
        4 => proptest::sample::select(NAMES).prop_map(|name| RefName::new(name.as_bytes())),
        // The interesting ones more often: a commit moves the branch and HEAD.
        2 => Just(RefName::new(*b"refs/heads/main")),
        1 => Just(RefName::new(*b"HEAD")),
        1 => proptest::collection::vec(1_u8.., 1..12).prop_map(RefName::new),
    ]
}

fn line() -> impl Strategy<Value = RefLine> {
    (value(), value(), name()).prop_map(|(old, new, name)| RefLine { old, new, name })
}

/// Any repository, of which some facts may not be readable.
#[derive(Clone, Debug)]
struct Repo {
    current: BTreeMap<&'static str, RefValue>,
    packed: BTreeMap<&'static str, char>,
    lock: PackedRefs,
    head: Option<&'static str>,
    commits: BTreeMap<char, (Vec<char>, Vec<&'static str>)>,
    /// Which facts cannot be found out.
    broken: u8,
}

fn repo() -> impl Strategy<Value = Repo> {
    let letter = || proptest::sample::select(&['a', 'b', 'c', 'd'][..]);
    let ref_name = || proptest::sample::select(NAMES);
    let commit =
        (proptest::collection::vec(letter(), 0..3), proptest::collection::vec(proptest::sample::select(PATHS), 0..3));
    (
        proptest::collection::btree_map(ref_name(), value(), 0..8),
        proptest::collection::btree_map(ref_name(), letter(), 0..8),
        proptest::sample::select(&[PackedRefs::Locked, PackedRefs::Unlocked][..]),
        proptest::option::of(Just("refs/heads/main")),
        proptest::collection::btree_map(letter(), commit, 0..4),
        prop_oneof![3 => Just(0_u8), 1 => any::<u8>()],
    )
        .prop_map(|(current, packed, lock, head, commits, broken)| Repo {
            current,
            packed,
            lock,
            head,
            commits,
            broken,
        })
}

impl Repo {
    fn readable<T>(&self, fact: u8, value: T) -> Result<T, Unreadable> {
        if self.broken & fact == 0 { Ok(value) } else { Err(Unreadable("disk on fire".to_owned())) }
    }

    fn at<'a, T>(map: &'a BTreeMap<&'static str, T>, name: &RefName) -> Option<&'a T> {
        std::str::from_utf8(name.as_bytes()).ok().and_then(|name| map.get(name))
    }
}

impl RefFacts for Repo {
    fn pointed_to(&self) -> Option<RefName> {
        None
    }

    fn under_way(&self) -> Option<git_grill::policy::half_done::UnderWay> {
        None
    }

    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        self.readable(1, Self::at(&self.current, name).cloned())
    }

    fn packed_refs(&self) -> PackedRefs {
        self.lock
    }

    fn is_hidden(&self, _name: &RefName) -> bool {
        false
    }

    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable> {
        self.readable(2, Self::at(&self.packed, name).map(|letter| object(*letter)))
    }

    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        self.readable(4, self.head.map(|name| RefName::new(name.as_bytes())))
    }

    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable> {
        let letter = id.chars().next().unwrap();
        let found = self.commits.get(&letter).ok_or_else(|| Unreadable("no such object".to_owned()))?;
        let parents = found.0.iter().map(|parent| object(*parent)).collect();
        self.readable(
            8,
            CommitShape {
                parents,
                paths: found.1.iter().map(|path| path.as_bytes().to_vec()).collect(),
                no_files: Vec::new(),
                message: b"words\n".to_vec(),
            },
        )
    }
}

fn postures() -> impl Strategy<Value = Posture> {
    let paths = &["docs/adr.md", "docs/b.md", "out/", "docs", ""][..];
    prop_oneof![
        Just(Posture::ReadOnly { phase: ReadOnlyPhase::Interview }),
        Just(Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection }),
        proptest::collection::vec(proptest::sample::select(paths), 0..3)
            .prop_map(|paths| Posture::Output { paths: paths.into_iter().map(str::to_owned).collect() }),
    ]
}

/// Whether the line names something that a session has no business to guard: its own refs, a remote's, git's notes.
fn is_free(name: &RefName) -> bool {
    let whole = String::from_utf8_lossy(name.as_bytes()).into_owned();
    let base = match whole.split_once('/') {
        Some(("main-worktree", rest)) => rest,
        Some(("worktrees", rest)) => rest.split_once('/').map_or(whole.as_str(), |(_, rest)| rest),
        Some(_) | None => &whole,
    };
    let folded = base.to_ascii_lowercase();
    let ours = whole.starts_with("refs/grill/") || whole.starts_with("refs/remotes/");
    ours || (folded != "head" && folded != "orig_head" && !folded.starts_with("refs/"))
}

/// The two documented passes: a copy into packed-refs with the value that is there, and taking the loose copy of what
/// packed-refs holds away while nobody rewrites it.
fn keeps_the_value(line: &RefLine, repo: &Repo) -> bool {
    let now = repo.current(&line.name).ok().map(|value| value.unwrap_or(RefValue::Zero));
    let packed = repo.packed(&line.name).ok().flatten().map(RefValue::Object);
    let pruned = line.new == RefValue::Zero && repo.lock == PackedRefs::Unlocked && packed.as_ref() == Some(&line.old);
    line.name.as_bytes().starts_with(b"refs/") && (now.as_ref() == Some(&line.new) || (now.is_some() && pruned))
}

/// The commit that the line puts on top of HEAD's branch, if the plan covers all of it.
fn approved(line: &RefLine, paths: &[String], repo: &Repo) -> Option<String> {
    let RefValue::Object(new) = &line.new else { return None };
    let on_branch = repo.head_branch().ok()?? == line.name;
    let Some(RefValue::Object(tip)) = repo.current(&line.name).ok()? else { return None };
    let commit = repo.commit(new).ok()?;
    let covered = |path: &[u8]| {
        let path = std::str::from_utf8(path).unwrap();
        paths.iter().any(|entry| path == entry || (entry.ends_with('/') && path.starts_with(entry.as_str())))
    };
    (on_branch && commit.parents == [tip] && commit.paths.iter().all(|path| covered(path))).then(|| new.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_passes_changes_nothing_that_is_guarded(
        posture in postures(),
        lines in proptest::collection::vec(line(), 0..4),
        repo in repo(),
    ) {
        prop_assert_eq!(judge(&Posture::Inactive, &lines, &repo), Verdict::Allow);
        match judge(&posture, &lines, &repo) {
            Verdict::Refuse(refusal) => {
                prop_assert!(!refusal.reason.is_empty() && !refusal.reason.chars().any(char::is_control));
                prop_assert!(refusal.hints.iter().any(|hint| hint.starts_with("git ")));
                prop_assert!(!lines.iter().all(|line| is_free(&line.name)), "free refs were refused: {}", refusal.reason);
            }
            Verdict::Ask(question) => prop_assert!(false, "git's hooks ask nobody: {question:?}"),
            Verdict::Allow => {
                let moved: Vec<String> = match &posture {
                    Posture::Output { paths } => lines.iter().filter_map(|line| approved(line, paths, &repo)).collect(),
                    Posture::Inactive | Posture::Open | Posture::ReadOnly { .. } => Vec::new(),
                };
                for line in &lines {
                    let accompanies = line.name.as_bytes() == b"HEAD"
                        && moved.iter().any(|id| line.new == RefValue::Object(id.clone()));
                    let on_top = match &posture {
                        Posture::Output { paths } => approved(line, paths, &repo).is_some(),
                        Posture::Inactive | Posture::Open | Posture::ReadOnly { .. } => false,
                    };
                    let passes = is_free(&line.name) || keeps_the_value(line, &repo) || on_top || accompanies;
                    prop_assert!(passes, "{line:?} passed in {posture:?}");
                }
            }
        }
    }

    /// A read-only transaction is as good as its worst line, and a fact that cannot be found out never helps it.
    #[test]
    fn one_bad_line_spoils_it_and_doubt_never_helps(
        lines in proptest::collection::vec(line(), 0..4),
        repo in repo(),
        phase in proptest::sample::select(&[ReadOnlyPhase::Interview, ReadOnlyPhase::OutputSelection][..]),
    ) {
        let posture = Posture::ReadOnly { phase };
        let passes = |lines: &[RefLine], repo: &Repo| judge(&posture, lines, repo) == Verdict::Allow;
        let each = lines.iter().all(|line| passes(std::slice::from_ref(line), &repo));
        prop_assert_eq!(passes(&lines, &repo), each);
        let whole = Repo { broken: 0, ..repo.clone() };
        prop_assert!(!passes(&lines, &repo) || passes(&lines, &whole));
    }

    /// Bytes of any kind end in lines or in a no; what was read is what stood there.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), push in text_of_pushes()) {
        let _ = parse(&bytes);
        prop_assert_eq!(judge_push(&Posture::Inactive, &bytes), Verdict::Allow);
        let posture = Posture::ReadOnly { phase: ReadOnlyPhase::Interview };
        for input in [bytes.as_slice(), push.as_bytes()] {
            if judge_push(&posture, input) == Verdict::Allow {
                for line in String::from_utf8_lossy(input).lines() {
                    let target = line.rsplit(' ').nth(1).unwrap_or_default();
                    prop_assert!(target.starts_with("refs/grill/"), "{line:?} was let out");
                }
            }
        }
    }

    #[test]
    fn what_git_writes_is_read_as_it_stands(lines in proptest::collection::vec(line(), 0..5)) {
        let clean = |line: &&RefLine| !line.name.as_bytes().iter().any(|byte| matches!(byte, b' ' | b'\n'));
        let lines: Vec<RefLine> = lines.iter().filter(clean).cloned().collect();
        let shown = |value: &RefValue| match value {
            RefValue::Zero => object('0').into_bytes(),
            RefValue::Object(id) => id.clone().into_bytes(),
            RefValue::Symbolic(target) => [b"ref:".as_slice(), target].concat(),
        };
        let bytes: Vec<u8> = lines
            .iter()
            .flat_map(|line| [&shown(&line.old), b" ".as_slice(), &shown(&line.new), b" ", line.name.as_bytes(), b"\n"].concat())
            .collect();
        prop_assert_eq!(parse(&bytes), Ok(lines));
        if let Some(cut) = bytes.len().checked_sub(1) {
            prop_assert!(parse(&bytes[..cut]).is_err(), "a cut-off line was taken");
        }
    }
}

fn text_of_pushes() -> impl Strategy<Value = String> {
    let field =
        proptest::sample::select(&["refs/grill/sessions/a", "refs/heads/main", "1111", "(delete)", "", "a b"][..]);
    let line =
        (field.clone(), field.clone(), field.clone(), field).prop_map(|(a, b, c, d)| format!("{a} {b} {c} {d}\n"));
    proptest::collection::vec(line, 0..4).prop_map(|lines| lines.concat())
}
