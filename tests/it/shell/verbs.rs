//! Our own verbs: the sheet of the policy and the grammar of the command line say the same. A verb or an option that is
//! new in one of them has to be thought about in the other.

use clap::{Command, CommandFactory as _};
use git_grill::cli::args::Cli;

const SHEET: &str = include_str!("../../../src/policy/commands/sheets/grill.txt");

/// The lines below a heading of the sheet, with those of the block that all of them use.
fn entry(heading: &str) -> Option<Vec<&'static str>> {
    let mut lines = SHEET.lines().skip_while(|line| *line != heading);
    lines.next()?;
    let own: Vec<&str> = lines.take_while(|line| line.starts_with([' ', '#'])).map(str::trim).collect();
    let uses = own.contains(&"uses @look");
    Some(own.into_iter().chain(if uses { entry("@look").unwrap_or_default() } else { Vec::new() }).collect())
}

fn names(lines: &[&'static str], keys: &[&str]) -> Vec<&'static str> {
    let rest = |line: &&'static str| line.split_once(' ').filter(|(key, _)| keys.contains(key)).map(|(_, rest)| rest);
    lines.iter().filter_map(rest).flat_map(|rest| rest.split(" : ").next().unwrap_or_default().split(' ')).collect()
}

fn compare(command: &Command, heading: &str, wrong: &mut Vec<String>) {
    let Some(lines) = entry(heading) else {
        wrong.push(format!("`{heading}` is not in the sheet"));
        return;
    };
    let known = names(&lines, &["flag", "value", "takes", "maybe", "only", "no"]);
    for option in command.get_arguments().filter(|option| !option.is_hide_set() && !option.is_global_set()) {
        let long = option.get_long().map(|name| format!("--{name}"));
        if long.as_deref().is_some_and(|long| long != "--help" && !known.contains(&long)) {
            wrong.push(format!("`{heading}` does not say what {} does", long.unwrap_or_default()));
        }
    }
    let refused = names(&lines, &["not"]);
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help" || heading == "git grill") {
        let name = verb.get_name();
        // A verb of a `not` line is refused with whatever it is given.
        if !refused.contains(&name) && (heading == "git grill" || entry(&format!("{heading} {name}")).is_some()) {
            compare(verb, &format!("{heading} {name}"), wrong);
        }
    }
    for name in refused.iter().filter(|name| !command.get_subcommands().any(|verb| verb.get_name() == **name)) {
        wrong.push(format!("`{heading} {name}` is refused, and there is no such verb"));
    }
}

#[test]
fn the_policy_knows_every_verb_and_option_of_ours() {
    let mut wrong = Vec::new();
    compare(&Cli::command(), "git grill", &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
