//! Whose a change is that came while an agent ran which nothing keeps from writing (A25): each is shown, and the user says
//! that it stays, or has it brought back.

use std::collections::{BTreeSet, VecDeque};

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{BaselineError, Restored, looks_at};
use crate::app::prompt::{Choice, Unanswered};
use crate::app::reply::Reply;
use crate::domain::drift::in_the_way::Places;
use crate::domain::drift::{Drift, Kept, Remedy, Spot, Verification};
use crate::domain::harmless::harmless;
use crate::domain::text::counted;

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
    /// Every file that was not there before goes; the rest is asked about.
    NewBack,
}

/// Whether it is a file that was not there before, and can go.
fn is_new(drift: &Drift) -> bool {
    matches!(drift.spot, Spot::File(_)) && drift.stays.is_none() && drift.remedy() == Some(Remedy::Deletes)
}

/// A watch over the repository, as the user settles it.
pub(super) trait Watch {
    /// Compares with how it was when the watch began.
    fn since(&mut self, context: &mut Context<'_>) -> Result<Verification, AppError>;
    /// The change that bringing this one spot back would make, as a unified diff.
    fn difference(&self, context: &mut Context<'_>, spot: &Spot) -> Result<String, AppError>;
    /// Restores these, while the user keeps others.
    fn bring_back(&self, context: &mut Context<'_>, shown: &Verification, kept: &Kept) -> Result<Restored, AppError>;
    /// What the user said is to stay, when they left before all was decided.
    fn kept(&self, context: &mut Context<'_>) -> Result<Kept, AppError>;
    /// Notes it.
    fn keep(&self, context: &mut Context<'_>, kept: &Kept) -> Result<(), AppError>;
    /// The command that asks again.
    fn again(&self) -> String;
}

/// What the user said in one go through the differences.
#[derive(Default)]
struct Said {
    keeps: Vec<Drift>,
    back: Vec<Spot>,
}

/// What the user had decided before they were asked this time.
#[derive(Clone, Copy)]
enum Earlier {
    Nothing,
    Something,
}

/// The user left before all was decided.
pub(super) struct Left {
    pub(super) unanswered: Unanswered,
    /// What stands of what they said, and the command that asks about the rest.
    pub(super) told: String,
    /// Something of what they said stands.
    pub(super) has_decided: bool,
}

/// Has the user decide on every difference; what they keep.
pub(super) fn settle(context: &mut Context<'_>, watch: &mut impl Watch) -> Result<Result<Kept, Left>, AppError> {
    let mut found = watch.since(context)?;
    let mut mine = kept_before(context, watch, &found)?;
    let (mut kept_so_far, mut restored_so_far) = (0, 0);
    loop {
        let mut open = found.beside(&mine);
        let unable = found.drift.iter().filter(|drift| drift.stays.is_some());
        Places::of_new(found.staying(&mine).into_iter().chain(unable)).keep_out(&mut open);
        // What the user has to mend themselves comes first: a pause for it throws no answer away.
        open.sort_by_key(|drift| drift.stays.is_none());
        if open.is_empty() {
            return Ok(Ok(mine));
        }
        let total = open.len();
        let shown = Verification { total, drift: open.clone(), ..found.clone() };
        context.voice.say(&Reply::Behind(Box::new(shown)))?;
        let mut said = Said::default();
        let answered = asked(context, watch, &open, &found.later, &mut said)?;
        let Said { keeps, back } = said;
        let stay = keeps.len();
        kept_so_far += stay;
        mine.extend(keeps.into_iter().map(|drift| (drift.spot.clone(), found.prints.get(&drift.spot).cloned())));
        if let Err(unanswered) = answered {
            if kept_so_far > 0 {
                watch.keep(context, &mine)?;
            }
            if let Some(told) = not_restored(&back) {
                context.voice.say(&Reply::Text(told))?;
            }
            let decided = kept_so_far + restored_so_far;
            let before = if mine.len() > kept_so_far { Earlier::Something } else { Earlier::Nothing };
            let told = left_at(decided, before, total - stay, &watch.again());
            return Ok(Err(Left { unanswered, told, has_decided: decided > 0 }));
        }
        if back.is_empty() {
            found = watch.since(context)?;
            continue;
        }
        let drift: Vec<Drift> = open.into_iter().filter(|one| back.contains(&one.spot)).collect();
        let shown = Verification { total: drift.len(), drift, ..found };
        let restored = watch.bring_back(context, &shown, &mine);
        let now = watch.since(context);
        match restored {
            Ok(restored) => {
                // Where that cannot be told, no change is said to be gone.
                let undone = now.as_ref().map_or_else(|_| Vec::new(), |now| shown.gone_in(now));
                restored_so_far += undone.len();
                context.voice.say(&Reply::Text(told(&undone, &restored)))?;
            }
            // It is shown as it is now.
            Err(error @ AppError::Baseline(BaselineError::Changed { .. })) => {
                context.voice.say(&Reply::Text(format!("{}; you are asked again", harmless(&error.to_string()))))?;
            }
            Err(error) => return Err(error),
        }
        found = now?;
    }
}

/// What the user kept when they left, as far as it is as it was then. It is named.
fn kept_before(context: &mut Context<'_>, watch: &impl Watch, found: &Verification) -> Result<Kept, AppError> {
    let kept = watch.kept(context)?;
    let stay = found.staying(&kept);
    if stay.is_empty() {
        return Ok(Kept::new());
    }
    let these = if stay.len() == 1 { "this stays" } else { "these stay" };
    context.voice.say(&Reply::Text(format!("{these}, as you said before: {}", listed(&stay))))?;
    Ok(kept)
}

/// What they would have restored when they leave: it is done at the end.
fn not_restored(back: &[Spot]) -> Option<String> {
    let (one, more) = back.split_first()?;
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Some(format!("not restored, since you left before the end: {}{more}", harmless(&one.place())))
}

/// What stands of what the user said when they leave, and what is still to be decided.
fn left_at(decided: usize, before: Earlier, left: usize, again: &str) -> String {
    let stands = match (decided, before) {
        (0, Earlier::Nothing) => "nothing was decided".to_owned(),
        (0, Earlier::Something) => "nothing more was decided".to_owned(),
        (1, _) => "your decision is kept".to_owned(),
        (many, _) => format!("your {many} decisions are kept"),
    };
    let are = if left == 1 { "is" } else { "are" };
    format!("{stands}. {} {are} left: {again}", counted(left, "change"))
}

/// Asks about each.
fn asked(
    context: &mut Context<'_>,
    watch: &impl Watch,
    open: &[Drift],
    later: &[Drift],
    said: &mut Said,
) -> Result<Result<(), Unanswered>, AppError> {
    let Said { keeps, back } = said;
    let later = &Later::of(later);
    // What the index and the working tree have of one file stands side by side.
    let mut open = open.to_vec();
    open.sort_by_cached_key(|drift| {
        let place = match &drift.spot {
            Spot::Head | Spot::Ref(_) | Spot::Stash | Spot::Operation(_) => (0, String::new()),
            Spot::Index(path) | Spot::File(path) => (1, path.clone()),
            Spot::Nested(_) | Spot::Setting(_) => (2, String::new()),
        };
        (drift.stays.is_none(), place)
    });
    let mut open = VecDeque::from(open);
    while let Some(drift) = open.pop_front() {
        if back.contains(&drift.spot) {
            continue;
        }
        if drift.stays.is_none() {
            let diff = watch.difference(context, &drift.spot)?;
            if !diff.is_empty() {
                context.voice.say(&Reply::Text(UNDOES.to_owned()))?;
                context.voice.say(&Reply::Difference(diff))?;
            }
        }
        let rest: Vec<&Drift> =
            std::iter::once(&drift).chain(open.iter().filter(|one| !back.contains(&one.spot))).collect();
        let choices = choices(&drift, &rest, later, &watch.again());
        let question = format!("{} {}: keep it?", named(&drift.spot), became(&drift));
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
        match choices.get(chosen).and_then(|choice| meant(&choice.value)) {
            Some(DriftChoice::Mine) => {
                // What it is in the way of cannot be restored any more.
                Places::of_new([&drift]).keep_out(&mut open);
                keeps.push(drift);
            }
            Some(DriftChoice::Back) => back.push(drift.spot),
            Some(DriftChoice::AllMine) => {
                keeps.extend(rest.into_iter().cloned());
                break;
            }
            // The others are asked about again.
            Some(DriftChoice::AllBack) => {
                back.extend(rest.iter().filter(|one| goes_with_all(one, later)).map(|one| one.spot.clone()));
                break;
            }
            Some(DriftChoice::NewBack) => {
                let new = rest.iter().filter(|one| is_new(one) && !later.has(one));
                back.extend(new.map(|one| one.spot.clone()));
            }
            None => return Ok(Err(Unanswered::Cancelled { draft: String::new() })),
        }
    }
    Ok(Ok(()))
}

fn named(spot: &Spot) -> String {
    harmless(&spot.place()).into_owned()
}

/// The first of them by name, and how many there are besides.
fn listed(all: &[&Drift]) -> String {
    let names: Vec<String> = all.iter().take(OVERVIEW).map(|drift| named(&drift.spot)).collect();
    let more = if all.len() > names.len() { format!(", and {} more", all.len() - names.len()) } else { String::new() };
    format!("{}{more}", names.join(", "))
}

fn became(drift: &Drift) -> String {
    match &drift.detail {
        Some(detail) => format!("({}, {})", drift.change, harmless(detail)),
        None => format!("({})", drift.change),
    }
}

/// What somebody has changed after the agent was gone.
struct Later<'a> {
    spots: BTreeSet<&'a Spot>,
    places: Places<'a>,
}

impl<'a> Later<'a> {
    fn of(later: &'a [Drift]) -> Self {
        let spots = || later.iter().map(|one| &one.spot);
        Self { spots: spots().collect(), places: spots().collect() }
    }

    fn has(&self, drift: &Drift) -> bool {
        self.spots.contains(&drift.spot)
    }
}

/// Whether it is restored with all others: what somebody has changed after the agent was gone is not, nor what that is in
/// the way of.
fn goes_with_all(drift: &Drift, later: &Later<'_>) -> bool {
    drift.stays.is_none() && !later.has(drift) && later.places.in_the_way_of(&drift.spot).is_none()
}

fn choices(drift: &Drift, rest: &[&Drift], later: &Later<'_>, again: &str) -> Vec<Choice> {
    let mut choices = vec![Choice::of("mine", "Keep it", "it stays as it is now")];
    match &drift.stays {
        None if later.has(drift) => choices.push(Choice::of(
            "back",
            if drift.remedy() == Some(Remedy::Deletes) { "Remove it" } else { "Restore it" },
            "the change after the agent ended goes, too; a copy of what is there now is kept",
        )),
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
            "Pause",
            &format!("cannot be restored: {}; restore it yourself, then run {again}", harmless(why)),
        )),
    }
    let all = rest.len();
    if all > 1 {
        choices.push(Choice::of("all-mine", &format!("Keep all {all} that are left"), "they stay as they are now"));
        let able: Vec<&&Drift> = rest.iter().filter(|drift| goes_with_all(drift, later)).collect();
        // The one that is asked about has a choice of its own.
        let is_this = able.len() == 1 && able.iter().all(|one| one.spot == drift.spot);
        if !able.is_empty() && !is_this {
            let gone = able.iter().filter(|drift| drift.remedy() == Some(Remedy::Deletes)).count();
            let means = match gone {
                0 => "a copy of what is there now is kept".to_owned(),
                1 => "removes the 1 that was not there before; a copy of what is there now is kept".to_owned(),
                gone => format!("removes the {gone} that were not there before; a copy of what is there now is kept"),
            };
            let label = label(&able, rest, later);
            choices.push(Choice::of("all-back", &label, &means));
        }
        let new = rest.iter().filter(|one| is_new(one) && !later.has(one)).count();
        if is_new(drift) && !later.has(drift) && new > 1 && new < all {
            choices.push(Choice::of("new-back", &format!("Remove the {new} new files"), "a copy of each is kept"));
        }
        if all > OVERVIEW {
            choices.push(Choice::of(LIST, &format!("List all {all}"), "then asks this again"));
        }
    }
    choices
}

/// The choice of all that can be restored; where that is one, it is named.
fn label(able: &[&&Drift], rest: &[&Drift], later: &Later<'_>) -> String {
    let did_not_change = rest.iter().any(|one| later.has(one));
    match able {
        [one] if did_not_change => {
            format!("Restore the 1 that can be, and did not change after the agent ended: {}", named(&one.spot))
        }
        [one] => format!("Restore the 1 that can be: {}", named(&one.spot)),
        several if several.len() == rest.len() => format!("Restore all {}", rest.len()),
        several if did_not_change => {
            format!("Restore {}: all that can be, and did not change after the agent ended", several.len())
        }
        several => format!("Restore the {} that can be", several.len()),
    }
}

fn meant(value: &str) -> Option<DriftChoice> {
    match value {
        "mine" => Some(DriftChoice::Mine),
        "back" => Some(DriftChoice::Back),
        "all-mine" => Some(DriftChoice::AllMine),
        "all-back" => Some(DriftChoice::AllBack),
        "new-back" => Some(DriftChoice::NewBack),
        _ => None,
    }
}

/// What was brought back, and how that is undone.
fn told(back: &[Drift], restored: &Restored) -> String {
    const NOTHING: &str = "nothing was restored";
    let Some(kept) = &restored.kept else { return not_back(NOTHING.to_owned(), restored) };
    let (removed, put_back): (Vec<&Drift>, Vec<&Drift>) =
        back.iter().partition(|drift| drift.remedy() == Some(Remedy::Deletes));
    let lines = [("restored", put_back), ("removed", removed)]
        .into_iter()
        .filter(|(_, all)| !all.is_empty())
        .map(|(deed, all)| format!("{deed}: {}", listed(&all)));
    let lines = lines.collect::<Vec<_>>().join("\n");
    let lines = if lines.is_empty() { NOTHING } else { &lines };
    let [all, one] = looks_at(kept);
    not_back(format!("{lines}\nwhat was there is kept: {all}\none file of it: {one}"), restored)
}

/// The same with what was not brought back, and what became of refs.
fn not_back(mut text: String, restored: &Restored) -> String {
    for left in &restored.left {
        text = format!("{text}\n{}", harmless(left));
    }
    for one in &restored.refs {
        let (name, undo) = (harmless(&one.name), harmless(&one.undo));
        text = format!("{text}\n{name} was {}; to undo that: {undo}", one.fate);
    }
    text
}

/// That the session waits for the rest.
pub(super) fn waits(count: usize, again: &str) -> String {
    format!("the session waits for your decision on {}: {again}", counted(count, "change"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::drift::{Change, Window};

    fn drift(spot: Spot, change: Change) -> Drift {
        Drift { spot, change, detail: None, bytes: None, when: Window::default(), stays: None }
    }

    /// The labels of the choices about the first of these.
    fn labels(all: &[Drift], later: &[Drift]) -> Vec<String> {
        let rest: Vec<&Drift> = all.iter().collect();
        let choices = choices(&all[0], &rest, &Later::of(later), "git grill agent answer g1");
        choices.into_iter().map(|choice| choice.label).collect()
    }

    #[test]
    fn a25_a_stash_that_was_not_there_before_is_removed_like_every_new_thing() {
        let file = drift(Spot::File("z.txt".to_owned()), Change::Added);
        let labels_of = |change| labels(&[drift(Spot::Stash, change), file.clone()], &[]);
        assert_eq!(labels_of(Change::Added), ["Keep it", "Remove it", "Keep all 2 that are left", "Restore all 2"]);
        assert_eq!(labels_of(Change::Modified)[1], "Restore it");
    }

    #[test]
    fn a25_what_changed_again_after_the_agent_ended_goes_with_no_others() {
        let [first, second, third] = ["a", "b", "c"].map(|name| drift(Spot::File(name.to_owned()), Change::Modified));
        let all = [first.clone(), second, third];
        assert_eq!(labels(&all, &[])[3], "Restore all 3");
        let labels = labels(&all, std::slice::from_ref(&first));
        assert_eq!(labels[3], "Restore 2: all that can be, and did not change after the agent ended");
        assert!(!goes_with_all(&first, &Later::of(std::slice::from_ref(&first))));
        // Nor does what it is in the way of.
        let gone = drift(Spot::File("a/b".to_owned()), Change::Deleted);
        assert!(goes_with_all(&gone, &Later::of(&[])) && !goes_with_all(&gone, &Later::of(&[first])));
    }

    #[test]
    fn a25_the_one_that_can_be_restored_is_named_unless_it_is_asked_about() {
        let mut setting = drift(Spot::Setting("config".to_owned()), Change::Modified);
        setting.stays = Some("it may be someone else's".to_owned());
        let file = drift(Spot::File("README.md".to_owned()), Change::Modified);
        let group = |all: &[Drift], later: &[Drift]| labels(all, later).get(3).cloned();
        let all = [setting.clone(), file.clone()];
        assert_eq!(group(&all, &[]).as_deref(), Some("Restore the 1 that can be: README.md"));
        let again = drift(Spot::File("b".to_owned()), Change::Modified);
        assert_eq!(
            group(&[setting.clone(), file.clone(), again.clone()], &[again]).as_deref(),
            Some("Restore the 1 that can be, and did not change after the agent ended: README.md")
        );
        assert_eq!(group(&[file, setting.clone()], &[]), None);
        assert_eq!(group(&[setting.clone(), setting], &[]), None);
    }

    #[test]
    fn a25_only_what_is_gone_is_said_to_be_restored() {
        let left = vec!["src/a.rs stays as it is: src is in its way".to_owned()];
        let restored = Restored { kept: Some("refs/x".to_owned()), left, ..Restored::default() };
        let back = [drift(Spot::File("b".to_owned()), Change::Deleted)];
        let text = told(&back, &restored);
        assert!(
            text.starts_with("restored: b\nwhat was there is kept: ") && text.ends_with("src is in its way"),
            "{text}"
        );
        assert!(told(&[], &restored).starts_with("nothing was restored\nwhat was there is kept: "));
    }

    #[test]
    fn a25_what_is_told_on_leaving_counts_what_is_decided_and_what_is_left() {
        let told = |decided, before, left| left_at(decided, before, left, "git grill agent answer g3");
        assert_eq!(told(0, Earlier::Nothing, 7), "nothing was decided. 7 changes are left: git grill agent answer g3");
        assert_eq!(
            told(0, Earlier::Something, 1),
            "nothing more was decided. 1 change is left: git grill agent answer g3"
        );
        assert_eq!(
            told(1, Earlier::Nothing, 2),
            "your decision is kept. 2 changes are left: git grill agent answer g3"
        );
        assert_eq!(
            told(3, Earlier::Something, 4),
            "your 3 decisions are kept. 4 changes are left: git grill agent answer g3"
        );
    }
}
