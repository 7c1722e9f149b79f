//! The kinds of hostile sessions, as a table: what was edited in a story that git grill told.

use super::stories::Base;

/// One edit of a session's tree. Texts may hold `{id}`, `{root}` and `{blob:<text>}`.
pub enum Edit {
    /// In this file the first of these texts becomes the second.
    Swap(&'static str, &'static str, String),
    Put(String, String),
    Link(&'static str, &'static str),
}

/// One kind of hostile session.
pub struct Row {
    pub name: String,
    pub base: Base,
    pub edits: Vec<Edit>,
}

const SESSION: &str = ".grill/session.yaml";
const OUTPUTS: &str = ".grill/outputs.yaml";
const EVENTS: &str = ".grill/events.yaml";

fn row(name: &str, base: Base, edits: impl IntoIterator<Item = Edit>) -> Row {
    Row { name: name.to_owned(), base, edits: edits.into_iter().collect() }
}

fn swap(path: &'static str, from: &'static str, to: &str) -> Edit {
    Edit::Swap(path, from, to.to_owned())
}

fn put(path: &str, text: &str) -> Edit {
    Edit::Put(path.to_owned(), text.to_owned())
}

/// Approvals are anybody's.
fn mode(word: &str) -> Edit {
    swap(SESSION, "approval: script", &format!("approval: {word}"))
}

/// An output phase whose plan names `path`, in which a draft of it stands at `stage`.
fn planned(path: &str, stage: &str, text: &str, replaces: &str) -> String {
    let blob = format!("{{blob:{text}}}");
    format!(
        "plan:\n  outputs:\n    - destination: design-doc\n      strategy: vertical-slices\n      paths:\n        - {path}\n\
         selected_by: human\nround: 7\ndrafts:\n  - path: {path}\n    destination: design-doc\n    blob: \"{blob}\"\n\
         {replaces}    stage: {stage}\n    approval: human\n"
    )
}

/// A phase in which nothing is refused.
fn lifted(grant: &str) -> [Edit; 1] {
    [swap(
        SESSION,
        "    grip: read-only",
        &format!("    grip: lifted\n    by:\n      of: plan\n      what: \"{grant}\""),
    )]
}

/// A session whose output phase is this one, whatever its events say.
fn forged(name: &str, path: &str, stage: &str, replaces: &str, more: Vec<Edit>) -> Row {
    let text = "pwned\\n";
    let mut edits = vec![
        put(OUTPUTS, &planned(path, stage, text, replaces)),
        put(&format!(".grill/drafts/{path}"), "pwned\n"),
        mode("person"),
    ];
    edits.extend(more);
    row(name, Base::Drafted, edits)
}

fn approved(path: &str) -> Row {
    forged(&format!("{path} approved by nobody"), path, "approved", "", Vec::new())
}

/// What stands in our clone under a name, as a draft names what it replaces.
fn in_the_place_of(text: &str) -> String {
    format!("    replaces: \"{{blob:{text}}}\"\n")
}

/// A file that finished output phases are to have written.
fn produced(path: &str, written: &str, replaced: Option<&str>) -> Edit {
    let replaced = replaced.map(|text| format!("    replaced: \"{{blob:{text}}}\"\n")).unwrap_or_default();
    swap(
        SESSION,
        "produced:\n",
        &format!(
            "produced:\n  - destination: design-doc\n    path: {path}\n    blob: \"{{blob:{written}}}\"\n{replaced}    \
             round: 9000\n"
        ),
    )
}

/// A plan of `path` in which a person permits `permitted`.
fn permitted(path: &str, permitted: &str) -> String {
    let may = format!("  permitted:\n    - {permitted}\nselected_by: human\n");
    planned(path, "approved", "pwned\\n", "").replacen("selected_by: human\n", &may, 1)
}

/// A record of what stood at a file when it was first drafted.
fn stood(path: &str, text: &str) -> String {
    format!("stood:\n  - path: {path}\n    blob: \"{{blob:{text}}}\"\n")
}

