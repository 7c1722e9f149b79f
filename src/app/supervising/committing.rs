//! A commit of accepted work, when the person asks for one: of nothing else, and with a trailer that names the agent.

use crate::app::context::{Context, no_working_tree};
use crate::app::error::AppError;
use crate::app::ports::{AcceptStep, CommitError, Commits, OfferedFile, WorkCommit};
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::on_one_line;
use crate::domain::ids::ObjectId;
use crate::domain::text::counted;
use crate::output::with_trailers;

use super::naming::without;

/// So many files are tried one by one, each of which takes some runs of git.
const MOST_TRIED: usize = 20;

fn commits<'a>(context: &Context<'a>) -> Result<&'a dyn Commits, AppError> {
    context.commits.ok_or_else(no_working_tree)
}

/// Refuses before anything is written; the branch on which the commit would be.
pub(super) fn ready(context: &Context<'_>, files: &[&OfferedFile]) -> Result<String, AppError> {
    const UNDONE: &str = "nothing was accepted or committed";
    if let Some(file) = files.iter().find(|file| file.runs_in_git) {
        let path = on_one_line(&file.file.path);
        return Err(AppError::Declined {
            code: "not_committed",
            message: format!("{UNDONE}: the commit would run {path}, which the agent changed"),
            causes: Vec::new(),
            hint: "accept without --commit; git add and git commit run it once you have read it".to_owned(),
        });
    }
    let paths: Vec<Vec<u8>> = files.iter().map(|file| file.path.clone()).collect();
    commits(context)?.work_is_ready(&paths).map_err(|error| not_committed(error, UNDONE, None))
}

/// Refuses before anything is asked where the commit cannot hold all of these files; the hint names those that it can.
pub(super) fn can_hold(
    context: &Context<'_>,
    session: AgentHandle,
    files: &[&OfferedFile],
    message: &[String],
) -> Result<(), AppError> {
    let (code, refused, causes, hint) = match ready(context, files) {
        Ok(_) => return Ok(()),
        Err(AppError::Declined { code, message, causes, hint }) => (code, message, causes, hint),
        Err(error) => return Err(error),
    };
    let free = committable(context, files);
    let hint = match without(session, &free, files.len() - free.len(), Some(message)) {
        Some(without) => format!("{without}; {hint}"),
        None => hint,
    };
    Err(AppError::Declined { code, message: refused, causes, hint })
}

