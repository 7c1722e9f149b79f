//! An output as its own file describes it, in a constant `ENTRY`.

use super::cannot::Cannot;
use super::existing::{Existing, Wants};
use super::material::Material;
use crate::domain::production::TargetPath;
use crate::domain::session::Session;
use crate::domain::settings::{CataloguedStrategy, Strategy};

/// An entry of the catalogue (G27).
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name for people.
    pub name: &'static str,
    /// What it is good for, in one line.
    pub about: &'static str,
    /// The strategies that suit it, the usual one first. Any does where none is named.
    pub(super) suits: &'static [CataloguedStrategy],
    /// Whether it is created in a tracker, unless somebody wants it as files.
    pub(super) tracked: bool,
    /// Whether it may be the sheet of paper on which one begins; any other would only be a heading.
    pub(super) sheet: bool,
    pub(super) making: Making,
}

/// How the documents of an output are made, and where they go unless somebody says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Making {
    /// One document from a template, in a folder below `docs`.
    Page { folder: &'static str, template: &'static str },
    /// A part of the one file that goes by one of several names. A file in a foreign form is in the way, and `why` says
    /// how.
    Part {
        names: &'static [&'static str],
        foreign: &'static [&'static str],
        why: &'static str,
        document: fn(&Material, &TargetPath, &Existing) -> Result<String, Cannot>,
    },
    /// By rules of its own. Paths are asked for also where somebody wants the output at a path.
    Own {
        wants: fn(&Session, Option<&TargetPath>, &Existing) -> Wants,
        paths: fn(&Sources<'_>, Option<&TargetPath>) -> Result<Vec<TargetPath>, Cannot>,
        documents: fn(&Sources<'_>, &[TargetPath]) -> Result<Vec<Document>, Cannot>,
        /// Decisions that the documents leave out, by their names.
        unrecorded: fn(&Strategy, &Material) -> Vec<String>,
    },
}

pub(super) struct Sources<'a> {
    pub session: &'a Session,
    pub strategy: &'a Strategy,
    pub material: &'a Material,
    pub existing: &'a Existing,
}

/// A file as it would be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub path: TargetPath,
    pub text: String,
}

impl Entry {
    /// An output that is cut in any way.
    pub(super) const fn new(name: &'static str, about: &'static str, making: Making) -> Self {
        Self { name, about, suits: &[], tracked: false, sheet: false, making }
    }

    /// The same, made from a template alone.
    pub(super) const fn page(
        name: &'static str,
        about: &'static str,
        folder: &'static str,
        template: &'static str,
    ) -> Self {
        Self::new(name, about, Making::Page { folder, template })
    }
}
