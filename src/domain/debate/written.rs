//! What came of a debate, in the checkpoint (D14, D17): decisions, and what is unresolved as a risk or as an open question.
//! The decision that was debated stands there no longer, unless it was confirmed.

use super::conclusions::{Conclusions, Spoken, ended, one_line};
use super::not_chosen::{Replaced, considered, listed};
use super::proposal::Reasoned;
use super::sentence::{Behind, behind, is_sentence, without_origin};
use super::standing::{
    DECISIONS, add, add_below, below, confirmed, firsts, is_set_aside, stands, take_not_decided, taken_back, taken_out,
};
use crate::domain::harmless::harmless;
use crate::domain::outline::{Outline, is_nested};

impl Conclusions {
    /// The checkpoint with what came of it. What was decided stands where the decision stood that was debated, else at the
    /// end; what stands there already is not added again.
    pub fn written_into(&self, checkpoint: &str) -> String {
        let mut outline = Outline::parse(checkpoint);
        // What is decided is open no longer, and what is tabled again is open once.
        let was_open =
            take_not_decided(&mut outline, |what| self.decisions.iter().any(|one| is_sentence(what, &one.what)));
        let mut all = self.clone();
        all.handed_on.extend(listed(&was_open));
        let debated = self.debated.as_deref().filter(|_| !self.decisions.is_empty());
        let said = self.decisions.iter().filter(|one| debated.is_some_and(|first| self.is_said(&outline, first, one)));
        let said: Vec<&Reasoned> = said.collect();
        let again = self.said_there(&outline, &said);
        let (mut open, mut told) = (Vec::new(), 0);
        match (debated, said.first()) {
            _ if self.tabled => open = all.table(&mut outline, debated, &said),
            (Some(debated), Some(decision)) => {
                let stands = all.confirm(&mut outline, debated, decision);
                // What was not chosen stands once.
                let lines = self.decided(&outline, &said, (!stands).then(Replaced::default));
                add(&mut outline, DECISIONS, &lines);
            }
            (debated, _) => told = usize::from(all.replace(&mut outline, debated, again.first())),
        }
        for (first, decision) in again.iter().skip(told) {
            add_below(&mut outline, first, [self.confirmation(decision)]);
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

    /// Takes out the decision that was debated; the open questions that it and the others become. `said` are those that say
    /// the same.
    fn table(&self, outline: &mut Outline, debated: Option<&str>, said: &[&Reasoned]) -> Vec<String> {
        let listed = self.not_chosen_before(outline, debated);
        let gone = debated.filter(|decision| taken_out(outline, decision).is_some());
        let is_new =
            |one: &&Reasoned| (gone.is_none() || !said.contains(one)) && !stands(outline, DECISIONS, &one.what);
        let new = self.decisions.iter().filter(is_new).map(|one| one.what.as_str());
        let all = gone.into_iter().chain(self.also()).chain(new);
        let not_decided = |what: &str| self.with_origin(&format!("- Not decided: {}", ended(without_origin(what))));
        let mut open: Vec<String> = all.map(not_decided).collect();
        if !open.is_empty() {
            open.splice(1..1, considered(&listed).into_iter().chain(self.by_hand.iter().cloned()));
        }
        open
    }

    /// Puts what was decided in the place of the decision that was debated. Where all of it stands elsewhere already, the
    /// first that does, `again`, says what it takes the place of. Whether it says so.
    fn replace(&self, outline: &mut Outline, debated: Option<&str>, again: Option<&(String, &Reasoned)>) -> bool {
        let listed = self.not_chosen_before(outline, debated);
        let place = debated.and_then(|decision| taken_out(outline, decision));
        let replaced = Replaced { decision: debated.filter(|_| place.is_some()), listed: &listed };
        let mut lines = self.decided(outline, &[], Some(replaced));
        let again = again.filter(|_| lines.is_empty());
        if let Some((first, decision)) = again {
            let gone = replaced.decision.into_iter().flat_map(|one| std::iter::once(one).chain(self.also()));
            let gone = gone.map(str::to_owned).chain(self.given_way.iter().cloned()).collect();
            let mut all = self.clone();
            (all.given_way, all.handed_on) = (gone, listed.clone());
            all.confirm(outline, first, decision);
            add_below(outline, first, self.by_hand.iter().cloned());
        }
        if let Some(at) = lines.iter().skip(1).position(|line| !is_nested(line)).or_else(|| lines.len().checked_sub(1))
        {
            let behind = lines.split_off(at + 1);
            lines.extend(self.by_hand.iter().cloned().chain(behind));
        }
        match place.zip(outline.find(DECISIONS)) {
            Some((place, at)) => drop(outline.sections[at].body.splice(place..place, lines)),
            None => add(outline, DECISIONS, &lines),
        }
        again.is_some()
    }

    /// What stands as not chosen below the decision that was debated, and what was handed on.
    fn not_chosen_before(&self, outline: &Outline, debated: Option<&str>) -> Vec<Reasoned> {
        let mut below = debated.map(|decision| below(outline, decision)).unwrap_or_default();
        below.retain(|line| !self.by_hand.contains(line));
        listed(&below).into_iter().chain(self.handed_on.iter().cloned()).collect()
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
        let is_called_so = self.name_of(first).is_some_and(|name| is_sentence(name, &decision.what));
        is_called_so
            || !self.rejects(first)
                && match behind(without_origin(first), &decision.what) {
                    Some(Behind::Nothing) => true,
                    Some(Behind::Clause) => !is_set_aside(&below(outline, first), &decision.what),
                    None => false,
                }
    }

    /// Whether a decision of the checkpoint is, word for word, an option that this debate rejected.
    pub fn rejects(&self, first: &str) -> bool {
        // Where nothing was decided, nothing was rejected.
        self.has_decided()
            && self.options.iter().any(|one| is_sentence(first, &one.what))
            && !self.decisions.iter().any(|one| is_sentence(first, &one.what))
    }

    fn with_origin(&self, line: &str) -> String {
        // A name that looks like an origin is none.
        let name = without_origin(&one_line(&self.name)).replace("(debate ", "(Debate ");
        format!("{line} (debate {}: {name})", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sentence::{in_own_words, origin};
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
}
