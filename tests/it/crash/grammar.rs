//! The tables are held to the grammar: whatever a person or an agent can say either has a row in which it is killed before
//! each of its writes, or is said to read, with the reason.

use std::collections::BTreeSet;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory as _};
use git_grill::cli::args::Cli;
use git_grill::domain::tool::rows;

use super::reading::READS;
use super::{commands, mended, tools};

/// What is lent to an agent is in a ledger, and no session of an interview.
const LEDGER: &str = "records in the ledger of an agent's session, whose own tests kill it at each step";

/// Work that is accepted is written into files of the user's.
const ACCEPT: &str = "a step with a journal, which `lend::cut_off` cuts off at each moment, and a record in the ledger";

/// Options of verbs that have a row, each with the reason why it has none itself.
const SAME_WRITES: &[(&str, &str)] = &[
    ("back --still-right", "what `back` records, and then what `answer` records"),
    ("start --intent", "a word in the event that `start` records"),
    ("start --intensity", "a word in the event that `start` records"),
    ("start --allow", "a word in the event that `start` records"),
    ("start --output", "a word in the event that `start` records"),
    ("start --interviewer", "a word in the event that `start` records"),
    ("start --approval", "a word in the event that `start` records"),
    ("select --repo", "a word in the event that `select` records"),
    ("approve --blob", "a condition; what is written is the same"),
    ("approve --commit", "the commit that `produce --commit` makes"),
    ("approve --message", "the text of that commit"),
    ("produce --message", "the text of that commit"),
    ("produce --round", "what `produce --undo` writes, of an earlier output phase"),
    ("plan set --file", "what `plan set` records, of a text in a file"),
    ("plan review --drop", "what `plan review` records, without a note"),
    ("plan take <session>", "the same, from another session"),
    ("debate extend", "one event, as `debate kill` records"),
    ("debate restart", "one event, as `debate kill` records"),
    ("debate confirm", "what `debate accept` records"),
    ("debate reject", "one event, as `debate kill` records"),
    ("debate start --autonomous", "a word in the event that `debate start` records"),
    ("debate start --proxy", "a word in the event that `debate start` records"),
    ("debate start --confirm-provider-use", "what `debate start` records"),
    ("debate roles --proxy", "a word in the event that `debate roles` records"),
    ("debate roles --confirm-provider-use", "what `debate roles` records"),
    ("debate table", "what `debate accept` records"),
    ("verify <session>", "the same comparison with another session's baseline"),
    ("todos --outside", "the objects that `verify` writes, and no event"),
    ("verify <names>", "the same restore, of less"),
    ("fsck <session>", "the same for one session"),
    ("agent install --project", "the default"),
    ("agent uninstall --project", "the default"),
    ("agent doctor", "what `run` makes and takes away again, and a log of what the agent said"),
    ("agent doctor <name>", "what `run` makes and takes away again, and a log of what the agent said"),
    ("agent start", LEDGER),
    ("agent start --agent", LEDGER),
    ("agent start --profile", LEDGER),
    ("agent start --media", LEDGER),
    ("agent start --confirm-provider-use", LEDGER),
    ("agent start --wait", LEDGER),
    ("agent start <prompt>", LEDGER),
    ("agent send", LEDGER),
    ("agent send <session>", LEDGER),
    ("agent send --media", LEDGER),
    ("agent send --confirm-provider-use", LEDGER),
    ("agent send --wait", LEDGER),
    ("agent send <prompt>", LEDGER),
    ("agent accept", ACCEPT),
    ("agent accept <session>", ACCEPT),
    ("agent accept <paths>", ACCEPT),
    ("agent accept --undo", ACCEPT),
    ("agent accept --commit", "what `produce --commit` makes git do"),
    ("agent accept --message", "what `produce --commit` makes git do"),
    ("plan execute --agent", "what `plan execute` records, and then what `agent start` does"),
    ("agent cancel", LEDGER),
    ("agent cancel <session>", LEDGER),
    ("agent cancel <turn>", LEDGER),
    ("agent cleanup", LEDGER),
    ("agent cleanup <session>", LEDGER),
    ("agent cleanup --dry-run", LEDGER),
    ("agent answer", LEDGER),
    ("agent answer <session>", LEDGER),
    ("tool grill_agent", LEDGER),
    ("extensions --trial", "what `run` makes and takes away again"),
    ("extensions enable", "one file in the clone's private folder, written beside its place and moved there"),
    ("extensions enable <name>", "one file in the clone's private folder, written beside its place and moved there"),
    ("extensions disable", "the same file"),
    ("extensions disable <name>", "the same file"),
    ("agent preflight", "the same, a watch that the next one takes the place of, and a line that says it was proved"),
    (
        "agent preflight --confirm-provider-use",
        "the same, a watch that the next one takes the place of, and a line that says it was proved",
    ),
    (
        "agent preflight <name>",
        "the same, a watch that the next one takes the place of, and a line that says it was proved",
    ),
];

