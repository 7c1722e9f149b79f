//! What is played of plan mode: an agent's plan is reviewed, answered, executed and carried out, with a refused commit
//! before.

use crate::app::error::AppError;

use super::stage::{Expected, Stage};

/// Plays everything.
pub(super) fn play(stage: &Stage) -> Result<(), AppError> {
    let (done, refused) = (Expected::Done, Expected::Refused);
    stage.say("You know what you want: have a plan made. Until you execute one, nothing may change.")?;
    stage.begin(&["plan", "on", "rate limiting"])?;
    stage.quietly("printf '// a quick hack\\n' >> src/server.rs")?;
    stage.show("git commit --no-verify -am 'just a quick hack'", refused)?;
    stage.quietly("git checkout -q -- src/server.rs")?;
    stage.say("An agent hands in its plan; CLAUDECODE is how git grill knows Claude Code.")?;
    stage.show(
        "printf 'Plan:\\n1. Count requests per key in src/auth.rs\\n2. Refuse what is too much in src/server.rs\\n' | \
         CLAUDECODE=1 git grill plan set -",
        done,
    )?;
    stage.say("You have something to say about it. In your terminal, git grill plan review opens your editor.")?;
    stage.show("git grill plan review --note '2: with a 429, and say when to come back'", done)?;
    stage.show("git grill plan execute", refused)?;
    stage.say("The agent is told with its next turn, and answers with another plan.")?;
    stage.show("git grill instructions | head -n 2", done)?;
    stage.show(
        "printf 'Plan:\\n1. Count requests per key in src/auth.rs\\n2. Answer 429 with Retry-After in src/server.rs\\n' | \
         CLAUDECODE=1 git grill plan set -",
        done,
    )?;
    stage.say("Executing approves it. That takes you at a terminal; this throw-away user lets a script do it.")?;
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
    stage.say("The end. The plan, the note and every mark are history that plain git reads.")?;
    stage.show("git grill stop", done)?;
    stage.show("git log --format='%an: %s' --glob='refs/grill/sessions/*'", done)
}
