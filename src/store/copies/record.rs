//! Records of a copy file: one for each commit, appended as a whole.
//!
//! ```text
//! <newline>grill copy 1 <seconds> <commit> <number of objects>
//! <kind> <size> <name>          a line for each object
//! end <FNV-1a of the lines before it>
//! <the objects' bytes>
//! ```
//!
//! The head has a checksum; the bytes need none, since each object's name is one. A record that was cut off costs its own
//! tail: reading goes on at the next one.

use std::fmt::Write as _;

use crate::domain::fnv::fnv1a;
use crate::git::object::{name_of, parsed};
use crate::git::{Kind, Object, Oid};

/// Beginning of a record. Another number is another format, which is passed over.
const MARK: &[u8] = b"\ngrill copy 1 ";
/// Objects of one record, at most: far more than a session has files.
const MOST_OBJECTS: usize = 100_000;

/// An object in a copy file. Its bytes are unchecked.
#[derive(Clone, Copy, Debug)]
pub struct Copied<'b> {
    /// Name that the record gives it.
    pub name: Oid,
    /// Kind that the record gives it.
    pub kind: Kind,
    bytes: &'b [u8],
}

impl<'b> Copied<'b> {
    pub fn new(name: Oid, kind: Kind, bytes: &'b [u8]) -> Self {
        Self { name, kind, bytes }
    }

    /// The object, if its bytes have the name that the record gives it.
    pub fn object(&self) -> Option<Object> {
        let is_it = name_of(self.name.kind(), self.kind, self.bytes) == Ok(self.name);
        is_it.then(|| Object { kind: self.kind, bytes: self.bytes.to_vec() })
    }
}

/// Copy of one commit's new objects.
#[derive(Clone, Debug)]
pub struct Record<'b> {
    /// When it was written, in seconds since 1970.
    pub at: i64,
    pub commit: Oid,
    /// The new objects, the commit among them. Those that were cut off are left out.
    pub objects: Vec<Copied<'b>>,
}

impl Record<'_> {
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} {}\n", self.at, self.commit, self.objects.len());
        for object in &self.objects {
            // Writing to a String cannot fail.
            let _ = writeln!(head, "{} {} {}", object.kind.word(), object.bytes.len(), object.name);
        }
        let sum = fnv1a(head.bytes());
        let _ = writeln!(head, "end {sum:016x}");
        let size = self.objects.iter().map(|object| object.bytes.len()).sum::<usize>();
        let mut bytes = Vec::with_capacity(MARK.len() + head.len() + size);
        bytes.extend_from_slice(MARK);
        bytes.extend_from_slice(head.as_bytes());
        self.objects.iter().for_each(|object| bytes.extend_from_slice(object.bytes));
        bytes
    }
}

/// The records in a copy file, or in a part of it.
pub fn records(bytes: &[u8]) -> Vec<Record<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = memchr::memmem::find(&bytes[from..], MARK).map(|place| from + place) {
        let Some((record, end)) = record(&bytes[start..]) else {
            from = start + MARK.len();
            continue;
        };
        found.push(record);
        // A record that no other one follows was cut off, and the next one may begin within what it would have held.
        let is_whole = bytes.get(start + end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(MARK));
        from = start + if is_whole { end } else { MARK.len() };
    }
    found
}

pub fn first_time(bytes: &[u8]) -> Option<i64> {
    let line = bytes.strip_prefix(MARK)?;
    std::str::from_utf8(line.split(|byte| *byte == b' ').next()?).ok()?.parse().ok()
}

/// The record that begins here, with its length.
fn record(bytes: &[u8]) -> Option<(Record<'_>, usize)> {
    let mut lines = Lines { bytes, at: MARK.len() };
    let first = lines.next()?;
    let mut words = first.split(' ');
    let (at, commit) = (words.next()?.parse().ok()?, parsed(words.next()?)?);
    let count: usize = words.next()?.parse().ok()?;
    let mut listed = Vec::new();
    for _ in 0..Some(count).filter(|count| *count <= MOST_OBJECTS)? {
        let mut words = lines.next()?.split(' ');
        let kind = Kind::named(words.next()?)?;
        let size: usize = words.next()?.parse().ok()?;
        listed.push((parsed(words.next()?)?, kind, size));
    }
    let summed = &bytes[MARK.len()..lines.at];
    let sum = u64::from_str_radix(lines.next()?.strip_prefix("end ")?, 16).ok()?;
    if sum != fnv1a(summed.iter().copied()) {
        return None;
    }
    let (mut objects, mut end) = (Vec::with_capacity(listed.len()), lines.at);
    for (name, kind, size) in listed {
        let start = end;
        end = end.checked_add(size)?;
        objects.extend(bytes.get(start..end).map(|bytes| Copied { name, kind, bytes }));
    }
    Some((Record { at, commit, objects }, end))
}

/// Lines of a head, one after the other.
struct Lines<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Lines<'b> {
    fn next(&mut self) -> Option<&'b str> {
        let rest = &self.bytes[self.at..];
        let end = memchr::memchr(b'\n', rest)?;
        self.at += end + 1;
        std::str::from_utf8(&rest[..end]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Naming;

    fn record_of<'b>(at: i64, texts: &[&'b [u8]]) -> Record<'b> {
        let objects: Vec<Copied<'_>> = texts
            .iter()
            .map(|text| Copied::new(name_of(Naming::Sha256, Kind::Blob, text).unwrap(), Kind::Blob, text))
            .collect();
        Record { at, commit: objects[0].name, objects }
    }

    fn texts(bytes: &[u8]) -> Vec<Vec<u8>> {
        let found = records(bytes);
        found.iter().flat_map(|one| &one.objects).filter_map(Copied::object).map(|object| object.bytes).collect()
    }

    #[test]
    fn records_are_read_as_they_were_written_whatever_they_hold() {
        let inner = record_of(1, &[b"inner"]).bytes();
        let all: [&[u8]; 4] = [b"", b"two\nlines", &inner, &[0; 3_000]];
        let bytes = [record_of(7, &all).bytes(), record_of(-8, &[b"x"]).bytes()].concat();
        let found = records(&bytes);
        assert_eq!(found.iter().map(|one| one.at).collect::<Vec<_>>(), [7, -8]);
        assert_eq!(first_time(&bytes), Some(7));
        assert_eq!(texts(&bytes), [all.map(<[u8]>::to_vec).to_vec(), vec![b"x".to_vec()]].concat());
        assert!(records(b"").is_empty() && first_time(b"").is_none());
    }

    #[test]
    fn a_record_that_was_cut_off_anywhere_costs_no_other_one() {
        let (first, last) = (record_of(1, &[b"one", b"and another"]).bytes(), record_of(2, &[b"last"]).bytes());
        for length in 0..=first.len() {
            let bytes = [&first[..length], &last].concat();
            assert_eq!(texts(&bytes).last().unwrap(), b"last", "{length}");
            assert!(texts(&first[..length]).iter().all(|text| [&b"one"[..], b"and another"].contains(&&text[..])));
        }
    }

    #[test]
    fn what_has_another_name_is_taken_for_nothing() {
        let whole = record_of(1, &[b"one", b"two"]).bytes();
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            assert!(texts(&changed).iter().all(|text| [&b"one"[..], b"two"].contains(&&text[..])), "{place}");
        }
    }
}
