//! Frames from inside the walls of a read-only run: a wish that is taken is a command that the rules know, and no frame
//! says more than one thing.

use git_grill::domain::from_inside::Outside;
use git_grill::domain::ids::{AnswerId, ObjectId};
use git_grill::sandbox::broker::frame::{Answer, LONGEST, VERSION, line, read, request};
use git_grill::sandbox::broker::request::{BrokerRequest, may_travel};

pub fn run(data: &[u8]) {
    let Ok(bytes) = read(data) else { return };
    assert!(bytes.len() as u64 <= LONGEST);
    match request(&bytes) {
        Err(Answer::Refused { code, exit, .. }) => {
            assert!(matches!((code.as_str(), exit), ("bad_frame" | "bad_version", 2)));
        }
        Err(Answer::Done { .. }) => panic!("nothing was done"),
        Ok(wished) => {
            assert_eq!(wished.v, VERSION);
            let sent = line(&wished);
            let again = request(&sent).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&sent)));
            assert_eq!((again.wish.clone(), again.session), (wished.wish.clone(), wished.session));
            let outside = Outside {
                answer: &|| AnswerId::from_nonce(7),
                blob: &|_| ObjectId::parse("ce013625030ba8dba906f756967f9e9ca394464a").ok(),
            };
            if let BrokerRequest::Commands(mut commands) = wished.wish {
                assert!(commands.iter().all(may_travel), "a wish for what only we record: {commands:?}");
                let _ = outside.settle(&mut commands);
            }
        }
    }
    let _ = serde_json::from_slice::<git_grill::sandbox::broker::frame::Answered>(&bytes).map(|it| it.answer.taken());
}
