//! Random changes to seeds, without a fuzzer: it sees no branch that it has not taken, but it needs nothing either.
//!
//! `GRILL_FUZZ=60 cargo test --test it fuzz::chance -- --ignored --nocapture` gives each target so many seconds;
//! `GRILL_FUZZ_TARGETS=shell,issue` names some of them, and `GRILL_FUZZ_SEED=2` makes other changes than the last time.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{broken, root, seeds};

/// Numbers that look random, the same ones for the same beginning.
struct Dice(u64);

impl Dice {
    /// One below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn piece(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(bytes.len() + 1);
        from..from + self.below((bytes.len() - from).min(32) + 1)
    }
}

/// The words of a target's dictionary.
fn words(target: &str) -> Vec<Vec<u8>> {
    let file = root().join(format!("fuzz/dictionaries/{target}.dict"));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(|line| Some(word(line.strip_prefix('"')?.strip_suffix('"')?))).collect()
}

/// A word as dictionaries write it: `\\`, `\"` and `\xAB`.
fn word(written: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = written.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
                rest = after;
            }
            (b'\\', [escaped, after @ ..]) => {
                bytes.push(*escaped);
                rest = after;
            }
            (plain, after) => {
                bytes.push(*plain);
                rest = after;
            }
        }
    }
    bytes
}

/// The same bytes with a few changes.
fn changed(dice: &mut Dice, seeds: &[(String, Vec<u8>)], words: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = dice.one(seeds).1.clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(7) {
            0 => drop(bytes.drain(dice.piece(&bytes))),
            1 => {
                let piece = bytes[dice.piece(&bytes)].to_vec();
                bytes.splice(at..at, piece);
            }
            2 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            3 => {
                let other = dice.one(seeds).1.clone();
                let piece = dice.piece(&other);
                bytes.splice(at..at, other[piece].iter().copied());
            }
            4 => bytes.insert(at, u8::try_from(dice.below(128)).unwrap()),
            _ if words.is_empty() => {}
            _ => {
                let word = dice.one(words).clone();
                bytes.splice(at..at, word);
            }
        }
    }
    bytes
}

/// What is wrong with a target after so long, and how many inputs it was given.
fn tried(target: &str, body: fn(&[u8]), long: Duration, dice: &mut Dice) -> (Vec<String>, usize) {
    let (seeds, words) = (seeds(target), words(target));
    let (mut complaints, mut count) = (Vec::new(), 0);
    let begun = Instant::now();
    while begun.elapsed() < long && complaints.len() < 8 {
        let bytes = changed(dice, &seeds, &words);
        let started = Instant::now();
        if let Some(why) = broken(body, &bytes) {
            let file = kept(target, complaints.len(), &bytes);
            complaints.push(format!("{target}: {file}: {why}"));
        }
        let took = started.elapsed();
        if took > Duration::from_secs(10) {
            complaints.push(format!("{target}: {} took {took:?}", kept(target, complaints.len(), &bytes)));
        }
        count += 1;
    }
    (complaints, count)
}

fn kept(target: &str, number: usize, bytes: &[u8]) -> String {
    let folder = root().join("fuzz/artifacts").join(target);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("chance-{number}"));
    std::fs::write(&file, bytes).unwrap();
    Path::new(&file).display().to_string()
}

#[test]
#[ignore = "takes as long as it is told"]
fn by_chance() {
    let number = |name: &str, usual| std::env::var(name).ok().and_then(|told| told.parse().ok()).unwrap_or(usual);
    let seconds = number("GRILL_FUZZ", 5);
    let mut dice = Dice(number("GRILL_FUZZ_SEED", 1));
    let wanted = std::env::var("GRILL_FUZZ_TARGETS").unwrap_or_default();
    let mut complaints = Vec::new();
    for (target, body) in super::TARGETS {
        if wanted.is_empty() || wanted.split(',').any(|one| one == *target) {
            let (found, count) = tried(target, *body, Duration::from_secs(seconds), &mut dice);
            eprintln!("{target}: {count} inputs, {} complaints", found.len());
            complaints.extend(found);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn dictionaries_are_read_as_the_fuzzer_reads_them() {
    assert_eq!(word(r#"a\x0a\\\"b"#), b"a\n\\\"b");
    for (target, _) in super::TARGETS {
        assert!(words(target).len() > 5, "{target} has hardly a word");
    }
}
