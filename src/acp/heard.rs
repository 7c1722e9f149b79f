//! What a plan can be read from in a turn: its messages, the agent's own list, and whether it worked. Bounded: a flood is
//! cut at its end, and that is noted.

use super::update::{CallKind, CallState, CallUpdate, EntryStatus, PlanEntry, Word};
use crate::domain::plan::MOST_STEPS;
use crate::domain::plan::heard::{Entry, EntryStatus as Status, Turn};
use crate::domain::plan::parse::LARGEST_TEXT;

/// So many entries are kept; a plan has no more steps.
const MOST_ENTRIES: usize = 2 * MOST_STEPS;
/// The bytes of an entry that are kept; no step is longer.
const MOST_TEXT: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct Heard {
    turn: Turn,
    bytes: usize,
    /// Whether the newest message goes on.
    speaks: bool,
}

impl Heard {
    pub(super) fn say(&mut self, piece: &str) {
        let taken = &piece[..piece.floor_char_boundary(LARGEST_TEXT.saturating_sub(self.bytes))];
        self.turn.is_cut |= taken.len() < piece.len();
        if taken.is_empty() {
            return;
        }
        self.bytes += taken.len();
        if self.speaks
            && let Some(message) = self.turn.messages.last_mut()
        {
            message.push_str(taken);
        } else {
            self.turn.messages.push(taken.to_owned());
        }
        self.speaks = true;
    }

    /// Ends the message: a thought or a tool call follows it.
    pub(super) fn pause(&mut self) {
        self.speaks = false;
    }

    /// Takes its whole list, in place of the one before.
    pub(super) fn list(&mut self, entries: &[PlanEntry]) {
        for before in self.turn.entries.drain(..) {
            if before.status != Status::Completed && self.turn.open.len() < MOST_ENTRIES {
                self.turn.open.insert(before.text);
            }
        }
        self.turn.entries = entries.iter().take(MOST_ENTRIES).map(entry).collect();
    }

    /// Notes a tool call of its own.
    pub(super) fn work(&mut self, call: &CallUpdate) {
        let works = matches!(
            call.kind,
            Some(Word::Known(CallKind::Edit | CallKind::Delete | CallKind::Move | CallKind::Execute))
        );
        self.turn.worked |= works && call.state == Some(Word::Known(CallState::Completed));
    }

    pub(super) fn take(&mut self) -> Turn {
        std::mem::take(self).turn
    }
}

fn entry(entry: &PlanEntry) -> Entry {
    let status = match &entry.status {
        Word::Known(EntryStatus::Pending) => Status::Pending,
        Word::Known(EntryStatus::InProgress) => Status::InProgress,
        Word::Known(EntryStatus::Completed) => Status::Completed,
        Word::Unknown(word) => Status::Unknown(beginning(word)),
    };
    Entry { text: beginning(&entry.text), status }
}

fn beginning(text: &str) -> String {
    text[..text.floor_char_boundary(MOST_TEXT)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acp::update::Update;
    use serde_json::{Value, json};

    #[test]
    fn p16_a_message_ends_where_something_else_follows() {
        let mut heard = Heard::default();
        heard.pause();
        heard.say("Plan");
        heard.say(":\n1. a");
        heard.pause();
        heard.say("");
        heard.say("Done.");
        assert_eq!(heard.take().messages, ["Plan:\n1. a", "Done."]);
        assert_eq!(heard.take(), Turn::default());
    }

    #[test]
    fn p20_an_entry_of_unknown_status_is_kept_as_unknown() {
        let read = |update: Value| {
            let Update::Plan(entries) = Update::read(&json!({"update": update})) else { panic!("no plan") };
            entries
        };
        let mut heard = Heard::default();
        heard.list(&read(json!({"sessionUpdate": "plan", "entries": [{"content": "gone", "status": "completed"}]})));
        heard.list(&read(json!({"sessionUpdate": "plan", "entries": [
            {"content": "a", "status": "completed"}, {"content": "b", "status": "parked"}, 7]})));
        let unknown = |word: &str| Status::Unknown(word.to_owned());
        let entry = |text: &str, status| Entry { text: text.to_owned(), status };
        let expected = [entry("a", Status::Completed), entry("b", unknown("parked")), entry("", unknown("nothing"))];
        assert_eq!(heard.take().entries, expected);
    }

    #[test]
    fn p20_what_an_earlier_list_had_as_open_is_kept_beside_the_last_one() {
        let entry =
            |text: &str, status| PlanEntry { text: text.to_owned(), status: Word::Known(status), priority: None };
        let mut heard = Heard::default();
        heard.list(&[entry("a", EntryStatus::Pending), entry("b", EntryStatus::Completed)]);
        heard.list(&[entry("a", EntryStatus::Completed), entry("b", EntryStatus::Completed)]);
        let turn = heard.take();
        assert_eq!(turn.open.into_iter().collect::<Vec<_>>(), ["a"]);
        assert!(turn.entries.iter().all(|one| one.status == Status::Completed));
    }

    #[test]
    fn p20_only_a_change_or_a_command_that_succeeded_is_work() {
        for (kind, status, worked) in [
            ("edit", "completed", true),
            ("execute", "completed", true),
            ("edit", "failed", false),
            ("edit", "in_progress", false),
            ("read", "completed", false),
            ("warp", "completed", false),
        ] {
            let mut heard = Heard::default();
            heard.work(&CallUpdate::read(&json!({"toolCallId": "c", "kind": kind, "status": status})).unwrap());
            assert_eq!(heard.take().worked, worked, "{kind} {status}");
        }
    }

    #[test]
    fn a_flood_is_cut_and_that_is_noted() {
        let mut heard = Heard::default();
        for _ in 0..LARGEST_TEXT {
            heard.say("é");
        }
        let entry = PlanEntry { text: "x".repeat(20_000), status: Word::Unknown("y".into()), priority: None };
        heard.list(&vec![entry; 900]);
        let turn = heard.take();
        assert!(turn.is_cut && turn.messages.concat().len() <= LARGEST_TEXT);
        assert!(turn.entries.len() == MOST_ENTRIES && turn.entries.iter().all(|one| one.text.len() <= MOST_TEXT));
    }
}
