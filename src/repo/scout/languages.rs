//! Languages by file name, most files first.

use super::blobs::Blobs;
use super::tree::Tracked;
use super::{MOST_FINDINGS, whole};
use crate::domain::facts::Language;

/// The sizes of so many files of a language are compared to find the largest.
const COMPARED: usize = 400;

/// What a language's files are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Code,
    Prose,
    Data,
}

/// Languages with their extensions in lower case.
#[rustfmt::skip]
const LANGUAGES: &[(&str, Sort, &[&str])] = &[
    ("Ada", Sort::Code, &["adb", "ads"]),
    ("Assembly", Sort::Code, &["asm", "s"]),
    ("Astro", Sort::Code, &["astro"]),
    ("C", Sort::Code, &["c", "h"]),
    ("C#", Sort::Code, &["cs", "csx"]),
    ("C++", Sort::Code, &["cc", "cpp", "cxx", "hh", "hpp", "hxx", "ipp"]),
    ("CMake", Sort::Code, &["cmake"]),
    ("CSS", Sort::Code, &["css"]),
    ("Clojure", Sort::Code, &["clj", "cljc", "cljs"]),
    ("Common Lisp", Sort::Code, &["lisp", "cl"]),
    ("Crystal", Sort::Code, &["cr"]),
    ("Cython", Sort::Code, &["pyx", "pxd"]),
    ("D", Sort::Code, &["d"]),
    ("Dart", Sort::Code, &["dart"]),
    ("Elixir", Sort::Code, &["ex", "exs"]),
    ("Elm", Sort::Code, &["elm"]),
    ("Emacs Lisp", Sort::Code, &["el"]),
    ("Erlang", Sort::Code, &["erl", "hrl"]),
    ("F#", Sort::Code, &["fs", "fsx", "fsi"]),
    ("Fish", Sort::Code, &["fish"]),
    ("Fortran", Sort::Code, &["f", "f90", "f95", "f03"]),
    ("GLSL", Sort::Code, &["glsl", "vert", "frag"]),
    ("GDScript", Sort::Code, &["gd"]),
    ("Gleam", Sort::Code, &["gleam"]),
    ("Go", Sort::Code, &["go"]),
    ("GraphQL", Sort::Code, &["graphql", "gql"]),
    ("Groovy", Sort::Code, &["groovy"]),
    ("HCL", Sort::Code, &["tf", "hcl"]),
    ("HTML", Sort::Code, &["html", "htm"]),
    ("Haskell", Sort::Code, &["hs", "lhs"]),
    ("Java", Sort::Code, &["java"]),
    ("JavaScript", Sort::Code, &["js", "jsx", "mjs", "cjs"]),
    ("Julia", Sort::Code, &["jl"]),
    ("Kotlin", Sort::Code, &["kt", "kts"]),
    ("Less", Sort::Code, &["less"]),
    ("Lua", Sort::Code, &["lua"]),
    ("MATLAB", Sort::Code, &["m"]),
    ("Nim", Sort::Code, &["nim"]),
    ("Nix", Sort::Code, &["nix"]),
    ("OCaml", Sort::Code, &["ml", "mli"]),
    ("Objective-C++", Sort::Code, &["mm"]),
    ("Odin", Sort::Code, &["odin"]),
    ("PHP", Sort::Code, &["php"]),
    ("Pascal", Sort::Code, &["pas", "pp"]),
    ("Perl", Sort::Code, &["pl", "pm", "t"]),
    ("PowerShell", Sort::Code, &["ps1", "psm1"]),
    ("Protocol Buffers", Sort::Code, &["proto"]),
    ("PureScript", Sort::Code, &["purs"]),
    ("Python", Sort::Code, &["py", "pyi"]),
    ("R", Sort::Code, &["r"]),
    ("Racket", Sort::Code, &["rkt"]),
    ("Ruby", Sort::Code, &["rb", "rake", "gemspec"]),
    ("Rust", Sort::Code, &["rs"]),
    ("SCSS", Sort::Code, &["scss", "sass"]),
    ("SQL", Sort::Code, &["sql"]),
    ("Scala", Sort::Code, &["scala", "sc"]),
    ("Scheme", Sort::Code, &["scm", "ss"]),
    ("Shell", Sort::Code, &["sh", "bash", "zsh"]),
    ("Solidity", Sort::Code, &["sol"]),
    ("Svelte", Sort::Code, &["svelte"]),
    ("Swift", Sort::Code, &["swift"]),
    ("Tcl", Sort::Code, &["tcl"]),
    ("TypeScript", Sort::Code, &["ts", "tsx", "mts", "cts"]),
    ("VHDL", Sort::Code, &["vhd", "vhdl"]),
    ("Verilog", Sort::Code, &["v", "sv", "svh"]),
    ("Vim script", Sort::Code, &["vim"]),
    ("Vue", Sort::Code, &["vue"]),
    ("WebAssembly", Sort::Code, &["wat"]),
    ("Zig", Sort::Code, &["zig"]),
    ("AsciiDoc", Sort::Prose, &["adoc", "asciidoc"]),
    ("Markdown", Sort::Prose, &["md", "markdown", "mdx"]),
    ("Org", Sort::Prose, &["org"]),
    ("TeX", Sort::Prose, &["tex", "sty"]),
    ("Text", Sort::Prose, &["txt"]),
    ("Typst", Sort::Prose, &["typ"]),
    ("reStructuredText", Sort::Prose, &["rst"]),
    ("JSON", Sort::Data, &["json", "jsonl", "json5"]),
    ("TOML", Sort::Data, &["toml"]),
    ("XML", Sort::Data, &["xml", "xsd"]),
    ("YAML", Sort::Data, &["yml", "yaml"]),
    ("CSV", Sort::Data, &["csv", "tsv"]),
    ("INI", Sort::Data, &["ini", "cfg", "conf"]),
];

