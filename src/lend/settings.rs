//! Settings of the parent that a copy needs in order to hold the same content. Everything else stays behind, and first
//! of all what names a program, a remote or another place.

use super::error::LendError;
use super::parent::Parent;
use crate::git::paths::pieces;

/// How files are written and read: what decides their bytes, their modes, and which of them are ignored.
const CONTENT: &[&str] = &[
    "core.attributesfile",
    "core.autocrlf",
    "core.bigfilethreshold",
    "core.checkroundtripencoding",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.symlinks",
];
/// What else an agent at work in the copy finds as in the parent.
const WORKING: &[&str] = &[
    "core.abbrev",
    "core.commentchar",
    "core.protecthfs",
    "core.protectntfs",
    "core.quotepath",
    "core.safecrlf",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.whitespace",
    "i18n.commitencoding",
    "i18n.logoutputencoding",
    "index.sparse",
    "lfs.fetchexclude",
    "lfs.fetchinclude",
    "lfs.storage",
    "user.email",
    "user.name",
];
/// Sections that do as well: drivers for files of a kind, which run in the agent's own hands. Filters are none of them, nor
/// what git-lfs would start: they would run at the checkout, which is ours and outside of every sandbox, and a repository
/// that was unpacked or copied brings its own. Those that the user has set up for all repositories hold in the copy anyway.
const DRIVERS: &[&str] = &["diff.", "merge."];

/// Settings of every copy, whatever the user's own files say: no helper is started for it, its index is one file, and
/// the agent signs nothing in the user's name.
const FIXED: &str = "[core]\n\tfsmonitor = false\n\tsplitIndex = false\n\tuntrackedCache = false\n\tbare = false\n\
    [commit]\n\tgpgSign = false\n[tag]\n\tgpgSign = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n";

/// Settings of one that borrows from a partial clone: what is not here was left out on purpose, and is fetched from
/// nowhere.
const PARTIAL: &str = "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = borrowed\n\
    [remote \"borrowed\"]\n\tpromisor = true\n";

/// A setting as git lists it.
struct Setting<'a> {
    /// Its section and its name in lower case, as git writes them.
    key: &'a str,
    /// None is a key alone, which means true.
    value: Option<&'a [u8]>,
    is_own: bool,
}

/// The settings of the parent, from every file that git reads.
pub(super) struct Settings(Vec<u8>);

impl Settings {
    pub(super) fn of(parent: &Parent<'_>) -> Result<Self, LendError> {
        let words = ["config", "--list", "--includes", "--show-scope", "-z"];
        parent.ask("reading the configuration", &words).map(Self)
    }

    fn all(&self) -> impl Iterator<Item = Setting<'_>> {
        let mut parts = pieces(&self.0);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?))).filter_map(|(scope, line)| {
            let end = line.iter().position(|byte| *byte == b'\n');
            let key = std::str::from_utf8(&line[..end.unwrap_or(line.len())]).ok()?;
            // What one command was given is nothing of the repository's.
            if scope == b"command" {
                return None;
            }
            let is_own = matches!(scope, b"local" | b"worktree");
            Some(Setting { key, value: end.map(|end| &line[end + 1..]), is_own })
        })
    }

    /// Whether the last value of a key is true.
    pub(super) fn is_on(&self, key: &str) -> bool {
        let last = self.all().filter(|one| one.key == key).last();
        last.is_some_and(|one| match one.value {
            None => true,
            Some(value) => ["true", "yes", "on", "1"].iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes())),
        })
    }

    /// Whether objects of the repository may be missing.
    fn is_partial(&self) -> bool {
        self.all().any(|one| {
            one.is_own
                && (one.key == "extensions.partialclone"
                    || one.key.starts_with("remote.") && one.key.ends_with(".promisor"))
        })
    }

    /// The lines for the configuration of a copy. What the user's own files say holds there anyway.
    pub(super) fn for_copy(&self) -> Vec<u8> {
        let carried = |key: &str| {
            CONTENT.contains(&key) || WORKING.contains(&key) || DRIVERS.iter().any(|section| key.starts_with(section))
        };
        let mut text = self.lines(|one| one.is_own && carried(one.key));
        text.extend_from_slice(FIXED.as_bytes());
        if self.is_partial() {
            text.extend_from_slice(PARTIAL.as_bytes());
        }
        text
    }

    /// The lines for a git directory of ours, which no file of the user's reaches.
    pub(super) fn for_reading(&self) -> Vec<u8> {
        self.lines(|one| CONTENT.contains(&one.key))
    }

    fn lines(&self, wanted: impl Fn(&Setting<'_>) -> bool) -> Vec<u8> {
        let mut text = b"\n".to_vec();
        for one in self.all().filter(wanted) {
            text.extend(line(&one).unwrap_or_default());
        }
        text
    }
}

/// A setting as it stands in a file; none where the key is none.
fn line(setting: &Setting<'_>) -> Option<Vec<u8>> {
    let (section, rest) = setting.key.split_once('.')?;
    let mut text = match rest.rsplit_once('.') {
        None => format!("[{section}]\n\t{rest}"),
        Some((below, name)) => {
            let below = below.replace('\\', "\\\\").replace('"', "\\\"");
            format!("[{section} \"{below}\"]\n\t{name}")
        }
    }
    .into_bytes();
    if let Some(value) = setting.value {
        text.extend_from_slice(b" = \"");
        for byte in value {
            match byte {
                b'"' => text.extend_from_slice(b"\\\""),
                b'\\' => text.extend_from_slice(b"\\\\"),
                b'\n' => text.extend_from_slice(b"\\n"),
                b'\t' => text.extend_from_slice(b"\\t"),
                other => text.push(*other),
            }
        }
        text.push(b'"');
    }
    text.push(b'\n');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &[u8] =
        b"command\0core.eol\ncrlf\0global\0core.autocrlf\ninput\0local\0core.filemode\ntrue\0local\0core.bare\nfalse\0\
        local\0core.hookspath\n/x\0local\0diff.a \"b\\.xfuncname\ntr 'a' \"b\\\n\tc\0local\0remote.o.url\n/y\0\
        local\0filter.x.smudge\ntouch x\0local\0lfs.customtransfer.x.path\nevil\0local\0lfs.storage\n/s\0\
        worktree\0core.sparsecheckout\0local\0alias.x\n!rm\0";

    #[test]
    fn a14_what_decides_content_is_carried_over_and_nothing_else() {
        let settings = Settings(LISTED.to_vec());
        let copy = String::from_utf8(settings.for_copy()).unwrap();
        let own = copy.strip_suffix(FIXED).unwrap();
        let driver = "[diff \"a \\\"b\\\\\"]\n\txfuncname = \"tr 'a' \\\"b\\\\\\n\\tc\"\n";
        assert_eq!(
            own,
            format!("\n[core]\n\tfilemode = \"true\"\n{driver}[lfs]\n\tstorage = \"/s\"\n[core]\n\tsparsecheckout\n"),
            "the user's own files are read by git there, too"
        );
        let reading = String::from_utf8(settings.for_reading()).unwrap();
        assert_eq!(reading, "\n[core]\n\tautocrlf = \"input\"\n[core]\n\tfilemode = \"true\"\n");
        assert!(settings.is_on("core.sparsecheckout") && !settings.is_on("core.autocrlf") && !settings.is_partial());
    }
}
