//! Golden documents: three interviews, held with the real program in the projects of `fixtures/projects`, and what each
//! output makes of them, read back from the disk after it was chosen, drafted, approved and written.
//!
//! They stand in `fixtures/outputs/<output>/<project>.md`, or in a folder of that name where an output is several files.
//! `GRILL_BLESS=1 cargo test --test it outputs` writes them anew; whoever does that reads them as a reviewer would.
//! `npx markdownlint-cli2 --config fixtures/outputs/.markdownlint-cli2.jsonc "fixtures/outputs/**/*.md"` lints them.

mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use written::Held;

use crate::bench::side_by_side;

/// The interviews, by the name of their golden session and of their project.
const INTERVIEWS: &[(&str, &str)] = &[("crate", "feedwatch"), ("service", "shortlinks"), ("handbook", "handbook")];

/// What is chosen at once, and the folder for the golden documents of it, which have folders of their own there.
const OUTPUTS: &[(&str, &str)] = &[
    ("design-doc,readme,adr,prd,implementation-plan,research-brief,summary,tutorial,test-plan,changelog", ""),
    ("github-issues --path issues --strategy vertical-slices", "vertical-slices"),
    ("github-issues --path chapters --strategy tutorial-chapters", "tutorial-chapters"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/outputs")
}

#[test]
fn g31_every_output_of_three_interviews_is_as_it_was_read_and_accepted() {
    let reports = side_by_side(INTERVIEWS, compare).concat();
    assert!(reports.is_empty(), "{reports}");
}

/// Holds one interview and makes everything of it; gives what differs.
fn compare((interview, project): &(&str, &str)) -> String {
    let mut held = Held::play(interview);
    let mut report = String::new();
    for (selected, within) in OUTPUTS {
        for (output, written) in held.produce(selected) {
            held.check_links(&written);
            let kind = if within.is_empty() { output } else { format!("{output}/{within}") };
            report.push_str(&golden(&kind, project, &written));
        }
    }
    report
}

/// Compares what was written with the golden documents of an output, or writes those anew.
fn golden(kind: &str, project: &str, written: &BTreeMap<String, String>) -> String {
    let place = |name: &str| {
        let folder = folder().join(kind);
        if written.len() == 1 {
            return folder.join(format!("{project}.md"));
        }
        folder.join(project).join(name.rsplit('/').next().unwrap())
    };
    if std::env::var_os("GRILL_BLESS").is_some() {
        let _ = std::fs::remove_dir_all(folder().join(kind).join(project));
        for (name, text) in written {
            std::fs::create_dir_all(place(name).parent().unwrap()).unwrap();
            std::fs::write(place(name), text).unwrap();
        }
        return String::new();
    }
    let mut report = String::new();
    for (name, text) in written {
        let path = place(name);
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if expected != *text {
            let differ = expected.lines().zip(text.lines()).position(|(one, other)| one != other);
            let line = differ.unwrap_or_else(|| expected.lines().count().min(text.lines().count()));
            let [was, is] = [&expected, text].map(|text| text.lines().nth(line).unwrap_or("(the end)").to_owned());
            report.push_str(&format!("\n{}:{}:\n  expected {was}\n  came     {is}", path.display(), line + 1));
        }
    }
    let there = std::fs::read_dir(folder().join(kind).join(project)).map_or(0, Iterator::count);
    if written.len() > 1 && there != written.len() {
        report.push_str(&format!("\n{kind}/{project}: {} files came, and {there} stand there", written.len()));
    }
    report
}

#[test]
fn g31_a_file_that_git_ignores_is_refused_by_name_and_nothing_changes() {
    let bench = crate::bench::Bench::new();
    bench.scripts_may_approve();
    bench
        .run("printf 'out/\\n*.log\\n' >.gitignore && mkdir docs && touch docs/kept.log && git add -f . && git commit -qm ignore")
        .assert_code(0);
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'per client'").assert_code(0);
    let select = |path: &str| bench.run(&format!("git grill select design-doc --path {path}"));
    select("out/a.md").assert_code(1).assert_contains("out/a.md is ignored by git").assert_contains("check-ignore");
    select("docs/a.log").assert_code(1).assert_contains("ignored");
    bench.run("git grill status").assert_contains("interview");
    let tool = r#"{"outputPlan":"p","outputs":[{"destination":"design-doc","paths":["docs/a.md","out/a.md"]}]}"#;
    bench.run("git grill select").assert_code(0);
    bench
        .run(&format!("echo '{tool}' | CLAUDECODE=1 git grill tool grill_enter_output_phase"))
        .assert_code(1)
        .assert_contains("out/a.md is ignored by git");
    // What git tracks it does not ignore.
    select("docs/kept.log").assert_code(0);
}

/// Before, both had the one default, and what was written last was all there was.
#[test]
fn g31_two_outputs_have_a_file_each_or_are_refused_by_name() {
    let bench = crate::bench::Bench::new();
    bench.scripts_may_approve();
    bench.commit("docs/memo.md.j2", "# {{ topic }}\n\nA memo.\n");
    bench.commit("docs/talk.md.j2", "# {{ topic }}\n\nA talk.\n");
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'per client'").assert_code(0);
    bench.run("git grill select custom:docs/memo.md.j2,custom:docs/talk.md.j2 && git grill approve").assert_code(0);
    assert_eq!(bench.read("docs/grill/rate-limiting.md"), "# rate limiting\n\nA memo.\n");
    assert_eq!(bench.read("docs/grill/rate-limiting-2.md"), "# rate limiting\n\nA talk.\n");
    // By itself, each has the file that it had.
    for (output, file) in [("talk", "docs/grill/rate-limiting-2.md"), ("memo", "docs/grill/rate-limiting.md")] {
        bench.run(&format!("git grill finish && git grill select custom:docs/{output}.md.j2")).assert_code(0);
        bench.run("git grill status --porcelain").assert_contains(&format!(": {file}, "));
    }

    bench.run("git grill finish && git grill select").assert_code(0);
    let same = r#"{"outputPlan":"p","outputs":[{"destination":"design-doc","paths":["docs/API.md"]},{"destination":"summary","paths":["docs/api.md"]}]}"#;
    bench
        .run(&format!("echo '{same}' | CLAUDECODE=1 git grill tool grill_enter_output_phase"))
        .assert_code(1)
        .assert_contains("design-doc as docs/API.md and summary as docs/api.md cannot be produced together");
    bench.run("git grill status").assert_contains("output selection").assert_lacks("asks for a decision");
}

/// Where an agent leads it may write such an output itself; `fixtures/mcp/own-draft.jsonl` has that.
#[test]
fn g27_g44_where_no_agent_writes_it_a_custom_output_takes_a_template() {
    let bench = crate::bench::Bench::new();
    bench.scripts_may_approve();
    bench.commit("docs/memo.md.j2", "# {{ topic }}\n\nOn one page.\n");
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'per client'").assert_code(0);
    bench
        .run("git grill select 'custom:a poster'")
        .assert_code(1)
        .assert_contains("'a poster' is no file")
        .assert_contains("git grill select custom:docs/memo.md.j2");
    bench.run("git grill status").assert_contains("interview");
    bench.run("git grill select custom:docs/memo.md.j2 --path docs/memo.md && git grill approve").assert_code(0);
    assert_eq!(bench.read("docs/memo.md"), "# rate limiting\n\nOn one page.\n");
}

/// Nothing is approved or written at that place, so nothing of that is said.
#[test]
fn g27_g44_a_link_in_the_way_of_an_output_is_refused_in_words_for_what_was_to_be_done() {
    let bench = crate::bench::Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'per client'").assert_code(0);
    bench.run("ln -s /etc/passwd tmpl.md && ln -s /etc docs && ln -s /etc/passwd README.md -f").assert_code(0);
    for (output, why, hint) in [
        ("custom:tmpl.md", "the template tmpl.md was not read: a symlink leads out", "git grill select tries it again"),
        ("readme", "README.md is not written: a symlink leads out", "--path <another file>"),
        ("design-doc", "a symlink leads out of the repository", "--path <another file>"),
        ("custom:tmpl.md --path a.md", "tmpl.md was not read", "git grill select tries it again"),
    ] {
        bench
            .run(&format!("git grill select {output}"))
            .assert_code(1)
            .assert_contains(why)
            .assert_contains(hint)
            .assert_lacks("the approval stays");
        bench.run("git grill status").assert_contains("interview");
    }
}

/// An agent may write an output that has no template, but a name that leads out of the repository is nobody's.
#[test]
fn g27_g44_a_template_outside_is_refused_before_anything_is_chosen() {
    let bench = crate::bench::Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'per client'").assert_code(0);
    bench.run("git grill select").assert_code(0);
    for name in ["../../etc", "/etc/passwd", ".git/config"] {
        let says = format!("'{name}' is no template of this repository: ");
        bench.run(&format!("git grill select custom:{name}")).assert_code(1).assert_contains(&says);
        let tool =
            format!(r#"{{"outputPlan":"p","outputs":[{{"destination":"custom:{name}","paths":["docs/a.md"]}}]}}"#);
        bench
            .run(&format!("echo '{tool}' | CLAUDECODE=1 git grill tool grill_enter_output_phase"))
            .assert_code(1)
            .assert_contains(&says);
        bench.run("git grill status").assert_contains("output selection").assert_lacks("asks for a decision");
    }
}
