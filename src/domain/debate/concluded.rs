//! What a debate that is concluded takes the place of (D17): an earlier debate about the same question or file, and an answer
//! that was given meanwhile. Whatever it is about, a decision that is an option which it rejected gives way to what was
//! decided.

use super::conclusions::Conclusions;
use super::not_chosen::listed;
use super::proposal::Reasoned;
use super::sentence::is_sentence;
use super::standing::{below, firsts, stands_there, taken_out};
use super::superseded::{Written, by_hand, is_edited};
use crate::domain::outline::Outline;

/// What was decided before a debate was concluded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Earlier<'a> {
    /// The debates that decided for the same question, the oldest first.
    pub debates: &'a [Conclusions],
    /// The first line of its answer.
    pub answer: Option<&'a str>,
    pub written: Written<'a>,
}

/// The checkpoint with what came of a debate, and the decisions for the same question that it takes the place of; without
/// the decision that was debated, which the debate names itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concluded {
    pub checkpoint: String,
    pub replaced: Vec<String>,
}

impl Concluded {
    pub fn over(debate: &Conclusions, earlier: Earlier<'_>, checkpoint: &str) -> Self {
        let mut outline = Outline::parse(checkpoint);
        let mut over = debate.clone();
        let is_debated_there = debate.debated.as_deref().is_some_and(|one| stands_there(&outline, one));
        let mut replaced = Vec::new();
        if !debate.decisions.is_empty() && !is_debated_there {
            replaced = over.take_the_place(&mut outline, earlier);
        }
        let has_given_way = |first: &&str| {
            over.rejects(first)
                && over.debated.as_deref() != Some(first.trim())
                && !is_edited(&outline, first, earlier.written)
        };
        let given_way = firsts(&outline).filter(has_given_way).map(|first| first.trim().to_owned());
        let given_way: Vec<String> = given_way.collect();
        for first in &given_way {
            over.handed_on.extend(listed(&below(&outline, first)));
            taken_out(&mut outline, first);
        }
        replaced.extend(given_way.iter().cloned());
        over.given_way.extend(given_way);
        let debated = over.debated.as_deref();
        over.by_hand = debated.map(|first| by_hand(&outline, first, earlier.written)).unwrap_or_default();
        Self { checkpoint: over.written_into(&outline.render()), replaced }
    }
}

