use super::*;

fn answer(status: u16, headers: &str, body: &str) -> Answer {
    Answer::parse(format!("HTTP/2.0 {status} X\n{headers}\n{body}").as_bytes()).unwrap()
}

fn repository() -> TrackerRepository {
    "octo/links".parse().unwrap()
}

#[test]
fn g32_every_answer_of_the_host_has_its_name() {
    let host = "github.com".to_owned();
    let refused = |why: &str| TrackerError::Refused { repository: repository(), why: why.to_owned() };
    let forbidden = |why: &str| TrackerError::Forbidden { repository: repository(), why: why.to_owned() };
    let limited = |until: Option<&str>| TrackerError::RateLimited {
        host: "github.com".to_owned(),
        until: until.map(|until| until.parse().unwrap()),
    };
    let rows = [
        (401, "", r#"{"message":"Bad credentials"}"#, TrackerError::NotLoggedIn { host: host.clone() }),
        (404, "", r#"{"message":"Not Found"}"#, TrackerError::NoRepository { repository: repository() }),
        (
            410,
            "",
            r#"{"message":"Issues has been disabled in this repository."}"#,
            TrackerError::IssuesDisabled { repository: repository() },
        ),
        (
            403,
            "",
            r#"{"message":"Repository was archived so is read-only."}"#,
            TrackerError::Archived { repository: repository() },
        ),
        (
            403,
            "X-GitHub-SSO: required; url=https://github.com/orgs/octo/sso\n",
            r#"{"message":"Resource protected by organization SAML enforcement."}"#,
            forbidden("Resource protected by organization SAML enforcement. (HTTP 403)"),
        ),
        (403, "X-Ratelimit-Remaining: 17\n", r#"{"message":"No."}"#, forbidden("No. (HTTP 403)")),
        (
            403,
            "X-Ratelimit-Remaining: 0\nX-Ratelimit-Reset: 1795255200\n",
            r#"{"message":"API rate limit exceeded for user ID 1."}"#,
            limited(Some("2026-11-21T10:00:00Z")),
        ),
        (
            403,
            "Date: Sat, 21 Nov 2026 10:00:00 GMT\nRetry-After: 60\nX-Ratelimit-Remaining: 4000\n",
            r#"{"message":"You have exceeded a secondary rate limit."}"#,
            limited(Some("2026-11-21T10:01:00Z")),
        ),
        // The pace was too fast; when the hour of the other limit ends says nothing about that.
        (
            403,
            "X-Ratelimit-Remaining: 4000\nX-Ratelimit-Reset: 1795255200\n",
            r#"{"message":"You have exceeded a secondary rate limit."}"#,
            limited(None),
        ),
        (429, "Retry-After: soon\n", "", limited(None)),
        (
            422,
            "",
            r#"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"},
                "body is too long"]}"#,
            refused("Validation Failed; title: missing_field; body is too long (HTTP 422)"),
        ),
        (307, "", r#"{"message":"Moved"}"#, refused("it is somewhere else now (Moved (HTTP 307))")),
        (418, "", "<html>", refused("HTTP 418")),
        (
            502,
            "",
            r#"{"message":"Server Error"}"#,
            TrackerError::Network {
                host,
                why: "Server Error (HTTP 502); what was asked for may have been done".to_owned(),
            },
        ),
    ];
    for (status, headers, body, expected) in rows {
        assert_eq!(of_answer(&repository(), &answer(status, headers, body)), expected, "{status} {headers} {body}");
    }
}

#[test]
fn g32_without_an_answer_what_gh_says_decides() {
    let network = |why: &str| TrackerError::Network { host: "github.com".to_owned(), why: why.to_owned() };
    let refused = r#"Get "https://api.github.com/user": dial tcp 127.0.0.1:443: connect: connection refused"#;
    let unknown = "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com";
    let strange = TrackerError::NotUnderstood { why: "unknown flag: --include".to_owned() };
    for (code, stderr, expected) in [
        (4, "To get started, run: gh auth login", TrackerError::NotLoggedIn { host: "github.com".to_owned() }),
        (1, refused, network(refused)),
        (1, unknown, network(&unknown.replace('\n', " "))),
        (1, "unexpected EOF", network("unexpected EOF")),
        (1, "unknown flag: --include\n", strange),
        (
            130,
            "",
            TrackerError::NotUnderstood {
                why: "it was ended by signal 2; what was asked for may have been done".to_owned(),
            },
        ),
        (0, "", TrackerError::NotUnderstood { why: "it ended with code 0 and said nothing".to_owned() }),
    ] {
        let ran = Ran { code, stdout: Vec::new(), stderr: stderr.into() };
        assert_eq!(of_run("github.com", &ran), expected, "{stderr}");
    }
    let half = Ran { code: 1, stdout: b"HTTP/2.0 201 Created\n\n{\"num".to_vec(), stderr: b"stream error".to_vec() };
    assert_eq!(of_run("github.com", &half), network("stream error"));
}

#[test]
fn g32_a_program_that_cannot_run_is_told_from_a_host_that_says_nothing() {
    let of = |kind: io::ErrorKind| of_spawning("github.com", &kind.into(), Duration::from_mins(1));
    assert_eq!(of(io::ErrorKind::NotFound), TrackerError::NoProgram);
    assert!(matches!(of(io::ErrorKind::TimedOut), TrackerError::Network { why, .. } if why.contains("within 60 s")));
    assert!(matches!(of(io::ErrorKind::PermissionDenied), TrackerError::NotUnderstood { .. }));
}

#[test]
fn foreign_words_are_shown_as_one_harmless_line() {
    assert_eq!(one_line("a\u{1b}[31m\n\tb\u{7}  c"), "a [31m b c");
    assert_eq!(one_line(&"x".repeat(1_000)).chars().count(), ENOUGH + 1);
}

#[test]
fn what_exists_already_is_told_from_what_is_wrong() {
    let exists =
        |status, code: &str| exists_already(&answer(status, "", &format!(r#"{{"errors":[{{"code":"{code}"}}]}}"#)));
    assert!(exists(422, "already_exists"));
    assert!(!exists(422, "invalid") && !exists(400, "already_exists"));
    assert!(!exists_already(&answer(422, "", "already_exists")));
}
