//! What a person is asked before an agent's work is accepted: each file is shown first, those first that need a separate yes.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{Offer, OfferedFile, Supervising};
use crate::app::prompt::{Choice, Unanswered};
use crate::app::reply::Reply;
use crate::domain::agents::{AgentHandle, AgentSession};
use crate::domain::harmless::on_one_line;

use super::accepting::DEED;
use super::lent::Loan;
use super::replied;
use super::together::{Together, together};

/// That the newest turn may have left work half done, and why.
pub(super) fn unfinished(session: &AgentSession) -> Option<String> {
    let turn = session.newest_turn()?;
    let why = on_one_line(turn.unfinished()?.as_str());
    Some(format!("{} did not end as it should, and may have left work half done: {why}", turn.handle))
}

/// What the person chooses: first each file that needs a yes of its own, then the others together or one by one.
pub(super) fn asked<'f>(
    context: &mut Context<'_>,
    port: &dyn Supervising,
    session: AgentHandle,
    offer: &Offer,
    files: &[&'f OfferedFile],
    undo: &'static str,
) -> Result<Vec<&'f OfferedFile>, AppError> {
    if let Some(told) = unfinished(&port.session(session)?.session) {
        context.voice.say(&Reply::Text(format!("! {told}")))?;
    }
    let mut table = Table { context, port, session, offer, undo };
    let (careful, plain): (Vec<Together<'f>>, Vec<Together<'f>>) =
        together(files).into_iter().partition(|one| !one.cautions().is_empty());
    let mut chosen = Vec::new();
    for (place, one) in careful.iter().enumerate() {
        table.show(&one.files)?;
        let question = format!(
            "{} ({} of {} that need a separate yes): {}. Accept {}?",
            one.name(),
            place + 1,
            careful.len(),
            one.cautions().join("; "),
            one.pronoun()
        );
        if table.choose(&question, &[accept(one), skip(one)])? == Some("yes") {
            chosen.extend(&one.files);
        }
    }
    chosen.extend(table.plain(&plain, chosen.len())?);
    Ok(chosen)
}

/// Nothing was chosen, so nothing is accepted.
fn not_given(session: AgentHandle) -> impl Fn(Unanswered) -> AppError {
    let needs_person = move |why: &str| AppError::NeedsPerson {
        deed: DEED.to_owned(),
        why: why.to_owned(),
        hint: format!("git grill agent accept {session} asks again"),
    };
    move |unanswered| match unanswered {
        Unanswered::Cancelled { .. } => AppError::Cancelled(DEED),
        Unanswered::Interrupted { .. } => {
            AppError::InterruptedWith("nothing was accepted; the same command asks again".into())
        }
        Unanswered::Unavailable(why) => needs_person(why),
        Unanswered::TimedOut { .. } => needs_person("nobody answered in time"),
        Unanswered::Lost { .. } => needs_person("the terminal went away"),
    }
}

fn accept(one: &Together<'_>) -> Choice {
    Choice::of("yes", &format!("Accept {}", one.pronoun()), "together with the others")
}

fn skip(one: &Together<'_>) -> Choice {
    let stays = if let [_] = one.files.as_slice() { "it stays" } else { "they stay" };
    Choice::of(
        "no",
        &format!("Skip {}", one.pronoun()),
        &format!("{stays} in the agent's copy, and can be accepted later"),
    )
}

/// A person who is asked about the files of a session.
struct Table<'t, 'c> {
    context: &'t mut Context<'c>,
    port: &'t dyn Supervising,
    session: AgentHandle,
    offer: &'t Offer,
    /// What takes an accept back.
    undo: &'static str,
}

impl Table<'_, '_> {
    fn show(&mut self, files: &[&OfferedFile]) -> Result<(), AppError> {
        let diff = self.port.difference(self.session, self.offer, files)?;
        self.context.voice.say(&replied(Loan::Difference { session: self.session, diff }))
    }

    /// The value of the choice that was taken.
    fn choose<'v>(&mut self, question: &str, choices: &'v [Choice]) -> Result<Option<&'v str>, AppError> {
        let chosen = self.context.prompter.choose(question, choices).answered().map_err(not_given(self.session))?;
        Ok(choices.get(chosen).map(|choice| choice.value.as_str()))
    }

    /// `before` is how many files were chosen before these.
    fn plain<'f>(&mut self, all: &[Together<'f>], before: usize) -> Result<Vec<&'f OfferedFile>, AppError> {
        let files: Vec<&OfferedFile> = all.iter().flat_map(|one| &one.files).copied().collect();
        let (take, skip) = match files.as_slice() {
            [] => return Ok(Vec::new()),
            [_] => ("Accept it".to_owned(), "Skip it"),
            many => (format!("Accept all {}", many.len()), "Skip them"),
        };
        let skip = match before {
            0 => skip.to_owned(),
            1 => format!("{skip}; the file chosen before is accepted"),
            many => format!("{skip}; the {many} files chosen before are accepted"),
        };
        let mut choices =
            vec![Choice::of("all", &take, self.undo), Choice::of("show", "Show the difference", "and ask again")];
        choices.extend((all.len() > 1).then(|| Choice::of("each", "Choose file by file", "each is shown first")));
        let stays = if files.len() == 1 { "it stays" } else { "they stay" };
        choices.push(Choice::of("none", &skip, &format!("{stays} in the agent's copy, and can be accepted later")));
        let question = match files.as_slice() {
            [file] => format!("Accept {} of {}?", on_one_line(&file.file.path), self.session),
            many => format!("Accept these {} files of {}?", many.len(), self.session),
        };
        loop {
            match self.choose(&question, &choices)? {
                Some("all") => return Ok(files),
                Some("show") => self.show(&files)?,
                Some("each") => return self.each(all),
                Some(_) | None => return Ok(Vec::new()),
            }
        }
    }

    fn each<'f>(&mut self, all: &[Together<'f>]) -> Result<Vec<&'f OfferedFile>, AppError> {
        let mut chosen = Vec::new();
        for (place, one) in all.iter().enumerate() {
            self.show(&one.files)?;
            let what = one.pronoun();
            let choices = [
                accept(one),
                skip(one),
                Choice::of("rest", &format!("Accept {what} and all that follow"), "they are not shown"),
                Choice::of("done", &format!("Skip {what} and all that follow"), "what was chosen before is accepted"),
            ];
            let question = format!("{} ({} of {}): accept {what}?", one.name(), place + 1, all.len());
            match self.choose(&question, &choices)? {
                Some("yes") => chosen.extend(&one.files),
                Some("no") => {}
                Some("rest") => {
                    chosen.extend(all[place..].iter().flat_map(|one| &one.files));
                    break;
                }
                Some(_) | None => break,
            }
        }
        Ok(chosen)
    }
}
