//! What the store's tests stand on: a repository of their own, and sessions that move on step by step.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use git_grill::app::ports::{Appended, Batch, Head, SessionStore};
use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::{Checkpoint, CheckpointSource};
use git_grill::domain::event::{Event, Recorded, Started};
use git_grill::domain::ids::{AnswerId, QuestionId, SessionId};
use git_grill::domain::interview::{Answer, AnswerKind, Event as Talked};
use git_grill::domain::question::{Alternatives, Form, Question, RawAlternative};
use git_grill::domain::session::Session;
use git_grill::domain::settings::Settings;
use git_grill::domain::text::{Line, Prose, Topic};
use git_grill::git::Repo;
use git_grill::repo::open::{RepoEnv, open};
use git_grill::store::commit::{Identity, Person};
use git_grill::store::git::{GitStore, Options};
use jiff::Timestamp;

use super::matrix::Cell;
use crate::bench::template::Recipe;
use crate::bench::{ground, in_path};
use crate::spawning;

/// A repository with one commit, in a folder that goes away.
pub struct Bench {
    pub dir: tempfile::TempDir,
    pub cell: Cell,
}

impl Bench {
    pub fn new() -> Self {
        Self::of(Cell::of_this_run())
    }

    /// A repository of this format, seen from this worktree.
    pub fn of(cell: Cell) -> Self {
        let bench = Self { dir: tempfile::tempdir_in(ground()).unwrap(), cell };
        let main = bench.main();
        std::fs::create_dir_all(&main).unwrap();
        let branch = if cell.linked { "trunk" } else { "main" };
        let init = format!("git init -q -b {branch} {}", cell.formats().join(" "));
        let line = format!("{init} && echo a >a.txt && git add a.txt && git commit -q -m first");
        Recipe { line: &line, variables: IDENTITY }.fill(&main);
        if cell.linked {
            git_in(&main, &["worktree", "add", "-q", "-b", "main", bench.path().to_str().unwrap()]);
        }
        bench
    }

    /// The worktree that the tests work in.
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    /// The main worktree: the same one, or the one that it is linked to.
    fn main(&self) -> PathBuf {
        if self.cell.linked { self.dir.path().join("main") } else { self.path() }
    }

    /// The git directory that all worktrees share.
    pub fn common(&self) -> PathBuf {
        self.main().join(".git")
    }

    /// The git directory of the worktree that the tests work in.
    pub fn git_dir(&self) -> PathBuf {
        if self.cell.linked { self.common().join("worktrees/repo") } else { self.common() }
    }

    pub fn git(&self, args: &[&str]) -> String {
        std::fs::create_dir_all(self.path()).unwrap();
        git_in(&self.path(), args)
    }

    pub fn store(&self) -> GitStore {
        store_in(&self.path())
    }
}

/// Who commits, and when; and nothing of the machine's configuration.
const IDENTITY: &[(&str, &str)] = &[
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_AUTHOR_NAME", "Ada"),
    ("GIT_AUTHOR_EMAIL", "ada@example.com"),
    ("GIT_COMMITTER_NAME", "Ada"),
    ("GIT_COMMITTER_EMAIL", "ada@example.com"),
    ("GIT_AUTHOR_DATE", "1790000000 +0000"),
    ("GIT_COMMITTER_DATE", "1790000000 +0000"),
];

/// Runs git without the machine's configuration; it has to succeed.
pub fn git_in(dir: &Path, args: &[&str]) -> String {
    let (code, out) = try_git(dir, args);
    assert_eq!(code, 0, "git {args:?}: {out}");
    out
}

/// A git that sees nothing of the environment and the configuration of whoever runs the tests.
pub fn isolated_git(dir: &Path) -> Command {
    let mut git = Command::new(in_path("git"));
    git.current_dir(dir).env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", dir);
    git.envs(IDENTITY.iter().copied());
    git
}

/// Runs git; exit code and both outputs.
pub fn try_git(dir: &Path, args: &[&str]) -> (i32, String) {
    let ran = isolated_git(dir).args(args).output().unwrap();
    let text = [ran.stdout, ran.stderr].concat();
    (ran.status.code().unwrap_or(128), String::from_utf8_lossy(&text).into_owned())
}

pub fn store_in(dir: &Path) -> GitStore {
    GitStore::open(repo_in(dir), options())
}

/// The repository, opened as the whole program opens it.
pub fn repo_in(dir: &Path) -> Repo {
    let var = |name: &str| std::env::var_os(name).filter(|_| name == "GRILL_BACKEND");
    let env = RepoEnv { cwd: dir.to_owned(), var: &var, process: spawning::with(&plain_git(dir)) };
    open(&env).unwrap_or_else(|error| panic!("{error}")).repo
}

