//! Tests of the generators on sessions that are made here: what each document holds, what it leaves out, and that no
//! words whatever break one.

mod custom;
mod given;
mod hostile;
mod pieces;
pub(super) mod sessions;

use self::sessions::{answered, full, made, made_at, session, text_of};
use super::*;
use crate::domain::interview::AnswerKind;
use crate::domain::issue::{self, IssueText};
use crate::domain::outline::Outline;
use crate::domain::production::TargetPath;
use crate::domain::settings::{Catalogued, CataloguedStrategy, Destination, Strategy};

/// The outputs that are one document whatever stands in the repository.
const SINGLE: &[&str] = &[
    "design-doc",
    "prd",
    "implementation-plan",
    "research-brief",
    "summary",
    "tutorial",
    "test-plan",
    "readme",
    "changelog",
];

#[test]
fn g27_the_catalogue_has_eleven_entries_and_makes_each() {
    let listed = catalogue().filter(|(output, _)| *output != Catalogued::Toy);
    assert_eq!(listed.count(), 11);
    for (output, entry) in catalogue().filter(|(output, _)| *output != Catalogued::GithubIssues) {
        let made = made(output.as_str(), None, &full());
        assert!(made.is_ok(), "{}: {made:?}", entry.name);
    }
    // Issues are no documents unless somebody names a folder for them.
    assert_eq!(made("github-issues", None, &full()), Err(Cannot::NoTracker));
    assert!(made_at("github-issues", Some("vertical-slices"), "issues", &full()).is_ok());
}

#[test]
fn g44_every_output_has_a_place() {
    let first = |output: &str| {
        made(output, None, &full()).unwrap().first().map(|document| document.path.to_string()).unwrap_or_default()
    };
    for (output, expected) in [
        ("design-doc", "docs/design/rate-limiting.md"),
        ("prd", "docs/prd/rate-limiting.md"),
        ("implementation-plan", "docs/plans/rate-limiting.md"),
        ("research-brief", "docs/research/rate-limiting.md"),
        ("summary", "docs/memos/rate-limiting.md"),
        ("tutorial", "docs/tutorials/rate-limiting.md"),
        ("test-plan", "docs/testing/rate-limiting.md"),
        ("readme", "README.md"),
        ("changelog", "CHANGELOG.md"),
        ("adr", "docs/adr/0001-the-limit-counts-by-key.md"),
    ] {
        assert_eq!(first(output), expected);
    }
    let foreign = made("design-doc", None, &session("要件", "## Decisions\n\n- x\n")).unwrap();
    assert_eq!(foreign[0].path.as_str(), "docs/design/session.md");
}

#[test]
fn the_design_doc_holds_everything_that_stands_in_the_checkpoint() {
    let text = text_of("design-doc", None, &full());
    for kept in [
        "# Add rate limiting\n\nStatus: proposed, 2026-11-21. Worked out in an interview; rests on 2 answers.",
        "## Goals\n\n- One loud customer starves the others.\n",
        "- Operators notice first.",
        "- The limit counts by key.\n  - Reason: One key is one customer.",
        "- It lives beside the router, edited by hand.",
        "- Instead of “The limit counts by key”:\n  - By address: The limit counts by address. For it: nobody has to log in.",
        "## My own heading\n\nWords that no generator knows.\n\n### With a detail\n\n- kept\n",
        "- Clocks may differ.",
        "- A test fails first.",
        "- How long is the window?\n  - To find out: ask the callers.",
        "- Write the test.",
    ] {
        assert!(text.contains(kept), "{kept:?} is missing in {text}");
    }
    assert!(text.ends_with("`git log grill/sessions/20261121-rate-limiting-haaaa`.\n"), "{text}");
    let titles: Vec<String> = Outline::parse(&text).sections.iter().map(|one| one.title().to_owned()).collect();
    assert_eq!(titles.iter().filter(|title| *title == "Decisions").count(), 1);
}

#[test]
fn g14_a_document_rests_on_as_many_answers_as_the_status_counts() {
    let mut session = full();
    session.transcript.asked[1].answers[0].kind = AnswerKind::Unknown;
    assert_eq!((session.transcript.progress().resolved, session.transcript.progress().unknown), (1, 1));
    for output in ["design-doc", "research-brief"] {
        let text = text_of(output, None, &session);
        assert!(text.contains("rests on 1 answer"), "{text}");
        assert!(!text.contains("rests on 1 answers"), "{text}");
    }
}

