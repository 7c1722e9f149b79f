//! Roles at work (D6, D19, D30): whoever plays is asked for a text, and asked again by what it lacks, at most twice.

use std::io::ErrorKind;

use crate::app::context::{Context, Stands, Subject};
use crate::app::dispatcher::Envelope;
use crate::app::error::AppError;
use crate::app::ports::{StoreError, holder_said};
use crate::app::reply::{Outcome, Reply};
use crate::app::revising::kept;
use crate::app::supervising::answering;
use crate::domain::actor::Actor;
use crate::domain::agents::profile::Profile;
use crate::domain::debate::part::Part;
use crate::domain::debate::role::{Player, Role};
use crate::domain::debate::round::Cost;
use crate::domain::debate::shown::next_in_words;
use crate::domain::debate::{self, Answers, Debate, Faults, LARGEST_ATTACK, LARGEST_TEXT, Text};
use crate::domain::harmless::on_one_line;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::subsystem;
use crate::domain::text::Line;
use crate::text::shell::word;

use super::looking::looked;
use super::newest;
use super::prompt::prompt;
use super::starting::Casting;

/// How often a role is asked for one text.
const TRIES: u32 = 3;
/// What an agent in a role may do: read the repository, and no more.
pub(super) const PROFILE: Profile = Profile::LocalReview;

/// The text that is next, in which debate, and by whom.
#[derive(Clone, Copy)]
struct Turn<'t> {
    session: &'t Session,
    number: u32,
    debate: &'t Debate,
    part: Part,
    by: &'t Player,
}

/// What came of asking a player once.
enum Said {
    Text {
        text: String,
        usage: Option<Line>,
    },
    /// Nothing usable, for this reason.
    Nothing(String),
}

pub(super) fn play(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
    part: Part,
) -> Result<Outcome, AppError> {
    if let Actor::Agent(_) = &context.actor {
        return Err(Refusal::NotYours { deed: "taking the next step of a debate", by: context.actor.clone() }.into());
    }
    let player = debate.players.of(part.role()).cloned().unwrap_or(Player::Me);
    let turn = Turn { session, number, debate, part, by: &player };
    let _alone = context.dispatcher.store.step(&session.id).map_err(|error| at_work(part, error))?;
    // Another process may have taken the step just before.
    let now = context.session()?;
    let (_, stands) = newest(&now)?;
    if stands != debate {
        let next = format!("another process was faster; {}", next_in_words(stands));
        return Err(debate::Refusal::OutOfTurn { deed: "no role was asked", next }.into());
    }
    match &player {
        Player::Me => by_the_user(context, turn),
        Player::File(path) => {
            let text = of_file(context, path, turn)?;
            take(context, turn, &text, Cost::default())
        }
        Player::Command(line) => asked(context, turn, |context, told| by_command(context, line, told, part)),
        Player::Host => Err(AppError::Declined {
            code: "hosted",
            message: format!("no {} was taken: your host brings it, with the tool grill_debate", part.in_words()),
            causes: Vec::new(),
            hint: format!("wait for your agent; or {}", recasting(part)),
        }),
        Player::Agent(name) => asked(context, turn, |context, told| by_agent(context, name, told, part)),
    }
}

/// Another process has the role asked just now.
fn at_work(part: Part, error: StoreError) -> AppError {
    let StoreError::Busy { holder, .. } = &error else { return error.into() };
    AppError::Declined {
        code: "role_at_work",
        message: format!("{} is waiting for the {}", holder_said(holder.as_ref()), part.in_words()),
        causes: Vec::new(),
        hint: format!(
            "finish there, or stop that process; git grill debate status shows when the {} is recorded",
            part.in_words()
        ),
    }
}

const fn most(part: Part) -> usize {
    match part {
        Part::Critique | Part::Attack => LARGEST_ATTACK,
        Part::Proposal | Part::Synthesis | Part::Position | Part::Ruling => LARGEST_TEXT,
    }
}

