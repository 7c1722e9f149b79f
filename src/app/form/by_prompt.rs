//! Asks by the prompts of a surface: each call uses the simplest prompt that shows all of it.

use super::super::prompt::{
    self, FormAnswer, FormPrompt, FormQuestion, ManyPrompt, PickPrompt, Picked, Prompted, Prompter, Settled, Unanswered,
};
use super::{Asker, Met, can_ask};
use crate::domain::question::SOMETHING_ELSE;
use crate::domain::ui::{Answered, Call, Choice, Chosen, Kind, Level, OneAnswer, Question, Without};

/// Asks by these prompts.
pub struct ByPrompt<'p> {
    prompter: &'p mut dyn Prompter,
    /// How the last prompt ended without an answer.
    pub unanswered: Option<Unanswered>,
}

impl<'p> ByPrompt<'p> {
    /// Asks by this prompter.
    pub fn new(prompter: &'p mut dyn Prompter) -> Self {
        Self { prompter, unanswered: None }
    }
}

impl Asker for ByPrompt<'_> {
    fn available(&self) -> Result<(), String> {
        can_ask(self.prompter)
    }

    fn ask(&mut self, call: &Call, settled: Settled) -> Met {
        self.prompter.watch(Some(settled.clone()));
        let prompted = match call {
            Call::Ask(question) => self.one(question).map(Answered::Questions),
            Call::Form(questions) => self.form(questions).map(Answered::Questions),
            Call::Confirm(prompt) => self.prompter.confirm(prompt.as_str()).map(Answered::Confirmed),
            Call::Notify(message, level) => {
                self.prompter.notify(message.as_str(), loud(*level));
                Prompted::Answered(Answered::Shown)
            }
        };
        self.prompter.watch(None);
        let unanswered = match prompted.answered() {
            Ok(answered) => return Met::Answered(answered),
            Err(unanswered) => self.unanswered.insert(unanswered),
        };
        let without = match unanswered {
            Unanswered::Cancelled { .. } | Unanswered::Interrupted { .. } => Without::Cancelled,
            // If the extension cancelled the call, the time did not run out.
            Unanswered::TimedOut { .. } if settled() => Without::Cancelled,
            Unanswered::TimedOut { .. } => Without::TimedOut,
            Unanswered::Lost { .. } => Without::Lost,
            Unanswered::Unavailable(_) if self.prompter.later() => return Met::Later,
            Unanswered::Unavailable(why) => Without::Unavailable((*why).to_owned()),
        };
        Met::Answered(Answered::Without(without))
    }
}

impl ByPrompt<'_> {
    fn one(&mut self, question: &Question) -> Prompted<Vec<OneAnswer>> {
        let plain = question.preview.is_none() && question.options.iter().all(|option| option.preview.is_none());
        let prompt = question.prompt.as_str().to_owned();
        let choices = || question.options.iter().map(shown).collect();
        match question.kind {
            Kind::One if plain && !question.options.is_empty() => {
                let pick = PickPrompt {
                    question: prompt,
                    choices: choices(),
                    other: other(question),
                    ..PickPrompt::default()
                };
                let answer = |picked| match picked {
                    Picked::Choice { index, note } => FormAnswer { note, ..FormAnswer::choice(index) },
                    Picked::Wrote(words) => FormAnswer::own(words),
                    // Not offered.
                    Picked::Discuss => FormAnswer::default(),
                };
                self.prompter.pick(&pick).map(|picked| vec![taken(question, answer(picked))])
            }
            Kind::Many if plain && !question.allow_other && !question.note => {
                let many = ManyPrompt { question: prompt, choices: choices(), at_least: 1, ..ManyPrompt::default() };
                let answer = |chosen| FormAnswer { chosen, ..FormAnswer::default() };
                self.prompter.choose_many(&many).map(|chosen| vec![taken(question, answer(chosen))])
            }
            Kind::One | Kind::Many => self.form(std::slice::from_ref(question)),
        }
    }

    fn form(&mut self, questions: &[Question]) -> Prompted<Vec<OneAnswer>> {
        let form = FormPrompt { heading: String::new(), questions: questions.iter().map(tab).collect() };
        self.prompter
            .form(&form)
            .map(|answers| questions.iter().zip(answers).map(|(question, answer)| taken(question, answer)).collect())
    }
}

fn tab(question: &Question) -> FormQuestion {
    let preview = |option: &Choice| option.preview.clone().or_else(|| question.preview.clone());
    FormQuestion {
        label: question.label.as_str().to_owned(),
        prompt: question.prompt.as_str().to_owned(),
        choices: question.options.iter().map(shown).collect(),
        other: other(question),
        kind: question.kind,
        note: question.note,
        previews: question.options.iter().map(preview).collect(),
    }
}

fn shown(option: &Choice) -> prompt::Choice {
    prompt::Choice {
        value: option.value.clone(),
        label: option.label.as_str().to_owned(),
        description: option.description.clone(),
        recommended: false,
    }
}

fn other(question: &Question) -> Option<String> {
    question.allow_other.then(|| SOMETHING_ELSE.to_owned())
}

fn loud(level: Level) -> prompt::Level {
    match level {
        Level::Info => prompt::Level::Info,
        Level::Warning => prompt::Level::Warning,
        Level::Error => prompt::Level::Error,
    }
}

/// An answer as the call means it; an index that was not offered is none.
fn taken(question: &Question, answer: FormAnswer) -> OneAnswer {
    let options = answer.chosen.iter().filter_map(|index| question.options.get(*index)).map(chosen);
    OneAnswer { chosen: options.chain(answer.other.map(Chosen::own)).collect(), note: answer.note }
}

/// An option that was taken.
pub(super) fn chosen(option: &Choice) -> Chosen {
    Chosen { value: option.value.clone(), label: option.label.as_str().to_owned(), other: false }
}
