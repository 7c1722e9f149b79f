//! A disk that is full, and a file system that became read-only, as the kernel makes them: a small one in memory.

use crate::bench::Bench;

/// What is done on the small disk; each command's exit code is said.
const STORY: &str = r#"
mkdir ../small && mount -t tmpfs -o size=2m none ../small && cp -a . ../small/repo && cd ../small/repo || exit 1
say() { what=$1; shift; "$@" >../../said 2>&1; echo "$what $?"; grep -h -e '^error: ' -e panicked ../../said; }
say start git grill start --research off 'rate limiting'
say first git grill answer 'the first'
cat /dev/zero >../filler 2>/dev/null
say full git grill answer 'the second'
say status git grill status --short
say intensity git grill intensity hard
say stop git grill stop --without-output
say next git grill next
rm ../filler
say again git grill answer 'the second'
mount -o remount,ro ../../small
say ro git grill answer 'the third'
say ro-status git grill status --short
say ro-next git grill next
say ro-stop git grill stop --without-output
mount -o remount,rw ../../small
say rw git grill answer 'the third'
say fsck git fsck --no-dangling
git log --reverse --format=%s GRILL_HEAD | grep ^answer | sed 's/.*: //'
git commit -q --allow-empty -m x 2>/dev/null; echo "commit $?"
say end git grill stop --without-output
git commit -q --allow-empty -m x; echo "free $?"
"#;

#[test]
fn p1_a_full_disk_and_a_read_only_one_are_said_and_lose_nothing() {
    let bench = Bench::new();
    bench.write("../story.sh", STORY);
    let played =
        bench.run("unshare --user --map-root-user --mount sh ../story.sh").assert_code(0).assert_lacks("panicked");
    let lines: Vec<&str> = played.stdout().lines().filter(|line| !line.starts_with("error: ")).collect();
    let expected = [
        "start 0",
        "first 0",
        "full 128",
        "status 0",
        "intensity 128",
        "stop 128",
        "next 0",
        "again 0",
        "ro 128",
        "ro-status 0",
        "ro-next 0",
        "ro-stop 128",
        "rw 0",
        "fsck 0",
        "the first",
        "the second",
        "the third",
        "commit 128",
        "end 0",
        "free 0",
    ];
    assert_eq!(lines, expected, "{}", played.stdout());
    let errors: Vec<&str> = played.stdout().lines().filter(|line| line.starts_with("error: ")).collect();
    // One for each that failed.
    assert_eq!(errors.len(), 5, "{errors:?}");
}
