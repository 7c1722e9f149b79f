//! What is refused and what goes on working, asked by the real hooks of every git on this machine.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use git_grill::hooks::{Disarmed, Guarded, arm, disarm, status};

use super::bench::{Bench, Snapshot, gits};

/// An armed repository with a clone's upstream, once for each git.
pub fn each_git(check: impl Fn(&Bench, &Path)) {
    for path in gits() {
        let bench = Bench::with_path(path);
        bench.repo("up");
        let up = bench.at("up");
        bench.git(&bench.at("."), &["clone", "-q", up.to_str().unwrap(), "repo"]);
        let repo = bench.at("repo");
        bench.git(&repo, &["branch", "other", "HEAD~1"]);
        bench.git(&repo, &["branch", "packed", "HEAD~1"]);
        bench.git(&repo, &["pack-refs", "--all"]);
        bench.git(&repo, &["branch", "loose", "HEAD~1"]);
        bench.posture("interview");
        assert_eq!(arm(&bench.place(&repo), &bench).unwrap(), bench.plain_rule());
        check(&bench, &repo);
        assert_eq!(disarm(&bench.place(&repo), &bench).unwrap(), Disarmed::Removed { left: Vec::new() });
        bench.git(&repo, &["commit", "-q", "--allow-empty", "-m", "free again"]);
    }
}

fn refs(bench: &Bench, repo: &Path) -> String {
    bench.git(repo, &["for-each-ref"]) + &fs::read_to_string(repo.join(".git/HEAD")).unwrap()
}

#[test]
fn mutations_are_refused_and_leave_refs_alone() {
    each_git(|bench, repo| {
        for posture in ["interview", "selection", "docs/\nREADME.md"] {
            bench.posture(posture);
            let before = refs(bench, repo);
            let refused: &[&[&str]] = &[
                &["commit", "--allow-empty", "-m", "x", "--amend"],
                &["commit", "--no-verify", "--allow-empty", "--amend", "-m", "x"],
                &["tag", "new"],
                &["tag", "-a", "-m", "x", "new"],
                &["tag", "-d", "v1"],
                &["branch", "new"],
                &["branch", "-f", "loose", "HEAD"],
                &["branch", "-D", "loose"],
                &["branch", "-D", "packed"],
                &["branch", "-m", "loose", "renamed"],
                &["update-ref", "refs/heads/loose", "HEAD"],
                &["update-ref", "-d", "refs/heads/packed"],
                &["update-ref", "-d", "refs/heads/packed", "refs/heads/packed"],
                &["update-ref", "--no-deref", "-d", "refs/heads/loose"],
                &["update-ref", "HEAD", "HEAD~1"],
                &["update-ref", "--no-deref", "HEAD", "HEAD"],
                &["merge", "other", "--no-ff"],
                &["reset", "--soft", "HEAD~1"],
                &["checkout", "--detach"],
                &["switch", "-c", "new"],
                &["worktree", "add", "-b", "wt", "../wt"],
                &["notes", "add", "-m", "note"],
                &["replace", "HEAD", "HEAD~1"],
                &["push", "origin", "HEAD:refs/heads/pushed"],
                &["fetch", "origin", "main:fetched"],
            ];
            for args in refused {
                // `merge other` is up to date and never asks; the point is that nothing moves.
                if args[0] == "merge" {
                    let _ = bench.try_git(repo, args);
                } else {
                    bench.refused(repo, args);
                }
                assert_eq!(refs(bench, repo), before, "{args:?} in {posture}");
            }
            assert!(
                bench.try_git(&bench.at("up"), &["rev-parse", "-q", "--verify", "pushed"]).status.code() == Some(1)
            );
        }
    });
}

#[test]
fn commits_are_refused_in_the_interview_with_a_reason_and_a_next_step() {
    each_git(|bench, repo| {
        let before = refs(bench, repo);
        fs::write(repo.join("file.txt"), "changed").unwrap();
        for args in [
            ["commit", "-qam", "x"].as_slice(),
            &["commit", "-qanm", "x"],
            &["commit", "-q", "--allow-empty", "-m", "x"],
            &["stash"],
        ] {
            let said = bench.refused(repo, args);
            assert!(said.contains("the interview is read-only"), "{said}");
            assert!(said.contains("hint: git grill stop"), "{said}");
            assert_eq!(refs(bench, repo), before, "{args:?}");
        }
        let said = bench.refused(repo, &["commit", "-qam", "x"]);
        assert!(said.contains("branch 'main' was not changed"), "{said}");
        assert_eq!(fs::read_to_string(repo.join("file.txt")).unwrap(), "changed");
    });
}

