//! The hooks by which agents let us speak: when a conversation begins, and with each prompt. What an agent says there,
//! in which shape it hears us, and the line that such a hook runs.
//!
//! Unlike the gate, none of this may ever be in the way: whatever is wrong, nothing is said.

use serde_json::{Value, json};

use super::{field, json as strict, payload};
use crate::agents::Hooked;
use crate::agents::hooks::{Ear, Moment, Telling};

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

fn telling(agent: Hooked, moment: Moment) -> Telling {
    match moment {
        Moment::SessionStart => agent.at_start,
        Moment::Prompt => agent.with_prompt,
    }
}

/// The text as this agent hears it at this moment; nothing where it would not.
pub fn said(agent: Hooked, moment: Moment, text: &str) -> String {
    let object = match telling(agent, moment).ear {
        Ear::Context(event) => json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}),
        Ear::Snake => json!({"additional_context": text}),
        Ear::Plain => return format!("{text}\n"),
        Ear::Deaf => return String::new(),
    };
    format!("{object}\n")
}

/// The line of the hook that is installed for this moment; `None` where there is none.
///
/// Gemini CLI puts what is said at the start before the first prompt, and then no longer sees that this is a command: it
/// is told everything with the first prompt instead. A line must never end in exit code 2, by which agents throw the
/// person's prompt away, and be silent where git-grill is missing.
pub fn line(agent: Hooked, moment: Moment) -> Option<String> {
    let name = moment.name();
    let line = || format!("git-grill instructions --for {agent} --hook {name} 2>/dev/null || :");
    telling(agent, moment).is_installed.then(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;

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
        for agent in Hooked::all() {
            for moment in Moment::ALL {
                let Some(line) = line(agent, moment) else { continue };
                assert!(line.ends_with(" 2>/dev/null || :"), "{line}");
                assert!(!said(agent, moment, "x").is_empty(), "{line}");
            }
            let at_start = line(agent, Moment::SessionStart).is_some();
            assert!(!at_start || agent.is_told_at_start, "{agent}");
        }
    }

    #[test]
    fn a_text_of_any_kind_stays_one_line_of_json() {
        let text = "a \"b\"\n\u{1b}[31m 🥩 \\";
        let json = said(hooked("claude"), Moment::Prompt, text);
        assert_eq!(json.lines().count(), 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["hookSpecificOutput"]["additionalContext"], text);
    }
}
