//! Coexistence with the programs that people let manage their git hooks, installed for real: their hooks run as before
//! outside a session, commits are refused inside, and afterwards hooks and configuration are what they would be had
//! there never been a session, whatever was installed before, again, or first in the middle of it.
//!
//! They are installed by `.ci/hook-managers`, which needs a network, so these tests run on demand:
//! `bash .ci/hook-managers && cargo test --test it coexistence -- --ignored`.

mod manager;
mod world;

use manager::{MANAGERS, Manager};
use world::{Footprint, World};

use crate::matrix::gits::{self, Age, Git};

fn everybody(story: impl Fn(&Git, &Manager)) {
    for git in gits::all() {
        for manager in MANAGERS {
            story(&git, manager);
        }
    }
}

fn without_a_session(git: &Git, manager: &Manager, steps: &[&str]) -> Footprint {
    let world = World::new(git, manager);
    for step in steps {
        world.run(step).assert_code(0);
    }
    world.footprint().in_order()
}

#[test]
#[ignore = "needs husky, lefthook, pre-commit and git-lfs: bash .ci/hook-managers"]
fn who_was_there_before_goes_on_as_before() {
    everybody(|git, manager| {
        let world = World::new(git, manager);
        world.run(manager.install).assert_code(0);
        world.hooks_run();
        let before = world.footprint();
        world.start();
        world.commits_are_refused();
        world.stop();
        world.footprint().assert_is(&before, &world.what("installed before"));
        world.hooks_run();
    });
}

#[test]
#[ignore = "needs husky, lefthook, pre-commit and git-lfs: bash .ci/hook-managers"]
fn who_is_installed_again_in_the_middle_of_it_keeps_what_it_installed() {
    everybody(|git, manager| {
        let world = World::new(git, manager);
        world.run(manager.install).assert_code(0);
        world.start();
        let again = world.run(manager.install);
        let went_through = again.code == 0;
        let _looked_at = again.assert_code(if went_through { 0 } else { manager.refuses });
        world.commits_are_refused();
        world.stop();
        let steps = if went_through { vec![manager.install, manager.install] } else { vec![manager.install] };
        let expected = without_a_session(git, manager, &steps);
        world.footprint().in_order().assert_is(&expected, &world.what("installed again"));
        world.hooks_run();
    });
}

#[test]
#[ignore = "needs husky, lefthook, pre-commit and git-lfs: bash .ci/hook-managers"]
fn the_fence_keeps_hooks_from_being_moved() {
    everybody(|git, manager| {
        let world = World::new(git, manager);
        let before = world.footprint();
        world.start_fenced();
        let _whatever = world.run(manager.install).assert_contains("");
        world.commits_are_refused();
        world.stop();
        let config = |footprint: &Footprint| footprint.config().to_owned();
        assert_eq!(config(&world.footprint()), config(&before), "{}", world.what("behind the fence"));
    });
}

#[test]
#[ignore = "needs husky, lefthook, pre-commit and git-lfs: bash .ci/hook-managers"]
fn who_is_first_installed_in_the_middle_of_it_stays_installed() {
    everybody(|git, manager| {
        let world = World::new(git, manager);
        world.start();
        let first = world.run(manager.install);
        // git-lfs wants a hook that is ours, sees that it is taken, and says so; afterwards it can be installed.
        let went_through = !(manager.wants_pre_push && git.age() != Age::New);
        let _looked_at = first.assert_code(if went_through { 0 } else { manager.refuses });
        if manager.moves_hooks && git.age() != Age::New {
            // git looks elsewhere now and does not ask us any more. That is noticed, and mended when it is asked for.
            world.run("git grill doctor").assert_code(1).assert_contains("is not run by git: core.hooksPath is");
            world.run("git grill doctor --fix").assert_code(0);
        }
        world.commits_are_refused();
        world.stop();
        if !went_through {
            world.run(manager.install).assert_code(0);
        }
        let expected = without_a_session(git, manager, &[manager.install]);
        world.footprint().in_order().assert_is(&expected, &world.what("first installed"));
        world.hooks_run();
    });
}
