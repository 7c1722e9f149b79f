//! Who signs: git's own variables first, then its configuration.

use git2::Repository;

use crate::store::commit::{Identity, Person};

use super::environment::Environment;

/// The identity that git would use here, as far as it knows one.
pub(super) fn identity(environment: &Environment, repo: &Repository) -> Identity {
    let config = repo.config().and_then(|mut config| config.snapshot()).ok();
    let configured = |key: &str| config.as_ref().and_then(|config| config.get_string(key).ok());
    let person = |role: &str, section: &str| {
        let name = environment
            .text(&format!("GIT_{role}_NAME"))
            .or_else(|| configured(&format!("{section}.name")))
            .or_else(|| configured("user.name"))?;
        let email = environment
            .text(&format!("GIT_{role}_EMAIL"))
            .or_else(|| configured(&format!("{section}.email")))
            .or_else(|| configured("user.email"))
            .or_else(|| environment.text("EMAIL"))?;
        Some(Person::new(name, email))
    };
    Identity { author: person("AUTHOR", "author"), committer: person("COMMITTER", "committer"), offset_minutes: 0 }
}
