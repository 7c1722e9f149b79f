//! How much a file has to do with a topic: what its name, its folders and its text say about each word, weighed by how
//! rare the word is here. Pure; what there is to weigh was counted before.

use super::related::{Candidate, Mentions, TellingLine};
use super::words::Terms;

/// How much each word says: the fewer files mention it, the more.
fn rarities(terms: &Terms, candidates: &[Candidate<'_>], read: u32) -> Vec<f64> {
    (0..terms.len())
        .map(|term| {
            let mentioning = candidates.iter().filter(|candidate| candidate.mentions[term].any()).count();
            let mentioning = u32::try_from(mentioning).unwrap_or(u32::MAX);
            (1.0 + f64::from(read.max(1)) / (f64::from(mentioning) + 0.5)).ln()
        })
        .collect()
}

/// What the texts of a search have in common.
pub(super) struct Common {
    /// How much each word says.
    rarity: Vec<f64>,
    /// How long the texts are that say something, on average.
    length: f64,
}

impl Common {
    pub(super) fn of(terms: &Terms, candidates: &[Candidate<'_>], read: u32) -> Self {
        let telling = candidates.iter().filter(|one| one.bytes > 0 && one.mentions.iter().any(|of| of.any()));
        let lengths: Vec<f64> = telling.map(length).collect();
        let number = f64::from(u32::try_from(lengths.len().max(1)).unwrap_or(u32::MAX));
        Self { rarity: rarities(terms, candidates, read), length: (lengths.iter().sum::<f64>() / number).max(1.0) }
    }
}

impl Common {
    /// How much the words of a line say.
    fn said_by(&self, line: &TellingLine) -> f64 {
        (0..self.rarity.len()).filter(|term| line.words & (1 << term) != 0).map(|term| self.rarity[term]).sum()
    }

    /// The line that shows a file: the rarer its words the better, and of like ones the better kind, else the first.
    pub(super) fn best<'c>(&self, candidate: &'c Candidate<'_>) -> Option<&'c TellingLine> {
        let value = |line: &TellingLine| {
            let kind = f64::from(u32::try_from(line.bonus).unwrap_or(u32::MAX)) / 40.0;
            self.said_by(line) * (1.0 + kind)
        };
        candidate
            .lines
            .iter()
            .max_by(|left, right| value(left).total_cmp(&value(right)).then_with(|| right.number.cmp(&left.number)))
    }
}

fn length(candidate: &Candidate<'_>) -> f64 {
    f64::from(u32::try_from(candidate.bytes).unwrap_or(u32::MAX))
}

/// The most that a text can say about a word.
const FULL: f64 = 3.0;
/// What it says that a file is called after a word.
const NAMED: f64 = 3.5;
/// What it says that a folder is.
const HOUSED: f64 = 1.0;
/// What a longer word that begins like it is worth.
const BEGINNING: f64 = 0.2;
/// What it says that words stand together in a line.
const TOGETHER: f64 = 1.5;
/// How often a word is said in a text of usual length until half of everything is said about it.
const SLOPE: f64 = 2.0;

/// What a file's text says about a word: more for each time it is said, and ever less so; the same in a long text says
/// less than in a short one.
fn said(mentions: Mentions, length: f64) -> f64 {
    let times = f64::from(mentions.words) + f64::from(mentions.defined) + BEGINNING * f64::from(mentions.beginnings);
    FULL * times / (times + SLOPE * (0.3 + 0.7 * length))
}

/// How much a file has to do with the topic.
pub(super) fn score(candidate: &Candidate<'_>, common: &Common) -> f64 {
    let rarity = &common.rarity;
    let length = (length(candidate) / common.length).clamp(0.2, 6.0);
    let mut sum = 0.0;
    let mut mentioned = 0.0;
    for (mentions, rarity) in candidate.mentions.iter().zip(rarity) {
        let name = match (mentions.in_name, mentions.in_folder) {
            (true, _) => NAMED,
            (false, true) => HOUSED,
            (false, false) => 0.0,
        };
        if mentions.any() {
            mentioned += rarity;
        }
        sum += rarity * (name + said(*mentions, length));
    }
    // Words that stand together mean more than words that are far apart.
    if let Some(best) = common.best(candidate).filter(|best| best.words.count_ones() > 1) {
        sum += TOGETHER * common.said_by(best);
    }
    // A file with all the words beats one that says a single one often.
    let covered = mentioned / rarity.iter().sum::<f64>();
    sum * (0.3 + covered) * candidate.weight
}
