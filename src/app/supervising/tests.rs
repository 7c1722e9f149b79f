//! Requests about supervised agents, against a port that keeps its sessions in memory.

mod consenting;
mod fake;

use super::*;
use crate::app::ports::{LiveAgent, Walls};
use crate::app::prompt::Unanswered;
use crate::domain::agents::ask::AskKind;
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::command::Command;
use crate::domain::agents::failure::FailureCode;
use crate::domain::agents::tests::{
    Played, agent, at, failure, launch, line, open, proof, rest, send, settle, turn, unwalled,
};
use fake::{Fake, Person};

/// Serves a request by this caller.
fn served(fake: &Fake, person: &mut Person, request: AgentRequest) -> Result<Loan, AppError> {
    let (actor, can_ask) = (person.actor.clone(), person.can_ask.clone());
    let mut counter =
        Counter { port: fake, can_ask, now: at(1_000), default: fake.default, actor: &actor, prompter: person };
    counter.serve(request)
}

fn sending(number: u32, confirmed: bool) -> AgentRequest {
    AgentRequest::Send { session: agent(number), prompt: "more".to_owned(), media: Vec::new(), confirmed }
}

fn begin(agent: Option<&str>, profile: Profile, confirmed: bool) -> AgentRequest {
    AgentRequest::Start {
        agent: agent.map(str::to_owned),
        profile,
        at: StartsAt::CallersFolder,
        prompt: " look ".to_owned(),
        media: Vec::new(),
        confirmed,
    }
}

fn seconds(seconds: u64) -> WaitSeconds {
    WaitSeconds::new(seconds).unwrap()
}

/// The code and the exit code of an error.
fn refused(result: Result<Loan, AppError>) -> (String, u8) {
    let error = result.unwrap_err();
    (error.code().to_owned(), error.exit_code())
}

#[test]
fn a1_the_agent_is_the_named_one_or_the_configured_one_and_else_the_refusal_names_the_known_ones() {
    let fake = Fake { remembered: true, ..Fake::default() };
    served(&fake, &mut Person::typing(), begin(Some("codex"), Profile::LocalReview, false)).unwrap();
    let fake = Fake { default: Some("claude"), ..fake };
    let lent = served(&fake, &mut Person::typing(), begin(None, Profile::DeepResearch, false)).unwrap();
    let Loan::Started { session, agent, .. } = lent else { panic!("{lent:?}") };
    assert_eq!((session.to_string(), agent.as_str()), ("g2".to_owned(), "claude"));
    assert_eq!(fake.did(), ["start codex local-review look", "start claude deep-research look"]);
    let fake = Fake::default();
    let error = served(&fake, &mut Person::typing(), begin(None, Profile::LocalReview, true)).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.hint().unwrap().contains(&Preset::names()), "{:?}", error.hint());
    assert!(fake.did().is_empty());
}

#[test]
fn a1_profiles_that_nothing_carries_out_and_prompts_without_words_start_nothing() {
    let fake = Fake { remembered: true, default: Some("claude"), ..Fake::default() };
    for prompt in [" \n".to_owned(), "x".repeat(LONGEST_PROMPT + 1)] {
        let AgentRequest::Start { agent, profile, at, media, confirmed, .. } = begin(None, Profile::LocalReview, true)
        else {
            unreachable!()
        };
        let request = AgentRequest::Start { agent, profile, at, prompt, media, confirmed };
        assert_eq!(refused(served(&fake, &mut Person::typing(), request)), ("usage".to_owned(), 2));
    }
    assert!(fake.did().is_empty());
}

#[test]
fn a8_a_prompt_waits_behind_others_and_a_session_that_ended_takes_none() {
    let fake = Fake::of([Played::active().then(&send())]);
    let request = |number| sending(number, true);
    let lent = served(&fake, &mut Person::typing(), request(1)).unwrap();
    let Loan::Sent { turn: added, before, .. } = lent else { panic!("{lent:?}") };
    assert_eq!((added, before), (turn(3), 2));
    let ended = [Command::Cancel, Command::Fail { failure: failure(FailureCode::AgentGone) }];
    for command in ended {
        let fake = Fake::of([Played::idle().then(&command)]);
        let told = refused(served(&fake, &mut Person::nobody(), request(1)));
        assert_eq!(told, ("session_terminal".to_owned(), 1), "before anything is asked");
        assert!(fake.did().is_empty());
    }
    assert_eq!(refused(served(&fake, &mut Person::typing(), request(7))), ("session_not_found".to_owned(), 6));
}

