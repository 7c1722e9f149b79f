//! Authority: what counts only in the clone in which it was granted.
//!
//! A session travels as plain git, with its history and without its authority. Whatever of its state lets somebody act (a
//! chosen plan, an approved draft, a written file that can be taken back, an approval mode, an interviewer, a concern that
//! was waived) is a *claim*,
//! in words that name its content and no commit. A claim counts where this clone keeps a mark of the same words; the
//! marks are made by whoever records, in the clone's private folder, and are handed in here. What has no mark lapses, by
//! one event and as one rule: what was approved, written or created is a draft again, the output phase is the selection
//! again in which its plan waits for a person, approvals are the person's, and the interviewer is the built-in one.
//!
//! So the folded state grants nothing by itself: where it claims what no event that this clone recorded has granted, which
//! `fsck` would find by replaying all of them, every command finds it by asking for the marks.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::concern::Waiver;
use super::ids::ObjectId;
use super::production::{
    Draft, Drafted, IssueSlot, Plan, PlannedOutput, Produced, Production, Stage, Target, TargetPath,
};
use super::question::{Alternatives, RawAlternative};
use super::selection::{Findings, Gate, Request, Selection, Wanted};
use super::session::{Phase, Session};
use super::settings::{Approval, Interviewer, Settings};
use super::subsystem::{self, Grant};
use super::text::Prose;

/// A part of a session that allows an act. Its text is one line that names everything granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim<'a> {
    /// Approvals are taken from others than a person.
    Approval(Approval),
    /// An agent asks the questions.
    Interviewer(&'a Interviewer),
    /// A concern of the referee holds the gate no longer.
    Waived(&'a Waiver),
    /// These outputs were chosen in this output phase.
    Plan(u64, &'a Plan),
    /// This draft was approved in this output phase.
    Approved(u64, &'a Draft),
    /// This file was written, and can be taken back and committed.
    Written {
        /// The output phase.
        round: u64,
        path: &'a TargetPath,
        blob: &'a ObjectId,
        /// The content before.
        replaced: Option<&'a ObjectId>,
    },
    /// A subsystem of its own lets somebody act on this.
    Of(Grant),
    /// This issue was created, and its body may be rewritten.
    Created {
        /// The output phase.
        round: u64,
        slot: IssueSlot,
        /// The draft that it was made of.
        blob: &'a ObjectId,
        /// The tracker's number.
        number: u64,
    },
}

impl fmt::Display for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Approval(approval) => write!(f, "approval {approval}"),
            Self::Interviewer(interviewer) => write!(f, "interviewer {}", Quoted(&interviewer.to_string())),
            Self::Waived(Waiver { name, key }) => write!(f, "waived {} {}", Quoted(key), Quoted(name)),
            Self::Plan(round, plan) => write_plan(f, *round, plan),
            Self::Approved(round, draft) => {
                let Draft { target, destination, blob, replaces, origin: _, content: _, replaced: _ } = draft;
                let (replaces, target) = (name(replaces.as_ref()), target.to_string());
                let destination = destination.to_string();
                write!(f, "approved {round} {blob} {replaces} {} {}", Quoted(&destination), Quoted(&target))
            }
            Self::Written { round, path, blob, replaced } => {
                write!(f, "written {round} {blob} {} {}", name(*replaced), Quoted(path.as_str()))
            }
            Self::Of(Grant { of, what }) => write!(f, "of {of} {}", Quoted(what)),
            Self::Created { round, slot, blob, number } => write!(f, "created {round} {blob} {number} {slot}"),
        }
    }
}

/// A plan, every part of it: a field that is added here later belongs to what was granted.
fn write_plan(f: &mut fmt::Formatter<'_>, round: u64, plan: &Plan) -> fmt::Result {
    let Plan { outputs, prose, permitted } = plan;
    write!(f, "plan {round}")?;
    for PlannedOutput { destination, strategy, paths, tracker } in outputs {
        write!(f, " output {} {}", Quoted(&destination.to_string()), Quoted(&strategy.to_string()))?;
        for path in paths {
            write!(f, " path {}", Quoted(path.as_str()))?;
        }
        if let Some(tracker) = tracker {
            write!(f, " tracker {}", Quoted(&tracker.to_string()))?;
        }
    }
    for path in permitted {
        write!(f, " permitted {}", Quoted(path.as_str()))?;
    }
    match prose {
        Some(prose) => write!(f, " prose {}", Quoted(prose.as_str())),
        None => Ok(()),
    }
}

