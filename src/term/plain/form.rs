//! Several questions in plain lines, one after the other, and a last line that submits or changes one (P2, P3).

use super::pick::own;
use super::{LineOutcome, Plain, numbered, one_of, paragraph};
use crate::app::prompt::{Choice, FormAnswer, FormPrompt, FormQuestion, Slash};
use crate::domain::ui::Kind;
use crate::term::fit::wrap;
use crate::term::form::said;
use crate::term::slash::{REFUSED_WORDS, own_words};

/// A [`FormPrompt`] in plain lines.
#[derive(Clone, Debug)]
pub struct PlainForm<'a> {
    prompt: &'a FormPrompt,
    columns: usize,
    answers: Vec<Option<FormAnswer>>,
    asking: Asking,
}

/// What the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    /// The answer to the question with this index.
    Entry(usize),
    /// Words of one's own for it.
    Words(usize),
    /// A note on its answer.
    Note(usize),
    /// Whether to submit, or what to change.
    Submit,
}

impl<'a> PlainForm<'a> {
    /// Opens `prompt`, its lines broken at so many columns.
    pub fn new(prompt: &'a FormPrompt, columns: usize) -> Self {
        Self { prompt, columns, answers: vec![None; prompt.questions.len()], asking: Asking::Entry(0) }
    }

    fn question(&self, at: usize) -> String {
        let question = &self.prompt.questions[at];
        let title = format!("{} of {} · {}", at + 1, self.prompt.questions.len(), question.label);
        let previewed = question.previews.iter().any(Option::is_some);
        let help = if previewed { "type a number and ? to read more about that choice" } else { "" };
        paragraph(&title, self.columns)
            + &paragraph(&question.prompt, self.columns)
            + &numbered(&entries(question), self.columns)
            + &paragraph(help, self.columns)
    }

    /// Goes to the next question without an answer, or to where one submits.
    fn answered(&mut self, at: usize, answer: FormAnswer) -> LineOutcome<Vec<FormAnswer>> {
        let question = &self.prompt.questions[at];
        let takes_note = question.note && (question.kind == Kind::Many || !answer.chosen.is_empty());
        self.answers[at] = Some(answer);
        if takes_note {
            self.asking = Asking::Note(at);
            return LineOutcome::Next(String::new());
        }
        self.go_on()
    }

    fn go_on(&mut self) -> LineOutcome<Vec<FormAnswer>> {
        if let [only] = self.answers.as_slice() {
            return only
                .clone()
                .map_or(LineOutcome::Next(self.question(0)), |answer| LineOutcome::Answer(vec![answer]));
        }
        if let Some(next) = self.answers.iter().position(Option::is_none) {
            self.asking = Asking::Entry(next);
            return LineOutcome::Next(self.question(next));
        }
        self.asking = Asking::Submit;
        LineOutcome::Next(self.review())
    }

    fn review(&self) -> String {
        let all = self.prompt.questions.iter().zip(self.answers.iter().flatten()).enumerate();
        let lines =
            all.map(|(at, (question, answer))| format!("{}. {}: {}", at + 1, question.label, said(question, answer)));
        lines.map(|line| paragraph(&line, self.columns)).collect()
    }

    /// Takes a note, or the empty line that leaves it out.
    fn note(&mut self, at: usize, line: &str) -> LineOutcome<Vec<FormAnswer>> {
        let added = Some(line.trim()).filter(|note| !note.is_empty()).map(str::to_owned);
        if let Some(answer) = &mut self.answers[at] {
            answer.note = added;
        }
        self.go_on()
    }

    /// The preview of the choice whose number stands before a question mark.
    fn preview(&self, at: usize, line: &str) -> Option<String> {
        let number = line.trim().strip_suffix('?')?.trim_end().parse::<usize>().ok()?;
        let preview = self.prompt.questions[at].previews.get(number.checked_sub(1)?)?.as_deref()?;
        let lines = wrap(preview.trim_end(), self.columns.saturating_sub(2).max(1));
        Some(format!("| {}\n", lines.join("\n| ")))
    }

