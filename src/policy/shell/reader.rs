//! Reads a script: lists, pipelines and what stands between commands. Strict where shells differ: whatever bash, zsh
//! and the plain POSIX shells would not all read in the same way is refused here.

use std::ops::Range;

use super::Refused;
use super::heredoc::Pending;
use super::script::{Script, Statement};
use super::spelling::Parts;

/// How deep commands may be nested in each other.
const MAX_DEPTH: usize = 40;
/// The longest part that a refusal quotes of something that could not be read.
const QUOTED: usize = 60;

/// Words that are no commands.
const RESERVED: &[&str] = &[
    "if",
    "then",
    "elif",
    "else",
    "fi",
    "for",
    "while",
    "until",
    "do",
    "done",
    "case",
    "esac",
    "in",
    "{",
    "}",
    "!",
    "[[",
    "]]",
    "select",
    "function",
    "coproc",
    "repeat",
    "foreach",
    "end",
    "always",
    "nocorrect",
    "noglob",
];

pub(super) struct Reader<'s> {
    pub(super) text: &'s str,
    pub(super) at: usize,
    depth: usize,
    /// How many `$(` and `<(` are open.
    pub(super) substitutions: usize,
    /// Here-documents whose text comes with the next line.
    pub(super) pending: Vec<Pending>,
    /// An outer here-document waits for its text; a line break inside would begin it in some shells.
    pub(super) outer_pending: bool,
    /// What texts of here-documents run.
    pub(super) aside: Vec<Script>,
    /// The same between backquotes.
    pub(super) aside_backquoted: Vec<String>,
    /// Where commands begin, to be compared with another reading.
    pub(super) commands: Vec<usize>,
    /// Line breaks between commands of the whole script, none of them before the text of a here-document.
    pub(super) breaks: Vec<usize>,
}

/// What ends a list.
#[derive(Clone, Copy)]
pub(super) enum Until<'a> {
    End,
    /// `)`.
    Parenthesis,
    /// One of these words where a command would begin.
    Words(&'a [&'a str]),
    /// `;;` or `esac`.
    CaseItem,
}

