//! Words of one's own and notes on choices as one text, as which they are kept (Q15): who reads it sees to which choice a
//! note belongs, and a list that begins with it takes it apart again.

use super::Choice;

/// What a note begins with: the number and the name of its choice.
fn lead(at: usize, choice: &Choice) -> String {
    format!("note on {}. {}: ", at + 1, choice.label.lines().next().unwrap_or_default())
}

/// The words, then the notes that say something; `notes` has one for each choice.
pub fn joined<'n>(words: &str, choices: &[Choice], notes: impl IntoIterator<Item = &'n str>) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !words.trim().is_empty() {
        parts.push(words.to_owned());
    }
    for (at, (choice, note)) in choices.iter().zip(notes).enumerate() {
        if !note.trim().is_empty() {
            parts.push(format!("{}{note}", lead(at, choice)));
        }
    }
    parts.join("\n")
}

/// The words in such a text, and the note on each choice. A text without a note is words alone.
pub fn apart(text: &str, choices: &[Choice]) -> (String, Vec<String>) {
    let leads: Vec<String> = choices.iter().enumerate().map(|(at, choice)| lead(at, choice)).collect();
    let mut words: Vec<&str> = Vec::new();
    let mut notes: Vec<Vec<&str>> = vec![Vec::new(); choices.len()];
    let mut within: Option<usize> = None;
    for line in text.split('\n') {
        // Each choice has one note, in their order.
        let mut further = leads.iter().enumerate().skip(within.map_or(0, |at| at + 1));
        let begun = further.find_map(|(at, lead)| Some((at, line.strip_prefix(lead.as_str())?)));
        if let Some((at, note)) = begun {
            within = Some(at);
            notes[at].push(note);
        } else if let Some(at) = within {
            notes[at].push(line);
        } else {
            words.push(line);
        }
    }
    (words.join("\n"), notes.into_iter().map(|lines| lines.join("\n")).collect())
}

/// The number of the first choice that a text has a note on.
pub fn first(text: &str, choices: &[Choice]) -> Option<usize> {
    apart(text, choices).1.iter().position(|note| !note.is_empty()).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q15_words_and_notes_come_apart_as_they_were() {
        let choices = [Choice::of("r", "Redis", ""), Choice::of("s", "sqlite", "")];
        for (words, notes, kept) in [
            ("", ["", ""], ""),
            ("half\na thought\n", ["", ""], "half\na thought\n"),
            ("", ["", "only if cheap"], "note on 2. sqlite: only if cheap"),
            ("mine", ["a\nb", "c"], "mine\nnote on 1. Redis: a\nb\nnote on 2. sqlite: c"),
        ] {
            assert_eq!(joined(words, &choices, notes), kept);
            assert_eq!(apart(kept, &choices), (words.to_owned(), notes.map(str::to_owned).to_vec()), "{kept:?}");
        }
        let elsewhere = "note on 2. Redis: only if cheap";
        assert_eq!(apart(elsewhere, &choices).0, elsewhere, "another choice has that number by now");
        assert_eq!((first(elsewhere, &choices), first("note on 2. sqlite: x", &choices)), (None, Some(2)));
    }
}
