//! Payloads of every agent, and what is no payload of any.

use super::*;
use crate::agents::hooked;
use proptest::prelude::*;

fn deeds(agent: Hooked, text: &str) -> Vec<ToolAction> {
    read(agent, text.as_bytes()).deeds
}

fn shell(line: &str) -> Vec<ToolAction> {
    vec![ToolAction::Shell(line.to_owned())]
}

fn write(path: &str) -> ToolAction {
    ToolAction::Write(Some(path.to_owned()))
}

#[test]
fn each_agent_is_understood_in_its_own_form() {
    let table = [
        (
            hooked("claude"),
            r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
            shell("ls"),
        ),
        (
            hooked("codex"),
            r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
            shell("ls"),
        ),
        (
            hooked("gemini"),
            r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"}}"#,
            shell("ls"),
        ),
        (
            hooked("grok"),
            r#"{"hookEventName":"pre_tool_use","hook_event_name":"PreToolUse","toolName":"run_terminal_command","tool_name":"run_terminal_command","toolInput":{"command":"ls"},"tool_input":{"command":"ls"},"toolInputTruncated":false}"#,
            shell("ls"),
        ),
        (hooked("cursor"), r#"{"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/r"}"#, shell("ls")),
        (
            hooked("cursor"),
            r#"{"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls"}}"#,
            shell("ls"),
        ),
        (
            hooked("cursor"),
            r#"{"hook_event_name":"beforeMCPExecution","tool_name":"ask_question","tool_input":"{}","command":"git grill mcp"}"#,
            vec![ToolAction::Ours("ask_question")],
        ),
        (
            hooked("cursor"),
            r#"{"hook_event_name":"beforeMCPExecution","tool_name":"drop_tables","tool_input":"{}","command":"ls"}"#,
            vec![ToolAction::Unknown("MCP:drop_tables".to_owned())],
        ),
        (hooked("pi"), r#"{"cwd":"/r","tool_name":"write","tool_input":{"path":"a","content":""}}"#, vec![write("a")]),
        (hooked("opencode"), r#"{"tool_name":"edit","tool_input":{"filePath":"/r/a"}}"#, vec![write("/r/a")]),
        (
            hooked("generic"),
            r#"{"tool_name":"delete","tool_input":{"path":"a"}}"#,
            vec![ToolAction::Delete(Some("a".to_owned()))],
        ),
        // Grok reads the hook files of Claude Code.
        (
            hooked("claude"),
            r#"{"hook_event_name":"PreToolUse","toolName":"Bash","toolInput":{"command":"ls"}}"#,
            shell("ls"),
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"mcp__grill__grill_status","tool_input":{}}"#,
            vec![ToolAction::Ours("grill_status")],
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"mcp__grill__limits_ask","tool_input":{}}"#,
            vec![ToolAction::Served("mcp__grill__limits_ask".to_owned(), vec!["limits_ask".to_owned()])],
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"mcp__other__limits_ask","tool_input":{}}"#,
            vec![ToolAction::Unknown("mcp__other__limits_ask".to_owned())],
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"Skill","tool_input":{"skill":"grill"}}"#,
            vec![ToolAction::Read("Skill".to_owned())],
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"Skill","tool_input":{"skill":"deploy"}}"#,
            vec![ToolAction::Unknown("Skill deploy".to_owned())],
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"Agent","tool_input":{"prompt":"x"}}"#,
            vec![ToolAction::Read("Agent".to_owned())],
        ),
        (
            hooked("claude"),
            r#"{"tool_name":"Agent","tool_input":{"prompt":"x","isolation":"worktree"}}"#,
            vec![ToolAction::Unknown("Agent in \"worktree\"".to_owned())],
        ),
        (hooked("claude"), r#"{"tool_name":"Write","tool_input":{"content":"x"}}"#, vec![ToolAction::Write(None)]),
        (
            hooked("claude"),
            r#"{"tool_name":"MultiEdit","tool_input":{"file_path":"a","edits":[{"file_path":"b"},{"old_string":"c"}]}}"#,
            vec![write("b"), write("a")],
        ),
        (
            hooked("codex"),
            r#"{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}}"#,
            vec![ToolAction::Delete(Some("a".to_owned()))],
        ),
    ];
    for (agent, text, expected) in table {
        assert_eq!(deeds(agent, text), expected, "{agent} {text}");
    }
}

