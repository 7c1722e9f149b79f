//! The fence and the hooks.

use git_grill::app::ports::Code;

use super::row::{ROW, Row, Way};

const FENCED: &str = "git grill start --research off --fence 'rate limiting' && git grill answer 'requests per client'";
/// A program of its own, which can be taken away.
const OWN: &str = "mkdir ../own && cp \"$(readlink -f \"$(command -v git-grill)\")\" ../own/git-grill && \
    PATH=\"$PWD/../own:$PATH\" git grill start --research off 'rate limiting'";
/// Hooks of a manager in a folder that the configuration names.
const MANAGED: &str = "mkdir -p .husky && printf '#!/bin/sh\\n' >.husky/pre-commit && chmod +x .husky/pre-commit && \
    git add .husky && git commit -qm hooks && git config core.hooksPath .husky && \
    git grill start --research off 'rate limiting'";
/// The locks of a fence and its record, put aside in the interview and brought back in the output phase.
const PRODUCING: &str = "git config --global grill.fence on && \
    git grill start --research off 'rate limiting' && git grill answer 'people see it' && \
    tar -cf ../fence.tar $(find .git -name '*.lock' -type d) .git/grill/fence.json && \
    git grill select design-doc --path docs/small.md && git grill approve && tar -xf ../fence.tar";

const IDLE: &str = "they let everything pass and cost time at every commit";
const UNASKED: &str = "git does not ask it, so what it refuses goes through";

