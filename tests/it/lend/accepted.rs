//! Work of an agent in the user's own files: accepted as one step, and taken back (A16, A39).

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use git_grill::lend::accept::{Applied, Moment, Order, Why, apply, foresee, newest, undo};
use git_grill::lend::changes::unaccepted;
use git_grill::lend::cleanup::{Loss, cleanup};
use git_grill::lend::plan::Clash;
use git_grill::lend::standing::propose;
use git_grill::lend::{LendError, ParentChange};

use super::{AGENT, Yard, tree};

/// One change of each kind, which the user's own leave room for.
pub const WORK: &str = "echo agent >>src/a && chmod +x src/in/b && rm bin && mkdir bin && echo z >bin/z &&
    rm -r lib && echo file >lib && ln -sfn lib link && mv run running && mkdir -p d/e && echo x >d/e/x &&
    printf n >\"$(printf 'caf\\351')\"";
/// What the user did meanwhile.
pub const MEANWHILE: &str =
    "sed -i '1s/^/user\\n/' src/a && chmod 600 src/a && echo mine >other && echo s >s && git add s &&
    mkdir empty";

#[test]
fn a16_every_kind_of_change_lands_in_a_dirty_tree_and_one_undo_takes_it_back() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    yard.sh(&yard.repo(), MEANWHILE);
    let (before, copy) = (yard.scene(), tree(&yard.copy()));
    let accepted = yard.accept();
    let reference = accepted.step.unwrap().1;
    assert_eq!(reference, "refs/grill/local/accepted/g1-1");
    let after = yard.scene();
    assert_eq!(after.index, before.index, "nothing is staged");
    let shown = "cat src/a bin/z lib d/e/x caf* other && readlink link && stat -c %a src/a && test -x src/in/b &&
        test -x running && ls";
    let expected = "user\none\nmore\nagent\nz\nfile\nx\nnmine\nlib\n600\nbin\ncaf\u{fffd}\nd\nempty\nlib\nlink\nother\n\
        running\ns\nsrc";
    assert_eq!(yard.sh(&yard.repo(), shown), expected);
    // What stood there is to be found under the ref, with the very bytes.
    let kept = format!("git show {reference}:before/src/a && git ls-tree -r --name-only {reference}");
    assert!(yard.sh(&yard.repo(), &kept).starts_with("user\none\nmore\n"));
    assert_eq!(tree(&yard.copy()), copy, "the copy is only read");
    // Nobody is surprised by it later.
    let found = unaccepted(&yard.parent(), &yard.folder()).unwrap();
    let files = ["other", "s"].map(|path| ParentChange::File(path.into()));
    let [other, staged] = files;
    assert_eq!((found.files.len(), found.parent), (0, vec![ParentChange::Index, other, staged]));
    let undone = yard.undo().unwrap();
    assert_eq!(undone.reference, reference);
    assert_eq!(yard.scene(), before);
    assert_eq!(tree(&yard.copy()), copy);
    assert_eq!(yard.undo().unwrap_err().code(), "worktree_wrong");
    // What was taken back is there to be accepted again.
    assert_eq!(yard.accept().paths, accepted.paths);
}

#[test]
fn a39_line_ends_and_attributes_are_those_of_a_checkout() {
    let yard = Yard::with("", "git config core.autocrlf true && echo '*.dos text eol=crlf' >.gitattributes");
    yard.place();
    yard.sh(
        &yard.copy(),
        "printf 'agent\\r\\n' >>src/a && printf 'n\\n' >n && printf 'abc\\n' >w.dos &&
            printf '*.dos text eol=crlf\\n*.unix text eol=lf\\n' >.gitattributes && printf 'u\\r\\n' >x.unix",
    );
    let before = yard.scene();
    yard.accept();
    let read = |path: &str| fs::read_to_string(yard.repo().join(path)).unwrap();
    assert_eq!(read("src/a"), "one\r\nmore\r\nagent\r\n");
    let made = ["n", "w.dos", "x.unix"].map(read);
    assert_eq!(made, ["n\r\n", "abc\r\n", "u\n"]);
    yard.undo().unwrap();
    assert_eq!(yard.scene(), before, "the user's line ends too");
}

