//! The marks of done steps in a message: `[DONE:n]` and `[done: n]`, in whatever letter case (P20). What stands in code is
//! an example and no mark.

use std::collections::{BTreeMap, BTreeSet};

use super::MOST_STEPS;
use super::code::{Code, is_alone, may_begin_block};
use crate::domain::text::plain_line_ends;

/// The numbers of the steps that a message marks, each once, in the order of the text.
pub fn marks(text: &str) -> Vec<u32> {
    let text = plain_line_ends(text);
    let mut code = Code::default();
    let mut found = Vec::new();
    let mut block = Block::default();
    for line in text.lines() {
        let (is_code, alone) = (code.holds(line), is_alone(line));
        if is_code || alone {
            block.end(&mut found);
        }
        if !is_code {
            block.add(line);
        }
        if alone {
            block.end(&mut found);
        }
    }
    block.end(&mut found);
    found
}

/// Lines that inline code may span, and the places in them behind which it may begin anew.
#[derive(Default)]
struct Block {
    text: String,
    starts: Vec<usize>,
}

impl Block {
    fn add(&mut self, line: &str) {
        if may_begin_block(line) {
            self.starts.push(self.text.len());
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Takes the marks that are in no inline code, whether the lines are one paragraph or the items of a list.
    fn end(&mut self, found: &mut Vec<u32>) {
        let whole: BTreeSet<usize> = outside_code(&self.text).into_iter().map(|(place, _)| place).collect();
        let ends = self.starts.iter().copied().chain([self.text.len()]);
        let mut start = 0;
        for end in ends {
            for (place, number) in outside_code(&self.text[start..end]) {
                if whole.contains(&(start + place)) && !found.contains(&number) {
                    found.push(number);
                }
            }
            start = end;
        }
        self.text.clear();
        self.starts.clear();
    }
}

/// The marks of a text that are in no inline code, with their places.
fn outside_code(text: &str) -> Vec<(usize, u32)> {
    let runs = Runs::of(text);
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            // The character behind it is taken as it stands, a backtick or a bracket as well.
            b'\\' => at + 2,
            b'`' => {
                let behind = at + length_of_run(&bytes[at..]);
                runs.closing(behind, behind - at).unwrap_or(behind)
            }
            b'[' => {
                found.extend(mark(&text[at..]).map(|number| (at, number)));
                at + 1
            }
            _ => at + 1,
        };
    }
    found
}

/// The mark that a text begins with, if a plan can have a step of that number.
fn mark(text: &str) -> Option<u32> {
    const WORD: &str = "[done:";
    let blanks = [' ', '\t'];
    let word = text.get(..WORD.len()).filter(|word| word.eq_ignore_ascii_case(WORD))?;
    let number = text[word.len()..].trim_start_matches(blanks);
    let behind = number.trim_start_matches(|one: char| one.is_ascii_digit());
    let digits = &number[..number.len() - behind.len()];
    let number: u32 = digits.parse().ok()?;
    let known = usize::try_from(number).is_ok_and(|number| (1..=MOST_STEPS).contains(&number));
    (known && behind.trim_start_matches(blanks).starts_with(']')).then_some(number)
}

/// The places of backticks in a row, by the length of the row: inline code ends at the next row as long as the one that
/// opened it.
struct Runs(BTreeMap<usize, Vec<usize>>);

impl Runs {
    fn of(block: &str) -> Self {
        let bytes = block.as_bytes();
        let mut runs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut at = 0;
        while at < bytes.len() {
            let length = length_of_run(&bytes[at..]);
            if length > 0 {
                runs.entry(length).or_default().push(at);
            }
            at += length.max(1);
        }
        Self(runs)
    }

    /// The place behind the row that closes what a row of this length opened; none if nothing does, and the row is text.
    fn closing(&self, from: usize, length: usize) -> Option<usize> {
        let places = self.0.get(&length)?;
        let next = places.partition_point(|place| *place < from);
        places.get(next).map(|place| place + length)
    }
}

fn length_of_run(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| **byte == b'`').count()
}
