//! What somebody else made of planned files.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::reply::Outside;

use super::diff;
use super::harmless;
use super::palette::Look;
use crate::text::shell::pathspec;

/// Each file with what changed in it, and the commits that did.
pub(super) fn shown(changes: &[Outside], look: &Look) -> String {
    let mut text = String::new();
    for outside in changes {
        let path = &outside.change.path;
        let _ = writeln!(text, "{}", look.warning(format!("! {path} was changed by somebody else")));
        let name = |text: Option<&String>, side: &str| match text {
            Some(_) => format!("{side}/{path}"),
            None => "/dev/null".to_owned(),
        };
        if let Some(why) = &outside.odd {
            let _ = writeln!(text, "  it cannot be shown: {}", harmless(why));
        } else if outside.before != outside.now {
            let (old, new) = (outside.before.as_ref(), outside.now.as_ref());
            let (from, to) = (name(old, "a"), name(new, "b"));
            let ends = |text: Option<&String>| text.map_or(String::new(), Clone::clone);
            text.push_str(&diff::versions((&from, &ends(old)), (&to, &ends(new)), diff::Of::File, look));
        }
        for commit in &outside.change.commits {
            let _ = writeln!(text, "  committed: git show {} -- {}", commit.short(), pathspec(path.as_str()));
        }
    }
    text
}

/// The same for machines.
pub(super) fn listed(changes: &[Outside]) -> Vec<Value> {
    let one = |outside: &Outside| {
        let change = &outside.change;
        json!({
            "path": change.path.as_str(),
            "was": change.was.as_ref().map(ToString::to_string),
            "blob": change.blob.as_ref().map(ToString::to_string),
            "commits": change.commits.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    changes.iter().map(one).collect()
}
