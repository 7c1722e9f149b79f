//! The user is heard in each round (D8, D10, D11, D23): a summary first, then one question at a time, each recorded by itself;
//! what roles ask comes behind the three questions of every round.

use std::path::Path;

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::ports::SessionStore;
use crate::app::prompt::{Choice, PickPrompt, Picked, ReplyPrompt, Unanswered};
use crate::app::putting::keeper;
use crate::app::reply::{Outcome, Reply};
use crate::domain::debate::due::{DebateRound, Due};
use crate::domain::debate::round::{Hearing, Raised};
use crate::domain::debate::{self, Debate, State};
use crate::domain::fnv::fnv1a;
use crate::domain::harmless::{harmless, on_one_line};
use crate::domain::ids::{QuestionId, SessionId};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::citing::{cited, has_lines};
use super::showing::{before_a_word, summary};

pub(super) const DEED: &str = "answering in a debate";
const NOT_RECORDED: &str = "the answer was not recorded";
const KEPT: &str = "what you typed is kept, and git grill debate asks again with it";
const SETTLED: &str = "the question was settled elsewhere";

/// Asks what is left to ask in this round, one question after the other.
pub(super) fn hear(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
) -> Result<Outcome, AppError> {
    if let Some(due) = debate.due() {
        let typed = typed(turn(number, debate), &due);
        context.need_person(&format!("the question “{}”", on_one_line(due.question())), &typed)?;
    }
    context.voice.say(&Reply::Text(before_a_word(session, number, debate)))?;
    context.prompter.comes_by_itself();
    let mut outcome = Outcome::nothing(session.clone());
    loop {
        let (number, now) = super::newest(&outcome.after)?;
        let Some(due) = now.due() else { return Ok(outcome) };
        let turn = turn(number, now);
        let has_answered = !outcome.events.is_empty();
        let left = |error| {
            if has_answered && matches!(error, AppError::Cancelled(_)) {
                AppError::Stopped("stopped; the answers so far are recorded, and git grill debate asks the rest".into())
            } else {
                error
            }
        };
        let raised = now.last().map_or(&[][..], |played| &played.raised);
        let back = now.last_answered().map(|last| change(&last));
        let before = now.last().and_then(|played| played.words_withdrawn(&due));
        let before = before.map(|words| words.as_str().to_owned()).unwrap_or_default();
        let unsent = Unsent { session: &session.id, place: place(turn, &due), before };
        let word = match due {
            Due::Hearing(question) => asked(context, raised, question, back, &unsent),
            Due::Role(..) => replied(context, &in_full(&due), back, &unsent),
        }
        .map_err(left)?;
        let (command, typed) = match word {
            Word::Said(yes, words) => (said(turn, &due, yes, words.clone()), words),
            Word::Back => (debate::Command::TakeBack { turn }, None),
        };
        let recorded = context.handle(&session.id, command.into());
        let further = recorded.map_err(|error| naming_the_words(context, error, typed.as_ref(), &unsent))?;
        outcome = outcome.clone().then(further);
        // Its words are recorded.
        context.dispatcher.store.take_draft(unsent.session, &unsent.place)?;
    }
}

/// What the user says to a question: yes or no, with words, or that an earlier answer was wrong.
enum Word {
    Said(bool, Option<Prose>),
    Back,
}

/// Takes back the answer to the question before.
const BACK: &str = "back";

fn change(last: &Due<'_>) -> Choice {
    let asked_again = format!("asks again: {}", on_one_line(last.question()));
    Choice::of(BACK, "Change the last answer", &asked_again)
}

