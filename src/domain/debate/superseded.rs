//! What was decided last for a question stands alone (D17). An answer takes the place of all that debates decided for its
//! question, or says the same as one of these decisions and confirms it.

use super::conclusions::{Conclusions, ended};
use super::not_chosen::{Known, Replaced, listed};
use super::proposal::Reasoned;
use super::sentence::{is_sentence, origin};
use super::standing::{
    DECISIONS, add, below, confirmed, entry, firsts, is_history, take_not_decided, take_open, taken_back_in, taken_out,
};
use crate::domain::harmless::harmless;
use crate::domain::outline::{Outline, behind_mark, is_nested};
use crate::domain::text::terms;

/// An answer to a question that was debated.
#[derive(Clone, Copy, Debug)]
pub struct Anew<'a> {
    /// The debates that decided for its question, the oldest first.
    pub debates: &'a [Conclusions],
    /// What it is called, and what it says.
    pub names: &'a [&'a str],
    /// The lines that stand there instead, until the answer is written.
    pub instead: &'a [String],
    pub written: Written<'a>,
}

/// All that stands in the checkpoint without an edit by hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written<'a> {
    pub debates: &'a [Conclusions],
    /// Lines that answers yield.
    pub answers: &'a [String],
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
        let mut again = newest_first.find_map(|one| Some((one.clone(), one.said_again(&outline, anew)?.clone())));
        // An answer that is no decision by itself says the same elsewhere, so that the decision stays where it stands.
        if again.is_some() && anew.instead.is_empty() {
            return Self::settled(anew.debates, checkpoint);
        }
        let mut is_changed = false;
        // First, since they move what stands below them.
        for debate in anew.debates {
            is_changed |= !debate.in_part && debate.take_confirmations(&mut outline, anew.written.debates);
            is_changed |= !debate.take_open(&mut outline).is_empty();
        }
        let places: Vec<usize> = if let Some((debate, decision)) = &mut again {
            debate.hand_on(&outline, decision, anew.written);
            debate.take_decision(&mut outline, decision, anew.written).into_iter().collect()
        } else {
            let all = anew.debates.iter().flat_map(|debate| debate.decisions.iter().map(move |one| (debate, one)));
            all.filter_map(|(debate, decision)| debate.take_decision(&mut outline, decision, anew.written)).collect()
        };
        is_changed |= !places.is_empty();
        if !is_changed {
            return None;
        }
        put(&mut outline, places.into_iter().min(), anew.instead);
        Some(Self { checkpoint: outline.render(), confirmed: again })
    }

    /// Where nothing of these debates stands, nor the answer before, whose lines these are: what took their place was about
    /// something else, and stays. None where they stand.
    pub fn elsewhere(lines: &[String], checkpoint: &str) -> Option<Self> {
        let first = lines.first()?;
        if checkpoint.lines().any(|line| line == first) {
            return None;
        }
        let mut outline = Outline::parse(checkpoint);
        put(&mut outline, None, lines);
        Some(Self { checkpoint: outline.render(), confirmed: None })
    }

    /// Where the answer stands already: only that nothing was decided is wrong. None where that stands nowhere.
    pub fn settled(debates: &[Conclusions], checkpoint: &str) -> Option<Self> {
        let mut outline = Outline::parse(checkpoint);
        let changed = debates.iter().filter(|debate| !debate.take_open(&mut outline).is_empty()).count();
        (changed > 0).then(|| Self { checkpoint: outline.render(), confirmed: None })
    }
}

/// The checkpoint without the word that these were not decided, since they are answers now. None where it stands nowhere.
pub fn decided_by_now(names: &[&str], checkpoint: &str) -> Option<String> {
    let mut outline = Outline::parse(checkpoint);
    let is_one = |what: &str| names.iter().any(|name| is_sentence(what, name));
    let taken = take_not_decided(&mut outline, is_one);
    (!taken.is_empty()).then(|| outline.render())
}

