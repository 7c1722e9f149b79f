//! The context is made: the repository is opened, and everything that a request may need is put at hand.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::PathBuf;

use console::Term;

use crate::app::context::Context;
use crate::app::dispatcher::Dispatcher;
use crate::app::error::AppError;
use crate::app::ports::{
    BaselineError, CheckpointView, Checks, Commits, Leading, Recorder, SessionStore, Supervising, TargetFiles,
};
use crate::app::prompt::Prompter;
use crate::cli::args::Verb;
use crate::domain::actor::Actor;
use crate::domain::harmless::harmless;
use crate::git::Repo;
use crate::git::signing::Signer;
use crate::hooks::Place;
use crate::render;
use crate::repo::baseline::{GitBaseline, Site};
use crate::repo::commits::GitCommits;
use crate::repo::config::signing::Signing;
use crate::repo::config::{Config, Ignored, UnknownKey};
use crate::repo::inferred;
use crate::repo::open::{Opened, RepoEnv, open};
use crate::repo::targets::WorktreeFiles;
use crate::sandbox::broker::store::ReadOnlyStore;
use crate::store::commit::Identity;
use crate::store::durable::Durability;
use crate::store::git::{GitStore, Options};
use crate::store::view::WorkTreeView;
use crate::term::settings::{Colours, Manner as PromptManner, Marks, Settings as PromptSettings};
use crate::term::terminal::Terminal;
use crate::tracker::Gh;

use super::ancestry;
use super::attention::Attentive;
use super::checks::ShellChecks;
use super::citations::LazyCitations;
use super::clock::GitClock;
use super::doctor::{Doctor, Watched};
use super::editor::GitEditor;
use super::elsewhere::{Machine, whole};
use super::environment::Environment;
use super::extensions::LocalExtensions;
use super::failure::failed;
use super::guardian::HookProtection;
#[cfg(feature = "acp")]
use super::lead::Agents;
use super::nonce::KernelNonce;
use super::painting::Painting;
use super::process::{Programs, spawner};
use super::request::Form;
use super::scout::LazyScout;
use super::screen::Screen;
use super::shown::{Memory, ShownTexts};
use super::speak::{self, TerminalVoice};
#[cfg(feature = "acp")]
use super::supervised::Supervised;
use super::{baseline, identity, maintenance, run};

/// What a request is preceded by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// A session begins: what is only to be said once is said now.
    Beginning,
    /// The fences are looked after first: one that a crash left would be in everybody's way.
    Any,
    /// It says what it finds and mends that only when it is asked to.
    Telling,
    /// An agent is tried, or lent work: nothing is touched, and one is started whatever the form of the reply.
    Trial,
}

impl Occasion {
    pub(super) fn of(verb: Option<&Verb>, form: Form) -> Self {
        match (verb, form) {
            (Some(Verb::Doctor(_) | Verb::Fsck(_) | Verb::Hooks(_)), _) => Self::Telling,
            (Some(Verb::Agent(_)), _) => Self::Trial,
            (Some(Verb::Start(_)) | None, Form::Text) => Self::Beginning,
            (_, Form::Text | Form::Json | Form::Tool | Form::Porcelain) => Self::Any,
        }
    }
}

/// Who calls, and how they are asked.
#[cfg_attr(not(feature = "mcp"), expect(dead_code, reason = "only protocols have a way of their own"))]
pub(super) enum Caller<'p> {
    /// Whoever typed the request, asked at the terminal.
    Whoever,
    /// Somebody on behalf of whom another process decides; nobody is asked.
    Another(Actor),
    /// A program that has its own way of asking a person.
    Client(Seat<'p>),
}

impl<'p> Caller<'p> {
    fn identify(self, environment: &Environment, terminal: &Terminal) -> Seated<'p> {
        match self {
            Caller::Whoever => (actor(environment, terminal), None, None),
            Caller::Another(who) => (who, None, None),
            Caller::Client(Seat { actor, prompter, shown }) => (actor, Some(prompter), Some(shown)),
        }
    }
}

/// Who calls, with a program's own way of asking and what it was shown.
type Seated<'p> = (Actor, Option<&'p mut dyn Prompter>, Option<&'p Memory>);

