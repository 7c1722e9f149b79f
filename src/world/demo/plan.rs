//! The demo of plan mode: a refused commit, then an agent's plan that is reviewed, replaced, executed and carried out.

use crate::app::error::AppError;

use super::stage::{Expected, Stage};

pub(super) fn play(stage: &Stage) -> Result<(), AppError> {
    let (done, refused) = (Expected::Done, Expected::Refused);
    stage.say("You know what you want: have a plan made. Until you execute one, nothing may change.")?;
    stage.begin(&["plan", "on", "rate limiting"])?;
    stage.quietly("printf '// a quick hack\\n' >> src/server.rs")?;
    stage.show("git commit --no-verify -am 'just a quick hack'", refused)?;
    stage.quietly("git checkout -q -- src/server.rs")?;
    stage.say("An agent hands in its plan; by CLAUDECODE git grill recognises Claude Code.")?;
    let hand_in = |second: &str| {
        format!(
            "printf 'Plan:\\n1. Count requests per key in src/auth.rs\\n2. {second} in src/server.rs\\n' | CLAUDECODE=1 git \
             grill plan set -"
        )
    };
    stage.show(&hand_in("Refuse what is too much"), done)?;
    stage.say("You have something to say about it. In your terminal, git grill plan review opens your editor.")?;
    stage.show("git grill plan review --note '2: with a 429, and say when to come back'", done)?;
    stage.show("git grill plan execute", refused)?;
    stage.say("The agent gets the note with its next turn, and answers with a new plan.")?;
    stage.show("git grill instructions | head -n 2", done)?;
    stage.show(&hand_in("Answer 429 with Retry-After"), done)?;
    stage.say("Executing the plan approves it. That takes a person at a terminal; this demo lets a script do it.")?;
    stage.show("git grill plan execute", done)?;
    stage.quietly("printf '// counts requests per key\\n' >> src/auth.rs")?;
    stage.show("git commit -q -am 'limit requests per key' && git log --oneline -1", done)?;
    stage
        .say("The agent claims both steps. A claim is done once something backs it that git grill looked up itself.")?;
    for step in ["1", "2"] {
        let claim = format!("echo '{{\"step\":{step}}}' | CLAUDECODE=1 git grill tool grill_step_done >/dev/null");
        stage.show(&claim, done)?;
    }
    stage.show("git grill todos", done)?;
    stage.say("Nothing changed for step 2: it stays a claim. Your word settles it.")?;
    stage.show("git grill todos reopen 2", done)?;
    stage.say("The end. The plan, the note and every mark are in git's history, where plain git can read them.")?;
    stage.show("git grill stop", done)?;
    stage.show("git log --format='%an: %s' --glob='refs/grill/sessions/*'", done)
}
