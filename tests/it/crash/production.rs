//! A production of three files and five issues, killed at every step: afterwards `git grill produce` finishes it, or
//! `git grill produce --undo` brings back exactly what was there; never half, never twice (issue 6).

use super::killed::{a_moment_passes, sampled};
use super::rows::{ANSWER, APPROVE, SELECT, START};
use super::state::assert_consistent;
use super::tally::Tally;
use super::watched::{At, Fault, Step, watched};
use super::world::World;
use crate::tracker::stand_in::StandIn;

/// Where the three files go; the second is there already.
const FILES: [&str; 3] = ["docs/design/rate-limiting.md", "docs/prd/rate-limiting.md", "docs/testing/rate-limiting.md"];

/// Enough answers to make issues of.
const MORE: &str =
    "git grill answer '300 a minute' && git grill answer 'no shared counter' && git grill answer 'a 429'";

fn files(world: &World) -> [Option<Vec<u8>>; 3] {
    FILES.map(|path| std::fs::read(world.bench.repo().join(path)).ok())
}

/// Everything in the working tree but what is ours, so that nothing is left beside the files either.
fn names(world: &World) -> String {
    let listed = world.bench.run("find . -path ./.git -prune -o -path ./.grill -prune -o -type f -print | sort");
    listed.assert_code(0).stdout().to_owned()
}

#[test]
fn g31_three_files_are_finished_or_taken_back_wherever_it_was_killed() {
    for line in ["exec git-grill approve", "exec git-grill produce"] {
        let world = World::after(&[START, ANSWER, SELECT]);
        let before = (files(&world), names(&world));
        let whole = watched(&world.bench, line, Fault::None);
        assert_eq!(whole.output.code, 0, "{}", whole.output);
        let written = (files(&world), names(&world));
        assert!(written.0.iter().all(Option::is_some) && written.0[1] != before.0[1]);
        let mut tally = Tally::default();
        for at in sampled(&whole.steps) {
            for then in ["git grill produce", "git grill produce --undo"] {
                world.restore();
                let fault = Fault::KillAt(at);
                let killed = watched(&world.bench, line, fault);
                tally.counts(&whole.steps, at, killed.met());
                let Some(step) = killed.met() else { continue };
                let when = format!("`{line}` killed before {step}, then {then}");
                a_moment_passes(&world);
                for (now, (was, is)) in files(&world).iter().zip(before.0.iter().zip(&written.0)) {
                    assert!(now == was || now == is, "{when}: half a file");
                }
                let then = world.bench.run(then);
                let now = (files(&world), names(&world));
                if then.line == "git grill produce" {
                    assert!(then.code == 0 && now == written, "{when}: {then}");
                } else {
                    assert!([0, 1].contains(&then.code), "{when}: {then}");
                    assert_eq!(now, before, "{when}: {then}");
                    // And what was taken back can be had again.
                    world.bench.run("git grill produce").assert_code(0);
                    assert_eq!((files(&world), names(&world)), written, "{when}, then produce");
                }
                assert_consistent(&world, &when);
            }
        }
        tally.assert_met(line);
    }
}

/// Half of what is taken back is told, with the command that finishes it, until it is finished.
#[test]
fn g31_an_undo_that_was_killed_half_way_is_told_until_it_is_finished() {
    let world = World::after(&[START, ANSWER, SELECT, APPROVE]);
    let line = "exec git-grill produce --undo";
    let whole = watched(&world.bench, line, Fault::None);
    assert_eq!(whole.output.code, 0, "{}", whole.output);
    let before = (files(&world), names(&world));
    let is_back = |step: &Step| step.paths.iter().any(|path| FILES.iter().any(|file| path.ends_with(file)));
    let steps: Vec<usize> = (0..whole.steps.len()).filter(|at| is_back(&whole.steps[*at])).collect();
    let [first, second, third] = steps[..] else { panic!("{steps:?} of {:?}", whole.steps) };
    for (at, is_half) in [(first, false), (second, true), (third, true), (third + 1, true)] {
        world.restore();
        let killed = watched(&world.bench, line, Fault::KillAt(At::each_of(&whole.steps)[at]));
        let when = format!("killed before {}", killed.met().expect("the step comes up again"));
        a_moment_passes(&world);
        let status = world.bench.run("git grill status").assert_code(0);
        let told = status.stdout().lines().find_map(|line| line.split_once(" was cut off; "));
        assert_eq!(told.is_some(), is_half, "{when}");
        let doctor = world.bench.run("git grill doctor").assert_code(i32::from(is_half));
        let command = match told {
            Some((_, rest)) => {
                let command = rest.split_once(" finishes it").expect("a command").0;
                drop(doctor.assert_contains(&format!("  mend it: {command}\n")));
                command
            }
            None => "git grill produce --undo",
        };
        for _ in 0..2 {
            world.bench.run(command).assert_code(0);
            assert_eq!((files(&world), names(&world)), before, "{when}");
        }
        world.bench.run("git grill status").assert_code(0).assert_lacks("was cut off");
        world.bench.run("git grill doctor").assert_code(0);
    }
}