#[test]
fn our_refs_gc_and_fetch_go_on_working() {
    each_git(|bench, repo| {
        for posture in ["interview", "selection", "docs/"] {
            bench.posture(posture);
            let before = refs(bench, repo);
            bench.git(repo, &["update-ref", "refs/grill/sessions/x", "HEAD"]);
            bench.git(repo, &["push", "-q", "origin", "refs/grill/sessions/x:refs/grill/sessions/x"]);
            bench.git(repo, &["update-ref", "-d", "refs/grill/sessions/x"]);
            bench.git(repo, &["pack-refs", "--all", "--prune"]);
            bench.git(repo, &["gc", "-q", "--prune=now"]);
            assert_eq!(refs(bench, repo), before, "{posture}");
            assert!(!repo.join(".git/refs/heads/loose").exists(), "pruned after packing");
        }
    });
}

#[test]
fn g37_a_fetch_that_brings_only_new_tags_goes_on_and_no_tag_is_written_otherwise() {
    each_git(|bench, repo| {
        let up = bench.at("up");
        let tags = |bench: &Bench| bench.git(repo, &["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"]);
        bench.git(repo, &["config", "alias.f", "fetch"]);
        for (n, posture) in ["interview", "selection", "docs/"].iter().enumerate() {
            bench.posture(posture);
            let brings: &[&[&str]] = &[
                &["fetch", "-q"],
                &["fetch", "-q", "--atomic"],
                &["fetch", "-q", "--tags"],
                &["-c", "core.abbrev=12", "fetch", "-q", "origin", "refs/tags/*:refs/tags/*"],
                &["remote", "update"],
                &["f", "-q"],
            ];
            for (m, args) in brings.iter().enumerate() {
                let tag = format!("t{n}.{m}");
                bench.git(&up, &["commit", "-q", "--allow-empty", "-m", &tag]);
                bench.git(&up, &["tag", &tag]);
                bench.git(&up, &["tag", "-a", "-m", "words", &format!("{tag}-a")]);
                bench.git(repo, args);
                bench.git(repo, &["fetch", "-q"]);
                assert_eq!(bench.git(repo, &["rev-parse", "origin/main"]), bench.git(&up, &["rev-parse", "main"]));
                for name in [tag.clone(), format!("{tag}-a")] {
                    assert_eq!(
                        bench.git(repo, &["rev-parse", &format!("refs/tags/{name}")]),
                        bench.git(&up, &["rev-parse", &format!("refs/tags/{name}")]),
                        "{args:?}"
                    );
                }
            }
            // On no branch: `git fetch` alone does not follow it, and one that is told to brings it.
            let alone = format!("alone{n}");
            let commit = bench.git(&up, &["commit-tree", "-m", &alone, "HEAD^{tree}"]);
            bench.git(&up, &["tag", &alone, commit.trim()]);
            bench.git(repo, &["fetch", "-q", "--tags"]);
            assert!(tags(bench).contains(&alone));

            bench.git(&up, &["tag", "-f", "v1", "main"]);
            let before = tags(bench);
            let refused: &[&[&str]] = &[
                &["fetch", "-q", "--tags", "--force"],
                &["fetch", "-q", ".", "HEAD:refs/tags/made"],
                &["-c", "remote.origin.fetch=refs/heads/*:refs/tags/made/*", "fetch", "-q", "origin"],
                &["tag", "made", "origin/main"],
                &["update-ref", "refs/tags/made", "origin/main"],
                &["-c", "alias.fetching=tag", "fetching", "made"],
            ];
            for args in refused {
                let said = bench.refused(repo, args);
                let is_told = said.contains("was not written") || said.contains("was not created");
                assert!(is_told, "{args:?}: {said}");
                assert_eq!(tags(bench), before, "{args:?} in {posture}");
            }
            bench.git(&up, &["tag", "-f", "v1", "main~1"]);
            bench.git(&up, &["tag", "-d", &alone]);
            bench.refused(repo, &["fetch", "-q", "--prune", "--prune-tags"]);
            assert_eq!(tags(bench), before, "{posture}");
            bench.git(&up, &["tag", &alone, commit.trim()]);
            bench.git(&up, &["update-ref", "refs/tags/v1", bench.git(repo, &["rev-parse", "v1"]).trim()]);
        }
    });
}

