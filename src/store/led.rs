//! Which agent this clone's person chose to lead a session, and that they agreed to it. A session that came from elsewhere
//! says who asked in it, and starts nobody here: the choice lies beside what was granted, in records of the same form,
//! which count only as the very files that were made in this clone.

use std::path::{Path, PathBuf};

use super::granted::{read, remove, write};
use crate::app::ports::{Proof, StoreError, Within};
use crate::domain::ids::SessionId;
use crate::domain::settings::Research;

/// The folder, in the one that a repository has for us.
const FOLDER: &str = "grill/led";
/// The folder of the records of what the person agreed to in one session, whoever leads it just now.
const SESSION_CONSENTS: &str = "grill/agreed";
/// The record of what holds for every session of this clone; no session has an id like this.
const CLONE: &str = "clone";
/// Begins the mark of the agent that leads.
const AGENT: &str = "agent ";
/// Begins the mark of the agent's own session, by which it goes on in a later process.
const CONVERSATION: &str = "conversation ";
/// The mark of an agent that the person agreed to without walls. Where it is missing, they agreed to walls.
const NO_WALLS: &str = "within bare";
/// The record of the trials that agents passed in this clone.
const PROVED: &str = "proved";
/// Begins the mark of an agent that needs no further consent.
const AGREED: &str = "agreed ";

/// What is noted about a session that an agent leads from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Led {
    pub agent: String,
    /// Its own session, once it has one.
    pub conversation: Option<String>,
}

/// What a person agreed to in a session: this agent, started by this command, which sees as much and stands within this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent<'a> {
    pub agent: &'a str,
    pub command: &'a str,
    pub research: Research,
    pub within: Within,
}

impl Consent<'_> {
    fn mark(self) -> String {
        let within = word(self.within);
        format!("{AGREED}{}{}\t{within}\t{}", of_agent(self.agent), self.research, one_line(self.command))
    }
}

pub(super) fn folder(common: &Path) -> PathBuf {
    common.join(FOLDER)
}

pub(super) fn session_consents(common: &Path) -> PathBuf {
    common.join(SESSION_CONSENTS)
}

fn failed(doing: &'static str) -> impl Fn(std::io::Error) -> StoreError {
    move |source| StoreError::Io { doing: doing.to_owned(), source }
}

/// The agent that leads this session, and within what the person agreed that it is started.
pub fn chosen(common: &Path, session: &SessionId) -> Result<Option<(Led, Within)>, StoreError> {
    let read = read(&folder(common), session.as_str()).map_err(failed("reading which agent leads"))?;
    let Some(record) = read else { return Ok(None) };
    let of = |prefix: &str| record.marks.iter().find_map(|mark| mark.strip_prefix(prefix)).map(str::to_owned);
    let within = if record.marks.contains(NO_WALLS) { Within::WhatThereIs } else { Within::Walls };
    Ok(of(AGENT).map(|agent| (Led { agent, conversation: of(CONVERSATION) }, within)))
}

/// Notes the agent that leads this session, and within what the person agreed to it; none takes the note away.
pub fn choose(common: &Path, session: &SessionId, led: Option<(&Led, Within)>) -> Result<(), StoreError> {
    let doing = failed("noting which agent leads");
    let Some((led, within)) = led else {
        return match remove(&folder(common), session.as_str()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(doing(error)),
            Ok(()) | Err(_) => Ok(()),
        };
    };
    let mut marks = vec![format!("{AGENT}{}", one_line(&led.agent))];
    marks.extend(led.conversation.iter().map(|id| format!("{CONVERSATION}{}", one_line(id))));
    if within == Within::WhatThereIs {
        marks.push(NO_WALLS.to_owned());
    }
    write(&folder(common), session.as_str(), marks.iter()).map_err(doing)
}

/// Notes the conversation of the agent that leads this session; nothing where another one leads it by now.
pub fn converses(common: &Path, session: &SessionId, led: &Led) -> Result<(), StoreError> {
    match chosen(common, session)? {
        Some((before, within)) if before.agent == led.agent => choose(common, session, Some((led, within))),
        Some(_) | None => Ok(()),
    }
}

/// The record of who leads this session from here; it goes when the session ends, or its agent no longer leads.
pub fn record(common: &Path, session: &SessionId) -> PathBuf {
    folder(common).join(session.as_str())
}

/// The record of the agents that need no further consent in this clone. Without it each is asked for again.
pub fn consents(common: &Path) -> PathBuf {
    folder(common).join(CLONE)
}

/// Whether an agent needs no further consent in this clone, started by this very command.
pub fn agreed(common: &Path, agent: &str, command: &str) -> Result<bool, StoreError> {
    let read = read(&folder(common), CLONE).map_err(failed("reading which agents may lead"))?;
    Ok(read.is_some_and(|record| record.marks.contains(&clone_consent(agent, command))))
}

