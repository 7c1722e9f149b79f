//! What the repository shows, as things that a template can name. Only what was found gets a name, so a question about a
//! pipeline, a caller or a page cannot be asked where there is none.

use std::path::Path;

use crate::domain::facts::{Evidence, Finding, ProjectKind, Related, RepoFacts};
use crate::domain::session::Session;
use crate::domain::text::words;

use super::scene::{Known, clipped, listed};

/// The most places that are named in one sentence.
const MOST_PLACES: usize = 3;

/// A placeholder with what it stands for.
pub(super) type Named = (&'static str, Known);

/// Every placeholder that the repository of a session fills.
pub(super) fn shown(session: &Session) -> Vec<Named> {
    let facts = &session.evidence;
    let mut named = Vec::new();
    if !facts.name.trim().is_empty() {
        named.push(("repo", plain(&facts.name)));
    }
    if let Some(language) = facts.main_language() {
        named.push(("language", Known { evidence: vec![language.example.clone()], ..plain(&language.name) }));
    }
    named.extend(finding("build", "build_at", facts.build.first()));
    // A new test goes beside tests, not beside the file that configures their runner.
    let beside = facts.tests.iter().find(|finding| is_of_tests(&finding.at.path));
    named.extend(finding("tests", "tests_at", beside.or(facts.tests.first())));
    named.extend(finding("ci", "ci_at", facts.ci.first()));
    named.extend(finding("readme", "readme_at", facts.readme.as_ref()));
    if let Some(entry) = facts.entry_points.first() {
        named.push(("entry", place(&entry.at)));
    }
    let keywords = session.topic.keywords();
    let touches = |text: &str| words(text).iter().any(|word| keywords.contains(word));
    let near = |one: &&Finding| touches(&one.what) || touches(&one.at.path);
    named.extend(finding("record", "record_at", facts.decisions.iter().find(near)));
    if !facts.decisions.is_empty() {
        let all = facts.decisions.iter().take(MOST_PLACES);
        let text = |one: &Finding| format!("“{}” (`{}`)", clipped(&one.what.replace(['“', '”'], "'"), 60), one.at);
        let evidence = all.clone().map(|one| one.at.clone()).collect();
        let titles: Vec<String> = all.map(text).collect();
        named.push(("records", Known { text: listed(&titles), evidence, question: None }));
    }
    named.extend(finding("dependency", "dependency_at", facts.dependencies.iter().find(|one| touches(&one.what))));
    if let [first, ..] = facts.dependencies.as_slice() {
        let number = facts.dependencies.len();
        let from = facts.dependencies.iter().filter(|one| one.at.path == first.at.path).count();
        // One manifest is named with its number; of several, only the first is, and the number is left out.
        let text =
            if from == number { format!("{number} in `{}`", first.at.path) } else { format!("`{}`", first.at.path) };
        named.push(("dependencies", Known { text, evidence: vec![first.at.clone()], question: None }));
    }
    if let Some(subject) = facts.recent.first() {
        named.push(("recent", plain(subject)));
    }
    named.extend(related(facts));
    named.extend(earlier(facts));
    named
}

/// The condition that a kind of project sets. A repository counts as documentation when it is nothing else besides.
pub(super) fn kinds(facts: &RepoFacts) -> Vec<&'static str> {
    let only_documents = facts.kinds.iter().all(|kind| *kind == ProjectKind::Documentation);
    let condition = |kind: &ProjectKind| match kind {
        ProjectKind::Library => Some("kind-library"),
        ProjectKind::CommandLine => Some("kind-command-line"),
        ProjectKind::Service => Some("kind-service"),
        ProjectKind::Frontend => Some("kind-frontend"),
        ProjectKind::Documentation => only_documents.then_some("kind-documentation"),
        ProjectKind::Infrastructure => Some("kind-infrastructure"),
    };
    facts.kinds.iter().filter_map(condition).collect()
}

fn plain(text: &str) -> Known {
    Known { text: clipped(text, 100), ..Known::default() }
}

fn place(at: &Evidence) -> Known {
    Known { text: format!("`{at}`"), evidence: vec![at.clone()], question: None }
}

fn places<'a>(all: impl Iterator<Item = &'a Related>) -> Known {
    let best: Vec<&Evidence> = all.take(MOST_PLACES).map(|related| &related.at).collect();
    let names: Vec<String> = best.iter().map(|at| format!("`{at}`")).collect();
    Known { text: listed(&names), evidence: best.into_iter().cloned().collect(), question: None }
}

fn finding(what: &'static str, where_to: &'static str, finding: Option<&Finding>) -> Vec<Named> {
    let Some(finding) = finding else { return Vec::new() };
    let evidence = vec![finding.at.clone()];
    vec![(what, Known { text: clipped(&finding.what, 100), evidence, question: None }), (where_to, place(&finding.at))]
}

