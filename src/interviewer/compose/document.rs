//! What the session says, as the sections of a document: pure, complete and in a stable order. It is never shown itself;
//! the difference between two of them is laid onto the real checkpoint.

use crate::domain::interview::{Answer, AnswerKind, Asked, Standing};
use crate::domain::session::Session;

use super::super::catalogue::{Form, Probe, catalogue};
use super::super::follow_up::{self, followed, is_follow_up};
use super::super::scene::{self, Scene, listed};
use super::prose::{bullet, code, nested, stopped};

/// The sections that answers can reach, in the order in which missing ones are created.
pub(in super::super) const SECTIONS: &[&str] = &[
    "Topic",
    "Current Understanding",
    "What the Repository Shows",
    "Non-goals",
    "Decisions",
    "Assumptions",
    "Constraints",
    "Risks / Unknowns",
    "How We Will Know",
    "Glossary",
    "Open Questions",
    "Next Steps",
    "Likely Output Strategy",
];

const UNDERSTANDING: &str = "Current Understanding";
const SHOWN: &str = "What the Repository Shows";
const ASSUMPTIONS: &str = "Assumptions";
const RISKS: &str = "Risks / Unknowns";
const OPEN: &str = "Open Questions";

/// Lines by section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Document {
    sections: Vec<(&'static str, Vec<String>)>,
}

impl Document {
    /// The lines of a section.
    pub fn lines(&self, title: &str) -> &[String] {
        self.sections.iter().find(|(name, _)| *name == title).map_or(&[], |(_, lines)| lines)
    }

    /// Adds lines to a section.
    pub fn add(&mut self, title: &'static str, lines: impl IntoIterator<Item = String>) {
        match self.sections.iter_mut().find(|(name, _)| *name == title) {
            Some((_, existing)) => existing.extend(lines),
            None => self.sections.push((title, lines.into_iter().collect())),
        }
    }
}

/// The document of a session.
pub(super) fn document(session: &Session) -> Document {
    let mut document = Document::default();
    document.add(SHOWN, shown(session));
    for asked in &session.transcript.asked {
        enter(&mut document, session, asked);
    }
    for talk in &session.discussions {
        let about = talk.about.as_ref().and_then(|id| session.transcript.get(id)).map(lead);
        let lead = match about {
            Some(about) => format!("From the conversation about “{about}”"),
            None => "From the conversation".to_owned(),
        };
        document.add(UNDERSTANDING, bullet(Some(&lead), talk.summary.as_str()));
    }
    document.sections.retain(|(_, lines)| !lines.is_empty());
    document
}

/// Enters one question with what became of it.
fn enter(document: &mut Document, session: &Session, asked: &Asked) {
    let texts = Texts::of(session, asked);
    match &asked.standing {
        // An answer holds until another one replaces it, also while the person looks at the question again.
        Standing::Answered | Standing::Open | Standing::SetAside if !asked.in_doubt => match asked.holding().last() {
            Some(answer) if answer.kind == AnswerKind::Unknown => {
                document.add(RISKS, bullet(Some("Not known yet"), &stopped(&texts.open)));
                document.add(OPEN, vec![format!("{} To find out: {}", texts.open_bullet(), texts.find_out)]);
            }
            Some(answer) if !attached(session, asked) => {
                let mut lines = answered(asked, answer, &texts);
                lines.extend(follow_ups(session, asked));
                document.add(texts.section, lines);
            }
            Some(_) | None => {}
        },
        Standing::Answered | Standing::Open | Standing::SetAside | Standing::Stale => document
            .add(OPEN, vec![format!("{} To be confirmed, since an answer it stood on changed.", texts.open_bullet())]),
        Standing::Deferred => document.add(OPEN, vec![format!("{} Put off for now.", texts.open_bullet())]),
        Standing::PushedBack { because } => {
            let lead = format!("Not taken for granted ({})", lower(&texts.lead));
            document.add(ASSUMPTIONS, bullet(Some(&lead), because.as_str()));
        }
    }
}

