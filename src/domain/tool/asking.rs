//! `ask_question` and `ask_multi_select`: what they are called with, and the question it makes.

use std::time::Duration;

use serde::Deserialize;

use super::Tool;
use super::bad_request::{BadRequest, optional_line};
use super::lenient;
use super::reported::QuestionName;
use crate::domain::facts::Evidence;
use crate::domain::ids::QuestionId;
use crate::domain::interview::{self, Transcript};
use crate::domain::purpose::Purpose;
use crate::domain::question::{
    Alternative, Alternatives, BadAlternatives, Form, LETS_DISCUSS, Question, SOMETHING_ELSE,
};
use crate::domain::refusal::Refusal;
use crate::domain::text::{Line, Prose};

/// The label that opens a conversation without a flag (Q19).
pub const NOT_QUITE: &str = "Not quite, let me explain";

/// The longest time that a caller may let a prompt stand open.
pub(super) const LONGEST: u64 = 24 * 60 * 60;

/// What the tool is called with, unchecked. What is missing is empty here, so that the check can say what is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskingRequest {
    #[serde(default)]
    pub question: String,
    #[serde(default)]
    pub options: Vec<OptionRequest>,
    /// Why the answer before it changed nothing in the checkpoint (G24).
    #[serde(default)]
    pub no_change: Option<String>,
    /// How long somebody is waited for; without it, as long as it takes (Q14).
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
    /// Ids of the questions whose answers it builds on.
    #[serde(default, deserialize_with = "lenient::names")]
    pub builds_on: Vec<String>,
    #[serde(default)]
    pub purpose: Option<String>,
    /// Why the question matters (G10).
    #[serde(default)]
    pub why: Option<String>,
    /// What it is about, such as `scope`.
    #[serde(default)]
    pub dimension: Option<String>,
    /// Places in the repository that the question as a whole speaks of.
    #[serde(default)]
    pub evidence: Vec<EvidenceRequest>,
}

/// An option, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "an object with a label")]
pub struct OptionRequest {
    #[serde(default)]
    pub label: String,
    /// What speaks for it, or what it means.
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub recommended: bool,
    /// Whether taking it opens a conversation.
    #[serde(default)]
    pub discuss: bool,
    /// The place in the repository that it speaks of.
    #[serde(default)]
    pub evidence: Option<EvidenceRequest>,
}

/// A place in the repository, as the caller names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvidenceRequest {
    /// The file, from the top of the repository.
    pub path: String,
    /// Its first and last line, or one line.
    pub lines: Option<Vec<u32>>,
}

/// What became of looking for a place: the place with the blob that was read, or why it is none.
pub type Cited = Result<Evidence, String>;

/// How long somebody is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within(Duration);

impl Within {
    pub fn seconds(seconds: u64) -> Result<Self, BadRequest> {
        if (1..=LONGEST).contains(&seconds) {
            Ok(Self(Duration::from_secs(seconds)))
        } else {
            Err(BadRequest::Timeout(seconds))
        }
    }

    pub fn duration(self) -> Duration {
        self.0
    }
}

/// A question of a caller, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    pub form: Form,
    pub text: Prose,
    pub options: Alternatives,
    /// Options of the caller's that are ours to append, and were dropped (Q3).
    pub dropped: Vec<String>,
    /// Why the answer before it changed nothing in the checkpoint.
    pub unchanged: Option<Line>,
    /// How long somebody is waited for.
    pub within: Option<Within>,
    /// What it is about; none is said by its form.
    pub dimension: Option<Line>,
    pub why: Option<Prose>,
    /// Places that the question as a whole cites.
    pub evidence: Vec<Evidence>,
    /// Earlier questions whose answers it builds on.
    pub follows: Follows,
}

/// The earlier questions that a question builds on, and what it does with their answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Follows {
    /// The questions, as the caller named them.
    pub builds_on: Vec<QuestionName>,
    pub purpose: Option<Purpose>,
}

impl Follows {
    /// The most questions that one builds on.
    pub const MOST: usize = 64;

