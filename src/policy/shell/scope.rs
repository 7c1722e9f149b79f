//! What a script says itself about its variables. `for f in a.rs b.rs` names no option, and `n=$(wc -l < f)` is a
//! number; with nothing known, `"$f"` might be `-i`.
//!
//! Order does not count: of all values a variable is given anywhere in the script, the least certain one decides.

use std::collections::HashMap;

use super::number::{is_number, is_object_name};
use super::script::{Assigned, Script, Simple, Spelled, Statement, Token};
use super::variables;
use super::word::{Certainty, Shape, Word};

/// Commands of the shell that set the variables they are given.
const SETTERS: &[&str] =
    &["read", "mapfile", "readarray", "unset", "printf", "getopts", "command", "builtin", "time", "export"];

/// What is certain about each variable that the script sets.
#[derive(Debug, Default)]
pub(super) struct Scope {
    variables: HashMap<String, Certainty>,
}

impl Scope {
    /// Gathers what all parts of a script say.
    pub(super) fn of(script: &Script, aside: &[Script]) -> Self {
        let mut scope = Self::default();
        scope.script(script);
        for script in aside {
            scope.script(script);
        }
        scope
    }

    /// The word, with what is certain about the variables in it.
    pub(super) fn word(&self, spelled: &Spelled) -> Word {
        let word = spelled.word.clone();
        if word.shape != Shape::Unknown || self.variables.is_empty() {
            return word;
        }
        let quoted = word.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let inside = quoted.unwrap_or(&word.text);
        let Some((name, rest)) = leading(inside) else {
            return word;
        };
        let known = self.variables.get(name).copied().unwrap_or(Certainty::Nothing);
        let certainty = match (quoted, known) {
            (_, Certainty::Nothing) | (None, Certainty::NoOption) => Certainty::Nothing,
            (_, known) if rest.is_empty() => known,
            // The variable may also be empty, and then the rest begins the word.
            (Some(_), _) if word.is_one_word() && !rest.starts_with(['-', '$', '`']) => Certainty::NoOption,
            (Some(_) | None, _) => Certainty::Nothing,
        };
        word.with(certainty)
    }

    fn give(&mut self, name: &str, certainty: Certainty) {
        let known = self.variables.entry(name.to_owned()).or_insert(certainty);
        *known = (*known).min(certainty);
    }

    fn script(&mut self, script: &Script) {
        for statement in script {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Simple(simple) => self.simple(simple),
            Statement::Condition { tokens, span: _ } => {
                for token in tokens {
                    if let Token::Word(word) = token {
                        self.inside(word);
                    }
                }
            }
            Statement::Group { body, redirections } => {
                self.all(redirections.iter().map(|redirection| &redirection.target));
                self.script(body);
            }
            Statement::Loop { variable, words, body, redirections } => {
                if let Some(name) = variable {
                    let certainty = words.iter().map(|word| element(&word.word)).min().unwrap_or(Certainty::Nothing);
                    self.give(name, certainty);
                }
                self.all(words);
                self.all(redirections.iter().map(|redirection| &redirection.target));
                self.script(body);
            }
            Statement::Case { words, body, redirections } => {
                self.all(words);
                self.all(redirections.iter().map(|redirection| &redirection.target));
                self.script(body);
            }
        }
    }

    fn simple(&mut self, simple: &Simple) {
        for assignment in &simple.assignments {
            let certainty = match (assignment.kind, assignment.values.as_slice()) {
                (Assigned::Word, [value]) => assigned(&value.word),
                (Assigned::Word | Assigned::Array | Assigned::More, _) => Certainty::Nothing,
            };
            self.give(&assignment.name, certainty);
            self.all(&assignment.values);
        }
        let sets = simple.words.first().and_then(|word| word.word.known()).is_some_and(|name| SETTERS.contains(&name));
        for word in &simple.words {
            if let Some(name) = word.word.known().filter(|text| sets && variables::is_name(text)) {
                self.give(name, Certainty::Nothing);
            }
            self.inside(word);
        }
        self.all(simple.redirections.iter().map(|redirection| &redirection.target));
    }

    fn all<'w>(&mut self, words: impl IntoIterator<Item = &'w Spelled>) {
        for word in words {
            self.inside(word);
        }
    }

    fn inside(&mut self, word: &Spelled) {
        for script in &word.scripts {
            self.script(script);
        }
    }
}

