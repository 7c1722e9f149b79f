//! What the catalogue says about a question for the checkpoint, or what can be said about one that is not in it.

use crate::domain::interview::TranscriptEntry;

use super::super::catalogue::{Form, Probe, catalogue};
use super::super::follow_up;
use super::super::scene::clipped;
use super::super::session_reading::SessionReading;
use super::document::UNDERSTANDING;
use super::prose::{bullet, capital, stopped};

/// The checkpoint's texts for a question.
pub(super) struct Texts {
    pub section: &'static str,
    pub lead: String,
    pub open: String,
    pub find_out: String,
    pub form: Form,
}

impl Texts {
    pub fn of(heard: &SessionReading<'_>, asked: &TranscriptEntry) -> Self {
        let probe = asked.question.probe.as_deref();
        let dimension = catalogue().dimension(asked.question.dimension.as_str());
        let section = dimension.map_or(UNDERSTANDING, |one| one.section);
        if let Some((dimension, probe)) = probe.and_then(|id| catalogue().probe(id)) {
            let section = probe.section.unwrap_or(dimension.section);
            return Self::of_probe(heard, probe, section);
        }
        if let Some(texts) = probe.and_then(|id| follow_up::texts(heard, asked, id)) {
            return Self {
                section,
                lead: texts.lead,
                open: texts.open,
                find_out: texts.find_out,
                form: Form::Statement,
            };
        }
        let dimension = asked.question.dimension.as_str();
        Self {
            section,
            lead: capital(catalogue().dimension(dimension).map_or(dimension, |one| one.name)),
            open: clipped(asked.question.text.first_line(), 200),
            find_out: "decide who can answer it, and ask them.".to_owned(),
            form: Form::Statement,
        }
    }

    fn of_probe(heard: &SessionReading<'_>, probe: &Probe, section: &'static str) -> Self {
        let scene = heard.bare();
        let fill = |template: &str| scene.fill(template).map_or_else(|| template.to_owned(), |filled| filled.text);
        Self {
            section,
            lead: fill(probe.lead),
            open: fill(probe.open),
            find_out: fill(probe.find_out),
            form: probe.form,
        }
    }

    pub fn open_bullet(&self) -> String {
        bullet(None, &stopped(&self.open)).join(" ")
    }
}

/// What a question is about in a few words.
pub(super) fn lead(heard: &SessionReading<'_>, asked: &TranscriptEntry) -> String {
    Texts::of(heard, asked).lead
}

/// What the question that everything else follows is about.
pub(super) fn root_lead(heard: &SessionReading<'_>, asked: &TranscriptEntry) -> String {
    lead(heard, follow_up::root(heard.session, asked))
}
