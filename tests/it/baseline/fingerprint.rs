//! A fingerprint of a repository that shares nothing with the code under test: a walk of its own, and git's listings.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::bench::Bench;

/// Everything that drift can be about, by group and name as `verify` has them.
pub type Fingerprint = BTreeMap<(&'static str, String), String>;

pub fn of(bench: &Bench) -> Fingerprint {
    let mut found = Fingerprint::new();
    walk(bench.repo(), bench.repo(), &mut found);
    for line in listed(bench, "git ls-files -s -v -z").split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let tab = line.iter().position(|byte| *byte == b'\t').unwrap();
        let entry = found.entry(("index", shown(&line[tab + 1..]))).or_default();
        entry.push_str(std::str::from_utf8(&line[..tab]).unwrap());
        entry.push(';');
    }
    // Entries that are only meant to be added look like empty ones everywhere else.
    let intended = bench.run("git ls-files --debug | grep -B5 'flags: 2' | grep -v '^ ' || true").stdout;
    for path in intended.lines().filter(|line| *line != "--") {
        found.entry(("index", path.to_owned())).or_default().push_str("intended;");
    }
    let refs = bench.run("git for-each-ref --format='%(refname) %(objectname) %(symref)'").stdout;
    for line in refs.lines().filter(|line| !line.starts_with("refs/grill/") && !line.starts_with("refs/stash")) {
        let (name, to) = line.split_once(' ').unwrap();
        found.insert(("refs", name.to_owned()), to.to_owned());
    }
    found.insert(("HEAD", "HEAD".to_owned()), bench.read(".git/HEAD"));
    let stash = bench.run("git stash list --format='%H %gs %gd' --date=raw; git stash list --format='%cn %ce %cd'");
    found.insert(("stash", "refs/stash".to_owned()), stash.stdout);
    found
}

fn walk(top: &Path, folder: &Path, found: &mut Fingerprint) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top).unwrap();
        if name == Path::new(".git") || name == Path::new(".grill") {
            continue;
        }
        let about = std::fs::symlink_metadata(&path).unwrap();
        let print = if about.is_symlink() {
            format!("-> {}", std::fs::read_link(&path).unwrap().display())
        } else if about.is_dir() {
            walk(top, &path, found);
            continue;
        } else {
            format!("{:o} {:?}", about.permissions().mode(), std::fs::read(&path).map_err(|error| error.kind()))
        };
        found.insert(("working tree", shown(name.as_os_str().as_bytes())), print);
    }
}

fn shown(name: &[u8]) -> String {
    String::from_utf8(name.to_vec()).unwrap_or_else(|_| {
        let octal = |byte: &u8| if byte.is_ascii() { char::from(*byte).to_string() } else { format!("\\{byte:03o}") };
        name.iter().map(octal).collect()
    })
}

/// The very bytes that a command prints.
fn listed(bench: &Bench, command: &str) -> Vec<u8> {
    let hex = bench.run(&format!("{command} | od -An -v -tx1"));
    hex.assert_code(0).stdout().split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}
