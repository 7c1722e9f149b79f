//! Citations are looked up before the user sees an attack (D29, D33), and no role is driven to invent one (D34).

use super::{PROPOSAL, Stage, attack, critique, synthesis};

/// What the record says of each citation, in order.
fn finds(stage: &Stage) -> Vec<String> {
    let debate = stage.debate();
    let all = debate["objections"].as_array().unwrap().iter();
    let evidence = all.flat_map(|one| one["evidence"].as_array().cloned().unwrap_or_default());
    evidence.map(|looked| looked["find"].as_str().unwrap().to_owned()).collect()
}

/// Twenty that are false: lines that moved, words that are not there, and right words at a wrong place.
#[test]
fn d29_d33_twenty_planted_false_citations_are_refused_or_corrected() {
    let stage = Stage::new("");
    stage.opens();
    let moved = ["src/limit.rs:1 \"count();\"", "src/limit.rs:4-5 \"count();\"", "src/limit.rs:9 \"fn limit()\""];
    let nowhere = [
        "src/limit.rs:2 \"count ();\"",
        "src/limit.rs:2 \"Count();\"",
        "src/limit.rs:2 \"reset();\"",
        "src/limit.rs:1-5 \"fn limit_all()\"",
        "src/limit.rs:1 \"fn limit() -> u32\"",
        "src/limit.rs:5 \"fn count() { }\"",
        "src/limit.rs:60",
        "src/limit.rs:3-9",
        "src/limits.rs:1 \"fn limit()\"",
        "limit.rs:1 \"fn limit()\"",
        "src/limit.rs:1 \"count\"",
        "../dossier.md:1 \"Rate limiting\"",
        ".git/config:1 \"core\"",
        "/etc/passwd:1 \"root\"",
        "src:1",
        "commit 0123456789abcdef",
        "q-aaaaaa",
    ];
    let entries: Vec<String> = moved
        .iter()
        .chain(&nowhere)
        .enumerate()
        .map(|(number, cited)| format!("- [high] Planted claim {number} of twenty\n  Evidence: {cited}\n"))
        .collect();
    assert_eq!(entries.len(), 20);
    stage.gives(1, "attack", &attack(&entries.concat())).assert_code(0);
    let finds = finds(&stage);
    assert!(finds[..3].iter().all(|find| find == "moved"), "{finds:?}");
    assert!(finds[3..].iter().all(|find| find == "not-there"), "{finds:?}");
    // Held to be valid all the same, they count for nothing, whatever was moved apart.
    stage.answers("");
    let all: Vec<(String, &str)> = stage.ids("Planted").into_iter().map(|id| (id, "valid — taken in")).collect();
    stage.gives(1, "synthesis", &synthesis(&all, "One store: shared")).assert_code(0);
    let record = stage.text("debate/1/record.md");
    assert_eq!(record.matches("(not there: ").count(), 17, "{record}");
    assert_eq!(record.matches("(found at line ").count(), 3, "{record}");
}

#[test]
fn d12_d33_an_objection_that_cites_what_is_not_there_does_not_keep_a_debate_going() {
    let stage = Stage::new("");
    stage.opens();
    stage.loud(1);
    stage
        .gives(2, "attack", &attack("- [critical] It calls reset\n  Evidence: src/limit.rs:2 \"reset();\"\n"))
        .assert_code(0);
    stage.answers("");
    let id = stage.ids("It calls").pop().unwrap();
    stage.gives(2, "synthesis", &synthesis(&[(id, "valid — taken in")], "One store: shared")).assert_code(0);
    assert_eq!(stage.debate()["termination"], "nash");
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("### Objections with false citations, which do not count"), "{record}");
}

#[test]
fn d29_true_citations_of_every_form_are_found() {
    let stage = Stage::new("");
    stage.opens();
    let names = stage.bench.run("git ls-tree --name-only GRILL_HEAD:.grill/questions").stdout;
    let question = names.trim().trim_end_matches(".yaml").to_owned();
    let commit = stage.bench.run("git rev-parse --short=10 HEAD").stdout.trim().to_owned();
    let cited = [
        "src/limit.rs:1-3 \"count();\"".to_owned(),
        "src/limit.rs:5 \"fn count\"".to_owned(),
        format!("commit {commit}"),
        "checkpoint \"We want limits.\"".to_owned(),
        question,
        "two servers run".to_owned(),
    ];
    let entries: Vec<String> = cited.iter().map(|cited| format!("  Evidence: {cited}\n")).collect();
    stage.gives(1, "attack", &attack(&format!("- [high] It is not shared\n{}", entries.concat()))).assert_code(0);
    assert_eq!(finds(&stage), ["found", "found", "found", "found", "found", "unchecked"]);
}

