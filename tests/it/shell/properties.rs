//! What must hold of every command, whatever it is.

use git_grill::policy::shell::{Allowed, MAX_LENGTH, judge};
use git_grill::policy::surroundings::Empty;
use proptest::prelude::*;
use proptest::sample::select;

use super::corpus::{GIVEN, OURS, read};

fn allowed_commands() -> Vec<String> {
    let lines = read(GIVEN).into_iter().chain(read(OURS));
    let passing = lines.map(|line| line.command).filter(|command| passes(command));
    let commands: Vec<String> = passing.collect();
    assert!(commands.len() > 50, "hardly anything is allowed, so nothing would be shown");
    commands
}

fn passes(command: &str) -> bool {
    judge(command, &Allowed::none(), &Empty).is_ok()
}

/// What turns any command into one that changes something.
const APPENDED: &[&str] = &[
    "; rm x",
    " && rm x",
    " || rm x",
    " | sh",
    " > x",
    " >> x",
    " >| x",
    " 2> x",
    " &> x",
    " >! x",
    " $(rm x)",
    " `rm x`",
    "\nrm x",
    " & rm x",
    " <(rm x)",
    " >(rm x)",
    "\n`rm x`",
    "; x=$(rm x)",
    " | tee x",
    "; (rm x)",
    "; { rm x; }",
    "; ! rm x",
    "; time rm x",
    "; if rm x; then ls; fi",
    "; eval 'rm x'",
    "\ncat <<E\n$(rm x)\nE",
    "; f() { rm x; }; f",
    " | xargs rm",
    "; exec rm x",
    "; . ./x",
    "; PATH=. ls",
    " ${x:=y}",
    " \"$(rm x)\"",
    "; [[ $(rm x) ]]",
    "; ls *(e:rm:)",
];

/// Whether the end of the command is the end of what the shell runs: what is appended to a comment is ignored.
fn ends_openly(command: &str) -> bool {
    !command.lines().last().unwrap_or_default().contains('#')
}

#[test]
fn g37_whatever_is_appended_is_judged() {
    // Each command with every third ending, beginning with another one each time: the whole square takes a minute.
    for (row, command) in allowed_commands().iter().filter(|command| ends_openly(command)).enumerate() {
        for appended in APPENDED.iter().skip(row % 3).step_by(3) {
            let both = format!("{command}{appended}");
            assert!(!passes(&both), "let through: {both}");
        }
    }
}

#[test]
fn a_new_line_ends_a_comment() {
    for command in allowed_commands() {
        assert!(!passes(&format!("{command}\nrm x")), "{command}");
        assert!(!passes(&format!("{command} # ls\nrm x")), "{command}");
    }
}

/// How a command may be wrapped and stay what it is. `time` and `!` bind to the first command of a line, and a line
/// that ends in a here-document or a comment needs a line of its own.
#[test]
fn wrapping_keeps_a_command_allowed() {
    for command in allowed_commands() {
        for (before, after) in [("( ", "\n)"), ("{ ", "\n}"), ("if true; then ", "\nfi"), ("ls && ", "")] {
            let wrapped = format!("{before}{command}{after}");
            assert!(passes(&wrapped), "{wrapped}: {:?}", judge(&wrapped, &Allowed::none(), &Empty));
        }
        let compound = ["!", "[[", "for ", "while ", "until ", "if ", "case ", "(", "{ ", "#"];
        let assigns = command.split_whitespace().next().is_some_and(|word| word.contains('='));
        if !assigns && !compound.iter().any(|beginning| command.starts_with(beginning)) {
            for before in ["! ", "time "] {
                let wrapped = format!("{before}{command}");
                assert!(passes(&wrapped), "{wrapped}: {:?}", judge(&wrapped, &Allowed::none(), &Empty));
            }
        }
    }
}

#[test]
fn hostile_sizes_end_soon() {
    for (unit, closing) in [
        ("(", ")"),
        ("$(", ")"),
        ("{ ", ";}"),
        ("\"$(", ")\""),
        ("`", "`"),
        ("${x:-", "}"),
        ("[[ ", " ]]"),
        ("<(", ")"),
        ("if ", ""),
        ("case x in ", ""),
        ("cat <<A\n", ""),
        ("!", ""),
        ("a=(", ")"),
        ("$((", "))"),
        ("ls && ", ""),
        ("ls | ", ""),
        ("\\", ""),
        ("'", ""),
        ("{a,", "}"),
        ("[", "]"),
        ("env ", ""),
        ("time ", ""),
        ("xargs ", ""),
    ] {
        for count in [1, 39, 41, 500, MAX_LENGTH / (unit.len() + closing.len())] {
            let text = format!("{}ls{}", unit.repeat(count), closing.repeat(count));
            let _ = judge(&text, &Allowed::none(), &Empty);
            let _ = judge(&unit.repeat(count), &Allowed::none(), &Empty);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = judge(&String::from_utf8_lossy(&bytes), &Allowed::none(), &Empty);
    }

    #[test]
    fn shell_like_text_does_not_panic_and_is_never_more_than_it_says(
        pieces in prop::collection::vec(select(&[
            "ls", " ", " ", "\n", ";", "&", "|", "(", ")", "{", "}", "$", "\"", "'", "`", "\\", "#", "<", ">", "<<E", "E",
            "!", "*", "[", "]", "[[", "]]", "=", "x", "-a", "if", "then", "fi", "do", "done", "for", "in", "case", "esac",
            ";;", "$(", "${", "<(", "~", "é", "1", "2>", "/dev/null", "cat",
        ]), 0..24)
    ) {
        let text = pieces.concat();
        if passes(&text) {
            prop_assert!(!text.contains("rm"));
            let added = format!("{text}\nrm x");
            prop_assert!(!passes(&added), "{}", added);
        }
    }

    #[test]
    fn two_allowed_commands_are_allowed_one_after_the_other(
        (first, second) in (select(allowed_commands()), select(allowed_commands()))
    ) {
        // A `cd` of the first may lead where git is not trusted, and what one says about a variable holds for the other.
        prop_assume!(!first.contains("cd ") && !first.contains("pushd ") && !first.contains('$'));
        let both = format!("{first}\n{second}");
        prop_assert!(passes(&both), "{}", both);
    }
}
