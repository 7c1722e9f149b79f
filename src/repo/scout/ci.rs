//! Continuous integration, by the places where each service looks for its configuration.

use super::blobs::Blobs;
use super::tree::Tracked;
use super::{MOST_FINDINGS, shown_at, shown_by};
use crate::domain::facts::Finding;

/// Folder (with a `/` at the end) or file at the top, service.
const SERVICES: &[(&str, &str)] = &[
    (".github/workflows/", "GitHub Actions"),
    (".gitlab-ci.yml", "GitLab CI"),
    (".forgejo/workflows/", "Forgejo Actions"),
    (".gitea/workflows/", "Gitea Actions"),
    (".circleci/config.yml", "CircleCI"),
    (".travis.yml", "Travis CI"),
    ("Jenkinsfile", "Jenkins"),
    ("azure-pipelines.yml", "Azure Pipelines"),
    ("bitbucket-pipelines.yml", "Bitbucket Pipelines"),
    (".buildkite/", "Buildkite"),
    (".cirrus.yml", "Cirrus CI"),
    (".drone.yml", "Drone"),
    (".woodpecker.yml", "Woodpecker"),
    (".woodpecker/", "Woodpecker"),
    (".semaphore/", "Semaphore"),
    (".teamcity/", "TeamCity"),
    (".build.yml", "builds.sr.ht"),
    (".builds/", "builds.sr.ht"),
    (".appveyor.yml", "AppVeyor"),
    ("appveyor.yml", "AppVeyor"),
    ("buildspec.yml", "AWS CodeBuild"),
    ("cloudbuild.yaml", "Google Cloud Build"),
    (".zuul.yaml", "Zuul"),
    (".ci/", "CI script"),
    ("ci/", "CI script"),
];

/// Finds the configurations, each with the name it gives itself.
pub(super) fn find(files: &[Tracked], blobs: &Blobs<'_>) -> Vec<Finding> {
    configurations(files)
        .take(MOST_FINDINGS)
        .map(|(file, service)| match own_name(file, blobs) {
            Some((line, name)) => shown_at(file, line, &format!("{service}: {name}")),
            None => shown_by(file, service),
        })
        .collect()
}

/// The files, services in the order of the table.
fn configurations(files: &[Tracked]) -> impl Iterator<Item = (&Tracked, &'static str)> {
    SERVICES.iter().flat_map(move |(place, service)| {
        files
            .iter()
            .filter(move |file| match place.strip_suffix('/') {
                Some(_) => file.folder() == *place && is_configuration(file, service),
                None => file.path == *place,
            })
            .map(move |file| (file, *service))
    })
}

/// Folders of services hold other things too.
fn is_configuration(file: &Tracked, service: &str) -> bool {
    match file.extension() {
        Some("yml" | "yaml" | "kts" | "json") => true,
        Some("sh" | "bash" | "py") | None => service == "CI script" && !file.name().starts_with('.'),
        Some(_) => false,
    }
}

fn own_name(file: &Tracked, blobs: &Blobs<'_>) -> Option<(usize, String)> {
    if !matches!(file.extension(), Some("yml" | "yaml")) {
        return None;
    }
    let text = blobs.text(file)?;
    text.lines().enumerate().find_map(|(line, text)| {
        let name = text.strip_prefix("name:")?.trim().trim_matches(['"', '\'']);
        (!name.is_empty()).then(|| (line, name.to_owned()))
    })
}
