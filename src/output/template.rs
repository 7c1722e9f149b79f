//! Templates: text with a few holes, filled by minijinja in an environment that holds nothing but a few filters. No file,
//! no other template and no clock can be reached from one; its work and its result are bounded. What a session says is
//! a value and never read as a template.

use std::io;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};
use serde::Serialize;

/// The largest template of a user's own, in bytes.
pub const LARGEST_TEMPLATE: usize = 64 * 1024;
/// The largest document, in bytes.
pub const LARGEST_DOCUMENT: usize = 4 * 1024 * 1024;
/// How many instructions one document may take.
const FUEL: u64 = 2_000_000;
/// How deep a template may nest.
const DEPTH: usize = 50;

/// Why a template gave no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("it has {bytes} bytes, and a template has at most {LARGEST_TEMPLATE}")]
    TooLarge { bytes: usize },
    /// It uses what could grow without a limit.
    #[error("line {line}: {what} is not possible in a template here")]
    Withheld { line: usize, what: &'static str },
    /// It cannot be read, or names what is not there.
    #[error("line {line}: {reason}")]
    Wrong {
        line: usize,
        /// What the template engine said.
        reason: String,
    },
    #[error("it takes more than {FUEL} steps")]
    Endless,
    /// It says too much.
    #[error("the document would have more than {LARGEST_DOCUMENT} bytes")]
    Flood,
}

/// Fills one of our own templates.
pub(super) fn fill<V: Serialize>(template: &str, view: &V) -> Result<String, TemplateError> {
    let mut environment = Environment::empty();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| wrong(&error))?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_recursion_limit(DEPTH);
    environment.set_fuel(Some(FUEL));
    environment.add_filter("count", |list: Value| list.len());
    environment.add_filter("join", |list: Value, between: &str| join(&list, between));
    environment.add_filter("bullets", |list: Value, form: Option<&str>| listed(&list, "- ", form));
    environment.add_filter("said", |list: Value| said(&list));
    environment.add_filter("checks", |list: Value| listed(&list, "- [ ] ", None));
    let mut written = Bounded::default();
    let template = environment.template_from_str(template).map_err(|error| wrong(&error))?;
    match template.render_captured_to(Value::from(Serde(view)), &mut written) {
        Ok(_) => Ok(String::from_utf8_lossy(&written.bytes).into_owned()),
        Err(_) if written.full => Err(TemplateError::Flood),
        Err(error) => Err(wrong(&error)),
    }
}

/// Fills a template of the user's own.
pub(super) fn fill_own<V: Serialize>(template: &str, view: &V) -> Result<String, TemplateError> {
    if template.len() > LARGEST_TEMPLATE {
        return Err(TemplateError::TooLarge { bytes: template.len() });
    }
    withheld(template)?;
    fill(&template.replace("\r\n", "\n"), view)
}

fn wrong(error: &minijinja::Error) -> TemplateError {
    if error.kind() == ErrorKind::OutOfFuel {
        return TemplateError::Endless;
    }
    let reason =
        error.detail().map_or_else(|| error.kind().to_string(), |detail| format!("{}: {detail}", error.kind()));
    TemplateError::Wrong { line: error.line().unwrap_or(1), reason }
}

fn join(list: &Value, between: &str) -> Result<String, minijinja::Error> {
    let mut text = String::new();
    for (index, one) in list.try_iter()?.enumerate() {
        if index > 0 {
            text.push_str(between);
        }
        text.push_str(&one.to_string());
        if text.len() > LARGEST_TEMPLATE {
            return Err(minijinja::Error::new(ErrorKind::InvalidOperation, "the joined text is too long"));
        }
    }
    Ok(text)
}

