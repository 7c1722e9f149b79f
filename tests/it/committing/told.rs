//! The user's own commits in the output phase: `prepare-commit-msg` says in them where they come from, and is never in
//! the way.

use super::{drafted, refused, state, trailers};
use crate::bench::{Bench, Output};

/// A session whose approved file is written and staged.
fn written(bench: &Bench) {
    drafted(bench, "d.md");
    bench.run("git grill approve && git add d.md").assert_code(0);
}

fn message(bench: &Bench) -> String {
    bench.run("git log -1 --format=%B").stdout
}

/// A commit whose message an editor makes: `deed` is done to the file `$1`.
fn edited(bench: &Bench, deed: &str, options: &str) -> Output {
    bench.write(".git/editor", format!("#!/bin/sh\ncp \"$1\" .git/shown\n{deed}\n"));
    bench.run(&format!("chmod +x .git/editor && GIT_EDITOR=.git/editor git commit {options}"))
}

#[test]
fn g33_a_message_of_ones_own_gets_the_trailers_once() {
    let bench = Bench::new();
    written(&bench);
    bench.run("git commit -qm 'Limit it' -m 'Above\n---\nbelow' -s").assert_code(0).assert_quiet();
    let text = message(&bench);
    assert!(text.starts_with("Limit it\n\nAbove\n---\nbelow\n\nSigned-off-by: "), "{text}");
    // `interpret-trailers --parse` takes the line of hyphens for the beginning of a patch, whoever wrote the message.
    let read = bench.run("git log -1 '--format=%(trailers:only)'").stdout;
    let read: Vec<&str> = read.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(read.len(), 4, "{read:?}");
    assert!(read[1].starts_with("Grill-Session: 2") && read[2].starts_with("Grill-Decision: "), "{read:?}");
    // A message that has them already keeps them as they are: one that is taken over, or came from --commit.
    bench.run("git log -1 --format=%B >../took && echo more >>d.md && git commit -qaF ../took").assert_code(0);
    assert_eq!(message(&bench), text);
    bench.run("echo more >>d.md && git commit -qa -C HEAD && git log -1 --format=%B | cmp - ../took").assert_code(0);
}

#[test]
fn g33_in_the_editor_they_stand_above_the_comments_and_below_room_for_a_subject() {
    let bench = Bench::new();
    bench.run("git config commit.verbose true && git config core.commentChar ';'").assert_code(0);
    written(&bench);
    edited(&bench, "sed -i '1s/^/Limit it/' \"$1\"", "-q").assert_code(0);
    let shown = bench.read(".git/shown");
    let (above, comments) = shown.split_once("\n; Please").unwrap();
    assert!(above.starts_with("\n\nGrill-Session: ") && above.contains("\nGrill-Decision: "), "{shown}");
    assert!(
        comments.contains("\n; ------------------------ >8 ") && comments.contains("\ndiff --git a/d.md"),
        "{shown}"
    );
    let text = message(&bench);
    assert!(text.starts_with("Limit it\n\nGrill-Session: ") && !text.contains("diff --git"), "{text}");
    assert_eq!(trailers(&bench.at(".")).len(), 3);
}

#[test]
fn g33_an_editor_left_without_a_word_gives_the_commit_up() {
    for options in ["-q", "-q -s", "-q --no-verify"] {
        let bench = Bench::new();
        written(&bench);
        let before = state(&bench);
        let said = edited(&bench, ":", options);
        assert_eq!((said.code != 0, state(&bench)), (true, before), "{options}: {}", said.stderr);
        assert!(said.stderr.contains("it was not worded"), "{}", said.stderr);
    }
    // git's own way of giving up, and a template left as it is, still work.
    let bench = Bench::new();
    bench.write("../template", "<what>\n\n<why>\n");
    written(&bench);
    for (deed, options) in [(": >\"$1\"", "-q"), (":", "-q -t ../template"), ("exit 1", "-q")] {
        let before = state(&bench);
        let said = edited(&bench, deed, options);
        assert_eq!((said.code, state(&bench)), (1, before), "{deed} {options}: {}", said.stderr);
    }
    edited(&bench, "echo words >\"$1\"", "-q -t ../template").assert_code(0);
    assert!(!bench.read(".git/shown").contains("Grill-"));
}

#[test]
fn only_in_the_output_phase_and_never_in_the_way() {
    let bench = Bench::new();
    let other = bench.worktree("other");
    written(&bench);
    // Another worktree has no session, and says nothing of this one.
    other.run("echo x >x && git add x && git commit -qm x").assert_code(0).assert_quiet();
    assert_eq!(other.run("git log -1 --format=%B").stdout, "x\n\n");
    // What git cannot do here is a warning.
    bench.write("../bin/git", "#!/bin/sh\necho 'fatal: no' >&2\nexit 128\n");
    bench
        .run("chmod +x ../bin/git && real=$(command -v git) && PATH=$(cd ../bin && pwd):$PATH $real commit -qm plain")
        .assert_code(0);
    bench.run("git grill stop && echo y >y && git add y && git commit -qm y").assert_code(0);
    assert_eq!(message(&bench), "y\n\n");
    assert!(!bench.repo().join(".git/hooks/prepare-commit-msg").exists());
}

#[test]
fn a_hook_of_that_name_goes_on_running_and_goes_first() {
    for (folder, configured, told) in [(".git/hooks", false, false), (".mine", true, true)] {
        let bench = Bench::new();
        bench.write(&format!("{folder}/prepare-commit-msg"), "#!/bin/sh\ntest ! -e no && sed -i '1s/^/T-1 /' \"$1\"\n");
        bench.run(&format!("chmod +x {folder}/prepare-commit-msg")).assert_code(0);
        if configured {
            bench.run(&format!("git config core.hooksPath {folder}")).assert_code(0);
        }
        written(&bench);
        drop(refused(&bench, "touch no; git commit -qm x", 1));
        bench.run("rm no && git commit -qm x").assert_code(0);
        let text = message(&bench);
        // In a hooks folder of theirs theirs alone has the name, unless git knows hooks from its configuration.
        let told = told || bench.run("git config --get-regexp 'hook.git-grill-.*'").code == 0;
        assert_eq!((text.starts_with("T-1 x\n"), text.contains("Grill-Session: ")), (true, told), "{folder}: {text}");
        bench.run("git grill stop").assert_code(0);
        bench.run(&format!("test -x {folder}/prepare-commit-msg")).assert_code(0);
    }
}

#[test]
fn what_joins_commits_is_left_alone() {
    let bench = Bench::new();
    written(&bench);
    for source in ["merge", "squash", "template"] {
        bench.write(".git/M", "joined\n");
        bench.run(&format!("git-grill hook prepare-commit-msg .git/M {source}")).assert_code(0).assert_quiet();
        assert_eq!(bench.read(".git/M"), "joined\n", "{source}");
    }
    for odd in ["", ".git/none", ".git/M commit HEAD~9", "/ message"] {
        bench.run(&format!("git-grill hook prepare-commit-msg {odd}")).assert_code(0);
    }
}
