//! Real coding agents with a scripted model behind them: what they read of what is installed, what they hand on, and
//! whole interviews that they lead. They are `#[ignore]`d, since they take the agents' programs (some 2.5 GB):
//!
//! ```sh
//! GRILL_AGENTS=$(.ci/agents) cargo test --test it -- --ignored --test-threads=2 agents:: leading::real supervised::real debate::real
//! ```
//!
//! The model listens on 127.0.0.1 alone, the keys are dummies, the home is thrown away. With `GRILL_RECORD=1` the runs
//! write what the agents sent into `fixtures/guard/recorded` and `fixtures/mcp-recorded`, an agent and its version a file;
//! ordinary tests ask the guard about the payloads again (`guard::recorded`), and play the frames to the server
//! (`mcp::recorded`).
//!
//! For other tests that need a real agent at work:
//!
//! ```ignore
//! let known = known::named("codex");
//! let bench = led::installed(known);                       // a repository after `git grill agent install codex`
//! let script = [known.step("look", AT_ONCE, &Deed::Shell("git status"))];
//! let mut led = Led::begin(&bench, known, &script);        // or Led::begin_within(…, "git grill run --profile codex --")
//! led.says("look", "On branch main");                      // what the call came to, as the agent told its model
//! led.ends();
//! ```
//!
//! By hand, the model is `node fixtures/model/model.mjs SCRIPT PORT-FILE [REQUESTS-FILE]`, and [`known::ALL`] says how each
//! agent is started against it.

mod forms;
mod gate;
pub mod known;
pub mod led;
mod plans;
mod record;
mod settings;
pub mod story;

pub fn programs() -> String {
    std::env::var("GRILL_AGENTS").expect("GRILL_AGENTS names the folder with the agents' programs: .ci/agents")
}
