//! Sockets of programs outside that would write, or start something that writes, for whoever asks. Behind the
//! walls they are covered. Only those that we know; the socket of a program that nobody has heard of stays open.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Whoever may talk to these becomes root, by design.
const SYSTEM: &[&str] = &[
    "/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/run/incus/unix.socket",
    "/var/lib/lxd/unix.socket",
    "/var/snap/lxd/common/lxd/unix.socket",
];
/// The same for root alone; anybody else is asked for a password there.
const ROOT: &[&str] = &["/run/systemd/private", "/run/dbus/system_bus_socket"];
/// Of a user, below the folder for running programs: what starts programs, and editors that run what they are sent.
const OWN: &[&str] = &["bus", "systemd/private", "podman/podman.sock", "docker.sock", "emacs/server"];

/// Where somebody's sockets are.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The user's number.
    pub user: u32,
    /// `XDG_RUNTIME_DIR`
    pub runtime: Option<PathBuf>,
    /// `TMUX_TMPDIR`
    pub tmux: Option<PathBuf>,
    /// The user's name, which screen's folder has.
    pub name: Option<String>,
}

pub fn sockets(surroundings: &Surroundings) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    if surroundings.user == 0 {
        all.extend(ROOT.iter().map(PathBuf::from));
    }
    let usual = PathBuf::from(format!("/run/user/{}", surroundings.user));
    for runtime in [Some(usual), surroundings.runtime.clone()].into_iter().flatten() {
        all.extend(OWN.iter().map(|name| runtime.join(name)));
    }
    let sittings = format!("tmux-{}", surroundings.user);
    for folder in [Some(PathBuf::from("/tmp")), surroundings.tmux.clone()].into_iter().flatten() {
        all.extend(entries(&folder.join(&sittings)));
    }
    if let Some(name) = &surroundings.name {
        all.extend(entries(&Path::new("/run/screen").join(format!("S-{name}"))));
    }
    let mut real: Vec<PathBuf> = all.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
    real.retain(|path| fs::metadata(path).is_ok_and(|about| about.file_type().is_socket()));
    real.sort();
    real.dedup();
    real
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sockets_that_are_there_are_doors() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        fs::create_dir(root.join("tmux-4242")).unwrap();
        fs::write(root.join("tmux-4242/notes"), "").unwrap();
        let _mux = std::os::unix::net::UnixListener::bind(root.join("tmux-4242/default")).unwrap();
        let _bus = std::os::unix::net::UnixListener::bind(root.join("bus")).unwrap();
        let found =
            sockets(&Surroundings { user: 4242, runtime: Some(root.clone()), tmux: Some(root.clone()), name: None });
        let found: Vec<&PathBuf> = found.iter().filter(|path| path.starts_with(&root)).collect();
        assert_eq!(found, [&root.join("bus"), &root.join("tmux-4242/default")]);
    }
}
