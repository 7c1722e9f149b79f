//! Drafts that wait while other outputs are asked for (G30).

use super::{commits, text};
use crate::bench::Bench;
use crate::conversation::Sitting;

const ESCAPE: &str = "\x1b";
const BY_HAND: &str = "words of mine\n";

/// An interview that can be made into documents.
fn interview(bench: &Bench) {
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
}

/// Leaves the first draft and the conversation.
fn leave(mut sitting: Sitting, draft: &str) {
    sitting.below(&format!("Write exactly this as {draft}"), "[y/n]");
    sitting.pty.send(ESCAPE);
    sitting.below("What next?", "Tab choices");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
}

/// Before, each of these opened the output selection before it was refused, and the drafts were gone.
#[test]
fn g30_a_refused_choice_leaves_the_output_phase_with_its_drafts_and_edits() {
    let bench = Bench::new();
    interview(&bench);
    let mut sitting = Sitting::at(&bench, &["select", "design-doc", "--path", "docs/limits.md"], 50, 140, &[]);
    sitting.below("as docs/limits.md?", "[y/n]");
    sitting.pty.send("y");
    leave(sitting, "docs/limits.md");
    bench.run_with_input("git grill draft --edit --from -", BY_HAND).assert_code(0);
    let before = commits(&bench);
    for who in ["", "CLAUDECODE=1 "] {
        for choice in [" summary --path docs/memo.md", " design-doc --path docs/other.md", ""] {
            bench
                .run(&format!("{who}git grill select{choice}"))
                .assert_code(3)
                .assert_contains("choosing other outputs needs a person's word")
                .assert_contains("a person runs git grill select at a terminal");
            bench.run("git grill status --porcelain").assert_contains("phase\toutput\n");
            assert_eq!(text(&bench, "docs/limits.md"), BY_HAND, "{who}{choice}");
            assert_eq!(commits(&bench), before, "{who}{choice}");
        }
    }
}
