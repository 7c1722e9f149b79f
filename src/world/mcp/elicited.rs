//! Two prompters for a client that shows forms: one that only notes what would be asked, and one that answers with what
//! a form came back with. Between the two lies a person.

use std::time::Duration;

use serde_json::Value;

use crate::app::prompt::{
    AtGate, Choice, FormAnswer, FormPrompt, GatePrompt, Level, ManyPrompt, PickPrompt, Picked, Prompted, Prompter,
    Replied, ReplyPrompt,
};
use crate::app::toolbox::{Field, Takes};

const NOBODY: &str = "this client shows no forms";
const EMPTY: &str = "the form came back without an answer that it offered";
const OTHER_KIND: &str = "a form asks no question of this kind";

/// The field that takes one of the options, several of them, words of one's own, a note.
const CHOICE: &str = "choice";
const OWN: &str = "own_words";
const NOTE: &str = "note";
/// The fields of the gate beside the choice of what happens, and what can happen.
const OUTPUTS: &str = "outputs";
const STRATEGY: &str = "strategy";
const CONTINUE: &str = "continue";
const PRODUCE: &str = "produce";
const STOP: &str = "stop";
const YES: &str = "yes";
const NO: &str = "no";

/// What would be asked: what stands above the form, and its fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    pub message: String,
    pub fields: Vec<Field>,
    /// How long it may stand open.
    pub within: Option<Duration>,
}

/// What a form came back with.
#[derive(Clone, Debug)]
pub(super) enum Elicited {
    /// Nothing yet; what is asked is noted, with the limit that holds then.
    Noting { asked: Option<Asked>, within: Option<Duration> },
    /// These values, by the names of the fields.
    Given(Value),
}

impl Elicited {
    /// One that notes.
    pub(super) fn noting() -> Self {
        Self::Noting { asked: None, within: None }
    }

    /// What was asked meanwhile.
    pub(super) fn asked(self) -> Option<Asked> {
        match self {
            Self::Noting { asked, .. } => asked,
            Self::Given(_) => None,
        }
    }

    fn meet<T>(
        &mut self,
        form: impl FnOnce() -> (String, Vec<Field>),
        answer: impl FnOnce(&Value) -> Option<T>,
    ) -> Prompted<T> {
        match self {
            Self::Noting { asked, within } => {
                let (message, fields) = form();
                *asked = Some(Asked { message, fields, within: *within });
                Prompted::Unavailable(NOBODY)
            }
            Self::Given(values) => answer(values).map_or(Prompted::Unavailable(EMPTY), Prompted::Answered),
        }
    }
}

/// An entry as a form names it: the number keeps two equal labels apart.
fn named(at: usize, label: &str) -> String {
    format!("{}. {label}", at + 1)
}

fn entries(choices: &[Choice]) -> Vec<(String, String)> {
    let entry = |(at, choice): (usize, &Choice)| {
        let name = named(at, &choice.label);
        let shown = if choice.recommended { format!("{name} (recommended)") } else { name.clone() };
        let title = match &choice.description {
            Some(description) => format!("{shown} – {description}"),
            None => shown,
        };
        (name, title)
    };
    choices.iter().enumerate().map(entry).collect()
}

fn field(name: &str, title: &str, takes: Takes) -> Field {
    Field { name: name.to_owned(), title: title.to_owned(), takes, required: false, initial: None }
}

