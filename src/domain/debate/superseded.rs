//! What was decided last for a question stands alone (D17). An answer takes the place of all that debates decided for its
//! question, or says the same as one of these decisions and confirms it; a debate takes the place of an earlier one about the
//! same question, and of an answer that was given before it was concluded.

use super::conclusions::{Conclusions, ended};
use super::not_chosen::{Known, Replaced, listed};
use super::options::is;
use super::proposal::Reasoned;
use super::written::{
    add, below, confirmed, is_history, is_nested, origin, same, stands_there, taken_out, without_origin,
};
use crate::domain::harmless::harmless;
use crate::domain::outline::{Outline, behind_mark};
use crate::domain::text::words;

const DECISIONS: &str = "Decisions";

/// An answer to a question that was debated.
#[derive(Clone, Copy, Debug)]
pub struct Anew<'a> {
    /// The debates that decided for its question, the oldest first.
    pub debates: &'a [Conclusions],
    /// What it is called, and what it says.
    pub names: &'a [&'a str],
    /// The lines that stand there instead, until the answer is written.
    pub instead: &'a [String],
}

/// The checkpoint into which the answer is to be written, and a decision that the answer confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    pub checkpoint: String,
    pub confirmed: Option<(Conclusions, Reasoned)>,
}

impl Superseded {
    /// None where nothing of these debates stands in the checkpoint.
    pub fn by(anew: Anew<'_>, checkpoint: &str) -> Option<Self> {
        let mut outline = Outline::parse(checkpoint);
        let mut newest_first = anew.debates.iter().rev();
        let again = newest_first.find_map(|one| Some((one, one.said_again(&outline, anew)?.clone())));
        let mut is_changed = false;
        // First, since they move what stands below them.
        for debate in anew.debates {
            is_changed |= debate.take_confirmations(&mut outline, anew.debates);
            is_changed |= debate.take_open(&mut outline);
        }
        let places: Vec<usize> = if let Some((debate, decision)) = &again {
            debate.take_decision(&mut outline, decision, anew.debates).into_iter().collect()
        } else {
            let all = anew.debates.iter().flat_map(|debate| debate.decisions.iter().map(move |one| (debate, one)));
            all.filter_map(|(debate, decision)| debate.take_decision(&mut outline, decision, anew.debates)).collect()
        };
        is_changed |= !places.is_empty();
        if !is_changed {
            return None;
        }
        put(&mut outline, places.into_iter().min(), anew.instead);
        let confirmed = again.map(|(debate, decision)| (debate.clone(), decision));
        Some(Self { checkpoint: outline.render(), confirmed })
    }

    /// Where the answer stands already: only that nothing was decided is wrong. None where that stands nowhere.
    pub fn settled(debates: &[Conclusions], checkpoint: &str) -> Option<Self> {
        let mut outline = Outline::parse(checkpoint);
        let changed = debates.iter().filter(|debate| debate.take_open(&mut outline)).count();
        (changed > 0).then(|| Self { checkpoint: outline.render(), confirmed: None })
    }
}

/// The checkpoint with what came of a debate, and the decisions for the same question that it takes the place of; without
/// the decision that was debated, which the debate names itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concluded {
    pub checkpoint: String,
    pub replaced: Vec<String>,
}

