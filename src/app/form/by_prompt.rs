//! Asks by the prompts of a surface: each call uses the simplest prompt that shows all of it.

use super::super::prompt::{
    self, FormAnswer, FormPrompt, FormQuestion, ManyPrompt, PickPrompt, Picked, Prompted, Prompter, Settled, Unanswered,
};
use super::{Asker, Met, can_ask};
use crate::domain::question::SOMETHING_ELSE;
use crate::domain::ui::{Answered, Call, Choice, Chosen, Kind, Level, Name, OneAnswer, Question, Without};

pub struct ByPrompt<'p> {
    prompter: &'p mut dyn Prompter,
    /// The extension that asks, which every prompt names.
    asker: Option<&'p Name>,
    /// How the last prompt ended without an answer.
    pub unanswered: Option<Unanswered>,
}

impl<'p> ByPrompt<'p> {
    /// Asks by this prompter; `asker` is the extension that asks, or none where the question is not its own.
    pub fn new(prompter: &'p mut dyn Prompter, asker: Option<&'p Name>) -> Self {
        Self { prompter, asker, unanswered: None }
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
            Call::Confirm(prompt) => {
                self.prompter.confirm(&said(self.asker, ASKS, prompt.as_str())).map(Answered::Confirmed)
            }
            Call::Notify(message, level) => {
                self.prompter.notify(&said(self.asker, SAYS, message.as_str()), loud(*level));
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
        let prompt = said(self.asker, ASKS, question.prompt.as_str());
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
        let tab = |question| tab(self.asker, question);
        let form = FormPrompt { heading: String::new(), questions: questions.iter().map(tab).collect() };
        self.prompter
            .form(&form)
            .map(|answers| questions.iter().zip(answers).map(|(question, answer)| taken(question, answer)).collect())
    }
}

/// What an extension does when it asks, and when it shows a notice.
const ASKS: &str = "asks";
const SAYS: &str = "says";

/// The words of an extension behind its name. The name stands in the first line and a mark before each further line, so
/// that no line passes for one of git grill's own, however little of the text a small window shows.
fn said(asker: Option<&Name>, verb: &str, text: &str) -> String {
    match asker {
        Some(name) => format!("{name} {verb}: {}", text.replace('\n', "\n> ")),
        None => text.to_owned(),
    }
}

fn tab(asker: Option<&Name>, question: &Question) -> FormQuestion {
    let preview = |option: &Choice| option.preview.clone().or_else(|| question.preview.clone());
    FormQuestion {
        label: question.label.as_str().to_owned(),
        prompt: said(asker, ASKS, question.prompt.as_str()),
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

pub(super) fn chosen(option: &Choice) -> Chosen {
    Chosen { value: option.value.clone(), label: option.label.as_str().to_owned(), other: false }
}
