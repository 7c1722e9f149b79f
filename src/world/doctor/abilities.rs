//! What this machine can do for the read-only promise, layer by layer.

use crate::app::ports::Ability;
use crate::{hooks, sandbox};

use super::super::guardian::HookGuardian;
use super::super::process::Programs;

/// Every ability, in the order of the layers.
pub(super) fn abilities(guardian: &HookGuardian<'_>) -> Vec<Ability> {
    vec![git_hooks(guardian), fence(guardian), kernel(guardian)]
}

fn git_hooks(guardian: &HookGuardian<'_>) -> Ability {
    let (state, meaning) = match hooks::report(&guardian.place, &Programs) {
        Ok(report) => (format!("git {}", report.git), report.cannot.join("; ")),
        Err(error) => ("unknown".to_owned(), error.to_string()),
    };
    Ability { name: "git hooks", state, meaning }
}

fn kernel(guardian: &HookGuardian<'_>) -> Ability {
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

fn fence(guardian: &HookGuardian<'_>) -> Ability {
    let (state, meaning) = if guardian.place.common_dir.join("reftable").is_dir() {
        ("no", "its one lock would stop our own writes too: refs are in the reftable format")
    } else {
        ("yes", "git grill start --fence, or git config grill.fence true")
    };
    Ability { name: "fence", state: state.to_owned(), meaning: meaning.to_owned() }
}
