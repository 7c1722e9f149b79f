//! Files that a filter of the user's converts are left out by name: no filter is run over what an agent wrote, and nothing
//! that one hides is committed in plain (A15, A26, A39).

use std::fs;

use git_grill::lend::accept::Applied;
use git_grill::lend::changes::{Changes, changes};
use git_grill::lend::cleanup::{Loss, cleanup};
use git_grill::lend::keep::keep;
use git_grill::lend::{LendError, Why};

use super::{AGENT, Yard};

const ROT: &str = "git config --global filter.rot.clean 'tr a-z n-za-m' &&
    git config --global filter.rot.smudge 'tr a-z n-za-m'";

fn named(found: &Changes) -> (Vec<&str>, Vec<(&str, Why)>) {
    let files = found.files.iter().map(|file| std::str::from_utf8(&file.path).unwrap());
    let left_out = found.left_out.iter().map(|one| (std::str::from_utf8(&one.path).unwrap(), one.why));
    (files.collect(), left_out.collect())
}

fn yard() -> Yard {
    let yard = Yard::with("", &format!("{ROT} && echo '*.md filter=rot' >.gitattributes && echo hello >sec.md"));
    assert_eq!(yard.sh(&yard.repo(), "git show HEAD:sec.md"), "uryyb");
    yard.place();
    assert_eq!(yard.sh(&yard.copy(), "cat sec.md"), "hello");
    yard
}

#[test]
fn a15_a26_a_file_that_a_filter_of_the_user_s_converts_is_left_out_by_name() {
    let yard = yard();
    yard.sh(&yard.copy(), "echo added >>sec.md && echo new >new.md && ln -s sec.md link.md && echo t >t.txt");
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let left_out = vec![("new.md", Why::Filtered), ("sec.md", Why::Filtered)];
    assert_eq!(named(&found), (vec!["link.md", "t.txt"], left_out));
    assert_eq!(yard.accept().paths, [b"link.md".as_slice(), b"t.txt"]);
    assert_eq!(yard.sh(&yard.repo(), "cat sec.md; git status --porcelain"), "hello\n?? link.md\n?? t.txt");
    // What is kept has none of it in plain, and a cleanup asks before it goes.
    let kept = keep(&yard.parent(), &yard.folder(), AGENT).unwrap();
    let listed = format!("git show {0}:sec.md && git ls-tree --name-only {0} -- new.md", kept.commit);
    assert_eq!(yard.sh(&yard.repo(), &listed), "uryyb");
    let refused = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap_err();
    assert_eq!(refused, LendError::WouldLose { paths: vec![b"new.md".to_vec(), b"sec.md".to_vec()] });
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Accepted).unwrap();
}

#[test]
fn a15_the_agent_s_own_attributes_neither_take_a_filter_away_nor_run_one() {
    let yard = yard();
    let line = "echo '*.txt filter=rot' >.gitattributes && chmod +x sec.md && echo t >t.txt && \
                printf '[filter \"none\"]\\n\\tclean = false\\n' >>.git/config && echo '*.n filter=none' >>.gitattributes && echo n >n.n";
    yard.sh(&yard.copy(), line);
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let left_out = vec![("sec.md", Why::Filtered), ("t.txt", Why::Filtered)];
    assert_eq!(named(&found), (vec![".gitattributes", "n.n"], left_out), "a name without a filter converts nothing");
}

#[test]
fn a39_a_filter_that_the_user_names_meanwhile_is_not_run_over_the_agent_s_files() {
    let yard = Yard::with("", ROT);
    yard.place();
    yard.sh(&yard.copy(), "echo new >new.md && ln -s new.md link.md && echo t >t.txt");
    yard.sh(&yard.repo(), "echo '*.md filter=rot' >.gitattributes");
    let before = yard.scene();
    let refused = yard.try_accept(&|_| ()).map(|applied| matches!(applied, Applied::Accepted(_))).unwrap_err();
    assert_eq!(refused, LendError::Filtered { paths: vec![b"new.md".to_vec()] });
    assert_eq!(yard.scene(), before, "nothing is half done");
}

/// One who unpacks or copies a repository has its configuration, too, and nobody was asked about that.
#[test]
fn a13_a14_a39_a_filter_of_the_repository_s_own_is_run_nowhere() {
    let yard = Yard::with("", "echo '*.md filter=evil' >.gitattributes && echo hello >a.md && echo b >b.md");
    let ran = yard.at("ran");
    let trap = format!("touch '{}'; cat", ran.display());
    let touch = "touch -d 2001-01-01 a.md b.md src/a";
    let plant = format!(
        "for key in clean smudge process; do git config filter.evil.$key \"{trap}\"; done;
         git config filter.evil.required true; git config core.fsmonitor \"{trap}\";
         git config diff.evil.textconv \"{trap}\"; git config diff.external \"{trap}\"; {touch}"
    );
    yard.sh(&yard.repo(), &plant);
    yard.place();
    assert_eq!(fs::read(yard.copy().join("a.md")).unwrap(), b"hello\n");
    fs::write(yard.copy().join("a.md"), "more\n").unwrap();
    fs::write(yard.copy().join("t.txt"), "t\n").unwrap();
    fs::remove_file(yard.copy().join("b.md")).unwrap();
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    assert_eq!(named(&found), (vec!["b.md", "t.txt"], vec![("a.md", Why::Filtered)]));
    yard.sh(&yard.repo(), touch);
    assert_eq!(yard.accept().paths, [b"b.md".as_slice(), b"t.txt"]);
    yard.undo().unwrap();
    assert_eq!(fs::read(yard.repo().join("b.md")).unwrap(), b"b\n");
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Accepted).unwrap();
    assert!(!ran.exists(), "a program of the repository was run");
}

/// As with `git lfs install --local`.
#[test]
fn a14_a39_what_a_filter_of_the_repository_s_own_converts_is_in_the_copy_as_it_is_committed() {
    let own = ROT.replace(" --global", "");
    let yard = Yard::with("", &format!("{own} && echo '*.md filter=rot' >.gitattributes && echo hello >sec.md"));
    yard.sh(&yard.repo(), "touch -d 2001-01-01 sec.md");
    let refused = yard.try_place(&yard.repo()).unwrap_err();
    assert_eq!(
        refused,
        LendError::Dirty { paths: vec![b"sec.md".to_vec()], unfinished: None },
        "without the filter it differs"
    );
    assert_eq!(yard.sh(&yard.repo(), "git status --porcelain"), "", "from here on git knows the file by its times");
    yard.place();
    assert_eq!(fs::read(yard.copy().join("sec.md")).unwrap(), b"uryyb\n");
    assert_eq!(yard.sh(&yard.copy(), "git status --porcelain"), "");
    fs::write(yard.copy().join("new.md"), "new\n").unwrap();
    fs::remove_file(yard.copy().join("sec.md")).unwrap();
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    assert_eq!(named(&found), (vec!["sec.md"], vec![("new.md", Why::Filtered)]));
    assert_eq!(yard.accept().paths, [b"sec.md"]);
    assert!(!yard.repo().join("sec.md").exists());
    yard.undo().unwrap();
    assert_eq!(fs::read(yard.repo().join("sec.md")).unwrap(), b"hello\n");
}
