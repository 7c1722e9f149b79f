//! Places that a call leads to besides those that it names: the folder that the agent was started in, as it tells its hooks,
//! and the folders that a shell line goes into or has git work on. They only ever add a session, so no one gains by a wrong
//! one: which of several folders a line is in at some point is not found out, each of them counts.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::guard::payload::{Call, ToolAction};
use crate::world::environment::Environment;

/// Variables by which agents tell their hooks which project they were started for. A `cd` does not change them.
const STARTED_IN: &[&str] = &["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GROK_PROJECT_DIR"];
/// Words behind which a folder stands; the long options have it behind an equals sign, too.
const LEADING: &[&str] = &[
    "cd",
    "pushd",
    "-C",
    "--chdir",
    "--cwd",
    "--directory",
    "--git-dir",
    "--prefix",
    "--work-tree",
    "--working-directory",
];
/// Variables that lead git to a repository, or to a part of one.
const LEADING_GIT: &[&str] = &["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE"];
/// So many folders that a line may be in are looked at, and so many in all if it goes on from one to the next.
const MOST: usize = 256;
const MOST_IN_ORDER: usize = 4 * MOST;
/// From so many of them the next one is looked for, and from the one that the line would be in if it were run in order.
const FROM: usize = 32;

/// The places, absolute if `working` is.
pub(super) fn entered(environment: &Environment, call: &Call, working: &Path) -> Vec<PathBuf> {
    let var = |name: &str| environment.var(name);
    let started = STARTED_IN.iter().filter_map(|name| environment.var(name)).map(PathBuf::from);
    let lines = call.deeds.iter().filter_map(|deed| match deed {
        ToolAction::Shell(line) => Some(line.as_str()),
        ToolAction::Write(_)
        | ToolAction::Delete(_)
        | ToolAction::Read(_)
        | ToolAction::Ours(_)
        | ToolAction::Served(..)
        | ToolAction::Unknown(_)
        | ToolAction::Unreadable(_) => None,
    });
    let mut found: Vec<PathBuf> = started.filter(|folder| folder.is_absolute()).collect();
    found.extend(lines.flat_map(|line| folders_of(line, working, &var)));
    found
}

/// The folders that a line goes into. One whose name cannot be known beforehand is not among them.
fn folders_of(line: &str, working: &Path, var: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // What is quoted may be one name, and it may be a line for another shell.
    for words in [as_the_shell_splits(line), wherever_a_word_could_end(line)] {
        let mut walk = Walk {
            var,
            now: working.to_owned(),
            seen: vec![working.to_owned()],
            known: HashSet::new(),
            set: Vec::new(),
        };
        let mut leads = false;
        for word in &words {
            let is_option = word.len() > 1 && word.starts_with('-');
            if let Some(folder) = attached(word) {
                walk.go(folder);
            } else if leads && !is_option {
                walk.go(word);
            }
            walk.remember(word);
            leads = is_leading(word) || (leads && is_option);
        }
        found.extend(walk.seen.into_iter().skip(1));
    }
    found
}

/// Whether a folder is the next word: a cluster of short options may end in `-C` (`tar -xC`).
fn is_leading(word: &str) -> bool {
    let is_cluster = word.starts_with('-') && !word.starts_with("--") && word.ends_with('C');
    is_cluster || LEADING.contains(&word)
}

/// The folder that is part of the word: `--git-dir=…`, `GIT_DIR=…`, `-C…`.
fn attached(word: &str) -> Option<&str> {
    if let Some((name, value)) = word.split_once('=')
        && ((name.starts_with("--") && LEADING.contains(&name)) || LEADING_GIT.contains(&name))
    {
        return Some(value);
    }
    word.strip_prefix("-C").filter(|folder| !folder.is_empty())
}

