//! The files of the crate, with the room and the module that each of them is.

use std::path::{Path, PathBuf};

/// One file of the crate.
pub struct Source {
    /// Its path from the root of the project.
    pub file: String,
    pub room: String,
    pub module: Vec<String>,
    pub text: String,
}

impl Source {
    /// The file at `file`, such as `src/app/ports.rs`, that says `text`.
    pub fn new(file: &str, text: &str) -> Self {
        let parts = file.strip_prefix("src/").unwrap_or(file).trim_end_matches(".rs");
        let mut module: Vec<String> = parts.split('/').map(str::to_owned).collect();
        let room = module[0].clone();
        let is_root = module.len() == 1 && (room == "lib" || room == "main");
        if is_root || module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        Self { file: file.to_owned(), room, module, text: text.to_owned() }
    }
}

impl Source {
    /// The same file as the module that a `#[path]` makes of it.
    pub fn as_module(&self, module: &[String]) -> Self {
        Self { file: self.file.clone(), room: module[0].clone(), module: module.to_vec(), text: self.text.clone() }
    }

    /// The file that `#[path = "named"]` in this one means.
    pub fn beside(&self, named: &str) -> String {
        let mut parts: Vec<&str> = self.file.split('/').collect();
        parts.pop();
        for part in named.split('/') {
            match part {
                ".." => drop(parts.pop()),
                "." => {}
                part => parts.push(part),
            }
        }
        parts.join("/")
    }
}

pub fn of_this_crate() -> Vec<Source> {
    rust_files("src").into_iter().map(|(file, text)| Source::new(&file, &text)).collect()
}

/// Path from the root of the project and text of every `.rs` file below `folder`, in order.
pub fn rust_files(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join(folder), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no source file below {folder}");
    paths
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn collect(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in dir.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}
