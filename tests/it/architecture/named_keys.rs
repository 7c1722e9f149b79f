//! Every key of git's configuration that the source names is in a table, with the scopes in which the key counts.

use git_grill::repo::config::counts::GIT_KEYS;
use git_grill::repo::config::keys::KEYS;
use proc_macro2::{TokenStream, TokenTree};

use super::rust_files;
use super::tokens::of_the_product;

/// The sections of git's configuration that something here might be read from.
const SECTIONS: &str = "advice alias author branch checkout clone color commit committer core credential diff \
    extensions fetch filter fsck gc gpg grill hook http include includeif log maintenance merge pack pager protocol pull \
    push receive remote safe sequence status submodule tag transfer url user";

/// Strings that look like a key and are none: files, and a section whose keys are named where they are read.
const NO_KEYS: &[&str] = &["extensions.lock", "gc.pid", "hook.git-grill-*", "user.clj"];

/// The strings of a file, without its tests and its attributes.
pub fn strings(stream: TokenStream, into: &mut Vec<String>) {
    for token in of_the_product(stream) {
        match token {
            TokenTree::Group(group) => strings(group.stream(), into),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let text = text.trim_start_matches(['b', 'r', '#']).trim_end_matches('#');
                into.extend(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned));
            }
            TokenTree::Punct(_) | TokenTree::Ident(_) => {}
        }
    }
}

/// The keys that a string names; `*` is whatever is put in, and a pattern for `git config` can name several.
fn keys_in(string: &str) -> Vec<String> {
    let pattern =
        string.strip_prefix('^').map(|rest| rest.trim_end_matches('$').replace(".*", "*").replace("\\.", "."));
    let text = pattern.unwrap_or_else(|| with_stars(string));
    let each: Vec<String> = match text.split_once('(').and_then(|(head, rest)| Some((head, rest.split_once(')')?))) {
        Some((head, (words, tail))) => words.split('|').map(|word| format!("{head}{word}{tail}")).collect(),
        None => vec![text],
    };
    each.into_iter().filter(|text| looks_like_a_key(text)).collect()
}

/// A format string with a star for each part in braces.
fn with_stars(format: &str) -> String {
    let mut parts = format.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('*');
        text.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
    }
    text
}

fn looks_like_a_key(text: &str) -> bool {
    let is_section = |word: &str| SECTIONS.split(' ').any(|section| section.eq_ignore_ascii_case(word));
    text.split_once('.').is_some_and(|(word, rest)| is_section(word) && !rest.is_empty())
        && !text.ends_with('.')
        && text.chars().all(|one| one.is_ascii_alphanumeric() || ".*<>-".contains(one))
}

fn is_named(key: &str) -> bool {
    let fits = |name: &str| match name.split_once('*') {
        None => name.eq_ignore_ascii_case(key),
        Some((head, tail)) => {
            let (key, head, tail) = (key.to_lowercase(), head.to_lowercase(), tail.to_lowercase());
            let part = key.strip_prefix(&*head).and_then(|rest| rest.strip_suffix(&*tail));
            part.is_some_and(|part| !part.is_empty())
        }
    };
    KEYS.iter().any(|one| one.is_called(key)) || GIT_KEYS.iter().any(|one| fits(one.name))
}

/// The keys that the source names and no table does, each with its file.
fn unnamed(files: &[(String, String)]) -> Vec<String> {
    let mut unnamed = Vec::new();
    for (file, text) in files {
        let mut found = Vec::new();
        strings(text.parse().unwrap_or_else(|error| panic!("{file}: {error}")), &mut found);
        let keys = found.iter().flat_map(|string| keys_in(string));
        let keys = keys.filter(|key| !is_named(key) && !NO_KEYS.contains(&key.as_str()));
        unnamed.extend(keys.map(|key| format!("{file}: {key}")));
    }
    unnamed
}

#[test]
fn g30_no_key_is_read_that_no_table_names() {
    let mut files = rust_files("src");
    // The policy has a table of its own, of what a clone could have git run: by its keys it refuses, and follows none.
    files.retain(|(file, _)| {
        !file.starts_with("src/policy/") && !file.ends_with("tests.rs") && !file.contains("/tests/")
    });
    let unnamed = unnamed(&files);
    assert!(unnamed.is_empty(), "not in src/repo/config/keys.rs or counts.rs:\n{}", unnamed.join("\n"));
}

#[test]
fn a_planted_key_is_reported() {
    let planted = |text: &str| unnamed(&[("src/a.rs".to_owned(), text.to_owned())]);
    for text in [
        r#"fn f() { config.string("core.sshCommand"); }"#,
        r##"const KEYS: &[&str] = &[r#"diff.external"#];"##,
        r#"fn f(name: &str) { ask(&["config", "--get", &format!("diff.{name}.textconv")]); }"#,
        r#"fn f() { config.switch("grill.trust"); }"#,
        r#"fn f() { matching(r"^url\..*\.(insteadof|pushinsteadof)$"); }"#,
        r#"#[cfg(test)] use a::b; fn f() { key("alias.x"); }"#,
    ] {
        assert!(!planted(text).is_empty(), "{text}");
    }
    for text in [
        r#"fn f() { config.string("core.editor"); names(r"^filter\..*\.(clean|process)$"); }"#,
        r#"fn f(name: &str) { config.string(&format!("grill.agent.{name}.command")); }"#,
        r#"fn f() { Git::new(["status"]).setting("core.fsmonitor=false"); say("core.bare is true"); }"#,
        r#"#[cfg(test)] mod tests { fn f() { key("alias.x"); } }"#,
        r#"#[error("alias.x")] struct S; fn f() { open("Cargo.toml"); }"#,
    ] {
        assert_eq!(planted(text), Vec::<String>::new(), "{text}");
    }
}
