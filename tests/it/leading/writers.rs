//! Agents that never ask and write by every way there is: the repository stays as it is, byte for byte.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::killed::repository;
use super::story::walled;
use super::{ENTER, agree, jotted, lets, play, scripted, until};
use crate::bench::{Bench, one_of, side_by_side, wait_until};
use crate::conversation::Sitting;
use crate::faults::traces::{assert_same, everything};

/// A word that stands in what they write.
const EVIL: &str = "behind-your-back";

/// Ways to write into the repository and into the user's settings. Each of them does where nothing is in its way.
const WAYS: &[&str] = &[
    // Files of the working tree.
    "echo behind-your-back > README.md",
    "echo behind-your-back >> README.md",
    "echo behind-your-back > evil.txt",
    "echo behind-your-back | tee README.md",
    "sed -i s/demo/behind-your-back/ README.md",
    "printf x | dd of=README.md bs=1 count=1 conv=notrunc",
    "truncate -s 0 README.md",
    "cp /etc/passwd README.md",
    "exec 3>> README.md; echo behind-your-back >&3",
    "perl -e 'open F, \">>\", \"README.md\" or exit 1; print F \"behind-your-back\"'",
    "rm -f README.md",
    "mv README.md evil.md",
    "mkdir -p evil/evil",
    // Over it, through it and past it.
    "echo behind-your-back > \"$TMPDIR/evil\"; mv -f \"$TMPDIR/evil\" README.md",
    "ln -sf \"$TMPDIR\" evil-soft",
    "ln -sfn /etc/passwd README.md",
    "ln README.md evil-hard",
    "ln README.md \"$TMPDIR/evil-hard\" && echo behind-your-back >> \"$TMPDIR/evil-hard\"",
    "ln -s \"$PWD/README.md\" \"$TMPDIR/evil-link\"; echo behind-your-back >> \"$TMPDIR/evil-link\"",
    "echo behind-your-back > /proc/self/cwd/README.md",
    "echo behind-your-back > \"/proc/$$/root$PWD/README.md\"",
    "exec 3< .; echo behind-your-back > /proc/self/fd/3/README.md",
    "exec 3< README.md; echo behind-your-back > /proc/self/fd/3",
    "echo behind-your-back > /proc/1/root\"$PWD\"/README.md; echo behind-your-back > /proc/self/root\"$PWD\"/README.md",
    "unshare -m sh -c 'mount -o remount,bind,rw .; umount -l .; echo behind-your-back > README.md' || \
     echo behind-your-back > README.md",
    // Modes and names.
    "chmod 777 README.md",
    "chmod -R 777 .git",
    "rm -rf .git/refs",
    "mv .git .evil",
    // git's own files.
    "printf '[core]\\n\\tpager = behind-your-back\\n' >> .git/config",
    "mkdir -p .git/hooks && printf '#!/bin/sh\\n# behind-your-back\\n' > .git/hooks/post-checkout && \
     chmod +x .git/hooks/post-checkout",
    "mkdir -p .git/info && echo behind-your-back >> .git/info/exclude",
    "mkdir -p .git/info && echo '* filter=behind-your-back' > .git/info/attributes",
    "mkdir -p .git/refs/heads && git rev-parse HEAD > .git/refs/heads/evil",
    "echo 'ref: refs/heads/evil' > .git/HEAD",
    "mkdir -p .git/objects/info && echo /tmp/evil > .git/objects/info/alternates",
    // git's plumbing, and what stands on it.
    "git config core.pager behind-your-back",
    "git update-ref refs/heads/evil HEAD",
    "git symbolic-ref HEAD refs/heads/evil",
    "git update-ref -d HEAD",
    "echo behind-your-back | git hash-object -w --stdin",
    "git update-index --add --cacheinfo 100644,\"$(git rev-parse HEAD:README.md)\",evil.txt",
    "git read-tree --empty",
    "git checkout-index -a --prefix=evil/",
    "git -c core.hooksPath=/dev/null commit --allow-empty -qm evil",
    "git commit-tree -m evil 'HEAD^{tree}'",
    "git tag evil",
    "git notes add -m evil",
    "git worktree add -q --detach \"$TMPDIR/evil-tree\"",
    "git push -q . HEAD:refs/heads/evil",
    "git fetch -q . HEAD:refs/heads/evil",
    "git pack-refs --all",
    "git rm -q README.md",
    "GIT_DIR=\"$PWD/.git\" GIT_WORK_TREE=\"$TMPDIR\" git branch evil",
    "env -i PATH=\"$PATH\" git branch evil",
    // Settings that make programs run.
    "git config --global alias.evil '!behind-your-back'",
    "echo behind-your-back >> ~/.bashrc",
    "mkdir -p .claude && echo '{\"behind-your-back\": 1}' > .claude/settings.json",
    "echo '{\"behind-your-back\": 1}' > .mcp.json",
    "mkdir -p ~/.claude && echo '{\"behind-your-back\": 1}' > ~/.claude/settings.json",
    "mkdir -p ~/.codex && echo 'behind-your-back = 1' > ~/.codex/config.toml",
    "mkdir -p ~/.gemini && echo '{\"behind-your-back\": 1}' > ~/.gemini/settings.json",
    "mkdir -p ~/.config/git && echo '* filter=behind-your-back' > ~/.config/git/attributes",
];

