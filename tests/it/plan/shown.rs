//! Where plan mode and a plan are seen: in the status, its line, the widget below it, and the list of the steps.

use super::{at_terminal, call, execute, planned, set};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::pty::one_line;

#[test]
fn p12_the_status_line_says_that_it_is_on_and_how_far_a_plan_is() {
    let bench = planned();
    let short =
        |width: &str| bench.run(&format!("git grill status --short {width}")).assert_code(0).stdout().to_owned();
    assert_eq!(short(""), "grill Plan Mode: ON\n");
    for width in [120, 80, 19] {
        assert_eq!(short(&format!("--width {width}")), "grill Plan Mode: ON\n");
    }
    bench.run("git grill status").assert_code(0).assert_contains("plan mode    ON");
    execute(&bench);
    assert_eq!(short(""), "grill plan 0/3\n");
    let (code, result) = call(&bench, "grill_step_done", r#"{"step":1}"#);
    assert_eq!(code, 0, "{result}");
    assert_eq!(short("--width 20"), "grill plan 0/3\n", "a claim is not finished");
    for width in 5..20 {
        let line = short(&format!("--width {width}"));
        assert!(line.trim_end().chars().count() <= width, "{width}: {line}");
    }
    bench
        .run("git grill status")
        .assert_code(0)
        .assert_contains("executing, 0 of 3 steps finished, 1 claimed")
        .assert_lacks("plan mode    ON");
    at_terminal(&bench, &["plan", "off"]).ends_with(0);
    bench.run("git grill status --short").assert_code(0).assert_lacks("Plan Mode");
}

#[test]
fn p12_a_session_of_plan_mode_is_called_so() {
    let bench = planned();
    let is_called = |words: &str| {
        bench.run("git grill status").assert_code(0).assert_contains(&format!("phase        {words}\n"));
        let listed = format!(" {words:<17} rate limiting active in ");
        bench.run("git grill sessions").assert_code(0).assert_contains(&listed);
        // Programs read the phase.
        bench.run("git grill sessions --json").assert_code(0).assert_contains("\"phase\":\"no-interview\"");
    };
    is_called("plan mode");
    execute(&bench);
    is_called("executing a plan");
    bench.run("git grill plan on").assert_code(0);
    is_called("plan mode");
    at_terminal(&bench, &["plan", "off"]).ends_with(0);
    bench.run("git grill status").assert_code(0).assert_contains("phase        no interview\n");
    bench.run("git grill sessions").assert_code(0).assert_contains(" no-interview ");
    bench.run("git grill stop").assert_code(0);
    bench.run("git grill sessions").assert_code(0).assert_contains(" closed ");
    // An interview stays one.
    bench.run("git grill start --research off links").assert_code(0);
    bench.run("git grill plan on").assert_code(0);
    bench.run("git grill status").assert_contains("phase        interview, ");
    bench.run("git grill sessions").assert_contains(" interview         links active in ");
}

#[test]
fn p12_todos_says_so_when_there_is_no_plan() {
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    for line in ["git grill todos", "git grill plan show"] {
        let none = "no plan yet; git grill plan set - < plan.md sets one, and so does an agent\n";
        bench.run(line).assert_code(0).assert_stdout(none);
    }
    bench.run("git grill plan execute").assert_code(1).assert_contains("this session has no plan");
}

#[test]
fn p12_todos_shows_every_step_and_the_last_one_says_that_all_are_finished() {
    let bench = planned();
    bench.run("git grill todos").assert_code(0).assert_stdout(
        "☐ 1. Add `Limiter`\n☐ 2. Call it\n☐ 3. Say so in the README\n\
         not being executed; git grill plan execute approves it and lets changes through\n",
    );
    execute(&bench);
    let (_, result) = call(&bench, "grill_step_done", r#"{"step":1}"#);
    assert!(!result["text"].as_str().unwrap().contains("every step is marked"), "{result}");
    bench.run("git grill todos").assert_code(0).assert_stdout(
        "◐ 1. Add `Limiter`\n▸ 2. Call it\n☐ 3. Say so in the README\n0 of 3 steps finished, 1 claimed\n",
    );
    at_terminal(&bench, &["todos", "skip", "2"]).ends_with(0);
    let (code, screen) = at_terminal(&bench, &["todos", "done", "3"]).end();
    let complete = "every step is marked, 1 without evidence: 2 of 3 steps finished (1 done, 1 skipped), 1 claimed";
    assert_eq!(code, 0, "{screen}");
    assert_eq!(one_line(&screen).matches(complete).count(), 1, "{screen}");
    bench
        .run("git grill todos")
        .assert_code(0)
        .assert_stdout(&format!("◐ 1. Add `Limiter`\n☒ 2. Call it\n☑ 3. Say so in the README\n{complete}\n"));
    bench.run("git grill status --short").assert_stdout("grill plan 2/3\n");
}

#[test]
fn p12_a_long_step_wraps_under_its_text_at_a_terminal_and_not_in_a_pipe() {
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    let long = ["count the requests of each customer, and refuse what is over the limit"; 3].join(", ");
    let more = "then say so in the README, with an example for each of the limits";
    set(&bench, &format!("1. {long}\n   {more}\n2. Stop\n"));
    for (words, whole) in [(&["todos"][..], long.clone()), (&["plan", "show"][..], format!("{long} {more}"))] {
        for columns in [20, 80, 120] {
            let (code, screen) = Sitting::at(&bench, words, 50, columns, &[("GIT_PAGER", "cat")]).end();
            assert_eq!(code, 0, "{screen}");
            let rows: Vec<&str> = screen.lines().take_while(|row| !row.starts_with("☐ 2. Stop")).collect();
            assert!(rows.len() > 1 && rows.iter().all(|row| row.chars().count() <= usize::from(columns)), "{screen}");
            assert!(rows[0].starts_with("☐ 1. count"), "{screen}");
            for row in &rows[1..] {
                assert!(row.strip_prefix("     ").is_some_and(|text| !text.starts_with(' ')), "{columns}:\n{screen}");
            }
            assert_eq!(one_line(&rows.join("\n")), format!("☐ 1. {whole}"), "{columns}:\n{screen}");
        }
    }
    bench.run("git grill todos").assert_code(0).assert_contains(&format!("☐ 1. {long}\n"));
    bench.run("git grill plan show").assert_code(0).assert_contains(&format!("☐ 1. {long}\n     {more}\n"));
}

#[test]
fn p12_todos_at_a_terminal_says_what_the_signs_on_the_screen_mean() {
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    set(&bench, "1. Edit README.md\n2. Add docs/new.md\n3. Say so\n4. Stop\n");
    let last_line = || -> String {
        let (code, screen) = Sitting::at(&bench, &["todos"], 50, 100, &[("GIT_PAGER", "cat")]).end();
        assert_eq!(code, 0, "{screen}");
        screen.trim_end().lines().next_back().unwrap_or_default().to_owned()
    };
    assert_eq!(last_line(), "☐ open");
    execute(&bench);
    assert_eq!(last_line(), "☐ open · ▸ next");
    let mark = |step: u32| assert_eq!(call(&bench, "grill_step_done", &format!("{{\"step\":{step}}}")).0, 0);
    mark(1);
    assert_eq!(last_line(), "☐ open · ▸ next · ◐ claimed, without evidence");
    bench.run("git grill todos").assert_code(0).assert_lacks("▸ next").assert_contains(", 1 claimed\n");
    bench.run("echo more >>README.md; mkdir -p docs; echo new >docs/new.md").assert_code(0);
    // It is the next one although its file changed already, which the reason beside it says.
    bench
        .run("git grill todos")
        .assert_code(0)
        .assert_contains("▸ 2. Add docs/new.md (unclaimed: docs/new.md has changed)");
    assert_eq!(last_line(), "☐ open · ▸ next · ☑ done");
    mark(2);
    assert_eq!(last_line(), "☐ open · ▸ next · ☑ done");
    at_terminal(&bench, &["todos", "skip", "3"]).ends_with(0);
    assert_eq!(last_line(), "▸ next · ☑ done · ☒ skipped");
    bench.run("git grill plan show").assert_code(0).assert_contains("☒ 3. Say so\n").assert_lacks(" · ☒ skipped");
}

#[test]
fn p12_the_legend_at_a_terminal_has_the_signs_on_the_screen_and_no_others() {
    const MEANINGS: [(&str, &str); 7] = [
        ("☐", "open"),
        ("▸", "next"),
        ("◐", "claimed, without evidence"),
        ("☑", "done"),
        ("!", "stale, changed again"),
        ("☒", "skipped"),
        ("?", "unclaimed, but changed"),
    ];
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    set(&bench, "1. Edit README.md\n2. Say so\n3. Add docs/new.md\n4. Stop\n");
    execute(&bench);
    let named_are = |expected: &str| {
        for (words, columns) in
            [("todos", 20), ("todos", 80), ("todos", 120), ("status", 20), ("status", 80), ("status", 120)]
        {
            let (code, screen) = Sitting::at(&bench, &[words], 50, columns, &[("GIT_PAGER", "cat")]).end();
            assert_eq!(code, 0, "{screen}");
            let is_number = |word: &str| word.strip_suffix('.').is_some_and(|digits| digits.parse::<u32>().is_ok());
            let sign = |row: &str| {
                row.split_once(' ')
                    .filter(|(_, text)| is_number(text.split(' ').next().unwrap_or_default()))
                    .map(|(sign, _)| sign.to_owned())
            };
            let stand: Vec<String> = screen.lines().filter_map(sign).collect();
            let flat = one_line(&screen);
            for (sign, meaning) in MEANINGS {
                let named = flat.contains(&format!("{sign} {meaning}"));
                assert_eq!(
                    named,
                    stand.iter().any(|stands| stands == sign),
                    "{sign} of {words} at {columns}:\n{screen}"
                );
            }
            if columns > 20 {
                assert!(screen.lines().any(|row| row.trim_end() == expected), "{expected}\n{screen}");
            }
        }
        for line in ["git grill todos", "git grill status"] {
            bench.run(line).assert_code(0).assert_lacks("▸ next");
        }
    };
    named_are("☐ open · ▸ next");
    assert_eq!(call(&bench, "grill_step_done", r#"{"step":1}"#).0, 0);
    bench.run("echo more >>README.md && git grill todos").assert_code(0).assert_contains("☑ 1. Edit README.md\n");
    named_are("☐ open · ▸ next · ☑ done");
    bench.run("echo more >>README.md; mkdir -p docs; echo new >docs/new.md").assert_code(0);
    at_terminal(&bench, &["todos", "skip", "4"]).ends_with(0);
    named_are("▸ next · ! stale, changed again · ☒ skipped · ? unclaimed, but changed");
    let (code, screen) = Sitting::at(&bench, &["todos", "--outside"], 50, 100, &[("GIT_PAGER", "cat")]).end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.lines().any(|row| row.trim_end() == "▸ next · ! stale, changed again"), "{screen}");
}

#[test]
fn p12_the_agents_last_mark_says_that_all_are_finished() {
    let bench = planned();
    execute(&bench);
    let mut told = Vec::new();
    for step in 1..=3 {
        let (code, result) = call(&bench, "grill_step_done", &format!("{{\"step\":{step}}}"));
        assert_eq!(code, 0, "{result}");
        told.push(
            result["text"]
                .as_str()
                .unwrap()
                .contains("every step is marked, 3 without evidence: 0 of 3 steps finished"),
        );
    }
    assert_eq!(told, [false, false, true]);
}

#[test]
fn p17_at_most_eight_steps_around_the_current_one_stand_below_the_status() {
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    set(&bench, &(1..=12).map(|number| format!("{number}. step {number}\n")).collect::<String>());
    let widget = |columns: u16| -> Vec<String> {
        let (code, screen) = Sitting::at(&bench, &["status"], 50, columns, &[("COLUMNS", &columns.to_string())]).end();
        assert_eq!(code, 0, "{screen}");
        let is_step = |line: &&str| line.contains(". step ");
        screen.lines().filter(is_step).map(|line| line.trim_end().to_owned()).collect()
    };
    assert_eq!(widget(80), [""; 0], "nothing is carried out yet");
    execute(&bench);
    let (code, result) = call(&bench, "grill_step_done", r#"{"step":2}"#);
    assert_eq!(code, 0, "{result}");
    for columns in [20, 80, 120] {
        let wanted = ["▸  1. step 1", "◐  2. step 2", "☐  3. step 3", "☐  4. step 4", "☐  5. step 5", "☐  6. step 6"];
        assert_eq!(widget(columns), [&wanted[..], &["☐  7. step 7", "☐  8. step 8"]].concat());
    }
    at_terminal(&bench, &["todos", "done", "1,3,4,5,6,7"]).ends_with(0);
    for columns in [20, 80, 120] {
        let widget = widget(columns);
        assert_eq!(widget.len(), 8, "{widget:?}");
        assert!(
            widget[0] == "☑  5. step 5" && widget[3] == "▸  8. step 8" && widget[7] == "☐ 12. step 12",
            "{widget:?}"
        );
    }
}
