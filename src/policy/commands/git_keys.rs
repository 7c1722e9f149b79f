//! The settings of a repository's own configuration that make git's reading commands run a program.
//!
//! `git clone` writes none of them, but a clone that came in an archive brings them, and nothing says when one was set.
//! So each of them counts, whenever it was set: the account's own configuration is the place for programs that a person
//! chooses, and what stands there is never asked about. Settings that only writing commands read (`core.editor`,
//! `merge.*.driver`, `mergetool.*`) are not here.

use super::format;
use crate::policy::surroundings::Setting;

/// Whether a command speaks to other repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaching {
    /// It is not git's own: git only finds it, and shows what it says.
    Pager,
    /// It reads this one alone.
    Nothing,
    Remotes,
}

/// The values of a setting that run nothing of the repository's choosing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harmless {
    /// None.
    None,
    /// Those of a switch.
    Switch,
    /// A switch that is off.
    Off,
    /// A switch, or the plain name of a program, which is found on `PATH`.
    Plain,
    /// What git-lfs writes.
    Lfs,
    Words(&'static [&'static str]),
    /// A format that runs nothing.
    Format,
    Not(&'static str),
    /// An address that no helper program is run for.
    Address,
}

/// Settings that every command may act on.
const ALWAYS: &[(&str, Harmless)] = &[
    ("core.fsmonitor", Harmless::Switch),
    ("core.pager", Harmless::Plain),
    ("pager.*", Harmless::Plain),
    ("core.alternaterefscommand", Harmless::None),
    ("diff.external", Harmless::None),
    ("diff.*.command", Harmless::None),
    ("diff.*.textconv", Harmless::None),
    ("diff.submodule", Harmless::Words(&["short", "log"])),
    ("filter.*.clean", Harmless::Lfs),
    ("filter.*.smudge", Harmless::Lfs),
    ("filter.*.process", Harmless::Lfs),
    ("gpg.program", Harmless::Plain),
    ("gpg.*.program", Harmless::Plain),
    ("gpg.*.defaultkeycommand", Harmless::None),
    ("log.showsignature", Harmless::Off),
    ("format.pretty", Harmless::Format),
    ("pretty.*", Harmless::Format),
    ("tar.*.command", Harmless::None),
    ("trailer.*.command", Harmless::None),
    ("trailer.*.cmd", Harmless::None),
    ("man.viewer", Harmless::Words(&["man"])),
    ("man.*.cmd", Harmless::None),
    ("man.*.path", Harmless::None),
    ("help.format", Harmless::Words(&["man"])),
    ("help.browser", Harmless::None),
    ("web.browser", Harmless::None),
    ("browser.*.cmd", Harmless::None),
    ("browser.*.path", Harmless::None),
    ("lfs.extension.*", Harmless::None),
    ("lfs.customtransfer.*", Harmless::None),
    ("lfs.standalonetransferagent", Harmless::None),
    // Where the program of that name is not installed, or no longer git's own, git takes the alias.
    ("alias.lfs", Harmless::None),
    ("alias.grill", Harmless::None),
    ("alias.whatchanged", Harmless::None),
    // A hook of the configuration; the other events belong to commands that write.
    ("hook.*.event", Harmless::Not("post-index-change")),
];

/// Settings that count where git only finds another program and shows what it says.
const PAGER: &[(&str, Harmless)] =
    &[("core.pager", Harmless::Plain), ("pager.*", Harmless::Plain), ("alias.grill", Harmless::None)];

/// Settings that count where remotes are asked: by the command, or by any command in a partial clone.
const REMOTES: &[(&str, Harmless)] = &[
    ("core.sshcommand", Harmless::None),
    ("core.gitproxy", Harmless::None),
    ("core.askpass", Harmless::None),
    ("credential.helper", Harmless::Plain),
    ("credential.*.helper", Harmless::Plain),
    ("remote.*.uploadpack", Harmless::Words(&["git-upload-pack"])),
    ("remote.*.vcs", Harmless::None),
    ("remote.*.url", Harmless::Address),
    ("protocol.allow", Harmless::Words(&["never", "user"])),
    ("protocol.*.allow", Harmless::Words(&["never", "user"])),
    ("url.*.insteadof", Harmless::None),
    ("http.savecookies", Harmless::Off),
    ("http.*.savecookies", Harmless::Off),
];

