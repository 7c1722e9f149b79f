//! Making a working copy, and the proof that it is the one that was asked for (A13, A14).

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use super::cleanup;
use super::error::LendError;
use super::folder::LentFolder;
use super::marks::ParentMarks;
use super::notes::{Notes, PARENT};
use super::own_git::{Layout, OwnGit, append, carry, carry_info, initialised, listed};
use super::parent::{Author, NewWork, Parent, Start, named};
use super::settings::Settings;
use super::survey::note_fresh;
use crate::app::ports::Process;
use crate::files::regular;
use crate::git::{Error, Git, Oid};

const DOING: &str = "making the working copy";
/// How many refs come along.
const REFS: &str = "--count=10000";

/// What a working copy is, read back from it by git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyProof {
    /// Its top, by its real name.
    pub path: PathBuf,
    /// The commit at which its HEAD is, on no branch.
    pub head: Oid,
    pub tree: Oid,
    /// Where the agent starts.
    pub cwd: PathBuf,
}

impl CopyProof {
    /// Variables for everything that is started in the copy: git looks for no repository around it, which would be the
    /// parent's own git directory.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let around = self.path.parent().unwrap_or(&self.path);
        vec![("GIT_CEILING_DIRECTORIES".into(), around.into())]
    }
}

/// What a copy is made for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Where the caller is, in the parent.
    pub cwd: &'a Path,
    /// In whose name the ref is kept that holds the commit.
    pub by: Author<'a>,
}

/// Makes the working copy of a session, and proves it. After a failure nothing of it is left.
pub fn place(parent: &Parent<'_>, folder: &LentFolder, wanted: &Wanted<'_>) -> Result<CopyProof, LendError> {
    let below = parent.below_top(wanted.cwd)?;
    let start = parent.admit()?;
    let failed = |error: io::Error| LendError::failed(DOING, error);
    if folder.copy().symlink_metadata().is_ok() {
        return Err(LendError::Wrong(format!("{} has a working copy already", folder.handle())));
    }
    let notes = Notes::make(folder).map_err(failed)?;
    let made = make(parent, folder, &notes, start, wanted.by).and_then(|()| {
        let cwd = folder.copy().join(&below);
        // The caller's folder may have nothing in it that is tracked.
        fs::create_dir_all(&cwd).map_err(failed)?;
        let proof = prove(parent.process, &folder.copy(), &cwd)?;
        is_wanted(&proof, start, &folder.copy(), &below)?;
        let now = ParentMarks::of(parent)?;
        notes.write(PARENT, &now.to_bytes())?;
        // The user, or the user's editor, may have been at work meanwhile.
        if parent.start()? == start { Ok(proof) } else { Err(LendError::Unproven("HEAD has moved".to_owned())) }
    });
    if made.is_err() {
        // The error that counts is the one that came before.
        let _ = cleanup::discard(parent, folder);
    }
    made
}

fn make(
    parent: &Parent<'_>,
    folder: &LentFolder,
    notes: &Notes,
    start: Start,
    by: Author<'_>,
) -> Result<(), LendError> {
    let failed = |error: io::Error| LendError::failed(DOING, error);
    notes.write_start(start)?;
    hold(parent, folder, start, by)?;
    let copy = folder.copy();
    super::notes::private(&copy).map_err(failed)?;
    initialised(parent, &copy, Layout::WithFiles)?;
    let git_dir = copy.join(".git");
    let settings = Settings::of(parent)?;
    append(&git_dir.join("config"), &settings.for_copy()).map_err(failed)?;
    borrow(parent, folder, &git_dir).map_err(failed)?;
    carry_info(parent, &git_dir).map_err(failed)?;
    if settings.is_on("core.sparsecheckout") {
        let patterns = Path::new("info/sparse-checkout");
        carry(&parent.git_dir.join(patterns), &git_dir.join(patterns)).map_err(failed)?;
    }
    let head = start.commit.to_string();
    in_copy(parent.process, &copy, ["update-ref", "--no-deref", "HEAD", &head])?;
    bring_refs(parent, &copy)?;
    in_copy(parent.process, &copy, ["read-tree", "-m", "-u", "HEAD"])?;
    carry(&git_dir.join("index"), &notes.index()).map_err(failed)?;
    OwnGit::make(parent, notes, &settings)?;
    note_fresh(parent, folder)
}

/// Has a ref in the parent hold the commit, so that the copy never loses what it borrows. What a session of this name
/// left there earlier stays held as well.
fn hold(parent: &Parent<'_>, folder: &LentFolder, start: Start, by: Author<'_>) -> Result<(), LendError> {
    let name = folder.reference();
    let Some(before) = parent.named(&name)? else {
        return parent.point(&name, None, Some(start.commit));
    };
    if before == start.commit {
        return Ok(());
    }
    let message = format!("{} begins, after an earlier session of this name\n", folder.handle());
    let parents = [start.commit, before];
    let both = parent.commit(&NewWork { tree: start.tree, parents: &parents, by, message: &message })?;
    parent.point(&name, Some(before), Some(both))
}

