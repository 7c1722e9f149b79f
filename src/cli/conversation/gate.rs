//! The gate at a terminal (G26): what can be said there, whoever opened it.

use crate::app::context::Context;
use crate::app::drafting::leads_nowhere;
use crate::app::error::AppError;
use crate::app::ports::TargetFiles;
use crate::app::prompt::{Choice, ReplyPrompt, Slash};
use crate::domain::production::TargetPath;
use crate::domain::selection::{Gate, Selection};
use crate::domain::session::Session;
use crate::domain::settings::Destination;

use super::super::{interview, settings};
use super::{KEYS_CHOICES, Next, Talk, choices, typed, unsent};

const HELP: &str = "continue, review, select <output>, stop, /help";

/// Puts it, and does what was said.
pub(super) fn choose(
    context: &mut Context<'_>,
    session: &Session,
    selection: &Selection,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    let gate = &selection.gate;
    let offered = offered(selection, context.targets);
    let offered = if interview::can_go_on(context, session) { offered } else { leading_elsewhere(offered) };
    talk.in_sight = None;
    talk.offered = None;
    let place = unsent::place("output selection");
    let prompt = ReplyPrompt {
        heading: heading(gate),
        question: gate.question.as_str().to_owned(),
        choices: offered,
        draft: unsent::recall(context, session, Some(&place), talk)?,
        status: context.voice.status_line(session),
        keys: KEYS_CHOICES.to_owned(),
        help: HELP.to_owned(),
        slash: Slash::Verb,
    };
    let text = match unsent::ask_for_verb(context, session, &place, &prompt, talk)? {
        Ok(text) => text,
        Err(next) => return Ok(next),
    };
    let verb = meant(&text).unwrap_or_else(|| text.trim().to_owned());
    typed::verb(context, talk, &verb)
}

