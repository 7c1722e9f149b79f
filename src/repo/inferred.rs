//! A topic for somebody who gave none (G2): from the branch, from what is being changed, from the newest commit. It is
//! only ever proposed; the person confirms or edits it.

use std::os::unix::fs::FileTypeExt as _;

use super::open::{HeadState, Opened};
use crate::app::ports::Process;
use crate::domain::text::{Topic, cut, flat};
use crate::git::object::parsed;
use crate::git::{Git, filters};

/// A topic and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    pub topic: Topic,
    /// What it was taken from, as a sentence.
    pub because: String,
}

/// Branches that say nothing about what is being done on them.
const COMMON_BRANCHES: &[&str] = &[
    "main",
    "master",
    "trunk",
    "develop",
    "development",
    "dev",
    "next",
    "staging",
    "production",
    "release",
    "stable",
    "default",
    "wip",
    "tmp",
    "temp",
    "test",
    "gh-pages",
];

/// First words of branches and commits that name the kind of a change, with what they add to the topic.
const KINDS: &[(&str, &str)] = &[
    ("feature", ""),
    ("feat", ""),
    ("fix", "fix "),
    ("bugfix", "fix "),
    ("hotfix", "fix "),
    ("bug", "fix "),
    ("docs", "document "),
    ("doc", "document "),
    ("refactor", "refactor "),
    ("perf", "speed up "),
    ("test", "test "),
    ("tests", "test "),
    ("chore", ""),
    ("task", ""),
    ("story", ""),
    ("spike", "try "),
    ("build", ""),
    ("ci", ""),
    ("style", ""),
];

/// The most characters of a proposal.
const LONGEST: usize = 100;
/// So many commits are looked at for one whose subject says something.
const COMMITS_READ: usize = 5;
/// So many changed files are named.
const FILES_NAMED: usize = 3;

/// Proposes a topic; `None` when the repository says nothing.
pub fn infer_topic(opened: &Opened, process: &dyn Process) -> Option<Inferred> {
    from_branch(&opened.head).or_else(|| from_changes(&changed_files(opened, process))).or_else(|| from_commits(opened))
}

fn from_branch(head: &HeadState) -> Option<Inferred> {
    let branch = head.branch()?;
    let topic = topic_of_branch(branch)?;
    inferred(&topic, format!("from the branch '{branch}'"))
}

/// `feature/ABC-12-add-rate-limit` is about `add rate limit`.
fn topic_of_branch(branch: &str) -> Option<String> {
    let (kind, rest) = match branch.split_once('/') {
        Some((first, rest)) => (known_kind(first).unwrap_or(""), rest),
        None => ("", branch),
    };
    let last = rest.rsplit('/').next().unwrap_or(rest);
    let words: Vec<&str> = last.split(['-', '_', '.', ' ']).filter(|word| !word.is_empty()).collect();
    let words = without_ticket(&words);
    let says_something = words.len() > 1 || words.iter().any(|word| word.chars().count() > 3);
    let common =
        COMMON_BRANCHES.iter().any(|common| branch.eq_ignore_ascii_case(common) || last.eq_ignore_ascii_case(common));
    let of_a_version = words.iter().all(|word| word.trim_start_matches('v').bytes().all(|byte| byte.is_ascii_digit()));
    if common || of_a_version || !says_something || branch.starts_with("release/") {
        return None;
    }
    let text = words.join(" ");
    Some(if text.starts_with(kind.trim_end()) { text } else { format!("{kind}{text}") })
}

fn known_kind(word: &str) -> Option<&'static str> {
    KINDS.iter().find(|(kind, _)| word.eq_ignore_ascii_case(kind)).map(|(_, adds)| *adds)
}

/// Takes a ticket's name off the front: `ABC-12`, `gh-12`, `12`.
fn without_ticket<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    let is_number = |word: &str| word.trim_start_matches('#').bytes().all(|b| b.is_ascii_digit());
    match words {
        [number, rest @ ..] if is_number(number) => rest,
        [project, number, rest @ ..]
            if is_number(number) && project.len() < 10 && project.bytes().all(|b| b.is_ascii_alphabetic()) =>
        {
            rest
        }
        _ => words,
    }
}

/// Names of files that differ from HEAD or are new; empty when git cannot say.
fn changed_files(opened: &Opened, process: &dyn Process) -> Vec<String> {
    let Some(worktree) = &opened.worktree else {
        return Vec::new();
    };
    // git would open a pipe in our own folder, and wait for ever.
    let rules = worktree.join(".grill/.gitignore");
    if rules.symlink_metadata().is_ok_and(|about| about.file_type().is_fifo()) {
        return Vec::new();
    }
    let Ok(unfiltered) = filters::switched_off(|git| git.inside(&opened.git_dir), process) else {
        return Vec::new();
    };
    let git = Git::new(["status", "--porcelain", "-z", "--untracked-files=normal"]);
    let git = git.settings(unfiltered).of(&opened.git_dir).at_work_in(Some(worktree)).reading();
    git.ask(process).map(|status| changed_in(&status)).unwrap_or_default()
}

