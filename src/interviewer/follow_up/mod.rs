//! Follow-ups: questions that an answer opens. In this order, and before anything else is asked: two answers that cannot
//! both hold (at every intensity), a word that has to become measurable (`standard` and above), a second look at a lens
//! (`adversarial`), the challenge of a decision (`hard` and above).
//!
//! Their probe ids say what they follow, the question itself last: `contradiction:<earlier>:<later>`,
//! `measure:<class>:<question>`, `deepen:<lens>:<question>`, `challenge:<number>:<question>`.

mod challenge;
mod contradiction;
mod deepening;
mod measure;
mod withdrawn;

use crate::domain::ids::QuestionId;
use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::purpose::Purpose;
use crate::domain::question::Alternative;
use crate::domain::session::Session;

use super::catalogue::{Choice, Deepening, Saying, catalogue};
use super::scene::{Known, Scene, gist};
use super::session_reading::SessionReading;

pub(super) use challenge::{is_decision, was_challenged};
pub(super) use contradiction::{against_lines, clashing_pairs, was_taken_up};
pub(super) use measure::vague_words;
pub(super) use withdrawn::{Withdrawn, withdrawn};

#[derive(Clone)]
pub(super) struct FollowUp<'a> {
    pub of: &'a TranscriptEntry,
    pub probe: String,
    pub say: &'static Saying,
    quotes: Quotes,
}

type Quotes = Vec<(&'static str, Known)>;

impl FollowUp<'_> {
    /// The scene that its templates are filled from.
    pub fn scene(&self, heard: &SessionReading<'_>) -> Scene {
        with(heard.scene().clone(), &self.quotes)
    }
}

fn with(scene: Scene, quotes: &Quotes) -> Scene {
    quotes.iter().fold(scene, |scene, (name, known)| scene.with(name, known.clone()))
}

/// The parts of a follow-up's probe id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way<'a> {
    Contradiction { earlier: &'a str },
    Measure { class: &'a str },
    Deepen { lens: &'a str },
    Challenge { number: usize },
}

impl Way<'_> {
    fn probe(&self, of: &QuestionId) -> String {
        match self {
            Self::Contradiction { earlier } => format!("contradiction:{earlier}:{of}"),
            Self::Measure { class } => format!("measure:{class}:{of}"),
            Self::Deepen { lens } => format!("deepen:{lens}:{of}"),
            Self::Challenge { number } => format!("challenge:{number}:{of}"),
        }
    }
}

/// Reads a probe id; `None` when it is no follow-up's.
pub(super) fn way(probe: &str) -> Option<(Way<'_>, &str)> {
    let mut parts = probe.splitn(3, ':');
    let (kind, which, of) = (parts.next()?, parts.next()?, parts.next()?);
    let way = match kind {
        "contradiction" => Way::Contradiction { earlier: which },
        "measure" => Way::Measure { class: which },
        "deepen" => Way::Deepen { lens: which },
        "challenge" => Way::Challenge { number: which.parse().ok()? },
        _ => return None,
    };
    Some((way, of))
}

pub(super) fn is_follow_up(probe: &str) -> bool {
    way(probe).is_some()
}

pub(super) fn followed(probe: &str) -> Option<&str> {
    way(probe).map(|(_, of)| of)
}

fn saying(way: &Way<'_>) -> Option<&'static Saying> {
    let follow_ups = &catalogue().follow_ups;
    match way {
        Way::Contradiction { .. } => Some(&follow_ups.contradiction),
        Way::Measure { class } => follow_ups.vague.iter().find(|one| one.name == *class).map(|one| &one.say),
        Way::Deepen { lens } => {
            follow_ups.deepenings.iter().find(|one| deepening::name(one) == *lens).map(|one| &one.say)
        }
        Way::Challenge { number } => follow_ups.challenges.get(*number).map(|one| &one.say),
    }
}

/// The catalogue's alternatives of a follow-up.
pub(super) fn choices(probe: &str) -> Option<&'static [Choice]> {
    saying(&way(probe)?.0).map(|say| say.alternatives.as_slice())
}

/// What the answers so far have opened and nobody has asked yet.
pub(super) struct Opened<'s> {
    contradiction: Option<FollowUp<'s>>,
    measure: Option<FollowUp<'s>>,
    deepenings: Vec<(&'s TranscriptEntry, &'static Deepening)>,
    challenges: Vec<&'s TranscriptEntry>,
}

impl<'s> Opened<'s> {
    pub fn of(heard: &SessionReading<'s>) -> Self {
        Self {
            contradiction: contradiction::due(heard),
            measure: measure::due(heard),
            deepenings: deepening::open(heard),
            challenges: challenge::unchallenged(heard),
        }
    }

    /// What is due. It is asked while the answer that opened it is fresh, so the newest answer comes first.
    pub fn due(&self, heard: &SessionReading<'s>) -> Option<FollowUp<'s>> {
        let found = self.contradiction.as_ref().or(self.measure.as_ref()).cloned();
        found.or_else(|| deepening::due(heard, &self.deepenings)).or_else(|| challenge::due(heard, &self.challenges))
    }

    pub fn number(&self) -> usize {
        usize::from(self.contradiction.is_some())
            + usize::from(self.measure.is_some())
            + self.deepenings.len()
            + self.challenges.len()
    }

    /// The numbers of two questions whose answers cannot both hold, if nobody was asked about them yet.
    pub fn clashing(&self, session: &Session) -> Option<(u32, u32)> {
        let due = self.contradiction.as_ref()?;
        match way(&due.probe)?.0 {
            Way::Contradiction { earlier } => Some((find(session, earlier)?.number, due.of.number)),
            Way::Measure { .. } | Way::Deepen { .. } | Way::Challenge { .. } => None,
        }
    }
}

/// In which way a question follows another one, if it does.
pub(super) fn follows(asked: &TranscriptEntry) -> Option<Way<'_>> {
    way(asked.question.probe.as_deref()?).map(|(way, _)| way)
}