/// Asks one of the three questions. The lines that the attack cites are one key away.
fn asked(
    context: &mut Context<'_>,
    raised: &[Raised],
    question: Hearing,
    back: Option<Choice>,
    unsent: &Unsent<'_>,
) -> Result<Word, AppError> {
    let citing: Vec<&Raised> = raised.iter().filter(|raised| has_lines(raised)).collect();
    let mut choices = Vec::from(choices(question));
    choices.extend(back);
    if !citing.is_empty() {
        choices.push(Choice::of("lines", "Show the cited lines", "as they are now; then this is asked again"));
    }
    let yes = loop {
        let chosen = context.prompter.choose(question.question(), &choices).answered().map_err(not_answered(DEED))?;
        match choices.get(chosen).map(|choice| choice.value.as_str()) {
            Some("lines") => {
                let shown: Vec<String> = citing.iter().map(|raised| cited(context, raised)).collect();
                context.voice.say(&Reply::Text(shown.join("\n\n")))?;
            }
            Some(BACK) => return Ok(Word::Back),
            said => break said == Some("yes"),
        }
    };
    if !yes || !question.needs_words() {
        return Ok(Word::Said(yes, None));
    }
    let asks = match question {
        Hearing::Override => "Which part do you override, and with what?",
        Hearing::Agree | Hearing::Missed => "What is your concern?",
    };
    Ok(Word::Said(true, Some(in_words(context, asks, unsent)?)))
}

/// A reply to a role, unless the user leaves it to the role.
fn replied(
    context: &mut Context<'_>,
    question: &str,
    back: Option<Choice>,
    unsent: &Unsent<'_>,
) -> Result<Word, AppError> {
    let mut choices = vec![Choice::of("answer", "Answer", "in your own words"), leave()];
    choices.extend(back);
    let chosen = context.prompter.choose(question, &choices).answered().map_err(not_answered(DEED))?;
    Ok(match chosen {
        0 => Word::Said(true, Some(in_words(context, "Your answer", unsent)?)),
        1 => Word::Said(false, None),
        _ => Word::Back,
    })
}

fn leave() -> Choice {
    Choice::of("leave", "Leave it", "the role decides by itself")
}

/// The question as the user is asked it: one of a role's comes with whose it is.
fn in_full(due: &Due<'_>) -> String {
    match due {
        Due::Hearing(question) => question.question().to_owned(),
        Due::Role(_, asked) => {
            format!("The {} asks: {}", asked.part.role().in_words(), harmless(asked.question.as_str()))
        }
    }
}

/// What the user said to it, as a command. Words to a role are a reply only with a yes.
fn said(turn: DebateRound, due: &Due<'_>, yes: bool, words: Option<Prose>) -> debate::Command {
    match due {
        Due::Hearing(question) => debate::Command::Answer { turn, question: *question, yes, words },
        Due::Role(number, _) => debate::Command::Reply { turn, number: *number, words: words.filter(|_| yes) },
    }
}

/// Where words that are typed to a question are kept until they are recorded.
struct Unsent<'s> {
    session: &'s SessionId,
    place: QuestionId,
    /// The words of an answer to it that was taken back.
    before: String,
}

/// The place of a question among what is kept of those of the session.
fn place(turn: DebateRound, due: &Due<'_>) -> QuestionId {
    QuestionId::from_nonce(fnv1a(format!("debate {}", due.name(turn)).bytes()))
}

/// The round of the debate that the user is shown.
pub(super) fn turn(number: u32, debate: &Debate) -> DebateRound {
    DebateRound { debate: number, round: debate.course().round() }
}

/// Words that were refused, since their question was settled elsewhere: no question may bring them back, so the error names
/// where they are kept.
fn naming_the_words(context: &Context<'_>, error: AppError, typed: Option<&Prose>, unsent: &Unsent<'_>) -> AppError {
    let (AppError::Refused(refusal), Some(typed)) = (&error, typed) else { return error };
    match context.dispatcher.store.replace_draft(unsent.session, &unsent.place, typed.as_str()) {
        Ok(kept) => AppError::Declined {
            code: refusal.code(),
            message: format!("{refusal}; {}", kept_in(&kept)),
            causes: Vec::new(),
            hint: refusal.hint(),
        },
        Err(_) => error,
    }
}

