//! Files of a git directory that we read without git: loose objects, what they are borrowed from, reflogs, `packed-refs`
//! and `GRILL_HEAD`. What is read was there, whole; and what cannot be read is said, or passed over as git passes it over.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use flate2::read::ZlibDecoder;
use git_grill::git::loose;
use git_grill::git::object::{Kind, naming_of, parsed};
use git_grill::git::{Naming, Oid, Program, Repo};
use git_grill::hooks::{CliFacts, Place};
use git_grill::policy::ref_line::RefName;
use git_grill::policy::refs::RefFacts as _;
use git_grill::store::active::pointer_file;
use git_grill::store::mending::reflog::logged;

use super::scripted::Scripted;

const ID: &str = "ce013625030ba8dba906f756967f9e9ca394464a";
const REF: &str = "refs/grill/sessions/20261121-auth-k3f9q";
/// So much of an object is unpacked to hold it against; the fuzzer's inputs are short, and may be bombs.
const MOST: u64 = 1 << 20;

pub fn run(data: &[u8]) {
    let Some((&kind, rest)) = data.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let git_dir = folder.path();
    match kind {
        b'o' => object(&git_dir.join("objects"), rest),
        b'a' => borrowed(&git_dir.join("objects"), rest),
        b'l' => reflog(git_dir, rest),
        b'p' => packed(git_dir, rest),
        b'h' => pointer(git_dir, rest),
        _ => {}
    }
}

/// Bytes as the file of an object, under the name that they ask for.
fn object(objects: &Path, file: &[u8]) {
    let mut content = Vec::new();
    let mut stream = ZlibDecoder::new(file).take(MOST);
    let is_whole = stream.read_to_end(&mut content).is_ok() && (content.len() as u64) < MOST;
    let stated = is_whole.then(|| headed(&content)).flatten();
    let name = match &stated {
        Some((kind, bytes)) => git_grill::git::object::name_of(Naming::Sha1, *kind, bytes).expect("a name"),
        None => parsed(ID).expect("a name"),
    };
    let path = put(objects, name, file);
    match loose::read(objects, name) {
        Ok(Some(read)) => {
            let (kind, bytes) = stated.as_ref().expect("an object out of what is none");
            assert_eq!((read.kind, read.bytes.as_slice()), (*kind, bytes.as_slice()));
            assert_eq!(loose::header(objects, name), Ok(Some((*kind, bytes.len()))));
        }
        Ok(None) => panic!("the file is there"),
        Err(_) => drop(loose::header(objects, name)),
    }
    // Whatever stood there, what is written is there afterwards.
    if let Some((kind, bytes)) = &stated {
        assert_eq!(loose::write(objects, Naming::Sha1, *kind, bytes), Ok(name));
        let read = loose::read(objects, name).expect("it was written").expect("it was written");
        assert_eq!((read.kind, &read.bytes), (*kind, bytes), "{}", path.display());
    }
}

/// Kind and bytes behind a header that says them.
fn headed(content: &[u8]) -> Option<(Kind, Vec<u8>)> {
    let end = content.iter().position(|byte| *byte == 0)?;
    let (kind, size) = std::str::from_utf8(&content[..end]).ok()?.split_once(' ')?;
    let bytes = content[end + 1..].to_vec();
    (size.parse() == Ok(bytes.len())).then_some((Kind::named(kind)?, bytes))
}

fn put(objects: &Path, name: Oid, file: &[u8]) -> std::path::PathBuf {
    let hex = name.to_string();
    let folder = objects.join(&hex[..2]);
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(&hex[2..]);
    fs::write(&path, file).expect("a file");
    path
}

/// Folders that are borrowed from: each once, and none that is not there.
fn borrowed(objects: &Path, text: &[u8]) {
    fs::create_dir_all(objects.join("info")).expect("a folder");
    fs::create_dir_all(objects.with_file_name("other")).expect("a folder");
    fs::write(objects.join("info/alternates"), text).expect("a file");
    let found = loose::borrowed(objects);
    for (at, folder) in found.iter().enumerate() {
        assert!(folder.exists() && !found[..at].contains(folder), "{}", folder.display());
    }
}

fn reflog(git_dir: &Path, text: &[u8]) {
    let file = git_dir.join("logs").join(REF);
    fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
    fs::write(&file, text).expect("a file");
    let program =
        Program::new(Arc::new(Scripted::new(b"")), git_dir.to_owned(), git_dir.to_owned(), None, Naming::Sha1);
    for entry in logged(&Repo::Program(program), REF).expect("any bytes are a reflog") {
        let name = entry.commit.to_string();
        let is_said = text.windows(name.len()).any(|some| some.eq_ignore_ascii_case(name.as_bytes()));
        assert!(is_said && !entry.commit.is_null(), "{name}");
        assert!(!entry.said.contains('\n'), "{entry:?}");
    }
}

fn packed(git_dir: &Path, text: &[u8]) {
    fs::write(git_dir.join("packed-refs"), text).expect("a file");
    let places = [(); 3].map(|()| git_dir.to_owned());
    let [common_dir, git_dir, root] = places;
    let place = Place { common_dir, git_dir, root, binary: "git-grill".into() };
    let process = Scripted::new(b"");
    let facts = CliFacts::new(&place, &process);
    for name in [REF, "refs/heads/main"] {
        let value = facts.packed(&RefName::new(name)).expect("it can be read");
        let line = value.map(|value| format!("{value} {name}"));
        let said = String::from_utf8_lossy(text);
        assert!(line.is_none_or(|line| said.contains(&line)), "{name} out of nothing");
    }
    assert_eq!(process.given(), 0, "no program is asked");
}

fn pointer(git_dir: &Path, text: &[u8]) {
    assert!(matches!(pointer_file(git_dir), Ok(None)), "out of nothing");
    fs::write(git_dir.join("GRILL_HEAD"), text).expect("a file");
    match pointer_file(git_dir) {
        Ok(id) => {
            let id = id.expect("the file is there");
            assert!(String::from_utf8_lossy(text).contains(&id.ref_name()), "{id}");
            assert!(naming_of(id.as_str()).is_none(), "a session is no object");
        }
        Err(why) => assert!(!why.to_string().chars().any(char::is_control), "{why}"),
    }
}
