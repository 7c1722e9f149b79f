//! `git grill draft`: shown, edited, left out, before anybody approves (G31, G32).

mod approved;
mod chosen_again;
mod edited;
mod left_out;
mod rounds;

use serde_json::Value;

use crate::bench::Bench;

fn drafts(bench: &Bench) -> Vec<Value> {
    let json = bench.run("git grill --json draft");
    let value: Value = serde_json::from_str(json.assert_code(0).stdout()).expect("one JSON object");
    value["drafts"].as_array().expect("a list").clone()
}

fn text(bench: &Bench, target: &str) -> String {
    one(bench, target, "content")
}

/// How far one draft is.
fn stage(bench: &Bench, target: &str) -> String {
    one(bench, target, "stage")
}

fn one(bench: &Bench, target: &str, field: &str) -> String {
    let all = drafts(bench);
    let found = all.iter().find(|draft| draft["path"] == target).unwrap_or_else(|| panic!("no {target} in {all:?}"));
    found[field].as_str().expect("a text").to_owned()
}

fn commits(bench: &Bench) -> String {
    bench.run("git rev-list --count GRILL_HEAD").assert_code(0).stdout().trim().to_owned()
}
