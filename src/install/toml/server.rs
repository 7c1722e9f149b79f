//! Our server in a TOML file, as a table of its own: put in, updated and taken out without another byte being touched.
//!
//! It is appended with one line end in front of it, and taken out with it: that is the exact reverse, whether or not the
//! file ended with a line end. A file that begins with our table is one that we made.

use std::ops::Range;

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use super::{newline, parsed, with_line_end_before};
use crate::install::json::EntryState;
use crate::install::server::{ARGS, COMMAND, NAME, starts_us};
use crate::install::trouble::{Trouble, line_of};

const SERVERS: &str = "mcp_servers";

/// How our server stands in a text.
struct Found {
    standing: EntryState,
    /// The table and those below it, as ranges of whole lines; empty where it is written in another way.
    lines: Vec<Range<usize>>,
}

/// Puts our server into a text, or into a new one.
pub fn put(text: Option<&str>) -> Result<String, Trouble> {
    let args: Vec<String> = ARGS.iter().map(|arg| format!("\"{arg}\"")).collect();
    let table = format!("[{SERVERS}.{NAME}]\ncommand = \"{COMMAND}\"\nargs = [{}]\n", args.join(", "));
    let Some(text) = text else {
        return Ok(table);
    };
    let newline = newline(text);
    let found = find(text)?;
    let edited = match (found.standing, found.lines.first()) {
        (EntryState::Current, _) => return Ok(text.to_owned()),
        (EntryState::Absent, _) => format!("{text}{newline}{}", table.replace('\n', newline)),
        (EntryState::Older, Some(lines)) => {
            let updated = updated(&text[lines.clone()])?.replace("\r\n", "\n").replace('\n', newline);
            format!("{}{updated}{}", &text[..lines.start], &text[lines.end..])
        }
        (EntryState::Older, None) => return Err(not_a_table(text)),
    };
    match standing(&edited) {
        Ok(EntryState::Current) => Ok(edited),
        Ok(EntryState::Absent | EntryState::Older) | Err(_) => Err(Trouble::Unfit),
    }
}

/// Takes our server out; `None` where the whole file was ours.
pub fn take(text: &str) -> Result<Option<String>, Trouble> {
    let found = find(text)?;
    match (found.standing, found.lines.first()) {
        (EntryState::Absent, _) => return Ok(Some(text.to_owned())),
        (EntryState::Current | EntryState::Older, None) => return Err(not_a_table(text)),
        (EntryState::Current | EntryState::Older, Some(_)) => {}
    }
    let blocks = joined(found.lines);
    let begins = blocks.iter().any(|lines| lines.start == 0);
    let mut left = text.to_owned();
    for lines in blocks.into_iter().rev() {
        left.replace_range(with_line_end_before(text, lines), "");
    }
    if begins && left.trim().is_empty() {
        return Ok(None);
    }
    match standing(&left) {
        Ok(EntryState::Absent) => Ok(Some(left)),
        Ok(EntryState::Current | EntryState::Older) | Err(_) => Err(Trouble::Unfit),
    }
}

/// Ranges in their order; those that touch are one, since the line end in front of the later one belongs to the earlier.
fn joined(mut all: Vec<Range<usize>>) -> Vec<Range<usize>> {
    all.sort_by_key(|lines| lines.start);
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for lines in all {
        match blocks.last_mut() {
            Some(before) if before.end >= lines.start => before.end = before.end.max(lines.end),
            _ => blocks.push(lines),
        }
    }
    blocks
}

pub fn standing(text: &str) -> Result<EntryState, Trouble> {
    find(text).map(|found| found.standing)
}

