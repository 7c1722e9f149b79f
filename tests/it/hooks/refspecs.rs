//! New tags of a fetch, with each way to hand git a refspec that the arguments of the fetch do not show.

use std::fs;
use std::path::Path;

use super::bench::Bench;
use super::enforce::each_git;

/// Branches of the remote that a refspec can make `refs/tags/made` of.
const BRANCHES: &[&str] = &["refs/heads/ags/made", "refs/heads/refs/tags/made"];

/// A way to `refs/tags/made`: what is added to `.git/config`, the variables of git, and its arguments.
type Way = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const FETCH: &[&str] = &["fetch", "-q", "origin"];

const WAYS: &[Way] = &[
    ("[remote \"origin\"]\n\tfetch = +refs/heads/main:refs/tags/made\n", &[], FETCH),
    ("[REMOTE \"origin\"]\n\tFetch = refs/heads/main:tags/made\n", &[], FETCH),
    ("[remote \"origin\"]\n\tfetch = refs/heads/a*:refs/ta*\n", &[], FETCH),
    ("[remote \"origin\"]\n\tfetch = refs/heads/refs/*:refs/*\n", &[], FETCH),
    ("[remote \"origin\"]\n\tfetch = refs/heads/r*:r*\n", &[], FETCH),
    ("[remote \"origin\"]\n\tfetch = refs/heads/main:refs/tags/made\n", &[], &["fetch", "-q", "--atomic"]),
    // A ref that the arguments name is written where the configuration says, too.
    ("[remote \"origin\"]\n\tfetch = refs/heads/main:refs/tags/made\n", &[], &["fetch", "-q", "origin", "main"]),
    ("[remote \"new\"]\n\turl = ../up\n\tfetch = refs/heads/main:refs/tags/made\n", &[], &["fetch", "-q", "new"]),
    ("[include]\n\tpath = more\n", &[], FETCH),
    ("[extensions]\n\tworktreeConfig = true\n", &[], FETCH),
    // `git config` would read this file instead.
    ("[remote \"origin\"]\n\tfetch = refs/heads/main:refs/tags/made\n", &[("GIT_CONFIG", "/dev/null")], FETCH),
    (
        "",
        &[
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "Remote.origin.FETCH"),
            ("GIT_CONFIG_VALUE_0", "refs/heads/main:refs/tags/made"),
        ],
        FETCH,
    ),
    ("", &[("GIT_CONFIG_PARAMETERS", "'remote.origin.fetch=refs/heads/main:refs/tags/made'")], FETCH),
    ("", &[("GIT_CONFIG_GLOBAL", ".git/more")], FETCH),
    ("", &[], &["-c", "remote.origin.fetch=refs/heads/main:refs/tags/made", "fetch", "-q", "origin"]),
    ("", &[("REFSPEC", "main:refs/tags/made")], &["--config-env=remote.origin.fetch=REFSPEC", "fetch", "-q", "origin"]),
    ("", &[], &["fetch", "-q", "old"]),
];

/// The ways whose refspec is in a file beside the configuration.
fn write_files(repo: &Path) {
    let planted = "[remote \"origin\"]\n\tfetch = refs/heads/main:refs/tags/made\n";
    fs::write(repo.join(".git/more"), planted).unwrap();
    fs::write(repo.join(".git/config.worktree"), planted).unwrap();
}

/// A remote as git once wrote it, or none.
fn write_old_remote(repo: &Path, args: &[&str]) {
    let folder = repo.join(".git/remotes");
    if args.contains(&"old") {
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("old"), "URL: ../up\nPull: refs/heads/main:refs/tags/made\n").unwrap();
    } else if folder.exists() {
        fs::remove_dir_all(folder).unwrap();
    }
}

fn tags(bench: &Bench, repo: &Path) -> String {
    bench.git(repo, &["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"])
}

#[test]
fn g37_a_refspec_beside_the_arguments_plants_no_tag() {
    each_git(|bench, repo| {
        for name in BRANCHES {
            bench.git(&bench.at("up"), &["update-ref", name, "refs/heads/main"]);
        }
        let file = repo.join(".git/config");
        let plain = fs::read_to_string(&file).unwrap();
        write_files(repo);
        let before = tags(bench, repo);
        for (added, variables, args) in WAYS {
            write_old_remote(repo, args);
            fs::write(&file, format!("{plain}{added}")).unwrap();
            // Without a session the way leads to the tag.
            bench.posture("inactive");
            let ran = bench.try_git_with(repo, variables, args);
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(tags(bench, repo).contains(" refs/tags/made"), "{added}{variables:?} {args:?}: {said}");
            bench.git(repo, &["tag", "-d", "made"]);
            for posture in ["interview", "selection", "docs/"] {
                bench.posture(posture);
                let ran = bench.try_git_with(repo, variables, args);
                let said = String::from_utf8_lossy(&ran.stderr).into_owned();
                assert!(!ran.status.success(), "{added}{variables:?} {args:?} in {posture}");
                assert!(said.contains("tag 'made' was not created: a fetch may only bring tags"), "{args:?}: {said}");
                assert!(
                    said.contains("refspec") && said.contains("hint: git config --show-origin"),
                    "{args:?}: {said}"
                );
                assert_eq!(tags(bench, repo), before, "{added}{variables:?} {args:?} in {posture}");
            }
        }
        write_old_remote(repo, &[]);
        fs::write(&file, plain).unwrap();
    });
}

#[test]
fn g37_a_fetch_with_refspecs_that_make_no_tag_brings_tags() {
    each_git(|bench, repo| {
        let up = bench.at("up");
        let file = repo.join(".git/config");
        let plain = fs::read_to_string(&file).unwrap();
        // A file there leads to a branch, and to nothing else.
        fs::create_dir_all(repo.join(".git/branches")).unwrap();
        fs::write(repo.join(".git/branches/old"), "../up#main\n").unwrap();
        bench.posture("interview");
        let said = bench.refused(repo, &["fetch", "-q", "old"]);
        assert!(said.contains("branch 'old' was not created"), "{said}");
        let other = "[remote \"other\"]\n\turl = ../up\n\tfetch = +refs/tags/*:refs/tags/other/*\n";
        for (n, added) in [
            "",
            "[remote \"origin\"]\n\ttagOpt = --tags\n",
            "[remote \"origin\"]\n\tfetch = +refs/tags/*:refs/tags/*\n",
            other,
        ]
        .iter()
        .enumerate()
        {
            fs::write(&file, format!("{plain}{added}")).unwrap();
            for posture in ["interview", "selection", "docs/"] {
                bench.posture(posture);
                let tag = format!("t{n}-{}", posture.trim_end_matches('/'));
                bench.git(&up, &["commit", "-q", "--allow-empty", "-m", &tag]);
                bench.git(&up, &["tag", &tag]);
                // On no branch, so that no fetch follows it by itself.
                let alone = bench.git(&up, &["commit-tree", "-m", &tag, "HEAD^{tree}"]);
                bench.git(&up, &["tag", &format!("{tag}-alone"), &alone]);
                bench.git(repo, &["fetch", "-q"]);
                let found = tags(bench, repo);
                assert!(found.contains(&format!(" refs/tags/{tag}\n")), "{added}: {found}");
                let all = added.contains("tagOpt") || added.contains("refs/tags/*:refs/tags/*");
                assert_eq!(found.contains(&format!(" refs/tags/{tag}-alone")), all, "{added}: {found}");
            }
        }
        fs::write(&file, plain).unwrap();
    });
}
