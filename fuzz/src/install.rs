//! The settings of agents, edited by whoever has them: what we put in is taken out again to the byte, and nothing else of
//! the file is touched.

use git_grill::agents::Installable;
use git_grill::app::agents::{InstallAction, Scope};
use git_grill::install::json::EntryState;
use git_grill::install::own_file;
use git_grill::install::part::Content;
use git_grill::install::plan::by_file;
use git_grill::install::recipe::{Gate, Given, Permission, parts};

use super::text;

pub fn run(data: &[u8]) {
    let Some(there) = text(data) else { return };
    let given = Given {
        gate: Gate::Line("git-grill guard --for claude".to_owned()),
        at_start: Some("git-grill guard --for claude --at session-start".to_owned()),
        with_prompt: None,
        permission: Permission::Wanted,
    };
    for agent in Installable::all() {
        for file in by_file(parts(agent, Scope::Project, &given)) {
            if file.parts.iter().any(|part| matches!(part.content, Content::Own(_) | Content::Former)) {
                continue;
            }
            let Ok(Some(installed)) = file.edited(Some(there), InstallAction::Install) else { continue };
            let standing = file.standing(Some(&installed)).unwrap_or_else(|why| panic!("{why}: {installed}"));
            assert!(standing.iter().all(|one| *one == EntryState::Current), "{standing:?}: {installed}");
            let again = file.edited(Some(&installed), InstallAction::Install);
            assert_eq!(again.as_ref(), Ok(&Some(installed.clone())), "twice is once");
            let taken = file.edited(Some(&installed), InstallAction::Uninstall);
            let before = file.standing(Some(there)).unwrap_or_default();
            if before.iter().all(|one| *one == EntryState::Absent) {
                assert_eq!(taken, Ok(Some(there.to_owned())), "to the byte: {installed}");
            } else if let Ok(Some(left)) = taken {
                let standing = file.standing(Some(&left)).unwrap_or_else(|why| panic!("{why}: {left}"));
                assert!(standing.iter().all(|one| *one == EntryState::Absent), "{standing:?}: {left}");
            }
        }
    }
    let wanted = "---\nx\n---\n{seal}\n";
    let _ = own_file::standing(there, wanted);
    assert!(own_file::standing(&own_file::sealed(there), there).is_ok() || there.contains('\r'));
}
