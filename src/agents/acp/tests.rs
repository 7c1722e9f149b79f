//! What each agent is started with, and that every preset is whole.

use super::*;
use crate::domain::agents::profile::{Profile, TERMS};

#[test]
fn every_preset_is_whole() {
    for preset in Preset::all() {
        assert!(!preset.command.is_empty() && !preset.install.is_empty() && !preset.log_in.is_empty());
        assert!(preset.opening.is_none_or(|said| serde_json::from_str::<serde_json::Value>(said).is_ok()));
        assert_eq!(Preset::named(preset.name()), Some(preset));
        // Not one of them is started in a mode that asks nobody, or without a protocol (A3).
        let words = preset.command.join(" ");
        for never in ["--always-approve", "--yolo", "-p", "--print", "exec", "dangerously"] {
            assert!(!preset.command.contains(&never) && !words.contains("dangerously"), "{words}");
        }
    }
    assert!(Preset::named("sh").is_none() && Preset::named("").is_none());
}

#[test]
fn the_version_that_was_tried_is_not_older_than_the_least() {
    for preset in Preset::all() {
        if let (Some(tried), Some(least)) = (preset.tried, preset.least) {
            assert_eq!(is_older(tried, least.version), Some(false), "{}", preset.name());
        }
        // A version is compared only where it is known how a newer one is got.
        assert!(preset.least.is_none() || !preset.install.is_empty(), "{}", preset.name());
    }
}

#[test]
fn g56_one_that_starts_all_the_same_does_not_lack_its_start() {
    for (name, version, speaks, too_old) in [
        ("claude", "0.43.9", true, true),
        ("claude", "0.44.0", true, false),
        ("gemini", "0.32.0", false, true),
        ("gemini", "0.32.0", true, false),
        ("gemini", "0.33.0", false, false),
        ("codex", "0.0.1", true, false),
        ("claude", "next", true, false),
    ] {
        let asked = Preset::named(name).unwrap().asks_for_newer(version, speaks);
        assert_eq!(asked.is_some(), too_old, "{name} {version}");
    }
}

/// As facts on the wire say it: forms come from two adapters and from Grok, by a method of its own.
#[test]
fn a36_each_agent_says_whether_it_elicits() {
    let told: Vec<_> = Preset::all().map(|preset| (preset.name(), preset.elicits)).collect();
    assert_eq!(
        told,
        [
            ("claude", Elicits::Yes),
            ("codex", Elicits::Yes),
            ("gemini", Elicits::No),
            ("opencode", Elicits::WithVariable("OPENCODE_ENABLE_QUESTION_TOOL")),
            ("grok", Elicits::Yes),
            ("pi", Elicits::No),
        ]
    );
    assert_eq!(Preset::other().elicits, Elicits::Unknown);
}

/// `.ci/agents` installs exactly the versions that a preset says were tried.
#[test]
fn the_versions_that_were_tried_are_those_that_are_installed() {
    let script = include_str!("../../../.ci/agents");
    for preset in Preset::all() {
        let package = preset.install.strip_prefix("npm install -g ").unwrap();
        let tried = preset.tried.map(|version| format!("    {package}@{version}"));
        assert!(tried.is_none_or(|line| script.lines().any(|is| is == line)), "{package}");
        assert_eq!(preset.tried.is_some(), preset.leads == Leads::OverAcp, "{package}");
    }
}

fn spelled(words: &[Word], walled: bool) -> String {
    let words: Vec<OsString> = words.iter().map(|word| word.spelled(Path::new("/desk"), walled)).collect();
    words.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
}

/// All that a preset says of a profile, in a line.
fn row(agent: &str, profile: Profile) -> String {
    let Lent { command, variables, settings } = (Preset::named(agent).unwrap().lent)(profile.terms());
    let set = |setting: Option<Setting>| setting.map_or("-", |setting| setting.value).to_owned();
    let mut parts: Vec<String> =
        command.into_iter().flat_map(|words| [true, false].map(|walled| spelled(words, walled))).collect();
    parts.extend(variables.iter().map(|(name, value)| format!("{name}={value}")));
    parts.push(format!("{} {}", set(settings.walled), set(settings.bare)));
    parts.join(" | ")
}

/// What Grok is started with behind our walls, and without them in this sandbox of its own.
fn grok(bare: &str) -> String {
    let line = |sandbox: &str| {
        format!("grok --no-auto-update --cwd /desk --sandbox {sandbox} --always-approve agent --no-leader stdio")
    };
    format!("{} | {} | - -", line("off"), line(bare))
}

#[test]
fn a3_a4_what_each_agent_is_started_with_under_each_profile() {
    let opencode = |rules: &str| format!(r#"OPENCODE_CONFIG_CONTENT={{"permission":{{{rules}}}}} | - -"#);
    let no_web = r#""webfetch":"deny","websearch":"deny","codesearch":"deny""#;
    let looks = format!(r#""edit":"deny","bash":"ask",{no_web}"#);
    for (agent, rows) in [
        ("claude", ["default default"; 6].map(str::to_owned)),
        (
            "codex",
            [
                "agent-full-access read-only",
                "agent-full-access read-only",
                "agent-full-access read-only",
                "agent-full-access workspace-write",
                "agent-full-access workspace-write",
                "agent-full-access read-only",
            ]
            .map(str::to_owned),
        ),
        ("gemini", ["- -"; 6].map(str::to_owned)),
        ("grok", ["read-only", "read-only", "read-only", "workspace", "workspace", "read-only"].map(grok)),
        (
            "opencode",
            [
                opencode(&looks),
                opencode(r#""edit":"deny","bash":"ask""#),
                opencode(r#""*":"deny","webfetch":"allow","websearch":"allow","codesearch":"allow""#),
                opencode(&format!(r#""edit":"ask","bash":"ask",{no_web}"#)),
                opencode(r#""edit":"ask","bash":"ask""#),
                opencode(&looks),
            ],
        ),
        ("pi", ["- -"; 6].map(str::to_owned)),
    ] {
        for (terms, wanted) in TERMS.iter().zip(rows) {
            assert_eq!(row(agent, terms.profile), wanted, "{agent}, {}", terms.name);
        }
    }
    assert_eq!(Preset::all().count(), 6, "each agent has its rows");
}

#[test]
fn a3_every_command_begins_with_the_program_of_its_preset_and_settings_are_whole() {
    for preset in Preset::all() {
        for terms in &TERMS {
            let lent = (preset.lent)(terms);
            let program = lent.command.map(|words| words[0]);
            assert!(program.is_none_or(|word| word == Word::Is(preset.command[0])), "{}", preset.name());
            for (_, value) in lent.variables.iter().filter(|(name, _)| name.ends_with("_CONTENT")) {
                assert!(serde_json::from_str::<serde_json::Value>(value).is_ok(), "{value}");
            }
        }
        // As interviewer none is started so.
        assert!(!preset.command.contains(&"--always-approve"), "{}", preset.name());
    }
}
