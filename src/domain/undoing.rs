//! Taking back what output phases wrote: which phase is meant, and what taking it back would bring back (G31).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::event::Event;
use super::production::{self, Produced, Undo};
use super::session::{Phase, Session};

/// What an output phase wrote here, file by file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPhase {
    pub round: u64,
    pub files: Vec<Undo>,
}

impl WrittenPhase {
    /// That it was taken back only in part.
    pub fn half_way(&self) -> String {
        format!("the undo of output phase {} was cut off", self.round)
    }

    /// The command that takes this phase back, whatever was written since.
    pub fn command(&self) -> String {
        format!("git grill produce --undo --round {}", self.round)
    }
}

/// The output phases that were taken back since a file was last written. The session does not hold them, so they are
/// gathered from its history, the newest event first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack(BTreeSet<u64>);

impl TakenBack {
    /// Takes in the event before the last one; breaks where nothing older counts.
    pub fn look_back(&mut self, event: &Event) -> ControlFlow<()> {
        if let Some(production::Event::ProductionUndone { round, .. }) = event.production() {
            self.0.insert(*round);
        }
        let written = matches!(event.production(), Some(production::Event::FileWritten { .. }));
        if written { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakesBack {
    Phase(WrittenPhase),
    Nothing(NothingThere),
}

/// The output phase that is meant has no written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NothingThere {
    pub why: NoFile,
    /// The newest phase before it that has some: nobody means it without naming it.
    pub older: Option<WrittenPhase>,
}

/// Why an output phase has no written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFile {
    TakenBack,
    /// It is open, and has written none yet.
    NotYet,
}

impl Session {
    /// What output phases wrote here that was not taken back, the newest phase first.
    pub fn written_phases(&self) -> Vec<WrittenPhase> {
        let open = match &self.phase {
            Phase::Production(production) => Some(&**production),
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        };
        let written = open
            .into_iter()
            .flat_map(|production| production.written().filter_map(move |draft| Produced::of(draft, production.round)));
        let here = self.produced.iter().filter(|one| !one.elsewhere).cloned();
        let all: Vec<Produced> = here.chain(written).collect();
        let rounds: BTreeSet<u64> = all.iter().map(|one| one.round).collect();
        rounds.into_iter().rev().map(|round| WrittenPhase { round, files: files_of(&all, round) }).collect()
    }

    /// The newest of them.
    pub fn undoable(&self) -> Option<WrittenPhase> {
        self.written_phases().into_iter().next()
    }

    /// What is meant by taking back the phase of this number or, without one, the newest phase. That one stays the newest
    /// when it is taken back, so that doing it twice never takes back an older one. `None` where there is no such phase.
    pub fn to_take_back(&self, wanted: Option<u64>, back: &TakenBack) -> Option<TakesBack> {
        let mut phases = self.written_phases();
        let open = match &self.phase {
            Phase::Production(production) => Some(production.round),
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        };
        let newest = phases.first().map(|phase| phase.round).max(back.0.last().copied()).max(open);
        let round = wanted.or(newest)?;
        if let Some(at) = phases.iter().position(|phase| phase.round == round) {
            return Some(TakesBack::Phase(phases.swap_remove(at)));
        }
        let older = phases.into_iter().find(|phase| phase.round < round);
        let why = match (back.0.contains(&round), &older) {
            (true, _) => NoFile::TakenBack,
            (false, Some(_)) if open == Some(round) => NoFile::NotYet,
            (false, _) => return None,
        };
        Some(TakesBack::Nothing(NothingThere { why, older }))
    }
}

fn files_of(all: &[Produced], round: u64) -> Vec<Undo> {
    let mut files: Vec<Undo> = Vec::new();
    for one in all.iter().filter(|one| one.round == round) {
        if let Some(file) = files.iter_mut().find(|file| file.path == one.path) {
            // Written twice: what was there before the first is what was there.
            file.written = one.blob.clone();
        } else {
            let (path, written, replaced) = (one.path.clone(), one.blob.clone(), one.replaced.clone());
            files.push(Undo { path, written, replaced });
        }
    }
    files
}
