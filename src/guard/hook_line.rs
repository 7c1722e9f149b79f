//! The line that an agent's hook runs, for each agent with command hooks.
//!
//! The guard may be missing: uninstalled, or not on the `PATH` of an agent that was started from a desktop. Most agents
//! then run the call as if nothing had been asked, so the line falls back on git itself: as long as this worktree has
//! the mark of an active session (`GRILL_HEAD`), the fall-back refuses; without it, it passes. A hook in the user's own
//! settings that refused always would make the agent useless in every repository the day git-grill is uninstalled.

use crate::agents::Hooked;
use crate::agents::hooks::AskedBy;

/// The hook line for `agent`; `None` for those that load a file of ours instead.
pub fn line(agent: Hooked) -> Option<String> {
    match agent.asked_by {
        AskedBy::Line if agent.pass.is_empty() => Some(fallback(agent, "")),
        AskedBy::Line => Some(fallback(agent, &format!("echo '{}'; ", agent.pass))),
        AskedBy::File(_) => None,
    }
}

/// Exit code 2 is the guard's own refusal. `rev-parse` says 0 where the mark stands, 1 where it does not, and 128
/// outside of repositories.
///
/// Agents show the whole line to their model with every refusal: it is short, and says nothing about how the mark could
/// be taken away.
fn fallback(agent: Hooked, pass: &str) -> String {
    format!(
        "git-grill guard --for {agent} || {{ [ $? -ne 2 ] || exit 2; git rev-parse -q --verify GRILL_HEAD >/dev/null 2>&1; \
         case $? in 1|128) {pass}exit 0;; esac; echo 'git grill: its guard is missing or broken, and a session is active' \
         >&2; exit 2; }}"
    )
}

/// The file that `agent` loads in place of a hook line. It hands our instructions over as well; pi, which knows no MCP,
/// gets our tools and the command from it, too. `command` is what `/grill` says to the model.
pub fn shim(agent: Hooked, command: &str) -> Option<String> {
    match agent.asked_by {
        AskedBy::File(pieces) => {
            // What is text in JSON is text in JavaScript.
            let command = serde_json::Value::from(command).to_string();
            Some(pieces.concat().replacen("\"{grill}\"", &command, 1))
        }
        AskedBy::Line => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;

    #[test]
    fn every_agent_has_a_line_or_a_file() {
        for agent in Hooked::all() {
            assert_ne!(line(agent).is_some(), shim(agent, "x").is_some(), "{agent}");
            if let Some(line) = line(agent) {
                assert!(!line.contains('\n') && line.contains(&format!("--for {agent} ||")), "{line}");
            }
        }
    }

    #[test]
    fn what_the_command_says_stands_in_the_file_of_pi_as_it_is() {
        let command = "Ask `one` \"question\" \\ at a time:\n${x}";
        let file = shim(hooked("pi"), command).unwrap();
        let line = file.lines().find(|line| line.starts_with("const GRILL = ")).unwrap();
        let text = line.trim_start_matches("const GRILL = ").trim_end_matches(';');
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), command);
    }
}
