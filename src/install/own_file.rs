//! Files that are ours as a whole: instructions and plugins. Each bears a seal, a checksum of itself, by which a file
//! that we wrote is told from one that somebody edited since, without a record elsewhere.

use crate::domain::fnv::fnv1a;

use super::json::EntryState;
use super::trouble::Trouble;

/// What stands in a text where its seal goes.
const PLACE: &str = "{seal}";
/// What stands before it.
const LABEL: &str = "git grill seal ";

pub fn sealed(text: &str) -> String {
    text.replacen(PLACE, &checksum(text), 1)
}

/// How a file with this text stands to the one that we would write.
pub fn standing(there: &str, wanted: &str) -> Result<EntryState, Trouble> {
    // Git may have checked it out with other line ends.
    let there = there.replace("\r\n", "\n");
    if there == sealed(wanted) {
        return Ok(EntryState::Current);
    }
    // `git grill guard --hook-line` prints the plugins without a seal, to be put there by hand.
    if wanted.split_once(&format!("// {LABEL}")).is_some_and(|(plain, _)| plain.trim_end() == there.trim_end()) {
        return Ok(EntryState::Older);
    }
    let Some((before, after)) = there.split_once(LABEL) else {
        return Err(Trouble::NotOurs);
    };
    let length = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len());
    let (seal, after) = after.split_at(length);
    if checksum(&format!("{before}{LABEL}{PLACE}{after}")) == seal {
        Ok(EntryState::Older)
    } else {
        Err(Trouble::Edited)
    }
}

/// Whether a text is one that some version of us wrote, and that nobody edited since.
pub fn is_ours(there: &str) -> bool {
    standing(there, "") == Ok(EntryState::Older)
}

/// It has to tell edits, not attacks.
fn checksum(text: &str) -> String {
    format!("{:016x}", fnv1a(text.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\n# git grill seal {seal}\n---\nDo this.\n";

    #[test]
    fn a_file_of_ours_is_told_from_an_edited_and_a_foreign_one() {
        let written = sealed(TEXT);
        assert_eq!(standing(&written, TEXT), Ok(EntryState::Current));
        assert_eq!(standing(&written.replace('\n', "\r\n"), TEXT), Ok(EntryState::Current));
        let newer = TEXT.replace("this", "that");
        assert_eq!(standing(&written, &newer), Ok(EntryState::Older));
        assert_eq!(standing(&written.replace("this", "mine"), &newer), Err(Trouble::Edited));
        assert_eq!(standing(&format!("{written}more\n"), TEXT), Err(Trouble::Edited));
        for foreign in ["", "Do this.\n", "---\nname: grill\n---\n"] {
            assert_eq!(standing(foreign, TEXT), Err(Trouble::NotOurs), "{foreign}");
        }
        for (text, ours) in [(written.as_str(), true), (&*format!("{written}more\n"), false), ("x", false), ("", false)]
        {
            assert_eq!(is_ours(text), ours, "{text}");
        }
    }

    #[test]
    fn a_plugin_that_was_put_there_by_hand_is_ours() {
        let wanted = "export const x = 1;\n// git grill seal {seal}\n";
        assert_eq!(standing("export const x = 1;\n", wanted), Ok(EntryState::Older));
        assert_eq!(standing("export const x = 2;\n", wanted), Err(Trouble::NotOurs));
    }
}
