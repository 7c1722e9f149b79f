//! The account that this process runs as: its home folder comes from the password database, never from a variable, since
//! an agent can set every variable of a command it starts.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The machine's configuration file. `GIT_CONFIG_SYSTEM` and `GIT_CONFIG_NOSYSTEM` do not move it here.
const SYSTEM: &str = "/etc/gitconfig";

/// Home folder of the account, or the reason why there is none.
pub type Home = Result<PathBuf, String>;

/// The account whose configuration may widen what is allowed.
#[derive(Clone)]
pub struct Account {
    look_up: fn() -> Home,
    home: OnceLock<Home>,
    system: PathBuf,
}

impl Account {
    /// The account that `look_up` finds. It is called once, when the account's configuration is first needed.
    pub fn looked_up(look_up: fn() -> Home) -> Self {
        Self { look_up, home: OnceLock::new(), system: PathBuf::from(SYSTEM) }
    }

    /// An account with this home folder, on a machine whose configuration is `system`.
    pub fn at(home: PathBuf, system: PathBuf) -> Self {
        Self { look_up: || Err(String::new()), home: OnceLock::from(Ok(home)), system }
    }

    /// An account without a home folder, on a machine without a configuration.
    pub fn unknown(why: &str) -> Self {
        Self { look_up: || Err(String::new()), home: OnceLock::from(Err(why.to_owned())), system: PathBuf::new() }
    }

    /// The home folder, or why none is known.
    pub fn home(&self) -> Result<&Path, &str> {
        self.home.get_or_init(self.look_up).as_deref().map_err(String::as_str)
    }

    /// The machine's configuration file.
    pub fn system(&self) -> &Path {
        &self.system
    }

    /// The files whose word counts where a setting lets more through, as a sentence names them.
    pub(super) fn files_in_words(&self) -> String {
        let system = self.system().display();
        match self.home() {
            Ok(home) => format!("{} or {system}", home.join(".gitconfig").display()),
            Err(why) => format!("{system}, since {why}"),
        }
    }

    /// The account's own configuration files, in git's order; none without a home folder.
    pub fn files(&self) -> Vec<PathBuf> {
        let home = self.home().ok().into_iter();
        home.flat_map(|home| [home.join(".config/git/config"), home.join(".gitconfig")]).collect()
    }
}