/// What touches the topic: never a test, however well its name fits, since nothing is changed there. Code goes before
/// prose, unless there is no code.
fn related(facts: &RepoFacts) -> Vec<Named> {
    let all = || facts.related.iter().filter(|related| !is_of_tests(&related.at.path));
    let documents = kinds(facts).contains(&"kind-documentation");
    let code = || all().filter(|related| !documents && !is_prose(&related.at.path));
    let pages = || all().filter(|related| documents || is_prose(&related.at.path));
    let mut named = Vec::new();
    if let Some(best) = code().chain(pages()).next() {
        named.push(("related", places(code().chain(pages()))));
        named.push(("related_path", place(&best.at)));
    }
    if let Some(best) = code().next() {
        named.push(("code", place(&best.at)));
        if !best.excerpt.trim().is_empty() {
            let excerpt = clipped(&best.excerpt.replace('`', "'"), 80);
            named.push(("code_excerpt", Known { text: format!("`{excerpt}`"), ..place(&best.at) }));
        }
    }
    if let Some(best) = pages().next() {
        named.push(("page", place(&best.at)));
        named.push(("pages", places(pages())));
    }
    named
}

/// What an earlier session decided near the topic.
fn earlier(facts: &RepoFacts) -> Vec<Named> {
    let Some(first) = facts.earlier.first() else { return Vec::new() };
    vec![
        ("earlier", plain(first.decision.trim_end_matches('.'))),
        ("earlier_on", plain(&first.at.strftime("%-d %B %Y").to_string())),
        ("earlier_topic", plain(&first.topic)),
        ("earlier_session", plain(&first.session.to_string())),
    ]
}

/// Whether a path is one of tests, by its folders and its name.
fn is_of_tests(path: &str) -> bool {
    const WORDS: &[&str] = &["test", "tests", "testing", "spec", "specs", "e2e"];
    // `FooTest.java` and `FooSpec.scala` have no word of their own for it; `latest.rs` must not count.
    path.contains("Test") || path.contains("Spec") || words(path).iter().any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a path is one of prose, by its ending; a file without one (`LICENSE`, `CHANGELOG`) is taken for prose, too.
fn is_prose(path: &str) -> bool {
    const ENDINGS: &[&str] = &["md", "mdx", "markdown", "rst", "adoc", "txt", "tex", "org"];
    match Path::new(path).extension().and_then(|ending| ending.to_str()) {
        Some(ending) => ENDINGS.contains(&ending.to_lowercase().as_str()),
        None => !path.to_lowercase().ends_with("makefile") && !path.to_lowercase().ends_with("dockerfile"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_paths() {
        for path in ["tests/api.rs", "app/test_upload.py", "src/FooTest.java", "spec/models/user.rb", "a/b.spec.ts"] {
            assert!(is_of_tests(path), "{path}");
        }
        for path in ["src/latest.rs", "contest.py", "src/inspect.rs", "src/attest/mod.rs"] {
            assert!(!is_of_tests(path), "{path}");
        }
    }

    #[test]
    fn prose_is_known_by_its_ending() {
        for path in ["README.md", "docs/a.RST", "LICENSE"] {
            assert!(is_prose(path), "{path}");
        }
        for path in ["src/md.rs", "Makefile", "deploy/Dockerfile", "a.yaml"] {
            assert!(!is_prose(path), "{path}");
        }
    }

    #[test]
    fn code_is_named_before_prose_and_a_repository_of_documents_is_nothing_else() {
        let one = |path: &str| Related {
            at: Evidence { path: path.to_owned(), lines: None, blob: None },
            excerpt: String::new(),
            matches: Vec::new(),
        };
        let facts = RepoFacts {
            related: vec![one("docs/limits.md"), one("tests/limits.rs"), one("src/limits.rs")],
            kinds: vec![ProjectKind::Library, ProjectKind::Documentation],
            ..RepoFacts::default()
        };
        let named = related(&facts);
        let text = |wanted| named.iter().find(|(name, _)| *name == wanted).map(|(_, known)| known.text.as_str());
        assert_eq!(text("related_path"), Some("`src/limits.rs`"));
        assert_eq!(text("related"), Some("`src/limits.rs` and `docs/limits.md`"));
        assert_eq!((text("code"), text("page")), (Some("`src/limits.rs`"), Some("`docs/limits.md`")));
        assert_eq!(kinds(&facts), ["kind-library"]);
        let documents = RepoFacts { kinds: vec![ProjectKind::Documentation], ..RepoFacts::default() };
        assert_eq!(kinds(&documents), ["kind-documentation"]);
    }
}
