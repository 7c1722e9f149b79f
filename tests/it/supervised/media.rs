//! Pictures that go with a prompt, and media that an agent makes (A19, A20).

use serde_json::{Value, json};

use super::{Lent, of_kind};
use crate::leading::{agent, play, walled};

const EMBEDS: &str = r#"{"agentCapabilities": {"loadSession": true, "promptCapabilities": {"embeddedContext": true}}}"#;

/// A PNG of this size whose pixels are missing.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes().iter().chain(&height.to_be_bytes()));
    bytes.extend(b"\x08\x02\0\0\0");
    bytes
}

fn lent(initialize: &Value, turns: &Value) -> Lent {
    let lent = Lent::playing(&json!({"initialize": initialize, "turns": turns}));
    std::fs::write(lent.repo().join("shot.png"), png(64, 32)).unwrap();
    lent
}

fn home(lent: &Lent) -> std::path::PathBuf {
    lent.root().join("home")
}

fn embeds() -> Value {
    serde_json::from_str(EMBEDS).unwrap()
}

#[test]
fn a19_a_picture_is_copied_named_by_its_content_and_sent_as_a_resource() {
    if !walled() {
        return;
    }
    let lent =
        lent(&embeds(), &json!([[{"say": "$PROMPT $BLOCKS"}], [{"say": "$BLOCKS"}], [{"say": "none: $BLOCKS"}]]));
    let screen = lent.agrees(&["--media", "shot.png", "look"]);
    assert!(crate::pty::one_line(&screen).contains("The prompt comes with a picture: shot.png."), "{screen}");
    lent.rests("g1");
    let said = lent.words("g1", "t1");
    let copies: Vec<_> = std::fs::read_dir(lent.repo().join(".git/grill/agents/g1/media")).unwrap().collect();
    let [Ok(copy)] = copies.as_slice() else { panic!("{copies:?}") };
    let name = copy.file_name().into_string().unwrap();
    lent.run(&format!("sha256sum shot.png | grep -q ^{}", name.strip_suffix(".png").unwrap())).assert_code(0);
    assert_eq!(std::fs::read(copy.path()).unwrap(), png(64, 32));
    let (text, blocks) = said.split_once(' ').unwrap();
    let blocks: Value = serde_json::from_str(blocks).unwrap();
    assert_eq!((text, &blocks[0]["type"]), ("look", &json!("resource")));
    let resource = &blocks[0]["resource"];
    assert_eq!(resource["mimeType"], "image/png");
    assert!(
        resource["uri"].as_str().is_some_and(|uri| uri.starts_with("file:///") && uri.ends_with(&name)),
        "{blocks}"
    );
    assert!(resource["blob"].as_str().unwrap().starts_with("iVBORw0KGgo"), "{blocks}");
    // The original may go: what was sent is the copy. A second turn has pictures of its own, and the next one none.
    assert_eq!(of_kind(&lent.records("g1"), "turn-queued")[0]["media"], json!([name]));
    lent.told("send g1 --confirm-provider-use --media shot.png --media ./shot.png again");
    lent.rests("g1");
    let again: Value = serde_json::from_str(&lent.words("g1", "t2")).unwrap();
    assert_eq!(again.as_array().map(Vec::len), Some(2));
    lent.sends("g1", "plain");
    lent.rests("g1");
    assert_eq!(lent.words("g1", "t3"), "none: []");
    lent.run("git grill agent log g1").assert_contains("t1 was queued, with 1 picture");
    let gone = lent.told("cleanup g1")["paths"].to_string();
    assert!(gone.contains(&format!("/g1/media/{name}\"")), "{gone}");
    assert!(!lent.repo().join(".git/grill/agents/g1/media").exists());
    lent.is_over();
}

