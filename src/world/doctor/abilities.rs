//! What this machine can do for the read-only promise, layer by layer.

use crate::app::ports::Ability;
use crate::hooks;

use super::super::guardian::HookGuardian;
use super::super::process::Programs;

/// Every ability, in the order of the layers. The kernel sandbox adds its own row here.
pub(super) fn abilities(guardian: &HookGuardian<'_>) -> Vec<Ability> {
    vec![git_hooks(guardian), fence(guardian)]
}

fn git_hooks(guardian: &HookGuardian<'_>) -> Ability {
    let (state, meaning) = match hooks::report(&guardian.place, &Programs) {
        Ok(report) => (format!("git {}", report.git), report.cannot.join("; ")),
        Err(error) => ("unknown".to_owned(), error.to_string()),
    };
    Ability { name: "git hooks", state, meaning }
}

fn fence(guardian: &HookGuardian<'_>) -> Ability {
    let (state, meaning) = if guardian.place.common_dir.join("reftable").is_dir() {
        ("no", "its one lock would stop our own writes too: refs are in the reftable format")
    } else {
        ("yes", "git grill start --fence, or git config grill.fence true")
    };
    Ability { name: "fence", state: state.to_owned(), meaning: meaning.to_owned() }
}
