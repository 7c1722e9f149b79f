//! The registry of outputs (G27, G44): a line each, and everything else in the file of that name in the room `output`.
//! Nobody else tells one output from another, except that an intent recommends some.

/// Hands every output to a macro, in the order in which they are listed: the value, its name as it is typed and stored,
/// and its file.
macro_rules! outputs {
    ($take:ident) => {
        $take! {
            GithubIssues = "github-issues", issues;
            DesignDoc = "design-doc", design_doc;
            Readme = "readme", readme;
            Adr = "adr", adr;
            Prd = "prd", prd;
            ImplementationPlan = "implementation-plan", implementation_plan;
            ResearchBrief = "research-brief", research_brief;
            Summary = "summary", summary;
            Tutorial = "tutorial", tutorial;
            TestPlan = "test-plan", test_plan;
            Changelog = "changelog", changelog;
            #[cfg(test)]
            Toy = "toy", toy;
        }
    };
}

pub(crate) use outputs;
