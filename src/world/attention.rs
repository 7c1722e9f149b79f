//! Calls the person back to the terminal when a question waits for which they had to wait (`grill.notify`). Somebody
//! who has just answered needs no call; somebody who has turned to another window meanwhile does.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::app::ports::{Process, Run};
use crate::app::prompt::{
    Choice, Doing, FormAnswer, FormPrompt, Lettered, Level, Many, ManyPrompt, PickPrompt, Picked, Prompted, Prompter,
    Replied, ReplyPrompt, Settled,
};
use crate::domain::harmless::harmless;
use crate::repo::config::keys::Notify;

use super::environment::Environment;
use super::process::Programs;
use super::speak;

/// Whoever waits longer than this may have turned to something else.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the desktop may take to show a notice.
const DESKTOP: Duration = Duration::from_secs(1);
/// How much of a question a notice shows, in characters.
const LONGEST: usize = 120;

/// A prompter that calls the person before it asks.
pub(super) struct Attentive<P> {
    inner: P,
    call: Option<Call>,
    /// Since when the person waits: the start, or the end of the prompt before.
    since: Instant,
    /// What they were last called for; put again, it is no news.
    called_for: Option<String>,
}

impl<P: Prompter> Attentive<P> {
    #[expect(clippy::disallowed_methods, reason = "how long a person waits is no fact of the session")]
    pub(super) fn new(inner: P, environment: &Environment, notify: Notify) -> Self {
        let call = if std::io::stderr().is_terminal() { Call::of(environment, notify) } else { None };
        Self { inner, call, since: Instant::now(), called_for: None }
    }

    #[expect(clippy::disallowed_methods, reason = "how long a person waits is no fact of the session")]
    fn asked<T>(&mut self, question: &str, ask: impl FnOnce(&mut P) -> T) -> T {
        let news = !question.trim().is_empty() && self.called_for.as_deref() != Some(question);
        if let Some(call) = self.call.as_ref().filter(|_| news && self.since.elapsed() >= PATIENCE)
            && self.inner.available().is_ok()
        {
            call.out(question);
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

    /// What is followed asks nothing; whoever watched it has waited all the same.
    fn follow(&mut self, doing: &mut dyn FnMut() -> Doing) -> Prompted<()> {
        self.inner.follow(doing)
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<Replied> {
        self.asked(&prompt.question, |inner| inner.reply(prompt))
    }

    fn reply_kept(&mut self, prompt: &ReplyPrompt, keep: &mut dyn FnMut(&str)) -> Prompted<Replied> {
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

    fn press(&mut self, question: &str, choices: &[Lettered]) -> Prompted<usize> {
        self.asked(question, |inner| inner.press(question, choices))
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

/// How a person is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Bell,
    /// A notice by the desktop's own program.
    Program,
    /// A notice by the terminal, which shows the text behind these signs.
    Terminal(&'static str),
}

impl Call {
    /// The desktop's program needs a desktop, and works inside tmux; a terminal's own notice works over ssh, and tmux
    /// lets none through; the bell works everywhere, and a multiplexer passes it on.
    fn of(environment: &Environment, notify: Notify) -> Option<Self> {
        let set = |name: &str| environment.text(name).is_some();
        let is = |name: &str, among: &[&str]| environment.text(name).is_some_and(|value| among.contains(&&*value));
        let desktop = set("DBUS_SESSION_BUS_ADDRESS") && (set("WAYLAND_DISPLAY") || set("DISPLAY"));
        let nested = set("TMUX") || set("STY");
        match notify {
            Notify::Off => None,
            Notify::Desktop if desktop && !set("SSH_CONNECTION") => Some(Self::Program),
            Notify::Desktop
                if !nested
                    && (is("TERM_PROGRAM", &["iTerm.app", "WezTerm", "ghostty"]) || is("TERM", &["xterm-kitty"])) =>
            {
                Some(Self::Terminal("9;"))
            }
            Notify::Desktop if !nested && is("TERM", &["foot", "foot-extra", "rxvt-unicode-256color"]) => {
                Some(Self::Terminal("777;notify;git grill;"))
            }
            Notify::Bell | Notify::Desktop => Some(Self::Bell),
        }
    }

    fn out(self, question: &str) {
        match self {
            Self::Bell => speak::err("\u{7}"),
            Self::Terminal(signs) => speak::err(&format!("\u{1b}]{signs}{}\u{1b}\\", notice(question))),
            Self::Program => {
                let args = ["--app-name=git grill", "--", "git grill waits", &marked_up(&notice(question))];
                let run = Run { limit: Some(DESKTOP), ..Run::new("notify-send", args.map(OsString::from)) };
                // A desktop that shows nothing is no reason not to call.
                if !Programs.run(&run).is_ok_and(|ran| ran.code == 0) {
                    Self::Bell.out(question);
                }
            }
        }
    }
}

/// A question as one harmless line without what separates the parts of a terminal's notice.
fn notice(question: &str) -> String {
    let line: String = harmless(question).replace('\n', " ").replace(';', ",").chars().take(LONGEST).collect();
    line.trim().to_owned()
}

/// Desktops read a little HTML in notices.
fn marked_up(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_what_works_here() {
        let desktop = [("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus"), ("WAYLAND_DISPLAY", "wayland-0")];
        let (kitty, foot) = (("TERM", "xterm-kitty"), ("TERM", "foot"));
        let (tmux, ssh) = (("TMUX", "/tmp/tmux"), ("SSH_CONNECTION", "a b"));
        for (vars, expected) in [
            (&desktop[..], Call::Program),
            (&[desktop[0], desktop[1], tmux], Call::Program),
            (&[desktop[0], desktop[1], ssh], Call::Bell),
            (&[desktop[0], desktop[1], ssh, kitty], Call::Terminal("9;")),
            (&[desktop[0]], Call::Bell),
            (&[kitty], Call::Terminal("9;")),
            (&[kitty, tmux], Call::Bell),
            (&[foot], Call::Terminal("777;notify;git grill;")),
            (&[("TERM", "xterm")], Call::Bell),
        ] {
            let environment = Environment::with(vars);
            assert_eq!(Call::of(&environment, Notify::Desktop), Some(expected), "{vars:?}");
            assert_eq!(Call::of(&environment, Notify::Bell), Some(Call::Bell));
            assert_eq!(Call::of(&environment, Notify::Off), None);
        }
    }

    #[test]
    fn a_notice_is_one_short_harmless_line() {
        assert_eq!(notice("one;two\n\u{1b}]0;x\u{7}"), "one,two ␛]0,x␇");
        assert_eq!(notice(&"x".repeat(500)).len(), LONGEST);
        assert_eq!(marked_up("<b>&"), "&lt;b&gt;&amp;");
    }
}