#[test]
fn a19_an_agent_that_takes_no_pictures_is_sent_nothing() {
    if !walled() {
        return;
    }
    let lent = lent(&json!({}), &json!([[{"say": "first"}], [{"say": "second"}]]));
    lent.agrees(&["--media", "shot.png", "look"]);
    lent.sends("g1", "without");
    let session = lent.rests("g1");
    assert_eq!((&session["turns"][0]["state"], &session["turns"][1]["state"]), (&json!("failed"), &json!("completed")));
    assert_eq!(session["turns"][0]["failure"]["code"], "embedded_context_unsupported");
    assert!(!lent.wire("g1").contains("look"), "the prompt was sent");
    assert_eq!(lent.words("g1", "t2"), "first");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a19_what_may_not_leave_this_machine_is_refused_before_anything_is_started() {
    if !walled() {
        return;
    }
    let lent = lent(&embeds(), &json!([]));
    let (house, repo) = (home(&lent), lent.repo());
    let put = |path: &std::path::Path, bytes: &[u8]| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    put(&house.join("outside.png"), &png(64, 64));
    put(&repo.join(".git/inside.png"), &png(64, 64));
    put(&repo.join("small.png"), &png(8, 63));
    put(&repo.join("thin.png"), &png(7, 640));
    put(&repo.join("text.png"), b"<svg/>");
    put(&repo.join("cut.png"), &png(64, 64)[..10]);
    put(&repo.join("page.svg"), b"<svg/>");
    put(&repo.join("huge.png"), &[png(64, 64), vec![0; 10 * 1024 * 1024]].concat());
    std::os::unix::fs::symlink(house.join("outside.png"), repo.join("link.png")).unwrap();
    lent.run("mkfifo pipe.png && mkdir folder.png && cp shot.png one.png && ln one.png hard.png").assert_code(0);
    for (path, why) in [
        ("https://example.org/a.png", "it is an address"),
        ("data:image/png;base64,AAAA", "it is an address"),
        ("../home/outside.png", "it is not a file of this repository"),
        ("link.png", "it is not a file of this repository"),
        (".git/inside.png", "it is not a file of this repository"),
        ("small.png", "it is 8 x 63 pixels"),
        ("thin.png", "it is 7 x 640 pixels"),
        ("text.png", "it is not a PNG file"),
        ("cut.png", "its size in pixels cannot be read"),
        ("page.svg", "its extension is not"),
        ("huge.png", "at most 10 MiB together"),
        ("pipe.png", "it is no ordinary file"),
        ("folder.png", "it is a directory"),
        ("gone.png", "No such file"),
        ("", "an empty path was given"),
        ("hard.png", "it has several names"),
    ] {
        let done = lent.run(&format!("git grill agent start --agent scripted --media '{path}' look")).assert_code(1);
        let told = done.stderr();
        assert!(told.contains("nothing was sent") && told.contains(why), "{path}: {told}");
    }
    let nine = "--media shot.png ".repeat(9);
    lent.run(&format!("git grill agent start --agent scripted {nine} look"))
        .assert_code(1)
        .assert_contains("at most 8 pictures, and 9 were given");
    lent.run("git grill agent status").assert_code(0).assert_contains("there is no agent session yet");
}

#[test]
fn a20_what_an_agent_makes_among_its_own_files_is_copied_and_told_of_by_path() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let script = lent.root().join("script.json");
    lent.global_config(&format!(
        "[grill \"agent.grok\"]\n\tcommand = {} --script {}\n",
        agent().display(),
        script.display()
    ));
    let (house, root) = (home(&lent).display().to_string(), lent.root().display().to_string());
    std::fs::write(lent.root().join("picture"), png(64, 64)).unwrap();
    std::fs::write(lent.root().join("other.png"), png(32, 32)).unwrap();
    let make = format!(
        "mkdir -p {house}/.grok/s/1 && cp {root}/picture {house}/.grok/s/1/sky.png && cp {root}/picture {house}/.grok/s/1/again.png && \
         echo text >{house}/.grok/s/1/text.png && ln -s {root}/other.png {house}/.grok/s/1/link.png && cp {root}/picture /tmp/mine.png"
    );
    let names = format!(
        "![sky]({house}/.grok/s/1/sky.png), {house}/.grok/s/1/text.png {house}/.grok/s/1/link.png {root}/other.png /tmp/mine.png"
    );
    let called =
        json!({"kind": "other", "title": "image_gen", "locations": [{"path": format!("{house}/.grok/s/1/again.png")}]});
    play(&lent, &json!({"turns": [[{"shell": make}, {"does": called}, {"say": names}], [{"say": "nothing new"}]]}));
    let mut sitting = crate::conversation::Sitting::at(
        &lent,
        &["agent", "start", "--agent", "grok", "--profile", "media", "paint the sky"],
        50,
        110,
        &[],
    );
    sitting.below("Start Grok Build (", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(crate::leading::ENTER);
    sitting.ends_with(0);
    let session = lent.rests("g1");
    assert_eq!(session["turns"][0]["state"], "completed", "{session}");
    let result = lent.told("result g1")["result"].clone();
    let told = result["media"].as_array().unwrap();
    let [one] = told.as_slice() else { panic!("{result}") };
    let one = one.as_str().unwrap();
    assert!(one.contains("/.git/grill/agents/g1/media/") && std::fs::read(one).unwrap() == png(64, 64), "{one}");
    lent.run("git grill agent result g1").assert_contains(&format!("picture or video of the agent: {one}"));
    assert!(!home(&lent).join(".grok/s").exists(), "the agent's folder is its own");
    lent.run("git grill agent send g1 --confirm-provider-use more").assert_code(0);
    lent.rests("g1");
    assert_eq!(lent.told("result g1")["result"]["media"], json!([]));
    lent.told("cancel g1");
    // It is the agent's work, and stays.
    lent.told("cleanup g1");
    assert_eq!(std::fs::read(one).unwrap(), png(64, 64));
    lent.is_over();
}
