//! Distinguishes tags that a fetch brings from tags that the user creates.
//!
//! For both, git hands the hook the same line: a tag that does not exist yet. A fetch updates the remote-tracking refs
//! first, and then each tag in a separate transaction; with `--atomic`, all refs in one. The tagged commit does not
//! distinguish them: HEAD is mostly a commit that a remote has, and release tags are often on no branch. `FETCH_HEAD`
//! names the tag before git writes it, but not with `--no-write-fetch-head` or `--atomic`, and any process can write
//! it.
//!
//! So the command decides. git runs a built-in command only by its own name, and an alias in a separate process.
//! `git pull`, `git remote update` and `git fetch --all` start `git fetch`.
//!
//! This rule keeps every other command from writing a tag, and a fetch from moving, deleting or renaming one. It does
//! not check the origin of a tag: a fetch from the user's own clone brings the tags that the user created there. It sees
//! refspecs in the arguments alone: one that git reads from its configuration, `.git/remotes` or `.git/branches` can make
//! a tag of another ref. `git grill verify` names every new tag.

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

/// Whether a git with these arguments, its own name first, is a fetch. An unknown option may take a value, which could
/// be mistaken for the command; then the answer is no.
pub(super) fn is_fetch(arguments: &[Vec<u8>]) -> bool {
    let mut words = arguments.iter().map(Vec::as_slice);
    let name = words.next().and_then(|program| program.rsplit(|byte| *byte == b'/').next());
    match name {
        Some(b"git-fetch") => return true,
        Some(b"git") => {}
        Some(_) | None => return false,
    }
    while let Some(word) = words.next() {
        if word == b"fetch" {
            return true;
        }
        let has_its_value = word.starts_with(b"--") && word.contains(&b'=');
        if WITH_VALUE.contains(&word) {
            words.next();
        } else if !ALONE.contains(&word) && !has_its_value {
            return false;
        }
    }
    false
}

/// Whether such a fetch brings each tag only under the name that the tag has in the remote.
pub(super) fn brings_tags(arguments: &[Vec<u8>]) -> bool {
    // Refspecs that are read from standard input cannot be seen.
    is_fetch(arguments) && !arguments.iter().any(|word| word == b"--stdin" || makes_a_tag(word))
}

/// Whether a word contains a refspec that creates a tag from another ref.
fn makes_a_tag(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"+").unwrap_or(word);
    let mut sides = word.splitn(2, |byte| *byte == b':');
    let (Some(from), Some(to)) = (sides.next(), sides.next()) else {
        return false;
    };
    // The name of a setting, as in `-c remote.origin.fetch=+refs/tags/*:refs/tags/*`.
    let from = from.rsplit(|byte| *byte == b'=').next().unwrap_or(from);
    let from = from.strip_prefix(b"+").unwrap_or(from);
    (to.starts_with(b"refs/tags/") || to.starts_with(b"tags/")) && from != to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<u8>> {
        line.split(' ').map(|word| word.as_bytes().to_vec()).collect()
    }

    #[test]
    fn g37_what_a_fetch_is_and_which_tags_it_brings() {
        for line in [
            "git fetch",
            "/usr/libexec/git-core/git fetch --update-head-ok -q",
            "git-fetch origin",
            "git -C tag -c fetch.prune=false --no-pager --git-dir=x fetch --multiple --all",
            "git --git-dir .git fetch origin tag v5",
            "git fetch --atomic --tags origin refs/tags/*:refs/tags/* +refs/heads/*:refs/remotes/o/*",
            "git -c remote.o.fetch=+refs/tags/*:refs/tags/* fetch o",
            "git fetch ssh://git@host/refs/tags/x",
        ] {
            assert!(brings_tags(&words(line)), "{line}");
        }
        for line in [
            "git fetch . HEAD:refs/tags/new",
            "git fetch . +HEAD:tags/new",
            "git fetch --refmap=refs/heads/*:refs/tags/* origin main",
            "git -c remote.o.fetch=refs/heads/*:refs/tags/* fetch o",
            "git fetch --stdin origin",
        ] {
            assert!(is_fetch(&words(line)) && !brings_tags(&words(line)), "{line}");
        }
        for line in [
            "git tag fetch",
            "git -C fetch tag new",
            "git -c fetch tag new",
            "git --what fetch tag new",
            "git update-ref refs/tags/fetch HEAD",
            "git pull",
            "git",
            "sh fetch",
            "git-tag fetch",
            "",
        ] {
            assert!(!is_fetch(&words(line)), "{line}");
        }
        assert!(!is_fetch(&[]));
    }
}
