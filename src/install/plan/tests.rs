//! Every agent against every state that its files can be in.

use super::*;
use crate::agents::hooks::AskedBy;
use crate::agents::install::Purpose;
use crate::agents::{Hooked, Installable};
use crate::app::agents::Scope;
use crate::install::recipe::{Gate, Given, Permission, parts};

const LINE: &str = "git-grill guard --for x || { echo 'no' >&2; exit 2; }";
const OLD_LINE: &str = "git-grill guard --for x";

/// What the guard gives an agent, in the version that writes this line.
fn given(agent: Installable, line: &str) -> Given {
    let hooked = Hooked::named(agent.name());
    let gate = match hooked.map(|hooked| hooked.asked_by) {
        Some(AskedBy::File(_)) => Gate::Plugin("// asks\nexport const x = 1;\n".to_owned()),
        Some(AskedBy::Line) => Gate::Line(line.to_owned()),
        None => Gate::None,
    };
    let telling = |moment: &str| Some(line.replace("guard --for x", &format!("instructions --for x --hook {moment}")));
    let at_start = hooked.filter(|hooked| hooked.at_start.is_installed).and_then(|_| telling("session-start"));
    let with_prompt = hooked.filter(|hooked| hooked.with_prompt.is_installed).and_then(|_| telling("prompt"));
    // With it, so that every file that can hold it does.
    Given { gate, at_start, with_prompt, permission: Permission::Wanted }
}

/// The files that this agent gets in the version that writes this line.
fn files(agent: Installable, scope: Scope, line: &str) -> Vec<FilePlan> {
    by_file(parts(agent, scope, &given(agent, line))).into_iter().filter(|file| !is_former(file)).collect()
}

/// Every file of every agent in both scopes.
fn all() -> Vec<(Installable, FilePlan)> {
    let both = [Scope::Project, Scope::User];
    let of = |agent| both.map(|scope| files(agent, scope, LINE)).concat();
    Installable::all().flat_map(|agent| of(agent).into_iter().map(move |file| (agent, file))).collect()
}

fn is_own(file: &FilePlan) -> bool {
    file.parts.iter().any(|part| matches!(part.content, Content::Own(_)))
}

fn is_former(file: &FilePlan) -> bool {
    file.parts.iter().any(|part| matches!(part.content, Content::Former))
}

fn is_toml(file: &FilePlan) -> bool {
    file.parts.iter().any(|part| matches!(part.content, Content::TomlServer))
}

#[track_caller]
fn installed(file: &FilePlan, before: Option<&str>) -> String {
    let with = file.edited(before, InstallAction::Install).unwrap().unwrap();
    let standings = file.standing(Some(&with)).unwrap();
    assert!(standings.iter().all(|one| *one == EntryState::Current), "{}: {standings:?}", file.place.path);
    assert_eq!(file.edited(Some(&with), InstallAction::Install).unwrap().as_ref(), Some(&with), "{}", file.place.path);
    with
}

#[test]
fn g37_every_agent_gets_a_server_or_a_command_and_those_with_hooks_a_gate() {
    for agent in Installable::all() {
        for scope in [Scope::Project, Scope::User] {
            let parts = parts(agent, scope, &given(agent, LINE));
            let has = |purpose| parts.iter().any(|part| part.purpose == purpose);
            assert!(has(Purpose::Server) || has(Purpose::Command), "{agent}");
            assert_ne!(has(Purpose::Server), has(Purpose::Tools), "{agent} takes our tools in one way");
            let told = !matches!(agent.name(), "grok" | "vscode" | "zed");
            assert_eq!(has(Purpose::Telling), told, "{agent}");
            assert_eq!(has(Purpose::Gate), given(agent, LINE).gate != Gate::None, "{agent}");
            for part in &parts {
                assert!(!part.place.path.starts_with('/') && !part.place.path.contains(".."), "{agent}");
            }
        }
    }
}

#[test]
fn no_file_becomes_one_and_none_again() {
    for (agent, file) in all() {
        let with = installed(&file, None);
        assert!(with.ends_with('\n'), "{agent} {}", file.place.path);
        assert_eq!(file.edited(Some(&with), InstallAction::Uninstall), Ok(None), "{agent} {}", file.place.path);
        assert_eq!(file.edited(None, InstallAction::Uninstall), Ok(None));
    }
}

