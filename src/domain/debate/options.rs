//! What became of the options that a proposer considered (D17, D37): the one that was decided, and those that were not, each
//! with the reason.

use std::collections::BTreeSet;

use super::conclusions::{decisions, one_line};
use super::naming::{Naming, behind_article};
use super::part::Part;
use super::proposal::{Proposal, Reasoned};
use super::round::{Hearing, Round};
use super::sentence::{in_own_words, is_sentence};
use super::state::{Debate, State};
use crate::domain::stem::contents;
use crate::domain::text::{Prose, terms};

/// Objections that are named as the reason why an option was dropped.
const MOST_NAMED: usize = 3;

/// The decisions of the first proposal (round 0) or of the synthesis of a round.
struct Stood {
    round: u32,
    decisions: Vec<Reasoned>,
}

/// The options that were not chosen, and the decisions that a later synthesis dropped. The option that was proposed is among
/// them where the debate dropped it. What is unclear is not listed: a decision names it.
pub(super) fn not_chosen(state: &State, number: u32, debate: &Debate) -> Vec<Reasoned> {
    let Some(proposal) = considered(state, number) else { return Vec::new() };
    let text = |round: u32| state.text(&Part::Synthesis.path(number, round));
    let syntheses = debate.numbered().filter_map(|(round, _)| Some((round, decisions(text(round)?))));
    let all = std::iter::once((0, proposal.decisions.clone())).chain(syntheses);
    let stood: Vec<Stood> = all.map(|(round, decisions)| Stood { round, decisions }).collect();
    let held = |round: u32| {
        let played = usize::try_from(round).ok().and_then(|round| debate.rounds.get(round.checked_sub(1)?));
        played.and_then(held_against)
    };
    rejected(&proposal, &stood, held)
}

fn rejected(proposal: &Proposal, stood: &[Stood], held: impl Fn(u32) -> Option<String>) -> Vec<Reasoned> {
    let options = proposal.options.iter().enumerate().filter_map(|(at, option)| {
        if option.is_chosen() {
            // The round behind the last one that left it as it was proposed.
            let last = (0..stood.len()).rposition(|last| !is_dropped(proposal, at, &stood[..=last]))?;
            let round = stood.get(last + 1)?.round;
            let held = held(round).map(|held| format!("; {held}")).unwrap_or_default();
            Some(Reasoned { what: option.what.clone(), why: format!("{}{held}", dropped_in(round)) })
        } else {
            is_left(proposal, option, &stood.last()?.decisions).then(|| option.clone())
        }
    });
    options.chain(dropped_decisions(proposal, stood)).collect()
}

fn dropped_in(round: u32) -> String {
    format!("proposed, and dropped in round {round}")
}

/// Decisions that a later synthesis omits, and that the last one does not have in other words, the oldest first. One that is
/// an option is listed as such.
fn dropped_decisions(proposal: &Proposal, stood: &[Stood]) -> Vec<Reasoned> {
    let Some((last, earlier)) = stood.split_last() else { return Vec::new() };
    let mut gone: Vec<Reasoned> = Vec::new();
    for (before, after) in earlier.iter().zip(&stood[1..]).rev() {
        for decision in before.decisions.iter().rev() {
            let is_option = proposal.options.iter().any(|option| is(&decision.what, &option.what));
            let is_denied = Naming::of(&decision.what, &last.decisions, &[]) == Naming::Denied;
            let stands = last.decisions.iter().any(|other| may_be_same(&decision.what, &other.what));
            let is_listed = gone.iter().any(|other| may_be_same(&decision.what, &other.what));
            if !is_option && !is_listed && (is_denied || !stands) {
                gone.push(Reasoned { what: one_line(&decision.what), why: dropped_in(after.round) });
            }
        }
    }
    gone.reverse();
    gone
}

/// Whether two decisions may be one in other words: more than half of the content words of the shorter one are in the other,
/// and they have the same signs.
fn may_be_same(one: &str, other: &str) -> bool {
    match shared(one, other) {
        Some((both, least)) => 2 * both > least,
        None => is_sentence(one, other),
    }
}

/// Whether one of two names may be the other in more words: all content words of the shorter one are in the other, and they
/// have the same signs.
pub(super) fn may_be_in_more_words(one: &str, other: &str) -> bool {
    match shared(one, other) {
        Some((both, least)) => both == least,
        None => is_sentence(one, other),
    }
}

