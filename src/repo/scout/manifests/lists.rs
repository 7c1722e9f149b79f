//! Manifests that are lists of lines, and the two XML and Groovy ones as far as lines tell.

use super::tables::requirement;
use super::{Named, Use};

/// `requirements.txt` and its siblings; a file for development says so in its lines' place, which is not known here.
pub(super) fn requirements(text: &str) -> Vec<Named> {
    text.lines()
        .enumerate()
        .filter(|(_, row)| !row.trim_start().starts_with(['#', '-']) && !row.contains("://"))
        .filter_map(|(line, row)| Some(Named { name: requirement(row)?, line, used: Use::Running }))
        .collect()
}

/// `install_requires` of `setup.cfg`
pub(super) fn setup_cfg(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut inside = false;
    for (line, row) in text.lines().enumerate() {
        if row.starts_with("install_requires") {
            inside = true;
        } else if !row.starts_with([' ', '\t']) {
            inside = false;
        } else if inside && let Some(name) = requirement(row) {
            found.push(Named { name, line, used: Use::Running });
        }
    }
    found
}

/// `go.mod`, without what only others require.
pub(super) fn go_mod(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut inside = false;
    for (line, row) in text.lines().enumerate() {
        let row = row.trim();
        let named = match row.strip_prefix("require") {
            Some(rest) if rest.trim_start().starts_with('(') => {
                inside = true;
                continue;
            }
            Some(rest) if rest.starts_with([' ', '\t']) => rest.trim(),
            Some(_) | None if row.starts_with(')') => {
                inside = false;
                continue;
            }
            Some(_) | None if inside => row,
            Some(_) | None => continue,
        };
        let module = named.split_whitespace().next().unwrap_or_default();
        if module.contains('.') && !module.starts_with("//") && !named.contains("// indirect") {
            found.push(Named { name: module.to_owned(), line, used: Use::Running });
        }
    }
    found
}

pub(super) fn gemfile(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut used = Use::Running;
    for (line, row) in text.lines().enumerate() {
        let row = row.trim();
        if row.starts_with("group") {
            used = if row.contains(":development") || row.contains(":test") { Use::Development } else { Use::Running };
        } else if row == "end" {
            used = Use::Running;
        } else if let Some(rest) = row.strip_prefix("gem ").or_else(|| row.strip_prefix("gem("))
            && let Some(name) = rest.trim_start().get(1..).and_then(|rest| rest.split(['"', '\'']).next())
        {
            found.push(Named { name: name.to_owned(), line, used });
        }
    }
    found
}

/// `pom.xml`: the artifacts within `<dependency>`.
pub(super) fn pom(text: &str) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let mut inside = false;
    for (line, row) in text.lines().enumerate() {
        inside = (inside || row.contains("<dependency>")) && !row.trim_start().starts_with("</dependency>");
        if let Some(name) = inside.then(|| between(row, "<artifactId>", "</artifactId>")).flatten() {
            found.push(Named { name: name.to_owned(), line, used: Use::Running });
        }
        if inside
            && between(row, "<scope>", "</scope>") == Some("test")
            && let Some(last) = found.last_mut()
        {
            last.used = Use::Development;
        }
    }
    found
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    Some(text.split_once(open)?.1.split_once(close)?.0.trim())
}

/// Gradle's configurations, with what they are for.
const CONFIGURATIONS: &[(&str, Use)] = &[
    ("implementation", Use::Running),
    ("api", Use::Running),
    ("compileOnly", Use::Running),
    ("runtimeOnly", Use::Running),
    ("testImplementation", Use::Development),
    ("testRuntimeOnly", Use::Development),
    ("annotationProcessor", Use::Development),
    ("kapt", Use::Development),
];

/// `build.gradle` and `build.gradle.kts`: `implementation("group:name:version")`.
pub(super) fn gradle(text: &str) -> Vec<Named> {
    text.lines()
        .enumerate()
        .filter_map(|(line, row)| {
            let row = row.trim();
            let (rest, used) = CONFIGURATIONS.iter().find_map(|(word, used)| {
                let rest = row.strip_prefix(word)?;
                rest.starts_with([' ', '(']).then_some((rest, *used))
            })?;
            let coordinates = rest.split(['"', '\'']).nth(1)?;
            // `project(':c')` is a part of this very project.
            let (group, rest) = coordinates.split_once(':')?;
            let name = rest.split(':').next()?;
            (!group.is_empty()).then(|| Named { name: name.to_owned(), line, used })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(found: &[Named]) -> Vec<String> {
        let mark = |used| if used == Use::Development { "*" } else { "" };
        found.iter().map(|named| format!("{}{}@{}", named.name, mark(named.used), named.line + 1)).collect()
    }

    #[test]
    fn g15_lists_name_their_dependencies_line_by_line() {
        assert_eq!(
            said(&requirements("# x\nflask==2\n-r base.txt\nuvicorn[standard]>1 ; x\n\ngit+https://x\n")),
            ["flask@2", "uvicorn@4"]
        );
        assert_eq!(
            said(&setup_cfg("[options]\ninstall_requires =\n    attrs>=1\n    click\npackages = find:\n    x\n")),
            ["attrs@3", "click@4"]
        );
        assert_eq!(
            said(&go_mod(
                "module a.org/b\nrequire a.org/c v1\nrequire (\n\tb.org/d v2\n\tb.org/e v2 // indirect\n)\nreplace b.org/f => ../f\n"
            )),
            ["a.org/c@2", "b.org/d@4"]
        );
        assert_eq!(
            said(&gemfile(
                "source 'x'\ngem 'rails', '~> 7'\ngroup :development, :test do\n  gem \"rspec\"\nend\ngem(\"puma\")\n"
            )),
            ["rails@2", "rspec*@4", "puma@6"]
        );
        assert_eq!(
            said(&pom(
                "<artifactId>own</artifactId>\n<dependency>\n<artifactId>a</artifactId>\n</dependency>\n<dependency><artifactId>b</artifactId><scope>test</scope>\n</dependency>\n"
            )),
            ["a@3", "b*@5"]
        );
        assert_eq!(
            said(&gradle(
                "plugins { id 'x' }\ndependencies {\n  implementation 'g:a:1'\n  testImplementation(\"g:b:1\")\n  implementation project(':c')\n}\n"
            )),
            ["a@3", "b*@4"]
        );
        for parse in [requirements, setup_cfg, go_mod, gemfile, pom, gradle] {
            for odd in ["", "gem ", "gem \u{e4}", "require", "<dependency><artifactId>", "implementation '", "\u{0}"] {
                let _ = parse(odd);
            }
        }
    }
}
