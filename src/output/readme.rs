//! The README: a new one where there is none; else one section for what was agreed on, and every other byte stays.

use serde::Serialize;

use super::cannot::Cannot;
use super::entry::{Entry, Making};
use super::existing::Existing;
use super::inline::{heading, inline, stopped};
use super::insert::Lines;
use super::material::{Material, Open};
use super::page::{finished, linked};
use super::template::{fill, lists};
use super::visible::{names_a_file, visible};
use crate::domain::production::TargetPath;

const NAMES: &[&str] = &["README.md", "Readme.md", "readme.md", "README.markdown"];
/// Names of READMEs in other forms.
const FOREIGN: &[&str] = &["README.rst", "README.adoc", "README.org", "README.txt", "README"];

pub(super) const ENTRY: Entry = Entry::new(
    "README.md",
    "what newcomers read first",
    Making::Part {
        names: NAMES,
        foreign: FOREIGN,
        why: "it is no Markdown, and a second README would only confuse",
        document,
    },
);

#[derive(Serialize)]
struct View {
    title: String,
    date: String,
    goals: Vec<lists::Line>,
    audience: Vec<lists::Line>,
    visible: Vec<lists::Line>,
    constraints: Vec<lists::Line>,
    non_goals: Vec<lists::Line>,
    open: Vec<lists::Line>,
    /// For a new file.
    project: String,
    says: String,
    tools: Vec<String>,
    licences: Vec<String>,
}

impl View {
    fn of(material: &Material) -> Self {
        let facts = &material.facts;
        let found = |list: &[crate::domain::facts::Finding], label: &str| -> Vec<String> {
            let one = |finding: &crate::domain::facts::Finding| {
                format!("{label}: {} (`{}`)", inline(&finding.what), finding.at.path)
            };
            list.iter().take(4).map(one).collect()
        };
        let mut tools = found(&facts.build, "Built with");
        tools.extend(found(&facts.tests, "Tested with"));
        Self {
            title: heading(&material.title()),
            date: material.date.clone(),
            goals: lists::lines(material.goals.iter().chain(&material.stated)),
            audience: lists::lines(&material.audience),
            visible: lists::lines(visible(material).map(|decision| &decision.item)),
            constraints: lists::lines(material.limits().filter(|item| !names_a_file(material, item))),
            non_goals: lists::lines(&material.non_goals),
            open: lists::lines(material.open.iter().map(|open: &Open| &open.item)),
            project: if facts.name.is_empty() { heading(&material.title()) } else { inline(&facts.name) },
            says: facts.readme.as_ref().map(|readme| stopped(&inline(&readme.what))).unwrap_or_default(),
            tools,
            licences: found(&facts.licence, "Licence"),
        }
    }
}

/// The README with what was agreed on.
fn document(material: &Material, path: &TargetPath, existing: &Existing) -> Result<String, Cannot> {
    let said = [&material.goals, &material.constraints, &material.non_goals].into_iter().any(|list| !list.is_empty());
    if !said && material.decisions.is_empty() {
        return Err(Cannot::NothingToSay { what: "neither a goal nor a decision" });
    }
    let view = View::of(material);
    let made = |template: &str| {
        let text = fill(template, &view).map_err(Cannot::TooLarge)?;
        Ok(linked(&finished(&text), path.as_str(), &material.cited))
    };
    match existing.text(path) {
        Some(text) if !text.trim().is_empty() => {
            // The section is finished below a title, as it will stand.
            let section = made(concat!("# -\n\n", include_str!("templates/readme-section.md")))?;
            let section: Vec<String> = section.lines().skip(2).map(str::to_owned).collect();
            Ok(entered(text, &view.title, &section))
        }
        Some(_) | None => made(concat!(
            "# {{ project }}\n\n{{ says }}\n\n",
            include_str!("templates/readme-section.md"),
            "\n\n## Building and testing\n\n{{ tools | bullets }}\n\n## Licence\n\n{{ licences | bullets }}\n",
        )),
    }
}

/// The file with the section: in the place of the section of that name, else before what usually comes last.
fn entered(text: &str, title: &str, section: &[String]) -> String {
    const LAST: &[&str] = &[
        "license",
        "licence",
        "licensing",
        "contributing",
        "contributors",
        "authors",
        "acknowledgements",
        "credits",
        "changelog",
    ];
    let mut lines = Lines::read(text);
    let headings = lines.headings();
    if let Some(at) = headings.iter().position(|one| one.level == 2 && one.title == title) {
        let start = headings[at].line;
        let end = headings[at + 1..].iter().find(|one| one.level <= 2).map_or(lines.len(), |one| one.line);
        lines.replace(start..end, section);
        return lines.text();
    }
    let closing = headings.iter().filter(|one| one.level == 2).rev();
    let closing = closing.take_while(|one| LAST.contains(&one.title.to_lowercase().as_str()));
    let at = closing.last().map_or(lines.len(), |one| one.line);
    lines.add_block(at, section);
    lines.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_comes_before_the_licence_and_replaces_itself() {
        let section = ["## New".to_owned(), String::new(), "words".to_owned()];
        for (text, expected) in [
            ("# A\n\nx\n", "# A\n\nx\n\n## New\n\nwords\n"),
            (
                "# A\n\n## Use\n\nx\n\n## License\n\nMIT\n",
                "# A\n\n## Use\n\nx\n\n## New\n\nwords\n\n## License\n\nMIT\n",
            ),
            (
                "# A\n\n## Contributing\n\nx\n\n## Use\n\ny",
                "# A\n\n## Contributing\n\nx\n\n## Use\n\ny\n\n## New\n\nwords\n",
            ),
            ("# A\n\n## New\n\nold\n\n### Deep\n\nold\n\n## B\n", "# A\n\n## New\n\nwords\n\n## B\n"),
        ] {
            assert_eq!(entered(text, "New", &section), expected, "{text:?}");
            assert_eq!(entered(expected, "New", &section), expected, "a second time nothing changes");
            assert_eq!(entered(&text.replace('\n', "\r\n"), "New", &section), expected.replace('\n', "\r\n"));
        }
    }
}
