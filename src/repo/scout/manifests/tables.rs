//! Manifests that are tables: TOML and JSON. Read line by line, because a dependency is cited with its line and a
//! manifest that is broken further down still names what stands above.

use super::{Named, Use};

pub(super) fn cargo(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut table = Table::Other;
    for (line, row) in text.lines().enumerate() {
        if let Some(header) = header(row) {
            table = cargo_table(&header);
            if let Table::One(name, used) = &table {
                found.push(Named { name: name.clone(), line, used: *used });
            }
        } else if let Table::Many(used) = table
            && let Some(name) = key(row)
        {
            found.push(Named { name, line, used });
        }
    }
    found
}

/// What a TOML table holds.
enum Table {
    /// Dependencies, one a key.
    Many(Use),
    /// A single dependency.
    One(String, Use),
    Other,
}

fn cargo_table(header: &[String]) -> Table {
    // `[target.'cfg(unix)'.dependencies]` and `[workspace.dependencies]` are dependencies of their own kind.
    let header = match header {
        [first, _, rest @ ..] if first == "target" => rest,
        [first, rest @ ..] if first == "workspace" => rest,
        all => all,
    };
    let used = |name: &str| match name {
        "dependencies" => Some(Use::Running),
        "dev-dependencies" | "build-dependencies" => Some(Use::Development),
        _ => None,
    };
    match header {
        [table] => used(table).map_or(Table::Other, Table::Many),
        [table, name] => used(table).map_or(Table::Other, |used| Table::One(name.clone(), used)),
        _ => Table::Other,
    }
}

/// `pyproject.toml`: the standard's lists, groups, and poetry's tables.
pub(super) fn pyproject(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut table: Vec<String> = Vec::new();
    let mut list: Option<Use> = None;
    for (line, row) in text.lines().enumerate() {
        let mut rest = row.trim();
        if let Some(header) = header(row) {
            table = header;
            list = None;
            continue;
        }
        if list.is_none() {
            let Some(name) = key(row) else { continue };
            let names: Vec<&str> = table.iter().map(String::as_str).collect();
            match names.as_slice() {
                ["tool", "poetry", "dependencies"] if name != "python" => {
                    found.push(Named { name, line, used: Use::Running });
                    continue;
                }
                ["tool", "poetry", "dev-dependencies"] | ["tool", "poetry", "group", _, "dependencies"] => {
                    found.push(Named { name, line, used: Use::Development });
                    continue;
                }
                ["project"] if name == "dependencies" => list = Some(Use::Running),
                ["project", "optional-dependencies"] | ["dependency-groups"] => list = Some(Use::Development),
                _ => continue,
            }
            rest = rest.split_once('=').map_or("", |(_, value)| value.trim());
        }
        if let Some(used) = list {
            found.extend(
                quoted(rest).into_iter().filter_map(|one| requirement(one).map(|name| Named { name, line, used })),
            );
            // The bracket of an extra stands inside of quotes.
            if without_quoted(rest).contains(']') {
                list = None;
            }
        }
    }
    found
}

pub(super) fn pipfile(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut used = None;
    for (line, row) in text.lines().enumerate() {
        if let Some(header) = header(row) {
            used = match header.as_slice() {
                [one] if one == "packages" => Some(Use::Running),
                [one] if one == "dev-packages" => Some(Use::Development),
                _ => None,
            };
        } else if let (Some(used), Some(name)) = (used, key(row)) {
            found.push(Named { name, line, used });
        }
    }
    found
}

pub(super) fn package_json(text: &str) -> Vec<Named> {
    json(
        text,
        &[
            ("dependencies", Use::Running),
            ("peerDependencies", Use::Running),
            ("optionalDependencies", Use::Running),
            ("devDependencies", Use::Development),
        ],
    )
}

/// `composer.json`; the platform is no package.
pub(super) fn composer_json(text: &str) -> Vec<Named> {
    let mut found = json(text, &[("require", Use::Running), ("require-dev", Use::Development)]);
    found.retain(|named| named.name.contains('/'));
    found
}

/// The keys of objects at the top. The parser knows no lines: a key's line is the first one after its object's own that
/// has it as a key.
fn json(text: &str, objects: &[(&str, Use)]) -> Vec<Named> {
    let Ok(serde_json::Value::Object(top)) = serde_json::from_str(text) else {
        return Vec::new();
    };
    let lines: Vec<&str> = text.lines().collect();
    let line_of = |name: &str, after: usize| {
        let key = format!("\"{name}\"");
        lines.iter().enumerate().skip(after).find_map(|(number, line)| {
            let (_, rest) = line.split_once(&key)?;
            rest.trim_start().starts_with(':').then_some(number)
        })
    };
    let mut found = Vec::new();
    for (object, used) in objects {
        let Some(entries) = top.get(*object).and_then(serde_json::Value::as_object) else { continue };
        let Some(start) = line_of(object, 0) else { continue };
        for name in entries.keys() {
            if let Some(line) = line_of(name, start) {
                found.push(Named { name: name.clone(), line, used: *used });
            }
        }
    }
    found.sort_by_key(|named| (named.used, named.line));
    found
}

