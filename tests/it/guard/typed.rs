//! What people and scripts type: `--explain`, `--hook-line`.

use serde_json::Value;

use super::interview;
use crate::bench::Bench;

#[test]
fn explain_says_what_decides_and_needs_no_session() {
    let bench = Bench::nowhere();
    bench.run("git grill guard --explain 'git status'").assert_code(0).assert_contains("allowed: ").assert_quiet();
    bench
        .run("git grill guard --explain 'ls && rm x'")
        .assert_code(1)
        .assert_contains("refused: ")
        .assert_contains("part: ")
        .assert_quiet();
    bench.run("git grill guard --explain '-rf'").assert_code(1);
    bench.run("git grill guard --explain ''").assert_contains("");
    for line in ["git grill guard --json --explain 'rm x'", "git grill --json guard --explain 'rm x'"] {
        let said = bench.run(line).assert_code(1).assert_quiet();
        let said: Value = serde_json::from_str(said.stdout()).unwrap();
        assert_eq!(said["verdict"], "deny");
        assert!(said["part"].as_str().unwrap().starts_with("rm"), "{said}");
        assert!(said["reason"].is_string());
    }
    let said = bench.run("git grill guard --json --explain ls").assert_code(0);
    assert_eq!(said.stdout(), "{\"verdict\":\"allow\",\"reason\":null,\"part\":null}\n");
    // Nothing that a terminal would act on.
    let said = bench.run("git grill guard --explain \"$(printf 'rm \\033[2J x')\"").assert_code(1);
    assert!(!said.stdout().contains('\u{1b}'));
}

#[test]
fn the_hook_line_is_a_no_when_the_guard_is_missing_while_a_session_is_active() {
    let (held, free, nowhere) = (interview(), Bench::new(), Bench::nowhere());
    for agent in ["claude", "codex", "gemini", "grok", "cursor", "generic"] {
        let said = held.run(&format!("git grill guard --for {agent} --hook-line")).assert_code(0);
        let line = said.stdout().trim_end();
        let rm = r#"{"tool_name":"NoSuchTool","tool_input":{}}"#;
        let there = held.run_with_input(line, rm).assert_code(2).assert_stdout("");
        assert_eq!(there.stderr().lines().count(), 1, "{}", there.stderr());
        // Git is there, git-grill is not.
        let missing = |bench: &Bench| {
            let bin = bench.root().join("bin");
            std::fs::create_dir_all(&bin).unwrap();
            let git = bench.run("command -v git").assert_code(0).stdout().trim().to_owned();
            let _there = std::os::unix::fs::symlink(git, bin.join("git"));
            bench.write("line.sh", line);
            bench.run_with_input("sh=$(command -v sh); PATH=../bin $sh ./line.sh", rm)
        };
        missing(&held).assert_code(2).assert_stdout("").assert_contains("is missing or broken");
        for bench in [&free, &nowhere] {
            let heard = if agent == "cursor" { "{\"permission\":\"allow\"}\n" } else { "" };
            missing(bench).assert_code(0).assert_stdout(heard);
        }
    }
    free.run("git grill guard --hook-line").assert_code(2);
}
