//! HEAD, the refs and the stash, as git and its files tell them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use super::git::GitAt;
use crate::app::ports::BaselineError;
use crate::files::regular;
use crate::git::program::is_reftable;

/// What a ref points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An object, by its id.
    Object(String),
    /// Another ref.
    Symbolic(Vec<u8>),
}

impl Target {
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Object(id) => id.get(..9).unwrap_or(id).to_owned(),
            Self::Symbolic(name) => super::git::quoted(name),
        }
    }
}

/// Refs by name, without ours and without the stash.
pub(super) type Refs = BTreeMap<Vec<u8>, Target>;

pub(super) const STASH: &str = "refs/stash";

/// Refs that tell what others have; fetching moves them, and nothing of the user's is lost with them.
pub(super) fn is_of_others(name: &[u8]) -> bool {
    name.starts_with(b"refs/remotes/") || name.starts_with(b"refs/prefetch/")
}

/// What every reset and merge writes, where that is a ref and no file.
const PASSING: [&[u8]; 2] = [b"ORIG_HEAD", b"AUTO_MERGE"];

/// Every ref but ours, the stash, and what every reset and merge writes.
pub(super) fn refs(git: &GitAt<'_>) -> Result<Refs, BaselineError> {
    let others = [b"HEAD".as_slice(), b"GRILL_HEAD", b"FETCH_HEAD"];
    listed(git, |name| {
        let is_left_out = name.starts_with(b"refs/grill/") || name == STASH.as_bytes() || others.contains(&name);
        !is_left_out && !PASSING.contains(&name)
    })
}

/// What every reset and merge writes, where marks are refs: else those are files.
pub(super) fn passing(git: &GitAt<'_>) -> Result<Refs, BaselineError> {
    if is_reftable(&git.dir) { listed(git, |name| PASSING.contains(&name)) } else { Ok(Refs::new()) }
}

fn listed(git: &GitAt<'_>, is_wanted: impl Fn(&[u8]) -> bool) -> Result<Refs, BaselineError> {
    const DOING: &str = "listing refs";
    const FORMAT: &str = "--format=%(objectname) %(refname) %(symref)";
    // Where operations keep their marks among the refs instead of in files, they are refs to us, too.
    let marks = is_reftable(&git.dir);
    let args: &[&str] =
        if marks { &["for-each-ref", "--include-root-refs", FORMAT] } else { &["for-each-ref", FORMAT] };
    let listed = git.ask(DOING, args, Vec::new())?;
    let mut refs = Refs::new();
    for line in listed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut words = line.splitn(3, |byte| *byte == b' ');
        let (Some(id), Some(name)) = (words.next(), words.next()) else {
            return Err(BaselineError::failed(DOING, format!("git listed {line:?}")));
        };
        if !is_wanted(name) {
            continue;
        }
        let target = match words.next() {
            Some(target) if !target.is_empty() => Target::Symbolic(target.to_vec()),
            Some(_) | None => Target::Object(String::from_utf8_lossy(id).into_owned()),
        };
        refs.insert(name.to_vec(), target);
    }
    Ok(refs)
}

/// What HEAD of this worktree names.
pub(super) fn head(git: &GitAt<'_>) -> Result<Target, BaselineError> {
    if is_reftable(&git.dir) {
        return asked_head(git, &git.dir);
    }
    head_in(&git.dir)
}

fn head_in(git_dir: &Path) -> Result<Target, BaselineError> {
    let bytes = regular::bytes(git_dir.join("HEAD"), regular::SHORT)
        .map_err(|error| BaselineError::failed("reading HEAD", error))?;
    let text = bytes.trim_ascii_end();
    Ok(match text.strip_prefix(b"ref:") {
        Some(name) => Target::Symbolic(name.trim_ascii_start().to_vec()),
        None => Target::Object(String::from_utf8_lossy(text).into_owned()),
    })
}

/// What HEAD of the worktree with this git directory names, as git says it.
fn asked_head(git: &GitAt<'_>, git_dir: &Path) -> Result<Target, BaselineError> {
    const DOING: &str = "reading HEAD";
    let there = git.at(git_dir);
    let named = there.try_ask(DOING, there.git(["symbolic-ref", "-q", "HEAD"]))?;
    if named.code == 0 {
        return Ok(Target::Symbolic(named.stdout.trim_ascii_end().to_vec()));
    }
    let detached = there.ask(DOING, &["rev-parse", "-q", "--verify", "HEAD"], Vec::new())?;
    Ok(Target::Object(String::from_utf8_lossy(&detached).trim().to_owned()))
}

