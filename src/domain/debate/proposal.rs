//! A proposal: four parts, and the options that its proposer considered (D6, D37).

use serde::Serialize;

use super::document::{Document, Entry};
use super::faults::Faults;
use crate::domain::text::words;

const OVERVIEW: &str = "Architecture overview";
pub(super) const DECISIONS: &str = "Key technical decisions";
pub(super) const FILES: &str = "File structure changes";
const RISKS: &str = "Potential risks";
const OPTIONS: &str = "Options considered";
/// Begins the reason of the option that is proposed.
const CHOSEN: &str = "chosen";

/// Its headings, each of which stands in it once.
pub(super) const HEADINGS: [&str; 5] = [OVERVIEW, DECISIONS, FILES, RISKS, OPTIONS];
pub(super) const LISTS: [&str; 2] = [DECISIONS, OPTIONS];

/// Something that is decided, or was considered, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reasoned {
    pub what: String,
    pub why: String,
}

impl Reasoned {
    /// Whether this is the option that is proposed: its reason begins with that word.
    pub fn is_chosen(&self) -> bool {
        words(&self.why).first().is_some_and(|word| word == CHOSEN)
    }

    /// `Chosen: a bucket` and `Chosen bucket: why`, with the word before the reason.
    fn by_reason(self) -> Self {
        let (first, rest) = self.what.split_once([':', ',', ' ']).unwrap_or((&self.what, ""));
        match rest.trim() {
            _ if !first.eq_ignore_ascii_case(CHOSEN) => self,
            "" => Self { what: self.why, why: CHOSEN.to_owned() },
            rest => Self { what: rest.to_owned(), why: format!("{CHOSEN}, {}", self.why) },
        }
    }
}

/// A proposal that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    pub overview: String,
    pub decisions: Vec<Reasoned>,
    pub files: String,
    pub risks: String,
    /// Each option with what makes it feasible or not.
    pub options: Vec<Reasoned>,
}

impl Proposal {
    /// Reads a proposal; the error names everything that is missing.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        let document = Document::of(text);
        let mut missing = Faults::default();
        let mut part = |title: &str| {
            document.part(title).unwrap_or_else(|| {
                missing.lacks(format!("the part “{title}”"));
                String::new()
            })
        };
        let (overview, files, risks) = (part(OVERVIEW), part(FILES), part(RISKS));
        let decisions = list(&document, DECISIONS, "rationale", &mut missing);
        let mut options = list(&document, OPTIONS, "reason", &mut missing);
        // Where a reason says it, that word is a part of other names.
        if !options.iter().any(Reasoned::is_chosen) {
            options = options.into_iter().map(Reasoned::by_reason).collect();
        }
        if !options.is_empty() && !options.iter().any(Reasoned::is_chosen) {
            missing.lacks("the proposed option, with a reason that begins with “chosen”".to_owned());
        }
        if missing.is_empty() { Ok(Self { overview, decisions, files, risks, options }) } else { Err(missing) }
    }
}

/// What the entries of a list are called.
pub(super) fn names(document: &Document, title: &str) -> Vec<String> {
    let entries = document.entries(title).unwrap_or_default();
    entries.iter().filter_map(reasoned).map(|one| one.what).collect()
}

/// What an objection may name of a solution, whoever wrote it: what is decided in it, and files.
pub fn named(text: &str) -> Vec<String> {
    let document = Document::of(text);
    names(&document, DECISIONS).into_iter().chain(files_in(&document.part(FILES).unwrap_or_default())).collect()
}

/// What looks like a file's name in these words.
fn files_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| c.is_whitespace() || "`,;()".contains(c));
    words.filter(|word| word.contains(['/', '.']) && word.len() > 3).map(str::to_owned)
}

/// The entries of a part, each with a reason; what lacks is added to what is missing.
pub(super) fn list(document: &Document, title: &str, reason: &str, missing: &mut Faults) -> Vec<Reasoned> {
    let entries = document.entries(title).unwrap_or_default();
    if entries.is_empty() {
        missing.lacks(format!("the list “{title}”"));
    }
    let mut found = Vec::new();
    for entry in &entries {
        match reasoned(entry) {
            Some(reasoned) => found.push(reasoned),
            None => missing.lacks(format!("the {reason} of “{}”", entry.first)),
        }
    }
    found
}

