//! What keeps `gh` or the host from it, each under its name; and a death in the middle.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use git_grill::app::ports::{NewIssue, Tracker, TrackerError};
use git_grill::domain::tracker::TrackerRepository;

use super::stand_in::{Fault, When};
use super::thin::{Desk, LONG_AGO, issue, links};

fn labelled(label: &str) -> NewIssue {
    NewIssue { labels: vec![label.to_owned()], ..issue("Cut", "it") }
}

#[test]
fn g32_a_gh_that_is_missing_too_old_or_something_else_is_named() {
    let desk = Desk::new();
    let ready = || desk.gh().ready(&links(), &[]);
    desk.stand_in.set("version", "2.4.0+dfsg1");
    assert_eq!(ready(), Err(TrackerError::OldProgram { version: "2.4.0+dfsg1".to_owned() }));
    let program = desk.stand_in.bin().join("gh");
    std::fs::remove_file(&program).unwrap();
    let script = |text: &str, mode: u32| {
        let new = desk.stand_in.bin().join("new");
        crate::bench::executable(&new, text);
        std::fs::set_permissions(&new, std::fs::Permissions::from_mode(mode)).unwrap();
        std::fs::rename(new, &program).unwrap();
    };
    // Another program of the same name, which some distributions have.
    script("#!/bin/sh\necho 'GitHub in your terminal 1.2'\n", 0o755);
    assert!(matches!(ready(), Err(TrackerError::NotUnderstood { why }) if why.contains("GitHub in your terminal")));
    script("#!/bin/sh\nexit 3\n", 0o755);
    assert!(matches!(ready(), Err(TrackerError::NotUnderstood { .. })));
    std::fs::remove_file(&program).unwrap();
    let nowhere = desk.without_gh();
    let gh = git_grill::tracker::Gh::new(&nowhere, desk.bench.repo(), None);
    assert_eq!(gh.ready(&links(), &[]), Err(TrackerError::NoProgram));
    assert_eq!(gh.create(&links(), &issue("Cut", "it")), Err(TrackerError::NoProgram));
    assert_eq!(gh.find(&links(), "it", LONG_AGO), Err(TrackerError::NoProgram));
}

#[test]
fn g32_what_is_asked_for_exactly_is_what_is_missing() {
    let desk = Desk::new();
    desk.stand_in.labels(&["Bug"]);
    let issues = [labelled("bug"), labelled("docs"), labelled("DOCS")];
    // Every spelling is named, for whoever takes them out; creating the second finds the first.
    let missing = vec!["docs".to_owned(), "DOCS".to_owned()];
    let gh = desk.gh();
    assert_eq!(gh.ready(&links(), &issues), Ok(missing.clone()));
    assert_eq!(gh.supply(&links(), &missing), Ok(()));
    assert_eq!(gh.ready(&links(), &issues), Ok(Vec::new()));
    assert_eq!(gh.create(&links(), &issues[1]).unwrap().labels, ["docs"]);
    // Nothing is asked of the host that no issue needs, and asking changes nothing.
    let before = desk.stand_in.requests().len();
    assert_eq!(desk.gh().ready(&links(), &[issue("Cut", "it")]), Ok(Vec::new()));
    let asked = desk.stand_in.requests().split_off(before);
    assert_eq!(asked, ["GET github.com user", "GET github.com repos/octo/links"]);

    desk.stand_in.without("login");
    let missing = TrackerError::NotLoggedIn { host: "github.com".to_owned() };
    assert_eq!(desk.gh().ready(&links(), &[]), Err(missing));
    desk.stand_in.set("login", "ada");
    desk.stand_in.without("repository");
    assert_eq!(desk.gh().ready(&links(), &[]), Err(TrackerError::NoRepository { repository: links() }));
}

