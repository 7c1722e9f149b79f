//! What a leading agent is told with each turn: at the beginning all of it, then what the person said since, in their own
//! words (G67). Pure; what was told already is remembered by the ids of answers, so nothing is told twice or left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::domain::actor::Actor;
use crate::domain::concern::{Concern, listed};
use crate::domain::harmless::harmless;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::plan::brief::{ask_once, brief};
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::{Intensity, Intent, Research};

use super::instructions::at_terminal;
use super::tools;

/// How far the agent knows the session.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What was told of each question: how it stands, by the answers that hold.
    known: BTreeMap<QuestionId, String>,
    /// Whether it was told how to lead, and where the interview stands.
    begun: bool,
    /// Whether it goes on with a conversation of before.
    remembers: bool,
    /// The settings that it was told of; the user may change them.
    set: Option<(Intent, Intensity)>,
    /// How many concerns had been waved through when it was told last.
    waived: Option<usize>,
    /// How many discussions had been summed up.
    discussed: Option<usize>,
    talk: Option<Talked>,
    /// The question whose discussion the person left with nothing recorded, until that is told.
    left: Option<String>,
}

/// A discussion that the agent was told of.
#[derive(Clone, Debug)]
struct Talked {
    /// The question's number, in words that follow "the discussion".
    about: String,
    /// How many discussions had been summed up before it.
    before: usize,
}

/// How many were known before it is noted that so many are known now; all of them for who knew nothing, and is told all.
fn since(known: &mut Option<usize>, now: usize) -> usize {
    known.replace(now).unwrap_or(now)
}

/// What a question has come to, in a form that can be compared.
fn stand(asked: &TranscriptEntry) -> String {
    let ids: Vec<String> = asked.holding().map(|answer| answer.id.to_string()).collect();
    format!("{:?} {}", asked.standing, ids.join(" "))
}

impl Told {
    /// Whether the agent knows nothing yet; it is told all of it then.
    pub fn is_new(&self) -> bool {
        !self.begun
    }

    /// Notes where the session stands: a discussion may have ended, and with nothing that it came to.
    pub fn sees(&mut self, session: &Session) {
        if matches!(session.phase, Phase::Interview(Floor::Discussion { .. })) {
            return;
        }
        if let Some(talk) = self.talk.take().filter(|talk| talk.before == session.discussions.len()) {
            self.left = Some(talk.about);
        }
    }

    /// The news that a discussion was left, told once.
    fn left_once(&mut self) -> String {
        let left = self.left.take();
        left.map(|about| {
            format!("The user left the discussion{about}. Nothing of it was recorded, so do not build on it.\n\n")
        })
        .unwrap_or_default()
    }

    /// The news that the user set otherwise how they are asked, told once.
    fn set_once(&mut self, session: &Session) -> String {
        let now = (session.settings.intent, session.settings.intensity);
        let was = self.set.replace(now);
        was.filter(|was| *was != now)
            .map(|_| format!("The user changed the settings: intent {}, intensity {}.\n\n", now.0, now.1))
            .unwrap_or_default()
    }

    /// The news of concerns that the user waved through, told once.
    fn waived_once(&mut self, session: &Session) -> String {
        let known = since(&mut self.waived, session.waived.len());
        let names: Vec<&str> = session.waived.iter().skip(known).map(|one| one.name.as_str()).collect();
        if names.is_empty() {
            return String::new();
        }
        format!(
            "The user waived these concerns, so they no longer block the output selection: {}.\n\n",
            names.join(", ")
        )
    }

