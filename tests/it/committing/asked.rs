//! What is committed, with which message, and who may ask for it.

use super::{changed, drafted, refused, state, trailers};
use crate::bench::Bench;

#[test]
fn g31_one_commit_holds_the_written_file_and_leaves_what_else_is_staged() {
    let bench = Bench::new();
    bench.commit("other", "one\n");
    drafted(&bench, "docs/limits.md");
    // Staged, staged and edited again, edited, untracked: none of it is ours.
    bench.write("other", "two\n");
    bench.write("both", "staged\n");
    bench.run("git add other both && echo more >both && echo edited >README.md && echo x >new").assert_code(0);
    let others = "git status --porcelain -- . ':!docs' && git diff --cached -- . ':!docs' && git diff";
    let before = bench.run(others).stdout;
    let done = bench.run("git grill approve --commit").assert_code(0);
    done.assert_contains("committed docs/limits.md on main as").assert_contains("docs: rate limiting (design-doc)");
    assert_eq!(changed(&bench.at(".")), "A\tdocs/limits.md\n");
    assert_eq!(bench.run(others).stdout, before);
    assert_eq!(bench.run("git status --porcelain docs").stdout, "");
    let told = bench.run("git log -1 '--format=%an %s'").stdout;
    assert_eq!(told, "Ada Author docs: rate limiting (design-doc)\n");
    // Asked again: nothing more, and nothing noted twice.
    let (head, noted) = (state(&bench), bench.run("git rev-list --count GRILL_HEAD").stdout);
    bench.run("git grill produce --commit").assert_code(0).assert_contains("nothing to commit: all of it is committed");
    assert_eq!((state(&bench), bench.run("git rev-list --count GRILL_HEAD").stdout), (head, noted));
}

#[test]
fn g31_the_trailers_name_the_session_and_its_decisions_and_git_reads_them() {
    let bench = Bench::new();
    drafted(&bench, "docs/limits.md");
    bench
        .run("git grill approve --commit -m 'Limit what a call costs' -m 'See #12.' -m 'Reviewed-by: Bo <b@x>'")
        .assert_code(0);
    let session = bench.run("git symbolic-ref GRILL_HEAD").stdout;
    let session = session.trim().rsplit('/').next().unwrap();
    let read = trailers(&bench.at("."));
    assert_eq!(read[0], "Reviewed-by: Bo <b@x>");
    assert_eq!(read[1], format!("Grill-Session: {session}"));
    assert_eq!(
        read[2..],
        [
            "Grill-Decision: The limit counts what a call costs, so that one expensive call weighs as much as…",
            "Grill-Decision: Only one entry point becomes public",
        ]
    );
    let message = bench.run("git log -1 --format=%B").stdout;
    assert!(message.starts_with("Limit what a call costs\n\nSee #12.\n\nReviewed-by: "), "{message}");
}

#[test]
fn g31_no_configuration_of_trailers_acts_on_ours_or_starts_a_program() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    for setting in [
        "trailer.grill-session.cmd 'touch ../ran; echo'",
        "trailer.grill-decision.command 'touch ../ran; echo x'",
        "trailer.grill-decision.ifexists replace",
        "trailer.more.key 'More: '",
        "trailer.more.cmd 'touch ../ran; echo more'",
        "trailer.ifmissing doNothing",
        "trailer.where start",
    ] {
        bench.run(&format!("git config {setting}")).assert_code(0);
    }
    bench.run("git grill approve --commit -m 'Limit it' -m 'Reviewed-by: Bo <b@x>'").assert_code(0);
    assert!(!bench.root().join("ran").exists());
    let message = bench.run("git log -1 --format=%B").stdout;
    assert!(message.starts_with("Limit it\n\nReviewed-by: Bo <b@x>\nGrill-Session: "), "{message}");
    assert_eq!(message.matches("\nGrill-Decision: ").count(), 2, "{message}");
}

#[test]
fn g31_a_decision_that_answers_a_question_is_named_with_it_and_many_are_counted() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off --intensity gentle 'rate limiting'").assert_code(0);
    while bench.run("git grill status --porcelain").stdout.contains("\nquestion") {
        bench.run("git grill answer --choose 1").assert_code(0);
    }
    bench.run("git grill select design-doc --path d.md && git grill approve --commit").assert_code(0);
    let read = trailers(&bench.at("."));
    let decided: Vec<&String> = read.iter().filter(|one| one.starts_with("Grill-Decision: q-")).collect();
    assert!(!decided.is_empty(), "{read:?}");
    for one in &decided {
        let question = &one["Grill-Decision: ".len()..].split(' ').next().unwrap();
        bench.run(&format!("git cat-file -e GRILL_HEAD:.grill/questions/{question}.yaml")).assert_code(0);
    }
    bench.run("git grill finish").assert_code(0);
    let many: String = (1..=20).map(|n| format!("- The part number {n} stays where it is.\n")).collect();
    bench.write(".grill/checkpoint.md", format!("# Shared Understanding\n\n## Decisions\n\n{many}"));
    bench.run("git grill select design-doc --path e.md && git grill approve --commit").assert_code(0);
    let read = trailers(&bench.at("."));
    assert_eq!(read.len(), 13, "{read:?}");
    assert!(read[12].starts_with("Grill-Decision: and 9 more, in grill/sessions/"), "{}", read[12]);
    assert!(read.iter().all(|one| one.chars().count() <= 100));
}

