//! The question printed above a picture, and when it is printed again: a picture that grows or a window that changes its
//! size pushes it out of the window, and the terminal does not bring it back (Q8).

use super::widget::Size;

/// The question above the picture that was drawn last.
#[derive(Clone, Copy, Debug)]
pub struct Above {
    /// Its rows directly above the picture.
    rows: usize,
    /// The window when the picture was drawn.
    size: Size,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the window, and nowhere else.
    Printed,
    /// Pushed out of the window; the picture contains the question.
    Pushed,
    /// In the window again; the scrollback has another copy.
    PrintedAgain,
}

/// What happens to the question before the next picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    None,
    /// So many rows above the picture are erased.
    Erase(usize),
    /// So many rows above the picture are erased, and the question is printed there.
    Print(usize),
}

impl Above {
    /// A question of so many rows that was just printed in this window.
    pub fn printed(rows: usize, size: Size) -> Self {
        Self { rows, size, place: Place::Printed }
    }

    /// The change before a picture of `picture` rows is drawn, where the question takes `question` rows.
    ///
    /// A terminal that wraps lines in a narrower window makes more rows of the old question than are known here. The
    /// first of them then stay: erasing too many would take away text above the question.
    pub fn next(&mut self, question: usize, picture: usize, size: Size) -> Change {
        let fits = question + picture <= size.rows;
        let resized = std::mem::replace(&mut self.size, size) != size;
        let erased = self.rows;
        match (self.place, fits) {
            (Place::Printed | Place::PrintedAgain, true) if !resized => Change::None,
            (Place::Printed, true) => {
                self.rows = question;
                Change::Print(erased)
            }
            (Place::PrintedAgain | Place::Pushed, true) => {
                *self = Self { rows: question, place: Place::PrintedAgain, ..*self };
                Change::Print(erased)
            }
            // The whole question can be read in the scrollback, even if the picture contains only its beginning.
            (Place::Printed, false) => {
                self.place = Place::Pushed;
                Change::None
            }
            (Place::Pushed, false) => Change::None,
            // One copy in the scrollback is enough.
            (Place::PrintedAgain, false) => {
                *self = Self { rows: 0, place: Place::Pushed, ..*self };
                Change::Erase(erased)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { cols: 80, rows: 24 };

    #[test]
    fn q8_a_question_that_stays_in_the_window_is_printed_once() {
        let mut above = Above::printed(3, SIZE);
        for picture in [1, 21, 7, 21] {
            assert_eq!(above.next(3, picture, SIZE), Change::None);
        }
    }

    #[test]
    fn q8_a_question_that_a_picture_pushed_away_comes_back_and_fills_no_scrollback() {
        let mut above = Above::printed(3, SIZE);
        assert_eq!(above.next(3, 24, SIZE), Change::None);
        assert_eq!(above.next(3, 23, SIZE), Change::None);
        assert_eq!(above.next(3, 10, SIZE), Change::Print(3));
        assert_eq!(above.next(3, 11, SIZE), Change::None);
        assert_eq!(above.next(3, 24, SIZE), Change::Erase(3));
        assert_eq!(above.next(3, 24, SIZE), Change::None);
        assert_eq!(above.next(3, 10, SIZE), Change::Print(0));
    }

    #[test]
    fn q8_a_window_of_another_size_has_the_question_printed_again_where_it_fits() {
        let mut above = Above::printed(3, SIZE);
        let narrow = Size { cols: 60, rows: 24 };
        assert_eq!(above.next(4, 12, narrow), Change::Print(3));
        assert_eq!(above.next(4, 12, narrow), Change::None);
        let small = Size { cols: 20, rows: 8 };
        assert_eq!(above.next(9, 8, small), Change::None);
        assert_eq!(above.next(3, 12, SIZE), Change::Print(4));
    }
}
