//! What is read from a working copy (A15): every kind of change, the agent's own commits, and a patch that brings the
//! parent to the very same tree.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use git_grill::lend::changes::{Changes, Lines, Reader, changes, diff};
use git_grill::lend::{LeftOut, ParentChange, Why};

use super::Yard;
use crate::bench::git_has_reftable;

fn read(yard: &Yard) -> Changes {
    changes(&yard.parent(), &yard.folder()).unwrap()
}

/// Letter, path and modes of every change.
fn listed(found: &Changes) -> Vec<String> {
    let mode = |side: Option<(u32, git_grill::git::Oid)>| side.map_or(0, |(mode, _)| mode);
    let files = found.files.iter();
    files
        .map(|file| {
            let path = git_grill::git::paths::quoted(&file.path);
            format!("{} {path} {:o} {:o}", file.status.letter(), mode(file.before), mode(file.now))
        })
        .collect()
}

/// Edits of every kind, some of them committed.
const EDITS: &str = "echo committed >>src/a && git add -A && git commit -qm one && git switch -qc mine && echo more >>src/a &&
    rm lib/c && chmod -x run && rm link && echo file >link && printf '\\0\\3' >bin && mkdir -p new/deep && echo n >new/deep/n &&
    ln -s ../src new/link && echo x >new/run && chmod +x new/run && echo ignored >x.log && git rm -q --cached src/in/b &&
    mkdir -p src/in/b.d && mv src/in/b src/in/b.d/b && echo kept >dist.log && git add -f dist.log && printf 'no end' >end";

fn is_read(yard: &Yard, what: &str) {
    yard.place();
    yard.sh(&yard.copy(), EDITS);
    fs::write(yard.copy().join(OsStr::from_bytes(b"caf\xe9 \n")), "name").unwrap();
    let (status, index) = ("git status --porcelain -z | cksum", yard.copy().join(".git/index"));
    let before = (yard.sh(&yard.copy(), status), fs::read(&index).unwrap());
    let (parent, found) = (yard.bytes(), read(yard));
    assert_eq!(
        listed(&found),
        [
            "M bin 100644 100644",
            "A caf\\351 \\012 0 100644",
            "A dist.log 0 100644",
            "A end 0 100644",
            "D lib/c 100644 0",
            "T link 120000 100644",
            "A new/deep/n 0 100644",
            "A new/link 0 120000",
            "A new/run 0 100755",
            "M run 100755 100644",
            "M src/a 100644 100644",
            "D src/in/b 100644 0",
            "A src/in/b.d/b 0 100644",
        ],
        "{what}"
    );
    let lines = |path: &str| found.files.iter().find(|file| file.path == path.as_bytes()).unwrap().lines;
    assert_eq!((lines("src/a"), lines("bin")), (Some(Lines { added: 2, removed: 0 }), None), "{what}");
    let ignored = BTreeSet::from([LeftOut { path: b"x.log".to_vec(), why: Why::Ignored }]);
    assert!(found.left_out == ignored && found.parent.is_empty(), "{what}: {found:?}");
    assert_eq!(fs::read(&index).unwrap(), before.1, "{what}: the agent's index is as it was");
    assert_eq!(yard.sh(&yard.copy(), status), before.0, "{what}");
    assert_eq!(yard.bytes(), parent, "{what}: nothing was written into the parent");
    let patch = diff(&yard.parent(), &yard.folder(), &found, &[], Reader::Git).unwrap();
    fs::write(yard.at("patch"), patch).unwrap();
    let tree = yard.sh(&yard.repo(), "git apply --index --binary ../patch && git write-tree");
    assert_eq!(tree, found.now.to_string(), "{what}");
}

#[test]
fn a15_every_kind_of_change_is_read_and_its_patch_makes_the_same_tree() {
    is_read(&Yard::new(), "plain");
    is_read(&Yard::with("--object-format=sha256", "true"), "sha256");
    if git_has_reftable("the changes in a copy of a reftable repository") {
        is_read(&Yard::with("--ref-format=reftable", "true"), "reftable");
    }
}