/// The folders that a line has gone into so far.
struct Walk<'a> {
    /// The agent's variables.
    var: &'a dyn Fn(&str) -> Option<OsString>,
    /// Where the line is if each part of it was run.
    now: PathBuf,
    /// Everywhere it may be, where it began first.
    seen: Vec<PathBuf>,
    /// The same.
    known: HashSet<PathBuf>,
    set: Vec<(String, String)>,
}

impl Walk<'_> {
    /// A subshell may have ended, a `cd` may have failed, and a `-C` counts for one command: so each folder before may be
    /// the one that this name is looked up in.
    fn go(&mut self, folder: &str) {
        let next = self.meant(folder, &self.now);
        let from = if self.seen.len() < MOST { FROM } else { 0 };
        let others: Vec<PathBuf> = self.seen.iter().take(from).filter_map(|from| self.meant(folder, from)).collect();
        for place in next.iter().cloned().chain(others) {
            if self.seen.len() < MOST_IN_ORDER && self.known.insert(place.clone()) {
                self.seen.push(place);
            }
        }
        self.now = next.unwrap_or_else(|| self.now.clone());
    }

    /// Keeps what a variable is set to, if that is known.
    fn remember(&mut self, word: &str) {
        let is_name = |name: &str| !name.is_empty() && name.chars().all(in_a_name);
        if let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_name(name))
            && let Some(value) = self.expanded(value, &self.now)
        {
            self.set.push((name.to_owned(), value));
        }
    }

    fn meant(&self, folder: &str, from: &Path) -> Option<PathBuf> {
        let below = |start: &str| folder.strip_prefix(start).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        // Where the line was before is one of the folders that are looked at.
        let here = ["$PWD", "${PWD}", "$OLDPWD", "${OLDPWD}", "~+", "~-"].into_iter().find_map(below);
        if let Some(rest) = here {
            return Some(from.join(self.expanded(rest.trim_start_matches('/'), from)?));
        }
        if let Some(rest) = below("~") {
            let home = PathBuf::from((self.var)("HOME")?);
            return Some(home.join(self.expanded(rest.trim_start_matches('/'), from)?));
        }
        self.expanded(folder, from).map(|folder| from.join(folder))
    }

    /// The text with what its variables hold; `None` if that is not known.
    fn expanded(&self, text: &str, from: &Path) -> Option<String> {
        let mut parts = text.split('$');
        let mut whole = parts.next()?.to_owned();
        for part in parts {
            let (name, rest) = match part.strip_prefix('{') {
                Some(braced) => braced.split_once('}')?,
                None => part.split_at(part.find(|c| !in_a_name(c)).unwrap_or(part.len())),
            };
            whole.push_str(&self.value(name, from)?);
            whole.push_str(rest);
        }
        Some(whole)
    }

    fn value(&self, name: &str, from: &Path) -> Option<String> {
        if matches!(name, "PWD" | "OLDPWD") {
            return from.to_str().map(str::to_owned);
        }
        let set = self.set.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        set.or_else(|| (self.var)(name)?.into_string().ok())
    }
}

fn in_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a line with their quotes taken off.
fn as_the_shell_splits(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), close) if open == close => quote = None,
            (Some('\''), c) => word.push(c),
            (_, '\\') => {
                // Behind a backslash a line goes on.
                let kept = rest.next().filter(|next| *next != '\n');
                word.extend(kept.filter(|next| quote.is_some() && !"\"\\$`".contains(*next)).map(|_| '\\'));
                word.extend(kept);
            }
            (None, '\'' | '"') => quote = Some(c),
            // `$'…'` and `$"…"` are quoted, too.
            (None, '$') if rest.peek().is_some_and(|next| matches!(*next, '\'' | '"')) => {}
            (None, c) if c.is_whitespace() || "`;|&<>()".contains(c) => words.push(std::mem::take(&mut word)),
            (Some(_) | None, c) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The words of a line, and of each line that is quoted in it.
