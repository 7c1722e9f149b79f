//! The question before an agent is started: it names the agent, what it reads and what is sent (A11). A surface puts it; what
//! follows from a yes is up to the one who asked.

use crate::domain::agents::profile::{Asks, LocalTools, Profile, Web};
use crate::domain::session::Session;
use crate::domain::settings::Research;

use super::ports::{Leader, Walls};
use super::prompt::Choice;

/// What an agent that leads is started for, as a sentence names it.
pub const INTERVIEW: &str = "starting an agent as the interviewer";

/// What an agent is started for, and by what it is told what it may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Interview(Research),
    /// A plan is talked about with it, in a session in which nothing is asked.
    Plan(Research),
    /// It is tried (A28).
    Trial(Research),
    /// It is lent work (A4).
    Lend(Profile),
}

impl Purpose {
    pub fn deed(self) -> &'static str {
        match self {
            Self::Interview(_) => INTERVIEW,
            Self::Plan(_) => "starting an agent for the plan",
            Self::Trial(_) => "trying an agent, which calls its provider,",
            Self::Lend(_) => "starting an agent, which calls its provider,",
        }
    }

    /// What the agent that leads this session is started for.
    pub fn of(session: &Session) -> Self {
        let research = session.settings.research;
        if session.phase.asks_nothing() { Self::Plan(research) } else { Self::Interview(research) }
    }

    /// What it can read, and what it sends.
    fn sends(self, asks: Asks) -> String {
        let (research, what) = match self {
            Self::Interview(research) => (research, "what it reads and your answers"),
            Self::Plan(research) => (research, "what it reads and what you write"),
            Self::Trial(research) => (research, "our prompt of two tasks and what it reads"),
            Self::Lend(profile) => return lent(profile, asks),
        };
        let reads = match research {
            Research::Off => "It cannot see this repository, but can read your other files. It",
            // The kernel knows no kinds.
            Research::Ask if !matches!(self, Self::Trial(_)) => {
                "It can read all of this repository, even what you do not allow git grill to read, and your other files. It"
            }
            Research::Ask | Research::Auto => "It can read this repository and your other files, and",
        };
        format!("{reads} sends {what} to its provider.")
    }
}

/// What an agent of this profile can read, and what it sends. What only its tools are refused is promised of none that asks
/// nobody about them.
fn lent(profile: Profile, asks: Asks) -> String {
    let terms = profile.terms();
    let holds = asks == Asks::Each;
    let reads = match (terms.tools, terms.web) {
        (LocalTools::Open, Web::Closed) if holds => {
            "It can read this repository and your other files, and is allowed no tool for the web."
        }
        (LocalTools::Open, Web::Closed) => {
            "It can read this repository and your other files. It may use its tools without asking git grill, so nothing keeps \
             it from the web."
        }
        (LocalTools::Open, Web::Open) => "It can read this repository, your other files and the web.",
        (LocalTools::Closed, Web::Open) if holds => "It is allowed no tool that reads files, and can read the web.",
        (LocalTools::Closed, Web::Closed) if holds => "It is allowed no tool that reads files or the web.",
        (LocalTools::Closed, Web::Open | Web::Closed) => {
            "It cannot see this repository. It may use its tools without asking git grill, so nothing keeps it from your other \
             files and the web."
        }
    };
    // A command can reach the net, whatever tools are allowed.
    let commands = if profile.needs_worktree() && terms.web == Web::Closed && holds {
        " Commands that it runs can reach the network."
    } else {
        ""
    };
    let sends = match (terms.tools, terms.web) {
        (LocalTools::Open, Web::Closed) => "It sends the prompt and what it reads to its provider.",
        (LocalTools::Open, Web::Open) => {
            "It sends the prompt and what it reads to its provider, and what it looks for to the web."
        }
        (LocalTools::Closed, Web::Open) => "It sends the prompt to its provider, and what it looks for to the web.",
        (LocalTools::Closed, Web::Closed) => "It sends the prompt to its provider.",
    };
    format!("{reads}{commands} {sends}")
}

/// What a person is asked before an agent is started.
pub fn question(leader: &Leader, purpose: Purpose, walls: &Walls) -> String {
    let (title, command, sends) = (&leader.title, &leader.command, purpose.sends(leader.asks));
    let kept = match walls {
        Walls::Hold => "The kernel keeps it from changing the repository.".to_owned(),
        Walls::Missing(why) => {
            format!(
                "Nothing here keeps it from changing files: {why}. What changes while it runs is shown to you after each \
                 turn."
            )
        }
    };
    match purpose {
        Purpose::Interview(_) => format!("Start {title} ({command}) as the interviewer? {sends} {kept}"),
        Purpose::Plan(_) => format!("Start {title} ({command}) for the plan? {sends} {kept}"),
        Purpose::Trial(_) => format!("Start {title} ({command}) for a trial of one turn? {sends} {kept}"),
        Purpose::Lend(profile) => {
            let changes = if profile.needs_worktree() {
                "It can change files in a copy of the repository that is made for it. "
            } else {
                ""
            };
            format!("Start {title} ({command}) with the profile {profile}? {sends} {changes}{kept}")
        }
    }
}

