//! Drafting: what the generators make of the session, against what stands on disk.

pub use super::standing::{leads_nowhere, read};
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::decide::wrong_phase;
use crate::domain::ids::ObjectId;
use crate::domain::production::{
    self, Draft, Drafted, IssueSlot, Origin, Plan, PlannedOutput, Production, Stage, Target, TargetPath, some_of,
};
use crate::domain::session::{Phase, Session};
use crate::domain::settings::{Destination, Interviewer, Strategy};
use crate::domain::tracker::TrackerRepository;
use crate::output;
pub use crate::output::is_tracked;
use crate::text::shell::word;

use super::context::{Context, no_working_tree};
use super::dispatcher::Envelope;
use super::error::{AppError, not_answered};
use super::founding::IssueHome;
use super::ports::{SessionStore, TargetFiles};
use super::reply::{Outcome, Preview};
use super::standing::{in_the_way, look};
use super::{placing, tracking};

/// How the outputs that somebody names are to be produced, as far as they say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    pub strategy: Option<&'a Strategy>,
    /// Where the file of a single one goes, or the folder of its issues.
    pub path: Option<&'a TargetPath>,
    /// Where issues are created; none is where `gh` says.
    pub repository: Option<&'a TrackerRepository>,
    /// Origin of the path: typed by a person at a terminal, or not.
    pub typed: Typed,
    /// Outputs of the same choice that are planned already.
    pub beside: &'a [PlannedOutput],
}

/// Where a path comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typed {
    ByThePerson,
    /// A default, a template, an agent, a script.
    #[default]
    Otherwise,
}

/// The plan for these destinations: each with its strategy and its files or its tracker. What cannot be produced is
/// refused by name rather than promised.
pub fn plan(
    context: &mut Context<'_>,
    session: &Session,
    destinations: &[Destination],
    Wanted { strategy, path, repository, typed, beside }: Wanted<'_>,
) -> Result<Plan, AppError> {
    // Before what an output lacks: in such a session none can have it.
    if session.phase.asks_nothing() {
        return Err(AppError::Refused(wrong_phase(session, "choosing outputs")));
    }
    let files = context.targets.ok_or_else(no_working_tree)?;
    // What was asked for needs no recommendation, which takes a reading of the whole session.
    let recommended = if strategy.is_none() { gate(session).recommended_strategy } else { None };
    let agent_writes =
        matches!(context.actor, Actor::Agent(_)) || matches!(session.settings.interviewer, Interviewer::Agent(_));
    let strategy_of =
        |destination: &Destination| output::strategy_for(destination, strategy, recommended.as_ref(), session);
    let home = if path.is_some() {
        None
    } else {
        // Check this first: an output that cannot be drafted must not create a repository.
        for tracked in destinations.iter().filter(|one| is_tracked(one)) {
            output::issue_drafts(&strategy_of(tracked), session).map_err(|why| cannot(tracked, &why))?;
        }
        tracking::home(context, destinations, repository)?
    };
    let (tracker, folder) = match home {
        Some(IssueHome::Tracker(repository)) => (Some(repository), None),
        Some(IssueHome::Folder(folder)) => (None, Some(folder)),
        None => (None, None),
    };
    let planned = |destination: &Destination, others: &[&PlannedOutput]| -> Result<PlannedOutput, AppError> {
        let strategy = strategy_of(destination);
        let path = path.or(folder.as_ref().filter(|_| is_tracked(destination)));
        let chosen: Vec<TargetPath> = path.cloned().into_iter().collect();
        let existing = look(session, files, destination, &chosen)?;
        let refused = |why| cannot(destination, &why);
        if tracker.is_some() && is_tracked(destination) {
            let (destination, tracker) = (destination.clone(), tracker.clone());
            return Ok(PlannedOutput { destination, strategy, paths: Vec::new(), tracker });
        }
        let mut paths = output::paths(destination, &strategy, path, session, &existing).map_err(refused)?;
        if path.is_none() && matches!(destination, Destination::Custom(_)) {
            paths = paths.into_iter().map(|path| placing::of_custom(session, destination, path, others)).collect();
        }
        // A first draft now, so that no one chooses an output that cannot be drafted. An agent submits the outputs that
        // we cannot make.
        if output::makes(destination, &existing) || !agent_writes {
            output::documents(destination, &strategy, &paths, session, &existing).map_err(refused)?;
        }
        Ok(PlannedOutput { destination: destination.clone(), strategy, paths, tracker: None })
    };
    let mut outputs: Vec<PlannedOutput> = Vec::with_capacity(destinations.len());
    for destination in destinations {
        let others: Vec<&PlannedOutput> = beside.iter().chain(&outputs).collect();
        let one = planned(destination, &others)?;
        outputs.push(one);
    }
    let mut plan = Plan { outputs, prose: None, permitted: Vec::new() };
    if typed == Typed::ByThePerson
        && let Some(path) = path
    {
        permit(context, &mut plan, path)?;
    }
    check(&plan, files)?;
    Ok(plan)
}

