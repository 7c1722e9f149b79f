//! Cited places looked at again: what moved is told from what changed, and nothing that is merely stored differently
//! raises an alarm (G15).

use git_grill::app::ports::Scout;
use git_grill::domain::citations::{Fate, Seen};
use git_grill::domain::facts::Evidence;
use git_grill::domain::ids::ObjectId;
use git_grill::repo::scout::RepoScout;

use super::Bench;
use super::scout::scout;

/// A name, what is done to the file, and what is found then.
type Row = (&'static str, fn(&Bench), Option<(Fate, Seen)>);

const TEXT: &str = "one\ntwo\nthree\n";

fn bench() -> Bench {
    Bench::with_files(&[("src/a.rs", TEXT), ("whole.toml", "x = 1\n")])
}

fn cite(bench: &Bench, path: &str, lines: Option<(u32, u32)>) -> Evidence {
    let blob = bench.git("r", &["rev-parse", &format!("HEAD:{path}")]);
    Evidence { path: path.to_owned(), lines, blob: Some(ObjectId::parse(&blob).unwrap()) }
}

fn rechecked(bench: &Bench, cited: &[Evidence]) -> Vec<(Fate, Seen)> {
    let opened = bench.opened("r");
    let sparse = bench.git("r", &["config", "--default=false", "--get", "core.sparseCheckout"]) == "true";
    let scout = RepoScout { sparse, ..scout(&opened, &|| true) };
    scout.recheck(cited).into_iter().map(|one| (one.fate, one.seen)).collect()
}

#[test]
fn g15_what_became_of_a_place_is_seen_in_the_commit_first() {
    let rows: &[Row] = &[
        ("nothing", |_| (), None),
        ("the file grew below", |b| b.write("r/src/a.rs", "one\ntwo\nthree\nfour\n"), Some((Fate::Beside, Seen::Head))),
        (
            "the lines moved",
            |b| b.write("r/src/a.rs", "zero\none\ntwo\n"),
            Some((Fate::Moved { to: (3, 3) }, Seen::Head)),
        ),
        ("the lines changed", |b| b.write("r/src/a.rs", "one\n2\nthree\n"), Some((Fate::Changed, Seen::Head))),
        (
            "the file has another name",
            |b| {
                b.git("r", &["mv", "src/a.rs", "src/b.rs"]);
            },
            Some((Fate::Renamed { to: "src/b.rs".to_owned() }, Seen::Head)),
        ),
        ("the file is gone", |b| std::fs::remove_file(b.path("r/src/a.rs")).unwrap(), Some((Fate::Gone, Seen::Head))),
        (
            "a link stands there",
            |b| {
                std::fs::remove_file(b.path("r/src/a.rs")).unwrap();
                std::os::unix::fs::symlink("/etc/passwd", b.path("r/src/a.rs")).unwrap();
            },
            Some((Fate::Changed, Seen::Head)),
        ),
    ];
    for (name, deed, expected) in rows {
        let bench = bench();
        let cited = [cite(&bench, "src/a.rs", Some((2, 2)))];
        deed(&bench);
        let uncommitted = rechecked(&bench, &cited);
        bench.commit("r", "after");
        assert_eq!(rechecked(&bench, &cited), expected.iter().cloned().collect::<Vec<_>>(), "{name}");
        // The same before it is committed is seen in the working tree, where a name that changed is a file that is gone.
        let in_tree = match expected {
            Some((Fate::Renamed { .. }, _)) => Some(Fate::Gone),
            Some((fate, _)) => Some(fate.clone()),
            None => None,
        };
        assert_eq!(
            uncommitted,
            in_tree.map(|fate| (fate, Seen::WorkingTree)).into_iter().collect::<Vec<_>>(),
            "{name}"
        );
    }
}

#[test]
fn g15_the_newest_commit_is_listed_once_for_all_places_that_are_gone() {
    let names: Vec<String> = (0..40).map(|number| format!("{number}.md")).collect();
    let texts: Vec<String> = (0..40).map(|number| format!("text {number}\n")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let bench = Bench::with_files(&files);
    let cited: Vec<Evidence> = names.iter().take(10).map(|name| cite(&bench, name, None)).collect();
    for name in &names[..10] {
        bench.git("r", &["mv", name, &format!("moved-{name}")]);
    }
    bench.commit("r", "after");
    let opened = bench.opened("r");
    let asked = std::cell::Cell::new(0);
    let keep_going = || {
        asked.set(asked.get() + 1);
        true
    };
    let found = scout(&opened, &keep_going).recheck(&cited);
    let moved: Vec<Fate> = names.iter().take(10).map(|name| Fate::Renamed { to: format!("moved-{name}") }).collect();
    assert_eq!(found.into_iter().map(|one| one.fate).collect::<Vec<_>>(), moved);
    assert!(asked.get() <= 10 + 40, "once for each place and each file: {}", asked.get());
}

#[test]
fn g15_a_whole_file_is_another_one_when_its_bytes_are() {
    let bench = bench();
    let cited = [cite(&bench, "whole.toml", None), cite(&bench, "src/a.rs", Some((1, 1)))];
    bench.write("r/whole.toml", "x = 2\n");
    assert_eq!(rechecked(&bench, &cited), [(Fate::Changed, Seen::WorkingTree)]);
}

#[test]
fn g15_what_is_only_stored_differently_alarms_nobody() {
    // Line ends of the working tree.
    let bench = bench();
    let cited = [cite(&bench, "src/a.rs", Some((2, 2))), cite(&bench, "whole.toml", None)];
    bench.write("r/src/a.rs", "one\r\ntwo\r\nthree\r\n");
    bench.write("r/whole.toml", "x = 1\r\n");
    assert_eq!(rechecked(&bench, &cited), []);

    // A filter, as git-lfs is one.
    let bench = Bench::with_files(&[(".gitattributes", "*.dat filter=lfs\n"), ("big.dat", "pointer\n")]);
    let cited = [cite(&bench, "big.dat", None)];
    bench.write("r/big.dat", "what the pointer stands for\n");
    assert_eq!(rechecked(&bench, &cited), []);

    // A sparse checkout leaves files out.
    let bench = Bench::with_files(&[("src/a.rs", TEXT), ("docs/b.md", "# B\n")]);
    let cited = [cite(&bench, "src/a.rs", Some((2, 2)))];
    bench.git("r", &["sparse-checkout", "set", "--cone", "docs"]);
    assert!(!bench.path("r/src/a.rs").exists());
    assert_eq!(rechecked(&bench, &cited), []);
}

#[test]
fn g15_where_nothing_is_checked_out_the_commit_alone_counts() {
    let bench = bench();
    let cited = [cite(&bench, "src/a.rs", Some((2, 2)))];
    bench.git(".", &["clone", "-q", "--bare", "r", "bare.git"]);
    assert!(scout(&bench.opened("bare.git"), &|| true).recheck(&cited).is_empty());
    bench.git(".", &["clone", "-q", "--no-checkout", "r", "unchecked"]);
    assert!(scout(&bench.opened("unchecked"), &|| true).recheck(&cited).is_empty());
    // Without a commit there is nothing to compare with.
    bench.git("r", &["checkout", "-q", "--orphan", "fresh"]);
    assert!(scout(&bench.opened("r"), &|| true).recheck(&cited).is_empty());
}

#[test]
fn g15_a_place_that_cannot_be_read_is_another_one_and_nothing_is_fetched() {
    let bench = bench();
    let cited = [cite(&bench, "src/a.rs", Some((2, 2)))];
    bench.git("r", &["config", "uploadpack.allowFilter", "true"]);
    bench.write("r/src/a.rs", "zero\none\ntwo\nthree\n");
    bench.commit("r", "moved");
    let url = format!("file://{}", bench.path("r").display());
    bench.git(".", &["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "partial"]);
    let objects = || std::fs::read_dir(bench.path("partial/.git/objects/pack")).unwrap().count();
    let before = objects();
    let found = scout(&bench.opened("partial"), &|| true).recheck(&cited);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].fate, Fate::Changed, "the blob is another one, and neither can be read");
    assert_eq!(objects(), before);
}

#[test]
fn g15_paths_that_lead_elsewhere_are_not_followed() {
    let bench = bench();
    let mut cited = [cite(&bench, "src/a.rs", Some((2, 2)))];
    // A folder that became a link: what stands behind it is not this file.
    bench.write("elsewhere/a.rs", "one\nelse\n");
    std::fs::remove_dir_all(bench.path("r/src")).unwrap();
    std::os::unix::fs::symlink(bench.path("elsewhere"), bench.path("r/src")).unwrap();
    assert_eq!(rechecked(&bench, &cited), [], "the commit has it, and the link is not followed");
    for path in ["../elsewhere/a.rs", "/etc/passwd", ""] {
        path.clone_into(&mut cited[0].path);
        let _ = rechecked(&bench, &cited);
    }
}

#[test]
fn g15_checking_ends_when_patience_does() {
    let bench = bench();
    let cited = [cite(&bench, "src/a.rs", Some((2, 2)))];
    bench.write("r/src/a.rs", "");
    assert!(scout(&bench.opened("r"), &|| false).recheck(&cited).is_empty());
}

#[test]
fn g57_a_place_is_found_by_the_end_of_its_path() {
    let bench = Bench::with_files(&[("src/deep/a.rs", TEXT), ("lib/a.rs", "one\n"), ("src/b.rs", "one\n")]);
    bench.write("r/src/b.rs", "one\ntwo\n");
    let named = |path: &str, lines: Option<(u32, u32)>| Evidence { path: path.to_owned(), lines, blob: None };
    for (path, lines, expected) in [
        ("a.rs", None, None),
        ("deep/a.rs", Some((2, 3)), None),
        // One of the files of this name has the line.
        ("a.rs", Some((3, 3)), None),
        ("a.rs", Some((4, 4)), Some(Fate::Changed)),
        // An edit that nobody committed counts.
        ("b.rs", Some((2, 2)), None),
        ("eep/a.rs", None, Some(Fate::Gone)),
        ("c.rs", Some((1, 1)), Some(Fate::Gone)),
    ] {
        let found: Vec<Fate> = rechecked(&bench, &[named(path, lines)]).into_iter().map(|(fate, _)| fate).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{path} {lines:?}");
    }
}
