//! Build tools and package managers, by the files they are known for.

use super::blobs::Blobs;
use super::tree::Tracked;
use super::{MOST_FINDINGS, shown_at, shown_by};
use crate::domain::facts::Finding;

/// File name, tool. The file that lies highest stands for all of them.
const TOOLS: &[(&str, &str)] = &[
    ("Cargo.toml", "cargo"),
    ("package.json", "npm package"),
    ("package-lock.json", "npm"),
    ("yarn.lock", "yarn"),
    ("pnpm-lock.yaml", "pnpm"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("deno.json", "deno"),
    ("tsconfig.json", "TypeScript compiler"),
    ("vite.config.ts", "vite"),
    ("vite.config.js", "vite"),
    ("webpack.config.js", "webpack"),
    ("turbo.json", "turborepo"),
    ("nx.json", "nx"),
    ("pyproject.toml", "Python project"),
    ("setup.py", "setuptools"),
    ("requirements.txt", "pip"),
    ("poetry.lock", "poetry"),
    ("uv.lock", "uv"),
    ("Pipfile", "pipenv"),
    ("environment.yml", "conda"),
    ("go.mod", "go modules"),
    ("GNUmakefile", "make"),
    ("Makefile", "make"),
    ("makefile", "make"),
    ("CMakeLists.txt", "CMake"),
    ("meson.build", "meson"),
    ("configure.ac", "autoconf"),
    ("build.ninja", "ninja"),
    ("BUILD.bazel", "bazel"),
    ("MODULE.bazel", "bazel"),
    ("WORKSPACE", "bazel"),
    ("BUCK", "buck"),
    ("pom.xml", "maven"),
    ("build.gradle", "gradle"),
    ("build.gradle.kts", "gradle"),
    ("build.sbt", "sbt"),
    ("project.clj", "leiningen"),
    ("deps.edn", "Clojure CLI"),
    ("Gemfile", "bundler"),
    ("Rakefile", "rake"),
    ("composer.json", "composer"),
    ("mix.exs", "mix"),
    ("rebar.config", "rebar3"),
    ("gleam.toml", "gleam"),
    ("stack.yaml", "stack"),
    ("cabal.project", "cabal"),
    ("dune-project", "dune"),
    ("Package.swift", "Swift package"),
    ("Podfile", "CocoaPods"),
    ("pubspec.yaml", "pub"),
    ("build.zig", "zig build"),
    ("shard.yml", "shards"),
    ("Project.toml", "Julia package"),
    ("DESCRIPTION", "R package"),
    ("flake.nix", "nix flake"),
    ("default.nix", "nix"),
    ("justfile", "just"),
    ("Justfile", "just"),
    ("Taskfile.yml", "task"),
    ("Earthfile", "earthly"),
    ("Dockerfile", "docker"),
    ("Containerfile", "podman"),
    ("docker-compose.yml", "docker compose"),
    ("compose.yaml", "docker compose"),
    ("main.tf", "terraform"),
];

/// Tools that are known by an extension: files have names of their own.
const BY_EXTENSION: &[(&str, &str)] = &[
    ("csproj", "dotnet"),
    ("fsproj", "dotnet"),
    ("sln", "dotnet"),
    ("cabal", "cabal"),
    ("nimble", "nimble"),
    ("gemspec", "gem"),
    ("opam", "opam"),
    ("rockspec", "luarocks"),
];

/// Finds the tools; for npm also the scripts, for they are the project's own commands.
pub(super) fn find(files: &[Tracked], blobs: &Blobs<'_>) -> Vec<Finding> {
    let mut best: Vec<(&str, &Tracked)> = Vec::new();
    for file in files {
        let Some(tool) = tool_of(file) else {
            continue;
        };
        if super::foreign::is_vendored(&file.path) {
            continue;
        }
        match best.iter_mut().find(|(other, _)| *other == tool) {
            Some((_, other)) if file.depth() < other.depth() => *other = file,
            Some(_) => {}
            None => best.push((tool, file)),
        }
    }
    best.sort_by_key(|(tool, file)| (file.depth(), place_of(tool)));
    let mut found: Vec<Finding> = best.iter().map(|(tool, file)| shown_by(file, tool)).collect();
    found.truncate(MOST_FINDINGS);
    if let Some((_, package)) = best.iter().find(|(tool, _)| *tool == "npm package") {
        found.extend(
            scripts(package, blobs)
                .into_iter()
                .map(|(line, script)| shown_at(package, line, &format!("npm script {script}"))),
        );
    }
    found.truncate(2 * MOST_FINDINGS);
    found
}

fn tool_of(file: &Tracked) -> Option<&'static str> {
    let by_name = TOOLS.iter().find(|(name, _)| *name == file.name());
    let by_extension = || {
        let extension = file.extension()?;
        BY_EXTENSION.iter().find(|(known, _)| *known == extension)
    };
    by_name.or_else(by_extension).map(|(_, tool)| *tool)
}

fn place_of(tool: &str) -> usize {
    TOOLS.iter().position(|(_, other)| *other == tool).unwrap_or(TOOLS.len())
}

/// The scripts of a `package.json`: line and `name: command`.
pub(super) fn scripts(package: &Tracked, blobs: &Blobs<'_>) -> Vec<(usize, String)> {
    blobs.text(package).map(|text| scripts_in(&text)).unwrap_or_default()
}

fn scripts_in(text: &str) -> Vec<(usize, String)> {
    let Ok(serde_json::Value::Object(package)) = serde_json::from_str(text) else {
        return Vec::new();
    };
    let Some(scripts) = package.get("scripts").and_then(|value| value.as_object()) else {
        return Vec::new();
    };
    // The parser knows no lines: a script's line is the first one after `"scripts"` that has its name as a key.
    let start = text.lines().position(|line| line.contains("\"scripts\"")).unwrap_or(0);
    scripts
        .iter()
        .filter_map(|(name, command)| {
            let key = format!("\"{name}\"");
            let line = text.lines().skip(start).position(|line| line.contains(&key) && line.contains(':'))?;
            Some((start + line, format!("{name}: {}", command.as_str()?)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_come_with_their_lines() {
        let text =
            "{\n  \"name\": \"test\",\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test\": \"vitest\"\n  }\n}\n";
        assert_eq!(scripts_in(text), [(3, "build: tsc".to_owned()), (4, "test: vitest".to_owned())]);
        assert!(scripts_in("{").is_empty() && scripts_in("[]").is_empty());
    }

    #[test]
    fn no_file_name_stands_for_two_tools() {
        for (place, (name, _)) in TOOLS.iter().enumerate() {
            assert!(TOOLS[place + 1..].iter().all(|(other, _)| other != name), "{name}");
        }
    }
}
