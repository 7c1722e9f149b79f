//! Where a script may be. What a command finds around it decides what it runs, so every folder counts that it may run in.
//!
//! `cd x` may fail, run in a subshell, or stand behind `||`: afterwards the script is in the new folder or still in an
//! old one. So folders are only ever added, and all of them are asked about.

use super::allowed::Allowed;
use super::word::{Shape, Word};

/// The most folders that are kept apart; a script that may be in more of them is anywhere.
const MOST: usize = 16;

/// The folders where the next command may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Where it runs if every `cd` did what it says, from where the script began (empty for that folder itself) or
    /// absolute; none when that is outside of the repository, or not known.
    meant: Option<String>,
    /// Where it runs if one did not.
    others: Vec<String>,
}

impl Places {
    /// Where a script begins.
    pub fn start() -> Self {
        Self { meant: Some(String::new()), others: Vec::new() }
    }

    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.meant.iter().chain(&self.others).map(String::as_str)
    }

    /// Whether it leads out of the repository, or nobody knows where.
    pub fn is_elsewhere(&self) -> bool {
        self.meant.is_none()
    }

    /// The next command runs where `cd` leads, or still where it began.
    pub(super) fn go(&mut self, target: &Word, allowed: &Allowed) {
        let there = self.below(target, allowed);
        let before = self.meant.take();
        self.meant = there.meant;
        for folder in before.into_iter().chain(there.others) {
            if !self.others.contains(&folder) {
                self.others.push(folder);
            }
        }
        if self.others.len() > MOST {
            self.others.truncate(MOST);
            self.meant = None;
        }
    }

    /// Where an option like `git -C` leads, which fails if it leads nowhere.
    #[must_use]
    pub fn below(&self, target: &Word, allowed: &Allowed) -> Self {
        let meant = self.meant.as_deref().and_then(|folder| after(folder, target, allowed)).filter(|there| {
            let below = if there.starts_with('/') { allowed.below_root(there) } else { Some(there.as_str()) };
            below.is_some_and(stays)
        });
        let others = self.others.iter().filter_map(|folder| after(folder, target, allowed)).collect();
        Self { meant, others }
    }

    /// It may be anywhere from now on.
    pub(super) fn leave(&mut self) {
        self.others.extend(self.meant.take());
    }
}

/// Where `cd` leads from `folder`; `None` when that is not known.
fn after(folder: &str, target: &Word, allowed: &Allowed) -> Option<String> {
    let to = match target.shape {
        // `cd ''` stays or goes home, `cd -` goes back.
        Shape::Literal if matches!(target.text.as_str(), "" | "-") => return None,
        Shape::Literal => target.text.as_str(),
        Shape::Unknown => match target.text.trim_matches('"') {
            "$(git rev-parse --show-toplevel)" => return Some(allowed.root().unwrap_or_default().to_owned()),
            "$PWD" | "${PWD}" => return Some(folder.to_owned()),
            _ => return None,
        },
        Shape::Pattern => return None,
    };
    Some(if to.starts_with('/') || folder.is_empty() { to.to_owned() } else { format!("{folder}/{to}") })
}

/// Whether a path never goes above the folder where it begins.
fn stays(path: &str) -> bool {
    let mut depth = 0_usize;
    path.split('/').all(|name| match name {
        "" | "." => true,
        ".." if depth == 0 => false,
        ".." => {
            depth -= 1;
            true
        }
        _ => {
            depth += 1;
            true
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(from: &Places, target: &Word) -> Option<String> {
        from.below(target, &Allowed::none().within("/r")).meant
    }

    #[test]
    fn leaving_is_noticed() {
        for (target, folder) in [
            (Word::literal("src"), Some("src")),
            (Word::literal("./a/b"), Some("./a/b")),
            (Word::literal("a/../b"), Some("a/../b")),
            (Word::literal("a/../.."), None),
            (Word::literal(".."), None),
            (Word::literal("/r/src"), Some("/r/src")),
            (Word::literal("/r/../x"), None),
            (Word::literal("/rr"), None),
            (Word::literal("-"), None),
            (Word::literal(""), None),
            (Word::unknown("~/x"), None),
            (Word::unknown("\"$x\""), None),
            (Word::unknown("\"$(git rev-parse --show-toplevel)\""), Some("/r")),
            (Word::unknown("\"$PWD\""), Some("")),
            (Word::pattern("s*"), None),
        ] {
            assert_eq!(meant(&Places::start(), &target).as_deref(), folder, "{target:?}");
        }
        let mut outside = Places::start();
        outside.leave();
        assert_eq!(meant(&outside, &Word::literal("src")), None);
    }

    #[test]
    fn a_folder_that_was_left_still_counts() {
        let allowed = Allowed::none();
        let mut places = Places::start();
        for name in ["src", "deep"] {
            places.go(&Word::literal(name), &allowed);
        }
        let all = |places: &Places| places.folders().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(all(&places), ["src/deep", "", "src", "deep"].map(str::to_owned));
        // An option that names a folder fails where that is not there.
        assert_eq!(all(&places.below(&Word::literal("x"), &allowed)), ["src/deep/x", "x", "src/x", "deep/x"]);
        places.go(&Word::literal(".."), &allowed);
        assert!(!places.is_elsewhere() && all(&places).contains(&"..".to_owned()));
        for name in ["a", "b", "c", "d", "e"] {
            places.go(&Word::literal(name), &allowed);
        }
        assert!(places.is_elsewhere() && all(&places).len() <= MOST, "too many to be told apart");
    }
}
