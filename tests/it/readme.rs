//! What the README claims about the command line, against the grammar itself. Its `console` blocks are played as a
//! golden session; here stands what such a block cannot show.

use std::path::Path;

use clap::{CommandFactory, Parser};
use git_grill::app::error::AppError;
use git_grill::cli::args::{Cli, Verb};
use git_grill::repo::config::keys::KEYS;

use crate::bench::Bench;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The lines of all blocks of one kind, in order.
fn lines_of(kind: &str, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut block = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(opened), None) => block = Some(opened),
            (Some(_), Some(_)) => block = None,
            (None, Some(open)) if open == kind => lines.push(line.to_owned()),
            (None, _) => {}
        }
    }
    lines
}

/// What stands between backquotes outside of blocks.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

/// What is wrong with a command line of `git grill`, if anything; names in angle brackets stand for some word.
fn complaint(line: &str) -> Option<String> {
    let words = match shell_words::split(&line.replace(['<', '>'], "")) {
        Ok(words) => words,
        Err(error) => return Some(format!("`{line}`: {error}")),
    };
    match Cli::try_parse_from(words.iter().skip(1)) {
        // A command of an extension, whatever that is called.
        Ok(Cli { verb: Some(Verb::Other(_)), .. }) if line.contains(" <extension> ") => None,
        Ok(Cli { verb: Some(Verb::Other(words)), .. }) => Some(format!("`{line}`: {words:?} is no verb")),
        Ok(_) => None,
        Err(error) if !error.use_stderr() => None,
        Err(error) => Some(format!("`{line}`: {error}")),
    }
}

/// What is wrong with a line of a `sh` block, if anything.
fn unknown_command(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match words.as_slice() {
        ["git", "grill", ..] => complaint(line),
        ["claude"] => None,
        ["cargo", "run", "--", rest @ ..] => complaint(&format!("git grill {}", rest.join(" "))),
        ["cargo", "test"] | ["cargo", "install", "--path", "."] | ["cargo", "uninstall", "git-grill"] => None,
        ["install", "-Dm644", page, target] if root.join(page).exists() && target.ends_with("/man1/git-grill.1") => {
            None
        }
        ["GRILL_AGENTS=$(.ci/agents)", "cargo", "test", ..] => {
            let tells = |place: &str, what: &str| std::fs::read_to_string(root.join(place)).unwrap().contains(what);
            let (_, options) = line.split_once(" cargo test ").unwrap();
            (!tells("tests/it/agents.rs", line) || !tells(".ci/thorough", &format!("cargo test --locked {options}'")))
                .then(|| format!("agents.rs or .ci/thorough tells another command than {line}"))
        }
        ["rm", target] if target.ends_with("/man1/git-grill.1") => None,
        _ => Some(format!("nobody knows whether this works: {line}")),
    }
}

