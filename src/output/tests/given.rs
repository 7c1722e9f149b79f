//! Outputs that fit in with what stands in the repository.

use std::collections::BTreeMap;

use super::super::*;
use super::sessions::{full, made_in};
use crate::domain::production::TargetPath;

/// A repository with these files, looked at as the generator wants it.
fn repository(output: &str, chosen: Option<&str>, files: &[(&str, &str)]) -> Existing {
    let files: BTreeMap<TargetPath, &str> =
        files.iter().map(|(path, text)| (TargetPath::parse(path).unwrap(), *text)).collect();
    let chosen: Vec<TargetPath> = chosen.iter().map(|path| TargetPath::parse(path).unwrap()).collect();
    let mut existing = Existing::default();
    for round in 0.. {
        assert!(round < 5, "it never has enough");
        let wants = wants(&output.parse().unwrap(), &chosen, &full(), &existing);
        if wants.is_empty() {
            break;
        }
        for folder in wants.folders {
            let within = format!("{folder}/");
            let names = files.keys().filter_map(|path| path.as_str().strip_prefix(&within));
            let names = names.filter(|name| !name.contains('/')).map(str::to_owned).collect();
            existing.folder(folder, names);
        }
        for path in wants.files.into_iter().chain(wants.samples) {
            let text = files.get(&path).map(|&text| text.to_owned());
            existing.file(path, text);
        }
    }
    existing
}

fn made(output: &str, chosen: Option<&str>, files: &[(&str, &str)]) -> Result<Vec<Document>, Cannot> {
    made_in(output, None, chosen, &full(), &repository(output, chosen, files))
}

const NYGARD: &str = "# 4. Old\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nx\n";
const MADR_2: &str =
    "# Old\n\n* Status: accepted\n\n## Context and Problem Statement\n\nx\n\n## Considered Options\n\n* a\n* b\n";

#[test]
fn records_are_numbered_after_those_that_are_there_and_look_like_them() {
    for (files, chosen, path, parts) in [
        (
            &[("doc/adr/0004-old.md", NYGARD), ("doc/adr/README.md", "x")][..],
            None,
            "doc/adr/0005-the-limit-counts-by-key.md",
            &["# 5. The limit counts by key\n\nDate: 2026-11-21\n\n## Status\n\nProposed\n\n## Context\n"][..],
        ),
        (
            &[("docs/decisions/adr-009-old.md", MADR_2)],
            None,
            "docs/decisions/adr-010-the-limit-counts-by-key.md",
            &[
                "# The limit counts by key\n\n* Status: proposed\n",
                "* Taken\n* By address\n",
                "* Good, because nobody has to log in.\n",
            ],
        ),
        (
            &[(".adr-dir", "notes/records\n"), ("notes/records/1-old.md", "# Old\n\nBecause.\n")],
            None,
            "notes/records/2-the-limit-counts-by-key.md",
            &["# The limit counts by key\n\nOne loud customer starves the others.\n"],
        ),
        (
            &[(".adr-dir", "notes/records/")],
            None,
            "notes/records/0001-the-limit-counts-by-key.md",
            &["status: proposed"],
        ),
        (&[(".adr-dir", "../outside\n")], None, "docs/adr/0001-the-limit-counts-by-key.md", &["status: proposed"]),
        (
            &[("docs/x/0004-old.md", NYGARD)],
            Some("docs/x/mine.md"),
            "docs/x/mine.md",
            &["# 5. The limit counts by key\n"],
        ),
    ] {
        let made = made("adr", chosen, files).unwrap();
        assert_eq!((made.len(), made[0].path.as_str()), (1, path));
        for part in parts {
            assert!(made[0].text.contains(part), "{part:?} is missing in {}", made[0].text);
        }
    }
}

#[test]
fn a_decision_that_has_a_record_gets_no_other() {
    let there = "docs/adr/0003-the-limit-counts-by-key.md";
    let refused = made("adr", None, &[(there, NYGARD)]).unwrap_err();
    assert!(refused.to_string().contains("no decision without a record"), "{refused}");
    // While the approved ones are written, the others keep their numbers and the form.
    let again =
        made("adr", Some(there), &[(there, "# 3. x\n"), ("docs/adr/0002-old.md", &NYGARD.replace('4', "2"))]).unwrap();
    assert!(again[0].text.starts_with("# 3. The limit counts by key\n\nDate: 2026-11-21\n"), "{}", again[0].text);
    let unnumbered = made("adr", None, &[("docs/adr/use-it.md", "# Use it\n\nBecause.\n")]).unwrap();
    assert_eq!(unnumbered[0].path.as_str(), "docs/adr/the-limit-counts-by-key.md");
}

#[test]
fn a_readme_that_is_there_keeps_every_byte() {
    let text = "# A\r\n\r\nWords  \r\n\r\n## License\r\n\r\nMIT\r\n";
    let made_ = made("readme", None, &[("README.md", text)]).unwrap();
    let (before, after) = text.split_at(text.find("## License").unwrap());
    assert!(made_[0].text.starts_with(before) && made_[0].text.ends_with(after), "{}", made_[0].text);
    assert!(made_[0].text.contains("## Add rate limiting\r\n\r\nPlanned, as of 2026-11-21.\r\n"));
    assert!(!made_[0].text.replace("\r\n", "").contains('\n'), "one kind of line end");
    let again = made("readme", None, &[("README.md", &made_[0].text)]).unwrap();
    assert_eq!(again[0].text, made_[0].text);
    assert_eq!(made("readme", None, &[("readme.md", "# a\n")]).unwrap()[0].path.as_str(), "readme.md");
    let refused = made("readme", None, &[("README.rst", "a\n=\n")]).unwrap_err();
    assert!(refused.to_string().contains("README.rst") && refused.way_out().contains("--path"));
}

#[test]
fn a_changelog_that_is_there_keeps_every_byte() {
    let text = "# History\n\n## 1.2.0 (2020)\n\n* old\n";
    let made_ = made("changelog", None, &[("HISTORY.md", text)]).unwrap();
    assert_eq!(made_[0].path.as_str(), "HISTORY.md");
    let entry = "- Add rate limiting.\n  - The limit counts by key.\n  - It lives beside the router, edited by hand.\n";
    assert_eq!(made_[0].text, format!("# History\n\n## Unreleased\n\n{entry}\n## 1.2.0 (2020)\n\n* old\n"));
    let refused = made("changelog", None, &[("NEWS", "1.0\n")]).unwrap_err();
    assert!(matches!(refused, Cannot::UnknownForm { .. }), "{refused}");
    let own = made("changelog", Some("docs/next.md"), &[("CHANGELOG.md", "# C\n")]).unwrap();
    assert_eq!((own[0].path.as_str(), own[0].text.contains("### Added")), ("docs/next.md", true));
}
