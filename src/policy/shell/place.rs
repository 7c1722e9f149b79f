//! Where a script is. Some programs run what the configuration of their folder says; outside of the repository that
//! configuration is anybody's.

use super::allowed::Allowed;
use super::word::{Shape, Word};

/// Where the next command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the folder where the script began, or this many folders below it.
    Inside { depth: usize },
    /// Somewhere else, or nobody knows.
    Outside,
}

/// Programs that take orders from the folder they run in.
const CONFIGURED_BY_FOLDER: &[&str] = &[
    "ack",
    "bun",
    "bundle",
    "cargo",
    "cargo-clippy",
    "corepack",
    "deno",
    "gh",
    "git",
    "glab",
    "go",
    "gofmt",
    "hg",
    "jj",
    "mise",
    "node",
    "npm",
    "npx",
    "pip",
    "pnpm",
    "poetry",
    "python",
    "python3",
    "ruby",
    "rustc",
    "rustup",
    "svn",
    "terraform",
    "tig",
    "tofu",
    "uv",
    "yarn",
];

/// Whether the folder decides what the program does.
pub(super) fn is_configured_by_folder(name: &str) -> bool {
    CONFIGURED_BY_FOLDER.contains(&name) || name.starts_with("git-")
}

impl Place {
    /// Where `cd` leads from here.
    pub(super) fn after(self, target: &Word, allowed: &Allowed) -> Self {
        let Self::Inside { depth } = self else {
            return Self::Outside;
        };
        match target.shape {
            Shape::Literal if target.text.starts_with('/') => match allowed.below_root(&target.text) {
                Some(below) => walk(0, below),
                None => Self::Outside,
            },
            // `cd ''` stays or goes home, `cd -` goes back.
            Shape::Literal if matches!(target.text.as_str(), "" | "-") => Self::Outside,
            Shape::Literal => walk(depth, &target.text),
            Shape::Unknown => match target.text.trim_matches('"') {
                "$(git rev-parse --show-toplevel)" => Self::Inside { depth: 0 },
                "$PWD" | "${PWD}" => self,
                _ => Self::Outside,
            },
            Shape::Pattern => Self::Outside,
        }
    }
}

fn walk(mut depth: usize, path: &str) -> Place {
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if depth == 0 => return Place::Outside,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    Place::Inside { depth }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_is_noticed() {
        let allowed = Allowed::none().within("/r");
        let start = Place::Inside { depth: 0 };
        for (target, place) in [
            (Word::literal("src"), Place::Inside { depth: 1 }),
            (Word::literal("./a/b"), Place::Inside { depth: 2 }),
            (Word::literal("a/../b"), Place::Inside { depth: 1 }),
            (Word::literal("a/../.."), Place::Outside),
            (Word::literal(".."), Place::Outside),
            (Word::literal("/r/src"), Place::Inside { depth: 1 }),
            (Word::literal("/r/../x"), Place::Outside),
            (Word::literal("/rr"), Place::Outside),
            (Word::literal("-"), Place::Outside),
            (Word::literal(""), Place::Outside),
            (Word::unknown("~/x"), Place::Outside),
            (Word::unknown("\"$x\""), Place::Outside),
            (Word::unknown("\"$(git rev-parse --show-toplevel)\""), Place::Inside { depth: 0 }),
            (Word::pattern("s*"), Place::Outside),
        ] {
            assert_eq!(start.after(&target, &allowed), place, "{target:?}");
        }
        assert_eq!(Place::Outside.after(&Word::literal("src"), &allowed), Place::Outside);
    }
}