#[test]
fn a39_overlap_is_shown_and_nothing_at_all_is_written() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "sed -i '1s/one/theirs/' src/a && echo n >new && printf '\\0x' >bin");
    yard.sh(&yard.repo(), "sed -i '1s/one/ours/' src/a && printf '\\0y' >bin");
    let (before, copy) = (yard.scene(), tree(&yard.copy()));
    let Applied::Conflicts(conflicts) = yard.try_accept(&|_| ()).unwrap() else { panic!("it was written") };
    let [binary, overlap] = conflicts.as_slice() else { panic!("{conflicts:?}") };
    assert_eq!((binary.path.as_slice(), &binary.why), (b"bin".as_slice(), &Why::Clash(Clash::BothChanged)));
    let Why::Overlap(text) = &overlap.why else { panic!("{overlap:?}") };
    let text = String::from_utf8_lossy(text);
    assert_eq!(text, "<<<<<<< yours\nours\n=======\ntheirs\n>>>>>>> g1\nmore\n");
    assert_eq!((yard.scene(), tree(&yard.copy())), (before, copy));
}

#[test]
fn a39_a_file_of_the_user_s_is_never_written_over_tracked_or_not_or_ignored() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo a >new && echo a >a.log && git add -f a.log && mkdir sub && echo a >sub/file");
    yard.sh(&yard.repo(), "echo u >new && echo u >a.log && mkdir out && ln -s out sub");
    let before = yard.scene();
    let Applied::Conflicts(conflicts) = yard.try_accept(&|_| ()).unwrap() else { panic!("it was written") };
    let paths: Vec<&[u8]> = conflicts.iter().map(|one| one.path.as_slice()).collect();
    assert_eq!(paths, [b"a.log".as_slice(), b"new", b"sub/file"]);
    assert_eq!(yard.scene(), before);
}

#[test]
fn a39_what_the_user_writes_while_it_goes_on_stays_and_the_rest_is_taken_back() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    let file = yard.repo().join("src/a");
    let mut before = yard.scene();
    let error = yard
        .try_accept(&|moment| {
            if moment == Moment::Ready(b"src/a") {
                fs::write(&file, "typed a moment ago").unwrap();
            }
        })
        .unwrap_err();
    assert_eq!(error, LendError::ChangedMeanwhile { paths: vec![b"src/a".to_vec()] });
    before.files.get_mut(Path::new("src/a")).unwrap().1 = b"typed a moment ago".to_vec();
    assert_eq!(yard.scene(), before);
}

#[test]
fn a39_a_plan_that_does_not_hold_any_more_is_not_carried_out() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a && echo n >new");
    let (parent, folder) = (yard.parent(), yard.folder());
    let changes = unaccepted(&parent, &folder).unwrap();
    let plan = propose(&parent, &folder, &changes).unwrap();
    let order = Order { changes: &changes, plan: &plan, by: AGENT, watch: &|_| () };
    yard.sh(&yard.repo(), "sed -i '1s/^/user /' src/a");
    let before = yard.scene();
    let error = apply(&parent, &folder, &order).unwrap_err();
    assert_eq!(error, LendError::ChangedMeanwhile { paths: vec![b"src/a".to_vec()] });
    assert_eq!(yard.scene(), before);
    // Nor is one twice.
    yard.sh(&yard.repo(), "git checkout -q src/a");
    let Applied::Accepted(_) = apply(&parent, &folder, &order).unwrap() else { panic!("conflicts") };
    assert_eq!(apply(&parent, &folder, &order).unwrap_err().code(), "worktree_wrong");
}

#[test]
fn a16_undo_refuses_what_was_changed_since_and_names_it() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    yard.accept();
    for (line, path, back) in [
        ("echo more >>src/a", "src/a", "sed -i '$d' src/a"),
        ("chmod u+x lib", "lib", "chmod u-x lib"),
        ("echo mine >bin/mine", "bin/mine", "rm bin/mine"),
        ("ln -sfn elsewhere link", "link", "ln -sfn lib link"),
        ("echo again >run", "run", "rm run"),
    ] {
        yard.sh(&yard.repo(), line);
        let before = yard.scene();
        let error = yard.undo().unwrap_err();
        assert_eq!(error, LendError::ChangedSince { paths: vec![path.into()] }, "{line}");
        assert_eq!(yard.scene(), before, "{line}");
        yard.sh(&yard.repo(), back);
    }
    yard.sh(&yard.repo(), "echo beside >d/beside && git add -A && git reset -q");
    yard.undo().unwrap();
    assert_eq!(yard.sh(&yard.repo(), "git status --porcelain"), "?? d/", "what the user put beside it stays");
}