/// Names the parent's objects, and where its history ends.
fn borrow(parent: &Parent<'_>, folder: &LentFolder, git_dir: &Path) -> io::Result<()> {
    let info = git_dir.join("objects/info");
    fs::create_dir_all(&info)?;
    let mut line = listed(&way_to_objects(parent, folder)).into_vec();
    line.push(b'\n');
    regular::write(info.join("alternates"), line)?;
    carry(&parent.common_dir.join("shallow"), &git_dir.join("shallow"))
}

/// The way from the objects of the copy to those of the parent: relative where the copy lies in the parent's git
/// directory, so that both can be moved together.
fn way_to_objects(parent: &Parent<'_>, folder: &LentFolder) -> PathBuf {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (common, session) = (real(&parent.common_dir), real(&folder.path()));
    match session.strip_prefix(&common) {
        Ok(below) => {
            // The copy, its `.git` and its `objects` lie below the session's folder.
            let up = below.components().count() + 3;
            let mut way: PathBuf = std::iter::repeat_n("..", up).collect();
            way.push("objects");
            way
        }
        Err(_) => common.join("objects"),
    }
}

/// Gives the copy the refs whose commits HEAD's own leads to: nobody can take those away while that one is held.
fn bring_refs(parent: &Parent<'_>, copy: &Path) -> Result<(), LendError> {
    let format = "--format=create %(refname) %(objectname)";
    let words = ["for-each-ref", REFS, format, "--merged=HEAD", "refs/heads/", "refs/tags/", "refs/remotes/"];
    let lines = parent.ask(DOING, &words)?;
    if lines.is_empty() {
        return Ok(());
    }
    let git = copy_git(copy, ["update-ref", "--no-deref", "--stdin"]).fed(lines);
    git.ask(parent.process).map(drop).map_err(|error| LendError::failed(DOING, error))
}

/// git in a copy that no agent has been in yet.
fn copy_git<A: Into<OsString>>(copy: &Path, words: impl IntoIterator<Item = A>) -> Git {
    let git = Git::new(words).of(&copy.join(".git")).at_work_in(Some(copy)).silent().offline();
    git.without("GIT_OBJECT_DIRECTORY").without("GIT_ALTERNATE_OBJECT_DIRECTORIES")
}

fn in_copy<const N: usize>(process: &dyn Process, copy: &Path, words: [&str; N]) -> Result<Vec<u8>, LendError> {
    copy_git(copy, words).ask(process).map_err(|error| LendError::failed(DOING, error))
}

/// Reads back what a copy is. Only before an agent has been in it.
fn prove(process: &dyn Process, copy: &Path, cwd: &Path) -> Result<CopyProof, LendError> {
    let failed = |error: Error| LendError::failed("reading the working copy back", error);
    // Found as the agent's own git will find it, from where the agent starts.
    let found = |words: &[&str]| {
        let git = Git::new(words.iter().copied()).exactly_at(cwd).silent().reading();
        git.with("GIT_CEILING_DIRECTORIES", copy.parent().unwrap_or(copy))
    };
    let id = |name: &str| named(found(&["rev-parse", "-q", "--verify", name]), process).map_err(failed);
    let missing = || LendError::Unproven("its HEAD names no commit".to_owned());
    let top = found(&["rev-parse", "--show-toplevel"]).ask(process).map_err(failed)?;
    let path = PathBuf::from(OsString::from_vec(top.strip_suffix(b"\n").unwrap_or(&top).to_vec()));
    let (head, tree) = (id("HEAD^{commit}")?, id("HEAD^{tree}")?);
    if found(&["symbolic-ref", "-q", "HEAD"]).ask_whether(process).map_err(failed)?.is_some() {
        return Err(LendError::Unproven("its HEAD is on a branch".to_owned()));
    }
    let changed = found(&["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=all"]);
    if !changed.ask(process).map_err(failed)?.is_empty() {
        return Err(LendError::Unproven("git finds changes in it".to_owned()));
    }
    let cwd = cwd.canonicalize().map_err(|error| LendError::failed(DOING, error))?;
    Ok(CopyProof { path, head: head.ok_or_else(missing)?, tree: tree.ok_or_else(missing)?, cwd })
}

/// Compares a proof with what was asked for.
fn is_wanted(proof: &CopyProof, start: Start, copy: &Path, below: &Path) -> Result<(), LendError> {
    let unproven = |why: String| Err(LendError::Unproven(why));
    let real = copy.canonicalize().map_err(|error| LendError::failed(DOING, error))?;
    if proof.path != real {
        return unproven(format!("git finds {} instead of {}", proof.path.display(), real.display()));
    }
    if (proof.head, proof.tree) != (start.commit, start.tree) {
        return unproven(format!("it is at {} instead of {}", proof.head, start.commit));
    }
    if proof.cwd != real.join(below) {
        return unproven(format!("the agent would start in {}", proof.cwd.display()));
    }
    Ok(())
}
