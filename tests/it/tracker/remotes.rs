//! Which repositories the remotes lead to (G32): said by git and by `gh`, without the network.

use git_grill::app::ports::{Tracker, TrackerError};
use git_grill::tracker::Gh;

use super::thin::Desk;
use crate::bench::executable;

fn shown(gh: &Gh<'_>) -> Vec<String> {
    let line = |one: &git_grill::app::ports::TrackerRemote| {
        format!("{} {}{}", one.remote, one.repository, if one.default { " default" } else { "" })
    };
    gh.remotes().unwrap().iter().map(line).collect()
}

/// The remotes after a shell line in the repository.
fn after(line: &str) -> Vec<String> {
    let desk = Desk::new();
    desk.bench.run(line).assert_code(0);
    let shown = shown(&desk.gh());
    assert_eq!(desk.stand_in.requests(), [""; 0], "the network was asked");
    shown
}

#[test]
fn g32_git_says_where_a_remote_leads() {
    assert_eq!(after("true"), [""; 0]);
    assert_eq!(
        after(
            "git config url.https://github.com/.insteadOf gh: && git config url.git@github.com:ada/.pushInsteadOf mine: \
             && git remote add a gh:octo/links && git remote add b mine:links"
        ),
        ["a octo/links", "b ada/links"]
    );
    // Who pushes to a fork reports to where the code comes from.
    let fork = "git remote add a https://github.com/octo/links && git remote set-url --push a git@github.com:ada/links";
    assert_eq!(after(fork), ["a octo/links"]);
    // What is fetched from a disk may still be pushed to a tracker.
    let disk = "git remote add a ../links && git remote set-url --push a git@github.com:ada/links";
    assert_eq!(after(disk), ["a ada/links"]);
    let several = "git remote add a https://github.com/octo/links && git remote set-url --add a https://github.com/x/y";
    assert_eq!(after(several), ["a octo/links"]);
    let partial = "git remote add a https://github.com/octo/links && git config remote.a.promisor true && \
                   git config remote.a.partialCloneFilter blob:none && git config core.repositoryFormatVersion 1 && \
                   git config extensions.partialClone a";
    assert_eq!(after(partial), ["a octo/links"]);
    assert_eq!(
        after("git remote add a git@github.com:octo/links && git remote add b https://github.com/octo/links.git"),
        ["a octo/links", "b octo/links"],
        "two remotes may lead to one repository; whoever asks sees both names"
    );
    let hostile = "git config remote.a.url \"$(printf 'https://github.com/x/y (fetch)\\nb\\thttps://github.com/-x/y')\" \
                   && git config remote.--web.url https://github.com/octo/links";
    assert_eq!(after(hostile), ["--web octo/links", "a x/y"], "a line more is no more than a remote more");
}

#[test]
fn g32_the_default_of_gh_is_heard() {
    let two = "git remote add a git@github.com:ada/links && git remote add b https://github.com/octo/links";
    let with = |more: &str| after(&format!("{two} && {more}"));
    assert_eq!(with("git config remote.b.gh-resolved base"), ["a ada/links", "b octo/links default"]);
    assert_eq!(
        with("git config remote.a.gh-resolved octo/chains"),
        ["a ada/links", "a octo/chains default", "b octo/links"]
    );
    assert_eq!(with("git config remote.a.gh-resolved ada/links"), ["a ada/links default", "b octo/links"]);
    // What names no repository is no choice.
    assert_eq!(with("git config remote.a.gh-resolved '../x'"), ["a ada/links", "b octo/links"]);
}

#[test]
fn g32_a_host_counts_if_gh_knows_it() {
    let desk = Desk::new();
    let line = "git remote add a https://git.example.org/octo/links && git remote add b https://gitlab.com/octo/links && \
                git remote add c git@octo.ghe.com:octo/links && git remote add d https://git.example.org/octo/chains";
    desk.bench.run(line).assert_code(0);
    assert_eq!(shown(&desk.gh()), ["c octo.ghe.com/octo/links"]);
    // Each host is asked about once.
    assert_eq!(desk.stand_in.calls().len(), 2, "{:?}", desk.stand_in.calls());
    desk.stand_in.set("hosts", "git.example.org\n");
    let known = ["a git.example.org/octo/links", "c octo.ghe.com/octo/links", "d git.example.org/octo/chains"];
    assert_eq!(shown(&desk.gh()), known);
    desk.stand_in.set("hosts", "");
    let gh = Gh::new(&desk.process, desk.bench.repo().join(".git"), Some("GIT.example.org".to_owned()));
    assert_eq!(shown(&gh), known);

    // Without gh nobody can say whether an unknown host is one; the usual one needs no gh.
    let nowhere = desk.without_gh();
    let gh = Gh::new(&nowhere, desk.bench.repo().join(".git"), None);
    assert_eq!(gh.remotes(), Err(TrackerError::NoProgram));
    let line = "for one in a b c d; do git remote remove $one; done; git remote add e git@github.com:octo/links";
    desk.bench.run(line).assert_code(0);
    assert_eq!(shown(&gh), ["e octo/links"]);
}

#[test]
fn g32_an_alias_of_ssh_is_looked_through() {
    let desk = Desk::new();
    let ssh = desk.stand_in.bin().join("ssh");
    let script = "#!/bin/sh\n[ \"$1\" = -G ] || exit 1\ncase $2 in office) name=ssh.github.com ;; *) name=$2 ;; esac\n\
                  printf 'user git\\nhostname %s\\nport 22\\n' \"$name\"\n";
    executable(&ssh, script);
    let line = "git remote add a git@office:octo/links.git && git remote add b git@home:octo/links.git && \
                git remote add c https://office/octo/links";
    desk.bench.run(line).assert_code(0);
    assert_eq!(shown(&desk.gh()), ["a octo/links"]);
}

#[test]
fn g32_every_kind_of_git_directory_has_its_remotes() {
    let desk = Desk::new();
    desk.bench.run("git remote add a git@github.com:octo/links && git clone -q --bare . ../bare.git").assert_code(0);
    let _ = desk.bench.worktree("linked").dir();
    let linked = desk.bench.repo().join(".git/worktrees/linked");
    assert_eq!(shown(&Gh::new(&desk.process, linked, None)), ["a octo/links"]);
    desk.bench.run("git -C ../bare.git remote set-url origin https://github.com/octo/bare").assert_code(0);
    let bare = desk.bench.root().join("bare.git");
    assert_eq!(shown(&Gh::new(&desk.process, bare, None)), ["origin octo/bare"]);
    std::fs::write(desk.bench.repo().join(".git/config"), "[remote\n").unwrap();
    let failed = desk.gh().remotes().unwrap_err();
    assert!(matches!(&failed, TrackerError::Remotes { why } if why.contains("config")), "{failed}");
}
