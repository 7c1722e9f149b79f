//! What an agent is told while a session is active (G36, Q18), by phase. Without a session there is nothing to say.

use crate::domain::fnv::fnv1a;
use crate::domain::harmless::harmless;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::{Interviewer, Research, Settings, UnknownValue};
use crate::domain::text::Line;

use super::gate::in_words;

const INTERVIEW: &str = include_str!("instructions/interview.md");
/// Where another interviewer asks.
const BESIDE: &str = include_str!("instructions/beside.md");
const DISCUSSION: &str = include_str!("instructions/discussion.md");
const SELECTION: &str = include_str!("instructions/selection.md");
const OUTPUT: &str = include_str!("instructions/output.md");

/// Question tools that agents have of their own. In an interview that git grill starts, the form of one is shown as that of
/// any other server, and what is said there answers no question of the interview.
pub const OWN_TOOLS: &[(&str, &str)] = &[("claude", "AskUserQuestion"), ("codex", "request_user_input")];

/// Where the agent asks. It is told what it can use there, and no more (G59).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a client of its own, with forms and a chat.
    Outside,
    /// Started by git grill, at whose terminal its questions are shown.
    AtTerminal,
}

/// The instructions for the phase that the session is in; `None` for one that has ended.
pub fn instructions(session: &Session) -> Option<String> {
    told(session, Place::Outside)
}

/// The same for an agent that git grill starts.
pub fn at_terminal(session: &Session) -> Option<String> {
    told(session, Place::AtTerminal)
}

fn told(session: &Session, place: Place) -> Option<String> {
    let template = match &session.phase {
        Phase::Interview(Floor::Free | Floor::Question { .. }) => match session.settings.interviewer {
            Interviewer::Agent(_) => INTERVIEW,
            Interviewer::BuiltIn => BESIDE,
        },
        Phase::Interview(Floor::Discussion { .. }) => DISCUSSION,
        Phase::Selection(_) => SELECTION,
        Phase::Production(_) => OUTPUT,
        Phase::NoInterview { .. } => "",
        Phase::Closed { .. } => return None,
    };
    let settings = &session.settings;
    // The topic is a person's text: it may say anything, and is put in last, so that nothing in it is filled in.
    let filled = meant(template, place, settings)
        .replace("{intent}", settings.intent.as_str())
        .replace("{intensity}", settings.intensity.as_str())
        .replace("{research}", settings.research.as_str())
        .replace("{inspect}", inspect(place, settings.research))
        .replace("{tool}", own_tool(settings).unwrap_or_default())
        .replace("{approved}", &approved(session))
        .replace("{about}", &about(session))
        .replace("{topic}", topic(session).as_str());
    let told = [filled].into_iter().chain(session.own.instructions()).collect::<Vec<_>>().join("\n\n");
    Some(shown(told.trim_start())).filter(|told| !told.is_empty())
}

/// The lines of a text that are for this agent. One with a word in braces before it is for some agents only.
fn meant(template: &str, place: Place, settings: &Settings) -> String {
    let here = place == Place::AtTerminal;
    let blind = here && settings.research == Research::Off;
    let is_for = |whom: &str| match whom {
        "outside" => Some(!here),
        "terminal" => Some(here),
        "sees" => Some(!blind),
        "blind" => Some(blind),
        "own" => Some(here && own_tool(settings).is_some()),
        _ => None,
    };
    let lines = template.split_inclusive('\n').filter_map(|line| {
        let marked = line.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        match marked.and_then(|(whom, rest)| Some((is_for(whom)?, rest))) {
            Some((is_meant, rest)) => is_meant.then_some(rest),
            None => Some(line),
        }
    });
    lines.collect()
}

/// The interviewer's own question tool, where it has one.
fn own_tool(settings: &Settings) -> Option<&'static str> {
    let Interviewer::Agent(agent) = &settings.interviewer else { return None };
    OWN_TOOLS.iter().find(|(name, _)| *name == agent.as_str()).map(|(_, tool)| *tool)
}

/// How agents name the tools of our server, as they were seen doing.
const CALLED: &[(&str, &str)] = &[
    ("claude", "mcp__grill__"),
    ("codex", "mcp__grill__"),
    ("gemini", "mcp_grill_"),
    ("opencode", "grill_"),
    ("grok", "grill__"),
    ("pi", ""),
    ("cursor", ""),
    ("vscode", ""),
    ("zed", ""),
];

