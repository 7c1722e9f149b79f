//! What is wrong with one commit of a session that can be read.

use crate::app::ports::{Code, Finding, Severity};
use crate::domain::ids::SessionId;
use crate::store::history::{Flaw, FlawKind};

/// What can be done about a commit that says two things.
const AS_IT_WAS: &str = "The session stands, and goes on from what is in its tree; that stays said. A copy of the \
     repository may have it as it was before: once git grill stop ended the session here, the command takes that one, and \
     keeps this one as a ref";

pub(in super::super) fn of_flaw(id: &SessionId, flaw: &Flaw) -> Finding {
    let Flaw { kind, commit, what } = flaw;
    let name = id.ref_name();
    let (code, severity, why) = match kind {
        FlawKind::Unreadable => (
            Code::CommitUnreadable,
            Severity::Error,
            "it stays so, and later commits are whole without it; git gc and git fsck complain. A copy of the repository \
             may have its objects. Where none has, the second command lets git gc work again, once git grill stop ended \
             the session: it keeps what the session knows by now, and gives up the history that led there"
                .to_owned(),
        ),
        FlawKind::Replay => {
            let why = "what stands in the tree counts, and nobody knows from the events how it got there";
            (Code::ReplayDiffers, Severity::Error, format!("{why}. {AS_IT_WAS}"))
        }
        FlawKind::Numbers => {
            (Code::SeqGap, Severity::Error, format!("events were left out, or written twice. {AS_IT_WAS}"))
        }
        FlawKind::Parents => (Code::Parents, Severity::Error, format!("a session has one line of commits. {AS_IT_WAS}")),
        FlawKind::Trailers => {
            let why = "the tree counts; git log --grep finds it wrongly";
            (Code::Trailers, Severity::Warning, format!("{why}. {AS_IT_WAS}"))
        }
        FlawKind::Newer => (
            Code::NewerFormat,
            Severity::Note,
            "it is read-only for this git grill, and not checked; a newer git grill does".to_owned(),
        ),
    };
    let what = format!("session {id}, commit {}: {what}", commit.to_hex_with_len(10));
    let show = format!("git show --stat --format=fuller {commit}");
    let finding = Finding::new(code, severity, what, why).of(id);
    match kind {
        FlawKind::Unreadable => finding.typed([fetched_anew(&name), without_history(&name)]),
        FlawKind::Replay | FlawKind::Numbers | FlawKind::Parents | FlawKind::Trailers => {
            finding.typed([taken_from_a_copy(id)]).shown_by(show)
        }
        FlawKind::Newer => finding.shown_by(show),
    }
}

/// A session that a newer git grill wrote.
pub(super) fn newer(id: &SessionId, found: &str) -> Finding {
    let what = format!("session {id} has format {found}, which a newer git grill wrote");
    let why = "it is read-only for this one, and nothing is wrong with it; a newer git grill goes on with it";
    let show = format!("git log -p '{}'", id.ref_name());
    Finding::new(Code::NewerFormat, Severity::Note, what, why).shown_by(show).of(id)
}

/// What brings the objects of an unreadable commit back from a copy.
fn fetched_anew(name: &str) -> String {
    format!("git fetch --refetch PATH-OF-A-COPY '{name}'")
}

/// What frees git of an unreadable commit where there is no copy.
fn without_history(name: &str) -> String {
    format!(
        "git update-ref '{name}' \"$(git commit-tree -m \"$(git log -1 --format=%B '{name}')\" '{name}^{{tree}}')\" && \
         git reflog expire --expire=all '{name}'"
    )
}

/// What takes a session as a copy has it, and keeps the one that is here.
fn taken_from_a_copy(id: &SessionId) -> String {
    let (name, copy) = (id.ref_name(), format!("refs/grill/remotes/copy/{id}"));
    format!(
        "git fetch PATH-OF-A-COPY '+{name}:{copy}' && git update-ref 'refs/grill/local/recovered/{id}-flawed' '{name}' && \
         git update-ref '{name}' '{copy}'"
    )
}
