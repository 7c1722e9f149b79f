//! The two edits: putting something behind everything else in a container, and the exact reverse.

use serde_json::Value;

use super::super::trouble::Trouble;
use super::find::{Chain, Tree, ours};
use super::span::{Container, comma_after, end_of_the_last, has_comment};
use super::write::{Paper, Spot};
use super::{Entry, Slot};

/// Puts `body` behind everything else in `holder`.
pub(super) fn insert(text: &str, holder: &Container, paper: &Paper, body: &str) -> String {
    let spot = Spot::behind(text, holder, paper);
    let (before, after) = text.split_at(spot.at);
    let mut edited = String::with_capacity(text.len() + body.len() + 8);
    match spot.comma_at {
        Some(comma) => {
            edited.push_str(&before[..comma]);
            edited.push(',');
            edited.push_str(&before[comma..]);
        }
        None => edited.push_str(before),
    }
    edited.push_str(&spot.lead);
    edited.push_str(body);
    if spot.trailing {
        edited.push(',');
    }
    edited.push_str(after);
    edited
}

/// Takes the item out that `chain` leads to, with every container that was made for it; `None` where that is all.
pub(super) fn remove(text: &str, chain: &Chain) -> Option<String> {
    let mut chain = chain.iter().rev();
    let mut taken = chain.next()?;
    while is_made_for(text, &taken.0) {
        match chain.next() {
            Some(above) => taken = above,
            // What stands around the root is only blanks, unless somebody wrote a comment.
            None if is_alone(text, &taken.0) => return None,
            None => break,
        }
    }
    Some(without(text, &taken.0, taken.1))
}

/// Whether the container was made for the one item that it holds: one that was empty before got one blank.
fn is_made_for(text: &str, container: &Container) -> bool {
    let [item] = container.items.as_slice() else { return false };
    let stood_there = &text[container.inside..item.start] == " ";
    !stood_there && !has_comment(text, container.inside, item.start) && !has_comment(text, item.end, container.close)
}

fn is_alone(text: &str, root: &Container) -> bool {
    text[..root.inside - 1].trim().is_empty() && text[root.close + 1..].trim().is_empty()
}

/// The text without one item and without the comma that came with it.
fn without(text: &str, container: &Container, index: usize) -> String {
    let item = &container.items[index];
    let before = container.before(index);
    let start = end_of_the_last(text, before, item.start);
    let (mut left, rest) = (text[..start].to_owned(), &text[item.end..]);
    if let Some(comma) = comma_after(text, item.end) {
        left.push_str(&text[item.end..comma]);
        left.push_str(&text[comma + 1..]);
        return left;
    }
    if index > 0
        && let Some(comma) = comma_after(text, before)
    {
        left.remove(comma);
    }
    left + rest
}

/// The text without the last member of its root, if that has this name and value.
pub(super) fn without_last_member(text: &str, name: &'static str, value: &str) -> Result<Option<String>, Trouble> {
    // A look at the root alone: a member that anybody could have written counts as ours here.
    let slot = Slot::Member { name, value: value.to_owned(), ours: |_| true };
    let tree = Tree::parse(text)?;
    let Some(chain) = ours(&tree, &Entry { path: &[], slot })? else {
        return Ok(None);
    };
    let Some((root, index)) = chain.last() else { return Ok(None) };
    let item = &text[root.items[*index].clone()];
    let there = item.split_once(':').and_then(|(_, there)| serde_json::from_str::<Value>(there).ok());
    let is_it = *index + 1 == root.items.len() && there == serde_json::from_str(value).ok();
    Ok(is_it.then(|| without(text, root, *index)))
}
