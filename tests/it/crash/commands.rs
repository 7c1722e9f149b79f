//! Every command of a person's that writes, killed before each of its writes. `grammar.rs` holds this table to the
//! grammar.

use super::killed::{Met, each, every_step};
use super::rows::{
    AGENT, ANSWER, ANSWER_ROW, APPROVE, APPROVE_ROW, ATTACKED, DEBATE, DEBATE_ROW, DEBATED, DOSSIER, EXECUTE, NEXT,
    PLAN, PLAN_ROW, PRODUCE_ROW, Protects, ROLES, ROW, Row, SELECT, SELECT_ROW, START, START_ROW, STEPS, STOP_ROW,
    UNDO_ROW, tried,
};
use super::watched::Fault;

/// Words that a person hands in, or types in an editor.
const WORDS: &str = "echo 'ours now' >../tmp/words.md && echo 'cp ../tmp/words.md \"$1\"' >../tmp/editor.sh";
/// A note on every step that has none, in an editor.
const NOTED: &str = r#"printf '%s' 'sed -i "s/^> *$/> say how/" "$1"' >../tmp/editor.sh"#;
/// Enough answers to make issues of, which are drafted.
const ISSUES: &[&str] = &[
    START,
    ANSWER,
    "git grill answer '300 a minute' && git grill answer 'no shared counter' && git grill answer 'a 429'",
    "git grill select github-issues --repo octo/links",
];
/// An agent's question names its area, so that the rules can tell which areas are left.
const LABELLED: &str = r#"echo '{"question":"Who calls?","dimension":"audience","alternatives":[{"label":"we"},{"label":"they"}]}' >../tmp/call.json && { git grill tool grill_set_alternatives <../tmp/call.json; test $? = 3; }"#;
/// An agent wants to produce, and waits for a person's word.
const REQUEST: &str = r#"echo '{"outputPlan":"a design document","outputs":[{"destination":"design-doc"}]}' >../tmp/plan.json && git grill select && { CLAUDECODE=1 git grill tool grill_enter_output_phase <../tmp/plan.json; test $? = 3; }"#;
/// A plan of one step with a file and a check.
const NAMED: &str = "git grill plan set '1. count in README.md, check: test -e README.md'";
/// Its step is claimed, and the file has changed.
const CLAIMED: &str = r#"echo more >>README.md && echo '{"step":1}' >../tmp/call.json && git grill tool grill_step_done <../tmp/call.json"#;

