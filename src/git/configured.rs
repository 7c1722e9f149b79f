//! What git's configuration says, as `git config -z --list` prints it, and the paths that may stand in it.

use super::paths::pieces;

/// The entries: a name in lower case, as far as git does not tell case apart there, and a value.
pub fn entries(listed: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    pieces(listed).map(|entry| match entry.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&entry[..end], &entry[end + 1..]),
        // A name alone is a yes.
        None => (entry, b"".as_slice()),
    })
}

/// The entries with where each stands, as `--show-origin` prints it before them: the file, for one that stands in a file.
pub fn with_origins(listed: &[u8]) -> impl Iterator<Item = (Option<&[u8]>, &[u8], &[u8])> {
    let pieces: Vec<&[u8]> = listed.split(|byte| *byte == 0).collect();
    let pairs = pieces.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>();
    pairs.into_iter().flat_map(|(origin, entry)| {
        entries(entry).map(move |(name, value)| (origin.strip_prefix(b"file:"), name, value))
    })
}

/// The words of a value that may be paths, in a command line too.
pub fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| b" \t\n\"'=;&|()!`$".contains(byte)).filter(|word| !word.is_empty())
}
