//! What this clone did not grant is nowhere left in a session, whatever the session came to, and nothing else is lost.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use git_grill::domain::actor::Actor;
use git_grill::domain::authority::Claim;
use git_grill::domain::command::Command;
use git_grill::domain::decide::decide;
use git_grill::domain::event::{Event, Recorded};
use git_grill::domain::production::{self, Stage, Target};
use git_grill::domain::session::{Phase, Session};
use git_grill::store::files;
use proptest::prelude::*;

use super::rules::play;
use super::stored::{Tree, commit};
use super::wishes::{at, settings, wishes};

fn claims(session: &Session) -> BTreeSet<String> {
    session.claims().iter().map(ToString::to_string).collect()
}

fn next(session: &Session, by: Actor, event: Event) -> Recorded {
    Recorded { seq: session.seq + 1, at: at(1_000), by, event }
}

/// The drafts that are not left out, by what they are for, with their bytes.
fn drafts(session: &Session) -> BTreeSet<(Target, String)> {
    let production = match &session.phase {
        Phase::Production(production) => Some(production),
        Phase::Selection(selection) => selection.kept.as_ref(),
        Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
    };
    let all = production.into_iter().flat_map(|production| &production.drafts);
    all.filter(|one| one.stage != Stage::Dropped)
        .map(|one| (one.draft.target.clone(), one.draft.content.clone()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_not_granted_here_is_nowhere_left(settings in settings(), wishes in wishes(60), seed in any::<u64>()) {
        let (mut history, session) = play(settings, &wishes);
        // Some seeds grant nothing, the others about one half.
        let granted = |claim: &Claim<'_>| {
            let mut hasher = DefaultHasher::new();
            (seed, claim.to_string()).hash(&mut hasher);
            !seed.is_multiple_of(4) && hasher.finish().is_multiple_of(2)
        };
        let Some(lapse) = session.lapse(&granted) else {
            prop_assert!(session.claims().iter().all(granted));
            return Ok(());
        };
        prop_assert!(!lapse.parts().is_empty());
        let shown = session.clone().lapsed(lapse.clone());
        let recorded = next(&session, Actor::System, Event::AuthorityLapsed { lapse: Box::new(lapse) });
        let after = session.clone().evolve(&recorded);
        // What is shown before it is recorded is what is recorded.
        prop_assert_eq!(&shown.phase, &after.phase);
        prop_assert_eq!((&shown.settings, &shown.produced), (&after.settings, &after.produced));
        // Nothing is claimed that was not granted, and nothing new.
        prop_assert!(after.claims().iter().all(granted), "{:?}", claims(&after));
        prop_assert!(claims(&after).is_subset(&claims(&session)));
        prop_assert_eq!(after.lapse(&granted), None);
        prop_assert_eq!(after.clone().evolve(&recorded), after.clone());
        // Words stay: no draft is lost, and no answer.
        prop_assert_eq!(drafts(&session), drafts(&after));
        prop_assert_eq!((&session.transcript, &session.checkpoint), (&after.transcript, &after.checkpoint));
        history.push(recorded.clone());
        prop_assert_eq!(Session::replay(&history), Some(after.clone()));
        // It is stored, and read back, as it is.
        let Some(tree) = commit(&Tree::new(), None, &history, &session) else { return Ok(()) };
        let Some(tree) = commit(&tree, Some(&session), std::slice::from_ref(&recorded), &after) else { return Ok(()) };
        prop_assert_eq!(&files::read_session(&tree).unwrap(), &after);
        // Only a person opens the output phase again, with every draft and no approval.
        if let Phase::Selection(selection) = &after.phase && selection.kept.is_some() {
            let agent = Actor::Agent("claude".to_owned());
            let grant: Command = production::Command::GrantRequest { shown: Box::new(after.request().unwrap().clone()) }.into();
            prop_assert!(granted(&Claim::Approval(after.settings.approval))
                || decide(&after, &agent, at(1_001), &grant).is_err());
            let mut opened = after.clone();
            for event in decide(&after, &Actor::Human, at(1_001), &grant).unwrap() {
                opened = opened.clone().evolve(&next(&opened, Actor::Human, event));
            }
            prop_assert_eq!(drafts(&session), drafts(&opened));
            prop_assert!(opened.pending().is_empty());
        }
    }
}
