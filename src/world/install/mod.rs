//! `git grill agent install` and `uninstall`: the files are read, edited as the `install` room says, and written all
//! or none.

mod folders;
mod target;
mod write;

use std::fmt;

use crate::agents::hooks::Moment;
use crate::agents::install::{Evidence, Purpose};
use crate::agents::{Hooked, Installable};
use crate::app::agents::{AgentRow, FileChange, InstallAction, Installed, Scope, SetUp, Writing};
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::cli::args::agent::{Agent as Args, AgentAction, InstallTarget};
use crate::domain::session::Phase;
use crate::guard::hook_line;
use crate::guard::telling;
use crate::install::json::EntryState;
use crate::install::part::Content;
use crate::install::plan::{FilePlan, by_file};
use crate::install::recipe::{GRILL, Gate, Given, Permission, can_permit, parts};
use crate::install::trouble::Trouble;
use crate::repo::open::{OpenError, Opened, RepoEnv, open};
use crate::store::posture::posture_source;

use super::environment::Environment;
use super::run;
use crate::world::process::spawner;
use folders::Folders;
use target::Target;

pub(super) fn serve(environment: &Environment, args: &Args) -> Result<Reply, AppError> {
    match &args.action {
        AgentAction::Install(install) if install.list => list(environment),
        AgentAction::Install(install) => {
            let permission = if install.allow_tools { Permission::Wanted } else { Permission::Left };
            let name = install.name.as_deref().unwrap_or_default();
            set_up(environment, name, install.install_target, InstallAction::Install, permission)
        }
        AgentAction::Uninstall(uninstall) => {
            set_up(environment, &uninstall.name, uninstall.install_target, InstallAction::Uninstall, Permission::Wanted)
        }
        // Asks a person, so it is served in a context.
        #[cfg(feature = "acp")]
        AgentAction::Preflight(_) => Err(AppError::Usage {
            message: "an agent is tried from a command line of its own".to_owned(),
            hint: "git grill agent preflight <name>".to_owned(),
        }),
        #[cfg(feature = "acp")]
        AgentAction::Doctor(doctor) => super::lead::doctor(environment, &doctor.name),
        // Asks a person, too.
        AgentAction::Lending(_) => Err(AppError::Usage {
            message: "agent sessions have commands of their own".to_owned(),
            hint: "git grill agent start \"<prompt>\"".to_owned(),
        }),
    }
}

fn set_up(
    environment: &Environment,
    name: &str,
    install_target: InstallTarget,
    deed: InstallAction,
    permission: Permission,
) -> Result<Reply, AppError> {
    let agent = named(name)?;
    if deed == InstallAction::Install && permission == Permission::Wanted && !can_permit(agent) {
        return Err(AppError::Usage {
            message: format!(
                "{agent} was not set up: git grill does not know how to let it call tools without asking you"
            ),
            hint: format!("git grill agent install {agent}"),
        });
    }
    let scope = if install_target.user { Scope::User } else { Scope::Project };
    let writing = if install_target.dry_run { Writing::Shown } else { Writing::Done };
    let opened = opened(environment, scope, agent, deed)?;
    if writing == Writing::Done {
        may_write(environment, opened.as_ref(), scope, agent, deed)?;
    }
    let folders = Folders::of(environment, opened.as_ref());
    let mut targets = Vec::new();
    let mut files = Vec::new();
    // Everything is known before the first byte is written.
    for plan in by_file(parts(agent, scope, &given(agent, permission))) {
        let target = Target::read(&folders, &plan.place)?;
        let after = plan
            .edited(target.before.as_deref(), deed)
            .map_err(|trouble| not_edited(&target.shown, &trouble, agent, scope, deed))?;
        files.push(FileChange {
            path: target.shown.clone(),
            holds: plan.holds(match deed {
                InstallAction::Install => after.as_deref(),
                InstallAction::Uninstall => target.before.as_deref(),
            }),
            before: target.before.clone(),
            after: after.clone(),
        });
        targets.push((target, after));
    }
    if writing == Writing::Done {
        write::all(&targets)?;
    }
    let about = &agent.about;
    let trust = match scope {
        Scope::Project => about.trust_project,
        Scope::User => about.trust_user,
    };
    Ok(Reply::SetUp(Box::new(SetUp {
        agent: agent.name(),
        label: agent.title(),
        deed,
        writing,
        scope,
        files,
        trust,
        start: about.start,
        command: about.command,
        gaps: about.gaps,
    })))
}

fn named(name: &str) -> Result<Installable, AppError> {
    Installable::named(name).ok_or_else(|| {
        let names = Installable::all().map(|agent| agent.name()).collect::<Vec<_>>().join(", ");
        AppError::Usage {
            message: format!("git grill knows no agent '{}'", name.escape_debug()),
            hint: format!("git grill agent install <agent>, one of {names}"),
        }
    })
}

/// The repository that this is about; outside of one only the user's own settings can be meant.
fn opened(
    environment: &Environment,
    scope: Scope,
    agent: impl fmt::Display,
    deed: InstallAction,
) -> Result<Option<Opened>, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = match (open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() }), scope) {
        (Ok(opened), _) => opened,
        (Err(OpenError::NotARepository { .. }), Scope::User) => return Ok(None),
        (Err(error @ OpenError::NotARepository { .. }), Scope::Project) => {
            return Err(AppError::Environment {
                code: "not_a_repository",
                message: format!("{agent} was not set up: {error}"),
                causes: Vec::new(),
                hint: Some(format!("git grill agent {} {agent} --user, for your own settings", deed.verb())),
            });
        }
        (Err(error), _) => return Err(error.into()),
    };
    if opened.worktree.is_none() && scope == Scope::Project {
        return Err(AppError::Environment {
            code: "no_working_tree",
            message: format!("{agent} was not set up: this repository has no working tree to write files into"),
            causes: Vec::new(),
            hint: Some(format!("git grill agent {} {agent} --user, for your own settings", deed.verb())),
        });
    }
    Ok(Some(opened))
}

