//! What an answer that is no success means, and what it means when there is no answer at all. Doubt claims nothing: an
//! answer that breaks off or that nobody understands leaves open what was done, and the next run looks for it.

use std::io;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;

use super::answer::Answer;
use super::wire::{Complaint, Detail};
use crate::app::ports::{Ran, TrackerError};
use crate::domain::text::{cut, flat};
use crate::domain::tracker::TrackerRepository;

/// More of a foreign text than this tells nobody anything.
const ENOUGH: usize = 400;
/// What `gh` ends with when nobody is logged in anywhere.
const NOT_LOGGED_IN: i32 = 4;

/// The body of a success, as what it should be.
pub(super) fn understood<T: DeserializeOwned>(answer: &Answer) -> Result<T, TrackerError> {
    serde_json::from_slice(&answer.body).map_err(|error| not_understood(&error))
}

pub(super) fn not_understood(error: &impl ToString) -> TrackerError {
    TrackerError::NotUnderstood { why: one_line(&error.to_string()) }
}

/// `gh` was not started, or did not end.
pub(super) fn of_spawning(host: &str, error: &io::Error, limit: Duration) -> TrackerError {
    if error.kind() == io::ErrorKind::NotFound {
        return TrackerError::NoProgram;
    }
    if error.kind() == io::ErrorKind::TimedOut {
        let limit = limit.as_secs_f32();
        let why = format!("there was no answer within {limit} s; what was asked for may have been done");
        return TrackerError::Network { host: host.to_owned(), why };
    }
    TrackerError::NotUnderstood { why: format!("it could not be started: {}", one_line(&error.to_string())) }
}

/// `gh` ended without an answer of the host.
pub(super) fn of_run(host: &str, ran: &Ran) -> TrackerError {
    let said = one_line(&String::from_utf8_lossy(&ran.stderr));
    if ran.code == NOT_LOGGED_IN {
        return TrackerError::NotLoggedIn { host: host.to_owned() };
    }
    // Signals come as 128 and their number: a terminal's interrupt reaches gh as well.
    if ran.code > 128 {
        let why = format!("it was ended by signal {}; what was asked for may have been done", ran.code - 128);
        return TrackerError::NotUnderstood { why };
    }
    // As Go's HTTP client begins every error of its own, and as gh says that a name was not found.
    let networked = ["Get \"", "Post \"", "error connecting to "].iter().any(|head| said.starts_with(head));
    // After a success only the way back can have broken.
    let broke_off = Answer::parse(&ran.stdout).is_some();
    if networked || broke_off || said.contains("unexpected EOF") {
        return TrackerError::Network { host: host.to_owned(), why: said };
    }
    if said.is_empty() {
        return TrackerError::NotUnderstood { why: format!("it ended with code {} and said nothing", ran.code) };
    }
    TrackerError::NotUnderstood { why: said }
}

/// `gh` named no repository. Its own words say why: there is no remote, none leads to a host that it knows, or the host
/// knows no such repository.
pub(super) fn of_view(host: &str, ran: &Ran) -> TrackerError {
    let error = of_run(host, ran);
    if let TrackerError::NotUnderstood { why } = &error
        && ran.code == 1
    {
        return if why.starts_with("HTTP 401") {
            TrackerError::NotLoggedIn { host: host.to_owned() }
        } else {
            TrackerError::Nowhere { why: why.clone() }
        };
    }
    error
}

pub(super) fn of_login(host: &str, answer: &Answer) -> TrackerError {
    let host = host.to_owned();
    match general(&host, answer) {
        Some(error) => error,
        // A host that does not know the question is none that gh can talk to.
        None => TrackerError::NotUnderstood { why: format!("{host} did not say who is logged in: {}", words(answer)) },
    }
}

pub(super) fn of_answer(repository: &TrackerRepository, answer: &Answer) -> TrackerError {
    if let Some(error) = general(repository.host(), answer) {
        return error;
    }
    let repository = repository.clone();
    let why = words(answer);
    let said = why.to_lowercase();
    match answer.status {
        403 if said.contains("archived") => TrackerError::Archived { repository },
        403 => TrackerError::Forbidden { repository, why },
        404 => TrackerError::NoRepository { repository },
        410 if said.contains("disabled") => TrackerError::IssuesDisabled { repository },
        300..=399 => TrackerError::Refused { repository, why: format!("it is somewhere else now ({why})") },
        _ => TrackerError::Refused { repository, why },
    }
}

/// What means the same whatever was asked.
fn general(host: &str, answer: &Answer) -> Option<TrackerError> {
    let host = host.to_owned();
    match answer.status {
        401 => Some(TrackerError::NotLoggedIn { host }),
        403 | 429 if is_rate_limit(answer) => Some(TrackerError::RateLimited { host, until: free_again(answer) }),
        500..=599 => Some(TrackerError::Network {
            host,
            why: format!("{}; what was asked for may have been done", words(answer)),
        }),
        _ => None,
    }
}

/// Whether the host turned us away because we asked too often; by its rules at least one of these tells.
fn is_rate_limit(answer: &Answer) -> bool {
    answer.status == 429
        || answer.header("retry-after").is_some()
        || answer.header("x-ratelimit-remaining") == Some("0")
        || complaint(answer).message.to_lowercase().contains("rate limit")
}

/// When the host takes requests again. Its own clock counts: what it says is relative to that.
fn free_again(answer: &Answer) -> Option<Timestamp> {
    let number = |name: &str| answer.header(name)?.parse::<i64>().ok();
    if let Some(seconds) = number("retry-after") {
        let now = jiff::fmt::rfc2822::parse(answer.header("date")?).ok()?.timestamp();
        return now.checked_add(SignedDuration::from_secs(seconds)).ok();
    }
    // The other counter may be far from empty when it is the pace that was too fast.
    if answer.header("x-ratelimit-remaining") != Some("0") {
        return None;
    }
    Timestamp::from_second(number("x-ratelimit-reset")?).ok()
}

/// The details of an error that say that something exists already.
pub(super) fn exists_already(answer: &Answer) -> bool {
    answer.status == 422
        && complaint(answer).errors.iter().any(|detail| match detail {
            Detail::Object(fields) => fields.code.as_deref() == Some("already_exists"),
            Detail::Sentence(_) => false,
        })
}

fn complaint(answer: &Answer) -> Complaint {
    serde_json::from_slice(&answer.body).unwrap_or_default()
}

/// What the host said, in one line.
fn words(answer: &Answer) -> String {
    let complaint = complaint(answer);
    let mut all = vec![complaint.message];
    all.extend(complaint.errors.into_iter().map(|detail| match detail {
        Detail::Sentence(sentence) => sentence,
        Detail::Object(fields) => {
            let said = fields.message.or(fields.code).unwrap_or_default();
            fields.field.map_or_else(|| said.clone(), |field| format!("{field}: {said}"))
        }
    }));
    all.retain(|said| !said.trim().is_empty());
    if all.is_empty() {
        return format!("HTTP {}", answer.status);
    }
    one_line(&format!("{} (HTTP {})", all.join("; "), answer.status))
}

/// A foreign text as one harmless line of bounded length.
pub(super) fn one_line(text: &str) -> String {
    cut(&flat(text), ENOUGH)
}

#[cfg(test)]
mod tests;
