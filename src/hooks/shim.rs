//! The text of our hooks: shell that costs next to nothing until a session is active in this worktree.
//!
//! Only shell builtins run before the decision. Variables are prefixed, because a displaced hook inherits those that
//! happen to be exported. Whatever happens, a program of ours that is gone never makes git fail.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::hooks::place::{GONE_NOTE, MARKER};

/// The hooks that ask the policy.
pub const GUARDED: [&str; 2] = ["reference-transaction", "pre-push"];

const HEAD: &str = "# Written by git grill while a session is active and removed by `git grill stop`.\n";

/// Quotes for `sh`: nothing inside single quotes means anything, so only they need care.
pub(crate) fn quote(text: &OsStr) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in text.as_bytes() {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            other => quoted.push(*other),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// The guard as a command for `hook.<name>.command`: git appends the arguments, so it ends in the middle of a line.
pub(crate) fn command(hook: &str, binary: &Path) -> Vec<u8> {
    let mut text = HEAD.as_bytes().to_vec();
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
    text.extend(
        format!(
            "grill_has_old() {{ [ -f \"$grill_old\" ] && [ -x \"$grill_old\" ]; }}\n\
             if {UNARMED}; then\n    :\n\
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

const UNARMED: &str = "[ -d \"$grill_dir\" ] && ! [ -e \"$grill_dir/grill/armed\" ]";

fn variables(binary: &Path) -> Vec<u8> {
    debug_assert!(UNARMED.contains(MARKER), "shim and marker agree");
    [b"grill_dir=${GIT_DIR:-.git}\ngrill_bin=".as_slice(), &quote(binary.as_os_str()), b"\n"].concat()
}

fn old(hook: &str, displaced: &Path) -> Vec<u8> {
    [b"grill_old=".as_slice(), &quote(displaced.join(hook).as_os_str()), b"\n"].concat()
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
    fn quoting_keeps_every_byte() {
        assert_eq!(quote(OsStr::new("/a b")), b"'/a b'");
        assert_eq!(quote(OsStr::new("it's $HOME\n\"x\"")), b"'it'\\''s $HOME\n\"x\"'");
        assert_eq!(quote(OsStr::from_bytes(b"\xff`\\")), b"'\xff`\\'");
    }

    #[test]
    fn the_command_ends_where_git_appends_the_arguments() {
        let command = command("pre-push", Path::new("/opt/git-grill"));
        assert!(command.ends_with(b"exec \"$grill_bin\" hook pre-push"));
        assert!(guard("pre-push", Path::new("/opt/git-grill")).ends_with(b"hook pre-push \"$@\"\n"));
    }
}
