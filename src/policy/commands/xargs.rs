//! `xargs`: a command whose last words come from its input, so nothing is known about them.

use super::line::{Line, anything};
use super::{Inner, LookThrough, Scene};
use crate::policy::shell::Refused;
use crate::policy::shell::word::Word;

/// Judges the command with words added that nothing is known about.
pub(super) fn judge(line: &Line<'_>, scene: &Scene<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    if line.operands.is_empty() {
        // It echoes.
        return Ok(());
    }
    let places: Vec<&Word> = line.values(&["-I", "-J", "--replace"]).collect();
    let mut command: Vec<Word> = line.operands.iter().map(|word| (*word).clone()).collect();
    if places.is_empty() {
        command.push(anything("words from the input of xargs"));
    }
    for place in places {
        let Some(place) = place.known().filter(|place| !place.is_empty()) else {
            let why = format!("what `{}` replaces is not known before `{}` is expanded", line.command, place.text);
            return Err(Refused::new(&place.text, why));
        };
        for word in command.iter_mut().filter(|word| word.text.contains(place)) {
            *word = anything(word.text.clone());
        }
    }
    look_through(Inner::Argv(&command), scene)
}