#[test]
fn a15_a_copy_in_which_nothing_changed_has_no_changes() {
    let converted = "git config core.autocrlf true && printf '*.up filter=up\\n' >.gitattributes && echo shout >x.up &&
        git config --global filter.up.clean 'tr A-Z a-z' && git config --global filter.up.smudge 'tr a-z A-Z'";
    for (before, after) in [("true", "true"), ("true", "git sparse-checkout set src"), (converted, "true")] {
        let yard = Yard::with("", before);
        yard.sh(&yard.repo(), after);
        let proof = yard.place();
        yard.sh(&yard.copy(), "find . -name .git -prune -o -type f -exec touch {} +");
        let found = read(&yard);
        assert_eq!((found.before, found.now), (proof.tree, proof.tree));
        assert!(found.files.is_empty() && found.left_out.is_empty(), "{found:?}");
        assert_eq!(diff(&yard.parent(), &yard.folder(), &found, &[], Reader::Git).unwrap(), b"");
    }
}

#[test]
fn a15_line_ends_are_read_as_git_would_commit_them() {
    let yard = Yard::with("", "git config core.autocrlf true");
    yard.place();
    yard.sh(&yard.copy(), "printf 'one\\r\\nmore\\r\\nthird\\r\\n' >src/a && printf 'x\\r\\n' >new");
    let found = read(&yard);
    assert_eq!(listed(&found), ["A new 0 100644", "M src/a 100644 100644"]);
    assert_eq!(found.files[1].lines, Some(Lines { added: 1, removed: 0 }));
}

#[test]
fn a15_paths_are_shown_one_by_one() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo x >>src/a && echo y >'*' && echo z >z");
    let found = read(&yard);
    let patch = diff(&yard.parent(), &yard.folder(), &found, &[b"*".to_vec()], Reader::Git).unwrap();
    let text = String::from_utf8(patch).unwrap();
    assert!(text.contains("+y\n") && !text.contains("+x\n") && !text.contains("+z\n"), "{text}");
}

#[test]
fn a15_a_change_of_the_parent_meanwhile_is_named() {
    let yard = Yard::new();
    yard.place();
    assert!(read(&yard).parent.is_empty());
    yard.sh(&yard.repo(), "touch -d '2020-01-01' src/a && git status >/dev/null");
    assert!(read(&yard).parent.is_empty(), "git knows better by now, and nothing changed");
    yard.sh(&yard.repo(), "echo x >>src/a && echo y >new");
    let file = |path: &str| ParentChange::File(path.as_bytes().to_vec());
    assert_eq!(read(&yard).parent, [file("new"), file("src/a")]);
    yard.sh(&yard.repo(), "git add new");
    assert_eq!(read(&yard).parent, [ParentChange::Index, file("new"), file("src/a")]);
    yard.sh(&yard.repo(), "git commit -qam three && git switch -qc other");
    let found = read(&yard).parent;
    assert!(
        matches!(found.as_slice(), [ParentChange::Head { .. }, ParentChange::Branch { .. }, ParentChange::Index]),
        "{found:?}"
    );
}

#[test]
fn a15_what_is_too_large_is_named() {
    let yard = Yard::new();
    yard.place();
    let large = fs::File::create(yard.copy().join("large")).unwrap();
    large.set_len(65 * 1024 * 1024).unwrap();
    let found = read(&yard);
    assert!(found.files.is_empty());
    let named: Vec<Why> = found.left_out.iter().map(|one| one.why).collect();
    assert_eq!(named, [Why::TooLarge]);
}

#[test]
fn a15_a26_a_file_that_is_not_in_the_encoding_of_its_attributes_is_left_out_by_name() {
    let yard = Yard::new();
    yard.place();
    yard.sh(
        &yard.copy(),
        "printf '*.txt working-tree-encoding=UTF-16\n' >.gitattributes && printf abc >odd.txt && echo n >new && \
         printf 'good\n' | iconv -t UTF-16 >good.txt",
    );
    let found = read(&yard);
    let names: Vec<&[u8]> = found.files.iter().map(|file| file.path.as_slice()).collect();
    assert_eq!(names, [b".gitattributes".as_slice(), b"good.txt", b"new"]);
    let left_out: Vec<(&[u8], Why)> = found.left_out.iter().map(|one| (one.path.as_slice(), one.why)).collect();
    assert_eq!(left_out, [(b"odd.txt".as_slice(), Why::Encoding)]);
    assert!(Why::Encoding.is_loss(), "a person says whether it may go");
}
