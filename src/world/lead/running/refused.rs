//! What the agent was refused, until its next prompt says so, once. The protocol's answer has no room for a reason, and a
//! model that only hears of a rejection takes it for the user's, who was never asked (A18).

use crate::acp::activity::{object, short};
use crate::acp::permission::Why;
use crate::acp::update::CallUpdate;
use crate::app::ports::Within;

/// So many refusals are named; how many more there were is said.
const MOST: usize = 5;
/// So many are told apart.
const MOST_COUNTED: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Refused {
    /// Each in a line, the oldest first.
    lines: Vec<String>,
}

impl Refused {
    /// Notes a call that the agent asked to be allowed.
    pub(super) fn call(&mut self, call: &CallUpdate, why: Why, within: Within, root: &str) {
        self.note(object(call, root).as_deref(), because(why, within));
    }

    /// Notes a file or a terminal that it asked for.
    pub(super) fn of_the_machine(&mut self, method: &str) {
        self.note(Some(&short(method)), "git grill handles no file and no command for you");
    }

    fn note(&mut self, what: Option<&str>, why: &str) {
        let what = what.map_or_else(|| "a call without a name".to_owned(), |what| format!("“{what}”"));
        let line = format!("{what}: {why}");
        if self.lines.len() < MOST_COUNTED && !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// What goes before the next prompt; nothing where nothing was refused since the last one.
    pub(super) fn take(&mut self) -> String {
        let mut lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return String::new();
        }
        let more = lines.len().saturating_sub(MOST);
        lines.truncate(MOST);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        format!(
            "git grill's rules refused this, and the user was not asked about it:\n- {}\nDo without it.\n\n",
            lines.join("\n- ")
        )
    }
}

fn because(why: Why, within: Within) -> &'static str {
    match why {
        Why::Kept => "the user keeps the repository from you",
        Why::Changes => "nothing changes in this conversation",
        Why::Command => match within {
            Within::Walls => "git grill cannot tell that this command only reads",
            Within::WhatThereIs => "no command runs here without the sandbox",
        },
        Why::Net => "nothing is fetched in this conversation",
        Why::Mode => "your mode stays as it is",
        Why::Unknown => "git grill does not know what this does",
        Why::ForGood => "it could only be allowed for good",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::acp::permission::Permission;

    fn call(title: &str) -> CallUpdate {
        Permission::read(&json!({"toolCall": {"toolCallId": "c", "title": title}})).call
    }

    #[test]
    fn a18_what_was_refused_is_told_once_with_the_reason_and_bounded() {
        let mut refused = Refused::default();
        assert_eq!(refused.take(), "");
        for _ in 0..3 {
            refused.call(&call("Write\nsrc/a.rs"), Why::Changes, Within::Walls, "/r");
        }
        let command =
            Permission::read(&json!({"toolCall": {"toolCallId": "c", "rawInput": {"command": "curl x"}}})).call;
        refused.call(&command, Why::Command, Within::WhatThereIs, "/r");
        refused.call(&CallUpdate::default(), Why::Unknown, Within::Walls, "/r");
        assert_eq!(
            refused.take(),
            "git grill's rules refused this, and the user was not asked about it:\n- “Write src/a.rs”: nothing changes in \
             this conversation\n- “curl x”: no command runs here without the sandbox\n- a call without a name: git grill \
             does not know what this does\nDo without it.\n\n"
        );
        assert_eq!(refused.take(), "", "it is told once");
        for at in 0..10_000 {
            refused.call(&call(&format!("Write {at} {}", "x".repeat(10_000))), Why::Changes, Within::Walls, "/r");
        }
        let told = refused.take();
        assert!(told.len() < 2_500 && told.ends_with("\n- and 95 more\nDo without it.\n\n"), "{told}");
    }
}