impl Concluded {
    /// `earlier` are the debates that decided for the same question, and `answer` is the first line of its answer.
    pub fn over(debate: &Conclusions, earlier: &[Conclusions], answer: Option<&str>, checkpoint: &str) -> Self {
        let mut outline = Outline::parse(checkpoint);
        if debate.decisions.is_empty() || debate.debated.as_deref().is_some_and(|one| stands_there(&outline, one)) {
            return Self { checkpoint: debate.written_into(checkpoint), replaced: Vec::new() };
        }
        let decided = earlier.iter().flat_map(|before| before.decisions.iter().map(move |one| (before, one)));
        let decided = decided.filter_map(|(before, one)| before.first_line(&outline, one, earlier));
        let answer = answer.filter(|answer| stands_there(&outline, answer)).map(|answer| answer.trim().to_owned());
        let all: Vec<String> = answer.into_iter().chain(decided.map(|first| first.trim().to_owned())).collect();
        let is_said = |first: &&String| debate.decisions.iter().any(|one| same(without_origin(first), &one.what));
        let Some(debated) = all.iter().find(is_said).or_else(|| all.first()).cloned() else {
            let settled = Superseded::settled(earlier, checkpoint);
            let text = settled.map_or_else(|| checkpoint.to_owned(), |settled| settled.checkpoint);
            return Self { checkpoint: debate.written_into(&text), replaced: Vec::new() };
        };
        let is_confirmed = is_said(&&debated) && !debate.tabled;
        let also: Vec<String> = all.iter().filter(|first| **first != debated).cloned().collect();
        let mut handed_on = Vec::new();
        for first in &also {
            handed_on.extend(listed(&below(&outline, first)));
            taken_out(&mut outline, first);
        }
        for before in earlier {
            before.take_open(&mut outline);
        }
        let mut over = debate.clone();
        over.debated = Some(debated.clone());
        over.also.clone_from(&also);
        over.handed_on = handed_on;
        let replaced = std::iter::once(debated).filter(|_| !is_confirmed).chain(also).collect();
        Self { checkpoint: over.written_into(&outline.render()), replaced }
    }
}

impl Conclusions {
    /// The decision that an answer says again, where it stands in the checkpoint.
    fn said_again(&self, outline: &Outline, anew: Anew<'_>) -> Option<&Reasoned> {
        let is_said = |one: &Reasoned| anew.names.iter().any(|name| is(&one.what, name) || is(name, &one.what));
        self.decisions.iter().find(|one| is_said(one) && self.first_line(outline, one, anew.debates).is_some())
    }

    /// The first line of a decision of this debate, where it stands with all below it as these debates wrote it.
    fn first_line(&self, outline: &Outline, decision: &Reasoned, debates: &[Self]) -> Option<String> {
        self.standing(outline, decision).filter(|first| !is_edited(outline, first, debates))
    }

    /// The first line of a decision of this debate, whatever stands below it.
    fn standing(&self, outline: &Outline, decision: &Reasoned) -> Option<String> {
        let at = outline.find(DECISIONS)?;
        let firsts = outline.sections[at].body.iter().filter(|line| !is_nested(line));
        let is_it =
            |first: &&str| origin(first) == Some(self.number) && words(without_origin(first)) == words(&decision.what);
        firsts.filter_map(|line| behind_mark(line)).find(is_it).map(str::to_owned)
    }

    /// The place where it stood.
    fn take_decision(&self, outline: &mut Outline, decision: &Reasoned, debates: &[Self]) -> Option<usize> {
        let first = self.first_line(outline, decision, debates)?;
        taken_out(outline, &first)
    }

    /// Whether a decision of this debate stands in the checkpoint.
    pub fn stands_in(&self, checkpoint: &str) -> bool {
        let outline = Outline::parse(checkpoint);
        !self.tabled && self.decisions.iter().any(|one| self.standing(&outline, one).is_some())
    }

    /// Whether the first line of a decision in the checkpoint is as this debate wrote it.
    pub fn wrote(&self, first: &str) -> bool {
        origin(first) == Some(self.number) && self.names().any(|one| words(without_origin(first)) == words(one))
    }

    /// Whether they are those of the debate of this number.
    pub fn is_number(&self, number: u32) -> bool {
        self.number == number
    }

