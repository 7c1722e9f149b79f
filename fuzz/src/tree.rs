//! The files of one commit as a text, so that a seed can be read: each begins with a line `=== path`.

use std::collections::BTreeMap;

/// The files by their paths.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Takes the text apart; what stands before the first path belongs to none.
pub fn tree(data: &[u8]) -> Tree {
    let mut files = Tree::new();
    let mut open: Option<String> = None;
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        let path = line.strip_prefix(b"=== ").and_then(|path| std::str::from_utf8(path).ok());
        match (path, &open) {
            (Some(path), _) => {
                let path = path.trim_end().to_owned();
                files.insert(path.clone(), Vec::new());
                open = Some(path);
            }
            (None, Some(path)) => files.entry(path.clone()).or_default().extend_from_slice(line),
            (None, None) => {}
        }
    }
    files
}
