//! Lists: questions, versions, sessions, drafts.

use std::fmt::Write as _;

use crate::app::reply::{Listed, Preview, Version};
use crate::domain::interview::{gist, standing_word};
use crate::domain::production::Origin;
use crate::domain::session::Session;

use super::palette::{Asked, Look};
use super::{diff, harmless};

/// The questions and what became of them.
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

/// The commits of a session.
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

/// The sessions of a repository.
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
                    look.muted(format!("{:<17}", state.phase)),
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

/// Drafts, each as a diff against what stands on disk.
pub(super) fn drafts(previews: &[Preview], _session: &Session, look: &Look) -> String {
    let mut text = String::new();
    for preview in previews {
        let draft = &preview.draft;
        let _ = writeln!(
            text,
            "{} {} {}\n",
            look.strong(&draft.path),
            look.muted(format!("({}, {})", draft.destination, preview.stage)),
            look.name(draft.blob.short())
        );
        let (from, old) = match &preview.on_disk {
            Some(old) => (format!("a/{}", draft.path), old.as_str()),
            None => ("/dev/null".to_owned(), ""),
        };
        let to = format!("b/{}", draft.path);
        text.push_str(&diff::versions((&from, old), (&to, &draft.content), diff::Of::File, look));
        let next = match preview.stage {
            // A prompt asks right below.
            "drafted" if look.asked == Asked::ByPrompt => String::new(),
            "drafted" => format!(
                "git grill approve {} --blob {} writes exactly this; {}",
                draft.path,
                draft.blob.short(),
                match draft.origin {
                    Origin::Generated => "edit the checkpoint and git grill draft to change it",
                    Origin::HandedIn => "whoever handed it in can hand in another",
                }
            ),
            "approved" => "git grill produce writes it".to_owned(),
            _ => "it is written".to_owned(),
        };
        if !next.is_empty() {
            let _ = writeln!(text, "\n{}", look.muted(next));
        }
    }
    if text.is_empty() {
        text.push_str("nothing is drafted\n");
    }
    text
}