/// The instructions with what the tools are called in this agent; `None` for a session that has ended.
pub fn instructions_for(session: &Session, agent: &str) -> Result<Option<String>, UnknownValue> {
    let Some((_, prefix)) = CALLED.iter().find(|(name, _)| *name == agent) else {
        let allowed = CALLED.iter().map(|(name, _)| *name).collect();
        return Err(UnknownValue { what: "agent", given: agent.to_owned(), allowed });
    };
    let called = if prefix.is_empty() {
        String::new()
    } else {
        format!(
            "\nIn this agent the tools have a name in front: `{prefix}grill_status`, `{prefix}ask_question`, and so on.\n"
        )
    };
    Ok(instructions(session).map(|told| told + &called))
}

/// The instructions as an agent's hook hands them over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    /// What tells that an agent has been told exactly this: letters and digits that survive every way of writing down
    /// a conversation, others after every change of what there is to say.
    pub mark: String,
    /// The mark and the instructions.
    pub text: String,
}

/// The instructions for the phase that the session is in, to be handed over by a hook; `None` for one that has ended.
pub fn handed(session: &Session) -> Option<Handed> {
    let told = instructions(session)?;
    // Short enough to be looked for at once in much text.
    let mark = format!("{:016x}", fnv1a(told.bytes()));
    Some(Handed { text: format!("[git grill instructions {mark}]\n{}", told.trim_end()), mark })
}

/// What an agent that knows the instructions is reminded of with a prompt: the phase, what is open in it, and the one
/// rule that it most needs there. It says enough to be told alone.
pub fn reminder(session: &Session) -> Option<String> {
    let state = match &session.phase {
        Phase::Interview(Floor::Free) if session.checkpoint_due => {
            "is open, and the checkpoint does not know the last answer yet: `grill_update_checkpoint` comes before the \
             next question."
                .to_owned()
        }
        Phase::Interview(Floor::Free) => "is open, with no question just now: ask the next one, by a tool.".to_owned(),
        Phase::Interview(Floor::Question { question }) => {
            let asked = session.transcript.get(question);
            let (number, wording) = asked.map_or((String::new(), String::new()), |asked| {
                let wording = Line::clipped(asked.question.text.as_str());
                (format!(" {}", asked.number), format!(": \"{wording}\""))
            });
            format!(
                "is open. Question{number} waits for the user{wording}. What they answer in chat is recorded with \
                 `grill_record_answer`, in their words."
            )
        }
        Phase::Interview(Floor::Discussion { .. }) => format!(
            "is open, and the user talks something over{}: plain text, until `resume_structured` is called with what it \
             came to.",
            about(session)
        ),
        Phase::Selection(_) => {
            "is at the output selection. The choice is the user's: show the options and wait.".to_owned()
        }
        Phase::Production(_) => {
            return Some(shown(&format!(
                "git grill: \"{}\" is in its output phase. Approved: {}. Each output goes in as a draft with \
                 `grill_submit_draft`; nothing else changes. `git grill instructions` says it in full.",
                topic(session),
                approved(session)
            )));
        }
        Phase::NoInterview { .. } => return session.own.instructions().map(|told| shown(&told)),
        Phase::Closed { .. } => return None,
    };
    let told = format!(
        "git grill: the interview about \"{}\" {state} Nothing in the repository changes meanwhile. `git grill \
         instructions` says it in full.",
        topic(session)
    );
    Some(shown(&[told].into_iter().chain(session.own.instructions()).collect::<Vec<_>>().join(" ")))
}

/// The instructions, harmless to a terminal and to an agent's context: they quote the topic and the questions.
fn shown(text: &str) -> String {
    harmless(text).into_owned()
}

fn topic(session: &Session) -> Line {
    Line::clipped(session.topic.as_str())
}

