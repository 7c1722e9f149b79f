//! Profiles: which folders a run sees through private layers, and which walls are built around it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Walls;
use crate::agents::files::{Moved, below as folder_below};
use crate::agents::{self, Agent, Folder};

/// Caches that programs fill while they read, every agent's among them.
pub const CACHES: &[Folder] =
    &[folder_below("~/.cache", "XDG_CACHE_HOME", ""), folder_below("~/.npm", "npm_config_cache", "")];

#[derive(Clone, Copy, Debug)]
pub enum Profile {
    /// A whole agent, with sandboxes of its own.
    Agent(Option<&'static Agent>),
    Command,
}

/// One folder of a run, where it really is.
#[derive(Clone, Debug)]
pub struct Placed {
    pub folder: &'static Folder,
    /// Where it is, by the name that the agent uses.
    pub path: PathBuf,
    pub missing: Missing,
    /// The files beside it, by the same home folder.
    pub beside: Vec<PathBuf>,
}

/// What becomes of a folder that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is made for the run, and taken away again.
    Made,
    /// It cannot be made from inside either.
    LeftOut,
}

impl Profile {
    /// The names that [`Profile::named`] takes.
    pub fn names() -> Vec<&'static str> {
        ["agent", "command"].into_iter().chain(agents::with_folders().map(|agent| agent.name)).collect()
    }

    /// The profile of this name. `agent` is that of the agent which `program` is known to be.
    pub fn named(name: &str, program: &Path) -> Option<Self> {
        match name {
            "command" => Some(Self::Command),
            "agent" => {
                Some(Self::Agent(program.file_stem().and_then(|stem| stem.to_str()).and_then(agents::of_program)))
            }
            name => agents::of_program(name).map(|agent| Self::Agent(Some(agent))),
        }
    }

    pub fn walls(self) -> Walls {
        match self {
            Self::Agent(_) => Walls::Mounts,
            Self::Command => Walls::MountsAndLandlock,
        }
    }

    pub fn agent(self) -> Option<&'static Agent> {
        match self {
            Self::Agent(agent) => agent,
            Self::Command => None,
        }
    }

    /// The folders that are seen through private layers, the agent's own and caches.
    pub fn folders(self, home: Option<&Path>, var: &dyn Fn(&str) -> Option<OsString>) -> Vec<Placed> {
        let (own, missing) = match self.agent() {
            Some(agent) => (agent.folders, Missing::Made),
            None => (&[][..], Missing::LeftOut),
        };
        let all = own.iter().chain(CACHES);
        all.filter_map(|folder| {
            let path = placed(folder, home, var)?;
            let beside = home.map(|home| folder.beside.iter().map(|path| below(home, path)).collect());
            Some(Placed { folder, path, missing, beside: beside.unwrap_or_default() })
        })
        .collect()
    }
}

/// Where a folder is. A variable that names no absolute path counts as not set.
fn placed(folder: &Folder, home: Option<&Path>, var: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let moved = match folder.moved {
        Moved::Never => None,
        Moved::To(name) => named(name),
        Moved::Below(name, rest) => named(name).map(|path| path.join(rest)),
    };
    moved.or_else(|| Some(below(home?, folder.path)))
}

fn below(home: &Path, path: &str) -> PathBuf {
    home.join(path.trim_start_matches("~/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(profile: Profile, vars: &[(&str, &str)]) -> Vec<PathBuf> {
        let var = |name: &str| vars.iter().find(|(set, _)| *set == name).map(|(_, value)| OsString::from(value));
        profile.folders(Some(Path::new("/home/ada")), &var).into_iter().map(|placed| placed.path).collect()
    }

    #[test]
    fn every_name_is_a_profile_and_agents_are_known_by_their_program() {
        for name in Profile::names() {
            assert!(Profile::named(name, Path::new("x")).is_some(), "{name}");
        }
        assert!(Profile::named("yolo", Path::new("x")).is_none());
        let of = |program| Profile::named("agent", Path::new(program)).unwrap();
        let codex = ["/home/ada/.codex", "/home/ada/.cache", "/home/ada/.npm"].map(PathBuf::from);
        assert_eq!(folders(of("/usr/bin/codex"), &[]), codex);
        assert_eq!(folders(of("/usr/bin/codex-acp"), &[]), codex);
        assert_eq!(folders(of("claude.js"), &[])[0], Path::new("/home/ada/.claude"));
        assert_eq!(folders(of("claude-agent-acp"), &[])[0], Path::new("/home/ada/.claude"));
        assert_eq!(folders(of("sh"), &[]), codex[1..]);
    }

    #[test]
    fn a_variable_puts_a_folder_elsewhere_if_it_names_a_place() {
        let codex = Profile::named("codex", Path::new("x")).unwrap();
        assert_eq!(folders(codex, &[("CODEX_HOME", "/x")])[0], Path::new("/x"));
        assert_eq!(folders(codex, &[("CODEX_HOME", "x")])[0], Path::new("/home/ada/.codex"));
        assert_eq!(folders(codex, &[("CODEX_HOME", "")])[0], Path::new("/home/ada/.codex"));
        let opencode = Profile::named("opencode", Path::new("x")).unwrap();
        assert_eq!(folders(opencode, &[("XDG_CONFIG_HOME", "/c")])[0], Path::new("/c/opencode"));
        assert_eq!(folders(codex, &[("XDG_CACHE_HOME", "/c")])[1], Path::new("/c"));
    }
}
