//! What a refusal says.

use super::*;

const STATUS: &str = "git grill status shows where the session is";
const STOP: &str = "git grill stop ends it and lifts the protection";

#[test]
fn g37_a_refusal_says_what_did_not_happen_and_what_to_type() {
    let says = [
        ("0 c HEAD; a c refs/heads/main", "branch 'main' was not changed"),
        ("0 0 refs/heads/main", "branch 'main' was not deleted"),
        ("0 a refs/heads/new", "branch 'new' was not created"),
        ("0 a refs/tags/new", "tag 'new' was not created"),
        ("b a refs/tags/v1", "tag 'v1' was not written"),
        ("b 0 refs/tags/v1", "tag 'v1' was not deleted"),
        ("0 ref:refs/heads/other HEAD", "HEAD was not switched to 'other'"),
        ("0 ref:refs/heads/main HEAD", "HEAD was not written anew, and leads to 'main' as before"),
        ("0 b HEAD", "HEAD was not moved"),
        ("0 a ORIG_HEAD", "ORIG_HEAD was not written"),
        ("0 a refs/stash", "the stash was not changed"),
        ("0 a refs/notes/x", "'refs/notes/x' was not changed"),
    ];
    for (line, start) in says {
        let refusal = verdict(&INTERVIEW, &REPO, line).unwrap();
        assert!(refusal.reason.starts_with(start), "{line}: {}", refusal.reason);
        assert!(refusal.hints.iter().all(|hint| hint.starts_with("git ")), "{:?}", refusal.hints);
        assert!(refusal.hints.contains(&STOP.to_owned()));
    }
    let hints = |line| verdict(&INTERVIEW, &REPO, line).unwrap().hints;
    // Nothing was exchanged where HEAD leads to the same branch, so there is nothing to bring back.
    assert_eq!(hints("0 ref:refs/heads/main HEAD"), [STATUS, STOP]);
    assert!(hints("0 ref:refs/heads/other HEAD").iter().any(|hint| hint.starts_with("git restore")));
    assert_eq!(hints("0 a refs/tags/new")[0], "git fetch --no-tags, if this was a fetch");
    assert_eq!(hints("b 0 refs/tags/v1")[0], STATUS);
}

#[test]
fn g30_every_refusal_shows_foreign_names_harmlessly() {
    const HIDDEN: &str = "\u{202e}\u{200b}\u{2066}";
    let moved = [
        "0 a refs/heads/?",
        "0 0 refs/heads/?",
        "0 a refs/tags/?",
        "0 a refs/notes/?",
        "0 ref:refs/heads/? HEAD",
        "0 ref:? HEAD",
        "0 a refs/heads/main?",
        "0 d refs/heads/?",
    ];
    for posture in [&INTERVIEW, &SELECTION, &plan()] {
        for line in moved {
            let line = line.replace('?', HIDDEN);
            let Some(refusal) = verdict(posture, &REPO, &line) else { continue };
            for text in refusal.hints.iter().chain([&refusal.reason]) {
                assert_eq!(crate::domain::harmless::harmless(text), text.as_str(), "{line:?}");
            }
        }
        let pushed = format!("refs/heads/x 1 refs/heads/{HIDDEN} 2\n");
        let Verdict::Refuse(refusal) = crate::policy::push::judge_push(posture, pushed.as_bytes()) else {
            panic!("{pushed:?} passed in {posture:?}")
        };
        assert!(refusal.reason.contains("refs/heads/\\u{202e}\\u{200b}\\u{2066}"), "{}", refusal.reason);
    }
    let named = verdict(&INTERVIEW, &REPO, &format!("0 a refs/heads/{HIDDEN}")).unwrap().reason;
    assert!(named.starts_with("branch '\\u{202e}\\u{200b}\\u{2066}' was not created"), "{named}");
}

#[test]
fn a_message_of_our_trailers_alone_has_no_words() {
    for (message, wordless_one) in [
        ("Grill-Session: a\nGrill-Decision: q-1 b\n", true),
        ("\nGrill-Session: a\n\nSigned-off-by: A <a@b>\n", true),
        ("words\n\nGrill-Session: a\n", false),
        // Who commits without a message on purpose has none of our trailers either.
        ("", false),
        ("Signed-off-by: A <a@b>\n", false),
    ] {
        assert_eq!(wordless(message.as_bytes()), wordless_one, "{message:?}");
    }
}

#[test]
fn the_phase_is_named() {
    let reason = |posture| verdict(posture, &REPO, "0 b HEAD").unwrap().reason;
    assert!(reason(&INTERVIEW).contains("the interview is read-only"));
    assert!(reason(&SELECTION).contains("choosing the output is read-only"));
}
