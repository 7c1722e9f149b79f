//! The debate, with the real program: its course and its limits, what a role has to give, what is looked up, how the user is
//! heard, and what comes of it (D1 to D37). Roles are files that a test writes, or commands.

mod asked;
mod cited;
mod concluded;
mod course;
mod held;
mod hosted;
mod looked;
mod played;
mod proxied;
mod read;
mod real;
mod told;
mod ways_out;

use std::fmt::Write as _;

use serde_json::Value;

use crate::bench::{Bench, Output};

const DOSSIER: &str = "# Rate limiting\n\nClients hammer the API. We want limits.\n";
const PROPOSAL: &str = "## Architecture overview\nA token bucket for each client.\n## Key technical decisions\n- Token bucket: \
                        bursts are legal\n- One store: two would disagree\n## File structure changes\nsrc/limit.rs is \
                        new\n## Potential risks\nClocks that jump.\n## Options considered\n- Token bucket: chosen, since bursts \
                        are legal\n- A proxy in front: feasible, and one more thing to run\n- Nothing: not feasible, since \
                        outages came from there\n";
const IDEA: [&str; 4] = ["Problem framing", "Hidden assumptions", "Simpler alternatives", "Scope"];
const ATTACK: [&str; 5] = ["Architecture flaws", "Security gaps", "Violated constraints", "Regressions", "Scalability"];

/// A report on each facet: these entries on the first, and nothing on the others.
fn report(facets: &[&str], entries: &str) -> String {
    let mut text = String::new();
    for (place, facet) in facets.iter().enumerate() {
        let said = if place == 0 && !entries.is_empty() { entries } else { "None found\n" };
        write!(text, "## {facet}\n{said}\n").unwrap();
    }
    text
}

/// Writes the texts of roles that agree in two rounds.
fn agreeing(bench: &Bench) {
    for round in [1, 2] {
        let at = |part: &str| format!("../tmp/roles/round-{round}/{part}.md");
        bench.write(&at("proposal"), PROPOSAL);
        bench.write(&at("critique"), critique("", "sound"));
        bench.write(&at("attack"), attack(""));
        bench.write(&at("synthesis"), synthesis(&[], "One store: shared"));
    }
}

fn critique(entries: &str, verdict: &str) -> String {
    format!("{}\nIdea verdict: {verdict}\n", report(&IDEA, entries))
}

fn attack(entries: &str) -> String {
    report(&ATTACK, entries)
}

/// The same with answers to the user.
fn answering(text: &str) -> String {
    text.replace("## Defended", "## Answers to the user\n- It: it is in the solution\n- That: it is not\n\n## Defended")
}

/// A synthesis that says this of each objection.
fn synthesis(assessed: &[(String, &str)], decision: &str) -> String {
    let mut text = format!(
        "## Solution\nA bucket for each client, round again.\n### Key technical decisions\n- Token bucket: bursts are \
         legal\n- {decision}\n## Assessments\n"
    );
    for (id, said) in assessed {
        writeln!(text, "- {id}: {said}").unwrap();
    }
    text + "## Defended\n- Token bucket: it stood\n\nRecommendation: continue\n"
}

/// A debate whose roles are files below `../tmp/roles`, in a world where scripts approve.
struct Stage {
    bench: Bench,
}

impl Stage {
    fn new(more: &str) -> Self {
        let bench = Bench::on_disk(Bench::new);
        bench.scripts_may_approve();
        bench.write("dossier.md", DOSSIER);
        bench.write("src/limit.rs", "fn limit() {\n    count();\n}\n\nfn count() {}\n");
        bench.run("git add -A && git commit -qm begun && mkdir -p ../tmp/roles").assert_code(0);
        let roles = "--proposer file:../tmp/roles --advocate file:../tmp/roles --synthesizer file:../tmp/roles";
        bench.run(&format!("git grill debate start --dossier dossier.md {roles} {more}")).assert_code(0);
        Self { bench }
    }

    fn gives(&self, round: u32, part: &str, text: &str) -> Output {
        self.bench.write(&format!("../tmp/roles/round-{round}/{part}.md"), text);
        self.next()
    }

    fn next(&self) -> Output {
        self.bench.run("git grill debate next")
    }

    fn debate(&self) -> Value {
        let status = self.bench.run("git grill status --json").assert_code(0);
        let status: Value = serde_json::from_str(status.stdout()).unwrap();
        status["debate"].clone()
    }

    /// The round and the step that is next.
    fn stands(&self) -> (u64, String) {
        let debate = self.debate();
        (debate["round"].as_u64().unwrap(), debate["step"].as_str().unwrap().to_owned())
    }

    /// Names of the objections whose claims begin so, in the order in which they were raised.
    fn ids(&self, beginning: &str) -> Vec<String> {
        let debate = self.debate();
        let all = debate["objections"].as_array().unwrap().iter();
        let fits = all.filter(|one| one["claim"].as_str().unwrap().starts_with(beginning));
        fits.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    }

    #[track_caller]
    fn opens(&self) {
        self.gives(1, "proposal", PROPOSAL).assert_code(0);
        self.gives(1, "critique", &critique("", "sound")).assert_code(0);
    }

    #[track_caller]
    fn answers(&self, missed: &str) {
        self.bench.run("git grill debate answer yes").assert_code(0);
        if missed.is_empty() {
            self.bench.run("git grill debate answer no").assert_code(0);
        } else {
            self.bench.run(&format!("git grill debate answer yes --note '{missed}'")).assert_code(0);
        }
        self.bench.run("git grill debate answer no").assert_code(0);
    }

    /// A round behind its beginning: one new objection, which is held to be valid.
    #[track_caller]
    fn loud(&self, round: u32) {
        let claim = format!("Claim {round} about the store");
        self.gives(round, "attack", &attack(&format!("- [high] {claim}\n"))).assert_code(0);
        self.answers("");
        let id = self.ids(&claim).pop().unwrap();
        self.gives(round, "synthesis", &synthesis(&[(id, "valid — it is taken in")], "One store: shared"))
            .assert_code(0);
    }

    /// The same without an objection.
    #[track_caller]
    fn quiet(&self, round: u32) {
        self.gives(round, "attack", &attack("")).assert_code(0);
        self.answers("");
        self.gives(round, "synthesis", &synthesis(&[], "One store: shared")).assert_code(0);
    }

    fn text(&self, path: &str) -> String {
        self.bench.run(&format!("git show GRILL_HEAD:.grill/{path}")).assert_code(0).stdout().to_owned()
    }
}