#[test]
fn g32_five_issues_beside_them_are_never_created_twice() {
    let world = World::after(&[START, ANSWER, MORE, "git remote add origin https://github.com/octo/links.git"]);
    let gh = StandIn::new(world.bench.root());
    gh.labels(&["slice"]);
    let bench = &world.bench;
    let path = gh.first_in_path();
    bench.run(&format!("{path} git grill select github-issues,design-doc,prd,test-plan")).assert_code(0);
    let drafted = bench.run("git grill draft").assert_code(0);
    let count = (1..=100).take_while(|number| drafted.stdout().contains(&format!("issue:{number}"))).count();
    for number in count..5 {
        let issue = format!(r#"{{"title":"Further step {number}","body":"It follows.","dependsOn":[1]}}"#);
        bench.run(&format!("echo '{issue}' | CLAUDECODE=1 git grill tool grill_submit_draft")).assert_code(0);
    }
    world.keep();
    let line = format!("export {path}; exec git-grill approve");
    let before = files(&world);
    let whole = watched(bench, &line, Fault::None);
    assert_eq!(whole.output.code, 0, "{}", whole.output);
    let (written, issues) = (files(&world), gh.issues());
    assert_eq!(issues.len(), 5.max(count), "{issues:?}");
    let appeared = whole.steps.iter().filter(|step| step.paths[0].starts_with("stand-in")).count();
    assert!(appeared >= 5, "{appeared} of the host's own steps were seen");
    let mut tally = Tally::default();
    for at in sampled(&whole.steps) {
        world.restore();
        let fault = Fault::KillAloneAt(at);
        let killed = watched(bench, &line, fault);
        tally.counts(&whole.steps, at, killed.met());
        let Some(step) = killed.met() else { continue };
        // The host that we play is not ours to kill: a real one has an issue or has it not, and its lock goes with it.
        if step.paths[0].starts_with("stand-in") {
            continue;
        }
        let when = format!("killed before {step}");
        a_moment_passes(&world);
        // A call that was under way when its caller died goes on, and holds the lock of the host that we play.
        bench.run("while test -d ../stand-in/store/lock; do sleep 0.05; done").assert_code(0);
        let so_far = gh.issues();
        assert!(issues.starts_with(&so_far) || so_far.len() <= issues.len(), "{when}: {so_far:?}");
        let produced = bench.run(&format!("{path} git grill approve; {path} git grill produce"));
        assert_eq!(produced.code, 0, "{when}: {produced}");
        assert_eq!((files(&world), gh.issues()), (written.clone(), issues.clone()), "{when}: {produced}");
        bench.run("git grill produce --undo").assert_code(0);
        assert_eq!(files(&world), before, "{when}, then undo");
        assert_eq!(gh.issues(), issues, "an issue is nobody's to take back");
        assert_consistent(&world, &when);
    }
    tally.assert_met(&line);
}

#[test]
fn p1_a_commit_killed_between_the_branch_and_the_index_loses_no_file_to_the_next_commit() {
    let world = World::after(&[START, ANSWER, SELECT, APPROVE]);
    let line = "exec git-grill produce --commit";
    let whole = watched(&world.bench, line, Fault::None);
    assert_eq!(whole.output.code, 0, "{}", whole.output);
    // git puts the index in place at the very end, when the branch has moved.
    let is_the_index =
        |step: &Step| step.call.starts_with("rename") && step.paths.iter().any(|path| path.ends_with(".git/index"));
    let at = whole.steps.iter().rposition(is_the_index).expect("git commit renames its index");
    world.restore();
    let killed = watched(&world.bench, line, Fault::KillAt(At::each_of(&whole.steps)[at]));
    assert!(killed.met().is_some_and(is_the_index), "{:?}", killed.steps.last());
    a_moment_passes(&world);
    // Its lock is git's own, and git says how to remove it.
    world.bench.run("rm .git/index.lock").assert_code(0);
    for file in FILES {
        world.bench.run(&format!("git cat-file -e HEAD:{file}")).assert_code(0);
    }
    world.bench.run("git diff --cached --exit-code HEAD -- docs").assert_code(0);
    let stop = world.bench.run("git grill stop --without-output");
    assert!([0, 6].contains(&stop.code), "{stop}");
    let next = world
        .bench
        .run("echo x >other && git add other && git commit --quiet -m next && git show --format= --name-status HEAD");
    assert_eq!((next.code, next.stdout.as_str()), (0, "A\tother\n"), "{next}");
}
