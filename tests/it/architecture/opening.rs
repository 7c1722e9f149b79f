//! Which places open files by the standard library, which waits at a named pipe and reads whatever has no end. What a
//! repository can hold is opened by `crate::files::regular`.

use proc_macro2::{TokenStream, TokenTree};

use super::programs::{parsed, product};
use super::tokens::{is_double_colon, is_punct, of_the_product};

/// The places, each with why no pipe can keep it waiting.
const OPENS: &[(&str, &str, &str)] = &[
    ("src/git/asker.rs", "fs::read", "/proc"),
    ("src/git/asker.rs", "read_to_string", "/proc"),
    ("src/git/holder.rs", "fs::read", "/proc"),
    ("src/git/holder.rs", "read_to_string", "/proc"),
    ("src/interviewer/play/golden.rs", "fs::write", "a test"),
    ("src/repo/config/scopes.rs", "fs::read", "files that the user's environment names, who may mean /dev/null"),
    ("src/sandbox/layers/copy.rs", "fs::copy", "files of an agent's own folders, looked at before"),
    ("src/sandbox/linux/covers.rs", "OpenOptions", "a file that is not there yet"),
    ("src/sandbox/linux/overlays.rs", "fs::read", "/proc"),
    ("src/sandbox/linux/overlays.rs", "read_to_string", "/proc"),
    ("src/sandbox/linux/processes.rs", "fs::write", "/proc"),
    ("src/sandbox/linux/warden.rs", "read_to_string", "/proc"),
    ("src/store/copies/file.rs", "OpenOptions", "opened with O_NONBLOCK, and looked at"),
    ("src/store/granted.rs", "OpenOptions", "opened with O_NONBLOCK, and looked at"),
    ("src/term/tty.rs", "File::open", "a terminal"),
    ("src/world/account.rs", "fs::read", "/etc/passwd"),
    ("src/world/ancestry.rs", "fs::read", "a file of /proc"),
    ("src/world/ancestry.rs", "read_to_string", "a file of /proc"),
    ("src/world/demo/stage.rs", "fs::write", "a folder that was made for it"),
    ("src/world/elsewhere.rs", "File::open", "a file that a person names, who may mean a pipe"),
    ("src/world/lead/log.rs", "OpenOptions", "opened with O_NONBLOCK, and looked at"),
    ("src/world/process.rs", "read_to_string", "/proc"),
    ("src/world/run/approved.rs", "OpenOptions", "a file that is not there yet"),
    ("src/world/run/store.rs", "File::create_new", "a file that is not there yet"),
    ("src/world/supervised/known.rs", "read_to_string", "/proc"),
];

/// Functions of `std::fs` that open what they are given.
const FUNCTIONS: &[&str] = &["read", "write", "copy"];

/// The ways to open a file that stand in a part of a file.
fn opened(stream: TokenStream, into: &mut Vec<String>) {
    let tokens = of_the_product(stream);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => into.extend(named(&tokens, at, &word.to_string())),
            TokenTree::Group(group) => {
                if stands_behind(&tokens, at, "fs") {
                    into.extend(imported(group.stream()));
                }
                opened(group.stream(), into);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Whether `name::` stands before a token.
fn stands_behind(tokens: &[TokenTree], at: usize, name: &str) -> bool {
    let is_it = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == name);
    at >= 3 && is_double_colon(tokens, at - 2) && is_it(&tokens[at - 3])
}

/// The functions in the braces of `use std::fs::{…}`.
fn imported(braces: TokenStream) -> Vec<String> {
    let name = |token: TokenTree| match token {
        TokenTree::Ident(name) => Some(name.to_string()),
        TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    };
    let names = braces.into_iter().filter_map(name).filter(|name| FUNCTIONS.contains(&name.as_str()));
    names.map(|name| format!("fs::{name}")).collect()
}

fn named(tokens: &[TokenTree], at: usize, word: &str) -> Option<String> {
    let behind = |name: &str| stands_behind(tokens, at, name);
    let is_method = at > 0 && is_punct(&tokens[at - 1], '.');
    match word {
        "OpenOptions" if is_double_colon(tokens, at + 1) => Some(word.to_owned()),
        "read_to_string" if !is_method && !behind("io") => Some(word.to_owned()),
        _ if FUNCTIONS.contains(&word) && behind("fs") => Some(format!("fs::{word}")),
        _ if (word.starts_with("open") || word.starts_with("create")) && behind("File") => {
            Some(format!("File::{word}"))
        }
        _ => None,
    }
}

#[test]
fn files_that_a_repository_can_hold_are_opened_in_one_way_alone() {
    let mut found = Vec::new();
    for (file, text) in product() {
        let mut ways = Vec::new();
        opened(parsed(&file, &text), &mut ways);
        found.extend(ways.into_iter().map(|way| (file.clone(), way)));
    }
    found.sort();
    found.dedup();
    let known: Vec<(String, String)> =
        OPENS.iter().map(|(file, way, _)| ((*file).to_owned(), (*way).to_owned())).collect();
    assert_eq!(found, known, "crate::files::regular opens files; what opens its own stands in this table");
}

#[test]
fn a_planted_open_is_reported() {
    let planted = |text: &str| {
        let mut ways = Vec::new();
        opened(parsed("src/a.rs", text), &mut ways);
        ways
    };
    for (text, way) in [
        ("fn f() { std::fs::read(path) }", "fs::read"),
        ("fn f() { let text = fs::read_to_string(path)?; }", "read_to_string"),
        ("use std::fs::{self, read_to_string};", "read_to_string"),
        ("use std::fs::{metadata, read};", "fs::read"),
        ("fn f() { File::open(path).and_then(|file| file.metadata()) }", "File::open"),
        ("fn f() { fs::File::create(path) }", "File::create"),
        ("fn f() { OpenOptions::new().append(true).open(path) }", "OpenOptions"),
        ("fn f() { fs::write(path, fs::read_dir(other)) }", "fs::write"),
    ] {
        assert_eq!(planted(text), [way], "{text}");
    }
    for text in [
        "fn f() { io::read_to_string(bytes) }",
        "fn f() { file.read_to_string(&mut text) }",
        "use std::fs::{File, OpenOptions};",
        "fn f() { regular::read(path); self.open(path); fs::read_dir(path) }",
        "#[cfg(test)] mod tests { fn f() { fs::read(path) } }",
    ] {
        assert_eq!(planted(text), Vec::<String>::new(), "{text}");
    }
}
