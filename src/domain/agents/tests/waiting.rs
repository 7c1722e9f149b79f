//! The list of what waits for the person.

use super::*;
use crate::domain::agents::ask::{AskAnswer, AskKind};
use crate::domain::agents::waiting::waiting;

#[test]
fn a42_what_waits_is_listed_oldest_first_with_the_command_that_answers_it() {
    let asking = |number: u32, idle: usize, words: &str| {
        let mut played = Played::begin(number, Profile::LocalReview).then(&launch(200)).then(&open());
        played = played.then(&send()).then(&Command::RecordSent);
        for place in 0..idle {
            let report =
                crate::domain::agents::usage::UsageReport { context: Some(line(&place.to_string())), turn: None };
            played = played.then(&Command::ReportUsage { report });
        }
        played.then(&Command::Ask { kind: AskKind::Question, words: line(words) }).session
    };
    let mut twice = Played::active();
    for kind in [AskKind::Permission, AskKind::Question] {
        twice.obey(&Command::Ask { kind, words: line("both") }).unwrap();
    }
    twice.obey(&Command::Answer { number: 1, answer: AskAnswer::Policy { why: line("read-only") } }).unwrap();
    let sessions = [asking(3, 9, "late"), asking(2, 1, "early"), twice.session, Played::idle().session];
    let listed: Vec<String> = waiting(&sessions)
        .into_iter()
        .map(|one| format!("{} {:?} {}: {}", one.since.as_second(), one.what, one.words, one.command()))
        .collect();
    assert_eq!(
        listed,
        [
            "8 Answer { number: 1, kind: Question } early: git grill agent answer g2",
            "9 Answer { number: 2, kind: Question } both: git grill agent answer g1",
            "16 Answer { number: 1, kind: Question } late: git grill agent answer g3",
        ]
    );
}
