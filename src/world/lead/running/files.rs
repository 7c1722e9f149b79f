//! Files that go with a prompt, and files that the agent writes among its own (A19, A20).

use std::path::Path;

use super::Running;
use crate::acp::resource::Resource;

impl Running {
    /// Gives it the text of its next turn, and files with it. Only an agent takes them that embeds.
    pub(in crate::world::lead) fn tell_with(&mut self, text: String, resources: Vec<Resource>) {
        self.tell(text);
        self.resources = resources;
    }

    pub(in crate::world::lead) fn embeds(&self) -> bool {
        self.able.embeds
    }

    /// The bytes of a file that the agent wrote among its own in this run (A20).
    pub(in crate::world::lead) fn own_file(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        self.process.as_ref()?.own_file(path, most)
    }
}
