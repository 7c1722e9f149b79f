//! The context: everything that a surface has at hand while it serves one request.

use std::path::PathBuf;

use crate::domain::actor::Actor;
use crate::domain::checkpoint::CheckpointSource;
use crate::domain::command::Command;
use crate::domain::ids::SessionId;
use crate::domain::interview;
use crate::domain::packet_limit::PacketLimit;
use crate::domain::posture::{FenceStands, Fencing};
use crate::domain::production::{Target, TargetPath};
use crate::domain::session::Session;
use crate::domain::settings::Settings;
use crate::domain::text::Line;

use super::dispatcher::{Dispatcher, Envelope};
use super::error::{AppError, not_granted_here};
use super::ports::extensions::Extensions;
use super::ports::{
    Baseline, CheckpointView, Checks, Citations, Commits, Examination, Histories, HooksReport, LastShown, Leading,
    Mending, Scout, Supervising, TargetFiles, Tracker,
};
use super::prompt::Prompter;
use super::reply::{HooksMore, Outcome, Progress, Protection, Reply};
use super::settling::World;

/// Installs and takes away what refuses changes by git itself.
pub trait Guardian {
    /// Arms it for the session that is active in this worktree.
    fn arm(&self) -> Result<Protection, AppError>;
    /// Disarms it, the fence too; what could not be taken away.
    fn disarm(&self) -> Result<Vec<String>, AppError>;
    /// Whether a fence could be raised here, if one is wanted; waits for a git that runs. Nothing is held yet.
    fn ready(&self, fencing: Fencing) -> Result<(), AppError>;
    /// Protects a session that is active by now: raises the fence if one is wanted or was up before, arms, and has git
    /// try what must be refused. After an error the fence is down again.
    fn hold(&self, session: &Session, fencing: Fencing) -> Result<Protection, AppError>;
    /// Makes a fence follow the phase: down for the output, up again for the interview.
    fn follow(&self, session: &Session) -> Result<(), AppError>;
    fn fence(&self) -> Result<FenceStands, AppError>;
    /// Lets our own restore through, for whatever is in its way.
    fn lift(&self) -> Result<(), AppError>;
    /// Stands again as before [`Guardian::lift`]; called after it in any case.
    fn again(&self) -> Result<(), AppError>;
}

/// Examines the repository, and mends what it can.
pub trait Physician {
    /// Examines it; of sessions, what they hold now.
    fn examine(&self, mending: Mending) -> Result<Examination, AppError>;
    /// Walks the histories of sessions, commit by commit.
    fn walk(&self, histories: Histories<'_>, mending: Mending) -> Result<Examination, AppError>;
    fn hooks(&self, trying: Trying) -> Result<(HooksReport, HooksMore), AppError>;
}

/// Whether git is made to try what must be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trying {
    Look,
    /// It tries; nothing changes even if it is let through.
    Try,
}

/// What the user edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// How it is called where it was not edited.
    pub what: String,
    /// How the name of its file ends, by which an editor knows the language.
    pub ending: String,
}

impl Subject {
    pub fn checkpoint() -> Self {
        Self { what: "the checkpoint".to_owned(), ending: ".md".to_owned() }
    }

    pub fn draft(target: &Target) -> Self {
        let plain = |letter: char| if letter.is_alphanumeric() || "._-".contains(letter) { letter } else { '-' };
        let name: String = target.to_string().chars().map(plain).collect();
        // What tells one file from another stands at the end, and no file system takes names without an end.
        let short: String = name.chars().skip(name.chars().count().saturating_sub(60)).collect();
        let markdown = if target.slot().is_some() { ".md" } else { "" };
        Self { what: format!("the draft of {target}"), ending: format!("-{short}{markdown}") }
    }
}

pub trait Editor {
    /// Lets the user edit `text`; what they saved. The file stays until it is forgotten: it holds what was typed. Where
    /// the editor fails it stays too, and no later edit takes it.
    fn edit(&self, subject: &Subject, text: &str) -> Result<String, AppError>;
    /// Takes the file away: what it held is recorded, or nobody wants it.
    fn forget(&self, subject: &Subject);
    /// Keeps a text that could not be taken, in a file that no later edit takes; the file.
    fn keep(&self, subject: &Subject, text: &str) -> Result<PathBuf, AppError>;
}

/// Files that the person names, anywhere on this machine.
pub trait Elsewhere {
    fn read(&self, file: &str) -> Result<String, AppError>;
    /// The text of a regular file of at most so many bytes. Anything else is refused at once, since a pipe without a writer
    /// never ends; the error then has this hint.
    fn read_regular(&self, file: &str, most: u64, hint: &str) -> Result<String, AppError>;
    fn stands(&self, path: &str) -> Stands;
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    Nothing,
    Folder,
    /// A file, or what is neither.
    File,
}

