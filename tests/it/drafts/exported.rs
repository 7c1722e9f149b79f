//! Issues as files for other trackers.

use super::text;
use crate::issues::planned;

#[test]
fn g32_issues_are_exported_as_they_stand_into_a_folder_of_their_own() {
    let (bench, gh) = planned();
    bench.run("git grill draft --drop issue:2").assert_code(0);
    bench.run("git grill draft --order 3").assert_code(0);
    bench.run("git grill draft --export ../out").assert_code(0).assert_contains("no issue was created");
    // Files bear the numbers that the others depend on.
    bench.run("ls ../out | cut -c1-3 | paste -sd' '").assert_contains("01- 03-");
    assert_eq!(bench.read("../out/03-show-that-it-works.md"), text(&bench, "issue:3"));
    assert!(text(&bench, "issue:3").contains("depends_on: [1]"));
    bench.run("git grill --json draft --export ../again").assert_code(0).assert_contains("\"files\":[\"0");
    assert_eq!(gh.issues(), []);
    bench.run("git grill draft --export ../out").assert_code(1).assert_contains("something is there already");
    for inside in ["issues", ".git/issues", "."] {
        bench
            .run(&format!("git grill draft --export {inside}"))
            .assert_code(1)
            .assert_contains("git grill select github-issues --path");
    }
    bench.run("CLAUDECODE=1 git grill draft --export ../agents").assert_code(3);
    bench.run("ls -d issues ../agents ../.*grill*").assert_code(2);
    // A script may approve here, and names no folder whose files make programs run.
    for folder in ["~/.claude/commands", "../.cursor/rules"] {
        bench.run(&format!("git grill draft --export {folder}")).assert_code(3).assert_contains("make programs run");
    }
    bench.run("ls -d ~/.claude ../.cursor").assert_code(2);
    bench.run("git grill verify").assert_code(0);
}
