//! A section's lines as items, whoever wrote them: bullets of any mark, numbers, paragraphs, quotations, code and tables.

use super::super::inline::inline;
use super::item::{Detail, Item};
use crate::domain::harmless::harmless;
use crate::domain::outline::{Fence, behind_mark};

/// The line above code or a table that stands alone.
const INTRODUCTION: &str = "As follows:";

pub(in super::super) fn items(lines: &[String]) -> Vec<Item> {
    let mut reader = Reader::default();
    for line in lines {
        reader.read(line);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    items: Vec<Item>,
    /// Code that has not ended yet.
    code: Option<(Fence, Vec<String>)>,
    /// Whether a blank line came before.
    fresh: bool,
}

impl Reader {
    fn read(&mut self, line: &str) {
        if let Some((fence, lines)) = &mut self.code {
            lines.push(line.trim_end().to_owned());
            if fence.closed_by(line.trim_start()) {
                self.end_code();
            }
            return;
        }
        let bare = line.trim();
        // A mark without words says nothing either.
        if bare.is_empty() || ["-", "*", "+"].contains(&bare) {
            self.fresh = true;
            return;
        }
        let indented = line.starts_with([' ', '\t']);
        let fresh = std::mem::take(&mut self.fresh);
        if let Some(fence) = Fence::opened_by(bare) {
            self.code = Some((fence, vec![line.trim_end().to_owned()]));
        } else if let Some(quoted) = bare.strip_prefix('>') {
            let quoted = format!("> {}", inline(quoted)).trim_end().to_owned();
            self.add_to_block(quoted, indented || !fresh);
        } else if bare.starts_with('|') && bare.len() > 1 {
            // A row cannot open anything but itself; only HTML in it could.
            let row = inline(bare).trim_start_matches('\\').to_owned();
            self.add_to_block(row, indented || !fresh);
        } else if let Some(text) = bullet(bare) {
            match self.items.last_mut() {
                Some(item) if indented => item.details.push(Detail::parse(text)),
                Some(_) | None => self.items.push(Item { lines: vec![inline(text)], ..Item::default() }),
            }
        } else {
            self.words(bare, indented || !fresh);
        }
    }

    /// Words without a mark: more of what is there, or a paragraph of their own.
    fn words(&mut self, text: &str, continues: bool) {
        let text = inline(text);
        match self.items.last_mut() {
            // What stands behind code or a quotation would come before it if it went on with the words above.
            Some(item) if continues && item.block.is_empty() => match item.details.last_mut() {
                Some(detail) => {
                    if !detail.text.is_empty() {
                        detail.text.push(' ');
                    }
                    detail.text.push_str(&text);
                }
                None => item.lines.push(text),
            },
            Some(_) | None => self.items.push(Item { lines: vec![text], ..Item::default() }),
        }
    }

    fn add_to_block(&mut self, line: String, continues: bool) {
        let begins = |block: &[String]| block.last().is_none_or(|last| last.starts_with('>') == line.starts_with('>'));
        match self.items.last_mut() {
            Some(item) if continues => match item.details.last_mut() {
                Some(detail) if line.starts_with('>') => detail.block.push(line),
                Some(_) | None => {
                    if !begins(&item.block) {
                        item.block.push(String::new());
                    }
                    item.block.push(line);
                }
            },
            Some(_) | None => self.items.push(Item { block: vec![line], ..Item::default() }),
        }
    }

    fn end_code(&mut self) {
        let Some((fence, mut lines)) = self.code.take() else { return };
        // Code that nobody closed would swallow the rest of the document.
        if lines.len() < 2 || !lines.last().is_some_and(|last| fence.closed_by(last.trim_start())) {
            lines.push(fence.mark());
        }
        let margin = lines[0].len() - lines[0].trim_start().len();
        let cut = |line: &String| {
            let spaces = (line.len() - line.trim_start_matches(' ').len()).min(margin);
            code_line(&line[spaces..])
        };
        let lines: Vec<String> = lines.iter().map(cut).collect();
        match self.items.last_mut() {
            Some(item) if margin > 0 => {
                if !item.block.is_empty() {
                    item.block.push(String::new());
                }
                item.block.extend(lines);
            }
            Some(_) | None => self.items.push(Item { block: lines, ..Item::default() }),
        }
    }

    fn finish(mut self) -> Vec<Item> {
        self.end_code();
        self.items.retain(|item| !item.is_empty());
        // Behind the box of a task a fence is no fence, and a title needs a word: code and tables get a line above them.
        let wordless = |item: &&mut Item| item.lines.is_empty() && item.text().is_empty() && !item.block.is_empty();
        self.items.iter_mut().filter(wordless).for_each(|item| item.lines.push(INTRODUCTION.to_owned()));
        self.items
    }
}

/// The text behind a bullet's mark or number.
fn bullet(line: &str) -> Option<&str> {
    let text = behind_mark(line)?.trim();
    let task = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark));
    Some(task.unwrap_or(text)).filter(|text| !text.is_empty())
}

/// A line of code as a document keeps it: with its tabs, and nothing else that a reader does not see.
pub(super) fn code_line(line: &str) -> String {
    line.trim_end().split('\t').map(harmless).collect::<Vec<_>>().join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Item> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        items(&lines)
    }

    fn shown(text: &str) -> String {
        let lines: Vec<String> = read(text).iter().map(|item| format!("- {}\n", item.full())).collect();
        lines.concat()
    }

    #[test]
    fn what_the_interviewer_writes_comes_back_as_it_is() {
        for text in [
            "- a\n  - Reason: why\n  - Not chosen: b; c.\n",
            "- One.\n  Two.\n  - Note: x.\n",
            "- Scope:\n  > one\n  > two\n  - Note: y\n",
            "- In words:\n  - Challenged:\n    > one\n",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn what_a_hand_writes_is_read_too() {
        assert_eq!(shown("1. a\n2) b\n* [ ] c\n+ [x] d\n"), "- a\n- b\n- c\n- d\n");
        assert_eq!(shown("A paragraph\nof two lines.\n\nAnother.\n"), "- A paragraph\n  of two lines.\n- Another.\n");
        assert_eq!(shown("- a\n\n  | x | y |\n  |---|---|\n"), "- a\n\n  | x | y |\n  |---|---|\n");
        assert_eq!(shown("- a\n  ```sh\n  # no heading\n\n  x\n"), "- a\n\n  ```sh\n  # no heading\n\n  x\n  ```\n");
        assert_eq!(shown("~~~\n<b>\n~~~~\nafter\n"), "- As follows:\n\n  ~~~\n  <b>\n  ~~~~\n- after\n");
        assert_eq!(shown("- a:\n  > b\n  c\n"), "- a:\n  > b\n- c\n");
        assert_eq!(shown("- <!-- x\n- # y\n"), "- \\<!-- x\n- \\# y\n");
        assert_eq!(shown("- \n\n  \n"), "");
    }
}
