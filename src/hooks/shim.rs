//! The text of our hooks: shell that costs next to nothing until a session is active in this worktree.
//!
//! Only shell builtins run before the decision. Variables are prefixed, because a displaced hook inherits those that
//! happen to be exported. Whatever happens, a program of ours that is gone never makes git fail.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::hooks::place::{GONE_NOTE, MARKER};
use crate::text::shell::{quoted_bytes, unquoted};

/// The hooks that ask the policy.
pub const GUARDED: [&str; 2] = [TRANSACTION, "pre-push"];

/// The one that git calls several times for each transaction.
const TRANSACTION: &str = "reference-transaction";

/// The states of a transaction in which git only tells ([`super::query::is_told_only`]). A shell sees that sooner than a
/// program of ours can be started.
const TOLD_ONLY: &str = "committed | aborted | preparing";

/// The hook by which earlier versions added trailers to messages. It does nothing, is known by its bytes, and goes with
/// the others.
pub const RETIRED: &str = "prepare-commit-msg";

/// All hooks that are ours or were.
pub(crate) const EVER_OURS: [&str; 3] = [GUARDED[0], GUARDED[1], RETIRED];

const HEAD: &str = "# Written by git grill while a session is active and removed by `git grill stop`.\n";

/// The guard as a command for `hook.<name>.command`: git appends the arguments, so it ends in the middle of a line.
pub(crate) fn command(hook: &str, binary: &Path) -> Vec<u8> {
    let mut text = HEAD.as_bytes().to_vec();
    if hook == TRANSACTION {
        text.extend(format!("case ${{1-}} in {TOLD_ONLY}) exit 0 ;; esac\n").bytes());
    }
    text.extend(variables(binary));
    // Unset in the main worktree, `.` inside the git directory. If it names no directory, our program finds out.
    text.extend(
        format!("if {UNARMED}; then exit 0; fi\nif ! [ -x \"$grill_bin\" ]; then\n{}    exit 0\nfi\n", gone()).bytes(),
    );
    text.extend(format!("exec \"$grill_bin\" hook {hook}").bytes());
    text
}

/// The guard as a hook file, for a hooks folder where nobody has this hook.
pub(crate) fn guard(hook: &str, binary: &Path) -> Vec<u8> {
    [b"#!/bin/sh\n".as_slice(), &command(hook, binary), b" \"$@\"\n"].concat()
}

/// A hook in our own folder that runs the one it displaced, at its own path, so that it finds its companions by `$0`.
pub(crate) fn dispatcher(hook: &str, displaced: &Path) -> Vec<u8> {
    let mut text = [b"#!/bin/sh\n", HEAD.as_bytes()].concat();
    text.extend(old(hook, displaced));
    text.extend(b"[ -f \"$grill_old\" ] && [ -x \"$grill_old\" ] || exit 0\nexec \"$grill_old\" \"$@\"\n");
    text
}

/// A dispatcher that asks the policy first. Both read standard input, so it is kept: lines of ref names, no NUL.
pub(crate) fn guarding_dispatcher(hook: &str, binary: &Path, displaced: &Path) -> Vec<u8> {
    let mut text = [b"#!/bin/sh\n", HEAD.as_bytes()].concat();
    text.extend(variables(binary));
    text.extend(old(hook, displaced));
    let asks = if hook == TRANSACTION {
        format!("case ${{1-}} in {TOLD_ONLY}) grill_asks= ;; *) grill_asks=1 ;; esac\n")
    } else {
        "grill_asks=1\n".to_owned()
    };
    text.extend(asks.bytes());
    text.extend(
        format!(
            "grill_has_old() {{ [ -f \"$grill_old\" ] && [ -x \"$grill_old\" ]; }}\n\
             if [ -z \"$grill_asks\" ] || {{ {UNARMED}; }}; then\n    :\n\
             elif ! [ -x \"$grill_bin\" ]; then\n{gone}\
             elif ! grill_has_old; then\n    exec \"$grill_bin\" hook {hook} \"$@\"\n\
             else\n    # The dot keeps the newline at the end, which a substitution drops.\n    \
             grill_in=$(cat; echo .)\n    \
             printf %s \"${{grill_in%.}}\" 2>/dev/null | \"$grill_bin\" hook {hook} \"$@\" || exit\n    \
             printf %s \"${{grill_in%.}}\" 2>/dev/null | \"$grill_old\" \"$@\"\n    exit\nfi\n\
             grill_has_old || exit 0\nexec \"$grill_old\" \"$@\"\n",
            gone = gone(),
        )
        .bytes(),
    );
    text
}