/// The lines of every row in which each step is killed.
fn lines() -> Vec<&'static str> {
    let tables = [commands::EVERY_STEP, commands::ALONE, tools::EVERY_STEP];
    let mut lines: Vec<_> = tables.iter().flat_map(|table| table.iter().map(|tried| tried.row.line)).collect();
    #[cfg(feature = "mcp")]
    lines.extend(super::served::EVERY_STEP.iter().map(|tried| tried.row.line));
    lines.extend(mended::LINES);
    lines
}

/// The words behind `git-grill` on a shell line, without redirections.
fn words(line: &str) -> Vec<String> {
    let (_, line) = line.split_once("git-grill").unwrap_or_else(|| panic!("no command of ours in `{line}`"));
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty() && !word.starts_with('<') && !word.starts_with("2>"));
    words
}

/// How the tables call an argument of a verb.
fn named(path: &str, arg: &Arg) -> String {
    let name = arg.get_long().map_or_else(|| format!("<{}>", arg.get_id()), |long| format!("--{long}"));
    format!("{path} {name}").trim_start().to_owned()
}

/// The arguments that are a verb's own.
fn own(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_global_set() && !["help", "version"].contains(&arg.get_id().as_str()))
}

/// What a line says: its verb, and each of the verb's arguments that it uses; of a tool its name.
fn said(matches: &ArgMatches, command: &Command, path: &str, found: &mut BTreeSet<String>) {
    for arg in own(command) {
        if matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine) {
            found.insert(named(path, arg));
        }
    }
    if let Some((name, below)) = matches.subcommand() {
        let command = command.find_subcommand(name).unwrap();
        return said(below, command, format!("{path} {name}").trim_start(), found);
    }
    found.insert(path.to_owned());
    if path == "tool" {
        found.insert(format!("tool {}", matches.get_one::<String>("name").unwrap()));
    }
}

fn sayable(command: &Command, path: &str, found: &mut BTreeSet<String>) {
    if !command.is_subcommand_required_set() {
        found.insert(path.to_owned());
    }
    found.extend(own(command).map(|arg| named(path, arg)));
    for verb in command.get_subcommands() {
        sayable(verb, format!("{path} {}", verb.get_name()).trim_start(), found);
    }
}

#[test]
fn p1_every_verb_option_and_tool_that_writes_has_a_row() {
    let mut cli = Cli::command();
    cli.build();
    let mut killed = BTreeSet::new();
    for line in lines() {
        let words = ["git-grill".to_owned()].into_iter().chain(words(line));
        let matches = Cli::command().try_get_matches_from(words).unwrap_or_else(|error| panic!("`{line}`: {error}"));
        said(&matches, &cli, "", &mut killed);
    }
    let mut all = BTreeSet::new();
    sayable(&cli, "", &mut all);
    // Its name is one of these.
    all.remove("tool <name>");
    all.extend(rows().map(|row| format!("tool {}", row.name)));
    let reads: BTreeSet<&str> = READS.iter().map(|row| row.what).collect();
    let same: BTreeSet<&str> = SAME_WRITES.iter().map(|(what, _)| *what).collect();
    // What a verb that only reads is told is read as well.
    let reads_all = |what: &str| {
        let verb = what.split([' ']).take_while(|word| !word.starts_with(['-', '<'])).collect::<Vec<_>>().join(" ");
        reads.contains(what) || reads.contains(verb.as_str()) && !killed.iter().any(|said| said.starts_with(&verb))
    };
    let missing: Vec<_> = all
        .iter()
        .filter(|what| !killed.contains(*what) && !reads_all(what) && !same.contains(what.as_str()))
        .collect();
    assert!(missing.is_empty(), "neither killed nor said to read: {missing:?}");
    for what in reads.iter().chain(&same) {
        assert!(all.contains(*what), "`git grill {what}` does not exist");
    }
    for what in &same {
        assert!(!killed.contains(*what) && !reads.contains(what), "`git grill {what}` has a row");
    }
}

#[test]
fn a_line_says_its_verb_and_what_it_is_told() {
    assert_eq!(words("A='b c' exec git-grill skip --because 'not so' <{t} 2>{t}"), ["skip", "--because", "not so"]);
    let mut cli = Cli::command();
    cli.build();
    let mut found = BTreeSet::new();
    let matches = cli.clone().try_get_matches_from(["git-grill", "tool", "ask_question"]).unwrap();
    said(&matches, &cli, "", &mut found);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["tool", "tool <name>", "tool ask_question"]);
}
