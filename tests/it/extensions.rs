//! Extensions, with the real program: where they are found, who enables one, what becomes of one that misbehaves, and the
//! walls around it (P5, P6, P7, P9, P28). Each is a shell script that the test writes.

mod found;
mod misbehaving;
mod screens;
mod typed;

use std::path::PathBuf;

use crate::bench::{Bench, executable};

/// The words that every script here begins with: the id of a request is the first one in it, and an answer has it.
const HEAD: &str = r#"#!/bin/sh
id() { printf '%s' "$line" | grep -o '"id":[^,}]*' | head -n 1 | cut -d: -f2; }
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
"#;

/// What one says of itself that is called so.
fn hello(name: &str) -> String {
    format!(
        r#"{{"name":"{name}","version":"1.0","ui_api_version":1,"tools":[{{"name":"ask","description":"Asks.","inputSchema":{{"type":"object"}}}}],"commands":[{{"name":"new","description":"Begins a topic."}}]}}"#
    )
}

/// A script that greets as `name`, and then does `deed` with the one request that comes.
fn script(name: &str, deed: &str) -> String {
    let hello = hello(name);
    format!(
        "{HEAD}IFS= read -r line || exit 1\nid=$(id)\nanswer '{hello}'\nIFS= read -r line || exit 0\nid=$(id)\n{deed}\n\
         cat >/dev/null\n"
    )
}

/// Writes the file of an extension into a folder below the world's root.
fn write(bench: &Bench, folder: &str, name: &str, content: &str) -> PathBuf {
    let path = bench.root().join(folder).join(format!("git-grill-{name}"));
    executable(&path, content);
    path
}

/// A world on a disk, where walls hold, with this extension in `bin`.
fn world(name: &str, deed: &str) -> Bench {
    let bench = Bench::on_disk(Bench::new);
    write(&bench, "bin", name, &script(name, deed));
    bench
}

/// A shell line with that folder on `PATH`.
fn typed(line: &str) -> String {
    format!("PATH=\"$PWD/../bin:$PATH\" {line}")
}

/// A world whose account starts an extension without walls, so that it leaves a trace beside the repository where it runs.
fn traced(name: &str, file: &str) -> Bench {
    let bench = Bench::new();
    let trace = bench.root().join("trace");
    let content = script(name, "answer '{\"text\":\"ran\"}'");
    let content = content.replacen('\n', &format!("\n: >'{}'\n", trace.display()), 1);
    executable(&bench.repo().join(file), content);
    bench.with_account().global_config(&format!("[grill \"extension.{name}\"]\n\tsandbox = false\n"));
    bench
}

fn ran(bench: &Bench) -> bool {
    bench.root().join("trace").exists()
}