pub const ROWS: &[Row] = &[
    Row {
        code: Code::IndexEmptied,
        before: "git grill start --research off 'rate limiting' && git grill answer 'people see it' && \
                 git grill select design-doc --path docs/small.md && git grill approve && git add docs && \
                 git commit -qm written",
        by: "git update-index --force-remove docs/small.md && git add --intent-to-add docs/small.md",
        what: "the index has lost docs/small.md",
        why: "the next git commit would delete it",
        ..ROW
    },
    Row {
        code: Code::WrittenStaged,
        before: "git grill start --research off 'rate limiting' && git grill answer 'people see it' && \
                 git grill select design-doc --path docs/small.md && git grill approve",
        by: "git add docs/small.md",
        severity: "note",
        what: "docs/small.md is staged as git grill wrote it, and not committed",
        why: "your next git commit takes it",
        way: Way::Typed(0, "test \"$(git status --porcelain docs/small.md)\" = 'A  docs/small.md'"),
        ..ROW
    },
    Row {
        code: Code::HalfUndone,
        before: "git grill start --research off 'rate limiting' && git grill answer 'people see it' && \
                 git grill select design-doc,summary && git grill approve",
        by: "echo \"${ref##*/} $(show outputs.yaml | sed -n 's/^round: //p')\" >.git/grill/undo; rm docs/memos/*.md",
        what: "was cut off",
        why: "the session still lists all of them as written",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::FenceRecord,
        before: FENCED,
        by: "echo '{' >.git/grill/fence.json",
        what: "fence.json cannot be read",
        why: "it says which of git's locks are held",
        ..ROW
    },
    Row {
        code: Code::FenceRecord,
        before: FENCED,
        by: "echo '{' >.git/grill/fence.json; rm .git/GRILL_HEAD",
        what: "fence.json cannot be read",
        why: "so they could not be let go",
        ..ROW
    },
    Row {
        code: Code::FenceUnknown,
        before: FENCED,
        by: "rm -f $(loose $tip)",
        severity: "warning",
        what: "a fence stands around ",
        why: "it stays until the session is brought back or left",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::FenceUnknown,
        before: FENCED,
        by: "echo junk >.git/GRILL_HEAD",
        severity: "warning",
        what: "cannot be read",
        why: "it stays until the session is brought back or left",
        way: Way::Typed(1, ""),
        ..ROW
    },
    Row {
        code: Code::FenceLeft,
        before: FENCED,
        by: "rm .git/GRILL_HEAD",
        what: "is not active any more",
        why: "git cannot change anything there until it is lifted",
        ..ROW
    },
    Row {
        code: Code::FenceUp,
        before: PRODUCING,
        severity: "warning",
        what: "is up in the output phase",
        why: "approved commits could not be made",
        ..ROW
    },
    Row {
        code: Code::FenceGaps,
        before: FENCED,
        by: "rm -r .git/index.lock",
        what: "locks of the fence around ",
        why: "git could take them",
        ..ROW
    },
    Row {
        code: Code::FenceUnrecorded,
        before: FENCED,
        by: "rm .git/grill/fence.json",
        what: "more is held by a fence that nobody knows of",
        why: "git cannot take that lock",
        ..ROW
    },
    Row {
        code: Code::HookRecord,
        by: "echo '{' >.git/grill/hooks.json",
        what: "hooks.json cannot be read",
        why: "it says which hooks are git grill's",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::HookRecord,
        by: "echo '{' >.git/grill/hooks.json; rm .git/GRILL_HEAD",
        what: "hooks.json cannot be read",
        why: "they are known by their bytes",
        way: Way::Typed(0, ""),
        ..ROW
    },
    Row {
        code: Code::HooksMissing,
        by: "rm .git/grill/armed",
        what: "a session is active here, and no hook of git grill guards it",
        why: "git refuses nothing",
        ..ROW
    },
    Row {
        code: Code::HooksLeft,
        by: "rm .git/GRILL_HEAD",
        severity: "warning",
        what: "the hooks are armed here, and no session is active",
        why: IDLE,
        ..ROW
    },
    Row {
        code: Code::HooksLeft,
        by: "rm .git/GRILL_HEAD .git/grill/armed",
        severity: "warning",
        what: "hooks are installed, and no worktree has an active session",
        why: IDLE,
        ..ROW
    },
    // Where git is told of the hooks in its configuration there is no file to take away.
    Row {
        code: Code::HookBroken,
        by: "rm .git/hooks/pre-push || git config --unset-all hook.git-grill-pre-push.command",
        what: "the hook ",
        why: UNASKED,
        ..ROW
    },
    Row {
        code: Code::HookBroken,
        by: "if [ -e .git/hooks/pre-push ]; then echo '# mine' >>.git/hooks/pre-push; \
             else git config --unset-all hook.git-grill-pre-push.command; fi",
        what: " is changed",
        why: UNASKED,
        ..ROW
    },
    Row {
        code: Code::HookBroken,
        by: "chmod -x .git/hooks/pre-push || git config --unset-all hook.git-grill-pre-push.command",
        what: "the hook ",
        why: UNASKED,
        ..ROW
    },
    Row {
        code: Code::HookUnrecorded,
        by: "rm -r .git/grill",
        what: "is git grill's own, and nothing says that it was installed",
        why: "it refuses nothing, and would stay for ever",
        ..ROW
    },
    Row {
        code: Code::HookUnrecorded,
        by: "rm -r .git/grill .git/GRILL_HEAD",
        severity: "warning",
        what: "is git grill's own",
        why: "would stay for ever",
        ..ROW
    },
    Row {
        code: Code::HookNotCalled,
        before: MANAGED,
        by: "cp .husky/pre-commit .husky/post-checkout",
        severity: "warning",
        what: ".husky/post-checkout came after the session began, and nobody runs it",
        why: "what it checks is not checked",
        ..ROW
    },
    Row {
        code: Code::ProgramGone,
        before: OWN,
        by: "rm ../own/git-grill",
        what: "/own/git-grill, which is gone",
        why: "they let everything pass",
        ..ROW
    },
    Row {
        code: Code::ProgramWasGone,
        before: OWN,
        by: "mv ../own/git-grill ../away; git commit -q --allow-empty -m x; mv ../away ../own/git-grill",
        severity: "warning",
        what: "git-grill was missing once while this session was active",
        why: "git let everything pass then",
        ..ROW
    },
    Row {
        code: Code::NotExamined,
        by: "mkdir .git/grill/fence.json",
        what: "fence.json",
        why: "so it is not known whether what it guards is right",
        way: Way::Shown("fence.json"),
        ..ROW
    },
];
