//! An agent that nothing keeps from writing (A25): the person agrees to each session, and what changes in the repository
//! while it runs holds the session until they have said whose it is.

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use super::accepted::status;
use super::{Lent, ends, of_kind, text};
use crate::bench::wait_until;
use crate::conversation::Sitting;
use crate::leading::{ENTER, ESCAPE, lets, play, until};

pub(super) const CTRL_C: &str = "\x03";
pub(super) const BARE: [(&str, &str); 1] = [("GRILL_TEST_NO_WALLS", "1")];

pub(super) fn world() -> Lent {
    let lent = Lent::new();
    lent.write("README.md", "# As it was\n");
    lent.write("notes.txt", "my notes\n");
    lent.run("git add -A && git commit -qm begun").assert_code(0);
    lent
}

/// Lends work where no walls can be built; the person agrees.
#[track_caller]
pub(super) fn agrees(lent: &Lent, words: &[&str]) {
    let all: Vec<&str> = ["agent", "start", "--agent", "scripted"].iter().chain(words).copied().collect();
    let mut sitting = Sitting::at(lent, &all, 50, 110, &BARE);
    sitting.below("changes while it runs is shown to you after each turn", "digits jump");
    assert!(!sitting.pty.raw().contains("do not ask again"), "a yes for good");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
}

/// Takes these choices at `git grill agent answer g1`, one after the other, each once its question stands there.
#[track_caller]
pub(super) fn answers(lent: &Lent, choices: &[(&str, &str)], code: i32) -> String {
    let mut sitting = Sitting::at(lent, &["agent", "answer", "g1"], 60, 110, &BARE);
    for (question, key) in choices {
        sitting.below(question, "digits jump");
        sitting.pty.send(key);
        if ![ESCAPE, CTRL_C].contains(key) {
            sitting.pty.send(ENTER);
        }
    }
    let (ended, screen) = sitting.end();
    assert_eq!(ended, code, "{screen}");
    screen
}

pub(super) fn kinds(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| text(&record["event"])).filter(|kind| kind.starts_with("parent")).collect()
}

pub(super) fn watch_refs(lent: &Lent) -> String {
    lent.run("git for-each-ref --format='%(refname)' refs/grill/local | sed 's/[a-z0-9]*\\/watch/ID\\/watch/'")
        .assert_code(0)
        .stdout()
        .to_owned()
}

