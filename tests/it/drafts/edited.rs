//! Drafts edited in the person's editor, and handed in as text where there is none.

use super::{commits, drafts, stage, text};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::issues::planned;
use crate::pty::shows;

const ENTER: &str = "\r";

/// Runs `git grill draft --edit` on `target` at a terminal whose editor is this shell script.
fn edit(bench: &Bench, target: &str, script: &str) -> Sitting {
    bench.write("../editor.sh", script);
    let editor = format!("sh {}/editor.sh", bench.root().display());
    Sitting::at(bench, &["draft", "--edit", target], 50, 100, &[("GIT_EDITOR", &editor)])
}

#[test]
fn g32_what_a_script_hands_in_becomes_the_draft_and_is_shown_as_the_difference() {
    let (bench, _gh) = planned();
    bench.write("../new.md", text(&bench, "issue:2").replace("labels: [\"slice\"]", "labels: [\"urgent\"]"));
    let before = commits(&bench);
    bench
        .run("git grill draft --edit issue:2 --from ../new.md")
        .assert_code(0)
        .assert_contains("--- issue:2 (")
        .assert_contains("labels: [\"urgent\"]");
    assert!(text(&bench, "issue:2").contains("labels: [\"urgent\"]"));
    // The same once more, nothing, and what is made anew from the checkpoint change nothing.
    let after = commits(&bench);
    assert_ne!(before, after);
    bench.run("git grill draft --edit issue:2 --from - < ../new.md").assert_code(0).assert_contains("nothing changed");
    bench.run("git grill draft --edit issue:2 --from /dev/null").assert_code(2).assert_contains("the text is empty");
    bench.run("git grill draft --edit issue:2 < ../new.md").assert_code(3).assert_contains("--from -");
    assert_eq!(commits(&bench), after);
    assert!(text(&bench, "issue:2").contains("labels: [\"urgent\"]"));
    bench.run("git grill draft --edit issue:9 --from ../new.md").assert_code(1).assert_contains("no draft for issue:9");
}

#[test]
fn g32_what_an_issue_depends_on_is_taken_as_people_write_it() {
    let (bench, gh) = planned();
    let three = text(&bench, "issue:3");
    bench.write("../new.md", three.replace("depends_on: [1, 2]", "depends_on: [issue:1, #2]"));
    bench.write("../bad.md", three.replace("[1, 2]", "[the first]"));
    let refused = bench.run("git grill draft --edit issue:3 --from ../bad.md").assert_code(2);
    refused.assert_contains("line 4: `the first` is no number of an issue").assert_contains("or `issue:1`");
    bench.run("git grill draft --edit issue:3 --from ../new.md").assert_code(0);
    let found = drafts(&bench).into_iter().find(|draft| draft["path"] == "issue:3").unwrap();
    assert_eq!(found["dependsOn"].to_string(), "[1,2]");
    bench.run(&format!("{} git grill approve", gh.first_in_path())).assert_code(0);
    assert!(gh.issues()[2].1.contains("Depends on #1, #2.\n"));
}

#[test]
fn g32_what_cannot_be_read_is_told_by_its_line_and_kept() {
    let (bench, _gh) = planned();
    let before = text(&bench, "issue:1");
    bench.write("../bad.md", "---\ntitle: One\nasignee: me\n---\nwords of mine\n");
    for _ in 0..2 {
        let told = bench.run("git grill draft --edit issue:1 --from - < ../bad.md");
        told.assert_code(2).assert_contains("line 3: `asignee` is not known").assert_contains("GRILL_KEPT-");
    }
    assert_eq!(text(&bench, "issue:1"), before);
    bench
        .run("cmp .git/GRILL_KEPT-1-issue-1.md ../bad.md && cmp .git/GRILL_KEPT-2-issue-1.md ../bad.md")
        .assert_code(0);
    bench
        .run("sed -i /asignee/d .git/GRILL_KEPT-1-issue-1.md && git grill draft --edit issue:1 --from .git/GRILL_KEPT-1-issue-1.md")
        .assert_code(0);
    assert_eq!(text(&bench, "issue:1"), "---\ntitle: One\n---\nwords of mine\n");
}

