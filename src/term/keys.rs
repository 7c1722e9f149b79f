//! Turns the bytes of a terminal into keys. A pure function of the bytes and of how long nothing followed: no reading,
//! no waiting, no state, so that any byte stream can be tried against it.

/// A key as the widgets know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Enter,
    /// Alt+Enter or Shift+Enter: a line break in the text.
    Newline,
    Tab,
    /// Shift-Tab.
    BackTab,
    Backspace,
    Delete,
    /// Arrow up, Ctrl-P.
    Up,
    /// Arrow down, Ctrl-N.
    Down,
    /// Arrow left, Ctrl-B.
    Left,
    /// Arrow right, Ctrl-F.
    Right,
    /// Ctrl-Left, Alt-B.
    WordLeft,
    /// Ctrl-Right, Alt-F.
    WordRight,
    /// Home, Ctrl-A.
    Home,
    /// End, Ctrl-E.
    End,
    PageUp,
    PageDown,
    /// Ctrl-W, Alt-Backspace.
    EraseWord,
    /// Ctrl-U.
    EraseToStart,
    /// Ctrl-K.
    EraseToEnd,
    /// Escape alone.
    Escape,
    /// Ctrl-D: closes an empty editor, else deletes.
    Close,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// Ctrl-L.
    Redraw,
    /// Alt-P: toggles plan mode, in prompts that take verbs.
    PlanMode,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Key(Key),
    /// Text was pasted between the bracketed-paste marks; line ends are `\n`.
    Paste(String),
    /// Bytes that mean nothing to us, such as a function key or half a character.
    Nothing,
}

/// How long nothing has followed the bytes at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// More may be on its way.
    No,
    /// Longer than a terminal takes between the bytes of one key ([`ESCAPE_PAUSE_MS`]).
    Brief,
    /// Longer than a slow line takes within one paste ([`STALLED_PAUSE_MS`]); nothing more is awaited.
    Long,
}

/// After this many milliseconds of silence an ESC byte is the Escape key.
pub const ESCAPE_PAUSE_MS: u64 = 40;
/// After this many milliseconds of silence an unfinished sequence or paste is taken as it stands.
pub const STALLED_PAUSE_MS: u64 = 1_000;

/// A control sequence longer than this is no key of any terminal; the bytes are dropped.
const MAX_SEQUENCE: usize = 64;
const ESC: u8 = 0x1b;
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// The first event in `bytes` and how many bytes it took, or nothing if more must be awaited. With [`Quiet::Long`] and
/// at least one byte there is always an event.
pub fn decode(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    match *bytes.first()? {
        ESC => escape(bytes, quiet),
        control @ (0x00..=0x1f | 0x7f) => Some((control_key(control), 1)),
        _ => character(bytes, quiet),
    }
}

/// Whether `bytes` begin a paste whose end has not come yet.
pub fn is_unfinished_paste(bytes: &[u8]) -> bool {
    bytes.strip_prefix(PASTE_START).is_some_and(|body| end_of_paste(body).is_none())
}

/// The length of the mark that ends a paste; a cut through a paste must keep that many bytes.
pub const PASTE_END_LEN: usize = PASTE_END.len();

fn key(key: Key) -> Event {
    Event::Key(key)
}

fn control_key(byte: u8) -> Event {
    match byte {
        0x01 => key(Key::Home),
        0x02 => key(Key::Left),
        0x03 => key(Key::Interrupt),
        0x04 => key(Key::Close),
        0x05 => key(Key::End),
        0x06 => key(Key::Right),
        0x08 | 0x7f => key(Key::Backspace),
        0x09 => key(Key::Tab),
        0x0a | 0x0d => key(Key::Enter),
        0x0b => key(Key::EraseToEnd),
        0x0c => key(Key::Redraw),
        0x0e => key(Key::Down),
        0x10 => key(Key::Up),
        0x15 => key(Key::EraseToStart),
        0x17 => key(Key::EraseWord),
        0x1a => key(Key::Suspend),
        _ => Event::Nothing,
    }
}

