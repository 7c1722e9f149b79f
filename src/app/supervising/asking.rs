//! Whether the provider of an agent may be used (A11): a person's yes, given now or remembered, and where nobody is asked an
//! explicit confirmation beside a remembered one.

use crate::app::consent::{Purpose, always, choices, not_remembered, question, remembering};
use crate::app::error::{AppError, not_answered};
use crate::app::ports::{Leader, Picture, SeenSession, Walls};
use crate::app::prompt::Unanswered;
use crate::domain::actor::Actor;
use crate::domain::agents::profile::Profile;
use crate::domain::harmless::on_one_line;
use crate::text::shell::word;

use super::Counter;

const SENDING: &str = "sending a prompt, which calls the agent's provider,";

/// The caller's own confirmation that the provider may be used: `confirm_provider_use`, or the option of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirmation {
    Given,
    Missing,
}

impl Confirmation {
    pub(super) fn of(confirmed: bool) -> Self {
        if confirmed { Self::Given } else { Self::Missing }
    }
}

/// A sentence that names the pictures which go with a prompt, behind others.
fn named(pictures: &[Picture]) -> String {
    let names: Vec<String> = pictures.iter().map(|picture| on_one_line(&picture.path)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" The prompt comes with a picture: {one}."),
        many => format!(" The prompt comes with {} pictures: {}.", many.len(), many.join(", ")),
    }
}

impl Counter<'_> {
    /// Returns once a new session may call the agent's provider.
    pub(super) fn agree_to_start(
        &mut self,
        leader: &Leader,
        (profile, walls): (Profile, &Walls),
        pictures: &[Picture],
        confirmation: Confirmation,
    ) -> Result<(), AppError> {
        let purpose = Purpose::Lend(profile);
        // A yes that is remembered was given to an agent behind walls.
        let remembered = *walls == Walls::Hold && self.port.agreed(&leader.name)?;
        if remembered && (confirmation == Confirmation::Given || self.is_typed()) {
            return Ok(());
        }
        let needs_person = |why: &str| {
            let typed =
                format!("git grill agent start --agent {} --profile {profile} \"<prompt>\"", word(&leader.name));
            let (why, hint) = match confirmation {
                Confirmation::Missing if remembered => (
                    why.to_owned(),
                    format!("{typed} --confirm-provider-use confirms it; in a tool call: confirm_provider_use: true"),
                ),
                Confirmation::Given if *walls == Walls::Hold => {
                    (not_remembered(&leader.name, why), remembering(&typed))
                }
                Confirmation::Given | Confirmation::Missing => {
                    (why.to_owned(), format!("{typed}, at a terminal, asks the person, who can agree for this clone"))
                }
            };
            AppError::NeedsPerson { deed: purpose.deed().to_owned(), why, hint }
        };
        if let Err(why) = &self.can_ask {
            return Err(needs_person(why));
        }
        let mut choices = Vec::from(choices(purpose));
        if *walls == Walls::Hold {
            choices.insert(1, always());
        }
        let asked = question(leader, purpose, walls) + &named(pictures);
        let chosen = match self.prompter.choose(&asked, &choices).answered() {
            Ok(chosen) => chosen,
            // No form was shown: the person types it.
            Err(Unanswered::Unavailable(why)) => return Err(needs_person(why)),
            Err(unanswered) => return Err(not_answered(purpose.deed())(unanswered)),
        };
        match choices.get(chosen).map(|choice| choice.value.as_str()) {
            Some("once") => Ok(()),
            Some("always") => self.port.agree(&leader.name),
            Some(_) | None => Err(AppError::Cancelled("lending work to the agent")),
        }
    }

    /// Returns once another prompt may call the provider. The yes to the session covers it, so that only a caller who is not
    /// the person has to confirm it.
    pub(super) fn agree_to_send(
        &mut self,
        seen: &SeenSession,
        pictures: &[Picture],
        confirmation: Confirmation,
    ) -> Result<(), AppError> {
        if confirmation == Confirmation::Given || self.is_typed() {
            return Ok(());
        }
        let started = &seen.session.started;
        if let Err(why) = &self.can_ask {
            let hint = format!(
                "git grill agent send {} \"<prompt>\" --confirm-provider-use confirms it; in a tool call: \
                 confirm_provider_use: true",
                started.handle
            );
            return Err(AppError::NeedsPerson { deed: SENDING.to_owned(), why: why.clone(), hint });
        }
        let asked = format!(
            "Send this to {} in session {} ({})? The agent sends the prompt and what it reads to its provider.{}",
            started.agent,
            started.handle,
            started.profile,
            named(pictures)
        );
        if self.prompter.confirm(&asked).answered().map_err(not_answered(SENDING))? {
            Ok(())
        } else {
            Err(AppError::Cancelled("sending the prompt"))
        }
    }

    /// Whether the person types it, at a terminal where they could be asked. The prompt may come through a pipe.
    pub(super) fn is_typed(&self) -> bool {
        self.can_ask.is_ok()
            && match self.actor {
                Actor::Human | Actor::Unattended => true,
                Actor::Agent(_) | Actor::System => false,
            }
    }
}
