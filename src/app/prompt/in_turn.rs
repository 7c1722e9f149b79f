//! The gate where nothing can ask for everything at once: one list after the other.

use super::{AtGate, Choice, GatePrompt, ManyPrompt, PickPrompt, Picked, Prompted, Prompter};

/// How often the checkpoint is shown before the output selection is left undecided.
const MOST_REVIEWS: usize = 20;

/// The choice from the first list.
enum Way {
    /// Show the checkpoint first.
    Review,
    /// Produce outputs; ask for them next.
    Outputs,
    /// A final answer.
    Said(AtGate),
}

/// Asks what to do next, then for the outputs, then for the strategy. The user can review the checkpoint first, which
/// leads back here.
pub(super) fn one_after_the_other<P: Prompter + ?Sized>(prompter: &mut P, prompt: &GatePrompt) -> Prompted<AtGate> {
    let mut heading = prompt.heading.clone();
    for _ in 0..MOST_REVIEWS {
        match way(prompter, prompt, &heading).answered() {
            Ok(Way::Review) => heading = format!("{}\n\n{}", prompt.checkpoint.trim_end(), prompt.heading),
            Ok(Way::Outputs) => return outputs(prompter, prompt),
            Ok(Way::Said(said)) => return Prompted::Answered(said),
            Err(unanswered) => return unanswered.into(),
        }
    }
    Prompted::Unavailable("the checkpoint was reviewed again and again, and nothing was chosen")
}

fn way<P: Prompter + ?Sized>(prompter: &mut P, prompt: &GatePrompt, heading: &str) -> Prompted<Way> {
    let entry = |label: &str, description: &str| Choice::of(label, label, description);
    let ways = [
        entry("Choose outputs", "which, is asked next; nothing is written before you have seen it"),
        entry("Go on with the interview", "more questions; the repository stays read-only"),
        entry("Review the checkpoint", "read it first, then choose here"),
        entry("Stop without output", "the session ends; the shared understanding stays in git"),
    ];
    let ours = ways.len();
    let first = PickPrompt {
        heading: heading.to_owned(),
        question: prompt.question.clone(),
        choices: ways.into_iter().chain(prompt.replies.iter().cloned()).collect(),
        other: Some("Something else".to_owned()),
        ..PickPrompt::default()
    };
    prompter.pick(&first).map(|picked| match picked {
        Picked::Choice { index: 0, .. } => Way::Outputs,
        // A conversation is not offered.
        Picked::Choice { index: 1, .. } | Picked::Discuss => Way::Said(AtGate::Continue),
        Picked::Choice { index: 2, .. } => Way::Review,
        Picked::Choice { index: 3, .. } => Way::Said(AtGate::Stop),
        Picked::Choice { index, note } => {
            let reply = prompt.replies.get(index - ours).map(|reply| reply.value.clone()).unwrap_or_default();
            Way::Said(AtGate::Wrote(note.map_or(reply.clone(), |note| format!("{reply} ({note})"))))
        }
        Picked::Wrote(text) => Way::Said(AtGate::Wrote(text)),
    })
}

fn outputs<P: Prompter + ?Sized>(prompter: &mut P, prompt: &GatePrompt) -> Prompted<AtGate> {
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
