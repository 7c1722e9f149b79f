//! The two git commands that the output phase needs besides reading: `git add` of approved paths, and `git commit`.
//!
//! Only their plainest forms are known here, since the hooks judge the commit itself. A line that is anything but plain
//! words, quotes and `&&` is none of ours, and goes to the judge of reading commands as a whole.

use crate::policy::approved;

/// One command of a line: its words after quote removal, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub words: Vec<String>,
    pub source: String,
}

/// The commands of a line that `&&` joins; `None` when there is anything in it that a shell would act on.
pub(super) fn commands(line: &str) -> Option<Vec<Command>> {
    let mut commands = Vec::new();
    let mut current = Command { words: Vec::new(), source: String::new() };
    let mut rest = line.trim();
    while let Some(next) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("&&") {
            commands
                .push(finished(std::mem::replace(&mut current, Command { words: Vec::new(), source: String::new() }))?);
            rest = behind;
        } else if matches!(next, ' ' | '\t') {
            current.source.push(next);
            rest = &rest[1..];
        } else {
            let (word, length) = word(rest)?;
            current.words.push(word);
            current.source.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    commands.push(finished(current)?);
    Some(commands)
}

fn finished(command: Command) -> Option<Command> {
    (!command.words.is_empty()).then_some(command)
}

/// The word that begins here and how long its source is.
fn word(text: &str) -> Option<(String, usize)> {
    let mut word = String::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let quotes = matches!(next, '\'' | '"');
        if quotes {
            let inner = &text[at + 1..];
            let end = inner.find(next)?;
            let inner = &inner[..end];
            if next == '"' && inner.contains(['$', '`', '\\', '!']) {
                return None;
            }
            word.push_str(inner);
            at += end + 2;
        } else if next.is_alphanumeric() || "_./,:@%+-=".contains(next) {
            word.push(next);
            at += next.len_utf8();
        } else if matches!(next, ' ' | '\t' | '&') {
            break;
        } else {
            return None;
        }
    }
    (at > 0).then_some((word, at))
}

/// Whether the command puts approved paths, and nothing else, into the index or into a commit.
pub(super) fn commits(command: &Command, approved: &[String], folder: &str) -> bool {
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["git", "add", rest @ ..] => adds(rest, approved, folder),
        ["git", "commit", rest @ ..] => makes_a_commit(rest, approved, folder),
        _ => false,
    }
}

fn adds(words: &[&str], approved: &[String], folder: &str) -> bool {
    let mut paths = Vec::new();
    let mut words = words.iter();
    for word in words.by_ref() {
        match *word {
            "--" => break,
            "-v" | "--verbose" | "-f" | "--force" => {}
            option if option.starts_with('-') => return false,
            path => paths.push(path),
        }
    }
    paths.extend(words);
    !paths.is_empty() && paths.iter().all(|path| pathspec_is_approved(path, approved, folder))
}

fn makes_a_commit(words: &[&str], approved: &[String], folder: &str) -> bool {
    let mut words = words.iter();
    let mut message = false;
    while let Some(word) = words.next() {
        match *word {
            "-m" | "--message" => message = words.next().is_some(),
            "-q" | "--quiet" | "-v" | "--verbose" | "-s" | "--signoff" => {}
            "--" => return message && words.all(|path| pathspec_is_approved(path, approved, folder)),
            other if other.starts_with("--message=") => message = true,
            _ => return false,
        }
    }
    message
}

/// git reads a pathspec from the folder it runs in, or from the top behind `:/`, with globs even in quotes and other
/// magic behind a colon.
fn pathspec_is_approved(spec: &str, approved: &[String], folder: &str) -> bool {
    let is_plain = |path: &&str| path.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '.');
    let (spec, folder) = spec.strip_prefix(":/").filter(is_plain).map_or((spec, folder), |path| (path, ""));
    if spec.contains(['*', '?', '[', '\\']) || spec.starts_with(':') {
        return false;
    }
    let path = if folder.is_empty() { spec.to_owned() } else { format!("{folder}/{spec}") };
    approved::names(approved, &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Vec<String> {
        vec!["docs/adr.md".to_owned(), "out/".to_owned()]
    }

    fn passes(line: &str, folder: &str) -> bool {
        commands(line).is_some_and(|all| all.iter().all(|command| commits(command, &plan(), folder)))
    }

    #[test]
    fn approved_paths_are_added_and_committed() {
        for line in [
            "git add docs/adr.md",
            "git add -- docs/adr.md out/a/b.md",
            "git add -v 'docs/adr.md'",
            "git commit -m 'add the decision'",
            "git commit -q --signoff -m one -m \"two words\"",
            "git commit --message=x -- docs/adr.md",
            "git add docs/adr.md && git commit -m 'it\nhas lines'",
        ] {
            assert!(passes(line, ""), "{line}");
        }
        assert!(passes("git add adr.md", "docs"));
        for folder in ["", "docs"] {
            assert!(passes("git add -- :/docs/adr.md && git commit -m x -- :/docs/adr.md", folder));
            for not in
                ["git add :/adr.md", "git add :/", "git add :/!docs/adr.md", "git add ':/docs/*'", "git add :/../x"]
            {
                assert!(!passes(not, folder), "{not}");
            }
        }
        assert!(!passes("git add docs/adr.md", "docs"));
    }

    #[test]
    fn everything_else_is_not_ours_to_pass() {
        for line in [
            "git add .",
            "git add",
            "git add -A",
            "git add -A docs/adr.md",
            "git add docs",
            "git add docs/adr.md src/main.rs",
            "git add docs/../src/main.rs",
            "git add ':/'",
            "git add ':(glob)docs/adr.md'",
            "git add 'out/*'",
            "git add out/",
            "git add DOCS/adr.md",
            "git commit",
            "git commit -am x",
            "git commit -a -m x",
            "git commit -m",
            "git commit --amend -m x",
            "git commit -n -m x",
            "git commit -m x src/main.rs",
            "git commit -m x -- src/main.rs",
            "git -C .. commit -m x",
            "git push",
            "rm docs/adr.md",
        ] {
            assert!(!passes(line, ""), "{line}");
        }
    }

    #[test]
    fn a_line_that_a_shell_would_act_on_is_not_taken_apart() {
        for line in [
            "git commit -m \"$(rm x)\"",
            "git commit -m `rm x`",
            "git commit -m x; rm x",
            "git commit -m x & rm x",
            "git commit -m x | sh",
            "git commit -m x || rm x",
            "git commit -m x > y",
            "git commit -m x\nrm x",
            "git commit -m 'x",
            "git commit -m x &&",
            "&& git commit -m x",
            "git commit -m ~",
            "git commit -m a\\ b",
            "git commit -m $x",
            "git commit -m {a,b}",
            "git commit -m x #",
            "",
        ] {
            assert_eq!(commands(line), None, "{line}");
        }
        let two = commands("git add 'a b' && ls -l").unwrap();
        assert_eq!(two[0].words, ["git", "add", "a b"]);
        assert_eq!(two[1].source.trim(), "ls -l");
    }
}
