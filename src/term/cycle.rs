//! What Tab and Shift-Tab put into the reply editor (G9). The stops are the choices, and with them what the person had
//! typed, so that going round brings it back.

use crate::app::prompt::Choice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Tab.
    Forward,
    /// Shift-Tab.
    Backward,
}

/// Why Tab does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    NoChoices,
    /// The word that was typed is in none of them.
    NoMatch,
    /// What was typed is a text of its own and must not be replaced.
    OwnWords,
}

impl Stuck {
    /// What the person is told.
    pub fn note(self) -> &'static str {
        match self {
            Self::NoChoices => "there are no alternatives to fill in",
            Self::NoMatch => "no alternative contains that word",
            Self::OwnWords => "your own words stay",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Own,
    Choice(usize),
}

/// A round through the choices that match what was typed when it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    stops: Vec<Stop>,
    /// Where we are; one past the end when nothing was typed and no stop was taken yet.
    at: usize,
    own: String,
}

impl Cycle {
    pub fn begin(text: &str, choices: &[Choice]) -> Result<Self, Stuck> {
        if choices.is_empty() {
            return Err(Stuck::NoChoices);
        }
        let all = || (0..choices.len()).map(Stop::Choice).collect::<Vec<_>>();
        if let Some(at) = choices.iter().position(|choice| choice.value == text) {
            return Ok(Self { stops: all(), at, own: String::new() });
        }
        if text.is_empty() {
            return Ok(Self { stops: all(), at: choices.len(), own: String::new() });
        }
        if text.contains(char::is_whitespace) {
            return Err(Stuck::OwnWords);
        }
        let word = text.to_lowercase();
        let contains = |text: &str| text.to_lowercase().contains(&word);
        let matching =
            choices.iter().enumerate().filter(|(_, choice)| contains(&choice.label) || contains(&choice.value));
        let stops: Vec<Stop> = std::iter::once(Stop::Own).chain(matching.map(|(at, _)| Stop::Choice(at))).collect();
        match stops.len() {
            1 => Err(Stuck::NoMatch),
            _ => Ok(Self { stops, at: 0, own: text.to_owned() }),
        }
    }

    /// Goes to the next stop that way round.
    pub fn turn(&mut self, way: Way) {
        let last = self.stops.len() - 1;
        self.at = match way {
            Way::Forward if self.at >= last => 0,
            Way::Forward => self.at + 1,
            Way::Backward if self.at == 0 => last,
            Way::Backward => self.at.min(last + 1) - 1,
        };
    }

    pub fn text<'a>(&'a self, choices: &'a [Choice]) -> &'a str {
        match self.stops.get(self.at) {
            Some(Stop::Choice(at)) => &choices[*at].value,
            Some(Stop::Own) | None => &self.own,
        }
    }

    pub fn choice(&self) -> Option<usize> {
        match self.stops.get(self.at) {
            Some(Stop::Choice(at)) => Some(*at),
            Some(Stop::Own) | None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Vec<Choice> {
        [("sqlite, one file", "SQLite"), ("postgres", "Postgres"), ("flat files", "No database")]
            .map(|(value, label)| Choice {
                value: value.into(),
                label: label.into(),
                description: None,
                recommended: false,
            })
            .to_vec()
    }

    fn round(text: &str, ways: &[Way]) -> Vec<String> {
        let choices = choices();
        let mut cycle = Cycle::begin(text, &choices).expect("there is one");
        ways.iter()
            .map(|way| {
                cycle.turn(*way);
                cycle.text(&choices).to_owned()
            })
            .collect()
    }

    #[test]
    fn an_empty_editor_goes_round_all_choices_both_ways() {
        let four = [Way::Forward; 4];
        assert_eq!(round("", &four), ["sqlite, one file", "postgres", "flat files", "sqlite, one file"]);
        let four = [Way::Backward; 4];
        assert_eq!(round("", &four), ["flat files", "postgres", "sqlite, one file", "flat files"]);
    }

    #[test]
    fn a_word_narrows_by_label_and_by_value_without_case_and_comes_back() {
        // "base" is only in a label, "FILE" in two values.
        assert_eq!(round("base", &[Way::Forward; 3]), ["flat files", "base", "flat files"]);
        assert_eq!(round("FILE", &[Way::Forward; 3]), ["sqlite, one file", "flat files", "FILE"]);
        assert_eq!(round("FILE", &[Way::Backward; 3]), ["flat files", "sqlite, one file", "FILE"]);
    }

    #[test]
    fn a_value_that_stands_there_is_where_the_round_begins() {
        assert_eq!(round("sqlite, one file", &[Way::Forward]), ["postgres"]);
        assert_eq!(round("postgres", &[Way::Backward]), ["sqlite, one file"]);
    }

    #[test]
    fn own_words_are_never_replaced() {
        assert_eq!(Cycle::begin("postgres please", &choices()), Err(Stuck::OwnWords));
        assert_eq!(Cycle::begin("postgres ", &choices()), Err(Stuck::OwnWords));
        assert_eq!(Cycle::begin("mongo", &choices()), Err(Stuck::NoMatch));
        assert_eq!(Cycle::begin("x", &[]), Err(Stuck::NoChoices));
    }
}