#[test]
fn what_cannot_be_understood_is_said_so_and_keeps_its_folder() {
    let table = [
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Bash","tool_input":{"command":["ls"]}}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Bash","tool_input":{}}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Bash","tool_input":"ls"}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Bash"}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":["Bash"],"tool_input":{"command":"ls"}}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_input":{"command":"ls"}}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Read","tool_input":{},"command":"rm x"}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Read","toolName":"Bash","tool_input":{}}"#),
        (hooked("claude"), r#"{"cwd":"/r","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{}}"#),
        (hooked("claude"), r#"{"cwd":"/r","hook_event_name":"BeforeTool","tool_name":"Read","tool_input":{}}"#),
        (hooked("claude"), r#"{"cwd":"/r","hook_event_name":7,"tool_name":"Read","tool_input":{}}"#),
        (hooked("gemini"), r#"{"cwd":"/r","hook_event_name":"PreToolUse","tool_name":"glob","tool_input":{}}"#),
        (hooked("grok"), r#"{"cwd":"/r","toolName":"read_file","toolInput":"cut…","toolInputTruncated":true}"#),
        (hooked("grok"), r#"{"cwd":"/r","toolName":"read_file","tool_name":"x","toolInput":{}}"#),
        (hooked("grok"), r#"{"cwd":"/r","toolName":"grep","toolInput":{"a":1},"tool_input":{"a":2}}"#),
        (
            hooked("cursor"),
            r#"{"cwd":"/r","hook_event_name":"preToolUse","hookEventName":"beforeReadFile","tool_name":"Read"}"#,
        ),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Skill","tool_input":{"skill":"grill","name":"deploy"}}"#),
        (
            hooked("gemini"),
            r#"{"cwd":"/r","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"a","workdir":"b"}}"#,
        ),
        (hooked("cursor"), r#"{"cwd":"/r","hook_event_name":"stop"}"#),
        (hooked("cursor"), r#"{"cwd":"/r","hook_event_name":"preToolUse","tool_name":"Read","command":"rm x"}"#),
        (hooked("cursor"), r#"{"cwd":"/r","hook_event_name":"beforeShellExecution"}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Write","tool_input":{"file_path":7}}"#),
        (hooked("claude"), r#"{"cwd":"/r","tool_name":"Write","tool_input":{"file_path":["a"]}}"#),
        (hooked("codex"), r#"{"cwd":"/r","tool_name":"apply_patch","tool_input":{"command":"rm x"}}"#),
        (hooked("codex"), r#"{"cwd":"/r","tool_name":"apply_patch","tool_input":{"a":"*** x","b":"*** y"}}"#),
        (
            hooked("gemini"),
            r#"{"cwd":"/r","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":7}}"#,
        ),
    ];
    for (agent, text) in table {
        let call = read(agent, text.as_bytes());
        assert!(matches!(call.deeds.as_slice(), [ToolAction::Unreadable(_)]), "{agent} {text}: {:?}", call.deeds);
        assert_eq!(call.places, ["/r"], "{agent} {text}");
        assert_eq!(call.shell, None);
    }
    let long = vec![b' '; MAX_INPUT + 1];
    for text in [b"".as_slice(), b"null", b"[]", b"{", b"\xff\xfe", br#"{"cwd":"/a","cwd":"/b"}"#, &long] {
        assert!(matches!(read(hooked("claude"), text).deeds.as_slice(), [ToolAction::Unreadable(_)]), "{}", text.len());
    }
}

#[test]
fn every_folder_that_is_named_counts() {
    let places = |agent, text: &str| read(agent, text.as_bytes()).places;
    assert_eq!(places(hooked("claude"), r#"{"tool_name":"Read"}"#), [""; 0]);
    assert_eq!(places(hooked("claude"), r#"{"cwd":null,"tool_name":"Read"}"#), [""; 0]);
    assert_eq!(
        places(hooked("grok"), r#"{"cwd":"/r/sub","workspaceRoot":"/r","toolName":"grep","toolInput":{}}"#),
        ["/r/sub", "/r"]
    );
    assert_eq!(
        places(hooked("cursor"), r#"{"cwd":"","workspace_roots":["/a","/b"],"tool_name":"Read"}"#),
        ["/a", "/b"]
    );
    let gemini = |folder: &str| {
        let text = r#"{"cwd":"/r/","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"F"}}"#;
        places(hooked("gemini"), &text.replace('F', folder))
    };
    assert_eq!(gemini("sub"), ["/r/sub", "/r/"]);
    assert_eq!(gemini("/other"), ["/other", "/r/"]);
    let odd = read(hooked("cursor"), br#"{"workspace_roots":["/a",7],"tool_name":"Read"}"#);
    assert!(matches!(odd.deeds.as_slice(), [ToolAction::Unreadable(_)]));
    assert_eq!(odd.places, ["/a"]);
}

proptest! {
    /// Whatever arrives ends in deeds, and what is no call of a known tool never ends in one that passes.
    #[test]
    fn any_bytes_end_in_deeds(bytes in proptest::collection::vec(any::<u8>(), 0..120), place in any::<prop::sample::Index>()) {
        let agents: Vec<Hooked> = Hooked::all().collect();
        let call = read(agents[place.index(agents.len())], &bytes);
        prop_assert!(matches!(call.deeds.as_slice(), [ToolAction::Unreadable(_)]), "{:?}", call.deeds);
    }

    /// One byte of a forbidden call changed, lost or added: it is that call, another one that is judged, or refused.
    #[test]
    fn a_damaged_call_is_never_taken_for_a_harmless_one(at in 0usize..200, byte in any::<u8>(), kind in 0u8..3) {
        let text = br#"{"cwd":"/r","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf x"}}"#;
        let mut bytes = text.to_vec();
        let at = at % bytes.len();
        match kind {
            0 => bytes[at] = byte,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, byte),
        }
        for deed in read(hooked("claude"), &bytes).deeds {
            prop_assert!(!matches!(deed, ToolAction::Read(_) | ToolAction::Ours(_)), "{deed:?} from {}", bytes.escape_ascii());
        }
    }

    /// A patch with any lines in it names no fewer files than it has headers.
    #[test]
    fn every_header_of_a_patch_counts(lines in proptest::collection::vec(patch_line(), 1..8)) {
        let patch = format!("*** Begin Patch\n{}*** End Patch\n", lines.concat());
        let input = serde_json::json!({ "tool_name": "apply_patch", "tool_input": { "command": patch } });
        let deeds = read(hooked("codex"), input.to_string().as_bytes()).deeds;
        let headers = lines.iter().filter(|line| line.starts_with("***")).count();
        let understood = deeds.iter().all(|deed| matches!(deed, ToolAction::Write(Some(_)) | ToolAction::Delete(Some(_))));
        prop_assert!(!understood || deeds.len() >= headers, "{deeds:?} from {patch}");
    }
}

fn patch_line() -> impl Strategy<Value = String> {
    let line = [
        "*** Add File: a\n",
        "*** Update File: b\n",
        "*** Delete File: c\n",
        "*** Move to: d\n",
        "+x\n",
        " *** y\n",
        "@@\n",
    ];
    proptest::sample::select(line.to_vec()).prop_map(str::to_owned)
}
