//! Which repository is meant here (G32): `gh` says it, and where it names none its words are the reason.

use git_grill::app::ports::{Tracker, TrackerError};

use super::thin::{Desk, links};
use crate::bench::executable;

fn nowhere(why: &str) -> TrackerError {
    TrackerError::Nowhere { why: why.to_owned() }
}

#[test]
fn g32_gh_says_which_repository_is_meant() {
    let desk = Desk::new();
    let here = || desk.gh().here();
    assert_eq!(here(), Err(nowhere("no git remotes found")));
    let line = "git remote add origin git@github.com:ada/links.git; git remote add lab https://gitlab.com/octo/links";
    desk.bench.run(line).assert_code(0);
    assert_eq!(here(), Ok("ada/links".parse().unwrap()));
    desk.bench.run("git remote add upstream https://github.com/octo/links").assert_code(0);
    assert_eq!(here(), Ok(links()));
    assert!(desk.stand_in.calls().iter().all(|call| call == "repo view --json url"), "{:?}", desk.stand_in.calls());

    desk.stand_in.without("repository");
    let missing = "GraphQL: Could not resolve to a Repository with the name 'octo/links'. (repository)";
    assert_eq!(here(), Err(nowhere(missing)));
    desk.stand_in.without("login");
    assert_eq!(here(), Err(TrackerError::NotLoggedIn { host: "github.com".to_owned() }));
    std::fs::remove_file(desk.stand_in.bin().join("gh")).unwrap();
    let process = desk.without_gh();
    assert_eq!(git_grill::tracker::Gh::new(&process, desk.bench.repo(), None).here(), Err(TrackerError::NoProgram));
}

#[test]
fn g32_what_gh_says_is_a_repository_or_its_error_has_a_name() {
    let desk = Desk::new();
    let program = desk.stand_in.bin().join("gh");
    std::fs::remove_file(&program).unwrap();
    let said = |line: &str| {
        let new = desk.stand_in.bin().join("new");
        executable(&new, format!("#!/bin/sh\n{line}\n"));
        std::fs::rename(new, &program).unwrap();
        desk.gh().here()
    };
    let there = "git.example.org/octo/links".parse().unwrap();
    assert_eq!(said(r#"echo '{"url":"https://git.example.org/octo/links"}'"#), Ok(there));
    for line in [
        r#"echo '{"url":"https://github.com/--web/x"}'"#,
        r#"echo '{"url":"https://github.com/octo/links/issues"}'"#,
        r#"echo '{"url":""}'"#,
        "echo '{}'",
        "echo github.com/octo/links",
        "true",
        "exit 2",
    ] {
        assert!(matches!(said(line), Err(TrackerError::NotUnderstood { .. })), "{line}");
    }
    let refused = said("echo 'HTTP 401: Bad credentials (https://api.github.com/graphql)' >&2; exit 1");
    assert_eq!(refused, Err(TrackerError::NotLoggedIn { host: "github.com".to_owned() }));
    let unreached = said("echo 'error connecting to api.github.com' >&2; exit 1");
    assert!(matches!(unreached, Err(TrackerError::Network { .. })), "{unreached:?}");
}
