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
    let (careful, plain): (Vec<&OfferedFile>, Vec<&OfferedFile>) =
        files.iter().copied().partition(|file| !file.cautions.is_empty());
    let mut chosen = Vec::new();
    for (place, file) in careful.iter().enumerate() {
        table.show(&[file])?;
        let why = file.cautions.join("; ");
        let question = format!(
            "{} ({} of {} that need a separate yes): {why}. Accept it?",
            on_one_line(&file.file.path),
            place + 1,
            careful.len()
        );
        if table.choose(&question, &[accept_it(), leave_it()])? == Some("yes") {
            chosen.push(*file);
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

fn accept_it() -> Choice {
    Choice::of("yes", "Accept it", "together with the others")
}

fn leave_it() -> Choice {
    Choice::of("no", "Skip it", "it stays in the agent's copy, and can be accepted later")
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
    fn plain<'f>(&mut self, files: &[&'f OfferedFile], before: usize) -> Result<Vec<&'f OfferedFile>, AppError> {
        let (all, skip) = match files {
            [] => return Ok(Vec::new()),
            [_] => ("Accept it".to_owned(), "Skip it"),
            many => (format!("Accept all {}", many.len()), "Skip them"),
        };
        let skip = match before {
            0 => skip.to_owned(),
            1 => format!("{skip}; the file chosen before is accepted"),
            many => format!("{skip}; the {many} files chosen before are accepted"),
        };
        let one = files.len() == 1;
        let mut choices =
            vec![Choice::of("all", &all, self.undo), Choice::of("show", "Show the difference", "and ask again")];
        choices.extend((!one).then(|| Choice::of("each", "Choose file by file", "each is shown first")));
        let stays = if one { "it stays" } else { "they stay" };
        choices.push(Choice::of("none", &skip, &format!("{stays} in the agent's copy, and can be accepted later")));
        let question = match files {
            [file] => format!("Accept {} of {}?", on_one_line(&file.file.path), self.session),
            many => format!("Accept these {} files of {}?", many.len(), self.session),
        };
        loop {
            match self.choose(&question, &choices)? {
                Some("all") => return Ok(files.to_vec()),
                Some("show") => self.show(files)?,
                Some("each") => return self.each(files),
                Some(_) | None => return Ok(Vec::new()),
            }
        }
    }

    fn each<'f>(&mut self, files: &[&'f OfferedFile]) -> Result<Vec<&'f OfferedFile>, AppError> {
        let choices = [
            accept_it(),
            leave_it(),
            Choice::of("rest", "Accept it and all that follow", "they are not shown"),
            Choice::of("done", "Skip it and all that follow", "what was chosen before is accepted"),
        ];
        let mut chosen = Vec::new();
        for (place, file) in files.iter().enumerate() {
            self.show(&[file])?;
            let question = format!("{} ({} of {}): accept it?", on_one_line(&file.file.path), place + 1, files.len());
            match self.choose(&question, &choices)? {
                Some("yes") => chosen.push(*file),
                Some("no") => {}
                Some("rest") => {
                    chosen.extend(&files[place..]);
                    break;
                }
                Some(_) | None => break,
            }
        }
        Ok(chosen)
    }
}