/// What is certain about a value. Nothing is split in an assignment.
fn assigned(word: &Word) -> Certainty {
    match word.shape {
        Shape::Literal => text(&word.text),
        Shape::Unknown if is_number(word) => Certainty::Number,
        Shape::Unknown if is_object_name(&word.text) => Certainty::Plain,
        Shape::Unknown => match word.text.trim_start_matches('"').chars().next() {
            Some(first) if first.is_ascii_alphanumeric() || matches!(first, '/' | '.' | '_') => Certainty::NoOption,
            Some(_) | None => Certainty::Nothing,
        },
        Shape::Pattern => Certainty::Nothing,
    }
}

/// What is certain about what a loop goes through.
fn element(word: &Word) -> Certainty {
    match word.shape {
        Shape::Literal => text(&word.text),
        Shape::Pattern if is_range(&word.text) => Certainty::Number,
        Shape::Pattern | Shape::Unknown if !word.may_be_option() => Certainty::NoOption,
        Shape::Pattern | Shape::Unknown => Certainty::Nothing,
    }
}

fn text(text: &str) -> Certainty {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@,+-".contains(c);
    if text.is_empty() || text.starts_with(['-', '+']) {
        Certainty::Nothing
    } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
        Certainty::Number
    } else if text.chars().all(plain) {
        Certainty::Plain
    } else {
        Certainty::NoOption
    }
}

/// `{1..5}`.
fn is_range(source: &str) -> bool {
    let ends = source.strip_prefix('{').and_then(|text| text.strip_suffix('}')).and_then(|text| text.split_once(".."));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    ends.is_some_and(|(first, last)| number(first) && number(last))
}

/// The variable that a word begins with, as `$name` or `${name}`, and what follows it.
fn leading(text: &str) -> Option<(&str, &str)> {
    let behind = text.strip_prefix('$')?;
    if let Some(braced) = behind.strip_prefix('{') {
        let (name, rest) = braced.split_once('}')?;
        return variables::is_name(name).then_some((name, rest));
    }
    let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
    let (name, rest) = behind.split_at(end);
    // zsh takes a colon for the beginning of a modifier.
    (variables::is_name(name) && !rest.starts_with(':')).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::super::reader::Reader;
    use super::*;

    /// What is certain about the last word of a script.
    fn last(text: &str) -> Certainty {
        let mut reader = Reader::new(text);
        let script = reader.script().unwrap();
        let scope = Scope::of(&script, &reader.aside);
        let simple = script.iter().rev().find_map(|statement| match statement {
            Statement::Simple(simple) => Some(simple),
            Statement::Loop { body, .. } | Statement::Group { body, .. } => match body.last() {
                Some(Statement::Simple(simple)) => Some(simple),
                _ => None,
            },
            Statement::Condition { .. } | Statement::Case { .. } => None,
        });
        let word = scope.word(simple.unwrap().words.last().unwrap());
        [Certainty::Number, Certainty::NoOption, Certainty::Nothing]
            .into_iter()
            .find(|certainty| match certainty {
                Certainty::Number => is_number(&word),
                Certainty::NoOption | Certainty::Plain => !word.may_be_option(),
                Certainty::Nothing => true,
            })
            .unwrap()
    }

    #[test]
    fn values_that_are_written_out_are_known() {
        for (text, certainty) in [
            ("f=src/a.rs; sed -n 1p \"$f\"", Certainty::NoOption),
            ("f=src/a.rs; sed -n 1p $f", Certainty::NoOption),
            ("for f in a.rs b.rs; do sed -n 1p \"$f\"; done", Certainty::NoOption),
            ("for f in src/*.rs; do sed -n 1p \"$f\"; done", Certainty::NoOption),
            ("n=$(wc -l < a); echo \"$n\"", Certainty::Number),
            ("for i in {1..5}; do echo $i; done", Certainty::Number),
            ("d=src; cat \"$d/x\"", Certainty::NoOption),
            ("b=$(git merge-base a b); git diff \"$b\"", Certainty::NoOption),
        ] {
            assert_eq!(last(text), certainty, "{text}");
        }
    }

    #[test]
    fn the_least_certain_value_decides() {
        for text in [
            "sed \"$f\"",
            "f=-i; sed \"$f\"",
            "f=; sed \"$f\"",
            "for f in *.rs; do sed \"$f\"; done",
            "for f in a -i; do sed \"$f\"; done",
            "f=a; f=-i; sed \"$f\"",
            "f=a; f+=b; sed \"$f\"",
            "f=a; read -r f; sed \"$f\"",
            "f=a; x=$(f=-i); sed \"$f\"",
            "f=a; sed \"$f-i\"; sed \"$f$g\"",
            "f='a -o x'; sort $f",
            "f=$(ls); sed \"$f\"",
            "f=a; sed \"$f:h\"",
        ] {
            assert_eq!(last(text), Certainty::Nothing, "{text}");
        }
    }
}
