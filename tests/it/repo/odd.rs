//! The scout in repositories that are unusual, huge or made to hurt.

use std::cell::Cell;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use git_grill::git::tree::{Entry, FOLDER};

use super::Bench;
use super::scout::{look, look_for, service};

#[test]
fn g6_odd_repositories_are_looked_at_without_an_error() {
    let empty = Bench::new();
    empty.git(".", &["init", "-q", "-b", "main", "r"]);
    let facts = look(&empty.opened("r"), "rate limit");
    assert!(facts.looked && !facts.truncated);
    assert_eq!((facts.files, facts.recent.len()), (0, 0));

    let bench = service();
    let name = OsString::from_vec(b"r/rate \xff limit.rs".to_vec());
    std::fs::write(bench.path(&name), "fn rate_limit() {}\n").unwrap();
    std::os::unix::fs::symlink("src", bench.path("r/rate_limit_link")).unwrap();
    bench.commit("r", "a name");
    let facts = look(&bench.opened("r"), "rate limit");
    assert_eq!(facts.files, 18, "it is counted");
    assert!(facts.related.iter().all(|related| !related.at.path.contains(['\u{fffd}', ' '])));

    bench.git(".", &["clone", "-q", "--bare", "r", "bare.git"]);
    let bare = look(&bench.opened("bare.git"), "rate limit");
    assert_eq!((bare.name.as_str(), &bare.related), ("svc", &facts.related));

    bench.git("r", &["update-index", "--split-index"]);
    assert_eq!(look(&bench.opened("r"), "rate limit").related, facts.related);
    bench.git("r", &["update-index", "--no-split-index"]);
    bench.git("r", &["sparse-checkout", "set", "--cone", "--sparse-index", "docs"]);
    assert_eq!(look(&bench.opened("r"), "rate limit").related, facts.related);

    bench.git("r", &["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", bench.path("r").display());
    bench.git(".", &["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "partial"]);
    let partial = look(&bench.opened("partial"), "rate limit");
    assert!(partial.truncated, "blobs are missing, and that is said");
    assert_eq!(partial.related[0].at.to_string(), "src/limiter.rs", "names still count");
    assert_eq!(partial.files, 18);
    // Nothing was fetched: the blobs are missing still.
    let missing = bench.git("partial", &["rev-list", "--objects", "--missing=print", "HEAD"]);
    assert_eq!(missing.lines().filter(|line| line.starts_with('?')).count(), 19, "{missing}");

    bench.git("r", &["commit", "-q", "--allow-empty", "-m", "second"]);
    bench.git(".", &["clone", "-q", "--depth=1", &url, "shallow"]);
    let shallow = look(&bench.opened("shallow"), "rate limit");
    assert_eq!((shallow.recent, shallow.related), (vec!["second".to_owned()], facts.related));
}

#[test]
fn g6_submodules_links_and_pointers_stand_for_something_else() {
    let bench = Bench::with_files(&[
        ("rate.md", "# Rates\n"),
        ("model.rate", "version https://git-lfs.github.com/spec/v1\noid sha256:rate\nsize 1\n"),
        ("wide.txt", "x\n"),
    ]);
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("a\nthe rate\nrate\nrate\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    std::fs::write(bench.path("r/wide.txt"), wide).unwrap();
    std::os::unix::fs::symlink("rate.md", bench.path("r/rate_link")).unwrap();
    bench.commit("r", "a link");
    let head = bench.git("r", &["rev-parse", "HEAD"]);
    bench.git("r", &["update-index", "--add", "--cacheinfo", &format!("160000,{head},rate_sub")]);
    bench.git("r", &["commit", "-q", "-m", "a submodule"]);
    let facts = look(&bench.opened("r"), "rate");
    let said: Vec<String> = facts.related.iter().map(|one| format!("{} {}", one.at, one.excerpt)).collect();
    assert_eq!(
        said,
        ["rate.md:1 # Rates", "model.rate ", "wide.txt:2 the rate"],
        "a pointer is known by its name alone"
    );
}

#[test]
fn g6_a_head_that_moves_meanwhile_changes_nothing_in_what_is_found() {
    let bench = service();
    let before = look(&bench.opened("r"), "rate limit");
    let moved = Cell::new(false);
    let during = look_for(&bench.opened("r"), "rate limit", &|| {
        if !moved.replace(true) {
            bench.write("r/src/limiter.rs", "nothing\n");
            bench.commit("r", "away with it");
        }
        true
    });
    assert_eq!((during.related, during.recent), (before.related, before.recent));
}

#[test]
fn limits_end_the_search_and_are_said() {
    let bench = service();
    let opened = bench.opened("r");
    for patience in [0, 3, 10, 25, 40] {
        let left = Cell::new(patience);
        let facts = look_for(&opened, "rate limit", &|| {
            left.set(i32::max(left.get() - 1, 0));
            left.get() > 0
        });
        assert!(facts.looked && facts.truncated, "{patience}");
    }
    let large = Bench::with_files(&[("rate.rs", &"// rate\n".repeat(100_000))]);
    let facts = look(&large.opened("r"), "rate");
    assert_eq!(facts.related[0].at.to_string(), "rate.rs", "too large to be read, but its name counts");
    assert!(!facts.truncated);
}

#[test]
fn a_tree_that_was_made_to_be_endless_ends() {
    // Forty trees, each holding the one below twice: 2^40 folders and not one file.
    let bench = Bench::new();
    bench.git(".", &["init", "-q", "-b", "main", "r"]);
    let opened = bench.opened("r");
    let repo = &opened.repo;
    let mut tree = repo.write_tree(&[]).unwrap();
    for _ in 0..40 {
        let entry = |name: &[u8]| Entry { mode: FOLDER, name: name.to_vec(), id: tree };
        tree = repo.write_tree(&[entry(b"a"), entry(b"b")]).unwrap();
    }
    let commit = bench.git("r", &["commit-tree", "-m", "deep", &tree.to_string()]);
    bench.git("r", &["update-ref", "HEAD", &commit]);
    let facts = look(&bench.opened("r"), "rate");
    assert!(facts.truncated && facts.files == 0);
}
