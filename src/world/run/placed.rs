//! The folders of a run that are seen through private layers, as they lie on this machine: links followed, those that
//! are missing counted, one within another joined.

use std::path::{Path, PathBuf};

use crate::agents::Folder;
use crate::agents::files::Moved;
use crate::sandbox::layers::Layer;
use crate::sandbox::profile::{Missing, Placed};

/// One folder of the table on this machine.
pub(super) struct Found {
    pub(super) folder: &'static Folder,
    /// The folder, every link followed.
    pub(super) real: PathBuf,
    /// The number of the layer through which it is seen.
    pub(super) layer: usize,
    /// Where it lies in what that layer covers.
    pub(super) below: PathBuf,
}

#[derive(Default)]
pub(super) struct Layers {
    pub(super) all: Vec<Layer>,
    /// The folders of the agent among them.
    pub(super) placed: Vec<Found>,
    /// Folders that have to be made first, the highest first.
    pub(super) made: Vec<PathBuf>,
    /// What cannot be layered, in sentences.
    pub(super) said: Vec<String>,
}

impl Layers {
    /// Finds the folders. None is layered that belongs to the repository: of those only a private copy can be had.
    pub(super) fn find(folders: &[Placed], sealed: &[PathBuf]) -> Self {
        let mut layers = Self::default();
        let mut real = Vec::new();
        for placed in folders {
            match layers.resolve(placed) {
                Ok(Some(path)) => real.push((placed, path)),
                Ok(None) => {}
                Err(why) => layers.said.push(format!("{} stays read-only in this run: {why}", placed.path.display())),
            }
        }
        // The outer ones first, so that a folder within another finds it.
        real.sort_by(|(_, one), (_, other)| one.cmp(other));
        for (placed, path) in real {
            let around = layers.all.iter().position(|layer| path.starts_with(&layer.folder));
            let number = around.unwrap_or_else(|| {
                layers.all.push(layer(placed, &path, sealed));
                layers.all.len() - 1
            });
            let below = path.strip_prefix(&layers.all[number].folder).unwrap_or(Path::new("")).to_owned();
            layers.placed.push(Found { folder: placed.folder, real: path, layer: number, below });
        }
        layers
    }

    /// The folder with every link followed; for one that is missing, what has to be made is noted.
    fn resolve(&mut self, placed: &Placed) -> Result<Option<PathBuf>, String> {
        match placed.path.canonicalize() {
            Ok(real) if ABOVE_ALL.iter().any(|above| real == Path::new(above)) => {
                Err("it is a directory of the whole system".to_owned())
            }
            Ok(real) if real.is_dir() => Ok(Some(real)),
            Ok(_) => Err("it is not a directory".to_owned()),
            Err(_) if placed.missing == Missing::LeftOut => Ok(None),
            Err(error) => {
                if std::fs::symlink_metadata(&placed.path).is_ok() {
                    return Err(format!("it cannot be followed: {error}"));
                }
                let Some((near, rest)) = nearest(&placed.path) else {
                    return Err(error.to_string());
                };
                let real = near.join(rest);
                let missing: Vec<PathBuf> =
                    real.ancestors().take_while(|path| *path != near).map(Path::to_path_buf).collect();
                for folder in missing.into_iter().rev() {
                    if !self.made.contains(&folder) {
                        self.made.push(folder);
                    }
                }
                Ok(Some(real))
            }
        }
    }
}

/// Folders that a variable may name by mistake, and that nothing is put over.
const ABOVE_ALL: &[&str] = &["/", "/proc", "/sys", "/dev", "/tmp", "/run", "/var", "/usr", "/etc", "/home"];

/// The nearest folder above that is there, and the rest of the way.
fn nearest(path: &Path) -> Option<(PathBuf, PathBuf)> {
    path.ancestors().skip(1).find_map(|above| {
        let near = above.canonicalize().ok().filter(|near| near.is_dir())?;
        Some((near, path.strip_prefix(above).ok()?.to_owned()))
    })
}

/// Entries of `/tmp` that an agent of this name made in earlier runs without walls: it would find them read-only, and
/// programs outside may listen there. One that is needed is seen all the same.
pub(super) fn unseen(agent: &str, needed: &[PathBuf], layers: &Layers) -> Vec<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    let begins = format!("{agent}-");
    let entries = std::fs::read_dir("/tmp").into_iter().flatten().flatten();
    let own = entries.filter(|entry| {
        let name = entry.file_name();
        name == agent || name.to_string_lossy().starts_with(&begins)
    });
    let own = own.filter(|entry| entry.metadata().is_ok_and(|about| about.is_dir() && about.uid() == user));
    let is_needed = |path: &PathBuf| {
        let all = needed.iter().chain(layers.all.iter().map(|layer| &layer.folder));
        all.clone().any(|needed| needed.starts_with(path))
    };
    own.map(|entry| entry.path()).filter(|path| !is_needed(path)).collect()
}

fn layer(placed: &Placed, real: &Path, sealed: &[PathBuf]) -> Layer {
    let variable = match placed.folder.moved {
        Moved::To(name) => Some(name.to_owned()),
        Moved::Below(..) | Moved::Never => None,
    };
    let closed = sealed.iter().any(|seal| real.starts_with(seal)).then(|| "it belongs to the repository".to_owned());
    Layer { folder: real.to_owned(), variable, closed, beside: placed.beside.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents;

    fn placed(path: PathBuf, missing: Missing) -> Placed {
        Placed { folder: &agents::of_program("codex").unwrap().folders[0], path, missing, beside: Vec::new() }
    }

    #[test]
    fn links_are_followed_missing_folders_made_and_inner_ones_joined() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("dotfiles/codex/inner")).unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        std::os::unix::fs::symlink("dotfiles/codex", root.join(".codex")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("loose")).unwrap();
        let folders = [
            placed(root.join("dotfiles/codex/inner"), Missing::Made),
            placed(root.join(".codex"), Missing::Made),
            placed(root.join("new/er"), Missing::Made),
            placed(root.join("absent"), Missing::LeftOut),
            placed(root.join("file"), Missing::Made),
            placed(root.join("loose"), Missing::Made),
            placed("/".into(), Missing::Made),
        ];
        let layers = Layers::find(&folders, &[]);
        let all: Vec<&PathBuf> = layers.all.iter().map(|layer| &layer.folder).collect();
        assert_eq!(all, [&root.join("dotfiles/codex"), &root.join("new/er")]);
        assert_eq!(layers.made, [root.join("new"), root.join("new/er")]);
        assert_eq!((layers.placed[1].layer, layers.placed[1].below.as_path()), (0, Path::new("inner")));
        assert_eq!(layers.said.len(), 3, "{:?}", layers.said);
        // In the repository only a copy can be had.
        let layers = Layers::find(&folders[1..2], &[root.join("dotfiles")]);
        assert!(layers.all[0].closed.is_some() && layers.all[0].variable.is_some());
    }
}
