//! Running a command under watch: every write that it and its children are about to make is a numbered step, at which
//! it can be killed or told that the write failed.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::fs::{File, read_link, read_to_string};
use std::hash::{Hash as _, Hasher as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::kernel::{Asked, Word, watch};
use super::state::nameless;
use crate::bench::{Bench, Output, Running};

/// No watched command takes this long.
const LIMIT: Duration = Duration::from_mins(2);
/// How long nothing is heard of a command that ended before we believe that it left nobody behind.
const SILENCE: Duration = Duration::from_millis(100);

/// A write that was about to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The program: ours, or one that it started.
    pub program: String,
    pub call: &'static str,
    /// What it would change, below the bench's root; two names for a rename or a link.
    pub paths: Vec<PathBuf>,
}

impl Step {
    /// Whether it changes nothing but git's store of objects.
    pub fn is_of_objects(&self) -> bool {
        let stores = ["nowhere/.git/objects", "trunk/.git/objects", "nowhere/objects"];
        self.paths.iter().all(|path| stores.iter().any(|store| path.starts_with(store)))
    }
}

impl Step {
    /// Whether it moves, or is about to move, where a session stands.
    pub fn is_of_sessions(&self) -> bool {
        let names = ["refs/grill/sessions", "reftable/tables.list"];
        self.paths.iter().any(|path| names.iter().any(|name| path.to_string_lossy().contains(name)))
    }

    /// A number for what it does and where: the same in each run, whatever is random in its paths.
    fn name(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        nameless(&self.to_string()).hash(&mut hasher);
        hasher.finish()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<_> = self.paths.iter().map(|path| path.display().to_string()).collect();
        write!(f, "{}: {} {}", self.program, self.call, paths.join(" -> "))
    }
}

/// Which step of a command. The number of a step varies: it depends on which object folders exist already. What the step
/// does, and where, does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The step of this number, from 0.
    Number(usize),
    /// The step of this name, where so many of the same name went before.
    Named {
        /// Made of the name of the step, without what is random in it.
        name: u64,
        /// How many of this name went before.
        nth: usize,
    },
    /// Behind the last one.
    End,
}

impl At {
    pub fn each_of(steps: &[Step]) -> Vec<Self> {
        let mut counts = HashMap::new();
        steps.iter().map(|step| Self::next(&mut counts, step)).collect()
    }

    fn next(counts: &mut HashMap<u64, usize>, step: &Step) -> Self {
        let name = step.name();
        let count = counts.entry(name).or_default();
        *count += 1;
        Self::Named { name, nth: *count - 1 }
    }

    /// Divides steps in two halves, the same ones in each run.
    pub fn is_even(self) -> bool {
        match self {
            Self::Number(at) => at.is_multiple_of(2),
            Self::Named { name, nth } => (name ^ nth as u64).is_multiple_of(2),
            Self::End => true,
        }
    }
}

/// What happens to the step that a test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: the steps are only listed.
    None,
    /// Before this step the command is killed, with all that it started, as by a loss of power.
    KillAt(At),
    /// The same, but what it started goes on to its end, as after `kill -9`.
    KillAloneAt(At),
    /// This step fails with this error number.
    FailAt(At, i32),
    /// From this step on every write below the root that needs room fails: the disk is full.
    FullFrom(At),
    /// From this step on everything that changes a file fails with this error number.
    AllFrom(At, i32),
}

impl Fault {
    pub fn at(self) -> At {
        match self {
            Self::None => At::End,
            Self::KillAt(at)
            | Self::KillAloneAt(at)
            | Self::FailAt(at, _)
            | Self::FullFrom(at)
            | Self::AllFrom(at, _) => at,
        }
    }

    /// A fault as a person types it; none in an empty text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::None);
        }
        let (what, at) = text.split_once('@').unwrap_or(("kill", text));
        let at = At::Number(at.parse().ok()?);
        match what {
            "kill" => Some(Self::KillAt(at)),
            "enospc" => Some(Self::FailAt(at, libc::ENOSPC)),
            "eio" => Some(Self::FailAt(at, libc::EIO)),
            "eacces" => Some(Self::FailAt(at, libc::EACCES)),
            "full" => Some(Self::FullFrom(at)),
            "forbidden" => Some(Self::AllFrom(at, libc::EACCES)),
            _ => None,
        }
    }
}

