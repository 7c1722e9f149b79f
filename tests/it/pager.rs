//! The pager (G18) on a real terminal: which one, when, with what, and how it ends. Most tests have a pager of their
//! own that writes down what it was given; `less` itself is tried where it is installed.

use std::fs::{self, File};
use std::process::Command;

use crate::bench::{Bench, executable};
use crate::pty::Pty;

/// Writes down that it ran, what it read, and what git promises to set.
const RECORDER: &str = "#!/bin/sh\n\
    echo run >>\"$HOME/runs\"\n\
    cat >\"$HOME/text\"\n\
    env | grep -E '^(LESS|LV|GIT_PAGER_IN_USE)=' | sort >\"$HOME/env\"\n";

/// A repository with a session and a pager `recorder` on the search path.
struct World {
    bench: Bench,
}

impl World {
    fn new() -> Self {
        Self::of(Bench::new())
    }

    fn of(bench: Bench) -> Self {
        bench.run("git grill start 'add rate limiting'").assert_code(0);
        bench.run("git grill answer 'nobody waits'").assert_code(0);
        let world = Self { bench };
        world.program("recorder", RECORDER);
        world
    }

    fn program(&self, name: &str, text: &str) {
        executable(&self.bench.root().join("home").join(name), text);
    }

    fn command(&self, words: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(self.bench.repo()).envs(self.bench.environment());
        let (_, path) = self.bench.environment().into_iter().find(|(name, _)| *name == "PATH").unwrap();
        let home = self.bench.root().join("home");
        command.env("PATH", format!("{}:{}", path.to_str().unwrap(), home.display()));
        command.envs(variables.iter().copied());
        command
    }

    fn at(&self, words: &[&str], rows: u16, variables: &[(&str, &str)]) -> Pty {
        Pty::spawn(&self.command(words, variables), rows, 100)
    }

    /// Runs to the end: the exit code and what was shown on the terminal.
    fn run(&self, words: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
        let mut pty = self.at(words, 24, variables);
        (pty.exit_code(), pty.raw())
    }

    fn told(&self, file: &str) -> String {
        fs::read_to_string(self.bench.root().join("home").join(file)).unwrap_or_default()
    }

    /// What the recorder was given since the last time, if it ran.
    fn paged(&self) -> Option<String> {
        let runs = self.told("runs");
        let text = self.told("text");
        for file in ["runs", "text"] {
            fs::remove_file(self.bench.root().join("home").join(file)).ok();
        }
        assert!(runs.is_empty() || runs == "run\n", "one pager at a time: {runs}");
        (!runs.is_empty()).then_some(text)
    }
}

const SHOW: &[&str] = &["git", "grill", "checkpoint", "show"];

#[test]
fn g18_what_is_long_goes_to_the_pager_with_gits_defaults() {
    let world = World::new();
    for (words, expected) in [
        (SHOW, "Shared Understanding\n════"),
        (&["git", "grill", "checkpoint", "diff"], "+++ now"),
        (&["git", "grill", "checkpoint", "log"], "start: add rate limiting"),
        (&["git", "grill", "status", "--questions"], "  1. q-"),
        (&["git", "grill", "sessions"], "add rate limiting"),
        (&["git", "grill", "verify"], "nothing drifted"),
    ] {
        let (code, shown) = world.run(words, &[("GIT_PAGER", "recorder"), ("NO_COLOR", "1")]);
        assert_eq!((code, shown.as_str()), (0, ""), "{words:?}");
        let text = world.paged().unwrap_or_else(|| panic!("{words:?} is not paged"));
        assert!(text.contains(expected), "{words:?}: {text}");
        assert_eq!(world.told("env"), "GIT_PAGER_IN_USE=true\nLESS=FRX\nLV=-c\n");
    }
    world.run(SHOW, &[("GIT_PAGER", "recorder"), ("LESS", "S"), ("LV", "")]);
    assert_eq!(world.told("env"), "GIT_PAGER_IN_USE=true\nLESS=S\nLV=\n", "what is set stays, empty too");
}

