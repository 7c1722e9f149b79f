//! Where issues go, and whether they can: which repository, as somebody names it, as `gh` says, or as the person chooses;
//! and what becomes of labels that are not there (G32).

use std::fmt::Write as _;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::issue::{self, IssueText};
use crate::domain::production::{self, Draft, Origin, Plan, PlannedOutput, TargetPath};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Destination;
use crate::domain::tracker::TrackerRepository;
use crate::output::{self, Cannot, is_tracked};

use super::context::Context;
use super::dispatcher::Envelope;
use super::drafting::cannot;
use super::error::{AppError, not_answered, not_done_there};
use super::founding::{self, IssueHome};
use super::ports::{NewIssue, TrackerError};
use super::prompt::Choice;
use crate::text::shell::{quoted, word};

/// Where issues among these destinations go; none where there are none.
pub(super) fn home(
    context: &mut Context<'_>,
    destinations: &[Destination],
    named: Option<&TrackerRepository>,
) -> Result<Option<IssueHome>, AppError> {
    let Some(tracked) = destinations.iter().find(|one| is_tracked(one)) else {
        return Ok(None);
    };
    let repository = if let Some(named) = named {
        named.clone()
    } else {
        let agent = matches!(context.actor, Actor::Agent(_));
        match context.tracker.here() {
            Ok(repository) => repository,
            // An agent gets the reason; only a user's own command asks where they go.
            Err(TrackerError::Nowhere { .. }) if agent => return Err(cannot(tracked, &Cannot::NoTracker)),
            Err(error) if agent => return Err(error.into()),
            Err(error) => return founding::choose(context, &error).map(Some),
        }
    };
    // Said before the person says yes to issues, not after it.
    if context.actor == Actor::Human
        && let Err(error) = context.tracker.installed()
    {
        let what = "the issues can be drafted and not be created yet; --path issues would write them as files";
        context.voice.warn(&not_done_there(what)(error));
    }
    Ok(Some(IssueHome::Tracker(repository)))
}

/// Whether the issues among `drafts` could be created now; asked before anybody approves them, so that nobody approves
/// what cannot be created. If labels are missing there, the person decides about them. Gives the session after that, whose
/// drafts may have changed.
pub fn prepare(context: &mut Context<'_>, session: &Session, drafts: &[Draft]) -> Result<Session, AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok(session.clone());
    };
    let issues: Vec<(&Draft, IssueText)> = drafts.iter().filter_map(|draft| Some((draft, draft.issue()?))).collect();
    let Some((_, repository)) = production.plan.tracked().filter(|_| !issues.is_empty()) else {
        return Ok(session.clone());
    };
    let sent: Vec<NewIssue> = issues.iter().map(|(_, text)| NewIssue::of(text, text.body.clone())).collect();
    let nothing = not_done_there(format!("no issue was created in {repository}; the drafts are kept"));
    let ready = match context.tracker.ready(repository, &sent) {
        // A user who approves may create the repository first.
        Err(TrackerError::NoRepository { .. }) if context.actor == Actor::Human => {
            let because = format!("{repository} does not exist, or this login cannot see it.");
            founding::create(context, repository, &because)?;
            context.tracker.ready(repository, &sent)
        }
        ready => ready,
    };
    let missing = ready.map_err(|error| {
        let no_program = matches!(error, TrackerError::NoProgram | TrackerError::OldProgram { .. });
        let error = nothing(error);
        let error = if no_program { with_the_other_ways(error, session) } else { error };
        with_the_files_alone(error, drafts)
    })?;
    if missing.is_empty() {
        return Ok(session.clone());
    }
    match what_of_the_missing(context, repository, &missing)? {
        Missing::Create => {
            let nothing = not_done_there(format!("nothing was created in {repository}; the drafts are kept"));
            context.tracker.supply(repository, &missing).map_err(nothing)?;
            Ok(session.clone())
        }
        Missing::Leave => {
            let store = context.dispatcher.store;
            let changed = |(draft, text): (&Draft, IssueText)| {
                let full_text = issue::write(&without(text, &missing));
                let blob = store.blob_id(full_text.as_bytes())?;
                let draft = Draft { blob, content: full_text, origin: Origin::HandedIn, ..draft.clone() };
                Ok::<_, AppError>(Command::from(production::Command::SubmitDraft(Box::new(draft))))
            };
            let submitted: Vec<Command> = issues.into_iter().map(changed).collect::<Result<_, _>>()?;
            Ok(context.handle_each(&session.id, &Envelope::all_by(&context.actor, submitted))?.after)
        }
    }
}