/// The parts of a table's header; `None` when the line is none.
fn header(row: &str) -> Option<Vec<String>> {
    let inside = row.trim().strip_prefix('[')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    let (inside, _) = inside.rsplit_once(']')?;
    let mut parts = vec![String::new()];
    let mut quote = None;
    for letter in inside.trim_end_matches(']').chars() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '.') => parts.push(String::new()),
            (_, letter) => parts.last_mut()?.push(letter),
        }
    }
    // An array's line in a list of requirements begins with a bracket, too.
    parts.iter().all(|part| !part.trim().is_empty()).then(|| parts.iter().map(|part| part.trim().to_owned()).collect())
}

/// The key of a TOML line, without what follows a dot in it.
fn key(row: &str) -> Option<String> {
    let (key, _) = row.split_once('=')?;
    let key = key.trim();
    let bare = match key.strip_prefix('"') {
        Some(rest) => rest.split('"').next()?,
        None => key.split('.').next()?,
    };
    let known = |c: char| c.is_alphanumeric() || "-_./@".contains(c);
    (!bare.is_empty() && bare.chars().all(known)).then(|| bare.to_owned())
}

fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.split('#').next().unwrap_or_default();
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = &rest[at..=at];
        let Some((inside, after)) = rest[at + 1..].split_once(quote) else { break };
        found.push(inside);
        rest = after;
    }
    found
}

fn without_quoted(text: &str) -> String {
    quoted(text).iter().fold(text.to_owned(), |text, inside| text.replacen(inside, "", 1))
}

/// The name at the beginning of a Python requirement: `uvicorn[standard]>=0.20; python_version > "3"`.
pub(super) fn requirement(text: &str) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(text.len());
    let name = &text[..end];
    name.starts_with(|c: char| c.is_ascii_alphanumeric()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(found: &[Named]) -> Vec<String> {
        let mark = |used| if used == Use::Development { "*" } else { "" };
        found.iter().map(|named| format!("{}{}@{}", named.name, mark(named.used), named.line + 1)).collect()
    }

    #[test]
    fn g15_cargo_names_its_dependencies_in_many_ways() {
        let text = "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\", features = [\n  \"derive\" ] }\nlog.workspace = true\n# a = 1\n[dependencies.regex]\nversion = \"1\"\n[target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n[dev-dependencies]\nproptest = \"1\"\n[features]\na = []\n[workspace.dependencies]\nclap = \"4\"\n";
        assert_eq!(said(&cargo(text)), ["serde@4", "log@6", "regex@8", "rustix@11", "proptest*@13", "clap@17"]);
    }

    #[test]
    fn g15_python_names_its_requirements_in_many_ways() {
        let text = "[project]\nname = \"x\"\ndependencies = [\n  \"fastapi>=0.1\", 'uvicorn[standard]',\n  # \"no\"\n]\nversion = \"1\"\n[project.optional-dependencies]\ntest = [\"pytest\"]\n[tool.poetry.dependencies]\npython = \"^3\"\nrequests = \"*\"\n[tool.poetry.group.dev.dependencies]\nruff = \"*\"\n[tool.black]\nline-length = 100\n";
        assert_eq!(said(&pyproject(text)), ["fastapi@4", "uvicorn@4", "pytest*@9", "requests@12", "ruff*@14"]);
        assert_eq!(
            said(&pipfile("[packages]\nflask = \"*\"\n[dev-packages]\nblack = \"*\"\n")),
            ["flask@2", "black*@4"]
        );
    }

    #[test]
    fn g15_json_keys_come_with_their_lines() {
        let text = "{\n \"name\": \"react\",\n \"dependencies\": {\n  \"react\": \"18\",\n  \"@scope/x\": \"1\"\n },\n \"devDependencies\": {\"vite\": \"5\"}\n}\n";
        assert_eq!(said(&package_json(text)), ["react@4", "@scope/x@5", "vite*@7"]);
        assert_eq!(said(&composer_json("{\"require\":{\"php\":\"8\",\"slim/slim\":\"4\"}}")), ["slim/slim@1"]);
        for broken in ["", "{", "[]", "{\"dependencies\": 1}"] {
            assert!(package_json(broken).is_empty(), "{broken}");
        }
    }
}
