//! What is found when a repository is examined: each finding says what, why it matters, and what mends it.

use crate::domain::ids::SessionId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something is left over or weaker than it should be.
    Warning,
    /// What was promised does not hold, or git is kept from working.
    Error,
}

impl Severity {
    /// The word for people and machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $word:literal),+ $(,)?) => {
        /// What kind of finding it is. A new one needs a row in the tests' table, where it is made, read and mended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $code),+ }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// The word that machines compare.
            pub fn word(self) -> &'static str {
                match self { $(Self::$code => $word),+ }
            }
        }
    };
}

codes! {
    /// A session's newest commit cannot be read.
    SessionUnreadable = "session_unreadable",
    /// A session has no ref any more.
    SessionGone = "session_gone",
    /// A newer git grill wrote a session.
    NewerFormat = "newer_format",
    /// An earlier commit, or something in it, cannot be read.
    CommitUnreadable = "commit_unreadable",
    /// The events of a commit do not lead to its state.
    ReplayDiffers = "replay_differs",
    /// The numbers of the events do not go on.
    SeqGap = "seq_gap",
    /// A commit has other parents than the one before it.
    Parents = "parents",
    /// A message says something else than its tree.
    Trailers = "trailers",
    /// More commits of one session have flaws than are named.
    More = "more",
    /// A reflog names a commit with a hole in it.
    ReflogEntry = "reflog_entry",
    /// A worktree's pointer names no session.
    BadPointer = "bad_pointer",
    /// A worktree's pointer names a session that is over.
    PointerEnded = "pointer_ended",
    /// A lock of a ref or pointer of ours that nobody holds.
    StaleLock = "stale_lock",
    /// A ref file that git does not see.
    StrayRef = "stray_ref",
    /// A lock of git's own that nobody seems to hold.
    GitLock = "git_lock",
    /// A named pipe or the like where git opens a file.
    NotAFile = "not_a_file",
    /// A file that was written and committed, and whose content the index has lost.
    IndexEmptied = "index_emptied",
    /// A file that was written, and that is staged and not committed.
    WrittenStaged = "written_staged",
    /// Written files of which only some were taken back.
    HalfUndone = "half_undone",
    /// The git directory cannot be written.
    NotWritable = "not_writable",
    /// What says which locks the fence holds cannot be read.
    FenceRecord = "fence_record",
    /// A fence whose session cannot be read.
    FenceUnknown = "fence_unknown",
    /// A fence whose session is over.
    FenceLeft = "fence_left",
    /// A fence that is up while the output is produced.
    FenceUp = "fence_up",
    /// Locks of a fence are missing.
    FenceGaps = "fence_gaps",
    /// A lock of a fence that is on no record.
    FenceUnrecorded = "fence_unrecorded",
    /// What says which hooks are ours cannot be read.
    HookRecord = "hook_record",
    /// The worktree was moved, and git looks for it where it was.
    WorktreeMoved = "worktree_moved",
    /// No hook guards an active session.
    HooksMissing = "hooks_missing",
    /// Hooks that guard nothing.
    HooksLeft = "hooks_left",
    /// A hook that git does not ask.
    HookBroken = "hook_broken",
    /// A hook of ours that is on no record.
    HookUnrecorded = "hook_unrecorded",
    /// Somebody's hook that nobody runs.
    HookNotCalled = "hook_not_called",
    /// The program that the hooks run is gone.
    ProgramGone = "program_gone",
    /// It was gone once while a session was active.
    ProgramWasGone = "program_was_gone",
    /// A snapshot of the working tree of which objects are missing.
    BaselineBroken = "baseline_broken",
    /// The ref of an active session's baseline does not lead to it any more.
    BaselineLost = "baseline_lost",
    /// A file of a process that is gone.
    LeftOver = "left_over",
    /// A text that was typed in an editor and is not recorded.
    KeptText = "kept_text",
    /// A key below `grill` that nobody reads.
    UnknownKey = "unknown_key",
    /// A refspec by which a fetch overwrites sessions.
    ForcedRefspec = "forced_refspec",
    NotExamined = "not_examined",
    NotMended = "not_mended",
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mend {
    /// `git grill doctor --fix` does it.
    Fix,
    /// Commands that somebody has to type: each of them is a way out, the best first.
    Typed(Vec<String>),
    /// Nothing that is known.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    /// What was found, in one lower-case sentence without a full stop.
    pub what: String,
    /// Why it matters, likewise.
    pub why: String,
    pub mend: Mend,
    /// A command that shows it and changes nothing.
    pub show: Option<String>,
    pub session: Option<SessionId>,
}

impl Finding {
    /// One that nothing is known to mend.
    pub fn new(code: Code, severity: Severity, what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { code, severity, what: what.into(), why: why.into(), mend: Mend::Nothing, show: None, session: None }
    }

    /// The same where `git grill doctor --fix` mends it.
    #[must_use]
    pub fn fixable(self) -> Self {
        Self { mend: Mend::Fix, ..self }
    }

    /// The same where each of these commands is a way out.
    #[must_use]
    pub fn typed<const N: usize>(self, commands: [String; N]) -> Self {
        Self { mend: Mend::Typed(commands.into()), ..self }
    }

    #[must_use]
    pub fn shown_by(self, command: impl Into<String>) -> Self {
        Self { show: Some(command.into()), ..self }
    }

    #[must_use]
    pub fn of(self, id: &SessionId) -> Self {
        Self { session: Some(id.clone()), ..self }
    }
}

/// Something that this machine can or cannot do for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    pub name: &'static str,
    /// How it stands, in a few words.
    pub state: String,
    /// What that means; empty where it needs no explanation.
    pub meaning: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// What is there now, the worst first.
    pub findings: Vec<Finding>,
    /// What was there before it was mended just now.
    pub mended: Vec<Finding>,
    /// What was done to mend it, in sentences.
    pub done: Vec<String>,
    /// How much was looked at commit by commit; none where only the newest commits were.
    pub walked: Option<Walked>,
    pub abilities: Vec<Ability>,
}

impl Examination {
    /// The worst that is left.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// How much of the sessions' histories was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    pub sessions: usize,
    pub commits: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Histories<'a> {
    All,
    Of(&'a SessionId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    Look,
    Fix,
}
