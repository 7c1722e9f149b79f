//! Asks an extension's questions in turn, and records each answer once.

use crate::app::form::{Asker, Met};
use crate::app::prompt::{Came, Settled};
use crate::app::tools::AnsweredQuestion;
use crate::domain::text::{Line, Prose};
use crate::domain::ui::{Answered, Call, OneAnswer, Question, Without};

/// Asks the person for an extension, and records the answers.
pub(super) trait Book {
    /// Whether a person can be asked, and if not, why not.
    fn available(&self) -> Result<(), String>;

    /// Whether a question may be asked now, and if not, why not. The questions of one run are one step of the
    /// interview: only the `first` waits for the checkpoint.
    fn in_turn(&mut self, first: bool) -> Result<(), String>;

    /// Whether a client's form has answered the next call already; then it was in turn when it was asked.
    fn replays(&self) -> bool;

    /// Asks the person.
    fn put(&mut self, call: &Call, settled: Settled) -> (Met, Came);

    /// Records the answers to questions of the interview.
    fn record(&mut self, answers: Vec<AnsweredQuestion>, first: bool);

    /// Records an answer that does not belong to the interview.
    fn note(&mut self, answer: AnsweredQuestion);

    /// Notes that there was an answer, whether this run recorded it or an earlier one.
    fn answered(&mut self);
}

/// Asks for an extension.
pub(super) struct Recording<'b, B> {
    book: &'b mut B,
    /// Whether a question was answered in this run.
    begun: bool,
}

impl<'b, B: Book> Recording<'b, B> {
    pub(super) fn new(book: &'b mut B) -> Self {
        Self { book, begun: false }
    }
}

impl<B: Book> Asker for Recording<'_, B> {
    fn available(&self) -> Result<(), String> {
        self.book.available()
    }

    fn ask(&mut self, call: &Call, settled: Settled) -> Met {
        let of_the_interview = match call {
            Call::Ask(_) | Call::Form(_) => true,
            Call::Confirm(_) | Call::Notify(..) => false,
        };
        if of_the_interview
            && !self.book.replays()
            && let Err(why) = self.book.in_turn(!self.begun)
        {
            return Met::Answered(Answered::Without(Without::Unavailable(why)));
        }
        let (met, came) = self.book.put(call, settled);
        let is_new = match came {
            Came::Now => true,
            Came::Before => false,
            Came::Unsent(without) => return Met::Answered(Answered::Without(without)),
        };
        let Met::Answered(answered) = met else { return Met::Later };
        self.keep(call, &answered, is_new);
        Met::Answered(answered)
    }
}

impl<B: Book> Recording<'_, B> {
    /// Records an answer, once; a call without an answer is not recorded (P19).
    fn keep(&mut self, call: &Call, answered: &Answered, is_new: bool) {
        match (call, answered) {
            (Call::Ask(_) | Call::Form(_), Answered::Questions(_)) => {
                self.book.answered();
                let first = !std::mem::replace(&mut self.begun, true);
                if is_new {
                    self.book.record(questions(call, answered), first);
                }
            }
            (Call::Confirm(prompt), Answered::Confirmed(yes)) => {
                self.book.answered();
                let said = if *yes { "Yes" } else { "No" };
                if is_new {
                    self.book.note(confirmed(prompt, said));
                }
            }
            (Call::Ask(_) | Call::Form(_), Answered::Confirmed(_))
            | (Call::Confirm(_), Answered::Questions(_))
            | (Call::Notify(..), _)
            | (_, Answered::Shown | Answered::Without(_)) => {}
        }
    }
}

fn questions(call: &Call, answered: &Answered) -> Vec<AnsweredQuestion> {
    let asked: &[Question] = match call {
        Call::Ask(question) => std::slice::from_ref(question),
        Call::Form(questions) => questions.as_slice(),
        Call::Confirm(_) | Call::Notify(..) => &[],
    };
    let answers: &[OneAnswer] = match answered {
        Answered::Questions(answers) => answers.as_slice(),
        Answered::Confirmed(_) | Answered::Shown | Answered::Without(_) => &[],
    };
    asked.iter().zip(answers).map(|(question, answer)| AnsweredQuestion::of(question, answer)).collect()
}

fn confirmed(prompt: &Prose, said: &str) -> AnsweredQuestion {
    AnsweredQuestion {
        id: "confirm".to_owned(),
        label: Line::clipped(prompt.first_line()),
        prompt: prompt.clone(),
        options: vec![("Yes".to_owned(), None), ("No".to_owned(), None)],
        many: false,
        chosen: Vec::new(),
        labels: vec![said.to_owned()],
        other: false,
        note: None,
    }
}
