//! Our rule in an agent's list of calls that it makes without asking: `[permission] allow = [...]`.
//!
//! Taking out is the exact reverse of putting in, but for a list or a table that was empty before: it goes as well.

use std::ops::Range;

use toml_edit::{Item, Table, TableLike, Value};

use super::{newline, parsed, with_line_end_before};
use crate::install::json::EntryState;
use crate::install::trouble::{Trouble, line_of};

/// The rule for all tools of the server that is called `grill`.
pub const RULE: &str = "mcp__grill";
const TABLE: &str = "permission";
/// The list of calls that are made without a question.
const LIST: &str = "allow";

/// Where the rule stands or would go, in bytes.
enum Found {
    NoTable,
    /// The table has no list; its first entry would begin here.
    NoList(usize),
    List(List),
}

struct List {
    /// Behind its opening bracket.
    inside: usize,
    elements: Vec<Range<usize>>,
    ours: Option<usize>,
    /// The lines that hold nothing but the list, or the table with nothing but the list.
    alone: Option<Range<usize>>,
    /// Those lines are a whole table.
    whole: bool,
}

/// Puts the rule into a text, or into a new one.
pub fn put(text: Option<&str>) -> Result<String, Trouble> {
    let (rule, text) = (format!("\"{RULE}\""), text.unwrap_or_default());
    let line = format!("{LIST} = [{rule}]\n");
    let edited = match found(text)? {
        Found::List(List { ours: Some(_), .. }) => return Ok(text.to_owned()),
        Found::List(List { elements, inside, .. }) => match elements.last() {
            Some(last) => format!("{}, {rule}{}", &text[..last.end], &text[last.end..]),
            None => format!("{}{rule}{}", &text[..inside], &text[inside..]),
        },
        Found::NoList(at) => format!("{}{}{}", &text[..at], line.replace('\n', newline(text)), &text[at..]),
        Found::NoTable => {
            let table = format!("\n[{TABLE}]\n{line}").replace('\n', newline(text));
            // A file that begins with our entries is one that we made.
            format!("{text}{}", if text.is_empty() { table.trim_start() } else { &table })
        }
    };
    if standing(&edited)? == EntryState::Current { Ok(edited) } else { Err(Trouble::Unfit) }
}

/// Takes the rule out; `None` where nothing else is in the file.
pub fn take(text: &str) -> Result<Option<String>, Trouble> {
    let Found::List(list) = found(text)? else {
        return Ok(Some(text.to_owned()));
    };
    let Some(ours) = list.ours else {
        return Ok(Some(text.to_owned()));
    };
    let elements = &list.elements;
    let out = match (list.alone, ours.checked_sub(1), elements.get(ours + 1)) {
        (Some(lines), ..) if list.whole => with_line_end_before(text, lines),
        (Some(lines), ..) => lines,
        (None, Some(before), _) => elements[before].end..elements[ours].end,
        (None, None, Some(after)) => elements[ours].start..after.start,
        (None, None, None) => elements[ours].clone(),
    };
    let begins = out.start == 0;
    let mut left = text.to_owned();
    left.replace_range(out, "");
    Ok(if begins && left.trim().is_empty() { None } else { Some(left) })
}

pub fn standing(text: &str) -> Result<EntryState, Trouble> {
    Ok(match found(text)? {
        Found::List(List { ours: Some(_), .. }) => EntryState::Current,
        Found::List(_) | Found::NoList(_) | Found::NoTable => EntryState::Absent,
    })
}

