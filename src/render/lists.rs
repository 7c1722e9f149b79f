//! Lists: questions, versions, sessions; and the legend below a list of steps.

use std::fmt::Write as _;

use crate::app::reply::{Listed, Version};
use crate::domain::interview::{gist, standing_word};
use crate::domain::session::Session;

use super::harmless;
use super::palette::Look;
use crate::text::columns::width;

/// What these signs before steps mean, in as few rows as hold each sign beside its meaning. Only a person at a terminal is
/// told: a program that counts the signs of piped lines finds those of the steps alone.
pub(super) fn legend(signs: impl IntoIterator<Item = (char, &'static str)>, look: &Look, columns: usize) -> String {
    const BETWEEN: &str = " · ";
    let mut rows: Vec<String> = Vec::new();
    for (sign, meaning) in signs {
        let entry = format!("{sign} {meaning}");
        match rows.last_mut().filter(|row| width(row) + width(BETWEEN) + width(&entry) <= columns) {
            Some(row) => {
                row.push_str(BETWEEN);
                row.push_str(&entry);
            }
            None => rows.push(entry),
        }
    }
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{}", look.muted(row));
    }
    text
}

pub(super) fn questions(session: &Session, look: &Look) -> String {
    let mut text = String::new();
    for asked in &session.transcript.asked {
        let question = &asked.question;
        let _ = writeln!(
            text,
            "{:>3}. {} {} {}",
            asked.number,
            look.muted(&question.id),
            look.strong(harmless(question.text.first_line())),
            look.muted(format!("({}, {})", harmless(question.dimension.as_str()), standing_word(&asked.standing)))
        );
        if let Some(answer) = asked.answer() {
            let _ =
                writeln!(text, "     {} {}", harmless(gist(answer).as_str()), look.muted(format!("— {}", answer.by)));
        }
    }
    if text.is_empty() {
        text.push_str("nothing was asked yet\n");
    }
    text
}

pub(super) fn versions(session: &str, versions: &[Version], look: &Look) -> String {
    let mut text = String::new();
    for version in versions {
        let _ = writeln!(
            text,
            "{} {} {} {}",
            look.name(version.commit.short()),
            look.muted(version.at.strftime("%Y-%m-%d %H:%M")),
            harmless(&version.subject),
            look.muted(format!("<{}>", harmless(&version.author)))
        );
    }
    let _ = writeln!(text, "{}", look.muted(format!("git log -p grill/sessions/{session} has all of it")));
    text
}

pub(super) fn sessions(sessions: &[Listed], look: &Look) -> String {
    let mut text = String::new();
    for listed in sessions {
        let place = listed.active_in.as_ref().map_or(String::new(), |worktree| {
            look.good(format!(" active in {}", harmless(&worktree.to_string_lossy())))
        });
        match &listed.state {
            Ok(state) => {
                let _ = writeln!(
                    text,
                    "{} {} {}{place}",
                    look.name(&listed.id),
                    look.muted(format!("{:<17}", state.in_words())),
                    harmless(state.topic.as_str())
                );
            }
            Err(why) => {
                let _ = writeln!(text, "{} {}", look.name(&listed.id), look.warning(harmless(why)));
            }
        }
    }
    if text.is_empty() {
        text.push_str("no sessions; git grill start \"<topic>\" begins one\n");
    }
    text
}
