//! How the project is tested: configured runners, test commands of its CI and its Makefile, test files.

use super::blobs::Blobs;
use super::languages::{self, Sort};
use super::tree::Tracked;
use super::{MOST_FINDINGS, shown_at, shown_by};
use crate::domain::facts::Finding;
use crate::domain::text::counted;

/// Files whose mere presence names a runner.
const BY_NAME: &[(&str, &str)] = &[
    ("pytest.ini", "pytest"),
    ("conftest.py", "pytest"),
    ("tox.ini", "tox"),
    ("noxfile.py", "nox"),
    ("jest.config.js", "jest"),
    ("jest.config.ts", "jest"),
    ("vitest.config.ts", "vitest"),
    ("vitest.config.js", "vitest"),
    ("playwright.config.ts", "playwright"),
    ("cypress.config.ts", "cypress"),
    ("karma.conf.js", "karma"),
    (".mocharc.json", "mocha"),
    (".mocharc.yml", "mocha"),
    (".rspec", "rspec"),
    ("phpunit.xml", "phpunit"),
    ("phpunit.xml.dist", "phpunit"),
    ("test_helper.exs", "mix test"),
    ("nextest.toml", "cargo nextest"),
    ("tarpaulin.toml", "cargo tarpaulin"),
    ("codecov.yml", "codecov"),
];

/// A line of this file with this text names a runner.
const BY_LINE: &[(&str, &str, &str)] = &[
    ("pyproject.toml", "[tool.pytest", "pytest"),
    ("setup.cfg", "[tool:pytest]", "pytest"),
    ("CMakeLists.txt", "enable_testing(", "ctest"),
    ("CMakeLists.txt", "add_test(", "ctest"),
    ("Makefile", "test:", "make test"),
    ("Makefile", "check:", "make check"),
    ("justfile", "test:", "just test"),
    ("Rakefile", "Rake::TestTask", "rake test"),
    ("build.gradle", "useJUnitPlatform", "JUnit"),
    ("build.gradle.kts", "useJUnitPlatform", "JUnit"),
    ("pom.xml", "junit", "JUnit"),
];

/// The end or beginning of a test file's name, with what runs it.
const BY_AFFIX: &[(Affix, &str)] = &[
    (Affix::End("_test.go"), "go test"),
    (Affix::End("_spec.rb"), "rspec"),
    (Affix::End("_test.rb"), "minitest"),
    (Affix::End("_test.exs"), "mix test"),
    (Affix::End("Test.java"), "JUnit"),
    (Affix::End("Test.kt"), "JUnit"),
    (Affix::End("Test.php"), "phpunit"),
    (Affix::End("Tests.cs"), "dotnet test"),
    (Affix::End("_test.dart"), "dart test"),
    (Affix::End(".bats"), "bats"),
    (Affix::End(".test.ts"), "JavaScript test files"),
    (Affix::End(".test.tsx"), "JavaScript test files"),
    (Affix::End(".test.js"), "JavaScript test files"),
    (Affix::End(".spec.ts"), "JavaScript test files"),
    (Affix::End(".spec.js"), "JavaScript test files"),
    (Affix::End("_test.py"), "Python test files"),
    (Affix::Start("test_", ".py"), "Python test files"),
];

enum Affix {
    End(&'static str),
    Start(&'static str, &'static str),
}

impl Affix {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::End(end) => name.ends_with(end),
            Self::Start(start, end) => name.starts_with(start) && name.ends_with(end),
        }
    }
}

/// Commands by which CI runs tests.
const COMMANDS: &[&str] = &[
    "cargo test",
    "cargo nextest",
    "cargo miri",
    "npm test",
    "npm run test",
    "npm t ",
    "yarn test",
    "pnpm test",
    "pnpm run test",
    "bun test",
    "deno test",
    "pytest",
    "tox",
    "nox",
    "go test",
    "make test",
    "make check",
    "ctest",
    "mvn test",
    "mvn verify",
    "gradlew test",
    "gradlew check",
    "gradle test",
    "rspec",
    "rake test",
    "phpunit",
    "mix test",
    "swift test",
    "dotnet test",
    "dart test",
    "flutter test",
    "zig build test",
    "stack test",
    "cabal test",
    "dune test",
    "just test",
    "bazel test",
    "prove ",
];

const FOLDERS: &[&str] = &["tests/", "test/", "spec/", "__tests__/", "e2e/", "src/test/", "fuzz/", "t/"];

/// So many Rust files are opened to find a unit test.
const RUST_FILES_OPENED: usize = 24;

/// Finds them; what is configured comes before what names only suggest.
pub(super) fn find(files: &[Tracked], blobs: &Blobs<'_>, ci: &[Finding]) -> Vec<Finding> {
    let own: Vec<&Tracked> = files.iter().filter(|file| !super::foreign::is_vendored(&file.path)).collect();
    let found = by_name(&own)
        .chain(by_line(&own, blobs))
        .chain(npm_tests(&own, blobs))
        .chain(rust_test(&own, blobs))
        .chain(by_affix(&own))
        .chain(folders(&own))
        .chain(ci_commands(&own, blobs, ci));
    let mut once: Vec<Finding> = Vec::new();
    for finding in found {
        if once.iter().all(|other| other.what != finding.what) {
            once.push(finding);
        }
        if once.len() == MOST_FINDINGS {
            break;
        }
    }
    once
}

