//! The same facts from the `git` program, for repositories that libgit2 cannot open: reftable and sha256.
//!
//! Slower by a process a question, so only the fall-back.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::app::ports::{Process, Ran, Run};
use crate::hooks::packed;
use crate::hooks::place::Place;
use crate::hooks::under_way::under_way;
use crate::policy::leavings::UnderWay;
use crate::policy::ref_line::{RefName, RefValue, parse_value};
use crate::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};

/// Facts about the repository of a worktree, as this moment finds it.
pub struct CliFacts<'process> {
    process: &'process dyn Process,
    git_dir: PathBuf,
    common_dir: PathBuf,
}

impl<'process> CliFacts<'process> {
    /// Answers for the worktree at `place`.
    pub fn new(place: &Place, process: &'process dyn Process) -> Self {
        Self { process, git_dir: place.git_dir.clone(), common_dir: place.common_dir.clone() }
    }

    fn git(&self, args: &[&[u8]]) -> Result<Ran, Unreadable> {
        let mut run = Run::new("git", args.iter().map(|arg| OsString::from_vec(arg.to_vec())));
        run.env.push(("GIT_DIR".into(), self.git_dir.clone().into_os_string()));
        // The commit itself is judged, not what a replacement or graft shows in its place.
        run.env.push(("GIT_NO_REPLACE_OBJECTS".into(), "1".into()));
        self.process.run(&run).map_err(|error| Unreadable(error.to_string()))
    }

    /// The output if git says yes, `None` if it says no, an error if it fails.
    fn ask(&self, args: &[&[u8]]) -> Result<Option<Vec<u8>>, Unreadable> {
        let ran = self.git(args)?;
        match ran.code {
            0 => Ok(Some(ran.stdout)),
            1 => Ok(None),
            _ => {
                let said = String::from_utf8_lossy(&ran.stderr);
                Err(Unreadable(said.lines().last().unwrap_or("git failed").to_owned()))
            }
        }
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

    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable> {
        packed::value(&self.common_dir, name)
    }

    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        let target = self.ask(&[b"symbolic-ref", b"--quiet", b"HEAD"])?;
        Ok(target.map(|line| RefName::new(line.trim_ascii_end())))
    }

    fn under_way(&self) -> Option<UnderWay> {
        under_way(&self.git_dir)
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
        let [parent] = parents.as_slice() else {
            return Ok(CommitShape { parents, paths: Vec::new() });
        };
        let options: [&[u8]; 6] =
            [b"diff-tree", b"-r", b"-z", b"--no-renames", b"--name-only", b"--ignore-submodules=none"];
        let args = [options.as_slice(), &[parent.as_bytes(), id.as_bytes()]].concat();
        let names = self.ask(&args)?.ok_or_else(missing)?;
        let paths = names.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect();
        Ok(CommitShape { parents, paths })
    }
}