/// What a debate held against an option stands beside its name, in every output.
#[test]
fn d17_options_that_a_debate_did_not_choose_have_their_names_and_reasons() {
    let decided = "- The limit counts by key. (debate 2: Token bucket.)\n  - Reason: it is exact.\n  - Not chosen: Token \
                   bucket; Nothing; Token bucket. (debate 1: How does it count?)\n  - Against Token bucket: lets bursts \
                   through.\n  - Against Nothing: not feasible.\n";
    let session = session("add rate limiting", &format!("# S\n\n## Decisions\n\n{decided}"));
    let text = text_of("test-plan", None, &session);
    assert!(text.contains("  - Not: Token bucket (lets bursts through)\n  - Not: Nothing (not feasible)"), "{text}");
    let text = text_of("summary", None, &session);
    assert!(text.contains(": Token bucket (lets bursts through); Nothing (not feasible)."), "{text}");
    let text = text_of("design-doc", None, &session);
    assert!(text.contains("  - Token bucket: Against it: lets bursts through.\n"), "{text}");
    for output in ["test-plan", "summary", "design-doc", "adr"] {
        let text = text_of(output, None, &session);
        assert!(!text.contains("debate") && text.contains("Token bucket"), "{output}: {text}");
        assert_eq!(text.matches("Nothing").count(), text.matches("Token bucket").count(), "{output}: {text}");
    }
}

#[test]
fn decisions_without_a_record_are_named_where_others_have_one() {
    let adr: Destination = "adr".parse().unwrap();
    let candidates: Strategy = "adr-candidates".parse().unwrap();
    let of = |decisions: &str| {
        unrecorded(&adr, &candidates, &session("limits", &format!("# S\n\n## Decisions\n\n{decisions}")))
    };
    assert_eq!(of("- By key.\n  - Not chosen: By address.\n- Beside the router.\n"), ["Beside the router"]);
    assert!(of("- By key.\n- Beside the router.\n").is_empty());
    assert!(unrecorded(&"summary".parse().unwrap(), &candidates, &full()).is_empty());
}

#[test]
fn no_sentence_of_a_document_is_without_support() {
    // Every line is a heading, a label or something that the session holds.
    const OURS: &[&str] = &[
        "After ",
        "Status: ",
        "Begin with:",
        "Done when:",
        "How to find out:",
        "Watch for:",
        "---",
        "Every question",
        "Planned, as of",
        "2026-11-21",
        "- Instead of",
        "Pitfalls:",
        "Ready when:",
        "Not chosen:",
        "# ",
        "## ",
        "### ",
        "Chosen option:",
        "status: ",
        "date: ",
    ];
    let session = full();
    let mut said = session.checkpoint.as_str().to_lowercase();
    // Titles of pieces that gather what belongs to no other.
    said.push_str(" show that it works after what could mislead us where begins goes wrong how one sees ");
    for (asked, answer) in session.transcript.answered() {
        said.push_str(&format!("{} {}", asked.question.text, answer.text).to_lowercase());
        for one in asked.question.alternatives.as_slice() {
            let told = one.description.as_ref().map(ToString::to_string).unwrap_or_default();
            said.push_str(&format!(" {} {} {told}", one.label, one.value).to_lowercase());
        }
    }
    for output in SINGLE.iter().copied().chain(["adr"]) {
        for document in made(output, None, &session).unwrap() {
            for line in document.text.lines().filter(|line| !line.is_empty()) {
                if OURS.iter().any(|ours| line.starts_with(ours)) {
                    continue;
                }
                let bare = line.trim_start_matches([' ', '-', '[', ']', '1', '2', '3', '4', '5', '.']);
                let words: Vec<String> = crate::domain::text::words(bare);
                let known = words.iter().filter(|word| said.contains(word.as_str())).count();
                // Labels are at most three words of ours.
                assert!(words.len() - known <= 3, "{output}: {line:?} comes from nowhere");
            }
        }
    }
}

