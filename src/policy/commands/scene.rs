//! The scene of a command: where it may run, and what is around it.

use crate::policy::shell::word::Word;
use crate::policy::shell::{Allowed, Places};
use crate::policy::surroundings::Surroundings;

/// Where a command may run and who looks around there.
pub struct Scene<'a> {
    /// The folders where it may run.
    pub places: Places,
    /// The commands that a person allows, and the repository's location.
    pub allowed: &'a Allowed,
    pub around: &'a dyn Surroundings,
}

impl<'a> Scene<'a> {
    /// The scene of what is run in `folder` of this one.
    #[must_use]
    pub(super) fn moved(&self, folder: &Word) -> Scene<'a> {
        Self { places: self.places.below(folder, self.allowed), allowed: self.allowed, around: self.around }
    }
}
