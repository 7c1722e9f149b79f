//! Session logs of a run: which files they are, and whose project they belong to.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::files;
use crate::agents::files::{Log, Project};

/// How much of a first line is read.
const FIRST_LINE: u64 = 64 * 1024;
/// How much is read for the first entry that says where a conversation was begun; a prompt with pictures may stand before.
const FIRST_ENTRIES: u64 = 16 << 20;
/// The file that says which project a folder belongs to.
const ROOT_FILE: &str = ".project_root";

/// The files below `upper` that are logs of `project`, as the names on their way. `below` is what they come back to: a
/// folder that belongs to another project there belongs to it, whatever a run says.
pub(super) fn found(upper: &OwnedFd, below: &OwnedFd, log: &Log, project: &str) -> Vec<Vec<OsString>> {
    let own = log.project.folder(project);
    let parts: Vec<&str> = log.path.split('/').map(|part| if part == "{project}" { "" } else { part }).collect();
    let mut ways = Vec::new();
    walk(upper, &parts, own.as_deref(), &mut Vec::new(), &mut ways);
    ways.retain(|way| match log.project {
        // Two projects can have one folder there: `/a/b-c` and `/a/b/c`.
        Project::Hyphens => entries_say(upper, below, way, project),
        Project::Fenced | Project::Percent => true,
        Project::FirstLine => first_lines_say(upper, below, way, project),
        Project::RootFile => root_file_says(upper, below, way, project),
    });
    ways
}

fn walk(folder: &OwnedFd, parts: &[&str], own: Option<&str>, way: &mut Vec<OsString>, ways: &mut Vec<Vec<OsString>>) {
    let Some((part, rest)) = parts.split_first() else {
        return;
    };
    let mut names = match (*part, own) {
        ("", Some(own)) => vec![OsString::from(own)],
        ("", None) => Vec::new(),
        _ => files::names(folder).unwrap_or_default(),
    };
    names.retain(|name| part.is_empty() || fits(part.as_bytes(), name.as_bytes()));
    names.sort();
    for name in names {
        way.push(name.clone());
        if rest.is_empty() {
            ways.push(way.clone());
        } else if let Ok(inner) = files::folder_in(folder, &name) {
            walk(&inner, rest, own, way, ways);
        }
        way.pop();
    }
}

/// Whether a name fits a pattern, in which a star stands for any bytes.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).any(|skipped| fits(rest, &name[skipped..])),
        Some((first, rest)) => name.split_first().is_some_and(|(byte, after)| byte == first && fits(rest, after)),
    }
}

pub(super) fn open(root: &OwnedFd, way: &[OsString]) -> io::Result<Option<(File, rustix::fs::Stat)>> {
    let Some((name, folders)) = way.split_last() else {
        return Ok(None);
    };
    let mut folder = root.try_clone()?;
    for part in folders {
        folder = match files::folder_in(&folder, part) {
            Ok(inner) => inner,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
    }
    files::file_in(&folder, name)
}

/// Whether the log, and the one that it would replace, began in this project.
fn first_lines_say(upper: &OwnedFd, below: &OwnedFd, way: &[OsString], project: &str) -> bool {
    let says = |file: File| {
        let mut line = String::new();
        BufReader::new(file.take(FIRST_LINE)).read_line(&mut line).is_ok()
            && serde_json::from_str::<serde_json::Value>(&line)
                .is_ok_and(|value| value["payload"]["cwd"].as_str() == Some(project))
    };
    let new = open(upper, way).ok().flatten().is_some_and(|(file, _)| says(file));
    let old = open(below, way).map(|old| old.is_none_or(|(file, _)| says(file)));
    new && old.unwrap_or(false)
}

/// Whether the log, and the one that it would replace, is a conversation of the name that its file has, held in this
/// project.
fn entries_say(upper: &OwnedFd, below: &OwnedFd, way: &[OsString], project: &str) -> bool {
    let Some(conversation) = way.last().and_then(|name| name.to_str()?.strip_suffix(".jsonl")) else { return false };
    let says = |file: File| conversation_of(file, conversation).is_some_and(|at| Path::new(&at).starts_with(project));
    let new = open(upper, way).ok().flatten().is_some_and(|(file, _)| says(file));
    let old = open(below, way).map(|old| old.is_none_or(|(file, _)| says(file)));
    new && old.unwrap_or(false)
}

/// The folder in which a conversation of this name was begun, by the first of its entries that has one. Those of a helper
/// have the name of the conversation that it helps.
fn conversation_of(file: File, name: &str) -> Option<String> {
    let helper = name.starts_with("agent-");
    if !helper && !is_random(name) {
        return None;
    }
    for line in BufReader::new(file.take(FIRST_ENTRIES)).lines() {
        let entry: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&line.ok()?).ok()?;
        let session = entry.get("sessionId").and_then(serde_json::Value::as_str);
        if !helper && session.is_some_and(|session| session != name) {
            return None;
        }
        if let Some(at) = entry.get("cwd") {
            return at.as_str().filter(|_| session.is_some()).map(str::to_owned);
        }
    }
    None
}