    /// Numbers separated by commas or blanks; `None` for any other line.
    fn numbers(&self, at: usize, line: &str) -> Option<FormAnswer> {
        let count = self.prompt.questions[at].choices.len();
        let numbers = line.split([' ', ',']).filter(|number| !number.is_empty());
        let number = |number: &str| number.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < count);
        let mut chosen: Vec<usize> = numbers.map(number).collect::<Option<_>>()?;
        chosen.sort_unstable();
        chosen.dedup();
        (!chosen.is_empty()).then(|| FormAnswer { chosen, ..FormAnswer::default() })
    }

    fn entry(&mut self, at: usize, line: &str) -> LineOutcome<Vec<FormAnswer>> {
        let question = &self.prompt.questions[at];
        if let Some(preview) = self.preview(at, line) {
            return LineOutcome::Next(preview);
        }
        if question.kind == Kind::Many
            && let Some(answer) = self.numbers(at, line)
        {
            return self.answered(at, answer);
        }
        let is_number = line.trim().bytes().all(|byte| byte.is_ascii_digit());
        // Where there is nothing to number, a number is an answer like any other.
        let words =
            question.other.is_some() && (!is_number || (question.choices.is_empty() && !line.trim().is_empty()));
        match one_of(line, &entries(question)) {
            Some(index) if index < question.choices.len() => self.answered(at, FormAnswer::choice(index)),
            Some(_) if !question.choices.is_empty() => {
                self.asking = Asking::Words(at);
                LineOutcome::Next(String::new())
            }
            Some(_) | None if words => self.wrote(at, line),
            Some(_) | None => LineOutcome::Again("that is none of the numbers; Ctrl-D closes".into()),
        }
    }

    fn words(&mut self, at: usize, line: &str) -> LineOutcome<Vec<FormAnswer>> {
        if line.trim().is_empty() {
            self.asking = Asking::Entry(at);
            return LineOutcome::Again("nothing was written; back to the list".into());
        }
        self.wrote(at, line)
    }

    fn wrote(&mut self, at: usize, line: &str) -> LineOutcome<Vec<FormAnswer>> {
        match own_words(line, Slash::Refused) {
            Some(words) => self.answered(at, FormAnswer::own(words)),
            None => LineOutcome::Again(REFUSED_WORDS.into()),
        }
    }

    fn submit(&mut self, line: &str) -> LineOutcome<Vec<FormAnswer>> {
        let answers: Option<Vec<FormAnswer>> = self.answers.iter().cloned().collect();
        if let (true, Some(answers)) = (line.trim().eq_ignore_ascii_case("submit"), answers) {
            return LineOutcome::Answer(answers);
        }
        let number = line.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.filter(|at| *at < self.prompt.questions.len()) {
            Some(at) => {
                self.asking = Asking::Entry(at);
                LineOutcome::Next(self.question(at))
            }
            None => LineOutcome::Again("submit, or the number of the answer to change; Ctrl-D closes".into()),
        }
    }
}

/// What can be numbered: the choices, and ours behind them. A question without choices has nothing to number.
fn entries(question: &FormQuestion) -> Vec<Choice> {
    let mut entries = question.choices.clone();
    if !entries.is_empty() {
        entries.extend(question.other.iter().map(|label| own(label)));
    }
    entries
}

