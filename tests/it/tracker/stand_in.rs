//! A scripted `gh` for faults, and for machines without one. It answers what git grill asks `gh`, from a folder:
//!
//! ```text
//! let gh = StandIn::new(bench.root());
//! bench.run(&format!("{} git grill produce", gh.first_in_path()));
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `log`, `requests` | every call's arguments; method, host and path of every request |
//! | `bodies/<call>` | what was piped into that call |
//! | `login` | who is logged in; nobody without the file |
//! | `repository` | what the host says of any repository, but for its name; none exists without the file, and one that is created makes it |
//! | `labels` | a JSON string a line |
//! | `issues/<number>/` | `user`, `where`, `body` and the `rest` as pieces of JSON |
//! | `switches` | what happens around the n-th creation: `<n> before kill` and so on |
//! | `answers/<method>-<path with _>` | what is said to such a request instead: how often, then the answer |

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What happens around a creation.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// Whoever called is killed at once, with signal 9.
    Kill,
    /// The same, but the call goes on by itself a second later.
    Orphan,
    /// The host says 502.
    Fail,
    /// There is no answer until the caller gives up.
    Hang,
}

/// On which side of the creation.
#[derive(Clone, Copy, Debug)]
pub enum When {
    Before,
    After,
}

/// A `gh` of ours in a folder of its own.
pub struct StandIn {
    folder: PathBuf,
}

impl StandIn {
    /// One below `root`: ada is logged in, every repository takes issues and she may do everything, and there are no
    /// labels or issues.
    pub fn new(root: &Path) -> Self {
        let gh = Self { folder: root.join("stand-in") };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gh/stand-in");
        fs::create_dir_all(gh.bin()).unwrap();
        // A link, so that no other process can have the program open for writing when it is started.
        std::os::unix::fs::symlink(script, gh.bin().join("gh")).unwrap();
        for folder in ["issues", "bodies", "answers"] {
            fs::create_dir_all(gh.store().join(folder)).unwrap();
        }
        for empty in ["log", "requests", "labels", "switches"] {
            gh.set(empty, "");
        }
        gh.set("version", "2.23.0");
        gh.set("login", "ada");
        gh.repository(r#""archived":false,"has_issues":true,"permissions":{"pull":true,"triage":true,"push":true}"#);
        gh
    }

    /// The folder that has to come first in `PATH`.
    pub fn bin(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// `PATH=…`, to be put in front of a shell line.
    pub fn first_in_path(&self) -> String {
        format!("PATH='{}':\"$PATH\"", self.bin().display())
    }

    fn store(&self) -> PathBuf {
        self.folder.join("store")
    }

    pub fn set(&self, file: &str, text: &str) {
        fs::write(self.store().join(file), text).unwrap();
    }

    /// Removes one of its files, such as `login` or `repository`.
    pub fn without(&self, file: &str) {
        fs::remove_file(self.store().join(file)).unwrap();
    }

    /// What the host says of repositories, as the fields of an object.
    pub fn repository(&self, fields: &str) {
        self.set("repository", fields);
    }

    pub fn labels(&self, names: &[&str]) {
        self.set("labels", &lines(names));
    }

    /// Has `fault` happen around the `nth` creation, counted from 1 over the whole life of this stand-in.
    pub fn at_creation(&self, nth: usize, when: When, fault: Fault) {
        let when = match when {
            When::Before => "before",
            When::After => "after",
        };
        let fault = match fault {
            Fault::Kill => "kill",
            Fault::Orphan => "orphan",
            Fault::Fail => "fail",
            Fault::Hang => "hang",
        };
        let before = fs::read_to_string(self.store().join("switches")).unwrap();
        self.set("switches", &format!("{before}{nth} {when} {fault}\n"));
    }

    /// Says `answer` to the next `times` requests of this method and path (without its query): a whole answer that
    /// begins with `HTTP/`, or `hang`, or else what `gh` says on standard error before it fails.
    pub fn say(&self, times: usize, method: &str, path: &str, answer: &str) {
        self.set(&format!("answers/{method}-{}", path.replace('/', "_")), &format!("{times}\n{answer}"));
    }

    /// An issue that `user` opened; `rest` are further fields of its object, beginning with the title.
    pub fn plant(&self, user: &str, body: &str, rest: &str) -> u64 {
        let number =
            fs::read_to_string(self.store().join("numbers")).map_or(0, |text| text.trim().parse().unwrap()) + 1;
        self.set("numbers", &number.to_string());
        fs::create_dir(self.store().join(format!("issues/{number}"))).unwrap();
        let body = serde_json::to_string(body).unwrap();
        for (file, text) in [("user", user), ("where", "octo/links"), ("body", &body), ("rest", rest)] {
            self.set(&format!("issues/{number}/{file}"), text);
        }
        number
    }

    /// Deletes an issue, as somebody with the right to may.
    pub fn delete(&self, number: u64) {
        fs::remove_dir_all(self.store().join(format!("issues/{number}"))).unwrap();
    }

    /// Title and body of every issue that is there, the oldest first.
    pub fn issues(&self) -> Vec<(String, String)> {
        let folder = self.store().join("issues");
        let mut numbers: Vec<u64> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap())
            .collect();
        numbers.sort_unstable();
        let of = |number: u64| {
            let read = |file: &str| fs::read_to_string(folder.join(format!("{number}/{file}"))).unwrap();
            let rest: Value = serde_json::from_str(&format!("{{{}}}", read("rest"))).unwrap();
            let body: String = serde_json::from_str(&read("body")).unwrap();
            (rest["title"].as_str().unwrap().to_owned(), body)
        };
        numbers.into_iter().map(of).collect()
    }

    /// `<method> <host> <path>` of every request so far.
    pub fn requests(&self) -> Vec<String> {
        fs::read_to_string(self.store().join("requests")).unwrap().lines().map(str::to_owned).collect()
    }

    /// The arguments of every call so far.
    pub fn calls(&self) -> Vec<String> {
        fs::read_to_string(self.store().join("log")).unwrap().lines().map(str::to_owned).collect()
    }
}

fn lines(texts: &[&str]) -> String {
    texts.iter().map(|text| serde_json::to_string(text).unwrap() + "\n").collect()
}
