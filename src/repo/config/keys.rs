//! The table of every key that git grill reads for itself. Help, completion, checks and defaults all come from here.

use std::ops::RangeInclusive;

use super::counts::Counts;
pub use super::kind::Kind;
pub use super::notify::Notify;
use super::signing::FORMATS;
use crate::domain::agents::acceptance::MayAccept;
use crate::domain::settings::{Approval, Intensity, Intent, Research};

/// The seconds that a time limit can have: a day at most.
pub(super) const SECONDS: RangeInclusive<u64> = 1..=86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name; git ignores the case. A part in angle brackets is variable.
    pub name: &'static str,
    pub kind: Kind,
    /// What holds when it is not set.
    pub default: &'static str,
    pub help: &'static str,
    pub counts: Counts,
    /// The reason for those scopes.
    pub why: &'static str,
}

impl Key {
    /// The name before and after its variable part, if it has one.
    fn around(&self) -> Option<(&'static str, &'static str)> {
        let (before, part) = self.name.split_once('<')?;
        part.split_once('>').map(|(_, after)| (before, after))
    }

    /// Whether its name has a variable part.
    pub fn is_open(&self) -> bool {
        self.around().is_some()
    }

    /// Its name with this value for the variable part.
    pub fn with(&self, part: &str) -> String {
        self.around().map_or_else(|| self.name.to_owned(), |(before, after)| format!("{before}{part}{after}"))
    }

    pub fn is_called(&self, name: &str) -> bool {
        let Some((before, after)) = self.around() else { return self.name.eq_ignore_ascii_case(name) };
        let (name, before, after) = (name.to_lowercase(), before.to_lowercase(), after.to_lowercase());
        let rest = name.strip_prefix(&*before).and_then(|rest| rest.strip_suffix(&*after));
        rest.is_some_and(|part| !part.is_empty())
    }
}

