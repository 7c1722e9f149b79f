//! The prompts on a real terminal, with real keys, through `examples/prompt.rs`: how each is filled in and answered.

mod every;
mod filling_in;
mod leaving;
mod picking;
mod replying;
mod screens;
mod small;
mod ticking;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::pty::Pty;

const TAB: &str = "\t";
const SHIFT_TAB: &str = "\x1b[Z";
const ENTER: &str = "\r";
const ALT_ENTER: &str = "\x1b\r";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const ESCAPE: &str = "\x1b";

/// The example, built once; a test run that selects only this binary has not built it.
fn example() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--offline", "--example", "prompt"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.expect("cargo runs").success(), "the example builds");
        // target/<profile>/deps/it-<hash> stands beside target/<profile>/examples; without a profile it is debug.
        let tests = std::env::current_exe().expect("this test has a path");
        let target = tests.ancestors().nth(3).expect("target/<profile>/deps/it");
        target.join("debug/examples/prompt")
    })
}

/// A prompt of one kind on a terminal.
struct Sitting {
    pty: Pty,
    before: String,
    out: tempfile::NamedTempFile,
}

impl Sitting {
    fn at(args: &[&str], rows: u16, cols: u16) -> Self {
        let out = tempfile::NamedTempFile::new().expect("a temporary file");
        let mut command = Command::new(example());
        command.args(args);
        let pty = Pty::spawn_with_stdout(&command, rows, cols, out.as_file());
        // Fresh pseudo-terminals all have the same modes; the child's own may already be set on this one.
        let before = modes_of_a_fresh_terminal();
        Self { pty, before, out }
    }

    fn reply(rows: u16, cols: u16) -> Self {
        let sitting = Self::at(&["reply"], rows, cols);
        sitting.pty.wait_for("› ");
        sitting
    }

    /// Types these keys one after the other.
    fn press(&mut self, keys: &[&str]) {
        for key in keys {
            self.pty.send(key);
        }
    }

    /// Presses Escape, and waits until it cannot be taken for the beginning of another key.
    fn escape(&mut self) {
        self.pty.send(ESCAPE);
        self.pty.wait_until_read();
        std::thread::sleep(std::time::Duration::from_millis(120));
    }

    /// Waits until the screen is the one kept under this name.
    #[track_caller]
    fn shows(&self, name: &str) {
        screens::expect(&self.pty, name);
    }

    /// Waits for the end, sees that the terminal is as before, and returns the exit code and what was printed.
    #[track_caller]
    fn end(mut self) -> (i32, Value) {
        let code = self.pty.exit_code();
        assert_eq!(self.pty.modes(), self.before, "the terminal has its old modes again");
        assert!(self.pty.is_as_a_shell_expects(), "the cursor is back and bracketed paste is off");
        (code, printed(&self.out))
    }

    /// Closes the terminal under the prompt.
    #[track_caller]
    fn hang_up(self) -> (i32, Value) {
        let Self { pty, out, .. } = self;
        (pty.hang_up(), printed(&out))
    }
}

fn printed(out: &tempfile::NamedTempFile) -> Value {
    let text = fs::read_to_string(out.path()).expect("the output can be read");
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("one JSON object, but it is {text:?}"))
}

fn modes_of_a_fresh_terminal() -> String {
    static MODES: OnceLock<String> = OnceLock::new();
    MODES.get_or_init(|| Pty::spawn(Command::new("sleep").arg("5"), 24, 80).modes()).clone()
}

#[test]
fn tab_goes_round_the_alternatives_and_enter_sends() {
    let mut sitting = Sitting::reply(24, 80);
    for value in ["› a git ref", "› sqlite", "› one JSON file", "› 日本語", "› a git ref"] {
        sitting.pty.send(TAB);
        sitting.pty.wait_for(value);
    }
    sitting.pty.send(SHIFT_TAB);
    sitting.pty.wait_for("› 日本語のデータベース\n");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": "日本語のデータベース" })));
}

#[test]
fn the_screen_shows_question_alternatives_status_and_help_and_then_a_transcript() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.wait_for("Tab alternatives");
    let expected = "question 3 · storage\nWhere does the state of a session live?\n›\n  1. Git ref (recommended)\n     \
                    survives clones, no extra file\n  2. SQLite file\n     fast, but one more thing to back up\n  3. \
                    Flat files\n  4. 日本語のデータベース\n     幅の広い文字の説明です\ninterview · 3 answered · 2 open\n\
                    Tab alternatives, Enter sends, Alt+Enter new line, /help commands";
    assert_eq!(sitting.pty.screen().trim_end().replace("› \n", "›\n"), expected);
    assert_eq!(sitting.pty.cursor(), (2, 2));
    sitting.pty.send("my own idea\r");
    sitting.pty.exit_code();
    let screen = sitting.pty.screen();
    let expected = "question 3 · storage\nWhere does the state of a session live?\n› my own idea";
    assert_eq!(screen.trim_end(), expected);
    assert_eq!(sitting.end(), (0, json!({ "answered": "my own idea" })));
}

#[test]
fn a_typed_word_narrows_and_edited_text_is_what_is_sent() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.send("SQL");
    sitting.pty.wait_for("› SQL");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› sqlite");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› SQL\n");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› sqlite");
    sitting.pty.send(" per user");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("your own words stay");
    sitting.pty.send("!");
    sitting.pty.wait_gone("your own words stay");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": "sqlite per user!" })));
}