/// No mark keeps quoted words from being compared.
#[test]
fn d29_d33_words_between_marks_of_any_kind_are_compared() {
    let stage = Stage::new("");
    stage.opens();
    let marked = ["'_'", "«_»", "„_“", "‘_’", "> _", "\"_", "`_`", "“_”"];
    let cite = |words: &str| marked.map(|mark| format!("  Evidence: src/limit.rs:2 {}\n", mark.replace('_', words)));
    let claims =
        format!("- [high] It counts\n{}- [high] It resets\n{}", cite("count();").concat(), cite("reset();").concat());
    stage.gives(1, "attack", &attack(&claims)).assert_code(0);
    assert_eq!(finds(&stage), [["found"; 8], ["not-there"; 8]].concat());
}

/// Nothing that was not compared is found, and nothing true is false, however a role writes it.
#[test]
fn d29_d33_a_citation_is_checked_as_roles_write_it() {
    let all = [
        ("note.py:1: \"y = 2\"; src/limit.rs:2: \"count();\"", &["moved", "found"][..]),
        ("note.py:1: \"every password\"; src/limit.rs:2 \"count();\"", &["not-there", "found"]),
        ("nowhere.rs:1: src/limit.rs:2 \"count();\"", &["unchecked"]),
        ("note.py says \"y = 2\"; src/limit.rs:2 \"count();\"", &["unchecked"]),
        ("\"reset();\" in src/limit.rs:2 \"count();\"", &["not-there"]),
        ("src/limit.rs:2 \"count();\" violates checkpoint \"We want limits.\"", &["found", "found"]),
        ("src/limit.rs:2 \"count();\", whereas note.py:1 has \"x = 1\"", &["unchecked"]),
        ("src/limit.rs:2 \"count();\" — the so-called \"counter\" is slow", &["unchecked"]),
        ("src/limit.rs:2 ``count();``", &["found"]),
        ("src/limit.rs:2 > `count();`", &["found"]),
        ("\"src/limit.rs:2\": \"count();\"", &["found"]),
        ("src/limit.rs:2 \\\"count();\\\"", &["found"]),
        ("`reset();` in src/limit.rs:2", &["unchecked"]),
        ("src/limit.rs:2 > fixed in commit 083683aa", &["not-there"]),
        ("Checkpoint: \"We want none.\"", &["not-there"]),
        // A line of a quotation is no heading and no fence of ours.
        ("note.py:1-2 \"x = 1\n# note one\"", &["found"]),
        ("note.py:1-4 \"x = 1\n# every password\ny = 2\"", &["not-there"]),
        ("note.py:4 \"y = 2\", note.py:1-2 \"x = 1\n# every password\"", &["found", "not-there"]),
        ("note.py:1-3 «x = 1\n# note one\n- [high] x»", &["found"]),
        ("note.py:1-2 \"x = 1\n```\n# note one\"", &["not-there"]),
        ("\"x = 1\n# note one\" in note.py:1-2", &["found"]),
        ("note.py:1 `\"x = 1\"`", &["not-there"]),
        ("src/limit.rs:2 \"count();\" / \"y = 2\" in note.py:4", &["found", "found"]),
        ("src/limit.rs:2 \"count();\" rather than \"lock();\"", &["unchecked"]),
        ("checkpoint \"We want limits.\" is \"vague\"", &["unchecked"]),
    ];
    let stage = Stage::new("");
    stage.opens();
    stage.bench.write("note.py", "x = 1\n# note one\n- [high] x\ny = 2\n");
    let names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let entries = all.iter().enumerate().map(|(at, (evidence, _))| {
        format!("- [high] {} and {}\n  Evidence: {evidence}\n", names[at % 10], names[at / 10])
    });
    stage.gives(1, "attack", &attack(&entries.collect::<String>())).assert_code(0);
    let expected: Vec<&str> = all.iter().flat_map(|(_, expected)| expected.iter().copied()).collect();
    assert_eq!(finds(&stage), expected);
}

