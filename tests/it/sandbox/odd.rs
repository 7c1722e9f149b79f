//! Folders that are not where, whose or what one thinks: links, missing ones, mounts inside, databases in use.

use std::fs;
use std::path::PathBuf;

use crate::bench::{Bench, wait_until};

fn home(bench: &Bench, path: &str) -> PathBuf {
    bench.root().join("home").join(path)
}

#[test]
fn a_folder_that_links_lead_to_is_layered_where_it_is() {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(home(&bench, "dotfiles/claude/skills")).unwrap();
    fs::write(home(&bench, "dotfiles/claude/settings.json"), "{}").unwrap();
    std::os::unix::fs::symlink("dotfiles/claude", home(&bench, ".claude")).unwrap();
    let line = "git grill run --profile claude -- sh -c 'echo x > ~/.claude/settings.json; echo x > ~/.claude/skills/x; \
                cat ~/dotfiles/claude/settings.json ~/dotfiles/claude/skills/x; rm ~/.claude 2>/dev/null || echo held'";
    bench.run(line).assert_code(0).assert_stdout("x\nx\nheld\n");
    assert_eq!(fs::read_to_string(home(&bench, ".claude/settings.json")).unwrap(), "{}");
    assert!(!home(&bench, ".claude/skills/x").exists());
}

#[test]
fn a_folder_that_is_not_there_is_there_in_the_run_and_gone_afterwards() {
    let bench = Bench::on_disk(Bench::new);
    let before = bench.run("find ~ | sort").assert_code(0).stdout().to_owned();
    let line =
        "git grill run --profile opencode -- sh -c 'echo x > ~/.config/opencode/opencode.json; ls ~/.config/opencode'";
    bench.run(line).assert_code(0).assert_stdout("opencode.json\n");
    let after = bench.run("find ~ -path ~/.local -prune -o -print | sort").assert_code(0).stdout().to_owned();
    assert_eq!(before, after);
    // A run does not take away what was put there meanwhile.
    let line =
        format!("git grill run --profile codex -- sh -c 'read line; ls ~/.codex' < {}/pipe", bench.root().display());
    let pipe = bench.root().join("pipe");
    bench.run("mkfifo ../pipe").assert_code(0);
    let running = bench.spawn(&line);
    let mut writer = fs::OpenOptions::new().write(true).open(pipe).unwrap();
    wait_until("the start", || home(&bench, ".codex").exists());
    fs::write(home(&bench, ".codex/config.toml"), "mine").unwrap();
    std::io::Write::write_all(&mut writer, b"\n").unwrap();
    running.finish().assert_code(0);
    assert_eq!(fs::read_to_string(home(&bench, ".codex/config.toml")).unwrap(), "mine");
}

#[test]
fn a_folder_in_the_repository_is_copied_for_the_agent_and_stays_as_it_is() {
    let bench = Bench::on_disk(Bench::new);
    let dotfiles = bench.at("../home");
    dotfiles.write(".codex/config.toml", "model = \"m\"\n");
    dotfiles.write(".gemini/settings.json", "{}");
    dotfiles.run("git init --quiet && git add .codex .gemini && git commit --quiet -m dotfiles").assert_code(0);
    let line = "git grill run --profile codex -- sh -c 'cat $CODEX_HOME/config.toml; echo x >> $CODEX_HOME/config.toml && \
                ! (echo x >> ~/.codex/config.toml)' 2>&1";
    dotfiles
        .run(line)
        .assert_code(0)
        .assert_contains("CODEX_HOME points to a private copy of")
        .assert_contains("model = \"m\"")
        .assert_contains("Read-only file system");
    dotfiles.run("git status --porcelain .codex").assert_code(0).assert_stdout("");
    // This one has no variable of its own, so nothing can stand in for it.
    dotfiles
        .run("git grill run --profile gemini -- sh -c 'echo x >> ~/.gemini/settings.json'")
        .assert_contains(".gemini stays read-only in this run: it belongs to the repository");
}

