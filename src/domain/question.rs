//! A question: its form, its wording, its alternatives with a recommendation, and what it is about.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::facts::Evidence;
use super::ids::QuestionId;
use super::purpose::Purpose;
use super::text::{Line, Prose, TextError};

/// Fewest alternatives of a grill question (G8).
pub const FEWEST: usize = 2;
/// Most alternatives of a grill question (G8).
pub const MOST: usize = 5;
/// Most options of a selection (Q1).
pub const MOST_OPTIONS: usize = 6;

/// The entry behind the options of a selection that takes words of the person's own (Q3).
pub const SOMETHING_ELSE: &str = "Something else (I'll explain)";
/// The entry behind it that asks for a conversation (Q3).
pub const LETS_DISCUSS: &str = "Let's discuss this";

/// How a question is put, and what answers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A question of the interview: alternatives to start from, any reply (G8).
    #[default]
    Grill,
    /// One of the options, words of one's own, or a conversation (Q1).
    Select,
    /// Several of the options (Q8).
    MultiSelect,
}

impl Form {
    /// The most alternatives; none is no limit (Q8).
    pub fn most(self) -> Option<usize> {
        match self {
            Self::Grill => Some(MOST),
            Self::Select => Some(MOST_OPTIONS),
            Self::MultiSelect => None,
        }
    }

    /// Whether so many alternatives are neither too few nor too many.
    pub fn takes(self, count: usize) -> bool {
        count >= FEWEST && self.most().is_none_or(|most| count <= most)
    }

    /// How many alternatives it takes, in words.
    pub fn limit(self) -> String {
        match self.most() {
            Some(most) => format!("{FEWEST} to {most}"),
            None => format!("at least {FEWEST}"),
        }
    }