/// A list as Markdown, each sentence behind the mark: in its full form unless another one is named.
fn listed(list: &Value, mark: &str, form: Option<&str>) -> Result<String, minijinja::Error> {
    let wrong = |text: &'static str| minijinja::Error::new(ErrorKind::InvalidOperation, text);
    let mut text = String::new();
    for one in list.try_iter()? {
        let said = if let Some(line) = one.as_str() {
            line.to_owned()
        } else {
            let said = one.get_attr(form.unwrap_or("full"))?;
            said.as_str().ok_or_else(|| wrong("there is no such form of a sentence"))?.to_owned()
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(mark);
        text.push_str(&said);
        if text.len() > LARGEST_DOCUMENT {
            return Err(wrong("the list is too long"));
        }
    }
    Ok(text)
}

/// One sentence as a paragraph, several as a list.
fn said(list: &Value) -> Result<String, minijinja::Error> {
    if list.len() == Some(1) { listed(list, "", Some("text")) } else { listed(list, "- ", Some("plain")) }
}

pub(super) mod lists {
    use serde::Serialize;

    use super::super::material::item::Item;

    /// A sentence in its forms.
    #[derive(Clone, Debug, Serialize)]
    pub struct Line {
        text: String,
        full: String,
        plain: String,
    }

    /// Sentences in their forms.
    pub fn lines<'i>(items: impl IntoIterator<Item = &'i Item>) -> Vec<Line> {
        let line = |item: &Item| Line { text: item.text(), full: item.full(), plain: item.plain() };
        items.into_iter().map(line).collect()
    }

    pub fn bullets(items: &[Item]) -> String {
        let lines: Vec<String> = items.iter().map(|item| format!("- {}", item.full())).collect();
        lines.join("\n")
    }
}

/// Steps are counted and the result is measured, but a text that is made longer inside the template is neither: `a ~ a`,
/// thirty times over, is all the memory there is. So nothing that makes text out of text is there.
///
/// What is a comment and where an expression ends is told as the engine tells it: whatever this passes over as text, the
/// engine must not run.
fn withheld(template: &str) -> Result<(), TemplateError> {
    let mut at = 0;
    while let Some(opening) = ["{%", "{{", "{#"].iter().filter_map(|mark| template[at..].find(mark)).min() {
        let start = at + opening;
        let behind = &template[start + 2..];
        let inside = match &template[start..start + 2] {
            "{#" => {
                // An open comment is an error of the engine's.
                at = start + 2 + behind.find("#}").map_or(behind.len(), |end| end + 2);
                continue;
            }
            "{%" => expression(behind, "%}"),
            _ => expression(behind, "}}"),
        };
        let line = template[..start].matches('\n').count() + 1;
        if let Some(what) = forbidden(inside) {
            return Err(TemplateError::Withheld { line, what });
        }
        at = start + 2 + inside.len();
    }
    Ok(())
}

/// What stands up to the closing mark; marks inside of quoted text and of brackets do not close.
fn expression<'t>(text: &'t str, closing: &str) -> &'t str {
    let (mut quoted, mut open) = (Quoted::default(), 0_i32);
    for (at, one) in text.char_indices() {
        if quoted.takes(one) {
            continue;
        }
        if open == 0 && text[at..].starts_with(closing) {
            return &text[..at];
        }
        open += match one {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
    }
    text
}

fn forbidden(inside: &str) -> Option<&'static str> {
    let statement = inside.trim_start_matches(['-', '+']).trim_start();
    let word: String = statement.chars().take_while(char::is_ascii_alphabetic).collect();
    match word.as_str() {
        "set" => return Some("`set`"),
        "filter" => return Some("`filter`"),
        "raw" | "endraw" => return Some("`raw`"),
        _ => {}
    }
    let mut quoted = Quoted::default();
    inside.trim_start_matches(['-', '+']).trim_end_matches(['-', '+']).chars().find_map(|one| match one {
        _ if quoted.takes(one) => None,
        '~' => Some("joining with `~`"),
        '*' => Some("multiplying with `*`"),
        '+' => Some("adding with `+`"),
        _ => None,
    })
}

/// Whether one is inside of quotation marks.
#[derive(Default)]
struct Quoted {
    mark: Option<char>,
    escaped: bool,
}

impl Quoted {
    /// Takes the next character; whether it belongs to a quoted text.
    fn takes(&mut self, one: char) -> bool {
        let Some(mark) = self.mark else {
            self.mark = Some(one).filter(|one| matches!(one, '"' | '\''));
            return self.mark.is_some();
        };
        if self.escaped {
            self.escaped = false;
        } else if one == '\\' {
            self.escaped = true;
        } else if one == mark {
            self.mark = None;
        }
        true
    }
}

/// Takes bytes until there are too many.
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    full: bool,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > LARGEST_DOCUMENT {
            self.full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
