//! What `gh`, git and ssh answer about remotes and issues: nothing is claimed that they did not say, nobody is asked for
//! ever, and no address leads to an option of a program.

use git_grill::app::ports::{NewIssue, Tracker};
use git_grill::domain::tracker::TrackerRepository;
use git_grill::tracker::Gh;
use jiff::Timestamp;

use super::scripted::Scripted;

/// More answers than any one errand may need.
const MOST: usize = 600;

pub fn run(data: &[u8]) {
    let Some((&errand, rest)) = data.split_first() else { return };
    let process = Scripted::new(rest);
    let gh = Gh::new(&process, "/nowhere", Some("git.example.org".to_owned()));
    let repository: TrackerRepository = "git.example.org/o/n".parse().expect("a repository");
    let marker = "git-grill: 20261121-auth-k3f9q/7/";
    let issue = NewIssue {
        title: "one".to_owned(),
        body: format!("text\n\n<!-- {marker}1. -->\n"),
        labels: vec!["bug".to_owned()],
    };
    match errand {
        b'r' => here(&gh),
        b'f' => {
            if let Ok(found) = gh.find(&repository, marker, Timestamp::UNIX_EPOCH) {
                assert!(found.iter().all(|issue| issue.body.contains(marker)), "not ours: {found:?}");
                assert!(found.windows(2).all(|two| two[0].number < two[1].number), "in order, and once: {found:?}");
            }
        }
        b'c' => {
            if let Ok(there) = gh.create(&repository, &issue) {
                let said = String::from_utf8_lossy(rest);
                assert!(said.contains(&there.number.to_string()), "nobody said #{}", there.number);
                assert!(said.contains(" 2"), "the host did not say that it was done");
            }
        }
        b's' => drop(gh.supply(&repository, &issue.labels)),
        _ => {
            if let Ok(missing) = gh.ready(&repository, std::slice::from_ref(&issue)) {
                assert!(missing.iter().all(|label| issue.labels.contains(label)), "{missing:?}");
            }
        }
    }
    assert!(process.given() <= MOST, "{} questions", process.given());
}

fn here(gh: &Gh<'_>) {
    let Ok(repository) = gh.here() else { return };
    let plain = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '.' | '_');
    for part in [repository.host(), repository.owner(), repository.name()] {
        assert!(!part.is_empty() && part.chars().all(plain), "{repository} is sent to a program");
        assert!(!matches!(part, "." | ".."), "{repository} leads elsewhere");
    }
    assert!(!repository.host().starts_with('-') && !repository.owner().starts_with('-'), "{repository} is an option");
    assert_eq!(repository.to_string().parse().as_ref(), Ok(&repository));
}
