//! Moving a ref through git's library: a short transaction from exactly one object to exactly one other.
//!
//! Never `reference(force)`, which loses what somebody else just wrote, and neither `reference` nor `reference_matching`,
//! which read all of packed-refs.

use git2::{ErrorCode, Repository, Signature};

use super::Oid;
use super::repo::our_id;

/// The object that a ref names; none when there is no such ref.
pub fn named(repo: &Repository, name: &str) -> Result<Option<Oid>, git2::Error> {
    match repo.refname_to_id(name) {
        Ok(id) => Ok(Some(our_id(id))),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Moves a ref, if it still names `from` (none: it must not exist); whether it did. `by` is who has it in the reflog.
pub fn point(
    repo: &Repository,
    name: &str,
    from: Option<Oid>,
    to: Oid,
    by: Option<&Signature<'_>>,
    message: &str,
) -> Result<bool, git2::Error> {
    let mut transaction = repo.transaction()?;
    transaction.lock_ref(name)?;
    if named(repo, name)? != from {
        return Ok(false);
    }
    transaction.set_target(name, git2::Oid::from_bytes(to.as_slice())?, by, message)?;
    transaction.commit()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::{Because, Repo, library_id};

    const NAME: &str = "refs/grill/local/x/baseline";

    #[test]
    fn a_ref_of_ours_moves_from_what_it_named_and_the_users_refs_are_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let handle = || Repository::init_bare(dir.path()).unwrap();
        let library = handle();
        let [one, other] = [b"one", b"two"].map(|bytes| our_id(library.blob(bytes).unwrap()));
        let line = |name: String| format!("{one} {name}\n");
        let many: Vec<String> = (0..100).map(|number| line(format!("refs/heads/b{number:03}"))).collect();
        // Who reads the line in the middle fails; who looks a name up between the others does not come by.
        let packed = ["# pack-refs with: peeled fully-peeled sorted \n", "garbage\n", &many.concat()].concat();
        std::fs::write(dir.path().join("packed-refs"), packed).unwrap();
        assert!(handle().reference("refs/grill/local/y", library_id(one).unwrap(), false, "x").is_err());
        let repo = Repo::Library(handle());
        let because = Because { name: "x", email: "x@example.com", seconds: 0, message: "x" };
        repo.point(NAME, None, one, &because).unwrap();
        assert!(repo.point(NAME, None, other, &because).is_err());
        assert!(repo.point(NAME, Some(other), one, &because).is_err());
        assert_eq!(repo.tip(NAME).unwrap(), Some(one));
        repo.point(NAME, Some(one), other, &because).unwrap();
        assert_eq!(repo.tip(NAME).unwrap(), Some(other));
        assert!(!dir.path().join(format!("{NAME}.lock")).exists());
    }
}
