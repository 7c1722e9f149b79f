//! How HEAD and some files stand, as `git status --porcelain=v2 -z --branch` tells it.

use std::collections::BTreeMap;

use crate::app::ports::CommitError;
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;

/// What a commit would be made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The branch that is checked out.
    pub branch: String,
    /// Its commit.
    pub tip: ObjectId,
    /// The files that are not as in that commit.
    pub files: BTreeMap<Vec<u8>, File>,
}

/// How a file differs from the commit that is checked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// Its content is another, and nothing but that content is staged.
    Changed,
    /// git does not know it.
    Unknown,
    /// The index knows its name and no content (`git add --intent-to-add`).
    Announced,
    /// The same, and the commit has it: a commit that was cut off left it so.
    Emptied,
    /// Something else is staged for it than what stands in the working tree.
    StagedOtherwise,
    /// It is staged as deleted, and is there.
    StagedAway,
    /// It is ignored.
    Ignored,
    /// It is gone, in conflict, or no ordinary file.
    Odd,
}

impl File {
    /// Why it is not committed.
    pub(super) fn stands_in_the_way(self, path: &TargetPath) -> CommitError {
        let again = "git grill produce --commit";
        let (why, hint) = match self {
            Self::StagedOtherwise => (
                format!("something else is staged for {path} than what was written"),
                format!(
                    "git diff --cached -- {path} shows it; git add -- {path} stages what was written; then {again}"
                ),
            ),
            Self::StagedAway => {
                (format!("{path} is staged as deleted"), format!("git add -- {path} takes that back; then {again}"))
            }
            Self::Ignored => (
                format!("{path} is ignored by git"),
                format!(
                    "git check-ignore -v {path} says why; git add -f -- {path} takes it in all the same; then {again}"
                ),
            ),
            Self::Odd | Self::Changed | Self::Unknown | Self::Announced | Self::Emptied => {
                (format!("{path} is no ordinary file any more, or in conflict"), format!("git status -- {path}"))
            }
        };
        CommitError::Blocked { why, hint }
    }
}

/// Reads what git printed.
pub(super) fn read(stdout: &[u8]) -> Result<State, CommitError> {
    let unread = || CommitError::Failed { said: vec!["what git status printed could not be read".to_owned()] };
    let (mut branch, mut tip, mut files) = (None, None, BTreeMap::new());
    for record in stdout.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
        match record[0] {
            b'#' => {
                let text = String::from_utf8_lossy(record);
                if let Some(head) = text.strip_prefix("# branch.head ") {
                    branch = Some(head.to_owned());
                } else if let Some(oid) = text.strip_prefix("# branch.oid ") {
                    tip = Some(oid.to_owned());
                }
            }
            kind => {
                let (path, file) = entry(kind, record).ok_or_else(unread)?;
                // A staged deletion of a file that is there makes two records.
                let file = if files.contains_key(path) { File::StagedAway } else { file };
                files.insert(path.to_vec(), file);
            }
        }
    }
    let (branch, tip) = (branch.ok_or_else(unread)?, tip.ok_or_else(unread)?);
    let blocked = |why: &str, hint: &str| Err(CommitError::Blocked { why: why.to_owned(), hint: hint.to_owned() });
    if branch == "(detached)" {
        return blocked(
            "HEAD is on no branch",
            "git grill stop, then git switch -c <branch>, and commit what was written there",
        );
    }
    if tip == "(initial)" {
        return blocked(
            "the branch has no commit yet, and a first commit is yours",
            "git grill stop, then git add and git commit",
        );
    }
    Ok(State { branch, tip: ObjectId::parse(&tip).map_err(|_| unread())?, files })
}

/// One record: which file, and how it stands.
fn entry(kind: u8, record: &[u8]) -> Option<(&[u8], File)> {
    match kind {
        // `1 XY sub mH mI mW hH hI path`: how the index differs from the commit, and the file from the index.
        b'1' => {
            let path = record.splitn(9, |byte| *byte == b' ').nth(8)?;
            let fields: Vec<&[u8]> = record.splitn(9, |byte| *byte == b' ').collect();
            let ordinary =
                fields[2] == b"N..." && fields[3..6].iter().all(|mode| mode.starts_with(b"100") || *mode == b"000000");
            let file = match *fields[1] {
                _ if !ordinary => File::Odd,
                [b'D', b'A'] => File::Emptied,
                [b'D', _] => File::StagedAway,
                [b'.', b'A'] => File::Announced,
                [b'.', b'M'] | [b'M' | b'A', b'.'] => File::Changed,
                [b'M' | b'A', b'M'] => File::StagedOtherwise,
                _ => File::Odd,
            };
            Some((path, file))
        }
        b'?' => Some((record.get(2..)?, File::Unknown)),
        b'!' => Some((record.get(2..)?, File::Ignored)),
        b'u' => Some((record.splitn(11, |byte| *byte == b' ').nth(10)?, File::Odd)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# branch.oid 1111111111111111111111111111111111111111\0# branch.head main\0";

    fn of(records: &str) -> Vec<(String, File)> {
        let files = read(format!("{HEAD}{records}").as_bytes()).unwrap().files;
        files.into_iter().map(|(path, file)| (String::from_utf8(path).unwrap(), file)).collect()
    }

    #[test]
    fn each_record_is_read_for_what_it_is() {
        let one = |xy: &str, modes: &str| format!("1 {xy} N... {modes} aa bb docs/a b.md\0");
        let plain = "100644 100644 100644";
        for (xy, modes, file) in [
            (".M", plain, File::Changed),
            ("M.", plain, File::Changed),
            ("A.", "000000 100644 100644", File::Changed),
            (".A", "000000 000000 100644", File::Announced),
            ("DA", "100644 000000 100644", File::Emptied),
            ("MM", plain, File::StagedOtherwise),
            ("AM", "000000 100644 100644", File::StagedOtherwise),
            ("D.", "100644 000000 000000", File::StagedAway),
            (".D", "100644 100644 000000", File::Odd),
            (".T", "100644 100644 120000", File::Odd),
            (".M", "120000 120000 120000", File::Odd),
        ] {
            assert_eq!(of(&one(xy, modes)), [("docs/a b.md".to_owned(), file)], "{xy} {modes}");
        }
        assert_eq!(of("? new\0"), [("new".to_owned(), File::Unknown)]);
        assert_eq!(of("! old\0"), [("old".to_owned(), File::Ignored)]);
        assert_eq!(of("1 D. N... 100644 000000 000000 aa 00 x\0? x\0"), [("x".to_owned(), File::StagedAway)]);
        assert_eq!(of("u UU N... 1 2 3 4 a b c x y\0"), [("x y".to_owned(), File::Odd)]);
        assert_eq!(of(""), []);
    }

    #[test]
    fn what_is_no_such_record_is_no_state() {
        for text in ["1 .M N... 100644", "2 R. x", "x", ""] {
            let all = if text.is_empty() { String::new() } else { format!("{HEAD}{text}\0") };
            assert!(matches!(read(all.as_bytes()), Err(CommitError::Failed { .. })), "{text}");
        }
        for head in ["(detached)", "main"] {
            let text = format!("# branch.oid (initial)\0# branch.head {head}\0");
            assert!(matches!(read(text.as_bytes()), Err(CommitError::Blocked { .. })), "{head}");
        }
    }
}
