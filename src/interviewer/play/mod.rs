//! Whole interviews, played against the rules.

use jiff::Timestamp;

mod by_hand;
mod debated;
mod documents;
mod golden;
mod interviews;
mod readings;
mod understood;

use super::*;
use crate::domain::actor::Actor;
use crate::domain::checkpoint::CheckpointSource;
use crate::domain::command::{Command, Reply};
use crate::domain::decide::decide;
use crate::domain::event::{Recorded, Started};
use crate::domain::facts::{Evidence, Finding, Language, ProjectKind, Related, RepoFacts};
use crate::domain::ids::{AnswerId, SessionId};
use crate::domain::interview::Command as Talk;
use crate::domain::settings::{Intensity, Intent, Settings};
use crate::domain::text::{Prose, Topic};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    Recommended,
    Last,
    OwnWords,
    Skips,
    Ignorant,
    Refuses,
}

const PLAYERS: &[Player] =
    &[Player::Recommended, Player::Last, Player::OwnWords, Player::Skips, Player::Ignorant, Player::Refuses];

/// More questions than any interview may have.
const TOO_MANY: usize = 60;

fn at(path: &str, line: u32) -> Evidence {
    Evidence { path: path.to_owned(), lines: Some((line, line)), blob: None }
}

fn finding(what: &str, path: &str) -> Finding {
    Finding { what: what.to_owned(), at: Evidence { path: path.to_owned(), lines: None, blob: None } }
}

/// A Rust service.
fn rich() -> RepoFacts {
    RepoFacts {
        looked: true,
        name: "gateway".to_owned(),
        files: 212,
        truncated: false,
        languages: vec![
            Language { name: "Rust".to_owned(), files: 140, example: at("src/router.rs", 1) },
            Language { name: "Markdown".to_owned(), files: 22, example: at("docs/guide.md", 1) },
        ],
        build: vec![finding("cargo", "Cargo.toml")],
        tests: vec![finding("cargo test", "tests/it/main.rs")],
        ci: vec![finding("GitHub Actions", ".github/workflows/ci.yml")],
        licence: vec![finding("MIT", "LICENSE")],
        readme: Some(Finding { what: "gateway: an HTTP gateway".to_owned(), at: at("README.md", 1) }),
        decisions: vec![Finding { what: "Keep all state in memory".to_owned(), at: at("docs/adr/0003-state.md", 1) }],
        related: vec![
            Related {
                at: at("src/middleware/quota.rs", 41),
                excerpt: "pub fn allow(&self, key: &ApiKey) -> bool {".to_owned(),
                matches: vec!["rate".to_owned()],
            },
            Related {
                at: at("src/config.rs", 118),
                excerpt: "pub requests_per_minute: u32, // limit".to_owned(),
                matches: vec!["limiting".to_owned()],
            },
        ],
        recent: vec!["router: match on the longest prefix".to_owned()],
        ..RepoFacts::default()
    }
}

/// A repository of every kind, and none.
fn repositories() -> Vec<(&'static str, RepoFacts)> {
    let of = |kind, entry: &str| RepoFacts {
        kinds: vec![kind],
        entry_points: vec![finding("where it begins", entry)],
        dependencies: vec![finding("serde", "Cargo.toml"), finding("tokio", "Cargo.toml")],
        ..rich()
    };
    let page = |path: &str| Related {
        at: at(path, 12),
        excerpt: "Limits are agreed on with each customer.".to_owned(),
        matches: vec!["limiting".to_owned()],
    };
    let documents = RepoFacts {
        looked: true,
        name: "handbook".to_owned(),
        files: 60,
        languages: vec![Language { name: "Markdown".to_owned(), files: 58, example: at("ops/runbook.md", 1) }],
        readme: Some(Finding { what: "The handbook".to_owned(), at: at("README.md", 1) }),
        related: vec![page("ops/limits.md"), page("customers/contracts.md")],
        kinds: vec![ProjectKind::Documentation],
        ..RepoFacts::default()
    };
    vec![
        ("none", RepoFacts::default()),
        ("of no known kind", rich()),
        ("library", of(ProjectKind::Library, "src/lib.rs")),
        ("command-line", of(ProjectKind::CommandLine, "src/main.rs")),
        ("service", of(ProjectKind::Service, "src/server.rs")),
        ("frontend", of(ProjectKind::Frontend, "web/index.tsx")),
        ("infrastructure", of(ProjectKind::Infrastructure, "main.tf")),
        ("documentation", documents),
        ("empty", RepoFacts { looked: true, ..RepoFacts::default() }),
    ]
}

