//! Refs through the `git` program. A ref moves from exactly one object to exactly one other, or not at all.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use super::command::failed;
use super::error::Error;
use super::forced;
use super::object::Kind;
use super::program::{Program, id_in};
use super::{Naming, Oid};
use crate::files::{patience, regular};

/// Who moves a ref, and what the reflog says about it.
#[derive(Clone, Copy, Debug)]
pub struct Because<'a> {
    pub name: &'a str,
    pub email: &'a str,
    /// When, in seconds.
    pub seconds: i64,
    /// What was done, on one line.
    pub message: &'a str,
}

/// How long the lock of a symbolic ref is waited for: in a reftable repository it is that of all refs, which any git holds
/// that packs them.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// So many entries of a reflog are asked for in one run of git.
const ENTRIES_AT_ONCE: usize = 256;

/// A name that stands for nothing.
fn nothing(naming: Naming) -> Oid {
    Oid::null(naming)
}

impl Program {
    /// The object that a ref names, also through another ref; `None` when there is no such ref. No other name is guessed.
    pub fn tip(&self, name: &str) -> Result<Option<Oid>, Error> {
        let ran = self.run(self.git(&["show-ref", "--verify", name], Vec::new()))?;
        if ran.code == 0 {
            let line = ran.stdout.split(|byte| *byte == b' ').next().unwrap_or_default();
            return id_in(line).map(Some).ok_or_else(|| Error(format!("git show-ref named no object for {name}")));
        }
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        // A ref whose object is gone names it all the same, and can be moved or taken away; `show-ref` refuses to tell it.
        if told.contains("bad ref")
            && let Some((_, id)) = self.below(name)?.into_iter().find(|(found, _)| found == name)
        {
            return Ok(Some(id));
        }
        // A file that git cannot read it does not call a ref either.
        let unreadable = !self.is_reftable() && self.common_dir.join(name).is_file();
        if told.contains("not a valid ref") && !unreadable {
            return Ok(None);
        }
        Err(if unreadable && told.contains("not a valid ref") {
            Error(format!("git takes {} for no ref", self.common_dir.join(name).display()))
        } else {
            failed("show-ref", &ran)
        })
    }

    /// Every ref below a folder, with the object that it names.
    pub fn below(&self, folder: &str) -> Result<Vec<(String, Oid)>, Error> {
        let listed = self.ask(&["for-each-ref", "--format=%(objectname) %(refname)", folder], Vec::new())?;
        let mut found = Vec::new();
        for line in listed.split(|byte| *byte == b'\n') {
            let Some(space) = line.iter().position(|byte| *byte == b' ') else { continue };
            if let (Some(id), Ok(name)) = (id_in(&line[..space]), std::str::from_utf8(&line[space + 1..]))
                && name.starts_with(folder)
            {
                found.push((name.to_owned(), id));
            }
        }
        Ok(found)
    }

    /// Moves a ref from exactly `from` (`None`: it must not exist) to `to`; `None` takes it away. Objects that are not
    /// written yet are written first.
    pub fn point(&self, name: &str, from: Option<Oid>, to: Option<Oid>, because: &Because<'_>) -> Result<(), Error> {
        self.flush()?;
        let from = from.unwrap_or_else(|| nothing(self.naming));
        let command = match to {
            Some(to) => format!("update {name}\0{to}\0{from}\0"),
            None => format!("delete {name}\0{from}\0"),
        };
        let mut args: Vec<&str> = forced::arguments().collect();
        args.extend(["update-ref", "--no-deref", "-m", because.message, "--create-reflog", "--stdin", "-z"]);
        let git = self.git(&args, command.into_bytes());
        let date = format!("@{} +0000", because.seconds);
        git.by(because.name, because.email, &date).ask(&*self.process).map(drop)
    }

    /// The object that a ref names, whether or not it is there; `None` when git finds no ref of that name that it can
    /// make sense of.
    pub fn named(&self, name: &str) -> Result<Option<Oid>, Error> {
        let ran = self.run(self.git(&["rev-parse", "--verify", "--quiet", name], Vec::new()))?;
        Ok(if ran.code == 0 { id_in(&ran.stdout) } else { None })
    }

    /// The objects that a ref named, the newest first, as its reflog has them; at most `most`. git shows no reflog of a
    /// ref whose newest object is gone, and still says what each entry names.
    pub fn logged(&self, name: &str, most: usize) -> Result<Vec<Oid>, Error> {
        let mut found = Vec::new();
        while found.len() < most {
            let until = most.min(found.len() + ENTRIES_AT_ONCE);
            let entries: Vec<String> = (found.len()..until).map(|entry| format!("{name}@{{{entry}}}")).collect();
            let args: Vec<&str> = std::iter::once("rev-parse").chain(entries.iter().map(String::as_str)).collect();
            // It ends with an error behind the oldest entry.
            let ran = self.run(self.git(&args, Vec::new()))?;
            found.extend(ran.stdout.split(|byte| *byte == b'\n').filter_map(id_in));
            if ran.code != 0 || found.len() < until {
                break;
            }
        }
        Ok(found)
    }

