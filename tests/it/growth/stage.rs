//! Repositories with long and with many sessions, made by git from a real one.

use std::fmt::Write as _;

use crate::bench::Bench;

/// Each ref is a transaction of its own, and what is staged here is nothing that our hooks have to judge.
const IMPORT: &str = "git -c core.hooksPath=/dev/null fast-import --quiet";

/// Makes the history of a session `commits` commits long: its own trees over and over, the newest last, each commit with
/// the trailers of a real one.
pub fn lengthen(bench: &Bench, id: &str, commits: usize) {
    let name = format!("refs/grill/sessions/{id}");
    let listed = bench.run(&format!("git log --format='%T' {name}")).assert_code(0);
    let trees: Vec<&str> = listed.stdout().lines().collect();
    let mut stream = String::new();
    let rest = commits.saturating_sub(trees.len());
    for n in 0..rest {
        let tree = trees[(rest - 1 - n) % trees.len()];
        let message = format!(
            "answer q-7f3k2a: sqlite, not postgres\n\nGrill-Op: answer\nGrill-Session: {id}\nGrill-Seq: {n}\n\
             Grill-Actor: unattended\nGrill-Format: 1\n"
        );
        let from = if n == 0 { format!("from {name}^0\n") } else { String::new() };
        let seconds = 1_795_300_000 + n;
        let by = format!("committer Ada Author <ada@example.org> {seconds} +0000");
        let length = message.len();
        write!(stream, "commit {name}\n{by}\ndata {length}\n{message}\n{from}M 040000 {tree} \n\n").unwrap();
    }
    bench.run_with_input(IMPORT, stream).assert_code(0);
    bench.run(&format!("git rev-list --count {name}")).assert_code(0).assert_stdout(&format!("{commits}\n"));
}

/// Copies of a session under names of their own, each closed and about something else.
pub fn multiply(bench: &Bench, id: &str, sessions: usize) {
    let name = format!("refs/grill/sessions/{id}");
    let tree = bench.run(&format!("git rev-parse {name}^{{tree}}")).assert_code(0);
    let state = bench.run(&format!("git show {name}:.grill/session.yaml")).assert_code(0);
    let mut stream = String::new();
    for n in 0..sessions {
        let day = 20_260_101 + (n / 500) % 28;
        let new = format!("{day}-topic-{n}-{}", letters(n));
        let text = state.stdout().replace(id, &new);
        let by = "committer Ada Author <ada@example.org> 1795300000 +0000";
        write!(
            stream,
            "commit refs/grill/sessions/{new}\n{by}\ndata 6\nstart\n\nM 040000 {} \nM 100644 inline .grill/session.yaml\n\
             data {}\n{text}\n\n",
            tree.stdout().trim(),
            text.len()
        )
        .unwrap();
    }
    bench.run_with_input(IMPORT, stream).assert_code(0);
}

/// Five letters of a session's name.
fn letters(mut n: usize) -> String {
    let mut text = String::new();
    for _ in 0..5 {
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz"[n % 26]));
        n /= 26;
    }
    text
}
