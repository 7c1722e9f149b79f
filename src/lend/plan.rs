//! What accepting an agent's work would do to the parent's working tree, path by path (A16, A39): a pure decision over
//! three sides, of which nothing is read or written here. Only paths that the agent changed are touched; where the user
//! changed one as well, both must fit together, or the whole is a clash and nothing is done.

use std::collections::{BTreeMap, BTreeSet};

use super::caution::{Caution, cautions};
use super::changes::ChangedFile;
use crate::git::Oid;
use crate::git::paths::shortened;
use crate::git::tree::{GITLINK, SYMLINK};

/// Mode and object of a file; none where there is no file.
pub type Side = Option<(u32, Oid)>;

/// What is done at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The agent's file is put there, over the one that it began from or where there was none.
    Write {
        mode: u32,
        id: Oid,
    },
    Delete,
    /// The content stays, with another mode.
    Mode {
        mode: u32,
    },
    /// Both changed the content: the two are merged, and it is a clash where that fails.
    Merge {
        mode: u32,
        base: Oid,
        ours: Oid,
        theirs: Oid,
    },
}

impl Act {
    /// The mode and, as far as it is known, the object that the path has afterwards.
    fn after(self, here: Side) -> Side {
        match self {
            Self::Write { mode, id } | Self::Merge { mode, theirs: id, .. } => Some((mode, id)),
            Self::Mode { mode } => here.map(|(_, id)| (mode, id)),
            Self::Delete => None,
        }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub path: Vec<u8>,
    pub act: Act,
    /// Whether git sees another mode at the path afterwards.
    pub changes_mode: bool,
    /// Why it needs a yes of its own; empty for most.
    pub cautions: Vec<Caution>,
}

/// Why a path cannot be accepted as things are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// Both changed it, and it is nothing that can be merged.
    BothChanged,
    /// One changed it, the other removed it.
    Removed,
    /// A file of the user's stands where a folder is needed, or files stand in a folder where a file is.
    InTheWay(Vec<u8>),
    /// The user's sparse checkout leaves it out.
    Sparse,
    /// The disk holds it and this path, which differ in case or spelling alone, as one file.
    OneFile(Vec<u8>),
}

impl Clash {
    /// Why, for the user.
    pub fn in_words(&self) -> String {
        match self {
            Self::BothChanged => "you and the agent both changed it, and it cannot be merged".to_owned(),
            Self::Removed => "one of you modified it, and the other deleted it".to_owned(),
            Self::InTheWay(path) => format!("{} is in its way; move it away", shortened(path)),
            Self::Sparse => {
                "your sparse checkout leaves it out; git sparse-checkout add brings its folder in".to_owned()
            }
            Self::OneFile(other) => {
                format!("your disk holds it and {} as one file; git mv renames it", shortened(other))
            }
        }
    }
}

/// What accepting would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptPlan {
    /// Those with cautions first, and then by path.
    pub steps: Vec<Planned>,
    /// By path. Where there is one, nothing is done at all.
    pub clashes: BTreeMap<Vec<u8>, Clash>,
    /// Paths at which the parent has what the agent made already.
    pub already: BTreeSet<Vec<u8>>,
}

impl AcceptPlan {
    /// Puts those first that need a yes of their own.
    pub(super) fn sort(&mut self) {
        let is_plain = |step: &Planned| step.cautions.is_empty();
        self.steps.sort_by(|one, other| (is_plain(one), &one.path).cmp(&(is_plain(other), &other.path)));
    }

    /// The steps that need a yes of their own, in the order in which they are asked for (A16).
    pub fn careful(&self) -> impl Iterator<Item = &Planned> {
        self.steps.iter().take_while(|step| !step.cautions.is_empty())
    }
}

