//! What became of the options that a proposer considered (D17, D37): the one that was decided, and those that were not, each
//! with the reason.

use super::conclusions::{decisions, one_line};
use super::part::Part;
use super::proposal::{Proposal, Reasoned};
use super::round::{Hearing, Round};
use super::state::{Debate, State};
use crate::domain::text::{Prose, words};

/// Objections that are named as the reason why an option was dropped.
const MOST_NAMED: usize = 3;

/// The options that were not chosen. The one that was proposed is among them where the debate dropped it.
pub(super) fn not_chosen(state: &State, number: u32, debate: &Debate, decided: &[Reasoned]) -> Vec<Reasoned> {
    let Some(proposal) = considered(state, number) else { return Vec::new() };
    let taken = taken(&proposal.options, decided);
    let rejected = proposal.options.iter().enumerate().filter(|(at, _)| !taken.contains(at));
    let rejected = rejected.filter_map(|(_, option)| {
        if option.is_chosen() {
            is_dropped(&proposal, option, &taken, decided).then(|| dropped(state, number, debate, option))
        } else {
            Some(option.clone())
        }
    });
    rejected.collect()
}

/// The first proposal, which names the options.
pub(super) fn considered(state: &State, number: u32) -> Option<Proposal> {
    Proposal::parse(state.text(&Part::Proposal.path(number, 1))?).ok()
}

/// The options that decisions are, by their places. Of two names that fit, the longer one is meant.
fn taken(options: &[Reasoned], decided: &[Reasoned]) -> Vec<usize> {
    let of = |decision: &Reasoned| {
        let fits = options.iter().enumerate().filter(|(_, option)| is(&decision.what, name(option)));
        fits.max_by_key(|(_, option)| words(name(option)).len()).map(|(at, _)| at)
    };
    decided.iter().filter_map(of).collect()
}

/// Whether the debate went away from the option that was proposed: a decision of the proposal was this option and none is it
/// any more, or another option was brought back. Where its name stood in no decision, nothing tells that it is gone.
fn is_dropped(proposal: &Proposal, option: &Reasoned, taken: &[usize], decided: &[Reasoned]) -> bool {
    let was_decided = proposal.decisions.iter().any(|decision| is(&decision.what, name(option)));
    // A longer name may fit better, and then this one stays as it was proposed.
    let is_decided = decided.iter().any(|decision| is(&decision.what, name(option)));
    let is_the_only_one = proposal.options.iter().filter(|option| option.is_chosen()).count() == 1;
    let before = self::taken(&proposal.options, &proposal.decisions);
    let brought_back = taken.iter().any(|at| !before.contains(at));
    !is_decided && (was_decided || is_the_only_one && brought_back)
}

/// The option that was proposed, with what was held against it in the round that dropped it.
fn dropped(state: &State, number: u32, debate: &Debate, option: &Reasoned) -> Reasoned {
    let has = |round: u32| {
        let text = state.text(&Part::Synthesis.path(number, round)).unwrap_or_default();
        decisions(text).iter().any(|decision| is(&decision.what, name(option)))
    };
    let last = (1..).zip(&debate.rounds).filter(|(round, _)| has(*round)).map(|(round, _)| round).last();
    let round = last.map_or(1, |round| round.saturating_add(1));
    let played = usize::try_from(round).ok().and_then(|round| debate.rounds.get(round.checked_sub(1)?));
    let why = match played.and_then(held_against) {
        Some(held) => format!("proposed, and dropped in round {round}; {held}"),
        None => format!("proposed, and dropped in round {round}"),
    };
    Reasoned { what: name(option).to_owned(), why }
}

/// What a round held against the proposal: the override, else objections that stand.
fn held_against(played: &Round) -> Option<String> {
    let overridden = played.heard.iter().find(|heard| heard.question == Hearing::Override && heard.yes);
    if let Some((heard, said)) = overridden.and_then(|heard| Some((heard, heard.words.as_ref()?))) {
        let whose = if heard.proxy.is_some() { "the proxy" } else { "the user" };
        return Some(format!("{whose} overrode it: {}", one_line(Prose::as_str(said))));
    }
    let stands = |id| played.assessment(id).is_some_and(|assessed| assessed.assessment.stands());
    let claims = played.raised.iter().filter(|raised| stands(raised.id)).take(MOST_NAMED);
    let claims: Vec<String> = claims.map(|raised| one_line(&raised.claim)).collect();
    (!claims.is_empty()).then(|| format!("held against the proposal: {}", claims.join("; ")))
}

/// The name of an option, without the word by which it says that it is the one that is proposed.
fn name(option: &Reasoned) -> &str {
    let (first, rest) = option.what.split_once([':', ',', ' ']).unwrap_or((&option.what, ""));
    match rest.trim() {
        _ if !first.eq_ignore_ascii_case("chosen") => &option.what,
        "" => &option.why,
        rest => rest,
    }
}

