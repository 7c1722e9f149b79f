//! The two eras of the protocol, and what each client can show. The only place that branches on them.

use rmcp::model::{ClientCapabilities, ProtocolVersion};

/// How a server reaches the person at the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Until 2025-11-25: the server sends a request of its own while the call is open.
    Requests,
    /// From 2026-07-28 on: the call returns what is needed, and is made again with it.
    Rounds,
}

impl Era {
    /// The era of a protocol version; none was named by a client of the first one.
    pub(super) fn of(version: Option<&ProtocolVersion>) -> Self {
        // Versions are dates, and compare as text.
        match version {
            Some(version) if version.as_str() >= ProtocolVersion::V_2026_07_28.as_str() => Self::Rounds,
            Some(_) | None => Self::Requests,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// None; a person has to be asked in the conversation or elsewhere.
    Nothing,
    /// Forms with plain lists of names: the first version that had any.
    Lists,
    /// Forms with titled choices, also several at once.
    Choices,
}

impl Shows {
    /// What a client declares. That it declares something proves nothing: what it answers is looked at too.
    pub(super) fn of(capabilities: Option<&ClientCapabilities>, version: Option<&ProtocolVersion>) -> Self {
        let Some(elicitation) = capabilities.and_then(|all| all.elicitation.as_ref()) else {
            return Self::Nothing;
        };
        // Without either it is the form, as it was before there was a second kind.
        if elicitation.form.is_none() && elicitation.url.is_some() {
            return Self::Nothing;
        }
        match version {
            Some(version) if version.as_str() >= ProtocolVersion::V_2025_11_25.as_str() => Self::Choices,
            Some(_) | None => Self::Lists,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(json: &str) -> ClientCapabilities {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_era_follows_the_version() {
        assert_eq!(Era::of(None), Era::Requests);
        assert_eq!(Era::of(Some(&ProtocolVersion::V_2025_06_18)), Era::Requests);
        assert_eq!(Era::of(Some(&ProtocolVersion::V_2025_11_25)), Era::Requests);
        assert_eq!(Era::of(Some(&ProtocolVersion::V_2026_07_28)), Era::Rounds);
    }

    #[test]
    fn what_a_client_shows_follows_what_it_declares() {
        let new = Some(&ProtocolVersion::V_2026_07_28);
        for (declares, version, shows) in [
            ("{}", new, Shows::Nothing),
            (r#"{"elicitation":{}}"#, new, Shows::Choices),
            (r#"{"elicitation":{"form":{}}}"#, new, Shows::Choices),
            (r#"{"elicitation":{"url":{}}}"#, new, Shows::Nothing),
            (r#"{"elicitation":{"form":{},"url":{}}}"#, new, Shows::Choices),
            (r#"{"elicitation":{}}"#, Some(&ProtocolVersion::V_2025_06_18), Shows::Lists),
            (r#"{"elicitation":{}}"#, None, Shows::Lists),
        ] {
            assert_eq!(Shows::of(Some(&declared(declares)), version), shows, "{declares}");
        }
        assert_eq!(Shows::of(None, new), Shows::Nothing);
    }
}
