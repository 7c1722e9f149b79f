//! An interview that was held, and the files that its outputs wrote.

use std::collections::BTreeMap;
use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag};

use crate::bench::Bench;
use crate::golden::names::Names;
use crate::golden::play::bench;
use crate::golden::script::Script;

/// A bench in which an interview stands at the gate.
pub struct Held {
    bench: Bench,
    names: Names,
}

impl Held {
    /// Holds the interview of the golden session with this name, up to its end without output.
    pub fn play(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sessions");
        let text = std::fs::read_to_string(folder.join(format!("interview-{name}.md"))).unwrap();
        let script = Script::parse(&text).unwrap();
        let bench = bench(&script.directives).unwrap();
        bench.scripts_may_approve();
        let mut names = Names::new(bench.root().to_str().unwrap());
        let steps = script.steps.iter().filter(|step| !step.command.starts_with("git grill stop"));
        for step in steps {
            let output = bench.run(&names.fill_in(&step.command).unwrap());
            assert_eq!(output.code, 0, "{}: {}", step.command, output.stderr);
            names.normalise(&output.stdout);
        }
        Self { bench, names }
    }

    /// Chooses, approves and writes outputs; the files of each, with what differs from run to run normalised.
    pub fn produce(&mut self, selected: &str) -> BTreeMap<String, BTreeMap<String, String>> {
        self.bench.run(&format!("git grill select {selected}")).assert_code(0);
        let said = self.bench.run("git grill approve");
        assert_eq!(said.code, 0, "{}", said.stderr);
        self.bench.run("git grill finish").assert_code(0);
        let mut written: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut output = String::new();
        for line in said.stdout.lines() {
            if let Some((name, _)) = line.trim().split_once(" cut as ") {
                name.clone_into(&mut output);
            } else if let Some(path) = line.trim().strip_suffix(": written") {
                let text = std::fs::read_to_string(self.bench.repo().join(path)).unwrap();
                written.entry(output.clone()).or_default().insert(path.to_owned(), self.names.normalise(&text));
            }
        }
        let wanted = selected.split(' ').next().unwrap().split(',').count();
        assert_eq!(written.len(), wanted, "{selected}: {}", said.stdout);
        written
    }

    /// Every relative link of these files leads to a file of the repository, and to a line that it has.
    pub fn check_links(&self, written: &BTreeMap<String, String>) {
        for (path, text) in written {
            for event in Parser::new(text) {
                let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
                if dest_url.contains("://") {
                    continue;
                }
                let (file, line) = dest_url.split_once('#').unwrap_or((&dest_url, ""));
                let folder = self.bench.repo().join(path).parent().unwrap().to_owned();
                let target = folder.join(file).canonicalize();
                let target = target.unwrap_or_else(|error| panic!("{path}: {dest_url}: {error}"));
                assert!(target.starts_with(self.bench.repo().canonicalize().unwrap()), "{path}: {dest_url}");
                if let Some(line) = line.strip_prefix('L') {
                    let line: usize = line.split('-').next().unwrap().parse().unwrap();
                    assert!(std::fs::read_to_string(&target).unwrap().lines().count() >= line, "{path}: {dest_url}");
                }
            }
        }
    }
}