#[test]
fn the_pager_is_the_one_that_git_would_take() {
    let world = World::new();
    world.program("other", "#!/bin/sh\ncat >/dev/null\necho the other one\n");
    let others = |shown: &str| shown.contains("the other one");
    let (_, shown) = world.run(SHOW, &[("PAGER", "other")]);
    assert!(others(&shown));
    world.bench.run("git config core.pager recorder").assert_code(0);
    world.run(SHOW, &[("PAGER", "other")]);
    assert!(world.paged().is_some(), "core.pager goes before PAGER");
    let (_, shown) = world.run(SHOW, &[("PAGER", "recorder"), ("GIT_PAGER", "other")]);
    assert!(others(&shown), "GIT_PAGER goes before core.pager");
    world.bench.run("git config pager.grill.checkpoint 'other -x \"y z\"'").assert_code(0);
    let (_, shown) = world.run(SHOW, &[("GIT_PAGER", "recorder")]);
    assert!(!others(&shown), "a repository names no program of its own for git grill's verbs");
    assert!(world.paged().is_some(), "the one of the environment stays");
    world.run(&["git", "grill", "sessions"], &[("GIT_PAGER", "recorder")]);
    assert!(world.paged().is_some(), "for every verb");
    let bench = Bench::new();
    bench.with_account().global_config("[pager \"grill\"]\n\tcheckpoint = other -x \\\"y z\\\"\n");
    let world = World::of(bench);
    world.program("other", "#!/bin/sh\ncat >/dev/null\necho the other one with $# words\n");
    let (_, shown) = world.run(SHOW, &[("GIT_PAGER", "recorder")]);
    assert!(shown.contains("the other one with 2 words"), "the account's own goes before all of them: {shown}");
    world.run(&["git", "grill", "sessions"], &[("GIT_PAGER", "recorder")]);
    assert!(world.paged().is_some(), "and is the verb's alone");
}

#[test]
fn there_is_no_pager_where_none_is_wanted_or_nobody_reads_it() {
    let world = World::new();
    let raw = "## Current Understanding";
    let recorder = ("GIT_PAGER", "recorder");
    for (words, variables) in [
        (SHOW, &[("GIT_PAGER", "cat")][..]),
        (SHOW, &[("GIT_PAGER", "")]),
        (SHOW, &[recorder, ("TERM", "dumb")]),
        (SHOW, &[recorder, ("CLAUDECODE", "1")]),
        (SHOW, &[recorder, ("GRILL_RUN", "agent")]),
        (SHOW, &[recorder, ("GIT_PAGER_IN_USE", "true")]),
        (&["git", "--no-pager", "grill", "checkpoint", "show"], &[recorder]),
        (&["git", "grill", "checkpoint", "show", "--no-pager"], &[recorder]),
        (&["git", "-c", "pager.grill=false", "grill", "checkpoint", "show"], &[recorder]),
        (&["git", "-c", "pager.grill.checkpoint=off", "grill", "checkpoint", "show"], &[recorder]),
        (&["git", "grill", "checkpoint", "show", "--json"], &[recorder]),
        (&["git", "grill", "status"], &[recorder]),
        (&["git", "grill", "why"], &[recorder]),
    ] {
        let (code, shown) = world.run(words, variables);
        assert_eq!(code, 0, "{words:?} {variables:?}: {shown}");
        assert!(!shown.is_empty() && world.paged().is_none(), "{words:?} {variables:?} is paged: {shown}");
    }
    // Into a file or a pipe: raw, and no pager.
    let path = world.bench.root().join("out");
    let mut pty = Pty::spawn_with_stdout(&world.command(SHOW, &[recorder]), 24, 100, &File::create(&path).unwrap());
    assert_eq!(pty.exit_code(), 0);
    assert!(fs::read_to_string(&path).unwrap().contains(raw));
    assert!(world.paged().is_none());
}

#[test]
fn git_itself_may_be_the_one_who_pages() {
    let world = World::new();
    let (code, _) = world.run(&["git", "-p", "grill", "checkpoint", "show"], &[("GIT_PAGER", "recorder")]);
    assert_eq!(code, 0);
    let text = world.paged().expect("git pages");
    assert!(text.contains("═") && text.contains("\x1b[1m"), "laid out and coloured as on a terminal: {text}");
    assert!(text.lines().all(|line| console::measure_text_width(line) <= 100), "{text}");
}

#[test]
fn colours_in_the_pager_can_be_turned_off_alone() {
    let world = World::new();
    for (words, coloured) in [
        (&["git", "grill", "checkpoint", "show"][..], true),
        (&["git", "-c", "color.pager=false", "grill", "checkpoint", "show"], false),
        (&["git", "-c", "color.pager=false", "grill", "checkpoint", "show", "--color=always"], true),
    ] {
        world.run(words, &[("GIT_PAGER", "recorder"), ("FORCE_HYPERLINK", "1")]);
        let text = world.paged().expect("it is paged");
        assert_eq!(text.contains("\x1b["), coloured, "{words:?}: {text}");
        assert!(!text.contains("\x1b]"), "no pager gets links");
    }
}

#[test]
fn a_pager_that_cannot_be_started_is_no_reason_to_show_nothing() {
    let world = World::new();
    for missing in ["no-such-pager", "/etc/hostname -x"] {
        let (code, shown) = world.run(SHOW, &[("GIT_PAGER", missing)]);
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains(&format!("warning: the pager '{missing}' was not used")), "{shown}");
        assert!(shown.contains("Shared Understanding"), "{shown}");
    }
}