fn highest<'f>(files: &[&'f Tracked], fits: impl Fn(&Tracked) -> bool) -> Option<&'f Tracked> {
    files.iter().copied().filter(|file| fits(file)).min_by_key(|file| file.depth())
}

fn by_name(files: &[&Tracked]) -> impl Iterator<Item = Finding> {
    BY_NAME.iter().filter_map(move |(name, runner)| {
        highest(files, |file| file.name() == *name).map(|file| shown_by(file, runner))
    })
}

fn by_line(files: &[&Tracked], blobs: &Blobs<'_>) -> impl Iterator<Item = Finding> {
    BY_LINE.iter().filter_map(move |(name, text, runner)| {
        let file = highest(files, |file| file.name() == *name)?;
        let contents = blobs.text(file)?;
        let line = contents.lines().position(|line| match text.strip_suffix(':') {
            // A target of a Makefile begins its line; its prerequisites follow.
            Some(_) => line.starts_with(text),
            None => line.contains(text),
        })?;
        Some(shown_at(file, line, runner))
    })
}

fn npm_tests(files: &[&Tracked], blobs: &Blobs<'_>) -> impl Iterator<Item = Finding> {
    let package = highest(files, |file| file.name() == "package.json");
    package.into_iter().flat_map(move |package| {
        super::tools::scripts(package, blobs)
            .into_iter()
            .filter(|(_, script)| script.starts_with("test"))
            // What `npm init` writes for a package without tests.
            .filter(|(_, script)| !script.contains("no test specified"))
            .map(move |(line, script)| shown_at(package, line, &format!("npm {script}")))
    })
}

fn ci_commands(files: &[&Tracked], blobs: &Blobs<'_>, ci: &[Finding]) -> impl Iterator<Item = Finding> {
    let configured = ci.iter().filter_map(|finding| files.iter().find(|file| file.path == finding.at.path));
    configured.flat_map(move |file| {
        let contents = blobs.text(file).unwrap_or_default();
        contents
            .lines()
            .enumerate()
            .filter_map(|(line, text)| Some((line, command_in(text)?)))
            .map(|(line, command)| shown_at(file, line, &format!("CI runs {command}")))
            .collect::<Vec<_>>()
    })
}

/// The test command in a line of a CI configuration, with its arguments.
fn command_in(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('#') || line.starts_with("name:") || line.starts_with("- name:") {
        return None;
    }
    let at = COMMANDS
        .iter()
        .filter_map(|command| {
            let at = line.find(command)?;
            // `run-pytest-later` and `contest` are no commands.
            let before = line[..at].chars().next_back();
            let stands_alone = before.is_none_or(|c| c.is_whitespace() || "\"'`/;&|(".contains(c));
            let after = line[at + command.trim_end().len()..].chars().next();
            let ends = after.is_none_or(|c| c.is_whitespace() || "\"'`;&|)".contains(c));
            (stands_alone && ends).then_some(at)
        })
        .min()?;
    Some(line[at..].trim_end_matches(['"', '\'', '`']))
}

fn rust_test(files: &[&Tracked], blobs: &Blobs<'_>) -> Option<Finding> {
    let mut rust: Vec<&Tracked> = files.iter().copied().filter(|file| file.extension() == Some("rs")).collect();
    rust.sort_by_key(|file| !file.path.contains("test"));
    rust.iter().take(RUST_FILES_OPENED).find_map(|file| {
        let text = blobs.text(file)?;
        let line = text.lines().position(|line| line.trim_start().starts_with("#[test]"))?;
        Some(shown_at(file, line, "cargo test"))
    })
}

fn by_affix(files: &[&Tracked]) -> impl Iterator<Item = Finding> {
    BY_AFFIX.iter().filter_map(move |(affix, runner)| {
        files.iter().find(|file| affix.fits(file.name())).map(|file| shown_by(file, runner))
    })
}

fn folders(files: &[&Tracked]) -> impl Iterator<Item = Finding> {
    FOLDERS.iter().filter_map(move |folder| {
        let inside: Vec<&&Tracked> = files
            .iter()
            .filter(|file| file.path.starts_with(folder))
            .filter(|file| languages::of(file).is_some_and(|(_, sort)| sort == Sort::Code))
            .collect();
        let first = inside.first()?;
        Some(shown_by(first, &format!("{} in {folder}", counted(inside.len(), "file"))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_words_that_look_like_them() {
        for (line, command) in [
            ("      - run: cargo test --workspace", Some("cargo test --workspace")),
            ("  script: \"npm test\"", Some("npm test")),
            ("cd x && go test ./...", Some("go test ./...")),
            ("- name: run pytest", None),
            ("# cargo test", None),
            ("uses: acme/run-pytest-action@v1", None),
            ("echo contest", None),
            ("pytestify .", None),
        ] {
            assert_eq!(command_in(line), command, "{line}");
        }
    }
}
