//! The gate where nothing can ask for everything at once: one list after the other.

use super::{AtGate, Choice, GatePrompt, ManyPrompt, PickPrompt, Picked, Prompted, Prompter};

/// Asks what happens, then for the outputs, then how they are cut.
pub(super) fn one_after_the_other<P: Prompter + ?Sized>(prompter: &mut P, prompt: &GatePrompt) -> Prompted<AtGate> {
    let entry = |label: &str, description: &str| Choice::of(label, label, description);
    let ways = [
        entry("Choose outputs", "which, is asked next; nothing is written before you have seen it"),
        entry("Go on with the interview", "more questions; the repository stays read-only"),
        entry("Stop without output", "the session ends; the shared understanding stays in git"),
    ];
    let first = PickPrompt {
        heading: prompt.heading.clone(),
        question: prompt.question.clone(),
        choices: ways.into_iter().chain(prompt.replies.iter().cloned()).collect(),
        other: Some("Something else".to_owned()),
        ..PickPrompt::default()
    };
    let taken = match prompter.pick(&first).answered() {
        Ok(Picked::Choice { index: 0, .. }) => None,
        // A conversation is not offered.
        Ok(Picked::Choice { index: 1, .. } | Picked::Discuss) => Some(AtGate::Continue),
        Ok(Picked::Choice { index: 2, .. }) => Some(AtGate::Stop),
        Ok(Picked::Choice { index, note }) => {
            let reply = prompt.replies.get(index - 3).map(|reply| reply.value.clone()).unwrap_or_default();
            Some(AtGate::Wrote(note.map_or(reply.clone(), |note| format!("{reply} ({note})"))))
        }
        Ok(Picked::Wrote(text)) => Some(AtGate::Wrote(text)),
        Err(unanswered) => return unanswered.into(),
    };
    if let Some(taken) = taken {
        return Prompted::Answered(taken);
    }
    let which = ManyPrompt {
        question: "Which outputs?".to_owned(),
        choices: prompt.outputs.clone(),
        at_least: 1,
        ..ManyPrompt::default()
    };
    let outputs = match prompter.choose_many(&which).answered() {
        Ok(outputs) => outputs,
        Err(unanswered) => return unanswered.into(),
    };
    prompter
        .choose("Cut how?", &prompt.strategies)
        .map(|strategy| AtGate::Outputs { outputs, strategy: Some(strategy) })
}