#[test]
fn g31_the_trailers_are_of_the_state_that_each_file_was_made_of() {
    const MOVED_ON: &str = "sed -i 's/Only one entry point/Every entry point/' .grill/checkpoint.md";
    const BEFORE: &str = "Grill-Decision: Only one entry point becomes public";
    const AFTER: &str = "Grill-Decision: Every entry point becomes public";
    let has = |bench: &Bench| {
        let read = trailers(&bench.at("."));
        [BEFORE, AFTER].map(|line| read.iter().any(|one| one == line))
    };
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run(&format!("git grill approve && {MOVED_ON} && git grill produce --commit")).assert_code(0);
    assert_eq!(has(&bench), [true, false]);
    bench.run("grep -q 'Only one entry point' d.md && grep -q 'Every entry point' .grill/checkpoint.md").assert_code(0);
    // A file that is committed already says nothing of the next one.
    let bench = Bench::new();
    drafted(&bench, "d.md");
    let first = "git grill approve docs/design/rate-limiting.md --commit";
    bench.run(&format!("git grill finish && git grill select design-doc,summary && {first}")).assert_code(0);
    bench.run(MOVED_ON).assert_code(0);
    assert_eq!(has(&bench), [true, false]);
    bench.run("git grill produce --commit").assert_code(0);
    assert_eq!(has(&bench), [false, true]);
    assert_eq!(changed(&bench.at(".")), "A\tdocs/memos/rate-limiting.md\n");
    assert_eq!(bench.run("git log -1 --format=%s").stdout, "docs: rate limiting (summary)\n");
}

#[test]
fn what_was_written_earlier_is_committed_later_and_only_what_is_not_committed() {
    let bench = Bench::new();
    bench.commit("docs/a.md", "# A\n");
    bench.run("chmod +x docs/a.md && git commit -qam mode").assert_code(0);
    drafted(&bench, "docs/a.md");
    bench.run("git grill approve").assert_code(0);
    // Staged as it was written: that is the same thing.
    bench.run("git add docs/a.md && git grill produce --commit").assert_code(0).assert_contains("committed docs/a.md");
    assert_eq!(changed(&bench.at(".")), "M\tdocs/a.md\n");
    bench.run("git ls-tree HEAD docs/a.md").assert_code(0).assert_contains("100755");
    let json = bench.run("git grill produce --commit --json").stdout;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let head = bench.run("git rev-parse HEAD").stdout;
    assert_eq!(
        (value["commit"]["made"].as_bool(), value["commit"]["commit"].as_str()),
        (Some(false), Some(head.trim()))
    );
}

#[test]
fn a_commit_of_the_users_own_is_noted_when_it_is_met() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("git grill approve").assert_code(0);
    let session = bench.run("git symbolic-ref --short GRILL_HEAD").stdout;
    let session = session.trim().rsplit('/').next().unwrap();
    bench.run(&format!("git add d.md && git commit -qm mine -m 'Grill-Session: {session}'")).assert_code(0);
    bench.run("git grill produce --commit").assert_code(0).assert_contains("committed, last in");
    bench.run("git log -1 --format=%s GRILL_HEAD").assert_contains("commit d.md as");
}

#[test]
fn g30_an_agent_or_a_script_without_the_right_commits_nothing() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("git grill approve && git config --global --unset grill.approval").assert_code(0);
    drop(refused(&bench, "CLAUDECODE=1 git grill produce --commit", 3));
    drop(refused(&bench, "CLAUDECODE=1 git grill approve --commit", 3));
    bench.run("git grill produce --commit").assert_code(0);
    let bench = Bench::new();
    bench.run("git grill start --research off 'x' && git grill answer y").assert_code(0);
    drop(refused(&bench, "git grill produce --commit", 1));
}

#[test]
fn what_is_typed_wrong_is_said_before_anything_happens() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    for line in [
        "git grill produce --commit -m ''",
        "git grill produce --commit -m x -m ' '",
        "git grill produce -m x",
        "git grill approve -m x",
        "git grill produce --undo --commit",
    ] {
        drop(refused(&bench, line, 2));
    }
    assert!(!bench.repo().join("d.md").exists());
}

#[test]
fn g31_undo_after_a_commit_brings_the_file_back_and_says_what_brings_the_branch_back() {
    let bench = Bench::new();
    bench.commit("docs/a.md", "# A\n");
    drafted(&bench, "docs/a.md");
    bench.run("git grill approve --commit").assert_code(0);
    let undone = bench.run("git grill produce --undo").assert_code(0).stdout().to_owned();
    assert_eq!(bench.read("docs/a.md"), "# A\n");
    let command = undone.lines().find_map(|line| line.strip_prefix("  git commit ")).unwrap().to_owned();
    bench.run(&format!("git commit -q {command}")).assert_code(0);
    assert_eq!(bench.run("git diff HEAD~2 HEAD && git status --porcelain").stdout, "");
    // The branch is two commits further.
    bench.run("git grill verify").assert_code(0).assert_contains("but for what was approved (docs/a.md), HEAD,");
    // It can be approved and committed again.
    bench.run("git grill produce --commit").assert_code(0).assert_contains("committed docs/a.md");
    bench.run("git grill finish && git grill verify").assert_code(0);
}