/// Notes that an agent needs no further consent in this clone, started by this command; what was noted of another command
/// is forgotten.
pub fn agree(common: &Path, agent: &str, command: &str) -> Result<(), StoreError> {
    let doing = failed("noting which agents may lead");
    let read = read(&folder(common), CLONE).map_err(&doing)?;
    let mut marks = read.map(|record| record.marks).unwrap_or_default();
    let begins = format!("{AGREED}{}", of_agent(agent));
    marks.retain(|mark| !mark.starts_with(&begins));
    marks.insert(clone_consent(agent, command));
    write(&folder(common), CLONE, marks.iter()).map_err(doing)
}

/// Whether the person agreed to just this in this session.
pub fn agreed_in(common: &Path, session: &SessionId, consent: Consent<'_>) -> Result<bool, StoreError> {
    let read = read(&session_consents(common), session.as_str())
        .map_err(failed("reading which agents may lead this session"))?;
    Ok(read.is_some_and(|record| record.marks.contains(&consent.mark())))
}

/// Notes that the person agreed to this in this session. It holds until the session ends, also when another one asked
/// meanwhile.
pub fn agree_in(common: &Path, session: &SessionId, consent: Consent<'_>) -> Result<(), StoreError> {
    let doing = failed("noting which agents may lead this session");
    let read = read(&session_consents(common), session.as_str()).map_err(&doing)?;
    let mut marks = read.map(|record| record.marks).unwrap_or_default();
    marks.insert(consent.mark());
    write(&session_consents(common), session.as_str(), marks.iter()).map_err(doing)
}

fn clone_consent(agent: &str, command: &str) -> String {
    format!("{AGREED}{}{}", of_agent(agent), one_line(command))
}

/// What is kept of the last good trial of an agent. One that was written otherwise is none.
pub fn proved(common: &Path, agent: &str) -> Result<Option<Proof>, StoreError> {
    let read = read(&folder(common), PROVED).map_err(failed("reading which agents were proved"))?;
    let begins = of_agent(agent);
    Ok(read.and_then(|record| record.marks.iter().find_map(|mark| proof(mark.strip_prefix(&begins)?))))
}

/// Keeps what a trial of an agent came to, in the place of what was kept before; none only takes that away.
pub fn prove(common: &Path, agent: &str, proof: Option<&Proof>) -> Result<(), StoreError> {
    let doing = failed("noting that an agent was proved");
    let read = read(&folder(common), PROVED).map_err(&doing)?;
    let mut marks = read.map(|record| record.marks).unwrap_or_default();
    let begins = of_agent(agent);
    marks.retain(|mark| !mark.starts_with(&begins));
    marks.extend(proof.map(|Proof { version, at, within }| {
        let within = word(*within);
        format!("{begins}{at}\t{within}\t{}", one_line(version.as_deref().unwrap_or_default()))
    }));
    write(&folder(common), PROVED, marks.iter()).map_err(doing)
}

const WALLS: &str = "walls";
const BARE: &str = "bare";

fn word(within: Within) -> &'static str {
    match within {
        Within::Walls => WALLS,
        Within::WhatThereIs => BARE,
    }
}

fn of_agent(agent: &str) -> String {
    format!("{}\t", one_line(agent))
}

fn proof(text: &str) -> Option<Proof> {
    let mut fields = text.splitn(3, '\t');
    let at = fields.next()?.parse().ok()?;
    let within = match fields.next()? {
        WALLS => Within::Walls,
        BARE => Within::WhatThereIs,
        _ => return None,
    };
    Some(Proof { version: fields.next().filter(|version| !version.is_empty()).map(str::to_owned), at, within })
}

