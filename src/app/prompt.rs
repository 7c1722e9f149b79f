//! The prompter port: how a surface asks a person. No terminal, no drawing: only what is asked and what came back.

/// One reply a person can take over with a key instead of typing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Exactly what is sent when it is taken.
    pub value: String,
    /// The short visible name.
    pub label: String,
    /// Why one would take it; shown muted.
    pub description: Option<String>,
    /// Whether it is the recommendation.
    pub recommended: bool,
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
}

/// A list of which several entries can be chosen (Q8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManyPrompt {
    /// The question above the list.
    pub question: String,
    /// The entries in order.
    pub choices: Vec<Choice>,
    /// The smallest number that can be sent.
    pub at_least: usize,
}

/// What became of a prompt. Five endings that never stand for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompted<T> {
    /// The person sent this.
    Answered(T),
    /// The person closed the prompt (Esc, Ctrl-D on an empty line). `draft` is what stood in the editor.
    Cancelled {
        /// Text that was typed and not sent.
        draft: String,
    },
    /// The person interrupted the program (Ctrl-C) or the terminal is closing.
    Interrupted {
        /// Text that was typed and not sent.
        draft: String,
    },
    /// Nobody can be asked here; says why in a few words ("stderr is not a terminal").
    Unavailable(&'static str),
    /// The terminal went away while the prompt was open.
    Lost {
        /// Text that was typed and not sent.
        draft: String,
    },
}

/// Why a prompt has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The person closed it.
    Cancelled {
        /// Text that was typed and not sent.
        draft: String,
    },
    /// The person interrupted the program.
    Interrupted {
        /// Text that was typed and not sent.
        draft: String,
    },
    /// Nobody can be asked here.
    Unavailable(&'static str),
    /// The terminal went away.
    Lost {
        /// Text that was typed and not sent.
        draft: String,
    },
}

impl<T> Prompted<T> {
    /// The answer, or why there is none.
    pub fn answered(self) -> Result<T, Unanswered> {
        match self {
            Self::Answered(value) => Ok(value),
            Self::Cancelled { draft } => Err(Unanswered::Cancelled { draft }),
            Self::Interrupted { draft } => Err(Unanswered::Interrupted { draft }),
            Self::Unavailable(why) => Err(Unanswered::Unavailable(why)),
            Self::Lost { draft } => Err(Unanswered::Lost { draft }),
        }
    }
}

impl Unanswered {
    /// What was typed and not sent; blank text is none.
    pub fn draft(&self) -> Option<&str> {
        match self {
            Self::Cancelled { draft } | Self::Interrupted { draft } | Self::Lost { draft } => {
                Some(draft.as_str()).filter(|draft| !draft.trim().is_empty())
            }
            Self::Unavailable(_) => None,
        }
    }
}

/// Asks a person. Implemented by the terminal and by a script for tests.
pub trait Prompter {
    /// Whether a person can be asked at all, and if not, why not.
    fn available(&self) -> Result<(), &'static str>;
    /// Asks for a reply in one editor line with choices (G9).
    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String>;
    /// Asks for one of the choices; the index of the one taken.
    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize>;
    /// Asks for several of the choices; their indices in order.
    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>>;
    /// Asks yes or no; there is no default, so an empty Enter asks again.
    fn confirm(&mut self, question: &str) -> Prompted<bool>;
}
