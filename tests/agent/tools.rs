//! The MCP server that the agent was handed, started and called as agents do.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Server {
    /// Starts the server as `session/new` describes it, and greets it.
    pub fn start(described: &Value) -> Result<Self, String> {
        let text = |name: &str| described[name].as_str().unwrap_or_default().to_owned();
        let list = |name: &str| described[name].as_array().cloned().unwrap_or_default();
        let args: Vec<String> = list("args").iter().filter_map(|arg| arg.as_str().map(str::to_owned)).collect();
        let mut command = Command::new(text("command"));
        // Only what it is handed and what every program needs, as one agent does.
        let kept: Vec<_> = ["PATH", "HOME", "TMPDIR", "GRILL_TEST_HOME", "GRILL_TEST_SYSTEM"]
            .into_iter()
            .filter_map(|name| Some((name, std::env::var_os(name)?)))
            .collect();
        command.env_clear().envs(kept).args(args);
        for variable in list("env") {
            command.env(variable["name"].as_str().unwrap_or_default(), variable["value"].as_str().unwrap_or_default());
        }
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut child = spawned.map_err(|error| format!("{}: {error}", text("command")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        let mut server = Self { child, input, output: BufReader::new(output), last: 0 };
        let client = json!({"name": "scripted-agent", "version": "1"});
        server.request(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        )?;
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// Calls a tool; its text, and whether it failed.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<(String, bool), String> {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let texts = result["content"].as_array().into_iter().flatten().filter_map(|piece| piece["text"].as_str());
        Ok((texts.collect::<Vec<_>>().join("\n"), result["isError"] == true))
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let mut line = String::new();
        loop {
            line.clear();
            match self.output.read_line(&mut line) {
                Ok(0) => return Err("the server went away".to_owned()),
                Ok(_) => {}
                Err(error) => return Err(error.to_string()),
            }
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else { continue };
            if message["id"] == id {
                let error = message["error"].take();
                return if error.is_null() { Ok(message["result"].take()) } else { Err(error.to_string()) };
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.input, "{message}").and_then(|()| self.input.flush()).map_err(|error| error.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
