//! Where the session is: for people, for scripts, for a shell prompt.

use std::fmt::Write as _;

use crate::app::interview_summary::InterviewSummary;
use crate::app::reply::Guards;
use crate::domain::production::{Drafted, PlannedOutput, Production, Stage, Target, TargetPath};
use crate::domain::session::{Phase, Session};

use super::palette::{Asked, Look};
use super::status_line::{counts_in_words, cut, left_in_words};
use super::{harmless, lent, lists, outcome, phase_in_words, verified};

/// `git grill status` for people (G19). What subsystems show below it is cut where the window ends, if it is known where.
pub(super) fn status(session: &Session, guards: &Guards, look: &Look, columns: Option<usize>) -> String {
    let waiting = guards.lent.as_deref().map(|list| lent::waiting_lines(list, look, columns));
    let mut text = waiting.unwrap_or_default();
    let mut row = |key: &str, value: &str| {
        let _ = writeln!(text, "{} {}", look.muted(format!("{key:<12}")), harmless(value));
    };
    for (key, value) in rows(session, guards) {
        row(key, &value);
    }
    // Without a prompt the whole gate follows.
    if look.asked == Asked::ByPrompt {
        for (key, value) in gate_rows(session) {
            row(key, &value);
        }
    }
    for line in session.own.widget() {
        let line = harmless(&line);
        let _ = writeln!(text, "{}", columns.map_or_else(|| line.to_string(), |columns| cut(&line, columns)));
    }
    if let Some(columns) = columns {
        text.push_str(&lists::legend(session.own.legend(), look, columns));
    }
    if let Some(list) = &guards.lent {
        text.push_str(&lent::widget(list, columns));
    }
    text.push('\n');
    match (&session.phase, look.asked) {
        // The prompt that follows puts it again.
        (Phase::Selection(_), Asked::ByPrompt) => text,
        (
            Phase::Selection(_)
            | Phase::Interview(_)
            | Phase::Production(_)
            | Phase::NoInterview { .. }
            | Phase::Closed { .. },
            _,
        ) => text + &outcome::now(session, look),
    }
}

/// The rows that text and porcelain share: stable keys, one line each.
fn rows(session: &Session, guards: &Guards) -> Vec<(&'static str, String)> {
    let summary = InterviewSummary::of(session);
    let settings = &session.settings;
    let intent = if settings.intent == crate::domain::settings::Intent::Auto {
        format!("auto (looks like {})", summary.inferred())
    } else {
        settings.intent.to_string()
    };
    let preference: Vec<String> = settings.output_preference.iter().map(ToString::to_string).collect();
    let mut rows = vec![
        ("active", if session.is_closed() { "no".to_owned() } else { "yes".to_owned() }),
        ("session", session.id.to_string()),
        ("topic", session.topic.to_string()),
        ("phase", phase_in_words(session).to_owned()),
    ];
    if session.phase.asks_nothing() {
        rows.push(("approval", settings.approval.to_string()));
    } else {
        rows.extend([
            ("intent", intent),
            ("intensity", settings.intensity.to_string()),
            ("research", settings.research.to_string()),
            ("interviewer", settings.interviewer.to_string()),
            ("approval", settings.approval.to_string()),
            ("output", if preference.is_empty() { "(none set)".to_owned() } else { preference.join(", ") }),
            ("progress", progress(session, &summary)),
        ]);
    }
    rows.push(("updated", session.updated_at.to_string()));
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
    rows.extend(session.own.rows());
    for produced in &session.produced {
        let elsewhere = if produced.elsewhere { ", in another clone" } else { "" };
        rows.push(("produced", format!("{} ({}{elsewhere})", produced.path, produced.destination)));
    }
    rows.extend(session.parked.iter().map(|one| {
        let row =
            format!("{}, for when its output is chosen again; {} prints it", one.draft.target, one.draft.printed_by());
        ("kept edits", row)
    }));
    if let Some(discussed) = &guards.discussion {
        let (agent, who, ways) = (&discussed.agent, &discussed.who, discussed.ways());
        rows.push(("discussion", format!("with {agent} in another terminal, {who}; {ways}")));
    }
    if let Some(phase) = &guards.half_undone {
        rows.push((
            "undo",
            format!("{}; {} finishes it, and is safe to type twice", phase.half_way(), phase.command()),
        ));
    }
    if let Some(word) = guards.fence.word() {
        rows.push(("fence", word.to_owned()));
    }
    if guards.backend == "git" {
        rows.push(("backend", "git (the program; git's library does not read this repository)".to_owned()));
    }
    rows
}

/// How far it is, and an estimate of what is left that may grow (G14).
pub(super) fn progress(session: &Session, summary: &InterviewSummary<'_>) -> String {
    let left = summary.left().map(|left| format!("; {}", left_in_words(&left))).unwrap_or_default();
    counts_in_words(&session.transcript.progress()) + &left
}

