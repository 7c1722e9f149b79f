//! Text behind an option of a verb that is typed into the conversation. Such a line is no shell's: words without quotation
//! marks are the whole text, an apostrophe among them (G11).

/// The options that take text: the verb, how it is typed, and its long name.
const TEXTS: [(&str, &str, &str); 12] = [
    ("agent", "--message", "--message"),
    ("agent", "-m", "--message"),
    ("answer", "--note", "--note"),
    ("approve", "--message", "--message"),
    ("approve", "-m", "--message"),
    ("debate", "--note", "--note"),
    ("discuss", "--done", "--done"),
    ("plan", "--note", "--note"),
    ("produce", "--message", "--message"),
    ("produce", "-m", "--message"),
    ("skip", "--because", "--because"),
    ("unknown", "--note", "--note"),
];

/// The words of a line whose last option for text has several words behind it and no quotation marks around them. None for
/// every other line, and where another option follows: then it is not sure where the text ends.
pub(super) fn words(line: &str) -> Option<Vec<String>> {
    let (before, option, text) = last_option(line)?;
    let text = text.trim();
    let is_one_word = shell_words::split(text).is_ok_and(|words| words.len() < 2);
    let goes_on = text.split_whitespace().any(|word| word.len() > 2 && word.starts_with("--"));
    if is_one_word || goes_on || text.starts_with(['\'', '"']) {
        return None;
    }
    let mut words = shell_words::split(before).ok()?;
    words.push(format!("{option}={}", text.replace("\\'", "'")));
    Some(words)
}

/// The last option for text that stands outside of quotation marks: the line before it, its long name, and the line behind
/// it.
fn last_option(line: &str) -> Option<(&str, &'static str, &str)> {
    let verb = line.split_whitespace().next()?;
    let options: Vec<_> = TEXTS.iter().filter(|(of, ..)| *of == verb).collect();
    let mut found = None;
    let (mut quoted, mut escaped, mut begins) = (None, false, true);
    for (at, character) in line.char_indices() {
        if begins {
            let here = options.iter().find_map(|(_, typed, long)| {
                let behind = line[at..].strip_prefix(*typed)?;
                let text = behind.strip_prefix('=').or_else(|| behind.strip_prefix(char::is_whitespace))?;
                Some((&line[..at], *long, text))
            });
            found = here.or(found);
        }
        if quoted == Some(character) && !escaped {
            quoted = None;
        } else if quoted.is_none() && !escaped && matches!(character, '\'' | '"') {
            quoted = Some(character);
        }
        escaped = character == '\\' && !escaped && quoted != Some('\'');
        begins = quoted.is_none() && character.is_whitespace();
    }
    found
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, CommandFactory as _};

    use super::super::super::args::Cli;
    use super::*;

    #[test]
    fn g11_words_behind_an_option_for_text_need_no_quotation_marks() {
        for (line, expected) in [
            ("skip --because it is not ours", "skip|--because=it is not ours"),
            ("skip --because it's not ours", "skip|--because=it's not ours"),
            ("skip --because don't", "skip|--because=don't"),
            ("skip --because don\\'t ask", "skip|--because=don't ask"),
            ("skip --because=-1 is no count -- really", "skip|--because=-1 is no count -- really"),
            ("skip --question q-1 --because it is ours", "skip|--question|q-1|--because=it is ours"),
            ("answer -c 2 --note so that it lasts", "answer|-c|2|--note=so that it lasts"),
            ("answer yes --note if it lasts", "answer|yes|--note=if it lasts"),
            ("answer 'a --note b' --note c d", "answer|a --note b|--note=c d"),
            ("discuss --done it's the gateway", "discuss|--done=it's the gateway"),
            ("plan review --note 2: say how", "plan|review|--note=2: say how"),
            ("plan review --note '1: no' --note 2: say how", "plan|review|--note|1: no|--note=2: say how"),
            ("produce --commit -m docs: how it is", "produce|--commit|--message=docs: how it is"),
        ] {
            assert_eq!(words(line).map(|words| words.join("|")).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn g11_every_other_line_is_read_as_it_was() {
        for line in [
            "skip",
            "skip --because no",
            "skip --because",
            "skip --because 'it is not ours'",
            "skip --because \"it is\" not ours",
            "skip --because it is not ours --question q-1",
            "plan review --note 1: don't --note 2: do",
            "status --note a b",
            "answer it has a --notebook inside",
            "answer \"it has --note in it\"",
            "intake new --note a b",
        ] {
            assert_eq!(words(line), None, "{line}");
        }
    }

    #[test]
    fn g11_the_options_for_text_are_those_of_the_grammar() {
        fn texts(verb: &str, command: &Command, found: &mut Vec<(String, String)>) {
            for option in command.get_arguments().filter_map(Arg::get_long) {
                if ["because", "done", "message", "note"].contains(&option) {
                    found.push((verb.to_owned(), format!("--{option}")));
                }
            }
            for one in command.get_subcommands() {
                texts(verb, one, found);
            }
        }
        let mut found = Vec::new();
        for verb in Cli::command().get_subcommands() {
            texts(verb.get_name(), verb, &mut found);
        }
        let listed = TEXTS.iter().filter(|(_, typed, long)| typed == long);
        let mut listed: Vec<_> = listed.map(|(verb, _, long)| ((*verb).to_owned(), (*long).to_owned())).collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed);
    }
}
