//! Walks through a script: every command in it, wherever it stands, must be known to be read-only.

use super::allowed::Allowed;
use super::place::Places;
use super::reader::Reader;
use super::scope::Scope;
use super::script::{Assigned, Assignment, Redirected, Redirection, Script, Simple, Spelled, Statement};
use super::word::{Shape, Word};
use super::{Refused, builtins, characters, comparison, tree, variables};
use crate::policy::commands::{self, Inner, Scene};
use crate::policy::quote::quoted;
use crate::policy::surroundings::{Program, Surroundings};

/// How deep commands may run commands: `sh -c`, `xargs`, backquotes.
const MAX_INNER: usize = 12;

/// The walk and what it knows at this point.
pub(super) struct Judge<'a> {
    allowed: &'a Allowed,
    around: &'a dyn Surroundings,
    places: Places,
    inner: usize,
}

impl<'a> Judge<'a> {
    pub(super) fn new(allowed: &'a Allowed, around: &'a dyn Surroundings) -> Self {
        Self { allowed, around, places: Places::start(), inner: 0 }
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), Refused> {
        self.deeper(text, |judge| {
            characters::check(text)?;
            let mut reader = Reader::new(text);
            let script = reader.script()?;
            let walk = Walk { text, scope: Scope::of(&script, &reader.aside) };
            walk.script(judge, &script)?;
            for script in &reader.aside {
                walk.script(judge, script)?;
            }
            for script in &reader.aside_backquoted {
                judge.text(script)?;
            }
            tree::agrees(text, &reader.commands, &reader.breaks)
        })
    }

    pub(super) fn argv(&mut self, argv: &[Word]) -> Result<(), Refused> {
        self.deeper(&builtins::join(argv), |judge| judge.command(argv))
    }

    fn command(&mut self, argv: &[Word]) -> Result<(), Refused> {
        let name = match argv.first() {
            None => return Ok(()),
            Some(name) => self.name_of(name)?,
        };
        if self.allowed.covers(argv) {
            return Ok(());
        }
        let by_path = argv[0].text.contains('/');
        let argv: Vec<Word> = std::iter::once(Word::literal(name)).chain(argv[1..].iter().cloned()).collect();
        if let Some(verdict) = builtins::judge(self, &argv) {
            return verdict;
        }
        if !by_path {
            self.is_not_shadowed(name)?;
        }
        let (argv, places) = self.at_home(&argv);
        let scene = Scene { places, allowed: self.allowed, around: self.around };
        commands::judge(&argv, &scene, &mut |inner, scene| self.in_scene(scene, inner))
    }

    /// Judges what a command runs, where it runs it.
    fn in_scene(&mut self, scene: &Scene<'_>, inner: Inner<'_>) -> Result<(), Refused> {
        let before = std::mem::replace(&mut self.places, scene.places.clone());
        let verdict = match inner {
            Inner::Argv(words) => self.argv(words),
            Inner::Script(script) => self.text(script),
        };
        self.places = before;
        verdict
    }

    /// The name of the command: plain, or the path of a program that came with the system.
    fn name_of<'w>(&self, word: &'w Word) -> Result<&'w str, Refused> {
        let not_plain = || {
            let why = "the name of the command is not written out plainly, so it may be any command";
            Refused::new(&word.text, why)
        };
        let text = word.known().ok_or_else(not_plain)?;
        if is_command_name(text) {
            return Ok(text);
        }
        if !text.contains('/') {
            return Err(not_plain());
        }
        let name = of_the_system(text).ok_or_else(|| at_a_path(text))?;
        match self.around.program(text) {
            Program::System => Ok(name),
            Program::Elsewhere => {
                Err(Refused::new(text, format!("type `{name}`: `{text}` did not come with the system")))
            }
        }
    }

    /// A `PATH` with a folder that is not absolute finds programs of the repository.
    fn is_not_shadowed(&self, name: &str) -> Result<(), Refused> {
        let found = self.places.folders().find_map(|folder| self.around.shadowed(folder, name));
        found.map_or(Ok(()), |program| {
            let why = format!("ask the person to make PATH absolute: here it finds {} for `{name}`", quoted(&program));
            Err(Refused::new(name, why))
        })
    }

    /// The command without `-C` when that names a folder of this repository by its whole path, and where it then runs.
    fn at_home(&self, argv: &[Word]) -> (Vec<Word>, Places) {
        if let [git, option, folder, rest @ ..] = argv
            && matches!((git.known(), option.known()), (Some("git"), Some("-C")))
            && (folder.shape == Shape::Unknown || folder.text.starts_with('/'))
        {
            let there = self.places.below(folder, self.allowed);
            if !there.is_elsewhere() {
                return (std::iter::once(git).chain(rest).cloned().collect(), there);
            }
        }
        (argv.to_vec(), self.places.clone())
    }

    /// The next command runs somewhere else.
    pub(super) fn leave(&mut self) {
        self.places.leave();
    }

    /// The next command runs where `cd` leads.
    pub(super) fn go(&mut self, target: &Word) {
        self.places.go(target, self.allowed);
    }

    fn deeper(&mut self, part: &str, judge: impl FnOnce(&mut Self) -> Result<(), Refused>) -> Result<(), Refused> {
        if self.inner == MAX_INNER {
            return Err(Refused::new(part, "too many commands run each other"));
        }
        self.inner += 1;
        let verdict = judge(self);
        self.inner -= 1;
        verdict
    }
}