    /// What the user summed discussions up to, told once. What an agent summed up it knows, and a summary that answers a
    /// question is told as the answer.
    fn summed_up_once(&mut self, session: &Session) -> String {
        let known = since(&mut self.discussed, session.discussions.len());
        let mut text = String::new();
        for talk in session.discussions.iter().skip(known).filter(|talk| !matches!(talk.by, Actor::Agent(_))) {
            let asked = talk.about.as_ref().and_then(|about| session.transcript.get(about));
            if asked.is_some_and(|asked| asked.holding().any(|answer| answer.text == talk.summary)) {
                continue;
            }
            let about = asked.map(|asked| format!(" about question {}", asked.number)).unwrap_or_default();
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "The user summed up the discussion{about}: {}\nThe summary is recorded. Add its decisions to the \
                 checkpoint.\n\n",
                talk.summary
            );
        }
        text
    }

    /// What goes before each turn.
    fn before(&mut self, session: &Session, standing: &str) -> String {
        // The rules that open it hold the plan; every other turn is told it anew (P21).
        let knows_rules = self.begun || self.remembers;
        let plan = brief(&session.own.plan).filter(|_| knows_rules).map(|plan| plan + "\n\n").unwrap_or_default();
        let opening = self.opening_once(session, standing);
        let (left, set, waived) = (self.left_once(), self.set_once(session), self.waived_once(session));
        let news = [left, set, waived, self.summed_up_once(session), plan];
        opening + &news.concat()
    }

    /// What is told to an agent whose output selection is held, once the user has seen by what; `left` holds it still.
    pub fn held(&mut self, session: &Session, left: &[Concern]) -> String {
        let waived = self.waived_once(session);
        if left.is_empty() {
            return format!(
                "{waived}Nothing blocks the output selection any more: call grill_enter_output_selection_phase again."
            );
        }
        format!(
            "{waived}These concerns still block the output selection, and the user wants you to resolve them:{}\n\nAsk the \
             next question.",
            listed(left)
        )
    }

    /// The text of the next turn. For an agent that knows nothing yet `standing` is all that there is to know, bounded as
    /// it is; later turns tell what the person said since, and what the rules see in it.
    pub fn next(&mut self, session: &Session, standing: &str) -> String {
        let new = !self.begun;
        let mut text = self.before(session, standing);
        let mut told = Vec::new();
        for asked in &session.transcript.asked {
            let now = stand(asked);
            let known = self.known.insert(asked.question.id.clone(), now.clone()).as_ref() == Some(&now);
            if let Some(said) = said(asked).filter(|_| !known && !new) {
                let _ = write!(text, "{said}\n\n");
                told.push(asked);
            }
        }
        let seen = if told.is_empty() { Vec::new() } else { tools::seen(session, &told) };
        if !seen.is_empty() {
            let _ = write!(text, "What the rules see:\n- {}\n\n", seen.join("\n- "));
        }
        text.push_str(if !told.is_empty() || (new && session.checkpoint_due) {
            "It is recorded; do not record it again. Bring the checkpoint up to date with grill_update_checkpoint, then ask \
             the next question. When no answer would change the plan any more, call grill_enter_output_selection_phase."
        } else if new {
            match session.settings.research {
                Research::Off => {
                    "The user keeps the repository from you: its directory is empty here, so do not look for files. Ask from \
                     the topic, their answers and what the tools tell you. Ask the next question."
                }
                Research::Ask | Research::Auto => "Read what you need first, then ask the next question.",
            }
        } else if session.checkpoint_due {
            "The user wants to go on with the interview. Bring the checkpoint up to date with grill_update_checkpoint, then \
             ask the next question."
        } else {
            "The user wants to go on with the interview. Ask the next question."
        });
        text
    }

    /// What goes before the person's words in a discussion.
    pub fn discussing(&mut self, session: &Session, standing: &str) -> String {
        let opening = self.before(session, standing);
        let asked = session.discussed().and_then(|about| session.transcript.get(about));
        let about = asked.map(|asked| format!(" about question {}", asked.number)).unwrap_or_default();
        let what = asked.map_or_else(|| "it".to_owned(), |asked| format!("question {}", asked.number));
        self.talk = Some(Talked { about, before: session.discussions.len() });
        format!(
            "{opening}The user talks {what} over with you: answer in plain text, which is shown to them. When it is clear, \
             call resume_structured with what it came to."
        )
    }

    /// The user's wish to know why a question is asked, which stays open meanwhile.
    pub fn explaining(&mut self, session: &Session, standing: &str, asked: &TranscriptEntry) -> String {
        let opening = self.before(session, standing);
        format!(
            "{opening}The user asks why question {} is asked: {}\n\nSay in a few sentences of plain text, which are shown to them, \
             what in the repository or in their answers leads to it, and what each answer would change. The question stays \
             open: call no tool, and do not ask it again.",
            asked.number,
            asked.question.text.as_str()
        )
    }

    /// What goes before the person's words where nothing is asked: the plan as it stands, and once, where the last turn
    /// worked and marked nothing, which steps are done (P20, P21).
    pub fn planning(&mut self, session: &Session, unmarked: bool) -> String {
        let mut text = String::new();
        if !std::mem::replace(&mut self.begun, true) {
            let _ = write!(
                text,
                "The user talks with you about a plan for: {}\nTheir terminal shows what you write as plain text, and none of \
                 your thoughts. Ask them in plain text, too.\n\n",
                harmless(session.topic.as_str())
            );
        }
        let plan = &session.own.plan;
        text.push_str(&brief(plan).unwrap_or_default());
        if plan.is_executing() {
            text.push_str(
                "\nDo not change files here, whatever the plan asks for: the user carries out the plan, or another agent of \
                 theirs does. Inspect the files, report what you find, and mark the steps that are done.",
            );
        }
        if let Some(asked) = ask_once(plan).filter(|_| unmarked) {
            let _ = write!(text, "\n{asked}");
        }
        text.push('\n');
        text
    }

    /// Notes that the agent goes on with its conversation of before: it knows how to lead, and not what came since.
    pub fn remembered(&mut self) {
        self.remembers = true;
    }

    /// The task, the rules and all that is known so far; nothing for an agent that was told them.
    fn opening_once(&mut self, session: &Session, standing: &str) -> String {
        if std::mem::replace(&mut self.begun, true) {
            return String::new();
        }
        // Where it stands tells all of them, whatever this turn is about.
        let stands = session.transcript.asked.iter().map(|asked| (asked.question.id.clone(), stand(asked)));
        self.known.extend(stands);
        if self.remembers {
            // It may have talked with the user in a conversation that this process saw nothing of.
            let left = match session.phase {
                Phase::Interview(Floor::Discussion { .. }) => "",
                Phase::Interview(Floor::Free | Floor::Question { .. })
                | Phase::Selection(_)
                | Phase::Production(_)
                | Phase::NoInterview { .. }
                | Phase::Closed { .. } => {
                    "No discussion is open. If you talked with the user and that was not summed up, they left it and \
                     nothing of it was recorded: do not build on it. "
                }
            };
            return format!("The interview goes on. {left}Where it stands now:\n\n{standing}\n\n");
        }
        let rules = at_terminal(session).unwrap_or_default();
        format!(
            "{rules}\nThe user sits at a terminal, which puts to them each question that you ask with the tools. What you write \
             as plain text puts none. An asking tool returns at once, with the kind pending: end your turn then. The user's \
             answer is the next message. What `grill_status` tells stands below: call it only if you lose track.\n\n{standing}\n\n"
        )
    }
}

