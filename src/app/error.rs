//! Every way in which a request can fail to be done, with its exit code, its code for machines, and a way out.

pub mod advice;
mod kept;

use std::borrow::Cow;
use std::error::Error;
use std::path::PathBuf;

use crate::domain::actor::Actor;
use crate::domain::authority::Lapse;
use crate::domain::interview;
use crate::domain::production;
use crate::domain::refusal::{APPROVE, Refusal};

use super::ports::{BaselineError, NotRecorded, StoreError, Timing, TrackerError, WriteError};
use super::prompt::Unanswered;
use crate::text::shell::{quoted, word};

/// The code of an update that was made from a text which changed since.
pub const CHECKPOINT_MOVED: &str = "checkpoint_moved";

#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A reply came too late, or the store could not take it; its text was kept.
    #[error("the reply was not recorded: {}; its text is kept in {}", because.reason(), kept.display())]
    ReplyKept { because: Box<AppError>, kept: PathBuf },
    /// The store could not take a reply, and its text could not be kept either.
    #[error("the reply was not recorded: {}; its text could not be kept either", because.reason())]
    ReplyLost { because: Box<AppError> },
    /// A text was edited or handed in and could not be taken; it was kept.
    #[error("{}; what was written is kept in {}", because.not_taken(what), kept.display())]
    EditKept { because: Box<AppError>, what: String, kept: PathBuf },
    #[error("{0}")]
    Store(#[source] StoreError),
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Whoever records for us, outside of a read-only run, did not.
    #[error(transparent)]
    Outside(#[from] NotRecorded),
    /// The baseline was not taken, compared or brought back.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error("{message}")]
    Usage { message: String, hint: String },
    #[error("no session is active in this worktree")]
    NoSession,
    #[error("{deed} needs a person, and nobody can be asked: {why}")]
    NeedsPerson {
        deed: String,
        why: String,
        /// How it can be said without being asked, or where.
        hint: String,
    },
    /// Somebody else kept changing the session.
    #[error("the session changed {0} times while this was being recorded, and nothing was recorded")]
    Contended(u32),
    #[error("{0} was cancelled, and nothing changed")]
    Cancelled(&'static str),
    /// A person approved nothing for now, and took nothing back.
    #[error("nothing was approved; what you put off remains a draft, and git grill approve shows it again")]
    PutOff,
    /// The person stopped half-way, in a sentence: what stays, and the command that goes on.
    #[error("{0}")]
    Stopped(Cow<'static, str>),
    #[error("interrupted")]
    Interrupted,
    /// The same, told: what stays, and the command that goes on.
    #[error("interrupted; {0}")]
    InterruptedWith(Cow<'static, str>),
    /// It could be done, and is not: something would be lost or broken by it.
    #[error("{message}")]
    Declined {
        code: &'static str,
        message: String,
        /// Why, one a line.
        causes: Vec<String>,
        hint: String,
    },
    /// The checkpoint changed since the text that an update was made from, in the same place.
    #[error("the checkpoint was not changed: since the text that this was made from it changed in the same place")]
    CheckpointMoved {
        version: String,
        /// The authors of the change and their changes, one cause a line.
        causes: Vec<String>,
    },
    /// The repository, files, configuration or another program failed.
    #[error("{message}")]
    Environment {
        code: &'static str,
        message: String,
        /// Why, one a line.
        causes: Vec<String>,
        hint: Option<String>,
    },
    /// Who reads our output went away.
    #[error("the reader of the output went away")]
    ReaderGone,
}

impl From<interview::Refusal> for AppError {
    fn from(refusal: interview::Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<production::Refusal> for AppError {
    fn from(refusal: production::Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<TrackerError> for AppError {
    fn from(error: TrackerError) -> Self {
        let (code, hint) = (error.code(), Some(error.hint()));
        Self::Environment { code, message: error.to_string(), causes: Vec::new(), hint }
    }
}

impl AppError {
    /// The message as the reason of another one, which says itself what was not recorded.
    fn reason(&self) -> String {
        if let Self::Store(StoreError::Unsigned { what, .. }) = self { what.clone() } else { self.to_string() }
    }

    /// The refusal of the interview, if it is one.
    pub fn interview(&self) -> Option<&interview::Refusal> {
        if let Self::Refused(refusal) = self { refusal.interview() } else { None }
    }

    /// The refusal of production, if it is one.
    pub fn production(&self) -> Option<&production::Refusal> {
        if let Self::Refused(refusal) = self { refusal.production() } else { None }
    }

    /// Whether the rules said no because what was shown has changed since.
    fn is_overtaken(&self) -> bool {
        use crate::domain::interview::Refusal::{CheckpointMoved, QuestionGone};
        use crate::domain::production::Refusal::{DraftChanged, RequestChanged};

        matches!(self.interview(), Some(QuestionGone { .. } | CheckpointMoved))
            || matches!(self.production(), Some(DraftChanged { .. } | RequestChanged))
    }

    /// Whether the wish was right when it was made, and is not any more, as we were told from outside.
    pub fn came_late(&self) -> bool {
        matches!(self, Self::Outside(told) if told.timing == Timing::Late)
    }

    /// Whether a full disk is the cause.
    pub fn lacks_room(&self) -> bool {
        matches!(self, Self::Store(error) if error.lacks_room())
    }

    /// The exit code (DESIGN section 7).
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoSession
            | Self::Store(StoreError::NoSuchSession(_))
            | Self::Declined { code: "session_not_found" | "no_session", .. } => 6,
            Self::CheckpointMoved { .. }
            | Self::Contended(_)
            | Self::Write(WriteError::Changed { .. } | WriteError::Edited { .. })
            | Self::Baseline(BaselineError::Changed { .. })
            | Self::Store(StoreError::Busy { .. }) => 4,
            Self::Refused(_) if self.is_overtaken() => 4,
            Self::Refused(Refusal::ApprovalRequired { .. }) | Self::NeedsPerson { .. } => 3,
            // What somebody wrote is wrong, as a command line can be.
            Self::EditKept { because, .. }
                if matches!(because.production(), Some(production::Refusal::BadIssue { .. })) =>
            {
                2
            }
            Self::Refused(_)
            | Self::Write(WriteError::Leads { .. })
            | Self::Declined { .. }
            | Self::Store(StoreError::ActiveElsewhere { .. } | StoreError::RunWrites { .. })
            | Self::Baseline(BaselineError::None { .. }) => 1,
            Self::Usage { .. } | Self::Store(StoreError::NoSuchVersion { .. } | StoreError::TooLarge { .. }) => 2,
            // The reply was right when it was written.
            Self::ReplyKept { because, .. } if because.came_late() || matches!(**because, Self::Refused(_)) => 4,
            Self::ReplyKept { because, .. } | Self::ReplyLost { because } | Self::EditKept { because, .. } => {
                because.exit_code()
            }
            Self::Outside(told) => told.exit,
            Self::Cancelled(_) | Self::PutOff | Self::Stopped(_) => 5,
            Self::Store(_) | Self::Write(_) | Self::Baseline(_) | Self::Environment { .. } => 128,
            Self::Interrupted | Self::InterruptedWith(_) => 130,
            Self::ReaderGone => 141,
        }
    }

    /// The code that machines compare.
    pub fn code(&self) -> &str {
        match self {
            Self::Outside(told) => &told.code,
            Self::Refused(refusal) => refusal.code(),
            Self::ReplyKept { because, .. } | Self::ReplyLost { because } | Self::EditKept { because, .. } => {
                because.code()
            }
            Self::Store(error) => error.code(),
            Self::Write(WriteError::Changed { .. } | WriteError::Edited { .. }) => "target_changed",
            Self::Write(WriteError::Leads { .. }) => "makes_programs_run",
            Self::Write(WriteError::Unsafe { .. }) => "target_unsafe",
            Self::Write(WriteError::Io { .. }) => "target_io",
            Self::Baseline(BaselineError::None { .. }) => "no_baseline",
            Self::Baseline(BaselineError::Lost { .. }) => "baseline_lost",
            Self::Baseline(BaselineError::Elsewhere { .. }) => "baseline_elsewhere",
            Self::Baseline(BaselineError::Unreadable { .. }) => "baseline_unreadable",
            Self::Baseline(BaselineError::Changed { .. }) => "changed_meanwhile",
            Self::Baseline(BaselineError::Failed { .. }) => "baseline",
            Self::Usage { .. } => "usage",
            Self::CheckpointMoved { .. } => CHECKPOINT_MOVED,
            Self::NoSession => "no_session",
            Self::NeedsPerson { .. } => "needs_person",
            Self::Contended(_) => "contended",
            Self::Cancelled(_) | Self::PutOff | Self::Stopped(_) => "cancelled",
            Self::Interrupted | Self::InterruptedWith(_) => "interrupted",
            Self::Environment { code, .. } | Self::Declined { code, .. } => code,
            Self::ReaderGone => "reader_gone",
        }
    }

    /// What lies behind the message, one cause a line.
    pub fn causes(&self) -> Vec<String> {
        if let Self::Environment { causes, .. }
        | Self::Declined { causes, .. }
        | Self::CheckpointMoved { causes, .. }
        | Self::Outside(NotRecorded { causes, .. }) = self
        {
            return causes.clone();
        }
        let mut causes = Vec::new();
        // `Store` and `Write` repeat their inner error's sentence, so the causes begin below it.
        let mut source = match self {
            Self::Store(error) => error.source(),
            Self::Write(error) => error.source(),
            Self::Baseline(error) => error.source(),
            Self::ReplyKept { because, .. } | Self::ReplyLost { because } | Self::EditKept { because, .. } => {
                return because.causes();
            }
            Self::Refused(_)
            | Self::Outside(_)
            | Self::Usage { .. }
            | Self::NoSession
            | Self::NeedsPerson { .. }
            | Self::Contended(_)
            | Self::Cancelled(_)
            | Self::PutOff
            | Self::Stopped(_)
            | Self::Interrupted
            | Self::InterruptedWith(_)
            | Self::Declined { .. }
            | Self::CheckpointMoved { .. }
            | Self::Environment { .. }
            | Self::ReaderGone => None,
        };
        while let Some(cause) = source {
            causes.push(cause.to_string());
            source = cause.source();
        }
        causes
    }

    /// A command that can be typed, where one helps.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Refused(refusal) => Some(refusal.hint()),
            Self::ReplyKept { because, .. } => {
                let first = because.hint().map(|hint| format!("{hint}; ")).unwrap_or_default();
                Some(format!("{first}your text comes back as the draft of the next reply to that question"))
            }
            Self::ReplyLost { because } => {
                let first = because.hint().unwrap_or_else(|| "mend that".to_owned());
                Some(format!("{first}, then send the reply again: nothing of it is left here"))
            }
            Self::EditKept { because, kept, .. } => because.after_an_edit(&kept.display().to_string()),
            Self::Store(error) => error.hint(),
            Self::Write(WriteError::Changed { .. }) => {
                Some("git grill draft shows it against the file as it is now; approve that".to_owned())
            }
            Self::Write(WriteError::Edited { path, written, again, open }) => {
                let keep = if *open { "; git grill finish keeps the file as it is now" } else { "" };
                Some(format!(
                    "git cat-file blob {written} > \"$(git rev-parse --show-cdup)\"{} brings back what was written, \
                     without what was changed since, and {again} takes that back{keep}",
                    quoted(path.as_str())
                ))
            }
            Self::Write(WriteError::Leads { to, .. }) => Some(format!(
                "name another file; or a person types the one that it leads to at a terminal: git grill select <output> \
                 --path {}",
                word(to.as_str())
            )),
            Self::Baseline(error) => error.hint().map(str::to_owned),
            Self::Write(_) => Some("mend that, then git grill produce; the approval stays".to_owned()),
            Self::Usage { hint, .. } | Self::NeedsPerson { hint, .. } | Self::Declined { hint, .. } => {
                Some(hint.clone())
            }
            Self::NoSession => {
                Some("git grill start \"<topic>\" begins one; git grill sessions lists earlier ones".to_owned())
            }
            Self::CheckpointMoved { .. } => {
                Some("git grill checkpoint show prints the current text; make the change again in it".to_owned())
            }
            Self::Contended(_) => Some("try again".to_owned()),
            Self::Cancelled(_)
            | Self::PutOff
            | Self::Stopped(_)
            | Self::Interrupted
            | Self::InterruptedWith(_)
            | Self::ReaderGone => None,
            Self::Environment { hint, .. } | Self::Outside(NotRecorded { hint, .. }) => hint.clone(),
        }
    }
}

impl StoreError {
    /// The code that machines compare.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchSession(_) => "no_such_session",
            Self::NewerFormat { .. } => "newer_format",
            Self::Corrupt { .. } => "corrupt",
            Self::ActiveElsewhere { .. } => "active_elsewhere",
            Self::NoSuchVersion { .. } => "no_such_version",
            Self::Busy { .. } => "busy",
            Self::RunWrites { .. } => "run_writes",
            Self::Io { .. } => "io",
            Self::Git { .. } => "git",
            Self::Unsigned { .. } => "signing_failed",
            Self::TooLarge { .. } => "too_large",
            Self::BadPointer { .. } => "bad_pointer",
            Self::View { .. } => "view",
        }
    }
}

/// The error of a prompt that ended without an answer to `deed`.
pub fn not_answered(deed: &'static str) -> impl Fn(Unanswered) -> AppError {
    move |unanswered| match unanswered {
        Unanswered::Cancelled { .. } => AppError::Cancelled(deed),
        Unanswered::Interrupted { .. } => AppError::Interrupted,
        Unanswered::Unavailable(why) => AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: why.to_owned(),
            hint: "run it at a terminal".to_owned(),
        },
        // The conversation sets no limit.
        Unanswered::TimedOut { .. } => AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: "nobody answered in time".to_owned(),
            hint: "git grill next asks again".to_owned(),
        },
        Unanswered::Lost { .. } => AppError::NeedsPerson {
            deed: deed.to_owned(),
            why: "the terminal went away".to_owned(),
            hint: "git grill next asks again".to_owned(),
        },
    }
}

/// The error of something that was not done because of the tracker: `what` says what was not, as a whole sentence.
pub fn not_done_there(what: impl Into<String>) -> impl FnOnce(TrackerError) -> AppError {
    let message = what.into();
    |error| AppError::Environment {
        code: error.code(),
        message,
        causes: vec![error.to_string()],
        hint: Some(error.hint()),
    }
}

/// Error that lists the grants of a session that do not count in this clone.
pub fn not_granted_here(lapse: &Lapse) -> AppError {
    let hint = if lapse.gate.is_some() {
        "git grill approve, at a terminal, approves the outputs that wait"
    } else {
        "git grill status shows what counts in this clone"
    };
    let (message, hint) = (lapse.in_words(), hint.to_owned());
    AppError::Declined { code: "not_granted_here", message, causes: Vec::new(), hint }
}

/// The request was recorded; only a person can grant it.
pub fn waits_for_a_person(actor: &Actor, deed: &'static str) -> AppError {
    AppError::Refused(Refusal::ApprovalRequired { deed, by: actor.clone(), command: APPROVE })
}