/// Refuses a plan in which two files are one, or with a file that makes programs run and that no person permitted, or that
/// symlinks lead to one.
pub(super) fn check(plan: &Plan, files: &dyn TargetFiles) -> Result<(), AppError> {
    plan.check_apart()?;
    if let Some((path, danger)) = plan.dangerous() {
        return Err(AppError::from(production::Refusal::MakesProgramsRun { path: path.clone(), danger }));
    }
    for PlannedOutput { destination, paths, .. } in &plan.outputs {
        for path in paths {
            files.check_links(path).map_err(|error| in_the_way(destination, error))?;
        }
    }
    Ok(())
}

/// Tells a person what the file that they typed can do, and notes their yes. Only the very file that they typed: the
/// files of a folder have names that the person did not type.
fn permit(context: &mut Context<'_>, plan: &mut Plan, path: &TargetPath) -> Result<(), AppError> {
    let Some((_, danger)) = plan.dangerous().filter(|(found, _)| *found == path) else {
        return Ok(());
    };
    let hint = format!("a person can type it at a terminal: git grill select <output> --path {}", word(path.as_str()));
    context.need_person(&format!("writing {path}, which makes programs run,"), &hint)?;
    let question = format!("{path}: {danger}. Write a draft there all the same?");
    if !context.prompter.confirm(&question).answered().map_err(not_answered("choosing outputs"))? {
        return Err(AppError::Cancelled("choosing outputs"));
    }
    plan.permitted.push(path.clone());
    Ok(())
}

pub(super) fn cannot(destination: &Destination, why: &output::Cannot) -> AppError {
    let (destination, way_out) = (destination.clone(), why.way_out());
    production::Refusal::CannotProduce { destination, why: why.to_string(), way_out }.into()
}

/// A planned file whose draft is not up to date, with the file's current content.
struct Unsettled<'a> {
    path: &'a TargetPath,
    there: Option<String>,
    replaces: Option<ObjectId>,
    /// The submitted draft, which is kept as it is; only the content that it would replace is read again.
    handed_in: Option<&'a str>,
}

