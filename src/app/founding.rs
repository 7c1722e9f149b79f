//! Where issues go when `gh` names no repository (G32): into a repository that the user names, into a new one,
//! or into files. The user's own `gh` creates the new one, after the user approves the exact command.

use crate::domain::production::TargetPath;
use crate::domain::tracker::TrackerRepository;
use crate::output::Cannot;

use super::context::Context;
use super::error::{AppError, not_answered};
use super::ports::TrackerError;
use super::prompt::{Choice, ReplyPrompt};

const CHOOSING: &str = "choosing where the issues go";
const CREATING: &str = "creating the repository";

const KEYS: &str = "Enter takes it, Esc cancels";
/// The same where a name that was refused stands in the editor.
const KEYS_AGAIN: &str = "edit it, or clear it with Ctrl-U; Enter takes it, Esc cancels";

/// Where the issues of a plan go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueHome {
    Tracker(TrackerRepository),
    /// Into files below this folder.
    Folder(TargetPath),
}

/// The choices where `gh` names no repository.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Name,
    Create,
    Files,
}

/// Asks the user to name the repository that takes the issues, to create it, or to have files instead; `error` says why
/// `gh` named none. Where `gh` does not work no repository can be created.
pub(super) fn choose(context: &mut Context<'_>, error: &TrackerError) -> Result<IssueHome, AppError> {
    context.need_person(&format!("{error}: {CHOOSING}"), &Cannot::NoTracker.way_out())?;
    let works = matches!(error, TrackerError::Nowhere { .. });
    let promise = if works {
        "git grill creates nothing in it before you approve the issues".to_owned()
    } else {
        format!("git grill drafts the issues now, and creates them after {}", error.hint())
    };
    let mut offered = vec![(Way::Name, Choice::of("name", "Name an existing repository", &promise))];
    if works {
        let create = Choice::of("create", "Create a private repository", "through gh; you see the command first");
        offered.push((Way::Create, create));
    }
    let files =
        Choice::of("files", "Write them as files in issues/", "one Markdown file an issue; this needs no tracker");
    offered.push((Way::Files, files));
    let question = format!("{error}. Where do the issues go?");
    let choices: Vec<Choice> = offered.iter().map(|(_, choice)| choice.clone()).collect();
    let chosen = context.prompter.choose(&question, &choices).answered().map_err(not_answered(CHOOSING))?;
    let way = offered.get(chosen).map(|(way, _)| *way).ok_or(AppError::Cancelled(CHOOSING))?;
    if way == Way::Files {
        return Ok(IssueHome::Folder(TargetPath::parse("issues")?));
    }
    let repository = named(context)?;
    if way == Way::Create {
        create(context, &repository, "It does not exist yet.")?;
    }
    Ok(IssueHome::Tracker(repository))
}

/// The repository that the user names; a slip is told, and mended where it stands.
fn named(context: &mut Context<'_>) -> Result<TrackerRepository, AppError> {
    let mut draft = String::new();
    loop {
        let keys = if draft.is_empty() { KEYS } else { KEYS_AGAIN };
        let prompt = ReplyPrompt {
            question: "Which repository takes the issues?".to_owned(),
            draft,
            keys: keys.to_owned(),
            help: "owner/name, or host/owner/name".to_owned(),
            ..ReplyPrompt::default()
        };
        let named = context.prompter.reply(&prompt).answered().map_err(not_answered(CHOOSING))?;
        match named.trim().parse::<TrackerRepository>() {
            Ok(repository) => return Ok(repository),
            Err(error) => {
                let hint = "octo/links, for example; Esc cancels".to_owned();
                context.voice.complain(&AppError::Usage { message: error.to_string(), hint })?;
            }
        }
        draft = named;
    }
}

/// Creates a repository if the user approves the exact command; `because` says why git grill offers it.
pub(super) fn create(context: &mut Context<'_>, repository: &TrackerRepository, because: &str) -> Result<(), AppError> {
    let new = context.tracker.founding(repository).map_err(|error| not_created(repository, &error))?;
    let question = format!("{because} Create private {repository} with this command? {}", new.command.join(" "));
    if !context.prompter.confirm(&question).answered().map_err(not_answered(CREATING))? {
        return Err(AppError::Cancelled(CREATING));
    }
    context.tracker.create_repository(&new).map_err(|error| not_created(repository, &error))
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
        | TrackerError::Nowhere { .. } => error.hint(),
    };
    AppError::Environment {
        code: error.code(),
        message: format!("could not create {repository}"),
        causes: vec![error.to_string()],
        hint: Some(hint),
    }
}
