//! Variables: which may be set without changing what later commands do.

use super::word::Word;

pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Lower-case names that zsh, a program or a shell option gives a meaning.
const TAKEN: &[&str] = &[
    "aliases",
    "argv",
    "auto_resume",
    "bindkey",
    "builtins",
    "cdpath",
    "chpwd_functions",
    "commands",
    "compstate",
    "dirstack",
    "errnos",
    "fignore",
    "fpath",
    "funcfiletrace",
    "funcsourcetrace",
    "funcstack",
    "functions",
    "functrace",
    "galiases",
    "histchars",
    "history",
    "historywords",
    "jobdirs",
    "jobstates",
    "jobtexts",
    "keymap",
    "keymaps",
    "langinfo",
    "mailpath",
    "manpath",
    "mapfile",
    "module_path",
    "modules",
    "nameddirs",
    "options",
    "parameters",
    "patchars",
    "path",
    "periodic_functions",
    "pipestatus",
    "precmd_functions",
    "preexec_functions",
    "prompt",
    "psvar",
    "reswords",
    "saliases",
    "signals",
    "status",
    "sysparams",
    "termcap",
    "terminfo",
    "userdirs",
    "usergroups",
    "watch",
    "widgets",
    "words",
    "zle_bracketed_paste",
    "zle_highlight",
    "zsh_eval_context",
    "zsh_scheduled_events",
    "zshaddhistory_functions",
    "zshexit_functions",
];

/// Beginnings and endings of lower-case names that programs read from their environment.
const READ_BY_PROGRAMS: &[&str] = &["npm_", "dis_", "pip_", "yarn_", "pnpm_", "bun_", "zsh_", "zle_", "rvm_"];
const PROXY: &str = "_proxy";

/// Names in capitals that nobody reads from the environment and that scripts like to use.
const CAPITALS: &[&str] = &[
    "ARGS",
    "BASE",
    "BEFORE",
    "AFTER",
    "BRANCH",
    "COMMIT",
    "COMMITS",
    "COUNT",
    "CURRENT",
    "DIFF",
    "DIR",
    "DIRS",
    "END",
    "EXT",
    "FILE",
    "FILES",
    "FILENAME",
    "FOUND",
    "HASH",
    "HEAD",
    "ITEM",
    "LIMIT",
    "LINE",
    "LOG",
    "MAX",
    "MERGE_BASE",
    "MIN",
    "NAME",
    "NAMES",
    "NUM",
    "OUT",
    "OUTPUT",
    "PATTERN",
    "PKG",
    "PREV",
    "QUERY",
    "REF",
    "REPO",
    "REPO_ROOT",
    "RESULT",
    "REV",
    "ROOT",
    "SHA",
    "SIZE",
    "SRC",
    "START",
    "STATUS",
    "TAG",
    "TARGET",
    "TOTAL",
    "VALUE",
    "WORD",
];

/// Whether a script may set the variable for itself.
///
/// Setting a variable that is in the environment changes what every later program sees, so a name that a program may
/// read is none of the script's own, whatever it holds.
pub(super) fn is_own(name: &str) -> bool {
    let lower = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if lower {
        let read = READ_BY_PROGRAMS.iter().any(|beginning| name.starts_with(beginning)) || name.ends_with(PROXY);
        return !(read || TAKEN.contains(&name));
    }
    CAPITALS.contains(&name) || (name.len() == 1 && name != "_")
}

/// Whether a command may be given this variable: a short list, each with values that only change how things look.
///
/// Shared with whoever judges `env NAME=value command`.
pub fn is_harmless(name: &str, value: &Word) -> bool {
    let Some(value) = value.known() else {
        return false;
    };
    let plain = |more: &str| value.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    let number = || !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    match name {
        "LANG" | "LC_ALL" | "LC_COLLATE" | "LC_CTYPE" | "LC_MESSAGES" | "LC_NUMERIC" | "LC_TIME" => plain("_.-@"),
        "TZ" => !value.contains("..") && !value.starts_with('/') && plain("_/+-,:") && !value.starts_with(":/"),
        "TERM" | "COLORTERM" => plain("-+."),
        "COLUMNS" | "LINES" => number(),
        "PAGER" | "GIT_PAGER" | "GH_PAGER" | "MANPAGER" | "BAT_PAGER" | "SYSTEMD_PAGER" => matches!(value, "cat" | ""),
        "NO_COLOR" | "CLICOLOR" | "CLICOLOR_FORCE" | "FORCE_COLOR" | "CI" | "NO_UPDATE_NOTIFIER" => plain(""),
        "GIT_OPTIONAL_LOCKS" | "GIT_TERMINAL_PROMPT" => value == "0",
        "CARGO_TERM_COLOR" => matches!(value, "never" | "always" | "auto"),
        "CARGO_NET_OFFLINE" => value == "true",
        "RUST_BACKTRACE" => matches!(value, "0" | "1" | "full"),
        "PYTHONDONTWRITEBYTECODE" | "PYTHONUNBUFFERED" | "HOMEBREW_NO_AUTO_UPDATE" => value == "1",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_has_names_of_its_own() {
        for name in ["x", "file", "merge_base", "i2", "FILE", "BASE", "N"] {
            assert!(is_own(name), "{name}");
        }
        for name in [
            "PATH",
            "IFS",
            "path",
            "fpath",
            "http_proxy",
            "npm_config_script_shell",
            "LD_PRELOAD",
            "_",
            "GIT_DIR",
            "xY",
            "BASH_ENV",
            "ENV",
            "PS4",
            "PROMPT_COMMAND",
            "NULLCMD",
            "histchars",
            "",
        ] {
            assert!(!is_own(name), "{name}");
        }
    }

    #[test]
    fn a_command_is_given_only_looks() {
        for (name, value) in [
            ("LC_ALL", "C"),
            ("LC_ALL", "en_US.UTF-8"),
            ("TZ", "Europe/Berlin"),
            ("TZ", "UTC"),
            ("PAGER", "cat"),
            ("GIT_PAGER", ""),
            ("COLUMNS", "200"),
            ("NO_COLOR", "1"),
            ("TERM", "xterm-256color"),
        ] {
            assert!(is_harmless(name, &Word::literal(value)), "{name}={value}");
            assert!(!is_harmless(name, &Word::unknown("$x")), "{name}");
        }
        for (name, value) in [
            ("LC_ALL", "../x"),
            ("TZ", "../../x"),
            ("TZ", "/etc/x"),
            ("TZ", ":/etc/x"),
            ("PAGER", "less"),
            ("COLUMNS", ""),
            ("COLUMNS", "a[$(x)]"),
            ("TERM", "../x"),
            ("PATH", "/bin"),
            ("GIT_DIR", "x"),
            ("LESS", "-X"),
        ] {
            assert!(!is_harmless(name, &Word::literal(value)), "{name}={value}");
        }
    }
}
