//! Reads a plan from a text: the numbered list under a line `Plan:` or a heading `Plan`, and nothing else (P11).

use super::code::{Code, indent};
use super::{Refusal, Steps};
use crate::domain::text::{Line, plain_line_ends};

/// The largest text that is read for a plan, in bytes.
pub const LARGEST_TEXT: usize = 256 * 1024;

/// Reads the plan in a message; none where it has none.
pub fn from_message(text: &str) -> Result<Option<Steps>, Refusal> {
    let text = plain(text)?;
    let lines: Vec<&str> = text.lines().collect();
    under_header(&lines).map(|(items, _)| Steps::parse(&items)).transpose()
}

/// Reads the plan that a person hands in; without a header the text has to be a numbered list and nothing else.
pub fn set_from(text: &str) -> Result<Steps, Refusal> {
    let text = plain(text)?;
    let lines: Vec<&str> = text.lines().collect();
    let items = match under_header(&lines) {
        Some((items, behind)) => match cut_short(behind) {
            Some(line) => return Err(Refusal::PlanCutShort { step: items.len(), line: Line::clipped(line) }),
            None => items,
        },
        None => whole_list(&lines).ok_or(Refusal::NoPlanInText)?,
    };
    Steps::parse(&items)
}

/// A step as an item of a numbered list, which can be read back.
pub fn item(number: u32, text: &str) -> String {
    let mark = format!("{number}. ");
    let indent = format!("\n{}", " ".repeat(mark.len()));
    format!("{mark}{}\n", text.replace('\n', &indent))
}

fn plain(text: &str) -> Result<String, Refusal> {
    if text.len() > LARGEST_TEXT {
        return Err(Refusal::TextTooLarge { bytes: text.len() });
    }
    Ok(plain_line_ends(text))
}

/// The items of the first list that stands right under a header, and the lines behind it.
fn under_header<'l, 't>(lines: &'l [&'t str]) -> Option<(Vec<String>, &'l [&'t str])> {
    let mut code = Code::default();
    let mut headers = (0..lines.len()).filter(|at| !code.holds(lines[*at]) && is_header(lines[*at]));
    headers.find_map(|at| {
        let (items, taken) = numbered_list(&lines[at + 1..]);
        (!items.is_empty()).then(|| (items, &lines[at + 1 + taken..]))
    })
}

/// The line at which a list ends, though its numbers go on behind it: a person would not see that steps are lost.
fn cut_short<'t>(behind: &[&'t str]) -> Option<&'t str> {
    let goes_on = |line: &&str| {
        let (column, text) = indent(line);
        let digits = text.split(|one: char| !one.is_ascii_digit()).next().unwrap_or_default();
        column <= 3 && numbered(text).is_some() && digits.parse::<u64>().is_ok_and(|number| number > 1)
    };
    let line = behind.iter().find(|line| !line.trim().is_empty())?;
    behind.iter().any(goes_on).then_some(*line)
}

/// The items of a text that is one list.
fn whole_list(lines: &[&str]) -> Option<Vec<String>> {
    let (items, behind) = numbered_list(lines);
    let whole = lines[behind..].iter().all(|line| line.trim().is_empty());
    (whole && !items.is_empty()).then_some(items)
}

const HEADERS: [&str; 5] = ["plan:", "**plan:**", "**plan**:", "__plan:__", "__plan__:"];
/// Forms of a heading, which needs no colon.
const HEADINGS: [&str; 3] = ["plan", "**plan**", "__plan__"];

fn is_header(line: &str) -> bool {
    let (column, text) = indent(line);
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading = level > 0 && title.starts_with([' ', '\t']);
    let title = if level == 0 { title } else { title.trim_end().trim_end_matches('#') };
    let is_one = |of: &[&str]| of.iter().any(|header| title.trim().eq_ignore_ascii_case(header));
    column <= 3 && level <= 6 && (is_one(&HEADERS) || is_heading && is_one(&HEADINGS))
}

/// The items of the numbered list that these lines begin with, behind blank ones, and how many lines it takes.
fn numbered_list(lines: &[&str]) -> (Vec<String>, usize) {
    let mut items: Vec<String> = Vec::new();
    // The column of the first number, and that of the last item's text.
    let (mut margin, mut offset) = (0, 0);
    let (mut blank, mut taken) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        let (column, text) = indent(line);
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        let outermost = if items.is_empty() { column <= 3 } else { column <= margin + 1 };
        if let Some((width, text)) = numbered(text).filter(|_| outermost) {
            if items.is_empty() {
                margin = column;
            }
            offset = column + width;
            items.push(text.to_owned());
        } else if let Some(item) = items.last_mut().filter(|_| column > margin) {
            // Indented, so it belongs to the step, with the blank lines before it.
            item.push_str(&"\n".repeat(blank + 1));
            item.push_str(&" ".repeat(column.saturating_sub(offset)));
            item.push_str(text);
        } else {
            break;
        }
        (blank, taken) = (0, at + 1);
    }
    (items, taken)
}

/// The text behind the number of an item, and the width of what stands before it.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let behind = text.trim_start_matches(|one: char| one.is_ascii_digit());
    let digits = text.len() - behind.len();
    let behind = behind.strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&digits))?;
    let item = behind.trim_start_matches([' ', '\t']);
    let blanks = behind.len() - item.len();
    let text_begins = (1..=4).contains(&blanks) && !item.is_empty();
    let width = digits + 1 + if text_begins { blanks } else { 1 };
    (item.is_empty() || blanks > 0).then_some((width, item))
}
