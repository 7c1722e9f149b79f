//! The clock. It honours git's date variables, so that whoever fixes them for git fixes them for us.

use jiff::Timestamp;

use crate::app::ports::Clock;

use super::environment::Environment;

/// Now, or the moment that `GIT_COMMITTER_DATE` names.
pub(super) struct GitClock {
    fixed: Option<Timestamp>,
}

impl GitClock {
    pub(super) fn new(environment: &Environment) -> Self {
        Self { fixed: environment.text("GIT_COMMITTER_DATE").and_then(|date| parse(&date)) }
    }
}

impl Clock for GitClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        let now = self.fixed.unwrap_or_else(Timestamp::now);
        Timestamp::from_second(now.as_second()).unwrap_or(now)
    }
}

/// Git's own form (`@1700000000 +0100`, `1700000000 +0100`) and RFC 3339 with `T` or a blank.
fn parse(date: &str) -> Option<Timestamp> {
    let date = date.trim();
    let seconds = date.trim_start_matches('@').split(' ').next().unwrap_or_default();
    if let Ok(seconds) = seconds.parse::<i64>() {
        return Timestamp::from_second(seconds).ok();
    }
    date.parse().ok().or_else(|| {
        let (day, rest) = date.split_once(' ')?;
        format!("{day}T{}", rest.replace(' ', "")).parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_date_forms_of_git_are_read() {
        let want = Timestamp::from_second(1_700_000_000).unwrap();
        for text in [
            "@1700000000 +0000",
            "1700000000 +0530",
            "2023-11-14T22:13:20Z",
            "2023-11-14T23:13:20+01:00",
            "2023-11-14 22:13:20 +0000",
        ] {
            assert_eq!(parse(text), Some(want), "{text}");
        }
        assert_eq!(parse("yesterday"), None);
    }
}