#[test]
fn a9_a_wait_that_ran_out_gives_the_session_and_exit_code_7() {
    let fake = Fake::of([Played::active()]);
    let of = |wait| AgentRequest::Result { session: agent(1), turn: None, wait };
    let lent = served(&fake, &mut Person::typing(), of(seconds(5))).unwrap();
    assert_eq!(lent.exit_code(), 7);
    assert!(matches!(lent, Loan::Session { .. }), "{lent:?}");
    let status = AgentRequest::Status { session: Some(agent(1)), wait: seconds(5) };
    assert_eq!(served(&fake, &mut Person::typing(), status).unwrap().exit_code(), 7);
    assert_eq!(refused(served(&fake, &mut Person::typing(), of(seconds(0)))), ("no_result".to_owned(), 1));
    let done = Fake::of([Played::active().then(&rest())]);
    let lent = served(&done, &mut Person::typing(), of(seconds(60))).unwrap();
    assert_eq!(lent.exit_code(), 0);
    let Loan::Result { result, receipt, .. } = lent else { panic!("{lent:?}") };
    assert_eq!((result.turn, receipt.outcome), (turn(1), WaitOutcome::AlreadyOver));
    let without = AgentRequest::Status { session: None, wait: seconds(5) };
    assert_eq!(refused(served(&fake, &mut Person::typing(), without)), ("usage".to_owned(), 2));
}

#[test]
fn a9_a_result_that_waits_for_the_person_says_so_by_exit_code_3() {
    let ask = Command::Ask { kind: AskKind::Question, words: line("which?") };
    let fake = Fake::of([Played::active().then(&ask)]);
    for turn in [None, Some(TurnHandle::FIRST)] {
        let request = AgentRequest::Result { session: agent(1), turn, wait: seconds(60) };
        let lent = served(&fake, &mut Person::typing(), request).unwrap();
        assert!(matches!(lent, Loan::Waits { .. }), "{lent:?}");
        assert_eq!(lent.exit_code(), 3);
    }
}

#[test]
fn a42_the_list_says_what_waits_and_names_what_cannot_be_read() {
    let ask = Command::Ask { kind: AskKind::Permission, words: line("write a.txt") };
    let fake = Fake { unreadable: Some(agent(9)), ..Fake::of([Played::active().then(&ask)]) };
    let status = AgentRequest::Status { session: None, wait: seconds(0) };
    let lent = served(&fake, &mut Person::nobody(), status).unwrap();
    let Loan::List(list) = lent else { panic!("{lent:?}") };
    assert_eq!(list.waiting[0].command(), "git grill agent answer g1");
    assert_eq!((list.sessions.len(), list.unreadable[0].session), (1, agent(9)));
    assert_eq!(list.sessions[0].doing, "waits for you");
}

#[test]
fn a38_the_words_come_from_what_the_supervisor_sees() {
    let with = |played: Played, live: Option<LiveAgent>| {
        let seen = SeenSession { session: played.session, live, size: None, half_done: false, newer: None };
        LoanSession::of(seen, at(1_000)).doing
    };
    let live = LiveAgent::default();
    let tool = LiveAgent { tool: Some("cargo test".to_owned()), ..live.clone() };
    let quiet = LiveAgent { quiet: 20_000, ..live.clone() };
    assert_eq!(with(Played::active(), Some(live.clone())), "thinks");
    assert_eq!(with(Played::active(), Some(tool)), "runs a tool: cargo test");
    assert_eq!(with(Played::active(), Some(quiet)), "silent");
    assert_eq!(with(Played::active(), None), "not running");
    assert_eq!(with(Played::idle(), Some(live)), "idle");
}

#[test]
fn a38_one_sentence_says_how_a_session_stands_and_what_is_left_of_it() {
    let doing = |played: &Played, live: Option<LiveAgent>| {
        let seen = SeenSession { session: played.session.clone(), live, size: None, half_done: false, newer: None };
        LoanSession::of(seen, at(1_000)).doing
    };
    let rests = |played: Played| doing(&played, Some(LiveAgent::default()));
    let ended = |played: Played| doing(&played, None);
    let fails = || Command::FailTurn { failure: failure(FailureCode::Refused) };
    let copy = || Played::begin(1, Profile::WorktreeEdit).then(&launch(200)).then(&open());
    let files = |more| Command::RecordChanges { files: ChangedFiles { more, ..ChangedFiles::default() } };
    assert_eq!(rests(Played::active().then(&fails())), "t1 failed: refused");
    assert_eq!(rests(Played::active().then(&send()).then(&fails())), "t1 failed: refused");
    let again = Played::active().then(&fails()).then(&send()).then(&Command::RecordSent);
    assert_eq!(rests(again.clone()), "thinks");
    assert_eq!(rests(again.then(&rest())), "idle");
    assert_eq!(rests(copy()), "idle; no changes to accept");
    assert_eq!(rests(copy().then(&files(1))), "idle; 1 file to accept");
    assert_eq!(rests(copy().then(&files(6))), "idle; 6 files to accept");
    let cut_off = Command::RecordRest { stop: line("its model ran out of tokens") };
    let proved = Command::RecordProof { proof: Box::new(proof()) };
    let sent = copy().then(&send()).then(&proved).then(&Command::RecordSent);
    let cut_off = sent.then(&cut_off).then(&files(1));
    assert_eq!(rests(cut_off.clone()), "t1 was cut off; 1 file to accept");
    let refused = Command::RecordRest { stop: line("it ended its turn when something was refused") };
    assert_eq!(rests(Played::active().then(&refused)), "idle", "it may have gone on after that");
    let next = cut_off.then(&send()).then(&proved).then(&Command::RecordSent).then(&rest());
    assert_eq!(rests(next), "idle; 1 file to accept", "it is the newest turn that counts");
    let failed = Command::Fail { failure: failure(FailureCode::AgentGone) };
    assert_eq!(ended(copy().then(&failed)), "failed: agent_gone");
    assert_eq!(ended(copy().then(&files(2)).then(&failed)), "failed: agent_gone; 2 files to accept");
    assert_eq!(ended(copy().then(&Command::Cancel)), "cancelled");
    let bare = || {
        let idle = Played::with(unwalled(1, Profile::LocalReview)).then(&launch(200)).then(&open());
        idle.then(&Command::RecordWatch).then(&Command::RecordParentChange { found: line("1 change") })
    };
    assert_eq!(rests(bare()), "waits for you");
    assert_eq!(ended(bare().then(&Command::Cancel)), "cancelled; waits for you");
    let kept = Command::SettleParent { kept: ChangedFiles::new(["a.rs".to_owned()]), unseen: false };
    assert_eq!(rests(bare().then(&kept)), "idle; you kept changes in the repository");
    assert_eq!(rests(bare().then(&settle())), "idle", "nothing of it was kept");
    let unread = copy().then(&Command::RecordChanges { files: ChangedFiles::unread() });
    assert_eq!(rests(unread), "idle; its changes are not known yet: git grill agent changes g1");
}

