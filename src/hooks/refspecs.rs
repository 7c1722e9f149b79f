//! The refspecs that git reads for a fetch besides those in its arguments.

use std::cell::OnceCell;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use crate::app::ports::Process;
use crate::git::Git;
use crate::git::command::answer;
use crate::policy::refs::Unreadable;

/// How long git may take to list its configuration, while the fetch waits for the hook.
const SOON: Duration = Duration::from_secs(10);

/// The refspecs in the configuration of the git that runs the hook, read when they are first asked for.
pub(crate) struct Refspecs<'process> {
    process: &'process dyn Process,
    known: OnceCell<Result<Vec<Vec<u8>>, Unreadable>>,
}

impl<'process> Refspecs<'process> {
    /// Not read yet.
    pub(crate) fn new(process: &'process dyn Process) -> Self {
        Self { process, known: OnceCell::new() }
    }

    /// Every refspec of every remote, for the repository with this common git directory. Which remote is fetched is not
    /// looked at: to tell it from the arguments, every option of every git would have to be known here.
    pub(crate) fn of(&self, common_dir: &Path) -> Result<Vec<Vec<u8>>, Unreadable> {
        self.known.get_or_init(|| ensure_empty(&common_dir.join("remotes")).and_then(|()| listed(self.process))).clone()
    }
}

/// git takes a remote also from a file of the folder `remotes`, with refspecs of its own. That form is older than the
/// configuration and git writes it no more, so it is not read here: one entry is enough for a no. The folder `branches`
/// needs no look. A file there leads to one refspec, whose destination is a branch, and branches are refused anyway.
fn ensure_empty(remotes: &Path) -> Result<(), Unreadable> {
    match fs::read_dir(remotes).and_then(|mut entries| entries.next().transpose()) {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(Unreadable(
            "'remotes' in the git directory is not empty; git remote rename <name> <name> moves a remote from there into \
             the configuration"
                .to_owned(),
        )),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(()),
        Err(error) => Err(Unreadable(format!("'remotes' in the git directory: {error}"))),
    }
}

/// What git has in all its configuration, included files and `-c` too: where the hook runs, with the hook's environment,
/// which is that of the fetch. `GIT_CONFIG` alone is left out; by it `git config` reads another file, and no fetch does.
fn listed(process: &dyn Process) -> Result<Vec<Vec<u8>>, Unreadable> {
    // Not by the end of the key: in some locales a dot does not fit every byte that the name of a remote may have.
    let git = Git::new(["config", "-z", "--get-regexp", r"^remote\."]).without("GIT_CONFIG").reading();
    let ran = git.for_at_most(SOON).run(process).map_err(|error| Unreadable(format!("git config: {error}")))?;
    match answer(ran).map_err(|why| Unreadable(format!("git config: {why}")))? {
        Some(told) if told.last() == Some(&0) => Ok(told.split(|byte| *byte == 0).filter_map(refspec).collect()),
        Some(_) => Err(Unreadable("git config: its answer is cut off".to_owned())),
        None => Ok(Vec::new()),
    }
}

/// The value of an entry, if its key is that of a refspec. git has put the key in lower case but for the remote's name.
fn refspec(entry: &[u8]) -> Option<Vec<u8>> {
    // A key without a value has no line end. A fetch fails on it.
    let end = entry.iter().position(|byte| *byte == b'\n')?;
    let (key, value) = (&entry[..end], &entry[end + 1..]);
    key.ends_with(b".fetch").then(|| value.to_vec())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::ffi::OsString;

    use super::*;
    use crate::app::ports::{Ran, Run};

    /// A git that always answers the same, and what it was asked.
    struct FixedGit {
        code: i32,
        stdout: &'static [u8],
        runs: RefCell<Vec<Run>>,
    }

    impl FixedGit {
        fn new(code: i32, stdout: &'static [u8]) -> Self {
            Self { code, stdout, runs: RefCell::default() }
        }
    }

    impl Process for FixedGit {
        fn run(&self, run: &Run) -> std::io::Result<Ran> {
            self.runs.borrow_mut().push(run.clone());
            Ok(Ran { code: self.code, stdout: self.stdout.to_vec(), stderr: b"fatal: bad config line 1\n".to_vec() })
        }
    }

    #[test]
    fn g37_git_lists_its_refspecs_once_with_the_environment_of_the_hook() {
        let folder = tempfile::tempdir().unwrap();
        let stdout = b"remote.o.url\nx:refs/tags/y\0remote.o.fetch\n+refs/heads/*:refs/remotes/o/*\0\
                       remote.\xff\xfe.fetch\na:b\0remote.o.fetch\0";
        let git = FixedGit::new(0, stdout);
        let refspecs = Refspecs::new(&git);
        let expected = [b"+refs/heads/*:refs/remotes/o/*".to_vec(), b"a:b".to_vec()];
        for _ in 0..2 {
            assert_eq!(refspecs.of(folder.path()).unwrap(), expected);
        }
        let runs = git.runs.borrow();
        assert_eq!(runs.len(), 1);
        assert_eq!(
            (runs[0].without.as_slice(), runs[0].limit),
            ([OsString::from("GIT_CONFIG")].as_slice(), Some(SOON))
        );
        assert_eq!(Refspecs::new(&FixedGit::new(1, b"")).of(folder.path()), Ok(Vec::new()), "no remote is none");
    }

    #[test]
    fn g37_what_cannot_be_listed_is_not_known() {
        let folder = tempfile::tempdir().unwrap();
        let cut_off = b"remote.o.fetch\na:b".as_slice();
        for (code, stdout, says) in
            [(128, b"".as_slice(), "bad config line 1"), (0, b"".as_slice(), "cut off"), (0, cut_off, "cut off")]
        {
            let Unreadable(why) = Refspecs::new(&FixedGit::new(code, stdout)).of(folder.path()).unwrap_err();
            assert!(why.contains(says), "{why}");
        }
        let git = FixedGit::new(1, b"");
        let remotes = folder.path().join("remotes");
        fs::create_dir(&remotes).unwrap();
        assert_eq!(Refspecs::new(&git).of(folder.path()), Ok(Vec::new()));
        fs::write(remotes.join("old"), "").unwrap();
        let Unreadable(why) = Refspecs::new(&git).of(folder.path()).unwrap_err();
        assert!(why.contains("git remote rename"), "{why}");
        assert_eq!(git.runs.borrow().len(), 1, "git is not asked in vain");
    }
}
