//! An interview about a project that we did not write: the source of a crate that this build uses, with a history made
//! on the spot. Its questions have to speak of that project (G12, G15, G16).

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench::Bench;

/// The source of a crate as cargo unpacked it.
fn source_of(name: &str) -> PathBuf {
    let home = std::env::var_os("CARGO_HOME")
        .map_or_else(|| PathBuf::from(std::env::var_os("HOME").expect("a home folder")).join(".cargo"), PathBuf::from);
    let wanted = |path: &Path| {
        let folder = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        folder.strip_prefix(name).is_some_and(|rest| rest.starts_with("-3.")) && path.join("src").is_dir()
    };
    let registries = std::fs::read_dir(home.join("registry/src")).expect("cargo unpacks what it builds");
    registries
        .flatten()
        .flat_map(|registry| std::fs::read_dir(registry.path()).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .find(|path| wanted(path))
        .unwrap_or_else(|| panic!("{name} is a dependency of this crate, and its source is below {}", home.display()))
}

#[test]
fn g16_the_questions_speak_of_a_project_that_we_did_not_write() {
    let bench = Bench::empty();
    let source = source_of("similar");
    bench
        .run(&format!("cp -R '{}/.' . && chmod -R u+w . && rm -f .cargo* Cargo.toml.orig", source.display()))
        .assert_code(0);
    bench.run("git add Cargo.toml README* LICENSE* && git commit -qm 'import the manifest'").assert_code(0);
    bench.run("git add -A && git commit -qm 'import the library'").assert_code(0);
    let tracked = bench.run("git ls-files").stdout;
    let topic = "ignore white space when comparing lines";

    bench.run(&format!("git grill start '{topic}'")).assert_code(0);
    let (mut asked, mut with_path) = (0, 0);
    loop {
        let status: Value = serde_json::from_str(&bench.run("git grill status --json").stdout).unwrap();
        let question = &status["question"];
        if question.is_null() {
            assert_eq!(status["phase"], "output-selection", "the interview ends at the gate");
            break;
        }
        asked += 1;
        let text = question.to_string();
        let names_a_file = tracked.lines().any(|path| path.contains('/') && text.contains(path));
        with_path += usize::from(names_a_file);
        assert!(names_a_file || text.contains(topic) || text.contains("similar"), "generic: {text}");
        for place in question["evidence"].as_array().unwrap() {
            let path = place.as_str().unwrap().split(':').next().unwrap();
            assert!(tracked.lines().any(|tracked| tracked == path), "{path} is cited and not tracked");
        }
        bench.run("git grill answer --choose 1").assert_code(0);
        assert!(asked < 40, "the interview ends");
    }
    assert!(asked >= 6 && with_path * 2 >= asked, "{with_path} of {asked} questions name a file of the project");
    let shows = bench.run("git show GRILL_HEAD:.grill/checkpoint.md").stdout;
    assert!(shows.contains("It is written in Rust") && shows.contains("cargo"), "{shows}");
}
