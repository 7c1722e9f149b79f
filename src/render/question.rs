//! Questions and the gate, as text with the commands that answer them.

use std::fmt::Write as _;

use crate::app::interview_summary::{self, InterviewSummary};
use crate::domain::interview::{TranscriptEntry, gist};
use crate::domain::production::PlannedOutput;
use crate::domain::question::{Alternatives, Form, LETS_DISCUSS, Question, SOMETHING_ELSE};
use crate::domain::selection::{Selection, Wanted};
use crate::domain::session::Session;
use crate::domain::settings::Destination;

use super::palette::{Asked as Put, Look};
use super::{harmless, status};

/// The open question with its numbered alternatives and how to answer it.
pub(super) fn open(session: &Session, asked: &TranscriptEntry, look: &Look) -> String {
    let question = &asked.question;
    let waits = session.own.debate.waits_in_words(&question.id);
    let mut text = waits.map(|(_, waits)| format!("{}\n\n", look.warning(waits))).unwrap_or_default();
    let _ = writeln!(
        text,
        "{} {}\n",
        look.strong(format!("question {} · {}", asked.number, harmless(question.dimension.as_str()))),
        look.muted(&question.id)
    );
    for line in question.text.as_str().lines() {
        let _ = writeln!(text, "  {}", harmless(line));
    }
    if let Some(answer) = interview_summary::kept_answer(session, asked) {
        let _ = writeln!(text, "\n  {} {}", look.muted("so far:"), harmless(gist(answer).as_str()));
    }
    text.push('\n');
    text.push_str(&alternatives(&question.alternatives, look));
    text.push_str(&entries_behind(question));
    // The options of a question tool name their places themselves.
    if !question.evidence.is_empty() && question.form.is_grill() {
        let places: Vec<String> =
            question.evidence.iter().map(|place| look.name(harmless(&place.to_string()))).collect();
        let _ = writeln!(text, "\n  {} {}", look.muted("seen in"), places.join(", "));
    }
    let _ = writeln!(text, "\nanswer it with\n{}", ways(question));
    let _ = writeln!(
        text,
        "{}",
        look.muted("or: skip, skip --because \"<what is wrong with it>\", unknown, why, discuss, back, select")
    );
    text
}

/// The commands that answer it.
fn ways(question: &Question) -> String {
    let answer = format!("git grill answer --question {}", question.id);
    match question.form {
        Form::Grill | Form::Select => format!("  {answer} --choose 1\n  {answer} \"<your words>\""),
        Form::MultiSelect => format!("  {answer} --choose 1,2"),
    }
}

/// The two entries that stand behind the options of a selection (Q3).
fn entries_behind(question: &Question) -> String {
    match (question.something_else(), question.lets_discuss()) {
        (Some(other), Some(talk)) => format!("  {other}. {SOMETHING_ELSE}\n  {talk}. {LETS_DISCUSS}\n"),
        _ => String::new(),
    }
}

/// Numbered alternatives, the recommended one marked, reasons below.
fn alternatives(alternatives: &Alternatives, look: &Look) -> String {
    let mut text = String::new();
    for (index, one) in alternatives.as_slice().iter().enumerate() {
        let mark = if one.recommended { look.good(" (recommended)") } else { String::new() };
        let _ = writeln!(text, "  {}. {}{mark}", index + 1, harmless(one.label.as_str()));
        // A value that is not the label is what would be sent, so it has to be seen before it is chosen.
        if one.value.as_str() != one.label.as_str() {
            for line in one.value.as_str().lines() {
                let _ = writeln!(text, "     → {}", harmless(line));
            }
        }
        if let Some(reason) = &one.description {
            for line in reason.as_str().lines() {
                let _ = writeln!(text, "     {}", look.muted(harmless(line)));
            }
        }
        if let Some(place) = &one.evidence {
            let _ = writeln!(text, "     {}", look.name(harmless(&place.to_string())));
        }
        if one.discuss {
            let _ = writeln!(text, "     {}", look.muted("opens a conversation"));
        }
    }
    text
}

