//! Refspecs by which a plain `git fetch` overwrites sessions that were not pushed yet.

use super::origin::Origin;
use crate::text::shell::quoted;

const SESSIONS: &str = "refs/grill/sessions/";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overwriting {
    pub remote: String,
    pub refspec: String,
    pub origin: Origin,
}

impl Overwriting {
    /// The command that takes it out of the configuration; none where it is in no file.
    pub fn unset(&self) -> Option<String> {
        let key = quoted(&format!("remote.{}.fetch", self.remote));
        let file = quoted(&self.origin.file()?.display().to_string());
        Some(format!("git config --file {file} --fixed-value --unset-all {key} {}", quoted(&self.refspec)))
    }

    /// The command that shows all refspecs of the remote, with where they come from.
    pub fn show(&self) -> String {
        format!("git config --show-origin --get-all {}", quoted(&format!("remote.{}.fetch", self.remote)))
    }
}

/// Whether a refspec is forced, and what it writes to can be a session.
pub(super) fn overwrites(refspec: &str) -> bool {
    let Some(forced) = refspec.strip_prefix('+') else { return false };
    let Some((_, to)) = forced.split_once(':') else { return false };
    match to.split_once('*') {
        // Whatever the star stands for, the beginning has to fit; `refs/*` and `*` do as well.
        Some((before, _)) => SESSIONS.starts_with(before) || before.starts_with(SESSIONS),
        None => to.starts_with(SESSIONS),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn what_overwrites_a_session_is_told_from_what_does_not() {
        for refspec in [
            "+refs/grill/*:refs/grill/*",
            "+refs/*:refs/*",
            "+refs/grill/sessions/*:refs/grill/sessions/*",
            "+refs/grill/remotes/x/*:refs/grill/sessions/x*",
            "+refs/x:refs/grill/sessions/20261121-auth-k3f9q",
        ] {
            assert!(overwrites(refspec), "{refspec}");
        }
        for refspec in [
            "refs/grill/*:refs/grill/*",
            "+refs/heads/*:refs/remotes/origin/*",
            "+refs/grill/sessions/*:refs/grill/remotes/origin/*",
            "+refs/grill/sessions/*",
            "^refs/grill/*",
            "",
        ] {
            assert!(!overwrites(refspec), "{refspec}");
        }
    }

    #[test]
    fn the_command_names_the_file_and_the_value() {
        let origin = Origin::Repository(PathBuf::from("/a b/.git/config"));
        let one = Overwriting { remote: "up".to_owned(), refspec: "+refs/*:refs/*".to_owned(), origin };
        assert_eq!(
            one.unset().unwrap(),
            "git config --file '/a b/.git/config' --fixed-value --unset-all 'remote.up.fetch' '+refs/*:refs/*'"
        );
        for origin in [Origin::Environment, Origin::CommandLine] {
            assert_eq!(Overwriting { origin, ..one.clone() }.unset(), None);
        }
    }
}
