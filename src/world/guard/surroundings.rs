//! Looks around where a command would run: files, folders, variables. What git would find there is in
//! [`super::repositories`].

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::files::regular;
use crate::policy::surroundings::{Content, Found, Program, Reach, Repository, Setting, Surroundings, What};
use crate::world::environment::Environment;

use super::places;
use super::repositories::Repositories;

/// The most bytes of a file that are read.
const LONGEST: u64 = 64 * 1024;
/// The most names of a folder that are read.
const MOST_NAMES: usize = 10_000;
/// Where only the system and its administrator put programs.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store"];

/// The surroundings of a command of an agent or of a person.
pub(super) struct Around<'e> {
    environment: &'e Environment,
    /// The folder where the command begins.
    working: PathBuf,
    /// The top of the working tree, with every link followed.
    root: Option<PathBuf>,
    home: Option<PathBuf>,
    repositories: Repositories,
}

impl<'e> Around<'e> {
    /// Around `working`, for a session whose working tree is at `root` and whose repository is at `common`.
    pub(super) fn of(environment: &'e Environment, working: &Path, root: Option<&Path>, common: Option<&Path>) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let home = environment.var("HOME").map(PathBuf::from);
        Self {
            environment,
            working: environment.cwd.join(working),
            root: root.map(real),
            repositories: Repositories {
                own: common.map(real),
                top: root.map(real),
                home: home.clone(),
                named: environment.var("GIT_DIR").map(PathBuf::from),
            },
            home: home.map(|home| real(&home)),
        }
    }

    /// The folder as the shell and as the system understand `..` behind a link; `None` when one cannot be found out.
    fn folders(&self, folder: &str) -> Option<Vec<PathBuf>> {
        let path = self.working.join(folder);
        let mut folders = vec![places::real(&places::without_dots(&path)).ok()?];
        let other = places::real(&path).ok()?;
        if !folders.contains(&other) {
            folders.push(other);
        }
        Some(folders)
    }

    /// Whether what lies in the folder belongs to somebody else than the account.
    fn counts(&self, folder: &Path) -> bool {
        let inside = self.root.as_deref().is_some_and(|root| folder.starts_with(root));
        inside || !self.home.as_deref().is_some_and(|home| home.starts_with(folder))
    }

    /// The path as a person would write it.
    fn shown(&self, path: &Path) -> String {
        let below = self.root.as_deref().and_then(|root| path.strip_prefix(root).ok());
        below.unwrap_or(path).display().to_string()
    }

    /// The repository with the settings that variables hand to git (`GIT_CONFIG_KEY_0=…`), as far as those lead into it:
    /// others are the person's word.
    fn with_variables(&self, found: Repository) -> Repository {
        let Repository::Own { mut settings, hooks } = found else {
            return found;
        };
        let count = self.environment.text("GIT_CONFIG_COUNT").and_then(|count| count.parse::<u32>().ok()).unwrap_or(0);
        // git stops at the first one that is not there.
        let keys = (0..count).map_while(|at| Some((at, self.environment.text(&format!("GIT_CONFIG_KEY_{at}"))?)));
        for (at, key) in keys {
            let (name, key) = (format!("GIT_CONFIG_VALUE_{at}"), key.to_lowercase());
            let Some(value) = self.variable(&name) else { continue };
            // What stands there, or is a hook there, counts as well.
            if key == "core.hookspath" || key.starts_with("include") {
                return Repository::Unclear(format!("{name} leads into the repository"));
            }
            settings.push(Setting { key, value: Some(value), file: name });
        }
        Repository::Own { settings, hooks }
    }

    fn look(&self, path: &Path) -> Option<Found> {
        let what = match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => What::Folder,
            Ok(meta) if meta.is_file() => read(path).map_or(What::Unclear, What::File),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
            Ok(_) | Err(_) => What::Unclear,
        };
        Some(Found { shown: self.shown(path), what })
    }
}

