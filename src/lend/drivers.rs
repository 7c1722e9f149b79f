//! Filters that the user has set up (gitattributes(5)), which git runs over their files. None of them is run over what an
//! agent wrote: a filter is a program, and the agent would choose what it reads. A file that one converts is left out
//! instead, since its bytes in the copy are not those that git commits.

use std::collections::{BTreeSet, HashSet};

use super::parent::Parent;
use crate::app::ports::Process;
use crate::git::paths::pieces;
use crate::git::{Error, Git};

/// The names of the filters that any configuration of the parent sets up.
pub(super) struct Drivers(HashSet<Vec<u8>>);

impl Drivers {
    pub(super) fn of(parent: &Parent<'_>) -> Result<Self, Error> {
        let words =
            ["config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$"];
        // Where no key is like this there is none.
        let keys = parent.git(words).ask_whether(parent.process)?.unwrap_or_default();
        Ok(Self(pieces(&keys).filter_map(name).collect()))
    }

    /// Those of these paths, each with a zero byte behind it, that a filter converts by the attributes that `git` finds.
    pub(super) fn converted(
        &self,
        git: impl FnOnce(&[&str]) -> Git,
        list: &[u8],
        process: &dyn Process,
    ) -> Result<BTreeSet<Vec<u8>>, Error> {
        if self.0.is_empty() || list.is_empty() {
            return Ok(BTreeSet::new());
        }
        let told = git(&["check-attr", "-z", "--stdin", "filter"]).fed(list.to_vec()).ask(process)?;
        // Path, attribute and value, each with a zero byte behind it.
        let fields: Vec<&[u8]> = told.split(|byte| *byte == 0).collect();
        let converted = fields.chunks_exact(3).filter(|field| self.0.contains(field[2]));
        Ok(converted.map(|field| field[0].to_vec()).collect())
    }
}

/// The name in a key such as `filter.lfs.clean`.
fn name(key: &[u8]) -> Option<Vec<u8>> {
    let rest = key.strip_prefix(b"filter.")?;
    let end = rest.iter().rposition(|byte| *byte == b'.')?;
    Some(rest[..end].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a15_the_name_of_a_filter_may_have_dots() {
        assert_eq!(name(b"filter.lfs.clean").as_deref(), Some(b"lfs".as_slice()));
        assert_eq!(name(b"filter.a.b.smudge").as_deref(), Some(b"a.b".as_slice()));
        assert_eq!((name(b"filter.clean"), name(b"core.eol")), (None, None));
    }
}
