//! The output phase within the conversation: each draft is shown and asked about once, then the person says what is
//! next.

use crate::app::context::Context;
use crate::app::ending;
use crate::app::error::AppError;
use crate::app::prompt::{Choice, ReplyPrompt, Slash};
use crate::app::reply::Reply;
use crate::domain::ids::ObjectId;
use crate::domain::production::{Draft, Origin, Production, Target};
use crate::domain::session::{Phase, Session};

use super::super::{args, leading, production};
use super::{KEYS_CHOICES, Kept, Next, Talk, done, led, paused, recover, typed, unsent};

const HELP: &str = "/draft --edit, pause, or any /verb";

/// Drafts, shows, has approved, writes; then asks what is next.
pub(super) fn produce(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> Result<Next, AppError> {
    let Phase::Production(open) = &session.phase else {
        return Ok(Next::On);
    };
    without_the_agent(context, session, talk)?;
    if is_offered(open, talk.offered.as_deref()) { ask(context, session, open, talk) } else { offer(context, talk) }
}

/// Ends the agent that leads, since it takes no part in the outputs, and says so once: who drafts, and how it asks again.
/// The interview starts it again, as after a pause.
fn without_the_agent(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> Result<(), AppError> {
    let Some(agent) = leading::leader(context, session)? else { return Ok(()) };
    let runs = context.leading.as_ref().is_some_and(|port| port.running().is_some());
    if talk.led.rests && !runs {
        return Ok(());
    }
    if runs {
        led::end(context)?;
    }
    talk.led = led::Known::default();
    talk.led.rests = true;
    let without = if runs { format!("and {agent} was ended") } else { format!("without {agent}") };
    context.voice.say(&Reply::Text(format!(
        "git grill itself drafts the outputs from the checkpoint, {without}; git grill finish returns to the interview, \
         where {agent} asks again"
    )))
}

/// Drafts what is missing and has everything approved that waits.
fn offer(context: &mut Context<'_>, talk: &mut Talk) -> Result<Next, AppError> {
    match production::produce(context, &args::Commit::default()) {
        Ok(reply) => context.voice.say(&reply)?,
        Err(error) => recover(context, &error)?,
    }
    seen(context, talk)?;
    Ok(Next::On)
}

/// From now on, what is unfinished is offered again only when the person asks for it: it was shown, or taken back.
pub(super) fn seen(context: &mut Context<'_>, talk: &mut Talk) -> Result<(), AppError> {
    if let Phase::Production(now) = &context.session()?.phase {
        talk.offered = Some(unfinished(now));
    }
    Ok(())
}

/// Whether everything unfinished was offered already. What was declined, or could not be written, is offered again
/// when the person asks for it, not by itself.
fn is_offered(open: &Production, offered: Option<&[ObjectId]>) -> bool {
    match offered {
        Some(offered) => unfinished(open).iter().all(|blob| offered.contains(blob)),
        None => !open.drafts.is_empty() && unfinished(open).is_empty(),
    }
}

fn unfinished(open: &Production) -> Vec<ObjectId> {
    open.waiting().chain(open.approved()).map(|draft| draft.blob.clone()).collect()
}

/// What is drafted or approved, and not done.
enum Left {
    Nothing,
    Files,
    Issues,
    Both,
}

fn left(open: &Production) -> Left {
    let mut targets = open.waiting().chain(open.approved()).map(|draft| draft.target.slot().is_some());
    match targets.next() {
        None => Left::Nothing,
        Some(first) if targets.any(|other| other != first) => Left::Both,
        Some(true) => Left::Issues,
        Some(false) => Left::Files,
    }
}

fn ask(context: &mut Context<'_>, session: &Session, open: &Production, talk: &mut Talk) -> Result<Next, AppError> {
    let question = match left(open) {
        Left::Nothing => "What next?",
        Left::Files => "Not everything is written. What next?",
        Left::Issues => "Not every issue is created. What next?",
        Left::Both => "Not everything is written and created. What next?",
    };
    let place = unsent::place("output phase");
    let prompt = ReplyPrompt {
        heading: "output".to_owned(),
        question: question.to_owned(),
        choices: choices(session, open),
        draft: unsent::recall(context, session, Some(&place), talk)?,
        status: context.voice.status_line(session),
        keys: KEYS_CHOICES.to_owned(),
        help: HELP.to_owned(),
        slash: Slash::Verb,
    };
    let text = match unsent::ask_for_verb(context, session, &place, &prompt, talk)? {
        Ok(text) => text,
        Err(next) => return Ok(next),
    };
    let text = text.trim();
    match text.strip_prefix('/').unwrap_or(text) {
        "stop" => {
            let now = context.session()?;
            ending::end(context, &now, ending::ending(&now)).map(done)
        }
        "pause" => Ok(paused(Kept::Nothing)),
        "produce" => offer(context, talk),
        _ => typed::verb(context, talk, text),
    }
}

/// What can be done with issues that are not created: `gh` may be missing.
fn without_a_tracker(open: &Production) -> Vec<Choice> {
    let mut choices = vec![Choice::of("draft", "Show the issues", "all of them")];
    // Another choice takes the place of this plan, so that nothing else may be left in it, and nothing owed.
    let nothing_else = open.plan.outputs.iter().flat_map(|output| &output.paths).all(|path| open.file(path).is_some());
    if let (Some((tracked, _)), 0, true) = (open.plan.tracked(), open.owing(), nothing_else) {
        let strategy = tracked.strategy.to_string();
        let select = format!("select github-issues --path issues --strategy {}", shell_words::quote(&strategy));
        let about = "instead of creating them; each is shown before it is written";
        choices.push(Choice::of(&select, "Write them as files in issues/", about));
    }
    choices
}

/// What can be done where files and issues wait together: one without the other, since without `gh` no issue can be
/// approved.
fn one_without_the_other(open: &Production) -> Vec<Choice> {
    let unfinished = open.waiting().chain(open.approved()).map(|draft| &draft.target);
    let (issues, files): (Vec<&Target>, Vec<&Target>) = unfinished.partition(|target| target.slot().is_some());
    let on = |verb: &str, targets: Vec<&Target>| {
        let words = verb.split(' ').map(str::to_owned).chain(targets.into_iter().map(ToString::to_string));
        shell_words::join(words)
    };
    vec![
        Choice::of(&on("approve", files), "Approve the files now, and the issues later", "each file is shown first"),
        Choice::of(&on("draft --drop", issues), "Leave the issues out", "the files remain drafts"),
        Choice::of("draft", "Show all drafts", "the files and the issues"),
    ]
}

/// The offer of a commit, while a file that this output phase wrote is in none.
fn commit(session: &Session, open: &Production) -> Option<Choice> {
    let committed = |draft: &&Draft| {
        let commits = draft.path().map(|path| session.commits_of(std::slice::from_ref(path)));
        commits.is_some_and(|commits| commits.iter().any(|commit| commit.round == open.round))
    };
    let label = match open.written().filter(|draft| !committed(draft)).count() {
        0 => return None,
        1 => "Commit it (1 file)".to_owned(),
        several => format!("Commit them ({several} files)"),
    };
    Some(Choice::of("produce --commit", &label, "one commit of exactly these files, on your branch"))
}

fn choices(session: &Session, open: &Production) -> Vec<Choice> {
    let handed_in = |draft: &Draft| draft.origin == Origin::HandedIn;
    let theirs = open.waiting().chain(open.approved()).all(handed_in);
    let (again, promise) = match left(open) {
        Left::Nothing | Left::Files => {
            ("Look at the draft again", "shown as a diff; nothing is written without your yes")
        }
        Left::Issues => ("Look at the issues again", "one by one; none is created without your yes"),
        Left::Both => ("Look at the drafts again", "one by one; nothing is written or created without your yes"),
    };
    let look = [Choice::of("produce", again, promise)];
    let otherwise = match left(open) {
        Left::Nothing | Left::Files => Vec::new(),
        Left::Issues => without_a_tracker(open),
        Left::Both => one_without_the_other(open),
    };
    let change = [Choice::of(
        "checkpoint edit",
        "Change what it is drafted from",
        "opens your editor; git grill produce then drafts it again",
    )];
    let stays = if crate::domain::decide::produced_something(session) {
        "what was produced stays, and the read-only protection is lifted"
    } else {
        "nothing was produced; the shared understanding stays in git"
    };
    let always = [
        Choice::of("finish", "Go on with the interview", "the repository is read-only again"),
        Choice::of("stop", "End the session", stays),
    ];
    let look = look.into_iter().filter(|_| !unfinished(open).is_empty());
    let back = session.undoable().filter(|phase| phase.round == open.round).map(|phase| {
        let label = if phase.files.len() == 1 { "Take it back" } else { "Take them back" };
        Choice::of("produce --undo", label, "the files are as they were before; the drafts stay")
    });
    // What somebody handed in is not drafted from the checkpoint.
    let change = change.into_iter().filter(|_| !theirs);
    look.chain(otherwise).chain(commit(session, open)).chain(back).chain(change).chain(always).collect()
}
