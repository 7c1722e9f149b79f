//! What an agent's hook runs: reads the call, finds the sessions that it could touch, asks the policy, answers.
//!
//! Agents take almost any failure of a hook for a yes. So the work is done in a thread of its own, and whatever becomes of
//! it (a panic, a time-out, an end without an answer) is a no, unless it was already clear that no session is active.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::agents::Hooked;
use crate::guard::advice::Advice;
use crate::guard::answer::{Answer, NO, No};
use crate::guard::payload::{self, Call, MAX_INPUT, ToolAction};
use crate::guard::rewrite;
use crate::policy::attempt::{Attempt, File, Place};
use crate::policy::rules::judge;
use crate::policy::shell::Allowed;
use crate::policy::verdict::Refusal;
use crate::text::shell::quoted;
use crate::world::environment::Environment;
use crate::world::speak;

use super::Rewriting;
use super::entered::entered;
use super::places::{self, Unclear};
use super::standing::{RulingSession, standing};

/// How long the whole answer may take, reading included. A machine that stalls must not look like a fault; the shortest
/// patience of all callers is the five seconds of our own plugins, and Claude Code, Codex and Gemini CLI wait a minute.
pub(super) const LIMIT: Duration = Duration::from_secs(4);
/// The worker's stack: a parser that descends far must not end the process.
const STACK: usize = 64 * 1024 * 1024;

/// What is known so far about whether a session is active; a failure is judged by it.
#[derive(Clone, Default)]
struct Known(Arc<AtomicU8>);

impl Known {
    const INACTIVE: u8 = 1;

    fn is_inactive(&self) -> bool {
        self.0.load(Ordering::SeqCst) == Self::INACTIVE
    }

    fn set_unsure(&self) {
        self.0.store(0, Ordering::SeqCst);
    }

    fn set(&self, sessions: &Result<Vec<PathBuf>, Unclear>) {
        let inactive = sessions.as_ref().is_ok_and(Vec::is_empty);
        self.0.store(u8::from(inactive), Ordering::SeqCst);
    }
}

/// Answers one call of `agent`'s hook.
pub(super) fn run(environment: &Environment, agent: Hooked, rewriting: Rewriting) -> ExitCode {
    let known = Known::default();
    let environment = environment.clone();
    let work = {
        let known = known.clone();
        move || decide(&environment, agent, rewriting, &known)
    };
    let answer = answered_within(LIMIT, work).unwrap_or_else(|failure| {
        if known.is_inactive() { Answer::pass(agent) } else { Answer::no(agent, &failed(&failure)) }
    });
    say(&answer)
}

/// What became of the work, or why nothing did.
pub(super) fn answered_within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    static PLACE_OF_THE_BUG: OnceLock<String> = OnceLock::new();
    // The usual report has several lines, and agents pass on the first.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let _first_counts = PLACE_OF_THE_BUG.set(place.unwrap_or_default());
    }));
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // Who waits no longer needs no answer.
        let _ = sender.send(work());
    });
    if let Err(error) = worker {
        return Err(format!("no thread could be started: {error}"));
    }
    match receiver.recv_timeout(limit) {
        Ok(answer) => Ok(answer),
        Err(RecvTimeoutError::Timeout) => Err(format!("it took longer than {} s", limit.as_secs())),
        Err(RecvTimeoutError::Disconnected) => {
            Err(format!("it stopped because of a bug{}", PLACE_OF_THE_BUG.get().map_or("", String::as_str)))
        }
    }
}

fn failed(why: &str) -> No {
    unclear(format!("the tool call was refused because the guard itself failed: {why}"))
}

fn unclear(reason: String) -> No {
    No { advice: Advice::Unclear, refusal: Refusal { reason, hints: vec!["git grill status".to_owned()] } }
}

fn say(answer: &Answer) -> ExitCode {
    // An answer that nobody could read is none, and agents would take it for a yes.
    if !answer.stdout.is_empty() && speak::out(&answer.stdout).is_err() {
        speak::err("git grill: the tool call was not let through, since the answer could not be written\n");
        return ExitCode::from(NO);
    }
    speak::err(&answer.stderr);
    ExitCode::from(answer.code)
}

fn decide(environment: &Environment, agent: Hooked, rewriting: Rewriting, known: &Known) -> Answer {
    let here = sessions_here(environment);
    known.set(&here);
    let input = read_input();
    // From here on the agent's own folder counts, which is not known yet.
    known.set_unsure();
    let call = payload::read(agent, &input);
    let sessions = sessions_of(&call, here, environment);
    known.set(&sessions);
    let verdict = sessions
        .map_err(|Unclear(why)| failed(&format!("whether a session is active could not be found out: {why}")))
        .and_then(|sessions| rule(environment, agent, rewriting, &call, &sessions));
    match verdict {
        Ok(Some(rewritten)) => rewritten,
        Ok(None) => Answer::pass(agent),
        Err(no) => Answer::no(agent, &no),
    }
}