fn kept_in(kept: &Path) -> String {
    format!("what you typed is kept in {}", kept.display())
}

/// Whether a question is the one that the user is asked now.
fn is_asked(store: &dyn SessionStore, session: &SessionId, asked: &QuestionId) -> bool {
    let Ok(now) = store.load(session) else { return false };
    let Some((number, debate)) = now.session.own.debate.open() else { return false };
    let due = debate.due().filter(|_| debate.players.proxy.is_none());
    due.is_some_and(|due| place(turn(number, debate), &due) == *asked)
}

/// Asks for words. Those that are not sent, or not taken, come back with their question, as in an interview (Q15).
fn in_words(context: &mut Context<'_>, question: &str, unsent: &Unsent<'_>) -> Result<Prose, AppError> {
    let Unsent { session, place, before } = unsent;
    let store = context.dispatcher.store;
    let draft = store.kept_draft(session, place)?.unwrap_or_else(|| before.clone());
    let prompt = ReplyPrompt { question: question.to_owned(), draft, ..ReplyPrompt::default() };
    let mut keep = keeper(context, session, place);
    let words = context.prompter.reply_kept(&prompt, &mut keep).answered().map_err(|unanswered| {
        let Some(draft) = unanswered.draft() else { return not_answered(DEED)(unanswered) };
        let kept = match store.replace_draft(session, place, draft) {
            // It was settled elsewhere, and is not asked again.
            Ok(kept) if !is_asked(store, session, place) => format!("{SETTLED}; {}", kept_in(&kept)),
            Ok(_) => KEPT.to_owned(),
            Err(error) => return error.into(),
        };
        match unanswered {
            Unanswered::Cancelled { .. } => AppError::Stopped(format!("stopped; {kept}").into()),
            Unanswered::Interrupted { .. } => AppError::InterruptedWith(kept.into()),
            Unanswered::Unavailable(_) | Unanswered::Lost { .. } | Unanswered::TimedOut { .. } => {
                not_answered(DEED)(unanswered)
            }
        }
    })?;
    // Until they are recorded.
    store.replace_draft(session, place, &words)?;
    Ok(Prose::parse("the answer", &words)?)
}

/// Yes and no, each with what it means (D11).
fn choices(question: Hearing) -> [Choice; 2] {
    let (yes, no) = question.meanings();
    [Choice::of("yes", "Yes", yes), Choice::of("no", "No", no)]
}

/// A question for a form of a client's, with what the round brought. What needs words is a yes in one's own words.
pub(super) fn form(state: &State, number: u32, debate: &Debate, due: &Due<'_>) -> PickPrompt {
    let (mut choices, other) = match due {
        Due::Hearing(question) => {
            let [yes, no] = choices(*question);
            if question.needs_words() { (vec![no], Some("Yes, in your own words")) } else { (vec![yes, no], None) }
        }
        Due::Role(..) => (vec![leave()], Some("Answer in your own words")),
    };
    choices.extend(debate.last_answered().map(|last| change(&last)));
    let heading = format!("{} · {}", on_one_line(debate.name.as_str()), due.name(turn(number, debate)));
    let background = vec![summary(state, number, debate)];
    let other = other.map(str::to_owned);
    PickPrompt { heading, question: in_full(due), choices, other, background, ..PickPrompt::default() }
}

/// What the user said in such a form, as a command.
pub(super) fn said_in(
    turn: DebateRound,
    due: &Due<'_>,
    prompt: &PickPrompt,
    picked: Picked,
) -> Result<debate::Command, AppError> {
    let (value, words) = match picked {
        Picked::Choice { index, note } => {
            (prompt.choices.get(index).map(|choice| choice.value.as_str()).unwrap_or_default(), note)
        }
        Picked::Wrote(words) => ("yes", Some(words)),
        Picked::Discuss => return Err(AppError::Cancelled(DEED)),
    };
    if value == BACK {
        return Ok(debate::Command::TakeBack { turn });
    }
    let words = words.map(|words| Prose::parse("the answer", &words)).transpose()?;
    Ok(said(turn, due, value == "yes", words))
}

