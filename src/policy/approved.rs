//! Which paths an approved plan names (G33).

use crate::domain::danger::danger_of;
use crate::domain::production::TargetPath;

/// Whether the plan names this path, byte for byte. An entry that ends in `/` stands for everything below that folder,
/// any other for exactly that file.
pub(super) fn covers(approved: &[String], path: &[u8]) -> bool {
    approved.iter().map(String::as_bytes).any(|entry| {
        if entry.ends_with(b"/") {
            // A folder opens no file in it that makes programs run: nobody typed its name.
            path.len() > entry.len() && path.starts_with(entry) && danger_of(&String::from_utf8_lossy(path)).is_none()
        } else {
            path == entry
        }
    })
}

/// The same for a path that somebody typed: one that leads out of the worktree, into `.git` or `.grill`, or that is
/// spelled in another way than git would spell it, is never named.
pub(super) fn names(approved: &[String], path: &str) -> bool {
    TargetPath::parse(path).is_ok() && covers(approved, path.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_only_as_it_is_written() {
        let plan = ["docs/adr.md".to_owned(), "out/".to_owned(), ".git/".to_owned()];
        for named in ["docs/adr.md", "out/a", "out/a/b.md"] {
            assert!(names(&plan, named), "{named}");
        }
        for not in [
            "",
            "docs",
            "docs/ADR.md",
            "docs//adr.md",
            "./docs/adr.md",
            "docs/adr.md/",
            "out",
            "out/",
            "out/../src/main.rs",
            "out/.git/config",
            ".git/config",
            "out/.claude/settings.json",
            "out/a/Makefile",
            "out/.GIT/x",
            "/out/a",
            "src/main.rs",
        ] {
            assert!(!names(&plan, not), "{not}");
        }
    }
}
