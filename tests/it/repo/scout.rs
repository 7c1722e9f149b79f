//! What the repository shows: on small repositories whose every finding is known.

use std::ffi::OsStr;

use git_grill::app::ports::{Look, Scout};
use git_grill::domain::facts::{Finding, Inspection, RepoFacts};
use git_grill::domain::text::Topic;
use git_grill::repo::open::Opened;
use git_grill::repo::scout::RepoScout;

use super::Bench;

pub(super) fn look(opened: &Opened, topic: &str) -> RepoFacts {
    look_for(opened, topic, &|| true)
}

pub(super) fn look_for(opened: &Opened, topic: &str, keep_going: &dyn Fn() -> bool) -> RepoFacts {
    let inspect = Inspection::ALL.iter().copied().collect();
    scout(opened, keep_going).look(&Look { topic: &Topic::parse(topic).unwrap(), inspect: &inspect, earlier: &[] })
}

pub(super) fn scout<'a>(opened: &'a Opened, keep_going: &'a dyn Fn() -> bool) -> RepoScout<'a> {
    RepoScout { opened, origin: None, sparse: false, keep_going }
}

/// Findings as `what @ place`.
pub(super) fn said(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{} @ {}", finding.what, finding.at)).collect()
}

const LIMITER: &str =
    "use std::time::Duration;\n\n/// Holds callers back.\npub struct RateLimiter {\n    per_second: u32,\n}\n";

pub(super) fn service() -> Bench {
    Bench::with_files(&[
        ("Cargo.toml", "[package]\nname = \"svc\"\nlicense = \"MIT OR Apache-2.0\"\n"),
        ("Cargo.lock", "rate limiter rate limiter rate limiter\n"),
        ("README.md", "# svc\n\nServes things over HTTP,\nquickly. More.\n"),
        ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, … without restriction\n"),
        (".github/workflows/ci.yml", "name: checks\njobs:\n  a:\n    steps:\n      - run: cargo test --all\n"),
        ("Makefile", "all:\n\tcargo build\ncheck: all\n\tcargo test\n"),
        ("docs/adr/0001-store.md", "# 1. Use sqlite\n\nBecause.\n"),
        ("docs/adr/0002-limits.md", "# 2. Limit the rate at the edge\n"),
        ("docs/adr/template.md", "# Title\n"),
        ("src/main.rs", "mod limiter;\nfn main() { serve() }\n"),
        ("src/limiter.rs", LIMITER),
        ("src/store.rs", "pub fn save() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it_saves() {}\n}\n"),
        ("src/http/server.rs", "fn serve() { limiter.check(); }\n"),
        ("tests/api.rs", "#[test]\nfn api() {}\n"),
        ("vendor/limit/lib.rs", "pub struct RateLimiter;\n"),
        ("web/app.ts", "const rate = 1;\n"),
        ("data.bin", "rate\0limit"),
    ])
}

#[test]
fn g15_every_kind_of_finding_comes_with_its_place() {
    let bench = service();
    let facts = look(&bench.opened("r"), "Add rate limiting to the API");
    assert!(facts.looked && !facts.truncated);
    assert_eq!((facts.name.as_str(), facts.files), ("svc", 17));
    let languages: Vec<_> = facts
        .languages
        .iter()
        .map(|language| (language.name.as_str(), language.files, language.example.path.as_str()))
        .collect();
    assert_eq!(languages[0], ("Rust", 5, "src/limiter.rs"), "the vendored file does not count");
    assert!(languages.contains(&("TypeScript", 1, "web/app.ts")));
    assert_eq!(said(&facts.build), ["cargo @ Cargo.toml", "make @ Makefile"]);
    assert_eq!(said(&facts.ci), ["GitHub Actions: checks @ .github/workflows/ci.yml:1"]);
    assert_eq!(
        said(&facts.tests),
        [
            "make check @ Makefile:3",
            "cargo test @ tests/api.rs:1",
            "1 file in tests/ @ tests/api.rs",
            "CI runs cargo test --all @ .github/workflows/ci.yml:5",
        ]
    );
    assert_eq!(said(&facts.licence), ["MIT @ LICENSE", "MIT OR Apache-2.0 @ Cargo.toml:3"]);
    assert_eq!(said(facts.readme.as_slice()), ["svc: Serves things over HTTP, quickly. @ README.md:1-4"]);
    assert_eq!(
        said(&facts.decisions),
        ["2. Limit the rate at the edge @ docs/adr/0002-limits.md:1", "1. Use sqlite @ docs/adr/0001-store.md:1"]
    );
    assert_eq!(facts.recent, ["the beginning"]);
}

