//! Writing approved drafts: exactly their bytes, only over what was shown, never out of the repository.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use git_grill::app::ports::{TargetFiles, WriteError};
use git_grill::domain::actor::Actor;
use git_grill::domain::ids::ObjectId;
use git_grill::domain::production::{Approved, Draft, Drafted, Origin, Plan, Production, Stage, TargetPath};
use git_grill::domain::settings::{Catalogued, Destination};
use git_grill::repo::targets::WorktreeFiles;

fn blob(text: &str) -> ObjectId {
    let id = git2::Oid::hash_object(git2::ObjectType::Blob, text.as_bytes()).unwrap();
    ObjectId::parse(&id.to_string()).unwrap()
}

fn approved(path: &str, content: &str, replaces: Option<&str>) -> Approved<TargetPath> {
    approved_as(path, content, blob(content), replaces)
}

fn approved_as(path: &str, content: &str, id: ObjectId, replaces: Option<&str>) -> Approved<TargetPath> {
    let production = Production {
        plan: Plan { outputs: Vec::new(), prose: None, permitted: Vec::new() },
        selected_by: Actor::Human,
        round: 1,
        drafts: vec![Drafted {
            draft: Draft {
                target: path.parse().unwrap(),
                destination: Destination::Known(Catalogued::DesignDoc),
                blob: id,
                replaces: replaces.map(blob),
                origin: Origin::Generated,
                content: content.to_owned(),
                replaced: None,
            },
            stage: Stage::Approved { approval: Actor::Human },
        }],
        stood: Vec::new(),
    };
    production.owed_files().next().unwrap()
}

struct Tree {
    folder: tempfile::TempDir,
    files: WorktreeFiles,
}

