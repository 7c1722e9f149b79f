//! The address of a git remote, as far as it leads to a repository on a host. What it holds besides, such as a
//! password, is not kept.

/// How a host is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Over HTTP or git's own protocol: the host is named as it is called.
    Plain,
    /// Over ssh: the host may be an alias from the user's ssh configuration.
    Ssh,
}

/// Where a remote leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub host: String,
    pub way: Way,
    /// `owner/name`.
    pub path: String,
}

impl Address {
    /// Reads an address in any of git's forms; nothing for a path of this machine, or for what no repository of a
    /// tracker can have: another port than the usual one, or more or fewer parts than owner and name.
    pub(super) fn parse(url: &str) -> Option<Self> {
        let (way, authority, path) =
            if let Some((scheme, rest)) = url.split_once("://") { in_url(scheme, rest)? } else { in_short(url)? };
        let plain = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '.' | '_');
        // What begins with a hyphen would be an option to ssh.
        if authority.is_empty() || authority.starts_with('-') || !authority.chars().all(plain) {
            return None;
        }
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let (owner, name) = path.split_once('/')?;
        // A wiki is a git repository of its own, without issues.
        let leads =
            !owner.is_empty() && !name.is_empty() && !name.contains('/') && name.strip_suffix(".wiki").is_none();
        leads.then(|| Self { host: canonical(authority), way, path: format!("{owner}/{name}") })
    }
}

/// `scheme://[user[:password]@]host[:port]/path`.
fn in_url<'a>(scheme: &str, rest: &'a str) -> Option<(Way, &'a str, &'a str)> {
    let (authority, path) = rest.split_once('/')?;
    let (host, port) = without_user(authority).split_once(':').unwrap_or((without_user(authority), ""));
    let way = match (scheme.to_ascii_lowercase().as_str(), port) {
        // gh takes no port, so such a host is none that it knows; ssh listens where it likes.
        ("https" | "git+https", "" | "443") | ("http", "" | "80") | ("git", "" | "9418") => Way::Plain,
        ("ssh" | "git+ssh" | "ssh+git", _) => Way::Ssh,
        _ => return None,
    };
    Some((way, host, path))
}

/// `[user@]host:path`, where no slash comes before the colon; two colons name a helper of git's.
fn in_short(url: &str) -> Option<(Way, &str, &str)> {
    let (authority, path) = url.split_once(':')?;
    let is_one = !authority.contains('/') && !path.starts_with(':');
    is_one.then(|| (Way::Ssh, without_user(authority), path))
}

fn without_user(authority: &str) -> &str {
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// A host under the one name by which `gh` knows it.
pub(super) fn canonical(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    match host.as_str() {
        // Where port 22 is closed, GitHub's ssh listens at a host of its own.
        "ssh.github.com" | "www.github.com" => "github.com".to_owned(),
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g32_an_address_in_any_form_names_host_owner_and_name() {
        for (url, way) in [
            ("https://github.com/octo/links", Way::Plain),
            ("https://github.com/octo/links.git", Way::Plain),
            ("https://github.com/octo/links.git/", Way::Plain),
            ("https://GitHub.com:443/octo/links", Way::Plain),
            ("https://ada:secret@www.github.com/octo/links.git", Way::Plain),
            ("http://github.com/octo/links", Way::Plain),
            ("git://github.com/octo/links.git", Way::Plain),
            ("git@github.com:octo/links.git", Way::Ssh),
            ("github.com:octo/links", Way::Ssh),
            ("git@github.com:/octo/links.git", Way::Ssh),
            ("ssh://git@github.com/octo/links.git", Way::Ssh),
            ("ssh://git@ssh.github.com:443/octo/links.git", Way::Ssh),
            ("git+ssh://github.com/octo/links", Way::Ssh),
        ] {
            let expected = Address { host: "github.com".to_owned(), way, path: "octo/links".to_owned() };
            assert_eq!(Address::parse(url), Some(expected), "{url}");
        }
    }

    #[test]
    fn g32_what_leads_to_no_repository_of_a_tracker_is_no_address() {
        for url in [
            "",
            "/srv/git/links.git",
            "../links.git",
            "./a:b/c",
            "file:///srv/octo/links.git",
            "https://github.com/links",
            "https://github.com/octo/links/tree/main",
            "https://git.example.org:8443/octo/links.git",
            "https://github.com/octo/links.wiki.git",
            "https://",
            "https:///octo/links",
            "ssh://-oProxyCommand=x/octo/links",
            "-oProxyCommand=x:octo/links",
            "git@[::1]:octo/links",
            "ext::sh -c 'x y/z'",
            "rsync://github.com/octo/links",
            "git@host name:octo/links",
        ] {
            assert_eq!(Address::parse(url), None, "{url}");
        }
    }
}
