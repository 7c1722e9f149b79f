//! What an agent may do, by its profile (A4): what it asks for is answered by the kind of the option and never for good
//! (A27), with the reason in the ledger (A18), and what it writes without asking ends at the walls (A25).

use std::path::Path;

use serde_json::{Value, json};

use super::{Lent, ends, of_kind, text};
use crate::bench::wait_until;
use crate::faults::traces::assert_same;
use crate::leading::{play, repository, walled};

/// What is asked for: its title, and the call.
fn requests() -> Vec<(&'static str, Value)> {
    let command = |line: &str| json!({"kind": "execute", "rawInput": {"command": line}});
    vec![
        ("Edit", json!({"kind": "edit"})),
        ("Delete", json!({"kind": "delete"})),
        ("Fetch", json!({"kind": "fetch"})),
        ("Write by a command", command("rm -rf .")),
        ("Look by a command", command("git log")),
        ("Read", json!({"kind": "read"})),
        ("Bypass", json!({"kind": "switch_mode"})),
        ("Anything", json!({"kind": "other"})),
        ("Nameless", json!({"kind": "warp"})),
    ]
}

/// A turn that asks for each of them.
fn asks_for_all() -> Vec<Value> {
    let asked = requests().into_iter().map(|(title, mut call)| {
        call["title"] = json!(title);
        json!({"permission": call})
    });
    asked.collect()
}

/// The titles of what was allowed, by what the agent was answered. Nothing is allowed for good.
#[track_caller]
fn allowed(words: &str) -> Vec<&'static str> {
    let answers: Vec<Value> = words
        .lines()
        .filter_map(|line| line.strip_prefix("permission: "))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let all = requests();
    assert_eq!(answers.len(), all.len(), "{words}");
    let taken = all.iter().zip(&answers).filter(|(_, answer)| match text(&answer["optionId"]) {
        "yes" => true,
        "no" => false,
        other => panic!("{other:?}: {answer}"),
    });
    taken.map(|((title, _), _)| *title).collect()
}

/// What the rules answered, by a ledger: the title, and why.
fn ruled(records: &[Value]) -> Vec<(String, String)> {
    let asked = of_kind(records, "asked").into_iter().map(|record| &record["ask"]);
    let answers = of_kind(records, "answered");
    asked
        .map(|ask| {
            assert_eq!(ask["kind"], "permission", "{ask}");
            let answer = answers.iter().find(|record| record["number"] == ask["number"]).unwrap();
            assert_eq!(answer["answer"]["by"], "policy", "{answer}");
            (text(&ask["words"]).to_owned(), text(&answer["answer"]["why"]).to_owned())
        })
        .collect()
}

#[test]
fn a4_a18_a27_each_profile_allows_what_it_says_and_the_ledger_says_why_the_rest_is_refused() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let readme = lent.repo().join("README.md");
    let mut steps = asks_for_all();
    // Whatever it was answered, it writes, and by a command as well.
    steps[0]["write_anyway"] = json!(readme);
    steps.extend([json!({"write": readme}), json!({"shell": "echo evil > README.md; cat README.md"})]);
    play(&lent, &json!({"turns": [steps]}));
    let before = repository(&lent);
    for (session, profile, passes) in [
        ("g1", "local-review", &["Look by a command", "Read"][..]),
        ("g2", "grounded-review", &["Fetch", "Look by a command", "Read"]),
        ("g3", "deep-research", &["Fetch"]),
    ] {
        if session == "g1" {
            lent.agrees(&["--profile", profile, "look"]);
        } else {
            assert_eq!(lent.lends(&format!("--profile {profile} look")), session);
        }
        let rests = lent.rests(session);
        assert_eq!((ends(&rests), &rests["profile"]), (vec!["t1 completed".to_owned()], &json!(profile)));
        let words = lent.words(session, "t1");
        assert_eq!(allowed(&words), passes, "{profile}: {words}");
        // An agent without local tools does not even see the repository.
        let sees = passes.contains(&"Read");
        assert_eq!(words.contains("# demo"), sees, "{words}");
        assert!(!sees || words.matches("README.md was not written: ").count() == 2, "{words}");

        let records = lent.legal(session);
        let told = ruled(&records);
        let titles: Vec<&str> = told.iter().map(|(title, _)| title.as_str()).collect();
        let all: Vec<&str> = requests().iter().map(|(title, _)| *title).collect();
        assert_eq!(titles, all, "{profile}");
        for (title, why) in &told {
            let begins = if passes.contains(&title.as_str()) { "allows" } else { "does not allow" };
            assert!(why.starts_with(&format!("{profile} {begins} ")), "{title}: {why}");
        }
        assert_eq!(told[0].1, format!("{profile} does not allow changing files"));
        assert!(of_kind(&records, "foreground-changed").is_empty(), "it waited for nothing");
        assert_eq!(lent.told("status")["waiting"], json!([]), "nobody is asked");
        lent.told(&format!("cancel {session}"));
    }
    assert_same(&before, &repository(&lent), "after all profiles");
    lent.is_over();
}

