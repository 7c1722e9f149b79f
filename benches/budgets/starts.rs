//! What `start` costs in a repository of 50,000 files, where the baseline looks at each of them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::race::{LONG, Lane, race};
use crate::table::Table;
use crate::world::{GRILL, World};

const FILES: usize = 50_000;
const YARDSTICK: &str = "git add -A, git write-tree, in an index of their own";

/// With a working tree as it was checked out, and with one file changed.
pub fn measure(world: &World, table: &mut Table) {
    let dir = large(world);
    // git's own commands begin with what the user's index knows, as we do.
    let index = world.path("index").display().to_string();
    let theirs = Lane::new(&dir, &["sh", "-c", "git add -A && git write-tree"]).with("GIT_INDEX_FILE", &index);
    let theirs = [theirs.before(&format!("cp .git/index {index}"))];
    let stop = format!("{GRILL} stop --without-output >/dev/null 2>&1; :");
    for (what, research) in [("start, 50,000 files, research off", "off"), ("start, 50,000 files, with a look", "auto")]
    {
        let ours = Lane::new(&dir, &[GRILL, "start", "--research", research, "rate limiting"]).before(&stop);
        table.budget(what, YARDSTICK, &race(world, &ours, &theirs, LONG), 1.5);
    }
}

fn large(world: &World) -> PathBuf {
    let dir: &Path = &world.path("large");
    fs::create_dir(dir).unwrap();
    world.run(dir, &["git", "init", "-q"]);
    let mut stream = "commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 5\nfiles".to_owned();
    for number in 0..FILES {
        let text = format!("// file {number}\npub struct Part{number};\n").repeat(10 + number % 40);
        let path = format!("crates/part{}/src/area{}/file{number}.rs", number % 40, number % 7);
        write!(stream, "\nM 100644 inline {path}\ndata {}\n{text}", text.len()).unwrap();
    }
    stream.push('\n');
    world.fed(dir, &["git", "fast-import", "--quiet"], &stream);
    world.run(dir, &["git", "reset", "-q", "--hard"]);
    // An index as it is after a moment: entries as young as it would have to be read again.
    world.shell(dir, "sleep 2; git update-index --refresh; git status --short");
    dir.to_owned()
}
