//! `git grill doctor` and `fsck` on repositories that somebody or something damaged: each damage is named, changes
//! nothing while it is only looked at, is mended where that is safe, and touches no other session (promise 1).

mod copied;
mod histories;
mod table;
mod ways_out;

use crate::bench::Bench;

/// Shell words that the damages are written in: `$ref` and `$tip` are the active session's, `loose` the file of an object,
/// `spoil` makes one unreadable, and `past` is a git that asks no hooks.
pub const WORDS: &str = "past() { git -c core.hooksPath=/dev/null -c hook.git-grill-reference-transaction.enabled=false \"$@\"; }; \
    loose() { echo .git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); }; \
    sever() { chmod u+w $(loose $1); truncate -s $(($(wc -c <$(loose $1)) / 2)) $(loose $1); }; \
    spoil() { chmod u+w $(loose $1); echo spoilt >$(loose $1); }; \
    ref=$(git symbolic-ref GRILL_HEAD); tip=$(git rev-parse $ref); ";

/// Puts the rest of the line in the place of a file of the session's newest tree, in a commit with the message of the
/// newest one.
pub const PUT: &str = "put() { export GIT_INDEX_FILE=$TMPDIR/index; git read-tree $tip; blob=$(git hash-object -w --stdin); \
    git update-index --add --cacheinfo 100644,$blob,.grill/$1; tree=$(git write-tree); rm $GIT_INDEX_FILE; \
    unset GIT_INDEX_FILE; git log -1 --format=%B $tip | git commit-tree $2 $tree >../new; \
    past update-ref --no-deref $ref $(cat ../new); }; show() { git show $tip:.grill/$1; }; ";

/// The same as [`copied_sessions`], a day later: the copies of their objects are gone.
fn two_sessions(format: &str) -> Bench {
    let bench = copied_sessions(format);
    bench.run("rm -r .git/grill/copies").assert_code(0);
    bench
}

/// A repository of this format with a session of three questions here, and another one in another worktree.
fn copied_sessions(format: &str) -> Bench {
    let bench = Bench::with_init(format);
    bench.worktree("side").run("git grill start --research off 'a faster search'").assert_code(0);
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client' && git grill answer 'ten per second'").assert_code(0);
    bench
}
