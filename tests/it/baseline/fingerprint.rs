//! A fingerprint of a repository that shares nothing with the code under test: a walk of its own, and git's listings.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::bench::Bench;

/// Everything that drift can be about, by group and name as `verify` has them.
pub type Fingerprint = BTreeMap<(&'static str, String), String>;

/// Takes it.
pub fn of(bench: &Bench) -> Fingerprint {
    let mut found = Fingerprint::new();
    walk(bench.repo(), bench.repo(), &mut found);
    let index = bench.run("git ls-files -s -v -z | tr '\\0\\n' '\\n?'").assert_code(0).stdout().to_owned();
    for line in index.lines() {
        let (about, path) = line.split_once('\t').unwrap();
        let entry = found.entry(("index", path.to_owned())).or_default();
        entry.push_str(about);
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
        let bytes = name.as_os_str().as_bytes();
        let shown = String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| {
            let octal =
                |byte: &u8| if byte.is_ascii() { char::from(*byte).to_string() } else { format!("\\{byte:03o}") };
            bytes.iter().map(octal).collect()
        });
        found.insert(("working tree", shown), print);
    }
}
