//! The prompter port: how a surface asks a person. No terminal, no drawing: only what is asked and what came back.

mod ending;
mod in_turn;
pub mod noted;

use std::time::Duration;

use crate::domain::ui::Kind;
use in_turn::one_after_the_other;

pub use ending::{Prompted, Unanswered};

use crate::domain::ui::Without;

/// One reply a person can take over with a key instead of typing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Exactly what is sent when it is taken.
    pub value: String,
    /// The short visible name.
    pub label: String,
    /// Why one would take it; shown muted.
    pub description: Option<String>,
    pub recommended: bool,
}

impl Choice {
    /// A choice that is nobody's recommendation, with what speaks for it.
    pub fn of(value: &str, label: &str, description: &str) -> Self {
        Self {
            value: value.to_owned(),
            label: label.to_owned(),
            description: Some(description.to_owned()),
            recommended: false,
        }
    }
}

/// A question with a reply editor and choices to cycle through (G9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyPrompt {
    /// What stands above the question, such as `question 3 · scope`.
    pub heading: String,
    /// The question; may have several lines.
    pub question: String,
    /// What Tab and Shift-Tab cycle through; may be empty.
    pub choices: Vec<Choice>,
    /// Text the editor starts with, such as a reply that was not sent.
    pub draft: String,
    /// The one status line below.
    pub status: String,
    /// What the keys do here, where there is an editor that has keys.
    pub keys: String,
    /// One line of help about what else can be typed here.
    pub help: String,
    /// How a reply that begins with `/` is handled.
    pub slash: Slash,
}

/// A numbered list of which one entry is taken, with two entries of our own behind it (Q1 to Q7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PickPrompt {
    /// What stands above the question.
    pub heading: String,
    /// The question; may have several lines.
    pub question: String,
    /// The entries in order, numbered from 1.
    pub choices: Vec<Choice>,
    /// The label of the entry behind them that opens an editor in its place; `None` leaves it out.
    pub other: Option<String>,
    /// The label of the entry that asks for a conversation instead; `None` leaves it out.
    pub discuss: Option<String>,
    /// Text that the editor starts with when it is opened, such as words that were not sent.
    pub draft: String,
    /// The one status line below.
    pub status: String,
    /// Background for the decision, for a user who sees only the prompt.
    pub background: Vec<String>,
    /// What becomes of words that begin with `/`.
    pub slash: Slash,
}

/// What becomes of words that begin with `/` (G11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slash {
    /// They are a verb, and come back as they were typed.
    Verb,
    /// Nobody here serves a verb: they are refused, and the question stays open.
    #[default]
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The choice with this index, and the note attached to it (Q6).
    Choice {
        /// Its index, counted from 0.
        index: usize,
        /// What was added to it, trimmed; never blank.
        note: Option<String>,
    },
    /// Words of the person's own, trimmed; never blank (Q5). Where verbs are served, a blank stays before a `/` that
    /// begins none.
    Wrote(String),
    /// A conversation instead of an answer.
    Discuss,
}

/// Several questions as one form with a tab for each and one to submit (P2, P3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormPrompt {
    /// What stands above the tabs; may be empty.
    pub heading: String,
    /// The questions, at least one.
    pub questions: Vec<FormQuestion>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormQuestion {
    /// The tab's short label.
    pub label: String,
    /// The question; may have several lines.
    pub prompt: String,
    /// The entries in order; may be empty where other words are allowed.
    pub choices: Vec<Choice>,
    /// The label of the entry that opens an editor; `None` allows no other words.
    pub other: Option<String>,
    /// How many choices an answer takes; if several, other words can be added to them (P18).
    pub kind: Kind,
    /// Whether free text can be added to the choice.
    pub note: bool,
    /// Markdown that is shown with the choice of the same index while it is in focus.
    pub previews: Vec<Option<String>>,
}

/// The answer to a question of a form: at least one choice or words, and both only where it takes several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormAnswer {
    /// The choices with these indices, counted from 0, in order.
    pub chosen: Vec<usize>,
    /// Words of the person's own, trimmed; never blank.
    pub other: Option<String>,
    /// What was added to the choice, trimmed; never blank.
    pub note: Option<String>,
}

impl FormAnswer {
    pub fn choice(index: usize) -> Self {
        Self { chosen: vec![index], ..Self::default() }
    }

    pub fn own(words: impl Into<String>) -> Self {
        Self { other: Some(words.into()), ..Self::default() }
    }
}

impl FormQuestion {
    pub fn takes(&self, answer: &FormAnswer) -> bool {
        let FormAnswer { chosen, other, note: _ } = answer;
        let count = chosen.len() + usize::from(other.is_some());
        let fits = match self.kind {
            Kind::One => count == 1,
            Kind::Many => count > 0,
        };
        fits && chosen.iter().all(|index| *index < self.choices.len())
            && other.as_ref().is_none_or(|words| self.other.is_some() && !words.trim().is_empty())
    }
}

