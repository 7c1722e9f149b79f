//! The prompter a person sits at.

use std::borrow::Cow;
use std::io::Write as _;
use std::time::Duration;

use super::checklist::{Checklist, VerbChecklist};
use super::confirm::Confirm;
use super::early::Early;
use super::following::{self, Where};
use super::form::Form;
use super::notice::notice;
use super::pick::Pick;
use super::picker::Picker;
use super::plain::form::PlainForm;
use super::plain::lists::{PlainChoose, PlainConfirm, PlainMany, PlainManyOrVerb};
use super::plain::pick::PlainPick;
use super::plain::reply::PlainReply;
use super::plain::{self, Plain};
use super::reply::Reply;
use super::runner;
use super::settings::{Manner, Settings};
use super::signals::Signals;
use super::sure::Sure;
use super::theme::Theme;
use super::tty::{Before, Tty};
use super::widget::Widget;
use crate::app::prompt::{
    Choice, Doing, FormAnswer, FormPrompt, FormQuestion, Level, Many, ManyPrompt, PickPrompt, Picked, Prompted,
    Prompter, ReplyPrompt, Settled,
};

/// Why an empty list is not shown.
const NOTHING: &str = "there is nothing to choose from";

/// Asks on the controlling terminal, drawing on standard error.
pub struct Terminal {
    settings: Settings,
    theme: Theme,
    /// Installed at the first prompt, so that a program that asks nothing has no handlers.
    signals: Option<Signals>,
    /// How long a prompt stands open.
    limit: Option<Duration>,
    /// What says that it need not stand open any longer.
    settled: Option<Settled>,
    /// Whether the next prompt comes by itself: in the place of one that was settled elsewhere, or of the line that was
    /// followed until it was over.
    by_itself: bool,
    /// Whether something was followed since the last prompt, so that what was typed meanwhile may still be waiting.
    followed: bool,
    /// What was typed before the prompt came up that it may have been meant for.
    early: Early,
}

impl Terminal {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            theme: Theme::new(settings.colours, settings.marks),
            signals: None,
            limit: None,
            settled: None,
            by_itself: false,
            followed: false,
            early: Early::default(),
        }
    }

    fn open(&mut self) -> Result<(Tty, &Signals), &'static str> {
        if let Some(why) = self.settings.forbidden {
            return Err(why);
        }
        let tty = Tty::open()?.watched_for(self.limit);
        let signals = match self.signals.take() {
            Some(signals) => signals,
            None => Signals::install().map_err(|_| "signals cannot be watched")?,
        };
        Ok((tty, self.signals.insert(signals)))
    }

    fn ask<W: Widget, P: Plain<Value = W::Value>>(
        &mut self,
        widget: W,
        plain: impl FnOnce(usize) -> P,
    ) -> Prompted<W::Value> {
        self.gather();
        self.tell_of_early();
        // No editor takes them, and a list would follow them before it is seen.
        self.ask_kept(widget, plain, &mut |_| {}, Before::Dropped)
    }

    /// Takes what the terminal itself holds back, before a prompt is printed for which it cannot be meant. Where prompts are
    /// drawn, their own raw mode reads it, or drops it.
    fn gather(&mut self) {
        let followed = std::mem::take(&mut self.followed);
        if !(self.by_itself || followed) || self.settings.manner != Manner::Plain {
            return;
        }
        let waiting = self.open().map(|(tty, signals)| {
            let caught = signals.catch();
            let waiting = tty.waiting();
            drop(caught);
            waiting
        });
        self.early.add_waiting(&waiting.unwrap_or_default());
    }

    /// Says once that there is text which this prompt does not take.
    fn tell_of_early(&mut self) {
        if self.early.is_told() {
            return;
        }
        let Ok((tty, _)) = self.open() else { return };
        if let Some(told) = self.early.untold(tty.size().usable()) {
            self.notify(&told, Level::Info);
        }
    }

    fn ask_kept<W: Widget, P: Plain<Value = W::Value>>(
        &mut self,
        mut widget: W,
        plain: impl FnOnce(usize) -> P,
        keep: &mut dyn FnMut(&str),
        pressed: Before,
    ) -> Prompted<W::Value> {
        let theme = self.theme.clone();
        let manner = self.settings.manner;
        let settled = self.settled.clone();
        let by_itself = std::mem::take(&mut self.by_itself);
        let sure = if by_itself { Sure::not_yet(self.settings.pause, pressed) } else { Sure::Yes };
        let half = self.early.take_half();
        let ending = match (self.open(), manner) {
            (Err(why), _) => Prompted::Unavailable(why),
            (Ok((tty, signals)), manner) => {
                let tty = tty.watched_until(settled.clone());
                match manner {
                    Manner::Drawn => runner::run(&tty, signals, &theme, &mut widget, sure, keep),
                    Manner::Plain => plain::ask(&tty, signals, &mut plain(tty.size().usable()), sure, half),
                }
            }
        };
        self.by_itself = settled.is_some() && matches!(ending, Prompted::TimedOut { .. });
        ending
    }
}

impl Prompter for Terminal {
    fn comes_by_itself(&mut self) {
        self.by_itself = true;
    }