/// The drafts of the approved plan, as git grill would make them now, and the plan's outputs that git grill cannot make
/// and no one has submitted.
fn drafts<'s>(
    session: &'s Session,
    store: &dyn SessionStore,
    files: &dyn TargetFiles,
) -> Result<(Vec<Draft>, Vec<&'s Destination>), AppError> {
    let (mut drafts, mut unwritten) = (Vec::new(), Vec::new());
    let Phase::Production(production) = &session.phase else {
        return Ok((drafts, unwritten));
    };
    for planned in &production.plan.outputs {
        let PlannedOutput { destination, strategy, paths, tracker } = planned;
        if tracker.is_some() {
            drafts.extend(issues(session, store, production, planned)?);
            continue;
        }
        let mut unsettled = Vec::with_capacity(paths.len());
        for path in paths {
            let there = read(files, path)?;
            let replaces = there.as_ref().map(|text| store.blob_id(text.as_bytes())).transpose()?;
            let known = production.file(path);
            if known.is_some_and(|drafted| stands(drafted, replaces.as_ref())) {
                continue;
            }
            let handed_in = match known {
                Some(drafted) => Some(&drafted.draft).filter(|draft| draft.origin == Origin::HandedIn),
                None => session.comes_back(&Target::File(path.clone())).map(|parked| &parked.draft),
            };
            let handed_in = handed_in.map(|draft| draft.content.as_str());
            unsettled.push(Unsettled { path, there, replaces, handed_in });
        }
        let mut documents = Vec::new();
        if unsettled.iter().any(|one| one.handed_in.is_none()) {
            let existing = look(session, files, destination, paths)?;
            if output::makes(destination, &existing) {
                documents = output::documents(destination, strategy, paths, session, &existing)
                    .map_err(|why| cannot(destination, &why))?;
            } else {
                unwritten.push(destination);
            }
        }
        let mut documents = documents.into_iter();
        for Unsettled { path, there, replaces, handed_in } in unsettled {
            let (content, origin) = match handed_in {
                Some(content) => (content.to_owned(), Origin::HandedIn),
                // They are in the order of the paths.
                None => match documents.find(|document| document.path == *path) {
                    Some(document) => (document.text, Origin::Generated),
                    None => continue,
                },
            };
            drafts.push(Draft {
                blob: store.blob_id(content.as_bytes())?,
                target: path.clone().into(),
                destination: destination.clone(),
                replaces,
                replaced: there,
                origin,
                content,
            });
        }
    }
    Ok((drafts, unwritten))
}

/// The issues of a plan as they would be drafted now, without those that stand.
fn issues(
    session: &Session,
    store: &dyn SessionStore,
    production: &Production,
    planned: &PlannedOutput,
) -> Result<Vec<Draft>, AppError> {
    let texts = output::issue_drafts(&planned.strategy, session).map_err(|why| cannot(&planned.destination, &why))?;
    let slots: Vec<IssueSlot> = texts.iter().map(|(slot, _)| *slot).collect();
    let further = session.further_issues(&slots).into_iter().map(|slot| (slot, None));
    let mut drafts = Vec::new();
    for (slot, made) in texts.into_iter().map(|(slot, text)| (slot, Some(text))).chain(further) {
        let target = Target::Issue(slot);
        // Only what we made ourselves, and nobody approved or left out, is made anew.
        let stands = production
            .draft(&target)
            .is_some_and(|known| known.stage != Stage::Drafted || known.draft.origin == Origin::HandedIn);
        let back = session.comes_back(&target).map(|parked| (parked.draft.content.clone(), Origin::HandedIn));
        let text = back.or(made.map(|text| (text, Origin::Generated)));
        if let Some((content, origin)) = text.filter(|_| !stands) {
            drafts.push(Draft {
                blob: store.blob_id(content.as_bytes())?,
                target,
                destination: planned.destination.clone(),
                replaces: None,
                replaced: None,
                origin,
                content,
            });
        }
    }
    Ok(drafts)
}

/// The result of drafting.
#[derive(Debug)]
pub struct Made {
    pub outcome: Outcome,
    /// For each output that waits for a submitted draft, the reason.
    pub unwritten: Vec<AppError>,
    /// Names the edited drafts that came back after the understanding had changed.
    pub outdated: Option<AppError>,
    /// Names the decisions that no record was drafted for.
    pub unrecorded: Option<AppError>,
}

impl Made {
    /// What happened, with a warning for each output that waits, for edited drafts that may be outdated, and for decisions
    /// that have no record.
    pub fn warned(self, context: &mut Context<'_>) -> Outcome {
        for error in self.unwritten.iter().chain(&self.outdated).chain(&self.unrecorded) {
            context.voice.warn(error);
        }
        self.outcome
    }

    /// The same for a caller that reviews drafts: without any draft, the reason is the error.
    pub fn shown(mut self, context: &mut Context<'_>) -> Result<Outcome, AppError> {
        let bare = matches!(&self.outcome.after.phase, Phase::Production(production) if production.drafts.is_empty());
        if bare && !self.unwritten.is_empty() {
            return Err(self.unwritten.remove(0));
        }
        Ok(self.warned(context))
    }
}

