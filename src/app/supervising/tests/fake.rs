//! A port that keeps its sessions in memory, and a person who answers.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::app::ports::{
    AcceptOutcome, AcceptStep, Accepting, AgentChanges, AgentFile, CleanedUp, Leader, Offer, OfferedFile, OpenForm,
    Picture, Restored, Settling, ToUndo, TurnResult,
};
use crate::app::prompt::{
    Choice, FormAnswer, FormPrompt, Level, ManyPrompt, PickPrompt, Picked, Prompted, ReplyPrompt,
};
use crate::domain::agents::AgentSession;
use crate::domain::agents::acceptance::{AcceptedBy, MayAccept};
use crate::domain::agents::event::Record;
use crate::domain::agents::media::Media;
use crate::domain::agents::preview::Preview;
use crate::domain::agents::profile::Asks;
use crate::domain::agents::receipt::WaitEnd;
use crate::domain::drift::{Kept, Spot, Verification};
use crate::domain::server_form::ServerReply;

pub(super) struct Fake {
    pub(super) remembered: bool,
    pub(super) default: Option<&'static str>,
    pub(super) walls: Walls,
    pub(super) unreadable: Option<AgentHandle>,
    /// Whether a clean-up would lose something.
    pub(super) loses: bool,
    pub(super) sessions: Vec<AgentSession>,
    /// What it was made to do that changes something.
    pub(super) did: RefCell<Vec<String>>,
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            remembered: false,
            default: None,
            walls: Walls::Hold,
            unreadable: None,
            loses: false,
            sessions: Vec::new(),
            did: RefCell::default(),
        }
    }
}

impl Fake {
    pub(super) fn of(played: impl IntoIterator<Item = Played>) -> Self {
        Self { sessions: played.into_iter().map(|played| played.session).collect(), ..Self::default() }
    }

    pub(super) fn did(&self) -> Vec<String> {
        self.did.borrow().clone()
    }

    fn does(&self, what: String) {
        self.did.borrow_mut().push(what);
    }

    fn found(&self, handle: AgentHandle) -> Result<&AgentSession, AppError> {
        let found = self.sessions.iter().find(|session| session.started.handle == handle);
        found.ok_or_else(|| Refusal::SessionNotFound { deed: "nothing was done", handle }.into())
    }

    fn seen(session: &AgentSession) -> SeenSession {
        let live = Some(LiveAgent::default());
        SeenSession { session: session.clone(), live, size: None, half_done: false, newer: None }
    }
}

impl Accepting for Fake {
    fn may_accept(&self) -> Result<MayAccept, AppError> {
        Ok(MayAccept::Person)
    }

    fn offer(&self, handle: AgentHandle) -> Result<Offer, AppError> {
        self.found(handle).map(|_| Offer::default())
    }

    fn difference(&self, _: AgentHandle, _: &Offer, _: &[&OfferedFile]) -> Result<String, AppError> {
        Ok(String::new())
    }

    fn accept(&self, _: AgentHandle, _: &[&OfferedFile], _: &AcceptedBy) -> Result<AcceptOutcome, AppError> {
        Ok(AcceptOutcome::Conflicts(Vec::new()))
    }

    fn to_undo(&self, handle: AgentHandle) -> Result<ToUndo, AppError> {
        Err(Refusal::NoResult { handle, failed: None }.into())
    }

    fn take_back(&self, handle: AgentHandle, _: u32, _: &AcceptedBy) -> Result<AcceptStep, AppError> {
        Err(Refusal::NoResult { handle, failed: None }.into())
    }
}

impl Settling for Fake {
    fn parent_since(&self, _handle: AgentHandle) -> Result<Option<Verification>, AppError> {
        Ok(None)
    }

    fn parent_difference(&self, _handle: AgentHandle, _spot: &Spot) -> Result<String, AppError> {
        Ok(String::new())
    }

    fn parent_copy(&self, _handle: AgentHandle) -> Result<Option<String>, AppError> {
        Ok(None)
    }

    fn parent_kept(&self, _handle: AgentHandle) -> Result<Kept, AppError> {
        Ok(Kept::new())
    }

    fn keep_parent(&self, _handle: AgentHandle, _kept: &Kept) -> Result<(), AppError> {
        Ok(())
    }

    fn parent_back(&self, _handle: AgentHandle, _shown: &Verification, _kept: &Kept) -> Result<Restored, AppError> {
        Ok(Restored::default())
    }