/// What is not checked out is read from HEAD, and a file of a commit from that commit.
#[test]
fn d29_d33_a_file_that_is_not_checked_out_and_one_of_a_commit_are_read_from_the_commit() {
    let stage = Stage::new("");
    stage.opens();
    let commit = stage.bench.run("git rev-parse --short=10 HEAD").stdout.trim().to_owned();
    stage.bench.run("git sparse-checkout set --no-cone /dossier.md && ! test -e src/limit.rs").assert_code(0);
    // The guard lets nobody tag now.
    let tag = "object $(git rev-parse HEAD)\ntype commit\ntag v1.0\ntagger A <a@example.com> 0 +0000\n\none\n";
    stage.bench.run(&format!("printf \"{tag}\" | git mktag >.git/refs/tags/v1.0")).assert_code(0);
    stage.bench.run("mkdir .git/refs/heads/side; git rev-parse HEAD >.git/refs/heads/side/one").assert_code(0);
    let cited = [
        "src/limit.rs:2 \"count();\"".to_owned(),
        "src/limit.rs:2 \"reset();\"".to_owned(),
        format!("{commit}:src/limit.rs:2 \"count();\""),
        "HEAD:src/limit.rs:2 \"count();\"".to_owned(),
        "HEAD:src/limit.rs:2 \"reset();\"".to_owned(),
        "HEAD:../limit.rs:2 \"count();\"".to_owned(),
        "v1.0:src/limit.rs:2 \"count();\"".to_owned(),
        "see side/one:src/limit.rs:2 \"reset();\"".to_owned(),
        "v2.0:src/limit.rs:2 \"count();\"".to_owned(),
        "HEAD~0:src/limit.rs:2 \"count();\"".to_owned(),
        "src/limits.rs:2 \"count();\"".to_owned(),
    ];
    let entries: Vec<String> = cited.iter().map(|cited| format!("  Evidence: {cited}\n")).collect();
    stage.gives(1, "attack", &attack(&format!("- [high] It is not shared\n{}", entries.concat()))).assert_code(0);
    let of_the_tree = ["found", "not-there"];
    let of_commits = ["found", "found", "not-there", "not-there", "found", "not-there", "not-there", "unchecked"];
    assert_eq!(finds(&stage), [&of_the_tree[..], &of_commits, &["not-there"]].concat());
}

/// What is true and cannot be checked is not false, and does not vanish.
#[test]
fn d7_d29_d33_what_cannot_be_checked_counts_if_the_synthesizer_holds_it_to_be_valid() {
    let stage = Stage::new("--rounds 2");
    stage.opens();
    stage.loud(1);
    stage.bench.run("truncate -s 17M large.txt").assert_code(0);
    let cited = [
        "src/limit.rs \"count();\"",
        "src/limit.rs shows that",
        "large.txt:1 \"the limit\"",
        "`src/limit.rs:2` \"count();\"",
        "src/limit.rs:L2 \"count();\"",
        "src/limit.rs#L1-L3 \"count();\"",
        "src/limit.rs:2 \"();\"",
        "src/limit.rs#L1-#L3 \"count();\"",
        "src/limit.rs:2:5 \"count();\"",
        "see src/limit.rs:2 \"count();\"",
        "http://localhost:8080 \"count();\"",
        "as v1.2 showed at 12:30",
    ];
    let entries: Vec<String> = cited.iter().map(|cited| format!("  Evidence: {cited}\n")).collect();
    let forged = "- [high] It is never reset\n  Evidence: src/limit.rs \"reset();\"\n";
    let text = attack(&format!("- [critical] It counts apart\n{}{forged}", entries.concat()));
    stage.gives(2, "attack", &text).assert_code(0);
    let mut all = vec!["unchecked"; 3];
    all.extend(["found"; 7]);
    all.extend(["unchecked", "unchecked", "not-there"]);
    assert_eq!(finds(&stage), all);
    stage.answers("");
    let ids = [stage.ids("It counts"), stage.ids("It is never")].concat();
    let all: Vec<(String, &str)> = ids.into_iter().map(|id| (id, "valid — it holds")).collect();
    stage.gives(2, "synthesis", &synthesis(&all, "One store: shared")).assert_code(0);
    assert_eq!(stage.stands(), (2, "settle".to_owned()));
    stage.bench.run("git grill debate accept").assert_code(0);
    let checkpoint = stage.text("checkpoint.md");
    assert!(checkpoint.contains("It counts apart") && !checkpoint.contains("never reset"), "{checkpoint}");
}

/// With an advocate that reports "None found", a plan ends without an objection, ten times.
#[test]
fn d34_plans_without_a_flaw_end_without_an_objection() {
    for plan in 0..10 {
        let stage = Stage::new("--rounds 2");
        stage.opens();
        stage.quiet(1);
        stage.quiet(2);
        let debate = stage.debate();
        assert_eq!(
            (&debate["termination"], debate["objections"].as_array().unwrap().len()),
            (&"nash".into(), 0),
            "{plan}"
        );
    }
}

