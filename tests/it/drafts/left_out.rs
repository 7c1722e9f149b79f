//! Drafts that are left out.

use super::{commits, drafts, stage, text};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::issues::planned;

#[test]
fn g32_what_depends_on_an_issue_that_is_left_out_depends_on_it_no_more() {
    let (bench, gh) = planned();
    assert!(text(&bench, "issue:3").contains("depends_on: [1, 2]"));
    let before: usize = commits(&bench).parse().unwrap();
    bench
        .run("git grill draft --drop issue:1")
        .assert_code(0)
        .assert_contains("left out issue:1")
        .assert_contains("-depends_on: [1, 2]")
        .assert_contains("+depends_on: [2]");
    assert_eq!(commits(&bench), (before + 1).to_string(), "all of it is one commit");
    assert!(text(&bench, "issue:3").contains("depends_on: [2]"));
    assert!(text(&bench, "issue:2").contains("depends_on: []"));
    // It stays left out, and is taken up again by who edits it.
    bench.run(&format!("{} git grill approve", gh.first_in_path())).assert_code(0);
    assert_eq!((gh.issues().len(), stage(&bench, "issue:1")), (2, "dropped".to_owned()));
    bench.run("git grill draft --drop issue:2").assert_code(1).assert_contains("was produced already");
    bench.run("git grill --json draft issue:1 > ../one.json").assert_code(0);
    bench.write("../same.md", text(&bench, "issue:1"));
    bench.run("git grill draft --edit issue:1 --from ../same.md").assert_code(0);
    assert_eq!(stage(&bench, "issue:1"), "drafted");
}

#[test]
fn g32_those_that_go_together_go_whatever_they_depend_on() {
    let (bench, _gh) = planned();
    let two = text(&bench, "issue:2");
    bench.run("git grill draft --drop issue:1 issue:2").assert_code(0);
    assert_eq!((stage(&bench, "issue:1"), stage(&bench, "issue:2")), ("dropped".to_owned(), "dropped".to_owned()));
    assert_eq!(text(&bench, "issue:2"), two, "what is left out stays as it was");
    assert!(text(&bench, "issue:3").contains("depends_on: []"));
    // Two that an agent made depend on one another hold each other back, and go all the same.
    for (issue, other) in [(1, 3), (3, 1)] {
        let knot = format!(r#"{{"issue":{issue},"title":"Knot","body":"x","dependsOn":[{other}]}}"#);
        bench.run(&format!("echo '{knot}' | CLAUDECODE=1 git grill tool grill_submit_draft")).assert_code(0);
    }
    bench.run("git grill draft --drop issue:3 issue:1").assert_code(0);
    bench.run("git grill draft --drop issue:1 issue:7").assert_code(1).assert_contains("no draft for issue:7");
    bench.run("git grill draft --drop").assert_code(2);
}

#[test]
fn g32_issues_as_files_name_the_files_that_they_depend_on_and_none_that_is_left_out() {
    let (bench, _gh) = planned();
    bench.run("git grill finish && git grill select github-issues --path issues").assert_code(0);
    let files: Vec<String> = drafts(&bench).iter().map(|draft| draft["path"].as_str().unwrap().to_owned()).collect();
    let [one, two, three] = files.as_slice() else { panic!("{files:?}") };
    assert!(text(&bench, two).contains(&format!("depends_on: [\"{one}\"]\n")));
    let before: usize = commits(&bench).parse().unwrap();
    bench
        .run(&format!("git grill draft --drop {one}"))
        .assert_code(0)
        .assert_contains(&format!("-depends_on: [\"{one}\", \"{two}\"]"))
        .assert_contains(&format!("+depends_on: [\"{two}\"]"));
    assert_eq!(commits(&bench), (before + 1).to_string(), "all of it is one commit");
    // They are made anew without it, too.
    bench.run("git grill produce").assert_code(0);
    assert!(bench.read(two).contains("depends_on: []\n"));
    assert!(bench.read(three).contains(&format!("depends_on: [\"{two}\"]\n")));
    assert!(!bench.repo().join(one).exists());
    // A file that somebody handed in may name another one by its number.
    bench.run("git grill produce --undo").assert_code(0);
    bench.write("../mine.md", "---\ntitle: Mine\ndepends_on: [2]\n---\n");
    bench
        .run(&format!("git grill draft --edit {three} --from ../mine.md && git grill draft --drop {two}"))
        .assert_code(0);
    assert_eq!(text(&bench, three), "---\ntitle: Mine\ndepends_on: []\n---\n");
}

#[test]
fn g31_what_is_left_out_is_not_approved_and_an_edit_takes_it_up_again() {
    let (bench, _gh) = planned();
    bench.run("git grill draft --drop issue:1").assert_code(0);
    bench
        .run("git grill approve issue:1")
        .assert_code(1)
        .assert_contains("nothing was approved: issue:1 is left out")
        .assert_contains("git grill draft --edit issue:1 takes it up again");
    // What is saved as it was is taken up, too.
    Sitting::at(&bench, &["draft", "--edit", "issue:1"], 50, 100, &[("GIT_EDITOR", "true")]).ends_with(0);
    assert_eq!(stage(&bench, "issue:1"), "drafted");
}

#[test]
fn g31_an_edited_draft_that_is_left_out_says_how_it_comes_back_and_what_prints_it() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    let drop = "git grill draft --drop docs/limits.md";
    bench.run(drop).assert_code(0).assert_contains("left out docs/limits.md").assert_lacks("edited text");
    bench.run_with_input("git grill draft --edit docs/limits.md --from -", "words of mine\n").assert_code(0);
    let left_out = bench.run(drop).assert_code(0);
    left_out.assert_contains("its edited text is kept: git grill draft --edit docs/limits.md takes it up again");
    let blob = bench.run("echo words of mine | git hash-object --stdin").assert_code(0);
    let blob = blob.stdout().trim();
    bench.run(&format!("git show {blob}")).assert_code(0).assert_stdout("words of mine\n");
}
