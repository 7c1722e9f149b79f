//! The same facts from the `git` program, for repositories that libgit2 cannot open: reftable and sha256.
//!
//! Slower by a process a question, so only the fall-back.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::app::ports::Process;
use crate::git::command::answer;
use crate::git::program::is_reftable;
use crate::git::{Git, asker};
use crate::hooks::packed;
use crate::hooks::place::Place;
use crate::hooks::refspecs::Refspecs;
use crate::hooks::under_way::under_way;
use crate::policy::half_done::UnderWay;
use crate::policy::ref_line::{RefName, RefValue, parse_value};
use crate::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};

/// Facts about the repository of a worktree, as this moment finds it.
pub struct CliFacts<'process> {
    process: &'process dyn Process,
    git_dir: PathBuf,
    common_dir: PathBuf,
    refspecs: Refspecs<'process>,
}

impl<'process> CliFacts<'process> {
    pub fn new(place: &Place, process: &'process dyn Process) -> Self {
        Self {
            process,
            git_dir: place.git_dir.clone(),
            common_dir: place.common_dir.clone(),
            refspecs: Refspecs::new(process),
        }
    }

    /// The output if git says yes, `None` if it says no, an error if it fails.
    fn ask(&self, args: &[&[u8]]) -> Result<Option<Vec<u8>>, Unreadable> {
        // The commit itself is judged, not what a replacement or graft shows in its place.
        let git = Git::new(args.iter().map(|arg| OsStr::from_bytes(arg))).of(&self.git_dir).reading();
        let ran = git.run(self.process).map_err(|error| Unreadable(error.to_string()))?;
        answer(ran).map_err(Unreadable)
    }
}

impl RefFacts for CliFacts<'_> {
    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        // Lists what lies below the name too, but never guesses another ref as `rev-parse` does.
        let format = b"--format=%(refname)%00%(objectname)%00%(symref)";
        let listed = self.ask(&[b"for-each-ref", format, name.as_bytes()])?.unwrap_or_default();
        for line in listed.split(|byte| *byte == b'\n') {
            let mut fields = line.split(|byte| *byte == 0);
            if let (Some(found), Some(id), Some(target)) = (fields.next(), fields.next(), fields.next())
                && found == name.as_bytes()
            {
                return if target.is_empty() {
                    parse_value(id)
                        .map(Some)
                        .ok_or_else(|| Unreadable("git named something that is no object".to_owned()))
                } else {
                    Ok(Some(RefValue::Symbolic(target.to_vec())))
                };
            }
        }
        Ok(None)
    }

    fn packed_refs(&self) -> PackedRefs {
        packed::lock(&self.common_dir)
    }

    fn is_hidden(&self, name: &RefName) -> bool {
        packed::is_hidden(&self.common_dir, name)
    }

    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable> {
        packed::value(&self.common_dir, name)
    }

    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        let target = self.ask(&[b"symbolic-ref", b"--quiet", b"HEAD"])?;
        Ok(target.map(|line| RefName::new(line.trim_ascii_end())))
    }

    fn pointed_to(&self) -> Option<RefName> {
        let target = self.ask(&[b"symbolic-ref", b"--quiet", b"GRILL_HEAD"]).ok().flatten();
        target.map(|line| RefName::new(line.trim_ascii_end()))
    }

    fn under_way(&self) -> Option<UnderWay> {
        let found = under_way(&self.git_dir);
        if matches!(found, Some(UnderWay::Rebase | UnderWay::Am)) || !is_reftable(&self.common_dir) {
            return found;
        }
        // Here git keeps these two among its refs.
        let there = |name: &[u8]| matches!(self.ask(&[b"rev-parse", b"-q", b"--verify", name]), Ok(Some(_)));
        if there(b"CHERRY_PICK_HEAD") {
            Some(UnderWay::CherryPick)
        } else if there(b"REVERT_HEAD") {
            Some(UnderWay::Revert)
        } else {
            found
        }
    }

    fn asked_by(&self) -> Vec<Vec<u8>> {
        asker::arguments()
    }

    fn configured_refspecs(&self) -> Result<Vec<Vec<u8>>, Unreadable> {
        self.refspecs.of(&self.common_dir)
    }

    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable> {
        let missing = || Unreadable(format!("there is no commit {id}"));
        let text = self.ask(&[b"cat-file", b"commit", id.as_bytes()])?.ok_or_else(missing)?;
        let parents: Vec<String> = text
            .split(|byte| *byte == b'\n')
            .take_while(|line| !line.is_empty())
            .filter_map(|line| line.strip_prefix(b"parent "))
            .map(|parent| String::from_utf8_lossy(parent).into_owned())
            .collect();
        let end = text.windows(2).position(|two| two == b"\n\n").map_or(text.len(), |at| at + 2);
        let message = text[end..].to_vec();
        let [parent] = parents.as_slice() else {
            return Ok(CommitShape { parents, message, ..CommitShape::default() });
        };
        let options: [&[u8]; 5] = [b"diff-tree", b"-r", b"-z", b"--no-renames", b"--ignore-submodules=none"];
        let args = [options.as_slice(), &[parent.as_bytes(), id.as_bytes()]].concat();
        let listed = self.ask(&args)?.ok_or_else(missing)?;
        let (mut paths, mut no_files) = (Vec::new(), Vec::new());
        let mut fields = listed.split(|byte| *byte == 0);
        // `:<old mode> <new mode> <old id> <new id> <status>`, then the path.
        while let (Some(about), Some(path)) = (fields.next().filter(|about| !about.is_empty()), fields.next()) {
            let mode = about.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
            if !mode.starts_with(b"100") && mode != b"000000" {
                no_files.push(path.to_vec());
            }
            paths.push(path.to_vec());
        }
        Ok(CommitShape { parents, paths, no_files, message })
    }
}
