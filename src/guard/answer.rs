//! How a verdict is said to an agent.

use super::advice::Advice;
use crate::agents::Hooked;
use crate::domain::harmless::on_one_line;
use crate::policy::verdict::Refusal;

/// How the guard's process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Answer {
    /// What the agent's program reads.
    pub stdout: String,
    /// What the agent's model reads.
    pub stderr: String,
    pub code: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct No {
    pub advice: Advice,
    /// The refused call, and the reason.
    pub refusal: Refusal,
}

/// The exit code that every agent takes as a no.
pub const NO: u8 = 2;

impl Answer {
    /// Nothing to say against it.
    pub fn pass(agent: Hooked) -> Self {
        let stdout = if agent.pass.is_empty() { String::new() } else { format!("{}\n", agent.pass) };
        Self { stdout, stderr: String::new(), code: 0 }
    }

    /// The no that every agent understands: one line on standard error, and nothing on standard output, where a second
    /// dialect would make the first one invalid. First what to do, within [`FIRST`](super::advice::FIRST) bytes, then
    /// the rest.
    pub fn no(agent: Hooked, No { advice, refusal }: &No) -> Self {
        let mut line = format!("git grill: {} Refused: {}", advice.words(agent), refusal.reason);
        if !refusal.hints.is_empty() {
            line.push_str(" (next: ");
            line.push_str(&refusal.hints.join("; "));
            line.push(')');
        }
        let line = on_one_line(&line.replace(['\n', '\r'], " "));
        Self { stdout: String::new(), stderr: format!("{line}\n"), code: NO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;

    #[test]
    fn a_no_is_one_line_and_silence_on_the_other_side() {
        let refusal =
            Refusal { reason: "`rm x` was not run:\nno".to_owned(), hints: vec!["git grill status".to_owned()] };
        let answer = Answer::no(hooked("pi"), &No { advice: Advice::Selection, refusal });
        let line = "git grill: do not try this in another way; call grill_status and wait for the person to choose the \
                    output. Refused: `rm x` was not run: no (next: git grill status)\n";
        assert_eq!(answer.stderr, line);
        assert_eq!((answer.stdout.as_str(), answer.code), ("", 2));
    }

    #[test]
    fn g30_a_no_repeats_foreign_names_harmlessly() {
        for agent in Hooked::all() {
            let refusal = Refusal { reason: "a\u{202e}b\u{1b}".to_owned(), hints: vec!["c\u{200b}".to_owned()] };
            let answer = Answer::no(agent, &No { advice: Advice::Selection, refusal });
            assert!(answer.stderr.ends_with("Refused: a\\u{202e}b␛ (next: c\\u{200b})\n"), "{}", answer.stderr);
        }
    }

    #[test]
    fn only_cursor_wants_to_hear_a_yes() {
        for agent in Hooked::all() {
            let answer = Answer::pass(agent);
            assert_eq!(answer.stdout.is_empty(), agent != hooked("cursor"));
            assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
        }
    }
}
