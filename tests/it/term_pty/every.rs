//! What holds for every prompt, whatever it asks: how it ends, what it leaves behind, and that what was typed survives
//! (Q15, Q17). One row for each kind, with keys that leave unsent words in an open editor where the kind has one.

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{ENTER, RIGHT, Sitting, TAB, example};
use crate::pty::Pty;

struct Kind {
    name: &'static str,
    seen: &'static str,
    /// Keys that write a text, and what is seen then.
    write: &'static [&'static str],
    written: &'static str,
    draft: &'static str,
    answer: &'static [&'static str],
}

const TEXT: &str = "日本 e\u{301} 👍 kept";

const KINDS: [Kind; 7] = [
    Kind { name: "reply", seen: "Tab alternatives", write: &[TEXT], written: "kept", draft: TEXT, answer: &[ENTER] },
    Kind {
        name: "pick",
        seen: "Esc cancels",
        write: &["5", ENTER, TEXT],
        written: "kept",
        draft: TEXT,
        answer: &[ENTER],
    },
    Kind {
        name: "pick",
        seen: "Esc cancels",
        write: &["2", "n", TEXT],
        written: "kept",
        draft: "note on 2. SQLite file: 日本 e\u{301} 👍 kept",
        answer: &[ENTER, ENTER],
    },
    Kind {
        name: "form",
        seen: "[Storage]",
        write: &[RIGHT, RIGHT, TEXT],
        written: "kept",
        draft: TEXT,
        answer: &[ENTER, ENTER, ENTER, ENTER],
    },
    Kind { name: "choose", seen: "Esc cancels", write: &["2"], written: "› 2. ", draft: "", answer: &[ENTER] },
    Kind {
        name: "many",
        seen: "Esc cancels",
        write: &["2", " "],
        written: "› [x] 2. ",
        draft: "",
        answer: &["5", ENTER],
    },
    Kind {
        name: "confirm",
        seen: "Esc cancels",
        write: &["x"],
        written: "[y/n]",
        draft: "",
        // What is no letter of the question begins a line, which decides nothing until it is erased.
        answer: &["\u{7f}", "y"],
    },
];

fn written(rows: u16, cols: u16) -> impl Iterator<Item = (&'static Kind, Sitting)> {
    KINDS.iter().map(move |kind| {
        let mut sitting = Sitting::at(&[kind.name], rows, cols);
        sitting.pty.wait_for(kind.seen);
        sitting.press(kind.write);
        sitting.pty.wait_for(kind.written);
        (kind, sitting)
    })
}

fn signal(sitting: &Sitting, signal: Signal) {
    let pid = Pid::from_raw(sitting.pty.pid().try_into().expect("a process id")).expect("not zero");
    kill_process(pid, signal).expect("the child is ours");
}

#[test]
fn q17_control_c_restores_the_terminal_ends_with_130_and_keeps_the_text() {
    for (kind, mut sitting) in written(24, 80) {
        sitting.press(&["\x03"]);
        assert_eq!(sitting.end(), (130, json!({ "interrupted": kind.draft })), "{}", kind.name);
    }
}

#[test]
fn q15_sigterm_restores_the_terminal_and_keeps_the_text() {
    for (kind, sitting) in written(24, 80) {
        signal(&sitting, Signal::TERM);
        assert_eq!(sitting.end(), (130, json!({ "interrupted": kind.draft })), "{}", kind.name);
    }
}

#[test]
fn q15_a_closed_terminal_loses_the_prompt_and_not_the_text() {
    for (kind, sitting) in written(24, 80) {
        assert_eq!(sitting.hang_up(), (128, json!({ "lost": kind.draft })), "{}", kind.name);
    }
}

#[test]
fn q15_a_hang_up_that_comes_as_a_signal_alone_keeps_the_text_too() {
    for (kind, sitting) in written(24, 80) {
        signal(&sitting, Signal::HUP);
        let mut sitting = sitting;
        assert_eq!(sitting.pty.exit_code(), 128, "{}", kind.name);
        assert_eq!(super::printed(&sitting.out), json!({ "lost": kind.draft }), "{}", kind.name);
        assert_eq!(sitting.pty.modes(), sitting.before, "{}: the terminal has its old modes again", kind.name);
    }
}

#[test]
fn q17_control_z_gives_the_terminal_back_and_the_text_is_there_again() {
    for kind in &KINDS {
        let script = format!("set -m; {} {}; echo [stopped]; fg", example().display(), kind.name);
        let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 30, 80);
        pty.wait_for(kind.seen);
        for key in kind.write {
            pty.send(key);
        }
        pty.wait_for(kind.written);
        pty.send("\x1a");
        pty.wait_for("[stopped]");
        pty.wait_until("the prompt again", |screen| {
            screen.rsplit("[stopped]").next().is_some_and(|after| after.contains(kind.written))
        });
        for key in kind.answer {
            pty.send(key);
        }
        pty.wait_for("{\"answered\":");
        assert_eq!(pty.exit_code(), 0, "{}", kind.name);
    }
}