/// Whether a decision is what a name says: it begins with the name, behind one word at most that tells what is done with it
/// (`Use Postgres instead of Redis`). A name further on may be what was decided against.
pub fn is(decision: &str, name: &str) -> bool {
    let (decision, name) = (words(decision), words(name));
    let name = behind_article(&name);
    let begins = |said: &[String]| {
        // `Redis is dropped` begins with it, too.
        let rest = behind_article(said).strip_prefix(name);
        rest.is_some_and(|rest| {
            let is_told = rest.first().is_some_and(|word| ["is", "are"].contains(&word.as_str()));
            // “Nothing” begins many a decision that decides something.
            !(is_told && rest.get(1).is_some_and(|word| is_against(word))) && (rest.is_empty() || name != ["nothing"])
        })
    };
    let behind_verb =
        decision.get(1..).filter(|_| !decision.first().is_some_and(|word| is_against(word))).unwrap_or_default();
    !name.is_empty() && (begins(&decision) || begins(behind_verb))
}

/// Whether the words of a name follow one another in a sentence, and none before them says that it was decided against;
/// punctuation does not count.
pub(super) fn says(sentence: &str, name: &str) -> bool {
    let (sentence, name) = (words(sentence), words(name));
    if name.is_empty() {
        return false;
    }
    let at = sentence.windows(name.len()).position(|said| said == name);
    at.is_some_and(|at| !sentence[..at].iter().any(|word| is_against(word)))
}

/// Words behind which stands what was decided against.
fn is_against(word: &str) -> bool {
    const AGAINST: &[&str] = &[
        "avoid",
        "drop",
        "dropped",
        "instead",
        "neither",
        "never",
        "no",
        "nor",
        "not",
        "out",
        "over",
        "rather",
        "reject",
        "rejected",
        "remove",
        "removed",
        "replaces",
        "replacing",
        "than",
        "without",
    ];
    AGAINST.contains(&word)
}

fn behind_article(words: &[String]) -> &[String] {
    match words {
        [first, rest @ ..] if ["a", "an", "the"].contains(&first.as_str()) => rest,
        all => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(list: &[(&str, &str)]) -> Vec<Reasoned> {
        list.iter().map(|(what, why)| Reasoned { what: (*what).to_owned(), why: (*why).to_owned() }).collect()
    }

    #[test]
    fn d37_a_decision_is_an_option_where_it_begins_with_its_name() {
        for (decision, option, expected) in [
            ("Postgres instead of Redis", "Postgres", true),
            ("Postgres instead of Redis", "Redis", false),
            ("Use a token bucket per key", "Token bucket", true),
            ("Count by key", "By key", true),
            ("No in-memory counters", "In-memory", false),
            ("Drop Redis", "Redis", false),
            ("Redis is dropped", "Redis", false),
            ("Redis is shared", "Redis", true),
            ("Nothing is written before an approval", "Nothing", false),
            ("Nothing", "Nothing", true),
            ("Postgres", "", false),
            ("", "Postgres", false),
        ] {
            assert_eq!(is(decision, option), expected, "{decision}: {option}");
        }
    }

    #[test]
    fn d17_a_sentence_says_a_name_that_it_does_not_decide_against() {
        for (sentence, name, expected) in [
            ("The limit counts by key", "by key", true),
            ("Postgres instead of SQLite, one file", "SQLite, one file", false),
            ("No SQLite", "SQLite", false),
            ("SQLite, not in memory", "SQLite", true),
            ("SQLite", "", false),
        ] {
            assert_eq!(says(sentence, name), expected, "{sentence}: {name}");
        }
    }

    #[test]
    fn d37_an_option_that_a_decision_only_names_is_not_taken() {
        let options = all(&[
            ("Postgres", "chosen"),
            ("Redis", "one more store to run"),
            ("In-memory", "lost on restart"),
            ("Postgres with a proxy", "slow"),
        ]);
        let decided = all(&[("Postgres instead of Redis", "one store less"), ("No in-memory counters", "lost")]);
        assert_eq!(taken(&options, &decided), [0]);
        assert_eq!(taken(&options, &all(&[("Postgres with a proxy", "it is fast")])), [3], "the longer name is meant");
    }

    #[test]
    fn d37_the_option_that_was_proposed_is_known_to_be_dropped() {
        let proposal = |decided: &str| Proposal {
            overview: String::new(),
            decisions: all(&[(decided, "r")]),
            files: String::new(),
            risks: String::new(),
            options: all(&[("Chosen Token bucket", "bursts"), ("Fixed window", "edges")]),
        };
        let is_gone = |before: &str, now: &str| {
            let (proposal, now) = (proposal(before), all(&[(now, "r")]));
            is_dropped(&proposal, &proposal.options[0], &taken(&proposal.options, &now), &now)
        };
        assert!(is_gone("Token bucket", "Fixed window") && is_gone("Token bucket", "A leaky one"));
        assert!(is_gone("Limits in the gateway", "Fixed window"), "another option was brought back");
        assert!(!is_gone("Token bucket", "Token bucket per key") && !is_gone("Limits in the gateway", "One store"));
        assert_eq!(name(&proposal("x").options[0]), "Token bucket");
        assert_eq!(name(&all(&[("Chosen", "token bucket")])[0]), "token bucket");
    }
}