fn character(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() == 0 => {
            return match (error.error_len(), quiet) {
                (Some(wrong), Quiet::No | Quiet::Brief | Quiet::Long) => Some((Event::Nothing, wrong)),
                (None, Quiet::No) => None,
                (None, Quiet::Brief | Quiet::Long) => Some((Event::Nothing, head.len())),
            };
        }
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let first = valid.chars().next()?;
    let event = if first.is_control() { Event::Nothing } else { key(Key::Char(first)) };
    Some((event, first.len_utf8()))
}

fn escape(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    let Some(&second) = bytes.get(1) else {
        return match quiet {
            Quiet::No => None,
            Quiet::Brief | Quiet::Long => Some((key(Key::Escape), 1)),
        };
    };
    match second {
        b'[' if bytes.starts_with(PASTE_START) => paste(bytes, quiet),
        b'[' => sequence(bytes, quiet),
        b'O' => application_key(bytes, quiet),
        b'\r' | b'\n' => Some((key(Key::Newline), 2)),
        0x08 | 0x7f => Some((key(Key::EraseWord), 2)),
        b'b' => Some((key(Key::WordLeft), 2)),
        b'f' => Some((key(Key::WordRight), 2)),
        b'p' => Some((key(Key::PlanMode), 2)),
        ESC => Some((key(Key::Escape), 1)),
        // Alt with a control key: the control key alone must act, so that Ctrl-C always interrupts.
        0x00..=0x1f => Some((Event::Nothing, 1)),
        _ => character(&bytes[1..], quiet).map(|(_, used)| (Event::Nothing, used + 1)),
    }
}

/// Two bytes may be Alt+[ and are given up soon; three can only be a sequence on a slow line.
fn unfinished(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    match quiet {
        Quiet::No => None,
        Quiet::Brief if bytes.len() > 2 => None,
        Quiet::Brief | Quiet::Long => Some((Event::Nothing, bytes.len())),
    }
}

fn application_key(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    match bytes.get(2) {
        None => unfinished(bytes, quiet),
        Some(b'M') => Some((key(Key::Enter), 3)),
        Some(&last @ 0x20..=0x7e) => Some((motion(last, Held::Nothing), 3)),
        Some(_) => Some((Event::Nothing, 2)),
    }
}

fn sequence(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    // The Linux console sends its function keys as ESC [ [ A.
    if bytes.get(2) == Some(&b'[') {
        return match bytes.get(3) {
            None => unfinished(bytes, quiet),
            Some(0x20..=0x7e) => Some((Event::Nothing, 4)),
            Some(_) => Some((Event::Nothing, 3)),
        };
    }
    for (at, &byte) in bytes.iter().enumerate().skip(2) {
        match byte {
            0x20..=0x3f if at < MAX_SEQUENCE => {}
            0x40..=0x7e => return Some((sequence_key(&bytes[2..at], byte), at + 1)),
            _ => return Some((Event::Nothing, at)),
        }
    }
    unfinished(bytes, quiet)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    Something,
}

fn sequence_key(parameters: &[u8], last: u8) -> Event {
    let mut numbers = parameters
        .split(|byte| *byte == b';')
        .map(|digits| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok()));
    let first = numbers.next().flatten();
    let second = numbers.next().flatten();
    let third = numbers.next().flatten();
    // The second number is 1 plus a bit set of Shift (1), Alt (2) and Ctrl (4); some terminals leave out the first.
    let held = match (first, second) {
        (_, Some(modifiers)) if modifiers.saturating_sub(1) & 6 != 0 => Held::Something,
        (Some(3 | 5..=8), None) => Held::Something,
        (_, Some(_) | None) => Held::Nothing,
    };
    match (last, first, second, third) {
        (b'Z', ..) | (b'u', Some(9), Some(2), _) => key(Key::BackTab),
        (b'u', Some(13), Some(2..), _) | (b'~', Some(27), Some(2..), Some(13)) => key(Key::Newline),
        (b'u', Some(13), ..) => key(Key::Enter),
        (b'u', Some(27), ..) => key(Key::Escape),
        (b'u', Some(99), Some(5), _) => key(Key::Interrupt),
        (b'u', Some(112), Some(3), _) => key(Key::PlanMode),
        (b'~', Some(1 | 7), ..) => key(Key::Home),
        (b'~', Some(3), ..) => key(Key::Delete),
        (b'~', Some(4 | 8), ..) => key(Key::End),
        (b'~', Some(5), ..) => key(Key::PageUp),
        (b'~', Some(6), ..) => key(Key::PageDown),
        (b'A'..=b'H', ..) => motion(last, held),
        _ => Event::Nothing,
    }
}