    fn parent_settled(&self, handle: AgentHandle, _kept: Option<&Kept>) -> Result<bool, AppError> {
        self.does(format!("settle {handle}"));
        Ok(true)
    }
}

impl Supervising for Fake {
    fn known(&self, agent: &str) -> Result<Leader, AppError> {
        let (title, command) = ("Claude Code".to_owned(), "claude-agent-acp".to_owned());
        Ok(Leader { name: agent.to_owned(), title, command, asks: Asks::Each })
    }

    fn agreed(&self, _agent: &str) -> Result<bool, AppError> {
        Ok(self.remembered)
    }

    fn agree(&self, agent: &str) -> Result<(), AppError> {
        self.does(format!("agree {agent}"));
        Ok(())
    }

    fn walls(&self) -> Walls {
        self.walls.clone()
    }

    fn ready(&self, _agent: &str, _profile: Profile) -> Result<(), AppError> {
        Ok(())
    }

    fn start(&self, order: &StartOrder<'_>) -> Result<AgentHandle, AppError> {
        let begun = self.did().iter().filter(|did| did.starts_with("start ")).count();
        let bare = match order.within {
            Within::Walls => "",
            Within::WhatThereIs => " without walls",
        };
        self.does(format!("start {} {} {}{bare}", order.agent, order.profile, order.prompt));
        Ok(agent(u32::try_from(begun).unwrap() + 1))
    }

    fn pictures(&self, paths: &[String]) -> Result<Vec<Picture>, AppError> {
        let media = || Media::parse(&format!("{}.png", "1a".repeat(32))).unwrap();
        Ok(paths.iter().map(|path| Picture { media: media(), path: path.clone(), bytes: Vec::new() }).collect())
    }

    fn send(&self, handle: AgentHandle, prompt: &str, _pictures: &[Picture]) -> Result<TurnHandle, AppError> {
        let turn = self.found(handle)?.next_turn()?;
        self.does(format!("send {handle} {prompt}"));
        Ok(turn)
    }

    fn session(&self, handle: AgentHandle) -> Result<SeenSession, AppError> {
        self.found(handle).map(Self::seen)
    }

    fn sessions(&self) -> Result<(Vec<SeenSession>, Vec<UnreadableSession>), AppError> {
        let error = || AppError::Environment {
            code: "damaged",
            message: "line 3 is no record".to_owned(),
            causes: Vec::new(),
            hint: None,
        };
        let unreadable = self.unreadable.map(|handle| UnreadableSession { handle, error: error() });
        Ok((self.sessions.iter().map(Self::seen).collect(), unreadable.into_iter().collect()))
    }

    fn wait(
        &self,
        handle: AgentHandle,
        _turn: Option<TurnHandle>,
        seconds: WaitSeconds,
    ) -> Result<(SeenSession, WaitReceipt), AppError> {
        let seen = self.session(handle)?;
        let end = match (seen.session.asks.is_empty(), seen.session.open_turns().next()) {
            (false, _) => WaitEnd::NeedsPerson,
            (true, Some(_)) => WaitEnd::GoesOn,
            (true, None) => WaitEnd::Before,
        };
        Ok((seen, WaitReceipt::new(seconds, Duration::ZERO, end)))
    }

    fn result(&self, handle: AgentHandle, turn: Option<TurnHandle>) -> Result<TurnResult, AppError> {
        let turn = self.found(handle)?.result_turn(turn)?.handle;
        Ok(TurnResult {
            turn,
            preview: Preview::new(b"all is well", 11),
            path: PathBuf::from("/r/result.md"),
            made: Vec::new(),
        })
    }

    fn changes(&self, handle: AgentHandle) -> Result<AgentChanges, AppError> {
        let base = self.found(handle)?.started.base.clone();
        let one = |letter: char, path: &str, lines| AgentFile { letter, path: path.to_owned(), lines };
        Ok(AgentChanges {
            back: Vec::new(),
            commits: Vec::new(),
            base,
            files: vec![one('M', "src/limit.rs", Some((3, 1))), one('A', "logo.png", None)],
            accepted: BTreeSet::new(),
            left_out: vec![(".env".to_owned(), "brought in by .worktreeinclude")],
            parent: vec!["HEAD moved from 1 to 2".to_owned()],
            patch: Some(PathBuf::from("/r/changes.patch")),
            top: None,
        })
    }