#[test]
fn q17_control_d_closes_what_is_empty() {
    for kind in &KINDS {
        let mut sitting = Sitting::at(&[kind.name], 24, 80);
        sitting.pty.wait_for(kind.seen);
        sitting.press(&["\x04"]);
        assert_eq!(sitting.end(), (5, json!({ "cancelled": "" })), "{}", kind.name);
    }
}

#[test]
fn q17_a_window_that_changes_its_size_again_and_again_leaves_the_prompt_usable() {
    for (kind, mut sitting) in written(24, 80) {
        for (rows, cols) in [(3, 20), (1, 9), (24, 80), (2, 40), (40, 21), (24, 80)] {
            sitting.pty.resize(rows, cols);
            // Long enough for a redraw or two; what is drawn on the way is not looked at.
            std::thread::sleep(std::time::Duration::from_millis(15));
        }
        sitting.pty.wait_for(kind.written);
        sitting.press(kind.answer);
        assert_eq!(sitting.end().0, 0, "{}", kind.name);
    }
}

#[test]
fn q17_twenty_columns_and_three_rows_answer() {
    for kind in &KINDS {
        let mut sitting = Sitting::at(&[kind.name], 3, 20);
        sitting.pty.wait_for("›");
        sitting.press(kind.write);
        sitting.press(kind.answer);
        assert_eq!(sitting.end().0, 0, "{}", kind.name);
    }
}

#[test]
fn q17_a_paste_of_a_hundred_kilobytes_with_line_ends_is_text_where_there_is_an_editor_and_nothing_elsewhere() {
    let text = "lorem ipsum 日本語\n".repeat(5_000);
    assert!(text.len() > 100_000);
    for (kind, mut sitting) in written(24, 80) {
        sitting.press(&[&format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r\n")), "##"]);
        if !kind.draft.is_empty() {
            sitting.pty.wait_for("##");
        }
        sitting.press(&["\x03"]);
        let (code, printed) = sitting.end();
        let expected = if kind.draft.is_empty() { String::new() } else { format!("{}{text}##", kind.draft) };
        assert_eq!((code, printed["interrupted"].as_str()), (130, Some(expected.as_str())), "{}", kind.name);
    }
}

#[test]
fn q17_the_rest_of_a_paste_without_marks_never_reaches_the_shell() {
    for kind in &KINDS {
        let out = tempfile::NamedTempFile::new().expect("a temporary file");
        let script = format!(
            "{} {} >{}; read -t 1 rest; echo \"rest=[$rest]\"",
            example().display(),
            kind.name,
            out.path().display()
        );
        let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
        pty.wait_for(kind.seen);
        for key in kind.write {
            pty.send(key);
        }
        pty.wait_for(kind.written);
        // In one burst, as a paste comes: the keys that answer, and then commands.
        pty.send(&(kind.answer.concat() + &"rm -rf nothing\r".repeat(20)));
        pty.wait_for("rest=[]");
        assert_eq!(pty.exit_code(), 0, "{}", kind.name);
    }
}

#[test]
fn q17_plain_lines_end_by_control_d_and_control_c_and_a_closed_terminal() {
    for kind in &KINDS {
        let open = || {
            let sitting = Sitting::at(&[kind.name, "--plain"], 40, 80);
            sitting.pty.wait_for("> ");
            sitting
        };
        for (key, expected) in
            [("\x04", (5, json!({ "cancelled": "" }))), ("\x03", (130, json!({ "interrupted": "" })))]
        {
            let mut sitting = open();
            sitting.press(&[key]);
            assert_eq!(sitting.end(), expected, "{}", kind.name);
        }
        assert_eq!(open().hang_up(), (128, json!({ "lost": "" })), "{}", kind.name);
    }
}

#[test]
fn q17_keys_typed_before_the_picture_answer_nothing() {
    for kind in &KINDS {
        let typed = tempfile::tempdir().expect("a temporary folder");
        let typed = typed.path().join("typed");
        let waiting = format!("until test -e {}; do sleep 0.02; done", typed.display());
        let script = format!("echo early; {waiting}; exec {} {}", example().display(), kind.name);
        let mut pty = Pty::spawn(Command::new("bash").args(["--norc", "-c", &script]), 24, 80);
        pty.wait_for("early");
        pty.send("y\r2\r\r");
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::write(&typed, "").expect("a file can be made");
        pty.wait_for(kind.seen);
        pty.send("\x03");
        assert_eq!(pty.exit_code(), 130, "{}", kind.name);
    }
}

#[test]
fn q14_without_a_person_every_prompt_is_unavailable_at_once() {
    for kind in &KINDS {
        let ran = Command::new(example()).arg(kind.name).stderr(std::process::Stdio::null()).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(3), "{}", kind.name);
        let printed = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
        assert_eq!(printed, r#"{"unavailable":"stderr is not a terminal"}"#, "{}", kind.name);
    }
    // A key that means nothing to a kind is no reason to fall over either.
    let mut sitting = Sitting::at(&["confirm"], 24, 80);
    sitting.pty.wait_for("[y/n]");
    sitting.press(&[TAB, "\x1b[15~", "\x1b[99;5;5;5X", "\u{7f}", "n"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": false })));
}
