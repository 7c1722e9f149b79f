//! The texts of a session's debates: what the roles gave, and what is written of the rest.

use jiff::Timestamp;

use super::part::{self, Part};
use super::record;
use super::round::Round;
use super::state::State;

impl State {
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// The proposal as it stands: the newest synthesis, or the proposal of round 1.
    pub fn proposal(&self, number: u32) -> Option<&str> {
        let rounds = u32::try_from(self.debate(number)?.rounds.len()).ok()?;
        self.proposal_before(number, rounds + 1)
    }

    /// The proposal that a round began with: the newest synthesis before it, or what was proposed first.
    pub(super) fn proposal_before(&self, number: u32, round: u32) -> Option<&str> {
        let syntheses = (1..round).rev().map(|earlier| Part::Synthesis.path(number, earlier));
        syntheses.chain([Part::Proposal.path(number, 1)]).find_map(|path| self.text(&path))
    }

    /// The paths of the texts that debates rest on: what was given to them, and what each role gave.
    pub(super) fn expected(&self) -> impl Iterator<Item = String> {
        self.numbered().flat_map(|(number, debate)| {
            let constitution = debate.constitution.as_ref().map(|_| part::constitution(number));
            let of_round = move |(round, played): (u32, &Round)| {
                let paths: Vec<String> = played.given.iter().map(|given| given.part.path(number, round)).collect();
                paths
            };
            std::iter::once(part::dossier(number)).chain(constitution).chain(debate.numbered().flat_map(of_round))
        })
    }

    /// What is written of the debates that this event was about, as files of their own.
    pub(super) fn write_down(&mut self, at: Timestamp) {
        let Some((number, debate)) = self.newest() else { return };
        let mut texts = vec![(part::record(number), record::record(self, number, debate, at))];
        for (round, played) in debate.numbered() {
            let path = part::answers(number, round);
            // One whose only answer was taken back has nothing in it.
            if !played.heard.is_empty() || self.texts.contains_key(&path) {
                texts.push((path, record::answers(debate, played)));
            }
        }
        self.texts.extend(texts);
    }
}
