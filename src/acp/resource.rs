//! Content that goes with the text of a prompt.

/// A file whose bytes are embedded in a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its URI (RFC 3986).
    pub uri: String,
    /// Its media type (RFC 6838).
    pub mime: &'static str,
    pub bytes: Vec<u8>,
}
