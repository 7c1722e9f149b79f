//! The manual page: its grammar and its keys come from the program, the rest from `man/`, and the page that is
//! committed is what they make together.
//!
//! `GRILL_BLESS=1 cargo test manual` rewrites a stale page.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use git_grill::cli::args::Cli;
use git_grill::domain::ui::Call;
use git_grill::repo::config::keys::{KEYS, Key};

const PAGE: &str = "man/git-grill.1";

/// Stands in `man/sections.roff` where the table of keys goes.
const KEYS_GO_HERE: &str = ".\\\" the table of keys\n";

const WARNING: &str = ".\\\" Made from src/cli/args.rs, src/repo/config/keys.rs and the other files of this folder by\n\
     .\\\" GRILL_BLESS=1 cargo test manual\n";

fn page() -> String {
    let cli = Cli::command().name("git-grill");
    let root = Man::new(cli.clone()).title("GIT-GRILL").manual("Git Grill Manual");
    let mut page = WARNING.to_owned();
    page += &rendered(|page| root.render_title(page));
    page += &rendered(|page| root.render_name_section(page));
    page += ".SH SYNOPSIS\n\\fBgit grill\\fR [\\fIoptions\\fR]\n.br\n\\fBgit grill\\fR [\\fIoptions\\fR] \\fIverb\\fR [\\fIarguments\\fR]\n";
    page += &rendered(|page| root.render_description_section(page));
    page += &part("description.roff");
    page += ".SH OPTIONS\nThey may stand before or after the verb.\n";
    page += &without_headings(&rendered(|page| root.render_options_section(page)));
    page += ".SH VERBS\n";
    page += &verbs(&cli, "git grill");
    let sections = part("sections.roff");
    assert_eq!(sections.matches(KEYS_GO_HERE).count(), 1, "man/sections.roff says where the keys go, once");
    page += &sections.replace(KEYS_GO_HERE, &KEYS.iter().map(entry).collect::<String>());
    page
}

/// Every verb below `command`, each with its own arguments; those of every verb stand under OPTIONS.
fn verbs(command: &Command, path: &str) -> String {
    let mut text = String::new();
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        let path = format!("{path} {}", verb.get_name());
        let mut verb = verb.clone().bin_name(&path).disable_help_flag(true).disable_help_subcommand(true);
        let usage = verb.render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let about = verb.get_long_about().or(verb.get_about()).map(ToString::to_string).unwrap_or_default();
        text.extend([".SS \"", &escaped(&usage), "\"\n", &escaped(&about), ".\n"]);
        let below = verbs(&verb, &path);
        let own: Vec<_> = verb.get_subcommands().map(|one| one.get_name().to_owned()).collect();
        for name in own {
            verb = verb.mut_subcommand(name, |one| one.hide(true));
        }
        let man = Man::new(verb);
        text += &without_headings(&rendered(|page| man.render_options_section(page)));
        text += &below;
    }
    text
}

fn entry(key: &Key) -> String {
    let default = match key.default {
        "" => "none".to_owned(),
        default => format!("\\fB{}\\fR", escaped(default)),
    };
    let allowed = key.kind.allowed().iter().map(|value| format!("\\fB{}\\fR", escaped(value))).collect::<Vec<_>>();
    let scope = match key.counts.told() {
        "" => String::new(),
        told => format!(" {}", escaped(told)),
    };
    format!(
        ".TP\n\\fB{}\\fR\n{}. One of {}. Default: {default}.{scope}\n",
        escaped(key.name),
        escaped(key.help),
        allowed.join(", ")
    )
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace("\n\n", "\n.PP\n")
}

fn rendered(render: impl Fn(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    render(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The generated part repeats the preamble and the heading of every section; one of each is enough.
fn without_headings(roff: &str) -> String {
    let body =
        roff.lines().filter(|line| !line.starts_with(".SH ") && !line.starts_with(".ie ") && !line.starts_with(".el "));
    body.flat_map(|line| [line, "\n"]).collect()
}

fn part(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("man").join(name)).unwrap()
}

#[test]
fn the_manual_page_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os("GRILL_BLESS").is_some() {
        std::fs::write(&path, page).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == page,
        "{PAGE} is stale; GRILL_BLESS=1 cargo test manual rewrites it\n{}",
        first(&committed, &page)
    );
}

/// The first line that differs, so that the message says what went stale.
fn first(old: &str, new: &str) -> String {
    let differing = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    differing.map_or_else(|| "one of them is longer".to_owned(), |(old, new)| format!("- {old}\n+ {new}"))
}

#[test]
fn the_manual_names_every_verb_option_and_key() {
    let page = page().replace("\\-", "-");
    for verb in Cli::command().get_subcommands() {
        assert!(page.contains(&format!(".SS \"git grill {}", verb.get_name())), "{}", verb.get_name());
        for option in verb.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(page.contains(&format!("--{option}")), "{} --{option}", verb.get_name());
        }
    }
    for key in KEYS {
        assert!(page.contains(&format!("\\fB{}\\fR\n{}", key.name, key.help)), "{}", key.name);
    }
}

/// A message may go on over several lines there.
#[test]
fn p9_the_messages_that_the_manual_shows_are_messages_and_every_method_is_among_them() {
    let sections = part("sections.roff");
    let (_, after) = sections.split_once(".SH EXTENSIONS\n").unwrap();
    let (section, _) = after.split_once("\n.SH ").unwrap();
    let mut messages: Vec<String> = Vec::new();
    for line in section.replace("\\-", "-").lines() {
        let Some(text) = line.strip_prefix("    ") else { continue };
        match text.strip_prefix("> ").or_else(|| text.strip_prefix("< ")) {
            Some(begin) => messages.push(begin.to_owned()),
            None => messages.last_mut().unwrap().push_str(text.trim_start()),
        }
    }
    let mut methods = Vec::new();
    for message in &messages {
        let frame: serde_json::Value =
            serde_json::from_str(message).unwrap_or_else(|error| panic!("{message}: {error}"));
        assert_eq!(frame["jsonrpc"], "2.0", "{message}");
        methods.extend(frame["method"].as_str().map(str::to_owned));
    }
    for method in Call::METHODS.iter().chain(&["initialize", "tool/call", "command/run", "ui.cancel"]) {
        assert!(methods.iter().any(|shown| shown == method), "{method}");
    }
}