impl Plain for PlainForm<'_> {
    type Value = Vec<FormAnswer>;

    fn text(&self) -> String {
        paragraph(&self.prompt.heading, self.columns) + &self.question(0)
    }

    fn lead(&self) -> &'static str {
        match self.asking {
            Asking::Entry(at) => match &self.prompt.questions[at] {
                question if question.other.is_none() && question.kind == Kind::Many => "numbers> ",
                question if question.other.is_none() => "number> ",
                question if question.choices.is_empty() => "your words> ",
                question if question.kind == Kind::Many => "numbers or your words> ",
                _ => "number or your words> ",
            },
            Asking::Words(_) => "your words> ",
            Asking::Note(_) => "a note, or Enter for none> ",
            Asking::Submit => "submit, or a number to change> ",
        }
    }

    fn understand(&mut self, line: &str) -> LineOutcome<Vec<FormAnswer>> {
        match self.asking {
            Asking::Entry(at) => self.entry(at, line),
            Asking::Words(at) => self.words(at, line),
            Asking::Note(at) => self.note(at, line),
            Asking::Submit => self.submit(line),
        }
    }

    fn draft(&self) -> String {
        let words = self.answers.iter().flatten().filter_map(|answer| answer.other.as_deref());
        words.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::testing::choices;

    #[test]
    fn questions_come_in_turn_and_an_answer_can_be_changed_before_submit() {
        let other = Some("Something else".to_owned());
        let question = |label: &str, count: usize, other: &Option<String>| FormQuestion {
            label: label.to_owned(),
            prompt: format!("About {label}?"),
            choices: choices(count),
            other: other.clone(),
            ..FormQuestion::default()
        };
        let questions = vec![question("Auth", 2, &None), question("Cache", 2, &other), question("Name", 0, &other)];
        let prompt = FormPrompt { heading: "A form".to_owned(), questions };
        let mut form = PlainForm::new(&prompt, 60);
        assert!(form.text().starts_with("A form\n1 of 3 · Auth\nAbout Auth?\n1. choice one"));
        assert!(matches!(form.understand("my own"), LineOutcome::Again(_)));
        assert!(matches!(form.understand("2"), LineOutcome::Next(text) if text.starts_with("2 of 3 · Cache")));
        assert_eq!(form.understand("3"), LineOutcome::Next(String::new()));
        assert!(matches!(form.understand(""), LineOutcome::Again(_)));
        assert_eq!(form.understand("/why"), LineOutcome::Again(REFUSED_WORDS.into()), "G11");
        assert!(matches!(form.understand("none at all"), LineOutcome::Next(text) if text.starts_with("3 of 3 · Name")));
        assert!(matches!(form.understand(" "), LineOutcome::Again(_)));
        assert_eq!(
            form.understand("7"),
            LineOutcome::Next("1. Auth: 2. choice two\n2. Cache: none at all\n3. Name: 7\n".to_owned())
        );
        assert!(matches!(form.understand(""), LineOutcome::Again(_)));
        assert!(matches!(form.understand("1"), LineOutcome::Next(text) if text.starts_with("1 of 3 · Auth")));
        assert!(matches!(form.understand("1"), LineOutcome::Next(text) if text.starts_with("1. Auth: 1.")));
        assert_eq!(form.draft(), "none at all\n7");
        let sent = vec![FormAnswer::choice(0), FormAnswer::own("none at all"), FormAnswer::own("7")];
        assert_eq!(form.understand("Submit"), LineOutcome::Answer(sent));
    }
    #[test]
    fn p18_several_with_words_a_note_and_a_preview() {
        let question = FormQuestion {
            label: "Locks".to_owned(),
            prompt: "Which?".to_owned(),
            choices: choices(3),
            other: Some("Something else".to_owned()),
            kind: Kind::Many,
            note: true,
            previews: vec![None, Some("# two\nIt waits.\n".to_owned())],
        };
        let prompt = FormPrompt { heading: String::new(), questions: vec![question] };
        let mut form = PlainForm::new(&prompt, 60);
        assert_eq!(form.understand("2?"), LineOutcome::Next("| # two\n| It waits.\n".to_owned()));
        assert!(matches!(form.understand("2 9"), LineOutcome::Next(_)), "these are words of one's own");
        let mut form = PlainForm::new(&prompt, 60);
        assert_eq!(form.understand("3,1 3"), LineOutcome::Next(String::new()));
        assert_eq!(form.lead(), "a note, or Enter for none> ");
        let chosen =
            |note: Option<&str>| vec![FormAnswer { chosen: vec![0, 2], other: None, note: note.map(str::to_owned) }];
        assert_eq!(form.clone().understand(""), LineOutcome::Answer(chosen(None)));
        assert_eq!(form.understand(" so "), LineOutcome::Answer(chosen(Some("so"))));
    }
}