#[test]
fn a25_what_an_agent_without_walls_writes_into_the_repository_holds_the_next_turn_until_each_is_settled() {
    let lent = world();
    let line = format!("cd '{}' && echo evil >README.md && echo new >new.txt && rm notes.txt", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, until(&lent, "sent"), {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["look"]);
    assert_eq!(lent.sends("g1", "more"), "t2");
    lets(&lent, "sent");
    let now = lent.rests("g1");
    assert_eq!(ends(&now), ["t1 completed", "t2 queued"]);
    assert_eq!(now["doing"], "waits for you");
    // It is the first that is seen, wherever one looks.
    let listed = lent.run("git grill agent status").assert_code(0);
    let first: Vec<&str> = listed.stdout().lines().take(2).collect();
    assert!(first[0].starts_with("! g1 scripted waits, for ") && first[0].contains("3 changes in the repository"));
    assert_eq!(first[1], "  git grill agent answer g1");
    let waiting = &lent.told("status")["waiting"][0];
    assert_eq!((&waiting["kind"], &waiting["number"]), (&json!("repository"), &json!(null)));
    lent.run("git grill status").assert_contains("git grill agent answer g1");
    lent.run("git grill agent result g1 t1")
        .assert_code(0)
        .assert_contains("\n! 3 changes in the repository: ")
        .assert_contains("\n  git grill agent answer g1\n");
    lent.run("git grill agent result g1 t2 --wait 1").assert_code(3);
    lent.run("git grill agent answer g1").assert_code(3).assert_contains("git grill agent answer g1, at a terminal");
    // Left, it waits on.
    let screen = answers(&lent, &[("README.md (modified): keep it?", ESCAPE)], 5);
    assert!(screen.contains("paused; nothing was decided. 3 changes are left: git grill agent answer g1"), "{screen}");
    assert_eq!(ends(&lent.session("g1")), ["t1 completed", "t2 queued"]);
    let screen = answers(
        &lent,
        &[
            ("README.md (modified): keep it?", "2"),
            ("new.txt (new): keep it?", "1"),
            ("notes.txt (deleted): keep it?", "2"),
        ],
        0,
    );
    assert!(screen.contains("git ls-tree -r --full-tree refs/grill/local/") && screen.contains("-evil"), "{screen}");
    assert!(screen.contains("✓ no change in the repository is left to decide"), "{screen}");
    assert_eq!(lent.read("README.md") + &lent.read("notes.txt"), "# As it was\nmy notes\n");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
    assert_eq!(lent.words("g1", "t2"), "second");
    lent.told("cancel g1");
    lent.is_over();
    let records = lent.legal("g1");
    let expected =
        ["parent-watched", "parent-undecided", "parent-restored", "parent-settled", "parent-watched", "parent-settled"];
    assert_eq!(kinds(&records), expected);
    assert_eq!(records[0]["unwalled"], true);
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert!(log.stdout().contains("scripted, local-review, without a sandbox"), "{}", log.stdout());
    assert!(log.stdout().contains("your decision is needed: 3 changes in the repository: README.md (modified)"));
    assert!(
        log.stdout().contains("you had 2 changes undone: README.md, notes.txt; what was there is kept: refs/grill/")
    );
    assert!(log.stdout().contains("you kept 1 change: new.txt; nothing is left to decide"), "{}", log.stdout());
    assert!(!watch_refs(&lent).contains("watch"), "{}", watch_refs(&lent));
    assert_eq!(status(&lent), "?? new.txt\n");
}

#[test]
fn a25_an_agent_without_walls_that_changes_nothing_asks_nothing_and_leaves_no_watch() {
    let lent = world();
    play(&lent, &json!({"turns": [[{"shell": "cat README.md"}, {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    assert!(watch_refs(&lent).contains("-agent-g1-ID/watch"), "{}", watch_refs(&lent));
    lent.sends("g1", "more");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
    lent.told("cleanup g1");
    lent.is_over();
    assert_eq!(kinds(&lent.legal("g1")), ["parent-watched", "parent-settled"]);
    assert_eq!(watch_refs(&lent), "");
    assert!(!lent.repo().join(".git/grill/baseline").exists());
    // The yes was to this session alone.
    lent.run("GRILL_TEST_NO_WALLS=1 git grill agent start --agent scripted --confirm-provider-use more")
        .assert_code(1)
        .assert_contains("nothing here can keep an agent from changing your files");
}

#[test]
fn a25_what_is_written_after_the_turn_is_found_at_the_end_and_a_clean_up_waits_for_the_word() {
    let lent = world();
    let late = lent.root().join("go");
    let line = format!(
        "(until [ -e '{}' ]; do sleep 0.02; done; echo late >../late && mv ../late '{}') >/dev/null 2>&1 &",
        late.display(),
        lent.repo().join("late.txt").display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    assert_eq!(lent.rests("g1")["doing"], "idle");
    lets(&lent, "go");
    wait_until("what it writes late", || lent.repo().join("late.txt").exists());
    lent.told("cancel g1");
    lent.is_over();
    let now = lent.session("g1");
    assert_eq!((&now["state"], &now["doing"]), (&json!("cancelled"), &json!("cancelled; waits for you")));
    lent.refused("cleanup g1", 1, "parent_undecided");
    lent.refused("cleanup g1 --dry-run", 1, "parent_undecided");
    answers(&lent, &[("late.txt (new): keep it?", "2")], 0);
    assert!(!lent.repo().join("late.txt").exists());
    lent.told("cleanup g1");
    lent.legal("g1");
}

#[test]
fn a25_a_killed_supervisor_leaves_the_comparison_to_the_person_and_no_prompt_goes_before_it() {
    let lent = world();
    let line = format!("echo evil >'{}'", lent.repo().join("README.md").display());
    play(
        &lent,
        &json!({"turns": [[{"shell": line}, {"say": "half"}, until(&lent, "never")]], "loaded": [[{"say": "again"}]]}),
    );
    agrees(&lent, &["look"]);
    wait_until("the turn", || lent.words_or_none("g1", "t1").contains("half"));
    kill_process(lent.supervisor("g1"), Signal::KILL).unwrap();
    // Without walls as well nothing outlives it (A37).
    lent.is_over();
    assert_eq!(lent.session("g1")["doing"], "waits for you");
    lent.refused("send g1 --confirm-provider-use more", 1, "parent_undecided");
    assert!(!lent.is_supervised("g1"));
    answers(&lent, &[("README.md (modified): keep it?", "2")], 0);
    assert_eq!(lent.read("README.md"), "# As it was\n");
    lent.run("GRILL_TEST_NO_WALLS=1 git grill agent send g1 --confirm-provider-use more").assert_code(0);
    assert_eq!(ends(&lent.rests("g1")), ["t1 failed: supervisor_gone", "t2 completed"]);
    lent.told("cancel g1");
    lent.is_over();
    assert_eq!(of_kind(&lent.legal("g1"), "parent-watched").len(), 2);
}

#[test]
fn a25_work_of_an_agent_without_walls_is_accepted_once_it_has_ended_and_is_no_change_of_its() {
    let lent = world();
    play(
        &lent,
        &json!({"turns": [[{"shell": "echo more >>README.md"}, {"say": "done"}]], "loaded": [[{"say": "on"}]]}),
    );
    agrees(&lent, &["--profile", "worktree-edit", "write"]);
    assert_eq!(lent.rests("g1")["doing"], "idle; 1 file to accept");
    let mut sitting = super::accepted::accepting(&lent, &["g1"]);
    sitting.below("Accept", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    lent.is_over();
    assert_eq!(lent.read("README.md"), "# As it was\nmore\n");
    lent.run("git commit -qam 'mine now'").assert_code(0);
    lent.run("GRILL_TEST_NO_WALLS=1 git grill agent send g1 --confirm-provider-use more").assert_code(0);
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
    lent.told("cleanup g1");
    assert_eq!(kinds(&lent.legal("g1")).len(), 4, "nothing was asked");
}

#[test]
fn a25_what_changed_since_the_last_turn_holds_the_next_prompt() {
    let lent = world();
    let line = format!(
        "(until [ -e '{}' ]; do sleep 0.02; done; echo late >../late && mv ../late '{}') >/dev/null 2>&1 &",
        lent.root().join("go").display(),
        lent.repo().join("late.txt").display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}], [{"say": "second"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    lets(&lent, "go");
    wait_until("what it writes late", || lent.repo().join("late.txt").exists());
    lent.sends("g1", "more");
    let now = lent.rests("g1");
    assert_eq!(
        (ends(&now), &now["doing"]),
        (vec!["t1 completed".to_owned(), "t2 queued".to_owned()], &json!("waits for you"))
    );
    answers(&lent, &[("late.txt (new): keep it?", "1")], 0);
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
}

#[test]
fn a25_where_nothing_can_be_compared_the_user_looks_themselves() {
    let lent = world();
    let line = format!("cd '{}' && echo evil >README.md && rm -rf .git/grill/baseline", lent.repo().display());
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    assert_eq!(lent.rests("g1")["doing"], "waits for you");
    lent.told("cancel g1");
    let mut sitting = Sitting::at(&lent, &["agent", "answer", "g1"], 60, 110, &BARE);
    sitting.pty.wait_for("Have you looked yourself");
    let screen = sitting.pty.screen();
    assert!(screen.contains("one file of it: git show refs/grill/local/"), "{screen}");
    lent.run("git show \"$(git for-each-ref --format='%(refname)' 'refs/grill/local/*/watch'):worktree/README.md\"")
        .assert_stdout("# As it was\n");
    sitting.pty.send("y");
    sitting.ends_with(0);
    lent.told("cleanup g1");
}

/// It drops what names it, and makes a terminal of its own: it is below a process of ours all the same.
#[test]
fn a25_d8_what_an_agent_starts_is_no_person_whatever_it_takes_out_of_its_variables() {
    let lent = world();
    let types = "import os,pty,sys,time\npid,fd=pty.fork()\nif pid==0:\n    os.execvp('git',['git','grill','agent','answer','g1'])\n\
                 out=b''\nend=time.time()+20\nwhile time.time()<end:\n    try: data=os.read(fd,4096)\n    except OSError: break\n    \
                 if not data: break\n    out+=data\n    if b'digits jump' in out: os.write(fd,b'1\\r')\nopen(sys.argv[1],'wb').write(out)\n";
    lent.write("../types.py", types);
    let said = lent.root().join("said");
    let line = format!(
        "cd '{}' && echo evil >README.md && (until grep -q parent-undecided .git/grill/agents/g1/ledger.jsonl; do sleep 0.05; done; \
         env -i PATH=\"$PATH\" HOME=\"$HOME\" GRILL_TEST_HOME=\"$GRILL_TEST_HOME\" \
         setsid python3 '{}' '{}') >/dev/null 2>&1 &",
        lent.repo().display(),
        lent.root().join("types.py").display(),
        said.display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    let is_told = || std::fs::metadata(&said).is_ok_and(|about| about.len() > 0);
    wait_until("what it was told", is_told);
    let said = String::from_utf8_lossy(&std::fs::read(&said).unwrap()).into_owned();
    assert!(said.contains("this runs under run"), "{said}");
    assert_eq!(lent.session("g1")["doing"], "waits for you");
}

/// The question must not go with the folder in which it stands.
#[test]
fn a25_an_agent_that_removes_its_record_is_ended_and_the_question_stands() {
    let lent = world();
    let line = format!("cd '{}' && echo evil >README.md && rm -rf .git/grill/agents", lent.repo().display());
    play(&lent, &json!({"turns": [[{"say": "begun"}, {"shell": line}, until(&lent, "never")]]}));
    agrees(&lent, &["look"]);
    lent.is_over();
    let now = lent.session("g1");
    assert_eq!((&now["state"], &now["doing"]), (&json!("failed"), &json!("failed: ledger_gone; waits for you")));
    assert_eq!(now["failure"]["code"], "ledger_gone", "{now}");
    lent.refused("cleanup g1", 1, "parent_undecided");
    answers(&lent, &[("README.md (modified): keep it?", "2")], 0);
    assert_eq!(lent.read("README.md"), "# As it was\n");
    lent.told("cleanup g1");
    lent.legal("g1");
}

/// A process of ours keeps what the agent detaches; where the agent kills it, its supervisor keeps it.
#[test]
fn a37_what_an_agent_without_walls_detached_ends_with_it_although_it_killed_its_keeper() {
    let lent = world();
    let line = "(setsid sleep 987654 >/dev/null 2>&1 &) && kill -9 $(ps -o ppid= -p $PPID)";
    play(&lent, &json!({"turns": [[{"say": "begun"}, {"shell": line}, until(&lent, "never")]]}));
    agrees(&lent, &["look"]);
    lent.is_over();
    let now = lent.session("g1");
    assert_eq!((&now["state"], ends(&now)), (&json!("failed"), vec!["t1 failed: agent_gone".to_owned()]));
    lent.told("cleanup g1");
}

/// Hooks of ours come and go with an interview.
#[test]
fn a25_what_an_interview_installs_meanwhile_is_no_change_of_the_agents() {
    let lent = world();
    play(&lent, &json!({"turns": [[{"say": "first"}], [{"say": "second"}], [{"shell": "cd ../../..; pwd"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    lent.run("git grill start 'add rate limiting'").assert_code(0);
    lent.sends("g1", "more");
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed", "t2 completed"]);
    lent.run("git config alias.x '!sh' && git grill stop --without-output").assert_code(0);
    lent.sends("g1", "more");
    assert_eq!(lent.rests("g1")["doing"], "waits for you");
    let screen = answers(&lent, &[("config in the git directory (modified): keep it?", "1")], 0);
    assert!(screen.contains("1 thing changed while the agent ran"), "{screen}");
    lent.told("cancel g1");
}

#[test]
fn a25_every_one_of_many_changes_can_be_listed_and_the_index_is_told_from_the_file() {
    let lent = world();
    let line = format!(
        "cd '{}' && echo evil >README.md && git add README.md && for i in $(seq 10 33); do echo $i >n$i; done; rm notes.txt",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    agrees(&lent, &["look"]);
    lent.rests("g1");
    let choices = [
        ("README.md in the index (modified): keep it?", "5"),
        ("README.md in the index (modified): keep it?", "1"),
        ("README.md (modified): keep it?", "1"),
        // The new ones go together, and the rest is asked about.
        ("n10 (new): keep it?", "5"),
        ("notes.txt (deleted): keep it?", "1"),
    ];
    let screen = answers(&lent, &choices, 0);
    assert!(screen.contains("removed: n10, n11,") && screen.contains("and 4 more"), "{screen}");
    for line in ["n30 (new)", "n33 (new)", "notes.txt (deleted)"] {
        assert!(screen.lines().any(|one| one.trim() == line), "{line}: {screen}");
    }
    assert_eq!(status(&lent), "M  README.md\n D notes.txt\n");
    lent.told("cancel g1");
}

/// What it writes over git grill's own records is no comparison.
#[test]
fn a25_a_record_that_an_agent_forges_is_not_compared_with() {
    let lent = world();
    let line = format!(
        "cd '{}' && echo evil >README.md && ref=$(git for-each-ref --format='%(refname)' refs/grill/local | grep watch) && \
         git update-ref $ref HEAD && git rev-parse HEAD >$(ls .git/grill/baseline/*/watch/taken) && \
         : >.git/grill/agents/g1/ledger.jsonl",
        lent.repo().display()
    );
    play(&lent, &json!({"turns": [[{"say": "begun"}, {"shell": line}, until(&lent, "never")]]}));
    agrees(&lent, &["look"]);
    lent.is_over();
    let now = lent.session("g1");
    assert_eq!((&now["state"], &now["doing"]), (&json!("failed"), &json!("failed: ledger_gone; waits for you")));
    let log = lent.run("git grill agent log g1").assert_code(0);
    assert!(log.stdout().contains("it could not be compared"), "{}", log.stdout());
}
