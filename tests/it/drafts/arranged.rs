//! Issues arranged in a list in the person's editor.

use super::{commits, drafts, stage, text};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::issues::planned;

/// `git grill draft --arrange` at a terminal whose editor is this shell script.
fn arrange(bench: &Bench, script: &str) -> Sitting {
    bench.write("../editor.sh", script);
    let editor = format!("sh {}/editor.sh", bench.root().display());
    Sitting::at(bench, &["draft", "--arrange"], 50, 100, &[("GIT_EDITOR", &editor)])
}

fn order(bench: &Bench) -> String {
    let all = drafts(bench);
    let names: Vec<&str> =
        all.iter().map(|draft| draft["path"].as_str().unwrap().trim_start_matches("issue:")).collect();
    names.join(" ")
}

#[test]
fn g32_lines_are_moved_dropped_and_taken_up_again_in_one_commit() {
    let (bench, _gh) = planned();
    let before: usize = commits(&bench).parse().unwrap();
    // The last one first, the first one deleted.
    let script = "cp \"$1\" ../list && { sed -n 3p ../list; sed -n 2p ../list; } > \"$1\"\n";
    arrange(&bench, script).ends_with(0);
    assert_eq!(bench.read("../list").lines().next(), Some("keep issue:1 What is counted: 300 a minute"));
    assert_eq!((order(&bench), stage(&bench, "issue:1")), ("3 2 1".to_owned(), "dropped".to_owned()));
    assert!(text(&bench, "issue:3").contains("depends_on: [2]"));
    assert_eq!(commits(&bench), (before + 1).to_string());
    arrange(&bench, "sed -i 's/^drop/keep/; s/^keep issue:2/d issue:2/' \"$1\"\n").ends_with(0);
    assert_eq!((stage(&bench, "issue:1"), stage(&bench, "issue:2")), ("drafted".to_owned(), "dropped".to_owned()));
    let after = commits(&bench);
    // An empty list, or one with comments alone, changes nothing.
    arrange(&bench, ": > \"$1\"\n").ends_with(5);
    arrange(&bench, "sed -i /^[kd]/d \"$1\"\n").ends_with(0);
    let mut sitting = arrange(&bench, "sed -i 's/^keep issue:1/pick issue:1/' \"$1\"\n");
    sitting.below("begins with neither keep nor drop", "[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(2);
    bench.run("grep 'pick issue:1' .git/GRILL_KEPT-1-issues.txt").assert_code(0);
    bench.run("git grill draft --arrange").assert_code(3).assert_contains("git grill draft --order 2,1");
    assert_eq!(commits(&bench), after);
}