    fn question(&self, _handle: AgentHandle) -> Result<Option<OpenForm>, AppError> {
        Ok(None)
    }

    fn answer(&self, handle: AgentHandle, number: u32, _reply: ServerReply) -> Result<(), AppError> {
        Err(Refusal::AnswerVoid { handle, number }.into())
    }

    fn cancel(&self, handle: AgentHandle, turn: Option<TurnHandle>) -> Result<SeenSession, AppError> {
        let seen = self.session(handle)?;
        let turn = turn.map(|turn| format!(" {turn}")).unwrap_or_default();
        self.does(format!("cancel {handle}{turn}"));
        Ok(seen)
    }

    fn clean_up(&self, handle: AgentHandle, sweep: Sweep) -> Result<CleanedUp, AppError> {
        if self.loses && sweep == Sweep::Kept {
            return Err(AppError::Declined {
                code: NOT_KEPT,
                message: "nothing was removed, since this cannot be kept: disk.img".to_owned(),
                causes: Vec::new(),
                hint: String::new(),
            });
        }
        self.does(match sweep {
            Sweep::Listed => format!("list what {handle} left"),
            Sweep::Kept => format!("clean up {handle}"),
            Sweep::All => format!("clean up all of {handle}"),
        });
        Ok(CleanedUp::default())
    }

    fn log(&self, _handle: AgentHandle, _each: &mut dyn FnMut(&Record)) -> Result<(), AppError> {
        Ok(())
    }
}

/// Whoever makes a request, and what they say when they are asked.
pub(super) struct Person {
    pub(super) actor: Actor,
    pub(super) can_ask: Result<(), String>,
    /// The choice that is taken; a yes to a plain question unless it is `no`.
    pub(super) says: Result<&'static str, Unanswered>,
    pub(super) asked: Vec<String>,
    pub(super) offered: Vec<String>,
}

impl Person {
    fn of(actor: Actor, can_ask: Result<(), String>) -> Self {
        Self { actor, can_ask, says: Ok("once"), asked: Vec::new(), offered: Vec::new() }
    }

    /// A person at a terminal.
    pub(super) fn typing() -> Self {
        Self::of(Actor::Human, Ok(()))
    }

    /// A command whose standard input is a pipe, at a terminal.
    pub(super) fn piped() -> Self {
        Self::of(Actor::Unattended, Ok(()))
    }

    /// A script.
    pub(super) fn nobody() -> Self {
        Self::of(Actor::Unattended, Err("stderr is not a terminal".to_owned()))
    }

    /// A host agent.
    pub(super) fn host() -> Self {
        Self::of(Actor::Agent("codex".to_owned()), Err("this runs under codex".to_owned()))
    }

    fn answers<T>(&mut self, question: &str, answer: impl FnOnce(&'static str) -> T) -> Prompted<T> {
        self.asked.push(question.to_owned());
        match &self.says {
            Ok(says) => Prompted::Answered(answer(says)),
            Err(Unanswered::Cancelled { draft }) => Prompted::Cancelled { draft: draft.clone() },
            Err(Unanswered::Interrupted { draft }) => Prompted::Interrupted { draft: draft.clone() },
            Err(Unanswered::Unavailable(why)) => Prompted::Unavailable(why),
            Err(Unanswered::Lost { draft }) => Prompted::Lost { draft: draft.clone() },
            Err(Unanswered::TimedOut { draft }) => Prompted::TimedOut { draft: draft.clone() },
        }
    }
}

impl Prompter for Person {
    fn available(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn wait_at_most(&mut self, _limit: Option<Duration>) {}

    fn reply(&mut self, _prompt: &ReplyPrompt) -> Prompted<String> {
        Prompted::Unavailable("no text is asked for")
    }

    fn pick(&mut self, _prompt: &PickPrompt) -> Prompted<Picked> {
        Prompted::Unavailable("no list with other words is shown")
    }

    fn form(&mut self, _prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        Prompted::Unavailable("no form is shown")
    }

    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize> {
        self.offered = choices.iter().map(|choice| choice.value.clone()).collect();
        let place = |says: &str| choices.iter().position(|choice| choice.value == says).unwrap();
        self.answers(question, place)
    }

    fn choose_many(&mut self, _prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        Prompted::Unavailable("no list is shown")
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        self.answers(question, |says| says != "no")
    }

    fn notify(&mut self, _message: &str, _level: Level) {}
}
