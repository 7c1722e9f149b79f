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
    let made = commits(context)?
        .commit_work(&WorkCommit { paths, message: &message })
        .map_err(|error| not_committed(error, "the files were accepted and are not committed", Some(session)))?;
    if made.differing.is_empty() {
        return Ok((made.commit, made.branch));
    }
    let short = made.commit.short();
    Err(AppError::Environment {
        code: "committed_otherwise",
        message: format!("the files were accepted, and commit {short} does not hold exactly these"),
        causes: made.differing.iter().map(|path| on_one_line(path)).collect(),
        hint: Some(format!("git show {short} shows it; git revert {short} takes it back")),
    })
}

/// `accepted` is the session whose work stands in the working tree by now.
fn not_committed(error: CommitError, undone: &str, accepted: Option<AgentHandle>) -> AppError {
    let again = match accepted {
        Some(session) => {
            format!(
                "git add and git commit make the commit; git grill agent accept {session} --undo takes the files back"
            )
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
