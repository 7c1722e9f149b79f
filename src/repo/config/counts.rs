//! The scopes of git's configuration in which the value of a setting counts.
//!
//! An agent can set every variable of a command that it starts, `HOME`, `GIT_CONFIG_GLOBAL` and `GIT_CONFIG_COUNT` among
//! them, and a repository's own configuration comes with the repository. Neither may let more through, or name a program
//! that git grill starts.

/// Scopes in which a value of a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Every scope, as for git: no value lets more through, and none names a program of ours.
    Everywhere,
    /// The account's own files and the system's alone, found by the password database: a value lets more through.
    InTheAccount,
    /// Every scope for a value that protects more than what stands before it; one that protects less counts in the
    /// account's own files and the system's alone.
    WhereItProtects,
    /// Every scope for a value that starts nothing; one that names a program or an agent counts in the account's own
    /// files and the system's alone.
    WhereItStartsNothing,
    /// Every scope but the repository's own: a key of git's that names a program which git grill starts itself.
    OutsideTheRepository,
}

impl Counts {
    /// The rule as the manual says it after a key; nothing where git's own rule holds.
    pub fn told(self) -> &'static str {
        match self {
            Self::Everywhere => "",
            Self::InTheAccount => "Counts only in your account's own configuration and the system's.",
            Self::WhereItProtects => {
                "A value that protects less counts only in your account's own configuration and the system's."
            }
            Self::WhereItStartsNothing => {
                "A value that names a program or an agent counts only in your account's own configuration and the \
                 system's."
            }
            Self::OutsideTheRepository => "A repository's own configuration does not count.",
        }
    }
}

/// One of git's own keys that git grill acts upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GitKey {
    /// Its name; `*` stands for any part.
    pub name: &'static str,
    pub counts: Counts,
    pub why: &'static str,
}

const fn git(name: &'static str, why: &'static str) -> GitKey {
    GitKey { name, counts: Counts::Everywhere, why }
}

const fn program(name: &'static str) -> GitKey {
    GitKey { name, counts: Counts::OutsideTheRepository, why: "it is started for every recorded answer" }
}

const NAMES: &str = "it names an author, as for git commit; it is no proof of who acts";
const SIGNS: &str = "a signature lets nothing through, and without one nothing is let through either";
const CARE: &str = "it decides how and when data is kept, never what may change";
const FILTER: &str = "only the name is read, so that git can be told to run none of them";
const HOOK: &str = "it shows whether git still runs the hooks that git grill entered; other hooks are left alone";
const LAYOUT: &str = "it says how a repository is laid out; git itself reads it in that repository alone";
const ASKED: &str = "git names the program when asked, and starts the same one here at the person's next command";

const LENT: &str = "the copy of the repository that an agent is lent holds the same content by it";

/// Every key of git's that is acted upon, with the reason for its scopes.
pub const GIT_KEYS: &[GitKey] = &[
    git("user.name", NAMES),
    git("user.email", NAMES),
    git("author.name", NAMES),
    git("author.email", NAMES),
    git("committer.name", NAMES),
    git("committer.email", NAMES),
    git("commit.gpgSign", SIGNS),
    git("gpg.format", SIGNS),
    git("user.signingKey", SIGNS),
    program("gpg.program"),
    program("gpg.openpgp.program"),
    program("gpg.x509.program"),
    program("gpg.ssh.program"),
    program("gpg.ssh.defaultKeyCommand"),
    git("core.editor", ASKED),
    git("core.pager", ASKED),
    git("core.fsync", CARE),
    git("core.fsyncObjectFiles", CARE),
    git("maintenance.auto", CARE),
    git("maintenance.autoDetach", CARE),
    git("gc.autoDetach", CARE),
    git("core.hooksPath", "git says where it looks for hooks; only a value that outlives the command is followed"),
    git("core.autocrlf", "it says how git reads files here; the baseline compares bytes"),
    git("core.attributesFile", "it says how git reads files here; the baseline compares bytes"),
    git("core.excludesFile", "a change of what is ignored is drift, and verify names it"),
    git("core.ignoreCase", "a change of what is ignored is drift, and verify names it"),
    git("core.sparseCheckout", "it says which files git writes; research looks at the commit"),
    git("core.abbrev", LENT),
    git("core.bigFileThreshold", LENT),
    git("core.checkRoundtripEncoding", LENT),
    git("core.commentChar", LENT),
    git("core.eol", LENT),
    git("core.fileMode", LENT),
    git("core.precomposeUnicode", LENT),
    git("core.protectHFS", LENT),
    git("core.protectNTFS", LENT),
    git("core.quotePath", LENT),
    git("core.safecrlf", LENT),
    git("core.sparseCheckoutCone", LENT),
    git("core.symlinks", LENT),
    git("core.whitespace", LENT),
    git("remote.origin.url", "research reads a name in it, nothing more"),
    git("remote.*.fetch", "it is only warned of, and a tag that it could make is refused"),
    git("remote.*.gh-resolved", "gh keeps its choice there; a person sees the repository before an issue is created"),
    git("filter.*.clean", FILTER),
    git("filter.*.process", FILTER),
    git("filter.*.smudge", "files that it converts are left out of what is accepted of an agent"),
    git("filter.*.required", "files that it converts are left out of what is accepted of an agent"),
    git("hook.*.command", HOOK),
    git("hook.*.event", HOOK),
    git("hook.*.enabled", HOOK),
    git("core.worktree", LAYOUT),
    git("extensions.worktreeConfig", LAYOUT),
    git("extensions.objectFormat", LAYOUT),
    git("extensions.partialClone", LAYOUT),
    git("extensions.refStorage", LAYOUT),
];

/// The rule for one of git's keys; one that the table lacks is nobody's to set.
pub(super) fn of_git(name: &str) -> Counts {
    let known = GIT_KEYS.iter().find(|key| key.name.eq_ignore_ascii_case(name));
    known.map_or(Counts::InTheAccount, |key| key.counts)
}
