//! What came of a debate, in the checkpoint (D14, D17): decisions, and what is unresolved as a risk or as an open question.
//! The decision that was debated stands there no longer, unless it was confirmed.

use std::ops::Range;

use super::conclusions::{Conclusions, Spoken, ended, one_line};
use super::not_chosen::{Replaced, considered, is_considered, listed};
use super::proposal::Reasoned;
use crate::domain::harmless::harmless;
use crate::domain::outline::{Outline, Section, behind_mark};

pub(super) const DECISIONS: &str = "Decisions";

impl Conclusions {
    /// The checkpoint with what came of it. What was decided stands where the decision stood that was debated, else at the
    /// end; what stands there already is not added again.
    pub fn written_into(&self, checkpoint: &str) -> String {
        let mut outline = Outline::parse(checkpoint);
        let mut open = Vec::new();
        let debated = self.debated.as_deref().filter(|_| !self.decisions.is_empty());
        // What is decided is open no longer, and what is tabled again is open once.
        let was_open =
            take_not_decided(&mut outline, |what| self.decisions.iter().any(|one| is_sentence(what, &one.what)));
        let handed_on: Vec<Reasoned> = self.handed_on.iter().cloned().chain(listed(&was_open)).collect();
        let said = self.decisions.iter().filter(|one| debated.is_some_and(|first| self.is_said(&outline, first, one)));
        let said: Vec<&Reasoned> = said.collect();
        let mut again = self.said_there(&outline, &said).into_iter().peekable();
        let below = debated.map(|decision| below(&outline, decision)).unwrap_or_default();
        let listed: Vec<Reasoned> = listed(&below).into_iter().chain(handed_on.iter().cloned()).collect();
        if self.tabled {
            let gone = debated.filter(|decision| taken_out(&mut outline, decision).is_some());
            let not_decided = |what: &str| self.with_origin(&format!("- Not decided: {}", ended(without_origin(what))));
            open.extend(gone.into_iter().chain(self.also()).map(not_decided));
            let new = self.decisions.iter().filter(|one| gone.is_none() || !said.contains(one));
            open.extend(new.filter(|one| !stands(&outline, DECISIONS, &one.what)).map(|one| not_decided(&one.what)));
            if !open.is_empty() {
                open.splice(1..1, considered(&listed));
            }
        } else if let Some((debated, decision)) = debated.zip(said.first()) {
            let mut all = self.clone();
            all.handed_on = handed_on;
            let stands = all.confirm(&mut outline, debated, decision);
            // What was not chosen stands once.
            let lines = self.decided(&outline, &said, (!stands).then(Replaced::default));
            add(&mut outline, DECISIONS, &lines);
        } else {
            let place = debated.and_then(|decision| taken_out(&mut outline, decision));
            let replaced = Replaced { decision: debated.filter(|_| place.is_some()), listed: &listed };
            let lines = self.decided(&outline, &said, Some(replaced));
            if let Some((first, decision)) = again.next_if(|_| lines.is_empty()) {
                let gone = replaced.decision.into_iter().flat_map(|one| std::iter::once(one).chain(self.also()));
                let gone = gone.map(str::to_owned).chain(self.given_way.iter().cloned()).collect();
                let mut all = self.clone();
                (all.given_way, all.handed_on) = (gone, listed.clone());
                all.confirm(&mut outline, &first, decision);
            }
            match place.zip(outline.find(DECISIONS)) {
                Some((place, at)) => drop(outline.sections[at].body.splice(place..place, lines)),
                None => add(&mut outline, DECISIONS, &lines),
            }
        }
        for (first, decision) in again {
            add_below(&mut outline, &first, [self.confirmation(decision)]);
        }
        let unresolved = self.unresolved.iter().map(Spoken::unresolved).chain(self.user());
        // An open question says what is to be done about it: a plan makes a box to tick of it.
        let settled = |line: String| if self.tabled { line.replacen("- ", "- Settle: ", 1) } else { line };
        open.extend(unresolved.map(|line| self.with_origin(&settled(line))));
        let limits = self.constraints.iter().filter(|limit| !stands(&outline, "Constraints", limit));
        let limits: Vec<String> = limits.map(|limit| self.with_origin(&format!("- {}", ended(limit)))).collect();
        add(&mut outline, "Constraints", &limits);
        add(&mut outline, if self.tabled { "Open Questions" } else { "Risks / Unknowns" }, &open);
        harmless(&outline.render()).into_owned()
    }