#[test]
fn a39_after_another_turn_only_what_is_new_is_accepted() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a && echo n >new && echo x >>src/in/b");
    let first = yard.scene();
    let one: BTreeSet<Vec<u8>> = [b"src/a".to_vec(), b"new".to_vec()].into();
    let (parent, folder) = (yard.parent(), yard.folder());
    let changes = unaccepted(&parent, &folder).unwrap().only(&one);
    let plan = propose(&parent, &folder, &changes).unwrap();
    let order = Order { changes: &changes, plan: &plan, by: AGENT, watch: &|_| () };
    let Applied::Accepted(accepted) = apply(&parent, &folder, &order).unwrap() else { panic!("conflicts") };
    assert_eq!(accepted.paths, [b"new".to_vec(), b"src/a".to_vec()]);
    // The user goes on with it, and so does the agent, elsewhere.
    yard.sh(&yard.repo(), "sed -i 's/agent/the user/' src/a && rm new");
    yard.sh(&yard.copy(), "echo later >later");
    let second = yard.scene();
    let again = yard.accept();
    assert_eq!(again.paths, [b"later".to_vec(), b"src/in/b".to_vec()]);
    assert_eq!(yard.sh(&yard.repo(), "cat src/a && ls new 2>&1 | wc -l"), "one\nmore\nthe user\n1");
    let nothing = yard.accept();
    assert_eq!((nothing.step, nothing.paths.len()), (None, 0));
    yard.undo().unwrap();
    assert_eq!(yard.scene(), second);
    yard.sh(&yard.repo(), "sed -i 's/the user/agent/' src/a && echo n >new");
    yard.undo().unwrap();
    assert_eq!(yard.scene(), first);
    assert_eq!(yard.accept().paths.len(), 4);
}

#[test]
fn a16_an_undo_is_possible_when_the_copy_is_gone() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    yard.sh(&yard.repo(), MEANWHILE);
    let before = yard.scene();
    yard.accept();
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
    yard.undo().unwrap();
    let now = yard.scene();
    assert_eq!((now.files, now.index), (before.files, before.index));
}

#[test]
fn a16_a_repository_of_the_user_s_own_is_not_written_into() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "mkdir sub && echo a >sub/file");
    yard.sh(&yard.repo(), "git init -q sub");
    let before = tree(&yard.repo());
    let error = yard.try_accept(&|_| ()).unwrap_err();
    assert!(error.to_string().contains("sub is a repository of its own"), "{error}");
    assert_eq!(tree(&yard.repo()), before);
}

#[test]
fn a16_permissions_are_those_that_the_user_gave() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo x >>src/a && echo '# more' >>run && chmod -x run");
    yard.sh(&yard.repo(), "chmod 400 src/a && chmod 710 run");
    yard.accept();
    let mode = |path: &str| fs::metadata(yard.repo().join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("src/a"), mode("run")), (0o400, 0o600));
    yard.undo().unwrap();
    assert_eq!((mode("src/a"), mode("run")), (0o400, 0o710));
}