impl Tree {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("r");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::create_dir(root.join("../outside")).unwrap();
        Self { files: WorktreeFiles::at(root), folder }
    }

    fn path(&self, below: &str) -> std::path::PathBuf {
        self.folder.path().canonicalize().unwrap().join("r").join(below)
    }

    fn text(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap()
    }

    fn read(&self, path: &str) -> std::io::Result<Option<String>> {
        self.files.read(&TargetPath::parse(path).unwrap())
    }

    /// Every file and folder, so that leftovers are seen.
    fn listing(&self) -> Vec<String> {
        fn walk(folder: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                found.push(path.display().to_string());
                if path.is_dir() && !path.is_symlink() {
                    walk(&path, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(self.folder.path(), &mut found);
        found.sort();
        found
    }

    /// The write is refused as unsafe and leaves everything as it was.
    fn refuses(&self, path: &str) -> String {
        let before = self.listing();
        let error = self.files.write(&approved(path, "evil\n", None)).unwrap_err();
        assert_eq!(before, self.listing(), "{path}: {error}");
        match error {
            WriteError::Unsafe { why, .. } => why,
            other @ (WriteError::Changed { .. }
            | WriteError::Edited { .. }
            | WriteError::Leads { .. }
            | WriteError::Io { .. }) => {
                panic!("{path}: {other}")
            }
        }
    }
}

#[test]
fn g31_a_draft_is_written_byte_for_byte_and_again_without_harm() {
    let tree = Tree::new();
    let content = "a\r\nb\u{feff}\nno end";
    let draft = approved("docs/new/deep/x.md", content, None);
    assert_eq!(tree.read("docs/new/deep/x.md").unwrap(), None);
    tree.files.write(&draft).unwrap();
    assert_eq!(tree.text("docs/new/deep/x.md"), content);
    assert_eq!(tree.read("docs/new/deep/x.md").unwrap().as_deref(), Some(content));
    let before = tree.listing();
    tree.files.write(&draft).unwrap();
    assert_eq!(before, tree.listing(), "no temporary file is left");
}

#[test]
fn g31_a_program_is_replaced_only_where_its_name_says_that_it_is_one() {
    let tree = Tree::new();
    std::fs::create_dir(tree.path("bin")).unwrap();
    // Whoever chose run.sh typed it, and was told.
    for (path, mode, is_written) in [
        ("bin/run", 0o755, false),
        ("bin/run.py", 0o654, false),
        ("bin/notes.MD", 0o755, true),
        ("bin/run.sh", 0o755, true),
        ("bin/data", 0o640, true),
    ] {
        std::fs::write(tree.path(path), "old\n").unwrap();
        std::fs::set_permissions(tree.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
        let written = tree.files.write(&approved(path, "new\n", Some("old\n")));
        assert_eq!(written.is_ok(), is_written, "{path}: {written:?}");
        assert_eq!(tree.text(path), if is_written { "new\n" } else { "old\n" }, "{path}");
        let chosen = tree.files.check_links(&TargetPath::parse(path).unwrap());
        assert_eq!(chosen.is_ok(), is_written, "{path}: {chosen:?}");
    }
}

#[test]
fn g31_only_what_was_shown_is_replaced_and_its_mode_stays() {
    let tree = Tree::new();
    std::fs::write(tree.path("run.sh"), "old\n").unwrap();
    std::fs::set_permissions(tree.path("run.sh"), std::fs::Permissions::from_mode(0o750)).unwrap();
    tree.files.write(&approved("run.sh", "new\n", Some("old\n"))).unwrap();
    assert_eq!(tree.text("run.sh"), "new\n");
    assert_eq!(tree.path("run.sh").metadata().unwrap().mode() & 0o7777, 0o750);

    std::fs::write(tree.path("run.sh"), "somebody's\n").unwrap();
    for (name, draft) in [
        ("edited", approved("run.sh", "newer\n", Some("new\n"))),
        ("appeared", approved("run.sh", "newer\n", None)),
        ("vanished", approved("gone.md", "newer\n", Some("old\n"))),
        ("vanished with its folder", approved("gone/x.md", "newer\n", Some("old\n"))),
    ] {
        let before = tree.listing();
        let error = tree.files.write(&draft).unwrap_err();
        assert!(matches!(error, WriteError::Changed { .. }), "{name}: {error}");
        assert_eq!(before, tree.listing(), "{name}");
    }
    assert_eq!(tree.text("run.sh"), "somebody's\n");
}

#[test]
fn g31_bytes_that_were_not_approved_are_not_written() {
    let tree = Tree::new();
    let error = tree.files.write(&approved_as("x.md", "other", blob("approved"), None)).unwrap_err();
    assert!(matches!(error, WriteError::Unsafe { .. }), "{error}");
    assert!(!tree.path("x.md").exists());
}

#[test]
fn g31_symlinks_never_lead_out() {
    let tree = Tree::new();
    let outside = tree.path("../outside").canonicalize().unwrap();
    std::fs::write(outside.join("secret"), "secret\n").unwrap();
    symlink(&outside, tree.path("absolute")).unwrap();
    symlink("../outside", tree.path("relative")).unwrap();
    symlink("../outside/secret", tree.path("file.md")).unwrap();
    symlink("../outside/new", tree.path("dangling.md")).unwrap();
    symlink("absolute", tree.path("twice")).unwrap();
    symlink("loop", tree.path("loop")).unwrap();
    symlink(".git", tree.path("hidden")).unwrap();
    std::fs::create_dir_all(tree.path("sub/.git")).unwrap();
    std::fs::create_dir(tree.path("folder")).unwrap();
    std::fs::write(tree.path("plain"), "").unwrap();
    for (path, why) in [
        ("absolute/x.md", "out of the repository"),
        ("relative/x.md", "out of the repository"),
        ("relative/deep/er/x.md", "out of the repository"),
        ("file.md", "out of the repository"),
        ("dangling.md", "out of the repository"),
        ("twice/x.md", "out of the repository"),
        ("loop/x.md", "circle"),
        ("hidden/hooks/pre-commit", "`.git`"),
        ("sub/x.md", "repository of its own"),
        ("folder", "a folder stands there"),
        ("plain/x.md", "no folder"),
    ] {
        let said = tree.refuses(path);
        assert!(said.contains(why), "{path}: {said}");
        assert!(tree.read(path).is_err(), "{path} must not be read either");
    }
    assert_eq!(std::fs::read_to_string(outside.join("secret")).unwrap(), "secret\n");
}

#[test]
fn a_symlink_that_stays_inside_is_followed_and_kept() {
    let tree = Tree::new();
    std::fs::create_dir_all(tree.path("docs/real")).unwrap();
    std::fs::write(tree.path("docs/real/a.md"), "old\n").unwrap();
    symlink("docs/real", tree.path("short")).unwrap();
    symlink("short/a.md", tree.path("A.md")).unwrap();
    assert_eq!(tree.read("A.md").unwrap().as_deref(), Some("old\n"));
    tree.files.write(&approved("A.md", "new\n", Some("old\n"))).unwrap();
    assert_eq!(tree.text("docs/real/a.md"), "new\n");
    assert!(tree.path("A.md").is_symlink() && tree.path("short").is_symlink());
}

#[test]
fn g53_folders_that_were_made_for_a_failed_write_are_taken_away() {
    let tree = Tree::new();
    let long = "x".repeat(300);
    for path in [format!("new/deep/{long}"), format!("new/{long}/x.md")] {
        let before = tree.listing();
        let error = tree.files.write(&approved(&path, "text\n", None)).unwrap_err();
        assert!(matches!(error, WriteError::Io { .. }), "{error}");
        assert_eq!(before, tree.listing(), "{path}");
    }
}

#[test]
fn only_ordinary_files_of_this_repository_are_listed() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new();
    std::fs::create_dir_all(tree.path("docs/adr/deeper")).unwrap();
    for name in ["0001-a.md", "0002-b.md"] {
        std::fs::write(tree.path("docs/adr").join(name), "x").unwrap();
    }
    std::fs::write(tree.path("docs/adr").join(std::ffi::OsStr::from_bytes(b"\xff.md")), "x").unwrap();
    std::fs::write(tree.path("../outside/secret.md"), "x").unwrap();
    symlink(tree.path("../outside/secret.md"), tree.path("docs/adr/0003-link.md")).unwrap();
    symlink(tree.path("../outside"), tree.path("docs/out")).unwrap();
    let names = |folder: &str| {
        let mut names = tree.files.names(&TargetPath::parse(folder).unwrap())?;
        names.sort();
        Ok::<_, std::io::Error>(names)
    };
    assert_eq!(names("docs/adr").unwrap(), ["0001-a.md", "0002-b.md"]);
    for none in ["docs/none", "none/at/all", "docs/adr/0001-a.md"] {
        assert_eq!(names(none).unwrap_or_default(), Vec::<String>::new(), "{none}");
    }
    assert!(names("docs/out").is_err() || names("docs/out").unwrap().is_empty(), "a link leads nowhere outside");
}

#[test]
fn what_is_no_text_is_not_read() {
    let tree = Tree::new();
    std::fs::write(tree.path("x.bin"), b"\xff\xfe").unwrap();
    let error = tree.read("x.bin").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    let made = Command::new("mkfifo").arg(tree.path("pipe")).status().unwrap();
    assert!(made.success());
    assert!(tree.read("pipe").is_err(), "and a pipe is not waited for");
}

/// Permissions do not hold root back, so root hands the check to nobody.
#[test]
fn g53_a_folder_that_cannot_be_written_is_an_error_and_nothing_is_left() {
    let tree = Tree::new();
    std::fs::create_dir(tree.path("locked")).unwrap();
    std::fs::write(tree.path("protected.md"), "old\n").unwrap();
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(tree.folder.path(), 0o755);
    mode(&tree.path("protected.md"), 0o444);
    if !rustix::process::geteuid().is_root() {
        mode(&tree.path("locked"), 0o555);
        check_read_only(&tree.path(""));
        mode(&tree.path("locked"), 0o755);
        return;
    }
    mode(&tree.path("locked"), 0o555);
    mode(&tree.path(""), 0o777);
    super::as_nobody("repo::targets::as_nobody", tree.folder.path(), &tree.path(""));
}

#[test]
#[ignore = "started by the test above, as another user"]
fn as_nobody() {
    check_read_only(Path::new(&std::env::var_os("GRILL_IT_FOLDER").unwrap()));
}

fn check_read_only(root: &Path) {
    let files = WorktreeFiles::at(root);
    for draft in [
        approved("locked/x.md", "new\n", None),
        approved("locked/deep/x.md", "new\n", None),
        approved("protected.md", "new\n", Some("old\n")),
    ] {
        let path = draft.target().clone();
        match files.write(&draft) {
            Err(WriteError::Io { source, .. }) => {
                assert_eq!(source.kind(), std::io::ErrorKind::PermissionDenied, "{path}");
            }
            other => panic!("{path}: {other:?}"),
        }
    }
    assert_eq!(std::fs::read_dir(root.join("locked")).unwrap().count(), 0);
    assert_eq!(std::fs::read_to_string(root.join("protected.md")).unwrap(), "old\n");
    let names: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

fn target(path: &str) -> TargetPath {
    TargetPath::parse(path).unwrap()
}

#[test]
fn g31_what_was_written_can_be_taken_back_and_nothing_else() {
    let tree = Tree::new();
    std::fs::write(tree.path("README.md"), "before\n").unwrap();
    std::fs::create_dir_all(tree.path("docs")).unwrap();
    std::fs::write(tree.path("docs/other.md"), "theirs\n").unwrap();
    tree.files.write(&approved("README.md", "after\n", Some("before\n"))).unwrap();
    tree.files.write(&approved("docs/design/deep/a.md", "new\n", None)).unwrap();
    let back = |path: &str, written: &str, before: Option<&str>| {
        let looked = tree.files.check_back(&target(path), &blob(written), before).is_ok();
        let done = tree.files.put_back(&target(path), &blob(written), before);
        assert_eq!(looked, done.is_ok(), "{path}: a look says what comes of it");
        done
    };
    // Somebody went on with it.
    std::fs::write(tree.path("docs/design/deep/a.md"), "edited\n").unwrap();
    assert!(matches!(back("docs/design/deep/a.md", "new\n", None), Err(WriteError::Changed { .. })));
    assert_eq!(std::fs::read_to_string(tree.path("docs/design/deep/a.md")).unwrap(), "edited\n");
    std::fs::write(tree.path("docs/design/deep/a.md"), "new\n").unwrap();
    // Twice is once.
    for _ in 0..2 {
        back("docs/design/deep/a.md", "new\n", None).unwrap();
        back("README.md", "after\n", Some("before\n")).unwrap();
        assert!(!tree.path("docs/design").exists(), "folders that are empty by that go as well");
        assert_eq!(std::fs::read_to_string(tree.path("docs/other.md")).unwrap(), "theirs\n");
        assert_eq!(std::fs::read_to_string(tree.path("README.md")).unwrap(), "before\n");
    }
    // A link that was put in the way leads nowhere.
    std::fs::remove_file(tree.path("README.md")).unwrap();
    std::os::unix::fs::symlink("../outside/x", tree.path("README.md")).unwrap();
    std::fs::write(tree.path("../outside/x"), "after\n").unwrap();
    assert!(back("README.md", "after\n", Some("before\n")).is_err());
    assert!(back("README.md", "after\n", None).is_err());
    assert_eq!(std::fs::read_to_string(tree.path("../outside/x")).unwrap(), "after\n");
}