    /// Takes one entry out of a ref's reflog, counted from the newest.
    pub fn unlog(&self, name: &str, entry: usize) -> Result<(), Error> {
        self.ask(&["reflog", "delete", "--rewrite", &format!("{name}@{{{entry}}}")], Vec::new()).map(drop)
    }

    /// Every commit that is stored here, whoever reaches it.
    pub fn all_commits(&self) -> Result<Vec<Oid>, Error> {
        let form = "--batch-check=%(objectname) %(objecttype)";
        let listed = self.ask(&["cat-file", "--batch-all-objects", "--unordered", form], Vec::new())?;
        let commits = listed.split(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b" commit"));
        Ok(commits.filter_map(id_in).collect())
    }

    /// Points a symbolic ref of this worktree to another ref. One that is a file git forces onto the disk never, whatever
    /// it is told.
    pub fn point_symbolic(&self, name: &str, to: &str, message: &str) -> Result<(), Error> {
        let mut args: Vec<&str> = forced::arguments().collect();
        args.extend(["symbolic-ref", "-m", message, name, to]);
        once_unlocked(|| self.ask(&args, Vec::new()).map(drop))
    }

    /// Has the tables of a reftable repository on the disk. git forces each of them before it writes its last part (2.47
    /// does), and never their names.
    pub fn settle_tables(&self) -> io::Result<()> {
        let of_worktree = (self.git_dir != self.common_dir).then_some(&self.git_dir);
        for folder in [&self.common_dir].into_iter().chain(of_worktree).map(|dir| dir.join("reftable")) {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            for entry in entries {
                match regular::settle(entry?.path()) {
                    Ok(()) => {}
                    // Another git made a new table of it meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
            regular::settle(&folder)?;
        }
        Ok(())
    }

    /// What a symbolic ref names, in the worktree with this git directory; `None` when there is none.
    pub fn symbolic(&self, git_dir: &Path, name: &str) -> Result<Option<String>, Error> {
        // None also of a ref that names an object, which one of ours never does.
        let target = Self::git_at(git_dir, &["symbolic-ref", "-q", name], Vec::new()).ask_whether(&*self.process)?;
        Ok(target.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned()))
    }

    /// Takes a symbolic ref of this worktree away.
    pub fn remove_symbolic(&self, name: &str) -> Result<(), Error> {
        let mut args: Vec<&str> = forced::arguments().collect();
        args.extend(["symbolic-ref", "-d", name]);
        once_unlocked(|| {
            let ran = self.run(self.git(&args, Vec::new()))?;
            if ran.code == 0 || self.symbolic(&self.git_dir, name)?.is_none() {
                Ok(())
            } else {
                Err(failed("symbolic-ref", &ran))
            }
        })
    }

    /// The commit that an object leads to: itself, or what a tag names.
    pub fn peeled(&self, id: Oid) -> Result<Option<Oid>, Error> {
        let mut at = id;
        for _ in 0..16 {
            let Some(object) = self.read(at)? else { return Ok(None) };
            match object.kind {
                Kind::Commit => return Ok(Some(at)),
                Kind::Tag => {
                    let line = object.bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
                    match line.strip_prefix(b"object ").and_then(id_in) {
                        Some(next) => at = next,
                        None => return Ok(None),
                    }
                }
                Kind::Blob | Kind::Tree => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The newest commits that `from` reaches, each with its subject.
    pub fn newest(&self, from: Oid, limit: usize) -> Result<Vec<(Oid, String)>, Error> {
        let (count, from) = (format!("--max-count={limit}"), from.to_string());
        let args = ["log", "-z", "--no-show-signature", "--format=%H%x20%s", &count, &from, "--"];
        let listed = self.ask(&args, Vec::new())?;
        Ok(listed
            .split(|byte| *byte == 0)
            .filter_map(|line| {
                let text = String::from_utf8_lossy(line).into_owned();
                let (id, subject) = text.trim_start_matches('\n').split_once(' ')?;
                Some((id_in(id.as_bytes())?, subject.to_owned()))
            })
            .collect())
    }
}

/// Does it, again while somebody else holds the lock that it needs.
fn once_unlocked(work: impl FnMut() -> Result<(), Error>) -> Result<(), Error> {
    patience::again(LOCK_PATIENCE, work, Error::is_held)
}
