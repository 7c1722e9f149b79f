//! Signing, as the store needs it: bytes in, a signature out, and why there is none.

use std::error::Error;

use super::StoreError;

/// Signs commits with whatever the user's configuration asks for.
pub trait Signer {
    /// The armoured signature of a commit, given as git hashes it. Waits for a person's passphrase, but not for ever.
    fn sign(&self, commit: &[u8]) -> Result<String, SignError>;
}

/// Why a commit was not signed. Nothing is recorded then.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct SignError {
    /// What did not happen, such as `gpg failed to sign`.
    pub what: String,
    /// What lies behind it, such as the program's own words.
    #[source]
    pub cause: Box<dyn Error + Send + Sync>,
}

impl SignError {
    /// The error with what lies behind it.
    pub fn new(what: impl Into<String>, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { what: what.into(), cause: cause.into() }
    }
}

impl From<SignError> for StoreError {
    fn from(error: SignError) -> Self {
        Self::Unsigned { what: error.what, cause: error.cause }
    }
}
