//! Planted breaches: the architecture test must see each of them, at its line, and nothing else.

use super::manifest::Manifest;
use super::sources::Source;
use super::{breaches, table::TABLE};

fn lines(file: &str, text: &str) -> Vec<usize> {
    found(&[Source::new(file, text)])
}

fn found(sources: &[Source]) -> Vec<usize> {
    let breaches = breaches(sources, &Manifest::of_this_crate());
    let mut lines: Vec<usize> = breaches.iter().map(|breach| breach.line).collect();
    lines.dedup();
    lines
}

/// What it is, the file, its text, the line of the breach.
#[rustfmt::skip]
const PLANTED: &[(&str, &str, &str, usize)] = &[
    ("a plain use", "src/domain/a.rs", "\nuse crate::app::ports;", 2),
    ("a nested group", "src/app/a.rs", "use crate::{\n domain::x,\n store::{self, y},\n};", 3),
    ("a group of roots", "src/app/a.rs", "use {crate::domain, git2::Oid};", 1),
    ("the whole crate", "src/app/a.rs", "use crate as all;", 1),
    ("everything in the crate", "src/app/a.rs", "use crate::*;", 1),
    ("a chain of supers", "src/app/a.rs", "use super::super::store::Git;", 1),
    ("supers in a module", "src/app/mod.rs", "mod a {\n use super::super::super::store::x;\n}", 2),
    ("a chain from self", "src/app/a.rs", "use self::super::super::store::Git;", 1),
    ("an expression", "src/app/a.rs", "fn f() {\n let x = 1 + crate::store::open();\n}", 2),
    ("a type", "src/app/a.rs", "struct A(Vec<git2::Oid>);", 1),
    ("a leading colon", "src/app/a.rs", "fn f() { return ::git2::init() }", 1),
    ("a range", "src/app/a.rs", "fn f() { 0..crate::store::N; }", 1),
    ("a macro call", "src/app/a.rs", "fn f() {\n\n panic!(\"{}\", crate::store::x());\n}", 3),
    ("a macro definition", "src/app/a.rs", "macro_rules! m { () => { $crate::store::x() } }", 1),
    ("an attribute", "src/domain/a.rs", "#[derive(clap::Parser)]\nstruct A;", 1),
    ("a serde attribute", "src/domain/a.rs", "struct A {\n #[serde(with = \"crate::store::x\")]\n a: u8 }", 1),
    ("a re-export", "src/domain/a.rs", "pub use crate::store::Git;", 1),
    ("a use in a function", "src/domain/a.rs", "fn f() { use git2::Oid; }", 1),
    ("an extern crate", "src/app/a.rs", "extern crate git2;", 1),
    ("a renamed crate", "src/app/a.rs", "use git2 as g;", 1),
    ("a raw name", "src/app/a.rs", "use r#git2::Oid;", 1),
    ("our own name", "src/main.rs", "use git_grill::store::Git;", 1),
    ("more of app than its ports", "src/store/a.rs", "use crate::app::{ports, reply};", 1),
    ("app as a whole", "src/store/a.rs", "use crate::app;", 1),
    ("app with everything", "src/store/a.rs", "use crate::app::*;", 1),
    ("a theme in render", "src/render/a.rs", "use crate::term::theme;", 1),
    ("a surface below", "src/render/a.rs", "use crate::cli::Args;", 1),
    ("git2 in a surface", "src/cli/a.rs", "fn f(x: &git2::Repository) {}", 1),
    ("dialoguer in a surface", "src/render/a.rs", "use dialoguer::Confirm;", 1),
    ("a process in a surface", "src/cli/a.rs", "use std::process::{ExitCode, Command};", 1),
    ("the environment in a surface", "src/cli/a.rs", "use std::{fmt, env};", 1),
    ("all of std", "src/cli/a.rs", "use std::*;", 1),
    ("std under another name", "src/cli/a.rs", "use std as s;", 1),
    ("a process outside the world", "src/hooks/a.rs", "fn f() { std::process::exit(1) }", 1),
    ("a file in the rules", "src/domain/a.rs", "fn f() { std::fs::read(\"x\"); }", 1),
    ("an unknown room", "src/helpers/a.rs", "", 1),
    ("a room in a test", "src/domain/a.rs", "#[cfg(test)]\nmod tests { use crate::store::Git; }", 2),
    ("a crate in a test", "src/domain/a.rs", "#[cfg(test)]\nmod tests { use git2::Oid; }", 2),
    ("a process in a surface's test", "src/cli/a.rs", "#[cfg(test)] mod t { use std::process::Command; }", 1),
    ("a test's crate outside", "src/store/a.rs", "#[cfg(test)] mod t {}\nmod b { use std::process::Command; }", 2),
    ("a function for tests", "src/domain/a.rs", "#[cfg(test)] fn f() { tempfile::tempdir(); }", 1),
    ("after a test's module", "src/domain/a.rs", "#[cfg(test)] mod t;\nuse proptest::prelude;", 2),
];