fn text(values: &Value, name: &str) -> Option<String> {
    let text = values.get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn above(heading: &str, question: &str) -> String {
    if heading.is_empty() { question.to_owned() } else { format!("{heading}\n{question}") }
}

impl Prompter for Elicited {
    fn available(&self) -> Result<(), &'static str> {
        Err(NOBODY)
    }

    fn wait_at_most(&mut self, limit: Option<Duration>) {
        match self {
            Self::Noting { within, .. } => *within = limit,
            // What is at hand is not waited for.
            Self::Given(_) => {}
        }
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<Replied> {
        let asked = || {
            let help = if prompt.help.is_empty() { "Your words" } else { &prompt.help };
            let initial = Some(prompt.draft.clone()).filter(|draft| !draft.is_empty());
            let reply = Field { initial, required: true, ..field(OWN, help, Takes::Text) };
            (above(&prompt.heading, &prompt.question), vec![reply])
        };
        self.meet(asked, |values| text(values, OWN).map(|text| Replied { text, read: None }))
    }

    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked> {
        let mut choices = entries(&prompt.choices);
        let talk = prompt.discuss.as_ref().map(|label| named(choices.len(), label));
        choices.extend(talk.iter().map(|name| (name.clone(), name.clone())));
        let asked = || {
            let mut fields = vec![field(CHOICE, "Your choice", Takes::One(choices.clone()))];
            fields.extend(prompt.other.as_ref().map(|label| field(OWN, label, Takes::Text)));
            fields.push(field(NOTE, "A note to your choice", Takes::Text));
            (above(&prompt.heading, &prompt.question), fields)
        };
        self.meet(asked, |values| {
            // Whoever wrote words of their own has said more than a choice could.
            if let Some(own) = text(values, OWN).filter(|_| prompt.other.is_some()) {
                return Some(Picked::Wrote(own));
            }
            let taken = text(values, CHOICE)?;
            if Some(&taken) == talk.as_ref() {
                return Some(Picked::Discuss);
            }
            let index = choices.iter().position(|(name, _)| *name == taken)?;
            Some(Picked::Choice { index, note: text(values, NOTE) })
        })
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        let own = |at: usize| format!("q{}_{OWN}", at + 1);
        let asked = || {
            let mut fields = Vec::new();
            for (at, question) in prompt.questions.iter().enumerate() {
                let title = format!("{}: {}", question.label, question.prompt);
                if !question.choices.is_empty() {
                    fields.push(field(&format!("q{}", at + 1), &title, Takes::One(entries(&question.choices))));
                }
                if let Some(other) = &question.other {
                    let title =
                        if question.choices.is_empty() { title } else { format!("{}: {other}", question.label) };
                    fields.push(field(&own(at), &title, Takes::Text));
                }
            }
            (above(&prompt.heading, "Please answer these questions."), fields)
        };
        self.meet(asked, |values| {
            let answer = |(at, question): (usize, &crate::app::prompt::FormQuestion)| {
                if let Some(words) = text(values, &own(at)).filter(|_| question.other.is_some()) {
                    return Some(FormAnswer::Other(words));
                }
                let taken = text(values, &format!("q{}", at + 1))?;
                entries(&question.choices).iter().position(|(name, _)| *name == taken).map(FormAnswer::Choice)
            };
            // A form with a gap is not sent (P3).
            prompt.questions.iter().enumerate().map(answer).collect()
        })
    }

    fn gate(&mut self, prompt: &GatePrompt) -> Prompted<AtGate> {
        let ways = [
            (CONTINUE, "Go on with the interview: more questions"),
            (PRODUCE, "Produce the outputs ticked below; nothing is written before you have seen it"),
            (STOP, "Stop without output: the session ends"),
        ];
        let replies = entries(&prompt.replies);
        let strategies = entries(&prompt.strategies);
        let outputs = entries(&prompt.outputs);
        let asked = || {
            let ways = ways.iter().map(|(name, title)| ((*name).to_owned(), (*title).to_owned()));
            let fields = vec![
                field(CHOICE, "What happens now?", Takes::One(ways.chain(replies.iter().cloned()).collect())),
                field(OUTPUTS, "Outputs", Takes::Many(outputs.clone())),
                field(STRATEGY, "How they are cut", Takes::One(strategies.clone())),
                field(OWN, "Something else, in your own words; it decides nothing", Takes::Text),
            ];
            (above(&prompt.heading, &prompt.question), fields)
        };
        self.meet(asked, |values| {
            if let Some(own) = text(values, OWN) {
                return Some(AtGate::Wrote(own));
            }
            let taken = text(values, CHOICE)?;
            let at = |entries: &[(String, String)], taken: &str| entries.iter().position(|(name, _)| name == taken);
            match taken.as_str() {
                CONTINUE => Some(AtGate::Continue),
                STOP => Some(AtGate::Stop),
                PRODUCE => {
                    let ticked = values.get(OUTPUTS)?.as_array()?;
                    let ticked: Option<Vec<usize>> =
                        ticked.iter().map(|one| at(&outputs, one.as_str().unwrap_or_default())).collect();
                    let mut ticked = ticked.filter(|ticked| !ticked.is_empty())?;
                    ticked.sort_unstable();
                    ticked.dedup();
                    let strategy = text(values, STRATEGY);
                    let index = strategy.as_deref().map(|one| at(&strategies, one));
                    match index {
                        Some(None) => None,
                        Some(strategy) => Some(AtGate::Outputs { outputs: ticked, strategy }),
                        None => Some(AtGate::Outputs { outputs: ticked, strategy: None }),
                    }
                }
                reply => at(&replies, reply)
                    .and_then(|index| prompt.replies.get(index))
                    .map(|reply| AtGate::Wrote(reply.value.clone())),
            }
        })
    }

    fn choose(&mut self, _question: &str, _choices: &[Choice]) -> Prompted<usize> {
        Prompted::Unavailable(OTHER_KIND)
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        let choices = entries(&prompt.choices);
        let asked = || {
            let choice = Field { required: true, ..field(CHOICE, "Your choice", Takes::Many(choices.clone())) };
            (prompt.question.clone(), vec![choice])
        };
        self.meet(asked, |values| {
            let taken = values.get(CHOICE)?.as_array()?;
            let indices: Option<Vec<usize>> = taken
                .iter()
                .map(|one| choices.iter().position(|(name, _)| Some(name.as_str()) == one.as_str()))
                .collect();
            let mut indices = indices.filter(|indices| indices.len() >= prompt.at_least.max(1))?;
            indices.sort_unstable();
            indices.dedup();
            Some(indices)
        })
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        // A form without a field would be a yes as soon as a client sends it by itself.
        let asked = || {
            let ways = [(YES, "Yes"), (NO, "No")].map(|(name, title)| (name.to_owned(), title.to_owned()));
            let decision = Field { required: true, ..field(CHOICE, "Your decision", Takes::One(ways.to_vec())) };
            (question.to_owned(), vec![decision])
        };
        self.meet(asked, |values| match text(values, CHOICE).as_deref() {
            Some(YES) => Some(true),
            Some(NO) => Some(false),
            Some(_) | None => None,
        })
    }

    fn notify(&mut self, _message: &str, _level: Level) {}
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn choices() -> Vec<Choice> {
        ["same", "same", "other"]
            .map(|label| Choice {
                value: label.to_owned(),
                label: label.to_owned(),
                description: (label == "other").then(|| "why".to_owned()),
                recommended: false,
            })
            .to_vec()
    }

    fn pick() -> PickPrompt {
        PickPrompt {
            question: "Which?".to_owned(),
            choices: choices(),
            other: Some("Something else".to_owned()),
            discuss: Some("Let's talk".to_owned()),
            ..PickPrompt::default()
        }
    }

    #[test]
    fn a_pick_is_noted_as_a_form_and_answered_from_one() {
        let mut noting = Elicited::noting();
        assert_eq!(noting.pick(&pick()), Prompted::Unavailable(NOBODY));
        let asked = noting.asked().unwrap();
        assert_eq!(asked.message, "Which?");
        let Takes::One(entries) = &asked.fields[0].takes else { panic!() };
        assert_eq!(entries[2], ("3. other".to_owned(), "3. other – why".to_owned()));
        assert_eq!(entries[3].0, "4. Let's talk");
        for (values, taken) in [
            (json!({ "choice": "2. same" }), Some(Picked::Choice { index: 1, note: None })),
            (
                json!({ "choice": "1. same", "note": " so " }),
                Some(Picked::Choice { index: 0, note: Some("so".into()) }),
            ),
            (json!({ "choice": "4. Let's talk" }), Some(Picked::Discuss)),
            (json!({ "choice": "1. same", "own_words": "neither" }), Some(Picked::Wrote("neither".into()))),
            (json!({ "own_words": "  " }), None),
            (json!({ "choice": "9. made up" }), None),
            (json!({ "choice": 1 }), None),
            (json!({}), None),
            (json!("garbage"), None),
        ] {
            let expected = taken.map_or(Prompted::Unavailable(EMPTY), Prompted::Answered);
            assert_eq!(Elicited::Given(values.clone()).pick(&pick()), expected, "{values}");
        }
    }

    #[test]
    fn several_come_back_in_the_order_of_the_options() {
        let prompt = ManyPrompt { question: "Which?".into(), choices: choices(), at_least: 1 };
        for (values, taken) in [
            (json!({ "choice": ["3. other", "1. same", "3. other"] }), Some(vec![0, 2])),
            (json!({ "choice": [] }), None),
            (json!({ "choice": ["1. same", "made up"] }), None),
            (json!({ "choice": "1. same" }), None),
        ] {
            let expected = taken.map_or(Prompted::Unavailable(EMPTY), Prompted::Answered);
            assert_eq!(Elicited::Given(values.clone()).choose_many(&prompt), expected, "{values}");
        }
    }

    #[test]
    fn a_form_with_a_gap_is_no_answer() {
        let question = crate::app::prompt::FormQuestion {
            label: "Q1".into(),
            prompt: "Which?".into(),
            choices: choices(),
            other: Some("Other".into()),
        };
        let prompt = FormPrompt { heading: String::new(), questions: vec![question.clone(), question] };
        let full = json!({ "q1": "2. same", "q2_own_words": "mine" });
        let answers = vec![FormAnswer::Choice(1), FormAnswer::Other("mine".into())];
        assert_eq!(Elicited::Given(full).form(&prompt), Prompted::Answered(answers));
        let gap = json!({ "q1": "2. same" });
        assert_eq!(Elicited::Given(gap).form(&prompt), Prompted::Unavailable(EMPTY));
    }
}
