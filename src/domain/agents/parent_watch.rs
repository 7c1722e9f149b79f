//! The watch over the repository that work is lent from, while an agent runs that nothing keeps from writing there (A25).

use jiff::Timestamp;

use super::changed::ChangedFiles;
use super::event::Started;
use super::refusal::Refusal;
use super::session::AgentSession;
use crate::domain::ids::SessionId;
use crate::domain::text::Line;

/// How such a watch stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParentWatch {
    /// What changes in the repository from now on is found after the turn.
    Stands,
    /// Something changed, or that is not known, and the person has yet to say whose it is.
    Undecided {
        /// What was found, in a line; names in it are foreign.
        found: Line,
        since: Timestamp,
    },
}

impl AgentSession {
    /// The name under which the repository is watched while its agent runs without walls.
    pub fn watch_id(&self) -> SessionId {
        let Started { handle, id, .. } = &self.started;
        let random = id.as_str().trim_start_matches("s-");
        SessionId::parse(&format!("{}-agent-{handle}-{random}", self.began.strftime("%Y%m%d")))
            .expect("a day, a handle and the letters of an id make one")
    }

    /// Whether the person has yet to say whose a change in the repository is (A25).
    pub fn is_undecided(&self) -> bool {
        self.undecided().is_some()
    }

    /// What was found of that, in a line.
    pub fn undecided(&self) -> Option<&Line> {
        match &self.parent {
            Some(ParentWatch::Undecided { found, .. }) => Some(found),
            Some(ParentWatch::Stands) | None => None,
        }
    }

    pub(super) fn watch_parent(&mut self) -> Result<(), Refusal> {
        const DEED: &str = "the repository is not watched";
        self.need_live(DEED)?;
        self.need_supervisor(DEED)?;
        self.need_rest(DEED)?;
        if !self.started.unwalled {
            return Err(self.not_ready(DEED, "has an agent behind walls"));
        }
        self.need_decided(DEED)?;
        self.parent = Some(ParentWatch::Stands);
        Ok(())
    }

    pub(super) fn change_parent(&mut self, at: Timestamp, found: &Line) -> Result<(), Refusal> {
        self.need_watch("a change in the repository was not recorded")?;
        // It is one question, whatever is found meanwhile.
        let since = match self.parent {
            Some(ParentWatch::Undecided { since, .. }) => since,
            Some(ParentWatch::Stands) | None => at,
        };
        self.parent = Some(ParentWatch::Undecided { found: found.clone(), since });
        Ok(())
    }

    pub(super) fn restore_parent(&self, places: &ChangedFiles) -> Result<(), Refusal> {
        const DEED: &str = "what was restored in the repository was not recorded";
        self.need_undecided(DEED)?;
        self.need_room(places)
    }

    pub(super) fn keep_in_parent(&self, places: &ChangedFiles) -> Result<(), Refusal> {
        const DEED: &str = "what you keep in the repository was not recorded";
        self.need_undecided(DEED)?;
        self.need_room(places)
    }

    pub(super) fn settle_parent(&mut self, kept: &ChangedFiles) -> Result<(), Refusal> {
        const DEED: &str = "nothing in the repository was settled";
        self.need_watch(DEED)?;
        self.need_room(kept)?;
        self.parent = None;
        self.kept_here |= !kept.is_empty();
        Ok(())
    }

    fn need_room(&self, places: &ChangedFiles) -> Result<(), Refusal> {
        if places.fits() { Ok(()) } else { Err(Refusal::TooManyFiles { handle: self.started.handle }) }
    }

    pub(super) fn need_watch(&self, deed: &'static str) -> Result<(), Refusal> {
        if self.parent.is_some() { Ok(()) } else { Err(self.not_ready(deed, "watches nothing")) }
    }

    /// The person has said of every change in the repository whose it is.
    pub fn need_decided(&self, deed: &'static str) -> Result<(), Refusal> {
        let handle = self.started.handle;
        if self.is_undecided() { Err(Refusal::ParentUndecided { deed, handle }) } else { Ok(()) }
    }

    /// Something in the repository is for the person to decide.
    pub fn need_undecided(&self, deed: &'static str) -> Result<(), Refusal> {
        if self.is_undecided() { Ok(()) } else { Err(self.not_ready(deed, "has nothing for you to decide")) }
    }
}
