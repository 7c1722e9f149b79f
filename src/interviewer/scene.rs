//! The scene: everything a template can name – topic, repository, earlier answers – and every condition it can ask for. A
//! template whose placeholders are not known is not used, so that no question claims something that nobody saw.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::facts::{Evidence, Finding};
use crate::domain::ids::QuestionId;
use crate::domain::interview::{Answer, AnswerKind};
use crate::domain::session::Session;
use crate::domain::text::words;

use super::signals::{inferred_intent, signals};

/// Something a placeholder stands for, with where it comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub text: String,
    pub evidence: Vec<Evidence>,
    pub question: Option<QuestionId>,
}

/// A filled template with what it stands on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filled {
    pub text: String,
    pub evidence: Vec<Evidence>,
    pub builds_on: Vec<QuestionId>,
}

/// What is known just now.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    known: BTreeMap<&'static str, Known>,
    flags: BTreeSet<&'static str>,
}

/// Every placeholder that a template may use; dimensions and probes come on top.
#[cfg(test)]
pub(super) const PLACEHOLDERS: &[&str] = &[
    "topic",
    "option_a",
    "option_b",
    "repo",
    "language",
    "build",
    "tests",
    "tests_at",
    "ci",
    "ci_at",
    "readme",
    "readme_at",
    "record",
    "record_at",
    "related",
    "related_path",
    "related_excerpt",
    "recent",
    "decision",
    "rival",
    "vague",
];

impl Scene {
    /// The scene of a session.
    pub fn of(session: &Session) -> Self {
        let intent = inferred_intent(session);
        let mut scene = Self { known: BTreeMap::new(), flags: signals(session) };
        scene.flags.insert(intent.as_str());
        scene.set_topic(session);
        scene.look(session);
        scene.listen(session);
        scene
    }

    /// The scene that knows nothing but the topic, for texts that quote nothing else.
    pub fn bare(session: &Session) -> Self {
        let mut scene = Self { known: BTreeMap::new(), flags: BTreeSet::new() };
        scene.set_topic(session);
        scene
    }

    fn set_topic(&mut self, session: &Session) {
        let topic = session.topic.as_str();
        let subject = match subject(topic) {
            "" => topic,
            subject => subject,
        };
        let text = quoted(subject, 120);
        if let Some((first, second)) = options(subject) {
            self.set("option_a", Known { text: quoted(first, 60), ..Known::default() });
            self.set("option_b", Known { text: quoted(second, 60), ..Known::default() });
        }
        self.set("topic", Known { text, ..Known::default() });
    }

    /// Enters what the repository shows.
    fn look(&mut self, session: &Session) {
        let facts = &session.evidence;
        if !facts.looked {
            return;
        }
        self.flags.insert("looked");
        let plain = |text: &str| Known { text: clipped(text, 100), ..Known::default() };
        if !facts.name.trim().is_empty() {
            self.set("repo", plain(&facts.name));
        }
        if let Some(language) = facts.main_language() {
            self.set("language", Known { evidence: vec![language.example.clone()], ..plain(&language.name) });
        }
        self.set_finding("build", "build", facts.build.first());
        // A new test goes beside tests, not beside the file that configures their runner.
        let beside = facts.tests.iter().find(|finding| is_of_tests(&finding.at.path));
        self.set_finding("tests", "tests_at", beside.or(facts.tests.first()));
        self.set_finding("ci", "ci_at", facts.ci.first());
        self.set_finding("readme", "readme_at", facts.readme.as_ref());
        self.set_finding("record", "record_at", facts.decisions.first());
        // What a change goes into is never a test, however well its name fits.
        let related = || facts.related.iter().filter(|related| !is_of_tests(&related.at.path));
        if let Some(first) = related().next() {
            let best: Vec<&Evidence> = related().take(3).map(|related| &related.at).collect();
            let names: Vec<String> = best.iter().map(|at| format!("`{at}`")).collect();
            let evidence = best.into_iter().cloned().collect();
            self.set("related", Known { text: listed(&names), evidence, question: None });
            let evidence = vec![first.at.clone()];
            let at = Known { text: format!("`{}`", first.at), evidence, question: None };
            if !first.excerpt.trim().is_empty() {
                let excerpt = clipped(&first.excerpt.replace('`', "'"), 80);
                self.set("related_excerpt", Known { text: format!("`{excerpt}`"), ..at.clone() });
            }
            self.set("related_path", at);
        }
        if let Some(subject) = facts.recent.first() {
            self.set("recent", plain(subject));
        }
    }

