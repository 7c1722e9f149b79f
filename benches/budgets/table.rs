//! What was measured, a row each.

use std::fmt;

use crate::race::Raced;

#[derive(Default)]
pub struct Table(Vec<Row>);

struct Row {
    what: String,
    ours: f64,
    beside: Beside,
    budget: Option<f64>,
}

/// What a time is held against.
enum Beside {
    /// Another command, in the same run: its name, its time, and the ratio.
    Yardstick { name: String, theirs: f64, ratio: f64 },
    /// The budget itself, in milliseconds.
    Clock,
}

impl Table {
    /// A row that has to stay within so many times its yardstick.
    pub fn budget(&mut self, what: &str, name: &str, raced: &Raced, times: f64) {
        self.add(what, name, raced, Some(times));
    }

    /// A row for information.
    pub fn told(&mut self, what: &str, name: &str, raced: &Raced) {
        self.add(what, name, raced, None);
    }

    /// A row that has to stay below so many milliseconds.
    pub fn clock(&mut self, what: &str, ours: f64, most: f64) {
        self.push(Row { what: what.to_owned(), ours, beside: Beside::Clock, budget: Some(most) });
    }

    /// Each row is told at once, since whoever waits for minutes wants to see something.
    fn push(&mut self, row: Row) {
        eprintln!("{row}");
        self.0.push(row);
    }

    fn add(&mut self, what: &str, name: &str, raced: &Raced, budget: Option<f64>) {
        let beside = Beside::Yardstick { name: name.to_owned(), theirs: raced.theirs, ratio: raced.ratio };
        self.push(Row { what: what.to_owned(), ours: raced.ours, beside, budget });
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "| what | ms | yardstick | ms | ratio | budget | kept |")?;
        writeln!(out, "|---|--:|---|--:|--:|--:|---|")?;
        self.0.iter().try_for_each(|row| writeln!(out, "{row}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, ours, beside, budget } = self;
        let (name, theirs, reached, unit) = match beside {
            Beside::Yardstick { name, theirs, ratio } => (name.as_str(), format!("{theirs:.2}"), *ratio, "×"),
            Beside::Clock => ("the clock", String::new(), *ours, "ms"),
        };
        let ratio = if theirs.is_empty() { String::new() } else { format!("{reached:.2}") };
        let kept = budget.map_or("", |most| if reached <= most { "yes" } else { "NO" });
        let most = budget.map(|most| format!("{most} {unit}")).unwrap_or_default();
        write!(out, "| {what} | {ours:.2} | {name} | {theirs} | {ratio} | {most} | {kept} |")
    }
}
