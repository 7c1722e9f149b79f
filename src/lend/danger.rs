//! Paths of an agent's work that a user should see first (A16): what makes programs run on the user's machine, often without
//! being asked for, and what is no plain file.

use crate::git::Oid;
use crate::git::tree::{GITLINK, SYMLINK};

/// Why a path comes first and needs a yes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Danger {
    /// git, a build tool, a coding agent, an editor or a service runs what it says.
    Runs,
    Symlink,
    Submodule,
    /// It can be run now and could not before, or the other way round.
    Mode,
}

impl Danger {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Runs => "makes programs run",
            Self::Symlink => "is a symlink",
            Self::Submodule => "is a submodule",
            Self::Mode => "changes its mode",
        }
    }
}

/// Folders in which every file counts, wherever they stand.
const FOLDERS: &[&str] = &[
    ".buildkite",
    ".cargo",
    ".ci",
    ".circleci",
    ".claude",
    ".codex",
    ".continue",
    ".cursor",
    ".devcontainer",
    ".gemini",
    ".githooks",
    ".github",
    ".gitlab",
    ".grok",
    ".husky",
    ".idea",
    ".mvn",
    ".opencode",
    ".pi",
    ".vscode",
    ".windsurf",
    ".yarn",
    ".zed",
];
/// Files, by name in lower case.
const NAMES: &[&str] = &[
    ".aider.conf.yml",
    ".bazelrc",
    ".cursorrules",
    ".dir-locals.el",
    ".envrc",
    ".exrc",
    ".gitattributes",
    ".gitlab-ci.yml",
    ".gitmodules",
    ".lefthook.yml",
    ".mcp.json",
    ".npmrc",
    ".nvim.lua",
    ".pnpmfile.cjs",
    ".pre-commit-config.yaml",
    ".tool-versions",
    ".travis.yml",
    ".vimrc",
    ".worktreeinclude",
    ".yarnrc",
    ".yarnrc.yml",
    "agents.md",
    "azure-pipelines.yml",
    "build",
    "build.rs",
    "cargo.toml",
    "claude.md",
    "cmakelists.txt",
    "compose.yaml",
    "compose.yml",
    "configure",
    "conftest.py",
    "gemfile",
    "gemini.md",
    "gnumakefile",
    "gradlew",
    "jenkinsfile",
    "justfile",
    "lefthook.yml",
    "makefile",
    "meson.build",
    "mise.toml",
    "mvnw",
    "noxfile.py",
    "opencode.json",
    "opencode.jsonc",
    "package.json",
    "pom.xml",
    "procfile",
    "pyproject.toml",
    "rakefile",
    "rust-toolchain",
    "rust-toolchain.toml",
    "setup.cfg",
    "setup.py",
    "sitecustomize.py",
    "taskfile.yml",
    "tox.ini",
    "vagrantfile",
    "workspace",
];
/// Beginnings of names, and ends.
const BEGINNINGS: &[&str] = &["dockerfile", "docker-compose", ".eslintrc", "gulpfile.", "gruntfile."];
const ENDS: &[&str] = &[
    ".bazel",
    ".bzl",
    ".cmake",
    ".code-workspace",
    ".config.cjs",
    ".config.js",
    ".config.mjs",
    ".config.ts",
    ".csproj",
    ".gemspec",
    ".gradle",
    ".gradle.kts",
    ".mk",
    ".nix",
    ".pth",
    ".sbt",
    ".vcxproj",
];

/// Why a path comes first; nothing for most. `before` and `now` are its mode and object.
pub fn dangers(path: &[u8], before: Option<(u32, Oid)>, now: Option<(u32, Oid)>) -> Vec<Danger> {
    let modes = [before, now].map(|side| side.map(|(mode, _)| mode));
    let is = |mode: u32| modes.contains(&Some(mode));
    let mut found = Vec::new();
    found.extend(runs(path).then_some(Danger::Runs));
    found.extend(is(SYMLINK).then_some(Danger::Symlink));
    found.extend(is(GITLINK).then_some(Danger::Submodule));
    let [before, now] = modes;
    let plain = before.unwrap_or(crate::git::tree::FILE);
    let changes_mode =
        now.is_some_and(|now| now != plain && ![now, plain].iter().any(|one| [SYMLINK, GITLINK].contains(one)));
    found.extend(changes_mode.then_some(Danger::Mode));
    found
}

/// Whether something runs what the file at this path says. The case of names does not count: it does not on some systems.
fn runs(path: &[u8]) -> bool {
    let path = String::from_utf8_lossy(path).to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || FOLDERS.contains(&name)
        || NAMES.contains(&name)
        || BEGINNINGS.iter().any(|begin| name.starts_with(begin))
        || ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::object::parsed;
    use crate::git::tree::FILE;

    #[test]
    fn a16_what_makes_programs_run_is_known_by_its_path() {
        for path in [
            "Makefile",
            "sub/Cargo.toml",
            ".github/workflows/ci.yml",
            ".husky/pre-commit",
            "CLAUDE.md",
            ".vscode/tasks.json",
            "a/.CLAUDE/settings.json",
            "vite.config.ts",
            "Dockerfile.dev",
            ".gitattributes",
            "x.gradle.kts",
            ".claude",
        ] {
            assert!(runs(path.as_bytes()), "{path}");
        }
        for path in ["src/main.rs", "README.md", "docs/makefile.md", "github/x", "a.config.json", "src/build/x.c"] {
            assert!(!runs(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn a16_what_is_no_plain_file_comes_first_as_well() {
        let id = parsed(&"1a".repeat(20)).unwrap();
        let side = |mode: u32| Some((mode, id));
        for (before, now, expected) in [
            (None, side(FILE), vec![]),
            (side(FILE), None, vec![]),
            (side(0o100_755), side(0o100_755), vec![]),
            (None, side(0o100_755), vec![Danger::Mode]),
            (side(0o100_755), side(FILE), vec![Danger::Mode]),
            (side(FILE), side(SYMLINK), vec![Danger::Symlink]),
            (side(SYMLINK), None, vec![Danger::Symlink]),
            (side(GITLINK), side(FILE), vec![Danger::Submodule]),
        ] {
            assert_eq!(dangers(b"a", before, now), expected, "{before:?} {now:?}");
        }
    }
}