/// Those of the files that a commit can hold; none where there are too many to try.
pub(super) fn committable<'f>(context: &Context<'_>, files: &[&'f OfferedFile]) -> Vec<&'f OfferedFile> {
    let tried = if files.len() <= MOST_TRIED { files } else { &[] };
    tried.iter().copied().filter(|file| ready(context, &[*file]).is_ok()).collect()
}

/// Refuses where the branch is another one than before the person chose.
pub(super) fn still_on(branch: Option<&str>, now: &str) -> Result<(), AppError> {
    match branch {
        Some(before) if before != now => Err(AppError::Declined {
            code: "not_committed",
            message: format!(
                "nothing was accepted or committed: HEAD was on {} and is on {} by now",
                on_one_line(before),
                on_one_line(now)
            ),
            causes: Vec::new(),
            hint: "type it again to commit on this branch".to_owned(),
        }),
        Some(_) | None => Ok(()),
    }
}

/// Refuses an undo of files that were committed since, by whomever, as far as that can be told.
pub(super) fn not_committed_since(commits: &dyn Commits, step: &AcceptStep, command: &str) -> Result<(), AppError> {
    let all = commits.commits_at(&step.head, &step.paths).unwrap_or_default();
    let Some(first) = all.last() else { return Ok(()) };
    let short = first.short();
    let (message, hint) = if all.len() == 1 {
        (
            format!("nothing was undone: the accepted changes are in commit {short}"),
            format!("git revert {short} reverts the whole commit; after {command}, accept offers these files again"),
        )
    } else {
        let more = all.len() - 1;
        let commits = if more == 1 { "1 more commit".to_owned() } else { format!("{more} more commits") };
        (
            format!(
                "nothing was undone: the accepted changes are in commit {short}, and {commits} changed these files"
            ),
            format!(
                "git log -p {}.. shows them; git revert takes each back, the newest first; then {command}",
                step.head.short()
            ),
        )
    };
    Err(AppError::Declined { code: "committed", message, causes: Vec::new(), hint })
}

/// Commits the accepted files. Where the commit does not hold exactly these, that is an error: it stands all the same.
pub(super) fn commit(
    context: &Context<'_>,
    session: AgentHandle,
    agent: &str,
    paths: &[Vec<u8>],
    given: &[String],
) -> Result<(ObjectId, String), AppError> {
    let agent = on_one_line(agent);
    let message = match given {
        [] => {
            format!("accept {} from {agent} ({session})", counted(paths.len(), "file"))
        }
        paragraphs => paragraphs.join("\n\n"),
    };
    let trailers = [format!("Grill-Agent: {agent} {session}")];
    let message = with_trailers(&message, &trailers);
    let port = commits(context)?;
    let made = port.commit_work(&WorkCommit { paths, message: &message, trailers: &trailers }).map_err(|error| {
        not_committed(error, "the files were accepted and are not committed", Some((port, session)))
    })?;
    if made.differing.is_empty() && !made.cut_off {
        return Ok((made.commit, made.branch));
    }
    let short = made.commit.short();
    let hint = Some(unlocked(
        port,
        format!("git show {short} shows it; git revert {short} takes it back if nothing is staged"),
    ));
    let causes: Vec<String> = made.differing.iter().map(|path| on_one_line(path)).collect();
    let (code, message) = if causes.is_empty() {
        let branch = on_one_line(&made.branch);
        let message = format!("the files were accepted and committed on {branch} as {short}, but git was interrupted");
        ("commit_cut_off", message)
    } else {
        let message = format!("the files were accepted, and commit {short} does not hold exactly these");
        ("committed_otherwise", message)
    };
    Err(AppError::Environment { code, message, causes, hint })
}

/// Takes out of the index what a commit that was cut off has left staged there; where that fails, it is said.
pub(super) fn tidy(context: &mut Context<'_>) {
    let Some(port) = context.commits else { return };
    if let Err(error) = port.unstage_left() {
        let why = match error {
            CommitError::Blocked { why, .. } => why,
            CommitError::Busy { why } => why.to_owned(),
            CommitError::Failed { said } => said.iter().map(|line| on_one_line(line)).collect::<Vec<_>>().join("; "),
            CommitError::Interrupted => "git was interrupted".to_owned(),
        };
        let left = "git grill staged files for a commit that was interrupted, and may not have unstaged them";
        let hint = unlocked(port, "git status shows what is staged".to_owned());
        context.voice.warn(&failed(format!("{left}: {why}"), Vec::new(), hint));
    }
}

/// The hint, which works once the lock is gone that a killed git has left.
fn unlocked(port: &dyn Commits, hint: String) -> String {
    match port.lock_left() {
        Some(lock) => format!("if no git is running here, rm -- {lock}; then {hint}"),
        None => hint,
    }
}

/// `accepted` is the session whose work stands in the working tree by now.
fn not_committed(error: CommitError, undone: &str, accepted: Option<(&dyn Commits, AgentHandle)>) -> AppError {
    let again = match accepted {
        Some((port, session)) => {
            let undo = format!("git grill agent accept {session} --undo takes the files back");
            unlocked(port, format!("git add and git commit make the commit; {undo}"))
        }
        None => "accept without --commit".to_owned(),
    };
    match error {
        CommitError::Blocked { why, hint } => {
            AppError::Declined { code: "not_committed", message: format!("{undone}: {why}"), causes: Vec::new(), hint }
        }
        CommitError::Busy { why } => failed(format!("{undone}: {why}"), Vec::new(), again),
        CommitError::Failed { said } => failed(format!("{undone}: git, or a hook of yours, said no"), said, again),
        CommitError::Interrupted => failed(format!("{undone}: git was interrupted"), Vec::new(), again),
    }
}

fn failed(message: String, causes: Vec<String>, hint: String) -> AppError {
    AppError::Environment { code: "commit_failed", message, causes, hint: Some(hint) }
}
