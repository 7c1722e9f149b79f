//! `sqlite3`: statements that select, and dot-commands that show.

use super::line::Line;
use super::read::script;
use super::scene::Scene;
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;
use crate::policy::surroundings::{Content, Found, Reach, What};

/// Statements and dot-commands that only read. Without `-readonly` only what shows the schema may be asked, and only of a
/// database that is opened without a change to any file.
pub(super) fn judge(line: &Line<'_>, scene: &Scene<'_>) -> Result<(), Refused> {
    const SHOWS: &[&str] = &[
        ".tables",
        ".schema",
        ".databases",
        ".indexes",
        ".indices",
        ".dbinfo",
        ".show",
        ".fullschema",
        ".stats",
        ".help",
    ];
    const SELECTS: &[&str] = &["select", "explain", "values"];
    let Some((database, statements)) = line.operands.split_first() else {
        return Err(Refused::new(line.command, format!("`{}` would read its statements from its input", line.command)));
    };
    if statements.is_empty() {
        return Err(Refused::new(line.command, format!("`{}` would read its statements from its input", line.command)));
    }
    let guarded = line.has_one_of("-readonly --readonly");
    for word in statements {
        let text = script(line, word)?.trim();
        let refused =
            || Refused::new(&word.text, format!("`{}` with `{text}` is not known to be read-only", line.command));
        // A line of its own may be a dot-command, and some functions load code or write files.
        if text.contains('\n') {
            return Err(refused());
        }
        let lower = text.to_ascii_lowercase();
        let first = lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).next().unwrap_or_default();
        if !guarded && !SHOWS.contains(&first) {
            return Err(writes(line.command));
        }
        let runs = ["load_extension", "writefile", "edit", "attach", "into"].iter().any(|word| lower.contains(word));
        if runs || !(SHOWS.contains(&first) || SELECTS.contains(&first)) {
            return Err(refused());
        }
    }
    if guarded || scene.places.folders().all(|folder| is_at_rest(database, folder, scene)) {
        return Ok(());
    }
    Err(writes(line.command))
}

fn writes(command: &str) -> Refused {
    Refused::new(command, format!("add `-readonly`: `{command}` may write the database, or create it"))
}

/// Whether opening the database changes no file: it is there, it keeps no log beside it, and nothing was left of a
/// transaction that has to be undone.
fn is_at_rest(database: &Word, folder: &str, scene: &Scene<'_>) -> bool {
    let Some(name) = database.known() else {
        return false;
    };
    let found = |name: &str| scene.around.find(folder, Reach::Here, name);
    let databases = found(name);
    let plain = |found: &Found| match &found.what {
        What::File(Content::Bytes(bytes)) => is_plain(bytes),
        What::File(Content::Text(text)) => is_plain(text.as_bytes()),
        What::Folder | What::Unclear => false,
    };
    !databases.is_empty()
        && databases.iter().all(plain)
        && ["-journal", "-wal", "-shm"].iter().all(|ending| found(&format!("{name}{ending}")).is_empty())
}

/// Whether a file's header says that it is a database without a write-ahead log.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0") && bytes.get(18..20) == Some(&[1, 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_database_without_a_log_is_plain() {
        let header = |mode: u8| [b"SQLite format 3\0".as_slice(), &[16, 0, mode, mode, 0]].concat();
        assert!(is_plain(&header(1)));
        assert!(!is_plain(&header(2)));
        assert!(!is_plain(b"") && !is_plain(b"SQLite format 3\0") && !is_plain(b"text"));
    }
}