    /// Says below a decision of the checkpoint that this debate came to the same. Whether it stands there.
    pub(super) fn confirm(&self, outline: &mut Outline, stands: &str, decision: &Reasoned) -> bool {
        let listed = listed(&below(outline, stands));
        let more = std::iter::once(self.confirmation(decision)).chain(self.not_chosen_besides(&listed));
        add_below(outline, stands, more.chain(self.given_way.iter().map(|gone| taken_back(gone))))
    }

    /// The decisions besides those that say what was debated that stand in the checkpoint already, word for word, each with
    /// its first line there.
    fn said_there(&self, outline: &Outline, said: &[&Reasoned]) -> Vec<(String, &Reasoned)> {
        let found = self.decisions.iter().filter(|one| !self.tabled && !said.contains(one));
        let first = |one: &Reasoned| firsts(outline).find(|first| is_sentence(first, &one.what)).map(str::to_owned);
        found.filter_map(|one| Some((first(one)?, one))).collect()
    }

    /// The decisions that do not stand in the checkpoint yet. The first of them names what it takes the place of, and what
    /// was not chosen, unless that stands elsewhere.
    fn decided(&self, outline: &Outline, said: &[&Reasoned], replaced: Option<Replaced<'_>>) -> Vec<String> {
        // What was debated and confirmed stands as the user put it.
        let is_new = |one: &&Reasoned| !said.contains(one) && !stands(outline, DECISIONS, &one.what);
        let mut lines = Vec::new();
        for (place, decision) in self.decisions.iter().filter(is_new).enumerate() {
            lines.push(self.with_origin(&format!("- {}", ended(&decision.what))));
            lines.push(format!("  - Reason: {}", ended(&decision.why)));
            if let Some(replaced) = replaced.filter(|_| place == 0) {
                lines.extend(self.not_chosen(replaced));
                let also = self.also().filter(|_| replaced.decision.is_some());
                let gone = replaced.decision.into_iter().chain(also).chain(self.given_way.iter().map(String::as_str));
                lines.extend(gone.map(taken_back));
            }
        }
        lines
    }

    pub(super) fn confirmation(&self, decision: &Reasoned) -> String {
        format!("{}{}", confirmed(self.number), ended(&decision.why))
    }

    fn also(&self) -> impl Iterator<Item = &str> {
        self.also.iter().map(String::as_str)
    }

    /// Whether a decision of this debate says what stands in the checkpoint: all of it, all behind a lead that says what it
    /// answers, or its first clause. An option that it rejected is none that it confirms, even if a decision begins with its
    /// name; nor is the first clause one that stands below as set aside.
    pub(super) fn is_said(&self, outline: &Outline, first: &str, decision: &Reasoned) -> bool {
        !self.rejects(first)
            && match behind(without_origin(first), &decision.what) {
                Some(Behind::Nothing) => true,
                Some(Behind::Clause) => !is_set_aside(&below(outline, first), &decision.what),
                None => false,
            }
    }

    /// Whether a decision of the checkpoint is, word for word, an option that this debate rejected.
    pub fn rejects(&self, first: &str) -> bool {
        // Where nothing was decided, nothing was rejected.
        let has_decided = !self.tabled && !self.decisions.is_empty();
        has_decided
            && self.options.iter().any(|one| is_sentence(first, &one.what))
            && !self.decisions.iter().any(|one| is_sentence(first, &one.what))
    }

    fn with_origin(&self, line: &str) -> String {
        // A name that looks like an origin is none.
        let name = without_origin(&one_line(&self.name)).replace("(debate ", "(Debate ");
        format!("{line} (debate {}: {name})", self.number)
    }
}

