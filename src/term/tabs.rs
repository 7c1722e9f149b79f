//! The line of tabs above a form. In a narrow window labels are shortened first, then tabs far from the current one
//! are left out; the current one is always there, in brackets, so that colour is not needed to see it.

use super::fit::{cut, width};
use super::theme::Theme;

const GAP: &str = "  ";
/// Labels are shortened to so many columns before any is left out.
const SHORT: [usize; 3] = [12, 8, 5];

#[derive(Clone, Copy, Debug)]
pub struct Tab<'a> {
    pub label: &'a str,
    pub state: State,
}

/// How far the question of a tab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Answered,
    /// It has none, or there is no question.
    Open,
}

pub fn bar(tabs: &[Tab<'_>], current: usize, columns: usize, theme: &Theme) -> String {
    for limit in [columns].into_iter().chain(SHORT) {
        let all: Vec<Segment> = segments(tabs, current, limit, theme);
        if all.iter().map(|one| one.cells).sum::<usize>() + GAP.len() * all.len().saturating_sub(1) <= columns {
            return all.iter().map(|one| one.styled.as_str()).collect::<Vec<_>>().join(GAP);
        }
    }
    around(&segments(tabs, current, SHORT[1], theme), current, columns, theme)
}

struct Segment {
    styled: String,
    cells: usize,
}

fn segments(tabs: &[Tab<'_>], current: usize, limit: usize, theme: &Theme) -> Vec<Segment> {
    let one = |(at, tab): (usize, &Tab<'_>)| {
        let label = cut(tab.label, limit, theme.ellipsis());
        let marked = match tab.state {
            State::Answered => format!("{} {label}", theme.tick()),
            State::Open => label,
        };
        let (text, styled) = match (at == current, tab.state) {
            (true, State::Answered | State::Open) => {
                let text = format!("[{marked}]");
                (text.clone(), theme.answer(&text))
            }
            (false, State::Answered) => (marked.clone(), theme.good(&marked)),
            (false, State::Open) => (marked.clone(), theme.muted(&marked)),
        };
        Segment { styled, cells: width(&text) }
    };
    tabs.iter().enumerate().map(one).collect()
}

/// The current tab and as many of its neighbours as there is room for, with a sign where more are.
fn around(all: &[Segment], current: usize, columns: usize, theme: &Theme) -> String {
    let sign = theme.ellipsis();
    let (mut first, mut last) = (current, current);
    let cells = |first: usize, last: usize| {
        let shown: usize = all[first..=last].iter().map(|one| one.cells + GAP.len()).sum();
        let signs = usize::from(first > 0) + usize::from(last + 1 < all.len());
        shown - GAP.len() + signs * (width(sign) + GAP.len())
    };
    loop {
        if last + 1 < all.len() && cells(first, last + 1) <= columns {
            last += 1;
        } else if first > 0 && cells(first - 1, last) <= columns {
            first -= 1;
        } else {
            break;
        }
    }
    // Where there is no room even for the signs, the picture cuts the line.
    let signs = cells(first, last) <= columns;
    let before = (signs && first > 0).then(|| theme.muted(sign));
    let after = (signs && last + 1 < all.len()).then(|| theme.muted(sign));
    let shown = all[first..=last].iter().map(|one| one.styled.clone());
    before.into_iter().chain(shown).chain(after).collect::<Vec<_>>().join(GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::settings::{Colours, Marks};

    const LABELS: [&str; 5] = ["Auth", "Storage", "Caching of answers", "日本語", "Submit"];

    fn shown(current: usize, columns: usize) -> String {
        let tabs: Vec<Tab<'_>> = LABELS
            .iter()
            .enumerate()
            .map(|(at, label)| Tab { label, state: if at == 0 { State::Answered } else { State::Open } })
            .collect();
        bar(&tabs, current, columns, &Theme::new(Colours::Off, Marks::Unicode))
    }

    #[test]
    fn labels_are_shortened_before_tabs_are_left_out() {
        assert_eq!(shown(1, 80), "✓ Auth  [Storage]  Caching of answers  日本語  Submit");
        assert_eq!(shown(1, 48), "✓ Auth  [Storage]  Caching of …  日本語  Submit");
        assert_eq!(shown(0, 36), "[✓ Auth]  Stor…  Cach…  日本…  Subm…");
        assert_eq!(shown(2, 19), "…  [Caching…]  …");
        assert_eq!(shown(0, 20), "[✓ Auth]  Storage  …");
        assert_eq!(shown(4, 19), "…  日本語  [Submit]");
    }

    #[test]
    fn the_current_tab_is_in_any_window_that_holds_it() {
        for (current, label) in LABELS.iter().enumerate() {
            for columns in 12..90 {
                let line = shown(current, columns);
                assert!(width(&line) <= columns, "{columns}: {line}");
                let start: String = label.chars().take(2).collect();
                let inside = line.split_once('[').expect("it is in brackets").1;
                assert!(inside.trim_start_matches("✓ ").starts_with(&start), "{columns}: {line}");
            }
        }
    }
}