fn find(text: &str) -> Result<Found, Trouble> {
    let document = parsed(text)?;
    let absent = Found { standing: EntryState::Absent, lines: Vec::new() };
    let Some(servers) = document.as_table().get(SERVERS) else {
        return Ok(absent);
    };
    let Some(servers) = servers.as_table_like() else {
        return Err(shape(text, SERVERS.to_owned(), servers.span(), "is no table"));
    };
    let Some(grill) = servers.get(NAME) else {
        return Ok(absent);
    };
    let at = format!("{SERVERS}.{NAME}");
    let line = line_of(text, grill.span().or_else(|| key_span(servers)).map_or(0, |span| span.start));
    let Some(entry) = grill.as_table_like() else {
        return Err(Trouble::Foreign { at, line });
    };
    let (command, args) = (entry.get("command").and_then(Item::as_str), arguments(entry));
    if !command.is_some_and(|command| starts_us(command, &args)) {
        return Err(Trouble::Foreign { at, line });
    }
    let current = command == Some(COMMAND) && args == ARGS;
    let mut lines = Vec::new();
    if let Some(table) = grill.as_table().filter(|table| !table.is_dotted() && !table.is_implicit()) {
        whole_lines(text, table, &mut lines);
    }
    Ok(Found { standing: if current { EntryState::Current } else { EntryState::Older }, lines })
}

fn key_span(servers: &dyn TableLike) -> Option<Range<usize>> {
    servers.get_key_value(NAME).and_then(|(key, _)| key.span())
}

