//! The hooks of an agent: what its own tools do and are called, what it says before a call, and how it is answered.

/// What is known of one agent's hooks.
#[derive(Clone, Copy, Debug)]
pub struct Hooks {
    /// What its own tools do, by their exact names. A name that is not here is unknown, and unknown is refused.
    pub tools: &'static [(Does, &'static [&'static str])],
    /// How it names tools of ours.
    pub naming: Naming,
    /// The events that it asks about, by the names that it gives them; none where it has no events.
    pub events: &'static [(&'static str, Event)],
    /// Agents whose hook files it reads as well, and the field by which it is then told from them.
    pub reads_files_of: Option<(&'static [&'static str], &'static str)>,
    pub asked_by: AskedBy,
    /// What it reads as a yes on standard output.
    pub pass: &'static str,
    /// How it is told something when a conversation begins.
    pub at_start: Telling,
    /// The same with each prompt.
    pub with_prompt: Telling,
    /// It is told everything when a conversation begins, or with each request, so that a prompt of which nothing else is
    /// known needs less.
    pub is_told_at_start: bool,
    pub rewrites: Rewrites,
    pub shell: Shell,
}

/// Deed of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Runs the line in its input's `command`.
    Shell,
    /// Writes, makes or edits the files that its input names.
    Write,
    /// Removes the files that its input names.
    Delete,
    /// Applies a patch in the `*** Begin Patch` format.
    Patch,
    /// Reads, searches, asks, or keeps notes that are no files of the repository.
    Read,
    /// Starts another agent; refused where its input asks for a worktree of its own.
    Delegate,
    /// Loads instructions that may run commands without asking anybody; only ours passes.
    Skill,
    Ours,
    Unknown,
}

/// How an agent names a tool of our server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// With the server's name between these two, before the tool's own.
    Served { before: &'static str, between: &'static str },
    /// With this mark before it, for its hooks alone; it does not say whose tool it is.
    Marked(&'static str),
    /// As it is.
    Plain,
}

/// What an event of a hook is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A call of a tool.
    Call,
    /// A line for the shell, which stands in the payload itself.
    ShellLine,
    /// A call of a tool that a server has, by the tool's own name.
    ServerCall,
    /// A file is read.
    FileRead,
}

/// What asks the guard before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// A line that its hook runs.
    Line,
    /// A file that it loads, in pieces; in it `"{grill}"` stands for what the command `/grill` says to the model.
    File(&'static [&'static str]),
}

/// When we may speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A conversation begins, is resumed, or was shortened.
    SessionStart,
    Prompt,
}

impl Moment {
    pub const ALL: [Self; 2] = [Self::SessionStart, Self::Prompt];

    /// Its name, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
        }
    }

    /// The moment of this name, exactly.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| moment.name() == name)
    }
}

/// How an agent is told something by a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    pub ear: Ear,
    /// Such a hook is installed.
    pub is_installed: bool,
}

impl Telling {
    /// No hook is installed for it.
    pub const fn without_hook(ear: Ear) -> Self {
        Self { ear, is_installed: false }
    }

    pub const fn by_hook(ear: Ear) -> Self {
        Self { ear, is_installed: true }
    }
}

/// The form in which an agent hears us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ear {
    /// As the context that an event of this name adds.
    Context(&'static str),
    /// Cursor's form of it.
    Snake,
    /// The text as it is: the file of ours that it loads does the rest, or whoever wrote the hook.
    Plain,
    /// It shows its model nothing of what such a hook says.
    Deaf,
}

/// How an agent takes another command in the place of its own. Only where that was seen to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrites {
    No,
    /// As `updatedInput`, with the permission to run it: without that it would ask for what it cannot show, the sandbox.
    UpdatedInput,
    /// As `tool_input` in the output of this event.
    InOutput(&'static str),
    /// As `tool_input` alone: our own file reads it.
    Plain,
}

/// The shell that an agent runs a command in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    Bash,
    /// The user's own, as far as a command may be written for it.
    Users,
    Sh,
}

#[cfg(test)]
mod tests {
    use super::Moment;
    use crate::agents::Hooked;

    #[test]
    fn names_are_exact() {
        for moment in Moment::ALL {
            assert_eq!(Moment::named(moment.name()), Some(moment));
        }
        for other in ["", "Prompt", "SessionStart", "prompt "] {
            assert_eq!(Moment::named(other), None, "{other}");
        }
    }

    #[test]
    fn no_tool_stands_twice_in_a_table() {
        for agent in Hooked::all() {
            let mut names: Vec<&str> = agent.tools.iter().flat_map(|(_, names)| names.iter().copied()).collect();
            names.sort_unstable();
            let before = names.len();
            names.dedup();
            assert_eq!(names.len(), before, "{agent}");
        }
    }
}