/// Whether a name is an identifier made of 32 digits, such as `017d9537-1b43-4cba-99d9-58e9e0f5e7c4`.
fn is_random(name: &str) -> bool {
    let lengths = name.split('-').map(str::len).collect::<Vec<_>>();
    lengths == [8, 4, 4, 4, 12] && name.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Whether the folder two levels down is this project's: what is below decides, if it says anything.
fn root_file_says(upper: &OwnedFd, below: &OwnedFd, way: &[OsString], project: &str) -> bool {
    let Some(folder) = way.get(..2) else {
        return false;
    };
    let mark: Vec<OsString> = folder.iter().cloned().chain([OsString::from(ROOT_FILE)]).collect();
    let read = |root: &OwnedFd| {
        let (file, _) = open(root, &mark).ok().flatten()?;
        files::bytes(file, FIRST_LINE).ok().flatten()
    };
    let says = read(below).or_else(|| read(upper));
    says.is_some_and(|bytes| OsStr::from_bytes(bytes.trim_ascii_end()) == OsStr::new(project))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn ways(root: &Path, path: &'static str, project: Project) -> Vec<String> {
        let (upper, below) = (files::folder(&root.join("upper")).unwrap(), files::folder(&root.join("below")).unwrap());
        let found = found(&upper, &below, &Log { path, project }, "/home/ada/p");
        found.into_iter().map(|way| way.join(OsStr::new("/")).into_string().unwrap()).collect()
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn stars_stand_for_parts_of_names() {
        for (pattern, name, expected) in [
            ("*.jsonl", "a.jsonl", true),
            ("*.jsonl", "a.json", false),
            ("rollout-*.jsonl", "rollout-.jsonl", true),
            ("rollout-*.jsonl", "xrollout-1.jsonl", false),
            ("*", "", true),
            ("*.json*", "x.json.bak", true),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn logs_of_other_projects_are_none_of_this_run_s() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        fs::create_dir(root.join("below")).unwrap();
        let [one, two, three] = ["01", "02", "03"].map(|end| format!("017d9537-1b43-4cba-99d9-58e9e0f5e7{end}"));
        let entries = |name: &str, at: &str| {
            format!("{{\"sessionId\":\"{name}\"}}\n{{\"sessionId\":\"{name}\",\"cwd\":\"{at}\"}}\nhalf")
        };
        let log = |name: &str| root.join(format!("upper/projects/-home-ada-p/{name}"));
        write(&log(&format!("{one}.jsonl")), &entries(&one, "/home/ada/p/in"));
        write(&log("agent-a1.jsonl"), &entries(&one, "/home/ada/p"));
        write(&log(&format!("{one}.txt")), &entries(&one, "/home/ada/p"));
        // Of no conversation, of another one, of a project whose folder has this name too, and of none.
        write(&log("planted.jsonl"), &entries("planted", "/home/ada/p"));
        write(&log(&format!("{two}.jsonl")), &entries(&one, "/home/ada/p"));
        write(&log("017d9537-1b43-4cba-99d9-58e9e0f5e7aa.jsonl"), "{}\n");
        write(&log("017d9537-1b43-4cba-99d9-58e9e0f5e7ab.jsonl"), "words\n");
        let other = "017d9537-1b43-4cba-99d9-58e9e0f5e7ac";
        write(&log(&format!("{other}.jsonl")), &entries(other, "/home/ada-p"));
        write(&log(&format!("{three}.jsonl")), &entries(&three, "/home/ada/p"));
        write(&root.join(format!("below/projects/-home-ada-p/{three}.jsonl")), &entries(&three, "/home/ada-p"));
        write(&root.join(format!("upper/projects/-home-ada-other/{two}.jsonl")), &entries(&two, "/home/ada/p"));
        std::os::unix::fs::symlink("-home-ada-other", root.join("upper/projects/link")).unwrap();
        let claude = ways(root, "projects/{project}/*.jsonl", Project::Hyphens);
        let kept = [format!("projects/-home-ada-p/{one}.jsonl"), "projects/-home-ada-p/agent-a1.jsonl".to_owned()];
        assert_eq!(claude, kept);

        write(&root.join("upper/s/a"), "{\"payload\":{\"cwd\":\"/home/ada/p\"}}\nmore\n");
        write(&root.join("upper/s/b"), "{\"payload\":{\"cwd\":\"/home/ada/other\"}}\n");
        write(&root.join("upper/s/c"), "{\"payload\":{\"cwd\":\"/home/ada/p\"}}\n");
        write(&root.join("below/s/c"), "{\"payload\":{\"cwd\":\"/home/ada/other\"}}\n");
        assert_eq!(ways(root, "s/*", Project::FirstLine), ["s/a"]);

        for (slug, above, under) in
            [("p", "/home/ada/p\n", None), ("q", "/home/ada/p", Some("/home/ada/q")), ("r", "/", None)]
        {
            write(&root.join(format!("upper/tmp/{slug}/.project_root")), above);
            write(&root.join(format!("upper/tmp/{slug}/chats/1")), "");
            if let Some(under) = under {
                write(&root.join(format!("below/tmp/{slug}/.project_root")), under);
            }
        }
        assert_eq!(ways(root, "tmp/*/chats/*", Project::RootFile), ["tmp/p/chats/1"]);
    }
}
