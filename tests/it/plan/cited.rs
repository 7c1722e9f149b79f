//! Which decisions of an interview a step serves.

use super::{plan, set};
use crate::bench::Bench;

#[test]
fn p13_a_step_says_which_decision_it_serves_and_a_name_that_none_has_is_told() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    set(&bench, "1. Count them (decision 1)\n   in memory\n2. Say so (decisions 1, 99)\n3. Tidy up\n");
    let (first, unknown) =
        ("serves decision 1: requests per client are counted", "cites decision 99, which is not known here");
    let below = format!("☐ 2. Say so (decisions 1, 99)\n     {first}\n     {unknown}\n☐ 3. Tidy up\n");
    bench
        .run("git grill todos")
        .assert_code(0)
        .assert_contains(&format!("☐ 1. Count them (decision 1)\n     {first}\n☐ 2."))
        .assert_contains(&below);
    bench
        .run("git grill plan show")
        .assert_code(0)
        .assert_contains(&format!("☐ 1. Count them (decision 1)\n     in memory\n     {first}\n"))
        .assert_contains(&below);
    let steps = plan(&bench)["steps"].clone();
    assert_eq!(steps[0]["serves"][0]["decision"], "1");
    assert_eq!(steps[0]["serves"][0]["answer"], "requests per client are counted");
    assert!(steps[0]["serves"][0]["question"].as_str().is_some_and(|asked| !asked.is_empty()), "{steps}");
    assert!(steps[1]["serves"][1]["decision"] == "99" && steps[1]["serves"][1]["answer"].is_null(), "{steps}");
    assert!(steps[2].get("serves").is_none(), "{steps}");
}