/// An agent's own words end no line of ours.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_kept_by_agent_and_replaced_by_the_next() {
        let temp = tempfile::tempdir().unwrap();
        let here = temp.path().join("here");
        let of = |version: Option<&str>, within| Proof {
            version: version.map(str::to_owned),
            at: "2026-11-21T10:00:00Z".parse().unwrap(),
            within,
        };
        assert_eq!(proved(&here, "claude").unwrap(), None);
        prove(&here, "claude", None).unwrap();
        prove(&here, "claude", Some(&of(Some("1.0\nevil\t2"), Within::Walls))).unwrap();
        prove(&here, "claude2", Some(&of(None, Within::WhatThereIs))).unwrap();
        assert_eq!(proved(&here, "claude").unwrap(), Some(of(Some("1.0 evil 2"), Within::Walls)));
        assert_eq!(proved(&here, "claude2").unwrap(), Some(of(None, Within::WhatThereIs)));
        prove(&here, "claude", Some(&of(Some("2"), Within::Walls))).unwrap();
        assert_eq!(proved(&here, "claude").unwrap(), Some(of(Some("2"), Within::Walls)));
        prove(&here, "claude", None).unwrap();
        assert_eq!(proved(&here, "claude").unwrap(), None);
        assert!(proved(&here, "claude2").unwrap().is_some());
        for garbage in ["", "x", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z\tglass\t1"] {
            assert_eq!(proof(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn a_choice_counts_only_where_it_was_made() {
        let temp = tempfile::tempdir().unwrap();
        let (here, copy) = (temp.path().join("here"), temp.path().join("copy"));
        let id = SessionId::parse("20261121-auth-k3f9q").unwrap();
        assert_eq!(chosen(&here, &id).unwrap(), None);
        choose(&here, &id, None).unwrap();
        let mut led = Led { agent: "claude".into(), conversation: None };
        choose(&here, &id, Some((&led, Within::Walls))).unwrap();
        assert_eq!(chosen(&here, &id).unwrap(), Some((led.clone(), Within::Walls)));
        led.conversation = Some("a\nagent evil\nwithin bare".into());
        converses(&here, &id, &led).unwrap();
        let (read, within) = chosen(&here, &id).unwrap().unwrap();
        let said = (read.agent.as_str(), read.conversation.as_deref(), within);
        assert_eq!(said, ("claude", Some("a agent evil within bare"), Within::Walls));
        agree(&here, "claude", "/bin/claude acp").unwrap();
        agree(&here, "codex", "/bin/codex").unwrap();
        assert!(agreed(&here, "claude", "/bin/claude acp").unwrap() && agreed(&here, "codex", "/bin/codex").unwrap());
        assert!(!agreed(&here, "gemini", "/bin/codex").unwrap() && !agreed(&here, "codex", "/repo/bin/codex").unwrap());
        agree(&here, "codex", "/opt/codex").unwrap();
        assert!(!agreed(&here, "codex", "/bin/codex").unwrap());
        // As it comes in an archive.
        std::fs::create_dir_all(folder(&copy)).unwrap();
        for name in [id.as_str(), CLONE, "here"] {
            let _ = std::fs::copy(folder(&here).join(name), folder(&copy).join(name));
        }
        assert_eq!(chosen(&copy, &id).unwrap(), None);
        assert!(!agreed(&copy, "claude", "/bin/claude acp").unwrap());
        choose(&here, &id, None).unwrap();
        assert_eq!(chosen(&here, &id).unwrap(), None);
    }

    #[test]
    fn a11_a_yes_of_a_session_is_about_one_agent_and_counts_only_where_it_was_given() {
        let temp = tempfile::tempdir().unwrap();
        let (here, copy) = (temp.path().join("here"), temp.path().join("copy"));
        let id = SessionId::parse("20261121-auth-k3f9q").unwrap();
        let other = SessionId::parse("20261121-auth-zzzzz").unwrap();
        let yes =
            Consent { agent: "claude", command: "/bin/claude acp", research: Research::Auto, within: Within::Walls };
        agree_in(&here, &id, yes).unwrap();
        agree_in(&here, &id, Consent { agent: "codex", ..yes }).unwrap();
        // Whoever leads meanwhile takes nothing of it back.
        choose(&here, &id, None).unwrap();
        assert!(
            agreed_in(&here, &id, yes).unwrap() && agreed_in(&here, &id, Consent { agent: "codex", ..yes }).unwrap()
        );
        for wrong in [
            Consent { agent: "gemini", ..yes },
            Consent { command: "/repo/claude acp", ..yes },
            Consent { research: Research::Off, ..yes },
            Consent { within: Within::WhatThereIs, ..yes },
        ] {
            assert!(!agreed_in(&here, &id, wrong).unwrap(), "{wrong:?}");
        }
        assert!(!agreed_in(&here, &other, yes).unwrap() && !agreed(&here, "claude", "/bin/claude acp").unwrap());
        // As it comes in an archive.
        std::fs::create_dir_all(session_consents(&copy)).unwrap();
        for name in [id.as_str(), "here"] {
            let _ = std::fs::copy(session_consents(&here).join(name), session_consents(&copy).join(name));
        }
        assert!(!agreed_in(&copy, &id, yes).unwrap());
    }

    #[test]
    fn a25_what_was_agreed_to_without_walls_stays_so_as_long_as_the_same_agent_leads() {
        let temp = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261121-auth-k3f9q").unwrap();
        let led = |agent: &str, conversation: Option<&str>| Led {
            agent: agent.to_owned(),
            conversation: conversation.map(str::to_owned),
        };
        let bare = Within::WhatThereIs;
        choose(temp.path(), &id, Some((&led("claude", None), bare))).unwrap();
        converses(temp.path(), &id, &led("claude", Some("s1"))).unwrap();
        assert_eq!(chosen(temp.path(), &id).unwrap(), Some((led("claude", Some("s1")), bare)));
        // One that was sent away meanwhile does not come back by what it says.
        choose(temp.path(), &id, Some((&led("codex", None), Within::Walls))).unwrap();
        converses(temp.path(), &id, &led("claude", Some("s2"))).unwrap();
        assert_eq!(chosen(temp.path(), &id).unwrap(), Some((led("codex", None), Within::Walls)));
        choose(temp.path(), &id, None).unwrap();
        converses(temp.path(), &id, &led("codex", Some("s3"))).unwrap();
        assert_eq!(chosen(temp.path(), &id).unwrap(), None);
    }
}