/// Plans it. `ours` is every file of the parent's working tree, tracked or not, as its tree would have it.
pub fn plan(changed: &[ChangedFile], ours: &BTreeMap<Vec<u8>, (u32, Oid)>) -> AcceptPlan {
    let mut plan = AcceptPlan::default();
    for file in changed {
        let here = ours.get(&file.path).copied();
        if here == file.now {
            plan.already.insert(file.path.clone());
            continue;
        }
        match act(file.before, file.now, here) {
            Ok(act) => {
                let after = act.after(here);
                let cautions = cautions(&file.path, here, after);
                let changes_mode = after.map(|(mode, _)| mode) != here.map(|(mode, _)| mode);
                plan.steps.push(Planned { path: file.path.clone(), act, changes_mode, cautions });
            }
            Err(clash) => {
                plan.clashes.insert(file.path.clone(), clash);
            }
        }
    }
    let gone: BTreeSet<&[u8]> = removed(&plan.steps).collect();
    let blocked: Vec<(Vec<u8>, Clash)> = plan
        .steps
        .iter()
        .filter(|step| step.act != Act::Delete)
        .filter_map(|step| Some((step.path.clone(), Clash::InTheWay(in_the_way(&step.path, ours, &gone)?))))
        .collect();
    plan.clashes.extend(blocked);
    plan.sort();
    plan
}

/// What is done at one path: the agent made `theirs` of `base`, and the user has `ours`, which is not `theirs`.
fn act(base: Side, theirs: Side, ours: Side) -> Result<Act, Clash> {
    match (base, theirs, ours) {
        (_, Some((mode, id)), None) if base.is_none() => Ok(Act::Write { mode, id }),
        (_, None, Some(_)) if ours == base => Ok(Act::Delete),
        (_, Some((mode, id)), Some((_, here))) if ours == base => {
            Ok(if here == id && is_file(mode) && ours.is_some_and(|(mode, _)| is_file(mode)) {
                Act::Mode { mode }
            } else {
                Act::Write { mode, id }
            })
        }
        (Some(base), Some(theirs), Some(ours)) => both(base, theirs, ours),
        (None, Some(_), Some(_)) => Err(Clash::BothChanged),
        (_, None, _) | (_, _, None) => Err(Clash::Removed),
    }
}

/// Both changed a file that both still have.
fn both(base: (u32, Oid), theirs: (u32, Oid), ours: (u32, Oid)) -> Result<Act, Clash> {
    if ![base, theirs, ours].iter().all(|(mode, _)| is_file(*mode)) {
        return Err(Clash::BothChanged);
    }
    let mode = if theirs.0 == base.0 { ours.0 } else { theirs.0 };
    if theirs.1 == base.1 || theirs.1 == ours.1 {
        return Ok(Act::Mode { mode });
    }
    if ours.1 == base.1 {
        return Ok(Act::Write { mode, id: theirs.1 });
    }
    Ok(Act::Merge { mode, base: base.1, ours: ours.1, theirs: theirs.1 })
}

fn is_file(mode: u32) -> bool {
    mode != SYMLINK && mode != GITLINK
}

fn removed(steps: &[Planned]) -> impl Iterator<Item = &[u8]> {
    steps.iter().filter(|step| step.act == Act::Delete).map(|step| step.path.as_slice())
}

