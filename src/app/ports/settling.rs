//! Changes in the repository that came while an agent without walls worked on what it was lent (A25), as the use cases see
//! them.

use super::Restored;
use crate::app::error::AppError;
use crate::domain::agents::AgentHandle;
use crate::domain::drift::{Kept, Spot, Verification};

/// What the person is to settle of a session, change by change.
pub trait Settling {
    /// What changed in the repository while an agent without walls ran, where the person has yet to say whose it is (A25).
    fn parent_since(&self, handle: AgentHandle) -> Result<Option<Verification>, AppError>;
    /// The change that bringing this one spot back would make, as a unified diff.
    fn parent_difference(&self, handle: AgentHandle, spot: &Spot) -> Result<String, AppError>;
    /// The ref that keeps how things were, also where nothing can be compared with it; none where it is gone.
    fn parent_copy(&self, handle: AgentHandle) -> Result<Option<String>, AppError>;
    /// What the person has said is to stay, while the rest is to be decided.
    fn parent_kept(&self, handle: AgentHandle) -> Result<Kept, AppError>;
    /// Notes it, until all is decided.
    fn keep_parent(&self, handle: AgentHandle, kept: &Kept) -> Result<(), AppError>;
    /// Brings these changes back, as they were shown, and records that, with what is left to decide besides what the person
    /// keeps.
    fn parent_back(&self, handle: AgentHandle, shown: &Verification, kept: &Kept) -> Result<Restored, AppError>;
    /// Records that the person has decided on all of them, and keeps what they said; false where something else changed
    /// meanwhile. Without what they keep nothing is compared: they have looked themselves.
    fn parent_settled(&self, handle: AgentHandle, kept: Option<&Kept>) -> Result<bool, AppError>;
}
