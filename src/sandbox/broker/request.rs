//! Wishes as they travel. A command says itself whether it may come from inside, and which of its fields are set outside,
//! since a caller inside the sandbox can send anything; texts check themselves when they are read.

use serde::{Deserialize, Serialize};

use crate::domain::command::Command;
use crate::domain::from_inside::{BadWish, Outside};
use crate::domain::ids::QuestionId;

/// What is asked of the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum BrokerRequest {
    /// Commands that are recorded as one or not at all.
    Commands(Vec<Command>),
    /// The built-in interviewer is to go on.
    Advance,
    /// Our MCP server inside has been greeted by its client.
    Greet,
    /// The agent inside has called our tools wrong again and again; the last call and its refusal.
    Stuck { tool: String, why: String },
    /// The agent inside has called this tool of ours, in a trial.
    Called { tool: String },
    /// A reply that was not recorded is to be kept.
    Keep { question: QuestionId, text: String },
    /// A reply that this run has had kept is recorded now, and is to be taken away.
    DropKept { question: QuestionId, text: String },
}

/// Whether a command may come from inside. The others have no form in which they could.
pub fn may_travel(command: &Command) -> bool {
    serde_json::to_writer(std::io::sink(), command).is_ok()
}

impl BrokerRequest {
    /// The most commands that are recorded as one: more than any call of a tool has.
    pub const MOST: usize = 16;
}