impl<'s> Reader<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            substitutions: 0,
            pending: Vec::new(),
            outer_pending: false,
            aside: Vec::new(),
            aside_backquoted: Vec::new(),
            commands: Vec::new(),
            breaks: Vec::new(),
        }
    }

    pub(super) fn script(&mut self) -> Result<Script, Refused> {
        let script = self.list(Until::End)?;
        if !self.pending.is_empty() {
            return Err(self.stuck("the text of a here-document is missing"));
        }
        Ok(script)
    }

    /// Reads commands up to what ends them, which is left standing.
    pub(super) fn list(&mut self, until: Until<'_>) -> Result<Script, Refused> {
        self.deeper(|reader| {
            let mut script = Script::new();
            loop {
                reader.gap()?;
                if reader.ends(until) {
                    return Ok(script);
                }
                if reader.at == reader.text.len() {
                    return Err(reader.stuck("the command is not complete"));
                }
                reader.chain(&mut script)?;
                reader.blanks();
                if matches!(until, Until::End) && reader.rest().starts_with('\n') && reader.pending.is_empty() {
                    reader.breaks.push(reader.at);
                }
                match reader.rest().as_bytes() {
                    [] | [b'\n' | b')' | b'#', ..] | [b';', b';', ..] => {}
                    [b';', b'&' | b'|', ..] => return Err(reader.stuck("shells read this separator differently")),
                    [b'&', b'!' | b'|' | b'>' | b'&', ..] => {
                        return Err(reader.stuck("zsh reads this separator differently"));
                    }
                    [b';' | b'&', ..] => reader.at += 1,
                    _ => return Err(reader.stuck("it cannot be read with certainty")),
                }
            }
        })
    }

    fn ends(&self, until: Until<'_>) -> bool {
        match until {
            Until::End => self.at == self.text.len(),
            Until::Parenthesis => self.rest().starts_with(')'),
            Until::Words(words) => words.contains(&self.bare_word()),
            Until::CaseItem => self.rest().starts_with(";;") || self.bare_word() == "esac",
        }
    }

    /// Pipelines joined by `&&` and `||`.
    fn chain(&mut self, script: &mut Script) -> Result<(), Refused> {
        loop {
            self.pipeline(script)?;
            self.blanks();
            if !(self.rest().starts_with("&&") || self.rest().starts_with("||")) {
                return Ok(());
            }
            self.at += 2;
            self.gap()?;
        }
    }

    fn pipeline(&mut self, script: &mut Script) -> Result<(), Refused> {
        if self.bare_word() == "!" {
            self.at += 1;
            self.blanks();
        }
        loop {
            let statement = self.statement()?;
            script.push(statement);
            self.blanks();
            match self.rest().as_bytes() {
                [b'|', b'|', ..] => return Ok(()),
                [b'|', b'&', b'!' | b'|' | b'>', ..] => return Err(self.stuck("it cannot be read with certainty")),
                [b'|', b'&', ..] => self.at += 2,
                [b'|', ..] => self.at += 1,
                _ => return Ok(()),
            }
            self.gap()?;
        }
    }

    fn statement(&mut self) -> Result<Statement, Refused> {
        let word = self.bare_word();
        match word {
            "if" => self.conditional(),
            "while" | "until" => self.repetition(),
            "for" => self.each(),
            "case" => self.case(),
            "{" => self.group(),
            "[[" => self.condition(),
            "" if self.rest().starts_with("((") => Err(self.stuck("arithmetic may run what a variable holds")),
            "" if self.rest().starts_with('(') => self.subshell(),
            "function" | "select" | "coproc" | "repeat" | "foreach" | "noglob" | "nocorrect" => {
                Err(self.stuck(&format!("`{word}` is not known to be read-only")))
            }
            _ if RESERVED.contains(&word) => Err(self.stuck(&format!("`{word}` is not expected here"))),
            _ => self.simple().map(Statement::Simple),
        }
    }

    /// The reserved-looking word at this place: everything up to what ends a word, unless it contains quotes.
    pub(super) fn bare_word(&self) -> &'s str {
        let rest = self.rest();
        let end = rest.find(|c: char| " \t\n;&|()<>".contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes the word, which must be this one.
    pub(super) fn keyword(&mut self, word: &str) -> Result<(), Refused> {
        if self.bare_word() != word {
            return Err(self.stuck(&format!("`{word}` is expected here")));
        }
        self.at += word.len();
        Ok(())
    }

    pub(super) fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    /// The byte at this place, `0` at the end; the text contains no such byte.
    pub(super) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Skips blanks and continued lines.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.rest().as_bytes() {
                [b' ' | b'\t', ..] => self.at += 1,
                [b'\\', b'\n', ..] => self.at += 2,
                _ => return,
            }
        }
    }

    /// Skips what may stand between commands: blanks, line breaks, comments.
    pub(super) fn gap(&mut self) -> Result<(), Refused> {
        loop {
            self.blanks();
            match self.peek() {
                b'\n' => self.line_break()?,
                b'#' => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Refused> {
        let comment = self.rest().lines().next().unwrap_or_default();
        let before = self.text[..self.at].bytes().next_back();
        if !matches!(before, None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')')) {
            return Err(self.stuck("it cannot be read with certainty"));
        }
        // Older shells count quotes and parentheses in the comments of a substitution.
        if self.substitutions > 0 && comment.contains(['\'', '"', '`', '(', ')', '$']) {
            return Err(Refused::new(comment, "shells read this comment inside a substitution differently"));
        }
        self.at += comment.len();
        Ok(())
    }

    /// Takes a line break and the here-documents that begin behind it.
    fn line_break(&mut self) -> Result<(), Refused> {
        if self.outer_pending {
            return Err(self.stuck("shells disagree where this here-document begins"));
        }
        self.at += 1;
        self.heredoc_bodies()
    }

    /// Reads the inside of `$(`, `<(` or `(`, up to and with the closing parenthesis.
    pub(super) fn enclosed(&mut self) -> Result<Script, Refused> {
        let outer = std::mem::take(&mut self.pending);
        let waited = self.outer_pending;
        self.outer_pending = waited || !outer.is_empty();
        let script = self.list(Until::Parenthesis)?;
        if !self.pending.is_empty() {
            return Err(self.stuck("the text of a here-document is missing"));
        }
        self.at += 1;
        self.pending = outer;
        self.outer_pending = waited;
        Ok(script)
    }

    /// Keeps what a text runs that is no word of a command.
    pub(super) fn put_aside(&mut self, parts: Parts) {
        let (scripts, backquoted) = parts.into_scripts();
        self.aside.extend(scripts);
        self.aside_backquoted.extend(backquoted);
    }

    /// Goes one level deeper, if there is one.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Refused>) -> Result<T, Refused> {
        if self.depth == MAX_DEPTH {
            return Err(self.stuck("it is nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn stuck(&self, why: &str) -> Refused {
        let line = self.rest().trim_start().lines().next().unwrap_or_default();
        let part: String = line.chars().take(QUOTED).collect();
        Refused::new(if part.is_empty() { self.text.trim() } else { &part }, why)
    }

    pub(super) fn refuse(&self, span: Range<usize>, why: impl Into<String>) -> Refused {
        Refused::new(&self.text[span], why)
    }
}
