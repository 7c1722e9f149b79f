//! Every verb of the command line is played over hostile sessions, or left out for a reason.

use std::collections::BTreeSet;

use clap::{Command, CommandFactory};
use git_grill::cli::args::Cli;

use super::commands::played;

/// Verbs that are not played, with all below them, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("agent install", "it reads no session, and writes the settings that its arguments name"),
    ("agent uninstall", "it reads no session, and writes the settings that its arguments name"),
    ("agent doctor", "it reads no session, and examines a program of the account"),
    ("agent preflight", "it reads no session, and examines a program of the account"),
    ("demo", "it plays in a repository of its own"),
    ("help", "it reads the grammar alone"),
];

/// Every verb that can be typed, with those below it.
fn typeable(command: &Command, path: &str, found: &mut BTreeSet<String>) {
    for verb in command.get_subcommands() {
        let path = format!("{path} {}", verb.get_name()).trim_start().to_owned();
        typeable(verb, &path, found);
        if !verb.is_subcommand_required_set() {
            found.insert(path);
        }
    }
}

fn verbs_in(line: &str, grammar: &Command, found: &mut BTreeSet<String>) {
    for said in line.split("git-grill ").skip(1) {
        let end = said.find(|c: char| !c.is_ascii_alphanumeric() && !"- ".contains(c)).unwrap_or(said.len());
        let mut path = Vec::new();
        let mut command = grammar;
        for word in said[..end].split(' ') {
            let Some(verb) = command.find_subcommand(word) else { break };
            path.push(word);
            command = verb;
        }
        found.insert(path.join(" "));
    }
}

#[test]
fn p3_every_verb_is_played_over_hostile_sessions_or_left_out_for_a_reason() {
    let grammar = Cli::command();
    let (mut all, mut seen) = (BTreeSet::new(), BTreeSet::new());
    typeable(&grammar, "", &mut all);
    for line in played() {
        verbs_in(&line, &grammar, &mut seen);
    }
    let is_below =
        |verb: &str, above: &str| verb.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let left_out = |verb: &str| LEFT_OUT.iter().any(|(above, _)| is_below(verb, above));
    let missing: Vec<&String> = all.iter().filter(|verb| !seen.contains(*verb) && !left_out(verb)).collect();
    assert!(missing.is_empty(), "no line of authority/commands.rs plays {missing:?}, and no row here says why");
    for (verb, why) in LEFT_OUT {
        assert!(all.iter().any(|one| is_below(one, verb)), "{verb} is no verb, so it is not left out: {why}");
        assert!(!seen.iter().any(|one| is_below(one, verb)), "{verb} is played, so it is not left out: {why}");
    }
}
