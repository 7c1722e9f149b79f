//! The topic that is proposed where none was given.

use std::path::Path;
use std::process::Command;

use git_grill::app::ports::{Process, Ran, Run};
use git_grill::repo::inferred::infer_topic;

use super::Bench;

/// Runs git for real, with the bench's environment.
struct Git<'a>(&'a Bench);

impl Process for Git<'_> {
    fn run(&self, run: &Run) -> std::io::Result<Ran> {
        let output = Command::new(&run.program)
            .args(&run.args)
            .current_dir(run.dir.as_deref().unwrap_or(Path::new(".")))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .envs(&self.0.vars)
            .envs(run.env.iter().cloned())
            .output()?;
        Ok(Ran { code: output.status.code().unwrap_or(128), stdout: output.stdout, stderr: output.stderr })
    }
}

#[test]
fn g2_a_topic_comes_from_the_branch_then_the_changes_then_the_commits() {
    let bench = Bench::with_files(&[("src/limiter.rs", ""), ("same", "x")]);
    let topic = |bench: &Bench| infer_topic(&bench.opened("r"), &Git(bench));
    let from_commit = topic(&bench).unwrap();
    assert_eq!(from_commit.topic.as_str(), "the beginning");
    assert_eq!(from_commit.because, "from the commit 'the beginning'");

    bench.write("r/src/limiter.rs", "fn limit() {}");
    // The same bytes at another time: git would like to note that in the index.
    let touched = std::fs::File::options().append(true).open(bench.path("r/same")).unwrap();
    touched.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1)).unwrap();
    let index = || std::fs::read(bench.path("r/.git/index")).unwrap();
    let before = index();
    let from_changes = topic(&bench).unwrap();
    assert_eq!(from_changes.topic.as_str(), "the changes to src/limiter.rs");
    assert_eq!(before, index(), "looking must not write the index");

    bench.git("r", &["checkout", "-q", "-b", "feature/add-rate-limit"]);
    let from_branch = topic(&bench).unwrap();
    assert_eq!(from_branch.topic.as_str(), "add rate limit");
    assert_eq!(from_branch.because, "from the branch 'feature/add-rate-limit'");

    let empty = Bench::new();
    empty.git(".", &["init", "-q", "-b", "main", "r"]);
    assert_eq!(topic(&empty), None);
}

/// Like [`Git`], where nobody may look at the working tree.
struct Unlooked<'a>(Git<'a>);

impl Process for Unlooked<'_> {
    fn run(&self, run: &Run) -> std::io::Result<Ran> {
        assert!(!run.args.iter().any(|word| word == "status"), "git would wait for ever: {run:?}");
        self.0.run(run)
    }
}

#[test]
fn g2_git_is_not_asked_what_changed_where_a_pipe_stands_for_the_rules_of_our_own_folder() {
    let bench = Bench::with_files(&[("src/limiter.rs", "")]);
    bench.write("r/src/limiter.rs", "fn limit() {}");
    std::fs::create_dir(bench.path("r/.grill")).unwrap();
    let made = Command::new("mkfifo").arg(bench.path("r/.grill/.gitignore")).status().unwrap();
    assert!(made.success());
    let topic = infer_topic(&bench.opened("r"), &Unlooked(Git(&bench))).unwrap();
    assert_eq!(topic.topic.as_str(), "the beginning");
}

/// A repository that was unpacked brings its own `.git/config`.
#[test]
fn g2_to_look_what_changed_runs_no_filter_of_the_repository() {
    for key in ["filter.evil.clean", "filter.evil.process", "filter.a.b.clean", "filter.a=b.clean"] {
        let bench = Bench::with_files(&[("src/limiter.rs", ""), ("same", "x")]);
        let driver = key.strip_prefix("filter.").and_then(|key| key.rsplit_once('.')).unwrap().0;
        bench.write("r/.git/info/attributes", &format!("* filter={driver}\n"));
        bench.git("r", &["config", key, "touch ../ran; cat"]);
        bench.git("r", &["config", &format!("filter.{driver}.required"), "true"]);
        bench.write("r/src/limiter.rs", "fn limit() {}");
        let touched = std::fs::File::options().append(true).open(bench.path("r/same")).unwrap();
        touched.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1)).unwrap();
        let topic = infer_topic(&bench.opened("r"), &Git(&bench)).unwrap();
        assert!(!bench.path("ran").exists(), "{key}");
        // A name that cannot be switched off leaves the contents alone.
        let expected = if driver.contains('=') { "the beginning" } else { "the changes to src/limiter.rs" };
        assert_eq!(topic.topic.as_str(), expected, "{key}");
    }
}
