//! The files that touch a topic. Rare words count more than common ones, names more than contents, source more than
//! documents; vendored, generated and lock files do not count.

use super::blobs::Blobs;
use super::foreign;
use super::lines::Lines;
use super::tree::Tracked;
use super::weight;
use super::words::{Fit, MOST_TERMS, Terms};
use super::{MOST_RELATED, clipped, line_of, whole};
use crate::domain::facts::Related;
use crate::domain::text::Topic;

/// A longer line is data, and no evidence that a person can read.
const LONGEST_LINE: usize = 1_000;

/// A file with less than this part of the best score is left out.
const LEAST_OF_BEST: f64 = 0.2;

/// Lines that begin like this define something.
const DEFINITIONS: &[&str] = &[
    "pub ",
    "fn ",
    "async ",
    "def ",
    "class ",
    "struct ",
    "enum ",
    "trait ",
    "impl",
    "interface ",
    "func ",
    "function ",
    "type ",
    "const ",
    "static ",
    "module ",
    "export ",
    "public ",
    "private ",
    "protected ",
    "object ",
    "# ",
    "## ",
];

/// Lines that begin like this only mention something defined elsewhere.
const IMPORTS: &[&str] =
    &["use ", "pub use ", "import ", "from ", "#include", "# include", "require", "package ", "extern "];

/// Lines with these words are a licence's, at the top of every file; "limited" and "use" there are about nothing.
const BOILERPLATE: &[&str] = &[
    "not limited to",
    "NOT LIMITED TO",
    "without limitation",
    "WARRANT",
    "warrant",
    "LIABILITY",
    "opyright",
    "icensed under",
    "edistribution",
    "ermission is hereby",
    "Permission to use",
];

/// A single word of a longer topic, said in passing less often than this, does not make a file related.
const IN_PASSING: u32 = 3;

/// What a file says about one word.
#[derive(Clone, Copy, Default)]
struct Mentions {
    words: u32,
    beginnings: u32,
    in_name: bool,
    in_folder: bool,
}

impl Mentions {
    fn any(self) -> bool {
        self.words > 0 || self.in_name || self.in_folder
    }
}

/// A file that was looked at.
struct Candidate<'f> {
    file: &'f Tracked,
    weight: f64,
    mentions: Vec<Mentions>,
    best: Option<BestLine>,
}

struct BestLine {
    number: usize,
    score: usize,
    text: String,
    /// A bit for each word that it has.
    words: u16,
}

/// Finds them, the best first.
pub(super) fn find(files: &[Tracked], blobs: &Blobs<'_>, topic: &Topic) -> Vec<Related> {
    let terms = Terms::of(topic);
    if terms.len() == 0 {
        return Vec::new();
    }
    let mut candidates: Vec<Candidate<'_>> = files
        .iter()
        .filter(|file| !foreign::is_foreign(&file.path))
        .map(|file| Candidate { file, weight: weight::of(file), mentions: in_path(&terms, file), best: None })
        .collect();
    // When a limit ends the reading, what its name and kind speak for has been read.
    candidates.sort_by(|left, right| {
        let rank = |candidate: &Candidate<'_>| named(candidate) * 10.0 + candidate.weight;
        rank(right).total_cmp(&rank(left)).then_with(|| left.file.path.cmp(&right.file.path))
    });
    let Some(mut lines) = Lines::with(&terms) else {
        return Vec::new();
    };
    let mut read = 0_u32;
    for candidate in &mut candidates {
        let done = blobs.read(candidate.file, |bytes| {
            if weight::is_made(bytes) {
                candidate.weight *= weight::MADE;
            }
            lines.each(bytes, |number, line| examine(&terms, number, line, candidate));
        });
        read += u32::from(done.is_some());
    }
    let rarity = rarities(&terms, &candidates, read);
    best_of(&terms, &candidates, &rarity)
}

fn in_path(terms: &Terms, file: &Tracked) -> Vec<Mentions> {
    let mut mentions = vec![Mentions::default(); terms.len()];
    terms.scan(file.name().as_bytes(), |term, fit| {
        mentions[term].in_name |= fit == Fit::Word;
    });
    terms.scan(file.folder().as_bytes(), |term, fit| {
        mentions[term].in_folder |= fit == Fit::Word;
    });
    mentions
}

fn named(candidate: &Candidate<'_>) -> f64 {
    candidate
        .mentions
        .iter()
        .map(|mentions| match (mentions.in_name, mentions.in_folder) {
            (true, _) => 1.0,
            (false, true) => 0.4,
            (false, false) => 0.0,
        })
        .sum()
}

