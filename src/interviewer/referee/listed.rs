//! Entries of the checkpoint: open questions that it lists itself, and decisions that nothing carries.

use std::collections::BTreeSet;

use crate::domain::checkpoint::Checkpoint;
use crate::domain::concern::{Concern, ConcernKind};
use crate::domain::fnv::fnv1a;
use crate::domain::outline::{Outline, Section};
use crate::domain::prose_places::places;
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;
use crate::domain::text::words;

use super::super::reading::{contents, shared};
use super::super::scene::quoted;
use super::super::support::{Part, says_none, unsupported};
use super::concern;

/// The most entries of one kind.
const MOST: usize = 20;

/// The longest quotation of an entry.
const QUOTED: usize = 140;

/// What still stands under headings of open questions, in the checkpoint that an agent writes. The built-in interviewer
/// enters and removes its own.
pub(super) fn open(session: &Session) -> Vec<Concern> {
    if session.settings.interviewer == Interviewer::BuiltIn {
        return Vec::new();
    }
    let entries = entries(session.checkpoint.as_str());
    let found = entries.iter().take(MOST).enumerate().map(|(index, entry)| {
        let says = format!("the checkpoint lists an open question: “{}”", quoted(entry, QUOTED));
        concern(ConcernKind::Open, &(index + 1).to_string(), &key(entry), &says)
    });
    found.collect()
}

/// Decisions in the checkpoint that neither an answer nor a finding carries.
pub(super) fn unsaid(session: &Session) -> Vec<Concern> {
    if session.settings.interviewer == Interviewer::BuiltIn {
        return Vec::new();
    }
    let sentences = unsupported(session, Part::Decisions);
    let found = sentences.iter().filter(|sentence| decides(sentence.as_str())).take(MOST).enumerate().map(
        |(index, sentence)| {
            let says = format!(
                "the checkpoint lists a decision that no answer and no finding carries: “{}”",
                quoted(sentence.as_str(), QUOTED)
            );
            concern(ConcernKind::Unsaid, &(index + 1).to_string(), &key(sentence.as_str()), &says)
        },
    );
    found.collect()
}

/// Entries of the open questions of an earlier checkpoint that the session's no longer has, and that no question, answer or
/// discussion spoke of.
pub fn taken_off(before: &Checkpoint, session: &Session) -> Vec<String> {
    /// Hundredths of an entry's words in a question that asked it.
    const SPOKEN: usize = 34;
    if session.settings.interviewer == Interviewer::BuiltIn {
        return Vec::new();
    }
    let now: BTreeSet<String> = entries(session.checkpoint.as_str()).iter().map(|entry| key(entry)).collect();
    let topic = contents(session.topic.as_str());
    let beside = |text: &str| -> BTreeSet<String> { contents(text).difference(&topic).cloned().collect() };
    let asked = session.transcript.asked.iter().flat_map(|asked| {
        let answers = asked.answers.iter().map(|answer| answer.text.as_str());
        answers.chain([asked.question.text.as_str()])
    });
    let talks = session.discussions.iter().map(|talk| talk.summary.as_str());
    let spoken: Vec<BTreeSet<String>> = asked.chain(talks).map(beside).collect();
    let unasked = |entry: &String| {
        let wanted = beside(entry);
        // What has no words beside the topic, or stands in another section now, was not lost.
        !wanted.is_empty()
            && shared(&wanted, &contents(session.checkpoint.as_str())) < 100
            && spoken.iter().all(|said| shared(&wanted, said) < SPOKEN)
    };
    entries(before.as_str())
        .into_iter()
        .filter(|entry| !now.contains(&key(entry)))
        .filter(unasked)
        .take(MOST)
        .map(|entry| format!("“{}” is off the open questions, and nobody was asked", quoted(&entry, QUOTED)))
        .collect()
}

