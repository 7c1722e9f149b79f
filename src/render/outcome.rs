//! What happened, in the order in which it happened, and what is asked now.

use std::fmt::Write as _;

use crate::app::reply::{Arrival, Outcome, Protection};
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::citations::ChangedCitation;
use crate::domain::event::Recorded;
use crate::domain::facets::Filed;
use crate::domain::interview::TranscriptEntry;
use crate::domain::posture::FenceStands;
use crate::domain::production;
use crate::domain::session::{Floor, Grip, Phase, Session};
use crate::domain::settings::{Intent, Interviewer};
use crate::domain::told::{Scene, Told};

use crate::app::interview_summary::InterviewSummary;

use super::palette::{Asked as Put, Look};
use super::{diff, harmless, kept, question, status, verified};

/// git's words cannot be changed, so they are translated before they are met.
const FENCE_UP: &str = "the fence is up: git's own locks are held, so git add and the like say \"Another git process seems \
                        to be running\", which means this interview";

/// A session became active here.
pub(super) fn arrived(arrival: Arrival, outcome: &Outcome, protection: &Protection, look: &Look) -> String {
    let session = &outcome.after;
    let word = match arrival {
        Arrival::Started => "started",
        Arrival::Resumed => "resumed",
    };
    let mut text = format!("{word} {}: {}\n", look.name(&session.id), harmless(session.topic.as_str()));
    if !session.phase.asks_nothing() {
        let _ = writeln!(text, "  {}", look.muted(settings_line(session)));
    }
    if protection.hooks.is_empty() {
        let _ = writeln!(text, "  {}", look.warning("git refuses nothing: no hook could be installed"));
    } else {
        let held = match session.phase {
            Phase::Interview(_) | Phase::Selection(_) => {
                "read-only until git grill stop: git refuses commits and branch changes"
            }
            Phase::NoInterview { hold: Grip::ReadOnly } => "read-only: git refuses commits and branch changes",
            Phase::Production(_) => "git lets commits of the approved files through, and nothing else",
            Phase::NoInterview { hold: Grip::Lifted { .. } } | Phase::Closed { .. } => "git is free",
        };
        let _ = writeln!(text, "  {}", look.muted(format!("{held} ({})", protection.hooks)));
    }
    match protection.fence {
        FenceStands::None => {}
        FenceStands::Up => {
            let _ = writeln!(text, "  {}", look.muted(FENCE_UP));
        }
        FenceStands::Down => {
            let _ = writeln!(
                text,
                "  {}",
                look.muted("the fence is down for the output and comes back with the interview")
            );
        }
        FenceStands::Broken => {
            let _ = writeln!(text, "  {}", look.warning("the fence has gaps; git grill doctor names them"));
        }
    }
    for warning in &protection.warnings {
        let _ = writeln!(text, "  {}", look.warning(format!("warning: {}", harmless(warning))));
    }
    // What a subsystem made of it right away.
    let is_debated = session.own.debate.open().is_some();
    let told = if session.phase.asks_nothing() || is_debated { told(outcome, look) } else { String::new() };
    if session.evidence.looked {
        let found = session.evidence.in_words();
        if !told.contains(&found) {
            let _ = writeln!(text, "  {}", look.muted(found));
        }
    } else if let Some(hint) = session.how_to_look() {
        let _ = writeln!(text, "  {}", look.muted(hint));
    }
    text.push_str(&told);
    text.push('\n');
    if is_debated { text } else { text + &now(session, look) }
}

fn settings_line(session: &Session) -> String {
    let settings = &session.settings;
    let intent = match settings.intent {
        Intent::Auto => format!("auto (looks like {})", InterviewSummary::of(session).inferred()),
        Intent::Plan | Intent::Learn | Intent::Research | Intent::Content | Intent::Decide => {
            settings.intent.to_string()
        }
    };
    format!("intent {intent}, intensity {}, research {}", settings.intensity, settings.research)
}