/// `what: why`, `what — why`, `what because why`, or the reason in the lines below. Marks inside of parentheses, code or
/// emphasis, brackets or quotation marks part nothing.
fn reasoned(entry: &Entry) -> Option<Reasoned> {
    // What is never closed keeps nothing together.
    let is_whole = is_open_text(&entry.first);
    let cut = [": ", "：", " — ", " because ", ", since "].iter().filter_map(|mark| {
        let mut places = entry.first.match_indices(mark).map(|(at, _)| at);
        let at = places.find(|at| !is_whole || is_open_text(&entry.first[..*at]))?;
        Some((&entry.first[..at], &entry.first[at + mark.len()..]))
    });
    let first = cut.min_by_key(|(what, _)| what.len());
    let (what, why) = match first {
        Some((what, why)) => (what, [&[why.to_owned()], entry.rest.as_slice()].concat().join(" ")),
        None => (entry.first.trim_end_matches(':'), entry.rest.join(" ")),
    };
    let reasoned = Reasoned { what: plain(what), why: plain(&why) };
    (!reasoned.what.is_empty() && !reasoned.why.is_empty()).then_some(reasoned)
}

/// Without marks of emphasis around all of it. Those around a part of it come in pairs, and stay.
fn plain(text: &str) -> String {
    let text = text.trim();
    let inside = text.trim_matches('*');
    if inside.contains('*') { text } else { inside.trim() }.to_owned()
}

/// Whether everything that was opened in the text before is closed again.
fn is_open_text(before: &str) -> bool {
    let count = |c: char| before.matches(c).count();
    let is_even = |c: char| count(c).is_multiple_of(2);
    count('(') <= count(')')
        && count('[') <= count(']')
        && is_even('`')
        && is_even('"')
        && before.matches("**").count().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "# Architecture overview\nA bucket a client.\n# Key technical decisions\n- **Token bucket**: bursts are \
                         legal\n- One store\n  because two disagree\n# File structure changes\nsrc/limit.rs is new\n# Potential \
                         risks\nclocks\n# Options considered\n- A proxy — feasible, and one more thing to run\n- Nothing because \
                         nobody complains, not feasible\n- A bucket: chosen, bursts are legal\n";

    #[test]
    fn d6_d37_a_proposal_holds_its_parts_and_each_decision_its_reason() {
        let proposal = Proposal::parse(WHOLE).unwrap();
        let told: Vec<(&str, &str)> =
            proposal.decisions.iter().chain(&proposal.options).map(|one| (&*one.what, &*one.why)).collect();
        assert_eq!(
            told,
            [
                ("Token bucket", "bursts are legal"),
                ("One store", "because two disagree"),
                ("A proxy", "feasible, and one more thing to run"),
                ("Nothing", "nobody complains, not feasible"),
                ("A bucket", "chosen, bursts are legal")
            ]
        );
        assert_eq!(named(WHOLE), ["Token bucket", "One store", "src/limit.rs"]);
    }

    #[test]
    fn d6_what_is_in_parentheses_code_or_emphasis_is_not_cut() {
        for (line, what, why) in [
            ("**Bold: thing**: why", "Bold: thing", "why"),
            ("A bucket (debate 1: Other): r", "A bucket (debate 1: Other)", "r"),
            ("`a: b`: so", "`a: b`", "so"),
            ("Use **kafka**: *fast*", "Use **kafka**", "fast"),
            ("使用缓存：快", "使用缓存", "快"),
            ("`(0, 1]`: all", "`(0, 1]`", "all"),
            ("`tick: bad", "`tick", "bad"),
            ("`[0, 1)`: all", "`[0, 1)`", "all"),
            ("\"quoted: x\": q", "\"quoted: x\"", "q"),
            ("[Link: x](http://y): l", "[Link: x](http://y)", "l"),
            ("***Keep* redis**: m", "***Keep* redis**", "m"),
        ] {
            let found = reasoned(&Entry { first: line.to_owned(), rest: Vec::new(), below: Vec::new() }).unwrap();
            assert_eq!((&*found.what, &*found.why), (what, why));
        }
    }

    #[test]
    fn d37_the_option_that_is_proposed_says_so_in_its_reason_or_else_in_its_name() {
        for (options, expected) in [
            ("- Postgres: chosen\n- Chosen by hand: slow\n", [("Postgres", true), ("Chosen by hand", false)]),
            ("- Chosen bucket: fair\n- Window: edges\n", [("bucket", true), ("Window", false)]),
            ("- Chosen: a bucket\n- Window: edges\n", [("a bucket", true), ("Window", false)]),
        ] {
            let text = WHOLE.split("# Options").next().unwrap().to_owned() + "# Options considered\n" + options;
            let found = Proposal::parse(&text).unwrap().options;
            assert_eq!(found.iter().map(|one| (&*one.what, one.is_chosen())).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn d6_what_is_missing_is_named_all_of_it() {
        let missing =
            Proposal::parse("# Architecture overview\n\n# Key technical decisions\n- One store\n").unwrap_err().items();
        assert_eq!(
            missing,
            [
                "the part “Architecture overview”",
                "the part “File structure changes”",
                "the part “Potential risks”",
                "the rationale of “One store”",
                "the list “Options considered”"
            ]
        );
        assert_eq!(Proposal::parse("").unwrap_err().items().len(), 5);
    }
}
