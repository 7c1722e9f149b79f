//! `grill_agent`, by which a host agent lends work to another agent (A1). Its actions and the fields of each are a closed
//! table. A call names no program, no words for one, no variable and no folder.

use serde::Deserialize;

use super::Tool;
use super::bad_request::BadRequest;
use crate::domain::agents::media::MOST_MEDIA;
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::WaitSeconds;
use crate::domain::agents::request::{AgentRequest, StartsAt};
use crate::domain::agents::{AgentHandle, TurnHandle};
use crate::domain::harmless::on_one_line;
use crate::domain::text::within;

/// Characters of a foreign word that an error repeats, and the most of an agent's name.
const REPEATED: usize = 40;

/// What `grill_agent` is called with, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentToolRequest {
    #[serde(default)]
    pub action: String,
    pub session: Option<String>,
    pub turn: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    pub profile: Option<String>,
    pub prompt: Option<String>,
    /// Absolute paths of pictures.
    pub media: Option<Vec<String>>,
    pub wait_seconds: Option<u64>,
    pub confirm_provider_use: Option<bool>,
    pub dry_run: Option<bool>,
}

/// A field beside the action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Session,
    Turn,
    Agent,
    Profile,
    Prompt,
    Media,
    Wait,
    Confirmation,
    DryRun,
}

impl Field {
    fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Turn => "turn",
            Self::Agent => "agent",
            Self::Profile => "profile",
            Self::Prompt => "prompt",
            Self::Media => "media",
            Self::Wait => "wait_seconds",
            Self::Confirmation => "confirm_provider_use",
            Self::DryRun => "dry_run",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Start,
    Send,
    Status,
    Result,
    Changes,
    Cancel,
    Cleanup,
}

/// An action, its name, and the fields that it takes.
type Takes = (Action, &'static str, &'static [Field]);

const ACTIONS: [Takes; 7] = [
    (Action::Start, "start", &[Field::Agent, Field::Profile, Field::Prompt, Field::Media, Field::Confirmation]),
    (Action::Send, "send", &[Field::Session, Field::Prompt, Field::Media, Field::Confirmation]),
    (Action::Status, "status", &[Field::Session, Field::Wait]),
    (Action::Result, "result", &[Field::Session, Field::Turn, Field::Wait]),
    (Action::Changes, "changes", &[Field::Session]),
    (Action::Cancel, "cancel", &[Field::Session, Field::Turn]),
    (Action::Cleanup, "cleanup", &[Field::Session, Field::DryRun]),
];

/// The names of all actions.
pub(super) fn actions() -> String {
    ACTIONS.map(|(_, name, _)| name).join(", ")
}

/// Checks a call. Whatever is wrong with it, nothing was started and nothing stored.
pub fn agent(request: &AgentToolRequest) -> Result<AgentRequest, BadRequest> {
    let known = ACTIONS.iter().find(|(_, name, _)| *name == request.action);
    let Some(&(action, name, takes)) = known else {
        return Err(BadRequest::AgentAction { given: shown(&request.action) });
    };
    if let Some(field) = request.given().find(|field| !takes.contains(field)) {
        let names: Vec<&str> = takes.iter().map(|field| field.name()).collect();
        return Err(BadRequest::AgentField { action: name, field: field.name(), takes: names.join(", ") });
    }
    match action {
        Action::Start => Ok(AgentRequest::Start {
            agent: request.agent.as_deref().map(named).transpose()?,
            profile: request.profile.as_deref().map(Profile::parse).transpose()?.unwrap_or_default(),
            at: StartsAt::CallersFolder,
            prompt: request.prompt(name)?,
            media: request.media(name)?,
            confirmed: request.confirmed(name)?,
        }),
        Action::Send => Ok(AgentRequest::Send {
            session: request.session(name)?,
            prompt: request.prompt(name)?,
            media: request.media(name)?,
            confirmed: request.confirmed(name)?,
        }),
        Action::Status => {
            let session = request.session.as_deref().map(AgentHandle::parse).transpose()?;
            Ok(AgentRequest::Status { session, wait: request.wait()? })
        }
        Action::Result => {
            Ok(AgentRequest::Result { session: request.session(name)?, turn: request.turn()?, wait: request.wait()? })
        }
        Action::Changes => Ok(AgentRequest::Changes { session: request.session(name)? }),
        Action::Cancel => Ok(AgentRequest::Cancel { session: request.session(name)?, turn: request.turn()? }),
        Action::Cleanup => {
            Ok(AgentRequest::Cleanup { session: request.session(name)?, dry: request.dry_run.unwrap_or(false) })
        }
    }
}

