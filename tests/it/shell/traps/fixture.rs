//! The traps as data: `fixtures/traps`. A row that is not what its columns say is an error, so that nothing in it can be
//! taken for something else: a blank in place of a tab once made file content of the commands of forty traps.

const FILES: &str = include_str!("../../../../fixtures/traps/files.tsv");
const GIT: &str = include_str!("../../../../fixtures/traps/git.tsv");
const HARMLESS: &str = include_str!("../../../../fixtures/traps/harmless.tsv");
const REFUSED: &str = include_str!("../../../../fixtures/traps/refused.tsv");
const QUIET: &str = include_str!("../../../../fixtures/traps/quiet.tsv");

/// What stands between commands, and between variables.
const BETWEEN: &str = " ;; ";

#[derive(Debug, Default)]
pub struct Trap {
    pub name: String,
    /// Path and content.
    pub files: Vec<(String, String)>,
    /// Key and value.
    pub settings: Vec<(String, String)>,
    /// Name and value.
    pub variables: Vec<(String, String)>,
    /// Commands that are allowed where the trap is not.
    pub commands: Vec<String>,
    /// Commands that are refused everywhere.
    pub refused: Vec<String>,
}

impl Trap {
    pub fn tried(&self) -> impl Iterator<Item = &String> {
        self.commands.iter().chain(&self.refused)
    }
}

/// The columns of each row, which are as many as `count` says, none of them empty.
fn rows<'t>(text: &'t str, count: usize) -> Result<Vec<Vec<&'t str>>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let row = |line: &'t str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let is_whole = columns.len() == count && columns.iter().all(|column| !column.trim().is_empty());
        if is_whole { Ok(columns) } else { Err(format!("a row has {count} columns, and a tab between them: {line}")) }
    };
    lines.map(row).collect()
}

fn commands(column: &str) -> Result<Vec<String>, String> {
    if column == "-" {
        return Ok(Vec::new());
    }
    let commands: Vec<String> = column.split(BETWEEN).map(str::to_owned).collect();
    match commands.iter().find(|command| command.trim().is_empty() || variable(command).is_ok()) {
        Some(odd) => Err(format!("no command that could be allowed: {odd:?}")),
        None => Ok(commands),
    }
}

/// `NAME=value`.
fn variable(text: &str) -> Result<(String, String), String> {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || "_0123456789".contains(c));
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err(format!("no variable: {text:?}")),
    }
}

/// The traps of a table like `files.tsv`, in its order.
fn files(text: &str) -> Result<Vec<Trap>, String> {
    let mut traps: Vec<Trap> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let begins = traps.last().is_none_or(|trap| trap.name != columns[0]);
        let (least, most) = if begins { (4, 5) } else { (2, 3) };
        if columns.len() < least || columns.len() > most {
            return Err(format!("{least} to {most} columns, and a tab between them: {line}"));
        }
        if columns.get(2).is_some_and(|content| content.contains(BETWEEN)) {
            return Err(format!("commands stand in the content: {line}"));
        }
        if begins {
            if traps.iter().any(|trap| trap.name == columns[0]) {
                return Err(format!("the rows of a trap stand together: {line}"));
            }
            let variables = match columns.get(4) {
                Some(all) => all.split(BETWEEN).map(variable).collect::<Result<Vec<_>, String>>()?,
                None => Vec::new(),
            };
            let commands = commands(columns[3])?;
            traps.push(Trap { name: columns[0].to_owned(), commands, variables, ..Trap::default() });
        }
        if let Some(trap) = traps.last_mut().filter(|_| columns[1] != "none") {
            let content = columns.get(2).copied().unwrap_or_default();
            trap.files.push((columns[1].to_owned(), content.replace('␤', "\n")));
        }
    }
    Ok(traps)
}

/// The settings of a table like `git.tsv`, each with a program beside it.
fn settings(text: &str) -> Result<Vec<Trap>, String> {
    let trap = |row: Vec<&str>| -> Result<Trap, String> {
        Ok(Trap {
            name: row[0].to_owned(),
            files: vec![("evil".to_owned(), "{script}".to_owned())],
            settings: vec![(row[0].to_owned(), row[1].to_owned())],
            commands: commands(row[2])?,
            ..Trap::default()
        })
    };
    rows(text, 3)?.into_iter().map(trap).collect()
}

/// Every trap: those that are files first, then those that are settings of git.
pub fn all() -> Vec<Trap> {
    let mut traps = files(FILES).unwrap();
    traps.extend(settings(GIT).unwrap());
    for row in rows(REFUSED, 3).unwrap() {
        let trap = traps.iter_mut().find(|trap| trap.name == row[0]);
        trap.unwrap_or_else(|| panic!("there is no trap {}", row[0])).refused.push(row[1].to_owned());
    }
    traps
}

pub fn of_files() -> Vec<Trap> {
    all().into_iter().filter(|trap| trap.settings.is_empty()).collect()
}

/// Settings that leave every command allowed: name, key and value.
pub fn harmless() -> Vec<(String, String)> {
    rows(HARMLESS, 2).unwrap().into_iter().map(|row| (row[0].to_owned(), row[1].to_owned())).collect()
}

/// The names of the traps that may stay quiet.
pub fn quiet() -> Vec<&'static str> {
    rows(QUIET, 2).unwrap().into_iter().map(|row| row[0]).collect()
}

#[test]
fn g37_a_row_of_the_traps_that_is_malformed_is_an_error() {
    for odd in [
        // Blanks in place of tabs, as six rows once had them.
        "x\trc\t--pre=./evil␤ rg main ;; rg -n main\tRIPGREP_CONFIG_PATH=rc\n",
        "x\trc\t--pre=./evil␤ rg main\tRIPGREP_CONFIG_PATH=rc\n",
        "x\trc\t--pre=./evil␤ rg main\n",
        "x\trc --pre=./evil\trg main\n",
        "x\trc\t--pre=./evil\trg main\trg\n",
        "x\trc\t--pre=./evil\trg main\tA=b\tc\n",
        "x\trc\t--pre=./evil\t\n",
        "x\trc\ta\tls\nx\ty\tz\tls\n",
        "x\trc\ta\tls\ny\trc\ta\tls\nx\ty\tz\n",
    ] {
        assert!(files(odd).is_err(), "{odd}");
    }
    for odd in ["core.pager ./evil\tgit log\n", "core.pager\t./evil git log\n", "core.pager\t./evil\t\n"] {
        assert!(settings(odd).is_err(), "{odd}");
    }
    let fine = files("x\trc\ta␤b\tls ;; cat x\tA=b ;; C=d\nx\ty\nz\tnone\t-\t-\n").unwrap();
    assert_eq!(fine.len(), 2);
    assert_eq!(fine[0].commands, ["ls", "cat x"]);
    assert_eq!(fine[0].variables.len(), 2);
    assert_eq!(fine[0].files, [("rc".to_owned(), "a\nb".to_owned()), ("y".to_owned(), String::new())]);
    assert!(fine[1].files.is_empty() && fine[1].commands.is_empty());
}

#[test]
fn g37_a_trap_that_may_stay_quiet_or_is_refused_is_one() {
    let names: Vec<String> = all().into_iter().map(|trap| trap.name).collect();
    for name in quiet() {
        assert!(names.iter().any(|one| one == name), "there is no trap {name}");
    }
}