/// Counts the words in a line, and keeps the line of the file that shows most of them.
fn examine(terms: &Terms, number: usize, line: &[u8], candidate: &mut Candidate<'_>) {
    if line.len() > LONGEST_LINE {
        return;
    }
    let mut words = [0_u32; MOST_TERMS];
    let mut beginnings = [0_u32; MOST_TERMS];
    terms.scan(line, |term, fit| match fit {
        Fit::Beginning => beginnings[term] += 1,
        Fit::Word => words[term] += 1,
    });
    let line = String::from_utf8_lossy(line);
    let silent = words.iter().chain(&beginnings).all(|count| *count == 0);
    if silent || is_boilerplate(&line) {
        return;
    }
    let mut seen = 0_u16;
    let mut score = 0;
    for (term, mentions) in candidate.mentions.iter_mut().enumerate() {
        mentions.words += words[term];
        mentions.beginnings += beginnings[term];
        if words[term] > 0 {
            seen |= 1 << term;
            // How rare the word is becomes known at the end; until then longer ones are taken for rarer.
            score += 20 + terms.word(term).len();
        }
    }
    if seen == 0 {
        return;
    }
    let score = score + bonus(line.trim_start());
    if candidate.best.as_ref().is_none_or(|best| score > best.score) {
        candidate.best = Some(BestLine { number, score, text: clipped(&line), words: seen });
    }
}

fn is_boilerplate(line: &str) -> bool {
    BOILERPLATE.iter().any(|words| line.contains(words))
}

fn bonus(line: &str) -> usize {
    let begins = |with: &[&str]| with.iter().any(|start| line.starts_with(start));
    if begins(IMPORTS) {
        0
    } else if begins(DEFINITIONS) {
        12
    } else {
        4
    }
}

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

fn score(candidate: &Candidate<'_>, rarity: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut mentioned = 0.0;
    for (mentions, rarity) in candidate.mentions.iter().zip(rarity) {
        let name = match (mentions.in_name, mentions.in_folder) {
            (true, _) => 3.0,
            (false, true) => 1.0,
            (false, false) => 0.0,
        };
        let contents = match (mentions.words, mentions.beginnings) {
            (0, 0) => 0.0,
            (0, _) => 0.3,
            (words, _) => (1.0 + f64::from(words).ln()).min(3.0),
        };
        if mentions.any() {
            mentioned += rarity;
        }
        sum += rarity * (name + contents);
    }
    // Words that stand together mean more than words that are far apart.
    let together = candidate.best.as_ref().map_or(0, |best| best.words);
    if together.count_ones() > 1 {
        sum += (0..rarity.len()).filter(|term| together & (1 << term) != 0).map(|term| 1.5 * rarity[term]).sum::<f64>();
    }
    // A file with all the words beats one that says a single one often.
    let covered = mentioned / rarity.iter().sum::<f64>();
    sum * (0.2 + covered) * candidate.weight
}

/// Whether there is more than a word in passing.
fn is_related(candidate: &Candidate<'_>) -> bool {
    let mentions = &candidate.mentions;
    let named = mentions.iter().any(|of| of.in_name || of.in_folder);
    let together = candidate.best.as_ref().map_or(0, |best| best.words.count_ones());
    let often = mentions.iter().any(|of| of.words >= IN_PASSING);
    named || together > 1 || often || (mentions.len() == 1 && together == 1)
}

fn best_of(terms: &Terms, candidates: &[Candidate<'_>], rarity: &[f64]) -> Vec<Related> {
    let mut scored: Vec<(f64, &Candidate<'_>)> = candidates
        .iter()
        .filter(|candidate| is_related(candidate))
        .map(|candidate| (score(candidate, rarity), candidate))
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.file.path.cmp(&right.1.file.path)));
    let least = scored.first().map_or(0.0, |(best, _)| best * LEAST_OF_BEST);
    scored
        .into_iter()
        .take_while(|(score, _)| *score >= least)
        .take(MOST_RELATED)
        .map(|(_, candidate)| related(terms, candidate))
        .collect()
}

fn related(terms: &Terms, candidate: &Candidate<'_>) -> Related {
    let matches = (0..terms.len())
        .filter(|term| candidate.mentions[*term].any())
        .map(|term| terms.word(term).to_owned())
        .collect();
    match &candidate.best {
        Some(best) => Related { at: line_of(candidate.file, best.number), excerpt: best.text.clone(), matches },
        None => Related { at: whole(candidate.file), excerpt: String::new(), matches },
    }
}
