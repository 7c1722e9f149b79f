//! How a debate stands, in words and for programs.

use serde::Serialize;

use super::course::{Ending, Settlement, Step};
use super::dossier::Dossier;
use super::objection::is_weak;
use super::part::Part;
use super::proposal;
use super::role::Player;
use super::round::{Raised, Round};
use super::state::{Debate, State};
use crate::domain::harmless::on_one_line;
use crate::domain::session::Session;
use crate::domain::subsystem::Shown;
use crate::domain::text::counted;

/// What programs read of a debate.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View<'s> {
    number: u32,
    name: &'s str,
    dossier: &'s Dossier,
    round: u32,
    rounds: u32,
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    termination: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    proposer: &'s Player,
    devils_advocate: &'s Player,
    synthesizer: &'s Player,
    objections: Vec<&'s Raised>,
    concluded: bool,
    /// A proxy answered in it, and the user has yet to say whether that counts.
    provisional: bool,
    /// A proxy answered in it, and the user confirmed that.
    confirmed: bool,
}

/// The step as machines compare it.
pub const fn step_name(step: Step) -> &'static str {
    match step {
        Step::Propose => "propose",
        Step::Criticize => "criticize",
        Step::Attack => "attack",
        Step::Hear => "hear",
        Step::Synthesize => "synthesize",
        Step::Decide => "decide",
        Step::Settle => "settle",
        Step::Over(_) => "over",
    }
}

/// How a debate ended, as machines compare it (D23).
pub const fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Nash => "nash",
        Ending::Declared => "declared",
        Ending::Limit(_) => "limit",
        Ending::Killed => "killed",
    }
}

/// What was decided of the latest proposal at the end, as machines compare it. None where the roles and the user agreed, and
/// where the user has yet to say whether a proxy's decision counts.
pub fn decision(debate: &Debate) -> Option<&'static str> {
    if debate.is_provisional() {
        return None;
    }
    if debate.is_rejected() {
        return Some("rejected");
    }
    match debate.ending()? {
        Ending::Nash => None,
        Ending::Declared | Ending::Limit(Settlement::Accepted) => Some("accepted"),
        Ending::Limit(Settlement::Restarted) => Some("rejected"),
        Ending::Limit(Settlement::Tabled) => Some("tabled"),
        Ending::Killed => Some("killed"),
    }
}

/// How it ended, for people.
pub fn ended_in_words(debate: &Debate, ending: Ending) -> String {
    let rounds = match debate.course().complete() {
        0 => "round 1 began".to_owned(),
        rounds => counted(rounds, "round"),
    };
    // However it ended: nothing that the user rejected is told as what came of it.
    if debate.is_rejected() {
        return format!("ended after {rounds}: you rejected the proxy's answers, and none of them counts");
    }
    // What a proxy said is never told as the user's word (D20).
    let by_proxy = match ending {
        Ending::Nash => debate.last().is_some_and(Round::is_by_proxy),
        Ending::Declared | Ending::Limit(_) | Ending::Killed => debate.is_ended_by_proxy(),
    };
    let (who, has) = if by_proxy { ("the proxy", "has") } else { ("you", "have") };
    match ending {
        Ending::Nash => {
            format!("ended by agreement after {rounds}: no new objection stands, and {who} {has} no concern left")
        }
        Ending::Declared => format!("ended by your word after {rounds}: you accepted the latest proposal"),
        Ending::Limit(Settlement::Accepted) => {
            format!("ended by its limit after {rounds}: {who} accepted the latest proposal, with its risks")
        }
        Ending::Limit(Settlement::Restarted) => {
            format!("ended by its limit after {rounds}: {who} rejected the proposal")
        }
        Ending::Limit(Settlement::Tabled) => format!("ended by its limit after {rounds}: {who} tabled the proposal"),
        Ending::Killed if by_proxy => format!("killed by the proxy after {rounds}"),
        Ending::Killed => format!("killed after {rounds}"),
    }
}

