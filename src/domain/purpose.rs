//! The purpose of a question that follows earlier answers, as an agent declares it: rules can tell by it what was asked.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::settings::{UnknownValue, closed_set};

closed_set! {
    /// What a question does with the answers that it builds on.
    Purpose, "purpose", {
        /// It asks for more of the same.
        Deepen = "deepen",
        /// It has a vague word made measurable.
        Measure = "measure",
        /// It puts a decision to the test.
        Challenge = "challenge",
        /// It puts two answers side by side that cannot both hold.
        Settle = "settle",
        /// It looks back from a failure: what happened?
        PreMortem = "pre-mortem",
        /// It asks why the opposite is not the better way.
        Opposite = "opposite",
    }
}
