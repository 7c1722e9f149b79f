//! The gate as a form: what happens now, which outputs and how they are cut, and words of one's own (G26).

use serde_json::Value;

use crate::app::prompt::{AtGate, GatePrompt, Prompted};
use crate::app::toolbox::{Field, Takes};
use crate::domain::question::SOMETHING_ELSE;

use super::fields::{CHOICE, OTHER, OWN, entries, field, joined, text, words_alone};
use super::form_prompter::{FormPrompter, Met};
use super::message::{above_list, below};

/// The fields beside the choice of what happens, and what can happen.
const OUTPUTS: &str = "outputs";
const STRATEGY: &str = "strategy";
const CONTINUE: &str = "continue";
const REVIEW: &str = "review";
const PRODUCE: &str = "produce";
const STOP: &str = "stop";
const OTHER_OUTPUTS: &str = "other_outputs";

/// Says where to read a checkpoint that was cut above a form.
const WHOLE: &str = "cut here: git grill checkpoint, at a terminal, shows all of it";

impl FormPrompter {
    pub(super) fn at_gate(&mut self, prompt: &GatePrompt) -> Prompted<AtGate> {
        let one_field = self.one_field();
        let recommended: Vec<usize> =
            prompt.outputs.iter().enumerate().filter(|(_, one)| one.recommended).map(|(at, _)| at).collect();
        let names: Vec<&str> = recommended.iter().map(|at| prompt.outputs[*at].label.as_str()).collect();
        let produce = match (one_field, names.as_slice()) {
            (false, _) => {
                Some("Produce the outputs ticked below; nothing is written before you have seen it".to_owned())
            }
            (true, []) => None,
            (true, names) => Some(format!("Produce {}; nothing is written before you have seen it", names.join(", "))),
        };
        let mut ways = vec![
            (CONTINUE.to_owned(), "Go on with the interview: more questions".to_owned()),
            (REVIEW.to_owned(), "Review the checkpoint: read it first, then choose here".to_owned()),
        ];
        ways.extend(produce.map(|title| (PRODUCE.to_owned(), title)));
        if one_field {
            ways.push((OTHER_OUTPUTS.to_owned(), "Choose other outputs".to_owned()));
        }
        ways.push((STOP.to_owned(), "Stop without output: the session ends".to_owned()));
        let replies = entries(&prompt.replies);
        ways.extend(replies.iter().cloned());
        if one_field {
            ways.push((OTHER.to_owned(), SOMETHING_ELSE.to_owned()));
        }
        let strategies = entries(&prompt.strategies);
        let outputs = entries(&prompt.outputs);
        let suggested = if names.is_empty() { String::new() } else { format!("Recommended: {}", names.join(", ")) };
        let again = above_list("", &prompt.question, &prompt.replies, [suggested.as_str()]);
        let background = [suggested.as_str()].into_iter().chain(prompt.background.iter().map(String::as_str));
        let above = above_list(&prompt.heading, &prompt.question, &prompt.replies, background);
        let fields = || {
            let way = field(CHOICE, "What happens now?", Takes::One(ways.clone()));
            if one_field {
                return vec![Field { required: true, ..way }];
            }
            vec![
                way,
                field(OUTPUTS, "Outputs", Takes::Many(outputs.clone())),
                field(STRATEGY, "How they are cut", Takes::One(strategies.clone())),
                field(OWN, "Something else, in your own words (the output selection stays open)", Takes::Text),
            ]
        };
        let asked = || (above.clone(), fields());
        self.meet(asked, |values| {
            // What came back is the form before this one, in which concerns were waved through.
            if values.get(CHOICE).is_some_and(Value::is_array) {
                let (message, fields) = asked();
                return Met::Needs(message, fields);
            }
            if let Some(own) = text(values, OWN) {
                // Words beside a choice may take it back, so that nothing is decided; what was chosen is said with them.
                let title = |(name, title): &(String, String)| {
                    (text(values, CHOICE).as_ref() == Some(name)).then(|| title.clone())
                };
                let listed =
                    values.get(OUTPUTS).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
                let ticked: Vec<&str> = listed.collect();
                let ticked = (!ticked.is_empty()).then(|| ticked.join(", "));
                // Words written below the checkpoint count; the review is over.
                let mut ways = ways.iter().filter(|(name, _)| name != REVIEW);
                let chosen = ways.find_map(title).filter(|title| title != SOMETHING_ELSE);
                let chosen = joined(joined(chosen, ticked), text(values, STRATEGY));
                return joined(chosen, Some(own)).map(AtGate::Wrote).into();
            }
            let at = |entries: &[(String, String)], taken: &str| entries.iter().position(|(name, _)| name == taken);
            let ticked = || {
                let ticked = values.get(OUTPUTS)?.as_array()?;
                let ticked: Option<Vec<usize>> =
                    ticked.iter().map(|one| at(&outputs, one.as_str().unwrap_or_default())).collect();
                let mut ticked = ticked.filter(|ticked| !ticked.is_empty())?;
                ticked.sort_unstable();
                ticked.dedup();
                let strategy = match text(values, STRATEGY) {
                    Some(chosen) => Some(at(&strategies, &chosen)?),
                    None => None,
                };
                Some(AtGate::Outputs { outputs: ticked, strategy })
            };
            Met::from(match text(values, CHOICE).as_deref() {
                Some(CONTINUE) => Some(AtGate::Continue),
                // The same choices, below the document (G47).
                Some(REVIEW) => return Met::Needs(below(&prompt.checkpoint, WHOLE, &again), fields()),
                Some(STOP) => Some(AtGate::Stop),
                Some(PRODUCE) if one_field => Some(AtGate::Outputs { outputs: recommended.clone(), strategy: None }),
                Some(PRODUCE) => ticked(),
                Some(OTHER_OUTPUTS) if one_field => {
                    let Some(chosen) = ticked() else {
                        let which = field(OUTPUTS, "Outputs", Takes::Many(outputs.clone()));
                        return Met::Needs(above.clone(), vec![Field { required: true, ..which }]);
                    };
                    Some(chosen)
                }
                Some(OTHER) if one_field => return Met::Needs(above.clone(), words_alone(SOMETHING_ELSE)),
                Some(reply) => {
                    let reply = at(&replies, reply).and_then(|index| prompt.replies.get(index));
                    reply.map(|reply| AtGate::Wrote(reply.value.clone()))
                }
                None => None,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::form_prompter::{EMPTY, Fields, NOBODY};
    use super::*;
    use crate::app::prompt::Choice;

    fn prompt(checkpoint: &str) -> GatePrompt {
        GatePrompt {
            heading: "nothing is left to ask".to_owned(),
            question: "What now?".to_owned(),
            outputs: vec![Choice { recommended: true, ..Choice::of("adr", "adr", "one decision") }],
            strategies: vec![Choice::of("vertical-slices", "vertical-slices", "one a slice")],
            checkpoint: checkpoint.to_owned(),
            ..GatePrompt::default()
        }
    }

    #[test]
    fn g46_a_review_shows_the_checkpoint_above_the_same_choices_and_leads_back_to_them() {
        let prompt = prompt("# Shared Understanding\n\n- links live in sqlite\u{1b}[2J\n");
        for kind in [Fields::Several, Fields::One] {
            let mut noting = FormPrompter::noting(kind);
            assert_eq!(noting.at_gate(&prompt), Prompted::Unavailable(NOBODY));
            let first = noting.asked().unwrap();
            assert!(!first.message.contains("sqlite"), "{}", first.message);
            let Takes::One(ways) = &first.fields[0].takes else { panic!("{first:?}") };
            assert!(ways.iter().any(|(name, _)| name == REVIEW), "{ways:?}");

            let mut given = FormPrompter::given(json!({ "choice": "review" }), kind, &first.message);
            assert_eq!(given.at_gate(&prompt), Prompted::Unavailable(EMPTY), "nothing is decided");
            let reviewed = given.asked().unwrap();
            assert!(reviewed.message.starts_with("# Shared Understanding\n\n- links live in sqlite␛[2J\n\nWhat now?"));
            assert_eq!(reviewed.fields, first.fields);

            let mut back = FormPrompter::given(json!({ "choice": "continue" }), kind, &reviewed.message);
            assert_eq!(back.at_gate(&prompt), Prompted::Answered(AtGate::Continue));
        }
        let values = json!({ "choice": "review", "own_words": "later" });
        let wrote = AtGate::Wrote("later".to_owned());
        assert_eq!(FormPrompter::given(values, Fields::Several, "").at_gate(&prompt), Prompted::Answered(wrote));
    }

    #[test]
    fn g46_a_long_checkpoint_is_cut_above_the_question_and_says_where_all_of_it_is() {
        let mut given = FormPrompter::given(json!({ "choice": "review" }), Fields::Several, "");
        let _ = given.at_gate(&prompt(&"- é\u{202e}\n".repeat(50_000)));
        let shown = given.asked().unwrap().message;
        assert!(shown.chars().count() < 6_000 && !shown.contains('\u{202e}'));
        assert!(shown.contains(WHOLE) && shown.contains("\n\nWhat now?"), "{shown}");
    }
}
