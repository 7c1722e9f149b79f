//! Why an output cannot be made, with what helps.

use super::template::TemplateError;
use crate::domain::production::TargetPath;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cannot {
    /// The session holds nothing that it could be made of.
    #[error("the interview holds {what} yet that it could be made of")]
    NothingToSay { what: &'static str },
    /// The plan has another number of files than there are things to write.
    #[error("{files} files were chosen, and there are {things} {what} by now")]
    OtherNumber { files: usize, things: usize, what: &'static str },
    /// A file stands there whose form is not known.
    #[error("{path} is there, and {why}")]
    UnknownForm { path: TargetPath, why: &'static str },
    /// Neither a tracker nor a folder was named for the issues.
    #[error("no remote of this repository leads to a tracker")]
    NoTracker,
    /// A custom output is made from a template, and it is not there.
    #[error("without an agent a custom output is made from a template, and '{name}' is no file in this repository")]
    NoTemplate { name: String },
    /// The name of a custom output reads as a path, and leads to no place of this repository.
    #[error("'{name}' is no template of this repository: {because}")]
    NoPlace { name: String, because: &'static str },
    /// A custom output has no template and waits for an agent's draft.
    #[error("no draft of it has been submitted yet, and no template has that name")]
    NotHandedIn,
    #[error("the template {path} gives no document: {why}")]
    Template { path: TargetPath, why: TemplateError },
    #[error("the document cannot be made: {0}")]
    TooLarge(TemplateError),
}

impl Cannot {
    pub fn way_out(&self) -> String {
        match self {
            Self::NothingToSay { .. } => "git grill next goes on with the interview".to_owned(),
            Self::OtherNumber { .. } => {
                "git grill finish returns to the interview; choose it again from there".to_owned()
            }
            Self::UnknownForm { .. } => "add --path <another file>".to_owned(),
            Self::NoTracker => {
                "git grill select github-issues --repo <owner>/<name> names one, git remote add origin <url> adds one, and \
                 --path issues writes the issues as files"
                    .to_owned()
            }
            Self::NoTemplate { .. } => {
                "write a template such as docs/memo.md.j2, and git grill select custom:docs/memo.md.j2 --path <file>; or let \
                 an agent ask for it, which submits the draft (git grill agent install --list)"
                    .to_owned()
            }
            Self::NoPlace { .. } => {
                "git grill select custom:docs/memo.md.j2 takes that file of this repository as the template".to_owned()
            }
            Self::NotHandedIn => {
                "git grill draft shows the draft once an agent that is set up here submits it with grill_submit_draft (git \
                 grill agent install --list); git grill finish returns to the interview"
                    .to_owned()
            }
            Self::Template { .. } => "mend the template; git grill select tries it again".to_owned(),
            Self::TooLarge(_) => "shorten the understanding with git grill checkpoint edit".to_owned(),
        }
    }
}
