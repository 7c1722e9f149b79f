//! What the repository already answers (G15): read from HEAD's tree, never from the index (libgit2 cannot read sparse
//! and split ones) and never from the working tree. Nothing is written, nothing is run.
//!
//! Every limit has a name here; what a limit cut off is said by [`RepoFacts::truncated`]. Nothing depends on the
//! order of a hash table or on the time, except where the caller's patience ends.

mod blobs;
mod checks;
mod ci;
mod documents;
mod earlier;
mod entries;
mod foreign;
mod kinds;
mod languages;
mod lines;
mod manifests;
mod recheck;
mod related;
mod score;
mod tools;
mod tree;
mod weight;
mod words;

use self::blobs::Blobs;
use self::tree::Tracked;
use self::words::Terms;
use super::open::Opened;
use crate::app::ports::{Look, Scout};
use crate::domain::citations::Rechecked;
use crate::domain::facts::{Evidence, Finding, Inspection, RepoFacts};
use crate::domain::text::{flat, within};
use crate::git::Commit;
use crate::git::object::{in_words, parsed};

/// The most files that are listed.
pub const MOST_FILES: usize = 60_000;
/// The most blobs whose contents are read.
pub const MOST_BLOBS: usize = 4_000;
/// The most bytes that are read.
pub const MOST_BYTES: usize = 24 * 1024 * 1024;
/// A larger file is not read.
pub const LARGEST_BLOB: usize = 512 * 1024;
/// The longest excerpt, in characters.
pub const EXCERPT: usize = 120;
/// The most findings of one kind.
const MOST_FINDINGS: usize = 12;
/// The most files that touch the topic.
const MOST_RELATED: usize = 8;
/// The most commit subjects.
const MOST_RECENT: usize = 10;

/// Looks at HEAD's tree.
pub struct RepoScout<'a> {
    pub opened: &'a Opened,
    /// `remote.origin.url`, if it is set; the repository is called after it.
    pub origin: Option<&'a str>,
    /// Whether only a part of the files is checked out (`core.sparseCheckout`).
    pub sparse: bool,
    /// Asked often; when it says no, what was found until then is the answer.
    pub keep_going: &'a dyn Fn() -> bool,
}

impl Scout for RepoScout<'_> {
    fn look(&self, look: &Look<'_>) -> RepoFacts {
        let Look { topic, inspect, earlier } = *look;
        if inspect.is_empty() {
            return RepoFacts::default();
        }
        let may = |kind: Inspection| inspect.contains(&kind);
        let head = self.head();
        let mut facts =
            RepoFacts { looked: true, inspected: inspect.clone(), name: self.name(None), ..RepoFacts::default() };
        if may(Inspection::Sessions) {
            facts.earlier = earlier::find(earlier, topic);
        }
        if may(Inspection::History) {
            facts.recent = head.as_ref().map(|head| self.recent(head)).unwrap_or_default();
        }
        if [Inspection::Layout, Inspection::Writings, Inspection::Contents].into_iter().any(may) {
            self.look_at_files(head.as_ref(), look, &mut facts);
        }
        facts
    }

    fn recheck(&self, cited: &[Evidence]) -> Vec<Rechecked> {
        self.recheck_all(cited)
    }
}

impl RepoScout<'_> {
    /// The commit that HEAD names. It is asked for once: a HEAD that moves meanwhile changes nothing in what is found.
    fn head(&self) -> Option<Commit> {
        self.opened.repo.commit(parsed(self.opened.head.commit()?.as_str())?).ok()?
    }

    fn look_at_files(&self, head: Option<&Commit>, look: &Look<'_>, facts: &mut RepoFacts) {
        let listing = tree::list(&self.opened.repo, head.map(|head| head.tree), self.keep_going);
        let files = &listing.files;
        let blobs = Blobs::new(&self.opened.repo, self.keep_going);
        facts.files = u32::try_from(listing.seen).unwrap_or(u32::MAX);
        // The small files first: they say most, and a short patience must not miss them.
        if look.inspect.contains(&Inspection::Layout) {
            let terms = Terms::of(look.topic);
            let dependencies = manifests::dependencies(files, &blobs);
            let entries = entries::find(files, &blobs);
            facts.name = self.name(documents::own_name(files, &blobs));
            facts.build = tools::find(files, &blobs);
            facts.ci = ci::find(files, &blobs);
            facts.licence = documents::licence(files, &blobs);
            facts.tests = checks::find(files, &blobs, &facts.ci);
            facts.kinds = kinds::find(files, &dependencies, &entries);
            facts.dependencies = manifests::findings(&dependencies, &terms);
            facts.entry_points = entries::findings(&entries);
        }
        if look.inspect.contains(&Inspection::Writings) {
            facts.readme = documents::readme(files, &blobs);
            facts.decisions = documents::decisions(files, &blobs);
        }
        if look.inspect.contains(&Inspection::Contents) {
            facts.related = related::find(files, &blobs, look.topic);
        }
        if look.inspect.contains(&Inspection::Layout) {
            facts.languages = languages::count(files, &blobs);
        }
        facts.truncated = listing.truncated || blobs.cut_short();
    }

    /// What the repository is called: after its remote, by its own manifest, or after its folder.
    fn name(&self, own: Option<String>) -> String {
        let of_url = self.origin.and_then(|url| {
            let last = url.trim_end_matches('/').rsplit(['/', ':']).next()?;
            let name = last.strip_suffix(".git").unwrap_or(last);
            (!name.is_empty() && name != "..").then(|| name.to_owned())
        });
        let folder = match &self.opened.worktree {
            Some(top) => top.as_path(),
            None => self.opened.git_dir.as_path(),
        };
        let of_folder = || {
            let name = folder.file_name().map(|name| name.to_string_lossy());
            name.map(|name| name.trim_end_matches(".git").to_owned())
        };
        clipped(&of_url.or(own).or_else(of_folder).unwrap_or_default())
    }

    /// The newest commit subjects.
    fn recent(&self, head: &Commit) -> Vec<String> {
        let newest = self.opened.repo.newest(head.id, MOST_RECENT);
        newest.iter().filter(|(_, subject)| !subject.is_empty()).map(|(_, subject)| clipped(subject)).collect()
    }
}

/// A text as it may be shown: one line, no control characters, at most [`EXCERPT`] characters.
fn clipped(text: &str) -> String {
    within(&flat(text), EXCERPT)
}

fn whole(file: &Tracked) -> Evidence {
    Evidence { path: file.path.clone(), lines: None, blob: Some(in_words(file.id)) }
}

/// The place of one line, counted from 0.
fn line_of(file: &Tracked, line: usize) -> Evidence {
    let number = u32::try_from(line + 1).unwrap_or(u32::MAX);
    Evidence { lines: Some((number, number)), ..whole(file) }
}

fn shown_by(file: &Tracked, what: &str) -> Finding {
    Finding { what: clipped(what), at: whole(file) }
}

/// A finding that one line shows.
fn shown_at(file: &Tracked, line: usize, what: &str) -> Finding {
    Finding { what: clipped(what), at: line_of(file, line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_and_harmless() {
        assert_eq!(clipped(" a\u{1b}[31m\n b\t"), "a [31m b");
        let long = clipped(&"ä ".repeat(400));
        assert!(long.chars().count() <= EXCERPT && long.ends_with('…'));
    }
}