fn name(blob: Option<&ObjectId>) -> &str {
    blob.map_or("-", ObjectId::as_str)
}

/// A text between quotes on one line, from which it can be read back: no two texts look alike.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for letter in self.0.chars() {
            match letter {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                other => write!(f, "{other}")?,
            }
        }
        f.write_str("\"")
    }
}

/// Tells if a claim was granted in this clone.
pub type Grants<'a> = dyn Fn(&Claim<'_>) -> bool + 'a;

/// Grants that do not count, because this clone has no record of them. Each part keeps the old value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lapse {
    /// The approval mode; it is a person again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// The interviewer; it is the built-in one again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interviewer: Option<Interviewer>,
    /// Concerns that were waived, and hold the gate again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waiver>,
    /// The gate at which the plan of the open output phase waits again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Box<Gate>>,
    /// Drafts that were approved, written or created, and are drafts again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<Target>,
    /// Files that finished output phases wrote elsewhere; they stay known, and nothing of them is taken back here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<Produced>,
    /// What subsystems let somebody act on, and do no longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Grant>,
}

impl Lapse {
    /// The lapsed grants, as parts of a sentence.
    pub fn parts(&self) -> Vec<String> {
        let several = |count: usize, one: &str, more: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {more}")),
        };
        let mode = self.approval.map(|_| "only you can approve".to_owned());
        let interviewer = self.interviewer.as_ref().map(|_| "the built-in interviewer asks".to_owned());
        let waived = several(self.waived.len(), "waived concern holds again", "waived concerns hold again");
        let gate = self.gate.as_ref().map(|_| "the chosen outputs wait for your approval".to_owned());
        let drafts = several(self.drafts.len(), "approved draft is a draft again", "approved drafts are drafts again");
        let written = several(self.written.len(), "file written elsewhere", "files written elsewhere");
        let written = written.map(|files| format!("{files} cannot be undone here"));
        let own = subsystem::lapsed(&self.own);
        [mode, interviewer, waived, gate, drafts, written].into_iter().flatten().chain(own).collect()
    }

    /// The lapsed grants, as one sentence for the user.
    pub fn in_words(&self) -> String {
        format!("what was granted in another clone does not count here: {}", self.parts().join("; "))
    }
}

impl Stage {
    fn claim<'a>(&self, round: u64, draft: &'a Draft) -> Option<Claim<'a>> {
        let blob = &draft.blob;
        match (self, &draft.target) {
            (Self::Drafted | Self::Dropped, _) => None,
            (Self::Written { .. }, Target::File(path)) => {
                Some(Claim::Written { round, path, blob, replaced: draft.replaces.as_ref() })
            }
            (Self::Created { number, .. }, Target::Issue(slot)) => {
                Some(Claim::Created { round, slot: *slot, blob, number: *number })
            }
            // No rule writes an issue or creates a file.
            (Self::Approved { .. } | Self::Written { .. } | Self::Created { .. }, _) => {
                Some(Claim::Approved(round, draft))
            }
        }
    }
}

impl Produced {
    /// Its claim; none for a file written elsewhere.
    fn claim(&self) -> Option<Claim<'_>> {
        let Self { destination: _, path, blob, replaced, round, elsewhere } = self;
        let claim = Claim::Written { round: *round, path, blob, replaced: replaced.as_ref() };
        (!elsewhere).then_some(claim)
    }
}

