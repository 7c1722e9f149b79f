//! The figures of a text: its amounts, and whether another text has one of them.

use super::quantity::{Quantity, quantities};
use super::tokens::tokens;

/// Hundredths by which two figures may differ: three months are 90 days.
const NEAR: f64 = 5.0;

pub(in super::super) struct Figures(Vec<Quantity>);

impl Figures {
    pub fn of(text: &str) -> Self {
        Self(quantities(&tokens(text)))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them stands in the other text, too.
    pub fn meet(&self, other: &Self) -> bool {
        self.0.iter().any(|one| other.has(one))
    }

    /// Whether one of them does not stand in the other text.
    pub fn has_more_than(&self, other: &Self) -> bool {
        !self.0.iter().all(|one| other.has(one))
    }

    fn has(&self, wanted: &Quantity) -> bool {
        self.0.iter().any(|one| one.unit == wanted.unit && near(one, wanted))
    }
}

/// Whether two ranges meet, or nearly do.
fn near(one: &Quantity, other: &Quantity) -> bool {
    let less = |low: f64| low - low.abs() * NEAR / 100.0;
    let more = |high: f64| high + high.abs() * NEAR / 100.0;
    less(one.low) <= more(other.high) && less(other.low) <= more(one.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_meet_in_other_words_and_other_units() {
        for (one, other, expected) in [
            ("6 hours", "kept for six hours", true),
            ("6 hours", "kept for 12 hours", false),
            ("90 days", "three months", true),
            ("at most 10", "3 of them", true),
            ("6 hours", "6 replicas", false),
            ("never", "6 hours", false),
        ] {
            assert_eq!(Figures::of(one).meet(&Figures::of(other)), expected, "{one} / {other}");
        }
        assert!(Figures::of("3 and 4").has_more_than(&Figures::of("3 or 5")));
        assert!(!Figures::of("3 and 4").has_more_than(&Figures::of("4, 5 or 3")));
    }
}
