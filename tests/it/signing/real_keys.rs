//! Real keys, judged by git: ssh's everywhere, gpg's where it is installed.

use super::verdicts;
use crate::bench::Bench;

/// A world with an ssh key that git trusts, and with `config` as what the user set.
fn with_ssh_key(config: &str) -> Bench {
    let bench = Bench::new();
    bench.run("ssh-keygen -q -t ed25519 -N '' -C carl -f ../home/key").assert_code(0);
    bench.run("echo \"carl@example.org $(cat ../home/key.pub)\" > ../allowed").assert_code(0);
    let allowed = bench.root().join("allowed");
    bench.global_config(&format!(
        "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tallowedSignersFile = {}\n{config}",
        allowed.display()
    ));
    bench
}

/// An interview with words of a person, a script, an agent and the program itself.
fn talk(bench: &Bench) {
    bench.run("git grill start 'a faster search'").assert_code(0).assert_quiet();
    bench.run("git grill answer 'half a second at most'").assert_code(0).assert_quiet();
    bench.run("CLAUDECODE=1 git grill answer --choose 1").assert_code(0).assert_quiet();
}

#[test]
fn every_commit_is_signed_with_the_ssh_key_of_the_committer() {
    let bench = with_ssh_key("[user]\n\tsigningKey = ~/key\n[commit]\n\tgpgSign = true\n");
    talk(&bench);
    assert_eq!(verdicts(&bench), "GGGGGG");
    bench.run("git verify-commit GRILL_HEAD").assert_code(0);
    let authors = bench.run("git log --format='%an' GRILL_HEAD | sort -u").assert_code(0);
    authors.assert_stdout("Ada Author\nclaude (via git grill)\ngit grill\n");
    bench.run("git fsck --strict").assert_code(0);
    bench.run("git grill checkpoint log").assert_code(0).assert_quiet();
    bench.run("ls .git/grill | grep signing").assert_code(1);
}

#[test]
fn a_signature_covers_the_commit_it_is_in() {
    let bench = with_ssh_key("[user]\n\tsigningKey = ~/key.pub\n[commit]\n\tgpgSign = true\n");
    bench.run("git grill start 'a faster search'").assert_code(0);
    let forged = "git cat-file commit GRILL_HEAD | sed 's/^Grill-Actor: .*/Grill-Actor: human/' >../forged &&
        git verify-commit $(git hash-object -t commit -w ../forged)";
    bench.run(forged).assert_code(1);
    let copied = "git cat-file commit GRILL_HEAD >../copy && git verify-commit $(git hash-object -t commit -w ../copy)";
    bench.run(copied).assert_code(0);
}

#[test]
fn a_key_that_only_an_agent_holds_is_named_by_its_public_half() {
    let bench = with_ssh_key("[commit]\n\tgpgSign = true\n");
    bench.run("git config user.signingKey \"key::$(cut -d' ' -f1,2 ../home/key.pub)\"").assert_code(0);
    let line = "ssh-agent sh -c 'ssh-add -q ../home/key && mv ../home/key ../home/away && git grill start x'";
    bench.run(line).assert_code(0).assert_quiet();
    assert_eq!(verdicts(&bench), "GG");
    bench.run("git config --unset user.signingKey").assert_code(0);
    bench.run("git config --global gpg.ssh.defaultKeyCommand 'ssh-add -L'").assert_code(0);
    let line = "ssh-agent sh -c 'ssh-add -q ../home/away && git grill answer \"half a second\"'";
    bench.run(line).assert_code(0).assert_quiet();
    assert_eq!(verdicts(&bench), "GGGG");
    let refused = bench.run("ssh-agent git grill answer 'nobody has the key'").assert_code(128);
    refused.assert_contains("not recorded: ssh-keygen failed to sign").assert_contains("no identities");
}

/// A path in the configuration begins at the top of the working tree, wherever the command is typed.
#[test]
fn a_relative_key_is_found_from_a_folder_and_from_a_linked_worktree() {
    let bench = with_ssh_key("[user]\n\tsigningKey = ../home/key\n[commit]\n\tgpgSign = true\n");
    bench.write("src/lib.rs", "\n");
    let other = bench.worktree("other");
    bench.at("src").run("git grill start 'a faster search'").assert_code(0).assert_quiet();
    assert_eq!(verdicts(&bench), "GG");
    other.run("git grill start 'a slower search' && git verify-commit GRILL_HEAD").assert_code(0);
}

#[test]
fn nothing_is_signed_unless_it_is_asked_for_and_grill_sign_goes_first() {
    let bench = with_ssh_key("[user]\n\tsigningKey = ~/key\n");
    bench.run("git grill start 'a faster search'").assert_code(0);
    assert_eq!(verdicts(&bench), "NN");
    bench.run("git config grill.sign true && git grill answer 'half a second'").assert_code(0);
    assert_eq!(verdicts(&bench), "GGNN");
    bench.run("git config commit.gpgSign true && git config grill.sign false").assert_code(0);
    bench.run("git grill answer --choose 1").assert_code(0);
    assert_eq!(verdicts(&bench), "NNGGNN");
    bench.run("git config --unset grill.sign && git grill answer --choose 1").assert_code(0);
    assert_eq!(verdicts(&bench), "GGNNGGNN");
    bench.run("git -c commit.gpgSign=false grill answer --choose 1").assert_code(0);
    assert_eq!(verdicts(&bench), "NNGGNNGGNN");
}

/// Without gpg on this machine this test says so and proves nothing; the stand-in in `formats` holds what is run.
#[test]
fn a_real_gpg_key_is_found_by_the_committer_where_gpg_is_installed() {
    let bench = Bench::new();
    if bench.run("gpg --version").code != 0 {
        eprintln!("skipped: there is no gpg here");
        return;
    }
    bench.run("mkdir -m 700 ../home/.gnupg").assert_code(0);
    let generate = "gpg --batch --quiet --pinentry-mode loopback --passphrase '' --quick-generate-key \
                    'Carl Committer <carl@example.org>' ed25519 sign never";
    bench.run(generate).assert_code(0);
    bench.global_config("[commit]\n\tgpgSign = true\n");
    bench.run("git grill start 'a faster search'").assert_code(0).assert_quiet();
    bench.run("git grill answer 'half a second at most'").assert_code(0).assert_quiet();
    let verdicts = bench.run("git log --format=%G? GRILL_HEAD").assert_code(0).stdout().replace('\n', "");
    bench.run("git verify-commit GRILL_HEAD").assert_code(0).assert_contains("Good signature");
    bench.run("gpgconf --kill gpg-agent").assert_code(0);
    // The key is our own, so its trust is ultimate.
    assert_eq!(verdicts, "GGGG");
}