#[test]
fn escape_cancels_but_an_arrow_key_in_pieces_does_not() {
    // On a busy machine a pause may grow beyond what tells Escape from an arrow; it does not do so each time.
    let went_left = (0..5).any(|_| {
        let mut sitting = Sitting::reply(24, 80);
        sitting.pty.send("ab");
        sitting.pty.wait_for("› ab");
        for piece in ["\x1b", "[", "D"] {
            sitting.pty.send(piece);
            std::thread::sleep(std::time::Duration::from_millis(8));
        }
        sitting.pty.send("x");
        std::thread::sleep(std::time::Duration::from_millis(100));
        sitting.pty.send(ESCAPE);
        sitting.end() == (5, json!({ "cancelled": "axb" }))
    });
    assert!(went_left);
}

#[test]
fn a_resized_window_is_drawn_anew_and_nothing_typed_is_lost() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.send("a reply that has to be wrapped in a narrow window");
    sitting.pty.wait_for("narrow window");
    sitting.pty.resize(24, 30);
    sitting.pty.wait_for("› a reply that has to be \n  wrapped in a narrow window");
    sitting.pty.resize(24, 80);
    sitting.pty.wait_for("wrapped in a narrow window\n");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": "a reply that has to be wrapped in a narrow window" })));
}

#[test]
fn twenty_columns_and_four_rows_are_usable() {
    let mut sitting = Sitting::reply(4, 20);
    sitting.pty.send(TAB);
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› sqlite");
    sitting.pty.wait_for("› 2. SQLite file");
    sitting.pty.send(&format!(" {}", "and more ".repeat(20)));
    sitting.pty.send("end");
    sitting.pty.wait_for("end");
    sitting.pty.send(ENTER);
    let (code, printed) = sitting.end();
    assert_eq!((code, printed["answered"].as_str().expect("text").len()), (0, "sqlite ".len() + 180 + 3));
}

#[test]
fn a_paste_with_line_ends_stays_in_the_editor() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.send("\x1b[200~first line\r\nsecond line\rthird\x1b[201~");
    sitting.pty.wait_for("  third");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": "first line\nsecond line\nthird" })));
}

#[test]
fn a_hundred_kilobytes_are_pasted_whole() {
    let mut sitting = Sitting::reply(24, 80);
    let text = "lorem ipsum 日本語 ".repeat(5_000);
    assert!(text.len() > 100_000);
    sitting.pty.send(&format!("\x1b[200~{text}\x1b[201~"));
    sitting.pty.send("END");
    sitting.pty.wait_for("END");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": format!("{text}END") })));
}

#[test]
fn wide_characters_and_line_breaks_are_edited_where_the_cursor_is() {
    let mut sitting = Sitting::reply(24, 80);
    sitting.pty.send("日本語");
    sitting.pty.wait_for("› 日本語");
    sitting.pty.send("\x1b[D\x1b[D");
    sitting.pty.send("x");
    sitting.pty.wait_for("› 日x本語");
    assert_eq!(sitting.pty.cursor().1, 5);
    sitting.pty.send("\x05");
    sitting.pty.send(ALT_ENTER);
    sitting.pty.send("e\u{301}!\x7f\x7f\x7f");
    sitting.pty.wait_for("› 日x本語\n");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": "日x本語" })));
}

#[test]
fn one_of_a_list_is_picked_by_digit_and_arrow() {
    let mut sitting = Sitting::at(&["choose"], 24, 80);
    sitting.pty.wait_for("› 1. Git ref (recommended)");
    sitting.pty.send("3");
    sitting.pty.wait_for("› 3. Flat files");
    sitting.pty.send(DOWN);
    sitting.pty.send(DOWN);
    sitting.pty.send(UP);
    sitting.pty.wait_for("› 3. Flat files");
    sitting.pty.send(ENTER);
    assert_eq!(sitting.end(), (0, json!({ "answered": 2 })));
}

#[test]
fn several_of_a_list_need_done() {
    let mut sitting = Sitting::at(&["many"], 24, 80);
    sitting.pty.wait_for("Done (select at least one)");
    sitting.pty.send(" ");
    sitting.pty.send(DOWN);
    sitting.pty.send(DOWN);
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Done (2 selected)");
    sitting.pty.send(DOWN);
    sitting.pty.send(DOWN);
    sitting.pty.wait_for("› Done");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("› Git ref, Flat files");
    assert_eq!(sitting.end(), (0, json!({ "answered": [0, 2] })));
}

#[test]
fn yes_or_no_has_no_default() {
    let mut sitting = Sitting::at(&["confirm"], 24, 80);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("there is no default");
    sitting.pty.send("n");
    assert_eq!(sitting.end(), (0, json!({ "answered": false })));
}

#[test]
fn g30_a_verb_typed_at_yes_or_no_decides_nothing() {
    let mut sitting = Sitting::at(&["confirm"], 24, 80);
    sitting.pty.wait_for("[y/n]");
    sitting.press(&["/", "w", "h", "y"]);
    sitting.pty.wait_for("[y/n] /why");
    sitting.pty.wait_for("no verbs or words here: Enter or Esc clears them, then y or n");
    sitting.press(&[ENTER]);
    sitting.pty.wait_for("that decided nothing: type y or n");
    sitting.press(&["n"]);
    assert_eq!(sitting.end(), (0, json!({ "answered": false })));
}

#[test]
fn plain_lines_move_no_cursor_and_ask_again() {
    let mut sitting = Sitting::at(&["choose", "--plain"], 24, 80);
    sitting.pty.wait_for("number> ");
    sitting.pty.send("9\r");
    sitting.pty.wait_for("none of the numbers");
    sitting.pty.send("2\r");
    sitting.pty.wait_for("number> 2");
    assert!(!sitting.pty.raw().contains('\x1b'), "no escape sequence in {:?}", sitting.pty.raw());
    assert_eq!(sitting.end(), (0, json!({ "answered": 1 })));
}
