//! The answer to an extension, as it is recorded and as it is reported.

use serde::{Deserialize, Serialize};

use crate::domain::facets::Facets;
use crate::domain::harmless::harmless;
use crate::domain::subsystem::Happened;
use crate::domain::text::{Line, Prose};
use crate::domain::told::{Scene, Told};
use crate::domain::ui::Name;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// A person, or a file of answers, answered its question (P28).
    ExtensionAnswered(Box<ExtensionAnswer>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionAnswer {
    pub extension: Name,
    pub question: Prose,
    /// The labels of the chosen options; a person's own words come last.
    pub answer: Vec<Prose>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Prose>,
    /// Whether the answer is, or ends with, the person's own words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub other: bool,
}

impl ExtensionAnswer {
    fn line(&self) -> Line {
        let answer: Vec<&str> = self.answer.iter().map(Prose::as_str).collect();
        Line::clipped(&answer.join(", "))
    }
}

impl Happened for Event {
    fn facets(&self) -> Facets<'_> {
        let Self::ExtensionAnswered(answer) = self;
        let question = Line::clipped(answer.question.first_line());
        let subject = format!("answer to {}: {question}: {}", answer.extension, answer.line());
        Facets { note: answer.note.as_ref(), ..Facets::of("extension-answer", subject) }
    }

    fn told(&self, _: Scene<'_>) -> Told<'_> {
        let Self::ExtensionAnswered(answer) = self;
        let question = Line::clipped(answer.question.first_line());
        let told = format!("recorded for {}: {question}: {}", answer.extension, answer.line());
        Told::Line(harmless(&told).into_owned())
    }
}
