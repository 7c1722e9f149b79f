//! The prompts of a client that shows forms: each as fields, and the answer that their values come to.

use std::time::Duration;

use serde_json::Value;

use crate::app::prompt::{
    AtGate, Choice, FormAnswer, FormPrompt, FormQuestion, GatePrompt, Level, ManyPrompt, PickPrompt, Picked, Prompted,
    Prompter, Replied, ReplyPrompt,
};
use crate::app::toolbox::{Field, Takes};
use crate::domain::question::SOMETHING_ELSE;

use super::elicited::{Asked, Elicited, Met, NOBODY};
use super::fields::{CHOICE, NO, NOTE, OTHER, OWN, YES, entries, field, joined, named, text, words_alone};
use super::message::{above_list, message, one_of_several};

const OTHER_QUESTION: &str = "the form that came back asked something else";
const OTHER_KIND: &str = "a form asks no question of this kind";

impl Prompter for Elicited {
    fn available(&self) -> Result<(), &'static str> {
        Err(NOBODY)
    }

    fn at_hand(&self) -> bool {
        matches!(self, Self::Given { .. })
    }

    fn beside(&mut self) -> Option<String> {
        match self {
            Self::Noting { .. } => None,
            Self::Given { beside, .. } => beside.take(),
        }
    }

    fn wait_at_most(&mut self, limit: Option<Duration>) {
        match self {
            Self::Noting { within, .. } => *within = limit,
            // What is at hand is not waited for.
            Self::Given { .. } => {}
        }
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<Replied> {
        let help = if prompt.help.is_empty() { "Your words" } else { &prompt.help };
        let proposed = if prompt.draft.is_empty() { String::new() } else { format!("Proposed: {}", prompt.draft) };
        let above = message([prompt.heading.as_str(), &prompt.question, &proposed, help]);
        let replied = |text: String| Met::Answer(Replied { text, read: None }, None);
        if self.one_field() && !prompt.draft.is_empty() {
            let ways =
                [(YES, "Yes, as proposed"), (OTHER, SOMETHING_ELSE)].map(|(name, title)| (name.into(), title.into()));
            let decision = Field { required: true, ..field(CHOICE, "Your decision", Takes::One(ways.to_vec())) };
            return self.meet(
                || (above.clone(), vec![decision]),
                |values| match (text(values, OWN), text(values, CHOICE).as_deref()) {
                    (Some(own), _) => replied(own),
                    (None, Some(YES)) => replied(prompt.draft.clone()),
                    (None, Some(OTHER)) => Met::Needs(above.clone(), words_alone(help)),
                    (None, Some(_) | None) => Met::Nothing,
                },
            );
        }
        let asked = || {
            let initial = Some(prompt.draft.clone()).filter(|draft| !draft.is_empty());
            let reply = Field { initial, required: true, ..field(OWN, help, Takes::Text) };
            (above.clone(), vec![reply])
        };
        self.meet(asked, |values| text(values, OWN).map_or(Met::Nothing, replied))
    }

    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked> {
        let one_field = self.one_field();
        let mut choices = entries(&prompt.choices);
        let other = prompt.other.as_ref().filter(|_| one_field).map(|label| named(choices.len(), label));
        choices.extend(other.iter().map(|name| (name.clone(), name.clone())));
        let talk = prompt.discuss.as_ref().map(|label| named(choices.len(), label));
        choices.extend(talk.iter().map(|name| (name.clone(), name.clone())));
        let background = prompt.background.iter().map(String::as_str);
        let above = above_list(&prompt.heading, &prompt.question, &prompt.choices, background);
        let asked = || {
            let choice = field(CHOICE, "Your choice", Takes::One(choices.clone()));
            if one_field {
                return (above.clone(), vec![Field { required: true, ..choice }]);
            }
            let mut fields = vec![choice];
            fields.extend(prompt.other.as_ref().map(|label| field(OWN, label, Takes::Text)));
            fields.push(field(NOTE, "A note to your choice", Takes::Text));
            (above.clone(), fields)
        };
        self.meet(asked, |values| {
            let own = text(values, OWN).filter(|_| prompt.other.is_some());
            let wrote = own.is_some();
            // Whatever was filled in is kept: beside a choice it is the note to it.
            let words = joined(own, text(values, NOTE));
            let Some(taken) = text(values, CHOICE) else {
                return words.filter(|_| prompt.other.is_some()).map(Picked::Wrote).into();
            };
            if Some(&taken) == talk.as_ref() {
                return Met::Answer(Picked::Discuss, words);
            }
            if Some(&taken) == other.as_ref() {
                return match words {
                    Some(words) => Met::Answer(Picked::Wrote(words), None),
                    None => Met::Needs(above.clone(), words_alone(SOMETHING_ELSE)),
                };
            }
            match choices.iter().position(|(name, _)| *name == taken) {
                Some(index) => Met::Answer(Picked::Choice { index, note: words }, None),
                None => words.filter(|_| wrote).map(Picked::Wrote).into(),
            }
        })
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        let one_field = self.one_field();
        let own = |at: usize| format!("q{}_{OWN}", at + 1);
        let offered = |question: &FormQuestion| {
            let mut choices = entries(&question.choices);
            let other = question.other.as_ref().filter(|_| one_field && !choices.is_empty());
            let other = other.map(|label| named(choices.len(), label));
            choices.extend(other.iter().map(|name| (name.clone(), name.clone())));
            (choices, other)
        };
        let shown = |question: &FormQuestion| one_of_several(&question.label, &question.prompt, &question.choices);
        let shown: Vec<String> = prompt.questions.iter().map(shown).collect();
        let parts = [prompt.heading.as_str(), "Please answer these questions."];
        let above = message(parts.into_iter().chain(shown.iter().map(String::as_str)));
        let words = |at: usize, question: &FormQuestion, title: String| {
            let required = one_field || question.choices.is_empty();
            Field { required, ..field(&own(at), &title, Takes::Text) }
        };
        let asked = || {
            let mut fields = Vec::new();
            for (at, question) in prompt.questions.iter().enumerate() {
                let title = format!("{}: {}", question.label, question.prompt);
                if !question.choices.is_empty() {
                    fields.push(field(&format!("q{}", at + 1), &title, Takes::One(offered(question).0)));
                }
                match &question.other {
                    Some(_) if question.choices.is_empty() => fields.push(words(at, question, title)),
                    Some(other) if !one_field => {
                        fields.push(words(at, question, format!("{}: {other}", question.label)));
                    }
                    Some(_) | None => {}
                }
            }
            (above.clone(), fields)
        };
        self.meet(asked, |values| {
            let mut missing = Vec::new();
            let answers: Vec<Option<FormAnswer>> = prompt
                .questions
                .iter()
                .enumerate()
                .map(|(at, question)| {
                    let (choices, other) = offered(question);
                    let wrote = text(values, &own(at)).filter(|_| question.other.is_some());
                    let taken = text(values, &format!("q{}", at + 1));
                    if taken.is_some() && taken == other && wrote.is_none() {
                        missing.push(words(at, question, format!("{}: {}", question.label, question.prompt)));
                        return None;
                    }
                    let index = taken.filter(|taken| Some(taken) != other.as_ref());
                    let index = index.and_then(|taken| choices.iter().position(|(name, _)| *name == taken));
                    match (index, wrote) {
                        (Some(index), Some(note)) => Some(FormAnswer::Noted(index, note)),
                        (Some(index), None) => Some(FormAnswer::Choice(index)),
                        (None, wrote) => wrote.map(FormAnswer::Other),
                    }
                })
                .collect();
            if missing.is_empty() {
                // A form with a gap is not sent (P3).
                return answers.into_iter().collect::<Option<Vec<_>>>().into();
            }
            Met::Needs(above.clone(), missing)
        })
    }

    fn gate(&mut self, prompt: &GatePrompt) -> Prompted<AtGate> {
        self.at_gate(prompt)
    }

    fn choose(&mut self, _question: &str, _choices: &[Choice]) -> Prompted<usize> {
        Prompted::Unavailable(OTHER_KIND)
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        let choices = entries(&prompt.choices);
        let asked = || {
            let choice = Field { required: true, ..field(CHOICE, "Your choice", Takes::Many(choices.clone())) };
            let background = prompt.background.iter().map(String::as_str);
            (above_list(&prompt.heading, &prompt.question, &prompt.choices, background), vec![choice])
        };
        let taken = |values: &Value| {
            let taken = values.get(CHOICE)?.as_array()?;
            let indices: Option<Vec<usize>> = taken
                .iter()
                .map(|one| choices.iter().position(|(name, _)| Some(name.as_str()) == one.as_str()))
                .collect();
            let mut indices = indices.filter(|indices| indices.len() >= prompt.at_least.max(1))?;
            indices.sort_unstable();
            indices.dedup();
            Some(indices)
        };
        self.meet(asked, |values| taken(values).into())
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        // A form without a field would be a yes as soon as a client sends it by itself.
        let asked = || {
            let ways = [(YES, "Yes"), (NO, "No")].map(|(name, title)| (name.to_owned(), title.to_owned()));
            let decision = Field { required: true, ..field(CHOICE, "Your decision", Takes::One(ways.to_vec())) };
            (message([question]), vec![decision])
        };
        if let Self::Given { shown, moved, further, .. } = self {
            let (message, fields) = asked();
            // A yes to one question is no yes to another.
            if *shown != message {
                *moved = true;
                *further = Some(Asked { message, fields, within: None });
                return Prompted::Unavailable(OTHER_QUESTION);
            }
        }
        self.meet(asked, |values| {
            Met::from(match text(values, CHOICE).as_deref() {
                Some(YES) => Some(true),
                Some(NO) => Some(false),
                Some(_) | None => None,
            })
        })
    }

    fn notify(&mut self, _message: &str, _level: Level) {}
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::elicited::{EMPTY, Fields};
    use super::*;

    fn back(values: Value, fields: Fields) -> Elicited {
        Elicited::given(values, fields, "")
    }

    #[test]
    fn g30_a_yes_counts_for_the_very_question_that_was_shown() {
        let yes = || json!({ "choice": "yes" });
        let mut same = Elicited::given(yes(), Fields::Several, "Write a.md?");
        assert_eq!((same.confirm("Write a.md?"), same.moved()), (Prompted::Answered(true), false));
        let mut other = Elicited::given(yes(), Fields::Several, "Write a.md?");
        assert_eq!(other.confirm("Write b.md?"), Prompted::Unavailable(OTHER_QUESTION));
        assert!(other.moved());
        assert_eq!(other.asked().unwrap().message, "Write b.md?");
    }

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
            background: vec!["Why it matters: so".to_owned()],
            ..PickPrompt::default()
        }
    }

    #[test]
    fn a_pick_is_noted_as_a_form_and_answered_from_one() {
        let mut noting = Elicited::noting(Fields::Several);
        assert_eq!(noting.pick(&pick()), Prompted::Unavailable(NOBODY));
        let asked = noting.asked().unwrap();
        assert_eq!(asked.message, "Which?\n1. same\n2. same\n3. other – why\nWhy it matters: so");
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
            // Whatever was filled in is kept.
            (
                json!({ "choice": "1. same", "own_words": "but later" }),
                Some(Picked::Choice { index: 0, note: Some("but later".into()) }),
            ),
            (
                json!({ "choice": "1. same", "own_words": "but later", "note": "so" }),
                Some(Picked::Choice { index: 0, note: Some("but later\nso".into()) }),
            ),
            (json!({ "own_words": "neither", "note": "so" }), Some(Picked::Wrote("neither\nso".into()))),
            (json!({ "note": "so" }), Some(Picked::Wrote("so".into()))),
            (json!({ "choice": "9. made up", "own_words": "mine" }), Some(Picked::Wrote("mine".into()))),
            (json!({ "own_words": "  " }), None),
            (json!({ "choice": "9. made up" }), None),
            (json!({ "choice": 1 }), None),
            (json!({}), None),
            (json!("garbage"), None),
        ] {
            let expected = taken.map_or(Prompted::Unavailable(EMPTY), Prompted::Answered);
            assert_eq!(back(values.clone(), Fields::Several).pick(&pick()), expected, "{values}");
        }
    }

    #[test]
    fn several_come_back_in_the_order_of_the_options() {
        let prompt = ManyPrompt { question: "Which?".into(), choices: choices(), at_least: 1, ..ManyPrompt::default() };
        for (values, taken) in [
            (json!({ "choice": ["3. other", "1. same", "3. other"] }), Some(vec![0, 2])),
            (json!({ "choice": [] }), None),
            (json!({ "choice": ["1. same", "made up"] }), None),
            (json!({ "choice": "1. same" }), None),
        ] {
            let expected = taken.map_or(Prompted::Unavailable(EMPTY), Prompted::Answered);
            assert_eq!(back(values.clone(), Fields::Several).choose_many(&prompt), expected, "{values}");
        }
    }

    #[test]
    fn a_form_with_a_gap_is_no_answer() {
        let question = FormQuestion {
            label: "Q1".into(),
            prompt: "Which?".into(),
            choices: choices(),
            other: Some("Other".into()),
        };
        let prompt = FormPrompt { heading: String::new(), questions: vec![question.clone(), question] };
        let full = json!({ "q1": "2. same", "q2_own_words": "mine" });
        let answers = vec![FormAnswer::Choice(1), FormAnswer::Other("mine".into())];
        assert_eq!(back(full, Fields::Several).form(&prompt), Prompted::Answered(answers));
        let gap = json!({ "q1": "2. same" });
        assert_eq!(back(gap, Fields::Several).form(&prompt), Prompted::Unavailable(EMPTY));
    }

    #[test]
    fn what_stands_beside_a_wish_to_talk_is_handed_over() {
        let values = json!({ "choice": "4. Let's talk", "own_words": "about the load", "note": "first" });
        let mut given = back(values, Fields::Several);
        assert_eq!(given.pick(&pick()), Prompted::Answered(Picked::Discuss));
        assert_eq!(given.beside().as_deref(), Some("about the load\nfirst"));
        assert_eq!(given.beside(), None);
    }

    #[test]
    fn a_client_of_one_field_gets_one_field_and_another_form_for_words() {
        let mut noting = Elicited::noting(Fields::One);
        assert_eq!(noting.pick(&pick()), Prompted::Unavailable(NOBODY));
        let asked = noting.asked().unwrap();
        assert_eq!(asked.fields.len(), 1);
        let Takes::One(entries) = &asked.fields[0].takes else { panic!() };
        assert_eq!((entries[3].0.as_str(), entries[4].0.as_str()), ("4. Something else", "5. Let's talk"));

        let mut other = back(json!({ "choice": "4. Something else" }), Fields::One);
        assert_eq!(other.pick(&pick()), Prompted::Unavailable(EMPTY));
        let further = other.asked().unwrap();
        assert_eq!((further.fields.len(), further.fields[0].name.as_str()), (1, "own_words"));
        let both = json!({ "choice": "4. Something else", "own_words": "mine" });
        let wrote = Prompted::Answered(Picked::Wrote("mine".into()));
        assert_eq!(back(both, Fields::One).pick(&pick()), wrote);
        assert_eq!(back(json!({ "own_words": "mine" }), Fields::One).pick(&pick()), wrote);
        let chosen = Prompted::Answered(Picked::Choice { index: 1, note: None });
        assert_eq!(back(json!({ "choice": "2. same" }), Fields::One).pick(&pick()), chosen);
    }

    #[test]
    fn every_prompt_has_one_field_for_a_client_of_one_field() {
        let reply = ReplyPrompt { draft: "rate limiting".into(), ..ReplyPrompt::default() };
        let question = FormQuestion {
            label: "Q1".into(),
            prompt: "Which?".into(),
            choices: choices(),
            other: Some("Other".into()),
        };
        let form = FormPrompt { heading: String::new(), questions: vec![question] };
        let gate =
            GatePrompt { replies: choices(), outputs: choices(), strategies: choices(), ..GatePrompt::default() };
        let asks: [&dyn Fn(&mut Elicited); 4] =
            [&|one| drop(one.reply(&reply)), &|one| drop(one.pick(&pick())), &|one| drop(one.form(&form)), &|one| {
                drop(one.gate(&gate));
            }];
        for ask in asks {
            let mut noting = Elicited::noting(Fields::One);
            ask(&mut noting);
            let asked = noting.asked().unwrap();
            assert_eq!(asked.fields.len(), 1, "{asked:?}");
            assert!(matches!(asked.fields[0].takes, Takes::One(_)), "{asked:?}");
        }
        let yes = back(json!({ "choice": "yes" }), Fields::One).reply(&reply);
        assert_eq!(yes, Prompted::Answered(Replied { text: "rate limiting".into(), read: None }));
        let other = json!({ "q1": "4. Other" });
        let mut given = back(other, Fields::One);
        assert_eq!(given.form(&form), Prompted::Unavailable(EMPTY));
        assert_eq!(given.asked().unwrap().fields[0].name, "q1_own_words");
        let both = json!({ "q1": "4. Other", "q1_own_words": "mine" });
        let wrote = Prompted::Answered(vec![FormAnswer::Other("mine".into())]);
        assert_eq!(back(both, Fields::One).form(&form), wrote);
        let noted = json!({ "q1": "1. same", "q1_own_words": "for now" });
        let answer = Prompted::Answered(vec![FormAnswer::Noted(0, "for now".into())]);
        assert_eq!(back(noted, Fields::Several).form(&form), answer);
        let values = json!({ "choice": "stop", "outputs": ["1. same"], "own_words": "or not" });
        let wrote = AtGate::Wrote("Stop without output: the session ends\n1. same\nor not".into());
        assert_eq!(back(values, Fields::Several).gate(&gate), Prompted::Answered(wrote));
    }
}
