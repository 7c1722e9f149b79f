//! git's configuration: files, `git -c` and counted variables in anybody's words. Every key of the table gives a value or
//! says what is wrong, and what an agent could type never counts where only a person's word does.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;

use git_grill::repo::config::keys::KEYS;
use git_grill::repo::config::{Account, Config, ConfigError};
use tempfile::TempDir;

thread_local! {
    static PLACE: OnceCell<TempDir> = const { OnceCell::new() };
}

pub fn run(data: &[u8]) {
    let lower = data.to_ascii_lowercase();
    // An include reads any file of the machine, a pipe too, and would make a run depend on where it is run.
    if lower.windows(7).any(|some| some == b"include") || data.contains(&0) {
        return;
    }
    let mut parts = data.splitn(2, |byte| *byte == 0x1e);
    let (file, typed) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    PLACE.with(|place| {
        let folder = place.get_or_init(|| tempfile::tempdir().expect("a folder"));
        let global = folder.path().join(".gitconfig");
        let account = Account::at(folder.path().to_owned(), folder.path().join("system"));
        fs::write(&global, file).expect("it is written");
        let var = |name: &str| -> Option<OsString> {
            match name {
                "GIT_CONFIG_NOSYSTEM" => Some("1".into()),
                "GIT_CONFIG_GLOBAL" => Some(global.clone().into_os_string()),
                "GIT_CONFIG_PARAMETERS" if !typed.is_empty() => Some(OsString::from_vec(typed.to_vec())),
                _ => None,
            }
        };
        // Neither of the two can make what the other one says unreadable in silence.
        match Config::load(None, &var, &account) {
            Ok(config) => values(&config, file),
            Err(ConfigError::Syntax { place, why }) => assert!(!place.is_empty() && !why.is_empty()),
            Err(other) => panic!("{other:?}"),
        }
        round(&global, data);
    });
}

fn values(config: &Config, file: &[u8]) {
    let _ = (config.settings(), config.fencing(), config.fail_closed(), config.rewrites(), config.fsync());
    let _ = (config.colour(), config.coloured_pager(), config.notify(), config.paging("status"));
    if let Ok(bytes) = config.snapshot_limit() {
        assert!(bytes <= i64::MAX.unsigned_abs());
    }
    if let Ok(Some(signing)) = config.signing(None) {
        assert!(signing.settings.iter().all(|setting| setting.contains('=')));
    }
    for key in KEYS {
        let _ = (config.string(key.name), config.switch(key.name));
    }
    // Only what stands in the person's own file counts here.
    let said = String::from_utf8_lossy(file);
    for command in config.allowed_commands().into_iter().flatten().chain(config.allowed_tools().into_iter().flatten()) {
        let letters = command.chars().filter(char::is_ascii_alphanumeric);
        assert!(letters.clone().all(|one| said.contains(one)), "{command:?} is from elsewhere");
    }
    for unknown in config.unknown_keys() {
        assert!(!KEYS.iter().any(|key| key.is_called(&unknown.name)));
    }
    for ignored in config.ignored().into_iter().flatten() {
        assert!(!ignored.key.is_empty() && !ignored.instead.is_empty());
    }
}

/// A value that git hands on arrives as it is, whatever is in it.
fn round(global: &std::path::Path, value: &[u8]) {
    fs::write(global, b"").expect("it is written");
    let mut quoted = b"'grill.output'='".to_vec();
    for byte in value {
        match byte {
            b'\'' | b'!' => quoted.extend([b'\'', b'\\', *byte, b'\'']),
            other => quoted.push(*other),
        }
    }
    quoted.push(b'\'');
    let var = |name: &str| -> Option<OsString> {
        match name {
            "GIT_CONFIG_NOSYSTEM" => Some("1".into()),
            "GIT_CONFIG_GLOBAL" => Some(global.into()),
            "GIT_CONFIG_PARAMETERS" => Some(OsString::from_vec(quoted.clone())),
            _ => None,
        }
    };
    let nobody = Account::unknown("none");
    let config = Config::load(None, &var, &nobody).unwrap_or_else(|why| panic!("{why}: {}", quoted.escape_ascii()));
    let wanted = String::from_utf8_lossy(value).into_owned();
    assert_eq!(config.string("grill.output"), Some(wanted), "{}", quoted.escape_ascii());
}
