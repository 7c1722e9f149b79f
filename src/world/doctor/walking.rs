//! The walk through whole histories, commit by commit.

use std::time::{Duration, Instant};

use crate::app::error::AppError;
use crate::app::ports::{Code, Examination, Finding, Severity, Walked};
use crate::domain::ids::SessionId;
use crate::repo::open::open;
use crate::store::history;
use crate::store::listing;
use crate::store::mending::tip::{TipState, standing};

use super::super::speak;
use super::sessions::of_flaw;
use super::{Doctor, Watched};

/// Where all sessions are walked, so many flaws of one are named and the others counted. Who asks for one sees all.
const NAMED: usize = 20;
/// How often somebody who watches is told how far it is.
const TOLD: Duration = Duration::from_millis(200);

/// Walks the histories of all sessions, or of one. What cannot be read at its newest commit was found before.
pub(super) fn walk(
    physician: &Doctor<'_>,
    only: Option<&SessionId>,
    examination: &mut Examination,
) -> Result<(), AppError> {
    let opened = open(&physician.guardian.env)?;
    let ids = match only {
        Some(id) => vec![id.clone()],
        None => listing::ids(&opened.repo)?.into_iter().collect(),
    };
    let mut walked = Walked::default();
    for id in ids {
        let TipState::Sound { tip, .. } = standing(&opened.repo, &id)? else { continue };
        let mut teller = Teller::new(&id, physician.watched);
        let history = history::walk(&opened.repo, &id, tip, &mut |done, of| teller.tell(done, of));
        teller.end();
        walked.sessions += 1;
        walked.commits += history.commits;
        let most = only.map_or(NAMED, |_| usize::MAX);
        let more = history.flaws.len().saturating_sub(most);
        // The newest commit was looked at already.
        let known: Vec<String> = examination.findings.iter().map(|finding| finding.what.clone()).collect();
        let named = history.flaws.iter().take(most).map(|flaw| of_flaw(&id, flaw));
        examination.findings.extend(named.filter(|finding| !known.contains(&finding.what)));
        if more > 0 {
            let what = format!("session {id}: {more} more things are wrong with its commits");
            let why = "they are not named here, so that those of other sessions are seen";
            let named = format!("git grill fsck {id}");
            examination.findings.push(Finding::new(Code::More, Severity::Error, what, why).shown_by(named).of(&id));
        }
    }
    examination.walked = Some(walked);
    Ok(())
}

/// Tells whoever watches how far it is, on one line that is taken away again.
struct Teller<'a> {
    id: &'a SessionId,
    watched: Watched,
    last: Instant,
    said: bool,
}

impl<'a> Teller<'a> {
    fn new(id: &'a SessionId, watched: Watched) -> Self {
        Self { id, watched, last: now(), said: false }
    }

    fn tell(&mut self, done: usize, of: usize) {
        if self.watched == Watched::ByNobody || self.last.elapsed() < TOLD {
            return;
        }
        self.last = now();
        self.said = true;
        speak::err(&format!("\r{}: {done} of {of} commits\x1b[K", self.id));
    }

    fn end(&mut self) {
        if self.said {
            speak::err("\r\x1b[K");
        }
    }
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "how often something is said is no fact of the session")]
    Instant::now()
}
