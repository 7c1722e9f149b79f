//! The entry in the changelog: into `Unreleased` of the file that is there, in the group where it belongs, and no other
//! byte is touched.

use super::cannot::Cannot;
use super::entry::{Entry, Making};
use super::existing::Existing;
use super::inline::{stopped, unstopped};
use super::insert::Lines;
use super::material::Material;
use super::visible::visible;
use crate::domain::production::TargetPath;
use crate::domain::text::words;

const NAMES: &[&str] = &[
    "CHANGELOG.md",
    "Changelog.md",
    "changelog.md",
    "CHANGES.md",
    "Changes.md",
    "changes.md",
    "HISTORY.md",
    "History.md",
    "NEWS.md",
    "RELEASES.md",
    "RELEASE_NOTES.md",
    "docs/CHANGELOG.md",
    "docs/changelog.md",
];
/// Names of changelogs in other forms.
const FOREIGN: &[&str] = &[
    "CHANGELOG.rst",
    "CHANGES.rst",
    "HISTORY.rst",
    "NEWS.rst",
    "CHANGELOG",
    "CHANGES",
    "ChangeLog",
    "NEWS",
    "CHANGELOG.txt",
    "CHANGES.txt",
];

pub(super) const ENTRY: Entry = Entry::new(
    "changelog / release notes",
    "what changes for users, in their words",
    Making::Part {
        names: NAMES,
        foreign: FOREIGN,
        why: "it is no Markdown, so nothing can be entered in its form",
        document,
    },
);

/// The group of an entry (Keep a Changelog).
fn group(material: &Material) -> &'static str {
    let goal = material.goals.iter().map(super::material::item::Item::text).collect::<String>();
    let first = words(&material.topic).into_iter().next().unwrap_or_default();
    match first.as_str() {
        "add" | "allow" | "introduce" | "support" | "offer" | "let" | "enable" | "write" | "provide" => "Added",
        "fix" | "repair" | "prevent" | "correct" | "avoid" | "stop" => "Fixed",
        "remove" | "drop" | "delete" => "Removed",
        "deprecate" => "Deprecated",
        "secure" | "harden" => "Security",
        _ if goal.contains("makes something possible that people cannot do") => "Added",
        _ if goal.contains("ends a failure that somebody meets today") => "Fixed",
        _ => "Changed",
    }
}

/// The entry: what it is about, and what holds from then on.
fn entry(material: &Material) -> Result<Vec<String>, Cannot> {
    let mut lines = vec![format!("- {}", stopped(&material.title()))];
    lines.extend(visible(material).map(|decision| format!("  - {}", decision.item.text())));
    if lines.len() == 1 {
        lines.extend(material.goals.iter().map(|goal| format!("  - {}", goal.text())));
    }
    if lines.len() == 1 { Err(Cannot::NothingToSay { what: "neither a goal nor a decision" }) } else { Ok(lines) }
}

fn document(material: &Material, path: &TargetPath, existing: &Existing) -> Result<String, Cannot> {
    let entry = entry(material)?;
    let group = group(material);
    match existing.text(path) {
        Some(text) if !text.trim().is_empty() => entered(text, path, group, &entry),
        Some(_) | None => Ok(format!("# Changelog\n\n## [Unreleased]\n\n### {group}\n\n{}\n", entry.join("\n"))),
    }
}

/// The file with the entry where it belongs.
fn entered(text: &str, path: &TargetPath, group: &str, entry: &[String]) -> Result<String, Cannot> {
    let unknown = |why| Cannot::UnknownForm { path: path.clone(), why };
    let mut lines = Lines::read(text);
    let headings = lines.headings();
    if headings.is_empty() {
        return Err(unknown("it has no headings, so there is no telling where an entry belongs"));
    }
    // Versions are the level of the first heading that names one; usually the second.
    let is_unreleased = |title: &str| {
        let bare = title.trim_matches(['[', ']', ' ']).to_lowercase();
        bare.starts_with("unreleased") || bare == "next" || bare == "upcoming"
    };
    let unreleased = headings.iter().position(|one| one.level <= 3 && is_unreleased(&one.title));
    let Some(at) = unreleased else {
        return new_section(lines, &unknown, group, entry);
    };
    let level = headings[at].level;
    let end = headings[at + 1..].iter().find(|one| one.level <= level).map_or(lines.len(), |one| one.line);
    let groups: Vec<_> = headings[at + 1..].iter().filter(|one| one.line < end && one.level == level + 1).collect();
    let first = headings[at].line + 1;
    if let Some(found) = groups.iter().find(|one| one.title.eq_ignore_ascii_case(group)) {
        let stop = headings.iter().find(|one| one.line > found.line).map_or(end, |one| one.line.min(end));
        lines.add_to_list(found.line + 1..stop, entry);
    } else if groups.is_empty() && lines.has_text(first..end) {
        // A section without groups: its bullets stand right below it.
        lines.add_to_list(first..end, entry);
    } else {
        let order = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
        let rank = |title: &str| order.iter().position(|one| one.eq_ignore_ascii_case(title)).unwrap_or(order.len());
        let before = groups.iter().find(|one| rank(&one.title) > rank(group)).map_or(end, |one| one.line);
        lines.add_section(before, &format!("{} {group}", "#".repeat(level + 1)), entry);
    }
    Ok(lines.text())
}

