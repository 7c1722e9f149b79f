//! What a person sees of each call of the UI, in a narrow window and in wide ones; and that a file of answers gives what
//! they answered (P1, P5, P18).

use std::collections::BTreeMap;

use super::{typed, world};
use crate::bench::Bench;
use crate::conversation::Sitting;

/// Makes the call that its first word names, and gives its result back in single quotes.
const SHOWS: &str = r##"deed=$id
case $line in
*'["select"]'*) method=select params='{"prompt":"Where do the counters of all callers live?","options":[{"value":"memory","label":"In memory","description":"Gone after a restart."},{"value":"redis","label":"In Redis"}],"allow_other":true}' ;;
*'["several"]'*) method=multi_select params='{"prompt":"Which clients?","options":[{"value":"web","label":"Web"},{"value":"cli","label":"CLI"}]}' ;;
*'["form"]'*) method=form params='{"questions":[{"id":"store","label":"Store","prompt":"Where do they live?","options":[{"value":"memory","label":"In memory"},{"value":"redis","label":"In Redis","preview":"# SETEX"}]},{"id":"clients","label":"Clients","prompt":"Which clients?","kind":"multi","note":true,"options":[{"value":"web","label":"Web"},{"value":"cli","label":"CLI"}]}]}' ;;
*'["confirm"]'*) method=confirm params='{"prompt":"Delete the old counters?"}' ;;
*) method=notify params='{"message":"Counting what there is.","level":"warning"}' ;;
esac
printf '{"jsonrpc":"2.0","id":"q","method":"ui.%s","params":%s}\n' "$method" "$params"
IFS= read -r reply
said=$(printf '%s' "$reply" | sed 's/^.*"result"://; s/}$//' | tr '"' "'")
id=$deed
answer "{\"text\":\"$said\"}""##;

const END: &str = "\u{1b}[F";
const ENTER: &str = "\r";

/// A call: what is seen of it, step by step, with what is typed then; and what comes of it.
struct Shown {
    call: &'static str,
    steps: &'static [(&'static [&'static str], &'static [&'static str])],
    result: &'static str,
    file: &'static str,
}

const ALL: &[Shown] = &[
    Shown {
        call: "select",
        steps: &[(&["shows asks: Where", "1. In memory", "2. In Redis", "3. Something"], &["2", ENTER])],
        result: "{'cancelled':false,'label':'In Redis','value':'redis'}",
        file: r#"{"Where do the counters of all callers live?":"redis"}"#,
    },
    Shown {
        call: "several",
        steps: &[(&["shows asks: Which", "clients?", "1. Web", "2. CLI"], &[" ", END, ENTER])],
        result: "{'cancelled':false,'labels':['Web'],'values':['web']}",
        file: r#"{"Which clients?":["web"]}"#,
    },
    Shown {
        call: "form",
        steps: &[
            (&["shows asks: Where", "they live?", "1. In memory", "2. In Redis"], &["2"]),
            (&["| # SETEX"], &[ENTER]),
            (&["shows asks: Which", "1. Web", "2. CLI"], &[" ", "n", "both", ENTER, ENTER]),
            (&["2 of 2 answered"], &[END, ENTER]),
        ],
        result: "{'answers':[{'id':'store','label':'In Redis','value':'redis'},{'id':'clients','labels':['Web'],'note':'Web: both','values':['web']}],'cancelled':false}",
        file: r#"{"store":"redis","clients":{"values":["web"],"note":"Web: both"}}"#,
    },
    Shown {
        call: "confirm",
        steps: &[(&["shows asks: Delete", "counters?"], &["y"])],
        result: "{'cancelled':false,'confirmed':true}",
        file: r#"{"Delete the old counters?":true}"#,
    },
    Shown { call: "notify", steps: &[], result: "{}", file: "{}" },
];

pub(super) fn path(bench: &Bench) -> String {
    let path = bench.run(&typed("sh -c 'printf %s \"$PATH\"'")).assert_code(0).stdout().to_owned();
    path.trim_end().to_owned()
}

fn at_a_terminal(bench: &Bench, path: &str, shown: &Shown, columns: u16) {
    let words = ["shows", "new", shown.call];
    let mut sitting = Sitting::at(bench, &words, 40, columns, &[("PATH", path)]);
    for (seen, typed) in shown.steps {
        for text in *seen {
            sitting.pty.wait_for(text);
        }
        let screen = sitting.pty.screen();
        assert!(screen.lines().all(|line| line.chars().count() <= usize::from(columns)), "{screen}");
        for keys in *typed {
            sitting.pty.send(keys);
        }
    }
    let (code, screen) = sitting.end();
    let flat: String = screen.split_whitespace().collect();
    let result: String = shown.result.split_whitespace().collect();
    assert!(code == 0 && flat.contains(&result), "{} at {columns} columns: {code}\n{screen}", shown.call);
    if shown.call == "notify" {
        assert!(flat.contains("warning:showssays:Countingwhatthereis."), "{screen}");
    }
}

fn each_call(columns: u16) {
    let bench = world("shows", SHOWS);
    let path = path(&bench);
    for shown in ALL {
        at_a_terminal(&bench, &path, shown, columns);
    }
}

#[test]
fn p1_p18_each_call_is_shown_and_answered_in_20_columns() {
    each_call(20);
}

#[test]
fn p1_p18_each_call_is_shown_and_answered_in_80_columns() {
    each_call(80);
}

#[test]
fn p1_p18_each_call_is_shown_and_answered_in_120_columns() {
    each_call(120);
}

#[test]
fn p5_a_file_of_answers_gives_what_a_person_answers() {
    let bench = world("shows", SHOWS);
    let results: BTreeMap<&str, &str> = ALL.iter().map(|shown| (shown.call, shown.result)).collect();
    for Shown { call, file, .. } in ALL {
        let answers = format!("{{\"version\":1,\"answers\":{file}}}");
        std::fs::write(bench.root().join("answers.json"), answers).unwrap();
        let line = typed(&format!("git grill --answers ../answers.json shows new {call}"));
        bench.run(&line).assert_code(0).assert_contains(results[call]);
    }
}
