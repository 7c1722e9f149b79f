//! Accepts that must not be, or not like this: a session that begins while the person chooses, an undo of somebody else's
//! step, a step that was cut off (A16, A23, A39).

use serde_json::{Value, json};

use super::accepted::{accepting, chooses, edited, everything, status};
use super::of_kind;
use crate::leading::{ENTER, walled};

#[test]
fn a23_an_interview_that_begins_while_the_person_chooses_is_seen_before_anything_is_written() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt");
    let mut sitting = accepting(&lent, &["g1"]);
    sitting.below("Accept new.txt of g1?", "digits jump");
    lent.run("git grill start 'add rate limiting'").assert_code(0);
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert!(code == 1 && screen.contains("an interview is active, and nothing changes before it ends"), "{screen}");
    lent.run("git grill verify").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 1);
    assert!(screen.contains("an interview is active"), "{screen}");
    lent.run("git grill stop --without-output").assert_code(0);
    assert_eq!(status(&lent), "");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a23_a_host_takes_back_what_a_host_accepted_and_nothing_of_a_person_s() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt; echo other >other.txt");
    lent.global_config("[grill \"agent\"]\n\taccept = host\n");
    let before = everything(&lent);
    let by_host = |words: &str| lent.run(&format!("CLAUDECODE=1 git grill agent accept g1 {words} --json"));
    by_host("new.txt").assert_code(0);
    chooses(accepting(&lent, &["g1", "other.txt"]), &[("Accept other.txt of g1?", "1")], 0);
    let now = everything(&lent);
    let refused = by_host("--undo").assert_code(3);
    let told: Value = serde_json::from_str(refused.stdout()).unwrap();
    assert_eq!(told["error"]["code"], "needs_person", "{told}");
    assert_eq!(everything(&lent), now);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    by_host("--undo").assert_code(0);
    assert_eq!(everything(&lent), before);
    lent.told("cancel g1");
    lent.is_over();
}

/// A kill leaves a journal, and what the ledger was not told.
#[test]
fn a16_a38_what_was_cut_off_is_named_until_the_undo_and_the_ledger_tells_of_it_then() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt; sed -i s/3/three/ ten.txt");
    let before = everything(&lent);
    chooses(accepting(&lent, &["g1"]), &[("Accept these 2 files of g1?", "1")], 0);
    assert_eq!(lent.session("g1")["doing"], "idle; all changes accepted");
    let half = "commit=$(git rev-parse refs/grill/local/accepted/g1-1) && rm new.txt && \
                echo \"undo 1 $commit\" >.git/grill/agents/g1/accepts/journal";
    lent.run(half).assert_code(0);
    for line in ["git grill agent status", "git grill agent status g1"] {
        let told = lent.run(line).assert_code(0);
        assert!(
            told.stdout().contains(
                "! an accept or undo of g1 was interrupted: some of its files are written, others are not\n  git grill agent accept g1 --undo\n"
            ),
            "{}",
            told.stdout()
        );
    }
    assert_eq!(lent.session("g1")["doing"], "an accept or undo was interrupted");
    lent.run("git grill status").assert_contains("an accept or undo was interrupted");
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert!(screen.contains("was undone; it had been interrupted"), "{screen}");
    assert_eq!(everything(&lent), before);
    assert_eq!(lent.session("g1")["doing"], "idle; 2 files to accept");
    let records = lent.legal("g1");
    assert_eq!(of_kind(&records, "accept-undone")[0]["acceptance"]["by"], json!({"who": "unrecorded"}));
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a_name_begins_where_the_person_is_or_at_the_top() {
    if !walled() {
        return;
    }
    let lent = edited("mkdir -p src/in && for at in a.md src/a.md src/b src/in/c ':x*.md'; do echo new >\"$at\"; done");
    lent.run("mkdir -p src/in").assert_code(0);
    lent.global_config("[grill \"agent\"]\n\taccept = host\n");
    let by_host = |folder: &str, name: &str| -> Value {
        let line = format!("cd {folder} && CLAUDECODE=1 git grill agent accept g1 {name} --json");
        let ran = lent.run(&line);
        let code = i32::from(name.starts_with("../../")) * 2;
        let told: Value = serde_json::from_str(ran.assert_code(code).stdout()).unwrap();
        if code == 0 {
            lent.run("CLAUDECODE=1 git grill agent accept g1 --undo --json").assert_code(0);
        }
        told["accepted"].clone()
    };
    assert_eq!(by_host("src", "a.md"), json!(["src/a.md"]));
    assert_eq!(by_host("src", "src/b"), json!(["src/b"]));
    assert_eq!(by_host("src", "../a.md ./in/"), json!(["a.md", "src/in/c"]));
    assert_eq!(by_host("src/in", "."), json!(["src/in/c"]));
    assert_eq!(by_host("src", ":/a.md"), json!(["a.md"]));
    assert_eq!(by_host("src", "':(top,literal):x*.md'"), json!([":x*.md"]));
    assert_eq!(by_host(".", ".").as_array().map(Vec::len), Some(5));
    assert_eq!(by_host("src", "../../a.md"), Value::Null);
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a_commit_holds_new_files_that_git_ignores_here_and_is_not_hindered_by_what_was_there_already() {
    if !walled() {
        return;
    }
    let lent = edited("echo log >a.draft.md && echo same >same.txt && echo new >new.txt");
    lent.run("echo '*.draft.md' >>.git/info/exclude && echo same >same.txt").assert_code(0);
    let commits = ["g1", "--commit", "-m", "logs"];
    lent.run("git checkout -q --detach").assert_code(0);
    let screen = chooses(accepting(&lent, &commits), &[], 1);
    assert!(screen.contains("nothing was accepted or committed"), "{screen}");
    lent.run("git checkout -q main").assert_code(0);
    let screen = chooses(accepting(&lent, &commits), &[("Accept these 2 files of g1?", "1")], 0);
    assert!(screen.contains("2 files of g1 were accepted, and committed on main as"), "{screen}");
    lent.run("git show --format= --name-status HEAD").assert_stdout("A\ta.draft.md\nA\tnew.txt\n");
    assert_eq!(status(&lent), "?? same.txt\n");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_what_git_would_run_needs_a_yes_of_its_own_and_is_in_no_commit_of_ours() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt && echo 'touch ran' >tool.txt");
    lent.run("git config filter.up.clean 'sh ./tool.txt' && echo '*.txt filter=up' >.git/info/attributes")
        .assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--commit"]), &[], 1);
    assert!(screen.contains("the commit would run tool.txt, which the agent changed"), "{screen}");
    let of_its_own = "tool.txt (1 of 1 that need a separate yes): git's configuration names it";
    accepting(&lent, &["g1"]).below(of_its_own, "digits jump");
    assert!(!lent.repo().join("tool.txt").exists() && !lent.repo().join("ran").exists(), "it was written or run");
    lent.global_config("[grill \"agent\"]\n\taccept = host\n");
    lent.run("CLAUDECODE=1 git grill agent accept g1 --json").assert_code(1).assert_contains("needs_person");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a39_what_the_user_committed_themselves_is_git_s_to_take_back() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt");
    chooses(accepting(&lent, &["g1"]), &[("new.txt of g1?", "1")], 0);
    lent.run("git add -A && git commit -qm mine").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 1);
    assert!(screen.contains("nothing was undone: the accepted changes are in commit"), "{screen}");
    assert_eq!((lent.read("new.txt").as_str(), status(&lent).as_str()), ("new\n", ""));
    lent.run("git revert --no-edit HEAD").assert_code(0);
    chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    // The index is theirs: what they staged stays, and they are told.
    chooses(accepting(&lent, &["g1"]), &[("new.txt of g1?", "1")], 0);
    lent.run("git add new.txt").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--undo"]), &[], 0);
    assert!(screen.contains("git restore --staged -- :/new.txt"), "{screen}");
    lent.run("git restore --staged -- :/new.txt").assert_code(0);
    assert_eq!(status(&lent), "");
    lent.told("cancel g1");
    lent.is_over();
}

