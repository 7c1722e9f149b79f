//! What the other tests take for granted about the bench.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::Bench;

#[test]
fn commit_ids_repeat_from_bench_to_bench() {
    let ids = [Bench::new(), Bench::new()].map(|bench| bench.commit("a/b.txt", "text\n"));
    assert_eq!(ids[0], ids[1]);
}

#[test]
fn the_clock_advances_one_second_per_command() {
    let bench = Bench::new();
    let first = bench.run("echo $GIT_AUTHOR_DATE").assert_code(0).stdout().to_owned();
    let second = bench.run("echo $GIT_COMMITTER_DATE").assert_code(0).stdout().to_owned();
    assert_eq!(seconds(&second), seconds(&first) + 1);
}

fn seconds(date: &str) -> u64 {
    date.split_once(' ').unwrap().0.parse().unwrap()
}

#[test]
fn nothing_is_inherited_but_the_path() {
    let bench = Bench::nowhere();
    let shown = bench.run("env | cut -d= -f1 | grep -v ^GIT_ | sort").assert_code(0);
    // `PWD`, `OLDPWD`, `SHLVL` and `_` are the shell's own.
    let own = ["PWD", "OLDPWD", "SHLVL", "_"];
    let names: Vec<&str> = shown.stdout().lines().filter(|name| !own.contains(name)).collect();
    assert_eq!(names, ["COLUMNS", "GRILL_TEST_HOME", "HOME", "LC_ALL", "PATH", "TMPDIR", "TZ"]);
}

#[test]
fn the_program_is_a_git_verb() {
    Bench::nowhere().run("command -v git-grill").assert_code(0).assert_contains(env!("CARGO_BIN_EXE_git-grill"));
}

#[test]
fn no_command_finds_a_terminal() {
    Bench::nowhere().run("(: </dev/tty) 2>/dev/null && echo terminal || echo none").assert_stdout("none\n");
}

#[test]
fn the_global_configuration_is_the_bench_s_own() {
    let bench = Bench::new();
    bench.global_config("[grill]\n\tapproval = script\n");
    bench.run("git config grill.approval").assert_stdout("script\n");
}

#[test]
fn every_kind_of_repository_is_what_it_says() {
    Bench::bare().run("git rev-parse --is-bare-repository").assert_stdout("true\n");
    Bench::empty().run("git rev-parse --quiet --verify HEAD").assert_code(1).assert_quiet();
    Bench::spaced().run("git rev-parse --show-toplevel").assert_stdout("$DIR/a repo with spaces\n");
    Bench::nowhere().run("git rev-parse").assert_code(128);
    Bench::with_init("--object-format=sha256").run("git rev-parse --show-object-format").assert_stdout("sha256\n");
}

#[test]
fn a_worktree_has_its_own_branch_and_files() {
    let bench = Bench::new();
    let linked = bench.worktree("side");
    linked.commit("side.txt", "x\n");
    linked.run("git branch --show-current").assert_stdout("side\n");
    assert!(!bench.repo().join("side.txt").exists());
}

#[test]
fn exit_codes_signals_and_input_arrive() {
    let bench = Bench::nowhere();
    bench.run("exit 3").assert_code(3);
    bench.run("kill -9 $$").assert_code(137);
    bench.run_with_input("cat", "in\n").assert_stdout("in\n");
    bench.run("echo oops >&2").assert_code(0).assert_contains("oops").assert_lacks("fine");
}

#[test]
fn a_running_command_reads_on_and_dies_with_its_children() {
    let bench = Bench::nowhere();
    let mut cat = bench.spawn("cat");
    cat.send("one\n");
    cat.send("two\n");
    cat.finish().assert_stdout("one\ntwo\n");

    // The reader sees the end of the pipe only once the grandchild that writes to it is dead.
    bench.run("mkfifo pipe").assert_code(0);
    let reader = bench.spawn("(read up; echo $up >ready; cat) <pipe");
    let sleeper = bench.spawn("(echo up; exec sleep 1000) >pipe & wait");
    while !bench.repo().join("ready").exists() {
        std::thread::yield_now();
    }
    drop(sleeper);
    reader.finish().assert_code(0);
}

#[test]
fn permissions_bind_nobody() {
    let bench = Bench::new();
    bench.write("closed/file", "");
    let closed = bench.repo().join("closed");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o555)).unwrap();
    bench.as_nobody("touch closed/new").assert_code(1);
    bench.as_nobody("touch new && git status --short").assert_contains("?? new");
    bench.as_nobody("command -v git-grill").assert_code(0);
    bench.run("git status --short").assert_code(0);
}

/// A table that is cut short without being played whole anywhere would have lost what it proved.
#[test]
fn every_table_that_is_cut_short_is_played_whole_by_the_thorough_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let ci = read(&root.join(".ci/thorough"));
    let parts = ci.lines().filter(|line| line.contains("GRILL_WHOLE=1 cargo test"));
    let played: Vec<&str> = parts.flat_map(|part| part.split([' ', '\''])).filter(|one| one.ends_with("::")).collect();
    let mut folders = vec![root.join("tests/it")];
    let mut cut = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && read(&path).contains("one_of(") {
                let name = path.strip_prefix(root.join("tests/it")).unwrap().with_extension("");
                cut.push(format!("{}::", name.display().to_string().replace('/', "::")));
            }
        }
    }
    cut.retain(|name| !name.starts_with("bench::"));
    assert!(cut.len() > 3, "{cut:?}");
    let missing: Vec<&String> = cut.iter().filter(|name| !played.iter().any(|one| name.starts_with(one))).collect();
    assert!(missing.is_empty(), "{missing:?} are in no part; these are: {played:?}");
}