/// A new section for what is not released, above the newest version.
fn new_section(
    mut lines: Lines,
    unknown: &dyn Fn(&'static str) -> Cannot,
    group: &str,
    entry: &[String],
) -> Result<String, Cannot> {
    let headings = lines.headings();
    let version = |title: &str| title.chars().any(|one| one.is_ascii_digit());
    let newest = headings.iter().position(|one| version(&one.title) && one.level <= 3);
    let (at, level, bracket, grouped) = match newest {
        Some(index) => {
            let newest = &headings[index];
            let grouped = headings[index + 1..].iter().take_while(|one| one.level > newest.level).next().is_some();
            (newest.line, newest.level, newest.title.starts_with('['), grouped)
        }
        // Only a title: the first version is still to come.
        None if headings.len() == 1 && headings[0].level == 1 => (lines.len(), 2, true, true),
        None => return Err(unknown("none of its headings names a version")),
    };
    let title = if bracket { "[Unreleased]" } else { "Unreleased" };
    let heading = format!("{} {title}", "#".repeat(level));
    if grouped {
        let inner = format!("{} {group}", "#".repeat(level + 1));
        let body: Vec<String> = [inner, String::new()].into_iter().chain(entry.iter().cloned()).collect();
        lines.add_section(at, &heading, &body);
    } else {
        lines.add_section(at, &heading, entry);
    }
    Ok(lines.text())
}

/// The first line of an entry tells it from others.
pub(super) fn same_entry(one: &str, other: &str) -> bool {
    let bare = |line: &str| unstopped(line.trim_start_matches(['-', '*', '+', ' ']).trim()).to_lowercase();
    bare(one) == bare(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered_into(text: &str) -> Result<String, Cannot> {
        let entry = ["- New thing.".to_owned(), "  - It holds.".to_owned()];
        entered(text, &TargetPath::parse("CHANGELOG.md").unwrap(), "Changed", &entry)
    }

    #[test]
    fn an_entry_comes_where_it_belongs_and_nothing_else_moves() {
        for (text, expected) in [
            (
                "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a\n\n## [1.0.0] - 2020-01-01\n\n- x\n",
                "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a\n\n### Changed\n\n- New thing.\n  - It holds.\n\n## [1.0.0] - 2020-01-01\n\n- x\n",
            ),
            (
                "# Changelog\n\n## Unreleased\n### Changed\n- a\n### Fixed\n- b\n",
                "# Changelog\n\n## Unreleased\n### Changed\n- a\n- New thing.\n  - It holds.\n### Fixed\n- b\n",
            ),
            (
                "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- b\n",
                "# Changelog\n\n## Unreleased\n\n### Changed\n\n- New thing.\n  - It holds.\n\n### Fixed\n\n- b\n",
            ),
            (
                "# C\n\n## Unreleased\n\n* a\n\n\n## 1.0\n",
                "# C\n\n## Unreleased\n\n* a\n* New thing.\n  * It holds.\n\n\n## 1.0\n",
            ),
            (
                "# C\n\nWords.\n\n## 1.0\n\n- a\n",
                "# C\n\nWords.\n\n## Unreleased\n\n- New thing.\n  - It holds.\n\n## 1.0\n\n- a\n",
            ),
            (
                "# C\n\n## [1.0]\n\n### Added\n\n- a\n",
                "# C\n\n## [Unreleased]\n\n### Changed\n\n- New thing.\n  - It holds.\n\n## [1.0]\n\n### Added\n\n- a\n",
            ),
            ("# C\n", "# C\n\n## [Unreleased]\n\n### Changed\n\n- New thing.\n  - It holds.\n"),
            ("# C\n\n## Unreleased\n", "# C\n\n## Unreleased\n\n### Changed\n\n- New thing.\n  - It holds.\n"),
            (
                "# C\n\n## Unreleased\n\n### Changed\n\n- New thing.\n  - Old words.\n- b",
                "# C\n\n## Unreleased\n\n### Changed\n\n- New thing.\n  - It holds.\n- b",
            ),
            (
                "# C\n\n```\n## Unreleased\n```\n\n## 1.0\n",
                "# C\n\n```\n## Unreleased\n```\n\n## Unreleased\n\n- New thing.\n  - It holds.\n\n## 1.0\n",
            ),
        ] {
            assert_eq!(entered_into(text).unwrap(), expected, "{text:?}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(entered_into(&windows).unwrap(), expected.replace('\n', "\r\n"), "{windows:?}");
            let twice = entered_into(&entered_into(text).unwrap()).unwrap();
            assert_eq!(twice, expected, "a second time nothing changes");
        }
    }

    #[test]
    fn a_form_that_nobody_knows_is_refused() {
        for text in ["1.0\n---\n\n- a\n", "words\n", "# A\n\n## B\n\n## C\n"] {
            assert!(matches!(entered_into(text), Err(Cannot::UnknownForm { .. })), "{text:?}");
        }
    }
}
