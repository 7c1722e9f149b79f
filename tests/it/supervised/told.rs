//! The walk that the README shows, line by line as it stands there: an agent tries something in a copy, the person reads the
//! difference, takes it, and takes that back (A2, A16).

use serde_json::json;

use super::Lent;
use crate::conversation::Sitting;
use crate::leading::{ENTER, play, walled};

/// The commands of the section's first block, without what is said of them.
fn walk() -> Vec<String> {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let (_, section) = readme.split_once("\n## Work for agents\n").unwrap();
    let block = section.split("```").nth(1).unwrap();
    let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
    commands.map(|line| line.split("   #").next().unwrap().trim().to_owned()).collect()
}

#[test]
fn a2_a16_the_walk_of_the_readme_is_walked_as_it_stands() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    lent.global_config("[grill \"agent\"]\n\tdefault = scripted\n");
    let (reads, edits) =
        (json!([{"say": "All of them."}]), json!([{"shell": "echo more >>README.md"}, {"say": "Done."}]));
    play(&lent, &json!({"turns": [reads, reads]}));
    let walk = walk();
    assert!(walk.len() >= 10, "{walk:?}");
    for line in &walk {
        if line.contains("worktree-edit") {
            play(&lent, &json!({"turns": [edits]}));
        }
        let asks = match line {
            line if line.contains("start --agent claude") => Some(("Start scripted (", "2")),
            line if line.contains("accept g2") && !line.contains("--undo") => Some((" of g2?", "1")),
            _ => None,
        };
        let mut sitting = Sitting::of_a_line(&lent, &format!("exec {}", line.replace("claude", "scripted")));
        if let Some((question, answer)) = asks {
            sitting.below(question, "digits jump");
            sitting.pty.send(answer);
            sitting.pty.send(ENTER);
        }
        let (code, screen) = sitting.end();
        assert_eq!(code, 0, "{line}: {screen}");
        if line.contains("worktree-edit") {
            lent.rests("g2");
        }
        let accepted = lent.read("README.md").contains("more");
        assert_eq!(accepted, line.ends_with("accept g2"), "{line}");
    }
    assert!(walk.iter().any(|line| line.ends_with("accept g2")));
    for session in ["g1", "g2"] {
        lent.told(&format!("cancel {session}"));
    }
    lent.is_over();
}