fn motion(last: u8, held: Held) -> Event {
    match (last, held) {
        (b'A', _) => key(Key::Up),
        (b'B', _) => key(Key::Down),
        (b'C', Held::Nothing) => key(Key::Right),
        (b'C', Held::Something) => key(Key::WordRight),
        (b'D', Held::Nothing) => key(Key::Left),
        (b'D', Held::Something) => key(Key::WordLeft),
        (b'H', _) => key(Key::Home),
        (b'F', _) => key(Key::End),
        _ => Event::Nothing,
    }
}

fn paste(bytes: &[u8], quiet: Quiet) -> Option<(Event, usize)> {
    let body = &bytes[PASTE_START.len()..];
    match (end_of_paste(body), quiet) {
        (Some(end), _) => Some((Event::Paste(pasted(&body[..end])), PASTE_START.len() + end + PASTE_END.len())),
        (None, Quiet::Long) => Some((Event::Paste(pasted(body)), bytes.len())),
        (None, Quiet::No | Quiet::Brief) => None,
    }
}

fn end_of_paste(body: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(ahead) = body[from..].iter().position(|byte| *byte == ESC) {
        let at = from + ahead;
        if body[at..].starts_with(PASTE_END) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Pasted bytes as text: unknown bytes show as replacement characters, line ends become `\n`, and control characters,
/// which nobody pastes on purpose, are left out.
fn pasted(body: &[u8]) -> String {
    String::from_utf8_lossy(body)
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|character| matches!(character, '\n' | '\t') || !character.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Key) {
        let event = decode(bytes, Quiet::No);
        assert_eq!(event, Some((Event::Key(expected), bytes.len())), "{bytes:?}");
    }

    #[test]
    fn keys_are_known_by_all_their_names() {
        check(b"\r", Key::Enter);
        check(b"\t", Key::Tab);
        check(b"\x1b[Z", Key::BackTab);
        check(b"\x7f", Key::Backspace);
        check(b"\x1b[3~", Key::Delete);
        check(b"\x1b[A", Key::Up);
        check(b"\x1bOB", Key::Down);
        check(b"\x1b[C", Key::Right);
        check(b"\x1b[1;2C", Key::Right);
        check(b"\x1b[1;5C", Key::WordRight);
        check(b"\x1b[5D", Key::WordLeft);
        check(b"\x1bf", Key::WordRight);
        check(b"\x1bp", Key::PlanMode);
        check(b"\x1b[112;3u", Key::PlanMode);
        check(b"\x1b[H", Key::Home);
        check(b"\x1b[4~", Key::End);
        check(b"\x01", Key::Home);
        check(b"\x05", Key::End);
        check(b"\x15", Key::EraseToStart);
        check(b"\x17", Key::EraseWord);
        check(b"\x0b", Key::EraseToEnd);
        check(b"\x1b\r", Key::Newline);
        check(b"\x1b[13;2u", Key::Newline);
        check(b"\x1b[27;3;13~", Key::Newline);
        check(b"\x03", Key::Interrupt);
        check("語".as_bytes(), Key::Char('語'));
    }

    #[test]
    fn escape_is_known_by_the_silence_after_it() {
        assert_eq!(decode(b"\x1b", Quiet::No), None);
        assert_eq!(decode(b"\x1b", Quiet::Brief), Some((Event::Key(Key::Escape), 1)));
        assert_eq!(decode(b"\x1b\x03", Quiet::No), Some((Event::Nothing, 1)));
    }

    #[test]
    fn a_sequence_in_pieces_is_awaited_not_typed() {
        assert_eq!(decode(b"\x1b[", Quiet::No), None);
        assert_eq!(decode(b"\x1b[200", Quiet::Brief), None);
        assert_eq!(decode(b"\x1b[200", Quiet::Long), Some((Event::Nothing, 5)));
        assert_eq!(decode(&"語".as_bytes()[..2], Quiet::No), None);
        assert_eq!(decode(&"語".as_bytes()[..2], Quiet::Brief), Some((Event::Nothing, 2)));
    }

    #[test]
    fn unknown_bytes_are_dropped_without_taking_what_follows() {
        assert_eq!(decode(b"\xffabc", Quiet::No), Some((Event::Nothing, 1)));
        assert_eq!(decode(b"\x1b[1;9\x1b[A", Quiet::No), Some((Event::Nothing, 5)));
        assert_eq!(decode(b"\x1b[15~x", Quiet::No), Some((Event::Nothing, 5)));
        assert_eq!(decode(b"\x1b[[Ax", Quiet::No), Some((Event::Nothing, 4)));
        assert_eq!(decode(b"\x1bx", Quiet::No), Some((Event::Nothing, 2)));
    }

    #[test]
    fn a_paste_is_one_event_with_its_line_ends_made_plain() {
        let bytes = b"\x1b[200~one\r\ntwo\rthree\x1b[31m\x07\x1b[201~rest";
        let expected = Event::Paste("one\ntwo\nthree[31m".to_owned());
        assert_eq!(decode(bytes, Quiet::No), Some((expected, bytes.len() - 4)));
        assert_eq!(decode(b"\x1b[200~half", Quiet::Brief), None);
        assert_eq!(decode(b"\x1b[200~half", Quiet::Long), Some((Event::Paste("half".to_owned()), 10)));
        assert!(is_unfinished_paste(b"\x1b[200~half"));
        assert!(!is_unfinished_paste(b"\x1b[200~half\x1b[201~"));
    }

    #[test]
    fn a_paste_of_a_hundred_kilobytes_comes_whole() {
        let text = "lorem 語 ipsum\n".repeat(7_000);
        let bytes = [PASTE_START, text.as_bytes(), PASTE_END].concat();
        assert!(bytes.len() > 100_000);
        assert_eq!(decode(&bytes, Quiet::No), Some((Event::Paste(text), bytes.len())));
    }

    fn terminal_bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            any::<char>().prop_map(|character| character.to_string().into_bytes()),
            Just(b"\x1b[".to_vec()),
            Just(b"\x1b".to_vec()),
            Just(b"\x1bO".to_vec()),
            Just(PASTE_START.to_vec()),
            Just(PASTE_END.to_vec()),
            "[0-9;]{0,80}[A-Za-z~]".prop_map(String::into_bytes),
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn decoding_always_progresses_and_never_overruns(bytes in terminal_bytes()) {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                for quiet in [Quiet::No, Quiet::Brief] {
                    if let Some((_, used)) = decode(rest, quiet) {
                        prop_assert!((1..=rest.len()).contains(&used));
                    }
                }
                let (_, used) = decode(rest, Quiet::Long).expect("long silence always ends an event");
                prop_assert!((1..=rest.len()).contains(&used));
                rest = &rest[used..];
            }
        }

        #[test]
        fn what_follows_never_changes_an_event_already_certain(bytes in terminal_bytes(), cut in 0usize..64) {
            let start = &bytes[..cut.min(bytes.len())];
            if let Some(event) = decode(start, Quiet::No) {
                prop_assert_eq!(decode(&bytes, Quiet::No), Some(event));
            }
        }

        #[test]
        fn decoded_characters_are_never_controls(bytes in terminal_bytes()) {
            if let Some((Event::Key(Key::Char(character)), _)) = decode(&bytes, Quiet::Long) {
                prop_assert!(!character.is_control());
            }
        }
    }
}