    fn set_finding(&mut self, what: &'static str, place: &'static str, finding: Option<&Finding>) {
        let Some(finding) = finding else { return };
        let evidence = vec![finding.at.clone()];
        self.set(what, Known { text: clipped(&finding.what, 100), evidence: evidence.clone(), question: None });
        if place != what {
            self.set(place, Known { text: format!("`{}`", finding.at), evidence, question: None });
        }
    }

    /// Enters the newest answer of every dimension, to be quoted.
    fn listen(&mut self, session: &Session) {
        for (asked, answer) in session.transcript.answered() {
            if let Some(dimension) = super::catalogue::catalogue().dimension(asked.question.dimension.as_str())
                && answer.kind != AnswerKind::Unknown
                && asked.question.probe.as_deref().is_none_or(|probe| !super::follow_up::is_follow_up(probe))
            {
                let known =
                    Known { text: gist(answer), evidence: Vec::new(), question: Some(asked.question.id.clone()) };
                if let Some((_, probe)) =
                    asked.question.probe.as_deref().and_then(|id| super::catalogue::catalogue().probe(id))
                {
                    self.set(&probe.id, known.clone());
                }
                self.set(&dimension.id, known);
            }
        }
    }

    /// Enters something that belongs to one question only.
    pub fn with(mut self, name: &'static str, known: Known) -> Self {
        self.set(name, known);
        self
    }

    fn set(&mut self, name: &'static str, known: Known) {
        self.known.insert(name, known);
    }

    /// Whether every condition holds: a placeholder that is known, a signal, an intent, `looked`; `!` negates.
    pub fn holds(&self, conditions: &[String]) -> bool {
        conditions.iter().all(|condition| match condition.strip_prefix('!') {
            Some(absent) => !self.has(absent),
            None => self.has(condition),
        })
    }

    fn has(&self, condition: &str) -> bool {
        self.known.contains_key(condition) || self.flags.contains(condition)
    }

    /// The template with its placeholders filled; `None` when one of them is not known.
    pub fn fill(&self, template: &str) -> Option<Filled> {
        let mut filled = Filled::default();
        let mut rest = template;
        while let Some((before, name, after)) = placeholder(rest) {
            let known = self.known.get(name)?;
            filled.text.push_str(before);
            filled.text.push_str(&known.text);
            filled.evidence.extend(known.evidence.iter().cloned());
            filled.builds_on.extend(known.question.clone());
            rest = after;
        }
        filled.text.push_str(rest);
        filled.text = filled.text.trim().to_owned();
        Some(filled)
    }
}