/// How many content words two names share, and how many the shorter one has. None where it has none, or where they differ by
/// a sign.
fn shared(one: &str, other: &str) -> Option<(usize, usize)> {
    const PUNCTUATION: &str = ".,;:&/()[]{}'’‘\"“”„«»`*_-–—…";
    let marked = |text: &str| terms(text).into_iter().filter(|term| !term.chars().all(char::is_alphanumeric));
    let is_sign = |c: &char| !c.is_alphanumeric() && !c.is_whitespace() && !PUNCTUATION.contains(*c);
    let signs = |text: &str| {
        (marked(text).collect::<BTreeSet<String>>(), text.chars().filter(is_sign).collect::<BTreeSet<char>>())
    };
    let (words, others) = (contents(one), contents(other));
    let least = words.len().min(others.len());
    (least > 0 && signs(one) == signs(other)).then(|| (words.intersection(&others).count(), least))
}

/// The first proposal, which names the options.
pub(super) fn considered(state: &State, number: u32) -> Option<Proposal> {
    let mut found = Proposal::parse(state.text(&Part::Proposal.path(number, 1))?).ok()?;
    let Proposal { decisions, options, .. } = &mut found;
    (*decisions, *options) = (in_own_words(std::mem::take(decisions)), in_own_words(std::mem::take(options)));
    Some(found)
}

/// The options that decisions are, by their places. Of two names that fit, the longer one is meant.
fn taken(options: &[Reasoned], decided: &[Reasoned]) -> Vec<usize> {
    let of = |decision: &Reasoned| {
        let fits = options.iter().enumerate().filter(|(_, option)| is(&decision.what, &option.what));
        fits.max_by_key(|(_, option)| terms(&option.what).len()).map(|(at, _)| at)
    };
    decided.iter().filter_map(of).collect()
}

fn names(proposal: &Proposal) -> Vec<&str> {
    proposal.options.iter().map(|option| option.what.as_str()).collect()
}

/// Whether no decision is an option that was not proposed: none names it, or only to deny it.
fn is_left(proposal: &Proposal, option: &Reasoned, decided: &[Reasoned]) -> bool {
    match Naming::of(&option.what, decided, &names(proposal)) {
        Naming::Nowhere => !is_reworded(proposal, option, decided),
        Naming::DeniedInPart | Naming::Denied => true,
        Naming::Plain => false,
    }
}

/// Whether the debate went away from the option that was proposed: the last decisions deny it, or an earlier one was this
/// option and none names it any more, or another option was brought back. Where its name stood in no decision, nothing tells
/// that it is gone.
fn is_dropped(proposal: &Proposal, at: usize, stood: &[Stood]) -> bool {
    let (Some(option), Some((last, earlier))) = (proposal.options.get(at), stood.split_last()) else { return false };
    let is_the_only_one = proposal.options.iter().filter(|option| option.is_chosen()).count() == 1;
    let before = taken(&proposal.options, &proposal.decisions);
    let is_other = |place: &usize| *place != at && !before.contains(place);
    let is_replaced = is_the_only_one && taken(&proposal.options, &last.decisions).iter().any(is_other);
    let was_decided = earlier.iter().any(|stood| taken(&proposal.options, &stood.decisions).contains(&at));
    match Naming::of(&option.what, &last.decisions, &names(proposal)) {
        Naming::Nowhere => is_replaced || was_decided && !is_reworded(proposal, option, &last.decisions),
        Naming::DeniedInPart => is_replaced,
        Naming::Denied => true,
        Naming::Plain => false,
    }
}

/// Whether a decision that names no option has all words of this one (`A bucket of tokens`); a single word tells nothing.
fn is_reworded(proposal: &Proposal, option: &Reasoned, decided: &[Reasoned]) -> bool {
    let said = contents(&option.what);
    let all = names(proposal);
    let names_none = |decision: &&Reasoned| {
        let decision = std::slice::from_ref(*decision);
        all.iter().all(|name| Naming::of(name, decision, &all) != Naming::Plain)
    };
    let mut others = decided.iter().filter(names_none);
    said.len() > 1 && others.any(|decision| said.is_subset(&contents(&decision.what)))
}

