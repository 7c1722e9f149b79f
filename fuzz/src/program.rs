//! What the `git` program answers: objects are the ones that were asked for in size and kind, ids are whole, and nothing
//! that it prints fills the memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use git_grill::git::object::{Commit, Kind, naming_of, parsed};
use git_grill::git::{Naming, Program, Repo, tree};

use super::scripted::Scripted;

const ID: &str = "ce013625030ba8dba906f756967f9e9ca394464a";

pub fn run(data: &[u8]) {
    objects(data);
    let Some((&errand, rest)) = data.split_first() else { return };
    let process = Arc::new(Scripted::new(rest));
    let naming = if errand & 1 == 0 { Naming::Sha1 } else { Naming::Sha256 };
    let program = || Program::new(process.clone(), "/nowhere".into(), "/nowhere".into(), None::<PathBuf>, naming);
    let id = parsed(ID).expect("a name");
    let repo = Repo::Program(program());
    match errand {
        b'0'..=b'4' => {
            if let Ok(Some(object)) = repo.read(id) {
                assert!(object.bytes.len() <= rest.len(), "more than was said");
            }
            let _ = repo.header(id);
        }
        b'5'..=b'7' => {
            let _ = repo.commit(id);
            let _ = repo.tree(id);
            let _ = repo.at_path(id, b"a/b");
        }
        b'8' => {
            for (name, id) in program().below("refs/grill/sessions").unwrap_or_default() {
                assert!(rest.windows(name.len()).any(|said| said == name.as_bytes()), "{name}");
                assert!(naming_of(&id.to_string()).is_some());
            }
        }
        b'9' => {
            let _ = program().symbolic(Path::new("/nowhere"), "GRILL_HEAD");
            let _ = program().tip("refs/heads/main");
        }
        _ => {
            let _ = program().gitlinks();
            let _ = repo.blob(id);
        }
    }
}

/// The bytes of objects, as whoever made a repository left them there.
fn objects(data: &[u8]) {
    let id = parsed(ID).expect("a name");
    if let Some(commit) = Commit::parse(id, data) {
        assert!(data.windows(5).any(|some| some == b"tree "), "a tree that nobody named");
        assert!(!commit.subject.contains('\n') && !commit.author.contains('\n'), "{commit:?}");
    }
    for naming in [Naming::Sha1, Naming::Sha256] {
        let Some(entries) = tree::parse(naming, data) else { continue };
        let written = tree::bytes(&entries);
        let mut again = tree::parse(naming, &written).expect("what was written is a tree");
        let mut entries = entries;
        again.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
        entries.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
        assert_eq!(again, entries);
    }
    assert_eq!(Kind::named("blob"), Some(Kind::Blob));
}
