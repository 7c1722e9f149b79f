//! Profiles: what a run may write beside its own temporary folder, as data. Paths below `~` are below the home folder.

use std::path::{Path, PathBuf};

use super::Walls;

/// What a coding agent needs to work, as its command line was seen to write (folders are made if they are missing).
#[derive(Debug)]
pub struct Agent {
    /// The name it is known under, and of the program.
    pub name: &'static str,
    /// Its own folders.
    pub folders: &'static [&'static str],
    /// Its own files directly in the home folder.
    pub files: &'static [&'static str],
    /// Of those, what makes the agent run programs of its own accord, also outside of this run: it stays as it is.
    pub kept: &'static [&'static str],
}

/// The agents that we know.
pub const AGENTS: &[Agent] = &[
    Agent {
        name: "claude",
        folders: &["~/.claude", "~/.config/claude"],
        files: &["~/.claude.json"],
        kept: &["~/.claude/settings.json", "~/.claude/settings.local.json"],
    },
    Agent { name: "codex", folders: &["~/.codex"], files: &[], kept: &["~/.codex/hooks.json"] },
    Agent { name: "cursor", folders: &["~/.cursor", "~/.config/cursor"], files: &[], kept: &[] },
    Agent { name: "gemini", folders: &["~/.gemini"], files: &[], kept: &[] },
    Agent { name: "grok", folders: &["~/.grok"], files: &[], kept: &[] },
    Agent {
        name: "opencode",
        folders: &["~/.config/opencode", "~/.local/share/opencode", "~/.local/state/opencode", "~/.opencode"],
        files: &[],
        kept: &[],
    },
    Agent { name: "pi", folders: &["~/.pi"], files: &[], kept: &[] },
];

/// Caches that programs fill while they read.
const CACHES: &[&str] = &["~/.cache", "~/.npm"];

/// What a run is for.
#[derive(Clone, Copy, Debug)]
pub enum Profile {
    /// A whole agent, with sandboxes of its own.
    Agent(Option<&'static Agent>),
    /// One command.
    Command,
}

impl Profile {
    /// The names that [`Profile::named`] takes.
    pub fn names() -> Vec<&'static str> {
        ["agent", "command"].into_iter().chain(AGENTS.iter().map(|agent| agent.name)).collect()
    }

    /// The profile of this name. `agent` is that of the agent which `program` is known to be.
    pub fn named(name: &str, program: &Path) -> Option<Self> {
        let known = |name: &str| AGENTS.iter().find(|agent| agent.name == name);
        match name {
            "command" => Some(Self::Command),
            "agent" => Some(Self::Agent(program.file_stem().and_then(|stem| stem.to_str()).and_then(known))),
            name => known(name).map(|agent| Self::Agent(Some(agent))),
        }
    }

    /// Which walls are built.
    pub fn walls(self) -> Walls {
        match self {
            Self::Agent(_) => Walls::Mounts,
            Self::Command => Walls::MountsAndLandlock,
        }
    }

    /// The folders that may be written, if they are there.
    pub fn caches(self, home: &Path) -> Vec<PathBuf> {
        CACHES.iter().map(|path| below(home, path)).collect()
    }

    /// The agent's own folders, to be made if they are missing. Where there is no cache folder yet, agents make one.
    pub fn folders(self, home: &Path) -> Vec<PathBuf> {
        let own = self.agent().map(|agent| agent.folders).unwrap_or_default();
        let cache: &[&str] = if self.agent().is_some() { &CACHES[..1] } else { &[] };
        own.iter().chain(cache).map(|path| below(home, path)).collect()
    }

    /// The agent's own files, if they are there.
    pub fn files(self, home: &Path) -> Vec<PathBuf> {
        self.agent().map(|agent| agent.files.iter().map(|path| below(home, path)).collect()).unwrap_or_default()
    }

    /// The agent's own files that stay as they are.
    pub fn kept(self, home: &Path) -> Vec<PathBuf> {
        self.agent().map(|agent| agent.kept.iter().map(|path| below(home, path)).collect()).unwrap_or_default()
    }

    fn agent(self) -> Option<&'static Agent> {
        match self {
            Self::Agent(agent) => agent,
            Self::Command => None,
        }
    }
}

fn below(home: &Path, path: &str) -> PathBuf {
    home.join(path.trim_start_matches("~/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_profile_and_agents_are_known_by_their_program() {
        for name in Profile::names() {
            assert!(Profile::named(name, Path::new("x")).is_some(), "{name}");
        }
        assert!(Profile::named("yolo", Path::new("x")).is_none());
        let of = |program| Profile::named("agent", Path::new(program)).unwrap().folders(Path::new("/home/ada"));
        assert_eq!(of("/usr/bin/codex"), [Path::new("/home/ada/.codex"), Path::new("/home/ada/.cache")]);
        assert_eq!(of("claude.js")[0], Path::new("/home/ada/.claude"));
        assert!(of("sh").is_empty());
    }

    #[test]
    fn no_profile_grants_the_home_folder_or_a_shell_s_own_files() {
        let home = Path::new("/home/ada");
        for name in Profile::names() {
            let profile = Profile::named(name, Path::new("x")).unwrap();
            let all = [profile.caches(home), profile.folders(home), profile.files(home)].concat();
            for closed in ["", ".bashrc", ".profile", ".ssh/config", ".gitconfig", ".config/git/config", ".local/bin/x"]
            {
                let closed = home.join(closed);
                assert!(!all.iter().any(|path| closed.starts_with(path)), "{name} opens {}", closed.display());
            }
        }
    }
}
