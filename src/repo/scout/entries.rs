//! Where a project's programs, its library and its pages begin.

use super::blobs::Blobs;
use super::manifests::is_aside;
use super::tree::Tracked;
use super::{shown_at, shown_by};
use crate::domain::facts::Finding;

const MOST_ENTRIES: usize = 12;
/// The most files that are opened to find one.
const MOST_OPENED: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Begins {
    Program,
    /// Something that answers requests.
    Server,
    Page,
    /// What other code calls.
    Library,
}

/// A place where something begins.
pub(super) struct Entry<'f> {
    pub(super) file: &'f Tracked,
    pub(super) begins: Begins,
    /// Its line, counted from 0.
    line: Option<usize>,
    /// In a few words.
    what: String,
}

/// A name that says what begins in a file, and the text whose line shows it.
struct Known {
    /// The last component of the path.
    name: &'static str,
    begins: Begins,
    what: &'static str,
    /// A line that begins like this shows it; the file is none without it, unless this is empty.
    line: &'static str,
    /// The deepest that it can lie.
    depth: usize,
}

const fn known(name: &'static str, begins: Begins, what: &'static str, line: &'static str, depth: usize) -> Known {
    Known { name, begins, what, line, depth }
}

const KNOWN: &[Known] = &[
    known("__main__.py", Begins::Program, "Python program", "", 4),
    known("manage.py", Begins::Server, "Django project", "", 1),
    known("wsgi.py", Begins::Server, "WSGI application", "application", 3),
    known("asgi.py", Begins::Server, "ASGI application", "application", 3),
    known("main.go", Begins::Program, "Go program", "func main(", 3),
    known("config.ru", Begins::Server, "Rack application", "", 0),
    known("artisan", Begins::Server, "Laravel project", "", 0),
    known("Program.cs", Begins::Program, ".NET program", "", 3),
    known("main.c", Begins::Program, "C program", "int main(", 2),
    known("main.cpp", Begins::Program, "C++ program", "int main(", 2),
    known("main.cc", Begins::Program, "C++ program", "int main(", 2),
    known("main.zig", Begins::Program, "Zig program", "pub fn main(", 2),
    known("main.swift", Begins::Program, "Swift program", "", 3),
    known("main.dart", Begins::Program, "Dart program", "void main(", 2),
    known("application.ex", Begins::Server, "OTP application", "", 3),
];

/// Lines by which a file of a web framework begins something: file ending, text, words.
const FACTORIES: &[(&str, &str, &str)] = &[
    ("py", "FastAPI(", "FastAPI application"),
    ("py", "Flask(", "Flask application"),
    ("py", "Starlette(", "Starlette application"),
    ("py", "Sanic(", "Sanic application"),
    ("py", "web.Application(", "aiohttp application"),
    ("js", "express()", "Express application"),
    ("ts", "express()", "Express application"),
    ("js", "fastify(", "Fastify application"),
    ("ts", "Fastify(", "Fastify application"),
    ("ts", "NestFactory.create", "Nest application"),
    ("java", "SpringApplication.run", "Spring application"),
    ("kt", "runApplication<", "Spring application"),
    ("rb", "Sinatra::Base", "Sinatra application"),
];

/// Names of files in which a framework's beginning is looked for.
const HOUSES: &[&str] = &["app", "main", "server", "index", "__init__", "application", "api", "factory", "cli"];

/// Finds them: what the names of files tell, then what manifests say, then what begins in a file's text.
pub(super) fn find<'f>(files: &'f [Tracked], blobs: &Blobs<'_>) -> Vec<Entry<'f>> {
    let own: Vec<&Tracked> = files.iter().filter(|file| !is_aside(&file.path)).collect();
    let mut found: Vec<Entry<'_>> = Vec::new();
    let mut enter = |entry: Entry<'f>| {
        if found.iter().all(|known| known.file.path != entry.file.path || known.what != entry.what) {
            found.push(entry);
        }
    };
    rust(&own, blobs).into_iter().for_each(&mut enter);
    by_name(&own, blobs).into_iter().for_each(&mut enter);
    javascript(&own, blobs).into_iter().for_each(&mut enter);
    scripts(&own, blobs).into_iter().for_each(&mut enter);
    factories(&own, blobs).into_iter().for_each(&mut enter);
    pages(&own).into_iter().for_each(&mut enter);
    found.sort_by_key(|entry| (entry.file.depth(), entry.begins));
    found
}

pub(super) fn findings(entries: &[Entry<'_>]) -> Vec<Finding> {
    let shown = |entry: &Entry<'_>| match entry.line {
        Some(line) => shown_at(entry.file, line, &entry.what),
        None => shown_by(entry.file, &entry.what),
    };
    entries.iter().take(MOST_ENTRIES).map(shown).collect()
}

fn line_in(file: &Tracked, blobs: &Blobs<'_>, shows: impl Fn(&str) -> bool) -> Option<usize> {
    blobs.text(file)?.lines().position(shows)
}

/// Cargo's own places: `src/main.rs`, `src/lib.rs`, `src/bin/*`.
fn rust<'f>(files: &[&'f Tracked], blobs: &Blobs<'_>) -> Vec<Entry<'f>> {
    let places = files.iter().filter_map(|file| {
        let folder = file.folder();
        let in_src = folder == "src/" || folder.ends_with("/src/");
        let in_bin = folder == "src/bin/" || folder.ends_with("/src/bin/");
        let own_folder = file.name() == "main.rs" && folder.contains("src/bin/");
        match file.name() {
            "lib.rs" if in_src => Some((*file, Begins::Library, "Rust library".to_owned())),
            "main.rs" if in_src => Some((*file, Begins::Program, "Rust program".to_owned())),
            name if in_bin && file.extension() == Some("rs") => {
                Some((*file, Begins::Program, format!("Rust program {}", name.trim_end_matches(".rs"))))
            }
            _ if own_folder => Some((*file, Begins::Program, "Rust program".to_owned())),
            _ => None,
        }
    });
    places
        .take(MOST_OPENED)
        .map(|(file, begins, what)| {
            let line = match begins {
                Begins::Program => line_in(file, blobs, |row| row.contains("fn main(")),
                Begins::Library | Begins::Server | Begins::Page => None,
            };
            Entry { file, begins, line, what }
        })
        .collect()
}