fn estimate(session: &Session) -> std::ops::RangeInclusive<u32> {
    Ledger::of(session).estimate()
}

fn inferred_intent(session: &Session) -> Intent {
    Ledger::of(session).intent()
}

struct Game {
    session: Session,
    seq: u64,
    nonce: u64,
}

impl Game {
    fn begin(topic: &str, intent: Intent, intensity: Intensity, facts: RepoFacts) -> Self {
        let topic = Topic::parse(topic).unwrap();
        let when: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let started = Started {
            id: SessionId::new(&topic, when, 7),
            topic,
            settings: Settings { intent, intensity, ..Settings::default() },
            base: None,
            branch: Some("main".to_owned()),
            reported: None,
            no_interview: false,
        };
        let mut game = Self { session: Session::begin(&started, when, 1), seq: 1, nonce: 0 };
        if facts.looked {
            game.change(&Actor::System, &Talk::RecordEvidence(Box::new(facts)).into());
        }
        game
    }

    /// Does a command as the dispatcher would, and composes the checkpoint afterwards.
    fn change(&mut self, by: &Actor, command: &Command) {
        let before = self.session.clone();
        self.apply(by, command);
        if let Some((checkpoint, summary)) = compose(&before, &self.session) {
            let source = CheckpointSource::Interviewer;
            let base = self.session.checkpoint.clone();
            let update: Command = Talk::UpdateCheckpoint { checkpoint, base, summary, source, answer: None }.into();
            self.apply(&Actor::System, &update);
        }
        assert_eq!(compose(&self.session, &self.session), None, "nothing changed");
    }

    fn apply(&mut self, by: &Actor, command: &Command) {
        let when = self.session.updated_at;
        for event in decide(&self.session, by, when, command).unwrap() {
            self.seq += 1;
            let recorded = Recorded { seq: self.seq, at: when, by: by.clone(), event };
            self.session = self.session.clone().evolve(&recorded);
        }
    }

    fn nonce(&mut self) -> u64 {
        self.nonce += 1;
        self.nonce
    }

    /// Asks what is next; `None` at the gate.
    fn ask(&mut self) -> Option<Question> {
        let id = QuestionId::from_nonce(self.nonce());
        let one = next(&self.session, id.clone());
        assert_eq!(one, next(&self.session, id), "same inputs, same question");
        match one {
            Next::Ask(question) => {
                let command: Command = Talk::Ask { question: question.clone(), unchanged: None }.into();
                self.apply(&Actor::System, &command);
                Some(*question)
            }
            Next::Ready(gate) => {
                assert!(gate.rationale.as_str().len() > 20);
                None
            }
        }
    }

    fn answer(&mut self, question: &Question, text: &str) {
        let reply = Reply::Text(Prose::parse("it", text).unwrap());
        self.reply(question, reply);
    }

    fn reply(&mut self, question: &Question, reply: Reply) {
        let id = AnswerId::from_nonce(self.nonce());
        self.change(&Actor::Human, &Talk::Answer { question: question.id.clone(), id, reply, note: None }.into());
    }

    fn move_on(&mut self, player: Player, question: &Question) {
        let alternatives = question.alternatives.as_slice();
        match player {
            Player::Recommended => {
                let value = question.alternatives.recommended().unwrap().value.to_string();
                self.answer(question, &value);
            }
            Player::Last => self.answer(question, &alternatives.last().unwrap().value.to_string()),
            Player::OwnWords => self.answer(question, &format!("probably something fast for users, {}", question.id)),
            Player::Skips => self.change(&Actor::Human, &Talk::Defer { question: question.id.clone() }.into()),
            Player::Ignorant => self.reply(question, Reply::Unknown),
            Player::Refuses => {
                let because = Prose::parse("it", "that is not the point").unwrap();
                self.change(&Actor::Human, &Talk::PushBack { question: question.id.clone(), because }.into());
            }
        }
    }

    fn play(&mut self, player: Player) -> Vec<Question> {
        let mut asked = Vec::new();
        while let Some(question) = self.ask() {
            self.move_on(player, &question);
            asked.push(question);
            assert!(asked.len() < TOO_MANY, "no end in sight");
        }
        asked
    }
}