/// Names are letters, digits and a little more: no path, no quotes, nothing that expands.
fn is_command_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '[' | ':');
    !text.is_empty() && text.chars().all(plain)
}

/// The directories where only the system puts programs. Not `/usr/local/bin`: on many machines a user owns it.
const FOLDERS: [&str; 4] = ["/bin", "/sbin", "/usr/bin", "/usr/sbin"];

/// The name of the program at a path where only the system puts programs.
fn of_the_system(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    (FOLDERS.contains(&folder) && is_command_name(name)).then_some(name)
}

/// Refuses a program at another path, and names it without the path if the guard knows a command of that name.
fn at_a_path(path: &str) -> Refused {
    let name = path.rsplit_once('/').filter(|(folder, _)| folder.starts_with('/')).map(|(_, name)| name);
    let instead = match name.filter(|name| is_command_name(name) && commands::is_known(name)) {
        Some(name) => format!("; type `{name}` without the path"),
        None => String::new(),
    };
    Refused::new(path, format!("the guard knows a program by its path only in {}{instead}", FOLDERS.join(", ")))
}

/// The walk through one text.
struct Walk<'s> {
    text: &'s str,
    scope: Scope,
}

impl Walk<'_> {
    fn script(&self, judge: &mut Judge<'_>, script: &Script) -> Result<(), Refused> {
        script.iter().try_for_each(|statement| self.statement(judge, statement))
    }

    fn statement(&self, judge: &mut Judge<'_>, statement: &Statement) -> Result<(), Refused> {
        match statement {
            Statement::Simple(simple) => self.simple(judge, simple),
            Statement::Condition { tokens, span } => {
                for token in tokens {
                    if let super::script::Token::Word(word) = token {
                        self.spelled(judge, word)?;
                    }
                }
                let certain = |spelled: &Spelled| self.scope.word(spelled);
                comparison::judge_tokens(tokens, &self.text[span.clone()], &certain)
            }
            Statement::Group { body, redirections } => {
                self.redirections(judge, redirections)?;
                self.script(judge, body)
            }
            Statement::Loop { variable, words, body, redirections } => {
                if let Some(name) = variable.as_deref().filter(|name| !variables::is_own(name)) {
                    return Err(Refused::new(name, "setting this variable may change what other commands do"));
                }
                self.redirections(judge, redirections)?;
                words.iter().try_for_each(|word| self.spelled(judge, word))?;
                let before = judge.places.clone();
                self.script(judge, body)?;
                // The second time round the body begins where the first time ended.
                if judge.places == before { Ok(()) } else { self.again(judge, body) }
            }
            Statement::Case { words, body, redirections } => {
                self.redirections(judge, redirections)?;
                words.iter().try_for_each(|word| self.spelled(judge, word))?;
                self.script(judge, body)
            }
        }
    }

    /// A loop that changes the folder may go anywhere before it ends.
    fn again(&self, judge: &mut Judge<'_>, body: &Script) -> Result<(), Refused> {
        judge.leave();
        self.script(judge, body)
    }

    fn simple(&self, judge: &mut Judge<'_>, simple: &Simple) -> Result<(), Refused> {
        for assignment in &simple.assignments {
            assignment.values.iter().try_for_each(|value| self.spelled(judge, value))?;
        }
        simple.words.iter().try_for_each(|word| self.spelled(judge, word))?;
        self.redirections(judge, &simple.redirections)?;
        let name = simple.words.first();
        for assignment in &simple.assignments {
            self.assignment(assignment, name)?;
        }
        let Some(name) = name else {
            return Ok(());
        };
        if self.text[name.span.clone()] != name.word.text {
            let part = &self.text[name.span.clone()];
            return Err(Refused::new(part, "the name of the command is not written plainly"));
        }
        let argv: Vec<Word> = simple.words.iter().map(|spelled| self.scope.word(spelled)).collect();
        judge.argv(&argv)
    }

    fn assignment(&self, assignment: &Assignment, command: Option<&Spelled>) -> Result<(), Refused> {
        let name = assignment.name.as_str();
        let harmless = match (assignment.kind, assignment.values.as_slice()) {
            (Assigned::Word, [value]) => {
                let splits_a_line = name == "IFS" && command.and_then(|word| word.word.known()) == Some("read");
                variables::is_harmless(name, &value.word) || (splits_a_line && value.word.known().is_some())
            }
            (Assigned::Word | Assigned::Array | Assigned::More, _) => false,
        };
        if harmless || (command.is_none() && variables::is_own(name)) {
            return Ok(());
        }
        let part = &self.text[assignment.span.clone()];
        Err(Refused::new(part, format!("setting `{name}` may change what commands do")))
    }

    fn redirections(&self, judge: &mut Judge<'_>, redirections: &[Redirection]) -> Result<(), Refused> {
        for redirection in redirections {
            self.spelled(judge, &redirection.target)?;
            let target = &redirection.target.word;
            let text = target.known();
            let harmless = match redirection.kind {
                Redirected::Text => true,
                Redirected::Input => !text.is_some_and(is_network),
                Redirected::InputCopy => text.is_some_and(is_descriptor),
                Redirected::Output => text.is_some_and(is_sink),
                Redirected::OutputCopy => text.is_some_and(|text| is_descriptor(text) || is_sink(text)),
            };
            if !harmless {
                let part = &self.text[redirection.span.clone()];
                return Err(Refused::new(part, redirected_why(redirection.kind, target)));
            }
        }
        Ok(())
    }

    fn spelled(&self, judge: &mut Judge<'_>, spelled: &Spelled) -> Result<(), Refused> {
        spelled.scripts.iter().try_for_each(|script| self.script(judge, script))?;
        spelled.backquoted.iter().try_for_each(|script| judge.text(script))
    }
}

