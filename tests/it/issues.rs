//! GitHub issues from end to end, against a scripted `gh`: chosen, drafted, approved, created, gone on with (G32).

use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::tracker::stand_in::{Fault, StandIn, When};

/// A session with a few answers.
fn interviewed(bench: &Bench) {
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    for answer in ["requests per client are counted", "300 a minute", "no shared counter", "a reply with 429"] {
        bench.run(&format!("git grill answer '{answer}'")).assert_code(0);
    }
}

/// A session whose plan has issues in `octo/links`, drafted and not approved.
pub fn planned() -> (Bench, StandIn) {
    let bench = Bench::new();
    let gh = StandIn::new(bench.root());
    gh.labels(&["slice"]);
    bench.scripts_may_approve();
    bench.run("git remote add origin https://github.com/octo/links.git").assert_code(0);
    interviewed(&bench);
    let select = format!("{} git grill select github-issues", gh.first_in_path());
    bench.run(&select).assert_code(0).assert_contains("issues of octo/links");
    (bench, gh)
}

#[test]
fn g32_issues_are_created_once_somebody_approved_them_and_not_twice() {
    let (bench, gh) = planned();
    let path = gh.first_in_path();
    assert_eq!(gh.issues(), [], "nothing appears before a yes");
    bench.run("git grill draft").assert_code(0).assert_contains("issue:1");
    let approved = bench.run(&format!("{path} git grill approve"));
    approved.assert_code(0).assert_contains("https://github.com/octo/links/issues/1");
    let issues = gh.issues();
    assert!(issues.len() > 1, "{issues:?}");
    bench.run(&format!("{path} git grill produce")).assert_code(0);
    assert_eq!(gh.issues(), issues);
    bench.run("git grill status").assert_contains("created as #1");
    bench.run("git grill finish && git grill status").assert_code(0);
    bench.run("git grill stop").assert_code(0);
}

#[test]
fn g32_a_creation_that_outlives_its_run_is_waited_for_and_not_made_twice() {
    let (bench, gh) = planned();
    let path = gh.first_in_path();
    gh.at_creation(1, When::Before, Fault::Orphan);
    bench.run(&format!("{path} git grill approve")).assert_code(137);
    assert_eq!(gh.issues(), [], "it is still on its way");
    bench.run(&format!("{path} git grill produce")).assert_code(0).assert_contains("(1/3) found #1");
    assert_eq!(gh.issues().len(), 3);
}

#[test]
fn g32_a_run_that_was_killed_half_way_goes_on_where_it_stopped() {
    for when in [When::Before, When::After] {
        let (bench, gh) = planned();
        let path = gh.first_in_path();
        gh.at_creation(2, when, Fault::Kill);
        bench.run(&format!("{path} git grill approve")).assert_code(137);
        let half = gh.issues();
        assert_eq!(half.len(), if matches!(when, When::Before) { 1 } else { 2 }, "{half:?}");
        // What was created and could not be noted any more is found.
        let second = if matches!(when, When::Before) { "(2/3) created #2" } else { "(2/3) found #2" };
        bench.run(&format!("{path} git grill produce")).assert_code(0).assert_contains(second);
        let whole = gh.issues();
        assert!(whole.starts_with(&half) && whole.len() > half.len());
        let mut titles: Vec<&str> = whole.iter().map(|(title, _)| title.as_str()).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), whole.len(), "{whole:?}");
    }
}