pub(super) fn happened(outcome: &Outcome, look: &Look) -> String {
    let mut text = String::new();
    let mut checkpoint = outcome.before.as_ref().map(|before| before.checkpoint.clone());
    for recorded in &outcome.events {
        text.push_str(&event(recorded, outcome, checkpoint.as_ref(), look));
        if let Some(Filed::Checkpoint(newer)) = recorded.event.facets().filed {
            checkpoint = Some(newer.clone());
        }
    }
    text.push_str(&staled(outcome, look));
    for decision in outcome.kept_by_hand() {
        let line = format!(
            "! your edited decision stays in the checkpoint next to the new one: “{}”; git grill checkpoint edit changes it",
            harmless(&decision)
        );
        let _ = writeln!(text, "{}", look.warning(line));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &next(outcome, look)
}

/// What is asked now, unless a prompt puts it and it was seen before: the gate is read once, when it opens, and what
/// is to be approved is shown by who asks for the approval.
pub(super) fn next(outcome: &Outcome, look: &Look) -> String {
    let opened = outcome
        .events
        .iter()
        .any(|recorded| matches!(recorded.event.production(), Some(production::Event::SelectionOpened { .. })));
    // What was said of a debate is what there is to read.
    if outcome.events.iter().any(|recorded| recorded.event.facets().op.starts_with("debate")) {
        return String::new();
    }
    let seen = match &outcome.after.phase {
        Phase::Selection(_) => !opened && !outcome.events.is_empty(),
        Phase::Production(_) => !outcome.events.is_empty(),
        Phase::Interview(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => false,
    };
    if seen && look.asked == Put::ByPrompt { String::new() } else { now(&outcome.after, look) }
}

/// What happened, a line for each event.
pub(super) fn told(outcome: &Outcome, look: &Look) -> String {
    outcome.events.iter().map(|recorded| event(recorded, outcome, None, look)).collect()
}

/// One event as a line, or nothing where what follows shows it anyway.
pub(super) fn event(recorded: &Recorded, outcome: &Outcome, before: Option<&Checkpoint>, look: &Look) -> String {
    if let Some((asked, debate)) = outcome.put_off_as_decided(recorded) {
        let line = format!("question {} is put off; what debate {debate} decided stays", asked.number);
        return format!("{} {line}\n", look.good("✓"));
    }
    let (before_all, by_prompt) = (outcome.before.as_ref(), look.asked == Put::ByPrompt);
    match recorded.event.told(Scene { before: before_all, after: &outcome.after, by_prompt }) {
        Told::Nothing => String::new(),
        Told::Line(line) => format!("{} {}\n", look.good("✓"), harmless(&line)),
        Told::Checkpoint { checkpoint, summary, source, merged } => {
            updated(before, checkpoint, summary, (source, merged), look)
        }
        Told::Drift(verification) => verified::named(verification, look),
        Told::Cited(changed) => cited(changed, look),
    }
}

/// Cited places that are not as they were read. What says the same elsewhere is told without alarm.
fn cited(changed: &[ChangedCitation], look: &Look) -> String {
    let mut text = String::new();
    for one in changed {
        let words = harmless(&one.in_words()).into_owned();
        let line = if one.place.fate.alarms() {
            look.warning(format!("a place that a question names: {words}"))
        } else {
            look.muted(format!("a place that a question names: {words}, and says the same"))
        };
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A new version of the checkpoint, as the lines that changed.
fn updated(
    before: Option<&Checkpoint>,
    now: &Checkpoint,
    summary: &str,
    (source, merged): (CheckpointSource, bool),
    look: &Look,
) -> String {
    let from = match (source, merged) {
        (CheckpointSource::Interviewer | CheckpointSource::Tool, false) => "",
        (CheckpointSource::Interviewer | CheckpointSource::Tool, true) => " (merged with newer changes)",
        (CheckpointSource::Editor, false) => " (your edit)",
        (CheckpointSource::Editor, true) => " (your edit, merged with newer changes)",
        (CheckpointSource::WorkingTree, false) => " (edited in the working tree)",
        (CheckpointSource::WorkingTree, true) => " (edited in the working tree, merged with newer changes)",
        (CheckpointSource::Restored, false) => " (restored)",
        (CheckpointSource::Debate, _) => " (from the debate)",
        (CheckpointSource::Restored, true) => " (restored, merged with newer changes)",
    };
    let changes = before.map(|before| diff::changes(before.as_str(), now.as_str(), look)).unwrap_or_default();
    // Between two prompts the changed lines say it themselves.
    let summary = match look.asked {
        Put::ByPrompt if !changes.is_empty() => " changed".to_owned(),
        Put::ByPrompt | Put::InText => format!(": {}", harmless(summary)),
    };
    format!("{} checkpoint{summary}{from}\n{changes}", look.good("✓"))
}

/// Questions whose ground moved, and those whose ground may move now that somebody went back (G52).
fn staled(outcome: &Outcome, look: &Look) -> String {
    let mut text = String::new();
    let list =
        |found: &[&TranscriptEntry]| found.iter().map(|asked| asked.number.to_string()).collect::<Vec<_>>().join(", ");
    let stale = outcome.staled();
    if !stale.is_empty() {
        let line = format!("! stood on the old answer and will be asked again: {}", list(&stale));
        let _ = writeln!(text, "{}", look.warning(line));
    }
    let standing = outcome.standing_on_where_it_went_back();
    if !standing.is_empty() {
        let line = format!("answers that stand on it, asked again if it changes: {}", list(&standing));
        let _ = writeln!(text, "  {}", look.muted(line));
    }
    text
}

pub(super) fn now(session: &Session, look: &Look) -> String {
    let by_prompt = look.asked == Put::ByPrompt;
    // Everything else waits for its end.
    if session.own.debate.open().is_some() {
        return String::new();
    }
    match &session.phase {
        Phase::Interview(Floor::Question { question }) => match session.transcript.get(question) {
            Some(_) if by_prompt => String::new(),
            Some(asked) => question::open(session, asked, look),
            None => String::new(),
        },
        Phase::Interview(Floor::Free) => format!("{}\n", look.muted(nothing_open(session))),
        Phase::Interview(Floor::Discussion { .. }) if by_prompt => String::new(),
        Phase::Interview(Floor::Discussion { .. }) => {
            format!("{}\n", look.muted("in discussion; git grill discuss --done \"<what it came to>\""))
        }
        Phase::Selection(selection) => {
            let gate = question::gate(session, selection, look);
            if by_prompt { gate } else { gate + &question::gate_commands(selection, look) }
        }
        Phase::Production(production) if by_prompt => status::production(production, look),
        Phase::Production(production) => {
            let waiting = production.waiting().count();
            let next = if waiting > 0 {
                "git grill draft shows what would be written; git grill approve writes it"
            } else if production.owing() > 0 {
                "git grill produce goes on with what is approved"
            } else {
                "git grill finish returns to the interview; git grill stop ends the session"
            };
            format!("{}{}\n", status::production(production, look), look.muted(next))
        }
        Phase::NoInterview { .. } | Phase::Closed { .. } => String::new(),
    }
}

/// Why no question is open, and what leads on from there.
fn nothing_open(session: &Session) -> String {
    let agent = match &session.settings.interviewer {
        Interviewer::BuiltIn => None,
        Interviewer::Agent(name) => Some(harmless(name)),
    };
    // Those that were set aside, or whose ground changed, count as open.
    match (session.transcript.progress().open, agent) {
        (0, None) => "no question is open; git grill next goes on".to_owned(),
        (0, Some(agent)) => format!("no question is open; {agent} asks the next one"),
        (1, None) => "1 question waits to be asked again; git grill next asks it".to_owned(),
        (1, Some(agent)) => format!("1 question waits to be asked again; {agent} asks next"),
        (several, None) => format!("{several} questions wait to be asked again; git grill next asks the first"),
        (several, Some(agent)) => format!("{several} questions wait to be asked again; {agent} asks next"),
    }
}

pub(super) fn left(outcome: &Outcome, warnings: &[String], look: &Look) -> String {
    let session = &outcome.after;
    let mut text = format!("{} {}\n", look.good("✓"), "the session ended; git is as free as before");
    if outcome.events.iter().any(|recorded| recorded.event.facets().op.starts_with("debate")) {
        let _ = writeln!(text, "{}", look.warning("the open debate was killed; its record is kept"));
    }
    for warning in warnings {
        let _ = writeln!(text, "{}", look.warning(format!("warning: {}", harmless(warning))));
    }
    for produced in &session.produced {
        let _ = writeln!(text, "  {} {}", look.name(&produced.path), look.muted(&produced.destination));
    }
    if let Some(verification) = &session.verified {
        text.push_str(&verified::named(verification, look));
        if !verification.is_clean() {
            let _ = writeln!(text, "  {}", verified::at_the_end(session.id.as_str(), verification));
        }
    }
    text.push_str(&kept::lines(session, look));
    // Where nothing was asked, the understanding is as it began.
    let (what, file) = match session.own.used().filter(|_| session.transcript.asked.is_empty()) {
        Some(name) => (name, format!("{name}.yaml")),
        None => ("checkpoint", "checkpoint.md".to_owned()),
    };
    let _ = writeln!(text, "{}", look.muted(format!("the history of its {what}:")));
    let _ = writeln!(text, "  git log -p grill/sessions/{} -- :/.grill/{file}", session.id);
    if session.own.debate.newest().is_some() {
        let _ = writeln!(text, "{}", look.muted("its debate:"));
        let _ = writeln!(text, "  git grill debate show {}", session.id);
    }
    text
}

/// A session that cannot be read was left.
pub(super) fn abandoned(why: &str, warnings: &[String], look: &Look) -> String {
    let mut text = format!("{} this worktree has no session any more; git is as free as before\n", look.good("✓"));
    for warning in warnings {
        let _ = writeln!(text, "{}", look.warning(format!("warning: {}", harmless(warning))));
    }
    let _ = writeln!(text, "  the session's end is not recorded: {}", harmless(why));
    let _ = writeln!(text, "  what git can read of it stays: git for-each-ref refs/grill/sessions");
    text
}
