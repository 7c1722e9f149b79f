//! Files of an agent's work that only go together: a file, and what stands below its path, of which one takes the place
//! of the other (A39). A person takes them all or none.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::ports::OfferedFile;
use crate::domain::harmless::on_one_line;
use crate::domain::text::counted;

/// One file, or files that only go together, by path: then the first is the one above the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Together<'f> {
    pub(super) files: Vec<&'f OfferedFile>,
}

/// The files as they can be chosen, in the order in which they are offered.
pub(super) fn together<'f>(files: &[&'f OfferedFile]) -> Vec<Together<'f>> {
    let paths: BTreeSet<&[u8]> = files.iter().map(|file| file.path.as_slice()).collect();
    let mut places: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut all: Vec<Together<'f>> = Vec::new();
    for file in files.iter().copied() {
        let ends = file.path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
        // No tree has a file and another one below its path, so that one of the two comes and the other goes.
        let above = ends.map(|end| &file.path[..end]).find(|above| paths.contains(above));
        let place = *places.entry(above.unwrap_or(&file.path)).or_insert(all.len());
        match all.get_mut(place) {
            Some(begun) => begun.files.push(file),
            None => all.push(Together { files: vec![file] }),
        }
    }
    for one in &mut all {
        one.files.sort_by(|file, other| file.path.cmp(&other.path));
    }
    all
}

impl Together<'_> {
    /// Why they need a yes of their own; empty for most.
    pub(super) fn cautions(&self) -> Vec<&'static str> {
        let mut all: Vec<&'static str> = Vec::new();
        for caution in self.files.iter().flat_map(|file| &file.cautions) {
            if !all.contains(caution) {
                all.push(caution);
            }
        }
        all
    }

    /// Their name in a question: the path, or which takes the place of which.
    pub(super) fn name(&self) -> String {
        let path = |file: &OfferedFile| on_one_line(&file.file.path);
        let Some((first, below)) = self.files.split_first() else { return String::new() };
        let others = match below {
            [] => return path(first),
            [one] => path(one),
            many => format!("a directory with {}", counted(many.len(), "file")),
        };
        if is_gone(first) {
            format!("{others} takes the place of {}", path(first))
        } else {
            format!("{} takes the place of {others}", path(first))
        }
    }

    /// How all of them are called.
    pub(super) fn pronoun(&self) -> &'static str {
        match self.files.len() {
            1 => "it",
            2 => "both",
            _ => "them",
        }
    }

    /// Whether these paths are not enough: a file is among them whose place is still taken by one that is not.
    pub(super) fn lacks(&self, chosen: &BTreeSet<Vec<u8>>) -> bool {
        let (named, left): (Vec<&OfferedFile>, Vec<&OfferedFile>) =
            self.files.iter().copied().partition(|file| chosen.contains(&file.path));
        named.into_iter().any(|file| !is_gone(file)) && left.into_iter().any(is_gone)
    }
}

/// Whether the agent removed it.
fn is_gone(file: &OfferedFile) -> bool {
    file.file.letter == 'D'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ports::{AcceptFate, AgentFile};

    fn file(letter: char, path: &str) -> OfferedFile {
        OfferedFile {
            file: AgentFile { letter, path: path.to_owned(), lines: None },
            path: path.as_bytes().to_vec(),
            cautions: if path.ends_with("Makefile") { vec!["build tools run it"] } else { Vec::new() },
            runs_in_git: false,
            fate: AcceptFate::Taken,
            overlap: None,
            seen: String::new(),
        }
    }

    /// The paths of what goes together, and its name.
    fn told(files: &[OfferedFile]) -> Vec<(Vec<String>, String)> {
        let all: Vec<&OfferedFile> = files.iter().collect();
        let paths = |one: &Together<'_>| one.files.iter().map(|file| file.file.path.clone()).collect();
        together(&all).iter().map(|one| (paths(one), one.name())).collect()
    }

    #[test]
    fn a39_a_file_and_what_stands_below_its_path_go_together_in_both_directions() {
        let row = |paths: &[&str], name: &str| (paths.iter().map(|&path| path.to_owned()).collect(), name.to_owned());
        assert_eq!(
            told(&[file('A', "d"), file('M', "d-2"), file('D', "d/one"), file('M', "e/d")]),
            [row(&["d", "d/one"], "d takes the place of d/one"), row(&["d-2"], "d-2"), row(&["e/d"], "e/d")]
        );
        assert_eq!(
            told(&[file('A', "d/e/one"), file('D', "d"), file('A', "d/two")]),
            [row(&["d", "d/e/one", "d/two"], "a directory with 2 files takes the place of d")]
        );
        assert_eq!(
            told(&[file('D', "x/a\u{1b}"), file('A', "x/a\u{1b}/b")]),
            [row(&["x/a\u{1b}", "x/a\u{1b}/b"], "x/a␛/b takes the place of x/a␛")]
        );
    }

    #[test]
    fn a16_a39_what_goes_together_needs_a_separate_yes_where_one_of_it_does() {
        let (new, gone, other) = (file('A', "d"), file('D', "d/Makefile"), file('D', "d/one"));
        let all = together(&[&gone, &new, &other]);
        assert_eq!((all.len(), all[0].cautions()), (1, vec!["build tools run it"]));
        assert_eq!(
            (all[0].name().as_str(), all[0].pronoun()),
            ("d takes the place of a directory with 2 files", "them")
        );
        let chosen = |paths: &[&str]| paths.iter().map(|path| path.as_bytes().to_vec()).collect();
        for (paths, lacks) in [
            (&["d"][..], true),
            (&["d", "d/one"], true),
            (&["d", "d/one", "d/Makefile"], false),
            (&["d/one"], false),
            (&["other"], false),
        ] {
            assert_eq!(all[0].lacks(&chosen(paths)), lacks, "{paths:?}");
        }
    }
}
