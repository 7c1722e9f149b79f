//! Format strings of git: what may stand behind `%`. Some of it runs a program (`%G?` asks gpg), and a name without `%`
//! may stand for any of it, so what is not known is refused.

use super::line::Line;
use super::sheet::split_reason;
use crate::policy::shell::Refused;

/// The kinds of `format` lines.
#[cfg(test)]
pub(super) const KINDS: &[&str] = &["pretty", "refs", "sort", "group"];

/// Formats that git knows by name.
const NAMES: &[&str] = &["oneline", "short", "medium", "full", "fuller", "reference", "email", "mboxrd", "raw"];

/// What `%(…)` of a list of refs may name. `signature` asks gpg.
const ATOMS: &[&str] = &[
    "refname",
    "objecttype",
    "objectsize",
    "objectname",
    "deltabase",
    "tree",
    "parent",
    "numparent",
    "object",
    "type",
    "tag",
    "author",
    "authorname",
    "authoremail",
    "authordate",
    "committer",
    "committername",
    "committeremail",
    "committerdate",
    "tagger",
    "taggername",
    "taggeremail",
    "taggerdate",
    "creator",
    "creatordate",
    "subject",
    "body",
    "trailers",
    "contents",
    "raw",
    "upstream",
    "push",
    "symref",
    "flag",
    "HEAD",
    "color",
    "worktreepath",
    "align",
    "end",
    "if",
    "then",
    "else",
    "ahead-behind",
    "is-base",
    "describe",
    "rest",
    "version",
    "v",
];

/// Judges the values of the options that a `format` line of the sheet names: `format pretty --format --pretty`.
pub(super) fn judge(line: &Line<'_>, rule: &'static str) -> Result<(), Refused> {
    let (kind, names) = rule.split_once(' ').unwrap_or((rule, ""));
    let names: Vec<&str> = split_reason(names).0.split_ascii_whitespace().collect();
    for word in line.values(&names) {
        let harmless = word.known().is_some_and(|text| match kind {
            "pretty" => is_pretty(text),
            "refs" => is_of_refs(text),
            "sort" => is_key(text),
            "group" => is_group(text),
            _ => false,
        });
        if !harmless {
            let why = format!("write a format without it: `{}` may run a program for `{}`", line.command, word.text);
            return Err(Refused::new(&word.text, why));
        }
    }
    Ok(())
}

/// A format of `git log`: one that is known by name, or placeholders that are known.
pub(super) fn is_pretty(text: &str) -> bool {
    let format = text.strip_prefix("format:").or_else(|| text.strip_prefix("tformat:"));
    match format {
        Some(format) => placeholders(format),
        None if text.contains('%') => placeholders(text),
        None => text.is_empty() || NAMES.contains(&text),
    }
}

/// What `git shortlog` groups by: a person, a trailer, or a format.
fn is_group(text: &str) -> bool {
    matches!(text, "author" | "committer") || text.starts_with("trailer:") || is_pretty(text)
}

fn placeholders(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        match placeholder(&rest[at + 1..]) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    true
}

/// What stands behind a placeholder, if that is known.
fn placeholder(text: &str) -> Option<&str> {
    // `%+b` and the like: a line break or a blank before it.
    let text = text.strip_prefix(['+', '-', ' ']).unwrap_or(text);
    let one_of = |letters: &str, text: &'_ str| text.starts_with(|c: char| letters.contains(c));
    let first = text.chars().next()?;
    let behind = &text[first.len_utf8()..];
    match first {
        '%' | 'n' | 'H' | 'h' | 'T' | 't' | 'P' | 'p' | 'd' | 'D' | 'S' | 'e' | 's' | 'f' | 'b' | 'B' | 'N' | 'm' => {
            Some(behind)
        }
        'x' => behind.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit())).map(|_| &behind[2..]),
        'a' | 'c' if one_of("nNeElLdDrtiIsh", behind) => Some(&behind[1..]),
        'g' if one_of("DdnNeEs", behind) => Some(&behind[1..]),
        'C' => match behind.strip_prefix('(') {
            Some(inside) => closed(inside),
            None => ["red", "green", "blue", "reset"].iter().find_map(|name| behind.strip_prefix(name)),
        },
        'w' => closed(behind.strip_prefix('(')?),
        '<' | '>' => closed(behind.trim_start_matches(['<', '>', '|']).strip_prefix('(')?),
        '(' => {
            let name = behind.split([':', ')']).next().unwrap_or_default();
            matches!(name, "trailers" | "describe" | "decorate").then(|| closed(behind)).flatten()
        }
        _ => None,
    }
}

fn closed(text: &str) -> Option<&str> {
    text.split_once(')').map(|(_, behind)| behind)
}

/// A format of `git for-each-ref`.
fn is_of_refs(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let text = &rest[at + 1..];
        rest = if let Some(inside) = text.strip_prefix('(') {
            match inside.split_once(')') {
                Some((atom, behind)) if is_key(atom) => behind,
                Some(_) | None => return false,
            }
        } else {
            match text.chars().next() {
                Some('%') => &text[1..],
                // Any other character stands for itself, or two digits for one.
                Some(_) => text,
                None => return true,
            }
        };
    }
    true
}

/// The name of a field, with what may stand around it: `-committerdate`, `*objectname:short`, `version:refname`.
fn is_key(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let text = text.strip_prefix("version:").or_else(|| text.strip_prefix("v:")).unwrap_or(text);
    let text = text.strip_prefix('*').unwrap_or(text);
    let name = text.split(':').next().unwrap_or_default();
    ATOMS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_placeholders_pass() {
        for text in [
            "",
            "oneline",
            "format:",
            "%H%x09%an <%ae> %ad %s%n%b",
            "tformat:%C(auto)%h%Creset %<(20,trunc)%an %>|(50)%ar%d",
            "%+b%-d% s",
            "%(trailers:key=Reviewed-by,valueonly)",
            "%w(72,2,4)%B",
            "%gD %gs %S %m %e %N",
            "100%%",
            "plain words %h",
        ] {
            assert!(is_pretty(text), "{text}");
        }
        for text in [
            "%G?",
            "%h %GK",
            "format:%GS",
            "%(signature)",
            "%GG",
            "%",
            "%Z",
            "%q",
            "mine",
            "%h%",
            "%xz1",
            "%C(red",
            "%a",
            "%+G?",
            "% GK",
            "%(unknown)",
            "%aé",
            "%é",
        ] {
            assert!(!is_pretty(text), "{text}");
        }
    }

    #[test]
    fn known_fields_of_refs_pass() {
        for text in [
            "",
            "%(refname:short) %(objectname:short=7)%09%(committerdate:iso)",
            "%(if)%(HEAD)%(then)* %(else)  %(end)%(*objectname)",
            "%(align:20,left)%(contents:subject)%(end) 100%%",
            "%(color:red)x%(color:reset)",
        ] {
            assert!(is_of_refs(text), "{text}");
        }
        for text in
            ["%(signature)", "%(signature:grade)", "%(*signature)", "%(unknown)", "%(refname", "%()", "%%%(signature)"]
        {
            assert!(!is_of_refs(text), "{text}");
        }
        for text in ["-committerdate", "v:refname", "version:refname", "refname", "-v:refname"] {
            assert!(is_key(text), "{text}");
        }
        assert!(!is_key("signature") && !is_key("-signature:key") && !is_key(""));
    }
}
