//! A commit of accepted work, when the person asks for one: of nothing else, and with a trailer that names the agent.

use crate::app::context::{Context, no_working_tree};
use crate::app::error::AppError;
use crate::app::ports::{CommitError, Commits, OfferedFile, WorkCommit};
use crate::domain::agents::AgentHandle;
use crate::domain::harmless::on_one_line;
use crate::domain::ids::ObjectId;
use crate::output::with_trailers;

fn commits<'a>(context: &Context<'a>) -> Result<&'a dyn Commits, AppError> {
    context.commits.ok_or_else(no_working_tree)
}

/// Refuses before anything is written.
pub(super) fn ready(context: &Context<'_>, files: &[&OfferedFile]) -> Result<(), AppError> {
    let paths: Vec<Vec<u8>> = files.iter().map(|file| file.path.clone()).collect();
    commits(context)?
        .work_is_ready(&paths)
        .map_err(|error| not_committed(error, "nothing was accepted or committed", None))
}

/// Commits the accepted files; the commit and its branch.
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
            let files = if paths.len() == 1 { "1 file".to_owned() } else { format!("{} files", paths.len()) };
            format!("accept {files} from {agent} ({session})")
        }
        paragraphs => paragraphs.join("\n\n"),
    };
    let trailers = [format!("Grill-Agent: {agent} {session}")];
    let message = with_trailers(&message, &trailers);
    commits(context)?
        .commit_work(&WorkCommit { paths, message: &message })
        .map_err(|error| not_committed(error, "the files were accepted and are not committed", Some(session)))
}

/// `accepted` is the session whose work stands in the working tree by now.
fn not_committed(error: CommitError, undone: &str, accepted: Option<AgentHandle>) -> AppError {
    let again = match accepted {
        Some(session) => {
            format!("git commit makes the commit; git grill agent accept {session} --undo takes the files back")
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