    /// Whether it is the interview's own form, and none of a question tool.
    pub fn is_grill(&self) -> bool {
        match self {
            Self::Grill => true,
            Self::Select | Self::MultiSelect => false,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Grill => "grill",
            Self::Select => "select",
            Self::MultiSelect => "multi-select",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAlternatives {
    /// Too few or too many after dropping the empty ones.
    #[error("a question takes {FEWEST} to {MOST} alternatives, and without the empty ones this one has {0}")]
    Count(usize),
    /// Too few or too many for this form.
    #[error("a question of the form {form} takes {} alternatives, and {count} were given", form.limit())]
    Form { form: Form, count: usize },
    /// More than one is marked as recommended.
    #[error("one alternative can be recommended, and {0} are marked")]
    Recommended(usize),
    #[error(transparent)]
    Text(#[from] TextError),
}

/// One reply that is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// Exactly what is sent when it is taken.
    pub value: Prose,
    /// The short visible name.
    pub label: Line,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Line>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recommended: bool,
    /// Whether taking it opens a conversation instead of answering (Q12).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub discuss: bool,
    /// The place in the repository that it speaks of (Q16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

impl Alternative {
    /// Whether words are what it sends, but for case, blanks and a full stop at the end.
    pub fn is_said_by(&self, words: &str) -> bool {
        plain(self.value.as_str()) == plain(words)
    }
}

/// An alternative as it arrives, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawAlternative {
    /// What is sent; empty takes the label.
    pub value: String,
    /// The short name; empty takes the value.
    pub label: String,
    pub description: String,
    pub recommended: bool,
}

/// What a list of alternatives has of what it is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wants {
    pub recommendation: bool,
    /// The numbers of those without a reason.
    pub unreasoned: Vec<usize>,
}

/// Two or more alternatives, as many as the question's form takes, at most one of them recommended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Alternative>", try_from = "Vec<Alternative>")]
pub struct Alternatives(Vec<Alternative>);

impl From<Alternatives> for Vec<Alternative> {
    fn from(alternatives: Alternatives) -> Self {
        alternatives.0
    }
}

/// What every form asks for; how many there may be, the form says.
impl TryFrom<Vec<Alternative>> for Alternatives {
    type Error = BadAlternatives;

    fn try_from(list: Vec<Alternative>) -> Result<Self, BadAlternatives> {
        if list.len() < FEWEST {
            return Err(BadAlternatives::Count(list.len()));
        }
        match list.iter().filter(|one| one.recommended).count() {
            0 | 1 => Ok(Self(list)),
            several => Err(BadAlternatives::Recommended(several)),
        }
    }
}

impl Alternatives {
    pub fn of(form: Form, list: Vec<Alternative>) -> Result<Self, BadAlternatives> {
        if !form.takes(list.len()) {
            return Err(BadAlternatives::Form { form, count: list.len() });
        }
        Self::try_from(list)
    }

    /// The number of the alternative that these words take: they are what it sends, or word for word the value or the label
    /// of it and of no other one. Case, blanks and a full stop at the end do not matter.
    pub fn taken_by(&self, words: &str) -> Option<usize> {
        let sends = || self.0.iter().position(|one| one.value.as_str() == words);
        let is_named = |one: &Alternative| one.is_said_by(words) || plain(one.label.as_str()) == plain(words);
        let by_name = || {
            let mut all = self.0.iter().enumerate().filter(|(_, one)| is_named(one));
            let (index, _) = all.next()?;
            all.next().is_none().then_some(index)
        };
        sends().or_else(by_name).map(|index| index + 1)
    }

    /// What a list of the interview is to have and may lack (G8).
    pub fn wants(&self) -> Wants {
        let unreasoned = self.0.iter().enumerate().filter(|(_, one)| one.description.is_none());
        Wants {
            recommendation: self.0.iter().any(|one| one.recommended),
            unreasoned: unreasoned.map(|(index, _)| index + 1).collect(),
        }
    }

    /// Checks a list as it arrives: entries with neither value nor label are dropped first.
    pub fn parse(raw: &[RawAlternative]) -> Result<Self, BadAlternatives> {
        let kept: Vec<&RawAlternative> =
            raw.iter().filter(|one| !(one.value.trim().is_empty() && one.label.trim().is_empty())).collect();
        if !(FEWEST..=MOST).contains(&kept.len()) {
            return Err(BadAlternatives::Count(kept.len()));
        }
        let recommended = kept.iter().filter(|one| one.recommended).count();
        if recommended > 1 {
            return Err(BadAlternatives::Recommended(recommended));
        }
        let parsed: Result<Vec<Alternative>, TextError> = kept
            .into_iter()
            .map(|one| {
                let value = if one.value.trim().is_empty() { &one.label } else { &one.value };
                let label = if one.label.trim().is_empty() { &one.value } else { &one.label };
                Ok(Alternative {
                    value: Prose::parse("an alternative", value)?,
                    label: Line::parse("an alternative's label", label)?,
                    description: match one.description.trim() {
                        "" => None,
                        text => Some(Line::parse("an alternative's description", text)?),
                    },
                    recommended: one.recommended,
                    discuss: false,
                    evidence: None,
                })
            })
            .collect();
        Ok(Self(parsed?))
    }

    /// The alternatives in the order in which they are numbered.
    pub fn as_slice(&self) -> &[Alternative] {
        &self.0
    }

    pub fn recommended(&self) -> Option<&Alternative> {
        self.0.iter().find(|one| one.recommended)
    }

    /// The alternative with this number, counted from 1.
    pub fn numbered(&self, number: usize) -> Option<&Alternative> {
        number.checked_sub(1).and_then(|index| self.0.get(index))
    }
}

/// Words without what does not tell one alternative from another.
fn plain(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    words.strip_suffix('.').unwrap_or(&words).to_lowercase()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Question {
    pub id: QuestionId,
    #[serde(default, skip_serializing_if = "Form::is_grill")]
    pub form: Form,
    /// The wording; may have several lines.
    pub text: Prose,
    /// What it is about, such as `scope`; the interviewer's own word.
    pub dimension: Line,
    /// Which entry of the interviewer's catalogue it came from; none for an agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<String>,
    /// Why it matters (G10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Prose>,
    /// What can be taken over as a reply.
    pub alternatives: Alternatives,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Earlier questions whose answers it stands on; if one changes, this one is stale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds_on: Vec<QuestionId>,
    /// What it does with those answers, where an agent said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
}

impl Question {
    /// Whether it was put through a tool: by an agent, or by whoever calls one. The built-in interviewer's questions come
    /// from its catalogue.
    pub fn is_from_a_tool(&self) -> bool {
        !self.form.is_grill() || self.probe.is_none()
    }

    /// Whether it asks what the other one asks, whatever their ids and whichever bytes their places held when they were
    /// read.
    pub fn asks_what(&self, other: &Self) -> bool {
        let same = |(one, two): (&Alternative, &Alternative)| {
            let place = |one: &Alternative| one.evidence.as_ref().map(|at| (at.path.clone(), at.lines));
            one.value == two.value
                && one.label == two.label
                && one.description == two.description
                && one.discuss == two.discuss
                && place(one) == place(two)
        };
        let (ours, theirs) = (self.alternatives.as_slice(), other.alternatives.as_slice());
        self.form == other.form
            && self.text == other.text
            && ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(same)
    }

    /// The number of the entry that takes words of the person's own, behind the options of a selection (Q3).
    pub fn something_else(&self) -> Option<usize> {
        match self.form {
            Form::Select => Some(self.alternatives.as_slice().len() + 1),
            Form::Grill | Form::MultiSelect => None,
        }
    }

    /// The number of the entry that asks for a conversation (Q3).
    pub fn lets_discuss(&self) -> Option<usize> {
        self.something_else().map(|number| number + 1)
    }
}

/// A question as it is stored. Every version so far stored grill questions of [`FEWEST`] to [`MOST`] alternatives, so
/// none of theirs is turned away here.
#[derive(Deserialize)]
struct Unchecked {
    id: QuestionId,
    #[serde(default)]
    form: Form,
    text: Prose,
    dimension: Line,
    #[serde(default)]
    probe: Option<String>,
    #[serde(default)]
    why: Option<Prose>,
    alternatives: Alternatives,
    #[serde(default)]
    evidence: Vec<Evidence>,
    #[serde(default)]
    builds_on: Vec<QuestionId>,
    #[serde(default)]
    purpose: Option<Purpose>,
}

impl TryFrom<Unchecked> for Question {
    type Error = BadAlternatives;

    fn try_from(stored: Unchecked) -> Result<Self, BadAlternatives> {
        let Unchecked { id, form, text, dimension, probe, why, alternatives, evidence, builds_on, purpose } = stored;
        let alternatives = Alternatives::of(form, alternatives.0)?;
        Ok(Self { id, form, text, dimension, probe, why, alternatives, evidence, builds_on, purpose })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(value: &str) -> RawAlternative {
        RawAlternative { value: value.to_owned(), ..RawAlternative::default() }
    }

    #[test]
    fn g8_two_to_five_after_dropping_empty_ones() {
        for (given, taken) in [(0, false), (1, false), (2, true), (5, true), (6, false)] {
            let list: Vec<RawAlternative> = (0..given).map(|n| raw(&format!("reply {n}"))).collect();
            assert_eq!(Alternatives::parse(&list).is_ok(), taken, "{given}");
        }
        let error = Alternatives::parse(&[raw("one"), raw("  ")]).unwrap_err();
        assert_eq!(error, BadAlternatives::Count(1));
        assert!(error.to_string().contains("2 to 5"));
    }

    #[test]
    fn g8_one_recommendation() {
        let mark = |value| RawAlternative { recommended: true, ..raw(value) };
        assert_eq!(Alternatives::parse(&[mark("a"), mark("b")]), Err(BadAlternatives::Recommended(2)));
        let taken = Alternatives::parse(&[raw("a"), mark("b")]).unwrap();
        assert_eq!(taken.recommended().unwrap().value.as_str(), "b");
        assert_eq!(taken.numbered(2), taken.recommended());
        assert_eq!((taken.numbered(0), taken.numbered(3)), (None, None));
    }

    #[test]
    fn g9_words_take_the_alternative_that_they_name_and_no_other() {
        let named = |label: &str, value: &str| RawAlternative { label: label.to_owned(), ..raw(value) };
        let list = [
            named("By address", "The limit counts by address."),
            named("By cost", "The limit counts what a call costs"),
            named("Both", "by key"),
            named("By key", "The limit counts by key"),
        ];
        let list = Alternatives::parse(&list).unwrap();
        for (words, taken) in [
            ("By address", Some(1)),
            ("by  ADDRESS.", Some(1)),
            ("the limit counts what a call costs.", Some(2)),
            // What one sends, to the letter, goes before what another is called.
            ("by key", Some(3)),
            ("By key", None),
            ("both", Some(3)),
            ("by address, at first", None),
            ("address", None),
            ("", None),
        ] {
            assert_eq!(list.taken_by(words), taken, "{words}");
        }
    }

    #[test]
    fn a_stored_list_is_held_to_its_form() {
        let list = |count: usize| -> Vec<Alternative> {
            let raws: Vec<RawAlternative> = (0..2).map(|n| raw(&format!("reply {n}"))).collect();
            let two = Alternatives::parse(&raws).unwrap();
            two.as_slice().iter().cycle().take(count).cloned().collect()
        };
        assert_eq!(Alternatives::try_from(list(1)), Err(BadAlternatives::Count(1)));
        let mut marked = list(2);
        for one in &mut marked {
            one.recommended = true;
        }
        assert_eq!(Alternatives::try_from(marked), Err(BadAlternatives::Recommended(2)));
        for (form, most) in [(Form::Grill, 5), (Form::Select, 6)] {
            assert!(Alternatives::of(form, list(most)).is_ok());
            let error = Alternatives::of(form, list(most + 1)).unwrap_err();
            assert!(error.to_string().contains(&format!("2 to {most}")), "{error}");
        }
        assert!(Alternatives::of(Form::MultiSelect, list(300)).is_ok());
    }

    #[test]
    fn a_missing_label_or_value_takes_the_other() {
        let label_only = RawAlternative { label: "short".to_owned(), ..RawAlternative::default() };
        let taken = Alternatives::parse(&[label_only, raw("value")]).unwrap();
        assert_eq!(taken.as_slice()[0].value.as_str(), "short");
        assert_eq!(taken.as_slice()[1].label.as_str(), "value");
    }
}
