//! Repositories that do not exist yet (G32): created by the command that was shown, and never claimed.

use git_grill::app::ports::{Tracker, TrackerError};
use git_grill::domain::tracker::TrackerRepository;

use super::thin::{Desk, links};

fn changes(desk: &Desk) -> Vec<String> {
    desk.stand_in.requests().into_iter().filter(|request| !request.starts_with("GET ")).collect()
}

#[test]
fn g32_a_repository_is_created_by_exactly_the_command_that_was_shown() {
    let own: TrackerRepository = "Ada/links".parse().unwrap();
    for (repository, place) in [(own, "user/repos"), (links(), "orgs/octo/repos")] {
        let desk = Desk::new();
        desk.stand_in.without("repository");
        let gh = desk.gh();
        let new = gh.founding(&repository).unwrap();
        let shown = format!(
            "gh api --include --method POST --hostname github.com {place} --raw-field name=links --field private=true"
        );
        assert_eq!(new.command.join(" "), shown);
        assert_eq!(changes(&desk), [""; 0], "showing it creates nothing");
        assert_eq!(gh.create_repository(&new), Ok(()));
        assert_eq!(desk.stand_in.calls().last().map(|call| format!("gh {call}")), Some(shown));
        assert_eq!(gh.ready(&repository, &[]), Ok(Vec::new()));
        let again = gh.create_repository(&new).unwrap_err();
        assert!(matches!(&again, TrackerError::Refused { why, .. } if why.contains("already exists")), "{again}");
    }
}

#[test]
fn g32_what_keeps_a_repository_from_being_created_is_named() {
    let desk = Desk::new();
    desk.stand_in.without("repository");
    let new = desk.gh().founding(&links()).unwrap();
    let said = |times, answer: &str| desk.stand_in.say(times, "POST", "orgs/octo/repos", answer);
    said(1, "HTTP/2.0 404 Not Found\n\n{\"message\":\"Not Found\"}");
    assert_eq!(desk.gh().create_repository(&new), Err(TrackerError::NoRepository { repository: links() }));
    said(1, "HTTP/2.0 403 Forbidden\n\n{\"message\":\"You may not\"}");
    let failed = desk.gh().create_repository(&new).unwrap_err();
    assert!(matches!(&failed, TrackerError::Forbidden { why, .. } if why.contains("You may not")), "{failed}");
    // Neither half an answer nor one about another repository is a success.
    for body in ["{\"full_name\":", "{\"full_name\":\"octo/other\"}"] {
        said(1, &format!("HTTP/2.0 201 Created\n\n{body}"));
        let failed = desk.gh().create_repository(&new).unwrap_err();
        assert!(matches!(failed, TrackerError::NotUnderstood { .. }), "{failed}");
    }
    desk.stand_in.without("login");
    let failed = desk.gh().founding(&links()).unwrap_err();
    assert_eq!(failed, TrackerError::NotLoggedIn { host: "github.com".to_owned() });
}
