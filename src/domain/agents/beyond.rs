//! Commits of an agent's that the files of its copy do not show: those of another branch, of a stash, of a tag.

use std::fmt;

use crate::domain::text::counted;

/// One name in the agent's copy, and what only it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// A ref of the copy, `HEAD`, or `stash@{0}`; foreign.
    pub name: String,
    /// The commits that no name before it leads to; none of a tag on a commit that is known.
    pub commits: u64,
}

impl Beyond {
    pub fn is_stash(&self) -> bool {
        self.name.starts_with("stash@{") || self.name == "refs/stash"
    }
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, commits } = self;
        if self.is_stash() {
            return write!(f, "the stash {name}");
        }
        let branch = name.strip_prefix("refs/heads/");
        match (commits, branch, name.strip_prefix("refs/tags/")) {
            (0, _, Some(tag)) => write!(f, "the tag {tag}"),
            (0, _, None) => f.write_str(name),
            (_, Some(branch), _) => write!(f, "{} on {branch}", counted(*commits, "commit")),
            (_, None, Some(tag)) => write!(f, "{} of the tag {tag}", counted(*commits, "commit")),
            (_, None, None) => write!(f, "{} of {name}", counted(*commits, "commit")),
        }
    }
}

/// So many are named in a sentence.
const NAMED: usize = 5;

/// That they are not among the files of the copy, in a sentence; none where there are none.
pub fn not_among_the_files(all: &[Beyond]) -> Option<String> {
    let stashes = all.iter().filter(|one| one.is_stash()).count();
    let mut parts: Vec<String> = all.iter().filter(|one| !one.is_stash()).map(ToString::to_string).collect();
    if parts.len() > NAMED {
        let more = parts.len() - NAMED;
        parts.truncate(NAMED);
        parts.push(format!("{more} more"));
    }
    match stashes {
        0 => {}
        1 => parts.push("1 stash".to_owned()),
        many => parts.push(format!("{many} stashes")),
    }
    let verb = match all {
        [one] if one.is_stash() || one.commits <= 1 => "is",
        _ => "are",
    };
    let last = parts.pop()?;
    let told = if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) };
    Some(format!("{told} {verb} not among these files"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a15_what_the_files_do_not_show_is_counted_in_a_sentence() {
        let one = |name: &str, commits| Beyond { name: name.to_owned(), commits };
        let told = |all: &[Beyond]| not_among_the_files(all).unwrap_or_default();
        assert_eq!(told(&[]), "");
        assert_eq!(told(&[one("stash@{0}", 2)]), "1 stash is not among these files");
        assert_eq!(told(&[one("refs/heads/x", 1)]), "1 commit on x is not among these files");
        assert_eq!(
            told(&[one("refs/heads/fix/parse", 2), one("stash@{0}", 2)]),
            "2 commits on fix/parse and 1 stash are not among these files"
        );
        let all = [one("refs/heads/a", 1), one("refs/tags/v", 0), one("refs/notes/n", 3), one("stash@{0}", 2)];
        assert_eq!(
            told(&[&all[..], &[one("stash@{1}", 2)]].concat()),
            "1 commit on a, the tag v, 3 commits of refs/notes/n and 2 stashes are not among these files"
        );
        let many: Vec<Beyond> = (0..7).map(|number| one(&format!("refs/heads/b{number}"), 1)).collect();
        assert!(told(&many).ends_with("1 commit on b4 and 2 more are not among these files"));
    }
}