/// Shows replies while a request is still being served, as the interactive loop needs.
pub trait Voice {
    fn say(&mut self, reply: &Reply) -> Result<(), AppError>;
    /// Says that something on the side failed while the request itself is done; the same thing is said once.
    fn warn(&mut self, error: &AppError);
    /// Says how far work is that takes a while and that others can see already.
    fn progress(&mut self, step: &Progress);
    /// Shows an error and goes on.
    fn complain(&mut self, error: &AppError) -> Result<(), AppError>;
    /// The one-line status of a session, for below a prompt.
    fn status_line(&self, session: &Session) -> String;
    /// Markdown that an agent wrote, in lines that are laid out and harmless; so many columns stay free beside them.
    fn prose(&self, markdown: &str, beside: usize, at: At) -> Vec<String>;
}

/// Where lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// With what is followed or asked.
    Prompt,
    Reply,
}

/// Guesses a topic from what the repository is about just now (G2): the topic and where it came from.
pub type Inference<'a> = dyn Fn() -> Option<(String, String)> + 'a;

/// What a surface has at hand.
pub struct Context<'a> {
    pub dispatcher: Dispatcher<'a>,
    /// The working tree's view; none in a bare repository.
    pub view: Option<&'a dyn CheckpointView>,
    pub scout: &'a dyn Scout,
    /// Looks up the places that somebody cites.
    pub citations: &'a dyn Citations,
    /// The files that outputs are written to; none in a bare repository.
    pub targets: Option<&'a dyn TargetFiles>,
    pub tracker: &'a dyn Tracker,
    /// Commits what was written; none in a bare repository.
    pub commits: Option<&'a dyn Commits>,
    /// Refuses changes by git itself.
    pub guardian: &'a dyn Guardian,
    pub physician: &'a dyn Physician,
    /// What the repository looked like at the start.
    pub baseline: &'a dyn Baseline,
    pub extensions: &'a dyn Extensions,
    /// Runs the checks of a plan, and the commands that play a role in a debate; none in a bare repository.
    pub checks: Option<&'a dyn Checks>,
    pub editor: &'a dyn Editor,
    /// Files that the person names.
    pub elsewhere: &'a dyn Elsewhere,
    pub inference: &'a Inference<'a>,
    /// Reads standard input to its end.
    pub input: &'a dyn Fn() -> Result<String, AppError>,
    pub prompter: &'a mut dyn Prompter,
    pub voice: &'a mut dyn Voice,
    pub actor: Actor,
    /// The settings a new session starts with (G4).
    pub defaults: Settings,
    /// The checkpoint versions that agents last saw.
    pub shown: &'a dyn LastShown,
    /// The agents that can be started to lead; none where this was built without them, or a program asks.
    pub leading: Option<&'a mut dyn Leading>,
    /// The agents that are supervised here; none where this was built without them, or inside a run.
    pub supervising: Option<&'a dyn Supervising>,
    /// The agent that leads new sessions, unless the request says otherwise.
    pub leader: Option<String>,
    /// Whether sessions get a fence unless the request says otherwise.
    pub fencing: Fencing,
    /// The bound of the packet by which an agent goes on.
    pub packet_limit: PacketLimit,
    /// The agent that is lent work, unless the request says otherwise.
    pub lent_agent: Option<String>,
    pub branch: Option<String>,
}