impl AgentToolRequest {
    /// The fields beside the action that the caller filled in.
    fn given(&self) -> impl Iterator<Item = Field> {
        [
            (Field::Session, self.session.is_some()),
            (Field::Turn, self.turn.is_some()),
            (Field::Agent, self.agent.is_some()),
            (Field::Profile, self.profile.is_some()),
            (Field::Prompt, self.prompt.is_some()),
            (Field::Media, self.media.is_some()),
            (Field::Wait, self.wait_seconds.is_some()),
            (Field::Confirmation, self.confirm_provider_use.is_some()),
            (Field::DryRun, self.dry_run.is_some()),
        ]
        .into_iter()
        .filter_map(|(field, is_given)| is_given.then_some(field))
    }

    fn session(&self, action: &'static str) -> Result<AgentHandle, BadRequest> {
        let session = self.session.as_deref().ok_or_else(|| needs(action, "a session, such as g1,"))?;
        Ok(AgentHandle::parse(session)?)
    }

    fn turn(&self) -> Result<Option<TurnHandle>, BadRequest> {
        Ok(self.turn.as_deref().map(TurnHandle::parse).transpose()?)
    }

    fn prompt(&self, action: &'static str) -> Result<String, BadRequest> {
        let prompt = self.prompt.as_deref().filter(|prompt| !prompt.trim().is_empty());
        prompt.map(str::to_owned).ok_or_else(|| needs(action, "a prompt"))
    }

    /// Where they are is no matter of the caller's folder.
    fn media(&self, action: &'static str) -> Result<Vec<String>, BadRequest> {
        let media = self.media.clone().unwrap_or_default();
        if media.len() > MOST_MEDIA || media.iter().any(|path| !path.starts_with('/')) {
            return Err(needs(action, "absolute paths of files as media, eight at most,"));
        }
        Ok(media)
    }

    fn wait(&self) -> Result<WaitSeconds, BadRequest> {
        Ok(WaitSeconds::new(self.wait_seconds.unwrap_or(0))?)
    }

    /// The caller's word that the provider may be used (A11). The person's yes is asked for besides.
    fn confirmed(&self, action: &'static str) -> Result<bool, BadRequest> {
        match self.confirm_provider_use {
            Some(true) => Ok(true),
            Some(false) | None => {
                Err(needs(action, "confirm_provider_use: true, once the user agreed to use the agent's provider,"))
            }
        }
    }
}

/// Checks the name of an agent. It is a name and nothing that a program could be found by.
fn named(name: &str) -> Result<String, BadRequest> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.len() <= REPEATED
        && name.chars().all(is_plain);
    if is_name { Ok(name.to_owned()) } else { Err(BadRequest::AgentName { given: shown(name) }) }
}

fn shown(foreign: &str) -> String {
    on_one_line(&within(foreign, REPEATED))
}

