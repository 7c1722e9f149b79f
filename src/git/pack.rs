//! Objects as one pack, so that a single `git unpack-objects` writes them all. Nothing is compressed here: git does that
//! when it takes the pack apart.

use super::error::Error;
use super::object::{Kind, Object};
use super::{Naming, Oid};

/// The most bytes that one stored block of a zlib stream holds.
const BLOCK: usize = 0xffff;
/// The modulus of a zlib stream's checksum.
const MODULUS: u32 = 65_521;

pub(super) fn pack<'a>(naming: Naming, objects: impl ExactSizeIterator<Item = &'a Object>) -> Result<Vec<u8>, Error> {
    let count = u32::try_from(objects.len()).map_err(|_| Error::new("too many objects for one pack"))?;
    let mut bytes = b"PACK\0\0\0\x02".to_vec();
    bytes.extend(count.to_be_bytes());
    for object in objects {
        head(object, &mut bytes);
        stored(&object.bytes, &mut bytes);
    }
    let trailer = sum(naming, &bytes)?;
    bytes.extend_from_slice(trailer.as_slice());
    Ok(bytes)
}

fn sum(naming: Naming, bytes: &[u8]) -> Result<Oid, Error> {
    let mut hasher = gix_hash::hasher(naming);
    hasher.update(bytes);
    hasher.try_finalize().map_err(|error| Error(error.to_string()))
}

/// Kind and size: four bits of the size beside the kind, seven in each byte after it.
fn head(object: &Object, bytes: &mut Vec<u8>) {
    let kind: u8 = match object.kind {
        Kind::Commit => 1,
        Kind::Tree => 2,
        Kind::Blob => 3,
        Kind::Tag => 4,
    };
    let low = |size: usize, mask: usize| u8::try_from(size & mask).unwrap_or(0);
    let mut size = object.bytes.len();
    let mut byte = (kind << 4) | low(size, 0x0f);
    size >>= 4;
    while size > 0 {
        bytes.push(byte | 0x80);
        byte = low(size, 0x7f);
        size >>= 7;
    }
    bytes.push(byte);
}

/// A zlib stream that holds the content as it is.
fn stored(content: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend([0x78, 0x01]);
    let mut rest = content;
    loop {
        let (block, after) = rest.split_at(rest.len().min(BLOCK));
        bytes.push(u8::from(after.is_empty()));
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        bytes.extend(length.to_le_bytes());
        bytes.extend((!length).to_le_bytes());
        bytes.extend_from_slice(block);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    bytes.extend(adler(content).to_be_bytes());
}

fn adler(content: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    // So many bytes can be summed before the sums outgrow their 32 bits.
    for some in content.chunks(5_552) {
        for byte in some {
            a += u32::from(*byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    (b << 16) | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_zlibs() {
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(adler(b""), 1);
        assert_eq!(adler(&[0xff; 6_000]), 0xa497_59ea, "longer than one sum may be");
    }

    #[test]
    fn sizes_go_into_as_many_bytes_as_they_need() {
        let of = |size: usize| {
            let mut bytes = Vec::new();
            head(&Object { kind: Kind::Blob, bytes: vec![0; size] }, &mut bytes);
            bytes
        };
        assert_eq!(of(0), [0x30]);
        assert_eq!(of(15), [0x3f]);
        assert_eq!(of(16), [0xb0, 0x01]);
        assert_eq!(of(4_096), [0xb0, 0x80, 0x02]);
    }
}