/// The checkpoint in which no debate confirms a decision, by its first line: another one is to stand there. None where none
/// does.
pub fn confirmed_no_more(first: &str, debates: &[Conclusions], checkpoint: &str) -> Option<String> {
    let mut outline = Outline::parse(checkpoint);
    let (at, lines) = entry(&outline, first)?;
    let body = &mut outline.sections[at].body;
    let written = Known::of(debates, Replaced::default());
    let begins: Vec<String> = debates.iter().map(|debate| confirmed(debate.number)).collect();
    let is_confirmed = |line: &String| begins.iter().any(|begins| line.starts_with(begins.as_str()));
    let said = lines.clone().find(|place| is_confirmed(&body[*place]))?;
    let is_of_it = |line: &String| is_confirmed(line) || written.has(line) || taken_back_in(line).is_some();
    let kept: Vec<String> = body[said..lines.end].iter().filter(|line| !is_of_it(line)).cloned().collect();
    body.splice(said..lines.end, kept);
    Some(outline.render())
}

impl Conclusions {
    /// The same with those decisions alone that took the place of an answer, by what may be its first line.
    #[must_use]
    pub fn in_place_of(mut self, answers: &[String], checkpoint: &str) -> Self {
        let outline = Outline::parse(checkpoint);
        let is_it = |gone: &str| answers.iter().any(|answer| is_sentence(answer, gone));
        let mut decided = std::mem::take(&mut self.decisions);
        decided.retain(|one| {
            let below = self.standing(&outline, one).map(|first| below(&outline, &first)).unwrap_or_default();
            below.iter().filter_map(|line| taken_back_in(line)).any(is_it)
        });
        (self.decisions, self.in_part) = (decided, true);
        self
    }

    /// The decision that an answer says again, where it stands in the checkpoint.
    fn said_again(&self, outline: &Outline, anew: Anew<'_>) -> Option<&Reasoned> {
        let is_said = |one: &Reasoned| anew.names.iter().any(|name| is_sentence(name, &one.what));
        self.decisions.iter().find(|one| is_said(one) && self.first_line(outline, one, anew.written).is_some())
    }

    /// The first line of a decision of this debate, where it stands with all below it as it was written.
    pub(super) fn first_line(&self, outline: &Outline, decision: &Reasoned, written: Written<'_>) -> Option<String> {
        self.standing(outline, decision).filter(|first| !is_edited(outline, first, written))
    }

    /// The first line of a decision of this debate, whatever stands below it.
    fn standing(&self, outline: &Outline, decision: &Reasoned) -> Option<String> {
        let is_it = |first: &&str| origin(first) == Some(self.number) && is_sentence(first, &decision.what);
        firsts(outline).find(is_it).map(str::to_owned)
    }

    /// What stands below a decision of this debate stands below the answer that confirms it.
    fn hand_on(&mut self, outline: &Outline, decision: &Reasoned, written: Written<'_>) {
        let below = self.first_line(outline, decision, written).map(|first| below(outline, &first)).unwrap_or_default();
        self.handed_on.extend(listed(&below));
        self.given_way.extend(below.iter().filter_map(|line| taken_back_in(line)).map(str::to_owned));
    }

    /// The place where it stood.
    fn take_decision(&self, outline: &mut Outline, decision: &Reasoned, written: Written<'_>) -> Option<usize> {
        let first = self.first_line(outline, decision, written)?;
        taken_out(outline, &first)
    }

    /// Whether a decision of this debate stands in the checkpoint.
    pub fn stands_in(&self, checkpoint: &str) -> bool {
        let outline = Outline::parse(checkpoint);
        !self.tabled && self.decisions.iter().any(|one| self.standing(&outline, one).is_some())
    }

    /// Whether the first line of a decision in the checkpoint is as this debate wrote it.
    pub fn wrote(&self, first: &str) -> bool {
        origin(first) == Some(self.number) && self.names().any(|one| is_sentence(first, one))
    }

    /// Whether a decision of this debate stands in the checkpoint, with all below it as it was written.
    pub fn stands_as_written(&self, checkpoint: &str, written: Written<'_>) -> bool {
        let outline = Outline::parse(checkpoint);
        !self.tabled && self.decisions.iter().any(|one| self.first_line(&outline, one, written).is_some())
    }

    /// Whether a decision in the checkpoint came from this debate, by its first line, also where it was changed by hand.
    pub fn may_have_written(&self, first: &str) -> bool {
        origin(first) == Some(self.number) && (!self.in_part || self.wrote(first))
    }

    /// The same where a line of the understanding gives way to what was decided.
    #[must_use]
    pub fn over(mut self, first: Option<String>) -> Self {
        self.given_way.extend(first);
        self
    }

    /// Whether it decided anything.
    pub fn has_decided(&self) -> bool {
        !self.tabled && !self.decisions.is_empty()
    }

