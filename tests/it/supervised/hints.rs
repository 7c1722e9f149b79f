//! What is said beside an accept and its undo holds when it is typed: files that are offered, commands that work, and
//! nothing that loses what the person staged (A15, A16, A39).

use serde_json::{Value, json};

use super::Lent;
use super::accepted::{accepting, chooses, edited, status};
use crate::leading::{play, walled};
use crate::pty::shows;

#[test]
fn a15_a39_changes_lists_what_accept_offers_after_another_turn() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    lent.run("mkdir docs && echo c >docs/c.md && git add docs && git commit -qm docs").assert_code(0);
    let first = "rm docs/c.md && echo n >docs/n.md";
    let second = "echo c >docs/c.md && rm docs/n.md && mkdir docs/n.md && echo y >docs/n.md/y.md";
    play(&lent, &json!({"turns": [[{"shell": first}], [{"shell": second}]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    lent.rests("g1");
    chooses(accepting(&lent, &["g1"]), &[("Accept these 2 files of g1?", "1")], 0);
    lent.sends("g1", "more");
    lent.rests("g1");
    let told = lent.told("changes g1");
    let paths = |list: &Value| -> Vec<String> {
        let one = |file: &Value| format!("{} {}", file["status"].as_str().unwrap(), file["path"].as_str().unwrap());
        list.as_array().unwrap().iter().map(one).collect()
    };
    assert_eq!(paths(&told["files"]), ["A docs/n.md/y.md"]);
    assert_eq!(paths(&told["back"]), ["A docs/c.md", "D docs/n.md"]);
    let said = "2 files were changed since they were accepted, back to what they were at the start";
    lent.run("git grill agent changes g1")
        .assert_code(0)
        .assert_contains(said)
        .assert_contains("  D docs/n.md (+0 -1)");
    let screen = chooses(accepting(&lent, &["g1"]), &[("Accept these 3 files of g1?", "1")], 0);
    assert!(screen.contains("A docs/c.md") && screen.contains("D docs/n.md"), "{screen}");
    assert_eq!(status(&lent), "?? docs/n.md/y.md\n");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a39_the_hint_of_a_conflict_names_only_files_that_the_commit_can_hold() {
    if !walled() {
        return;
    }
    let lent = edited("sed -i s/2/two/ ten.txt && echo ag >README.md && echo new >new.txt && echo d >./-dash.md");
    lent.run("echo mine >README.md && echo 11 >>ten.txt").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--commit", "-m", "x"]), &[], 1);
    let hint = "git grill agent accept g1 ':(top,literal)-dash.md' :/new.txt --commit -m x leaves them out";
    assert!(shows(&screen, hint), "{screen}");
    // It is taken as it was printed.
    let typed = ["g1", ":(top,literal)-dash.md", ":/new.txt", "--commit", "-m", "x"];
    let screen = chooses(accepting(&lent, &typed), &[("Accept these 2 files of g1?", "1")], 0);
    assert!(screen.contains("and committed on main"), "{screen}");
    lent.run("git show --format= --name-status HEAD").assert_stdout("A\t-dash.md\nA\tnew.txt\n");
    let screen = chooses(accepting(&lent, &["g1", "new.txt"]), &[], 2);
    assert!(shows(&screen, "nothing was accepted: 'new.txt' is already accepted"), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a39_an_older_accept_that_was_committed_is_git_s_to_take_back_and_what_was_staged_before_is_not_named() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt && sed -i s/9/nine/ ten.txt");
    let committed = ["g1", "new.txt", "--commit", "-m", "x"];
    chooses(accepting(&lent, &committed), &[("Accept new.txt of g1?", "1")], 0);
    let commit = lent.run("git rev-parse HEAD").assert_code(0).stdout()[..10].to_owned();
    // It exists in the index and nowhere else.
    lent.run("sed -i s/2/STAGED/ ten.txt && git add ten.txt && sed -i s/STAGED/zwei/ ten.txt").assert_code(0);
    chooses(accepting(&lent, &["g1", "ten.txt"]), &[("Accept ten.txt of g1?", "1")], 0);
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    let said = format!("an older accept remains, in commit {commit}; git revert {commit} takes it back");
    assert!(shows(&screen, &said) && !screen.contains("restore --staged"), "{screen}");
    lent.run("git show :ten.txt").assert_code(0).assert_contains("STAGED");
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 1);
    let hint = format!(
        "git revert {commit} reverts the whole commit; after git grill agent accept g1 --undo, accept offers these files again"
    );
    assert!(shows(&screen, &hint), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a39_the_hint_of_a_conflict_says_what_keeps_both_by_what_git_knows_of_the_user_s_file() {
    if !walled() {
        return;
    }
    let lent = edited("sed -i s/2/two/ ten.txt && echo ag >new.md && echo ag >kept.log");
    lent.run("echo mine >new.md && echo mine >kept.log && echo '*.log' >>.git/info/exclude").assert_code(0);
    // A stash brings back neither of them.
    for file in ["kept.log", "new.md"] {
        let screen = chooses(accepting(&lent, &["g1", file]), &[], 1);
        let hint = format!("mv -n {file} {file}.mine keeps yours; then accept again");
        assert!(shows(&screen, &hint) && !screen.contains("stash"), "{screen}");
    }
    lent.run("mv -n new.md new.md.mine").assert_code(0);
    chooses(accepting(&lent, &["g1", "new.md"]), &[("Accept new.md of g1?", "1")], 0);
    assert_eq!((lent.read("new.md"), lent.read("new.md.mine")), ("ag\n".to_owned(), "mine\n".to_owned()));
    let merges = "git stash -u, accept with --commit, and git stash pop merges what is yours";
    lent.run("sed -i s/2/zwei/ ten.txt").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "ten.txt"]), &[], 1);
    assert!(shows(&screen, merges), "{screen}");
    // What is committed is in no stash.
    lent.run("git commit -qam mine").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "ten.txt"]), &[], 1);
    let by_hand = "git grill agent changes g1 names the patch that has the agent's lines, to put in by hand";
    assert!(shows(&screen, by_hand) && !screen.contains("stash"), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a39_the_hint_of_a_conflict_moves_what_is_in_the_way_to_a_name_where_nothing_is() {
    if !walled() {
        return;
    }
    let lent = edited("echo ag >new.md && mkdir d && echo ag >d/f.txt && echo ag >d/g.txt");
    lent.run("echo mine >new.md && mkdir new.md.mine && echo 2 >new.md.mine2 && echo mine >d").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "new.md"]), &[], 1);
    assert!(shows(&screen, "mv -n new.md new.md.mine3 keeps yours; then accept again"), "{screen}");
    // Two of the agent's files need the folder, and one of the user's is in its place.
    let screen = chooses(accepting(&lent, &["g1", "d/f.txt", "d/g.txt"]), &[], 1);
    assert!(shows(&screen, "mv -n d d.mine keeps yours; then accept again"), "{screen}");
    lent.run("mv -n d d.mine").assert_code(0);
    chooses(accepting(&lent, &["g1", "d/f.txt", "d/g.txt"]), &[("Accept these 2 files of g1?", "1")], 0);
    assert_eq!((lent.read("d/f.txt"), lent.read("d.mine")), ("ag\n".to_owned(), "mine\n".to_owned()));
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a9_a16_a_turn_that_was_cut_off_is_told_in_its_result_and_before_an_accept() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let steps = json!([{"shell": "echo half >half.txt"}, {"say": "so far"}, {"stop": "max_tokens"}]);
    play(&lent, &json!({"turns": [steps]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    lent.rests("g1");
    let why = "t1 was cut off: its model ran out of tokens";
    assert_eq!(lent.told("result g1")["result"]["note"], why);
    lent.run("git grill agent result g1").assert_code(0).assert_contains(why);
    lent.run("git grill agent status g1").assert_code(0).assert_contains(" ago: its model ran out of tokens\n");
    assert_eq!(lent.session("g1")["doing"], "t1 was cut off; 1 file to accept");
    assert_eq!(lent.session("g1")["turns"][0]["stop"], "max_tokens");
    for line in ["git grill agent status", "git grill status"] {
        lent.run(line).assert_contains("t1 was cut off; 1 file to accept");
    }
    let told = "! t1 did not end as it should, and may have left work half done: its model ran out of tokens\n";
    lent.run("git grill agent changes g1").assert_code(0).assert_contains(told);
    let screen = chooses(accepting(&lent, &["g1"]), &[("Accept half.txt of g1?", "1")], 0);
    let told = "t1 did not end as it should, and may have left work half done: its model ran out of tokens";
    assert!(shows(&screen, told), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}
