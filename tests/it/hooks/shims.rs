//! The shell of our hooks: what displaced hooks are given, what happens when our program is gone, and the command
//! that git 2.54 and newer runs from its configuration.

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use git_grill::hooks::{Place, Rule, arm, disarm};

use super::bench::{Bench, assert_same, executable};

/// Notes everything that a hook can see, then ends as the file `exit` says.
const WITNESS: &str = "#!/bin/sh\n\
    out=$HOME/seen-$(basename \"$0\")\n\
    { printf '%s\\n' \"$0\" \"$#\" \"$@\" \"$PWD\"; env | grep -E '^(GIT|grill)' | sort; } >\"$out\"\n\
    cat >\"$out.stdin\"\n\
    exit \"$(cat \"$HOME/exit\")\"\n";

/// A repository whose `reference-transaction`, `pre-push` and `post-rewrite` are somebody else's.
fn witnessed(bench: &Bench) -> PathBuf {
    let repo = bench.repo("a repo");
    for hook in ["reference-transaction", "pre-push", "post-rewrite"] {
        executable(&repo.join(".git/hooks").join(hook), WITNESS);
    }
    fs::write(bench.at("home/exit"), "0").unwrap();
    repo
}

/// Runs a hook file as git does: from the root, with its input on a pipe.
fn run(bench: &Bench, hook: &Path, root: &Path, args: &[&str], stdin: &[u8], git_dir: Option<&Path>) -> Output {
    let mut command = Command::new(hook);
    command.args(args).current_dir(root).env_clear().env("PATH", &bench.path).env("HOME", bench.at("home"));
    if let Some(dir) = git_dir {
        command.env("GIT_DIR", dir);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A hook need not read its input.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

fn armed(bench: &Bench, repo: &Path, rule: Rule) -> Place {
    let place = bench.place(repo);
    assert_eq!(arm(&place, bench).unwrap(), rule);
    place
}

#[test]
fn a_displaced_hook_sees_what_it_always_saw() {
    let bench = Bench::new();
    let repo = witnessed(&bench);
    let place = armed(&bench, &repo, Rule::Folder);
    // Output with nothing approved: the guard lets lines of remotes through and the displaced hook hears them.
    bench.posture("nothing");
    let zero = "0".repeat(40);
    let mut lines = format!("{zero} {zero} refs/remotes/o/%s\\n$x\n{zero} {zero} refs/remotes/").into_bytes();
    lines.extend(0x80..=0xff_u8);
    lines.push(b'\n');
    let many = format!("{zero} {zero} refs/remotes/origin/a-rather-long-branch-name\n").repeat(20_000);
    let own = place.common_dir.join("grill/hooks/reference-transaction");
    let foreign = repo.join(".git/hooks/reference-transaction");
    let seen = |hook: &Path, stdin: &[u8]| {
        let output = run(&bench, hook, &repo, &["prepared"], stdin, None);
        let seen = fs::read(bench.at("home/seen-reference-transaction")).unwrap();
        let heard = fs::read(bench.at("home/seen-reference-transaction.stdin")).unwrap();
        (output.status.code(), output.stdout, output.stderr, seen, heard)
    };
    for stdin in [lines.as_slice(), b"", many.as_bytes()] {
        let through_ours = seen(&own, stdin);
        assert_eq!(through_ours.4, stdin);
        assert!(through_ours.0 == Some(0) && through_ours.2.is_empty());
        assert_eq!(through_ours, seen(&foreign, stdin));
    }
    // Its own refusal passes through, and when ours comes first it is not asked.
    fs::write(bench.at("home/exit"), "3").unwrap();
    assert_eq!(seen(&own, b"").0, Some(3));
    fs::remove_file(bench.at("home/seen-reference-transaction")).unwrap();
    let refused = run(&bench, &own, &repo, &["prepared"], format!("{zero} {zero} HEAD\n").as_bytes(), None);
    assert_eq!(refused.status.code(), Some(1));
    assert!(!bench.at("home/seen-reference-transaction").exists());
    // Where no session is active it is simply executed.
    fs::remove_file(place.git_dir.join("grill/armed")).unwrap();
    assert_eq!(seen(&own, &lines), seen(&foreign, &lines));
}

#[test]
fn unguarded_hooks_and_their_arguments_pass_through() {
    let bench = Bench::new();
    let repo = witnessed(&bench);
    armed(&bench, &repo, Rule::Folder);
    bench.posture("nothing");
    for (hook, args) in [("post-rewrite", ["amend", "$x", "a b\nc", ""]), ("pre-push", ["origin", "u r l", "'", ""])] {
        let seen = |dir: &str, stdin: &[u8]| {
            let output = run(&bench, &repo.join(dir).join(hook), &repo, &args, stdin, Some(&repo.join(".git")));
            let seen = fs::read(bench.at("home").join(format!("seen-{hook}"))).unwrap();
            let heard = fs::read(bench.at("home").join(format!("seen-{hook}.stdin"))).unwrap();
            (output.status.code(), seen, heard)
        };
        let input = b"refs/grill/a 1 refs/grill/a 2\n";
        assert_eq!(seen(".git/grill/hooks", input), seen(".git/hooks", input), "{hook}");
    }
}

#[test]
fn a_program_that_is_gone_is_said_once_and_refuses_nothing() {
    for pretends in [None, Some("2.54.0")] {
        for taken in [false, true] {
            let bench = Bench { pretends, ..Bench::new() };
            let repo = bench.repo("gone");
            if taken {
                executable(
                    &repo.join(".git/hooks/reference-transaction"),
                    "#!/bin/sh\necho displaced >>\"$HOME/ran\"\n",
                );
            }
            let place = bench.place(&repo);
            let before = bench.snapshot();
            let _ = arm(&place, &bench).unwrap();
            let program = fs::read(&place.binary).unwrap();
            fs::remove_file(&place.binary).unwrap();
            if pretends.is_none() {
                let output = bench.try_git(&repo, &["branch", "new"]);
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(output.status.success(), "{said}");
                assert_eq!(said.matches("is gone").count(), 1, "{said}");
                assert_eq!(bench.at("home/ran").exists(), taken);
                bench.git(&repo, &["branch", "-q", "-D", "new"]);
                let _ = fs::remove_file(bench.at("home/ran"));
            } else {
                let output = configured(&bench, &place, "reference-transaction", &["prepared"], b"");
                assert_eq!(output.status.code(), Some(0));
                assert!(String::from_utf8_lossy(&output.stderr).contains("is gone"));
            }
            let mode = before[&place.binary].1;
            crate::bench::executable(&place.binary, program);
            fs::set_permissions(&place.binary, std::os::unix::fs::PermissionsExt::from_mode(mode & 0o777)).unwrap();
            let _ = disarm(&place, &bench).unwrap();
            let mut now = bench.snapshot();
            now.retain(|path, _| before.contains_key(path) || path.starts_with(repo.join(".git/grill")));
            assert_same(&now, &before, "disarmed");
        }
    }
}

/// Runs `hook.<name>.command` as git 2.54 does: through `sh -c` with the arguments appended.
fn configured(bench: &Bench, place: &Place, hook: &str, args: &[&str], stdin: &[u8]) -> Output {
    let key = format!("hook.git-grill-{hook}.command");
    let mut command = bench.try_git(&place.root, &["config", "--local", "-z", "--get", &key]).stdout;
    assert_eq!(command.pop(), Some(0));
    let script = [command.as_slice(), b" \"$@\""].concat();
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(std::ffi::OsStr::from_bytes(&script)).arg(std::ffi::OsStr::from_bytes(&command)).args(args);
    sh.current_dir(&place.root).env_clear().env("PATH", &bench.path).env("HOME", bench.at("home"));
    let mut child = sh.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn configured_hooks_are_complete_in_the_configuration() {
    let bench = Bench { pretends: Some("2.54.0.windows.1"), ..Bench::new() };
    bench.posture("interview");
    let repo = bench.repo("new\nline's \"git\" $x");
    bench.git(&repo, &["config", "core.hooksPath", ".husky/_"]);
    let before = bench.snapshot();
    let place = bench.place(&repo);
    let before_config = fs::read_to_string(repo.join(".git/config")).unwrap();
    assert_eq!(arm(&place, &bench).unwrap(), Rule::Configured);
    let config = fs::read_to_string(repo.join(".git/config")).unwrap();
    let ours = config.strip_prefix(&before_config).expect("appended");
    assert!(
        ours.starts_with("[hook \"git-grill-reference-transaction\"]\n\tevent = \"reference-transaction\"\n"),
        "{ours}"
    );
    let get = |key: &str| bench.git(&repo, &["config", "--get-all", key]);
    assert_eq!(get("hook.git-grill-reference-transaction.event"), "reference-transaction");
    assert_eq!(get("hook.git-grill-pre-push.event"), "pre-push");
    assert!(get("hook.git-grill-pre-push.command").contains(&*place.binary.to_string_lossy().replace('\'', "'\\''")));
    assert!(get("hook.git-grill-pre-push.command").ends_with("exec \"$grill_bin\" hook pre-push"));

    let zero = "0".repeat(40);
    let head = format!("{zero} {zero} HEAD\n");
    let remote = format!("{zero} {zero} refs/remotes/o/x\n");
    let code = |hook: &str, args: &[&str], stdin: &str| {
        let output = configured(&bench, &place, hook, args, stdin.as_bytes());
        (output.status.code().unwrap(), !output.stderr.is_empty())
    };
    assert_eq!(code("reference-transaction", &["prepared"], &head), (1, true));
    assert_eq!(code("reference-transaction", &["prepared"], &remote), (0, false));
    // Asked before the branch behind HEAD is known: what can be judged comes with the next question.
    assert_eq!(code("reference-transaction", &["preparing"], &head), (0, false));
    assert_eq!(code("reference-transaction", &["committed"], &head), (0, false));
    assert_eq!(code("reference-transaction", &["aborted"], "garbage"), (0, false));
    assert_eq!(code("reference-transaction", &["prepared"], "garbage"), (1, true));
    assert_eq!(code("pre-push", &["origin", "url"], "refs/heads/a 1 refs/heads/a 2\n"), (1, true));
    assert_eq!(code("pre-push", &["origin", "url"], "refs/grill/a 1 refs/grill/a 2\n"), (0, false));
    fs::remove_file(place.git_dir.join("grill/armed")).unwrap();
    assert_eq!(code("reference-transaction", &["prepared"], &head), (0, false), "no session here, no program started");
    let _ = disarm(&place, &bench).unwrap();
    let mut now = bench.snapshot();
    now.retain(|path, _| before.contains_key(path) || path.starts_with(&repo));
    assert_eq!(now.get(&repo.join(".git/config")), before.get(&repo.join(".git/config")));
    assert!(!repo.join(".git/grill").exists());
}

#[test]
fn in_doubt_about_the_git_directory_the_program_is_asked() {
    let bench = Bench::new();
    bench.posture("interview");
    let repo = bench.repo("doubt");
    let place = armed(&bench, &repo, Rule::Beside);
    let hook = place.common_dir.join("hooks/reference-transaction");
    let zero = "0".repeat(40);
    let head = format!("{zero} {zero} HEAD\n");
    let calls = bench.at("calls");
    executable(&place.binary, format!("#!/bin/sh\necho \"$@\" >>'{}'\nexit 1\n", calls.display()));
    let asked = |root: &Path, git_dir: Option<&Path>| {
        let _ = fs::remove_file(&calls);
        let output = run(&bench, &hook, root, &["prepared"], head.as_bytes(), git_dir);
        assert_eq!(calls.exists(), output.status.code() == Some(1));
        calls.exists()
    };
    assert!(asked(&repo, None));
    assert!(asked(&repo.join(".git"), Some(Path::new("."))));
    assert!(asked(&bench.at("home"), Some(&repo.join(".git"))));
    assert!(asked(&bench.at("home"), None), "no git directory here");
    let linked = bench.at("linked");
    fs::create_dir(&linked).unwrap();
    fs::write(linked.join(".git"), "gitdir: elsewhere\n").unwrap();
    assert!(asked(&linked, None), "a file, not a folder");
    assert_eq!(fs::read_to_string(&calls).unwrap(), "hook reference-transaction prepared\n");
    fs::remove_file(place.git_dir.join("grill/armed")).unwrap();
    assert!(!asked(&repo, None));
    assert!(!asked(&repo.join(".git"), Some(Path::new("."))));
    assert!(!asked(&bench.at("home"), Some(&repo.join(".git"))));
}
