//! What the file inside a lock folder says. git's own message points there, and its advice would be wrong.

use std::path::Path;

use crate::hooks::Place;

/// The text for the locks that the fence of `session` in this worktree holds.
pub(super) fn note(place: &Place, session: &str) -> String {
    format!(
        "git grill holds this lock on purpose. Nothing crashed, and no git process hangs.\n\
         \n\
         An interview is running, and meanwhile the repository is read-only:\n\
         git refuses to change index, HEAD, branch, stash and configuration.\n\
         \n\
         session    {session}\n\
         worktree   {}\n\
         see it     git grill status\n\
         lift it    git grill stop\n\
         \n\
         If no session is active there any more: git grill doctor --fix\n",
        shown(&place.root)
    )
}

fn shown(path: &Path) -> String {
    // A line break in a path must not look like a line of ours.
    path.display().to_string().replace(['\n', '\r'], "?")
}
