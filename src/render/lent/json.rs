//! The same for programs. Keys are added, never renamed.

use serde_json::{Value, json};

use crate::app::reply::{AcceptFate, AgentFile, Loan, LoanList, LoanSession, TurnResult};
use crate::domain::agents::failure::Failure;
use crate::domain::agents::overlap::Overlap;
use crate::domain::agents::turn::AgentTurn;
use crate::domain::agents::waiting::{Waiting, WaitsFor, waiting as all_that_waits};
use crate::domain::text::Line;

use super::super::json::no_session;
use super::completed;

pub(in crate::render) fn json(schema: u32, lent: &Loan) -> Value {
    match lent {
        Loan::Started { session, turn, agent, title: _, profile } => json!({
            "schema": schema, "session": session, "turn": turn, "agent": agent, "profile": profile,
        }),
        Loan::Sent { session, turn, before, held } => {
            json!({"schema": schema, "session": session, "turn": turn, "before": before, "held": held})
        }
        Loan::List(all) => {
            let mut object = list(all);
            object["schema"] = json!(schema);
            object
        }
        Loan::Alone(all) => {
            let mut object = no_session();
            object["agents"] = list(all);
            object
        }
        Loan::Session { session, receipt } | Loan::Waits { session, receipt } => {
            json!({"schema": schema, "session": of_session(session), "wait": receipt})
        }
        Loan::Result { session, receipt, result } => json!({
            "schema": schema, "session": of_session(session), "wait": receipt,
            "result": {
                "turn": result.turn, "preview": result.preview.text, "cut": result.preview.cut,
                "note": note(session, result), "path": result.path.to_string_lossy(),
                "media": result.made.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
            },
        }),
        Loan::Cancelled { session, turn } => {
            let cancelled = turn.map_or_else(|| json!(session.session.started.handle), |turn| json!(turn));
            json!({"schema": schema, "session": of_session(session), "cancelled": cancelled})
        }
        Loan::CleanedUp { session, dry, cleaned } => {
            let paths: Vec<_> = cleaned.paths.iter().map(|path| path.to_string_lossy()).collect();
            json!({"schema": schema, "session": session, "dryRun": dry, "paths": paths, "kept": cleaned.kept})
        }
        Loan::Changes { session, changes, undecided, unfinished } => {
            let listed = |file: &AgentFile| {
                let lines = file.lines.map(|(added, removed)| json!({"added": added, "removed": removed}));
                let accepted = changes.accepted.contains(&file.path);
                json!({"status": file.letter, "path": file.path, "lines": lines, "accepted": accepted})
            };
            let (files, back) = (changes.files.iter().map(listed), changes.back.iter().map(listed));
            let commits = changes.commits.iter().map(|one| json!({"name": one.name, "commits": one.commits}));
            let left_out = changes.left_out.iter().map(|(path, why)| json!({"path": path, "why": why}));
            json!({
                "schema": schema, "session": session, "base": changes.base.to_string(),
                "files": files.collect::<Vec<_>>(), "back": back.collect::<Vec<_>>(),
                "commits": commits.collect::<Vec<_>>(), "leftOut": left_out.collect::<Vec<_>>(), "parent": changes.parent,
                "patch": changes.patch.as_ref().map(|path| path.to_string_lossy()),
                "undecided": undecided.as_ref().map(Line::as_str), "unfinished": unfinished,
            })
        }
        Loan::Offered { session, offer, overlaps } => {
            let files = offer.files.iter().map(|file| {
                let lines = file.file.lines.map(|(added, removed)| json!({"added": added, "removed": removed}));
                let (fate, why) = fate(&file.fate);
                json!({
                    "status": file.file.letter, "path": file.file.path, "lines": lines, "fate": fate, "why": why,
                    "cautions": file.cautions,
                })
            });
            let left_out = offer.left_out.iter().map(|(path, why)| json!({"path": path, "why": why}));
            json!({
                "schema": schema, "session": session, "offered": files.collect::<Vec<_>>(),
                "leftOut": left_out.collect::<Vec<_>>(), "overlaps": overlaps.iter().map(overlap).collect::<Vec<_>>(),
            })
        }
        Loan::Difference { session, diff } => json!({"schema": schema, "session": session, "diff": diff}),
        Loan::Conflict { session, path, text } => {
            json!({"schema": schema, "session": session, "path": path, "conflict": text})
        }
        Loan::Accepted { session, paths, kept, rest, commit } => {
            let commit =
                commit.as_ref().map(|(commit, branch)| json!({"commit": commit.to_string(), "branch": branch}));
            json!({
                "schema": schema, "session": session, "accepted": paths, "kept": kept, "rest": rest, "committed": commit,
            })
        }
        Loan::TakenBack { session, paths, older, committed: _, cut_off, work, staged } => json!({
            "schema": schema, "session": session, "takenBack": paths, "older": older, "cutOff": cut_off, "work": work,
            "staged": staged.iter().map(|(_, shown)| shown).collect::<Vec<_>>(),
        }),
        Loan::Log { session, records } => json!({"schema": schema, "session": session, "records": records}),
    }
}

