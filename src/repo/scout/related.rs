//! The files that touch a topic. Rare words count more than common ones, names more than contents, source more than
//! documents; vendored, generated and lock files do not count.

use super::blobs::Blobs;
use super::foreign;
use super::lines::Lines;
use super::score::{Common, score};
use super::tree::Tracked;
use super::weight;
use super::words::{Fit, MOST_TERMS, Terms};
use super::{MOST_RELATED, clipped, line_of, whole};
use crate::domain::facts::Related;
use crate::domain::text::Topic;

/// A longer line is data, and no evidence that a person can read.
const LONGEST_LINE: usize = 1_000;

/// A file with less than this part of the best score is left out.
const LEAST_OF_BEST: f64 = 0.12;

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

/// Lines that begin like this explain what follows or what they stand in.
const DOCUMENTING: &[&str] = &["//!", "///", "/**", "\"\"\"", "'''"];

/// Lines that begin like this only mark what follows.
const MARKS: &[&str] = &["#[", "@", "#!", "#if", "#endif", "#pragma"];

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

/// So many sets of words that stand in one line are told apart in a file.
const MOST_LINES: usize = 24;

/// A single word of a longer topic, said in passing less often than this, does not make a file related.
const IN_PASSING: u32 = 3;

/// What a file says about one word.
#[derive(Clone, Copy, Default)]
pub(super) struct Mentions {
    pub(super) words: u32,
    pub(super) beginnings: u32,
    /// Of the words, those in lines that define something.
    pub(super) defined: u32,
    pub(super) in_name: bool,
    pub(super) in_folder: bool,
}

impl Mentions {
    pub(super) fn any(self) -> bool {
        self.words > 0 || self.in_name || self.in_folder
    }
}

/// A file that was looked at.
pub(super) struct Candidate<'f> {
    pub(super) file: &'f Tracked,
    pub(super) weight: f64,
    pub(super) mentions: Vec<Mentions>,
    /// How much text it has; 0 while it is unread.
    pub(super) bytes: usize,
    /// For each set of words that stand in one line, the line that shows them best.
    pub(super) lines: Vec<TellingLine>,
}

pub(super) struct TellingLine {
    pub(super) number: usize,
    pub(super) bonus: usize,
    pub(super) text: String,
    /// A bit for each word that it has.
    pub(super) words: u16,
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
        .map(|file| Candidate {
            file,
            weight: weight::of(file),
            mentions: in_path(&terms, file),
            bytes: 0,
            lines: Vec::new(),
        })
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
            candidate.bytes = bytes.len();
            if weight::is_made(bytes) {
                candidate.weight *= weight::MADE;
            }
            lines.each(bytes, |number, line| examine(&terms, number, line, candidate));
        });
        read += u32::from(done.is_some());
    }
    best_of(&terms, &candidates, &Common::of(&terms, &candidates, read))
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

/// Counts the words in a line, and keeps it when it shows them best.
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
    let defines = begins_with(DEFINITIONS, line.trim_start());
    let mut seen = 0_u16;
    for (term, mentions) in candidate.mentions.iter_mut().enumerate() {
        mentions.words += words[term];
        mentions.beginnings += beginnings[term];
        if words[term] > 0 {
            seen |= 1 << term;
            mentions.defined += u32::from(defines);
        }
    }
    if seen == 0 {
        return;
    }
    let bonus = bonus(line.trim_start());
    let known = candidate.lines.iter().position(|known| known.words == seen);
    let line = || TellingLine { number, bonus, text: clipped(&line), words: seen };
    match known {
        Some(known) if candidate.lines[known].bonus >= bonus => {}
        Some(known) => candidate.lines[known] = line(),
        None if candidate.lines.len() < MOST_LINES => candidate.lines.push(line()),
        None => {}
    }
}

fn is_boilerplate(line: &str) -> bool {
    BOILERPLATE.iter().any(|words| line.contains(words))
}

fn begins_with(starts: &[&str], line: &str) -> bool {
    starts.iter().any(|start| line.starts_with(start))
}

/// What kind of line shows a file best: one that defines, then one that documents, and last one that only mentions.
fn bonus(line: &str) -> usize {
    if begins_with(IMPORTS, line) || begins_with(MARKS, line) {
        0
    } else if begins_with(DEFINITIONS, line) {
        14
    } else if begins_with(DOCUMENTING, line) {
        8
    } else {
        4
    }
}

/// Whether there is more than a word in passing.
fn is_related(candidate: &Candidate<'_>) -> bool {
    let mentions = &candidate.mentions;
    let named = mentions.iter().any(|of| of.in_name || of.in_folder);
    let together = candidate.lines.iter().map(|line| line.words.count_ones()).max().unwrap_or(0);
    let often = mentions.iter().any(|of| of.words >= IN_PASSING);
    named || together > 1 || often || (mentions.len() == 1 && together == 1)
}

fn best_of(terms: &Terms, candidates: &[Candidate<'_>], common: &Common) -> Vec<Related> {
    let mut scored: Vec<(f64, &Candidate<'_>)> = candidates
        .iter()
        .filter(|candidate| is_related(candidate))
        .map(|candidate| (score(candidate, common), candidate))
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.file.path.cmp(&right.1.file.path)));
    let least = scored.first().map_or(0.0, |(best, _)| best * LEAST_OF_BEST);
    scored
        .into_iter()
        .take_while(|(score, _)| *score >= least)
        .take(MOST_RELATED)
        .map(|(_, candidate)| related(terms, candidate, common.best(candidate)))
        .collect()
}

fn related(terms: &Terms, candidate: &Candidate<'_>, best: Option<&TellingLine>) -> Related {
    let matches = (0..terms.len())
        .filter(|term| candidate.mentions[*term].any())
        .map(|term| terms.word(term).to_owned())
        .collect();
    match best {
        Some(best) => Related { at: line_of(candidate.file, best.number), excerpt: best.text.clone(), matches },
        None => Related { at: whole(candidate.file), excerpt: String::new(), matches },
    }
}