/// Variables that name a program or a configuration for git, for its pager, or for the reader of its manuals.
const VARIABLES: &[&str] = &[
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "XDG_CONFIG_HOME",
    "GIT_COMMON_DIR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "PAGER",
    "LESS",
    "LESSOPEN",
    "LESSCLOSE",
    "LESSKEY",
    "LESSKEYIN",
    "LESSKEYIN_SYSTEM",
    "MANPAGER",
    "MANPATH",
    "MANOPT",
    "MANROFFOPT",
    "GROFF_BIN_PATH",
];

/// Variables that name a program where remotes are asked.
const REMOTE_VARIABLES: &[&str] = &["GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND"];

/// Whether the variable is one of a program, and this value the plain name of one: it is found on `PATH`, whatever of that
/// name lies in the working folder.
pub(super) fn is_plain_program(variable: &str, value: &str) -> bool {
    let names_one =
        variable.ends_with("PAGER") || variable == "GIT_EXTERNAL_DIFF" || REMOTE_VARIABLES.contains(&variable);
    names_one && is_plain(value)
}

/// The variables that may name a program for git in a repository with these settings.
pub(super) fn variables(settings: &[Setting], reaching: Reaching) -> impl Iterator<Item = &'static str> {
    let remote: &[&str] = if asks(settings, reaching) { REMOTE_VARIABLES } else { &[] };
    VARIABLES.iter().chain(remote).copied()
}

fn asks(settings: &[Setting], reaching: Reaching) -> bool {
    let is_partial =
        |setting: &Setting| is_like(&setting.key, "remote.*.promisor") || setting.key == "extensions.partialclone";
    match reaching {
        Reaching::Pager => false,
        Reaching::Nothing => settings.iter().any(is_partial),
        Reaching::Remotes => true,
    }
}

/// The first setting that may make git run a program, if there is one.
pub(super) fn running(settings: &[Setting], reaching: Reaching) -> Option<&Setting> {
    let asks = asks(settings, reaching);
    let table = if reaching == Reaching::Pager { PAGER } else { ALWAYS };
    settings.iter().find(|setting| runs(setting, table) || (asks && runs(setting, REMOTES)))
}

fn runs(setting: &Setting, table: &[(&str, Harmless)]) -> bool {
    table.iter().any(|(key, harmless)| is_like(&setting.key, key) && !harmless.is(setting))
}

/// Whether a key is what the table calls `pattern`: `*` is a subsection, which may hold anything, or a name.
fn is_like(key: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((before, behind)) => {
            key.len() > before.len() + behind.len() && key.starts_with(before) && key.ends_with(behind)
        }
        None => key == pattern,
    }
}

impl Harmless {
    fn is(self, setting: &Setting) -> bool {
        let value = setting.value.as_deref();
        let switch = |value: &str| {
            let lower = value.to_ascii_lowercase();
            matches!(lower.as_str(), "true" | "yes" | "on" | "false" | "no" | "off" | "" | "0" | "1")
        };
        let Some(value) = value else {
            // Without `=` it is a switch that is on.
            return matches!(self, Self::Switch | Self::Plain | Self::Not(_));
        };
        match self {
            Self::None => false,
            Self::Switch => switch(value),
            Self::Off => matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "" | "0"),
            Self::Plain => switch(value) || is_plain(value),
            Self::Lfs => matches!(
                value,
                "" | "git-lfs clean -- %f"
                    | "git-lfs smudge -- %f"
                    | "git-lfs smudge --skip -- %f"
                    | "git-lfs filter-process"
                    | "git-lfs filter-process --skip"
            ),
            Self::Words(words) => words.contains(&value),
            Self::Format => format::is_pretty(value),
            Self::Not(word) => value != word,
            // `ext::sh -c …`; a path of a repository in this one, which its own configuration rules, is no better.
            Self::Address => {
                let at = value.split_once("://").map(|(scheme, _)| scheme);
                !value.contains("::")
                    && at.is_none_or(|scheme| matches!(scheme, "https" | "http" | "ssh" | "git" | "file"))
            }
        }
    }
}