    /// What was decided, by name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.decisions.iter().map(|one| one.what.as_str())
    }

    /// Takes out that an answer was confirmed. Whether that stood there. What was said of a debate's own decision stays with
    /// the decision.
    fn take_confirmations(&self, outline: &mut Outline, debates: &[Self]) -> bool {
        let Some(at) = outline.find(DECISIONS) else { return false };
        let body = &mut outline.sections[at].body;
        let is_of_an_answer = |above: &[String]| {
            let mut firsts = above.iter().rev().filter(|line| !is_nested(line)).filter_map(|line| behind_mark(line));
            firsts.next().and_then(origin).is_none()
        };
        let (begins, written) = (confirmed(self.number), Known::of(debates, Replaced::default()));
        let mut is_changed = false;
        let found = |body: &[String]| {
            (0..body.len()).find(|said| body[*said].starts_with(&begins) && is_of_an_answer(&body[..*said]))
        };
        while let Some(said) = found(body) {
            is_changed = true;
            body.remove(said);
            while body.get(said).is_some_and(|line| written.has(line)) {
                body.remove(said);
            }
        }
        is_changed
    }

    /// Takes out what was not decided. Whether anything of it stood there.
    fn take_open(&self, outline: &mut Outline) -> bool {
        let Some(at) = outline.find("Open Questions") else { return false };
        let body = &mut outline.sections[at].body;
        let before = body.len();
        body.retain(|line| {
            let open = behind_mark(line).filter(|first| first.trim_start().starts_with("Not decided: "));
            open.and_then(origin) != Some(self.number)
        });
        body.len() < before
    }

    /// The checkpoint with the word below a decision, by its line, that this debate decided the same.
    pub fn confirming(&self, checkpoint: &str, line: &str, decision: &Reasoned) -> String {
        let mut outline = Outline::parse(checkpoint);
        if let Some(first) = behind_mark(line) {
            self.confirm(&mut outline, first, decision);
        }
        harmless(&outline.render()).into_owned()
    }

    /// The lines by which it says of each decision that it was confirmed.
    pub fn confirmations(&self) -> impl Iterator<Item = String> {
        self.decisions.iter().map(|one| self.confirmation(one))
    }
}

/// Whether somebody changed what stands below a decision in the checkpoint, by its first line, after these debates wrote it.
pub fn is_edited_below(checkpoint: &str, first: &str, debates: &[Conclusions]) -> bool {
    is_edited(&Outline::parse(checkpoint), first, debates)
}

/// A line that was taken out is no loss, so only a line that no debate wrote counts.
fn is_edited(outline: &Outline, first: &str, debates: &[Conclusions]) -> bool {
    let below = below(outline, first);
    let below: Vec<&str> = below.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let decision = below.iter().find_map(|line| line.strip_prefix("- Taken back for it: "));
    let listed = Known::of(debates, Replaced { decision, ..Replaced::default() });
    let decisions = debates.iter().flat_map(|debate| &debate.decisions);
    let reasons: Vec<Vec<String>> = decisions.map(|one| words(&format!("Reason: {}", ended(&one.why)))).collect();
    let is_history = |line: &str| behind_mark(line).map(str::trim).is_some_and(is_history);
    !below.into_iter().all(|line| is_history(line) || listed.has(line) || reasons.contains(&words(line)))
}

