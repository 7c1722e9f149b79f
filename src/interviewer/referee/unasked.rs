//! What every interview at `adversarial` looks at once, and nobody asked: how it could fail, and the opposite (G13). A
//! question of an agent counts by its declared purpose, and one of the catalogue by what it is; no wording is guessed at.

use crate::domain::concern::{Concern, ConcernKind};
use crate::domain::purpose::Purpose;
use crate::domain::session::Session;
use crate::domain::settings::{Intensity, Interviewer};

use super::concern;
use super::decisions::is_settled;

/// The purpose of an agent's question, the catalogue's own question, and what is said where neither was asked.
const LOOKS: &[(Purpose, &str, &str)] = &[
    (Purpose::PreMortem, "risks.premortem", "no question asked yet what the story was if it failed"),
    (Purpose::Opposite, "tradeoffs.opposite", "no question asked yet why the opposite is not the better way"),
];

pub(super) fn unasked(session: &Session) -> Vec<Concern> {
    let settings = &session.settings;
    let asked = &session.transcript.asked;
    let is_led = matches!(settings.interviewer, Interviewer::Agent(_));
    // Nothing is missing before the first question.
    if settings.intensity != Intensity::Adversarial || !is_led || asked.is_empty() {
        return Vec::new();
    }
    let was_asked = |purpose: Purpose, probe: &str| {
        asked.iter().any(|asked| {
            let question = &asked.question;
            (question.purpose == Some(purpose) || question.probe.as_deref() == Some(probe)) && is_settled(asked)
        })
    };
    let missing = LOOKS.iter().filter(|(purpose, probe, _)| !was_asked(*purpose, probe));
    missing.map(|(purpose, _, says)| concern(ConcernKind::Unasked, purpose.as_str(), purpose.as_str(), says)).collect()
}
