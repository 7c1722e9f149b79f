//! `rust-toolchain` and `rust-toolchain.toml`: a channel that rustup installs, or a folder of programs that it runs.

/// Whether the file only names a channel and what is installed with it: `path` and any other key is none of that.
pub(super) fn is_a_channel(text: &str) -> bool {
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    // The old form is the name alone.
    if !text.trim().is_empty() && plain(text.trim()) {
        return true;
    }
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).all(|line| {
        match line.split_once('=') {
            Some((key, value)) if key.trim() == "channel" => {
                let value = value.split('#').next().unwrap_or_default().trim();
                plain(value.trim_matches(['"', '\'']))
            }
            Some((key, _)) => matches!(key.trim(), "components" | "targets" | "profile"),
            None => line == "[toolchain]" || line.starts_with(['"', '\'', ']']),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_no_channel() {
        for text in [
            "stable\n",
            "1.80.0",
            "nightly-2024-01-01",
            "[toolchain]\nchannel = \"1.80\" # pinned\ncomponents = [\n  \"rustfmt\",\n]\n",
        ] {
            assert!(is_a_channel(text), "{text}");
        }
        for text in [
            "/tmp/evil",
            "[toolchain]\npath = \"evil\"",
            "[toolchain]\n\"path\" = 'evil'",
            "toolchain.path = 'evil'",
            "toolchain = { path = 'evil' }",
            "[toolchain]\nchannel = \"../evil\"",
            "[ toolchain ]\npath='x'",
            "a b",
        ] {
            assert!(!is_a_channel(text), "{text}");
        }
    }
}