/// Decisions and options as a role put them. Which debate a decision came from is for git grill to say: where a role says it,
/// it may have copied it from the dossier.
pub(super) fn in_own_words(mut all: Vec<Reasoned>) -> Vec<Reasoned> {
    for one in &mut all {
        while let Some((before, _)) = cut(&one.what) {
            one.what = before.to_owned();
        }
        one.what = unmarked(&one.what).to_owned();
    }
    all
}

/// A name without the box of a task and the mark of a heading before it, which would stand in the checkpoint as one.
fn unmarked(name: &str) -> &str {
    let boxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| name.strip_prefix(mark));
    let behind = boxed.or_else(|| name.starts_with('#').then(|| name.trim_start_matches('#').strip_prefix(' '))?);
    match behind.map(str::trim_start).filter(|name| !name.is_empty()) {
        Some(name) => unmarked(name),
        None => name,
    }
}

/// Whether a sentence is this one, word for word and sign for sign: `< 100` is not `> 100`, and `A && B` is not `A || B`.
pub(super) fn is_sentence(first: &str, what: &str) -> bool {
    worded(without_origin(first)) == worded(what)
}

/// A sentence without what makes no other one of it: case, marks of code, quotation and emphasis, and the full stop.
pub(super) fn worded(text: &str) -> String {
    let line = harmless(&one_line(text)).replace("**", "").to_lowercase();
    let plain: String = line.chars().filter(|sign| !"`\"“”".contains(*sign)).collect();
    let inside = plain.strip_prefix('*').and_then(|inside| inside.strip_suffix('*')).unwrap_or(&plain);
    let found = inside.trim().trim_end_matches('.');
    if found.is_empty() { line } else { found.to_owned() }
}

fn taken_back(decision: &str) -> String {
    format!("  - Taken back for it: {}", ended(without_origin(decision)))
}

/// The decision that a line tells to be taken back.
pub(super) fn taken_back_in(line: &str) -> Option<&str> {
    line.trim().strip_prefix("- Taken back for it: ")
}

/// Takes out of the open questions what a debate did not decide, where it is one of these: the lines that stood there.
pub(super) fn take_not_decided(outline: &mut Outline, is_one: impl Fn(&str) -> bool) -> Vec<String> {
    take_open(outline, |first, what| origin(first).is_some() && is_one(without_origin(what)))
}

/// Takes lines about what was not decided out of the open questions, by the whole line and by what was not decided, each with
/// what git grill wrote below it.
pub(super) fn take_open(outline: &mut Outline, is_gone: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let Some(at) = outline.find("Open Questions") else { return Vec::new() };
    let mut is_below = false;
    let is_taken = |line: &mut String| {
        let first = behind_mark(line).map(str::trim);
        let is_first =
            first.is_some_and(|first| first.strip_prefix("Not decided: ").is_some_and(|what| is_gone(first, what)));
        is_below = is_first || is_below && is_considered(line);
        is_below
    };
    outline.sections[at].body.extract_if(.., is_taken).collect()
}

/// The first lines of the decisions of the checkpoint.
pub(super) fn firsts(outline: &Outline) -> impl Iterator<Item = &str> {
    firsts_in(outline, DECISIONS)
}

fn firsts_in<'a>(outline: &'a Outline, title: &str) -> impl Iterator<Item = &'a str> {
    let body = outline.find(title).map(|at| outline.sections[at].body.as_slice()).unwrap_or_default();
    body.iter().filter(|line| !is_nested(line)).filter_map(|line| behind_mark(line))
}

/// Adds lines below a decision of the checkpoint. Whether it stands there.
fn add_below(outline: &mut Outline, first: &str, more: impl IntoIterator<Item = String>) -> bool {
    let Some((at, lines)) = entry(outline, first) else { return false };
    outline.sections[at].body.splice(lines.end..lines.end, more);
    true
}

/// What a sentence of the checkpoint says behind some words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    Nothing,
    Clause,
}

