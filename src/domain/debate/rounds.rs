//! The limits of a debate, which nobody lifts (D1, D2, D3, D13).

/// No debate ends by agreement before this round is complete.
pub const LEAST: u32 = 2;
/// The highest number of rounds without an extension.
pub const DEFAULT: u32 = 5;
/// The highest number of rounds there is.
pub const CEILING: u32 = 7;

/// How many rounds a debate may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    most: u32,
}

/// Why a limit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    #[error("--rounds takes {LEAST} to {CEILING}; {0} was given")]
    Bound(u32),
    #[error("no debate is accepted or agreed before {LEAST} rounds are complete; {round} complete so far")]
    TooEarly { round: u32 },
    #[error("no debate has more than {CEILING} rounds")]
    Ceiling,
    #[error("a debate is extended at round {DEFAULT}, and this is round {round}")]
    NotNow { round: u32 },
}

impl Default for Rounds {
    fn default() -> Self {
        Self { most: DEFAULT }
    }
}

impl Rounds {
    /// The bound that a caller asks for.
    pub fn bounded(most: u32) -> Result<Self, Limit> {
        if (LEAST..=CEILING).contains(&most) { Ok(Self { most }) } else { Err(Limit::Bound(most)) }
    }

    pub fn most(self) -> u32 {
        self.most
    }

    /// Whether a debate of which this round is complete may end by agreement.
    pub fn may_agree(round: u32) -> Result<(), Limit> {
        if round >= LEAST { Ok(()) } else { Err(Limit::TooEarly { round }) }
    }

    /// Whether the user is asked, now that this round is complete, whether to accept, extend or kill: at round 5, whatever
    /// the bound beyond it.
    pub fn asks(self, round: u32) -> bool {
        round == DEFAULT && self.most >= DEFAULT
    }

    /// Whether no round follows this one.
    pub fn is_last(self, round: u32) -> bool {
        round >= self.most
    }

    /// Whether a proxy may go on at round 5: only within the bound that the user gave (D1, D20).
    pub fn allows_a_proxy_to_extend(self) -> bool {
        self.most > DEFAULT
    }

    /// The limits once the user extends them at this round: the ceiling, and never more.
    pub fn extended(self, round: u32) -> Result<Self, Limit> {
        if round != DEFAULT {
            return Err(if round >= CEILING { Limit::Ceiling } else { Limit::NotNow { round } });
        }
        Ok(Self { most: CEILING })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d1_d2_a_bound_lies_between_two_and_seven() {
        for most in 0..20 {
            let bounded = Rounds::bounded(most);
            assert_eq!(bounded.is_ok(), (2..=7).contains(&most), "{most}");
        }
        assert_eq!(Rounds::default().most(), 5);
        assert_eq!(Rounds::bounded(8).unwrap_err().to_string(), "--rounds takes 2 to 7; 8 was given");
    }

    #[test]
    fn d1_d3_d13_no_way_leads_past_the_ceiling_or_to_agreement_before_the_second_round() {
        assert!(Rounds::may_agree(1).is_err() && Rounds::may_agree(2).is_ok());
        for most in 2..=7 {
            let rounds = Rounds::bounded(most).unwrap();
            for round in 1..=9 {
                assert_eq!(rounds.asks(round), round == 5 && most >= 5, "{most} {round}");
                match rounds.extended(round) {
                    Ok(extended) => assert!(round == 5 && extended.most() == 7 && extended.extended(7).is_err()),
                    Err(limit) => assert_eq!(limit == Limit::Ceiling, round >= 7, "{round}"),
                }
                assert_eq!(rounds.is_last(round), round >= most);
            }
        }
    }
}
