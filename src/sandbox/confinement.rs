//! What a run may do, as the arguments of the process that builds its walls. Arguments carry paths of any bytes, and
//! nothing has to be unescaped between two processes of ours.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::layers::Layer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walls {
    /// Private mounts; Landlock keeps to signals and abstract sockets, since a process that it forbids writing cannot
    /// mount, and the sandboxes that agents build themselves could not start.
    Mounts,
    /// Private mounts and Landlock. Either one alone is enough.
    MountsAndLandlock,
}

/// What happens when the kernel does not have a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Refuse,
    /// It is said, and the command runs without.
    Say,
}

/// What a run may do. Everything that is not named can be read and not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    pub walls: Walls,
    /// What happens when one cannot be built.
    pub missing: Missing,
    /// The folder the command runs in.
    pub dir: PathBuf,
    /// What the repository consists of; that none of it can be written is checked before the command runs.
    pub sealed: Vec<PathBuf>,
    /// Folders of the repository that are not seen: an empty one stands in the place of each.
    pub covered: Vec<PathBuf>,
    /// Folders and files that may be written, none of them above something sealed.
    pub writable: Vec<PathBuf>,
    /// Folders that are seen through a private layer.
    pub layers: Vec<Layer>,
    /// Where what is written to the layers lies, each below its number.
    pub store: PathBuf,
    /// Entries of the folder for temporary files that the run does not see.
    pub unseen: Vec<PathBuf>,
    /// Sockets of programs that would do outside what is asked of them.
    pub hidden: Vec<PathBuf>,
    /// The process outside; when it ends, every process of the run is killed.
    pub keeper: u32,
    /// The lock of runs that may write files of an output phase, if this is one.
    pub writing: Option<PathBuf>,
    /// Whether a line on standard error parts what is said of the run from what its command says.
    pub parted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' says nothing about a run", .0.to_string_lossy())]
pub struct BadConfinement(pub OsString);

impl Confinement {
    /// As arguments, to be read by [`Confinement::from_args`].
    pub fn to_args(&self) -> Vec<OsString> {
        let walls = match self.walls {
            Walls::Mounts => "mounts",
            Walls::MountsAndLandlock => "mounts+landlock",
        };
        let missing = match self.missing {
            Missing::Refuse => "refuse",
            Missing::Say => "say",
        };
        let mut args = vec![
            word("walls", OsStr::new(walls)),
            word("missing", OsStr::new(missing)),
            word("keeper", OsStr::new(&self.keeper.to_string())),
            word("dir", self.dir.as_os_str()),
        ];
        args.push(word("store", self.store.as_os_str()));
        args.extend(self.writing.iter().map(|path| word("writing", path.as_os_str())));
        args.extend(self.parted.then(|| word("parted", OsStr::new("yes"))));
        for (name, paths) in [
            ("sealed", &self.sealed),
            ("covered", &self.covered),
            ("writable", &self.writable),
            ("unseen", &self.unseen),
            ("hidden", &self.hidden),
        ] {
            args.extend(paths.iter().map(|path| word(name, path.as_os_str())));
        }
        for layer in &self.layers {
            args.push(word("layer", layer.folder.as_os_str()));
            args.extend(layer.variable.iter().map(|name| word("variable", OsStr::new(name))));
            args.extend(layer.closed.iter().map(|why| word("closed", OsStr::new(why))));
            args.extend(layer.beside.iter().map(|path| word("beside", path.as_os_str())));
        }
        args
    }