/// Whether an answer stands below the answer that it follows.
fn attached(session: &Session, asked: &Asked) -> bool {
    asked
        .question
        .probe
        .as_deref()
        .and_then(followed)
        .and_then(|id| session.transcript.asked.iter().find(|one| one.question.id.as_str() == id))
        .is_some_and(|of| match of.standing {
            Standing::Answered | Standing::Open | Standing::SetAside if !of.in_doubt => {
                of.holding().last().is_some_and(|answer| answer.kind != AnswerKind::Unknown)
            }
            Standing::Answered
            | Standing::Open
            | Standing::SetAside
            | Standing::Stale
            | Standing::Deferred
            | Standing::PushedBack { .. } => false,
        })
}

/// An answer as bullets: an alternative stands for itself, the person's own words get a lead.
fn answered(asked: &Asked, answer: &Answer, texts: &Texts) -> Vec<String> {
    let taken = asked.question.alternatives.as_slice().iter().find(|one| one.value == answer.text);
    let mut lines = match taken {
        Some(one) if asked.question.probe.is_some() => bullet(None, one.value.as_str()),
        Some(_) | None => bullet(Some(&texts.lead), answer.text.as_str()),
    };
    if texts.form == Form::Risk
        && let Some(remedy) = taken.and_then(|one| one.description.as_ref())
    {
        lines.extend(nested("Against it", &stopped(remedy.as_str())));
    }
    if texts.form == Form::Decision {
        if let Some(reason) = taken.and_then(|one| one.description.as_ref()) {
            lines.extend(nested("Reason", &stopped(reason.as_str())));
        }
        let others: Vec<String> = asked
            .question
            .alternatives
            .as_slice()
            .iter()
            .filter(|one| one.value != answer.text)
            .map(|one| one.label.to_string())
            .collect();
        let lead = if taken.is_some() { "Not chosen" } else { "Also considered" };
        lines.extend(nested(lead, &format!("{}.", others.join("; "))));
    }
    if let Some(note) = &answer.note {
        lines.extend(nested("Note", note.as_str()));
    }
    lines
}

/// What challenges and measures came to, below the answer that they follow.
fn follow_ups(session: &Session, asked: &Asked) -> Vec<String> {
    let id = asked.question.id.as_str();
    session
        .transcript
        .asked
        .iter()
        .filter(|later| later.question.probe.as_deref().and_then(followed) == Some(id))
        .filter_map(|later| {
            let answer = later.holding().last().filter(|answer| answer.kind != AnswerKind::Unknown)?;
            let mut lines = nested(&Texts::of(session, later).lead, answer.text.as_str());
            lines.extend(answer.note.iter().flat_map(|note| nested("Note", note.as_str())));
            // A vague answer to a challenge is measured in its turn.
            lines.extend(follow_ups(session, later));
            Some(lines)
        })
        .flatten()
        .collect()
}

/// What the catalogue says about a question, or what can be said about one that is not in it.
struct Texts {
    section: &'static str,
    lead: String,
    open: String,
    find_out: String,
    form: Form,
}

impl Texts {
    fn of(session: &Session, asked: &Asked) -> Self {
        let probe = asked.question.probe.as_deref();
        let dimension = catalogue().dimension(asked.question.dimension.as_str());
        let section = dimension.map_or(UNDERSTANDING, |one| one.section.as_str());
        if let Some((dimension, probe)) = probe.and_then(|id| catalogue().probe(id)) {
            let section = probe.section.as_deref().unwrap_or(&dimension.section);
            return Self::of_probe(session, probe, section);
        }
        if let Some(texts) = probe.filter(|id| is_follow_up(id)).and_then(|id| follow_up::texts(session, asked, id)) {
            return Self {
                section,
                lead: texts.lead,
                open: texts.open,
                find_out: texts.find_out,
                form: Form::Statement,
            };
        }
        Self {
            section,
            lead: lead(asked),
            open: scene::clipped(asked.question.text.first_line(), 200),
            find_out: "decide who can answer it, and ask them.".to_owned(),
            form: Form::Statement,
        }
    }