#[test]
fn a_folder_that_belongs_to_another_user_stays_as_it_is() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: only root can give a folder away");
        return;
    }
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(home(&bench, ".claude/skills")).unwrap();
    drop(bench.as_nobody("true"));
    for path in [".claude", ".claude/skills"] {
        std::os::unix::fs::chown(home(&bench, path), Some(0), Some(0)).unwrap();
    }
    // Not `as_nobody`, which would give it away again.
    let line = "setpriv --reuid=4242 --regid=4243 --clear-groups ../bin/git-grill run --profile claude -- \
                sh -c 'echo x > ~/.claude/settings.json; echo x > ~/.claude/skills/x; ls ~/.claude' 2>/dev/null";
    bench.run(line).assert_code(0).assert_contains("skills");
    assert_eq!(bench.run("find ~/.claude -type f").assert_code(0).stdout(), "");
}

#[test]
fn mounts_inside_a_folder_are_seen_as_root_and_copied_as_anybody_else() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: only root can mount");
        return;
    }
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(home(&bench, ".codex/mounted")).unwrap();
    fs::write(home(&bench, ".codex/config.toml"), "real\n").unwrap();
    let mount = "mount -t tmpfs none ~/.codex/mounted && echo inside > ~/.codex/mounted/file && chmod -R a+rwX ~/.codex/mounted";
    let tries = "cat ~/.codex/mounted/file; echo x > ~/.codex/config.toml; echo x > ~/.codex/mounted/file";
    bench.write("try.sh", format!("{tries}; true"));
    bench
        .run(&format!(
            "unshare -m sh -c '{mount} && git grill run --profile codex -- sh ./try.sh && cat ~/.codex/config.toml'"
        ))
        .assert_code(0)
        .assert_stdout("inside\nreal\n")
        .assert_contains("mounted stays read-only in this run: it is a mount of its own");
    drop(bench.as_nobody("true"));
    bench.write(
        "try.sh",
        "cat $CODEX_HOME/config.toml; echo x > $CODEX_HOME/config.toml; (echo x > ~/.codex/config.toml); true",
    );
    bench
        .run(&format!(
            "unshare -m sh -c '{mount} && setpriv --reuid=4242 --regid=4243 --clear-groups ../bin/git-grill run \
             --profile codex -- sh ./try.sh && cat ~/.codex/config.toml'"
        ))
        .assert_code(0)
        .assert_stdout("real\nreal\n")
        .assert_contains("CODEX_HOME points to a private copy")
        .assert_contains("no private layer can cover it");
}

#[test]
fn a_database_in_use_outside_is_not_touched_by_a_run() {
    let bench = Bench::on_disk(Bench::new);
    if bench.run("python3 -c 'import sqlite3'").code != 0 {
        eprintln!("SKIPPED: there is no python3 with sqlite3");
        return;
    }
    let make = "import sqlite3,os\nd=os.path.expanduser('~/.codex');os.makedirs(d,exist_ok=True)\n\
                c=sqlite3.connect(d+'/state.sqlite',isolation_level=None)\nc.execute('pragma journal_mode=wal')\n\
                c.execute('create table t(x)')\nc.execute('insert into t values(1)')\n";
    let count = "print(c.execute('select count(*),max(x) from t').fetchone())\n";
    bench.write(
        "outside.py",
        format!("{make}open('../opened','w').close()\nprint('open',flush=True)\ninput()\nc.execute('insert into t values(2)')\n{count}"),
    );
    bench.write(
        "inside.py",
        format!(
            "import sqlite3,os\nc=sqlite3.connect(os.path.expanduser('~/.codex/state.sqlite'),isolation_level=None)\n\
             {count}c.execute('insert into t values(99)')\n{count}"
        ),
    );
    let mut outside = bench.spawn("python3 ./outside.py");
    wait_until("the database", || bench.root().join("opened").exists());
    bench.run("git grill run --profile codex -- python3 ./inside.py").assert_code(0).assert_stdout("(1, 1)\n(2, 99)\n");
    outside.send("\n");
    outside.finish().assert_code(0).assert_stdout("open\n(2, 2)\n");
}

#[test]
fn a_huge_file_is_changed_inside_alone() {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(home(&bench, ".codex")).unwrap();
    bench.run("head -c 100000000 /dev/zero > ~/.codex/logs_2.sqlite").assert_code(0);
    let line =
        "git grill run --profile codex -- sh -c 'echo x >> ~/.codex/logs_2.sqlite; stat -c %s ~/.codex/logs_2.sqlite'";
    bench.run(line).assert_code(0).assert_stdout("100000002\n");
    assert_eq!(fs::metadata(home(&bench, ".codex/logs_2.sqlite")).unwrap().len(), 100_000_000);
}
