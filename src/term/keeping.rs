//! What is typed is handed over at each pause, so that a process that is killed loses no more than the last words (Q15).

/// So long nothing is typed before what stands there is handed over: shorter than a pause for thought, and longer than
/// the time between two keys, so that nothing is written while somebody types.
pub const PAUSE_MS: u64 = 500;

/// Knows what was handed over last.
pub struct Keeping<'a> {
    keep: &'a mut dyn FnMut(&str),
    known: String,
}

impl<'a> Keeping<'a> {
    /// Hands over to `keep` what differs from `known`.
    pub fn new(keep: &'a mut dyn FnMut(&str), known: String) -> Self {
        Self { keep, known }
    }

    /// Whether there is something new. Blank text never is: an older one is better than none.
    pub fn is_due(&self, draft: &str) -> bool {
        !draft.trim().is_empty() && draft != self.known
    }

    /// Hands over what is new.
    pub fn paused(&mut self, draft: String) {
        if self.is_due(&draft) {
            (self.keep)(&draft);
            self.known = draft;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q15_only_what_is_new_and_not_blank_is_handed_over() {
        let mut kept = Vec::new();
        let mut keep = |text: &str| kept.push(text.to_owned());
        let mut keeping = Keeping::new(&mut keep, "as it was".to_owned());
        for text in ["as it was", "", " ", "new", "new", "newer", "", "newer"] {
            keeping.paused(text.to_owned());
        }
        assert_eq!(kept, ["new", "newer"]);
    }
}