#[test]
fn g32_what_nobody_understands_claims_nothing() {
    let desk = Desk::new();
    let path = "repos/octo/links/issues";
    for answer in [
        "HTTP/2.0 201 Created\n\n",
        "HTTP/2.0 201 Created\n\n{\"number\":\"one\"}",
        "HTTP/2.0 201 Created\n\n<html>",
        "HTTP/2.0 200 OK\n\n[]",
        "unknown flag: --include\n",
    ] {
        desk.stand_in.say(1, "POST", path, answer);
        let failed = desk.gh().create(&links(), &issue("Cut", "it")).unwrap_err();
        assert!(matches!(failed, TrackerError::NotUnderstood { .. }), "{answer}: {failed:?}");
    }
    // A list that leads to somebody else, who would be sent the token; and one that never ends.
    let elsewhere = "HTTP/2.0 200 OK\nLink: <https://example.org/?page=2>; rel=\"next\"\n\n[]";
    desk.stand_in.say(1, "GET", path, elsewhere);
    let failed = desk.gh().find(&links(), "it", LONG_AGO).unwrap_err();
    assert!(failed.to_string().contains("the next page of issues is at https://example.org/?page=2"), "{failed}");
    assert!(desk.stand_in.requests().iter().all(|line| !line.contains("example.org")));
    let endless = "HTTP/2.0 200 OK\nLink: <https://api.github.com/more>; rel=\"next\"\n\n[]";
    desk.stand_in.say(1, "GET", path, endless);
    desk.stand_in.say(1_000, "GET", "https://api.github.com/more", endless);
    let failed = desk.gh().find(&links(), "it", LONG_AGO).unwrap_err();
    assert!(failed.to_string().contains("more than 100 pages"), "{failed}");
}

#[test]
fn g32_every_call_has_an_end() {
    let desk = Desk::new();
    desk.stand_in.say(1, "GET", "user", "hang");
    let failed = desk.gh().within(Duration::from_secs(1)).ready(&links(), &[]).unwrap_err();
    assert!(matches!(&failed, TrackerError::Network { why, .. } if why.contains("within 1 s")), "{failed}");
    // The next one is not kept waiting by it.
    assert_eq!(desk.gh().ready(&links(), &[]), Ok(Vec::new()));
}

#[test]
fn g32_an_issue_that_is_gone_is_not_found() {
    let desk = Desk::new();
    let gh = desk.gh();
    let number = gh.create(&links(), &issue("Cut", "new \"words\" \\ @x\n\u{1}")).unwrap().number;
    gh.create(&links(), &issue("Other", "other")).unwrap();
    // What a list does not show yet is looked for by its number; somebody may have deleted it.
    let found = || {
        desk.stand_in.say(2, "GET", "repos/octo/links/issues", "HTTP/2.0 200 OK\n\n[]");
        gh.find(&links(), "new", LONG_AGO).unwrap().len()
    };
    assert_eq!(found(), 1);
    desk.stand_in.delete(number);
    assert_eq!(found(), 0);
}

#[test]
fn g32_whoever_dies_around_a_creation_leaves_it_made_or_not_made() {
    for (when, there) in [(When::Before, 0), (When::After, 1)] {
        let desk = Desk::new();
        desk.stand_in.at_creation(2, when, Fault::Kill);
        let create = |title: &str| {
            let sent = format!("{{\"body\":\"{title} body\",\"title\":\"{title}\"}}");
            let line =
                "gh api --include --method POST --hostname github.com --input - repos/octo/links/issues; echo on";
            let output = desk.bench.run_with_input(&format!("{}; {line}", desk.stand_in.first_in_path()), sent);
            output.stdout.ends_with("on\n")
        };
        assert!(create("first"));
        assert!(!create("second"), "the shell that called it was killed");
        assert_eq!(desk.stand_in.issues().len(), 1 + there);
        assert!(create("third"));
        let titles: Vec<String> = desk.stand_in.issues().into_iter().map(|(title, _)| title).collect();
        assert_eq!(titles.last().map(String::as_str), Some("third"));
        assert_eq!(desk.gh().find(&links(), "second body", LONG_AGO).unwrap().len(), there);
    }
}

#[test]
fn g32_a_host_of_the_users_own_is_asked_by_its_name() {
    let desk = Desk::new();
    let there: TrackerRepository = "git.example.org/octo/links".parse().unwrap();
    assert_eq!(desk.gh().ready(&there, &[]), Ok(Vec::new()));
    let created = desk.gh().create(&there, &issue("Cut", "it")).unwrap();
    assert_eq!(created.url, "https://git.example.org/octo/links/issues/1");
    assert!(desk.stand_in.requests().iter().all(|line| line.contains(" git.example.org ")));
}
