//! The repository that is meant where we are: `gh` says it, from what the user told it (`gh repo set-default`) and from the
//! remotes, and asks the host for its name.

use std::ffi::OsString;

use super::gh::Gh;
use super::trouble;
use super::wire::Viewed;
use crate::app::ports::TrackerError;
use crate::domain::tracker::{BadTrackerRepository, TrackerRepository};

impl Gh<'_> {
    /// The repository that `gh` names here.
    pub(super) fn named_here(&self) -> Result<TrackerRepository, TrackerError> {
        let args = ["repo", "view", "--json", "url"].map(OsString::from).to_vec();
        let ran = self.run(self.usual_host(), args, Vec::new())?;
        if ran.code != 0 {
            return Err(trouble::of_view(self.usual_host(), &ran));
        }
        let there: Viewed = serde_json::from_slice(&ran.stdout).map_err(|error| trouble::not_understood(&error))?;
        let name = there.url.split_once("://").map_or(there.url.as_str(), |(_, name)| name);
        name.parse().map_err(|error: BadTrackerRepository| trouble::not_understood(&error))
    }
}
