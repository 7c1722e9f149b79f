//! A command line, taken apart into options and operands as its sheet describes it.

use super::option::Kind;
use super::sheet::Entry;
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// An option that was given, and its value.
pub(super) struct Given {
    pub name: String,
    pub value: Option<Word>,
}

/// A command line taken apart; every option in it is allowed.
pub(super) struct Line<'a> {
    /// The command as far as it names what it does: `git branch`.
    pub command: &'a str,
    /// The options, in order.
    pub options: Vec<Given>,
    /// Everything else, in order.
    pub operands: Vec<&'a Word>,
    /// Commands that are run for what is found, with words that nothing is known about.
    pub commands: Vec<Vec<Word>>,
}

impl<'a> Line<'a> {
    /// Takes the words after the command's name apart.
    pub fn read(command: &'a str, entry: &Entry, words: &'a [Word]) -> Result<Self, Refused> {
        let mut reader = Reader {
            entry,
            words,
            at: 0,
            line: Line { command, options: Vec::new(), operands: Vec::new(), commands: Vec::new() },
        };
        if entry.has("any") {
            reader.line.operands.extend(words);
            return Ok(reader.line);
        }
        if entry.has("bundle") {
            reader.old_bundle()?;
        }
        let stop = entry.has("stop") || entry.has("sub") || entry.has("runs");
        while let Some(word) = words.get(reader.at) {
            reader.at += 1;
            match word.known() {
                Some("--") if !entry.has("whole") => {
                    reader.line.operands.extend(&words[reader.at..]);
                    break;
                }
                Some(text) if text.starts_with('-') && text != "-" => {
                    if entry.has("ordered") && !reader.line.operands.is_empty() {
                        let why = format!("versions of `{command}` read `{text}` behind other words differently");
                        return Err(Refused::new(text, why));
                    }
                    reader.option(text)?;
                }
                None if word.may_be_option() => match word.long_option() {
                    Some((name, value)) if !entry.has("ordered") || reader.line.operands.is_empty() => {
                        reader.valued(&word.text, name, entry.option(name), Some(value))?;
                    }
                    Some(_) | None => return Err(may_be_option(command, word)),
                },
                Some(_) | None => reader.line.operands.push(word),
            }
            if stop && !reader.line.operands.is_empty() {
                reader.line.operands.extend(&words[reader.at..]);
                break;
            }
        }
        Ok(reader.line)
    }

    pub fn has_one_of(&self, names: &str) -> bool {
        names.split_ascii_whitespace().any(|name| self.options.iter().any(|given| given.name == name))
    }

    /// The values of an option under its names, in order.
    pub fn values<'b>(&'b self, names: &'b [&str]) -> impl Iterator<Item = &'b Word> {
        self.options
            .iter()
            .filter(|given| names.contains(&given.name.as_str()))
            .filter_map(|given| given.value.as_ref())
    }
}

struct Reader<'a, 'b> {
    entry: &'b Entry,
    words: &'a [Word],
    at: usize,
    line: Line<'a>,
}

impl Reader<'_, '_> {
    fn option(&mut self, text: &str) -> Result<(), Refused> {
        if self.entry.option(text) == Some(Kind::Flag) {
            self.give(text, None);
            return Ok(());
        }
        if text.starts_with("--") || self.entry.has("whole") {
            return self.long(text);
        }
        for (at, letter) in text.char_indices().skip(1) {
            let name = format!("-{letter}");
            let attached = &text[at + letter.len_utf8()..];
            let number = attached.bytes().all(|byte| byte.is_ascii_digit());
            if !number && self.entry.has("apart") && self.entry.option(&name) != Some(Kind::Flag) {
                // The letters behind it are options, too, and the values follow in their order.
                return Err(unknown_option(self.line.command, &name, text));
            }
            match self.entry.option(&name) {
                Some(Kind::Flag) => self.give(&name, None),
                Some(Kind::Maybe) if attached.is_empty() => self.give(&name, None),
                kind => {
                    let attached = (!attached.is_empty()).then(|| Word::literal(attached));
                    return self.valued(text, &name, kind, attached);
                }
            }
        }
        Ok(())
    }

