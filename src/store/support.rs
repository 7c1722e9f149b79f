//! Which repositories this back end can keep sessions in. What git's library cannot read it refuses to open; that
//! refusal is put into words here, and nothing is ever written to such a repository.

use crate::app::ports::StoreError;

/// The library's refusal to open a repository, as an error that says what helps.
pub fn refusal(error: &git2::Error) -> StoreError {
    let said = error.message();
    let folded = said.to_lowercase();
    let unsupported = |what: &str, hint: &str| StoreError::Unsupported { what: what.to_owned(), hint: hint.to_owned() };
    if folded.contains("extensions.refstorage") {
        return unsupported(
            "its refs are stored as reftable",
            "`git refs migrate --ref-format=files` changes that, where your git has it",
        );
    }
    if folded.contains("object format") {
        return unsupported(
            "its objects are not named by sha1",
            "sessions need a repository with `--object-format=sha1`",
        );
    }
    if folded.contains("unsupported extension") {
        return unsupported(
            &format!("it uses something that we cannot read ({said})"),
            "`git config --get-regexp '^extensions'` shows what",
        );
    }
    StoreError::Git { doing: "opening the repository".to_owned(), why: said.to_owned() }
}
