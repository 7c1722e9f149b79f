//! What this machine can do for the read-only promise, layer by layer.

use crate::app::ports::Ability;
use crate::git::{Backend, Naming};
use crate::repo::config::{Account, Config};
use crate::repo::open::{Opened, open};
use crate::{hooks, sandbox};

use super::super::guardian::HookProtection;
use super::super::process::Programs;

/// Every ability, in the order of the layers.
pub(super) fn abilities(guardian: &HookProtection<'_>, config: &Config) -> Vec<Ability> {
    vec![backend(guardian), account(config.account()), git_hooks(guardian), fence(guardian), kernel(guardian)]
}

/// Whose configuration may let more through.
fn account(account: &Account) -> Ability {
    let system = account.system().display();
    let (state, meaning) = match account.home() {
        Ok(home) => {
            let own = home.join(".gitconfig");
            ("known", format!("settings that allow more count only in {} and {system}", own.display()))
        }
        Err(why) => ("unknown", format!("settings that allow more count only in {system}: {why}")),
    };
    Ability { name: "account", state: state.to_owned(), meaning }
}

/// Who reads and writes the repository, and why it is the slower one.
fn backend(guardian: &HookProtection<'_>) -> Ability {
    let (state, meaning) = match open(&guardian.env) {
        Ok(opened) => (opened.repo.backend().word().to_owned(), reason(&opened)),
        Err(error) => ("unknown".to_owned(), error.to_string()),
    };
    Ability { name: "repository", state, meaning }
}

fn reason(opened: &Opened) -> String {
    if opened.repo.backend() == Backend::Library {
        return "through git's library".to_owned();
    }
    let reftable = opened.repo.is_reftable().then_some("its refs are kept as reftable");
    let sha256 = (opened.repo.naming() == Naming::Sha256).then_some("its objects are named by SHA-256");
    let because: Vec<&str> = reftable.into_iter().chain(sha256).collect();
    let because = match because.as_slice() {
        [] => "git's library does not open it, or GRILL_BACKEND says so".to_owned(),
        known => known.join(", and "),
    };
    format!("through the git program, a few processes for each command: {because}")
}

fn git_hooks(guardian: &HookProtection<'_>) -> Ability {
    let (state, meaning) = match hooks::report(&guardian.place, &Programs) {
        Ok(report) => (format!("git {}", report.git), report.cannot.join("; ")),
        Err(error) => ("unknown".to_owned(), error.to_string()),
    };
    Ability { name: "git hooks", state, meaning }
}

fn kernel(guardian: &HookProtection<'_>) -> Ability {
    let abilities = sandbox::probe(&Programs, &guardian.place.binary);
    let lacks: Vec<&str> = [abilities.landlock.as_ref().err(), abilities.mounts.as_ref().err()]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let meaning = match (abilities.keeps_from_writing(), lacks.as_slice()) {
        (true, []) => "git grill run -- <command>".to_owned(),
        (true, lacks) => format!("git grill run -- <command>, with less: {}", lacks.join("; ")),
        (false, lacks) => format!("git grill run refuses: {}", lacks.join("; ")),
    };
    let state = abilities.to_string();
    Ability { name: "sandbox", state: state.trim_start_matches("kernel: ").to_owned(), meaning }
}

fn fence(guardian: &HookProtection<'_>) -> Ability {
    let (state, meaning) = if guardian.place.is_reftable() {
        ("no", "its one lock would stop our own writes too: refs are in the reftable format")
    } else {
        ("yes", "git grill start --fence, or git config grill.fence true")
    };
    Ability { name: "fence", state: state.to_owned(), meaning: meaning.to_owned() }
}
