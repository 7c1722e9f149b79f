//! Paths of an agent's work that a user should see first (A16): what makes programs run, as the domain knows it, and
//! what is no plain file.

use crate::domain::danger::{self, danger_of};
use crate::git::Oid;
use crate::git::tree::{FILE, GITLINK, SYMLINK};

const RUN: u32 = 0o100_755;

/// Why a path comes first and needs a yes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caution {
    /// Programs run what it says.
    Runs(danger::Danger),
    Symlink,
    Submodule,
    /// It can be run now and could not before, or the other way round.
    Mode,
    /// It can be run, and is another program afterwards.
    Executable,
    /// A value of git's configuration names it, as that of a filter does, or it is in the folder of the hooks: git runs it.
    Configured,
}

impl Caution {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Runs(danger) => danger.can(),
            Self::Symlink => "it is a symlink",
            Self::Submodule => "it is a submodule",
            Self::Mode => "it gains or loses the right to be executed",
            Self::Executable => "it is executable",
            Self::Configured => "git's configuration names it",
        }
    }
}

/// Why a path comes first; nothing for most. `before` and `now` are its mode and object.
pub fn cautions(path: &[u8], before: Option<(u32, Oid)>, now: Option<(u32, Oid)>) -> Vec<Caution> {
    let modes = [before, now].map(|side| side.map(|(mode, _)| mode));
    let is = |mode: u32| modes.contains(&Some(mode));
    let is_file = |mode: u32| mode != SYMLINK && mode != GITLINK;
    let [before, now] = modes;
    let plain = before.unwrap_or(FILE);
    let changes_mode = now.is_some_and(|now| now != plain && is_file(now) && is_file(plain));
    let mut found: Vec<Caution> = danger_of(&String::from_utf8_lossy(path)).map(Caution::Runs).into_iter().collect();
    found.extend(is(SYMLINK).then_some(Caution::Symlink));
    found.extend(is(GITLINK).then_some(Caution::Submodule));
    found.extend(changes_mode.then_some(Caution::Mode));
    found.extend((before == Some(RUN) && now == Some(RUN)).then_some(Caution::Executable));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::danger::Danger;
    use crate::git::object::parsed;

    #[test]
    fn a16_what_makes_programs_run_or_is_no_plain_file_comes_first() {
        let id = parsed(&"1a".repeat(20)).unwrap();
        let side = |mode: u32| Some((mode, id));
        for (path, before, now, expected) in [
            ("src/a.rs", None, side(FILE), vec![]),
            ("src/a.rs", side(FILE), None, vec![]),
            ("src/a.rs", side(0o100_755), side(0o100_755), vec![Caution::Executable]),
            ("src/a.rs", None, side(0o100_755), vec![Caution::Mode]),
            ("src/a.rs", side(0o100_755), side(FILE), vec![Caution::Mode]),
            ("src/a.rs", side(FILE), side(SYMLINK), vec![Caution::Symlink]),
            ("src/a.rs", side(SYMLINK), None, vec![Caution::Symlink]),
            ("src/a.rs", side(GITLINK), side(FILE), vec![Caution::Submodule]),
            ("sub/Makefile", side(FILE), side(FILE), vec![Caution::Runs(Danger::Build)]),
            (".claude/a.md", None, side(0o100_755), vec![Caution::Runs(Danger::Agent), Caution::Mode]),
        ] {
            assert_eq!(cautions(path.as_bytes(), before, now), expected, "{path} {before:?} {now:?}");
        }
    }
}
