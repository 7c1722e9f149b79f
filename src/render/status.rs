//! Where the session is: for people, for scripts, for a shell prompt.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use crate::app::outlook::Outlook;
use crate::app::reply::Guards;
use crate::domain::production::Production;
use crate::domain::session::{Phase, Session};

use super::palette::{Asked, Look};
use super::{harmless, outcome, phase_in_words, verified};

/// `git grill status` for people (G19).
pub(super) fn status(session: &Session, guards: &Guards, look: &Look) -> String {
    let mut text = String::new();
    let mut row = |key: &str, value: &str| {
        let _ = writeln!(text, "{} {}", look.muted(format!("{key:<12}")), harmless(value));
    };
    for (key, value) in rows(session, guards) {
        row(key, &value);
    }
    text.push('\n');
    match (&session.phase, look.asked) {
        // The prompt that follows puts it again.
        (Phase::Selection(_), Asked::ByPrompt) => text,
        (Phase::Selection(_) | Phase::Interview(_) | Phase::Production(_) | Phase::Closed { .. }, _) => {
            text + &outcome::now(session, look)
        }
    }
}

/// The rows that text and porcelain share: stable keys, one line each.
fn rows(session: &Session, guards: &Guards) -> Vec<(&'static str, String)> {
    let outlook = Outlook::of(session);
    let settings = &session.settings;
    let intent = if settings.intent == crate::domain::settings::Intent::Auto {
        format!("auto (looks like {})", outlook.inferred)
    } else {
        settings.intent.to_string()
    };
    let preference: Vec<String> = settings.output_preference.iter().map(ToString::to_string).collect();
    let progress = session.transcript.progress();
    let mut rows = vec![
        ("active", if session.is_closed() { "no".to_owned() } else { "yes".to_owned() }),
        ("session", session.id.to_string()),
        ("topic", session.topic.to_string()),
        ("phase", phase_in_words(session).to_owned()),
        ("intent", intent),
        ("intensity", settings.intensity.to_string()),
        ("research", settings.research.to_string()),
        ("interviewer", settings.interviewer.to_string()),
        ("approval", settings.approval.to_string()),
        ("output", if preference.is_empty() { "(none set)".to_owned() } else { preference.join(", ") }),
        (
            "progress",
            format!(
                "{} resolved, {} unknown, {} open, {} deferred; {}",
                progress.resolved,
                progress.unknown,
                progress.open,
                progress.deferred,
                left_in_words(&outlook.left)
            ),
        ),
        ("updated", session.updated_at.to_string()),
    ];
    if let Some(change) = &session.last_change {
        rows.push(("last change", change.to_string()));
    }
    if let Some(request) = session.request() {
        rows.push(("waiting", format!("{} asks for a decision; git grill approve", request.by.in_words())));
    }
    if let Some(verification) = &session.verified {
        rows.push(("verified", verified::row(verification)));
    }
    let untouched = session.evidence.untouched();
    if !untouched.is_empty() {
        let names: Vec<&str> = untouched.iter().map(|kind| kind.as_str()).collect();
        rows.push(("not read", names.join(", ")));
    }
    for (asked, places) in session.doubted() {
        let places: Vec<String> = places.iter().map(|changed| changed.in_words()).collect();
        rows.push((
            "in doubt",
            format!("question {number}: {}; git grill back {number}", places.join(", "), number = asked.number),
        ));
    }
    for produced in &session.produced {
        rows.push(("produced", format!("{} ({})", produced.path, produced.destination)));
    }
    if let Some(word) = guards.fence.word() {
        rows.push(("fence", word.to_owned()));
    }
    rows
}

/// An estimate that does not sound like more than it is (G14).
fn left_in_words(left: &RangeInclusive<u32>) -> String {
    match (left.start(), left.end()) {
        (_, 0) => "none left".to_owned(),
        (least, most) if least == most => format!("about {most} left"),
        (least, most) => format!("about {least} to {most} left"),
    }
}

/// `git grill status --porcelain`: `key<TAB>value`, stable. Line breaks cannot occur in a value.
pub fn porcelain(session: Option<(&Session, &Guards)>) -> String {
    let Some((session, guards)) = session else {
        return "active\tno\n".to_owned();
    };
    let mut text = String::new();
    for (key, value) in rows(session, guards) {
        let _ = writeln!(text, "{}\t{}", key.replace(' ', "-"), harmless(&value).replace('\n', " "));
    }
    if let Some(asked) = session.open_question() {
        let _ = writeln!(text, "question\t{}", asked.question.id);
        let _ = writeln!(text, "number\t{}", asked.number);
    }
    text
}

/// `git grill status --short`: one line for a shell prompt; nothing when no session is active.
pub fn short(session: Option<&Session>) -> String {
    match session {
        Some(session) if !session.is_closed() => {
            let progress = session.transcript.progress();
            let mut line = format!("grill:{}", session.phase.name());
            if let Some(asked) = session.open_question() {
                let _ = write!(line, " q{}", asked.number);
            }
            let _ = writeln!(line, " {}/{}/{}", progress.resolved, progress.open, progress.deferred + progress.unknown);
            line
        }
        Some(_) | None => String::new(),
    }
}

/// The compact line below a prompt: progress, phase, settings, topic. A narrow window cuts it at its end, so what
/// changes from question to question stands first.
pub fn status_line(session: &Session) -> String {
    let progress = session.transcript.progress();
    let settings = &session.settings;
    let mut parts = vec![format!(
        "{} resolved, {} open, {} deferred",
        progress.resolved,
        progress.open,
        progress.deferred + progress.unknown
    )];
    match &session.phase {
        Phase::Interview(_) => {
            let left = Outlook::of(session).left;
            parts.push(left_in_words(&left));
        }
        Phase::Selection(_) | Phase::Production(_) | Phase::Closed { .. } => {
            parts.push(session.phase.name().to_owned());
        }
    }
    parts.push(format!("{}/{}/{}", settings.intent, settings.intensity, settings.research));
    parts.push(harmless(session.topic.as_str()).into_owned());
    parts.join(" · ")
}

/// The output phase: what was chosen and how far each draft is.
pub(super) fn production(production: &Production, look: &Look) -> String {
    let mut text = format!("{}\n", look.strong("output"));
    for output in &production.plan.outputs {
        let _ = writeln!(
            text,
            "  {} {}",
            look.name(&output.destination),
            look.muted(format!("cut as {}", output.strategy))
        );
        for path in &output.paths {
            let stage = production.draft(path).map_or("not drafted", |drafted| stage_word(&drafted.stage));
            let _ = writeln!(text, "    {path}: {stage}");
        }
    }
    text
}

fn stage_word(stage: &crate::domain::production::Stage) -> &'static str {
    use crate::domain::production::Stage;
    match stage {
        Stage::Drafted => "drafted, waits for approval",
        Stage::Approved { .. } => "approved, not written yet",
        Stage::Written { .. } => "written",
    }
}

/// The phase by the source's name, and whether it is the output phase, for JSON.
pub(super) fn is_output(session: &Session) -> bool {
    matches!(session.phase, Phase::Production(_))
}
