//! A host for the real `gh`: `fixtures/gh/host.mjs`, started for one test, with a certificate made for it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use git_grill::tracker::Gh;
use serde_json::{Value, json};

use super::spawned::Spawned;
use crate::bench::{Bench, Output};

const NAMES: &str = "DNS:api.github.com,DNS:github.com,DNS:git.example.org";

/// The variables by which `gh` reaches our host and no other.
const OURS: &[&str] = &["GH_CONFIG_DIR", "GH_TOKEN", "HTTPS_PROXY", "HTTP_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The real `gh` in a throw-away home, a host of ours behind it, and a repository.
pub struct Host {
    pub bench: Bench,
    pub process: Spawned,
    settings: Value,
    server: Child,
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Host {
    /// A host where the repository octo/links takes issues, and ada is logged in by a dummy token and may write.
    pub fn new() -> Self {
        Self::with(&json!({ "issues": [], "labels": [] }))
    }

    /// The same with issues and labels that are there already.
    pub fn with(begin: &Value) -> Self {
        let bench = Bench::new();
        let folder = bench.root().join("host");
        fs::create_dir_all(folder.join("config")).unwrap();
        let settings = json!({
            "tokens": { "dummy": "ada", "other": "eve" },
            "repository": {
                "full_name": "octo/links", "archived": false, "has_issues": true,
                "permissions": { "admin": false, "maintain": false, "push": true, "triage": true, "pull": true },
            },
            "renamed": {}, "faults": [], "unreachable": false, "late": 0,
        });
        fs::write(folder.join("begin.json"), begin.to_string()).unwrap();
        fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
        fs::write(folder.join("log"), "").unwrap();
        certificate(&folder, "key.pem", "cert.pem");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gh/host.mjs");
        let mut server = Command::new("node")
            .arg(script)
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node is missing; apt-get install nodejs");
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let process = Spawned { variables: variables(&bench, &folder, port.trim()) };
        Self { bench, process, settings, server }
    }

    pub fn gh(&self) -> Gh<'_> {
        Gh::new(&self.process, self.bench.repo(), None)
    }

    /// Runs `git-grill` with these arguments, and what follows them in a shell, where `gh` reaches the host.
    pub fn grill(&self, line: &str) -> Output {
        let variables = self.process.variables.iter().filter(|(name, _)| OURS.contains(&name.as_str()));
        let all: String =
            variables.map(|(name, value)| format!("export {name}='{}'; ", value.to_str().unwrap())).collect();
        let gh = self.gh_folder();
        self.bench.run(&format!("{all}PATH='{}':\"$PATH\"; git-grill {line}", gh.display()))
    }

    fn gh_folder(&self) -> PathBuf {
        let path = self.value("PATH");
        std::env::split_paths(&path).next().unwrap()
    }

    /// The file that every connection and request is noted in.
    pub fn log_file(&self) -> PathBuf {
        self.folder().join("log")
    }

    fn folder(&self) -> PathBuf {
        self.bench.root().join("host")
    }

    /// Changes one setting of the host, by its JSON pointer.
    pub fn set(&mut self, pointer: &str, value: Value) {
        *self.settings.pointer_mut(pointer).unwrap() = value;
        let new = self.folder().join("settings.new");
        fs::write(&new, self.settings.to_string()).unwrap();
        fs::rename(new, self.folder().join("settings.json")).unwrap();
    }

    pub fn setting(&self, pointer: &str) -> Value {
        self.settings.pointer(pointer).unwrap().clone()
    }

    pub fn value(&self, name: &str) -> String {
        let found = self.process.variables.iter().find(|(there, _)| there == name);
        found.unwrap().1.to_str().unwrap().to_owned()
    }

    /// Has the next request `on` (`GET /user`) fail like this; `after` does what was asked first.
    pub fn fault(&mut self, on: &str, fault: &Value) {
        let mut one = json!({ "id": self.log().len().to_string(), "on": on, "times": 1 });
        one.as_object_mut().unwrap().extend(fault.as_object().unwrap().clone());
        self.set("/faults", json!([one]));
    }

    /// Sets a variable of `gh`, or takes it away.
    pub fn variable(&mut self, name: &str, value: Option<&str>) {
        self.process.variables.retain(|(there, _)| there != name);
        self.process.variables.extend(value.map(|value| (name.to_owned(), value.into())));
    }

    pub fn configure(&self, file: &str, text: &str) {
        fs::write(self.folder().join("config").join(file), text).unwrap();
    }

    /// A certificate that is not the host's: who trusts it alone does not trust the host.
    pub fn foreign_certificate(&self) -> String {
        certificate(&self.folder(), "other-key.pem", "other.pem");
        self.folder().join("other.pem").to_str().unwrap().to_owned()
    }

    pub fn state(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.folder().join("state.json")).unwrap()).unwrap()
    }

    /// Every connection and request so far.
    pub fn log(&self) -> Vec<String> {
        fs::read_to_string(self.folder().join("log")).unwrap().lines().map(str::to_owned).collect()
    }

    /// `<method> <path>` of every request so far, without the query.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.log().into_iter().filter(|line| !line.starts_with("CONNECT") && !line.starts_with("FAULT"));
        let short = |line: String| {
            let mut words = line.split(' ');
            let (method, path) = (words.next().unwrap(), words.nth(1).unwrap());
            format!("{method} {}", path.split('?').next().unwrap())
        };
        requests.map(short).collect()
    }
}

/// The environment of `gh`: a home and a configuration of its own, a dummy token, and every connection by our proxy.
fn variables(bench: &Bench, folder: &Path, port: &str) -> Vec<(String, std::ffi::OsString)> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/ci-tools");
    let bin = std::env::var_os("GRILL_GH").map_or_else(|| tools.join("gh/bin"), PathBuf::from);
    assert!(bin.join("gh").exists(), "gh is missing; install it with: .ci/gh");
    // It is started in other folders than ours.
    let bin = bin.canonicalize().unwrap();
    let mut all: Vec<(String, std::ffi::OsString)> = Vec::new();
    for (name, value) in bench.environment() {
        let value = if name == "PATH" {
            let path = std::iter::once(bin.clone()).chain(std::env::split_paths(&value));
            std::env::join_paths(path).unwrap()
        } else {
            value
        };
        all.push((name.to_owned(), value));
    }
    for (name, value) in [
        ("GH_CONFIG_DIR", folder.join("config").into_os_string()),
        ("GH_TOKEN", "dummy".into()),
        ("HTTPS_PROXY", format!("http://127.0.0.1:{port}").into()),
        ("HTTP_PROXY", format!("http://127.0.0.1:{port}").into()),
        ("SSL_CERT_FILE", folder.join("cert.pem").into_os_string()),
        ("SSL_CERT_DIR", folder.join("config").into_os_string()),
    ] {
        all.push((name.to_owned(), value));
    }
    all
}

/// Makes a key and a certificate that vouches for itself.
fn certificate(folder: &Path, key: &str, certificate: &str) {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=a host of the tests", "-addext", &format!("subjectAltName={NAMES}")])
        .arg("-keyout")
        .arg(folder.join(key))
        .arg("-out")
        .arg(folder.join(certificate))
        .stderr(Stdio::null())
        .status()
        .expect("openssl is missing; apt-get install openssl");
    assert!(made.success());
}
