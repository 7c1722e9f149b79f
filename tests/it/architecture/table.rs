//! DESIGN.md section 2 as data: what each room may use. Widening a row is a design decision; say why in its `why`.

use std::fmt;

#[derive(Clone, Copy)]
pub enum Crates {
    /// Whatever the manifest has.
    Any,
    Only(&'static [&'static str]),
}

impl fmt::Display for Crates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crates::Any => write!(f, "it may use any crate"),
            Crates::Only([]) => write!(f, "it may use no crate"),
            Crates::Only(crates) => write!(f, "it may use {}", crates.join(", ")),
        }
    }
}

pub struct Row {
    /// The folder below `src`, or the stem of a file directly in it.
    pub room: &'static str,
    /// Paths of this crate, each with everything below it; `*` is all of it.
    pub may: &'static [&'static str],
    pub crates: Crates,
    /// Parts of the standard library it must not use.
    pub closed: &'static [&'static str],
    /// The same inside its `#[cfg(test)]` modules.
    pub closed_in_tests: &'static [&'static str],
    /// What stays open inside a closed part.
    pub except: &'static [&'static str],
    /// Why; shown with every breach.
    pub why: &'static str,
}

/// Pure rooms compute; their tests too, so nothing opens for those.
const MACHINE: &[&str] = &["env", "fs", "net", "process"];
/// Surfaces get process facts handed in and spawn nothing.
const PROCESS_FACTS: &[&str] = &["env", "net", "process"];
/// Everything is spawned through `world`.
const SPAWNING: &[&str] = &["process"];
const NOTHING: &[&str] = &[];