impl Session {
    /// Every claim of this session; none once it has ended.
    pub fn claims(&self) -> Vec<Claim<'_>> {
        // Every field, so that whoever adds one decides whether it allows an act.
        let Self {
            settings: Settings { approval, interviewer, intent: _, intensity: _, research: _, output_preference: _ },
            phase,
            produced,
            waived,
            id: _,
            topic: _,
            base: _,
            branch: _,
            started_at: _,
            updated_at: _,
            seq: _,
            last_change: _,
            checkpoint_due: _,
            discussions: _,
            created: _,
            commits: _,
            outside: _,
            parked: _,
            verified: _,
            citations: _,
            checkpoint: _,
            transcript: _,
            evidence: _,
            unmarked: _,
            own,
        } = self;
        let mut claims = Vec::new();
        if self.is_closed() {
            return claims;
        }
        if *approval != Approval::Person {
            claims.push(Claim::Approval(*approval));
        }
        if *interviewer != Interviewer::BuiltIn {
            claims.push(Claim::Interviewer(interviewer));
        }
        claims.extend(waived.iter().map(Claim::Waived));
        claims.extend(own.grants().into_iter().map(Claim::Of));
        claims.extend(produced.iter().filter_map(Produced::claim));
        if let Phase::Production(production) = phase {
            let round = production.round;
            claims.push(Claim::Plan(round, &production.plan));
            claims.extend(production.drafts.iter().filter_map(|one| one.stage.claim(round, &one.draft)));
        }
        claims
    }

    /// The claims of this session that `granted` does not know; none if all of them count.
    pub fn lapse(&self, granted: &Grants<'_>) -> Option<Lapse> {
        let mut lapse = Lapse::default();
        if self.is_closed() {
            return None;
        }
        if let Phase::Production(production) = &self.phase {
            (lapse.gate, lapse.drafts) = production.fallen(granted);
        }
        let Settings { approval, interviewer, .. } = &self.settings;
        if *approval != Approval::Person && !granted(&Claim::Approval(*approval)) {
            lapse.approval = Some(*approval);
        }
        if *interviewer != Interviewer::BuiltIn && !granted(&Claim::Interviewer(interviewer)) {
            lapse.interviewer = Some(interviewer.clone());
        }
        lapse.waived = self.waived.iter().filter(|one| !granted(&Claim::Waived(one))).cloned().collect();
        let counts = |one: &Produced| one.claim().is_none_or(|claim| granted(&claim));
        lapse.written = self.produced.iter().filter(|one| !counts(one)).cloned().collect();
        let own = self.own.grants().into_iter();
        lapse.own = own.filter(|grant| !granted(&Claim::Of(grant.clone()))).collect();
        (lapse != Lapse::default()).then_some(lapse)
    }

    #[must_use]
    pub fn lapsed(mut self, lapse: Lapse) -> Self {
        self.take_lapse(&lapse);
        self.unmarked = Some(Box::new(lapse));
        self
    }

    /// Withdraws the lapsed grants. Idempotent.
    pub(super) fn take_lapse(&mut self, lapse: &Lapse) {
        self.unmarked = None;
        if lapse.approval.is_some() {
            self.settings.approval = Approval::Person;
        }
        if lapse.interviewer.is_some() {
            self.settings.interviewer = Interviewer::BuiltIn;
        }
        self.waived.retain(|one| !lapse.waived.contains(one));
        for one in self.produced.iter_mut().filter(|one| lapse.written.contains(one)) {
            one.elsewhere = true;
        }
        self.own.lapse(&lapse.own);
        self.regrip();
        let Phase::Production(production) = &mut self.phase else {
            return;
        };
        let fallen = |target: &Target| lapse.drafts.contains(target);
        let written = production.written().filter(|draft| fallen(&draft.target));
        let written = written.filter_map(|draft| Produced::of(draft, production.round));
        self.produced.extend(written.map(|one| Produced { elsewhere: true, ..one }));
        let created = production.created().filter(|one| fallen(&Target::Issue(one.slot)));
        let created: Vec<_> = created.filter(|one| !self.created.contains(one)).collect();
        self.created.extend(created);
        // A number that no event has would be taken for that of a phase to come.
        production.round = production.round.min(self.seq);
        self.phase = production.without(lapse.gate.as_deref(), &lapse.drafts);
    }
}

impl Production {
    /// The lapsed part of an open output phase: its plan, which waits for approval again, with all its drafts, or some drafts.
    fn fallen(&self, granted: &Grants<'_>) -> (Option<Box<Gate>>, Vec<Target>) {
        let gate = (!granted(&Claim::Plan(self.round, &self.plan))).then(|| Box::new(waiting(&self.plan)));
        let falls = |one: &&Drafted| {
            let claim = one.stage.claim(self.round, &one.draft);
            claim.is_some_and(|claim| gate.is_some() || !granted(&claim))
        };
        let drafts = self.drafts.iter().filter(falls).map(|one| one.draft.target.clone()).collect();
        (gate, drafts)
    }