    fn long(&mut self, text: &str) -> Result<(), Refused> {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Word::literal(value))),
            None => (text, None),
        };
        match self.entry.option(name) {
            Some(Kind::Maybe) if attached.is_none() => self.give(name, None),
            kind => return self.valued(text, name, kind, attached),
        }
        Ok(())
    }

    /// An option that needs its value looked at, or that may not be given.
    fn valued(&mut self, text: &str, name: &str, kind: Option<Kind>, attached: Option<Word>) -> Result<(), Refused> {
        let command = self.line.command;
        let kind = kind.ok_or_else(|| unknown_option(command, name, text))?;
        if let Kind::No(why) = kind {
            return Err(Refused::new(text, format!("`{command} {name}` {why}")));
        }
        if kind == Kind::Flag {
            // `--flag=value` is another option than the one that is known.
            return Err(unknown_option(command, text, text));
        }
        if kind == Kind::Command {
            if attached.is_some() {
                return Err(unknown_option(command, name, text));
            }
            return self.command(name);
        }
        let in_word = attached.is_some();
        let value = match attached {
            Some(value) => value,
            None => self.next_value(name)?,
        };
        match kind {
            Kind::Only(allowed) => {
                if !value.known().is_some_and(|value| allowed.split_ascii_whitespace().any(|one| one == value)) {
                    let shown = &value.text;
                    let why = format!("`{command} {name} {shown}` is not known to be read-only");
                    return Err(Refused::new(shown.clone(), why));
                }
            }
            Kind::Below => {
                if !value.known().is_some_and(is_below) {
                    let why = format!("`{command} {name}` is known only with a relative folder below this one");
                    return Err(Refused::new(value.text.clone(), why));
                }
            }
            Kind::Value | Kind::Folder if !in_word => self.also_as_option(name, &value)?,
            Kind::Value | Kind::Folder | Kind::Takes | Kind::Maybe | Kind::Flag | Kind::Command | Kind::No(_) => {}
        }
        self.give(name, Some(value));
        Ok(())
    }

    /// `-x command… ;`: what is found stands at `{}` and the like, or behind.
    fn command(&mut self, name: &str) -> Result<(), Refused> {
        let rest = &self.words[self.at..];
        let length = rest.iter().position(|word| word.known() == Some(";")).unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.words.len());
        if length == 0 {
            return Err(unknown_option(self.line.command, name, name));
        }
        let is_place = |word: &Word| ["{}", "{/}", "{//}", "{.}", "{/.}"].iter().any(|place| word.text.contains(place));
        let mut command: Vec<Word> = rest[..length].to_vec();
        if !command.iter().any(is_place) {
            command.push(anything("what is found"));
        }
        for word in command.iter_mut().filter(|word| is_place(word)) {
            *word = anything(word.text.clone());
        }
        self.line.commands.push(command);
        Ok(())
    }

    fn next_value(&mut self, name: &str) -> Result<Word, Refused> {
        let command = self.line.command;
        let Some(value) = self.words.get(self.at) else {
            return Err(Refused::new(name, format!("`{command} {name}` lacks its value")));
        };
        self.at += 1;
        if !value.is_one_word() {
            let why = format!("`{}` may become several words, and one of them an option of `{command}`", value.text);
            return Err(Refused::new(value.text.clone(), why));
        }
        Ok(value.clone())
    }

    /// Parsers differ in whether a value may begin with a dash, so such a word must be allowed both ways.
    fn also_as_option(&self, name: &str, value: &Word) -> Result<(), Refused> {
        let command = self.line.command;
        let Some(text) = value.known() else {
            return if value.may_be_option() { Err(may_be_option(command, value)) } else { Ok(()) };
        };
        let number = text.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if !text.starts_with('-') || number || self.entry.option(text) == Some(Kind::Flag) {
            return Ok(());
        }
        let why = format!("`{text}` after `{command} {name}` could be an option; write it into one word with `=`");
        Err(Refused::new(text, why))
    }

    /// `tar tvf x.tar`: letters without a dash, whose values follow in order.
    fn old_bundle(&mut self) -> Result<(), Refused> {
        let Some(letters) = self.words.first().and_then(Word::known).filter(|text| !text.starts_with('-')) else {
            return Ok(());
        };
        self.at = 1;
        for letter in letters.chars() {
            let name = format!("-{letter}");
            match self.entry.option(&name) {
                Some(Kind::Flag | Kind::Maybe) => self.give(&name, None),
                kind => self.valued(letters, &name, kind, None)?,
            }
        }
        Ok(())
    }

    fn give(&mut self, name: &str, value: Option<Word>) {
        self.line.options.push(Given { name: name.to_owned(), value });
    }
}

/// Whether a path stays at or below the folder that it starts from.
pub(super) fn is_below(path: &str) -> bool {
    !path.is_empty() && !path.starts_with(['/', '~', '-']) && path.split('/').all(|part| part != "..")
}

/// The words as they would follow one another, for somebody who looks at them next.
pub(super) fn owned(words: &[&Word]) -> Vec<Word> {
    words.iter().map(|word| (*word).clone()).collect()
}

/// A word whose text nothing is known about, shown as `source`.
pub(super) fn anything(source: impl Into<String>) -> Word {
    Word::unknown(source)
}

fn unknown_option(command: &str, name: &str, text: &str) -> Refused {
    Refused::new(text, format!("`{command} {name}` is not known to be read-only"))
}

fn may_be_option(command: &str, word: &Word) -> Refused {
    let shown = &word.text;
    let why = format!("`{shown}` may become an option of `{command}`; put `./` or `--` before it");
    Refused::new(shown.clone(), why)
}