const fn key(name: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Key {
    Key { name, kind, default, help, counts: Counts::Everywhere, why: "it only asks for, or shows, something else" }
}

pub const INTENT: Key = key("grill.intent", Kind::Choice(Intent::NAMES), "auto", "What interviews are for");
pub const INTENSITY: Key =
    key("grill.intensity", Kind::Choice(Intensity::NAMES), "standard", "How hard the interviewer presses");
pub const RESEARCH: Key =
    key("grill.research", Kind::Choice(Research::NAMES), "auto", "Whether the repository is looked at before asking");
pub const OUTPUT: Key = key("grill.output", Kind::Outputs, "", "What you would like to come out, separated by commas");
pub const INTERVIEWER: Key = Key {
    counts: Counts::WhereItStartsNothing,
    why: "an agent that is named may be started",
    ..key("grill.interviewer", Kind::Interviewer, "built-in", "Who asks")
};
/// The command of an agent that git grill does not know.
pub const AGENT_COMMAND: Key = Key {
    counts: Counts::InTheAccount,
    why: "the command is started",
    ..key(
        "grill.agent.<name>.command",
        Kind::Agent,
        "",
        "The command of an agent of your own, which --interviewer <name> and grill.interviewer start",
    )
};
/// Who may accept the work of an agent.
pub const AGENT_ACCEPT: Key = Key {
    counts: Counts::InTheAccount,
    why: "it lets an agent change files here",
    ..key(
        "grill.agent.accept",
        Kind::Choice(MayAccept::NAMES),
        "person",
        "Who may accept the work of an agent: host lets a coding agent do so, too, where no file needs a yes of its own",
    )
};
/// What makes a copy of the repository ready to be worked in.
pub const AGENT_SETUP: Key = Key {
    counts: Counts::InTheAccount,
    why: "the command is started",
    ..key(
        "grill.agent.setup",
        Kind::Shell,
        "",
        "A shell command that is run once in each new copy of the repository, in the sandbox, before the agent starts",
    )
};
/// Where agent sessions lie (A6).
pub const AGENT_DIRECTORY: Key = Key {
    counts: Counts::InTheAccount,
    why: "the work of agents is written there",
    ..key(
        "grill.agent.directory",
        Kind::Directory,
        "",
        "The directory for agent sessions, outside of the repository; when it is not set, .git/grill/agents of each repository",
    )
};
pub const SETUP_TIMEOUT: Key =
    key("grill.agent.setupTimeout", Kind::Seconds, "600", "The most seconds for the command of grill.agent.setup");
/// The agent that work is lent to.
pub const AGENT_DEFAULT: Key = Key {
    counts: Counts::InTheAccount,
    why: "the agent that is named is started",
    ..key(
        "grill.agent.default",
        Kind::Names,
        "",
        "The agent that git grill agent start starts; not set, the one that leads new interviews",
    )
};
pub const EXTENSION_COMMAND: Key = Key {
    counts: Counts::InTheAccount,
    why: "the command is started",
    ..key(
        "grill.extension.<name>.command",
        Kind::Extension,
        "",
        "The program of an extension, which git grill <name> <command> and the extension's tools start",
    )
};
/// Whether an extension runs in the sandbox of a read-only run. Even a value that protects counts nowhere else, so that
/// the list shows the account's configuration.
pub const EXTENSION_SANDBOX: Key = Key {
    counts: Counts::InTheAccount,
    why: "without it, an extension can write to the repository",
    ..key(
        "grill.extension.<name>.sandbox",
        Kind::Switch,
        "true",
        "Whether an extension runs in the sandbox, where it cannot write to the repository",
    )
};
pub const APPROVAL: Key = Key {
    counts: Counts::InTheAccount,
    why: "it lets a script or an agent approve",
    ..key("grill.approval", Kind::Choice(Approval::NAMES), "person", "Who may approve")
};
/// Whether git's own locks are held while a session is read-only.
pub const FENCE: Key = Key {
    counts: Counts::WhereItProtects,
    why: "without it, git add and other clients are let through",
    ..key(
        "grill.fence",
        Kind::Switch,
        "false",
        "Hold git's own locks during interviews, so that git add and other clients are refused too",
    )
};
/// What a hook does when git grill itself fails.
pub const FAIL_CLOSED: Key = Key {
    counts: Counts::WhereItProtects,
    why: "without it, git is let through where a hook of ours fails",
    ..key("grill.failClosed", Kind::Switch, "false", "Refuse git operations when git grill itself fails")
};
/// Shell commands that a person allows agents beyond what is known to be read-only.
pub const ALLOW: Key = Key {
    counts: Counts::InTheAccount,
    why: "it lets commands of agents through",
    ..key(
        "grill.allow",
        Kind::Command,
        "",
        "First words of a shell command that agents may run while files stay as they are; may be given more than once",
    )
};
/// Whether what is written is forced to the disk.
pub const FSYNC: Key =
    key("grill.fsync", Kind::Switch, "false", "Force every recorded answer to the disk; not set, core.fsync decides");
pub const SIGN: Key =
    key("grill.sign", Kind::Switch, "false", "Sign the commits of sessions; not set, commit.gpgSign decides");
/// The largest file that the baseline keeps.
pub const SNAPSHOT_LIMIT: Key = Key {
    counts: Counts::WhereItProtects,
    why: "what the baseline does not keep cannot be brought back",
    ..key("grill.snapshotLimit", Kind::Size, "32m", "The largest file whose content the baseline keeps")
};
pub const PACKET_LIMIT: Key = key(
    "grill.packetLimit",
    Kind::Length,
    "12000",
    "The most characters of the packet by which an agent goes on with an interview, 2000 to 200000",
);
/// The time limit of each step of an agent's start.
pub const HANDSHAKE_TIMEOUT: Key = key(
    "grill.handshakeTimeout",
    Kind::Seconds,
    "60",
    "The most seconds for each step in which an agent that leads is started",
);
/// The time limit of the first sign of a model in a turn.
pub const FIRST_TOKEN_TIMEOUT: Key = key(
    "grill.firstTokenTimeout",
    Kind::Seconds,
    "60",
    "The most seconds from the start of a turn of an agent that leads until its model sends something",
);
/// The time limit of an agent's turn.
pub const TURN_TIMEOUT: Key =
    key("grill.turnTimeout", Kind::Seconds, "1800", "The most seconds for a turn of an agent that leads");
pub const CANCEL_TIMEOUT: Key = key(
    "grill.cancelTimeout",
    Kind::Seconds,
    "10",
    "The most seconds that an agent has to stop its turn before it is ended",
);
/// The time limit of silence of an agent that work was lent to. Without it the one of its profile holds.
pub const SILENCE_TIMEOUT: Key = key(
    "grill.agent.silenceTimeout",
    Kind::Seconds,
    "",
    "The most seconds that the agent of an agent session may send nothing in a turn; not set, its profile decides",
);
pub const IDLE_TIMEOUT: Key = key(
    "grill.agent.idleTimeout",
    Kind::Seconds,
    "1800",
    "The seconds without a turn after which the agent of an agent session is ended; the next prompt starts it again",
);
pub const ASK_TIMEOUT: Key = key(
    "grill.agent.askTimeout",
    Kind::Seconds,
    "1800",
    "The most seconds that a question in an agent session waits for you",
);
/// Whether git signs commits. Listed by git's own manual.
pub const COMMIT_GPG_SIGN: Key = key("commit.gpgSign", Kind::Switch, "false", "Whether git signs commits");
/// With what git signs. Listed by git's own manual.
pub const GPG_FORMAT: Key = key("gpg.format", Kind::Choice(FORMATS), "openpgp", "What git signs with");
/// Tools of agents that pass although nobody knows what they do.
pub const GUARD_ALLOW_TOOL: Key = Key {
    counts: Counts::InTheAccount,
    why: "it lets tool calls of agents through",
    ..key(
        "grill.guard.allowTool",
        Kind::Names,
        "",
        "A tool of a coding agent that the guard allows, by its exact name; may be set several times",
    )
};
/// Whether the guard puts commands into the sandbox.
pub const GUARD_REWRITE: Key = Key {
    counts: Counts::InTheAccount,
    why: "commands that would be refused run in the sandbox",
    ..key(
        "grill.guard.rewrite",
        Kind::Switch,
        "false",
        "Have the guard put agents' shell commands into the sandbox instead of judging them",
    )
};
pub const COLOR_UI: Key = key("color.ui", Kind::Colour, "auto", "When git uses colour");
pub const COLOR_GRILL: Key = key("color.grill", Kind::Colour, "auto", "When git grill uses colour");

/// Whether what goes to a pager is coloured. Listed by git's own manual.
pub const COLOR_PAGER: Key = key("color.pager", Kind::Switch, "true", "Whether what goes to a pager is coloured");
pub const PAGER: Key = Key {
    counts: Counts::WhereItStartsNothing,
    why: "a pager that is named is started",
    ..key(
        "pager.grill",
        Kind::Pager,
        "",
        "Whether long output goes to a pager, and to which. With any value but false, git itself pages all of git grill, \
         which then cannot ask",
    )
};
pub const PAGER_OF_VERB: Key = Key {
    name: "pager.grill.<verb>",
    help: "The same for one command: agent (for agent accept), checkpoint, draft, plan, sessions, status or verify",
    ..PAGER
};
/// How a person is told that a question waits.
pub const NOTIFY: Key = key(
    "grill.notify",
    Kind::Choice(Notify::NAMES),
    "off",
    "How you are told that a question waits which you had to wait for",
);

/// Every key, in the order in which help lists them.
pub const KEYS: &[Key] = &[
    INTENT,
    INTENSITY,
    RESEARCH,
    OUTPUT,
    INTERVIEWER,
    AGENT_COMMAND,
    AGENT_DEFAULT,
    AGENT_ACCEPT,
    AGENT_SETUP,
    AGENT_DIRECTORY,
    EXTENSION_COMMAND,
    EXTENSION_SANDBOX,
    APPROVAL,
    ALLOW,
    FENCE,
    FAIL_CLOSED,
    GUARD_ALLOW_TOOL,
    GUARD_REWRITE,
    FSYNC,
    SIGN,
    SNAPSHOT_LIMIT,
    PACKET_LIMIT,
    HANDSHAKE_TIMEOUT,
    FIRST_TOKEN_TIMEOUT,
    TURN_TIMEOUT,
    CANCEL_TIMEOUT,
    SETUP_TIMEOUT,
    SILENCE_TIMEOUT,
    IDLE_TIMEOUT,
    ASK_TIMEOUT,
    NOTIFY,
    PAGER,
    PAGER_OF_VERB,
    COLOR_UI,
    COLOR_GRILL,
    COLOR_PAGER,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::packet_limit::PacketLimit;

    #[test]
    fn a_part_of_a_name_may_be_any() {
        for (name, called) in [
            ("grill.agent.mine.command", true),
            ("GRILL.agent.a.b.Command", true),
            ("grill.agent..command", false),
            ("grill.agent.command", false),
            ("grill.agent.mine.comand", false),
        ] {
            assert_eq!(AGENT_COMMAND.is_called(name), called, "{name}");
        }
        assert!(PAGER_OF_VERB.is_called("pager.grill.status") && !PAGER_OF_VERB.is_called("pager.grill"));
        assert!(PAGER.is_called("Pager.Grill") && !PAGER.is_called("pager.grill.status"));
        assert!(AGENT_DEFAULT.is_called("grill.agent.default") && !AGENT_COMMAND.is_called("grill.agent.default"));
        assert_eq!(AGENT_COMMAND.with("mine"), "grill.agent.mine.command");
        assert_eq!(PAGER.with("status"), "pager.grill");
    }

    #[test]
    fn what_is_allowed_of_a_number_names_its_range() {
        let length = format!("<characters, {} to {}>", PacketLimit::LEAST, PacketLimit::MOST);
        let seconds = format!("<seconds, {} to {}>", SECONDS.start(), SECONDS.end());
        for (kind, first) in
            [(Kind::Size, "<bytes, 0 or more>"), (Kind::Length, length.as_str()), (Kind::Seconds, seconds.as_str())]
        {
            assert_eq!(kind.allowed().first(), Some(&first));
        }
        assert_eq!(Kind::Size.protection(Some("0")), Some(0));
        assert_eq!(Kind::Size.protection(Some("-1")), None);
    }

    #[test]
    fn names_are_unique_and_every_key_says_why_it_counts_where_it_does() {
        for (place, key) in KEYS.iter().enumerate() {
            assert!(KEYS[place + 1..].iter().all(|other| !other.name.eq_ignore_ascii_case(key.name)));
            assert!(!key.why.is_empty(), "{}", key.name);
        }
    }
}