#[test]
fn other_entries_and_comments_stay_to_the_byte() {
    let json = [
        "{}",
        "{\n}\n",
        "{ \"version\": 1 }",
        "{\n  // mine\n  \"mcpServers\": {\"a\": {\"command\": \"x\"}}, /* y */\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"x\"},]},\n}\n",
        "{\r\n\t\"servers\": {\r\n\t},\r\n\t\"mcp\": {}, \"context_servers\": { },\r\n\t\"hooks\": {\"BeforeTool\": [], \"preToolUse\": [ ]}\r\n}",
    ];
    let toml = [
        "",
        "# mine",
        "[permission]\nallow = [\"Read\"]\n",
        "[mcp_servers.a] # kept\ncommand = \"x\"\n\n# the end\n",
        "a = 1\r\n",
    ];
    for (agent, file) in all().into_iter().filter(|(_, file)| !is_own(file)) {
        for before in if is_toml(&file) { toml.as_slice() } else { json.as_slice() } {
            let with = installed(&file, Some(before));
            let after = file.edited(Some(&with), InstallAction::Uninstall).unwrap();
            assert_eq!(after.as_deref(), Some(*before), "{agent} {}:\n{with}", file.place.path);
        }
    }
}

#[test]
fn what_an_older_version_wrote_is_updated() {
    for agent in Installable::all() {
        let old = files(agent, Scope::Project, OLD_LINE);
        for (old, now) in old.into_iter().zip(files(agent, Scope::Project, LINE)) {
            let with = installed(&old, None).replace(
                "\"command\": \"git\", \"args\": [\"grill\", \"mcp\"]",
                "\"command\": \"git-grill\", \"args\": [\"mcp\"]",
            );
            let with = with.replace("command = \"git\"", "command = \"/usr/bin/git\"");
            let before = now.standing(Some(&with)).unwrap();
            let updated = installed(&now, Some(&with));
            if before.contains(&EntryState::Older) {
                assert_ne!(updated, with, "{agent} {}", now.place.path);
            }
            assert_eq!(
                now.edited(Some(&updated), InstallAction::Uninstall),
                Ok(None),
                "{agent} {}:\n{updated}",
                now.place.path
            );
            assert_eq!(
                now.edited(Some(&with), InstallAction::Uninstall),
                Ok(None),
                "{agent} {}:\n{with}",
                now.place.path
            );
        }
    }
}

#[test]
fn what_is_somebody_elses_is_a_conflict_and_stays() {
    for (agent, file) in all() {
        let foreign = match &file.parts[0].content {
            Content::Within | Content::Former | Content::TomlRule => {
                panic!("{agent}: what is within something stands behind it")
            }
            Content::Own(_) => "mine\n".to_owned(),
            Content::TomlServer => "[mcp_servers.grill]\ncommand = \"barbecue\"\n".to_owned(),
            Content::Json(entries) => match &entries[0].slot {
                json::Slot::Member { .. } => {
                    format!("{{\"{}\": {{\"grill\": {{\"command\": \"barbecue\"}}}}}}", entries[0].path[0])
                }
                // A list of hooks has room for everybody's.
                json::Slot::Element { .. } | json::Slot::Companion { .. } => continue,
            },
        };
        let trouble = file.edited(Some(&foreign), InstallAction::Install).unwrap_err();
        assert!(trouble.is_conflict(), "{agent} {}: {trouble}", file.place.path);
        assert_eq!(file.edited(Some(&foreign), InstallAction::Uninstall), Ok(Some(foreign)), "{agent}");
    }
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    for (agent, file) in all().into_iter().filter(|(_, file)| !is_own(file)) {
        let broken = if is_toml(&file) { "a = 1\nb = \n" } else { "{\n  \"a\" 1\n}" };
        for deed in [InstallAction::Install, InstallAction::Uninstall] {
            let trouble = file.edited(Some(broken), deed).unwrap_err();
            assert!(matches!(trouble, Trouble::Broken { line: 2, .. }), "{agent} {trouble:?}");
        }
    }
}

