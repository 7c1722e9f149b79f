//! Where an entry stands in a text, or where it would go.

use std::ops::Range;

use jsonc_parser::ast::{self, ObjectProp};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::super::trouble::{Trouble, line_of};
use super::span::Container;
use super::{Entry, Slot};

/// A text that was read.
pub(super) struct Tree<'t> {
    text: &'t str,
    root: ast::Object<'t>,
}

/// Where an entry stands.
pub(super) enum Found {
    /// Nowhere: it goes into `holder`, with the containers for the keys `missing` around it.
    Absent {
        holder: Container,
        missing: &'static [&'static str],
        /// How deep `holder` lies; the root is 1.
        level: usize,
    },
    /// As it should be.
    Current,
    /// As another version wrote it: its value.
    Older { value: Range<usize> },
}

/// The containers from the root down, each with the item in it that leads on.
pub(super) type Chain = Vec<(Container, usize)>;

/// What agents read: JSON with comments and trailing commas, and nothing else that is looser.
const READING: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

impl<'t> Tree<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, Trouble> {
        let parsed = parse_to_ast(text, &CollectOptions::default(), &READING)
            .map_err(|error| Trouble::Broken { line: error.line_display(), why: error.kind().to_string() })?;
        match parsed.value {
            Some(ast::Value::Object(root)) => Ok(Self { text, root }),
            Some(other) => Err(Trouble::Broken {
                line: line_of(text, other.range().start),
                why: "an object is expected here".to_owned(),
            }),
            None => Err(Trouble::Broken { line: 1, why: "it holds nothing".to_owned() }),
        }
    }

    /// The value that stands exactly there.
    pub(super) fn value_at(&self, range: &Range<usize>) -> Value {
        let parsed = parse_to_ast(&self.text[range.clone()], &CollectOptions::default(), &READING);
        parsed.ok().and_then(|parsed| parsed.value).map_or(Value::Null, Value::from)
    }

    fn wrong(&self, at: &[&str], range: jsonc_parser::common::Range, why: &'static str) -> Trouble {
        Trouble::Shape { at: at.join("."), line: line_of(self.text, range.start), why }
    }

    /// The member of this key, with its index.
    fn member<'o>(
        &self,
        object: &'o ast::Object<'t>,
        keys: &[&str],
    ) -> Result<Option<(usize, &'o ObjectProp<'t>)>, Trouble> {
        let name = keys.last().copied().unwrap_or_default();
        let mut found = object.properties.iter().enumerate().filter(|(_, one)| one.name.as_str() == name);
        let first = found.next();
        match found.next() {
            Some((_, twice)) => Err(self.wrong(keys, twice.range, "stands here a second time")),
            None => Ok(first),
        }
    }
}

/// How far the keys of an entry lead.
enum Reached<'o, 't> {
    /// To the object or array that holds it, by these containers.
    Holder(&'o ast::Value<'t>, Chain),
    /// To an object that does not have the next key.
    Until(&'o ast::Object<'t>, usize),
    /// The entry belongs into the root itself.
    Root,
}

fn reach<'o, 't>(tree: &'o Tree<'t>, entry: &Entry) -> Result<Reached<'o, 't>, Trouble> {
    let mut object = &tree.root;
    let mut chain = Chain::new();
    for depth in 0..entry.path.len() {
        let keys = &entry.path[..=depth];
        let Some((index, member)) = tree.member(object, keys)? else {
            return Ok(Reached::Until(object, depth));
        };
        chain.push((Container::of_object(object), index));
        match (&member.value, depth + 1 == entry.path.len(), &entry.slot) {
            (value @ ast::Value::Array(_), true, Slot::Element { .. })
            | (value @ ast::Value::Object(_), true, Slot::Member { .. } | Slot::Companion { .. }) => {
                return Ok(Reached::Holder(value, chain));
            }
            (ast::Value::Object(next), false, _) => object = next,
            (other, true, Slot::Element { .. }) => return Err(tree.wrong(keys, other.range(), "is no array")),
            (other, _, _) => return Err(tree.wrong(keys, other.range(), "is no object")),
        }
    }
    Ok(Reached::Root)
}

