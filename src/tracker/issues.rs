//! Issues: found by their marker, and created.

use jiff::{SignedDuration, Timestamp};

use super::gh::{Gh, Method, below};
use super::trouble;
use super::wire::{Issue, SentIssue};
use crate::app::ports::{NewIssue, ThereIssue, TrackerError};
use crate::domain::tracker::TrackerRepository;

/// How many numbers above the newest listed issue are asked for at most.
const MOST_BEYOND: usize = 50;
/// After so many numbers without an issue there are no more.
const MOST_MISSING: usize = 2;
/// How far the host's clock and ours may lie apart.
const APART: SignedDuration = SignedDuration::from_hours(24);

impl Gh<'_> {
    /// The login's own issues with a marker. The list is asked and not the search, whose index lags by minutes; and the
    /// login's own ones alone count, since in a public repository anybody can plant a marker.
    pub(super) fn found(
        &self,
        repository: &TrackerRepository,
        marker: &str,
        since: Timestamp,
    ) -> Result<Vec<ThereIssue>, TrackerError> {
        let login = self.login(repository.host())?;
        let since = since.checked_sub(APART).unwrap_or(Timestamp::UNIX_EPOCH).max(Timestamp::UNIX_EPOCH);
        let query = format!(
            "&state=all&sort=created&direction=asc&creator={}&since={}",
            encoded(&login),
            since.strftime("%FT%TZ")
        );
        let mut listed: Vec<Issue> = self.listed(repository, "issues", &query)?;
        // A list for one creator may be behind the list of all.
        listed.extend(self.first_page(repository, "issues", "&state=all&sort=created&direction=desc")?);
        let newest = listed.iter().map(|issue| issue.number).max().unwrap_or(0);
        listed.extend(self.beyond(repository, newest)?);
        let opened = |issue: &Issue| issue.created_at.is_none_or(|at| at >= since);
        let own = |issue: &Issue| issue.user.as_ref().is_some_and(|user| user.login.eq_ignore_ascii_case(&login));
        let has_it = |issue: &Issue| issue.body.as_deref().is_some_and(|body| body.contains(marker));
        let mut found: Vec<ThereIssue> = listed
            .into_iter()
            .filter(|issue| issue.pull_request.is_none() && opened(issue) && own(issue) && has_it(issue))
            .map(ThereIssue::from)
            .collect();
        // A page that moved while it was read shows an issue twice.
        found.sort_by_key(|issue| issue.number);
        found.dedup_by_key(|issue| issue.number);
        Ok(found)
    }

    /// The issues with numbers above `newest`, which no list shows yet: hosts are seen to list an issue seconds after it
    /// was created, but know it by its number at once. Without this, a run that goes on at once where another one died
    /// could create an issue twice.
    fn beyond(&self, repository: &TrackerRepository, newest: u64) -> Result<Vec<Issue>, TrackerError> {
        let (mut late, mut nothing) = (Vec::new(), 0);
        for number in (newest..).skip(1).take(MOST_BEYOND) {
            let path = below(repository, &format!("/issues/{number}"));
            let answer = self.ask(repository.host(), Method::Get, &path, Vec::new())?;
            match answer.status {
                200..=299 => late.push(trouble::understood::<Issue>(&answer)?),
                // What discussions and deleted issues took is missing among the numbers.
                404 | 410 => nothing += 1,
                _ => return Err(trouble::of_answer(repository, &answer)),
            }
            if nothing == MOST_MISSING {
                break;
            }
        }
        // One that was moved to another repository is answered for under the number that it has there.
        late.retain(|issue| is_here(repository, issue));
        Ok(late)
    }

    /// Creates one issue. An error claims nothing: the issue may be there, and is then found by its marker.
    pub(super) fn created(&self, repository: &TrackerRepository, issue: &NewIssue) -> Result<ThereIssue, TrackerError> {
        let sent = SentIssue { title: &issue.title, body: &issue.body, labels: &issue.labels };
        let created: Issue = self.send(repository, Method::Post, "/issues", &sent)?;
        Ok(created.into())
    }
}

/// Whether an issue is one of this repository, as its address says.
fn is_here(repository: &TrackerRepository, issue: &Issue) -> bool {
    let path = format!("/{}/{}/issues/{}", repository.owner(), repository.name(), issue.number);
    issue.html_url.to_ascii_lowercase().ends_with(&path.to_ascii_lowercase())
}

/// A login as a part of an address.
fn encoded(login: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    login.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_cannot_change_the_question() {
        assert_eq!(encoded("ada-lovelace_corp"), "ada-lovelace_corp");
        assert_eq!(encoded("x[bot]&state=open ü"), "x%5Bbot%5D%26state%3Dopen%20%C3%BC");
    }
}
