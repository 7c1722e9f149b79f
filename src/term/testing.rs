//! Doubles for the tests of the widgets.

use super::fit::width;
use super::settings::{Colours, Marks};
use super::theme::Theme;
use super::widget::{Size, Widget};
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