/// An advocate that invents an objection in each round decides nothing by that: what has no evidence counts only if the
/// synthesizer holds it to be valid, and it stays in the record in the advocate's words.
#[test]
fn d34_d35_what_an_over_eager_advocate_invents_keeps_no_debate_going() {
    let stage = Stage::new("");
    stage.opens();
    for round in 1..=2 {
        let claim = format!("Somebody could misread line {round}");
        stage.gives(round, "attack", &attack(&format!("- [critical] {claim}\n"))).assert_code(0);
        stage.answers("");
        let id = stage.ids(&claim).pop().unwrap();
        let text = synthesis(&[(id, "invalid — nobody reads it so")], "One store: shared");
        stage.gives(round, "synthesis", &text).assert_code(0);
    }
    assert_eq!(stage.debate()["termination"], "nash");
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("in the advocate's words: Somebody could misread line 2"), "{record}");
    let checkpoint = stage.bench.run("git grill checkpoint").stdout;
    assert!(!checkpoint.contains("misread"), "{checkpoint}");
}

#[test]
fn d15_d16_a_repetition_and_a_weak_round_are_said() {
    let stage = Stage::new("");
    stage.opens();
    stage
        .gives(1, "attack", &attack("- [high] The store is not shared between servers\n  Evidence: src/limit.rs:1\n"))
        .assert_code(0);
    stage.answers("");
    let first = stage.ids("The store").pop().unwrap();
    stage
        .gives(1, "synthesis", &synthesis(&[(first.clone(), "valid — it is now")], "One store: shared"))
        .assert_code(0);
    let again = "- [high] the store is NOT shared between servers!\n- [high] Servers share no store between them\n";
    stage.gives(2, "attack", &attack(again)).assert_code(0);
    assert!(stage.debate()["objections"][1]["near"].is_null(), "it is the same, and not one that is worded alike");
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("Attacks in this round lack specificity"), "{record}");
    stage.answers("");
    let near = stage.ids("Servers share").pop().unwrap();
    let said = format!("valid — as before; repeats {first}");
    stage
        .gives(2, "synthesis", &synthesis(&[(first, "valid — as before"), (near, &said)], "One store: shared"))
        .assert_code(0);
    assert_eq!(stage.debate()["termination"], "nash", "nothing new was raised");
    let record = stage.text("debate/1/record.md");
    assert_eq!(record.matches("This objection was addressed in Round 1. It stands.\n").count(), 2, "{record}");
}

#[test]
fn d15_a_repetition_of_what_was_held_to_be_invalid_does_not_stand() {
    let stage = Stage::new("");
    stage.opens();
    for round in 1..=2 {
        stage.gives(round, "attack", &attack("- [high] It counts apart\n")).assert_code(0);
        stage.answers("");
        let id = stage.ids("It counts").pop().unwrap();
        let text = synthesis(&[(id, "invalid — it does not")], "One store: shared");
        stage.gives(round, "synthesis", &text).assert_code(0);
    }
    let record = stage.text("debate/1/record.md");
    assert!(record.contains("This objection was addressed in Round 1\n"), "{record}");
}

#[test]
fn d29_d33_each_citation_of_a_line_or_a_list_is_checked_by_itself() {
    let stage = Stage::new("");
    stage.opens();
    let (one, two) = ("src/limit.rs:2 \"count();\"", "src/limit.rs:5 \"fn count() {}\"");
    let lines = [
        format!("  Evidence: {one}, {two}\n"),
        format!("  Evidence: {one}; {two}\n"),
        format!("  Evidence: `{one}` and `{two}`\n"),
        format!("  Evidence:\n  - {one}\n  - {two}\n"),
    ];
    let entries: Vec<String> =
        (1..).zip(&lines).map(|(number, lines)| format!("- [high] Claim {number} of it\n{lines}")).collect();
    let forged = format!("- [high] It is never reset\n  Evidence: {one}, src/limit.rs:5 \"reset();\"\n");
    stage.gives(1, "attack", &attack(&format!("{}{forged}", entries.concat()))).assert_code(0);
    let mut all = vec!["found"; 9];
    all.push("not-there");
    assert_eq!(finds(&stage), all);
    let claims = stage.ids("Claim ").len();
    assert_eq!(claims, 4);
    let told = stage.bench.run("git grill debate show").assert_code(0).stdout().to_owned();
    assert!(!told.contains("Evidence:"), "no evidence is taken for a claim: {told}");
}