/// What a round held against the proposal: the override, else objections that stand.
fn held_against(played: &Round) -> Option<String> {
    let overridden = played.heard.iter().find(|heard| heard.question == Hearing::Override && heard.yes);
    if let Some((heard, said)) = overridden.and_then(|heard| Some((heard, heard.words.as_ref()?))) {
        let whose = if heard.proxy.is_some() { "the proxy" } else { "the user" };
        return Some(format!("{whose} overrode part of the proposal: {}", one_line(Prose::as_str(said))));
    }
    let stands = |id| played.assessment(id).is_some_and(|assessed| assessed.assessment.stands());
    let claims = played.raised.iter().filter(|raised| stands(raised.id)).take(MOST_NAMED);
    let claims: Vec<String> = claims.map(|raised| one_line(&raised.claim)).collect();
    (!claims.is_empty()).then(|| format!("held against the proposal: {}", claims.join("; ")))
}

/// Whether a decision is what a name says: it begins with the name, behind one word at most that tells what is done with it
/// (`Use Postgres instead of Redis`). A name further on may be what was decided against.
pub fn is(decision: &str, name: &str) -> bool {
    let (decision, name) = (terms(decision), terms(name));
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
            ("C++ client", "C client", false),
            ("C# client", "C#", true),
            ("Retry > 3", "Retry < 3", false),
        ] {
            assert_eq!(is(decision, option), expected, "{decision}: {option}");
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

    fn proposal(decided: &[(&str, &str)], options: &[(&str, &str)]) -> Proposal {
        Proposal {
            overview: String::new(),
            decisions: all(decided),
            files: String::new(),
            risks: String::new(),
            options: all(options),
        }
    }

    /// What was rejected, by name, where these decisions stood after the proposal, a synthesis each.
    fn rejected_by(proposal: &Proposal, syntheses: &[&[&str]]) -> Vec<Reasoned> {
        let first = Stood { round: 0, decisions: proposal.decisions.clone() };
        let later = (1..).zip(syntheses).map(|(round, decided)| {
            let decided: Vec<(&str, &str)> = decided.iter().map(|what| (*what, "r")).collect();
            Stood { round, decisions: all(&decided) }
        });
        let stood: Vec<Stood> = std::iter::once(first).chain(later).collect();
        rejected(proposal, &stood, |_| None)
    }

    fn names_of(rejected: &[Reasoned]) -> Vec<&str> {
        rejected.iter().map(|one| one.what.as_str()).collect()
    }

    #[test]
    fn d17_d37_no_option_that_a_decision_may_be_is_rejected_and_none_that_it_denies_is_lost() {
        let options = [("Redis", "chosen, it is fast"), ("Postgres", "slow"), ("Files on disk", "no")];
        let proposal = proposal(&[("Redis", "it is fast")], &options);
        let (redis, postgres, files) = ("Redis", "Postgres", "Files on disk");
        for (decided, expected) in [
            (&["Redis"][..], &[postgres, files][..]),
            (&["Postgres and Redis"], &[files]),
            (&["Redis for counters, Postgres for billing"], &[files]),
            (&["Both Redis and Postgres"], &[files]),
            (&["Redis with Postgres as a fallback"], &[files]),
            (&["Postgres, with Redis as its cache"], &[files]),
            (&["Counters in Redis"], &[postgres, files]),
            (&["Drop Redis and use Postgres"], &[redis, files]),
            (&["Postgres or files on disk"], &[redis]),
            (&["Keep Redis out"], &[redis, postgres, files]),
            (&["Use Postgres instead of Redis"], &[redis, files]),
            (&["Postgres rather than Redis"], &[redis, files]),
            (&["Postgres over Redis"], &[redis, files]),
            (&["Neither Redis nor Postgres"], &[redis, postgres, files]),
            (&["Not Redis but Valkey"], &[redis, postgres, files]),
            (&["Redis is dropped"], &[redis, postgres, files]),
            (&["Redis without Postgres"], &[postgres, files]),
            (&["No Redis cluster"], &[postgres, files]),
            (&["Postgres", "No Redis cluster"], &[redis, files]),
            (&["On-disk files"], &[redis, postgres]),
            (&["Redis", "No files on disk at all"], &[postgres, files]),
            (&["Don't use Redis"], &[redis, postgres, files]),
            (&["Postgres, we can’t keep Redis"], &[redis, files]),
        ] {
            assert_eq!(names_of(&rejected_by(&proposal, &[decided])), expected, "{decided:?}");
        }
    }

    #[test]
    fn d17_d37_names_that_differ_by_a_sign_are_two_options() {
        let options = [("C++ client", "chosen, fast"), ("C client", "unsafe"), ("C# client", "managed")];
        let proposal = proposal(&[("C++ client", "fast")], &options);
        assert_eq!(names_of(&rejected_by(&proposal, &[&["C++ client"]])), ["C client", "C# client"]);
        assert_eq!(names_of(&rejected_by(&proposal, &[&["C# client"]])), ["C++ client", "C client"]);
        let own = self::proposal(&[("Retry > 3", "so")], &[("Nothing", "no")]);
        let found = rejected_by(&own, &[&["Retry < 3"], &["Retry = 3"]]);
        assert_eq!(names_of(&found), ["Nothing", "Retry > 3", "Retry < 3"]);
        let own = self::proposal(&[("A && B", "so"), ("Ask?", "so")], &[("Nothing", "no")]);
        assert_eq!(names_of(&rejected_by(&own, &[&["A || B", "Ask"]])), ["Nothing", "A && B", "Ask?"]);
    }

    #[test]
    fn d37_the_option_that_was_proposed_is_known_to_be_dropped_and_when() {
        let options = [("Token bucket", "chosen, bursts"), ("Fixed window", "edges")];
        let why = |before: &str, syntheses: &[&[&str]]| {
            let rejected = rejected_by(&proposal(&[(before, "r")], &options), syntheses);
            rejected.into_iter().find(|one| one.what == "Token bucket").map(|one| one.why)
        };
        let first = Some("proposed, and dropped in round 1".to_owned());
        assert_eq!(why("Token bucket", &[&["Fixed window"], &["Fixed window"]]), first);
        assert_eq!(why("Token bucket", &[&["A leaky one"]]), first);
        assert_eq!(why("Limits in the gateway", &[&["Fixed window"]]), first, "another option was brought back");
        let second = Some("proposed, and dropped in round 2".to_owned());
        assert_eq!(why("Token bucket", &[&["Token bucket"], &["Fixed window"]]), second);
        assert_eq!(why("Token bucket", &[&["Fixed window"], &["Token bucket"]]), None, "it came back");
        for stands in ["Token bucket per key", "Token bucket without bursts", "A bucket of tokens"] {
            assert_eq!(why("Token bucket", &[&[stands]]), None, "{stands}");
        }
        assert_eq!(why("Limits in the gateway", &[&["One store"]]), None);
    }

    #[test]
    fn d37_an_option_whose_name_begins_a_longer_one_that_was_decided_is_dropped() {
        let options = [("JWT", "chosen, simple"), ("JWT with rotation", "dull"), ("Sessions", "state")];
        let proposal = proposal(&[("JWT", "simple")], &options);
        let found = rejected_by(&proposal, &[&["JWT with rotation"]]);
        assert_eq!(names_of(&found), ["JWT", "Sessions"]);
        assert_eq!(found[0].why, "proposed, and dropped in round 1");
        assert_eq!(names_of(&rejected_by(&proposal, &[&["JWT"]])), ["JWT with rotation", "Sessions"]);
    }

    #[test]
    fn d17_a_decision_that_a_later_synthesis_omits_is_rejected() {
        let proposal = proposal(
            &[("Leaky bucket", "even"), ("One store for all", "exact")],
            &[("Leaky bucket", "chosen, even"), ("Nothing", "outages")],
        );
        let found = rejected_by(&proposal, &[&["Sliding log in memory", "One store"], &["Leaky bucket", "One store"]]);
        assert_eq!(
            found,
            all(&[("Nothing", "outages"), ("Sliding log in memory", "proposed, and dropped in round 2")])
        );
        // One in other words stands, and one that was dropped is listed once.
        let syntheses: [&[&str]; 4] =
            [&["Log that slides"], &["A sliding log"], &["Window of a minute"], &["The store", "One-minute window"]];
        let found = rejected_by(&proposal, &syntheses);
        assert_eq!(names_of(&found), ["Leaky bucket", "Nothing", "A sliding log"]);
        assert_eq!(found[2].why, "proposed, and dropped in round 3");
    }
}
