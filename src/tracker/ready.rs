//! Whether issues could be created, what they need that is not there, and creating that.

use super::gh::{Gh, Method, below};
use super::trouble;
use super::wire::{Label, Repository, SentLabel};
use crate::app::ports::{NewIssue, TrackerError};
use crate::domain::tracker::TrackerRepository;

/// The oldest `gh` that this was tried with: the one of Debian 12.
const OLDEST: (u32, u32) = (2, 23);
/// The colour of a label that nobody chose one for: the grey that the host itself takes.
const COLOUR: &str = "ededed";

impl Gh<'_> {
    /// The labels of `issues` that do not exist in `repository`, once everything else is known to be in order.
    pub(super) fn missing(
        &self,
        repository: &TrackerRepository,
        issues: &[NewIssue],
    ) -> Result<Vec<String>, TrackerError> {
        self.is_new_enough(repository.host())?;
        self.login(repository.host())?;
        let there: Repository = self.look(repository)?;
        takes_issues(repository, &there)?;
        let labels = once_each(issues.iter().flat_map(|issue| &issue.labels));
        if labels.is_empty() {
            return Ok(labels);
        }
        if !there.permissions.may_sort() {
            return Err(TrackerError::Forbidden {
                repository: repository.clone(),
                why: "setting labels needs the right to triage, and without it they would be left out".to_owned(),
            });
        }
        let missing = not_among(labels, &self.labels(repository)?);
        if missing.is_empty() || there.permissions.may_write() {
            return Ok(missing);
        }
        let names = missing.iter().map(|name| format!("'{name}'"));
        Err(TrackerError::Forbidden {
            repository: repository.clone(),
            why: format!(
                "there is no {} yet, and creating that takes the right to write",
                names.collect::<Vec<_>>().join(", ")
            ),
        })
    }

    /// Creates labels. What is there by now, from somebody else or from a run that broke off, is left alone.
    pub(super) fn supplied(&self, repository: &TrackerRepository, labels: &[String]) -> Result<(), TrackerError> {
        for name in labels {
            let body = serde_json::to_vec(&SentLabel { name, color: COLOUR });
            let body = body.map_err(|error| trouble::not_understood(&error))?;
            let answer = self.ask(repository.host(), Method::Post, &below(repository, "/labels"), body)?;
            if !answer.is_success() && !trouble::exists_already(&answer) {
                return Err(trouble::of_answer(repository, &answer));
            }
        }
        Ok(())
    }

    fn labels(&self, repository: &TrackerRepository) -> Result<Vec<String>, TrackerError> {
        let listed: Vec<Label> = self.listed(repository, "labels", "")?;
        Ok(listed.into_iter().map(Label::name).collect())
    }

    fn look(&self, repository: &TrackerRepository) -> Result<Repository, TrackerError> {
        let answer = self.ask(repository.host(), Method::Get, &below(repository, ""), Vec::new())?;
        if answer.is_success() { trouble::understood(&answer) } else { Err(trouble::of_answer(repository, &answer)) }
    }

    pub(super) fn is_new_enough(&self, host: &str) -> Result<(), TrackerError> {
        let ran = self.run(host, vec!["--version".into()], Vec::new())?;
        let said = String::from_utf8_lossy(&ran.stdout);
        let Some(version) = said.strip_prefix("gh version ").and_then(|rest| rest.split_whitespace().next()) else {
            let why = format!("the program called gh says of itself: {}", trouble::one_line(&said));
            return Err(TrackerError::NotUnderstood { why });
        };
        if is_supported(version) { Ok(()) } else { Err(TrackerError::OldProgram { version: version.to_owned() }) }
    }
}

/// Whether a version is ours to work with. One without a number was built from the sources, so it is no old one.
fn is_supported(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split(['.', '-']).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= OLDEST,
        _ => matches!(version, "DEV" | "(devel)"),
    }
}

/// Whether a repository that exists takes issues, and is the one that was meant.
fn takes_issues(repository: &TrackerRepository, there: &Repository) -> Result<(), TrackerError> {
    let repository = repository.clone();
    let asked = format!("{}/{}", repository.owner(), repository.name());
    // A renamed repository answers under its old name, but takes nothing there.
    if !there.full_name.eq_ignore_ascii_case(&asked) {
        return Err(match format!("{}/{}", repository.host(), there.full_name).parse() {
            Ok(to) => TrackerError::Moved { repository, to: Box::new(to) },
            Err(_) => trouble::not_understood(&format!("{repository} calls itself {}", there.full_name)),
        });
    }
    if there.archived {
        return Err(TrackerError::Archived { repository });
    }
    if !there.has_issues {
        return Err(TrackerError::IssuesDisabled { repository });
    }
    Ok(())
}

/// Every name once, as it is written: who takes a missing one out of the issues has to meet every spelling of it.
fn once_each<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

fn not_among(names: Vec<String>, there: &[String]) -> Vec<String> {
    names.into_iter().filter(|name| !there.iter().any(|one| same(one, name))).collect()
}

/// Hosts do not tell names apart by their capitals.
fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g32_an_old_gh_is_told_from_a_new_one() {
        for (version, supported) in [
            ("2.23.0", true),
            ("2.23.0+dfsg1", true),
            ("10.0.0", true),
            ("2.22.9", false),
            ("1.14.0", false),
            ("DEV", true),
            ("2", false),
            ("two.three", false),
        ] {
            assert_eq!(is_supported(version), supported, "{version}");
        }
    }

    #[test]
    fn names_that_differ_in_capitals_are_one() {
        let names = ["Bug", "bug", "Größe", "größe", "Bug", "docs"].map(str::to_owned);
        assert_eq!(once_each(names.iter()), ["Bug", "bug", "Größe", "größe", "docs"]);
        assert_eq!(not_among(once_each(names.iter()), &["GRÖßE".to_owned(), "BUG".to_owned()]), ["docs"]);
    }
}