#[test]
fn planted_breaches_are_reported() {
    for &(what, file, text, line) in PLANTED {
        assert_eq!(lines(file, text), [line], "{what}: {text}");
    }
}

/// What it is, the file, its text.
#[rustfmt::skip]
const CLEAN: &[(&str, &str, &str)] = &[
    ("comments", "src/domain/a.rs", "//! crate::store\n/* use git2::Oid; */ /// [`crate::cli`]\nstruct A;"),
    ("strings", "src/domain/a.rs", "const A: &str = \"git2::Oid\"; const B: &str = r#\"crate::store::x\"#;"),
    ("the own room", "src/domain/a/b.rs", "use super::super::x; use crate::domain::y; use self::z; use super::*;"),
    ("visibility", "src/domain/a.rs", "pub(crate) fn a() {} pub(super) fn b() {} pub(in crate::domain) fn c() {}"),
    ("a member", "src/domain/a.rs", "fn f() { x.similar::<u8>(); T::<u8>::console::<u8>(); similar(); }"),
    ("ports", "src/store/a.rs", "use crate::app::{ports::{Process, Run}, prompt::Prompter};"),
    ("the hooks' question", "src/hooks/a.rs", "use crate::policy::verdict;"),
    ("an exit code", "src/cli/a.rs", "use std::process::ExitCode; use crate::{app, render};"),
    ("the wiring", "src/world/a.rs", "use crate::{cli, store}; use std::{env, process}; use git2::Oid;"),
    ("a captured lifetime", "src/domain/a.rs", "fn f<'a>(x: &'a u8) -> impl Sized + use<'a> { x }"),
    ("tools of a test", "src/domain/a.rs", "#[cfg(test)]\n#[rustfmt::skip]\npub(crate) mod t { use proptest::prelude; }"),
    ("a process in a test", "src/store/a.rs", "#[cfg(all(test, unix))] mod t { use std::process::Command; }"),
    ("the program", "src/main.rs", "use std::process::ExitCode; fn main() { git_grill::world::run(); }"),
    ("a reason", "src/domain/a.rs", "#[expect(unused, reason = \"it's what crate::store::x wants\")] struct A;"),
];

#[test]
fn what_the_table_allows_is_not_reported() {
    for &(what, file, text) in CLEAN {
        assert_eq!(lines(file, text), [0; 0], "{what}: {text}");
    }
}

#[test]
fn a_test_module_may_live_in_a_file_of_its_own() {
    let tests = "use tempfile::tempdir;";
    let declared =
        |declaration| [Source::new("src/domain/a/mod.rs", declaration), Source::new("src/domain/a/tests.rs", tests)];
    assert_eq!(found(&declared("#[cfg(test)]\nmod tests;")), [0; 0]);
    assert_eq!(found(&declared("mod tests;")), [1]);
}

#[test]
fn a_file_is_the_module_that_a_path_attribute_makes_of_it() {
    let moved =
        |attributes, text| [Source::new("src/domain/a.rs", attributes), Source::new("src/domain/a_tests.rs", text)];
    let declared = "#[cfg(test)]\n#[path = \"a_tests.rs\"]\nmod tests;";
    let clean = "use super::super::b; use proptest::prelude;";
    assert_eq!(found(&moved(declared, clean)), [0; 0]);
    let breach = "\nuse super::super::super::store::Git;";
    assert_eq!(found(&moved(declared, breach)), [2]);
    assert_eq!(found(&moved("#[path = \"a_tests.rs\"] mod b;", clean)), [1]);

    let smuggled = [
        Source::new("src/domain/a.rs", "#[path = \"../store/git.rs\"]\nmod git;"),
        Source::new("src/store/git.rs", "\n\nuse git2::Oid;"),
    ];
    assert_eq!(found(&smuggled), [3]);
}

#[test]
fn no_row_breaks_the_direction() {
    for row in TABLE {
        let widest = ["world", "main"].contains(&row.room);
        assert!(widest || !row.may.contains(&"*"), "{} may use everything", row.room);
        assert!(widest || !row.may.contains(&"world"), "{} may use the world", row.room);
        assert!(widest || !row.may.contains(&"cli"), "{} may use a surface", row.room);
        assert!(row.room != "domain" || row.may.is_empty(), "domain depends on something");
    }
}