/// The name of a program on `PATH`; of less, options that only say how it looks.
fn is_plain(value: &str) -> bool {
    let mut words = value.split(' ');
    let name = words.next().unwrap_or_default();
    let looks =
        |word: &str| word.strip_prefix('-').is_some_and(|letters| letters.chars().all(|c| "FRXSIMiN".contains(c)));
    name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
        && words.all(|word| name == "less" && looks(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(key: &str, value: Option<&str>) -> Setting {
        Setting { key: key.to_owned(), value: value.map(str::to_owned), file: ".git/config".to_owned() }
    }

    fn is_run(key: &str, value: Option<&str>, reaching: Reaching) -> bool {
        running(&[setting(key, value)], reaching).is_some()
    }

    #[test]
    fn a_setting_that_names_a_program_is_found() {
        for (key, value) in [
            ("core.fsmonitor", "./evil"),
            ("core.fsmonitor", "true; touch x"),
            ("core.pager", "./evil"),
            ("core.pager", "sh evil"),
            ("core.pager", "less -kevil"),
            ("pager.log", "touch x; cat"),
            ("diff.external", "evil"),
            ("diff.a.b.textconv", "evil"),
            ("filter.x.clean", "evil"),
            ("filter.lfs.process", "./git-lfs filter-process"),
            ("gpg.program", "./gpg"),
            ("gpg.ssh.program", "/tmp/x"),
            ("gpg.ssh.defaultkeycommand", "evil"),
            ("log.showsignature", "true"),
            ("format.pretty", "%G?"),
            ("pretty.short2", "format:%GK"),
            ("alias.lfs", "!touch x"),
            ("hook.x.event", "post-index-change"),
            ("man.viewer", "evil"),
            ("diff.submodule", "diff"),
        ] {
            assert!(is_run(key, Some(value), Reaching::Nothing), "{key}={value}");
        }
        assert!(is_run("log.showsignature", None, Reaching::Nothing));
        assert!(is_run("diff.external", None, Reaching::Nothing));
    }

    #[test]
    fn what_clones_usually_say_runs_nothing() {
        for (key, value) in [
            ("core.repositoryformatversion", Some("0")),
            ("core.filemode", Some("true")),
            ("core.fsmonitor", Some("true")),
            ("core.fsmonitor", None),
            ("core.pager", Some("less -FRX")),
            ("core.editor", Some("./evil")),
            ("core.hookspath", Some(".husky/_")),
            ("remote.origin.url", Some("git@github.com:a/b.git")),
            ("remote.origin.url", Some("../b.git")),
            ("remote.origin.fetch", Some("+refs/heads/*:refs/remotes/origin/*")),
            ("branch.main.remote", Some("origin")),
            ("filter.lfs.process", Some("git-lfs filter-process")),
            ("credential.helper", Some("store")),
            ("alias.st", Some("!touch x")),
            ("merge.ours.driver", Some("true")),
            ("hook.git-grill-pre-commit.event", Some("pre-commit")),
        ] {
            assert!(!is_run(key, value, Reaching::Remotes), "{key}={value:?}");
        }
    }

    #[test]
    fn g37_variables_of_git_count_and_the_plain_names_of_programs_do_not() {
        let of = |settings: &[Setting], reaching| variables(settings, reaching).collect::<Vec<_>>();
        assert!(of(&[], Reaching::Nothing).contains(&"GIT_EXTERNAL_DIFF"));
        assert!(!of(&[], Reaching::Nothing).contains(&"GIT_SSH_COMMAND"));
        assert!(of(&[], Reaching::Remotes).contains(&"GIT_SSH_COMMAND"));
        let partial = [setting("remote.origin.promisor", Some("true"))];
        assert!(of(&partial, Reaching::Nothing).contains(&"GIT_SSH_COMMAND"));
        // A folder `less` in the repository is not what `PAGER=less` runs.
        assert!(is_plain_program("PAGER", "less -R") && is_plain_program("GIT_SSH", "ssh"));
        for (variable, value) in [("PAGER", "./less"), ("PAGER", "sh page"), ("GIT_CONFIG_GLOBAL", "cfg")] {
            assert!(!is_plain_program(variable, value), "{variable}={value}");
        }
    }

    #[test]
    fn remotes_count_where_they_are_asked() {
        for (key, value) in [
            ("core.sshcommand", "ssh -i key"),
            ("remote.origin.uploadpack", "touch x"),
            ("remote.origin.url", "ext::sh -c evil"),
            ("credential.helper", "!touch x"),
            ("credential.https://x.helper", "/tmp/evil"),
            ("protocol.ext.allow", "always"),
            ("http.savecookies", "true"),
        ] {
            assert!(!is_run(key, Some(value), Reaching::Nothing), "{key}={value}");
            assert!(is_run(key, Some(value), Reaching::Remotes), "{key}={value}");
            let partial = [setting("remote.origin.promisor", Some("true")), setting(key, Some(value))];
            assert!(running(&partial, Reaching::Nothing).is_some(), "{key}={value} in a partial clone");
        }
    }
}
