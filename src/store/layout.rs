//! The paths of a session's tree. Other files ask here, so that the layout is written down once.

use crate::domain::ids::{AnswerId, ObjectId, QuestionId};
use crate::domain::production::Target;

/// The stored format that this git grill writes, and the newest that it can read.
pub const FORMAT: u32 = 1;

/// The folder that holds everything, in the tree and in the working tree.
pub const ROOT: &str = ".grill";
/// Read before anything else; a larger number than [`FORMAT`] makes the session read-only for us.
pub const FORMAT_FILE: &str = ".grill/format";
/// The folded session without what has files of its own.
pub const SESSION: &str = ".grill/session.yaml";
/// The shared understanding.
pub const CHECKPOINT: &str = ".grill/checkpoint.md";
/// What the repository shows; only there once somebody looked.
pub const EVIDENCE: &str = ".grill/evidence.yaml";
pub const EVENTS: &str = ".grill/events.yaml";
/// The open output phase: plan, who chose, how far each draft is. Only there while that phase is open.
pub const OUTPUTS: &str = ".grill/outputs.yaml";
/// What a subsystem knows; only there while that is something.
pub fn own(subsystem: &str) -> String {
    format!("{ROOT}/{subsystem}.yaml")
}

/// A text of a subsystem, by its path below the subsystem's folder.
pub fn text(subsystem: &str, path: &str) -> String {
    format!("{ROOT}/{subsystem}/{path}")
}

/// The folder of a subsystem's texts.
pub fn texts(subsystem: &str) -> String {
    format!("{ROOT}/{subsystem}")
}

/// One file a question.
pub const QUESTIONS: &str = ".grill/questions";
/// One folder a question, one file an answer.
pub const ANSWERS: &str = ".grill/answers";
/// The bytes of the open output phase's drafts, under their target paths, or as `issue:3`.
pub const DRAFTS: &str = ".grill/drafts";

/// What stood where the open output phase's drafts would be written, under the same paths.
pub const REPLACED: &str = ".grill/replaced";

/// Edited drafts whose output phase was left; only there while there are some.
pub const PARKED: &str = ".grill/parked.yaml";

/// The file that holds the text of such a draft.
pub fn parked(blob: &ObjectId) -> String {
    format!("{ROOT}/parked/{blob}")
}

pub fn question(id: &QuestionId) -> String {
    format!("{QUESTIONS}/{id}.yaml")
}

pub fn answer(question: &QuestionId, id: &AnswerId) -> String {
    format!("{ANSWERS}/{question}/{id}.yaml")
}

pub fn draft(target: &Target) -> String {
    format!("{DRAFTS}/{target}")
}

/// The file that holds what a draft would replace.
pub fn replaced(target: &Target) -> String {
    format!("{REPLACED}/{target}")
}
