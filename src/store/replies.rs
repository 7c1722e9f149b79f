//! Replies that could not be taken, kept in the git directory. What was typed at a terminal of ours waits there until the
//! person comes back to it, and fills the editor. What came through a client or out of a run has an ending of its own and
//! fills none, since nobody knows who wrote it: it is told where it is.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::app::ports::StoreError;
use crate::domain::ids::{QuestionId, SessionId};
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;

/// The folder, in the one that a repository has for us.
const REPLIES: &str = "grill/replies";
/// Most replies of clients that are kept for one session, whatever they answer. They are counted apart, so that none of
/// them takes the place of what a person types.
const MOST_SENT: usize = 200;
/// The most bytes that are kept of a client's reply.
const LONGEST_SENT: usize = 64 * 1024;
/// What stands at the end of one that was cut.
const CUT: &str = "\n… (cut here: a longer reply of a client is not kept whole)\n";

/// Only its owner reads a reply.
const OURS: u32 = 0o600;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Typed,
    /// A client or a run sent it.
    Sent,
}

impl Origin {
    fn ending(self) -> &'static str {
        match self {
            Self::Typed => ".txt",
            Self::Sent => ".sent.txt",
        }
    }
}

fn folder(common: &Path, id: &SessionId) -> PathBuf {
    common.join(REPLIES).join(id.as_str())
}

fn file(folder: &Path, question: &QuestionId, number: u32, origin: Origin) -> PathBuf {
    folder.join(format!("{question}.{number}{}", origin.ending()))
}

fn keeping(folder: &Path) -> impl Fn(std::io::Error) -> StoreError {
    move |source| StoreError::Io { doing: format!("keeping a reply in {}", folder.display()), source }
}

fn reading(path: &Path) -> impl Fn(std::io::Error) -> StoreError {
    move |source| StoreError::Io { doing: format!("reading {}", path.display()), source }
}

/// What was typed. Replaced and taken back is only what this process wrote or brought back itself, and only while its
/// file says the same: another terminal may have told its person that their words are kept there.
#[derive(Debug, Default)]
pub struct Typed {
    /// By the question of a session: the file, and what it said.
    ours: RefCell<BTreeMap<PathBuf, (PathBuf, String)>>,
}

impl Typed {
    /// Keeps a reply; the file it was written to.
    pub fn keep(
        &self,
        common: &Path,
        id: &SessionId,
        question: &QuestionId,
        text: &str,
    ) -> Result<PathBuf, StoreError> {
        let folder = folder(common, id);
        let path = new(&folder, question, text, Origin::Typed)?;
        self.knows(&folder, question, path.clone(), text.to_owned());
        Ok(path)
    }

    /// Keeps a reply in the place of the one that is ours: whole beside it first, so that a process that is killed
    /// meanwhile leaves the old one or the new one.
    pub fn replace(
        &self,
        common: &Path,
        id: &SessionId,
        question: &QuestionId,
        text: &str,
    ) -> Result<PathBuf, StoreError> {
        let folder = folder(common, id);
        let Some(path) = self.ours(&folder, question) else {
            return self.keep(common, id, question, text);
        };
        let io = keeping(&folder);
        // Of this process alone, since another one may be at the same file.
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        fresh::replace(&path, &beside, OURS, OnDisk::First, text.as_bytes()).map_err(io)?;
        settle(&folder);
        self.knows(&folder, question, path.clone(), text.to_owned());
        Ok(path)
    }

    /// The newest kept reply, which stays where it is. Whoever it is brought back to has it in the editor: it is ours.
    pub fn kept(&self, common: &Path, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        let folder = folder(common, id);
        let Some(number) = newest(&folder, question, Origin::Typed) else {
            return Ok(None);
        };
        let path = file(&folder, question, number, Origin::Typed);
        let text = regular::text(&path, regular::LONG).map_err(reading(&path))?;
        self.knows(&folder, question, path, text.clone());
        Ok(Some(text))
    }

    /// Takes back the reply that is ours.
    pub fn take(&self, common: &Path, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        let folder = folder(common, id);
        let path = self.ours(&folder, question);
        let known = self.ours.borrow_mut().remove(&about(&folder, question));
        let (Some(path), Some((_, text))) = (path, known) else {
            return Ok(None);
        };
        fs::remove_file(&path).map_err(reading(&path))?;
        Ok(Some(text))
    }

    fn knows(&self, folder: &Path, question: &QuestionId, path: PathBuf, text: String) {
        self.ours.borrow_mut().insert(about(folder, question), (path, text));
    }

    /// The file that is ours, while it says what we know of it.
    fn ours(&self, folder: &Path, question: &QuestionId) -> Option<PathBuf> {
        let ours = self.ours.borrow();
        let (path, text) = ours.get(&about(folder, question))?;
        regular::text(path, regular::LONG).is_ok_and(|now| now == *text).then(|| path.clone())
    }
}