#[test]
fn g32_what_cannot_be_read_is_kept_however_many_texts_are_kept_already() {
    let (bench, _gh) = planned();
    bench
        .run("n=0; while [ $n -lt 100 ]; do n=$((n + 1)); echo $n >.git/GRILL_KEPT-$n-issue-1.md; done")
        .assert_code(0);
    bench.write("../bad.md", "---\ntitel: One\n---\nwords of mine\n");
    let told = bench.run("git grill draft --edit issue:1 --from - < ../bad.md");
    told.assert_code(2).assert_contains("kept in").assert_contains("GRILL_KEPT-101-issue-1.md");
    bench.run("cmp .git/GRILL_KEPT-101-issue-1.md ../bad.md").assert_code(0);
    bench.run("git grill doctor").assert_contains("GRILL_KEPT-101-issue-1.md holds a text");
}

#[test]
fn what_is_too_long_to_be_kept_is_refused_and_never_cut() {
    let (bench, _gh) = planned();
    let before = text(&bench, "issue:1");
    for line in [
        "head -c 5000000 /dev/zero | tr '\\0' x | git grill draft --edit issue:1 --from -",
        "head -c 5000000 /dev/zero | tr '\\0' x > ../long; git grill draft --edit issue:1 --from ../long",
    ] {
        bench.run(line).assert_code(128).assert_contains("has more than 4194304 bytes");
    }
    assert_eq!(text(&bench, "issue:1"), before);
}

#[test]
fn g31_a_file_is_edited_against_what_stands_there_now_and_its_approval_is_gone() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    bench.run("mkdir docs && echo theirs > docs/limits.md").assert_code(0);
    bench.run("echo mine | git grill draft --edit --from -").assert_code(0);
    bench.run("git grill draft").assert_code(0).assert_contains("theirs").assert_contains("mine");
    bench.run("git grill approve && echo mine | cmp - docs/limits.md").assert_code(0);
    // What was written and is edited waits again.
    bench.run("echo more | git grill draft --edit docs/limits.md --from -").assert_code(0);
    assert_eq!(stage(&bench, "docs/limits.md"), "drafted");
    bench.run("git grill produce && echo more | cmp - docs/limits.md").assert_code(0);
}

#[test]
fn g32_the_editor_opens_the_draft_and_what_is_saved_becomes_it() {
    let (bench, _gh) = planned();
    let sitting = edit(&bench, "issue:1", "case \"$1\" in *.md) sed -i 's/^title: .*/title: By hand/' \"$1\";; esac\n");
    sitting.ends_with(0);
    assert!(text(&bench, "issue:1").contains("title: By hand\n"));
    bench.run("git log -1 --format='%(trailers:key=Grill-Actor,valueonly)' GRILL_HEAD").assert_contains("human");
    let after = commits(&bench);
    let sitting = edit(&bench, "issue:1", "exit 0\n");
    sitting.pty.wait_for("nothing changed");
    sitting.ends_with(0);
    edit(&bench, "issue:1", ": > \"$1\"\n").ends_with(5);
    edit(&bench, "issue:1", "echo lost >> \"$1\"; exit 3\n").ends_with(128);
    assert_eq!(commits(&bench), after);
    bench.run("ls .git/GRILL_KEPT*").assert_code(2);
}

