//! The choices of a reply as they may be shown, and when it is told which one is recommended ([`Reveal`]).

use crate::app::prompt::{Choice, ReplyPrompt, Reveal};

/// The choices of a [`ReplyPrompt`] in the order in which they are shown.
#[derive(Clone, Debug)]
pub struct Leaning {
    choices: Vec<Choice>,
    /// The recommendation, while it is kept back.
    kept: Option<usize>,
}

impl Leaning {
    /// The choices of `prompt`, in its order: their numbers mean the same wherever else they are listed.
    pub fn of(prompt: &ReplyPrompt) -> Self {
        let mut choices = prompt.choices.clone();
        match prompt.reveal {
            Reveal::AtOnce => Self { choices, kept: None },
            Reveal::WhenLeaning => {
                let kept = choices.iter().position(|choice| choice.recommended);
                for choice in &mut choices {
                    choice.recommended = false;
                }
                Self { choices, kept }
            }
        }
    }

    /// The choices, none of them marked while the recommendation is kept back.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The person is about to send `text`, which is a position: what is told before that, once. A command is none.
    pub fn tell(&mut self, text: &str) -> Option<String> {
        if text.trim_start().starts_with('/') {
            return None;
        }
        let at = self.kept.take()?;
        let choice = &mut self.choices[at];
        choice.recommended = true;
        let reason = choice.description.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        Some(if choice.value == text {
            format!("that is the recommendation too{reason} · Enter sends it")
        } else {
            format!("the recommendation was {}. {}{reason} · Enter sends yours", at + 1, choice.label)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::choices;

    fn leaning(reveal: Reveal) -> Leaning {
        let mut choices = choices(3);
        choices.swap(0, 2);
        Leaning::of(&ReplyPrompt { choices, reveal, ..ReplyPrompt::default() })
    }

    #[test]
    fn what_is_not_kept_back_stands_as_it_was_given_and_is_never_told() {
        let mut shown = leaning(Reveal::AtOnce);
        assert_eq!(shown.choices()[2].label, "choice one");
        assert!(shown.choices()[2].recommended);
        assert_eq!(shown.tell("mine"), None);
    }

    #[test]
    fn g13_no_mark_tells_it_and_then_it_is_told_once_with_the_number_that_it_has_everywhere() {
        let mut shown = leaning(Reveal::WhenLeaning);
        let labels: Vec<&str> = shown.choices().iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(labels, ["choice three 日本語", "choice two", "choice one"]);
        assert!(shown.choices().iter().all(|choice| !choice.recommended));
        assert_eq!(shown.tell("/skip"), None, "a command is no position");
        let told = "the recommendation was 3. choice one: why one would take it · Enter sends yours";
        assert_eq!(shown.tell("mine").as_deref(), Some(told));
        assert!(shown.choices()[2].recommended);
        assert_eq!(shown.tell("mine"), None);
        let told = leaning(Reveal::WhenLeaning).tell("value one");
        assert_eq!(told.as_deref(), Some("that is the recommendation too: why one would take it · Enter sends it"));
    }

    #[test]
    fn where_nothing_is_recommended_nothing_is_told() {
        let prompt = ReplyPrompt { reveal: Reveal::WhenLeaning, ..ReplyPrompt::default() };
        assert_eq!(Leaning::of(&prompt).tell("mine"), None);
    }
}
