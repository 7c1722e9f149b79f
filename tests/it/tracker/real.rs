//! The adapter against the real `gh`, which talks to a host of our own on 127.0.0.1 by way of a proxy; GitHub itself is
//! never asked, and the log of that host proves it. Not part of an ordinary run, since `gh` is installed first:
//!
//! ```sh
//! .ci/gh && cargo test --test it tracker::real -- --ignored
//! ```
//!
//! `GRILL_GH` names the folder of another `gh`.

use std::time::Duration;

use git_grill::app::ports::{NewIssue, Tracker, TrackerError};
use serde_json::{Value, json};

use super::host::Host;
use super::thin::{LONG_AGO, issue, links};

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_the_real_gh_creates_what_was_written_and_only_our_host_was_asked() {
    let host = Host::new();
    let gh = host.gh();
    let body = "@/etc/passwd\r\n\tß 名 🦀 \\ \" `$(id)` {owner} {repo}\n<!-- git-grill:1 -->\n";
    let new = NewIssue { labels: vec!["Bug".to_owned(), "a, b".to_owned()], ..issue("@-F title={owner} ☃", body) };
    let issues = std::slice::from_ref(&new);
    let missing = gh.ready(&links(), issues).unwrap();
    assert_eq!(missing, new.labels);
    assert_eq!(gh.supply(&links(), &missing), Ok(()));
    // Somebody else was faster, or a run broke off: what is there is left alone.
    assert_eq!(gh.supply(&links(), &missing), Ok(()));
    assert_eq!(gh.ready(&links(), issues), Ok(Vec::new()));
    let created = gh.create(&links(), &new).unwrap();
    assert_eq!((created.number, created.url.as_str()), (1, "https://github.com/octo/links/issues/1"));
    assert_eq!((created.body.as_str(), &created.labels), (body, &new.labels));
    assert_eq!(gh.find(&links(), "<!-- git-grill:1 -->", LONG_AGO), Ok(vec![created]));
    assert_eq!(gh.find(&links(), "<!-- git-grill:2 -->", LONG_AGO), Ok(Vec::new()));

    let state = host.state();
    assert_eq!(state["issues"][0]["title"], json!(new.title));
    assert_eq!(state["issues"][0]["body"], json!(body));
    assert_eq!(state["labels"], json!(["Bug", "a, b"]));
    let log = host.log();
    let connections: Vec<&String> = log.iter().filter(|line| line.starts_with("CONNECT")).collect();
    assert!(connections.iter().all(|line| *line == "CONNECT api.github.com:443"), "{log:?}");
    // One connection for each request: nothing was asked beside, such as for a newer gh.
    assert_eq!((connections.len(), host.requests().len()), (log.len() / 2, log.len() / 2));
    assert!(log.iter().all(|line| line.starts_with("CONNECT") || line.ends_with(" ada")), "{log:?}");
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_the_real_gh_is_read_to_the_last_page() {
    let old = |number: usize| {
        json!({ "number": number, "title": format!("No. {number}"), "login": if number.is_multiple_of(50) { "eve" } else { "ada" },
                "body": if number.is_multiple_of(10) { Value::from("has the marker") } else { Value::Null }, "labels": [],
                "pull": number == 10, "created_at": if number > 229 { "2026-11-03T00:00:00Z" } else { "2026-11-01T00:00:00Z" },
                "updated_at": "2026-11-04T00:00:00Z" })
    };
    let names: Vec<String> = (0..130).map(|number| format!("label {number}")).collect();
    let issues: Vec<Value> = (1..=260).map(old).collect();
    let host = Host::with(&json!({ "issues": issues, "labels": names }));
    let gh = host.gh();
    let found = gh.find(&links(), "marker", LONG_AGO).unwrap();
    let numbers: Vec<u64> = found.iter().map(|issue| issue.number).collect();
    let expected: Vec<u64> = (2..=26).map(|tens| tens * 10).filter(|number| number % 50 != 0).collect();
    assert_eq!(numbers, expected);
    assert_eq!(host.requests().iter().filter(|line| line.ends_with("/issues")).count(), 4, "{:?}", host.log());
    // Touched since is not opened since, and a day does not count.
    let found = gh.find(&links(), "marker", "2026-11-03T12:00:00Z".parse().unwrap()).unwrap();
    assert_eq!(found.iter().map(|issue| issue.number).collect::<Vec<_>>(), [230, 240, 260]);
    let new = NewIssue { labels: vec!["LABEL 129".to_owned(), "label 130".to_owned()], ..issue("Cut", "it") };
    let missing = gh.ready(&links(), std::slice::from_ref(&new)).unwrap();
    assert_eq!(missing, ["label 130"]);
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_what_the_real_gh_says_of_a_fault_has_its_name() {
    let mut host = Host::new();
    let github = || "github.com".to_owned();
    let said = |message: &str| json!({ "message": message });
    let limited = |until: &str| TrackerError::RateLimited { host: github(), until: Some(until.parse().unwrap()) };
    for (fault, expected) in [
        (
            json!({ "status": 403, "body": said("API rate limit exceeded"),
                    "headers": { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795255200" } }),
            limited("2026-11-21T10:00:00Z"),
        ),
        (
            json!({ "status": 429, "body": said("You have exceeded a secondary rate limit"),
                    "headers": { "retry-after": "60", "date": "Sat, 21 Nov 2026 10:00:00 GMT" } }),
            limited("2026-11-21T10:01:00Z"),
        ),
        (json!({ "status": 401, "body": said("Bad credentials") }), TrackerError::NotLoggedIn { host: github() }),
        (json!({ "status": 404, "body": said("Not Found") }), TrackerError::NoRepository { repository: links() }),
        (
            json!({ "status": 403, "body": said("Resource not accessible by personal access token") }),
            TrackerError::Forbidden {
                repository: links(),
                why: "Resource not accessible by personal access token (HTTP 403)".to_owned(),
            },
        ),
        (
            json!({ "status": 422, "body": { "message": "Validation Failed",
                    "errors": [{ "resource": "Issue", "field": "title", "code": "custom", "message": "is \u{1b}[31mred" }] } }),
            TrackerError::Refused {
                repository: links(),
                why: "Validation Failed; title: is ^[[31mred (HTTP 422)".to_owned(),
            },
        ),
    ] {
        host.fault("POST /repos/octo/links/issues", &fault);
        let failed = host.gh().create(&links(), &issue("Cut", "it")).unwrap_err();
        // An older gh hands the escape on, and then it is taken out here.
        let failed = match failed {
            TrackerError::Refused { repository, why } => {
                TrackerError::Refused { repository, why: why.replace("is [31m", "is ^[[31m") }
            }
            other => other,
        };
        assert_eq!(failed, expected);
    }
    assert_eq!(host.state()["issues"], json!([]));
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_where_the_real_gh_breaks_off_nothing_is_claimed_and_nothing_is_doubled() {
    let mut host = Host::new();
    for (nth, fault) in [
        json!({ "after": true, "status": 502, "body": { "message": "Server Error" } }),
        json!({ "after": true, "how": "reset" }),
        json!({ "after": true, "how": "half" }),
        json!({ "after": true, "how": "hang" }),
    ]
    .into_iter()
    .enumerate()
    {
        host.fault("POST /repos/octo/links/issues", &fault);
        let (marker, gh) = (format!("<!-- {nth} -->"), host.gh().within(Duration::from_secs(3)));
        let failed = gh.create(&links(), &issue("Cut", &marker)).unwrap_err();
        assert!(matches!(failed, TrackerError::Network { .. }), "{fault}: {failed:?}");
        assert_eq!(host.gh().find(&links(), &marker, LONG_AGO).unwrap().len(), 1, "{fault}");
    }
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_an_issue_that_is_listed_late_is_found_all_the_same() {
    let mut host = Host::new();
    host.set("/late", json!(2));
    for body in ["marker one", "marker two", "nothing"] {
        host.gh().create(&"Octo/Links".parse().unwrap(), &issue("Cut", body)).unwrap();
    }
    let found = host.gh().find(&"Octo/Links".parse().unwrap(), "marker", LONG_AGO).unwrap();
    assert_eq!(found.iter().map(|one| one.number).collect::<Vec<_>>(), [1, 2]);
    // Those that are not listed are asked for by their numbers, and two beyond.
    let asked: Vec<String> = host.requests().into_iter().filter(|line| line.contains("/issues/")).collect();
    assert_eq!(asked, ["2", "3", "4", "5"].map(|number| format!("GET /repos/Octo/Links/issues/{number}")));
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_who_is_not_logged_in_to_that_very_host_is_asked_to() {
    let mut host = Host::new();
    let missing = TrackerError::NotLoggedIn { host: "github.com".to_owned() };
    host.variable("GH_TOKEN", Some("wrong"));
    assert_eq!(host.gh().ready(&links(), &[]), Err(missing.clone()));
    host.variable("GH_TOKEN", None);
    assert_eq!(host.gh().ready(&links(), &[]), Err(missing.clone()));
    assert_eq!(host.gh().find(&links(), "m", LONG_AGO), Err(missing.clone()));
    // gh takes a login to any host for enough, and asks without one.
    host.configure("hosts.yml", "git.example.org:\n    user: ada\n    oauth_token: dummy\n    git_protocol: https\n");
    assert_eq!(host.gh().ready(&links(), &[]), Err(missing));
    let there = "git.example.org/octo/links".parse().unwrap();
    assert_eq!(host.gh().ready(&there, &[]), Ok(Vec::new()));
    let created = host.gh().create(&there, &issue("Cut", "marker")).unwrap();
    assert_eq!(created.url, "https://git.example.org/octo/links/issues/1");
    assert_eq!(host.gh().find(&there, "marker", LONG_AGO), Ok(vec![created]));
    assert!(host.log().contains(&"CONNECT git.example.org:443".to_owned()));
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_the_real_gh_says_which_repository_is_meant() {
    let mut host = Host::new();
    let nowhere = |host: &Host, says: &str| {
        let failed = host.gh().here().unwrap_err();
        assert!(matches!(&failed, TrackerError::Nowhere { why } if why.contains(says)), "{failed:?}");
    };
    nowhere(&host, "no git remotes");
    host.bench.run("git remote add origin git@github.com:ada/links.git").assert_code(0);
    nowhere(&host, "ada/links");
    host.bench.run("git remote add upstream https://github.com/octo/links").assert_code(0);
    assert_eq!(host.gh().here(), Ok(links()));
    // What the user told gh goes before what the remotes are called, and a new name before the old one.
    host.bench.run("git config remote.origin.gh-resolved base").assert_code(0);
    nowhere(&host, "ada/links");
    host.set("/renamed", json!({ "ada/links": "octo/links" }));
    assert_eq!(host.gh().here(), Ok(links()));
    let missing = TrackerError::NotLoggedIn { host: "github.com".to_owned() };
    host.variable("GH_TOKEN", Some("wrong"));
    assert_eq!(host.gh().here(), Err(missing.clone()));
    host.variable("GH_TOKEN", None);
    assert_eq!(host.gh().here(), Err(missing));
    host.configure("hosts.yml", "git.example.org:\n    user: ada\n    oauth_token: dummy\n    git_protocol: https\n");
    let line = "git remote remove origin; git remote set-url upstream https://git.example.org/octo/links";
    host.bench.run(line).assert_code(0);
    assert_eq!(host.gh().here(), Ok("git.example.org/octo/links".parse().unwrap()));
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_a_repository_that_takes_no_issues_says_why() {
    let mut host = Host::new();
    let labelled = [NewIssue { labels: vec!["bug".to_owned()], ..issue("Cut", "it") }];
    for (pointer, value, expected) in [
        ("/repository/archived", json!(true), TrackerError::Archived { repository: links() }),
        ("/repository/has_issues", json!(false), TrackerError::IssuesDisabled { repository: links() }),
        ("/repository/full_name", json!("octo/else"), TrackerError::NoRepository { repository: links() }),
    ] {
        let before = host.setting(pointer);
        host.set(pointer, value);
        assert_eq!(host.gh().ready(&links(), &[]), Err(expected.clone()));
        assert_eq!(host.gh().create(&links(), &issue("Cut", "it")), Err(expected));
        host.set(pointer, before);
    }
    let old = "octo/chains".parse().unwrap();
    host.set("/renamed", json!({ "octo/chains": "octo/links" }));
    let moved = TrackerError::Moved { repository: old, to: Box::new(links()) };
    assert_eq!(host.gh().ready(&"octo/chains".parse().unwrap(), &[]), Err(moved));
    let failed = host.gh().create(&"octo/chains".parse().unwrap(), &issue("Cut", "it")).unwrap_err();
    assert!(matches!(&failed, TrackerError::Refused { why, .. } if why.contains("somewhere else now")), "{failed}");

    // Who may only read can open issues, but would see the labels dropped without a word.
    host.set("/repository/permissions", json!({ "pull": true }));
    assert_eq!(host.gh().ready(&links(), &[issue("Cut", "it")]), Ok(Vec::new()));
    let failed = host.gh().ready(&links(), &labelled).unwrap_err();
    assert!(matches!(&failed, TrackerError::Forbidden { why, .. } if why.contains("triage")), "{failed}");
    assert_eq!(host.gh().create(&links(), &labelled[0]).unwrap().labels, [""; 0]);
    // Who may sort cannot create the label that they want to sort under.
    host.set("/repository/permissions", json!({ "pull": true, "triage": true }));
    let failed = host.gh().ready(&links(), &labelled).unwrap_err();
    assert!(matches!(&failed, TrackerError::Forbidden { why, .. } if why.contains("'bug'")), "{failed}");
    assert!(matches!(host.gh().supply(&links(), &["bug".to_owned()]), Err(TrackerError::Forbidden { .. })));
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_a_host_that_is_not_reached_is_named() {
    let mut host = Host::new();
    let network = |host: &Host, words: &str| {
        let failed = host.gh().ready(&links(), &[]).unwrap_err();
        let TrackerError::Network { host, why } = &failed else { panic!("{failed:?}") };
        assert_eq!(host, "github.com");
        assert!(why.contains(words), "{why}");
    };
    let good = host.value("SSL_CERT_FILE");
    let foreign = host.foreign_certificate();
    host.variable("SSL_CERT_FILE", Some(&foreign));
    network(&host, "x509");
    host.variable("SSL_CERT_FILE", Some(&good));
    host.set("/unreachable", json!(true));
    network(&host, "Bad Gateway");
    host.set("/unreachable", json!(false));
    assert_eq!(host.gh().ready(&links(), &[]), Ok(Vec::new()));
    // Nobody listens at the first port.
    host.variable("HTTPS_PROXY", Some("http://127.0.0.1:1"));
    network(&host, "connection refused");
}

#[test]
#[ignore = "takes the real gh; see the top of this file"]
fn g32_the_largest_body_goes_through_the_real_gh_whole() {
    let host = Host::new();
    let largest = "🦀".repeat(65_536);
    let created = host.gh().create(&links(), &issue(&"ß".repeat(256), &largest)).unwrap();
    assert_eq!(created.body, largest);
    let failed = host.gh().create(&links(), &issue("Cut", &(largest + "x"))).unwrap_err();
    assert!(matches!(&failed, TrackerError::Refused { why, .. } if why.contains("maximum is 65536")), "{failed}");
}