#[test]
fn a2_the_rest_of_the_actions_reach_the_port_and_changes_are_refused_without_a_worktree() {
    let fake = Fake::of([Played::begin(1, Profile::LocalReview).then(&launch(200)).then(&open())]);
    let mut person = Person::nobody();
    let error = served(&fake, &mut person, AgentRequest::Changes { session: agent(1) }).unwrap_err();
    assert_eq!((error.code(), error.exit_code()), ("no_worktree", 1));
    served(&fake, &mut person, AgentRequest::Cancel { session: agent(1), turn: Some(turn(2)) }).unwrap();
    served(&fake, &mut person, AgentRequest::Cancel { session: agent(1), turn: None }).unwrap();
    served(&fake, &mut person, AgentRequest::Cleanup { session: agent(1), dry: true }).unwrap();
    served(&fake, &mut person, AgentRequest::Cleanup { session: agent(1), dry: false }).unwrap();
    assert_eq!(fake.did(), ["cancel g1 t2", "cancel g1", "list what g1 left", "clean up g1"]);
    assert!(person.asked.is_empty(), "none of them needs a yes");
    let told = AppError::from(WaitSeconds::new(61).unwrap_err());
    assert_eq!(told.exit_code(), 2);
}

#[test]
fn a26_what_cannot_be_kept_goes_only_if_the_person_says_so() {
    let fake = Fake { loses: true, ..Fake::of([Played::idle()]) };
    let cleanup = || AgentRequest::Cleanup { session: agent(1), dry: false };
    for mut person in [Person::nobody(), Person::host(), Person { says: Ok("no"), ..Person::typing() }] {
        assert_eq!(refused(served(&fake, &mut person, cleanup())), (NOT_KEPT.to_owned(), 1));
    }
    assert!(fake.did().is_empty());
    let mut person = Person::typing();
    served(&fake, &mut person, cleanup()).unwrap();
    assert_eq!(person.asked, ["nothing was removed, since this cannot be kept: disk.img. Remove it for good?"]);
    assert_eq!(fake.did(), ["clean up all of g1"]);
}

#[test]
fn a11_no_answer_starts_nothing() {
    let fake = Fake { default: Some("claude"), ..Fake::default() };
    for (says, code) in [
        (Err(Unanswered::Cancelled { draft: String::new() }), 5),
        (Err(Unanswered::Interrupted { draft: String::new() }), 130),
        (Err(Unanswered::Lost { draft: String::new() }), 3),
        (Ok("no"), 5),
    ] {
        let mut person = Person { says, ..Person::typing() };
        assert_eq!(served(&fake, &mut person, begin(None, Profile::LocalReview, true)).unwrap_err().exit_code(), code);
    }
    assert!(fake.did().is_empty());
}

#[test]
fn a25_where_there_are_no_walls_the_person_is_asked_each_time_and_nobody_else_starts_an_agent() {
    let missing = || Fake {
        default: Some("claude"),
        walls: Walls::Missing("no kernel".to_owned()),
        remembered: true,
        ..Fake::default()
    };
    // Neither a remembered yes nor a confirmation counts.
    let fake = missing();
    let mut person = Person { says: Ok("once"), ..Person::typing() };
    served(&fake, &mut person, begin(None, Profile::LocalReview, true)).unwrap();
    assert!(person.asked[0].contains("Nothing here keeps it from changing files: no kernel."), "{:?}", person.asked);
    assert_eq!(fake.did(), ["start claude local-review look without walls"]);
    let (fake, mut nobody) = (missing(), Person::nobody());
    let refused = refused(served(&fake, &mut nobody, begin(None, Profile::LocalReview, true)));
    assert_eq!(refused, ("no_walls".to_owned(), 1));
    assert!(nobody.asked.is_empty() && fake.did().is_empty());
}