fn redirected_why(kind: Redirected, target: &Word) -> String {
    let text = &target.text;
    match kind {
        Redirected::Output | Redirected::OutputCopy if is_reopened(text) => {
            format!("`{text}` writes over the file behind it; write `>&2` or `>&1`")
        }
        Redirected::Output | Redirected::OutputCopy => format!("writes to the file `{text}`"),
        Redirected::Input => format!("opens a connection to `{text}`"),
        Redirected::InputCopy | Redirected::Text => format!("`{text}` is no number of an open file"),
    }
}

/// The file that keeps nothing. `/dev/stdout`, `/dev/stderr` and `/dev/fd/3` are none: opened by name, the file behind the
/// descriptor is opened anew, for writing, also where it was open for reading only.
fn is_sink(target: &str) -> bool {
    target == "/dev/null"
}

/// A name under which an open descriptor is opened anew.
fn is_reopened(target: &str) -> bool {
    matches!(target, "/dev/stdout" | "/dev/stderr" | "/dev/stdin") || target.starts_with("/dev/fd/")
}

/// `1` or `-`; zsh takes bash's `1-` for the name of a file.
fn is_descriptor(target: &str) -> bool {
    matches!(target.as_bytes(), [b'-' | b'0'..=b'9'])
}

/// bash opens sockets under these names.
fn is_network(path: &str) -> bool {
    path.starts_with("/dev/tcp") || path.starts_with("/dev/udp") || path.contains("//")
}
