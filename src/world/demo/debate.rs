//! The demo of a debate: three scripts in the roles, citations that are checked, the user's answers, and what comes of it.

use crate::app::error::AppError;

use super::stage::{Expected, Stage};

const DOSSIER: &str = include_str!("../../../fixtures/projects/limits/limits.md");
const PROPOSER: &str = include_str!("../../../fixtures/projects/limits/roles/propose");
const ADVOCATE: &str = include_str!("../../../fixtures/projects/limits/roles/attack");
const SYNTHESIZER: &str = include_str!("../../../fixtures/projects/limits/roles/judge");

pub(super) fn play(stage: &Stage) -> Result<(), AppError> {
    let (done, refused) = (Expected::Done, Expected::Refused);
    for (name, text) in [("limits.md", DOSSIER), ("propose", PROPOSER), ("attack", ADVOCATE), ("judge", SYNTHESIZER)] {
        stage.quietly(&format!("cat >{name} <<'END'\n{text}END"))?;
    }
    stage.quietly("git add -A && git commit -qm 'a decision, and who debates it'")?;
    stage
        .say("A decision that is expensive to take back. Three scripts play the roles; agents can, and so can you.")?;
    let roles = ["--proposer", "cmd:sh propose", "--advocate", "cmd:sh attack", "--synthesizer", "cmd:sh judge"];
    stage.begin(&[&["debate", "start", "--dossier", "limits.md"][..], &roles[..]].concat())?;
    stage.show("git commit --allow-empty -qm 'decided already'", refused)?;
    for _ in 0..3 {
        stage.show("git grill debate next", done)?;
    }
    stage.say("Each citation is compared with the file. One of them is false, and git grill says so.")?;
    stage.show("git show GRILL_HEAD:.grill/debate/1/record.md | grep -B 1 'Evidence:'", done)?;
    stage.say("No debate ends before its second round, whoever says so.")?;
    stage.show("git grill debate accept", refused)?;
    stage.say("You are heard in every round, one question at a time.")?;
    stage.show("git grill debate answer yes", done)?;
    stage.show("git grill debate answer yes --note 'What do clients see?'", done)?;
    stage.show("git grill debate answer no", done)?;
    stage.show("git grill debate next", done)?;
    stage.say("Two more rounds, of which only the result is shown here.")?;
    let quiet = "git grill debate answer yes && git grill debate answer no && git grill debate answer no";
    for _ in 0..2 {
        stage.quietly(&format!("git grill debate next && {quiet} && git grill debate next"))?;
    }
    stage.show("git grill debate status", done)?;
    stage.show("git grill checkpoint | sed -n '/^## Decisions/,/^## Assumptions/p'", done)?;
    stage.say("Every text of it is in git's history, where plain git can read it.")?;
    stage.show("git log --reverse --format='%an: %s' GRILL_HEAD | grep -i debate | head -n 8", done)?;
    stage.show("git grill stop --without-output", done)
}
