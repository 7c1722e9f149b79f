//! What a run gets of its own beside the walls: layers over an agent's folders, and covers over what everybody shares.
//! What cannot be had is replaced by something narrower, and said.

use std::path::{Path, PathBuf};

use super::{covers, overlays};
use crate::sandbox::layers::{Layer, copy, upper, work};
use crate::sandbox::{Confinement, Walls};

const MEMORY: &str = "/dev/shm";
const TERMINALS: &str = "/dev/pts";

/// What a run got of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Private {
    /// Folders that may be written, since nobody else sees what is written there.
    pub(super) writable: Vec<PathBuf>,
    /// Devices to be opened that were mounted for the run.
    pub(super) devices: Vec<PathBuf>,
    /// Variables that lead the agent to a private copy of its folder.
    pub(super) variables: Vec<(String, PathBuf)>,
    /// What fell back to something narrower, in sentences.
    pub(super) said: Vec<String>,
    /// Folders for which there is nothing to fall back to, each with the reason.
    bare: Vec<(PathBuf, String)>,
}

impl Private {
    /// Puts the layers up, then the covers: what is written to a layer may lie below a cover. Only where mounts are our
    /// own already.
    pub(super) fn put(confinement: &Confinement) -> Self {
        let mut private = Self::default();
        let needed: Vec<&PathBuf> = confinement.sealed.iter().chain(&confinement.writable).collect();
        for (number, layer) in confinement.layers.iter().enumerate() {
            let store = &confinement.store;
            if let Some(why) = &layer.closed {
                private.fall_back(layer, &upper(store, number), why);
                continue;
            }
            match overlays::put(&layer.folder, &needed, &upper(store, number), &work(store, number)) {
                Ok(inside) => {
                    private.writable.push(layer.folder.clone());
                    private.said.extend(inside.iter().map(|path| {
                        format!("{} stays read-only in this run: it is a mount of its own", path.display())
                    }));
                }
                Err(error) => {
                    let why = format!("no private layer can cover it: {error}");
                    private.fall_back(layer, &upper(store, number), &why);
                }
            }
        }
        private.cover(confinement);
        private
    }

    /// Does without mounts: every layer falls back.
    pub(super) fn without_mounts(confinement: &Confinement, why: &str) -> Self {
        let mut private = Self::default();
        for (number, layer) in confinement.layers.iter().enumerate() {
            private.fall_back(layer, &upper(&confinement.store, number), why);
        }
        private
    }

    /// A private copy where the agent has a variable for it, else the folder stays read-only.
    fn fall_back(&mut self, layer: &Layer, to: &Path, why: &str) {
        let Some(variable) = &layer.variable else {
            self.bare.push((layer.folder.clone(), why.to_owned()));
            return;
        };
        match copy::settings(&layer.folder, &layer.beside, to) {
            Ok(copied) => {
                self.writable.push(to.to_owned());
                self.variables.push((variable.clone(), to.to_owned()));
                let partly = if copied == copy::Copied::Partly { ", without its larger files" } else { "" };
                let folder = layer.folder.display();
                self.said.push(format!("{variable} points to a private copy of {folder}{partly} in this run: {why}"));
            }
            Err(error) => {
                self.bare.push((layer.folder.clone(), format!("{why}; and it could not be copied: {error}")));
            }
        }
    }

    /// All that is to be said. A folder without anything in its place is read-only only where some wall keeps it so.
    pub(super) fn told(&self, keeps: bool) -> Vec<String> {
        let is = if keeps { "stays read-only" } else { "can be changed" };
        let bare = self.bare.iter().map(|(folder, why)| format!("{} {is} in this run: {why}", folder.display()));
        bare.chain(self.said.iter().cloned()).collect()
    }

    fn cover(&mut self, confinement: &Confinement) {
        if Path::new(TERMINALS).is_dir() {
            match covers::terminals() {
                Ok(asked) => {
                    self.devices.push(TERMINALS.into());
                    self.devices.extend(asked);
                }
                Err(error) => self.said.push(format!("programs in this run get no terminals of their own: {error}")),
            }
        }
        if Path::new(MEMORY).is_dir() {
            match covers::memory(Path::new(MEMORY), Some(&confinement.store)) {
                Ok(()) => self.writable.push(MEMORY.into()),
                Err(error) => self.said.push(format!("{MEMORY} stays read-only in this run: {error}")),
            }
        }
        // Landlock would take a folder that may be written for everything that is mounted below it.
        if confinement.walls == Walls::Mounts && Path::new(covers::TEMPORARY).is_dir() {
            match covers::temporary(Path::new(covers::TEMPORARY), &confinement.unseen) {
                Ok(lost) => {
                    self.writable.push(covers::TEMPORARY.into());
                    self.said.extend(lost.iter().map(|path| format!("{} cannot be seen in this run", path.display())));
                }
                Err(error) => self.said.push(format!("{} stays read-only in this run: {error}", covers::TEMPORARY)),
            }
        }
    }
}