/// What names a question of a session.
fn about(folder: &Path, question: &QuestionId) -> PathBuf {
    folder.join(question.as_str())
}

/// Keeps a reply that came through a client or out of a run, once even if it comes several times; the file it is in.
pub fn keep_sent(common: &Path, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
    let (folder, text) = (folder(common, id), bounded(text));
    if let Some(path) = saying(&folder, question, &text) {
        return Ok(path);
    }
    if files(&folder).filter(|path| path.to_string_lossy().ends_with(Origin::Sent.ending())).count() >= MOST_SENT {
        let why = format!("{MOST_SENT} replies of clients in this session are kept already");
        return Err(keeping(&folder)(std::io::Error::other(why)));
    }
    new(&folder, question, &text, Origin::Sent)
}

/// Takes away a client's reply with this text.
pub fn drop_sent(common: &Path, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), StoreError> {
    match saying(&folder(common, id), question, &bounded(text)) {
        Some(path) => fs::remove_file(&path).map_err(reading(&path)),
        None => Ok(()),
    }
}

/// The files of clients' replies to a question, the oldest first.
pub fn sent(common: &Path, id: &SessionId, question: &QuestionId) -> Vec<PathBuf> {
    let mut sent: Vec<(u32, PathBuf)> = files(&folder(common, id))
        .filter_map(|path| Some((number(path.file_name()?.to_str()?, question, Origin::Sent)?, path)))
        .collect();
    sent.sort();
    sent.into_iter().map(|(_, path)| path).collect()
}

/// The file of a client's reply that says this.
fn saying(folder: &Path, question: &QuestionId, text: &str) -> Option<PathBuf> {
    files(folder)
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| number(name, question, Origin::Sent).is_some())
        })
        .find(|path| regular::text(path, regular::LONG).is_ok_and(|kept| kept == text))
}

/// A client's reply, cut if it is long.
fn bounded(text: &str) -> String {
    if text.len() <= LONGEST_SENT {
        return text.to_owned();
    }
    format!("{}{CUT}", &text[..text.floor_char_boundary(LONGEST_SENT)])
}

