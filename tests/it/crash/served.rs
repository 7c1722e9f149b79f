//! Tool calls over MCP, killed before each of their writes.

use std::path::PathBuf;

use super::killed::{a_moment_passes, every_step, sampled};
use super::rows::{AGENT, ROW, Row, START, tried};
use super::state::{assert_consistent, assert_nothing_left, assert_sound, told};
use super::tally::Tally;
use super::watched::{Fault, Step, watched};
use super::world::World;

tried! {
    EVERY_STEP: every_step, 2;
    p1_mcp: Row {
        before: &[
            START,
            r##"{ echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'; echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'; printf '%s\n' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"grill_update_checkpoint","arguments":{"markdown":"# Limits\n\n- by client","changeSummary":"how it is counted"}}}'; } >../tmp/call.json"##,
        ],
        line: "exec git-grill mcp <../tmp/call.json",
        says: "\"id\":2",
        ..ROW
    };
}

/// A client that shows a questionnaire and has it filled in: what it sends, and what it does.
const CLIENT: &[&str] = &[
    r#"{ echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"claude-code","version":"2"}}}'; echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'; echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"questionnaire","arguments":{"questions":[{"id":"db","prompt":"Which store?"},{"id":"when","prompt":"By when?"},{"id":"who","prompt":"Who writes?"}]}}}'; } >../tmp/calls"#,
    r#"echo '{"action":"accept","content":{"q1_own_words":"a text file","q2_own_words":"next week","q3_own_words":"both of us"}}' >../tmp/filled"#,
    r#"printf '%s\n' 'coproc git-grill mcp; to=${COPROC[1]} from=${COPROC[0]} server=$COPROC_PID' 'cat ../tmp/calls >&$to' 'while read -r frame <&$from; do case $frame in *elicitation/create*) id=${frame#*\"id\":}; echo "{\"jsonrpc\":\"2.0\",\"id\":${id%%[!0-9]*},\"result\":$(cat ../tmp/filled)}" >&$to;; *\"id\":2,*) printf "%s\n" "$frame"; break;; esac; done' 'exec {to}>&-; wait $server' >../tmp/client"#,
];
/// What is filled in, in the order of the questions.
const ANSWERS: &[&str] = &["a text file", "next week", "both of us"];

/// The kept replies, with the files they are in.
fn replies(world: &World) -> Vec<(PathBuf, String)> {
    let found = world.everything().into_iter().filter(|(path, _)| path.starts_with(".git/grill/replies"));
    let found = found.map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()));
    found.filter(|(_, text)| !text.is_empty()).collect()
}

/// Whenever the server ends, each answer that it has is recorded or kept, and the one to the question that is open then is
/// kept where the next prompt names it.
#[test]
fn q15_a_questionnaire_is_killed_between_its_answers() {
    const LINE: &str = "exec bash ../tmp/client";
    let world = World::after(&[&[AGENT][..], CLIENT].concat());
    let whole = watched(&world.bench, LINE, Fault::None);
    assert_eq!(whole.output.code, 0, "{}", whole.output);
    assert!(whole.output.stdout.contains("\"kind\":\"selected\""), "{}", whole.output);
    assert!(replies(&world).is_empty(), "all is recorded, and nothing is held: {:?}", replies(&world));
    let led_to = told(&world);
    assert!(ANSWERS.iter().all(|answer| led_to[0].iter().any(|one| one.ends_with(*answer))), "{led_to:?}");
    let mut tally = Tally::default();
    for at in sampled(&whole.steps) {
        world.restore();
        let ran = watched(&world.bench, LINE, Fault::KillAt(at));
        tally.counts(&whole.steps, at, ran.met());
        let Some(step) = ran.met() else { continue };
        let when = format!("killed at {step}");
        a_moment_passes(&world);
        assert_consistent(&world, &when);
        let (found, kept) = (told(&world), replies(&world));
        assert!(led_to[0].starts_with(&found[0]), "{when}: {found:?}");
        let said = ran.output.stdout.contains("\"kind\":\"selected\"");
        assert!(!said || found == led_to, "{when}: it had said so, and there is only {found:?}");
        // The form has come before the session moves.
        if ran.steps.iter().any(Step::is_of_sessions) {
            for answer in ANSWERS {
                let recorded = found[0].iter().any(|one| one.starts_with("answer ") && one.ends_with(*answer));
                let is_kept = kept.iter().any(|(_, text)| text.contains(*answer));
                assert!(recorded || is_kept, "{when}: no '{answer}' any more: {found:?}, {kept:?}");
            }
        }
        let line = "git grill status --porcelain | sed -n 's/^question\t//p' | cut -f 1";
        let open = world.run(line).assert_code(0).stdout().trim().to_owned();
        if !open.is_empty() {
            let named = kept.iter().any(|(path, _)| path.to_string_lossy().contains(&format!("/{open}.")));
            assert!(named, "{when}: nothing is kept for {open}: {kept:?}");
        }
        assert_sound(&world, &when);
        world.run("git grill stop --without-output").assert_code(0);
        assert_nothing_left(&world, &when);
    }
    tally.assert_met(LINE);
}
