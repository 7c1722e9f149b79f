//! Commands in a sentence: where one begins and ends, so that no row break tears it. Half a command that is pasted does
//! something else.

use std::borrow::Cow;

/// Signs that end a clause, and with it a command.
const ENDS: [char; 8] = [',', ';', ':', '.', ')', '”', '’', '`'];
/// Signs that may stand before a command.
const BEFORE: [char; 4] = ['(', '“', '‘', '`'];

/// The words of a text in groups, by their number: a command is one group, every other word is a group of its own.
pub fn groups(words: &[String]) -> Vec<usize> {
    let mut groups = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let taken = command(&words[at..]);
        groups.push(taken);
        at += taken;
    }
    groups
}

/// How many of these words are the command that begins here; one word where none does.
fn command(words: &[String]) -> usize {
    let program = words.first().map(|word| word.trim_start_matches(BEFORE));
    // A verb may have one of its own behind it.
    let mut needed = match (program, words.get(1).map(String::as_str)) {
        (Some("git"), Some("grill")) | (Some("mv"), Some("-n")) => 4,
        (Some("git"), _) => 3,
        _ => return 1,
    };
    let mut end = words.len();
    let mut quote = None;
    for (at, word) in words.iter().enumerate().skip(1) {
        let mut rest = word.as_str();
        if quote.is_none()
            && let Some((sign, quoted)) = opens(word)
        {
            (quote, rest) = (Some(sign), quoted);
        }
        if quote.is_some() || is_argument(word) {
            needed = needed.max(at + 1);
        } else if at > needed && !word.ends_with(ENDS) {
            // A second plain word is of the sentence.
            break;
        }
        if quote.is_some_and(|sign| without_quotes(rest, sign).trim_end_matches(ENDS).ends_with(sign)) {
            quote = None;
        }
        if quote.is_none() && word != "." && word.ends_with(ENDS) {
            end = at + 1;
            break;
        }
    }
    // One plain word at its end is a name, such as that of a branch; more of them are the rest of the sentence.
    let needed = if end <= needed + 1 { end } else { needed };
    // A quotation without an end is none.
    if quote.is_some() { words.len().min(2) } else { needed }
}

/// A word of a quotation without the quotes that are part of its text: `'\''` ends no quotation that `'` began.
fn without_quotes(word: &str, sign: char) -> Cow<'_, str> {
    if sign == '\'' { word.replace(r"'\''", "").into() } else { word.into() }
}

/// The sign that ends the quotation, or the placeholder, which begins with this word, and what follows its first sign.
fn opens(word: &str) -> Option<(char, &str)> {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    [word, value].into_iter().find_map(|text| {
        let mut signs = text.trim_start_matches('$').chars();
        match signs.next()? {
            '<' => Some(('>', signs.as_str())),
            sign @ ('\'' | '"') => Some((sign, signs.as_str())),
            _ => None,
        }
    })
}

/// Whether a word can only be part of a command.
fn is_argument(word: &str) -> bool {
    let word = if word == "." { word } else { word.trim_end_matches(ENDS) };
    let signs = ['/', '.', ':', '<', '>', '=', '@', '{', '}', '$', '*', '|', '&', '_', '~', '^', '+'];
    word.starts_with('-')
        || word.contains(signs)
        || word.contains(|one: char| one.is_ascii_digit() || one.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::shell::quoted;

    /// The commands that a text has.
    fn commands(text: &str) -> Vec<String> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let mut rest = words.as_slice();
        let mut found = Vec::new();
        for taken in groups(&words) {
            let (group, after) = rest.split_at(taken);
            rest = after;
            if taken > 1 {
                found.push(group.join(" "));
            }
        }
        found
    }

    #[test]
    fn a_command_ends_where_its_sentence_goes_on() {
        let id = "b9d8880c1d2e3f405162738495a6b7c8d9e0f102";
        let branch = format!("git branch side {id}");
        for (text, command) in [
            (format!("to undo this: {branch}"), branch.as_str()),
            (format!("{branch} undoes all of that"), branch.as_str()),
            ("to decide, run git grill agent answer g1; then it goes on".to_owned(), "git grill agent answer g1;"),
            ("to see it, run git grill agent doctor claude".to_owned(), "git grill agent doctor claude"),
            (
                "git switch -c g1 refs/grill/local/agents/g1 makes it a branch".to_owned(),
                "git switch -c g1 refs/grill/local/agents/g1",
            ),
            (
                "it is kept: git ls-tree -r --full-tree refs/grill/local/x/replaced/1:worktree".to_owned(),
                "git ls-tree -r --full-tree refs/grill/local/x/replaced/1:worktree",
            ),
            (
                "again: git stash store -m 'WIP on main: 12 it, so' abc1 and so on".to_owned(),
                "git stash store -m 'WIP on main: 12 it, so' abc1",
            ),
            (
                "git config --global grill.agent.x.command \"<a command that speaks ACP>\"".to_owned(),
                "git config --global grill.agent.x.command \"<a command that speaks ACP>\"",
            ),
            (
                "run git grill agent start --agent <name of it> now".to_owned(),
                "git grill agent start --agent <name of it> now",
            ),
            ("git grill agent send starts it again in /a/b of it".to_owned(), "git grill agent send"),
            ("git remote add origin ../other/x".to_owned(), "git remote add origin ../other/x"),
            ("git grill doctor --fix brings it back where its objects are".to_owned(), "git grill doctor --fix"),
            (
                "(git update-ref --no-deref refs/notes/x abc1) does it".to_owned(),
                "(git update-ref --no-deref refs/notes/x abc1)",
            ),
            ("mv a b && git add . and so on".to_owned(), "git add ."),
            ("to keep both: mv -n 'a b' 'a b.mine', then accept again".to_owned(), "mv -n 'a b' 'a b.mine',"),
            ("mv -n x y, then accept again".to_owned(), "mv -n x y,"),
            ("it begins with git commit -m 'no end of it".to_owned(), "git commit"),
        ] {
            assert_eq!(commands(&text), [command], "{text}");
        }
        // Whatever quotes a name has, its command is one.
        for name in ["docs/it 'is' a note", "it's a note", "'a b", "a b'", "a ' b", "a b', c", "''a b''", "a '' b", "'"]
        {
            let command = format!("git grill agent accept g1 {}", quoted(name));
            for (before, after) in [("", " leaves it out"), ("or ", " leaves it out; or git stash -u"), ("", "")] {
                let text = format!("{before}{command}{after}");
                assert_eq!(commands(&text)[0], command, "{text}");
            }
        }
        assert!(commands("git's own files, and what git, or another program, wrote").is_empty());
        assert_eq!(commands("the last word is git"), Vec::<String>::new());
    }
}
