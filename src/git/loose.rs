//! Objects as files of their own, read and written without git's library.
//!
//! The library reads one that was cut off (a machine that lost its power leaves such) for ever, and takes any that has the
//! right name for written. It also looks through the folder of packs before each object it writes. Here a file counts as
//! an object if it holds all of it, and is written anew if it does not; an object that lies in a pack as well is in
//! nobody's way, and `git gc` removes it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use flate2::{Compression, Decompress, FlushDecompress, Status, write::ZlibEncoder};

use super::error::Error;
use super::forced::is_forced;
use super::object::{Kind, Object, name_of};
use super::{Naming, Oid};
use crate::files::fresh::Fresh;
use crate::files::regular;

/// Numbers the files of one process.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// How often a folder is made that `git gc` takes away while it is empty.
const TRIES: u32 = 100;
/// No header is longer: a word, a blank, twenty digits, a zero.
const LONGEST_HEADER: usize = 32;
/// So much of a file is read for its header: packed, that may be longer than as text.
const FIRST_PART: usize = 256;

thread_local! {
    /// What packs objects: to make it anew takes as long as to pack a small one.
    static PACKER: RefCell<ZlibEncoder<Vec<u8>>> = RefCell::new(ZlibEncoder::new(Vec::new(), Compression::fast()));
}

/// The object of that name, if it is a file in this folder of objects; an error when the file does not hold it.
pub fn read(objects: &Path, name: Oid) -> Result<Option<Object>, Error> {
    let Some(bytes) = if_there(name, regular::bytes(path_of(objects, name), regular::LONG))? else { return Ok(None) };
    let object = unpacked(&bytes).ok_or_else(|| damaged(name, "is cut off or damaged"))?;
    if name_of(name.kind(), object.kind, &object.bytes)? == name {
        Ok(Some(object))
    } else {
        Err(damaged(name, "holds something else"))
    }
}

/// Kind and size of the object of that name as its file says, if it is a file in this folder of objects. What follows is
/// not read, however large it is.
pub fn header(objects: &Path, name: Oid) -> Result<Option<(Kind, usize)>, Error> {
    let mut start = Vec::with_capacity(FIRST_PART);
    let part = u64::try_from(FIRST_PART).unwrap_or(u64::MAX);
    let read = regular::open(path_of(objects, name)).and_then(|file| file.take(part).read_to_end(&mut start));
    if if_there(name, read)?.is_none() {
        return Ok(None);
    }
    let mut text = [0; LONGEST_HEADER];
    let mut stream = Decompress::new(true);
    let unpacked = stream.decompress(&start, &mut text, FlushDecompress::None);
    let header = unpacked.ok().and_then(|_| header_of(text.get(..usize::try_from(stream.total_out()).ok()?)?));
    let (kind, _, size) = header.ok_or_else(|| damaged(name, "is cut off or damaged"))?;
    Ok(Some((kind, size)))
}

/// What was read of an object's file; none where there is no such file.
fn if_there<T>(name: Oid, read: io::Result<T>) -> Result<Option<T>, Error> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Error(format!("the object {name} cannot be read: {error}"))),
    }
}

fn damaged(name: Oid, what: &str) -> Error {
    Error(format!("the file of object {name} {what}"))
}

/// The folders of objects that a folder of objects borrows from, one after the other.
pub fn borrowed(objects: &Path) -> Vec<PathBuf> {
    let mut found = vec![objects.to_owned()];
    let mut next = 0;
    while let Some(from) = found.get(next).cloned() {
        let text = regular::text(from.join("info/alternates"), regular::LONG).unwrap_or_default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            // What is not there lends nothing.
            if let Ok(folder) = from.join(line).canonicalize()
                && !found.contains(&folder)
            {
                found.push(folder);
            }
        }
        next += 1;
    }
    found.split_off(1)
}

/// Writes an object into this folder of objects, unless it is there.
pub fn write(objects: &Path, naming: Naming, kind: Kind, bytes: &[u8]) -> Result<Oid, Error> {
    let name = name_of(naming, kind, bytes)?;
    let failed = |error: io::Error| Error(format!("the object {name} could not be written: {error}"));
    let path = path_of(objects, name);
    let forced = is_forced();
    let is_there = matches!(read(objects, name), Ok(Some(_)));
    // One that nobody names may be old enough for `git gc` to take it.
    if is_there && freshen(&path, forced).is_ok() {
        return Ok(name);
    }
    let mut tries = 0;
    loop {
        match put(&path, kind, bytes, forced) {
            // Its folder is not there yet, or `git gc` found it empty and took it away.
            Err(error) if error.kind() == ErrorKind::NotFound && tries < TRIES => {
                tries += 1;
                make_folder(objects, &path).map_err(failed)?;
            }
            done => break done.map_err(failed)?,
        }
    }
    settle(objects, [name]).map_err(failed)?;
    Ok(name)
}