/// The branch that the worktree with this git directory has checked out; none where it has none, or cannot be read.
pub(super) fn branch_of(git: &GitAt<'_>, git_dir: &Path) -> Option<Vec<u8>> {
    let head = if is_reftable(git_dir) { asked_head(git, git_dir) } else { head_in(git_dir) };
    match head {
        Ok(Target::Symbolic(branch)) => Some(branch),
        Ok(Target::Object(_)) | Err(_) => None,
    }
}

/// One stash: a line of its reflog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stash {
    /// Its commit.
    pub id: String,
    pub name: String,
    pub email: String,
    /// When, as git writes it.
    pub date: String,
    pub message: String,
}

/// The stashes, the oldest first.
pub(super) fn stashes(git: &GitAt<'_>, common_dir: &Path) -> Result<Vec<Stash>, BaselineError> {
    if is_reftable(common_dir) {
        return asked_stashes(git);
    }
    match regular::bytes(common_dir.join("logs").join(STASH), regular::LONG) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            Ok(text.lines().filter_map(parsed).collect())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(BaselineError::failed("reading the stash", error)),
    }
}

/// The stashes as git lists them, where its reflogs are no files.
fn asked_stashes(git: &GitAt<'_>) -> Result<Vec<Stash>, BaselineError> {
    const DOING: &str = "reading the stash";
    let there = git.try_ask(DOING, git.git(["rev-parse", "-q", "--verify", STASH]))?;
    if there.code != 0 {
        return Ok(Vec::new());
    }
    // Who stashed is who committed; when it was, git says only of the entry of the reflog.
    let args = ["log", "-g", "-z", "--date=raw", "--format=%H%n%gn%n%ge%n%gd%n%gs", STASH, "--"];
    let listed = git.ask(DOING, &args, Vec::new())?;
    let mut stashes = Vec::new();
    for entry in super::git::pieces(&listed) {
        let text = String::from_utf8_lossy(entry);
        let lines: Vec<&str> = text.trim_start_matches('\n').splitn(5, '\n').collect();
        let [id, name, email, selector, message] = *lines.as_slice() else {
            return Err(BaselineError::failed(DOING, format!("git listed '{}'", text.escape_debug())));
        };
        let date = selector.rsplit_once("@{").and_then(|(_, rest)| rest.strip_suffix('}')).unwrap_or_default();
        stashes.push(Stash {
            id: id.to_owned(),
            name: name.to_owned(),
            email: email.to_owned(),
            date: date.to_owned(),
            message: message.trim_end_matches('\n').to_owned(),
        });
    }
    stashes.reverse();
    Ok(stashes)
}

/// `<old> <new> Name <email> <seconds> <zone><TAB>message`
pub(super) fn parsed(line: &str) -> Option<Stash> {
    let (about, message) = line.split_once('\t').unwrap_or((line, ""));
    let mut words = about.splitn(3, ' ');
    let (_, id, rest) = (words.next()?, words.next()?, words.next()?);
    let (name, rest) = rest.split_once('<')?;
    let (email, date) = rest.rsplit_once('>')?;
    Some(Stash {
        id: id.to_owned(),
        name: name.trim_end().to_owned(),
        email: email.to_owned(),
        date: date.trim().to_owned(),
        message: message.to_owned(),
    })
}

impl Stash {
    /// As a line of a reflog, but for the id before it.
    pub(super) fn line(&self) -> String {
        format!("- {} {} <{}> {}\t{}", self.id, self.name, self.email, self.date, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stash_survives_its_line() {
        let line = "0000 abcd Ada A. <ada@example.org> 1795255201 +0100\tWIP on main: x\ty";
        let stash = parsed(line).unwrap();
        assert_eq!(
            (stash.id.as_str(), stash.name.as_str(), stash.date.as_str()),
            ("abcd", "Ada A.", "1795255201 +0100")
        );
        assert_eq!(stash.message, "WIP on main: x\ty");
        assert_eq!(parsed(&stash.line()).unwrap(), stash);
        assert!(parsed("garbage").is_none());
    }
}