fn read(path: &Path) -> Option<Content> {
    let mut bytes = Vec::new();
    regular::open(path).ok()?.take(LONGEST + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > LONGEST {
        return Some(Content::Bytes(bytes));
    }
    Some(match String::from_utf8(bytes) {
        Ok(text) => Content::Text(text),
        Err(error) => Content::Bytes(error.into_bytes()),
    })
}

impl Surroundings for Around<'_> {
    fn find(&self, folder: &str, reach: Reach, name: &str) -> Vec<Found> {
        let Some(folders) = self.folders(folder) else {
            return vec![Found { shown: folder.to_owned(), what: What::Unclear }];
        };
        let mut found = Vec::new();
        for folder in folders {
            let above =
                folder.ancestors().filter(|folder| self.counts(folder)).filter_map(|at| self.look(&at.join(name)));
            match reach {
                Reach::Here => found.extend(self.look(&folder.join(name))),
                Reach::Above => found.extend(above),
            }
        }
        found
    }

    fn names(&self, folder: &str) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for folder in self.folders(folder)? {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                // Nothing runs in a folder that is not there.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
                Err(_) => return None,
            };
            for entry in entries {
                names.push(entry.ok()?.file_name().to_string_lossy().into_owned());
                if names.len() > MOST_NAMES {
                    return None;
                }
            }
        }
        names.sort_unstable();
        Some(names)
    }

    fn repository(&self, folder: &str) -> Repository {
        match self.folders(folder) {
            None => Repository::Unclear(format!("cannot tell where `{folder}` leads")),
            Some(folders) => self.with_variables(self.repositories.from(&folders, &|path| self.shown(path))),
        }
    }

    fn submodules(&self, folder: &str) -> Vec<Repository> {
        match self.folders(folder) {
            None => vec![Repository::Unclear(format!("cannot tell where `{folder}` leads"))],
            Some(folders) => self.repositories.submodules(&folders, &|path| self.shown(path)),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        let value = self.environment.text(name)?;
        let leads_inside = |word: &str| {
            let path = self.working.join(word.trim_start_matches(['|', '-', '@']));
            let relative = !Path::new(word).is_absolute();
            let inside =
                self.root.as_deref().is_some_and(|root| places::real(&path).is_ok_and(|real| real.starts_with(root)));
            // An option may stand before it, and an ending be left out: `-r./x`.
            word.contains("./") || (!word.is_empty() && path.exists() && (relative || inside))
        };
        // Quotes and a `!` stand around words of a setting: `GIT_CONFIG_PARAMETERS='core.pager=evil'`.
        value.split([':', ' ', '=', ',', '\'', '"', '!']).any(leads_inside).then_some(value)
    }

    fn shadowed(&self, folder: &str, command: &str) -> Option<String> {
        let path = self.environment.var("PATH")?;
        let parts: Vec<PathBuf> = std::env::split_paths(&path).collect();
        if parts.iter().all(|part| part.is_absolute()) {
            return None;
        }
        let folders = self.folders(folder).unwrap_or_else(|| vec![self.working.clone()]);
        for part in parts {
            let programs = folders.iter().map(|folder| folder.join(&part).join(command));
            let found = programs.into_iter().find(|program| program.is_file());
            match found {
                Some(program) if part.is_relative() => return Some(self.shown(&program)),
                Some(_) => return None,
                None => {}
            }
        }
        None
    }

    fn program(&self, path: &str) -> Program {
        match Path::new(path).canonicalize() {
            Ok(real) => {
                let inside = self.root.as_deref().is_some_and(|root| real.starts_with(root));
                let system = SYSTEM.iter().any(|folder| real.starts_with(folder));
                if system && !inside { Program::System } else { Program::Elsewhere }
            }
            // Nothing runs that is not there.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Program::System,
            Err(_) => Program::Elsewhere,
        }
    }
}
