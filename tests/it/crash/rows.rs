//! What a row of the tables says, and the situations in which commands are tried.

use super::killed::Met;
use super::place::Place;

/// A command, and what it takes to repeat it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The kind of repository.
    pub place: Place,
    pub before: &'a [&'a str],
    /// The command, as `exec` and one program; `{q}` is the id of the open question, `{s}` the session's, `{t}` a terminal.
    pub line: &'a str,
    /// How else it ends than with 0, the first time or again.
    pub codes: &'a [i32],
    /// What is typed again, by the subject that the history has by then; the same line where none of them stands there.
    pub again: &'a [(&'a str, &'a str)],
    pub protects: Protects,
    /// What a person types afterwards to get where the command would have led.
    pub then: &'a str,
    /// What its standard output holds once it has acknowledged; anything at all, where this is empty.
    pub says: &'a str,
    /// A person's words in it, which a command that fails keeps.
    pub words: &'a str,
}

/// When a row's session is protected, if it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protects {
    /// All the time.
    Before,
    /// Once the command has mended it.
    After,
}

/// A row with the name of its test.
#[derive(Debug)]
pub struct Tried {
    pub name: &'static str,
    pub row: Row<'static>,
}

impl Tried {
    /// Tries it, and says what it met; fewer than `states` different ones would have tested nothing.
    pub fn tries(&self, how: fn(&Row<'_>) -> Met, states: usize) {
        if !self.row.place.can_be() {
            return;
        }
        let met = how(&self.row);
        assert!(met.states >= states, "{} steps left {} states, so nothing was tested", met.steps, met.states);
        eprintln!("{}: {} steps, {} states", self.name, met.steps, met.states);
    }
}

pub fn tried_by_name(table: &[Tried], name: &str, how: fn(&Row<'_>) -> Met, states: usize) {
    table.iter().find(|tried| tried.name == name).unwrap().tries(how, states);
}

/// Rows as a table, each with a test of its own: how something goes wrong in them, and how many states that leaves at
/// least. Rows behind `[whole]` are tried with all others alone: `tests/README.md` says by which command.
macro_rules! tried {
    (
        $table:ident: $how:expr, $states:literal;
        $($name:ident: $row:expr;)*
        $([whole] $($rest:ident: $other:expr;)*)?
    ) => {
        pub const $table: &[$crate::crash::rows::Tried] = &[
            $($crate::crash::rows::Tried { name: stringify!($name), row: $row },)*
            $($($crate::crash::rows::Tried { name: stringify!($rest), row: $other },)*)?
        ];
        $(
            #[test]
            fn $name() {
                $crate::crash::rows::tried_by_name($table, stringify!($name), $how, $states);
            }
        )*
        $($(
            #[test]
            #[ignore = "with all rows: cargo test --test it crash:: -- --include-ignored --skip by_hand --skip until_killed"]
            fn $rest() {
                $crate::crash::rows::tried_by_name($table, stringify!($rest), $how, $states);
            }
        )*)?
    };
}
pub(super) use tried;

/// A session with an open question.
pub const START: &str = "git grill start --research off 'rate limiting'";
/// Its first answer.
pub const ANSWER: &str = "git grill answer 'requests per client are counted'";
/// Three drafts that wait for approval; one of the files is there already.
pub const SELECT: &str = "git grill select design-doc,prd,test-plan";
pub const APPROVE: &str = "git grill approve";
/// The open question.
pub const NEXT: &str = "git grill next";
/// A session in which an agent asks.
pub const AGENT: &str = "git grill start --research off --interviewer agent:claude 'rate limiting'";
/// Everything that is acknowledged is on the disk.
pub const FSYNC: &str = "git config --global grill.fsync true";

/// In an interview with an open question, nothing wanted yet.
pub const ROW: Row<'_> = Row {
    place: Place::USUAL,
    before: &[START],
    line: "",
    codes: &[],
    again: &[],
    protects: Protects::Before,
    then: "",
    says: "",
    words: "",
};

const WORDS: &str = "requests per client";

pub const START_ROW: Row<'_> =
    Row { before: &[], line: "exec git-grill start --research off 'rate limiting'", codes: &[1], then: NEXT, ..ROW };
pub const ANSWER_ROW: Row<'_> = Row {
    line: "exec git-grill answer --question {q} 'requests per client'",
    codes: &[4],
    then: NEXT,
    words: WORDS,
    ..ROW
};
/// Plan mode in a session without an interview.
pub const PLAN: &str = "git grill plan on 'rate limiting'";
/// A plan of two steps.
pub const STEPS: &str = r"printf 'Plan:\n\n1. count\n2. limit\n' | git grill plan set -";
pub const EXECUTE: &str = "git grill plan execute";
/// What is debated.
pub const DOSSIER: &str = r"printf '# Limits\n\nWe want limits.\n' >../tmp/dossier.md";
/// What each role gives, whatever the round.
pub const ROLES: &str = r#"mkdir -p ../tmp/roles && cd ../tmp/roles && printf '## Architecture overview\na\n## Key technical decisions\n- b: c\n## File structure changes\nd\n## Potential risks\ne\n## Options considered\n- f: chosen\n' >proposal.md && for facet in 'Problem framing' 'Hidden assumptions' 'Simpler alternatives' Scope; do printf '## %s\nNone found\n' "$facet"; done >critique.md && echo 'Idea verdict: sound' >>critique.md && for facet in 'Architecture flaws' 'Security gaps' 'Violated constraints' Regressions Scalability; do printf '## %s\nNone found\n' "$facet"; done >attack.md && printf '## Solution\na\n### Key technical decisions\n- b: c\n## Assessments\n## Answers to the user\n- it: so\n## Defended\nRecommendation: continue\n' >synthesis.md && for round in 1 2 3; do mkdir -p round-$round && cp *.md round-$round; done"#;
/// A debate that they play.
pub const DEBATE: &str = "git grill debate start --dossier ../tmp/dossier.md --proposer file:../tmp/roles --advocate file:../tmp/roles --synthesizer file:../tmp/roles";
/// Up to the user's answers of round 1.
pub const ATTACKED: &str = "git grill debate next && git grill debate next && git grill debate next";
/// Two rounds of it, after which a concern is left.
pub const DEBATED: &str = "git grill debate answer yes && git grill debate answer no && git grill debate answer no && git grill debate next && git grill debate next && git grill debate answer yes && git grill debate answer yes --note costs && git grill debate answer no && git grill debate next";
/// Something of a debate that has begun.
pub const DEBATE_ROW: Row<'_> = Row { before: &[START, DOSSIER, ROLES, DEBATE], ..ROW };
/// Something of plan mode, while the plan is carried out.
pub const PLAN_ROW: Row<'_> = Row { before: &[PLAN, STEPS, EXECUTE], ..ROW };
pub const SELECT_ROW: Row<'_> = Row {
    before: &[START, ANSWER],
    line: "exec git-grill select design-doc,prd,test-plan",
    codes: &[1],
    again: &[("select ", "git grill draft")],
    ..ROW
};
/// `approve`, which writes three files
pub const APPROVE_ROW: Row<'_> =
    Row { before: &[START, ANSWER, SELECT], line: "exec git-grill approve", codes: &[1], ..ROW };
/// `produce`, which writes them too
pub const PRODUCE_ROW: Row<'_> = Row { line: "exec git-grill produce", ..APPROVE_ROW };
pub const STOP_ROW: Row<'_> =
    Row { before: &[START, ANSWER], line: "exec git-grill stop --without-output", codes: &[6], ..ROW };
/// A stop that finds no room frees git and leaves the session unfinished (G17): it is ended as it was told.
pub const STOP_WITHOUT_ROOM: Row<'_> = Row {
    again: &[(
        "start:",
        "git grill resume $(git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions); \
         git grill stop --without-output",
    )],
    ..STOP_ROW
};
/// `produce --undo`
pub const UNDO_ROW: Row<'_> =
    Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill produce --undo", ..ROW };