/// What is next in a debate, in words that can follow a semicolon.
pub fn next_in_words(debate: &Debate) -> String {
    let course = debate.course();
    if debate.is_provisional() {
        return "next: git grill debate confirm lets the proxy's answers count; git grill debate reject discards them"
            .to_owned();
    }
    let by =
        |part: Part| debate.players.of(part.role()).map(|player| on_one_line(&player.to_string())).unwrap_or_default();
    match course.step() {
        Step::Propose => format!("next: the proposal, by {}", by(Part::Proposal)),
        Step::Criticize => format!("next: the critique of the idea, by {}", by(Part::Critique)),
        Step::Attack => format!("next: the attack of round {}, by {}", course.round(), by(Part::Attack)),
        Step::Hear if debate.players.proxy.is_some() => {
            format!("next: the proxy's answers, by {}", by(Part::Position))
        }
        Step::Decide | Step::Settle if debate.players.proxy.is_some() => {
            format!("next: the proxy's decision, by {}", by(Part::Ruling))
        }
        Step::Hear => match debate.last().and_then(Round::due) {
            Some(due) => format!("next: your answer to “{}”", on_one_line(due.question())),
            None => "next: your answers".to_owned(),
        },
        Step::Synthesize => format!("next: the synthesis, by {}", by(Part::Synthesis)),
        Step::Decide => "next: you accept, extend or kill it".to_owned(),
        Step::Settle => "next: you accept the latest proposal, reject it (restart), or table it".to_owned(),
        Step::Over(ending) => ended_in_words(debate, ending),
    }
}

impl State {
    /// Whether the attacks of a round lack specificity (D16).
    pub fn is_weak(&self, number: u32, round: u32) -> bool {
        let Some(played) =
            self.debate(number).and_then(|debate| debate.rounds.get(usize::try_from(round).ok()?.checked_sub(1)?))
        else {
            return false;
        };
        let objections: Vec<_> = played.raised.iter().map(Raised::objection).collect();
        is_weak(&objections, &self.proposal_before(number, round).map(proposal::named).unwrap_or_default())
    }
}

/// A debate as programs read it.
pub fn view(number: u32, debate: &Debate) -> View<'_> {
    let course = debate.course();
    View {
        number,
        name: debate.name.as_str(),
        dossier: &debate.dossier,
        round: course.round(),
        rounds: debate.bound(),
        step: step_name(course.step()),
        termination: debate.ending().map(termination),
        decision: decision(debate),
        proposer: &debate.players.proposer,
        devils_advocate: &debate.players.devils_advocate,
        synthesizer: &debate.players.synthesizer,
        objections: debate.rounds.iter().flat_map(|round| &round.raised).collect(),
        concluded: debate.concluded,
        provisional: debate.is_provisional(),
        confirmed: debate.is_confirmed(),
    }
}

impl Shown for State {
    type View<'s> = View<'s>;

    fn view<'s>(&'s self, _: &'s Session) -> Option<View<'s>> {
        self.newest().map(|(number, debate)| view(number, debate))
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let Some((number, debate)) = self.newest() else { return Vec::new() };
        let name = on_one_line(debate.name.as_str());
        let round = match debate.ending() {
            Some(_) => String::new(),
            None => format!("round {} of {}, ", debate.course().round(), debate.bound()),
        };
        vec![("debate", format!("{number}, {name}: {round}{}", next_in_words(debate)))]
    }

    fn words(&self) -> Option<String> {
        let (_, debate) = self.open()?;
        Some(format!("debate {}/{}", debate.course().round(), debate.bound()))
    }

    fn widget(&self) -> Vec<String> {
        Vec::new()
    }

    fn instructions(&self) -> Option<String> {
        self.open().map(|(number, debate)| {
            let hosted = debate.awaits().is_some_and(|part| debate.players.of(part.role()) == Some(&Player::Host));
            let yours = if hosted { " The next text is yours to bring: call grill_debate with action next." } else { "" };
            format!(
                "Debate {number} goes on (\"{}\"). Ask nothing and answer nothing for the user until it has ended; the user \
                 runs git grill debate.{yours}",
                on_one_line(debate.name.as_str())
            )
        })
    }
}