/// Reads one byte more than is allowed, so that it is seen to be too much.
pub(super) fn read_input() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin().lock();
    // What was read before a failure is cut off, and is refused as such.
    let _ = stdin.by_ref().take(MAX_INPUT as u64 + 1).read_to_end(&mut bytes);
    // An agent whose pipe breaks would take that for a failure of the hook, and so for a yes.
    let _ = std::io::copy(&mut stdin, &mut std::io::sink());
    bytes
}

/// The sessions at the process's own place.
fn sessions_here(environment: &Environment) -> Result<Vec<PathBuf>, Unclear> {
    let mut sessions = places::active_above(&places::real(&environment.cwd)?)?;
    if let Some(git_dir) = environment.var("GIT_DIR") {
        let git_dir = environment.cwd.join(git_dir);
        if places::marked(&git_dir)? {
            sessions.push(git_dir);
        }
    }
    Ok(sessions)
}

/// The sessions that rule on all of the call: where the agent works, where we do, and where else the call leads.
fn sessions_of(
    call: &Call,
    here: Result<Vec<PathBuf>, Unclear>,
    environment: &Environment,
) -> Result<Vec<PathBuf>, Unclear> {
    let named: Vec<PathBuf> = call.places.iter().map(|place| environment.cwd.join(place)).collect();
    // A folder that was deleted under us says nothing, if the agent names the one that it means.
    let mut sessions = match here {
        Err(_) if !named.is_empty() && !environment.cwd.is_absolute() => Vec::new(),
        here => here?,
    };
    for place in &named {
        for session in places::active_above(&places::real(place)?)? {
            if !sessions.contains(&session) {
                sessions.push(session);
            }
        }
    }
    let working = named.first().unwrap_or(&environment.cwd);
    // What leads nowhere is for the shell to refuse.
    let others = entered(environment, call, working).into_iter().filter_map(|place| places::real(&place).ok());
    for session in others.filter_map(|place| places::active_above(&place).ok()).flatten() {
        if !sessions.contains(&session) {
            sessions.push(session);
        }
    }
    Ok(sessions)
}

/// Rules on a call: nothing to say, the answer that rewrites it, or no.
fn rule(
    environment: &Environment,
    agent: Hooked,
    rewriting: Rewriting,
    call: &Call,
    sessions: &[PathBuf],
) -> Result<Option<Answer>, No> {
    let standings = sessions
        .iter()
        .map(|session| standing(environment, session))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| failed(&why))?;
    let rewritten = rewritten(environment, agent, rewriting, call, &standings).map_err(|why| failed(&why))?;
    if rewritten.is_some() {
        return Ok(rewritten);
    }
    let working = call.places.first().map_or_else(|| environment.cwd.clone(), |place| environment.cwd.join(place));
    let home = environment.var("HOME").map(PathBuf::from);
    for deed in &call.deeds {
        let files = files_of(deed, &working, home.as_deref())?;
        for standing in &standings {
            judge_deed(environment, deed, &files, &working, standing)?;
        }
        for file in &files {
            let above = places::active_above(file).map_err(|Unclear(why)| failed(&why))?;
            for session in above.iter().filter(|session| !sessions.contains(session)) {
                let standing = standing(environment, session).map_err(|why| failed(&why))?;
                judge_deed(environment, deed, std::slice::from_ref(file), &working, &standing)?;
            }
        }
    }
    Ok(None)
}

fn files_of(deed: &ToolAction, working: &Path, home: Option<&Path>) -> Result<Vec<PathBuf>, No> {
    match deed {
        ToolAction::Write(Some(path)) | ToolAction::Delete(Some(path)) => {
            // Which worktree it is in is not known, so neither is whether a session is active there.
            let refuse = |Unclear(why)| failed(&format!("where the file lies could not be found out: {why}"));
            places::meant(working, path, home).map_err(refuse)
        }
        ToolAction::Write(None)
        | ToolAction::Delete(None)
        | ToolAction::Shell(_)
        | ToolAction::Read(_)
        | ToolAction::Ours(_)
        | ToolAction::Served(..)
        | ToolAction::Unknown(_)
        | ToolAction::Unreadable(_) => Ok(Vec::new()),
    }
}

