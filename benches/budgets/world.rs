//! A folder to measure in: repositories of its own, a home of its own, nothing of the machine's configuration.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Ours, as it is released: `benches/run` says where that is, and it comes first on the path.
pub const GRILL: &str = "git-grill";
const RELEASE: &str = "GRILL_RELEASE";
const LINKED: &str = "GRILL_LINKED";

const CONFIG: &str = "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n\
                      [maintenance]\n\tauto = false\n[grill]\n\tapproval = script\n";
const NOTHING: &str = "int main(void) { return 0; }\n";
const NO: &str = "int main(void) { return 1; }\n";

/// Where everything is measured.
pub struct World {
    temp: TempDir,
    home: PathBuf,
    path: OsString,
    linked: String,
    starts: String,
}

impl World {
    pub fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = temp.path().join("home");
        fs::create_dir(&home).unwrap();
        fs::write(home.join(".gitconfig"), CONFIG).unwrap();
        let release = std::env::var_os(RELEASE).expect("benches/run builds what is measured, and says where it is");
        let linked = std::env::var(LINKED).unwrap_or_default();
        let starts = Path::new(&release).join("examples/git-grill").display().to_string();
        let mut path = release;
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let world = Self { temp, home, path, linked, starts };
        world.compile("nothing", NOTHING);
        world.compile("no", NO);
        world
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// The program that starts sessions which a script approves: it takes the account from this world (`tests/account`).
    pub fn starts(&self) -> &str {
        &self.starts
    }

    /// A program that does nothing, and ends well.
    pub fn nothing(&self) -> String {
        self.path("nothing").display().to_string()
    }

    /// One that does nothing, and says no.
    pub fn no(&self) -> String {
        self.path("no").display().to_string()
    }

    /// The smallest process that there is; linked as we are, so that a loader is part of both or of neither.
    fn compile(&self, name: &str, source: &str) {
        let file = self.path(&format!("{name}.c"));
        fs::write(&file, source).unwrap();
        let mut words = vec!["-O2", "-o"];
        if self.linked == "static" {
            words.insert(0, "-static");
        }
        let ran = Command::new("cc").args(&words).arg(self.path(name)).arg(&file).status().unwrap();
        assert!(ran.success(), "cc compiles nothing");
    }

    /// A program with nothing of this machine's settings.
    pub fn command(&self, program: &Path, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(dir).env_clear().stdin(Stdio::null());
        command.env("PATH", &self.path).env("HOME", &self.home).env("GRILL_TEST_HOME", &self.home);
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", self.home.join(".gitconfig"));
        command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        command
    }

    /// What a program says; it has to end well.
    pub fn run(&self, dir: &Path, words: &[&str]) -> String {
        self.fed(dir, words, "")
    }

    /// The same, with something to read.
    pub fn fed(&self, dir: &Path, words: &[&str], input: &str) -> String {
        let path = self.path("input");
        fs::write(&path, input).unwrap();
        let mut command = self.command(Path::new(words[0]), dir);
        let ran = command.args(&words[1..]).stdin(fs::File::open(&path).unwrap()).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{words:?}: {said}{}", String::from_utf8_lossy(&ran.stderr));
        said
    }

    pub fn shell(&self, dir: &Path, line: &str) -> String {
        self.run(dir, &["sh", "-c", line])
    }

    /// A repository with one commit of a few files.
    pub fn repository(&self, name: &str) -> PathBuf {
        let dir = self.path(name);
        fs::create_dir(&dir).unwrap();
        let line = "git init -q && mkdir docs && echo one >docs/one.md && echo two >two.txt && git add . && \
                    git commit -q -m one";
        self.shell(&dir, line);
        dir
    }

    /// One with a session in its main worktree and so many answers.
    pub fn session(&self, name: &str, answers: usize) -> PathBuf {
        let dir = self.repository(name);
        self.run(&dir, &[&self.starts, "start", "--research", "off", "rate limiting"]);
        for number in 0..answers {
            self.run(&dir, &[GRILL, "answer", &format!("at most {number}0 requests each second for each key")]);
        }
        dir
    }

    pub fn machine(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let git = self.run(self.temp.path(), &["git", "--version"]);
        let kernel = self.run(self.temp.path(), &["uname", "-sm"]);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default();
        let linked = &self.linked;
        format!("{cores} cores, {}, {}, {linked} release build; load {load}", kernel.trim(), git.trim())
    }
}