impl Conclusions {
    /// Takes the place of what was decided for the same question: one decision is what was debated, and the others are taken
    /// out, unless they are decided again word for word. What it takes the place of.
    fn take_the_place(&mut self, outline: &mut Outline, earlier: Earlier<'_>) -> Vec<String> {
        for before in earlier.debates {
            self.handed_on.extend(listed(&before.take_open(outline)));
        }
        let decided = earlier.debates.iter().flat_map(|before| before.decisions.iter().map(move |one| (before, one)));
        let decided = decided.filter_map(|(before, one)| before.first_line(outline, one, earlier.written));
        let answer =
            earlier.answer.filter(|answer| stands_there(outline, answer)).map(|answer| answer.trim().to_owned());
        let all: Vec<String> = answer.into_iter().chain(decided.map(|first| first.trim().to_owned())).collect();
        let is_said = |first: &&String| self.decisions.iter().any(|one| self.is_said(outline, first, one));
        let is_again = |first: &String| !self.tabled && self.decisions.iter().any(|one| is_sentence(first, &one.what));
        let is_new = |one: &Reasoned| !all.iter().any(|first| is_sentence(first, &one.what));
        // Something new takes the place of what is not decided again.
        let has_new = self.decisions.iter().any(is_new);
        let mut left = all.iter().filter(|first| !has_new || !is_again(first));
        let Some(debated) = left.clone().find(is_said).or_else(|| left.next()).cloned() else { return Vec::new() };
        let is_confirmed = is_said(&&debated) && !self.tabled;
        let also: Vec<String> = all.iter().filter(|first| **first != debated && !is_again(first)).cloned().collect();
        for first in &also {
            self.handed_on.extend(listed(&below(outline, first)));
            taken_out(outline, first);
        }
        if is_confirmed {
            self.given_way = also.iter().filter(|first| self.rejects(first)).cloned().collect();
        }
        let replaced = std::iter::once(debated.clone()).filter(|_| !is_confirmed).chain(also.clone()).collect();
        (self.debated, self.also) = (Some(debated), also);
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::super::superseded::tests::{by, concluded, of};
    use super::*;
    use crate::domain::harmless::harmless;

    #[test]
    fn d17_a_decision_that_is_an_option_which_a_later_debate_rejected_gives_way_to_what_was_decided() {
        let first = of(1, &["Token bucket", "One store"]);
        let mut second = of(2, &["Fixed window"]);
        second.options = vec![Reasoned { what: "token bucket".to_owned(), why: "needs a clock".to_owned() }];
        let text = first.written_into("## Decisions\n\n- Mine.\n");
        let all = [first, second.clone()];
        let whole = |text: &str| Concluded::over(&second, Earlier { written: by(&all), ..Earlier::default() }, text);
        let found = whole(&text);
        assert_eq!(found.replaced, ["Token bucket. (debate 1: How is it counted (and why)?)"]);
        assert!(!found.checkpoint.contains("- Token bucket. (debate 1") && found.checkpoint.contains("- One store. ("));
        let below = "  - Reason: why 2.\n  - Not chosen: token bucket; Option 1\n  - Against token bucket: needs a clock.\n  \
                     - Against Option 1: no.\n  - Taken back for it: Token bucket.\n";
        assert!(found.checkpoint.contains(below), "{found:?}");
        // So does one that an answer or a hand wrote, and none that says more.
        for (line, gives_way) in [
            ("Token bucket.", true),
            ("TOKEN bucket", true),
            ("Token bucket per key.", false),
            ("Token (bucket)", false),
        ] {
            let found = whole(&format!("## Decisions\n\n- {line}\n"));
            assert_eq!(found.replaced.len(), usize::from(gives_way), "{line}");
            assert_eq!(found.checkpoint.contains(&format!("- {line}\n- Fixed")), !gives_way, "{found:?}");
        }
        // What somebody changed below it stays.
        for edited in [
            text.replacen("Reason: why 1.", "Reason: why 1, and more.", 1),
            "## Decisions\n\n- Token bucket.\n  - Reason: mine.\n".to_owned(),
        ] {
            let found = whole(&edited);
            assert!(found.replaced.is_empty() && found.checkpoint.contains("- Token bucket."), "{found:?}");
        }
        // Where the same debate decides it, too, or nothing, no option is rejected.
        let mut both = second.clone();
        both.decisions.push(Reasoned { what: "Token bucket".to_owned(), why: "so".to_owned() });
        second.tabled = true;
        assert!(!both.rejects("Token bucket.") && !second.rejects("Token bucket."));
    }

    #[test]
    fn d17_what_is_decided_again_stays_and_what_is_new_takes_the_place_of_the_rest() {
        let (first, second) = (of(1, &["Token bucket", "One store"]), of(2, &["Fixed window", "One store"]));
        let text = first.written_into("## Decisions\n\n- Mine.\n");
        let found = concluded(&second, std::slice::from_ref(&first), None, &text);
        assert_eq!(found.replaced, ["Token bucket. (debate 1: How is it counted (and why)?)"]);
        let text = found.checkpoint;
        assert!(text.contains("- One store. (debate 1: How is it counted (and why)?)\n  - Reason: why 1.\n"), "{text}");
        assert!(
            text.contains("\n  - Confirmed in debate 2: why 2.\n") && text.matches("One store").count() == 1,
            "{text}"
        );
        assert!(text.contains("\n  - Taken back for it: Token bucket.\n"), "{text}");
    }

    #[test]
    fn d17_a_decision_that_differs_by_a_sign_is_another_one() {
        for (one, other) in [
            ("C++ client", "C# client"),
            ("Retry > 3", "Retry < 3"),
            ("Send \u{2705}", "Send \u{274c}"),
            ("Use Redis", "Don't use Redis"),
            ("Redis", "Redis Cluster"),
            ("Redis Cluster", "Redis"),
            ("A && B", "A || B"),
            (".NET", "NET"),
            ("HTTP", "HTTP/2"),
            ("1.5", "1,5"),
            ("$HOME", "HOME"),
            ("a b", "a/b"),
            ("Redis", "!Redis"),
            ("?", "…"),
        ] {
            let first = of(1, &[one]);
            let text = first.written_into("## Decisions\n");
            let debates = [first];
            let earlier =
                Earlier { debates: &debates, answer: None, written: Written { debates: &debates, answers: &[] } };
            let found = Concluded::over(&of(2, &[other]), earlier, &text);
            assert_eq!(found.replaced.len(), 1, "{found:?}");
            assert!(!found.checkpoint.contains("Confirmed"), "{found:?}");
            assert!(found.checkpoint.contains(&format!("\n- {}. (debate 2: ", harmless(other))), "{found:?}");
        }
    }

    #[test]
    fn d17_a_first_clause_confirms_unless_it_is_what_was_set_aside() {
        let first = of(1, &["Redis, with a log"]);
        let text = first.written_into("## Decisions\n\n- Mine.\n");
        let debates = [first];
        let again = |text: &str| concluded(&of(2, &["Redis"]), &debates, None, text);
        let found = again(&text);
        assert!(found.replaced.is_empty() && found.checkpoint.contains("Confirmed in debate 2"), "{found:?}");
        // Each is a line that git grill wrote.
        for (below, by_debate) in [("Not chosen: Option 1; Redis", true), ("Taken back for it: Redis.", false)] {
            let text = text.replacen("Not chosen: Option 1", below, 1);
            let mut knows = debates[0].clone();
            knows.options.push(Reasoned { what: "Redis".to_owned(), why: "it forgets".to_owned() });
            let debates = if by_debate { [knows] } else { debates.clone() };
            let found = concluded(&of(2, &["Redis"]), &debates, None, &text);
            assert_eq!(found.replaced.len(), 1, "{found:?}");
            assert!(found.checkpoint.contains("\n- Redis. (debate 2: "), "{found:?}");
            assert!(found.checkpoint.contains("\n  - Taken back for it: Redis, with a log.\n"), "{found:?}");
        }
    }

    /// What was not chosen before is an option again, and is listed below whatever is decided then.
    #[test]
    fn d14_d17_what_was_not_chosen_stays_known_while_nothing_is_decided() {
        let mut debates = vec![of(1, &["By key"])];
        let text = debates[0].written_into("## Decisions\n\n- Mine.\n\n## Open Questions\n\n- Why?\n");
        let mut tabled = of(2, &["By cost"]);
        tabled.tabled = true;
        let text = concluded(&tabled, &debates, None, &text).checkpoint;
        let open = "- Why?\n- Not decided: By key. (debate 2: How is it counted (and why)?)\n  - Also considered: Option 1\n  \
                    - Against Option 1: no.\n- Not decided: By cost. (debate 2: ";
        assert!(text.contains(open) && !text.contains("(debate 1: "), "{text}");
        debates.push(tabled);
        // What a hand wrote there hangs below nothing else.
        let noted = text.replacen("  - Also considered: Option 1\n", "  - Also considered: Option 1\n  - a note\n", 1);
        let noted = concluded(&of(3, &["By key"]), &debates, None, &noted).checkpoint;
        assert!(noted.contains("- Why?\n- a note\n") && !noted.contains("Also considered"), "{noted}");
        let text = concluded(&of(3, &["By day"]), &debates, None, &text).checkpoint;
        assert!(text.ends_with("## Open Questions\n\n- Why?\n\n"), "{text}");
        let below = "  - Not chosen: Option 3; Option 1\n  - Against Option 3: no.\n  - Against Option 1: no.\n";
        assert!(text.contains(below), "{text}");
    }

    #[test]
    fn d14_d17_lines_of_a_hand_below_a_decision_that_is_tabled_stay() {
        let mut tabled = of(1, &["By cost"]);
        (tabled.tabled, tabled.debated) = (true, Some("Mine.".to_owned()));
        let text = "## Decisions\n\n- Mine.\n  - Ask Ben\n    - by Friday\n\n  More.\n- Other.\n";
        let found = concluded(&tabled, &[], None, text).checkpoint;
        assert!(found.contains("## Decisions\n\n- Other.\n"), "{found}");
        let open = "- Not decided: Mine. (debate 1: How is it counted (and why)?)\n  - Ask Ben\n    - by Friday\n\n  More.\n- Not";
        assert!(found.contains(open), "{found}");
    }

    /// However many debates there were about one file, the last one stands alone, and nobody is said to have edited anything.
    #[test]
    fn d17_the_last_of_many_debates_about_one_file_stands_alone() {
        let names = ["Memory", "Redis", "?", "Postgres", "Kafka"];
        let (mut debates, mut text) = (Vec::new(), "## Decisions\n\n- Mine.\n".to_owned());
        for (number, name) in (1..).zip(names) {
            let next = of(number, &[name]);
            let mut all: Vec<Conclusions> = debates.clone();
            all.push(next.clone());
            let found = Concluded::over(&next, Earlier { debates: &debates, answer: None, written: by(&all) }, &text);
            assert_eq!(found.replaced.len(), usize::from(number > 1), "{found:?}");
            (debates, text) = (all, found.checkpoint);
        }
        let firsts: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(firsts, ["- Mine.", "- Kafka. (debate 5: How is it counted (and why)?)"], "{text}");
        let listed = "  - Not chosen: Option 5; Postgres; Option 4; ?; Option 3; Redis; Option 2; Memory; Option 1\n";
        assert!(text.contains(listed), "{text}");
    }

    #[test]
    fn d17_what_is_concluded_again_for_a_question_stands_alone() {
        let (first, second) = (of(1, &["By key", "In memory"]), of(2, &["By key"]));
        let text = first.written_into("## Decisions\n\n- Mine.\n");
        let found = concluded(&second, std::slice::from_ref(&first), None, &text);
        // It says the same of one decision, and the other one goes.
        assert!(found.checkpoint.contains("  - Confirmed in debate 2: why 2.\n"), "{found:?}");
        assert!(!found.checkpoint.contains("In memory") && found.checkpoint.contains("- Mine."), "{found:?}");
        assert_eq!(found.replaced.len(), 1);
        let mut tabled = of(2, &["By cost"]);
        tabled.tabled = true;
        let found = concluded(&tabled, &[first], Some("By hand."), &text);
        assert!(found.checkpoint.contains("## Decisions\n\n- Mine.\n"), "{found:?}");
        assert!(found.checkpoint.contains("- Not decided: By key. (debate 2: "), "{found:?}");
    }
}
