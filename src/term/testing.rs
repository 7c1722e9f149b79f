//! Doubles for the tests of the widgets.

use proptest::prelude::*;

use super::fit::{cut, width, wrap};
use super::keys::Key;
use super::settings::{Colours, Marks};
use super::theme::Theme;
use super::widget::{Size, Step, Widget};
use crate::app::prompt::Choice;

const NAMES: [&str; 4] = ["one", "two", "three 日本語", "four e\u{301} 👩‍👩‍👧"];

/// Odd and even, narrower than a number with its dot, and around the places where the layout changes.
const WIDTHS: [usize; 14] = [1, 2, 3, 4, 5, 7, 8, 9, 14, 20, 23, 24, 41, 80];

/// Around the places where parts give way, and with room for everything.
const HEIGHTS: [usize; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 30];

/// So many choices, each described, the first one recommended.
pub(crate) fn choices(count: usize) -> Vec<Choice> {
    let choice = |at: usize| Choice {
        value: format!("value {}", NAMES[at % 4]),
        label: format!("choice {}", NAMES[at % 4]),
        description: Some("why one would take it".to_owned()),
        recommended: at == 0,
    };
    (0..count).map(choice).collect()
}

/// What a person may do to a prompt.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Press(Key),
    Paste(String),
}

/// Keys of every kind, those that open, send and move more often than the others, and pastes.
pub(crate) fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let often = [Key::Escape, Key::Up, Key::Down, Key::Tab, Key::BackTab, Key::Left, Key::Right];
    let seldom = [
        Key::Newline,
        Key::Backspace,
        Key::Delete,
        Key::WordLeft,
        Key::WordRight,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::EraseWord,
        Key::EraseToStart,
        Key::EraseToEnd,
        Key::Close,
        Key::Interrupt,
        Key::Suspend,
        Key::Redraw,
        Key::PlanMode,
    ];
    let typed = prop_oneof![Just('n'), Just('a'), Just(' '), Just('1'), Just('3'), Just('語'), any::<char>()];
    let deed = prop_oneof![
        3 => Just(Deed::Press(Key::Enter)),
        4 => proptest::sample::select(often.to_vec()).prop_map(Deed::Press),
        2 => proptest::sample::select(seldom.to_vec()).prop_map(Deed::Press),
        3 => typed.prop_map(|character| Deed::Press(Key::Char(character))),
        1 => any::<String>().prop_map(Deed::Paste),
    ];
    proptest::collection::vec(deed, 0..40)
}

/// Does all this to a widget and looks at it in between; returns everything that was sent. A prompt that was closed goes
/// on here: its keys must do no harm then either.
pub(crate) fn live_through<W: Widget>(widget: &mut W, deeds: &[Deed], size: Size) -> Vec<W::Value> {
    let theme = Theme::new(Colours::On, Marks::Unicode);
    let mut sent = Vec::new();
    for deed in deeds {
        match deed {
            Deed::Paste(text) => widget.paste(text),
            Deed::Press(key) => match widget.key(*key) {
                Step::Send(value) => sent.push(value),
                Step::Stay | Step::Cancel => {}
            },
        }
        let view = widget.view(size, &theme);
        assert!(view.lines.len() <= size.rows && view.cursor.0 < view.lines.len(), "{size:?}: {view:?}");
        assert!(view.lines.iter().all(|line| width(line) <= size.usable()), "{size:?}: {view:?}");
    }
    sent
}

/// The lines of a widget without style.
pub(crate) fn picture<W: Widget>(widget: &W, cols: usize, rows: usize) -> Vec<String> {
    widget.view(Size { cols, rows }, &Theme::new(Colours::Off, Marks::Unicode)).lines
}

/// In any window, styled or not, no line is too wide, there are not too many, and the cursor is on one of them.
pub(crate) fn assert_fits_everywhere<W: Widget>(widget: &W) {
    for colours in [Colours::On, Colours::Off] {
        let theme = Theme::new(colours, Marks::Unicode);
        for (cols, rows) in WIDTHS.iter().flat_map(|cols| HEIGHTS.map(|rows| (*cols, rows))) {
            let size = Size { cols, rows };
            let view = widget.view(size, &theme);
            assert!(view.lines.len() <= rows, "{size:?}: {view:?}");
            assert!(view.cursor.0 < view.lines.len() && view.cursor.1 <= size.usable(), "{size:?}: {view:?}");
            for line in view.lines.iter().chain(&widget.intro(size.usable(), &theme)) {
                assert!(width(line) <= size.usable(), "{size:?}: {line:?}");
            }
        }
    }
}

/// In a window of this size, the first words of the question are on the screen: above the widget or in its picture.
pub(crate) fn assert_asks_in_sight<W: Widget>(widget: &W, question: &str, size: Size) {
    let theme = Theme::new(Colours::Off, Marks::Unicode);
    let mut screen = widget.intro(size.usable(), &theme);
    screen.extend(widget.view(size, &theme).lines);
    let seen = &screen[screen.len().saturating_sub(size.rows)..];
    let first = &wrap(question, size.usable())[0];
    let shortened = cut(&format!("{first}\n"), size.usable(), theme.ellipsis());
    assert!(seen.iter().any(|line| line == first || *line == shortened), "{size:?}: {seen:?}");
}

/// In a small window, the question is above the list that fills the window, whole or with a sign where it is cut, and
/// the current row is below the question.
pub(crate) fn assert_asks_above_its_list<W: Widget>(widget: &W, question: &str) {
    for (cols, rows) in [(20, 6), (80, 8), (80, 24)] {
        let lines = picture(widget, cols, rows);
        let asked = wrap(question, Size { cols, rows }.usable());
        let whole = lines.iter().zip(&asked).take_while(|(line, asked)| line == asked).count();
        assert!(whole == asked.len() || lines[whole].ends_with('…'), "{cols}x{rows}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with('›')), "{cols}x{rows}: {lines:?}");
        assert_eq!(lines.len(), rows, "{cols}x{rows}: {lines:?}");
    }
}
