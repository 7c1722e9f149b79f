//! What a project says about itself: licence, README, earlier decisions.

use super::blobs::Blobs;
use super::tree::Tracked;
use super::{MOST_FINDINGS, line_of, shown_at, shown_by, whole};
use crate::domain::facts::{Evidence, Finding};

/// Licences by what their texts say, lower case with single spaces. The first row whose texts all occur wins.
const LICENCES: &[(&str, &[&str])] = &[
    ("AGPL-3.0", &["gnu affero general public license", "version 3"]),
    ("LGPL-3.0", &["gnu lesser general public license", "version 3"]),
    ("LGPL-2.1", &["gnu lesser general public license", "version 2.1"]),
    ("GPL-3.0", &["gnu general public license", "version 3"]),
    ("GPL-2.0", &["gnu general public license", "version 2"]),
    ("Apache-2.0", &["apache license", "version 2.0"]),
    ("MPL-2.0", &["mozilla public license", "2.0"]),
    ("EPL-2.0", &["eclipse public license", "2.0"]),
    ("EUPL-1.2", &["european union public licence", "1.2"]),
    ("BSL-1.0", &["boost software license", "version 1.0"]),
    ("BUSL-1.1", &["business source license 1.1"]),
    ("Unlicense", &["this is free and unencumbered software"]),
    ("CC0-1.0", &["cc0 1.0 universal"]),
    ("CC-BY-SA-4.0", &["attribution-sharealike 4.0 international"]),
    ("CC-BY-4.0", &["attribution 4.0 international"]),
    ("WTFPL", &["do what the fuck you want"]),
    ("Zlib", &["this software is provided 'as-is'", "altered source versions"]),
    ("ISC", &["permission to use, copy, modify, and/or distribute this software"]),
    ("MIT", &["permission is hereby granted, free of charge", "without restriction"]),
    ("BSD-3-Clause", &["redistribution and use in source and binary forms", "endorse or promote"]),
    ("BSD-2-Clause", &["redistribution and use in source and binary forms"]),
];

/// So much of a licence's text is compared.
const LICENCE_READ: usize = 3_000;

/// Files that hold a licence begin like this.
const LICENCE_NAMES: &[&str] = &["license", "licence", "copying", "unlicense"];

/// A line of a manifest that begins like this names the licence.
const LICENCE_FIELDS: &[(&str, &str)] = &[
    ("Cargo.toml", "license = "),
    ("pyproject.toml", "license = "),
    ("package.json", "\"license\":"),
    ("composer.json", "\"license\":"),
];

/// Where a manifest at the top says what the project is called: the file, the table it stands in, the field.
const NAME_FIELDS: &[(&str, &str, &str)] = &[
    ("Cargo.toml", "[package]", "name ="),
    ("pyproject.toml", "[project]", "name ="),
    ("package.json", "{", "\"name\":"),
    ("composer.json", "{", "\"name\":"),
];

/// What the project calls itself.
pub(super) fn own_name(files: &[Tracked], blobs: &Blobs<'_>) -> Option<String> {
    NAME_FIELDS.iter().find_map(|(name, table, field)| {
        let text = blobs.text(files.iter().find(|file| file.path == *name)?)?;
        let in_table = text.lines().map(str::trim).skip_while(|line| line != table).skip(1);
        let rest = in_table.take_while(|line| !line.starts_with('[')).find_map(|line| line.strip_prefix(field))?;
        let own = rest.trim().trim_matches(['"', '\'', ',', ' ']);
        (!own.is_empty()).then(|| own.to_owned())
    })
}

/// Folders whose documents are decisions, with a `/` at the end.
const DECISION_FOLDERS: &[&str] = &[
    "docs/adr/",
    "doc/adr/",
    "docs/adrs/",
    "docs/decisions/",
    "doc/decisions/",
    "docs/architecture/decisions/",
    "doc/architecture/decisions/",
    "architecture/decisions/",
    "decisions/",
    "adr/",
    "docs/design/",
    "doc/design/",
    "docs/rfcs/",
    "docs/rfc/",
    "rfcs/",
    "design/",
];

/// Documents at the top or in `docs/` that are decisions by themselves.
const DECISION_FILES: &[&str] = &["design.md", "architecture.md", "decisions.md"];

/// The licences: texts at the top, then fields of manifests.
pub(super) fn licence(files: &[Tracked], blobs: &Blobs<'_>) -> Vec<Finding> {
    let texts = files.iter().filter(|file| is_licence(file)).map(|file| {
        let known = blobs.text(file).and_then(|text| licence_of(&text));
        shown_by(file, known.unwrap_or("a licence of its own"))
    });
    let fields = LICENCE_FIELDS.iter().filter_map(|(name, field)| {
        let file = files.iter().find(|file| file.path == *name)?;
        let text = blobs.text(file)?;
        let (line, rest) = text
            .lines()
            .enumerate()
            .find_map(|(line, text)| Some((line, text.trim_start().strip_prefix(field)?.to_owned())))?;
        let value = rest.trim().trim_matches(['"', '\'', ',', ' ']);
        (!value.is_empty()).then(|| shown_at(file, line, value))
    });
    texts.chain(fields).take(MOST_FINDINGS).collect()
}

fn is_licence(file: &Tracked) -> bool {
    let name = file.name().to_lowercase();
    let plain = matches!(file.extension(), None | Some("md" | "txt" | "rst"));
    match file.folder() {
        "" => {
            let named = LICENCE_NAMES.iter().any(|start| name.starts_with(start));
            // `LICENSE-APACHE` and `LICENSE-2.0` end in no file type.
            named && (plain || name.contains('-'))
        }
        "LICENSES/" => true,
        _ => false,
    }
}

