//! A short answer, read with its question: `6 hours` says how long something is kept, and `Postgres` which database is used,
//! only together with what was asked.

use std::collections::BTreeSet;

use super::content::{contents, holds, stem};
use super::contradiction::{MEASURING, WHICH};
use super::denial::{DENYING, LIMITING};
use super::quantity::is_time;
use super::tokens::tokens;

/// The most content words of an answer that needs its question to be understood.
const SHORT: usize = 4;

/// Words of a question that only say what kind of answer it wants.
const WANTING: &[&str] =
    &["big", "default", "fast", "high", "large", "long", "low", "many", "much", "often", "quick", "right", "soon"];

/// Words of a question whose answer is what is *not* used.
const LEAVING_OUT: &[&str] = &["against", "exclude", "forbid", "leave", "out", "refuse", "reject", "rid", "stop"];

/// What a question adds to its answer.
#[derive(Debug, Default)]
pub(super) struct Asks {
    /// What it speaks of.
    pub contents: BTreeSet<String>,
    /// Which of several it means.
    pub which: BTreeSet<String>,
    /// Whether a thing that the answer merely names is used.
    pub uses: bool,
}

impl Asks {
    /// What `question` adds to `answer`; nothing where the answer can be read alone.
    pub fn of(question: &str, answer: &str) -> Self {
        if contents(answer).len() > SHORT {
            return Self::default();
        }
        let asked = tokens(last_sentence(question));
        let has = |list: &[&str]| asked.iter().any(|token| list.contains(&token.lower.as_str()));
        let uses = !has(DENYING) && !has(LIMITING) && !has(LEAVING_OUT);
        let which = |word: &str| WHICH.contains(&word);
        let wants = |word: &str| WANTING.contains(&word) || MEASURING.contains(&stem(word).as_str());
        let speaks = |word: &str| !holds(word) && !is_time(word) && !which(word) && !wants(word);
        let words = || asked.iter().map(|token| token.lower.as_str());
        Self {
            contents: words().filter(|word| speaks(word)).map(stem).collect(),
            which: words().filter(|word| which(word)).map(str::to_owned).collect(),
            uses,
        }
    }
}

/// The last sentence of a question, without its mark; empty where nothing is asked.
pub(in super::super) fn last_sentence(text: &str) -> &str {
    let asks = text.rsplit_once('?').map_or("", |(before, _)| before);
    asks.rsplit(['.', '!', '?', '\n']).next().unwrap_or(asks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_adds_what_it_speaks_of_to_a_short_answer() {
        let asks = Asks::of("The cache is small. How long are expired links kept at first?", "6 hours");
        assert_eq!(asks.contents.iter().map(String::as_str).collect::<Vec<_>>(), ["expir", "link"]);
        assert!(asks.which.contains("first"));
        assert!(Asks::of("Which database keeps it?", "Postgres").uses);
        for question in ["Which database must it not use?", "What do we leave out?", "What is used today?"] {
            assert!(!Asks::of(question, "Postgres").uses, "{question}");
        }
        let long =
            Asks::of("Which database keeps it?", "Postgres, since each region keeps a replica beside nightly backups");
        assert!(long.contents.is_empty() && !long.uses);
    }
}