/// The option that names another player for a role.
const fn option(role: Role) -> &'static str {
    match role {
        Role::Proposer => "--proposer",
        Role::DevilsAdvocate => "--advocate",
        Role::Synthesizer => "--synthesizer",
        Role::Proxy => "--proxy",
    }
}

/// The command that has somebody else play.
fn recasting(part: Part) -> String {
    format!("git grill debate roles {} cmd:<command>", option(part.role()))
}

/// Takes a text as it is; what is missing in it is named. An agent's text is recorded under its name, and any other than
/// the user's as ours.
fn take(context: &mut Context<'_>, turn: Turn<'_>, text: &str, cost: Cost) -> Result<Outcome, AppError> {
    let Turn { session, number, debate, part, by } = turn;
    let looked = looked(context, session, number, part, text);
    let (round, told) = (debate.course().round(), Answers::of(debate));
    let text = Text { debate: number, round, part, by: by.clone(), text: text.to_owned(), told, looked, cost };
    let command = debate::Command::Take(Box::new(text)).into();
    let actor = match by {
        Player::Me => context.actor.clone(),
        Player::Agent(name) => Actor::Agent(name.clone()),
        Player::Command(_) | Player::File(_) | Player::Host => Actor::System,
    };
    context.handle_each(&session.id, &[Envelope { actor, command }])
}

/// The file itself, or the one in this folder for the round and the part.
fn of_file(context: &Context<'_>, path: &str, turn: Turn<'_>) -> Result<String, AppError> {
    let Turn { number, debate, part, .. } = turn;
    let below = format!("{}/round-{}/{}.md", path.trim_end_matches('/'), debate.course().round(), part.name());
    let (file, write) = match context.elsewhere.stands(path) {
        Stands::Folder => (below.as_str(), word(&below)),
        Stands::File => (path, word(path)),
        Stands::Nothing => (path, format!("{} or {}", word(path), word(&below))),
    };
    let hint = format!("write {write}; then git grill debate next");
    context.elsewhere.read_regular(file, most(part) as u64, &hint).map_err(|error| AppError::Environment {
        code: "io",
        message: format!("could not read {}; debate {number} waits for the {}", on_one_line(file), part.in_words()),
        causes: error.causes(),
        hint: Some(on_one_line(&hint)),
    })
}