    fn of_probe(session: &Session, probe: &Probe, section: &'static str) -> Self {
        let scene = Scene::bare(session);
        let fill = |template: &str| scene.fill(template).map_or_else(|| template.to_owned(), |filled| filled.text);
        Self {
            section,
            lead: fill(&probe.lead),
            open: fill(&probe.open),
            find_out: fill(&probe.find_out),
            form: probe.form,
        }
    }

    fn open_bullet(&self) -> String {
        bullet(None, &stopped(&self.open)).join(" ")
    }
}

/// What a question is about in two or three words.
pub(super) fn lead(asked: &Asked) -> String {
    let probe = asked.question.probe.as_deref();
    if let Some((_, probe)) = probe.and_then(|id| catalogue().probe(id)) {
        return probe.lead.clone();
    }
    if let Some(lead) = probe.and_then(follow_up::lead) {
        return lead.to_owned();
    }
    let dimension = asked.question.dimension.as_str();
    let name = catalogue().dimension(dimension).map_or(dimension, |one| one.name.as_str());
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// What the repository shows, each with its place.
fn shown(session: &Session) -> Vec<String> {
    let facts = &session.evidence;
    if !facts.looked {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let mut say = |text: String| lines.push(format!("- {text}"));
    if let Some(language) = facts.main_language() {
        let others: Vec<String> = facts.languages.iter().skip(1).take(3).map(|one| one.name.clone()).collect();
        let beside = if others.is_empty() { String::new() } else { format!(", beside {}", listed(&others)) };
        let files = scene::clipped(&language.name, 40);
        say(format!(
            "It is written in {files} ({} of {} tracked files, the largest is {}){beside}.",
            language.files,
            facts.files,
            code(&language.example.to_string())
        ));
    }
    for (findings, says) in [
        (&facts.build, "It is built with"),
        (&facts.tests, "It is tested with"),
        (&facts.ci, "Continuous integration:"),
        (&facts.licence, "Licence:"),
    ] {
        if !findings.is_empty() {
            let named: Vec<String> = findings
                .iter()
                .take(4)
                .map(|one| format!("{} ({})", scene::clipped(&one.what, 80), code(&one.at.to_string())))
                .collect();
            say(format!("{says} {}.", listed(&named)));
        }
    }
    if let Some(readme) = &facts.readme {
        let at = code(&readme.at.to_string());
        say(format!("The README says “{}” ({at}).", scene::clipped(&readme.what, 120)));
    }
    for (findings, says) in [(&facts.dependencies, "It depends on"), (&facts.entry_points, "Entry points:")] {
        if !findings.is_empty() {
            let named: Vec<String> = findings
                .iter()
                .take(6)
                .map(|one| format!("{} ({})", scene::clipped(&one.what, 80), code(&one.at.to_string())))
                .collect();
            let more = findings.len().saturating_sub(named.len());
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            say(format!("{says} {}{more}.", listed(&named)));
        }
    }
    for earlier in facts.earlier.iter().take(5) {
        say(format!(
            "On {} “{}” decided: {} ({}).",
            earlier.at.strftime("%Y-%m-%d"),
            scene::clipped(&earlier.topic, 60),
            scene::clipped(earlier.decision.trim_end_matches('.'), 120),
            code(earlier.session.as_str())
        ));
    }
    for record in facts.decisions.iter().take(5) {
        let at = code(&record.at.to_string());
        say(format!("An earlier decision is written down: {} ({at}).", scene::clipped(&record.what, 120)));
    }
    for related in facts.related.iter().take(6) {
        let at = code(&related.at.to_string());
        if related.excerpt.trim().is_empty() {
            say(format!("{at} touches the topic by its name."));
        } else {
            say(format!("{at} touches the topic: {}", code(&scene::clipped(&related.excerpt, 100))));
        }
    }
    let untouched: Vec<String> = facts.untouched().iter().map(|kind| kind.reads().to_owned()).collect();
    if !untouched.is_empty() {
        say(format!("Not looked at, since nobody allowed it: {}.", untouched.join("; ")));
    }
    if facts.truncated {
        say("The search stopped at its limit, so there may be more.".to_owned());
    }
    lines
}