#[test]
fn g42_an_agent_hands_issues_in_and_none_appears_before_a_person_approves_it() {
    let (bench, gh) = planned();
    let path = gh.first_in_path();
    let submit = |json: &str| bench.run(&format!("echo '{json}' | CLAUDECODE=1 git grill tool grill_submit_draft"));
    submit(r#"{"issue":2,"title":"Count requests","body":"By client.","dependsOn":[1]}"#).assert_code(0);
    submit(r#"{"issue":3,"leaveOut":true}"#).assert_code(0);
    submit(r#"{"title":"Say when to come again","body":"A header.","dependsOn":[2],"labels":["slice"]}"#)
        .assert_code(0)
        .assert_contains("issue:4");
    submit(r#"{"issue":1,"title":"x","body":"<!-- git-grill: a/1/issue:2. -->"}"#).assert_code(2);
    bench.run(&format!("{path} CLAUDECODE=1 git grill approve")).assert_code(3);
    bench.run(&format!("{path} CLAUDECODE=1 git grill produce")).assert_code(3);
    assert_eq!(gh.issues(), []);
    bench.run(&format!("{path} git grill approve")).assert_code(0);
    let titles: Vec<String> = gh.issues().into_iter().map(|(title, _)| title).collect();
    assert_eq!(&titles[1..], ["Count requests", "Say when to come again"]);
    let (_, body) = &gh.issues()[2];
    assert!(body.starts_with("A header.\n\nDepends on #2.\n\n<!-- git-grill: "), "{body}");
    // What exists is not handed in again, and a further one can be.
    submit(r#"{"issue":2,"title":"Other","body":"x"}"#).assert_code(1).assert_contains("was produced already");
    submit(r#"{"title":"Other","body":"x"}"#).assert_code(0).assert_contains("issue:5");
}

#[test]
fn g42_what_an_agent_leaves_out_is_depended_on_no_more_unless_a_person_approved_that() {
    let (bench, gh) = planned();
    let path = gh.first_in_path();
    let submit = |json: &str| bench.run(&format!("echo '{json}' | CLAUDECODE=1 git grill tool grill_submit_draft"));
    submit(r#"{"issue":2,"title":"Count requests","body":"By client.","dependsOn":[1]}"#).assert_code(0);
    submit(r#"{"issue":3,"title":"Say so","body":"In a header.","dependsOn":[2]}"#).assert_code(0);
    submit(r#"{"issue":1,"leaveOut":true}"#).assert_code(0).assert_contains("issue:2 no longer depends on it");
    gh.at_creation(1, When::Before, Fault::Fail);
    bench.run(&format!("{path} git grill approve issue:2 issue:3")).assert_code(128);
    submit(r#"{"issue":2,"leaveOut":true}"#).assert_code(1);
    let stages = bench.run("git grill --json draft").stdout;
    assert_eq!(stages.matches(r#""stage":"approved""#).count(), 2, "{stages}");
    assert_eq!(gh.issues(), []);
}

#[test]
fn g32_what_is_missing_is_asked_for_and_the_drafts_stay() {
    let (bench, gh) = planned();
    let path = gh.first_in_path();
    let drafts = bench.run("git grill --json draft").stdout;
    let refused = |code: i32, says: &str| {
        bench.run(&format!("{path} git grill approve")).assert_code(code).assert_contains(says);
        assert_eq!(gh.issues(), []);
        assert_eq!(bench.run("git grill --json draft").stdout, drafts, "{says}");
    };
    gh.labels(&[]);
    refused(3, "gh label create 'slice' --repo octo/links");
    gh.labels(&["slice"]);
    gh.without("login");
    refused(128, "gh auth login");
    gh.set("login", "ada");
    gh.repository(r#""archived":false,"has_issues":false,"permissions":{"pull":true,"triage":true,"push":true}"#);
    refused(128, "gh repo edit octo/links --enable-issues");
    gh.without("repository");
    refused(128, "does not exist");
    // Without any gh at all: a path with git and nothing else of it.
    bench.run("mkdir ../bare && for one in git sh; do ln -s \"$(command -v $one)\" ../bare/; done").assert_code(0);
    bench
        .run("program=$(command -v git-grill) && PATH=\"$(cd ../bare && pwd)\" \"$program\" approve")
        .assert_code(128)
        .assert_contains("gh is not installed")
        .assert_contains("--path issues");
}

#[test]
fn g32_where_issues_go_is_asked_where_gh_does_not_say() {
    let bench = Bench::new();
    let gh = StandIn::new(bench.root());
    let path = gh.first_in_path();
    bench.scripts_may_approve();
    interviewed(&bench);
    let select = |more: &str| bench.run(&format!("{path} git grill select github-issues {more}"));
    select("")
        .assert_code(3)
        .assert_contains("no git remotes found")
        .assert_contains("--repo <owner>/<name>")
        .assert_contains("--path issues");
    let by_agent = || bench.run(&format!("{path} CLAUDECODE=1 git grill select github-issues"));
    by_agent().assert_code(1).assert_contains("no remote of this repository leads to a tracker");
    gh.without("login");
    by_agent().assert_code(128).assert_contains("gh auth login");
    gh.set("login", "ada");
    bench.run("git remote add origin git@github.com:me/links.git").assert_code(0);
    bench.run("git remote add upstream https://github.com/octo/links").assert_code(0);
    select("--repo not/a/repo/sitory").assert_code(2);
    bench.run("git grill select design-doc --repo octo/links").assert_code(2);
    bench.run("git grill status").assert_contains("interview");
    select("").assert_code(0).assert_contains("issues of octo/links");
}

/// `git grill` with these words at a terminal, with the stand-in first in the path.
fn at_a_terminal(bench: &Bench, gh: &StandIn, words: &[&str]) -> Sitting {
    let path = bench.environment().into_iter().find(|(name, _)| *name == "PATH").expect("one is set").1;
    let path = format!("{}:{}", gh.bin().display(), path.to_str().expect("it is text"));
    Sitting::at(bench, words, 60, 110, &[("PATH", &path), ("GIT_PAGER", "cat")])
}

fn founded(gh: &StandIn) -> Vec<String> {
    gh.requests().into_iter().filter(|request| request.starts_with("POST ") && request.ends_with("/repos")).collect()
}

/// At the question which repository takes the issues, with this entry of the list taken.
fn naming(bench: &Bench, gh: &StandIn, entry: &str, name: &str) -> Sitting {
    let mut sitting = at_a_terminal(bench, gh, &["select", "github-issues"]);
    sitting.below("Where do the issues go?", "Esc cancels");
    sitting.pty.send(entry);
    sitting.pty.send("\r");
    sitting.below("Which repository takes the issues?", "Enter takes it");
    // The next question follows the choice, with no word of its own in between.
    let screen = sitting.pty.screen();
    let asked: Vec<&str> = screen.lines().skip_while(|line| !line.starts_with("› ")).skip(1).take(1).collect();
    assert_eq!(asked, ["Which repository takes the issues?"], "{screen}");
    sitting.pty.send(name);
    sitting.pty.send("\r");
    sitting
}

#[test]
fn g32_where_no_remote_leads_to_a_tracker_one_is_named_or_created_with_a_yes() {
    let bench = Bench::new();
    let gh = StandIn::new(bench.root());
    gh.without("repository");
    interviewed(&bench);

    // A no creates nothing, and nothing is chosen.
    let mut sitting = naming(&bench, &gh, "2", "ada/links");
    sitting.below("Create private ada/links with this command?", "private=true");
    sitting.below("--raw-field name=links", "[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(5);
    assert_eq!(founded(&gh), [""; 0]);
    bench.run("git grill status").assert_contains("interview");

    let mut sitting = naming(&bench, &gh, "2", "ada/links");
    sitting.below("--raw-field name=links", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Produce github-issues", "[y/n]");
    assert_eq!(founded(&gh), ["POST github.com user/repos"]);
    sitting.pty.send("n");
    sitting.ends_with(5);

    // A slip is mended where it stands, and nothing begins anew.
    let mut sitting = naming(&bench, &gh, "1", "octo links");
    sitting.below("'octo links' is no repository of a tracker", "› octo links");
    sitting.below("› octo links", "edit it, or clear it with Ctrl-U; Enter takes it");
    sitting.pty.send("\x15octo/links\r");
    sitting.below("issues of octo/links", "[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(5);

    // One that is named is not created.
    let mut sitting = naming(&bench, &gh, "1", "octo/links");
    sitting.below("issues of octo/links", "[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(5);
    assert_eq!(founded(&gh).len(), 1);
    assert_eq!(gh.issues(), []);
}

#[test]
fn g32_a_repository_that_is_gone_when_its_issues_are_approved_is_created_with_a_yes() {
    let (bench, gh) = planned();
    gh.without("repository");
    let drafts = bench.run("git grill --json draft").stdout;
    for said in ["n", "y"] {
        let mut sitting = at_a_terminal(&bench, &gh, &["approve"]);
        sitting.below("octo/links does not exist, or this login cannot see it.", "private=true");
        sitting.below("orgs/octo/repos", "[y/n]");
        sitting.pty.send(said);
        if said == "y" {
            sitting.below("Create exactly this as issue:1 in octo/links", "[y/n]");
            sitting.pty.send("\x1b");
        }
        sitting.ends_with(5);
        assert_eq!(founded(&gh).len(), usize::from(said == "y"));
        assert_eq!((gh.issues().len(), &bench.run("git grill --json draft").stdout), (0, &drafts));
    }
}

/// A path with git and a shell, and no gh.
fn without_gh(bench: &Bench) -> String {
    bench
        .run("mkdir ../bare && for one in git sh cat git-grill; do ln -s \"$(command -v $one)\" ../bare/; done")
        .assert_code(0);
    bench.run("cd ../bare && pwd").assert_code(0).stdout().trim().to_owned()
}

#[test]
fn g32_gh_is_looked_for_before_a_repository_is_asked_for_and_files_are_a_choice() {
    let bench = Bench::new();
    interviewed(&bench);
    let path = without_gh(&bench);
    let variables = [("PATH", path.as_str()), ("GIT_PAGER", "cat")];
    let mut sitting = Sitting::at(&bench, &["select", "github-issues"], 60, 110, &variables);
    sitting.below("gh is not installed. Where do the issues go?", "Write them as files in issues/");
    sitting.below("Where do the issues go?", "Esc cancels");
    sitting.pty.send("2");
    sitting.pty.send("\r");
    sitting.below("Produce github-issues", "as issues/");
    sitting.below("Produce github-issues", "[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(5);
    bench.run("git grill status").assert_contains("interview");

    // Where somebody names the repository, the same is said before the yes.
    let named = ["select", "github-issues", "--repo", "octo/links"];
    let mut sitting = Sitting::at(&bench, &named, 60, 110, &variables);
    sitting.below("the issues can be drafted and not be created yet", "gh is not installed");
    sitting.below("gh is not installed", "[y/n]");
    sitting.pty.send("y");
    // The menu shows the issues and has them as files, with no gh.
    sitting.below("Not every issue is created. What next?", "Show the issues");
    sitting.below("Not every issue is created. What next?", "Write them as files in issues/");
    sitting.below("What next?", "Tab choices");
    sitting.pty.send("draft\r");
    // The menu from before names the issues as well; only what is shown of one stands above the next menu alone.
    sitting.below("added when it is created", "Not every issue is created. What next?");
    sitting.below("What next?", "Tab choices");
    sitting.pty.send("\x1b");
    sitting.ends_with(0);
}

#[test]
fn g32_without_gh_the_files_beside_the_issues_are_approved_alone() {
    let bench = Bench::new();
    interviewed(&bench);
    let path = without_gh(&bench);
    let variables = [("PATH", path.as_str()), ("GIT_PAGER", "cat")];
    let both = ["select", "changelog", "github-issues", "--repo", "octo/links"];
    let mut sitting = Sitting::at(&bench, &both, 60, 110, &variables);
    sitting.below("Produce changelog", "[y/n]");
    sitting.pty.send("y");
    sitting.below("gh is not installed", "git grill approve 'CHANGELOG.md' approves the files without the issues");
    sitting.below("Not everything is written and created. What next?", "Approve the files now, and the issues later");
    sitting.below("Not everything is written and created. What next?", "Leave the issues out");
    sitting.below("What next?", "Tab choices");
    sitting.pty.send("approve CHANGELOG.md\r");
    sitting.below("Write exactly this as CHANGELOG.md", "[y/n]");
    sitting.pty.send("y");
    // The files are done, so that the issues can still become files.
    sitting.below("Not every issue is created. What next?", "Write them as files in issues/");
    sitting.below("What next?", "Tab choices");
    sitting.pty.send("\x1b");
    sitting.ends_with(0);
    assert!(bench.repo().join("CHANGELOG.md").exists());
}

/// Before, the hint led to another choice of outputs, which dropped the other drafts and the edits of the issues.
#[test]
fn g32_what_is_said_without_gh_drops_no_draft() {
    let (bench, gh) = planned();
    let bare = without_gh(&bench);
    let approve = || bench.run(&format!("ours=$(command -v git-grill) && PATH='{bare}' \"$ours\" approve"));
    let files = "git grill select github-issues --path issues --strategy vertical-slices writes them as files";
    approve().assert_code(128).assert_contains("git grill draft shows the issues").assert_contains(files);

    bench.run(&format!("{} git grill select github-issues,summary", gh.first_in_path())).assert_code(0);
    approve()
        .assert_code(128)
        .assert_contains("git grill approve 'docs/memos/rate-limiting.md' approves the files without the issues")
        .assert_lacks("git grill select");
}

#[test]
fn p3_a_program_of_the_clone_is_not_started_wherever_path_points() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting' && git grill answer 'per client'").assert_code(0);
    let ran = bench.root().join("ran");
    for name in ["gh", "git", "bin/gh", "bin/git"] {
        bench.write(name, format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\nexit 1\n", ran.display()));
    }
    bench.run("chmod +x gh git bin/gh bin/git").assert_code(0);
    for path in [".:$PATH", ":$PATH", "bin:$PATH", "$PWD/bin:$PATH"] {
        for line in ["status", "select github-issues --repo octo/links", "verify"] {
            let done = bench.run(&format!("ours=$(command -v git-grill); PATH=\"{path}\" \"$ours\" {line}"));
            let told = std::fs::read_to_string(&ran).unwrap_or_default();
            assert_eq!(told, "", "{path} {line}: {}{}", done.stdout, done.stderr);
        }
    }
}