#[test]
fn g28_strategies_cut_differently() {
    let titles = |strategy: &str| -> Vec<String> {
        let text = text_of("implementation-plan", Some(strategy), &full());
        let below = text.lines().filter_map(|line| line.strip_prefix("### "));
        below.filter(|title| title.starts_with(|one: char| one.is_ascii_digit())).map(str::to_owned).collect()
    };
    assert_eq!(
        titles("vertical-slices"),
        [
            "1. How long is the window?",
            "2. The limit counts by key (decision 2)",
            "3. It lives beside the router",
            "4. Show that it works"
        ]
    );
    assert_eq!(titles("tutorial-chapters")[0], "1. Where it begins (decision 1)");
    assert_eq!(titles("content-outline")[0], "1. For whom, and what they take away (decision 1)");
    assert_eq!(titles("research-investigations"), ["1. How long is the window?", "2. What could mislead us"]);
    assert_eq!(titles("adr-candidates"), ["1. The limit counts by key (decision 2)", "2. It lives beside the router"]);
    assert_eq!(
        titles("milestone-experiments"),
        ["1. How long is the window?", "2. Clocks may differ", "3. The whole in its smallest form (decision 2)"]
    );
    assert!(text_of("design-doc", Some("custom:by the week"), &full()).contains("## Plan: by the week\n"));
}

#[test]
fn p13_g28_a_step_of_an_implementation_plan_cites_what_it_carries_out_and_no_other_output_does() {
    let text = text_of("implementation-plan", Some("vertical-slices"), &full());
    assert_eq!(text.matches("(decision").count(), 1, "{text}");
    for other in SINGLE.iter().filter(|other| **other != "implementation-plan") {
        let text = text_of(other, None, &full());
        assert!(!text.contains("(decision"), "{other}: {text}");
    }
    // What no answer stands behind cites nothing.
    let bare = text_of("implementation-plan", None, &session("rate limiting", "## Decisions\n\n- By key.\n"));
    assert!(bare.contains("By key") && !bare.contains("(decision"), "{bare}");
}

fn numbers(issue: &IssueText) -> Vec<usize> {
    issue.depends_on.iter().map(|slot| slot.number() as usize).collect()
}

#[test]
fn g28_the_same_session_gives_other_issues_by_another_strategy() {
    let issues = |strategy: &str| -> Vec<IssueText> {
        let drafts = issue_drafts(&strategy.parse().unwrap(), &full()).unwrap();
        drafts.iter().map(|(_, text)| issue::parse(text).unwrap()).collect()
    };
    let all = [
        "vertical-slices",
        "tutorial-chapters",
        "research-investigations",
        "content-outline",
        "adr-candidates",
        "milestone-experiments",
        "custom:by the week",
    ];
    for strategy in all {
        let issues = issues(strategy);
        for (index, issue) in issues.iter().enumerate() {
            assert!(issue.body.contains("## Acceptance criteria\n\n- [ ] "), "{strategy}: {issue:?}");
            assert!(!issue.title.is_empty() && issue.labels.len() == 1);
            assert!(numbers(issue).iter().all(|before| *before <= index), "{strategy}: {issue:?}");
            assert_eq!(issue::parse(&issue::write(issue)).unwrap(), *issue, "{strategy}");
        }
    }
    let (slices, chapters) = (issues("vertical-slices"), issues("tutorial-chapters"));
    let shared = slices.iter().filter(|one| chapters.iter().any(|other| other.body == one.body)).count();
    assert_eq!(shared, 0, "no issue of the one is an issue of the other");
    assert_eq!(numbers(slices.last().unwrap()), [2, 3]);
    assert_eq!(numbers(&chapters[2]), [2]);
    assert!(slices[1].body.contains("- [ ] The limit counts by key.\n"));
    assert!(
        chapters[1]
            .body
            .contains("- [ ] Says: The limit counts by key.\n- [ ] Gives the reason: One key is one customer.\n")
    );
    assert!(slices[0].body.contains("  - To find out: ask the callers."));
}

#[test]
fn each_output_is_cut_in_its_own_way_unless_somebody_says_otherwise() {
    let slices = Strategy::Known(CataloguedStrategy::VerticalSlices);
    let outline = Strategy::Known(CataloguedStrategy::ContentOutline);
    let cut = |output: &str, wanted: Option<&Strategy>, recommended: Option<&Strategy>| {
        strategy_for(&output.parse().unwrap(), wanted, recommended, &full()).to_string()
    };
    for (output, wanted, recommended, expected) in [
        ("adr", None, Some(&slices), "adr-candidates"),
        ("adr", Some(&slices), None, "vertical-slices"),
        ("research-brief", None, Some(&slices), "research-investigations"),
        ("tutorial", None, Some(&slices), "tutorial-chapters"),
        ("tutorial", None, Some(&outline), "content-outline"),
        ("prd", None, Some(&outline), "content-outline"),
        ("prd", None, None, "vertical-slices"),
    ] {
        assert_eq!(cut(output, wanted, recommended), expected, "{output}");
    }
}

