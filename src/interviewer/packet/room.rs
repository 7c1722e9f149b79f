//! The room of a packet: sections that share it, and what gives way when they do not fit. Lengths are characters.

use std::cmp::Reverse;

use crate::domain::harmless::harmless;

/// A part of a section that is kept or cut as a whole.
pub(super) struct Item {
    pub full: String,
    /// A shorter text, for a packet that is too small for all of them.
    pub short: String,
    /// Whether it is kept before those that are not.
    pub pinned: bool,
}

impl Item {
    /// An item that is short already.
    pub fn plain(text: String) -> Self {
        Self { short: text.clone(), full: text, pinned: false }
    }
}

/// The items that are kept where not all of them fit. They are shown in their own order.
#[derive(Clone, Copy)]
pub(super) enum Keep {
    First,
    Last,
    /// The pinned ones, then the last ones.
    Pinned,
}

pub(super) struct Section {
    pub title: &'static str,
    pub items: Vec<Item>,
    pub keep: Keep,
    /// Hundredths of the room that it has in any case.
    pub share: usize,
    pub rest: &'static str,
}

pub(super) struct Fitted {
    pub text: String,
    /// What was cut, one phrase for each section.
    pub cut: Vec<String>,
}

/// The length of a text in characters.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Fits sections into the room, the first ones first: each has its share, and what others leave of theirs.
pub(super) fn fit(sections: &[Section], room: usize) -> Fitted {
    let needs: Vec<usize> = sections.iter().map(|section| section.needs(|item| &item.full)).collect();
    let kept_back = |at: usize| -> usize {
        let later = sections.iter().zip(&needs).skip(at + 1);
        later.map(|(section, need)| (*need).min(room * section.share / 100)).sum()
    };
    let mut fitted = Fitted { text: String::new(), cut: Vec::new() };
    for (at, section) in sections.iter().enumerate().filter(|(_, section)| !section.items.is_empty()) {
        let allowed = room.saturating_sub(length(&fitted.text) + kept_back(at));
        let (text, cut) = section.within(allowed);
        fitted.text.push_str(&text);
        fitted.cut.extend(cut);
    }
    fitted
}

impl Section {
    fn heading(&self) -> String {
        format!("\n## {}\n", self.title)
    }

    /// The characters that it takes with these texts; none without items.
    fn needs(&self, text: impl Fn(&Item) -> &str) -> usize {
        if self.items.is_empty() {
            return 0;
        }
        let items: usize = self.items.iter().map(|item| length(&harmless(text(item))) + 1).sum();
        length(&self.heading()) + items
    }

    /// Its text in at most so many characters, and what was cut.
    fn within(&self, allowed: usize) -> (String, Option<String>) {
        if self.needs(|item| &item.full) <= allowed {
            return (self.text(self.items.iter().map(|item| item.full.as_str())), None);
        }
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        match self.keep {
            Keep::First => {}
            Keep::Last => order.reverse(),
            Keep::Pinned => order.sort_by_key(|at| (!self.items[*at].pinned, Reverse(*at))),
        }
        let mut left = allowed.saturating_sub(length(&self.heading()));
        let mut kept: Vec<usize> = Vec::new();
        for at in order {
            let needs = length(&harmless(&self.items[at].short)) + 1;
            if needs > left {
                break;
            }
            left -= needs;
            kept.push(at);
        }
        kept.sort_unstable();
        let rest = if self.rest.is_empty() { String::new() } else { format!(" ({})", self.rest) };
        let title = self.title.to_lowercase();
        let missing = self.items.len() - kept.len();
        let cut = if missing == 0 {
            format!("long texts in “{title}” are shortened{rest}")
        } else {
            format!("{missing} of {} in “{title}” left out, the others shortened{rest}", self.items.len())
        };
        if kept.is_empty() {
            return (String::new(), Some(cut));
        }
        (self.text(kept.into_iter().map(|at| self.items[at].short.as_str())), Some(cut))
    }

    fn text<'a>(&self, items: impl Iterator<Item = &'a str>) -> String {
        let mut text = self.heading();
        for item in items {
            text.push_str(&harmless(item));
            text.push('\n');
        }
        text
    }
}
