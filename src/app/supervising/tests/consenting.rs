//! The matrix of A11: who asks, whether they confirm, and whether a yes is remembered.

use super::*;

/// What a request to start comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comes {
    /// It is started, and nobody was asked.
    AtOnce,
    /// A person is asked, and then it is started.
    Asked,
    /// It is not started, with this exit code.
    Not(u8),
}
use Comes::{Asked, AtOnce, Not};

fn came(person: &Person, result: Result<Loan, AppError>) -> Comes {
    match result {
        Ok(_) if person.asked.is_empty() => AtOnce,
        Ok(_) => Asked,
        Err(error) => Not(error.exit_code()),
    }
}

#[test]
fn a11_only_a_persons_yes_or_a_remembered_one_with_a_confirmation_lets_an_agent_start() {
    // By whom; confirmed; remembered.
    for (who, confirmed, remembered, comes) in [
        (Person::typing as fn() -> Person, false, false, Asked),
        (Person::typing, true, false, Asked),
        (Person::typing, false, true, AtOnce),
        (Person::typing, true, true, AtOnce),
        (Person::piped, false, false, Asked),
        (Person::piped, true, false, Asked),
        (Person::piped, false, true, AtOnce),
        (Person::piped, true, true, AtOnce),
        (Person::nobody, false, false, Not(3)),
        (Person::nobody, true, false, Not(3)),
        (Person::nobody, false, true, Not(3)),
        (Person::nobody, true, true, AtOnce),
        (Person::host, false, false, Not(3)),
        (Person::host, true, false, Not(3)),
        (Person::host, false, true, Not(3)),
        (Person::host, true, true, AtOnce),
    ] {
        let fake = Fake { remembered, default: Some("claude"), ..Fake::default() };
        let mut person = who();
        let what = format!("{:?} {:?} {confirmed} {remembered}", person.actor, person.can_ask);
        let result = served(&fake, &mut person, begin(None, Profile::LocalReview, confirmed));
        if let Err(error) = &result {
            let hint = error.hint().unwrap();
            assert!(hint.starts_with("git grill agent start --agent claude --profile local-review "), "{hint}");
            assert_eq!(hint.contains("confirm_provider_use: true"), remembered, "{hint}");
            let alone = "no yes to claude is remembered in this clone, and a confirmation alone starts nothing";
            assert_eq!(error.to_string().ends_with(alone), confirmed, "{error}");
            assert_eq!(hint.contains("choose “Start it, and do not ask again”; then repeat this"), confirmed, "{hint}");
        }
        assert_eq!(came(&person, result), comes, "{what}");
        assert_eq!(fake.did().len(), usize::from(comes == AtOnce || comes == Asked), "{what}");
    }
}

#[test]
fn a11_the_yes_to_a_session_covers_its_prompts_and_whoever_is_no_person_confirms_each() {
    for (who, confirmed, comes) in [
        (Person::typing as fn() -> Person, false, AtOnce),
        (Person::piped, false, AtOnce),
        (Person::piped, true, AtOnce),
        (Person::nobody, false, Not(3)),
        (Person::nobody, true, AtOnce),
        (Person::host, false, Not(3)),
        (Person::host, true, AtOnce),
    ] {
        let fake = Fake::of([Played::idle()]);
        let mut person = who();
        let request = sending(1, confirmed);
        let result = served(&fake, &mut person, request);
        assert_eq!(came(&person, result), comes, "{:?} {confirmed}", person.actor);
        assert_eq!(fake.did().len(), usize::from(comes == AtOnce || comes == Asked));
    }
}

#[test]
fn a11_a_yes_for_good_is_noted_before_the_agent_starts() {
    let fake = Fake { default: Some("claude"), ..Fake::default() };
    let mut person = Person { says: Ok("always"), ..Person::typing() };
    served(&fake, &mut person, begin(None, Profile::GroundedReview, false)).unwrap();
    assert_eq!(fake.did(), ["agree claude", "start claude grounded-review look"]);
    assert_eq!(person.offered, ["once", "always", "no"]);
    assert!(person.asked[0].starts_with("Start Claude Code (claude-agent-acp) with the profile grounded-review? "));
}
