//! Whether what the issues of a plan depend on leads anywhere.

use std::collections::BTreeSet;

use super::{IssueSlot, Production, Stage, Target};

/// A dependency with which an issue cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Astray {
    #[error("it depends on itself")]
    Itself { by: IssueSlot },
    /// The last one of those through which an issue depends on itself.
    #[error("it depends on itself through {through}")]
    Round { by: IssueSlot, through: IssueSlot },
    #[error("it depends on {on}, which is left out")]
    LeftOut { by: IssueSlot, on: IssueSlot },
    #[error("it depends on {on}, and there is none")]
    Missing { by: IssueSlot, on: IssueSlot },
}

impl Astray {
    /// The issue that is at fault.
    pub fn by(self) -> IssueSlot {
        match self {
            Self::Itself { by } | Self::Round { by, .. } | Self::LeftOut { by, .. } | Self::Missing { by, .. } => by,
        }
    }
}

impl Production {
    /// What is wrong with an issue that depends on these, and with whatever it stands on by them.
    pub fn astray(&self, slot: IssueSlot, depends_on: &[IssueSlot]) -> Vec<Astray> {
        let (mut astray, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open: Vec<(IssueSlot, IssueSlot)> = depends_on.iter().map(|on| (slot, *on)).collect();
        while let Some((by, on)) = open.pop() {
            if on == slot {
                astray.push(if by == slot { Astray::Itself { by } } else { Astray::Round { by: slot, through: by } });
                continue;
            }
            match self.draft(&Target::Issue(on)) {
                Some(one) if one.stage != Stage::Dropped => {
                    if seen.insert(on) {
                        open.extend(one.draft.depends_on().into_iter().map(|further| (on, further)));
                    }
                }
                Some(_) => astray.push(Astray::LeftOut { by, on }),
                None => astray.push(Astray::Missing { by, on }),
            }
        }
        astray
    }
}
