//! Checks that the steps which a test named came up again when something was to fail at them. A missed step is no
//! failure of the command, but a table of missed steps would pass and prove nothing.

use super::watched::{At, Step};

/// One step may be missed, or one of so many.
const ONE_OF: usize = 5;

/// The named steps of one command that were met, and those that were missed.
#[derive(Debug, Default)]
pub struct Tally {
    met: usize,
    missed: Vec<String>,
}

impl Tally {
    /// Counts a step of the whole command, where it has a name; `met` says whether it came up again.
    pub fn counts(&mut self, whole: &[Step], at: At, met: Option<&Step>) {
        match at {
            At::Named { .. } if met.is_some() => self.met += 1,
            At::Named { .. } => {
                let step = At::each_of(whole).iter().position(|named| *named == at).map(|at| whole[at].to_string());
                self.missed.push(step.unwrap_or_else(|| format!("{at:?}")));
            }
            // A number beyond the last step is tried on purpose.
            At::Number(_) | At::End => {}
        }
    }

    fn complaint(&self) -> Option<String> {
        let (met, missed) = (self.met, self.missed.len());
        let none = met == 0 && missed > 0;
        let many = missed > ((met + missed) / ONE_OF).max(1);
        let told = || format!("{missed} of {} steps did not come up again: {:?}", met + missed, self.missed);
        (none || many).then(told)
    }

    /// Fails where none was met, or more than a few were missed.
    #[track_caller]
    pub fn assert_met(&self, line: &str) {
        if let Some(complaint) = self.complaint() {
            panic!("`{line}`: {complaint}");
        }
    }
}

#[test]
fn p1_steps_that_do_not_come_up_again_are_counted() {
    let steps: Vec<Step> = ["a", "b", "a"]
        .map(|path| Step { program: "git-grill".to_owned(), call: "unlink", paths: vec![path.into()] })
        .to_vec();
    let tally = |met: usize, missed: usize| {
        let mut tally = Tally::default();
        let at = At::each_of(&steps)[2];
        (0..met).for_each(|_| tally.counts(&steps, at, Some(&steps[2])));
        (0..missed).for_each(|_| tally.counts(&steps, at, None));
        for unnamed in [At::Number(99), At::End] {
            tally.counts(&steps, unnamed, None);
        }
        tally.complaint()
    };
    for (met, missed) in [(0, 0), (2, 0), (1, 1), (5, 1), (8, 2)] {
        assert_eq!(tally(met, missed), None, "{met} met, {missed} missed");
    }
    for (met, missed) in [(0, 1), (0, 2), (4, 2), (7, 3)] {
        let complaint = tally(met, missed).unwrap();
        assert!(complaint.contains("git-grill: unlink a"), "{complaint}");
    }
}