#[test]
fn g15_what_touches_the_topic_is_cited_with_its_line_and_blob() {
    let bench = service();
    let opened = bench.opened("r");
    let facts = look(&opened, "Add rate limiting to the API");
    let best = &facts.related[0];
    assert_eq!(best.at.to_string(), "src/limiter.rs:4");
    assert_eq!(best.excerpt, "pub struct RateLimiter {");
    assert_eq!(best.matches, ["rate", "limiting"]);
    let blob = bench.git("r", &["rev-parse", "HEAD:src/limiter.rs"]);
    assert_eq!(best.at.blob.as_ref().unwrap().as_str(), blob);
    let paths: Vec<_> = facts.related.iter().map(|related| related.at.path.as_str()).collect();
    for outsider in ["vendor/limit/lib.rs", "Cargo.lock", "data.bin", "src/store.rs"] {
        assert!(!paths.contains(&outsider), "{outsider} in {paths:?}");
    }
    assert!(paths.contains(&"docs/adr/0002-limits.md") && paths.contains(&"tests/api.rs"), "{paths:?}");
    // Every citation can be checked: the blob is the one at HEAD, and the line exists.
    for evidence in facts.citations() {
        let at_head = bench.git("r", &["rev-parse", &format!("HEAD:{}", evidence.path)]);
        assert_eq!(evidence.blob.as_ref().unwrap().as_str(), at_head);
        if let Some((_, last)) = evidence.lines {
            let text = bench.git("r", &["cat-file", "blob", &at_head]);
            assert!(usize::try_from(last).unwrap() <= text.lines().count(), "{evidence}");
        }
    }
    assert_eq!(facts, look(&opened, "Add rate limiting to the API"), "and again the same");
    assert!(look(&opened, "Knit a sweater").related.is_empty());
}

#[test]
fn looking_changes_nothing_not_even_the_index() {
    let bench = service();
    bench.write("r/src/untracked_rate_limit.rs", "fn rate_limit() {}\n");
    let print = || bench.git("r", &["for-each-ref"]) + &format!("{:?}", std::fs::read(bench.path("r/.git/index")));
    let before = print();
    let facts = look(&bench.opened("r"), "rate limit");
    assert_eq!(before, print());
    assert!(facts.related.iter().all(|related| !related.at.path.contains("untracked")));
}

#[test]
fn other_ecosystems_are_known_too() {
    let bench = Bench::with_files(&[
        (
            "package.json",
            "{\n \"license\": \"ISC\",\n \"scripts\": {\n  \"build\": \"tsc -p .\",\n  \"test\": \"vitest run\"\n }\n}\n",
        ),
        ("pnpm-lock.yaml", ""),
        ("pyproject.toml", "[project]\nname = \"x\"\n[tool.pytest.ini_options]\n"),
        ("uv.lock", ""),
        ("go.mod", "module x\n"),
        ("a_test.go", "package x\n"),
        (".gitlab-ci.yml", "test:\n  script: \"pytest -q\"\n"),
        ("Jenkinsfile", "node {}\n"),
        ("LICENSE-APACHE", "Apache License\nVersion 2.0\n"),
        ("README", "Tool\n====\n\nIt does.\n"),
        ("DESIGN.md", "# How it is made\n"),
    ]);
    let facts = look(&bench.opened("r"), "x");
    assert_eq!(
        said(&facts.build),
        [
            "npm package @ package.json",
            "pnpm @ pnpm-lock.yaml",
            "Python project @ pyproject.toml",
            "uv @ uv.lock",
            "go modules @ go.mod",
            "npm script build: tsc -p . @ package.json:4",
            "npm script test: vitest run @ package.json:5",
        ]
    );
    assert_eq!(said(&facts.ci), ["GitLab CI @ .gitlab-ci.yml", "Jenkins @ Jenkinsfile"]);
    assert_eq!(
        said(&facts.tests),
        [
            "pytest @ pyproject.toml:3",
            "npm test: vitest run @ package.json:5",
            "go test @ a_test.go",
            "CI runs pytest -q @ .gitlab-ci.yml:2",
        ]
    );
    assert_eq!(said(&facts.licence), ["Apache-2.0 @ LICENSE-APACHE", "ISC @ package.json:2"]);
    assert_eq!(said(facts.readme.as_slice()), ["Tool: It does. @ README:1-4"]);
    assert_eq!(said(&facts.decisions), ["How it is made @ DESIGN.md:1"]);
}

#[test]
fn it_is_called_after_its_remote() {
    let bench = service();
    let opened = bench.opened("r");
    let inspect = Inspection::ALL.iter().copied().collect();
    for (url, name) in [
        ("git@example.org:acme/widgets.git", "widgets"),
        ("https://example.org/acme/widgets/", "widgets"),
        ("/", "svc"),
    ] {
        let scout = RepoScout { origin: Some(url), ..scout(&opened, &|| true) };
        let look = Look { topic: &Topic::parse("x").unwrap(), inspect: &inspect, earlier: &[] };
        assert_eq!(scout.look(&look).name, name, "{url}");
    }
}

#[test]
fn without_a_remote_or_a_manifest_it_is_called_after_its_folder() {
    let bench = Bench::with_files(&[("notes.txt", "x\n")]);
    assert_eq!(look(&bench.opened("r"), "notes").name, "r");
}

#[test]
fn hostile_text_is_shown_harmlessly() {
    let bench = Bench::with_files(&[
        ("README.md", "# a\u{1b}]0;title\u{7}b\n"),
        ("rate.rs", &format!("// rate \u{1b}[2J {}\n", "x".repeat(500))),
    ]);
    bench.git(
        "r",
        &[
            OsStr::new("commit"),
            OsStr::new("-q"),
            OsStr::new("--allow-empty"),
            OsStr::new("-m"),
            OsStr::new("s\u{1b}[31m"),
        ],
    );
    let facts = look(&bench.opened("r"), "rate");
    let all = serde_json::to_string(&facts).unwrap();
    assert!(!all.contains("\\u001b") && !all.contains("\\u0007"), "{all}");
    assert!(facts.related[0].excerpt.chars().count() <= 120);
}
