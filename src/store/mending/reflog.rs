//! What a ref named earlier. Where its reflog is a file, that is read as it is: git shows none of a ref whose newest
//! object is gone.

use std::io::ErrorKind;

use crate::files::regular;
use crate::git::object::parsed;
use crate::git::{Error, Oid, Repo};

/// The furthest that a reflog is read through the `git` program.
const FURTHEST: usize = 10_000;

/// One entry of a reflog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// What the ref named from then on.
    pub commit: Oid,
    /// What was said about it; empty where git does not tell.
    pub said: String,
}

/// What a ref named, the newest first, and at the end what it named before its oldest entry; nothing where there is no
/// reflog. Lines that are none are passed over: a machine that lost its power leaves such.
pub fn logged(repo: &Repo, name: &str) -> Result<Vec<Logged>, Error> {
    if let Repo::Program(program) = repo
        && program.is_reftable()
    {
        let commits = program.logged(name, FURTHEST)?;
        return Ok(commits.into_iter().map(|commit| Logged { commit, said: String::new() }).collect());
    }
    let path = repo.common_dir().join("logs").join(name);
    let bytes = match regular::bytes(&path, regular::LONG) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Vec::new(),
        Err(error) => return Err(Error(format!("{} was not read: {error}", path.display()))),
    };
    let mut found: Vec<Logged> = bytes.split(|byte| *byte == b'\n').rev().filter_map(entry).collect();
    let oldest = bytes.split(|byte| *byte == b'\n').find(|line| entry(line).is_some());
    let before = oldest.and_then(|line| parsed(std::str::from_utf8(line.split(|byte| *byte == b' ').next()?).ok()?));
    found.extend(before.filter(|id| !id.is_null()).map(|commit| Logged { commit, said: String::new() }));
    Ok(found)
}

/// `old new Name <address> seconds zone<TAB>message`
fn entry(line: &[u8]) -> Option<Logged> {
    let line = String::from_utf8_lossy(line);
    let (head, said) = line.split_once('\t').unwrap_or((&line, ""));
    let mut words = head.split(' ');
    let old = parsed(words.next()?)?;
    let commit = parsed(words.next()?)?;
    let whole = old.kind() == commit.kind() && !commit.is_null();
    whole.then(|| Logged { commit, said: said.trim_end().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_entry_is_passed_over() {
        let (a, b, none) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let read = |line: &str| entry(line.as_bytes()).map(|found| (found.commit.to_string(), found.said));
        let who = "Ada <ada@example.com> 1790000000 +0000";
        assert_eq!(read(&format!("{none} {a} {who}\tgrill: start")), Some((a.clone(), "grill: start".to_owned())));
        assert_eq!(read(&format!("{a} {b} {who}")), Some((b.clone(), String::new())));
        assert_eq!(read(&format!("{a} {none} {who}\tdeleted")), None);
        for line in ["", "\0\0\0\0", &a, &format!("{a} {}", &b[..39]), &format!("{a} {}", "b".repeat(64))] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
