//! Where issues go while nothing leads to a tracker (G32): into a repository that the person names, or into a new one.
//! That is created through their own `gh`, after their yes to the very command.

use crate::domain::tracker::TrackerRepository;
use crate::output::Cannot;

use super::desk::Desk;
use super::error::{AppError, not_answered};
use super::ports::TrackerError;
use super::prompt::{Choice, ReplyPrompt};

const CHOOSING: &str = "choosing where the issues go";
const CREATING: &str = "creating the repository";

/// Has a person name the repository that takes the issues, or create it.
pub(super) fn choose(desk: &mut Desk<'_>) -> Result<TrackerRepository, AppError> {
    let nowhere = Cannot::NoTracker;
    desk.need_person(&format!("{CHOOSING}, since {nowhere},"), &nowhere.way_out())?;
    let choices = [
        Choice::of("name", "Name a repository that exists", "nothing is created in it before you approve the issues"),
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

/// Creates a repository, if the person says yes to the very command; `because` says why it is offered.
pub(super) fn create(desk: &mut Desk<'_>, repository: &TrackerRepository, because: &str) -> Result<(), AppError> {
    let new = desk.tracker.founding(repository).map_err(|error| not_created(repository, &error))?;
    let question = format!("{because} Create {repository}, private, with exactly this? {}", new.command.join(" "));
    if !desk.prompter.confirm(&question).answered().map_err(not_answered(CREATING))? {
        return Err(AppError::Cancelled(CREATING));
    }
    desk.tracker.create_repository(&new).map_err(|error| not_created(repository, &error))
}

fn not_created(repository: &TrackerRepository, error: &TrackerError) -> AppError {
    let hint = match error {
        TrackerError::Refused { .. } => format!(
            "gh repo view {repository} shows whether it exists; git grill select github-issues --repo {repository} takes it"
        ),
        TrackerError::NoRepository { .. } => {
            format!("gh auth status shows who is logged in; {} has to be that, or an organization", repository.owner())
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