fn wherever_a_word_could_end(line: &str) -> Vec<String> {
    let acts = |c: char| c.is_whitespace() || "'\"`;|&<>()".contains(c);
    line.split(acts).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(line: &str) -> Vec<PathBuf> {
        let var = |name: &str| match name {
            "HOME" => Some(OsString::from("/home/ada")),
            "CLAUDE_PROJECT_DIR" => Some(OsString::from("/p")),
            _ => None,
        };
        folders_of(line, Path::new("/w"), &var)
    }

    #[test]
    fn folders_are_found_behind_the_words_that_lead_there() {
        for (line, expected) in [
            ("cd /a && rm x", &["/a"][..]),
            ("(cd '/a b' ; ls); pushd ../c", &["/a b", "/w/../c"]),
            ("git -C /r commit -m x; make --directory sub", &["/r", "/w/sub", "/r/sub"]),
            ("cd -- /a\ncd\n", &["/a"]),
            ("bash -c \"cd /a&&rm x\"", &["/a"]),
            ("cd ~/x; cd ${HOME}/y", &["/home/ada/x", "/home/ada/y"]),
        ] {
            let found = folders(line);
            for folder in expected {
                assert!(found.contains(&PathBuf::from(folder)), "{line}: {found:?}");
            }
        }
        for line in ["echo recd /a", "", "cd $SOMEWHERE && rm x", "cd $(pwd)/../r", "echo cdx --git-dirs=/a"] {
            assert!(!folders(line).iter().any(|found| found.ends_with("a") || found.ends_with("r")), "{line}");
        }
    }

    #[test]
    fn g37_a_folder_is_found_however_a_line_goes_there() {
        for line in [
            "cd -P /r && touch x",
            "cd -L -e /r; touch x",
            "cd -LP@ -- /r",
            "cd -- /r; touch x",
            "cd /; cd r; touch x",
            "cd /a && (cd /b); cd ../r",
            "pushd -n /r",
            "pushd / && cd r",
            "git -C / -C r commit",
            "git --git-dir=/r/.git config a.b c",
            "git --git-dir /r/.git --work-tree /r add x",
            "git --work-tree=/r add x",
            "GIT_DIR=/r/.git git config a.b c",
            "export GIT_WORK_TREE=/r; git add x",
            "cd $PWD/../r && touch x",
            "cd \"${PWD}/../r\" && touch x",
            "cd ~+/../r",
            "cd ../a; cd $OLDPWD/../r",
            "cd $CLAUDE_PROJECT_DIR/../r",
            "R=/r; cd $R && touch x",
            "R=$PWD/../r; cd \"${R}\"",
            "env -C /r touch x",
            "env --chdir=/r touch x",
            "make -C /r",
            "make -C/r",
            "tar -C /r -xf a.tar",
            "tar -xf a.tar -C/r",
            "tar --directory=/r -xf a.tar",
            "tar -xC /r -f a.tar",
            "c\\d '/'\"r\" && touch x",
            "cd $'/r' && touch x",
            "sh -c 'cd -P \"$PWD/../r\" && touch x'",
            "if true; then cd /; fi; cd r",
        ] {
            let found = folders(line);
            let leads = |place: &PathBuf| {
                let place = place.strip_prefix("/w/..").or_else(|_| place.strip_prefix("/p/..")).unwrap_or(place);
                let place = Path::new("/").join(place);
                place == Path::new("/r") || place == Path::new("/r/.git") || place.ends_with("b/../r")
            };
            assert!(found.iter().any(leads), "{line}: {found:?}");
        }
    }

    #[test]
    fn g37_a_long_line_is_walked_in_order_and_ends() {
        let line = format!("{}cd /r", "cd a; cd b; cd ..; ".repeat(300));
        assert!(folders(&line).len() <= 2 * MOST_IN_ORDER);
        let line = format!("{}cd /r", "cd a; cd b; ".repeat(20));
        assert!(folders(&line).contains(&PathBuf::from("/r")));
    }
}
