//! Destinations that make programs run: no draft goes there unless a person types that very path at a terminal.
//!
//! Before, every row of `fixtures/destinations.tsv` was a destination like any other: a script's `git grill select
//! design-doc --path .claude/settings.json && git grill approve` wrote the file.

use std::os::unix::fs::symlink;

use git_grill::domain::danger::{Danger, danger_of};

use crate::bench::Bench;
use crate::conversation::Sitting;

/// The rows of the table: a verdict and a path.
fn rows() -> Vec<(&'static str, String)> {
    let lines = include_str!("../../fixtures/destinations.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let (verdict, path) = line.split_once('\t').unwrap();
        (verdict, spelt(path))
    };
    lines.map(row).collect()
}

/// The path with `{hex}` as the character of that number.
fn spelt(path: &str) -> String {
    let mut parts = path.split('{');
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (hex, rest) = part.split_once('}').unwrap();
        text.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
        text += rest;
    }
    text
}

#[test]
fn every_destination_has_its_verdict() {
    let rows = rows();
    assert!(rows.len() >= 150, "{}", rows.len());
    let mut wrong = String::new();
    for (verdict, path) in rows {
        let found = danger_of(&path);
        let word = found.map_or("free", |found| Danger::ALL.iter().find(|(_, one)| *one == found).unwrap().0);
        if word != verdict {
            wrong += &format!("{path:?} is {word}, and the table says {verdict}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A session with enough answers to produce from, in which scripts may approve.
fn ready() -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'people see it'").assert_code(0);
    bench
}

/// A tool's call that opens the output selection.
const GATE: &str = r#"{"readinessRationale":"all is said","recommendedOutputs":"design-doc","question":"what comes of it?","alternatives":[{"label":"a design"},{"label":"more questions"}]}"#;

const DANGEROUS: &[&str] = &[
    ".claude/settings.json",
    ".mcp.json",
    ".github/workflows/ci.yml",
    "Makefile",
    "AGENTS.md",
    ".gitattributes",
    "sub/.VSCode/tasks.json",
    "package.json",
];

#[test]
fn a_script_or_an_agent_names_no_file_that_makes_programs_run() {
    let bench = ready();
    bench.write("Makefile", "all:\n");
    for path in DANGEROUS {
        let select = format!("git grill select design-doc --path {path}");
        bench.run(&select).assert_code(1).assert_contains(&format!("no draft is written to {path}"));
        bench.run(&format!("CLAUDECODE=1 {select}")).assert_code(1).assert_contains("git grill select <output> --path");
    }
    // Nor by a tool: not in its plan, and not as a draft of a plan that does not name it.
    let call = |tool: &str, request: &str| {
        let line = format!("CLAUDECODE=1 git grill tool {tool}");
        bench.run_with_input(&line, request)
    };
    let opened = call("grill_enter_output_selection_phase", GATE);
    assert!(!opened.stdout.contains("\"error\""), "{opened}");
    for path in DANGEROUS {
        let plan =
            format!(r#"{{"outputPlan":"a file","outputs":[{{"destination":"design-doc","paths":["{path}"]}}]}}"#);
        let refused = call("grill_enter_output_phase", &plan);
        assert!(refused.stdout.contains("makes_programs_run"), "{path}: {refused}");
        let several = plan.replace(&format!("\"{path}\"]"), &format!("\"docs/a.md\",\"{path}\"]"));
        let refused = call("grill_enter_output_phase", &several);
        assert!(refused.stdout.contains("makes_programs_run"), "{path}: {refused}");
    }
    bench.run("git grill select design-doc --path docs/d.md").assert_code(0);
    for path in DANGEROUS {
        let draft = format!(r#"{{"path":"{path}","content":"x\n"}}"#);
        let refused = call("grill_submit_draft", &draft);
        assert!(refused.stdout.contains("\"error\"") || refused.stdout.contains("refused"), "{path}: {refused}");
        assert!(*path == "Makefile" || !bench.repo().join(path).exists(), "{path}");
    }
    assert_eq!(bench.read("Makefile"), "all:\n");
}

#[test]
fn a_person_types_the_path_is_told_what_it_can_do_and_says_yes() {
    for (answer, chosen) in [("n", false), ("y", true)] {
        let bench = ready();
        let words = ["select", "design-doc", "--path", ".claude/commands/limits.md"];
        let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
        sitting.pty.wait_for("coding agents read it");
        sitting.pty.wait_for("Write a draft");
        sitting.pty.send(answer);
        if chosen {
            sitting.pty.wait_for("Produce design-doc");
            sitting.pty.send("y");
            sitting.pty.wait_for(".claude/commands/limits.md");
            sitting.pty.wait_until("the draft", |_| {
                bench.run("git grill status --porcelain").stdout.contains("waits for approval")
            });
            sitting.pty.hang_up();
            // The permission stands in the session, and what is approved is written.
            bench.run("git grep -h -A1 permitted GRILL_HEAD").assert_contains(".claude/commands/limits.md");
            bench.run("git grill approve").assert_code(0);
            assert!(bench.repo().join(".claude/commands/limits.md").exists());
        } else {
            sitting.pty.wait_for("choosing outputs was cancelled");
            bench.run("git grill status --porcelain").assert_contains("phase\tinterview");
        }
    }
}

/// A symlink in the clone, what it holds, a destination that passes through it, and where that leads.
const LINKS: &[(&str, &str, &str, &str)] = &[
    ("docs/design", "../.claude/commands", "docs/design/x.md", ".claude/commands/x.md"),
    ("docs/agents-link.md", "../AGENTS.md", "docs/agents-link.md", "AGENTS.md"),
    ("docs/gh", "../.github", "docs/gh/workflows/x.yml", ".github/workflows/x.yml"),
    ("docs/build.md", "../Makefile", "docs/build.md", "Makefile"),
    ("docs/twice", "gh2", "docs/twice/x.md", ".vscode/x.md"),
];

/// A repository with every link of the table, in which nothing that they lead to exists.
fn linked() -> Bench {
    let bench = ready();
    std::fs::create_dir_all(bench.repo().join("docs")).unwrap();
    symlink("../.vscode", bench.repo().join("docs/gh2")).unwrap();
    for (link, to, ..) in LINKS {
        symlink(to, bench.repo().join(link)).unwrap();
    }
    bench
}

/// Before, only the typed name was judged: a script's `git grill select design-doc && git grill approve` wrote
/// `.claude/commands/….md` where `docs/design` was a link to that folder.
#[test]
fn a_symlink_leads_no_draft_to_a_file_that_makes_programs_run() {
    for existing in [false, true] {
        let bench = linked();
        for (.., to) in LINKS.iter().filter(|_| existing) {
            bench.write(to, "mine\n");
        }
        for (.., path, to) in LINKS {
            let select = format!("git grill select design-doc --path {path}");
            let leads = format!("{path} is no destination of a draft: it leads to {to}, and ");
            let hint = format!("git grill select <output> --path {to}");
            for line in [select.clone(), format!("CLAUDECODE=1 {select}")] {
                bench.run(&line).assert_code(1).assert_contains(&leads).assert_contains(&hint);
            }
        }
        // Nor by the default place.
        bench.run("git grill select design-doc").assert_code(1).assert_contains("leads to .claude/commands/");
        bench.run("git grill status --porcelain").assert_contains("phase\tinterview");
        for (.., to) in LINKS {
            let text = std::fs::read_to_string(bench.repo().join(to)).ok();
            assert_eq!(text.as_deref(), existing.then_some("mine\n"), "{to}");
        }
    }
}

#[test]
fn a_tool_plans_no_path_whose_symlink_leads_to_such_a_file() {
    let bench = linked();
    let call = |tool: &str, request: &str| {
        let line = format!("CLAUDECODE=1 git grill tool {tool}");
        bench.run_with_input(&line, request)
    };
    let opened = call("grill_enter_output_selection_phase", GATE);
    assert!(!opened.stdout.contains("\"error\""), "{opened}");
    let refuses = |paths: &str, to: &str| {
        let plan = format!(r#"{{"outputPlan":"a file","outputs":[{{"destination":"design-doc","paths":[{paths}]}}]}}"#);
        let refused = call("grill_enter_output_phase", &plan);
        assert!(refused.stdout.contains("makes_programs_run"), "{paths}: {refused}");
        assert!(refused.stdout.contains(&format!("it leads to {to}, and ")), "{paths}: {refused}");
    };
    for (.., path, to) in LINKS {
        refuses(&format!("\"{path}\""), to);
    }
    // Of several paths each is judged; the default place, which is judged too, is no link here.
    std::fs::remove_file(bench.repo().join("docs/design")).unwrap();
    for (.., path, to) in &LINKS[1..] {
        refuses(&format!("\"docs/a.md\",\"{path}\""), to);
    }
}

#[test]
fn a_folder_that_becomes_a_symlink_after_the_draft_writes_nothing() {
    for approve in ["git grill approve", "git grill draft", "git grill produce"] {
        let bench = ready();
        bench.run("git grill select design-doc --path docs/late/x.md").assert_code(0);
        std::fs::create_dir_all(bench.repo().join("docs")).unwrap();
        symlink("../.claude/commands", bench.repo().join("docs/late")).unwrap();
        let refused = bench.run(approve);
        assert!(!bench.repo().join(".claude").exists(), "{refused}");
        if approve == "git grill approve" {
            refused.assert_code(1).assert_contains(
                "docs/late/x.md is no destination of a draft: it leads to .claude/commands/x.md, and ",
            );
        }
    }
}

/// What leads to a file that nothing runs by is written there as before, and a person may name the file itself.
#[test]
fn a_symlink_to_a_harmless_place_is_followed() {
    let bench = ready();
    std::fs::create_dir_all(bench.repo().join("docs")).unwrap();
    symlink("../notes", bench.repo().join("docs/design")).unwrap();
    bench.run("git grill select design-doc --path docs/design/x.md").assert_code(0);
    bench.run("git grill approve").assert_code(0);
    assert!(bench.repo().join("notes/x.md").exists());
}