/// Takes the file of that name away if it does not hold the object: git takes any that is there for written.
pub fn make_way(objects: &Path, name: Oid) -> io::Result<()> {
    let path = path_of(objects, name);
    match regular::bytes(&path, regular::LONG) {
        Ok(bytes) if !unpacked(&bytes).is_some_and(|object| is_named(&object, name)) => fs::remove_file(path),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn is_named(object: &Object, name: Oid) -> bool {
    name_of(name.kind(), object.kind, &object.bytes).is_ok_and(|named| named == name)
}

/// Has the names of these objects on the disk, where what is written is to be: git forces their files alone.
pub fn settle(objects: &Path, names: impl IntoIterator<Item = Oid>) -> io::Result<()> {
    if !is_forced() {
        return Ok(());
    }
    let paths = names.into_iter().map(|name| path_of(objects, name));
    let mut folders: BTreeSet<PathBuf> = paths.filter_map(|path| path.parent().map(Path::to_owned)).collect();
    folders.insert(objects.to_owned());
    // One that is not there holds nothing: its objects are in a pack.
    folders.iter().filter(|folder| folder.is_dir()).try_for_each(regular::settle)
}

fn freshen(path: &Path, forced: bool) -> io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "how old a file is for git gc is no fact of the session")]
    let now = SystemTime::now();
    let file = regular::open(path)?;
    file.set_modified(now)?;
    if forced { file.sync_all() } else { Ok(()) }
}

