//! The prompts of a client that shows forms: each as fields, and the answer that their values come to.

use std::time::Duration;

use serde_json::Value;

use crate::app::prompt::{
    AtGate, Choice, FormAnswer, FormPrompt, GatePrompt, Level, ManyPrompt, PickPrompt, Picked, Prompted, Prompter,
    ReplyPrompt,
};
use crate::app::toolbox::{Field, Takes};
use crate::domain::question::SOMETHING_ELSE;

use super::fields::{CHOICE, NO, NOTE, OTHER, OWN, YES, entries, field, joined, named, text, words_alone};
use super::form_prompter::{FormPrompter, Met, NOBODY};
use super::message::{above_list, message};

const OTHER_QUESTION: &str = "the form that came back asked something else";
/// The line above a form that asks for the missing part; it does not ask for the rest again.
pub(super) const MISSING: &str = "Your input is kept. Still missing: ";
const YOURS: &str = "Your choice";

impl Prompter for FormPrompter {
    fn available(&self) -> Result<(), &'static str> {
        Err(NOBODY)
    }

    fn at_hand(&self) -> bool {
        matches!(self, Self::Given { .. })
    }

    fn later(&self) -> bool {
        matches!(self, Self::Noting { .. })
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

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String> {
        let help = if prompt.help.is_empty() { "Your words" } else { &prompt.help };
        let proposed = if prompt.draft.is_empty() { String::new() } else { format!("Proposed: {}", prompt.draft) };
        let above = message([prompt.heading.as_str(), &prompt.question, &proposed, help]);
        let replied = |text: String| Met::Answer(text, None);
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
            let choice = field(CHOICE, YOURS, Takes::One(choices.clone()));
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
            // Words without a choice, if they are not an answer on their own.
            let chosen_yet = || {
                let choice = Field { required: true, ..field(CHOICE, YOURS, Takes::One(choices.clone())) };
                Met::Needs(format!("{MISSING}your choice\n{above}"), vec![choice])
            };
            let Some(taken) = text(values, CHOICE) else {
                return match words {
                    Some(words) if prompt.other.is_some() => Met::Answer(Picked::Wrote(words), None),
                    Some(_) => chosen_yet(),
                    None => Met::Nothing,
                };
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
                None => match words {
                    Some(words) if wrote => Met::Answer(Picked::Wrote(words), None),
                    Some(_) => chosen_yet(),
                    None => Met::Nothing,
                },
            }
        })
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        self.questions(prompt)
    }

    fn gate(&mut self, prompt: &GatePrompt) -> Prompted<AtGate> {
        self.at_gate(prompt)
    }

    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize> {
        let ways = entries(choices);
        let asked = || {
            let decision = Field { required: true, ..field(CHOICE, YOURS, Takes::One(ways.clone())) };
            (above_list("", question, choices, []), vec![decision])
        };
        // What was chosen for one question is not chosen for another.
        if self.asks_anew(asked) {
            return Prompted::Unavailable(OTHER_QUESTION);
        }
        self.meet(asked, |values| {
            let taken = text(values, CHOICE);
            Met::from(taken.and_then(|taken| ways.iter().position(|(name, _)| *name == taken)))
        })
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        let choices = entries(&prompt.choices);
        let asked = || {
            let choice = Field { required: true, ..field(CHOICE, YOURS, Takes::Many(choices.clone())) };
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
        // A yes to one question is no yes to another.
        if self.asks_anew(asked) {
            return Prompted::Unavailable(OTHER_QUESTION);
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

    use super::super::form_prompter::{EMPTY, Fields};
    use super::*;
    use crate::app::prompt::FormQuestion;

    fn back(values: Value, fields: Fields) -> FormPrompter {
        FormPrompter::given(values, fields, "")
    }

    #[test]
    fn g30_a_yes_counts_for_the_very_question_that_was_shown() {
        let yes = || json!({ "choice": "yes" });
        let mut same = FormPrompter::given(yes(), Fields::Several, "Write a.md?");
        assert_eq!((same.confirm("Write a.md?"), same.moved()), (Prompted::Answered(true), false));
        let mut other = FormPrompter::given(yes(), Fields::Several, "Write a.md?");
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
        let mut noting = FormPrompter::noting(Fields::Several);
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
    fn p3_q15_a_form_with_a_gap_asks_for_what_is_missing() {
        let question = FormQuestion {
            label: "Q1".into(),
            prompt: "Which?".into(),
            choices: choices(),
            other: Some("Other".into()),
            ..FormQuestion::default()
        };
        let prompt = FormPrompt { heading: String::new(), questions: vec![question.clone(), question] };
        let full = json!({ "q1": "2. same", "q2_own_words": "mine" });
        let answers = vec![FormAnswer::choice(1), FormAnswer::own("mine")];
        assert_eq!(back(full, Fields::Several).form(&prompt), Prompted::Answered(answers));
        for (values, missing) in [
            (json!({ "q1": "2. same" }), ["q2", "q2_own_words"]),
            (json!({ "q1": "9. made up", "q2": "1. same", "q2_own_words": "for now" }), ["q1", "q1_own_words"]),
            (json!({ "q2_own_words": "mine" }), ["q1", "q1_own_words"]),
        ] {
            let mut gap = back(values.clone(), Fields::Several);
            assert_eq!(gap.form(&prompt), Prompted::Unavailable(EMPTY), "{values}");
            assert!(!gap.unused(), "{values}");
            let further = gap.asked().unwrap();
            assert!(
                further.message.starts_with("Your input is kept. Still missing: Q1\nQ1: Which?\n1. same"),
                "{values}"
            );
            assert_eq!(further.fields.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), missing, "{values}");
        }
        for nothing in [json!({}), json!({ "q1": "9. made up", "q2_own_words": " " }), json!(null)] {
            let mut gap = back(nothing.clone(), Fields::Several);
            assert_eq!(gap.form(&prompt), Prompted::Unavailable(EMPTY), "{nothing}");
            assert!(gap.unused() && gap.asked().is_none(), "{nothing}");
        }
    }

    #[test]
    fn q6_q15_a_note_without_a_choice_asks_for_the_choice_where_only_a_choice_answers() {
        let only = PickPrompt { other: None, ..pick() };
        for values in [json!({ "note": "so" }), json!({ "choice": "9. made up", "note": "so" })] {
            let mut given = back(values.clone(), Fields::Several);
            assert_eq!(given.pick(&only), Prompted::Unavailable(EMPTY), "{values}");
            let further = given.asked().unwrap();
            assert_eq!((further.fields.len(), further.fields[0].name.as_str()), (1, "choice"), "{values}");
        }
        let mut none = back(json!({ "choice": "9. made up" }), Fields::Several);
        assert_eq!(none.pick(&only), Prompted::Unavailable(EMPTY));
        assert!(none.unused());
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
        let mut noting = FormPrompter::noting(Fields::One);
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
    fn a11_what_was_chosen_for_one_question_is_chosen_for_no_other() {
        let mut noting = FormPrompter::noting(Fields::One);
        assert_eq!(noting.choose("Lend work?", &choices()), Prompted::Unavailable(NOBODY));
        let asked = noting.asked().unwrap();
        assert_eq!(asked.fields.len(), 1);
        let given = |values, shown: &str| FormPrompter::given(values, Fields::One, shown);
        let second = json!({ "choice": "2. same" });
        let chosen = given(second.clone(), &asked.message).choose("Lend work?", &choices());
        assert_eq!(chosen, Prompted::Answered(1));
        let unknown = given(json!({ "choice": "yes" }), &asked.message).choose("Lend work?", &choices());
        assert_eq!(unknown, Prompted::Unavailable(EMPTY));
        let mut other = given(second, "Start it?");
        assert_eq!(other.choose("Lend work?", &choices()), Prompted::Unavailable(OTHER_QUESTION));
        assert!(other.moved() && other.unused());
        assert_eq!(other.asked(), Some(asked));
    }

    #[test]
    fn every_prompt_has_one_field_for_a_client_of_one_field() {
        let reply = ReplyPrompt { draft: "rate limiting".into(), ..ReplyPrompt::default() };
        let question = FormQuestion {
            label: "Q1".into(),
            prompt: "Which?".into(),
            choices: choices(),
            other: Some("Other".into()),
            ..FormQuestion::default()
        };
        let form = FormPrompt { heading: String::new(), questions: vec![question] };
        let gate =
            GatePrompt { replies: choices(), outputs: choices(), strategies: choices(), ..GatePrompt::default() };
        let asks: [&dyn Fn(&mut FormPrompter); 4] =
            [&|one| drop(one.reply(&reply)), &|one| drop(one.pick(&pick())), &|one| drop(one.form(&form)), &|one| {
                drop(one.gate(&gate));
            }];
        for ask in asks {
            let mut noting = FormPrompter::noting(Fields::One);
            ask(&mut noting);
            let asked = noting.asked().unwrap();
            assert_eq!(asked.fields.len(), 1, "{asked:?}");
            assert!(matches!(asked.fields[0].takes, Takes::One(_)), "{asked:?}");
        }
        let yes = back(json!({ "choice": "yes" }), Fields::One).reply(&reply);
        assert_eq!(yes, Prompted::Answered("rate limiting".to_owned()));
        let other = json!({ "q1": "4. Other" });
        let mut given = back(other, Fields::One);
        assert_eq!(given.form(&form), Prompted::Unavailable(EMPTY));
        assert_eq!(given.asked().unwrap().fields[0].name, "q1_own_words");
        let both = json!({ "q1": "4. Other", "q1_own_words": "mine" });
        let wrote = Prompted::Answered(vec![FormAnswer::own("mine")]);
        assert_eq!(back(both, Fields::One).form(&form), wrote);
        let noted = json!({ "q1": "1. same", "q1_own_words": "for now" });
        let answer = Prompted::Answered(vec![FormAnswer { note: Some("for now".into()), ..FormAnswer::choice(0) }]);
        assert_eq!(back(noted, Fields::Several).form(&form), answer);
        let values = json!({ "choice": "stop", "outputs": ["1. same"], "own_words": "or not" });
        let wrote = AtGate::Wrote("Stop without output: the session ends\n1. same\nor not".into());
        assert_eq!(back(values, Fields::Several).gate(&gate), Prompted::Answered(wrote));
    }

    #[test]
    fn p18_words_that_were_announced_beside_a_choice_are_asked_for() {
        let question = FormQuestion {
            label: "Q1".into(),
            prompt: "Which?".into(),
            choices: choices(),
            other: Some("Other".into()),
            kind: crate::domain::ui::Kind::Many,
            ..FormQuestion::default()
        };
        let prompt = FormPrompt { heading: String::new(), questions: vec![question] };
        let values = json!({ "q1": ["1. same", "4. Other"] });
        let mut gap = back(values, Fields::One);
        assert_eq!(gap.form(&prompt), Prompted::Unavailable(EMPTY));
        assert_eq!(gap.asked().unwrap().fields[0].name, "q1_own_words");
        let full = json!({ "q1": ["1. same", "4. Other"], "q1_own_words": "mine" });
        let answer = FormAnswer { chosen: vec![0], other: Some("mine".into()), note: None };
        assert_eq!(back(full, Fields::One).form(&prompt), Prompted::Answered(vec![answer]));
    }
}