    /// The phase without what fell.
    fn without(&self, gate: Option<&Gate>, fallen: &[Target]) -> Phase {
        let mut left = self.clone();
        for one in left.drafts.iter_mut().filter(|one| fallen.contains(&one.draft.target)) {
            one.stage = Stage::Drafted;
        }
        let Some(gate) = gate else {
            return Phase::Production(Box::new(left));
        };
        let wanted = Wanted::Outputs(left.plan.clone());
        let request = Some(Request { wanted, by: left.selected_by.clone() });
        Phase::Selection(Box::new(Selection { gate: gate.clone(), request, kept: Some(Box::new(left)) }))
    }

    /// The phase as far as this output phase counts where only what `granted` knows was granted.
    pub fn counting(&self, granted: &Grants<'_>) -> Phase {
        let (gate, fallen) = self.fallen(granted);
        self.without(gate.as_deref(), &fallen)
    }
}

/// The gate at which a plan waits that was granted in another clone.
fn waiting(plan: &Plan) -> Gate {
    let prose = |text: &str| Prose::parse("a text of ours", text).expect("it is neither empty nor too long");
    let choice = |value: &str, label: &str, because: &str| RawAlternative {
        value: value.to_owned(),
        label: label.to_owned(),
        description: because.to_owned(),
        recommended: false,
    };
    let choices = [
        choice("continue", "Go on with the interview", "The outputs can be chosen anew later."),
        choice("review", "Review the checkpoint", "Read the shared understanding first; this choice stays open."),
        choice("stop", "Stop without output", "The understanding stays in git; no file is written."),
    ];
    Gate {
        rationale: prose(
            "These outputs were chosen in another clone, or before git grill kept a record of who chose. Here they wait \
             for a person: git grill approve grants them as they are.",
        ),
        recommended_outputs: plan.outputs.iter().map(|output| output.destination.clone()).collect(),
        recommended_strategy: None,
        question: prose("Produce these outputs here?"),
        alternatives: Alternatives::parse(&choices).expect("three choices"),
        findings: Findings::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_claims_look_alike() {
        let output = |paths: &[&str]| PlannedOutput {
            destination: "design-doc".parse().unwrap(),
            strategy: "vertical-slices".parse().unwrap(),
            paths: paths.iter().map(|path| TargetPath::parse(path).unwrap()).collect(),
            tracker: None,
        };
        let prose = |text: &str| Some(Prose::parse("a plan", text).unwrap());
        let plans = [
            Plan { outputs: vec![output(&["a", "b"])], prose: None, permitted: Vec::new() },
            Plan { outputs: vec![output(&["a"]), output(&["b"])], prose: None, permitted: Vec::new() },
            Plan { outputs: vec![output(&["a\" path \"b"])], prose: None, permitted: Vec::new() },
            Plan { outputs: vec![output(&["a"])], prose: prose("b"), permitted: Vec::new() },
            Plan { outputs: vec![output(&["a"])], prose: prose("b\\n+ approval agent"), permitted: Vec::new() },
            Plan { outputs: vec![output(&["a"])], prose: prose("b\n+ approval agent"), permitted: Vec::new() },
            Plan {
                outputs: vec![PlannedOutput { tracker: Some("octo/links".parse().unwrap()), ..output(&[]) }],
                prose: None,
                permitted: Vec::new(),
            },
            Plan { outputs: vec![output(&["a"])], prose: prose("b"), permitted: vec![TargetPath::parse("a").unwrap()] },
        ];
        let lines: Vec<String> = plans.iter().map(|plan| Claim::Plan(7, plan).to_string()).collect();
        for (place, line) in lines.iter().enumerate() {
            assert!(!line.contains('\n'), "{line}");
            assert!(!lines[..place].contains(line), "{line}");
            assert_ne!(*line, Claim::Plan(8, &plans[place]).to_string());
        }
    }
}