    /// Checks what a caller named. A purpose needs answers that it is about, unless it looks at the whole; two answers are
    /// settled against each other.
    pub fn check(builds_on: &[String], purpose: Option<&str>) -> Result<Self, BadRequest> {
        let purpose = purpose.map(str::trim).filter(|word| !word.is_empty()).map(str::parse).transpose()?;
        let mut names: Vec<QuestionName> = Vec::new();
        for name in builds_on {
            let name = QuestionName::parse(name)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let (least, most) = match purpose {
            None | Some(Purpose::PreMortem | Purpose::Opposite) => (0, Self::MOST),
            // Each decision gets a challenge of its own.
            Some(Purpose::Challenge) => (1, 1),
            Some(Purpose::Deepen | Purpose::Measure) => (1, Self::MOST),
            Some(Purpose::Settle) => (2, Self::MOST),
        };
        if !(least..=most).contains(&names.len()) {
            return Err(BadRequest::Follows { purpose, least, most, count: names.len() });
        }
        Ok(Self { builds_on: names, purpose })
    }

    /// The same with every question by its id.
    fn by_id(&self, transcript: &Transcript) -> Result<Self, Refusal> {
        let id = |name: &QuestionName| match name {
            QuestionName::Id(id) => Ok(QuestionName::Id(id.clone())),
            QuestionName::Number(number) => {
                let asked =
                    transcript.numbered(*number).ok_or(interview::Refusal::NoQuestionNumbered { number: *number })?;
                Ok(QuestionName::Id(asked.question.id.clone()))
            }
        };
        Ok(Self { builds_on: self.builds_on.iter().map(id).collect::<Result<_, Refusal>>()?, purpose: self.purpose })
    }

    /// The questions that are named by their ids.
    fn ids(&self) -> Vec<QuestionId> {
        let id = |name: &QuestionName| match name {
            QuestionName::Id(id) => Some(id.clone()),
            QuestionName::Number(_) => None,
        };
        self.builds_on.iter().filter_map(id).collect()
    }
}

impl Asking {
    /// Checks a request; `cite` looks a place up.
    pub fn check(
        form: Form,
        request: &AskingRequest,
        cite: &mut dyn FnMut(&EvidenceRequest) -> Cited,
    ) -> Result<Self, BadRequest> {
        let tool = tool_of(form).name();
        if request.question.trim().is_empty() {
            return Err(BadRequest::NoQuestion { tool, limit: form.limit() });
        }
        let text = Prose::parse("the question", &request.question)?;
        let ours = |option: &&OptionRequest| form == Form::Select && is_ours(&option.label);
        let dropped: Vec<String> =
            request.options.iter().filter(ours).map(|option| option.label.trim().to_owned()).collect();
        let count = request.options.len() - dropped.len();
        if !form.takes(count) {
            return Err(BadRequest::Options { tool, limit: form.limit(), count, dropped: dropped.len() });
        }
        let mut options = Vec::with_capacity(count);
        for (index, option) in request.options.iter().enumerate() {
            if !ours(&option) {
                options.push(checked(form, index + 1, option, cite)?);
            }
        }
        let count = options.len();
        distinct(&options)?;
        let options = Alternatives::of(form, options).map_err(|bad| match bad {
            BadAlternatives::Count(_) | BadAlternatives::Form { .. } => {
                BadRequest::Options { tool, limit: form.limit(), count, dropped: dropped.len() }
            }
            BadAlternatives::Recommended(_) | BadAlternatives::Text(_) => BadRequest::Alternatives(bad),
        })?;
        let unchanged = optional_line("noChange", request.no_change.as_deref())?;
        let within = request.timeout_seconds.map(Within::seconds).transpose()?;
        let follows = Follows::check(&request.builds_on, request.purpose.as_deref())?;
        let dimension = optional_line("the dimension", request.dimension.as_deref())?;
        let why = reason(request.why.as_deref())?;
        let evidence = places(&request.evidence, cite)?;
        Ok(Self { form, text, options, dropped, unchanged, within, dimension, why, evidence, follows })
    }

    pub fn tool(&self) -> Tool {
        tool_of(self.form)
    }

    /// The same in a session, whose questions may be named by their numbers.
    pub fn in_session(&self, transcript: &Transcript) -> Result<Self, Refusal> {
        Ok(Self { follows: self.follows.by_id(transcript)?, ..self.clone() })
    }

