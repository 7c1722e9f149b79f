//! The agents that are run: how each is started against the scripted model, and what its tools are called.

use serde_json::{Value, json};

/// An agent as it is run here.
pub struct Known {
    /// Its name for `git grill agent install`.
    pub name: &'static str,
    /// The version that `.ci/agents` installs.
    pub version: &'static str,
    /// Its name in the history of a session that it led.
    pub recorded_as: &'static str,
    /// Shell lines that write its settings into the throw-away home and say where the model is; `$PORT` is its port.
    pub set_up: &'static str,
    /// Starts a conversation with the prompt `$SAY`, without a terminal.
    pub begin: &'static str,
    /// Goes on with the last conversation.
    pub go_on: &'static str,
    /// The name and the input by which its model orders a deed, where our tools are those of the server of this name.
    order: fn(&str, &Deed) -> (String, Value),
}

/// A deed that the model orders, whatever the tool is called; paths are relative to the repository.
pub enum Deed<'a> {
    Ours(&'a str, Value),
    Read(&'a str),
    /// Writes a file, with the agent's own tool.
    Write(&'a str),
    Shell(&'a str),
}

/// Dummy keys, and nothing that asks the network.
pub const QUIET: &str = "ANTHROPIC_API_KEY=dummy GEMINI_API_KEY=dummy OPENAI_API_KEY=dummy XAI_API_KEY=dummy \
                     DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 OPENCODE_DISABLE_MODELS_FETCH=1 \
                     GEMINI_CLI_TRUST_WORKSPACE=true OPENCODE_DISABLE_AUTOUPDATE=1 PI_OFFLINE=1";

pub fn named(name: &str) -> &'static Known {
    ALL.iter().find(|known| known.name == name).unwrap()
}

impl Known {
    /// A step of the script, once the file `after` appeared.
    pub fn step(&self, label: &str, after: &str, deed: &Deed) -> Value {
        self.step_at("grill", label, after, deed)
    }

    /// The same where [`Deed::Ours`] means a tool of the server that the agent has under this name.
    pub fn step_at(&self, server: &str, label: &str, after: &str, deed: &Deed) -> Value {
        let (name, input) = (self.order)(server, deed);
        let mut step = json!({ "label": label, "name": name, "input": input });
        if !after.is_empty() {
            step["after"] = json!(format!("../{after}"));
        }
        step
    }

    /// A step where git grill started the agent and handed it our tools; it waits until the agent `heard` this.
    pub fn led(&self, heard: &str, deed: &Deed) -> Value {
        let (name, input) = (self.order)("grillinterview", deed);
        let mut step = json!({ "name": name, "input": input });
        if !heard.is_empty() {
            step["heard"] = json!(heard);
        }
        step
    }
}

fn named_input(name: &str, input: Value) -> (String, Value) {
    (name.to_owned(), input)
}

pub const ALL: [Known; 6] = [
    Known {
        name: "claude",
        version: "2.1.330",
        recorded_as: "claude",
        // Our tools are offered from the first request on.
        set_up: "export ENABLE_TOOL_SEARCH=false ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT",
        begin: "$BIN/claude -p \"$SAY\" --permission-mode acceptEdits --allowedTools mcp__grill,Bash,Write",
        go_on: "$BIN/claude -c -p \"$SAY\"",
        order: |server, deed| match deed {
            Deed::Ours(tool, input) => (format!("mcp__{server}__{tool}"), input.clone()),
            Deed::Read(path) => named_input("Read", json!({ "file_path": format!("{{repo}}/{path}") })),
            Deed::Write(path) => {
                named_input("Write", json!({ "file_path": format!("{{repo}}/{path}"), "content": "x" }))
            }
            Deed::Shell(line) => named_input("Bash", json!({ "command": line, "description": "does it" })),
        },
    },
    Known {
        name: "codex",
        version: "0.169.0",
        recorded_as: "codex",
        set_up: "mkdir -p ~/.codex && cat >~/.codex/config.toml <<EOF
model = \"m\"
model_provider = \"x\"
[model_providers.x]
name = \"x\"
base_url = \"http://127.0.0.1:$PORT/v1\"
wire_api = \"responses\"
env_key = \"OPENAI_API_KEY\"
[projects.\"$PWD\"]
trust_level = \"trusted\"
EOF",
        // Its own sandbox would refuse before we do, and does not start everywhere.
        begin: "$BIN/codex exec -s danger-full-access --dangerously-bypass-hook-trust \"$SAY\"",
        go_on: "$BIN/codex exec resume --last --dangerously-bypass-hook-trust \"$SAY\"",
        order: |server, deed| match deed {
            Deed::Ours(tool, input) => (format!("mcp__{server}::{tool}"), input.clone()),
            Deed::Read(path) => named_input("exec_command", json!({ "cmd": format!("cat {path}") })),
            // A model that it does not know is offered no tool of its own for it; this is the same one in its shell.
            Deed::Write(path) => {
                let patch =
                    format!("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\nEOF");
                named_input("exec_command", json!({ "cmd": patch }))
            }
            Deed::Shell(line) => named_input("exec_command", json!({ "cmd": line })),
        },
    },
    Known {
        name: "gemini",
        version: "0.61.0",
        recorded_as: "gemini",
        set_up: "export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT GEMINI_MODEL=gemini-2.5-flash && mkdir -p ~/.gemini && \
                 echo '{\"security\":{\"auth\":{\"selectedType\":\"gemini-api-key\"}}}' >~/.gemini/settings.json",
        begin: "$BIN/gemini -m gemini-2.5-flash --approval-mode yolo -p \"$SAY\"",
        go_on: "$BIN/gemini -m gemini-2.5-flash --resume latest -p \"$SAY\"",
        order: |server, deed| match deed {
            Deed::Ours(tool, input) => (format!("mcp_{server}_{tool}"), input.clone()),
            Deed::Read(path) => named_input("read_file", json!({ "file_path": path })),
            Deed::Write(path) => named_input("write_file", json!({ "file_path": path, "content": "x" })),
            Deed::Shell(line) => named_input("run_shell_command", json!({ "command": line })),
        },
    },
    Known {
        name: "opencode",
        version: "1.18.33",
        recorded_as: "opencode",
        set_up: "mkdir -p ~/.config/opencode && echo '{\"model\":\"x/m\",\"provider\":{\"x\":{\"npm\":\"@ai-sdk/openai-compatible\",\"options\":\
                 {\"baseURL\":\"http://127.0.0.1:'$PORT'/v1\",\"apiKey\":\"dummy\"},\"models\":{\"m\":{\"name\":\"m\"}}}}}' \
                 >~/.config/opencode/opencode.json",
        begin: "$BIN/opencode run --model x/m \"$SAY\"",
        go_on: "$BIN/opencode run --model x/m -c \"$SAY\"",
        order: |server, deed| match deed {
            Deed::Ours(tool, input) => (format!("{server}_{tool}"), input.clone()),
            Deed::Read(path) => named_input("read", json!({ "filePath": format!("{{repo}}/{path}") })),
            Deed::Write(path) => {
                named_input("write", json!({ "filePath": format!("{{repo}}/{path}"), "content": "x" }))
            }
            Deed::Shell(line) => named_input("bash", json!({ "command": line, "description": "does it" })),
        },
    },
    Known {
        name: "grok",
        version: "1.0.41",
        recorded_as: "grok",
        set_up: "mkdir -p ~/.grok && printf '[models]\\ndefault = \"x\"\\n[model.x]\\nmodel = \"m\"\\nbase_url = \"http://127.0.0.1:%s/v1\"\\nenv_key = \
                 \"XAI_API_KEY\"\\n' $PORT >~/.grok/config.toml",
        begin: "$BIN/grok --trust $FREELY -m x -p \"$SAY\"",
        go_on: "$BIN/grok --trust $FREELY -m x -c -p \"$SAY\"",
        order: |server, deed| match deed {
            Deed::Ours(tool, input) => {
                named_input("use_tool", json!({ "tool_name": format!("{server}__{tool}"), "tool_input": input }))
            }
            Deed::Read(path) => named_input("read_file", json!({ "target_file": path })),
            Deed::Write(path) => named_input("write", json!({ "file_path": path, "content": "x" })),
            Deed::Shell(line) => {
                named_input("run_terminal_command", json!({ "command": line, "description": "does it" }))
            }
        },
    },
    Known {
        name: "pi",
        version: "0.87.1",
        recorded_as: "pi",
        set_up: "mkdir -p ~/.pi/agent && echo '{\"providers\":{\"x\":{\"baseUrl\":\"http://127.0.0.1:'$PORT'\",\"api\":\
                 \"anthropic-messages\",\"apiKey\":\"dummy\",\"models\":[{\"id\":\"m\"}]}}}' >~/.pi/agent/models.json",
        begin: "$BIN/pi --approve --provider x --model m -p \"$SAY\"",
        go_on: "$BIN/pi --approve --provider x --model m -c -p \"$SAY\"",
        order: |_, deed| match deed {
            // It has no MCP: our extension registers the tools under their own names.
            Deed::Ours(tool, input) => ((*tool).to_owned(), input.clone()),
            Deed::Read(path) => named_input("read", json!({ "path": path })),
            Deed::Write(path) => named_input("write", json!({ "path": path, "content": "x" })),
            Deed::Shell(line) => named_input("bash", json!({ "command": line })),
        },
    },
];

/// `.ci/agents` installs exactly the versions that are said here.
#[test]
fn the_versions_are_those_that_are_installed() {
    let script = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/agents")).unwrap();
    for known in &ALL {
        let lines: Vec<&str> = script.lines().filter(|line| line.ends_with(&format!("@{}", known.version))).collect();
        assert!(matches!(lines.as_slice(), [line] if line.contains(known.name)), "{}: {lines:?}", known.name);
    }
}
