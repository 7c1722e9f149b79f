//! Distinguishes tags that a fetch brings from tags that the user creates.
//!
//! For both, git hands the hook the same line: a tag that does not exist yet. A fetch updates the remote-tracking refs
//! first, and then each tag in a separate transaction; with `--atomic`, all refs in one. The tagged commit does not
//! distinguish them: HEAD is mostly a commit that a remote has, and release tags are often on no branch. `FETCH_HEAD`
//! names the tag before git writes it, but not with `--no-write-fetch-head` or `--atomic`, and any process can write
//! it.
//!
//! So the command and its refspecs decide. git runs a built-in command only by its own name, and an alias in a separate
//! process. `git pull`, `git remote update` and `git fetch --all` start `git fetch`. A refspec makes a tag of another ref
//! wherever git reads it: in the arguments or in the configuration, by `-c` and the environment too. The refspecs of
//! other remotes count as well: a tag that one of them could make is refused.
//!
//! This rule keeps every other command from writing a tag, and a fetch from moving, deleting or renaming one. It does
//! not check the origin of a tag: a fetch from the user's own clone brings the tags that the user created there. The hook
//! reads the configuration after the fetch did, so it misses a refspec that a process removes in between. `git grill
//! verify` names every new tag.

use crate::policy::ref_line::{RefName, printable};
use crate::policy::refs::{RefFacts, Unreadable};

/// The command that leads to a refspec that keeps a tag out.
pub(super) const SHOWS: &str =
    "git config --show-origin --get-regexp '^remote[.].*[.]fetch$' lists the configured refspecs with their files";

/// Where a new tag comes from, as far as the hook can find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TagOrigin {
    /// A fetch brings it, under the name that it has in the remote.
    Remote,
    /// A fetch writes it, and its configuration may make it from another ref; says why it is not let through.
    Unclear(String),
    /// Another command writes it, or a fetch whose arguments may make it from another ref.
    Local,
}

/// Options of git itself that stand alone.
const ALONE: &[&[u8]] = &[
    b"-p",
    b"-P",
    b"--paginate",
    b"--no-pager",
    b"--no-replace-objects",
    b"--no-lazy-fetch",
    b"--no-optional-locks",
    b"--no-advice",
    b"--literal-pathspecs",
    b"--glob-pathspecs",
    b"--noglob-pathspecs",
    b"--icase-pathspecs",
    b"--bare",
];

/// Options of git itself whose value is the next word.
const WITH_VALUE: &[&[u8]] =
    &[b"-C", b"-c", b"--git-dir", b"--work-tree", b"--namespace", b"--config-env", b"--super-prefix", b"--attr-source"];

/// The options and arguments of the fetch, if a git with these arguments, its own name first, is one. An unknown option
/// may take a value, which could be mistaken for the command; then there are none.
fn words_of_fetch(arguments: &[Vec<u8>]) -> Option<&[Vec<u8>]> {
    let (program, mut rest) = arguments.split_first()?;
    match program.rsplit(|byte| *byte == b'/').next() {
        Some(b"git-fetch") => return Some(rest),
        Some(b"git") => {}
        Some(_) | None => return None,
    }
    loop {
        let (word, behind) = rest.split_first()?;
        let word = word.as_slice();
        rest = behind;
        if word == b"fetch" {
            return Some(rest);
        }
        let has_its_value = word.starts_with(b"--") && word.contains(&b'=');
        if WITH_VALUE.contains(&word) {
            rest = rest.get(1..)?;
        } else if !ALONE.contains(&word) && !has_its_value {
            return None;
        }
    }
}

/// Whether a git with these arguments, its own name first, is a fetch.
pub(super) fn is_fetch(arguments: &[Vec<u8>]) -> bool {
    words_of_fetch(arguments).is_some()
}

/// Where a tag comes from that this repository does not have yet. The configuration is read last, since that takes a
/// process.
pub(super) fn origin(tag: &RefName, facts: &dyn RefFacts) -> TagOrigin {
    let arguments = facts.asked_by();
    let Some(words) = words_of_fetch(&arguments) else {
        return TagOrigin::Local;
    };
    if words.iter().any(|word| is_stdin(word) || may_make(word, tag)) {
        return TagOrigin::Local;
    }
    let unclear =
        |why: String| TagOrigin::Unclear(format!("a fetch may only bring tags under their own names, and {why}"));
    match facts.configured_refspecs() {
        Ok(refspecs) => match refspecs.iter().find(|refspec| may_make(refspec, tag)) {
            Some(refspec) => {
                unclear(format!("the configured refspec '{}' may make this one from another ref", printable(refspec)))
            }
            None => TagOrigin::Remote,
        },
        Err(Unreadable(why)) => unclear(format!("the configured refspecs could not be read ({why})")),
    }
}

