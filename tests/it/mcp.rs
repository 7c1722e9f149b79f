//! The MCP server, frame by frame: the transcripts of `fixtures/mcp`, played against the real program. A story that
//! makes sense in both eras of the protocol is played in both.

mod debating;
mod extensions;
mod foreign;
mod late;
mod lending;
mod player;
mod recorded;
mod surface;
mod wire;

use player::play;
use serde_json::Value;
use wire::{Shows, Speaks};

use crate::bench::Bench;

/// With clients of both eras that show forms.
fn with_forms(name: &str) {
    play(name, Speaks::First(Shows::Forms));
    play(name, Speaks::Second(Shows::Forms));
}

/// With clients of both eras that show none.
fn without_forms(name: &str) {
    play(name, Speaks::First(Shows::Nothing));
    play(name, Speaks::Second(Shows::Nothing));
}

#[test]
fn q7_q13_a_client_of_the_first_era_is_asked_by_requests() {
    play("first-era.jsonl", Speaks::Frames);
}

#[test]
fn q13_a_client_of_the_second_era_is_asked_in_rounds() {
    play("second-era.jsonl", Speaks::Frames);
}

#[test]
fn q14_whatever_a_client_sends_the_server_lives_on() {
    play("hostile.jsonl", Speaks::Frames);
}

#[test]
fn g2_a_session_begins_with_the_users_yes() {
    with_forms("start.jsonl");
}

#[test]
fn g2_q14_a_client_that_declares_what_it_cannot_do() {
    with_forms("start-lied.jsonl");
}

#[test]
fn g2_g24_q13_q14_where_nobody_can_be_asked_here_the_question_stands() {
    without_forms("start-unseen.jsonl");
}

#[test]
fn g8_g10_g24_p3_q1_q12_q15_every_way_to_answer_a_question() {
    with_forms("questions.jsonl");
}

#[test]
fn g10_q8_q16_a_forms_message_has_the_reasons_the_evidence_and_the_topic() {
    with_forms("shown.jsonl");
}

#[test]
fn g26_g29_g40_every_way_through_the_gate() {
    with_forms("gate.jsonl");
}

#[test]
fn g30_the_gate_says_who_answered() {
    with_forms("who-answered.jsonl");
}

#[test]
fn g57_what_holds_the_gate_is_waved_through_in_a_form() {
    with_forms("held.jsonl");
}

#[test]
fn g57_where_no_form_is_shown_the_reply_names_the_command() {
    without_forms("held-unseen.jsonl");
}

#[test]
fn g31_g34_g41_g42_from_the_choice_to_the_file_on_disk() {
    with_forms("output.jsonl");
}

#[test]
fn g27_g44_an_agents_own_draft_of_a_custom_output_needs_no_template() {
    with_forms("own-draft.jsonl");
}

#[test]
fn g30_g40_the_agents_word_alone_opens_nothing() {
    without_forms("approval.jsonl");
}

#[test]
fn q13_q15_two_clients_on_one_session() {
    with_forms("two-clients.jsonl");
    play("race-first-era.jsonl", Speaks::First(Shows::Forms));
    play("race-second-era.jsonl", Speaks::Second(Shows::Forms));
}

#[test]
fn q15_a_form_that_was_answered_elsewhere_is_kept_and_told() {
    play("late-second-era.jsonl", Speaks::Second(Shows::Forms));
}

#[test]
fn g7_q5_a_client_of_one_field_is_asked_one_field_at_a_time() {
    play("codex.jsonl", Speaks::Frames);
}

#[test]
fn g58_every_way_in_which_a_person_replies_in_chat() {
    without_forms("said.jsonl");
}

#[test]
fn g25_no_update_replaces_what_it_was_not_made_from() {
    without_forms("checkpoint.jsonl");
}

#[test]
fn q15_the_session_or_the_repository_is_gone_meanwhile() {
    with_forms("gone.jsonl");
    with_forms("gone-repository.jsonl");
}

#[test]
fn q15_a_client_that_goes_away_while_its_form_is_open_leaves_the_question() {
    with_forms("left.jsonl");
}

#[test]
fn g2_g30_a_client_that_closes_every_form_learns_how_to_go_on() {
    play("closed-forms.jsonl", Speaks::Frames);
}

#[test]
fn g36_q18_the_server_begins_with_the_instructions_of_the_phase() {
    const HELLO: &str = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
        r#""clientInfo":{"name":"c","version":"1"}}}"#,
        "\n"
    );
    let bench = Bench::new();
    bench.scripts_may_approve();
    let begins_before = || {
        let said = bench.run_with_input("git grill mcp", HELLO).assert_code(0).stdout().to_owned();
        let said: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
        said["result"]["instructions"].as_str().unwrap_or_default().to_owned()
    };
    let begins_with = || {
        let said = begins_before();
        let told = bench.run("git grill instructions").assert_code(0).stdout().to_owned();
        // It reads no more of the session than these words need, and says the same.
        assert_eq!(said.trim_end(), told.trim_end());
        said
    };
    let before = begins_before();
    assert!(before.contains("interviews the user") && before.contains("grill_start"), "{before}");
    assert!(before.len() < 800, "a client puts it before every conversation: {before}");
    let mut said = Vec::new();
    for line in [
        "git grill start --research off 'rate limiting'",
        "git grill answer 'at most 10 requests each second for each key' && git grill discuss",
        "git grill discuss --done 'the limit is for each key' && git grill select design-doc --path docs/limits.md",
    ] {
        bench.run(line).assert_code(0);
        said.push(begins_with());
    }
    assert!(said.iter().all(|one| one.contains("rate limiting")), "{said:?}");
    assert!(said[1].contains("(question 2)"), "which question is discussed: {}", said[1]);
    said.dedup();
    assert_eq!(said.len(), 3, "each phase has its own");
    bench.run("git grill stop --without-output").assert_code(0);
    assert_eq!(begins_before(), before);
}
