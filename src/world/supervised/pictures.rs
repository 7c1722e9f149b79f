//! Pictures that a person or a host sends with a prompt (A19): which files may leave this machine.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::Supervised;
use super::errors::kept;
use super::named::named;
use crate::agents;
use crate::app::error::AppError;
use crate::app::ports::Picture;
use crate::domain::agents::media::{MOST_MEDIA, MOST_SENT, Media, admitted};
use crate::domain::harmless::on_one_line;
use crate::files::folders::Folders;
use crate::ledger::SessionFolder;
use crate::sandbox::profile::{Placed, Profile};

/// Folders below the home folder with credentials, from which nothing is ever sent.
const CREDENTIALS: [&str; 17] = [
    ".ssh",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".config/chromium",
    ".config/google-chrome",
    ".config/git",
    ".docker",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".mozilla",
    ".password-store",
    ".pki",
    ".secrets",
    ".vault",
];
const HINT: &str = "git grill agent start -h says what can be sent";

impl Supervised<'_> {
    pub(super) fn admit(&self, paths: &[String]) -> Result<Vec<Picture>, AppError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        if paths.len() > MOST_MEDIA {
            return Err(refused(&format!(
                "a prompt takes at most {MOST_MEDIA} pictures, and {} were given",
                paths.len()
            )));
        }
        let opened = self.opened()?;
        let sessions = self.sessions_place()?.found()?.map(|all| all.path().to_owned());
        let roots = opened.worktree.into_iter().chain(sessions).filter_map(|root| root.canonicalize().ok()).collect();
        let admission = Admission { roots, closed: self.closed() };
        let mut pictures: Vec<Picture> = Vec::new();
        for path in paths {
            let left = MOST_SENT - pictures.iter().map(|picture| picture.bytes.len()).sum::<usize>();
            let picture = admission.picture(&self.environment.cwd, path, left);
            pictures.push(picture.map_err(|why| refused(&format!("'{}': {why}", on_one_line(path))))?);
        }
        Ok(pictures)
    }

    /// Copies them into the folder of the session before its supervisor hears of them.
    pub(super) fn keep(&self, folder: &SessionFolder, pictures: &[Picture]) -> Result<Vec<Media>, AppError> {
        for picture in pictures {
            folder.keep_media(&picture.media, &picture.bytes, self.on_disk()?).map_err(kept)?;
        }
        Ok(pictures.iter().map(|picture| picture.media.clone()).collect())
    }

    fn closed(&self) -> Vec<PathBuf> {
        let var = |name: &str| self.environment.var(name);
        let homes = [var("HOME").map(PathBuf::from), self.environment.account.home().ok().map(Path::to_owned)];
        homes.into_iter().flatten().flat_map(|home| closed_below(&home, &var)).collect()
    }
}

/// Folders from which nothing is sent, whatever lies around them: those of credentials, and those of agents.
fn closed_below(home: &Path, var: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut closed = Vec::from(CREDENTIALS.map(|folder| home.join(folder)));
    for agent in agents::with_folders() {
        let folders = Profile::Agent(Some(agent)).folders(Some(home), var);
        let is_own = |placed: &Placed| agent.folders.iter().any(|own| own.path == placed.folder.path);
        closed.extend(folders.into_iter().filter(is_own).map(|placed| placed.path));
    }
    closed.into_iter().map(|folder| folder.canonicalize().unwrap_or(folder)).collect()
}

/// Places, every link followed.
struct Admission {
    /// From which pictures are taken, without anything of git's.
    roots: Vec<PathBuf>,
    closed: Vec<PathBuf>,
}

impl Admission {
    /// A picture of at most so many bytes, or why it is none that goes anywhere.
    fn picture(&self, cwd: &Path, path: &str, left: usize) -> Result<Picture, String> {
        if path.is_empty() {
            return Err("an empty path was given".to_owned());
        }
        if path.contains("://") || path.starts_with("data:") {
            return Err("it is an address, and only files are sent".to_owned());
        }
        let real = cwd.join(path).canonicalize().map_err(|error| error.to_string())?;
        let inside = self.roots.iter().filter_map(|root| Some((root, real.strip_prefix(root).ok()?)));
        let is_of_git = |rest: &Path| rest.iter().any(|part| part.to_string_lossy().eq_ignore_ascii_case(".git"));
        let (root, rest) =
            inside.rev().find(|(_, rest)| !is_of_git(rest)).ok_or("it is not a file of this repository")?;
        if real.is_dir() {
            return Err("it is a directory".to_owned());
        }
        if self.closed.iter().any(|closed| real.starts_with(closed)) {
            return Err("it lies in a directory of credentials or of an agent's own files".to_owned());
        }
        let take = || -> std::io::Result<Vec<u8>> {
            use std::io::Read as _;
            let file = Folders::open(root)?.open_file(rest.as_os_str().as_encoded_bytes())?;
            if file.metadata()?.nlink() > 1 {
                // One of them may lie where nothing is sent from.
                return Err(std::io::Error::other("it has several names (hard links)"));
            }
            let mut bytes = Vec::new();
            file.take(left as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = take().map_err(|error| error.to_string())?;
        if bytes.len() > left {
            return Err(format!("the pictures of a prompt have at most {} MiB together", MOST_SENT / 1024 / 1024));
        }
        let measured = imagesize::blob_size(&bytes).ok().map(|size| (size.width, size.height));
        let name = rest.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let kind = admitted(&name, &bytes, measured).map_err(|why| why.to_string())?;
        let media = named(&bytes, kind).ok_or("it could not be hashed")?;
        Ok(Picture { media, path: path.to_owned(), bytes })
    }
}

fn refused(why: &str) -> AppError {
    AppError::Declined {
        code: "media_refused",
        message: format!("nothing was sent: {why}"),
        causes: Vec::new(),
        hint: HINT.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG of 64 by 32 pixels, all of them missing.
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x20\x08\x02\0\0\0";

    /// A home folder may be a repository itself.
    #[test]
    fn a19_credentials_and_agents_own_files_are_closed_in_a_repository_as_well() {
        let temp = tempfile::tempdir().unwrap();
        let home = temp.path().canonicalize().unwrap();
        let put = |path: &str| {
            let path = home.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, PNG).unwrap();
        };
        let moved = home.join("moved codex");
        let var = |name: &str| (name == "CODEX_HOME").then(|| moved.clone().into_os_string());
        std::fs::create_dir_all(home.join("real")).unwrap();
        std::os::unix::fs::symlink(home.join("real"), home.join(".aws")).unwrap();
        let closed =
            [".ssh/a.png", "real/a.png", ".config/gcloud/x/a.png", ".gnupg/a.png", ".claude/a.png", ".grok/s/a.png"];
        let closed = closed.iter().chain(&["moved codex/a.png", ".local/share/opencode/a.png", ".gemini/tmp/a.png"]);
        for path in closed.clone().chain(&["shot.png", ".codex/a.png"]) {
            put(path);
        }
        let admission = Admission { roots: vec![home.clone()], closed: closed_below(&home, &var) };
        for path in closed {
            let why = admission.picture(&home, path, MOST_SENT).unwrap_err();
            assert_eq!(why, "it lies in a directory of credentials or of an agent's own files", "{path}");
        }
        for path in ["shot.png", ".codex/a.png"] {
            assert_eq!(admission.picture(&home, path, MOST_SENT).unwrap().bytes, PNG, "{path}");
        }
        assert!(admission.picture(&home, "shot.png", PNG.len() - 1).unwrap_err().contains("10 MiB together"));
    }
}