#[test]
fn a_file_of_ours_that_somebody_edited_is_theirs_to_move() {
    for (agent, file) in all().into_iter().filter(|(_, file)| is_own(file)) {
        let edited = installed(&file, None) + "and mine\n";
        for deed in [InstallAction::Install, InstallAction::Uninstall] {
            assert_eq!(file.edited(Some(&edited), deed), Err(Trouble::Edited), "{agent}");
        }
    }
}

/// An installation of the version before this one: no hooks that tell, and a file for pi's command.
#[test]
fn g36_what_an_earlier_installation_lacks_is_added_and_what_it_had_is_taken_away() {
    for agent in Installable::all() {
        for scope in [Scope::Project, Scope::User] {
            let now = parts(agent, scope, &given(agent, LINE));
            let lacking: Vec<Part> = now.iter().filter(|part| part.purpose != Purpose::Telling).cloned().collect();
            for before in by_file(lacking).into_iter().filter(|file| !is_former(file)) {
                let file = by_file(now.clone()).into_iter().find(|file| file.place == before.place).unwrap();
                let mine =
                    (!is_own(&file) && !is_toml(&file)).then_some("{\n  \"hooks\": {\"Stop\": [] } // mine\n}\n");
                let old = installed(&before, mine);
                let with = installed(&file, Some(&old));
                let added = file.parts.iter().any(|part| {
                    part.purpose == Purpose::Telling
                        && matches!(&part.content, Content::Json(entries) if !entries.is_empty())
                });
                assert_eq!(with != old, added, "{agent} {}", file.place.path);
                assert_eq!(
                    file.edited(Some(&with), InstallAction::Uninstall),
                    Ok(mine.map(str::to_owned)),
                    "{agent}:\n{with}"
                );
                assert_eq!(
                    file.edited(Some(&old), InstallAction::Uninstall),
                    Ok(mine.map(str::to_owned)),
                    "{agent}:\n{old}"
                );
            }
        }
    }
    let pi = Installable::named("pi").unwrap();
    let former = by_file(parts(pi, Scope::Project, &given(pi, LINE))).into_iter().find(is_former).unwrap();
    let old = own_file::sealed("---\ndescription: as it was\n# git grill seal {seal}\n---\nDo this.\n");
    for deed in [InstallAction::Install, InstallAction::Uninstall] {
        assert_eq!(former.edited(Some(&old), deed), Ok(None));
        assert_eq!(former.edited(None, deed), Ok(None));
        // What somebody wrote, or made of it, is theirs.
        for theirs in [format!("{old}and mine\n"), "mine\n".to_owned(), String::new()] {
            assert_eq!(former.edited(Some(&theirs), deed), Ok(Some(theirs)));
        }
    }
    assert_eq!(former.standing(Some(&old)), Ok(vec![EntryState::Older]));
    assert_eq!(former.standing(None), Ok(Vec::new()));
}

#[test]
fn g36_the_instructions_name_the_tools_and_what_is_left_to_the_person() {
    for (agent, file) in all() {
        for part in file.parts.iter().filter(|part| part.purpose == Purpose::Command) {
            let text = match &part.content {
                Content::Own(text) => text.as_str(),
                // What the extension says for it is put in where it is read.
                Content::Within | Content::Former => continue,
                Content::Json(_) | Content::TomlServer | Content::TomlRule => panic!("{agent}"),
            };
            for point in [
                "grill_status",
                "grill_start",
                "ask_question",
                "one question at a time",
                "recommended",
                "grill_record_answer",
                "grill_update_checkpoint",
                "Do not edit",
                "grill_enter_output_selection_phase",
                "You never approve",
                "grill_set_alternatives",
                "grill_enter_output_phase",
                "grill_finish_output_selection_phase",
                "grill_submit_draft",
                "grill_finish_output_phase",
            ] {
                assert!(text.contains(point), "{agent} does not say {point}");
            }
            assert_eq!(text.matches("{seal}").count(), 1, "{agent}");
        }
    }
}
