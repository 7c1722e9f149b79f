//! A yes is for what was shown: what moved between the list and the yes is not touched, and the same command shows it
//! as it is now.

use super::{named, start, unhooked};
use crate::bench::Bench;
use crate::conversation::Sitting;

/// What somebody does after the list was shown, which spot that is, and how the file that is at stake reads then.
const MEANWHILE: [(&str, &str, (&str, &str)); 5] = [
    ("echo 'two, and mine' >README.md", "README.md", ("README.md", "two, and mine\n")),
    ("chmod 600 new.txt; echo more >>new.txt", "new.txt", ("new.txt", "n\nmore\n")),
    ("rm new.txt; mkdir new.txt; echo precious >new.txt/in", "new.txt", ("new.txt/in", "precious\n")),
    ("rm README.md; mkdir README.md; echo precious >README.md/in", "README.md", ("README.md/in", "precious\n")),
    ("git branch -f topic $(git commit-tree -m two HEAD^{tree})", "refs/heads/topic", ("new.txt", "n\n")),
];

#[test]
fn g38_a_yes_is_for_what_was_shown() {
    for (deed, spot, (path, text)) in MEANWHILE {
        let bench = Bench::new();
        bench.run("git branch topic").assert_code(0);
        start(&bench);
        bench.write("README.md", "one\n");
        bench.write("new.txt", "n\n");
        unhooked(&bench, "git branch -f topic $(git commit-tree -m one HEAD^{tree})").assert_code(0);
        let mut sitting = Sitting::of_a_line(&bench, "git --no-pager grill verify --restore");
        sitting.below("Move branch topic back from", "[y/n]");
        unhooked(&bench, deed).assert_code(0);
        let then = bench.run("git rev-parse topic; git status --short").assert_code(0).stdout().to_owned();
        sitting.pty.send("y");
        let (code, screen) = sitting.end();
        assert_eq!(code, 4, "{deed}: {screen}");
        assert!(screen.contains(&format!("{spot} changed meanwhile")), "{deed}: {screen}");
        assert_eq!(bench.read(path), text, "{deed}");
        bench.run("git rev-parse topic; git status --short").assert_stdout(&then);
        // Shown as it is now, all of it comes back.
        bench.run("git grill verify --restore --yes").assert_code(0);
        assert_eq!(named(&bench), Vec::<String>::new(), "{deed}");
    }
}

/// What appears meanwhile was in no list, whatever it is.
#[test]
fn g38_what_appears_after_the_list_stays() {
    let bench = Bench::new();
    start(&bench);
    bench.run("echo one >README.md; echo new >.gitignore").assert_code(0);
    let mut sitting = Sitting::of_a_line(&bench, "git --no-pager grill verify --restore");
    sitting.below("Delete 1 file, restore 1 file", "[y/n]");
    unhooked(&bench, "git branch fresh; echo l >late.txt; git tag late").assert_code(0);
    sitting.pty.send("y");
    sitting.ends_with(1);
    assert_eq!((bench.read("README.md"), bench.read("late.txt")), ("# demo\n".to_owned(), "l\n".to_owned()));
    assert_eq!(named(&bench), ["refs: new refs/heads/fresh", "refs: new refs/tags/late", "working tree: new late.txt"]);
}