/// The gate, where somebody is asked for everything at once (G26).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatePrompt {
    /// What stands above the question: why it is ready, and what speaks against it.
    pub heading: String,
    pub question: String,
    /// Replies that whoever opened the gate thought of.
    pub replies: Vec<Choice>,
    /// The outputs that can be chosen, the recommended ones marked.
    pub outputs: Vec<Choice>,
    /// The strategies, the recommended one marked.
    pub strategies: Vec<Choice>,
    /// Background for the decision, for a user who sees only the prompt.
    pub background: Vec<String>,
    /// The checkpoint, for a user who wants to review it before choosing; the choices stay (G46, G47).
    pub checkpoint: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtGate {
    /// More questions.
    Continue,
    /// The end, without an output.
    Stop,
    /// The outputs with these indices, at least one.
    Outputs {
        outputs: Vec<usize>,
        /// The strategy with this index; `None` leaves it to what is recommended.
        strategy: Option<usize>,
    },
    /// Words of their own, which decide nothing.
    Wrote(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    #[default]
    Info,
    Warning,
    Error,
}

/// A list of which several entries can be chosen (Q8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManyPrompt {
    /// What stands above the question; may be empty.
    pub heading: String,
    pub question: String,
    pub choices: Vec<Choice>,
    /// The smallest number that can be sent.
    pub at_least: usize,
    /// Background for the decision, for a user who sees only the prompt.
    pub background: Vec<String>,
}

/// What came of a list where a verb can be typed as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Many {
    /// The entries with these indices, in order.
    Chosen(Vec<usize>),
    /// A line that begins with `/`.
    Verb(String),
}

/// What goes on while the person waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    On {
        /// One line that says what is done.
        line: String,
        /// What was done before, the oldest first; shown when the line is opened.
        steps: Vec<String>,
        /// Lines that were said since the last look, which stay on the screen. They are laid out for it and harmless.
        said: Vec<String>,
        saying: String,
    },
    Over,
}

/// Whether what a prompt asks was settled elsewhere.
pub type Settled = std::rc::Rc<dyn Fn() -> bool>;

/// When the answer to a prompt came, where a client's forms are answered with later calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    Now,
    /// With an earlier call, which recorded it.
    Before,
    /// Not at all: the client's form was not sent.
    Unsent(Without),
}

/// Asks a person. Implemented by the terminal and by a script for tests.
pub trait Prompter {
    /// Whether a person can be asked at all, and if not, why not.
    fn available(&self) -> Result<(), &'static str>;
    /// True if it answers at once, with a reply that came back from somewhere else.
    fn at_hand(&self) -> bool {
        false
    }
    /// True if the answer comes with a later call: the question is kept, and a prompt that returns unavailable is still
    /// open.
    fn later(&self) -> bool {
        false
    }
    /// True if a client's form has already answered the next prompt, or was not sent.
    fn replays(&self) -> bool {
        false
    }
    /// How the answer to the last prompt came.
    fn came(&self) -> Came {
        Came::Now
    }
    /// Words sent next to the last answer, which are no part of it.
    fn beside(&mut self) -> Option<String> {
        None
    }
    /// Sets how long each prompt that follows stands open; without a limit, as long as it takes (Q14).
    fn wait_at_most(&mut self, limit: Option<Duration>);
    /// Sets what each prompt that follows is watched by: once that says true, it ends as one that nobody answered in time,
    /// since what it asks was settled elsewhere. Asked often, so it must cost next to nothing.
    fn watch(&mut self, _settled: Option<Settled>) {}
    /// The next question comes by itself, while the person may still be typing something else: nothing decides it before
    /// they have paused.
    fn comes_by_itself(&mut self) {}
    /// Asks for a reply in one editor line with choices (G9).
    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String>;
    /// The same, and hands over what stands in the editor whenever the person pauses, so that a process that is killed
    /// loses no more than the last words (Q15). Where a line is typed into the terminal itself, nothing can be seen of
    /// it before it is sent.
    fn reply_kept(&mut self, prompt: &ReplyPrompt, _keep: &mut dyn FnMut(&str)) -> Prompted<String> {
        self.reply(prompt)
    }
    /// Asks for one of the entries, own words, or a conversation (Q1 to Q7).
    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked>;
    /// The same, and hands over what is typed into the list's editors, as [`Prompter::reply_kept`] does (Q15).
    fn pick_kept(&mut self, prompt: &PickPrompt, _keep: &mut dyn FnMut(&str)) -> Prompted<Picked> {
        self.pick(prompt)
    }
    /// Asks several questions at once; one answer each, in their order (P3).
    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>>;
    /// Asks what is to happen at the gate: one list after the other where nothing can show them all at once.
    fn gate(&mut self, prompt: &GatePrompt) -> Prompted<AtGate> {
        one_after_the_other(self, prompt)
    }
    /// Asks for one of the choices; the index of the one taken.
    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize>;
    /// Asks for several of the choices; their indices in order.
    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>>;
    /// The same in a conversation, where a line that begins with `/` is a verb (G11).
    fn choose_many_or_verb(&mut self, prompt: &ManyPrompt) -> Prompted<Many> {
        self.choose_many(prompt).map(Many::Chosen)
    }
    /// Asks yes or no; there is no default, so an empty Enter asks again.
    fn confirm(&mut self, question: &str) -> Prompted<bool>;
    /// Shows what goes on, in one line, until it is over or the person leaves with Esc. `doing` is asked many times a
    /// second and never waits.
    fn follow(&mut self, _doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
        Prompted::Unavailable("what goes on is shown at a terminal")
    }
    /// Shows a notice and never waits (P1).
    fn notify(&mut self, message: &str, level: Level);
}