/// Kinds in which one field says what only a person, or this clone, can know.
fn said_by_a_field() -> Vec<Row> {
    let waived = "waived:\n  - name: \"area:scope\"\n    key: \"area:scope\"\nphase:\n";
    let led =
        || [swap(SESSION, "interviewer: built-in", "interviewer: agent:claude"), swap(SESSION, "phase:\n", waived)];
    vec![
        row("a concern is waived", Base::Interview, led()),
        row("a concern is waived where a plan was chosen", Base::Drafted, led()),
        row(
            "a person permitted a file that makes programs run",
            Base::Drafted,
            [
                put(OUTPUTS, &permitted(".claude/settings.json", ".claude/settings.json")),
                put(".grill/drafts/.claude/settings.json", "pwned\n"),
                mode("person"),
            ],
        ),
        row(
            "a person permitted another file than the plan's",
            Base::Drafted,
            [
                put(OUTPUTS, &permitted("docs/api.md", ".github/workflows/ci.yml")),
                put(".grill/drafts/docs/api.md", "pwned\n"),
                mode("agent"),
            ],
        ),
        row(
            "what stood at a new file",
            Base::Drafted,
            [
                put(OUTPUTS, &(planned("docs/api.md", "approved", "pwned\\n", "") + &stood("docs/api.md", "pwned\\n"))),
                put(".grill/drafts/docs/api.md", "pwned\n"),
                mode("person"),
            ],
        ),
        row(
            "what stood at a file that is here",
            Base::Drafted,
            [
                put(OUTPUTS, &(planned("Makefile", "written", "all:\\n", "") + &stood("Makefile", "pwned\\n"))),
                put(".grill/drafts/Makefile", "all:\n"),
                put(".grill/replaced/Makefile", "pwned\n"),
            ],
        ),
        row(
            "a finished phase says that it was elsewhere",
            Base::Finished,
            [
                produced("Makefile", "all:\\n", Some("pwned\\n")),
                swap(SESSION, "round: 9000\n", "round: 9000\n    elsewhere: true\n"),
                put(".grill/more", "pwned\n"),
            ],
        ),
        row(
            "a program of the clone asks",
            Base::Interview,
            [swap(SESSION, "interviewer: built-in", "interviewer: \"agent:./evil\"")],
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table: one line for each kind of session")]
pub fn rows() -> Vec<Row> {
    use Base::{Drafted, Executing, Finished, Gate, Interview, Issues, Planning, Written};
    let mut all = vec![
        row("approvals are a script's", Interview, []),
        row("approvals are an agent's", Interview, [mode("agent")]),
        row("approvals are an agent's at the gate", Gate, [mode("agent")]),
        row("approvals are an agent's in the output phase", Drafted, [mode("agent")]),
        row("approvals are an agent's where issues are drafted", Issues, [mode("agent")]),
        row("an approval mode that is none", Drafted, [mode("anybody")]),
        row("an agent asks", Interview, [swap(SESSION, "interviewer: built-in", "interviewer: agent:claude")]),
        row(
            "a program asks",
            Interview,
            [swap(SESSION, "interviewer: built-in", "interviewer: \"agent:../canaries/evil\"")],
        ),
        row(
            "an agent asks and approves",
            Drafted,
            [swap(SESSION, "interviewer: built-in", "interviewer: agent:claude"), mode("agent")],
        ),
        row("outputs were chosen elsewhere", Drafted, []),
        row("a file was written elsewhere", Written, []),
        row("an output phase was finished elsewhere", Finished, []),
        row("issues are drafted elsewhere", Issues, []),
        row("a plan is made elsewhere", Planning, []),
        row("a plan is carried out elsewhere", Executing, []),
        row("nothing is refused, says the phase alone", Planning, lifted("off")),
        row(
            "plan mode is off, says everything",
            Planning,
            [lifted("off"), [swap(".grill/plan.yaml", "mode: \"on\"", "mode: \"off\"")]].into_iter().flatten(),
        ),
        row(
            "a plan that nobody approved is carried out",
            Executing,
            [swap(".grill/plan.yaml", "text: write the API down", "text: pwned")],
        ),
    ];
    // Drafts that a person is said to have approved.
    all.extend(
        [
            "docs/api.md",
            "docs/other.md",
            "Cargo.toml",
            ".claude/settings.json",
            ".mcp.json",
            ".github/workflows/ci.yml",
            ".vscode/tasks.json",
            ".gitattributes",
            "CLAUDE.md",
            "build.rs",
            // The folder is a link that leads out of our clone.
            "link/out.md",
        ]
        .map(approved),
    );
    all.extend(
        [
            "../escape.md",
            "docs/../../escape.md",
            "/{root}/escape.md",
            ".git/hooks/post-commit",
            ".GIT/config",
            "~/x",
            "a//b",
        ]
        .map(|path| {
            let text = planned(path, "approved", "pwned\\n", "");
            row(&format!("{path} approved by nobody"), Drafted, [put(OUTPUTS, &text), mode("person")])
        }),
    );
    all.extend([
        forged("a file that stands here is overwritten", "Makefile", "approved", &in_the_place_of("all:\\n"), vec![
            put(".grill/replaced/Makefile", "all:\n"),
        ]),
        forged("an approved draft that no plan names", "Makefile", "approved", &in_the_place_of("all:\\n"), vec![
            put(".grill/replaced/Makefile", "all:\n"),
            swap(OUTPUTS, "        - Makefile\n", "        - docs/api.md\n"),
        ]),
        forged("a draft that is a link", "docs/api.md", "approved", "", vec![Edit::Link(
            ".grill/drafts/docs/api.md",
            "../../../../README.md",
        )]),
        forged("a draft with other bytes than its name", "docs/api.md", "approved", "", vec![put(
            ".grill/drafts/docs/api.md",
            "other bytes\n",
        )]),
        forged("two drafts of one file", "docs/api.md", "approved", "", vec![swap(
            OUTPUTS,
            "    approval: human\n",
            "    approval: human\n  - path: docs/api.md\n    destination: design-doc\n    blob: \"{blob:pwned\\n}\"\n    \
             stage: approved\n    approval: human\n",
        )]),
        // What is said to be written here can be taken back and committed.
        row("a written file brings another text back", Drafted, [
            put(OUTPUTS, &planned("Makefile", "written", "all:\\n", &in_the_place_of("pwned\\n"))),
            put(".grill/drafts/Makefile", "all:\n"),
            put(".grill/replaced/Makefile", "pwned\n"),
        ]),
        row("a written file is to go", Drafted, [
            put(OUTPUTS, &planned("Makefile", "written", "all:\\n", "")),
            put(".grill/drafts/Makefile", "all:\n"),
        ]),
        row("a finished phase brings another text back", Finished, [
            produced("Makefile", "all:\\n", Some("pwned\\n")),
            put(".grill/more", "pwned\n"),
        ]),
        row("a finished phase takes a file away", Finished, [produced("Makefile", "all:\\n", None)]),
        row("a finished phase wrote a link", Finished, [produced("link/out.md", "all:\\n", None)]),
        row("an approved issue is owed", Issues, [
            swap(OUTPUTS, "stage: drafted\n", "stage: approved\n    approval: human\n"),
            mode("person"),
        ]),
        row("an approved issue is owed in another tracker", Issues, [
            swap(OUTPUTS, "stage: drafted\n", "stage: approved\n    approval: human\n"),
            swap(OUTPUTS, "octo/links", "evil/links"),
        ]),
        row("a created issue is to be rewritten", Issues, [swap(
            OUTPUTS,
            "stage: drafted\n",
            "stage: created\n    approval: human\n    number: 1\n    url: https://example.org/1\n    linked: false\n",
        )]),
        row("a person is said to ask at the gate", Gate, [mode("person")]),
        row("the gate keeps an approved output phase", Gate, [
            put(OUTPUTS, &planned("Makefile", "approved", "pwned\\n", "")),
            put(".grill/drafts/Makefile", "pwned\n"),
            mode("person"),
        ]),
        row("the events say that a person approved", Drafted, [
            put(OUTPUTS, &planned("docs/api.md", "approved", "pwned\\n", "")),
            put(".grill/drafts/docs/api.md", "pwned\n"),
            put(
                EVENTS,
                "- seq: 9\n  at: \"2026-11-21T10:00:09Z\"\n  by: human\n  event: draft-approved\n  path: docs/api.md\n  \
                 blob: \"{blob:pwned\\n}\"\n",
            ),
        ]),
        row("the events say that everything lapsed already", Drafted, [
            put(OUTPUTS, &planned("docs/api.md", "approved", "pwned\\n", "")),
            put(".grill/drafts/docs/api.md", "pwned\n"),
            put(
                EVENTS,
                "- seq: 9\n  at: \"2026-11-21T10:00:09Z\"\n  by: system\n  event: authority-lapsed\n  lapse: {}\n",
            ),
        ]),
        row("no event at all", Drafted, [mode("agent"), put(EVENTS, "[]\n")]),
        row("a record of grants in the tree", Drafted, [
            mode("agent"),
            put(".grill/granted/{id}", "git-grill granted 1 1 born 1.000000001\n+ approval agent\n"),
            put("grill/granted/{id}", "git-grill granted 1 1 born 1.000000001\n+ approval agent\n"),
            put("granted/{id}", "git-grill granted 1 1 born 1.000000001\n+ approval agent\n"),
        ]),
        row("a number behind which none comes", Drafted, [
            mode("agent"),
            swap(SESSION, "seq: ", "seq: 18446744073709551615 #"),
        ]),
        row("a phase whose number no event has", Drafted, [
            mode("agent"),
            swap(OUTPUTS, "round: ", "round: 18446744073709551615 #"),
        ]),
        row("a newer format", Drafted, [mode("agent"), put(".grill/format", "2\n")]),
        row("a format that is none", Drafted, [mode("agent"), put(".grill/format", "one\n")]),
        row("another session's id", Drafted, [mode("agent"), swap(SESSION, "id: \"2", "id: \"3")]),
        row("two parents", Drafted, [mode("agent")]),
        row("no output phase behind the word", Interview, [
            mode("agent"),
            swap(SESSION, "phase: interview", "phase: output"),
            put(OUTPUTS, &planned("docs/api.md", "approved", "pwned\\n", "")),
            put(".grill/drafts/docs/api.md", "pwned\n"),
        ]),
        row("an unknown phase", Interview, [mode("agent"), swap(SESSION, "phase: interview", "phase: anything")]),
        row("no plan in the output phase", Drafted, [swap(OUTPUTS, "  outputs:", "  others:")]),
        row("drafts beyond any limit", Drafted, [
            mode("agent"),
            swap(OUTPUTS, "drafts:\n", &format!("prose: \"{}\"\ndrafts:\n", "x".repeat(2 << 20))),
        ]),
    ]);
    all.extend(said_by_a_field());
    all
}
