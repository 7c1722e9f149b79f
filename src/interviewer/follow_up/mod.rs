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

use crate::domain::interview::Asked;
use crate::domain::session::Session;

use super::catalogue::{Choice, Saying, catalogue};
use super::scene::{Known, Scene, clipped, gist};

pub(super) use challenge::is_decision;
pub(super) use withdrawn::{Withdrawn, withdrawn};

/// A follow-up that is due.
pub(super) struct FollowUp<'a> {
    /// The question that it follows.
    pub of: &'a Asked,
    /// Its probe id.
    pub probe: String,
    pub say: &'static Saying,
    quotes: Quotes,
}

/// What a follow-up quotes.
type Quotes = Vec<(&'static str, Known)>;

impl FollowUp<'_> {
    /// The scene that its templates are filled from.
    pub fn scene(&self, session: &Session) -> Scene {
        with(Scene::of(session), &self.quotes)
    }
}

fn with(scene: Scene, quotes: &Quotes) -> Scene {
    quotes.iter().fold(scene, |scene, (name, known)| scene.with(name, known.clone()))
}

/// The parts of a follow-up's probe id.
enum Way<'a> {
    Contradiction { earlier: &'a str },
    Measure { class: &'a str },
    Deepen { lens: &'a str },
    Challenge { number: usize },
}

/// Reads a probe id; `None` when it is no follow-up's.
fn way(probe: &str) -> Option<(Way<'_>, &str)> {
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

/// Whether a probe id is that of a follow-up.
pub(super) fn is_follow_up(probe: &str) -> bool {
    way(probe).is_some()
}

/// The question that a follow-up follows.
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

/// What is due. It is asked while the answer that opened it is fresh, so the newest answer comes first.
pub(super) fn due(session: &Session) -> Option<FollowUp<'_>> {
    contradiction::due(session)
        .or_else(|| measure::due(session))
        .or_else(|| deepening::due(session))
        .or_else(|| challenge::due(session))
}

/// The numbers of two questions whose answers cannot both hold, if nobody was asked about them yet.
pub(super) fn clashing(session: &Session) -> Option<(u32, u32)> {
    let due = contradiction::due(session)?;
    match way(&due.probe)?.0 {
        Way::Contradiction { earlier } => Some((find(session, earlier)?.number, due.of.number)),
        Way::Measure { .. } | Way::Deepen { .. } | Way::Challenge { .. } => None,
    }
}

/// How many follow-ups the answers so far have opened and nobody has asked yet.
pub(super) fn outstanding(session: &Session) -> usize {
    usize::from(contradiction::due(session).is_some())
        + usize::from(measure::due(session).is_some())
        + deepening::outstanding(session)
        + challenge::outstanding(session)
}

/// Probe ids of what follows a question.
fn followers<'a>(session: &'a Session, asked: &'a Asked) -> impl Iterator<Item = &'a str> {
    probes(session).filter(|probe| followed(probe) == Some(asked.question.id.as_str()))
}

/// Probe ids of everything that was asked.
fn probes(session: &Session) -> impl Iterator<Item = &str> {
    session.transcript.asked.iter().filter_map(|asked| asked.question.probe.as_deref())
}

fn find<'a>(session: &'a Session, id: &str) -> Option<&'a Asked> {
    session.transcript.asked.iter().find(|one| one.question.id.as_str() == id)
}

/// A text that is quoted from the answer to a question.
fn quote(text: String, of: &Asked) -> Known {
    Known { text, evidence: Vec::new(), question: Some(of.question.id.clone()) }
}

fn plain(text: String) -> Known {
    Known { text, ..Known::default() }
}

/// The answer to a question in one sentence.
fn said(asked: &Asked) -> String {
    asked.holding().last().map(gist).unwrap_or_default()
}

/// What a follow-up quotes now; `word` is what was vague, where it is known.
fn quotes(session: &Session, way: &Way<'_>, of: &Asked, word: Option<&str>) -> Option<Quotes> {
    let mut quotes = match way {
        Way::Contradiction { earlier } => contradiction::quotes_of(session, find(session, earlier)?, of),
        Way::Measure { class } => measure::quotes_of(session, class, of, word),
        Way::Deepen { .. } => deepening::quotes_of(session, of),
        Way::Challenge { .. } => challenge::quotes_of(of),
    };
    quotes.push(("number", plain(of.number.to_string())));
    Some(quotes)
}

fn follow_up<'a>(session: &Session, probe: String, of: &'a Asked) -> Option<FollowUp<'a>> {
    let (way, _) = way(&probe)?;
    let say = saying(&way)?;
    let quotes = quotes(session, &way, of, None)?;
    Some(FollowUp { of, probe, say, quotes })
}

/// A follow-up that was asked, as it would be put now: what it quotes may have changed.
pub(super) fn again<'a>(session: &'a Session, probe: &str) -> Option<FollowUp<'a>> {
    follow_up(session, probe.to_owned(), find(session, followed(probe)?)?)
}

/// What the checkpoint says about a follow-up.
pub(super) struct Texts {
    pub lead: String,
    pub open: String,
    pub find_out: String,
}

/// The checkpoint's texts for a follow-up that was asked; `None` when what it follows is not there any more.
pub(super) fn texts(session: &Session, asked: &Asked, probe: &str) -> Option<Texts> {
    let (way, of) = way(probe)?;
    let say = saying(&way)?;
    let word = first_quote(asked.question.text.as_str());
    let scene = with(Scene::bare(session), &quotes(session, &way, find(session, of)?, word)?);
    let fill = |template: &str| scene.fill(template).map(|filled| filled.text);
    Some(Texts { lead: fill(say.lead)?, open: fill(say.open)?, find_out: fill(say.find_out)? })
}

/// What stands between the first quotation marks.
fn first_quote(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('“')?;
    rest.split_once('”').map(|(quoted, _)| quoted)
}

/// The strongest alternative that was not chosen: the recommended one, else the first.
fn rival(asked: &Asked) -> Option<String> {
    let answer = asked.answer()?;
    let others = || asked.question.alternatives.as_slice().iter().filter(|one| one.value != answer.text);
    let rival = others().find(|one| one.recommended).or_else(|| others().next())?;
    Some(clipped(rival.value.first_line().trim_end_matches('.'), 110))
}