/// The retired hook as earlier versions had it in the configuration.
fn retired_command(binary: &Path) -> Vec<u8> {
    let mut text = HEAD.as_bytes().to_vec();
    text.extend(variables(binary));
    text.extend(
        format!(
            "grill_told() {{\n    if {UNARMED} || ! [ -x \"$grill_bin\" ]; then return 0; fi\n    \
             \"$grill_bin\" hook {RETIRED} \"$@\" || :\n}}\ngrill_told"
        )
        .bytes(),
    );
    text
}

/// The same as a hook file, with the hook that it displaced and called, if there was one.
fn retired(binary: &Path, displaced: Option<&Path>) -> Vec<u8> {
    let mut text = b"#!/bin/sh\n".to_vec();
    if let Some(displaced) = displaced {
        text.extend(old(RETIRED, displaced));
        text.extend(b"if [ -f \"$grill_old\" ] && [ -x \"$grill_old\" ]; then \"$grill_old\" \"$@\" || exit; fi\n");
    }
    text.extend(retired_command(binary));
    text.extend(b" \"$@\"\n");
    text
}

/// Whether these are the very bytes that we write as this hook, whichever program it runs and whatever it displaced.
pub(crate) fn is_hook_of_ours(hook: &str, content: &[u8]) -> bool {
    let binary = quoted_behind(content, b"\ngrill_bin=");
    let displaced = quoted_behind(content, b"\ngrill_old=").and_then(|old| old.parent().map(Path::to_owned));
    let guards = GUARDED.contains(&hook);
    let written = match (&binary, &displaced) {
        (Some(binary), displaced) if hook == RETIRED => retired(binary, displaced.as_deref()),
        (Some(binary), None) if guards => guard(hook, binary),
        (Some(binary), Some(displaced)) if guards => guarding_dispatcher(hook, binary, displaced),
        (None, Some(displaced)) => dispatcher(hook, displaced),
        (Some(_) | None, Some(_) | None) => return false,
    };
    written == content
}

/// The same for what stands in the configuration.
pub(crate) fn is_command_of_ours(hook: &str, value: &[u8]) -> bool {
    quoted_behind(value, b"\ngrill_bin=").is_some_and(|binary| {
        let written = if hook == RETIRED { retired_command(&binary) } else { command(hook, &binary) };
        written == value
    })
}

/// The path in quotes behind the first of these marks.
fn quoted_behind(content: &[u8], mark: &[u8]) -> Option<PathBuf> {
    let at = content.windows(mark.len()).position(|part| part == mark)?;
    let (path, _) = unquoted(&content[at + mark.len()..])?;
    Some(PathBuf::from(OsString::from_vec(path)))
}

const UNARMED: &str = "[ -d \"$grill_dir\" ] && ! [ -e \"$grill_dir/grill/armed\" ]";

fn variables(binary: &Path) -> Vec<u8> {
    debug_assert!(UNARMED.contains(MARKER), "shim and marker agree");
    [b"grill_dir=${GIT_DIR:-.git}\ngrill_bin=".as_slice(), &quoted_bytes(binary.as_os_str().as_bytes()), b"\n"].concat()
}

