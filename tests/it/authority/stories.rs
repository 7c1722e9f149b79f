//! The stories that sessions tell before they are forged.

/// A story that a session tells before it is forged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A question is open.
    Interview,
    /// A choice waits at the gate.
    Gate,
    /// A design document is drafted.
    Drafted,
    Written,
    /// Its output phase is over.
    Finished,
    Issues,
    /// A plan is made, and nothing is asked.
    Planning,
    /// It is carried out.
    Executing,
}

impl Base {
    pub const ALL: &'static [Self] = &[
        Self::Interview,
        Self::Gate,
        Self::Drafted,
        Self::Written,
        Self::Finished,
        Self::Issues,
        Self::Planning,
        Self::Executing,
    ];

    /// Shell lines in which `@` is git grill.
    pub fn story(self) -> String {
        let begun =
            |topic: &str| format!("@ start --research off '{topic}'; @ answer 'requests per client are counted'; ");
        let drafted = "@ select design-doc --path docs/api.md";
        match self {
            Self::Interview => begun("the interview"),
            Self::Gate => {
                let plan = r#"{"outputPlan":"a file","outputs":[{"destination":"design-doc"}]}"#;
                // Scripts may approve there, agents may not.
                let asks = format!("echo '{plan}' | CLAUDECODE=1 @ tool grill_enter_output_phase || true");
                format!("{}@ select; {asks}", begun("the gate"))
            }
            Self::Drafted => format!("{}{drafted}", begun("the drafted")),
            Self::Written => format!("{}{drafted}; @ approve", begun("the written")),
            Self::Finished => format!("{}{drafted}; @ approve; @ finish", begun("the finished")),
            Self::Planning => "@ plan on 'the planning'; @ plan set '1. write the API down'".to_owned(),
            Self::Executing => {
                "@ plan on 'the executing'; @ plan set '1. write the API down'; @ plan execute; @ todos done 1"
                    .to_owned()
            }
            Self::Issues => {
                let more = "@ answer '300 a minute'; @ answer 'no shared counter'; @ answer 'a reply with 429'; ";
                format!("{}{more}@ select github-issues --repo octo/links", begun("the issues"))
            }
        }
    }
}
