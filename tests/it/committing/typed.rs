//! What a hint says to type works as it stands, whatever the file is called.

use super::{changed, drafted};
use crate::bench::Bench;

/// Names that a shell or git would take for something else, or for other files as well.
const NAMES: [&str; 4] = [":(x.md", ":(top)d.md", "docs/[a]*? b.md", "it's.md"];

/// A session whose draft waits for the file of this name, beside files that its name as a pattern would mean.
fn named(name: &str) -> (Bench, String) {
    let quoted = format!("'{}'", name.replace('\'', r"'\''"));
    let bench = Bench::new();
    drafted(&bench, &quoted);
    bench.write("d.md", "not ours\n");
    bench.write("docs/ax b.md", "not ours\n");
    (bench, quoted)
}

#[test]
fn g31_what_is_said_of_an_ignored_file_and_of_a_commit_taken_back_can_be_typed() {
    for name in NAMES {
        let (bench, _) = named(name);
        let shown = bench.run("git grill draft").assert_code(0);
        let approve = shown.stdout().lines().find_map(|line| line.split_once(" writes exactly this")).expect(name).0;
        bench.run("echo '*.md' >>.git/info/exclude").assert_code(0);
        let refused = bench.run(&format!("{approve} --commit")).assert_code(1);
        let hint = refused.stderr().split_once("hint: ").expect(name).1;
        let (why, rest) = hint.split_once(" says why; ").expect(name);
        bench.run(why).assert_code(0).assert_contains(".git/info/exclude:");
        let (stage, _) = rest.split_once(" stages it anyway").expect(name);
        bench.run(stage).assert_code(0);
        assert_eq!(bench.run("git diff --cached --name-only -z").stdout, format!("{name}\0"));
        bench.run("git grill produce --commit").assert_code(0);
        let undone = bench.run("git grill produce --undo").assert_code(0);
        let back = undone.stdout().lines().find(|line| line.starts_with("  git commit ")).expect(name);
        bench.run(back).assert_code(0);
        assert_eq!(bench.run("git show --format= --name-status -z HEAD").stdout, format!("D\0{name}\0"));
    }
}

#[test]
fn g42_what_is_said_of_a_file_that_somebody_changed_can_be_typed() {
    for name in NAMES {
        let (bench, quoted) = named(name);
        bench.run(&format!("git grill approve --commit && echo more >>{quoted}")).assert_code(0);
        let refused = bench.run("git grill produce --commit").assert_code(1);
        let hint = refused.stderr().split_once("hint: ").expect(name).1;
        let (commit, _) = hint.split_once(" commits it as it is now").expect(name);
        bench.run(commit).assert_code(0);
        assert!(changed(&bench.at(".")).starts_with("M\t"));
        let told = bench.run("git grill finish").assert_code(0);
        let show = told.stdout().lines().chain(told.stderr().lines()).find_map(|line| line.split_once("committed: "));
        bench.run(show.expect(name).1).assert_code(0).assert_contains("+more");
        // Where the draft is left out, what takes it up again names it.
        let (bench, quoted) = named(name);
        bench.run(&format!("git grill draft --drop {quoted}")).assert_code(0);
        let refused = bench.run(&format!("git grill approve {quoted}")).assert_code(1);
        let hint = refused.stderr().split_once("hint: ").expect(name).1;
        let (edit, _) = hint.split_once(" takes it up again").expect(name);
        bench.run(&format!("echo mine | {edit} --from -")).assert_code(0);
    }
}
