//! The one question of every read-only layer: may this happen now?
//!
//! | posture | passes | a person may rule | refused |
//! |---|---|---|---|
//! | inactive, open | everything | | |
//! | read-only | reading, our own tools, commands known to read | nothing (A18) | all else |
//! | output | the same, writing an approved path, `git add` and `git commit` of approved paths | removing an approved file; what changes things elsewhere | all else |
//!
//! In a read-only phase nobody is asked: what the phase forbids is refused without a question, since a yes would end the
//! promise. In the output phase a person may let pass what the plan comes near to but does not say.

use crate::domain::posture::{Posture, ReadOnlyPhase};
use crate::policy::attempt::{Attempt, File, Place};
use crate::policy::quote::quoted;
use crate::policy::shell::{self, Allowed};
use crate::policy::surroundings::Surroundings;
use crate::policy::verdict::{Question, Refusal, Verdict};
use crate::policy::{approved, committing, push, refs};

/// Rules on an attempt. `allowed` are the commands that a person lets pass beyond what is known to read.
pub fn judge(posture: &Posture, attempt: &Attempt<'_>, allowed: &Allowed) -> Verdict {
    match posture {
        Posture::Inactive | Posture::Open => Verdict::Allow,
        Posture::ReadOnly { phase } => reading(posture, *phase, attempt, allowed),
        Posture::Output { paths } => producing(posture, paths, attempt, allowed),
    }
}

fn reading(posture: &Posture, phase: ReadOnlyPhase, attempt: &Attempt<'_>, allowed: &Allowed) -> Verdict {
    let refuse = |what: String| {
        Verdict::Refuse(Refusal { reason: format!("{what}: {}", because(phase)), hints: next_steps(phase) })
    };
    match attempt {
        Attempt::OurTool { .. } | Attempt::Read { .. } => Verdict::Allow,
        Attempt::Shell { command, folder: _, around } => match shell::judge(command, allowed, *around) {
            Ok(()) => Verdict::Allow,
            Err(refused) => refuse(not_run(command, &refused)),
        },
        Attempt::WriteFile(file) => refuse(format!("{} was not written", quoted(file.asked))),
        Attempt::DeleteFile(file) => refuse(format!("{} was not removed", quoted(file.asked))),
        Attempt::RefUpdate { lines, facts } => refs::judge(posture, lines, *facts),
        Attempt::Push { stdin } => push::judge_push(posture, stdin),
        Attempt::Git { operation } => refuse(format!("{} was stopped", quoted(operation))),
        Attempt::Network { what } => refuse(format!("{} was not sent", quoted(what))),
        Attempt::Unknown { what } => refuse(unknown(what)),
    }
}

fn producing(posture: &Posture, paths: &[String], attempt: &Attempt<'_>, allowed: &Allowed) -> Verdict {
    let refuse =
        |what: String, why: &str| Verdict::Refuse(Refusal { reason: format!("{what}: {why}"), hints: steps() });
    let ask = |wanted: String, what: String, why: &str| {
        let otherwise = Refusal { reason: format!("{what}: {why}"), hints: steps() };
        Verdict::Ask(Question { wanted, otherwise })
    };
    match attempt {
        Attempt::OurTool { .. } | Attempt::Read { .. } => Verdict::Allow,
        Attempt::Shell { command, folder, around } => match producing_shell(command, folder, paths, allowed, *around) {
            Ok(()) => Verdict::Allow,
            Err(refused) => refuse(
                not_run(command, &refused),
                "while output is produced commands read, or add and commit approved paths",
            ),
        },
        Attempt::WriteFile(file) => match unapproved(file, paths) {
            None => Verdict::Allow,
            Some(why) => refuse(format!("{} was not written", quoted(file.asked)), &why),
        },
        Attempt::DeleteFile(file) => match unapproved(file, paths) {
            // The plan says that the file is made, not that it goes.
            None => ask(
                format!("remove {}, which the approved plan writes", quoted(file.asked)),
                format!("{} was not removed", quoted(file.asked)),
                "the approved plan writes it, and removing it needs a person's word",
            ),
            Some(why) => refuse(format!("{} was not removed", quoted(file.asked)), &why),
        },
        Attempt::RefUpdate { lines, facts } => refs::judge(posture, lines, *facts),
        Attempt::Push { stdin } => push::judge_push(posture, stdin),
        Attempt::Git { operation } => refuse(
            format!("{} was stopped", quoted(operation)),
            "while output is produced only commits of approved paths are made",
        ),
        Attempt::Network { what } => ask(
            format!("send {}, which changes things outside of this repository", quoted(what)),
            format!("{} was not sent", quoted(what)),
            "what leaves this repository needs a person's word",
        ),
        Attempt::Unknown { what } => refuse(unknown(what), "while output is produced only approved paths are written"),
    }
}

fn producing_shell(
    command: &str,
    folder: &str,
    paths: &[String],
    allowed: &Allowed,
    around: &dyn Surroundings,
) -> Result<(), shell::Refused> {
    let whole = shell::judge(command, allowed, around);
    if whole.is_ok() {
        return whole;
    }
    let Some(commands) = committing::commands(command) else {
        return whole;
    };
    commands.iter().try_for_each(|command| {
        // What adds and commits runs what looking at the same place would run, and nothing else is asked of it here.
        let commits = committing::commits(command, paths, folder);
        shell::judge(if commits { "git status" } else { &command.source }, allowed, around)
    })
}

/// Why the plan does not let this file be written, if it does not.
fn unapproved(file: &File<'_>, paths: &[String]) -> Option<String> {
    match file.place {
        Place::Inside(path) if approved::names(paths, path) => None,
        Place::Inside(path) if path == file.asked => Some("it is not in the approved plan".to_owned()),
        Place::Inside(path) => Some(format!("it leads to {}, which is not in the approved plan", quoted(path))),
        Place::Outside => Some("it lies outside of the worktree, where the approved plan has nothing".to_owned()),
        Place::Unclear => Some("where it lies could not be found out".to_owned()),
    }
}

fn not_run(command: &str, refused: &shell::Refused) -> String {
    let (whole, part) = (quoted(command), quoted(&refused.part));
    // Most reasons name the part themselves.
    if whole == part || refused.why.contains(&part) {
        format!("{whole} was not run: {}", refused.why)
    } else {
        format!("{whole} was not run: {} (in {part})", refused.why)
    }
}

fn unknown(what: &str) -> String {
    format!("{} was not let through, since what it would change is not known", quoted(what))
}

fn because(phase: ReadOnlyPhase) -> &'static str {
    match phase {
        ReadOnlyPhase::Interview => "the interview is read-only; changes wait until a person approves an output plan",
        ReadOnlyPhase::OutputSelection => {
            "choosing the output is read-only; changes wait until a person approves an output plan"
        }
        ReadOnlyPhase::NoInterview => "the session is read-only; changes wait until a person lifts it",
    }
}

fn next_steps(phase: ReadOnlyPhase) -> Vec<String> {
    // The first one is an agent's to type, the second one only a person's.
    let persons = match phase {
        ReadOnlyPhase::Interview => "git grill select, typed by the person, opens the output selection",
        ReadOnlyPhase::NoInterview => "git grill stop, typed by the person, ends the session",
        ReadOnlyPhase::OutputSelection => "git grill approve, typed by the person, approves an output plan",
    };
    vec!["git grill status shows what is open".to_owned(), persons.to_owned()]
}

/// What leads on from the output phase.
fn steps() -> Vec<String> {
    vec!["git grill status shows the plan; git grill finish allows a new one".to_owned()]
}

#[cfg(test)]
mod tests;
