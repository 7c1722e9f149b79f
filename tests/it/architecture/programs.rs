//! Which programs the source starts. git is started in one place, which knows what leads it elsewhere, how its hooks are
//! kept silent, and what counts as its reason; where the worktrees of a repository are is read in one place, too.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::named_keys::strings;
use super::rust_files;
use super::tokens::{is_double_colon, is_punct, of_the_product};

const GIT: &str = "src/git/command.rs";
const WORKTREES: &str = "src/git/worktrees.rs";

/// The other places that name a program to start, with the words that name it: none of them can be git unless somebody
/// outside says so.
const STARTS: &[(&str, &str)] = &[
    ("src/sandbox/probe.rs", "program"),
    ("src/tracker/gh.rs", "\"gh\""),
    ("src/world/checks.rs", "&words[0]"),
    ("src/world/demo/stage.rs", "\"sh\""),
    ("src/world/demo/stage.rs", "&environment.program"),
    ("src/world/editor.rs", "\"sh\""),
    ("src/world/extensions/launching.rs", "&environment.program"),
    ("src/world/extensions/launching.rs", "&words[0]"),
    ("src/world/lead/hosted.rs", "program"),
    ("src/world/lead/launch.rs", "&environment.program"),
    ("src/world/pager.rs", "\"sh\""),
    ("src/world/process.rs", "&run.program"),
    ("src/world/process.rs", "program"),
    ("src/world/run/confined.rs", "program"),
    ("src/world/run/record.rs", "&environment.program"),
    ("src/world/run/supervise.rs", "program"),
    ("src/world/supervised/setup.rs", "&self.environment.program"),
    ("src/world/supervised/starting.rs", "&words[0]"),
];

/// The programs that a part of a file starts, in the words that name them.
fn started(stream: TokenStream, into: &mut Vec<String>) {
    let tokens = of_the_product(stream);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "Run" || word == "Command" => into.extend(named(&tokens, at)),
            TokenTree::Group(group) => started(group.stream(), into),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The program in `Run::new(program, …)`, in `Command::new(program)` and in `Run { program, … }`, where the type is the
/// token at `at`.
fn named(tokens: &[TokenTree], at: usize) -> Option<String> {
    let group_at = |at: usize, delimiter: Delimiter| match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(of_the_product(group.stream())),
        Some(_) | None => None,
    };
    if is_double_colon(tokens, at + 1) {
        let is_new = matches!(tokens.get(at + 3), Some(TokenTree::Ident(name)) if name == "new");
        // As a function that somebody else calls it could start anything.
        return is_new.then(|| group_at(at + 4, Delimiter::Parenthesis).map_or("?".to_owned(), |of| to_comma(&of)));
    }
    let no_value = match at.checked_sub(1).map(|before| &tokens[before]) {
        Some(TokenTree::Ident(word)) => ["struct", "enum", "trait", "impl", "for"].iter().any(|other| word == other),
        // What a function gives back, before its body.
        Some(before) => is_punct(before, '>'),
        None => false,
    };
    let fields = group_at(at + 1, Delimiter::Brace).filter(|_| !no_value)?;
    let field = fields.iter().position(|token| matches!(token, TokenTree::Ident(name) if name == "program"))?;
    let begins = field == 0 || is_punct(&fields[field - 1], ',');
    let value = if fields.get(field + 1).is_some_and(|next| is_punct(next, ':')) { field + 2 } else { field };
    begins.then(|| to_comma(&fields[value..]))
}

fn to_comma(tokens: &[TokenTree]) -> String {
    let words = tokens.iter().take_while(|token| !is_punct(token, ',')).map(ToString::to_string);
    words.collect::<String>().split_whitespace().collect()
}

/// The files that are no tests.
pub fn product() -> impl Iterator<Item = (String, String)> {
    rust_files("src").into_iter().filter(|(file, _)| !file.ends_with("tests.rs") && !file.contains("/tests/"))
}

pub fn parsed(file: &str, text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_program_git_is_started_in_one_place_alone() {
    let mut found = Vec::new();
    for (file, text) in product().filter(|(file, _)| file != GIT) {
        let mut programs = Vec::new();
        started(parsed(&file, &text), &mut programs);
        found.extend(programs.into_iter().map(|program| (file.clone(), program)));
    }
    found.sort();
    found.dedup();
    let known: Vec<(String, String)> =
        STARTS.iter().map(|(file, program)| ((*file).to_owned(), (*program).to_owned())).collect();
    assert_eq!(found, known, "git is started by crate::git::Git; another program stands in this table");
}

#[test]
fn a_planted_start_is_reported() {
    let planted = |text: &str| {
        let mut programs = Vec::new();
        started(parsed("src/a.rs", text), &mut programs);
        programs
    };
    for (text, program) in [
        ("fn f() { Run::new(\"git\", [\"status\"]) }", "\"git\""),
        ("fn f() { std::process::Command::new(GIT).arg(\"x\") }", "GIT"),
        ("fn f() { let run = Run { program: \"git\".into(), args, ..all }; }", "\"git\".into()"),
        ("fn f() { run(&Run { limit, program }) }", "program"),
        ("fn f() { words.map(Run::new) }", "?"),
        ("#[cfg(test)] use a::b; fn f() { ask(|| Run::new(&name)) }", "&name"),
    ] {
        assert_eq!(planted(text), [program], "{text}");
    }
    for text in [
        "pub struct Run { pub program: OsString }",
        "fn f() -> Run { Git::new(program).prepared() }",
        "impl Run { fn f(&self, program: &str) {} }",
        "#[cfg(test)] mod tests { fn f() { Command::new(\"git\") } }",
        "/// Like Run::new(\"git\").\nfn f() { Command::Open { name } }",
    ] {
        assert_eq!(planted(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn the_worktrees_of_a_repository_are_listed_in_one_place_alone() {
    let mut found = Vec::new();
    for (file, text) in product() {
        let mut all = Vec::new();
        strings(parsed(&file, &text), &mut all);
        if all.iter().any(|string| string == "worktrees" || string == "gitdir") {
            found.push(file);
        }
    }
    assert_eq!(found, [WORKTREES], "what a git directory says of worktrees is read there");
}