fn old(hook: &str, displaced: &Path) -> Vec<u8> {
    [b"grill_old=".as_slice(), &quoted_bytes(displaced.join(hook).as_os_str().as_bytes()), b"\n"].concat()
}

/// Warns once for each git process, although git calls the hook many times: the parent's id is noted.
fn gone() -> String {
    format!(
        "    grill_seen=\n    read -r grill_seen 2>/dev/null <\"$grill_dir/{GONE_NOTE}\"\n    \
         if [ \"$grill_seen\" != \"$PPID\" ]; then\n        \
         echo \"warning: git grill: $grill_bin is gone, so nothing is refused here\" >&2\n        \
         echo \"hint: install git grill again, then run: git grill stop\" >&2\n        \
         {{ echo \"$PPID\" >\"$grill_dir/{GONE_NOTE}\"; }} 2>/dev/null\n    fi\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_git_runs_no_hook_of_ours() {
        let run = crate::git::Git::new(["status"]).silent().prepared();
        for hook in GUARDED {
            let setting = format!("hook.git-grill-{hook}.enabled=false");
            assert!(run.args.contains(&setting.into()), "{hook}");
        }
    }

    #[test]
    fn what_the_shell_lets_pass_is_what_our_program_would_let_pass() {
        for state in ["prepared", "preparing", "committed", "aborted", "other", ""] {
            let passes = TOLD_ONLY.split(" | ").any(|told| told == state);
            assert_eq!(passes, crate::hooks::is_told_only(TRANSACTION, &[state.into()]), "{state}");
        }
        let binary = Path::new("/opt/git-grill");
        let case = |text: Vec<u8>| String::from_utf8(text).unwrap().contains("case ${1-} in committed");
        assert!(case(command(TRANSACTION, binary)));
        assert!(case(guarding_dispatcher(TRANSACTION, binary, Path::new("/old"))));
        assert!(!case(command("pre-push", binary)), "a push is asked about whatever its remote is called");
        assert!(!case(guarding_dispatcher("pre-push", binary, Path::new("/old"))));
    }

    #[test]
    fn the_command_ends_where_git_appends_the_arguments() {
        let command = command("pre-push", Path::new("/opt/git-grill"));
        assert!(command.ends_with(b"exec \"$grill_bin\" hook pre-push"));
        assert!(guard("pre-push", Path::new("/opt/git-grill")).ends_with(b"hook pre-push \"$@\"\n"));
    }

    #[test]
    fn what_we_write_is_known_by_its_bytes_and_nothing_else_is() {
        let (binary, old) = (Path::new("/opt/it's here/git-grill"), Path::new("/else where/.husky"));
        let files = |hook: &str| match hook {
            RETIRED => vec![retired(binary, None), retired(binary, Some(old)), dispatcher(hook, old)],
            "commit-msg" => vec![dispatcher(hook, old)],
            _ => vec![guard(hook, binary), guarding_dispatcher(hook, binary, Path::new(".git/hooks"))],
        };
        for hook in [EVER_OURS.as_slice(), &["commit-msg"]].concat() {
            for text in files(hook) {
                assert!(is_hook_of_ours(hook, &text), "{}", text.escape_ascii());
                assert!(!is_hook_of_ours("update", &text), "{hook}");
                for other in [[text.as_slice(), b"\n"].concat(), text[..text.len() - 1].to_vec(), Vec::new()] {
                    assert!(!is_hook_of_ours(hook, &other), "{}", other.escape_ascii());
                }
                let edited = String::from_utf8(text).unwrap().replace("Written by git grill", "Kept from git grill");
                assert!(!is_hook_of_ours(hook, edited.as_bytes()) || !edited.contains("Kept"), "{hook}");
            }
        }
        for hook in EVER_OURS {
            let text = if hook == RETIRED { retired_command(binary) } else { command(hook, binary) };
            assert!(is_command_of_ours(hook, &text) && !is_command_of_ours(hook, &text[1..]), "{hook}");
        }
    }
}
