//! What an agent's log never has: the values of secret variables, and those in the files that the agent keeps its logins
//! in. They stay in memory.

use std::path::Path;

use serde_json::Value;

use super::agent::Agent;
use super::login;
use crate::files::regular;
use crate::world::environment::Environment;

/// The longest file of logins that is read.
const LONGEST: u64 = 256 * 1024;

pub(super) fn secrets(environment: &Environment, agent: &Agent, program: &Path) -> Vec<String> {
    let mut secrets = environment.secrets();
    for file in login::files(environment, agent, program, usize::MAX) {
        if let Some(value) = read(&file) {
            collect(&value, &mut secrets);
        }
    }
    secrets
}

fn read(file: &Path) -> Option<Value> {
    serde_json::from_slice(&regular::bytes(file, LONGEST).ok()?).ok()
}

/// Every text that is long enough for a secret, and no sentence.
fn collect(value: &Value, into: &mut Vec<String>) {
    const SHORTEST: usize = 16;
    match value {
        Value::String(text) if text.len() >= SHORTEST && !text.contains(char::is_whitespace) => into.push(text.clone()),
        Value::Array(values) => {
            for value in values {
                collect(value, into);
            }
        }
        Value::Object(values) => {
            for value in values.values() {
                collect(value, into);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Preset;

    #[test]
    fn a31_what_an_agent_logs_in_with_is_known_as_a_secret() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".codex");
        std::fs::create_dir(&folder).unwrap();
        let logins = r#"{"OPENAI_API_KEY": null, "last_refresh": 12, "scope": "openid profile email",
            "tokens": {"access_token": "at-0123456789abcdef", "all": ["rt-0123456789abcdef"], "type": "Bearer"}}"#;
        std::fs::write(folder.join("auth.json"), logins).unwrap();
        std::fs::write(folder.join(".credentials.json"), "no JSON").unwrap();
        let agent =
            Agent { name: "codex".into(), preset: Preset::named("codex").unwrap(), command: Vec::new(), lent: None };
        let home = home.path().to_str().unwrap();
        let environment = Environment::with(&[("HOME", home), ("OPENAI_API_KEY", "hunter2hunter2"), ("EDITOR", "vi")]);
        let mut secrets = secrets(&environment, &agent, Path::new("/usr/bin/codex-acp"));
        secrets.sort();
        assert_eq!(secrets, ["at-0123456789abcdef", "hunter2hunter2", "rt-0123456789abcdef"]);
    }
}
