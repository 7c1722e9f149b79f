//! The design document: what the checkpoint holds now – hand edits included – in the order in which a reviewer reads it,
//! with the alternatives that the transcript remembers and a plan that is cut by the strategy.

use crate::domain::checkpoint::SECTIONS;
use crate::domain::interview::{Answer, Asked};
use crate::domain::outline::{Outline, Section};
use crate::domain::sentences::sentences;
use crate::domain::session::Session;
use crate::domain::settings::Strategy;

use super::bullets::{Bullet, bullets};
use super::cut;

/// Sections of the checkpoint that have a place of their own in the document; every other one is kept at its end.
const PLACED: &[&str] = &[
    "Topic",
    "Current Understanding",
    "What the Repository Shows",
    "Non-goals",
    "Decisions",
    "Assumptions",
    "Constraints",
    "Risks / Unknowns",
    "How We Will Know",
    "Open Questions",
    "Next Steps",
    "Likely Output Strategy",
];

/// The checkpoint, to be read by section.
pub(super) struct Understanding {
    outline: Outline,
}

impl Understanding {
    /// The bullets of a section with everything below its subheadings left to [`Self::written_by_hand`].
    pub fn bullets(&self, title: &str) -> Vec<Bullet> {
        self.section(title).map(|section| bullets(section.content())).unwrap_or_default()
    }

    fn section(&self, title: &str) -> Option<&Section> {
        self.outline.find(title).map(|index| &self.outline.sections[index])
    }

    /// Sections that no generator made: other headings, subheadings, a second section of the same name, and text before
    /// the first heading.
    fn written_by_hand(&self) -> impl Iterator<Item = &Section> {
        self.outline.sections.iter().enumerate().filter_map(|(index, section)| {
            let placed = PLACED.iter().any(|title| self.outline.find(title) == Some(index));
            let title_only = section.level() == 1 && section.is_blank();
            let empty_preface = section.level() == 0 && section.is_blank();
            (!placed && !title_only && !empty_preface).then_some(section)
        })
    }
}

/// The document.
pub(super) fn generate(strategy: &Strategy, session: &Session) -> String {
    let understanding = Understanding { outline: Outline::parse(session.checkpoint.as_str()) };
    let mut page = Page::default();
    let topic = flat(session.topic.as_str());
    page.line(&format!("# {}", capitalised(&topic)));
    page.gap();
    page.line(&format!("Status: proposed, {}.", session.updated_at.strftime("%Y-%m-%d")));
    page.gap();

    let (goals, context) = goals(session, understanding.bullets("Current Understanding"));
    page.heading("Context and problem");
    page.line(&background(session, &topic));
    let stated: Vec<Bullet> = understanding.bullets("Topic").into_iter().filter(|one| one.head() != topic).collect();
    if !stated.is_empty() || !context.is_empty() {
        page.gap();
    }
    page.bullets(&stated);
    page.bullets(&context);
    page.section("Goals", &goals);
    page.section("Non-goals", &understanding.bullets("Non-goals"));
    page.section("What the repository shows", &understanding.bullets("What the Repository Shows"));
    page.section("Constraints", &understanding.bullets("Constraints"));
    page.section("Decisions", &understanding.bullets("Decisions"));
    page.section("Alternatives considered", &considered(session));
    page.section("Assumptions", &understanding.bullets("Assumptions"));
    page.section("Risks and mitigations", &understanding.bullets("Risks / Unknowns"));
    page.section("Verification", &understanding.bullets("How We Will Know"));
    page.section("Open questions", &understanding.bullets("Open Questions"));
    page.heading(&cut::title(strategy));
    for line in cut::plan(strategy, &understanding) {
        page.line(&line);
    }
    page.section("Next steps", &understanding.bullets("Next Steps"));
    page.section("Output", &understanding.bullets(SECTIONS[SECTIONS.len() - 1]));
    for section in understanding.written_by_hand() {
        page.gap();
        if let Some(heading) = &section.heading {
            // A hand-written title must not stand beside the document's own.
            let heading = if section.level() == 1 { format!("#{}", heading.trim_start()) } else { heading.clone() };
            page.line(&heading);
        }
        page.gap();
        for line in section.content() {
            page.line(line);
        }
    }
    page.gap();
    page.line("---");
    page.gap();
    page.line(&format!(
        "Every question, answer and version of the understanding behind this document is kept in the clone where the \
         interview was held: `git log grill/sessions/{}`.",
        session.id
    ));
    page.text
}

/// What a reader has to know before the first section.
fn background(session: &Session, topic: &str) -> String {
    let answers = session.transcript.answered().count();
    let base = session.base.as_ref().map_or_else(String::new, |base| format!(" against commit `{}`", base.short()));
    match answers {
        1 => {
            format!("This document is about “{topic}”. It was worked out in an interview{base}, and rests on 1 answer.")
        }
        _ => format!(
            "This document is about “{topic}”. It was worked out in an interview{base}, and rests on {answers} answers."
        ),
    }
}

/// Bullets of the understanding that answer the objective are goals; the rest is context.
fn goals(session: &Session, understanding: Vec<Bullet>) -> (Vec<Bullet>, Vec<Bullet>) {
    let objectives: Vec<&str> = session
        .transcript
        .answered()
        .filter(|(asked, _)| asked.question.dimension.as_str() == "objective")
        .filter_map(|(_, answer)| sentences(answer.text.first_line()).first().copied())
        .collect();
    understanding
        .into_iter()
        .partition(|bullet| objectives.iter().any(|objective| bullet.lines.iter().any(|line| line.contains(objective))))
}

/// For every decision what else was on offer, with the reason that spoke for it.
fn considered(session: &Session) -> Vec<Bullet> {
    let decided = |asked: &Asked, answer: &Answer| -> Option<Bullet> {
        let text = answer.text.first_line();
        let stands = session.checkpoint.as_str().lines().any(|line| line.trim_start() == format!("- {text}"));
        let dimension = asked.question.dimension.as_str();
        let decision = matches!(dimension, "scope" | "tradeoffs") && stands;
        let others = asked.question.alternatives.as_slice().iter().filter(|one| one.value != answer.text);
        let mut lines = vec![format!("- Instead of “{}”:", text.trim_end_matches('.'))];
        lines.extend(others.map(|one| {
            let reason = one.description.as_ref().map_or(String::new(), |text| format!(" For it: {text}"));
            format!("  - {}{reason}", flat(one.value.as_str()))
        }));
        (decision && lines.len() > 1).then_some(Bullet { lines })
    };
    session.transcript.answered().filter_map(|(asked, answer)| decided(asked, answer)).collect()
}

fn flat(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text as it grows.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn heading(&mut self, title: &str) {
        self.gap();
        self.line(&format!("## {title}"));
        self.gap();
    }

    fn bullets(&mut self, bullets: &[Bullet]) {
        for line in bullets.iter().flat_map(|bullet| &bullet.lines) {
            self.line(line);
        }
    }

    /// A section, unless there is nothing to say.
    fn section(&mut self, title: &str, bullets: &[Bullet]) {
        if bullets.is_empty() {
            return;
        }
        self.heading(title);
        self.bullets(bullets);
    }
}
