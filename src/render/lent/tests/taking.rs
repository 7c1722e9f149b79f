//! What is shown of what an agent changed, and of what of it is taken.

use super::*;
use crate::domain::agents::beyond::Beyond;

#[test]
fn a15_what_was_changed_is_listed_as_git_does_with_what_is_left_out_and_the_command_that_takes_it() {
    let one = |letter: char, path: &str, lines| AgentFile { letter, path: path.to_owned(), lines };
    let changes = AgentChanges {
        base: ObjectId::parse(&"a".repeat(40)).unwrap(),
        files: vec![one('M', "src/limit.rs", Some((3, 1))), one('A', "logo\u{1b}.png", None)],
        accepted: ["src/limit.rs".to_owned()].into(),
        back: Vec::new(),
        commits: Vec::new(),
        left_out: vec![(".env".to_owned(), "brought in by .worktreeinclude")],
        parent: vec!["src/b.rs changed".to_owned()],
        patch: Some(PathBuf::from("/r/.git/grill/agents/g1/changes.patch")),
        top: None,
    };
    let undecided = Some(line("1 change in the repository: src/b.rs (modified)"));
    let waits = Loan::Changes {
        session: agent(1),
        changes: changes.clone(),
        undecided,
        unfinished: Some("t1 did not".to_owned()),
    };
    let head = "! 1 change in the repository: src/b.rs (modified)\n  git grill agent answer g1\n! t1 did not\ng1 \
                changed 2 files";
    assert!(at_80(&waits).starts_with(head), "{}", at_80(&waits));
    assert!(!at_80(&waits).contains("agent accept"), "it is refused before that is decided");
    assert!(json(1, &waits)["undecided"].is_string());
    assert_eq!(json(1, &waits)["unfinished"], "t1 did not");
    let lent = Loan::Changes { session: agent(1), changes: changes.clone(), undecided: None, unfinished: None };
    let shown = at_80(&lent);
    let expected = "g1 changed 2 files since aaaaaaaaaa\n  M src/limit.rs (+3 -1), accepted\n  A logo\u{241b}.png (binary)\nleft out: .env \
                    (brought in by .worktreeinclude)\nmeanwhile in the repository: src/b.rs changed\n  git grill agent accept g1\n";
    assert_eq!(shown, expected);
    // The patch has all of them: git takes it only while none was accepted.
    let unaccepted = AgentChanges { accepted: BTreeSet::new(), ..changes.clone() };
    let below = AgentChanges { top: Some(PathBuf::from("/r s")), ..unaccepted.clone() };
    for (changes, at_top) in [(unaccepted, ""), (below, "-C '/r s' ")] {
        let all = Loan::Changes { session: agent(1), changes, undecided: None, unfinished: None };
        let expected = format!("  git {at_top}apply --3way /r/.git/grill/agents/g1/changes.patch\n");
        assert!(at_80(&all).ends_with(&expected), "{}", at_80(&all));
    }
    let every =
        AgentChanges { accepted: ["src/limit.rs".to_owned(), "logo\u{1b}.png".to_owned()].into(), ..changes.clone() };
    let nothing = Loan::Changes { session: agent(1), changes: every, undecided: None, unfinished: None };
    assert!(at_80(&nothing).ends_with("meanwhile in the repository: src/b.rs changed\n"), "{}", at_80(&nothing));
    let value = json(1, &lent);
    assert_eq!(
        (&value["files"][0]["status"], &value["files"][0]["lines"]["added"]),
        (&serde_json::json!("M"), &serde_json::json!(3))
    );
    assert_eq!(value["leftOut"][0]["path"], ".env");
    let none = AgentChanges { files: Vec::new(), left_out: Vec::new(), parent: Vec::new(), patch: None, ..changes };
    let lent = Loan::Changes { session: agent(1), changes: none, undecided: None, unfinished: None };
    assert_eq!(at_80(&lent), "g1 changed nothing since aaaaaaaaaa\n");
    let Loan::Changes { changes, .. } = lent else { panic!("it was one") };
    let back = AgentChanges { back: vec![one('D', "n.md", Some((0, 1)))], ..changes };
    let lent = Loan::Changes { session: agent(1), changes: back, undecided: None, unfinished: None };
    let expected = "g1 changed nothing since aaaaaaaaaa\n1 file was changed since it was accepted, back to what it was at the \
                    start\n  D n.md (+0 -1)\n  git grill agent accept g1\n";
    assert_eq!(at_80(&lent), expected);
    assert_eq!(json(1, &lent)["back"][0]["path"], "n.md");
    let Loan::Changes { changes, .. } = lent else { panic!("it was one") };
    let commits = vec![Beyond { name: "refs/heads/fix\u{1b}".to_owned(), commits: 2 }];
    let elsewhere = AgentChanges { back: Vec::new(), commits, ..changes };
    let lent = Loan::Changes { session: agent(1), changes: elsewhere, undecided: None, unfinished: None };
    let expected = "g1 changed no file since aaaaaaaaaa\n2 commits on fix\u{241b} are not among these files\n  git grill agent \
                    cleanup g1 keeps what it committed\n";
    assert_eq!(at_80(&lent), expected);
    assert_eq!(json(1, &lent)["commits"][0]["commits"], 2);
}