/// What a sentence says behind these words, where it begins with them, or goes on with them behind a lead that says what it
/// answers.
fn behind(first: &str, what: &str) -> Option<Behind> {
    let what = worded(what);
    let of = |text: &str| {
        let text = worded(text);
        match text.strip_prefix(&what)? {
            "" => Some(Behind::Nothing),
            rest => [", ", "; ", " ("].iter().any(|mark| rest.starts_with(mark)).then_some(Behind::Clause),
        }
    };
    of(first).or_else(|| of(first.split_once(": ")?.1))
}

/// Whether the lines below a decision list this as not chosen, or as taken back.
fn is_set_aside(below: &[String], what: &str) -> bool {
    let taken_back = below.iter().filter_map(|line| taken_back_in(line));
    taken_back.chain(listed(below).iter().map(|one| one.what.as_str())).any(|gone| is_sentence(gone, what))
}

/// Whether a sentence stands in a section of the checkpoint, word for word.
fn stands(outline: &Outline, title: &str, sentence: &str) -> bool {
    firsts_in(outline, title).any(|first| is_sentence(first, sentence))
}

/// Whether a line below a decision is a part of its history and none of what holds.
pub fn is_history(detail: &str) -> bool {
    ["Taken back for it: ", "Confirmed in debate "].iter().any(|history| detail.starts_with(history))
}

/// A sentence of the checkpoint without the debate that it came from: the debate's name is none of its words.
pub fn without_origin(sentence: &str) -> &str {
    cut(sentence).map_or(sentence, |(before, _)| before)
}

/// The number of the debate that a sentence of the checkpoint came from.
pub fn origin(sentence: &str) -> Option<u32> {
    cut(sentence).map(|(_, number)| number)
}

fn cut(sentence: &str) -> Option<(&str, u32)> {
    let of_debate = |at: usize| {
        let (number, _) = sentence[at + " (debate ".len()..].split_once(": ")?;
        // No sign stands before it.
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
        Some((&sentence[..at], number.parse().ok()?))
    };
    let ends = sentence.trim_end().trim_end_matches('.').ends_with(')');
    // The last one is the one that git grill wrote.
    sentence.rmatch_indices(" (debate ").filter(|_| ends).find_map(|(at, _)| of_debate(at))
}

/// How the line begins that says that a debate confirmed a decision.
pub(super) fn confirmed(number: u32) -> String {
    format!("  - Confirmed in debate {number}: ")
}

