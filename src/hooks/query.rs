//! What an installed hook asks, and how the answer reads. A query: nothing is written, nobody is asked.

use std::ffi::OsString;
use std::io::Read;

use crate::domain::harmless::harmless;
use crate::domain::posture::Posture;
use crate::policy::attempt::Attempt;
use crate::policy::ref_line::{MAX_INPUT, parse};
use crate::policy::refs::{RefFacts, not_understood};
use crate::policy::rules::judge;
use crate::policy::shell::Allowed;
use crate::policy::verdict::{Refusal, Verdict};

#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct HookOutcome {
    /// Exit code: 0 lets git go on, 1 stops it.
    pub code: u8,
    /// What a person reads, in whole lines; empty when git goes on.
    pub stderr: String,
}

impl HookOutcome {
    fn pass() -> Self {
        Self { code: 0, stderr: String::new() }
    }

    /// Its words name refs and paths that others chose.
    fn with(code: u8, words: &str) -> Self {
        Self { code, stderr: harmless(words).into_owned() }
    }

    fn refused(refusal: &Refusal) -> Self {
        let mut stderr = format!("error: git grill: {}\n", refusal.reason);
        for hint in &refusal.hints {
            stderr.push_str("hint: ");
            stderr.push_str(hint);
            stderr.push('\n');
        }
        Self::with(1, &stderr)
    }
}

/// Whether git only tells of a transaction: too late, since git ignores what we say, or too early. Before it has locked
/// anything, git 2.54 and newer ask about HEAD without the branch that it stands for, so a commit cannot be told from a
/// switch; they ask again, about the same transaction and with everything in it. Nothing has to be read for these.
pub fn is_told_only(name: &str, args: &[OsString]) -> bool {
    let state = args.first().and_then(|state| state.to_str());
    name == "reference-transaction" && matches!(state, Some("committed" | "aborted" | "preparing"))
}

/// Answers `git-grill hook <name> <args>`. Standard input is read only if the answer depends on it, and `facts` are
/// asked only then.
pub fn run_hook(
    name: &str,
    args: &[OsString],
    stdin: &mut dyn Read,
    posture: &Posture,
    facts: &dyn RefFacts,
) -> HookOutcome {
    if posture.refuses_nothing() {
        return HookOutcome::pass();
    }
    let verdict = match name {
        "reference-transaction" if is_told_only(name, args) => Verdict::Allow,
        // `prepared`, and whatever comes before a transaction in a git to come.
        "reference-transaction" => judged_transaction(stdin, posture, facts),
        "pre-push" => match read(stdin) {
            Ok(bytes) => judge(posture, &Attempt::Push { stdin: &bytes }, &Allowed::none()),
            Err(error) => Verdict::Refuse(not_understood("the push", &error)),
        },
        other => {
            return HookOutcome::with(
                0,
                &format!("warning: git grill: it has no '{other}' hook, so nothing was checked\n"),
            );
        }
    };
    match verdict.unasked() {
        Ok(()) => HookOutcome::pass(),
        Err(refusal) => HookOutcome::refused(&refusal),
    }
}

fn judged_transaction(stdin: &mut dyn Read, posture: &Posture, facts: &dyn RefFacts) -> Verdict {
    let refuse = |why: &dyn std::fmt::Display| Verdict::Refuse(not_understood("the ref transaction", why));
    match read(stdin).map(|bytes| parse(&bytes)) {
        Ok(Ok(lines)) => judge(posture, &Attempt::RefUpdate { lines: &lines, facts }, &Allowed::none()),
        Ok(Err(malformed)) => refuse(&malformed),
        Err(error) => refuse(&error),
    }
}

/// Reads one byte more than is allowed, so that the parser sees that it is too much.
fn read(stdin: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stdin.take(MAX_INPUT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