/// While a session is active the repository's files wait, and no agent takes its own gate away.
fn may_write(
    environment: &Environment,
    opened: Option<&Opened>,
    scope: Scope,
    agent: Installable,
    deed: InstallAction,
) -> Result<(), AppError> {
    let Some(opened) = opened else { return Ok(()) };
    let active = posture_source(&opened.repo)?.filter(|(phase, _)| !matches!(phase, Phase::Closed { .. }));
    let (Some((_, session)), verb) = (active, deed.verb()) else { return Ok(()) };
    let under = run::within(environment).or(environment.agent().map(str::to_owned));
    match (scope, deed, under) {
        (Scope::Project, _, _) => Err(AppError::Declined {
            code: "session_active",
            message: format!(
                "{agent} was not {verb}ed: that changes files of the repository, and session {session} is active"
            ),
            causes: Vec::new(),
            hint: format!("git grill stop, then git grill agent {verb} {agent}; or --user, for your own settings"),
        }),
        (Scope::User, InstallAction::Uninstall, Some(under)) => Err(AppError::NeedsPerson {
            deed: "taking the gate away while a session is active".to_owned(),
            why: format!("this runs under {under}"),
            hint: format!("a person types git grill agent uninstall {agent} --user at a terminal"),
        }),
        (Scope::User, InstallAction::Install | InstallAction::Uninstall, _) => Ok(()),
    }
}

/// What the guard gives an agent to call us by.
fn given(agent: Installable, permission: Permission) -> Given {
    let Some(guarded) = Hooked::named(agent.name()) else {
        return Given { gate: Gate::None, at_start: None, with_prompt: None, permission };
    };
    let gate = match (hook_line::line(guarded), hook_line::shim(guarded, GRILL)) {
        (Some(line), _) => Gate::Line(line),
        (None, Some(text)) => Gate::Plugin(text),
        (None, None) => Gate::None,
    };
    let line = |moment| telling::line(guarded, moment);
    Given { gate, at_start: line(Moment::SessionStart), with_prompt: line(Moment::Prompt), permission }
}

fn not_edited(
    shown: &std::path::Path,
    trouble: &Trouble,
    agent: Installable,
    scope: Scope,
    deed: InstallAction,
) -> AppError {
    let verb = deed.verb();
    let again = format!("git grill agent {verb} {agent} {}", scope.option());
    let message = format!("{agent} was not {verb}ed, and nothing was written: {} stays as it is", shown.display());
    let causes = vec![trouble.to_string()];
    if trouble.is_conflict() {
        let hint = format!("look at {}, rename or move away what is yours, then {again}", shown.display());
        return AppError::Declined { code: "conflict", message, causes, hint };
    }
    let hint = Some(format!("mend {}, then {again}", shown.display()));
    AppError::Environment { code: "unreadable_settings", message, causes, hint }
}

fn list(environment: &Environment) -> Result<Reply, AppError> {
    let opened = opened(environment, Scope::User, "an agent", InstallAction::Install)?;
    let folders = Folders::of(environment, opened.as_ref());
    let row = |agent: Installable| {
        let about = &agent.about;
        let given = given(agent, Permission::Left);
        let all = parts(agent, Scope::Project, &given);
        let words = |evidence| {
            let those = all.iter().filter(|part| part.evidence == evidence && !matches!(part.content, Content::Former));
            those.map(|part| part.purpose.word()).collect::<Vec<_>>()
        };
        let (tried, told) = (words(Evidence::Tried), words(Evidence::Told));
        let state = |scope| {
            let plans = by_file(parts(agent, scope, &given));
            plans.iter().all(|plan| folders.has(plan.place.root)).then(|| installed(&folders, &plans))
        };
        AgentRow {
            agent: agent.name(),
            label: agent.title(),
            enforced: all.iter().any(|part| part.purpose == Purpose::Gate),
            gaps: about.gaps,
            elicitation: about.elicitation,
            instructions: about.instructions,
            seen: about.seen,
            tried,
            told,
            project: state(Scope::Project),
            user: state(Scope::User),
            trust_project: about.trust_project,
            trust_user: about.trust_user,
        }
    };
    Ok(Reply::Agents(Installable::all().map(row).collect()))
}

fn installed(folders: &Folders, plans: &[FilePlan]) -> Installed {
    let mut all = Vec::new();
    for plan in plans {
        let target = match Target::read(folders, &plan.place) {
            Ok(target) => target,
            Err(error) => return Installed::Unclear(error.to_string()),
        };
        match plan.standing(target.before.as_deref()) {
            Ok(standings) => all.extend(standings),
            Err(trouble) => return Installed::Unclear(format!("{}: {trouble}", target.shown.display())),
        }
    }
    if all.iter().all(|one| *one == EntryState::Absent) {
        Installed::No
    } else if all.contains(&EntryState::Absent) {
        Installed::Partly
    } else if all.contains(&EntryState::Older) {
        Installed::Older
    } else {
        Installed::Yes
    }
}
