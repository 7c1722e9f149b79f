//! A piece of work, of reading or of finding out: what a strategy cuts the understanding into. Issues, plans and chapters
//! are made of pieces.

use super::inline::{heading, inline, stopped};
use super::material::item::Item;

/// One piece, in an order that begins with what the others stand on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    pub title: String,
    pub purpose: Vec<Item>,
    pub contents: Vec<Item>,
    /// What has to be seen for it to be over.
    pub done_when: Vec<Item>,
    /// What could go wrong with it.
    pub mind: Vec<Item>,
    pub not_this: Vec<Item>,
    pub begin: Vec<Item>,
    /// Pieces before it that it needs, counted from 0.
    pub after: Vec<usize>,
}

impl Piece {
    pub fn titled(title: &str) -> Self {
        Self { title: heading(&inline(title)), ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        let lists = [&self.contents, &self.done_when, &self.mind, &self.begin];
        lists.into_iter().all(Vec::is_empty)
    }
}

/// A line of our own making as an item; its words come from the session.
pub(super) fn line(text: &str) -> Item {
    Item { lines: vec![stopped(&inline(text))], ..Item::default() }
}

/// Leaves out what is empty and counts anew what the others come after.
pub(super) fn without_empty(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut places = Vec::with_capacity(pieces.len());
    let mut kept = 0;
    for piece in &pieces {
        places.push((!piece.is_empty()).then_some(kept));
        kept += usize::from(!piece.is_empty());
    }
    let renumbered = |mut piece: Piece| {
        piece.after = piece.after.iter().filter_map(|at| places.get(*at).copied().flatten()).collect();
        piece.after.sort_unstable();
        piece.after.dedup();
        piece
    };
    pieces.into_iter().filter(|piece| !piece.is_empty()).map(renumbered).collect()
}
