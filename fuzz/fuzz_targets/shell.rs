//! Any text ends in a verdict, and what is appended to an allowed command is judged.

#![no_main]

use git_grill::policy::shell::{Allowed, judge};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let allowed = Allowed::none();
    if judge(text, &allowed).is_ok() {
        // A comment swallows what stands on its line.
        for appended in ["\nrm x", "\n; rm x", "\n(rm x)", "\n$(rm x)"] {
            let both = format!("{text}{appended}");
            assert!(judge(&both, &allowed).is_err(), "let through: {both}");
        }
        if !text.contains('#') {
            let both = format!("{text}; rm x");
            assert!(judge(&both, &allowed).is_err(), "let through: {both}");
        }
    }
});