impl Context<'_> {
    pub fn active(&self) -> Result<SessionId, AppError> {
        self.dispatcher.store.active()?.ok_or(AppError::NoSession)
    }

    /// The active session, with what was edited in the working tree taken in (G25). One that has ended is none, even
    /// while a crash left it pointed to.
    pub fn session(&mut self) -> Result<Session, AppError> {
        let session = self.pointed_to()?;
        if session.is_closed() {
            return Err(AppError::NoSession);
        }
        let session = self.acknowledge(session);
        self.take_in(session)
    }

    /// Records and says what of the session does not count in this clone. It does not count whether that can be recorded
    /// or not.
    fn acknowledge(&mut self, session: Session) -> Session {
        let Some(lapse) = &session.unmarked else {
            return session;
        };
        self.voice.warn(&not_granted_here(lapse));
        if self.dispatcher.outside.is_some() {
            return session;
        }
        match self.dispatcher.acknowledge(&session.id) {
            Ok(outcome) => {
                self.recorded(&outcome);
                outcome.after
            }
            Err(error) => {
                self.voice.warn(&error);
                session
            }
        }
    }

    /// The session that this worktree points to, ended or not, and nothing taken in.
    pub fn pointed_to(&self) -> Result<Session, AppError> {
        Ok(self.dispatcher.store.load(&self.active()?)?.session)
    }

    /// Takes an edit of the working tree's checkpoint in; recorded as unattended, since nobody saw who made it.
    fn take_in(&mut self, session: Session) -> Result<Session, AppError> {
        let Some(view) = self.view else {
            return Ok(session);
        };
        let edited = match view.edited(&session.checkpoint) {
            Ok(edited) => edited,
            Err(error) => {
                self.voice.warn(&AppError::from(error));
                return Ok(session);
            }
        };
        let Some(edit) = edited else {
            return Ok(session);
        };
        let command: Command = interview::Command::UpdateCheckpoint {
            checkpoint: edit.text,
            base: edit.base,
            summary: Line::clipped("Checkpoint edited in the working tree"),
            source: CheckpointSource::WorkingTree,
            answer: None,
        }
        .into();
        let envelope = Envelope { actor: Actor::Unattended, command };
        let outcome = match self.dispatcher.handle(&session.id, &envelope) {
            Ok(outcome) => outcome,
            // It stays in the file, and is said at every command until it can be taken.
            Err(error) if matches!(error.interview(), Some(interview::Refusal::CheckpointMoved)) => {
                self.voice.warn(&error);
                return Ok(session);
            }
            Err(error) => return Err(error),
        };
        view.taken();
        self.recorded(&outcome);
        Ok(outcome.after)
    }

    /// Decides on `command` by whoever is behind this request, and shows the new state in the working tree.
    pub fn handle(&mut self, id: &SessionId, command: Command) -> Result<Outcome, AppError> {
        let outcome = self.record(id, command)?;
        self.recorded(&outcome);
        Ok(outcome)
    }

    /// Decides on wishes of several actors as one, and shows the new state. For surfaces that know who each of them is:
    /// who answered at the prompt is not who asked.
    pub fn handle_each(&mut self, id: &SessionId, envelopes: &[Envelope]) -> Result<Outcome, AppError> {
        let outcome = self.dispatcher.handle_each(id, envelopes)?;
        self.recorded(&outcome);
        Ok(outcome)
    }

    fn record(&self, id: &SessionId, command: Command) -> Result<Outcome, AppError> {
        self.dispatcher.handle(id, &Envelope { actor: self.actor.clone(), command })
    }

    /// Lets the built-in interviewer go on, and shows the new state.
    pub fn advance(&mut self, id: &SessionId) -> Result<Outcome, AppError> {
        let outcome = self.dispatcher.advance(id, &|cited| self.scout.recheck(cited))?;
        self.recorded(&outcome);
        Ok(outcome)
    }

    /// The same, and lets the built-in interviewer go on from there. When that fails the command is recorded all the
    /// same and must not be taken for one that is not: it is a warning, and `git grill next` tries again.
    pub fn handle_and_advance(&mut self, id: &SessionId, command: Command) -> Result<Outcome, AppError> {
        let outcome = self.record(id, command)?;
        let outcome = match self.dispatcher.advance(id, &|cited| self.scout.recheck(cited)) {
            Ok(further) => outcome.then(further),
            Err(error) => {
                self.voice.warn(&error);
                outcome
            }
        };
        self.recorded(&outcome);
        Ok(outcome)
    }

    /// Writes what is approved, and creates the issues that are.
    pub fn settle(&mut self, id: &SessionId) -> Result<(Outcome, Vec<TargetPath>), AppError> {
        let Some(files) = self.targets else {
            return Err(no_working_tree());
        };
        let voice = &mut *self.voice;
        let mut progress = |step: &Progress| voice.progress(step);
        let mut world = World { files, tracker: self.tracker, progress: &mut progress };
        let settled = self.dispatcher.settle(id, &mut world);
        // What broke off half-way has recorded what it did until then.
        let outcome = match &settled {
            Ok(outcome) => outcome.clone(),
            Err(_) => Outcome::nothing(self.dispatcher.store.load(id)?.session),
        };
        self.recorded(&outcome);
        // The files are written; a baseline that does not know them yet is told at the next comparison.
        if let Err(error) = self.expect(&outcome.after) {
            self.voice.warn(&error);
        }
        let outcome = settled?;
        let paths = outcome.events.iter().filter_map(|recorded| recorded.event.facets().written.cloned()).collect();
        Ok((outcome, paths))
    }

    /// Something was recorded: the marks are noted, and the working tree shows it.
    pub(super) fn recorded(&mut self, outcome: &Outcome) {
        self.note(outcome);
        self.show(&outcome.after);
    }

    /// Shows the session in the working tree, and lets the fence follow it. A view that cannot be written is a warning: the history has it all.
    fn show(&mut self, session: &Session) {
        // One that ended is left by whoever ended it, in the order of disarming.
        if !session.is_closed()
            && let Err(error) = self.guardian.follow(session)
        {
            self.voice.warn(&error);
        }
        let Some(view) = self.view.filter(|_| !session.is_closed()) else {
            return;
        };
        if let Err(error) = view.show(session) {
            self.voice.warn(&AppError::from(error));
        }
    }

    /// Whether a person can be asked, and if not, why not.
    pub fn can_ask(&self) -> Result<(), String> {
        match &self.actor {
            Actor::Agent(name) => Err(format!("this runs under {name}")),
            Actor::Human | Actor::Unattended | Actor::System => self.prompter.available().map_err(str::to_owned),
        }
    }

    /// Checks that a person can be asked, for `deed`; `hint` says how it can be said otherwise.
    pub fn need_person(&self, deed: &str, hint: &str) -> Result<(), AppError> {
        self.can_ask().map_err(|why| AppError::NeedsPerson { deed: deed.to_owned(), why, hint: hint.to_owned() })
    }
}

/// Outputs are files in a working tree.
pub fn no_working_tree() -> AppError {
    AppError::Environment {
        code: "no_working_tree",
        message: "no file can be written: this repository has no working tree".to_owned(),
        causes: Vec::new(),
        hint: Some("git worktree add ../work, and run it there".to_owned()),
    }
}
