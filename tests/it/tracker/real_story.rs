//! `git grill` from the plan to the issues, through the real `gh`; see `real.rs` for how it is run.

use serde_json::{Value, json};

use super::host::Host;

const CREATE: &str = "POST /repos/octo/links/issues";

/// A session whose plan has issues in `octo/links`, drafted and not approved, on a host that has what they need.
fn planned() -> Host {
    let host = Host::with(&json!({ "issues": [], "labels": ["Slice"] }));
    host.bench.scripts_may_approve();
    for line in [
        "git remote add origin git@github.com:octo/links.git",
        "git grill start --research off 'rate limiting'",
        "git grill answer 'requests per client are counted'",
        "git grill answer '300 a minute'",
        "git grill answer 'no shared counter'",
        "git grill answer 'a reply with 429'",
    ] {
        host.bench.run(line).assert_code(0);
    }
    host.grill("select github-issues").assert_code(0).assert_contains("issues of octo/links");
    host
}

/// The titles of the issues that are there, each once, and each with what it depends on by number.
fn whole(host: &Host) -> Vec<String> {
    let state = host.state();
    let issues = state["issues"].as_array().unwrap();
    let text = |issue: &Value, field: &str| issue[field].as_str().unwrap().to_owned();
    let titles: Vec<String> = issues.iter().map(|issue| text(issue, "title")).collect();
    let mut once = titles.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), titles.len(), "{titles:?}");
    assert!(issues.iter().all(|issue| issue["labels"] == json!(["Slice"])), "{state}");
    let last = text(issues.last().unwrap(), "body");
    assert!(last.contains("Depends on #1, #2."), "{last}");
    titles
}

#[test]
#[ignore = "takes the real gh; see the top of real.rs"]
fn g32_issues_are_created_through_the_real_gh_once_each_whatever_breaks() {
    let mut host = planned();
    host.fault(CREATE, &json!({ "after": true, "status": 502, "body": { "message": "Server Error" } }));
    let failed = host.grill("approve");
    failed.assert_code(128).assert_contains("HTTP 502").assert_contains("git grill produce");
    assert_eq!(host.state()["issues"].as_array().unwrap().len(), 1);

    // Killed while the host has the second one, and has not said so.
    host.fault(CREATE, &json!({ "after": true, "how": "hang" }));
    let log = host.log_file();
    let line = format!(
        "produce & pid=$!; until grep -q FAULT '{}'; do sleep 0.05; done; kill -9 $pid; wait $pid",
        log.display()
    );
    std::fs::write(&log, "").unwrap();
    let killed = host.grill(&line);
    killed.assert_code(137);
    assert_eq!(host.state()["issues"].as_array().unwrap().len(), 2);

    // Its gh still waits for what the host says, and nobody looks what is there before that is over.
    let held = host.grill("produce");

    let kill = held.stderr.split('`').find(|words| words.starts_with("kill ")).unwrap().to_owned();
    held.assert_code(4).assert_contains("gh (process ").assert_contains("nothing recorded is lost");
    host.bench.run(&kill).assert_code(0);

    // The list does not show it yet.
    host.set("/late", json!(1));
    let done = host.grill("produce");
    done.assert_code(0).assert_contains("https://github.com/octo/links/issues/3");
    assert_eq!(whole(&host).len(), 3);
    let before = host.log();
    host.grill("produce").assert_code(0).assert_contains("nothing remains to be written");
    assert_eq!(host.log(), before, "nothing is asked of the host where nothing is owed");
}

#[test]
#[ignore = "takes the real gh; see the top of real.rs"]
fn g32_what_keeps_the_real_gh_from_it_is_said_with_a_way_out_and_the_drafts_stay() {
    let mut host = planned();
    for (pointer, value, words, way_out) in [
        ("/tokens", json!({}), "gh is not logged in to github.com", "gh auth login --hostname github.com"),
        ("/repository/archived", json!(true), "octo/links is archived", "gh repo unarchive octo/links"),
        ("/repository/has_issues", json!(false), "issues are disabled", "gh repo edit octo/links --enable-issues"),
        ("/repository/permissions", json!({ "pull": true }), "the right to triage", "gh auth refresh"),
        (
            "/renamed",
            json!({ "octo/links": "octo/chains" }),
            "octo/links is called octo/chains now",
            "git remote set-url",
        ),
        ("/unreachable", json!(true), "github.com was not reached", "creates nothing twice"),
    ] {
        let before = host.setting(pointer);
        let name = if pointer == "/renamed" { "octo/chains" } else { "octo/links" };
        host.set("/repository/full_name", json!(name));
        host.set(pointer, value);
        let said = host.grill("approve");
        said.assert_code(128).assert_contains(words).assert_contains(way_out);
        host.set(pointer, before);
    }
    host.set("/repository/full_name", json!("octo/links"));
    assert_eq!(host.state()["issues"], json!([]));
    host.grill("approve").assert_code(0);
    assert_eq!(whole(&host).len(), 3);
}
