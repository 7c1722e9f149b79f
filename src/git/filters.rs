//! Filters of a repository (gitattributes(5)): programs that its configuration names and that git runs over the content
//! of a file whose times have changed, also where it only compares. A repository that was unpacked or copied brings its
//! own configuration, so what only looks runs none.

use std::path::Path;

use super::command::Git;
use super::error::Error;
use crate::app::ports::Process;

/// The most filters that are switched off one by one.
const MOST: usize = 64;

/// Settings with which git runs no filter of this repository. An error where there is no saying so: then git is not asked
/// about contents at all.
pub fn switched_off(git_dir: &Path, process: &dyn Process) -> Result<Vec<String>, Error> {
    let git = Git::new(["config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$"]);
    // Where no key is like this there is none.
    let keys = git.inside(git_dir).ask_whether(process)?.unwrap_or_default();
    let mut settings = Vec::new();
    for key in keys.split(|byte| *byte == 0).filter(|key| !key.is_empty()) {
        let key = std::str::from_utf8(key).ok().filter(|key| !key.contains('=') && settings.len() < 2 * MOST);
        let key = key.ok_or_else(|| Error("a filter has a name that cannot be switched off".to_owned()))?;
        let driver = key.rsplit_once('.').map_or(key, |(driver, _)| driver);
        settings.push(format!("{key}="));
        settings.push(format!("{driver}.required=false"));
    }
    Ok(settings)
}