pub(super) struct Seat<'p> {
    pub actor: Actor,
    pub prompter: &'p mut dyn Prompter,
    /// What it was shown since it came.
    pub shown: &'p Memory,
}

/// Makes the context and works in it.
pub(super) fn with_context<T>(
    environment: &Environment,
    occasion: Occasion,
    form: Form,
    screen: Screen,
    who: Caller<'_>,
    work: impl FnOnce(&mut Context<'_>) -> Result<T, AppError>,
) -> Result<(T, Screen), AppError> {
    let var = |name: &str| environment.var(name);
    let env = RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() };
    let opened = open(&env)?;
    let config = Config::load(Some(&opened), &var, &environment.account)?;
    let screen = screen.configured(&config)?;
    let (colours, defaults) = (screen.colours, config.settings()?);
    let signers = identity::identity(environment, &config);
    warn_of(&config, &signers, occasion, form)?;
    let by = signers.committed_by();
    let home = environment.var("HOME").map(PathBuf::from);
    let signing = config.signing(home.as_deref())?;
    let signing_programs = config.signing_programs(home.as_deref())?;
    let options = Options { durability: durability(&config)?, ..Options::new(signers) };

    let checks = ShellChecks::of(&opened, &environment.program);
    let (place, site) = (place(environment, &opened), Site::of(&opened));
    let git_dir = opened.git_dir.clone();
    let (base, branch) = (opened.head.commit().cloned(), opened.head.branch().map(str::to_owned));
    let (targets, commits) = (WorktreeFiles::new(&opened), GitCommits::of(&opened, &Programs, signing_programs));
    let infer = || {
        let opened = open(&env).ok()?;
        let inferred = inferred::infer_topic(&opened, &Programs)?;
        Some((inferred.topic.as_str().to_owned(), inferred.because))
    };
    let elsewhere = Machine { cwd: environment.cwd.clone() };
    let signer = signing.map(|Signing { program, settings }| Signer { process: spawner(), program, settings });
    let store = store(forced(opened, &env, options.durability)?, options, signer);
    let view = WorkTreeView::open(store.repo());
    let clock = GitClock::new(environment);
    let guardian =
        HookProtection { place, env: env.clone(), hooks_path: config.string("core.hooksPath").map(PathBuf::from) };
    let broker = run::broker(environment);
    if !matches!(occasion, Occasion::Telling | Occasion::Trial) && broker.is_none() {
        tend(&guardian, &colours);
    }
    let onlooker = run::Onlooker(&guardian);
    let reading = baseline::reading(environment, &config)?;
    let again = || Ok(open(&env).map_err(|error| BaselineError::failed("opening the repository", error))?.repo);
    let baseline = GitBaseline::new(site, &again, &Programs, reading, &clock);
    let sparse = config.switch("core.sparseCheckout").unwrap_or(false);
    let scout = LazyScout { env: env.clone(), origin: config.string("remote.origin.url"), sparse };
    let terminal = Terminal::new(prompt_settings(environment, form, &colours));
    let (actor, seated, memory) = who.identify(environment, &terminal);
    let mut terminal = Attentive::new(terminal, config.notify()?);
    let inside = broker.as_ref().map(|broker| ReadOnlyStore { store: &store, recorder: broker });
    let physician = Doctor { guardian: &guardian, config: &config, by, clock: &clock, watched: watched(form) };
    // Inside a run no agent is started: whoever is outside does that.
    let may_lead = seated.is_none() && (form == Form::Text || occasion == Occasion::Trial) && broker.is_none();
    let mut agents = agents(environment, &config, &guardian.place).filter(|_| may_lead);
    let supervised = supervised(environment, &config, &guardian.place).filter(|_| broker.is_none());
    let mut voice = TerminalVoice::new(form, (&actor, terminal.available()), colours, screen.pager.clone());
    let mut context = Context {
        dispatcher: Dispatcher {
            store: inside.as_ref().map_or(&store as &dyn SessionStore, |inside| inside),
            clock: &clock,
            nonce: &KernelNonce,
            base,
            outside: broker.as_ref().map(|broker| broker as &dyn Recorder),
        },
        // Whoever records shows it, too.
        view: view.as_ref().filter(|_| broker.is_none()).map(|view| view as &dyn CheckpointView),
        shown: &ShownTexts::in_repository(&git_dir, memory),
        scout: &scout,
        citations: &LazyCitations::new(env.clone(), sparse),
        targets: targets.as_ref().map(|files| files as &dyn TargetFiles),
        tracker: &tracker(environment),
        commits: commits.as_ref().map(|commits| commits as &dyn Commits),
        guardian: if broker.is_some() { &onlooker } else { &guardian },
        physician: &physician,
        baseline: &baseline,
        extensions: &LocalExtensions::new(environment, &config, guardian.place.common_dir.clone()),
        checks: checks.as_ref().map(|checks| checks as &dyn Checks),
        editor: &GitEditor { git_dir, open: RefCell::default() },
        elsewhere: &elsewhere,
        inference: &infer,
        input: &read_input,
        prompter: match seated {
            Some(prompter) => prompter,
            None => &mut terminal,
        },
        voice: &mut voice,
        actor,
        defaults,
        supervising: supervised.as_deref(),
        leading: agents.as_deref_mut().map(|agents| agents as &mut dyn Leading),
        leader: config.leader()?,
        fencing: config.fencing()?,
        packet_limit: config.packet_limit()?,
        lent_agent: config.lent_agent()?,
        branch,
    };
    let done = work(&mut context);
    let notices = store.take_notices().into_iter().chain(baseline.take_notices());
    notices.for_each(|notice| speak::naming(&format!("warning: {notice}\n")));
    // By now no lock of ours is held any more.
    if store.wants_maintenance()
        && let Some(warning) = maintenance::look_after(environment, &guardian.place, &config)
    {
        speak::naming(&format!("warning: {warning}\n"));
    }
    Ok((done?, screen))
}

