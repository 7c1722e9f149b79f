//! The user is heard in each round (D8, D11, D23): a summary first, then one question at a time, each recorded by itself.

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::{Choice, ReplyPrompt};
use crate::app::reply::{Outcome, Reply};
use crate::domain::debate::course::Step;
use crate::domain::debate::round::Hearing;
use crate::domain::debate::{self, Debate};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::showing::summary;

const DEED: &str = "answering in a debate";

/// Asks what is left to ask in this round, one question after the other.
pub(super) fn hear(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
) -> Result<Outcome, AppError> {
    let round = debate.course().round();
    let due = debate.last().and_then(debate::round::Round::next_question);
    context.need_person(DEED, &due.map(|question| typed(round, question)).unwrap_or_default())?;
    context.voice.say(&Reply::Text(summary(&session.own.debate, number, debate)))?;
    let mut outcome = Outcome::nothing(session.clone());
    loop {
        let (_, now) = super::newest(&outcome.after)?;
        let due = now.last().and_then(debate::round::Round::next_question).filter(|_| now.step() == Step::Hear);
        let Some(question) = due else { return Ok(outcome) };
        let round = now.course().round();
        let (yes, words) = asked(context, question)?;
        let command = debate::Command::Answer { round, question, yes, words };
        outcome = outcome.clone().then(context.handle(&session.id, command.into())?);
    }
}

fn asked(context: &mut Context<'_>, question: Hearing) -> Result<(bool, Option<Prose>), AppError> {
    let choices = choices(question);
    let chosen = context.prompter.choose(question.question(), &choices).answered().map_err(not_answered(DEED))?;
    let yes = choices.get(chosen).is_some_and(|choice| choice.value == "yes");
    if !yes || !question.needs_words() {
        return Ok((yes, None));
    }
    let asks = match question {
        Hearing::Override => "Which part, and what is it to be?",
        Hearing::Agree | Hearing::Missed => "What is it?",
    };
    let prompt = ReplyPrompt { question: asks.to_owned(), ..ReplyPrompt::default() };
    let words = context.prompter.reply(&prompt).answered().map_err(not_answered(DEED))?;
    Ok((true, Some(Prose::parse("the answer", &words)?)))
}

/// Yes and no, each with what it means (D11).
fn choices(question: Hearing) -> [Choice; 2] {
    let (yes, no) = question.meanings();
    [Choice::of("yes", "Yes", yes), Choice::of("no", "No", no)]
}

/// The command that answers this question without a terminal, and no other one.
fn typed(round: u32, question: Hearing) -> String {
    let words = if question.needs_words() { " (or yes --note \"<what it is>\")" } else { " (or yes)" };
    format!("git grill debate answer --question {round}-{} no{words}", question.name())
}

/// Answers the question that is next, or this one, if it still is: `1-agree` is the first one of round 1.
pub fn answer(
    context: &mut Context<'_>,
    named: Option<&str>,
    yes: bool,
    note: Option<&str>,
) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (_, debate) = super::newest(&session)?;
    let round = debate.course().round();
    let due = debate.last().and_then(debate::round::Round::next_question).filter(|_| debate.step() == Step::Hear);
    let Some(question) = due else {
        let next = debate::shown::next_in_words(debate);
        return Err(debate::Refusal::OutOfTurn { deed: "the answer was not recorded", next }.into());
    };
    if let Some(named) = named.filter(|named| **named != format!("{round}-{}", question.name())) {
        let next = format!("{named} is not the question that is next; {}", typed(round, question));
        return Err(debate::Refusal::OutOfTurn { deed: "the answer was not recorded", next }.into());
    }
    let words = note.map(|note| Prose::parse("the note", note)).transpose()?;
    let command = debate::Command::Answer { round, question, yes, words };
    let outcome = context.handle(&session.id, command.into())?;
    let (_, now) = super::newest(&outcome.after)?;
    match now.last().and_then(debate::round::Round::next_question) {
        Some(next) => {
            let said = if yes { "yes" } else { "no" };
            let told = format!("{} {said}", question.question());
            Ok(Reply::Text(format!("{told}\n{}\n  {}", next.question(), typed(round, next))))
        }
        None => Ok(Reply::Happened(Box::new(outcome))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d11_every_choice_has_a_short_label_and_says_what_it_means() {
        for question in Hearing::ALL {
            for choice in choices(question) {
                let words = choice.label.split_whitespace().count();
                assert!((1..=5).contains(&words) && choice.description.is_some_and(|said| !said.trim().is_empty()));
            }
        }
    }
}