/// The paths in `git status --porcelain -z`; the old name of a renamed file is a record of its own and left out.
fn changed_in(status: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut records = status.split(|byte| *byte == 0);
    while let Some(record) = records.next() {
        let [staged, changed, b' ', path @ ..] = record else {
            continue;
        };
        if [staged, changed].iter().any(|mark| matches!(mark, b'R' | b'C')) {
            records.next();
        }
        names.push(String::from_utf8_lossy(path).into_owned());
    }
    names
}

fn from_changes(files: &[String]) -> Option<Inferred> {
    let named: Vec<&str> = files.iter().take(FILES_NAMED).map(|path| path.trim_end_matches('/')).collect();
    let (last, before) = named.split_last()?;
    let more = files.len() - named.len();
    let enumeration = match (before, more) {
        ([], _) => (*last).to_owned(),
        (_, 0) => format!("{} and {last}", before.join(", ")),
        _ => format!("{}, {last} and {more} more", before.join(", ")),
    };
    let because = match files.len() {
        1 => "from the file that is changed but not committed".to_owned(),
        number => format!("from the {number} files that are changed but not committed"),
    };
    inferred(&format!("the changes to {enumeration}"), because)
}

fn from_commits(opened: &Opened) -> Option<Inferred> {
    let head = parsed(opened.head.commit()?.as_str())?;
    opened.repo.newest(head, COMMITS_READ).into_iter().find_map(|(_, subject)| {
        let topic = topic_of_subject(&subject)?;
        inferred(&topic, format!("from the commit '{}'", shortened(&subject)))
    })
}

/// `feat(api)!: limit the rate` is about `limit the rate`.
fn topic_of_subject(subject: &str) -> Option<String> {
    let subject = subject.trim();
    let noise = ["Merge ", "Revert ", "fixup!", "squash!", "amend!", "Bump ", "WIP"];
    if noise.iter().any(|start| subject.starts_with(start)) {
        return None;
    }
    let text = match subject.split_once(": ") {
        Some((before, after)) => {
            let kind = before.split(['(', '!']).next().unwrap_or(before);
            match known_kind(kind) {
                Some(adds) => format!("{adds}{}", after.trim()),
                None => subject.to_owned(),
            }
        }
        None => subject.to_owned(),
    };
    let says_something = text.split_whitespace().count() > 1;
    says_something.then(|| text.trim_end_matches('.').to_owned())
}

fn inferred(topic: &str, because: String) -> Option<Inferred> {
    let topic = Topic::parse(&shortened(topic)).ok()?;
    Some(Inferred { topic, because })
}

/// It comes from the repository, and a terminal shows it.
fn shortened(text: &str) -> String {
    cut(&flat(text), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g2_branches_become_topics_unless_they_say_nothing() {
        for (branch, topic) in [
            ("feature/add-rate-limit", Some("add rate limit")),
            ("ABC-123_session_storage", Some("session storage")),
            ("fix/login-loop", Some("fix login loop")),
            ("fix/fix-login", Some("fix login")),
            ("jane/42-dark-mode", Some("dark mode")),
            ("caching", Some("caching")),
            ("main", None),
            ("release/1.2", None),
            ("v1.2.3", None),
            ("jane/wip", None),
            ("x", None),
            ("123", None),
        ] {
            assert_eq!(topic_of_branch(branch).as_deref(), topic, "{branch}");
        }
    }

    #[test]
    fn g2_subjects_lose_their_prefix_and_noise_is_passed_over() {
        for (subject, topic) in [
            ("feat(api)!: limit the rate.", Some("limit the rate")),
            ("fix: the loop at login", Some("fix the loop at login")),
            ("store: keep drafts", Some("store: keep drafts")),
            ("Merge branch 'x'", None),
            ("fixup! it", None),
            ("wip", None),
        ] {
            assert_eq!(topic_of_subject(subject).as_deref(), topic, "{subject}");
        }
    }

    #[test]
    fn g2_changes_are_named_without_old_names() {
        let status = b"R  new.rs\0old.rs\0 M a b.rs\0?? docs/\0M  c.rs\0";
        let files = changed_in(status);
        assert_eq!(files, ["new.rs", "a b.rs", "docs/", "c.rs"]);
        let inferred = from_changes(&files).unwrap();
        assert_eq!(inferred.topic.as_str(), "the changes to new.rs, a b.rs, docs and 1 more");
        assert_eq!(from_changes(&[]), None);
    }

    #[test]
    fn what_is_shown_cannot_paint_the_terminal() {
        assert_eq!(shortened("a\u{1b}[31mb"), "a [31mb");
        assert_eq!(shortened(&"x".repeat(200)).chars().count(), LONGEST + 1);
    }
}
