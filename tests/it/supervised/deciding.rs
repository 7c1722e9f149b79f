//! How the person decides on what an agent without walls changed in the repository (A25).

use serde_json::json;

use super::ends;
use super::unwalled::{BARE, CTRL_C, agrees, answers, kinds, world};
use crate::conversation::Sitting;
use crate::leading::{ENTER, ESCAPE, lets, play, until};

#[test]
fn a25_what_the_user_keeps_before_they_leave_stays_kept_as_long_as_it_is_the_same() {
    let lent = world();
    let line = format!("cd '{}' && echo evil >README.md && echo new >new.txt && rm notes.txt", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let (first, second, third) =
        ("README.md (modified): keep it?", "new.txt (new): keep it?", "notes.txt (deleted): keep it?");
    let screen = answers(&lent, &[(first, "1"), (second, "2"), (third, ESCAPE)], 5);
    assert!(screen.contains("not restored, since you left before the end: new.txt"), "{screen}");
    let told = "stopped; your decision is kept. 2 changes are left: git grill agent answer g1";
    assert!(screen.contains(told) && !screen.contains("nothing changed"), "{screen}");
    assert!(lent.repo().join("new.txt").exists());
    lent.run("git grill agent log g1").assert_code(0).assert_contains("you kept 1 change so far: README.md\n");
    let screen = answers(&lent, &[(second, "1"), (third, CTRL_C)], 130);
    assert!(
        screen.contains("interrupted; your decision is kept. 1 change is left: git grill agent answer g1"),
        "{screen}"
    );
    assert!(screen.contains("this stays, as you said before: README.md") && !screen.contains(first), "{screen}");
    // What is another one by now is asked about again.
    lent.write("README.md", "again\n");
    let screen = answers(&lent, &[(first, "1"), (third, "2")], 0);
    assert!(screen.contains("this stays, as you said before: new.txt") && !screen.contains(second), "{screen}");
    assert_eq!((lent.read("README.md"), lent.read("notes.txt")), ("again\n".to_owned(), "my notes\n".to_owned()));
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert!(log.stdout().contains("you kept 2 changes: README.md, new.txt; nothing is left"), "{}", log.stdout());
}

/// What changes after the user has decided and before it is recorded is asked about as well.
#[test]
fn a25_a_change_while_the_user_decides_is_asked_about_before_the_next_prompt() {
    let lent = world();
    let line = format!("echo evil >'{}'", lent.repo().join("README.md").display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let mut sitting = Sitting::at(&lent, &["agent", "answer", "g1"], 60, 110, &BARE);
    sitting.below("README.md (modified): keep it?", "digits jump");
    // The same file in as many bytes, and another one.
    lent.write("README.md", "good\n");
    lent.write("more.txt", "more\n");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("2 things changed while the agent ran");
    sitting.below("README.md (modified): keep it?", "digits jump");
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    lent.told("cancel g1");
    assert_eq!(kinds(&lent.legal("g1")).last(), Some(&"parent-settled"));
}

/// A prompt that is queued behind the decision is not what holds the work back.
#[test]
fn a25_work_is_not_accepted_before_the_decision_that_the_refusal_and_changes_name() {
    let lent = world();
    let line = format!("echo more >>README.md && echo evil >'{}'", lent.repo().join("notes.txt").display());
    play(&lent, &json!({"turns": [[{"shell": line}, until(&lent, "sent"), {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["--profile", "worktree-edit", "write"]);
    assert_eq!(lent.sends("g1", "more"), "t2");
    lets(&lent, "sent");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 queued"]);
    let changes = lent.run("git grill agent changes g1").assert_code(0);
    assert!(changes.stdout().starts_with("! 1 change in the repository: notes.txt"), "{}", changes.stdout());
    assert!(changes.stdout().contains("\n  git grill agent answer g1\n"), "{}", changes.stdout());
    let screen = super::accepted::chooses(super::accepted::accepting(&lent, &["g1"]), &[], 1);
    assert!(screen.contains("you have not decided"), "{screen}");
    assert!(screen.contains("git grill agent answer g1") && !screen.contains("agent cancel"), "{screen}");
    answers(&lent, &[("notes.txt (modified): keep it?", "2")], 0);
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a25_what_restoring_changes_in_the_index_is_shown() {
    let lent = world();
    let line = format!(
        "cd '{}' && git update-index --cacheinfo 100644,$(echo staged | git hash-object -w --stdin),README.md",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let screen = answers(&lent, &[("README.md in the index (modified): keep it?", "2")], 0);
    assert!(screen.contains("-staged") && screen.contains("+# As it was"), "{screen}");
    lent.run("git diff --cached --quiet").assert_code(0);
    lent.told("cancel g1");
}

/// What git runs or includes from within its own folder, and from an ignored folder, is compared like the rest.
#[test]
fn a25_what_git_s_configuration_names_is_compared_wherever_it_is() {
    let lent = world();
    lent.run(
        "mkdir -p .git/mine .git/hooks/lib hooks && echo /hooks >>.git/info/exclude && echo : >.git/mine/pre-commit && echo : >hooks/pre-push \
         && git config core.hooksPath .git/mine && git config --add core.hooksPath ./hooks && git config include.path more.cfg \
         && printf '[alias]\\n x = status\\n' >.git/more.cfg && echo : >.git/hooks/lib/x.sh",
    )
    .assert_code(0);
    let line = format!(
        "cd '{}' && for file in .git/mine/pre-commit .git/hooks/lib/x.sh .git/more.cfg hooks/pre-push hooks/new; do echo '# more' >>$file; done",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let screen = answers(&lent, &[("hooks/new (named by git's configuration) (new): keep it?", ESCAPE)], 5);
    for changed in ["mine/pre-commit", "more.cfg", "/hooks/pre-push", "/hooks/new", "! 5 things changed"] {
        assert!(screen.contains(changed), "{changed}: {screen}");
    }
    answers(&lent, &[("keep it?", "3")], 0);
    lent.sends("g1", "more");
    assert_eq!(
        lent.rests("g1")["doing"],
        "idle; you kept changes in the repository",
        "what is kept is how it is to stay"
    );
    lent.told("cancel g1");
    lent.is_over();
}

/// What was kept is asked about again once it is another one, whatever it is.
#[test]
fn a25_configuration_that_was_kept_and_changed_again_is_asked_about_again() {
    let lent = world();
    let line = format!("cd '{}' && echo evil >README.md && echo '# x' >>.git/config", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let (config, readme) = ("config in the git directory (modified): keep it?", "README.md (modified): keep it?");
    answers(&lent, &[(config, "1"), (readme, ESCAPE)], 5);
    let screen = answers(&lent, &[(readme, ESCAPE)], 5);
    assert!(screen.contains("this stays, as you said before: config in the git directory"), "{screen}");
    lent.run("echo '# y' >>.git/config").assert_code(0);
    let screen = answers(&lent, &[(config, "1"), (readme, ESCAPE)], 5);
    assert!(!screen.contains("as you said before"), "{screen}");
    // Nothing is asked where all that is left is kept.
    lent.run("git checkout -q README.md").assert_code(0);
    let screen = answers(&lent, &[], 0);
    assert!(screen.contains("no change in the repository is left to decide"), "{screen}");
    lent.told("cancel g1");
}

#[test]
fn a25_new_files_that_only_a_new_line_of_info_exclude_ignores_are_asked_about() {
    let lent = world();
    lent.run("echo '*.o' >>.git/info/exclude && :>a.o").assert_code(0);
    let line = format!("cd '{}' && echo '*.hid' >>.git/info/exclude && :>x.hid && :>b.o", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let choices = [("info/exclude in the git directory (modified): keep it?", "1"), ("x.hid (new): keep it?", "2")];
    let screen = answers(&lent, &choices, 0);
    assert!(screen.contains("removed: x.hid") && !screen.contains("b.o"), "{screen}");
    lent.told("cancel g1");
}

/// Another repository in the place of this one's branches, configuration and hooks would have its own record of sessions.
#[test]
fn a25_a_repository_that_names_another_in_its_place_is_not_opened() {
    let lent = world();
    let line = format!(
        "cd '{}' && cp -r .git ../other && echo ../../other >../new && mv ../new .git/commondir",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    crate::bench::wait_until("the other one", || lent.repo().join(".git/commondir").exists());
    let told = lent.run("git grill agent status");
    told.assert_code(128).assert_contains("commondir names another repository in its place").assert_contains("rm ");
    lent.run("rm .git/commondir").assert_code(0);
    lent.rests("g1");
    lent.told("cancel g1");
    lent.is_over();
    lent.run("git worktree add -q ../linked && cd ../linked && git grill agent status").assert_code(0);
}

/// An agent that writes a file and the rule that ignores it hides nothing so; what was ignored before stays unseen.
#[test]
fn a25_new_files_that_only_a_new_rule_ignores_are_asked_about() {
    let lent = world();
    lent.write(".gitignore", "*.o\nbuild/\n");
    lent.run("git add -A && git commit -qm rules && mkdir -p build .cache && echo '*' >.cache/.gitignore && touch a.o build/x .cache/y")
        .assert_code(0);
    let line = format!(
        "cd '{}' && mkdir evil src sub && :>b.o && :>build/z && :>.cache/z && :>sub/x.sh && :>evil/run.sh \
         && printf 'x.sh\\n.gitignore\\n' >sub/.gitignore && echo '*' >evil/.gitignore && mkdir -p src/inner/.git/objects src/inner/.git/refs && echo ref: refs/heads/x >src/inner/.git/HEAD && echo '*' >src/.gitignore",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let screen = answers(&lent, &[("src/inner (new): keep it?", ESCAPE)], 5);
    for hidden in ["evil/.gitignore", "evil/run.sh", "src/.gitignore", "src/inner", "sub/.gitignore", "sub/x.sh"] {
        assert!(screen.contains(hidden), "{hidden}: {screen}");
    }
    for old in ["b.o", "build/z", ".cache/z"] {
        assert!(!screen.contains(old), "{old}: {screen}");
    }
    // What cannot be brought back comes first: the repository of its own.
    answers(&lent, &[("src/inner (new): keep it?", "1"), ("evil/.gitignore (new): keep it?", "4")], 0);
    for gone in ["evil/run.sh", "evil/.gitignore", "sub/x.sh", "sub/.gitignore", "src/.gitignore"] {
        assert!(!lent.repo().join(gone).exists(), "{gone}");
    }
    assert!(lent.repo().join(".cache/z").exists() && lent.repo().join("src/inner/.git").is_dir());
    // What is kept is not asked about again.
    lent.run("mkdir sub && printf 'x.sh\\n.gitignore\\n' >sub/.gitignore && touch sub/x.sh").assert_code(0);
    lent.sends("g1", "more");
    lent.rests("g1");
    answers(&lent, &[("sub/.gitignore (new): keep it?", "3")], 0);
    lent.run("GRILL_TEST_NO_WALLS=1 git grill agent send g1 --confirm-provider-use more").assert_code(0);
    lent.rests("g1");
    lent.told("cancel g1");
    lent.is_over();
    assert_eq!(kinds(&lent.legal("g1")).iter().filter(|kind| **kind == "parent-undecided").count(), 2);
}

/// The person's own work is not what the agent left.
#[test]
fn a25_what_the_user_changes_after_the_agent_ended_is_no_change_of_the_agents() {
    let lent = world();
    let line = format!("cd '{}' && echo evil >README.md && git branch side && echo w >new.txt", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    lent.told("cancel g1");
    lent.is_over();
    lent.run("echo mine >>notes.txt && echo more >>new.txt").assert_code(0);
    let choices =
        [("refs/heads/side (new", "4"), ("new.txt (new, changed again after the agent ended): keep it?", "1")];
    let screen = answers(&lent, &choices, 0);
    assert!(screen.contains("changed after the agent ended, and not asked about:"), "{screen}");
    assert!(!screen.contains("notes.txt (modified): keep it?"), "{screen}");
    assert_eq!(
        (lent.read("README.md"), lent.read("notes.txt")),
        ("# As it was\n".to_owned(), "my notes\nmine\n".to_owned())
    );
    assert_eq!(lent.read("new.txt"), "w\nmore\n");
    lent.run("git rev-parse -q --verify side").assert_code(1);
    lent.told("cleanup g1");
}

#[test]
fn a25_a_new_stash_is_removed_and_the_command_that_undoes_it_is_told() {
    let lent = world();
    // It leaves an `ORIG_HEAD` as well.
    let line = format!(
        "cd '{}' && echo w >>notes.txt && git -c user.name=A -c user.email=a@example.org stash -q && echo z >z.txt",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let screen = answers(&lent, &[("refs/stash (new, 0 entries → 1 entry): keep it?", "4")], 0);
    assert!(screen.contains("removed: refs/stash, ORIG_HEAD, z.txt"), "{screen}");
    assert!(
        screen.contains("refs/stash was deleted; to undo that:") && screen.contains("git stash store -m "),
        "{screen}"
    );
    lent.run("git stash list").assert_stdout("");
    lent.told("cancel g1");
    lent.is_over();
}

/// What the next merge or reset takes without being asked.
#[test]
fn a25_recorded_resolutions_and_what_a_reset_left_are_compared() {
    let lent = world();
    lent.run(
        "git config rerere.enabled true && git config rerere.autoupdate true && git checkout -q -b x && echo left >notes.txt \
         && git commit -qam l && git checkout -q - && echo right >notes.txt && git commit -qam r && ! git merge x \
         && echo mine >notes.txt && git add -A && git commit -qm merged && git reset -q --hard HEAD~1",
    )
    .assert_code(0);
    let before = lent.read(".git/ORIG_HEAD");
    let line = format!(
        "cd '{}' && for file in .git/rr-cache/*/postimage; do echo EVIL >$file; done; git rev-parse HEAD~1 >.git/ORIG_HEAD; \
         git rev-parse HEAD >.git/FETCH_HEAD",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    assert_eq!(lent.rests("g1")["doing"], "waits for you");
    let choices = [
        ("/postimage in the git directory", "1"),
        ("FETCH_HEAD (new): keep it?", "2"),
        ("ORIG_HEAD (modified): keep it?", "2"),
    ];
    let screen = answers(&lent, &choices, 0);
    assert!(screen.contains("removed: FETCH_HEAD") && screen.contains("restored: ORIG_HEAD"), "{screen}");
    assert_eq!(lent.read(".git/ORIG_HEAD"), before);
    assert!(!lent.repo().join(".git/FETCH_HEAD").exists());
    lent.told("cancel g1");
    lent.is_over();
}