/// git by another name below a fetch, and a shell by the name of git.
#[test]
fn g37_a_tag_that_a_fetch_has_another_git_write_is_refused() {
    each_git(|bench, repo| {
        bench.posture("interview");
        let git = format!("{}/git", bench.git(repo, &["--exec-path"]));
        let folder = bench.at("n");
        fs::create_dir_all(&folder).unwrap();
        symlink(git, bench.at("g")).unwrap();
        symlink("/bin/bash", folder.join("git")).unwrap();
        let name = repo.file_name().unwrap().to_str().unwrap();
        fs::write(folder.join("fetch"), format!("../g -C '../{name}' tag x")).unwrap();
        for args in [
            &["fetch", "-q", "--upload-pack=../g tag x HEAD; git-upload-pack", "origin"] as &[&str],
            &["-c", "alias.make=!cd ../n && bash -c 'exec -a git ./git fetch'", "make"],
        ] {
            let said = String::from_utf8_lossy(&bench.try_git(repo, args).stderr).into_owned();
            assert!(said.contains("tag 'x' was not created"), "{args:?}: {said}");
        }
        assert_eq!(bench.git(repo, &["tag", "-l", "x"]), "");
    });
}

#[test]
fn output_takes_approved_commits_on_top_and_nothing_else() {
    each_git(|bench, repo| {
        bench.posture("docs/\nREADME.md");
        fs::create_dir(repo.join("docs")).unwrap();
        fs::write(repo.join("docs/adr 1.md"), "x").unwrap();
        fs::write(repo.join("README.md"), "x").unwrap();
        bench.git(repo, &["add", "docs", "README.md"]);
        bench.git(repo, &["commit", "-qm", "approved"]);
        let said = bench.refused(repo, &["commit", "-qm", "empty", "--allow-empty"]);
        assert!(said.contains("it changes no file"), "{said}");
        let tip = bench.git(repo, &["rev-parse", "HEAD"]);

        bench.git(repo, &["mv", "file.txt", "docs/file.txt"]);
        let said = bench.refused(repo, &["commit", "-qnm", "a rename takes a file from elsewhere"]);
        assert!(said.contains("'file.txt' is not in the approved plan"), "{said}");
        bench.git(repo, &["mv", "docs/file.txt", "file.txt"]);

        fs::write(repo.join("docs/adr 1.md"), "y").unwrap();
        fs::write(repo.join("other.txt"), "y").unwrap();
        bench.git(repo, &["add", "."]);
        bench.refused(repo, &["commit", "-qm", "one file too many"]);
        bench.git(repo, &["rm", "-q", "--cached", "other.txt"]);
        let said = bench.refused(repo, &["commit", "-q", "--amend", "-m", "amended"]);
        assert!(said.contains("single parent"), "{said}");
        bench.refused(repo, &["reset", "-q", "--soft", "HEAD~1"]);
        bench.refused(repo, &["switch", "-q", "-c", "elsewhere"]);
        assert_eq!(bench.git(repo, &["rev-parse", "HEAD"]), tip);
        bench.git(repo, &["commit", "-qm", "approved again"]);
        assert_eq!(bench.git(repo, &["rev-parse", "HEAD~1"]), tip);
        assert_eq!(bench.git(repo, &["symbolic-ref", "HEAD"]), "refs/heads/main");
    });
}

