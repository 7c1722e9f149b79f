//! The stage: a folder with a small project, a home of its own, and a way to run commands in it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{Process, Ran, Run};
use crate::cli::args::Cli;
use crate::cli::{self, Manner};
use crate::domain::actor::Actor;
use crate::render::{self, Asked, Look};
use crate::repo::config::Account;
use crate::world::context::{Caller, Occasion, with_context};
use crate::world::environment::Environment;
use crate::world::failure::failed;
use crate::world::painting::Shown;
use crate::world::process::{Programs, become_program};
use crate::world::request::Form;
use crate::world::screen::Screen;
use crate::world::speak;

const PROJECT: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../../fixtures/demo/Cargo.toml")),
    ("README.md", include_str!("../../../fixtures/demo/README.md")),
    ("src/main.rs", include_str!("../../../fixtures/demo/src/main.rs")),
    ("src/server.rs", include_str!("../../../fixtures/demo/src/server.rs")),
    ("src/auth.rs", include_str!("../../../fixtures/demo/src/auth.rs")),
    ("tests/api.rs", include_str!("../../../fixtures/demo/tests/api.rs")),
    (".github/workflows/ci.yml", include_str!("../../../fixtures/demo/.github/workflows/ci.yml")),
];

/// The stage's own user configuration.
const CONFIG: &str = "[user]\n\tname = Demo\n\temail = demo@example.invalid\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n";
/// The configuration of its account: in this throw-away repository a script may approve (G30).
const ACCOUNT: &str = "[grill]\n\tapproval = script\n";

/// Name of either in its home folder.
const CONFIG_FILE: &str = ".gitconfig";
/// The variable by which the demo tells itself which folder is the stage.
const STAGE: &str = "GRILL_DEMO";

/// Whether a command is expected to be done or to be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Done,
    Refused,
}

/// A repository to play in.
pub(super) struct Stage {
    repo: PathBuf,
    home: PathBuf,
    kept: bool,
    /// What is started here finds: the stage's own account, and the variables that this process was given for it.
    environment: Environment,
    look: Look,
}

/// The folder of the stage in this process, once it is the program that plays; an empty one, since it is removed at the
/// end.
pub(super) fn home(environment: &Environment) -> Result<Option<PathBuf>, AppError> {
    let Some(home) = environment.var(STAGE).map(PathBuf::from) else {
        return Ok(None);
    };
    let empty = fs::read_dir(&home).is_ok_and(|mut entries| entries.next().is_none());
    let set = variables(&home, environment);
    let foreign = |name: &OsString| !set.iter().any(|(own, value)| own == name && environment.is(own, value));
    let led_astray =
        environment.misleading().into_iter().filter(|name| environment.has(name)).any(|name| foreign(&name));
    if empty && !led_astray {
        return Ok(Some(home));
    }
    Err(AppError::Environment {
        code: "demo_failed",
        message: format!("the demo did not start: {STAGE} is set, which only the demo itself may set"),
        causes: Vec::new(),
        hint: Some(format!("env -u {STAGE} git grill demo")),
    })
}

/// Starts the demo over as a program that finds nothing but the stage around it; gives why that failed.
pub(super) fn enter(environment: &Environment) -> AppError {
    let home = match scratch(environment) {
        Ok(home) => home,
        Err(error) => return error,
    };
    let mut without = environment.misleading();
    without.push("XDG_CONFIG_HOME".into());
    let run =
        Run { env: variables(&home, environment), without, ..Run::new(&environment.program, environment.args.clone()) };
    let error = become_program(&run);
    let _ = fs::remove_dir(&home);
    failed("demo_failed", "the demo could not be started", &error, None)
}

/// The variables of everything that is started on the stage.
fn variables(home: &Path, environment: &Environment) -> Vec<(OsString, OsString)> {
    let mut path = environment.program.parent().map(Path::as_os_str).unwrap_or_default().to_owned();
    path.push(":");
    path.push(environment.var("PATH").unwrap_or_default());
    let set = |name: &str, value: OsString| (OsString::from(name), value);
    vec![
        set(STAGE, home.into()),
        set("PATH", path),
        set("HOME", home.into()),
        set("GIT_CONFIG_GLOBAL", home.join(CONFIG_FILE).into_os_string()),
        set("GIT_CONFIG_NOSYSTEM", "1".into()),
        set("GIT_PAGER", "cat".into()),
    ]
}