/// Why it is at the gate, and what is recommended; nothing in another phase.
fn gate_rows(session: &Session) -> Vec<(&'static str, String)> {
    let gate = match &session.phase {
        Phase::Selection(selection) => &selection.gate,
        Phase::Interview(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => {
            return Vec::new();
        }
    };
    let outputs: Vec<String> = gate.recommended_outputs.iter().map(ToString::to_string).collect();
    let outputs = if outputs.is_empty() { "none".to_owned() } else { outputs.join(", ") };
    let strategy = gate.recommended_strategy.as_ref().map(|one| format!(", cut as {one}")).unwrap_or_default();
    vec![("rationale", gate.rationale.as_str().replace('\n', " ")), ("recommended", format!("{outputs}{strategy}"))]
}

/// What is asked or chosen, for scripts: the question with its alternatives, the gate, the plan (G19).
fn details(session: &Session) -> Vec<(&'static str, String)> {
    let mut rows = gate_rows(session);
    let offered = match &session.phase {
        Phase::Interview(_) => session.open_question().map(|asked| {
            let question = &asked.question;
            rows.push(("question", question.id.to_string()));
            rows.push(("number", asked.number.to_string()));
            rows.push(("wording", question.text.to_string()));
            &question.alternatives
        }),
        Phase::Selection(selection) => {
            rows.push(("wording", selection.gate.question.to_string()));
            Some(&selection.gate.alternatives)
        }
        Phase::Production(production) => {
            for output in &production.plan.outputs {
                for (target, stage) in targets(production, output) {
                    rows.push((
                        "plan",
                        format!("{} cut as {}: {target}, {stage}", output.destination, output.strategy),
                    ));
                }
            }
            None
        }
        Phase::NoInterview { .. } | Phase::Closed { .. } => None,
    };
    if let Some(alternatives) = offered {
        for (index, one) in alternatives.as_slice().iter().enumerate() {
            let mark = if one.recommended { " (recommended)" } else { "" };
            rows.push(("alternative", format!("{}. {}{mark}", index + 1, one.label)));
        }
    }
    rows
}

/// `git grill status --porcelain`: `key<TAB>value`, stable. Line breaks cannot occur in a value.
pub fn porcelain(session: Option<(&Session, &Guards)>) -> String {
    let Some((session, guards)) = session else {
        return "active\tno\n".to_owned();
    };
    let mut text = String::new();
    for (key, value) in rows(session, guards).into_iter().chain(details(session)) {
        let _ = writeln!(text, "{}\t{}", key.replace(' ', "-"), harmless(&value).replace('\n', " "));
    }
    text
}

/// The output phase: what was chosen and how far each draft is.
pub(super) fn production(production: &Production, look: &Look) -> String {
    let mut text = format!("{}\n", look.strong("output"));
    for output in &production.plan.outputs {
        let _ = writeln!(
            text,
            "  {} {}",
            look.name(&output.destination),
            look.muted(format!("cut as {}{}", output.strategy, place(output)))
        );
        for (target, stage) in targets(production, output) {
            let _ = writeln!(text, "    {target}: {}", harmless(&stage));
        }
    }
    text
}

/// Where issues go; files are named one by one.
fn place(output: &PlannedOutput) -> String {
    output.tracker.as_ref().map(|tracker| format!(", issues of {tracker}")).unwrap_or_default()
}

/// What an output consists of, and how far each of it is.
fn targets(production: &Production, output: &PlannedOutput) -> Vec<(Target, String)> {
    let file = |path: &TargetPath| (path.clone().into(), production.file(path).map(stage_words));
    let files = output.paths.iter().map(file);
    let issues = production.issues().filter(|_| output.tracker.is_some());
    let issues = issues.map(|(slot, drafted)| (Target::Issue(slot), Some(stage_words(drafted))));
    let drafted = |(target, stage): (Target, Option<String>)| (target, stage.unwrap_or("not drafted".to_owned()));
    files.chain(issues).map(drafted).collect()
}

fn stage_words(drafted: &Drafted) -> String {
    match &drafted.stage {
        Stage::Drafted => "drafted, waits for approval".to_owned(),
        Stage::Dropped => "left out".to_owned(),
        Stage::Approved { .. } => match drafted.draft.target {
            Target::File(_) => "approved, not written yet".to_owned(),
            Target::Issue(_) => "approved, not created yet".to_owned(),
        },
        Stage::Written { .. } => "written".to_owned(),
        Stage::Created { number, url, .. } => format!("created as #{number} {url}"),
    }
}

/// The phase by the source's name, and whether it is the output phase, for JSON.
pub(super) fn is_output(session: &Session) -> bool {
    matches!(session.phase, Phase::Production(_))
}
