//! The issues of a plan as files for other trackers, outside of the repository.

use crate::domain::danger::{Danger, danger_of};
use crate::domain::issue::IssueText;
use crate::domain::production::{Drafted, IssueSlot, Stage};
use crate::domain::session::Session;
use crate::output;

use super::desk::Desk;
use super::error::{AppError, not_answered};
use super::gate::may_say_yes;
use super::reply::Reply;
use super::revising::production;

/// The deed of this file, as messages name it.
const DEED: &str = "writing issues out of the repository";

/// Has a person at a terminal confirm a folder whose files make programs run, such as the commands of a coding agent.
/// Hidden folders that no tool is known to read are the user's own choice.
fn permit(desk: &mut Desk<'_>, folder: &str, files: &[(String, String)]) -> Result<(), AppError> {
    let danger = files.iter().find_map(|(name, _)| danger_of(&format!("{folder}/{name}")));
    let Some(danger) = danger.filter(|danger| !matches!(danger, Danger::Hidden | Danger::Top | Danger::Alias)) else {
        return Ok(());
    };
    let hint = format!("a person can type it at a terminal: git grill draft --export {folder}");
    desk.need_person(&format!("writing into {folder}, whose files make programs run,"), &hint)?;
    let question = format!("{folder}: {danger}. Write the issues there all the same?");
    if desk.prompter.confirm(&question).answered().map_err(not_answered(DEED))? {
        Ok(())
    } else {
        Err(AppError::Cancelled(DEED))
    }
}

/// Writes the drafts of issues as they stand, but for those that are left out, into a folder.
pub fn export(desk: &mut Desk<'_>, session: &Session, folder: &str) -> Result<Reply, AppError> {
    may_say_yes(desk, session, DEED)?;
    let issues = production(session)?.issues().filter(|(_, drafted)| drafted.stage != Stage::Dropped);
    let drafts: Vec<(IssueSlot, &str, IssueText)> = issues
        .filter_map(|(slot, Drafted { draft, .. })| Some((slot, draft.content.as_str(), draft.issue()?)))
        .collect();
    if drafts.is_empty() {
        return Err(AppError::Usage {
            message: "the plan has no issues, so there is nothing to export".to_owned(),
            hint: "git grill finish, then git grill select github-issues".to_owned(),
        });
    }
    let number = |slot: IssueSlot| usize::try_from(slot.number()).unwrap_or(usize::MAX);
    let titles: Vec<(usize, &str)> =
        drafts.iter().map(|(slot, _, issue)| (number(*slot), issue.title.as_str())).collect();
    let texts = drafts.iter().map(|(_, text, _)| (*text).to_owned());
    let files: Vec<(String, String)> = output::issue_names(&titles).into_iter().zip(texts).collect();
    permit(desk, folder, &files)?;
    let folder = desk.elsewhere.fill(folder, &files)?;
    let names: Vec<String> = files.into_iter().map(|(name, _)| name).collect();
    Ok(Reply::Exported { folder, names })
}
