//! Whose a commit is: what git grill committed is nobody else's, and what somebody else committed is not git grill's.

use super::drafted;
use crate::bench::Bench;

#[test]
fn g42_a_commit_of_git_grill_is_nobody_elses_whatever_was_taken_back_since() {
    const LOUD: &str = "echo 'd.md filter=loud' >.git/info/attributes && git config filter.loud.clean 'tr a-z A-Z'";
    for (before, deed) in [
        ("true", "git grill approve --commit && git grill produce --undo"),
        ("true", "git grill approve && git grill produce --commit && git grill produce --undo"),
        // Its bytes are not those that were written.
        (LOUD, "git grill approve --commit"),
    ] {
        let bench = Bench::new();
        bench.run(before).assert_code(0);
        drafted(&bench, "d.md");
        bench.run(deed).assert_code(0);
        bench.run("git grill finish").assert_code(0).assert_lacks("somebody else");
        // Nor in a later output phase.
        let later = bench.run("git grill select design-doc --path d.md && git grill finish");
        later.assert_code(0).assert_lacks("somebody else");
        bench.run("git log --format=%s GRILL_HEAD").assert_code(0).assert_lacks("somebody else");
    }
}

#[test]
fn g42_a_commit_that_only_names_the_session_is_not_taken_for_one_of_git_grill() {
    let bench = Bench::new();
    drafted(&bench, "d.md");
    bench.run("git grill approve && cp d.md ../kept").assert_code(0);
    let session = bench.run("git symbolic-ref --short GRILL_HEAD").stdout;
    let session = session.trim().rsplit('/').next().unwrap();
    let naming = format!("git commit -qm other -m 'Grill-Session: {session}'");
    bench.run(&format!("echo more >>d.md && git add d.md && {naming}")).assert_code(0);
    let commit = bench.run("git rev-parse --short=10 HEAD").stdout;
    bench.run("cp ../kept d.md && git commit -qam back").assert_code(0);
    bench.run("git grill produce --commit").assert_code(0).assert_contains("nothing to commit");
    let shown = bench.run("git grill finish").assert_code(0);
    shown.assert_contains(&format!("git show {} -- :/d.md", commit.trim()));
}