/// Keeps a text under the next number.
fn new(folder: &Path, question: &QuestionId, text: &str, origin: Origin) -> Result<PathBuf, StoreError> {
    const TRIES: usize = 100;
    let io = keeping(folder);
    fs::create_dir_all(folder).map_err(&io)?;
    let mut gone = 0;
    // No number is too high: what was typed exists nowhere else, and clients' replies are counted before.
    for number in newest(folder, question, origin).map_or(1, |last| last.saturating_add(1))..=u32::MAX {
        let path = file(folder, question, number, origin);
        match fresh::create(&path, OURS, OnDisk::First, text.as_bytes()) {
            Ok(()) => {
                settle(folder);
                return Ok(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            // Whoever ended the session took the empty folder away just now.
            Err(error) if error.kind() == ErrorKind::NotFound && gone < TRIES => {
                gone += 1;
                fs::create_dir_all(folder).map_err(&io)?;
            }
            Err(error) => {
                tidy(folder);
                return Err(io(error));
            }
        }
    }
    Err(io(std::io::Error::other(format!("no number is left for a reply to {question}"))))
}

/// Has the name of what was kept on the disk, and those of the folders that lead there, which may be as new: a text is
/// lost with its name.
fn settle(folder: &Path) {
    for above in folder.ancestors().take(4) {
        // The text is there; what a file system does not force it may still keep.
        let _ = regular::settle(above);
    }
}

/// Takes the empty folders of sessions that are over or gone away. A text that is kept in one stays.
pub(super) fn sweep(common: &Path, is_over: &dyn Fn(&SessionId) -> bool) {
    for entry in fs::read_dir(common.join(REPLIES)).into_iter().flatten().flatten() {
        let Ok(id) = SessionId::parse(&entry.file_name().to_string_lossy()) else { continue };
        if is_over(&id) {
            tidy(&entry.path());
        }
    }
}

/// Takes the folders away that nothing is kept in. They stay while something is.
fn tidy(folder: &Path) {
    if fs::remove_dir(folder).is_ok()
        && let Some(replies) = folder.parent()
    {
        let _ = fs::remove_dir(replies);
    }
}

/// What is in a folder; nothing where there is none.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// The number in the name of a file, where it is a reply to this question that came from there.
fn number(name: &str, question: &QuestionId, origin: Origin) -> Option<u32> {
    name.strip_prefix(question.as_str())?.strip_prefix('.')?.strip_suffix(origin.ending())?.parse().ok()
}

fn newest(folder: &Path, question: &QuestionId, origin: Origin) -> Option<u32> {
    files(folder).filter_map(|path| number(path.file_name()?.to_str()?, question, origin)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_taken_away_when_nothing_is_in_them() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("replies/session");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("q-def.1.txt"), "kept").unwrap();
        tidy(&folder);
        assert_eq!(fs::read_to_string(folder.join("q-def.1.txt")).unwrap(), "kept");
        fs::remove_file(folder.join("q-def.1.txt")).unwrap();
        tidy(&folder);
        assert!(!dir.path().join("replies").exists());
    }

    #[test]
    fn q15_the_end_of_a_session_takes_its_empty_folder_and_no_text() {
        let dir = tempfile::tempdir().unwrap();
        let (common, question) = (dir.path(), QuestionId::from_nonce(1));
        let [over, kept, open] = ["20261121-auth-k3f9q", "20261121-auth-k3f9r", "20261121-auth-k3f9s"]
            .map(|id| SessionId::parse(id).unwrap());
        for id in [&over, &open] {
            fs::create_dir_all(folder(common, id)).unwrap();
        }
        let text = Typed::default().keep(common, &kept, &question, "came too late").unwrap();
        sweep(common, &|id| *id != open);
        assert!(!folder(common, &over).exists() && folder(common, &open).exists());
        assert_eq!(fs::read_to_string(&text).unwrap(), "came too late");
        fs::remove_file(text).unwrap();
        sweep(common, &|_| true);
        assert!(!common.join(REPLIES).exists());
    }

    #[test]
    fn q15_what_a_client_sent_fills_no_editor_and_takes_no_typed_words_place() {
        let dir = tempfile::tempdir().unwrap();
        let id = SessionId::parse("20261121-auth-k3f9q").unwrap();
        let question = QuestionId::from_nonce(1);
        let typed = Typed::default();
        typed.keep(dir.path(), &id, &question, "half a thought").unwrap();
        let first = keep_sent(dir.path(), &id, &question, "an agent's words").unwrap();
        assert_eq!(keep_sent(dir.path(), &id, &question, "an agent's words").unwrap(), first);
        assert_eq!(Typed::default().kept(dir.path(), &id, &question).unwrap().as_deref(), Some("half a thought"));
        assert_eq!(sent(dir.path(), &id, &question), std::slice::from_ref(&first));
        let long = keep_sent(dir.path(), &id, &question, &"é".repeat(LONGEST_SENT)).unwrap();
        let kept = fs::read_to_string(&long).unwrap();
        assert!(kept.ends_with(CUT) && kept.len() <= LONGEST_SENT + CUT.len(), "{}", kept.len());
        let other = QuestionId::from_nonce(2);
        for at in 2..MOST_SENT {
            fs::write(folder(dir.path(), &id).join(format!("{other}.{at}.sent.txt")), at.to_string()).unwrap();
        }
        assert!(keep_sent(dir.path(), &id, &QuestionId::from_nonce(3), "one more").is_err());
        typed.keep(dir.path(), &id, &question, "what a person types is kept all the same").unwrap();
        drop_sent(dir.path(), &id, &question, "an agent's words").unwrap();
        assert_eq!(sent(dir.path(), &id, &question), [long]);
    }

    #[test]
    fn q15_what_is_typed_is_kept_however_many_replies_are_kept_already() {
        let dir = tempfile::tempdir().unwrap();
        let (common, id) = (dir.path(), SessionId::parse("20261121-auth-k3f9q").unwrap());
        let question = QuestionId::from_nonce(1);
        fs::create_dir_all(folder(common, &id)).unwrap();
        for number in [999, 1_000, 200_000] {
            fs::write(file(&folder(common, &id), &question, number, Origin::Typed), "earlier").unwrap();
            let kept = Typed::default().keep(common, &id, &question, "one more").unwrap();
            assert_eq!(fs::read_to_string(kept).unwrap(), "one more");
        }
    }

    #[test]
    fn q15_words_that_another_terminal_kept_are_neither_replaced_nor_taken() {
        let dir = tempfile::tempdir().unwrap();
        let (common, id) = (dir.path(), SessionId::parse("20261121-auth-k3f9q").unwrap());
        let question = QuestionId::from_nonce(1);
        let (one, other) = (Typed::default(), Typed::default());
        let mine = one.replace(common, &id, &question, "mine").unwrap();
        let theirs = other.replace(common, &id, &question, "theirs").unwrap();
        assert_ne!(mine, theirs);
        assert_eq!(one.replace(common, &id, &question, "mine, and more").unwrap(), mine);
        assert_eq!(one.take(common, &id, &question).unwrap().as_deref(), Some("mine, and more"));
        assert_eq!(one.take(common, &id, &question).unwrap(), None);
        // Brought back here, and changed there.
        assert_eq!(one.kept(common, &id, &question).unwrap().as_deref(), Some("theirs"));
        other.replace(common, &id, &question, "theirs, and more").unwrap();
        assert_eq!(one.take(common, &id, &question).unwrap(), None);
        one.replace(common, &id, &question, "another text of mine").unwrap();
        assert_eq!(fs::read_to_string(theirs).unwrap(), "theirs, and more");
    }
}
