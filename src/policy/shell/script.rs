//! What a script consists of, as far as we read it. Whatever has no place here is refused while reading.

use std::ops::Range;

use super::word::Word;

/// Commands in the order in which they are written. Whether one runs depends on another; that all may run does not.
pub(super) type Script = Vec<Statement>;

/// One command, simple or compound.
#[derive(Debug)]
pub(super) enum Statement {
    /// A name and its arguments, or assignments alone.
    Simple(Simple),
    /// `[[ … ]]`.
    Condition { tokens: Vec<Token>, span: Range<usize> },
    /// `( … )` and `{ …; }`, and the branches of `if` one after the other.
    Group { body: Script, redirections: Vec<Redirection> },
    /// `while`, `until` and `for`: the body may run again after itself.
    Loop { variable: Option<String>, words: Vec<Spelled>, body: Script, redirections: Vec<Redirection> },
    /// `case`: its subject and patterns, and all branches.
    Case { words: Vec<Spelled>, body: Script, redirections: Vec<Redirection> },
}

#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<Assignment>,
    pub(super) words: Vec<Spelled>,
    pub(super) redirections: Vec<Redirection>,
    pub(super) span: Range<usize>,
}

/// `name=value`.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) name: String,
    /// One word; the elements of an array.
    pub(super) values: Vec<Spelled>,
    pub(super) kind: Assigned,
    pub(super) span: Range<usize>,
}

/// What a variable gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assigned {
    Word,
    Array,
    /// `+=`: what it had, and more.
    More,
}

/// A word, and what it would run on the way.
#[derive(Debug)]
pub(super) struct Spelled {
    pub(super) word: Word,
    pub(super) span: Range<usize>,
    /// Command and process substitutions in it.
    pub(super) scripts: Vec<Script>,
    /// Scripts between backquotes: read anew, since they have quoting rules of their own.
    pub(super) backquoted: Vec<String>,
}

/// A redirection that may be harmless.
#[derive(Debug)]
pub(super) struct Redirection {
    pub(super) kind: Redirected,
    pub(super) target: Spelled,
    pub(super) span: Range<usize>,
}

/// Which way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redirected {
    /// `<`.
    Input,
    /// `>`, `>>`, `>|`, `&>`, `&>>`.
    Output,
    /// `>&`: a descriptor, or a file.
    OutputCopy,
    /// `<&`.
    InputCopy,
    /// `<<<` and `<<`; the text is the target.
    Text,
}

/// What `[[ … ]]` is made of.
#[derive(Debug)]
pub(super) enum Token {
    Word(Spelled),
    /// What follows `=~`; made of harmless characters only.
    Regex,
    And,
    Or,
    Not,
    Open,
    Close,
}