#[test]
fn the_readme_names_every_verb_and_every_key() {
    let readme = readme();
    for verb in Cli::command().get_subcommands() {
        let row = format!("\n| `{}` |", verb.get_name());
        assert!(readme.contains(&row), "no row for {}", verb.get_name());
    }
    for key in KEYS {
        let words: Vec<&str> = key.kind.allowed();
        let row = readme.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{}`", key.name)));
        let row = row.unwrap_or_else(|| panic!("no row for {}", key.name));
        for word in words.iter().filter(|_| matches!(key.kind, git_grill::repo::config::keys::Kind::Choice(_))) {
            assert!(row.contains(&format!("`{word}`")), "{} takes {word}", key.name);
        }
        assert!(key.default.is_empty() || row.contains(&format!("`{}`", key.default)), "the default of {}", key.name);
    }
}

#[test]
fn the_readme_begins_with_the_two_commands_and_they_exist() {
    let lines = lines_of("sh", &readme());
    assert_eq!(lines[..2], ["cargo run -- demo", "cargo test"]);
    let complaints: Vec<String> = lines.iter().filter_map(|line| unknown_command(line)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn g55_the_first_way_that_is_shown_is_with_your_own_agent_and_the_built_in_one_is_the_way_without() {
    let readme = readme();
    let mut starts = readme.match_indices("git grill start").map(|(at, _)| &readme[at..]);
    // Help is no way to begin.
    let shown = starts.find(|shown| !shown.starts_with("git grill start -h")).unwrap();
    let first = shown.lines().next().unwrap();
    assert!(first.starts_with("git grill start --interviewer "), "{first}");
    let at = |what: &str| readme.find(what).unwrap_or_else(|| panic!("the README does not say {what}"));
    let (section, own, without) =
        (at("\n## A first session\n"), at("\n**With your own coding agent.**"), at("\n**Without an agent.**"));
    let next = section + 1 + readme[section + 1..].find("\n## ").unwrap();
    assert!(section < own && own < without && without < next, "both stand in the first session, the own agent first");
}

/// `cargo run` starts it within the clone, and the clone's own folders are no place to look for programs in.
#[test]
fn g51_the_demo_plays_within_the_repository_that_the_program_lies_in() {
    let bench = Bench::new();
    bench.run("mkdir -p target/debug && cp \"$(command -v git-grill)\" target/debug").assert_code(0);
    bench
        .run("PATH=$(dirname \"$(command -v git)\"):/usr/bin:/bin; target/debug/git-grill demo")
        .assert_code(0)
        .assert_contains("The repository was removed");
}

/// The throw-away user's script approves, an agent's variable is nobody's terminal, and nothing is left behind.
#[test]
fn p23_the_demo_of_plan_mode_plays_without_the_program_in_path() {
    let bench = Bench::new();
    bench.run("mkdir -p target/debug && cp \"$(command -v git-grill)\" target/debug").assert_code(0);
    let played = bench
        .run("PATH=$(dirname \"$(command -v git)\"):/usr/bin:/bin; target/debug/git-grill demo --plan")
        .assert_code(0)
        .assert_contains("plan mode keeps the session read-only")
        .assert_contains("the notes on its steps are not answered yet")
        .assert_contains("Note on step 2: with a 429, and say when to come back")
        .assert_contains(
            "☑ 1. Count requests per key in src/auth.rs\n◐ 2. Answer 429 with Retry-After in src/server.rs",
        )
        .assert_contains("The repository was removed");
    assert!(played.stdout().lines().count() < 120, "short enough to be read: {}", played.stdout());
    bench.run("git for-each-ref refs/grill").assert_stdout("");
}

#[test]
fn the_demo_of_a_debate_plays_without_the_program_in_path() {
    let bench = Bench::on_disk(Bench::new);
    bench.run("mkdir -p target/debug && cp \"$(command -v git-grill)\" target/debug").assert_code(0);
    let played = bench
        .run("PATH=$(dirname \"$(command -v git)\"):/usr/bin:/bin; target/debug/git-grill demo --debate")
        .assert_code(0)
        .assert_contains("not there: there is no such file")
        .assert_contains("before 2 rounds are complete; 0 complete so far")
        .assert_contains("ended by agreement after 3 rounds")
        .assert_contains("- Counted in the shared Redis.")
        .assert_contains("The repository was removed");
    assert!(played.stdout().lines().count() < 120, "short enough to be read: {}", played.stdout());
    bench.run("git for-each-ref refs/grill").assert_stdout("");
}

#[test]
fn every_command_line_in_its_prose_is_one_of_the_grammar() {
    let readme = readme();
    let lines: Vec<&str> = quoted(&readme).into_iter().filter(|code| code.starts_with("git grill ")).collect();
    assert!(lines.len() > 10, "{lines:?}");
    let complaints: Vec<String> = lines.iter().filter_map(|line| complaint(line)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_checks_notice_what_is_not_there() {
    for wrong in ["git grill frobnicate", "git grill status --nope", "git grill answer --choose two"] {
        assert!(complaint(wrong).is_some(), "{wrong}");
    }
    for wrong in ["cargo run -- show", "cargo frob", "install -Dm644 man/other.1 x/man1/git-grill.1"] {
        assert!(unknown_command(wrong).is_some(), "{wrong}");
    }
    assert_eq!(complaint("git grill start -h"), None);
    assert_eq!(lines_of("sh", "```sh\na\n```\n```console\nb\n```\n```sh\nc\n```"), ["a", "c"]);
}

#[test]
fn the_readme_and_the_manual_list_every_exit_code() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("man/git-grill.1")).unwrap();
    let section = page.split(".SH ").find(|section| section.starts_with("EXIT STATUS")).unwrap();
    let readme = readme();
    let errors = [AppError::NoSession, AppError::Cancelled("x"), AppError::Contended(1), AppError::Interrupted];
    let codes = errors.iter().chain([&AppError::ReaderGone]).map(|error| error.exit_code().to_string());
    for code in codes.chain(["0", "1", "2", "3", "70", "128"].map(str::to_owned)) {
        let listed = |cell: &str| cell.split([',', ' ', '"']).any(|word| word == code);
        let row = |line: &str| line.starts_with('|') && line.split('|').nth(1).is_some_and(listed);
        assert!(readme.lines().any(row), "the README does not list {code}");
        assert!(section.lines().any(|line| line.starts_with(".B") && listed(line)), "the manual does not list {code}");
    }
}

#[test]
fn the_readme_names_the_oldest_rust_that_builds_it() {
    let version = env!("CARGO_PKG_RUST_VERSION");
    assert!(readme().matches(&format!("Rust {version}")).count() >= 1, "Rust {version}");
}

/// What holds a lent agent to its profile is told of each agent, with the version that it was tried with (A4).
#[test]
#[cfg(feature = "acp")]
fn a4_the_table_of_what_holds_lent_agents_names_each_with_its_version_and_what_it_asks() {
    use git_grill::agents::Preset;
    use git_grill::agents::acp::Leads;
    use git_grill::domain::agents::profile::Asks;
    let text = readme();
    for preset in Preset::all().filter(|preset| preset.leads == Leads::OverAcp) {
        let rows: Vec<&str> =
            text.lines().filter(|line| line.starts_with(&format!("| {} (", preset.title()))).collect();
        let row = rows.iter().find(|row| row.contains("the kernel")).unwrap_or_else(|| panic!("{}", preset.title()));
        assert!(row.contains(preset.tried.unwrap()), "{row}");
        assert_eq!(row.contains("nothing: it does not ask"), preset.asks == Asks::Nothing, "{row}");
    }
}