/// The agents that can be started to lead, where this was built with them.
#[cfg(feature = "acp")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there are none")]
fn agents<'a>(environment: &'a Environment, config: &'a Config, place: &Place) -> Option<Box<dyn Leading + 'a>> {
    Some(Box::new(Agents::new(environment, config, place.common_dir.clone())))
}

/// The agents that can be started to lead, where this was built with them.
#[cfg(not(feature = "acp"))]
fn agents<'a>(_environment: &'a Environment, _config: &'a Config, _place: &Place) -> Option<Box<dyn Leading + 'a>> {
    None
}

/// The agents that are supervised here, where this was built with them. Inside a run none is: an agent's agents would be
/// nobody's.
#[cfg(feature = "acp")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there are none")]
fn supervised<'a>(
    environment: &'a Environment,
    config: &'a Config,
    place: &Place,
) -> Option<Box<dyn Supervising + 'a>> {
    Some(Box::new(Supervised { environment, config, common: place.common_dir.clone() }))
}

/// The agents that are supervised here, where this was built with them.
#[cfg(not(feature = "acp"))]
fn supervised<'a>(
    _environment: &'a Environment,
    _config: &'a Config,
    _place: &Place,
) -> Option<Box<dyn Supervising + 'a>> {
    None
}

/// Whether a person sees what is said beside the reply.
fn watched(form: Form) -> Watched {
    if form == Form::Text && Term::stderr().is_term() { Watched::AtTerminal } else { Watched::ByNobody }
}

fn tracker(environment: &Environment) -> Gh<'static> {
    let own_host = environment.var("GH_HOST").and_then(|host| host.into_string().ok());
    Gh::new(&Programs, &environment.cwd, own_host)
}

/// Has the hooks looked after, and says what came of it.
fn tend(guardian: &HookProtection<'_>, colours: &Painting) {
    match guardian.tend() {
        Ok(said) => said.iter().for_each(|said| speak::naming(&format!("warning: {said}\n"))),
        Err(error) => speak::err(&render::warning_text(&error, &colours.err())),
    }
}

fn once_more(opened: &Opened, env: &RepoEnv<'_>) -> Result<Repo, AppError> {
    Ok(match &opened.repo {
        Repo::Library(_) => open(env)?.repo,
        Repo::Program(program) => Repo::Program(program.again()),
    })
}

/// The repository that sessions are written to. The first handle has looked at refs before it was known that they are to
/// be forced onto the disk.
fn forced(opened: Opened, env: &RepoEnv<'_>, durability: Durability) -> Result<Repo, AppError> {
    Ok(if durability.tell() { once_more(&opened, env)? } else { opened.repo })
}