fn by_name<'f>(files: &[&'f Tracked], blobs: &Blobs<'_>) -> Vec<Entry<'f>> {
    let named = files.iter().filter_map(|file| {
        KNOWN.iter().find(|known| known.name == file.name() && file.depth() <= known.depth).map(|known| (*file, known))
    });
    named
        .take(MOST_OPENED)
        .filter_map(|(file, known)| {
            let line = match known.line {
                "" => None,
                begins => Some(line_in(file, blobs, |row| row.trim_start().starts_with(begins))?),
            };
            Some(Entry { file, begins: known.begins, line, what: known.what.to_owned() })
        })
        .collect()
}

/// What `package.json` declares.
fn javascript<'f>(files: &[&'f Tracked], blobs: &Blobs<'_>) -> Vec<Entry<'f>> {
    let mut packages: Vec<&Tracked> = files.iter().copied().filter(|file| file.name() == "package.json").collect();
    packages.sort_by_key(|file| file.depth());
    let mut found = Vec::new();
    for file in packages.into_iter().take(MOST_ENTRIES) {
        let Some(text) = blobs.text(file) else { continue };
        let Ok(serde_json::Value::Object(top)) = serde_json::from_str(&text) else { continue };
        for (field, begins, what) in [
            ("bin", Begins::Program, "Node program"),
            ("exports", Begins::Library, "Node library"),
            ("module", Begins::Library, "Node library"),
            ("main", Begins::Library, "Node library"),
        ] {
            if !top.contains_key(field)
                || found.iter().any(|entry: &Entry<'_>| entry.file == file && entry.what == what)
            {
                continue;
            }
            let key = format!("\"{field}\"");
            let line = text.lines().position(|row| row.trim_start().starts_with(&key));
            found.push(Entry { file, begins, line, what: what.to_owned() });
        }
    }
    found
}

/// Commands that a Python project installs.
fn scripts<'f>(files: &[&'f Tracked], blobs: &Blobs<'_>) -> Vec<Entry<'f>> {
    let projects = files.iter().filter(|file| matches!(file.name(), "pyproject.toml" | "setup.cfg"));
    let mut found = Vec::new();
    for file in projects.take(MOST_ENTRIES) {
        let text = blobs.text(file).unwrap_or_default();
        let mut inside = false;
        for (line, row) in text.lines().enumerate() {
            let row = row.trim();
            if row.starts_with('[') {
                inside = matches!(row, "[project.scripts]" | "[tool.poetry.scripts]");
            } else if row.starts_with("console_scripts") {
                inside = true;
            } else if inside && let Some((name, _)) = row.split_once('=').filter(|_| !row.starts_with('#')) {
                let name = name.trim().trim_matches('"').to_owned();
                found.push(Entry { file, begins: Begins::Program, line: Some(line), what: format!("command {name}") });
            } else if row.is_empty() && file.name() == "setup.cfg" {
                inside = false;
            }
        }
    }
    found
}

fn factories<'f>(files: &[&'f Tracked], blobs: &Blobs<'_>) -> Vec<Entry<'f>> {
    let houses = files.iter().filter(|file| {
        let stem = file.name().rsplit_once('.').map_or("", |(stem, _)| stem);
        let spring = stem.ends_with("Application");
        (HOUSES.contains(&stem) || spring) && FACTORIES.iter().any(|(ending, ..)| file.extension() == Some(ending))
    });
    let mut houses: Vec<&Tracked> = houses.copied().collect();
    houses.sort_by_key(|file| file.depth());
    houses
        .into_iter()
        .take(MOST_OPENED)
        .filter_map(|file| {
            let text = blobs.text(file)?;
            text.lines().enumerate().find_map(|(line, row)| {
                let (.., what) = FACTORIES.iter().find(|(ending, shows, _)| {
                    file.extension() == Some(ending) && row.contains(shows) && !is_comment(row)
                })?;
                Some(Entry { file, begins: Begins::Server, line: Some(line), what: (*what).to_owned() })
            })
        })
        .collect()
}

fn is_comment(row: &str) -> bool {
    row.trim_start().starts_with(['#', '*', '/'])
}

/// Where a browser begins.
fn pages<'f>(files: &[&'f Tracked]) -> Vec<Entry<'f>> {
    let first = |fits: &dyn Fn(&Tracked) -> bool| {
        files.iter().copied().filter(|file| fits(file)).min_by_key(|file| file.depth())
    };
    let html = first(&|file| file.name() == "index.html" && file.depth() <= 2);
    let script = first(&|file| {
        matches!(
            file.name(),
            "main.tsx" | "main.jsx" | "index.tsx" | "index.jsx" | "App.tsx" | "App.vue" | "App.svelte"
        ) && (file.folder() == "src/" || file.folder().ends_with("/src/"))
    });
    let page = |file: &'f Tracked, what: &str| Entry { file, begins: Begins::Page, line: None, what: what.to_owned() };
    html.map(|file| page(file, "page")).into_iter().chain(script.map(|file| page(file, "browser program"))).collect()
}
