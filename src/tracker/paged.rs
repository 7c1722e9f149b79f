//! Lists that come in pages.

use serde::de::DeserializeOwned;

use super::answer::Answer;
use super::gh::{Gh, Method, below};
use super::trouble;
use crate::app::ports::TrackerError;
use crate::domain::tracker::TrackerRepository;

/// The most pages that are read, 100 entries each: a host that always names a next page is not followed for ever.
const MOST_PAGES: usize = 100;

impl Gh<'_> {
    /// Every entry of a list below a repository; `query` is what follows `per_page=100`.
    pub(super) fn listed<T: DeserializeOwned>(
        &self,
        repository: &TrackerRepository,
        list: &str,
        query: &str,
    ) -> Result<Vec<T>, TrackerError> {
        let mut all = Vec::new();
        let mut page = first(repository, list, query);
        for _ in 0..MOST_PAGES {
            let answer = self.page(repository, &page)?;
            all.extend(trouble::understood::<Vec<T>>(&answer)?);
            match answer.next_page() {
                None => return Ok(all),
                Some(next) if is_of(repository.host(), next) => next.clone_into(&mut page),
                Some(next) => {
                    return Err(trouble::not_understood(&format!("the next page of {list} is at {next}")));
                }
            }
        }
        Err(trouble::not_understood(&format!("there are more than {MOST_PAGES} pages of {list}")))
    }

    /// The first entries of a list, 100 at most.
    pub(super) fn first_page<T: DeserializeOwned>(
        &self,
        repository: &TrackerRepository,
        list: &str,
        query: &str,
    ) -> Result<Vec<T>, TrackerError> {
        trouble::understood(&self.page(repository, &first(repository, list, query))?)
    }

    fn page(&self, repository: &TrackerRepository, page: &str) -> Result<Answer, TrackerError> {
        let answer = self.ask(repository.host(), Method::Get, page, Vec::new())?;
        if answer.is_success() { Ok(answer) } else { Err(trouble::of_answer(repository, &answer)) }
    }
}

fn first(repository: &TrackerRepository, list: &str, query: &str) -> String {
    below(repository, &format!("/{list}?per_page=100{query}"))
}

/// Whether an address is one of this host: nobody else may be sent what `gh` adds to a request.
fn is_of(host: &str, address: &str) -> bool {
    let rest = address.strip_prefix("https://");
    let of = |host: &str| rest.and_then(|rest| rest.strip_prefix(host)).is_some_and(|path| path.starts_with('/'));
    of(host) || of(&format!("api.{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_only_followed_at_the_same_host() {
        for (address, followed) in [
            ("https://api.github.com/repositories/1/issues?page=2", true),
            ("https://github.com/api/v3/repositories/1/issues?page=2", true),
            ("http://api.github.com/x", false),
            ("https://api.github.com.example.org/x", false),
            ("https://api.github.com@example.org/x", false),
            ("https://example.org/?https://api.github.com/", false),
            ("repos/a/b", false),
        ] {
            assert_eq!(is_of("github.com", address), followed, "{address}");
        }
    }
}