tried! {
    EVERY_STEP: every_step, 2;
    p1_start: START_ROW;
    p1_answer: ANSWER_ROW;
    p1_approve: APPROVE_ROW;
    p1_stop: STOP_ROW;
    [whole]
    p1_start_with_a_fence: Row { line: "exec git-grill start --research off --fence 'rate limiting'", ..START_ROW };
    p1_answer_by_number: Row { line: "exec git-grill answer --question {q} --choose 1 --note 'for now'", words: "for now", ..ANSWER_ROW };
    p1_skip: Row { line: "exec git-grill skip --question {q}", words: "", ..ANSWER_ROW };
    p1_skip_because: Row { line: "exec git-grill skip --question {q} --because 'nobody is limited'", codes: &[4], then: NEXT, ..ROW };
    p1_unknown: Row { line: "exec git-grill unknown --question {q} --note 'ask Ada'", words: "ask Ada", ..ANSWER_ROW };
    p1_back: Row { before: &[START, ANSWER], line: "exec git-grill back 1", codes: &[1], ..ROW };
    p1_next_with_an_edited_checkpoint: Row { before: &[START, "echo '- by hand' >> .grill/checkpoint.md"], line: "exec git-grill next", ..ROW };
    p1_checkpoint_edit: Row { before: &[START, ANSWER, WORDS], line: "GIT_EDITOR='sh ../tmp/editor.sh' exec git-grill checkpoint edit <{t} 2>{t}", ..ROW };
    p1_checkpoint_restore: Row { before: &[START, ANSWER], line: "exec git-grill checkpoint restore @1", ..ROW };
    p1_intensity: Row { line: "exec git-grill intensity hard", ..ROW };
    p1_interviewer: Row { line: "exec git-grill interviewer agent:claude", ..ROW };
    p1_intent: Row { line: "exec git-grill intent learn", ..ROW };
    p1_output: Row { line: "exec git-grill output prd,adr", ..ROW };
    p1_research: Row { line: "exec git-grill research ask --allow layout,contents", ..ROW };
    p1_discuss: Row { line: "exec git-grill discuss", codes: &[1], ..ROW };
    p1_discussed: Row { before: &[START, "git grill discuss"], line: "exec git-grill discuss --done 'counted by client'", codes: &[1, 4], then: NEXT, ..ROW };
    p1_waive: Row { before: &[AGENT, LABELLED, "git grill answer 'we do'"], line: "exec git-grill waive area:scope", ..ROW };
    p1_select: SELECT_ROW;
    p1_select_to_a_path: Row { line: "exec git-grill select prd --strategy vertical-slices --path docs/limits.md", ..SELECT_ROW };
    p1_draft: Row { before: &[START, ANSWER, SELECT, "echo theirs >docs/prd/rate-limiting.md"], line: "exec git-grill draft", ..ROW };
    p1_draft_edit: Row { before: &[START, ANSWER, SELECT, WORDS], line: "exec git-grill draft --edit docs/prd/rate-limiting.md --from ../tmp/words.md", ..ROW };
    p1_draft_edit_in_an_editor: Row { before: &[START, ANSWER, SELECT, WORDS], line: "GIT_EDITOR='sh ../tmp/editor.sh' exec git-grill draft --edit docs/prd/rate-limiting.md <{t} 2>{t}", ..ROW };
    p1_draft_drop: Row { before: &[START, ANSWER, SELECT], line: "exec git-grill draft --drop docs/prd/rate-limiting.md", codes: &[1], ..ROW };
    p1_draft_drop_an_issue: Row { before: ISSUES, line: "exec git-grill draft --drop issue:1", codes: &[1], ..ROW };
    p1_approve_one: Row { line: "exec git-grill approve docs/prd/rate-limiting.md", ..APPROVE_ROW };
    p1_approve_a_request: Row { before: &[START, ANSWER, REQUEST], line: "exec git-grill approve", codes: &[1], again: &[("select ", "git grill draft")], ..ROW };
    p1_produce: PRODUCE_ROW;
    p1_undo: UNDO_ROW;
    p1_finish: Row { line: "exec git-grill finish 'all of it'", ..UNDO_ROW };
    p1_stop_after_outputs: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill stop", ..STOP_ROW };
    p1_resume: Row { before: &[START, "rm .git/GRILL_HEAD"], line: "exec git-grill resume {s}", ..ROW };
    p1_resume_with_a_fence: Row { before: &[START, "rm .git/GRILL_HEAD"], line: "exec git-grill resume --fence {s}", ..ROW };
    p1_plan_on: Row { before: &[], line: "exec git-grill plan on 'rate limiting'", ..ROW };
    p1_plan_toggled: Row { before: &[PLAN, "git grill plan off"], line: "exec git-grill plan", again: &[("plan mode on", "git grill plan on")], ..ROW };
    p1_plan_off: Row { before: &[PLAN, STEPS], line: "exec git-grill plan off", ..ROW };
    p1_plan_set: Row { before: &[PLAN], line: "exec git-grill plan set 'Plan: \n1. count\n2. limit'", words: "count", ..ROW };
    p1_plan_take: Row { before: &[START, ANSWER, "git grill select implementation-plan && git grill draft"], line: "exec git-grill plan take", ..ROW };
    p1_plan_take_begins_a_session: Row { before: &[PLAN, STEPS, "git grill stop"], line: "exec git-grill plan take", ..ROW };
    p1_plan_review: Row { before: &[PLAN, STEPS], line: "exec git-grill plan review --note '1: say how'", ..ROW };
    p1_plan_review_in_an_editor: Row { before: &[PLAN, STEPS, NOTED], line: "GIT_EDITOR='sh ../tmp/editor.sh' exec git-grill plan review <{t} 2>{t}", ..ROW };
    p1_plan_execute: Row { before: &[PLAN, STEPS], line: "exec git-grill plan execute", ..ROW };
    p1_todos_done: Row { line: "exec git-grill todos done 1,2", ..PLAN_ROW };
    p1_todos_skip: Row { line: "exec git-grill todos skip 1", ..PLAN_ROW };
    p1_todos: Row { before: &[PLAN, NAMED, EXECUTE, CLAIMED], line: "exec git-grill todos", ..ROW };
    p1_todos_check: Row { before: &[PLAN, NAMED, EXECUTE], line: "exec git-grill todos check 1", ..ROW };
    p1_todos_reopen: Row { before: &[PLAN, STEPS, "git grill plan execute && git grill todos done 1"], line: "exec git-grill todos reopen 1", ..ROW };
    p1_debate: Row { line: "exec git-grill debate", codes: &[3], ..ROW };
    p1_debate_start: Row { before: &[START, DOSSIER, ROLES], line: "exec git-grill debate start --dossier ../tmp/dossier.md --rounds 3 --proposer file:../tmp/roles --advocate me --synthesizer me --constitution ../tmp/dossier.md", codes: &[1], ..ROW };
    p1_debate_next: Row { line: "exec git-grill debate next", again: &[("debate 1, round 1: proposal", "git grill debate status")], ..DEBATE_ROW };
    p1_debate_answer: Row { before: &[START, DOSSIER, ROLES, DEBATE, ATTACKED, "git grill debate answer yes"], line: "exec git-grill debate answer --question 1.1-missed yes --note 'what of the costs'", codes: &[1], words: "what of the costs", ..ROW };
    p1_debate_accept: Row { before: &[START, DOSSIER, ROLES, DEBATE, ATTACKED, DEBATED], line: "exec git-grill debate accept", codes: &[1], again: &[("the debate is", "git grill debate next")], ..ROW };
    p1_debate_kill: Row { line: "exec git-grill debate kill", codes: &[1], ..DEBATE_ROW };
    p1_debate_roles: Row { line: "exec git-grill debate roles --proposer me --advocate me --synthesizer me", ..DEBATE_ROW };
    p1_verify: Row { before: &[START, "echo drift >> README.md"], line: "exec git-grill verify", codes: &[1], ..ROW };
    p1_doctor_fix: Row { before: &[START, "rm .git/hooks/reference-transaction"], line: "exec git-grill doctor --fix", codes: &[1], protects: Protects::After, ..ROW };
    p1_agent_install: Row { before: &[], line: "exec git-grill agent install claude", ..ROW };
    p1_agent_install_with_its_tools: Row { before: &[], line: "exec git-grill agent install claude --allow-tools", ..ROW };
    p1_agent_install_for_the_user: Row { before: &["echo '{\"theme\":\"dark\"}' >~/.claude.json"], line: "exec git-grill agent install --user claude", ..ROW };
    p1_agent_uninstall: Row { before: &["git grill agent install claude"], line: "exec git-grill agent uninstall claude", ..ROW };
    p1_agent_uninstall_for_the_user: Row { before: &["echo '{\"theme\":\"dark\"}' >~/.claude.json && git grill agent install --user claude"], line: "exec git-grill agent uninstall --user claude", ..ROW };
}

/// What git was about to do when only git grill is killed, git does.
fn alone(row: &Row<'_>) -> Met {
    each(row, Fault::KillAloneAt)
}

tried! {
    ALONE: alone, 2;
    p1_commit: Row { line: "exec git-grill produce --commit", ..UNDO_ROW };
    p1_verify_restore: Row {
        before: &[START, "echo drift >> README.md && git -c core.hooksPath=/dev/null checkout -q -b other"],
        line: "exec git-grill verify --restore --yes",
        ..ROW
    };
}