/// Whether a sentence has enough words apart from the places that it cites to be a decision.
fn decides(sentence: &str) -> bool {
    const FEWEST: usize = 2;
    let said: Vec<&str> = sentence.split_whitespace().filter(|word| places(word).is_empty()).collect();
    contents(&said.join(" ")).len() >= FEWEST
}

/// A key by the words of an entry, so that a new place in the list makes no new concern of it.
fn key(entry: &str) -> String {
    format!("{:016x}", fnv1a(words(entry).join(" ").bytes()))
}

/// The entries below headings of open questions, sections inside of them included.
fn entries(markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside: Option<usize> = None;
    for section in &Outline::parse(markdown).sections {
        if inside.is_none_or(|level| section.level() <= level) {
            inside = is_of_open_questions(section).then(|| section.level());
        }
        if inside.is_some() {
            found.extend(section.body.iter().filter_map(|line| entry(line)));
        }
    }
    found
}

fn is_of_open_questions(section: &Section) -> bool {
    let title = words(section.title());
    let has = |one: &str| title.iter().any(|word| word == one);
    (has("open") || has("unanswered") || has("unresolved") || has("outstanding"))
        && (has("questions") || has("question") || has("issues") || has("points") || title.len() == 1)
}

/// A line of a list that asks something, or a line that ends in a question mark. What is ticked off or struck out asks
/// nothing, and neither does a line that says that there is none; a line further in belongs to the one above.
fn entry(line: &str) -> Option<String> {
    let bare = line.trim_start();
    let (indent, text) = (line.len() - bare.len(), bare.trim_end());
    let item = ["- ", "* ", "+ "].iter().find_map(|mark| text.strip_prefix(mark)).or_else(|| numbered(text));
    let text = item.map(str::trim_start).or_else(|| Some(text).filter(|text| text.ends_with('?')))?;
    let text = text.strip_prefix("[ ]").unwrap_or(text).trim();
    let done = ["[x]", "[X]", "~~", "✓", "✔"].iter().any(|mark| text.starts_with(mark));
    (indent < 2 && !done && !says_none(text)).then(|| text.to_owned())
}

/// What stands behind `1. ` or `1) `.
fn numbered(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|one: char| one.is_ascii_digit());
    (rest.len() < text.len()).then_some(())?;
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g57_open_questions_of_a_checkpoint_are_its_entries() {
        for (markdown, expected) in [
            (
                "## Open Questions\n\n- Who pays?\n* which feeds\n1. until when\n2) and who\n",
                &["Who pays?", "which feeds", "until when", "and who"][..],
            ),
            ("# T\n\n### Open questions (2)\n- [ ] Who pays?\n- [x] Where?\n- ~~When?~~\n", &["Who pays?"]),
            ("## Unresolved issues\n\nIs 30 s enough?\nSaid on Monday.\n", &["Is 30 s enough?"]),
            (
                "## Open\n\n### Storage\n- one file or two\n  - what of locks\n\n## Risks\n- none of ours\n",
                &["one file or two"],
            ),
            ("## Open Questions\n\n- None\n- nothing left for now.\n- n/a\n- All of them are answered.\n-\n", &[]),
            ("## Open Questions\n\n```\n# - no\n```\n", &[]),
            ("## Questions and answers\n- Who pays?\n", &[]),
            ("## Open source\n- MIT\n", &[]),
            ("", &[]),
        ] {
            assert_eq!(entries(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn g57_a_sentence_that_only_cites_decides_nothing() {
        for (sentence, expected) in [
            ("See `src/poll.rs:9` and src/limit.rs.", false),
            ("Yes.", false),
            ("", false),
            ("Retries stop after `src/poll.rs:9`.", true),
            ("We deploy on kubernetes.", true),
        ] {
            assert_eq!(decides(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn g57_the_key_of_an_entry_is_its_words() {
        assert_eq!(key("Who pays for it?"), key("who pays, for it"));
        assert_ne!(key("Who pays for it?"), key("Who pays for them?"));
    }
}