    /// Reads what [`Confinement::to_args`] wrote. What is not said is the narrowest there is.
    pub fn from_args(args: &[OsString]) -> Result<Self, BadConfinement> {
        let mut read = Self {
            walls: Walls::MountsAndLandlock,
            missing: Missing::Refuse,
            dir: PathBuf::from("/"),
            sealed: Vec::new(),
            covered: Vec::new(),
            writable: Vec::new(),
            layers: Vec::new(),
            store: PathBuf::new(),
            unseen: Vec::new(),
            hidden: Vec::new(),
            keeper: 0,
            writing: None,
            parted: false,
        };
        for arg in args {
            let bad = || BadConfinement(arg.clone());
            let bytes = arg.as_bytes();
            let split = bytes.iter().position(|byte| *byte == b'=').ok_or_else(bad)?;
            let (name, value) = (&bytes[..split], &bytes[split + 1..]);
            let path = || PathBuf::from(OsString::from_vec(value.to_vec()));
            match (name, value) {
                (b"walls", b"mounts") => read.walls = Walls::Mounts,
                (b"walls", b"mounts+landlock") => read.walls = Walls::MountsAndLandlock,
                (b"missing", b"refuse") => read.missing = Missing::Refuse,
                (b"missing", b"say") => read.missing = Missing::Say,
                (b"keeper", digits) => {
                    read.keeper =
                        std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok()).ok_or_else(bad)?;
                }
                (b"dir", _) => read.dir = path(),
                (b"sealed", _) => read.sealed.push(path()),
                (b"covered", _) => read.covered.push(path()),
                (b"writable", _) => read.writable.push(path()),
                (b"unseen", _) => read.unseen.push(path()),
                (b"store", _) => read.store = path(),
                (b"writing", _) => read.writing = Some(path()),
                (b"parted", b"yes") => read.parted = true,
                (b"layer", _) => read.layers.push(Layer { folder: path(), ..Layer::default() }),
                // These speak of the layer before them.
                (b"variable", name) => {
                    let name = std::str::from_utf8(name).map_err(|_| bad())?;
                    read.layers.last_mut().ok_or_else(bad)?.variable = Some(name.to_owned());
                }
                (b"closed", why) => {
                    let why = String::from_utf8_lossy(why).into_owned();
                    read.layers.last_mut().ok_or_else(bad)?.closed = Some(why);
                }
                (b"beside", _) => read.layers.last_mut().ok_or_else(bad)?.beside.push(path()),
                (b"hidden", _) => read.hidden.push(path()),
                _ => return Err(bad()),
            }
        }
        Ok(read)
    }
}

fn word(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_carry_every_byte_of_a_path() {
        let odd = PathBuf::from(OsString::from_vec(b"/tmp/a=b \xff\n'\"".to_vec()));
        let confinement = Confinement {
            walls: Walls::Mounts,
            missing: Missing::Say,
            dir: odd.clone(),
            sealed: vec![odd.clone(), PathBuf::from("/r")],
            covered: vec![PathBuf::from("/r")],
            writable: vec![odd.clone()],
            layers: vec![
                Layer {
                    folder: odd.join("x"),
                    variable: Some("A_HOME".to_owned()),
                    closed: Some("it is = closed".to_owned()),
                    beside: vec![odd.join("y")],
                },
                Layer { folder: PathBuf::from("/h"), ..Layer::default() },
            ],
            store: odd.join("store"),
            unseen: vec![PathBuf::from("/tmp/x")],
            hidden: vec![PathBuf::from("/run/docker.sock")],
            keeper: 42,
            writing: Some(odd.join("lock")),
            parted: true,
        };
        assert_eq!(Confinement::from_args(&confinement.to_args()), Ok(confinement));
    }

    #[test]
    fn what_is_not_said_is_the_narrowest_and_what_is_not_known_is_refused() {
        let read = Confinement::from_args(&[]).unwrap();
        assert_eq!((read.walls, read.missing), (Walls::MountsAndLandlock, Missing::Refuse));
        for wrong in ["walls=none", "missing=ignore", "open=/", "writable", "keeper=-1", "variable=X", "beside=/x", ""]
        {
            assert_eq!(Confinement::from_args(&[wrong.into()]), Err(BadConfinement(wrong.into())), "{wrong}");
        }
    }
}
