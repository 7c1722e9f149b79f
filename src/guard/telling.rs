//! The hooks by which agents let us speak: when a conversation begins, and with each prompt. What an agent says there,
//! in which shape it hears us, and the line that such a hook runs.
//!
//! Unlike the gate, none of this may ever be in the way: whatever is wrong, nothing is said.

use serde_json::{Value, json};

use super::agent::Agent;
use super::{field, json as strict, payload};

/// When we may speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A conversation begins, is resumed, or was shortened.
    SessionStart,
    Prompt,
}

impl Moment {
    pub const ALL: [Self; 2] = [Self::SessionStart, Self::Prompt];

    /// Its name, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
        }
    }

    /// The moment of this name, exactly.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| moment.name() == name)
    }
}

/// What an agent says about itself there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The folders that it names as where it works, the most exact one first; as they were written.
    pub places: Vec<String>,
    /// Where it writes the conversation down.
    pub transcript: Option<String>,
    pub begins: Begins,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begins {
    /// Without what was said before, or it is not known.
    #[default]
    Anew,
    /// With all that was said before.
    Resumed,
}

/// Reads what an agent said; `None` where it cannot be understood.
pub fn heard(bytes: &[u8]) -> Option<Heard> {
    let Ok(Value::Object(object)) = strict::parse(bytes) else { return None };
    let (places, odd) = payload::places(&object);
    let transcript = match field::TRANSCRIPT.read(&object) {
        Ok(sent) => sent.and_then(|(_, path)| path.as_str()).filter(|path| !path.is_empty()),
        Err(_) => return None,
    };
    let begins = match object.get("source").and_then(Value::as_str) {
        Some("resume") => Begins::Resumed,
        // What was shortened has forgotten us.
        Some(_) | None => Begins::Anew,
    };
    odd.is_none().then(|| Heard { places, transcript: transcript.map(str::to_owned), begins })
}

/// How an agent hears us at a moment.
enum Ear {
    /// As the context that an event of this name adds.
    Context(&'static str),
    /// Cursor's form of it.
    Snake,
    /// The text as it is: the file of ours that it loads does the rest, or whoever wrote the hook.
    Plain,
    /// It shows its model nothing of what such a hook says.
    Deaf,
}

fn ear(agent: Agent, moment: Moment) -> Ear {
    match (agent, moment) {
        (Agent::Claude | Agent::Codex | Agent::Gemini, Moment::SessionStart) => Ear::Context("SessionStart"),
        (Agent::Claude | Agent::Codex, Moment::Prompt) => Ear::Context("UserPromptSubmit"),
        (Agent::Gemini, Moment::Prompt) => Ear::Context("BeforeAgent"),
        (Agent::Cursor, Moment::SessionStart) => Ear::Snake,
        (Agent::Opencode | Agent::Pi | Agent::Generic, _) => Ear::Plain,
        (Agent::Cursor, Moment::Prompt) | (Agent::Grok, _) => Ear::Deaf,
    }
}

/// The text as this agent hears it at this moment; nothing where it would not.
pub fn said(agent: Agent, moment: Moment, text: &str) -> String {
    let object = match ear(agent, moment) {
        Ear::Context(event) => json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}),
        Ear::Snake => json!({"additional_context": text}),
        Ear::Plain => return format!("{text}\n"),
        Ear::Deaf => return String::new(),
    };
    format!("{object}\n")
}

/// Whether this agent is told everything when a conversation begins, or with each request, so that a prompt of which
/// nothing else is known needs less.
pub fn is_told_at_start(agent: Agent) -> bool {
    match agent {
        Agent::Gemini => false,
        Agent::Claude | Agent::Codex | Agent::Opencode | Agent::Cursor | Agent::Grok | Agent::Pi | Agent::Generic => {
            true
        }
    }
}

/// The line of the hook that is installed for this moment; `None` where there is none.
///
/// Gemini CLI puts what is said at the start before the first prompt, and then no longer sees that this is a command: it
/// is told everything with the first prompt instead. A line must never end in exit code 2, by which agents throw the
/// person's prompt away, and be silent where git-grill is missing.
pub fn line(agent: Agent, moment: Moment) -> Option<String> {
    let is_installed = match (agent, moment) {
        (Agent::Claude | Agent::Codex, _) | (Agent::Gemini, Moment::Prompt) | (Agent::Cursor, Moment::SessionStart) => {
            true
        }
        (Agent::Gemini, Moment::SessionStart)
        | (Agent::Cursor, Moment::Prompt)
        | (Agent::Opencode | Agent::Pi | Agent::Grok | Agent::Generic, _) => false,
    };
    let name = moment.name();
    is_installed.then(|| format!("git-grill instructions --for {agent} --hook {name} 2>/dev/null || :"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_exact() {
        for moment in Moment::ALL {
            assert_eq!(Moment::named(moment.name()), Some(moment));
        }
        for other in ["", "Prompt", "SessionStart", "prompt "] {
            assert_eq!(Moment::named(other), None, "{other}");
        }
    }

    #[test]
    fn what_cannot_be_understood_is_not_heard() {
        let full = br#"{"cwd": "/a", "transcript_path": "/t", "prompt": "x", "source": "startup"}"#;
        let (places, transcript) = (vec!["/a".to_owned()], Some("/t".to_owned()));
        assert_eq!(heard(full), Some(Heard { places, transcript, begins: Begins::Anew }));
        assert_eq!(heard(br#"{"source": "resume"}"#).unwrap().begins, Begins::Resumed);
        let none = Some(Heard { places: Vec::new(), transcript: None, begins: Begins::Anew });
        for empty in [&b"{}"[..], br#"{"transcript_path": null}"#, br#"{"transcript_path": 3, "cwd": "", "source": 3}"#]
        {
            assert_eq!(heard(empty), none, "{}", empty.escape_ascii());
        }
        for broken in [&b""[..], b"{", b"[]", b"\xff", br#"{"cwd": 3}"#, br#"{"cwd": "/a", "cwd": "/b"}"#, b"{} {}"] {
            assert_eq!(heard(broken), None, "{}", broken.escape_ascii());
        }
    }

    #[test]
    fn no_installed_line_can_throw_a_prompt_away_or_is_not_heard() {
        for agent in Agent::ALL {
            for moment in Moment::ALL {
                let Some(line) = line(*agent, moment) else { continue };
                assert!(line.ends_with(" 2>/dev/null || :"), "{line}");
                assert!(!said(*agent, moment, "x").is_empty(), "{line}");
            }
            let at_start = line(*agent, Moment::SessionStart).is_some();
            assert!(!at_start || is_told_at_start(*agent), "{agent}");
        }
    }

    #[test]
    fn a_text_of_any_kind_stays_one_line_of_json() {
        let text = "a \"b\"\n\u{1b}[31m 🥩 \\";
        let json = said(Agent::Claude, Moment::Prompt, text);
        assert_eq!(json.lines().count(), 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["hookSpecificOutput"]["additionalContext"], text);
    }
}
