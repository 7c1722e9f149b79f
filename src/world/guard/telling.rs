//! What an agent's hook runs to be told our instructions: everything when a conversation begins, a reminder with each
//! prompt, and nothing at all without an active session or when anything goes wrong.
//!
//! A phase may change between two prompts, and a session may begin in the middle of a conversation. Whether the agent
//! has been told what there is to say now is not kept by us: it stands in the conversation that the agent itself writes
//! down, by the mark of exactly these instructions. Where that is not found near the end, they are told anew.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::agents::Hooked;
use crate::agents::hooks::Moment;
use crate::app::error::AppError;
use crate::app::instructions::{Handed, handed, reminder};
use crate::cli::args::Instructions;
use crate::domain::session::Session;
use crate::files::regular;
use crate::guard::telling::{self, Begins, Heard};
use crate::repo::open::open_exactly;
use crate::store::foreground::foreground;
use crate::world::environment::Environment;
use crate::world::speak;

use super::hook::{LIMIT, answered_within, read_input};
use super::places;
use crate::world::process::spawner;

/// How much of a conversation's end is looked through; what was said before that is worth saying again.
const NEAR_THE_END: u64 = 512 * 1024;

/// Answers `git-grill instructions --for <agent> --hook <moment>`, if the arguments are exactly that.
pub(in crate::world) fn hook(environment: &Environment) -> Option<ExitCode> {
    let words: Option<Vec<&str>> = environment.args.iter().map(|word| word.to_str()).collect();
    let ["instructions", "--for", agent, "--hook", moment] = *words?.as_slice() else { return None };
    Some(run(environment, Hooked::named(agent)?, Moment::named(moment)?))
}

/// The same for arguments in another order, which the grammar has read, or for such as it cannot know.
pub(in crate::world) fn typed(environment: &Environment, args: &Instructions) -> Result<ExitCode, AppError> {
    let usage = |message: String, names: Vec<&str>| AppError::Usage {
        message,
        hint: format!("git grill instructions --for <agent> --hook <moment>, one of {}", names.join(", ")),
    };
    let (agent, moment) = (args.agent.as_deref().unwrap_or_default(), args.hook.as_deref().unwrap_or_default());
    let agent = Hooked::named(agent).ok_or_else(|| {
        let names = Hooked::all().map(|agent| agent.name()).collect();
        usage(format!("git grill knows no hooks of an agent '{}'", agent.escape_debug()), names)
    })?;
    let moment = Moment::named(moment).ok_or_else(|| {
        let names = Moment::ALL.iter().map(|moment| moment.name()).collect();
        usage(format!("there is no moment '{}' to speak at", moment.escape_debug()), names)
    })?;
    Ok(run(environment, agent, moment))
}

/// Tells `agent` what it is to be told now. It never fails: a prompt must not be lost because of us.
fn run(environment: &Environment, agent: Hooked, moment: Moment) -> ExitCode {
    let environment = environment.clone();
    if let Ok(Some(text)) = answered_within(LIMIT, move || tell(&environment, agent, moment)) {
        // Nothing can be done about a reader that has gone away.
        let _ = speak::out(&text);
    }
    ExitCode::SUCCESS
}

fn tell(environment: &Environment, agent: Hooked, moment: Moment) -> Option<String> {
    let heard = if Environment::stdin_is_terminal() {
        // A person tries it, and has nothing to say in an agent's form.
        Heard { places: Vec::new(), transcript: None, begins: Begins::Anew }
    } else {
        telling::heard(&read_input())?
    };
    let session = session_at(environment, &heard)?;
    let told = handed(&session)?;
    let text = match moment {
        // The prompt that follows sees what was said before, and tells what is new; this would say it twice.
        Moment::SessionStart if heard.begins == Begins::Resumed && telling::line(agent, Moment::Prompt).is_some() => {
            return None;
        }
        Moment::Prompt if knows(agent, heard.transcript.as_deref(), &told) => reminder(&session)?,
        Moment::SessionStart | Moment::Prompt => told.text,
    };
    Some(telling::said(agent, moment, &text))
}

/// The active session where the agent works, or where we do if it does not say.
fn session_at(environment: &Environment, heard: &Heard) -> Option<Session> {
    let ours = [environment.cwd.clone()];
    let named: Vec<PathBuf> = heard.places.iter().map(|place| environment.cwd.join(place)).collect();
    let places = if named.is_empty() { ours.as_slice() } else { named.as_slice() };
    let active = places.iter().find_map(|place| {
        let above = places::real(place).and_then(|real| places::active_above(&real));
        above.ok()?.into_iter().next()
    })?;
    foreground(&open_exactly(&active, &spawner()).ok()?.repo).ok()?
}

/// Whether the agent has been told exactly this, as far as can be known.
fn knows(agent: Hooked, transcript: Option<&str>, told: &Handed) -> bool {
    match transcript.map(Path::new).and_then(end_of) {
        Some(end) => String::from_utf8_lossy(&end).contains(&told.mark),
        // Nothing is written down yet: it has just begun.
        None => agent.is_told_at_start,
    }
}

/// The last bytes of an ordinary file; `None` where there is none to read.
fn end_of(path: &Path) -> Option<Vec<u8>> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = regular::open(path).ok()?;
    file.seek(SeekFrom::Start(about.len().saturating_sub(NEAR_THE_END))).ok()?;
    let mut end = Vec::new();
    file.take(NEAR_THE_END).read_to_end(&mut end).ok()?;
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::hooked;

    fn knows_by(text: &[u8]) -> bool {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("conversation.jsonl");
        fs::write(&path, text).unwrap();
        let told = Handed { mark: "git grill instructions 1".to_owned(), text: String::new() };
        knows(hooked("claude"), path.to_str(), &told)
    }

    #[test]
    fn what_was_said_long_ago_or_otherwise_is_not_known() {
        let size = usize::try_from(NEAR_THE_END).unwrap();
        let mark = b"{\"text\":\"[git grill instructions 1]\\nDo this.\"}\n".to_vec();
        assert!(knows_by(&mark));
        assert!(!knows_by(b""));
        assert!(!knows_by(b"[git grill instructions 2] \x00\xff"));
        assert!(knows_by(&[vec![b'x'; 3 * size], mark.clone(), vec![b'x'; size / 2]].concat()));
        assert!(!knows_by(&[mark, vec![b'x'; size]].concat()));
    }

    #[test]
    fn a_conversation_that_is_no_file_tells_nothing() {
        let told = Handed { mark: "m".to_owned(), text: String::new() };
        for none in [None, Some("/nowhere/at/all"), Some("/"), Some("/dev/zero"), Some("a\0b")] {
            assert!(knows(hooked("claude"), none, &told), "{none:?}");
            assert!(!knows(hooked("gemini"), none, &told), "{none:?}");
        }
    }
}
