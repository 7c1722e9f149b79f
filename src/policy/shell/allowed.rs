//! What a person allows beyond what is known to be read-only: `grill.allow`.

use super::word::Word;

/// Commands that a person allows, and where the repository is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    prefixes: Vec<Vec<String>>,
    root: Option<String>,
}

/// A value of `grill.allow` that would allow nothing, or anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("grill.allow = '{value}' {why}")]
pub struct BadPrefix {
    pub value: String,
    pub why: String,
}

/// Programs that run whatever follows. They are looked through, so the command behind them is what has to be allowed.
const RUNNERS: &[&str] = &[
    "builtin", "busybox", "chroot", "command", "doas", "env", "eval", "exec", "find", "flock", "ionice", "nice",
    "noglob", "nohup", "parallel", "setsid", "source", ".", "ssh", "stdbuf", "strace", "su", "sudo", "time", "timeout",
    "unshare", "watch", "xargs",
];

/// Programs that do anything, depending on what follows.
const INTERPRETERS: &[&str] = &[
    "ash", "awk", "bash", "bun", "cargo", "dash", "deno", "docker", "fish", "gawk", "gh", "git", "go", "just", "ksh",
    "lua", "make", "mawk", "mksh", "node", "npm", "npx", "perl", "php", "pnpm", "podman", "python", "python2",
    "python3", "ruby", "sed", "sh", "tclsh", "uv", "vim", "yarn", "zsh",
];

impl Allowed {
    /// Nothing beyond what is known.
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads the values of `grill.allow`, each the first words of a command, as `cargo check`.
    pub fn parse<Value: AsRef<str>>(values: impl IntoIterator<Item = Value>) -> Result<Self, BadPrefix> {
        let prefixes = values.into_iter().map(|value| prefix(value.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { prefixes, root: None })
    }

    /// The same in a repository whose working tree is at this absolute path, so that `cd` to it does not leave it.
    #[must_use]
    pub fn within(self, root: impl Into<String>) -> Self {
        let root: String = root.into();
        let root = root.trim_end_matches('/').to_owned();
        Self { root: (root.starts_with('/') && root.len() > 1).then_some(root), ..self }
    }

    /// Whether the command begins with words that are allowed.
    pub(super) fn covers(&self, argv: &[Word]) -> bool {
        self.prefixes.iter().any(|prefix| {
            prefix.len() <= argv.len() && prefix.iter().zip(argv).all(|(word, given)| given.known() == Some(word))
        })
    }

    /// The top of the working tree.
    pub(super) fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// The path below the working tree that an absolute path names; `None` when it lies elsewhere.
    pub(super) fn below_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(self.root.as_deref()?)?;
        (below.is_empty() || below.starts_with('/')).then_some(below)
    }
}

fn prefix(value: &str) -> Result<Vec<String>, BadPrefix> {
    let bad = |why: &str| Err(BadPrefix { value: value.to_owned(), why: why.to_owned() });
    let words: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
    let Some(name) = words.first() else {
        return bad("allows no command; name one, as in `cargo check`");
    };
    let plain = |c: char| c.is_alphanumeric() || "_-./:=@+,%".contains(c);
    if !value.chars().all(|c| plain(c) || c == ' ') {
        return bad("is no plain words: no quotes, expansions, patterns or operators");
    }
    if name.contains(['/', '=']) || name.starts_with('-') {
        return bad("does not begin with the plain name of a command");
    }
    if RUNNERS.contains(&name.as_str()) {
        return bad("would allow any command behind it; name that command instead, it is found behind it");
    }
    let names_something = words[1..].iter().any(|word| !word.starts_with('-'));
    if INTERPRETERS.contains(&name.as_str()) && !names_something {
        return bad("would allow anything; say more of the command, as in `cargo check`");
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(words: &[&str]) -> Vec<Word> {
        words.iter().map(|word| Word::literal(*word)).collect()
    }

    #[test]
    fn a_prefix_covers_whole_words_only() {
        let allowed = Allowed::parse(["cargo check", "just lint"]).unwrap();
        assert!(allowed.covers(&argv(&["cargo", "check"])));
        assert!(allowed.covers(&argv(&["cargo", "check", "-p", "x"])));
        assert!(!allowed.covers(&argv(&["cargo"])));
        assert!(!allowed.covers(&argv(&["cargo", "checkout"])));
        assert!(!allowed.covers(&[Word::literal("cargo"), Word::unknown("$x")]));
        assert!(!Allowed::none().covers(&argv(&["ls"])));
    }

    #[test]
    fn a_value_that_allows_nothing_or_anything_is_named() {
        for bad in [
            "",
            "  ",
            "sh",
            "bash -c",
            "git",
            "env",
            "xargs",
            "sudo make",
            "cargo",
            "python3 -m",
            "ls | sh",
            "a 'b'",
            "$x",
            "./run",
            "make -j4",
            "A=b ls",
            "rm *",
        ] {
            let error = Allowed::parse([bad]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("grill.allow = '{bad}' ")), "{error}");
        }
        for good in
            ["cargo check", "just lint", "bash scripts/check.sh", "python -m pytest", "ctest", "make -C sub test"]
        {
            assert!(Allowed::parse([good]).is_ok(), "{good}");
        }
    }

    #[test]
    fn paths_below_the_root_are_found() {
        let allowed = Allowed::none().within("/home/me/project/");
        assert_eq!(allowed.below_root("/home/me/project"), Some(""));
        assert_eq!(allowed.below_root("/home/me/project/src"), Some("/src"));
        assert_eq!(allowed.below_root("/home/me/project2"), None);
        assert_eq!(Allowed::none().below_root("/x"), None);
        assert_eq!(Allowed::none().within("/").below_root("/etc"), None);
    }
}
