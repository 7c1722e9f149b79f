//! Where issues go when no remote leads to a tracker (G32): into a repository that the user names, or into a new one.
//! The user's own `gh` creates the new one, after the user approves the exact command.

use crate::domain::tracker::TrackerRepository;
use crate::output::Cannot;

use super::desk::Desk;
use super::error::{AppError, not_answered};
use super::ports::TrackerError;
use super::prompt::{Choice, ReplyPrompt};

const CHOOSING: &str = "choosing where the issues go";
const CREATING: &str = "creating the repository";

/// Asks the user to name the repository that takes the issues, or to create it.
pub(super) fn choose(desk: &mut Desk<'_>) -> Result<TrackerRepository, AppError> {
    let nowhere = Cannot::NoTracker;
    desk.need_person(&format!("{nowhere}: {CHOOSING}"), &nowhere.way_out())?;
    let choices = [
        Choice::of(
            "name",
            "Name an existing repository",
            "git grill creates nothing in it before you approve the issues",
        ),
        Choice::of("create", "Create a private repository", "through gh; you see the command first"),
    ];
    let question = "No remote leads to a tracker. Where do the issues go? (--path issues writes them as files)";
    let chosen = desk.prompter.choose(question, &choices).answered().map_err(not_answered(CHOOSING))?;
    let prompt = ReplyPrompt {
        heading: "issues".to_owned(),
        question: "Which repository?".to_owned(),
        keys: "Enter takes it, Esc cancels".to_owned(),
        help: "owner/name, or host/owner/name".to_owned(),
        ..ReplyPrompt::default()
    };
    let named = desk.prompter.reply(&prompt).answered().map_err(not_answered(CHOOSING))?.text;
    let repository: TrackerRepository = named.trim().parse()?;
    if chosen == 1 {
        create(desk, &repository, "It does not exist yet.")?;
    }
    Ok(repository)
}

/// Creates a repository if the user approves the exact command; `because` says why git grill offers it.
pub(super) fn create(desk: &mut Desk<'_>, repository: &TrackerRepository, because: &str) -> Result<(), AppError> {
    let new = desk.tracker.founding(repository).map_err(|error| not_created(repository, &error))?;
    let question = format!("{because} Create private {repository} with this command? {}", new.command.join(" "));
    if !desk.prompter.confirm(&question).answered().map_err(not_answered(CREATING))? {
        return Err(AppError::Cancelled(CREATING));
    }
    desk.tracker.create_repository(&new).map_err(|error| not_created(repository, &error))
}

fn not_created(repository: &TrackerRepository, error: &TrackerError) -> AppError {
    let hint = match error {
        TrackerError::Refused { .. } => format!(
            "gh repo view {repository} shows whether it exists; git grill select github-issues --repo {repository} uses it"
        ),
        TrackerError::NoRepository { .. } => {
            format!("gh auth status shows the login; {} has to be that login or an organization", repository.owner())
        }
        TrackerError::NoProgram
        | TrackerError::OldProgram { .. }
        | TrackerError::NotLoggedIn { .. }
        | TrackerError::Moved { .. }
        | TrackerError::Forbidden { .. }
        | TrackerError::IssuesDisabled { .. }
        | TrackerError::Archived { .. }
        | TrackerError::RateLimited { .. }
        | TrackerError::Network { .. }
        | TrackerError::NotUnderstood { .. }
        | TrackerError::Remotes { .. } => error.hint(),
    };
    AppError::Environment {
        code: error.code(),
        message: format!("could not create {repository}"),
        causes: vec![error.to_string()],
        hint: Some(hint),
    }
}