/// What is told to an agent whose turn ended with nothing recorded, and maybe why its last call was refused.
pub fn go_on(refused: Option<&str>) -> String {
    refused.map(|why| format!("git grill refused your last call: {why}.\n\n")).unwrap_or_default() + GO_ON
}

const GO_ON: &str = "No question is open. What you write here is shown to the user as plain text: it puts no question to \
                         them, and nothing of it is recorded. Ask the next question with one of git grill's tools, or \
                         call grill_enter_output_selection_phase if nothing is left to ask.";

/// What is told to an agent whose question in plain text the user wants to be put with a tool.
pub const AS_QUESTION: &str = "The user saw what you wrote, and wants it as a question: ask it with one of git grill's tools, with \
                               alternatives and your recommendation.";

/// What is told to an agent whose turn was ended by a refusal; what was refused, and why, stands before it.
pub const REFUSED: &str = "The refusal ended your turn. Go on: ask the next question with one of git grill's tools.";

/// What the person said to a question, verbatim; `None` while it is open.
fn said(asked: &TranscriptEntry) -> Option<String> {
    let question = format!("Question {} ({}): {}", asked.number, asked.question.id, asked.question.text.as_str());
    let answer = || {
        let told = asked.holding().map(|answer| {
            let how = match answer.kind {
                AnswerKind::Unknown => format!("{} does not know", whose(&answer.by)),
                AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported => {
                    format!("{} answered", whose(&answer.by))
                }
                AnswerKind::Summarised => "An agent summed up, which the user did not confirm".to_owned(),
            };
            let note = answer.note.as_ref().map(|note| format!("\nand added: {note}")).unwrap_or_default();
            let replaced = asked.answers.iter().rev().find(|other| answer.supersedes.contains(&other.id));
            // One that is still right replaces nothing.
            let replaced = replaced.filter(|other| other.text != answer.text);
            let replaced = replaced.map(|other| format!("\nin place of: {}", other.text)).unwrap_or_default();
            format!("{how}: {}{note}{replaced}", answer.text)
        });
        told.collect::<Vec<_>>().join("\n")
    };
    let became = match &asked.standing {
        QuestionStatus::Open => return None,
        QuestionStatus::Answered => answer(),
        QuestionStatus::Deferred => "The user put it off.".to_owned(),
        QuestionStatus::PushedBack { because } => format!("The user pushed back: {because}"),
        QuestionStatus::SetAside => "It was set aside: the user went back to an earlier question.".to_owned(),
        QuestionStatus::Stale => "An answer that it stands on has changed; it has to be asked again.".to_owned(),
    };
    Some(format!("{question}\n{became}"))
}

/// Whose word an answer is, as the packet has it.
fn whose(by: &Actor) -> String {
    match by {
        Actor::Human => "The user".to_owned(),
        Actor::Agent(name) => format!("The user, as reported by the agent {name},"),
        Actor::Unattended => "A command without a terminal".to_owned(),
        Actor::System => "git grill itself".to_owned(),
    }
}
