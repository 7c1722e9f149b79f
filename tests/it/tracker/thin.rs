//! The way that every issue goes: whether it can be done, creating, finding.

use std::time::Duration;

use git_grill::app::ports::{NewIssue, Tracker, TrackerError};
use git_grill::domain::tracker::TrackerRepository;
use git_grill::tracker::Gh;

use super::spawned::Spawned;
use super::stand_in::{Fault, StandIn, When};
use crate::bench::Bench;

/// A repository, and the stand-in first in its path.
pub struct Desk {
    pub bench: Bench,
    pub stand_in: StandIn,
    pub process: Spawned,
}

impl Desk {
    pub fn new() -> Self {
        let bench = Bench::new();
        let stand_in = StandIn::new(bench.root());
        let path = |value: &std::ffi::OsStr| {
            let all = std::iter::once(stand_in.bin()).chain(std::env::split_paths(value));
            std::env::join_paths(all).unwrap()
        };
        let variables = bench.environment().into_iter();
        let variables =
            variables.map(|(name, value)| (name.to_owned(), if name == "PATH" { path(&value) } else { value }));
        let process = Spawned { variables: variables.collect() };
        Self { bench, stand_in, process }
    }

    /// The same world where no `gh` is: only what is linked here is in the path.
    pub fn without_gh(&self) -> Spawned {
        let bin = self.bench.root().join("only-git");
        std::fs::create_dir_all(&bin).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        let git = std::env::split_paths(&path).map(|dir| dir.join("git")).find(|git| git.exists()).unwrap();
        std::os::unix::fs::symlink(git, bin.join("git")).unwrap();
        let mut variables = self.process.variables.clone();
        variables.retain(|(name, _)| name != "PATH");
        variables.push(("PATH".to_owned(), bin.into_os_string()));
        Spawned { variables }
    }

    pub fn gh(&self) -> Gh<'_> {
        Gh::new(&self.process, self.bench.repo(), None)
    }
}

pub fn links() -> TrackerRepository {
    "octo/links".parse().unwrap()
}

pub fn issue(title: &str, body: &str) -> NewIssue {
    NewIssue { title: title.to_owned(), body: body.to_owned(), labels: Vec::new() }
}

pub const LONG_AGO: jiff::Timestamp = jiff::Timestamp::UNIX_EPOCH;

#[test]
fn g32_an_issue_is_created_as_it_was_written_and_found_by_its_marker() {
    let desk = Desk::new();
    desk.stand_in.labels(&["bug", "good first issue, really"]);
    let gh = desk.gh();
    let hostile =
        "@/etc/passwd\r\n-F x=@y \\ \"quoted\\\" `$(id)` \u{7f} ß 名 🦀\n<!-- git-grill:1 -->\n{\"labels\":9}";
    let new = NewIssue {
        title: "@me -X \"DELETE\" \\ ☃".to_owned(),
        body: hostile.to_owned(),
        labels: vec!["Bug".to_owned(), "good first issue, really".to_owned()],
    };
    assert_eq!(gh.ready(&links(), std::slice::from_ref(&new)), Ok(Vec::new()));
    let created = gh.create(&links(), &new).unwrap();
    assert_eq!((created.number, created.url.as_str()), (1, "https://github.com/octo/links/issues/1"));
    assert_eq!(created.body, hostile);
    assert_eq!(created.labels, new.labels);
    assert_eq!(desk.stand_in.issues(), [(new.title.clone(), hostile.to_owned())]);
    assert_eq!(gh.find(&links(), "<!-- git-grill:1 -->", LONG_AGO), Ok(vec![created]));
    assert_eq!(gh.find(&links(), "<!-- git-grill:2 -->", LONG_AGO), Ok(Vec::new()));
    // Titles and bodies travel on standard input alone.
    assert!(desk.stand_in.calls().iter().all(|call| !call.contains("@me") && !call.contains("passwd")));
}

#[test]
fn g32_only_issues_of_the_login_count_and_no_pull_requests() {
    let desk = Desk::new();
    desk.stand_in.plant("eve", "marker", r#""title":"Planted""#);
    desk.stand_in.plant("ada", "marker", r#""title":"A change","pull_request":{"url":"x"}"#);
    desk.stand_in.plant("ada", "nothing", r#""title":"Another","body":null"#.split(',').next().unwrap());
    let own = desk.stand_in.plant("Ada", "a marker inside", r#""title":"Mine","labels":[{"name":"bug"}]"#);
    let found = desk.gh().find(&links(), "marker", "2026-11-21T10:00:00Z".parse().unwrap()).unwrap();
    assert_eq!(found.iter().map(|issue| issue.number).collect::<Vec<_>>(), [own]);
    assert_eq!(found[0].labels, ["bug"]);
    let asked = desk.stand_in.requests().into_iter().find(|line| line.contains("creator")).unwrap();
    for part in ["creator=ada", "state=all", "since=2026-11-20T10:00:00Z", "per_page=100"] {
        assert!(asked.contains(part), "{asked}");
    }
}

#[test]
fn g32_what_fails_after_the_issue_was_created_claims_nothing_and_it_is_found() {
    let desk = Desk::new();
    for (nth, when, there) in [(1, When::Before, 0), (2, When::After, 1)] {
        desk.stand_in.at_creation(nth, when, Fault::Fail);
        let failed = desk.gh().create(&links(), &issue("Cut", "marker")).unwrap_err();
        assert!(matches!(&failed, TrackerError::Network { why, .. } if why.contains("may have been done")), "{failed}");
        assert_eq!(desk.gh().find(&links(), "marker", LONG_AGO).unwrap().len(), there);
    }
    desk.stand_in.at_creation(3, When::After, Fault::Hang);
    let gh = desk.gh().within(Duration::from_secs(10));
    let failed = gh.create(&links(), &issue("Cut", "late")).unwrap_err();
    assert!(matches!(&failed, TrackerError::Network { why, .. } if why.contains("no answer within 10 s")), "{failed}");
    assert_eq!(desk.gh().find(&links(), "late", LONG_AGO).unwrap().len(), 1);
}