fn store(repo: Repo, options: Options, signer: Option<Signer>) -> GitStore {
    let store = GitStore::open(repo, options);
    match signer {
        Some(signer) => store.signed_by(signer),
        None => store,
    }
}

/// What a program asks for, with nobody at a terminal.
pub(super) fn for_a_program<T>(
    environment: &Environment,
    who: Caller<'_>,
    work: impl FnOnce(&mut Context<'_>) -> Result<T, AppError>,
) -> Result<T, AppError> {
    with_context(environment, Occasion::Any, Form::Json, Screen::blank(environment), who, work).map(|(done, _)| done)
}

/// Says what of the configuration will not do what somebody may have meant by it.
fn warn_of(config: &Config, signers: &Identity, occasion: Occasion, form: Form) -> Result<(), AppError> {
    let begins = occasion == Occasion::Beginning;
    if begins {
        speak::err(&unread(config));
    }
    if begins && signers.author.is_none() {
        speak::err(
            "warning: git knows no name for you, so commits of the session are signed git-grill@localhost\nhint: git config \
             --global user.name \"<you>\" and user.email\n",
        );
    }
    if form == Form::Text {
        for Ignored { key, value, origin, instead } in config.ignored()? {
            let said = format!("warning: {} = {} {origin} is ignored; {instead}\n", harmless(&key), harmless(&value));
            speak::err(&said);
        }
    }
    Ok(())
}

/// The keys in the configuration that nobody reads, one warning each.
fn unread(config: &Config) -> String {
    let warning =
        |key: UnknownKey| format!("warning: '{}' {} is no key of git grill\n", harmless(&key.name), key.origin);
    config.unknown_keys().into_iter().map(warning).collect()
}

/// Who is behind this request: an agent by its variables, a person by a terminal that could ask them, else a script.
fn actor(environment: &Environment, terminal: &Terminal) -> Actor {
    let named = run::within(environment).or(environment.agent().map(str::to_owned));
    match named.or_else(|| ancestry::is_of_a_run().then(|| "run".to_owned())) {
        Some(agent) => Actor::Agent(agent),
        None if terminal.available().is_ok() && Environment::stdin_is_terminal() => Actor::Human,
        None => Actor::Unattended,
    }
}

fn place(environment: &Environment, opened: &Opened) -> Place {
    Place {
        common_dir: opened.common_dir.clone(),
        git_dir: opened.git_dir.clone(),
        root: opened.worktree.clone().unwrap_or_else(|| opened.git_dir.clone()),
        binary: environment.program.clone(),
    }
}

fn durability(config: &Config) -> Result<Durability, AppError> {
    Ok(Durability::wanted(config.string("core.fsync").as_deref(), config.fsync()?.then_some(true)))
}

fn read_input() -> Result<String, AppError> {
    let bytes = whole(std::io::stdin().lock()).map_err(|error| {
        let is_long = error.kind() == ErrorKind::FileTooLarge;
        let what = if is_long { "is too long, and nothing was recorded" } else { "could not be read" };
        failed("io", &format!("standard input {what}"), &error, None)
    })?;
    String::from_utf8(bytes)
        .map_err(|error| failed("io", "standard input is not UTF-8, and nothing was recorded", &error, None))
}

fn prompt_settings(environment: &Environment, form: Form, colours: &Painting) -> PromptSettings {
    let dumb = environment.text("TERM").is_none_or(|term| term == "dumb");
    let plain = dumb || environment.text("GRILL_ACCESSIBLE").is_some_and(|value| value != "0");
    let utf8 = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| environment.text(name))
        .is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
    let forbidden = match form {
        Form::Json => Some("--json was given"),
        Form::Porcelain => Some("this form of output asks nobody"),
        Form::Text | Form::Tool if environment.text("CI").is_some() => Some("CI is set"),
        Form::Text | Form::Tool if environment.pager_in_use() => Some("a pager has the terminal"),
        Form::Text | Form::Tool => None,
    };
    PromptSettings {
        manner: if plain { PromptManner::Plain } else { PromptManner::Drawn },
        colours: if colours.err().colours { Colours::On } else { Colours::Off },
        marks: if utf8 { Marks::Unicode } else { Marks::Ascii },
        forbidden,
        pause: environment.waits.pause,
    }
}
