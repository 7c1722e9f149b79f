//! Which files send signals: those that hold the process that they started and have yet to wait for, or ask the kernel whose
//! child it is. No number that was read from a file, and may be somebody else's by now, is ever signalled (A30).

use proc_macro2::{TokenStream, TokenTree};

use super::programs::{parsed, product};
use super::tokens::of_the_product;

/// What sends a signal to a number.
const SENDS: &[&str] = &["kill_process", "kill_process_group", "kill", "killpg", "tgkill", "pidfd_send_signal"];

/// The files that send one, each for a child of its own or what the kernel says is below it.
const SENDERS: &[&str] = &[
    "src/sandbox/linux/init.rs",
    "src/sandbox/linux/warden.rs",
    "src/world/checks.rs",
    "src/world/hooked.rs",
    "src/world/process.rs",
    "src/world/run/ending.rs",
    "src/world/run/supervise.rs",
];

/// Whether a part of a file names one of these. `child.kill()` is no such name: the standard library knows whether its
/// child was waited for.
fn sends(stream: TokenStream) -> bool {
    let tokens = of_the_product(stream);
    let is_member = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == '.');
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(word) => SENDS.iter().any(|one| word == one) && !(at > 0 && is_member(at - 1)),
        TokenTree::Group(group) => sends(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

#[test]
fn a30_a_process_is_signalled_only_by_who_started_it() {
    let mut found: Vec<String> =
        product().filter(|(file, text)| sends(parsed(file, text))).map(|(file, _)| file).collect();
    found.sort();
    assert_eq!(found, SENDERS, "a process of which only the number is known may be another one by now");
}

#[test]
fn a_planted_signal_is_reported() {
    for (text, is_one) in [
        ("use rustix::process::{Pid, kill_process};", true),
        ("fn f() { if x { unsafe { libc::kill(pid, 9) } } }", true),
        ("fn f() { child.kill() }", false),
        ("fn f() { test_kill_process(pid) }", false),
        ("#[cfg(test)] mod tests { fn f() { kill_process(pid, Signal::KILL) } }", false),
    ] {
        assert_eq!(sends(parsed("src/a.rs", text)), is_one, "{text}");
    }
}