fn licence_of(text: &str) -> Option<&'static str> {
    let beginning: String = text.chars().take(LICENCE_READ).collect();
    let flat = beginning.to_lowercase();
    let flat = flat.split_whitespace().collect::<Vec<_>>().join(" ");
    LICENCES.iter().find(|(_, says)| says.iter().all(|words| flat.contains(words))).map(|(name, _)| *name)
}

/// The title and the first sentence of the README at the top.
pub(super) fn readme(files: &[Tracked], blobs: &Blobs<'_>) -> Option<Finding> {
    let file = files
        .iter()
        .filter(|file| file.folder().is_empty() || file.folder() == "docs/")
        .filter(|file| {
            let name = file.name().to_lowercase();
            name == "readme" || name.starts_with("readme.")
        })
        .min_by_key(|file| (file.depth(), file.extension() != Some("md")))?;
    let text = blobs.text(file)?;
    let title = title_of(&text);
    let after = title.as_ref().map_or(0, |(line, _)| line + 1);
    let sentence = first_sentence(&text, after);
    let (first, last, what) = match (title, sentence) {
        (Some((line, title)), Some((to, sentence))) => (line, to, format!("{title}: {sentence}")),
        (Some((line, title)), None) => (line, line, title),
        (None, Some((line, sentence))) => (line, line, sentence),
        (None, None) => return None,
    };
    let number = |line: usize| u32::try_from(line + 1).unwrap_or(u32::MAX);
    Some(Finding {
        what: super::clipped(&what),
        at: Evidence { lines: Some((number(first), number(last))), ..whole(file) },
    })
}

/// The first heading: `# …`, `= …`, or a line that is underlined.
fn title_of(text: &str) -> Option<(usize, String)> {
    let lines: Vec<&str> = text.lines().take(60).collect();
    lines.iter().enumerate().find_map(|(number, line)| {
        let marked = line.strip_prefix("# ").or_else(|| line.strip_prefix("= ")).map(str::trim);
        let underlined = || {
            let under = lines.get(number + 1)?.trim_end();
            let ruled = under.len() > 2 && (under.bytes().all(|b| b == b'=') || under.bytes().all(|b| b == b'-'));
            (ruled && is_prose(line)).then(|| line.trim())
        };
        let title = plain(marked.or_else(underlined)?);
        (!title.is_empty()).then_some((number, title))
    })
}

/// The first sentence of running text, from line `after` on.
fn first_sentence(text: &str, after: usize) -> Option<(usize, String)> {
    let mut lines = text.lines().enumerate().skip(after).take(60);
    let (mut last, first) = lines.by_ref().find(|(_, line)| is_prose(line))?;
    let mut sentence = plain(first);
    for (number, line) in lines {
        if ends_sentence(&sentence).is_some() || !is_prose(line) {
            break;
        }
        sentence.push(' ');
        sentence.push_str(&plain(line));
        last = number;
    }
    if let Some(end) = ends_sentence(&sentence) {
        sentence.truncate(end);
    }
    Some((last, sentence))
}

fn ends_sentence(text: &str) -> Option<usize> {
    text.find(". ").map(|at| at + 1).or_else(|| text.ends_with(['.', '!', '?']).then_some(text.len()))
}

/// Neither blank nor a heading, badge, picture, table, rule, fence or tag.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    !line.starts_with(['#', '!', '<', '|', '=', '`', '~', ':', '[']) && !line.starts_with("..") && letters > 2
}

/// A line without the marks of its format.
fn plain(line: &str) -> String {
    line.trim().trim_start_matches(['>', '*', '-', ' ']).replace(['`', '*'], "")
}

/// Documents that record decisions, each with its title; the newest of a numbered series first.
pub(super) fn decisions(files: &[Tracked], blobs: &Blobs<'_>) -> Vec<Finding> {
    let mut documents: Vec<&Tracked> = files.iter().filter(|file| is_decision(file)).collect();
    documents.sort_by(|left, right| (left.depth(), &right.path).cmp(&(right.depth(), &left.path)));
    documents
        .into_iter()
        .take(MOST_FINDINGS)
        .map(|file| {
            let title = blobs.text(file).and_then(|text| title_of(&text));
            match title {
                Some((line, title)) => Finding { what: super::clipped(&title), at: line_of(file, line) },
                None => shown_by(file, file.name()),
            }
        })
        .collect()
}

fn is_decision(file: &Tracked) -> bool {
    if !matches!(file.extension(), Some("md" | "adoc" | "rst" | "txt")) {
        return false;
    }
    let name = file.name().to_lowercase();
    let in_folder = DECISION_FOLDERS.iter().any(|folder| file.path.starts_with(folder));
    let by_itself = matches!(file.folder(), "" | "docs/" | "doc/") && DECISION_FILES.contains(&name.as_str());
    (in_folder && !name.starts_with("readme") && !name.contains("template")) || by_itself
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_known_by_their_words() {
        assert_eq!(licence_of("Apache License\n   Version 2.0, January 2004"), Some("Apache-2.0"));
        assert_eq!(
            licence_of(
                "MIT License\n\nPermission is hereby granted, free of\ncharge, to any person … without restriction"
            ),
            Some("MIT")
        );
        assert_eq!(licence_of("All rights reserved"), None);
    }

    #[test]
    fn a_readme_is_its_title_and_first_sentence() {
        let text = "[![ci](x)](y)\n\n# The `tool`\n\n<p>logo</p>\n\nDoes one thing,\nand well. Then more.\n";
        assert_eq!(title_of(text), Some((2, "The tool".to_owned())));
        assert_eq!(first_sentence(text, 3), Some((7, "Does one thing, and well.".to_owned())));
        assert_eq!(title_of("Tool\n====\n"), Some((0, "Tool".to_owned())));
    }
}