/// The store that the one who is named keeps.
pub fn store_by(dir: &Path, backend: &str) -> GitStore {
    let var = |name: &str| (name == "GRILL_BACKEND").then(|| backend.into());
    let env = RepoEnv { cwd: dir.to_owned(), var: &var, process: spawning::with(&plain_git(dir)) };
    GitStore::open(open(&env).unwrap_or_else(|error| panic!("{error}")).repo, options())
}

/// What git sees of the machine: nothing.
fn plain_git(home: &Path) -> HashMap<String, OsString> {
    [("GIT_CONFIG_GLOBAL", "/dev/null".into()), ("GIT_CONFIG_NOSYSTEM", "1".into()), ("HOME", home.into())]
        .map(|(name, value): (&str, OsString)| (name.to_owned(), value))
        .into()
}

pub fn options() -> Options {
    Options::new(Identity::of(Person::new("Ada", "ada@example.com")))
}

pub fn at(n: u64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + i64::try_from(n).unwrap()).unwrap()
}

pub fn session_id(n: u64) -> SessionId {
    SessionId::new(&Topic::parse("rate limiting").unwrap(), at(0), n)
}

pub fn recorded(seq: u64, by: Actor, event: Event) -> Recorded {
    Recorded { seq, at: at(seq), by, event }
}

pub fn started(id: &SessionId) -> Recorded {
    recorded(
        1,
        Actor::Human,
        Event::Started(Box::new(Started {
            id: id.clone(),
            topic: Topic::parse("rate limiting: yes or no?").unwrap(),
            settings: Settings::default(),
            base: None,
            branch: Some("main".to_owned()),
            reported: None,
            no_interview: false,
        })),
    )
}

pub fn begin(store: &dyn SessionStore, id: &SessionId) -> (Session, Head) {
    let events = [started(id)];
    let session = Session::replay(&events).unwrap();
    let head = store.create(Batch { events: &events, after: &session, base: None }).unwrap();
    (session, head)
}

pub fn after(session: &Session, events: Vec<(Actor, Event)>) -> (Session, Vec<Recorded>) {
    let mut state = session.clone();
    let mut list = Vec::new();
    for (by, event) in events {
        let one = recorded(state.seq + 1, by, event);
        state = state.evolve(&one);
        list.push(one);
    }
    (state, list)
}

/// Appends events to what is there; nobody may be faster.
pub fn go_on(store: &dyn SessionStore, session: &Session, head: &Head, events: Vec<(Actor, Event)>) -> (Session, Head) {
    let (state, list) = after(session, events);
    let batch = Batch { events: &list, after: &state, base: None };
    match store.append(head, batch).unwrap() {
        Appended::At(head) => (state, head),
        Appended::Moved => panic!("somebody was faster"),
    }
}

pub fn question(n: u64, text: &str) -> Event {
    let choice = |label: &str, recommended| RawAlternative {
        value: format!("{label}, please"),
        label: label.to_owned(),
        description: "because it is simple: no server".to_owned(),
        recommended,
    };
    Talked::QuestionAsked {
        question: Box::new(Question {
            id: QuestionId::from_nonce(n),
            form: Form::Grill,
            text: Prose::parse("it", text).unwrap(),
            dimension: Line::parse("it", "scope").unwrap(),
            probe: None,
            why: Some(Prose::parse("it", "yes").unwrap()),
            alternatives: Alternatives::parse(&[choice("sqlite", true), choice("postgres", false)]).unwrap(),
            evidence: Vec::new(),
            builds_on: Vec::new(),
            purpose: None,
        }),
        unchanged: None,
    }
    .into()
}

pub fn answer(question: u64, n: u64, text: &str, at: Timestamp) -> Event {
    Talked::QuestionAnswered {
        answer: Box::new(Answer {
            id: AnswerId::from_nonce(n),
            question: QuestionId::from_nonce(question),
            kind: AnswerKind::Own,
            text: Prose::parse("it", text).unwrap(),
            note: Some(Prose::parse("it", "single file,\nno server to run").unwrap()),
            by: Actor::Human,
            at,
            read_ms: None,
            chosen: vec![],
            supersedes: Vec::new(),
        }),
    }
    .into()
}

pub fn checkpoint(text: &str) -> Event {
    Talked::CheckpointUpdated {
        checkpoint: Checkpoint::parse(text).unwrap(),
        summary: Line::parse("it", "the store is chosen").unwrap(),
        source: CheckpointSource::Interviewer,
        merged: false,
    }
    .into()
}

/// A session with one open question.
pub fn asked(bench: &Bench) -> (Session, Head) {
    let store = bench.store();
    let (session, head) = begin(&store, &session_id(1));
    go_on(&store, &session, &head, vec![(Actor::System, question(1, "Which?"))])
}