#[test]
fn whoever_leaves_the_pager_early_made_no_error() {
    let world = World::new();
    let long = (0..40_000).fold(String::from("# Long\n"), |text, number| text + &format!("- sentence {number}\n"));
    let long = &long[..long.len().min(200_000)];
    world.bench.write(".grill/checkpoint.md", long);
    for pager in ["true", "head -n 1", "exit 3"] {
        let (code, shown) = world.run(SHOW, &[("GIT_PAGER", pager)]);
        assert_eq!(code, 0, "{pager}: {shown}");
    }
    // What was found out still stands in the exit code.
    world.bench.write("new.txt", "x");
    let (code, _) = world.run(&["git", "grill", "verify"], &[("GIT_PAGER", "true")]);
    assert_eq!(code, 1);
}

#[test]
fn an_interrupt_is_the_pagers_as_long_as_it_lives() {
    let world = World::new();
    let patient = "#!/bin/sh\ntrap 'echo not yet' INT\necho ready\nread answer </dev/tty\nread answer </dev/tty\necho \"over: $answer\"\n";
    world.program("patient", patient);
    // Without git in between, which would end by the signal itself afterwards.
    let show = &["git-grill", "checkpoint", "show"];
    let mut pty = world.at(show, 24, &[("GIT_PAGER", "patient")]);
    pty.wait_for("ready");
    pty.send("\x03");
    pty.wait_for("^C");
    // Whether the shell tells at once or after the line depends on what it was just doing.
    pty.send("yes\nyes\n");
    pty.wait_for("over: yes");
    assert!(pty.screen().contains("not yet"), "{}", pty.screen());
    assert_eq!(pty.exit_code(), 0);

    let mut pty = world.at(show, 24, &[("GIT_PAGER", "echo ready; exec sleep 60")]);
    pty.wait_for("ready");
    pty.send("\x03");
    assert_eq!(pty.exit_code(), 0, "to interrupt the pager is to leave it");
}

#[test]
fn a_pager_that_dies_leaves_the_terminal_as_it_was() {
    let world = World::new();
    world.program("raw", "#!/bin/sh\nstty raw -echo </dev/tty\ncat >/dev/null\nkill -9 $$\n");
    let mut pty = world.at(SHOW, 24, &[("GIT_PAGER", "exec raw")]);
    assert_eq!(pty.exit_code(), 0);
    assert!(pty.modes().contains("ICANON") && pty.modes().contains("ECHO |"), "{}", pty.modes());
}

#[test]
fn less_itself_pages_and_gives_the_terminal_back() {
    if !std::process::Command::new("less").arg("--version").output().is_ok_and(|ran| ran.status.success()) {
        eprintln!("SKIPPED: less is not installed");
        return;
    }
    let world = World::new();
    // What fits ends at once.
    let mut pty = world.at(SHOW, 60, &[("GIT_PAGER", "less")]);
    assert_eq!(pty.exit_code(), 0);
    assert!(pty.screen().contains("Shared Understanding"), "{}", pty.screen());

    let mut pty = world.at(&["git-grill", "checkpoint", "show"], 8, &[("GIT_PAGER", "less")]);
    pty.wait_for(":");
    assert!(!pty.screen().contains("ESC["), "{}", pty.screen());
    pty.send("G");
    pty.wait_for("(END)");
    pty.send("\x03");
    // It throws away what is typed while it is being interrupted.
    let mut tries = 0..100;
    while !pty.screen().contains("Shared Understanding") && tries.next().is_some() {
        pty.send("g");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    pty.wait_for("Shared Understanding");
    pty.send("q");
    assert_eq!(pty.exit_code(), 0);
    assert!(pty.modes().contains("ICANON") && pty.is_as_a_shell_expects(), "{}", pty.modes());
}

#[test]
fn a_conversation_pages_only_what_is_taller_than_the_window() {
    let world = World::new();
    for (rows, paged) in [(60, false), (14, true)] {
        let mut pty = world.at(&["git", "grill", "next"], rows, &[("GIT_PAGER", "recorder")]);
        pty.wait_for("› ");
        pty.send("/checkpoint\r");
        pty.wait_until("the checkpoint", |screen| {
            screen.contains("Shared Understanding") || !world.told("text").is_empty()
        });
        pty.wait_until("the prompt", |screen| {
            screen.lines().last().is_some_and(|line| line.contains("resolved") || line.contains("Tab"))
        });
        assert_eq!(world.paged().is_some(), paged, "{rows} rows:\n{}", pty.screen());
        pty.send("\x1b");
        assert_eq!(pty.exit_code(), 0);
    }
}
