//! Names that this repository knows: its files, its languages, what it is built with and depends on.

use std::collections::BTreeSet;

use crate::domain::facts::RepoFacts;

/// What may be named in an answer and be found in the repository.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Names(BTreeSet<String>);

impl Names {
    pub fn of(facts: &RepoFacts) -> Self {
        let mut names = BTreeSet::new();
        for place in facts.citations().chain(facts.languages.iter().map(|language| &language.example)) {
            names.insert(place.path.to_lowercase());
            names.extend(place.path.rsplit('/').next().map(str::to_lowercase));
        }
        let tools = facts.dependencies.iter().chain(&facts.build).chain(&facts.ci).map(|finding| &finding.what);
        for what in tools.chain(facts.languages.iter().map(|language| &language.name)) {
            names.insert(what.to_lowercase());
            // `serde 1.0` and `GitHub Actions` are known by their first word too, unless it is a plain one.
            names.extend(what.split_whitespace().next().filter(|word| word.len() > 3).map(str::to_lowercase));
        }
        Self(names)
    }

    /// Whether the repository has something of this name (in lower case).
    pub fn know(&self, name: &str) -> bool {
        self.0.contains(name.split(':').next().unwrap_or(name))
    }
}