fn found(text: &str) -> Result<Found, Trouble> {
    let document = parsed(text)?;
    let trouble = |at: &str, item: &Item, why| Trouble::Shape {
        at: at.to_owned(),
        line: line_of(text, item.span().map_or(0, |span| span.start)),
        why,
    };
    let Some(item) = document.as_table().get(TABLE) else {
        return Ok(Found::NoTable);
    };
    let table = item.as_table_like().ok_or_else(|| trouble(TABLE, item, "is no table"))?;
    let header = item.as_table().filter(|table| !table.is_dotted() && !table.is_implicit()).and_then(Table::span);
    let Some(list) = table.get(LIST) else {
        let header =
            header.ok_or_else(|| trouble(TABLE, item, "has no header, so its rule is to be put in by hand"))?;
        return match text[header.end..].find('\n') {
            Some(length) => Ok(Found::NoList(header.end + length + 1)),
            None => Err(trouble(TABLE, item, "does not end its line")),
        };
    };
    let at = format!("{TABLE}.{LIST}");
    let values = list.as_array().ok_or_else(|| trouble(&at, list, "is no list"))?;
    let elements: Option<Vec<Range<usize>>> = values.iter().map(Value::span).collect();
    let (Some(elements), Some(span)) = (elements, list.span()) else { return Err(Trouble::Unfit) };
    let mut list = List {
        inside: span.start + 1,
        elements,
        ours: values.iter().position(|value| value.as_str() == Some(RULE)),
        alone: None,
        whole: false,
    };
    list.find_alone(text, table, header);
    Ok(Found::List(list))
}

impl List {
    /// Finds out which lines our rule has for itself, written as [`put`] writes them.
    fn find_alone(&mut self, text: &str, table: &dyn TableLike, header: Option<Range<usize>>) {
        let own_line = format!("{LIST} = [\"{RULE}\"]");
        let start = text[..self.inside].rfind('\n').map_or(0, |end| end + 1);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
        if text[start..end].trim_end_matches(['\r', '\n']) != own_line {
            return;
        }
        let header = header.map(|header| text[..header.start].rfind('\n').map_or(0, |end| end + 1));
        let opens = |from: usize| text[from..start].trim_end_matches(['\r', '\n']) == format!("[{TABLE}]");
        self.whole = table.len() == 1 && header.is_some_and(opens);
        self.alone = Some(header.filter(|_| self.whole).unwrap_or(start)..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_taken_out_to_the_byte() {
        for before in [
            "\n",
            "a = 1",
            "a = 1\r\n",
            "# only a comment",
            "[permission]\ndeny = [\"Bash(rm *)\"]\n",
            "[permission] # mine\r\ndeny = []\r\n[later]\r\n",
            "[permission]\nallow = [\"Read\"] # why\n",
            "[permission]\nallow = [\n  \"Read\", # one\n  \"Grep\", # two\n]\nask = []\n",
            "permission = { allow = ['Read'], deny = [] }\n",
            "permission.allow = [\"Read\"]\n",
            "[[permission.rules]]\naction = \"deny\"\ntool = \"bash\"\n[permission]\nallow = [\"Read\",]\n",
        ] {
            let with = put(Some(before)).unwrap();
            assert_eq!(standing(&with), Ok(EntryState::Current), "{with}");
            assert_eq!(standing(before), Ok(EntryState::Absent), "{before}");
            assert_eq!(put(Some(&with)).unwrap(), with);
            assert_eq!(take(&with).unwrap().as_deref(), Some(before), "{with:?}");
            assert_eq!(take(before).unwrap().as_deref(), Some(before));
        }
        let alone = put(None).unwrap();
        assert_eq!(alone, "[permission]\nallow = [\"mcp__grill\"]\n");
        assert_eq!(take(&alone), Ok(None));
    }

    #[test]
    fn a_rule_that_was_moved_or_written_otherwise_is_found() {
        for (text, left) in [
            ("[permission]\nallow = [\"mcp__grill\", \"Read\"]\n", "[permission]\nallow = [\"Read\"]\n"),
            ("[permission]\nallow = ['mcp__grill'] # ours\n", "[permission]\nallow = [] # ours\n"),
            ("permission.allow = [\"mcp__grill\"]\n", "permission.allow = []\n"),
        ] {
            assert_eq!(standing(text), Ok(EntryState::Current), "{text}");
            assert_eq!(take(text).unwrap().as_deref(), Some(left));
        }
    }

    #[test]
    fn what_is_no_list_is_named_with_its_line() {
        for (text, at) in [
            ("a = 1\npermission = 3\n", "permission"),
            ("[permission]\nallow = \"Read\"\n", "permission.allow"),
            ("b = 1\npermission = { deny = [] }\n", "permission"),
            ("a = 1\n[permission]", "permission"),
        ] {
            let trouble = put(Some(text)).unwrap_err();
            assert!(
                matches!(&trouble, Trouble::Shape { at: named, line: 2, .. } if named == at),
                "{text}: {trouble:?}"
            );
        }
    }
}
