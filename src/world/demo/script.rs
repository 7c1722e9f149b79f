//! What is played: an interview from its start to a written design doc, with a refused commit on the way.

use serde_json::Value;

use crate::app::error::AppError;

use super::stage::{Expected, Stage};

/// What the demo's person answers in their own words, by dimension; everything else takes the recommendation.
const OWN_WORDS: &[(&str, &str)] = &[
    ("objective", "a client that loops by mistake can no longer starve the others, and in normal use nobody notices"),
    ("verification", "a test in tests/api.rs sends one request more than allowed and expects it to be refused"),
];

/// More questions than any interview of standard intensity asks; the demo must end even if one did not.
const MOST_QUESTIONS: usize = 40;

pub(super) fn play(stage: &Stage) -> Result<(), AppError> {
    stage.say("A small project, and an idea. A coding agent would start typing; git grill holds it back.")?;
    stage.show("git log --oneline && git ls-files", Expected::Done)?;
    stage.begin(&["start", "add rate limiting to the API"])?;
    let mut asked = 0;
    while let Some(question) = open_question(stage)? {
        asked += 1;
        if asked > MOST_QUESTIONS {
            return Err(AppError::Environment {
                code: "demo_failed",
                message: format!("the demo stopped: the interview did not end within {MOST_QUESTIONS} questions"),
                causes: Vec::new(),
                hint: None,
            });
        }
        match asked {
            2 => impatience(stage)?,
            4 => change_of_mind(stage)?,
            _ => {}
        }
        // Going back put another question on the table.
        let Some(question) = (if asked == 4 { open_question(stage)? } else { Some(question) }) else {
            break;
        };
        stage.show(&answer(&question, asked), Expected::Done)?;
    }
    stage.say("The gate: nothing is produced by default, and nothing is written before it is approved.")?;
    stage.say("Approving takes a person at a terminal; this throw-away repository's user lets a script do it.")?;
    stage.show("git grill select design-doc", Expected::Done)?;
    stage.show("git grill draft", Expected::Done)?;
    stage.show("git grill approve", Expected::Done)?;
    stage.say("Only the approved file may be committed now.")?;
    stage.show(
        "git add -A && git commit -q -m 'design: rate limiting' && git log --oneline --stat -1",
        Expected::Done,
    )?;
    stage.say("The interview is a history of its own, and plain git reads it.")?;
    stage.show("git log -12 --format='%h %an: %s' GRILL_HEAD", Expected::Done)?;
    stage.show("git blame -s GRILL_HEAD -- .grill/checkpoint.md | grep -A6 '## Decisions'", Expected::Done)?;
    stage.say("The end. The branch has exactly the commits you made, and no hook is left.")?;
    stage.show("git grill stop", Expected::Done)?;
    stage.show("git log --oneline main && git status --short && git grill status", Expected::Done)?;
    Ok(())
}

/// Somebody starts typing all the same.
fn impatience(stage: &Stage) -> Result<(), AppError> {
    stage.say("Meanwhile somebody starts typing. git refuses the commit, and --no-verify does not help.")?;
    stage.quietly("printf '// a quick hack\\n' >> src/server.rs")?;
    stage.show("git commit --no-verify -am 'just a quick hack'", Expected::Refused)?;
    stage.quietly("git checkout -q -- src/server.rs")?;
    Ok(())
}

/// An earlier answer is changed; it is superseded, not deleted.
fn change_of_mind(stage: &Stage) -> Result<(), AppError> {
    stage.say("A change of mind: back to question 2. Its answer is superseded and stays in the history.")?;
    stage.show("git grill back 2", Expected::Done)?;
    Ok(())
}

/// The open question, as a script sees it.
fn open_question(stage: &Stage) -> Result<Option<Value>, AppError> {
    let status: Value = serde_json::from_str(&stage.quietly("git grill status --json")?).unwrap_or_default();
    Ok(status.get("question").filter(|question| !question.is_null()).cloned())
}

/// The command that answers a question: own words where the demo has some, now and then another alternative than the
/// recommended one, else the recommendation.
fn answer(question: &Value, asked: usize) -> String {
    let id = question["id"].as_str().unwrap_or_default();
    let dimension = question["dimension"].as_str().unwrap_or_default();
    if asked < 8
        && let Some((_, words)) = OWN_WORDS.iter().find(|(name, _)| dimension.starts_with(name))
    {
        return format!("git grill answer --question {id} \"{words}\"");
    }
    if asked == 6 {
        return format!("git grill unknown --question {id} --note 'the traffic of last month will tell'");
    }
    let alternatives = question["alternatives"].as_array().cloned().unwrap_or_default();
    let recommended = alternatives.iter().position(|one| one["recommended"] == true).unwrap_or(0);
    // Question 2 is answered otherwise at first, so that there is something to come back to.
    let choice = if asked == 2 { (recommended + 1) % alternatives.len().max(1) } else { recommended };
    format!("git grill answer --question {id} --choose {}", choice + 1)
}