/// A file of the user's that stands above or below a path where a file is to be, and does not go itself.
fn in_the_way(path: &[u8], ours: &BTreeMap<Vec<u8>, (u32, Oid)>, gone: &BTreeSet<&[u8]>) -> Option<Vec<u8>> {
    let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
    let above = ends.map(|end| &path[..end]).find(|above| ours.contains_key(*above) && !gone.contains(above));
    if let Some(above) = above {
        return Some(above.to_vec());
    }
    let folder = [path, b"/"].concat();
    let mut below = ours.range(folder.clone()..).map(|(below, _)| below).take_while(|below| below.starts_with(&folder));
    below.find(|below| !gone.contains(below.as_slice())).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::object::parsed;
    use crate::git::tree::FILE;
    use crate::lend::changes::Status;

    const RUN: u32 = 0o100_755;

    fn id(letter: char) -> Oid {
        let digit = char::from_digit(u32::from(letter) % 16, 16).unwrap();
        parsed(&digit.to_string().repeat(40)).unwrap()
    }

    /// `a` is a file with this content, `a*` one that can be run, `a@` a symlink, and nothing is no file.
    fn side(text: &str) -> Side {
        let letter = text.chars().next()?;
        let mode = match text.chars().nth(1) {
            Some('*') => RUN,
            Some('@') => SYMLINK,
            _ => FILE,
        };
        Some((mode, id(letter)))
    }

    fn changed(path: &str, before: &str, now: &str) -> ChangedFile {
        let (before, now) = (side(before), side(now));
        ChangedFile { path: path.as_bytes().to_vec(), status: Status::Modified, before, now, lines: None }
    }

    fn standing(files: &[(&str, &str)]) -> BTreeMap<Vec<u8>, (u32, Oid)> {
        files.iter().filter_map(|(path, text)| Some((path.as_bytes().to_vec(), side(text)?))).collect()
    }

    #[test]
    fn a39_each_path_is_decided_by_its_three_sides() {
        let write = |text: &str| side(text).map(|(mode, id)| Ok(Act::Write { mode, id }));
        let merge = |mode: u32| Some(Ok(Act::Merge { mode, base: id('a'), ours: id('c'), theirs: id('b') }));
        for (base, theirs, ours, expected) in [
            ("a", "b", "a", write("b")),
            ("", "b", "", write("b")),
            ("a", "", "a", Some(Ok(Act::Delete))),
            ("a", "a*", "a", Some(Ok(Act::Mode { mode: RUN }))),
            ("a", "a@", "a", write("a@")),
            ("a", "b", "c", merge(FILE)),
            ("a", "b*", "c", merge(RUN)),
            ("a", "b", "c*", merge(RUN)),
            ("a", "a*", "c", Some(Ok(Act::Mode { mode: RUN }))),
            ("a", "b", "a*", write("b*")),
            ("a", "b*", "b", Some(Ok(Act::Mode { mode: RUN }))),
            ("a", "b", "", Some(Err(Clash::Removed))),
            ("a", "", "c", Some(Err(Clash::Removed))),
            ("", "b", "c", Some(Err(Clash::BothChanged))),
            ("a@", "b@", "c@", Some(Err(Clash::BothChanged))),
            ("a", "b", "c@", Some(Err(Clash::BothChanged))),
            ("a", "b", "b", None),
            ("a", "", "", None),
        ] {
            let found = plan(&[changed("f", base, theirs)], &standing(&[("f", ours), ("other", "z")]));
            let found = match (found.steps.as_slice(), found.clashes.get(b"f".as_slice())) {
                ([step], None) => Some(Ok(step.act)),
                ([], Some(clash)) => Some(Err(clash.clone())),
                ([], None) if found.already.len() == 1 => None,
                other => panic!("{other:?}"),
            };
            assert_eq!(found, expected, "{base} {theirs} {ours}");
        }
    }

    #[test]
    fn a39_a_file_of_the_user_s_is_never_replaced_by_a_folder_nor_a_folder_by_a_file() {
        let found = plan(&[changed("a/b", "", "x")], &standing(&[("a", "mine")]));
        assert_eq!(found.clashes.get(b"a/b".as_slice()), Some(&Clash::InTheWay(b"a".to_vec())));
        let found = plan(&[changed("a", "", "x")], &standing(&[("a/mine", "m")]));
        assert_eq!(found.clashes.get(b"a".as_slice()), Some(&Clash::InTheWay(b"a/mine".to_vec())));
        // Where the agent removed what stood there, and the user left it alone, there is room.
        let found = plan(&[changed("a", "o", ""), changed("a/b", "", "x")], &standing(&[("a", "o")]));
        assert!(found.clashes.is_empty() && found.steps.len() == 2, "{found:?}");
    }

    #[test]
    fn a16_what_needs_a_yes_of_its_own_comes_first() {
        let all = [changed("d/a", "a", "b"), changed("d/m", "a", "a*"), changed("z/Makefile", "a", "b")];
        let found = plan(&all, &standing(&[("d/a", "a"), ("z/Makefile", "a"), ("d/m", "a")]));
        let order: Vec<&[u8]> = found.steps.iter().map(|step| step.path.as_slice()).collect();
        assert_eq!(order, [b"d/m".as_slice(), b"z/Makefile", b"d/a"]);
        let reasons: Vec<Vec<&str>> =
            found.careful().map(|step| step.cautions.iter().map(|caution| caution.in_words()).collect()).collect();
        assert_eq!(reasons.len(), 2);
        assert_eq!(reasons[0], ["it gains or loses the right to be executed"]);
    }
}
