//! An agent that nothing keeps from writing (A25): what changes while it runs is shown path by path, and the session goes
//! no further until the user has said whose each is.

use serde_json::{Value, json};

use super::{ENTER, ESCAPE, agree, asks, goes_on, lets, play, scripted, takes_first, until};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;

const BARE: [(&str, &str); 1] = [("GRILL_TEST_NO_WALLS", "1")];

fn world() -> Bench {
    let bench = scripted(&json!({}));
    bench.write("README.md", "# As it was\n");
    bench.write("notes.txt", "my notes\n");
    bench.run("git add -A && git commit -qm begun").assert_code(0);
    bench
}

fn writes(line: &str, mut turn: Value) -> Value {
    turn.as_array_mut().unwrap().insert(0, json!({ "shell": line }));
    turn
}

/// Begins with the agent, where no walls can be built.
fn begun(bench: &Bench) -> Sitting {
    let words = ["start", "--research", "auto", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(bench, &words, 50, 110, &BARE);
    sitting.pty.wait_for("changes while it runs is shown to you");
    agree(&mut sitting);
    sitting
}

/// Answers a list by the number of an entry.
fn choose(sitting: &mut Sitting, about: &str, number: &str) {
    sitting.below(about, "digits jump");
    sitting.pty.send(number);
    sitting.pty.send(ENTER);
}

#[test]
fn a25_each_path_is_the_user_s_or_comes_back_before_the_question_is_put() {
    let bench = world();
    let line = "echo evil > README.md; rm notes.txt; echo new > new.txt; chmod 755 .; \
                git -c core.hooksPath=/dev/null branch evil; echo hidden > mine.txt";
    play(&bench, &json!({"turns": [writes(line, asks("First?")), goes_on("Second?")]}));
    let mut sitting = begun(&bench);
    sitting.pty.wait_for("5 things changed while the agent ran");
    choose(&mut sitting, "refs/heads/evil (new", "2");
    sitting.pty.wait_for("-evil");
    choose(&mut sitting, "README.md (modified): keep it?", "2");
    choose(&mut sitting, "mine.txt (new): keep it?", "1");
    choose(&mut sitting, "new.txt (new): keep it?", "2");
    choose(&mut sitting, "notes.txt (deleted): keep it?", "2");
    sitting.pty.wait_for("git ls-tree -r --full-tree refs/grill/local/");
    sitting.below("question 1 ·", "digits jump");
    bench
        .run("cat README.md notes.txt; git status --short; git branch --list evil")
        .assert_stdout("# As it was\nmy notes\n?? mine.txt\n");
    // What was said once is not asked again, and a turn that changes nothing asks nothing.
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "digits jump");
    assert_eq!(sitting.pty.raw().matches("things changed while").count(), 1);
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    bench
        .run("git for-each-ref --format='%(refname:lstrip=4)' refs/grill/local")
        .assert_stdout("baseline\nreplaced/1\n");
}

#[test]
fn a25_left_undecided_the_session_waits_in_every_terminal_and_next_asks_again() {
    let bench = world();
    play(&bench, &json!({"turns": [writes("echo evil > README.md", asks("First?"))], "loaded": [asks("Again?")]}));
    let mut sitting = begun(&bench);
    sitting.below("README.md (modified): keep it?", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.pty.wait_for("nothing was decided. 1 change is left: git grill next");
    sitting.ends_with(0);
    for line in ["git grill answer yes", "git grill next", "git grill skip", "git grill select adr"] {
        bench.run(line).assert_code(3).assert_contains("git grill next, at a terminal");
    }
    bench.run("git grill status").assert_code(0);
    bench.run("git grill verify").assert_code(1).assert_contains("README.md");
    let mut sitting = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    choose(&mut sitting, "README.md (modified): keep it?", "2");
    sitting.below("question 1 ·", "digits jump");
    assert_eq!(bench.read("README.md"), "# As it was\n");
    bench.run("git grill answer yes").assert_code(0);
    drop(sitting);
}

#[test]
fn a25_what_an_agent_writes_after_its_question_or_before_it_is_killed_is_found() {
    let bench = world();
    // It goes on after it asked.
    let mut turn = asks("First?");
    turn.as_array_mut().unwrap().push(until(&bench, "seen"));
    turn.as_array_mut().unwrap().push(json!({"write": bench.repo().join("late.txt")}));
    play(&bench, &json!({"turns": [turn, writes("echo more > more.txt", goes_on("Second?"))]}));
    let mut sitting = begun(&bench);
    sitting.below("question 1 ·", "digits jump");
    lets(&bench, "seen");
    wait_until("what it writes late", || bench.repo().join("late.txt").exists());
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    choose(&mut sitting, "late.txt (new): keep it?", "2");
    sitting.below("more.txt (new): keep it?", "digits jump");
    assert!(!bench.repo().join("late.txt").exists());
    // A second terminal puts no question before that is settled, and settles it once the first is gone: killed, here.
    let mut second = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    second.pty.wait_for("asks in another terminal about the changes");
    drop(sitting);
    let sitting = &mut second;
    choose(sitting, "more.txt (new): keep it?", "2");
    sitting.below("question 2 ·", "digits jump");
    assert!(!bench.repo().join("more.txt").exists());
}

#[test]
fn a25_configuration_and_hooks_are_named_and_mended_by_hand() {
    let bench = world();
    let line = "printf '[core]\\n\\tpager = evil\\n' >> .git/config; printf '#!/bin/sh\\n' > .git/hooks/post-checkout";
    play(&bench, &json!({"turns": [writes(line, asks("First?"))], "loaded": [asks("Again?")]}));
    let mut sitting = begun(&bench);
    bench.run("sed '/pager/d' .git/config > ../config").assert_code(0);
    sitting.pty.wait_for("2 things changed while the agent ran");
    sitting.pty.wait_for("Pause");
    sitting.pty.wait_for("digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("nothing was decided. 2 changes are left: git grill next");
    sitting.ends_with(0);
    bench.run("cp ../config .git/config; rm .git/hooks/post-checkout; git grill answer x").assert_code(3);
    let sitting = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    sitting.below("question 1 ·", "digits jump");
}

#[test]
fn a25_behind_walls_nothing_is_compared() {
    if !super::story::walled() {
        return;
    }
    let bench = world();
    play(&bench, &json!({"turns": [[until(&bench, "seen"), asks("First?")[0]], goes_on("Second?")]}));
    let mut sitting = super::started(&bench);
    sitting.pty.wait_for("scripted thinks");
    // The user's own work meanwhile is nobody's business.
    bench.write("README.md", "# Mine\n");
    lets(&bench, "seen");
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    assert!(!sitting.pty.raw().contains("while the agent ran"));
    bench.run("git for-each-ref --format='%(refname)' refs/grill/local | grep watch").assert_code(1);
    bench.run("git grill stop --without-output").assert_code(0);
}

#[test]
fn a25_a_stop_names_it_and_ends_the_watch() {
    let bench = world();
    play(&bench, &json!({"turns": [writes("echo evil > README.md", asks("First?"))]}));
    let mut sitting = begun(&bench);
    sitting.below("README.md (modified): keep it?", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    bench.run("git grill stop --without-output").assert_code(0).assert_contains("README.md");
    bench.run("git for-each-ref --format='%(refname)' refs/grill/local | grep watch").assert_code(1);
    assert_eq!(bench.read("README.md"), "evil\n");
}
