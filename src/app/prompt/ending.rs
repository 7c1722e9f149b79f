//! How a prompt ends: with an answer, or without one and why.

/// The result of a prompt: one of six endings, none of which stands for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompted<T> {
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
    /// Nobody answered within the time that the caller set, or before it was settled elsewhere.
    TimedOut {
        /// Text that was typed and not sent.
        draft: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    Cancelled {
        /// Text that was typed and not sent.
        draft: String,
    },
    Interrupted {
        /// Text that was typed and not sent.
        draft: String,
    },
    Unavailable(&'static str),
    /// The terminal went away.
    Lost {
        /// Text that was typed and not sent.
        draft: String,
    },
    /// Nobody answered within the time that the caller set, or before it was settled elsewhere.
    TimedOut {
        /// Text that was typed and not sent.
        draft: String,
    },
}

impl<T> Prompted<T> {
    /// The same ending with the answer made into something else.
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> Prompted<U> {
        match self {
            Self::Answered(value) => Prompted::Answered(into(value)),
            Self::Cancelled { draft } => Prompted::Cancelled { draft },
            Self::Interrupted { draft } => Prompted::Interrupted { draft },
            Self::Unavailable(why) => Prompted::Unavailable(why),
            Self::Lost { draft } => Prompted::Lost { draft },
            Self::TimedOut { draft } => Prompted::TimedOut { draft },
        }
    }

    pub fn answered(self) -> Result<T, Unanswered> {
        match self {
            Self::Answered(value) => Ok(value),
            Self::Cancelled { draft } => Err(Unanswered::Cancelled { draft }),
            Self::Interrupted { draft } => Err(Unanswered::Interrupted { draft }),
            Self::Unavailable(why) => Err(Unanswered::Unavailable(why)),
            Self::Lost { draft } => Err(Unanswered::Lost { draft }),
            Self::TimedOut { draft } => Err(Unanswered::TimedOut { draft }),
        }
    }
}

impl<T> From<Unanswered> for Prompted<T> {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Cancelled { draft } => Self::Cancelled { draft },
            Unanswered::Interrupted { draft } => Self::Interrupted { draft },
            Unanswered::Unavailable(why) => Self::Unavailable(why),
            Unanswered::Lost { draft } => Self::Lost { draft },
            Unanswered::TimedOut { draft } => Self::TimedOut { draft },
        }
    }
}

impl Unanswered {
    /// What was typed and not sent; blank text is none.
    pub fn draft(&self) -> Option<&str> {
        match self {
            Self::Cancelled { draft }
            | Self::Interrupted { draft }
            | Self::Lost { draft }
            | Self::TimedOut { draft } => Some(draft.as_str()).filter(|draft| !draft.trim().is_empty()),
            Self::Unavailable(_) => None,
        }
    }
}
