//! The stage: a folder with a small project, a home of its own, and a way to run commands in it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::app::error::AppError;
use crate::app::ports::{Process, Ran, Run};
use crate::render::Look;
use crate::world::environment::Environment;
use crate::world::failure::failed;
use crate::world::process::Programs;
use crate::world::speak;

/// The project that the interview is about.
const PROJECT: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../../fixtures/demo/Cargo.toml")),
    ("README.md", include_str!("../../../fixtures/demo/README.md")),
    ("src/main.rs", include_str!("../../../fixtures/demo/src/main.rs")),
    ("src/server.rs", include_str!("../../../fixtures/demo/src/server.rs")),
    ("src/auth.rs", include_str!("../../../fixtures/demo/src/auth.rs")),
    ("tests/api.rs", include_str!("../../../fixtures/demo/tests/api.rs")),
    (".github/workflows/ci.yml", include_str!("../../../fixtures/demo/.github/workflows/ci.yml")),
];

/// The stage's own user configuration: in this throw-away repository a script may approve (G30).
const CONFIG: &str = "[user]\n\tname = Demo\n\temail = demo@example.invalid\n[init]\n\tdefaultBranch = main\n[grill]\n\tapproval = script\n[advice]\n\tdetachedHead = false\n";

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
    env: Vec<(OsString, OsString)>,
    without: Vec<OsString>,
    look: Look,
}

impl Stage {
    /// Makes the folder, the project and its first commit.
    pub(super) fn set(environment: &Environment, keep: Option<&Path>, look: Look) -> Result<Self, AppError> {
        let home = scratch(environment)?;
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
        let config = home.join("gitconfig");
        fs::write(&config, CONFIG).map_err(made)?;
        let mut path = environment.program.parent().map(Path::as_os_str).unwrap_or_default().to_owned();
        path.push(":");
        path.push(environment.var("PATH").unwrap_or_default());
        let set = |name: &str, value: OsString| (OsString::from(name), value);
        let env = vec![
            set("PATH", path),
            set("HOME", home.clone().into_os_string()),
            set("GIT_CONFIG_GLOBAL", config.into_os_string()),
            set("GIT_CONFIG_NOSYSTEM", "1".into()),
            set("GIT_PAGER", "cat".into()),
        ];
        let stage = Self { repo, home, kept: keep.is_some(), env, without: environment.misleading(), look };
        for quiet in ["git init -q", "git add -A", "git commit -q -m 'notes with API keys'"] {
            expect(&stage.run(quiet)?, Expected::Done, quiet)?;
        }
        Ok(stage)
    }

    /// Says something about what follows.
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

    /// Runs a command without showing it.
    pub(super) fn quietly(&self, command: &str) -> Result<String, AppError> {
        let ran = self.run(command)?;
        expect(&ran, Expected::Done, command)?;
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    fn run(&self, command: &str) -> Result<Ran, AppError> {
        let run = Run {
            env: self.env.clone(),
            without: self.without.clone(),
            ..Run::new("sh", ["-c", command]).within(&self.repo)
        };
        Programs.run(&run).map_err(|error| failed("demo_failed", "the demo could not run a command", &error, None))
    }
}

/// Checks an outcome.
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