/// What stands below a folder, modes included, as one tree; logs of the conversation grow meanwhile.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = everything(root);
    found.retain(|path, _| !path.starts_with(".git/grill/agents"));
    for (path, content) in &mut found {
        let mode = root.join(path).symlink_metadata().unwrap().permissions().mode();
        content.extend(mode.to_be_bytes());
    }
    found
}

/// All ways, beginning with another one for each agent, and then those of the agent's own tools and of the client.
fn writes(bench: &Bench, number: usize) -> Vec<Value> {
    let readme = bench.repo().join("README.md");
    let ways = WAYS.iter().cycle().skip(number).take(WAYS.len());
    let mut steps: Vec<Value> = ways.map(|way| json!({"shell": way})).collect();
    let command = format!("echo {EVIL} > README.md");
    steps.extend([
        json!({"write": readme, "content": EVIL}),
        json!({"does": {"kind": "edit", "title": "Edit README.md", "locations": [{"path": readme}]}}),
        json!({"client": "fs/write_text_file",
            "params": {"sessionId": "scripted-session", "path": readme, "content": EVIL}}),
        json!({"client": "terminal/create",
            "params": {"sessionId": "scripted-session", "command": "sh", "args": ["-c", command], "cwd": bench.repo()}}),
    ]);
    steps
}

fn plays_out(number: usize) {
    // Shown where something fails.
    eprintln!("agent {number}");
    let bench = scripted(&json!({}));
    let mut turn = vec![until(&bench, "begin")];
    turn.extend(writes(&bench, number));
    turn.extend([json!({"shell": "echo done > $TMPDIR/all"}), until(&bench, "over")]);
    play(&bench, &json!({"turns": [turn]}));
    let before = repository(&bench);
    // The last ten see nothing of the repository.
    let research = if number < 40 { "auto" } else { "off" };
    let words = ["start", "--research", research, "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    agree(&mut sitting);
    sitting.pty.wait_for("scripted thinks");
    let begun = tree(bench.repo());
    lets(&bench, "begin");
    wait_until("all that it does", || jotted(&bench, "all").contains("done"));
    assert_same(&begun, &tree(bench.repo()), &format!("while agent {number} wrote"));
    lets(&bench, "over");
    sitting.pty.wait_for("ended its turn 3 times without a question");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    bench.run("git grill stop --without-output").assert_code(0);
    assert_same(&before, &repository(&bench), &format!("after agent {number}"));
    // The log of the conversation quotes it.
    bench.run(&format!("grep -rl {EVIL} ~ . | grep -v '^\\./\\.git/grill/agents/'")).assert_stdout("");
    bench.run("find ~ . -name '*evil*'").assert_stdout("");
}

#[test]
fn g55_fifty_agents_that_never_ask_write_nothing_by_any_way() {
    if !walled() {
        return;
    }
    let agents: Vec<usize> = (0..50).step_by(one_of(10)).collect();
    side_by_side(&agents, |number| plays_out(*number));
}

#[test]
fn each_of_the_ways_writes_where_nothing_is_in_its_way() {
    let idle = side_by_side(WAYS, |way| {
        let bench = Bench::on_disk(Bench::new);
        let world = || {
            let mut world = tree(bench.root());
            world.retain(|path, _| !path.starts_with("tmp"));
            world
        };
        let before = world();
        drop(bench.run(way));
        (world() == before).then_some(*way)
    });
    let idle: Vec<&str> = idle.into_iter().flatten().collect();
    assert_eq!(idle, [""; 0]);
}
