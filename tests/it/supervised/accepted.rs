//! What an agent made in its worktree, taken over by the person and taken back: shown first, chosen file by file, in one
//! step (A16, A23, A39, A41).

use serde_json::{Value, json};

use super::{Lent, of_kind, text};
use crate::conversation::Sitting;
use crate::leading::{ENTER, play, walled};
use crate::pty::shows;

/// A repository with a file of ten lines, and an agent that runs this in its worktree.
pub fn edited(shell: &str) -> Lent {
    let lent = Lent::new();
    lent.run("seq 1 10 >ten.txt && git add ten.txt && git commit -qm ten").assert_code(0);
    let more = "echo more >>new.txt";
    play(&lent, &json!({"turns": [[{"shell": shell}, {"say": "done"}], [{"shell": more}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    lent.rests("g1");
    lent
}

/// The person at `git grill agent accept`.
pub fn accepting(lent: &Lent, words: &[&str]) -> Sitting {
    let all: Vec<&str> = ["agent", "accept"].iter().chain(words).copied().collect();
    Sitting::at(lent, &all, 60, 110, &[])
}

/// Takes these choices, one after the other, each once its question stands there.
#[track_caller]
pub fn chooses(mut sitting: Sitting, answers: &[(&str, &str)], code: i32) -> String {
    for (question, choice) in answers {
        sitting.below(question, "digits jump");
        sitting.pty.send(choice);
        sitting.pty.send(ENTER);
    }
    let (ended, screen) = sitting.end();
    assert_eq!(ended, code, "{screen}");
    screen
}

pub fn status(lent: &Lent) -> String {
    lent.run("git status --porcelain --untracked-files=all").assert_code(0).stdout().to_owned()
}

/// Tree, index and refs, to the byte; our own private refs aside.
pub fn everything(lent: &Lent) -> String {
    let line = "git ls-files -s; git for-each-ref | grep -v refs/grill/local/; git symbolic-ref HEAD; \
                find . -path ./.git -prune -o -printf '%P %y %m\\n' | sort; \
                find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 cat";
    lent.run(line).assert_code(0).stdout().to_owned()
}

#[test]
fn a16_a38_the_person_sees_what_was_made_takes_half_of_it_and_takes_that_back() {
    if !walled() {
        return;
    }
    let lent = edited(
        "sed -i s/3/three/ ten.txt && echo new >new.txt && echo other >other.txt && echo all: >Makefile && rm README.md",
    );
    let before = everything(&lent);
    let offered = [
        ("Makefile (1 of 1 that need a separate yes)", "2"),
        ("Accept these 4 files of g1?", "3"),
        ("README.md (1 of 4): accept it?", "2"),
        ("new.txt (2 of 4): accept it?", "1"),
        ("other.txt (3 of 4): accept it?", "2"),
        ("ten.txt (4 of 4): accept it?", "1"),
    ];
    let screen = chooses(accepting(&lent, &["g1"]), &offered, 0);
    assert!(
        screen.contains("+three") && screen.contains("2 files of g1 were accepted; they are not staged"),
        "{screen}"
    );
    assert_eq!(status(&lent), " M ten.txt\n?? new.txt\n");
    assert_eq!(lent.read("ten.txt").lines().nth(2), Some("three"));
    assert_eq!(lent.session("g1")["doing"], "idle; 3 files to accept");
    let records = lent.legal("g1");
    let accepted = of_kind(&records, "work-accepted");
    assert_eq!(
        accepted[0]["acceptance"],
        json!({"by": {"who": "person"}, "step": 1, "files": {"paths": ["new.txt", "ten.txt"]}})
    );

    // What was accepted is not offered again; what was left out is.
    let screen = chooses(accepting(&lent, &["g1", "other.txt"]), &[("Accept other.txt of g1?", "1")], 0);
    assert!(screen.contains("g1 offers 1 of 3 files") && !screen.contains("ten.txt"), "{screen}");
    // Each step is taken back by itself, the newest first.
    lent.run("git grill agent accept g1 --undo").assert_code(3);
    for paths in ["other.txt", "new.txt"] {
        let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
        assert!(screen.contains("was undone") && screen.contains(paths), "{screen}");
    }
    assert_eq!(everything(&lent), before);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 1);
    assert_eq!(lent.session("g1")["doing"], "idle; 5 files to accept");

    // All of it at once, by a yes for the one that makes programs run.
    let all = [("Makefile (1 of 1", "1"), ("Accept these 4 files of g1?", "1")];
    chooses(accepting(&lent, &["g1"]), &all, 0);
    assert_eq!(status(&lent), " D README.md\n M ten.txt\n?? Makefile\n?? new.txt\n?? other.txt\n");
    assert_eq!(lent.session("g1")["doing"], "idle; all changes accepted");
    let screen = chooses(accepting(&lent, &["g1"]), &[], 0);
    assert!(screen.contains("g1 has nothing left to accept"), "{screen}");
    // That needs no person.
    for host in ["", "CLAUDECODE=1 "] {
        lent.run(&format!("{host}git grill agent accept g1"))
            .assert_code(0)
            .assert_stdout("g1 has nothing left to accept\n");
    }
    lent.refused("accept g9", 6, "session_not_found");

    // The next turn offers what is new and nothing else, and the undo stays possible when the worktree is gone.
    lent.sends("g1", "more");
    lent.rests("g1");
    assert_eq!(lent.session("g1")["doing"], "idle; 1 file to accept");
    let screen = chooses(accepting(&lent, &["g1"]), &[("Accept new.txt of g1?", "1")], 0);
    assert!(screen.contains("M new.txt (+1 -0)") && !screen.contains("ten.txt"), "{screen}");
    assert_eq!(lent.read("new.txt"), "new\nmore\n");
    lent.told("cleanup g1");
    for _ in 0..2 {
        let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
        assert!(
            shows(&screen, "its work is kept; to make it a branch: git switch -c g1 refs/grill/local/agents/g1"),
            "{screen}"
        );
    }
    assert_eq!(everything(&lent), before);
    lent.legal("g1");
    lent.is_over();
}

#[test]
fn a39_edits_of_both_are_merged_overlap_is_shown_and_the_undo_refuses_what_was_changed_since() {
    if !walled() {
        return;
    }
    let lent = edited("sed -i s/2/two/ ten.txt && echo new >new.txt");
    lent.run("sed -i s/9/nine/ ten.txt && echo mine >mine.txt && git add mine.txt").assert_code(0);
    let before = everything(&lent);
    let screen = chooses(accepting(&lent, &["g1"]), &[("Accept these 2 files of g1?", "1")], 0);
    assert!(screen.contains("M ten.txt (+1 -1), merged with what you changed"), "{screen}");
    let ten = lent.read("ten.txt");
    assert_eq!((ten.lines().nth(1), ten.lines().nth(8)), (Some("two"), Some("nine")));
    assert_eq!(status(&lent), "A  mine.txt\n M ten.txt\n?? new.txt\n");

    lent.run("echo since >>new.txt").assert_code(0);
    let now = everything(&lent);
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 1);
    assert!(screen.contains("this was changed since the accept: new.txt"), "{screen}");
    // It is untracked, so that a plain git diff shows nothing.
    assert!(shows(&screen, "hint: git diff --no-index") && shows(&screen, "new.txt shows what differs"), "{screen}");
    lent.run("git diff --no-index .git/grill/agents/g1/tree/new.txt new.txt").assert_code(1).assert_contains("+since");
    assert_eq!(everything(&lent), now);
    lent.run("echo new >new.txt").assert_code(0);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert_eq!(everything(&lent), before);

    lent.run("sed -i s/2/zwei/ ten.txt").assert_code(0);
    let now = everything(&lent);
    let screen = chooses(accepting(&lent, &["g1"]), &[], 1);
    for said in [
        "<<<<<<< yours",
        "+zwei",
        "nothing was accepted: 1 file conflicts with your working tree",
        "ten.txt: you and the agent changed",
        "git grill agent accept g1 :/new.txt leaves it out; or git stash -u",
    ] {
        assert!(screen.contains(said.trim_start_matches('+')), "{said}: {screen}");
    }
    assert_eq!(everything(&lent), now);
    let screen = chooses(accepting(&lent, &["g1", "ten.txt"]), &[], 1);
    assert!(screen.contains("hint: git stash -u, accept with --commit"), "{screen}");
    // The other file alone can still be taken.
    chooses(accepting(&lent, &["g1", "new.txt"]), &[("Accept new.txt of g1?", "1")], 0);
    assert_eq!(lent.read("new.txt"), "new\n");
    lent.told("cancel g1");
    lent.is_over();
}

/// What a question is about stands above it, wherever standard output goes.
#[test]
fn a16_what_is_accepted_is_shown_at_the_terminal_where_standard_output_is_a_pipe() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt");
    let mut sitting = Sitting::of_a_line(&lent, "git grill agent accept g1 | cat >../piped; cat ../piped");
    sitting.pty.wait_for("g1 offers 1 file");
    sitting.below("Accept new.txt of g1?", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("+new", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert!(code == 0 && screen.contains("1 file of g1 was accepted"), "{screen}");
    let piped = lent.read("../piped");
    assert!(piped.starts_with("✓ 1 file of g1 was accepted"), "{piped}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a23_only_a_person_accepts_or_the_host_that_they_put_in_charge_and_the_phase_is_obeyed() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt; echo all: >Makefile");
    let before = everything(&lent);
    let by_host = "CLAUDECODE=1 git grill agent accept g1 --json";
    for line in ["git grill agent accept g1 --json", by_host] {
        let refused = lent.run(line).assert_code(3);
        let told: Value = serde_json::from_str(refused.stdout()).unwrap();
        assert_eq!(told["error"]["code"], "needs_person", "{told}");
    }
    // A repository's own configuration puts nobody in charge.
    lent.run("git config grill.agent.accept host").assert_code(0);
    lent.run(by_host).assert_code(3);
    lent.run("git config --unset grill.agent.accept").assert_code(0);
    lent.global_config("[grill \"agent\"]\n\taccept = host\n");
    let refused = lent.run(by_host).assert_code(1);
    assert!(refused.stdout().contains("Makefile: "), "a separate yes is a person's: {}", refused.stdout());
    assert_eq!(everything(&lent), before);
    let accepted = lent.run("CLAUDECODE=1 git grill agent accept g1 new.txt --json").assert_code(0);
    let told: Value = serde_json::from_str(accepted.stdout()).unwrap();
    assert_eq!((&told["accepted"], told["rest"].as_u64()), (&json!(["new.txt"]), Some(1)));
    let records = lent.legal("g1");
    let by = &of_kind(&records, "work-accepted")[0]["acceptance"]["by"];
    assert_eq!((text(&by["who"]), text(&by["name"])), ("host", "claude"), "{by}");
    lent.run("CLAUDECODE=1 git grill agent accept g1 --undo").assert_code(0);
    assert_eq!(everything(&lent), before);

    // In an interview nothing is taken over, by nobody.
    lent.run("git grill start 'add rate limiting'").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1"]), &[], 1);
    assert!(screen.contains("an interview is active"), "{screen}");
    lent.run(by_host).assert_code(1);
    // What no person can do either asks for none.
    for line in ["git grill agent accept g1", "git grill agent accept g1 --undo"] {
        lent.run(line).assert_code(1).assert_contains("an interview is active");
    }
    lent.run("git grill stop --without-output").assert_code(0);
    lent.run("git grill agent accept g1 --undo").assert_contains("nothing of g1 was accepted that can be undone");
    // What is nothing of it.
    let screen = chooses(accepting(&lent, &["g1", "newt"]), &[], 2);
    assert!(screen.contains("'newt' has no change to accept"), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a12_a_commit_that_is_asked_for_holds_the_accepted_files_alone_and_names_the_agent() {
    if !walled() {
        return;
    }
    let lent = edited("sed -i s/2/two/ ten.txt && echo new >new.txt && rm README.md");
    // What is staged otherwise stays staged.
    lent.run("echo mine >mine.txt && git add mine.txt").assert_code(0);
    let commits = ["g1", "--commit", "-m", "two, not 2"];
    lent.run("echo 11 >>ten.txt").assert_code(0);
    let before = everything(&lent);
    // Refused at once, with a command that works.
    let screen = chooses(accepting(&lent, &commits), &[], 1);
    for said in [
        "ten.txt has changes of yours, which the commit would hold as well",
        "git grill agent accept g1 :/README.md :/new.txt --commit -m 'two, not 2' leaves it out",
    ] {
        assert!(shows(&screen, said) && !screen.contains("g1 offers"), "{said}: {screen}");
    }
    assert_eq!(everything(&lent), before);
    let typed = "git grill agent accept g1 ten.txt --commit -m 'two, not 2'";
    lent.run(typed).assert_code(3).assert_contains(&format!("hint: {typed}, at a terminal"));
    lent.run("git checkout -q ten.txt").assert_code(0);

    // A hook that says no leaves the files accepted, and nothing staged that was not.
    lent.write(".git/hooks/pre-commit", "#!/bin/sh\necho 'the lint says no' >&2; exit 1\n");
    lent.run("chmod +x .git/hooks/pre-commit").assert_code(0);
    let screen = chooses(accepting(&lent, &commits), &[("Accept these 3 files of g1?", "1")], 128);
    assert!(
        screen.contains("the files were accepted and are not committed") && screen.contains("the lint says no"),
        "{screen}"
    );
    assert_eq!(status(&lent), " D README.md\nA  mine.txt\n M ten.txt\n?? new.txt\n");
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    lent.run("rm .git/hooks/pre-commit").assert_code(0);

    let sitting = accepting(&lent, &commits);
    sitting.pty.wait_for("git revert takes the commit back");
    let screen = chooses(sitting, &[("Accept these 3 files of g1?", "1")], 0);
    assert!(screen.contains("3 files of g1 were accepted, and committed on main as"), "{screen}");
    lent.run("git log -1 --format=%B").assert_stdout("two, not 2\n\nGrill-Agent: scripted g1\n\n");
    lent.run("git show --format= --name-status HEAD").assert_stdout("D\tREADME.md\nA\tnew.txt\nM\tten.txt\n");
    assert_eq!(status(&lent), "A  mine.txt\n");
    // What is in a commit is git's to take back; then the files are offered again.
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 1);
    assert!(
        screen.contains("nothing was undone: the accepted changes are in commit") && screen.contains("git revert"),
        "{screen}"
    );
    lent.run("git reset -q mine.txt && git revert --no-edit HEAD").assert_code(0);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert_eq!(status(&lent), "?? mine.txt\n");
    assert_eq!(lent.session("g1")["doing"], "idle; 3 files to accept");
    lent.told("cancel g1");
    lent.is_over();
}