/// Files that are called by their language instead of ending in it.
const NAMED: &[(&str, &str)] = &[
    ("CMakeLists.txt", "CMake"),
    ("Dockerfile", "Dockerfile"),
    ("Containerfile", "Dockerfile"),
    ("GNUmakefile", "Makefile"),
    ("Makefile", "Makefile"),
    ("makefile", "Makefile"),
    ("Justfile", "Just"),
    ("justfile", "Just"),
    ("Rakefile", "Ruby"),
    ("Gemfile", "Ruby"),
];

pub(super) fn of(file: &Tracked) -> Option<(&'static str, Sort)> {
    let named = NAMED.iter().find(|(name, _)| *name == file.name());
    if let Some((_, language)) = named {
        return Some((language, Sort::Code));
    }
    let extension = file.extension()?.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|(_, _, extensions)| extensions.contains(&extension.as_str()))
        .map(|(language, sort, _)| (*language, *sort))
}

/// Counts files; programs come before prose and data of whatever number, since they say what the project is.
pub(super) fn count(files: &[Tracked], blobs: &Blobs<'_>) -> Vec<Language> {
    let mut found: Vec<(&str, Sort, Vec<&Tracked>)> = Vec::new();
    for file in files {
        let Some((name, sort)) = of(file) else {
            continue;
        };
        if super::foreign::is_foreign(&file.path) {
            continue;
        }
        match found.iter_mut().find(|(other, ..)| *other == name) {
            Some((_, _, of_language)) => of_language.push(file),
            None => found.push((name, sort, vec![file])),
        }
    }
    found.sort_by_key(|(name, sort, of_language)| (*sort != Sort::Code, std::cmp::Reverse(of_language.len()), *name));
    found.truncate(MOST_FINDINGS);
    found
        .into_iter()
        .map(|(name, _, of_language)| Language {
            name: name.to_owned(),
            files: u32::try_from(of_language.len()).unwrap_or(u32::MAX),
            example: whole(largest(&of_language, blobs)),
        })
        .collect()
}

/// The largest file, the first one of several; when sizes are not to be had, the first.
fn largest<'f>(files: &[&'f Tracked], blobs: &Blobs<'_>) -> &'f Tracked {
    files
        .iter()
        .take(COMPARED)
        .map_while(|file| blobs.size(file).map(|size| (size, *file)))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map_or(files[0], |(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_belongs_to_one_language() {
        let mut seen: Vec<&str> = Vec::new();
        for (name, _, extensions) in LANGUAGES {
            for extension in *extensions {
                assert!(!seen.contains(extension), "{extension} again in {name}");
                assert_eq!(*extension, extension.to_ascii_lowercase());
                seen.push(extension);
            }
        }
        assert!(LANGUAGES.len() >= 40);
    }
}
