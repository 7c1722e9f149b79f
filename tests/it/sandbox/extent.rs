//! What belongs to a repository, wherever it lies: none of it can be written.

use std::fs;

use crate::bench::Bench;

/// Runs a line behind both kinds of walls, with `~/.cache` seen through a layer; nothing may get through.
fn refused(bench: &Bench, dir: &str, writes: &str) {
    for profile in ["agent", "command"] {
        bench
            .at(dir)
            .run(&format!("git grill run --profile {profile} -- sh -c '{writes}' 2>/dev/null"))
            .assert_code(0)
            .assert_stdout("");
    }
}

/// A bench whose repository lies in the cache folder, over which every profile puts a layer.
fn cached() -> Bench {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(bench.root().join("home/.cache/src/beside")).unwrap();
    bench.run("git clone --quiet . ~/.cache/src/repo && git -C ~/.cache/src/repo config user.name x").assert_code(0);
    bench
}

#[test]
fn a_repository_in_a_writable_folder_stays_as_it_is() {
    let bench = cached();
    let writes = "(echo x > new) && echo new
        (echo x > .git/new) && echo git
        mv ~/.cache/src ~/.cache/moved && echo moved
        mv ~/.cache/src/repo ~/.cache/src/moved && echo moved too
        rm -rf ~/.cache/src/repo && echo gone
        true";
    refused(&bench, "../home/.cache/src/repo", writes);
    let beside = "git grill run -- sh -c 'echo x > ~/.cache/src/beside/new && echo beside && git status --short'";
    bench.at("../home/.cache/src/repo").run(beside).assert_code(0).assert_stdout("beside\n");
    assert!(!bench.root().join("home/.cache/src/beside/new").exists());
}

#[test]
fn worktrees_elsewhere_belong_to_it() {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(bench.root().join("home/.cache")).unwrap();
    bench.run("git worktree add --quiet ~/.cache/tree").assert_code(0);
    refused(
        &bench,
        ".",
        "(echo x > ~/.cache/tree/new) && echo tree; (echo x > .git/worktrees/tree/HEAD) && echo head; true",
    );
    let main = bench.repo().display();
    refused(
        &bench,
        "../home/.cache/tree",
        &format!("(echo x > new) && echo new; (echo x > {main}/new) && echo main; true"),
    );
}

#[test]
fn what_objects_are_borrowed_from_belongs_to_it() {
    let bench = cached();
    bench.run("git clone --quiet --shared ~/.cache/src/repo ../borrower").assert_code(0);
    refused(&bench, "../borrower", "(echo x > ~/.cache/src/repo/.git/objects/new) && echo objects; true");
}

#[test]
fn submodules_belong_to_it() {
    let bench = cached();
    bench.run("git -c protocol.file.allow=always submodule --quiet add ~/.cache/src/repo sub").assert_code(0);
    // Its git directory is moved away, as old versions of git and some tools leave it.
    bench.run("mv .git/modules/sub ~/.cache/sub.git && echo \"gitdir: $HOME/.cache/sub.git\" > sub/.git && git config -f ~/.cache/sub.git/config core.worktree \"$PWD/sub\"").assert_code(0);
    refused(&bench, ".", "(echo x > sub/new) && echo sub; (echo x > ~/.cache/sub.git/new) && echo git; true");
}

#[test]
fn a_home_that_is_a_repository_stays_as_it_is() {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(bench.root().join("home/.cache")).unwrap();
    bench.at("../home").run("git init --quiet").assert_code(0);
    refused(&bench, "../home", "(echo x > ~/.cache/new) && echo cache; true");
    bench
        .at("../home")
        .run("git grill run -- true")
        .assert_code(0)
        .assert_contains("stays read-only in this run: it belongs to the repository");
}

#[test]
fn a_hard_link_made_outside_leads_nowhere() {
    let bench = Bench::on_disk(Bench::new);
    fs::create_dir_all(bench.root().join("home/.cache")).unwrap();
    bench.run("ln README.md ~/link && ln README.md ~/.cache/link").assert_code(0);
    refused(&bench, ".", "(echo x >> ~/link) && echo home; true");
    // What is written through the cache stays in the run's own part of it.
    bench.run("git grill run -- sh -c 'echo x >> ~/.cache/link'").assert_code(0);
    assert!(!bench.read("README.md").ends_with("x\n"));
}
