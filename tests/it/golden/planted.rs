//! The runner itself: it must notice every kind of difference, and bless exactly what differs.

use super::play::play;

fn block(lines: &str) -> String {
    format!("# Story\n\nprose\n\n```console\n{lines}\n```\n\nmore\n")
}

fn mismatches(lines: &str) -> usize {
    play(&block(lines)).unwrap().mismatches.len()
}

/// Blocks that match what their commands do.
#[rustfmt::skip]
const TRUE_STORIES: &[&str] = &[
    "$ echo one\none\n$ echo two; echo; echo three\ntwo\n\nthree",
    "$ echo out; echo err >&2; exit 3\nout\n2| err\n[exit 3]",
    "$ true",
    "$ printf 'a\\nb'\na\nb\n[no newline]",
    "$ cat <<END\n> one\n> two\n> END\none\ntwo",
    "$ seq 9\n1\n...\n9",
    "$ seq 9\n...\n3\n...",
    "$ seq 2\n1\n...\n2",
    "$ pwd\n$DIR/repo",
    "$ git rev-parse HEAD\n<oid>",
    "$ echo q-7f3k2a\nq-#1\n$ test {q-#1} = q-7f3k2a",
    "$ echo 20261121-auth-k3f2q\n20261121-auth-#1\n$ echo {session-#1} | cut -c10-13\nauth",
    "$ printf '\\033[1mbold'\n\\u{1b}[1mbold\n[no newline]",
    "$ echo '$ ls'; echo '...'; echo '2| x'; echo '```'\n\\$ ls\n\\...\n\\2| x\n\\```",
    "$ echo x >kept\n$ cat kept\nx",
];

/// Blocks each of which is wrong in exactly one command.
#[rustfmt::skip]
const LIES: &[&str] = &[
    "$ echo one\ntwo",
    "$ echo one",
    "$ true\none",
    "$ echo one\none\n",
    "$ echo one\nONE\n$ echo two\ntwo",
    "$ exit 3",
    "$ exit 3\n[exit 4]",
    "$ true\n[exit 0]",
    "$ echo x >&2\nx",
    "$ echo x\n2| x",
    "$ printf x\nx",
    "$ echo x\nx\n[no newline]",
    "$ seq 9\n1\n...\n8",
    "$ seq 9\n2\n...",
    "$ echo q-7f3k2a q-7f3k2b\nq-#1 q-#1",
];

#[test]
fn true_stories_match_and_are_left_alone() {
    for story in TRUE_STORIES {
        let text = block(story);
        let played = play(&text).unwrap();
        let said: String = played.mismatches.iter().map(ToString::to_string).collect();
        assert_eq!(said, "", "{story}");
        assert_eq!(played.blessed, text);
    }
}

#[test]
fn a_planted_lie_is_reported_and_blessed_away() {
    for lie in LIES {
        let played = play(&block(lie)).unwrap();
        assert_eq!(played.mismatches.len(), 1, "{lie}");
        let again = play(&played.blessed).unwrap();
        assert_eq!(again.mismatches.len(), 0, "{lie} blessed as {}", played.blessed);
        assert!(played.blessed.starts_with("# Story\n\nprose\n") && played.blessed.ends_with("```\n\nmore\n"));
    }
}

#[test]
fn a_command_that_ends_otherwise_is_told_from_one_that_says_something_else() {
    for (lines, ends_otherwise) in [
        ("$ echo one\ntwo", false),
        ("$ echo one\none\n[exit 1]", true),
        ("$ exit 3", true),
        ("$ exit 3\n[exit 4]", true),
        ("$ echo one; exit 3\ntwo\n[exit 3]", false),
    ] {
        let played = play(&block(lines)).unwrap();
        assert_eq!(played.mismatches[0].ends_otherwise(), ends_otherwise, "{lines}");
    }
}

#[test]
fn blessing_keeps_the_gaps_of_what_matched() {
    let text = block("$ seq 9\n1\n...\n$ echo new\nold");
    assert_eq!(play(&text).unwrap().blessed, text.replace("old", "new"));
}

#[test]
fn a_report_names_the_line_and_both_sides() {
    let played = play(&block("$ echo same; echo new\nsame\nold")).unwrap();
    let report = played.mismatches[0].to_string();
    assert!(report.starts_with("6: $ echo same; echo new\n"), "{report}");
    assert!(report.ends_with(" same\n-old\n+new\n"), "{report}");
}

#[test]
fn comments_choose_the_world() {
    let text = "<!-- bench: bare -->\n<!-- global-config: grill.approval=script -->\n".to_owned()
        + &block("$ git rev-parse --is-bare-repository; git config grill.approval\ntrue\nscript");
    assert_eq!(play(&text).unwrap().mismatches.len(), 0);
}

#[test]
fn other_blocks_are_not_run() {
    let text = "```sh\nexit 1\n```\n````text\n```console\n$ exit 1\n```\n````\n";
    let played = play(text).unwrap();
    assert_eq!(played.mismatches.len(), 0);
    assert_eq!(played.blessed, text);
}

#[test]
fn a_session_that_cannot_be_played_is_an_error() {
    let broken = [
        ("```console\n$ true\n".to_owned(), "1: this block has no end"),
        (block("text"), "6: a console block begins with `$ `"),
        (block("$ echo {q-#1}"), "6: no {q-#1} was shown before this command"),
        ("<!-- bench: round -->\n".to_owned(), "there is no bench `round`"),
        ("<!-- bnech: bare -->\n".to_owned(), "the comment `bnech: bare` says nothing here"),
    ];
    for (text, message) in broken {
        assert_eq!(play(&text).err().as_deref(), Some(message));
    }
}
