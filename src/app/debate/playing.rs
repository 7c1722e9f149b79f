//! Roles at work (D6, D19, D30): whoever plays is asked for a text, and asked again by what it lacks, at most twice.

use crate::app::context::{Context, Subject, no_working_tree};
use crate::app::error::AppError;
use crate::app::reply::{Outcome, Reply};
use crate::app::revising::kept;
use crate::domain::debate::part::Part;
use crate::domain::debate::role::Player;
use crate::domain::debate::{self, Debate, LARGEST_ATTACK, LARGEST_TEXT, Text};
use crate::domain::harmless::on_one_line;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::subsystem;
use crate::domain::text::Line;

use super::looking::looked;
use super::prompt::prompt;
use super::starting::Casting;

/// How often a role is asked for one text.
const TRIES: usize = 3;

pub(super) fn play(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
    part: Part,
) -> Result<Outcome, AppError> {
    let player = debate.players.of(part.role()).cloned().unwrap_or(Player::Me);
    match &player {
        Player::Me => by_the_user(context, session, number, debate, part),
        Player::File(path) => {
            let text = of_file(context, path, debate, part)?;
            take(context, session, number, debate, part, &player, text)
        }
        Player::Command(line) => by_command(context, session, number, debate, part, line),
        Player::Agent(_) => Err(no_agent()),
    }
}

/// No coding agent plays a role yet.
pub(super) fn no_agent() -> AppError {
    AppError::Usage {
        message: "no coding agent plays a role yet".to_owned(),
        hint: "git grill debate start --advocate \"cmd:<command>\"; or file:<path>, or me".to_owned(),
    }
}

const fn most(part: Part) -> usize {
    match part {
        Part::Critique | Part::Attack => LARGEST_ATTACK,
        Part::Proposal | Part::Synthesis => LARGEST_TEXT,
    }
}

/// Takes a text as it is; what is missing in it is named.
fn take(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
    part: Part,
    by: &Player,
    text: String,
) -> Result<Outcome, AppError> {
    let text = Text {
        round: debate.course().round(),
        part,
        by: by.clone(),
        looked: looked(context, session, number, part, &text),
        text,
    };
    context.handle(&session.id, debate::Command::Take(Box::new(text)).into())
}

/// The file itself, or the one below this folder for the round and the part.
fn of_file(context: &Context<'_>, path: &str, debate: &Debate, part: Part) -> Result<String, AppError> {
    let hint = "git grill debate roles names other players";
    let most = most(part) as u64;
    let below = format!("{}/round-{}/{}.md", path.trim_end_matches('/'), debate.course().round(), part.name());
    context.elsewhere.read_regular(&below, most, hint).or_else(|_| context.elsewhere.read_regular(path, most, hint))
}

fn by_command(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
    part: Part,
    line: &str,
) -> Result<Outcome, AppError> {
    let by = Player::Command(line.to_owned());
    let players = context.checks.ok_or_else(no_working_tree)?;
    let mut missing: Vec<String> = Vec::new();
    for left in (0..TRIES).rev() {
        let told = prompt(&session.own.debate, number, debate, part, &missing)?;
        let why = match players.play(line, &told, most(part)) {
            Ok(played) if played.code == 0 => match take(context, session, number, debate, part, &by, played.text) {
                Ok(outcome) => return Ok(outcome),
                Err(error) => match lacks(&error) {
                    Some(lacks) if left > 0 => {
                        missing = lacks;
                        continue;
                    }
                    Some(_) => error.to_string(),
                    None => return Err(error),
                },
            },
            Ok(played) => {
                let last = played.errors.trim().lines().last().unwrap_or_default().to_owned();
                format!("it ended with {}: {last}", played.code)
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
                return Err(AppError::Cancelled("asking a role"));
            }
            Err(error) => error.to_string(),
        };
        return Err(failed(context, session, part, &by, &why));
    }
    unreachable!("the last try returns")
}

/// Records that a role failed: the round waits (D30).
fn failed(context: &mut Context<'_>, session: &Session, part: Part, by: &Player, why: &str) -> AppError {
    let why = on_one_line(why);
    let noted = debate::Command::Fail { part, by: by.clone(), why: Line::clipped(&why) };
    if let Err(error) = context.handle(&session.id, noted.into()) {
        return error;
    }
    AppError::Environment {
        code: "role_failed",
        message: format!("no {} was taken from {}: {why}", part.name(), on_one_line(&by.to_string())),
        causes: Vec::new(),
        hint: Some("git grill debate next asks again; git grill debate roles names another player".to_owned()),
    }
}

/// What a text lacks, where that is why it was not taken.
fn lacks(error: &AppError) -> Option<Vec<String>> {
    if let AppError::Refused(Refusal::Of(subsystem::Refusal::Debate(debate::Refusal::Incomplete { missing, .. }))) =
        error
    {
        Some(missing.clone())
    } else {
        None
    }
}

/// The user writes it, below what the role is told.
fn by_the_user(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
    part: Part,
) -> Result<Outcome, AppError> {
    context.need_person(
        &format!("writing the {}", part.name()),
        "git grill debate roles --proposer file:<path>, or another player",
    )?;
    let subject = Subject { what: format!("the {}", part.name()), ending: format!("-{}.md", part.name()) };
    let told = prompt(&session.own.debate, number, debate, part, &[])?;
    let before = format!("<!--\n{}-->\n\n{}", told.replace("-->", "-- >"), skeleton(&told));
    let after = context.editor.edit(&subject, &before)?;
    let text = without_comment(&after);
    if after == before || text.trim().is_empty() {
        context.editor.forget(&subject);
        return Err(AppError::Cancelled("writing a role's text"));
    }
    let taken = take(context, session, number, debate, part, &Player::Me, text);
    let outcome = taken.map_err(|error| kept(context, &subject, &after, error))?;
    context.editor.forget(&subject);
    Ok(outcome)
}

/// The headings that a text has to have, as its template names them.
fn skeleton(told: &str) -> String {
    let asked = told.rsplit("# What to write").next().unwrap_or_default();
    let headings =
        asked.lines().filter(|line| line.starts_with("##") || line.ends_with("consensus") || line.ends_with("sound"));
    let bare: Vec<&str> =
        headings.map(|line| line.split_once(": ").map_or(line, |(name, _)| &line[..=name.len()])).collect();
    bare.join("\n\n") + "\n\n"
}

/// The text behind the comment at its beginning.
fn without_comment(text: &str) -> String {
    let rest = text.trim_start().strip_prefix("<!--").and_then(|rest| rest.split_once("-->")).map(|(_, rest)| rest);
    rest.unwrap_or(text).trim().to_owned() + "\n"
}

/// Other players take the roles from here on.
pub fn recast(context: &mut Context<'_>, casting: &Casting) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (_, debate) = super::newest(&session)?;
    let players = casting.over(&debate.players)?;
    let outcome = context.handle(&session.id, debate::Command::Recast(Box::new(players)).into())?;
    if outcome.events.is_empty() {
        return Ok(Reply::Text(format!("it is so already: {}", on_one_line(&debate.players.in_words()))));
    }
    Ok(Reply::Happened(Box::new(outcome)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_writes_stands_behind_what_the_role_is_told() {
        assert_eq!(without_comment("<!--\nasked\n-->\n\n# A\ntext\n"), "# A\ntext\n");
        assert_eq!(without_comment("# A\n"), "# A\n");
        let told = "x\n# What to write\n\n## Solution\n\n### Key technical decisions\n\nRecommendation: continue or consensus\n";
        assert_eq!(skeleton(told), "## Solution\n\n### Key technical decisions\n\nRecommendation:\n\n");
    }
}
