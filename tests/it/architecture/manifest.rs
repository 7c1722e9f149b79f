//! The names of the crates that a path can begin with, from `Cargo.toml`.

use std::path::Path;

/// The dependencies of a crate, as they are spelt in paths.
#[derive(Default)]
pub struct Manifest {
    normal: Vec<String>,
    dev: Vec<String>,
}

impl Manifest {
    pub fn of_this_crate() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        Self::parse(&std::fs::read_to_string(path).unwrap())
    }

    /// Reads the keys of all dependency tables. Dependencies are expected as one line each or as a table of their own.
    pub fn parse(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut table = String::new();
        for line in text.lines() {
            if let Some(header) = line.strip_prefix('[') {
                header.trim_end().trim_end_matches(']').clone_into(&mut table);
                if let Some((parent, name)) = table.rsplit_once('.') {
                    manifest.add(parent, name);
                }
            } else if let Some((key, _)) = line.split_once('=') {
                let name = key.trim().split('.').next().unwrap_or_default();
                manifest.add(&table, name);
            }
        }
        manifest
    }

    fn add(&mut self, table: &str, name: &str) {
        let name = name.trim_matches('"').replace('-', "_");
        if table.ends_with("dev-dependencies") {
            self.dev.push(name);
        } else if table.ends_with("dependencies") && !name.starts_with('#') {
            self.normal.push(name);
        }
    }

    /// Whether a path that begins with `name` leaves this crate.
    pub fn is_outside(&self, name: &str) -> bool {
        ["std", "core", "alloc"].contains(&name) || self.normal.iter().chain(&self.dev).any(|known| known == name)
    }

    pub fn is_dev(&self, name: &str) -> bool {
        self.dev.iter().any(|known| known == name)
    }
}

#[test]
fn this_manifest_is_read_in_full() {
    let manifest = Manifest::of_this_crate();
    for name in ["std", "git2", "serde_yaml", "libz_sys", "rustix", "proc_macro2", "tempfile"] {
        assert!(manifest.is_outside(name), "{name}");
    }
    assert!(manifest.is_dev("proptest"));
    assert!(!manifest.is_dev("git2"));
    assert!(!manifest.is_outside("pedantic"));
}

#[test]
fn every_way_to_write_a_dependency_counts() {
    let text = "[dependencies]\na-b = \"1\"\nc.version = \"1\"\n[dependencies.d]\nversion = \"1\"\n\
                [target.'cfg(unix)'.dependencies]\ne = { version = \"1\" }\n[dev-dependencies]\nf = \"1\"\n[lints]\ng = \"deny\"\n";
    let manifest = Manifest::parse(text);
    let outside: Vec<&str> =
        ["a_b", "c", "d", "e", "f", "g"].into_iter().filter(|name| manifest.is_outside(name)).collect();
    assert_eq!(outside, ["a_b", "c", "d", "e", "f"]);
}
