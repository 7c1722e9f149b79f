//! Failures of the machine in the application's terms.

use std::error::Error;

use crate::app::error::AppError;
use crate::fence::FenceError;
use crate::hooks::HookError;
use crate::repo::config::ConfigError;
use crate::repo::open::OpenError;

/// A failure with everything that lies behind it.
pub(super) fn failed(code: &'static str, message: &str, error: &dyn Error, hint: Option<String>) -> AppError {
    let mut causes = vec![error.to_string()];
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    AppError::Environment { code, message: message.to_owned(), causes, hint }
}

/// A failure whose own sentence already says what did not happen.
fn told(code: &'static str, error: &dyn Error, hint: Option<String>) -> AppError {
    let mut causes = Vec::new();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    AppError::Environment { code, message: error.to_string(), causes, hint }
}

impl From<OpenError> for AppError {
    fn from(error: OpenError) -> Self {
        let code = match error {
            OpenError::NotARepository { .. } => "not_a_repository",
            OpenError::Reftable | OpenError::Sha256 | OpenError::Extension { .. } | OpenError::Program { .. } => {
                "unsupported_repository"
            }
            OpenError::Backend { .. } => "bad_backend",
            OpenError::NotOwned { .. } => "not_owned",
            OpenError::Irregular { .. } | OpenError::Redirected { .. } | OpenError::Broken { .. } => {
                "broken_repository"
            }
        };
        told(code, &error, Some(error.hint()))
    }
}

impl From<ConfigError> for AppError {
    fn from(error: ConfigError) -> Self {
        told("config", &error, Some(error.hint()))
    }
}

impl From<FenceError> for AppError {
    fn from(error: FenceError) -> Self {
        told("fence", &error, error.hint())
    }
}

impl From<HookError> for AppError {
    fn from(error: HookError) -> Self {
        told("hooks", &error, error.hint().map(str::to_owned))
    }
}
