//! Where extensions are found, that listing runs nothing, and who enables one.

use serde_json::Value;

use super::{hello, ran, script, traced, typed, world, write};
use crate::bench::Bench;
use crate::conversation::Sitting;

#[track_caller]
fn listed(bench: &Bench, name: &str) -> Option<Value> {
    let output = bench.run("git grill extensions --json").assert_code(0);
    let all: Value = serde_json::from_str(output.stdout()).unwrap();
    all["extensions"].as_array().unwrap().iter().find(|one| one["name"] == name).cloned()
}

/// A person at a terminal wants one enabled that is on `PATH`, and says yes where they are asked; what they see.
#[track_caller]
fn enable(bench: &Bench, name: &str, asked: Option<&str>, code: i32, said: &str) {
    let mut sitting = Sitting::of_a_line(bench, &typed(&format!("git grill extensions enable {name}")));
    if let Some(shown) = asked {
        sitting.pty.wait_for(shown);
        sitting.pty.wait_for("[y/n]");
        sitting.pty.send("y");
    }
    sitting.pty.wait_for(said);
    sitting.ends_with(code);
}

#[test]
fn p6_nothing_in_the_repository_is_started() {
    for file in ["bin/git-grill-evil", ".git/bin/git-grill-evil", "git-grill-evil"] {
        let bench = traced("evil", file);
        let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
        for path in [format!("$PWD/{folder}"), folder.to_owned(), String::new()] {
            let refused = bench.run(&format!("PATH=\"{path}:$PATH\" git grill evil new"));
            assert_ne!(refused.code, 0, "{refused}");
        }
        // A link that stands elsewhere leads there, too, and so does a setting of the account.
        let place = bench.repo().join(file);
        bench.run(&format!("mkdir -p ../bin && ln -sf '{}' ../bin/git-grill-evil", place.display())).assert_code(0);
        bench.run(&typed("git grill evil new")).assert_code(128).assert_contains("is in the repository");
        bench.global_config(&format!("[grill \"extension.evil\"]\n\tcommand = {}\n", place.display()));
        bench.run("git grill evil new").assert_code(128).assert_contains("is in the repository");
        bench.global_config(&format!(
            "[grill \"extension.other\"]\n\tsandbox = false\n\tcommand = sh {}\n",
            place.display()
        ));
        bench.run("git grill other new").assert_code(128).assert_contains("is in the repository");
        assert!(!ran(&bench), "{file}");
    }
}

/// The person put that folder on `PATH`, and typed the name.
#[test]
fn p6_a_program_that_a_person_keeps_under_git_elsewhere_is_found() {
    let bench = world("intake", "answer '{\"text\":\"ran\"}'");
    bench.run("git init -q ../bin").assert_code(0);
    bench.run(&typed("git grill intake new")).assert_code(0).assert_contains("ran");
}

#[test]
fn p6_the_repository_s_own_settings_name_no_extension() {
    let bench = traced("evil", "../bin/git-grill-evil");
    let place = bench.root().join("bin/git-grill-evil");
    bench.run(&format!("git config grill.extension.evil.command '{}'", place.display())).assert_code(0);
    bench.run("git grill evil new").assert_code(2).assert_contains("is no verb");
    bench.run(&format!("git -c grill.extension.evil.command='{}' grill evil new", place.display())).assert_code(2);
    assert_eq!(listed(&bench, "evil"), None);
    assert!(!ran(&bench));
}

#[test]
fn p6_listing_runs_nothing() {
    let bench = traced("intake", "../bin/git-grill-intake");
    let place = bench.root().join("bin/git-grill-intake");
    bench.global_config(&format!("[grill \"extension.intake\"]\n\tcommand = {}\n", place.display()));
    let one = listed(&bench, "intake").unwrap();
    assert_eq!((&one["enabled"], &one["sandbox"], &one["found"]), (&false.into(), &false.into(), &"settings".into()));
    let shipped = listed(&bench, "questionnaire").unwrap();
    assert_eq!((&shipped["enabled"], &shipped["found"]), (&true.into(), &"shipped".into()));
    bench.run(&typed("git grill extensions")).assert_code(0).assert_contains("it can write to the repository");
    assert!(!ran(&bench));
    bench.run("git grill intake new").assert_code(0).assert_contains("ran");
    assert!(ran(&bench));
}

#[test]
fn p6_a_person_enables_and_another_file_has_no_tools() {
    let bench = world("intake", "answer '{}'");
    let refused = bench.run(&typed("CLAUDECODE=1 git grill extensions enable intake")).assert_code(3);
    refused.assert_contains("needs a person");
    bench.run(&typed("git grill extensions enable intake </dev/null")).assert_code(3);
    assert_eq!(listed(&bench, "intake"), None);
    enable(&bench, "intake", Some("intake_ask"), 0, "agents can call intake_ask");
    // By now PATH is not searched for it.
    let one = listed(&bench, "intake").unwrap();
    assert_eq!(
        (&one["enabled"], &one["found"], &one["tools"][0]["tool"]),
        (&true.into(), &"path".into(), &"intake_ask".into())
    );
    // A copy of the clone says nothing of it.
    bench.run("cp -R . ../copy").assert_code(0);
    bench.run("git -C ../copy grill extensions").assert_code(0).assert_lacks("intake");
    write(&bench, "bin", "intake", &script("intake", "answer '{\"text\":\"other\"}'"));
    let one = listed(&bench, "intake").unwrap();
    assert_eq!(one["enabled"], false);
    assert!(one["changed"].as_str().unwrap().contains("has changed"), "{one}");
    enable(&bench, "intake", Some("intake_ask"), 0, "agents can call intake_ask");
    assert_eq!(listed(&bench, "intake").unwrap()["enabled"], true);
    bench.run("CLAUDECODE=1 git grill extensions disable intake").assert_code(3);
    let sitting = Sitting::of_a_line(&bench, "git grill extensions disable intake");
    sitting.pty.wait_for("agents can no longer call the tools of intake");
    sitting.ends_with(0);
    assert_eq!(listed(&bench, "intake"), None);
}

#[test]
fn p6_a_collision_is_refused_by_name() {
    let bench = world("status", "answer '{}'");
    enable(&bench, "status", None, 1, "no extension can be called status");
    // `grill` and `status` make the name of a tool of ours.
    let taken = hello("grill").replace("\"ask\"", "\"status\"");
    let content = script("grill", "answer '{}'").replace(&hello("grill"), &taken);
    write(&bench, "bin", "grill", &content);
    enable(&bench, "grill", Some("grill_status"), 1, "git grill already has a tool grill_status");
    assert_eq!(listed(&bench, "grill"), None);
}

#[test]
fn p6_a_trial_shows_what_one_says_of_itself() {
    let bench = world("intake", "answer '{}'");
    let shown = bench.run(&typed("git grill extensions --trial intake")).assert_code(0);
    shown.assert_contains("intake 1.0").assert_contains("intake_ask").assert_contains("git grill intake new");
    bench.run(&typed("CLAUDECODE=1 git grill extensions --trial intake")).assert_code(3);
    let none = bench.run("git grill extensions --trial nowhere").assert_code(2);
    none.assert_contains("there is no extension 'nowhere'");
}