fn followers<'a>(session: &'a Session, asked: &'a TranscriptEntry) -> impl Iterator<Item = Way<'a>> {
    let id = asked.question.id.as_str();
    probes(session).filter_map(way).filter(move |(_, of)| *of == id).map(|(way, _)| way)
}

/// Probe ids of everything that was asked.
pub(super) fn probes(session: &Session) -> impl Iterator<Item = &str> {
    session.transcript.asked.iter().filter_map(|asked| asked.question.probe.as_deref())
}

/// The question that everything which led to this one follows: itself, when it follows none.
pub(super) fn root<'a>(session: &'a Session, asked: &'a TranscriptEntry) -> &'a TranscriptEntry {
    let above = |asked: &&'a TranscriptEntry| match asked.question.probe.as_deref() {
        Some(probe) => find(session, followed(probe)?),
        // An agent's question says itself what it does with which answer.
        None => match asked.question.purpose? {
            Purpose::Measure | Purpose::Challenge | Purpose::Settle => {
                session.transcript.get(asked.question.builds_on.first()?)
            }
            Purpose::Deepen | Purpose::PreMortem | Purpose::Opposite => None,
        },
    };
    // No chain is longer than the transcript, unless somebody wrote one by hand that leads back to itself.
    std::iter::successors(Some(asked), above).take(session.transcript.asked.len()).last().unwrap_or(asked)
}

pub(super) fn find<'a>(session: &'a Session, id: &str) -> Option<&'a TranscriptEntry> {
    session.transcript.asked.iter().find(|one| one.question.id.as_str() == id)
}

fn quote(text: String, of: &TranscriptEntry) -> Known {
    Known { text, evidence: Vec::new(), question: Some(of.question.id.clone()) }
}

fn plain(text: String) -> Known {
    Known { text, ..Known::default() }
}

/// The answer to a question in one sentence.
fn said(asked: &TranscriptEntry) -> String {
    asked.holding().last().map(gist).unwrap_or_default()
}

/// What a follow-up quotes now; `put` is its text, where it was asked.
fn quotes(heard: &SessionReading<'_>, way: &Way<'_>, of: &TranscriptEntry, put: Option<&str>) -> Option<Quotes> {
    let session = heard.session;
    let mut quotes = match way {
        Way::Contradiction { earlier } => contradiction::quotes_of(session, find(session, earlier)?, of, put),
        Way::Measure { class } => measure::quotes_of(session, class, of, put.and_then(first_quote)),
        Way::Deepen { .. } => deepening::quotes_of(heard, of),
        Way::Challenge { .. } => challenge::quotes_of(of),
    };
    quotes.push(("number", plain(of.number.to_string())));
    Some(quotes)
}

fn follow_up<'a>(heard: &SessionReading<'_>, way: Way<'_>, of: &'a TranscriptEntry) -> Option<FollowUp<'a>> {
    let say = saying(&way)?;
    let quotes = quotes(heard, &way, of, None)?;
    Some(FollowUp { of, probe: way.probe(&of.question.id), say, quotes })
}

/// A follow-up that was asked, as it would be put now: what it quotes may have changed.
pub(super) fn again<'s>(heard: &SessionReading<'s>, probe: &str) -> Option<FollowUp<'s>> {
    let (way, of) = way(probe)?;
    follow_up(heard, way, find(heard.session, of)?)
}

/// What the checkpoint says about a follow-up.
pub(super) struct Texts {
    pub lead: String,
    pub open: String,
    pub find_out: String,
}

/// The checkpoint's texts for a follow-up that was asked; `None` when what it follows is not there any more.
pub(super) fn texts(heard: &SessionReading<'_>, asked: &TranscriptEntry, probe: &str) -> Option<Texts> {
    let session = heard.session;
    let (way, of) = way(probe)?;
    let say = saying(&way)?;
    let put = Some(asked.question.text.as_str());
    let scene = with(heard.bare().clone(), &quotes(heard, &way, find(session, of)?, put)?);
    let fill = |template: &str| scene.fill(template).map(|filled| filled.text);
    Some(Texts { lead: fill(say.lead)?, open: fill(say.open)?, find_out: fill(say.find_out)? })
}

/// What stands between the first quotation marks.
fn first_quote(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('“')?;
    rest.split_once('”').map(|(quoted, _)| quoted)
}

/// The strongest alternative that an answer did not take: the recommended one, else the first.
pub(super) fn rival<'a>(asked: &'a TranscriptEntry, answer: &Answer) -> Option<&'a Alternative> {
    let others = || asked.question.alternatives.as_slice().iter().filter(|one| one.value != answer.text);
    others().find(|one| one.recommended).or_else(|| others().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_id_says_in_which_way_what_is_followed() {
        let of = QuestionId::from_nonce(7);
        for one in [
            Way::Contradiction { earlier: "q-aaaaaa" },
            Way::Measure { class: "speed" },
            Way::Deepen { lens: "premortem" },
            Way::Challenge { number: 12 },
        ] {
            assert_eq!(way(&one.probe(&of)), Some((one, of.as_str())));
        }
        for probe in ["scope.cut", "challenge:x:q-aaaaaa", "challenge:1", "measure", "praise:1:q-aaaaaa", ""] {
            assert_eq!(way(probe), None, "{probe}");
        }
    }
}
