//! `ask_question` and `ask_multi_select`: what they are called with, and the question it makes.

use std::time::Duration;

use serde::Deserialize;

use super::Tool;
use super::bad_request::{BadRequest, optional_line};
use crate::domain::facts::Evidence;
use crate::domain::ids::QuestionId;
use crate::domain::question::{Alternative, Alternatives, Form, LETS_DISCUSS, Question, SOMETHING_ELSE};
use crate::domain::text::{Line, Prose};

/// The label that opens a conversation without a flag (Q19).
pub const NOT_QUITE: &str = "Not quite, let me explain";

/// The longest time that a caller may let a prompt stand open.
pub(super) const LONGEST: u64 = 24 * 60 * 60;

/// What the tool is called with, unchecked. What is missing is empty here, so that the check can say what is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskingRequest {
    /// The question.
    #[serde(default)]
    pub question: String,
    /// What it offers.
    #[serde(default)]
    pub options: Vec<OptionRequest>,
    /// Why the answer before it changed nothing in the checkpoint (G24).
    #[serde(default)]
    pub no_change: Option<String>,
    /// How long somebody is waited for; without it, as long as it takes (Q14).
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
}

/// An option, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OptionRequest {
    /// Its name.
    #[serde(default)]
    pub label: String,
    /// What speaks for it, or what it means.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether taking it opens a conversation.
    #[serde(default)]
    pub discuss: bool,
    /// The place in the repository that it speaks of.
    #[serde(default)]
    pub evidence: Option<EvidenceRequest>,
}

/// A place in the repository, as the caller names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EvidenceRequest {
    /// The file, from the top of the repository.
    pub path: String,
    /// Its first and last line, or one line.
    #[serde(default)]
    pub lines: Option<Vec<u32>>,
}

/// What became of looking for a place: the place with the blob that was read, or why it is none.
pub type Cited = Result<Evidence, String>;

/// How long somebody is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within(Duration);

impl Within {
    /// Checks a number of seconds.
    pub fn seconds(seconds: u64) -> Result<Self, BadRequest> {
        if (1..=LONGEST).contains(&seconds) {
            Ok(Self(Duration::from_secs(seconds)))
        } else {
            Err(BadRequest::Timeout(seconds))
        }
    }

    /// The time.
    pub fn duration(self) -> Duration {
        self.0
    }
}

/// A question of a caller, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// How it is put.
    pub form: Form,
    /// The wording.
    pub text: Prose,
    /// What it offers.
    pub options: Alternatives,
    /// Options of the caller's that are ours to append, and were dropped (Q3).
    pub dropped: Vec<String>,
    /// Why the answer before it changed nothing in the checkpoint.
    pub unchanged: Option<Line>,
    /// How long somebody is waited for.
    pub within: Option<Within>,
    /// What it is about; none is said by its form.
    pub dimension: Option<Line>,
    /// Why it matters.
    pub why: Option<Prose>,
    /// Places that the question as a whole cites.
    pub evidence: Vec<Evidence>,
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
        let options = Alternatives::of(form, options).map_err(|_| BadRequest::Options {
            tool,
            limit: form.limit(),
            count,
            dropped: dropped.len(),
        })?;
        let unchanged = optional_line("noChange", request.no_change.as_deref())?;
        let within = request.timeout_seconds.map(Within::seconds).transpose()?;
        Ok(Self { form, text, options, dropped, unchanged, within, dimension: None, why: None, evidence: Vec::new() })
    }

    /// The tool that was called.
    pub fn tool(&self) -> Tool {
        tool_of(self.form)
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
            builds_on: vec![],
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
        recommended: false,
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
            evidence: Some(EvidenceRequest { path: path.to_owned(), lines }),
            ..option("a")
        };
        let good = AskingRequest {
            options: vec![at("src/a.rs", None), at("src/a.rs", Some(vec![2, 5])), at("src/a.rs", None)],
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
}