    /// Whether it decided this, word for word.
    pub fn decides(&self, first: &str) -> bool {
        !self.tabled && self.names().any(|one| is_sentence(first, one))
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
            while body.get(said).is_some_and(|line| written.has(line) || taken_back_in(line).is_some()) {
                body.remove(said);
            }
        }
        is_changed
    }

    /// Takes out what was not decided: the lines that stood there.
    pub(super) fn take_open(&self, outline: &mut Outline) -> Vec<String> {
        take_open(outline, |first, _| origin(first) == Some(self.number))
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

/// Whether somebody changed what stands below a decision in the checkpoint, by its first line, after it was written.
pub fn is_edited_below(checkpoint: &str, first: &str, written: Written<'_>) -> bool {
    is_edited(&Outline::parse(checkpoint), first, written)
}

/// A line that was taken out is no loss, so only a line that no debate and no answer wrote counts.
pub(super) fn is_edited(outline: &Outline, first: &str, written: Written<'_>) -> bool {
    !by_hand(outline, first, written).is_empty()
}

/// The lines below a decision that no debate and no answer wrote, and the blank ones between them.
pub(super) fn by_hand(outline: &Outline, first: &str, Written { debates, answers }: Written<'_>) -> Vec<String> {
    let all = below(outline, first);
    let below: Vec<&str> = all.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let decision = below.iter().find_map(|line| taken_back_in(line));
    let firsts = answers.iter().filter(|line| !is_nested(line)).filter_map(|line| behind_mark(line));
    let answered: Vec<Reasoned> = firsts.map(|what| Reasoned { what: what.to_owned(), why: String::new() }).collect();
    let listed = Known::of(debates, Replaced { decision, listed: &answered });
    let decisions = debates.iter().flat_map(|debate| &debate.decisions);
    let reasons: Vec<Vec<String>> = decisions.map(|one| terms(&format!("Reason: {}", ended(&one.why)))).collect();
    let is_history = |line: &str| behind_mark(line).map(str::trim).is_some_and(is_history);
    let is_of_an_answer = |line: &str| answers.iter().any(|own| own.trim() == line);
    let is_written =
        |line: &str| is_history(line) || listed.has(line) || reasons.contains(&terms(line)) || is_of_an_answer(line);
    let mut found: Vec<String> = Vec::new();
    for line in &all {
        // A blank line goes with what stands before it.
        let is_theirs = if line.trim().is_empty() { !found.is_empty() } else { !is_written(line.trim()) };
        if is_theirs {
            found.push(line.clone());
        }
    }
    while found.last().is_some_and(|line| line.trim().is_empty()) {
        found.pop();
    }
    found
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
pub(super) mod tests {
    use super::super::concluded::{Concluded, Earlier};
    use super::*;

    pub(crate) fn of(number: u32, decided: &[&str]) -> Conclusions {
        let reasoned = |what: &&str| Reasoned { what: (*what).to_owned(), why: format!("why {number}") };
        let mut found = Conclusions::default();
        found.number = number;
        found.name = "How is it counted (and why)?".to_owned();
        found.decisions = decided.iter().map(reasoned).collect();
        found.options = vec![Reasoned { what: format!("Option {number}"), why: "no".to_owned() }];
        found
    }

    pub(crate) fn by(debates: &[Conclusions]) -> Written<'_> {
        Written { debates, answers: &[] }
    }

    pub(crate) fn concluded(
        debate: &Conclusions,
        debates: &[Conclusions],
        answer: Option<&str>,
        text: &str,
    ) -> Concluded {
        Concluded::over(debate, Earlier { debates, answer, written: by(debates) }, text)
    }

    fn anew(debates: &[Conclusions], name: &str, text: &str) -> Option<Superseded> {
        Superseded::by(Anew { debates, names: &[name], instead: &[format!("- {name}.")], written: by(debates) }, text)
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

    /// An answer about the topic stands in the understanding, and none of its words among the decisions.
    #[test]
    fn d17_an_answer_that_is_no_decision_leaves_the_one_that_it_says_again_where_it_stands() {
        let debates = [of(1, &["By key"])];
        let text = debates[0].written_into("## Decisions\n\n- Mine.\n");
        let by = |name: &str| {
            Superseded::by(Anew { debates: &debates, names: &[name], instead: &[], written: by(&debates) }, &text)
        };
        assert_eq!(by("by key."), None);
        assert!(!by("By cost").unwrap().checkpoint.contains("By key"));
    }

    /// What earlier debates rejected stands below the answer then.
    #[test]
    fn d17_an_answer_that_confirms_a_decision_keeps_what_stands_below_it() {
        let mut debates = vec![of(1, &["Redis"])];
        let text = debates[0].written_into("## Decisions\n\n- Mine.\n");
        let second = of(2, &["Sled"]);
        let text = concluded(&second, &debates, None, &text).checkpoint;
        debates.push(second);
        let found = anew(&debates, "Sled", &text).unwrap();
        let (debate, decision) = found.confirmed.unwrap();
        let text = debate.confirming(&found.checkpoint, "- Sled.", &decision);
        let below = "- Sled.\n  - Confirmed in debate 2: why 2.\n  - Not chosen: Option 2; Redis; Option 1\n  \
                     - Against Option 2: no.\n  - Against Option 1: no.\n  - Taken back for it: Redis.\n";
        assert!(text.contains(below), "{text}");
        assert!(!is_edited_below(&text, "Sled.", by(&debates)), "{text}");
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
            assert!(is_edited_below(&edited, first, by(&debates)) && debates[0].stands_in(&edited), "{edited}");
            assert_eq!(anew(&debates, "By cost", &edited), None, "{edited}");
            let over = concluded(&of(2, &["Bears"]), &debates, None, &edited);
            assert!(over.checkpoint.contains(to) && over.replaced.is_empty(), "{over:?}");
        }
        // What took the place of another decision stands as it was written, too, and what a later debate confirmed.
        let over = concluded(&of(2, &["Bears"]), &debates, None, &written);
        let both = [debates[0].clone(), of(2, &["Bears"])];
        let first = "Bears. (debate 2: How is it counted (and why)?)";
        assert!(!is_edited_below(&over.checkpoint, first, by(&both)), "{over:?}");
        let again = concluded(&of(3, &["Bears"]), &both, None, &over.checkpoint);
        assert!(again.checkpoint.contains("Confirmed in debate 3"), "{again:?}");
        let all = [&both[..], &[of(3, &["Bears"])]].concat();
        assert!(!is_edited_below(&again.checkpoint, first, by(&all)), "{again:?}");
    }

    #[test]
    fn d14_what_a_later_debate_or_an_answer_decides_is_open_no_longer() {
        let mut tabled = of(1, &["Token bucket", "One store"]);
        tabled.tabled = true;
        let text = tabled.written_into("## Open Questions\n\n- Not decided: Token bucket.\n");
        assert_eq!(text.matches("- Not decided: ").count(), 3, "{text}");
        let written = of(2, &["Token bucket"]).written_into(&text);
        // What a hand wrote stays.
        assert!(!written.contains("Not decided: Token bucket. (debate 1"), "{written}");
        assert!(written.contains("- Not decided: Token bucket.\n- Not decided: One store. (debate 1"), "{written}");
        let answered = decided_by_now(&["Stores", "one store"], &text).unwrap();
        assert!(!answered.contains("One store") && answered.contains("Token bucket. (debate 1"), "{answered}");
        assert_eq!(decided_by_now(&["Stores"], &text), None);
        // A second debate about the same decides for all of it.
        let found = concluded(&of(2, &["Bears"]), &[tabled.clone()], None, &text);
        assert!(!found.checkpoint.contains("(debate 1"), "{found:?}");
        tabled.number = 2;
        let again = tabled.written_into(&text);
        assert!(again.matches("- Not decided: ").count() == 3 && !again.contains("(debate 1"), "{again}");
    }

    #[test]
    fn d17_a_confirmation_goes_with_the_answer_that_was_confirmed() {
        let debates = [of(1, &["By key"])];
        let text = debates[0].written_into("## Decisions\n\n- By key.\n  - Reason: mine.\n- Other.\n");
        assert!(text.contains("  - Confirmed in debate 1: why 1.\n  - Not chosen: Option 1\n"), "{text}");
        let found = confirmed_no_more("By key.", &debates, &text).unwrap();
        assert_eq!(found, "## Decisions\n\n- By key.\n  - Reason: mine.\n- Other.\n");
        assert_eq!(confirmed_no_more("Other.", &debates, &text), None);
    }
}
