//! What a host takes at most, said before anything is sent.

use crate::app::ports::{NewIssue, TrackerError};
use crate::domain::tracker::TrackerRepository;

/// The longest title, in characters.
const LONGEST_TITLE: usize = 256;
/// The longest body, in characters.
const LONGEST_BODY: usize = 65_536;
/// The longest name of a label, in characters.
const LONGEST_LABEL: usize = 50;
/// The most labels on one issue.
const MOST_LABELS: usize = 100;

/// Whether the host could take this issue.
pub(super) fn fits(repository: &TrackerRepository, issue: &NewIssue) -> Result<(), TrackerError> {
    let refused = |why: String| Err(TrackerError::Refused { repository: repository.clone(), why });
    let title = issue.title.chars().count();
    if issue.title.trim().is_empty() {
        return refused("an issue has no title".to_owned());
    }
    let named = shortened(&issue.title);
    if title > LONGEST_TITLE {
        return refused(format!("the title of '{named}' has {title} characters, and {LONGEST_TITLE} is the most"));
    }
    if issue.labels.len() > MOST_LABELS {
        return refused(format!("'{named}' has {} labels, and {MOST_LABELS} is the most", issue.labels.len()));
    }
    if let Some(label) = issue.labels.iter().find(|label| label.chars().count() > LONGEST_LABEL) {
        return refused(format!("the label '{}' has more than {LONGEST_LABEL} characters", shortened(label)));
    }
    let length = issue.body.chars().count();
    if length > LONGEST_BODY {
        return refused(format!("the body of '{named}' has {length} characters, and {LONGEST_BODY} is the most"));
    }
    Ok(())
}

/// Enough of a text to know which one is meant.
fn shortened(text: &str) -> String {
    const ENOUGH: usize = 60;
    let mut short: String = text.chars().take(ENOUGH).collect();
    if text.chars().nth(ENOUGH).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g32_what_no_host_takes_is_refused_by_name_before_it_is_sent() {
        let repository: TrackerRepository = "octo/links".parse().unwrap();
        let issue = |title: &str, body: String, labels: &[String]| NewIssue {
            title: title.to_owned(),
            body,
            labels: labels.to_vec(),
        };
        let why = |issue: NewIssue| fits(&repository, &issue).err().map(|error| error.to_string());
        assert_eq!(why(issue(&"ß".repeat(256), "ß".repeat(65_536), &["l".repeat(50)])), None);
        for (issue, words) in [
            (issue("  ", String::new(), &[]), "an issue has no title"),
            (issue(&"t".repeat(257), String::new(), &[]), "has 257 characters, and 256"),
            (issue("Cut it", "b".repeat(65_537), &[]), "the body of 'Cut it' has 65537 characters, and 65536"),
            (issue("Cut it", String::new(), &["l".repeat(51)]), "more than 50"),
            (issue("Cut it", String::new(), &vec!["l".to_owned(); 101]), "101 labels"),
        ] {
            assert!(why(issue).unwrap().contains(words), "{words}");
        }
    }
}
