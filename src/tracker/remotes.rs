//! The remotes of the git repository that lead to trackers: git says where each leads (`insteadOf` and all), and `gh`
//! which hosts it knows. Nothing here asks the network.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use super::address::{Address, Way, canonical};
use super::gh::Gh;
use super::trouble::one_line;
use crate::app::ports::{Run, TrackerError, TrackerRemote};
use crate::domain::tracker::TrackerRepository;
use crate::git::Git;

/// How long git and ssh may take to say what their configuration holds.
const SOON: Duration = Duration::from_secs(10);

/// Where one remote leads.
#[derive(Default)]
struct Urls {
    fetch: Option<String>,
    push: Option<String>,
}

impl Gh<'_> {
    /// The remotes that lead to trackers, in git's order; one of them twice if `gh repo set-default` chose another
    /// repository for it than the one that it leads to.
    pub(super) fn remotes_there(&self) -> Result<Vec<TrackerRemote>, TrackerError> {
        let chosen = self.chosen()?;
        let mut hosts = Hosts { gh: self, known: BTreeMap::new() };
        let mut all = Vec::new();
        for (remote, urls) in self.urls()? {
            // Issues belong where the code comes from: who pushes to a fork of their own still fetches from there.
            let mut own = None;
            for url in [urls.fetch, urls.push].into_iter().flatten() {
                if own.is_none() {
                    own = hosts.repository(&url)?;
                }
            }
            let choice = match chosen.get(&remote).map(String::as_str) {
                None => None,
                Some("base") => own.clone(),
                // What names no repository is no choice.
                Some(other) => other.parse::<TrackerRepository>().ok(),
            };
            let default = choice.is_some() && choice == own;
            let other = choice.filter(|other| own.as_ref() != Some(other));
            all.extend(own.map(|repository| TrackerRemote { remote: remote.clone(), repository, default }));
            all.extend(other.map(|repository| TrackerRemote { remote, repository, default: true }));
        }
        Ok(all)
    }

    /// Where every remote leads.
    fn urls(&self) -> Result<Vec<(String, Urls)>, TrackerError> {
        let said = self.git(&["remote", "--verbose"])?;
        let mut all: Vec<(String, Urls)> = Vec::new();
        for line in said.lines() {
            let Some((name, rest)) = line.split_once('\t') else { continue };
            let place = all.iter().position(|(there, _)| there == name).unwrap_or(all.len());
            if place == all.len() {
                all.push((name.to_owned(), Urls::default()));
            }
            let urls = &mut all[place].1;
            // A partial clone names its filter behind the direction. The first address of several is the one that
            // git fetches from.
            if let Some((url, _)) = rest.rsplit_once(" (fetch)") {
                urls.fetch.get_or_insert_with(|| url.to_owned());
            } else if let Some((url, _)) = rest.rsplit_once(" (push)") {
                urls.push.get_or_insert_with(|| url.to_owned());
            }
        }
        Ok(all)
    }

    /// What `gh repo set-default` noted, by remote.
    fn chosen(&self) -> Result<BTreeMap<String, String>, TrackerError> {
        let said = self.git(&["config", "--null", "--get-regexp", r"^remote\..*\.gh-resolved$"])?;
        let entries = said.split('\0').filter_map(|entry| entry.split_once('\n'));
        let named = entries.filter_map(|(key, value)| {
            let remote = key.strip_prefix("remote.")?.strip_suffix(".gh-resolved")?;
            Some((remote.to_owned(), value.to_owned()))
        });
        Ok(named.collect())
    }

    fn git(&self, args: &[&str]) -> Result<String, TrackerError> {
        let git = Git::new(args.iter().copied()).inside(&self.git_dir).reading().for_at_most(SOON);
        let failed = |why: &str| TrackerError::Remotes { why: one_line(why) };
        let ran = git.run(self.process).map_err(|error| failed(&error.to_string()))?;
        // `git config` says with 1 that nothing matched.
        let nothing = ran.code == 1 && args.first() == Some(&"config");
        if ran.code != 0 && !nothing {
            return Err(failed(&String::from_utf8_lossy(&ran.stderr)));
        }
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }
}

/// The hosts that were asked about.
struct Hosts<'a, 'b> {
    gh: &'a Gh<'b>,
    /// Under which name `gh` knows a host; none if it does not.
    known: BTreeMap<(String, bool), Option<String>>,
}

impl Hosts<'_, '_> {
    /// The repository that an address leads to, if its host is one that `gh` knows.
    fn repository(&mut self, url: &str) -> Result<Option<TrackerRepository>, TrackerError> {
        let Some(address) = Address::parse(url) else { return Ok(None) };
        let asked = (address.host.clone(), address.way == Way::Ssh);
        let host = if let Some(host) = self.known.get(&asked) {
            host.clone()
        } else {
            let host = self.host(&address)?;
            self.known.insert(asked, host.clone());
            host
        };
        Ok(host.and_then(|host| format!("{host}/{}", address.path).parse().ok()))
    }

    /// The name by which `gh` knows the host of an address. One that it does not know is no tracker of ours: it may be
    /// anybody's.
    fn host(&self, address: &Address) -> Result<Option<String>, TrackerError> {
        if self.is_known(&address.host)? {
            return Ok(Some(address.host.clone()));
        }
        match address.way {
            Way::Plain => Ok(None),
            Way::Ssh => match self.gh.behind_alias(&address.host) {
                Some(host) if host != address.host && self.is_known(&host)? => Ok(Some(host)),
                Some(_) | None => Ok(None),
            },
        }
    }

    fn is_known(&self, host: &str) -> Result<bool, TrackerError> {
        let own = self.gh.own_host.as_deref() == Some(host);
        if host == "github.com" || host.ends_with(".ghe.com") || own {
            return Ok(true);
        }
        // gh keeps one entry for each host that somebody logged in to, and says so without asking the host.
        let args = ["config", "get", "--host", host, "user"].map(OsString::from).to_vec();
        let ran = self.gh.run(host, args, Vec::new())?;
        Ok(ran.code == 0 && !ran.stdout.trim_ascii().is_empty())
    }
}

impl Gh<'_> {
    /// The host that an ssh alias stands for; nothing if ssh cannot say.
    fn behind_alias(&self, alias: &str) -> Option<String> {
        let run = Run { limit: Some(SOON), ..Run::new("ssh", ["-G", alias]) };
        let ran = self.process.run(&run).ok().filter(|ran| ran.code == 0)?;
        let said = String::from_utf8_lossy(&ran.stdout);
        said.lines().find_map(|line| line.strip_prefix("hostname ")).map(|host| canonical(host.trim()))
    }
}