/// Puts lines at a place among the decisions, else at their end, unless they stand there.
fn put(outline: &mut Outline, place: Option<usize>, lines: &[String]) {
    let Some(at) = outline.find(DECISIONS) else { return add(outline, DECISIONS, lines) };
    let body = &mut outline.sections[at].body;
    if lines.first().is_some_and(|first| body.contains(first)) {
        return;
    }
    match place {
        Some(place) => drop(body.splice(place..place, lines.iter().cloned())),
        None => add(outline, DECISIONS, lines),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: u32, decided: &[&str]) -> Conclusions {
        let reasoned = |what: &&str| Reasoned { what: (*what).to_owned(), why: format!("why {number}") };
        let mut found = Conclusions::default();
        found.number = number;
        found.name = "How is it counted (and why)?".to_owned();
        found.decisions = decided.iter().map(reasoned).collect();
        found.options = vec![Reasoned { what: format!("Option {number}"), why: "no".to_owned() }];
        found
    }

    fn anew(debates: &[Conclusions], name: &str, text: &str) -> Option<Superseded> {
        Superseded::by(Anew { debates, names: &[name], instead: &[format!("- {name}.")] }, text)
    }

    #[test]
    fn d14_d17_an_answer_takes_out_that_nothing_was_decided_for_its_question() {
        let mut tabled = of(1, &["By key"]);
        tabled.tabled = true;
        let text = tabled.written_into("## Decisions\n\n- Mine.\n\n## Open Questions\n\n- Why?\n");
        assert!(text.contains("- Not decided: By key. (debate 1: "), "{text}");
        let found = anew(&[tabled.clone()], "By cost", &text).unwrap();
        assert!(!found.checkpoint.contains("Not decided") && found.checkpoint.contains("\n- Why?\n"), "{found:?}");
        let settled = Superseded::settled(&[tabled], &text).unwrap();
        assert!(!settled.checkpoint.contains("Not decided"), "{settled:?}");
    }

    #[test]
    fn d17_an_answer_confirms_one_debate_and_no_earlier_one() {
        let debates = [of(1, &["By key"]), of(2, &["By cost"])];
        let text = "## Decisions\n\n- By key.\n  - Confirmed in debate 1: why 1.\n  - Not chosen: Option 1\n  \
                    - Against Option 1: no.\n";
        let text = debates[1].written_into(text);
        let found = anew(&debates, "By cost", &text).unwrap();
        assert_eq!(found.confirmed.as_ref().map(|(debate, _)| debate.number), Some(2));
        assert!(!found.checkpoint.contains("debate"), "{found:?}");
        let (debate, decision) = found.confirmed.unwrap();
        let text = debate.confirming(&found.checkpoint, "- By cost.", &decision);
        assert!(text.contains("- By cost.\n  - Confirmed in debate 2: why 2.\n  - Not chosen: Option 2\n"), "{text}");
    }

    #[test]
    fn d17_a_decision_with_a_line_below_it_that_was_changed_by_hand_stays_as_it_is() {
        let debates = [of(1, &["By key"])];
        let written = debates[0].written_into("## Decisions\n\n- Mine.\n");
        assert!(!anew(&debates, "By cost", &written).unwrap().checkpoint.contains("By key"), "{written}");
        for (from, to) in [
            ("Reason: why 1.", "Reason: why 1, and it is cheap."),
            ("Not chosen: Option 1", "Not chosen: Option 1; Option 9"),
            ("Against Option 1: no.", "Against Option 1: no, it leaks."),
            ("  - Against Option 1: no.", "  - Against Option 1: no.\n  - A note."),
        ] {
            let edited = written.replace(from, to);
            assert_ne!(edited, written);
            let first = "By key. (debate 1: How is it counted (and why)?)";
            assert!(is_edited_below(&edited, first, &debates) && debates[0].stands_in(&edited), "{edited}");
            assert_eq!(anew(&debates, "By cost", &edited), None, "{edited}");
            let over = Concluded::over(&of(2, &["Bears"]), &debates, None, &edited);
            assert!(over.checkpoint.contains(to) && over.replaced.is_empty(), "{over:?}");
        }
        // What took the place of another decision stands as it was written, too, and what a later debate confirmed.
        let over = Concluded::over(&of(2, &["Bears"]), &debates, None, &written);
        let both = [debates[0].clone(), of(2, &["Bears"])];
        let first = "Bears. (debate 2: How is it counted (and why)?)";
        assert!(!is_edited_below(&over.checkpoint, first, &both), "{over:?}");
        let again = Concluded::over(&of(3, &["Bears"]), &both, None, &over.checkpoint);
        assert!(again.checkpoint.contains("Confirmed in debate 3"), "{again:?}");
        let all = [&both[..], &[of(3, &["Bears"])]].concat();
        assert!(!is_edited_below(&again.checkpoint, first, &all), "{again:?}");
    }

    #[test]
    fn d17_what_is_concluded_again_for_a_question_stands_alone() {
        let (first, second) = (of(1, &["By key", "In memory"]), of(2, &["By key"]));
        let text = first.written_into("## Decisions\n\n- Mine.\n");
        let found = Concluded::over(&second, std::slice::from_ref(&first), None, &text);
        // It says the same of one decision, and the other one goes.
        assert!(found.checkpoint.contains("  - Confirmed in debate 2: why 2.\n"), "{found:?}");
        assert!(!found.checkpoint.contains("In memory") && found.checkpoint.contains("- Mine."), "{found:?}");
        assert_eq!(found.replaced.len(), 1);
        let mut tabled = of(2, &["By cost"]);
        tabled.tabled = true;
        let found = Concluded::over(&tabled, &[first], Some("By hand."), &text);
        assert!(found.checkpoint.contains("## Decisions\n\n- Mine.\n"), "{found:?}");
        assert!(found.checkpoint.contains("- Not decided: By key. (debate 2: "), "{found:?}");
    }
}