/// Begins a session of a profile that changes files. The verbs refuse these profiles as long as nothing takes the work over,
/// so that its supervisor is started as they would start it.
#[track_caller]
fn begins_to_edit(lent: &Lent, session: &str, prompt: &str) {
    let folder = format!(".git/grill/agents/{session}");
    let (length, log) = (prompt.len(), lent.root().join("begun"));
    let supervisor = format!("setsid git-grill supervise {session} scripted worktree-edit walls here");
    let line = format!(
        "mkdir -m 700 {folder} || exit; (printf '%s\\n%s' {length} '{prompt}' | {supervisor}) >{0} 2>{0}.errors </dev/null &",
        log.display()
    );
    lent.run(&line).assert_code(0);
    wait_until("the supervisor", || std::fs::read_to_string(&log).is_ok_and(|told| told.ends_with('\n')));
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "{\"is\":\"done\"}\n");
}

#[test]
fn a4_a14_a25_a26_an_agent_that_edits_writes_in_its_copy_and_nowhere_else() {
    if !walled() {
        return;
    }
    let lent = Lent::playing(&json!({"turns": [[{"say": "hello"}]]}));
    lent.agrees(&["look"]);
    lent.rests("g1");
    let before = repository(&lent);
    let parent = lent.repo().display().to_string();
    let mut steps = asks_for_all();
    steps[0]["write_anyway"] = json!(format!("{parent}/README.md"));
    let by_command =
        format!("cd '{parent}' && echo evil > README.md; echo evil > '{parent}/evil.txt'; git branch evil");
    steps.extend([
        json!({"write": format!("{parent}/evil.txt")}),
        json!({"shell": by_command}),
        json!({"shell": "pwd; echo more >> README.md && echo mine > new.txt && git add new.txt && git commit -qm mine"}),
    ]);
    play(&lent, &json!({"turns": [steps]}));
    begins_to_edit(&lent, "g2", "write");
    let rests = lent.rests("g2");
    assert_eq!((ends(&rests), &rests["profile"]), (vec!["t1 completed".to_owned()], &json!("worktree-edit")));
    let words = lent.words("g2", "t1");
    let passes = ["Edit", "Delete", "Write by a command", "Look by a command", "Read"];
    assert_eq!(allowed(&words), passes, "{words}");

    let told = ruled(&lent.records("g2"));
    let given: Vec<&str> =
        told.iter().filter(|(_, why)| why.contains(" allows ")).map(|(title, _)| title.as_str()).collect();
    assert_eq!(given, passes, "{told:?}");
    assert_eq!(told[3], ("Write by a command".to_owned(), "worktree-edit allows this command".to_owned()));
    lent.run("git grill agent log g2")
        .assert_contains("question 4 was answered by the rules: worktree-edit allows this command");

    // It was proved before the prompt was sent, and what it changed is there and only there.
    let records = lent.legal("g2");
    let kinds: Vec<&str> = records.iter().map(|record| text(&record["event"])).collect();
    let at = |kind: &str| kinds.iter().position(|one| *one == kind).unwrap();
    assert!(at("worktree-proved") < at("turn-sent"), "{kinds:?}");
    let copy = text(&records[at("worktree-proved")]["proof"]["path"]).to_owned();
    assert!(Path::new(&copy).starts_with(lent.repo().join(".git/grill/agents/g2")), "{copy}");
    assert!(words.contains(&format!("exit status: 0: {copy}")), "{words}");
    assert_eq!(records[at("files-changed")]["files"]["paths"], json!(["README.md", "new.txt"]));
    let copied = |name: &str| std::fs::read_to_string(Path::new(&copy).join(name)).unwrap();
    assert_eq!((copied("README.md"), copied("new.txt")), ("# demo\nmore\n".to_owned(), "mine\n".to_owned()));
    assert_eq!(lent.session("g2")["doing"], "idle; 2 files to accept");
    assert!(lent.session("g2")["size"].as_u64() > Some(0));
    assert_same(&before, &repository(&lent), "after the agent wrote");

    // Tidying loses none of it.
    let listed = lent.told("cleanup g2 --dry-run");
    let goes =
        |told: &Value, name: &str| told["paths"].as_array().unwrap().iter().any(|path| text(path).ends_with(name));
    assert!(goes(&listed, "/new.txt"), "{listed}");
    assert!(Path::new(&copy).join("new.txt").exists());
    let cleaned = lent.told("cleanup g2");
    assert!(goes(&cleaned, "/new.txt"), "{cleaned}");
    assert!(!Path::new(&copy).exists());
    assert!(text(&cleaned["kept"]).contains("refs/grill/local/agents/g2"), "{cleaned}");
    lent.run("git show refs/grill/local/agents/g2:new.txt").assert_stdout("mine\n");
    lent.run("git show refs/grill/local/agents/g2:README.md").assert_stdout("# demo\nmore\n");
    let tidied = lent.session("g2");
    assert_eq!(tidied["state"], "cleaned");
    assert!(text(&tidied["doing"]).starts_with("cleaned up; work put aside"), "{tidied}");
    lent.legal("g2");
    assert_same(&before, &repository(&lent), "after the cleanup");
    lent.told("cancel g1");
    lent.is_over();
}
