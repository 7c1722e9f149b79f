//! Calls the person back to the terminal when a question waits for which they had to wait (`grill.notify`). Somebody
//! who has just answered needs no call; somebody who has turned to another window meanwhile does.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::app::prompt::{
    Choice, Doing, FormAnswer, FormPrompt, Level, Many, ManyPrompt, PickPrompt, Picked, Prompted, Prompter,
    ReplyPrompt, Settled,
};
use crate::repo::config::keys::Notify;

use super::speak;

/// Whoever waits longer than this may have turned to something else.
const PATIENCE: Duration = Duration::from_secs(2);

/// A prompter that calls the person before it asks.
pub(super) struct Attentive<P> {
    inner: P,
    /// Off where there is no terminal to ring.
    notify: Notify,
    /// Since when the person waits: the start, or the end of the prompt before.
    since: Instant,
    /// What they were last called for; put again, it is no news.
    called_for: Option<String>,
}

impl<P: Prompter> Attentive<P> {
    #[expect(clippy::disallowed_methods, reason = "how long a person waits is no fact of the session")]
    pub(super) fn new(inner: P, notify: Notify) -> Self {
        let notify = if std::io::stderr().is_terminal() { notify } else { Notify::Off };
        Self { inner, notify, since: Instant::now(), called_for: None }
    }

    #[expect(clippy::disallowed_methods, reason = "how long a person waits is no fact of the session")]
    fn asked<T>(&mut self, question: &str, ask: impl FnOnce(&mut P) -> T) -> T {
        let news = !question.trim().is_empty() && self.called_for.as_deref() != Some(question);
        let waited = news && self.since.elapsed() >= PATIENCE;
        if self.notify == Notify::Bell && waited && self.inner.available().is_ok() {
            // It works everywhere, and a multiplexer passes it on.
            speak::err("\u{7}");
            self.called_for = Some(question.to_owned());
        }
        let answer = ask(&mut self.inner);
        self.since = Instant::now();
        answer
    }
}

impl<P: Prompter> Prompter for Attentive<P> {
    fn available(&self) -> Result<(), &'static str> {
        self.inner.available()
    }

    fn comes_by_itself(&mut self) {
        self.inner.comes_by_itself();
    }

    /// What is followed asks nothing; whoever watched it has waited all the same.
    fn follow(&mut self, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
        self.inner.follow(doing)
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String> {
        self.asked(&prompt.question, |inner| inner.reply(prompt))
    }

    fn reply_kept(&mut self, prompt: &ReplyPrompt, keep: &mut dyn FnMut(&str)) -> Prompted<String> {
        self.asked(&prompt.question, |inner| inner.reply_kept(prompt, keep))
    }

    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked> {
        self.asked(&prompt.question, |inner| inner.pick(prompt))
    }

    fn pick_kept(&mut self, prompt: &PickPrompt, keep: &mut dyn FnMut(&str)) -> Prompted<Picked> {
        self.asked(&prompt.question, |inner| inner.pick_kept(prompt, keep))
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        let questions: Vec<&str> = prompt.questions.iter().map(|question| question.prompt.as_str()).collect();
        self.asked(&questions.join(" "), |inner| inner.form(prompt))
    }

    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize> {
        self.asked(question, |inner| inner.choose(question, choices))
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        self.asked(&prompt.question, |inner| inner.choose_many(prompt))
    }

    fn choose_many_or_verb(&mut self, prompt: &ManyPrompt) -> Prompted<Many> {
        self.asked(&prompt.question, |inner| inner.choose_many_or_verb(prompt))
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        self.asked(question, |inner| inner.confirm(question))
    }

    fn wait_at_most(&mut self, limit: Option<Duration>) {
        self.inner.wait_at_most(limit);
    }

    fn watch(&mut self, settled: Option<Settled>) {
        self.inner.watch(settled);
    }

    fn notify(&mut self, message: &str, level: Level) {
        self.inner.notify(message, level);
    }
}
