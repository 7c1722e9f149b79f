//! Instead of judging a command: the same command in the kernel's sandbox. The wall is then the kernel, and whatever the
//! command hides it cannot write.

use std::path::Path;

use serde_json::{Value, json};

use super::answer::Answer;
use super::payload::ShellInput;
use crate::agents::Hooked;
use crate::agents::hooks::Rewrites;
use crate::text::shell::word_for_sh;

/// The same command in the sandbox: run by `shell`, inside `git-grill run`.
///
/// The program is named by its absolute path, since the agent's `PATH` need not be ours.
pub fn sandboxed(program: &Path, shell: &str, command: &str) -> Option<String> {
    Some([program.to_str()?, "run", "--profile", "command", "--", shell, "-c", command].map(word_for_sh).join(" "))
}

/// The answer that has `agent` run `command` in place of its own.
pub fn answer(agent: Hooked, shell: &ShellInput, command: String) -> Answer {
    let mut input = shell.input.clone();
    input.insert("command".to_owned(), Value::String(command));
    let said = match agent.rewrites {
        Rewrites::UpdatedInput => json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input } }),
        Rewrites::InOutput(event) => json!({ "hookSpecificOutput": { "hookEventName": event, "tool_input": input } }),
        Rewrites::Plain => json!({ "tool_input": input }),
        Rewrites::No => return Answer::pass(agent),
    };
    Answer { stdout: format!("{said}\n"), stderr: String::new(), code: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;

    fn shell_input(command: &str) -> ShellInput {
        let Value::Object(input) = json!({ "command": command, "timeout": 1000 }) else { unreachable!() };
        ShellInput { input, command: command.to_owned() }
    }

    #[test]
    fn a_command_stays_one_word_whatever_is_in_it() {
        for command in ["ls", "", "echo 'it''s' \"$x\" `y`", "a\nb", "'", "\\", "'\\''", "é ␤ \u{1b}", "x; rm y"] {
            let line = sandboxed(Path::new("/opt/a b/git-grill"), "bash", command).unwrap();
            let words = shell_words::split(&line).unwrap();
            assert_eq!(words, ["/opt/a b/git-grill", "run", "--profile", "command", "--", "bash", "-c", command]);
        }
    }

    #[test]
    fn braces_reach_the_shell_inside_as_they_were_written() {
        let line = sandboxed(Path::new("/opt/git-grill"), "bash", "cat{,x}").unwrap();
        assert_eq!(line, "/opt/git-grill run --profile command -- bash -c 'cat{,x}'");
    }

    #[test]
    fn the_rest_of_the_input_is_given_back() {
        for (agent, pointer) in [
            (hooked("claude"), "/hookSpecificOutput/updatedInput"),
            (hooked("codex"), "/hookSpecificOutput/updatedInput"),
            (hooked("gemini"), "/hookSpecificOutput/tool_input"),
            (hooked("opencode"), "/tool_input"),
            (hooked("pi"), "/tool_input"),
        ] {
            let answer = answer(agent, &shell_input("rm x"), "boxed".to_owned());
            assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
            let said: Value = serde_json::from_str(&answer.stdout).unwrap();
            assert_eq!(said.pointer(pointer).unwrap(), &json!({ "command": "boxed", "timeout": 1000 }), "{agent}");
        }
    }
}