fn put(path: &Path, kind: Kind, bytes: &[u8], forced: bool) -> io::Result<()> {
    // As git calls its own, so that `git prune` knows what it is if we die.
    let unfinished =
        path.with_file_name(format!("tmp_obj_grill_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
    let (mut file, mut fresh) = Fresh::make(&unfinished, 0o444)?;
    file.write_all(&packed(kind, bytes)?)?;
    if forced {
        file.sync_all()?;
    }
    fresh.place(path)
}

fn packed(kind: Kind, bytes: &[u8]) -> io::Result<Vec<u8>> {
    PACKER.with_borrow_mut(|stream| {
        // What was left there by a write that failed goes with the vector.
        drop(stream.reset(Vec::with_capacity(bytes.len() / 2 + 64))?);
        stream.write_all(format!("{} {}\0", kind.word(), bytes.len()).as_bytes())?;
        stream.write_all(bytes)?;
        stream.reset(Vec::new())
    })
}

/// Makes the folder of an object, shared with whom the folder of all objects is shared with.
fn make_folder(objects: &Path, path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    let make = || {
        DirBuilder::new().mode(0o777).create(folder)?;
        let (ours, all) = (fs::metadata(folder)?.permissions().mode(), fs::metadata(objects)?.permissions().mode());
        let shared = ours | (all & 0o2070);
        if shared == ours { Ok(()) } else { fs::set_permissions(folder, Permissions::from_mode(shared)) }
    };
    match make() {
        // Somebody else made it; or it was empty and is gone again, and is made once more.
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) && objects.is_dir() => {
            Ok(())
        }
        other => other,
    }
}

/// The file of the object of that name, in this folder of objects.
pub(super) fn path_of(objects: &Path, name: Oid) -> PathBuf {
    let hex = name.to_string();
    objects.join(&hex[..2]).join(&hex[2..])
}

/// The object in the bytes of a file; none unless they hold all of one, and nothing else.
fn unpacked(file: &[u8]) -> Option<Object> {
    let mut stream = Decompress::new(true);
    let mut bytes = Vec::with_capacity(file.len().saturating_mul(3).max(256));
    let mut header: Option<(Kind, usize, usize)> = None;
    loop {
        let seen = usize::try_from(stream.total_in()).ok()?;
        let had = bytes.len();
        let status = stream.decompress_vec(file.get(seen..)?, &mut bytes, FlushDecompress::None).ok()?;
        if header.is_none() && (bytes.len() >= LONGEST_HEADER || status == Status::StreamEnd) {
            header = Some(header_of(&bytes)?);
        }
        // More than it says it holds is not unpacked any further.
        if header.is_some_and(|(_, start, size)| bytes.len() > start.saturating_add(size)) {
            return None;
        }
        match status {
            Status::StreamEnd => break,
            Status::Ok | Status::BufError => {
                let moved = bytes.len() > had || usize::try_from(stream.total_in()).ok()? > seen;
                if bytes.len() == bytes.capacity() {
                    bytes.reserve(bytes.len());
                } else if !moved {
                    return None;
                }
            }
        }
    }
    let (kind, start, size) = header?;
    let is_whole = bytes.len() == start + size && stream.total_in() == file.len() as u64;
    is_whole.then(|| Object { kind, bytes: bytes.split_off(start) })
}

/// Kind, length of the header, and size of the content.
fn header_of(bytes: &[u8]) -> Option<(Kind, usize, usize)> {
    let end = bytes.iter().take(LONGEST_HEADER).position(|byte| *byte == 0)?;
    let (kind, size) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
    let size = size.bytes().all(|digit| digit.is_ascii_digit()).then(|| size.parse().ok())??;
    Some((Kind::named(kind)?, end + 1, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn write_in(dir: &tempfile::TempDir, bytes: &[u8]) -> Oid {
        write(dir.path(), Naming::Sha1, Kind::Blob, bytes).unwrap()
    }

    fn is(dir: &tempfile::TempDir, name: Oid, bytes: &[u8]) -> bool {
        read(dir.path(), name).unwrap() == Some(Object { kind: Kind::Blob, bytes: bytes.to_vec() })
    }

    #[test]
    fn what_is_written_is_read_by_us_and_by_the_library() {
        let dir = tempfile::tempdir().unwrap();
        let library = git2::Repository::init_bare(dir.path()).unwrap();
        let objects = dir.path().join("objects");
        let long: Vec<u8> = (0..100_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for bytes in [&b""[..], b"x", &vec![0; 100_000], &long] {
            let name = write(&objects, Naming::Sha1, Kind::Blob, bytes).unwrap();
            assert_eq!(read(&objects, name).unwrap().unwrap().bytes, bytes);
            assert_eq!(header(&objects, name).unwrap(), Some((Kind::Blob, bytes.len())));
            let theirs = git2::Oid::from_bytes(name.as_slice()).unwrap();
            assert_eq!(library.find_blob(theirs).unwrap().content(), bytes);
            let mode = fs::metadata(path_of(&objects, name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o222, 0, "{mode:o}");
        }
        let theirs = library.blob(b"the library's").unwrap();
        let name = Oid::try_from(theirs.as_bytes()).unwrap();
        assert_eq!(read(&objects, name).unwrap().unwrap().bytes, b"the library's");
    }

    #[test]
    fn an_object_that_is_cut_off_anywhere_is_damaged_and_written_again() {
        let dir = objects();
        for content in [&b"short"[..], &b"long ".repeat(3_000)] {
            let name = write_in(&dir, content);
            let path = path_of(dir.path(), name);
            let whole = fs::read(&path).unwrap();
            for length in 0..whole.len() {
                fs::remove_file(&path).unwrap();
                fs::write(&path, &whole[..length]).unwrap();
                let error = read(dir.path(), name).unwrap_err();
                assert!(error.0.contains("cut off"), "{length}: {error}");
            }
            let more = [whole.as_slice(), b"x"].concat();
            fs::write(&path, more).unwrap();
            assert!(read(dir.path(), name).is_err());
            write_in(&dir, content);
            assert!(is(&dir, name, content));
        }
    }

    #[test]
    fn bytes_under_anothers_name_and_bytes_that_are_no_object_are_said() {
        let dir = objects();
        let (one, other) = (write_in(&dir, b"one"), write_in(&dir, b"other"));
        fs::remove_file(path_of(dir.path(), one)).unwrap();
        fs::copy(path_of(dir.path(), other), path_of(dir.path(), one)).unwrap();
        assert!(read(dir.path(), one).unwrap_err().0.contains("something else"));
        let zlib = |text: &[u8]| {
            let mut stream = ZlibEncoder::new(Vec::new(), Compression::best());
            stream.write_all(text).unwrap();
            stream.finish().unwrap()
        };
        let bomb = [b"blob 5\0".as_slice(), &vec![0; 10_000_000]].concat();
        for text in [&b""[..], b"blob", b"blob 3\0on", b"blob x\0", b"blob +3\0one", b"blub 3\0one", &bomb] {
            assert_eq!(unpacked(&zlib(text)), None);
        }
        assert!(unpacked(&zlib(b"blob 3\0one")).is_some());
        assert_eq!(read(dir.path(), name_of(Naming::Sha1, Kind::Blob, b"never").unwrap()).unwrap(), None);
    }

    #[test]
    fn who_dies_leaves_nothing_in_the_way_and_what_is_there_is_made_young() {
        let dir = objects();
        let name = write_in(&dir, b"old");
        let path = path_of(dir.path(), name);
        regular::open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        write_in(&dir, b"old");
        assert!(fs::metadata(&path).unwrap().modified().unwrap() > SystemTime::UNIX_EPOCH);
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_folder_of_objects_is_shared_as_all_of_them_are() {
        let dir = objects();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o2770)).unwrap();
        let name = write_in(&dir, b"shared");
        let mode = fs::metadata(path_of(dir.path(), name).parent().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o2070, 0o2070, "{mode:o}");
    }

    #[test]
    fn what_is_borrowed_may_be_borrowed_and_goes_round_once() {
        let dir = objects();
        let root = dir.path().canonicalize().unwrap();
        let of = |name: &str| root.join(name);
        for (name, lines) in [("a", "# x\n../b\n"), ("b", "../c\n../a\n"), ("c", "../b\n/nowhere\n")] {
            fs::create_dir_all(of(name).join("info")).unwrap();
            fs::write(of(name).join("info/alternates"), lines).unwrap();
        }
        assert_eq!(borrowed(&of("a")), [of("b"), of("c")]);
        assert!(borrowed(&of("none")).is_empty());
    }
}
