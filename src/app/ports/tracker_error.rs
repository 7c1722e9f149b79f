//! The code and the way out of everything that keeps a tracker from its work.

use super::TrackerError;

impl TrackerError {
    /// The code that machines compare.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoProgram => "gh_missing",
            Self::OldProgram { .. } => "gh_too_old",
            Self::NotLoggedIn { .. } => "gh_not_logged_in",
            Self::NoRepository { .. } => "tracker_repository_missing",
            Self::Moved { .. } => "tracker_repository_moved",
            Self::Forbidden { .. } => "tracker_forbidden",
            Self::IssuesDisabled { .. } => "issues_disabled",
            Self::Archived { .. } => "tracker_archived",
            Self::RateLimited { .. } => "tracker_rate_limited",
            Self::Network { .. } => "tracker_unreachable",
            Self::Refused { .. } => "tracker_refused",
            Self::NotUnderstood { .. } => "gh_not_understood",
            Self::Nowhere { .. } => "tracker_unnamed",
        }
    }

    pub fn hint(&self) -> String {
        match self {
            Self::NoProgram => {
                "apt-get install gh, brew install gh, or https://cli.github.com; then gh auth login".to_owned()
            }
            Self::OldProgram { .. } => {
                "gh 2.23 or newer is needed: apt-get install gh, or https://cli.github.com".to_owned()
            }
            Self::NotLoggedIn { host } => format!("gh auth login --hostname {host}"),
            Self::NoRepository { repository } => format!(
                "gh repo view {repository} shows what this login sees of it, gh auth status who that is, and gh repo \
                 create {repository} creates it"
            ),
            Self::Moved { repository, to } => format!(
                "git remote --verbose shows which remote leads to {repository}; git remote set-url <remote> \
                 https://{}/{}/{} mends it",
                to.host(),
                to.owner(),
                to.name()
            ),
            Self::Forbidden { repository, .. } => {
                let host = repository.host();
                format!(
                    "gh auth status --hostname {host} shows who is logged in, and gh auth refresh --hostname {host} \
                         --scopes repo asks for the right; or ask whoever owns {repository}"
                )
            }
            Self::IssuesDisabled { repository } => format!("gh repo edit {repository} --enable-issues"),
            Self::Archived { repository } => format!("gh repo unarchive {repository}"),
            Self::RateLimited { host, .. } => format!(
                "gh api --hostname {host} rate_limit shows when it takes some again; git grill produce then goes on, and \
                 creates nothing twice"
            ),
            Self::Network { host, .. } => format!(
                "gh api --hostname {host} user shows whether it is reached; git grill produce then goes on, and creates \
                 nothing twice"
            ),
            Self::Refused { .. } => {
                "git grill draft shows what was to be sent; mend that, then git grill produce".to_owned()
            }
            Self::NotUnderstood { .. } => "gh --version and gh auth status show whether gh works by itself".to_owned(),
            Self::Nowhere { .. } => {
                "git remote --verbose shows the remotes that gh reads; git grill select github-issues --repo <owner>/<name> \
                 names a repository"
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::error::{AppError, not_done_there};
    use crate::domain::tracker::TrackerRepository;

    fn every_error() -> Vec<TrackerError> {
        let repository: TrackerRepository = "git.example.org/octo/links".parse().unwrap();
        let to = Box::new("git.example.org/octo/chains".parse().unwrap());
        let (host, why) = (|| repository.host().to_owned(), || "why".to_owned());
        vec![
            TrackerError::NoProgram,
            TrackerError::OldProgram { version: "1.0".to_owned() },
            TrackerError::NotLoggedIn { host: host() },
            TrackerError::NoRepository { repository: repository.clone() },
            TrackerError::Moved { repository: repository.clone(), to },
            TrackerError::Forbidden { repository: repository.clone(), why: why() },
            TrackerError::IssuesDisabled { repository: repository.clone() },
            TrackerError::Archived { repository: repository.clone() },
            TrackerError::RateLimited { host: host(), until: None },
            TrackerError::Network { host: host(), why: why() },
            TrackerError::Refused { repository, why: why() },
            TrackerError::NotUnderstood { why: why() },
            TrackerError::Nowhere { why: why() },
        ]
    }

    #[test]
    fn g32_every_error_has_a_code_of_its_own_and_a_command_to_type() {
        let mut codes: Vec<&str> = Vec::new();
        for error in every_error() {
            let (code, hint) = (error.code(), error.hint());
            assert!(!codes.contains(&code), "{code} twice");
            codes.push(code);
            assert!(hint.contains("gh ") || hint.contains("git "), "{hint}");
            assert!(!hint.ends_with('.') && !hint.contains('\n'), "{hint}");
            let app = AppError::from(error.clone());
            assert_eq!((app.exit_code(), app.code(), app.hint()), (128, code, Some(hint)));
            let app = not_done_there("no issue was created")(error.clone());
            assert_eq!((app.to_string(), app.causes()), ("no issue was created".to_owned(), vec![error.to_string()]));
        }
    }

    #[test]
    fn g32_hints_name_the_host_where_it_is_not_the_usual_one() {
        for error in every_error() {
            let about_a_host = !matches!(
                error,
                TrackerError::NoProgram
                    | TrackerError::OldProgram { .. }
                    | TrackerError::Refused { .. }
                    | TrackerError::NotUnderstood { .. }
                    | TrackerError::Nowhere { .. }
            );
            assert_eq!(error.hint().contains("git.example.org"), about_a_host, "{}", error.hint());
        }
    }
}
