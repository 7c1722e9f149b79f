//! The prompter's twin for tests: a queue of answers instead of a person, and a record of what was asked.

use std::collections::VecDeque;
use std::time::Duration;

use crate::app::prompt::{
    Choice, FormAnswer, FormPrompt, Level, ManyPrompt, PickPrompt, Picked, Prompted, Prompter, ReplyPrompt,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Reply(ReplyPrompt),
    Choose(String, Vec<Choice>),
    ChooseMany(ManyPrompt),
    Confirm(String),
    /// One of these was to be taken, or something else.
    Pick(PickPrompt),
    Form(FormPrompt),
    Notice(String, Level),
}

#[derive(Clone, Debug)]
enum Line {
    Reply(String),
    Pick(Picked),
    Form(Vec<FormAnswer>),
    Choose(usize),
    ChooseMany(Vec<usize>),
    Confirm(bool),
    Cancel(String),
    Interrupt(String),
    Lose(String),
    Late(String),
}

/// A prompter that answers from a script. When the script has ended, or answers another kind of question than the one
/// that is asked, nobody is there: no answer is ever made up.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    lines: VecDeque<Line>,
    asked: Vec<Asked>,
    unavailable: Option<&'static str>,
    limit: Option<Duration>,
}

impl Scripted {
    pub fn new() -> Self {
        Self::default()
    }

    /// Nobody can be asked, for this reason.
    pub fn unavailable(why: &'static str) -> Self {
        Self { unavailable: Some(why), ..Self::default() }
    }

    #[must_use]
    pub fn types(self, text: impl Into<String>) -> Self {
        self.then(Line::Reply(text.into()))
    }

    /// Then takes this from a list with entries of its own behind it.
    #[must_use]
    pub fn picks(self, picked: Picked) -> Self {
        self.then(Line::Pick(picked))
    }

    #[must_use]
    pub fn submits(self, answers: impl IntoIterator<Item = FormAnswer>) -> Self {
        self.then(Line::Form(answers.into_iter().collect()))
    }

    #[must_use]
    pub fn takes(self, index: usize) -> Self {
        self.then(Line::Choose(index))
    }

    #[must_use]
    pub fn takes_many(self, indices: impl IntoIterator<Item = usize>) -> Self {
        self.then(Line::ChooseMany(indices.into_iter().collect()))
    }

    #[must_use]
    pub fn says_yes(self) -> Self {
        self.then(Line::Confirm(true))
    }

    #[must_use]
    pub fn says_no(self) -> Self {
        self.then(Line::Confirm(false))
    }

    /// Then closes the prompt with this text unsent.
    #[must_use]
    pub fn cancels(self, draft: impl Into<String>) -> Self {
        self.then(Line::Cancel(draft.into()))
    }

    /// Then presses Ctrl-C with this text unsent.
    #[must_use]
    pub fn interrupts(self, draft: impl Into<String>) -> Self {
        self.then(Line::Interrupt(draft.into()))
    }

    /// Then the terminal goes away with this text unsent.
    #[must_use]
    pub fn loses(self, draft: impl Into<String>) -> Self {
        self.then(Line::Lose(draft.into()))
    }

    /// Then lets the time run out with this text unsent; where no limit is set, nobody runs out of time.
    #[must_use]
    pub fn dawdles(self, draft: impl Into<String>) -> Self {
        self.then(Line::Late(draft.into()))
    }

    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    pub fn left(&self) -> usize {
        self.lines.len()
    }

    fn then(mut self, line: Line) -> Self {
        self.lines.push_back(line);
        self
    }

    fn next<T>(&mut self, asked: Asked, fits: impl FnOnce(Line) -> Option<T>) -> Prompted<T> {
        self.asked.push(asked);
        if let Some(why) = self.unavailable {
            return Prompted::Unavailable(why);
        }
        match self.lines.pop_front() {
            None => Prompted::Unavailable("the script has ended"),
            Some(Line::Cancel(draft)) => Prompted::Cancelled { draft },
            Some(Line::Interrupt(draft)) => Prompted::Interrupted { draft },
            Some(Line::Lose(draft)) => Prompted::Lost { draft },
            Some(Line::Late(draft)) if self.limit.is_some() => Prompted::TimedOut { draft },
            Some(Line::Late(_)) => Prompted::Unavailable("the script runs out of a time that is not limited"),
            Some(
                line @ (Line::Reply(_)
                | Line::Choose(_)
                | Line::ChooseMany(_)
                | Line::Confirm(_)
                | Line::Pick(_)
                | Line::Form(_)),
            ) => fits(line).map_or(Prompted::Unavailable("the script answers another question"), Prompted::Answered),
        }
    }
}

