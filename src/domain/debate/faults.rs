//! What is wrong with a role's text: parts that are missing, and parts that it may not have (D6, D7, D9, D22).

use crate::domain::harmless::harmless;

/// All that is wrong with a text. It may quote what the role gave, byte for byte, and is made harmless here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Parts that are missing.
    lacks: Vec<String>,
    /// Clauses that follow the text as their subject, such as “has several lines …; keep one”.
    does: Vec<String>,
}

impl Faults {
    /// Adds a part that is missing.
    pub(super) fn lacks(&mut self, part: impl Into<String>) {
        let part: String = part.into();
        self.lacks.push(harmless(&part).into_owned());
    }

    /// Adds a clause that says what is too much, and how that is mended.
    pub(super) fn does(&mut self, clause: impl Into<String>) {
        let clause: String = clause.into();
        let clause = harmless(&clause).into_owned();
        if self.does.last() != Some(&clause) {
            self.does.push(clause);
        }
    }

    /// These, and what else is wrong with the text.
    pub(super) fn and(mut self, more: Self) -> Self {
        self.lacks.extend(more.lacks);
        self.does.extend(more.does);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.lacks.is_empty() && self.does.is_empty()
    }

    /// All of it as a clause about the text, which is named so.
    pub fn in_words(&self, text: &str) -> String {
        let lacks = (!self.lacks.is_empty()).then(|| format!("lacks {}", self.lacks.join("; ")));
        let clauses: Vec<String> = lacks.into_iter().chain(self.does.iter().cloned()).collect();
        format!("{text} {}", clauses.join("; it "))
    }

    /// What a role is told that is to write its text again, one item a line; empty where nothing is wrong.
    pub fn told(&self) -> String {
        let list = |items: &[String], before: &str| -> String {
            items.iter().map(|item| format!("- {before}{item}\n")).collect::<Vec<_>>().concat()
        };
        let mut parts = Vec::new();
        if !self.lacks.is_empty() {
            let lacks = list(&self.lacks, "");
            parts.push(format!("Your last text was incomplete. Write the whole text again, with:\n\n{lacks}"));
        }
        if !self.does.is_empty() {
            let does = list(&self.does, "it ");
            parts.push(format!("Your last text was not taken. Write the whole text again, and mend this:\n\n{does}"));
        }
        parts.join("\n")
    }

    /// Each item, the missing parts first.
    #[cfg(test)]
    pub(super) fn items(self) -> Vec<String> {
        self.lacks.into_iter().chain(self.does).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d22_what_is_too_much_is_not_told_as_missing() {
        let mut faults = Faults::default();
        assert!(faults.is_empty() && faults.told().is_empty());
        faults.does("has several lines “Scope changed:”; keep one".to_owned());
        faults.does("has several lines “Scope changed:”; keep one".to_owned());
        assert_eq!(faults.in_words("its text"), "its text has several lines “Scope changed:”; keep one");
        assert!(!faults.told().contains("with:"), "{}", faults.told());
        faults.lacks("the part “Sol\u{202e}ution”".to_owned());
        assert!(faults.in_words("it").contains("Sol\\u{202e}ution"), "{faults:?}");
        faults.lacks = vec!["the part “Solution”".to_owned()];
        assert_eq!(
            faults.in_words("it"),
            "it lacks the part “Solution”; it has several lines “Scope changed:”; keep one"
        );
        assert!(faults.told().contains("again, with:\n\n- the part “Solution”\n"), "{}", faults.told());
        assert!(faults.told().contains("\n- it has several lines"), "{}", faults.told());
    }
}