    /// The question under an id of its own. What its options cite, it cites itself, so that it is looked at again
    /// wherever citations are.
    pub fn question(&self, id: QuestionId) -> Question {
        let mut evidence = self.evidence.clone();
        for place in self.options.as_slice().iter().filter_map(|one| one.evidence.as_ref()) {
            if !evidence.contains(place) {
                evidence.push(place.clone());
            }
        }
        Question {
            id,
            form: self.form,
            text: self.text.clone(),
            dimension: self.dimension.clone().unwrap_or_else(|| {
                Line::clipped(match self.form {
                    Form::Grill => "to decide",
                    Form::Select => "one of these",
                    Form::MultiSelect => "any of these",
                })
            }),
            probe: None,
            why: self.why.clone(),
            alternatives: self.options.clone(),
            evidence,
            builds_on: self.follows.ids(),
            purpose: self.follows.purpose,
        }
    }

    /// What the caller is to know beside the result.
    pub fn remarks(&self) -> Vec<String> {
        let ours = |label: &String| format!("the option \"{label}\" was dropped: git grill appends it itself");
        let mut remarks: Vec<String> = self.dropped.iter().map(ours).collect();
        if self.form == Form::Grill {
            let wants = self.options.wants();
            if !wants.recommendation {
                remarks.push("no alternative is marked as recommended".to_owned());
            }
            if !wants.unreasoned.is_empty() {
                let numbers: Vec<String> = wants.unreasoned.iter().map(ToString::to_string).collect();
                remarks.push(format!("no reason stands with alternatives {}", numbers.join(", ")));
            }
        }
        remarks
    }
}

/// Checks that no two alternatives have the same label or send the same reply: an answer could not tell them apart.
pub(super) fn distinct(alternatives: &[Alternative]) -> Result<(), BadRequest> {
    let label = |one: &Alternative| one.label.as_str().to_lowercase();
    let same = |one: &Alternative, other: &Alternative| label(one) == label(other) || one.value == other.value;
    for (index, other) in alternatives.iter().enumerate() {
        if let Some(earlier) = alternatives[..index].iter().position(|earlier| same(earlier, other)) {
            return Err(BadRequest::Same { one: earlier + 1, other: index + 1, label: other.label.clone() });
        }
    }
    Ok(())
}

/// The reason that a caller gives for a question; blank is none.
pub(super) fn reason(why: Option<&str>) -> Result<Option<Prose>, BadRequest> {
    let why = why.map(str::trim).filter(|why| !why.is_empty());
    Ok(why.map(|why| Prose::parse("why it matters", why)).transpose()?)
}

/// The places that a question as a whole cites, looked up.
pub(super) fn places(
    named: &[EvidenceRequest],
    cite: &mut dyn FnMut(&EvidenceRequest) -> Cited,
) -> Result<Vec<Evidence>, BadRequest> {
    let mut found = Vec::with_capacity(named.len());
    for place in named {
        found.push(cite(place).map_err(|why| BadRequest::Cited { path: place.path.clone(), why })?);
    }
    Ok(found)
}

fn tool_of(form: Form) -> Tool {
    match form {
        Form::Grill => Tool::SetAlternatives,
        Form::Select => Tool::AskQuestion,
        Form::MultiSelect => Tool::AskMultiSelect,
    }
}

fn checked(
    form: Form,
    number: usize,
    option: &OptionRequest,
    cite: &mut dyn FnMut(&EvidenceRequest) -> Cited,
) -> Result<Alternative, BadRequest> {
    if option.label.trim().is_empty() {
        return Err(BadRequest::NoLabel { number, limit: form.limit() });
    }
    let label = Line::parse("an option's label", &option.label)?;
    let description = match option.description.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(text) => Some(Line::parse("an option's description", text)?),
    };
    let evidence = match &option.evidence {
        None => None,
        Some(place) => {
            let not_there = |why| BadRequest::NotThere { number, path: place.path.clone(), why };
            Some(cite(place).map_err(not_there)?)
        }
    };
    Ok(Alternative {
        value: Prose::parse("an option's label", label.as_str())?,
        discuss: option.discuss || same_label(label.as_str(), NOT_QUITE),
        label,
        description,
        recommended: option.recommended,
        evidence,
    })
}