impl Prompter for Scripted {
    fn available(&self) -> Result<(), &'static str> {
        self.unavailable.map_or(Ok(()), Err)
    }

    fn wait_at_most(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String> {
        self.next(Asked::Reply(prompt.clone()), |line| if let Line::Reply(text) = line { Some(text) } else { None })
    }

    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked> {
        let fits = |picked: &Picked| match picked {
            Picked::Choice { index, .. } => *index < prompt.choices.len(),
            Picked::Wrote(text) => prompt.other.is_some() && !text.trim().is_empty(),
            Picked::Discuss => prompt.discuss.is_some(),
        };
        self.next(Asked::Pick(prompt.clone()), |line| {
            if let Line::Pick(picked) = line { Some(picked).filter(fits) } else { None }
        })
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        let fits = |answers: &Vec<FormAnswer>| {
            answers.len() == prompt.questions.len()
                && answers.iter().zip(&prompt.questions).all(|(answer, question)| question.takes(answer))
        };
        self.next(Asked::Form(prompt.clone()), |line| {
            if let Line::Form(answers) = line { Some(answers).filter(fits) } else { None }
        })
    }

    fn notify(&mut self, message: &str, level: Level) {
        self.asked.push(Asked::Notice(message.to_owned(), level));
    }

    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize> {
        let count = choices.len();
        self.next(Asked::Choose(question.to_owned(), choices.to_vec()), |line| {
            if let Line::Choose(index) = line
                && index < count
            {
                Some(index)
            } else {
                None
            }
        })
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        let count = prompt.choices.len();
        self.next(Asked::ChooseMany(prompt.clone()), |line| {
            if let Line::ChooseMany(indices) = line
                && indices.iter().all(|index| *index < count)
            {
                Some(indices)
            } else {
                None
            }
        })
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        self.next(
            Asked::Confirm(question.to_owned()),
            |line| {
                if let Line::Confirm(yes) = line { Some(yes) } else { None }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::prompt::{AtGate, GatePrompt};

    #[test]
    fn it_answers_in_order_and_remembers_what_was_asked() {
        let mut script = Scripted::new().types("sqlite").says_yes().cancels("half");
        let prompt = ReplyPrompt { question: "Where?".to_owned(), ..ReplyPrompt::default() };
        assert_eq!(script.reply(&prompt), Prompted::Answered("sqlite".to_owned()));
        assert_eq!(script.confirm("Sure?"), Prompted::Answered(true));
        assert_eq!(script.reply(&prompt), Prompted::Cancelled { draft: "half".to_owned() });
        assert_eq!(script.reply(&prompt), Prompted::Unavailable("the script has ended"));
        assert_eq!(script.asked()[1], Asked::Confirm("Sure?".to_owned()));
        assert_eq!(script.asked().len(), 4);
    }

    #[test]
    fn g46_a_review_at_the_gate_shows_the_checkpoint_and_leads_back_to_the_same_list() {
        let ways = |index| Picked::Choice { index, note: None };
        let prompt = GatePrompt {
            heading: "nothing is left to ask".to_owned(),
            question: "What now?".to_owned(),
            checkpoint: "# Shared Understanding\n".to_owned(),
            ..GatePrompt::default()
        };
        let mut script = Scripted::new().picks(ways(2)).picks(ways(1));
        assert_eq!(script.gate(&prompt), Prompted::Answered(AtGate::Continue));
        let [Asked::Pick(first), Asked::Pick(again)] = script.asked() else { panic!("{:?}", script.asked()) };
        assert_eq!(first.heading, "nothing is left to ask");
        assert_eq!(again.heading, "# Shared Understanding\n\nnothing is left to ask");
        assert_eq!((&first.question, &first.choices), (&again.question, &again.choices));
        // Whoever reviews without end decides nothing.
        let mut script = (0..100).fold(Scripted::new(), |script, _| script.picks(ways(2)));
        assert!(matches!(script.gate(&prompt), Prompted::Unavailable(_)));
        assert!(script.asked().len() < 100);
    }

    #[test]
    fn an_answer_to_another_question_is_no_answer() {
        let mut script = Scripted::new().types("yes").takes(5);
        assert!(matches!(script.confirm("Sure?"), Prompted::Unavailable(_)));
        assert!(matches!(script.choose("Which?", &[]), Prompted::Unavailable(_)));
        assert_eq!(Scripted::unavailable("no terminal").available(), Err("no terminal"));
    }
}