/// What the words of a result do not tell: that its turn was cut off, and that they are not all.
fn note(session: &LoanSession, result: &TurnResult) -> Option<String> {
    let is_cut_off = session.session.turn(result.turn).is_some_and(|turn| turn.cut_off().is_some());
    let cut_off = is_cut_off.then(|| completed(session, result.turn));
    let cut = result.preview.note(&result.path.to_string_lossy());
    let notes: Vec<String> = cut_off.into_iter().chain(cut).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

fn overlap(overlap: &Overlap) -> Value {
    json!({"path": overlap.path, "sessions": overlap.sessions})
}

fn fate(fate: &AcceptFate) -> (&'static str, Option<&str>) {
    match fate {
        AcceptFate::Taken => ("taken", None),
        AcceptFate::Merged => ("merged", None),
        AcceptFate::Already => ("already", None),
        AcceptFate::Clash(why) => ("clash", Some(why)),
    }
}

/// All sessions, and what waits for the person.
pub(in crate::render) fn list(list: &LoanList) -> Value {
    let unreadable =
        list.unreadable.iter().map(|one| json!({"session": one.session, "why": one.why, "hint": one.hint}));
    json!({
        "overlaps": list.overlaps.iter().map(overlap).collect::<Vec<_>>(),
        "waiting": list.waiting.iter().map(waiting).collect::<Vec<_>>(),
        "sessions": list.sessions.iter().map(of_session).collect::<Vec<_>>(),
        "unreadable": unreadable.collect::<Vec<_>>(),
    })
}

fn waiting(one: &Waiting) -> Value {
    let (kind, number) = match one.what {
        WaitsFor::Parent => (json!("repository"), None),
        WaitsFor::Answer { number, kind } => (json!(kind), Some(number)),
    };
    json!({
        "session": one.session, "agent": one.agent.as_str(), "kind": kind, "number": number,
        "words": one.words.as_str(), "since": one.since.to_string(), "command": one.command(),
    })
}

fn of_session(seen: &LoanSession) -> Value {
    let session = &seen.session;
    let asks = session.asks.iter().map(|open| {
        json!({
            "number": open.ask.number, "kind": open.ask.kind, "words": open.ask.words.as_str(),
            "since": open.since.to_string(),
        })
    });
    // The command that answers all of it, as in the list of what waits.
    let answer = all_that_waits([session]).first().map(Waiting::command);
    json!({
        "session": session.started.handle, "agent": session.started.agent.as_str(),
        "profile": session.started.profile, "state": session.state, "doing": seen.doing,
        "since": seen.since.to_string(), "began": session.began.to_string(), "updated": session.at.to_string(),
        "undecided": session.undecided().map(Line::as_str), "turns": session.turns.iter().map(turn).collect::<Vec<_>>(),
        "waits": asks.collect::<Vec<_>>(), "answer": answer,
        "usage": session.usage, "size": seen.size, "changed": session.changed,
        "halfDone": seen.half_done, "kept": session.kept.as_ref().map(ToString::to_string),
        "failure": session.failure.as_ref().map(failure), "newer": seen.newer,
        "live": seen.live.as_ref().map(|live| json!({"tool": live.tool, "quietMs": live.quiet, "line": live.line})),
    })
}

fn turn(turn: &AgentTurn) -> Value {
    json!({
        "turn": turn.handle, "state": turn.state, "queued": turn.queued.to_string(), "since": turn.since.to_string(),
        "stop": turn.stop_word(), "failure": turn.failure.as_ref().map(failure),
    })
}

fn failure(failure: &Failure) -> Value {
    json!({"code": failure.code, "why": failure.why.as_str()})
}