fn inspect(place: Place, research: Research) -> &'static str {
    match (research, place) {
        // The user was asked before the agent was started; nothing says so to it but this.
        (Research::Ask, Place::AtTerminal) => {
            "The user lets you read the repository: find out what it can tell instead of asking for it, with read-only means, and cite where you found it."
        }
        (Research::Auto, _) => {
            "Find out what the repository can tell instead of asking for it, with read-only means, and cite where you found it."
        }
        (Research::Ask, Place::Outside) => {
            "Before you inspect anything in the repository, ask the user whether you may, kind by kind; what they allow you find out instead of asking."
        }
        (Research::Off, _) => "Inspect nothing in the repository: the user wants to be asked.",
    }
}

fn approved(session: &Session) -> String {
    let Phase::Production(production) = &session.phase else { return String::new() };
    in_words(&production.plan)
}

fn about(session: &Session) -> String {
    let Phase::Interview(Floor::Discussion { about: Some(question) }) = &session.phase else { return String::new() };
    let asked = session.transcript.get(question);
    asked.map(|asked| format!(" (question {})", asked.number)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::Started;
    use crate::domain::ids::SessionId;
    use crate::domain::text::Topic;

    /// Every point that G36 and Q18 ask for, with words by which it is recognised.
    #[test]
    fn g36_q18_every_point_is_there() {
        for (point, text, words) in [
            ("the Socratic method", INTERVIEW, &["Socrates"][..]),
            ("one question at a time", INTERVIEW, &["one question at a time"]),
            (
                "alternatives with a recommendation, set before each question",
                INTERVIEW,
                &["grill_set_alternatives", "recommended"],
            ),
            ("adapt to topic and intent", INTERVIEW, &["this topic, this intent"]),
            ("inspect instead of ask as research allows", INTERVIEW, &["{inspect}"]),
            ("read before the first question", INTERVIEW, &["Call `grill_status` first", "{inspect}"]),
            ("the riskiest decision first", INTERVIEW, &["riskiest and least reversible decision first"]),
            ("every question cites", INTERVIEW, &["cites a place", "`buildsOn`"]),
            ("one good and one bad example", INTERVIEW, &["Bad: ", "Good: "]),
            ("stop when nothing would change", INTERVIEW, &["no answer would change the plan"]),
            ("what people say in chat", INTERVIEW, &["`choice`", "`grill_revise_answer`", "pushed-back"]),
            ("the referee holds", INTERVIEW, &["`held`", "waive"]),
            ("nothing implemented", INTERVIEW, &["Nothing is implemented"]),
            ("nothing implemented in a conversation", DISCUSSION, &["nothing is implemented"]),
            (
                "checkpoint before the next question",
                INTERVIEW,
                &["grill_update_checkpoint", "before you ask the next question"],
            ),
            ("selection when ready", INTERVIEW, &["grill_enter_output_selection_phase", "concrete options", "wait"]),
            ("concrete options, then wait", SELECTION, &["concrete options", "Then wait"]),
            (
                "the output phase only after approval",
                SELECTION,
                &["Your word alone is refused", "grill_enter_output_phase"],
            ),
            ("only approved mutations", OUTPUT, &["only what was approved", "byte for byte"]),
            ("ask when blocked", OUTPUT, &["in the way", "ask the user"]),
            ("a missing repository or remote", OUTPUT, &["missing repository", "missing remote"]),
            (
                "finish selection when the user goes on or stops",
                SELECTION,
                &["grill_finish_output_selection_phase", "goes on or stops"],
            ),
            ("every question through a tool", INTERVIEW, &["always through a tool"]),
            ("what is not known", INTERVIEW, &["Risks / Unknowns", "push back"]),
            ("a form only for what belongs together", INTERVIEW, &["`questionnaire` is only for"]),
            ("multi-select for topics", INTERVIEW, &["ask_multi_select", "which topics"]),
            ("options cite what exists", INTERVIEW, &["files, components, patterns"]),
            (
                "plain text in a conversation",
                INTERVIEW,
                &["plain text without the question tools", "resume_structured"],
            ),
            ("plain text in a conversation, there", DISCUSSION, &["plain text", "resume_structured"]),
            ("a form that was not sent is no answer", INTERVIEW, &["never an answer"]),
            (
                "nothing implemented beside another interviewer",
                BESIDE,
                &["Nothing is implemented", "never answer for them"],
            ),
            ("not the interviewer there", BESIDE, &["you are not the interviewer"]),
        ] {
            for word in words {
                assert!(text.contains(word), "{point}: \"{word}\" is missing");
            }
        }
    }

    /// Every tool of G35, and the one that records what was said, is named where it is needed.
    #[test]
    fn g35_g36_the_tools_are_named_in_the_phase_that_they_belong_to() {
        for (text, tools) in [
            (
                INTERVIEW,
                &[
                    "grill_set_alternatives",
                    "grill_update_checkpoint",
                    "grill_record_answer",
                    "grill_enter_output_selection_phase",
                ][..],
            ),
            (DISCUSSION, &["resume_structured"]),
            (SELECTION, &["grill_finish_output_selection_phase", "grill_enter_output_phase"]),
            (OUTPUT, &["grill_submit_draft", "grill_finish_output_phase"]),
        ] {
            for tool in tools {
                assert!(text.contains(&format!("`{tool}`")), "{tool} is missing");
            }
            assert!(!text.contains("tools that you are offered"), "they all exist");
        }
    }

    #[test]
    fn they_are_short() {
        for place in [Place::Outside, Place::AtTerminal] {
            for text in [INTERVIEW, BESIDE, DISCUSSION, SELECTION, OUTPUT] {
                let text = meant(text, place, &Settings::default());
                assert!(text.split_whitespace().count() < 450, "an agent reads this at every start");
            }
        }
    }

    /// A session that this agent leads.
    fn led(agent: &str, research: Research) -> Session {
        let at: jiff::Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let topic = Topic::parse("rate limiting").unwrap();
        let started = Started {
            id: SessionId::new(&topic, at, 1),
            topic,
            settings: Settings { research, interviewer: Interviewer::Agent(agent.to_owned()), ..Settings::default() },
            base: None,
            branch: None,
            reported: None,
            no_interview: false,
        };
        Session::begin(&started, at, 1)
    }

    /// The most characters of the method for each agent that git grill starts, where it sees the repository and where it
    /// does not.
    const MOST: &[(&str, usize, usize)] = &[
        ("claude", 2_750, 2_550),
        ("codex", 2_750, 2_550),
        ("gemini", 2_660, 2_450),
        ("grok", 2_660, 2_450),
        ("opencode", 2_660, 2_450),
        ("mine", 2_660, 2_450),
    ];

    #[test]
    fn g59_each_agent_at_the_terminal_is_told_what_it_can_use_and_no_more() {
        for (agent, sees, blind) in MOST {
            let own = OWN_TOOLS.iter().find(|(name, _)| name == agent).map(|(_, tool)| *tool);
            for (research, most) in [(Research::Auto, *sees), (Research::Ask, *sees), (Research::Off, *blind)] {
                let session = led(agent, research);
                let (told, outside) = (at_terminal(&session).unwrap(), instructions(&session).unwrap());
                let size = told.chars().count();
                assert!(size <= most && size * 20 >= most * 19, "{agent} is told {size} characters, and may be {most}");
                assert!(size < outside.chars().count(), "{agent}");
                assert!(!told.contains(['{', '}']) && !outside.contains(['{', '}']), "{told}\n{outside}");
                // Both examples, and the way out.
                for said in ["Bad: ", "Good: ", "`held`", "grill_update_checkpoint", "riskiest", "`buildsOn`"] {
                    assert!(told.contains(said) && outside.contains(said), "{agent}: {said}");
                }
                // The status stands in the prompt, there are no forms, and the terminal records.
                for said in ["Call `grill_status` first", "A form that comes back", "`grill_record_answer`"] {
                    assert!(!told.contains(said) && outside.contains(said), "{agent}: {said}");
                }
                let off = research == Research::Off;
                assert_eq!(told.contains("cites a place"), !off, "{told}");
                assert_eq!(told.contains("Reading and searching are allowed"), !off, "{told}");
                // Its user was asked before it was started, and it is told so.
                assert!(!told.contains("ask the user whether you may"), "{told}");
                assert_eq!(told.contains("The user lets you read"), research == Research::Ask, "{told}");
                assert_eq!(outside.contains("ask the user whether you may"), research == Research::Ask, "{outside}");
                for (_, tool) in OWN_TOOLS {
                    assert_eq!(told.contains(tool), own == Some(*tool), "{agent}: {tool}");
                    assert!(!outside.contains(tool), "{outside}");
                }
            }
        }
    }
}