#[test]
fn a39_the_accepts_that_remain_are_told_with_the_command_that_takes_the_newest_back() {
    let (one, two) = (ObjectId::parse(&"1a".repeat(20)).unwrap(), ObjectId::parse(&"2b".repeat(20)).unwrap());
    let since = [two, one.clone()];
    for (older, committed, told) in [
        (0, &[][..], ""),
        (1, &[][..], "an older accept remains; --undo again takes it back\n"),
        (3, &[][..], "3 older accepts remain; --undo again takes back the newest of them\n"),
        (
            1,
            std::slice::from_ref(&one),
            "an older accept remains, in commit 1a1a1a1a1a; git revert 1a1a1a1a1a takes it back\n",
        ),
        (
            2,
            std::slice::from_ref(&one),
            "2 older accepts remain; the newest of them is in commit 1a1a1a1a1a; git revert 1a1a1a1a1a takes it back\n",
        ),
        (
            1,
            &since[..],
            "an older accept remains, in commit 1a1a1a1a1a; other commits changed its files since, and --undo again says how \
             to take it back\n",
        ),
    ] {
        assert_eq!(super::super::accepting::remaining(older, committed), told);
    }
}

#[test]
fn a16_a41_what_is_offered_names_first_what_needs_a_yes_of_its_own() {
    let file = |letter: char, path: &str, lines| AgentFile { letter, path: path.to_owned(), lines };
    let offered = |file: AgentFile, cautions: &[&'static str], fate| OfferedFile {
        path: file.path.clone().into_bytes(),
        file,
        cautions: cautions.to_vec(),
        runs_in_git: false,
        fate,
        overlap: None,
        seen: String::new(),
    };
    let files = vec![
        offered(file('A', "Makefile", Some((2, 0))), &["build tools run it", "its mode changes"], AcceptFate::Taken),
        offered(file('M', "a.rs", Some((3, 1))), &[], AcceptFate::Merged),
        offered(file('M', "b\u{1b}.rs", None), &[], AcceptFate::Already),
        offered(file('D', "c.rs", Some((0, 9))), &[], AcceptFate::Clash("a is in its way".to_owned())),
    ];
    let offer = Offer { files, left_out: vec![(".env".to_owned(), "brought in")], ..Offer::default() };
    let overlaps = vec![Overlap { path: "a.rs".to_owned(), sessions: vec![agent(1), agent(2), agent(4)] }];
    let lent = Loan::Offered { session: agent(1), offer, overlaps };
    assert_eq!(
        at_80(&lent),
        "g1 offers 4 files\n! A Makefile (+2 -0): build tools run it; its mode changes\n  M a.rs (+3 -1), merged with \
         what you changed\n  M b\u{241b}.rs (binary), matches yours already\n  D c.rs (+0 -9), conflicts: a is in its \
         way\n! g1, g2 and g4 all changed a.rs\ncannot be accepted: .env (brought in)\n"
    );
    let value = json(1, &lent);
    assert_eq!(
        (&value["offered"][3]["fate"], &value["offered"][3]["why"]),
        (&"clash".into(), &"a is in its way".into())
    );
    assert_eq!(value["overlaps"][0]["sessions"][2], "g4");
    let none = Loan::Offered { session: agent(1), offer: Offer::default(), overlaps: Vec::new() };
    assert_eq!(at_80(&none), "g1 has nothing left to accept\n");
    let accepted = |paths: &[&str], rest| Loan::Accepted {
        session: agent(1),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        kept: None,
        rest,
        commit: None,
    };
    assert_eq!(
        at_80(&accepted(&["a.rs"], Some(1))),
        "✓ 1 file of g1 was accepted; it is not staged\n  a.rs\n1 file of g1 can still be accepted\nundo: git grill agent accept \
         g1 --undo\n"
    );
    assert_eq!(
        at_80(&accepted(&[], Some(0))),
        "✓ nothing was written: these files of g1 already match your working tree\n"
    );
    let commit = Some((ObjectId::parse(&"1a".repeat(20)).unwrap(), "main".to_owned()));
    let lent = Loan::Accepted { session: agent(1), paths: vec!["a.rs".to_owned()], kept: None, rest: None, commit };
    assert_eq!(
        at_80(&lent),
        "✓ 1 file of g1 was accepted, and committed on main as 1a1a1a1a1a\n  a.rs\nundo: git revert 1a1a1a1a1a\n"
    );
    let paths = vec!["a.rs".to_owned(), "b.rs".to_owned()];
    let staged = vec![(b"b\xff.rs".to_vec(), "b\\377.rs".to_owned())];
    let (older, committed) = (0, Vec::new());
    let back = Loan::TakenBack { session: agent(1), paths, older, committed, cut_off: false, work: None, staged };
    assert_eq!(
        at_80(&back),
        "✓ the accept of 2 files of g1 was undone\n  a.rs\n  b.rs\nthe index was left alone; to unstage it:\ngit \
         restore --staged -- $'\\072\\050top\\054literal\\051b\\377.rs'\n"
    );
    let conflict =
        Loan::Conflict { session: agent(1), path: "a".to_owned(), text: "<<<<<<< yours\n\u{1b}[2J\n".to_owned() };
    assert_eq!(at_80(&conflict), "a: you and the agent changed the same lines\n<<<<<<< yours\n␛[2J\n");
}