    fn available(&self) -> Result<(), &'static str> {
        match self.settings.forbidden {
            Some(why) => Err(why),
            None => Tty::open().map(drop),
        }
    }

    fn wait_at_most(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    fn watch(&mut self, settled: Option<Settled>) {
        self.settled = settled;
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String> {
        self.reply_kept(prompt, &mut |_| {})
    }

    fn reply_kept(&mut self, prompt: &ReplyPrompt, keep: &mut dyn FnMut(&str)) -> Prompted<String> {
        self.gather();
        let prompt = self.early.behind_reply(prompt);
        match &prompt {
            Cow::Owned(filled) => keep(&filled.draft),
            Cow::Borrowed(_) => self.tell_of_early(),
        }
        self.ask_kept(Reply::new(&prompt), |columns| PlainReply::new(&prompt, columns), keep, Before::Taken)
    }

    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked> {
        self.pick_kept(prompt, &mut |_| {})
    }

    fn pick_kept(&mut self, prompt: &PickPrompt, keep: &mut dyn FnMut(&str)) -> Prompted<Picked> {
        if prompt.choices.is_empty() && prompt.other.is_none() && prompt.discuss.is_none() {
            return Prompted::Unavailable(NOTHING);
        }
        self.gather();
        let prompt = self.early.behind_pick(prompt);
        let widget = match &prompt {
            Cow::Owned(filled) => {
                keep(&filled.draft);
                Pick::new(filled).writing()
            }
            Cow::Borrowed(as_given) => {
                self.tell_of_early();
                Pick::new(as_given)
            }
        };
        self.ask_kept(widget, |columns| PlainPick::new(&prompt, columns), keep, Before::Taken)
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        // One question that nobody could answer would keep the whole form from being submitted.
        let answerable = |question: &FormQuestion| !question.choices.is_empty() || question.other.is_some();
        if prompt.questions.is_empty() || !prompt.questions.iter().all(answerable) {
            return Prompted::Unavailable(NOTHING);
        }
        self.ask(Form::new(prompt), |columns| PlainForm::new(prompt, columns))
    }

    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize> {
        if choices.is_empty() {
            return Prompted::Unavailable(NOTHING);
        }
        self.ask(Picker::new(question, choices), |columns| PlainChoose { question, choices, columns })
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        if prompt.choices.is_empty() {
            return Prompted::Unavailable(NOTHING);
        }
        self.ask(Checklist::new(prompt), |columns| PlainMany { prompt, columns })
    }

    fn choose_many_or_verb(&mut self, prompt: &ManyPrompt) -> Prompted<Many> {
        if prompt.choices.is_empty() {
            return Prompted::Unavailable(NOTHING);
        }
        self.ask(VerbChecklist::new(prompt), |columns| PlainManyOrVerb(PlainMany { prompt, columns }))
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        self.ask(Confirm::new(question), |columns| PlainConfirm { question, columns })
    }

    fn follow(&mut self, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
        let theme = self.theme.clone();
        let manner = self.settings.manner;
        // Behind another line that was followed, its keys go on.
        let before = if self.by_itself { Before::Taken } else { Before::Dropped };
        let mut early = std::mem::take(&mut self.early);
        let ending = match self.open() {
            Err(why) => Prompted::Unavailable(why),
            Ok((tty, signals)) => {
                let early = &mut early;
                following::follow(Where { tty: &tty, signals, theme: &theme, manner, early, before }, doing)
            }
        };
        self.early = early;
        self.followed = true;
        // A person who left it has the next prompt from their own key: they wait for it, see it come, and Enter takes its
        // first way, which is to wait on and changes nothing. Only what nobody asked for has to be held back.
        self.by_itself = matches!(ending, Prompted::Answered(()) | Prompted::TimedOut { .. });
        ending
    }

    fn notify(&mut self, message: &str, level: Level) {
        // A notice that nobody can read any more is no reason to fail.
        std::io::stderr().lock().write_all(notice(message, level, &self.theme).as_bytes()).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_caller_forbids_is_unavailable_with_the_callers_reason() {
        let settings = Settings { forbidden: Some("--no-input was given"), ..Settings::default() };
        let mut terminal = Terminal::new(settings);
        assert_eq!(terminal.available(), Err("--no-input was given"));
        assert_eq!(terminal.confirm("Go on?"), Prompted::Unavailable("--no-input was given"));
    }

    #[test]
    fn an_empty_list_is_never_answered() {
        let mut terminal = Terminal::new(Settings::default());
        assert!(matches!(terminal.choose("Which?", &[]), Prompted::Unavailable(_)));
        assert!(matches!(terminal.choose_many(&ManyPrompt::default()), Prompted::Unavailable(_)));
        assert!(matches!(terminal.pick(&PickPrompt::default()), Prompted::Unavailable(_)));
        assert!(matches!(terminal.form(&FormPrompt::default()), Prompted::Unavailable(_)));
        let question = FormQuestion { label: "Q1".to_owned(), ..FormQuestion::default() };
        let form = FormPrompt { heading: String::new(), questions: vec![question] };
        assert_eq!(terminal.form(&form), Prompted::Unavailable(NOTHING));
    }
}