impl Outside<'_> {
    /// Makes commands from inside ready to be decided on: what they have no say in is set, and what they may not be is
    /// refused.
    pub fn settle(&self, commands: &mut [Command]) -> Result<(), BadWish> {
        if commands.is_empty() || commands.len() > BrokerRequest::MOST {
            return Err(BadWish(format!("1 to {} commands are recorded as one", BrokerRequest::MOST)));
        }
        commands.iter_mut().try_for_each(|command| command.settle(self))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::frame::{self, Answer, Request, VERSION};
    use super::*;
    use crate::domain::checkpoint::CheckpointSource;
    use crate::domain::ids::{AnswerId, ObjectId, SessionId};
    use crate::domain::interview::Command as Talk;
    use crate::domain::plan::{Command as Planned, PlanSource, Steps};
    use crate::domain::production::Command as Produce;
    use crate::domain::selection::Findings;
    use crate::domain::subsystem;
    use crate::domain::text::Line;

    const BLOB: &str = "ce013625030ba8dba906f756967f9e9ca394464a";
    const OTHER: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

    /// The word under which each variant travels, or would, and whether it may; and a list of all of them. A variant that
    /// is in neither does not compile.
    macro_rules! variants {
        ($listed:ident $all:ident of $own:ident: $($name:ident $word:literal $may:literal)*) => {
            fn $listed(command: &$own) -> (&'static str, bool) {
                match command {
                    $($own::$name { .. } => ($word, $may),)*
                }
            }
            const $all: &[(&str, bool)] = &[$(($word, $may)),*];
        };
    }

    variants! {
        of_the_session OF_THE_SESSION of Command:
        Configure "configure" true
        RecordVerification "record-verification" false
        RecordServerQuestion "record-server-question" false
        Stop "stop" true
        Of "of" false
    }

    variants! {
        of_the_interview OF_THE_INTERVIEW of Talk:
        Ask "ask" true
        Reopen "reopen" true
        Answer "answer" true
        Defer "defer" true
        PushBack "push-back" true
        Discuss "discuss" true
        EndDiscussion "end-discussion" true
        Tell "tell" true
        Back "back" true
        UpdateCheckpoint "update-checkpoint" true
        Waive "waive" false
        RecordEvidence "record-evidence" false
        RecordCitations "record-citations" false
    }

    variants! {
        of_production OF_PRODUCTION of Produce:
        OpenSelection "open-selection" true
        ContinueInterview "continue-interview" true
        SelectOutputs "select-outputs" true
        GrantRequest "grant-request" true
        SubmitDraft "submit-draft" true
        DropDraft "drop-draft" true
        ApproveDraft "approve-draft" true
        RecordWritten "record-written" false
        RecordCreated "record-created" false
        RecordOutside "record-outside" false
        RecordCommitted "record-committed" false
        RecordUndone "record-undone" false
        FinishProduction "finish-production" true
    }

    variants! {
        of_a_plan OF_A_PLAN of Planned:
        SetMode "set-mode" false
        SetPlan "set-plan" true
        Review "review" false
        Execute "execute" false
        Mark "mark" false
        StepDone "step-done" true
        Back "back" false
        Settle "settle" false
    }

    fn listed(command: &Command) -> (&'static str, bool) {
        let own = command.interview().map(of_the_interview).or_else(|| command.production().map(of_production));
        let planned =
            if let Command::Of(subsystem::Command::Plan(command)) = command { Some(of_a_plan(command)) } else { None };
        own.or(planned).unwrap_or_else(|| of_the_session(command))
    }

    /// What may travel, as an agent could write it, with all that it has no say in.
    fn sent() -> Value {
        let alternatives = json!([{"value": "a", "label": "a"}, {"value": "b", "label": "b"}]);
        let question = json!({"id": "q-aaaaaa", "text": "why?", "dimension": "scope", "probe": "scope/first",
            "alternatives": alternatives});
        let plan = json!({"outputs": [], "permitted": ["Makefile"]});
        let draft = json!({"path": "docs/a.md", "destination": "design-doc", "blob": OTHER});
        json!([
            {"ask": {"question": question, "unchanged": "nothing new"}},
            {"reopen": {"question": question}},
            {"answer": {"question": "q-aaaaaa", "id": "a-bbbbbb", "reply": {"text": "x"}}},
            {"defer": {"question": "q-aaaaaa"}},
            {"push-back": {"question": "q-aaaaaa", "because": "no"}},
            "discuss",
            {"end-discussion": {"summary": "s", "answer": "a-bbbbbb"}},
            {"tell": {"question": "q-aaaaaa"}},
            {"back": {"to": "q-aaaaaa"}},
            {"update-checkpoint":
                {"checkpoint": "# x", "base": "# y", "summary": "s", "source": "editor", "answer": "a-bbbbbb"}},
            {"configure": {"intensity": "hard"}},
            {"open-selection": {"rationale": "r", "recommended_outputs": [], "question": "q", "alternatives": alternatives,
                "findings": {"unread": 7}}},
            {"continue-interview": {"summary": null}},
            {"select-outputs": plan},
            {"grant-request": {"shown": {"wanted": {"outputs": plan}, "by": "agent:sh"}}},
            {"submit-draft": [draft, "content", null]},
            {"drop-draft": {"target": "docs/a.md"}},
            {"approve-draft": {"target": "docs/a.md", "blob": OTHER}},
            {"finish-production": {}},
            {"stop": {"ending": "without-output"}},
            {"set-plan": {"steps": ["write it down"], "source": {"kind": "text"}}},
            {"step-done": {"step": 1, "note": "written"}},
        ])
    }

    fn request(command: &Value) -> Result<Request, Answer> {
        let frame = json!({"v": VERSION, "session": "20261121-auth-k3f9q", "wish": {"commands": [command]}});
        frame::request(frame.to_string().as_bytes())
    }

    fn outside() -> Outside<'static> {
        Outside { answer: &|| AnswerId::from_nonce(7), blob: &|_| ObjectId::parse(BLOB).ok() }
    }

    #[test]
    fn g45_every_command_travels_or_is_refused() {
        let mut travelled: Vec<&str> = Vec::new();
        for written in sent().as_array().unwrap() {
            let read = request(written).unwrap_or_else(|refused| panic!("{written}: {refused:?}"));
            let BrokerRequest::Commands(mut commands) = read.wish else { panic!("{written}") };
            outside().settle(&mut commands).unwrap();
            let (word, may) = listed(&commands[0]);
            assert!(may && may_travel(&commands[0]), "{written}");
            travelled.push(word);
            // Whatever is sent from inside is read outside as the same.
            let session = SessionId::parse("20261121-auth-k3f9q").unwrap();
            let again = frame::line(&Request { v: VERSION, session, wish: BrokerRequest::Commands(commands.clone()) });
            assert_eq!(frame::request(&again).unwrap().wish, BrokerRequest::Commands(commands), "{written}");
        }
        for (word, may) in [OF_THE_SESSION, OF_THE_INTERVIEW, OF_PRODUCTION].concat() {
            assert_eq!(travelled.contains(&word), may, "{word}");
            assert!(matches!(request(&json!({word: 7})), Err(Answer::Refused { .. })), "{word}: 7 was taken");
        }
        // One that may not travel is no word at all, whatever comes with it.
        let known = |why: serde_json::Error| !why.to_string().contains("unknown variant");
        for (word, may) in OF_THE_INTERVIEW {
            assert_eq!(known(serde_json::from_value::<Talk>(json!({(*word): 7})).unwrap_err()), *may, "{word}");
        }
        for (word, may) in OF_A_PLAN {
            assert_eq!(known(serde_json::from_value::<Planned>(json!({(*word): 7})).unwrap_err()), *may, "{word}");
        }
        for (word, may) in OF_PRODUCTION {
            assert_eq!(known(serde_json::from_value::<Produce>(json!({(*word): 7})).unwrap_err()), *may, "{word}");
        }
        assert!(OF_A_PLAN.iter().all(|(word, may)| travelled.contains(word) == (*may || *word == "back")));
        let planned = |command| Command::Of(subsystem::Command::Plan(command));
        let ours: [Command; 6] = [
            planned(Planned::SetMode { on: false }),
            planned(Planned::Mark { steps: vec![1] }),
            Talk::Waive { concerns: Vec::new() }.into(),
            Produce::RecordOutside(Vec::new()).into(),
            Produce::RecordUndone { round: 1 }.into(),
            Talk::RecordCitations(Vec::new()).into(),
        ];
        for ours in ours {
            assert!(!may_travel(&ours) && !listed(&ours).1 && serde_json::to_value(&ours).is_err(), "{ours:?}");
            assert!(outside().settle(&mut [ours]).is_err());
        }
    }

    #[test]
    fn g45_nothing_that_is_set_outside_is_taken_from_inside() {
        for written in sent().as_array().unwrap() {
            let Ok(Request { wish: BrokerRequest::Commands(mut commands), .. }) = request(written) else {
                panic!("{written}")
            };
            let before = commands.clone();
            outside().settle(&mut commands).unwrap();
            let made = AnswerId::from_nonce(7);
            match (commands[0].interview(), commands[0].production()) {
                (Some(Talk::Ask { question, .. } | Talk::Reopen { question }), _) => assert_eq!(question.probe, None),
                (Some(Talk::Answer { id, .. }), _) => assert_eq!(id, &made),
                (Some(Talk::EndDiscussion { answer, .. }), _) => assert_eq!(*answer, made),
                (Some(Talk::UpdateCheckpoint { source, answer, .. }), _) => {
                    assert_eq!((*source, answer.as_ref()), (CheckpointSource::Tool, Some(&made)));
                }
                (_, Some(Produce::OpenSelection(gate))) => assert_eq!(gate.findings, Findings::default()),
                (_, Some(Produce::SelectOutputs(plan))) => assert!(plan.permitted.is_empty()),
                (_, Some(Produce::SubmitDraft(draft))) => {
                    assert_eq!((draft.blob.as_str(), draft.content.as_str()), (BLOB, "content"));
                }
                _ => {
                    let plan = Command::Of(subsystem::Command::Plan(Planned::SetPlan {
                        steps: Steps::parse(&["write it down"]).unwrap(),
                        source: PlanSource::Tool { name: Line::clipped("grill_set_plan") },
                    }));
                    let set = written.get("set-plan").is_some();
                    assert_eq!(commands, if set { vec![plan] } else { before });
                }
            }
        }
    }

    #[test]
    fn g45_what_is_too_much_or_does_not_fit_is_refused() {
        let refused = |command: Value| {
            let Ok(Request { wish: BrokerRequest::Commands(mut commands), .. }) = request(&command) else {
                panic!("{command}")
            };
            outside().settle(&mut commands).unwrap_err().0
        };
        let alternatives = |one: Value| json!([one, {"value": "b", "label": "b"}]);
        let plain = json!({"value": "a", "label": "a"});
        let question = |part: &str, value: Value| {
            let offered = alternatives(plain.clone());
            let mut question = json!({"id": "q-aaaaaa", "text": "t", "dimension": "d", "alternatives": offered});
            question[part] = value;
            json!({"ask": {"question": question}})
        };
        let many: Vec<&str> = vec!["q-bbbbbb"; 65];
        assert!(refused(question("builds_on", json!(many))).contains("more than 64"));
        let discussed = json!({"value": "a", "label": "a", "discuss": true});
        let gate = |list: Value| {
            json!({"open-selection":
                {"rationale": "r", "recommended_outputs": [], "question": "q", "alternatives": list}})
        };
        assert!(refused(gate(alternatives(discussed))).contains("2 to 5 plain"));
        assert!(refused(gate(json!(vec![plain.clone(); 6]))).contains("2 to 5 plain"));
        let draft = json!({"path": "docs/a.md", "destination": "design-doc", "blob": BLOB, "replaces": OTHER});
        assert!(refused(json!({"submit-draft": [draft, "content", "what stood there"]})).contains("another one"));
        let defer: Command = Talk::Defer { question: QuestionId::from_nonce(1) }.into();
        assert!(outside().settle(&mut []).is_err());
        assert!(outside().settle(&mut vec![defer.clone(); BrokerRequest::MOST]).is_ok());
        assert!(outside().settle(&mut vec![defer; BrokerRequest::MOST + 1]).is_err());
    }
}
