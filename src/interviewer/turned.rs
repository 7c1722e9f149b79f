//! An inferred intent that the user's words turned: it is said with those words, and not again.

use crate::domain::ids::QuestionId;
use crate::domain::session::Session;
use crate::domain::settings::Intent;

use super::ledger::Ledger;

/// The words that came in last.
#[derive(Clone, Copy, Debug)]
pub enum Newest<'q> {
    Answer(&'q QuestionId),
    /// The summary of a discussion, and the answer that it is to the question talked about.
    Discussion,
}

/// The inferred intent without the newest words and with them, where the two differ. None where the intent is set.
pub fn intent_turned(session: &Session, newest: Newest<'_>) -> Option<(Intent, Intent)> {
    if session.settings.intent != Intent::Auto {
        return None;
    }
    let before = without(session.clone(), newest)?;
    let (was, is) = (Ledger::of(&before).intent(), Ledger::of(session).intent());
    (was != is).then_some((was, is))
}

/// The session as it was before those words.
fn without(mut session: Session, newest: Newest<'_>) -> Option<Session> {
    let about = match newest {
        Newest::Answer(question) => Some(question.clone()),
        Newest::Discussion => session.discussions.pop()?.about,
    };
    let asked = session.transcript.asked.iter_mut().find(|asked| Some(&asked.question.id) == about.as_ref());
    if let Some(asked) = asked {
        asked.answers.pop();
    }
    Some(session)
}

#[cfg(test)]
mod tests {
    use super::super::referee::led::Led;
    use super::*;
    use crate::domain::settings::Intensity;

    #[test]
    fn g54_words_that_turn_the_intent_turn_it_once() {
        let mut led = Led::about("where the counters live", Intensity::Standard);
        led.session.settings.intent = Intent::Auto;
        led.exchange("objective", "What is it for?", "nothing that speaks of an intent");
        let first = Led::id(1);
        assert_eq!(intent_turned(&led.session, Newest::Answer(&first)), None);
        led.exchange("objective", "What do you need?", "I want to learn and understand how it works, to study it");
        let second = Led::id(2);
        assert_eq!(intent_turned(&led.session, Newest::Answer(&second)), Some((Intent::Plan, Intent::Learn)));
        led.exchange("scope", "How much of it?", "all of it");
        let third = Led::id(3);
        assert_eq!(
            intent_turned(&led.session, Newest::Answer(&third)),
            None,
            "it is said with the words that turned it"
        );
        led.session.settings.intent = Intent::Decide;
        assert_eq!(intent_turned(&led.session, Newest::Answer(&second)), None, "what is set is not inferred");
    }
}