impl Stage {
    /// Makes the folder, the project and its first commit.
    pub(super) fn set(
        environment: &Environment,
        home: &Path,
        keep: Option<&Path>,
        look: Look,
    ) -> Result<Self, AppError> {
        let repo = match keep {
            Some(dir) => environment.cwd.join(dir),
            None => home.join("notes-api"),
        };
        let made = |error: std::io::Error| {
            failed(
                "demo_failed",
                "the demo's repository could not be made",
                &error,
                Some("git grill demo --keep <a new folder>".to_owned()),
            )
        };
        if keep.is_some() {
            // Must not exist: a demo never plays in somebody's folder.
            fs::create_dir(&repo).map_err(made)?;
        }
        for (path, text) in PROJECT {
            let file = repo.join(path);
            fs::create_dir_all(file.parent().unwrap_or(&repo)).map_err(made)?;
            fs::write(&file, text).map_err(made)?;
        }
        fs::write(home.join(CONFIG_FILE), CONFIG).map_err(made)?;
        let account = home.join("account");
        fs::create_dir(&account).map_err(made)?;
        fs::write(account.join(CONFIG_FILE), ACCOUNT).map_err(made)?;
        let environment = environment.of_another(Account::at(account, PathBuf::new()), repo.clone());
        let stage = Self { repo, home: home.to_owned(), kept: keep.is_some(), environment, look };
        for quiet in ["git init -q", "git add -A", "git commit -q -m 'notes with API keys'"] {
            expect(&stage.run(quiet)?, Expected::Done, quiet)?;
        }
        Ok(stage)
    }

    pub(super) fn say(&self, text: &str) -> Result<(), AppError> {
        speak::out(&format!("\n{}\n", self.look.strong(format!("# {text}"))))
    }

    /// Shows a command and what it prints; an outcome that was not expected ends the demo.
    pub(super) fn show(&self, command: &str, expected: Expected) -> Result<(), AppError> {
        speak::out(&format!("\n{} {command}\n", self.look.good("$")))?;
        let ran = self.run(command)?;
        speak::out(&String::from_utf8_lossy(&ran.stdout))?;
        speak::out(&String::from_utf8_lossy(&ran.stderr))?;
        expect(&ran, expected, command)
    }

    /// Starts a session with these words and shows what is said to it. It is started in this process: the account whose
    /// word lets a script approve is handed over by no variable.
    pub(super) fn begin(&self, words: &[&str]) -> Result<(), AppError> {
        let typed = |word: &&str| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() };
        let line = words.iter().map(typed).collect::<Vec<_>>().join(" ");
        speak::out(&format!("\n{} git grill {line}\n", self.look.good("$")))?;
        let cli = Cli::try_parse_from([&["git-grill"][..], words].concat())
            .map_err(|error| failed("demo_failed", "the demo could not start a session", &error, None))?;
        let screen = Screen::blank(&self.environment);
        let look = screen.colours.out(Asked::InText, Shown::AtOnce);
        let caller = Caller::Another(Actor::Unattended);
        let (reply, _) = with_context(
            &self.environment,
            Occasion::Beginning,
            Form::Porcelain,
            screen,
            caller,
            |context: &mut Context<'_>| cli::serve(context, cli.verb, Manner::Single),
        )?;
        speak::out(&render::reply_text(&reply, &look))
    }

    /// Runs a command without showing it.
    pub(super) fn quietly(&self, command: &str) -> Result<String, AppError> {
        let ran = self.run(command)?;
        expect(&ran, Expected::Done, command)?;
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    fn run(&self, command: &str) -> Result<Ran, AppError> {
        // The stage is ours, and may be entered from the folder that this program was built in, where else no program is
        // looked for.
        let path = self.environment.var("PATH").unwrap_or_default();
        let run = Run { env: vec![("PATH".into(), path)], ..Run::new("sh", ["-c", command]).within(&self.repo) };
        Programs.run(&run).map_err(|error| failed("demo_failed", "the demo could not run a command", &error, None))
    }
}

fn expect(ran: &Ran, expected: Expected, command: &str) -> Result<(), AppError> {
    let wanted = match expected {
        Expected::Done => ran.code == 0,
        Expected::Refused => ran.code != 0,
    };
    if wanted {
        return Ok(());
    }
    Err(AppError::Environment {
        code: "demo_failed",
        message: format!("the demo stopped: '{command}' ended with {}", ran.code),
        causes: String::from_utf8_lossy(&ran.stderr).lines().map(str::to_owned).collect(),
        hint: Some("git --version (2.34 or newer is needed)".to_owned()),
    })
}

impl Drop for Stage {
    fn drop(&mut self) {
        // The home is always ours; the repository lies within it unless it was asked to be kept elsewhere.
        let _ = fs::remove_dir_all(&self.home);
        debug_assert!(self.kept || !self.repo.exists());
    }
}

/// A new folder in the system's place for temporary files.
fn scratch(environment: &Environment) -> Result<PathBuf, AppError> {
    let base = environment.var("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    for attempt in 0..100_u32 {
        let dir = base.join(format!("git-grill-demo-{}-{attempt}", rustix::process::getpid().as_raw_nonzero()));
        match fs::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(failed(
                    "demo_failed",
                    "no temporary folder could be made for the demo",
                    &error,
                    Some("TMPDIR=<folder> git grill demo".to_owned()),
                ));
            }
        }
    }
    Err(AppError::Environment {
        code: "demo_failed",
        message: format!("no temporary folder could be made in {}", base.display()),
        causes: Vec::new(),
        hint: Some("TMPDIR=<folder> git grill demo".to_owned()),
    })
}
