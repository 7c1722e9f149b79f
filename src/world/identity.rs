//! Who signs: git's own variables first, then its configuration.

use crate::repo::config::Config;
use crate::store::commit::{Identity, Person};

use super::environment::Environment;

/// The identity that git would use here, as far as it knows one.
pub(super) fn identity(environment: &Environment, config: &Config) -> Identity {
    let configured = |key: &str| config.string(key);
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
