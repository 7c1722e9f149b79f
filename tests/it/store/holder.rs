//! Who is named when a lock is not let go.

use std::fs::{File, read_to_string};
use std::process::{Command, id};

use git_grill::app::ports::Holder;
use git_grill::store::holder;

#[cfg(target_os = "linux")]
#[test]
fn who_took_the_lock_is_named_and_who_inherited_it_when_that_one_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.lock");
    let file = File::create(&path).unwrap();
    assert_eq!(holder::of(&path), None, "open is not held");
    file.try_lock().unwrap();
    assert_eq!(holder::of(&path).unwrap().process, id());
    drop(file);
    // A program that another test starts has every open file until it runs.
    while holder::of(&path).is_some() {
        std::thread::yield_now();
    }

    // A shell that takes the lock, leaves it to a child and ends.
    let script = r#"exec 9>"$1"; flock 9; exec sleep 60 & echo $! >"$2""#;
    let pid = dir.path().join("pid");
    assert!(Command::new("sh").args(["-c", script, "sh"]).args([&path, &pid]).status().unwrap().success());
    let process: u32 = read_to_string(&pid).unwrap().trim().parse().unwrap();
    // It is a shell still for a moment.
    let name = || read_to_string(format!("/proc/{process}/comm")).unwrap();
    while name() != "sleep\n" {
        std::thread::yield_now();
    }
    assert_eq!(holder::of(&path), Some(Holder { process, name: "sleep".to_owned() }));
    Command::new("kill").arg(process.to_string()).status().unwrap();
}
