//! What a run cannot do to the repository, as root and as anybody else.

use crate::bench::Bench;

/// Every way to write that a shell has; each says so when it got through.
const WRITES: &str = "\
    (echo x > new) && echo created
    (echo x >> README.md) && echo appended
    (: > README.md) && echo emptied
    rm -f README.md && echo removed
    mv README.md other && echo renamed
    ln README.md linked && echo linked
    ln -s README.md pointed && echo pointed
    mkdir folder && echo made
    truncate -s 0 README.md && echo truncated
    chmod 777 README.md && echo modes
    chown 0:0 README.md && echo owners
    touch README.md && echo times
    touch .git/HEAD && echo head
    (echo x > .git/hooks/pre-commit) && echo hooks
    git add -A && echo added
    git commit --quiet --allow-empty -m x && echo committed
    git -c core.hooksPath=/dev/null update-ref refs/heads/x HEAD && echo branched
    git config user.name x && echo configured
    true";

#[test]
fn g37_nothing_in_the_repository_can_be_written() {
    for profile in ["agent", "command"] {
        let bench = Bench::new();
        bench.write("try.sh", WRITES);
        let line = format!("git grill run --profile {profile} -- sh ./try.sh");
        bench.run(&line).assert_code(0).assert_stdout("");
        bench.as_nobody(&line).assert_code(0).assert_stdout("");
    }
}
