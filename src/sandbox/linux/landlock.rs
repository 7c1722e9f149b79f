//! Landlock: what this process may write, whom it may signal. It cannot be lifted, and sees no mounts.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};
use rustix::process::geteuid;

use super::devices;
use super::private::Private;
use crate::sandbox::Confinement;

/// The newest interface whose rights we know. Older kernels have fewer, and what that leaves open is said elsewhere.
const NEWEST: ABI = ABI::V6;
/// Since this version files cannot be emptied where they cannot be written.
pub(super) const WHOLE: u32 = 3;
/// Since this version signals and abstract sockets can be kept in.
pub(super) const SCOPES: u32 = 6;

/// Refuses writing anywhere but where it is granted, and where only the run sees it.
pub(super) fn restrict_files(confinement: &Confinement, private: &Private) -> Result<(), RulesetError> {
    let access = AccessFs::from_write(NEWEST);
    let mut paths: Vec<PathBuf> = confinement.writable.clone();
    paths.extend(private.writable.iter().chain(&private.devices).cloned());
    let root = geteuid().is_root();
    paths.extend(devices::nodes(&private.devices));
    paths.extend(devices::folders(root));
    if root {
        paths.push(Path::new("/proc/self").to_owned());
    }
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(access)?
        .create()?
        .add_rules(path_beneath_rules(paths, access))?
        .restrict_self()?;
    Ok(())
}

/// Keeps signals and abstract sockets in, and with them the processes outside from being traced.
pub(super) fn restrict_scopes() -> Result<(), RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::Signal | Scope::AbstractUnixSocket)?
        .create()?
        .restrict_self()?;
    Ok(())
}