/// A folder of hooks in the working tree, named as git takes it: relative, absolute, and not there before.
#[test]
fn a16_a_hook_that_the_agent_wrote_is_not_run_by_a_commit_of_its_work() {
    if !walled() {
        return;
    }
    let write = "mkdir -p hooks && printf '#!/bin/sh\\ntouch ran\\n' >hooks/pre-commit && chmod +x hooks/pre-commit && echo new >new.txt";
    for absolute in [false, true] {
        let lent = edited(write);
        let hooks = if absolute { lent.repo().join("hooks").display().to_string() } else { "./hooks".to_owned() };
        lent.run(&format!("git config core.hooksPath '{hooks}'")).assert_code(0);
        let screen = chooses(accepting(&lent, &["g1", "--commit"]), &[], 1);
        assert!(screen.contains("the commit would run hooks/pre-commit, which the agent changed"), "{screen}");
        assert!(!lent.repo().join("ran").exists() && !lent.repo().join("new.txt").exists());
        lent.told("cancel g1");
        lent.is_over();
    }
}

#[test]
fn a16_a_commit_that_holds_something_else_is_told_of() {
    if !walled() {
        return;
    }
    let lent = edited("echo new >new.txt");
    lent.write(".git/hooks/pre-commit", "#!/bin/sh\necho more >README.md; git add README.md\n");
    lent.run("chmod +x .git/hooks/pre-commit && git update-index --assume-unchanged ten.txt").assert_code(0);
    let screen = chooses(accepting(&lent, &["g1", "--commit"]), &[("new.txt of g1?", "1")], 128);
    assert!(screen.contains("does not hold exactly these") && screen.contains("README.md"), "{screen}");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a16_a_commit_takes_nothing_of_the_person_s_out_of_the_index() {
    if !walled() {
        return;
    }
    let lent = edited("mkdir newd && echo n >newd/n.md && echo c >TEN.md");
    let commits = ["g1", "--commit"];
    let both = [("Accept these 2 files of g1?", "1")];
    // A blob is staged where the agent has a folder, and nothing stands there.
    lent.run("echo mine >newd && git add newd && rm newd").assert_code(0);
    let screen = chooses(accepting(&lent, &commits), &[], 1);
    assert!(screen.contains("the commit would remove newd from your index"), "{screen}");
    lent.run("git rm -q --cached newd && echo mine >ten.md && git add ten.md && rm ten.md && git config core.ignoreCase true")
        .assert_code(0);
    let screen = chooses(accepting(&lent, &commits), &[], 1);
    assert!(screen.contains("the commit would remove ten.md from your index"), "{screen}");
    lent.run("git config core.ignoreCase false").assert_code(0);
    chooses(accepting(&lent, &commits), &both, 0);
    assert_eq!(status(&lent), "AD ten.md\n");
    lent.told("cancel g1");
    lent.is_over();
}