/// The command that answers this question without a terminal, and no other one; and the words with which it ends.
fn commands(turn: DebateRound, due: &Due<'_>) -> (String, [&'static str; 2]) {
    let ends = match due {
        Due::Hearing(question) if question.needs_words() => ["no", "yes --note \"<what it is>\""],
        Due::Hearing(_) => ["yes", "no"],
        Due::Role(..) => ["yes --note \"<your answer>\"", "no"],
    };
    (format!("git grill debate answer --question {}", due.name(turn)), ends)
}

/// The same as a sentence.
fn typed(turn: DebateRound, due: &Due<'_>) -> String {
    let (command, [first, second]) = commands(turn, due);
    let means = if let Due::Role(..) = due { ", which leaves it to the role" } else { "" };
    format!("{command} {first}, or the same with {second}{means}")
}

/// The question, and below it each command that answers it.
fn asked_again(turn: DebateRound, due: &Due<'_>) -> String {
    let (command, [first, second]) = commands(turn, due);
    let means = if let Due::Role(..) = due { " (no leaves it to the role)" } else { "" };
    format!("{}{means}\n  {command} {first}\n  {command} {second}", harmless(due.question()))
}

/// Answers the question that is next, or this one, if it still is: `1.2-agree` is the first one of round 2 of debate 1.
pub fn answer(
    context: &mut Context<'_>,
    named: Option<&str>,
    yes: bool,
    note: Option<&str>,
) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = debate::open(&session)?;
    let turn = turn(number, debate);
    let out_of_turn = |next| AppError::from(debate::Refusal::OutOfTurn { deed: NOT_RECORDED, next });
    if debate.players.proxy.is_some() {
        return Err(out_of_turn(
            "a proxy answers in this debate; git grill debate roles --proxy me takes that back".to_owned(),
        ));
    }
    let no_question = || out_of_turn(format!("no question is open; {}", debate::shown::next_in_words(debate)));
    let due_now = debate.due().ok_or_else(no_question)?;
    if let Some(named) = named.filter(|named| **named != due_now.name(turn)) {
        return Err(out_of_turn(format!("{named} is not next; type {}", typed(turn, &due_now))));
    }
    let words = note.map(|note| Prose::parse("the note", note)).transpose()?;
    if let (Due::Role(..), true, None) = (&due_now, yes, &words) {
        return Err(debate::Refusal::ReplyMissing.into());
    }
    let command = said(turn, &due_now, yes, words);
    let told = format!("{} {}", on_one_line(due_now.question()), if yes { "yes" } else { "no" });
    let outcome = context.handle(&session.id, command.into())?;
    let (_, now) = super::newest(&outcome.after)?;
    match now.due() {
        Some(next) => Ok(Reply::Text(format!("{told}\n{}", asked_again(turn, &next)))),
        None => Ok(Reply::Happened(Box::new(outcome))),
    }
}

/// Takes the last answer back, or this one, if it is the last; as long as the synthesizer has not used it.
pub fn take_back(context: &mut Context<'_>, named: Option<&str>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = super::newest(&session)?;
    let turn = turn(number, debate);
    if let (Some(named), Some(last)) = (named, debate.last_answered().map(|last| last.name(turn)))
        && named != last
    {
        let next =
            format!("{named} is not the last one; git grill debate answer --question {last} back takes that back");
        return Err(debate::Refusal::OutOfTurn { deed: "no answer was taken back", next }.into());
    }
    let outcome = context.handle(&session.id, debate::Command::TakeBack { turn }.into())?;
    let (_, now) = super::newest(&outcome.after)?;
    let again = now.due().map(|due| format!("\n{}", asked_again(turn, &due)));
    Ok(Reply::Text(format!("your last answer is taken back{}", again.unwrap_or_default())))
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
