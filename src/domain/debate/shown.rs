//! How a debate stands, in words and for programs.

use serde::Serialize;

use super::course::{Ending, Settlement, Step};
use super::dossier::Dossier;
use super::objection::is_weak;
use super::part::Part;
use super::proposal;
use super::role::Player;
use super::round::Raised;
use super::state::{Debate, State};
use crate::domain::harmless::on_one_line;
use crate::domain::session::Session;
use crate::domain::subsystem::Shown;

/// What programs read of the debates.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View<'s> {
    /// The newest debate.
    number: u32,
    name: &'s str,
    dossier: &'s Dossier,
    round: u32,
    rounds: u32,
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    termination: Option<&'static str>,
    proposer: &'s Player,
    devils_advocate: &'s Player,
    synthesizer: &'s Player,
    objections: Vec<&'s Raised>,
    concluded: bool,
    /// A proxy answered in it, and the user has yet to say whether that counts.
    provisional: bool,
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

/// How it ended, for people.
pub fn ended_in_words(debate: &Debate, ending: Ending) -> String {
    let rounds = match debate.course().complete() {
        1 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds"),
    };
    match ending {
        Ending::Nash => {
            format!("ended by agreement after {rounds}: no new objection stands, and you have no concern left")
        }
        Ending::Declared => format!("ended by your word after {rounds}: you accepted the latest proposal"),
        Ending::Limit(Settlement::Accepted) => {
            format!("ended by its limit after {rounds}: you accepted the latest proposal, with its risks")
        }
        Ending::Limit(Settlement::Restarted) => format!("ended by its limit after {rounds}: you rejected it"),
        Ending::Limit(Settlement::Tabled) => format!("ended by its limit after {rounds}: you tabled it"),
        Ending::Killed => format!("killed after {rounds}"),
    }
}

/// What is next in a debate, in words that can follow a semicolon.
pub fn next_in_words(debate: &Debate) -> String {
    let course = debate.course();
    if debate.is_provisional() {
        return "next: you confirm or reject what the proxy answered, as a whole".to_owned();
    }
    let by =
        |part: Part| debate.players.of(part.role()).map(|player| on_one_line(&player.to_string())).unwrap_or_default();
    match course.step() {
        Step::Propose => format!("next: the proposal, by {}", by(Part::Proposal)),
        Step::Criticize => format!("next: the critique of the idea, by {}", by(Part::Critique)),
        Step::Attack => format!("next: the attack of round {}, by {}", course.round(), by(Part::Attack)),
        Step::Hear | Step::Decide if debate.players.proxy.is_some() => {
            format!("next: the proxy's word, by {}", by(Part::Position))
        }
        Step::Hear => match debate.last().and_then(super::round::Round::due) {
            Some(due) => format!("next: your answer to “{}”", on_one_line(due.question())),
            None => "next: your answers".to_owned(),
        },
        Step::Synthesize => format!("next: the synthesis, by {}", by(Part::Synthesis)),
        Step::Decide => "next: you accept, extend or kill it".to_owned(),
        Step::Settle => "next: you accept, reject or table the latest proposal".to_owned(),
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

impl Shown for State {
    type View<'s> = View<'s>;

    fn view<'s>(&'s self, _: &'s Session) -> Option<View<'s>> {
        let (number, debate) = self.newest()?;
        let course = debate.course();
        Some(View {
            number,
            name: debate.name.as_str(),
            dossier: &debate.dossier,
            round: course.round(),
            rounds: debate.bound(),
            step: step_name(course.step()),
            termination: debate.ending().map(termination),
            proposer: &debate.players.proposer,
            devils_advocate: &debate.players.devils_advocate,
            synthesizer: &debate.players.synthesizer,
            objections: debate.rounds.iter().flat_map(|round| &round.raised).collect(),
            concluded: debate.concluded,
            provisional: debate.is_provisional(),
        })
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
