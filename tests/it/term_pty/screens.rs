//! Screens kept as text in `fixtures/screens`, one file each: the size of the window and the place of the cursor, then
//! the rows as they are seen. `GRILL_BLESS=1 cargo test --test it term_pty` rewrites them; read what changed.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::pty::Pty;

/// A screen that is to come is there in milliseconds; the rest is for a busy machine.
const LIMIT: Duration = Duration::from_mins(2);
/// A screen that is written down has stood still for so long.
const SETTLED: Duration = Duration::from_millis(600);
const STEP: Duration = Duration::from_millis(10);

/// Waits until the screen is the one kept under this name.
#[track_caller]
pub(super) fn expect(pty: &Pty, name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/screens").join(format!("{name}.txt"));
    if std::env::var_os("GRILL_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        return fs::write(&path, settled(pty)).expect("a screen can be kept");
    }
    let kept = fs::read_to_string(&path).unwrap_or_else(|_| panic!("no screen is kept as {}", path.display()));
    let started = Instant::now();
    while seen(pty) != kept {
        assert!(started.elapsed() < LIMIT, "{name}: the screen is\n{}\nand not\n{kept}", seen(pty));
        thread::sleep(STEP);
    }
}

fn seen(pty: &Pty) -> String {
    let (row, column) = pty.cursor();
    let (rows, columns) = pty.size();
    let screen = pty.screen();
    let lines = screen.trim_end().lines().map(|line| line.trim_end().to_owned() + "\n");
    format!(
        "{columns} columns, {rows} rows; the cursor in row {}, column {}\n{}",
        row + 1,
        column + 1,
        lines.collect::<String>()
    )
}

fn settled(pty: &Pty) -> String {
    let mut last = seen(pty);
    let mut since = Instant::now();
    while since.elapsed() < SETTLED {
        thread::sleep(STEP);
        let now = seen(pty);
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    last
}