#[test]
fn g27_a_newcomer_gets_from_the_registry_what_every_output_gets() {
    let toy: Destination = "toy".parse().unwrap();
    let (_, entry) = catalogue().find(|(output, _)| toy == Destination::Known(*output)).unwrap();
    assert_eq!((entry.name, toy.typed().as_str()), ("bell sheet", "select toy"));
    let outline = Strategy::Known(CataloguedStrategy::ContentOutline);
    assert_eq!(strategy_for(&toy, None, Some(&outline), &full()).to_string(), "milestone-experiments");
    assert!(!is_tracked(&toy));
    let made = made("toy", None, &full()).unwrap();
    assert_eq!(made[0].path.as_str(), "docs/bells/rate-limiting.md");
    assert!(made[0].text.contains("\n\nCut into experiments.\n"), "{}", made[0].text);
    let refused = super::tests::made("toy", None, &session("x", "# Shared Understanding\n\n## Topic\n\nx\n"));
    assert!(matches!(refused, Err(Cannot::NothingToSay { .. })));
}

#[test]
fn a_hand_edited_checkpoint_is_the_truth() {
    let checkpoint = "# Mine\n\n## Goals\n\n1. Be fair\n\n## Key decisions\n\n### Storage\n\n* sqlite\n\n## Out of scope\n\nBilling.\n";
    let session =
        answered(session("x", checkpoint), "scope", "The limit counts by key.", "The limit counts by address.");
    let text = text_of("design-doc", None, &session);
    assert!(text.contains("## Goals\n\n- Be fair\n"), "{text}");
    assert!(text.contains("## Decisions\n\n- Storage: sqlite\n"), "{text}");
    assert!(text.contains("## Non-goals\n\n- Billing.\n"), "{text}");
    assert!(!text.contains("counts by key"), "an answer that was taken out of the checkpoint is gone: {text}");
}

#[test]
fn what_was_not_chosen_is_found_again_in_other_words() {
    let checkpoint = "## Decisions\n\n- We count requests by their key, so the limit counts each key of a customer.\n";
    let session =
        answered(session("x", checkpoint), "scope", "The limit counts requests by key of each customer", "By address");
    assert!(text_of("design-doc", None, &session).contains("By address"), "the alternatives are known");
    let other = answered(super::tests::session("x", checkpoint), "scope", "The limit lives elsewhere", "By address");
    assert!(!text_of("design-doc", None, &other).contains("By address"), "two words in common are chance");
}

#[test]
fn a_session_without_anything_is_refused_by_name() {
    let bare = session("x", "# Shared Understanding\n\n## Topic\n\nx\n");
    let sheet = text_of("design-doc", None, &bare);
    assert!(
        sheet.starts_with(
            "# X\n\nStatus: proposed, 2026-11-21. Worked out in an interview; rests on 0 answers.\n\n---\n"
        )
    );
    for output in SINGLE.iter().skip(1).copied().chain(["adr"]) {
        let refused = made(output, None, &bare).unwrap_err();
        assert!(matches!(refused, Cannot::NothingToSay { .. }), "{output}: {refused}");
        assert!(refused.way_out().contains("git grill"));
    }
    assert!(made_at("github-issues", None, "issues", &bare).is_err());
    let only_put_off = session("x", "## Open Questions\n\n- What is it? Put off for now.\n");
    let text = text_of("design-doc", None, &only_put_off);
    assert!(text.contains("## Open questions\n\n- What is it? Put off for now.\n") && !text.contains("## Decisions"));
    assert!(matches!(made("adr", None, &only_put_off), Err(Cannot::NothingToSay { what: "no decision" })));
    assert!(matches!(made("changelog", None, &only_put_off), Err(Cannot::NothingToSay { .. })));
}

#[test]
fn a_plan_that_the_session_outgrew_is_refused() {
    let session = full();
    let destination: Destination = "adr".parse().unwrap();
    let strategy = Strategy::Known(CataloguedStrategy::AdrCandidates);
    let three: Vec<TargetPath> = ["a.md", "b.md", "c.md"].iter().map(|path| TargetPath::parse(path).unwrap()).collect();
    let refused = documents(&destination, &strategy, &three, &session, &Existing::default()).unwrap_err();
    assert!(matches!(refused, Cannot::OtherNumber { files: 3, .. }), "{refused}");
}