/// Refs of ours can be fetched like any others.
#[test]
fn a16_an_undo_reads_what_we_noted_ourselves_and_no_ref() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    let before = yard.scene();
    let (_, reference) = yard.accept().step.unwrap();
    let hostile = "blob=$(echo '#!/bin/sh' | git hash-object -w --stdin) && \
        note=$(printf 'git grill accept 1\\0head %s\\0bases %s %s\\0worktree \\0path f:755:%s - .git/hooks/pre-commit\\0' \
            $(git rev-parse HEAD HEAD HEAD) $blob | git hash-object -w --stdin) && \
        tree=$(printf '100644 blob %s\\tnote\\n' $note | git mktree) && \
        git update-ref REF $(git commit-tree -m x $tree) && git reflog expire --expire=now --all && git rev-parse REF";
    let theirs = yard.sh(&yard.repo(), &hostile.replace("REF", &reference));
    let undone = yard.undo().unwrap();
    assert_eq!((undone.paths.len(), undone.left.len()), (11, 0));
    assert!(!yard.repo().join(".git/hooks/pre-commit").exists());
    // A ref that is not ours any more is not ours to remove.
    assert_eq!(yard.sh(&yard.repo(), &format!("git rev-parse {reference}")), theirs);
    yard.sh(&yard.repo(), &format!("git update-ref -d {reference}"));
    assert_eq!(yard.scene(), before);
}

#[test]
fn a39_what_stands_there_already_is_not_taken_over_and_what_was_undone_is_offered_again() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a && echo n >new");
    yard.sh(&yard.repo(), "echo n >new");
    let one: BTreeSet<Vec<u8>> = [b"src/a".to_vec()].into();
    let (parent, folder) = (yard.parent(), yard.folder());
    let changes = unaccepted(&parent, &folder).unwrap().only(&one);
    let plan = propose(&parent, &folder, &changes).unwrap();
    let order = Order { changes: &changes, plan: &plan, by: AGENT, watch: &|_| () };
    let Applied::Accepted(_) = apply(&parent, &folder, &order).unwrap() else { panic!("conflicts") };
    assert_eq!(yard.accept().step, None, "what was left stands there already");
    assert_eq!(yard.undo().unwrap().paths, [b"src/a".to_vec()]);
    let left = unaccepted(&parent, &folder).unwrap().files;
    assert_eq!(left.iter().map(|file| file.path.as_slice()).collect::<Vec<_>>(), [b"new".as_slice(), b"src/a"]);
    // The user thinks better of it, and can have the agent's.
    yard.sh(&yard.repo(), "rm new");
    assert_eq!(yard.accept().paths, [b"new".to_vec(), b"src/a".to_vec()]);
}

#[test]
fn a16_an_undo_of_another_step_than_was_meant_is_refused() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo agent >>src/a");
    yard.accept();
    let before = yard.scene();
    let error = undo(&yard.parent(), &yard.folder(), Some(2), &|_| ()).unwrap_err();
    assert!(error.to_string().contains("another one by now"), "{error}");
    assert_eq!(yard.scene(), before);
    assert_eq!(undo(&yard.parent(), &yard.folder(), Some(1), &|_| ()).unwrap().number, 1);
}

/// As after `git revert` of a commit of it.
#[test]
fn a16_what_is_as_it_was_by_now_is_undone_and_offered_again() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), WORK);
    let before = yard.scene();
    let accepted = yard.accept();
    let (undone, differs) = newest(&yard.parent(), &yard.folder()).unwrap().unwrap();
    assert_eq!((undone.number, differs), (1, true));
    yard.sh(&yard.repo(), "git checkout -q . && git clean -qfd");
    let (_, differs) = newest(&yard.parent(), &yard.folder()).unwrap().unwrap();
    assert!(!differs);
    let reverted = yard.scene().files;
    assert_eq!(yard.undo().unwrap().left, Vec::<Vec<u8>>::new());
    assert_eq!((&yard.scene().files, &reverted), (&before.files, &before.files));
    assert_eq!(yard.accept().paths, accepted.paths);
}

#[test]
fn a39_a_merge_that_comes_to_what_the_user_has_is_no_change() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "sed -i 's/more/moore/' src/a && echo n >new");
    yard.sh(&yard.repo(), "sed -i 's/more/moore/' src/a && sed -i '1s/^/mine\\n/' src/a");
    let (parent, folder) = (yard.parent(), yard.folder());
    let changes = unaccepted(&parent, &folder).unwrap();
    let plan = propose(&parent, &folder, &changes).unwrap();
    let foreseen = foresee(&parent, &folder, &changes, &plan).unwrap();
    assert_eq!((foreseen.conflicts.len(), foreseen.already), (0, [b"src/a".to_vec()].into()));
    assert_eq!(yard.accept().paths, [b"new".to_vec()]);
}
