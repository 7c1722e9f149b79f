//! The prompts of a form's fields, wherever the form stands (A18).

use crate::app::context::Context;
use crate::app::prompt::{Choice, ManyPrompt, Prompted, ReplyPrompt, Unanswered};
use crate::domain::server_form::{ServerField, ServerInput, ServerOption, ServerValue};

use super::shown::Not;

/// After so many texts that do not fit, the question counts as left.
const MOST_TRIES: usize = 5;
const BEFORE: &str = "you typed this before, and it was not sent";

/// The asker of a form.
pub(super) struct Asker {
    pub(super) name: &'static str,
    pub(super) escape: &'static str,
}

/// The surroundings of a form that is before the user: how its prompts are put, and what becomes of what is typed.
pub(super) trait FormPlace {
    /// Puts one of its prompts; `ask` is given what stood in the editor when it is put once more.
    fn put<T>(
        &self,
        context: &mut Context<'_>,
        ask: impl FnMut(&mut Context<'_>, Option<String>) -> Prompted<T>,
    ) -> Result<T, Not>;

    /// The asker, as a sentence names it, and what Esc does to its question, as the line of keys says it.
    fn asker(&self) -> Asker;

    /// What was typed into a field before, and not sent.
    fn before(&self, context: &Context<'_>, field: &ServerField) -> Option<String>;

    /// Has a field typed into.
    fn edit(&self, context: &mut Context<'_>, field: &ServerField, prompt: &mut ReplyPrompt) -> Result<String, Not>;

    /// Keeps what was typed into a field.
    fn keep(&mut self, context: &Context<'_>, field: &ServerField, text: &str);

    fn choose(&self, context: &mut Context<'_>, question: &str, ways: &[Choice]) -> Result<usize, Not> {
        self.put(context, |context, _| context.prompter.choose(question, ways))
    }

    /// The value of one field; none where it is left out.
    fn fill(
        &mut self,
        context: &mut Context<'_>,
        heading: &str,
        field: &ServerField,
    ) -> Result<Option<ServerValue>, Not> {
        let about = field.about.as_ref().map(|about| format!("\n{about}")).unwrap_or_default();
        let question = format!("{heading}\n{}{about}", field.title);
        let leave_out = (!field.required).then(|| Choice::of("", "Leave it out", "this field is not sent"));
        match &field.input {
            ServerInput::YesNo => {
                let yes_no = [("true", "Yes"), ("false", "No")];
                let options = yes_no.map(|(value, label)| ServerOption {
                    value: value.to_owned(),
                    label: label.to_owned(),
                    about: None,
                });
                let taken = self.one(context, &question, &options, field, leave_out)?;
                Ok(taken.map(|at| ServerValue::YesNo(at == 0)))
            }
            ServerInput::One(options) => {
                let taken = self.one(context, &question, options, field, leave_out)?;
                Ok(taken.and_then(|at| options.get(at)).map(|option| ServerValue::Text(option.value.clone())))
            }
            ServerInput::Many { options, least, most } => {
                self.many(context, question, options, (*least, *most), field.required)
            }
            ServerInput::Text { .. } | ServerInput::Number { .. } => {
                if let Some(leave_out) = leave_out {
                    let ways = [Choice::of("fill", "Fill it in", ""), leave_out].map(|choice| Choice {
                        description: choice.description.filter(|text| !text.is_empty()),
                        ..choice
                    });
                    if self.choose(context, &question, &ways)? != 0 {
                        return Ok(None);
                    }
                }
                self.typed(context, heading, field, &about)
            }
        }
    }

    fn one(
        &self,
        context: &mut Context<'_>,
        question: &str,
        options: &[ServerOption],
        field: &ServerField,
        leave_out: Option<Choice>,
    ) -> Result<Option<usize>, Not> {
        let choice = |option: &ServerOption| {
            let is_proposed = field.initial.as_ref() == Some(&option.value);
            let proposed = is_proposed.then(|| format!("{} proposes it", self.asker().name));
            let about: Vec<String> = option.about.clone().into_iter().chain(proposed).collect();
            Choice {
                value: option.value.clone(),
                label: option.label.clone(),
                description: (!about.is_empty()).then(|| about.join("; ")),
                recommended: false,
            }
        };
        let choices: Vec<Choice> = options.iter().map(choice).chain(leave_out).collect();
        let taken = self.choose(context, question, &choices)?;
        Ok(Some(taken).filter(|taken| *taken < options.len()))
    }

    fn many(
        &self,
        context: &mut Context<'_>,
        question: String,
        options: &[ServerOption],
        (least, most): (usize, usize),
        required: bool,
    ) -> Result<Option<ServerValue>, Not> {
        let choice = |option: &ServerOption| Choice {
            value: option.value.clone(),
            label: option.label.clone(),
            description: option.about.clone(),
            recommended: false,
        };
        let at_least = if required { least } else { 0 };
        let choices = options.iter().map(choice).collect();
        let mut prompt = ManyPrompt { question, choices, at_least, ..ManyPrompt::default() };
        for _ in 0..MOST_TRIES {
            let taken = self.put(context, |context, _| context.prompter.choose_many(&prompt))?;
            if taken.is_empty() && !required {
                return Ok(None);
            }
            if (least..=most).contains(&taken.len()) {
                let values = taken.iter().filter_map(|at| options.get(*at)).map(|option| option.value.clone());
                return Ok(Some(ServerValue::Many(values.collect())));
            }
            prompt.question = format!("{}\n(from {least} to {most} of them)", prompt.question.trim_end());
        }
        Err(Unanswered::Cancelled { draft: String::new() }.into())
    }

    fn typed(
        &mut self,
        context: &mut Context<'_>,
        heading: &str,
        field: &ServerField,
        about: &str,
    ) -> Result<Option<ServerValue>, Not> {
        let before = self.before(context, field);
        let status = before.as_ref().map(|_| BEFORE.to_owned()).unwrap_or_default();
        let mut prompt = ReplyPrompt {
            status,
            heading: heading.to_owned(),
            question: format!("{}{about}", field.title),
            draft: before.or_else(|| field.initial.clone()).unwrap_or_default(),
            keys: format!("Enter sends, {}", self.asker().escape),
            ..ReplyPrompt::default()
        };
        for _ in 0..MOST_TRIES {
            let text = match self.edit(context, field, &mut prompt) {
                Ok(text) => text,
                Err(not) => {
                    self.keep(context, field, not.draft());
                    return Err(not);
                }
            };
            // The server has it only after the last field.
            self.keep(context, field, &text);
            match field.typed(&text) {
                Ok(value) => return Ok(Some(value)),
                Err(why) => {
                    prompt.status = format!("does not fit: {why}");
                    prompt.draft = text;
                    prompt.keys = format!("edit it, or clear it with Ctrl-U; Enter sends, {}", self.asker().escape);
                }
            }
        }
        Err(Unanswered::Cancelled { draft: String::new() }.into())
    }
}