fn needs(action: &'static str, what: &'static str) -> BadRequest {
    BadRequest::AgentNeeds { tool: Tool::Agent.name(), action, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call in which every field is filled in that the action takes.
    fn full(takes: &Takes) -> AgentToolRequest {
        let (_, name, fields) = takes;
        let mut request = AgentToolRequest { action: (*name).to_owned(), ..AgentToolRequest::default() };
        for field in *fields {
            fill(&mut request, *field);
        }
        request
    }

    fn fill(request: &mut AgentToolRequest, field: Field) {
        match field {
            Field::Session => request.session = Some("g2".to_owned()),
            Field::Turn => request.turn = Some("t3".to_owned()),
            Field::Agent => request.agent = Some("codex".to_owned()),
            Field::Profile => request.profile = Some("worktree-edit".to_owned()),
            Field::Prompt => request.prompt = Some("Look at the limits.".to_owned()),
            Field::Media => request.media = Some(vec!["/r/a.png".to_owned()]),
            Field::Wait => request.wait_seconds = Some(60),
            Field::Confirmation => request.confirm_provider_use = Some(true),
            Field::DryRun => request.dry_run = Some(true),
        }
    }

    fn refused(request: &AgentToolRequest) -> String {
        agent(request).unwrap_err().to_string()
    }

    #[test]
    fn a1_there_are_exactly_seven_actions_and_each_takes_its_own_fields() {
        let all = [
            Field::Session,
            Field::Turn,
            Field::Agent,
            Field::Profile,
            Field::Prompt,
            Field::Media,
            Field::Wait,
            Field::Confirmation,
            Field::DryRun,
        ];
        assert_eq!(actions(), "start, send, status, result, changes, cancel, cleanup");
        for row in &ACTIONS {
            let (_, name, takes) = row;
            assert!(agent(&full(row)).is_ok(), "{name}");
            for field in all.into_iter().filter(|field| !takes.contains(field)) {
                let mut request = full(row);
                fill(&mut request, field);
                let why = refused(&request);
                let begins = format!("the action {name} takes no {}; it takes ", field.name());
                assert!(why.starts_with(&begins) && why.contains(takes[0].name()), "{why}");
            }
        }
        for given in ["", "Start", "start ", "accept", "answer", "doctor", "preflight", "install", "log", "--yolo"] {
            let why = refused(&AgentToolRequest { action: given.to_owned(), ..AgentToolRequest::default() });
            assert!(why.ends_with(&format!("there are {}", actions())), "{given}: {why}");
        }
        let foreign = format!("x\u{1b}[2J\n{}", "y".repeat(5_000));
        let why = refused(&AgentToolRequest { action: foreign, ..AgentToolRequest::default() });
        assert!(why.chars().count() < 200 && !why.contains(['\u{1b}', '\n']), "{why:?}");
    }

    #[test]
    fn a1_what_a_call_says_is_what_is_asked() {
        let profile = Profile::WorktreeEdit;
        let (session, turn) = (AgentHandle::of(2).unwrap(), TurnHandle::of(3));
        let (prompt, wait) = ("Look at the limits.".to_owned(), WaitSeconds::new(60).unwrap());
        let media = vec!["/r/a.png".to_owned()];
        let wanted = [
            AgentRequest::Start {
                agent: Some("codex".into()),
                profile,
                at: StartsAt::CallersFolder,
                prompt: prompt.clone(),
                media: media.clone(),
                confirmed: true,
            },
            AgentRequest::Send { session, prompt, media, confirmed: true },
            AgentRequest::Status { session: Some(session), wait },
            AgentRequest::Result { session, turn, wait },
            AgentRequest::Changes { session },
            AgentRequest::Cancel { session, turn },
            AgentRequest::Cleanup { session, dry: true },
        ];
        for (row, wanted) in ACTIONS.iter().zip(wanted) {
            assert_eq!(agent(&full(row)), Ok(wanted));
        }
        let bare = AgentToolRequest { action: "status".to_owned(), ..AgentToolRequest::default() };
        assert_eq!(agent(&bare), Ok(AgentRequest::Status { session: None, wait: WaitSeconds::default() }));
        let mut start = full(&ACTIONS[0]);
        (start.agent, start.profile) = (None, None);
        let AgentRequest::Start { agent: None, profile: Profile::LocalReview, .. } = agent(&start).unwrap() else {
            panic!("the profile that is left out is the one that reads")
        };
    }

    #[test]
    fn a1_a6_a9_a11_each_wrong_field_says_what_is_wrong() {
        let with = |row: usize, change: fn(&mut AgentToolRequest)| {
            let mut request = full(&ACTIONS[row]);
            change(&mut request);
            refused(&request)
        };
        for (why, says) in [
            (with(0, |call| call.prompt = None), "grill_agent needs a prompt for start"),
            (with(0, |call| call.prompt = Some(" \n".to_owned())), "grill_agent needs a prompt for start"),
            (with(0, |call| call.confirm_provider_use = None), "grill_agent needs confirm_provider_use: true, once"),
            (with(1, |call| call.confirm_provider_use = Some(false)), "the agent's provider, for send"),
            (with(0, |call| call.profile = Some("--always-approve".to_owned())), "there is no profile"),
            (with(0, |call| call.agent = Some("/bin/sh".to_owned())), "'/bin/sh' is no agent's name"),
            (with(0, |call| call.agent = Some("-c".to_owned())), "'-c' is no agent's name"),
            (with(0, |call| call.agent = Some(String::new())), "'' is no agent's name"),
            (with(0, |call| call.media = Some(vec!["a.png".to_owned()])), "needs absolute paths of files as media"),
            (with(1, |call| call.media = Some(vec!["/a.png".to_owned(); 9])), "eight at most, for send"),
            (with(1, |call| call.session = None), "grill_agent needs a session, such as g1, for send"),
            (
                with(3, |call| call.session = Some("../g1".to_owned())),
                "is not an agent session; they are named g1, g2, …",
            ),
            (with(3, |call| call.turn = Some("t0".to_owned())), "is not a turn; they are named t1, t2, …"),
            (with(2, |call| call.wait_seconds = Some(61)), "a wait takes 0 to 60 seconds, and not 61"),
        ] {
            assert!(why.contains(says), "{why}");
        }
    }
}