/// The reasons stay above the list, whatever is printed before it and however small the window is.
fn heading(gate: &Gate) -> String {
    let (rationale, findings) = gate.reasons();
    std::iter::once("output selection")
        .chain([rationale])
        .chain(findings.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The verb for what is typed at the gate; `None` where it has no meaning of its own there.
fn meant(text: &str) -> Option<String> {
    let text = text.trim();
    match text.strip_prefix('/').unwrap_or(text) {
        "continue" => Some("next".to_owned()),
        "approve" => Some("approve".to_owned()),
        "review" => Some("checkpoint show".to_owned()),
        "stop" | "stop without output" => Some("stop --without-output".to_owned()),
        // The name of an output alone can mean nothing else here.
        name if settings::parse_outputs(&[name.to_owned()]).is_ok_and(|outputs| !outputs.is_empty()) => {
            Some(format!("select {}", shell_words::quote(name)))
        }
        line if line.starts_with("select ") => Some(line.to_owned()),
        _ => None,
    }
}

/// What can be taken over. An agent's own wording that does nothing here would be offered in vain: in its place stand
/// the choices that do. So would outputs that are refused for a path.
fn offered(Selection { gate, request, kept: _ }: &Selection, files: Option<&dyn TargetFiles>) -> Vec<Choice> {
    let granting =
        request.iter().map(|request| choice("approve", &format!("Grant what {} asks", request.by.in_words())));
    let all = choices(&gate.alternatives);
    let listed = all.len();
    let kept: Vec<Choice> = all.into_iter().filter_map(plainly).filter(|one| is_possible(one, files)).collect();
    let complete = kept.len() == listed;
    let mut offered: Vec<Choice> = granting.chain(kept).collect();
    let ours = gate.recommended_outputs.iter().filter(|_| !complete).map(selecting);
    let ours = ours.filter(|one| is_possible(one, files));
    for choice in ours.chain(ways_out()) {
        if !offered.iter().any(|one| meant(&one.value) == meant(&choice.value)) {
            offered.push(choice);
        }
    }
    offered
}

/// The choices where nothing is left to ask: going on would lead nowhere, and what is missing is said in another way.
fn leading_elsewhere(offered: Vec<Choice>) -> Vec<Choice> {
    let goes_on = |one: &Choice| meant(&one.value).as_deref() == Some("next");
    let instead = [
        Choice::of("checkpoint edit", "Change the checkpoint", "if something is missing; opens your editor"),
        Choice::of(
            "back",
            "Answer the last question again",
            "back <number> takes an earlier one, and status --questions lists them",
        ),
    ];
    let at = offered.iter().position(goes_on).unwrap_or(offered.len());
    let mut choices: Vec<Choice> = offered.into_iter().filter(|one| !goes_on(one)).collect();
    choices.splice(at..at, instead);
    choices
}

/// A choice as what it does, with the words of whoever worded it behind that; `None` where it does nothing.
fn plainly(given: Choice) -> Option<Choice> {
    let verb = meant(&given.value)?;
    let known = ways_out().chain([choice("approve", "Grant what was asked for")]);
    let done = known.into_iter().find(|one| meant(&one.value).as_ref() == Some(&verb)).map(|one| one.label);
    let label = done.or_else(|| verb.strip_prefix("select ").map(|outputs| format!("Produce {outputs}")))?;
    if label == given.label {
        return Some(given);
    }
    let said = [Some(given.label), given.description].into_iter().flatten().collect::<Vec<_>>().join(": ");
    Some(Choice { label, description: Some(said), ..given })
}

/// Whether a choice is more than a wish: outputs that are refused for what they name are chosen in vain.
fn is_possible(choice: &Choice, files: Option<&dyn TargetFiles>) -> bool {
    let Some(line) = meant(&choice.value).filter(|verb| verb.starts_with("select ")) else {
        return true;
    };
    let Some(select) = typed::selected(&line) else {
        return false;
    };
    let path = select.path.as_deref().map(TargetPath::parse).transpose();
    match (settings::parse_outputs(&select.outputs), path) {
        (Ok(outputs), Ok(path)) => !leads_nowhere(files, &outputs, path.as_ref()),
        (Err(_), _) | (_, Err(_)) => false,
    }
}

fn selecting(output: &Destination) -> Choice {
    choice(&output.typed(), &format!("Produce {output}"))
}

fn ways_out() -> impl Iterator<Item = Choice> {
    [("continue", "Go on with the interview"), ("review", "Review the checkpoint"), ("stop", "Stop without output")]
        .into_iter()
        .map(|(value, label)| choice(value, label))
}

fn choice(value: &str, label: &str) -> Choice {
    Choice { value: value.to_owned(), label: label.to_owned(), description: None, recommended: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::actor::Actor;
    use crate::domain::question::{Alternatives, RawAlternative};
    use crate::domain::selection::{Request, Wanted};
    use crate::domain::text::Prose;

    fn gate(values: &[&str]) -> Gate {
        let raw: Vec<RawAlternative> = values
            .iter()
            .map(|value| RawAlternative { value: (*value).to_owned(), ..RawAlternative::default() })
            .collect();
        let prose = |text| Prose::parse("text", text).unwrap();
        Gate {
            rationale: prose("ready"),
            recommended_outputs: vec!["design-doc".parse().unwrap(), "github-issues".parse().unwrap()],
            recommended_strategy: None,
            question: prose("What now?"),
            alternatives: Alternatives::parse(&raw).unwrap(),
            findings: crate::domain::selection::Findings::default(),
        }
    }

    fn values(given: &[&str]) -> Vec<String> {
        offered(&Selection { gate: gate(given), request: None, kept: None }, None)
            .into_iter()
            .map(|choice| choice.value)
            .collect()
    }

    #[test]
    fn g26_whatever_stands_in_the_list_does_something() {
        let ours = ["select design-doc", "select github-issues", "continue", "review", "stop"];
        assert_eq!(values(&ours), ours);
        assert_eq!(values(&["one document, please", "more questions"]), ours);
        assert_eq!(
            values(&["design-doc", "more questions"]),
            ["design-doc", "select github-issues", "continue", "review", "stop"]
        );
        assert_eq!(values(&["stop", "design-doc"]), ["stop", "design-doc", "continue", "review"]);
    }

    #[test]
    fn g26_outputs_that_are_refused_for_a_path_are_no_choice() {
        let vain = [
            "select design-doc --path .git/hooks/pre-commit",
            "select design-doc --path ../design.md",
            "select design-doc --path .github/workflows/design.yml",
            "select custom:../../etc",
            "custom:/etc/passwd",
            "select design-doc --zzz",
        ];
        for value in vain {
            let ours = ["select design-doc", "select github-issues", "continue", "review", "stop"];
            assert_eq!(values(&[value, "more questions"]), ours, "{value}");
        }
        let possible = ["select design-doc --path docs/a.md", "select 'custom:a poster'", "stop"];
        assert_eq!(values(&possible)[..3], possible);
        let mut gate = gate(&["more questions", "fewer"]);
        gate.recommended_outputs = vec!["custom:../../etc".parse().unwrap()];
        let offered = offered(&Selection { gate, request: None, kept: None }, None);
        let left: Vec<&str> = offered.iter().map(|one| one.value.as_str()).collect();
        assert_eq!(left, ["continue", "review", "stop"]);
    }

    #[test]
    fn g46_where_nothing_is_left_to_ask_the_list_leads_elsewhere() {
        let given = ["design-doc", "continue", "review", "stop"];
        let offered = offered(&Selection { gate: gate(&given), request: None, kept: None }, None);
        let values: Vec<String> = leading_elsewhere(offered).into_iter().map(|choice| choice.value).collect();
        assert_eq!(values, ["design-doc", "checkpoint edit", "back", "review", "stop"]);
    }

    #[test]
    fn g26_a_choice_says_what_it_does_whatever_it_is_called() {
        let given = |value: &str| Choice { description: Some("so that".to_owned()), ..choice(value, "Keep asking me") };
        let shown = |value: &str| plainly(given(value)).map(|one| (one.label, one.description.unwrap_or_default()));
        let because = "Keep asking me: so that".to_owned();
        assert_eq!(shown("stop"), Some(("Stop without output".to_owned(), because.clone())));
        assert_eq!(shown("select summary"), Some(("Produce summary".to_owned(), because.clone())));
        assert_eq!(shown("design-doc"), Some(("Produce design-doc".to_owned(), because)));
        assert_eq!(shown("/verify --restore --yes"), None);
    }

    #[test]
    fn g30_what_waits_for_a_person_stands_first() {
        let request = Request { by: Actor::Agent("claude".to_owned()), wanted: Wanted::Stop { summary: None } };
        let offered =
            offered(&Selection { gate: gate(&["stop", "design-doc"]), request: Some(request), kept: None }, None);
        assert_eq!(offered[0].value, "approve");
        assert_eq!(offered[0].label, "Grant what the agent claude asks");
        let labels: Vec<&str> = offered.iter().map(|one| one.label.as_str()).collect();
        assert_eq!(
            labels[1..],
            ["Stop without output", "Produce design-doc", "Go on with the interview", "Review the checkpoint"]
        );
    }
}
