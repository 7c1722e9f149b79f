//! A disk that is full, and a file system that became read-only, as the kernel makes them: a small one in memory.

use crate::bench::Bench;

/// What is done on the small disk; each command's exit code is said.
const STORY: &str = r#"
mkdir ../small && mount -t tmpfs -o size=2m none ../small && cp -a . ../small/repo && cd ../small/repo || exit 1
git branch unused
say() { what=$1; shift; "$@" >../../said 2>&1; echo "$what $?"; grep -h -e '^error: ' -e panicked ../../said; }
say start git grill start --research off 'rate limiting'
say first git grill answer 'the first'
cat /dev/zero >../filler 2>/dev/null
say full git grill answer 'the second'
say status git grill status --short
say intensity git grill intensity hard
say held git update-ref -d refs/heads/unused
say stop git grill stop --without-output
say freed git update-ref -d refs/heads/unused
say next git grill next
rm ../filler
say resume git grill resume "$(git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions)"
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
        "held 128",
        "stop 128",
        "freed 0",
        "next 6",
        "resume 0",
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
    assert_eq!(errors.len(), 7, "{errors:?}");
}

/// A fence, an edit of the checkpoint that nobody has recorded, and an agent that wants to be let out.
const FENCED: &str = r#"
mkdir ../small && mount -t tmpfs -o size=2m none ../small && cp -a . ../small/repo && cd ../small/repo || exit 1
git branch unused
say() { what=$1; shift; "$@" >../../said 2>&1; echo "$what $?"; }
say start git grill start --research off --fence 'rate limiting'
session=$(git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions)
tip=$(git rev-parse GRILL_HEAD)
cat /dev/zero >../filler 2>/dev/null
say agent env CLAUDECODE=1 git grill stop --without-output
ls -d .git/index.lock
say unsaid git grill stop
ls -d .git/index.lock
say stop git grill stop --without-output
sed "s/$session/<id>/g" ../../said
ls .git/hooks | grep -v sample
find .git -name '*.lock' -not -path '.git/grill/*'; find .git -maxdepth 1 -name GRILL_HEAD
say freed git update-ref -d refs/heads/unused
test "$(git rev-parse "refs/grill/sessions/$session")" = "$tip" && echo "nothing lost"
say status git grill status --short
say stopped git grill stop --without-output
rm ../filler
say doctor git grill doctor
say resume git grill resume "$session"
echo '- by hand' >>.grill/checkpoint.md
cat /dev/zero >../filler 2>/dev/null
say edited git grill stop --without-output
grep -h 'by hand' .grill/checkpoint.md
rm ../filler
say resume git grill resume "$session"
say end git grill stop --without-output
git show "grill/sessions/$session:.grill/checkpoint.md" | grep 'by hand'
say free git commit -q --allow-empty -m x
"#;

#[test]
fn g17_stop_frees_git_on_a_full_disk_and_the_session_stays_unfinished() {
    let bench = Bench::new();
    bench.write("../story.sh", FENCED);
    let played =
        bench.run("unshare --user --map-root-user --mount sh ../story.sh").assert_code(0).assert_lacks("panicked");
    let said = played.stdout();
    let (told, lines): (Vec<&str>, Vec<&str>) = said
        .lines()
        .partition(|line| ["error: ", "caused by: ", "hint: ", "warning: "].iter().any(|how| line.starts_with(how)));
    let expected = [
        "start 0",
        "agent 1",
        ".git/index.lock",
        "unsaid 3",
        ".git/index.lock",
        "stop 128",
        "freed 0",
        "nothing lost",
        "status 0",
        "stopped 6",
        "doctor 0",
        "resume 0",
        "edited 128",
        "- by hand",
        "resume 0",
        "end 0",
        "- by hand",
        "free 0",
    ];
    assert_eq!(lines, expected, "{said}");
    let all = told.join("\n");
    for part in [
        "error: could not record the end of session <id>: no space is left on the disk",
        "No space left on device",
        "the session is unfinished and no longer active here",
        "git is as free as before",
        "hint: once there is space: git grill resume <id>, then git grill stop --without-output",
    ] {
        assert!(all.contains(part), "{part}: {said}");
    }
}
