//! New tags of a fetch, by its arguments and by the configuration that it reads.

use super::*;

const NEW: &str = "0 a refs/tags/new";
const ORDINARY: &[&str] = &["+refs/heads/*:refs/remotes/origin/*"];

fn fetch(asked_by: &'static str, configured: Option<&'static [&'static str]>) -> Repo {
    Repo { asked_by, configured, ..REPO }
}

#[test]
fn g37_a_fetch_brings_new_tags_under_their_own_names() {
    for posture in [&INTERVIEW, &SELECTION, &plan()] {
        for configured in [
            ORDINARY,
            &[],
            &["+refs/tags/*:refs/tags/*", "refs/heads/*:refs/heads/*"],
            &["+refs/*:refs/*"],
            // Another remote's tags have a folder of their own.
            &["+refs/heads/*:refs/remotes/origin/*", "refs/tags/*:refs/tags/other/*"],
        ] {
            for asked_by in [
                "git fetch",
                "git fetch origin tag new",
                "git fetch --atomic --tags origin refs/tags/*:refs/tags/* +refs/heads/*:refs/remotes/o/*",
                "git -c remote.o.fetch=+refs/tags/*:refs/tags/* fetch o",
                "git fetch . HEAD:refs/tags/other",
            ] {
                let repo = fetch(asked_by, Some(configured));
                assert_eq!(verdict(posture, &repo, NEW), None, "{asked_by} with {configured:?} in {posture:?}");
                let atomic = "0 a refs/remotes/origin/main; 0 a refs/tags/new; 0 b refs/tags/new2";
                assert_eq!(verdict(posture, &repo, atomic), None, "{asked_by} with {configured:?} in {posture:?}");
            }
        }
    }
}

#[test]
fn g37_a_tag_that_a_configured_refspec_may_make_is_refused() {
    for posture in [&INTERVIEW, &SELECTION, &plan()] {
        for configured in [
            &["+refs/heads/*:refs/tags/*"] as &[_],
            &["+refs/heads/*:refs/remotes/origin/*", "refs/heads/main:tags/new"],
            &["refs/heads/*:refs/t*"],
            &["refs/heads/*:*"],
            &["refs/tags/*:refs/*"],
        ] {
            let refusal = verdict(posture, &fetch("git fetch origin", Some(configured)), NEW).expect(configured[0]);
            let refspec = configured.last().unwrap();
            assert_eq!(
                refusal.reason,
                format!(
                    "tag 'new' was not created: a fetch may only bring tags under their own names, and the configured \
                     refspec '{refspec}' may make this one from another ref"
                )
            );
            assert_eq!(refusal.hints[0], fetched::SHOWS);
            assert!(refusal.hints[1].starts_with("git fetch --no-tags"));
        }
    }
}

#[test]
fn g37_refspecs_that_cannot_be_read_let_no_tag_through() {
    for posture in [&INTERVIEW, &SELECTION, &plan()] {
        let repo = Repo { broken: Some("configured"), ..fetch("git fetch", Some(ORDINARY)) };
        let refusal = verdict(posture, &repo, NEW).unwrap();
        assert!(refusal.reason.contains("refspecs could not be read (disk on fire)"), "{}", refusal.reason);
        assert_eq!(refusal.hints[0], fetched::SHOWS);
        assert_eq!(verdict(posture, &repo, "0 a refs/remotes/origin/main"), None);
    }
}

/// The double panics if it is asked in vain.
#[test]
fn g37_the_configuration_is_read_for_new_tags_of_a_fetch_alone() {
    for (asked_by, line) in [
        ("git fetch", "0 a refs/remotes/origin/main"),
        ("git fetch", "0 a refs/heads/new"),
        ("git fetch", "b a refs/tags/v1"),
        ("git fetch", "b 0 refs/tags/v1"),
        ("git fetch", "0 b refs/tags/v1"),
        ("git fetch --std origin", NEW),
        ("git fetch . HEAD:refs/tags/new", NEW),
        ("git fetch . +HEAD:tags/new", NEW),
        ("git fetch --refmap=refs/heads/*:refs/tags/* origin main", NEW),
        ("git fetch . refs/remotes/a=refs/tags/new:refs/tags/new", NEW),
        ("git tag new", NEW),
        ("git update-ref refs/tags/new fetch", NEW),
        ("", NEW),
    ] {
        for posture in [&INTERVIEW, &SELECTION, &plan()] {
            let passes = verdict(posture, &fetch(asked_by, None), line).is_none();
            // A remote's ref is free, and a tag may be packed as it is.
            let is_free = line.contains("refs/remotes/") || line == "0 b refs/tags/v1";
            assert_eq!(passes, is_free, "{asked_by}: {line}");
        }
    }
}
