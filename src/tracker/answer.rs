//! What `gh api --include` prints: a line with the status, header lines, an empty line, and the body as it came.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The status, a number of three digits.
    pub status: u16,
    /// The headers, in the order in which they were printed.
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads one; nothing if this is none.
    pub(super) fn parse(printed: &[u8]) -> Option<Self> {
        let (first, mut rest) = line(printed)?;
        let mut words = first.split(' ');
        words.next().filter(|protocol| protocol.starts_with("HTTP/"))?;
        let status = words.next()?.parse().ok().filter(|status| (100..600).contains(status))?;
        let mut headers = Vec::new();
        loop {
            let (header, behind) = line(rest)?;
            rest = behind;
            if header.is_empty() {
                break;
            }
            let (name, value) = header.split_once(':')?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Some(Self { status, headers, body: rest.to_vec() })
    }

    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A header by its name in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(there, _)| there == name).map(|(_, value)| value.as_str())
    }

    /// Where the next page is, as the `Link` header says.
    pub(super) fn next_page(&self) -> Option<&str> {
        self.header("link")?.split(',').find_map(|link| {
            let (address, relations) = link.trim().strip_prefix('<')?.split_once('>')?;
            let next = |relation: &str| matches!(relation.trim(), "rel=\"next\"" | "rel=next");
            relations.split(';').any(next).then_some(address)
        })
    }
}

/// The first line without its end, and what follows it.
fn line(bytes: &[u8]) -> Option<(String, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let text = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
    Some((String::from_utf8_lossy(text).into_owned(), &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_apart() {
        let printed =
            b"HTTP/2.0 201 Created\nLink: <https://a/?page=1>; rel=\"prev\", <https://a/?page=3>; rel=\"next\"\r\n\
            X-Ratelimit-Remaining: 0\r\n\r\n{\"number\":7}\n\n";
        let answer = Answer::parse(printed).unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (201, b"{\"number\":7}\n\n".as_slice()));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
        assert_eq!(answer.header("retry-after"), None);
        assert_eq!(answer.next_page(), Some("https://a/?page=3"));
        assert!(answer.is_success());
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for printed in [
            "",
            "{\"number\":7}",
            "HTTP/2.0",
            "HTTP/2.0 abc\n\n",
            "HTTP/2.0 700 What\n\n",
            "HTTP/2.0 200 OK\n",
            "HTTP/2.0 200 OK\nno header\n\n{}",
            "HTTP/2.0 200 OK\nA: b\n",
        ] {
            assert_eq!(Answer::parse(printed.as_bytes()), None, "{printed:?}");
        }
        assert_eq!(Answer::parse(b"HTTP/1.1 204 No Content\n\n").map(|answer| answer.body), Some(Vec::new()));
    }

    #[test]
    fn only_a_link_that_says_so_is_the_next_page() {
        for (link, next) in [
            ("", None),
            ("<https://a/?page=9>; rel=\"last\"", None),
            ("https://a/?page=2; rel=\"next\"", None),
            ("<https://a/?page=2>; rel=next", Some("https://a/?page=2")),
        ] {
            let answer = Answer::parse(format!("HTTP/1.1 200 OK\nLink: {link}\n\n[]").as_bytes()).unwrap();
            assert_eq!(answer.next_page(), next, "{link}");
        }
    }
}