#[test]
fn repositories_that_libgit2_cannot_open_are_judged_too() {
    let bench = Bench::new();
    for (name, options) in [("sha256", ["--object-format=sha256"]), ("reftable", ["--ref-format=reftable"])] {
        if !bench.try_git(&bench.at("."), &["init", "-q", options[0], "try"]).status.success() {
            assert_eq!(name, "reftable", "sha256 is older than the oldest git we support");
            continue;
        }
        fs::remove_dir_all(bench.at("try")).unwrap();
        let repo = bench.repo_with(name, &options);
        assert!(git2::Repository::open(&repo).is_err(), "{name} needs no fall-back any more");
        bench.posture("interview");
        let place = bench.place(&repo);
        let _ = arm(&place, &bench).unwrap();
        bench.refused(&repo, &["commit", "-q", "--allow-empty", "-m", "x"]);
        bench.refused(&repo, &["branch", "-D", "other"]);
        bench.git(&repo, &["update-ref", "refs/grill/sessions/x", "HEAD"]);
        bench.git(&repo, &["pack-refs", "--all"]);
        bench.git(&repo, &["gc", "-q"]);
        bench.posture("docs/");
        fs::create_dir(repo.join("docs")).unwrap();
        fs::write(repo.join("docs/ü \"x\".md"), "x").unwrap();
        bench.git(&repo, &["add", "."]);
        bench.git(&repo, &["commit", "-qm", "approved"]);
        bench.refused(&repo, &["commit", "-q", "--amend", "-m", "amended"]);
        fs::write(repo.join("file.txt"), "changed").unwrap();
        let said = bench.refused(&repo, &["commit", "-qam", "not approved"]);
        assert!(said.contains("'file.txt' is not in the approved plan"), "{said}");
        let _ = disarm(&place, &bench).unwrap();
    }
}

#[test]
fn worktrees_are_armed_one_by_one_and_the_last_one_disarms() {
    for path in gits() {
        let bench = Bench::with_path(path);
        let main = bench.repo("main");
        bench.posture("interview");
        let add = |name: &str| -> PathBuf {
            bench.git(&main, &["worktree", "add", "-q", "-b", name, &format!("../{name}")]);
            bench.at(name)
        };
        let (one, two) = (add("one"), add("two"));
        let commit = ["commit", "-q", "--allow-empty", "-m", "x"];
        let before = bench.snapshot();

        let _ = arm(&bench.place(&one), &bench).unwrap();
        bench.refused(&one, &commit);
        assert_eq!(status(&bench.place(&one), &bench).unwrap().worktree, Guarded::Yes);
        assert_eq!(status(&bench.place(&main), &bench).unwrap().worktree, Guarded::No);
        assert_eq!(status(&bench.place(&main), &bench).unwrap().rule, Some(bench.plain_rule()));
        let _ = arm(&bench.place(&main), &bench).unwrap();
        // Also from a folder below and from inside the git directory.
        fs::create_dir(main.join("sub")).unwrap();
        bench.refused(&main.join("sub"), &commit);
        bench.refused(&main.join(".git"), &["update-ref", "refs/heads/new", "HEAD"]);
        fs::remove_dir(main.join("sub")).unwrap();

        assert_eq!(disarm(&bench.place(&main), &bench).unwrap(), Disarmed::ArmedElsewhere);
        bench.refused(&one, &commit);
        assert_eq!(disarm(&bench.place(&one), &bench).unwrap(), Disarmed::Removed { left: Vec::new() });
        assert_eq!(bench.snapshot().keys().collect::<Vec<_>>().len(), before.len() + objects_since(&bench, &before));

        // While one is armed the others work, and a worktree that is gone does not count.
        let _ = arm(&bench.place(&one), &bench).unwrap();
        let _ = arm(&bench.place(&two), &bench).unwrap();
        bench.git(&main, &commit);
        fs::remove_dir_all(&two).unwrap();
        assert_eq!(disarm(&bench.place(&one), &bench).unwrap(), Disarmed::Removed { left: Vec::new() });
        assert!(!main.join(".git/hooks/reference-transaction").exists());
    }
}

/// Refused commits leave objects and an edited message behind; nothing else may be new.
fn objects_since(bench: &Bench, before: &Snapshot) -> usize {
    let now = bench.snapshot();
    let new: Vec<_> = now.keys().filter(|path| !before.contains_key(*path)).collect();
    for path in &new {
        let text = path.to_string_lossy();
        assert!(text.contains("/objects/") || text.ends_with("/COMMIT_EDITMSG") || text.contains("our"), "{text}");
    }
    new.len()
}
