//! Filters of a repository (gitattributes(5)): programs that its configuration names and that git runs over the content
//! of a file whose times have changed, also where it only compares. A repository that was unpacked or copied brings its
//! own configuration, so what only looks runs none.

use super::command::Git;
use super::error::Error;
use super::paths::{pieces, quoted};
use crate::app::ports::Process;

/// The most filters that are switched off one by one.
const MOST: usize = 64;

/// Settings with which git runs no filter that the repository's own configuration names. What the user has configured
/// for all repositories is their word, and goes on. An error where there is no saying so: then git is not asked about
/// contents at all.
///
/// `at` has git work in the repository.
pub fn switched_off(at: impl FnOnce(Git) -> Git, process: &dyn Process) -> Result<Vec<String>, Error> {
    let words = ["config", "--null", "--show-scope", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$"];
    // Where no key is like this there is none.
    let keys = at(Git::new(words)).ask_whether(process)?.unwrap_or_default();
    let mut settings = Vec::new();
    let mut parts = pieces(&keys);
    while let (Some(scope), Some(key)) = (parts.next(), parts.next()) {
        if !matches!(scope, b"local" | b"worktree") {
            continue;
        }
        if settings.len() == 2 * MOST {
            return Err(Error(format!("the repository has more than {MOST} filters, and none of them may run")));
        }
        let settable = std::str::from_utf8(key).ok().filter(|key| !key.contains('='));
        let key = settable.ok_or_else(|| {
            let name = quoted(key);
            Error(format!("the filter {name} of the repository may not run, and git cannot switch off such a name"))
        })?;
        let driver = key.rsplit_once('.').map_or(key, |(driver, _)| driver);
        settings.push(format!("{key}="));
        settings.push(format!("{driver}.required=false"));
    }
    Ok(settings)
}
