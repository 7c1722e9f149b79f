//! A process as a ledger knows it: by its id and by its start (A30). The system gives an id again, so the id alone
//! could mean a process that is not ours.

use serde::{Deserialize, Serialize};

/// The longest mark of a start, in bytes.
const LONGEST: usize = 128;

/// A process, known by id and start time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct KnownProcess {
    id: u32,
    /// What the system says of its start, including the boot where the time counts from there. It is compared, never
    /// read.
    started: String,
}

/// An id or a start that no process of ours can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadProcess {
    /// Signals to 0 and 1 reach other processes than one of ours, and a larger number becomes a group.
    #[error("{id} is not the id of a process that can be signalled")]
    Id { id: u32 },
    #[error("the start of process {id} is no mark of 1 to {LONGEST} visible characters")]
    Start { id: u32 },
}

#[derive(Deserialize)]
struct Unchecked {
    id: u32,
    started: String,
}

impl TryFrom<Unchecked> for KnownProcess {
    type Error = BadProcess;

    fn try_from(unchecked: Unchecked) -> Result<Self, BadProcess> {
        Self::new(unchecked.id, &unchecked.started)
    }
}

impl KnownProcess {
    pub fn new(id: u32, started: &str) -> Result<Self, BadProcess> {
        if id < 2 || i32::try_from(id).is_err() {
            return Err(BadProcess::Id { id });
        }
        let is_mark = (1..=LONGEST).contains(&started.len()) && started.bytes().all(|byte| byte.is_ascii_graphic());
        if is_mark { Ok(Self { id, started: started.to_owned() }) } else { Err(BadProcess::Start { id }) }
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn started(&self) -> &str {
        &self.started
    }

    /// Whether the process that has this id now is the one that is meant. `None` is a process whose start cannot be
    /// read, or none at all: it is not ours.
    pub fn is_still(&self, started_now: Option<&str>) -> bool {
        started_now == Some(self.started.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a30_a_process_is_the_same_only_with_the_same_start() {
        let known = KnownProcess::new(4_711, "boot-1/88123").unwrap();
        assert!(known.is_still(Some("boot-1/88123")));
        for other in [Some("boot-1/88124"), Some("boot-2/88123"), Some(""), None] {
            assert!(!known.is_still(other), "{other:?}");
        }
    }

    #[test]
    fn a30_nothing_that_a_signal_would_reach_by_mistake_is_a_process_of_ours() {
        for id in [0, 1, 0x8000_0000, u32::MAX] {
            assert_eq!(KnownProcess::new(id, "b/1"), Err(BadProcess::Id { id }));
        }
        for started in ["", "a b", "a\n", "ä", &"x".repeat(LONGEST + 1)] {
            assert_eq!(KnownProcess::new(2, started), Err(BadProcess::Start { id: 2 }), "{started:?}");
        }
    }
}
