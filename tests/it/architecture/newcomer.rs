//! A newcomer among the subsystems and outputs needs its own files and a line in each registry: the toy, which exists in
//! tests alone, is named nowhere else, not even for the reply to its verb.

use super::rust_files;

const OWN: [&str; 3] = ["src/domain/toy/", "src/cli/toy.rs", "src/output/toy.rs"];
const REGISTRIES: [&str; 6] = [
    "src/domain/subsystem.rs",
    "src/domain/mod.rs",
    "src/domain/outputs.rs",
    "src/output/mod.rs",
    "src/cli/own.rs",
    "src/cli/mod.rs",
];

/// Whether a text names it, in whatever letter case, alone or at the beginning of a longer name.
fn names_it(text: &str) -> bool {
    let mut words = text.split(|one: char| !one.is_ascii_alphanumeric());
    words.any(|word| {
        let begins = word.strip_prefix("Toy").is_some_and(|rest| rest.starts_with(char::is_uppercase));
        begins || word.eq_ignore_ascii_case("toy")
    })
}

fn is_test(path: &str) -> bool {
    path.ends_with("tests.rs") || path.contains("/tests/")
}

#[test]
fn a_newcomer_is_named_by_the_registries_and_its_own_files_alone() {
    let named: Vec<String> =
        rust_files("src").into_iter().filter(|(_, text)| names_it(text)).map(|(path, _)| path).collect();
    let elsewhere: Vec<&String> = named
        .iter()
        .filter(|path| !OWN.iter().any(|own| path.starts_with(own)) && !is_test(path))
        .filter(|path| !REGISTRIES.contains(&path.as_str()))
        .collect();
    assert!(elsewhere.is_empty(), "a newcomer touches its own files and the registries: {elsewhere:?}");
    for registry in REGISTRIES {
        assert!(named.iter().any(|path| path == registry), "{registry} is no registry: it does not name the newcomer");
    }
}

/// Whether a text names an output of the catalogue; `Catalogued::ALL` and the like name none.
fn names_an_output(text: &str) -> bool {
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut named = product.split("Catalogued::").skip(1);
    named.any(|rest| {
        let name: Vec<char> = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        name.iter().any(char::is_ascii_lowercase)
    })
}

#[test]
fn g27_nobody_tells_one_output_from_another() {
    let named: Vec<String> = rust_files("src")
        .into_iter()
        .filter(|(path, text)| !is_test(path) && names_an_output(text))
        .map(|(path, _)| path)
        .collect();
    // A plan is read back from one of them alone; tests alone have the second; in the third an intent recommends outputs.
    let may = ["src/app/plan/taking.rs", "src/domain/decide/table.rs", "src/interviewer/gate.rs"];
    assert_eq!(named, may, "what differs by output stands in the output's own file");
    assert!(names_an_output("*known == Catalogued::Adr") && !names_an_output("Catalogued::NAMES, Catalogued::$output"));
}

#[test]
fn nobody_but_its_looks_tells_one_reply_from_all_others() {
    // A match of all replies names this one, which is made in the first file alone.
    let named: Vec<String> = rust_files("src")
        .into_iter()
        .filter(|(_, text)| text.contains("Reply::NoSession"))
        .map(|(path, _)| path)
        .collect();
    let may = ["src/cli/look.rs", "src/render/json.rs", "src/render/mod.rs"];
    assert_eq!(named, may, "what is done with a reply beside showing it stands in its traits");
}

#[test]
fn a_planted_name_is_found() {
    for text in
        ["Event::Toy(event) => {}", "session.own.toy.turns", "fn toy_rang()", "ToyRang", "\"toy-wind\"", "// TOY"]
    {
        assert!(names_it(text), "{text}");
    }
    for text in ["history", "let stoyed = destroy();", "Toyota"] {
        assert!(!names_it(text), "{text}");
    }
}
