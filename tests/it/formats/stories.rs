//! What a session does beyond its questions, where only the `git` program reads the repository.

use serde_json::Value;

use super::{formats, interview};
use crate::bench::{Bench, one_of};

fn bench(format: &str) -> Bench {
    let bench = Bench::with_init(format);
    bench.commit("Cargo.toml", "[package]\nname = \"limiter\"\n");
    bench.commit("src/main.rs", "fn main() {}\n");
    bench
}

#[test]
fn an_interview_in_every_format_from_every_worktree() {
    for (number, format) in formats().enumerate() {
        let bench = bench(format);
        let places = [bench.worktree("linked"), bench.at("src"), bench.at(".")];
        for place in places.iter().skip(number % one_of(2)).step_by(one_of(2)) {
            interview(place, "git");
        }
    }
}

#[test]
fn the_hooks_refuse_and_what_got_by_them_is_named_and_brought_back() {
    for format in formats() {
        let bench = bench(format);
        bench.write("src/main.rs", "fn main() { stashed() }\n");
        bench.run("git stash -q").assert_code(0);
        bench.write("src/main.rs", "fn main() { dirty() }\n");
        bench.write("staged.txt", "staged\n");
        bench.run("git add staged.txt").assert_code(0);
        bench.write("new.txt", "untracked\n");
        let before =
            bench.run("git status --porcelain; git diff; git for-each-ref refs/heads refs/tags; git stash list");
        let before = before.assert_code(0).stdout().to_owned();
        bench.run("git grill start 'rate limiting'").assert_code(0);

        bench.run("git commit -qam no").assert_code(128).assert_contains("the interview is read-only");
        bench.run("git branch no").assert_code(128).assert_contains("the interview is read-only");
        bench.run("git update-ref refs/heads/no HEAD").assert_code(128).assert_contains("the interview is read-only");
        bench.run("git update-ref refs/notes/x HEAD").assert_code(128);
        bench
            .run("GRILL_BACKEND=libgit2 git commit -qam no")
            .assert_code(128)
            .assert_contains("the interview is read-only");
        bench.run("git grill verify").assert_code(0).assert_contains("nothing drifted");

        // Past the hooks, by hand.
        bench.run("git -c core.hooksPath=/dev/null branch sneaky").assert_code(0);
        bench.run("git -c core.hooksPath=/dev/null commit -qm sneaked").assert_code(0);
        bench.run("git -c core.hooksPath=/dev/null stash drop -q").assert_code(0);
        bench.write("src/main.rs", "gone\n");
        bench.run("rm new.txt").assert_code(0);
        let drifted = bench.run("git grill verify").assert_code(1);
        for named in ["refs/heads/sneaky", "refs/heads/main", "refs/stash", "src/main.rs", "new.txt"] {
            assert!(drifted.stdout().contains(named), "{format}: {named} is not named:\n{}", drifted.stdout());
        }
        bench.run("git grill verify --restore --yes").assert_code(0).assert_contains("the baseline is back");
        bench.run("git grill verify").assert_code(0).assert_contains("nothing drifted");
        bench.run("git grill stop --without-output").assert_code(0);
        let after =
            bench.run("git status --porcelain; git diff; git for-each-ref refs/heads refs/tags; git stash list");
        assert_eq!(after.assert_code(0).stdout(), before, "{format}");
        bench.run("git commit -qm yes").assert_code(0);
    }
}

#[test]
fn g3_a_session_is_active_in_one_worktree_and_the_other_is_let_through() {
    for format in formats() {
        let bench = bench(format);
        let linked = bench.worktree("linked");
        bench.run("git grill start 'rate limiting'").assert_code(0);
        let id = bench.run("git symbolic-ref GRILL_HEAD").assert_code(0).stdout().trim().to_owned();
        let id = id.strip_prefix("refs/grill/sessions/").unwrap();
        linked.run(&format!("git grill resume {id}")).assert_code(1).assert_contains("active");
        linked.run("git grill status").assert_contains("no session is active in this worktree");
        linked.run("git commit -q --allow-empty -m yes").assert_code(0);
        linked.run("git grill start 'caching'").assert_code(0);
        linked.run("git commit -q --allow-empty -m no").assert_code(128);
        bench.run("git grill stop --without-output").assert_code(0);
        linked.run("git commit -q --allow-empty -m no").assert_code(128);
        bench.run("git commit -q --allow-empty -m yes").assert_code(0);
        linked.run("git grill stop --without-output").assert_code(0);
        linked.run("git commit -q --allow-empty -m yes").assert_code(0);
        bench.run(&format!("git grill resume {id}")).assert_code(1).assert_contains("has ended");
    }
}

