//! What is around a command can only take an allowance away.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use git_grill::policy::shell::{Allowed, judge};
use git_grill::policy::surroundings::{Content, Found, Program, Reach, Repository, Setting, Surroundings, What};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::corpus::{CLONES, GIVEN, OURS, read};

/// Something around a command that may make it run something else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trap {
    File(String),
    Listed(String),
    Variable(String),
    Setting(&'static str, &'static str),
    Hook,
    Submodule,
    Foreign,
    Shadowed(&'static str),
    Elsewhere,
}

const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "./evil"),
    ("diff.external", "./evil"),
    ("remote.origin.uploadpack", "./evil"),
    ("remote.origin.promisor", "true"),
    ("core.pager", "less"),
    ("gpg.program", "./evil"),
];

/// Every file and variable that a sheet names, and the rest.
fn all() -> Vec<Trap> {
    let mut traps = BTreeSet::from([Trap::Hook, Trap::Submodule, Trap::Foreign, Trap::Elsewhere]);
    traps.extend(SETTINGS.iter().map(|(key, value)| Trap::Setting(key, value)));
    traps.extend(["git", "ls", "rg", "python3"].map(Trap::Shadowed));
    let sheets = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/policy/commands/sheets");
    for sheet in fs::read_dir(sheets).unwrap() {
        let text = fs::read_to_string(sheet.unwrap().path()).unwrap();
        for line in text.lines().filter_map(|line| line.trim().strip_prefix("trap ")) {
            let mut words = line.split(" : ").next().unwrap().split(' ');
            match words.next().unwrap() {
                "above" | "here" | "folder" | "toolchain" => {
                    traps.extend(words.map(|name| Trap::File(name.to_owned())));
                }
                "holds" | "keys" => traps.extend(words.next().map(|name| Trap::File(name.to_owned()))),
                "listed" => traps.extend(words.map(|name| Trap::Listed(name.replace('*', "x")))),
                "variable" => traps.extend(words.map(|name| Trap::Variable(name.to_owned()))),
                "python" => traps.extend([Trap::Listed("json.py".to_owned())]),
                _ => {}
            }
        }
    }
    assert!(traps.len() > 80, "the sheets name more than that: {traps:?}");
    traps.into_iter().collect()
}

struct Laid(Vec<Trap>);

impl Laid {
    fn own(&self) -> Repository {
        if self.0.contains(&Trap::Foreign) {
            return Repository::Foreign("elsewhere".to_owned());
        }
        let setting = |trap: &Trap| match trap {
            Trap::Setting(key, value) => Some(Setting {
                key: (*key).to_owned(),
                value: Some((*value).to_owned()),
                file: ".git/config".to_owned(),
            }),
            _ => None,
        };
        let hooks = self.0.contains(&Trap::Hook).then(|| "hook".to_owned());
        Repository::Own { settings: self.0.iter().filter_map(setting).collect(), hooks: hooks.into_iter().collect() }
    }
}

impl Surroundings for Laid {
    fn find(&self, _folder: &str, _reach: Reach, name: &str) -> Vec<Found> {
        let text = "git = ./evil\npath = \"evil\"\nx path: include: packagemanager tool.uv paths\ndocker_host=x\n";
        let there = self.0.contains(&Trap::File(name.to_owned()));
        let found = || Found { shown: name.to_owned(), what: What::File(Content::Text(text.to_owned())) };
        there.then(found).into_iter().collect()
    }

    fn names(&self, _folder: &str) -> Option<Vec<String>> {
        let listed = |trap: &Trap| if let Trap::Listed(name) = trap { Some(name.clone()) } else { None };
        Some(self.0.iter().filter_map(listed).collect())
    }

    fn repository(&self, _folder: &str) -> Repository {
        self.own()
    }

    fn submodules(&self, _folder: &str) -> Vec<Repository> {
        let evil = Setting { key: "core.fsmonitor".to_owned(), value: Some("x y".to_owned()), file: "x".to_owned() };
        let there = self.0.contains(&Trap::Submodule);
        there.then(|| Repository::Own { settings: vec![evil], hooks: Vec::new() }).into_iter().collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.0.contains(&Trap::Variable(name.to_owned())).then(|| "./x".to_owned())
    }

    fn shadowed(&self, _folder: &str, command: &str) -> Option<String> {
        self.0.iter().any(|trap| matches!(trap, Trap::Shadowed(name) if *name == command)).then(|| "bin/x".to_owned())
    }

    fn program(&self, _path: &str) -> Program {
        if self.0.contains(&Trap::Elsewhere) { Program::Elsewhere } else { Program::System }
    }
}

fn passes(command: &str, traps: &[Trap]) -> bool {
    judge(command, &Allowed::none(), &Laid(traps.to_vec())).is_ok()
}

fn lines() -> Vec<String> {
    [GIVEN, OURS, CLONES].into_iter().flat_map(read).map(|line| line.command).collect()
}

#[test]
fn each_trap_alone_is_seen_by_some_command() {
    let lines: Vec<String> = lines().into_iter().filter(|line| passes(line, &[])).collect();
    // Commands that no corpus has, since few machines have the programs.
    let rare =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/commands/versions.txt")).unwrap();
    let rare = rare.lines().filter(|line| !line.starts_with('#') && passes(line, &[]));
    // One line of each program and its first argument before all the others: most traps are seen by one of them.
    let mut met = BTreeSet::new();
    let beginning = |line: &str| line.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
    let (mut lines, others): (Vec<&str>, Vec<&str>) =
        lines.iter().map(String::as_str).chain(rare).partition(|line| met.insert(beginning(line)));
    lines.extend(others);
    let unseen: Vec<Trap> = all()
        .into_iter()
        // A pager of the usual kind and a promise alone make nothing run.
        .filter(|trap| !matches!(trap, Trap::Setting("core.pager" | "remote.origin.promisor", _)))
        .filter(|trap| {
            let alone = std::slice::from_ref(trap);
            lines.iter().all(|line| passes(line, alone))
        })
        .collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_trap_never_turns_a_refusal_into_an_allowance(
        (command, traps, more) in (select(lines()), subsequence(all(), 0..12), select(all()))
    ) {
        let mut with = traps.clone();
        with.push(more);
        prop_assert!(passes(&command, &traps) || !passes(&command, &with), "{} with {:?}", command, with);
        prop_assert!(passes(&command, &[]) || !passes(&command, &traps), "{} with {:?}", command, traps);
    }
}