pub(super) fn why(question: &Question, number: u32, explained: bool, look: &Look) -> String {
    let mut text = format!("{}\n", look.strong(format!("why question {number} matters")));
    match &question.why {
        Some(why) => {
            let _ = writeln!(text, "{}", harmless(why.as_str()));
        }
        // The reason comes next.
        None if explained => {}
        None => text.push_str("the interviewer gave no reason\n"),
    }
    for place in &question.evidence {
        let blob = place.blob.as_ref().map(|blob| format!(" (blob {})", blob.short())).unwrap_or_default();
        let _ = writeln!(text, "  seen in {}{}", look.name(harmless(&place.to_string())), look.muted(blob));
    }
    let _ = writeln!(text, "{}", look.muted("the question stays open"));
    text
}

/// The gate: why, what is recommended, the whole catalogue (G26, G27).
pub(super) fn gate(session: &Session, selection: &Selection, look: &Look) -> String {
    let gate = &selection.gate;
    let mut text = String::new();
    // A prompt that follows has the heading and the reasons, where the list does not push them out of the window.
    if look.asked == Put::InText {
        let (rationale, findings) = gate.reasons();
        let _ = writeln!(text, "{}\n", look.strong("output selection"));
        for line in rationale.lines() {
            let _ = writeln!(text, "  {}", harmless(line));
        }
        for line in &findings {
            let _ = writeln!(text, "  {}", look.warning(harmless(line)));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "  so far: {}", status::progress(session, &InterviewSummary::of(session)));
    let recommended: Vec<String> = gate.recommended_outputs.iter().map(ToString::to_string).collect();
    let recommended = if recommended.is_empty() { "none".to_owned() } else { recommended.join(", ") };
    let strategy = gate.recommended_strategy.as_ref().map(|one| format!(", cut as {one}")).unwrap_or_default();
    let _ = writeln!(text, "  recommended: {}{}", harmless(&recommended), harmless(&strategy));
    let _ = writeln!(text, "\n  {}", look.strong("what can come out of it (one or more; nothing is a default)"));
    text.push_str(&catalogue(look));
    if let Some(request) = &selection.request {
        let wish = match &request.wanted {
            Wanted::Outputs(plan) => {
                let one = |output: &PlannedOutput| format!("{} as {}", output.destination, output.place());
                let outputs: Vec<String> = plan.outputs.iter().map(one).collect();
                format!("to produce {}", outputs.join(" and "))
            }
            Wanted::Stop { .. } => "to stop without output".to_owned(),
        };
        let asks = format!("{} asks {wish}; git grill approve grants it", request.by.in_words());
        let _ = writeln!(text, "\n  {}", look.warning(harmless(&asks)));
    }
    text
}

/// What can be produced, one a line.
fn catalogue(look: &Look) -> String {
    let mut text = String::new();
    for (output, entry) in interview_summary::catalogue() {
        let name = format!("{output:<20}");
        let _ = writeln!(text, "    {} {}", look.name(name), look.muted(entry.about));
    }
    let about = "a document of your own, made from a template in this repository";
    let _ = writeln!(text, "    {} {}", look.name(Destination::OWN), look.muted(about));
    text
}

pub(super) fn gate_commands(selection: &Selection, look: &Look) -> String {
    let granting = match &selection.request {
        Some(_) => "  git grill approve               grant what is asked for above\n",
        None => "",
    };
    format!(
        "\n  {}\n\nchoose with\n{granting}  git grill select design-doc     produce it: drafted, shown, approved, then written\n  git \
         grill next                  ask the next question, if one is left\n  git grill back <number>         answer a \
         question again, or one that was put off\n  git grill checkpoint            review the checkpoint\n  git \
         grill stop --without-output end it, nothing produced\n",
        look.strong(harmless(selection.gate.question.as_str()))
    )
}