/// Drafts what the plan asks for, against what stands on disk now; all drafts are one commit.
pub fn draft_all(context: &mut Context<'_>, session: &Session) -> Result<Made, AppError> {
    let Some(targets) = context.targets else {
        return Err(no_working_tree());
    };
    let (drafted, unwritten) = drafts(session, context.dispatcher.store, targets)?;
    let unwritten = unwritten.into_iter().map(|one| cannot(one, &output::Cannot::NotHandedIn)).collect();
    if drafted.is_empty() {
        return Ok(Made { outcome: Outcome::nothing(session.clone()), unwritten, outdated: None, unrecorded: None });
    }
    let outdated = outdated(session, &drafted);
    let unrecorded = unrecorded(session, &drafted);
    let submitted = drafted.into_iter().map(|draft| Command::from(production::Command::SubmitDraft(Box::new(draft))));
    let outcome = context.handle_each(&session.id, &Envelope::all_by(&context.actor, submitted))?;
    Ok(Made { outcome, unwritten, outdated, unrecorded })
}

/// Names the decisions that the drafts of an output leave out.
fn unrecorded(session: &Session, drafted: &[Draft]) -> Option<AppError> {
    let Phase::Production(production) = &session.phase else { return None };
    let is_made = |one: &&PlannedOutput| {
        drafted.iter().any(|draft| draft.destination == one.destination && draft.origin == Origin::Generated)
    };
    let made = production.plan.outputs.iter().filter(is_made);
    let left: Vec<String> = made.flat_map(|one| output::unrecorded(&one.destination, &one.strategy, session)).collect();
    if left.is_empty() {
        return None;
    }
    Some(AppError::Declined {
        code: "not_recorded",
        message: format!("no record was drafted for decisions without a rejected option: {}", some_of(left)),
        causes: Vec::new(),
        hint: "git grill finish, then git grill checkpoint edit: a line “Not chosen: …” below a decision gives it a record"
            .to_owned(),
    })
}

/// Names the drafts that come back as they were edited, and that were edited before the understanding changed.
fn outdated(session: &Session, drafted: &[Draft]) -> Option<AppError> {
    let now = session.understanding();
    let edited_before = |target: &Target| session.comes_back(target).is_some_and(|one| one.understanding != now);
    let targets: Vec<String> =
        drafted.iter().map(|one| &one.target).filter(|one| edited_before(one)).map(ToString::to_string).collect();
    let first = word(targets.first()?);
    let hint = format!(
        "git grill draft {first} shows it, and git grill draft --edit {first} changes it; git grill draft --drop {first} \
         and then git grill select drafts it from the session again"
    );
    let message =
        format!("edited drafts came back, although the understanding has changed since: {}", some_of(targets));
    Some(AppError::Declined { code: "edited_before", message, causes: Vec::new(), hint })
}

/// Whether a draft stands as it is: a fresh one would ask for the approval again. An approved one whose file changed
/// since it was shown can never be written, so it does not.
fn stands(drafted: &Drafted, on_disk: Option<&ObjectId>) -> bool {
    match drafted.stage {
        Stage::Drafted => false,
        Stage::Approved { .. } => on_disk == drafted.draft.replaces.as_ref() || on_disk == Some(&drafted.draft.blob),
        Stage::Dropped | Stage::Written { .. } | Stage::Created { .. } => true,
    }
}

/// The drafts of the open output phase for `wanted` targets, each with what it would change.
pub fn previews(
    session: &Session,
    files: &dyn TargetFiles,
    wanted: impl Fn(&Target) -> bool,
) -> Result<Vec<Preview>, AppError> {
    let Phase::Production(production) = &session.phase else {
        return Ok(Vec::new());
    };
    production
        .drafts
        .iter()
        .filter(|drafted| wanted(&drafted.draft.target))
        .map(|drafted| {
            Ok(Preview {
                draft: drafted.draft.clone(),
                on_disk: drafted.draft.path().map(|path| read(files, path)).transpose()?.flatten(),
                stage: drafted.stage.name(),
            })
        })
        .collect()
}

/// The gate as it stands now (G26).
pub fn gate(session: &Session) -> crate::domain::selection::Gate {
    crate::interviewer::gate(session)
}