/// Whether this is the option by which a fetch reads refspecs that cannot be seen. git takes the start of an option for
/// the whole, as long as no other begins so.
fn is_stdin(word: &[u8]) -> bool {
    word.len() > b"--".len() && b"--stdin".starts_with(word)
}

/// Whether a word is or contains a refspec that may create this tag from a ref of another name.
fn may_make(word: &[u8], tag: &RefName) -> bool {
    let word = word.strip_prefix(b"+").unwrap_or(word);
    // git splits at the last colon.
    let Some(colon) = word.iter().rposition(|byte| *byte == b':') else {
        return false;
    };
    let (from, to) = (&word[..colon], &word[colon + 1..]);
    from != to && covers(to, tag.as_bytes())
}

/// Whether the destination of a refspec is this ref, or a pattern that fits it. The asterisk stands for any text, with
/// slashes too: `refs/*`, `refs/t*` and even `*` fit tags.
fn covers(to: &[u8], tag: &[u8]) -> bool {
    // git reads a destination without `refs/` so.
    let whole = if to.starts_with(b"tags/") { [b"refs/".as_slice(), to].concat() } else { to.to_vec() };
    match whole.iter().position(|byte| *byte == b'*') {
        None => whole == tag,
        Some(star) => {
            let (head, tail) = (&whole[..star], &whole[star + 1..]);
            tag.strip_prefix(head).is_some_and(|rest| rest.ends_with(tail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<u8>> {
        line.split(' ').map(|word| word.as_bytes().to_vec()).collect()
    }

    #[test]
    fn g37_what_a_fetch_is() {
        for (line, behind) in [
            ("git fetch", ""),
            ("/usr/libexec/git-core/git fetch --update-head-ok -q", "--update-head-ok -q"),
            ("git-fetch origin", "origin"),
            ("git -C tag -c fetch.prune=false --no-pager --git-dir=x fetch --multiple --all", "--multiple --all"),
            ("git --git-dir .git fetch origin fetch", "origin fetch"),
        ] {
            let expected = if behind.is_empty() { Vec::new() } else { words(behind) };
            assert_eq!(words_of_fetch(&words(line)), Some(expected.as_slice()), "{line}");
        }
        for line in [
            "git tag fetch",
            "git -C fetch tag new",
            "git -c fetch tag new",
            "git --what fetch tag new",
            "git update-ref refs/tags/fetch HEAD",
            "git pull",
            "git -C",
            "git",
            "sh fetch",
            "git-tag fetch",
            "",
        ] {
            assert!(!is_fetch(&words(line)), "{line}");
        }
        assert!(!is_fetch(&[]));
    }

    #[test]
    fn g37_which_refspecs_may_make_a_tag_from_another_ref() {
        let makes = |word: &str| may_make(word.as_bytes(), &RefName::new(*b"refs/tags/v1"));
        for word in [
            "HEAD:refs/tags/v1",
            "+HEAD:tags/v1",
            "refs/tags/v2:refs/tags/v1",
            "refs/heads/*:refs/tags/*",
            "+refs/heads/*:refs/tags/v*",
            "refs/heads/*:refs/t*/v1",
            "refs/heads/*:refs/t*",
            "refs/heads/*:refs/*",
            "refs/heads/*:*",
            "refs/heads/*:r*1",
            "refs/heads/*:tags/*",
            "--refmap=refs/heads/*:refs/tags/*",
            // A ref that is named like a setting with its value.
            "refs/remotes/a=refs/tags/v1:refs/tags/v1",
        ] {
            assert!(makes(word), "{word}");
        }
        for word in [
            "refs/tags/v1:refs/tags/v1",
            "+refs/tags/*:refs/tags/*",
            "tags/v1:tags/v1",
            "+refs/*:refs/*",
            "refs/heads/*:refs/remotes/o/*",
            "refs/tags/*:refs/tags/o/*",
            "refs/heads/*:refs/tags/*v1x",
            "refs/heads/*:refs/tags/v1*1",
            "HEAD:refs/tags/v10",
            "HEAD:v1",
            "refs/tags/v1",
            "refs/tags/v1:",
            "^refs/tags/v1",
            "ssh://git@host/refs/tags/v1",
            "",
        ] {
            assert!(!makes(word), "{word}");
        }
    }

    #[test]
    fn g37_what_git_takes_for_refspecs_on_standard_input() {
        for (word, is) in
            [("--stdin", true), ("--std", true), ("--stdout", false), ("--", false), ("-", false), ("", false)]
        {
            assert_eq!(is_stdin(word.as_bytes()), is, "{word}");
        }
    }
}
