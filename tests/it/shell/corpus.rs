//! Three corpora of shell commands as data: one that was given, one of what we caught ourselves, and one that was
//! written without looking at the policy, to break it.

use git_grill::policy::shell::{Allowed, judge};
use git_grill::policy::surroundings::Empty;

/// One line: the verdict that is right, what it belongs to, the command.
pub struct Line {
    pub allowed: bool,
    pub category: String,
    pub command: String,
}

/// Reads a corpus: three columns, `␤` for a line break.
pub fn read(text: &str) -> Vec<Line> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.splitn(3, '\t');
            let verdict = columns.next().unwrap();
            assert!(matches!(verdict, "allow" | "deny"), "{line}");
            let category = columns.next().unwrap().to_owned();
            Line { allowed: verdict == "allow", category, command: columns.next().unwrap().replace('␤', "\n") }
        })
        .collect()
}

pub const GIVEN: &str = include_str!("../../../fixtures/corpus/shell.tsv");
pub const OURS: &str = include_str!("../../../fixtures/corpus/ours.tsv");
pub const CLONES: &str = include_str!("../../../fixtures/corpus/clones.tsv");
pub const SECOND: &str = include_str!("../../../fixtures/corpus/second.tsv");

fn wrong(lines: &[Line]) -> Vec<String> {
    let judged = lines.iter().map(|line| (line, judge(&line.command, &Allowed::none(), &Empty)));
    judged
        .filter(|(line, verdict)| line.allowed != verdict.is_ok())
        .map(|(line, verdict)| match verdict {
            Ok(()) => format!("let through ({}): {}", line.category, line.command),
            Err(refused) => format!("refused ({}): {}\n    {refused}", line.category, line.command),
        })
        .collect()
}

/// How many wishes may stay open. Lower it when one is fulfilled.
const OPEN_WISHES: usize = 1;

#[test]
fn g37_every_line_of_the_given_corpus_is_right() {
    let (wishes, lines): (Vec<Line>, Vec<Line>) =
        read(GIVEN).into_iter().partition(|line| line.category.starts_with("nice/"));
    assert!(lines.len() > 500 && wishes.len() > 30, "the corpus is not complete");
    let wrong_lines = wrong(&lines);
    assert!(wrong_lines.is_empty(), "{} wrong:\n{}", wrong_lines.len(), wrong_lines.join("\n"));
    let open = wrong(&wishes);
    assert!(open.len() <= OPEN_WISHES, "{} wishes are open:\n{}", open.len(), open.join("\n"));
}

#[test]
fn g37_every_line_of_our_own_corpus_is_right() {
    let wrong = wrong(&read(OURS));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn g37_every_line_about_clones_is_right() {
    let lines = read(CLONES);
    assert!(lines.len() > 200, "the corpus is not complete");
    let wrong = wrong(&lines);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn g37_every_line_of_the_second_corpus_is_right() {
    let lines = read(SECOND);
    assert!(lines.iter().filter(|line| line.allowed).count() > 900, "the corpus is not complete");
    assert!(lines.iter().filter(|line| !line.allowed).count() > 4000, "the corpus is not complete");
    let wrong = wrong(&lines);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn g37_what_can_be_typed_instead_is_said_and_passes() {
    for (refused, said, instead) in [
        ("jj log -n 3", "first writes a snapshot of the files into", "jj --ignore-working-copy log"),
        ("jj st", "first writes a snapshot", "jj --ignore-working-copy status"),
        ("jj diff -r @-", "first writes a snapshot", "jj --ignore-working-copy diff"),
        ("jj show @-", "first writes a snapshot", "jj --ignore-working-copy show"),
        ("jj file list", "first writes a snapshot", "jj --ignore-working-copy file list"),
        ("/usr/local/bin/git status", "by its path only in /bin, /sbin, /usr/bin, /usr/sbin", "git"),
        ("/usr/local/bin/rg x", "; type `rg` without the path", "rg"),
    ] {
        let no = judge(refused, &Allowed::none(), &Empty).unwrap_err();
        assert!(no.why.contains(said) && no.why.contains(&format!("type `{instead}`")), "{refused}: {no}");
        let name = refused.split(' ').next().unwrap();
        let rest = if name == "jj" { "" } else { refused.strip_prefix(name).unwrap() };
        let typed = format!("{instead}{rest}");
        assert_eq!(judge(&typed, &Allowed::none(), &Empty), Ok(()), "{typed}");
    }
    for (refused, said) in [
        ("sudo ls", "`sudo` acts as another user; type the command without it"),
        ("doas ls", "`doas` acts as another user; type the command without it"),
    ] {
        assert_eq!(judge(refused, &Allowed::none(), &Empty).unwrap_err().why, said);
    }
    for refused in ["./rg x", "/opt/x/foo a", "bin/ls", "\"$x\" a", "/usr/local/bin/"] {
        let no = judge(refused, &Allowed::none(), &Empty).unwrap_err();
        assert!(!no.why.contains("type"), "there is nothing to type instead of {refused}: {no}");
    }
}

#[test]
fn a_refusal_quotes_a_part_of_the_command() {
    for line in [GIVEN, OURS, CLONES, SECOND].into_iter().flat_map(read) {
        if let Err(refused) = judge(&line.command, &Allowed::none(), &Empty) {
            assert!(!refused.part.is_empty() && !refused.why.is_empty(), "{}", line.command);
            assert!(!refused.why.ends_with('.'), "{}", refused.why);
        }
    }
}
