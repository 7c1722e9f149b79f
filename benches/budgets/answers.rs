//! What one recorded answer costs, from the start of the process to its end, the next question included; and that it costs
//! the same in a long session, in a large one, and beside many refs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::race::{Lane, Pace, Raced, race};
use crate::table::Table;
use crate::world::{GRILL, World};

const ANSWER: [&str; 3] = [GRILL, "answer", "at most 50 requests each second for each key, and 429 beyond that"];
const YARDSTICK: &str = "git commit-tree, git update-ref";
const PACE: Pace = Pace { turns: 20, runs: 10 };

/// A session of ten commits.
pub fn measure(world: &World, table: &mut Table) {
    let dir = world.session("short", 4);
    keep(world, &dir);
    table.budget("an answer, 10 commits", YARDSTICK, &answered(world, &dir, &[]), 1.5);
    table.told("the same through the git program", YARDSTICK, &answered(world, &dir, &[("GRILL_BACKEND", "git")]));
    let led = led(world, "led", 4);
    table.budget("an answer to an agent's question", YARDSTICK, &answered_for_an_agent(world, &led), 1.5);
}

/// More of everything.
pub fn measure_growth(world: &World, table: &mut Table) {
    for (commits, what) in [(1_000, "an answer, 1,000 commits"), (100_000, "an answer, 100,000 commits")] {
        let dir = world.session(&format!("commits-{commits}"), 4);
        deepen(world, &dir, commits);
        keep(world, &dir);
        table.budget(what, YARDSTICK, &answered(world, &dir, &[]), 1.5);
    }
    let dir = world.session("refs", 4);
    let head = world.run(&dir, &["git", "rev-parse", "HEAD"]);
    let mut refs = "# pack-refs with: peeled fully-peeled sorted \n".to_owned();
    for number in 0..100_000 {
        writeln!(refs, "{} refs/heads/topic/{number:06}", head.trim()).unwrap();
    }
    fs::write(dir.join(".git/packed-refs"), refs).unwrap();
    keep(world, &dir);
    table.budget("an answer, 100,000 packed refs", YARDSTICK, &answered(world, &dir, &[]), 1.5);
    let few = answered_for_an_agent(world, &led(world, "few", 4));
    table.budget("an answer to an agent, 4 questions", YARDSTICK, &few, 1.5);
    let many = answered_for_an_agent(world, &led(world, "many", 1_000));
    table.budget("an answer to an agent, 1,000 questions", YARDSTICK, &many, 1.5);
}

fn answered(world: &World, dir: &Path, vars: &[(&'static str, &str)]) -> Raced {
    let lane = vars.iter().fold(Lane::new(dir, &ANSWER), |lane, (name, value)| lane.with(name, value));
    race(world, &lane.before(&restore(dir)), &yardstick(world, dir), PACE)
}

fn answered_for_an_agent(world: &World, dir: &Path) -> Raced {
    let lane = Lane::new(dir, &[GRILL, "answer", "--choose", "1"]).before(&restore(dir));
    race(world, &lane, &yardstick(world, dir), PACE)
}

/// A commit and a ref as git's own processes make them, in the same repository and with no hook in their way.
fn yardstick(world: &World, dir: &Path) -> [Lane; 2] {
    let id = |name: &str| world.run(dir, &["git", "rev-parse", name]).trim().to_owned();
    let (tree, one) = (id("HEAD^{tree}"), id("HEAD"));
    let other = world.run(dir, &["git", "commit-tree", "-m", "other", &tree]);
    let update = ["git", "-c", "core.hooksPath=/dev/null", "update-ref", "refs/bench/x"];
    let back = format!("{} {}", shell_words::join(update), other.trim());
    // A commit that is there already would not be written.
    let message = world.path("commit-message").display().to_string();
    let another = format!("date +%N >{message}");
    [
        Lane::new(dir, &["git", "commit-tree", "-F", &message, "-p", &one, &tree]).before(&another),
        Lane::new(dir, &[update.as_slice(), &[&one]].concat()).before(&back),
    ]
}

/// A session that an agent leads, with so many questions answered and one open.
fn led(world: &World, name: &str, questions: usize) -> PathBuf {
    let dir = world.repository(name);
    world.run(&dir, &[world.starts(), "start", "--research", "off", "--interviewer", "agent:bench", "rate limiting"]);
    for number in 0..=questions {
        let request = format!(
            "{{\"question\": \"What is part {number} of the limit about?\", \"noChange\": \"it is all known\", \"options\": \
             [{{\"label\": \"A bucket of tokens\", \"description\": \"as elsewhere\"}}, {{\"label\": \"A window\"}}]}}"
        );
        let path = world.path("request.json");
        fs::write(&path, request).unwrap();
        // Nobody can be asked here, so it ends with 3 and leaves the question open.
        world.shell(&dir, &format!("{GRILL} tool ask_question <{} >/dev/null; [ $? = 3 ]", path.display()));
        if number < questions {
            world.run(&dir, &[GRILL, "answer", "--choose", "1"]);
        }
    }
    // As after a while: what is old is in a pack.
    world.shell(&dir, "git gc -q");
    keep(world, &dir);
    dir
}

/// Puts so many commits before the newest one of the session, each with its tree.
fn deepen(world: &World, dir: &Path, commits: usize) {
    let name = world.run(dir, &["git", "symbolic-ref", "GRILL_HEAD"]);
    let name = name.trim();
    let tree = world.run(dir, &["git", "rev-parse", &format!("{name}^{{tree}}")]);
    let message = world.run(dir, &["git", "log", "-1", "--format=%B", name]);
    let mut stream = String::new();
    for number in 0..commits {
        let from = if number == 0 { format!("from {name}^0\n") } else { String::new() };
        let at = 1_800_000_000 + number;
        writeln!(stream, "commit {name}\ncommitter A <a@example.org> {at} +0000\ndata {}", message.len()).unwrap();
        writeln!(stream, "{message}\n{from}M 040000 {} \n", tree.trim()).unwrap();
    }
    world.fed(dir, &["git", "-c", "core.hooksPath=/dev/null", "fast-import", "--quiet"], &stream);
}

/// What an answer changes besides objects, and how it is called where it is kept.
const CHANGED: [(&str, &str); 4] =
    [(".grill", "view"), (".git/grill", "grill"), (".git/refs/grill", "refs"), (".git/logs/refs/grill", "logs")];

/// Keeps it beside the repository.
fn keep(world: &World, dir: &Path) {
    let kept = kept(dir);
    fs::create_dir(&kept).unwrap();
    for (changed, name) in CHANGED {
        // Where everything was packed, there is no such folder.
        world.shell(dir, &format!("[ ! -e {changed} ] || cp -a {changed} {}/{name}", kept.display()));
    }
}

/// The line that puts it back, so that every answer is the same one.
fn restore(dir: &Path) -> String {
    let kept = kept(dir);
    let back = CHANGED.map(|(changed, name)| {
        let kept = kept.join(name);
        let kept = kept.display();
        format!("rm -rf {changed}; [ ! -e {kept} ] || cp -a {kept} {changed}")
    });
    back.join("; ")
}

fn kept(dir: &Path) -> PathBuf {
    let name = dir.file_name().unwrap().to_string_lossy();
    dir.with_file_name(format!("{name}-kept"))
}