#[test]
fn d29_d33_a_quotation_over_several_lines_is_compared_line_by_line() {
    let stage = Stage::new("");
    stage.opens();
    let quotes =
        ["src/limit.rs:1-3 \"fn limit() {\n  count();\n  }\"", "src/limit.rs:1-3 \"fn limit() {\n  counts();\n  }\""];
    let entries: Vec<String> = quotes.iter().map(|quote| format!("  Evidence: {quote}\n")).collect();
    stage.gives(1, "attack", &attack(&format!("- [high] It counts\n{}", entries.concat()))).assert_code(0);
    let finds = finds(&stage);
    assert!(finds.len() == 2 && finds[0] == "found" && finds[1] == "not-there", "{finds:?}");
}

/// A text is made harmless where it is shown. What a quotation is compared with is what the role gave.
#[test]
fn d29_d33_a_quotation_is_compared_as_the_role_gave_it() {
    let stage = Stage::new("");
    stage.opens();
    let bench = &stage.bench;
    bench.write("l.go", "func limit() int {\n\treturn 0\t// no limit\n    return 1\n\tx\u{200b}y\n}\n");
    bench.write("doc.c", "/**\n * It counts.\n */\n");
    bench.write("_config.yml", "all:\n  - one\n  - two\n");
    let cited = [
        "l.go:2 \"\treturn 0\t// no limit\"",
        "l.go:2\t\"return 0\t// no limit\"",
        "l.go:4 \"x\u{200b}y\"",
        "doc.c:1-3 \"/**\n  * It counts.\n  */\"",
        "_config.yml:1-3 \"all:\n  - one\n  - two\"",
        // Those are other bytes.
        "l.go:3 \"\treturn 1\"",
        "l.go:2 \"return 0    // no limit\"",
        "l.go:4 \"x\\u{200b}y\"",
        "l.go:4 \"xy\"",
        "_config.yml:1-3 \"all:\n  one\n  two\"",
    ];
    let entries: Vec<String> = cited.iter().map(|cited| format!("  Evidence: {cited}\n")).collect();
    let text = attack(&format!("- [high] It counts\tapart\n{}", entries.concat()));
    stage.gives(1, "attack", &text).assert_code(0);
    assert_eq!(finds(&stage), [["found"; 5], ["not-there"; 5]].concat());
    // Plain git shows it harmless, with every tab.
    let stored = stage.text("debate/1/round-1/attack.md");
    assert!(stored.contains("l.go:2 \"\treturn 0\t// no limit\"") && stored.contains("It counts\tapart"), "{stored}");
    assert!(stored.contains("x\\u{200b}y") && !stored.contains('\u{200b}'), "{stored}");
    let id = stage.ids("It counts").pop().unwrap();
    let shown = bench.run(&format!("git grill debate show {id}")).assert_code(0).stdout().to_owned();
    assert!(shown.contains("l.go:2 \"    return 0    // no limit\" (found)") && !shown.contains('\u{200b}'), "{shown}");
}

/// Whatever a text says twice, neither is the role's word, and nothing of it is passed over.
#[test]
fn d6_d7_d9_a_part_that_stands_twice_in_a_text_is_refused_by_name() {
    let stage = Stage::new("");
    let refused = |part: &str, text: &str, named: &str| {
        stage.gives(1, part, text).assert_code(1).assert_contains(named);
    };
    let twice = format!("{PROPOSAL}## Potential risks\nNone.\n");
    refused("proposal", &twice, "has several parts “Potential risks”; keep one");
    stage.gives(1, "proposal", PROPOSAL).assert_code(0);
    let both = format!("{}## Scope\nNone found\n", critique("", "sound"));
    refused("critique", &both, "has several parts “Scope”; keep one");
    let both = format!("{}Idea verdict: reject\n", critique("", "sound"));
    refused("critique", &both, "has several lines “Idea verdict:”; keep one");
    stage.gives(1, "critique", &critique("", "sound")).assert_code(0);
    let both = format!("{}## Scalability\nNone found\n", attack(""));
    refused("attack", &both, "has several parts “Scalability”; keep one");
    let both = attack("- [high] It counts apart\n- [low] it counts apart.\n  Evidence: src/limit.rs:1\n");
    refused("attack", &both, "raises “it counts apart.” several times; keep one");
    stage.gives(1, "attack", &attack("")).assert_code(0);
    stage.answers("");
    let first = synthesis(&[], "One store: shared").replace("Recommendation: continue\n", "");
    let final_one = synthesis(&[], "No store: each counts alone");
    let both = format!("{first}\nThe final version:\n\n{final_one}");
    refused("synthesis", &both, "has several parts “Solution”; keep one; it has several parts");
    stage.gives(1, "synthesis", &final_one).assert_code(0);
    assert!(stage.text("debate/1/round-1/synthesis.md").contains("No store"));
}
