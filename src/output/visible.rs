//! What somebody notices who only uses the thing: decisions about where code lives are left to the documents for those
//! who change it.

use super::material::item::Item;
use super::material::{Decision, Material};

pub(super) fn names_a_file(material: &Material, item: &Item) -> bool {
    item.text().split('`').skip(1).step_by(2).any(|code| {
        let path = code.rsplit_once(':').map_or(code, |(path, _)| path);
        material.cited.contains(code) || material.cited.contains(path)
    })
}

/// Decisions that do not speak of files.
pub(super) fn visible(material: &Material) -> impl Iterator<Item = &Decision> {
    material.decisions.iter().filter(|decision| !names_a_file(material, &decision.item))
}
