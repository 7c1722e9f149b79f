//! Documents: a checkpoint in anybody's words. It is shown without acting on the terminal, read by the interviewer, and
//! becomes every output of the catalogue.

use git_grill::app::reply::Reply;
use git_grill::domain::checkpoint::Checkpoint;
use git_grill::domain::event::Started;
use git_grill::domain::harmless::{FLAGS, acts_on_a_terminal};
use git_grill::domain::ids::{QuestionId, SessionId};
use git_grill::domain::outline::Outline;
use git_grill::domain::production::TargetPath;
use git_grill::domain::session::Session;
use git_grill::domain::settings::{Catalogued, Destination, Settings};
use git_grill::domain::text::{Line, Prose, Topic};
use git_grill::output::{Existing, documents, issue_drafts, paths, strategy_for};
use git_grill::render::{Asked, Links, Look, reply_folded, reply_text};
use git_grill::{domain, interviewer};
use jiff::Timestamp;

use super::text;

pub fn run(data: &[u8]) {
    let Some(markdown) = text(data) else { return };
    let Ok(checkpoint) = Checkpoint::parse(markdown) else { return };
    assert_eq!(Checkpoint::parse(checkpoint.as_str()).as_ref(), Ok(&checkpoint), "it settles");
    assert!(checkpoint.as_str().ends_with('\n') && !checkpoint.as_str().ends_with("\n\n"));
    let _ = Outline::parse(checkpoint.as_str());
    shown(&checkpoint);
    let session = session(markdown, checkpoint);
    let _ = interviewer::findings(&session);
    let _ = interviewer::next(&session, QuestionId::from_nonce(7));
    outputs(&session);
}

/// A session about the first line with this checkpoint.
pub fn session(words: &str, checkpoint: Checkpoint) -> Session {
    let first = Line::clipped(words.lines().next().unwrap_or_default());
    let topic = Topic::parse(first.as_str()).or_else(|_| Topic::parse("x")).expect("a topic");
    let started = Started {
        id: SessionId::parse("20261121-auth-k3f9q").expect("an id"),
        topic,
        settings: Settings::default(),
        base: None,
        branch: None,
        reported: None,
        no_interview: false,
    };
    let mut session = Session::begin(&started, Timestamp::UNIX_EPOCH, 1);
    session.checkpoint = checkpoint;
    session
}

/// On a terminal nothing of it acts, however narrow the window; anywhere else it is as it was.
fn shown(checkpoint: &Checkpoint) {
    let reply = Reply::Checkpoint(checkpoint.clone());
    assert_eq!(reply_text(&reply, &look(false)), checkpoint.as_str());
    for columns in [1, 20, 80] {
        let terminal = look(true);
        let said = reply_folded(&reply, &terminal, columns);
        assert!(!acts(&said), "{said:?}");
    }
    // One text more, as everything else of the session is shown.
    let safe = domain::harmless::harmless(checkpoint.as_str());
    assert!(!acts(&safe));
    assert_eq!(domain::harmless::harmless(&safe), safe, "it settles");
    let _ = Prose::parse("a text", checkpoint.as_str());
}

/// Whether a terminal acts on something of it, beside the flags that are spelled with tags.
fn acts(text: &str) -> bool {
    FLAGS.iter().fold(text.to_owned(), |text, flag| text.replace(flag, "")).chars().any(acts_on_a_terminal)
}

fn look(terminal: bool) -> Look {
    Look { colours: false, terminal, asked: Asked::InText, links: Links::Spelled }
}

fn outputs(session: &Session) {
    for known in Catalogued::ALL {
        let destination = Destination::Known(*known);
        let strategy = strategy_for(&destination, None, None, session);
        let existing = Existing::default();
        let Ok(paths) = paths(&destination, &strategy, None, session, &existing) else { continue };
        for document in documents(&destination, &strategy, &paths, session, &existing).into_iter().flatten() {
            assert!(paths.contains(&document.path), "{} was not planned", document.path);
            assert!(document.text.ends_with('\n') && !document.text.contains('\r'), "{:?}", document.text);
            assert_eq!(TargetPath::parse(document.path.as_str()).as_ref(), Ok(&document.path));
        }
        for (_, issue) in issue_drafts(&strategy, session).into_iter().flatten() {
            domain::issue::parse(&issue).unwrap_or_else(|bad| panic!("{bad}: {issue}"));
        }
    }
}
