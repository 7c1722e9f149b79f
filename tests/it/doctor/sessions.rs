//! Sessions, their commits and pointers, and what lies beside the refs.

use git_grill::app::ports::Code;

use super::row::{ROW, Row, Way};

/// The same as [`super::row::STARTED`] with a copy.
const COPIED: &str = "git grill start --research off 'rate limiting' && git grill answer 'requests per client' && \
    git grill answer 'ten per second' && git clone --quiet --mirror . ../copy.git";
const STOP: &str = "git grill stop --without-output";
const REFTABLE: &str = "--ref-format=reftable";

/// A commit that says two things: a copy has the session as it was.
const FLAWED: Row =
    Row { before: COPIED, why: "A copy of the repository may have it as it was", way: Way::Typed(0, STOP), ..ROW };
/// A lock of git's own.
const LOCKED: Row = Row {
    code: Code::GitLock,
    what: "is there, and no process that can be seen works with it",
    way: Way::Typed(0, ""),
    ..ROW
};

pub const ROWS: &[Row] = &[
    Row {
        code: Code::SessionUnreadable,
        by: "rm -f $(loose $tip)",
        what: "cannot be read: commit ",
        why: "it can be brought back at least to",
        ..ROW
    },
    Row {
        code: Code::SessionGone,
        by: "past update-ref -d $ref",
        what: "there is no ref of session",
        why: "--fix searches all objects of the repository for it",
        ..ROW
    },
    Row {
        code: Code::NewerFormat,
        by: "echo 2 | put format '-p '$tip",
        severity: "note",
        what: "has format 2, which a newer git grill wrote",
        why: "nothing is wrong with it; a newer git grill goes on with it",
        way: Way::Shown("+++ b/.grill/format"),
        ..ROW
    },
    Row {
        code: Code::CommitUnreadable,
        before: COPIED,
        by: "rm -f $(loose $(git rev-parse $tip~2))",
        verb: "fsck",
        what: "it is missing",
        why: "git gc and git fsck complain",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::CommitUnreadable,
        before: COPIED,
        by: "rm -f $(loose $(git rev-parse $tip~1))",
        what: "it is missing",
        why: "A copy of the repository may have its objects",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::CommitUnreadable,
        by: "rm -f $(loose $(git rev-parse $tip~1^{tree}))",
        what: "object not found",
        why: "gives up the history that led there",
        way: Way::Typed(1, STOP),
        ..ROW
    },
    Row {
        code: Code::ReplayDiffers,
        by: "{ show checkpoint.md; echo '- by nobody'; } | put checkpoint.md '-p '$tip~1",
        what: "its events do not lead to what stands in .grill/checkpoint.md",
        ..FLAWED
    },
    Row { code: Code::SeqGap, by: "show events.yaml | put events.yaml '-p '$tip", what: "comes after event", ..FLAWED },
    Row {
        code: Code::Parents,
        by: "show events.yaml | put events.yaml \"-p $tip~1 -p main\"",
        what: "it has 2 parents",
        ..FLAWED
    },
    Row {
        code: Code::Trailers,
        by: "git log -1 --format=%B $tip | sed 's/^Grill-Seq: .*/Grill-Seq: 99/' >../message; \
             past update-ref $ref $(git commit-tree -p $tip~1 -F ../message $tip^{tree})",
        severity: "warning",
        what: "its message says '99' for Grill-Seq",
        ..FLAWED
    },
    Row {
        code: Code::More,
        by: "for one in $(seq 25); do tip=$(git log -1 --format=%B $tip | git commit-tree -p $tip $tip^{tree}); done; \
             past update-ref $ref $tip",
        verb: "fsck",
        what: "more things are wrong with its commits",
        why: "so that those of other sessions are seen",
        way: Way::Shown("that is all, in 31 commits of 1 session"),
        ..ROW
    },
    // Killed when the session was brought back and its reflog not yet mended. The commit before the newest lacks a file as
    // well, so that its other parts make a tree that nobody has written.
    Row {
        code: Code::ReflogEntry,
        by: "rm -f $(loose $(git rev-parse $tip^{tree})) $(loose $(git rev-parse $tip~1:.grill/events.yaml)) \
             $(loose $(git rev-parse $tip~1:.grill/session.yaml)); lost=$(git rev-parse $tip~1); \
             grep \" $lost \" .git/logs/$ref >../entry; git grill doctor --fix; \
             cat ../entry .git/logs/$ref >../log; cp ../log .git/logs/$ref",
        what: "of which something is missing",
        why: "git gc and git fsck stumble over it",
        ..ROW
    },
    Row {
        code: Code::BadPointer,
        by: "echo junk >.git/GRILL_HEAD",
        what: "it should name a session and says 'junk'",
        why: "what it was is for you to say",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::BadPointer,
        by: "echo junk >.git/GRILL_HEAD",
        what: "GRILL_HEAD in ",
        why: "nobody knows which session is active there",
        way: Way::Typed(1, ""),
        ..ROW
    },
    Row {
        code: Code::BadPointer,
        by: "echo $tip >.git/GRILL_HEAD",
        what: "it should name a session",
        why: "it names a commit of session",
        ..ROW
    },
    Row {
        code: Code::PointerEnded,
        by: "git grill stop --without-output; printf 'ref: %s\\n' $ref >.git/GRILL_HEAD",
        severity: "warning",
        what: "which is over",
        why: "a stop was cut off there",
        ..ROW
    },
    Row {
        code: Code::StaleLock,
        by: "touch -d '1 hour ago' .git/$ref.lock",
        what: ".lock was left by a process that died",
        why: "git and git grill cannot move that ref",
        ..ROW
    },
    Row {
        code: Code::StaleLock,
        by: "touch -d '1 hour ago' .git/GRILL_HEAD.lock",
        what: "GRILL_HEAD.lock was left",
        why: "the active session of that worktree cannot be set",
        ..ROW
    },
    Row {
        code: Code::StaleLock,
        format: REFTABLE,
        by: "touch -d '1 hour ago' .git/reftable/tables.list.lock",
        what: "tables.list.lock was left",
        why: "no ref of the repository can be moved by anybody",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::StrayRef,
        format: REFTABLE,
        by: "mkdir -p .git/refs/grill/sessions && git rev-parse $tip~1 >.git/$ref",
        what: "is a ref file in a repository that keeps its refs as reftable",
        why: "git does not see it",
        ..ROW
    },
    Row { by: "touch -d '1 hour ago' .git/index.lock", why: "git add, git commit and whatever else", ..LOCKED },
    Row { by: "touch -d '1 hour ago' .git/HEAD.lock", why: "git can neither commit nor switch there", ..LOCKED },
    Row { by: "touch -d '1 hour ago' .git/packed-refs.lock", why: "and git gc fails", ..LOCKED },
    Row { by: "touch -d '1 hour ago' .git/config.lock", why: "no setting can be changed", ..LOCKED },
    Row { by: "touch -d '1 hour ago' .git/refs/heads/main.lock", why: "git cannot move that ref", ..LOCKED },
    Row {
        by: "git symbolic-ref HEAD \"refs/heads/it's\"; touch -d '1 hour ago' \".git/refs/heads/it's.lock\"",
        before: "true",
        why: "git cannot move that ref",
        ..LOCKED
    },
    Row {
        by: "git worktree add -q --detach ../side; touch -d '1 hour ago' .git/worktrees/side/index.lock",
        before: "true",
        why: "remove it once you know that none works there",
        ..LOCKED
    },
    Row {
        code: Code::LeftOver,
        by: "touch .git/grill/20260101-other-aaaaa.lock",
        severity: "note",
        what: "20260101-other-aaaaa.lock was left by a process that is gone",
        why: "it does no harm",
        ..ROW
    },
    Row {
        code: Code::LeftOver,
        by: "mkdir .git/grill/copies; echo >.git/grill/copies/20260101-other-aaaaa.1000",
        severity: "note",
        what: "20260101-other-aaaaa.1000 has copies of objects that are no longer needed",
        why: "they contain words of an interview",
        ..ROW
    },
    Row {
        code: Code::BaselineBroken,
        by: "rm -f $(loose $(git rev-parse refs/grill/local/$(basename $ref)/baseline:record))",
        what: "/baseline are missing",
        why: "git gc fails on it",
        ..ROW
    },
    Row {
        code: Code::BaselineBroken,
        format: REFTABLE,
        by: "rm -f $(loose $(git for-each-ref --format='%(objectname)' 'refs/grill/local/*/baseline'))",
        what: "/baseline are missing",
        why: "git gc fails on it",
        ..ROW
    },
    Row {
        code: Code::BaselineLost,
        by: "past update-ref -d $(git for-each-ref --format='%(refname)' 'refs/grill/local/*/baseline')",
        what: "/baseline",
        why: "what changed since cannot be named",
        ..ROW
    },
    Row {
        code: Code::BaselineLost,
        format: REFTABLE,
        by: "past update-ref $(git for-each-ref --format='%(refname)' 'refs/grill/local/*/baseline') main",
        what: "names a snapshot that was not taken in this worktree",
        why: "what changed since cannot be named",
        ..ROW
    },
    Row {
        code: Code::LeftOver,
        by: "touch .git/refs/heads/git-grill-trial.lock",
        severity: "note",
        what: "git-grill-trial.lock was left",
        why: "it does no harm",
        ..ROW
    },
    Row {
        code: Code::LeftOver,
        format: REFTABLE,
        by: "past symbolic-ref -d GRILL_HEAD",
        severity: "note",
        what: "grill/active was left by a process that is gone",
        why: "it does no harm",
        ..ROW
    },
    Row {
        code: Code::LeftOver,
        format: REFTABLE,
        before: "true",
        by: "git worktree add -q --detach ../side; mkdir .git/worktrees/side/grill; touch .git/worktrees/side/grill/active",
        severity: "note",
        what: "worktrees/side/grill/active was left",
        why: "it does no harm",
        ..ROW
    },
    Row {
        code: Code::KeptText,
        before: "true",
        by: "echo 'words of mine' >.git/GRILL_KEPT-1-issue-1.md",
        severity: "note",
        what: "GRILL_KEPT-1-issue-1.md holds a text that was typed and is not recorded",
        why: "unless an editor has it open",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::KeptText,
        before: "true",
        by: "echo x >.git/GRILL_EDITMSG-2.md",
        severity: "note",
        what: "GRILL_EDITMSG-2.md holds a text",
        why: "nothing reads it",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::UnknownKey,
        before: "true",
        by: "git config grill.intensty hard",
        severity: "warning",
        what: "'grill.intensty' in ",
        why: "nothing reads it",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::ForcedRefspec,
        by: "git config remote.up.fetch '+refs/grill/*:refs/grill/*'",
        what: "remote.up.fetch has +refs/grill/*:refs/grill/*",
        why: "a plain git fetch overwrites sessions",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::ForcedRefspec,
        before: "true",
        by: "git config remote.up.fetch '+refs/*:refs/*'",
        severity: "warning",
        what: "remote.up.fetch has +refs/*:refs/*",
        why: "a plain git fetch overwrites sessions",
        way: Way::Typed(0, ""),
        ..ROW
    },
];
