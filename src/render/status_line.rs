//! The one line below a prompt and the one in a shell's: what matters most survives in the narrowest window.

use std::ops::RangeInclusive;

use crate::app::interview_summary::InterviewSummary;
use crate::domain::interview::Progress;
use crate::domain::prompt_summary::PromptSummary;
use crate::domain::session::{Phase, Session};

use super::harmless;
use crate::text::columns::{start, width};

/// A topic that is cut shorter than this tells nobody anything.
const SHORTEST_TOPIC: usize = 10;
const BETWEEN: &str = " · ";

struct Parts<'s> {
    progress: Option<Progress>,
    phase: &'static str,
    /// How much is left, while questions are asked. To tell it takes the interviewer, which is nothing for a shell's
    /// prompt.
    left: Option<String>,
    settings: Option<String>,
    /// What subsystems say of themselves.
    own: Option<String>,
    topic: std::borrow::Cow<'s, str>,
}

impl<'s> Parts<'s> {
    fn of(session: &'s Session) -> Self {
        let settings = &session.settings;
        let asks = !session.phase.asks_nothing();
        Self {
            progress: asks.then(|| session.transcript.progress()),
            phase: session.phase.name(),
            left: None,
            settings: asks.then(|| format!("{}/{}/{}", settings.intent, settings.intensity, settings.research)),
            own: session.own.words(),
            topic: harmless(session.topic.as_str()),
        }
    }

    /// Progress first, since it changes from question to question; then how much is left, the phase, the settings and
    /// the topic, as far as there is room for each.
    fn line(&self, columns: usize) -> String {
        let mut line = String::new();
        if let Some(progress) = &self.progress {
            line = counts_in_words(progress);
            if line.len() > columns {
                line = counts(progress);
            }
        }
        let parts = [self.own.as_deref(), self.left.as_deref(), Some(self.phase), self.settings.as_deref()];
        for part in parts.into_iter().flatten() {
            let between = if line.is_empty() { "" } else { BETWEEN };
            if width(&line) + width(between) + width(part) <= columns {
                line = [&line, between, part].concat();
            }
        }
        let room = columns.saturating_sub(width(&line) + width(BETWEEN));
        if room >= SHORTEST_TOPIC.min(width(&self.topic)) {
            line = [&line, BETWEEN, &cut(&self.topic, room)].concat();
        }
        cut(&line, columns)
    }
}

/// The compact line below a prompt, in at most so many columns.
pub fn status_line(session: &Session, columns: usize) -> String {
    let left = match &session.phase {
        Phase::Interview(_) => InterviewSummary::of(session).left().as_ref().map(left_in_words),
        Phase::Selection(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
    };
    Parts { left, ..Parts::of(session) }.line(columns)
}

/// `git grill status --short`: one line of at most so many columns, and a word is much; nothing when no session is
/// active, or where not even the word fits.
pub fn short(summary: Option<&PromptSummary>, columns: Option<usize>) -> String {
    let Some(PromptSummary { phase, question, progress, words }) = summary else {
        return String::new();
    };
    let after = |part: Option<String>| part.map(|part| format!(" {part}")).unwrap_or_default();
    // The first word alone, where there is no room for more.
    let gist = words.as_deref().and_then(|words| words.split(' ').next());
    let gist = gist.map(|gist| format!(":{}", harmless(gist).to_lowercase())).unwrap_or_default();
    let words = after(words.as_deref().map(|words| harmless(words).into_owned()));
    let question = after(question.map(|number| format!("q{number}")));
    // Where nothing is asked, the words say all there is to say.
    let phase = progress.map(|_| format!(":{phase}")).unwrap_or_default();
    let counts = after(progress.as_ref().map(counts));
    let forms = [
        format!("grill{phase}{question}{counts}{words}\n"),
        format!("grill{question}{counts}{words}\n"),
        format!("grill{question}{words}\n"),
        format!("grill{gist}{question}\n"),
        "grill\n".to_owned(),
    ];
    let columns = columns.unwrap_or(usize::MAX);
    forms.into_iter().find(|form| width(form.trim_end()) <= columns).unwrap_or_default()
}

/// How many questions there are of each kind; every place that has words for it says the same ones.
pub(super) fn counts_in_words(progress: &Progress) -> String {
    let Progress { resolved, open, deferred, unknown } = progress;
    format!("{resolved} resolved, {unknown} unknown, {open} open, {deferred} deferred")
}

/// Resolved, open, and put off or unknown.
fn counts(progress: &Progress) -> String {
    let Progress { resolved, open, deferred, unknown } = progress;
    format!("{resolved}/{open}/{}", deferred + unknown)
}

/// An estimate that does not sound like more than it is (G14).
pub(super) fn left_in_words(left: &RangeInclusive<u32>) -> String {
    match (left.start(), left.end()) {
        (_, 0) => "none left".to_owned(),
        (least, most) if least == most => format!("about {most} left"),
        (least, most) => format!("about {least} to {most} left"),
    }
}

/// `text` in at most `columns`, with `…` where something was cut.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept = start(text, columns.saturating_sub(1));
    let kept = kept.trim_end_matches(' ');
    if columns > 0 { format!("{kept}…") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(topic: &str) -> Parts<'_> {
        Parts {
            progress: Some(Progress { resolved: 2, open: 1, deferred: 1, unknown: 1 }),
            phase: "interview",
            left: Some("about 3 to 9 left".to_owned()),
            settings: Some("auto/standard/auto".to_owned()),
            own: None,
            topic: harmless(topic),
        }
    }

    #[test]
    fn g14_what_matters_most_survives_in_the_narrowest_window() {
        let line = |columns| parts("レート制限 for the public API").line(columns);
        assert_eq!(line(4), "2/1…");
        assert_eq!(line(12), "2/1/2");
        assert_eq!(line(20), "2/1/2 · interview");
        assert_eq!(line(29), "2/1/2 · about 3 to 9 left");
        assert_eq!(line(40), "2/1/2 · about 3 to 9 left · interview");
        assert_eq!(line(50), "2 resolved, 1 unknown, 1 open, 1 deferred");
        assert_eq!(line(80), "2 resolved, 1 unknown, 1 open, 1 deferred · about 3 to 9 left · interview");
        assert_eq!(
            line(126),
            "2 resolved, 1 unknown, 1 open, 1 deferred · about 3 to 9 left · interview · auto/standard/auto · レート制限 for the public API"
        );
    }

    #[test]
    fn a_shell_gets_as_much_as_it_has_room_for() {
        let progress = Progress { resolved: 2, open: 1, deferred: 1, unknown: 1 };
        let summary = PromptSummary { phase: "interview", question: Some(5), progress: Some(progress), words: None };
        let of = |columns| short(Some(&summary), Some(columns));
        assert_eq!(of(100), "grill:interview q5 2/1/2\n");
        assert_eq!(of(24), "grill:interview q5 2/1/2\n");
        assert_eq!(of(23), "grill q5 2/1/2\n");
        assert_eq!(of(13), "grill q5\n");
        assert_eq!(of(7), "grill\n");
        assert_eq!(of(5), "grill\n");
        assert_eq!(of(4), "");
        assert_eq!(short(None, None), "");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_it_may_be(topic in any::<String>(), columns in 0usize..140) {
            let topic = topic.replace('\n', " ");
            let parts = parts(&topic);
            let line = parts.line(columns);
            prop_assert!(width(&line) <= columns, "{line}");
            prop_assert!(!line.chars().any(crate::domain::harmless::acts_on_a_terminal), "{line:?}");
        }
    }
}
