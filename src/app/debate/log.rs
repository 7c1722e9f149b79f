//! What happened in the debates of a session, the oldest first, in lines and for programs.

use std::fmt::Write as _;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::{Page, Reply, Traits};
use crate::domain::debate::Debate;
use crate::domain::debate::part::Part;
use crate::domain::debate::round::{self, Round, Withdrawn, WithdrawnAnswer, answered_by};
use crate::domain::debate::shown::view;
use crate::domain::harmless::on_one_line;

use super::newest;
use super::showing::{plain, with};

/// Something that happened in a debate.
struct Entry {
    at: Timestamp,
    debate: u32,
    /// None for what is about the debate as a whole.
    round: Option<u32>,
    kind: Kind,
    what: String,
    by: String,
    /// Why a role failed, or the name of a debate that begins.
    told: Option<String>,
    /// When an answer was taken back.
    taken_back: Option<Timestamp>,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Begins,
    Text(Part),
    Failure(Part),
    Answer,
    Decision,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Begins => "begins",
            Self::Text(_) => "text",
            Self::Failure(_) => "failure",
            Self::Answer => "answer",
            Self::Decision => "decision",
        }
    }

    /// Its place among the entries of one moment in a round.
    const fn rank(self) -> u8 {
        match self {
            Self::Begins => 0,
            Self::Text(part) | Self::Failure(part) => match part {
                Part::Proposal => 1,
                Part::Critique => 2,
                Part::Attack => 3,
                Part::Position => 5,
                Part::Synthesis => 6,
                Part::Ruling => 7,
            },
            Self::Answer => 4,
            Self::Decision => 8,
        }
    }
}

impl Entry {
    fn line(&self) -> String {
        let Self { at, debate, what, by, .. } = self;
        let round = self.round.map(|round| format!(", round {round}:")).unwrap_or_default();
        let said = match self.kind {
            Kind::Begins | Kind::Answer => format!(" {what}, by {by}"),
            Kind::Decision => format!(": {what}, by {by}"),
            Kind::Text(_) | Kind::Failure(_) => format!(" {what} by {by}"),
        };
        let told = self.told.as_ref().map(|told| format!(": {told}")).unwrap_or_default();
        let back = self.taken_back.map(|back| format!("; taken back at {back}")).unwrap_or_default();
        format!("{at} debate {debate}{round}{said}{told}{back}")
    }

    fn json(&self) -> Value {
        let mut object = json!({
            "at": self.at, "debate": self.debate, "kind": self.kind.name(), "what": self.what, "by": self.by,
        });
        for (name, value) in [
            ("round", self.round.map(|round| json!(round))),
            ("told", self.told.as_ref().map(|told| json!(told))),
            ("takenBack", self.taken_back.map(|back| json!(back))),
        ] {
            if let Some(value) = value {
                object[name] = value;
            }
        }
        object
    }
}

/// What happened, by all debates of the session.
pub fn log(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = newest(&session)?;
    let entries: Vec<Entry> = session.own.debate.numbered().flat_map(|(number, one)| of(number, one)).collect();
    let mut text = String::new();
    for entry in &entries {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", entry.line());
    }
    text.push_str("git log -p GRILL_HEAD -- :/.grill/debate shows the texts");
    let traits = Traits { page: Some(Page::Debate), ..Traits::LONG };
    let log: Vec<Value> = entries.iter().map(Entry::json).collect();
    Ok(with(plain(&text, traits, &view(number, debate)), [("log", json!(log))]))
}

/// All of one debate.
fn of(debate: u32, played: &Debate) -> Vec<Entry> {
    let mut all = vec![Entry {
        at: played.at,
        debate,
        round: None,
        kind: Kind::Begins,
        what: "begins".to_owned(),
        by: played.by.in_words(),
        told: Some(on_one_line(played.name.as_str())),
        taken_back: None,
    }];
    let mut later: Vec<Entry> = played.numbered().flat_map(|(number, round)| of_round(debate, number, round)).collect();
    later.extend(played.decided.iter().map(|decided| Entry {
        at: decided.at,
        debate,
        round: None,
        kind: Kind::Decision,
        what: decided.decision.in_words().to_owned(),
        by: on_one_line(&answered_by(&decided.by, decided.proxy.as_ref())),
        told: None,
        taken_back: None,
    }));
    // A decision comes behind everything of its moment.
    later.sort_by_key(|entry| (entry.at, entry.round.unwrap_or(u32::MAX), entry.kind.rank()));
    all.extend(later);
    all
}

fn of_round(debate: u32, number: u32, played: &Round) -> Vec<Entry> {
    let entry = |at: Timestamp, kind: Kind, what: String, by: &str| Entry {
        at,
        debate,
        round: Some(number),
        kind,
        what,
        by: on_one_line(by),
        told: None,
        taken_back: None,
    };
    let mut entries = Vec::new();
    for given in &played.given {
        entries.push(entry(given.at, Kind::Text(given.part), given.part.in_words().to_owned(), &given.by.to_string()));
    }
    for heard in &played.heard {
        entries.push(entry(
            heard.at,
            Kind::Answer,
            heard_in_words(heard),
            &answered_by(&heard.by, heard.proxy.as_ref()),
        ));
    }
    for reply in played.asked.iter().filter_map(|asked| asked.reply.as_ref()) {
        let by = answered_by(&reply.by, reply.proxy.as_ref());
        entries.push(entry(reply.at, Kind::Answer, reply_in_words(reply).to_owned(), &by));
    }
    for Withdrawn { answer, withdrawn } in &played.withdrawn {
        let (at, what, by) = match answer {
            WithdrawnAnswer::Heard(heard) => (heard.at, heard_in_words(heard), &heard.by),
            WithdrawnAnswer::Reply(reply) => (reply.at, reply_in_words(reply).to_owned(), &reply.by),
        };
        let taken_back = Some(*withdrawn);
        entries.push(Entry { taken_back, ..entry(at, Kind::Answer, what, &answered_by(by, None)) });
    }
    for failed in &played.failures {
        let what = format!("no {}", failed.part.in_words());
        let told = Some(on_one_line(failed.why.as_str()));
        entries.push(Entry { told, ..entry(failed.at, Kind::Failure(failed.part), what, &failed.by.to_string()) });
    }
    entries
}

fn heard_in_words(heard: &round::Heard) -> String {
    format!("{} {}", heard.question.question(), if heard.yes { "yes" } else { "no" })
}

/// A question that is left to the role is no reply.
const fn reply_in_words(reply: &round::Reply) -> &'static str {
    if reply.words.is_some() { "a reply to a role" } else { "a role's question left to the role" }
}