/// Where an entry stands, or would go.
pub(super) fn find(tree: &Tree<'_>, entry: &Entry) -> Result<Found, Trouble> {
    let (holder, level) = match reach(tree, entry)? {
        Reached::Until(object, depth) => {
            return Ok(Found::Absent {
                holder: Container::of_object(object),
                missing: &entry.path[depth..],
                level: depth + 1,
            });
        }
        Reached::Holder(ast::Value::Array(array), chain) => {
            let Slot::Element { value, ours } = &entry.slot else { return Err(Trouble::Unfit) };
            let found = array.elements.iter().find(|one| ours(&Value::from((*one).clone())));
            return Ok(match found {
                Some(one) => stands(value, &Value::from(one.clone()), one.range()),
                None => Found::Absent { holder: Container::of_array(array), missing: &[], level: chain.len() + 1 },
            });
        }
        Reached::Holder(ast::Value::Object(object), chain) => (object, chain.len() + 1),
        Reached::Root => (&tree.root, 1),
        Reached::Holder(other, _) => return Err(tree.wrong(entry.path, other.range(), "is no object")),
    };
    let absent = || Found::Absent { holder: Container::of_object(holder), missing: &[], level };
    let keys = |name| [entry.path, &[name]].concat();
    match &entry.slot {
        Slot::Member { name, value, ours } => match tree.member(holder, &keys(name))? {
            None => Ok(absent()),
            Some((_, member)) => {
                let there = Value::from(member.value.clone());
                if !ours(&there) {
                    let line = line_of(tree.text, member.range.start);
                    return Err(Trouble::Foreign { at: keys(name).join("."), line });
                }
                Ok(stands(value, &there, member.value.range()))
            }
        },
        Slot::Companion { name, .. } => Ok(tree.member(holder, &keys(name))?.map_or_else(absent, |_| Found::Current)),
        Slot::Element { .. } => Err(Trouble::Unfit),
    }
}

/// The way to an entry of ours, whichever version wrote it.
pub(super) fn ours(tree: &Tree<'_>, entry: &Entry) -> Result<Option<Chain>, Trouble> {
    let (holder, mut chain) = match reach(tree, entry)? {
        Reached::Until(..) => return Ok(None),
        Reached::Root => (ast::Value::Object(tree.root.clone()), Chain::new()),
        Reached::Holder(value, chain) => (value.clone(), chain),
    };
    let index = match (&entry.slot, &holder) {
        (Slot::Element { ours, .. }, ast::Value::Array(array)) => {
            array.elements.iter().position(|one| ours(&Value::from(one.clone())))
        }
        (Slot::Member { name, ours, .. }, ast::Value::Object(object)) => {
            let found = tree.member(object, &[entry.path, &[name]].concat())?;
            found.filter(|(_, member)| ours(&Value::from(member.value.clone()))).map(|(index, _)| index)
        }
        (Slot::Companion { .. } | Slot::Element { .. } | Slot::Member { .. }, _) => None,
    };
    let Some((index, container)) = index.zip(Container::of(&holder)) else {
        return Ok(None);
    };
    chain.push((container, index));
    Ok(Some(chain))
}

fn stands(wanted: &str, there: &Value, range: jsonc_parser::common::Range) -> Found {
    let wanted: Value = serde_json::from_str(wanted).unwrap_or_default();
    if is_within(&wanted, there) { Found::Current } else { Found::Older { value: range.start..range.end } }
}

/// Whether everything that is wanted is there; keys that somebody added do not matter.
fn is_within(wanted: &Value, there: &Value) -> bool {
    match (wanted, there) {
        (Value::Object(wanted), Value::Object(there)) => {
            wanted.iter().all(|(key, value)| there.get(key).is_some_and(|there| is_within(value, there)))
        }
        (Value::Array(wanted), Value::Array(there)) => {
            wanted.len() == there.len() && wanted.iter().zip(there).all(|(wanted, there)| is_within(wanted, there))
        }
        (wanted, there) => wanted == there,
    }
}
