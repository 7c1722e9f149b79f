//! The login and the conversations of an agent, as far as they can be seen without calling its provider: a key in a
//! variable, or the file that the agent keeps its login in. Neither is read here.

use std::path::{Path, PathBuf};

use super::agent::Agent;
use crate::sandbox::profile::Profile;
use crate::world::environment::Environment;

pub(super) fn seen(environment: &Environment, agent: &Agent, program: &Path) -> String {
    const UNTRIED: &str = "whether it is still good is not tried, since that calls its provider";
    let keys = agent.preset.keys;
    if let Some(key) = keys.iter().find(|name| environment.text(name).is_some()) {
        return format!("{key} is set; {UNTRIED}");
    }
    // The others are logins elsewhere, or say which account it is.
    let files = files(environment, agent, program, 1);
    if let Some(file) = files.iter().find(|file| file.is_file()) {
        return format!("{} exists; {UNTRIED}", short(environment, file));
    }
    let places: Vec<String> =
        keys.iter().map(|key| (*key).to_owned()).chain(files.iter().map(|file| short(environment, file))).collect();
    let log_in = agent.preset.log_in;
    match places.as_slice() {
        [] => format!("git grill does not know where this agent keeps its login; {log_in}"),
        places => format!("none found in {}; if there is none elsewhere, {log_in}", places.join(", ")),
    }
}

/// A path as it is typed, below `~` where it is there.
fn short(environment: &Environment, file: &Path) -> String {
    let home = environment.var("HOME").map(PathBuf::from);
    match home.and_then(|home| file.strip_prefix(home).ok().map(Path::to_owned)) {
        Some(below) => format!("~/{}", below.display()),
        None => file.display().to_string(),
    }
}

/// Whether it finds in its next run what it needs to go on with a conversation.
pub(super) fn keeps_logs(agent: &Agent, program: &Path) -> bool {
    let known = profile(agent, program).and_then(Profile::agent);
    known.is_some_and(|known| known.folders.iter().any(|folder| !folder.logs.is_empty() || !folder.together.is_empty()))
}

fn profile(agent: &Agent, program: &Path) -> Option<Profile> {
    Profile::named(agent.preset.name(), program).or_else(|| Profile::named("agent", program))
}

/// The files that the agent keeps its logins in, of each folder the first so many.
pub(super) fn files(environment: &Environment, agent: &Agent, program: &Path, of_each: usize) -> Vec<PathBuf> {
    let Some(profile) = profile(agent, program) else { return Vec::new() };
    let home = environment.var("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let folders = profile.folders(home.as_deref(), &|name| environment.var(name));
    let files = |placed: &crate::sandbox::profile::Placed| -> Vec<PathBuf> {
        placed.folder.credentials.iter().take(of_each).map(|name| placed.path.join(name)).collect()
    };
    folders.iter().flat_map(files).collect()
}
