//! The account of this process, by the password database.
//!
//! `/etc/passwd` is read directly: a static program that asks the C library would load the machine's name services, and
//! `LD_LIBRARY_PATH` would say from where. An account that is in no file (LDAP and the like) is asked of a system program
//! without any variable.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use rustix::process::{geteuid, getuid};

use crate::repo::config::{Account, Home};

use super::process;

/// The account of this process; looked up when it is first needed.
pub fn account() -> Account {
    Account::looked_up(home)
}

fn home() -> Home {
    let user = getuid();
    if user != geteuid() {
        return Err("the process runs with the rights of another user".to_owned());
    }
    let id = user.as_raw().to_string();
    let listed = std::fs::read("/etc/passwd").ok().and_then(|table| entry_of(&table, &id).map(<[u8]>::to_vec));
    let entry = listed.or_else(|| asked(&id)).ok_or_else(|| format!("user {id} is not in the password database"))?;
    let folder = PathBuf::from(OsString::from_vec(folder_of(&entry).unwrap_or_default().to_vec()));
    if folder.is_absolute() { Ok(folder) } else { Err(format!("user {id} has no home folder")) }
}

/// The line of a user in the table.
fn entry_of<'t>(table: &'t [u8], id: &str) -> Option<&'t [u8]> {
    table.split(|byte| *byte == b'\n').find(|line| line.split(|byte| *byte == b':').nth(2) == Some(id.as_bytes()))
}

/// The home folder in a line: the last field but one, also in the longer lines of macOS.
fn folder_of(entry: &[u8]) -> Option<&[u8]> {
    entry.trim_ascii_end().rsplit(|byte| *byte == b':').nth(1)
}

/// The line of a user that is in no file.
fn asked(id: &str) -> Option<Vec<u8>> {
    let (program, args): (&str, &[&str]) =
        if cfg!(target_os = "macos") { ("/usr/bin/id", &["-P", id]) } else { ("/usr/bin/getent", &["passwd", id]) };
    let said = process::said_without_variables(program, args).ok()?;
    entry_of(&said, id).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_the_one_of_the_number_and_nothing_else() {
        let table = b"root:x:0:0:root:/root:/bin/sh\nada:x:1000:7:Ada 0:/home/ada:/bin/zsh\n+::::::\nshort:x:7\n";
        let of = |id: &str| entry_of(table, id).and_then(folder_of).map(|folder| String::from_utf8_lossy(folder));
        assert_eq!(of("0").as_deref(), Some("/root"));
        assert_eq!(of("1000").as_deref(), Some("/home/ada"));
        for absent in ["10", "100", "", "x", "+"] {
            assert_eq!(of(absent).filter(|folder| folder.starts_with('/')), None, "{absent}");
        }
        let mac = b"ada:********:501:20::0:0:Ada:/Users/ada:/bin/zsh\n";
        assert_eq!(entry_of(mac, "501").and_then(folder_of), Some(&b"/Users/ada"[..]));
        assert!(home().is_ok() || entry_of(&std::fs::read("/etc/passwd").unwrap(), "0").is_none());
    }
}