/// What became of a watched command.
pub struct Watched {
    /// Its steps, including the one at which it was killed.
    pub steps: Vec<Step>,
    pub output: Output,
    met: Option<usize>,
}

impl Watched {
    /// The step at which the fault was, if it came so far.
    pub fn met(&self) -> Option<&Step> {
        self.steps.get(self.met?)
    }
}

/// Runs a shell line in the repository under watch. It should be `exec` and one program, so that no step is the shell's.
pub fn watched(bench: &Bench, line: &str, fault: Fault) -> Watched {
    interrupted(bench, line, fault, |_| {})
}

/// The same, and before each step something else may happen that the command does not know of, but not before the one at
/// which the fault begins.
pub fn interrupted(bench: &Bench, line: &str, fault: Fault, mut meanwhile: impl FnMut(&Step)) -> Watched {
    let mut command = bench.command(line);
    let handover = watch(&mut command).unwrap();
    let mut running = Running::start(command, line, bench.root().to_str().unwrap());
    let listener = handover.take().unwrap();
    let pipes = [1, 2].map(|fd| read_link(format!("/proc/{}/fd/{fd}", running.id())).unwrap());
    let mut steps = Vec::new();
    let (mut counts, mut met) = (HashMap::new(), None);
    let mut killed = false;
    let silence = if matches!(fault, Fault::KillAloneAt(_)) { 20 * SILENCE } else { SILENCE };
    let begun = Instant::now();
    let mut heard = Instant::now();
    loop {
        assert!(begun.elapsed() < LIMIT, "`{line}` did not end; last {:?}", steps.last());
        let asked = match listener.next(SILENCE / 10) {
            Ok(Some(asked)) => asked,
            Ok(None) if !running.is_running() && heard.elapsed() > silence => break,
            Ok(None) => continue,
            Err(error) if error.kind() == std::io::ErrorKind::NotConnected => break,
            Err(error) => panic!("watching `{line}`: {error}"),
        };
        heard = Instant::now();
        if killed {
            kill(asked.thread);
            continue;
        }
        let Some(step) = step(&asked, bench.root(), &pipes) else {
            listener.answer(&asked, Word::Go).unwrap();
            continue;
        };
        let named = At::next(&mut counts, &step);
        let begins = met.is_none() && (fault.at() == named || fault.at() == At::Number(steps.len()));
        if begins {
            met = Some(steps.len());
        } else {
            meanwhile(&step);
        }
        let word = match fault {
            Fault::KillAt(_) if begins => {
                killed = true;
                running.signal(Signal::KILL);
                kill(asked.thread);
                Word::Go
            }
            Fault::KillAloneAt(_) if begins => {
                kill(running.id());
                Word::Go
            }
            Fault::FailAt(_, error) if begins => Word::Fail(error),
            Fault::FullFrom(_) if met.is_some() && needs_room(&step) => Word::Fail(libc::ENOSPC),
            Fault::AllFrom(_, error) if met.is_some() && !is_said(&step) => Word::Fail(error),
            Fault::None
            | Fault::KillAt(_)
            | Fault::KillAloneAt(_)
            | Fault::FailAt(..)
            | Fault::FullFrom(_)
            | Fault::AllFrom(..) => Word::Go,
        };
        steps.push(step);
        if !killed {
            listener.answer(&asked, word).unwrap();
        }
    }
    Watched { steps, output: running.finish(), met }
}

pub fn is_said(step: &Step) -> bool {
    step.paths == [Path::new("<stdout>")] || step.paths == [Path::new("<stderr>")]
}

fn needs_room(step: &Step) -> bool {
    !is_said(step)
        && !matches!(step.call, "unlink" | "unlinkat" | "rmdir" | "chmod" | "fchmod" | "fchmodat" | "ftruncate")
        && !matches!(step.call, "fsync" | "fdatasync")
}