/// What they can answer to that; the value of a yes is `once`.
pub fn choices(purpose: Purpose) -> [Choice; 2] {
    match purpose {
        Purpose::Interview(_) => [
            Choice::of("once", "Start it for this session", "git grill asks again in the next session"),
            Choice::of("built-in", "No, use the built-in interviewer", "starts no program, sends nothing"),
        ],
        Purpose::Plan(_) => [
            Choice::of("once", "Start it for this session", "git grill asks again in the next session"),
            Choice::of(
                "built-in",
                "No, continue without an agent",
                "starts no program, sends nothing; the built-in interviewer asks nothing about a plan",
            ),
        ],
        Purpose::Trial(_) => [
            Choice::of("once", "Start it for this trial", "git grill asks again for another one, and for a session"),
            Choice::of("no", "No", "starts no program, sends nothing"),
        ],
        Purpose::Lend(_) => [
            Choice::of("once", "Start it for this session", "git grill asks again for the next one"),
            Choice::of("no", "No", "starts no program, sends nothing"),
        ],
    }
}

/// A yes for good, which stands between the two; its value is `always`.
pub fn always() -> Choice {
    Choice::of("always", "Start it, and do not ask again", "in this clone, for this agent")
}

/// Why no agent starts where the caller confirms that its provider may be used, and no yes is remembered (A11).
pub fn not_remembered(agent: &str, why: &str) -> String {
    format!("{why}; no yes to {agent} is remembered in this clone, and a confirmation alone starts nothing")
}

/// The way to a yes that is remembered, by a command that asks.
pub fn remembering(command: &str) -> String {
    format!("{command}, at a terminal: choose “{}”; then repeat this", always().label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claude() -> Leader {
        Leader {
            name: "claude".into(),
            title: "Claude Code".into(),
            command: "claude-agent-acp".into(),
            asks: Asks::Each,
        }
    }

    #[test]
    fn g15_what_is_asked_before_an_agent_starts_says_how_much_it_reads() {
        for (research, says) in [
            (Research::Off, "It cannot see this repository, but"),
            (Research::Ask, "all of this repository, even what you do not allow git grill to read"),
            (Research::Auto, "It can read this repository and your other files, and sends"),
        ] {
            for (purpose, begins) in
                [(Purpose::Interview(research), "as the interviewer?"), (Purpose::Plan(research), "for the plan?")]
            {
                let asked = question(&claude(), purpose, &Walls::Hold);
                assert!(asked.contains(says) && asked.contains("to its provider") && asked.contains(begins), "{asked}");
            }
        }
    }

    #[test]
    fn a11_a_no_to_an_agent_says_what_happens_instead() {
        for (purpose, no) in [
            (Purpose::Interview(Research::Auto), "No, use the built-in interviewer"),
            (Purpose::Plan(Research::Auto), "No, continue without an agent"),
            (Purpose::Trial(Research::Auto), "No"),
            (Purpose::Lend(Profile::LocalReview), "No"),
        ] {
            let [yes, other] = choices(purpose);
            assert_eq!((yes.value.as_str(), other.label.as_str()), ("once", no));
        }
    }

    #[test]
    fn a11_what_is_asked_before_work_is_lent_names_the_agent_its_command_the_profile_and_what_is_sent() {
        for (profile, says) in [
            (Profile::LocalReview, "this repository and your other files, and is allowed no tool for the web"),
            (Profile::GroundedReview, "this repository, your other files and the web"),
            (Profile::DeepResearch, "is allowed no tool that reads files, and can read the web"),
        ] {
            let asked = question(&claude(), Purpose::Lend(profile), &Walls::Hold);
            assert!(
                asked.starts_with(&format!("Start Claude Code (claude-agent-acp) with the profile {profile}? ")),
                "{asked}"
            );
            assert!(asked.contains(says) && asked.contains("It sends the prompt"), "{asked}");
            assert!(asked.ends_with("The kernel keeps it from changing the repository."), "{asked}");
        }
        for (profile, changes) in
            [(Profile::WorktreeEdit, true), (Profile::GroundedEdit, true), (Profile::LocalReview, false)]
        {
            let asked = question(&claude(), Purpose::Lend(profile), &Walls::Hold);
            assert_eq!(asked.contains("can change files in a copy of the repository"), changes, "{asked}");
        }
        // What it is not asked about is promised of none.
        for (asks, promises) in [(Asks::Each, true), (Asks::Nothing, false), (Asks::Unknown, false)] {
            let leader = Leader { asks, ..claude() };
            for profile in [Profile::LocalReview, Profile::WorktreeEdit, Profile::DeepResearch] {
                let asked = question(&leader, Purpose::Lend(profile), &Walls::Hold);
                assert_eq!(asked.contains("is allowed no tool"), promises, "{asked}");
                assert_eq!(asked.contains("nothing keeps it from"), !promises, "{asked}");
            }
        }
        let asked = question(&claude(), Purpose::Lend(Profile::WorktreeEdit), &Walls::Hold);
        assert!(asked.contains("Commands that it runs can reach the network."), "{asked}");
        let missing = Walls::Missing("no user namespaces".to_owned());
        let asked = question(&claude(), Purpose::Lend(Profile::LocalReview), &missing);
        assert!(asked.contains("Nothing here keeps it from changing files: no user namespaces."), "{asked}");
    }
}