fn is_ours(label: &str) -> bool {
    same_label(label, SOMETHING_ELSE) || same_label(label, LETS_DISCUSS)
}

/// Labels are compared as people read them: whatever their case, spaces and apostrophes.
fn same_label(one: &str, other: &str) -> bool {
    let plain = |label: &str| -> String {
        let label = label.replace(['\u{2019}', '\u{2bc}', '\u{ff07}'], "'").to_lowercase();
        label.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(label: &str) -> OptionRequest {
        OptionRequest { label: label.to_owned(), ..OptionRequest::default() }
    }

    fn request(labels: &[&str]) -> AskingRequest {
        AskingRequest {
            question: " Which?\nSay. ".to_owned(),
            options: labels.iter().map(|label| option(label)).collect(),
            ..AskingRequest::default()
        }
    }

    /// There is one file, of ten lines.
    fn cite(place: &EvidenceRequest) -> Cited {
        match (place.path.as_str(), place.lines.as_deref()) {
            ("src/a.rs", None) => Ok(Evidence { path: "src/a.rs".to_owned(), lines: None, blob: None }),
            ("src/a.rs", Some([first, last])) if *last <= 10 => {
                Ok(Evidence { path: "src/a.rs".to_owned(), lines: Some((*first, *last)), blob: None })
            }
            _ => Err("there is no such place".to_owned()),
        }
    }

    fn check(form: Form, request: &AskingRequest) -> Result<Asking, BadRequest> {
        Asking::check(form, request, &mut cite)
    }

    #[test]
    fn q1_q8_too_few_and_too_many_options_name_the_limit() {
        let labels = ["a", "b", "c", "d", "e", "f", "g", "h"];
        for (form, count, taken) in [
            (Form::Select, 0, false),
            (Form::Select, 1, false),
            (Form::Select, 2, true),
            (Form::Select, 6, true),
            (Form::Select, 7, false),
            (Form::MultiSelect, 0, false),
            (Form::MultiSelect, 1, false),
            (Form::MultiSelect, 2, true),
            (Form::MultiSelect, 8, true),
        ] {
            let checked = check(form, &request(&labels[..count]));
            assert_eq!(checked.is_ok(), taken, "{form} {count}");
            if let Err(error) = checked {
                assert!(error.to_string().contains(&form.limit()), "{error}");
            }
        }
        assert_eq!((Form::Select.limit(), Form::MultiSelect.limit()), ("2 to 6".to_owned(), "at least 2".to_owned()));
        let many: Vec<String> = (0..500).map(|number| format!("option {number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(check(Form::MultiSelect, &request(&many)).is_ok());
    }

    #[test]
    fn q1_what_is_missing_is_named() {
        let no_question = AskingRequest { question: " \n".to_owned(), ..request(&["a", "b"]) };
        let error = check(Form::Select, &no_question).unwrap_err();
        assert_eq!(error.to_string(), "ask_question needs a question; it takes a question and 2 to 6 options");
        let error = check(Form::MultiSelect, &request(&["a", " "])).unwrap_err();
        assert_eq!(error.to_string(), "option 2 has an empty label; each of the at least 2 options needs one");
        for seconds in [0, LONGEST + 1] {
            let request = AskingRequest { timeout_seconds: Some(seconds), ..request(&["a", "b"]) };
            assert_eq!(check(Form::Select, &request), Err(BadRequest::Timeout(seconds)));
        }
    }

    #[test]
    fn q3_our_own_entries_are_dropped_and_named() {
        for ours in [SOMETHING_ELSE, LETS_DISCUSS, "something  else (i’ll explain)", "LET'S DISCUSS THIS "] {
            let asking = check(Form::Select, &request(&["a", ours, "b"])).unwrap();
            assert_eq!(asking.options.as_slice().len(), 2, "{ours}");
            assert_eq!(asking.dropped, [ours.trim()]);
            assert!(asking.remarks()[0].contains(ours.trim()));
            let question = asking.question(QuestionId::from_nonce(1));
            assert_eq!((question.something_else(), question.lets_discuss()), (Some(3), Some(4)));
        }
        let error = check(Form::Select, &request(&["a", LETS_DISCUSS])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "ask_question takes 2 to 6 options, and there is 1 without the 1 that git grill appends itself"
        );
        // Six of the caller's own and both of ours are six.
        let eight = ["a", "b", "c", "d", "e", "f", SOMETHING_ELSE, LETS_DISCUSS];
        assert!(check(Form::Select, &request(&eight)).is_ok());
        // In a multi-selection nothing is appended, so nothing is dropped (Q10).
        let many = check(Form::MultiSelect, &request(&["a", LETS_DISCUSS])).unwrap();
        assert_eq!((many.options.as_slice().len(), many.dropped.len()), (2, 0));
        assert_eq!(many.question(QuestionId::from_nonce(1)).lets_discuss(), None);
    }

    #[test]
    fn q12_q19_a_flag_or_the_label_opens_a_conversation() {
        let flagged = OptionRequest { discuss: true, ..option("b") };
        let request =
            AskingRequest { options: vec![option("a"), flagged, option("not quite, let me  explain")], ..request(&[]) };
        let asking = check(Form::Select, &request).unwrap();
        let opens: Vec<bool> = asking.options.as_slice().iter().map(|one| one.discuss).collect();
        assert_eq!(opens, [false, true, true]);
    }

    #[test]
    fn q16_what_is_cited_is_looked_up_and_a_missing_path_is_named() {
        let at = |path: &str, lines: Option<Vec<u32>>| OptionRequest {
            evidence: Some(EvidenceRequest { path: path.to_owned(), lines: lines.clone() }),
            ..option(&format!("{path} {lines:?}"))
        };
        let good = AskingRequest {
            options: vec![
                at("src/a.rs", None),
                at("src/a.rs", Some(vec![2, 5])),
                OptionRequest { label: "again".to_owned(), ..at("src/a.rs", None) },
            ],
            ..request(&[])
        };
        let question = check(Form::Select, &good).unwrap().question(QuestionId::from_nonce(1));
        let cited: Vec<String> = question.evidence.iter().map(ToString::to_string).collect();
        assert_eq!(cited, ["src/a.rs", "src/a.rs:2-5"]);
        for place in [at("src/b.rs", None), at("src/a.rs", Some(vec![9, 11]))] {
            let bad = AskingRequest { options: vec![option("b"), place], ..request(&[]) };
            let error = check(Form::MultiSelect, &bad).unwrap_err().to_string();
            assert!(error.starts_with("option 2 cites src/") && error.ends_with("there is no such place"), "{error}");
        }
    }

    #[test]
    fn q3_two_alternatives_that_an_answer_could_not_tell_apart_are_refused() {
        for (one, other, same) in
            [("One file", "one file", true), ("One file", " One file ", true), ("One file", "Two files", false)]
        {
            let asked = AskingRequest { options: vec![option("Neither"), option(one), option(other)], ..request(&[]) };
            for form in [Form::Select, Form::MultiSelect] {
                let error = check(form, &asked).err().map(|error| error.to_string());
                assert_eq!(
                    error.is_some_and(|error| error.contains("alternatives 2 and 3 are the same")),
                    same,
                    "{other}"
                );
            }
        }
    }

    #[test]
    fn g57_a_challenge_is_about_one_answer() {
        let named = |count: usize| (1..=count).map(|number| number.to_string()).collect::<Vec<_>>();
        for (purpose, takes) in [
            (None, [true, true, true]),
            (Some("deepen"), [false, true, true]),
            (Some("measure"), [false, true, true]),
            (Some("challenge"), [false, true, false]),
            (Some("settle"), [false, false, true]),
        ] {
            for (count, taken) in takes.into_iter().enumerate() {
                assert_eq!(Follows::check(&named(count), purpose).is_ok(), taken, "{purpose:?} {count}");
            }
        }
        let error = Follows::check(&named(4), Some("challenge")).unwrap_err().to_string();
        assert_eq!(error, "buildsOn names 4 questions; the purpose challenge takes exactly 1");
    }
}
