//! The reason for which a session waits for the user stands wherever the session is shown, with the command.

use super::*;
use crate::domain::agents::tests::unwalled;

const FOUND: &str = "4 changes in the repository: a (new)";
const NEEDED: &str = "! 4 changes in the repository: a (new)\n  git grill agent answer g1\n";

/// A turn is over, in which an agent without walls changed its copy, and then the repository.
fn undecided() -> (LoanSession, LoanSession) {
    let idle = Played::with(unwalled(1, Profile::WorktreeEdit)).then(&launch(200)).then(&open());
    let sent = idle.then(&Command::RecordWatch).then(&send()).then(&Command::RecordProof { proof: Box::new(proof()) });
    let files = ChangedFiles { more: 1, ..ChangedFiles::default() };
    let done = sent.then(&Command::RecordSent).then(&rest()).then(&Command::RecordChanges { files });
    let found = done.clone().then(&Command::RecordParentChange { found: line(FOUND) });
    (seen(done, None), seen(found, None))
}

fn result(session: LoanSession) -> Loan {
    let preview = Preview { text: "done".to_owned(), cut: 0 };
    let result = TurnResult { turn: turn(1), preview, path: PathBuf::from("/result.md"), made: Vec::new() };
    Loan::Result { session: Box::new(session), receipt: receipt(0, WaitEnd::Before), result }
}

#[test]
fn a25_a42_a_result_says_what_waits_for_the_user_and_offers_nothing_before_it() {
    let (decided, undecided) = undecided();
    let told = at_80(&result(undecided.clone()));
    let head = format!("; t1 is completed\n{NEEDED}> done\n");
    assert!(told.contains("waits for you, ") && told.contains(&head) && told.ends_with("/result.md\n"), "{told}");
    assert_eq!(json(1, &result(undecided.clone()))["session"]["answer"], "git grill agent answer g1");
    let told = at_80(&result(decided.clone()));
    assert!(told.ends_with("1 file can be accepted\n  git grill agent accept g1\n"), "{told}");
    assert_eq!(json(1, &result(decided))["session"]["answer"], serde_json::Value::Null);
    let status = Loan::Session { session: Box::new(undecided.clone()), receipt: receipt(0, WaitEnd::Before) };
    assert!(at_80(&status).contains(NEEDED), "{}", at_80(&status));
    let all = Loan::Cancelled { session: Box::new(undecided), turn: None };
    assert_eq!(at_80(&all), format!("✓ g1 was cancelled, with its turns\n{NEEDED}"));
}

#[test]
fn a42_a_result_says_what_the_agent_asks_meanwhile() {
    for (kind, asks) in [(AskKind::Question, "it asks"), (AskKind::Permission, "it asks for permission")] {
        let ask = Command::Ask { kind, words: line("write a.txt\u{1b}[2J") };
        let waits = works(1).then(&rest()).then(&send()).then(&Command::RecordSent).then(&ask);
        let told = at_80(&result(seen(waits, None)));
        let expected = format!("\n! {asks}: write a.txt␛[2J\n  git grill agent answer g1\n> done\n");
        assert!(told.contains(&expected), "{told}");
    }
}
