//! Putting lines into a file of somebody else's: its other bytes, its line ends and its kind of bullets stay.

use std::ops::Range;

use super::changelog::same_entry;
use crate::domain::outline::{self, Fences, Stands};

/// A file, line by line, each with its own end.
pub(super) struct Lines {
    lines: Vec<String>,
    end: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub line: usize,
    pub level: usize,
    pub title: String,
}

impl Lines {
    /// Takes a file apart.
    pub fn read(text: &str) -> Self {
        let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let windows = lines.iter().filter(|line| line.ends_with("\r\n")).count();
        Self { end: if windows * 2 > lines.len() { "\r\n" } else { "\n" }, lines }
    }

    /// The file again.
    pub fn text(&self) -> String {
        self.lines.concat()
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Its headings outside of code and comments.
    pub fn headings(&self) -> Vec<Heading> {
        let mut found = Vec::new();
        let mut code = Fences::new(Stands::Anywhere);
        let mut comment = false;
        for (index, line) in self.lines.iter().enumerate() {
            let line = line.trim_end();
            if !code.is_open() && (comment || line.trim_start().starts_with("<!--")) {
                comment = !line.contains("-->");
            } else if !code.holds(line)
                && let Some((level, title)) = outline::heading(line)
            {
                found.push(Heading { line: index, level, title: title.to_owned() });
            }
        }
        found
    }

    pub fn has_text(&self, range: Range<usize>) -> bool {
        self.lines[range].iter().any(|line| !line.trim().is_empty())
    }

    /// Adds an entry at the end of the list in these lines, or puts it in the place of the entry that begins like it.
    pub fn add_to_list(&mut self, range: Range<usize>, entry: &[String]) {
        let mark = self.mark(range.clone());
        let entry: Vec<String> = entry.iter().map(|line| marked(line, mark)).collect();
        let Some(first) = entry.first() else { return };
        let begins = |line: &str| line.starts_with(['-', '*', '+']);
        if let Some(at) = range.clone().find(|at| begins(&self.lines[*at]) && same_entry(&self.lines[*at], first)) {
            let below = self.lines[at + 1..range.end].iter().take_while(|line| line.starts_with([' ', '\t'])).count();
            let last = at + below;
            let ended = self.lines[last].ends_with('\n');
            let mut new = self.ended(&entry);
            if !ended && let Some(line) = new.last_mut() {
                line.truncate(line.trim_end().len());
            }
            self.lines.splice(at..=last, new);
            return;
        }
        let text = range.clone().rev().find(|at| !self.lines[*at].trim().is_empty());
        match text {
            Some(last) => {
                self.end_line(last);
                let new = self.ended(&entry);
                let next = last + 1;
                self.lines.splice(next..next, new);
            }
            None => self.add_block(range.start, &entry),
        }
    }

    pub fn add_section(&mut self, at: usize, heading: &str, body: &[String]) {
        let block: Vec<String> = [heading.to_owned(), String::new()].into_iter().chain(body.iter().cloned()).collect();
        self.add_block(at, &block);
    }

    /// Puts lines in the place of others, with a blank line on both sides.
    pub fn replace(&mut self, range: Range<usize>, block: &[String]) {
        let at = range.start;
        self.lines.drain(range);
        self.add_block(at, block);
    }

    /// Lines before this line, with a blank line on both sides.
    pub fn add_block(&mut self, at: usize, block: &[String]) {
        let mut new = self.ended(block);
        if at > 0 {
            self.end_line(at - 1);
            if !self.lines[at - 1].trim().is_empty() {
                new.insert(0, self.end.to_owned());
            }
        }
        if self.lines.get(at).is_some_and(|next| !next.trim().is_empty()) {
            new.push(self.end.to_owned());
        }
        self.lines.splice(at..at, new);
    }

    /// The last line of a file may have no end.
    fn end_line(&mut self, at: usize) {
        if !self.lines[at].ends_with('\n') {
            self.lines[at].push_str(self.end);
        }
    }

    fn ended(&self, lines: &[String]) -> Vec<String> {
        lines.iter().map(|line| format!("{line}{}", self.end)).collect()
    }

    fn mark(&self, range: Range<usize>) -> char {
        let first =
            self.lines[range].iter().find_map(|line| line.chars().next().filter(|one| matches!(one, '-' | '*' | '+')));
        first.unwrap_or('-')
    }
}

fn marked(line: &str, mark: char) -> String {
    let bare = line.trim_start();
    match bare.strip_prefix("- ") {
        Some(rest) => format!("{}{mark} {rest}", &line[..line.len() - bare.len()]),
        None => line.to_owned(),
    }
}
