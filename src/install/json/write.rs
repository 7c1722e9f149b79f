//! How an entry is written: on one line, in the manner of the file.

use serde_json::Value;

use super::span::{Container, Piece, comma_after, pieces};
use super::{Entry, Slot};

/// How the surroundings of an entry are written.
pub(super) struct Paper {
    /// Its line end and its indentation; none where everything stands on one line.
    pub lines: Option<String>,
    newline: &'static str,
    unit: String,
}

impl Paper {
    /// How `holder` is written, which lies at this level; the root is 1.
    pub(super) fn of(text: &str, holder: &Container, level: usize) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indent = holder.items.last().and_then(|last| {
            let blank = &text[..last.start];
            let blank = &blank[blank.trim_end().len()..];
            blank.rsplit_once('\n').map(|(_, indent)| indent.to_owned())
        });
        let unit = match &indent {
            Some(indent) if indent.contains('\t') => "\t".to_owned(),
            Some(indent) if indent.len() >= level => " ".repeat(indent.len() / level),
            Some(_) | None => "  ".to_owned(),
        };
        Self { lines: indent.map(|indent| format!("{newline}{indent}")), newline, unit }
    }

    fn new_file() -> Self {
        Self { lines: Some("\n  ".to_owned()), newline: "\n", unit: "  ".to_owned() }
    }

    /// A line of its own, where a comment makes one necessary.
    pub(super) fn forced(&self) -> String {
        self.lines.clone().unwrap_or_else(|| format!("{}{}", self.newline, self.unit))
    }
}

/// An entry with the containers for `missing` around it, without what stands before it.
pub(super) fn body(missing: &[&str], slot: &Slot, paper: &Paper) -> String {
    let Some((key, below)) = missing.split_first() else {
        return match slot {
            Slot::Member { name, value, .. } => format!("\"{name}\": {value}"),
            Slot::Companion { name, value } => format!("\"{name}\": {value}"),
            Slot::Element { value, .. } => value.clone(),
        };
    };
    let (open, close) = match slot {
        Slot::Element { .. } if below.is_empty() => ('[', ']'),
        Slot::Element { .. } | Slot::Member { .. } | Slot::Companion { .. } => ('{', '}'),
    };
    let deeper = Paper {
        lines: paper.lines.as_ref().map(|lines| format!("{lines}{}", paper.unit)),
        newline: paper.newline,
        unit: paper.unit.clone(),
    };
    let (first, last) = (deeper.lines.as_deref().unwrap_or(""), paper.lines.as_deref().unwrap_or(""));
    format!("\"{key}\": {open}{first}{}{last}{close}", body(below, slot, &deeper))
}

/// A file with nothing but this entry.
pub(super) fn created(entry: &Entry) -> String {
    format!("{{\n  {}\n}}\n", body(entry.path, &entry.slot, &Paper::new_file()))
}

/// The entry's value with the members that somebody added to the one that is there.
pub(super) fn merged(entry: &Entry, there: Value) -> String {
    let wanted = match &entry.slot {
        Slot::Member { value, .. } | Slot::Element { value, .. } => value.as_str(),
        Slot::Companion { value, .. } => value,
    };
    let known: Value = serde_json::from_str(wanted).unwrap_or_default();
    let (Value::Object(there), Value::Object(known)) = (there, known) else {
        return wanted.to_owned();
    };
    let Some(open) = wanted.strip_suffix('}') else {
        return wanted.to_owned();
    };
    let mut merged = open.to_owned();
    for (key, value) in there.iter().filter(|(key, _)| !known.contains_key(*key)) {
        merged.extend([", ", &Value::from(key.as_str()).to_string(), ": ", &value.to_string()]);
    }
    merged + "}"
}

/// Where something new goes behind the last item of `holder`, or into it where it is empty.
pub(super) struct Spot {
    /// Where a comma has to be written first.
    pub comma_at: Option<usize>,
    /// Whether a comma stood behind the last item already; one stands behind the new one, then.
    pub trailing: bool,
    pub at: usize,
    /// What stands before it.
    pub lead: String,
}

impl Spot {
    pub(super) fn behind(text: &str, holder: &Container, paper: &Paper) -> Self {
        let Some(last) = holder.items.last() else {
            return Self::inside(text, holder, paper);
        };
        let comma = comma_after(text, last.end);
        let (at, ended) = behind_comments(text, comma.map_or(last.end, |comma| comma + 1));
        let lead = match (&paper.lines, ended) {
            (Some(lines), _) => lines.clone(),
            (None, true) => paper.forced(),
            (None, false) => " ".to_owned(),
        };
        let comma_at = if comma.is_some() { None } else { Some(last.end) };
        Self { comma_at, trailing: comma.is_some(), at, lead }
    }

    fn inside(text: &str, holder: &Container, paper: &Paper) -> Self {
        let all: Vec<_> = pieces(text, holder.inside).take_while(|(_, range)| range.end <= holder.close).collect();
        let comment = all.iter().rev().find(|(piece, _)| *piece != Piece::Blank);
        let lines = text[holder.inside..holder.close].contains('\n');
        match comment {
            None => Self { comma_at: None, trailing: false, at: holder.inside, lead: " ".to_owned() },
            Some((piece, range)) => {
                let lead = if lines || *piece == Piece::LineComment { paper.forced() } else { " ".to_owned() };
                Self { comma_at: None, trailing: false, at: range.end, lead }
            }
        }
    }
}

/// Behind the comments that stand on the same line, and whether the last of them reaches to its end.
fn behind_comments(text: &str, from: usize) -> (usize, bool) {
    let mut at = from;
    for (piece, range) in pieces(text, from) {
        match piece {
            Piece::Blank | Piece::BlockComment if text[range.clone()].contains('\n') => break,
            Piece::Blank => {}
            Piece::LineComment => return (range.end, true),
            Piece::BlockComment => at = range.end,
            Piece::Comma => break,
        }
    }
    (at, false)
}