#[test]
fn g15_the_repository_is_looked_at_and_places_are_cited() {
    for format in formats() {
        let bench = bench(format);
        bench.run("git grill start 'rate limiting' --intent plan").assert_code(0);
        let evidence = bench.run("git show GRILL_HEAD:.grill/evidence.yaml").assert_code(0).stdout().to_owned();
        for found in ["Cargo.toml", "src/main.rs"] {
            assert!(evidence.contains(found), "{format}: {found} is not in\n{evidence}");
        }
        let blob = bench.run("git rev-parse HEAD:Cargo.toml").assert_code(0).stdout().trim().to_owned();
        assert!(evidence.contains(&blob), "{format}: no whole blob id {blob} in\n{evidence}");
        bench.run("git grill stop --without-output").assert_code(0);
    }
}

#[test]
fn agents_tools_and_agents_hooks_see_the_session() {
    for format in formats() {
        let bench = bench(format);
        bench.run("git grill start 'rate limiting'").assert_code(0);
        let told = bench.run_with_input("git grill tool grill_status", "{}").assert_code(0).stdout().to_owned();
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["active"], true, "{told}");
        // An agent's own hook, from a folder below: the session is found by its mark alone.
        let call = serde_json::json!({
            "hook_event_name": "PreToolUse", "tool_name": "Write", "cwd": bench.repo().join("src"),
            "tool_input": {"file_path": bench.repo().join("src/x.rs"), "content": ""},
        });
        let guard = || bench.at("src").run_with_input("git-grill guard --for claude", call.to_string());
        guard().assert_code(2).assert_contains("the interview is read-only");
        let prompt = serde_json::json!({"hook_event_name": "UserPromptSubmit", "cwd": bench.repo(), "prompt": "hello"});
        let told = bench.run_with_input("git-grill instructions --for claude --hook prompt", prompt.to_string());
        told.assert_code(0).assert_contains("rate limiting");
        bench.run("git grill stop --without-output").assert_code(0);
        guard().assert_code(0).assert_stdout("");
    }
}

#[test]
fn commits_are_signed_and_git_says_so() {
    for format in formats() {
        let bench = bench(format);
        bench.run("ssh-keygen -q -t ed25519 -N '' -C carl -f ../home/key").assert_code(0);
        bench.run("echo \"carl@example.org $(cat ../home/key.pub)\" > ../allowed").assert_code(0);
        bench.global_config(&format!(
            "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tallowedSignersFile = {}\n[user]\n\tsigningKey = ~/key\n[commit]\n\t\
             gpgSign = true\n",
            bench.root().join("allowed").display()
        ));
        bench.run("git grill start 'rate limiting'").assert_code(0);
        bench.run("git grill answer 1").assert_code(0);
        let said = bench.run("git log --format=%G? GRILL_HEAD").assert_code(0);
        assert!(
            said.stdout().lines().count() > 2 && said.stdout().lines().all(|line| line == "G"),
            "{format}: {said:?}"
        );
        bench.run("git fsck --strict --no-dangling").assert_code(0);
        bench.run("git grill stop --without-output").assert_code(0);
    }
}

#[test]
fn g31_what_was_approved_is_written_committed_and_taken_back() {
    for format in formats() {
        let bench = bench(format);
        bench.write("docs/api.md", "# Ours\nby hand\n");
        bench.run("git add . && git commit -qm docs").assert_code(0);
        bench.scripts_may_approve();
        bench.run("git grill start --research off 'rate limiting'").assert_code(0);
        bench.run("git grill answer 'requests per client are counted'").assert_code(0);
        bench.run("git grill select design-doc --path docs/api.md").assert_code(0);
        bench.run("git grill approve").assert_code(0);
        bench.run("grep -qi 'rate limiting' docs/api.md").assert_code(0);
        bench.run("git grill verify").assert_code(0);
        bench.run("git grill produce --undo").assert_code(0).assert_contains("docs/api.md is as it was before");
        bench.run("git diff --exit-code && git grill approve").assert_code(0);
        // The hooks let exactly this through, and the baseline expects it.
        bench.run("git commit -qam 'the design'").assert_code(0);
        bench.run("git grill verify").assert_code(0).assert_contains("nothing drifted");
        bench.run("git grill finish && git grill stop --without-output").assert_code(0);
    }
}
