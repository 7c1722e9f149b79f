//! A panic is a bug of ours: it ends with an exit code of its own, and never as the failure of somebody's git command.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use super::environment::Environment;
use super::speak;

const BUG: u8 = 70;

/// Does `work`; after a panic, whose message and place are already on standard error, `otherwise` decides.
pub(super) fn surviving(work: impl FnOnce() -> ExitCode, otherwise: impl FnOnce() -> ExitCode) -> ExitCode {
    // Nothing that `work` touched is looked at again.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| otherwise())
}

/// Says that a request ended in a bug.
pub(super) fn confess(environment: &Environment) -> ExitCode {
    const MESSAGE: &str = "git grill stopped because of a bug; what was acknowledged before is recorded";
    const HINT: &str = "git grill status shows where the session is; please report the lines above";
    if environment.args.iter().any(|arg| arg == "--json") {
        let error = serde_json::json!({ "error": { "code": "bug", "message": MESSAGE, "causes": [], "hint": HINT } });
        // Who reads neither stream cannot be told.
        let _ = speak::out(&format!("{error}\n"));
    } else {
        speak::err(&format!("error: {MESSAGE}\nhint: {HINT}\n"));
    }
    ExitCode::from(BUG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_panic_is_taken_over() {
        let ended = |work: fn() -> ExitCode| format!("{:?}", surviving(work, || ExitCode::from(BUG)));
        assert_eq!(ended(|| ExitCode::from(3)), format!("{:?}", ExitCode::from(3)));
        assert_eq!(ended(|| panic!("planted")), format!("{:?}", ExitCode::from(BUG)));
    }
}
