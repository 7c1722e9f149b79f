//! Everything that acts on a session, tried over one hostile session after the other.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::tracker::stand_in::StandIn;

/// Shell lines that both an agent and a script try. Each begins with the session as the hostile clone handed it out, active
/// in this worktree.
const BY_BOTH: &[&str] = &[
    "git-grill select design-doc --path docs/own.md",
    "git-grill approve",
    "git-grill approve Makefile",
    "git-grill produce --commit -m forged",
    "git-grill produce --undo",
];

/// Shell lines that an agent tries over one half of the rows and a script over the other.
const BY_ONE: &[&str] = &[
    "git-grill resume $ID",
    "git-grill start \"$(git-grill status --json | sed 's/.*\"topic\":\"\\([^\"]*\\)\".*/\\1/')\"",
    "git-grill next",
    "git-grill answer 'as it is recommended'",
    "git-grill select",
    "git-grill select design-doc --path Makefile",
    "git-grill select github-issues --repo octo/links",
    "git-grill approve --commit",
    "git-grill approve docs/api.md",
    "git-grill approve issue:1",
    "git-grill draft",
    "git-grill draft --edit --from Makefile docs/api.md",
    "git-grill produce",
    "git-grill finish && git-grill produce --undo",
    "git-grill verify",
    "git-grill plan on; git-grill plan set '1. pwned'; git-grill plan show; git-grill todos",
    "git-grill plan take $ID; git-grill plan show $ID; git-grill plan take",
    "git-grill plan review --note '1: pwned'; git-grill plan review --drop",
    "git-grill plan off",
    "git-grill plan",
    "git-grill plan execute",
    "git-grill todos done 1; git-grill todos skip 1; git-grill todos reopen 1",
    "git-grill todos --outside; git-grill todos check; git-grill todos check 1",
    "git-grill debate start --dossier README.md --advocate 'cmd:echo pwned >Makefile'; git-grill debate next; git-grill debate",
    "git-grill debate roles --proposer 'cmd:echo pwned >Makefile'; git-grill debate next; git-grill debate accept",
    "git-grill debate answer yes --note pwned; git-grill debate extend; git-grill debate table; git-grill debate restart; git-grill debate confirm; git-grill debate reject",
    "git-grill debate status; git-grill debate show; git-grill debate prompt; git-grill debate log; git-grill debate kill",
    "git-grill research auto",
    "git-grill stop --without-output",
    "git-grill waive; git-grill waive area:scope",
    "git-grill interviewer agent:pi; git-grill interviewer",
    "git-grill interviewer claude",
    "git-grill agent start --agent claude --confirm-provider-use pwned; git-grill agent send g1 --confirm-provider-use x",
    "git-grill agent answer g1; git-grill agent status; git-grill agent result g1; git-grill agent log g1",
    "git-grill agent changes g1; git-grill agent accept g1; git-grill agent cancel g1; git-grill agent cleanup g1",
    "git-grill draft --drop docs/api.md; git-grill draft --drop issue:1",
    "git-grill verify --restore; git-grill verify --restore --yes",
    "git-grill doctor --fix",
    "git-grill checkpoint restore ~1; git-grill checkpoint edit",
    "git-grill run -- sh -c 'echo pwned > Makefile; mkdir -p docs && echo pwned > docs/api.md'",
    "git-grill skip; git-grill unknown; git-grill discuss; git-grill discuss --done so; git-grill back 1",
    "git-grill output adr; git-grill intensity hard; git-grill intent plan",
    "git-grill extensions; git-grill extensions enable questionnaire; git-grill extensions disable questionnaire",
    "git-grill sessions; git-grill doctor; git-grill fsck; git-grill hooks status; git-grill instructions; git-grill why",
    "git-grill checkpoint; git-grill checkpoint show; git-grill checkpoint log; git-grill checkpoint diff",
    // What no surface of ours ran before is git's own, which the hooks judge by the plan that was granted.
    "mkdir -p docs; echo x > docs/api.md; git add docs/api.md; git commit -qm forged -- docs/api.md",
    "echo x >> Makefile; git commit -qm forged -- Makefile",
    "git commit -q --allow-empty -m forged",
];