/// The error with what can be done with the drafts where `gh` does not work.
fn with_the_other_ways(mut error: AppError, session: &Session) -> AppError {
    if let AppError::Environment { hint: Some(hint), .. } = &mut error {
        hint.push_str("; without it, git grill draft shows the issues, which stay drafts");
        if let Some(command) = as_files(session) {
            let _ = write!(hint, ", and {command} writes them as files");
        }
    }
    error
}

/// The command that writes the issues as files instead, unless another choice of outputs is refused now or drops a draft.
fn as_files(session: &Session) -> Option<String> {
    let Phase::Production(production) = &session.phase else {
        return None;
    };
    let (tracked, _) = production.plan.tracked().filter(|_| production.owing() == 0)?;
    let issues = output::issue_drafts(&tracked.strategy, session).ok()?.len();
    let paths = (1..=issues).map(|number| TargetPath::parse(&format!("issues/{number}.md")).ok());
    let files = PlannedOutput { paths: paths.collect::<Option<_>>()?, tracker: None, ..tracked.clone() };
    let plan = Plan { outputs: vec![files], prose: None, permitted: Vec::new() };
    let strategy = word(&tracked.strategy.to_string());
    let nothing_dropped = session.dropped_by(&plan).is_empty() && production.created().next().is_none();
    nothing_dropped.then(|| format!("git grill select {} --path issues --strategy {strategy}", tracked.destination))
}

/// The error with what can be done with the files that wait beside the issues.
fn with_the_files_alone(mut error: AppError, drafts: &[Draft]) -> AppError {
    let files: Vec<String> = drafts.iter().filter_map(Draft::path).map(|path| quoted(path.as_str())).collect();
    if let AppError::Environment { hint: Some(hint), .. } = &mut error
        && !files.is_empty()
    {
        let _ = write!(hint, "; git grill approve {} approves the files without the issues", files.join(" "));
    }
    error
}

/// What becomes of labels that are not there.
enum Missing {
    Create,
    /// The issues go without them.
    Leave,
}

fn what_of_the_missing(
    context: &mut Context<'_>,
    repository: &TrackerRepository,
    missing: &[String],
) -> Result<Missing, AppError> {
    let names: Vec<String> = missing.iter().map(|name| format!("label \u{201c}{name}\u{201d}")).collect();
    let names = names.join(", ");
    let deed = format!("creating issues in {repository}, which has no {names},");
    context.need_person(&deed, &commands(repository, missing))?;
    let choices = [
        Choice::of("create", "Create them there", "others see them at once"),
        Choice::of("leave", "Leave them away", "the drafts change, and are shown again"),
    ];
    let question = format!("{repository} has no {names}. What becomes of them?");
    match context.prompter.choose(&question, &choices).answered().map_err(not_answered("creating the issues"))? {
        0 => Ok(Missing::Create),
        _ => Ok(Missing::Leave),
    }
}

/// How they are created by hand.
fn commands(repository: &TrackerRepository, missing: &[String]) -> String {
    let label = |name: &String| format!("gh label create {} --repo {repository}", quoted(name));
    let labels: Vec<String> = missing.iter().map(label).collect();
    format!("{}; or git grill draft --edit takes them out", labels.join("; "))
}

/// The issue without what is missing.
fn without(mut text: IssueText, missing: &[String]) -> IssueText {
    text.labels.retain(|label| !missing.contains(label));
    text
}
