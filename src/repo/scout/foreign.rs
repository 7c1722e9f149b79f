//! Files that nobody here wrote: vendored, generated, locked, binary. They say nothing about the project.

/// Folders whose contents come from elsewhere or are made.
const VENDORED: &[&str] = &[
    "vendor",
    "vendored",
    "node_modules",
    "bower_components",
    "third_party",
    "third-party",
    "thirdparty",
    "Pods",
    ".yarn",
    "dist",
    "external",
    "extern",
    "_vendor",
    "Carthage",
    "Godeps",
    "site-packages",
];

/// Ends of names of files that tools write or that hold no text.
const MADE: &[&str] = &[
    ".lock",
    "-lock.json",
    "-lock.yaml",
    "go.sum",
    ".min.js",
    ".min.css",
    ".map",
    ".snap",
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    ".generated.ts",
    ".generated.cs",
    ".Designer.cs",
    "_pb2.py",
    ".g.dart",
    ".svg",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".ico",
    ".webp",
    ".pdf",
    ".zip",
    ".gz",
    ".xz",
    ".woff",
    ".woff2",
    ".ttf",
    ".mp3",
    ".mp4",
    ".wasm",
    ".jar",
    ".so",
    ".a",
    ".exe",
];

/// Whether a path lies in a folder of other people's files.
pub(super) fn is_vendored(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| VENDORED.contains(&folder))
}

/// Whether nobody here wrote the file.
pub(super) fn is_foreign(path: &str) -> bool {
    is_vendored(path) || MADE.iter().any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_peoples_files_are_known_by_their_place() {
        for foreign in ["vendor/a/b.go", "x/node_modules/y.js", "Cargo.lock", "a/app.min.js", "logo.svg"] {
            assert!(is_foreign(foreign), "{foreign}");
        }
        for own in ["src/vendor.rs", "docs/lock.md", "src/distance.rs"] {
            assert!(!is_foreign(own), "{own}");
        }
    }
}