/// The topic without the words with which people begin a wish, so that it can be quoted inside a sentence.
pub(super) fn subject(topic: &str) -> &str {
    let mut rest = topic.trim();
    while let Some(shorter) = OPENINGS.iter().find_map(|opening| {
        let head = rest.get(..opening.len())?;
        head.eq_ignore_ascii_case(opening).then(|| rest[opening.len()..].trim_start())
    }) {
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest = without_writing(rest);
    rest.trim_end_matches(['.', '!', '?', ' '])
}

/// `write a guide` is a guide: what is written can be read, started and finished, the writing of it can not.
fn without_writing(wish: &str) -> &str {
    let mut words = wish.splitn(3, ' ');
    match (words.next().map(str::to_lowercase).as_deref(), words.next()) {
        (Some("write" | "draft"), Some("a" | "an" | "the" | "our" | "my")) => {
            wish.split_once(' ').map_or(wish, |(_, rest)| rest)
        }
        (Some(_) | None, Some(_) | None) => wish,
    }
}

/// The two things between which a topic chooses, as in `should we use sqlite or postgres for the event store?`. It sees
/// one separator between a few words; of three options it says nothing rather than leave one out.
fn options(subject: &str) -> Option<(&str, &str)> {
    const SEPARATORS: &[&str] = &[" versus ", " vs. ", " vs ", " or "];
    const BEFORE: &[&str] = &[
        "between ",
        "whether ",
        "choose ",
        "pick ",
        "decide ",
        "use ",
        "take ",
        "adopt ",
        "go with ",
        "switch to ",
        ": ",
    ];
    const AFTER: &[&str] = &[" for ", " as ", " in ", " on ", " when ", " because ", ","];
    const MOST_WORDS: usize = 5;
    let mut found = SEPARATORS.iter().filter_map(|separator| subject.split_once(separator));
    let (left, right) = found.next()?;
    let first = BEFORE
        .iter()
        .filter_map(|opening| left.rfind(opening).map(|at| at + opening.len()))
        .max()
        .map_or(left, |start| &left[start..]);
    let end = AFTER.iter().filter_map(|closing| right.find(closing)).min().unwrap_or(right.len());
    let (first, second) = (first.trim(), right[..end].trim());
    let few = |text: &str| (1..=MOST_WORDS).contains(&text.split_whitespace().count());
    let two = !left.contains(',') && SEPARATORS.iter().all(|separator| !right.contains(separator));
    (two && few(first) && few(second)).then_some((first, second))
}

/// How wishes begin.
const OPENINGS: &[&str] = &[
    "i want to ",
    "i would like to ",
    "i'd like to ",
    "i need to ",
    "i have to ",
    "we want to ",
    "we would like to ",
    "we need to ",
    "we have to ",
    "we should ",
    "let us ",
    "let's ",
    "please ",
    "can you ",
    "could you ",
    "help me to ",
    "help me ",
];

/// The first `{placeholder}` of a template with what stands around it.
pub(super) fn placeholder(template: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = template.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// The first sentence of an answer, short enough to be quoted, without its full stop.
pub(super) fn gist(answer: &Answer) -> String {
    let line = answer.text.first_line();
    let sentence = line.split_inclusive(". ").next().unwrap_or(line);
    quoted(sentence.trim().trim_end_matches('.'), 110)
}

/// A text that stands between quotation marks: no marks of its own kind, no control characters, clipped.
fn quoted(text: &str, limit: usize) -> String {
    clipped(&text.replace(['“', '”'], "\""), limit)
}

/// At most `limit` characters, cut at a word where there is one.
pub(super) fn clipped(text: &str, limit: usize) -> String {
    let flat: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let flat = flat.join(" ");
    if flat.chars().count() <= limit {
        return flat;
    }
    let cut: String = flat.chars().take(limit).collect();
    let cut = match cut.rfind(' ') {
        Some(space) if space * 2 > cut.len() => &cut[..space],
        Some(_) | None => cut.as_str(),
    };
    format!("{}…", cut.trim_end_matches([',', ';', ':', '.', ' ']))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Whether a path is one of tests, by its folders and its name.
fn is_of_tests(path: &str) -> bool {
    const WORDS: &[&str] = &["test", "tests", "testing", "spec", "specs", "e2e"];
    // `FooTest.java` and `FooSpec.scala` have no word of their own for it; `latest.rs` must not count.
    path.contains("Test") || path.contains("Spec") || words(path).iter().any(|word| WORDS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_paths() {
        for path in ["tests/api.rs", "app/test_upload.py", "src/FooTest.java", "spec/models/user.rb", "a/b.spec.ts"] {
            assert!(is_of_tests(path), "{path}");
        }
        for path in ["src/latest.rs", "contest.py", "src/inspect.rs", "src/attest/mod.rs"] {
            assert!(!is_of_tests(path), "{path}");
        }
    }

    #[test]
    fn clipping_cuts_at_words() {
        assert_eq!(clipped("a  b\n c", 10), "a b c");
        assert_eq!(clipped("one two three", 9), "one two…");
        assert_eq!(clipped(&"ä".repeat(20), 5), "äääää…");
        assert_eq!(clipped("a\u{1b}[31mb", 20), "a [31mb");
    }

    #[test]
    fn a_wish_is_quoted_by_its_subject() {
        for (topic, expected) in [
            ("I want to make a game engine", "make a game engine"),
            ("please, help", "please, help"),
            ("Let's add rate limiting!", "add rate limiting"),
            ("please help me learn Rust", "learn Rust"),
            ("rate limiting", "rate limiting"),
            ("I want to write a post about ids", "a post about ids"),
            ("write tests", "write tests"),
            ("要件", "要件"),
            ("?", ""),
        ] {
            assert_eq!(subject(topic), expected);
        }
    }

    #[test]
    fn two_options_are_seen_and_three_are_left_alone() {
        for (topic, expected) in [
            ("sqlite or postgres for the event store", Some(("sqlite", "postgres"))),
            ("should we use plain files or a database", Some(("plain files", "a database"))),
            ("decide between REST vs gRPC, soon", Some(("REST", "gRPC"))),
            ("a, b or c", None),
            ("a or b or c", None),
            ("rate limiting", None),
            (" or x", None),
        ] {
            assert_eq!(options(topic), expected, "{topic}");
        }
    }

    #[test]
    fn lists_read_as_prose() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        assert_eq!(listed(&names), "a, b and c");
        assert_eq!(listed(&names[..1]), "a");
    }
}