fn kill(thread: u32) {
    let process = rustix::process::Pid::from_raw(i32::try_from(thread).unwrap()).unwrap();
    // It may be gone by now.
    let _ = rustix::process::kill_process(process, Signal::KILL);
}

/// What a call is about to change; none when that is nothing of this bench.
fn step(asked: &Asked, root: &Path, pipes: &[PathBuf; 2]) -> Option<Step> {
    let of = |thread: u32, what: &str| PathBuf::from(format!("/proc/{thread}/{what}"));
    let open = |fd: u64| read_link(of(asked.thread, &format!("fd/{fd}"))).ok();
    let a = asked.arguments;
    let named = |folder: Option<u64>, text: u64| {
        let path = PathBuf::from(text_at(asked.thread, text)?);
        let here = match folder.map(number) {
            None | Some(libc::AT_FDCWD) => read_link(of(asked.thread, "cwd")).ok()?,
            Some(fd) => read_link(of(asked.thread, &format!("fd/{fd}"))).ok()?,
        };
        Some(plain(&here.join(path)))
    };
    let paths: Vec<PathBuf> = match asked.name {
        "open" | "creat" | "truncate" | "unlink" | "rmdir" | "mkdir" | "chmod" => vec![named(None, a[0])?],
        "openat" | "openat2" | "unlinkat" | "mkdirat" | "fchmodat" => vec![named(Some(a[0]), a[1])?],
        "rename" | "link" => vec![named(None, a[0])?, named(None, a[1])?],
        "symlink" => vec![named(None, a[1])?],
        "symlinkat" => vec![named(Some(a[1]), a[2])?],
        "renameat" | "renameat2" | "linkat" => vec![named(Some(a[0]), a[1])?, named(Some(a[2]), a[3])?],
        "write" | "writev" | "pwrite64" | "pwritev" | "pwritev2" | "ftruncate" | "fallocate" | "fchmod" | "fsync"
        | "fdatasync" => vec![open(a[0])?],
        "copy_file_range" => vec![open(a[2])?],
        "sendfile" => vec![open(a[0])?],
        other => panic!("a call that nobody listed: {other}"),
    };
    let ours = |path: &PathBuf| match pipes.iter().position(|pipe| pipe == path) {
        Some(0) => Some(PathBuf::from("<stdout>")),
        Some(_) => Some(PathBuf::from("<stderr>")),
        None => path.strip_prefix(root).ok().map(Path::to_owned),
    };
    let paths: Option<Vec<PathBuf>> = paths.iter().map(ours).collect();
    let program = read_to_string(of(asked.thread, "comm")).unwrap_or_default().trim().to_owned();
    let step = Step { program, call: asked.name, paths: paths? };
    // Of a host that the tests play only this counts, that an issue is there from now on.
    let played = |path: &PathBuf| path.starts_with("stand-in");
    let appears =
        step.call.starts_with("rename") && step.paths[1].parent().is_some_and(|above| above.ends_with("issues"));
    let counts = !step.paths.iter().any(played) || appears;
    counts.then_some(step)
}

/// A file's number, of which the kernel reads the lower half.
fn number(argument: u64) -> i32 {
    u32::try_from(argument & u64::from(u32::MAX)).unwrap().cast_signed()
}

/// A path without `.` and `..`, which the kernel would walk and we only compare.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A string in the memory of a process that waits.
fn text_at(thread: u32, address: u64) -> Option<String> {
    let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
    let mut text = Vec::new();
    while text.len() < 8192 {
        // Never past a page at once: the next one may not be there.
        let start = address + u64::try_from(text.len()).unwrap();
        let mut bytes = vec![0; usize::try_from(4096 - start % 4096).unwrap().min(256)];
        let got = memory.read_at(&mut bytes, start).ok()?;
        if let Some(end) = bytes[..got].iter().position(|byte| *byte == 0) {
            text.extend(&bytes[..end]);
            return String::from_utf8(text).ok();
        }
        text.extend(&bytes[..got]);
    }
    None
}
