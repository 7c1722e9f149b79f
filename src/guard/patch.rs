//! The files that a patch in the `*** Begin Patch` format names.

/// What a patch does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Adds or updates it.
    Write(String),
    /// Removes it, or moves it away.
    Delete(String),
}

/// Every file of the patch; `None` when it cannot be told for certain.
pub(super) fn changes(patch: &str) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    let mut updated = None;
    let mut begun = false;
    for line in patch.lines() {
        // The tools that apply patches trim these lines; a marker that is indented counts for us in any case.
        let Some(marker) = line.trim().strip_prefix("***") else {
            continue;
        };
        let named = |file: &str| Some(file.trim().to_owned()).filter(|file| !file.is_empty());
        match marker.trim() {
            "Begin Patch" => begun = true,
            "End Patch" | "End of File" => {}
            marker => match marker.split_once(':')? {
                ("Add File", file) => changes.push(Change::Write(named(file)?)),
                ("Update File", file) => {
                    updated = named(file);
                    changes.push(Change::Write(updated.clone()?));
                }
                ("Move to", file) => {
                    // What is moved is gone from where it was.
                    changes.push(Change::Delete(updated.take()?));
                    changes.push(Change::Write(named(file)?));
                }
                ("Delete File", file) => changes.push(Change::Delete(named(file)?)),
                _ => return None,
            },
        }
    }
    (begun && !changes.is_empty()).then_some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &str) -> Change {
        Change::Write(path.to_owned())
    }

    fn delete(path: &str) -> Change {
        Change::Delete(path.to_owned())
    }

    #[test]
    fn every_file_of_a_patch_is_found() {
        let patch = "*** Begin Patch\n*** Add File: docs/a b.md\n+# A\n+*** Delete File: no\n*** Update File: src/x.rs\n\
                     *** Move to: src/y.rs\n@@ fn x\n-a\n+b\n*** End of File\n  *** Delete File: old\r\n*** End Patch\n";
        assert_eq!(
            changes(patch).unwrap(),
            [write("docs/a b.md"), write("src/x.rs"), delete("src/x.rs"), write("src/y.rs"), delete("old")]
        );
        // A wrapper around it changes nothing.
        let wrapped = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF";
        assert_eq!(changes(wrapped).unwrap(), [write("a")]);
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        for patch in [
            "",
            "*** Begin Patch\n*** End Patch",
            "*** Add File: a\n+x",
            "*** Begin Patch\n*** Rename File: a\n*** End Patch",
            "*** Begin Patch\n*** Add File:\n*** End Patch",
            "*** Begin Patch\n*** Move to: a\n*** End Patch",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        ] {
            assert_eq!(changes(patch), None, "{patch}");
        }
    }
}
