//! The letters that a reader takes a text for, whatever characters it is written with. For rules that look for words in
//! foreign text: nothing of it is shown.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::{acts_on_a_terminal, is_invisible};

/// Letters of other scripts that look like Latin ones, by the letter that they look like. Unicode's compatibility forms
/// (wide, mathematical, circled ones) and accents need no row.
const LOOK_ALIKES: &[(char, &str)] = &[
    ('A', "АΑ"),
    ('B', "ВΒ"),
    ('C', "С"),
    ('D', "Ꭰ"),
    ('E', "ЕΕ"),
    ('H', "НΗ"),
    ('I', "ІΙӀ"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('N', "Ν"),
    ('O', "ОΟՕ"),
    ('P', "РΡ"),
    ('R', "Ꭱ"),
    ('S', "ЅՏ"),
    ('T', "ТΤ"),
    ('V', "Ѵ"),
    ('W', "Ԝ"),
    ('Y', "ҮΥ"),
    ('a', "аɑα"),
    ('c', "с"),
    ('d', "ԁ"),
    ('e', "еҽ"),
    ('h', "һհ"),
    ('i', "іɩıι"),
    ('k', "кκ"),
    ('l', "ӏł"),
    ('n', "ոη"),
    ('o', "оοօø"),
    ('p', "рρ"),
    ('r', "гᴦ"),
    ('s', "ѕꜱ"),
    ('t', "тτ"),
    ('u', "υս"),
    ('v', "νѵᴠ"),
    ('w', "ԝѡᴡ"),
    ('y', "уүγ"),
];

/// `text` in plain letters, with `unseen` for each character that nobody sees: it may part a word, or stand for a blank
/// between two.
pub fn as_read(text: &str, unseen: &str) -> String {
    let mut read = String::with_capacity(text.len());
    for character in text.nfkd() {
        if is_invisible(character) || acts_on_a_terminal(character) {
            read.push_str(unseen);
        } else if !is_combining_mark(character) {
            read.push(plain(character));
        }
    }
    read
}

fn plain(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    LOOK_ALIKES.iter().find(|(_, alike)| alike.contains(character)).map_or(character, |(letter, _)| *letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a18_a_word_is_read_whatever_it_is_written_with() {
        for written in [
            "password",
            "pass\u{200b}word",
            "p\u{ad}ass\u{2060}w\u{feff}ord",
            "pass\u{200d}wo\u{fe0f}rd\u{e0041}",
            "pass\u{1b}word",
            "ｐａｓｓｗｏｒｄ",
            "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝",
            "ⓟⓐⓢⓢⓦⓞⓡⓓ",
            "pässwörd",
            "pa\u{301}ssword",
            "раѕѕԝоrԁ",
            "ραssᴡοгd",
        ] {
            assert_eq!(as_read(written, ""), "password", "{written:?}");
        }
        assert_eq!(as_read("my\u{200b}pin", " "), "my pin");
        assert_eq!(as_read("РІN", ""), "PIN");
        assert_eq!(as_read("two\nlines, 日本", ""), "two\nlines, 日本");
    }

    #[test]
    fn no_letter_looks_like_two() {
        let mut all: Vec<char> = LOOK_ALIKES.iter().flat_map(|(_, alike)| alike.chars()).collect();
        assert!(all.iter().all(|one| !one.is_ascii()));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