fn arguments(entry: &dyn TableLike) -> Vec<&str> {
    let args = entry.get("args").and_then(Item::as_array);
    args.map(|args| args.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

/// The lines of a table, from its header to its last value, and of the tables below it.
fn whole_lines(text: &str, table: &Table, lines: &mut Vec<Range<usize>>) {
    if let Some(header) = table.span().filter(|_| !table.is_implicit()) {
        let start = text[..header.start].rfind('\n').map_or(0, |end| end + 1);
        let last = end_of_values(table).unwrap_or(header.end).max(header.end);
        let end = text[last..].find('\n').map_or(text.len(), |length| last + length + 1);
        lines.push(start..end);
    }
    for (_, below) in table {
        match below {
            Item::Table(below) if !below.is_dotted() => whole_lines(text, below, lines),
            Item::ArrayOfTables(all) => all.iter().for_each(|below| whole_lines(text, below, lines)),
            Item::Table(_) | Item::Value(_) | Item::None => {}
        }
    }
}

fn end_of_values(table: &Table) -> Option<usize> {
    let ends = table.iter().filter_map(|(_, item)| match item {
        Item::Value(value) => value.span().map(|span| span.end),
        Item::Table(below) if below.is_dotted() => end_of_values(below),
        Item::Table(_) | Item::ArrayOfTables(_) | Item::None => None,
    });
    ends.max()
}

/// The lines of an older entry with our values in it; what somebody added stays.
fn updated(lines: &str) -> Result<String, Trouble> {
    let mut document: DocumentMut = lines.parse().map_err(|_| Trouble::Unfit)?;
    let table = &mut document[SERVERS][NAME];
    table["command"] = toml_edit::value(COMMAND);
    table["args"] = toml_edit::value(ARGS.iter().copied().collect::<Array>());
    Ok(document.to_string())
}

fn shape(text: &str, at: String, span: Option<Range<usize>>, why: &'static str) -> Trouble {
    Trouble::Shape { at, line: line_of(text, span.map_or(0, |span| span.start)), why }
}

fn not_a_table(text: &str) -> Trouble {
    let at = text.find(NAME).map(|at| at..at);
    shape(
        text,
        format!("{SERVERS}.{NAME}"),
        at,
        "is not written as a table of its own, so it is to be taken out by hand",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "[mcp_servers.grill]\ncommand = \"git\"\nargs = [\"grill\", \"mcp\"]\n";

    #[test]
    fn what_is_put_in_is_taken_out_to_the_byte() {
        for before in [
            "",
            "\n",
            "a = 1",
            "a = 1\n",
            "a = 1\n\n\n",
            "# only a comment",
            "a = 1 # why\r\n[b]\r\nc = [\r\n  1, # one\r\n]\r\n",
            "[mcp_servers.other]\ncommand = \"x\"\n[mcp_servers.other.env]\nX = \"1\"\n# the end",
            "mcp_servers.other.command = \"x\"\n",
        ] {
            let with = put(Some(before)).unwrap();
            assert_eq!(standing(&with), Ok(EntryState::Current), "{before:?}");
            assert!(with.starts_with(before), "{with}");
            assert_eq!(put(Some(&with)).unwrap(), with);
            assert_eq!(take(&with).unwrap().as_deref(), Some(before), "{with:?}");
        }
        assert_eq!(put(None).unwrap(), OURS);
        assert_eq!(take(OURS), Ok(None));
    }

    #[test]
    fn an_older_entry_is_updated_and_what_was_added_stays() {
        let older = "[mcp_servers.grill] # mine\ncommand = \"/opt/git-grill\"\nargs = [\"mcp\"] # old\nstartup_timeout_sec = 9\n\
                     \n[mcp_servers.grill.env]\nX = \"1\"\n\n[later]\ny = 2\n";
        assert_eq!(standing(older), Ok(EntryState::Older));
        let now = put(Some(older)).unwrap();
        assert_eq!(standing(&now), Ok(EntryState::Current));
        for kept in ["# mine\n", "startup_timeout_sec = 9\n", "X = \"1\"\n\n[later]\ny = 2\n"] {
            assert!(now.contains(kept), "{now}");
        }
        assert_eq!(take(&now).unwrap().as_deref(), Some("\n[later]\ny = 2\n"));
    }

    #[test]
    fn tables_below_ours_go_with_it_and_take_nothing_along() {
        for between in ["", "\n", "\n\n", "# why\n"] {
            for after in ["", "[later]\ny = 2\n", "\n[later]\ny = 2\n", "# the end"] {
                let below = "[mcp_servers.grill.env]\nX = \"1\"\n";
                let tools = "[[mcp_servers.grill.tools]]\nname = \"x\"\n";
                let text = format!("a = 1\n\n{OURS}{between}{below}{between}{tools}{after}");
                let left = take(&text).unwrap().unwrap();
                let expected: DocumentMut = format!("a = 1\n{after}").parse().unwrap();
                let document: DocumentMut = left.parse().unwrap_or_else(|error| panic!("{error}: {left}"));
                let values = |document: &DocumentMut| {
                    let table = |name: &str| document.get(name).map(|item| item.to_string().trim().to_owned());
                    (document.len(), table("a"), table("later"), document.to_string().contains("# the end"))
                };
                assert_eq!(values(&document), values(&expected), "{text:?}\n{left:?}");
            }
        }
    }

    #[test]
    fn what_somebody_else_wrote_is_named_and_left() {
        let foreign = "a = 1\n[mcp_servers.grill]\ncommand = \"barbecue\"\n";
        assert_eq!(put(Some(foreign)), Err(Trouble::Foreign { at: "mcp_servers.grill".to_owned(), line: 2 }));
        assert!(take(foreign).unwrap_err().is_conflict());
        assert!(matches!(put(Some("a = 1\nb = \n")), Err(Trouble::Broken { line: 2, .. })));
        assert!(matches!(put(Some("mcp_servers = 3\n")), Err(Trouble::Shape { line: 1, .. })));
        assert_eq!(put(Some("mcp_servers = { x = { command = \"y\" } }\n")), Err(Trouble::Unfit));
        let inline = "[mcp_servers]\ngrill = { command = \"git\", args = [\"grill\", \"mcp\"] }\n";
        assert_eq!(put(Some(inline)).unwrap(), inline);
        assert!(matches!(take(inline), Err(Trouble::Shape { line: 2, .. })));
    }

    #[test]
    fn what_came_after_it_stays() {
        let with = format!("a = 1\n\n{OURS}\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n");
        let left = take(&with).unwrap().unwrap();
        assert_eq!(left, "a = 1\n\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n");
        let without_an_end = format!("{}[projects.\"/x\"]\n", put(Some("a = 1")).unwrap());
        assert_eq!(take(&without_an_end).unwrap().as_deref(), Some("a = 1\n[projects.\"/x\"]\n"));
        let after_ours = format!("{OURS}\n[projects.\"/x\"]\n");
        assert_eq!(take(&after_ours).unwrap().as_deref(), Some("\n[projects.\"/x\"]\n"));
    }
}