/// The rows, from the inside out.
pub const TABLE: &[Row] = &[
    Row {
        room: "domain",
        may: &[],
        crates: Crates::Only(&["serde", "jiff", "similar", "thiserror", "unicode_normalization"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "the rules depend on nothing; updates of the checkpoint are merged by a diff, and that one name is the spelling \
              of another is Unicode's to say",
    },
    Row {
        room: "agents",
        may: &["domain"],
        crates: Crates::Only(&["serde_json"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "all that is known of each agent, as data that other rooms read; some of it is JSON",
    },
    Row {
        room: "interviewer",
        may: &["domain"],
        crates: Crates::Only(&["rmp_serde", "serde", "serde_json", "serde_yaml", "similar", "thiserror", "jiff"]),
        closed: MACHINE,
        closed_in_tests: SPAWNING,
        except: NOTHING,
        why: "pure; its question catalogue is YAML data, built into the program as MessagePack, and the checkpoint is \
              patched by a diff",
    },
    Row {
        room: "policy",
        may: &["domain"],
        crates: Crates::Only(&["serde", "thiserror", "tree_sitter", "tree_sitter_bash"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "one pure verdict for hooks, tools and agents; a grammar reads shell commands a second time",
    },
    Row {
        room: "output",
        may: &["domain"],
        crates: Crates::Only(&["minijinja", "serde", "similar", "thiserror", "jiff"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "generators are pure; their templates are data",
    },
    Row {
        room: "app",
        may: &["domain", "agents", "output", "interviewer", "policy", "text"],
        // JSON is what a tool takes and returns by definition: the toolbox port hands it through. A plain reply has fields.
        crates: Crates::Only(&["thiserror", "jiff", "serde_json"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "use cases reach the world through their ports",
    },
    Row {
        room: "files",
        may: &[],
        crates: Crates::Only(&["rustix"]),
        closed: PROCESS_FACTS,
        closed_in_tests: PROCESS_FACTS,
        except: NOTHING,
        why: "files on the disk, for every room that keeps some; it knows nothing of sessions",
    },
    Row {
        room: "pipes",
        may: &[],
        crates: Crates::Only(&[]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "the pipes of a program that somebody else started, for every room that speaks with one",
    },
    Row {
        room: "kin",
        may: &[],
        crates: Crates::Only(&["libc", "rustix"]),
        closed: MACHINE,
        closed_in_tests: SPAWNING,
        except: NOTHING,
        why: "whose a process is, for every room that asks; one place knows that a number may be missing",
    },
    Row {
        room: "ledger",
        may: &["domain", "files"],
        crates: Crates::Only(&["jiff", "rustix", "serde", "serde_json", "thiserror"]),
        closed: PROCESS_FACTS,
        closed_in_tests: PROCESS_FACTS,
        except: NOTHING,
        why: "keeps what the domain's gate lets through, one writer at a time; who that is and what it does is world's",
    },
    Row {
        room: "text",
        may: &["domain"],
        crates: Crates::Only(&["console", "unicode_segmentation"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "how text is laid out and quoted, for every room that shows some; what it means is the domain's to say",
    },
    Row {
        room: "git",
        may: &["domain", "app::ports", "files"],
        crates: Crates::Only(&["flate2", "git2", "gix_hash", "thiserror"]),
        // Files of objects are read and written here, since the library reads one that is cut off for ever.
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: &["process::id"],
        why: "objects, refs and worktrees, for every room that reads a repository; the program is run through its port",
    },
    Row {
        room: "store",
        may: &["domain", "app::ports", "app::prompt", "files", "git"],
        crates: Crates::Any,
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: &["process::id"],
        why: "implements a port",
    },
    Row {
        room: "repo",
        may: &["domain", "app::ports", "app::prompt", "files", "git", "text"],
        crates: Crates::Any,
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "implements a port",
    },
    Row {
        room: "lend",
        may: &["domain", "app::ports", "files", "git"],
        crates: Crates::Only(&["rustix", "thiserror"]),
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "reads folders that an agent wrote, without following what it finds there; git is run through its port",
    },
    Row {
        room: "hooks",
        may: &["domain", "app::ports", "app::prompt", "files", "git", "policy", "text"],
        crates: Crates::Any,
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "implements a port; and a git hook asks the policy directly, since it only queries and must be fast",
    },
    Row {
        room: "sandbox",
        may: &["domain", "agents", "app::ports", "app::prompt", "files", "kin"],
        crates: Crates::Any,
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "builds walls around the process it is called in; what runs behind them is spawned by `world`",
    },
    Row {
        room: "fence",
        may: &["domain", "app::ports", "files", "git", "hooks"],
        crates: Crates::Any,
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "stands around the same places as the hooks, with the same files and one lock for both kinds of arming",
    },
    Row {
        room: "tracker",
        may: &["domain", "app::ports"],
        crates: Crates::Only(&["jiff", "serde", "serde_json"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "implements a port by what one program says; it opens no file, so it cannot read a credential either",
    },
    Row {
        room: "guard",
        may: &["domain", "agents", "policy", "text"],
        crates: Crates::Only(&["serde", "serde_json", "shell_words"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "turns an agent's bytes into attempts and verdicts into its answer; finding out what is active is world's",
    },
    Row {
        room: "install",
        may: &["domain", "agents", "app"],
        crates: Crates::Only(&["jsonc_parser", "serde_json", "thiserror", "toml_edit"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "edits the texts of agents' settings; where the files are, and writing them, is world's",
    },
    Row {
        room: "mcp",
        may: &["domain", "app"],
        crates: Crates::Only(&["rmcp", "serde_json", "thiserror", "tokio"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "a protocol: frames in, calls to the toolbox, results out; the process's own streams come from its crate",
    },
    Row {
        room: "acp",
        may: &["domain", "agents", "pipes"],
        crates: Crates::Only(&["base64", "memchr", "serde_json"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "a protocol over streams that are handed in: what is asked is ruled on here, the agent is started by world",
    },
    Row {
        room: "extension",
        may: &["domain", "app::form", "app::ports::extensions", "app::prompt", "pipes"],
        crates: Crates::Only(&["serde", "serde_json", "thiserror"]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "a protocol over streams that are handed in: extensions are found, started and killed by world",
    },
    Row {
        room: "term",
        may: &["domain", "app::ports", "app::prompt", "text", "kin"],
        crates: Crates::Any,
        closed: SPAWNING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "implements a port",
    },
    Row {
        room: "render",
        may: &["domain", "app::reply", "app::error", "app::interview_summary", "text"],
        crates: Crates::Only(&["console", "jiff", "pulldown_cmark", "serde", "serde_json", "similar"]),
        closed: PROCESS_FACTS,
        closed_in_tests: PROCESS_FACTS,
        except: NOTHING,
        why: "turns a reply into text and knows nothing of how it came about",
    },
    Row {
        room: "cli",
        may: &["domain", "app", "render", "text"],
        crates: Crates::Only(&["clap", "serde", "serde_json", "serde_path_to_error", "shell_words"]),
        closed: PROCESS_FACTS,
        closed_in_tests: PROCESS_FACTS,
        except: &["process::ExitCode"],
        why: "a surface lowers, command lines and the JSON of tool calls, and hands on; git, prompts and processes are \
              other rooms",
    },
    Row {
        room: "world",
        may: &["*"],
        crates: Crates::Any,
        closed: NOTHING,
        closed_in_tests: NOTHING,
        except: NOTHING,
        why: "the only room that touches the machine",
    },
    Row {
        room: "lib",
        may: &[],
        crates: Crates::Only(&[]),
        closed: MACHINE,
        closed_in_tests: MACHINE,
        except: NOTHING,
        why: "a map of the rooms",
    },
    Row {
        room: "main",
        may: &["world", "cli"],
        crates: Crates::Only(&[]),
        closed: &["fs", "net", "process"],
        closed_in_tests: MACHINE,
        except: &["process::ExitCode"],
        why: "process facts in, exit code out",
    },
];
