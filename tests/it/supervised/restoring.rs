//! What a restore of the repository takes, and what it leaves, after an agent without walls (A25).

use serde_json::json;

use super::Lent;
use super::unwalled::{BARE, agrees, answers, world};
use crate::conversation::Sitting;
use crate::leading::{ENTER, ESCAPE, play};

/// One turn, in which the agent runs a line in the repository.
fn has_run(line: &str) -> Lent {
    let lent = world();
    lent.run("mkdir src && echo '1' >src/limit.rs && git add -A && git commit -qm limit").assert_code(0);
    lent.run("git branch topic && git branch other").assert_code(0);
    let line = format!("cd '{}' && {line}", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    lent
}

fn sits(lent: &Lent) -> Sitting {
    Sitting::at(lent, &["agent", "answer", "g1"], 60, 110, &BARE)
}

/// Chooses once this question stands there.
#[track_caller]
fn chooses(sitting: &mut Sitting, question: &str, key: &str) {
    sitting.below(question, "digits jump");
    sitting.pty.send(key);
    if key != ESCAPE {
        sitting.pty.send(ENTER);
    }
}

#[test]
fn a25_a_restore_takes_nothing_that_the_user_made_where_something_is_gone() {
    let lent = has_run(
        "echo x >>README.md && rm notes.txt && mkdir notes.txt && echo f >notes.txt/in.md && rm -r src && git rm -q --cached src/limit.rs",
    );
    lent.told("cancel g1");
    lent.is_over();
    lent.run("echo mine >notes.txt/mine.md && echo mine >src && git add src && git ls-files -s >../before")
        .assert_code(0);
    let mut sitting = sits(&lent);
    // Neither is part of what can be restored in one go.
    sitting.pty.wait_for("changed after the agent ended, and not asked about:");
    chooses(&mut sitting, "notes.txt (deleted): keep it?", "1");
    chooses(&mut sitting, "src/limit.rs in the index (deleted): keep it?", "1");
    chooses(&mut sitting, "src/limit.rs (deleted): keep it?", "1");
    chooses(&mut sitting, "README.md (modified): keep it?", "4");
    sitting.ends_with(0);
    assert_eq!(
        (lent.read("notes.txt/mine.md"), lent.read("src"), lent.read("README.md")),
        ("mine\n".to_owned(), "mine\n".to_owned(), "# As it was\n".to_owned())
    );
    assert!(!lent.repo().join("notes.txt/in.md").exists(), "it was the agent's");
    lent.run("git ls-files -s | diff ../before -").assert_code(0);
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert!(
        log.stdout().contains("you had 2 changes undone: README.md, notes.txt/in.md; what was"),
        "{}",
        log.stdout()
    );
    lent.told("cleanup g1");
}

#[test]
fn a25_a_place_is_not_restored_over_what_the_user_keeps() {
    let lent = has_run("rm notes.txt && mkdir notes.txt && echo f >notes.txt/in.md");
    let mut sitting = sits(&lent);
    chooses(&mut sitting, "notes.txt (deleted): keep it?", "2");
    chooses(&mut sitting, "notes.txt/in.md (new): keep it?", "1");
    sitting.pty.wait_for("notes.txt stays as it is: notes.txt/in.md is in its way");
    sitting.pty.wait_for("cannot be restored: notes.txt/in.md is in its way");
    assert!(!sitting.pty.screen().contains("\nrestored: "), "{}", sitting.pty.screen());
    chooses(&mut sitting, "notes.txt (deleted): keep it?", "1");
    sitting.ends_with(0);
    assert_eq!(lent.read("notes.txt/in.md"), "f\n");
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert!(
        log.stdout().contains("you kept 2 changes: notes.txt, notes.txt/in.md; nothing is left"),
        "{}",
        log.stdout()
    );
    lent.told("cancel g1");
    lent.is_over();
}

/// A ref that is locked, and one whose folder another ref is.
#[test]
fn a25_a_ref_that_cannot_be_restored_takes_no_other_change_with_it() {
    let lent = has_run("git branch -qD topic other && git branch topic/x && echo x >>README.md && echo n >n.md");
    lent.run(": >.git/refs/heads/other.lock").assert_code(0);
    let mut sitting = sits(&lent);
    chooses(&mut sitting, "refs/heads/other (deleted", "2");
    chooses(&mut sitting, "refs/heads/topic (deleted", "2");
    chooses(&mut sitting, "refs/heads/topic/x (new", "1");
    chooses(&mut sitting, "README.md (modified): keep it?", "4");
    sitting.pty.wait_for("refs/heads/topic stays as it is: refs/heads/topic/x is in its way");
    sitting.pty.wait_for("refs/heads/other stays as it is: ");
    sitting.pty.wait_for("restored: README.md");
    // What cannot be restored is asked about first.
    chooses(&mut sitting, "refs/heads/topic (deleted", ESCAPE);
    let (code, screen) = sitting.end();
    assert_eq!(code, 5, "{screen}");
    assert_eq!(lent.read("README.md"), "# As it was\n");
    assert!(!lent.repo().join("n.md").exists());
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert!(log.stdout().contains("you kept 1 change so far: refs/heads/topic/x\n"), "{}", log.stdout());
    let told = "you had 2 changes undone: README.md, n.md; 2 could not be undone; what was there is kept: refs/grill/";
    assert!(log.stdout().contains(told), "{}", log.stdout());
    lent.run("rm .git/refs/heads/other.lock && git branch -qD topic/x").assert_code(0);
    answers(&lent, &[("refs/heads/other (deleted", "4")], 0);
    lent.run("git rev-parse -q --verify topic && git rev-parse -q --verify other").assert_code(0);
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a25_what_is_left_to_decide_is_told_without_what_the_user_keeps() {
    let lent = has_run("echo a >a.md && echo b >b.md && echo c >c.md");
    let (a, b, c) = ("a.md (new): keep it?", "b.md (new): keep it?", "c.md (new): keep it?");
    assert_eq!(lent.session("g1")["undecided"], "3 changes in the repository: a.md (new), b.md (new), c.md (new)");
    answers(&lent, &[(a, "1"), (b, "1"), (c, ESCAPE)], 5);
    let undecided = "1 change in the repository: c.md (new)";
    assert_eq!(lent.session("g1")["undecided"], undecided);
    lent.run("git grill agent status").assert_contains(undecided);
    lent.run("git grill agent log g1").assert_contains(&format!("your decision is needed: {undecided}\n"));
    lent.run("echo d >d.md").assert_code(0);
    // What is found after a restore is counted besides what is kept.
    let mut sitting = sits(&lent);
    chooses(&mut sitting, c, "2");
    chooses(&mut sitting, "d.md (new): keep it?", "1");
    sitting.ends_with(0);
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert_eq!(log.stdout().matches("your decision is needed").count(), 2, "{}", log.stdout());
    lent.told("cancel g1");
    lent.is_over();
}

/// What the user keeps is in the way of what is gone, also after they left.
#[test]
fn a25_what_the_user_keeps_is_named_where_it_is_in_the_way_of_a_restore() {
    let lent = has_run("rm -r src && echo f >src && git config x.y z");
    let mut sitting = sits(&lent);
    chooses(&mut sitting, "config in the git directory (", "1");
    chooses(&mut sitting, "src (new): keep it?", "1");
    sitting.pty.wait_for("cannot be restored: src is in its way");
    chooses(&mut sitting, "src/limit.rs (deleted): keep it?", ESCAPE);
    let (code, screen) = sitting.end();
    assert_eq!(code, 5, "{screen}");
    let mut sitting = sits(&lent);
    sitting.pty.wait_for("cannot be restored: src is in its way");
    chooses(&mut sitting, "src/limit.rs (deleted): keep it?", ESCAPE);
    let (code, screen) = sitting.end();
    assert_eq!(code, 5, "{screen}");
    assert_eq!(lent.read("src"), "f\n");
    lent.run("rm src").assert_code(0);
    answers(&lent, &[("src/limit.rs (deleted): keep it?", "2")], 0);
    assert_eq!(lent.read("src/limit.rs"), "1\n");
    lent.told("cancel g1");
    lent.is_over();
}
