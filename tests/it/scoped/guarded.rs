//! What the guard lets an agent type meanwhile.

use super::output;
use crate::bench::Bench;

fn judged(bench: &Bench, command: &str) -> bool {
    let payload = serde_json::json!({ "cwd": bench.repo(), "tool_name": "Bash", "tool_input": { "command": command } });
    let output = bench.run_with_input("git-grill guard --for claude", payload.to_string());
    assert!(matches!(output.code, 0 | 2), "{command}: {}", output.stderr);
    output.code == 0
}

#[test]
fn g33_the_guard_lets_an_agent_add_and_commit_what_is_approved_and_ask_for_nothing_more() {
    let bench = output(true);
    for command in [
        "git add docs/d.md",
        "git add docs/d.md && git commit -m 'what was approved'",
        "git commit -m x -- docs/d.md",
        "git status",
        "git grill status",
    ] {
        assert!(judged(&bench, command), "{command} was refused");
    }
    for command in [
        "git add .",
        "git add docs",
        "git add docs/D.md",
        "git commit -am x",
        "git commit --amend -m x",
        "git commit --no-verify -m x",
        "git -c core.hooksPath=/dev/null commit -m x",
        "git reset --hard",
        "git merge other",
        "git tag v2",
        "git branch new",
        "git switch other",
        "git push up main",
        "git rm docs/d.md",
        "git mv src/main.rs docs/d.md",
        "ln -sf ../src/main.rs docs/d.md",
        "mv src/main.rs docs/d.md",
        "chmod +x docs/d.md",
        "git update-ref refs/heads/main other",
        "git grill approve --commit",
        "git grill produce --commit",
        "git grill produce --undo",
        "git grill finish",
        "gh issue create --title x --body y",
        "gh issue create --repo o/r -t x -b y",
        "gh api repos/o/r/issues -f title=x",
        "gh issue edit 1 --add-label x",
    ] {
        assert!(!judged(&bench, command), "{command} passed");
    }
}
