//! The bytes of a terminal: they become keys without a byte left over, no wait changes what is known already, and no key
//! brings a widget out of its window.

use git_grill::app::prompt::{Choice, ReplyPrompt};
use git_grill::term::keys::{Event, Quiet, decode, is_unfinished_paste};
use git_grill::term::reply::Reply;
use git_grill::term::settings::{Colours, Marks};
use git_grill::term::theme::Theme;
use git_grill::term::widget::{Size, Step, Widget};

pub fn run(data: &[u8]) {
    let Some((&room, bytes)) = data.split_first() else { return };
    let mut rest = bytes;
    let mut events = Vec::new();
    while !rest.is_empty() {
        let (event, used) = decode(rest, Quiet::Long).expect("after a long silence nothing is awaited");
        assert!((1..=rest.len()).contains(&used), "{used} of {}", rest.len());
        if let Event::Paste(text) = &event {
            assert!(text.chars().all(|one| matches!(one, '\n' | '\t') || !one.is_control()), "{text:?}");
        }
        // What is known while more may come stays so when it comes.
        for length in [1, 2, 3, 4, 6, 8, 16].into_iter().filter(|length| *length <= rest.len()) {
            if let Some(early) = decode(&rest[..length], Quiet::No) {
                assert_eq!(early, (event.clone(), used), "{:?} of {rest:?}", &rest[..length]);
                assert!(!is_unfinished_paste(&rest[..length]));
            }
        }
        events.push(event);
        rest = &rest[used..];
    }
    typed(&events, Size { cols: usize::from(room & 0x3f) + 1, rows: usize::from(room >> 6) * 7 + 1 });
}

/// Types them into the reply editor.
fn typed(events: &[Event], size: Size) {
    let prompt = ReplyPrompt {
        choices: vec![Choice::of("as a file", "as a file", "one file"), Choice::of("数据库", "数据库", "")],
        ..ReplyPrompt::default()
    };
    let theme = Theme::new(Colours::Off, Marks::Unicode);
    let mut reply = Reply::new(&prompt);
    for event in events.iter().take(400) {
        let step = match event {
            Event::Key(key) => reply.key(*key),
            Event::Paste(text) => {
                reply.paste(text);
                Step::Stay
            }
            Event::Nothing => Step::Stay,
        };
        if let Step::Send(text) = &step {
            assert!(!text.trim().is_empty(), "an empty line is no reply");
        }
        let view = reply.view(size, &theme);
        let usable = size.usable();
        assert!(view.lines.len() <= size.rows, "{} rows in {size:?}", view.lines.len());
        assert!(
            view.lines.iter().all(|line| git_grill::term::fit::width(line) <= usable),
            "{:?} in {size:?}",
            view.lines
        );
        assert!(view.cursor.0 < view.lines.len().max(1) && view.cursor.1 <= usable, "{view:?} in {size:?}");
        let said = view.lines.concat();
        assert!(!said.chars().any(char::is_control), "{said:?}");
        assert!(matches!(step, Step::Stay) || !events.is_empty());
    }
}
