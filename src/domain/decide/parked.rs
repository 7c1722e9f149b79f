//! What becomes of an edited draft when other outputs are chosen, as data (`fixtures/domain/parked.tsv`): whether the
//! choice drops it, and where it comes back. Each row names the output with the edited draft (its last target), how its
//! output phase is left, and the output that is chosen then.

use std::fmt::Write as _;

use super::staged::{after, fresh, gate, line};
use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::command::{Command, Ending};
use crate::domain::ids::ObjectId;
use crate::domain::interview::Command as Talk;
use crate::domain::production::{Command as Produce, Draft, Origin, Plan, PlannedOutput, Target};
use crate::domain::session::Session;
use crate::domain::settings::Approval;

const TABLE: &str = include_str!("../../../fixtures/domain/parked.tsv");

/// As an issue has to be; a file may be so as well.
const BY_HAND: &str = "---\ntitle: By hand\n---\nWords of mine.\n";

/// A destination, a strategy, and its targets; an issue stands for a tracker.
fn output(row: &str) -> (PlannedOutput, Vec<Target>) {
    let mut words = row.split(' ');
    let destination = words.next().unwrap().parse().unwrap();
    let strategy = words.next().unwrap().parse().unwrap();
    let targets: Vec<Target> = words.map(|word| word.parse().unwrap()).collect();
    let has_issues = targets.iter().any(|target| target.slot().is_some());
    let paths = targets.iter().filter_map(|target| target.path().cloned()).collect();
    let tracker = has_issues.then(|| "octo/links".parse().unwrap());
    (PlannedOutput { destination, strategy, paths, tracker }, targets)
}

fn plan(output: &PlannedOutput) -> Plan {
    Plan { outputs: vec![output.clone()], prose: None, permitted: Vec::new() }
}

fn chosen(session: Session, output: &PlannedOutput) -> Session {
    let open = after(session, &Actor::System, &Produce::OpenSelection(Box::new(gate())).into());
    after(open, &Actor::Human, &Produce::SelectOutputs(plan(output)).into())
}

fn submitted(session: Session, target: &Target, origin: Origin) -> Session {
    let draft = Draft {
        target: target.clone(),
        destination: "adr".parse().unwrap(),
        blob: ObjectId::parse(&"a".repeat(40)).unwrap(),
        replaces: None,
        origin,
        content: BY_HAND.to_owned(),
        replaced: None,
    };
    after(session, &Actor::Human, &Produce::SubmitDraft(Box::new(draft)).into())
}

fn left(session: Session, how: &str) -> Session {
    let finish = Produce::FinishProduction { summary: None }.into();
    match how {
        "select" => session,
        "finish" => after(session, &Actor::Human, &finish),
        "finish-and-change" => {
            let finished = after(session, &Actor::Human, &finish);
            let command = Talk::UpdateCheckpoint {
                checkpoint: Checkpoint::parse("# New").unwrap(),
                base: finished.checkpoint.clone(),
                summary: line("new"),
                source: CheckpointSource::Editor,
                answer: None,
            };
            after(finished, &Actor::Human, &command.into())
        }
        other => panic!("{other}"),
    }
}

fn names<'a>(targets: impl Iterator<Item = &'a Target>) -> String {
    let names: Vec<String> = targets.map(ToString::to_string).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
}

#[test]
fn g31_an_edited_draft_is_dropped_by_name_and_comes_back_with_its_output() {
    let mut wrong = String::new();
    for row in TABLE.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [edited, how, again, ..] = cells[..] else { panic!("{row}") };
        let (first, targets) = output(edited);
        let session = submitted(chosen(fresh(Approval::Person), &first), targets.last().unwrap(), Origin::HandedIn);
        let (second, targets) = output(again);
        let dropped = names(session.dropped_by(&plan(&second)).into_iter().map(|draft| &draft.target));

        let session = chosen(left(session, how), &second);
        assert_eq!(session.parked.len(), 1, "{row}");
        let back: Vec<&Target> = targets.iter().filter(|target| session.comes_back(target).is_some()).collect();
        let computed = format!("{edited}\t{how}\t{again}\t{dropped}\t{}", names(back.iter().copied()));
        if computed != row {
            let _ = writeln!(wrong, "computed {computed}\ntable    {row}");
        }
        for target in back {
            assert_eq!(session.comes_back(target).unwrap().draft.content, BY_HAND);
            let drafted = submitted(session.clone(), target, Origin::HandedIn);
            assert!(drafted.parked.is_empty(), "{row}: it is a draft again");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn g31_what_is_made_of_the_session_or_left_out_is_not_kept() {
    let (design, targets) = output("design-doc vertical-slices docs/a.md");
    let (summary, _) = output("summary vertical-slices docs/b.md");
    let drafting = chosen(fresh(Approval::Person), &design);
    let made = submitted(drafting.clone(), &targets[0], Origin::Generated);
    assert_eq!(names(made.dropped_by(&plan(&summary)).into_iter().map(|draft| &draft.target)), "docs/a.md");
    assert!(made.dropped_by(&plan(&design)).is_empty(), "it is made again");
    assert!(chosen(made, &summary).parked.is_empty());

    let drop = Produce::DropDraft { target: targets[0].clone() };
    let left_out = after(submitted(drafting, &targets[0], Origin::HandedIn), &Actor::Human, &drop.into());
    assert!(left_out.dropped_by(&plan(&summary)).is_empty());
    assert!(chosen(left_out, &summary).parked.is_empty());
}

#[test]
fn g17_a_session_that_ends_keeps_its_edited_drafts_and_approved_ones_too() {
    let (design, targets) = output("design-doc vertical-slices docs/a.md docs/b.md");
    let drafting = chosen(fresh(Approval::Person), &design);
    let drafting = submitted(submitted(drafting, &targets[0], Origin::HandedIn), &targets[1], Origin::HandedIn);
    let blob = ObjectId::parse(&"a".repeat(40)).unwrap();
    let approve = Produce::ApproveDraft { target: targets[0].clone(), blob };
    let approved = after(drafting, &Actor::Human, &approve.into());
    let stop = Command::Stop { ending: Ending::WithoutOutput, summary: None };
    let ended = after(approved, &Actor::Human, &stop);
    assert_eq!(names(ended.parked.iter().map(|one| &one.draft.target)), "docs/a.md docs/b.md");
}