/// Asks a player until its text is whole, at most so often.
fn asked(
    context: &mut Context<'_>,
    turn: Turn<'_>,
    mut ask: impl FnMut(&mut Context<'_>, &str) -> Result<Said, AppError>,
) -> Result<Outcome, AppError> {
    let begun = context.dispatcher.clock.now();
    if context.can_ask().is_ok() {
        let by = on_one_line(&turn.by.to_string());
        context.voice.say(&Reply::Text(format!("{by} writes the {}; Ctrl-C stops it", turn.part.in_words())))?;
    }
    let (mut faults, mut is_blank) = (Faults::default(), false);
    for tries in 1..=TRIES {
        let told = prompt(&turn.session.own.debate, turn.number, turn.debate, turn.part, &faults)?;
        let (text, usage) = match ask(context, &told)? {
            Said::Text { text, usage } => (text, usage),
            Said::Nothing(why) => return Err(failed(context, turn, &why)),
        };
        is_blank = text.trim().is_empty();
        let seconds = context.dispatcher.clock.now().as_second().saturating_sub(begun.as_second());
        let cost = Cost { seconds: u64::try_from(seconds).unwrap_or_default(), tries, usage };
        match take(context, turn, &text, cost) {
            Err(error) => match faulty(&error) {
                Some(found) => faults = found.clone(),
                None => return Err(error),
            },
            taken => return taken,
        }
    }
    let last = if is_blank { "it wrote nothing".to_owned() } else { faults.in_words("its text") };
    let why = format!("after {TRIES} tries, {last}");
    Err(failed(context, turn, &why))
}

fn by_command(context: &mut Context<'_>, line: &str, told: &str, part: Part) -> Result<Said, AppError> {
    let shell = context.checks.ok_or_else(|| AppError::Environment {
        code: "no_working_tree",
        message: "no role was asked: this repository has no working tree to run a command in".to_owned(),
        causes: Vec::new(),
        hint: Some("git worktree add ../work, and run it there".to_owned()),
    })?;
    match shell.play(line, told, most(part)) {
        Ok(played) if played.code == 0 => Ok(Said::Text { text: played.text, usage: None }),
        Ok(played) => {
            let lines = || played.errors.trim().lines();
            let last = lines().find(|line| line.starts_with("error: ")).or_else(|| lines().last()).unwrap_or_default();
            let said = if last.is_empty() { String::new() } else { format!(" and said: {last}") };
            Ok(Said::Nothing(format!("it exited with status {}{said}", played.code)))
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => Err(AppError::Interrupted),
        Err(error) => Ok(Said::Nothing(error.to_string())),
    }
}

fn by_agent(context: &mut Context<'_>, name: &str, told: &str, part: Part) -> Result<Said, AppError> {
    match answering::answered(context, name, PROFILE, told, most(part) as u64) {
        Ok(answer) => Ok(Said::Text { text: answer.text, usage: answer.usage.turn.or(answer.usage.context) }),
        Err(error @ (AppError::Interrupted | AppError::Usage { .. })) => Err(error),
        Err(error) => {
            let why = std::iter::once(error.to_string()).chain(error.causes()).collect::<Vec<_>>().join(": ");
            Ok(Said::Nothing(why))
        }
    }
}

/// Records that a role failed: the round waits (D30).
fn failed(context: &mut Context<'_>, turn: Turn<'_>, why: &str) -> AppError {
    let (part, why) = (turn.part, on_one_line(why));
    let noted = debate::Command::Fail { debate: turn.number, part, by: turn.by.clone(), why: Line::clipped(&why) };
    let by_us = Envelope { actor: Actor::System, command: noted.into() };
    if let Err(error) = context.handle_each(&turn.session.id, &[by_us]) {
        return error;
    }
    AppError::Environment {
        code: "role_failed",
        message: format!("no {} was taken from {}: {why}", part.in_words(), on_one_line(&turn.by.to_string())),
        causes: Vec::new(),
        hint: Some(format!("git grill debate next asks it again; {} changes the player", recasting(part))),
    }
}

/// The faults of a text, if it was refused for them.
fn faulty(error: &AppError) -> Option<&Faults> {
    if let Some(debate::Refusal::Incomplete { faults, .. }) = refused(error) { Some(faults) } else { None }
}

/// Whether the text can be taken once it is edited again.
fn can_be_mended(error: &AppError) -> bool {
    matches!(refused(error), Some(debate::Refusal::Incomplete { .. } | debate::Refusal::TooLarge { .. }))
}

/// Whether the debate that a text was written for has ended.
fn is_too_late(error: &AppError) -> bool {
    matches!(
        refused(error),
        Some(debate::Refusal::Superseded { .. } | debate::Refusal::Over | debate::Refusal::Provisional { .. })
    )
}

fn refused(error: &AppError) -> Option<&debate::Refusal> {
    if let AppError::Refused(Refusal::Of(subsystem::Refusal::Debate(refusal))) = error { Some(refusal) } else { None }
}

/// The user writes it, below the prompt.
fn by_the_user(context: &mut Context<'_>, turn: Turn<'_>) -> Result<Outcome, AppError> {
    let part = turn.part;
    context.need_person(&format!("writing the {}", part.in_words()), &recasting(part))?;
    let subject = Subject { what: format!("the {}", part.in_words()), ending: format!("-{}.md", part.name()) };
    let told = prompt(&turn.session.own.debate, turn.number, turn.debate, part, &Faults::default())?;
    let mut headings = skeleton(&told);
    if part == Part::Synthesis {
        let raised = turn.debate.last().into_iter().flat_map(|round| &round.raised);
        let entries: Vec<String> = raised.map(|raised| format!("- {}: \n", raised.id)).collect();
        headings = headings.replace("## Assessments\n", &format!("## Assessments\n\n{}", entries.concat()));
    }
    let before = format!("<!--\n{}-->\n\n{headings}", told.replace("-->", "-- >"));
    let mut opened = before.clone();
    loop {
        let after = context.editor.edit(&subject, &opened)?;
        let text = without_comment(&after);
        if after == before || text.trim().is_empty() {
            context.editor.forget(&subject);
            return Err(AppError::Cancelled("writing a role's text"));
        }
        match take(context, turn, &text, Cost::default()) {
            Ok(outcome) => {
                context.editor.forget(&subject);
                return Ok(outcome);
            }
            // It was written for a debate that has ended: no other edit and no other player brings it in.
            Err(error) if is_too_late(&error) => return Err(kept(context, &subject, &text, error)),
            // What lacks something is opened again, if they want that, and else kept.
            Err(error @ AppError::Refused(_)) if can_be_mended(&error) => {
                context.voice.complain(&error)?;
                match context.prompter.confirm("Edit it again?").answered() {
                    Ok(true) => opened = after,
                    Ok(false) | Err(_) => return Err(kept_to_go_on(context, &subject, part, &text, error)?),
                }
            }
            Err(error) => return Err(kept_to_go_on(context, &subject, part, &text, error)?),
        }
    }
}

/// Keeps what was written, and says how the debate goes on from it.
fn kept_to_go_on(
    context: &mut Context<'_>,
    subject: &Subject,
    part: Part,
    text: &str,
    error: AppError,
) -> Result<AppError, AppError> {
    let error = kept(context, subject, text, error);
    let AppError::EditKept { because, kept, .. } = &error else { return Ok(error) };
    let role = word(&format!("file:{}", kept.display()));
    let cast = format!("git grill debate roles {} {role}", option(part.role()));
    if let (AppError::Refused(refusal), Some(_)) = (&**because, faulty(because)) {
        let hint =
            format!("complete {}, then {cast}; git grill debate next reads it", word(&kept.display().to_string()));
        return Ok(AppError::Declined { code: refusal.code(), message: refusal.to_string(), causes: Vec::new(), hint });
    }
    context.voice.say(&Reply::Text(format!("to go on from it: {cast}")))?;
    Ok(error)
}

/// The headings that a text has to have, and its lines with a name, as its prompt shows them.
fn skeleton(told: &str) -> String {
    let asked = told.rsplit("# What to write").next().unwrap_or_default();
    let is_line = |line: &&str| {
        line.starts_with("##")
            || ["Idea verdict: ", "Recommendation: ", "Decision: ", "Agree: ", "Missed concern: ", "Override: "]
                .iter()
                .any(|name| line.starts_with(name))
    };
    let bare =
        asked.lines().filter(is_line).map(|line| line.split_once(": ").map_or(line, |(name, _)| &line[..=name.len()]));
    bare.collect::<Vec<_>>().join("\n\n") + "\n\n"
}

/// The text behind the comment at its beginning.
fn without_comment(text: &str) -> String {
    let rest = text.trim_start().strip_prefix("<!--").and_then(|rest| rest.split_once("-->")).map(|(_, rest)| rest);
    rest.unwrap_or(text).trim().to_owned() + "\n"
}

/// Other players take the roles from here on.
pub fn recast(context: &mut Context<'_>, casting: &Casting) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = debate::open(&session)?;
    let players = casting.over(&debate.players)?;
    casting.agreed(context, &players)?;
    let command = debate::Command::Recast { debate: number, players: Box::new(players) };
    let outcome = context.handle(&session.id, command.into())?;
    if outcome.events.is_empty() {
        return Ok(Reply::Text(format!("nothing changes: {}", on_one_line(&debate.players.in_words()))));
    }
    Ok(Reply::Happened(Box::new(outcome)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_writes_stands_behind_the_prompt() {
        assert_eq!(without_comment("<!--\nasked\n-->\n\n# A\ntext\n"), "# A\ntext\n");
        assert_eq!(without_comment("# A\n"), "# A\n");
        let told = "x\n# What to write\n\n## Solution\n\n### Key technical decisions\n\nRecommendation: continue or consensus\n";
        assert_eq!(skeleton(told), "## Solution\n\n### Key technical decisions\n\nRecommendation:\n\n");
    }
}
