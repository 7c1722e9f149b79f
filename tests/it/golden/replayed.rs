//! Replay: the same repository, the same answers, the same moments give the same interview, whatever its random ids are.

use super::names::Names;
use super::play::bench;
use super::script::Script;
use crate::bench::{one_of, side_by_side};

/// The interviews that are played twice.
const INTERVIEWS: &[&str] = &["crate", "service", "handbook"];

/// What is looked at after every command: the open question with the order of its alternatives, and the checkpoint.
const LOOK: &str = "git grill next --json; git show GRILL_HEAD:.grill/checkpoint.md";

/// What a whole interview says and shows, one entry a command.
fn played(text: &str) -> Vec<String> {
    let script = Script::parse(text).unwrap();
    let bench = bench(&script.directives).unwrap();
    let mut names = Names::new(bench.root().to_str().unwrap());
    let play = |command: &str, names: &mut Names| {
        let output = bench.run(&names.fill_in(command).unwrap());
        names.normalise(&format!("{}\n{}\n{}", output.code, output.stdout, output.stderr))
    };
    let step = |step: &super::script::Step| play(&step.command, &mut names) + &play(LOOK, &mut names);
    script.steps.iter().map(step).collect()
}

#[test]
fn g16_the_same_answers_in_the_same_repository_are_the_same_interview() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sessions");
    for name in INTERVIEWS.iter().step_by(one_of(3)) {
        let text = std::fs::read_to_string(folder.join(format!("interview-{name}.md"))).unwrap();
        let twice = side_by_side(&[&text; 2], |text| played(text));
        let [once, again] = &twice[..] else { panic!("{name}: it was not played twice") };
        let asked = |turn: &&String| turn.contains("\"currentQuestion\"") && turn.contains("# Shared Understanding");
        assert!(once.iter().filter(asked).count() >= 10, "{name}: this was no interview: {once:?}");
        for (index, (first, second)) in once.iter().zip(again).enumerate() {
            assert_eq!(first, second, "{name}: after command {}", index + 1);
        }
        assert_eq!(once.len(), again.len());
    }
}
