//! `fixtures/matrix.tsv`: what is expected, and how it is compared and rewritten.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::cell::Cell;
use super::gits::{Age, Git};
use super::operations::OPERATIONS;
use super::played::{COLUMNS, Row};

/// The cells of an operation for an age.
type Rows = BTreeMap<(String, Age), Vec<String>>;

pub struct Expected {
    head: String,
    rows: Rows,
    text: String,
}

impl Expected {
    pub fn read() -> Self {
        let text = std::fs::read_to_string(path()).unwrap();
        let head = text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let mut rows = Rows::new();
        for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let mut cells = line.split('\t').map(|cell| cell.trim().to_owned());
            let (name, age) = (cells.next().unwrap(), cells.next().unwrap());
            let age = Age::named(&age).unwrap_or_else(|| panic!("no such age: {line}"));
            assert!(OPERATIONS.iter().any(|operation| operation.name == name), "no such operation: {line}");
            rows.insert((name, age), cells.collect());
        }
        Self { head, rows, text }
    }

    /// The cells for an operation with a git; those of an age of its own first.
    fn of(&self, name: &str, age: Age) -> Option<&Vec<String>> {
        self.rows.get(&(name.to_owned(), age)).or_else(|| self.rows.get(&(name.to_owned(), Age::Usual)))
    }

    /// Says where reality differs; nothing if it does not.
    pub fn compare(&self, git: &Git, rows: &[Row]) -> String {
        let mut complaints = String::new();
        for row in rows {
            let expected = self.of(&row.name, git.age()).cloned().unwrap_or_default();
            for (index, column) in COLUMNS.iter().enumerate() {
                let (wanted, got) = (expected.get(index).map_or("", String::as_str), &row.cells[index]);
                if wanted != got.text {
                    complaints += &format!(
                        "\ngit {}, `{}`, {}: expected \"{wanted}\", got \"{}\"\n{}",
                        git.version, row.name, column.name, got.text, got.said
                    );
                }
            }
        }
        complaints
    }

    /// Takes what happened for the truth. An age of its own has a row only where it differs.
    pub fn bless(&mut self, git: &Git, rows: &[Row]) {
        for row in rows {
            let cells = row.cells.iter().map(|cell| cell.text.clone()).collect();
            self.rows.insert((row.name.clone(), git.age()), cells);
        }
    }

    /// Writes the fixture if it was blessed.
    pub fn write(&self) {
        let columns: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let mut text = format!("{}operation\tgit\t{}\n", self.head, columns.join("\t"));
        for operation in OPERATIONS {
            let usual = self.rows.get(&(operation.name.to_owned(), Age::Usual));
            for age in [Age::Usual, Age::Old, Age::New] {
                let cells = self.rows.get(&(operation.name.to_owned(), age));
                if let Some(cells) = cells.filter(|cells| age == Age::Usual || Some(*cells) != usual) {
                    text += &format!("{}\t{}\t{}\n", operation.name, age.name(), cells.join("\t"));
                }
            }
        }
        if text != self.text {
            std::fs::write(path(), text).unwrap();
        }
    }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/matrix.tsv")
}

#[test]
fn the_fixture_has_every_operation_once() {
    let expected = Expected::read();
    for operation in OPERATIONS {
        let cells = expected.rows.get(&(operation.name.to_owned(), Age::Usual));
        assert!(cells.is_some_and(|cells| cells.len() == COLUMNS.len()), "{}", operation.name);
        assert_eq!(OPERATIONS.iter().filter(|other| other.name == operation.name).count(), 1, "{}", operation.name);
    }
}

#[test]
fn a_cell_that_differs_is_told_with_what_was_printed() {
    let expected = Expected::read();
    let git = Git { version: "2.47.3".to_owned(), dir: PathBuf::new() };
    let cell = |text: &String| Cell { text: text.clone(), said: "what was said".to_owned() };
    let cells = expected.of("commit", Age::Usual).unwrap().iter().map(cell).collect();
    let mut row = Row { name: "commit".to_owned(), cells };
    assert_eq!(expected.compare(&git, std::slice::from_ref(&row)), "");
    "done HR".clone_into(&mut row.cells[1].text);
    let complaint = expected.compare(&git, &[row]);
    assert!(complaint.contains("`commit`, hooks: expected \"refused\", got \"done HR\"\nwhat was said"), "{complaint}");
}
