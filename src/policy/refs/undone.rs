//! What a refused ref transaction did not do, in the user's terms.

use super::{Guard, RefFacts, SESSIONS, guard, stays};
use crate::policy::ref_line::{RefLine, RefValue, printable};

/// What did not happen, in the user's terms.
pub(super) fn undone(line: &RefLine, facts: &dyn RefFacts) -> String {
    let name = &line.name;
    let deletes = line.new == RefValue::Zero;
    let is_new = !deletes && facts.current(name) == Ok(None);
    let deed = |otherwise: &'static str| match (deletes, is_new) {
        (true, _) => "deleted",
        (false, true) => "created",
        (false, false) => otherwise,
    };
    if let Some(branch) = name.below("refs/heads/") {
        return format!("branch '{}' was not {}", printable(branch), deed("changed"));
    }
    if let Some(tag) = name.below("refs/tags/") {
        return format!("tag '{}' was not {}", printable(tag), deed("written"));
    }
    if let Some(session) = name.below(SESSIONS) {
        let verb = if deletes { "deleted" } else { "moved" };
        return format!("session '{}' was not {verb}", printable(session));
    }
    match (guard(name), &line.new) {
        (Guard::Head, RefValue::Symbolic(target)) => {
            let branch = target.strip_prefix(b"refs/heads/").unwrap_or(target);
            if stays(line, facts) {
                return format!("HEAD was not written anew, and leads to '{}' as before", printable(branch));
            }
            format!("HEAD was not switched to '{}'", printable(branch))
        }
        (Guard::Head, RefValue::Zero | RefValue::Object(_)) => "HEAD was not moved".to_owned(),
        (Guard::OrigHead, _) => "ORIG_HEAD was not written, so the command stopped".to_owned(),
        (Guard::Ref | Guard::Free | Guard::Session, _) if name.as_bytes() == b"refs/stash" => {
            "the stash was not changed".to_owned()
        }
        (Guard::Ref | Guard::Free | Guard::Session, _) => {
            format!("'{}' was not changed", printable(name.as_bytes()))
        }
    }
}
