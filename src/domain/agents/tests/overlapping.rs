//! Files that more than one session changed (A41).

use super::*;
use crate::domain::agents::acceptance::{Acceptance, AcceptedBy};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::overlap::overlaps;

fn changed(paths: &[&str]) -> ChangedFiles {
    ChangedFiles::new(paths.iter().map(|path| (*path).to_owned()))
}

fn editing(number: u32, paths: &[&str]) -> Played {
    let open = Played::begin(number, Profile::WorktreeEdit).then(&launch(200)).then(&open());
    let proved = open.then(&Command::RecordProof { proof: Box::new(proof()) });
    proved.then(&Command::RecordChanges { files: changed(paths) })
}

#[test]
fn a41_a_file_that_two_sessions_changed_is_named_until_one_of_them_is_settled() {
    let told = |all: &[&Played]| -> Vec<String> {
        let found = overlaps(all.iter().map(|played| &played.session));
        let words = |handles: &[AgentHandle]| handles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        found.iter().map(|one| format!("{}: {}", one.path, words(&one.sessions))).collect()
    };
    let (first, second, third) = (editing(1, &["a", "b", "c"]), editing(2, &["b", "d"]), editing(3, &["b", "c"]));
    assert_eq!(told(&[&first, &second, &third]), ["b: g1 g2 g3", "c: g1 g3"]);
    assert_eq!(told(&[&second]), Vec::<String>::new());
    let acceptance = Acceptance { by: AcceptedBy::Person, step: 1, files: changed(&["b", "c"]) };
    let accepted = first.clone().then(&Command::RecordAccept { acceptance, rest: Some(changed(&["a"])) });
    assert_eq!(told(&[&accepted, &second, &third]), ["b: g2 g3"]);
    let cleaned = third.then(&Command::RecordEnd).then(&Command::Leave).then(&Command::CleanUp);
    assert_eq!(told(&[&first, &cleaned]), Vec::<String>::new());
}