#[test]
fn g32_a_slip_is_mended_in_the_editor_or_kept() {
    let (bench, _gh) = planned();
    // The first time it breaks the title, the second time it mends what it finds.
    let script = "if grep -q '^titel' \"$1\"; then sed -i 's/^titel.*/title: Mended/' \"$1\"; else sed -i 's/^title/titel/' \"$1\"; fi\n";
    let mut sitting = edit(&bench, "issue:1", script);
    sitting.below("line 2: `titel` is not known", "[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
    assert!(text(&bench, "issue:1").contains("title: Mended\n"));
    let mut sitting = edit(&bench, "issue:1", "sed -i 's/^title/titel/' \"$1\"\n");
    sitting.below("line 2: `titel` is not known", "[y/n]");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("there is no default");
    sitting.pty.send("n");
    sitting.ends_with(2);
    assert!(text(&bench, "issue:1").contains("title: Mended\n"));
    bench.run("grep titel .git/GRILL_KEPT-1-issue-1.md").assert_code(0);
}

#[test]
fn g31_a_draft_that_became_another_one_meanwhile_is_not_overwritten() {
    let (bench, _gh) = planned();
    bench.write("../theirs.md", "---\ntitle: Theirs\n---\n");
    let script =
        "git grill draft --edit issue:1 --from ../theirs.md > /dev/null; sed -i 's/^title.*/title: Mine/' \"$1\"\n";
    let (code, screen) = edit(&bench, "issue:1", script).end();
    assert_eq!(code, 4, "{screen}");
    assert_eq!(text(&bench, "issue:1"), "---\ntitle: Theirs\n---\n");
    bench.run("grep 'title: Mine' .git/GRILL_KEPT-1-issue-1.md").assert_code(0);
    // What became of the text is said, and a command that takes it.
    let became = "the draft of issue:1 was changed elsewhere while you edited it, and your text did not replace it; \
                  what was written is kept in";
    assert!(shows(&screen, became) && shows(&screen, "GRILL_KEPT-1-issue-1.md"), "{screen}");
    assert!(shows(&screen, "git grill draft --edit issue:1 --from"), "{screen}");
    bench.run("git grill draft --edit issue:1 --from .git/GRILL_KEPT-1-issue-1.md").assert_code(0);
    assert!(text(&bench, "issue:1").contains("title: Mine\n"));
}

#[test]
fn g31_a_no_to_other_outputs_leaves_the_drafts_and_their_edits() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    bench.run("echo words of mine | git grill draft --edit --from -").assert_code(0);
    let before = commits(&bench);
    for no in ["n", "\x1b"] {
        let words = ["select", "summary", "--path", "docs/memo.md"];
        let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
        sitting.below("Produce summary", "[y/n]");
        sitting.pty.send(no);
        sitting.pty.wait_for("choosing outputs was cancelled, and nothing changed");
        sitting.ends_with(5);
        bench.run("git grill status --porcelain").assert_contains("phase\toutput\n");
        assert_eq!(text(&bench, "docs/limits.md"), "words of mine\n");
    }
    assert_eq!(commits(&bench), before);
    bench.run("git grill approve docs/limits.md").assert_code(0);
    assert_eq!(bench.read("docs/limits.md"), "words of mine\n");
}

#[test]
fn g31_what_an_editor_left_when_it_failed_is_never_overwritten() {
    let (bench, _gh) = planned();
    let left = |number: usize| bench.run(&format!("cat .git/GRILL_EDITMSG-{number}-issue-1.md"));
    for (number, words) in [(1, "the first words"), (2, "the second words")] {
        let sitting = edit(&bench, "issue:1", &format!("echo '{words}' >> \"$1\"; exit 3\n"));
        sitting.pty.wait_for(&format!("GRILL_EDITMSG-{number}-issue-1.md; no later edit takes it"));
        sitting.ends_with(128);
    }
    left(1).assert_code(0).assert_contains("the first words");
    left(2).assert_code(0).assert_contains("the second words");
    // What is edited again was typed before, whatever the editor does to it then.
    let script = "grep -q '^titel' \"$1\" && exit 3\nsed -i 's/^title/titel/' \"$1\"\n";
    let mut sitting = edit(&bench, "issue:1", script);
    sitting.below("line 2: `titel` is not known", "[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(128);
    left(3).assert_code(0).assert_contains("titel");
    // One that is taken, and one that holds nothing new, are gone.
    edit(&bench, "issue:1", "sed -i 's/^title.*/title: Mine/' \"$1\"\n").ends_with(0);
    edit(&bench, "issue:1", "exit 3\n").ends_with(128);
    bench.run("ls .git/GRILL_EDITMSG* | wc -l").assert_stdout("3\n");
    left(1).assert_contains("the first words");
}

#[test]
fn g32_what_an_issue_cannot_depend_on_is_refused_at_the_edit() {
    let (bench, gh) = planned();
    let before = text(&bench, "issue:1");
    for (number, why) in [
        (9, "line 3: it depends on issue:9, and there is none"),
        (1, "line 3: it depends on itself;"),
        (3, "line 3: it depends on itself through issue:"),
    ] {
        bench.write("../bad.md", format!("---\ntitle: One\ndepends_on: [{number}]\n---\nwords of mine\n"));
        bench
            .run("git grill draft --edit issue:1 --from ../bad.md")
            .assert_code(2)
            .assert_contains(why)
            .assert_contains("GRILL_KEPT-");
    }
    assert_eq!(text(&bench, "issue:1"), before);
    // An agent hands issues in one by one, in any order; what is missing then is said of the issue that names it.
    let ahead = r#"{"issue":2,"title":"Two","body":"x","dependsOn":[9]}"#;
    bench.run(&format!("echo '{ahead}' | CLAUDECODE=1 git grill tool grill_submit_draft")).assert_code(0);
    bench
        .run(&format!("{} git grill approve issue:3", gh.first_in_path()))
        .assert_code(1)
        .assert_contains("issue:2 is not as it has to be: it depends on issue:9, and there is none");
    assert_eq!(gh.issues(), []);
}
