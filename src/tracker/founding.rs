//! A repository that does not exist yet: the command that creates it, and running exactly that.

use std::ffi::OsString;

use super::answer::Answer;
use super::gh::Gh;
use super::trouble;
use super::wire::Founded;
use crate::app::ports::{NewRepository, TrackerError};
use crate::domain::tracker::TrackerRepository;

impl Gh<'_> {
    /// The command that creates a private repository of this name, owned by the login or by an organization. A checked
    /// name contains nothing that a shell or `gh` would split.
    pub(super) fn repository_command(&self, repository: &TrackerRepository) -> Result<NewRepository, TrackerError> {
        let (host, owner) = (repository.host(), repository.owner());
        self.is_new_enough(host)?;
        let own = self.login(host)?.eq_ignore_ascii_case(owner);
        let place = if own { "user/repos".to_owned() } else { format!("orgs/{owner}/repos") };
        let name = format!("name={}", repository.name());
        let words = ["gh", "api", "--include", "--method", "POST", "--hostname", host, place.as_str()];
        let fields = ["--raw-field", name.as_str(), "--field", "private=true"];
        let command = words.into_iter().chain(fields).map(str::to_owned).collect();
        Ok(NewRepository { repository: repository.clone(), command })
    }

    /// Creates the repository. Succeeds only if the host names the repository that it created.
    pub(super) fn repository_created(&self, new: &NewRepository) -> Result<(), TrackerError> {
        let repository = &new.repository;
        let args: Vec<OsString> = new.command.iter().skip(1).map(OsString::from).collect();
        let ran = self.run(repository.host(), args, Vec::new())?;
        let answer = Answer::parse(&ran.stdout).filter(|answer| ran.code == 0 || !answer.is_success());
        let answer = answer.ok_or_else(|| trouble::of_run(repository.host(), &ran))?;
        if !answer.is_success() {
            return Err(trouble::of_answer(repository, &answer));
        }
        let there: Founded = trouble::understood(&answer)?;
        if there.full_name.eq_ignore_ascii_case(&format!("{}/{}", repository.owner(), repository.name())) {
            return Ok(());
        }
        Err(trouble::not_understood(&format!(
            "asked the host to create {repository}, and it created {}",
            there.full_name
        )))
    }
}
