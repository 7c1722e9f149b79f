//! What changed behind the user's back while an agent ran that nothing keeps from writing (A25): it is shown path by path,
//! and the session goes no further until the user has said whose each is.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{BaselineError, Restored, Watched};
use crate::app::prompt::{Choice, Doing, Prompted, Unanswered};
use crate::app::reply::Reply;
use crate::domain::drift::{Drift, Spot, Verification};
use crate::domain::harmless::harmless;
use crate::domain::ids::SessionId;
use crate::domain::session::{Phase, Session};

use super::led::{LOOKS, left};
use super::{Next, Talk};

/// What the user said of one difference, or of all that are left.
enum DriftChoice {
    Mine,
    Back,
    AllMine,
    AllBack,
}

/// Compares after a turn without walls, and has the user settle what differs. `None` where nothing is left to settle;
/// behind walls nothing is compared.
pub(super) fn settle(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> Result<Option<Next>, AppError> {
    if session.is_closed() || context.baseline.watched(&session.id)?.is_none() {
        return Ok(None);
    }
    // The terminal that leads the agent settles it, and the others wait for that.
    let Some(port) = &mut context.leading else { return Ok(None) };
    if port.running().is_none()
        && let Some(who) = port.claim(&session.id)?
    {
        return match waited(context, session, &who)? {
            Ok(Found::Decided) => Ok(None),
            Ok(Found::Free) => settle(context, session, talk),
            Err(unanswered) => left(context, unanswered).map(Some),
        };
    }
    let mut mine: Vec<Drift> = Vec::new();
    loop {
        let found = context.baseline.since_watched(&session.id)?;
        let open: Vec<Drift> = found.drift.iter().filter(|drift| !mine.contains(drift)).cloned().collect();
        if open.is_empty() {
            break;
        }
        talk.in_sight = None;
        context.voice.say(&Reply::Behind(Box::new(Verification {
            total: open.len(),
            drift: open.clone(),
            ..found.clone()
        })))?;
        let back = match asked(context, session, &open, &mut mine)? {
            Ok(back) => back,
            Err(unanswered) => {
                context.voice.say(&Reply::Text(waits(open.len())))?;
                return left(context, unanswered).map(Some);
            }
        };
        if !back.is_empty() {
            let drift: Vec<Drift> = open.into_iter().filter(|one| back.contains(&one.spot)).collect();
            let shown = Verification { total: drift.len(), drift, ..found };
            match context.bring_back(&session.id, &shown) {
                Ok(restored) => context.voice.say(&Reply::Text(told(&back, &restored)))?,
                // It is shown as it is now, and asked about again.
                Err(error @ AppError::Baseline(BaselineError::Changed { .. })) => context.voice.warn(&error),
                Err(error) => return Err(error),
            }
        }
    }
    if let (Phase::Production(_), Some(port)) = (&session.phase, &mut context.leading) {
        // It has no part in what is written from here on, which is not its.
        port.end();
    }
    if context.leading.as_ref().is_some_and(|port| port.running().is_some()) {
        // It may still be at work, or get another turn: what is there now is how it is to stay.
        if !mine.is_empty() {
            context.begin_watch(&session.id)?;
        }
    } else {
        context.unwatch(&session.id)?;
    }
    Ok(None)
}

/// How waiting for another terminal ended.
enum Found {
    /// Nothing is left to decide.
    Decided,
    /// The other terminal is gone.
    Free,
}

/// Waits while another terminal has yet to settle what changed.
fn waited(context: &mut Context<'_>, session: &Session, who: &str) -> Result<Result<Found, Unanswered>, AppError> {
    let Context { prompter, leading, baseline, .. } = context;
    let Some(port) = leading else { return Ok(Ok(Found::Decided)) };
    let line = format!("{who} asks in another terminal whose the changes are that came while the agent ran");
    let mut looks = 0;
    let mut found = Ok(Found::Decided);
    if baseline.watched(&session.id)? != Some(Watched::Undecided) {
        return Ok(Ok(Found::Decided));
    }
    let followed: Prompted<()> = prompter.follow(&mut || {
        looks += 1;
        if looks % LOOKS == 0 {
            match baseline.watched(&session.id) {
                Ok(Some(Watched::Undecided)) => {}
                Ok(Some(Watched::Quiet) | None) => return Doing::Over,
                Err(error) => {
                    found = Err(AppError::from(error));
                    return Doing::Over;
                }
            }
            match port.claim(&session.id) {
                Ok(Some(_)) => {}
                Ok(None) => {
                    found = Ok(Found::Free);
                    return Doing::Over;
                }
                Err(error) => {
                    found = Err(error);
                    return Doing::Over;
                }
            }
        }
        Doing::On { line: line.clone(), steps: Vec::new(), said: Vec::new(), saying: String::new() }
    });
    match followed.answered() {
        Ok(()) => found.map(Ok),
        Err(unanswered) => Ok(Err(unanswered)),
    }
}

/// Asks about each; the spots to bring back.
fn asked(
    context: &mut Context<'_>,
    session: &Session,
    open: &[Drift],
    mine: &mut Vec<Drift>,
) -> Result<Result<Vec<Spot>, Unanswered>, AppError> {
    let mut back = Vec::new();
    for (at, drift) in open.iter().enumerate() {
        if drift.stays.is_none() {
            let diff = context.baseline.watched_diff(&session.id, &drift.spot)?;
            if !diff.is_empty() {
                context.voice.say(&Reply::Difference(diff))?;
            }
        }
        let rest = &open[at..];
        let choices = choices(drift, rest);
        let question = format!("{} {}: whose is it?", harmless(drift.spot.name()), became(drift));
        let chosen = match context.prompter.choose(&question, &choices).answered() {
            Ok(chosen) => chosen,
            Err(unanswered) => return Ok(Err(unanswered)),
        };
        let restorable = |drifts: &[Drift]| -> Vec<Spot> {
            drifts.iter().filter(|drift| drift.stays.is_none()).map(|drift| drift.spot.clone()).collect()
        };
        match choices.get(chosen).and_then(|choice| said(&choice.value)) {
            Some(DriftChoice::Mine) => mine.push(drift.clone()),
            Some(DriftChoice::Back) => back.push(drift.spot.clone()),
            Some(DriftChoice::AllMine) => {
                mine.extend(rest.iter().cloned());
                break;
            }
            // What cannot be brought back is asked about again.
            Some(DriftChoice::AllBack) => {
                back.extend(restorable(rest));
                break;
            }
            None => return Ok(Err(Unanswered::Cancelled { draft: String::new() })),
        }
    }
    Ok(Ok(back))
}

fn became(drift: &Drift) -> String {
    match &drift.detail {
        Some(detail) => format!("({}, {})", drift.change, harmless(detail)),
        None => format!("({})", drift.change),
    }
}

fn choices(drift: &Drift, rest: &[Drift]) -> Vec<Choice> {
    let mut choices = vec![Choice::of("mine", "Mine", "it stays as it is now")];
    match &drift.stays {
        None => choices.push(Choice::of("back", "Bring it back", "as before the turn; what is replaced is kept")),
        Some(why) => choices.push(Choice::of(
            "pause",
            "Not mine: pause",
            &format!("git grill cannot bring it back ({}); mend it, then git grill next", harmless(why)),
        )),
    }
    let all = rest.len();
    if all > 1 {
        choices.push(Choice::of("all-mine", &format!("All {all} that are left are mine"), "they stay"));
        if rest.iter().all(|drift| drift.stays.is_none()) {
            choices.push(Choice::of("all-back", &format!("Bring all {all} back"), "what is replaced is kept"));
        }
    }
    choices
}

fn said(value: &str) -> Option<DriftChoice> {
    match value {
        "mine" => Some(DriftChoice::Mine),
        "back" => Some(DriftChoice::Back),
        "all-mine" => Some(DriftChoice::AllMine),
        "all-back" => Some(DriftChoice::AllBack),
        _ => None,
    }
}

/// What was brought back, and how that is undone.
fn told(back: &[Spot], restored: &Restored) -> String {
    let names: Vec<String> = back.iter().map(|spot| harmless(spot.name()).into_owned()).collect();
    let kept = restored.kept.as_deref().map(|kept| format!("; what was there is kept in {kept}")).unwrap_or_default();
    let mut text = match restored.kept {
        Some(_) => format!("brought back: {}{kept}", names.join(", ")),
        None => "nothing was brought back".to_owned(),
    };
    for left in &restored.left {
        text = format!("{text}\n{}", harmless(left));
    }
    for one in &restored.refs {
        text = format!("{text}\n{} was {}; {} undoes that", harmless(&one.name), one.fate, one.undo);
    }
    text
}

fn waits(count: usize) -> String {
    let what = if count == 1 { "1 thing changed".to_owned() } else { format!("{count} things changed") };
    format!("{what}, and the session waits until you have said whose: git grill next asks again")
}

/// Looks once more when the conversation is over, and names what the next one will ask about.
pub(super) fn at_the_end(context: &mut Context<'_>, id: &SessionId) -> Result<(), AppError> {
    let Some(watched) = context.baseline.watched(id)? else { return Ok(()) };
    if context.dispatcher.store.load(id)?.session.is_closed() {
        return context.unwatch(id);
    }
    let Some(port) = &mut context.leading else { return Ok(()) };
    if port.running().is_some() {
        port.end();
    } else if port.claim(id)?.is_some() {
        return Ok(());
    }
    if watched == Watched::Undecided {
        return Ok(());
    }
    let found = context.baseline.since_watched(id)?;
    if found.is_clean() {
        return context.unwatch(id);
    }
    let count = found.total;
    context.voice.say(&Reply::Behind(Box::new(found)))?;
    context.voice.say(&Reply::Text(waits(count)))
}

/// Goes no further while the user has yet to say whose a change is; who can be asked is asked.
pub(in crate::cli) fn decided(context: &mut Context<'_>) -> Result<(), AppError> {
    let undecided = |context: &Context<'_>, id: &SessionId| -> Result<bool, AppError> {
        Ok(context.baseline.watched(id)? == Some(Watched::Undecided))
    };
    let Some(id) = context.dispatcher.store.active()? else { return Ok(()) };
    if !undecided(context, &id)? {
        return Ok(());
    }
    context
        .need_person("saying whose the changes are that came while an agent ran", "git grill next, at a terminal")?;
    let session = context.session()?;
    if settle(context, &session, &mut Talk::default())?.is_some() {
        return Err(AppError::Cancelled("going on with the session"));
    }
    if undecided(context, &id)? {
        return Err(AppError::Declined {
            code: "undecided",
            message: "nothing was recorded: another terminal asks whose the changes are that came while an agent ran"
                .to_owned(),
            causes: Vec::new(),
            hint: "answer there first".to_owned(),
        });
    }
    Ok(())
}