pub(super) fn is_nested(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// A decision of the checkpoint by its first line: the section, and the lines, with all that stands below it.
pub(super) fn entry(outline: &Outline, decision: &str) -> Option<(usize, Range<usize>)> {
    let at = outline.find(DECISIONS)?;
    let body = &outline.sections[at].body;
    let is_it = |line: &String| {
        !is_nested(line) && behind_mark(line).is_some_and(|first| one_line(first) == one_line(decision))
    };
    let start = body.iter().position(is_it)?;
    let goes_on = |rest: &[String]| {
        let is_lazy = |line: &String| !line.trim().is_empty() && behind_mark(line).is_none();
        // A paragraph of its own that is set in belongs to it.
        let next = rest.iter().find(|line| !line.trim().is_empty());
        rest.first().is_some_and(is_lazy) || next.is_some_and(|line| is_nested(line))
    };
    let mut end = start + 1;
    while goes_on(&body[end..]) {
        end += 1;
    }
    Some((at, start..end))
}

/// The lines below a decision of the checkpoint.
pub(super) fn below(outline: &Outline, decision: &str) -> Vec<String> {
    let found = entry(outline, decision);
    found.map(|(at, lines)| outline.sections[at].body[lines.start + 1..lines.end].to_vec()).unwrap_or_default()
}

/// Whether a decision stands in the checkpoint by its first line.
pub(super) fn stands_there(outline: &Outline, decision: &str) -> bool {
    entry(outline, decision).is_some()
}

/// Takes it out; the place where it stood.
pub(super) fn taken_out(outline: &mut Outline, decision: &str) -> Option<usize> {
    let (at, lines) = entry(outline, decision)?;
    let place = lines.start;
    outline.sections[at].body.drain(lines);
    Some(place)
}

/// Adds lines at the end of a section, which is made where it is missing.
pub(super) fn add(outline: &mut Outline, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let at = outline.find(title).unwrap_or_else(|| {
        outline.sections.push(Section { heading: Some(format!("## {title}")), body: Vec::new() });
        outline.sections.len() - 1
    });
    let section = &mut outline.sections[at];
    let end = section.body.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let mut added: Vec<String> = if end == 0 { vec![String::new()] } else { Vec::new() };
    added.extend(lines.iter().cloned());
    section.body.splice(end..end, added);
    if section.body.last().is_some_and(|line| !line.trim().is_empty()) {
        section.body.push(String::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKPOINT: &str =
        "# S\n\n## Decisions\n\n- SQLite, one file.\n  - Reason: simple.\n\n  More of it.\n- One process.\n";

    fn of(decision: &str, tabled: bool) -> Conclusions {
        let mut found = Conclusions::default();
        found.number = 1;
        found.name = "SQLite, one file.".to_owned();
        found.decisions = vec![Reasoned { what: decision.to_owned(), why: "it is faster".to_owned() }];
        found.debated = Some("SQLite, one file.".to_owned());
        found.tabled = tabled;
        found
    }

    #[test]
    fn d17_a_decision_that_was_debated_gives_way_to_what_was_decided_instead() {
        let written = of("Postgres", false).written_into(CHECKPOINT);
        assert_eq!(
            written,
            "# S\n\n## Decisions\n\n- Postgres. (debate 1: SQLite, one file.)\n  - Reason: it is faster.\n  \
             - Not chosen: SQLite, one file\n  - Taken back for it: SQLite, one file.\n- One process.\n"
        );
        assert!(
            of("Postgres instead of SQLite, one file", false).written_into(CHECKPOINT).contains("\n- Postgres instead")
        );
        let changed = CHECKPOINT.replace("one file", "two files");
        let written = of("Postgres", false).written_into(&changed);
        assert!(
            written.contains("- SQLite, two files.\n") && written.contains("\n- Postgres."),
            "it is another one by now"
        );
    }

    #[test]
    fn d17_a_decision_that_was_debated_and_confirmed_stands_where_it_stood_and_once() {
        let confirmed = of("SQLite", false).written_into(CHECKPOINT);
        let below =
            "- SQLite, one file.\n  - Reason: simple.\n\n  More of it.\n  - Confirmed in debate 1: it is faster.\n";
        assert!(confirmed.contains(&format!("## Decisions\n\n{below}- One process.\n")), "{confirmed}");
        assert_eq!(confirmed.matches("SQLite").count(), 1, "{confirmed}");
        // What is decided already is not decided again.
        assert_eq!(of("One process", false).written_into(CHECKPOINT).matches("One process").count(), 1);
    }

    #[test]
    fn d14_a_decision_that_was_debated_and_tabled_is_decided_no_longer() {
        let tabled = of("Postgres", true).written_into(CHECKPOINT);
        assert!(tabled.contains("## Decisions\n\n- One process.\n"), "{tabled}");
        let open = "- Not decided: SQLite, one file. (debate 1: SQLite, one file.)\n\
                    - Not decided: Postgres. (debate 1: SQLite, one file.)\n";
        assert!(tabled.contains(open) && !tabled.contains("simple"), "{tabled}");
        assert_eq!(of("SQLite", true).written_into(CHECKPOINT).matches("Not decided").count(), 1);
        assert!(!of("One process", true).written_into(CHECKPOINT).contains("Not decided: One process"));
    }

    #[test]
    fn d17_an_option_that_was_not_chosen_stands_once_and_without_the_debate_that_decided_it() {
        let text =
            CHECKPOINT.replace("- SQLite, one file.", "- Token bucket. (debate 1: It counts, since (so) it is.)");
        let mut found = of("Sliding log", false);
        found.number = 2;
        found.debated = Some("Token bucket. (debate 1: It counts, since (so) it is.)".to_owned());
        found.name = "Token bucket. (debate 1: It counts, since (so) it is.)".to_owned();
        found.options = vec![Reasoned { what: "Token bucket".to_owned(), why: "bursts".to_owned() }];
        let written = found.written_into(&text);
        let decided = "- Sliding log. (debate 2: Token bucket.)\n  - Reason: it is faster.\n  - Not chosen: Token bucket\n  \
                       - Against Token bucket: bursts.\n  - Taken back for it: Token bucket.\n- One process.\n";
        assert!(written.contains(decided), "{written}");
        // What the earlier debate was called is none of the decision's words.
        found.decisions[0].what = "It counts".to_owned();
        assert!(found.written_into(&text).contains("- It counts. (debate 2: Token bucket.)\n"));
        found.tabled = true;
        let tabled = found.written_into(&text);
        assert!(tabled.contains("- Not decided: Token bucket. (debate 2: Token bucket.)\n"), "{tabled}");
    }

    #[test]
    fn d17_a_decision_that_stands_already_is_confirmed_also_where_a_role_copied_its_debate() {
        let mut first = of("Token bucket", false);
        first.debated = None;
        let text = first.written_into("# S\n");
        let mut second = first.clone();
        second.number = 2;
        second.decisions = in_own_words(vec![Reasoned {
            what: "Token bucket. (debate 1: SQLite, one file.)".to_owned(),
            why: "it lasts".to_owned(),
        }]);
        let text = second.written_into(&text);
        assert!(text.contains("  - Confirmed in debate 2: it lasts.\n"), "{text}");
        assert_eq!(text.matches("Token bucket").count(), 1, "{text}");
    }

    #[test]
    fn d17_a_name_is_no_task_and_no_heading_of_the_checkpoint() {
        for (name, expected) in [
            ("[x] Boxed", "Boxed"),
            ("[ ] # Both", "Both"),
            ("### Deep", "Deep"),
            ("C# client", "C# client"),
            ("#1 first", "#1 first"),
            ("[x]", "[x]"),
            ("> 3 requests", "> 3 requests"),
        ] {
            assert_eq!(unmarked(name), expected);
        }
    }

    #[test]
    fn d17_an_origin_that_a_role_wrote_is_none() {
        let own = |what: &str| {
            let all = in_own_words(vec![Reasoned { what: what.to_owned(), why: "so".to_owned() }]);
            all[0].what.clone()
        };
        assert_eq!(own("By key (debate 9: What is counted?)"), "By key");
        assert_eq!(own("By key (debate 9: a) (debate 8: b)."), "By key");
        assert_eq!(own("By key (debate it)"), "By key (debate it)");
        // Neither what stands before it nor the name of the debate is taken for what git grill wrote.
        let mut found = of("A (debate 9: b) c", false);
        (found.debated, found.name) = (None, "It (debate 9: x) y".to_owned());
        let text = found.written_into("# S\n");
        let line = text.lines().find_map(|line| line.strip_prefix("- A")).unwrap();
        assert_eq!((origin(line), without_origin(line)), (Some(1), " (debate 9: b) c."));
    }

    #[test]
    fn d17_constraints_of_the_file_that_was_debated_are_added_once() {
        let mut found = of("Postgres", false);
        found.constraints = vec!["No new service".to_owned()];
        let written = found.written_into("# S\n\n## Constraints\n\n- One box.\n");
        let limits = "## Constraints\n\n- One box.\n- No new service. (debate 1: SQLite, one file.)\n";
        assert!(written.contains(limits), "{written}");
        assert_eq!(found.written_into(&written).matches("No new service").count(), 1);
    }

    #[test]
    fn d17_a_sentence_is_known_without_the_debate_that_it_came_from() {
        for (sentence, without) in [
            ("By key. (debate 1: It counts by address, since (so) it is.)", "By key."),
            ("By key (debate 12: a).", "By key"),
            ("By key (debate it: a)", "By key (debate it: a)"),
            ("A (debate 1: b) c", "A (debate 1: b) c"),
            ("By key.", "By key."),
        ] {
            assert_eq!(without_origin(sentence), without);
        }
        assert_eq!((origin("By key (debate 12: a)."), origin("By key.")), (Some(12), None));
    }
}
