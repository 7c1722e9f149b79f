//! What the policy says to an attempt.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Allow,
    Refuse(Refusal),
    /// A person may rule on this very call, where one can be asked (ACP). Nobody there means no: see
    /// [`Verdict::unasked`].
    Ask(Question),
}

impl Verdict {
    /// What it comes to where nobody can be asked: git's hooks and the agents' hooks never prompt.
    pub fn unasked(self) -> Result<(), Refusal> {
        match self {
            Self::Allow => Ok(()),
            Self::Refuse(refusal) => Err(refusal),
            Self::Ask(question) => Err(question.otherwise),
        }
    }
}

/// A no that a person can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What did not happen and why, in one lower-case sentence without a full stop.
    pub reason: String,
    /// Commands that can be typed next, the most useful one first.
    pub hints: Vec<String>,
}

/// What a person would have to rule on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is wanted, as the person reads it.
    pub wanted: String,
    /// The no that stands until they said yes.
    pub otherwise: Refusal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_nobody_hears_is_a_no() {
        let refusal = Refusal { reason: "no".to_owned(), hints: Vec::new() };
        let question = Question { wanted: "really?".to_owned(), otherwise: refusal.clone() };
        assert_eq!(Verdict::Allow.unasked(), Ok(()));
        assert_eq!(Verdict::Refuse(refusal.clone()).unasked(), Err(refusal.clone()));
        assert_eq!(Verdict::Ask(question).unasked(), Err(refusal));
    }
}
