//! Whose a change is that came while an agent ran which nothing keeps from writing (A25): each is shown, and the user says
//! that it stays, or has it brought back.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{BaselineError, Restored};
use crate::app::prompt::{Choice, Unanswered};
use crate::app::reply::Reply;
use crate::domain::drift::{Drift, Kept, Remedy, Spot, Verification};
use crate::domain::harmless::harmless;

/// Above a difference.
const UNDOES: &str = "restoring it changes this:";

/// Lists what is left to decide: the overview leaves some out where there are many.
const LIST: &str = "list";

/// So many stand in the overview, of each kind.
const OVERVIEW: usize = 20;

/// What the user said of one difference, or of all that are left.
enum DriftChoice {
    Mine,
    Back,
    AllMine,
    AllBack,
}

/// A watch over the repository, as the user settles it.
pub(super) trait Watch {
    /// Compares with how it was when the watch began.
    fn since(&mut self, context: &mut Context<'_>) -> Result<Verification, AppError>;
    /// The change that bringing this one spot back would make, as a unified diff.
    fn difference(&self, context: &mut Context<'_>, spot: &Spot) -> Result<String, AppError>;
    fn bring_back(&self, context: &mut Context<'_>, shown: &Verification) -> Result<Restored, AppError>;
    /// The command that asks again.
    fn again(&self) -> String;
}

/// Has the user decide on every difference; what they keep.
pub(super) fn settle(context: &mut Context<'_>, watch: &mut impl Watch) -> Result<Result<Kept, Unanswered>, AppError> {
    let mut mine = Kept::new();
    loop {
        let found = watch.since(context)?;
        let mut open = found.beside(&mine);
        // What the user has to mend themselves comes first: a pause for it throws no answer away.
        open.sort_by_key(|drift| drift.stays.is_none());
        if open.is_empty() {
            return Ok(Ok(mine));
        }
        let total = open.len();
        let shown = Verification { total, drift: open.clone(), ..found.clone() };
        context.voice.say(&Reply::Behind(Box::new(shown)))?;
        let mut keeps = Vec::new();
        let back = match asked(context, watch, &open, &mut keeps)? {
            Ok(back) => back,
            Err(unanswered) => {
                context.voice.say(&Reply::Text(waits(total, &watch.again())))?;
                return Ok(Err(unanswered));
            }
        };
        mine.extend(keeps.into_iter().map(|drift| (drift.spot.clone(), found.prints.get(&drift.spot).cloned())));
        if !back.is_empty() {
            let drift: Vec<Drift> = open.into_iter().filter(|one| back.contains(&one.spot)).collect();
            let shown = Verification { total: drift.len(), drift, ..found };
            match watch.bring_back(context, &shown) {
                Ok(restored) => context.voice.say(&Reply::Text(told(&back, &restored)))?,
                // It is shown as it is now, and asked about again.
                Err(error @ AppError::Baseline(BaselineError::Changed { .. })) => context.voice.warn(&error),
                Err(error) => return Err(error),
            }
        }
    }
}

/// Asks about each; the spots to bring back.
fn asked(
    context: &mut Context<'_>,
    watch: &impl Watch,
    open: &[Drift],
    mine: &mut Vec<Drift>,
) -> Result<Result<Vec<Spot>, Unanswered>, AppError> {
    let mut back = Vec::new();
    for (at, drift) in open.iter().enumerate() {
        if drift.stays.is_none() {
            let diff = watch.difference(context, &drift.spot)?;
            if !diff.is_empty() {
                context.voice.say(&Reply::Text(UNDOES.to_owned()))?;
                context.voice.say(&Reply::Difference(diff))?;
            }
        }
        let rest = &open[at..];
        let choices = choices(drift, rest, &watch.again());
        let question = format!("{} {}: keep it?", named(&drift.spot), became(drift));
        let chosen = loop {
            match context.prompter.choose(&question, &choices).answered() {
                Ok(chosen) if choices.get(chosen).is_some_and(|choice| choice.value == LIST) => {
                    let lines = rest.iter().map(|drift| format!("{} {}\n", named(&drift.spot), became(drift)));
                    context.voice.say(&Reply::Text(lines.collect()))?;
                }
                Ok(chosen) => break chosen,
                Err(unanswered) => return Ok(Err(unanswered)),
            }
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

/// A spot by its name alone, and where that is: the same name stands in the index and in the working tree.
fn named(spot: &Spot) -> String {
    let name = harmless(spot.name());
    match spot {
        Spot::Index(_) => format!("{name} in the index"),
        Spot::Setting(_) => format!("{name} in the git directory"),
        Spot::Head | Spot::Ref(_) | Spot::Stash | Spot::Operation(_) | Spot::File(_) | Spot::Nested(_) => {
            name.into_owned()
        }
    }
}

fn became(drift: &Drift) -> String {
    match &drift.detail {
        Some(detail) => format!("({}, {})", drift.change, harmless(detail)),
        None => format!("({})", drift.change),
    }
}

fn choices(drift: &Drift, rest: &[Drift], again: &str) -> Vec<Choice> {
    let mut choices = vec![Choice::of("mine", "Keep it", "it stays as it is now")];
    match &drift.stays {
        None if drift.remedy() == Some(Remedy::Deletes) => {
            choices.push(Choice::of("back", "Remove it", "it was not there before; a copy is kept"));
        }
        None => choices.push(Choice::of(
            "back",
            "Restore it",
            "puts back what was there before; a copy of what is there now is kept",
        )),
        Some(why) => choices.push(Choice::of(
            "pause",
            "Neither: pause",
            &format!("git grill cannot restore it ({}); fix that, then run {again}", harmless(why)),
        )),
    }
    let all = rest.len();
    if all > 1 {
        choices.push(Choice::of("all-mine", &format!("Keep all {all} that are left"), "they stay as they are now"));
        if rest.iter().all(|drift| drift.stays.is_none()) {
            choices.push(Choice::of("all-back", &format!("Restore all {all}"), "a copy of what is there now is kept"));
        }
        if all > OVERVIEW {
            choices.push(Choice::of(LIST, &format!("List all {all}"), "then asks this again"));
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
        Some(_) => format!("restored: {}{kept}", names.join(", ")),
        None => "nothing was restored".to_owned(),
    };
    for left in &restored.left {
        text = format!("{text}\n{}", harmless(left));
    }
    for one in &restored.refs {
        text = format!("{text}\n{} was {}; {} undoes that", harmless(&one.name), one.fate, one.undo);
    }
    text
}

/// That the session waits for the rest.
pub(super) fn waits(count: usize, again: &str) -> String {
    let what = if count == 1 { "1 thing changed".to_owned() } else { format!("{count} things changed") };
    format!("{what}, and the session waits for your decision; to decide, run {again}")
}