/// Whether this session lets the deed happen.
fn judge_deed(
    environment: &Environment,
    deed: &ToolAction,
    files: &[PathBuf],
    working: &Path,
    standing: &RulingSession,
) -> Result<(), No> {
    let no = |refusal| No { advice: Advice::of(&standing.posture), refusal };
    let ask_with =
        |attempt: Attempt<'_>, allowed: &Allowed| judge(&standing.posture, &attempt, allowed).unasked().map_err(no);
    let ask = |attempt: Attempt<'_>| ask_with(attempt, &Allowed::default());
    match deed {
        ToolAction::Shell(command) => {
            let allowed = standing.allowed().map_err(|why| failed(&why))?;
            let folder = places::real(working).ok().and_then(|working| standing.path_of(&working));
            // No plan names anything there, so nothing is committed from outside.
            let around = standing.around(environment, working);
            ask_with(Attempt::Shell { command, folder: folder.as_deref().unwrap_or(".."), around: &around }, &allowed)
        }
        ToolAction::Write(path) => on_each(files, standing, |place| {
            ask(Attempt::WriteFile(File { asked: path.as_deref().unwrap_or("a file"), place }))
        }),
        ToolAction::Delete(path) => on_each(files, standing, |place| {
            ask(Attempt::DeleteFile(File { asked: path.as_deref().unwrap_or("a file"), place }))
        }),
        ToolAction::Read(what) => ask(Attempt::Read { what }),
        ToolAction::Ours(name) => ask(Attempt::OurTool { name }),
        ToolAction::Served(what, tools) if standing.offers(environment, tools) => ask(Attempt::OurTool { name: what }),
        ToolAction::Unknown(what) | ToolAction::Served(what, _)
            if standing.allows_tool(what).map_err(|why| failed(&why))? =>
        {
            Ok(())
        }
        ToolAction::Unknown(what) | ToolAction::Served(what, _) => ask(Attempt::Unknown { what }).map_err(|mut no| {
            no.refusal.hints.push(format!(
                "git config --global --add grill.guard.allowTool {}, by a person who knows it",
                quoted(what)
            ));
            no
        }),
        ToolAction::Unreadable(_) if standing.refuses_nothing() => Ok(()),
        ToolAction::Unreadable(why) => {
            Err(unclear(format!("the tool call was refused because it could not be understood: {why}")))
        }
    }
}

/// Asks about every file that is meant; where none is known, about one that cannot be found.
fn on_each(files: &[PathBuf], standing: &RulingSession, ask: impl Fn(Place<'_>) -> Result<(), No>) -> Result<(), No> {
    if files.is_empty() {
        return ask(Place::Unclear);
    }
    files.iter().try_for_each(|file| ask(standing.path_of(file).as_deref().map_or(Place::Outside, Place::Inside)))
}

/// The answer that puts the command into the sandbox, where that is wanted, possible, and nothing may change.
fn rewritten(
    environment: &Environment,
    agent: Hooked,
    rewriting: Rewriting,
    call: &Call,
    standings: &[RulingSession],
) -> Result<Option<Answer>, String> {
    let Some(shell) = &call.shell else {
        return Ok(None);
    };
    let mut wanted = rewriting == Rewriting::Wanted;
    for standing in standings {
        wanted = wanted || standing.rewrites()?;
    }
    let read_only = !standings.is_empty() && standings.iter().all(RulingSession::is_read_only);
    // Our own verbs write to the repository, by the rules; in the sandbox they could not.
    if !wanted || !read_only || super::is_ours(&shell.command) || !super::sandbox_is_there(environment) {
        return Ok(None);
    }
    let shell_program = super::shell_of(environment, agent);
    let command = rewrite::sandboxed(&environment.program, &shell_program, &shell.command);
    Ok(command.map(|command| rewrite::answer(agent, shell, command)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;

    #[test]
    fn whatever_becomes_of_the_work_ends_in_an_answer() {
        let short = Duration::from_millis(20);
        assert_eq!(answered_within(LIMIT, || Answer::pass(hooked("claude"))), Ok(Answer::pass(hooked("claude"))));
        let late = answered_within(short, || {
            std::thread::sleep(Duration::from_mins(1));
            Answer::pass(hooked("claude"))
        });
        assert!(late.unwrap_err().contains("took longer"));
        let bug = answered_within(LIMIT, || panic!("planted")).unwrap_err();
        assert!(bug.contains("a bug"), "{bug}");
        let refusal = failed(&bug);
        assert_eq!(Answer::no(hooked("claude"), &refusal).code, 2);
    }
}