const TOOLS: &[(&str, &str)] = &[
    ("grill_enter_output_phase", r#"{"outputPlan":"a file","outputs":[{"destination":"design-doc"}]}"#),
    ("grill_submit_draft", r#"{"destination":"design-doc","path":"Makefile","content":"pwned"}"#),
    ("grill_finish_output_phase", "{}"),
    ("grill_finish_output_selection_phase", "{}"),
    ("grill_start", r#"{"topic":"the drafted"}"#),
    ("grill_set_plan", r#"{"steps":["pwned"]}"#),
    ("grill_step_done", r#"{"step":1}"#),
    ("grill_debate", r#"{"action":"submit","debate":1,"role":"proposer","round":1,"text":"pwned"}"#),
];

/// What an MCP session calls beside them.
const CALLS: &[(&str, &str)] = &[
    ("grill_status", "{}"),
    (
        "grill_enter_output_selection_phase",
        r#"{"readinessRationale":"Ready.","recommendedOutputs":["design-doc"],"recommendedStrategy":"none","question":"What?","alternatives":[{"label":"A design"},{"label":"More questions"}]}"#,
    ),
    ("grill_finish_output_selection_phase", r#"{"outcome":"stop-without-output"}"#),
];

/// Files that an agent's guard must not let it write, whatever the session says of itself.
const GUARDED: &[&str] = &["docs/api.md", "Makefile", ".claude/settings.json"];

/// Shell commands that it must not let through.
const GUARDED_COMMANDS: &[&str] = &[
    "git commit -qm forged -- docs/api.md",
    "git commit -q --allow-empty -m forged",
    "echo pwned > docs/api.md",
    "git-grill approve",
];

/// The script that tries one of so many over the row of this number, another one over the next; it says `BROKEN <line>`
/// where one acted.
pub fn script(bench: &Bench, gh: &StandIn, id: &str, number: usize, stride: usize) -> String {
    let (repo, root) = (bench.repo().display().to_string(), bench.root().display());
    let mut tries = Vec::new();
    let mut attempt = |line: &str, agent: bool| {
        let (who, variable) = if agent { ("an agent", "CLAUDECODE=1; export CLAUDECODE; ") } else { ("a script", "") };
        tries.push(format!("( {variable}{line} ) >../said 2>&1 </dev/null\ncheck '{who}' {}\n", quoted(line)));
    };
    for line in BY_BOTH {
        attempt(line, true);
        attempt(line, false);
    }
    // With a stride the rows of one command are so far apart; by whom it is tried changes from one of them to the next.
    for (place, line) in BY_ONE.iter().enumerate() {
        attempt(line, (place + number / stride).is_multiple_of(2));
    }
    for (tool, request) in TOOLS {
        attempt(&format!("echo {} | git-grill tool {tool}", quoted(request)), true);
    }
    attempt(&served(), true);
    let mut guarded = |what: &str, tool: &str, input: &Value| {
        let payload = json!({
            "session_id": "s", "transcript_path": "/x", "cwd": repo, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
        });
        tries.push(format!("guarded {} {}\n", quoted(what), quoted(&payload.to_string())));
    };
    for path in GUARDED {
        guarded(path, "Write", &json!({"file_path": format!("{repo}/{path}"), "content": "pwned"}));
    }
    for command in GUARDED_COMMANDS {
        guarded(command, "Bash", &json!({"command": command}));
    }
    let chosen = tries.iter().skip(number % stride).step_by(stride);
    let chosen: String = chosen.map(|line| format!("again\n{line}")).collect();
    let begin = format!("{}; PATH='{root}/canaries':\"$PATH\"; export PATH; ID={id}\n{PRELUDE}", gh.first_in_path());
    begin + &chosen + "again\nstands\nrm -f .git/GRILL_HEAD\necho every command was tried\n"
}

/// A line that calls every tool in one MCP session, whose client shows no forms.
fn served() -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"},
    }});
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let calls = CALLS.iter().chain(TOOLS).enumerate().map(|(number, (tool, arguments))| {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        json!({"jsonrpc": "2.0", "id": number + 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
    });
    let frames: Vec<String> = [hello, begun].into_iter().chain(calls).map(|frame| quoted(&frame.to_string())).collect();
    format!("printf '%s\\n' {} | git-grill mcp", frames.join(" "))
}

/// Every line in which a verb is played.
pub fn played() -> Vec<String> {
    let lines = BY_BOTH.iter().chain(BY_ONE).map(|line| (*line).to_owned());
    lines.chain([served(), "git-grill tool".to_owned(), PRELUDE.to_owned()]).collect()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

const PRELUDE: &str = r#"
plainly() { git -c core.hooksPath=/dev/null "$@"; }
# No ref of ours: a baseline that a line takes would bring it back.
TIP=$(git rev-parse refs/hostile/tip)
plainly update-ref -d refs/hostile/tip
HEAD=$(git rev-parse HEAD)
SOUND=$(git status --porcelain=v2 --branch -uall | grep -v '^# branch.ab')
# The session as it was fetched, active here, with the hooks armed.
again() {
    [ -e .git/GRILL_HEAD ] || printf 'ref: refs/grill/sessions/%s\n' $ID > .git/GRILL_HEAD
    plainly update-ref refs/grill/sessions/$ID $TIP
    [ -e .git/grill/armed ] && return
    git-grill status >/dev/null 2>&1
    plainly update-ref refs/grill/sessions/$ID $TIP
}
broken() {
    echo "BROKEN $1: $2"
    plainly checkout -qf main; plainly reset -q --hard $HEAD; plainly clean -qfdx -e .grill
    rm -rf ../outside/* ../escape.md ../launched
}
check() {
    # What the line itself put there is no deed of ours.
    case $2 in mkdir*|echo\ x*) plainly reset -q --hard "$(git rev-parse HEAD)"; rm -rf docs;; esac
    now=$(git status --porcelain=v2 --branch -uall | grep -v '^# branch.ab')
    [ "$now" = "$SOUND" ] || { broken "$1: $2" "$now"; return; }
    [ ! -e ../launched ] || { broken "$1: $2" "an agent was launched"; return; }
    [ ! -e ../outside/out.md ] && [ ! -e ../escape.md ] || { broken "$1: $2" "a file beside the repository"; return; }
    ! grep -rqs pwned .git/hooks .git/config || broken "$1: $2" "git's own folder"
}
stands() {
    git-grill status --json > ../status 2>/dev/null || return 0
    case $(cat ../status) in
        *'"approval":"person"'*) ;;
        *) echo "BROKEN status: the approval mode is $(grep -o '"approval":"[^"]*"' ../status)";;
    esac
    case $(cat ../status) in *'"interviewer":"built-in"'*) ;; *) echo "BROKEN status: an agent asks";; esac
    ! git show refs/grill/sessions/$ID:.grill/session.yaml | grep -q '^waived:' || echo "BROKEN status: a concern is waived"
    case $(cat ../status) in *'"phase":"output"'*) echo "BROKEN status: the output phase is open";; esac
}
guarded() {
    printf '%s' "$2" | git-grill guard --for claude > ../said 2>&1
    code=$?
    grep -q deny ../said || [ $code = 2 ] || broken "guard: $1" "a write is let through"
}
"#;
