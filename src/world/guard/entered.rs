//! Places that a call leads to besides those that it names: the folder that the agent was started in, as it tells its hooks,
//! and the folders that a shell line goes into. They only ever add a session, so no one gains by a wrong one.

use std::path::{Path, PathBuf};

use crate::guard::payload::{Call, Deed};
use crate::world::environment::Environment;

/// Variables by which agents tell their hooks which project they were started for. A `cd` does not change them.
const STARTED_IN: &[&str] = &["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GROK_PROJECT_DIR"];
/// Words behind which a folder stands.
const LEADING: &[&str] = &["cd", "pushd", "-C", "--directory"];
/// So many folders of one line are looked at.
const MOST: usize = 32;

/// The places, absolute if `working` is.
pub(super) fn entered(environment: &Environment, call: &Call, working: &Path) -> Vec<PathBuf> {
    let started = STARTED_IN.iter().filter_map(|name| environment.var(name)).map(PathBuf::from);
    let home = environment.var("HOME").map(PathBuf::from);
    let lines = call.deeds.iter().filter_map(|deed| match deed {
        Deed::Shell(line) => Some(line.as_str()),
        Deed::Write(_) | Deed::Delete(_) | Deed::Read(_) | Deed::Ours(_) | Deed::Unknown(_) | Deed::Unreadable(_) => {
            None
        }
    });
    let folders = lines.flat_map(folders_of).take(MOST).map(|folder| placed(folder, working, home.as_deref()));
    started.filter(|folder| folder.is_absolute()).chain(folders).collect()
}

/// The folders that a line goes into, as they are spelled. One whose name is not written out is not among them.
fn folders_of(line: &str) -> impl Iterator<Item = &str> {
    let acts = |c: char| c.is_whitespace() || "'\"`;|&<>(){}".contains(c);
    let words = line.split(acts).filter(|word| !word.is_empty());
    let mut leads = false;
    words.filter(move |word| {
        let is_folder = leads && *word != "--";
        leads = LEADING.contains(word) || (leads && *word == "--");
        is_folder
    })
}

fn placed(folder: &str, working: &Path, home: Option<&Path>) -> PathBuf {
    let below_home = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|start| folder.strip_prefix(start));
    match (below_home, home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => working.join(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_behind_the_words_that_lead_there() {
        for (line, expected) in [
            ("cd /a && rm x", &["/a"][..]),
            ("(cd '/a b' ; ls); pushd ../c", &["/a", "../c"]),
            ("git -C /r commit -m x; make --directory sub", &["/r", "sub"]),
            ("cd -- /a\ncd\n", &["/a"]),
            ("bash -c \"cd /a&&rm x\"", &["/a"]),
            ("echo recd /a", &[]),
            ("", &[]),
        ] {
            assert_eq!(folders_of(line).collect::<Vec<_>>(), expected, "{line}");
        }
        let home = Path::new("/home/ada");
        assert_eq!(placed("~/x", Path::new("/w"), Some(home)), home.join("x"));
        assert_eq!(placed("../x", Path::new("/w"), None), Path::new("/w/../x"));
    }
}
